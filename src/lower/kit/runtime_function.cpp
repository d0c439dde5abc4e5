#include "lower/kit/runtime_function.h"

#include "ir/np.h"
#include "lower/kit/scalars.h"
#include "lower/llvm/vector_math.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using runtime::Passed;

static Type typeOf(MLIRContext *ctx, Passed passed) {
    switch (passed) {
    case Passed::I8:
        return IntegerType::get(ctx, 8);
    case Passed::I16:
        return IntegerType::get(ctx, 16);
    case Passed::I32:
        return IntegerType::get(ctx, 32);
    case Passed::I64:
        return IntegerType::get(ctx, 64);
    case Passed::F32:
        return Float32Type::get(ctx);
    case Passed::F64:
        return Float64Type::get(ctx);
    case Passed::Pointer:
        return LLVM::LLVMPointerType::get(ctx);
    }
    llvm_unreachable("all ways to pass a value are handled");
}

static FunctionType typeOf(MLIRContext *ctx, const runtime::FunctionType &type) {
    auto types = [&](std::span<const Passed> list) {
        return llvm::map_to_vector(ArrayRef(list.data(), list.size()),
                                   [&](Passed passed) { return typeOf(ctx, passed); });
    };
    return FunctionType::get(ctx, types(type.parameters), types(type.results));
}

func::FuncOp declareFunction(ModuleOp module, StringRef name, FunctionType type) {
    if (auto known = module.lookupSymbol<func::FuncOp>(name))
        return known;
    OpBuilder outer = OpBuilder::atBlockBegin(module.getBody());
    auto declaration = func::FuncOp::create(outer, module.getLoc(), name, type);
    declaration.setPrivate();
    return declaration;
}

func::FuncOp declareRuntimeFunction(ModuleOp module, const runtime::RuntimeSymbol &symbol) {
    assert(runtime::findRuntimeSymbol(symbol.name) && "the function is in its file's table");
    return declareFunction(module, symbol.name, typeOf(module.getContext(), *symbol.type));
}

func::FuncOp runtimeFunctionNamed(ModuleOp module, StringRef name) {
    const runtime::RuntimeSymbol *symbol = runtime::findRuntimeSymbol(name);
    assert(symbol && symbol->type && "a function of the run time");
    return declareRuntimeFunction(module, *symbol);
}

static LogicalResult check(np::NativeOp op) {
    const std::string name = ("sc_" + op.getName()).str();
    const runtime::RuntimeSymbol *symbol = runtime::findRuntimeSymbol(name);
    if (!symbol)
        return op.emitError() << "internal error: the run time has no function " << name;
    if (op.getLoopAttr() && op.getWritten() == 0)
        return success(); // a ufunc of numbers, which stores its result
    const FunctionType type = typeOf(op.getContext(), *symbol->type);
    if (ArrayRef<Type>(registerTypes(op.getResult().getType())) != type.getResults())
        return op.emitError() << "internal error: " << name << " returns " << type.getResults();
    return success();
}

LogicalResult checkNatives(Operation *root) {
    return success(!root->walk([](np::NativeOp op) {
                            return succeeded(check(op)) ? WalkResult::advance()
                                                        : WalkResult::interrupt();
                        })
                        .wasInterrupted());
}

LogicalResult checkRuntimeCalls(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>()) {
        if (!function.isDeclaration() || isLanesName(function.getSymName()))
            continue;
        const runtime::RuntimeSymbol *symbol = runtime::findRuntimeSymbol(function.getSymName());
        if (!symbol || !symbol->type)
            return function.emitError()
                   << "internal error: the run time has no function " << function.getSymName();
        const FunctionType type = typeOf(module.getContext(), *symbol->type);
        if (function.getFunctionType() != type)
            return function.emitError()
                   << "internal error: " << function.getSymName() << " is called as "
                   << function.getFunctionType() << ", but is " << type;
    }
    return success();
}

} // namespace shapecast
