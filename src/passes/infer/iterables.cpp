// np-infer: what `for` iterates over. A loop with a known trip count is fully unrolled where the
// items differ in type, or where the variables change their type in each iteration; all others are
// counted loops.
#include "passes/infer/iterables.h"

#include "facts/host_info.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_entries.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/items.h"
#include "ops/builder/operators.h"
#include "ops/builder/sequences.h"
#include "passes/frontend/library.h"
#include "passes/infer/branches.h"
#include "passes/infer/callouts.h"
#include "passes/infer/functions.h"
#include "passes/infer/iterator_sites.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// The function of map(function, ...).
static bool isMapped(const Val &iterator, const Val &item) {
    return cast<StringAttr>(iterator.attr).getValue() == "map" && &item == &iterator.items[0];
}

// np.ndindex(...), np.ndenumerate(a), a.flat: element by element, in C order.
static bool iteratesElements(const Val &iterator) {
    return llvm::is_contained({"ndindex", "ndenumerate", "flat"},
                              cast<StringAttr>(iterator.attr).getValue());
}

static Dims sizesOf(TypedBuilder &e, const Val &iterator) {
    if (cast<StringAttr>(iterator.attr).getValue() != "ndindex")
        return dimsOf(iterator.items[0]);
    Dims sizes;
    for (const Val &size : iterator.items)
        sizes.push_back(size.dim);
    return sizes;
}

StringRef shapecast::kindOf(const Val &iterator) {
    return cast<StringAttr>(iterator.attr).getValue();
}

// An array of Python's, and its length.
static bool isPythonView(const Val &v) {
    return v.kind == Val::Kind::Iterator && kindOf(v) == "python";
}

// np.unravel_index(number, sizes).
static std::vector<Val> unravelIndex(TypedBuilder &e, ArrayRef<DimAttr> sizes, DimAttr number) {
    std::vector<Val> index(sizes.size());
    for (size_t axis = sizes.size(); axis-- > 0;) {
        index[axis] = e.sizeVal(axis == 0 ? number : dimMod(number, sizes[axis]));
        number = dimFloorDiv(number, sizes[axis]);
    }
    return index;
}

// The number of items; none where it is not an iterable of countable length.
std::optional<DimAttr> shapecast::lengthOf(Inference &in, const Val &iterable) {
    TypedBuilder &e = in.e;
    if (iterable.isTuple() || iterable.isDict())
        return e.dimConst(iterable.items.size());
    if (isHeap(iterable))
        return heapCompact(e, iterable).dim;
    if (iterable.isDynamicList())
        return iterable.items[0].dim;
    if (iterable.isText())
        return textLength(e, iterable).dim;
    if (iterable.isArray() && iterable.array().getRank() > 0)
        return dimsOf(iterable)[0];
    if (iterable.kind == Val::Kind::Range) {
        DimAttr low = iterable.items[0].dim, high = iterable.items[1].dim,
                step = iterable.items[2].dim;
        if (step.isConst(1))
            return dimMax(e.dimConst(0), dimSub(high, low));
        return dimMax(e.dimConst(0), dimCeilDiv(dimSub(high, low), step));
    }
    if (iterable.kind != Val::Kind::Iterator)
        return std::nullopt;
    if (iteratesElements(iterable))
        return dimProduct(e.ctx, sizesOf(e, iterable));
    if (kindOf(iterable) == "product") {
        std::optional<Dims> sizes = lengthsOf(in, iterable.items);
        return sizes ? std::optional(dimProduct(e.ctx, *sizes)) : std::nullopt;
    }
    if (isPythonView(iterable))
        return iterable.items[1].dim;
    if (isHeapView(iterable))
        return iterable.items.size() > 1 ? iterable.items[1].dim
                                         : heapCompact(e, iterable.items[0]).dim;
    std::optional<DimAttr> least;
    for (const Val &item : iterable.items) {
        if (item.isScalar() || isMapped(iterable, item)) // enumerate's start
            continue;
        std::optional<DimAttr> length = lengthOf(in, item);
        if (!length)
            return std::nullopt;
        least = !least                                                 ? *length
                : e.facts.greaterEqual(*least, *length) == Answer::Yes ? *length
                : e.facts.greaterEqual(*length, *least) == Answer::Yes ? *least
                                                                       : dimMin(*least, *length);
    }
    return least ? *least : e.dimConst(0);
}

std::optional<Dims> shapecast::lengthsOf(Inference &in, ArrayRef<Val> iterables) {
    Dims lengths;
    for (const Val &iterable : iterables) {
        std::optional<DimAttr> length = lengthOf(in, iterable);
        if (!length)
            return std::nullopt;
        lengths.push_back(*length);
    }
    return lengths;
}

// The keys, values or items of a container in memory; a loop's has its length before, too.
bool shapecast::isHeapView(const Val &v) {
    return v.kind == Val::Kind::Iterator && !v.items.empty() && isHeap(v.items[0]) &&
           llvm::is_contained({"keys", "values", "items"}, kindOf(v));
}

Val shapecast::countedHeaps(Inference &in, const Val &iterable) {
    if (isPythonArray(iterable)) {
        Val view = iterator(in.e, "python", {iterable});
        view.items.push_back(callOut(in, "builtins.len", {iterable}, {}));
        return view;
    }
    const bool isView = isHeapView(iterable);
    if (isHeap(iterable) || (isView && iterable.items.size() == 1)) {
        const Val &container = isView ? iterable.items[0] : iterable;
        if (isEmptyForEver(container))
            return in.e.tupleVal({});
        Val view = iterator(in.e, isView ? kindOf(iterable) : "keys", {container});
        view.items.push_back(heapCompact(in.e, container));
        return view;
    }
    Val counted = iterable;
    if (iterable.kind == Val::Kind::Iterator && !isView && !isPythonView(iterable))
        for (Val &item : counted.items)
            item = countedHeaps(in, item);
    return counted;
}

static StringRef changedSize(const Val &container) {
    return isHeap(container, "set")    ? "Set changed size during iteration"
           : isHeap(container, "list") ? "list changed size during iteration"
                                       : "dictionary changed size during iteration";
}

void shapecast::requireUnchanged(Inference &in, const Val &view) {
    const Val now = heapLength(in.e, view.items[0]);
    in.e.require("eq", {now.dim, view.items[1].dim}, "RuntimeError", changedSize(view.items[0]));
}

// Of those whose results do not depend on the order of the items.
static bool isOfSetMethod(Inference &in) {
    if (in.callStack.empty())
        return false;
    const StringRef name = FuncOp(in.callStack.back()).getSymName();
    return name.starts_with("library.builtins.set.") && !name.ends_with("__repr__");
}

static Val heapViewItem(Inference &in, const Val &view, const Val &index) {
    TypedBuilder &e = in.e;
    const Val &container = view.items[0];
    if (!isOfSetMethod(in))
        checkHasOrder(e, container);
    if (view.items.size() > 1)
        requireUnchanged(in, view);
    else
        e.require("index", {index.dim, heapLength(e, container).dim}, "RuntimeError",
                  changedSize(container));
    if (!isHeap(container, "list")) // Python goes on with the next one that is there
        raiseIf(e, isRemovedAt(e, container, index), "RuntimeError",
                isHeap(container, "set") ? "Set changed during iteration"
                                         : "dictionary keys changed during iteration");
    const StringRef kind = kindOf(view);
    if (kind == "keys")
        return heapKeyAt(e, container, index);
    if (kind == "values")
        return heapValueAt(e, container, index);
    return e.tupleVal({heapKeyAt(e, container, index), heapValueAt(e, container, index)});
}

// The item at an index that is in bounds.
Val shapecast::itemAt(Inference &in, const Val &iterable, const Val &index) {
    TypedBuilder &e = in.e;
    if (iterable.isTuple())
        return pickItem(in, iterable, index);
    if (iterable.isDict())
        return itemAt(in, e.tupleVal(*itemsOf(e, iterable)), index);
    if (isHeap(iterable))
        return itemAt(in, iterator(e, "keys", {iterable}), index);
    if (iterable.isDynamicList())
        return dynamicListItem(e, iterable, index.dim);
    if (iterable.isText())
        return textAt(e, iterable, index);
    if (iterable.isArray())
        return getItem(e, iterable, {index});
    if (iterable.kind == Val::Kind::Range)
        return e.sizeVal(dimAdd(iterable.items[0].dim, dimMul(iterable.items[2].dim, index.dim)));
    StringRef kind = kindOf(iterable);
    if (isHeapView(iterable))
        return heapViewItem(in, iterable, index);
    if (kind == "iter")
        return itemAt(in, iterable.items[0], index);
    if (kind == "python")
        return callOut(in, "operator.getitem", {iterable.items[0], index}, {});
    if (kind == "product") {
        std::vector<Val> items = unravelIndex(e, *lengthsOf(in, iterable.items), index.dim);
        for (auto [item, pool] : llvm::zip(items, iterable.items))
            item = itemAt(in, pool, item);
        return e.tupleVal(std::move(items));
    }
    if (kind == "reversed") {
        DimAttr last = dimSub(*lengthOf(in, iterable.items[0]), e.dimConst(1));
        return itemAt(in, iterable.items[0], e.sizeVal(dimSub(last, index.dim)));
    }
    if (kind == "enumerate")
        return e.tupleVal({e.sizeVal(dimAdd(iterable.items[1].dim, index.dim)),
                           itemAt(in, iterable.items[0], index)});
    if (iteratesElements(iterable)) {
        const std::vector<Val> indices = unravelIndex(e, sizesOf(e, iterable), index.dim);
        if (kind == "ndindex")
            return e.tupleVal(indices);
        const Val element = getItem(e, iterable.items[0], indices);
        return kind == "flat" ? element : e.tupleVal({e.tupleVal(indices), element});
    }
    std::vector<Val> items;
    for (const Val &item : ArrayRef<Val>(iterable.items).drop_front(kind == "map"))
        items.push_back(itemAt(in, item, index));
    return kind == "map" ? apply(in, iterable.items[0], items, {}, e.loc)
                         : e.tupleVal(std::move(items));
}

// items[index] with an index known only at run time, not negative and in bounds: a binary tree of
// branches.
Val shapecast::pickItem(Inference &in, const Val &tuple, const Val &index) {
    TypedBuilder &e = in.e;
    ArrayRef<Val> items = tuple.items;
    if (std::optional<int64_t> known = index.constInt())
        return items[*known];
    auto pick = [&](auto &self, size_t first, size_t count) -> Val {
        if (count == 1)
            return items[first];
        Val left = compare(e, "lt", index, e.intVal(first + count / 2));
        return branch(in, e.loc, left, [&](bool holds) {
            return SmallVector<Val>{holds ? self(self, first, count / 2)
                                          : self(self, first + count / 2, count - count / 2)};
        })[0];
    };
    return pick(pick, 0, items.size());
}

// tuple[index] as in Python: negative indices wrap.
Val shapecast::tupleItemAt(Inference &in, const Val &tuple, const Val &index) {
    TypedBuilder &e = in.e;
    DimAttr size = e.dimConst(tuple.items.size()), at = toDim(e, index);
    const char *message = tuple.list ? "list index out of range" : "tuple index out of range";
    if (tuple.items.empty())
        e.fail("IndexError", message);
    e.require("index", {at, size}, "IndexError", message);
    return pickItem(in, tuple, e.sizeVal(dimWrap(at, size)));
}

// Marks an iterator as exhausted.
void shapecast::exhaust(Inference &in, const Val &iterator) {
    TypedBuilder &e = in.e;
    if (iterator.kind != Val::Kind::Iterator || isHeapView(iterator))
        return;
    const bool ofAnotherIteration =
        iterator.dim && iterator.dim.getValue() != int64_t(e.iterationCells);
    if (!in.exhausted.insert(iterator.serial).second || ofAnotherIteration) {
        requestIterator(in, iterator);
        e.unsupported("iterating over a " + iterator.describe() +
                      " object more than once is not supported; call it again");
    }
    for (const Val &item : iterator.items)
        if (!isMapped(iterator, item))
            exhaust(in, item);
}

// next(iterator, default): the first item. Further uses of the iterator are refused.
Val shapecast::nextCall(Inference &in, ArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    if (operands.empty() || operands.size() > 2)
        e.fail("TypeError", "next expected 1 to 2 arguments, got " + Twine(operands.size()));
    const Val iterator = operands[0];
    if (iterator.kind != Val::Kind::Iterator || isDictView(iterator))
        e.fail("TypeError", "'" + iterator.className() + "' object is not an iterator");
    exhaust(in, iterator);
    const DimAttr length = e.facts.canonical(*lengthOf(in, iterator));
    if (length.isConst() && (length.getValue() > 0 || operands.size() == 2))
        return length.getValue() > 0 ? itemAt(in, iterator, e.intVal(0)) : operands[1];
    const Val empty = compare(e, "lt", e.sizeVal(length), e.intVal(1));
    if (operands.size() == 1) {
        raiseIf(e, empty, "StopIteration", "");
        in.unreachable = length.isConst();
        return in.unreachable ? e.neverVal() : itemAt(in, iterator, e.intVal(0));
    }
    return e.branch(truth(e, empty), [&](bool holds) {
        return holds ? operands[1] : itemAt(in, iterator, e.intVal(0));
    });
}

std::optional<std::vector<Val>> shapecast::knownItems(Inference &in, const Val &iterable) {
    exhaust(in, iterable);
    return unrolledItems(in, iterable);
}

// Whether the trip count is known and small enough for unrolling.
bool shapecast::shouldUnroll(Inference &in, const Val &iterable) {
    TypedBuilder &e = in.e;
    std::optional<DimAttr> length = lengthOf(in, iterable);
    DimAttr known = length ? e.facts.canonical(*length) : DimAttr();
    return known && known.isConst() && known.getValue() <= maxUnrollTripCount;
}

// The items, where their number is known.
std::optional<std::vector<Val>> shapecast::unrolledItems(Inference &in, const Val &iterable) {
    TypedBuilder &e = in.e;
    if (iterable.kind != Val::Kind::Iterator && !iterable.isDynamicList())
        return itemsOf(e, iterable);
    if (!shouldUnroll(in, iterable))
        return std::nullopt;
    std::vector<Val> items;
    for (int64_t k = 0, n = e.facts.canonical(*lengthOf(in, iterable)).getValue(); k < n; ++k)
        items.push_back(itemAt(in, iterable, e.intVal(k)));
    return items;
}
