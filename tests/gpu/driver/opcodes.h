// Tables from an opcode to what runs it; a table a family of instructions.
#pragma once

#include "block.h"

#include <algorithm>
#include <cfenv>
#include <span>

namespace driver {

/// The words after the opcode. A decoder takes those it knows; one that is left is an error.
class Modifiers {
public:
    explicit Modifiers(const Instruction &at) : rest(at.words.begin() + 1, at.words.end()) {}

    bool take(std::string_view word) {
        auto found = std::find(rest.begin(), rest.end(), word);
        if (found == rest.end())
            return false;
        rest.erase(found);
        return true;
    }
    /// The first word that is a type.
    Type takeType() {
        for (auto word = rest.begin(); word != rest.end(); ++word)
            if (Type type = typeOf(*word); type != Type::None) {
                rest.erase(word);
                return type;
            }
        return Type::None;
    }
    /// The index of the first of `words` that is there, or -1.
    int takeOneOf(std::span<const std::string_view> words) {
        for (size_t k = 0; k < words.size(); ++k)
            if (take(words[k]))
                return static_cast<int>(k);
        return -1;
    }
    bool empty() const { return rest.empty(); }
    std::string_view first() const {
        return rest.empty() ? std::string_view() : std::string_view(rest.front());
    }
    std::string_view takeFirst() {
        std::string_view word = rest.front();
        rest.erase(rest.begin());
        return word;
    }

private:
    std::vector<std::string_view> rest;
};

/// What runs the instruction; null if it is not of this family. Facts go into the instruction.
using Decoder = Handler (*)(Instruction &at, Modifiers &words);
struct Opcode {
    std::string_view name;
    Decoder decode;
    size_t least, most; // operands
};
extern const std::span<const Opcode> integerOpcodes, floatOpcodes, compareOpcodes, convertOpcodes,
    memoryOpcodes, atomicOpcodes, controlOpcodes, warpOpcodes;

//===-- Element-wise instructions: F on the values of each lane

template <class T, auto F> void runUnary(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]);
    forEach(lanes, [&](int lane) { put(to, lane, F(get<T>(a, lane))); });
}

template <class T, auto F> void runBinary(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]), *b = warp.in(at.operands[2]);
    forEach(lanes, [&](int lane) { put(to, lane, F(get<T>(a, lane), get<T>(b, lane))); });
}

/// The third operand may be of another type: the sum of mad.wide.
template <class T, class U, auto F>
void runTernary(Warp &warp, const Instruction &at, Lanes lanes) {
    uint64_t *to = warp.out(at.operands[0]);
    const uint64_t *a = warp.in(at.operands[1]), *b = warp.in(at.operands[2]),
                   *c = warp.in(at.operands[3]);
    forEach(lanes,
            [&](int lane) { put(to, lane, F(get<T>(a, lane), get<T>(b, lane), get<U>(c, lane))); });
}

/// Make<T>() for the C++ type of an integer; null for other types.
template <class Make> Handler forInteger(Type type, Make make) {
    switch (type) {
    case Type::U16:
    case Type::B16:
        return make.template operator()<uint16_t>();
    case Type::U32:
    case Type::B32:
        return make.template operator()<uint32_t>();
    case Type::U64:
    case Type::B64:
        return make.template operator()<uint64_t>();
    case Type::S16:
        return make.template operator()<int16_t>();
    case Type::S32:
        return make.template operator()<int32_t>();
    case Type::S64:
        return make.template operator()<int64_t>();
    default:
        return nullptr;
    }
}

inline bool isFloat(Type type) {
    return type == Type::F16 || type == Type::F16x2 || type == Type::F32 || type == Type::F64;
}

} // namespace driver
