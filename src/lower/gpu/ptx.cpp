// LLVM's NVPTX back end: initialised at the first use, so that nobody else pays for it.
#include "lower/gpu/ptx.h"

#include "ir/np.h"
#include "lower/gpu/gpu_library.h"
#include "lower/gpu/gpu_math.h"
#include "lower/llvm/llvm_pipeline.h"
#include "lower/llvm/pass_analyses.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

// LLVM declares these with those of all other targets, in TargetSelect.h.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace shapecast {
namespace {

std::unique_ptr<TargetMachine> deviceMachine(StringRef architecture, std::string &error) {
    static const bool started = [] {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
        return true;
    }();
    (void)started;
    const Triple triple("nvptx64-nvidia-cuda");
    const Target *target = TargetRegistry::lookupTarget(triple, error);
    if (!target)
        return nullptr;
    // Checked before a machine is created, which would print warnings.
    std::unique_ptr<MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "", ""));
    if (!known->isCPUStringValid(architecture)) {
        error =
            "no architecture is named " + architecture.str() + "; they are sm_80, sm_90 and so on";
        return nullptr;
    }
    TargetOptions options;
    options.AllowFPOpFusion =
        FPOpFusion::Strict; // mul.rn and add.rn: ptxas does not fuse them either
    return std::unique_ptr<TargetMachine>(target->createTargetMachine(
        triple, architecture, "", options, std::nullopt, std::nullopt, CodeGenOptLevel::Default));
}

void optimize(Module &module, TargetMachine &machine) {
    PassBuilder builder(&machine);
    PassAnalyses analyses(builder);
    builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, analyses.modules);
}

// LLVM's back end takes `n < 64 ? x << n : 0` for PTX's own shift, which is so where n >= 64, and
// truncates n to 32 bits: a shift by 2^32 would be none. It does not see that n is the same here.
void hideAmountsOfShifts(Module &module) {
    IntegerType *wide = Type::getInt64Ty(module.getContext());
    InlineAsm *copy = InlineAsm::get(FunctionType::get(wide, {wide}, false), "mov.b64 $0, $1;",
                                     "=l,l", /*hasSideEffects=*/false);
    for (Function &function : module)
        for (Instruction &op : instructions(function)) {
            auto *shift = dyn_cast<BinaryOperator>(&op);
            if (!shift || !shift->isShift() || shift->getType() != wide)
                continue;
            Value *amount = shift->getOperand(1);
            if (computeKnownBits(amount, module.getDataLayout()).countMinLeadingZeros() < 32)
                shift->setOperand(1, CallInst::Create(copy->getFunctionType(), copy, {amount}, "",
                                                      shift->getIterator()));
        }
}

// Sizes that choose among forms of a kernel are long.
std::string shown(np::DimAttr size) {
    constexpr size_t most = 40;
    std::string text = np::dimText(size);
    return text.size() <= most ? text : "by sizes";
}

// "// f_kernel0(a, out, s0): threads 256 x 1, blocks s0 x 1"
std::string describe(mlir::LLVM::LLVMFuncOp kernel) {
    std::string text;
    raw_string_ostream out(text);
    out << "// " << kernel.getSymName() << "(";
    mlir::MLIRContext *context = kernel.getContext();
    interleaveComma(np::NpDialect::ParametersAttrHelper(context).getAttr(kernel), out,
                    [&](mlir::Attribute parameter) {
                        if (auto dim = mlir::dyn_cast<np::DimAttr>(parameter))
                            out << shown(dim);
                        else
                            out << mlir::cast<mlir::StringAttr>(parameter).getValue();
                    });
    const np::LaunchAttr launch = np::NpDialect::LaunchAttrHelper(context).getAttr(kernel);
    auto threads = np::dimVector(launch.getThreads()), blocks = np::dimVector(launch.getBlocks());
    out << "): threads " << shown(threads[0]) << " x " << shown(threads[1]) << ", blocks "
        << shown(blocks[0]) << " x " << shown(blocks[1]) << "\n";
    return text;
}

} // namespace

std::vector<device::KernelSource> kernelSources(mlir::ModuleOp kernels) {
    np::NpDialect::LaunchAttrHelper launches(kernels.getContext());
    std::vector<device::KernelSource> sources;
    for (auto function : kernels.getOps<mlir::LLVM::LLVMFuncOp>()) {
        const np::LaunchAttr launch = launches.getAttr(function);
        if (!launch)
            continue;
        sources.push_back({function.getSymName().str(), function.getNumArguments()});
    }
    return sources;
}

std::optional<std::string> emitPtx(mlir::ModuleOp kernels, StringRef target, std::string &error) {
    mlir::MLIRContext &mlirContext = *kernels.getContext();
    mlir::registerBuiltinDialectTranslation(mlirContext);
    mlir::registerLLVMDialectTranslation(mlirContext);
    mlir::registerNVVMDialectTranslation(mlirContext);
    std::unique_ptr<TargetMachine> machine = deviceMachine(target, error);
    if (!machine)
        return std::nullopt;
    std::string text;
    for (auto function : kernels.getOps<mlir::LLVM::LLVMFuncOp>())
        if (np::NpDialect::LaunchAttrHelper(&mlirContext).isAttrPresent(function))
            text += describe(function);
    // Else loads of int64 have the alignment of a machine that is not known: four bytes.
    kernels->setAttr(
        mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
        mlir::StringAttr::get(&mlirContext, machine->createDataLayout().getStringRepresentation()));
    LLVMContext context;
    std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(kernels, context);
    if (!module) {
        error = "the kernels could not be translated to LLVM IR";
        return std::nullopt;
    }
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
    linkLibraryKernels(*module);
    linkDeviceMath(*module);
    optimize(*module, *machine);
    leaveZerosUnordered(*module);
    hideAmountsOfShifts(*module);
    SmallString<0> assembly;
    raw_svector_ostream stream(assembly);
    legacy::PassManager passes;
    if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile)) {
        error = "the target cannot emit text";
        return std::nullopt;
    }
    passes.run(*module);
    return text + assembly.str().str();
}

} // namespace shapecast
