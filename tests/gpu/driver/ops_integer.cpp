// Integer arithmetic, logic, shifts and bits (PTX ISA 9.7.1, 9.7.8).
#include "opcodes.h"

#include <limits>

namespace driver {
namespace {

template <class T> using Unsigned = std::make_unsigned_t<T>;
template <class T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

constexpr auto add = []<class T>(T a, T b) { return T(Unsigned<T>(a) + Unsigned<T>(b)); };
constexpr auto subtract = []<class T>(T a, T b) { return T(Unsigned<T>(a) - Unsigned<T>(b)); };
constexpr auto low = []<class T>(T a, T b) { return T(Wide<T>(a) * Wide<T>(b)); };
constexpr auto high = []<class T>(T a, T b) {
    return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
};
constexpr auto wide = []<class T>(T a, T b) { return Wide<T>(Wide<T>(a) * Wide<T>(b)); };
constexpr auto lowSum = []<class T>(T a, T b, T c) {
    return T(Unsigned<T>(low(a, b)) + Unsigned<T>(c));
};
constexpr auto highSum = []<class T>(T a, T b, T c) {
    return T(Unsigned<T>(high(a, b)) + Unsigned<T>(c));
};
constexpr auto wideSum = []<class T>(T a, T b, Wide<T> c) {
    return Wide<T>(Unsigned<Wide<T>>(wide(a, b)) + Unsigned<Wide<T>>(c));
};
constexpr auto saturatedAdd = [](int32_t a, int32_t b) {
    return int32_t(std::clamp<int64_t>(int64_t(a) + b, INT32_MIN, INT32_MAX));
};
constexpr auto saturatedSubtract = [](int32_t a, int32_t b) {
    return int32_t(std::clamp<int64_t>(int64_t(a) - b, INT32_MIN, INT32_MAX));
};
// A division by zero gives what the manual calls unspecified: all bits, as devices do.
constexpr auto quotient = []<class T>(T a, T b) {
    if (b == 0)
        return T(-1);
    return std::is_signed_v<T> && b == T(-1) ? T(0 - Unsigned<T>(a)) : T(a / b);
};
constexpr auto remainder = []<class T>(T a, T b) {
    if (b == 0)
        return a;
    return std::is_signed_v<T> && b == T(-1) ? T(0) : T(a % b);
};
constexpr auto least = []<class T>(T a, T b) { return b < a ? b : a; };
constexpr auto greatest = []<class T>(T a, T b) { return a < b ? b : a; };
constexpr auto absolute = []<class T>(T a) { return a < 0 ? T(0 - Unsigned<T>(a)) : a; };
constexpr auto negative = []<class T>(T a) { return T(0 - Unsigned<T>(a)); };

Handler decodeAdd(Instruction &at, Modifiers &words) {
    bool adds = at.words[0] == "add";
    Type type = typeOf(at.words.back());
    if (isFloat(type) || words.take("cc"))
        return nullptr;
    words.takeType();
    if (words.take("sat"))
        return type != Type::S32 ? nullptr
               : adds            ? runBinary<int32_t, saturatedAdd>
                                 : runBinary<int32_t, saturatedSubtract>;
    return forInteger(type, [&]<class T>() -> Handler {
        return adds ? runBinary<T, add> : runBinary<T, subtract>;
    });
}

// add.cc, addc, sub.cc, subc: the carry is a register of each lane, which nothing else reads.
template <class T, bool kSubtracts> void runCarry(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]), *b = warp.in(at.operands[2]);
    bool takes = at.words[0] == "addc" || at.words[0] == "subc", gives = at.has("cc");
    forEach(lanes, [&](int lane) {
        unsigned __int128 x = get<T>(a, lane), y = get<T>(b, lane),
                          carry = takes && (warp.carry >> lane & 1);
        unsigned __int128 result = kSubtracts ? x - y - carry : x + y + carry;
        if (gives)
            warp.carry = (warp.carry & ~(Lanes(1) << lane)) | Lanes(result >> (8 * sizeof(T)) & 1)
                                                                  << lane;
        put(to, lane, T(result));
    });
}

Handler decodeCarry(Instruction &at, Modifiers &words) {
    bool adds = at.words[0].starts_with("add");
    words.take("cc");
    switch (words.takeType()) {
    case Type::U32:
    case Type::S32:
    case Type::B32:
        return adds ? runCarry<uint32_t, false> : runCarry<uint32_t, true>;
    case Type::U64:
    case Type::S64:
    case Type::B64:
        return adds ? runCarry<uint64_t, false> : runCarry<uint64_t, true>;
    default:
        return nullptr;
    }
}

Handler decodeMultiply(Instruction &at, Modifiers &words) {
    static constexpr std::string_view parts[] = {"lo", "hi", "wide"};
    int part = words.takeOneOf(parts);
    if (part < 0)
        return nullptr;
    bool adds = at.words[0] == "mad";
    return forInteger(words.takeType(), [&]<class T>() -> Handler {
        if (part == 0)
            return adds ? runTernary<T, T, lowSum> : runBinary<T, low>;
        if (part == 1)
            return adds ? runTernary<T, T, highSum> : runBinary<T, high>;
        if constexpr (sizeof(T) < 8)
            return adds ? runTernary<T, Wide<T>, wideSum> : runBinary<T, wide>;
        return nullptr;
    });
}

template <auto F> Handler decodeBinary(Instruction &at, Modifiers &words) {
    if (isFloat(typeOf(at.words.back())))
        return nullptr;
    return forInteger(words.takeType(), []<class T>() -> Handler { return runBinary<T, F>; });
}
template <auto F> Handler decodeUnary(Instruction &at, Modifiers &words) {
    if (isFloat(typeOf(at.words.back())))
        return nullptr;
    return forInteger(words.takeType(), []<class T>() -> Handler { return runUnary<T, F>; });
}

//===-- Bits

constexpr auto conjunction = []<class T>(T a, T b) { return T(a & b); };
constexpr auto disjunction = []<class T>(T a, T b) { return T(a | b); };
constexpr auto exclusive = []<class T>(T a, T b) { return T(a ^ b); };
constexpr auto complement = []<class T>(T a) {
    if constexpr (std::is_same_v<T, bool>)
        return !a;
    else
        return T(~a);
};

template <auto F> Handler decodeLogic(Instruction &at, Modifiers &words) {
    if (words.take("pred"))
        return runBinary<bool, F>;
    return decodeBinary<F>(at, words);
}
Handler decodeNot(Instruction &at, Modifiers &words) {
    if (words.take("pred"))
        return runUnary<bool, complement>;
    return decodeUnary<complement>(at, words);
}

// Counts are of 32 bits, and too large ones shift everything out.
template <class T> T shiftedLeft(T a, uint32_t count) {
    return count >= 8 * sizeof(T) ? T(0) : T(a << count);
}
template <class T> T shiftedRight(T a, uint32_t count) {
    constexpr uint32_t bits = 8 * sizeof(T);
    if (count < bits)
        return T(a >> count);
    return std::is_signed_v<T> && a < 0 ? T(-1) : T(0);
}
template <class T, auto F> void runShift(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]), *b = warp.in(at.operands[2]);
    forEach(lanes, [&](int lane) { put(to, lane, F(get<T>(a, lane), get<uint32_t>(b, lane))); });
}
Handler decodeShift(Instruction &at, Modifiers &words) {
    bool isLeft = at.words[0] == "shl";
    return forInteger(words.takeType(), [&]<class T>() -> Handler {
        return isLeft ? runShift<T, shiftedLeft<T>> : runShift<T, shiftedRight<T>>;
    });
}

template <bool kLeft, bool kWrap> uint32_t funnel(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t count = kWrap ? c & 31 : std::min(c, 32u);
    uint64_t both = uint64_t(b) << 32 | a;
    return kLeft ? uint32_t((both << count) >> 32) : uint32_t(both >> count);
}
Handler decodeFunnel(Instruction &, Modifiers &words) {
    bool isLeft = words.take("l"), isRight = words.take("r"), wraps = words.take("wrap"),
         clamps = words.take("clamp");
    if (isLeft == isRight || wraps == clamps || words.takeType() != Type::B32)
        return nullptr;
    if (isLeft)
        return wraps ? runTernary<uint32_t, uint32_t, funnel<true, true>>
                     : runTernary<uint32_t, uint32_t, funnel<true, false>>;
    return wraps ? runTernary<uint32_t, uint32_t, funnel<false, true>>
                 : runTernary<uint32_t, uint32_t, funnel<false, false>>;
}

constexpr auto leadingZeros = []<class T>(T a) {
    return uint32_t(std::countl_zero(Unsigned<T>(a)));
};
constexpr auto population = []<class T>(T a) { return uint32_t(std::popcount(Unsigned<T>(a))); };
constexpr auto reversed = []<class T>(T a) {
    T result = 0;
    for (unsigned k = 0; k < 8 * sizeof(T); ++k)
        result = T(result << 1) | (a >> k & 1);
    return result;
};
template <bool kShift>
constexpr auto highestBit = []<class T>(T a) {
    Unsigned<T> bits = a < 0 ? ~a : a;
    if (!bits)
        return uint32_t(-1);
    uint32_t zeros = std::countl_zero(bits);
    return kShift ? zeros : uint32_t(8 * sizeof(T) - 1 - zeros);
};
Handler decodeHighestBit(Instruction &at, Modifiers &words) {
    return words.take("shiftamt") ? decodeUnary<highestBit<true>>(at, words)
                                  : decodeUnary<highestBit<false>>(at, words);
}

template <class T> void runExtract(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]), *b = warp.in(at.operands[2]),
                   *c = warp.in(at.operands[3]);
    constexpr uint32_t bits = 8 * sizeof(T);
    forEach(lanes, [&](int lane) {
        T value = get<T>(a, lane);
        uint32_t start = get<uint32_t>(b, lane) & 255, length = get<uint32_t>(c, lane) & 255;
        bool sign =
            std::is_signed_v<T> && length && (value >> std::min(start + length - 1, bits - 1) & 1);
        uint32_t valid =
            start >= bits ? 0 : std::min(length, bits - start); // the others are the sign
        Unsigned<T> mask = valid == bits ? ~Unsigned<T>(0) : (Unsigned<T>(1) << valid) - 1;
        Unsigned<T> kept = valid ? Unsigned<T>(value) >> start & mask : 0;
        put(to, lane, T(sign ? kept | ~mask : kept));
    });
}
Handler decodeExtract(Instruction &, Modifiers &words) {
    return forInteger(words.takeType(), []<class T>() -> Handler { return runExtract<T>; });
}

// bfi d, a, b, start, length: the low bits of a in b.
template <class T> void runInsert(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *in[4];
    for (int k = 0; k < 4; ++k)
        in[k] = warp.in(at.operands[k + 1]);
    constexpr uint32_t bits = 8 * sizeof(T);
    forEach(lanes, [&](int lane) {
        uint32_t start = get<uint32_t>(in[2], lane) & 255,
                 length = get<uint32_t>(in[3], lane) & 255;
        T mask = start >= bits ? T(0) : T((length >= bits ? ~T(0) : (T(1) << length) - 1) << start);
        T a = start >= bits ? T(0) : T(get<T>(in[0], lane) << start);
        put(to, lane, T((get<T>(in[1], lane) & ~mask) | (a & mask)));
    });
}
Handler decodeInsert(Instruction &, Modifiers &words) {
    Type type = words.takeType();
    return type == Type::B32   ? runInsert<uint32_t>
           : type == Type::B64 ? runInsert<uint64_t>
                               : nullptr;
}

void runLookup(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *in[4];
    for (int k = 0; k < 4; ++k)
        in[k] = warp.in(at.operands[k + 1]);
    forEach(lanes, [&](int lane) {
        uint32_t a = in[0][lane], b = in[1][lane], c = in[2][lane], table = in[3][lane], result = 0;
        for (int k = 0; k < 8; ++k)
            if (table >> k & 1)
                result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
        put(to, lane, result);
    });
}
Handler decodeLookup(Instruction &, Modifiers &words) {
    return words.takeType() == Type::B32 ? runLookup : nullptr;
}

// prmt d, a, b, selector: each byte of d is one of the eight of b:a, or its sign.
uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector) {
    uint64_t both = uint64_t(b) << 32 | a;
    uint32_t result = 0;
    for (int k = 0; k < 4; ++k) {
        uint32_t choice = selector >> (4 * k) & 15;
        uint32_t byte = both >> (8 * (choice & 7)) & 255;
        if (choice & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * k);
    }
    return result;
}
Handler decodePermute(Instruction &, Modifiers &words) {
    return words.takeType() == Type::B32 ? runTernary<uint32_t, uint32_t, permuted> : nullptr;
}

constexpr Opcode table[] = {
    {"add", decodeAdd, 3, 3},
    {"sub", decodeAdd, 3, 3},
    {"add", decodeCarry, 3, 3},
    {"sub", decodeCarry, 3, 3},
    {"addc", decodeCarry, 3, 3},
    {"subc", decodeCarry, 3, 3},
    {"mul", decodeMultiply, 3, 3},
    {"mad", decodeMultiply, 4, 4},
    {"div", decodeBinary<quotient>, 3, 3},
    {"rem", decodeBinary<remainder>, 3, 3},
    {"min", decodeBinary<least>, 3, 3},
    {"max", decodeBinary<greatest>, 3, 3},
    {"abs", decodeUnary<absolute>, 2, 2},
    {"neg", decodeUnary<negative>, 2, 2},
    {"and", decodeLogic<conjunction>, 3, 3},
    {"or", decodeLogic<disjunction>, 3, 3},
    {"xor", decodeLogic<exclusive>, 3, 3},
    {"not", decodeNot, 2, 2},
    {"shl", decodeShift, 3, 3},
    {"shr", decodeShift, 3, 3},
    {"shf", decodeFunnel, 4, 4},
    {"clz", decodeUnary<leadingZeros>, 2, 2},
    {"popc", decodeUnary<population>, 2, 2},
    {"brev", decodeUnary<reversed>, 2, 2},
    {"bfind", decodeHighestBit, 2, 2},
    {"bfe", decodeExtract, 4, 4},
    {"bfi", decodeInsert, 5, 5},
    {"lop3", decodeLookup, 5, 5},
    {"prmt", decodePermute, 4, 4},
};

} // namespace

const std::span<const Opcode> integerOpcodes = table;

} // namespace driver
