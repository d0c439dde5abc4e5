// NumPy functions that are written in Python (shapecast/library/*.py): captured when np-infer meets
// a call of them, and expanded there as any function is.
#pragma once

#include "ir/np.h"

#include <optional>
#include <string>

namespace shapecast {

// Captures "numpy.cumsum" and what it calls: a module of np.funcs, the first one public; none where
// the library has no such function. Raises what capture raises as text.
using LibraryCapture = std::optional<mlir::OwningOpRef<mlir::ModuleOp>> (*)(llvm::StringRef name);
void setLibraryCapture(LibraryCapture capture); // by the bindings; without it there is no library

// The function of that name as a captured one, next to `near`; null where there is none.
np::FuncOp libraryFunction(np::FuncOp near, llvm::StringRef name);

} // namespace shapecast
