// The builder of scalar code for the element-wise emitters, on top of the arith, math and func
// dialects.
#pragma once

#include "ops/ufunc/ufunc.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace shapecast {

// Operations on signless SSA values; integer or float by the operands' type. Never emits a branch
// or poison.
class Emit {
public:
    using Value = mlir::Value;
    using Order = mlir::arith::CmpFPredicate;

    Emit(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

    mlir::OpBuilder &builder;
    mlir::Location loc;

    mlir::Type type(DType dtype);
    mlir::Type integerType(unsigned bits);

    Value real(mlir::Type type, double value);     // rounded to the type
    Value integer(mlir::Type type, int64_t value); // wrapped to the type
    Value truth(bool value);
    Value like(Value model, double value); // a constant of the model's type, integer or float

    Value add(Value a, Value b);
    Value sub(Value a, Value b);
    Value mul(Value a, Value b);
    Value mulAdd(Value a, Value b, Value c); // floats: fused, rounded once
    Value div(Value a, Value b);             // floats
    Value neg(Value a);
    Value abs(Value a);           // integers wrap
    Value fmod(Value a, Value b); // floats, C's fmod
    Value sqrt(Value a);
    Value floor(Value a);
    Value ceil(Value a);
    Value trunc(Value a);
    Value rint(Value a);
    Value copysign(Value magnitude, Value sign);

    Value andi(Value a, Value b);
    Value ori(Value a, Value b);
    Value xori(Value a, Value b);
    Value invert(Value a);
    Value shl(Value a, Value b);
    Value shru(Value a, Value b);
    Value shrs(Value a, Value b);
    Value divs(Value a, Value b); // b is not 0, nor -1 where a is the smallest integer
    Value divu(Value a, Value b);
    Value popcount(Value a);

    Value compare(Order order, Value a, Value b);        // floats
    Value lt(Value a, Value b, bool isUnsigned = false); // ordered for floats
    Value le(Value a, Value b, bool isUnsigned = false);
    Value gt(Value a, Value b, bool isUnsigned = false);
    Value ge(Value a, Value b, bool isUnsigned = false);
    Value eq(Value a, Value b);
    Value ne(Value a, Value b); // unordered for floats: NaN differs from everything
    Value isNan(Value a);
    Value isZero(Value a);
    Value isNegative(Value a);
    // The larger or smaller of two floats, NaN if one is; of two zeros, either.
    Value extreme(bool maximum, Value a, Value b);
    Value select(Value condition, Value yes, Value no);

    Value bits(Value floating); // the same bits as an integer
    Value fromBits(Value integer, mlir::Type floating);
    Value extend(Value a, unsigned bits, bool isSigned); // to a wider (or the same) integer
    Value narrow(Value a, unsigned bits);
    Value resize(Value a, unsigned bits, bool isSigned);
    Value toFloat(Value integer, mlir::Type floating, bool isSigned);
    Value widenFloat(Value a, mlir::Type type);
    Value narrowFloat(Value a, mlir::Type type); // correctly rounded, float64 to float16 too
    // float to integer of 32 or 64 bits as x86's cvttsd2si: the smallest integer where it is out of
    // range or NaN.
    Value toInteger(Value floating, unsigned bits);
    // The same to the nearest integer that there is, and 0 for NaN, as ARM's fcvtzs and fcvtzu.
    Value toNearestInteger(Value floating, unsigned bits, bool isSigned);
    Value truncated(Value floating, bool isSigned); // to 32 bits; must be in range

    // Call of a pure C function, declared in the module when first used.
    Value call(llvm::StringRef name, mlir::Type result, llvm::ArrayRef<Value> arguments);
    // One with several results: float64s, the struct that the C ABI returns in registers.
    mlir::ValueRange calls(llvm::StringRef name, llvm::ArrayRef<mlir::Type> results,
                           llvm::ArrayRef<Value> arguments);
    // C's math library: `name` for float64, `name` + "f" for float32.
    Value libm(llvm::StringRef name, llvm::ArrayRef<Value> arguments);
    // A complex function of the runtime, sc_c<name>[f].
    Scalar complexCall(llvm::StringRef name, llvm::ArrayRef<Scalar> arguments);
};

// Shared by several tables.
Scalar emitMinMax(Emit &e, DType dtype, bool maximum, bool ignoreNan, Scalar a, Scalar b);
Scalar emitMultiply(Emit &e, DType dtype, Scalar a, Scalar b);
mlir::Value emitTruth(Emit &e, DType dtype, Scalar a); // bool(a); NaN is true

} // namespace shapecast
