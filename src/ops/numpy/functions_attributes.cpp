// Attributes of arrays, scalars and dtypes (x.shape, x.dtype.itemsize), real and imaginary parts,
// and single elements as Python scalars (item).
#include "ops/numpy/functions_attributes.h"

#include "facts/host_info.h"
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/checks.h"
#include "ops/builder/classes.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/flags.h"
#include "ops/builder/flat.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/sequences.h"
#include "ops/builder/stores.h"
#include "ops/numpy/functions_memory.h"
#include "ops/tables.h"

#include <cmath>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static DimAttr sizeOf(TypedBuilder &e, const Dims &dims) {
    DimAttr total = e.dimConst(1);
    for (DimAttr dim : dims)
        total = dimMul(total, dim);
    return total;
}

static SmallVector<int64_t> allAxes(size_t rank) {
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

//===-- Parts of complex numbers

// A view of a complex array; the real part of a real array is the array, its imaginary part
// read-only zeros.
static Val part(TypedBuilder &e, const Val &base, StringRef name) {
    OperandType operand = e.operandOf(base);
    bool strong = operand.weak == PyKind::Strong, complex = isComplex(operand.dtype);
    if (!base.isArray()) {
        if (strong)
            return ufunc(e, name, {base});
        if (complex)
            return toPy(e, ufunc(e, name, {e.typed(castValue(e, base.value, DType::C128))}),
                        PyKind::Float);
        return name == "real"                  ? unary(e, "pos", base)
               : operand.weak == PyKind::Float ? e.floatVal(0)
                                               : e.intVal(0);
    }
    Dims dims = dimsOf(base);
    if (!complex && name == "real")
        return base;
    if (!complex) {
        Val zeros = callFunction(e, *findFunction("numpy.zeros_like"), {base}, {});
        return view(e, zeros, Dims(dims.size(), e.dimConst(0)), Dims(dims.size(), e.dimConst(1)),
                    allAxes(dims.size()), dims, /*readonly=*/true);
    }
    return e.typed(PartOp::create(e.b, e.loc, base.value, name == "imag"));
}

static Val valueOf(TypedBuilder &e, const Arguments &in) {
    return in["val"].isTuple() ? asArray(e, in["val"]) : in["val"];
}
static Val real(TypedBuilder &e, const Arguments &in) { return part(e, valueOf(e, in), "real"); }
static Val imag(TypedBuilder &e, const Arguments &in) { return part(e, valueOf(e, in), "imag"); }

static Val conjugate(TypedBuilder &e,
                     const Arguments &in) { // unlike np.conj, no copy of real arrays
    const Val &a = in["a"];
    return isComplex(e.operandOf(a).dtype) ? ufunc(e, "conjugate", {a}) : a;
}
static Val conjugateOfNumber(TypedBuilder &e, const Arguments &in) {
    const PyKind kind = e.operandOf(in["a"]).weak;
    return toPy(e, conjugate(e, in), kind == PyKind::Bool ? PyKind::Int : kind);
}

//===-- Attributes

static Val dtypeAttribute(TypedBuilder &e, const Val &base, StringRef name) {
    DType dtype = dtypeOf(e, base);
    if (name == "itemsize")
        return e.intVal(itemSize(dtype));
    if (name == "name")
        return e.staticVal("str", dtypeName(dtype));
    if (name == "char")
        return e.staticVal("str", std::string(1, dtypeChar(dtype)));
    if (name == "kind")
        return e.staticVal("str", isBool(dtype)       ? "b"
                                  : isSigned(dtype)   ? "i"
                                  : isUnsigned(dtype) ? "u"
                                  : isFloat(dtype)    ? "f"
                                                      : "c");
    e.unsupported("the attribute '" + name + "' of a dtype is not compiled yet");
}

// np.finfo and np.iinfo
static Val limit(TypedBuilder &e, const Val &base, StringRef name) {
    DType dtype = *dtypeFromName(base.staticText());
    int bits = 8 * static_cast<int>(itemSize(dtype));
    if (name == "bits")
        return e.intVal(bits);
    if (isInteger(dtype)) {
        bool isUp = name == "max";
        if ((!isUp && name != "min") || (isUp && dtype == DType::U64))
            e.unsupported("np.iinfo(...)." + name + " of " + dtypeName(dtype));
        int64_t top = INT64_MAX >> (64 - bits - isUnsigned(dtype));
        return e.intVal(isUp ? top : isUnsigned(dtype) ? 0 : -top - 1);
    }
    // Bits of the fraction, and the smallest normal exponent.
    int digits = dtype == DType::F16 ? 10 : dtype == DType::F32 ? 23 : 52;
    int lowest = dtype == DType::F16 ? -14 : dtype == DType::F32 ? -126 : -1022;
    double largest = std::ldexp(2 - std::ldexp(1.0, -digits), 1 - lowest);
    if (name == "max" || name == "min")
        return castTo(e, e.floatVal(name == "max" ? largest : -largest), dtype);
    if (name == "eps")
        return castTo(e, e.floatVal(std::ldexp(1.0, -digits)), dtype);
    if (name == "tiny" || name == "smallest_normal")
        return castTo(e, e.floatVal(std::ldexp(1.0, lowest)), dtype);
    if (name == "smallest_subnormal")
        return castTo(e, e.floatVal(std::ldexp(1.0, lowest - digits)), dtype);
    e.unsupported("np.finfo(...)." + name + " is not compiled yet");
}

static Val attributeOfMember(TypedBuilder &e, const Val &member, StringRef name) {
    if (std::optional<Val> found = memberAttribute(e, member, name))
        return *found;
    if (isValueMember(member) && isa_and_nonnull<PyIntType>(asValue(e, member).type()) &&
        llvm::is_contained({"real", "imag", "numerator", "denominator"}, name))
        return attribute(e, asValue(e, member), name);
    if (std::optional<Val> found = classAttribute(e, member, name))
        return *found;
    e.unsupported("the attribute '" + name + "' of " + member.describe() + " is not supported");
}

Val shapecast::attribute(TypedBuilder &e, const Val &base, StringRef name) {
    if (base.weakFlag)
        return unionSplit(e, base, [&](const Val &side) { return attribute(e, side, name); });
    if (base.isStatic("dtype"))
        return dtypeAttribute(e, base, name);
    if (isMember(base))
        return attributeOfMember(e, base, name);
    if (std::optional<Val> found = classAttribute(e, base, name))
        return *found;
    if (base.isStatic("limits"))
        return limit(e, base, name);
    if (base.isNone())
        e.fail("AttributeError", "'NoneType' object has no attribute '" + name + "'");
    if (const Val *field = recordField(base, name))
        return *field;
    if (base.kind == Val::Kind::Slice || base.kind == Val::Kind::Range)
        if (name == "start" || name == "stop" || name == "step")
            return base.items[name == "start" ? 0 : name == "stop" ? 1 : 2];
    if (isIterator(base, "flags"))
        return flagOf(e, base.items[0], name);
    if (!base.isTyped())
        checkHasAttribute(e, base, name);
    if (!base.isTyped())
        e.unsupported("the attribute '" + name + "' of " + base.describe());
    if (name == "real" || name == "imag")
        return part(e, base, name);
    if (std::optional<Val> found = memoryAttribute(e, base, name))
        return *found;
    Dims dims = dimsOf(base);
    OperandType operand = e.operandOf(base);
    bool strong = operand.weak == PyKind::Strong;
    DimAttr itemsize = e.dimConst(itemSize(operand.dtype));
    if (strong && name == "shape") {
        std::vector<Val> sizes;
        for (DimAttr dim : dims)
            sizes.push_back(e.sizeVal(dim));
        return e.tupleVal(std::move(sizes));
    }
    if (strong && name == "size")
        return e.sizeVal(sizeOf(e, dims));
    if (strong && name == "ndim")
        return e.intVal(dims.size());
    if (strong && name == "dtype")
        return e.staticVal("dtype", dtypeName(operand.dtype));
    if (strong && name == "itemsize")
        return e.sizeVal(itemsize);
    if (strong && name == "nbytes")
        return e.sizeVal(dimMul(sizeOf(e, dims), itemsize));
    if (base.isArray() && name == "flat")
        return iterator(e, "flat", {base});
    SmallVector<int64_t> axes = allAxes(dims.size());
    if (strong && name == "T") {
        std::reverse(axes.begin(), axes.end());
        return base.isArray() ? transpose(e, base, axes) : base; // a new object for any rank
    }
    if (base.isArray() && name == "mT") {
        if (dims.size() < 2)
            e.fail("ValueError", "matrix transpose with ndim < 2 is undefined");
        std::swap(axes[dims.size() - 1], axes[dims.size() - 2]);
        return transpose(e, base, axes);
    }
    if (!strong && operand.weak <= PyKind::WideInt &&
        (name == "numerator" || name == "denominator"))
        return name == "numerator" ? unary(e, "pos", base) : e.intVal(1);
    checkHasAttribute(e, base, name);
    e.unsupported("the attribute '" + name + "' of " + base.describe() + " is not compiled yet");
}

// Of np.asarray(v), without it where v is one element of an array of objects.
static Val ofArray(TypedBuilder &e, const Val &v, StringRef name) {
    if (v.isText() || v.isNone() || v.isDict())
        return name == "shape" ? e.tupleVal({}) : e.intVal(name == "size");
    bool number = v.isTyped() && e.operandOf(v).weak != PyKind::Strong;
    bool sequence = v.isTuple() || (isSequence(v) && !v.isArray());
    return attribute(e, number || sequence ? asArray(e, v) : v, name);
}
static Val shape(TypedBuilder &e, const Arguments &in) { return ofArray(e, in["a"], "shape"); }
static Val ndim(TypedBuilder &e, const Arguments &in) { return ofArray(e, in["a"], "ndim"); }
static Val size(TypedBuilder &e, const Arguments &in) {
    const Val *axis = in.find("axis");
    if (!axis || axis->isNone())
        return ofArray(e, in["a"], "size");
    Dims dims = dimsOf(asArray(e, in["a"]));
    DimAttr total = e.dimConst(1);
    for (int64_t i : axesArgument(e, *axis, dims.size()))
        total = dimMul(total, dims[i]);
    return e.sizeVal(total);
}

//===-- Dtypes

static Val dtype(TypedBuilder &e, const Arguments &in) {
    return e.staticVal("dtype", dtypeName(dtypeOf(e, in["dtype"])));
}

template <bool integer> static Val limits(TypedBuilder &e, const Arguments &in) {
    const Val &given = in["dtype"];
    DType dtype = realPart(given.isTyped() ? e.operandOf(given).dtype : dtypeOf(e, given));
    if (integer ? !isInteger(dtype) : !isFloat(dtype))
        e.fail("ValueError",
               integer
                   ? ("Invalid integer data type '" + Twine(isBool(dtype) ? "b" : "f") + "'.").str()
                   : hostInfo().messageOf("data type <class 'numpy.{0}'> not inexact",
                                          {dtypeName(dtype)}));
    return e.staticVal("limits", dtypeName(dtype));
}

template <bool complex> static Val isOfKind(TypedBuilder &e, const Arguments &in) {
    return e.boolVal(isComplex(e.operandOf(valueOf(e, in)).dtype) == complex);
}

static Val resultTypeOf(TypedBuilder &e, const Arguments &in) {
    SmallVector<OperandType> types;
    for (const Val &v : in["arrays_and_dtypes"].items)
        types.push_back(v.isTyped() ? e.operandOf(v) : OperandType{dtypeOf(e, v)});
    if (types.empty())
        e.fail("ValueError", "at least one array or dtype is required");
    return e.staticVal("dtype", dtypeName(resultType(types)));
}

static Val promoteTypes(TypedBuilder &e, const Arguments &in) {
    return e.staticVal("dtype",
                       dtypeName(promote(dtypeOf(e, in["type1"]), dtypeOf(e, in["type2"]))));
}

//===-- Elements

static Val asPython(TypedBuilder &e, const Val &v) {
    DType dtype = e.operandOf(v).dtype;
    if (isInteger(dtype))
        return integerOf(e, v);
    return toPy(e, v,
                isBool(dtype)    ? PyKind::Bool
                : isFloat(dtype) ? PyKind::Float
                                 : PyKind::Complex);
}

static Val item(TypedBuilder &e, const Arguments &in) {
    std::vector<Val> keys = in["args"].items;
    if (keys.size() == 1 && isSequence(keys[0]) && !keys[0].isArray())
        keys = itemsIn(e, keys[0], "an index");
    Val a = asArray(e, in["a"]);
    Dims dims = dimsOf(a);
    if (keys.empty()) {
        DimAttr total = sizeOf(e, dims);
        if (!e.assumeEqual(total, e.dimConst(1)))
            e.require("eq", {total, e.dimConst(1)}, "ValueError",
                      "can only convert an array of size 1 to a Python scalar");
        return asPython(e, in["a"].isArray() ? firstElement(e, a) : in["a"]);
    }
    if (keys.size() == 1 && dims.size() != 1)
        return asPython(e, getItem(e, a, flatIndices(e, a, keys[0])));
    if (keys.size() != dims.size())
        e.fail("ValueError", "incorrect number of indices for array");
    for (const Val &key : keys)
        toDim(e, key);
    return asPython(e, getItem(e, a, keys));
}

static Val fill(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"], &value = in["value"];
    const DType dtype = e.operandOf(a).dtype;
    const bool number = value.isScalar() && !value.weakFlag;
    if (value.isTuple() || (value.isArray() && value.array().getRank() > 0)) { // of size 1
        if (std::optional<Val> element = elementOf(e, value, dtype))
            assign(e, a, *element);
        return e.noneVal();
    }
    assign(e, a, number ? storedNumber(e, value, dtype) : value);
    return e.noneVal();
}

ArrayRef<Function> shapecast::attributeFunctions() {
    static const Function list[] = {
        {"numpy.shape", "a", shape},
        {"numpy.size", "a, axis=", size},
        {"numpy.ndim", "a", ndim},
        {"numpy.real", "val", real},
        {"numpy.imag", "val", imag},
        {"ndarray.conj", "a", conjugate, true},
        {"number.conjugate", "a", conjugateOfNumber},
        {"ndarray.conjugate", "a", conjugate, true},
        {"numpy.dtype", "dtype", dtype},
        {"numpy.finfo", "dtype", limits<false>},
        {"numpy.iinfo", "dtype", limits<true>},
        {"numpy.iscomplexobj", "val", isOfKind<true>},
        {"numpy.isrealobj", "val", isOfKind<false>},
        {"numpy.result_type", "*arrays_and_dtypes", resultTypeOf},
        {"numpy.promote_types", "type1, type2", promoteTypes},
        {"ndarray.item", "a, *args", item, true},
        {"ndarray.fill", "a, value", fill, true},
    };
    return list;
}
