#include "ops/builder/matmul.h"

#include "ops/builder/arrays.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/memory.h"
#include "shapes/rules.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val inDType(TypedBuilder &e, const Val &v, DType dtype) {
    return e.operandOf(v).dtype == dtype ? v : castTo(e, v, dtype);
}

static Val product(TypedBuilder &e, const Val &a, const Val &c) {
    Val both[] = {a, c};
    bringTogether(e, both);
    return materialize(e, MatmulOp::create(e.b, e.loc, both[0].value, both[1].value));
}

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
    Dims from = dimsOf(v), offsets(from.size(), e.dimConst(0)), dims;
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
    return view(e, v, offsets, Dims(from.size(), e.dimConst(1)), axes, dims);
}

// Products with few columns and few terms per sum: element-wise with the terms unrolled, which
// fuses with producers and consumers. BLAS adds in this order too. None for other sizes, sizes
// unknown in the compiling call.
static std::optional<Val> unrolledProduct(TypedBuilder &e, const Val &a, const Val &c) {
    Dims left = dimsOf(a), right = dimsOf(c);
    const bool hasRows = left.size() > 1, hasColumns = right.size() > 1;
    if (a.array().getDevice() && !(hasRows && hasColumns))
        return std::nullopt; // terms of a vector are single elements, which the host would wait for
    DimAttr terms = left.back(), columns = hasColumns ? right.back() : e.dimConst(1);
    auto isSmall = [&, limit = maxUnrolledSize(e, c)](DimAttr size) {
        std::optional<int64_t> hint = e.sizeHint(size);
        return hint && *hint >= 1 && *hint <= limit;
    };
    if (!isSmall(terms) || !isSmall(columns) || !assumeHint(e, terms) || !assumeHint(e, columns))
        return std::nullopt;
    if (hasRows && isSmall(left[left.size() - 2])) // constant: all loops can be unrolled
        assumeHint(e, left[left.size() - 2]);
    const DType dtype = e.operandOf(a).dtype, work = dtype == DType::F16 ? DType::F32 : dtype;
    Val x = inDType(e, a, work), y = inDType(e, c, work), sum = castTo(e, e.intVal(0), work);
    for (int64_t k = 0; k < *e.sizeHint(terms); ++k)
        sum = ufunc(
            e, "multiply_add",
            {term(e, x, true, hasColumns, k), term(e, y, false, hasRows && hasColumns, k), sum});
    return materialize(e, castValue(e, read(e, sum), dtype)); // in C order, whatever the operands'
}

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
    Dims left = dimsOf(a), right = dimsOf(c);
    if (right.size() <= 2 && a.array().getLayout() == Layout::C &&
        !prefersCallPerMatrix(e, left, right, e.operandOf(a).dtype)) { // one call for the stack
        std::vector<Val> shape;
        DimAttr count = e.dimConst(1);
        for (DimAttr dim : ArrayRef(left).drop_back()) {
            shape.push_back(e.sizeVal(dim));
            count = dimMul(count, dim);
        }
        if (right.size() == 2)
            shape.push_back(e.sizeVal(right[1]));
        Val rows = reshape(e, a, {e.sizeVal(count), e.sizeVal(left.back())});
        return reshape(e, matmul(e, rows, c), shape);
    }
    auto broadcast = [&](const Val &matrix) {
        Dims dims = dimsOf(matrix), wanted = stack;
        wanted.append(dims.end() - 2, dims.end());
        return broadcastView(e, matrix, wanted, true);
    };
    Val x = broadcast(asMatrix(e, a, true)), y = broadcast(asMatrix(e, c, false));
    Val result = product(e, x, y);
    const Dims dims = dimsOf(result);
    if (left.size() > 1 && right.size() > 1)
        return result;
    SmallVector<int64_t> axes; // without the vector's axis
    Dims kept;
    for (int64_t i = 0; i < int64_t(dims.size()); ++i)
        if (i != int64_t(stack.size()) + (left.size() > 1)) {
            axes.push_back(i);
            kept.push_back(dims[i]);
        }
    return view(e, result, Dims(dims.size(), e.dimConst(0)), Dims(dims.size(), e.dimConst(1)), axes,
                kept);
}

Val shapecast::matmul(TypedBuilder &e, const Val &x, const Val &y) {
    const shapes::Matmul shape = shapes::matmul(e, dimsOf(x), dimsOf(y));
    DType dtype = resultType({e.operandOf(x), e.operandOf(y)});
    Val a = inDType(e, x, dtype), c = inDType(e, y, dtype);
    if (std::optional<Val> sums = unrolledProduct(e, a, c))
        return *sums;
    if (std::max(a.array().getRank(), c.array().getRank()) > 2)
        return stacked(e, a, c, shape.batch);
    return product(e, a, c);
}

// A vector as a matrix: a row on the left, a column on the right.
Val shapecast::asMatrix(TypedBuilder &e, const Val &v, bool row) {
    if (v.array().getRank() != 1)
        return v;
    Dims dims = dimsOf(v);
    dims.insert(row ? dims.begin() : dims.end(), e.dimConst(1));
    SmallVector<int64_t> axes = {row ? -1 : 0, row ? 0 : -1};
    return view(e, v, {e.dimConst(0)}, {e.dimConst(1)}, axes, dims);
}
