#include "ops/builder/elementwise.h"

#include "ops/builder/elements.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/record_class.h"
#include "ops/builder/values.h"
#include "ops/ufunc/ufunc.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Conversions

DimAttr shapecast::toDim(TypedBuilder &e, const Val &v, StringRef wording) {
    const bool integral = v.weakFlag && isInteger(operandOf(e, strongSide(v)).dtype);
    if (v.weakFlag && (!integral || !isExactAsPython(e, v)))
        return unionSplit(e, v, [&](const Val &side) { return e.sizeVal(toDim(e, side, wording)); })
            .dim;
    if (v.weakFlag)
        return toDim(e, strongSide(v), wording);
    if (v.isPyInt())
        return v.dim;
    if (v.isScalar()) {
        OperandType operand = operandOf(e, v);
        if (operand.weak == PyKind::Bool ||
            (operand.weak == PyKind::Strong && isInteger(operand.dtype))) {
            if (std::optional<int64_t> known = v.constInt())
                return e.dimConst(*known);
            for (Operation *user : v.value.getUsers()) // cast before: reuse its symbol
                if (isa<CastOp>(user) && user->getBlock() == e.b.getInsertionBlock())
                    for (Operation *named : user->getUsers())
                        if (auto symbol = dyn_cast<SymbolOp>(named))
                            return dimSymbol(e.ctx, symbol.getName());
            return e.typed(CastOp::create(e.b, e.loc, PyIntType::get(e.ctx), v.value)).dim;
        }
    }
    if (v.isArray() && v.array().getRank() == 0 && isInteger(operandOf(e, v).dtype))
        return toDim(e, e.typed(read(e, v)));
    if (v.isArray())
        e.fail("TypeError", "only integer scalar arrays can be converted to a scalar index");
    e.fail("TypeError", wording.empty() ? "'" + classNameOf(e, v) +
                                              "' object cannot be interpreted as an integer"
                                        : wording.str());
}

//===-- Ufuncs

// NumPy raises for negative integer exponents: the smallest one is checked before anything is
// stored.
static void checkExponent(TypedBuilder &e, const Ufunc &ufunc, const Loop &loop, const Val &base,
                          const Val &exponent) {
    if (ufunc.name != "power" || !isSigned(loop.out) || isBool(operandOf(e, exponent).dtype))
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
    for (DimAttr dim : dimsOf(e, base))
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
    SmallVector<OperandType> types;
    for (const Val &v : operands)
        types.push_back(operandOf(e, v));
    auto resolved = resolveUfunc(*entry, types, dtype, casting);
    if (OpError *error = std::get_if<OpError>(&resolved))
        e.fail(error->exception, error->message);
    const Loop &loop = std::get<Loop>(resolved);
    checkWeakBounds(e, *entry, loop, operands);
    if (entry->inputs == 2)
        checkExponent(e, *entry, loop, operands[0], operands[1]);
    commonDevice(e, operands); // or fails
    SmallVector<Dims> shapes;
    for (const Val &v : operands)
        shapes.push_back(dimsOf(e, v));
    Dims dims = broadcastOperands(e, shapes);
    SmallVector<Value> values;
    for (auto [v, in] : llvm::zip_equal(operands, loop.in)) {
        Value value = read(e, v);
        if (!isPyScalar(value.getType()))
            value = castValue(e, value, in);
        values.push_back(dims.empty() ? value : broadcastValue(e, value, dims));
    }
    Value result =
        UfuncOp::create(e.b, e.loc, entry->name, values, loop.text(), scalarType(e.ctx, loop.out));
    return materialize(e, result, resultLayout(operands));
}

Val shapecast::castTo(TypedBuilder &e, const Val &v, DType dtype) {
    if (v.weakFlag && !isExactAsPython(e, v))
        return unionSplit(e, v, [&](const Val &side) { return castTo(e, side, dtype); });
    operandOf(e, v); // rejects strings and the like
    return materialize(e, castValue(e, read(e, v), dtype), resultLayout(v));
}

static StringRef negated(StringRef relation) {
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
            opposite.relation = negated(flag.relation);
            opposite.lhs = flag.lhs;
            opposite.rhs = flag.rhs;
            opposite.items = flag.items;
        }
        return opposite;
    }
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
    std::optional<PyKind> kind = pyResult(op, {operandOf(e, a).weak});
    if (!kind)
        e.fail("TypeError", unaryError(op, classNameOf(e, a)));
    return pyop(e, op, {a}, pyType(e.ctx, *kind));
}

Val shapecast::truth(TypedBuilder &e, const Val &v) {
    rejectOverloads(e, v, {"__bool__"});
    if (std::optional<bool> known = v.constBool())
        return e.boolVal(*known);
    if (v.isDynamicList())
        return compareInts(e, "ne", v.items[0], e.intVal(0));
    if (v.isUnion())
        return unionSplit(e, v,
                          [&](const Val &one) { return toPy(e, truth(e, one), PyKind::Bool); });
    if (!v.isTyped())
        e.unsupported("the truth value of " + describe(e, v) + " is not supported");
    if (v.isPython())
        return e.callPython("operator.truth", {v});
    if (v.weakFlag)
        return isExactAsPython(e, v) ? truth(e, strongSide(v))
                                     : unionSplit(e, v, [&](const Val &side) {
                                           return toPy(e, truth(e, side), PyKind::Bool);
                                       });
    if (ArrayType array = v.array(); array && array.getRank() > 0) {
        const StringRef empty = "The truth value of an empty array is ambiguous. Use `array.size > "
                                "0` to check that an array is not empty.",
                        many = "The truth value of an array with more than one element is "
                               "ambiguous. Use a.any() or a.all()";
        DimAttr size = e.dimConst(1), one = size;
        for (DimAttr dim : array.getDims())
            size = dimMul(size, dim);
        if (e.assumeEqual(size, e.dimConst(0)))
            e.fail("ValueError", empty);
        if (e.assumeGreaterEqual(size, e.dimConst(2)))
            e.fail("ValueError", many);
        e.require("ge", {size, one}, "ValueError", empty);
        e.require("eq", {size, one}, "ValueError", many);
        return truth(e, firstElement(e, v));
    }
    Value scalar = read(e, v);
    if (isa<PyBoolType>(scalar.getType()))
        return v;
    if (v.isPyInt())
        return compareInts(e, "ne", v, e.intVal(0)); // with a fact for the arms of a branch
    if (isPyScalar(scalar.getType()))
        return toPy(e, v, PyKind::Bool);
    Val flag = e.typed(castValue(e, scalar, DType::Bool));
    return flag;
}

static std::string argumentError(PyKind kind) {
    return kind == PyKind::Int
               ? "int() argument must be a string, a bytes-like object or a real number"
               : "float() argument must be a string or a real number";
}

Val shapecast::toPy(TypedBuilder &e, const Val &v, PyKind kind) {
    if (v.isUnion())
        return unionSplit(e, v, [&](const Val &one) { return toPy(e, one, kind); });
    rejectOverloads(e, v, {"__float__", "__int__", "__index__", "__complex__"});
    if (!v.isTyped())
        e.fail("TypeError", argumentError(kind) + ", not '" + classNameOf(e, v) + "'");
    if (v.weakFlag)
        return isExactAsPython(e, v)
                   ? toPy(e, strongSide(v), kind)
                   : unionSplit(e, v, [&](const Val &side) { return toPy(e, side, kind); });
    Type target = pyType(e.ctx, kind);
    Val scalar = v;
    if (v.isArray() && v.array().getRank() > 0)
        e.fail("TypeError", "only 0-dimensional arrays can be converted to Python scalars");
    if (v.isArray())
        scalar = firstElement(e, v);
    if (scalar.type() == target)
        return scalar;
    OperandType from = operandOf(e, scalar);
    if (isComplex(from.dtype) && kind != PyKind::Complex && kind != PyKind::Bool) {
        if (!v.isArray() && from.weak == PyKind::Strong)
            return toPy(e, ufunc(e, "real", {v}), kind); // NumPy only warns (ComplexWarning)
        e.fail("TypeError", argumentError(kind) + ", not 'complex'");
    }
    if (std::optional<int64_t> known = scalar.constInt()) {
        if (kind == PyKind::Int)
            return e.intVal(*known);
        if (kind == PyKind::Bool)
            return e.boolVal(*known != 0);
        if (kind == PyKind::Float && std::abs(*known) < (int64_t(1) << 53))
            return e.floatVal(double(*known));
    }
    // A NumPy scalar first becomes the Python number of its kind, exactly, so that int(float)
    // raises as Python's.
    if (from.weak == PyKind::Strong) {
        PyKind natural = isBool(from.dtype)      ? PyKind::Bool
                         : isInteger(from.dtype) ? PyKind::Int
                         : isFloat(from.dtype)   ? PyKind::Float
                                                 : PyKind::Complex;
        Val py = e.typed(CastOp::create(e.b, e.loc, pyType(e.ctx, natural), scalar.value));
        return natural == kind ? py : toPy(e, py, kind);
    }
    StringRef names[] = {"", "bool", "int", "float", "complex"};
    return pyop(e, names[int(kind)], {scalar}, target);
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
        e.fail("TypeError", "must be real number, not " + classNameOf(e, v));
}
