#include "passes/infer/carried.h"

#include "ops/builder/cells.h"
#include "ops/builder/slot.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// The contents of a list or dict, with the current contents of those in it.
Val shapecast::contentsOf(TypedBuilder &e, unsigned cell) {
    Val v = loadCell(e, cell);
    for (Val &item : v.items)
        reloadCells(e, item);
    return v;
}

bool shapecast::holdsInnerSymbol(const TypedBuilder &e, DimAttr dim, unsigned firstInnerSymbol) {
    bool inner = false;
    dimSymbols(dim, [&](StringRef name) {
        unsigned number = 0;
        inner |= !name.drop_front().getAsInteger(10, number) && number >= firstInnerSymbol &&
                 !e.hints.contains(name);
    });
    return inner;
}

// Sizes of the items of dynamic lists must not be symbols from inside a loop or branch.
void shapecast::checkItemSizes(TypedBuilder &e, const Slot &slot, unsigned firstInnerSymbol) {
    auto array = slot.kind == Slot::Kind::Typed ? dyn_cast<ArrayType>(slot.type) : ArrayType();
    for (DimAttr dim : array ? array.getDims() : ArrayRef<DimAttr>())
        if (holdsInnerSymbol(e, dim, firstInnerSymbol))
            e.unsupported("arrays in a list that grows, whose sizes are computed at run time, are "
                          "not supported; store them to an array, or keep their sizes");
    for (const Slot &item : slot.items)
        checkItemSizes(e, item, firstInnerSymbol);
}

// Symbols of sizes that are defined inside one arm only, where the other one raised or has no such
// value, become results of the branch.
void shapecast::carryInnerSizes(Inference &in, Slot &slot, unsigned firstInnerSymbol) {
    TypedBuilder &e = in.e;
    for (Slot &item : slot.items)
        carryInnerSizes(in, item, firstInnerSymbol);
    for (const Slot &element : slot.element)
        checkItemSizes(e, element, firstInnerSymbol);
    auto array = slot.kind == Slot::Kind::Typed ? dyn_cast<ArrayType>(slot.type) : ArrayType();
    for (auto [i, dim] : llvm::enumerate(array ? array.getDims() : ArrayRef<DimAttr>()))
        if (holdsInnerSymbol(e, dim, firstInnerSymbol))
            slot.dynamicDims[i] = true;
}

// The lists and dicts from before that were changed since.
SmallVector<unsigned> shapecast::changedCells(ArrayRef<Cell> before, ArrayRef<Cell> after) {
    SmallVector<unsigned> changed;
    for (unsigned cell = 1; cell < before.size(); ++cell)
        if (after[cell].changes != before[cell].changes)
            changed.push_back(cell);
    return changed;
}

SmallVector<Value> shapecast::packAll(Inference &in, ArrayRef<Slot> slots, ArrayRef<Val> values) {
    TypedBuilder &e = in.e;
    SmallVector<Value> operands;
    for (auto [slot, v] : llvm::zip(slots, values))
        pack(e, slot, v, operands);
    return operands;
}

// A list or dict that one arm made and yields gets a new cell: its contents are carried.
void shapecast::adoptCells(Inference &in, Slot &slot, size_t outer,
                           DenseMap<unsigned, unsigned> &adopted) {
    TypedBuilder &e = in.e;
    for (Slot &item : slot.items)
        adoptCells(in, item, outer, adopted);
    if (slot.cell == unknownCell || slot.cell < outer)
        return;
    auto [known, isNew] = adopted.try_emplace(slot.cell, e.cells.size());
    if (isNew) {
        const unsigned serial = e.cells[slot.cell].serial;
        const LocationAttr made = e.cells[slot.cell].made;
        e.cells.emplace_back().serial = serial;
        e.cells.back().made = made;
    }
    slot.cell = known->second;
    slot.storesCell = true;
}
