// Reshapes that are views or copies, as strides decide.
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

// np.reshape_any. After this header come sizes[rank] and strides[rank] of the base, sizes[newRank],
// and room for strides[newRank] of the result (in elements).
struct Reshape {
    void *data;      // of the base, then of the result
    uintptr_t owner; // likewise; the result adds a reference, to the base's buffer or a new one
    int64_t itemSize, rank, newRank;
    int64_t flat; // a view only of a C-contiguous base (np.ravel): the result is contiguous
};
// Makes it a view where strides allow that. Else false, with the strides of a copy in C order; the
// caller makes the copy, and calls becomeCopy().
bool becomeView(Reshape *call);
void becomeCopy(Reshape *call, void *data, void *buffer);
// 0, or 1 when there is no memory for the copy (recorded as site -2).
extern "C" int32_t sc_reshape(Context *ctx, Reshape *call);

} // namespace shapecast::runtime
