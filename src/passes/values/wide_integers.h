// np-wide-integers: intermediate results of Python integers beyond 64 bits.
//
// Before: the typed IR. After: where a product, shift, sum or difference of Python integers is only
// an operand of `%`, `//`, `>>` or `& mask`, both are "wide." operations, which compute in 128 bits
// (ops/python/python_wide.cpp): `(a * x + c) % m` does not overflow, as in Python.
//
// A wide operation but the last has one use, in its block: an operand of the next. Sums that fit
// by the ranges of their operands are marked nowrap, others check 128 bits. Below `& mask`, for a
// mask that is not negative, only the low bits count, so that nothing is checked. The same holds of
// `(a * b) & 0xffffffffffffffff` of operands that have 128 bits by themselves (!np.pywideint).
#pragma once

#include "ir/np.h"

namespace shapecast {

void widenIntegers(np::FuncOp func);

} // namespace shapecast
