// x[mask].sum() in one pass, without the array x[mask].
//
// NumPy's tree of pairwise summation depends on the number of elements alone
// (runtime/pairwise_sum.h). Its leaves are visited from left to right; the selected elements are
// compressed into a buffer in the L1 cache on demand.
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

    // Sum of the next `count` selected elements.
    T tree(int64_t count) {
        if (count <= leaf)
            return pairwise::leafSum<T>(nextElements(count), count);
        const int64_t first = pairwise::leftHalf(count);
        const T low = tree(first);
        return low + tree(count - first);
    }

private:
    using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    using Number [[gnu::may_alias]] = T;
    static constexpr int64_t leaf = pairwise::leaf, block = 512, spare = 16;

    const Number *nextElements(int64_t count) {
        if (end - begin < count) {
            std::copy(buffer + begin, buffer + end, buffer);
            end -= begin;
            begin = 0;
        }
        while (end < count && left > 0) {
            const int64_t length = std::min(left, block);
            end += compressRow(mask, length, from, buffer + end, block + spare);
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
    int64_t left; // mask bytes not yet read
    int64_t begin = 0, end = 0;
    Bits buffer[leaf + block + spare];
};

// (array, mask, number of set elements): array and mask are contiguous and of one shape.
template <class T> T maskedSum(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray array = in.array(), mask = in.array();
    return T(0) + MaskedSum<T>(array, mask).tree(in.number());
}

} // namespace

SymbolTable maskedSumSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf("sc_masked_sum_float64", &maskedSum<double>),
        symbolOf("sc_masked_sum_float32", &maskedSum<float>),
    };
    return table;
}

} // namespace shapecast::runtime
