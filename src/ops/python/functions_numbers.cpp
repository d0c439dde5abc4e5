// Python's builtins on numbers that expand to several operations: round, divmod, pow, complex, any,
// all, sorted.
#include "facts/host_info.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/reductions.h"
#include "ops/tables.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool isPython(const Val &v) { return v.isTyped() && isPyScalar(v.type()); }

static Val round(TypedBuilder &e, const Arguments &in) {
    const Val &x = in["number"], *digits = in.find("ndigits");
    const bool whole = !digits || digits->isNone();
    rejectOverloads(e, x, {"__round__"});
    if (!x.isScalar())
        e.fail("TypeError", "type " + x.className() + " doesn't define __round__ method");
    OperandType operand = e.operandOf(x);
    if (isPython(x)) {
        if (isComplex(operand.dtype))
            e.fail("TypeError", "type complex doesn't define __round__ method");
        if (operand.weak <= PyKind::WideInt && whole)
            return integerOf(e, x);
        if (x.isWideInt())
            e.unsupported("round() with digits of an integer beyond 64 bits is not supported; use "
                          "// and *");
        PyKind kind = whole ? PyKind::Int : std::max(operand.weak, PyKind::Int);
        SmallVector<Val> operands{x};
        if (!whole)
            operands.push_back(e.sizeVal(toDim(e, *digits)));
        return pyop(e, "round", operands, pyType(e.ctx, kind));
    }
    if (isBool(operand.dtype) || isComplex(operand.dtype))
        e.unsupported("round() of " + x.describe() + " is not supported; use np.round");
    SmallVector<Val> operands{x};
    if (!whole)
        operands.push_back(*digits);
    Val rounded = callFunction(e, *findFunction("numpy.round"), operands, {});
    return whole ? toPy(e, rounded, PyKind::Int) : rounded;
}

static Val asIndex(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    if (a.isWideInt())
        return a;
    const bool array = a.isArray() && a.array().getRank() > 0;
    return e.sizeVal(
        toDim(e, a,
              array ? "only integer scalar arrays can be converted to a scalar index"
                    : "'" + a.className() + "' object cannot be interpreted as an integer"));
}

// The index in a store p[index]['x'] = value (capture/record_arrays.cpp).
static Val recordIndex(TypedBuilder &e, const Arguments &in) {
    const Val &index = in["index"];
    if ((index.isArray() && index.array().getRank() > 0) || index.isTuple() ||
        index.isDynamicList())
        e.unsupported("indexing records with an array makes a copy, so a store to its field has no "
                      "effect; write p['x'][indices] = value");
    return index;
}

static Val divideWithRest(TypedBuilder &e, const Arguments &in) {
    const Val &x = in["x"], &y = in["y"];
    checkDivisible(e, "divmod", x, y);
    if (isPython(x) && isPython(y)) {
        PyKind kind = std::max(e.operandOf(x).weak, e.operandOf(y).weak);
        if (kind == PyKind::Float)
            raiseIf(e, compare(e, "eq", y, e.intVal(0)), "ZeroDivisionError",
                    StringRef(hostInfo().message("float divmod()")));
    }
    const bool numbers = (x.isScalar() || x.isArray()) && (y.isScalar() || y.isArray());
    if (numbers && !x.weakFlag && !y.weakFlag && (!isPython(x) || !isPython(y)))
        return callFunction(e, *findFunction("numpy.divmod"), {x, y}, {});
    Val quotient = binary(e, "floordiv", x, y);
    return e.tupleVal({quotient, binary(e, "mod", x, y)});
}

static Val power(TypedBuilder &e, const Arguments &in) {
    const Val *modulus = in.find("mod");
    if (!modulus || modulus->isNone())
        return binary(e, "pow", in["base"], in["exp"]);
    SmallVector<Val> operands{in["base"], in["exp"], *modulus};
    for (Val &v : operands) {
        if (!isPython(v))
            e.unsupported("pow() of three numbers that are not all Python ints is not supported; "
                          "use int()");
        if (e.operandOf(v).weak > PyKind::WideInt)
            e.fail("TypeError", "pow() 3rd argument not allowed unless all arguments are integers");
    }
    const bool isSmall = !operands[2].isWideInt();
    if (isSmall && operands[0].isWideInt()) // the same modulo the modulus
        operands[0] = binary(e, "mod", operands[0], operands[2]);
    for (Val &v : operands)
        v = toPy(e, v, PyKind::Int);
    return pyop(e, "math.powmod", operands, PyIntType::get(e.ctx));
}

static Val complexNumber(TypedBuilder &e, const Arguments &in) {
    const Val *re = in.find("real"), *im = in.find("imag");
    if (!re && !im)
        return toPy(e, e.intVal(0), PyKind::Complex);
    auto python = [&](const Val &v) {
        if (!v.isTyped())
            e.unsupported("complex() of " + v.describe() + " is not supported");
        OperandType operand = e.operandOf(v);
        return operand.weak != PyKind::Strong ? v
               : isComplex(operand.dtype)     ? toPy(e, v, PyKind::Complex)
                                              : toPy(e, v, PyKind::Float);
    };
    if (!im)
        return toPy(e, python(*re), PyKind::Complex);
    return pyop(e, "complex", {re ? python(*re) : e.intVal(0), python(*im)},
                PyComplexType::get(e.ctx));
}

// any() and all() stop at the first item that decides; evaluating the others has no side effect.
static Val quantified(TypedBuilder &e, const Val &items, bool all) {
    if (items.isArray() && items.array().getRank() == 1) {
        Value flags = castValue(e, read(e, items), DType::Bool);
        return toPy(e, reduce(e, all ? "logical_and" : "logical_or", flags, {0}, false),
                    PyKind::Bool);
    }
    checkIterable(e, items);
    std::optional<std::vector<Val>> list = itemsOf(e, items);
    if (!list)
        e.unsupported((all ? "all() of " : "any() of ") + items.describe() +
                      " is not supported; use np.all or np.any");
    Val result = e.boolVal(all);
    for (const Val &item : *list) {
        if (result.constBool() == !all)
            break;
        Val flag = toPy(e, truth(e, item), PyKind::Bool);
        result = all ? logicalAnd(e, result, flag) : logicalOr(e, result, flag);
    }
    return toPy(e, result, PyKind::Bool);
}

static Val any(TypedBuilder &e, const Arguments &in) {
    return quantified(e, in["iterable"], false);
}
static Val all(TypedBuilder &e, const Arguments &in) { return quantified(e, in["iterable"], true); }

// flag ? a : b, scalars of one type.
static Val selected(TypedBuilder &e, const Val &flag, const Val &a, const Val &b) {
    Val value = ufunc(e, "where", {flag, a, b});
    OperandType operand = e.operandOf(a);
    return operand.weak == PyKind::Strong ? value : toPy(e, value, operand.weak);
}

// A sorting network of compare-exchanges of neighbours (bubble sort): stable, as Python's sort.
static Val sorted(TypedBuilder &e, const Arguments &in) {
    const Val *reverse = in.find("reverse");
    std::optional<bool> down = reverse ? reverse->constBool() : false;
    checkIterable(e, in["iterable"]);
    std::optional<std::vector<Val>> items = itemsOf(e, in["iterable"]);
    if (!items || !down || items->size() > 16)
        e.unsupported("sorted() of " + in["iterable"].describe() +
                      " is not supported; use np.sort, or a tuple of at most 16 items");
    std::vector<Val> &list = *items;
    for (const Val &item : list)
        if (!item.isScalar() || item.weakFlag || item.type() != list[0].type())
            e.unsupported("sorted() of items that are not numbers of one type is not supported");
    for (size_t end = list.size(); end > 1; --end)
        for (size_t i = 0; i + 1 < end; ++i) {
            Val a = list[i], b = list[i + 1];
            Val exchange = *down ? compare(e, "gt", b, a) : compare(e, "lt", b, a);
            if (exchange.constBool() == false)
                continue;
            list[i] = exchange.constBool() ? b : selected(e, exchange, b, a);
            list[i + 1] = exchange.constBool() ? a : selected(e, exchange, a, b);
        }
    return e.tupleVal(std::move(list), true);
}

//===-- Methods of Python's and NumPy's scalars

static Val isWhole(TypedBuilder &e, const Arguments &in) {
    const Val &x = in["x"];
    const DType dtype = e.operandOf(x).dtype;
    if (isInteger(dtype))
        return e.boolVal(true);
    const Val whole = ufunc(e, "equal", {ufunc(e, "floor", {x}), x});
    return toPy(e, ufunc(e, "logical_and", {whole, ufunc(e, "isfinite", {x})}), PyKind::Bool);
}

static Val magnitude(TypedBuilder &e, const Val &x) {
    const bool isUnsigned = e.operandOf(x).dtype == DType::U64;
    return isUnsigned ? x : castTo(e, ufunc(e, "absolute", {castTo(e, x, DType::I64)}), DType::U64);
}

// Of a WideInt, the low and the high 64 bits of its magnitude, as uint64.
static std::pair<Val, Val> wordsOfMagnitude(TypedBuilder &e, const Val &x) {
    const Val size = pyop(e, "abs", {x}, x.type(), /*nowrap=*/true); // 128 bits without a sign
    auto word = [&](StringRef name) {
        return castTo(e, pyop(e, name, {size}, PyIntType::get(e.ctx)), DType::U64);
    };
    return {word("low_word"), word("high_word")};
}

static Val bitCount(TypedBuilder &e, const Arguments &in) {
    if (in["x"].isWideInt()) {
        const auto [low, high] = wordsOfMagnitude(e, in["x"]);
        return binary(e, "add", toPy(e, ufunc(e, "bitwise_count", {low}), PyKind::Int),
                      toPy(e, ufunc(e, "bitwise_count", {high}), PyKind::Int));
    }
    return toPy(e, ufunc(e, "bitwise_count", {magnitude(e, in["x"])}), PyKind::Int);
}
// The population count after setting all bits below the highest set bit.
static Val bitLengthOf(TypedBuilder &e, Val bits) {
    for (int64_t distance : {1, 2, 4, 8, 16, 32})
        bits = ufunc(e, "bitwise_or", {bits, ufunc(e, "right_shift", {bits, e.intVal(distance)})});
    return toPy(e, ufunc(e, "bitwise_count", {bits}), PyKind::Int);
}
static Val bitLength(TypedBuilder &e, const Arguments &in) {
    if (!in["x"].isWideInt())
        return bitLengthOf(e, magnitude(e, in["x"]));
    const auto [low, high] = wordsOfMagnitude(e, in["x"]);
    const Val ofHigh = bitLengthOf(e, high), ofLow = bitLengthOf(e, low);
    return e.branch(truth(e, compareInts(e, "gt", ofHigh, e.intVal(0))), [&](bool isLong) {
        return isLong ? binary(e, "add", ofHigh, e.intVal(64)) : ofLow;
    });
}

ArrayRef<Function> shapecast::numberFunctions() {
    static const Function list[] = {
        {"number.is_integer", "x", isWhole},
        {"number.bit_length", "x", bitLength},
        {"number.bit_count", "x", bitCount},
        {"builtins.round", "number, ndigits=", round},
        {"builtins.divmod", "x, y", divideWithRest},
        {"operator.index", "a", asIndex},
        {"shapecast.record", "index", recordIndex},
        {"builtins.pow", "base, exp, mod=", power},
        {"builtins.complex", "real=, imag=", complexNumber},
        {"builtins.any", "iterable", any},
        {"builtins.all", "iterable", all},
        {"builtins.sorted", "iterable, reverse=", sorted},
    };
    return list;
}
