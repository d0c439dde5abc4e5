// The shape rule of recurrent cells.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace shapecast::shapes {

Recurrent recurrent(ShapeScope &s, Shape x, Shape w, Shape r, int64_t gates, int64_t directions,
                    bool batchFirst) {
    for (Shape shape : {x, w, r})
        if (shape.size() != 3)
            s.fail("ValueError",
                   "a recurrent cell takes x, w and r of 3 dimensions, not " + Twine(shape.size()));
    const DimAttr hidden = r[2], wide = dimMul(s.dimConst(gates), hidden);
    const std::pair<DimAttr, DimAttr> equal[] = {
        {w[0], s.dimConst(directions)},
        {r[0], s.dimConst(directions)},
        {r[1], wide},
        {w[1], wide},
        {w[2], x[2]},
    };
    SmallVector<DimAttr> payload;
    const std::string message = "a recurrent cell of " + std::to_string(gates) + " gate(s) and " +
                                std::to_string(directions) +
                                " direction(s) does not fit x of shape " + shapeText(x, payload) +
                                ", w of " + shapeText(w, payload) + " and r of " +
                                shapeText(r, payload);
    for (auto [a, b] : equal)
        s.requireEqual(a, b, "shapecast.ShapeError", message, payload);
    const DimAttr steps = x[batchFirst ? 1 : 0], batch = x[batchFirst ? 0 : 1],
                  count = s.dimConst(directions), state = s.facts.canonical(hidden);
    if (batchFirst)
        return {{batch, steps, count, state}, {batch, count, state}};
    return {{steps, count, batch, state}, {count, batch, state}};
}

} // namespace shapecast::shapes
