// Normal and exponential numbers by the ziggurat method, with the bits of NumPy's own functions.
//
// Of 64 random bits 8 choose a layer, others an abscissa in it: `abscissa * width[layer]` is the
// number where abscissa < inner[layer], which holds 99 % of the time. Calls of NumPy's functions
// cannot be inlined and take three times as long. The tables are derived from NumPy's function with
// chosen bits, so that they are those of the NumPy that is loaded; the slow path calls it, with the
// bits that were drawn replayed first.
#pragma once

#include "runtime/source.h"

#include <bit>
#include <cstdint>

namespace shapecast::runtime {

// The bit fields of the layer, the abscissa and the sign.
struct ZigguratBits {
    int layer, abscissa, abscissaBits; // first bits, and the abscissa's width
    int sign;
    bool isSigned;
};

template <ZigguratBits layout> class Ziggurat {
public:
    using Function = double (*)(bitgen_t *);
    explicit Ziggurat(Function numpy); // some 0.5 ms

    // inner[256], then width[256]: for inlined draws (lower/kit/draws.h).
    const void *tables() const { return inner; }
    double slowPath(bitgen_t *generator, uint64_t bits) const; // with the bits that were drawn

    double draw(const Source &source) const {
        const uint64_t bits = source.next();
        const unsigned layer = bits >> layout.layer & 255;
        const uint64_t abscissa = bits >> layout.abscissa & mask;
        if (abscissa < inner[layer]) [[likely]] {
            // No branch on the sign: it would be mispredicted half of the time.
            const uint64_t sign = (bits >> layout.sign & uint64_t{layout.isSigned}) << 63;
            const double x = realOf(int64_t(abscissa)) * width[layer];
            return std::bit_cast<double>(std::bit_cast<uint64_t>(x) ^ sign);
        }
        return slowPath(source.bits, bits);
    }

private:
    static constexpr uint64_t mask = (uint64_t{1} << layout.abscissaBits) - 1;
    bool agreesWithNumpy() const; // on some thousand numbers

    Function numpy;
    uint64_t inner[256]; // 0: always the slow path
    double width[256];
};

using NormalZiggurat = Ziggurat<ZigguratBits{0, 9, 52, 8, true}>;
using ExponentialZiggurat = Ziggurat<ZigguratBits{3, 11, 53, 0, false}>;

} // namespace shapecast::runtime
