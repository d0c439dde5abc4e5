// Normal and exponential numbers: see the header.
#include "runtime/ziggurat.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shapecast::runtime {
namespace {

// A generator that gives certain bits first, then those of another one, or zeros.
struct Replay {
    bitgen_t bits;
    bitgen_t *other = nullptr;
    uint64_t first;
    bool isGiven = false, hasGoneOn = false; // `first` was asked for; something behind it was

    explicit Replay(uint64_t first, bitgen_t *other = nullptr) : other(other), first(first) {
        bits = {this, &integer, &narrow, &real, &integer};
    }
    static uint64_t integer(void *self) {
        auto &replay = *static_cast<Replay *>(self);
        if (!std::exchange(replay.isGiven, true))
            return replay.first;
        replay.hasGoneOn = true;
        return replay.other ? replay.other->next_uint64(replay.other->state) : 0;
    }
    static uint32_t narrow(void *self) {
        auto &replay = *static_cast<Replay *>(self);
        replay.hasGoneOn = true;
        return replay.other ? replay.other->next_uint32(replay.other->state) : 0;
    }
    static double real(void *self) {
        auto &replay = *static_cast<Replay *>(self);
        replay.hasGoneOn = true;
        return replay.other ? replay.other->next_double(replay.other->state) : 0.5;
    }
};

} // namespace

template <ZigguratBits where> Ziggurat<where>::Ziggurat(Function numpy) : numpy(numpy) {
    for (uint64_t layer = 0; layer < 256; ++layer) {
        const uint64_t chosen = layer << where.layer;
        auto isInner = [&](uint64_t place) {
            Replay replay(chosen | place << where.place);
            numpy(&replay.bits);
            return !replay.hasGoneOn;
        };
        uint64_t low = 0, high = mask; // inner below, and not from there on
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (isInner(middle))
                low = middle + 1;
            else
                high = middle;
        }
        inner[layer] = low;
        Replay one(chosen | uint64_t{1} << where.place);
        width[layer] = low > 1 ? numpy(&one.bits) : 0;
    }
    if (!isNumpys())
        std::fill(std::begin(inner), std::end(inner), 0);
}

template <ZigguratBits where> bool Ziggurat<where>::isNumpys() const {
    uint64_t bits = 0x9e3779b97f4a7c15;
    for (int k = 0; k < 4096; ++k) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        Replay own(bits), theirs(bits);
        if (std::bit_cast<uint64_t>(draw({&own.bits, nullptr})) !=
            std::bit_cast<uint64_t>(numpy(&theirs.bits)))
            return false;
    }
    return true;
}

template <ZigguratBits where>
[[gnu::noinline]] double Ziggurat<where>::rare(bitgen_t *generator, uint64_t bits) const {
    Replay replay(bits, generator);
    return numpy(&replay.bits);
}

template class Ziggurat<ZigguratBits{0, 9, 52, 8, true}>;
template class Ziggurat<ZigguratBits{3, 11, 53, 0, false}>;

} // namespace shapecast::runtime
