// The symbol for the index of a gather in an access function of an np.nest: np.take has the
// indices, which are computed at run time.
#pragma once

#include "ir/np.h"

namespace shapecast::np {

inline constexpr llvm::StringRef gatherIndexName = "gather.index"; // no Python identifier
inline DimAttr dimGatherIndex(mlir::MLIRContext *ctx) { return dimSymbol(ctx, gatherIndexName); }
inline bool isGatherMap(mlir::ArrayAttr map) {
    return llvm::any_of(map.getAsRange<DimAttr>(),
                        [](DimAttr index) { return dimUses(index, gatherIndexName); });
}

} // namespace shapecast::np
