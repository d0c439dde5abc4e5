#include "ops/builder/cells.h"

#include "ir/in_memory.h"
#include "ops/builder/infer_error.h"

#include "ops/builder/heap_sites.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Whether it is or contains a new object, which has no cell yet.
static bool hasNewObject(const Val &v) {
    return (isContainer(v) && !v.cell) ||
           (v.isTuple() && llvm::any_of(v.items.read(), hasNewObject));
}

// `isReturned`: it is an attribute of a record that a recursive function or the body of a `try`
// returns, which was made there.
static void allocateCells(TypedBuilder &e, Val &v, bool isReturned) {
    if (!v.isTuple() && !isContainer(v))
        return;
    isReturned |= v.isRecord() && v.made;
    if (llvm::any_of(v.items.read(), hasNewObject)) // else the vector stays shared
        for (Val &item : v.items)
            allocateCells(e, item, isReturned);
    if (!isContainer(v) || v.cell)
        return;
    v.cell = unsigned(e.cells.size());
    if (!isReturned || !v.made)
        v.made = e.heapSites ? e.heapSites->placed(e.loc) : e.loc;
    e.cells.push_back({v.items, v.attr, v.element, {}, 0, ++e.lastSerial, v.made});
}

void shapecast::allocateCells(TypedBuilder &e, Val &v) { ::allocateCells(e, v, false); }

// Whether its state, or that of something in it, is in cells.
static bool isInCells(const Val &v, size_t cells) {
    return (isContainer(v) && v.cell && v.cell < cells) ||
           llvm::any_of(v.items.read(), [&](const Val &item) { return isInCells(item, cells); });
}

void shapecast::reloadCells(TypedBuilder &e, Val &v) {
    if (v.items.empty() && !isContainer(v))
        return;
    if (isContainer(v) && v.cell && v.cell < e.cells.size()) {
        v.items = e.cells[v.cell].items;
        v.attr = e.cells[v.cell].keys;
        v.element = e.cells[v.cell].element;
        v.made = e.cells[v.cell].made;
        if (v.list)
            v.kind = v.element ? Val::Kind::DynamicList : Val::Kind::Tuple;
    }
    for (size_t i = 0; i < v.items.size(); ++i)
        if (isInCells(v.items.read()[i], e.cells.size())) // else the vector stays shared
            reloadCells(e, v.items[i]);
}

Val shapecast::loadCell(const TypedBuilder &e, unsigned cell) {
    Val v;
    v.list = !e.cells[cell].keys;
    v.element = e.cells[cell].element;
    v.kind = v.element                            ? Val::Kind::DynamicList
             : v.list                             ? Val::Kind::Tuple
             : isa<ArrayAttr>(e.cells[cell].keys) ? Val::Kind::Dict
                                                  : Val::Kind::Record;
    v.attr = e.cells[cell].keys;
    v.items = e.cells[cell].items;
    v.cell = unknownCell;
    v.made = e.cells[cell].made;
    return v;
}

void shapecast::storeCell(TypedBuilder &e, unsigned cell, const Val &v) {
    e.cells[cell].items = v.items;
    e.cells[cell].keys = v.attr;
    e.cells[cell].element = v.element;
    if (v.made)
        e.cells[cell].made = v.made;
    ++e.cells[cell].changes;
    e.anyCellMutated = true;
}

bool shapecast::containsCell(const Val &v, unsigned cell) {
    return (isContainer(v) && v.cell == cell) ||
           llvm::any_of(v.items, [&](const Val &item) { return containsCell(item, cell); });
}

static void wishGlobal(TypedBuilder &e, const Cell &cell) {
    if (auto number = dyn_cast_or_null<IntegerAttr>(cell.target))
        e.globalWishes.push_back(requestOfGlobal(int32_t(number.getInt())));
}

void shapecast::wishGlobal(TypedBuilder &e, const Val &container) {
    if (container.cell && container.cell != unknownCell)
        ::wishGlobal(e, e.cells[container.cell]);
}

// A container of unknown place is changed: it may be in any of these.
static void wishGlobals(TypedBuilder &e) {
    for (const Cell &cell : e.cells)
        if (llvm::any_of(cell.items.read(), isContainer))
            wishGlobal(e, cell);
}

Cell &shapecast::mutableCell(TypedBuilder &e, const Val &container) {
    const std::string what =
        container.isRecord() ? container.describe() : "a " + container.describe();
    const size_t wishes = e.heapWishes.size();
    e.heapWishes.append(e.sitesOfCopies.begin(), e.sitesOfCopies.end());
    wishHeap(e, container);
    if (container.cell == unknownCell) {
        wishGlobals(e);
        e.wishesHeapArgument = true; // it may be an item of one
        e.unsupported(
            "changing " + what +
            " that is another one on another path or in another iteration is not supported; "
            "make a new one");
    }
    Cell &cell = e.cells[container.cell];
    ::wishGlobal(e, cell);
    if (isa_and_nonnull<StringAttr, IntegerAttr>(cell.target)) {
        auto why = dyn_cast<StringAttr>(cell.target);
        e.wishesHeapArgument = bool(why);
        e.unsupported("changing " + what + " " + (why ? why.getValue() : StringRef(ofGlobals)) +
                      " is not supported; make a copy, and return it");
    }
    if (e.copiedCells.contains(cell.serial))
        e.unsupported(
            "changing " + what +
            " that is in a dynamic list, or that another name may refer to, is not supported; "
            "change it before it is there, or make a new one");
    e.heapWishes.truncate(wishes);
    ++cell.changes;
    e.anyCellMutated = true;
    return cell;
}
