// NumPy functions that create arrays: one table entry each with name, Python signature and emitter.
#include "ir/layout.h"
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/builder/sequences.h"
#include "ops/builder/stores.h"
#include "ops/numpy/call_ufunc.h"
#include "ops/numpy/functions_views.h"
#include "ops/tables.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// An array of these dims filled with a scalar.
static Val filled(TypedBuilder &e, const Dims &dims, const Val &scalar, DType dtype,
                  Layout layout = Layout::C) {
    if (dims.empty()) {
        Val fresh = alloc(e, dims, dtype);
        assign(e, fresh, scalar);
        return fresh;
    }
    checkWeakBounds(e, *findUfunc("positive"), Loop{{dtype}, dtype}, scalar);
    Value cast = castValue(e, scalar.value, dtype);
    return materialize(e, SplatOp::create(e.b, e.loc, cast, dims, e.device), layout);
}

// order= of a function without a prototype array.
static Layout freshOrder(TypedBuilder &e, const Arguments &in, size_t rank) {
    const StringRef order = orderText(e, in, "C");
    if (order != "C" && order != "F")
        e.fail("ValueError", "only 'C' or 'F' order is permitted");
    return order == "F" && rank >= 2 ? Layout::F : Layout::C;
}

// The shape argument, checked against the maximal size of an array.
static Dims shapeArgument(TypedBuilder &e, const Arguments &in, DType dtype) {
    Dims dims = shapeOf(e, in["shape"]);
    e.requireBytes(dims, dtype);
    return dims;
}

template <int fill> static Val filledWith(TypedBuilder &e, const Arguments &in) {
    const DType dtype = dtypeOr(e, in, DType::F64);
    const Dims dims = shapeArgument(e, in, dtype);
    return filled(e, dims, e.intVal(fill), dtype, freshOrder(e, in, dims.size()));
}

static Val empty(TypedBuilder &e, const Arguments &in) {
    const DType dtype = dtypeOr(e, in, DType::F64);
    const Dims dims = shapeArgument(e, in, dtype);
    return alloc(e, dims, dtype, freshOrder(e, in, dims.size()));
}

static Val full(TypedBuilder &e, const Arguments &in) {
    const Val &fill = in["fill_value"];
    const DType dtype = dtypeOr(e, in, e.operandOf(fill).dtype);
    const Dims dims = shapeArgument(e, in, dtype);
    const Layout order = freshOrder(e, in, dims.size());
    if (!fill.isArray())
        return filled(e, dims, fill, dtype, order);
    Val fresh = alloc(e, dims, dtype, order);
    assign(e, fresh, fill);
    return fresh;
}

namespace {
struct Like { // the result of a function like np.zeros_like
    Dims dims;
    DType dtype;
    Layout layout;
};
} // namespace

static Like likeOf(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    const Val *shape = in.find("shape");
    const bool isGiven = shape && !shape->isNone();
    const DType dtype = dtypeOr(e, in, e.operandOf(a).dtype);
    const Dims dims = isGiven ? shapeArgument(e, in, dtype) : dimsOf(a);
    if (!isGiven)
        e.requireBytes(dims, dtype); // a broadcast view may have a larger size than its memory
    Layout layout = orderArgument(e, in, a, "K");
    // order='K' keeps the order of the axes, of which there must be as many
    if (orderText(e, in, "K") == "K" && dims.size() != dimsOf(a).size())
        layout = Layout::C;
    return {dims, dtype, dims.size() > 1 ? layout : Layout::C};
}

template <int fill> static Val filledLike(TypedBuilder &e, const Arguments &in) {
    const Like like = likeOf(e, in);
    return filled(e, like.dims, e.intVal(fill), like.dtype, like.layout);
}

static Val emptyLike(TypedBuilder &e, const Arguments &in) {
    const Like like = likeOf(e, in);
    return alloc(e, like.dims, like.dtype, like.layout);
}

static Val fullLike(TypedBuilder &e, const Arguments &in) {
    const Like like = likeOf(e, in);
    const Val &fill = in["fill_value"];
    if (fill.isScalar())
        return filled(e, like.dims, fill, like.dtype, like.layout);
    Val fresh = alloc(e, like.dims, like.dtype, like.layout);
    assign(e, fresh, fill);
    return fresh;
}

namespace {

// The leaves of nested list and tuple displays for np.array: scalars and arrays with their indices,
// and the shape as far as it is homogeneous.
struct Displayed {
    struct Leaf {
        std::vector<Val> keys;
        Val value;
    };
    struct Sizes { // of one axis, comparable only at run time
        DimAttr have, want;
        size_t axis;
    };
    TypedBuilder &e;
    std::vector<Leaf> leaves;
    std::vector<Sizes> unknown;
    bool ragged = false;

    Dims shapeOf(const Val &v, std::vector<Val> keys = {});
    bool agree(DimAttr have, DimAttr want, size_t axis);
};

Dims Displayed::shapeOf(const Val &v, std::vector<Val> keys) {
    if (!v.isTuple()) {
        leaves.push_back({std::move(keys), v});
        return dimsOf(v);
    }
    const size_t depth = keys.size() + 1;
    Dims shape;
    for (auto [i, item] : llvm::enumerate(v.items)) {
        keys.resize(depth, Val());
        keys.back() = e.intVal(i);
        Dims dims = shapeOf(item, keys);
        if (i == 0) {
            shape = std::move(dims);
            continue;
        }
        size_t same = 0;
        while (same < std::min(shape.size(), dims.size()) &&
               agree(dims[same], shape[same], depth + same))
            ++same;
        ragged |= same < std::max(shape.size(), dims.size());
        shape.truncate(same);
    }
    shape.insert(shape.begin(), e.dimConst(v.items.size()));
    return shape;
}

bool Displayed::agree(DimAttr have, DimAttr want, size_t axis) {
    if (e.assumeEqual(have, want))
        return true;
    if (e.assumeNotEqual(have, want))
        return false;
    unknown.push_back({have, want, axis});
    return true;
}

} // namespace

static void requireAlike(TypedBuilder &e, StringRef kind, ArrayRef<DimAttr> sizes,
                         ArrayRef<DimAttr> shape) {
    SmallVector<DimAttr> payload;
    const std::string found = shapeText(shape, payload, ", ");
    const Twine rank(shape.size());
    e.require(kind, sizes, "ValueError",
              ("setting an array element with a sequence. The requested array has an "
               "inhomogeneous shape after " +
               rank + " dimensions. The detected shape was " + found + " + inhomogeneous part.")
                  .str(),
              payload);
}

// A fresh array of a range; an empty one has the dtype of [].
static Val rangeArray(TypedBuilder &e, const Arguments &in, const Val &range) {
    const DimAttr size = rangeSize(e, range);
    if (e.assumeGreaterEqual(size, e.dimConst(1))) {
        const Val numbers = callFunction(e, *findFunction("numpy.arange"), range.items, {});
        const DType dtype = dtypeOr(e, in, DType::I64);
        return dtype == DType::I64 ? numbers : castTo(e, numbers, dtype);
    }
    if (!e.assumeEqual(size, e.dimConst(0)))
        e.unsupported("an array of a range that may be empty is not supported; use np.arange");
    return alloc(e, e.dimConst(0), dtypeOr(e, in, DType::F64));
}

// A fresh array of an array, a scalar or a display.
static Val newArray(TypedBuilder &e, const Arguments &in) {
    const Val &object = in["object"];
    if (object.kind == Val::Kind::Range)
        return rangeArray(e, in, object);
    if (!object.isTuple()) {
        OperandType operand = e.operandOf(object);
        DType dtype = dtypeOr(e, in, operand.dtype);
        const Layout order = orderArgument(e, in, object, "K");
        if (object.isArray() && object.array().getRank() > 0)
            return materialize(e, castValue(e, read(e, object), dtype),
                               object.array().getRank() > 1 ? order : Layout::C);
        if (operand.weak != PyKind::Strong && !object.weakFlag)
            return filled(e, {}, makeNumber(e, dtype, &object), dtype);
        return filled(e, {}, object.isArray() ? e.typed(read(e, object)) : object, dtype);
    }
    Displayed displayed{e, {}, {}};
    const Dims shape = displayed.shapeOf(object);
    if (displayed.ragged)
        requireAlike(e, "false", {}, shape);
    else
        for (const auto &sizes : displayed.unknown)
            requireAlike(e, "eq", {sizes.have, sizes.want}, ArrayRef(shape).take_front(sizes.axis));
    SmallVector<OperandType> types;
    for (const auto &leaf : displayed.leaves) // here a Python number counts as its default dtype
        types.push_back({e.operandOf(leaf.value).dtype});
    DType dtype = dtypeOr(e, in, types.empty() ? DType::F64 : resultType(types));
    const bool fortran = orderText(e, in, "K") == "F" && shape.size() > 1;
    Val fresh = alloc(e, shape, dtype, fortran ? Layout::F : Layout::C);
    if (!displayed.ragged)
        for (const auto &leaf : displayed.leaves)
            setItem(e, fresh, leaf.keys, leaf.value);
    return fresh;
}

// With axes of size 1 prepended, up to that rank.
static Val withLeadingOnes(TypedBuilder &e, const Val &a, int64_t rank) {
    Dims dims = dimsOf(a);
    if (int64_t(dims.size()) >= rank)
        return a;
    const Dims zeros(dims.size(), e.dimConst(0)), ones(dims.size(), e.dimConst(1));
    SmallVector<int64_t> axes(rank - dims.size(), -1);
    llvm::append_range(axes, llvm::seq<int64_t>(0, dims.size()));
    dims.insert(dims.begin(), rank - dims.size(), e.dimConst(1));
    return view(e, a, zeros, ones, axes, dims);
}

// An array is both C and F contiguous if it is empty or has at most one axis longer than 1. Its
// sizes are assumed to be as in the compiling call.
static std::optional<bool> isInBothOrders(TypedBuilder &e, ArrayRef<DimAttr> dims) {
    SmallVector<DimAttr> longer;
    for (DimAttr dim : dims) {
        if (e.assumeEqual(dim, e.dimConst(0)))
            return true;
        if (e.assumeGreaterEqual(dim, e.dimConst(2)))
            longer.push_back(dim);
        else if (!e.assumeEqual(dim, e.dimConst(1)))
            return std::nullopt;
    }
    return longer.size() < 2;
}

// The array itself if it has that order, else a copy in it; strided arrays are checked at run time.
static Val inOrder(TypedBuilder &e, const Val &a, Layout layout) {
    const Layout have = a.array().getLayout();
    const int64_t rank = a.array().getRank();
    if (have == layout || rank == 0 || (rank == 1 && have == Layout::C))
        return a;
    if (rank > 1 && (have == Layout::C || have == Layout::F))
        if (std::optional<bool> both = isInBothOrders(e, dimsOf(a)))
            return *both ? a : materialize(e, read(e, a), layout);
    auto inCOrder = [&](const Val &v) {
        std::vector<Val> sizes;
        for (DimAttr dim : dimsOf(v))
            sizes.push_back(e.sizeVal(dim));
        return rank == 1 ? ravel(e, v) : reshape(e, ravel(e, v), sizes);
    };
    if (layout == Layout::C || rank == 1)
        return inCOrder(a);
    const auto reversed = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, rank)));
    return transpose(e, inCOrder(transpose(e, a, reversed)), reversed);
}

// The layout that order= requires, none where any will do.
static std::optional<Layout> requiredLayout(TypedBuilder &e, const Arguments &in) {
    const StringRef order = orderText(e, in, "K");
    return order == "C"   ? std::optional(Layout::C)
           : order == "F" ? std::optional(Layout::F)
                          : std::nullopt;
}

// np.array and np.asarray: `copies` where copy= is absent.
static Val arrayOf(TypedBuilder &e, const Arguments &in, bool copies) {
    const Val *copy = in.find("copy");
    const bool never = copy && !copy->isNone() && !flagArgument(e, in, "copy", copies);
    const bool always = copy && !copy->isNone() ? !never : !copy && copies;
    const Val &object = in["object"];
    const bool alike =
        object.isArray() && dtypeOr(e, in, e.operandOf(object).dtype) == e.operandOf(object).dtype;
    const std::optional<Layout> layout = requiredLayout(e, in);
    const Val ordered = always || !alike ? Val() : layout ? inOrder(e, object, *layout) : object;
    if (never && !(ordered.isTyped() && ordered.value == object.value))
        e.fail("ValueError", "Unable to avoid copy while creating an array as requested.");
    const Val a = ordered.isTyped() ? ordered : newArray(e, in);
    return withLeadingOnes(e, a, intArgument(e, in, "ndmin", 0));
}

static Val array(TypedBuilder &e, const Arguments &in) { return arrayOf(e, in, true); }
static Val asarray(TypedBuilder &e, const Arguments &in) { return arrayOf(e, in, false); }

static Val copied(TypedBuilder &e, const Val &a, Layout layout) {
    if (!a.isArray() || a.array().getRank() == 0)
        return filled(e, {}, a.isArray() ? e.typed(read(e, a)) : a, e.operandOf(a).dtype);
    return materialize(e, read(e, a), a.array().getRank() > 1 ? layout : Layout::C);
}

static Val copy(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]);
    return copied(e, a, orderArgument(e, in, a, "K"));
}

static Val methodCopy(TypedBuilder &e, const Arguments &in) {
    if (in["a"].isScalar())
        return in["a"]; // scalar.copy() is a scalar
    return copied(e, in["a"], orderArgument(e, in, in["a"], "C"));
}

// np.ascontiguousarray, np.asfortranarray.
template <Layout layout> static Val contiguousArray(TypedBuilder &e, const Arguments &in) {
    Val a = atLeast(e, in["a"], 1);
    DType dtype = dtypeOr(e, in, e.operandOf(a).dtype);
    if (dtype == e.operandOf(a).dtype)
        return inOrder(e, a, layout);
    return materialize(e, castValue(e, read(e, a), dtype),
                       a.array().getRank() > 1 ? layout : Layout::C);
}

static Val astype(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    DType dtype = dtypeOf(e, in["dtype"]), from = e.operandOf(a).dtype;
    if (in.find("casting"))
        checkCast(e, from, dtype, castingArgument(e, in));
    bool rank0 = a.isArray() && a.array().getRank() == 0;
    StringRef absent = rank0 ? "C" : "K";
    Layout layout = a.isArray() ? orderArgument(e, in, a, absent) : Layout::C;
    if (!flagArgument(e, in, "copy", true) && a.isArray() && dtype == from)
        return requiredLayout(e, in) ? inOrder(e, a, layout) : a;
    if (rank0)
        return filled(e, {}, e.typed(read(e, a)), dtype);
    if (!a.isArray())
        return castTo(e, a, dtype);
    return materialize(e, castValue(e, read(e, a), dtype),
                       a.array().getRank() > 1 ? layout : Layout::C);
}

ArrayRef<Function> shapecast::creationFunctions() {
    static const Function list[] = {
        {"numpy.zeros", "shape, dtype=, order=", filledWith<0>},
        {"numpy.ones", "shape, dtype=, order=", filledWith<1>},
        {"numpy.empty", "shape, dtype=, order=", empty},
        {"numpy.full", "shape, fill_value, dtype=, order=", full},
        {"numpy.zeros_like", "a, dtype=, order=, subok=, shape=", filledLike<0>},
        {"numpy.ones_like", "a, dtype=, order=, subok=, shape=", filledLike<1>},
        {"numpy.empty_like", "a, dtype=, order=, subok=, shape=", emptyLike},
        {"numpy.full_like", "a, fill_value, dtype=, order=, subok=, shape=", fullLike},
        {"numpy.array", "object, dtype=, *, copy=, order=, subok=, ndmin=", array},
        {"numpy.asarray", "object, dtype=, order=, *, copy=", asarray},
        {"numpy.asanyarray", "object, dtype=, order=, *, copy=", asarray},
        {"numpy.ascontiguousarray", "a, dtype=", contiguousArray<Layout::C>},
        {"numpy.asfortranarray", "a, dtype=", contiguousArray<Layout::F>},
        {"numpy.copy", "a, order=", copy},
        {"ndarray.copy", "a, order=", methodCopy, true},
        {"ndarray.astype", "a, dtype, order=, casting=, subok=, copy=", astype, true},
        {"numpy.astype", "a, dtype, copy=", astype},
    };
    return list;
}
