// NumPy functions that make arrays: one entry each with its name, Python signature and what it
// emits.
#include "ops/functions.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static DType dtypeOr(TypedBuilder &e, const Arguments &in, DType absent) {
    const Val *dtype = in.find("dtype");
    return dtype && !dtype->isNone() ? e.dtypeOf(*dtype) : absent;
}

// An array of these dims filled with a scalar.
static Val filled(TypedBuilder &e, const Dims &dims, const Val &scalar, DType dtype,
                  Layout layout = Layout::C) {
    if (dims.empty()) {
        Val fresh = e.alloc(dims, dtype);
        e.assign(fresh, scalar);
        return fresh;
    }
    e.checkWeakBounds(*findUfunc("positive"), Loop{{dtype}, dtype}, scalar);
    Value cast = e.castValue(scalar.value, dtype);
    return e.materialize(SplatOp::create(e.b, e.loc, cast, dims, e.device), layout);
}

static Val zeros(TypedBuilder &e, const Arguments &in) {
    return filled(e, e.shapeOf(in["shape"]), e.intVal(0), dtypeOr(e, in, DType::F64));
}

static Val ones(TypedBuilder &e, const Arguments &in) {
    return filled(e, e.shapeOf(in["shape"]), e.intVal(1), dtypeOr(e, in, DType::F64));
}

static Val empty(TypedBuilder &e, const Arguments &in) {
    return e.alloc(e.shapeOf(in["shape"]), dtypeOr(e, in, DType::F64));
}

static Val full(TypedBuilder &e, const Arguments &in) {
    const Val &fill = in["fill_value"];
    Dims dims = e.shapeOf(in["shape"]);
    DType dtype = dtypeOr(e, in, e.operandOf(fill).dtype);
    if (!fill.isArray())
        return filled(e, dims, fill, dtype);
    Val fresh = e.alloc(dims, dtype);
    e.assign(fresh, fill);
    return fresh;
}

static Layout likeLayout(const Val &a) {
    return a.isArray() && a.array().getRank() >= 2 && a.array().getLayout() == Layout::F
               ? Layout::F
               : Layout::C;
}

template <int fill> static Val filledLike(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    return filled(e, e.dimsOf(a), e.intVal(fill), dtypeOr(e, in, e.operandOf(a).dtype),
                  likeLayout(a));
}

static Val emptyLike(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    return e.alloc(e.dimsOf(a), dtypeOr(e, in, e.operandOf(a).dtype), likeLayout(a));
}

static Val fullLike(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    Val fresh = e.alloc(e.dimsOf(a), dtypeOr(e, in, e.operandOf(a).dtype), likeLayout(a));
    e.assign(fresh, in["fill_value"]);
    return fresh;
}

// start + i * step for i < size, in the dtype; size is 1-D.
static Value ramp(TypedBuilder &e, DimAttr size, const Val &start, const Val &step, DType dtype) {
    Val index =
        e.materialize(IotaOp::create(e.b, e.loc, size, scalarType(e.ctx, dtype), 0, e.device));
    Val scaled = e.ufunc("multiply", {index, step}, dtype);
    return e.read(e.ufunc("add", {scaled, start}, dtype));
}

static Val arange(TypedBuilder &e, const Arguments &in) {
    const Val *stopGiven = in.find("stop");
    bool hasStop = stopGiven && !stopGiven->isNone();
    Val start = hasStop ? in["start"] : e.intVal(0), stop = hasStop ? *stopGiven : in["start"];
    const Val *stepGiven = in.find("step");
    Val step = stepGiven && !stepGiven->isNone() ? *stepGiven : e.intVal(1);
    DType common = resultType({e.operandOf(start), e.operandOf(stop), e.operandOf(step)});
    // NumPy starts from its default integer: np.float32 scalars give float64.
    DType dtype = dtypeOr(e, in, promote(common, DType::I64));
    if (isInteger(common) || isBool(common)) {
        DimAttr a = e.toDim(start), z = e.toDim(stop), s = e.toDim(step);
        if (!e.assumeNotEqual(s, e.dimConst(0)))
            e.require("ne", {s, e.dimConst(0)}, "ZeroDivisionError", "division by zero");
        DimAttr size = e.facts.canonical(dimCeilDiv(dimSub(z, a), s));
        if (!e.assumeGreaterEqual(size, e.dimConst(0)))
            size = dimMax(size, e.dimConst(0));
        if (isInteger(dtype))
            return e.materialize(
                ramp(e, size, e.castTo(start, dtype), e.castTo(step, dtype), dtype));
        return e.materialize(e.castValue(
            ramp(e, size, e.castTo(start, DType::F64), e.castTo(step, DType::F64), DType::F64),
            dtype));
    }
    if (isComplex(common))
        e.unsupported("arange of complex numbers");
    // NumPy: length ceil((stop - start) / step), elements start + i * ((start + step) - start).
    Val first = e.toPy(start, PyKind::Float), pace = e.toPy(step, PyKind::Float);
    Val span = e.binary("sub", e.toPy(stop, PyKind::Float), first);
    Val count = e.pyop("math.ceil", e.binary("truediv", span, pace), PyIntType::get(e.ctx));
    DimAttr size = dimMax(count.dim, e.dimConst(0));
    Val delta = e.binary("sub", e.binary("add", first, pace), first);
    DType work = isFloat(dtype) && dtype != DType::F16 ? dtype : DType::F64;
    return e.materialize(
        e.castValue(ramp(e, size, e.castTo(first, work), e.castTo(delta, work), work), dtype));
}

static Val linspace(TypedBuilder &e, const Arguments &in) {
    Val first = e.toPy(in["start"], PyKind::Float), last = e.toPy(in["stop"], PyKind::Float);
    // What it computes in: float32 for two np.float32 scalars.
    OperandType real{DType::F64, PyKind::Float};
    DType work = resultType({e.operandOf(in["start"]), e.operandOf(in["stop"]), real});
    Val start = work == DType::F64 ? first : e.castTo(in["start"], work);
    Val stop = work == DType::F64 ? last : e.castTo(in["stop"], work);
    const Val *num = in.find("num"), *endpointGiven = in.find("endpoint");
    DimAttr size = num ? e.facts.canonical(e.toDim(*num)) : e.dimConst(50);
    if (!e.assumeGreaterEqual(size, e.dimConst(0)))
        e.require("ge", {size, e.dimConst(0)}, "ValueError",
                  "Number of samples, {0}, must be non-negative.", {size});
    std::optional<bool> endpoint = endpointGiven ? endpointGiven->constBool() : true;
    if (!endpoint)
        e.needConstant(*endpointGiven, "linspace's endpoint must be a constant");
    DimAttr one = e.dimConst(1), div = *endpoint ? dimSub(size, one) : size;
    Val parts = e.sizeVal(dimMax(div, one)); // one sample: index 0 only, any divisor does
    Val step = e.binary("truediv", e.binary("sub", stop, start), parts);
    DType dtype = dtypeOr(e, in, work);
    Val line = e.materialize(ramp(e, size, e.castTo(start, work), e.castTo(step, work), work));
    if (*endpoint &&
        e.facts.equal(size, one) != Answer::Yes) { // the last sample is stop itself (when num > 1)
        Val index = e.materialize(
            IotaOp::create(e.b, e.loc, size, scalarType(e.ctx, DType::I64), 0, e.device));
        Val end = e.sizeVal(dimMax(dimSub(size, one), one));
        line = e.ufunc("where", {e.ufunc("equal", {index, end}), stop, line});
    }
    return dtype == work ? line : e.castTo(line, dtype);
}

namespace {

// What np.array finds in nested displays: numbers and arrays with where they go, and the shape as
// far as all of them have the same.
struct Displayed {
    struct Leaf {
        std::vector<Val> keys;
        Val value;
    };
    struct Sizes { // of one axis, that only the run can compare
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
        return e.dimsOf(v);
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

static Val array(TypedBuilder &e, const Arguments &in) {
    const Val &object = in["object"];
    if (!object.isTuple()) {
        OperandType operand = e.operandOf(object);
        DType dtype = dtypeOr(e, in, operand.dtype);
        if (object.isArray() && object.array().getRank() > 0)
            return e.materialize(e.castValue(e.read(object), dtype), likeLayout(object));
        return filled(e, {}, object.isArray() ? e.typed(e.read(object)) : object, dtype);
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
    Val fresh = e.alloc(shape, dtype);
    if (!displayed.ragged)
        for (const auto &leaf : displayed.leaves)
            e.setItem(fresh, leaf.keys, leaf.value);
    return fresh;
}

// order='C', 'F', 'A' or 'K'; the last two keep Fortran order.
static Layout orderOf(TypedBuilder &e, const Arguments &in, const Val &a, StringRef absent) {
    const Val *given = in.find("order");
    StringRef order = given && given->isStatic("str") ? given->staticText() : absent;
    if (!llvm::is_contained({"C", "F", "A", "K"}, order))
        e.fail("ValueError", "order must be one of 'C', 'F', 'A', or 'K' (got '" + order + "')");
    return order == "C" ? Layout::C : order == "F" ? Layout::F : likeLayout(a);
}

static Val copied(TypedBuilder &e, const Val &a, Layout layout) {
    if (!a.isArray() || a.array().getRank() == 0)
        return filled(e, {}, a.isArray() ? e.typed(e.read(a)) : a, e.operandOf(a).dtype);
    return e.materialize(e.read(a), a.array().getRank() > 1 ? layout : Layout::C);
}

static Val copy(TypedBuilder &e, const Arguments &in) {
    Val a = asArray(e, in["a"]);
    return copied(e, a, orderOf(e, in, a, "K"));
}

static Val methodCopy(TypedBuilder &e, const Arguments &in) {
    if (in["a"].isScalar())
        return in["a"]; // a number's method gives a number
    return copied(e, in["a"], orderOf(e, in, in["a"], "C"));
}

// The array itself where it is known to have the order and the dtype.
template <Layout layout> static Val inOrder(TypedBuilder &e, const Arguments &in) {
    Val a = atLeast(e, in["a"], 1);
    DType dtype = dtypeOr(e, in, e.operandOf(a).dtype);
    bool ordered = a.array().getLayout() == layout ||
                   (a.array().getRank() == 1 && a.array().getLayout() == Layout::C);
    if (ordered && dtype == e.operandOf(a).dtype)
        return a;
    return e.materialize(e.castValue(e.read(a), dtype),
                         a.array().getRank() > 1 ? layout : Layout::C);
}

static Val astype(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    DType dtype = e.dtypeOf(in["dtype"]), from = e.operandOf(a).dtype;
    if (in.find("casting"))
        checkCast(e, from, dtype, castingArgument(e, in));
    bool rank0 = a.isArray() && a.array().getRank() == 0;
    StringRef absent = rank0 ? "C" : "K";
    Layout layout = a.isArray() ? orderOf(e, in, a, absent) : Layout::C;
    if (!flagArgument(e, in, "copy", true) && a.isArray() && dtype == from &&
        (!in.find("order") || a.array().getLayout() == layout))
        return a;
    if (rank0)
        return filled(e, {}, e.typed(e.read(a)), dtype);
    if (!a.isArray())
        return e.castTo(a, dtype);
    return e.materialize(e.castValue(e.read(a), dtype),
                         a.array().getRank() > 1 ? layout : Layout::C);
}

static Val asarray(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["object"];
    const Val *dtype = in.find("dtype");
    if (a.isArray() && (!dtype || dtype->isNone() || e.dtypeOf(*dtype) == e.operandOf(a).dtype))
        return a;
    return array(e, in);
}

ArrayRef<Function> shapecast::creationFunctions() {
    static const Function list[] = {
        {"numpy.zeros", "shape, dtype=", zeros},
        {"numpy.ones", "shape, dtype=", ones},
        {"numpy.empty", "shape, dtype=", empty},
        {"numpy.full", "shape, fill_value, dtype=", full},
        {"numpy.zeros_like", "a, dtype=", filledLike<0>},
        {"numpy.ones_like", "a, dtype=", filledLike<1>},
        {"numpy.empty_like", "a, dtype=", emptyLike},
        {"numpy.full_like", "a, fill_value, dtype=", fullLike},
        {"numpy.arange", "start, stop=, step=, dtype=", arange},
        {"numpy.linspace", "start, stop, num=, endpoint=, dtype=", linspace},
        {"numpy.array", "object, dtype=", array},
        {"numpy.asarray", "object, dtype=", asarray},
        {"numpy.asanyarray", "object, dtype=", asarray},
        {"numpy.ascontiguousarray", "a, dtype=", inOrder<Layout::C>},
        {"numpy.asfortranarray", "a, dtype=", inOrder<Layout::F>},
        {"numpy.copy", "a, order=", copy},
        {"ndarray.copy", "a, order=", methodCopy, true},
        {"ndarray.astype", "a, dtype, order=, casting=, subok=, copy=", astype, true},
        {"numpy.astype", "a, dtype, copy=", astype},
    };
    return list;
}
