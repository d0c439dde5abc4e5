// The shape rule of reshape.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using shapecast::np::Answer;

namespace shapecast::shapes {

namespace {

struct Factors { // of a product of sizes: the constant, and the symbolic ones
    int64_t constant = 1;
    Dims others;
    bool overflow = false;

    explicit Factors(Shape sizes) {
        for (DimAttr size : sizes) {
            if (size.isConst() || size.getKind() == np::DimKind::Product)
                overflow |= MulOverflow(constant, size.getValue(), constant);
            if (size.getKind() == np::DimKind::Product)
                others.append(size.getOperands().begin(), size.getOperands().end());
            else if (!size.isConst())
                others.push_back(size);
        }
    }
};

} // namespace

// from / known, where cancelling equal sizes yields it; null otherwise. No size of `known` is 0.
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
    if (!bottom.others.empty() || top.overflow || bottom.overflow || bottom.constant == 0 ||
        top.constant % bottom.constant != 0)
        return {};
    left.push_back(s.dimConst(top.constant / bottom.constant));
    return dimProduct(s.ctx, left);
}

Dims reshape(ShapeScope &s, Shape from, Shape to) {
    const DimAttr zero = s.dimConst(0), total = dimProduct(s.ctx, from);
    Dims result(to), known;
    DimAttr *inferred = nullptr;
    for (DimAttr &dim : result) {
        if (!dim.isConst() || dim.getValue() >= 0)
            known.push_back(dim);
        else if (std::exchange(inferred, &dim))
            s.fail("ValueError", "can only specify one unknown dimension");
        else
            dim = s.dimConst(-1);
    }
    // NumPy infers any negative size; here it must be known to be negative at compile time.
    for (DimAttr dim : known) {
        if (inferred)
            s.requireGreaterEqual(dim, zero, "ValueError",
                                  "can only specify one unknown dimension");
        else
            s.requireGreaterEqual(dim, zero, "shapecast.UnsupportedError",
                                  "a size that reshape is to infer must be a negative constant: "
                                  "write -1; here it is {0}",
                                  {dim});
    }
    SmallVector<DimAttr> payload = {total};
    const bool leads = result.size() > 1 && result[0].isConst(-1); // NumPy omits it
    std::string shape = shapeText(ArrayRef(result).drop_front(leads), payload);
    if (leads && result.size() == 2)
        shape.erase(shape.size() - 2, 1); // the comma
    const std::string message = "cannot reshape array of size {0} into shape " + shape;
    if (inferred) {
        const DimAttr divisor = dimProduct(s.ctx, known);
        s.requireNotEqual(divisor, zero, "ValueError", message, payload);
        const DimAttr quotient = exactQuotient(s, from, known);
        *inferred = s.facts.canonical(quotient ? quotient : dimFloorDiv(total, divisor));
    }
    s.requireEqual(dimProduct(s.ctx, result), total, "ValueError", message, payload);
    return result;
}

} // namespace shapecast::shapes
