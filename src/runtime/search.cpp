// np.searchsorted: sc_searchsorted.
//
// A branchless binary search has the same steps for all values: several searches run in lockstep as
// lanes of vectors, which overlaps their cache misses. (One at a time with branches 45 ns each
// among 1,000; so 3 ns with AVX-512, 4 with AVX2.)
#include "runtime/native.h"
#include "runtime/processor.h"
#include "runtime/symbols.h"

#include <algorithm>

namespace shapecast::runtime {
namespace {

constexpr int64_t batch = 32;

// Is `a` before the insertion point of `value`? NaNs are last.
template <bool right, class T> bool isBefore(T a, T value) {
    return right ? a <= value : a < value;
}
template <bool right, class T> bool isBeforeNan(T a) { return right || a == a; }

template <bool right, class T>
[[gnu::always_inline]] inline void searchBatch(const T *array, int64_t size, const T *values,
                                               int64_t *indices) {
    int64_t base[batch] = {};
    for (int64_t left = size; left > 0;) {
        const int64_t half = (left + 1) / 2;
        const T *middle = array + half - 1;
        for (int64_t k = 0; k < batch; ++k)
            base[k] += isBefore<right>(middle[base[k]], values[k]) ? half : 0;
        left -= half;
    }
    std::copy(base, base + batch, indices);
}

template <class T>
using SearchBatch = void (*)(const T *array, int64_t size, const T *values, int64_t *indices);

template <bool right, class T>
[[SC_TARGET("avx512f,avx512dq,avx512vl")]] void searchBy512(const T *array, int64_t size,
                                                            const T *values, int64_t *indices) {
    searchBatch<right>(array, size, values, indices);
}

template <bool right, class T>
[[SC_TARGET("avx2")]] void searchBy256(const T *array, int64_t size, const T *values,
                                       int64_t *indices) {
    searchBatch<right>(array, size, values, indices);
}

template <bool right, class T> SearchBatch<T> bestSearch() {
    if (SC_PROCESSOR_HAS("avx512dq") && SC_PROCESSOR_HAS("avx512vl"))
        return searchBy512<right, T>;
    if (SC_PROCESSOR_HAS("avx2"))
        return searchBy256<right, T>;
    return searchBatch<right, T>;
}

template <bool right, class T> int64_t indexOfNan(const T *array, int64_t size) {
    return std::partition_point(array, array + size, [](T a) { return isBeforeNan<right>(a); }) -
           array;
}

template <class T, bool right>
int64_t search(const NativeArray &indices, const NativeArray &array, const NativeArray &values) {
    const auto *from = reinterpret_cast<const T *>(array.data);
    const auto *value = reinterpret_cast<const T *>(values.data);
    auto *to = reinterpret_cast<int64_t *>(indices.data);
    static const SearchBatch<T> searchBatch = bestSearch<right, T>();
    const int64_t size = array.sizes[0], count = values.sizes[0], step = values.strides[0];
    T block[batch];
    int64_t found[batch];
    for (int64_t i = 0; i < count; i += batch) {
        const int64_t here = std::min(batch, count - i);
        for (int64_t k = 0; k < batch; ++k)
            block[k] = value[(i + std::min(k, here - 1)) * step];
        searchBatch(from, size, block, found);
        for (int64_t k = 0; k < here; ++k)
            to[i + k] = block[k] == block[k] ? found[k] : indexOfNan<right>(from, size);
    }
    return 0;
}

template <class T>
int64_t search(const NativeArray &indices, const NativeArray &array, const NativeArray &values,
               bool right) {
    return right ? search<T, true>(indices, array, values)
                 : search<T, false>(indices, array, values);
}

} // namespace

// (indices, array, values, right): all 1-D; the array and the indices are contiguous.
extern "C" int64_t sc_searchsorted(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray indices = in.array(), array = in.array(), values = in.array();
    const bool right = in.number() != 0;
    switch (array.dtype) {
    case 'b':
        return search<int8_t>(indices, array, values, right);
    case '?':
    case 'B':
        return search<uint8_t>(indices, array, values, right);
    case 'h':
        return search<int16_t>(indices, array, values, right);
    case 'H':
        return search<uint16_t>(indices, array, values, right);
    case 'i':
        return search<int32_t>(indices, array, values, right);
    case 'I':
        return search<uint32_t>(indices, array, values, right);
    case 'l':
        return search<int64_t>(indices, array, values, right);
    case 'L':
        return search<uint64_t>(indices, array, values, right);
    case 'f':
        return search<float>(indices, array, values, right);
    default:
        return search<double>(indices, array, values, right);
    }
}

SymbolTable searchSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_searchsorted>(),
    };
    return table;
}

} // namespace shapecast::runtime
