// The abstract values of np-infer (Val), and the builder (TypedBuilder) that emits typed np ops and
// keeps the size facts, guards and hints. NumPy functions (ops/functions_*.cpp) and the abstract
// interpreter of the captured ops (passes/infer*.cpp) are written with them.
#pragma once

#include "ir/np.h"
#include "ops/ufunc/types.h"
#include "ops/ufunc/ufunc.h"
#include "shapes/conflict.h"
#include "shapes/scope.h"

#include "llvm/ADT/DenseSet.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace shapecast {

// An error of the user's program found at compile time. Thrown and caught inside inference only,
// never through MLIR's frames.
struct InferError {
    mlir::Location loc;
    std::string exception, message;
    std::vector<std::string> notes; // about the operands, as operandNotes makes them
    bool joinConflict = false;      // the values of two paths have no join in one variant
    bool inArm = false; // not supported in an arm of a branch: may be deferred to run time
    bool mutatedWhileIterating = false; // a list or dict, by the body of the loop over it
    np::ErrorSiteAttr site(mlir::Builder b) const; // as an entry of the module's `np.sites`
    mlir::LogicalResult report() const;            // as a diagnostic; always failure
};

// Thrown where a number must be a constant that depends on parameters of the entry. No error: the
// caller makes them static arguments and compiles again.
struct StaticArgumentRequest {
    llvm::SmallVector<int32_t> parameters;
};

struct Slot; // ops/builder/join.h

struct Val;

// A copy-on-write vector of values: a list of lists of arrays is copied thousands of times while a
// function is compiled.
class ValList {
    using Vector = std::vector<Val>;
    std::shared_ptr<Vector> shared; // null: empty

public:
    ValList() = default;
    explicit ValList(Vector values);
    ValList(std::initializer_list<Val> values);
    ValList &operator=(Vector values);
    ValList &operator=(std::initializer_list<Val> values);

    const Vector &read() const;
    Vector &mutate(); // unshares it
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

// The abstract value of a Python expression: a point of the lattice that np-infer joins over paths
// and iterates to a fixed point over loops (ops/builder/join.h).
struct Val {
    enum class Kind {
        Typed,  // an SSA value: array handle, strong (NumPy) or weak (Python) scalar, or object
        Static, // a compile-time constant: attr: None, str, dtype, ... (#np.py)
        Tuple,  // a tuple or list of known length: items; attr: of a named tuple, see RecordClass
        Dict,   // items: the values; attr: the keys, an array of constants
        Record, // a dataclass instance: items: the fields; attr: see RecordClass
        // A list (or tuple) whose length is known only at run time: items: the length, then one
        // array per component of the items; `element`: their common type
        // (ops/builder/dynamic_list.h).
        DynamicList,
        Function, // a closure: attr: symbol of a captured function; items: two tuples, see
                  // np.closure
        Slice,    // items: start, stop, step (None where absent)
        Range,    // items: start, stop, step (Python ints)
        Iterator, // attr: "zip", "map" (items: the function and its iterables), "enumerate" (items:
                  // the iterable and the start), "reversed" ...
        Object,   // a thunk: attr: #np.py of the class ("str", "exception") and the callee that
                  // makes the object at run time ("builtins.format"); items: its arguments
        Unbound,  // a local variable that is not assigned yet
        Optional, // items[0] where dim is 1 at run time, else attr (None), or unbound when attr is
                  // null
        Union,    // a tagged union: items[dim], of different kinds
        Never,    // the bottom element (typing.Never), of an arm that raised: joins with anything
    };
    Kind kind = Kind::Unbound;
    mlir::Value value;    // Typed
    mlir::Attribute attr; // as its kind says; Typed: the constant, when known
    // Typed Python int: its value as an expression. Optional, Union: the discriminant.
    np::DimAttr dim;
    ValList items;                 // as its kind says
    const Slot *element = nullptr; // DynamicList: how each item is carried
    bool list = false;             // Tuple, DynamicList: a list, not a tuple
    unsigned cell = 0;   // list, dict, record: its identity, an index into TypedBuilder::cells
    unsigned serial = 0; // Iterator: its identity; it can be consumed once. Tuple: 1 for what a
                         // dict's items() returns, pairs
    // Typed Python bool from an integer comparison: lhs >= rhs (or another, as named), a fact in
    // the arm that it guards. "all": those of `items` all hold; "not all": not all of them do.
    llvm::StringRef relation;
    np::DimAttr lhs, rhs;
    // Maybe weak: a Typed scalar whose weak/strong kind (NEP 50) differs at a join. Where weakFlag
    // is 1 it is a Python number of kind `weakKind`, and `value` is that number, cast. items[0] is
    // the number itself; absent where the cast is exact for every number (isNaturalPair).
    np::DimAttr weakFlag;
    PyKind weakKind = PyKind::Strong;

    bool isTyped() const { return kind == Kind::Typed; }
    bool isObject(llvm::StringRef objectKind) const; // Object of class "str" or "exception"
    bool isText() const { return isStatic("str") || isObject("str"); }
    bool isTuple() const { return kind == Kind::Tuple; }
    bool isDynamicList() const { return kind == Kind::DynamicList; }
    bool isUnion() const { return kind == Kind::Union; }
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
inline std::vector<Val> &ValList::mutate() {
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
inline Val *ValList::begin() { return empty() ? nullptr : mutate().data(); }
inline Val *ValList::end() { return begin() + size(); }
inline Val &ValList::operator[](size_t i) { return mutate()[i]; }
inline Val &ValList::front() { return mutate().front(); }
inline Val &ValList::back() { return mutate().back(); }
inline void ValList::push_back(Val v) { mutate().push_back(std::move(v)); }
inline void ValList::insert(const Val *before, Val v) {
    const auto at = before - std::as_const(*this).begin();
    mutate().insert(mutate().begin() + at, std::move(v));
}
inline void ValList::erase(const Val *at) {
    const auto index = at - std::as_const(*this).begin();
    mutate().erase(mutate().begin() + index);
}
template <class... Parts> Val &ValList::emplace_back(Parts &&...parts) {
    return mutate().emplace_back(std::forward<Parts>(parts)...);
}
inline void ValList::pop_back() { mutate().pop_back(); }
inline void ValList::resize(size_t size) { mutate().resize(size); }
inline void ValList::reserve(size_t size) { mutate().reserve(size); }
template <class First, class Last> void ValList::assign(First first, Last last) {
    *this = Vector(first, last); // a range that may alias its own items
}
inline void ValList::assign(std::initializer_list<Val> values) { *this = values; }

// An abstract heap cell: the state, at the current program point, of a list, dict or record that
// was allocated. Values that alias the object have the same Val::cell, so that each sees the
// mutations through the others.
struct Cell {
    ValList items;
    mlir::Attribute keys;          // of a dict; of a record its class; null for a list
    const Slot *element = nullptr; // of a DynamicList
    // Of an object of the caller's: as np.tuple's `argument` says, where its contents are stored
    // when the function returns (#np.callers_container<0>), or why it is immutable ("from
    // outside"). Null: the object was allocated here.
    mlir::Attribute target;
    unsigned changes = 0; // mutations so far
    unsigned serial = 0;  // unique, while the index of a cell is reused
};
constexpr unsigned unknownCell = ~0u; // one of several cells, or one of an earlier iteration

// Loops over a range or array of up to this trip count are fully unrolled.
constexpr int64_t maxUnrollTripCount = 64;

class TypedBuilder : public ShapeScope {
public:
    TypedBuilder(mlir::OpBuilder builder, mlir::MLIRContext *ctx)
        : ShapeScope(ctx), b(builder), loc(b.getUnknownLoc()) {}

    mlir::OpBuilder b;
    mlir::Location loc; // of the captured op being emitted
    // "{1}: float64[s0]" for each operand of the captured op: errors found now and `np.require`
    // carry them.
    std::function<std::vector<std::string>()> operandNotes;
    mlir::StringAttr device;        // of new arrays: that of the array arguments
    llvm::StringMap<int64_t> hints; // the values of the entry symbols in the compiling call
    // Calls the Python function of that name in the interpreter.
    std::function<Val(llvm::StringRef, llvm::ArrayRef<Val>)> callPython;
    bool syntheticHints = false;     // the hints are made up: nothing may be specialised on them
    bool isEntry = true;             // the parameters are the caller's arguments
    std::vector<SizeFact> sizeFacts; // from guards and requirements, with their lines
    llvm::SmallVector<np::GuardAttr> guards;    // what the entry assumes
    llvm::SmallVector<np::GuardAttr> forbidden; // must not be assumed: they kept failing
    // Locations where a run-time value contradicted an assumption of an earlier variant.
    std::vector<std::string> failedAssumptions;

    [[noreturn]] void fail(llvm::StringRef exception, const llvm::Twine &message) const override;
    [[noreturn]] void unsupported(const llvm::Twine &message) const {
        fail("shapecast.UnsupportedError", message);
    }
    // UnsupportedError where a record class of the user's overloads an operator: one of these
    // methods of `v`, or those of the binary operator `op` of a and c.
    void rejectOverloads(const Val &v, llvm::ArrayRef<llvm::StringRef> methods) const;
    void rejectOverloads(llvm::StringRef op, const Val &a, const Val &c) const;
    // UnsupportedError: the values of two paths have no join.
    [[noreturn]] void failJoin(const llvm::Twine &message) const;
    // A number that must be a constant here: the parameters that it is computed from become static
    // arguments (StaticArgumentRequest). Any other number is UnsupportedError.
    [[noreturn]] void needConstant(const Val &v, const llvm::Twine &message) const;
    // The same, but returns where it depends on no parameter, or cannot (isEntry).
    void requestStaticArgument(const Val &v) const { requestStaticArgument(sourceParameters(v)); }
    void requestStaticArgument(llvm::ArrayRef<unsigned> parameters) const;
    static llvm::SmallVector<unsigned> sourceParameters(const Val &v);

    //===-- Values
    Val typed(mlir::Value value); // binds a symbol when it is a Python int
    Val neverVal();
    Val noneVal();
    Val staticVal(llvm::StringRef kind, llvm::StringRef text);
    Val intVal(int64_t value);
    Val boolVal(bool value);
    Val floatVal(double value);
    // A thunk of a Python object: the function of this name is called where the object is needed,
    // with snapshots of the arguments.
    Val objectVal(llvm::StringRef kind, llvm::StringRef callee, llvm::ArrayRef<Val> arguments);
    Val snapshot(const Val &v); // with copies of its arrays: later stores do not change it
    // An Optional or Union narrowed (as type checkers do) by the facts about its discriminant.
    Val narrowed(const Val &v);
    Val sizeVal(np::DimAttr expr); // a Python int with this value
    Val tupleVal(std::vector<Val> items, bool list = false);
    // The items that iterating over it gives, if the length is known at compile time.
    std::optional<std::vector<Val>> itemsOf(const Val &iterable);
    // The items of a tuple, list, range or 1-d array, specialised on its length in the compiling
    // call; anything else is an item itself. `what` is for the error: "a shape".
    std::vector<Val> itemsIn(const Val &sequence, llvm::StringRef what);
    static bool isSequence(const Val &v); // one of these
    Val constant(mlir::Attribute attr, mlir::Type type);
    // A constant from a literal attribute: integer, float, bool, [re, im], #np.py, or an array
    // (tuple) of those.
    Val literal(mlir::Attribute attr);
    OperandType operandOf(const Val &v); // TypeError when it is not an array or scalar
    // Its type for messages: "int", "float64", "float64[s0, 3]", "tuple".
    std::string describe(const Val &v) const;
    std::string classNameOf(const Val &v) const; // type(v).__name__, as Python's messages have it
    // Python's TypeError where its function of that name does not take so many arguments, or these
    // keywords.
    void checkArity(llvm::StringRef function, size_t count,
                    llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    // AttributeError where the class of v is known to have no such attribute.
    void checkHasAttribute(const Val &v, llvm::StringRef name);

    //===-- Symbols, facts, guards
    np::DimAttr freshSymbol(llvm::StringRef prefix); // not bound yet to a value
    np::DimAttr bindSymbol(llvm::StringRef prefix, mlir::Value pyint);
    // Of a Python or NumPy integer or a 0-d array of them (__index__); TypeError otherwise.
    np::DimAttr toDim(const Val &v, llvm::StringRef wording = "");
    np::DimAttr sliceDim(const Val &v); // the same for the bounds and step of a slice
    // True where it is proved, or true in the compiling call, about entry symbols only and not
    // forbidden: then it becomes a guard.
    bool assumeGreaterEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeNotEqual(np::DimAttr a, np::DimAttr b) override;
    // Its value in the compiling call, where it depends on entry symbols only; adds no guard.
    std::optional<int64_t> sizeHint(np::DimAttr e);
    // The size in canonical form. Where it is so complex that reasoning about it would be slow, the
    // variant is specialised on the values of some of its symbols (guards): the smallest first, of
    // those that make it simple (kernels rather than images).
    np::DimAttr simpleSize(np::DimAttr e);
    Val withSimpleSizes(Val v); // an array with such sizes
    // Sizes that are still too complex are computed at run time and become opaque symbols.
    Dims namedSizes(Dims dims);
    // Whether they are equal, where the result's rank depends on it: a guard even if it is
    // forbidden. None where the hints do not decide it.
    std::optional<bool> decideEqual(np::DimAttr a, np::DimAttr b);
    void require(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args, llvm::StringRef error,
                 const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {}) override;
    // NumPy's ValueError for a new array of 2 ** 63 bytes or more, also where it is not allocated
    // here.
    void requireBytes(llvm::ArrayRef<np::DimAttr> dims, DType dtype);
    // -n <= i < n or IndexError; the wrapped (non-negative) index.
    np::DimAttr checkedIndex(np::DimAttr i, np::DimAttr n, int64_t axis);

    //===-- Element-wise
    mlir::Value read(const Val &v); // array -> SSA tensor (rank 0: scalar); scalars as they are
    Val materialize(mlir::Value value,
                    np::Layout layout = np::Layout::C); // tensor -> array handle
    mlir::Value broadcastValue(mlir::Value value, llvm::ArrayRef<np::DimAttr> dims);
    // The device of all arrays among the operands; TypeError when they live on several.
    mlir::StringAttr commonDevice(llvm::ArrayRef<Val> operands) const;
    // The broadcast shape of the operands; what is not proved is guarded or required.
    Dims broadcastDims(llvm::ArrayRef<Dims> shapes);
    Dims broadcastOperands(llvm::ArrayRef<Dims> shapes); // of a ufunc
    Val ufunc(llvm::StringRef name, llvm::ArrayRef<Val> operands,
              std::optional<DType> dtype = std::nullopt, Casting casting = Casting::SameKind);
    const Val *ufuncTarget = nullptr;      // out= of the next ufunc
    bool inPlace = false;                  // an augmented assignment (`+=`): for its errors
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
    Val firstElement(const Val &v);      // of a non-empty array
    Val toPy(const Val &v, PyKind kind); // int(x), float(x), bool(x), complex(x)
    Val matmul(const Val &a, const Val &b);
    // typed_text.cpp, typed_sequences.cpp: operators on strings and tuples; none where no operand
    // is one.
    std::optional<Val> textBinary(llvm::StringRef op, const Val &a, const Val &b);
    std::optional<Val> textCompare(llvm::StringRef op, const Val &a, const Val &b);
    std::optional<Val> textItem(const Val &text, llvm::ArrayRef<Val> keys);
    // TypeError where the key is no index of a list, tuple, range or string.
    void checkSequenceIndex(const Val &sequence, llvm::ArrayRef<Val> keys);
    Val tupleItem(const Val &base, llvm::ArrayRef<Val> keys);
    Val rangeItem(const Val &range, llvm::ArrayRef<Val> keys);
    std::optional<Val> tupleBinary(llvm::StringRef op, const Val &a, const Val &b);
    // array == x or array != x (`differs`) for an x that equals no number: None, a dict, text.
    Val differsFrom(const Val &array, bool differs);
    std::optional<Val> tupleCompare(llvm::StringRef op, const Val &a, const Val &b);
    Val contains(const Val &container, const Val &item); // item in container
    // Python's TypeError where it is not iterable; `form` has {0} for its class.
    void checkIterable(const Val &v, llvm::StringRef form = "'{0}' object is not iterable") const;
    Val logicalAnd(const Val &a, const Val &b); // a and b, of Python bools
    Val logicalOr(const Val &a, const Val &b);  // a or b
    void raiseIf(const Val &condition, llvm::StringRef exception, const llvm::Twine &message);
    void checkExponent(const Ufunc &ufunc, const Loop &loop, const Val &base, const Val &exponent);
    void checkDivisible(llvm::StringRef op, const Val &a, const Val &b);
    void checkComplexStore(const Val &value, DType dtype); // int(1j), float(1j) are TypeErrors
    std::optional<Val> elementOf(const Val &value, DType dtype); // none: it raises
    // The number to store to an element or slice: a float goes through int() if the dtype is an
    // integer; a NumPy integer, like a Python one, must fit in a signed dtype.
    Val storedNumber(const Val &number, DType dtype);
    void checkWeakBounds(const Ufunc &ufunc, const Loop &loop, llvm::ArrayRef<Val> operands);
    // Pairs (a, b) that are not proved: the Python int fits the dtype where every a >= b.
    llvm::SmallVector<std::pair<np::DimAttr, np::DimAttr>> unprovenBounds(const Val &number,
                                                                          DType dtype);

    //===-- Maybe-weak scalars and unions (typed_maybe_weak.cpp)
    // Emits a branch; `arm` makes the value of each arm. Set by np-infer, which joins the values.
    std::function<Val(const Val &condition, llvm::function_ref<Val(bool)> arm)> branch;
    // The parameters that a weakFlag symbol depends on, where the condition is a Python bool: the
    // op that computed it may be erased.
    llvm::StringMap<llvm::SmallVector<unsigned>> flagParameters;
    Val weakSide(const Val &maybeWeak);         // the Python number, where the flag is set
    bool isExactAsPython(const Val &maybeWeak); // `value` is exactly that number
    // Union splitting: branches on the flag or the discriminant, and joins f of each side or
    // member. A join conflict where they have two dtypes.
    Val unionSplit(const Val &maybeWeak, llvm::function_ref<Val(const Val &)> f);
    Val unionSplit(llvm::ArrayRef<Val> operands, size_t which,
                   llvm::function_ref<Val(llvm::ArrayRef<Val>)> f);
    // Union splitting on the first operand that is maybe weak or a Union; none where none is.
    std::optional<Val> unionSplitFirst(llvm::ArrayRef<Val> operands,
                                       llvm::function_ref<Val(llvm::ArrayRef<Val>)> f);
    // Maybe-weak operands whose sides promote alike become their strong side; splits on the first
    // whose sides do not, and gives the result.
    std::optional<Val> ufuncOfMaybeWeak(const Ufunc &ufunc, llvm::SmallVectorImpl<Val> &operands,
                                        std::optional<DType> dtype);

    //===-- Mutable objects: lists, dicts, records (containers.cpp)
    std::vector<Cell> cells{Cell()}; // by Val::cell; the first is unused
    bool anyCellMutated = false;
    bool mayMakeDynamicLists = true; // lists of two lengths join as a DynamicList
    bool mayMakeUnions = false;      // values of two kinds join as a Union
    unsigned iterationCells = 0;     // cells from here on were allocated in this iteration
    // Serials of cells that were copied, into an item of a DynamicList or at a join: they must not
    // be mutated any more.
    llvm::DenseSet<unsigned> copiedCells;
    std::vector<std::shared_ptr<const Slot>> elementSlots; // of DynamicLists, see internSlot
    void allocateCells(Val &v); // for the lists, dicts and records in it that have none yet
    void reloadCells(Val &v);   // updates it to the current state of its cells
    Val loadCell(unsigned cell) const;
    void storeCell(unsigned cell, const Val &v);
    Cell &mutableCell(const Val &container); // UnsupportedError where it must not be mutated
    Val dictVal(llvm::ArrayRef<mlir::Attribute> keys, std::vector<Val> items);
    // From pairs of keys and values; of equal keys, the last wins.
    Val dictOf(llvm::ArrayRef<std::pair<Val, Val>> pairs);
    // The constant of a key, or of a part of one. UnsupportedError where it is not constant;
    // TypeError, naming `key`, where it is not hashable.
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
    llvm::SmallVector<Val> flatIndices(const Val &a, const Val &index); // np.unravel_index
    Val flatItem(const Val &a, llvm::ArrayRef<Val> keys);
    void setFlat(const Val &a, llvm::ArrayRef<Val> keys, const Val &value);
    bool indexesFlat = false; // the array being indexed is an a.flat: for the errors
    // Whether it is advanced indexing: by an index array, a list, a mask (typed_indexing.cpp).
    bool usesAdvancedIndexing(const Val &base, llvm::ArrayRef<Val> keys);
    // Calls the runtime function sc_<name> (np.native), which writes to the arrays `written`. Its
    // result is a Python int, where no type is given.
    Val native(llvm::StringRef name, llvm::ArrayRef<Val> written, llvm::ArrayRef<Val> read,
               llvm::StringRef error = "", const llvm::Twine &message = "", mlir::Type result = {});
    // np.nonzero: one array of indices per axis, all of one size.
    llvm::SmallVector<Val> nonzero(const Val &array);
    // The array with a writeable type, checked at run time if need be; none, after a
    // ValueError(message), where it is never writeable.
    std::optional<Val> writeableOf(const Val &target, llvm::StringRef message);
    void setItem(const Val &base, llvm::ArrayRef<Val> keys, const Val &value);
    void assign(const Val &target, const Val &value); // target[...] = value
    Val transpose(const Val &a, llvm::ArrayRef<int64_t> axes);
    Val reshape(const Val &a,
                llvm::ArrayRef<Val> shape); // -1 allowed once; a view where NumPy gives one
    Val ravel(const Val &a);
    Val inplace(llvm::StringRef op, const Val &target, const Val &value);
    // out= of the ufunc of that name: casts and stores the result; returns `out`.
    Val storeOut(llvm::StringRef name, const Val &out, const Val &result,
                 Casting casting = Casting::SameKind);
    void checkInPlaceMatmul(const Val &target, const Val &value);
    void checkOutput(llvm::StringRef name, DType from, const Val &out, Casting casting);
    [[noreturn]] void failOutput(llvm::StringRef name, llvm::StringRef from, DType to,
                                 Casting casting);
    // Requires that a result of shape `result` can be stored to shape `out`; `all`: the shapes for
    // the message.
    void checkOutputShape(llvm::ArrayRef<np::DimAttr> out, llvm::ArrayRef<np::DimAttr> result,
                          llvm::ArrayRef<Dims> all);
    // The axes of a reduction from axis=None, an int or a tuple; normalised, sorted and checked. As
    // in NumPy, a scalar has none, but takes 0 and -1.
    llvm::SmallVector<int64_t> axesOf(const Val &axis, int64_t rank);
    Val reduce(llvm::StringRef combine, mlir::Value value, llvm::ArrayRef<int64_t> axes,
               bool keepdims);
    // Over the last axis of that many items, fully unrolled.
    Val reduceShortAxis(llvm::StringRef combine, mlir::Value value, int64_t items, bool keepdims);
    bool hasShortRows(llvm::StringRef combine, mlir::RankedTensorType tensor,
                      llvm::ArrayRef<int64_t> axes, llvm::ArrayRef<int64_t> last);
    std::optional<int64_t> shortAxisSize(np::DimAttr size); // 2 to 4, known or assumed
    Dims shapeOf(const Val &shape); // an int or a tuple of ints; ValueError when negative
    DType dtypeOf(const Val &v);    // dtype object, type, or string

private:
    bool guardable(np::DimAttr e) const; // of entry symbols only
    bool addGuard(llvm::StringRef pred, np::DimAttr a, np::DimAttr b, bool needed = false);
    bool assumeEqualUpToRenaming(np::DimAttr a, np::DimAttr b);
    bool assumeFails(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args);
    void addFact(SizeFact fact) override;
    std::vector<std::string> conflictNotes(llvm::StringRef kind,
                                           llvm::ArrayRef<np::DimAttr> args) const;
    Val pyArithmetic(llvm::StringRef op, const Val &a, const Val &b);
    np::DimAttr jointWeakFlag(const Val &a, const Val &b);
    std::optional<Val> intArithmetic(llvm::StringRef op, const Val &a, const Val &b);
    void storeResult(llvm::StringRef name, const Val &target, const Val &result, Casting casting);
    std::optional<Val> reshapeUnitAxes(const Val &a, llvm::ArrayRef<np::DimAttr> dims);
    Val reshaped(const Val &a, llvm::ArrayRef<np::DimAttr> dims);
    std::optional<Val> splitOnKeys(llvm::ArrayRef<Val> keys,
                                   llvm::function_ref<Val(llvm::ArrayRef<Val>)> index);
    void setFlatItem(const Val &a, const Val &index, const Val &value);
    Val cycled(const Val &values, np::DimAttr size);
    struct BasicIndex;
    struct Key;
    struct AdvancedIndex;
    std::optional<llvm::SmallVector<Val>> plainKeys(llvm::ArrayRef<Val> keys);
    std::vector<Key> sortedKeys(llvm::ArrayRef<Val> keys);
    void masksToIndices(std::vector<Key> &keys, llvm::ArrayRef<np::DimAttr> dims);
    void checkMask(const Val &mask, llvm::ArrayRef<np::DimAttr> dims, int64_t axis);
    AdvancedIndex advancedIndex(const Val &base, llvm::ArrayRef<Val> keys);
    Val storedValue(const AdvancedIndex &to, const Val &value, DType dtype);
    void checkIndices(const AdvancedIndex &index, llvm::ArrayRef<mlir::Value> indices);
    Val gather(const Val &base, llvm::ArrayRef<Val> keys);
    bool tryMaskedFill(const Val &base, llvm::ArrayRef<Val> keys, const Val &value);
    void scatter(const Val &base, llvm::ArrayRef<Val> keys, const Val &value);
    Val scalarItem(const Val &number, llvm::ArrayRef<Val> keys);
    BasicIndex basicIndex(const Val &base, llvm::ArrayRef<Val> keys);
    void storeItem(const Val &base, const BasicIndex &to, const Val &value);
    std::pair<np::DimAttr, np::DimAttr> slice(const Val &slice, np::DimAttr n, np::DimAttr step,
                                              bool up);

public:
    unsigned nextSymbol = 0; // number of the next fresh symbol
    unsigned lastSerial = 0; // of an iterator or cell
};

// NumPy's memory layout (order='K') for the result of these operands: ir/layout.h.
np::Layout resultLayout(llvm::ArrayRef<Val> operands);
Val withoutLastMember(Val unionVal);                // the Union where it is not the last member
Val strongSide(Val maybeWeak);                      // the value where the flag is not set
bool isNaturalPair(mlir::Type strong, PyKind kind); // int and int64, float and float64 ...

//===-- NumPy functions by name: their table entries are in ops/functions_*.cpp

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
// `is` and `==` between classes, also those that type() returns; none for other values.
std::optional<bool> sameClass(const Val &a, const Val &b);
bool makesUnion(const Val &a, const Val &c); // `int | float`, `int | None`
// The characters of a compile-time string.
std::optional<std::vector<Val>> charactersOf(TypedBuilder &e, const Val &text);
// text.name(...)
Val textMethod(TypedBuilder &e, const Val &text, llvm::StringRef name,
               llvm::ArrayRef<Val> arguments,
               llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);
// np.require with the ValueError of list.index(item).
void requireInList(TypedBuilder &e, llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args,
                   const Val &item);
Val tupleMethod(TypedBuilder &e, const Val &tuple, llvm::StringRef name,
                llvm::ArrayRef<Val> arguments);
// The methods that mutate a list; none for other names.
std::optional<Val> listMethod(TypedBuilder &e, const Val &list, llvm::StringRef name,
                              llvm::ArrayRef<Val> arguments);
// Of a named tuple or dataclass: "record:17", and the value of a field; "" and null for others.
std::string recordName(const Val &v);
std::string recordClassName(const Val &v);                  // "Point"
bool isOrdered(const Val &record);                          // of a dataclass with order=True
llvm::SmallVector<std::string> recordClasses(const Val &v); // its class and that one's bases
const Val *recordField(const Val &v, llvm::StringRef name);
std::optional<Val> recordMethod(TypedBuilder &e, const Val &record, llvm::StringRef name,
                                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);
// The keys and values of an argument of dict(...): a dict, or an iterable of pairs.
llvm::SmallVector<std::pair<Val, Val>> pairsOf(TypedBuilder &e, const Val &source);
Val dictMethod(TypedBuilder &e, const Val &dict, llvm::StringRef name,
               llvm::ArrayRef<Val> arguments,
               llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);
// `a.shape = shape`: the array with that shape; AttributeError where it would have to be copied.
Val reshapedInPlace(TypedBuilder &e, const Val &a, const Val &shape);
bool isIterator(const Val &v, llvm::StringRef kind);
// Attributes of classes and dtypes.
std::optional<Val> classAttribute(TypedBuilder &e, const Val &base, llvm::StringRef name);
// x.name
Val attribute(TypedBuilder &e, const Val &base, llvm::StringRef name);

} // namespace shapecast
