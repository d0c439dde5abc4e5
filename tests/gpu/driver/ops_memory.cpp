// Loads and stores (PTX ISA 9.7.9.8 to 9.7.9.12); hints to caches change nothing.
#include "access.h"
#include "opcodes.h"

namespace driver {
namespace {

// What a vector access moves at once, and where it goes. at.from is the type of an element.
uint8_t *parameterPlace(Warp &warp, const Operand &address, int lane, uint64_t size) {
    uint64_t offset = address.offset;
    if (address.base == Operand::InRegister) // what `mov` of a kernel's parameter has left there
        offset = addressOf(warp, address, lane);
    if (address.base != Operand::ThreadParameters) {
        const auto &bytes = warp.launch.parameters;
        if (offset + size > bytes.size())
            throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, "reads beyond the kernel's parameters");
        return const_cast<uint8_t *>(bytes.data()) + offset;
    }
    if (offset + size > warp.module.paramBytes)
        throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, "uses memory beyond the parameters of a call");
    return &warp.parameters[lane * warp.module.paramBytes + offset];
}

template <class T>
void loadElements(Warp &warp, const Instruction &at, int lane, const uint8_t *from) {
    const Operand &to = at.operands[0];
    for (int k = 0; k < at.count; ++k) {
        T value;
        std::memcpy(&value, from + k * sizeof(T), sizeof(T));
        put(warp.out(to.kind == Operand::Vector ? to.elements[k] : to), lane, value);
    }
}

Space spaceOf(const Instruction &at, uint64_t address) {
    if (at.space != Space::Generic)
        return at.space == Space::Const ? Space::Global : at.space;
    return address >> 56 == 1 ? Space::Shared : address >> 56 == 2 ? Space::Local : Space::Global;
}

template <class T> void runLoad(Warp &warp, const Instruction &at, Lanes lanes) {
    const Operand &source = at.operands[1];
    uint64_t size = sizeof(T) * at.count;
    if (at.space == Space::Param) {
        forEach(lanes, [&](int lane) {
            loadElements<T>(warp, at, lane, parameterPlace(warp, source, lane, size));
        });
        return;
    }
    uint64_t addresses[kLanes];
    forEach(lanes, [&](int lane) { addresses[lane] = addressOf(warp, source, lane); });
    AccessKind kind = at.ordered ? AccessKind::Atomic : AccessKind::Read;
    forEach(lanes, [&](int lane) {
        loadElements<T>(warp, at, lane,
                        checkedPlace(warp, at, lane, addresses[lane], size, kind).bytes);
    });
    countTraffic(warp, spaceOf(at, addresses[std::countr_zero(lanes)]), addresses, lanes, size,
                 false);
}

template <class T> void runStore(Warp &warp, const Instruction &at, Lanes lanes) {
    const Operand &target = at.operands[0], &value = at.operands[1];
    uint64_t size = sizeof(T) * at.count;
    uint64_t addresses[kLanes];
    forEach(lanes, [&](int lane) {
        uint8_t bytes[32];
        for (int k = 0; k < at.count; ++k)
            std::memcpy(bytes + k * sizeof(T),
                        &warp.in(value.kind == Operand::Vector ? value.elements[k] : value)[lane],
                        sizeof(T));
        addresses[lane] = addressOf(warp, target, lane);
        AccessKind kind = at.ordered ? AccessKind::Atomic : AccessKind::Write;
        uint8_t *to = at.space == Space::Param
                          ? parameterPlace(warp, target, lane, size)
                          : checkedPlace(warp, at, lane, addresses[lane], size, kind, bytes).bytes;
        std::memcpy(to, bytes, size);
    });
    if (at.space != Space::Param)
        countTraffic(warp, spaceOf(at, addresses[std::countr_zero(lanes)]), addresses, lanes, size,
                     true);
}

void takeSpace(Instruction &at, Modifiers &words) {
    static constexpr std::string_view names[] = {"global", "shared", "local",
                                                 "param",  "const",  "shared::cta"};
    static constexpr Space spaces[] = {Space::Global, Space::Shared, Space::Local,
                                       Space::Param,  Space::Const,  Space::Shared};
    int found = words.takeOneOf(names);
    if (found >= 0)
        at.space = spaces[found];
}

void takeHints(Instruction &at, Modifiers &words) {
    for (std::string_view word :
         {"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::no_allocate", "L1::evict_first",
          "L1::evict_last", "L2::64B", "L2::128B", "L2::256B", "weak"})
        words.take(word);
    for (std::string_view word : {"volatile", "relaxed", "acquire", "release"})
        at.ordered |= words.take(word);
    for (std::string_view word : {"cta", "gpu", "sys"})
        words.take(word);
}

template <bool kLoads> Handler decodeAccess(Instruction &at, Modifiers &words) {
    takeSpace(at, words);
    takeHints(at, words);
    at.count = words.take("v2") ? 2 : words.take("v4") ? 4 : words.take("v8") ? 8 : 1;
    at.type = words.takeType();
    const Operand &address = at.operands[kLoads ? 1 : 0];
    if (at.operands.size() != 2 || address.kind != Operand::Address ||
        bytesOf(at.type) * at.count > 32)
        return nullptr;
    bool isParameter =
        address.base == Operand::EntryParameters || address.base == Operand::ThreadParameters;
    const bool mayBeParameter = isParameter || (kLoads && address.base == Operand::InRegister);
    if (at.space == Space::Param ? !mayBeParameter : isParameter)
        return nullptr;
    const Operand &value = at.operands[kLoads ? 0 : 1];
    if ((value.kind == Operand::Vector ? value.elements.size() : 1) != at.count)
        return nullptr;
    auto isValue = [](const Operand &one) {
        return one.kind == Operand::Register ||
               one.kind == (kLoads ? Operand::Nothing : Operand::Constant);
    };
    if (value.kind == Operand::Vector ? !std::ranges::all_of(value.elements, isValue)
                                      : !isValue(value))
        return nullptr;
    // A load extends to the register, so the sign of its type matters; a store takes the low bytes.
    switch (at.type) {
    case Type::S8:
        return kLoads ? runLoad<int8_t> : runStore<uint8_t>;
    case Type::S16:
        return kLoads ? runLoad<int16_t> : runStore<uint16_t>;
    case Type::S32:
        return kLoads ? runLoad<int32_t> : runStore<uint32_t>;
    default:
        break;
    }
    switch (bytesOf(at.type)) {
    case 1:
        return at.type == Type::Pred ? nullptr : kLoads ? runLoad<uint8_t> : runStore<uint8_t>;
    case 2:
        return kLoads ? runLoad<uint16_t> : runStore<uint16_t>;
    case 4:
        return kLoads ? runLoad<uint32_t> : runStore<uint32_t>;
    case 8:
        return kLoads ? runLoad<uint64_t> : runStore<uint64_t>;
    default:
        return nullptr;
    }
}

// Fences and prefetches: accesses happen in the order of the program here.
Handler decodeNothing(Instruction &, Modifiers &words) {
    while (!words.empty())
        words.takeFirst();
    return [](Warp &, const Instruction &, Lanes) {};
}

constexpr Opcode table[] = {
    {"ld", decodeAccess<true>, 2, 2},   {"ldu", decodeAccess<true>, 2, 2},
    {"st", decodeAccess<false>, 2, 2},  {"prefetch", decodeNothing, 0, 3},
    {"prefetchu", decodeNothing, 0, 3}, {"membar", decodeNothing, 0, 3},
    {"fence", decodeNothing, 0, 3},     {"nanosleep", decodeNothing, 0, 3},
};

} // namespace

const std::span<const Opcode> memoryOpcodes = table;

} // namespace driver
