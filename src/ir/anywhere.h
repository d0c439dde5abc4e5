// The index of an access whose place only the run knows, in a map of an np.nest: np.take reads
// there.
#pragma once

#include "ir/np.h"

namespace shapecast::np {

inline constexpr llvm::StringRef anywhereName = "anywhere";
inline DimAttr dimAnywhere(mlir::MLIRContext *ctx) { return dimSymbol(ctx, anywhereName); }
inline bool isAnywhere(mlir::ArrayAttr map) {
    return llvm::any_of(map.getAsRange<DimAttr>(),
                        [](DimAttr index) { return dimUses(index, anywhereName); });
}

} // namespace shapecast::np
