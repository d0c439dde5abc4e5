// NumPy functions that are implemented in Python (shapecast/library/*.py): captured when np-infer
// visits a call of them, and inlined there as any function.
#pragma once

#include "ir/np.h"

#include <optional>
#include <string>

namespace shapecast {

// Captures "numpy.cumsum" and what it calls: a module of np.funcs, the first one public; none where
// the library has no such function. Capture's exceptions are raised as text.
using LibraryCapture = std::optional<mlir::OwningOpRef<mlir::ModuleOp>> (*)(llvm::StringRef name);
void setLibraryCapture(LibraryCapture capture); // by the bindings; without it there is no library

// The captured function of that name, in the module of `near`; null where there is none.
np::FuncOp libraryFunction(np::FuncOp near, llvm::StringRef name);

} // namespace shapecast
