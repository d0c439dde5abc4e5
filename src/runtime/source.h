// The source of random bits: one of NumPy's bit generators.
#pragma once

#include "runtime/mt19937.h"
#include "runtime/pcg64.h"

namespace shapecast::runtime {

// RandomState's state beside its bit generator: the polar method makes two normal numbers, of which
// the second is kept for the next call. Part of the object itself: NumPy's aug_bitgen_t.
struct CachedGauss {
    bitgen_t *bits;
    int hasGauss;
    double gauss; // 0 where there is none
};

// A generator, inlined where it is PCG64 or MT19937.
struct Source {
    bitgen_t *bits;
    Pcg64 *pcg64 = nullptr;             // null: another generator
    Mt19937 *mt19937 = nullptr;         // the same
    CachedGauss *cachedGauss = nullptr; // null: not a RandomState

    uint64_t next() const { return pcg64 ? pcg64->next() : bits->next_uint64(bits->state); }
    double nextDouble() const {
        if (pcg64)
            return pcg64->nextDouble();
        return mt19937 ? mt19937->nextDouble(bits) : bits->next_double(bits->state);
    }
};

} // namespace shapecast::runtime
