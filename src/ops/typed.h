// What inference builds with: values with what is known of them, and one object that emits typed np
// ops while it keeps the facts, the guards and the hints. NumPy functions (ops/functions_*.cpp) and
// the walker of the captured ops (passes/infer*.cpp) are written in its terms.
#pragma once

#include "ir/np.h"
#include "ops/types.h"
#include "ops/ufunc.h"
#include "shapes/scope.h"

#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace shapecast {

// A user's error found at compile time. Thrown and caught inside inference only, never through
// MLIR's frames.
struct InferError {
    mlir::Location loc;
    std::string exception, message;
    std::vector<std::string> notes; // of its operands, as operandNotes makes them
    bool conflict = false;          // of values on two paths, which one variant cannot hold
    bool inArm = false;             // of what is refused in a branch
    mlir::DictionaryAttr site(mlir::Builder b) const; // as an entry of the module's `np.sites`
};

struct Slot; // ops/join.h

// A value during inference.
struct Val;

// Values in a row that copies share until one of them changes its own: a list of lists of arrays is
// handed on thousands of times while a function is compiled.
class ValList {
    using Vector = std::vector<Val>;
    std::shared_ptr<Vector> shared; // null: none

public:
    ValList() = default;
    explicit ValList(Vector values);
    ValList(std::initializer_list<Val> values);
    ValList &operator=(Vector values);
    ValList &operator=(std::initializer_list<Val> values);

    const Vector &read() const;
    Vector &change(); // its own from here on
    operator const Vector &() const { return read(); }
    operator llvm::ArrayRef<Val>() const;

    bool empty() const;
    size_t size() const;
    const Val *begin() const;
    const Val *end() const;
    const Val &operator[](size_t i) const;
    const Val &front() const;
    const Val &back() const;
    Val *begin();
    Val *end();
    Val &operator[](size_t i);
    Val &front();
    Val &back();
    void push_back(Val v);
    void insert(const Val *before, Val v);
    void erase(const Val *at);
    template <class... Parts> Val &emplace_back(Parts &&...parts);
    void pop_back();
    void clear() { shared.reset(); }
    void resize(size_t size);
    void reserve(size_t size);
    template <class First, class Last> void assign(First first, Last last);
    void assign(std::initializer_list<Val> values);
};

struct Val {
    enum class Kind {
        Typed,    // value: array handle, strong scalar, or Python scalar
        Static,   // attr: None, str, dtype, ... (#np.py)
        Tuple,    // items (also a list display); attr: of a named tuple, see RecordClass
        Dict,     // items: the values; attr: the keys, an array of constants
        Record,   // a dataclass's value: items: the fields; attr: see RecordClass
        Grown,    // a list (or tuple) whose length only the run knows: items: its length, then the
                  // columns of what its items, each an `element`, are carried as (ops/grown.h)
        Function, // attr: symbol of a captured function; items: two tuples, see np.closure
        Slice,    // items: lo, hi, step (None where absent)
        Range,    // items: lo, hi, step (Python ints)
        Iterator, // attr: "zip", "map" (items: the function, and what it is called with),
                  // "enumerate" (items: what it counts, and the start), "reversed" ...
        Object,  // attr: #np.py of the class ("str", "exception") and what is called at run time to
                 // make it ("builtins.format"); items: with these arguments
        Unbound, // not assigned yet
        Maybe,   // items[0] where dim is 1 at run time, else attr (None), or unbound when attr is
                 // null
        OneOf,   // items[dim], of values of different kinds
        Never,   // what an arm that raised hands on: joins with anything
    };
    Kind kind = Kind::Unbound;
    mlir::Value value;
    mlir::Attribute attr; // Static's value; for Typed the constant, when known
    np::DimAttr dim;      // Typed Python int: its value as an expression
    ValList items;
    const Slot *element = nullptr;
    bool list = false;
    unsigned cell = 0;   // list, dict: which one, see TypedBuilder::cells
    unsigned serial = 0; // Iterator: which one; it can be gone over once. Tuple: 1 for items() of
                         // a dict, which has pairs for its values
    // Typed pybool from an integer comparison: lhs >= rhs (or == / != as named), a fact in the arm
    // it guards. "all": `items` all hold; "not all": not all of them do.
    llvm::StringRef relation;
    np::DimAttr lhs, rhs;
    // A blend: typed scalar that on some paths, where pyFlag is 1, is a Python number of the
    // (other) kind `pyKind`; `value` is then that number, cast. items[0] is the number itself;
    // absent where the cast is exact for every number (isNaturalBlend).
    np::DimAttr pyFlag;
    PyKind pyKind = PyKind::Strong;

    bool isTyped() const { return kind == Kind::Typed; }
    bool isObject(llvm::StringRef objectKind) const; // Object of class "str" or "exception"
    bool isText() const { return isStatic("str") || isObject("str"); }
    bool isTuple() const { return kind == Kind::Tuple; }
    bool isGrown() const { return kind == Kind::Grown; }
    bool isOneOf() const { return kind == Kind::OneOf; }
    bool isDict() const { return kind == Kind::Dict; }
    bool isRecord() const { return kind == Kind::Record; }
    mlir::Type type() const { return value ? value.getType() : mlir::Type(); }
    np::ArrayType array() const {
        return isTyped() ? llvm::dyn_cast<np::ArrayType>(type()) : np::ArrayType();
    }
    bool isArray() const { return bool(array()); }
    bool isScalar() const { return isTyped() && np::isScalar(type()); }
    bool isPython() const { return isTyped() && llvm::isa<np::ObjectType>(type()); }
    bool isPyInt() const { return isTyped() && llvm::isa<np::PyIntType>(type()); }
    bool isStatic(llvm::StringRef staticKind) const; // "none", "str", "dtype" ...
    bool isNone() const { return isStatic("none"); }
    llvm::StringRef staticText() const;
    std::optional<int64_t> constInt() const; // Python int or bool constant
    std::optional<bool> constBool() const;   // truth of a constant or static value
};

inline ValList::ValList(Vector values) { *this = std::move(values); }
inline ValList::ValList(std::initializer_list<Val> values) { *this = values; }
inline ValList &ValList::operator=(Vector values) {
    shared = values.empty() ? nullptr : std::make_shared<Vector>(std::move(values));
    return *this;
}
inline ValList &ValList::operator=(std::initializer_list<Val> values) {
    return *this = Vector(values);
}
inline const std::vector<Val> &ValList::read() const {
    static const Vector none;
    return shared ? *shared : none;
}
inline std::vector<Val> &ValList::change() {
    if (!shared)
        shared = std::make_shared<Vector>();
    else if (shared.use_count() > 1)
        shared = std::make_shared<Vector>(*shared);
    return *shared;
}
inline ValList::operator llvm::ArrayRef<Val>() const { return read(); }
inline bool ValList::empty() const { return !shared || shared->empty(); }
inline size_t ValList::size() const { return shared ? shared->size() : 0; }
inline const Val *ValList::begin() const { return read().data(); }
inline const Val *ValList::end() const { return begin() + size(); }
inline const Val &ValList::operator[](size_t i) const { return read()[i]; }
inline const Val &ValList::front() const { return read().front(); }
inline const Val &ValList::back() const { return read().back(); }
inline Val *ValList::begin() { return empty() ? nullptr : change().data(); }
inline Val *ValList::end() { return begin() + size(); }
inline Val &ValList::operator[](size_t i) { return change()[i]; }
inline Val &ValList::front() { return change().front(); }
inline Val &ValList::back() { return change().back(); }
inline void ValList::push_back(Val v) { change().push_back(std::move(v)); }
inline void ValList::insert(const Val *before, Val v) {
    const auto at = before - std::as_const(*this).begin();
    change().insert(change().begin() + at, std::move(v));
}
inline void ValList::erase(const Val *at) {
    const auto number = at - std::as_const(*this).begin();
    change().erase(change().begin() + number);
}
template <class... Parts> Val &ValList::emplace_back(Parts &&...parts) {
    return change().emplace_back(std::forward<Parts>(parts)...);
}
inline void ValList::pop_back() { change().pop_back(); }
inline void ValList::resize(size_t size) { change().resize(size); }
inline void ValList::reserve(size_t size) { change().reserve(size); }
template <class First, class Last> void ValList::assign(First first, Last last) {
    *this = Vector(first, last); // which may be its own items
}
inline void ValList::assign(std::initializer_list<Val> values) { *this = values; }

// A list or dict that was made: what it holds now. Names that stand for it see one another's
// changes.
struct Cell {
    ValList items;
    mlir::Attribute keys;          // of a dict; of a record its class; null for a list
    const Slot *element = nullptr; // of a list that has grown
    // Of a caller's: as np.tuple's `argument` says, where its contents go when the function returns
    // ({container = 0}), or what it is that cannot be changed ("from outside"). Null: one's own.
    mlir::Attribute target;
    unsigned changes = 0;
    unsigned serial = 0; // unlike its place, no other one's
};
constexpr unsigned unknownCell = ~0u; // one of several, or of an earlier turn

constexpr int64_t mostUnrolled = 64; // turns of a loop over a range or array that is written out

class TypedBuilder : public ShapeScope {
public:
    TypedBuilder(mlir::OpBuilder builder, mlir::MLIRContext *ctx)
        : ShapeScope(ctx), b(builder), loc(b.getUnknownLoc()) {}

    mlir::OpBuilder b;
    mlir::Location loc; // of the captured op being emitted
    // "{1}: float64[s0]" for each operand of the captured op: errors found now and `np.require`
    // carry them.
    std::function<std::vector<std::string>()> operandNotes;
    mlir::StringAttr device; // where new arrays live: with the arrays that a function is given
    llvm::StringMap<int64_t> hints; // entry symbols and their values in the compiling call
    // A function that stays Python's, by its name.
    std::function<Val(llvm::StringRef, llvm::ArrayRef<Val>)> callPython;
    bool madeUpSizes = false;      // in the hints: the compiling call is none that would be made
    bool isEntry = true;           // the parameters are what the caller gives
    std::vector<SizeFact> learned; // what guards and requirements made known, with their lines
    llvm::SmallVector<np::GuardAttr> guards;    // what the entry assumes
    llvm::SmallVector<np::GuardAttr> forbidden; // must not be assumed
    std::vector<std::string> doubted; // places where what a call found of values was not as assumed

    [[noreturn]] void fail(llvm::StringRef exception, const llvm::Twine &message) const override;
    [[noreturn]] void unsupported(const llvm::Twine &message) const {
        fail("shapecast.UnsupportedError", message);
    }
    // UnsupportedError where an operator would call a method that a class of records has of its
    // own: one of these of `v`, or what `op` stands for of a and c.
    void refuseOwn(const Val &v, llvm::ArrayRef<llvm::StringRef> methods) const;
    void refuseOwn(llvm::StringRef op, const Val &a, const Val &c) const;
    [[noreturn]] void conflict(const llvm::Twine &message) const; // unsupported, of two paths
    // A number that must be known here: parameters that it comes from become part of the caller's
    // key, and it compiles again ("shapecast.StaticArgumentError: 0, 2"). Anything else is
    // unsupported.
    [[noreturn]] void needConstant(const Val &v, const llvm::Twine &message) const;
    // The same, but returns where no parameter is behind it, nor can be (isEntry).
    void demandConstant(const Val &v) const { demandConstant(parametersBehind(v)); }
    void demandConstant(llvm::ArrayRef<unsigned> parameters) const;
    static llvm::SmallVector<unsigned> parametersBehind(const Val &v);

    //===-- Values
    Val typed(mlir::Value value); // binds a symbol when it is a Python int
    Val neverVal();
    Val noneVal();
    Val staticVal(llvm::StringRef kind, llvm::StringRef text);
    Val intVal(int64_t value);
    Val boolVal(bool value);
    Val floatVal(double value);
    // A Python object that a call of the function of this name makes, where it is needed: its
    // arguments are kept as they are now.
    Val objectVal(llvm::StringRef kind, llvm::StringRef callee, llvm::ArrayRef<Val> arguments);
    Val kept(const Val &v);        // nothing that is done to arrays later changes it
    Val settled(const Val &v);     // what is None on some paths, or one of several: where it is
                                   // known, that
    Val sizeVal(np::DimAttr expr); // a Python int with this value
    Val tupleVal(std::vector<Val> items, bool list = false);
    // What iterating over it gives, if its length is known here.
    std::optional<std::vector<Val>> itemsOf(const Val &iterable);
    // The items of a tuple, list, range or array of one axis, its length taken to be what it is in
    // this call; anything else is an item itself. `what` stands in the error: "a shape".
    std::vector<Val> itemsIn(const Val &sequence, llvm::StringRef what);
    static bool isSequence(const Val &v); // of these
    Val constant(mlir::Attribute attr, mlir::Type type);
    // A constant from a literal attribute: integer, float, bool, [re, im], #np.py, or an array
    // (tuple) of those.
    Val literal(mlir::Attribute attr);
    OperandType operandOf(const Val &v); // TypeError when it is not an array or scalar
    // One for messages: "int", "float64", "float64[s0, 3]", "tuple".
    std::string describe(const Val &v) const;
    std::string classNameOf(const Val &v) const; // type(v).__name__, as Python's messages have it
    // Python's TypeError where its function of that name does not take so many arguments, or these
    // names.
    void checkTakes(llvm::StringRef function, size_t count,
                    llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    // AttributeError where the class of v is known to have no such attribute.
    void checkHasAttribute(const Val &v, llvm::StringRef name);

    //===-- Symbols, facts, guards
    np::DimAttr freshSymbol(llvm::StringRef prefix); // not bound yet
    np::DimAttr bindSymbol(llvm::StringRef prefix, mlir::Value pyint);
    // Python or NumPy integer, or an array of one without axes; TypeError otherwise.
    np::DimAttr toDim(const Val &v, llvm::StringRef wording = "");
    np::DimAttr sliceDim(const Val &v); // the same for what stands in a slice
    // Proved; or true in the compiling call, about entry symbols only, not forbidden: then it
    // becomes a guard.
    bool assumeGreaterEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeNotEqual(np::DimAttr a, np::DimAttr b) override;
    // Its value in the compiling call, where entry symbols tell; nothing is assumed.
    std::optional<int64_t> seenValue(np::DimAttr e);
    // The size with what is known put in. Where it is derived from so many others that reasoning
    // about it would be dear, some of these become what they are in the compiling call (guards):
    // the least first, of those that make it simple (kernels rather than images).
    np::DimAttr simpleSize(np::DimAttr e);
    Val withSimpleSizes(Val v); // an array with such sizes
    // Sizes that are taken from the run time by a name where reasoning about what they are would
    // cost too much.
    Dims namedSizes(Dims dims);
    // Equal or not, where the result's rank depends on it: a guard even if it has often failed.
    // None where the call's sizes do not tell.
    std::optional<bool> decideEqual(np::DimAttr a, np::DimAttr b);
    void require(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args, llvm::StringRef error,
                 const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {}) override;
    // NumPy's ValueError for a new array of more bytes than 63 bits can tell, also where it needs
    // no memory here.
    void requireBytes(llvm::ArrayRef<np::DimAttr> dims, DType dtype);
    // -n <= i < n or IndexError; the index to use (not negative).
    np::DimAttr checkedIndex(np::DimAttr i, np::DimAttr n, int64_t axis);

    //===-- Element-wise
    mlir::Value read(const Val &v); // array -> value (rank 0: scalar); scalars as they are
    Val materialize(mlir::Value value,
                    np::Layout layout = np::Layout::C); // value -> handle; scalars as they are
    mlir::Value broadcastValue(mlir::Value value, llvm::ArrayRef<np::DimAttr> dims);
    // The device of all arrays among the operands; TypeError when they live on several.
    mlir::StringAttr commonDevice(llvm::ArrayRef<Val> operands) const;
    // Common dims of the operands (NumPy's broadcasting), guarding or requiring what is not proved.
    Dims broadcastDims(llvm::ArrayRef<Dims> shapes);
    Dims broadcastOperands(llvm::ArrayRef<Dims> shapes); // of a ufunc
    Val ufunc(llvm::StringRef name, llvm::ArrayRef<Val> operands,
              std::optional<DType> dtype = std::nullopt, Casting casting = Casting::SameKind);
    const Val *ufuncTarget = nullptr;      // the array that the next ufunc's result is stored to
    bool inPlace = false;                  // the operator stands before an `=`, which errors tell
    Val castTo(const Val &v, DType dtype); // astype: arrays give a fresh array
    mlir::Value castValue(mlir::Value value, DType dtype);      // of a value or scalar
    Val binary(llvm::StringRef op, const Val &a, const Val &b); // Python operator on any two values
    std::optional<std::pair<Val, Val>> sequenceAsArray(const Val &a, const Val &b);
    [[noreturn]] void failOfObjects(llvm::StringRef op, const Val &a, const Val &b);
    Val unary(llvm::StringRef op, const Val &a);
    Val compare(llvm::StringRef op, const Val &a, const Val &b);
    Val truth(const Val &v); // i1 or pybool typed, or constant
    Val pyop(llvm::StringRef op, llvm::ArrayRef<Val> operands, mlir::Type result,
             bool nowrap = false);
    Val firstElement(const Val &v);      // of an array that is not empty
    Val toPy(const Val &v, PyKind kind); // int(x), float(x), bool(x), complex(x)
    Val matmul(const Val &a, const Val &b);
    // typed_text.cpp, typed_sequences.cpp: operators on strings and tuples; none where no operand
    // is one.
    std::optional<Val> textBinary(llvm::StringRef op, const Val &a, const Val &b);
    std::optional<Val> textCompare(llvm::StringRef op, const Val &a, const Val &b);
    std::optional<Val> textItem(const Val &text, llvm::ArrayRef<Val> keys);
    // TypeError where a list, tuple, range or string does not take such a key.
    void checkPlace(const Val &sequence, llvm::ArrayRef<Val> keys);
    Val tupleItem(const Val &base, llvm::ArrayRef<Val> keys);
    Val rangeItem(const Val &range, llvm::ArrayRef<Val> keys);
    std::optional<Val> tupleBinary(llvm::StringRef op, const Val &a, const Val &b);
    Val differsFrom(const Val &array, bool differs);
    std::optional<Val> tupleCompare(llvm::StringRef op, const Val &a, const Val &b);
    Val contains(const Val &container, const Val &item); // item in container
    // TypeError, as Python words it, where iter() does not take it; `form` has {0} for its class.
    void checkIterable(const Val &v, llvm::StringRef form = "'{0}' object is not iterable") const;
    Val both(const Val &a, const Val &b);   // a and b, of Python bools
    Val either(const Val &a, const Val &b); // a or b
    void raiseIf(const Val &condition, llvm::StringRef exception, const llvm::Twine &message);
    void checkExponent(const Ufunc &ufunc, const Loop &loop, const Val &base, const Val &exponent);
    void checkDivisible(llvm::StringRef op, const Val &a, const Val &b);
    void checkComplexStore(const Val &value, DType dtype); // int(1j), float(1j) are TypeErrors
    std::optional<Val> elementOf(const Val &value, DType dtype); // none: it raises
    // A NumPy integer that is stored to an item or slice must fit where that has a sign, like
    // Python's.
    // The number as an item or slice takes it: floats for integers go through int().
    Val storedNumber(const Val &number, DType dtype);
    void checkWeakBounds(const Ufunc &ufunc, const Loop &loop, llvm::ArrayRef<Val> operands);
    // Pairs a, b: the Python int fits the dtype where every a >= b; those that are not proved.
    llvm::SmallVector<std::pair<np::DimAttr, np::DimAttr>> integerTraps(const Val &number,
                                                                        DType dtype);

    //===-- Blends (typed_blends.cpp)
    // Emits a branch; `arm` gives the value of each. Set by np-infer, which joins what they give.
    std::function<Val(const Val &condition, llvm::function_ref<Val(bool)> arm)> branch;
    // The parameters behind a blend's flag, where it is a bool: what computed it may be gone.
    llvm::StringMap<llvm::SmallVector<unsigned>> deciders;
    Val pythonSide(const Val &blend);  // what it is where the flag is set
    bool exactBlend(const Val &blend); // `value` is the Python number there, without loss
    // f of either side, or of each of several, chosen at run time; a conflict where it gives two
    // dtypes, which are not carried as one of both.
    Val apart(const Val &blend, llvm::function_ref<Val(const Val &)> f);
    Val apart(llvm::ArrayRef<Val> operands, size_t which,
              llvm::function_ref<Val(llvm::ArrayRef<Val>)> f);
    // f of the operands with the first blend, or what is one of several, taken apart; none where
    // there is none.
    std::optional<Val> eachSide(llvm::ArrayRef<Val> operands,
                                llvm::function_ref<Val(llvm::ArrayRef<Val>)> f);
    // Blends whose sides promote alike become their strong side; the result if one does not.
    std::optional<Val> ufuncOfBlends(const Ufunc &ufunc, llvm::SmallVectorImpl<Val> &operands,
                                     std::optional<DType> dtype);

    //===-- Lists and dicts (containers.cpp)
    std::vector<Cell> cells{Cell()}; // by Val::cell; the first is none
    bool anyChanged = false;
    bool mayGrow = true;    // lists of two lengths on two paths join, as one that has grown
    bool mayDiffer = false; // values of two kinds on two paths join, as one of both
    unsigned turnCells = 0; // from here on cells are of this turn of the loop
    llvm::DenseSet<unsigned>
        copiedCells; // serials of those that an item of a list that grows copies
    std::vector<std::shared_ptr<const Slot>> elements; // of lists that grow
    void own(Val &v);     // lists and dicts in it that were just made are in cells from here on
    void refresh(Val &v); // what they hold now
    Val contents(unsigned cell) const;
    void setContents(unsigned cell, const Val &v);
    Cell &change(const Val &container); // to be changed; UnsupportedError where it cannot be
    Val dictVal(llvm::ArrayRef<mlir::Attribute> keys, std::vector<Val> items);
    // From pairs of keys and values, of which later ones replace earlier ones.
    Val dictOf(llvm::ArrayRef<std::pair<Val, Val>> pairs);
    // UnsupportedError where it is not known; TypeError, of the key that `part` is of, where it
    // cannot be one.
    mlir::Attribute keyOf(const Val &part, const Val &key);
    mlir::Attribute keyOf(const Val &key) { return keyOf(key, key); }
    std::optional<size_t> findKey(const Val &dict, const Val &key);
    Val dictItem(const Val &dict, llvm::ArrayRef<Val> keys);
    void changeItem(const Val &container, llvm::ArrayRef<Val> keys, const Val &value);
    void changeField(const Val &record, llvm::StringRef name, const Val &value);
    void deleteItem(const Val &container, llvm::ArrayRef<Val> keys);

    //===-- Arrays
    Dims dimsOf(const Val &v); // array: its dims; scalar: none
    Val alloc(llvm::ArrayRef<np::DimAttr> dims, DType dtype, np::Layout layout = np::Layout::C);
    Val view(const Val &base, llvm::ArrayRef<np::DimAttr> offsets,
             llvm::ArrayRef<np::DimAttr> steps, llvm::ArrayRef<int64_t> axes,
             llvm::ArrayRef<np::DimAttr> dims, bool readonly = false);
    Val getItem(const Val &base, llvm::ArrayRef<Val> keys);
    // a.flat[...], typed_flat.cpp
    llvm::SmallVector<Val> flatPlace(const Val &a, const Val &index); // IndexError as a.flat's
    Val flatItem(const Val &a, llvm::ArrayRef<Val> keys);
    void setFlat(const Val &a, llvm::ArrayRef<Val> keys, const Val &value);
    bool indexesFlat = false; // the array stands for its a.flat: what errors say
    // A key that picks elements one by one: an index array, a list, a mask (typed_indexing.cpp).
    bool picksElements(const Val &base, llvm::ArrayRef<Val> keys);
    // Calls the run time's sc_<name> (np.native); what it returns: an int, where no type is given.
    Val native(llvm::StringRef name, llvm::ArrayRef<Val> written, llvm::ArrayRef<Val> read,
               llvm::StringRef error = "", const llvm::Twine &message = "", mlir::Type result = {});
    // Of the elements that are not zero: one array of indices per axis, all of one size.
    llvm::SmallVector<Val> nonzero(const Val &array);
    // The array as one that may be written; ValueError(message), and none, where it never is.
    std::optional<Val> writeableOf(const Val &target, llvm::StringRef message);
    void setItem(const Val &base, llvm::ArrayRef<Val> keys, const Val &value);
    void assign(const Val &target, const Val &value); // target[...] = value
    Val transpose(const Val &a, llvm::ArrayRef<int64_t> axes);
    Val reshape(const Val &a,
                llvm::ArrayRef<Val> shape); // -1 allowed once; a view where NumPy gives one
    Val ravel(const Val &a);
    Val inplace(llvm::StringRef op, const Val &target, const Val &value);
    // out= of a ufunc of that name: the result is cast and stored; gives `out`.
    Val storeOut(llvm::StringRef name, const Val &out, const Val &result,
                 Casting casting = Casting::SameKind);
    void checkInPlaceMatmul(const Val &target, const Val &value);
    void checkOutput(llvm::StringRef name, DType from, const Val &out, Casting casting);
    [[noreturn]] void failOutput(llvm::StringRef name, llvm::StringRef from, DType to,
                                 Casting casting);
    // A result of this shape can be stored to one of that; `all`: the shapes that its message
    // names.
    void checkOutputShape(llvm::ArrayRef<np::DimAttr> out, llvm::ArrayRef<np::DimAttr> result,
                          llvm::ArrayRef<Dims> all);
    // Axes of a reduction from axis=None, an int or a tuple; normalised, sorted, checked as NumPy
    // does: a number has none, but may be given 0 or -1.
    llvm::SmallVector<int64_t> axesOf(const Val &axis, int64_t rank);
    Val reduce(llvm::StringRef combine, mlir::Value value, llvm::ArrayRef<int64_t> axes,
               bool keepdims);
    Val reduceFew(llvm::StringRef combine, mlir::Value value, int64_t items, bool keepdims);
    bool hasShortRows(llvm::StringRef combine, mlir::RankedTensorType tensor,
                      llvm::ArrayRef<int64_t> axes, llvm::ArrayRef<int64_t> last);
    std::optional<int64_t> fewItems(np::DimAttr size);
    Dims shapeOf(const Val &shape); // an int or a tuple of ints; ValueError when negative
    DType dtypeOf(const Val &v);    // dtype object, type, or string

private:
    bool guardable(np::DimAttr e) const;
    bool addGuard(llvm::StringRef pred, np::DimAttr a, np::DimAttr b, bool needed = false);
    bool assumeAlike(np::DimAttr a, np::DimAttr b);
    bool assumeFails(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args);
    void know(SizeFact fact) override;
    std::vector<std::string> conflictNotes(llvm::StringRef kind,
                                           llvm::ArrayRef<np::DimAttr> args) const;
    Val pyArithmetic(llvm::StringRef op, const Val &a, const Val &b);
    np::DimAttr bothFlags(const Val &a, const Val &b);
    std::optional<Val> intArithmetic(llvm::StringRef op, const Val &a, const Val &b);
    void storeResult(llvm::StringRef name, const Val &target, const Val &result, Casting casting);
    std::optional<Val> withOtherOnes(const Val &a, llvm::ArrayRef<np::DimAttr> dims);
    Val reshaped(const Val &a, llvm::ArrayRef<np::DimAttr> dims);
    std::optional<Val> eachCase(llvm::ArrayRef<Val> keys,
                                llvm::function_ref<Val(llvm::ArrayRef<Val>)> index);
    void setFlatItem(const Val &a, const Val &index, const Val &value);
    Val cycled(const Val &values, np::DimAttr size);
    struct Window;
    struct Key;
    struct Picked;
    std::optional<llvm::SmallVector<Val>> plainKeys(llvm::ArrayRef<Val> keys);
    std::vector<Key> sortedKeys(llvm::ArrayRef<Val> keys);
    void masksToPlaces(std::vector<Key> &keys, llvm::ArrayRef<np::DimAttr> dims);
    void checkMask(const Val &mask, llvm::ArrayRef<np::DimAttr> dims, int64_t axis);
    Picked picked(const Val &base, llvm::ArrayRef<Val> keys);
    Val storedValue(const Picked &to, const Val &value, DType dtype);
    void checkPlaces(const Picked &picked, llvm::ArrayRef<mlir::Value> places);
    Val gather(const Val &base, llvm::ArrayRef<Val> keys);
    bool fillsMask(const Val &base, llvm::ArrayRef<Val> keys, const Val &value);
    void scatter(const Val &base, llvm::ArrayRef<Val> keys, const Val &value);
    Val numberItem(const Val &number, llvm::ArrayRef<Val> keys);
    Window window(const Val &base, llvm::ArrayRef<Val> keys);
    void storeItem(const Val &base, const Window &w, const Val &value);
    std::pair<np::DimAttr, np::DimAttr> slice(const Val &slice, np::DimAttr n, np::DimAttr step,
                                              bool up);

public:
    unsigned nextSymbol = 0;
    unsigned serials = 0; // of iterators and lists, made up to here
};

// NumPy's memory order of what is made of operands: ir/layout.h.
np::Layout resultLayout(llvm::ArrayRef<Val> operands);
Val withoutLast(Val oneOf);                          // where it is not the last
Val strongSide(Val blend);                           // what it is where the flag is not set
bool isNaturalBlend(mlir::Type strong, PyKind kind); // int and int64, float and float64 ...

//===-- NumPy functions by name: each entry stands in ops/functions_*.cpp

// Arguments bound to the parameters of a function's Python signature; absent ones are Unbound.
struct Arguments {
    llvm::StringMap<Val> byName;
    const Val *find(llvm::StringRef name) const; // null when absent
    const Val &operator[](llvm::StringRef name) const { return *find(name); }
};

struct Function {
    llvm::StringRef name; // "numpy.sum", "builtins.len", "math.*" are the full names
    llvm::StringRef
        parameters; // "a, axis=, dtype=, keepdims=": those with `=` may be absent; "*args" collects
    Val (*emit)(TypedBuilder &e, const Arguments &arguments);
    bool method = false; // also x.name(...) on arrays, with the first parameter the array
};

const Function *findFunction(llvm::StringRef name);
const Function *findMethod(
    llvm::StringRef name); // "sum" -> numpy.sum's entry, or a method-only one ("ndarray.astype")
Val callFunction(TypedBuilder &e, const Function &function, llvm::ArrayRef<Val> positional,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);
// `is` and `==` between what type() gives and a class; none for other values.
std::optional<bool> sameClass(const Val &a, const Val &b);
bool makesUnion(const Val &a, const Val &c); // `int | float`, `int | None`
// The characters of a string that is known.
std::optional<std::vector<Val>> charactersOf(TypedBuilder &e, const Val &text);
// text.name(...)
Val textMethod(TypedBuilder &e, const Val &text, llvm::StringRef name,
               llvm::ArrayRef<Val> arguments,
               llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);
// Python's ValueError of list.index(item) where the requirement does not hold.
void requireInList(TypedBuilder &e, llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args,
                   const Val &item);
Val tupleMethod(TypedBuilder &e, const Val &tuple, llvm::StringRef name,
                llvm::ArrayRef<Val> arguments);
// The methods that change a list; none for other names.
std::optional<Val> listMethod(TypedBuilder &e, const Val &list, llvm::StringRef name,
                              llvm::ArrayRef<Val> arguments);
// Of a named tuple or dataclass: "record:17", and the value of a field; "" and null for others.
std::string recordName(const Val &v);
std::string recordClassName(const Val &v); // "Point"
bool isOrdered(const Val &record);         // of a dataclass that compares as its fields do
llvm::SmallVector<std::string> recordClasses(const Val &v); // and those that its class derives from
const Val *recordField(const Val &v, llvm::StringRef name);
std::optional<Val> recordMethod(TypedBuilder &e, const Val &record, llvm::StringRef name,
                                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);
// What dict(...) takes: a dict, or pairs.
llvm::SmallVector<std::pair<Val, Val>> pairsOf(TypedBuilder &e, const Val &given);
Val dictMethod(TypedBuilder &e, const Val &dict, llvm::StringRef name,
               llvm::ArrayRef<Val> arguments,
               llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);
// The array itself with another shape, as `a.shape = ...` makes it; AttributeError where it would
// have to be copied.
Val reshapedInPlace(TypedBuilder &e, const Val &a, const Val &shape);
bool isIterator(const Val &v, llvm::StringRef kind);
// Attributes of classes and dtypes.
std::optional<Val> classAttribute(TypedBuilder &e, const Val &base, llvm::StringRef name);
// x.name
Val attribute(TypedBuilder &e, const Val &base, llvm::StringRef name);

} // namespace shapecast
