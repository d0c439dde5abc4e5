// The type of an argument that compiled code has in memory: !np.object whose name is this and the
// form (bindings/call/containers.h).
#pragma once

#include "llvm/ADT/StringRef.h"

namespace shapecast::np {

inline constexpr llvm::StringLiteral inMemoryPrefix = "in memory ";

} // namespace shapecast::np
