// Where random numbers come from: one of NumPy's generators.
#pragma once

#include "runtime/mt19937.h"
#include "runtime/pcg64.h"

namespace shapecast::runtime {

// What a RandomState has beside its bits: normal numbers come by twos, and the second one is kept
// for the next call. It lies in the object itself: NumPy's aug_bitgen_t.
struct KeptNormal {
    bitgen_t *bits;
    int isKept;
    double value; // 0 where none is kept
};

// A generator, in line where we can.
struct Source {
    bitgen_t *bits;
    Pcg64 *pcg64 = nullptr;     // null: another generator
    Mt19937 *mt19937 = nullptr; // the same
    KeptNormal *kept = nullptr; // null: no RandomState

    uint64_t next() const { return pcg64 ? pcg64->next() : bits->next_uint64(bits->state); }
    double nextDouble() const {
        if (pcg64)
            return pcg64->nextDouble();
        return mt19937 ? mt19937->nextDouble(bits) : bits->next_double(bits->state);
    }
};

} // namespace shapecast::runtime
