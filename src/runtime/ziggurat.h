// Normal and exponential numbers by the ziggurat method, with the bits of NumPy's own functions.
//
// Of 64 random bits 8 choose a layer, the others a place in it: `place * width[layer]` is the
// number where place < inner[layer], which 99 % of the time it is. NumPy's functions stand behind
// calls that cannot be inlined and take three times as long. The tables are found by asking NumPy's
// function of given bits, so that they are those of the NumPy that is loaded; the rest is left to
// it, with the bits that were drawn given back to it first.
#pragma once

#include "runtime/source.h"

#include <bit>
#include <cstdint>

namespace shapecast::runtime {

// Where the layer, the place and the sign stand in the bits.
struct ZigguratBits {
    int layer, place, places; // the layer's first bit, the place's, and how many it has
    int sign;
    bool isSigned;
};

template <ZigguratBits where> class Ziggurat {
public:
    using Function = double (*)(bitgen_t *);
    explicit Ziggurat(Function numpy); // some 0.5 ms

    // inner[256], then width[256]: what code in line takes of it (lower/draws.h).
    const void *tables() const { return inner; }
    double rare(bitgen_t *generator, uint64_t bits) const; // with the bits that were drawn

    double draw(const Source &source) const {
        const uint64_t bits = source.next();
        const unsigned layer = bits >> where.layer & 255;
        const uint64_t place = bits >> where.place & mask;
        if (place < inner[layer]) [[likely]] {
            // No branch on the sign: it would be mispredicted half of the time.
            const uint64_t sign = (bits >> where.sign & uint64_t{where.isSigned}) << 63;
            const double x = realOf(int64_t(place)) * width[layer];
            return std::bit_cast<double>(std::bit_cast<uint64_t>(x) ^ sign);
        }
        return rare(source.bits, bits);
    }

private:
    static constexpr uint64_t mask = (uint64_t{1} << where.places) - 1;
    bool isNumpys() const; // gives what the function gives

    Function numpy;
    uint64_t inner[256]; // 0: the function is always asked
    double width[256];
};

using NormalZiggurat = Ziggurat<ZigguratBits{0, 9, 52, 8, true}>;
using ExponentialZiggurat = Ziggurat<ZigguratBits{3, 11, 53, 0, false}>;

} // namespace shapecast::runtime
