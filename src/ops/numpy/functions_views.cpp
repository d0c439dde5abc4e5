// NumPy functions that return views: axes permuted, added, dropped, reversed, broadcast.
#include "ops/numpy/functions_views.h"

#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/memory.h"
#include "ops/builder/operands.h"
#include "ops/builder/stores.h"
#include "ops/tables.h"
#include "shapes/rules.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Arguments

//===-- Permuted axes

// A view with these axes of the array, -1 for a new one of size 1.
static Val withAxes(TypedBuilder &e, const Val &a, ArrayRef<int64_t> axes) {
    Dims from = dimsOf(a), dims;
    for (int64_t axis : axes)
        dims.push_back(axis < 0 ? e.dimConst(1) : from[axis]);
    return view(e, a, Dims(from.size(), e.dimConst(0)), Dims(from.size(), e.dimConst(1)), axes,
                dims);
}

static SmallVector<int64_t> allAxes(int64_t rank) {
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

static Val swapaxes(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]);
    int64_t rank = a.array().getRank();
    SmallVector<int64_t> axes = allAxes(rank);
    int64_t first = axisArgument(e, in["axis1"], rank, "axis1");
    std::swap(axes[first], axes[axisArgument(e, in["axis2"], rank, "axis2")]);
    return withAxes(e, a, axes);
}

static Val moveaxis(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]);
    int64_t rank = a.array().getRank();
    SmallVector<int64_t> source = axesArgument(e, in["source"], rank, "source");
    SmallVector<int64_t> target = axesArgument(e, in["destination"], rank, "destination");
    if (source.size() != target.size())
        e.fail("ValueError", "`source` and `destination` arguments must have the same number of "
                             "elements");
    SmallVector<int64_t> axes;
    for (int64_t axis : allAxes(rank))
        if (!llvm::is_contained(source, axis))
            axes.push_back(axis);
    for (int64_t axis : allAxes(rank)) {
        auto *found = llvm::find(target, axis);
        if (found != target.end())
            axes.insert(axes.begin() + axis, source[found - target.begin()]);
    }
    return withAxes(e, a, axes);
}

static Val rollaxis(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]);
    int64_t rank = a.array().getRank(), axis = axisArgument(e, in["axis"], rank);
    int64_t given = intArgument(e, in, "start", 0), start = given < 0 ? given + rank : given;
    if (start < 0 || start > rank)
        e.fail("numpy.exceptions.AxisError", "'start' arg requires " + Twine(-rank) +
                                                 " <= start < " + Twine(rank + 1) + ", but " +
                                                 Twine(start) + " was passed in");
    SmallVector<int64_t> axes = allAxes(rank);
    axes.erase(axes.begin() + axis);
    axes.insert(axes.begin() + (axis < start ? start - 1 : start), axis);
    return withAxes(e, a, axes);
}

//===-- Axes of size 1

// Whether the size is 1: proved, or as in the compiling call, with a guard.
static bool isOne(TypedBuilder &e, DimAttr dim) {
    if (std::optional<bool> one = e.decideEqual(dim, e.dimConst(1)))
        return *one;
    e.unsupported("squeeze of an axis whose size is computed in the function (" + dimText(dim) +
                  ") is not supported; pass axis=");
}

static Val squeeze(TypedBuilder &e, const Arguments &in) {
    const bool number = in["a"].isScalar() && e.operandOf(in["a"]).weak == PyKind::Strong;
    Val a = number ? in["a"] : asArray(e, in["a"]);
    Dims dims = dimsOf(a);
    const Val *axis = in.find("axis");
    SmallVector<int64_t> kept, dropped;
    if (axis && !axis->isNone())
        dropped = axesOf(e, *axis, dims.size());
    if (number)
        return a;
    for (int64_t i : allAxes(dims.size())) {
        bool named = llvm::is_contained(dropped, i);
        if (named && !e.assumeEqual(dims[i], e.dimConst(1)))
            e.require("eq", {dims[i], e.dimConst(1)}, "ValueError",
                      "cannot select an axis to squeeze out which has size not equal to one");
        if (axis && !axis->isNone() ? !named : !isOne(e, dims[i]))
            kept.push_back(i);
    }
    return kept.size() == dims.size() ? a : withAxes(e, a, kept);
}

static Val expandDims(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]);
    Val axis = in["axis"];
    if (isSequence(axis) && !axis.isArray())
        axis = e.tupleVal(itemsIn(e, axis, "a tuple of axes"));
    int64_t rank = a.array().getRank() + (axis.isTuple() ? axis.items.size() : 1);
    if (axis.isArray())
        axis = e.sizeVal(toDim(e, axis));
    SmallVector<int64_t> added = axesArgument(e, axis, rank), axes;
    int64_t next = 0;
    for (int64_t i : allAxes(rank))
        axes.push_back(llvm::is_contained(added, i) ? -1 : next++);
    return withAxes(e, a, axes);
}

Val shapecast::atLeast(TypedBuilder &e, const Val &given, int64_t rank) {
    Val a = asArray(e, given);
    int64_t have = a.array().getRank();
    if (have >= rank)
        return a;
    SmallVector<int64_t> axes(rank, -1); // (n) is (1, n) and (1, n, 1); (n, m) is (n, m, 1)
    int64_t first = have == 1 && rank > 1 ? 1 : 0;
    for (int64_t i = 0; i < have; ++i)
        axes[first + i] = i;
    return withAxes(e, a, axes);
}

template <int rank> static Val atLeastAll(TypedBuilder &e, const Arguments &in) {
    std::vector<Val> arrays = in["arys"].items;
    for (Val &a : arrays)
        a = atLeast(e, a, rank);
    return arrays.size() == 1 ? arrays[0] : e.tupleVal(std::move(arrays));
}

//===-- Reversed axes

static Val flipped(TypedBuilder &e, const Val &a, ArrayRef<int64_t> reversed) {
    Dims dims = dimsOf(a), offsets(dims.size(), e.dimConst(0)), steps(dims.size(), e.dimConst(1));
    for (int64_t axis : reversed) {
        offsets[axis] = dimSub(dims[axis], e.dimConst(1));
        steps[axis] = e.dimConst(-1);
    }
    return view(e, a, offsets, steps, allAxes(dims.size()), dims);
}

static Val flip(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["m"]);
    int64_t rank = a.array().getRank();
    const Val *axis = in.find("axis");
    if (!axis || axis->isNone()) // m[::-1, ::-1, ...]: a scalar if m is 0-d
        return rank == 0 ? e.typed(read(e, a)) : flipped(e, a, allAxes(rank));
    return flipped(e, a, axesArgument(e, *axis, rank));
}

template <int axis> static Val flipAxis(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["m"]);
    if (a.array().getRank() <= axis)
        e.fail("ValueError", "Input must be >= " + Twine(axis + 1) + "-d.");
    return flipped(e, a, {axis});
}

static Val rot90(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["m"]);
    int64_t rank = a.array().getRank(), k = intArgument(e, in, "k", 1) & 3, plane[2] = {0, 1};
    if (const Val *axes = in.find("axes")) {
        checkIterable(e, *axes);
        const std::vector<Val> given = itemsIn(e, *axes, "a tuple of axes");
        if (given.size() != 2)
            e.fail("ValueError", "len(axes) must be 2.");
        for (int i : {0, 1}) {
            if (!given[i].constInt())
                needConstant(e, given[i], "an axis must be a constant");
            plane[i] = *given[i].constInt();
        }
    }
    if (plane[0] == plane[1] || std::abs(plane[0] - plane[1]) == rank)
        e.fail("ValueError", "Axes must be different.");
    for (int64_t axis : plane)
        if (axis < -rank || axis >= rank)
            e.fail("ValueError", "Axes=(" + Twine(plane[0]) + ", " + Twine(plane[1]) +
                                     ") out of range for array of ndim=" + Twine(rank) + ".");
    for (int64_t &axis : plane)
        axis += axis < 0 ? rank : 0;
    SmallVector<int64_t> swapped = allAxes(rank);
    std::swap(swapped[plane[0]], swapped[plane[1]]);
    if (k == 0)
        return withAxes(e, a, allAxes(rank));
    if (k == 2)
        return flipped(e, a, {plane[0], plane[1]});
    return k == 1 ? withAxes(e, flipped(e, a, {plane[1]}), swapped)
                  : flipped(e, withAxes(e, a, swapped), {plane[1]});
}

//===-- Broadcast

static Val broadcastTo(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["array"]);
    Dims from = dimsOf(a), dims;
    for (const Val &v : itemsIn(e, in["shape"], "a shape"))
        dims.push_back(e.facts.canonical(toDim(e, v)));
    if (dims.empty() && !from.empty())
        e.fail("ValueError", "cannot broadcast a non-scalar to a scalar array");
    return broadcastView(e, a, shapes::broadcastTo(e, from, dims), /*readonly=*/true);
}

static Val broadcastArrays(TypedBuilder &e, const Arguments &in) {
    std::vector<Val> arrays = in["args"].items;
    SmallVector<Dims> shapes;
    for (Val &a : arrays) {
        a = asArray(e, a);
        shapes.push_back(dimsOf(a));
    }
    requireOneShape(e, shapes);
    Dims dims = broadcastDims(e, shapes);
    for (auto [a, shape] : llvm::zip_equal(arrays, shapes)) {
        bool same = shape.size() == dims.size();
        for (size_t i = 0; same && i < dims.size(); ++i)
            same = e.assumeEqual(shape[i], dims[i]);
        if (!same)
            a = broadcastView(e, a, dims, a.array().getReadonly());
    }
    return e.tupleVal(std::move(arrays));
}

//===-- Diagonals

// The diagonal of two axes, as the last axis of a view.
static Val diagonalView(TypedBuilder &e, const Val &a, DimAttr offset, int64_t axis1,
                        int64_t axis2) {
    Dims from = dimsOf(a), offsets(from.size(), e.dimConst(0)), dims;
    DimAttr zero = e.dimConst(0);
    bool above = e.assumeGreaterEqual(offset, zero);
    int64_t cut = above ? axis2 : axis1; // the axis whose first columns or rows are skipped
    DimAttr skipped = above ? offset : dimNeg(offset);
    if (!above && !e.assumeGreaterEqual(skipped, zero))
        e.unsupported("a diagonal's offset must be a constant if its sign is not known");
    if (!e.assumeGreaterEqual(from[cut], skipped))
        skipped = dimMin(skipped, from[cut]);
    offsets[cut] = skipped;
    Dims window = from;
    window[cut] = e.facts.canonical(dimSub(from[cut], skipped));
    Val block = a;
    if (!skipped.isConst(0))
        block = view(e, a, offsets, Dims(from.size(), e.dimConst(1)), allAxes(from.size()), window);
    DimAttr rows = window[axis1], columns = window[axis2];
    DimAttr size = e.assumeGreaterEqual(rows, columns)   ? columns
                   : e.assumeGreaterEqual(columns, rows) ? rows
                                                         : dimMin(rows, columns);
    return e.typed(DiagonalOp::create(e.b, e.loc, block.value, axis1, axis2, size));
}

static Val diagonal(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]);
    int64_t rank = a.array().getRank();
    if (rank < 2)
        e.fail("ValueError", "diag requires an array of at least two dimensions");
    auto axis = [&](StringRef name, int64_t absent) {
        const Val *given = in.find(name);
        return given ? axisArgument(e, *given, rank, name) : absent;
    };
    int64_t axis1 = axis("axis1", 0), axis2 = axis("axis2", 1);
    if (axis1 == axis2)
        e.fail("ValueError", "axis1 and axis2 cannot be the same");
    const Val *offset = in.find("offset");
    return diagonalView(e, a, offset ? e.facts.canonical(toDim(e, *offset)) : e.dimConst(0), axis1,
                        axis2);
}

static Val trace(TypedBuilder &e, const Arguments &in) {
    Val sum = diagonal(e, in);
    SmallVector<std::pair<StringRef, Val>> named{{"axis", e.intVal(-1)}};
    if (const Val *dtype = in.find("dtype"))
        named.push_back({"dtype", *dtype});
    return callFunction(e, *findFunction("numpy.sum"), {sum}, named);
}

static Val diag(TypedBuilder &e, const Arguments &in) {
    Val v = asArray(e, in["v"]);
    const Val *given = in.find("k");
    DimAttr k = given ? e.facts.canonical(toDim(e, *given)) : e.dimConst(0);
    if (v.array().getRank() == 2)
        return diagonalView(e, v, k, 0, 1);
    if (v.array().getRank() != 1)
        e.fail("ValueError", "Input must be 1- or 2-d.");
    DimAttr distance = e.assumeGreaterEqual(k, e.dimConst(0))           ? k
                       : e.assumeGreaterEqual(dimNeg(k), e.dimConst(0)) ? dimNeg(k)
                                                                        : dimMax(k, dimNeg(k));
    DimAttr n = e.facts.canonical(dimAdd(dimsOf(v)[0], distance));
    Val fresh =
        callFunction(e, *findFunction("numpy.zeros"), {e.tupleVal({e.sizeVal(n), e.sizeVal(n)})},
                     {{"dtype", e.staticVal("dtype", dtypeName(e.operandOf(v).dtype))}});
    // The diagonal is a slice with step n + 1 of the flat array.
    Val line = reshape(e, fresh, {e.intVal(-1)});
    DimAttr first = k == distance ? k : dimMul(distance, n);
    if (k != distance && distance != dimNeg(k))
        e.unsupported("a diagonal's offset must be a constant if its sign is not known");
    Val elements = view(e, line, {first}, {dimAdd(n, e.dimConst(1))}, {0}, dimsOf(v));
    assign(e, elements, v);
    return fresh;
}

ArrayRef<Function> shapecast::viewFunctions() {
    static const Function list[] = {
        {"numpy.swapaxes", "a, axis1, axis2", swapaxes, true},
        {"numpy.moveaxis", "a, source, destination", moveaxis},
        {"numpy.rollaxis", "a, axis, start=", rollaxis},
        {"numpy.squeeze", "a, axis=", squeeze, true},
        {"numpy.expand_dims", "a, axis", expandDims},
        {"numpy.atleast_1d", "*arys", atLeastAll<1>},
        {"numpy.atleast_2d", "*arys", atLeastAll<2>},
        {"numpy.atleast_3d", "*arys", atLeastAll<3>},
        {"numpy.flip", "m, axis=", flip},
        {"numpy.flipud", "m", flipAxis<0>},
        {"numpy.fliplr", "m", flipAxis<1>},
        {"numpy.rot90", "m, k=, axes=", rot90},
        {"numpy.broadcast_to", "array, shape", broadcastTo},
        {"numpy.broadcast_arrays", "*args", broadcastArrays},
        {"numpy.diagonal", "a, offset=, axis1=, axis2=", diagonal, true},
        {"numpy.trace", "a, offset=, axis1=, axis2=, dtype=", trace, true},
        {"numpy.diag", "v, k=", diag},
    };
    return list;
}
