// x[i] and x[i] = values by index arrays, a thread an element.
//
// Where indices are equal the last one stores, as in NumPy: first the largest position for each
// place in the base is found (by an atomic maximum, which any order gives), then only that stores.
#include "kernels/indexing.h"

#include "kernels/device.h"
#include "kernels/integers.h"

namespace shapecast::kernels {
namespace {

struct Element {
    int64_t base = 0, other = 0, place = 0; // offsets; the number of the place in the base
    bool isInside = true;

    SC_INLINE Element(const Indexed &p, int64_t number) {
        int64_t at[2 + mostIndices];
        p.axes.offsets(number, at);
        base = at[0];
        other = at[1];
#pragma unroll
        for (int k = 0; k < mostIndices; ++k) {
            if (k >= p.indices)
                continue;
            const Indexed::Index &index = p.index[k];
            int64_t i = integerAt(index.data, index.kind, at[2 + k]);
            if (index.kind != 'o') {
                i += i < 0 ? index.size : 0;
                isInside &= uint64_t(i) < uint64_t(index.size);
                place = place * index.size + i;
            }
            base += i * index.stride;
        }
    }
};

template <class Use> SC_INLINE void forElements(const Indexed &p, Use use) {
    for (int64_t number = threadOfAll(); number < p.elements; number += allThreads())
        use(number, Element(p, number));
}

struct alignas(16) Pair {
    uint64_t parts[2];
};

} // namespace

SC_KERNEL sc_index_check(Indexed p) {
    forElements(p, [&](int64_t, const Element &element) {
        if (!element.isInside)
            *p.isOutside = 1;
    });
}

SC_KERNEL sc_index_clear(Indexed p) {
    for (int64_t place = threadOfAll(); place < p.places; place += allThreads())
        p.winners[place] = -1;
}

// The axes are those of the index arrays only.
SC_KERNEL sc_index_winners(Indexed p) {
    forElements(p, [&](int64_t number, const Element &element) {
        __nvvm_atom_max_gen_ll(reinterpret_cast<long long *>(p.winners + element.place), number);
    });
}

// By the size of an item.
#define SC_INDEXED(size, Item)                                                                     \
    SC_KERNEL sc_index_gather_##size(Indexed p) {                                                  \
        forElements(p, [&](int64_t, const Element &element) {                                      \
            if (element.isInside)                                                                  \
                reinterpret_cast<Item *>(p.other)[element.other] =                                 \
                    reinterpret_cast<const Item *>(p.base)[element.base];                          \
            else                                                                                   \
                *p.isOutside = 1;                                                                  \
        });                                                                                        \
    }                                                                                              \
    SC_KERNEL sc_index_scatter_##size(Indexed p) {                                                 \
        forElements(p, [&](int64_t number, const Element &element) {                               \
            if (!p.winners || p.winners[element.place] == number / p.rows)                         \
                reinterpret_cast<Item *>(p.base)[element.base] =                                   \
                    reinterpret_cast<const Item *>(p.other)[element.other];                        \
        });                                                                                        \
    }
SC_INDEXED(1, uint8_t)
SC_INDEXED(2, uint16_t)
SC_INDEXED(4, uint32_t)
SC_INDEXED(8, uint64_t)
SC_INDEXED(16, Pair)

} // namespace shapecast::kernels
