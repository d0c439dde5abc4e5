// NumPy functions that build arrays by rule or rearrange elements: eye, tri, meshgrid, tile,
// repeat, roll, diff, trapezoid.
#include "facts/host_info.h"
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/builder/stores.h"
#include "ops/numpy/functions_views.h"
#include "ops/tables.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val call(TypedBuilder &e, StringRef name, ArrayRef<Val> arguments) {
    return callFunction(e, *findFunction(("numpy." + name).str()), arguments, {});
}

//===-- Matrices by row and column

// row + k `relation` column, as bool.
static Val bandMask(TypedBuilder &e, StringRef relation, DimAttr rows, DimAttr columns,
                    const Val *k) {
    Type index = scalarType(e.ctx, DType::I64);
    auto iota = [&](int64_t axis) {
        return materialize(e, IotaOp::create(e.b, e.loc, {rows, columns}, index, axis, e.device));
    };
    Val row = iota(0);
    if (k && k->constInt() != 0)
        row = ufunc(e, "add", {row, e.sizeVal(e.facts.canonical(toDim(e, *k)))});
    return ufunc(e, relation, {row, iota(1)});
}

static Val banded(TypedBuilder &e, const Arguments &in, StringRef relation) {
    auto size = [&](const Val &v) {
        if (relation == "equal")
            return shapeOf(e, v)[0];
        return e.facts.canonical(dimMax(toDim(e, v), e.dimConst(0))); // of np.arange: may be empty
    };
    const Val *m = in.find("M"), *dtype = in.find("dtype");
    DimAttr rows = size(in["N"]), columns = m && !m->isNone() ? size(*m) : rows;
    const DType type = dtype && !dtype->isNone() ? dtypeOf(e, *dtype) : DType::F64;
    e.requireBytes({rows, columns}, type);
    return castTo(e, bandMask(e, relation, rows, columns, in.find("k")), type);
}

static Val eye(TypedBuilder &e, const Arguments &in) { return banded(e, in, "equal"); }
static Val tri(TypedBuilder &e, const Arguments &in) { return banded(e, in, "greater_equal"); }

// Keeps the elements on one side of the k-th diagonal.
template <bool upper> static Val triangle(TypedBuilder &e, const Arguments &in) {
    Val m = asArray(e, in["m"]);
    Dims dims = dimsOf(m);
    if (dims.empty())
        e.fail("TypeError", "tri() missing 1 required positional argument: 'N'");
    DimAttr columns = dims.back(), rows = dims.size() > 1 ? dims[dims.size() - 2] : columns;
    DType dtype = e.operandOf(m).dtype;
    Val mask = bandMask(e, upper ? "less_equal" : "greater_equal", rows, columns, in.find("k"));
    return call(e, "where", {mask, m, castTo(e, e.intVal(0), dtype)});
}

//===-- Grids

static Val meshgrid(TypedBuilder &e, const Arguments &in) {
    std::vector<Val> arrays = in["xi"].items;
    size_t rank = arrays.size();
    const Val *indexing = in.find("indexing");
    StringRef order = indexing ? indexing->staticText() : "xy";
    if (order != "xy" && order != "ij")
        e.fail("ValueError", "Valid values for `indexing` are 'xy' and 'ij'.");
    const bool copies = flagArgument(e, in, "copy", true);
    bool sparse = flagArgument(e, in, "sparse", false);
    Dims full(rank);
    SmallVector<size_t> axisOf; // of each array in the grids
    for (size_t i = 0; i < rank; ++i) {
        Val &a = arrays[i];
        a = asArray(e, a);
        if (a.array().getRank() != 1)
            a = call(e, "ravel", {a});
        axisOf.push_back(order == "xy" && rank > 1 && i < 2 ? 1 - i : i);
        full[axisOf[i]] = dimsOf(a)[0];
    }
    for (size_t i = 0; i < rank; ++i) {
        SmallVector<int64_t> axes(rank, -1);
        Dims dims(rank, e.dimConst(1));
        axes[axisOf[i]] = 0;
        dims[axisOf[i]] = full[axisOf[i]];
        Val line = view(e, arrays[i], {e.dimConst(0)}, {e.dimConst(1)}, axes, dims);
        if (!copies) {
            arrays[i] = sparse ? line : broadcastView(e, line, full, line.array().getReadonly());
            continue;
        }
        Val grid = alloc(e, sparse ? dims : full, e.operandOf(arrays[i]).dtype);
        assign(e, grid, line);
        arrays[i] = grid;
    }
    const bool isList = sparse && !copies && !hostInfo().meshgridViewsAreTuples;
    return e.tupleVal(std::move(arrays), isList);
}

//===-- Repetitions

// The repeat count of an axis of that size. NumPy checks only the size of the result: for an empty
// axis a negative count counts as 0.
static DimAttr countOf(TypedBuilder &e, const Val &v, DimAttr size) {
    const DimAttr count = e.facts.canonical(toDim(e, v)), zero = e.dimConst(0);
    if (e.assumeGreaterEqual(count, zero))
        return count;
    e.require("ge", {e.facts.canonical(dimMul(count, size)), zero}, "ValueError",
              "negative dimensions are not allowed");
    return e.facts.canonical(dimMax(count, zero));
}

// A fresh array in which axis i repeats a's axis i `outer[i]` times, with each element repeated
// `inner[i]` times.
static Val repeated(TypedBuilder &e, const Val &a, ArrayRef<DimAttr> outer,
                    ArrayRef<DimAttr> inner) {
    Dims from = dimsOf(a), dims, source;
    std::vector<Val> split;
    SmallVector<int64_t> axes;
    for (size_t i = 0; i < from.size(); ++i) {
        dims.push_back(e.facts.canonical(dimMul(dimMul(outer[i], from[i]), inner[i])));
        auto addAxis = [&](DimAttr size, int64_t axis) {
            split.push_back(e.sizeVal(size));
            axes.push_back(axis);
            source.push_back(axis < 0 ? e.dimConst(1) : size);
        };
        if (!outer[i].isConst(1))
            addAxis(outer[i], -1);
        addAxis(from[i], i);
        if (!inner[i].isConst(1))
            addAxis(inner[i], -1);
    }
    Val fresh = alloc(e, dims, e.operandOf(a).dtype);
    if (axes.size() == from.size()) {
        assign(e, fresh, a);
        return fresh;
    }
    Val broadcast = view(e, a, Dims(from.size(), e.dimConst(0)), Dims(from.size(), e.dimConst(1)),
                         axes, source);
    assign(e, reshape(e, fresh, split), broadcast);
    return fresh;
}

static Val tile(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["A"]);
    const std::vector<Val> counts = itemsIn(e, in["reps"], "a tuple of counts");
    SmallVector<int64_t> axes(std::max<int64_t>(0, counts.size() - a.array().getRank()), -1);
    Dims from = dimsOf(a), dims(axes.size(), e.dimConst(1));
    for (size_t i = 0; i < from.size(); ++i)
        axes.push_back(i);
    dims.append(from.begin(), from.end());
    if (dims.size() != from.size())
        a = view(e, a, Dims(from.size(), e.dimConst(0)), Dims(from.size(), e.dimConst(1)), axes,
                 dims);
    Dims reps(dims.size() - counts.size(), e.dimConst(1));
    for (auto [v, size] : llvm::zip(counts, ArrayRef(dims).take_back(counts.size())))
        reps.push_back(countOf(e, v, size));
    if (dims.empty())
        return call(e, "array", {a});
    return repeated(e, a, reps, Dims(dims.size(), e.dimConst(1)));
}

static Val repeat(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]);
    const Val &given = in["repeats"];
    if (!given.isScalar())
        e.unsupported("np.repeat with " + given.describe() +
                      " as repeats is not compiled yet; give it one number");
    const Val *axis = in.find("axis");
    bool flat = !axis || axis->isNone();
    if (a.array().getRank() == 0 || (flat && a.array().getRank() > 1))
        a = call(e, "ravel", {a});
    int64_t rank = a.array().getRank(), along = flat ? 0 : axisArgument(e, *axis, rank);
    Dims ones(rank, e.dimConst(1)), inner = ones;
    inner[along] = countOf(e, given, dimsOf(a)[along]);
    return repeated(e, a, ones, inner);
}

//===-- Neighbours

static Val roll(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]), fresh, target;
    const Val *axis = in.find("axis");
    bool flat = !axis || axis->isNone();
    Layout layout =
        a.array().getRank() > 1 && a.array().getLayout() == Layout::F ? Layout::F : Layout::C;
    fresh = target = alloc(e, dimsOf(a), e.operandOf(a).dtype, flat ? Layout::C : layout);
    if (flat && a.array().getRank() != 1) {
        target = reshape(e, fresh, {e.intVal(-1)});
        a = ravel(e, a);
    }
    Dims dims = dimsOf(a);
    int64_t rank = dims.size();
    const std::vector<Val> axes = itemsIn(e, flat ? e.intVal(0) : *axis, "a tuple of axes"),
                           shifts = itemsIn(e, in["shift"], "a tuple of shifts");
    if (shifts.size() != axes.size() && shifts.size() != 1 && axes.size() != 1)
        e.fail("ValueError", "shape mismatch: objects cannot be broadcast to a single shape.");
    Dims moves(rank, e.dimConst(0));
    for (size_t i = 0; i < (axes.size() == 1 ? shifts.size() : axes.size()); ++i) {
        int64_t at = axisArgument(e, axes[axes.size() == 1 ? 0 : i], rank);
        moves[at] = dimAdd(moves[at], toDim(e, shifts[shifts.size() == 1 ? 0 : i]));
    }
    // Each axis is cut into two blocks, which are swapped.
    std::vector<std::pair<Val, Val>> blocks = {{target, a}};
    for (int64_t i = 0; i < rank; ++i) {
        if (moves[i].isConst(0))
            continue;
        DimAttr size =
            e.assumeGreaterEqual(dims[i], e.dimConst(1)) ? dims[i] : dimMax(dims[i], e.dimConst(1));
        const DimAttr move = e.facts.canonical(moves[i]);
        DimAttr shift;
        // Twice as long: rolls in both directions then share a middle block
        // (passes/values/forward_pieces.cpp).
        auto atLeast = [&](int64_t times) {
            return e.assumeGreaterEqual(dims[i], e.dimConst(times * std::abs(move.getValue())));
        };
        if (move.isConst() && (atLeast(2) || atLeast(1)))
            shift = move.getValue() > 0 ? move : dimAdd(dims[i], move); // the common case
        else
            shift = e.facts.canonical(dimMod(move, size));
        DimAttr rest = e.facts.canonical(dimSub(dims[i], shift));
        std::vector<std::pair<Val, Val>> next;
        for (const auto &[to, from] : blocks) {
            next.push_back(
                {sliceView(e, to, i, shift, rest), sliceView(e, from, i, e.dimConst(0), rest)});
            next.push_back(
                {sliceView(e, to, i, e.dimConst(0), shift), sliceView(e, from, i, rest, shift)});
        }
        blocks = std::move(next);
    }
    for (const auto &[to, from] : blocks)
        assign(e, to, from);
    return fresh;
}

// prepend= or append= along the axis: a scalar is broadcast.
static Val extension(TypedBuilder &e, const Val &given, const Val &a, int64_t axis) {
    Val v = asArray(e, given);
    if (v.array().getRank() > 0)
        return v;
    Dims dims = dimsOf(a);
    dims[axis] = e.dimConst(1);
    return broadcastView(e, v, dims, true);
}

static Val diff(TypedBuilder &e, const Arguments &in) {
    int64_t n = intArgument(e, in, "n", 1);
    if (n == 0)
        return in["a"];
    if (n < 0)
        e.fail("ValueError", "order must be non-negative but got " + Twine(n));
    constexpr int64_t maxUnrolledOrder = 8;
    if (n > maxUnrolledOrder)
        e.unsupported("np.diff of an order above " + Twine(maxUnrolledOrder) +
                      " is a loop in shapecast/library");
    Val a = asArray(e, in["a"]);
    if (a.array().getRank() == 0)
        e.fail("ValueError", "diff requires input that is at least one dimensional");
    const Val *given = in.find("axis");
    int64_t axis = axisArgument(e, given ? *given : e.intVal(-1), a.array().getRank());
    const Val *before = in.find("prepend"), *after = in.find("append");
    if (before || after) {
        std::vector<Val> parts;
        if (before)
            parts.push_back(extension(e, *before, a, axis));
        parts.push_back(a);
        if (after)
            parts.push_back(extension(e, *after, a, axis));
        a = call(e, "concatenate", {e.tupleVal(std::move(parts)), e.intVal(axis)});
    }
    StringRef op = isBool(e.operandOf(a).dtype) ? "not_equal" : "subtract";
    DimAttr zero = e.dimConst(0), one = e.dimConst(1);
    for (int64_t i = 0; i < n; ++i) {
        DimAttr size = dimSub(dimsOf(a)[axis], one);
        if (!e.assumeGreaterEqual(size, zero))
            size = dimMax(size, zero);
        a = ufunc(e, op, {sliceView(e, a, axis, one, size), sliceView(e, a, axis, zero, size)});
    }
    return a;
}

// Normalises an axis; IndexError as NumPy's `list[axis] = ...` raises it.
static int64_t axisIndex(TypedBuilder &e, int64_t axis, int64_t rank) {
    const int64_t index = axis < 0 ? axis + rank : axis;
    if (index < 0 || index >= rank)
        e.fail("IndexError", "list assignment index out of range");
    return index;
}

// The distances between the points: x is 1-D, along y's axis, or broadcasts against y.
static Val distances(TypedBuilder &e, const Val &x, int64_t axis, int64_t rank) {
    Val points = asArray(e, x);
    if (points.array().getRank() != 1)
        return call(e, "diff", {points, e.intVal(1), e.intVal(axis)});
    Val line = call(e, "diff", {points});
    std::vector<Val> shape(rank, e.intVal(1));
    shape[axisIndex(e, axis, rank)] = e.intVal(-1);
    return reshape(e, line, shape);
}

static Val trapezoid(TypedBuilder &e, const Arguments &in) {
    Val y = asArray(e, in["y"]);
    const Val *x = in.find("x"), *dx = in.find("dx");
    const int64_t rank = y.array().getRank(), axis = intArgument(e, in, "axis", -1);
    Val d = x && !x->isNone() ? distances(e, *x, axis, rank) : dx ? *dx : e.floatVal(1);
    const int64_t along = axisIndex(e, axis, rank);
    DimAttr zero = e.dimConst(0), one = e.dimConst(1), size = dimSub(dimsOf(y)[along], one);
    if (!e.assumeGreaterEqual(size, zero))
        size = dimMax(size, zero);
    Val ends =
        binary(e, "add", sliceView(e, y, along, one, size), sliceView(e, y, along, zero, size));
    Val areas = binary(e, "truediv", binary(e, "mul", d, ends), e.floatVal(2));
    return call(e, "sum", {areas, e.intVal(axis)}); // x may have more axes than y
}

ArrayRef<Function> shapecast::arrangeFunctions() {
    static const Function list[] = {
        {"numpy.eye", "N, M=, k=, dtype=", eye},
        {"numpy.identity", "N, dtype=", eye},
        {"numpy.tri", "N, M=, k=, dtype=", tri},
        {"numpy.tril", "m, k=", triangle<false>},
        {"numpy.triu", "m, k=", triangle<true>},
        {"numpy.meshgrid", "*xi, copy=, sparse=, indexing=", meshgrid},
        {"numpy.tile", "A, reps", tile},
        {"numpy.repeat", "a, repeats, axis=", repeat, true},
        {"numpy.roll", "a, shift, axis=", roll},
        {"numpy.diff", "a, n=, axis=, prepend=, append=", diff},
        {"numpy.trapezoid", "y, x=, dx=, axis=", trapezoid},
    };
    return list;
}
