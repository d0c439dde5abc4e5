// The math functions of devices: src/mathlib, compiled for them when shapecast was built.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
} // namespace llvm

namespace shapecast {

// Whether devices have a function of this name, C's ("exp", "expf") or the run time's ("sc_gcd").
bool hasDeviceMath(llvm::StringRef name);
// Links those that the module declares into it: within 1 ULP, special values as C's (mathlib.h).
void linkDeviceMath(llvm::Module &kernels);

} // namespace shapecast
