#include "shapes/scope.h"

#include "shapes/conflict.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace shapecast::np;

namespace shapecast {

void ShapeScope::requireEqual(DimAttr a, DimAttr b, StringRef error, const Twine &message,
                              ArrayRef<DimAttr> payload) {
    if (assumeEqual(a, b))
        return;
    require("eq", {a, b}, error, message, payload);
    addFact({SizeFact::Equal, a, b, {}});
}

void ShapeScope::requireGreaterEqual(DimAttr a, DimAttr b, StringRef error, const Twine &message,
                                     ArrayRef<DimAttr> payload) {
    if (assumeGreaterEqual(a, b))
        return;
    require("ge", {a, b}, error, message, payload);
    addFact({SizeFact::GreaterEqual, a, b, {}});
}

void ShapeScope::requireNotEqual(DimAttr a, DimAttr b, StringRef error, const Twine &message,
                                 ArrayRef<DimAttr> payload) {
    if (assumeNotEqual(a, b))
        return;
    require("ne", {a, b}, error, message, payload);
    addFact({SizeFact::NotEqual, a, b, {}});
}

void ShapeScope::addFact(SizeFact fact) { fact.addTo(facts); }

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
