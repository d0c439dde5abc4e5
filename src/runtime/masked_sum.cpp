// x[mask].sum() in one pass, without the array x[mask].
//
// NumPy's summation tree is one of the number of elements alone (runtime/pairwise_sum.h). Its
// leaves are taken from left to right: what is set is packed into a buffer in the first-level cache
// as they ask for it.
#include "runtime/mask_rows.h"
#include "runtime/native.h"
#include "runtime/pairwise_sum.h"
#include "runtime/symbols.h"

namespace shapecast::runtime {
namespace {

template <class T> class MaskedSum {
public:
    MaskedSum(const NativeArray &array, const NativeArray &mask)
        : mask(reinterpret_cast<const uint8_t *>(mask.data)),
          from(reinterpret_cast<const Bits *>(array.data)), left(mask.count()) {}

    // Of the next `count` elements that are set.
    T tree(int64_t count) {
        if (count <= leaf)
            return pairwise::leafSum<T>(taken(count), count);
        const int64_t first = pairwise::leftHalf(count);
        const T low = tree(first);
        return low + tree(count - first);
    }

private:
    using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    using Number [[gnu::may_alias]] = T;
    static constexpr int64_t leaf = pairwise::leaf, stretch = 512, spare = 16;

    const Number *taken(int64_t count) {
        if (end - begin < count) {
            std::copy(buffer + begin, buffer + end, buffer);
            end -= begin;
            begin = 0;
        }
        while (end < count && left > 0) {
            const int64_t length = std::min(left, stretch);
            end += compressRow(mask, length, from, buffer + end, stretch + spare);
            mask += length;
            from += length;
            left -= length;
        }
        const Bits *at = buffer + begin;
        begin += count;
        return reinterpret_cast<const Number *>(at);
    }

    const uint8_t *mask;
    const Bits *from;
    int64_t left; // places that were not looked at
    int64_t begin = 0, end = 0;
    Bits buffer[leaf + stretch + spare];
};

// The array, the mask (both contiguous, of one shape), how many of it are set.
template <class T> T maskedSum(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray array = in.array(), mask = in.array();
    return T(0) + MaskedSum<T>(array, mask).tree(in.number());
}

} // namespace

const RuntimeSymbol *maskedSumSymbols(size_t *count) {
    static const RuntimeSymbol table[] = {
        {"sc_masked_sum_float64", reinterpret_cast<void *>(&maskedSum<double>)},
        {"sc_masked_sum_float32", reinterpret_cast<void *>(&maskedSum<float>)},
    };
    *count = std::size(table);
    return table;
}

} // namespace shapecast::runtime
