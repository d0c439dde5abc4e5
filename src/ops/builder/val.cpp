#include "ops/builder/val.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

bool Val::isStatic(StringRef staticKind) const {
    auto py = kind == Kind::Static ? dyn_cast_or_null<PyAttr>(attr) : PyAttr();
    return py && py.getKind() == staticKind;
}

StringRef Val::staticText() const {
    auto py = dyn_cast_or_null<PyAttr>(attr);
    return py ? py.getText() : StringRef();
}

// The value of np.int64(1) and the like: a constant, cast to a dtype that can represent it.
static std::optional<int64_t> castConstant(Value value) {
    auto cast = value.getDefiningOp<CastOp>();
    auto constant = cast ? cast.getValue().getDefiningOp<ConstOp>() : ConstOp();
    auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    const std::optional<OperandType> type = operandType(value.getType());
    if (!number || !type || type->weak != PyKind::Strong)
        return std::nullopt;
    const auto flag = dyn_cast<BoolAttr>(constant.getValue());
    const int64_t known = flag ? int64_t(flag.getValue()) : number.getInt();
    if (isBool(type->dtype))
        return known != 0;
    if (!isInteger(type->dtype) || (known < 0 && !isSigned(type->dtype)))
        return std::nullopt;
    const int bits = int(itemSize(type->dtype)) * 8 - isSigned(type->dtype);
    const bool fits = bits >= 63 || (known < int64_t(1) << bits && known >= -(int64_t(1) << bits));
    return fits ? std::optional(known) : std::nullopt;
}

std::optional<int64_t> Val::constInt() const {
    if (!isTyped())
        return std::nullopt;
    if (auto flag = dyn_cast_or_null<BoolAttr>(attr))
        return flag.getValue();
    if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
        return integer.getInt();
    if (isPyInt() && dim && dim.isConst())
        return dim.getValue();
    return isScalar() ? castConstant(value) : std::nullopt;
}

std::optional<bool> Val::constBool() const {
    if (kind == Kind::Tuple || kind == Kind::Dict)
        return !items.empty();
    if (kind == Kind::Record)
        return true;
    if (kind == Kind::Static) {
        if (isNone())
            return false;
        return !isStatic("str") || !staticText().empty();
    }
    if (auto number = dyn_cast_or_null<FloatAttr>(attr))
        return !number.getValue().isZero();
    if (std::optional<int64_t> integer = constInt())
        return *integer != 0;
    return std::nullopt;
}

bool shapecast::isIterator(const Val &v, StringRef kind) {
    return v.kind == Val::Kind::Iterator && cast<StringAttr>(v.attr).getValue() == kind;
}

bool Val::isObject(StringRef objectKind) const {
    return kind == Kind::Object && cast<PyAttr>(attr).getKind() == objectKind;
}

Val shapecast::strongSide(Val maybeWeak) {
    maybeWeak.weakFlag = {};
    maybeWeak.items.clear();
    return maybeWeak;
}

Val shapecast::withoutLastMember(Val unionVal) {
    unionVal.items.pop_back();
    return unionVal.items.size() == 1 ? Val(unionVal.items[0]) : unionVal;
}
