// Calls of ufuncs' C loops: np.native with the attribute `loop`, the loop's name.
//
// Compiled code has a loop's address as an external symbol of that name (lower/llvm/jit.cpp binds
// it), so that the code contains no address of this process.
#include "lower/function/function_state.h"
#include "lower/kit/runtime_function.h"
#include "runtime/ufunc_loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

Value FunctionState::loopAddress(Location loc, StringRef name) {
    if (!module.lookupSymbol(name)) {
        OpBuilder outer = OpBuilder::atBlockBegin(module.getBody());
        LLVM::GlobalOp::create(outer, loc, b.getI8Type(), /*isConstant=*/true,
                               LLVM::Linkage::External, name, Attribute());
    }
    return LLVM::AddressOfOp::create(b, loc, context.getType(), name);
}

// Numbers only: each in 16 bytes of the frame, the result after the operands.
void FunctionState::ufuncOfNumbers(np::NativeOp op, Value loop) {
    Location loc = op.getLoc();
    const int64_t inputs = int64_t(op.getOperands_().size());
    Value cells = stackSlots(loc, 2 * (inputs + 1)), zero = dims.constant(b, loc, 0);
    for (auto [k, operand] : llvm::enumerate(op.getOperands_()))
        storeElement(b, loc, scalars.lookup(operand), slot(loc, cells, 2 * int64_t(k)), zero,
                     dtypeOf(operand.getType()));
    Value site = dims.constant(b, loc, addSite(loc, "", ""));
    Value status =
        RuntimeFunction<&runtime::sc_ufunc_number>(module).call(b, loc, context, loop, cells, site);
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    failWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, status, ok), loc);
    if (inLoop(op))
        charge(loc, 64);
    scalars[op.getResult()] =
        loadElement(b, loc, slot(loc, cells, 2 * inputs), zero, dtypeOf(op.getResult().getType()));
}

// With arrays: numbers are arrays without axes, in the frame.
void FunctionState::ufuncLoop(np::NativeOp op, StringRef name) {
    Location loc = op.getLoc();
    Value loop = loopAddress(loc, name);
    if (op.getWritten() == 0)
        return ufuncOfNumbers(op, loop);
    Values values{loop, dims.constant(b, loc, addSite(loc, "", ""))};
    np::DimAttr work = np::dimConst(b.getContext(), 64);
    for (Value operand : op.getOperands_()) {
        if (isa<np::ArrayType>(operand.getType())) {
            work = np::dimAdd(work, nativeArray(loc, operand, values));
            continue;
        }
        const DType dtype = dtypeOf(operand.getType());
        Value cell = stackSlots(loc, 2);
        storeElement(b, loc, scalars.lookup(operand), cell, dims.constant(b, loc, 0), dtype);
        values.push_back(dims.constant(b, loc, isBool(dtype) ? '?' : dtypeChar(dtype)));
        values.push_back(cell);
    }
    Value slots = stackSlots(loc, int64_t(values.size()));
    for (auto [k, value] : llvm::enumerate(values))
        storeSlot(loc, slots, k, value);
    auto callee = runtimeFunctionNamed(module, ("sc_" + op.getName()).str());
    Value status = func::CallOp::create(b, loc, callee, ValueRange{context, slots}).getResult(0);
    Value zero = dims.constant(b, loc, 0);
    failWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, status, zero), loc);
    if (inLoop(op))
        charge(loc, dims.emit(b, loc, np::dimMul(work, np::dimConst(b.getContext(), 8))));
    scalars[op.getResult()] = {status, Value()};
}

} // namespace shapecast
