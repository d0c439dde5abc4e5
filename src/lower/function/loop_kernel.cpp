#include "lower/function/loop_kernel.h"

#include "lower/function/launches.h"
#include "lower/kit/errors.h"
#include "lower/kit/slots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace shapecast {

// The values that the function uses from outside become parameters, after those that it has.
static Values takeParameters(func::FuncOp kernel) {
    llvm::MapVector<Value, SmallVector<OpOperand *>> uses;
    kernel.walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
            if (!kernel.getBody().isAncestor(operand.get().getParentRegion()))
                uses[operand.get()].push_back(&operand);
    });
    Block &entry = kernel.getBody().front();
    OpBuilder b = OpBuilder::atBlockBegin(&entry);
    Values taken;
    for (auto &[value, operands] : uses) {
        Operation *made = value.getDefiningOp();
        Value own;
        if (made && isa<arith::ConstantOp, LLVM::ZeroOp>(made)) {
            own = b.clone(*made)->getResult(0);
        } else {
            own = entry.addArgument(value.getType(), value.getLoc());
            taken.push_back(value);
        }
        for (OpOperand *operand : operands)
            operand->set(own);
    }
    kernel.setFunctionType(b.getFunctionType(entry.getArgumentTypes(), {}));
    return taken;
}

LoopKernel::LoopKernel(FunctionState &state, Location loc, ArrayRef<int32_t> threads,
                       llvm::function_ref<void()> fill)
    : state(state), loc(loc) {
    OpBuilder &b = state.b;
    MLIRContext *ctx = b.getContext();
    OpBuilder::InsertionGuard guard(b);
    const std::string name = nextKernelName(state);
    OpBuilder end = OpBuilder::atBlockEnd(kernelsOf(state.module).getBody());
    Type pointer = state.context.getType();
    kernel = func::FuncOp::create(end, loc, name, b.getFunctionType(pointer, {}));
    auto around = std::tuple(state.function, state.failure, std::move(state.cold), state.errorFlag);
    {
        llvm::SaveAndRestore inKernel(state.isKernel, true);
        llvm::SaveAndRestore direct(state.accessesDirectly, true);
        state.function = kernel;
        state.failure = new Block;
        state.cold.clear();
        b.setInsertionPointToEnd(kernel.addEntryBlock());
        state.errorFlag = kernel.getArgument(0);
        DimValues::Scope scope(state.dims);
        fill();
        func::ReturnOp::create(b, loc, ValueRange());
        finishFunction(state);
    }
    raises = !kernel.getArgument(0).use_empty();
    if (!raises)
        kernel.getBody().front().eraseArgument(0);
    std::tie(state.function, state.failure, state.cold, state.errorFlag) = std::move(around);
    parameters = takeParameters(kernel);
    SmallVector<Attribute> names;
    if (raises)
        names.push_back(b.getStringAttr("error"));
    for (auto [k, value] : llvm::enumerate(parameters))
        names.push_back(b.getStringAttr(
            (isa<LLVM::LLVMPointerType>(value.getType()) ? "array" : "scalar") + Twine(k)));
    np::NpDialect::ParametersAttrHelper(ctx).setAttr(kernel, b.getArrayAttr(names));
    const np::DimAttr one = np::dimConst(ctx, 1); // the host computes how many blocks there are
    np::NpDialect::LaunchAttrHelper(ctx).setAttr(
        kernel,
        np::LaunchAttr::get(
            ctx, np::dimArray(ctx, {np::dimConst(ctx, threads[0]), np::dimConst(ctx, threads[1])}),
            np::dimArray(ctx, {one, one}),
            b.getStringAttr("an iteration of the loop is a thread; blocks of " + Twine(threads[0]) +
                            (threads[1] > 1 ? " x " + Twine(threads[1]) : Twine()) + " threads")));
}

bool LoopKernel::isComplete() { return canLaunch(kernel); }

void LoopKernel::launch(Value blocksX, Value blocksY, Value flag) {
    if (raises)
        parameters.insert(parameters.begin(), flag);
    emitLaunch(state, loc, kernel, storedSlots(state, loc, parameters), blocksX, blocksY);
}

} // namespace shapecast
