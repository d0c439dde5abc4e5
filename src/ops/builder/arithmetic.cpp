// Python's arithmetic operators.
#include "ops/builder/arrays.h"
#include "ops/builder/cells.h"
#include "ops/builder/checks.h"
#include "ops/builder/classes.h"
#include "ops/builder/containers.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/enum_numbers.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/matmul.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/operands.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/stores.h"
#include "ops/builder/text.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

constexpr int64_t maxRepeatedItems = 4096; // of a sequence times a number

static std::optional<Val> tupleBinary(TypedBuilder &e, StringRef op, const Val &a, const Val &c);

// The TypeError message of an operator, with Python's token for it.
std::string shapecast::operandError(StringRef op, StringRef a, StringRef c, bool inPlace) {
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

// Complex numbers have no floor division or remainder. The operator raises for NumPy scalars and
// for two Python numbers; for a Python complex with a NumPy scalar, the ufunc does.
void shapecast::checkDivisible(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    if (!a.isScalar() || !c.isScalar() || a.weakFlag || c.weakFlag)
        return;
    const OperandType left = e.operandOf(a), right = e.operandOf(c);
    auto strong = [](OperandType o) { return o.weak == PyKind::Strong; };
    auto complex = [&](bool numpy) {
        return (isComplex(left.dtype) && strong(left) == numpy) ||
               (isComplex(right.dtype) && strong(right) == numpy);
    };
    if (complex(true) || (complex(false) && !strong(left) && !strong(right)))
        e.fail("TypeError", operandError(op, a.className(), c.className(), e.inPlace));
}

static bool isPyInteger(const Val &v) {
    return v.isTyped() && isa<PyBoolType, PyIntType, PyWideIntType>(v.type());
}

// a op c where both are constants; none beyond 128 bits.
static std::optional<APInt> computed(StringRef op, const APInt &a, const APInt &c) {
    constexpr unsigned width = 256; // of every product of two
    const APInt x = a.sext(width), y = c.sext(width);
    APInt result(width, 0);
    if (op == "add")
        result = x + y;
    else if (op == "sub")
        result = x - y;
    else if (op == "mul")
        result = x * y;
    else if (op == "lshift" && y.ult(128))
        result = x.shl(unsigned(y.getZExtValue()));
    else if (op == "rshift" && !y.isNegative())
        result = x.ashr(unsigned(y.getLimitedValue(width - 1)));
    else if (op == "and")
        result = x & y;
    else if (op == "or")
        result = x | y;
    else if (op == "xor")
        result = x ^ y;
    else if ((op == "floordiv" || op == "mod") && !y.isZero()) {
        result = llvm::APIntOps::RoundingSDiv(x, y, APInt::Rounding::DOWN);
        result = op == "mod" ? x - result * y : result;
    } else if (op == "pow" && y.ult(128)) {
        result = 1;
        for (uint64_t k = 0; k < y.getZExtValue(); ++k) {
            result *= x;
            if (!result.isSignedIntN(128))
                return std::nullopt;
        }
    } else {
        return std::nullopt;
    }
    return result.isSignedIntN(128) ? std::optional(result.trunc(128)) : std::nullopt;
}

// An int that is not negative, and has 64 bits.
static bool isPositiveMask(TypedBuilder &e, const Val &v) {
    return isa<PyBoolType>(v.type()) ||
           (v.isPyInt() && e.facts.greaterEqual(v.dim, e.dimConst(0)) == Answer::Yes);
}

// Whether a << count is beyond 64 bits for some `a` in the range that is known of it, as it is of
// `(x & 0xffffffff) << 32`.
static bool shiftsBeyond(TypedBuilder &e, const Val &a, const Val &count) {
    const std::optional<int64_t> by = count.constInt();
    if (!a.isPyInt() || !by || *by < 0 || *by > 62)
        return false;
    const auto [low, high] = e.facts.range(a.dim);
    const bool isBounded = low >= 0 && high < INT64_MAX / 2;
    return isBounded && high > INT64_MAX >> *by;
}

// Arithmetic of ints with an operand or a result beyond 64 bits; none for others.
static std::optional<Val> wideArithmetic(TypedBuilder &e, StringRef op, const Val &a,
                                         const Val &c) {
    if (!isPyInteger(a) || !isPyInteger(c))
        return std::nullopt;
    const bool isWide = a.isWideInt() || c.isWideInt();
    const std::optional<APInt> left = a.constWideInt(), right = c.constWideInt();
    if (left && right)
        if (const std::optional<APInt> known = computed(op, *left, *right);
            known && (isWide || !known->isSignedIntN(64)))
            return e.wideIntVal(*known);
    const bool mayGrow = llvm::is_contained({"add", "sub", "mul", "lshift"}, op);
    const bool isLowPart = mayGrow && e.isBelowWideMask && !(left && right);
    if ((op == "lshift" && shiftsBeyond(e, a, c)) || (isLowPart && !isWide))
        return pyop(e, op, {toPy(e, a, PyKind::WideInt), c}, PyWideIntType::get(e.ctx));
    if (!isWide)
        return std::nullopt;
    if (op == "mod" && right && right->isPowerOf2())
        return binary(e, "and", a, e.wideIntVal(*right - 1));
    if (op == "and" && (isPositiveMask(e, a) || isPositiveMask(e, c)))
        return pyop(e, op, {a, c}, PyIntType::get(e.ctx));
    const bool isShift = op == "lshift" || op == "rshift";
    if ((isShift || op == "pow") && c.isWideInt())
        return binary(e, op, a, toPy(e, c, PyKind::Int));
    if (op == "pow" && c.constInt().value_or(-1) < 0)
        return binary(e, op, toPy(e, a, PyKind::Int), c);
    if (op == "rshift" && c.constInt().value_or(0) >= 64)
        return pyop(e, "low_word", {pyop(e, op, {a, c}, PyWideIntType::get(e.ctx))},
                    PyIntType::get(e.ctx));
    return std::nullopt;
}

static Val pyArithmetic(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    if (const std::optional<Val> wide = wideArithmetic(e, op, a, c))
        return *wide;
    if (a.isPyInt() && c.isPyInt())
        if (std::optional<Val> folded = intArithmetic(e, op, a, c))
            return *folded;
    PyKind kinds[] = {e.operandOf(a).weak, e.operandOf(c).weak};
    if (op == "pow" && c.isPyInt() && kinds[0] <= PyKind::Int && !c.constInt() &&
        !e.assumeGreaterEqual(c.dim, e.dimConst(0)) && e.assumeGreaterEqual(e.dimConst(-1), c.dim))
        return pyop(e, "pow", {toPy(e, a, PyKind::Float), toPy(e, c, PyKind::Float)},
                    PyFloatType::get(e.ctx)); // 2 ** -1 is 0.5
    std::optional<PyKind> kind = pyResult(op, kinds, op == "pow" ? c.constInt() : std::nullopt);
    if (!kind)
        e.fail("TypeError", operandError(op, a.className(), c.className(), e.inPlace));
    Val made = pyop(e, op, {a, c}, pyType(e.ctx, *kind));
    if (const std::optional<int64_t> mask = op == "and" ? c.constInt() : std::nullopt;
        made.isPyInt() && mask.value_or(-1) >= 0) {
        e.facts.addGreaterEqual(made.dim, e.dimConst(0));
        e.facts.addGreaterEqual(e.dimConst(*mask), made.dim);
    }
    if (e.isIntermediate && kind == PyKind::Int &&
        llvm::is_contained({"add", "sub", "mul"}, op)) // of a bool
        made.value.getDefiningOp<PyOp>().setIntermediate(true);
    return made;
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

// Where one operand is NumPy's, the other makes it use the object loop: the error is then that of
// the elements, or of the output array, which cannot hold an object.
static void failOfObjects(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    if (e.inPlace && a.isArray())
        failOutput(e, ufuncOfOperator(op), "O", e.operandOf(a).dtype, Casting::SameKind);
    const bool numpy = (a.isTyped() && !isPy(a)) || (c.isTyped() && !isPy(c));
    e.fail("TypeError",
           operandError(op, objectTypeName(a), objectTypeName(c), e.inPlace && !numpy));
}

// Of members of an Enum that are their value; none where that is as of other values.
static std::optional<Val> binaryOfMembers(TypedBuilder &e, StringRef op, const Val &a,
                                          const Val &c) {
    if (!isValueMember(a) && !isValueMember(c))
        return std::nullopt;
    if (op == "mod" && (a.isText() || isTextMember(a))) // "%s" shows the member
        return isMember(a) ? std::optional(binary(e, op, asValue(e, a), c)) : std::nullopt;
    const bool isOfValues = op == "mul" || (op == "add" && isTextMember(a)) ||
                            combinesAsValue(a, c) || combinesAsValue(c, a);
    if (!isOfValues)
        return std::nullopt;
    if (a.weakFlag || c.weakFlag)
        return unionSplitFirst(
            e, {a, c}, [&](ArrayRef<Val> sides) { return binary(e, op, sides[0], sides[1]); });
    return binary(e, op, asValueBeside(e, a, c), asValueBeside(e, c, a));
}

Val shapecast::binary(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    if (std::optional<Val> known = binaryOfMembers(e, op, a, c))
        return *known;
    if (a.isUnion() || c.isUnion())
        return *unionSplitFirst(
            e, {a, c}, [&](ArrayRef<Val> sides) { return binary(e, op, sides[0], sides[1]); });
    if (isPlainInstance(a) || isPlainInstance(c) || isHeapObject(a) || isHeapObject(c))
        return e.operatorOnHeap(op, a, c);
    rejectOverloads(e, op, a, c);
    if (std::optional<Val> text = textBinary(e, op, a, c))
        return *text;
    if (a.isDict() && c.isDict() && op == "or") {
        Val merged = dictVal(e, cast<ArrayAttr>(a.attr).getValue(), a.items);
        allocateCells(e, merged);
        dictMethod(e, merged, "update", c, {});
        reloadCells(e, merged);
        return merged;
    }
    if (op == "or" && makesUnion(a, c))
        e.unsupported("a union of classes is supported as the second argument of isinstance only, "
                      "written there or named outside the function");
    if (std::optional<Val> sequence = tupleBinary(e, op, a, c))
        return *sequence;
    if (op == "matmul" && !a.isArray() && !c.isArray()) {
        auto name = [&](const Val &v) { return v.isTyped() ? v.className() : objectTypeName(v); };
        e.fail("TypeError", operandError(op, name(a), name(c), e.inPlace));
    }
    if (auto arrays = sequenceAsArray(e, a, c))
        return binary(e, op, arrays->first, arrays->second);
    if ((a.isArray() && c.isStatic("str")) || (a.isStatic("str") && c.isArray()))
        e.unsupported("arithmetic of an array with a string is not supported");
    if (op == "matmul") // another object is a 0-d array
        return matmul(e, a.isTyped() ? a : e.intVal(0), c.isTyped() ? c : e.intVal(0));
    if (!a.isTyped() || !c.isTyped())
        failOfObjects(e, op, a, c);
    if (op == "floordiv" || op == "mod")
        checkDivisible(e, op, a, c);
    // Of Python numbers only, the result is one too, so maybe-weak operands are split; but not for
    // sums, differences and products of floats, which are bitwise the same.
    const bool maybeWeak =
        (a.weakFlag || c.weakFlag) && (a.weakFlag || isPy(a)) && (c.weakFlag || isPy(c));
    if (maybeWeak &&
        !(isFloat64(a) && isFloat64(c) && llvm::is_contained({"add", "sub", "mul"}, op)))
        return *unionSplitFirst(
            e, {a, c}, [&](ArrayRef<Val> sides) { return binary(e, op, sides[0], sides[1]); });
    if (isPy(a) && isPy(c) && !maybeWeak)
        return pyArithmetic(e, op, a, c);
    if (isComplexWithFloat64(a, c) && op != "floordiv" && op != "mod")
        return pyArithmetic(e, op, a, toPy(e, c, PyKind::Float));
    if (std::optional<double> exponent =
            op == "pow" && a.isArray() && isPy(c) ? constFloat(c) : std::nullopt) {
        StringRef chosen = ufuncOfScalarPower(e.operandOf(a).dtype, e.operandOf(c).weak, *exponent);
        if (chosen != "power") // array ** 2 is np.square, with its dtypes
            return ufunc(e, chosen, {a});
    }
    if (!maybeWeak)
        return ufunc(e, ufuncOfOperator(op), {a, c});
    Val result = ufunc(e, ufuncOfOperator(op), {strongSide(a), strongSide(c)});
    result.weakFlag = jointWeakFlag(e, a, c);
    result.weakKind = PyKind::Float;
    return result;
}

// The sequence times a number.
static Val repeated(TypedBuilder &e, const Val &sequence, const Val &count) {
    const std::string word = sequence.list ? "list" : "tuple";
    if (!count.isScalar() ||
        !(isInteger(e.operandOf(count).dtype) || isBool(e.operandOf(count).dtype)))
        e.fail("TypeError",
               "can't multiply sequence by non-int of type '" + count.className() + "'");
    std::optional<int64_t> times = count.constInt();
    if (!times && sequence.list && sequence.items.size() == 1) {
        requestHeapForItem(e, sequence, sequence.items[0]);
        return repeatItem(e, sequence.items[0], toDim(e, count));
    }
    const std::string advice = "; make an array, e.g. np.full(n, 0.0)";
    if (!times)
        needConstant(e, count,
                     "a " + word + " times a number known only at run time is not supported" +
                         advice);
    if (*times > 0 && *times * int64_t(sequence.items.size()) > maxRepeatedItems)
        e.unsupported("a " + word + " of more than " + Twine(maxRepeatedItems) +
                      " items made by * is not supported" + advice);
    std::vector<Val> items;
    for (int64_t i = 0; i < *times; ++i)
        items.insert(items.end(), sequence.items.begin(), sequence.items.end());
    return e.tupleVal(std::move(items), sequence.list);
}

// With a dynamic list: next to arrays and NumPy scalars it is converted to an array.
static std::optional<Val> dynamicListBinary(TypedBuilder &e, StringRef op, const Val &a,
                                            const Val &c) {
    auto numpy = [](const Val &v) { return v.isTyped() && !isPyScalar(v.type()); };
    if (numpy(a) || numpy(c))
        return binary(e, op, a.isDynamicList() ? arrayOfDynamicList(e, a) : a,
                      c.isDynamicList() ? arrayOfDynamicList(e, c) : c);
    const bool lists = (a.isTuple() || a.isDynamicList()) && (c.isTuple() || c.isDynamicList());
    if (op == "add" && lists && a.list == c.list)
        return concatLists(e, a, c);
    for (const Val *one : {&a, &c})
        if (one->isDynamicList())
            wishHeap(e, *one);
    e.unsupported("this operator on a dynamic list (of a length known only at run time) is not "
                  "supported; make an array of it");
}

static std::optional<Val> tupleBinary(TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    if (a.isDynamicList() || c.isDynamicList())
        return dynamicListBinary(e, op, a, c);
    const Val &other = a.isTuple() ? c : a;
    if ((!a.isTuple() && !c.isTuple()) || other.isArray())
        return std::nullopt;
    if (op == "mul")
        return repeated(e, a.isTuple() ? a : c, other);
    if (op != "add" || !a.isTuple())
        return std::nullopt;
    const StringRef word = a.list ? "list" : "tuple";
    if (!c.isTuple() && c.isScalar() && !isPyScalar(c.type()))
        return std::nullopt; // np.add of the sequence as an array
    if (!c.isTuple() || a.list != c.list)
        e.fail("TypeError",
               "can only concatenate " + word + " (not \"" + c.className() + "\") to " + word);
    std::vector<Val> items = a.items;
    items.insert(items.end(), c.items.begin(), c.items.end());
    return e.tupleVal(std::move(items), a.list);
}
