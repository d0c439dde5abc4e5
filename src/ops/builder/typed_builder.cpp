#include "ops/builder/typed_builder.h"

#include "ops/builder/val.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val TypedBuilder::typed(Value value) {
    Val v;
    v.kind = Val::Kind::Typed;
    v.value = value;
    if (isa<PyIntType>(value.getType()))
        v.dim = bindSymbol("k", value);
    return v;
}

Val TypedBuilder::staticVal(StringRef kind, StringRef text) {
    Val v;
    v.kind = Val::Kind::Static;
    v.attr = PyAttr::get(ctx, kind, text);
    return v;
}

Val TypedBuilder::neverVal() {
    Val v;
    v.kind = Val::Kind::Never;
    return v;
}

Val TypedBuilder::noneVal() { return staticVal("none", ""); }

Val TypedBuilder::constant(Attribute attr, Type type) {
    Val v;
    v.kind = Val::Kind::Typed;
    v.attr = attr;
    v.value = ConstOp::create(b, loc, type, attr);
    if (auto integer = dyn_cast<IntegerAttr>(attr); integer && isa<PyIntType>(type))
        v.dim = dimConst(integer.getInt());
    return v;
}

Val TypedBuilder::intVal(int64_t value) {
    return constant(b.getI64IntegerAttr(value), PyIntType::get(ctx));
}
Val TypedBuilder::wideIntVal(const APInt &value) {
    return value.isSignedIntN(64) ? intVal(value.getSExtValue())
                                  : constant(wideIntAttr(ctx, value), PyWideIntType::get(ctx));
}
Val TypedBuilder::boolVal(bool value) {
    return constant(b.getBoolAttr(value), PyBoolType::get(ctx));
}
Val TypedBuilder::floatVal(double value) {
    return constant(b.getF64FloatAttr(value), PyFloatType::get(ctx));
}

Val TypedBuilder::sizeVal(DimAttr expr) {
    if (expr.isConst())
        return intVal(expr.getValue());
    Val v;
    v.kind = Val::Kind::Typed;
    v.value = SizeOp::create(b, loc, PyIntType::get(ctx), expr);
    v.dim = expr;
    return v;
}

Val TypedBuilder::tupleVal(std::vector<Val> items, bool list) {
    Val v;
    v.kind = Val::Kind::Tuple;
    v.items = std::move(items);
    v.list = list;
    return v;
}

Val TypedBuilder::literal(Attribute attr) {
    if (auto flag = dyn_cast<BoolAttr>(attr))
        return boolVal(flag.getValue());
    if (auto integer = dyn_cast<IntegerAttr>(attr))
        return intVal(integer.getInt());
    if (auto number = dyn_cast<FloatAttr>(attr))
        return constant(number, PyFloatType::get(ctx));
    if (auto items = dyn_cast<ArrayAttr>(attr)) {
        std::vector<Val> values;
        for (Attribute item : items)
            values.push_back(literal(item));
        return tupleVal(std::move(values));
    }
    if (isWideInt(attr))
        return constant(attr, PyWideIntType::get(ctx));
    if (auto parts = dyn_cast<DenseF64ArrayAttr>(attr)) // a complex number; a pair is a tuple
        return constant(b.getF64ArrayAttr(parts.asArrayRef()), PyComplexType::get(ctx));
    Val v;
    v.kind = Val::Kind::Static;
    v.attr = attr;
    return v;
}

Dims shapecast::dimsOf(const Val &v) {
    if (ArrayType array = v.array())
        return Dims(array.getDims().begin(), array.getDims().end());
    return {};
}

OperandType TypedBuilder::operandOf(const Val &v) const {
    if (v.weakFlag && !isNaturalPair(v.type(), v.weakKind))
        unsupported("this use of a number that is " + v.describe() +
                    "; make it the same type on all paths");
    if (v.isTyped())
        if (std::optional<OperandType> operand = operandType(v.type()))
            return *operand;
    unsupported("an array or a number is needed here, not " + v.describe());
}
