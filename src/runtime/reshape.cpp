// NumPy's reshape of an array whose strides are known only at run time: a view where they allow it,
// else a copy in C order.
#include "runtime/reshape.h"
#include "runtime/memory.h"
#include "runtime/native.h"
#include "runtime/symbols.h"
#include "runtime/transpose.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace shapecast::runtime {
namespace {

constexpr int maxAxes = 64; // NumPy's limit

struct Axes {
    int rank = 0;
    int64_t sizes[maxAxes], strides[maxAxes];

    void add(int64_t size, int64_t stride) {
        sizes[rank] = size;
        strides[rank++] = stride;
    }
};

// Without axes of size 1, whose strides are arbitrary.
Axes longAxes(const int64_t *sizes, const int64_t *strides, int64_t rank) {
    Axes axes;
    for (int64_t d = 0; d < rank; ++d)
        if (sizes[d] != 1)
            axes.add(sizes[d], strides[d]);
    return axes;
}

bool isContiguous(const Axes &axes) {
    int64_t expected = 1;
    bool fits = true;
    for (int d = axes.rank; d-- > 0;) {
        if (axes.sizes[d] == 0)
            return true;
        fits &= axes.strides[d] == expected;
        expected *= axes.sizes[d];
    }
    return fits;
}

// Strides of the new sizes over the same memory (NumPy's _attempt_nocopy_reshape); false where
// there are none. No size is 0: such arrays are contiguous. The old axes and the new ones are split
// into the shortest runs with equal products; the old axes of a run must have one common stride.
bool viewStrides(const Axes &old, const int64_t *sizes, int64_t rank, int64_t *strides) {
    int64_t first = 0, end = 1;
    int oldFirst = 0, oldEnd = 1;
    while (first < rank && oldFirst < old.rank) {
        int64_t product = sizes[first], oldProduct = old.sizes[oldFirst];
        while (product != oldProduct) {
            const bool more = product < oldProduct;
            if (more ? end == rank : oldEnd == old.rank)
                return false; // sizes that do not fit: the caller has checked them
            if (more)
                product *= sizes[end++];
            else
                oldProduct *= old.sizes[oldEnd++];
        }
        for (int d = oldFirst; d + 1 < oldEnd; ++d)
            if (old.strides[d] != old.sizes[d + 1] * old.strides[d + 1])
                return false;
        int64_t stride = old.strides[oldEnd - 1];
        for (int64_t d = end; d-- > first; stride *= sizes[d])
            strides[d] = stride;
        first = end++;
        oldFirst = oldEnd++;
    }
    for (int64_t d = first; d < rank; ++d) // trailing sizes of 1
        strides[d] = first > 0 ? strides[first - 1] : 1;
    return true;
}

void contiguousStrides(const int64_t *sizes, int64_t rank, int64_t *strides) {
    int64_t stride = 1;
    for (int64_t d = rank; d-- > 0; stride *= sizes[d])
        strides[d] = stride;
}

// Coalesces adjacent axes that have one common stride.
Axes coalesced(const Axes &axes) {
    Axes result;
    for (int d = 0; d < axes.rank; ++d) {
        const int last = result.rank - 1;
        if (last >= 0 && result.strides[last] == axes.sizes[d] * axes.strides[d]) {
            result.sizes[last] *= axes.sizes[d];
            result.strides[last] = axes.strides[d];
        } else {
            result.add(axes.sizes[d], axes.strides[d]);
        }
    }
    return result;
}

template <int itemSize> struct Item {
    char bytes[itemSize];
};

struct Plane { // two axes: `row` and the last one, which is contiguous in the copy
    int64_t rows, rowStride, rowStep; // rowStep: of the copy
    int64_t columns, columnStride;
};

template <class T> void copyRow(const T *from, T *__restrict to, int64_t count, int64_t stride) {
    if (stride == 1)
        std::memcpy(to, from, size_t(count) * sizeof(T));
    else if (stride == -1) // reversed vectors
        for (int64_t j = 0; j < count; ++j)
            to[j] = from[-j];
    else if (stride == 2)
        for (int64_t j = 0; j < count; ++j)
            to[j] = from[2 * j];
    else
        for (int64_t j = 0; j < count; ++j)
            to[j] = from[j * stride];
}

// Tiled where the source is transposed, so that its cache lines are fully used.
template <class T> void copyPlane(const T *from, T *to, const Plane &p) {
    if (p.rowStride == 1 && p.columnStride != 1)
        return copyTransposed(to, from, sizeof(T), {p.rows, p.columns, p.columnStride, p.rowStep});
    constexpr int64_t block = 32;
    const bool isTransposed = std::llabs(p.rowStride) < std::llabs(p.columnStride) && p.rows > 1;
    const int64_t width = isTransposed ? block : p.columns;
    for (int64_t i0 = 0; i0 < p.rows; i0 += block)
        for (int64_t j0 = 0; j0 < p.columns; j0 += width) {
            const int64_t iEnd = i0 + block < p.rows ? i0 + block : p.rows;
            const int64_t jEnd = j0 + width < p.columns ? j0 + width : p.columns;
            for (int64_t i = i0; i < iEnd; ++i)
                copyRow(from + i * p.rowStride + j0 * p.columnStride, to + i * p.rowStep + j0,
                        jEnd - j0, p.columnStride);
        }
}

// The copy in C order. The plane: the last axis, and the other axis with the smallest source
// stride; an odometer iterates over the others.
template <class T> void copyInOrder(const T *from, T *to, const Axes &axes) {
    int64_t steps[maxAxes];
    contiguousStrides(axes.sizes, axes.rank, steps);
    const int last = axes.rank - 1;
    int row = last - 1;
    for (int d = 0; d < last; ++d)
        if (std::llabs(axes.strides[d]) < std::llabs(axes.strides[row]))
            row = d;
    Plane plane{1, 0, 0, 1, 1};
    if (last >= 0)
        plane.columns = axes.sizes[last], plane.columnStride = axes.strides[last];
    if (last >= 1)
        plane.rows = axes.sizes[row], plane.rowStride = axes.strides[row],
        plane.rowStep = steps[row];
    int64_t index[maxAxes] = {};
    while (true) {
        copyPlane(from, to, plane);
        int d = last - 1;
        for (; d >= 0; --d) {
            if (d == row)
                continue;
            from += axes.strides[d], to += steps[d];
            if (++index[d] < axes.sizes[d])
                break;
            from -= axes.sizes[d] * axes.strides[d], to -= axes.sizes[d] * steps[d];
            index[d] = 0;
        }
        if (d < 0)
            return;
    }
}

void copyItems(const void *from, void *to, int64_t itemSize, const Axes &axes) {
    const auto run = [&]<int bytes>() {
        copyInOrder(static_cast<const Item<bytes> *>(from), static_cast<Item<bytes> *>(to), axes);
    };
    switch (itemSize) {
    case 1:
        return run.template operator()<1>();
    case 2:
        return run.template operator()<2>();
    case 4:
        return run.template operator()<4>();
    case 8:
        return run.template operator()<8>();
    default:
        return run.template operator()<16>();
    }
}

} // namespace

bool becomeView(Reshape *call) {
    const auto *sizes = reinterpret_cast<const int64_t *>(call + 1);
    const int64_t *strides = sizes + call->rank, *newSizes = strides + call->rank;
    auto *newStrides = const_cast<int64_t *>(newSizes + call->newRank);
    const Axes axes = longAxes(sizes, strides, call->rank);
    const bool contiguous = isContiguous(axes);
    const bool isView =
        contiguous || (!call->flat && viewStrides(axes, newSizes, call->newRank, newStrides));
    if (contiguous || !isView)
        contiguousStrides(newSizes, call->newRank, newStrides);
    if (isView) {
        sc_retain(call->owner);
        call->owner |= ownerView;
    }
    return isView;
}

// NumPy's reshape gives a view of the copy, its ravel the copy itself.
void becomeCopy(Reshape *call, void *data, void *buffer) {
    call->data = data;
    call->owner = reinterpret_cast<uintptr_t>(buffer) | (call->flat ? 0 : ownerView);
}

extern "C" int32_t sc_reshape(Context *ctx, Reshape *call) {
    if (becomeView(call))
        return 0;
    const auto *sizes = reinterpret_cast<const int64_t *>(call + 1);
    const Axes axes = longAxes(sizes, sizes + call->rank, call->rank);
    int64_t bytes = call->itemSize;
    for (int d = 0; d < axes.rank; ++d)
        bytes *= axes.sizes[d];
    void *copy = sc_alloc(ctx, bytes);
    if (!copy)
        return 1;
    copyItems(call->data, copy, call->itemSize, coalesced(axes));
    becomeCopy(call, copy, copy);
    return 0;
}

// (a, rank, sizes...), with as many elements: 0 if such a reshape is a view, else the operation's
// exception.
extern "C" int64_t sc_reshape_fits(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    const Axes axes = longAxes(a.sizes, a.strides, a.rank);
    int64_t sizes[maxAxes], strides[maxAxes];
    const int64_t rank = in.number();
    for (int64_t d = 0; d < rank; ++d)
        sizes[d] = in.number();
    return isContiguous(axes) || viewStrides(axes, sizes, rank, strides) ? 0 : nativeRaises;
}

SymbolTable reshapeSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_reshape>(),
        symbolOf<&sc_reshape_fits>(),
    };
    return table;
}

} // namespace shapecast::runtime
