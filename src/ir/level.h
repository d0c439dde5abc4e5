// The levels of the IR between captured functions and machine code: which operations there are, and
// what holds of them. np-verify checks it (verify_level.cpp).
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace shapecast::np {

enum class Level : uint8_t {
    Captured,    // as Python has it: no value has a type
    Specialised, // the entry's parameters are cast from the call's types
    Inferred,    // every value has a type; np.snapshot names arrays that must stay as they are
    Typed,       // arrays' values are tensors, arrays handles
    Nests,       // no tensors: np.nest computes elements
    Scheduled,   // every np.nest has an order
    Checked,     // loops may be versioned, by np.all_hold
    Owned,       // np.retain and np.release
    Loops,       // func, scf, cf, arith, math and llvm (and nvvm, in the module of kernels)
    LLVM,        // the LLVM dialect (and nvvm)
};

inline constexpr llvm::StringLiteral levelNames[] = {"captured", "specialised", "inferred", "typed",
                                                     "nests",    "scheduled",   "checked",  "owned",
                                                     "loops",    "llvm"};

inline llvm::StringRef levelName(Level level) { return levelNames[static_cast<int>(level)]; }

} // namespace shapecast::np
