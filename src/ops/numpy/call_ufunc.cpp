// Calls of a ufunc with its keywords, and of a dtype's class: np.add(x, y, out=z), np.int8(x).
#include "ops/numpy/call_ufunc.h"

#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/operators.h"
#include "ops/builder/stores.h"
#include "ops/ufunc/ufunc.h"

#include "llvm/Support/SaveAndRestore.h"

#include <cmath>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// The keyword arguments of a call, with their defaults.
struct Keywords {
    Val out, where; // Unbound: absent
    std::optional<DType> dtype;
    std::optional<Layout> order; // C or F
    Casting casting = Casting::SameKind;
};

} // namespace

static Casting castingOf(TypedBuilder &e, const Val &given) {
    Arguments in;
    in.byName["casting"] = given;
    return castingArgument(e, in);
}

static std::optional<Layout> orderOf(TypedBuilder &e, const Val &given) {
    const StringRef order = given.isStatic("str") ? given.staticText() : "";
    if (!given.isNone() && !llvm::is_contained({"C", "F", "A", "K"}, order))
        e.fail("ValueError", "order must be one of 'C', 'F', 'A', or 'K' (got '" + order + "')");
    return order == "C"   ? std::optional(Layout::C)
           : order == "F" ? std::optional(Layout::F)
                          : std::nullopt; // the operands' own
}

static Keywords keywordsOf(TypedBuilder &e, StringRef name,
                           ArrayRef<std::pair<StringRef, Val>> named) {
    Keywords result;
    for (const auto &[keyword, value] : named) {
        if (keyword == "out")
            result.out = value;
        else if (keyword == "where")
            result.where = value;
        else if (keyword == "dtype")
            result.dtype = value.isNone() ? std::nullopt : std::optional(dtypeOf(e, value));
        else if (keyword == "casting")
            result.casting = castingOf(e, value);
        else if (keyword == "order")
            result.order = orderOf(e, value);
        else if (keyword != "subok")
            e.unsupported("the keyword '" + keyword + "' of numpy." + name +
                          " is not compiled yet");
    }
    return result;
}

// where=: elements where the mask is false keep the value of `out`; without out= they are
// uninitialised in NumPy, and 0 here.
static Val masked(TypedBuilder &e, const Val &mask, const Val &result, const Val &out) {
    Val flags = mask.isTuple() ? makeNumber(e, DType::Bool, &mask) : mask;
    if (flags.isTyped())
        checkCast(e, e.operandOf(flags).dtype, DType::Bool, Casting::Safe);
    if (flags.constBool() == true && !flags.isArray())
        return result;
    const DType dtype = e.operandOf(out.isArray() ? out : result).dtype;
    const Val cast = castTo(e, result, dtype);
    return ufunc(e, "where", {flags, cast, out.isArray() ? out : castTo(e, e.intVal(0), dtype)});
}

// np.angle is no ufunc, but computed as one: angle(z, deg=False).
static Val angle(TypedBuilder &e, ArrayRef<Val> operands,
                 ArrayRef<std::pair<StringRef, Val>> named) {
    static const Function function{
        "numpy.angle", "z, deg=", [](TypedBuilder &e, const Arguments &in) {
            const Val z = in["z"].isTuple() ? asArray(e, in["z"]) : in["z"];
            const Val radians = ufunc(e, "angle", {z});
            if (!flagArgument(e, in, "deg", false))
                return radians;
            return binary(e, "mul", radians, e.floatVal(180 / M_PI));
        }};
    return callFunction(e, function, operands, named);
}

Val shapecast::callUfunc(TypedBuilder &e, StringRef name, SmallVector<Val> operands,
                         ArrayRef<std::pair<StringRef, Val>> named) {
    if (name == "angle")
        return angle(e, operands, named);
    const Ufunc *ufunc = findUfunc(name);
    Keywords keywords = keywordsOf(e, name, named);
    if (ufunc && operands.size() == size_t(ufunc->inputs) + 1) {
        if (keywords.out.kind != Val::Kind::Unbound)
            e.fail("TypeError", "cannot specify 'out' as both a positional and keyword argument");
        keywords.out = operands.pop_back_val();
    }
    Val &out = keywords.out;
    if (out.isTuple() && !out.list && out.items.size() == 1)
        out = Val(out.items[0]);
    const bool stores = out.kind != Val::Kind::Unbound && !out.isNone();
    if (stores && !out.isArray())
        e.fail("TypeError", "return arrays must be of ArrayType");
    for (Val &v : operands)
        if (v.isTuple())
            v = asArray(e, v);
    llvm::SaveAndRestore<const Val *> target(e.ufuncTarget, stores ? &out : nullptr);
    Val result = shapecast::ufunc(e, name, operands, keywords.dtype, keywords.casting);
    if (keywords.where.kind != Val::Kind::Unbound) {
        if (stores)
            checkOutput(e, name, e.operandOf(result).dtype, out, keywords.casting);
        result = masked(e, keywords.where, result, out);
    }
    if (stores)
        return storeOut(e, name, out, result, keywords.casting);
    if (keywords.order && result.isArray() && result.array().getRank() > 1 &&
        result.array().getLayout() != *keywords.order)
        return materialize(e, read(e, result), *keywords.order);
    return result;
}

//===-- np.float64(x)

// Of a Python number: converted by int() or float(), and checked against the dtype's bounds.
static Val ofPython(TypedBuilder &e, DType dtype, const Val &v) {
    checkComplexStore(e, v, dtype);
    Val number = v;
    if (isInteger(dtype) && isFloat(e.operandOf(v).dtype))
        number = pyop(e, "long", {toPy(e, v, PyKind::Float)}, PyIntType::get(e.ctx));
    checkWeakBounds(e, *findUfunc("positive"), Loop{{dtype}, dtype}, number);
    return castTo(e, number, dtype);
}

Val shapecast::makeNumber(TypedBuilder &e, DType dtype, const Val *given) {
    if (!given)
        return castTo(e, e.intVal(0), dtype);
    const Val &v = *given;
    if (v.isTyped() && v.weakFlag)
        return unionSplit(e, v, [&](const Val &side) { return makeNumber(e, dtype, &side); });
    if (v.isNone() && !isComplex(dtype)) {
        if (isInteger(dtype))
            e.fail("TypeError", "int() argument must be a string, a bytes-like object or a real "
                                "number, not 'NoneType'");
        return castTo(e, isBool(dtype) ? e.boolVal(false) : e.floatVal(std::nan("")), dtype);
    }
    if (v.isTuple()) {
        const Val wanted = e.staticVal("dtype", dtypeName(dtype));
        return callFunction(e, *findFunction("numpy.array"), {v}, {{"dtype", wanted}});
    }
    if (v.isArray() && v.array().getRank() > 0 && e.operandOf(v).dtype == dtype)
        return v; // np.float64(array) is the array
    if (v.isScalar() && isPyScalar(v.type()))
        return ofPython(e, dtype, v);
    return castTo(e, v, dtype);
}
