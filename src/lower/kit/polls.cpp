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

// Kernels do not poll.
void emitPoll(FunctionState &state, Location loc) {
    if (state.isKernel)
        return;
    state.function.setArgAttr(0, "llvm.noalias", state.b.getUnitAttr()); // else LICM hoists no load
    if (state.kept)
        state.kept->writeBack();
    RuntimeFunction<&runtime::sc_poll>(state.module).call(state.b, loc, state.context);
    if (state.kept)
        state.kept->reload();
}

// Of this call of the function, in a register; recursive calls share the context's.
static Value fuelSlot(FunctionState &state, Location loc) {
    if (state.source.getRecursive())
        return slotAddress(state, loc, state.context, runtime::contextFuelSlot);
    if (!state.fuel) {
        state.fuel = stackSlots(state, loc, 1);
        OpBuilder::InsertionGuard guard(state.b);
        state.b.setInsertionPointAfter(state.fuel.getDefiningOp());
        Value full = arith::ConstantIntOp::create(state.b, loc, runtime::pollGrain, 64);
        LLVM::StoreOp::create(state.b, loc, full, state.fuel);
    }
    return state.fuel;
}

void charge(FunctionState &state, Location loc, Value amount) {
    if (state.isKernel)
        return;
    Value fuel = fuelSlot(state, loc);
    Value full = LLVM::LoadOp::create(state.b, loc, state.b.getI64Type(), fuel);
    Value left = arith::SubIOp::create(state.b, loc, full, amount);
    LLVM::StoreOp::create(state.b, loc, left, fuel);
    Value zero = arith::ConstantIntOp::create(state.b, loc, 0, 64);
    Value empty = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::slt, left, zero);
    Block *next = state.newBlock({}, loc), *pollBlock = state.newBlock({}, loc);
    cf::CondBranchOp::create(state.b, loc, empty, pollBlock, next, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    state.cold.push_back(pollBlock);
    state.b.setInsertionPointToEnd(pollBlock);
    emitPoll(state, loc);
    LLVM::StoreOp::create(state.b, loc,
                          arith::ConstantIntOp::create(state.b, loc, runtime::pollGrain, 64), fuel);
    cf::BranchOp::create(state.b, loc, next);
    state.b.setInsertionPointToEnd(next);
}

void charge(FunctionState &state, Location loc, int64_t amount) {
    charge(state, loc, arith::ConstantIntOp::create(state.b, loc, amount, 64));
}

// Charges in every 1024th iteration; returns the next count, which goes down.
Value chargeCounted(FunctionState &state, Location loc, Value count) {
    if (state.isKernel)
        return count;
    auto number = [&](int64_t value) -> Value {
        return arith::ConstantIntOp::create(state.b, loc, value, 64);
    };
    Value left = arith::SubIOp::create(state.b, loc, count, number(1));
    Value none = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::eq, left, number(0));
    Block *now = state.newBlock({}, loc), *next = state.newBlock(state.b.getI64Type(), loc);
    cf::CondBranchOp::create(state.b, loc, none, now, ValueRange(), next, left,
                             ArrayRef<int32_t>{1, 1000});
    state.b.setInsertionPointToEnd(now);
    charge(state, loc, 4 * iterationsPerCharge);
    cf::BranchOp::create(state.b, loc, next, number(iterationsPerCharge));
    state.b.setInsertionPointToEnd(next);
    return next->getArgument(0);
}

bool mayRunOften(FunctionState &state, Operation *op) {
    return state.source.getRecursive() || op->getParentOfType<np::ForOp>() ||
           op->getParentOfType<np::WhileOp>();
}

} // namespace shapecast
