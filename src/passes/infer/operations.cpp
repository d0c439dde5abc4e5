#include "passes/infer/operations.h"

#include "facts/host_info.h"
#include "ops/builder/cells.h"
#include "ops/builder/checks.h"
#include "ops/builder/containers.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/heap.h"
#include "ops/builder/indexing.h"
#include "ops/builder/items.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/sequences.h"
#include "ops/builder/text.h"
#include "ops/builder/text_slots.h"
#include "passes/infer/dict_views.h"
#include "passes/infer/escapes.h"
#include "passes/infer/generators.h"
#include "passes/infer/heaps.h"
#include "passes/infer/iterables.h"
#include "passes/infer/object_states.h"
#include "passes/infer/objects.h"
#include "passes/infer/recursion.h"
#include "passes/infer/returns.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val raised(TypedBuilder &e, const Val &v, StringRef otherwise);

void shapecast::visitConst(Inference &in, ConstOp op) {
    TypedBuilder &e = in.e;
    Attribute attr = op.getValue();
    Type type = op.getType();
    const bool isPair = isa<PyComplexType>(type) && isa<ArrayAttr>(attr);
    in.env[op.getResult()] = isPair ? e.constant(attr, type) : e.literal(attr);
}

// Casts to a stated type have become identities; np-simplify folds them.
void shapecast::visitCast(Inference &in, CastOp op) {
    TypedBuilder &e = in.e;
    Val v = in.val(op.getValue());
    if (v.isTyped())
        v.value = CastOp::create(e.b, e.loc, v.type(), v.value);
    in.env[op.getResult()] = std::move(v);
}

void shapecast::visitGetItem(Inference &in, GetItemOp op) {
    TypedBuilder &e = in.e;
    const Val base = in.val(op.getBase());
    SmallVector<Val> keys = in.vals(op.getKeys());
    if (isHeap(base, "list") && keys.size() == 1 && keys[0].kind == Val::Kind::Slice) {
        Val part = heapSlice(in, base, keys[0]);
        in.env[op.getResult()] = std::move(part);
        return;
    }
    bool atRunTime =
        base.isTuple() && keys.size() == 1 && keys[0].isScalar() && !keys[0].constInt();
    if (atRunTime)
        checkSequenceIndex(e, base, keys);
    Val item = atRunTime ? tupleItemAt(in, base, keys[0]) : getItem(e, base, keys);
    in.env[op.getResult()] = std::move(item);
}

// The operands, with the items of those that are starred (`*t`).
SmallVector<Val> shapecast::expandStarred(Inference &in, DenseI64ArrayAttr starred,
                                          ValueRange captured) {
    TypedBuilder &e = in.e;
    SmallVector<Val> result;
    for (auto [i, v] : llvm::enumerate(in.vals(captured))) {
        if (!starred || !llvm::is_contained(starred.asArrayRef(), int64_t(i)))
            result.push_back(v);
        else if (checkIterable(e, v, "Value after * must be an iterable, not {0}");
                 std::optional<std::vector<Val>> items = knownItems(in, v))
            llvm::append_range(result, *items);
        else if (isSequence(v))
            llvm::append_range(result, itemsIn(e, v, "an operand of '*'"));
        else
            e.unsupported("'*' with " + v.describe() +
                          ", whose length is known only at run time, is not supported");
    }
    return result;
}

// [*x, y] where the length of x is known only at run time: a list in memory; none for others.
static std::optional<Val> ofStarred(Inference &in, TupleOp op) {
    TypedBuilder &e = in.e;
    auto starred = op.getStarredAttr();
    if (!starred || op.getDict() || op.getArgumentAttr() || op.getRecordAttr())
        return std::nullopt;
    const SmallVector<Val> elements = in.vals(op.getElements());
    const bool isLong = llvm::any_of(starred.asArrayRef(), [&](int64_t i) {
        const Val &v = elements[size_t(i)];
        return isHeap(v) || isHeapView(v) || isHeapText(v) || v.isDynamicList() ||
               (v.kind == Val::Kind::Iterator && !shouldUnroll(in, v)) ||
               (v.kind == Val::Kind::Range && !unrolledItems(in, v));
    });
    if (!isLong)
        return std::nullopt;
    Val list = emptyHeapList(e, e.heapSites->placed(e.loc));
    for (auto [i, v] : llvm::enumerate(elements))
        callHeap(in, list,
                 llvm::is_contained(starred.asArrayRef(), int64_t(i)) ? "extend" : "append", {v},
                 {});
    return op.getList() ? list : in.callNamed("builtins.tuple", {list}, {});
}

void shapecast::visitTuple(Inference &in, TupleOp op) {
    TypedBuilder &e = in.e;
    if (op.getDict())
        return visitDict(in, op);
    if (std::optional<Val> list = ofStarred(in, op)) {
        in.env[op.getResult()] = std::move(*list);
        return;
    }
    SmallVector<Val> items = expandStarred(in, op.getStarredAttr(), op.getElements());
    auto numbers = op.getNumbersAttr();
    Val v = numbers ? dynamicListOf(e, items[0], numbers.getValue() == "f")
                    : e.tupleVal({items.begin(), items.end()}, op.getList());
    v.attr = op.getRecordAttr();
    if (v.attr && cast<PyAttr>(v.attr).getKind() != "namedtuple")
        v.kind = Val::Kind::Record;
    if (Attribute target = op.getArgumentAttr()) {
        allocateCells(e, v);
        e.cells[v.cell].target = target;
        v.made = e.cells[v.cell].made = {}; // the caller's
    }
    in.env[op.getResult()] = std::move(v);
}

// Keys and values, alternating; a starred operand is a dict that gives several of them.
void shapecast::visitDict(Inference &in, TupleOp op) {
    TypedBuilder &e = in.e;
    SmallVector<std::pair<Val, Val>> pairs;
    SmallVector<Val> elements = in.vals(op.getElements());
    auto starred = op.getStarredAttr();
    for (auto [i, element] : llvm::enumerate(elements))
        if (starred && llvm::is_contained(starred.asArrayRef(), int64_t(i)))
            element = pairsOfInstance(in, element);
    if (std::optional<Val> made = heapDict(in, elements, starred)) {
        in.env[op.getResult()] = std::move(*made);
        return;
    }
    for (size_t i = 0; i < elements.size(); ++i) {
        if (starred && llvm::is_contained(starred.asArrayRef(), int64_t(i))) {
            if (elements[i].kind == Val::Kind::Iterator)
                if (std::optional<std::vector<Val>> items = knownItems(in, elements[i]))
                    elements[i] = e.tupleVal(std::move(*items));
            llvm::append_range(pairs, pairsOf(e, elements[i]));
        } else {
            pairs.emplace_back(elements[i], elements[i + 1]);
            ++i;
        }
    }
    Val v = dictOf(e, pairs);
    if (Attribute target = op.getArgumentAttr()) {
        allocateCells(e, v);
        e.cells[v.cell].target = target;
        v.made = e.cells[v.cell].made = {}; // the caller's
    }
    in.env[op.getResult()] = std::move(v);
}

// Where the list that a comprehension appends to was made.
static Location startOfComprehension(Inference &in, Value list) {
    while (true) {
        if (auto argument = dyn_cast<BlockArgument>(list)) {
            auto loop = dyn_cast<ForEachOp>(argument.getOwner()->getParentOp());
            if (!loop || argument.getArgNumber() == 0)
                return list.getLoc();
            list = loop.getInits()[argument.getArgNumber() - 1];
        } else if (auto append = list.getDefiningOp<PyOp>()) {
            list = append.getOperand(0);
        } else {
            Operation *start = list.getDefiningOp();
            return HeapSites::placed(start->getLoc(), in.places.lookup(start));
        }
    }
}

void shapecast::visitPyOp(Inference &in, PyOp op) {
    TypedBuilder &e = in.e;
    StringRef name = op.getOp();
    SmallVector<Val> operands = operandsOfSets(in, name, op.getOperands_());
    if (std::optional<Val> found = containsInGenerator(in, op)) {
        in.env[op.getResult()] = std::move(*found);
        return;
    }
    if ((name == "in" || name == "not_in") && operands[1].kind == Val::Kind::Iterator &&
        !isHeapView(operands[1]))
        operands[1] = in.callNamed("builtins.list", {operands[1]}, {});
    if (name == "append") { // a comprehension's next item
        refuseEscaping(in, operands[1], {});
        const Location start = startOfComprehension(in, op.getOperand(0));
        wishForItem(e, nullptr, start, operands[1]);
        Val list = std::move(operands[0]);
        if (op.getOperand(0).hasOneUse() && in.combinations == 1) { // appended to in place
            in.env[op.getOperand(0)] = Val();
            in.env[op.getResult()] = Val(); // of the iteration before
        }
        if (isHeap(list))
            heapMethod(e, list, "append", operands[1]);
        else
            list = appendItem(e, std::move(list), operands[1]);
        if (!isHeap(list)) {
            list.cell = 0;
            list.made = start; // where a generator's loop carries it, lists of two lengths meet
        }
        in.env[op.getResult()] = std::move(list);
    } else if (std::optional<Val> made = heapOperator(in, name, operands)) {
        in.env[op.getResult()] = std::move(*made);
    } else if (operands.size() == 1)
        in.env[op.getResult()] = unary(e, name, operands[0]);
    else if (llvm::is_contained(
                 {"lt", "le", "gt", "ge", "eq", "ne", "is", "is_not", "in", "not_in"}, name))
        in.env[op.getResult()] = compare(e, name, operands[0], operands[1]);
    else
        in.env[op.getResult()] = binary(e, name, operands[0], operands[1]);
}

void shapecast::visitSetItem(Inference &in, SetItemOp op) {
    TypedBuilder &e = in.e;
    if (storeInMemory(in, op))
        return;
    const Val &value = in.val(op.getValue());
    auto inplace = op.getAugmented() ? op.getValue().getDefiningOp<InplaceOp>() : nullptr;
    const SmallVector<Val> keys = in.vals(op.getKeys());
    const Val base = in.val(op.getBase());
    if (inplace && in.val(inplace.getTarget()).isArray() && !usesAdvancedIndexing(e, base, keys))
        return; // the in-place op has written through the same view already
    if (isHeap(base, "list") && keys.size() == 1 && keys[0].kind == Val::Kind::Slice) {
        SmallVector<Val> operands(keys[0].items.begin(), keys[0].items.end());
        operands.push_back(value);
        callHeap(in, base, "__setitem__", operands, {});
        return;
    }
    setItem(e, base, keys, value);
}

// Python 3.14 adds the number of items, for tuples, lists and dicts but not for classes derived
// from them.
static std::string tooMany(const Val &value, size_t count, const Twine &found) {
    const bool plain = (value.isTuple() && recordName(value).empty()) || value.isDict();
    const bool counted = hostInfo().unpackErrorHasCount && (plain || value.isDynamicList());
    return ("too many values to unpack (expected " + Twine(count) +
            (counted ? ", got " + found.str() : "") + ")")
        .str();
}

static std::string notEnough(size_t expected, bool star, const Twine &found) {
    return ("not enough values to unpack (expected " + Twine(star ? "at least " : "") +
            Twine(expected) + ", got " + found + ")")
        .str();
}

// a, *b, c = list, of a length known only at run time: b is a new list.
static std::vector<Val> unpackStarred(Inference &in, const Val &list, size_t count, size_t at) {
    TypedBuilder &e = in.e;
    const size_t others = count - 1;
    const DimAttr length = *lengthOf(in, list);
    e.require("ge", {length, e.dimConst(others)}, "ValueError", notEnough(others, true, "{0}"),
              {length});
    const Val size = e.sizeVal(length), end = binary(e, "sub", size, e.intVal(others - at));
    Val rest;
    rest.kind = Val::Kind::Slice;
    rest.items = {e.intVal(at), end, e.intVal(1)};
    std::vector<Val> items;
    items.reserve(count);
    for (size_t i = 0; i < count; ++i)
        items.push_back(i == at  ? isHeap(list) ? heapSlice(in, list, rest) : getItem(e, list, rest)
                        : i < at ? itemAt(in, list, e.intVal(i))
                                 : itemAt(in, list, binary(e, "sub", size, e.intVal(count - i))));
    return items;
}

// As a list where its items have no indices, or their number is known only at run time.
static Val unpacked(Inference &in, const Val &value, bool star) {
    const bool isList = value.isDynamicList() || isHeap(value, "list") || value.isArray();
    const bool isOther = value.kind == Val::Kind::Iterator || value.kind == Val::Kind::Range ||
                         isHeap(value) || isHeapView(value);
    if (isList || !isOther || (!star && isHeap(value)) || (!star && isHeapView(value)) ||
        shouldUnroll(in, value))
        return value;
    return in.callNamed("builtins.list", {value}, {});
}

void shapecast::visitUnpack(Inference &in, UnpackOp op) {
    TypedBuilder &e = in.e;
    const size_t count = op.getNumResults();
    auto star = op.getStarAttr(); // `a, *b = value`: the number of b
    Val given = in.val(op.getValue());
    if (isHeapObject(given) && overloads(given, "__iter__"))
        given = in.callNamed("builtins.list", {given}, {});
    checkIterable(e, given, "cannot unpack non-iterable {0} object");
    const Val value = unpacked(in, given, bool(star));
    if (star && (value.isDynamicList() || isHeap(value, "list"))) {
        for (auto [result, item] :
             llvm::zip_equal(op.getResults(), unpackStarred(in, value, count, star.getInt())))
            in.env[result] = item;
        return;
    }
    std::optional<std::vector<Val>> items;
    if (value.isArray() && value.array().getRank() > 0 && star) // one variant for each length
        if (std::optional<int64_t> seen = e.sizeHint(dimsOf(value)[0]);
            seen && *seen <= maxUnrollTripCount)
            e.decideEqual(dimsOf(value)[0], e.dimConst(*seen));
    if (((value.isArray() && value.array().getRank() > 0) || value.isDynamicList() ||
         isHeap(value) || isHeapView(value)) &&
        !star) {
        DimAttr size = *lengthOf(in, value);
        if (!e.assumeEqual(size, e.dimConst(count))) {
            e.require("ge", {size, e.dimConst(count)}, "ValueError", notEnough(count, false, "{0}"),
                      {size});
            e.require("eq", {size, e.dimConst(count)}, "ValueError", tooMany(value, count, "{0}"),
                      {size});
        }
        items.emplace();
        for (size_t i = 0; i < count; ++i)
            items->push_back(itemAt(in, value, e.intVal(i)));
    } else if (!(items = knownItems(in, value))) {
        if (lengthOf(in, value))
            e.unsupported("unpacking " + value.describe() +
                          ", whose length is known only at run time, is not supported; unpack a "
                          "tuple, or index it");
        e.fail("TypeError", "cannot unpack non-iterable " + value.className() + " object");
    }
    const size_t least = count - (star ? 1 : 0);
    if (items->size() > count && !star)
        e.fail("ValueError", tooMany(value, count, Twine(items->size())));
    if (items->size() < least)
        e.fail("ValueError", notEnough(least, bool(star), Twine(items->size())));
    const size_t at = star ? star.getInt() : count, extra = items->size() + 1 - count;
    for (size_t i = 0; i < count; ++i)
        in.env[op.getResult(i)] =
            i == at ? e.tupleVal({items->begin() + at, items->begin() + at + extra}, true)
                    : (*items)[i > at ? i + extra - 1 : i];
}

void shapecast::visitCheckBound(Inference &in, CheckBoundOp op) {
    TypedBuilder &e = in.e;
    Val value = in.val(op.getValue());
    const bool free = op.getFree();
    const StringRef exception = free ? "NameError" : "UnboundLocalError";
    std::string message =
        ("cannot access " + Twine(free ? "free" : "local") + " variable '" + op.getName() +
         "' where it is not associated with a value" + (free ? " in enclosing scope" : ""))
            .str();
    if (auto missing = op.getAttributeAttr())
        e.fail("AttributeError", missing.getValue());
    if (op.getGlobal())
        e.fail("NameError", "name '" + op.getName() + "' is not defined");
    if (value.kind == Val::Kind::Unbound)
        e.fail(exception, message);
    if (value.kind == Val::Kind::Optional && !value.attr) {
        if (e.facts.equal(value.dim, e.dimConst(1)) != Answer::Yes)
            e.require("eq", {value.dim, e.dimConst(1)}, exception, message);
        value = Val(value.items[0]);
    }
    in.env[op.getResult()] = std::move(value);
}

static bool isPrintable(const Val &v) {
    auto fixed = dyn_cast_or_null<PyAttr>(v.attr);
    if (v.isUnion())
        return llvm::all_of(v.items, isPrintable);
    if (v.kind == Val::Kind::Static || v.kind == Val::Kind::Optional)
        return fixed ? llvm::is_contained(
                           {"none", "str", "exception", "type", "class", "dtype", "enum"},
                           fixed.getKind())
                     : !v.attr;
    const bool parts = v.isTuple() || v.isDict() || v.isRecord() || v.kind == Val::Kind::Object;
    if (v.kind == Val::Kind::Text || v.kind == Val::Kind::Heap)
        return true;
    return v.isTyped() || v.isDynamicList() || (parts && llvm::all_of(v.items, isPrintable));
}

void shapecast::visitRaise(Inference &in, RaiseOp op) {
    TypedBuilder &e = in.e;
    SmallVector<Val> given = in.vals(op.getValues());
    given[0] = raised(e, given[0], "exceptions must derive from BaseException");
    auto exception = [](const Val &v) {
        return v.isObject("exception") || v.isStatic("exception");
    };
    if (given.size() > 1 && !given[1].isNone() && !exception(given[1]))
        given = {raised(e, given[1], "exception causes must derive from BaseException")};
    SmallVector<Value> leaves;
    SmallVector<Attribute> trees;
    for (const Val &v : given) {
        if (!isPrintable(v))
            e.unsupported("an exception with " + (v.items.empty() ? v : v.items[0]).describe() +
                          " in it is not supported");
        trees.push_back(resultTree(in, copyToHost(e, v), leaves));
    }
    auto typed = RaiseOp::create(e.b, e.loc, leaves);
    typed.setTreeAttr(e.b.getArrayAttr(trees));
    in.unreachable = true;
}

void shapecast::visitPrint(Inference &in, PrintOp op) {
    TypedBuilder &e = in.e;
    SmallVector<Value> leaves;
    SmallVector<Attribute> trees;
    for (Val v : in.vals(op.getValues())) {
        if (std::optional<Val> text = textOfInstance(in, v, true))
            v = std::move(*text);
        if (!isPrintable(v))
            e.unsupported("print of " + v.describe() + " is not supported");
        trees.push_back(resultTree(in, v, leaves));
    }
    auto typed = PrintOp::create(e.b, e.loc, leaves);
    typed.getProperties() = op.getProperties();
    if (leaves.size() != trees.size() ||
        !llvm::all_of(trees, [](Attribute tree) { return isa<IntegerAttr>(tree); }))
        typed.setTreeAttr(e.b.getArrayAttr(trees));
}

//===-- raise

// `raise` of something else is a TypeError, when control reaches it.
static Val raised(TypedBuilder &e, const Val &v, StringRef otherwise) {
    if (v.isObject("exception") || v.isStatic("exception"))
        return v;
    return objectVal(e, "exception", "builtins.TypeError", {e.staticVal("str", otherwise)});
}
