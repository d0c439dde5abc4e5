// Floating point arithmetic (PTX ISA 9.7.3, 9.7.4): IEEE's, NaN results of f32 and f16 the
// canonical ones. Approximations (.approx) are the correctly rounded values, which devices come
// close to.
#include "opcodes.h"

#include <cmath>
#include <limits>

namespace driver {
namespace {

using Half = _Float16;
struct HalfPair {
    Half low, high;
};

template <class T> T canonical(T value) {
    if (value == value)
        return value;
    if constexpr (sizeof(T) == 4)
        return std::bit_cast<float>(0x7FFFFFFFu);
    if constexpr (sizeof(T) == 2)
        return std::bit_cast<Half>(uint16_t(0x7FFF));
    return value;
}

// For T: the operation, and what the modifiers .ftz and .sat do to operands and results. An f16 is
// computed in f32 (in f64 for fma) and rounded to odd before it is rounded: as if once.
template <class T> T flushed(T value, bool flush) {
    if constexpr (sizeof(T) == 4)
        if (flush && std::fpclassify(value) == FP_SUBNORMAL)
            return std::copysign(0.0f, value);
    return value;
}
template <class T> T saturated(T value, bool saturates) {
    if (!saturates)
        return value;
    if (!(value == value))
        return T(0);
    return value < T(0) ? T(0) : value > T(1) ? T(1) : value;
}

struct RoundingScope {
    int before = std::fegetround();
    explicit RoundingScope(int mode) {
        if (mode != before)
            std::fesetround(mode);
    }
    ~RoundingScope() {
        if (std::fegetround() != before)
            std::fesetround(before);
    }
};

template <class T, auto F, size_t... K>
void runOn(Warp &warp, const Instruction &at, Lanes lanes, std::index_sequence<K...>) {
    RoundingScope scope(at.rounding);
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *in[] = {warp.in(at.operands[K + 1])...};
    bool flush = at.flush, saturates = at.saturate;
    forEach(lanes, [&](int lane) {
        if constexpr (std::is_same_v<T, HalfPair>) {
            HalfPair of[] = {get<HalfPair>(in[K], lane)...};
            put(to, lane,
                HalfPair{saturated(canonical(Half(F(of[K].low...))), saturates),
                         saturated(canonical(Half(F(of[K].high...))), saturates)});
        } else {
            T result = F(flushed(get<T>(in[K], lane), flush)...);
            put(to, lane, saturated(canonical(flushed(result, flush)), saturates));
        }
    });
}
template <class T, int kOperands, auto F>
void runFloat(Warp &warp, const Instruction &at, Lanes lanes) {
    runOn<T, F>(warp, at, lanes, std::make_index_sequence<kOperands>());
}

constexpr auto add = []<class T>(T a, T b) { return T(a + b); };
constexpr auto subtract = []<class T>(T a, T b) { return T(a - b); };
constexpr auto multiply = []<class T>(T a, T b) { return T(a * b); };
constexpr auto divide = []<class T>(T a, T b) { return T(a / b); };
constexpr auto fused = []<class T>(T a, T b, T c) {
    if constexpr (sizeof(T) == 2) {
        // The product is exact in double; the sum is rounded to odd, so that rounding it again is
        // right.
        double product = double(a) * double(b), sum = product + double(c);
        double virtualC = sum - product,
               error = (product - (sum - virtualC)) + (double(c) - virtualC);
        auto bits = std::bit_cast<uint64_t>(sum);
        if (std::isfinite(sum) && error != 0 && !(bits & 1))
            bits += ((error > 0) == (sum > 0)) ? 1 : -1;
        return T(std::bit_cast<double>(bits));
    } else {
        return std::fma(a, b, c);
    }
};
constexpr auto reciprocal = []<class T>(T a) { return T(T(1) / a); };
constexpr auto root = []<class T>(T a) {
    if constexpr (sizeof(T) == 8)
        return std::sqrt(a);
    else
        return T(std::sqrt(float(a)));
};
constexpr auto reciprocalRoot = []<class T>(T a) { return T(1 / std::sqrt(double(a))); };
constexpr auto sine = []<class T>(T a) { return T(std::sin(double(a))); };
constexpr auto cosine = []<class T>(T a) { return T(std::cos(double(a))); };
constexpr auto logarithm = []<class T>(T a) { return T(std::log2(double(a))); };
constexpr auto exponential = []<class T>(T a) { return T(std::exp2(double(a))); };
constexpr auto tangent = []<class T>(T a) { return T(std::tanh(double(a))); };
// The sign alone changes, also of a NaN.
constexpr auto least = []<class T>(T a, T b) {
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return std::signbit(float(a)) ? a : b;
    return a < b ? a : b;
};
constexpr auto greatest = []<class T>(T a, T b) {
    if (a != a)
        return b;
    if (b != b)
        return a;
    if (a == b)
        return std::signbit(float(a)) ? b : a;
    return a > b ? a : b;
};
constexpr auto leastOrNaN = []<class T>(T a, T b) { return a != a ? a : b != b ? b : least(a, b); };
constexpr auto greatestOrNaN = []<class T>(T a, T b) {
    return a != a ? a : b != b ? b : greatest(a, b);
};

//===-- Modifiers

// .rn, .rz, .rm, .rp; whether one was there.
bool takeRounding(Instruction &at, Modifiers &words) {
    static constexpr std::string_view names[] = {"rn", "rz", "rm", "rp"};
    static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    int found = words.takeOneOf(names);
    at.rounding = modes[std::max(found, 0)];
    return found >= 0;
}

template <int kOperands, auto F> Handler forFloat(Type type) {
    switch (type) {
    case Type::F16:
        return runFloat<Half, kOperands, F>;
    case Type::F16x2:
        return runFloat<HalfPair, kOperands, F>;
    case Type::F32:
        return runFloat<float, kOperands, F>;
    case Type::F64:
        return runFloat<double, kOperands, F>;
    default:
        return nullptr;
    }
}

template <int kOperands, auto F> Handler decodeArithmetic(Instruction &at, Modifiers &words) {
    if (!isFloat(typeOf(at.words.back())))
        return nullptr;
    takeRounding(at, words);
    at.flush = words.take("ftz");
    at.saturate = words.take("sat");
    at.type = words.takeType();
    // Other roundings of a half would round twice.
    if (bytesOf(at.type) < 4 || at.type == Type::F16x2)
        if (at.rounding != FE_TONEAREST)
            return nullptr;
    return forFloat<kOperands, F>(at.type);
}

template <auto F, auto FNaN> Handler decodeExtremum(Instruction &at, Modifiers &words) {
    if (!isFloat(typeOf(at.words.back())))
        return nullptr;
    at.rounding = FE_TONEAREST;
    at.flush = words.take("ftz");
    bool isNaN = words.take("NaN");
    at.type = words.takeType();
    if (isNaN && at.type == Type::F64)
        return nullptr; // PTX has none
    return isNaN ? forFloat<2, FNaN>(at.type) : forFloat<2, F>(at.type);
}

// div, rcp, sqrt: with a rounding, or approximate.
template <int kOperands, auto F> Handler decodeQuotient(Instruction &at, Modifiers &words) {
    Type type = typeOf(at.words.back());
    if (type != Type::F32 && type != Type::F64)
        return nullptr;
    bool isRounded = takeRounding(at, words);
    bool isApproximate = words.take("approx") || words.take("full");
    if (isRounded == isApproximate)
        return nullptr;
    at.flush = words.take("ftz");
    words.takeType();
    if (type == Type::F64 && isApproximate)
        return nullptr; // of 20 bits: nobody's result
    return forFloat<kOperands, F>(type);
}

// rsqrt, sin, cos, lg2, ex2, tanh: .approx.f32.
template <auto F> Handler decodeApproximation(Instruction &at, Modifiers &words) {
    at.rounding = FE_TONEAREST;
    if (!words.take("approx"))
        return nullptr;
    at.flush = words.take("ftz");
    return words.takeType() == Type::F32 ? runFloat<float, 1, F> : nullptr;
}

//===-- Signs and classes: on bits, NaNs included

template <class T> constexpr T kSign = T(1) << (8 * sizeof(T) - 1);
constexpr auto clearSign = []<class T>(T bits) { return T(bits & ~kSign<T>); };
constexpr auto flipSign = []<class T>(T bits) { return T(bits ^ kSign<T>); };
constexpr auto clearSigns = [](uint32_t bits) { return bits & 0x7FFF7FFFu; };
constexpr auto flipSigns = [](uint32_t bits) { return bits ^ 0x80008000u; };
constexpr auto copySign = []<class T>(T a, T b) { return T((b & ~kSign<T>) | (a & kSign<T>)); };

template <auto F, auto FPair> Handler decodeSign(Instruction &at, Modifiers &words) {
    if (words.take("ftz"))
        return nullptr;
    switch (words.takeType()) {
    case Type::F16:
        return runUnary<uint16_t, F>;
    case Type::F16x2:
        return runUnary<uint32_t, FPair>;
    case Type::F32:
        return runUnary<uint32_t, F>;
    case Type::F64:
        return runUnary<uint64_t, F>;
    default:
        return nullptr;
    }
}
Handler decodeCopySign(Instruction &, Modifiers &words) {
    Type type = words.takeType();
    return type == Type::F32   ? runBinary<uint32_t, copySign>
           : type == Type::F64 ? runBinary<uint64_t, copySign>
                               : nullptr;
}

template <class T> void runTest(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]);
    forEach(lanes, [&](int lane) {
        int kind = std::fpclassify(get<T>(a, lane));
        bool results[] = {kind != FP_INFINITE && kind != FP_NAN,
                          kind == FP_INFINITE,
                          kind != FP_NAN,
                          kind == FP_NAN,
                          kind == FP_NORMAL,
                          kind == FP_SUBNORMAL};
        put(to, lane, results[at.extra]);
    });
}
Handler decodeTest(Instruction &at, Modifiers &words) {
    static constexpr std::string_view kinds[] = {"finite",     "infinite", "number",
                                                 "notanumber", "normal",   "subnormal"};
    int kind = words.takeOneOf(kinds);
    if (kind < 0)
        return nullptr;
    at.extra = kind;
    Type type = words.takeType();
    return type == Type::F32 ? runTest<float> : type == Type::F64 ? runTest<double> : nullptr;
}

constexpr Opcode table[] = {
    {"add", decodeArithmetic<2, add>, 3, 3},
    {"sub", decodeArithmetic<2, subtract>, 3, 3},
    {"mul", decodeArithmetic<2, multiply>, 3, 3},
    {"fma", decodeArithmetic<3, fused>, 4, 4},
    {"mad", decodeArithmetic<3, fused>, 4, 4},
    {"div", decodeQuotient<2, divide>, 3, 3},
    {"rcp", decodeQuotient<1, reciprocal>, 2, 2},
    {"sqrt", decodeQuotient<1, root>, 2, 2},
    {"rsqrt", decodeApproximation<reciprocalRoot>, 2, 2},
    {"sin", decodeApproximation<sine>, 2, 2},
    {"cos", decodeApproximation<cosine>, 2, 2},
    {"lg2", decodeApproximation<logarithm>, 2, 2},
    {"ex2", decodeApproximation<exponential>, 2, 2},
    {"tanh", decodeApproximation<tangent>, 2, 2},
    {"min", decodeExtremum<least, leastOrNaN>, 3, 3},
    {"max", decodeExtremum<greatest, greatestOrNaN>, 3, 3},
    {"abs", decodeSign<clearSign, clearSigns>, 2, 2},
    {"neg", decodeSign<flipSign, flipSigns>, 2, 2},
    {"copysign", decodeCopySign, 3, 3},
    {"testp", decodeTest, 2, 2},
};

} // namespace

const std::span<const Opcode> floatOpcodes = table;

} // namespace driver
