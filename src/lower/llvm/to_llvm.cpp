// np-llvm: everything that np-loops left becomes the LLVM dialect, in one conversion.
#include "lower/llvm/to_llvm.h"
#include "ir/np.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

// What the assembler may give registers for: the threads of a block.
static void limitThreads(LLVM::LLVMFuncOp kernel, ArrayRef<np::DimAttr> threads) {
    constexpr int32_t most = 256; // where the host computes them
    Builder b(kernel.getContext());
    if (!llvm::all_of(threads, [](np::DimAttr size) { return size.isConst(); }))
        return kernel->setAttr("nvvm.maxntid", b.getDenseI32ArrayAttr(most));
    kernel->setAttr("nvvm.reqntid", b.getDenseI32ArrayAttr({int32_t(threads[0].getValue()),
                                                            int32_t(threads[1].getValue())}));
}

LogicalResult lowerToLLVM(ModuleOp module) {
    for (auto kernels : module.getOps<ModuleOp>())
        if (failed(lowerToLLVM(kernels)))
            return failure();
    MLIRContext *ctx = module.getContext();
    // Private functions have internal linkage: LLVM then compiles no second copy for callers
    // from outside.
    auto internal = LLVM::LinkageAttr::get(ctx, LLVM::Linkage::Internal);
    llvm::StringSet<> stay; // the conversion forgets no_inline
    for (auto function : module.getOps<func::FuncOp>()) {
        if (function.isPrivate() && !function.isDeclaration())
            function->setAttr("llvm.linkage", internal);
        if (function.getNoInline())
            stay.insert(function.getSymName());
    }

    LowerToLLVMOptions options(ctx);
    options.overrideIndexBitwidth(64);
    LLVMTypeConverter types(ctx, options);
    RewritePatternSet patterns(ctx);
    populateSCFToControlFlowConversionPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    populateMathToLLVMConversionPatterns(types, patterns, /*approximateLog1p=*/false);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    populateFuncToLLVMConversionPatterns(types, patterns);
    LLVMConversionTarget target(*ctx);
    target.addLegalOp<ModuleOp>();
    target.addLegalDialect("nvvm"); // of kernels
    if (failed(applyFullConversion(module, target, std::move(patterns))))
        return failure();
    module.walk([](UnrealizedConversionCastOp cast) { // func.constant as a pointer, which it is
        cast.replaceAllUsesWith(cast.getInputs());
        cast.erase();
    });
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
        if (stay.contains(function.getSymName()))
            function.setNoInline(true);
        // Kernels; the nvvm dialect wants its attributes on such functions only.
        if (auto launch = np::NpDialect::LaunchAttrHelper(ctx).getAttr(function)) {
            function->setAttr("nvvm.kernel", UnitAttr::get(ctx));
            limitThreads(function, np::dimVector(launch.getThreads()));
        }
    }
    return success();
}

} // namespace shapecast
