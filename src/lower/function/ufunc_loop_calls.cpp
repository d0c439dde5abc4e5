#include "lower/function/ufunc_loop_calls.h"

#include "lower/kit/errors.h"
#include "lower/kit/native_call.h"
#include "lower/kit/polls.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/abi.h"
#include "runtime/ufunc_loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

static Value loopAddress(FunctionState &state, Location loc, StringRef name) {
    if (!state.module.lookupSymbol(name)) {
        OpBuilder outer = OpBuilder::atBlockBegin(state.module.getBody());
        LLVM::GlobalOp::create(outer, loc, state.b.getI8Type(), /*isConstant=*/true,
                               LLVM::Linkage::External, name, Attribute());
    }
    return LLVM::AddressOfOp::create(state.b, loc, state.context.getType(), name);
}

// Numbers only: each in 16 bytes of the frame, the result after the operands.
static void ufuncOfNumbers(FunctionState &state, np::NativeOp op, Value loop) {
    Location loc = op.getLoc();
    const int64_t inputs = int64_t(op.getOperands_().size());
    Value cells = stackSlots(state, loc, 2 * (inputs + 1)),
          zero = state.dims.constant(state.b, loc, 0);
    for (auto [k, operand] : llvm::enumerate(op.getOperands_()))
        storeElement(state.b, loc, state.scalars.lookup(operand),
                     slotAddress(state, loc, cells, 2 * int64_t(k)), zero,
                     dtypeOf(operand.getType()));
    Value site = state.dims.constant(state.b, loc, addSite(state, loc, "", ""));
    Value status = RuntimeFunction<&runtime::sc_ufunc_number>(state.module)
                       .call(state.b, loc, state.context, loop, cells, site);
    failUnlessZero(state, status, loc);
    if (mayRunOften(state, op))
        charge(state, loc, 64);
    state.scalars[op.getResult()] =
        loadElement(state.b, loc, slotAddress(state, loc, cells, 2 * inputs), zero,
                    dtypeOf(op.getResult().getType()));
}

// With arrays: numbers are arrays without axes, in the frame.
void emitUfuncLoop(FunctionState &state, np::NativeOp op, StringRef name) {
    Location loc = op.getLoc();
    Value loop = loopAddress(state, loc, name);
    if (op.getWritten() == 0)
        return ufuncOfNumbers(state, op, loop);
    Values values{loop, state.dims.constant(state.b, loc, addSite(state, loc, "", ""))};
    np::DimAttr work = np::dimConst(state.b.getContext(), 64);
    for (Value operand : op.getOperands_()) {
        if (isa<np::ArrayType>(operand.getType())) {
            work = np::dimAdd(work, nativeArray(state, loc, operand, values));
            continue;
        }
        const DType dtype = dtypeOf(operand.getType());
        Value cell = stackSlots(state, loc, 2);
        storeElement(state.b, loc, state.scalars.lookup(operand), cell,
                     state.dims.constant(state.b, loc, 0), dtype);
        values.push_back(state.dims.constant(state.b, loc, isBool(dtype) ? '?' : dtypeChar(dtype)));
        values.push_back(cell);
    }
    Value slots = storedSlots(state, loc, values);
    auto callee = runtimeFunctionNamed(state.module, ("sc_" + op.getName()).str());
    Value status =
        func::CallOp::create(state.b, loc, callee, ValueRange{state.context, slots}).getResult(0);
    Value zero = state.dims.constant(state.b, loc, 0);
    failWhen(state, arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::slt, status, zero),
             loc);
    if (mayRunOften(state, op))
        charge(
            state, loc,
            state.dims.emit(state.b, loc, np::dimMul(work, np::dimConst(state.b.getContext(), 8))));
    state.scalars[op.getResult()] = {status, Value()};
}

} // namespace shapecast
