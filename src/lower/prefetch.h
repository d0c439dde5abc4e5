// Loads ahead of what streams through a loop that also jumps about in memory.
//
// A processor fetches ahead of accesses that go on steadily, and finds them among few others only:
// in x[places] the elements of x lie anywhere, and `places` is fetched when it is asked for. Such
// loops ask for it themselves, well before (5,000,000 elements of an x that the second-level cache
// holds: 10.3 -> 2.5 ms).
#pragma once

#include "llvm/IR/PassManager.h"

namespace shapecast {

// After the passes that change loops, before code generation. In each innermost loop with a load at
// a place that another load found, what is loaded at steady steps is prefetched. Not where
// something is stored there: sums by place are bound by their stores, and mostly go to few places
// (measured).
struct PrefetchStreams : llvm::PassInfoMixin<PrefetchStreams> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace shapecast
