// PCG64's bulk fill, and the check of its state layout: see the header.
#include "runtime/pcg64.h"

#include <atomic>

namespace shapecast::runtime {

constexpr int chains = 4; // independent recurrences

// Compares some numbers with NumPy's, once; restores the generator's state.
bool Pcg64::isKnown(bitgen_t *generator) {
    static std::atomic<void *> known{nullptr}; // the function whose numbers were compared
    auto *function = reinterpret_cast<void *>(generator->next_double);
    if (known.load() == function)
        return true;
    auto &stream = **static_cast<Pcg64 **>(generator->state);
    const Pcg64 before = stream;
    Pcg64 own = before;
    bool same = true;
    for (int k = 0; k < 8; ++k)
        same &= k % 2 ? generator->next_uint64(generator->state) == own.next()
                      : generator->next_double(generator->state) == own.nextDouble();
    same &= stream.state == own.state && stream.increment == own.increment;
    stream = before;
    if (same)
        known.store(function);
    return same;
}

Pcg64 *Pcg64::of(bitgen_t *pcg64) {
    return isKnown(pcg64) ? *static_cast<Pcg64 **>(pcg64->state) : nullptr;
}

void Pcg64::fill(double *to, int64_t count) {
    Pcg64 stream = *this;
    const int64_t whole = count / chains * chains;
    if (whole > 0) {
        Wide multiplier = 1, addend = 0, at[chains]; // jump ahead by `chains` steps
        for (Wide &chain : at) {
            multiplier *= factor;
            addend = addend * factor + stream.increment;
            chain = stream.step();
        }
        for (int64_t k = 0;; k += chains) {
            for (int c = 0; c < chains; ++c)
                to[k + c] = number(at[c]);
            if (k + chains == whole)
                break;
            for (Wide &chain : at)
                chain = chain * multiplier + addend;
        }
        stream.state = at[chains - 1];
    }
    for (int64_t k = whole; k < count; ++k)
        to[k] = stream.nextDouble();
    *this = stream;
}

} // namespace shapecast::runtime
