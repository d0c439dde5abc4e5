// Instructions of several lanes (PTX ISA 9.7.9.6, 9.7.13): all lanes of the mask run them together.
#include "opcodes.h"

namespace driver {
namespace {

// The lanes of an instruction once those of its mask are there; 0 while they are not. What is read
// is read of all lanes before anything is written.
Lanes gathered(Warp &warp, const Operand &mask, Lanes lanes) {
    Lanes members = get<uint32_t>(warp.in(mask), std::countr_zero(lanes)) & warp.exists;
    if (!warp.converge(lanes, members))
        return 0;
    forEach(lanes, [&](int lane) { warp.pc[lane] = warp.current + 1; });
    return lanes;
}

// shfl.sync.mode.b32 d{|p}, a, b, c, mask (the manual's pseudocode).
template <int kMode> void runShuffle(Warp &warp, const Instruction &at, Lanes lanes) {
    bool hasPredicate = at.extra;
    size_t k = 1 + hasPredicate;
    lanes = gathered(warp, at.operands[k + 3], lanes);
    if (!lanes)
        return;
    uint64_t *to = warp.out(at.operands[0]),
             *valid = hasPredicate ? warp.out(at.operands[1]) : nullptr;
    uint64_t values[kLanes];
    const uint64_t *a = warp.in(at.operands[k]), *b = warp.in(at.operands[k + 1]),
                   *c = warp.in(at.operands[k + 2]);
    std::copy(a, a + kLanes, values);
    uint32_t results[kLanes], inRange = 0;
    forEach(lanes, [&](int lane) {
        int delta = get<uint32_t>(b, lane) & 31, clamp = get<uint32_t>(c, lane) & 31,
            segment = get<uint32_t>(c, lane) >> 8 & 31;
        int most = (lane & segment) | (clamp & ~segment), least = lane & segment;
        int from = kMode == 0   ? lane - delta
                   : kMode == 1 ? lane + delta
                   : kMode == 2 ? lane ^ delta
                                : least | (delta & ~segment);
        bool ok = kMode == 0 ? from >= most : from <= most;
        if (!ok)
            from = lane;
        if (!(lanes >> from & 1))
            throw Fault(CUDA_ERROR_LAUNCH_FAILED, "takes the value of lane " +
                                                      std::to_string(from) +
                                                      ", which does not run this");
        results[lane] = get<uint32_t>(values, from);
        inRange |= uint32_t(ok) << lane;
    });
    forEach(lanes, [&](int lane) {
        put(to, lane, results[lane]);
        if (valid)
            put(valid, lane, bool(inRange >> lane & 1));
    });
}
Handler decodeShuffle(Instruction &at, Modifiers &words) {
    static constexpr std::string_view modes[] = {"up", "down", "bfly", "idx"};
    at.isControl = true;
    int mode = words.takeOneOf(modes);
    at.extra = at.operands.size() == 6;
    if (!words.take("sync") || words.takeType() != Type::B32 || at.operands.size() < 5)
        return nullptr;
    constexpr Handler handlers[] = {runShuffle<0>, runShuffle<1>, runShuffle<2>, runShuffle<3>};
    return mode < 0 ? nullptr : handlers[mode];
}

Lanes votes(Warp &warp, const Operand &predicate, Lanes lanes) {
    Lanes set = 0;
    const uint64_t *values = warp.in(predicate);
    forEach(lanes,
            [&](int lane) { set |= Lanes(get<bool>(values, lane) != predicate.negated) << lane; });
    return set;
}
void runVote(Warp &warp, const Instruction &at, Lanes lanes) {
    lanes = gathered(warp, at.operands[2], lanes);
    if (!lanes)
        return;
    Lanes set = votes(warp, at.operands[1], lanes);
    uint32_t results[] = {set == lanes, set != 0, set == lanes || set == 0, set};
    uint64_t *to = warp.out(at.operands[0]);
    forEach(lanes, [&](int lane) { put(to, lane, results[at.extra]); });
}
Handler decodeVote(Instruction &at, Modifiers &words) {
    static constexpr std::string_view kinds[] = {"all", "any", "uni", "ballot"};
    at.isControl = true;
    int kind = words.takeOneOf(kinds);
    at.extra = kind;
    Type type = words.takeType();
    return words.take("sync") && kind >= 0 && type == (kind == 3 ? Type::B32 : Type::Pred)
               ? runVote
               : nullptr;
}

// match.any d, a, mask: the lanes with the same value; match.all d{|p}: all lanes or none.
template <class T> void runMatch(Warp &warp, const Instruction &at, Lanes lanes) {
    bool all = at.has("all"), hasPredicate = at.operands.size() == 4;
    lanes = gathered(warp, at.operands.back(), lanes);
    if (!lanes)
        return;
    const uint64_t *a = warp.in(at.operands[1 + hasPredicate]);
    Lanes same[kLanes];
    forEach(lanes, [&](int lane) {
        same[lane] = 0;
        forEach(lanes, [&](int other) {
            same[lane] |= Lanes(get<T>(a, lane) == get<T>(a, other)) << other;
        });
    });
    uint64_t *to = warp.out(at.operands[0]),
             *valid = hasPredicate ? warp.out(at.operands[1]) : nullptr;
    forEach(lanes, [&](int lane) {
        put(to, lane, all && same[lane] != lanes ? Lanes(0) : same[lane]);
        if (valid)
            put(valid, lane, same[lane] == lanes);
    });
}
Handler decodeMatch(Instruction &at, Modifiers &words) {
    at.isControl = true;
    if (words.take("any") == words.take("all") || !words.take("sync"))
        return nullptr;
    Type type = words.takeType();
    return type == Type::B32   ? runMatch<uint32_t>
           : type == Type::B64 ? runMatch<uint64_t>
                               : nullptr;
}

void runActive(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    forEach(lanes, [&](int lane) { put(to, lane, uint32_t(lanes)); });
}
Handler decodeActive(Instruction &, Modifiers &words) {
    return words.takeType() == Type::B32 ? runActive : nullptr;
}

template <class T> void runReduce(Warp &warp, const Instruction &at, Lanes lanes) {
    lanes = gathered(warp, at.operands[2], lanes);
    if (!lanes)
        return;
    const uint64_t *a = warp.in(at.operands[1]);
    T result = get<T>(a, std::countr_zero(lanes));
    forEach(lanes & (lanes - 1), [&](int lane) {
        T value = get<T>(a, lane);
        switch (at.extra) {
        case 0:
            result = T(uint32_t(result) + uint32_t(value));
            break;
        case 1:
            result = std::min(result, value);
            break;
        case 2:
            result = std::max(result, value);
            break;
        case 3:
            result &= value;
            break;
        case 4:
            result |= value;
            break;
        default:
            result ^= value;
        }
    });
    uint64_t *to = warp.out(at.operands[0]);
    forEach(lanes, [&](int lane) { put(to, lane, result); });
}
Handler decodeReduce(Instruction &at, Modifiers &words) {
    static constexpr std::string_view names[] = {"add", "min", "max", "and", "or", "xor"};
    at.isControl = true;
    int operation = words.takeOneOf(names);
    at.extra = operation;
    if (!words.take("sync") || operation < 0)
        return nullptr;
    Type type = words.takeType();
    return type == Type::S32                        ? runReduce<int32_t>
           : type == Type::U32 || type == Type::B32 ? runReduce<uint32_t>
                                                    : nullptr;
}

constexpr Opcode table[] = {{"shfl", decodeShuffle, 5, 6},
                            {"vote", decodeVote, 3, 3},
                            {"match", decodeMatch, 3, 4},
                            {"activemask", decodeActive, 1, 1},
                            {"redux", decodeReduce, 3, 3}};

} // namespace

const std::span<const Opcode> warpOpcodes = table;

} // namespace driver
