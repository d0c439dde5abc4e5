#include "lower/kit/errors.h"

#include "lower/kit/slots.h"
#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

static_assert(std::size(runtime::ErrorRecord{}.payload) == np::messageSizes);

void raiseWhen(FunctionState &state, Value condition, Location loc, StringRef error,
               StringRef message, ArrayRef<DimAttr> payload, ArrayAttr notes,
               Value messageArgument) {
    if (state.isKernel) // the host repeats the loop then
        return failWhen(state, condition, loc);
    Block *next = state.newBlock({}, loc), *raise = state.newBlock({}, loc);
    cf::CondBranchOp::create(state.b, loc, condition, raise, next, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    state.cold.push_back(raise);
    {
        DimValues::Scope scope(state.dims); // what is computed here dominates nothing else
        state.b.setInsertionPointToEnd(raise);
        storeSlot(state, loc, state.context, 0,
                  arith::ConstantIntOp::create(state.b, loc, state.sites.size(), 64));
        for (auto [k, value] : llvm::enumerate(payload))
            storeSlot(state, loc, state.context, 1 + k, state.dims.emit(state.b, loc, value));
        if (messageArgument)
            storeSlot(
                state, loc, state.context, 1,
                arith::BitcastOp::create(state.b, loc, state.b.getI64Type(), messageArgument));
        cf::BranchOp::create(state.b, loc, state.failure);
    }
    addSite(state, loc, error, message, notes);
    state.b.setInsertionPointToEnd(next);
}

void failWhen(FunctionState &state, Value condition, Location loc) {
    Block *next = state.newBlock({}, loc);
    cf::CondBranchOp::create(state.b, loc, condition, state.failure, next, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    state.b.setInsertionPointToEnd(next);
}

void failUnlessZero(FunctionState &state, Value status, Location loc) {
    Value ok = arith::ConstantIntOp::create(state.b, loc, 0, 32);
    failWhen(state, arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::ne, status, ok), loc);
}

int64_t addSite(FunctionState &state, Location loc, StringRef error, StringRef message,
                ArrayAttr notes) {
    state.sites.push_back(np::ErrorSiteAttr::get(state.b.getContext(), state.b.getStringAttr(error),
                                                 state.b.getStringAttr(message), loc, notes,
                                                 state.source.getCallerAttr()));
    return int64_t(state.sites.size()) - 1;
}

void finishFunction(FunctionState &state) {
    for (Block *block : state.cold)
        block->moveBefore(&state.function.getBody(), state.function.getBody().end());
    if (state.failure->hasNoPredecessors()) {
        delete state.failure;
        return;
    }
    state.function.getBody().push_back(state.failure);
    state.b.setInsertionPointToEnd(state.failure);
    Location loc = state.source.getLoc();
    if (state.isKernel) {
        storeSlot(state, loc, state.errorFlag, 0,
                  arith::ConstantIntOp::create(state.b, loc, 1, 64));
        func::ReturnOp::create(state.b, loc, ValueRange());
        return;
    }
    func::ReturnOp::create(
        state.b, loc, ValueRange{arith::ConstantIntOp::create(state.b, loc, 1, 32).getResult()});
}

} // namespace shapecast
