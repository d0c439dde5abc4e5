// Functions that are not compiled: called out to Python at run time (np.call with `tree`).
//
// What such a function gives is found by a probe: Python calls it with samples of the argument's
// types (shapecast/_callouts.py). The result at run time is checked against that.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace shapecast {

// Takes a call described in JSON, gives what it returns in JSON: see `probe` in _callouts.py.
using CallOutProbe = std::string (*)(llvm::StringRef call);
void setCallOutProbe(CallOutProbe probe);    // by the bindings; without it nothing is called out
std::string askPython(llvm::StringRef call); // the probe; "{}" without one

} // namespace shapecast
