// Matrix products with few columns, instead of BLAS: c = a @ b, where a row of c is one or two
// vectors (double with AVX2: up to four).
//
// BLAS packs both operands into tiles that such a b does not fill: from 4 rows on this takes a
// fifth to a half of its time with AVX-512, with AVX2 (16 registers) a third to all of it. With
// half a vector's columns or fewer, several terms of each sum share a vector, and b is packed to
// fit. Sums are blocked by 512 terms, so that they are at least as exact. Rows are shared among
// threads.
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

constexpr int64_t maxNarrowColumns = 16;

// Strides in elements; columns of b are contiguous. False: BLAS is faster, or not supported by this
// processor.
bool narrowProduct(Context *ctx, int64_t m, int64_t n, int64_t k, const float *a, int64_t aRow,
                   int64_t aColumn, const float *b, int64_t bRow, float *c, int64_t cRow,
                   int64_t cColumn);
bool narrowProduct(Context *ctx, int64_t m, int64_t n, int64_t k, const double *a, int64_t aRow,
                   int64_t aColumn, const double *b, int64_t bRow, double *c, int64_t cRow,
                   int64_t cColumn);

} // namespace shapecast::runtime
