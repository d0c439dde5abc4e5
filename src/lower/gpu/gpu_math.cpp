#include "lower/gpu/gpu_math.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;

namespace shapecast {
namespace {

const unsigned char bitcode[] = {
#include "device_math.inc"
};

// Functions are read when something needs them.
std::unique_ptr<Module> readMath(LLVMContext &context) {
    const StringRef bytes(reinterpret_cast<const char *>(bitcode), sizeof bitcode);
    return cantFail(getLazyBitcodeModule(MemoryBufferRef(bytes, "device math"), context));
}

} // namespace

bool hasDeviceMath(StringRef name) {
    static const auto *names = [] {
        auto *found = new StringSet<>;
        LLVMContext context;
        const std::unique_ptr<Module> math = readMath(context);
        for (const Function &function : *math)
            if (!function.isDeclaration() && !function.getName().starts_with("_Z"))
                found->insert(function.getName());
        return found;
    }();
    return names->contains(name);
}

void linkDeviceMath(Module &kernels) {
    std::unique_ptr<Module> math = readMath(kernels.getContext());
    math->setDataLayout(kernels.getDataLayout());
    math->setTargetTriple(kernels.getTargetTriple());
    const bool failed =
        Linker::linkModules(kernels, std::move(math), Linker::Flags::LinkOnlyNeeded,
                            [](Module &module, const StringSet<> &linked) {
                                for (GlobalValue &value : module.global_values())
                                    if (linked.contains(value.getName()))
                                        value.setLinkage(GlobalValue::InternalLinkage);
                            });
    (void)failed;
    assert(!failed && "declarations are as the functions that they name");
    // Those of clang's command line: of an older device than the kernels', which keeps LLVM from
    // inlining.
    for (Function &function : kernels)
        for (const char *attribute : {"target-cpu", "target-features"})
            function.removeFnAttr(attribute);
}

} // namespace shapecast
