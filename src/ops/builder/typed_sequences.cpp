// TypedBuilder: operators on tuples and lists, and `in`.
#include "facts/host_info.h"
#include "ops/builder/dynamic_list.h"
#include "ops/numpy/functions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

constexpr int64_t maxRepeatedItems = 4096; // of a sequence times a number

//===-- Items

// A value without __index__; others may be integers at run time.
static bool isNoIndex(TypedBuilder &e, const Val &key) {
    if (key.isScalar() && !key.weakFlag)
        return !isInteger(e.operandOf(key).dtype) && !isa<PyBoolType>(key.type());
    return key.isTuple() || key.isDynamicList() || key.isDict() || key.isNone() ||
           key.isStatic("str");
}

void TypedBuilder::checkSequenceIndex(const Val &sequence, ArrayRef<Val> keys) {
    if (keys.size() == 1 && keys[0].isArray() && keys[0].array().getRank() > 0)
        fail("TypeError", "only integer scalar arrays can be converted to a scalar index");
    if (keys.size() == 1 && !isNoIndex(*this, keys[0]))
        return;
    const std::string type = keys.size() == 1 ? classNameOf(keys[0]) : "tuple";
    if (sequence.isText())
        fail("TypeError",
             hostInfo().messageOf("string indices must be integers, not '{0}'", {type}));
    const StringRef kind = sequence.kind == Val::Kind::Range ? "range"
                           : sequence.list                   ? "list"
                                                             : "tuple";
    fail("TypeError", kind + " indices must be integers or slices, not " + type);
}

// tuple[key]
Val TypedBuilder::tupleItem(const Val &base, ArrayRef<Val> keys) {
    checkSequenceIndex(base, keys);
    int64_t n = base.items.size();
    auto at = [&](const Val &v, int64_t absent) {
        if (v.isNone())
            return absent;
        if (std::optional<int64_t> i = v.constInt())
            return *i;
        toDim(v, "slice indices must be integers or None or have an __index__ method");
        unsupported("a " + describe(base) + " is indexed with constants only");
    };
    auto bound = [&](const Val &v, int64_t absent, int64_t low, int64_t high) {
        int64_t i = at(v, absent);
        return v.isNone() ? i : std::clamp(i < 0 ? i + n : i, low, high);
    };
    if (keys[0].kind == Val::Kind::Slice) {
        int64_t step = keys[0].items[2].isNone() ? 1 : at(keys[0].items[2], 1);
        if (step == 0)
            fail("ValueError", "slice step cannot be zero");
        std::vector<Val> part;
        if (step > 0)
            for (int64_t i = bound(keys[0].items[0], 0, 0, n),
                         end = bound(keys[0].items[1], n, 0, n);
                 i < end; i += step)
                part.push_back(base.items[i]);
        else
            for (int64_t i = bound(keys[0].items[0], n - 1, -1, n - 1),
                         end = bound(keys[0].items[1], -1, -1, n - 1);
                 i > end; i += step)
                part.push_back(base.items[i]);
        return tupleVal(std::move(part), base.list);
    }
    std::optional<int64_t> i = keys[0].constInt();
    if (!i)
        unsupported("a " + describe(base) + " is indexed with constants only");
    if (*i >= n || *i < -n)
        fail("IndexError", describe(base) + " index out of range");
    return base.items[*i < 0 ? *i + n : *i];
}

DimAttr shapecast::rangeSize(TypedBuilder &e, const Val &range) {
    const DimAttr start = range.items[0].dim, stop = range.items[1].dim, step = range.items[2].dim;
    const DimAttr size =
        e.facts.canonical(dimMax(dimCeilDiv(dimSub(stop, start), step), e.dimConst(0)));
    // The difference of two numbers of one sign fits in 64 bits.
    auto isNatural = [&](DimAttr bound) {
        return e.facts.greaterEqual(bound, e.dimConst(0)) == Answer::Yes;
    };
    if (!size.isConst() && !(isNatural(start) && isNatural(stop) && step.isConst()))
        e.require("ge", {e.dimConst(INT64_MAX), size}, "OverflowError",
                  "Python int too large to convert to C ssize_t");
    return size;
}

// range[key]
Val TypedBuilder::rangeItem(const Val &range, ArrayRef<Val> keys) {
    checkSequenceIndex(range, keys);
    if (keys[0].kind == Val::Kind::Slice)
        unsupported("a slice of a range is not supported; make another range");
    const DimAttr low = range.items[0].dim, step = range.items[2].dim, at = toDim(keys[0]);
    const DimAttr size = rangeSize(*this, range);
    require("index", {at, size}, "IndexError", "range object index out of range");
    return sizeVal(facts.canonical(dimAdd(low, dimMul(step, dimWrap(at, size)))));
}

//===-- Operators

// The sequence times a number.
static Val repeated(TypedBuilder &e, const Val &sequence, const Val &count) {
    const std::string word = sequence.list ? "list" : "tuple";
    if (!count.isScalar() ||
        !(isInteger(e.operandOf(count).dtype) || isBool(e.operandOf(count).dtype)))
        e.fail("TypeError",
               "can't multiply sequence by non-int of type '" + e.classNameOf(count) + "'");
    std::optional<int64_t> times = count.constInt();
    if (!times && sequence.list && sequence.items.size() == 1)
        return repeatItem(e, sequence.items[0], e.toDim(count));
    const std::string advice = "; make an array, e.g. np.full(n, 0.0)";
    if (!times)
        e.needConstant(count, "a " + word +
                                  " times a number known only at run time is not supported" +
                                  advice);
    if (*times > 0 && *times * int64_t(sequence.items.size()) > maxRepeatedItems)
        e.unsupported("a " + word + " of more than " + Twine(maxRepeatedItems) +
                      " items made by * is not supported" + advice);
    std::vector<Val> items;
    for (int64_t i = 0; i < *times; ++i)
        items.insert(items.end(), sequence.items.begin(), sequence.items.end());
    return e.tupleVal(std::move(items), sequence.list);
}

// With a dynamic list: next to arrays and NumPy scalars it is converted to an array.
static std::optional<Val> dynamicListBinary(TypedBuilder &e, StringRef op, const Val &a,
                                            const Val &c) {
    auto numpy = [](const Val &v) { return v.isTyped() && !isPyScalar(v.type()); };
    if (numpy(a) || numpy(c))
        return e.binary(op, a.isDynamicList() ? arrayOfDynamicList(e, a) : a,
                        c.isDynamicList() ? arrayOfDynamicList(e, c) : c);
    const bool lists = (a.isTuple() || a.isDynamicList()) && (c.isTuple() || c.isDynamicList());
    if (op == "add" && lists && a.list == c.list)
        return concatLists(e, a, c);
    e.unsupported("this operator on a dynamic list (of a length known only at run time) is not "
                  "supported; make an array of it");
}

std::optional<Val> TypedBuilder::tupleBinary(StringRef op, const Val &a, const Val &c) {
    if (a.isDynamicList() || c.isDynamicList())
        return dynamicListBinary(*this, op, a, c);
    const Val &other = a.isTuple() ? c : a;
    if ((!a.isTuple() && !c.isTuple()) || other.isArray())
        return std::nullopt;
    if (op == "mul")
        return repeated(*this, a.isTuple() ? a : c, other);
    if (op != "add" || !a.isTuple())
        return std::nullopt;
    const StringRef word = a.list ? "list" : "tuple";
    if (!c.isTuple() && c.isScalar() && !isPyScalar(c.type()))
        return std::nullopt; // np.add of the sequence as an array
    if (!c.isTuple() || a.list != c.list)
        fail("TypeError",
             "can only concatenate " + word + " (not \"" + classNameOf(c) + "\") to " + word);
    std::vector<Val> items = a.items;
    items.insert(items.end(), c.items.begin(), c.items.end());
    return tupleVal(std::move(items), a.list);
}

//===-- Comparisons

// Of Python bools; folded where one is a constant.
Val TypedBuilder::logicalAnd(const Val &a, const Val &c) {
    if (a.constBool() == false || c.constBool() == true)
        return a;
    if (a.constBool() == true || c.constBool() == false)
        return c;
    return pyop("and", {toPy(a, PyKind::Bool), toPy(c, PyKind::Bool)}, PyBoolType::get(ctx));
}

Val TypedBuilder::logicalOr(const Val &a, const Val &c) {
    if (a.constBool() == true || c.constBool() == false)
        return a;
    if (a.constBool() == false || c.constBool() == true)
        return c;
    return pyop("or", {toPy(a, PyKind::Bool), toPy(c, PyKind::Bool)}, PyBoolType::get(ctx));
}

// Items that are the same object are equal in Python without a call of __eq__; the identity of
// containers and arrays is known here.
static Val equalItems(TypedBuilder &e, const Val &a, const Val &c) {
    const bool identical = (a.isArray() && a.value == c.value) ||
                           (a.cell && a.cell != unknownCell && a.cell == c.cell);
    if (identical)
        return e.boolVal(true);
    Val equal = e.truth(e.compare("eq", a, c));
    return isa<PyBoolType>(equal.type()) ? equal : e.toPy(equal, PyKind::Bool);
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
        all = e.logicalAnd(all, one);
    }
    if (all.constBool() || relations.empty())
        return all;
    if (!isa<PyBoolType>(all.type()))
        all = e.toPy(all, PyKind::Bool);
    all.relation = "all";
    all.items = std::move(relations);
    return all;
}

// Lexicographic order.
static Val orderedTuples(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    const bool strict = op == "lt" || op == "gt", less = op == "lt" || op == "le";
    const size_t n = a.items.size(), m = c.items.size(), shared = std::min(n, m);
    Val result = e.boolVal(n == m ? !strict : (n < m) == less);
    for (size_t i = shared; i-- > 0;) {
        Val equal = e.truth(e.compare("eq", a.items[i], c.items[i]));
        Val ahead = equal.constBool() == true
                        ? e.boolVal(false)
                        : e.truth(e.compare(less ? "lt" : "gt", a.items[i], c.items[i]));
        result =
            e.logicalOr(e.logicalAnd(equal, result), e.logicalAnd(e.unary("not", equal), ahead));
    }
    return result;
}

// As sequences: of the same numbers.
static Val equalRanges(TypedBuilder &e, const Val &a, const Val &c) {
    auto equal = [&](const Val &x, const Val &y) { return e.compare("eq", x, y); };
    const Val n = e.sizeVal(rangeSize(e, a));
    const Val sameStep = e.logicalOr(equal(n, e.intVal(1)), equal(a.items[2], c.items[2]));
    const Val same =
        e.logicalOr(equal(n, e.intVal(0)), e.logicalAnd(equal(a.items[0], c.items[0]), sameStep));
    return e.logicalAnd(equal(n, e.sizeVal(rangeSize(e, c))), same);
}

static Val equalDicts(TypedBuilder &e, const Val &a, const Val &c) {
    Val all = e.boolVal(a.items.size() == c.items.size());
    for (auto [key, mine] : llvm::zip_equal(cast<ArrayAttr>(a.attr), a.items)) {
        std::optional<size_t> at = e.findKey(c, e.literal(key));
        if (!at)
            return e.boolVal(false);
        all = e.logicalAnd(all, equalItems(e, mine, c.items[*at]));
    }
    return all;
}

std::optional<Val> TypedBuilder::tupleCompare(StringRef op, const Val &a, const Val &c) {
    if ((a.isDict() || c.isDict()) && (op == "eq" || op == "ne")) {
        if (a.isArray() || c.isArray())
            return differsFrom(a.isArray() ? a : c, op == "ne");
        Val equal = a.isDict() && c.isDict() ? equalDicts(*this, a, c) : boolVal(false);
        return op == "eq" ? equal : unary("not", equal);
    }
    if ((a.isRecord() || c.isRecord()) && (op == "eq" || op == "ne")) {
        Val equal = a.kind == c.kind && a.attr == c.attr
                        ? equalTuples(*this, tupleVal(a.items), tupleVal(c.items))
                        : boolVal(false);
        return op == "eq" ? equal : unary("not", equal);
    }
    if (a.isRecord() && c.isRecord() && a.attr == c.attr && isOrdered(a))
        return orderedTuples(*this, op, tupleVal(a.items), tupleVal(c.items));
    if (a.isDynamicList() || c.isDynamicList()) {
        const Val &other = a.isDynamicList() ? c : a;
        if (other.isTyped() && !isPyScalar(other.type()))
            return compare(op, a.isDynamicList() ? arrayOfDynamicList(*this, a) : a,
                           c.isDynamicList() ? arrayOfDynamicList(*this, c) : c);
        unsupported(
            "comparing a dynamic list (of a length known only at run time) is not supported; "
            "compare arrays");
    }
    auto sequence = [](const Val &v) { return v.isTuple() || v.kind == Val::Kind::Range; };
    if ((sequence(a) || sequence(c)) && (op == "eq" || op == "ne")) {
        Val equal = a.kind != c.kind ? boolVal(false)
                    : a.isTuple()    ? equalTuples(*this, a, c)
                                     : equalRanges(*this, a, c);
        return op == "eq" ? equal : unary("not", equal);
    }
    if (!a.isTuple() || !c.isTuple())
        return std::nullopt;
    if (a.list != c.list)
        return std::nullopt;
    return orderedTuples(*this, op, a, c);
}

static Val inRange(TypedBuilder &e, const Val &range, const Val &item) {
    if (!item.isPyInt())
        e.unsupported("'in' a range is not supported for " + e.describe(item));
    const Val &start = range.items[0], &stop = range.items[1], &step = range.items[2];
    const Val upwards = e.logicalAnd(e.compare("le", start, item), e.compare("lt", item, stop));
    if (step.constInt() == 1)
        return upwards;
    const Val downwards = e.logicalAnd(e.compare("ge", start, item), e.compare("gt", item, stop));
    const Val isUp = e.compare("gt", step, e.intVal(0));
    const Val within =
        e.logicalOr(e.logicalAnd(isUp, upwards), e.logicalAnd(e.unary("not", isUp), downwards));
    const Val rest = e.binary("mod", e.binary("sub", item, start), step); // step is never 0
    return e.logicalAnd(within, e.compare("eq", rest, e.intVal(0)));
}

Val TypedBuilder::contains(const Val &container, const Val &item) {
    rejectOverloads(container, {"__contains__", "__iter__", "__getitem__"});
    if (container.isDict())
        return boolVal(findKey(container, item).has_value());
    if (container.isDynamicList())
        return dynamicListContains(*this, container, item);
    if (container.isTuple()) {
        Val found = boolVal(false);
        for (const Val &one : container.items)
            if (found.constBool() != true)
                found = logicalOr(found, truth(compare("eq", one, item)));
        return found;
    }
    if (container.kind == Val::Kind::Range)
        return inRange(*this, container, item);
    if (container.isArray()) {
        Val equal = compare("eq", container, item);
        if (!equal.isArray())
            return toPy(truth(equal), PyKind::Bool);
        return toPy(
            reduce("logical_or", read(equal), axesOf(noneVal(), dimsOf(equal).size()), false),
            PyKind::Bool);
    }
    if (container.isStatic("str") && item.isStatic("str"))
        return boolVal(container.staticText().contains(item.staticText()));
    if (container.isText() && item.isText())
        unsupported("'in' with a string made at run time is not supported");
    if (container.isText())
        fail("TypeError",
             "'in <string>' requires string as left operand, not " + classNameOf(item));
    fail("TypeError",
         hostInfo().messageOf("argument of type '{0}' is not iterable", {classNameOf(container)}));
}

void TypedBuilder::checkIterable(const Val &v, StringRef form) const {
    rejectOverloads(v, {"__iter__", "__getitem__"});
    if (v.isArray() && v.array().getRank() == 0)
        fail("TypeError", "iteration over a 0-d array");
    if (v.isPython() || v.isObject("str")) // a string known only at run time
        unsupported("iterating over " + describe(v) + " is not supported");
    if (!v.isScalar() && !v.isNone() && v.kind != Val::Kind::Function && !isIterator(v, "flags"))
        return;
    auto [before, after] = form.split("{0}");
    fail("TypeError", before + classNameOf(v) + after);
}

// tuple.index(x), tuple.count(x)
Val shapecast::tupleMethod(TypedBuilder &e, const Val &tuple, StringRef name,
                           ArrayRef<Val> arguments) {
    if (std::optional<Val> done = tuple.list ? listMethod(e, tuple, name, arguments) : std::nullopt)
        return *done;
    if (arguments.size() != 1 || (name != "index" && name != "count"))
        e.unsupported("the method '" + name + "' of " + e.describe(tuple) + " is not compiled yet");
    Val total = e.intVal(0);
    DimAttr index = e.dimConst(int64_t(tuple.items.size())), one = e.dimConst(1);
    bool found = false;
    for (size_t i = tuple.items.size(); i-- > 0;) {
        Val equal = e.truth(e.compare("eq", tuple.items[i], arguments[0]));
        std::optional<bool> known = equal.constBool();
        DimAttr here = e.dimConst(int64_t(i));
        DimAttr flag = known ? e.dimConst(*known) : e.toDim(e.toPy(equal, PyKind::Int));
        total = e.sizeVal(dimAdd(e.toDim(total), flag));
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

void shapecast::requireInList(TypedBuilder &e, StringRef kind, ArrayRef<DimAttr> args,
                              const Val &item) {
    const StringRef message = hostInfo().message("{0} is not in list");
    if (item.isPyInt() && message.contains("{0}"))
        return e.require(kind, args, "ValueError", message, item.dim);
    const bool isPlain = item.isStatic("str") && llvm::all_of(item.staticText(), [](char c) {
                             return llvm::isPrint(c) && c != '\'' && c != '\\';
                         });
    const std::string shown = isPlain ? ("'" + item.staticText() + "'").str() : "x";
    e.require(kind, args, "ValueError", hostInfo().messageOf("{0} is not in list", {shown}));
}
