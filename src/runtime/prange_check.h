// Loop-carried dependences of prange loops, found at run time: lower/function/prange_check.cpp.
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

// Result of sc_prange_dependence: the loop-carried dependence found in a prange loop
// (lower/function/prange_check.cpp).
enum : int64_t { independent, readAfterWrite, writeAfterWrite, writeAfterRead };

extern "C" {
// Debug code of lower/function/prange_check.cpp: see prange_check.cpp.
void sc_prange_begin(const Context *ctx, int64_t level);
void sc_prange_end(int64_t level);
void sc_prange_access(int64_t level, int64_t iteration, int64_t owner, const char *address,
                      int64_t bytes, int64_t isWritten);
int64_t sc_prange_dependence(int64_t *iterations);
}

} // namespace shapecast::runtime
