// Products of arrays: matmul and dot of any rank, inner, outer, vdot, and np.linalg.norm.
#include "ops/numpy/functions.h"
#include "shapes/rules.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Dims first(const Dims &dims, size_t count) {
    return Dims(dims.begin(), dims.begin() + count);
}

//===-- matmul

static Val inDType(TypedBuilder &e, const Val &v, DType dtype) {
    return e.operandOf(v).dtype == dtype ? v : e.castTo(v, dtype);
}

static Val product(TypedBuilder &e, const Val &a, const Val &c) {
    e.commonDevice({a, c});
    return e.materialize(MatmulOp::create(e.b, e.loc, a.value, c.value));
}

// A vector as a matrix: a row on the left, a column on the right.
static Val asMatrix(TypedBuilder &e, const Val &v, bool row) {
    if (v.array().getRank() != 1)
        return v;
    Dims dims = e.dimsOf(v);
    dims.insert(row ? dims.begin() : dims.end(), e.dimConst(1));
    SmallVector<int64_t> axes = {row ? -1 : 0, row ? 0 : -1};
    return e.view(v, {e.dimConst(0)}, {e.dimConst(1)}, axes, dims);
}

//===-- Small products, unrolled

// The matrix size up to which loops beat calls of BLAS (measured). In a stack that is not C
// contiguous each element is gathered, and BLAS is faster from 6 x 6 on.
static int64_t maxUnrolledSize(TypedBuilder &e, const Val &c) {
    DType dtype = e.operandOf(c).dtype;
    const bool hasBlas = isComplex(dtype) || (isFloat(dtype) && dtype != DType::F16);
    return hasBlas && c.array().getRank() > 2 && c.array().getLayout() != Layout::C ? 5 : 8;
}

// Makes the size a constant by a guard, unless that guard is forbidden.
static bool assumeHint(TypedBuilder &e, DimAttr size) {
    return e.assumeEqual(size, e.dimConst(*e.sizeHint(size)));
}

// Operand of term `index` of the sum: that column of the left matrices, with a new axis for the
// columns on the right; or that row of the right matrices.
static Val term(TypedBuilder &e, const Val &v, bool isLeft, bool newAxis, int64_t index) {
    Dims from = e.dimsOf(v), offsets(from.size(), e.dimConst(0)), dims;
    const size_t summed = isLeft || from.size() == 1 ? from.size() - 1 : from.size() - 2;
    offsets[summed] = e.dimConst(index);
    SmallVector<int64_t> axes;
    auto add = [&](int64_t axis, DimAttr dim) {
        axes.push_back(axis);
        dims.push_back(dim);
    };
    for (size_t i = 0; i < from.size(); ++i)
        if (i != summed)
            add(i, e.facts.canonical(from[i]));
        else if (newAxis)
            add(-1, e.dimConst(1));
    return e.view(v, offsets, Dims(from.size(), e.dimConst(1)), axes, dims);
}

// Products with few columns and few terms per sum: element-wise with the terms unrolled, which
// fuses with producers and consumers. BLAS adds in this order too. None for other sizes, sizes
// unknown in the compiling call, and devices, which have no element accesses yet.
static std::optional<Val> unrolledProduct(TypedBuilder &e, const Val &a, const Val &c) {
    Dims left = e.dimsOf(a), right = e.dimsOf(c);
    const bool hasRows = left.size() > 1, hasColumns = right.size() > 1;
    DimAttr terms = left.back(), columns = hasColumns ? right.back() : e.dimConst(1);
    auto isSmall = [&, limit = maxUnrolledSize(e, c)](DimAttr size) {
        std::optional<int64_t> hint = e.sizeHint(size);
        return hint && *hint >= 1 && *hint <= limit;
    };
    if (e.commonDevice({a, c}) || !isSmall(terms) || !isSmall(columns) || !assumeHint(e, terms) ||
        !assumeHint(e, columns))
        return std::nullopt;
    if (hasRows && isSmall(left[left.size() - 2])) // constant: all loops can be unrolled
        assumeHint(e, left[left.size() - 2]);
    const DType dtype = e.operandOf(a).dtype, work = dtype == DType::F16 ? DType::F32 : dtype;
    Val x = inDType(e, a, work), y = inDType(e, c, work), sum = e.castTo(e.intVal(0), work);
    for (int64_t k = 0; k < *e.sizeHint(terms); ++k)
        sum = e.ufunc("multiply_add", {term(e, x, true, hasColumns, k),
                                       term(e, y, false, hasRows && hasColumns, k), sum});
    return e.materialize(e.castValue(e.read(sum), dtype)); // in C order, whatever the operands'
}

//===-- Stacks

// Whether one call of BLAS per matrix, without copies, beats a single call for all rows of the
// stack as one matrix: for matrices of these sizes in the compiling call (measured).
static bool prefersCallPerMatrix(TypedBuilder &e, const Dims &left, const Dims &right,
                                 DType dtype) {
    std::optional<int64_t> rows = e.sizeHint(left[left.size() - 2]);
    std::optional<int64_t> terms = e.sizeHint(left.back());
    std::optional<int64_t> columns = right.size() == 2 ? e.sizeHint(right[1]) : std::nullopt;
    return (dtype == DType::F32 || dtype == DType::F64) && rows && terms && columns &&
           std::min({*rows, *terms, *columns}) >= 8 && std::max({*rows, *terms, *columns}) <= 64;
}

// More than two dimensions: stacks of matrices of equal sizes.
static Val stacked(TypedBuilder &e, const Val &a, const Val &c, const Dims &stack) {
    Dims left = e.dimsOf(a), right = e.dimsOf(c);
    if (right.size() <= 2 && a.array().getLayout() == Layout::C &&
        !prefersCallPerMatrix(e, left, right, e.operandOf(a).dtype)) { // one call for the stack
        std::vector<Val> shape;
        DimAttr count = e.dimConst(1);
        for (DimAttr dim : first(left, left.size() - 1)) {
            shape.push_back(e.sizeVal(dim));
            count = dimMul(count, dim);
        }
        if (right.size() == 2)
            shape.push_back(e.sizeVal(right[1]));
        Val rows = e.reshape(a, {e.sizeVal(count), e.sizeVal(left.back())});
        return e.reshape(e.matmul(rows, c), shape);
    }
    auto broadcast = [&](const Val &matrix) {
        Dims dims = e.dimsOf(matrix), wanted = stack;
        wanted.append(dims.end() - 2, dims.end());
        return broadcastView(e, matrix, wanted, true);
    };
    Val x = broadcast(asMatrix(e, a, true)), y = broadcast(asMatrix(e, c, false));
    Val result = product(e, x, y);
    const Dims dims = e.dimsOf(result);
    if (left.size() > 1 && right.size() > 1)
        return result;
    SmallVector<int64_t> axes; // without the vector's axis
    Dims kept;
    for (int64_t i = 0; i < int64_t(dims.size()); ++i)
        if (i != int64_t(stack.size()) + (left.size() > 1)) {
            axes.push_back(i);
            kept.push_back(dims[i]);
        }
    return e.view(result, Dims(dims.size(), e.dimConst(0)), Dims(dims.size(), e.dimConst(1)), axes,
                  kept);
}

Val TypedBuilder::matmul(const Val &x, const Val &y) {
    const shapes::Matmul shape = shapes::matmul(*this, dimsOf(x), dimsOf(y));
    DType dtype = resultType({operandOf(x), operandOf(y)});
    Val a = inDType(*this, x, dtype), c = inDType(*this, y, dtype);
    if (std::optional<Val> sums = unrolledProduct(*this, a, c))
        return *sums;
    if (std::max(a.array().getRank(), c.array().getRank()) > 2)
        return stacked(*this, a, c, shape.batch);
    return product(*this, a, c);
}

//===-- dot, vdot, inner, outer

static Val arrayOrNumber(TypedBuilder &e, const Val &v) {
    return v.isTuple() || v.kind == Val::Kind::Range ? asArray(e, v) : v;
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
    Dims left = e.dimsOf(a), right = e.dimsOf(c);
    if (left.empty() || right.empty())
        return e.ufunc("multiply", {a, c});
    requireAligned(e, left, right);
    if (right.size() <= 2 || left.size() == 1)
        return e.matmul(a, c);
    // (i, 1, j, k) @ (l, k, m), whose axes are then transposed.
    size_t extra = right.size() - 2, rows = left.size() - 2;
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rows)), order = axes;
    axes.append(extra, -1);
    axes.append({int64_t(rows), int64_t(rows) + 1});
    Dims dims = first(left, rows);
    dims.append(extra, e.dimConst(1));
    dims.append(left.end() - 2, left.end());
    Val result = e.matmul(
        e.view(a, Dims(left.size(), e.dimConst(0)), Dims(left.size(), e.dimConst(1)), axes, dims),
        c);
    order.push_back(rows + extra);
    for (size_t i = 0; i < extra; ++i)
        order.push_back(rows + i);
    order.push_back(rows + extra + 1);
    return e.materialize(e.read(e.transpose(result, order)));
}

static Val dot(TypedBuilder &e, const Arguments &in) {
    return dotOf(e, arrayOrNumber(e, in["a"]), arrayOrNumber(e, in["b"]));
}

static Val matmul(TypedBuilder &e, const Arguments &in) {
    return e.matmul(arrayOrNumber(e, in["x1"]), arrayOrNumber(e, in["x2"]));
}

static Val raveled(TypedBuilder &e, const Val &v) {
    Val a = asArray(e, v);
    return a.array().getRank() == 1 ? a : e.ravel(a);
}

static Val vdot(TypedBuilder &e, const Arguments &in) {
    Val a = raveled(e, in["a"]), c = raveled(e, in["b"]);
    DimAttr n = e.dimsOf(a)[0], m = e.dimsOf(c)[0];
    if (!e.assumeEqual(n, m))
        e.require("eq", {n, m}, "ValueError", "cannot reshape array of size {0} into shape ({1},)",
                  {m, n});
    if (isComplex(e.operandOf(a).dtype))
        a = e.ufunc("conjugate", {a});
    return e.matmul(a, c);
}

static Val inner(TypedBuilder &e, const Arguments &in) {
    Val a = arrayOrNumber(e, in["a"]), c = arrayOrNumber(e, in["b"]);
    int64_t rank = e.dimsOf(c).size();
    if (rank < 2)
        return dotOf(e, a, c);
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(axes[rank - 1], axes[rank - 2]);
    return dotOf(e, a, e.transpose(c, axes));
}

static Val outer(TypedBuilder &e, const Arguments &in) {
    Val column = asMatrix(e, raveled(e, in["a"]), false);
    return e.ufunc("multiply", {column, raveled(e, in["b"])});
}

//===-- Norms

// |x| squared, real.
static Val squares(TypedBuilder &e, const Val &x) {
    if (!isComplex(e.operandOf(x).dtype))
        return e.ufunc("square", {x});
    return e.ufunc("add", {e.ufunc("square", {e.ufunc("real", {x})}),
                           e.ufunc("square", {e.ufunc("imag", {x})})});
}

static Val summed(TypedBuilder &e, const Val &x, ArrayRef<int64_t> axes, bool keepdims) {
    DType dtype = e.operandOf(x).dtype, work = dtype == DType::F16 ? DType::F32 : dtype;
    Val sum = e.reduce("add", e.castValue(e.read(x), work), axes, keepdims);
    return work == dtype ? sum : e.castTo(sum, dtype);
}

static Val largest(TypedBuilder &e, const Val &x, StringRef combine, ArrayRef<int64_t> axes,
                   bool keepdims) {
    Dims dims = e.dimsOf(x);
    for (int64_t axis : axes)
        if (combine == "minimum" && !e.assumeGreaterEqual(dims[axis], e.dimConst(1)))
            e.require("ge", {dims[axis], e.dimConst(1)}, "ValueError",
                      "zero-size array to reduction operation minimum which has no identity");
    Val extreme = e.reduce(combine, e.read(x), axes, keepdims);
    // The maximum of an empty array is 0: norms are not negative.
    return combine == "maximum" ? e.ufunc("maximum", {extreme, e.floatVal(0)}) : extreme;
}

static Val vectorNorm(TypedBuilder &e, const Val &x, const Val &ord, std::optional<double> order,
                      ArrayRef<int64_t> axes, bool keepdims) {
    if (ord.isStatic("str"))
        e.fail("ValueError", "Invalid norm order '" + ord.staticText() + "' for vectors");
    if (ord.isNone() || order == 2)
        return e.ufunc("sqrt", {summed(e, squares(e, x), axes, keepdims)});
    Val size = e.ufunc("absolute", {x});
    if (order && std::isinf(*order))
        return largest(e, size, *order > 0 ? "maximum" : "minimum", axes, keepdims);
    DType dtype = e.operandOf(size).dtype;
    if (order == 0.0)
        return summed(e, e.castTo(e.ufunc("not_equal", {x, e.intVal(0)}), dtype), axes, keepdims);
    if (order == 1)
        return summed(e, size, axes, keepdims);
    Val sum = summed(e, e.binary("pow", size, ord), axes, keepdims);
    Val root = e.binary("truediv", e.floatVal(1), ord);
    return e.ufunc("power", {sum, e.castTo(root, dtype)});
}

static Val matrixNorm(TypedBuilder &e, const Val &x, const Val &ord, std::optional<double> order,
                      ArrayRef<int64_t> axes, bool keepdims) {
    if (ord.isNone() ||
        (ord.isStatic("str") && (ord.staticText() == "fro" || ord.staticText() == "f")))
        return e.ufunc("sqrt", {summed(e, squares(e, x), axes, keepdims)});
    if ((order && std::abs(*order) == 2) || (ord.isStatic("str") && ord.staticText() == "nuc"))
        e.unsupported("a matrix norm by singular values is not compiled yet");
    bool infinite = order && std::isinf(*order);
    if (!order || (std::abs(*order) != 1 && !infinite))
        e.fail("ValueError", "Invalid norm order for matrices.");
    int64_t over = infinite ? axes[1] : axes[0], then = infinite ? axes[0] : axes[1];
    Val sums = summed(e, e.ufunc("absolute", {x}), {over}, /*keepdims=*/true);
    Val result = largest(e, sums, *order > 0 ? "maximum" : "minimum", {then}, true);
    if (keepdims)
        return result;
    SmallVector<int64_t> kept;
    Dims dims;
    for (auto [i, dim] : llvm::enumerate(e.dimsOf(x)))
        if (int64_t(i) != over && int64_t(i) != then) {
            kept.push_back(i);
            dims.push_back(dim);
        }
    size_t rank = e.dimsOf(x).size();
    Val cut = e.view(result, Dims(rank, e.dimConst(0)), Dims(rank, e.dimConst(1)), kept, dims);
    return dims.empty() ? e.typed(e.read(cut)) : cut;
}

static Val norm(TypedBuilder &e, const Arguments &in) {
    Val x = asArray(e, in["x"]);
    if (DType dtype = e.operandOf(x).dtype; !isFloat(dtype) && !isComplex(dtype))
        x = e.castTo(x, DType::F64);
    int64_t rank = e.dimsOf(x).size();
    bool keepdims = flagArgument(e, in, "keepdims", false);
    const Val *ordGiven = in.find("ord"), *axisGiven = in.find("axis");
    Val ord = ordGiven ? *ordGiven : e.noneVal();
    std::optional<double> order;
    if (auto number = dyn_cast_or_null<FloatAttr>(ord.attr))
        order = number.getValueAsDouble();
    else if (std::optional<int64_t> integer = ord.constInt())
        order = static_cast<double>(*integer);
    else if (ord.isTyped())
        e.needConstant(ord, "the order of a norm must be a constant");
    SmallVector<int64_t> axes;
    if (!axisGiven || axisGiven->isNone()) {
        axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
        if (ord.isNone()) {
            Val root = e.ufunc("sqrt", {summed(e, squares(e, x), axes, keepdims)});
            return root.isArray() && !keepdims ? e.typed(e.read(root)) : root;
        }
    } else {
        const std::vector<Val> given = axisGiven->isArray()
                                           ? std::vector<Val>{*axisGiven}
                                           : e.itemsIn(*axisGiven, "a tuple of axes");
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
        {"numpy.matmul", "x1, x2, out=", matmul},
        {"numpy.vdot", "a, b", vdot},
        {"numpy.inner", "a, b", inner},
        {"numpy.outer", "a, b, out=", outer},
        {"numpy.linalg.norm", "x, ord=, axis=, keepdims=", norm},
    };
    return list;
}
