// NumPy's default generator, inlined, and with several numbers at once.
//
// numpy.random.PCG64 (M. O'Neill's PCG XSL RR 128/64) makes a number by a 128-bit multiplication
// that depends on the one before, in an indirect call. Here it is inlined, on the generator's own
// state; an array is filled by four interleaved recurrences, each of which jumps four numbers
// ahead. (A buffer of numbers for single draws gained nothing: it takes more instructions.)
#pragma once

#include "runtime/processor.h"

#include <bit>
#include <cstdint>
#include <numpy/random/bitgen.h>

namespace shapecast::runtime {

// What the first pointer in such a generator's state points to.
class Pcg64 {
public:
    using Wide = unsigned __int128;
    static constexpr Wide factor = (Wide{2549297995355413924} << 64) | 4865540595714422341;

    // The generator must be of class PCG64: its state is read. Null where the layout differs.
    static Pcg64 *of(bitgen_t *pcg64);

    uint64_t next() { return bits(step()); }       // next_uint64
    double nextDouble() { return number(step()); } // next_double
    void fill(double *to, int64_t count);          // by nextDouble()

private:
    static uint64_t bits(Wide state) {
        const uint64_t high = uint64_t(state >> 64);
        return std::rotr(high ^ uint64_t(state), int(high >> 58));
    }
    static double number(Wide state) { return realOf(int64_t(bits(state) >> 11)) * 0x1p-53; }
    static bool isKnown(bitgen_t *generator);
    Wide step() { return state = state * factor + increment; }

    [[gnu::aligned(8)]] Wide state, increment; // NumPy guarantees no more
};

} // namespace shapecast::runtime
