// Shape rules of broadcasting.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using shapecast::np::Answer;

namespace shapecast::shapes {

DimAttr broadcastDim(ShapeScope &s, DimAttr a, DimAttr b, Shapes all) {
    return broadcastDim(s, a, b, all, "shapecast.ShapeError",
                        "operands could not be broadcast together with shapes ");
}

DimAttr broadcastDim(ShapeScope &s, DimAttr a, DimAttr b, Shapes all, StringRef error,
                     const Twine &start) {
    const DimAttr one = s.dimConst(1);
    if (s.facts.equal(a, b) == Answer::Yes)
        return a.isConst() ? a : b;
    if (s.facts.equal(a, one) == Answer::Yes)
        return b;
    if (s.facts.equal(b, one) == Answer::Yes)
        return a;
    if (s.assumeEqual(a, b))
        return b.isConst() ? b : a;
    if (s.assumeEqual(a, one))
        return b;
    if (s.assumeEqual(b, one))
        return a;
    SmallVector<DimAttr> payload;
    std::string message = start.str();
    for (const Dims &shape : all)
        message += shapeText(shape, payload) + " ";
    s.require("broadcast", {a, b}, error, message, payload);
    if (s.facts.equal(a, one) == Answer::No) // then b is 1 or equal
        return a;
    if (s.facts.equal(b, one) == Answer::No)
        return b;
    return dimBroadcast(a, b);
}

Dims broadcast(ShapeScope &s, Shapes shapes, Shapes shown, StringRef error, const Twine &message) {
    size_t rank = 0;
    for (const Dims &shape : shapes)
        rank = std::max(rank, shape.size());
    Dims result(rank);
    for (const Dims &shape : shapes)
        for (auto [i, dim] : enumerate(shape)) {
            DimAttr &slot = result[rank - shape.size() + i];
            slot = slot ? broadcastDim(s, slot, dim, shown.empty() ? shapes : shown, error, message)
                        : dim;
        }
    return result;
}

Dims broadcastTo(ShapeScope &s, Shape from, Shape to) {
    for (DimAttr size : to)
        s.requireGreaterEqual(size, s.dimConst(0), "ValueError",
                              "all elements of broadcast shape must be non-negative");
    if (from.size() > to.size())
        s.fail("ValueError",
               "input operand has more dimensions than allowed by the axis remapping");
    SmallVector<DimAttr> payload;
    const std::string message =
        "operands could not be broadcast together with remapped shapes [original->remapped]: " +
        shapeText(from, payload) + "  and requested shape " + shapeText(to, payload);
    const Shape tail = to.take_back(from.size());
    for (auto [dim, goal] : zip_equal(from, tail))
        if (!s.assumeEqual(dim, goal) && !s.assumeEqual(dim, s.dimConst(1)))
            s.require("broadcast_to", {dim, goal}, "shapecast.ShapeError", message, payload);
    return Dims(to);
}

} // namespace shapecast::shapes
