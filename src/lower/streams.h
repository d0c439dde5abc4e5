// Nests that touch more than the caches hold. What those read that combine it to few values is
// fetched ahead; of those that read nothing of what they write, the stores go past the caches.
//
// A usual store reads the line that it writes into from memory first, and pushes out what lies in
// the cache. Stores of whole aligned lines that the processor is told not to keep (non-temporal
// ones) do neither: a triad of 192 MB takes 0.6 of the time.
#pragma once

#include "lower/nest_body.h"

namespace shapecast {

// Whether the nest is of either kind, if `sizes` (what its symbols stood for in the call
// that is compiled) are those of later calls. Code for it is made only then; each call decides.
bool mayStream(const NestPlan &plan,
               llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizes);

// Whether the nest touches so much in this call.
mlir::Value isStream(mlir::OpBuilder &builder, const NestPlan &plan, const NestPlace &place);

// The points from .. to - 1 of the last loop: where `isLong`, whole lines of them past the caches.
struct StreamedRow {
    mlir::Value isLong, from, to;
    llvm::function_ref<void(mlir::Value from, mlir::Value to)> plain; // emits the usual loop
    llvm::function_ref<NestPoint(mlir::OpBuilder &, mlir::Value index)> at;
};
void emitStreamedRow(mlir::OpBuilder &builder, const NestPlan &plan, const NestPlace &place,
                     NestBody &body, const StreamedRow &row);

} // namespace shapecast
