// The names of errors that compilation and compiled code use among themselves: none of them reaches
// the user as it is.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace shapecast::np {

// Of np.require: a speculative assumption about values failed. The message names the assumption;
// the call is respecialised and runs again, with that message in the entry's attribute
// `failed_assumptions`.
inline constexpr llvm::StringLiteral failedAssumptionError = "shapecast.FailedAssumption";
// Side effects may have happened before, so this call cannot be repeated; later calls use the
// respecialised variant.
inline constexpr llvm::StringLiteral lateFailedAssumptionError = "shapecast.LateFailedAssumption";

// Of np.require for unsupported code in a branch: the function is compiled without that code. A
// subclass of UnsupportedError (python/shapecast/_errors.py).
inline constexpr llvm::StringLiteral refusedInBranch = "shapecast.RefusedInBranch";

// Of code for devices: the driver reports an error. Its text is added when the error is raised.
inline constexpr llvm::StringLiteral deviceError = "shapecast.DeviceError";

// No error: what the host does at this place for arrays on a device, which f.explain() lists.
inline constexpr llvm::StringLiteral deviceNote = "shapecast.DeviceNote";
// No error either: a kernel that is launched; its frames are the lines that it computes.
inline constexpr llvm::StringLiteral kernelNote = "shapecast.KernelNote";

// Of np-infer: deeply nested blocks need Progress::onLargeStack().
inline constexpr llvm::StringLiteral needsLargeStack = "shapecast.LargeStackError";

} // namespace shapecast::np
