// atom and red (PTX ISA 9.7.13): lane by lane, in order.
#include "access.h"
#include "opcodes.h"

#include <cmath>

namespace driver {
namespace {

enum Operation : uint32_t { Add, Min, Max, And, Or, Xor, Exchange, Increment, Decrement, Swap };

template <class T> T changed(uint32_t operation, T old, T b, T c) {
    switch (operation) {
    case Add:
        return T(old + b);
    case Min:
        return b < old ? b : old;
    case Max:
        return old < b ? b : old;
    case Exchange:
        return b;
    case Swap:
        return old == b ? c : old;
    default:
        break;
    }
    if constexpr (std::is_integral_v<T>) {
        switch (operation) {
        case And:
            return T(old & b);
        case Or:
            return T(old | b);
        case Xor:
            return T(old ^ b);
        case Increment:
            return old >= b ? T(0) : T(old + 1);
        case Decrement:
            return old == 0 || old > b ? b : T(old - 1);
        default:
            break;
        }
    }
    return old;
}

template <class T> void runAtomic(Warp &warp, const Instruction &at, Lanes lanes) {
    bool returns = at.words[0] == "atom";
    const Operand &address = at.operands[returns];
    const uint64_t *b = warp.in(at.operands[returns + 1]);
    const uint64_t *c = at.extra == Swap ? warp.in(at.operands[returns + 2]) : b;
    uint64_t *to = returns ? warp.out(at.operands[0]) : warp.scratch;
    uint64_t addresses[kLanes];
    forEach(lanes, [&](int lane) { addresses[lane] = addressOf(warp, address, lane); });
    Space space = Space::Global;
    forEach(lanes, [&](int lane) {
        Place place = checkedPlace(warp, at, lane, addresses[lane], sizeof(T), AccessKind::Atomic);
        space = place.space;
        T old;
        std::memcpy(&old, place.bytes, sizeof old);
        T now = changed(at.extra, old, get<T>(b, lane), get<T>(c, lane));
        std::memcpy(place.bytes, &now, sizeof now);
        put(to, lane, old);
    });
    countTraffic(warp, space, addresses, lanes, sizeof(T), true);
}

Handler decodeAtomic(Instruction &at, Modifiers &words) {
    static constexpr std::string_view names[] = {"add", "min",  "max", "and", "or",
                                                 "xor", "exch", "inc", "dec", "cas"};
    for (std::string_view word :
         {"relaxed", "acquire", "release", "acq_rel", "cta", "gpu", "sys", "noftz"})
        words.take(word);
    at.space = words.take("global")   ? Space::Global
               : words.take("shared") ? Space::Shared
                                      : Space::Generic;
    int operation = words.takeOneOf(names);
    if (operation < 0)
        return nullptr;
    at.extra = operation;
    // d, [a], b and, for cas, c; red has no d.
    size_t address = at.words[0] == "atom";
    if (at.operands.size() != address + (operation == Swap ? 3 : 2) ||
        at.operands[address].kind != Operand::Address)
        return nullptr;
    for (size_t k = 0; k < at.operands.size(); ++k)
        if (k > address && at.operands[k].kind != Operand::Register &&
            at.operands[k].kind != Operand::Constant)
            return nullptr;
    at.type = words.takeType();
    bool isFloat = driver::isFloat(at.type);
    if (isFloat && operation != Add && operation != Exchange)
        return nullptr;
    if ((operation == Increment || operation == Decrement) && at.type != Type::U32)
        return nullptr;
    switch (at.type) {
    case Type::F16:
        return runAtomic<_Float16>;
    case Type::F32:
        return runAtomic<float>;
    case Type::F64:
        return runAtomic<double>;
    default:
        return forInteger(at.type, []<class T>() -> Handler { return runAtomic<T>; });
    }
}

constexpr Opcode table[] = {{"atom", decodeAtomic, 3, 4}, {"red", decodeAtomic, 2, 3}};

} // namespace

const std::span<const Opcode> atomicOpcodes = table;

} // namespace driver
