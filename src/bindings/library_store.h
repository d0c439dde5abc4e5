// The functions of shapecast/library for np-infer: captured, or as they were captured when the
// package was built (python/shapecast/library/_store.py).
#pragma once

#include "ir/np.h"

#include <pybind11/pybind11.h>

#include <optional>

namespace shapecast::bindings {

// A LibraryCapture (passes/library.h). The interpreter lock is not needed.
std::optional<mlir::OwningOpRef<mlir::ModuleOp>> libraryModule(llvm::StringRef name);

// Adds what the store is written and looked up with.
void bindLibraryStore(pybind11::module_ &module);

} // namespace shapecast::bindings
