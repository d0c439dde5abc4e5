// TypedBuilder: element-wise functions, broadcasting, casts, Python operators.
#include "ir/layout.h"
#include "ops/numpy/functions.h"
#include "shapes/rules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Between array handles and SSA tensors

Dims TypedBuilder::dimsOf(const Val &v) {
    if (ArrayType array = v.array())
        return Dims(array.getDims().begin(), array.getDims().end());
    return {};
}

Value TypedBuilder::read(const Val &v) {
    ArrayType array = v.array();
    if (!array)
        return v.value;
    if (array.getRank() == 0)
        return LoadOp::create(b, loc, array.getDtype(), v.value, dimArray(ctx, {}));
    return ReadOp::create(b, loc, v.value);
}

Val TypedBuilder::materialize(Value value, Layout layout) {
    const bool isValue = isa<RankedTensorType>(value.getType());
    return typed(isValue ? MaterializeOp::create(b, loc, value, layout) : value);
}

Value TypedBuilder::broadcastValue(Value value, ArrayRef<DimAttr> dims) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor || valueDims(tensor) == dims)
        return value;
    return BroadcastOp::create(b, loc, value, dims);
}

StringAttr TypedBuilder::commonDevice(ArrayRef<Val> operands) const {
    auto text = [&](const Val &v) { return describe(v) + (deviceOf(v.type()) ? "" : " on cpu"); };
    const Val *first = nullptr;
    for (const Val &v : operands) {
        if (!v.isArray())
            continue;
        if (first && deviceOf(first->type()) != deviceOf(v.type()))
            fail("TypeError", "arrays on different devices: " + text(*first) + " and " + text(v) +
                                  "; nothing is copied silently, bring them to one device first");
        first = first ? first : &v;
    }
    return first ? deviceOf(first->type()) : StringAttr();
}

//===-- Broadcasting

Dims TypedBuilder::broadcastDims(ArrayRef<Dims> shapes) {
    return namedSizes(shapes::broadcast(*this, shapes));
}

// Together with the out= array, if there is one.
Dims TypedBuilder::broadcastOperands(ArrayRef<Dims> shapes) {
    const Val *target = std::exchange(ufuncTarget, nullptr);
    if (!target)
        return broadcastDims(shapes);
    SmallVector<Dims> all(shapes);
    all.push_back(dimsOf(*target));
    Dims dims = shapes::broadcast(*this, shapes, all);
    checkOutputShape(all.back(), dims, all);
    return dims;
}

//===-- Ufuncs and casts

Value TypedBuilder::castValue(Value value, DType dtype) {
    Type target = scalarType(ctx, dtype);
    if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
        target = valueType(valueDims(tensor), target, deviceOf(tensor));
    if (value.getType() == target)
        return value;
    return CastOp::create(b, loc, target, value);
}

Layout shapecast::resultLayout(ArrayRef<Val> operands) {
    SmallVector<Value> arrays;
    for (const Val &v : operands)
        if (v.isArray())
            arrays.push_back(v.value);
    return layoutOfResult(arrays);
}

SmallVector<std::pair<DimAttr, DimAttr>> TypedBuilder::unprovenBounds(const Val &number,
                                                                      DType dtype) {
    SmallVector<std::pair<DimAttr, DimAttr>> traps;
    if (dtype == DType::I64)
        return traps;
    const int bits = itemSize(dtype) * 8;
    const DimAttr low = dimConst(isSigned(dtype) ? -(int64_t(1) << (bits - 1)) : 0);
    if (facts.greaterEqual(number.dim, low) != Answer::Yes)
        traps.push_back({number.dim, low});
    if (dtype == DType::U64)
        return traps;
    const DimAttr high = dimConst((int64_t(1) << (isSigned(dtype) ? bits - 1 : bits)) - 1);
    if (facts.greaterEqual(high, number.dim) != Answer::Yes)
        traps.push_back({high, number.dim});
    return traps;
}

void TypedBuilder::checkWeakBounds(const Ufunc &ufunc, const Loop &loop, ArrayRef<Val> operands) {
    // Comparisons are exact, and np.where wraps.
    bool free = ufunc.resolution == Resolution::Compare || ufunc.resolution == Resolution::Where;
    for (auto [v, dtype] : llvm::zip(operands, loop.in)) {
        if (free || !v.isPyInt() || !isInteger(dtype))
            continue;
        for (auto [a, c] : unprovenBounds(v, dtype))
            require("ge", {a, c}, "OverflowError",
                    "Python integer {0} out of bounds for " + dtypeName(dtype), {v.dim});
    }
}

// NumPy raises for negative integer exponents: the smallest one is checked before anything is
// stored.
void TypedBuilder::checkExponent(const Ufunc &ufunc, const Loop &loop, const Val &base,
                                 const Val &exponent) {
    if (ufunc.name != "power" || !isSigned(loop.out) || isBool(operandOf(exponent).dtype))
        return;
    DimAttr smallest;
    if (exponent.isArray() && exponent.array().getRank() > 0) {
        SmallVector<int64_t> axes = axesOf(noneVal(), exponent.array().getRank());
        smallest = toDim(reduce("minimum", castValue(read(exponent), DType::I64), axes, false));
    } else {
        smallest = toDim(exponent.isArray() ? typed(read(exponent)) : exponent);
    }
    DimAttr elements = dimConst(1); // an empty result raises nothing
    for (DimAttr dim : dimsOf(base))
        elements = dimMul(elements, dim);
    if (base.isArray() && base.array().getRank() > 0)
        smallest = dimMax(smallest, dimNeg(elements));
    if (facts.greaterEqual(smallest, dimConst(0)) != Answer::Yes)
        require("ge", {smallest, dimConst(0)}, "ValueError",
                "Integers to negative integer powers are not allowed.");
}

Val TypedBuilder::ufunc(StringRef name, ArrayRef<Val> given, std::optional<DType> dtype,
                        Casting casting) {
    const Ufunc *entry = findUfunc(name);
    if (!entry)
        unsupported("the ufunc '" + name + "' is not compiled yet");
    if (int(given.size()) != entry->inputs)
        fail("TypeError", name + "() takes from " + Twine(entry->inputs) + " to " +
                              Twine(entry->inputs + 1) + " positional arguments but " +
                              Twine(given.size()) +
                              (given.size() == 1 ? " was given" : " were given"));
    SmallVector<Val> operands(given);
    if (std::optional<Val> result = ufuncOfMaybeWeak(*entry, operands, dtype))
        return *result;
    SmallVector<OperandType> types;
    for (const Val &v : operands)
        types.push_back(operandOf(v));
    auto resolved = resolveUfunc(*entry, types, dtype, casting);
    if (OpError *error = std::get_if<OpError>(&resolved))
        fail(error->exception, error->message);
    const Loop &loop = std::get<Loop>(resolved);
    checkWeakBounds(*entry, loop, operands);
    if (entry->inputs == 2)
        checkExponent(*entry, loop, operands[0], operands[1]);
    commonDevice(operands); // or fails
    SmallVector<Dims> shapes;
    for (const Val &v : operands)
        shapes.push_back(dimsOf(v));
    Dims dims = broadcastOperands(shapes);
    SmallVector<Value> values;
    for (auto [v, in] : llvm::zip_equal(operands, loop.in)) {
        Value value = read(v);
        if (!isPyScalar(value.getType()))
            value = castValue(value, in);
        values.push_back(dims.empty() ? value : broadcastValue(value, dims));
    }
    Value result =
        UfuncOp::create(b, loc, entry->name, values, loop.text(), scalarType(ctx, loop.out));
    return materialize(result, resultLayout(operands));
}

Val TypedBuilder::castTo(const Val &v, DType dtype) {
    if (v.weakFlag && !isExactAsPython(v))
        return unionSplit(v, [&](const Val &side) { return castTo(side, dtype); });
    operandOf(v); // rejects strings and the like
    return materialize(castValue(read(v), dtype), resultLayout(v));
}

//===-- Python operators

static bool isPy(const Val &v) { return v.isTyped() && isPyScalar(v.type()); }

Val TypedBuilder::pyop(StringRef op, ArrayRef<Val> operands, Type result, bool nowrap) {
    SmallVector<Value> values;
    for (const Val &v : operands)
        values.push_back(v.value);
    return typed(PyOp::create(b, loc, result, b.getStringAttr(op), values,
                              nowrap ? b.getUnitAttr() : UnitAttr()));
}

// int op int of two size expressions: an expression where that is exact and cannot overflow.
std::optional<Val> TypedBuilder::intArithmetic(StringRef op, const Val &a, const Val &c) {
    constexpr int64_t maxExpandedExponent = 4;
    DimAttr e;
    if (op == "pow" && c.dim.isConst() && 0 <= c.dim.getValue() &&
        c.dim.getValue() <= maxExpandedExponent) {
        e = dimConst(1);
        for (int64_t k = 0; k < c.dim.getValue(); ++k)
            e = dimMul(e, a.dim);
    } else if (op == "add")
        e = dimAdd(a.dim, c.dim);
    else if (op == "sub")
        e = dimSub(a.dim, c.dim);
    else if (op == "mul")
        e = dimMul(a.dim, c.dim);
    else if (op == "floordiv" && facts.greaterEqual(c.dim, dimConst(1)) == Answer::Yes)
        e = dimFloorDiv(a.dim, c.dim);
    else if (op == "mod" && facts.greaterEqual(c.dim, dimConst(1)) == Answer::Yes)
        e = dimMod(a.dim, c.dim);
    else
        return std::nullopt;
    e = simpleSize(e);
    auto [low, high] = facts.range(e);
    bool fits = low > INT64_MIN / 2 && high < INT64_MAX / 2;
    if (fits || op == "floordiv" || op == "mod")
        return sizeVal(e);
    Val checked =
        pyop(op, {a, c}, PyIntType::get(ctx)); // raises on overflow, so the expression is exact
    checked.dim = e;
    return checked;
}

// The TypeError message of an operator, with Python's token for it.
static std::string operandError(StringRef op, StringRef a, StringRef c, bool inPlace) {
    static const std::pair<StringRef, StringRef> signs[] = {
        {"add", "+"},           {"sub", "-"},          {"mul", "*"},
        {"truediv", "/"},       {"floordiv", "//"},    {"mod", "%"},
        {"pow", "** or pow()"}, {"lshift", "<<"},      {"rshift", ">>"},
        {"and", "&"},           {"or", "|"},           {"xor", "^"},
        {"matmul", "@"},        {"divmod", "divmod()"}};
    auto found = llvm::find_if(signs, [&](const auto &pair) { return pair.first == op; });
    std::string sign = (found == std::end(signs) ? op : found->second).str();
    if (inPlace)
        sign = op == "pow" ? "**=" : sign + "=";
    return ("unsupported operand type(s) for " + sign + ": '" + a + "' and '" + c + "'").str();
}

// The type of an operand in the errors of NumPy's object loops, which compute with Python objects.
static std::string objectTypeName(const Val &v) {
    if (v.isNone())
        return "NoneType";
    if (v.isDict())
        return "dict";
    if (const std::string record = recordClassName(v); !record.empty())
        return record;
    if (!v.isTyped())
        return v.kind == Val::Kind::Static  ? v.isStatic("str") ? "str" : "type"
               : v.kind == Val::Kind::Slice ? "slice"
               : v.kind == Val::Kind::Range ? "range"
               : v.kind != Val::Kind::Tuple ? "function"
               : v.list                     ? "list"
                                            : "tuple";
    DType dtype = operandType(v.type())->dtype;
    return isBool(dtype) ? "bool" : isInteger(dtype) ? "int" : isFloat(dtype) ? "float" : "complex";
}

// Complex numbers have no floor division or remainder. The operator raises for NumPy scalars and
// for two Python numbers; for a Python complex with a NumPy scalar, the ufunc does.
void TypedBuilder::checkDivisible(StringRef op, const Val &a, const Val &c) {
    if (!a.isScalar() || !c.isScalar() || a.weakFlag || c.weakFlag)
        return;
    const OperandType left = operandOf(a), right = operandOf(c);
    auto strong = [](OperandType o) { return o.weak == PyKind::Strong; };
    auto complex = [&](bool numpy) {
        return (isComplex(left.dtype) && strong(left) == numpy) ||
               (isComplex(right.dtype) && strong(right) == numpy);
    };
    if (complex(true) || (complex(false) && !strong(left) && !strong(right)))
        fail("TypeError", operandError(op, classNameOf(a), classNameOf(c), inPlace));
}

Val TypedBuilder::pyArithmetic(StringRef op, const Val &a, const Val &c) {
    if (a.isPyInt() && c.isPyInt())
        if (std::optional<Val> folded = intArithmetic(op, a, c))
            return *folded;
    PyKind kinds[] = {operandOf(a).weak, operandOf(c).weak};
    if (op == "pow" && c.isPyInt() && kinds[0] <= PyKind::Int && !c.constInt() &&
        !assumeGreaterEqual(c.dim, dimConst(0)) && assumeGreaterEqual(dimConst(-1), c.dim))
        return pyop("pow", {toPy(a, PyKind::Float), toPy(c, PyKind::Float)},
                    PyFloatType::get(ctx)); // 2 ** -1 is 0.5
    std::optional<PyKind> kind = pyResult(op, kinds, op == "pow" ? c.constInt() : std::nullopt);
    if (!kind)
        fail("TypeError", operandError(op, classNameOf(a), classNameOf(c), inPlace));
    return pyop(op, {a, c}, pyType(ctx, *kind));
}

// A Python float, a float64, or a scalar that is one or the other.
static bool isFloat64(const Val &v) {
    const OperandType type = *operandType(v.type());
    return (type == OperandType{DType::F64, PyKind::Float} && !v.weakFlag) ||
           (type == OperandType{DType::F64} && (!v.weakFlag || v.weakKind == PyKind::Float));
}

// np.float64 is a subclass of float, so Python's complex takes it as the right operand.
static bool isComplexWithFloat64(const Val &a, const Val &c) {
    return isa<PyComplexType>(a.type()) && !a.weakFlag && isScalar(c.type()) && !c.weakFlag &&
           operandType(c.type()) == OperandType{DType::F64};
}

static std::optional<double> constFloat(const Val &v) {
    if (auto number = dyn_cast_or_null<FloatAttr>(v.attr))
        return number.getValueAsDouble();
    std::optional<int64_t> integer = v.constInt();
    return integer ? std::optional(double(*integer)) : std::nullopt;
}

// NumPy converts a tuple, list or range to an array where the other operand is an array or scalar
// of its own.
std::optional<std::pair<Val, Val>> TypedBuilder::sequenceAsArray(const Val &a, const Val &c) {
    auto sequence = [](const Val &v) { return v.isTuple() || v.kind == Val::Kind::Range; };
    auto numpy = [](const Val &v) { return v.isTyped() && !isPy(v) && !v.isPython(); };
    if (numpy(a) && sequence(c))
        return std::pair(a, asArray(*this, c));
    if (sequence(a) && numpy(c))
        return std::pair(asArray(*this, a), c);
    return std::nullopt;
}

// Where one operand is NumPy's, the other makes it use the object loop: the error is then that of
// the elements, or of the output array, which cannot hold an object.
void TypedBuilder::failOfObjects(StringRef op, const Val &a, const Val &c) {
    if (inPlace && a.isArray())
        failOutput(ufuncOfOperator(op), "O", operandOf(a).dtype, Casting::SameKind);
    const bool numpy = (a.isTyped() && !isPy(a)) || (c.isTyped() && !isPy(c));
    fail("TypeError", operandError(op, objectTypeName(a), objectTypeName(c), inPlace && !numpy));
}

Val TypedBuilder::binary(StringRef op, const Val &a, const Val &c) {
    if (a.isUnion() || c.isUnion())
        return *unionSplitFirst(
            {a, c}, [&](ArrayRef<Val> sides) { return binary(op, sides[0], sides[1]); });
    rejectOverloads(op, a, c);
    if (std::optional<Val> text = textBinary(op, a, c))
        return *text;
    if (a.isDict() && c.isDict() && op == "or") {
        Val merged = dictVal(cast<ArrayAttr>(a.attr).getValue(), a.items);
        allocateCells(merged);
        dictMethod(*this, merged, "update", c, {});
        reloadCells(merged);
        return merged;
    }
    if (op == "or" && makesUnion(a, c))
        unsupported("a union of classes is supported as the second argument of isinstance only, "
                    "written there or named outside the function");
    if (std::optional<Val> sequence = tupleBinary(op, a, c))
        return *sequence;
    if (op == "matmul" && !a.isArray() && !c.isArray()) {
        auto name = [&](const Val &v) { return v.isTyped() ? classNameOf(v) : objectTypeName(v); };
        fail("TypeError", operandError(op, name(a), name(c), inPlace));
    }
    if (auto arrays = sequenceAsArray(a, c))
        return binary(op, arrays->first, arrays->second);
    if ((a.isArray() && c.isStatic("str")) || (a.isStatic("str") && c.isArray()))
        unsupported("arithmetic of an array with a string is not supported");
    if (op == "matmul") // another object is a 0-d array
        return matmul(a.isTyped() ? a : intVal(0), c.isTyped() ? c : intVal(0));
    if (!a.isTyped() || !c.isTyped())
        failOfObjects(op, a, c);
    if (op == "floordiv" || op == "mod")
        checkDivisible(op, a, c);
    // Of Python numbers only, the result is one too, so maybe-weak operands are split; but not for
    // sums, differences and products of floats, which are bitwise the same.
    const bool maybeWeak =
        (a.weakFlag || c.weakFlag) && (a.weakFlag || isPy(a)) && (c.weakFlag || isPy(c));
    if (maybeWeak &&
        !(isFloat64(a) && isFloat64(c) && llvm::is_contained({"add", "sub", "mul"}, op)))
        return *unionSplitFirst(
            {a, c}, [&](ArrayRef<Val> sides) { return binary(op, sides[0], sides[1]); });
    if (isPy(a) && isPy(c) && !maybeWeak)
        return pyArithmetic(op, a, c);
    if (isComplexWithFloat64(a, c) && op != "floordiv" && op != "mod")
        return pyArithmetic(op, a, toPy(c, PyKind::Float));
    if (std::optional<double> exponent =
            op == "pow" && a.isArray() && isPy(c) ? constFloat(c) : std::nullopt) {
        StringRef chosen = ufuncOfScalarPower(operandOf(a).dtype, operandOf(c).weak, *exponent);
        if (chosen != "power") // array ** 2 is np.square, with its dtypes
            return ufunc(chosen, {a});
    }
    if (!maybeWeak)
        return ufunc(ufuncOfOperator(op), {a, c});
    Val result = ufunc(ufuncOfOperator(op), {strongSide(a), strongSide(c)});
    result.weakFlag = jointWeakFlag(a, c);
    result.weakKind = PyKind::Float;
    return result;
}

// 1 where both are Python numbers.
DimAttr TypedBuilder::jointWeakFlag(const Val &a, const Val &c) {
    DimAttr one = dimConst(1);
    return dimMul(a.weakFlag ? a.weakFlag : one, c.weakFlag ? c.weakFlag : one);
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

Val TypedBuilder::unary(StringRef op, const Val &a) {
    if (op == "not") {
        Val flag = truth(a);
        if (std::optional<bool> known = flag.constBool())
            return boolVal(!*known);
        Val opposite = pyop("not", {toPy(flag, PyKind::Bool)}, PyBoolType::get(ctx));
        if (!flag.relation.empty()) {
            opposite.relation = negated(flag.relation);
            opposite.lhs = flag.lhs;
            opposite.rhs = flag.rhs;
            opposite.items = flag.items;
        }
        return opposite;
    }
    rejectOverloads(a, {("__" + op + "__").str()});
    if (!a.isTyped())
        fail("TypeError", unaryError(op, objectTypeName(a)));
    if (a.weakFlag)
        return unionSplit(a, [&](const Val &side) { return unary(op, side); });
    if (!isPy(a))
        return ufunc(op == "abs" ? "absolute" : ufuncOfOperator(op), {a});
    if (a.isPyInt() && op == "neg")
        if (std::optional<Val> folded = intArithmetic("sub", intVal(0), a))
            return *folded;
    if (auto number = dyn_cast_or_null<FloatAttr>(a.attr); number && op == "neg")
        return floatVal(-number.getValueAsDouble());
    std::optional<PyKind> kind = pyResult(op, {operandOf(a).weak});
    if (!kind)
        fail("TypeError", unaryError(op, classNameOf(a)));
    return pyop(op, {a}, pyType(ctx, *kind));
}

static std::optional<bool> knownRelation(StringRef op, Answer greaterEqual, Answer lessEqual,
                                         Answer equal) {
    auto known = [](Answer answer, bool yes) {
        return answer == Answer::Unknown ? std::optional<bool>()
                                         : std::optional(answer == Answer::Yes ? yes : !yes);
    };
    if (op == "ge")
        return known(greaterEqual, true);
    if (op == "lt")
        return known(greaterEqual, false);
    if (op == "le")
        return known(lessEqual, true);
    if (op == "gt")
        return known(lessEqual, false);
    return known(equal, op == "eq");
}

// The TypeError message of an ordering. NumPy's object loops try the reflected method where the
// right operand is NumPy's.
static std::string orderError(StringRef op, const Val &a, const Val &c) {
    const bool reflected = c.isArray() || (c.isScalar() && !isPy(c));
    const StringRef sign = llvm::StringSwitch<StringRef>(op)
                               .Case("lt", reflected ? ">" : "<")
                               .Case("le", reflected ? ">=" : "<=")
                               .Case("gt", reflected ? "<" : ">")
                               .Default(reflected ? "<=" : ">=");
    const std::string left = objectTypeName(reflected ? c : a),
                      right = objectTypeName(reflected ? a : c);
    return ("'" + sign + "' not supported between instances of '" + left + "' and '" + right + "'")
        .str();
}

// Element-wise as an array: all False for ==, all True for !=.
Val TypedBuilder::differsFrom(const Val &array, bool differs) {
    if (array.isScalar() || array.array().getRank() == 0)
        return castTo(boolVal(differs), DType::Bool);
    const Value flag = castValue(boolVal(differs).value, DType::Bool);
    return materialize(SplatOp::create(b, loc, flag, dimsOf(array), array.array().getDevice()),
                       resultLayout(array));
}

Val TypedBuilder::compare(StringRef op, const Val &a, const Val &c) {
    if (a.isUnion() || c.isUnion())
        return *unionSplitFirst(
            {a, c}, [&](ArrayRef<Val> sides) { return compare(op, sides[0], sides[1]); });
    if (op == "in" || op == "not_in") {
        Val found = contains(c, a);
        return op == "in" ? found : unary("not", found);
    }
    rejectOverloads(op, a, c);
    if (std::optional<bool> same = sameClass(a, c);
        same && (op == "is" || op == "is_not" || op == "eq" || op == "ne"))
        return boolVal(*same == (op == "is" || op == "eq"));
    if (op == "is" || op == "is_not") {
        bool yes = op == "is";
        const Val &optional = a.kind == Val::Kind::Optional ? a : c;
        if (optional.kind == Val::Kind::Optional && optional.attr && (a.isNone() || c.isNone()))
            return compare(yes ? "lt" : "ge", sizeVal(optional.dim), intVal(1));
        if (a.isNone() || c.isNone())
            return boolVal((a.isNone() && c.isNone()) == yes);
        if (a.kind == Val::Kind::Static && c.kind == Val::Kind::Static)
            return boolVal((a.attr == c.attr) == yes);
        auto isValue = [](const Val &v) { return v.isTyped() || v.isTuple(); };
        const bool lists = a.cell && c.cell && a.cell != unknownCell && c.cell != unknownCell;
        if (lists && a.list == c.list && a.isDict() == c.isDict())
            return boolVal((a.cell == c.cell) == yes);
        if ((a.kind == Val::Kind::Static && isValue(c)) ||
            (c.kind == Val::Kind::Static && isValue(a)))
            return boolVal(!yes);
        unsupported("'is' is compiled for None, types and dtypes; use == to compare values");
    }
    auto isOther = [](const Val &v) {
        return v.isNone() || v.isText() || v.kind == Val::Kind::Slice ||
               v.kind == Val::Kind::Function;
    };
    const Val &array = isOther(c) ? a : c;
    if ((op == "eq" || op == "ne") && array.isTyped() && (isOther(a) || isOther(c))) {
        const bool python = array.isScalar() && (isPy(array) || a.isNone() || c.isNone());
        return python ? boolVal(op == "ne") : differsFrom(array, op == "ne");
    }
    if (std::optional<Val> text = textCompare(op, a, c))
        return *text;
    if (a.kind == Val::Kind::Static || c.kind == Val::Kind::Static) {
        bool same = a.kind == c.kind && a.attr == c.attr;
        if (!same && (a.isStatic("dtype") || c.isStatic("dtype")) && !a.isNone() && !c.isNone())
            same = dtypeOf(a) == dtypeOf(c);
        if (op == "eq" || op == "ne")
            return boolVal(same == (op == "eq"));
    }
    if (auto arrays = sequenceAsArray(a, c))
        return compare(op, arrays->first, arrays->second);
    if (std::optional<Val> result = tupleCompare(op, a, c))
        return *result;
    if (!a.isTyped() || !c.isTyped())
        fail("TypeError", orderError(op, a, c));
    const bool maybeWeak =
        (a.weakFlag || c.weakFlag) && (a.weakFlag || isPy(a)) && (c.weakFlag || isPy(c));
    if (maybeWeak) {
        if ((a.weakFlag && !isExactAsPython(a)) || (c.weakFlag && !isExactAsPython(c)))
            return *unionSplitFirst(
                {a, c}, [&](ArrayRef<Val> sides) { return compare(op, sides[0], sides[1]); });
        Val result = compare(op, strongSide(a), strongSide(c)); // the values are the same
        if (!isPy(result)) {
            result.weakFlag = jointWeakFlag(a, c);
            result.weakKind = PyKind::Bool;
        }
        return result;
    }
    if (!isPy(a) || !isPy(c))
        return ufunc(ufuncOfOperator(op), {a, c});
    Val result;
    if (a.isPyInt() && c.isPyInt()) {
        std::optional<bool> known =
            knownRelation(op, facts.greaterEqual(a.dim, c.dim), facts.greaterEqual(c.dim, a.dim),
                          facts.equal(a.dim, c.dim));
        if (known)
            return boolVal(*known);
        result = pyop(op, {a, c}, PyBoolType::get(ctx));
        result.relation = op;
        result.lhs = a.dim;
        result.rhs = c.dim;
        return result;
    }
    if (!pyResult(op, {operandOf(a).weak, operandOf(c).weak}))
        fail("TypeError", orderError(op, a, c));
    return pyop(op, {a, c}, PyBoolType::get(ctx));
}

Val TypedBuilder::firstElement(const Val &v) {
    SmallVector<DimAttr> zeros(v.array().getRank(), dimConst(0));
    return typed(LoadOp::create(b, loc, v.array().getDtype(), v.value, dimArray(ctx, zeros)));
}

Val TypedBuilder::truth(const Val &v) {
    rejectOverloads(v, {"__bool__"});
    if (std::optional<bool> known = v.constBool())
        return boolVal(*known);
    if (v.isDynamicList())
        return compare("ne", v.items[0], intVal(0));
    if (v.isUnion())
        return unionSplit(v, [&](const Val &one) { return toPy(truth(one), PyKind::Bool); });
    if (!v.isTyped())
        unsupported("the truth value of " + describe(v) + " is not supported");
    if (v.isPython())
        return callPython("operator.truth", {v});
    if (v.weakFlag)
        return isExactAsPython(v) ? truth(strongSide(v)) : unionSplit(v, [&](const Val &side) {
            return toPy(truth(side), PyKind::Bool);
        });
    if (ArrayType array = v.array(); array && array.getRank() > 0) {
        const StringRef empty = "The truth value of an empty array is ambiguous. Use `array.size > "
                                "0` to check that an array is not empty.",
                        many = "The truth value of an array with more than one element is "
                               "ambiguous. Use a.any() or a.all()";
        DimAttr size = dimConst(1), one = size;
        for (DimAttr dim : array.getDims())
            size = dimMul(size, dim);
        if (assumeEqual(size, dimConst(0)))
            fail("ValueError", empty);
        if (assumeGreaterEqual(size, dimConst(2)))
            fail("ValueError", many);
        require("ge", {size, one}, "ValueError", empty);
        require("eq", {size, one}, "ValueError", many);
        return truth(firstElement(v));
    }
    Value scalar = read(v);
    if (isa<PyBoolType>(scalar.getType()))
        return v;
    if (v.isPyInt())
        return compare("ne", v, intVal(0)); // with a fact for the arms of a branch
    if (isPyScalar(scalar.getType()))
        return toPy(v, PyKind::Bool);
    Val flag = typed(castValue(scalar, DType::Bool));
    return flag;
}

static std::string argumentError(PyKind kind) {
    return kind == PyKind::Int
               ? "int() argument must be a string, a bytes-like object or a real number"
               : "float() argument must be a string or a real number";
}

Val TypedBuilder::toPy(const Val &v, PyKind kind) {
    if (v.isUnion())
        return unionSplit(v, [&](const Val &one) { return toPy(one, kind); });
    rejectOverloads(v, {"__float__", "__int__", "__index__", "__complex__"});
    if (!v.isTyped())
        fail("TypeError", argumentError(kind) + ", not '" + classNameOf(v) + "'");
    if (v.weakFlag)
        return isExactAsPython(v)
                   ? toPy(strongSide(v), kind)
                   : unionSplit(v, [&](const Val &side) { return toPy(side, kind); });
    Type target = pyType(ctx, kind);
    Val scalar = v;
    if (v.isArray() && v.array().getRank() > 0)
        fail("TypeError", "only 0-dimensional arrays can be converted to Python scalars");
    if (v.isArray())
        scalar = firstElement(v);
    if (scalar.type() == target)
        return scalar;
    OperandType from = operandOf(scalar);
    if (isComplex(from.dtype) && kind != PyKind::Complex && kind != PyKind::Bool) {
        if (!v.isArray() && from.weak == PyKind::Strong)
            return toPy(ufunc("real", {v}), kind); // NumPy only warns (ComplexWarning)
        fail("TypeError", argumentError(kind) + ", not 'complex'");
    }
    if (std::optional<int64_t> known = scalar.constInt()) {
        if (kind == PyKind::Int)
            return intVal(*known);
        if (kind == PyKind::Bool)
            return boolVal(*known != 0);
        if (kind == PyKind::Float && std::abs(*known) < (int64_t(1) << 53))
            return floatVal(double(*known));
    }
    // A NumPy scalar first becomes the Python number of its kind, exactly, so that int(float)
    // raises as Python's.
    if (from.weak == PyKind::Strong) {
        PyKind natural = isBool(from.dtype)      ? PyKind::Bool
                         : isInteger(from.dtype) ? PyKind::Int
                         : isFloat(from.dtype)   ? PyKind::Float
                                                 : PyKind::Complex;
        Val py = typed(CastOp::create(b, loc, pyType(ctx, natural), scalar.value));
        return natural == kind ? py : toPy(py, kind);
    }
    StringRef names[] = {"", "bool", "int", "float", "complex"};
    return pyop(names[int(kind)], {scalar}, target);
}
