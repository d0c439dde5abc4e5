// NumPy functions that join arrays: each part is stored directly into its slice of one fresh array.
#include "ir/layout.h"
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/memory.h"
#include "ops/builder/stores.h"
#include "ops/numpy/call_ufunc.h"
#include "ops/numpy/functions_views.h"
#include "ops/tables.h"
#include "ops/ufunc/ufunc.h"
#include "shapes/rules.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// An array, and the axis of size 1 that it gets in the result (-1: none). It is no np.view, so that
// the expression can be fused with its store.
struct Part {
    Val array;
    int64_t newAxis = -1;
};

class Join {
public:
    Join(TypedBuilder &e, const Arguments &in) : e(e), casting(castingArgument(e, in)) {
        if (const Val *given = in.find("dtype"); given && !given->isNone())
            dtype = dtypeOf(e, *given);
        const Val *target = in.find("out");
        if (!target)
            return;
        if (dtype)
            e.fail("TypeError", "concatenate() only takes `out` or `dtype` as an argument, but "
                                "both were provided.");
        out = *target;
        dtype = e.operandOf(out).dtype;
    }

    Val concatenate(ArrayRef<Part> parts, int64_t axis);
    Val stack(ArrayRef<Val> arrays, const Val &axisGiven);

private:
    Dims dimsOfPart(const Part &part) {
        Dims dims = dimsOf(part.array);
        if (part.newAxis >= 0)
            dims.insert(dims.begin() + part.newAxis, e.dimConst(1));
        return dims;
    }
    DType resultDType(ArrayRef<Part> parts);
    Layout layout(ArrayRef<Part> parts);

    TypedBuilder &e;
    std::optional<DType> dtype;
    Casting casting;
    Val out; // Unbound: a fresh array
};

} // namespace

DType Join::resultDType(ArrayRef<Part> parts) {
    SmallVector<OperandType> types;
    for (const Part &part : parts)
        types.push_back(e.operandOf(part.array));
    DType result = dtype.value_or(resultType(types));
    for (OperandType type : types)
        checkCast(e, type.dtype, result, casting);
    return result;
}

// Fortran order if all parts have it, as in NumPy.
Layout Join::layout(ArrayRef<Part> parts) {
    bool fortran = llvm::all_of(parts, [&](const Part &part) {
        ArrayType type = part.array.array();
        return part.newAxis < 0 && type.getRank() >= 2 && walksFortran(part.array.value);
    });
    return fortran ? Layout::F : Layout::C;
}

Val Join::concatenate(ArrayRef<Part> parts, int64_t axis) {
    const auto shapes =
        llvm::map_to_vector(parts, [&](const Part &part) { return dimsOfPart(part); });
    const auto [dims, offsets] = shapes::concat(e, shapes, axis);
    const int64_t rank = dims.size();
    axis = shapes::axisIn(e, axis, rank);
    auto arrays = llvm::map_to_vector(parts, [](const Part &part) { return part.array; });
    StringAttr common;
    for (const Val &array : arrays)
        common = common ? common : deviceOf(array.type());
    llvm::SaveAndRestore device(e.device, common);
    const DType type = resultDType(parts);
    if (out.isArray() && dimsOf(out).size() != dims.size())
        e.fail("ValueError", "Output array has wrong dimensionality");
    for (size_t i = 0; out.isArray() && i < dims.size(); ++i)
        if (DimAttr have = dimsOf(out)[i]; !e.assumeEqual(have, dims[i]))
            e.require("eq", {have, dims[i]}, "ValueError", "Output array is the wrong shape");
    const Val fresh = out.isArray() ? out : alloc(e, dims, type, layout(parts));
    for (auto [part, shape, offset] : llvm::zip_equal(parts, shapes, offsets)) {
        Dims starts(rank, e.dimConst(0)), window;
        starts[axis] = offset;
        SmallVector<int64_t> axes;
        for (int64_t i = 0; i < rank; ++i)
            if (i != part.newAxis) {
                axes.push_back(i);
                window.push_back(i == axis ? shape[i] : dims[i]);
            }
        assign(e, view(e, fresh, starts, Dims(rank, e.dimConst(1)), axes, window), part.array);
    }
    return fresh;
}

Val Join::stack(ArrayRef<Val> arrays, const Val &axisGiven) {
    std::optional<int64_t> known = axisGiven.constInt();
    const auto shapes = llvm::map_to_vector(arrays, [&](const Val &a) { return dimsOf(a); });
    const size_t rank = shapes::stack(e, shapes, known.value_or(0)).size();
    const int64_t axis = axisArgument(e, axisGiven, rank);
    SmallVector<Part> parts;
    for (const Val &array : arrays)
        parts.push_back({array, axis});
    return concatenate(parts, axis);
}

static std::vector<Val> arraysOf(TypedBuilder &e, const Val &given, StringRef function) {
    if (!given.isTuple())
        e.unsupported("np." + function + " of " + given.describe() +
                      " is not compiled yet; give it a tuple of arrays");
    std::vector<Val> arrays = given.items;
    for (Val &v : arrays)
        v = asArray(e, v);
    return arrays;
}

static Val concatenate(TypedBuilder &e, const Arguments &in) {
    std::vector<Val> arrays = arraysOf(e, in["arrays"], "concatenate");
    const Val *axis = in.find("axis");
    SmallVector<Part> parts;
    for (const Val &a : arrays) {
        bool flat = axis && axis->isNone() && a.array().getRank() != 1;
        parts.push_back({flat ? callFunction(e, *findFunction("numpy.ravel"), {a}, {}) : a});
    }
    if (axis && axis->isNone())
        return Join(e, in).concatenate(parts, 0);
    return Join(e, in).concatenate(parts, intArgument(e, in, "axis", 0));
}

static Val stack(TypedBuilder &e, const Arguments &in) {
    const Val *axis = in.find("axis");
    return Join(e, in).stack(arraysOf(e, in["arrays"], "stack"), axis ? *axis : e.intVal(0));
}

static Val vstack(TypedBuilder &e, const Arguments &in) {
    SmallVector<Part> parts;
    for (const Val &a : arraysOf(e, in["tup"], "vstack"))
        parts.push_back(a.array().getRank() == 1 ? Part{a, 0} : Part{atLeast(e, a, 2)});
    return Join(e, in).concatenate(parts, 0);
}

static Val hstack(TypedBuilder &e, const Arguments &in) {
    SmallVector<Part> parts;
    for (const Val &a : arraysOf(e, in["tup"], "hstack"))
        parts.push_back(a.array().getRank() == 0 ? Part{a, 0} : Part{a});
    bool flat = !parts.empty() && parts[0].array.array().getRank() <= 1;
    return Join(e, in).concatenate(parts, flat ? 0 : 1);
}

static Val dstack(TypedBuilder &e, const Arguments &in) {
    SmallVector<Part> parts;
    for (const Val &a : arraysOf(e, in["tup"], "dstack"))
        parts.push_back(a.array().getRank() == 2 ? Part{a, 2} : Part{atLeast(e, a, 3)});
    return Join(e, in).concatenate(parts, 2);
}

static Val columnStack(TypedBuilder &e, const Arguments &in) {
    SmallVector<Part> parts;
    for (const Val &a : arraysOf(e, in["tup"], "column_stack"))
        parts.push_back(a.array().getRank() == 1   ? Part{a, 1}
                        : a.array().getRank() == 0 ? Part{atLeast(e, a, 2)}
                                                   : Part{a});
    return Join(e, in).concatenate(parts, 1);
}

static Val append(TypedBuilder &e, const Arguments &in) {
    const Val *axis = in.find("axis");
    Arguments both;
    both.byName["arrays"] = e.tupleVal({in["arr"], in["values"]});
    both.byName["axis"] = axis ? *axis : e.noneVal();
    return concatenate(e, both);
}

//===-- copyto

// np.copyto with where=.
static Val copyWhere(TypedBuilder &e, const Val &target, const Val &value, const Val &where) {
    const Val flags = where.isTuple() ? makeNumber(e, DType::Bool, &where) : where;
    checkCast(e, e.operandOf(flags).dtype, DType::Bool, Casting::Safe);
    const Dims dims = dimsOf(target);
    auto requireFits = [&](const Val &v, StringRef what) {
        const Dims own = dimsOf(v);
        SmallVector<DimAttr> payload;
        const std::string message = ("could not broadcast " + what + " from shape ").str() +
                                    shapeText(own, payload) + " into shape " +
                                    shapeText(dims, payload);
        if (own.size() > dims.size())
            return e.require("false", {}, "shapecast.ShapeError", message, payload);
        for (auto [dim, goal] : llvm::zip_equal(own, ArrayRef(dims).take_back(own.size())))
            if (!e.assumeEqual(dim, goal) && !e.assumeEqual(dim, e.dimConst(1)))
                e.require("broadcast_to", {dim, goal}, "shapecast.ShapeError", message, payload);
    };
    requireFits(value, "input array");
    requireFits(flags, "where mask");
    const DType dtype = e.operandOf(target).dtype;
    const bool python = value.isScalar() && isPyScalar(value.type());
    const Val cast = python ? makeNumber(e, dtype, &value) : castTo(e, value, dtype);
    assign(e, target, ufunc(e, "where", {flags, cast, target}));
    return e.noneVal();
}

static Val copyto(TypedBuilder &e, const Arguments &in) {
    const Val &target = in["dst"], &source = in["src"];
    if (!target.isArray())
        e.fail("TypeError", "copyto() argument 1 must be numpy.ndarray, not " + target.describe());
    Val value = source.isTuple() ? asArray(e, source) : source;
    OperandType from = e.operandOf(value);
    DType to = e.operandOf(target).dtype;
    bool counts = from.weak == PyKind::Int && !isBool(to); // a weak int is checked by its value
    if (!counts)
        checkCast(e, from.dtype, to, castingArgument(e, in),
                  value.isArray() ? "array data" : "scalar");
    if (target.value == value.value) // a no-op, which NumPy allows for read-only arrays
        return e.noneVal();
    const Val *where = in.find("where");
    if (where && !(where->isScalar() && where->constBool() == true))
        return copyWhere(e, target, value, *where);
    assign(e, target, value);
    return e.noneVal();
}

ArrayRef<Function> shapecast::joinFunctions() {
    static const Function list[] = {
        {"numpy.concatenate", "arrays, axis=, out=, dtype=, casting=", concatenate},
        {"numpy.stack", "arrays, axis=, out=, dtype=, casting=", stack},
        {"numpy.vstack", "tup, dtype=, casting=", vstack},
        {"numpy.hstack", "tup, dtype=, casting=", hstack},
        {"numpy.dstack", "tup", dstack},
        {"numpy.column_stack", "tup", columnStack},
        {"numpy.append", "arr, values, axis=", append},
        {"numpy.copyto", "dst, src, casting=, where=", copyto},
    };
    return list;
}
