#include "ops/builder/maybe_weak.h"

#include "ops/builder/elements.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/operands.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::weakSide(TypedBuilder &e, const Val &maybeWeak) {
    if (!maybeWeak.items.empty())
        return maybeWeak.items[0];
    return e.typed(CastOp::create(e.b, e.loc, pyType(e.ctx, maybeWeak.weakKind), maybeWeak.value));
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

bool shapecast::isExactAsPython(TypedBuilder &e, const Val &v) {
    const DType dtype = operandType(v.type())->dtype;
    if (v.weakKind == PyKind::Bool || isNaturalPair(v.type(), v.weakKind))
        return true;
    if (v.weakKind == PyKind::Float && (dtype == DType::F64 || dtype == DType::C128))
        return true;
    return isInteger(dtype) ? unprovenBounds(e, v.items[0], dtype).empty()
                            : fitsFloat(v.items[0], dtype);
}

Val shapecast::unionSplit(TypedBuilder &e, const Val &maybeWeak,
                          llvm::function_ref<Val(const Val &)> f) {
    if (maybeWeak.isUnion()) {
        const Val members = narrowed(e, maybeWeak);
        if (!members.isUnion())
            return f(members);
        Val isLast =
            compareInts(e, "ge", e.sizeVal(members.dim), e.intVal(members.items.size() - 1));
        return e.branch(isLast, [&](bool last) {
            return last ? f(members.items.back()) : unionSplit(e, withoutLastMember(members), f);
        });
    }
    if (!maybeWeak.weakFlag)
        return f(maybeWeak);
    Val condition = compareInts(e, "ne", e.sizeVal(maybeWeak.weakFlag), e.intVal(0));
    if (std::optional<bool> known = condition.constBool())
        return f(*known ? weakSide(e, maybeWeak) : strongSide(maybeWeak));
    try {
        return e.branch(condition, [&](bool weak) {
            return f(weak ? weakSide(e, maybeWeak) : strongSide(maybeWeak));
        });
    } catch (InferError &error) {
        if (!error.joinConflict)
            throw;
        if (maybeWeak.weakFlag.isSymbol())
            if (auto found = e.flagParameters.find(maybeWeak.weakFlag.getName());
                found != e.flagParameters.end())
                e.requestStaticArgument(found->second);
        const std::string python = (weakSide(e, maybeWeak)).describe(),
                          strong = strongSide(maybeWeak).describe();
        e.failJoin("a number is a Python " + python + " on one path and " + strong +
                   " on another, so the dtype of the result differs; make it the same on both, for "
                   "example "
                   "with " +
                   python + "(...)");
    }
}

Val shapecast::unionSplit(TypedBuilder &e, ArrayRef<Val> operands, size_t which,
                          llvm::function_ref<Val(ArrayRef<Val>)> f) {
    return unionSplit(e, operands[which], [&](const Val &side) {
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

std::optional<Val> shapecast::unionSplitFirst(TypedBuilder &e, ArrayRef<Val> operands,
                                              llvm::function_ref<Val(ArrayRef<Val>)> f) {
    const size_t which = firstMaybeWeak(operands);
    if (which == operands.size())
        return std::nullopt;
    return unionSplit(e, operands, which, f);
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
    const bool exact = isExactAsPython(e, operands[which]);
    if (ufunc.resolution == Resolution::Compare && exact)
        return true;
    const DType own = operandType(operands[which].type())->dtype;
    return a->in == c->in && a->out == c->out && (exact || (a->in[which] == own && isFloat(own)));
}

std::optional<Val> shapecast::splitUfunc(TypedBuilder &e, const Ufunc &ufunc,
                                         SmallVectorImpl<Val> &operands, std::optional<DType> dtype,
                                         llvm::function_ref<Val(ArrayRef<Val>)> apply) {
    for (size_t which = firstMaybeWeak(operands); which < operands.size();
         which = firstMaybeWeak(operands)) {
        if (operands[which].isUnion() || !promotesAlike(e, ufunc, operands, which, dtype))
            return unionSplit(e, operands, which, apply);
        operands[which] = strongSide(operands[which]);
    }
    return std::nullopt;
}

// 1 where both are Python numbers.
DimAttr shapecast::jointWeakFlag(TypedBuilder &e, const Val &a, const Val &c) {
    DimAttr one = e.dimConst(1);
    return dimMul(a.weakFlag ? a.weakFlag : one, c.weakFlag ? c.weakFlag : one);
}
