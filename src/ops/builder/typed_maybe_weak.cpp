// TypedBuilder: maybe-weak scalars, which are Python numbers on some paths and NumPy scalars (or a
// wider Python type) on the others. Python's promote weakly, NumPy's strongly (NEP 50): a result
// has one dtype only where both sides promote alike; everywhere else there is union splitting, a
// branch on which side it is at run time.
#include "ops/builder/typed.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::strongSide(Val maybeWeak) {
    maybeWeak.weakFlag = {};
    maybeWeak.items.clear();
    return maybeWeak;
}

static DType defaultDtype(PyKind kind) {
    return kind == PyKind::Bool    ? DType::Bool
           : kind == PyKind::Int   ? DType::I64
           : kind == PyKind::Float ? DType::F64
                                   : DType::C128;
}

bool shapecast::isNaturalPair(Type strong, PyKind kind) {
    OperandType operand = *operandType(strong);
    return operand.weak == PyKind::Strong && operand.dtype == defaultDtype(kind);
}

Val TypedBuilder::weakSide(const Val &maybeWeak) {
    if (!maybeWeak.items.empty())
        return maybeWeak.items[0];
    return typed(CastOp::create(b, loc, pyType(ctx, maybeWeak.weakKind), maybeWeak.value));
}

// Integers up to 2 ** (bits of the significand), and constants that a cast does not change.
static bool fitsFloat(const Val &number, DType dtype) {
    const bool half = dtype == DType::F16;
    const bool single = dtype == DType::F32 || dtype == DType::C64;
    if (std::optional<int64_t> integer = number.constInt())
        return std::abs(*integer) <= int64_t(1) << (half ? 11 : single ? 24 : 53);
    auto constant = dyn_cast_or_null<FloatAttr>(number.attr);
    if (!constant)
        return false;
    bool lossy = false;
    APFloat value = constant.getValue();
    value.convert(half     ? APFloat::IEEEhalf()
                  : single ? APFloat::IEEEsingle()
                           : APFloat::IEEEdouble(),
                  APFloat::rmNearestTiesToEven, &lossy);
    return !lossy;
}

bool TypedBuilder::isExactAsPython(const Val &v) {
    const DType dtype = operandType(v.type())->dtype;
    if (v.weakKind == PyKind::Bool || isNaturalPair(v.type(), v.weakKind))
        return true;
    if (v.weakKind == PyKind::Float && (dtype == DType::F64 || dtype == DType::C128))
        return true;
    return isInteger(dtype) ? unprovenBounds(v.items[0], dtype).empty()
                            : fitsFloat(v.items[0], dtype);
}

Val shapecast::withoutLastMember(Val unionVal) {
    unionVal.items.pop_back();
    return unionVal.items.size() == 1 ? Val(unionVal.items[0]) : unionVal;
}

Val TypedBuilder::unionSplit(const Val &maybeWeak, llvm::function_ref<Val(const Val &)> f) {
    if (maybeWeak.isUnion()) {
        const Val members = narrowed(maybeWeak);
        if (!members.isUnion())
            return f(members);
        Val isLast = compare("ge", sizeVal(members.dim), intVal(members.items.size() - 1));
        return branch(isLast, [&](bool last) {
            return last ? f(members.items.back()) : unionSplit(withoutLastMember(members), f);
        });
    }
    if (!maybeWeak.weakFlag)
        return f(maybeWeak);
    Val condition = compare("ne", sizeVal(maybeWeak.weakFlag), intVal(0));
    if (std::optional<bool> known = condition.constBool())
        return f(*known ? weakSide(maybeWeak) : strongSide(maybeWeak));
    try {
        return branch(condition, [&](bool weak) {
            return f(weak ? weakSide(maybeWeak) : strongSide(maybeWeak));
        });
    } catch (InferError &error) {
        if (!error.joinConflict)
            throw;
        if (maybeWeak.weakFlag.isSymbol())
            if (auto found = flagParameters.find(maybeWeak.weakFlag.getName());
                found != flagParameters.end())
                requestStaticArgument(found->second);
        const std::string python = describe(weakSide(maybeWeak)),
                          strong = describe(strongSide(maybeWeak));
        failJoin("a number is a Python " + python + " on one path and " + strong +
                 " on another, so the dtype of the result differs; make it the same on both, for "
                 "example "
                 "with " +
                 python + "(...)");
    }
}

Val TypedBuilder::unionSplit(ArrayRef<Val> operands, size_t which,
                             llvm::function_ref<Val(ArrayRef<Val>)> f) {
    return unionSplit(operands[which], [&](const Val &side) {
        SmallVector<Val> sides(operands);
        sides[which] = side;
        return f(sides);
    });
}

// That is maybe weak or a Union; their number where none is.
static size_t firstMaybeWeak(ArrayRef<Val> operands) {
    return llvm::find_if(operands, [](const Val &v) { return v.weakFlag || v.isUnion(); }) -
           operands.begin();
}

std::optional<Val> TypedBuilder::unionSplitFirst(ArrayRef<Val> operands,
                                                 llvm::function_ref<Val(ArrayRef<Val>)> f) {
    const size_t which = firstMaybeWeak(operands);
    if (which == operands.size())
        return std::nullopt;
    return unionSplit(operands, which, f);
}

// Whether both sides resolve to the same loop with the same value: the strong side can be read for
// either.
static bool promotesAlike(TypedBuilder &e, const Ufunc &ufunc, ArrayRef<Val> operands, size_t which,
                          std::optional<DType> dtype) {
    SmallVector<OperandType> types;
    for (const Val &v : operands)
        types.push_back(*operandType(v.type()));
    auto strong = resolveUfunc(ufunc, types, dtype);
    types[which] = OperandType{defaultDtype(operands[which].weakKind), operands[which].weakKind};
    auto weak = resolveUfunc(ufunc, types, dtype);
    const Loop *a = std::get_if<Loop>(&strong), *c = std::get_if<Loop>(&weak);
    if (!a || !c)
        return false;
    const bool exact = e.isExactAsPython(operands[which]);
    if (ufunc.resolution == Resolution::Compare && exact)
        return true;
    const DType own = operandType(operands[which].type())->dtype;
    return a->in == c->in && a->out == c->out && (exact || (a->in[which] == own && isFloat(own)));
}

std::optional<Val> TypedBuilder::ufuncOfMaybeWeak(const Ufunc &ufunc,
                                                  SmallVectorImpl<Val> &operands,
                                                  std::optional<DType> dtype) {
    for (size_t which = firstMaybeWeak(operands); which < operands.size();
         which = firstMaybeWeak(operands)) {
        if (operands[which].isUnion() || !promotesAlike(*this, ufunc, operands, which, dtype))
            return unionSplit(operands, which, [&](ArrayRef<Val> sides) {
                return this->ufunc(ufunc.name, sides, dtype);
            });
        operands[which] = strongSide(operands[which]);
    }
    return std::nullopt;
}
