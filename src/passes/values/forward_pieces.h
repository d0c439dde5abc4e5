// np-pieces: store-to-load forwarding for arrays assembled from windows (pieces).
//
//     r = np.empty_like(q)            # np.roll(q, 1)
//     r[1:] = q[:-1]
//     r[:1] = q[-1:]                  s = np.empty_like(q)       array r is eliminated
//     s = q - r               ->      s[1:] = q[1:] - q[:-1]
//                                     s[:1] = q[:1] - q[-1:]
//
// The iteration space of an expression that reads the array is split into boxes, such that in each
// box one piece is the reaching definition: rolls, concatenated and padded arrays, copies with one
// window overwritten. Each element is computed once and as before. A value with other uses, if it
// is not cheap, and one that is no element-wise expression are materialised first. Boxes that
// differ only in the indices that they read, as of rolls, share one body in a loop:
//
//     for b0, b1 in boxes:
//         s[cut[b0] : cut[b0 + 1], ...] = q[...] - q[cut[b0] + shift[b0] : ..., ...]
//
// Before: the IR after np-promote. After: as before.
#pragma once

#include "ir/np.h"

namespace shapecast {

void forwardPieces(np::FuncOp func);

} // namespace shapecast
