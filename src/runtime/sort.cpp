// Sorting along the last axis of an array: sc_sort, sc_argsort, sc_partition.
//
// Unstable sorts call NumPy's own functions (runtime/sort.h). Otherwise elements become unsigned
// keys of the same order (NaNs last, as in NumPy), sorted by merge sort or LSD radix sort, both
// without branches on the data. For argsort, and where the order of equal elements counts, the
// index is in the key's low bits.
#include "runtime/sort.h"
#include "runtime/native.h"
#include "runtime/processor.h"
#include "runtime/symbols.h"

#include <bit>
#include <compare>
#include <cstring>
#include <utility>

namespace shapecast::runtime {

NumpySort numpySorts[128];

namespace {

using u128 = unsigned __int128;

//===-- Keys

template <class Bits> Bits signedKey(Bits bits) { // of two's complement
    return bits ^ Bits(Bits{1} << (8 * sizeof(Bits) - 1));
}
// Of a float's bits: `infinity` is the largest of them that is a number.
template <class Bits> Bits floatKey(Bits bits, Bits infinity) {
    constexpr Bits sign = Bits(Bits{1} << (8 * sizeof(Bits) - 1));
    if ((bits & ~sign) > infinity)
        bits = Bits(infinity | (infinity >> 1)); // one NaN for all
    return bits & sign ? Bits(~bits) : Bits(bits | sign);
}
template <class Bits> Bits floatOf(Bits key) {
    constexpr Bits sign = Bits(Bits{1} << (8 * sizeof(Bits) - 1));
    return key & sign ? Bits(key & ~sign) : Bits(~key);
}

template <char dtype> struct Keys; // Bits, of(bits), back(key)
template <class T> struct UnsignedKeys {
    using Bits = T;
    static T of(T bits) { return bits; }
    static T back(T key) { return key; }
};
template <class T> struct SignedKeys {
    using Bits = T;
    static T of(T bits) { return signedKey(bits); }
    static T back(T key) { return signedKey(key); }
};
template <class T, T infinity> struct FloatKeys {
    using Bits = T;
    static T of(T bits) { return floatKey<T>(bits, infinity); }
    static T back(T key) { return floatOf(key); }
    // For stable sorts: zeros of both signs are equal.
    static T tied(T bits) {
        constexpr T sign = T(T{1} << (8 * sizeof(T) - 1));
        return of(bits == sign ? T{0} : bits);
    }
    static bool isNan(T key) { return key > of(infinity); }
};
template <> struct Keys<'?'> : UnsignedKeys<uint8_t> {};
template <> struct Keys<'B'> : UnsignedKeys<uint8_t> {};
template <> struct Keys<'H'> : UnsignedKeys<uint16_t> {};
template <> struct Keys<'I'> : UnsignedKeys<uint32_t> {};
template <> struct Keys<'L'> : UnsignedKeys<uint64_t> {};
template <> struct Keys<'b'> : SignedKeys<uint8_t> {};
template <> struct Keys<'h'> : SignedKeys<uint16_t> {};
template <> struct Keys<'i'> : SignedKeys<uint32_t> {};
template <> struct Keys<'l'> : SignedKeys<uint64_t> {};
template <> struct Keys<'e'> : FloatKeys<uint16_t, 0x7c00> {};
template <> struct Keys<'f'> : FloatKeys<uint32_t, 0x7f800000> {};
template <> struct Keys<'d'> : FloatKeys<uint64_t, 0x7ff0000000000000> {};

template <class K> auto tiedKey(typename K::Bits bits) {
    if constexpr (requires { K::tied(bits); })
        return K::tied(bits);
    else
        return K::of(bits);
}

template <class Use> int64_t withKeys(char dtype, Use use) {
    switch (dtype) {
    case '?':
        return use.template operator()<Keys<'?'>>();
    case 'b':
        return use.template operator()<Keys<'b'>>();
    case 'B':
        return use.template operator()<Keys<'B'>>();
    case 'h':
        return use.template operator()<Keys<'h'>>();
    case 'H':
        return use.template operator()<Keys<'H'>>();
    case 'e':
        return use.template operator()<Keys<'e'>>();
    case 'i':
        return use.template operator()<Keys<'i'>>();
    case 'I':
        return use.template operator()<Keys<'I'>>();
    case 'f':
        return use.template operator()<Keys<'f'>>();
    case 'L':
    case 'Q':
        return use.template operator()<Keys<'L'>>();
    case 'd':
        return use.template operator()<Keys<'d'>>();
    default:
        return use.template operator()<Keys<'l'>>();
    }
}

//===-- Sorting keys

template <class T> inline void sort2(T &a, T &b) {
    const bool swap = b < a;
    const T low = __builtin_unpredictable(swap) ? b : a;
    const T high = __builtin_unpredictable(swap) ? a : b;
    a = low;
    b = high;
}

constexpr int64_t run = 8;

// Batcher's sorting network.
template <class T> void sortRun(T *k) {
    sort2(k[0], k[2]), sort2(k[1], k[3]), sort2(k[4], k[6]), sort2(k[5], k[7]);
    sort2(k[0], k[4]), sort2(k[1], k[5]), sort2(k[2], k[6]), sort2(k[3], k[7]);
    sort2(k[0], k[1]), sort2(k[2], k[3]), sort2(k[4], k[5]), sort2(k[6], k[7]);
    sort2(k[2], k[4]), sort2(k[3], k[5]);
    sort2(k[1], k[4]), sort2(k[3], k[6]);
    sort2(k[1], k[2]), sort2(k[3], k[4]), sort2(k[5], k[6]);
}

template <class T> void insertionSort(T *keys, int64_t count) {
    for (int64_t i = 1; i < count; ++i) {
        const T key = keys[i];
        int64_t k = i;
        for (; k > 0 && key < keys[k - 1]; --k)
            keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

// Merges two sorted runs of equal length, from both ends at once.
template <class T> void mergeEqual(const T *left, int64_t length, T *to) {
    const T *right = left + length, *leftEnd = right - 1, *rightEnd = right + length - 1;
    T *end = to + 2 * length - 1;
    for (int64_t i = 0; i < length; ++i) {
        const bool second = *right < *left;
        *to++ = __builtin_unpredictable(second) ? *right : *left;
        right += second;
        left += !second;
        const bool first = *rightEnd < *leftEnd;
        *end-- = __builtin_unpredictable(first) ? *leftEnd : *rightEnd;
        leftEnd -= first;
        rightEnd -= !first;
    }
}

template <class T> void mergeRest(const T *left, const T *middle, const T *end, T *to) {
    const T *right = middle;
    while (left < middle && right < end) {
        const bool second = *right < *left;
        *to++ = __builtin_unpredictable(second) ? *right : *left;
        right += second;
        left += !second;
    }
    to = std::copy(left, middle, to);
    std::copy(right, end, to);
}

template <class T> void mergeSort(T *keys, T *spare, int64_t count) {
    int64_t i = 0;
    for (; i + run <= count; i += run)
        sortRun(keys + i);
    insertionSort(keys + i, count - i);
    T *from = keys, *to = spare;
    for (int64_t length = run; length < count; length *= 2) {
        for (i = 0; i < count; i += 2 * length) {
            if (i + 2 * length <= count)
                mergeEqual(from + i, length, to + i);
            else
                mergeRest(from + i, from + std::min(i + length, count), from + count, to + i);
        }
        std::swap(from, to);
    }
    if (from != keys)
        std::copy(from, from + count, keys);
}

// LSD radix sort by the bits [low, high): stable.
template <class T, int width> void radixSort(T *keys, T *spare, int64_t count, int low, int high) {
    constexpr int maxPasses = 64 / width + 1;
    constexpr uint32_t digits = 1u << width;
    static thread_local uint32_t counts[maxPasses][digits];
    const int passes = (high - low + width - 1) / width;
    auto digit = [&](T key, int pass) {
        return uint32_t(key >> (low + pass * width)) & (digits - 1);
    };
    std::memset(counts, 0, size_t(passes) * sizeof counts[0]);
    for (int64_t i = 0; i < count; ++i)
        for (int pass = 0; pass < passes; ++pass)
            ++counts[pass][digit(keys[i], pass)];
    T *from = keys, *to = spare;
    for (int pass = 0; pass < passes; ++pass) {
        uint32_t *starts = counts[pass];
        if (starts[digit(from[0], pass)] == uint32_t(count))
            continue; // all digits are equal
        uint32_t next = 0;
        for (uint32_t k = 0; k < digits; ++k)
            next += std::exchange(starts[k], next);
        for (int64_t i = 0; i < count; ++i)
            to[starts[digit(from[i], pass)]++] = from[i];
        std::swap(from, to);
    }
    if (from != keys)
        std::copy(from, from + count, keys);
}

#if SC_IS_X86
//===-- Keys of 4 and 8 bytes on processors with vector compress instructions: quicksort

bool hasCompress() {
    static const bool known = SC_PROCESSOR_HAS("avx512f");
    return known;
}

// Partitions: keys less than the pivot first; returns their number. Stores whole vectors: what they
// overwrite beyond the valid lanes has been read already, or is not needed.
[[SC_TARGET("avx512f")]] int64_t partition(uint64_t *keys, uint64_t *spare, int64_t count,
                                           uint64_t pivot) {
    const __m512i pivots = _mm512_set1_epi64(static_cast<int64_t>(pivot));
    int64_t low = 0, high = 0, i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m512i some = _mm512_loadu_si512(keys + i);
        const __mmask8 less = _mm512_cmplt_epu64_mask(some, pivots);
        _mm512_storeu_si512(keys + low, _mm512_maskz_compress_epi64(less, some));
        _mm512_storeu_si512(spare + high, _mm512_maskz_compress_epi64(__mmask8(~less), some));
        low += __builtin_popcount(less);
        high = i + 8 - low;
    }
    for (; i < count; ++i)
        keys[i] < pivot ? keys[low++] = keys[i] : spare[high++] = keys[i];
    std::copy(spare, spare + high, keys + low);
    return low;
}

[[SC_TARGET("avx512f")]] int64_t partition(uint32_t *keys, uint32_t *spare, int64_t count,
                                           uint32_t pivot) {
    const __m512i pivots = _mm512_set1_epi32(static_cast<int32_t>(pivot));
    int64_t low = 0, high = 0, i = 0;
    for (; i + 16 <= count; i += 16) {
        const __m512i some = _mm512_loadu_si512(keys + i);
        const __mmask16 less = _mm512_cmplt_epu32_mask(some, pivots);
        _mm512_storeu_si512(keys + low, _mm512_maskz_compress_epi32(less, some));
        _mm512_storeu_si512(spare + high, _mm512_maskz_compress_epi32(__mmask16(~less), some));
        low += __builtin_popcount(less);
        high = i + 16 - low;
    }
    for (; i < count; ++i)
        keys[i] < pivot ? keys[low++] = keys[i] : spare[high++] = keys[i];
    std::copy(spare, spare + high, keys + low);
    return low;
}

// The median of a sample.
template <class T> T pivotOf(const T *keys, int64_t count) {
    T sample[9];
    for (int64_t k = 0; k < 9; ++k)
        sample[k] = keys[(2 * k + 1) * count / 18];
    insertionSort(sample, 9);
    return sample[4];
}

// The same with a pivot from a sample; `allEqual`: the keys of the first part are all equal.
template <class T> int64_t partitionByPivot(T *keys, T *spare, int64_t count, bool &allEqual) {
    const T pivot = pivotOf(keys, count);
    const int64_t less = partition(keys, spare, count, pivot);
    allEqual = less == 0; // the pivot is the minimum
    if (!allEqual)
        return less;
    return pivot == T(~T{0}) ? count : partition(keys, spare, count, T(pivot + 1));
}

constexpr int64_t maxRankSort = 64; // keys, not partitioned further

// Rank sort: each key goes to the index that is the number of smaller keys. The indices left empty
// are those of equal keys.
template <class T> void fillGaps(T *keys, uint64_t filled, int64_t count) {
    for (int64_t i = 1; i < count; ++i)
        keys[i] = filled >> i & 1 ? keys[i] : keys[i - 1];
}

template <int blocks>
[[SC_TARGET("avx512f")]] void rankSort(uint64_t *keys, const uint64_t *spare, int64_t count) {
    __m512i all[blocks];
    for (int k = 0; k < blocks; ++k)
        all[k] = _mm512_loadu_si512(spare + 8 * k);
    uint64_t filled = 0;
    for (int64_t i = 0; i < count; ++i) {
        const __m512i key = _mm512_set1_epi64(static_cast<int64_t>(spare[i]));
        int rank = 0;
        for (int k = 0; k < blocks; ++k)
            rank += __builtin_popcount(_mm512_cmplt_epu64_mask(all[k], key));
        keys[rank] = spare[i];
        filled |= uint64_t{1} << rank;
    }
    fillGaps(keys, filled, count);
}

template <int blocks>
[[SC_TARGET("avx512f")]] void rankSort(uint32_t *keys, const uint32_t *spare, int64_t count) {
    constexpr int vectors = (blocks + 1) / 2;
    __m512i all[vectors];
    for (int k = 0; k < vectors; ++k)
        all[k] = _mm512_loadu_si512(spare + 16 * k);
    uint64_t filled = 0;
    for (int64_t i = 0; i < count; ++i) {
        const __m512i key = _mm512_set1_epi32(static_cast<int32_t>(spare[i]));
        int rank = 0;
        for (int k = 0; k < vectors; ++k)
            rank += __builtin_popcount(_mm512_cmplt_epu32_mask(all[k], key));
        keys[rank] = spare[i];
        filled |= uint64_t{1} << rank;
    }
    fillGaps(keys, filled, count);
}

// Of at most maxRankSort keys.
template <class T> void sortByRanks(T *keys, int64_t count) {
    T copy[maxRankSort];
    std::fill(std::copy(keys, keys + count, copy), copy + maxRankSort, T(~T{0}));
    switch ((count + 15) / 16) {
    case 0:
    case 1:
        return rankSort<2>(keys, copy, count);
    case 2:
        return rankSort<4>(keys, copy, count);
    case 3:
        return rankSort<6>(keys, copy, count);
    default:
        return rankSort<8>(keys, copy, count);
    }
}

template <class T> void quickSort(T *keys, T *spare, int64_t count, int depth) {
    while (count > maxRankSort && depth-- > 0) {
        bool allEqual;
        const int64_t less = partitionByPivot(keys, spare, count, allEqual);
        if (!allEqual)
            quickSort(keys, spare, less, depth);
        keys += less;
        count -= less;
    }
    // Merge sort: after too many bad pivots.
    count <= maxRankSort ? sortByRanks(keys, count) : mergeSort(keys, spare, count);
}
#endif

// Keys that are equal in the bits [low, high) must be in order already.
template <class T> void sortKeys(T *keys, T *spare, int64_t count, int low, int high) {
    if (count <= 16)
        return insertionSort(keys, count);
#if SC_IS_X86
    // Of whole keys equal ones are identical. For 4-byte keys, which have few digits, radix sort is
    // faster while they fit the L2 cache.
    const bool usesRadix = sizeof(T) == 4 && count > 6000 && count < 400'000;
    if constexpr (sizeof(T) == 4 || sizeof(T) == 8)
        if (low == 0 && hasCompress() && !usesRadix)
            return quickSort(keys, spare, count, 2 * int(std::bit_width(uint64_t(count))));
#endif
    const int64_t minRadixCount = 20 * (high - low);
    if (count < minRadixCount || count > UINT32_MAX)
        return mergeSort(keys, spare, count);
    if (count < 6000)
        return radixSort<T, 8>(keys, spare, count, low, high);
    radixSort<T, 11>(keys, spare, count, low, high);
}

//===-- Rows

struct Rows {
    NativeArray a;
    int64_t length, step;

    explicit Rows(const NativeArray &a)
        : a(a), length(a.sizes[a.rank - 1]), step(a.strides[a.rank - 1]) {}
    // use(offsets) for each row: its start in each array, in elements.
    template <int arrays, class Use> void each(const NativeArray (&both)[arrays], Use use) const {
        if (length == 0)
            return;
        Space<arrays> space;
        for (int64_t d = 0; d + 1 < a.rank; ++d) {
            int64_t along[arrays];
            for (int k = 0; k < arrays; ++k)
                along[k] = both[k].strides[d];
            space.add(a.sizes[d], along);
        }
        space.rows([&](int64_t count, const int64_t *starts, const int64_t *steps) {
            int64_t at[arrays];
            for (int64_t i = 0; i < count; ++i) {
                for (int k = 0; k < arrays; ++k)
                    at[k] = starts[k] + i * steps[k];
                use(at);
            }
            return true;
        });
    }
};

template <class K> void countingSort(typename K::Bits *row, int64_t step, int64_t length) {
    uint64_t counts[256] = {};
    for (int64_t i = 0; i < length; ++i)
        ++counts[K::of(row[i * step])];
    for (int key = 0; key < 256; ++key) {
        const auto bits = K::back(typename K::Bits(key));
        for (uint64_t k = counts[key]; k > 0; --k, row += step)
            *row = bits;
    }
}

template <class K> int64_t sortRows(Context *ctx, const NativeArray &a) {
    using Bits = typename K::Bits;
    const Rows rows(a);
    Scratch memory(ctx, 2 * rows.length * int64_t(sizeof(Bits)));
    if (!memory.get())
        return nativeFails;
    Bits *keys = reinterpret_cast<Bits *>(memory.get());
    rows.each<1>({a}, [&](const int64_t *at) {
        Bits *row = reinterpret_cast<Bits *>(a.data) + at[0];
        if constexpr (sizeof(Bits) == 1)
            if (rows.length > 32)
                return countingSort<K>(row, rows.step, rows.length);
        for (int64_t i = 0; i < rows.length; ++i)
            keys[i] = K::of(row[i * rows.step]);
        sortKeys(keys, keys + rows.length, rows.length, 0, 8 * int(sizeof(Bits)));
        for (int64_t i = 0; i < rows.length; ++i)
            row[i * rows.step] = K::back(keys[i]);
    });
    return 0;
}

// use(offsets, indexAt) for each row; indexAt(i) is element i of its stable argsort.
template <class K, class Record, int shift, class Use>
int64_t argsortRows(Context *ctx, const NativeArray &a, const NativeArray &other, Use use) {
    using Bits = typename K::Bits;
    const Rows rows(a);
    Scratch memory(ctx, 2 * rows.length * int64_t(sizeof(Record)));
    if (!memory.get())
        return nativeFails;
    Record *records = reinterpret_cast<Record *>(memory.get());
    rows.each<2>({a, other}, [&](const int64_t *at) {
        const Bits *row = reinterpret_cast<const Bits *>(a.data) + at[0];
        for (int64_t i = 0; i < rows.length; ++i)
            records[i] = Record(tiedKey<K>(row[i * rows.step])) << shift | Record(i);
        sortKeys(records, records + rows.length, rows.length, shift, shift + 8 * int(sizeof(Bits)));
        use(at, [&](int64_t i) {
            return int64_t(records[i] & (~Record{0} >> (8 * sizeof(Record) - shift)));
        });
    });
    return 0;
}

struct ComplexRecord {
    uint64_t group, real, imag; // group: which parts are NaN, the real part in the higher bit
    int64_t index;
    auto operator<=>(const ComplexRecord &) const = default;
};

template <class K, class Use>
int64_t argsortComplexRows(Context *ctx, const NativeArray &a, const NativeArray &other, Use use) {
    using Bits = typename K::Bits;
    const Rows rows(a);
    Scratch memory(ctx, rows.length * int64_t(sizeof(ComplexRecord)));
    if (!memory.get())
        return nativeFails;
    auto *records = reinterpret_cast<ComplexRecord *>(memory.get());
    rows.each<2>({a, other}, [&](const int64_t *at) {
        const Bits *row = reinterpret_cast<const Bits *>(a.data) + 2 * at[0];
        for (int64_t i = 0; i < rows.length; ++i) {
            const Bits *parts = row + 2 * i * rows.step;
            const Bits real = K::tied(parts[0]), imag = K::tied(parts[1]);
            const uint64_t group = (K::isNan(real) ? 2 : 0) + (K::isNan(imag) ? 1 : 0);
            records[i] = {group, real, imag, i};
        }
        std::sort(records, records + rows.length);
        use(at, [&](int64_t i) { return records[i].index; });
    });
    return 0;
}

// use(offsets, indexAt) for each row of `a` and of `other`, which has the same leading axes.
template <class Use>
int64_t forEachArgsort(Context *ctx, const NativeArray &a, const NativeArray &other, Use use) {
    if (a.dtype == 'D')
        return argsortComplexRows<Keys<'d'>>(ctx, a, other, use);
    if (a.dtype == 'F')
        return argsortComplexRows<Keys<'f'>>(ctx, a, other, use);
    return withKeys(a.dtype, [&]<class K>() {
        if constexpr (sizeof(typename K::Bits) == 8)
            return argsortRows<K, u128, 64>(ctx, a, other, use);
        else if (a.sizes[a.rank - 1] > int64_t(UINT32_MAX))
            return argsortRows<K, u128, 64>(ctx, a, other, use);
        else
            return argsortRows<K, uint64_t, 32>(ctx, a, other, use);
    });
}

// Sorts the elements by their argsort.
template <class T> int64_t sortByArgsort(Context *ctx, const NativeArray &a) {
    const Rows rows(a);
    Scratch memory(ctx, rows.length * int64_t(sizeof(T)));
    if (!memory.get())
        return nativeFails;
    T *sorted = reinterpret_cast<T *>(memory.get());
    return forEachArgsort(ctx, a, a, [&](const int64_t *at, auto indexAt) {
        T *row = reinterpret_cast<T *>(a.data) + at[0];
        for (int64_t i = 0; i < rows.length; ++i)
            sorted[i] = row[indexAt(i) * rows.step];
        for (int64_t i = 0; i < rows.length; ++i)
            row[i * rows.step] = sorted[i];
    });
}

struct Parts {
    uint64_t real, imag;
};

//===-- By NumPy's functions

// use(elements, offsets) for each row, contiguous: in place, or a copy that is stored back if
// `stores`.
template <class T, bool stores, class Use>
int64_t forContiguousRows(Context *ctx, const NativeArray &a, const NativeArray &other, Use use) {
    const Rows rows(a);
    const bool inPlace = rows.step == 1;
    Scratch memory(ctx, inPlace ? 1 : rows.length * int64_t(sizeof(T)));
    if (!memory.get())
        return nativeFails;
    bool done = true;
    rows.each<2>({a, other}, [&](const int64_t *at) {
        T *row = reinterpret_cast<T *>(a.data) + at[0];
        T *elements = inPlace ? row : reinterpret_cast<T *>(memory.get());
        for (int64_t i = 0; !inPlace && i < rows.length; ++i)
            elements[i] = row[i * rows.step];
        done &= use(elements, at) == 0;
        for (int64_t i = 0; stores && !inPlace && i < rows.length; ++i)
            row[i * rows.step] = elements[i];
    });
    return done ? 0 : nativeFails;
}

template <bool stores, class Use>
int64_t forContiguousRows(Context *ctx, const NativeArray &a, const NativeArray &other, Use use) {
    switch (a.itemSize()) {
    case 1:
        return forContiguousRows<uint8_t, stores>(ctx, a, other, use);
    case 2:
        return forContiguousRows<uint16_t, stores>(ctx, a, other, use);
    case 4:
        return forContiguousRows<uint32_t, stores>(ctx, a, other, use);
    case 8:
        return forContiguousRows<uint64_t, stores>(ctx, a, other, use);
    default:
        return forContiguousRows<Parts, stores>(ctx, a, other, use);
    }
}

int64_t numpyArgsort(Context *ctx, const NativeArray &a, const NativeArray &indices) {
    const Rows rows(indices);
    const bool inPlace = rows.step == 1;
    Scratch memory(ctx, inPlace ? 1 : rows.length * 8);
    if (!memory.get())
        return nativeFails;
    const NumpySort &numpy = numpySorts[size_t(a.dtype)];
    return forContiguousRows<false>(ctx, a, indices, [&](void *elements, const int64_t *at) {
        auto *to = reinterpret_cast<int64_t *>(indices.data) + at[1];
        int64_t *row = inPlace ? to : reinterpret_cast<int64_t *>(memory.get());
        for (int64_t i = 0; i < rows.length; ++i)
            row[i] = i;
        const int status = numpy.argsort(elements, row, rows.length, nullptr);
        for (int64_t i = 0; !inPlace && i < rows.length; ++i)
            to[i * rows.step] = row[i];
        return status;
    });
}

} // namespace

// (a, stable): in place, along the last axis.
extern "C" int64_t sc_sort(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    const bool stable = in.number() != 0;
    const NumpySort &numpy = numpySorts[size_t(a.dtype)];
    if (!stable && numpy.sort && a.itemSize() > 1) // bytes: counting sort
        return forContiguousRows<true>(ctx, a, a, [&](void *elements, const int64_t *) {
            return numpy.sort(elements, a.sizes[a.rank - 1], nullptr);
        });
    if (a.dtype == 'D')
        return sortByArgsort<Parts>(ctx, a);
    if (a.dtype == 'F')
        return sortByArgsort<uint64_t>(ctx, a);
    if (stable && a.dtype == 'd') // zeros of both signs are equal, in their order
        return sortByArgsort<uint64_t>(ctx, a);
    if (stable && a.dtype == 'f')
        return sortByArgsort<uint32_t>(ctx, a);
    if (stable && a.dtype == 'e')
        return sortByArgsort<uint16_t>(ctx, a);
    return withKeys(a.dtype, [&]<class K>() { return sortRows<K>(ctx, a); });
}

// (indices, a, stable).
extern "C" int64_t sc_argsort(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray indices = in.array(), a = in.array();
    if (const bool stable = in.number() != 0; !stable && numpySorts[size_t(a.dtype)].argsort)
        return numpyArgsort(ctx, a, indices);
    const Rows rows(indices);
    return forEachArgsort(ctx, a, indices, [&](const int64_t *at, auto indexAt) {
        auto *to = reinterpret_cast<int64_t *>(indices.data) + at[1];
        for (int64_t i = 0; i < rows.length; ++i)
            to[i * rows.step] = indexAt(i);
    });
}

//===-- Partitions

namespace {

// Moves the elements of the ranks `kth` (ascending) to their indices, and what is smaller before
// them.
template <class T>
void select(T *keys, T *spare, int64_t count, const int64_t *kth, int64_t kthCount) {
    int64_t from = 0;
    for (int64_t i = 0; i < kthCount; ++i) {
        if (kth[i] < from)
            continue;
        int64_t end = count;
#if SC_IS_X86
        if constexpr (sizeof(T) == 4 || sizeof(T) == 8)
            for (int rounds = 100; hasCompress() && end - from > maxRankSort && rounds > 0;
                 --rounds) {
                bool allEqual;
                const int64_t less = partitionByPivot(keys + from, spare, end - from, allEqual);
                if (kth[i] >= from + less)
                    from += less;
                else if (allEqual)
                    from = end = kth[i]; // it is there already
                else
                    end = from + less;
            }
#endif
        if (from < end)
            std::nth_element(keys + from, keys + kth[i], keys + end);
        from = kth[i] + 1;
    }
}

} // namespace

// (a, kth): in place, along the last axis; `kth` are sorted indices in bounds.
extern "C" int64_t sc_partition(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array(), kth = in.array();
    const auto *ranks = reinterpret_cast<const int64_t *>(kth.data);
    if (a.dtype == 'D')
        return sortByArgsort<Parts>(ctx, a);
    if (a.dtype == 'F')
        return sortByArgsort<uint64_t>(ctx, a);
    return withKeys(a.dtype, [&]<class K>() -> int64_t {
        using Bits = typename K::Bits;
        const Rows rows(a);
        Scratch memory(ctx, 2 * rows.length * int64_t(sizeof(Bits)));
        if (!memory.get())
            return nativeFails;
        Bits *keys = reinterpret_cast<Bits *>(memory.get());
        rows.each<1>({a}, [&](const int64_t *at) {
            Bits *row = reinterpret_cast<Bits *>(a.data) + at[0];
            for (int64_t i = 0; i < rows.length; ++i)
                keys[i] = K::of(row[i * rows.step]);
            select(keys, keys + rows.length, rows.length, ranks, kth.count());
            for (int64_t i = 0; i < rows.length; ++i)
                row[i * rows.step] = K::back(keys[i]);
        });
        return 0;
    });
}

SymbolTable sortSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_sort>(),
        symbolOf<&sc_argsort>(),
        symbolOf<&sc_partition>(),
    };
    return table;
}

} // namespace shapecast::runtime
