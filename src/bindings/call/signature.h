// From a call's key to the compiler's Signature, and to text.
#pragma once

#include "bindings/call/arguments.h"
#include "compile.h"

namespace shapecast::bindings {

// Symbols: s0, s1, ... for the sizes of arrays in the order of the parameters; n<k> is the value of
// parameter k where that is a Python int (guards may use it).
Signature signatureOf(mlir::MLIRContext &context, const Call &call, size_t parameters);
std::optional<unsigned> slotOfSymbol(const Call &call, size_t parameters, llvm::StringRef symbol);
std::string signatureText(const Parameters &parameters,
                          const Call &call); // "x: float64[s0, s1], n: int"

} // namespace shapecast::bindings
