#include "lower/gpu/gpu_library.h"

#include "kernels/launch.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;

namespace shapecast {
namespace {

const unsigned char at[] = {
#include "device_at.inc"
};
const unsigned char bins[] = {
#include "device_bins.inc"
};
const unsigned char indexing[] = {
#include "device_indexing.inc"
};
const unsigned char masks[] = {
#include "device_masks.inc"
};
const unsigned char products[] = {
#include "device_product.inc"
};
const unsigned char scans[] = {
#include "device_scan.inc"
};
const unsigned char search[] = {
#include "device_search.inc"
};
const unsigned char sorts[] = {
#include "device_sort.inc"
};

const ArrayRef<unsigned char> subjects[] = {at,       bins,  indexing, masks,
                                            products, scans, search,   sorts};

std::vector<StringRef> declaredKernels(const Module &kernels) {
    std::vector<StringRef> names;
    for (const Function &function : kernels)
        if (function.isDeclaration() && function.getCallingConv() == CallingConv::PTX_Kernel)
            names.push_back(function.getName());
    return names;
}

} // namespace

void linkLibraryKernels(Module &kernels) {
    const std::vector<StringRef> wanted = declaredKernels(kernels);
    for (ArrayRef<unsigned char> bytes :
         wanted.empty() ? ArrayRef<ArrayRef<unsigned char>>() : ArrayRef(subjects)) {
        const StringRef bitcode(reinterpret_cast<const char *>(bytes.data()), bytes.size());
        // Functions are read when something needs them.
        std::unique_ptr<Module> library = cantFail(
            getLazyBitcodeModule(MemoryBufferRef(bitcode, "kernels"), kernels.getContext()));
        if (none_of(wanted, [&](StringRef name) { return library->getFunction(name); }))
            continue;
        library->setDataLayout(kernels.getDataLayout());
        library->setTargetTriple(kernels.getTargetTriple());
        const bool failed =
            Linker::linkModules(kernels, std::move(library), Linker::Flags::LinkOnlyNeeded);
        (void)failed;
        assert(!failed && "declarations are as the kernels that they name");
    }
    for (StringRef name : wanted) {
        Function *kernel = kernels.getFunction(name);
        assert(!kernel->isDeclaration() && "the library has the kernel");
        // Else the driver would keep registers for blocks of 1024 threads.
        kernel->addFnAttr("nvvm.reqntid", std::to_string(kernels::blockThreads));
    }
}

} // namespace shapecast
