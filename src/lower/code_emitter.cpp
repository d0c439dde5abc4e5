// One list of code generation passes for many modules, as `llc -compile-twice` uses it.
#include "lower/code_emitter.h"

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

bool CodeEmitter::emit(Module &module, SmallVectorImpl<char> &bytes) {
    if (!passes) {
        buffer = std::make_unique<SmallVector<char, 0>>();
        stream = std::make_unique<raw_svector_ostream>(*buffer);
        passes = std::make_unique<legacy::PassManager>();
        if (machine.addPassesToEmitFile(*passes, *stream, nullptr, CodeGenFileType::ObjectFile)) {
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
