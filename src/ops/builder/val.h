// The abstract value of a Python expression, which np-infer computes with.
#pragma once

#include "ir/np.h"
#include "ops/ufunc/types.h"
#include <memory>
#include <optional>
#include <vector>

namespace shapecast {

struct Slot; // ops/builder/slot.h

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
// and iterates to a fixed point over loops (ops/builder/slot.h).
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
        Heap,     // a list, dict or set in memory (ops/builder/heap.h)
        Text,     // a string in memory (ops/builder/text.h): items: its handle
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
    unsigned cell = 0;       // list, dict, record: its identity, an index into TypedBuilder::cells
    mlir::LocationAttr made; // list, dict that the function made: where
    unsigned serial = 0; // Iterator: its identity; it can be consumed once. Tuple: what it shows of
                         // the dict whose cell it has (dict_views.h)
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
    bool isText() const { // a str: a constant, a thunk of one, or in memory
        return isStatic("str") || isObject("str") || kind == Kind::Text;
    }
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
    bool isWideInt() const { // and not one with 64 bits
        return isTyped() && llvm::isa<np::PyWideIntType>(type());
    }
    bool isPyInt() const { return isTyped() && llvm::isa<np::PyIntType>(type()); }
    bool isStatic(llvm::StringRef staticKind) const; // "none", "str", "dtype" ...
    bool isNone() const { return isStatic("none"); }
    llvm::StringRef staticText() const;
    // Of a member of an Enum: its classes, the name of the first, its own, and its value
    // (capture/enum_members.h).
    std::string memberWords(unsigned number) const;
    // Its type for messages: "int", "float64", "float64[s0, 3]", "tuple".
    std::string describe() const;
    std::string className() const; // type(v).__name__, as Python's messages have it
    // Of a record or named tuple, what #np.py says: "17;__add__", "Point", "x", "y"; none for
    // others.
    llvm::SmallVector<llvm::StringRef> recordWords() const;
    // Of an object of the user's with __call__, used as a function: "Model;__add__;__len__", its
    // class and the operators that it has besides object's, which are not compiled. Else empty.
    llvm::StringRef callableObject() const;
    std::optional<int64_t> constInt() const;         // Python int or bool constant
    std::optional<llvm::APInt> constWideInt() const; // that of either width, in 128 bits
    std::optional<bool> constBool() const;           // truth of a constant or static value
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
inline Val *ValList::begin() { return shared ? mutate().data() : nullptr; }
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

// Loops over a range or array of up to this trip count are fully unrolled.
constexpr int64_t maxUnrollTripCount = 64;

bool isContainer(const Val &v); // a list, dict or record
// d.keys(), d.values() or d.items(); the first and the last are sets to operators.
bool isDictView(const Val &v);
bool isKeysOrItems(const Val &v);
inline bool isPy(const Val &v) { return v.isTyped() && np::isPyScalar(v.type()); }
DType defaultDtype(PyKind kind);                    // that np.asarray gives a Python number
bool isNaturalPair(mlir::Type strong, PyKind kind); // int and int64, float and float64 ...
bool isIterator(const Val &v, llvm::StringRef kind);
Val strongSide(Val maybeWeak);       // the value where the flag is not set
Val withoutLastMember(Val unionVal); // the Union where it is not the last member

} // namespace shapecast
