// The shape rule of reshape.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using shapecast::np::Answer;

namespace shapecast::shapes {

namespace {

struct Factors { // of a product of sizes: a number, and what is none
    int64_t number = 1;
    Dims others;
    bool overflow = false;

    explicit Factors(Shape sizes) {
        for (DimAttr size : sizes) {
            if (size.isConst() || size.getKind() == np::DimKind::Product)
                overflow |= MulOverflow(number, size.getValue(), number);
            if (size.getKind() == np::DimKind::Product)
                others.append(size.getOperands().begin(), size.getOperands().end());
            else if (!size.isConst())
                others.push_back(size);
        }
    }
};

} // namespace

// from / known, where leaving out the sizes that are equal shows it; null otherwise. No size of
// `known` is 0.
static DimAttr exactQuotient(ShapeScope &s, Shape from, Shape known) {
    Factors top(from), bottom(known);
    Dims left;
    for (DimAttr dim : top.others) {
        auto *found = find_if(
            bottom.others, [&](DimAttr other) { return s.facts.equal(other, dim) == Answer::Yes; });
        if (found != bottom.others.end())
            bottom.others.erase(found);
        else
            left.push_back(dim);
    }
    if (!bottom.others.empty() || top.overflow || bottom.overflow || bottom.number == 0 ||
        top.number % bottom.number != 0)
        return {};
    left.push_back(s.dimConst(top.number / bottom.number));
    return dimProduct(s.ctx, left);
}

Dims reshape(ShapeScope &s, Shape from, Shape to) {
    const DimAttr zero = s.dimConst(0), total = dimProduct(s.ctx, from);
    Dims result(to), known;
    DimAttr *hole = nullptr;
    for (DimAttr &dim : result) {
        if (!dim.isConst() || dim.getValue() >= 0)
            known.push_back(dim);
        else if (std::exchange(hole, &dim))
            s.fail("ValueError", "can only specify one unknown dimension");
        else
            dim = s.dimConst(-1);
    }
    // NumPy finds each size that is negative; which is known only now is not compiled for.
    for (DimAttr dim : known) {
        if (hole)
            s.requireGreaterEqual(dim, zero, "ValueError",
                                  "can only specify one unknown dimension");
        else
            s.requireGreaterEqual(dim, zero, "shapecast.UnsupportedError",
                                  "a size that is found by reshape must be negative from the "
                                  "start, as -1 is; here it is {0}",
                                  {dim});
    }
    SmallVector<DimAttr> payload = {total};
    const bool leads = result.size() > 1 && result[0].isConst(-1); // NumPy leaves it out
    std::string shape = shapeText(ArrayRef(result).drop_front(leads), payload);
    if (leads && result.size() == 2)
        shape.erase(shape.size() - 2, 1); // the comma
    const std::string message = "cannot reshape array of size {0} into shape " + shape;
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
