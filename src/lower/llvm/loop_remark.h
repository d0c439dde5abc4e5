// What LLVM says of a loop.
#pragma once

#include <string>

namespace shapecast {

// A remark of LLVM's on a loop.
struct LoopRemark {
    std::string function, text;      // "f.nest0", "vectorized loop (vectorization width: 8, ...)"
    unsigned vectorWidth = 0;        // of a vectorised loop
    bool isPartlyVectorised = false; // statements of its body
};

} // namespace shapecast
