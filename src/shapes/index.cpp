// Shape rules of indexing.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using shapecast::np::Answer;

namespace shapecast::shapes {

//===-- Slices

static constexpr int64_t maxStep = int64_t{1} << 62;

// A slice bound: NumPy's wrap of negative values, then a clamp to [low, high].
static DimAttr sliceBound(ShapeScope &s, DimAttr e, DimAttr n, DimAttr low, DimAttr high) {
    const DimAttr zero = s.dimConst(0);
    if (s.facts.greaterEqual(e, zero) != Answer::Yes) {
        if (s.facts.less(e, zero) == Answer::Yes) {
            e = dimAdd(e, n);
            return s.assumeGreaterEqual(e, low) ? e : dimMin(dimMax(e, low), high);
        }
        if (!s.assumeGreaterEqual(e, zero)) {
            if (s.assumeGreaterEqual(dimSub(s.dimConst(-1), e), zero))
                return sliceBound(s, e, n, low, high);
            return dimMin(dimMax(dimWrap(e, n), low), high);
        }
    }
    return s.assumeGreaterEqual(high, e) ? e : dimMin(e, high);
}

// The number of steps in `span`, ceil(span / |step|). Compiled code computes it by a sum of the two
// in 64 bits: a step beyond any size is clamped, it fits once at most.
static DimAttr stepCount(ShapeScope &s, DimAttr span, DimAttr step, bool up) {
    const DimAttr one = s.dimConst(1), limit = s.dimConst(up ? maxStep : -maxStep);
    auto isBeyond = [&](DimAttr a, DimAttr b) {
        return s.assumeGreaterEqual(up ? a : b, up ? b : a);
    };
    if (!isBeyond(limit, step)) {
        if (isBeyond(step, limit))
            return dimMin(span, one);
        step = up ? dimMin(step, limit) : dimMax(step, limit);
    }
    return dimCeilDiv(span, up ? step : dimNeg(step));
}

Slice slice(ShapeScope &s, DimAttr n, DimAttr start, DimAttr stop, DimAttr step, bool up) {
    const DimAttr zero = s.dimConst(0), minusOne = s.dimConst(-1);
    const DimAttr low = up ? zero : minusOne, high = up ? n : dimAdd(n, minusOne);
    const DimAttr lo = start ? sliceBound(s, start, n, low, high) : up ? zero : high;
    const DimAttr hi = stop ? sliceBound(s, stop, n, low, high) : up ? n : minusOne;
    DimAttr span = s.facts.canonical(up ? dimSub(hi, lo) : dimSub(lo, hi));
    if (!s.assumeGreaterEqual(span, zero))
        span = dimMax(span, zero);
    return {lo, stepCount(s, span, step, up)};
}

DimAttr range(ShapeScope &s, DimAttr start, DimAttr stop, DimAttr step) {
    const DimAttr zero = s.dimConst(0), one = s.dimConst(1);
    s.requireNotEqual(step, zero, "ZeroDivisionError", "division by zero");
    const bool up = s.assumeGreaterEqual(step, one);
    if (!up && !s.assumeGreaterEqual(s.dimConst(-1), step))
        s.fail("shapecast.UnsupportedError",
               "the size of a range whose step may be positive or negative");
    DimAttr span = s.facts.canonical(up ? dimSub(stop, start) : dimSub(start, stop));
    auto isNatural = [&](DimAttr e) { return s.facts.greaterEqual(e, zero) == Answer::Yes; };
    if (!span.isConst() && !(isNatural(start) && isNatural(stop)))
        s.requireGreaterEqual(s.dimConst(INT64_MAX), span, "OverflowError",
                              "Python int result does not fit in 64 bits");
    if (!s.assumeGreaterEqual(span, zero))
        span = dimMax(span, zero);
    return stepCount(s, span, step, up);
}

//===-- Gather and scatter

Dims gather(ShapeScope &s, Shape shape, Shape indices, int64_t axis) {
    const DimAttr one = s.dimConst(1);
    if (shape.empty())
        shape = one; // a 0-d array counts as one of size 1
    axis = axisIn(s, axis, shape.size());
    const DimAttr count = dimProduct(s.ctx, indices);
    const StringRef message = "cannot do a non-empty take from an empty axes.";
    if (s.facts.greaterEqual(count, one) == Answer::Yes)
        s.requireGreaterEqual(shape[axis], one, "IndexError", message);
    else if (s.facts.equal(shape[axis], s.dimConst(0)) == Answer::Yes)
        s.requireEqual(count, s.dimConst(0), "IndexError", message);
    Dims result(shape.take_front(axis));
    result.append(indices.begin(), indices.end());
    result.append(shape.begin() + axis + 1, shape.end());
    return result;
}

// How many axes the rows of `indices` index: their length.
static int64_t indexedAxes(ShapeScope &s, Shape indices, int64_t rank) {
    if (indices.empty())
        s.fail("ValueError", "the indices must have at least one dimension");
    const DimAttr count = s.facts.canonical(indices.back());
    if (!count.isConst())
        s.fail("shapecast.UnsupportedError",
               "the last size of the indices, " + dimText(count) +
                   ", determines the number of dimensions: it must be a constant");
    if (count.getValue() > rank)
        s.fail("IndexError", "too many indices for array: array is " + Twine(rank) +
                                 "-dimensional, but " + Twine(count.getValue()) + " were indexed");
    return count.getValue();
}

Dims gatherNd(ShapeScope &s, Shape shape, Shape indices, int64_t batchAxes) {
    if (batchAxes < 0 || batchAxes >= int64_t(indices.size()) || batchAxes > int64_t(shape.size()))
        s.fail("ValueError", "gather_nd of " + Twine(batchAxes) + " batch axes, with " +
                                 Twine(shape.size()) + " and " + Twine(indices.size()) +
                                 " dimensions");
    const int64_t indexed = indexedAxes(s, indices, shape.size() - batchAxes);
    for (int64_t axis = 0; axis < batchAxes; ++axis)
        s.requireEqual(shape[axis], indices[axis], "shapecast.ShapeError",
                       "the batch axis " + Twine(axis) +
                           " has size {0} in the array and {1} in the indices",
                       {shape[axis], indices[axis]});
    Dims result(indices.drop_back());
    result.append(shape.begin() + batchAxes + indexed, shape.end());
    return result;
}

Dims scatter(ShapeScope &s, Shape shape, Shape indices, Shape updates, int64_t axis) {
    axis = axisIn(s, axis, shape.size());
    if (indices.size() != shape.size() || updates.size() != shape.size())
        s.fail("ValueError", "scatter takes indices and updates of as many dimensions as the "
                             "array has, " +
                                 Twine(shape.size()));
    for (auto [i, size] : enumerate(indices)) {
        s.requireEqual(size, updates[i], "shapecast.ShapeError",
                       "axis " + Twine(i) + " has size {0} in the indices and {1} in the updates",
                       {size, updates[i]});
        if (int64_t(i) != axis)
            s.requireGreaterEqual(shape[i], size, "shapecast.ShapeError",
                                  "axis " + Twine(i) +
                                      " has size {0} in the array and {1} in the indices",
                                  {shape[i], size});
    }
    return Dims(shape);
}

Dims scatterNd(ShapeScope &s, Shape shape, Shape indices, Shape updates) {
    const Dims wanted = gatherNd(s, shape, indices);
    SmallVector<DimAttr> payload;
    const std::string message = "the updates have the shape " + shapeText(updates, payload) +
                                ", and the indices select " + shapeText(wanted, payload);
    if (updates.size() != wanted.size())
        s.require("false", {}, "shapecast.ShapeError", message, payload);
    for (auto [have, need] : zip(updates, wanted))
        s.requireEqual(have, need, "shapecast.ShapeError", message, payload);
    return Dims(shape);
}

//===-- Others

Dims oneHot(ShapeScope &s, Shape indices, DimAttr depth, int64_t axis) {
    s.requireGreaterEqual(depth, s.dimConst(0), "ValueError",
                          "negative dimensions are not allowed");
    Dims result(indices);
    result.insert(result.begin() + axisIn(s, axis, indices.size() + 1), depth);
    return result;
}

Dims topK(ShapeScope &s, Shape shape, DimAttr count, int64_t axis) {
    axis = axisIn(s, axis, shape.size());
    const StringRef message = "kth(={0}) out of bounds ({1})";
    s.requireGreaterEqual(count, s.dimConst(0), "ValueError", message, {count, shape[axis]});
    s.requireGreaterEqual(shape[axis], count, "ValueError", message, {count, shape[axis]});
    Dims result(shape);
    result[axis] = count;
    return result;
}

Dims compress(ShapeScope &s, Shape shape, DimAttr count, std::optional<int64_t> axis) {
    const int64_t along = axis ? axisIn(s, *axis, shape.size()) : 0;
    const DimAttr size = axis ? shape[along] : dimProduct(s.ctx, shape);
    const StringRef message = "{0} elements cannot be selected of {1}";
    s.requireGreaterEqual(count, s.dimConst(0), "ValueError", message, {count, size});
    s.requireGreaterEqual(size, count, "ValueError", message, {count, size});
    if (!axis)
        return {count};
    Dims result(shape);
    result[along] = count;
    return result;
}

} // namespace shapecast::shapes
