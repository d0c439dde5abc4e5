// Operations on arrays on a device by kernels of src/kernels: what is allocated and launched.
//
// `kernels` are the numbers of the kernels that may be needed, as sc_device_launch() takes them; -1
// where the function has none. Slots are as of runtime/native.h, with addresses of the device.
#pragma once

#include "kernels/launch.h"
#include "runtime/device_calls.h"
#include "runtime/native.h"

#include <initializer_list>

namespace shapecast::runtime {

// The order of the tables of kernels.
enum ProductKernel { TileProducts, LargeTileProducts, RowProducts, ColumnProducts, SumOfParts };
enum MaskKernel { MaskCount, MaskSums, MaskMove, MaskOffsets, MaskMoveRows };
enum IndexKernel { IndexMove, IndexCheck, IndexClear, IndexWinners };
enum SortKernel { SortTiles, SortMerge };
enum ScanKernel { ScanTiles, ScanLines };

extern "C" {
// c = a @ b. Slots: whether a and b have more than one axis, a, b, c. With `result` there is no c:
// the product of two vectors is stored there, in the host. Not 0: a failure.
int32_t sc_device_product(Context *ctx, const int64_t *slots, const int64_t *kernels, void *result);
// np.native on a device: operands and results are those of the host's functions. nativeFails: of a
// failure, too.
int64_t sc_device_count(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_nonzero(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_gather_mask(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_scatter_mask(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_gather(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_scatter(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_searchsorted(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_uniform_bins(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_sort(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_argsort(Context *ctx, const int64_t *slots, const int64_t *kernels);
// Of the device only.
int64_t sc_device_count_bins(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_count_numbers(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_sum_at(Context *ctx, const int64_t *slots, const int64_t *kernels);
}

// np.native of the device only, under a name for each of their operations.
int64_t sc_device_scan(Context *ctx, const int64_t *slots, const int64_t *kernels);
int64_t sc_device_at(Context *ctx, const int64_t *slots, const int64_t *kernels);

// Memory of the device until the end of the scope: work on the stream may still use it.
class DeviceScratch {
public:
    DeviceScratch(Context *ctx, int64_t bytes) : ctx(ctx), memory(sc_device_alloc(ctx, bytes)) {}
    DeviceScratch(const DeviceScratch &) = delete;
    ~DeviceScratch() {
        if (memory)
            sc_release(ctx, reinterpret_cast<uintptr_t>(memory));
    }
    explicit operator bool() const { return memory; }
    char *get() const; // its address

private:
    Context *ctx;
    void *memory;
};

// Not 0: a failure.
template <class Parameter>
int32_t launchKernel(Context *ctx, int64_t kernel, const Parameter &parameter, int64_t blocks) {
    return sc_device_launch(ctx, kernel, reinterpret_cast<const int64_t *>(&parameter), blocks, 1,
                            kernels::blockThreads, 1);
}

// The host's function on copies of the arrays among the slots (in their order), of which the first
// is written; `numbers` follow the last of them. For what is rare.
int64_t callOnHost(Context *ctx, const int64_t *slots, std::initializer_list<NativeArray> arrays,
                   int64_t numbers, int64_t (*function)(Context *, const int64_t *));

inline int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
// Enough for a thread an element.
inline int64_t blocksFor(int64_t elements) {
    return std::min<int64_t>(ceilDiv(elements, kernels::blockThreads), 1 << 16);
}

// A space as kernels take it. They have few axes: of one with more, use(axes, offsets) is called
// for each position along the first ones, with the arrays' offsets there, until it returns not 0.
template <int arrays, class Use> int32_t forAxes(const Space<arrays> &space, Use use) {
    const int outer = std::max(space.rank - kernels::mostAxes, 0);
    kernels::Axes<arrays> axes{};
    axes.rank = space.rank - outer;
    Space<arrays> first;
    first.rank = outer;
    for (int d = 0; d < space.rank; ++d) {
        (d < outer ? first.sizes[d] : axes.sizes[d - outer]) = space.sizes[d];
        for (int k = 0; k < arrays; ++k)
            (d < outer ? first.strides[k][d] : axes.strides[k][d - outer]) = space.strides[k][d];
    }
    int32_t status = 0;
    first.rows([&](int64_t count, const int64_t (&starts)[arrays], const int64_t (&steps)[arrays]) {
        for (int64_t i = 0; i < count && !status; ++i) {
            int64_t offsets[arrays];
            for (int k = 0; k < arrays; ++k)
                offsets[k] = starts[k] + i * steps[k];
            status = use(axes, offsets);
        }
        return !status;
    });
    return status;
}

} // namespace shapecast::runtime
