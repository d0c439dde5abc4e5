#include "lower/function/calls.h"

#include "lower/function/print.h"
#include "lower/kit/errors.h"
#include "lower/kit/polls.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/abi.h"
#include "runtime/callbacks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// Raises where the frame at `here` is below the stack's limit. The context caches the limit, which
// the run time computes once.
static void checkStack(FunctionState &state, Location loc, Value here) {
    Type i64 = state.b.getI64Type();
    Value address = LLVM::PtrToIntOp::create(state.b, loc, i64, here);
    Value known = loadSlot(state, loc, state.context, runtime::contextStackSlot, i64);
    auto isBelow = [&](Value end) {
        return arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::ult, address, end);
    };
    Block *ask = state.newBlock({}, loc), *next = state.newBlock(i64, loc);
    cf::CondBranchOp::create(state.b, loc, isBelow(known), ask, ValueRange(), next, known);
    state.b.setInsertionPointToEnd(ask);
    Value end =
        RuntimeFunction<&runtime::sc_stack_end>(state.module).call(state.b, loc, state.context);
    cf::BranchOp::create(state.b, loc, next, end);
    state.b.setInsertionPointToEnd(next);
    raiseWhen(state, isBelow(next->getArgument(0)), loc, "RecursionError",
              "maximum recursion depth exceeded", {});
}

// Appends three results to those of a call that may raise: whether it did, which of `classes` the
// exception is of, its number.
static void catchWhen(FunctionState &state, Value raised, Location loc, StringRef classes,
                      Value results, int64_t first) {
    Block *next = state.newBlock({}, loc), *taken = state.newBlock({}, loc),
          *none = state.newBlock({}, loc);
    cf::CondBranchOp::create(state.b, loc, raised, taken, none, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    state.b.setInsertionPointToEnd(none);
    for (int64_t k = 0; k < 3; ++k)
        storeSlot(state, loc, results, first + k,
                  arith::ConstantIntOp::create(state.b, loc, 0, 64));
    cf::BranchOp::create(state.b, loc, next);
    state.b.setInsertionPointToEnd(taken);
    Value text = textAddress(state, loc, classes),
          size = arith::ConstantIntOp::create(state.b, loc, int64_t(classes.size()), 64);
    Value both = RuntimeFunction<&runtime::sc_catch>(state.module)
                     .call(state.b, loc, state.context, text, size);
    Value eight = arith::ConstantIntOp::create(state.b, loc, 8, 64),
          mask = arith::ConstantIntOp::create(state.b, loc, 255, 64);
    storeSlot(state, loc, results, first, arith::ConstantIntOp::create(state.b, loc, 1, 64));
    storeSlot(state, loc, results, first + 1, arith::AndIOp::create(state.b, loc, both, mask));
    storeSlot(state, loc, results, first + 2, arith::ShRUIOp::create(state.b, loc, both, eight));
    cf::BranchOp::create(state.b, loc, next);
    state.b.setInsertionPointToEnd(next);
}

// The callee has recorded the error, to which this call is added.
static void failOfCallWhen(FunctionState &state, Value raised, Location loc) {
    Block *next = state.newBlock({}, loc), *failed = state.newBlock({}, loc);
    cf::CondBranchOp::create(state.b, loc, raised, failed, next, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    state.cold.push_back(failed);
    state.b.setInsertionPointToEnd(failed);
    Value site = arith::ConstantIntOp::create(state.b, loc, addSite(state, loc, "", ""), 64);
    RuntimeFunction<&runtime::sc_failed_call>(state.module).call(state.b, loc, state.context, site);
    cf::BranchOp::create(state.b, loc, state.failure);
    state.b.setInsertionPointToEnd(next);
}

// A recursive call: arguments and results in slots of this frame (see bindRecursive).
void emitCall(FunctionState &state, np::CallOp op) {
    if (op.getExpectedAttr())
        return emitCallOut(state, op);
    Location loc = op.getLoc();
    SmallVector<Value> values;
    for (Value operand : op.getArgs()) {
        state.flatten(operand, operand.getType(), values);
        if (auto array = dyn_cast<np::ArrayType>(operand.getType()))
            for (DimAttr dim : array.getDims())
                values.push_back(state.dims.emit(state.b, loc, dim));
    }
    if (state.recheck)
        values.push_back(state.extents);
    SmallVector<Type> resultTypes = state.flatTypes(op.getResultTypes());
    charge(state, loc, 16);
    // One frame more: Python's recursion limit is lower, and the stack deeper.
    Value depth = slotAddress(state, loc, state.context, runtime::contextDepthSlot);
    Value before = LLVM::LoadOp::create(state.b, loc, state.b.getI64Type(), depth);
    Value limit = state.dims.constant(state.b, loc, runtime::maxRecursionDepth);
    raiseWhen(state, arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::sge, before, limit),
              loc, "RecursionError", "maximum recursion depth exceeded", {});
    Value deeper =
        arith::AddIOp::create(state.b, loc, before, state.dims.constant(state.b, loc, 1));
    LLVM::StoreOp::create(state.b, loc, deeper, depth);
    Value given = stackSlots(state, loc, std::max<size_t>(values.size(), 1)),
          result = stackSlots(state, loc, std::max<size_t>(resultTypes.size(), 1));
    checkStack(state, loc, given);
    for (auto [k, value] : llvm::enumerate(values))
        storeSlot(state, loc, given, k, value);
    auto catches = op.getCatchesAttr();
    if (catches) // results without memory, for the case that it raises
        for (size_t k = 0; k < resultTypes.size(); ++k)
            storeSlot(state, loc, result, k,
                      state.dims.constant(state.b, loc, int64_t(runtime::ownerArgument)));
    auto callee = declareFunction(state.module, op.getCallee(), state.function.getFunctionType());
    Value status =
        func::CallOp::create(state.b, loc, callee, ValueRange{state.context, given, result})
            .getResult(0);
    Value ok = arith::ConstantIntOp::create(state.b, loc, 0, 32);
    Value raised = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::ne, status, ok);
    if (!catches)
        failOfCallWhen(state, raised, loc);
    LLVM::StoreOp::create(state.b, loc, before, depth);
    if (catches)
        catchWhen(state, raised, loc, catches.getValue(), result, int64_t(resultTypes.size()) - 3);
    state.bindResults(op.getOutputs(), loadSlots(state, loc, result, 0, resultTypes));
}

} // namespace shapecast
