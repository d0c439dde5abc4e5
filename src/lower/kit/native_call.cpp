#include "lower/kit/native_call.h"

#include "lower/kit/errors.h"
#include "lower/kit/polls.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/abi.h"
#include "runtime/native.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// Appends an array in the form of runtime/native.h; returns its number of elements.
DimAttr nativeArray(FunctionState &state, Location loc, Value operand, Values &values) {
    auto array = cast<np::ArrayType>(operand.getType());
    const Handle &handle = state.handles.at(operand);
    const DType dtype = dtypeOf(array);
    const int64_t kind = isBool(dtype) ? int64_t('?') : int64_t(dtypeChar(dtype));
    values.push_back(state.dims.constant(state.b, loc, kind + 256 * array.getRank()));
    values.push_back(state.address(loc, handle, array));
    DimAttr count = np::dimConst(state.b.getContext(), 1);
    for (DimAttr dim : array.getDims()) {
        values.push_back(state.dims.emit(state.b, loc, dim));
        count = np::dimMul(count, dim);
    }
    for (DimAttr stride : handle.strides)
        values.push_back(state.dims.emit(state.b, loc, stride));
    return count;
}

void callNative(FunctionState &state, np::NativeOp op) {
    callNative(state, op, ("sc_" + op.getName()).str(), {});
}

void callNative(FunctionState &state, np::NativeOp op, StringRef function, ValueRange more) {
    Location loc = op.getLoc();
    Values values;
    DimAttr work = np::dimConst(state.b.getContext(), 64);
    for (Value operand : op.getOperands_()) {
        if (isa<np::ArrayType>(operand.getType()))
            work = np::dimAdd(work, nativeArray(state, loc, operand, values));
        else
            values.push_back(state.scalars.lookup(operand).re);
    }
    Value slots = storedSlots(state, loc, values);
    const bool mayFail = isa<np::PyIntType>(op.getResult().getType());
    auto callee = runtimeFunctionNamed(state.module, function);
    Values arguments{state.context, slots};
    llvm::append_range(arguments, more);
    Value status = func::CallOp::create(state.b, loc, callee, arguments).getResult(0);
    auto is = [&](arith::CmpIPredicate predicate, int64_t number) -> Value {
        return arith::CmpIOp::create(state.b, loc, predicate, status,
                                     state.dims.constant(state.b, loc, number));
    };
    if (op.getError())
        raiseWhen(state, is(arith::CmpIPredicate::eq, runtime::nativeRaises), loc, *op.getError(),
                  op.getMessage().value_or(""), {}, op.getNotesAttr());
    if (mayFail)
        failWhen(state, is(arith::CmpIPredicate::slt, 0), loc);
    if (mayRunOften(state, op))
        charge(state, loc, state.dims.emit(state.b, loc, work));
    state.scalars[op.getResult()] = {status, Value()};
}

} // namespace shapecast
