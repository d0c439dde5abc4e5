// Products of arrays: matmul and dot of any rank, inner, outer, vdot, and np.linalg.norm.
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/matmul.h"
#include "ops/builder/memory.h"
#include "ops/builder/operands.h"
#include "ops/builder/operators.h"
#include "ops/builder/reductions.h"
#include "ops/tables.h"
#include "shapes/rules.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Dims first(const Dims &dims, size_t count) {
    return Dims(dims.begin(), dims.begin() + count);
}

//===-- matmul

//===-- Small products, unrolled

//===-- Stacks

//===-- dot, vdot, inner, outer

static Val arrayOrNumber(TypedBuilder &e, const Val &v) {
    return v.isTuple() || v.kind == Val::Kind::Range ? asArray(e, v) : v;
}

static Val numpyMatmul(TypedBuilder &e, const Arguments &in) {
    return matmul(e, arrayOrNumber(e, in["x1"]), arrayOrNumber(e, in["x2"]));
}

static void requireAligned(TypedBuilder &e, const Dims &a, const Dims &c) {
    size_t left = a.size() - 1, right = c.size() == 1 ? 0 : c.size() - 2;
    DimAttr k = a[left], k2 = c[right];
    if (e.assumeEqual(k, k2))
        return;
    SmallVector<DimAttr> payload = {k, k2};
    std::string text = "shapes " + shapeText(a, payload) + " and " + shapeText(c, payload) +
                       " not aligned: {0} (dim " + std::to_string(left) + ") != {1} (dim " +
                       std::to_string(right) + ")";
    e.require("eq", {k, k2}, "shapecast.ShapeError", text, payload);
    e.facts.addEqual(k, k2); // required above
}

// The last axis of a with the last but one of c: (i, j, k) . (l, k, m) is (i, j, l, m).
static Val dotOf(TypedBuilder &e, const Val &a, const Val &c) {
    Dims left = dimsOf(a), right = dimsOf(c);
    if (left.empty() || right.empty())
        return ufunc(e, "multiply", {a, c});
    requireAligned(e, left, right);
    if (right.size() <= 2 || left.size() == 1)
        return matmul(e, a, c);
    // (i, 1, j, k) @ (l, k, m), whose axes are then transposed.
    size_t extra = right.size() - 2, rows = left.size() - 2;
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rows)), order = axes;
    axes.append(extra, -1);
    axes.append({int64_t(rows), int64_t(rows) + 1});
    Dims dims = first(left, rows);
    dims.append(extra, e.dimConst(1));
    dims.append(left.end() - 2, left.end());
    Val result = matmul(
        e,
        view(e, a, Dims(left.size(), e.dimConst(0)), Dims(left.size(), e.dimConst(1)), axes, dims),
        c);
    order.push_back(rows + extra);
    for (size_t i = 0; i < extra; ++i)
        order.push_back(rows + i);
    order.push_back(rows + extra + 1);
    return materialize(e, read(e, transpose(e, result, order)));
}

static Val dot(TypedBuilder &e, const Arguments &in) {
    return dotOf(e, arrayOrNumber(e, in["a"]), arrayOrNumber(e, in["b"]));
}

static Val raveled(TypedBuilder &e, const Val &v) {
    Val a = asArray(e, v);
    return a.array().getRank() == 1 ? a : ravel(e, a);
}

static Val vdot(TypedBuilder &e, const Arguments &in) {
    Val a = raveled(e, in["a"]), c = raveled(e, in["b"]);
    DimAttr n = dimsOf(a)[0], m = dimsOf(c)[0];
    if (!e.assumeEqual(n, m))
        e.require("eq", {n, m}, "ValueError", "cannot reshape array of size {0} into shape ({1},)",
                  {m, n});
    if (isComplex(e.operandOf(a).dtype))
        a = ufunc(e, "conjugate", {a});
    return matmul(e, a, c);
}

static Val inner(TypedBuilder &e, const Arguments &in) {
    Val a = arrayOrNumber(e, in["a"]), c = arrayOrNumber(e, in["b"]);
    int64_t rank = dimsOf(c).size();
    if (rank < 2)
        return dotOf(e, a, c);
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(axes[rank - 1], axes[rank - 2]);
    return dotOf(e, a, transpose(e, c, axes));
}

static Val outer(TypedBuilder &e, const Arguments &in) {
    Val column = asMatrix(e, raveled(e, in["a"]), false);
    return ufunc(e, "multiply", {column, raveled(e, in["b"])});
}

//===-- Norms

// |x| squared, real.
static Val squares(TypedBuilder &e, const Val &x) {
    if (!isComplex(e.operandOf(x).dtype))
        return ufunc(e, "square", {x});
    return ufunc(
        e, "add",
        {ufunc(e, "square", {ufunc(e, "real", {x})}), ufunc(e, "square", {ufunc(e, "imag", {x})})});
}

static Val summed(TypedBuilder &e, const Val &x, ArrayRef<int64_t> axes, bool keepdims) {
    DType dtype = e.operandOf(x).dtype, work = dtype == DType::F16 ? DType::F32 : dtype;
    Val sum = reduce(e, "add", castValue(e, read(e, x), work), axes, keepdims);
    return work == dtype ? sum : castTo(e, sum, dtype);
}

static Val largest(TypedBuilder &e, const Val &x, StringRef combine, ArrayRef<int64_t> axes,
                   bool keepdims) {
    Dims dims = dimsOf(x);
    for (int64_t axis : axes)
        if (combine == "minimum" && !e.assumeGreaterEqual(dims[axis], e.dimConst(1)))
            e.require("ge", {dims[axis], e.dimConst(1)}, "ValueError",
                      "zero-size array to reduction operation minimum which has no identity");
    Val extreme = reduce(e, combine, read(e, x), axes, keepdims);
    // The maximum of an empty array is 0: norms are not negative.
    return combine == "maximum" ? ufunc(e, "maximum", {extreme, e.floatVal(0)}) : extreme;
}

static Val vectorNorm(TypedBuilder &e, const Val &x, const Val &ord, std::optional<double> order,
                      ArrayRef<int64_t> axes, bool keepdims) {
    if (ord.isStatic("str"))
        e.fail("ValueError", "Invalid norm order '" + ord.staticText() + "' for vectors");
    if (ord.isNone() || order == 2)
        return ufunc(e, "sqrt", {summed(e, squares(e, x), axes, keepdims)});
    Val size = ufunc(e, "absolute", {x});
    if (order && std::isinf(*order))
        return largest(e, size, *order > 0 ? "maximum" : "minimum", axes, keepdims);
    DType dtype = e.operandOf(size).dtype;
    if (order == 0.0)
        return summed(e, castTo(e, ufunc(e, "not_equal", {x, e.intVal(0)}), dtype), axes, keepdims);
    if (order == 1)
        return summed(e, size, axes, keepdims);
    Val sum = summed(e, binary(e, "pow", size, ord), axes, keepdims);
    Val root = binary(e, "truediv", e.floatVal(1), ord);
    return ufunc(e, "power", {sum, castTo(e, root, dtype)});
}

static Val matrixNorm(TypedBuilder &e, const Val &x, const Val &ord, std::optional<double> order,
                      ArrayRef<int64_t> axes, bool keepdims) {
    if (ord.isNone() ||
        (ord.isStatic("str") && (ord.staticText() == "fro" || ord.staticText() == "f")))
        return ufunc(e, "sqrt", {summed(e, squares(e, x), axes, keepdims)});
    if ((order && std::abs(*order) == 2) || (ord.isStatic("str") && ord.staticText() == "nuc"))
        e.unsupported("a matrix norm by singular values is not compiled yet");
    bool infinite = order && std::isinf(*order);
    if (!order || (std::abs(*order) != 1 && !infinite))
        e.fail("ValueError", "Invalid norm order for matrices.");
    int64_t over = infinite ? axes[1] : axes[0], then = infinite ? axes[0] : axes[1];
    Val sums = summed(e, ufunc(e, "absolute", {x}), {over}, /*keepdims=*/true);
    Val result = largest(e, sums, *order > 0 ? "maximum" : "minimum", {then}, true);
    if (keepdims)
        return result;
    SmallVector<int64_t> kept;
    Dims dims;
    for (auto [i, dim] : llvm::enumerate(dimsOf(x)))
        if (int64_t(i) != over && int64_t(i) != then) {
            kept.push_back(i);
            dims.push_back(dim);
        }
    size_t rank = dimsOf(x).size();
    Val cut = view(e, result, Dims(rank, e.dimConst(0)), Dims(rank, e.dimConst(1)), kept, dims);
    return dims.empty() ? e.typed(read(e, cut)) : cut;
}

static Val norm(TypedBuilder &e, const Arguments &in) {
    Val x = asArray(e, in["x"]);
    if (DType dtype = e.operandOf(x).dtype; !isFloat(dtype) && !isComplex(dtype))
        x = castTo(e, x, DType::F64);
    int64_t rank = dimsOf(x).size();
    bool keepdims = flagArgument(e, in, "keepdims", false);
    const Val *ordGiven = in.find("ord"), *axisGiven = in.find("axis");
    Val ord = ordGiven ? *ordGiven : e.noneVal();
    std::optional<double> order;
    if (auto number = dyn_cast_or_null<FloatAttr>(ord.attr))
        order = number.getValueAsDouble();
    else if (std::optional<int64_t> integer = ord.constInt())
        order = static_cast<double>(*integer);
    else if (ord.isTyped())
        needConstant(e, ord, "the order of a norm must be a constant");
    SmallVector<int64_t> axes;
    if (!axisGiven || axisGiven->isNone()) {
        axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
        if (ord.isNone()) {
            Val root = ufunc(e, "sqrt", {summed(e, squares(e, x), axes, keepdims)});
            return root.isArray() && !keepdims ? e.typed(read(e, root)) : root;
        }
    } else {
        const std::vector<Val> given = axisGiven->isArray()
                                           ? std::vector<Val>{*axisGiven}
                                           : itemsIn(e, *axisGiven, "a tuple of axes");
        for (const Val &axis : given)
            axes.push_back(axisArgument(e, axis, rank));
        if (axes.size() == 2 && axes[0] == axes[1])
            e.fail("ValueError", "Duplicate axes given.");
    }
    if (axes.size() == 1)
        return vectorNorm(e, x, ord, order, axes, keepdims);
    if (axes.size() == 2)
        return matrixNorm(e, x, ord, order, axes, keepdims);
    e.fail("ValueError", "Improper number of dimensions to norm.");
}

ArrayRef<Function> shapecast::productFunctions() {
    static const Function list[] = {
        {"numpy.dot", "a, b, out=", dot, true},
        {"numpy.matmul", "x1, x2, out=", numpyMatmul},
        {"numpy.vdot", "a, b", vdot},
        {"numpy.inner", "a, b", inner},
        {"numpy.outer", "a, b, out=", outer},
        {"numpy.linalg.norm", "x, ord=, axis=, keepdims=", norm},
    };
    return list;
}
