// exp and log in plain arithmetic (see the header).
#include "lower/gpu/gpu_math.h"

#include "ops/ufunc/emit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;

namespace shapecast {
namespace {

// Parameters of a float format.
struct Format {
    unsigned bits, mantissa;
    int64_t bias;
    double ln2High, ln2Low; // their sum is ln 2; an exponent times the first is exact
    double expLow, expHigh; // exp is 0 below, infinite above
    int expDegree;
    double smallest, rescale; // the smallest normal, and the factor that makes subnormals normal
    int64_t rescaleExponent;
    ArrayRef<double> log; // coefficients of s^2, s^4 ... with s = f / (2 + f)
};

constexpr double log64[] = {6.666666666666735130e-01, 3.999999999940941908e-01,
                            2.857142874366239149e-01, 2.222219843214978396e-01,
                            1.818357216161805012e-01, 1.531383769920937332e-01,
                            1.479819860511658591e-01};
constexpr double log32[] = {0xaaaaaa.0p-24, 0xccce13.0p-25, 0x91e9ee.0p-25, 0xf89e26.0p-26};

const Format float64{64,
                     52,
                     1023,
                     6.93147180369123816490e-01,
                     1.90821492927058770002e-10,
                     -746,
                     710,
                     13,
                     0x1p-1022,
                     0x1p54,
                     54,
                     log64};
const Format float32{32,     23, 127,  6.9314575195e-01, 1.4286067653e-06, -104, 89, 7, 0x1p-126,
                     0x1p25, 25, log32};

Value fma(Emit &e, Value a, Value b, Value c) {
    return math::FmaOp::create(e.builder, e.loc, a, b, c);
}

// c[0] + c[1] x + c[2] x^2 ...
Value polynomial(Emit &e, Value x, ArrayRef<double> coefficients) {
    Value sum = e.like(x, coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
        sum = fma(e, sum, x, e.like(x, coefficient));
    return sum;
}

// 2^n for n that the format has.
Value powerOfTwo(Emit &e, const Format &format, Value n, Type type) {
    Value biased = e.add(n, e.integer(n.getType(), format.bias));
    return e.fromBits(e.shl(biased, e.integer(n.getType(), format.mantissa)), type);
}

// x = n ln 2 + r, |r| <= ln 2 / 2; exp(r) by its series, 2^n in two factors, so that results that
// are not normal are rounded once.
Value exponential(Emit &e, const Format &format, Value x) {
    Value isNan = e.isNan(x), low = e.like(x, format.expLow), high = e.like(x, format.expHigh);
    Value near = e.select(e.gt(x, high), high, e.select(e.lt(x, low), low, x));
    near = e.select(isNan, e.like(x, 0), near);
    Value n = e.rint(e.mul(near, e.like(x, 1.4426950408889634)));
    Value r = fma(e, n, e.like(x, -format.ln2High), near);
    r = fma(e, n, e.like(x, -format.ln2Low), r);
    SmallVector<double> series; // of (exp(r) - 1 - r) / r^2
    double factorial = 1;
    for (int k = 2; k <= format.expDegree; ++k)
        series.push_back(1 / (factorial *= k));
    Value rest = fma(e, e.mul(r, r), polynomial(e, r, series), r);
    Value result = e.add(e.like(x, 1), rest);
    Type integer = e.integerType(format.bits);
    Value exponent = arith::FPToSIOp::create(e.builder, e.loc, integer, n);
    Value half = e.shrs(exponent, e.integer(integer, 1));
    result = e.mul(result, powerOfTwo(e, format, half, x.getType()));
    result = e.mul(result, powerOfTwo(e, format, e.sub(exponent, half), x.getType()));
    return e.select(isNan, x, result);
}

// x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and fdlibm's log(1 + f).
Value logarithm(Emit &e, const Format &format, Value x) {
    Type type = x.getType(), integer = e.integerType(format.bits);
    Value isSmall = e.lt(x, e.like(x, format.smallest));
    Value lifted = e.select(isSmall, e.mul(x, e.like(x, format.rescale)), x);
    Value root = e.bits(e.like(x, 0.70710678118654752)), one = e.bits(e.like(x, 1));
    Value moved = e.add(e.bits(lifted), e.sub(one, root));
    Value k =
        e.sub(e.shrs(moved, e.integer(integer, format.mantissa)), e.integer(integer, format.bias));
    k = e.sub(k,
              e.select(isSmall, e.integer(integer, format.rescaleExponent), e.integer(integer, 0)));
    Value mantissa = e.andi(moved, e.integer(integer, (int64_t{1} << format.mantissa) - 1));
    Value f = e.sub(e.fromBits(e.add(mantissa, root), type), e.like(x, 1));
    Value s = e.div(f, e.add(e.like(x, 2), f)), z = e.mul(s, s);
    Value r = e.mul(z, polynomial(e, z, format.log));
    Value halfSquare = e.mul(e.like(x, 0.5), e.mul(f, f));
    Value exponent = e.toFloat(k, type, /*isSigned=*/true);
    Value result = e.mul(s, e.add(halfSquare, r));
    result = e.add(result, e.mul(exponent, e.like(x, format.ln2Low)));
    result = e.add(e.sub(result, halfSquare), f);
    result = e.add(result, e.mul(exponent, e.like(x, format.ln2High)));
    const double infinity = std::numeric_limits<double>::infinity();
    Value same = e.ori(e.isNan(x), e.eq(x, e.like(x, infinity)));
    result = e.select(same, x, result);
    result = e.select(e.isNegative(x), e.like(x, std::numeric_limits<double>::quiet_NaN()), result);
    return e.select(e.isZero(x), e.like(x, -infinity), result);
}

} // namespace

bool hasDeviceMath(StringRef name) {
    return llvm::is_contained({"exp", "expf", "log", "logf"}, name);
}

void defineDeviceMath(ModuleOp module) {
    for (auto function : module.getOps<func::FuncOp>()) {
        if (!function.isDeclaration() || !hasDeviceMath(function.getSymName()))
            continue;
        OpBuilder builder = OpBuilder::atBlockEnd(function.addEntryBlock());
        Emit e(builder, function.getLoc());
        Value x = function.getArgument(0);
        const Format &format = x.getType().isF64() ? float64 : float32;
        bool isExp = function.getSymName().starts_with("exp");
        Value result = isExp ? exponential(e, format, x) : logarithm(e, format, x);
        func::ReturnOp::create(builder, e.loc, result);
    }
}

} // namespace shapecast
