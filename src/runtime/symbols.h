// The tables that make up runtimeSymbols(): each file of the run time lists its functions that
// compiled code may call.
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

const RuntimeSymbol *memorySymbols(size_t *count);      // memory.cpp
const RuntimeSymbol *moveSymbols(size_t *count);        // copy_fill.cpp
const RuntimeSymbol *transposeSymbols(size_t *count);   // transpose.cpp
const RuntimeSymbol *reshapeSymbols(size_t *count);     // reshape.cpp
const RuntimeSymbol *viewSymbols(size_t *count);        // views.cpp
const RuntimeSymbol *blasSymbols(size_t *count);        // blas.cpp
const RuntimeSymbol *lapackSymbols(size_t *count);      // lapack.cpp
const RuntimeSymbol *lapackValueSymbols(size_t *count); // lapack_values.cpp
const RuntimeSymbol *mathSymbols(size_t *count);        // math.cpp
const RuntimeSymbol *recheckSymbols(size_t *count);     // recheck.cpp
const RuntimeSymbol *prangeSymbols(size_t *count);      // prange_check.cpp
const RuntimeSymbol *pickSymbols(size_t *count);        // advanced_indexing.cpp
const RuntimeSymbol *maskedSumSymbols(size_t *count);   // masked_sum.cpp
const RuntimeSymbol *histogramSymbols(size_t *count);   // histogram.cpp
const RuntimeSymbol *scanSymbols(size_t *count);        // scans.cpp
const RuntimeSymbol *sortSymbols(size_t *count);        // sort.cpp
const RuntimeSymbol *selectSymbols(size_t *count);      // select.cpp
const RuntimeSymbol *centreRowsSymbols(size_t *count);  // centre_rows.cpp
const RuntimeSymbol *correlateSymbols(size_t *count);   // correlate.cpp
const RuntimeSymbol *searchSymbols(size_t *count);      // search.cpp
const RuntimeSymbol *randomSymbols(size_t *count);      // random.cpp
const RuntimeSymbol *ufuncLoopSymbols(size_t *count);   // ufunc_loops.cpp
const RuntimeSymbol *threadSymbols(size_t *count);      // threads.cpp

} // namespace shapecast::runtime
