// The Mersenne Twister, default of np.random and RandomState, inlined.
//
// The 624 words of its state are returned one after the other, tempered; after the last of them
// NumPy's own function generates the next 624. (numpy.random.MT19937; M. Matsumoto and
// T. Nishimura, 1998)
#pragma once

#include "runtime/abi.h"
#include "runtime/pcg64.h"

#include <cstdint>
#include <numpy/random/bitgen.h>

namespace shapecast::runtime {

// What the state of such a generator points to.
class Mt19937 {
public:
    static constexpr unsigned words = mt19937Words;

    // The generator must be of class MT19937: its state is read. Null where the layout differs.
    static Mt19937 *of(bitgen_t *generator);

    // `own` is the generator of this state.
    uint32_t next(bitgen_t *own) {
        if (unsigned(pos) >= words) [[unlikely]]
            return own->next_uint32(own->state);
        uint32_t word = key[pos++];
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c5680;
        word ^= word << 15 & 0xefc60000;
        return word ^ word >> 18;
    }
    double nextDouble(bitgen_t *own) {
        const int64_t high = next(own) >> 5, low = next(own) >> 6;
        return realOf(high << 26 | low) * 0x1p-53;
    }

private:
    static bool isKnown(bitgen_t *generator);

    uint32_t key[words];
    int pos; // index of the next word; `words`: none is left
};

} // namespace shapecast::runtime
