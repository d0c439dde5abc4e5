// Outer-loop vectorisation with divergence masks: each lane of the vectors computes an iteration.
//
// Before: the loop has the attribute `outer_vector` (passes/loops/outer_vectorisation.h). After:
// code in which every value that varies between iterations is a vector. An inner loop continues
// until no lane is active; the values of inactive lanes stay as they are. The last vectors are
// filled up by repeating the last iteration. Every lane does what its iteration does in scalar
// code, in the same order, so no bit changes. The loop-carried recurrence is computed after that,
// lane by lane; stores come last. Where something may raise in one of these iterations, none of
// their results is kept: they are left to the loop's scalar code, which knows the location.
#pragma once

#include "lower/kit/loop_builder.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace shapecast {

class OuterVectoriser {
public:
    OuterVectoriser(FunctionState &state, np::ForOp loop);
    ~OuterVectoriser();
    OuterVectoriser(const OuterVectoriser &) = delete;
    OuterVectoriser &operator=(const OuterVectoriser &) = delete;

    // Whether all operations have an exact vector form.
    bool canVectorise();
    // The iterations from .. to - 1. `carried` are the parts of the loop-carried values, before and
    // after. Returns the block to continue at in scalar code where an iteration may raise: its
    // arguments are that iteration or one before it, and what was carried then. Null: none may.
    mlir::Block *emit(mlir::Value from, mlir::Value to, Values &carried);

private:
    struct Code {
        mlir::Block *block;
        Scalar result;
        Values traps; // true: may raise
    };
    Code scalarCode(mlir::Operation *op, bool isForEmission, mlir::IRMapping &map);
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
    void branchIfTrapped();

    void block(mlir::Block &block);
    void operation(mlir::Operation *op);
    void ifOp(np::IfOp op);
    Values branch(mlir::Region &region, mlir::Value mask);
    mlir::Value allLanes(); // a mask
    void endIteration(np::NextOp next, LoopBuilder &inner, mlir::ValueRange carried, Values again);
    void whileOp(np::WhileOp op);
    void forOp(np::ForOp op);
    void load(np::LoadOp op);
    void store(np::StoreOp op);
    void emitRecurrence(mlir::Value to, Values &carried);
    void extractLane(mlir::Value value, unsigned lane);
    Values recurrenceOfLane(mlir::ValueRange carried, unsigned lane);
    void recurrenceOperation(mlir::Operation *op, mlir::Value when);
    void atEachLane(llvm::function_ref<void(unsigned lane, mlir::Value lanesNumber)> visit);

    FunctionState &state;
    mlir::OpBuilder &b;
    np::ForOp loop;
    mlir::Operation *holder;                     // of scalar code, the template of vector code
    llvm::DenseMap<mlir::Value, Scalar> varying; // vectors
    llvm::StringMap<mlir::Value> named;          // values of symbols in an iteration
    llvm::SmallVector<mlir::Value> iterations;   // each lane's iteration number
    mlir::Value mask;                            // active lanes; null: all
    const llvm::SetVector<mlir::Operation *> recurrence; // what depends on loop-carried values
    llvm::SmallVector<np::StoreOp> stores;
    mlir::Value trapped;                   // lanes that may raise, since the last test; null: none
    mlir::Value first;                     // iteration of the vectors
    Values before;                         // carried into it
    mlir::Block *scalarFallback = nullptr; // returned by emit()
};

} // namespace shapecast
