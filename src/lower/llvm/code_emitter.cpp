// One code generation pipeline for many modules, as `llc -compile-twice` uses it.
#include "lower/llvm/code_emitter.h"

#include "llvm/Support/CommandLine.h"

using namespace llvm;

namespace shapecast {

constexpr unsigned modulesPerContext = 128;

LLVMContext &CodeEmitter::nextContext() {
    if (!context || modules++ == modulesPerContext) {
        modules = 0;
        passes.reset(); // they may hold types of the context
        context = std::make_unique<LLVMContext>();
    }
    return *context;
}

bool addCodePasses(TargetMachine &machine, legacy::PassManager &passes, raw_svector_ostream &stream,
                   CodeGenFileType type) {
    // An option of the whole process, set for this pipeline alone: GPU code needs the pass.
    auto &known = cl::getRegisteredOptions();
    const auto found = known.find("disable-lsr");
    auto *disabled = found == known.end() ? nullptr : static_cast<cl::opt<bool> *>(found->second);
    auto setDisabled = [&](bool value) {
        if (disabled)
            *disabled = value;
    };
    setDisabled(true);
    const bool fails = machine.addPassesToEmitFile(passes, stream, nullptr, type);
    setDisabled(false);
    return !fails;
}

bool emitCode(Module &module, TargetMachine &machine, CodeGenFileType type,
              SmallVectorImpl<char> &bytes) {
    raw_svector_ostream stream(bytes);
    legacy::PassManager passes;
    if (!addCodePasses(machine, passes, stream, type))
        return false;
    passes.run(module);
    return true;
}

bool CodeEmitter::emit(Module &module, SmallVectorImpl<char> &bytes) {
    if (!passes) {
        buffer = std::make_unique<SmallVector<char, 0>>();
        stream = std::make_unique<raw_svector_ostream>(*buffer);
        passes = std::make_unique<legacy::PassManager>();
        if (!addCodePasses(machine, *passes, *stream, CodeGenFileType::ObjectFile)) {
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
