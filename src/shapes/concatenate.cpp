// Shape rules that join and split arrays.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace shapecast::shapes {

Concat concat(ShapeScope &s, Shapes shapes, int64_t axis) {
    if (shapes.empty())
        s.fail("ValueError", "need at least one array to concatenate");
    const int64_t rank = shapes[0].size();
    if (rank == 0)
        s.fail("ValueError", "zero-dimensional arrays cannot be concatenated");
    axis = axisIn(s, axis, rank);
    for (auto [k, shape] : enumerate(shapes))
        if (int64_t(shape.size()) != rank)
            s.fail("ValueError",
                   "all the input arrays must have same number of dimensions, but the array at "
                   "index 0 has " +
                       Twine(rank) + " dimension(s) and the array at index " + Twine(k) + " has " +
                       Twine(shape.size()) + " dimension(s)");
    Concat joined{shapes[0], {s.dimConst(0)}};
    for (auto [k, shape] : enumerate(shapes))
        for (auto [i, dim] : enumerate(shape))
            if (int64_t(i) != axis)
                s.requireEqual(
                    dim, shapes[0][i], "shapecast.ShapeError",
                    "all the input array dimensions except for the concatenation axis must match "
                    "exactly, but along dimension " +
                        Twine(i) + ", the array at index 0 has size {0} and the array at index " +
                        Twine(k) + " has size {1}",
                    {shapes[0][i], dim});
    DimAttr end = s.dimConst(0);
    for (const Dims &shape : shapes) {
        end = s.facts.canonical(dimAdd(end, shape[axis]));
        joined.offsets.push_back(end);
    }
    joined.result[axis] = joined.offsets.pop_back_val();
    return joined;
}

Dims stack(ShapeScope &s, Shapes shapes, int64_t axis) {
    if (shapes.empty())
        s.fail("ValueError", "need at least one array to stack");
    constexpr StringLiteral message = "all input arrays must have the same shape";
    for (const Dims &shape : shapes) {
        if (shape.size() != shapes[0].size())
            s.fail("ValueError", message);
        for (auto [have, wanted] : zip_equal(shape, shapes[0]))
            s.requireEqual(have, wanted, "ValueError", message);
    }
    Dims result = shapes[0];
    result.insert(result.begin() + axisIn(s, axis, result.size() + 1), s.dimConst(shapes.size()));
    return result;
}

SmallVector<Dims> split(ShapeScope &s, Shape shape, int64_t axis, int64_t parts, bool uneven) {
    axis = axisIn(s, axis, shape.size());
    if (parts < 1)
        s.fail("ValueError", "number sections must be larger than 0.");
    const DimAttr n = shape[axis], count = s.dimConst(parts);
    if (!uneven)
        s.requireEqual(dimMod(n, count), s.dimConst(0), "ValueError",
                       "array split does not result in an equal division: {0} by {1}", {n, count});
    SmallVector<Dims> result;
    for (int64_t k = 0; k < parts; ++k) {
        result.push_back(Dims(shape));
        result.back()[axis] = s.facts.canonical(uneven ? dimCeilDiv(dimSub(n, s.dimConst(k)), count)
                                                       : dimFloorDiv(n, count));
    }
    return result;
}

SmallVector<Dims> splitSizes(ShapeScope &s, Shape shape, int64_t axis, Shape sizes) {
    axis = axisIn(s, axis, shape.size());
    DimAttr total = s.dimConst(0);
    SmallVector<Dims> result;
    for (DimAttr size : sizes) {
        s.requireGreaterEqual(size, s.dimConst(0), "ValueError",
                              "a part of a split has the negative size {0}", {size});
        total = dimAdd(total, size);
        result.push_back(Dims(shape));
        result.back()[axis] = size;
    }
    s.requireEqual(total, shape[axis], "shapecast.ShapeError",
                   "the parts of a split have the total size {0}, and the axis {1}",
                   {total, shape[axis]});
    return result;
}

Dims tile(ShapeScope &s, Shape shape, Shape counts) {
    Dims result;
    const size_t rank = std::max(shape.size(), counts.size());
    const DimAttr one = s.dimConst(1);
    for (size_t i = 0; i < rank; ++i) {
        const size_t ownGap = rank - shape.size(), countGap = rank - counts.size();
        const DimAttr count = i < countGap ? one : counts[i - countGap];
        result.push_back(dimMul(i < ownGap ? one : shape[i - ownGap], count));
        s.requireGreaterEqual(result.back(), s.dimConst(0), "ValueError",
                              "negative dimensions are not allowed");
    }
    return result;
}

Dims pad(ShapeScope &s, Shape shape, Shape before, Shape after) {
    if (before.size() != shape.size() || after.size() != shape.size())
        s.fail("ValueError", "pad widths for " + Twine(before.size()) + " axes, of an array of " +
                                 Twine(shape.size()) + " dimensions");
    Dims result;
    for (auto [n, low, high] : zip_equal(shape, before, after)) {
        for (DimAttr width : {low, high})
            s.requireGreaterEqual(width, s.dimConst(0), "ValueError",
                                  "index can't contain negative values");
        result.push_back(dimAdd(n, dimAdd(low, high)));
    }
    return result;
}

} // namespace shapecast::shapes
