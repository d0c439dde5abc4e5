// np.searchsorted: a thread a value.
#include "kernels/search.h"

#include "kernels/device.h"
#include "kernels/order.h"

namespace shapecast::kernels {
namespace {

// Whether `a` is before the place of `value`.
template <class T> SC_INLINE bool isBeforePlace(T a, T value, bool right) {
    return right ? !isBefore(value, a) : isBefore(a, value);
}

template <class T> SC_INLINE void search(const Search &p) {
    const T *line = reinterpret_cast<const T *>(p.line);
    for (int64_t i = threadOfAll(); i < p.count; i += allThreads()) {
        const T value = reinterpret_cast<const T *>(p.values)[i * p.valueStep];
        int64_t first = 0;
        for (int64_t left = p.size; left > 0;) {
            const int64_t half = (left + 1) / 2;
            first +=
                isBeforePlace(line[(first + half - 1) * p.lineStep], value, p.right) ? half : 0;
            left -= half;
        }
        p.places[i * p.placeStep] = first;
    }
}

} // namespace

// By the dtype's character.
#define SC_SEARCH(type, T)                                                                         \
    SC_KERNEL sc_search_##type(Search p) { search<T>(p); }
SC_SEARCH(b, int8_t)
SC_SEARCH(B, uint8_t)
SC_SEARCH(h, int16_t)
SC_SEARCH(H, uint16_t)
SC_SEARCH(i, int32_t)
SC_SEARCH(I, uint32_t)
SC_SEARCH(l, int64_t)
SC_SEARCH(L, uint64_t)
SC_SEARCH(e, _Float16)
SC_SEARCH(f, float)
SC_SEARCH(d, double)
SC_SEARCH(F, Complex64)
SC_SEARCH(D, Complex128)

} // namespace shapecast::kernels
