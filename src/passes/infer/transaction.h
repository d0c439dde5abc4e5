// Speculation: what is emitted in a transaction can be thrown away again.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// The state that is restored when what was emitted since is thrown away.
struct Transaction {
    TypedBuilder &e;
    unsigned nextSymbol, iterationCells;
    size_t guards, sizeFactCount;
    std::vector<Cell> cells;
    np::DimFacts::Mark mark;
    mlir::OpBuilder::InsertPoint point;
    explicit Transaction(TypedBuilder &e)
        : e(e), nextSymbol(e.nextSymbol), iterationCells(e.iterationCells), guards(e.guards.size()),
          sizeFactCount(e.sizeFacts.size()), cells(e.cells), mark(e.facts.mark()),
          point(e.b.saveInsertionPoint()) {}
    void rollBack() {
        e.nextSymbol = nextSymbol;
        e.guards.truncate(guards);
        e.cells = cells;
        commit();
    }
    void commit() { // the body's facts hold in the body only
        e.iterationCells = iterationCells;
        e.facts.rewind(mark);
        e.sizeFacts.resize(sizeFactCount);
        e.b.restoreInsertionPoint(point);
    }
};

} // namespace shapecast
