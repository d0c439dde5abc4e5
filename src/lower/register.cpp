// Registration of the passes from checks to LLVM, for shapecast-opt.
#include "lower/register.h"

#include "passes/passes.h"

namespace shapecast {

void registerLowerPasses() {
    mlir::registerPass(createChecks);
    mlir::registerPass(createLifetime);
    mlir::registerPass(createLowerToLoops);
    mlir::registerPass(createLowerToLLVM);
}

} // namespace shapecast
