#include "ops/builder/list_items.h"

#include "ops/builder/heap_sites.h"

#include "ops/builder/cells.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/indexing.h"
#include "ops/builder/memory.h"
#include "ops/builder/reductions.h"
#include "ops/builder/sequences.h"
#include "ops/builder/stores.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// The wrapped index of list[key]; IndexError(message) where it is out of bounds.
static DimAttr wrappedIndex(TypedBuilder &e, const Val &list, const Val &key, StringRef message) {
    const DimAttr at = toDim(e, key);
    e.require("index", {at, listLength(list)}, "IndexError", message);
    return e.facts.canonical(dimWrap(at, listLength(list)));
}

static Val slicedList(TypedBuilder &e, const Val &list, const Val &slice) {
    std::vector<Val> parts;
    DimAttr count = e.dimConst(0);
    for (size_t i = 0; i < columnsOf(list).size(); ++i) {
        parts.push_back(arrayItem(e, usedRows(e, list, i), slice));
        count = dimsOf(parts.back())[0];
    }
    Val result = emptyList(e, *list.element, list.list, count);
    for (auto [column, part] : llvm::zip_equal(columnsOf(result), parts))
        assign(e, column, part);
    return withLength(e, result, count);
}

void shapecast::refuseSlice(TypedBuilder &e, const Val &list) {
    wishHeap(e, list); // where it is supported
    e.unsupported("storing to a slice of a list is not supported here; store its items, or use an "
                  "array");
}

static const Val &onlyKey(TypedBuilder &e, const Val &list, ArrayRef<Val> keys) {
    checkSequenceIndex(e, list, keys);
    return keys[0];
}

Val shapecast::listItem(TypedBuilder &e, const Val &list, ArrayRef<Val> keys) {
    const Val &key = onlyKey(e, list, keys);
    if (key.kind == Val::Kind::Slice)
        return slicedList(e, list, key);
    return dynamicListItem(e, list,
                           wrappedIndex(e, list, key, list.describe() + " index out of range"));
}

std::optional<Val> shapecast::sliceAtRunTime(TypedBuilder &e, const Val &tuple,
                                             ArrayRef<Val> keys) {
    const bool isKnownSlice =
        keys[0].kind != Val::Kind::Slice || llvm::all_of(keys[0].items, [](const Val &part) {
            return part.isNone() || part.constInt();
        });
    if (tuple.list || tuple.items.empty() || isKnownSlice)
        return std::nullopt;
    const Val &start = keys[0].items[0], &stop = keys[0].items[1], &step = keys[0].items[2];
    const Val list = dynamicListFrom(e, tuple);
    if (!start.isPyInt() || !stop.isPyInt() || !(step.isNone() || step.constInt() == 1))
        return listItem(e, list, keys);
    const DimAttr count = e.facts.canonical(dimSub(stop.dim, start.dim));
    const bool isKnown =
        count.isConst() && count.getValue() >= 0 &&
        e.facts.greaterEqual(start.dim, e.dimConst(0)) == Answer::Yes &&
        e.facts.greaterEqual(e.dimConst(tuple.items.size()), stop.dim) == Answer::Yes;
    if (!isKnown)
        return listItem(e, list, keys);
    std::vector<Val> items;
    for (int64_t k = 0; k < count.getValue(); ++k)
        items.push_back(dynamicListItem(e, list, dimAdd(start.dim, e.dimConst(k))));
    return e.tupleVal(std::move(items));
}

// Stores the new state of the list to its cell.
static void update(TypedBuilder &e, const Val &list, const Val &now) {
    Cell &cell = mutableCell(e, list);
    cell.items = now.items;
    cell.element = now.element;
}

void shapecast::storeDynamicListItem(TypedBuilder &e, const Val &list, ArrayRef<Val> keys,
                                     const Val &value) {
    const Val &key = onlyKey(e, list, keys);
    if (key.kind == Val::Kind::Slice)
        refuseSlice(e, list);
    const DimAttr at = wrappedIndex(e, list, key, "list assignment index out of range");
    Val now = widenedFor(e, list, value);
    storeListItem(e, now, at, value);
    update(e, list, now);
}

// Moves the `count` items from index `from` on to `to`.
static void shift(TypedBuilder &e, const Val &list, DimAttr from, DimAttr to, DimAttr count) {
    for (const Val &column : columnsOf(list))
        assign(e, rows(e, column, to, count), rows(e, column, from, count));
}

static Val without(TypedBuilder &e, const Val &list, DimAttr at) {
    const DimAttr one = e.dimConst(1), next = dimAdd(at, one), length = listLength(list);
    if (e.facts.equal(next, length) != Answer::Yes)
        shift(e, list, next, at, dimSub(length, next));
    return withLength(e, list, dimSub(length, one));
}

void shapecast::deleteDynamicListItem(TypedBuilder &e, const Val &list, ArrayRef<Val> keys) {
    const Val &key = onlyKey(e, list, keys);
    if (key.kind == Val::Kind::Slice) {
        wishHeap(e, list);
        e.unsupported(
            "deleting a slice of a dynamic list (of a length known only at run time) is not "
            "supported; make a new list");
    }
    const DimAttr at = wrappedIndex(e, list, key, "list assignment index out of range");
    update(e, list, without(e, list, at));
}

static Val popItem(TypedBuilder &e, const Val &list, ArrayRef<Val> given) {
    const DimAttr length = listLength(list), one = e.dimConst(1);
    if (!e.facts.provesGreaterEqual(length, one))
        e.require("ge", {length, one}, "IndexError", "pop from empty list");
    const DimAttr at = given.empty() ? dimSub(length, one)
                                     : wrappedIndex(e, list, given[0], "pop index out of range");
    const Val item = dynamicListItem(e, list, at);
    update(e, list, without(e, list, at));
    return item;
}

static void insertItem(TypedBuilder &e, const Val &list, const Val &index, const Val &item) {
    const DimAttr zero = e.dimConst(0), one = e.dimConst(1), length = listLength(list);
    const DimAttr given = toDim(e, index);
    const DimAttr at = e.facts.canonical(
        e.facts.greaterEqual(given, zero) == Answer::Yes
            ? dimMin(given, length)
            : dimMin(dimMax(dimAdd(given,
                                   dimMul(length, dimMin(dimMax(dimSub(zero, given), zero), one))),
                            zero),
                     length)); // a negative one counts from the end
    Val now = reserveItems(e, widenedFor(e, list, item), one);
    shift(e, now, at, dimAdd(at, one), dimSub(length, at));
    storeListItem(e, now, at, item);
    update(e, list, withLength(e, now, dimAdd(length, one)));
}

// The array of the items, where they are numbers.
static std::optional<Val> numbersOf(TypedBuilder &e, const Val &list) {
    const Slot &element = *list.element;
    if (element.kind != Slot::Kind::Typed || isa<ArrayType>(element.type) ||
        element.maybeWeak != PyKind::Strong)
        return std::nullopt;
    return usedRows(e, list, 0);
}

bool shapecast::hasOrderedItems(TypedBuilder &e, const Val &list) {
    return numbersOf(e, list) && !isComplex(columnDtype(list.element->type));
}

static Val call(TypedBuilder &e, StringRef name, ArrayRef<Val> given) {
    const Function *function = findFunction(name);
    assert(function && "not in the table of functions");
    return callFunction(e, *function, given, {});
}

Val shapecast::dynamicListContains(TypedBuilder &e, const Val &list, const Val &item) {
    const Slot &element = *list.element;
    const bool areNumbers = numbersOf(e, list) && item.isScalar();
    const bool areTuples = element.kind == Slot::Kind::Tuple && item.isTuple() &&
                           element.items.size() == item.items.size() &&
                           llvm::all_of(element.items,
                                        [](const Slot &part) {
                                            return part.kind == Slot::Kind::Typed &&
                                                   part.maybeWeak == PyKind::Strong &&
                                                   !isa<ArrayType>(part.type);
                                        }) &&
                           llvm::all_of(item.items, [](const Val &v) { return v.isScalar(); });
    if (!areNumbers && !areTuples)
        wishHeap(e, list);
    if (!areNumbers && !areTuples)
        e.unsupported("'in' a dynamic list (of a length known only at run time) is supported for "
                      "numbers and tuples of them only");
    if (areNumbers)
        return isAny(e, ufunc(e, "equal", {usedRows(e, list, 0), item}));
    Val all = e.boolVal(true);
    for (size_t i = 0; i < item.items.size(); ++i) {
        const Val equal = ufunc(e, "equal", {usedRows(e, list, i), item.items[i]});
        all = i == 0 ? equal : ufunc(e, "logical_and", {all, equal});
    }
    return toPy(e, truth(e, call(e, "numpy.any", all)), PyKind::Bool);
}

// list.index(x), list.count(x), list.remove(x)
static Val searchMethod(TypedBuilder &e, const Val &list, StringRef name, const Val &item) {
    std::optional<Val> numbers = numbersOf(e, list);
    if (!numbers || !item.isScalar()) {
        wishHeap(e, list);
        e.unsupported("the method '" + name +
                      "' of a dynamic list (of a length known only at run time) is supported for "
                      "numbers only");
    }
    const Val equal = ufunc(e, "equal", {*numbers, item});
    if (name == "count")
        return toPy(e, call(e, "numpy.count_nonzero", equal), PyKind::Int);
    const Val any = toPy(e, truth(e, call(e, "numpy.any", equal)), PyKind::Bool);
    const DimAttr isFound[] = {toDim(e, toPy(e, any, PyKind::Int)), e.dimConst(1)};
    if (name == "index")
        requireInList(e, "eq", isFound, item);
    else
        e.require("eq", isFound, "ValueError", "list.remove(x): x not in list");
    const DimAttr at = toDim(e, call(e, "numpy.argmax", equal));
    e.require("index", {at, listLength(list)}, "SystemError", "argmax is beyond the end");
    if (name == "index")
        return e.sizeVal(at);
    update(e, list, without(e, list, at));
    return e.noneVal();
}

std::optional<Val> shapecast::dynamicListMethod(TypedBuilder &e, const Val &list, StringRef name,
                                                ArrayRef<Val> given) {
    auto takes = [&](size_t count) { return given.size() == count; };
    if (name == "append" && takes(1)) {
        wishForItem(e, &list, e.loc, given[0]);
        update(e, list, appendItem(e, list, given[0]));
    } else if (name == "extend" && takes(1) && (given[0].isTuple() || given[0].isDynamicList())) {
        update(e, list, extended(e, list, given[0]));
    } else if (name == "insert" && takes(2)) {
        insertItem(e, list, given[0], given[1]);
    } else if (name == "pop" && given.size() <= 1) {
        return popItem(e, list, given);
    } else if (name == "clear" && takes(0)) {
        update(e, list, withLength(e, list, e.dimConst(0)));
    } else if (name == "copy" && takes(0)) {
        return dynamicListCopy(e, list, true);
    } else if (name == "reverse" && takes(0)) {
        Val back;
        back.kind = Val::Kind::Slice;
        back.items = {e.noneVal(), e.noneVal(), e.intVal(-1)};
        update(e, list, slicedList(e, list, back));
    } else if (name == "sort" && takes(0) && hasOrderedItems(e, list)) {
        native(e, "sort", *numbersOf(e, list), {e.intVal(1)} /* stable */);
        update(e, list, list);
    } else if ((name == "index" || name == "count" || name == "remove") && takes(1)) {
        return searchMethod(e, list, name, given[0]);
    } else {
        return std::nullopt;
    }
    return e.noneVal();
}
