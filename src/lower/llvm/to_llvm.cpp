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
            function->setAttr("nvvm.reqntid", launch.getThreads());
        }
    }
    return success();
}

} // namespace shapecast
