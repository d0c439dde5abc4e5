#include "shapes/scope.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace shapecast::np;

namespace shapecast {

std::string shapeText(ArrayRef<DimAttr> dims, SmallVectorImpl<DimAttr> &payload,
                      StringRef separator) {
    std::string text = "(";
    for (auto [i, dim] : llvm::enumerate(dims)) {
        text += i ? separator.str() : "";
        const size_t index = llvm::find(payload, dim) - payload.begin();
        if (dim.isConst(-1)) {
            text += "newaxis"; // NumPy's text for the size to infer
        } else if (dim.isConst() || index == messageSizes) {
            text += dimText(dim);
        } else {
            text += "{" + std::to_string(index) + "}";
            if (index == payload.size())
                payload.push_back(dim);
        }
    }
    return text + (dims.size() == 1 ? ",)" : ")");
}

DimAttr dimProduct(MLIRContext *ctx, ArrayRef<DimAttr> dims) {
    DimAttr product = dimConst(ctx, 1);
    for (DimAttr dim : dims)
        product = dimMul(product, dim);
    return product;
}

} // namespace shapecast
