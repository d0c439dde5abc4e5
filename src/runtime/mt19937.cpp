// The check of MT19937's state layout: see the header.
#include "runtime/mt19937.h"

#include <atomic>
#include <cstring>

namespace shapecast::runtime {

// Compares some numbers with NumPy's, once; restores the generator's state.
bool Mt19937::isKnown(bitgen_t *generator) {
    static_assert(offsetof(Mt19937, pos) == sizeof(uint32_t) * mt19937Words); // lower/kit/draws.cpp
    static std::atomic<void *> known{nullptr}; // the function whose numbers were compared
    auto *function = reinterpret_cast<void *>(generator->next_double);
    if (known.load() == function)
        return true;
    auto &stream = *static_cast<Mt19937 *>(generator->state);
    if (unsigned(stream.pos) > words)
        return false;
    const Mt19937 before = stream;
    stream.pos = 0; // so that none of the numbers compared is the last one
    Mt19937 own = stream;
    bool same = true;
    for (int k = 0; k < 8; ++k)
        same &= k % 2 ? generator->next_uint32(generator->state) == own.next(generator)
                      : generator->next_double(generator->state) == own.nextDouble(generator);
    same &= std::memcmp(&stream, &own, sizeof own) == 0;
    stream = before;
    if (same)
        known.store(function);
    return same;
}

Mt19937 *Mt19937::of(bitgen_t *generator) {
    return isKnown(generator) ? static_cast<Mt19937 *>(generator->state) : nullptr;
}

} // namespace shapecast::runtime
