// Python's builtins on numbers and arrays, and math.* on scalars.
#include "facts/host_info.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_entries.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/items.h"
#include "ops/builder/memory.h"
#include "ops/builder/object_keys.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/sequences.h"
#include "ops/builder/text.h"
#include "ops/tables.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val len(TypedBuilder &e, const Arguments &in) {
    const Val &v = isDictView(in["obj"]) ? in["obj"].items[0] : in["obj"];
    rejectOverloads(e, v, {"__len__"});
    if (v.isTuple() || v.isDict())
        return e.intVal(v.items.size());
    if (isHeap(v) && !isHeapObject(v))
        return heapLength(e, v);
    if (v.isDynamicList())
        return v.items[0];
    if (v.isArray() && v.array().getRank() > 0)
        return e.sizeVal(dimsOf(v)[0]);
    if (std::optional<std::vector<Val>> characters = charactersOf(e, v))
        return e.intVal(characters->size());
    if (v.isText())
        return textLength(e, v);
    if (v.kind == Val::Kind::Range)
        return e.sizeVal(rangeSize(e, v));
    if (v.isArray())
        e.fail("TypeError", "len() of unsized object");
    if (isIterator(v, "flat"))
        return e.sizeVal(dimProduct(e.ctx, dimsOf(v.items[0])));
    e.fail("TypeError", "object of type '" + v.className() + "' has no len()");
}

static Val range(TypedBuilder &e, const Arguments &in) {
    const std::vector<Val> &given = in["args"].items;
    if (given.empty() || given.size() > 3)
        e.fail("TypeError", "range expected 1 to 3 arguments, got " + Twine(given.size()));
    Val v;
    v.kind = Val::Kind::Range;
    v.items = given.size() == 1 ? std::vector<Val>{e.intVal(0), given[0]} : given;
    if (v.items.size() == 2)
        v.items.push_back(e.intVal(1));
    for (Val &item : v.items)
        item = e.sizeVal(e.facts.canonical(toDim(e, item)));
    DimAttr step = v.items[2].dim;
    if (!e.assumeNotEqual(step, e.dimConst(0)))
        e.require("ne", {step, e.dimConst(0)}, "ValueError", "range() arg 3 must not be zero");
    return v;
}

// shapecast.prange: the program promises independent iterations (passes/loops/parallel.h).
static Val parallelRange(TypedBuilder &e, const Arguments &in) {
    Val v = range(e, in);
    v.attr = e.b.getStringAttr("prange");
    return v;
}

static Val absolute(TypedBuilder &e, const Arguments &in) { return unary(e, "abs", in["x"]); }

// Whether a < c, where that is known for bools and constants: the selected operand determines the
// type.
static std::optional<bool> knownLess(TypedBuilder &e, const Val &a, const Val &c) {
    auto range = [&](const Val &v) -> std::optional<std::pair<int64_t, int64_t>> {
        if (std::optional<int64_t> known = v.constInt())
            return std::pair(*known, *known);
        if (isBool(e.operandOf(strongSide(v)).dtype) && (!v.weakFlag || v.weakKind == PyKind::Bool))
            return std::pair(int64_t(0), int64_t(1));
        return std::nullopt;
    };
    auto left = range(a), right = range(c);
    if (!left || !right || (left->first < right->second && left->second >= right->first))
        return std::nullopt;
    return left->second < right->first;
}

// min(a, b, ...): Python keeps the first of equals and compares with <.
static Val extreme(TypedBuilder &e, const Arguments &in, StringRef name, StringRef op) {
    std::vector<Val> items = in["args"].items;
    if (items.empty())
        e.fail("TypeError", name + " expected at least 1 argument, got 0");
    if (items.size() == 1) {
        checkIterable(e, items[0]);
        if (items[0].isTuple())
            items = items[0].items;
    }
    if (items.size() < 2) {
        if (in["args"].items[0].isTuple() && items.empty())
            e.fail("ValueError", hostInfo().messageOf("{0}() arg is an empty sequence", {name}));
        if (items.size() == 1 && in["args"].items[0].isTuple())
            return items[0];
        e.unsupported(name + "() of an array is not compiled; use np." + name + "(...)");
    }
    Val best = items[0];
    for (const Val &next : llvm::ArrayRef(items).drop_front()) {
        if (isContainer(next) || isContainer(best)) { // the result is one of them, not a copy
            wishHeap(e, next);
            wishHeap(e, best);
            e.unsupported(name + "() of lists is not supported here");
        }
        if (!next.isScalar() || !best.isScalar()) {
            best = e.branch(truth(e, compare(e, op, next, best)),
                            [&](bool holds) { return holds ? next : best; });
            continue;
        }
        OperandType a = *operandType(best.type()), c = *operandType(next.type());
        const bool maybeWeak = best.weakFlag || next.weakFlag;
        if (!maybeWeak && best.isPyInt() && next.isPyInt()) {
            best = e.sizeVal(e.facts.canonical(name == "min" ? dimMin(best.dim, next.dim)
                                                             : dimMax(best.dim, next.dim)));
        } else if (!maybeWeak && a == c && a.weak == PyKind::Float) {
            best = pyop(e, name, {best, next}, PyFloatType::get(e.ctx));
        } else if (std::optional<bool> known =
                       op == "lt" ? knownLess(e, next, best) : knownLess(e, best, next)) {
            best = *known ? next : best;
        } else {
            Val takesNext = compare(e, op, next, best);
            best = !maybeWeak && a == c && a.weak == PyKind::Strong
                       ? ufunc(e, "where", {takesNext, next, best})
                       : e.branch(truth(e, takesNext), [&](bool holds) {
                             return holds ? next : best; // with the selected one's type
                         });
        }
    }
    return best;
}

static Val minimum(TypedBuilder &e, const Arguments &in) { return extreme(e, in, "min", "lt"); }
static Val maximum(TypedBuilder &e, const Arguments &in) { return extreme(e, in, "max", "gt"); }

// float("inf"), int("12"): only common spellings are parsed here.
static Val parsed(TypedBuilder &e, StringRef text, bool whole) {
    StringRef word = text.trim();
    int64_t integer = 0;
    double value = 0;
    if (whole && !word.getAsInteger(10, integer))
        return e.intVal(integer);
    StringRef digits = word;
    const bool negative = digits.consume_front("-");
    if (!whole && (digits.equals_insensitive("inf") || digits.equals_insensitive("infinity")))
        return e.floatVal(negative ? -HUGE_VAL : HUGE_VAL);
    if (!whole && digits.equals_insensitive("nan"))
        return e.floatVal(std::numeric_limits<double>::quiet_NaN());
    if (!whole && word.find_first_not_of("0123456789+-.eE") == StringRef::npos &&
        !word.getAsDouble(value))
        return e.floatVal(value);
    e.unsupported("a number from the string '" + text + "' is not supported; write the number");
}

template <PyKind kind> static Val number(TypedBuilder &e, const Arguments &in) {
    const Val *x = in.find("x");
    if (!x)
        return kind == PyKind::Float  ? e.floatVal(0)
               : kind == PyKind::Bool ? e.boolVal(false)
                                      : e.intVal(0);
    if (x->isStatic("str") && kind != PyKind::Bool)
        return parsed(e, x->staticText(), kind == PyKind::Int);
    if (x->isText() && kind != PyKind::Bool)
        e.unsupported("a number from a string made at run time is not supported");
    if (kind == PyKind::Int)
        return integerOf(e, *x);
    return kind == PyKind::Bool ? toPy(e, truth(e, *x), kind) : toPy(e, *x, kind);
}

// int("ff", 16), constants only.
static Val ofBase(TypedBuilder &e, const Val &x, const Val &base) {
    if (!x.isText())
        e.fail("TypeError", "int() can't convert non-string with explicit base");
    const std::optional<int64_t> radix = base.constInt();
    if (radix && *radix != 0 && (*radix < 2 || *radix > 36))
        e.fail("ValueError", "int() base must be >= 2 and <= 36, or 0");
    StringRef digits = x.isStatic("str") ? x.staticText().trim() : "";
    const bool negative = digits.consume_front("-");
    if (!negative)
        digits.consume_front("+");
    for (auto [prefix, ofPrefix] : {std::pair("0x", 16), std::pair("0o", 8), std::pair("0b", 2)})
        if (radix == ofPrefix && digits.consume_front_insensitive(prefix))
            break;
    uint64_t value = 0;
    if (!radix || *radix == 0 || digits.getAsInteger(unsigned(*radix), value) || value > INT64_MAX)
        e.unsupported("a number from such a string is not supported; write the number");
    return e.intVal(negative ? -int64_t(value) : int64_t(value));
}

static Val wholeNumber(TypedBuilder &e, const Arguments &in) {
    const Val *x = in.find("x"), *base = in.find("base");
    return x && base ? ofBase(e, *x, *base) : number<PyKind::Int>(e, in);
}

template <bool list> static Val sequence(TypedBuilder &e, const Arguments &in) {
    const Val *x = in.find("x");
    if (x)
        checkIterable(e, *x);
    if (x && x->isDynamicList())
        return dynamicListCopy(e, *x, list);
    if (x && isHeap(*x))
        checkHasOrder(e, *x);
    std::optional<std::vector<Val>> items = x ? itemsOf(e, *x) : std::vector<Val>();
    const std::string why = (list ? "list() of " : "tuple() of ") + (x ? x->describe() : "") +
                            ", whose length is known only at run time, is not supported";
    if (!items && !list)
        requestTuplesInMemory(e, why);
    if (!items)
        e.unsupported(why);
    return e.tupleVal(std::move(*items), list);
}

static Val slice(TypedBuilder &e, const Arguments &in) {
    const std::vector<Val> &given = in["args"].items;
    if (given.empty() || given.size() > 3)
        e.fail("TypeError", "slice expected at " + Twine(given.empty() ? "least 1" : "most 3") +
                                " argument" + (given.empty() ? "" : "s") + ", got " +
                                Twine(given.size()));
    Val v;
    v.kind = Val::Kind::Slice;
    v.items = {e.noneVal(), e.noneVal(), e.noneVal()};
    for (size_t i = 0; i < given.size(); ++i)
        v.items[given.size() == 1 ? 1 : i] = given[i];
    return v;
}

static Val zip(TypedBuilder &e, const Arguments &in) {
    if (const Val *strict = in.find("strict"); strict && !strict->constBool())
        e.unsupported("zip(..., strict=) with a flag known only at run time is not supported; "
                      "write True or False");
    return iterator(e, "zip", in["args"].items);
}
static Val map(TypedBuilder &e, const Arguments &in) {
    if (in["args"].items.size() < 2)
        e.fail("TypeError", "map() must have at least two arguments.");
    return iterator(e, "map", in["args"].items);
}
static Val iter(TypedBuilder &e, const Arguments &in) {
    const Val &object = in["object"];
    const bool isIterator = object.kind == Val::Kind::Iterator && !isDictView(object);
    return isIterator ? object : iterator(e, "iter", {object});
}
static Val product(TypedBuilder &e, const Arguments &in) {
    return iterator(e, "product", in["pools"].items);
}
static Val enumerate(TypedBuilder &e, const Arguments &in) {
    const Val *start = in.find("start");
    Val v = iterator(e, "enumerate", {in["iterable"]});
    v.items.push_back(start ? e.sizeVal(toDim(e, *start)) : e.intVal(0));
    return v;
}
static Val reversed(TypedBuilder &e, const Arguments &in) {
    if (in["sequence"].isArray() && in["sequence"].array().getRank() == 0)
        e.fail("TypeError", "len() of unsized object");
    if (in["sequence"].kind == Val::Kind::Iterator && !isDictView(in["sequence"]))
        e.fail("TypeError", "'" + in["sequence"].className() + "' object is not reversible");
    return iterator(e, "reversed", {in["sequence"]});
}

//===-- hash(), and look-ups of instances whose classes define __eq__

static Val wholeNumber(TypedBuilder &e, StringRef name, ArrayRef<Val> written, ArrayRef<Val> read) {
    return toPy(e, native(e, name, written, read, "", "", scalarType(e.ctx, DType::I64)),
                PyKind::Int);
}

Val shapecast::tupleHash(TypedBuilder &e, ArrayRef<Val> hashes) {
    SmallVector<Val> operands{e.intVal(int64_t(hashes.size()))};
    llvm::append_range(operands, hashes);
    return wholeNumber(e, "hash_tuple", {}, operands);
}

static Val hashOf(TypedBuilder &e, const Val &v) {
    constexpr int64_t ofNone = 0xfca86420; // from Python 3.12 on; before, of an address
    if (v.isNone())
        return e.intVal(ofNone);
    if (v.isText())
        return textFunction(e, "hash", {v});
    if (v.isTuple() && !v.list)
        return tupleHash(e, llvm::map_to_vector(v.items.read(),
                                                [&](const Val &item) { return hashOf(e, item); }));
    if (!v.recordWords().empty() && !isValueRecord(v)) { // by identity
        objectAsKey(e, v);
        return wholeNumber(e, "hash_object", {}, v.items[0]);
    }
    if (v.isArray() || isContainer(v) || (isHeap(v) && !isHeapObject(v)))
        e.fail("TypeError", "unhashable type: '" + v.className() + "'");
    if (v.isWideInt()) {
        constexpr int64_t prime = (int64_t(1) << 61) - 1;      // sys.hash_info.modulus
        const Val rest = binary(e, "mod", v, e.intVal(prime)); // that of a magnitude is wanted
        const Val isNegative =
            logicalAnd(e, compare(e, "lt", v, e.intVal(0)), compare(e, "ne", rest, e.intVal(0)));
        return e.branch(truth(e, isNegative), [&](bool holds) {
            return holds ? wholeNumber(e, "hash_int", {}, binary(e, "sub", rest, e.intVal(prime)))
                         : rest;
        });
    }
    if (!v.isScalar() || v.weakFlag || isComplex(operandType(v.type())->dtype) ||
        operandType(v.type())->dtype == DType::U64)
        e.unsupported("hash() of " + v.describe() +
                      " is not supported; use one of what it is made of");
    if (isFloat(operandType(v.type())->dtype))
        return wholeNumber(e, "hash_float", {}, toPy(e, v, PyKind::Float));
    return wholeNumber(e, "hash_int", {}, toPy(e, v, PyKind::Int));
}

static Val hashOfObject(TypedBuilder &e, const Arguments &in) { return hashOf(e, in["obj"]); }

//===-- Primitives of the library (python/shapecast/library/object_keys.py)

static Val setHash(TypedBuilder &e, const Arguments &in) {
    wholeNumber(e, "container_set_hash", in["key"].items[0], in["hash"]);
    return e.noneVal();
}

static Val nextEqual(TypedBuilder &e, const Arguments &in) {
    const std::optional<WantedKey> wanted = wordsOfWanted(e, in["container"], in["key"]);
    if (!wanted)
        return e.intVal(-1);
    SmallVector<Val> operands{in["container"].items[0], in["after"]};
    llvm::append_range(operands, wanted->words);
    return wholeNumber(e, "container_next_equal", {}, operands);
}

static Val checkHashable(TypedBuilder &e, const Arguments &in) {
    if (isUnhashable(in["key"]))
        e.fail("TypeError", "unhashable type: '" + in["key"].className() + "'");
    return e.noneVal();
}

static Val keyAt(TypedBuilder &e, const Arguments &in) {
    return heapKeyAt(e, in["container"], in["index"]);
}

static Val hashOfSet(TypedBuilder &e, const Arguments &in) {
    return wholeNumber(e, "hash_set", {}, {in["made"], in["item"], in["size"]});
}

static Val hashOfTuple(TypedBuilder &e, const Arguments &in) {
    return wholeNumber(e, "hash_in_tuple", {}, {in["made"], in["item"], in["size"]});
}

static Val tuplesInMemory(TypedBuilder &e, const Arguments &) { requestTuplesInMemory(e); }

static Val hasOwnOrder(TypedBuilder &e, const Arguments &in) {
    return e.boolVal(overloads(in["item"], "__lt__"));
}

static Val hasInstances(TypedBuilder &e, const Arguments &in) {
    const Val &container = in["container"];
    return e.boolVal(isHeap(container) && holdsInstances(heapKeySlot(container)));
}

static bool mayBeNone(const Slot &slot) {
    auto constant = dyn_cast_or_null<PyAttr>(slot.attr);
    return (slot.kind == Slot::Kind::Optional && slot.attr) ||
           ((slot.kind == Slot::Kind::Tuple || slot.kind == Slot::Kind::Union) &&
            llvm::any_of(slot.items, mayBeNone)) ||
           (slot.kind == Slot::Kind::Static && constant && constant.getKind() == "none");
}

static Val mayHoldNone(TypedBuilder &e, const Arguments &in) {
    const Val &list = in["items"];
    return e.boolVal(isHeap(list, "list")   ? mayBeNone(heapValueSlot(list))
                     : list.isDynamicList() ? mayBeNone(*list.element)
                                            : false);
}

ArrayRef<Function> shapecast::pythonFunctions() {
    static const Function list[] = {
        {"builtins.hash", "obj", hashOfObject},
        {"shapecast.library.primitives.set_hash", "key, hash", setHash},
        {"shapecast.library.primitives.next_equal", "container, key, after", nextEqual},
        {"shapecast.library.primitives.hash_of_set", "made, item, size", hashOfSet},
        {"shapecast.library.primitives.hash_of_tuple", "made, item, size", hashOfTuple},
        {"shapecast.library.primitives.tuples_in_memory", "", tuplesInMemory},
        {"shapecast.library.primitives.has_instances", "container", hasInstances},
        {"shapecast.library.primitives.has_own_order", "item", hasOwnOrder},
        {"shapecast.library.primitives.may_hold_none", "items", mayHoldNone},
        {"shapecast.library.primitives.key_at", "container, index", keyAt},
        {"shapecast.library.primitives.check_hashable", "key", checkHashable},
        {"builtins.len", "obj", len},
        {"builtins.range", "*args", range},
        {"shapecast.prange", "*args", parallelRange},
        {"builtins.abs", "x", absolute},
        {"builtins.min", "*args", minimum},
        {"builtins.max", "*args", maximum},
        {"builtins.int", "x=, base=", wholeNumber},
        {"builtins.float", "x=", number<PyKind::Float>},
        {"builtins.bool", "x=", number<PyKind::Bool>},
        {"builtins.tuple", "x=", sequence<false>},
        {"builtins.list", "x=", sequence<true>},
        {"builtins.slice", "*args", slice},
        {"builtins.zip", "*args, strict=", zip},
        {"builtins.map", "*args", map},
        {"builtins.enumerate", "iterable, start=", enumerate},
        {"builtins.reversed", "sequence", reversed},
        {"builtins.iter", "object", iter},
        {"shapecast.library.primitives.product", "*pools", product},
    };
    return list;
}
