// The module's attribute `np.methods`, which capture/made_classes.h fills.
#pragma once

#include "ir/np.h"

namespace shapecast {

// What it has under each name ("17.area"), without what is no method.
llvm::SmallVector<std::pair<llvm::StringRef, np::MethodAttr>> methodsOf(mlir::ModuleOp module);

} // namespace shapecast
