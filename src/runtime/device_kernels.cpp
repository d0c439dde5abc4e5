// What device_*.cpp share, and the table of their functions.
#include "runtime/device_kernels.h"

#include "runtime/device_memory.h"

#include "kernels/search.h"
#include "runtime/symbols.h"

namespace shapecast::runtime {

char *DeviceScratch::get() const {
    return reinterpret_cast<char *>(static_cast<const DeviceMemory *>(memory)->address);
}

int64_t callOnHost(Context *ctx, const int64_t *slots, std::initializer_list<NativeArray> arrays,
                   int64_t numbers, int64_t (*function)(Context *, const int64_t *)) {
    const NativeArray &last = *(arrays.end() - 1);
    std::vector<int64_t> own(slots, last.strides + last.rank + numbers);
    std::vector<int64_t> borrowed;
    for (const NativeArray &array : arrays) {
        borrowed.insert(borrowed.end(), {reinterpret_cast<int64_t>(array.data), borrowed.empty(),
                                         array.itemSize(), array.rank});
        borrowed.insert(borrowed.end(), array.sizes, array.strides + array.rank);
    }
    void *copies = sc_device_borrow(ctx, borrowed.data(), int64_t(arrays.size()));
    if (!copies)
        return nativeFails;
    const int64_t *at = borrowed.data();
    for (const NativeArray &array : arrays) {
        own[size_t(array.sizes - 1 - slots)] = *at;
        at += 4 + 2 * array.rank;
    }
    const int64_t result = function(ctx, own.data());
    return sc_device_unborrow(ctx, copies) ? nativeFails : result;
}

extern "C" int64_t sc_device_searchsorted(Context *ctx, const int64_t *slots,
                                          const int64_t *kernels) {
    NativeOperands in(slots);
    const NativeArray places = in.array(), line = in.array(), values = in.array();
    const kernels::Search p{
        line.data,         values.data,       reinterpret_cast<int64_t *>(places.data),
        line.sizes[0],     values.sizes[0],   line.strides[0],
        values.strides[0], places.strides[0], in.number()};
    return launchKernel(ctx, kernels[0], p, blocksFor(p.count)) ? nativeFails : 0;
}

#define SC_SCANS(use)                                                                              \
    use(add) use(multiply) use(maximum) use(minimum) use(fmax) use(fmin) use(bitwise_and)          \
        use(bitwise_or) use(bitwise_xor)
#define SC_AT(use)                                                                                 \
    use(add) use(subtract) use(multiply) use(maximum) use(minimum) use(bitwise_and)                \
        use(bitwise_or) use(bitwise_xor)
#define SC_OF_SCAN(operation) symbolOf("sc_device_scan_" #operation, &sc_device_scan),
#define SC_OF_AT(operation) symbolOf("sc_device_at_" #operation, &sc_device_at),

SymbolTable deviceKernelsSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_device_product>(),       symbolOf<&sc_device_count>(),
        symbolOf<&sc_device_nonzero>(),       symbolOf<&sc_device_gather_mask>(),
        symbolOf<&sc_device_scatter_mask>(),  symbolOf<&sc_device_gather>(),
        symbolOf<&sc_device_scatter>(),       symbolOf<&sc_device_searchsorted>(),
        symbolOf<&sc_device_sort>(),          symbolOf<&sc_device_argsort>(),
        symbolOf<&sc_device_uniform_bins>(),  symbolOf<&sc_device_count_bins>(),
        symbolOf<&sc_device_count_numbers>(), symbolOf<&sc_device_sum_at>(),
        SC_SCANS(SC_OF_SCAN) SC_AT(SC_OF_AT)};
    return table;
}

} // namespace shapecast::runtime
