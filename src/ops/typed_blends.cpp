// TypedBuilder: blends, numbers that are Python's on some paths and NumPy's (or a wider Python
// type) on the others. Python's promote weakly, NumPy's strongly: what is computed from a blend has
// one type only where both sides promote alike; everywhere else the sides are taken apart.
#include "ops/typed.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::strongSide(Val blend) {
    blend.pyFlag = {};
    blend.items.clear();
    return blend;
}

static DType defaultDtype(PyKind kind) {
    return kind == PyKind::Bool    ? DType::Bool
           : kind == PyKind::Int   ? DType::I64
           : kind == PyKind::Float ? DType::F64
                                   : DType::C128;
}

bool shapecast::isNaturalBlend(Type strong, PyKind kind) {
    OperandType operand = *operandType(strong);
    return operand.weak == PyKind::Strong && operand.dtype == defaultDtype(kind);
}

Val TypedBuilder::pythonSide(const Val &blend) {
    if (!blend.items.empty())
        return blend.items[0];
    return typed(CastOp::create(b, loc, pyType(ctx, blend.pyKind), blend.value));
}

// Whole numbers up to 2 ** digits, and constants that a cast does not change.
static bool fitsFloat(const Val &number, DType dtype) {
    const bool half = dtype == DType::F16;
    const bool single = dtype == DType::F32 || dtype == DType::C64;
    if (std::optional<int64_t> whole = number.constInt())
        return std::abs(*whole) <= int64_t(1) << (half ? 11 : single ? 24 : 53);
    auto constant = dyn_cast_or_null<FloatAttr>(number.attr);
    if (!constant)
        return false;
    bool loses = false;
    APFloat value = constant.getValue();
    value.convert(half     ? APFloat::IEEEhalf()
                  : single ? APFloat::IEEEsingle()
                           : APFloat::IEEEdouble(),
                  APFloat::rmNearestTiesToEven, &loses);
    return !loses;
}

bool TypedBuilder::exactBlend(const Val &v) {
    const DType dtype = operandType(v.type())->dtype;
    if (v.pyKind == PyKind::Bool || isNaturalBlend(v.type(), v.pyKind))
        return true;
    if (v.pyKind == PyKind::Float && (dtype == DType::F64 || dtype == DType::C128))
        return true;
    return isInteger(dtype) ? integerTraps(v.items[0], dtype).empty()
                            : fitsFloat(v.items[0], dtype);
}

Val shapecast::withoutLast(Val oneOf) {
    oneOf.items.pop_back();
    return oneOf.items.size() == 1 ? Val(oneOf.items[0]) : oneOf;
}

Val TypedBuilder::apart(const Val &blend, llvm::function_ref<Val(const Val &)> f) {
    if (blend.isOneOf()) {
        const Val several = settled(blend);
        if (!several.isOneOf())
            return f(several);
        Val isLast = compare("ge", sizeVal(several.dim), intVal(several.items.size() - 1));
        return branch(isLast, [&](bool last) {
            return last ? f(several.items.back()) : apart(withoutLast(several), f);
        });
    }
    if (!blend.pyFlag)
        return f(blend);
    Val condition = compare("ne", sizeVal(blend.pyFlag), intVal(0));
    if (std::optional<bool> known = condition.constBool())
        return f(*known ? pythonSide(blend) : strongSide(blend));
    try {
        return branch(condition, [&](bool python) {
            return f(python ? pythonSide(blend) : strongSide(blend));
        });
    } catch (InferError &error) {
        if (!error.conflict)
            throw;
        if (blend.pyFlag.isSymbol())
            if (auto found = deciders.find(blend.pyFlag.getName()); found != deciders.end())
                demandConstant(found->second);
        const std::string python = describe(pythonSide(blend)),
                          strong = describe(strongSide(blend));
        conflict("a number is a Python " + python + " on one path and " + strong +
                 " on another, and the dtype of what is computed from it differs; make it the same "
                 "on both, for example with " +
                 python + "(...)");
    }
}

Val TypedBuilder::apart(ArrayRef<Val> operands, size_t which,
                        llvm::function_ref<Val(ArrayRef<Val>)> f) {
    return apart(operands[which], [&](const Val &side) {
        SmallVector<Val> sides(operands);
        sides[which] = side;
        return f(sides);
    });
}

static size_t firstBlend(ArrayRef<Val> operands) {
    return llvm::find_if(operands, [](const Val &v) { return v.pyFlag || v.isOneOf(); }) -
           operands.begin();
}

std::optional<Val> TypedBuilder::eachSide(ArrayRef<Val> operands,
                                          llvm::function_ref<Val(ArrayRef<Val>)> f) {
    const size_t which = firstBlend(operands);
    if (which == operands.size())
        return std::nullopt;
    return apart(operands, which, f);
}

// Both sides give the same loop and the same value in it: the blend can be read as its strong side.
static bool promotesAlike(TypedBuilder &e, const Ufunc &ufunc, ArrayRef<Val> operands, size_t which,
                          std::optional<DType> dtype) {
    SmallVector<OperandType> types;
    for (const Val &v : operands)
        types.push_back(*operandType(v.type()));
    auto strong = resolveUfunc(ufunc, types, dtype);
    types[which] = OperandType{defaultDtype(operands[which].pyKind), operands[which].pyKind};
    auto weak = resolveUfunc(ufunc, types, dtype);
    const Loop *a = std::get_if<Loop>(&strong), *c = std::get_if<Loop>(&weak);
    if (!a || !c)
        return false;
    const bool exact = e.exactBlend(operands[which]);
    if (ufunc.resolution == Resolution::Compare && exact)
        return true;
    const DType own = operandType(operands[which].type())->dtype;
    return a->in == c->in && a->out == c->out && (exact || (a->in[which] == own && isFloat(own)));
}

std::optional<Val> TypedBuilder::ufuncOfBlends(const Ufunc &ufunc, SmallVectorImpl<Val> &operands,
                                               std::optional<DType> dtype) {
    for (size_t which = firstBlend(operands); which < operands.size();
         which = firstBlend(operands)) {
        if (operands[which].isOneOf() || !promotesAlike(*this, ufunc, operands, which, dtype))
            return apart(operands, which, [&](ArrayRef<Val> sides) {
                return this->ufunc(ufunc.name, sides, dtype);
            });
        operands[which] = strongSide(operands[which]);
    }
    return std::nullopt;
}
