// The errors of np.require that are none of the user's: values are not as the code assumes. The
// message names the place; the call begins again, with that place in the entry's `doubted`.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace shapecast::np {

inline constexpr llvm::StringLiteral restartError = "shapecast.Restart";
// Something that is seen outside may have been done before: the next call may do better.
inline constexpr llvm::StringLiteral lateRestartError = "shapecast.LateRestart";

} // namespace shapecast::np
