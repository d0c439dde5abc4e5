#include "ops/builder/elementwise.h"

#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/record_class.h"
#include "ops/ufunc/ufunc.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Conversions

//===-- Ufuncs

// NumPy raises for negative integer exponents: the smallest one is checked before anything is
// stored.
static void checkExponent(TypedBuilder &e, const Ufunc &ufunc, const Loop &loop, const Val &base,
                          const Val &exponent) {
    if (ufunc.name != "power" || !isSigned(loop.out) || isBool(e.operandOf(exponent).dtype))
        return;
    DimAttr smallest;
    if (exponent.isArray() && exponent.array().getRank() > 0) {
        const auto axes = llvm::to_vector(llvm::seq<int64_t>(0, exponent.array().getRank()));
        const Value integers = castValue(e, read(e, exponent), DType::I64);
        smallest = toDim(e, materialize(e, ReduceOp::create(e.b, e.loc, "minimum", integers, axes,
                                                            /*keepdims=*/false)));
    } else {
        smallest = toDim(e, exponent.isArray() ? e.typed(read(e, exponent)) : exponent);
    }
    DimAttr elements = e.dimConst(1); // an empty result raises nothing
    for (DimAttr dim : dimsOf(base))
        elements = dimMul(elements, dim);
    if (base.isArray() && base.array().getRank() > 0)
        smallest = dimMax(smallest, dimNeg(elements));
    if (e.facts.greaterEqual(smallest, e.dimConst(0)) != Answer::Yes)
        e.require("ge", {smallest, e.dimConst(0)}, "ValueError",
                  "Integers to negative integer powers are not allowed.");
}

Val shapecast::ufunc(TypedBuilder &e, StringRef name, ArrayRef<Val> given,
                     std::optional<DType> dtype, Casting casting) {
    const Ufunc *entry = findUfunc(name);
    if (!entry)
        e.unsupported("the ufunc '" + name + "' is not compiled yet");
    if (int(given.size()) != entry->inputs)
        e.fail("TypeError", name + "() takes from " + Twine(entry->inputs) + " to " +
                                Twine(entry->inputs + 1) + " positional arguments but " +
                                Twine(given.size()) +
                                (given.size() == 1 ? " was given" : " were given"));
    SmallVector<Val> operands(given);
    if (std::optional<Val> result =
            splitUfunc(e, *entry, operands, dtype,
                       [&](ArrayRef<Val> sides) { return ufunc(e, entry->name, sides, dtype); }))
        return *result;
    const bool isComparison = entry->resolution == Resolution::Compare;
    for (Val &v : operands) // beyond every NumPy integer
        if (isComparison && v.isWideInt() && v.attr && !wideInt(v.attr).isIntN(64))
            v = e.floatVal(wideInt(v.attr).isNegative() ? -std::numeric_limits<double>::infinity()
                                                        : std::numeric_limits<double>::infinity());
    SmallVector<OperandType> types;
    for (const Val &v : operands)
        types.push_back(v.isWideInt() && isComparison ? OperandType{DType::U64}
                                                      // and the other one keeps its dtype
                                                      : e.operandOf(v));
    auto resolved = resolveUfunc(*entry, types, dtype, casting);
    if (OpError *error = std::get_if<OpError>(&resolved))
        e.fail(error->exception, error->message);
    const Loop &loop = std::get<Loop>(resolved);
    checkWeakBounds(e, *entry, loop, operands);
    if (entry->inputs == 2)
        checkExponent(e, *entry, loop, operands[0], operands[1]);
    bringTogether(e, operands);
    SmallVector<Dims> shapes;
    for (const Val &v : operands)
        shapes.push_back(dimsOf(v));
    Dims dims = broadcastOperands(e, shapes);
    SmallVector<Value> values;
    for (auto [v, in] : llvm::zip_equal(operands, loop.in)) {
        Value value = read(e, v);
        if (!isPyScalar(value.getType()) || v.isWideInt())
            value = castValue(e, value, in);
        values.push_back(dims.empty() ? value : broadcastValue(e, value, dims));
    }
    Value result =
        UfuncOp::create(e.b, e.loc, entry->name, values, loop.text(), scalarType(e.ctx, loop.out));
    return materialize(e, result, resultLayout(operands));
}

StringRef shapecast::negatedRelation(StringRef relation) {
    return llvm::StringSwitch<StringRef>(relation)
        .Case("lt", "ge")
        .Case("ge", "lt")
        .Case("le", "gt")
        .Case("gt", "le")
        .Case("eq", "ne")
        .Case("ne", "eq")
        .Case("all", "not all")
        .Default("all");
}

static std::string unaryError(StringRef op, StringRef operand) {
    const StringRef sign = llvm::StringSwitch<StringRef>(op)
                               .Case("neg", "unary -")
                               .Case("pos", "unary +")
                               .Case("invert", "unary ~")
                               .Default("abs()");
    return ("bad operand type for " + sign + ": '" + operand + "'").str();
}

Val shapecast::unary(TypedBuilder &e, StringRef op, const Val &a) {
    if (op == "not") {
        Val flag = truth(e, a);
        if (std::optional<bool> known = flag.constBool())
            return e.boolVal(!*known);
        Val opposite = pyop(e, "not", {toPy(e, flag, PyKind::Bool)}, PyBoolType::get(e.ctx));
        if (!flag.relation.empty()) {
            opposite.relation = negatedRelation(flag.relation);
            opposite.lhs = flag.lhs;
            opposite.rhs = flag.rhs;
            opposite.items = flag.items;
        }
        return opposite;
    }
    if (isValueMember(a) && !isTextMember(a))
        return unary(e, op, asValue(e, a));
    rejectOverloads(e, a, {("__" + op + "__").str()});
    if (!a.isTyped())
        e.fail("TypeError", unaryError(op, objectTypeName(a)));
    if (a.weakFlag)
        return unionSplit(e, a, [&](const Val &side) { return unary(e, op, side); });
    if (!isPy(a))
        return ufunc(e, op == "abs" ? "absolute" : ufuncOfOperator(op), {a});
    if (a.isPyInt() && op == "neg")
        if (std::optional<Val> folded = intArithmetic(e, "sub", e.intVal(0), a))
            return *folded;
    if (auto number = dyn_cast_or_null<FloatAttr>(a.attr); number && op == "neg")
        return e.floatVal(-number.getValueAsDouble());
    if (a.isWideInt() && a.attr && (op == "neg" || op == "invert")) {
        const APInt value = *a.constWideInt();
        return e.wideIntVal(op == "neg" ? -value : ~value);
    }
    std::optional<PyKind> kind = pyResult(op, {e.operandOf(a).weak});
    if (!kind)
        e.fail("TypeError", unaryError(op, a.className()));
    return pyop(e, op, {a}, pyType(e.ctx, *kind));
}

//===-- Truth

// Of Python bools; folded where one is a constant.
Val shapecast::logicalAnd(TypedBuilder &e, const Val &a, const Val &c) {
    if (a.constBool() == false || c.constBool() == true)
        return a;
    if (a.constBool() == true || c.constBool() == false)
        return c;
    return pyop(e, "and", {toPy(e, a, PyKind::Bool), toPy(e, c, PyKind::Bool)},
                PyBoolType::get(e.ctx));
}

Val shapecast::logicalOr(TypedBuilder &e, const Val &a, const Val &c) {
    if (a.constBool() == true || c.constBool() == false)
        return a;
    if (a.constBool() == false || c.constBool() == true)
        return c;
    return pyop(e, "or", {toPy(e, a, PyKind::Bool), toPy(e, c, PyKind::Bool)},
                PyBoolType::get(e.ctx));
}

void shapecast::raiseIf(TypedBuilder &e, const Val &condition, StringRef exception,
                        const Twine &message) {
    if (condition.constBool() == false)
        return;
    if (condition.constBool() == true)
        return e.require("false", {}, exception, message);
    e.require("eq", {toDim(e, toPy(e, condition, PyKind::Int)), e.dimConst(0)}, exception, message);
}

void shapecast::checkReal(TypedBuilder &e, const Val &v) {
    rejectOverloads(e, v, {"__float__", "__index__"});
    const bool isComplex = v.isScalar() && !v.weakFlag && isa<PyComplexType>(v.type());
    if (isComplex || (!v.isTyped() && !v.isUnion()))
        e.fail("TypeError", "must be real number, not " + v.className());
}

Val shapecast::castTo(TypedBuilder &e, const Val &v, DType dtype) {
    if (v.weakFlag && !isExactAsPython(e, v))
        return unionSplit(e, v, [&](const Val &side) { return castTo(e, side, dtype); });
    e.operandOf(v); // rejects strings and the like
    return materialize(e, castValue(e, read(e, v), dtype), resultLayout(v));
}
