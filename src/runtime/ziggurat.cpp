// The tables of the ziggurat method: see the header.
#include "runtime/ziggurat.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shapecast::runtime {
namespace {

// A generator that returns certain bits first, then those of another one, or zeros.
struct Replay {
    bitgen_t bits;
    bitgen_t *other = nullptr;
    uint64_t first;
    bool isConsumed = false, wasReadBeyond = false; // `first` was drawn; more than it was

    explicit Replay(uint64_t first, bitgen_t *other = nullptr) : other(other), first(first) {
        bits = {this, &integer, &narrow, &real, &integer};
    }
    static uint64_t integer(void *self) {
        auto &replay = *static_cast<Replay *>(self);
        if (!std::exchange(replay.isConsumed, true))
            return replay.first;
        replay.wasReadBeyond = true;
        return replay.other ? replay.other->next_uint64(replay.other->state) : 0;
    }
    static uint32_t narrow(void *self) {
        auto &replay = *static_cast<Replay *>(self);
        replay.wasReadBeyond = true;
        return replay.other ? replay.other->next_uint32(replay.other->state) : 0;
    }
    static double real(void *self) {
        auto &replay = *static_cast<Replay *>(self);
        replay.wasReadBeyond = true;
        return replay.other ? replay.other->next_double(replay.other->state) : 0.5;
    }
};

} // namespace

template <ZigguratBits layout> Ziggurat<layout>::Ziggurat(Function numpy) : numpy(numpy) {
    for (uint64_t layer = 0; layer < 256; ++layer) {
        const uint64_t layerBits = layer << layout.layer;
        auto isInner = [&](uint64_t abscissa) {
            Replay replay(layerBits | abscissa << layout.abscissa);
            numpy(&replay.bits);
            return !replay.wasReadBeyond;
        };
        uint64_t low = 0, high = mask; // binary search: inner below `low`, not inner from `high` on
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (isInner(middle))
                low = middle + 1;
            else
                high = middle;
        }
        inner[layer] = low;
        Replay one(layerBits | uint64_t{1} << layout.abscissa);
        width[layer] = low > 1 ? numpy(&one.bits) : 0;
    }
    if (!agreesWithNumpy())
        std::fill(std::begin(inner), std::end(inner), 0);
}

template <ZigguratBits layout> bool Ziggurat<layout>::agreesWithNumpy() const {
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

template <ZigguratBits layout>
[[gnu::noinline]] double Ziggurat<layout>::slowPath(bitgen_t *generator, uint64_t bits) const {
    Replay replay(bits, generator);
    return numpy(&replay.bits);
}

template class Ziggurat<ZigguratBits{0, 9, 52, 8, true}>;
template class Ziggurat<ZigguratBits{3, 11, 53, 0, false}>;

} // namespace shapecast::runtime
