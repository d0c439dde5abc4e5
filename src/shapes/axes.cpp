// Shape rules that move, drop or add axes.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace shapecast::shapes {

int64_t axisIn(ShapeScope &s, int64_t axis, int64_t rank) {
    if (axis < -rank || axis >= rank)
        s.fail("numpy.exceptions.AxisError",
               "axis " + Twine(axis) + " is out of bounds for array of dimension " + Twine(rank));
    return axis < 0 ? axis + rank : axis;
}

AxisList axesIn(ShapeScope &s, Axes axes, int64_t rank) {
    AxisList found;
    for (int64_t axis : axes) {
        const int64_t normal = axisIn(s, axis, rank);
        if (is_contained(found, normal))
            s.fail("ValueError", "duplicate value in 'axis'");
        found.push_back(normal);
    }
    llvm::sort(found);
    return found;
}

Dims full(ShapeScope &s, Shape sizes) {
    for (DimAttr size : sizes)
        s.requireGreaterEqual(size, s.dimConst(0), "ValueError",
                              "negative dimensions are not allowed");
    return Dims(sizes);
}

Dims reduce(ShapeScope &s, Shape shape, Axes axes, bool keepdims) {
    return np::reducedDims(shape, axesIn(s, axes, shape.size()), keepdims);
}

Dims scan(ShapeScope &s, Shape shape, int64_t axis) {
    if (shape.empty() && (axis == 0 || axis == -1))
        return {s.dimConst(1)}; // NumPy makes a 0-d operand 1-d
    axisIn(s, axis, shape.size());
    return Dims(shape);
}

Dims transpose(ShapeScope &s, Shape shape, Axes order) {
    if (order.size() != shape.size())
        s.fail("ValueError", "axes don't match array");
    SmallVector<bool> seen(shape.size(), false);
    Dims result;
    for (int64_t axis : order) {
        const int64_t from = axisIn(s, axis, shape.size());
        if (std::exchange(seen[from], true))
            s.fail("ValueError", "repeated axis in transpose");
        result.push_back(shape[from]);
    }
    return result;
}

Dims squeeze(ShapeScope &s, Shape shape, Axes axes) {
    const AxisList removed = axesIn(s, axes, shape.size());
    Dims result;
    for (auto [i, dim] : enumerate(shape))
        if (!is_contained(removed, int64_t(i)))
            result.push_back(dim);
        else
            s.requireEqual(dim, s.dimConst(1), "ValueError",
                           "cannot select an axis to squeeze out which has size not equal to one");
    return result;
}

Dims unsqueeze(ShapeScope &s, Shape shape, Axes axes) {
    const AxisList added = axesIn(s, axes, shape.size() + axes.size());
    Dims result(shape);
    for (int64_t axis : added) // ascending: the axes before it are final
        result.insert(result.begin() + axis, s.dimConst(1));
    return result;
}

Dims flatten(ShapeScope &s, Shape shape, int64_t axis) {
    const int64_t rank = shape.size();
    const int64_t first = axis == rank ? rank : axisIn(s, axis, rank);
    return {dimProduct(s.ctx, shape.take_front(first)), dimProduct(s.ctx, shape.drop_front(first))};
}

} // namespace shapecast::shapes
