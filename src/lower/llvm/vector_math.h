// Math functions in vectorised loops: our own (mathlib/mathlib.h), with the same bits at every
// index.
//
// Before the passes each call of a libm function or intrinsic gets vector variants for every number
// of lanes that a loop may be given; after them, all such calls, scalar ones of nests too, go
// through the widest function that the target has. Other widths may give other bits, and then an
// element's value would depend on its index, or on the other dtypes in the loop.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace shapecast {

// Code that works on vectors itself calls the function `lanesName("expf", 8)` on eight floats, if
// isVectorMath("expf"). It gives the bits that expf gives in a vectorised loop.
bool isVectorMath(llvm::StringRef function);
std::string lanesName(llvm::StringRef function, unsigned lanes);
bool isLanesName(llvm::StringRef function); // such a name

void bindVectorMath(llvm::Module &module, const llvm::TargetMachine &target);
void expandVectorMath(llvm::Module &module);

// The functions that code for this target calls, for the linker.
struct VectorFunction {
    std::string name;
    void *address;
};
std::vector<VectorFunction> vectorMath(const llvm::TargetMachine &target);

} // namespace shapecast
