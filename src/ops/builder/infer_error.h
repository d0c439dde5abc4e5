// What np-infer throws: errors of the user's program, and requests for another attempt.
#pragma once

#include "ir/np.h"
#include <optional>
#include <string>
#include <vector>

namespace shapecast {

// An error of the user's program found at compile time. Thrown and caught inside inference only,
// never through MLIR's frames.
struct InferError {
    mlir::Location loc;
    std::string exception, message;
    std::vector<std::string> notes; // about the operands, as operandNotes makes them
    bool joinConflict = false;      // the values of two paths have no join in one variant
    bool inArm = false; // not supported in an arm of a branch: may be deferred to run time
    // Sites of HeapSites (ops/builder/heap.h): with their containers in memory it may be supported.
    llvm::SmallVector<unsigned, 2> heapSites = {};
    bool needsHeapArgument = false; // or a list or dict that is an argument of a recursive function
    // Requests of global lists and dicts (ir/in_memory.h): as arguments they may be supported.
    llvm::SmallVector<int32_t, 2> globals = {};
    bool needsTuplesInMemory = false;   // see CaptureOptions; unless they are
    bool mutatedWhileIterating = false; // a list or dict, by the body of the loop over it
    np::ErrorSiteAttr site(mlir::Builder b) const; // as an entry of the module's `np.sites`
    mlir::LogicalResult report() const;            // as a diagnostic; always failure
};

// Thrown where a number must be a constant that depends on parameters of the entry. No error: the
// caller makes them static arguments and compiles again.
struct StaticArgumentRequest {
    llvm::SmallVector<int32_t> parameters;
};

// Aborts the inference, whatever alternatives are left; without an error: it was cancelled.
struct InferAborted {
    std::optional<InferError> error;
};

} // namespace shapecast
