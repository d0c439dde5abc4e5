// np-group-rows: kernel fusion of nests that work on the same rows of arrays on a device.
//
//     for i: m[i] = max of x[i, :]                 for i, by neighbouring threads:
//     for i, j: t[i, j] = exp(x[i, j] - m[i])  ->      m[i] = ...; barrier
//     for i: s[i] = sum of t[i, :]                     t[i, :] = ...; barrier
//     for i, j: out[i, j] = t[i, j] / s[i]             s[i] = ...; barrier; out[i, :] = ...
//
// A row is read from memory once and then from the first-level cache, and there is one launch.
//
// Before: the IR after np-place-loops. After: as before; the nests of a group are adjacent, in
// their order, and have its number as `row_group`. In a group
// - all nests have the same rows: one or several first iterators, in any order, which are all the
//   parallel iterators of nests that reduce;
// - a row touches only itself of what a nest of the group stores, so that rows are independent;
// - a nest computes elements of the row from what an earlier one has reduced of it.
// Operations between the nests that only make values, views and arrays come before the group,
// releases after it.
#pragma once

#include "ir/np.h"

namespace shapecast {

void groupRows(np::FuncOp func);

} // namespace shapecast
