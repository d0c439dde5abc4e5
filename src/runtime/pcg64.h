// NumPy's usual generator, in line and several numbers at once.
//
// numpy.random.PCG64 (M. O'Neill's PCG XSL RR 128/64) gives a number by one multiplication of 128
// bits that waits for the one before, behind a call. Here it is in line, on the generator's own
// state; and to fill an array four such chains run side by side, each four numbers further at a
// step. (Numbers kept ahead of single draws gained nothing: they take more instructions.)
#pragma once

#include <bit>
#include <cstdint>
#include <immintrin.h>
#include <numpy/random/bitgen.h>

namespace shapecast::runtime {

// The conversion writes half of a register: into a fresh one, so that it does not wait for what was
// drawn before.
inline double realOf(int64_t whole) {
    return _mm_cvtsd_f64(_mm_cvtsi64_sd(_mm_setzero_pd(), whole));
}

// What NumPy has behind the address that the state of such a generator begins with.
class Pcg64 {
public:
    using Wide = unsigned __int128;
    static constexpr Wide factor = (Wide{2549297995355413924} << 64) | 4865540595714422341;

    // Of an object of that class, since it looks into its state; null where that is not what we
    // know.
    static Pcg64 *of(bitgen_t *pcg64);

    uint64_t next() { return bits(step()); }       // next_uint64
    double nextDouble() { return number(step()); } // next_double
    void fill(double *to, int64_t count);          // with those

private:
    static uint64_t bits(Wide state) {
        const uint64_t high = uint64_t(state >> 64);
        return std::rotr(high ^ uint64_t(state), int(high >> 58));
    }
    static double number(Wide state) { return realOf(int64_t(bits(state) >> 11)) * 0x1p-53; }
    static bool isKnown(bitgen_t *generator);
    Wide step() { return state = state * factor + increment; }

    [[gnu::aligned(8)]] Wide state, increment; // NumPy promises no more
};

} // namespace shapecast::runtime
