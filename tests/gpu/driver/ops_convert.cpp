// Conversions (PTX ISA 9.7.9.21: cvt) and of addresses (cvta, isspacep).
#include "opcodes.h"

#include <cmath>
#include <limits>

namespace driver {
namespace {

using Half = _Float16;
enum Rounding : uint32_t { kNone, kToInteger = 1 }; // at.extra: .rni and its kin

// A float as an integer: clamped; a NaN is 0, or the highest bit alone where one side has 64 bits.
template <class To, class From> To integerOf(From value) {
    constexpr bool wide = sizeof(To) == 8 || sizeof(From) == 8;
    if (value != value)
        return wide ? To(std::make_unsigned_t<To>(1) << (8 * sizeof(To) - 1)) : To(0);
    double rounded = std::nearbyint(double(value)); // in the rounding mode of the instruction
    if (rounded >= std::ldexp(1.0, 8 * sizeof(To) - std::is_signed_v<To>))
        return std::numeric_limits<To>::max();
    if (rounded <= double(std::numeric_limits<To>::min()))
        return std::numeric_limits<To>::min();
    return To(rounded);
}

template <class T> T saturated(T value) {
    return !(value == value) ? T(0) : value < T(0) ? T(0) : value > T(1) ? T(1) : value;
}
template <class T> T flushed(T value) {
    if constexpr (std::is_same_v<T, float>)
        if (std::fpclassify(value) == FP_SUBNORMAL)
            return std::copysign(0.0f, value);
    return value;
}

template <class To, class From> To converted(From value, const Instruction &at) {
    constexpr bool fromInteger = std::is_integral_v<From>, toInteger = std::is_integral_v<To>;
    if constexpr (fromInteger && toInteger) {
        if (!at.saturate)
            return To(value);
        using Wide = __int128;
        return To(std::clamp<Wide>(value, std::numeric_limits<To>::min(),
                                   std::numeric_limits<To>::max()));
    } else if constexpr (toInteger) {
        return integerOf<To>(at.flush ? flushed(value) : value);
    } else {
        if constexpr (!fromInteger)
            if (at.flush)
                value = flushed(value);
        To result;
        if constexpr (fromInteger)
            result = To(value);
        else if (value != value)
            result = sizeof(To) == sizeof(From) || sizeof(To) == 8 ? To(value)
                     : sizeof(To) == 4 ? To(std::bit_cast<float>(0x7FFFFFFFu))
                                       : To(std::bit_cast<Half>(uint16_t(0x7FFF)));
        else if (at.extra == kToInteger)
            result = To(std::nearbyint(double(value)));
        else
            result = To(value);
        if (at.flush)
            result = flushed(result);
        return at.saturate ? saturated(result) : result;
    }
}

template <class To, class From> void runConvert(Warp &warp, const Instruction &at, Lanes lanes) {
    int before = std::fegetround();
    if (at.rounding != before)
        std::fesetround(at.rounding);
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *from = warp.in(at.operands[1]);
    forEach(lanes, [&](int lane) { put(to, lane, converted<To>(get<From>(from, lane), at)); });
    if (at.rounding != before)
        std::fesetround(before);
}

template <class Make> Handler forConverted(Type type, Make make) {
    switch (type) {
    case Type::U8:
    case Type::B8:
        return make.template operator()<uint8_t>();
    case Type::S8:
        return make.template operator()<int8_t>();
    case Type::F16:
        return make.template operator()<Half>();
    case Type::F32:
        return make.template operator()<float>();
    case Type::F64:
        return make.template operator()<double>();
    default:
        return forInteger(type, make);
    }
}

// cvt.rn.f16x2.f32 d, a, b: a above b.
void runPackHalves(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *high = warp.in(at.operands[1]), *low = warp.in(at.operands[2]);
    auto half = [&](float value) {
        return uint32_t(std::bit_cast<uint16_t>(converted<Half>(value, at)));
    };
    forEach(lanes, [&](int lane) {
        put(to, lane, half(get<float>(high, lane)) << 16 | half(get<float>(low, lane)));
    });
}

Handler decodeConvert(Instruction &at, Modifiers &words) {
    static constexpr std::string_view floats[] = {"rn", "rz", "rm", "rp"},
                                      integers[] = {"rni", "rzi", "rmi", "rpi"};
    static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    int rounding = words.takeOneOf(floats), toInteger = words.takeOneOf(integers);
    at.rounding = modes[std::max({rounding, toInteger, 0})];
    at.extra = toInteger >= 0 ? kToInteger : kNone;
    at.flush = words.take("ftz");
    at.saturate = words.take("sat");
    at.type = words.takeType();
    at.from = words.takeType();
    bool fromFloat = isFloat(at.from), toFloat = isFloat(at.type);
    if (at.type == Type::F16x2)
        return rounding == 0 && at.from == Type::F32 ? runPackHalves : nullptr;
    // PTX asks for a rounding exactly where there is something to round.
    bool mustRound = fromFloat != toFloat || (toFloat && bytesOf(at.type) < bytesOf(at.from));
    bool mayRound = mustRound || (fromFloat && at.type == at.from && toInteger >= 0);
    if (mustRound != (rounding >= 0 || toInteger >= 0) && !mayRound)
        return nullptr;
    if (mustRound && rounding < 0 && toInteger < 0)
        return nullptr;
    if (at.type == Type::F16 && rounding > 0)
        return nullptr;
    return forConverted(at.type, [&]<class To>() -> Handler {
        return forConverted(at.from, []<class From>() -> Handler { return runConvert<To, From>; });
    });
}

//===-- Addresses: global ones are generic, others have a window

uint64_t windowOf(Modifiers &words) {
    if (words.take("shared"))
        return words.take("::cta"), kSharedWindow;
    if (words.take("local"))
        return kLocalWindow;
    if (words.take("global") || words.take("const") || words.take("param"))
        return 0;
    return 1;
}

template <bool kToSpace> void runAddress(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *from = warp.in(at.operands[1]);
    uint64_t window = uint64_t(at.extra) << 56;
    forEach(lanes,
            [&](int lane) { put(to, lane, kToSpace ? from[lane] - window : from[lane] + window); });
}
Handler decodeAddress(Instruction &at, Modifiers &words) {
    bool toSpace = words.take("to");
    uint64_t window = windowOf(words);
    if (window == 1 || words.takeType() != Type::U64)
        return nullptr;
    at.extra = window >> 56;
    return toSpace ? runAddress<true> : runAddress<false>;
}

void runIsSpace(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *from = warp.in(at.operands[1]);
    forEach(lanes, [&](int lane) { put(to, lane, (from[lane] >> 56) == at.extra); });
}
Handler decodeIsSpace(Instruction &at, Modifiers &words) {
    uint64_t window = windowOf(words);
    at.extra = window >> 56;
    return window == 1 ? nullptr : runIsSpace;
}

constexpr Opcode table[] = {
    {"cvt", decodeConvert, 2, 3}, {"cvta", decodeAddress, 2, 2}, {"isspacep", decodeIsSpace, 2, 2}};

} // namespace

const std::span<const Opcode> convertOpcodes = table;

} // namespace driver
