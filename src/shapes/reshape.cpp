// The shape rule of reshape.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using shapecast::np::Answer;

namespace shapecast::shapes {

// from / known, where leaving out the sizes that are equal shows it; null otherwise. No size of
// `known` is 0.
static DimAttr exactQuotient(ShapeScope &s, Shape from, Dims known) {
    Dims left;
    int64_t top = 1, bottom = 1;
    bool overflow = false;
    for (DimAttr dim : from) {
        auto *found =
            find_if(known, [&](DimAttr k) { return s.facts.equal(k, dim) == Answer::Yes; });
        if (found != known.end())
            known.erase(found);
        else if (dim.isConst())
            overflow |= MulOverflow(top, dim.getValue(), top);
        else
            left.push_back(dim);
    }
    for (DimAttr dim : known) {
        if (!dim.isConst())
            return {};
        overflow |= MulOverflow(bottom, dim.getValue(), bottom);
    }
    if (overflow || bottom == 0 || top % bottom != 0)
        return {};
    left.push_back(s.dimConst(top / bottom));
    return dimProduct(s.ctx, left);
}

Dims reshape(ShapeScope &s, Shape from, Shape to) {
    const DimAttr zero = s.dimConst(0), total = dimProduct(s.ctx, from);
    Dims result(to), known;
    DimAttr *hole = nullptr;
    for (DimAttr &dim : result) {
        if (!dim.isConst(-1))
            known.push_back(dim);
        else if (std::exchange(hole, &dim))
            s.fail("ValueError", "can only specify one unknown dimension");
    }
    SmallVector<DimAttr> payload = {total};
    const std::string message =
        "cannot reshape array of size {0} into shape " + shapeText(result, payload);
    if (hole) {
        const DimAttr divisor = dimProduct(s.ctx, known);
        s.requireNotEqual(divisor, zero, "ValueError", message, payload);
        const DimAttr quotient = exactQuotient(s, from, known);
        *hole = s.facts.canonical(quotient ? quotient : dimFloorDiv(total, divisor));
    }
    s.requireEqual(dimProduct(s.ctx, result), total, "ValueError", message, payload);
    return result;
}

} // namespace shapecast::shapes
