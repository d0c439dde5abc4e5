// Several turns of a loop at once, each in a lane of vectors.
//
// Before: the loop has the attribute `lanes` (passes/lanes.h). After: code in which all that
// differs from turn to turn is a vector. A loop inside goes on until no lane needs it any more; the
// values of a lane that is done stay as they are. The last turns of the loop fill their vectors up
// with the last one, several times. Every lane does what its turn does alone, in the same order, so
// no bit changes. What the loop carries is computed behind that, turn by turn; stores come last.
// Where something may raise in one of these turns, nothing of them is kept: they are left to the
// loop's scalar code, which knows where.
#pragma once

#include "lower/function_state.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace shapecast {

class FunctionState::Lanes {
public:
    Lanes(FunctionState &state, np::ForOp loop);
    ~Lanes();
    Lanes(const Lanes &) = delete;
    Lanes &operator=(const Lanes &) = delete;

    // Vectors have a form of all that is computed.
    bool arePossible();
    // The turns from .. to - 1. `carried` are the parts of what the loop carries, before and after.
    // The block returned begins where a turn may raise, with that turn or one before it and with
    // what was carried then; null: none may.
    mlir::Block *emit(mlir::Value from, mlir::Value to, Values &carried);

private:
    struct Code {
        mlir::Block *block;
        Scalar result;
        Values traps; // true: may raise
    };
    Code scalarCode(mlir::Operation *op, bool isReal, mlir::IRMapping &map);
    using Named = llvm::SmallVector<std::pair<np::DimAttr, mlir::Value>>;
    Named namesIn(np::SizeOp size);
    void name(mlir::Operation *op);
    bool isVarying(mlir::Operation *op);
    Scalar lanesOf(mlir::Value value);
    void appendLanes(mlir::ValueRange values, Values &parts);
    void bind(mlir::ValueRange targets, mlir::ValueRange parts);
    llvm::SmallVector<mlir::Type> laneTypes(mlir::TypeRange types);
    mlir::Value both(mlir::Value a, mlir::Value b); // of masks; null is all
    mlir::Value any(mlir::Value mask);
    Values chosen(mlir::Value mask, mlir::ValueRange yes, mlir::ValueRange no);

    void mayTrap(mlir::Value condition);
    void leaveIfTrapped();

    void block(mlir::Block &block);
    void operation(mlir::Operation *op);
    void ifOp(np::IfOp op);
    Values branch(mlir::Region &region, mlir::Value mask);
    void whileOp(np::WhileOp op);
    void forOp(np::ForOp op);
    void load(np::LoadOp op);
    void store(np::StoreOp op);
    void turnsOfTail(mlir::Value to, Values &carried);
    void pick(mlir::Value value, unsigned lane);
    Values scalarTail(mlir::ValueRange carried, unsigned lane);
    void tailOperation(mlir::Operation *op, mlir::Value when);
    void atEachLane(llvm::function_ref<void(unsigned lane, mlir::Value lanesNumber)> visit);

    FunctionState &state;
    mlir::OpBuilder &b;
    np::ForOp loop;
    mlir::Operation *holder;                     // of scalar code that vectors are made of
    llvm::DenseMap<mlir::Value, Scalar> varying; // vectors
    llvm::StringMap<mlir::Value> named;          // what symbols stand for in a turn
    llvm::SmallVector<mlir::Value> turns;        // the number of each lane's turn
    mlir::Value mask;                            // lanes that are at work; null: all
    const llvm::SetVector<mlir::Operation *> tail;
    llvm::SmallVector<np::StoreOp> stores;
    mlir::Value trapped;          // a mask, since the last look at it; null: none
    mlir::Value first;            // turn of these
    Values before;                // what was carried then
    mlir::Block *aside = nullptr; // see emit
};

} // namespace shapecast
