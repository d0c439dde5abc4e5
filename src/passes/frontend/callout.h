// Functions that are not compiled: called out to Python at run time (np.call with `tree`).
//
// The result type of such a function is found by a probe: Python calls it with sample arguments of
// these types (shapecast/_callouts.py). The result at run time is checked against that type.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace shapecast {

// From a call described in JSON to a description of its result in JSON: `probe` in _callouts.py.
using CallOutProbe = std::string (*)(llvm::StringRef call);
void setCallOutProbe(CallOutProbe probe);      // by the bindings; without it no call-outs
std::string probePython(llvm::StringRef call); // the probe; "{}" without one

} // namespace shapecast
