// Registration of the passes from checks to LLVM, for shapecast-opt.
#pragma once

namespace shapecast {

void registerLowerPasses(); // np-checks, np-lifetime, np-loops, np-llvm

} // namespace shapecast
