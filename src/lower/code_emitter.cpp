// One list of code generation passes for many modules, as `llc -compile-twice` uses it.
#include "lower/code_emitter.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace shapecast {

constexpr unsigned modulesPerContext = 128;

LLVMContext &CodeEmitter::nextContext() {
    if (!context || modules++ == modulesPerContext) {
        modules = 0;
        passes.reset(); // it may know types of the context
        context = std::make_unique<LLVMContext>();
    }
    return *context;
}

// The passes that write objects, without one that is done before where it pays (llvm_pipeline.cpp).
static bool addPasses(TargetMachine &machine, legacy::PassManager &passes,
                      raw_svector_ostream &stream) {
    auto &known = cl::getRegisteredOptions();
    const auto option = known.find("disable-lsr"); // of the process: the GPU's code has it
    auto set = [&](StringRef value) {
        if (option != known.end())
            option->second->addOccurrence(0, "disable-lsr", value);
    };
    set("true");
    const bool fails =
        machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile);
    set("false");
    return !fails;
}

bool CodeEmitter::emit(Module &module, SmallVectorImpl<char> &bytes) {
    if (!passes) {
        buffer = std::make_unique<SmallVector<char, 0>>();
        stream = std::make_unique<raw_svector_ostream>(*buffer);
        passes = std::make_unique<legacy::PassManager>();
        if (!addPasses(machine, *passes, *stream)) {
            passes.reset();
            return false;
        }
    }
    buffer->clear();
    passes->run(module);
    bytes.assign(buffer->begin(), buffer->end());
    return true;
}

} // namespace shapecast
