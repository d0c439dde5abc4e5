// The builder of emit.h. Conversions of constants are folded at once, so that emitters see constant
// exponents.
#include "ops/ufunc/emit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "ops/ufunc/types.h"

#include <cmath>

namespace shapecast {

namespace arith = mlir::arith;
namespace math = mlir::math;
using mlir::Type;
using mlir::Value;

namespace {
bool isFloatValue(Value v) { return mlir::isa<mlir::FloatType>(v.getType()); }
unsigned width(Value v) { return v.getType().getIntOrFloatBitWidth(); }
} // namespace

Type Emit::type(DType dtype) { return registerType(builder.getContext(), dtype); }
Type Emit::integerType(unsigned bits) { return builder.getIntegerType(bits); }

Value Emit::real(Type type, double value) {
    llvm::APFloat rounded(value);
    bool lossy;
    rounded.convert(mlir::cast<mlir::FloatType>(type).getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &lossy);
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, rounded));
}

Value Emit::integer(Type type, int64_t value) {
    const llvm::APInt wrapped(type.getIntOrFloatBitWidth(), value, /*isSigned=*/true,
                              /*implicitTrunc=*/true);
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, wrapped));
}

Value Emit::truth(bool value) { return integer(integerType(1), value); }

Value Emit::like(Value model, double value) {
    return isFloatValue(model) ? real(model.getType(), value)
                               : integer(model.getType(), static_cast<int64_t>(value));
}

Value Emit::add(Value a, Value b) {
    if (isFloatValue(a))
        return arith::AddFOp::create(builder, loc, a, b);
    return arith::AddIOp::create(builder, loc, a, b);
}
Value Emit::sub(Value a, Value b) {
    if (isFloatValue(a))
        return arith::SubFOp::create(builder, loc, a, b);
    return arith::SubIOp::create(builder, loc, a, b);
}
Value Emit::mul(Value a, Value b) {
    if (isFloatValue(a))
        return arith::MulFOp::create(builder, loc, a, b);
    return arith::MulIOp::create(builder, loc, a, b);
}
Value Emit::mulAdd(Value a, Value b, Value c) {
    return isFloatValue(a) ? math::FmaOp::create(builder, loc, a, b, c) : add(mul(a, b), c);
}
Value Emit::div(Value a, Value b) { return arith::DivFOp::create(builder, loc, a, b); }
Value Emit::neg(Value a) {
    if (isFloatValue(a))
        return arith::NegFOp::create(builder, loc, a);
    return sub(integer(a.getType(), 0), a);
}
Value Emit::abs(Value a) {
    if (isFloatValue(a))
        return math::AbsFOp::create(builder, loc, a);
    return select(isNegative(a), neg(a), a);
}
Value Emit::fmod(Value a, Value b) { return libm("fmod", {a, b}); }
Value Emit::sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }
Value Emit::floor(Value a) { return math::FloorOp::create(builder, loc, a); }
Value Emit::ceil(Value a) { return math::CeilOp::create(builder, loc, a); }
Value Emit::trunc(Value a) { return math::TruncOp::create(builder, loc, a); }
Value Emit::rint(Value a) { return math::RoundEvenOp::create(builder, loc, a); }
Value Emit::copysign(Value magnitude, Value sign) {
    return math::CopySignOp::create(builder, loc, magnitude, sign);
}

Value Emit::andi(Value a, Value b) { return arith::AndIOp::create(builder, loc, a, b); }
Value Emit::ori(Value a, Value b) { return arith::OrIOp::create(builder, loc, a, b); }
Value Emit::xori(Value a, Value b) { return arith::XOrIOp::create(builder, loc, a, b); }
Value Emit::invert(Value a) { return xori(a, integer(a.getType(), -1)); }
Value Emit::shl(Value a, Value b) { return arith::ShLIOp::create(builder, loc, a, b); }
Value Emit::shru(Value a, Value b) { return arith::ShRUIOp::create(builder, loc, a, b); }
Value Emit::shrs(Value a, Value b) { return arith::ShRSIOp::create(builder, loc, a, b); }
Value Emit::divs(Value a, Value b) { return arith::DivSIOp::create(builder, loc, a, b); }
Value Emit::divu(Value a, Value b) { return arith::DivUIOp::create(builder, loc, a, b); }
Value Emit::popcount(Value a) { return math::CtPopOp::create(builder, loc, a); }

Value Emit::compare(Order order, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, order, a, b);
}

namespace {
Value compareEither(Emit &e, Emit::Order order, arith::CmpIPredicate predicate, Value a, Value b) {
    if (isFloatValue(a))
        return e.compare(order, a, b);
    return arith::CmpIOp::create(e.builder, e.loc, predicate, a, b);
}
} // namespace

Value Emit::lt(Value a, Value b, bool isUnsigned) {
    return compareEither(*this, Order::OLT,
                         isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, a, b);
}
Value Emit::le(Value a, Value b, bool isUnsigned) {
    return compareEither(*this, Order::OLE,
                         isUnsigned ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle, a, b);
}
Value Emit::gt(Value a, Value b, bool isUnsigned) {
    return compareEither(*this, Order::OGT,
                         isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt, a, b);
}
Value Emit::ge(Value a, Value b, bool isUnsigned) {
    return compareEither(*this, Order::OGE,
                         isUnsigned ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge, a, b);
}
Value Emit::eq(Value a, Value b) {
    return compareEither(*this, Order::OEQ, arith::CmpIPredicate::eq, a, b);
}
Value Emit::ne(Value a, Value b) {
    return compareEither(*this, Order::UNE, arith::CmpIPredicate::ne, a, b);
}
Value Emit::extreme(bool maximum, Value a, Value b) {
    // On x86 this is two instructions and a NaN check of the first operand; the check is hoisted
    // out of the loop when that operand is loop-invariant.
    if (!a.getDefiningOp<arith::ConstantOp>() && isa<mlir::BlockArgument>(b) &&
        !isa<mlir::BlockArgument>(a))
        std::swap(a, b);
    if (maximum)
        return arith::MaximumFOp::create(builder, loc, a, b);
    return arith::MinimumFOp::create(builder, loc, a, b);
}
Value Emit::isNan(Value a) { return compare(Order::UNO, a, a); }
Value Emit::isZero(Value a) { return eq(a, like(a, 0)); }
Value Emit::isNegative(Value a) { return lt(a, like(a, 0)); }
// select(cast(a), cast(b)) -> cast(select(a, b)), also of a constant, if its conversion is exact.
template <class Cast> static Value selectUncast(Emit &e, Value condition, Value yes, Value no) {
    auto cast = yes.getDefiningOp<Cast>();
    cast = cast ? cast : no.getDefiningOp<Cast>();
    if (!cast)
        return nullptr;
    const Type from = cast.getIn().getType();
    auto uncast = [&](Value v) -> Value {
        if (auto other = v.getDefiningOp<Cast>())
            return other.getIn().getType() == from ? other.getIn() : Value();
        llvm::APFloat number(0.0);
        bool lossy = true;
        if (matchPattern(v, mlir::m_ConstantFloat(&number)))
            number.convert(mlir::cast<mlir::FloatType>(from).getFloatSemantics(),
                           llvm::APFloat::rmNearestTiesToEven, &lossy);
        return lossy ? Value()
                     : arith::ConstantOp::create(e.builder, e.loc,
                                                 e.builder.getFloatAttr(from, number));
    };
    const Value a = uncast(yes), b = uncast(no);
    if (!a || !b)
        return nullptr;
    const Value chosen = arith::SelectOp::create(e.builder, e.loc, condition, a, b);
    return e.builder.createOrFold<Cast>(e.loc, cast.getType(), chosen);
}

// LLVM 22 matches `x > 0 ? 0.0 : cast(x)` as the cast of a minimum, which loses the sign of a zero
// x: it must not see a select of casts.
Value Emit::select(Value condition, Value yes, Value no) {
    if (Value widened = selectUncast<arith::ExtFOp>(*this, condition, yes, no))
        return widened;
    if (Value narrowed = selectUncast<arith::TruncFOp>(*this, condition, yes, no))
        return narrowed;
    return arith::SelectOp::create(builder, loc, condition, yes, no);
}

Value Emit::bits(Value floating) {
    return arith::BitcastOp::create(builder, loc, integerType(width(floating)), floating);
}
Value Emit::fromBits(Value integer, Type floating) {
    return arith::BitcastOp::create(builder, loc, floating, integer);
}
Value Emit::extend(Value a, unsigned bits, bool isSigned) {
    if (width(a) == bits)
        return a;
    if (isSigned)
        return builder.createOrFold<arith::ExtSIOp>(loc, integerType(bits), a);
    return builder.createOrFold<arith::ExtUIOp>(loc, integerType(bits), a);
}
Value Emit::narrow(Value a, unsigned bits) {
    return width(a) == bits ? a : builder.createOrFold<arith::TruncIOp>(loc, integerType(bits), a);
}
Value Emit::resize(Value a, unsigned bits, bool isSigned) {
    return width(a) > bits ? narrow(a, bits) : extend(a, bits, isSigned);
}
Value Emit::toFloat(Value integer, Type floating, bool isSigned) {
    if (isSigned)
        return builder.createOrFold<arith::SIToFPOp>(loc, floating, integer);
    return builder.createOrFold<arith::UIToFPOp>(loc, floating, integer);
}
Value Emit::widenFloat(Value a, Type type) {
    return a.getType() == type ? a : builder.createOrFold<arith::ExtFOp>(loc, type, a);
}

Value Emit::narrowFloat(Value a, Type type) {
    if (a.getType() == type)
        return a;
    if (!a.getType().isF64() || !type.isF16())
        return builder.createOrFold<arith::TruncFOp>(loc, type, a);
    // x86 has no instruction for it: round to float32 with a sticky last bit (round to odd), which
    // makes the second rounding correct.
    const Value single = builder.createOrFold<arith::TruncFOp>(loc, builder.getF32Type(), a);
    const Value back = widenFloat(single, a.getType());
    const Value pattern = bits(single);
    const Value one = integer(pattern.getType(), 1);
    const Value inexact = compare(Order::ONE, back, a);
    const Value even = isZero(andi(pattern, one));
    const Value away = gt(abs(back), abs(a));
    const Value odd = select(away, sub(pattern, one), ori(pattern, one));
    const Value sticky = select(andi(inexact, even), odd, pattern);
    return builder.createOrFold<arith::TruncFOp>(loc, type, fromBits(sticky, builder.getF32Type()));
}

Value Emit::toInteger(Value floating, unsigned bits) {
    const Type target = integerType(bits);
    const double limit = bits == 64 ? 0x1p63 : 0x1p31;
    if (floating.getType().isF16())
        floating = widenFloat(floating, builder.getF32Type());
    const Value inRange = lt(abs(floating), like(floating, limit)); // false for NaN
    const Value safe = select(inRange, floating, like(floating, 0));
    const Value converted = arith::FPToSIOp::create(builder, loc, target, safe);
    const Value smallest =
        integer(target, bits == 64 ? INT64_MIN : static_cast<int64_t>(INT32_MIN));
    return select(inRange, converted, smallest);
}

Value Emit::toNearestInteger(Value floating, unsigned bits, bool isSigned) {
    const Type target = integerType(bits);
    const Value zero = like(floating, 0), limit = like(floating, std::exp2(bits - isSigned));
    const Value aboveLeast =
        isSigned ? gt(floating, like(floating, -std::exp2(bits - 1))) : ge(floating, zero);
    const Value inRange = andi(aboveLeast, lt(floating, limit)); // false for NaN
    const Value safe = select(inRange, floating, zero);
    const Value converted = isSigned ? Value(arith::FPToSIOp::create(builder, loc, target, safe))
                                     : Value(arith::FPToUIOp::create(builder, loc, target, safe));
    const Value largest = integer(target, int64_t(~uint64_t{0} >> (64 - bits + isSigned)));
    const Value smallest = integer(target, isSigned ? INT64_MIN >> (64 - bits) : 0);
    const Value nearest =
        select(gt(floating, zero), largest, select(isNan(floating), integer(target, 0), smallest));
    return select(inRange, converted, nearest);
}

Value Emit::truncated(Value floating, bool isSigned) {
    if (isSigned)
        return arith::FPToSIOp::create(builder, loc, integerType(32), floating);
    return arith::FPToUIOp::create(builder, loc, integerType(32), floating);
}

Value Emit::call(llvm::StringRef name, Type result, llvm::ArrayRef<Value> arguments) {
    return calls(name, result, arguments)[0];
}

mlir::ValueRange Emit::calls(llvm::StringRef name, llvm::ArrayRef<Type> results,
                             llvm::ArrayRef<Value> arguments) {
    mlir::Operation *module = builder.getInsertionBlock()->getParentOp();
    while (!mlir::isa<mlir::ModuleOp>(module))
        module = module->getParentOp();
    auto callee = mlir::SymbolTable::lookupSymbolIn(module, name);
    if (!callee) {
        mlir::OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(&module->getRegion(0).front());
        const auto type = builder.getFunctionType(mlir::ValueRange(arguments).getTypes(), results);
        auto declaration = mlir::func::FuncOp::create(builder, builder.getUnknownLoc(), name, type);
        declaration.setPrivate();
        // FuncToLLVM lowers these to memory(none), nounwind and willreturn.
        for (const char *attribute : {"llvm.readnone", "no_unwind", "will_return"})
            declaration->setAttr(attribute, builder.getUnitAttr());
    }
    return mlir::func::CallOp::create(builder, loc, name, mlir::TypeRange(results), arguments)
        .getResults();
}

Value Emit::libm(llvm::StringRef name, llvm::ArrayRef<Value> arguments) {
    const Type type = arguments[0].getType();
    return call(type.isF32() ? (name + "f").str() : name.str(), type, arguments);
}

Scalar Emit::complexCall(llvm::StringRef name, llvm::ArrayRef<Scalar> arguments) {
    const Type part = arguments[0].re.getType();
    llvm::SmallVector<Value, 4> flat;
    for (const Scalar &a : arguments)
        flat.append({a.re, a.im});
    const Type wide = builder.getF64Type();
    const auto parts = calls(("sc_c" + name + (part.isF32() ? "f" : "")).str(), {wide, wide}, flat);
    return part == wide ? Scalar{parts[0], parts[1]}
                        : Scalar{narrowFloat(parts[0], part), narrowFloat(parts[1], part)};
}

} // namespace shapecast
