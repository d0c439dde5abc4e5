// NumPy functions on axes, shapes and dtypes, evaluated at compile time: normalize_axis_index,
// broadcast_shapes, can_cast, issubdtype ...
#include "ir/error_names.h"
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/classes.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/memory.h"
#include "ops/tables.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Axes and shapes

static int64_t rankArgument(TypedBuilder &e, const Arguments &in) {
    return intArgument(e, in, "ndim", 0);
}

static StringRef prefixArgument(const Arguments &in, StringRef name) {
    const Val *given = in.find(name);
    return given && given->isStatic("str") ? given->staticText() : "";
}

static Val normalizeIndex(TypedBuilder &e, const Arguments &in) {
    return e.intVal(
        axisArgument(e, in["axis"], rankArgument(e, in), prefixArgument(in, "msg_prefix")));
}

static Val normalizeTuple(TypedBuilder &e, const Arguments &in) {
    const StringRef name = prefixArgument(in, "argname");
    const int64_t rank = rankArgument(e, in);
    std::vector<Val> axes;
    if (flagArgument(e, in, "allow_duplicate", false))
        for (const Val &axis : itemsIn(e, in["axis"], "a tuple of axes"))
            axes.push_back(e.intVal(axisArgument(e, axis, rank, name)));
    else
        for (int64_t axis : axesArgument(e, in["axis"], rank, name))
            axes.push_back(e.intVal(axis));
    return e.tupleVal(std::move(axes));
}

static Val broadcastShapes(TypedBuilder &e, const Arguments &in) {
    SmallVector<Dims> shapes;
    for (const Val &shape : in["args"].items)
        shapes.push_back(shapeOf(e, shape));
    requireOneShape(e, shapes);
    std::vector<Val> sizes;
    for (DimAttr dim : broadcastDims(e, shapes))
        sizes.push_back(e.sizeVal(dim));
    return e.tupleVal(std::move(sizes));
}

//===-- Primitives of the library (python/shapecast/library/primitives.py)

static Val lineStep(TypedBuilder &e, const Arguments &in) {
    return native(e, "line_step", {}, {in["table"], in["size"], in["before"], in["line"]});
}

static Val sameSize(TypedBuilder &e, const Arguments &in) {
    if (std::optional<bool> same = e.decideEqual(toDim(e, in["a"]), toDim(e, in["b"])))
        return e.boolVal(*same);
    e.unsupported("a function whose result's shape depends on whether sizes are equal is not "
                  "compiled yet for sizes that are computed in the function");
}

static Val primitiveItemsOf(TypedBuilder &e, const Arguments &in) {
    return e.tupleVal(itemsIn(e, in["sequence"], in["what"].staticText()));
}

static Val assumeAtLeast(TypedBuilder &e, const Arguments &in) {
    return e.boolVal(e.assumeGreaterEqual(toDim(e, in["size"]), toDim(e, in["bound"])));
}

// sliding_window_view: the windows of `size` elements along the axis, as a last axis.
static Val windows(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    const Dims dims = dimsOf(a);
    const int64_t axis = axisArgument(e, in["axis"], dims.size());
    const DimAttr size = e.facts.canonical(toDim(e, in["size"]));
    const DimAttr count = e.facts.canonical(dimAdd(dimSub(dims[axis], size), e.dimConst(1)));
    if (!e.assumeGreaterEqual(count, e.dimConst(1)))
        e.require("ge", {count, e.dimConst(1)}, "ValueError",
                  "window shape cannot be larger than input array shape");
    return e.typed(WindowsOp::create(e.b, e.loc, a.value, axis, count, size));
}

// np.diagonal, but writeable if the array is.
static Val diagonalView(TypedBuilder &e, const Arguments &in) {
    const Dims dims = dimsOf(in["a"]);
    const int64_t axis1 = axisArgument(e, in["axis1"], dims.size()),
                  axis2 = axisArgument(e, in["axis2"], dims.size());
    return e.typed(DiagonalOp::create(e.b, e.loc, in["a"].value, axis1, axis2, dims[axis1],
                                      /*readonly=*/false));
}

static Val unsupported(TypedBuilder &e, const Arguments &in) {
    e.unsupported(in["message"].staticText());
}

static Val beyond64Bits(TypedBuilder &e, const Arguments &) {
    e.require("false", {}, "OverflowError", "Python int result does not fit in 64 bits");
    return e.intVal(0);
}

// Speculates that a condition on values is true: np.require checks it where they are known. If it
// fails, the call is respecialised and runs again, with this assumption among the entry's
// `failed_assumptions` (bindings/dispatch/dispatcher.cpp).
static Val speculate(TypedBuilder &e, const Arguments &in) {
    const Val &condition = in["condition"];
    if (condition.constBool())
        return condition;
    if (!e.isEntry)
        e.unsupported("a result whose dtype depends on values is not supported in a 'try' and in "
                      "functions that call themselves; call it before, or give it complex numbers");
    std::string assumption; // identified by name and location
    llvm::raw_string_ostream(assumption) << in["name"].staticText() << " at " << e.loc;
    const bool holds = !llvm::is_contained(e.failedAssumptions, assumption);
    const DimAttr found = toDim(e, toPy(e, condition, PyKind::Int));
    e.require("eq", {found, e.dimConst(holds)}, failedAssumptionError, assumption);
    return e.boolVal(holds);
}

static Val assumeInRange(TypedBuilder &e, const Arguments &in) {
    const Val index = e.sizeVal(toDim(e, in["index"]));
    const DimAttr size = toDim(e, in["size"]), symbol = e.bindSymbol("w", index.value);
    e.facts.addLower(symbol.getName(), e.dimConst(0));
    e.facts.addUpper(symbol.getName(), dimSub(size, e.dimConst(1)));
    return e.sizeVal(symbol);
}

//===-- Dtypes

static Val canCastTo(TypedBuilder &e, const Arguments &in) {
    const Val &from = in["from_"];
    if (from.isTyped() && e.operandOf(from).weak != PyKind::Strong)
        e.fail("TypeError", "can_cast() does not support Python ints, floats, and complex because "
                            "the result used to depend on the value.");
    const bool given = in.find("casting");
    const DType dtype = from.isTyped() ? e.operandOf(from).dtype : dtypeOf(e, from);
    return e.boolVal(
        canCast(dtype, dtypeOf(e, in["to"]), given ? castingArgument(e, in) : Casting::Safe));
}

static Val isSubDtype(TypedBuilder &e, const Arguments &in) {
    const Val &wanted = in["arg2"];
    const std::string abstract = nameOfClass(wanted);
    const bool isAbstract = wanted.isStatic("func") && !abstract.empty();
    const DType dtype = dtypeOf(e, in["arg1"]);
    return e.boolVal(isAbstract ? llvm::is_contained(scalarClasses(dtype), abstract)
                                : dtype == dtypeOf(e, wanted));
}

static bool isOfKind(TypedBuilder &e, DType dtype, const Val &kind) {
    if (kind.isTuple())
        return llvm::any_of(kind.items, [&](const Val &item) { return isOfKind(e, dtype, item); });
    if (!kind.isStatic("str"))
        return dtype == dtypeOf(e, kind);
    const StringRef name = kind.staticText();
    const bool integral = isInteger(dtype), inexact = isFloat(dtype) || isComplex(dtype);
    if (name == "bool")
        return isBool(dtype);
    if (name == "signed integer")
        return isSigned(dtype);
    if (name == "unsigned integer")
        return isUnsigned(dtype);
    if (name == "integral")
        return integral;
    if (name == "real floating")
        return isFloat(dtype);
    if (name == "complex floating")
        return isComplex(dtype);
    if (name == "numeric")
        return integral || inexact;
    e.fail("ValueError", "kind argument is a string, but '" + name + "' is not a known kind name.");
}

static Val isDtype(TypedBuilder &e, const Arguments &in) {
    const Val &given = in["dtype"];
    if (given.isStatic("str") || given.isTyped())
        e.fail("TypeError", "dtype argument must be a NumPy dtype, but it is a " +
                                (given.isTyped() ? given.describe() : "<class 'str'>") + ".");
    return e.boolVal(isOfKind(e, dtypeOf(e, given), in["kind"]));
}

static Val isScalarValue(TypedBuilder &e, const Arguments &in) {
    const Val &v = in["element"];
    return e.boolVal((v.isTyped() && !v.isArray()) || v.isText());
}

ArrayRef<Function> shapecast::kindFunctions() {
    static const Function list[] = {
        {"numpy.lib.array_utils.normalize_axis_index", "axis, ndim, msg_prefix=", normalizeIndex},
        {"numpy.lib.array_utils.normalize_axis_tuple",
         "axis, ndim, argname=, allow_duplicate=", normalizeTuple},
        {"numpy.broadcast_shapes", "*args", broadcastShapes},
        {"shapecast.library.primitives.line_step", "table, size, before, line", lineStep},
        {"shapecast.library.primitives.same_size", "a, b", sameSize},
        {"shapecast.library.primitives.items_of", "sequence, what", primitiveItemsOf},
        {"shapecast.library.primitives.assume_at_least", "size, bound", assumeAtLeast},
        {"shapecast.library.primitives.windows", "a, axis, size", windows},
        {"shapecast.library.primitives.diagonal", "a, axis1, axis2", diagonalView},
        {"shapecast.library.primitives.unsupported", "message", unsupported},
        {"shapecast.library.primitives.beyond_64_bits", "", beyond64Bits},
        {"shapecast.library.primitives.speculate", "condition, name", speculate},
        {"shapecast.library.primitives.assume_in_range", "index, size", assumeInRange},
        {"numpy.can_cast", "from_, to, casting=", canCastTo},
        {"numpy.issubdtype", "arg1, arg2", isSubDtype},
        {"numpy.isdtype", "dtype, kind", isDtype},
        {"numpy.isscalar", "element", isScalarValue},
    };
    return list;
}
