// Nests that access more memory than the caches hold: reductions prefetch what they read, and nests
// that read no array that they write use non-temporal stores.
//
// An ordinary store first reads its cache line from memory, and evicts another line. Non-temporal
// stores of whole aligned lines do neither: a triad of 192 MB takes 0.6 of the time.
#pragma once

#include "lower/nest/nest_emitter.h"

namespace shapecast {

// Whether the nest is of either kind at `sizes`, the values of its symbols in the call that is
// compiled. Only then code for it is emitted, and exceedsCaches() decides in each call.
bool mayStoreNonTemporally(const NestPlan &plan,
                           llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizes);

// Whether the nest accesses so much in this call.
mlir::Value exceedsCaches(mlir::OpBuilder &builder, const NestPlan &plan, const NestContext &env);

// The points from .. to - 1 of the last loop, whole cache lines of them by non-temporal stores
// where `isNonTemporal`.
struct NonTemporalRow {
    mlir::Value isNonTemporal, from, to;
    llvm::function_ref<void(mlir::Value from, mlir::Value to)> plain; // emits the ordinary loop
    llvm::function_ref<NestPoint(mlir::OpBuilder &, mlir::Value index)> at;
};
void emitNonTemporalRow(mlir::OpBuilder &builder, const NestPlan &plan, const NestContext &env,
                        NestBody &body, const NonTemporalRow &row);

// `count` elements from `first` on of what is reduced, some way ahead of their loads.
void emitPrefetch(NestEmitter &nest, mlir::OpBuilder &builder, mlir::Value isPrefetched,
                  const NestPoint &first, mlir::Value count);

} // namespace shapecast
