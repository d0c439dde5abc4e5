// The functions of shapecast/library for np-infer: captured now, or read from the store that was
// written when the package was built (python/shapecast/library/_store.py).
#pragma once

#include "ir/np.h"

#include <pybind11/pybind11.h>

#include <optional>

namespace shapecast::bindings {

// A LibraryCapture (passes/frontend/library.h). The interpreter lock is not needed.
std::optional<mlir::OwningOpRef<mlir::ModuleOp>> libraryModule(llvm::StringRef name);

// Adds the functions with which the store is written and looked up.
void bindLibraryStore(pybind11::module_ &module);

} // namespace shapecast::bindings
