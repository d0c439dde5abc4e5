// Python's comparisons, and `in`.
#include "facts/host_info.h"
#include "ops/builder/arrays.h"
#include "ops/builder/checks.h"
#include "ops/builder/classes.h"
#include "ops/builder/containers.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/enum_numbers.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap_constants.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/list_items.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/reductions.h"
#include "ops/builder/sequences.h"
#include "ops/builder/text.h"
#include "ops/ufunc/ufunc.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static std::optional<Val> tupleCompare(TypedBuilder &e, StringRef op, const Val &a, const Val &c);

// The TypeError message of an ordering. NumPy's object loops try the reflected method where the
// right operand is NumPy's.
std::string shapecast::orderError(StringRef op, const Val &a, const Val &c) {
    const bool reflected = c.isArray() || (c.isScalar() && !isPy(c));
    const StringRef sign = llvm::StringSwitch<StringRef>(op)
                               .Case("lt", reflected ? ">" : "<")
                               .Case("le", reflected ? ">=" : "<=")
                               .Case("gt", reflected ? "<" : ">")
                               .Default(reflected ? "<=" : ">=");
    const std::string left = objectTypeName(reflected ? c : a),
                      right = objectTypeName(reflected ? a : c);
    return ("'" + sign + "' not supported between instances of '" + left + "' and '" + right + "'")
        .str();
}

// Element-wise as an array: all False for ==, all True for !=.
static Val differsFrom(TypedBuilder &e, const Val &array, bool differs) {
    if (array.isScalar() || array.array().getRank() == 0)
        return castTo(e, e.boolVal(differs), DType::Bool);
    const Value flag = castValue(e, e.boolVal(differs).value, DType::Bool);
    return materialize(e,
                       SplatOp::create(e.b, e.loc, flag, dimsOf(array), array.array().getDevice()),
                       resultLayout(array));
}

// Of an int of 64 bits and a constant beyond those.
static std::optional<bool> compareBeyond64Bits(StringRef op, const Val &a, const Val &c) {
    auto isSmall = [](const Val &v) { return isa<PyBoolType, PyIntType>(v.type()); };
    const Val &other = isSmall(a) ? c : a;
    if (isSmall(a) == isSmall(c) || !isWideInt(other.attr) || wideInt(other.attr).isSignedIntN(64))
        return std::nullopt;
    if (op == "eq" || op == "ne")
        return op == "ne";
    const bool isLess = wideInt(other.attr).isNegative() != isSmall(a); // a < c
    return isLess == (op == "lt" || op == "le");
}

// One of them, and one that is known.
static Val isThatMember(TypedBuilder &e, const Val &members, const Val &wanted) {
    for (auto [k, member] : llvm::enumerate(members.items))
        if (member.attr == wanted.attr)
            return compareInts(e, "eq", e.sizeVal(members.dim), e.intVal(int64_t(k)));
    return e.boolVal(false);
}

// `a is c`, of members.
static Val isSameMember(TypedBuilder &e, const Val &a, const Val &c) {
    if (!a.isUnion() && !c.isUnion())
        return e.boolVal(a.attr == c.attr);
    if (!a.isUnion() || !c.isUnion())
        return a.isUnion() ? isThatMember(e, a, c) : isThatMember(e, c, a);
    const bool alike = a.items.size() == c.items.size() &&
                       llvm::all_of(llvm::zip(a.items, c.items), [](auto pair) {
                           return std::get<0>(pair).attr == std::get<1>(pair).attr;
                       });
    if (alike)
        return compareInts(e, "eq", e.sizeVal(a.dim), e.sizeVal(c.dim));
    return unionSplit(e, a, [&](const Val &one) { return isThatMember(e, c, one); });
}

// Of members of enums; none where that is as of other values.
static std::optional<Val> compareMembers(TypedBuilder &e, StringRef op, const Val &a,
                                         const Val &c) {
    const bool isIn = op == "in" || op == "not_in", is = op == "is" || op == "is_not";
    if (isIn && isValueMember(c)) // characters of its string
        return compare(e, op, asValue(e, a), asValue(e, c));
    if (isIn && isValueMember(a) && c.isText())
        return compare(e, op, asValue(e, a), c);
    if (isIn || (!isMember(a) && !isMember(c)))
        return std::nullopt;
    if (!is && (combinesAsValue(a, c) || combinesAsValue(c, a)))
        return compare(e, op, asValueBeside(e, a, c), asValueBeside(e, c, a));
    if (!isMember(a) || !isMember(c) || (!is && op != "eq" && op != "ne"))
        return std::nullopt;
    const Val same = isSameMember(e, a, c);
    return op == "is" || op == "eq" ? same : unary(e, "not", same);
}

Val shapecast::ofEachKind(TypedBuilder &e, Val &part, llvm::function_ref<Val()> visit) {
    const Val open = part;
    const Val isLast = open.isUnion()
                           ? compare(e, "ge", e.sizeVal(open.dim), e.intVal(open.items.size() - 1))
                           : compare(e, "is_not", open, e.noneVal());
    return e.branch(truth(e, isLast), [&](bool holds) {
        part = holds ? open.items.back() : open.isUnion() ? withoutLastMember(open) : e.noneVal();
        return visit();
    });
}

bool shapecast::isOpen(const Val &v) {
    return v.isUnion() || (v.kind == Val::Kind::Optional && v.attr);
}

Val shapecast::compare(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    if (std::optional<Val> known = compareMembers(e, op, a, c))
        return *known;
    if (a.isUnion() || c.isUnion())
        return *unionSplitFirst(
            e, {a, c}, [&](ArrayRef<Val> sides) { return compare(e, op, sides[0], sides[1]); });
    const bool isOrder = op == "lt" || op == "le" || op == "gt" || op == "ge";
    for (const Val *v : {&a, &c}) // of an item of a tuple; operations split their operands
        if (isOrder && v->kind == Val::Kind::Optional && v->attr)
            return e.branch(compare(e, "is_not", *v, e.noneVal()), [&](bool is) {
                const Val side = is ? v->items[0] : e.noneVal();
                return v == &a ? compare(e, op, side, c) : compare(e, op, a, side);
            });
    const bool areFunctions = a.kind == Val::Kind::Function && c.kind == Val::Kind::Function,
               isOfEquality = op == "eq" || op == "ne" || op == "is" || op == "is_not";
    if (areFunctions && isOfEquality)
        return e.operatorOnHeap(op, a, c);
    if (isHeap(c) || (isHeap(a) && op != "in" && op != "not_in"))
        return e.operatorOnHeap(op, a, c);
    if ((isPlainInstance(a) || isPlainInstance(c)) && op != "in" && op != "not_in")
        return e.operatorOnHeap(op, a, c);
    if (op == "in" || op == "not_in") {
        Val found = contains(e, c, a);
        return op == "in" ? found : unary(e, "not", found);
    }
    rejectOverloads(e, op, a, c);
    if (std::optional<bool> same = sameClass(a, c);
        same && (op == "is" || op == "is_not" || op == "eq" || op == "ne"))
        return e.boolVal(*same == (op == "is" || op == "eq"));
    if (op == "is" || op == "is_not") {
        bool yes = op == "is";
        const Val &optional = a.kind == Val::Kind::Optional ? a : c;
        if (optional.kind == Val::Kind::Optional && optional.attr && (a.isNone() || c.isNone()))
            return compare(e, yes ? "lt" : "ge", e.sizeVal(optional.dim), e.intVal(1));
        const Val &constant = &optional == &a ? c : a;
        if (optional.kind == Val::Kind::Optional && optional.attr && constant.isStatic("enum")) {
            const Val present = compare(e, "ge", e.sizeVal(optional.dim), e.intVal(1));
            const Val same = logicalAnd(e, present, compare(e, "is", optional.items[0], constant));
            return yes ? same : unary(e, "not", same);
        }
        if (a.isNone() || c.isNone())
            return e.boolVal((a.isNone() && c.isNone()) == yes);
        if (a.kind == Val::Kind::Static && c.kind == Val::Kind::Static)
            return e.boolVal((a.attr == c.attr) == yes);
        auto isValue = [](const Val &v) {
            return (v.isTyped() && !v.isPython()) || v.isTuple() || v.isText() || v.isDict() ||
                   v.isRecord() || v.isDynamicList() || v.kind == Val::Kind::Heap ||
                   v.kind == Val::Kind::Function || v.kind == Val::Kind::Range;
        };
        auto isBool = [](const Val &v) { return v.isTyped() && isa<PyBoolType>(v.type()); };
        auto isNumber = [](const Val &v) { return v.isScalar() && !v.weakFlag; };
        if (isBool(a) && isBool(c)) // there are two of them
            return compare(e, yes ? "eq" : "ne", a, c);
        if ((isBool(a) && isNumber(c)) || (isBool(c) && isNumber(a)))
            return e.boolVal(!yes);
        const bool lists = a.cell && c.cell && a.cell != unknownCell && c.cell != unknownCell;
        if (lists && a.list == c.list && a.isDict() == c.isDict())
            return e.boolVal((a.cell == c.cell) == yes);
        if ((a.kind == Val::Kind::Static && isValue(c)) ||
            (c.kind == Val::Kind::Static && isValue(a)))
            return e.boolVal(!yes);
        e.unsupported("'is' is compiled for None, types and dtypes; use == to compare values");
    }
    auto isOther = [](const Val &v) {
        return v.isNone() || v.isText() || v.kind == Val::Kind::Slice ||
               v.kind == Val::Kind::Function;
    };
    const Val &array = isOther(c) ? a : c;
    if ((op == "eq" || op == "ne") && array.isTyped() && (isOther(a) || isOther(c))) {
        const bool python = array.isScalar() && (isPy(array) || a.isNone() || c.isNone());
        return python ? e.boolVal(op == "ne") : differsFrom(e, array, op == "ne");
    }
    if (Val known = a; isOpen(a)) // an item of a tuple: np-infer splits operands
        return ofEachKind(e, known, [&] { return compare(e, op, known, c); });
    if (Val known = c; isOpen(c))
        return ofEachKind(e, known, [&] { return compare(e, op, a, known); });
    if (std::optional<Val> text = textCompare(e, op, a, c))
        return *text;
    if (a.kind == Val::Kind::Static || c.kind == Val::Kind::Static) {
        bool same = a.kind == c.kind && a.attr == c.attr;
        if (!same && (a.isStatic("dtype") || c.isStatic("dtype")) && !a.isNone() && !c.isNone())
            same = dtypeOf(e, a) == dtypeOf(e, c);
        if (op == "eq" || op == "ne")
            return e.boolVal(same == (op == "eq"));
    }
    if (auto arrays = sequenceAsArray(e, a, c))
        return compare(e, op, arrays->first, arrays->second);
    if (std::optional<Val> result = tupleCompare(e, op, a, c))
        return *result;
    if (!a.isTyped() || !c.isTyped())
        e.fail("TypeError", orderError(op, a, c));
    const bool maybeWeak =
        (a.weakFlag || c.weakFlag) && (a.weakFlag || isPy(a)) && (c.weakFlag || isPy(c));
    if (maybeWeak) {
        if ((a.weakFlag && !isExactAsPython(e, a)) || (c.weakFlag && !isExactAsPython(e, c)))
            return *unionSplitFirst(
                e, {a, c}, [&](ArrayRef<Val> sides) { return compare(e, op, sides[0], sides[1]); });
        Val result = compare(e, op, strongSide(a), strongSide(c)); // the values are the same
        if (!isPy(result)) {
            result.weakFlag = jointWeakFlag(e, a, c);
            result.weakKind = PyKind::Bool;
        }
        return result;
    }
    if (!isPy(a) || !isPy(c))
        return ufunc(e, ufuncOfOperator(op), {a, c});
    if (a.isPyInt() && c.isPyInt())
        return compareInts(e, op, a, c);
    if (std::optional<bool> known = compareBeyond64Bits(op, a, c))
        return e.boolVal(*known);
    if (!pyResult(op, {e.operandOf(a).weak, e.operandOf(c).weak}))
        e.fail("TypeError", orderError(op, a, c));
    return pyop(e, op, {a, c}, PyBoolType::get(e.ctx));
}

//===-- Tuples, lists, ranges, dicts

// Items that are the same object are equal in Python without a call of __eq__; the identity of
// containers and arrays is known here.
static Val equalItems(TypedBuilder &e, const Val &a, const Val &c) {
    const bool identical = (a.isArray() && a.value == c.value) ||
                           (a.cell && a.cell != unknownCell && a.cell == c.cell);
    if (identical)
        return e.boolVal(true);
    Val equal = truth(e, compare(e, "eq", a, c));
    return isa<PyBoolType>(equal.type()) ? equal : toPy(e, equal, PyKind::Bool);
}

// A branch on the result adds each of the relations as a fact, in the arm where they all hold.
static Val equalTuples(TypedBuilder &e, const Val &a, const Val &c) {
    if (a.items.size() != c.items.size() || a.list != c.list)
        return e.boolVal(false);
    Val all = e.boolVal(true);
    std::vector<Val> relations;
    for (auto [mine, theirs] : llvm::zip(a.items, c.items)) {
        Val one = equalItems(e, mine, theirs);
        if (one.lhs)
            relations.push_back(one);
        all = logicalAnd(e, all, one);
    }
    if (all.constBool() || relations.empty())
        return all;
    if (!isa<PyBoolType>(all.type()))
        all = toPy(e, all, PyKind::Bool);
    all.relation = "all";
    all.items = std::move(relations);
    return all;
}

// Lexicographic order from an index on; `atEnd` where all items are equal. Items behind the one
// that decides may have no order: they are not compared.
static Val orderedItems(TypedBuilder &e, StringRef op, const Val &a, const Val &c, const Val &atEnd,
                        size_t index) {
    auto asBool = [&](const Val &v) {
        return isa<PyBoolType>(v.type()) ? v : toPy(e, v, PyKind::Bool);
    };
    if (index == std::min(a.items.size(), c.items.size()))
        return atEnd;
    const Val mine = a.items[index], theirs = c.items[index],
              equal = truth(e, compare(e, "eq", mine, theirs));
    auto decided = [&] { return asBool(truth(e, compare(e, op, mine, theirs))); };
    auto later = [&] { return asBool(orderedItems(e, op, a, c, atEnd, index + 1)); };
    if (const std::optional<bool> known = equal.constBool())
        return *known ? later() : decided();
    return e.branch(equal, [&](bool holds) { return holds ? later() : decided(); });
}

// Lexicographic order.
static Val orderedTuples(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    const bool strict = op == "lt" || op == "gt", less = op == "lt" || op == "le";
    const size_t n = a.items.size(), m = c.items.size(), shared = std::min(n, m);
    Val result = e.boolVal(n == m ? !strict : (n < m) == less);
    auto isNumber = [](const Val &v) { return v.isScalar(); };
    if (!llvm::all_of(a.items.read(), isNumber) || !llvm::all_of(c.items.read(), isNumber))
        return orderedItems(e, less ? "lt" : "gt", a, c, result, 0);
    for (size_t i = shared; i-- > 0;) {
        Val equal = truth(e, compare(e, "eq", a.items[i], c.items[i]));
        Val ahead = equal.constBool() == true
                        ? e.boolVal(false)
                        : truth(e, compare(e, less ? "lt" : "gt", a.items[i], c.items[i]));
        result = logicalOr(e, logicalAnd(e, equal, result),
                           logicalAnd(e, unary(e, "not", equal), ahead));
    }
    return result;
}

// As sequences: of the same numbers.
static Val equalRanges(TypedBuilder &e, const Val &a, const Val &c) {
    auto equal = [&](const Val &x, const Val &y) { return compare(e, "eq", x, y); };
    const Val n = e.sizeVal(rangeSize(e, a));
    const Val sameStep = logicalOr(e, equal(n, e.intVal(1)), equal(a.items[2], c.items[2]));
    const Val same =
        logicalOr(e, equal(n, e.intVal(0)), logicalAnd(e, equal(a.items[0], c.items[0]), sameStep));
    return logicalAnd(e, equal(n, e.sizeVal(rangeSize(e, c))), same);
}

static Val equalDicts(TypedBuilder &e, const Val &a, const Val &c) {
    Val all = e.boolVal(a.items.size() == c.items.size());
    for (auto [key, mine] : llvm::zip_equal(cast<ArrayAttr>(a.attr), a.items)) {
        std::optional<size_t> at = findKey(e, c, e.literal(key));
        if (!at)
            return e.boolVal(false);
        all = logicalAnd(e, all, equalItems(e, mine, c.items[*at]));
    }
    return all;
}

//===-- Dynamic lists and tuples of numbers

static bool isNumber(const Slot &item) {
    return item.kind == Slot::Kind::Typed && isScalar(item.type) &&
           item.maybeWeak == PyKind::Strong;
}

static bool isOfNumbers(const Val &list) { return list.isDynamicList() && isNumber(*list.element); }

// Numbers, and tuples of such.
static bool isPlain(const Slot &item) {
    return isNumber(item) ||
           (item.kind == Slot::Kind::Tuple && !item.attr && !item.list &&
            item.valKind == Val::Kind::Tuple && llvm::all_of(item.items, isPlain));
}

// A bool in both arms; `then` only where it holds.
static Val onlyIf(TypedBuilder &e, const Val &condition, llvm::function_ref<Val()> then,
                  llvm::function_ref<Val()> otherwise) {
    auto asBool = [&](const Val &v) {
        const Val made = truth(e, v);
        return isa<PyBoolType>(made.type()) ? made : toPy(e, made, PyKind::Bool);
    };
    if (const std::optional<bool> known = condition.constBool())
        return asBool(*known ? then() : otherwise());
    return e.branch(condition, [&](bool holds) { return asBool(holds ? then() : otherwise()); });
}

// Of one and a tuple of a known length, or another one.
static Val equalsDynamicList(TypedBuilder &e, const Val &list, const Val &other) {
    const Val length = e.sizeVal(listLength(list)),
              theirs = other.isDynamicList() ? e.sizeVal(listLength(other))
                                             : e.intVal(int64_t(other.items.size()));
    auto items = [&] {
        if (other.isDynamicList())
            return unary(e, "not",
                         isAny(e, compare(e, "ne", arrayOfDynamicList(e, list),
                                          arrayOfDynamicList(e, other))));
        Val all = e.boolVal(true);
        for (auto [k, item] : llvm::enumerate(other.items)) {
            const Val mine = dynamicListItem(e, list, e.dimConst(int64_t(k)));
            all = logicalAnd(e, all, truth(e, compare(e, "eq", mine, item)));
        }
        return all;
    };
    return onlyIf(e, compareInts(e, "eq", length, theirs), items, [&] { return e.boolVal(false); });
}

// Lexicographic order from an index on, of one and a tuple of a known length. Items behind the one
// that decides may have no order: they are not compared.
static Val orderedDynamicList(TypedBuilder &e, StringRef op, const Val &list, const Val &tuple,
                              size_t at) {
    const bool less = op == "lt" || op == "le";
    const Val length = e.sizeVal(listLength(list)), here = e.intVal(int64_t(at));
    if (at == tuple.items.size())
        return less ? (op == "lt" ? e.boolVal(false) : compareInts(e, "le", length, here))
                    : (op == "ge" ? e.boolVal(true) : compareInts(e, "gt", length, here));
    auto items = [&] {
        const Val mine = dynamicListItem(e, list, e.dimConst(int64_t(at)));
        return onlyIf(
            e, truth(e, compare(e, "eq", mine, tuple.items[at])),
            [&] { return orderedDynamicList(e, op, list, tuple, at + 1); },
            [&] { return compare(e, op, mine, tuple.items[at]); });
    };
    return onlyIf(e, compareInts(e, "gt", length, here), items, [&] { return e.boolVal(less); });
}

static StringRef reflected(StringRef op) {
    return llvm::StringSwitch<StringRef>(op)
        .Case("lt", "gt")
        .Case("le", "ge")
        .Case("gt", "lt")
        .Case("ge", "le")
        .Default(op);
}

// One of them is a dynamic list; none where that is to be in memory.
static std::optional<Val> compareDynamicLists(TypedBuilder &e, StringRef op, const Val &a,
                                              const Val &c) {
    if (!a.isDynamicList())
        return compareDynamicLists(e, reflected(op), c, a);
    const bool isEquality = op == "eq" || op == "ne";
    const bool isSequence = c.isDynamicList() || (c.isTuple() && !c.isRecord());
    if (isSequence && a.list == c.list) {
        constexpr size_t mostItems = 64; // of which each is compared by itself
        const bool isKnown = c.isDynamicList() ? isOfNumbers(a) && isOfNumbers(c) && isEquality
                                               : isPlain(*a.element) && c.items.size() <= mostItems;
        if (!isKnown)
            return std::nullopt;
        if (!isEquality)
            return orderedDynamicList(e, op, a, c, 0);
        const Val equal = equalsDynamicList(e, a, c);
        return op == "eq" ? equal : unary(e, "not", equal);
    }
    const bool isOther = isSequence || c.isDict() || c.isText() || c.kind == Val::Kind::Range ||
                         (c.isScalar() && isPyScalar(c.type()));
    if (isEquality && isOther)
        return e.boolVal(op == "ne");
    return std::nullopt;
}

//===-- All of these

static std::optional<Val> tupleCompare(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    if ((a.isDict() || c.isDict()) && (op == "eq" || op == "ne")) {
        if (a.isArray() || c.isArray())
            return differsFrom(e, a.isArray() ? a : c, op == "ne");
        Val equal = a.isDict() && c.isDict() ? equalDicts(e, a, c) : e.boolVal(false);
        return op == "eq" ? equal : unary(e, "not", equal);
    }
    if ((a.isRecord() || c.isRecord()) && (op == "eq" || op == "ne")) {
        Val equal = a.kind == c.kind && a.attr == c.attr
                        ? equalTuples(e, e.tupleVal(a.items), e.tupleVal(c.items))
                        : e.boolVal(false);
        return op == "eq" ? equal : unary(e, "not", equal);
    }
    if (a.isRecord() && c.isRecord() && a.attr == c.attr && isOrdered(a))
        return orderedTuples(e, op, e.tupleVal(a.items), e.tupleVal(c.items));
    if (a.isDynamicList() || c.isDynamicList()) {
        const Val &other = a.isDynamicList() ? c : a;
        if (other.isTyped() && !isPyScalar(other.type()))
            return compare(e, op, a.isDynamicList() ? arrayOfDynamicList(e, a) : a,
                           c.isDynamicList() ? arrayOfDynamicList(e, c) : c);
        if (std::optional<Val> result = compareDynamicLists(e, op, a, c))
            return *result;
        for (const Val *list : {&a, &c})
            if (list->isDynamicList())
                wishHeap(e, *list);
        e.unsupported(
            "comparing a dynamic list (of a length known only at run time) is not supported; "
            "compare arrays");
    }
    auto sequence = [](const Val &v) { return v.isTuple() || v.kind == Val::Kind::Range; };
    if ((sequence(a) || sequence(c)) && (op == "eq" || op == "ne")) {
        Val equal = a.kind != c.kind ? e.boolVal(false)
                    : a.isTuple()    ? equalTuples(e, a, c)
                                     : equalRanges(e, a, c);
        return op == "eq" ? equal : unary(e, "not", equal);
    }
    if (!a.isTuple() || !c.isTuple())
        return std::nullopt;
    if (a.list != c.list)
        return std::nullopt;
    return orderedTuples(e, op, a, c);
}

//===-- in

static Val inRange(TypedBuilder &e, const Val &range, const Val &item) {
    if (!item.isPyInt())
        e.unsupported("'in' a range is not supported for " + item.describe());
    const Val &start = range.items[0], &stop = range.items[1], &step = range.items[2];
    Val upwards = logicalAnd(e, compare(e, "le", start, item), compare(e, "lt", item, stop));
    if (step.constInt() == 1)
        return upwards;
    const Val downwards =
        logicalAnd(e, compare(e, "ge", start, item), compare(e, "gt", item, stop));
    const Val isUp = compare(e, "gt", step, e.intVal(0));
    const Val within =
        logicalOr(e, logicalAnd(e, isUp, upwards), logicalAnd(e, unary(e, "not", isUp), downwards));
    const Val rest = binary(e, "mod", binary(e, "sub", item, start), step); // step is never 0
    return logicalAnd(e, within, compare(e, "eq", rest, e.intVal(0)));
}

Val shapecast::contains(TypedBuilder &e, const Val &container, const Val &item) {
    rejectOverloads(e, container, {"__contains__", "__iter__", "__getitem__"});
    if (container.isDict())
        if (std::optional<Val> heap = heapOfConstants(e, container, item))
            return heapContains(e, *heap, item);
    if (container.isDict())
        wishForKey(e, container, item);
    if (container.isDict())
        return e.boolVal(findKey(e, container, item).has_value());
    if (container.isDynamicList())
        wishForItems(e, container);
    if (container.isDynamicList())
        return dynamicListContains(e, container, item);
    if (container.isTuple()) {
        Val found = e.boolVal(false);
        for (const Val &one : container.items)
            if (found.constBool() != true)
                found = logicalOr(e, found, truth(e, compare(e, "eq", one, item)));
        return found;
    }
    if (container.kind == Val::Kind::Range)
        return inRange(e, container, item);
    if (container.isArray()) {
        const Val equal = compare(e, "eq", container, item);
        return equal.isArray() ? isAny(e, equal) : toPy(e, truth(e, equal), PyKind::Bool);
    }
    if (container.isStatic("str") && item.isStatic("str"))
        return e.boolVal(container.staticText().contains(item.staticText()));
    if (container.isText() && item.isText())
        return textContains(e, container, item);
    if (container.isText())
        e.fail("TypeError",
               "'in <string>' requires string as left operand, not " + item.className());
    e.fail("TypeError",
           hostInfo().messageOf("argument of type '{0}' is not iterable", {container.className()}));
}

// tuple.index(x), tuple.count(x)
Val shapecast::tupleMethod(TypedBuilder &e, const Val &tuple, StringRef name,
                           ArrayRef<Val> arguments) {
    if (std::optional<Val> done = tuple.list ? listMethod(e, tuple, name, arguments) : std::nullopt)
        return *done;
    if (arguments.size() != 1 || (name != "index" && name != "count"))
        e.unsupported("the method '" + name + "' of " + tuple.describe() + " is not compiled yet");
    Val total = e.intVal(0);
    DimAttr index = e.dimConst(int64_t(tuple.items.size())), one = e.dimConst(1);
    bool found = false;
    for (size_t i = tuple.items.size(); i-- > 0;) {
        Val equal = truth(e, compare(e, "eq", tuple.items[i], arguments[0]));
        std::optional<bool> known = equal.constBool();
        DimAttr here = e.dimConst(int64_t(i));
        DimAttr flag = known ? e.dimConst(*known) : toDim(e, toPy(e, equal, PyKind::Int));
        total = e.sizeVal(dimAdd(toDim(e, total), flag));
        index = dimAdd(dimMul(flag, here), dimMul(dimSub(one, flag), index));
        found |= known == true;
    }
    if (name == "count")
        return total;
    DimAttr last = e.dimConst(int64_t(tuple.items.size()) - 1);
    if (found || e.facts.greaterEqual(last, index) == Answer::Yes)
        return e.sizeVal(index);
    if (tuple.list)
        requireInList(e, "ge", {last, index}, arguments[0]);
    else
        e.require("ge", {last, index}, "ValueError", "tuple.index(x): x not in tuple");
    return e.sizeVal(index);
}
