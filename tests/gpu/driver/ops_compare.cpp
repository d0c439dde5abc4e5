// Comparisons, selections and moves (PTX ISA 9.7.6, 9.7.9).
#include "opcodes.h"

#include <cmath>

namespace driver {
namespace {

enum Comparison : int {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    NotNum,
    Lo,
    Ls,
    Hi,
    Hs
};
constexpr std::string_view names[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge", "equ", "neu", "ltu",
                                      "leu", "gtu", "geu", "num", "nan", "lo", "ls",  "hi",  "hs"};

template <class T> bool compare(int how, T a, T b) {
    bool unordered = a != a || b != b;
    switch (how) {
    case Eq:
        return a == b;
    case Ne:
        return a != b && !unordered;
    case Lt:
    case Lo:
        return a < b;
    case Le:
    case Ls:
        return a <= b;
    case Gt:
    case Hi:
        return a > b;
    case Ge:
    case Hs:
        return a >= b;
    case Equ:
        return a == b || unordered;
    case Neu:
        return a != b || unordered;
    case Ltu:
        return a < b || unordered;
    case Leu:
        return a <= b || unordered;
    case Gtu:
        return a > b || unordered;
    case Geu:
        return a >= b || unordered;
    case Num:
        return !unordered;
    default:
        return unordered;
    }
}

// setp.cmp{.and|.or|.xor} p{|q}, a, b{, {!}c}; at.extra: the comparison, then the operator from bit
// 8 on, and whether there is a second result.
template <class T> void runSet(Warp &warp, const Instruction &at, Lanes lanes) {
    bool hasSecond = at.extra >> 16;
    int how = at.extra & 255, combine = at.extra >> 8 & 255;
    uint64_t *p = warp.out(at.operands[0]), *q = hasSecond ? warp.out(at.operands[1]) : nullptr;
    const uint64_t *a = warp.in(at.operands[1 + hasSecond]),
                   *b = warp.in(at.operands[2 + hasSecond]);
    const Operand *third = combine ? &at.operands[3 + hasSecond] : nullptr;
    const uint64_t *c = third ? warp.in(*third) : nullptr;
    forEach(lanes, [&](int lane) {
        bool result = compare(how, get<T>(a, lane), get<T>(b, lane)), inverse = !result;
        if (combine) {
            bool other = get<bool>(c, lane) != third->negated;
            auto combined = [&](bool x) {
                return combine == 1 ? x && other : combine == 2 ? x || other : x != other;
            };
            result = combined(result);
            inverse = combined(inverse);
        }
        put(p, lane, result);
        if (q)
            put(q, lane, inverse);
    });
}

Handler decodeSet(Instruction &at, Modifiers &words) {
    static constexpr std::string_view combinations[] = {"and", "or", "xor"};
    std::string_view first = words.first();
    auto found = std::find(std::begin(names), std::end(names), first);
    if (found == std::end(names))
        return nullptr;
    words.takeFirst();
    int how = found - std::begin(names), combine = words.takeOneOf(combinations) + 1;
    bool hasSecond = at.operands.size() == (combine ? 5u : 4u);
    at.extra = how | combine << 8 | hasSecond << 16;
    Type type = words.takeType();
    switch (type) {
    case Type::F16:
        return runSet<_Float16>;
    case Type::F32:
        return runSet<float>;
    case Type::F64:
        return runSet<double>;
    default:
        break;
    }
    if (how >= Equ && how < Lo)
        return nullptr; // of floats only
    return forInteger(type, []<class T>() -> Handler { return runSet<T>; });
}

template <class T> void runSelect(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]), *b = warp.in(at.operands[2]),
                   *p = warp.in(at.operands[3]);
    forEach(lanes, [&](int lane) { put(to, lane, get<T>(get<bool>(p, lane) ? a : b, lane)); });
}
Handler decodeSelect(Instruction &, Modifiers &words) {
    switch (bytesOf(words.takeType())) {
    case 2:
        return runSelect<uint16_t>;
    case 4:
        return runSelect<uint32_t>;
    case 8:
        return runSelect<uint64_t>;
    default:
        return nullptr;
    }
}

//===-- Moves

template <class T> void runMove(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]);
    bool negated = std::is_same_v<T, bool> && at.operands[1].negated;
    forEach(lanes, [&](int lane) { put(to, lane, T(get<T>(a, lane) ^ T(negated))); });
}

// mov.b64 %rd, {%r0, %r1}: at.count elements of at.extra bits.
void runPack(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    forEach(lanes, [&](int lane) {
        uint64_t result = 0;
        for (int k = at.count; k-- > 0;)
            result = result << at.extra |
                     (warp.in(at.operands[1].elements[k])[lane] & ((1ull << at.extra) - 1));
        put(to, lane, result);
    });
}
void runUnpack(Warp &warp, const Instruction &at, Lanes lanes) {
    const uint64_t *from = warp.in(at.operands[1]);
    uint64_t values[kLanes];
    std::copy(from, from + kLanes, values);
    for (int k = 0; k < at.count; ++k) {
        uint64_t *to = warp.out(at.operands[0].elements[k]);
        forEach(lanes, [&](int lane) {
            put(to, lane, values[lane] >> (k * at.extra) & ((1ull << at.extra) - 1));
        });
    }
}

Handler decodeMove(Instruction &at, Modifiers &words) {
    Type type = words.takeType();
    if (at.operands.size() != 2)
        return nullptr;
    for (int side = 0; side < 2; ++side) {
        if (at.operands[side].kind != Operand::Vector)
            continue;
        at.count = at.operands[side].elements.size();
        if (bytesOf(type) % at.count)
            return nullptr;
        at.extra = 8 * bytesOf(type) / at.count;
        return side ? runPack : runUnpack;
    }
    if (at.operands[1].kind != Operand::Register && at.operands[1].kind != Operand::Constant)
        return nullptr;
    if (type == Type::Pred)
        return runMove<bool>;
    switch (bytesOf(type)) {
    case 2:
        return runMove<uint16_t>;
    case 4:
        return runMove<uint32_t>;
    case 8:
        return runMove<uint64_t>;
    default:
        return nullptr;
    }
}

constexpr Opcode table[] = {
    {"setp", decodeSet, 3, 5}, {"selp", decodeSelect, 4, 4}, {"mov", decodeMove, 2, 2}};

} // namespace

const std::span<const Opcode> compareOpcodes = table;

} // namespace driver
