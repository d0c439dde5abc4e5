// Emission of one element: ufuncs, casts, constants, and the combiners and identities of
// reductions.
#include "facts/host_info.h"
#include "ops/ufunc/emit.h"
#include "ops/ufunc/types.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <limits>

namespace shapecast {

using mlir::Value;

namespace {

Scalar widenHalf(Emit &e, Scalar value, DType dtype) {
    return dtype == DType::F16 ? Scalar{e.widenFloat(value.re, e.type(DType::F32)), nullptr}
                               : value;
}

bool isHalf(DType d) { return d == DType::F16; }

// cast between real dtypes, neither bool
Value castReal(Emit &e, Value value, DType from, DType to) {
    const unsigned bits = 8 * itemSize(to);
    if (isInteger(from) && isInteger(to))
        return e.resize(value, bits, isSigned(from));
    if (isInteger(from)) {
        if (isHalf(to)) // through float32, as NumPy does
            return e.narrowFloat(e.toFloat(value, e.type(DType::F32), isSigned(from)), e.type(to));
        return e.toFloat(value, e.type(to), isSigned(from));
    }
    if (isFloat(to))
        return itemSize(from) < itemSize(to) ? e.widenFloat(value, e.type(to))
                                             : e.narrowFloat(value, e.type(to));
    if (isHalf(from))
        value = e.widenFloat(value, e.type(DType::F32));
    if (hostInfo().castsSaturate)
        return e.narrow(e.toNearestInteger(value, std::max(bits, 32U), isSigned(to)), bits);
    if (to == DType::U64) { // [2^63, 2^64) is converted after subtracting 2^63
        const Value limit = e.like(value, 0x1p63);
        const Value upper = e.ge(value, limit);
        const Value converted = e.toInteger(e.select(upper, e.sub(value, limit), value), 64);
        return e.select(upper, e.xori(converted, e.integer(converted.getType(), INT64_MIN)),
                        converted);
    }
    if (to == DType::U32 || to == DType::I64)
        return e.narrow(e.toInteger(value, 64), bits);
    return e.narrow(e.toInteger(value, 32), bits);
}

} // namespace

Value emitTruth(Emit &e, DType dtype, Scalar a) {
    if (isBool(dtype))
        return a.re;
    const Value truth = e.ne(a.re, e.like(a.re, 0));
    return a.im ? e.ori(truth, e.ne(a.im, e.like(a.im, 0))) : truth;
}

Scalar emitCast(mlir::OpBuilder &builder, mlir::Location loc, Scalar value, DType from, DType to) {
    if (from == to)
        return value;
    Emit e(builder, loc);
    if (isBool(to))
        return {emitTruth(e, from, value), nullptr};
    Scalar result{value.re, nullptr};
    const DType source = realPart(from), target = realPart(to);
    if (isBool(source))
        result.re = isInteger(target) ? e.extend(value.re, 8 * itemSize(target), false)
                                      : e.toFloat(value.re, e.type(target), false);
    else if (source != target)
        result.re = castReal(e, value.re, source, target);
    if (!isComplex(to))
        return result;
    if (value.im)
        result.im = source == target ? value.im : castReal(e, value.im, source, target);
    else
        result.im = e.real(e.type(target), 0);
    return result;
}

Scalar emitConstant(mlir::OpBuilder &builder, mlir::Location loc, DType dtype, double re,
                    double im) {
    Emit e(builder, loc);
    if (isBool(dtype))
        return {e.truth(re != 0 || im != 0), nullptr};
    if (isInteger(dtype))
        return emitInteger(builder, loc, dtype, static_cast<int64_t>(re));
    return {e.real(e.type(dtype), re), isComplex(dtype) ? e.real(e.type(dtype), im) : nullptr};
}

Scalar emitInteger(mlir::OpBuilder &builder, mlir::Location loc, DType dtype, int64_t value) {
    Emit e(builder, loc);
    if (isBool(dtype))
        return {e.truth(value != 0), nullptr};
    if (isInteger(dtype))
        return {e.integer(e.type(dtype), value), nullptr};
    return emitConstant(builder, loc, dtype, static_cast<double>(value));
}

Scalar emitUfunc(mlir::OpBuilder &builder, mlir::Location loc, const Ufunc &ufunc, const Loop &loop,
                 llvm::ArrayRef<Scalar> operands) {
    Emit e(builder, loc);
    const bool half = isHalf(loop.out) || llvm::any_of(loop.in, isHalf);
    if (!half || ufunc.ownHalf)
        return ufunc.emit(e, loop, operands);
    Loop single = loop;
    llvm::SmallVector<Scalar, 3> widened;
    for (auto [operand, dtype] : llvm::zip_equal(operands, single.in)) {
        widened.push_back(widenHalf(e, operand, dtype));
        if (isHalf(dtype))
            dtype = DType::F32;
    }
    if (isHalf(loop.out))
        single.out = DType::F32;
    Scalar result = ufunc.emit(e, single, widened);
    if (isHalf(loop.out))
        result.re = e.narrowFloat(result.re, e.type(DType::F16));
    return result;
}

Scalar emitCombine(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef combine,
                   DType dtype, Scalar a, Scalar b) {
    const bool logical = combine.starts_with("logical_");
    const Loop loop{{dtype, dtype}, logical ? DType::Bool : dtype};
    const Scalar result = emitUfunc(builder, loc, *findUfunc(combine), loop, {a, b});
    return logical ? emitCast(builder, loc, result, DType::Bool, dtype) : result;
}

Scalar emitIdentity(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef combine,
                    DType dtype) {
    if (combine == "add" || combine == "logical_or")
        return emitInteger(builder, loc, dtype, 0);
    if (combine == "multiply" || combine == "logical_and")
        return emitInteger(builder, loc, dtype, 1);
    const bool maximum = combine == "maximum";
    if (isBool(dtype))
        return emitInteger(builder, loc, dtype, !maximum);
    if (isInteger(dtype)) {
        const unsigned bits = 8 * itemSize(dtype);
        const uint64_t ones = ~uint64_t(0) >> (64 - bits);
        const uint64_t top = uint64_t(1) << (bits - 1);
        const uint64_t pattern =
            isUnsigned(dtype) ? (maximum ? 0 : ones) : (maximum ? top : ones ^ top);
        return emitInteger(builder, loc, dtype, static_cast<int64_t>(pattern));
    }
    const double extreme = std::numeric_limits<double>::infinity() * (maximum ? -1 : 1);
    return emitConstant(builder, loc, dtype, extreme, extreme);
}

} // namespace shapecast
