// Run-time queries about an array's memory: its strides and order, and whether a view with sizes
// and strides known only at run time is valid.
#include "runtime/native.h"
#include "runtime/symbols.h"

#include <iterator>

namespace shapecast::runtime {
namespace {

enum Fit : int64_t { Fits, OutOfBounds, Misaligned }; // Misaligned: not at whole items

struct Extent { // of bytes, the last one included; 128 bits: sizes and strides may be any numbers
    __int128 first = 0, last = -1;
};

Extent extentOf(const int64_t *sizes, const int64_t *strides, int64_t rank, int64_t unit,
                int64_t itemSize) {
    Extent extent;
    extent.last = itemSize - 1;
    for (int64_t d = 0; d < rank; ++d) {
        if (sizes[d] == 0)
            return {};
        // Clamped: the product of three 64-bit numbers may overflow, and is outside of all memory.
        const __int128 limit = __int128{1} << 62;
        __int128 reach = __int128{sizes[d] - 1} * strides[d];
        reach = reach > limit ? limit : reach < -limit ? -limit : reach * unit;
        (reach < 0 ? extent.first : extent.last) += reach;
    }
    return extent;
}

} // namespace

// (a, axis): in bytes.
extern "C" int64_t sc_stride(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    return a.strides[in.number()] * a.itemSize();
}

// (a, fortran): is it contiguous in that order? Axes of size 1 are ignored.
extern "C" int64_t sc_contiguous(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    const bool fortran = in.number() != 0;
    int64_t expected = 1;
    bool fits = true;
    for (int64_t k = 0; k < a.rank; ++k) {
        const int64_t d = fortran ? k : a.rank - 1 - k;
        if (a.sizes[d] == 0)
            return 1;
        fits &= a.sizes[d] == 1 || a.strides[d] == expected;
        expected *= a.sizes[d];
    }
    return fits;
}

// (a, rank, sizes..., strides in bytes...): does such a view of `a` lie within its memory?
extern "C" int64_t sc_strided_fits(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    int64_t sizes[64], strides[64]; // NumPy's limit
    const int64_t rank = in.number();
    for (int64_t d = 0; d < rank; ++d)
        sizes[d] = in.number();
    bool whole = true;
    for (int64_t d = 0; d < rank; ++d) {
        strides[d] = in.number();
        whole &= sizes[d] <= 1 || strides[d] % a.itemSize() == 0;
    }
    const Extent own = extentOf(a.sizes, a.strides, a.rank, a.itemSize(), a.itemSize());
    const Extent view = extentOf(sizes, strides, rank, 1, a.itemSize());
    if (view.first <= view.last && (view.first < own.first || view.last > own.last))
        return OutOfBounds;
    return whole || view.first > view.last ? Fits : Misaligned;
}

// (a, size, alignment): can items of this size and alignment be read where a's items are? Of
// another size than a's only along a contiguous last axis.
extern "C" int64_t sc_view_fits(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    const int64_t size = in.number(), alignment = in.number(), had = a.itemSize();
    if (a.count() == 0)
        return Fits;
    const int64_t last = a.rank - 1;
    if (size != had && a.sizes[last] != 1 && a.strides[last] != 1)
        return OutOfBounds;
    bool whole = reinterpret_cast<uintptr_t>(a.data) % static_cast<uintptr_t>(alignment) == 0;
    for (int64_t d = 0; d < a.rank; ++d)
        if (a.sizes[d] != 1 && (d != last || size == had))
            whole &= a.strides[d] * had % (size == had ? alignment : size) == 0;
    return whole ? Fits : Misaligned;
}

SymbolTable viewsSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_stride>(),
        symbolOf<&sc_contiguous>(),
        symbolOf<&sc_strided_fits>(),
        symbolOf<&sc_view_fits>(),
    };
    return table;
}

} // namespace shapecast::runtime
