// Buffers of compiled code, copies and fills of every length, and matrix products with every stride
// pattern, against a plain triple loop.
#include "runtime/memory.h"
#include "runtime/openblas.h"
#include "runtime/reshape.h"
#include "runtime/symbols.h"
#include "runtime/threads.h"

#include <cassert>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

using namespace shapecast::runtime;

using Gemm = int32_t (*)(Context *, int64_t, int64_t, int64_t, const void *, int64_t, int64_t,
                         const void *, int64_t, int64_t, void *, int64_t, int64_t);

static void *functionNamed(const char *name) {
    const RuntimeSymbol *symbol = findRuntimeSymbol(name);
    return symbol ? symbol->address : nullptr;
}

template <class T> static void testProduct(const char *name) {
    auto gemm = reinterpret_cast<Gemm>(functionNamed(name));
    assert(gemm);
    Context ctx;
    const int64_t sizes[] = {0, 1, 2, 5, 17};
    for (int64_t m : sizes)
        for (int64_t n : sizes)
            for (int64_t k : sizes)
                for (int layout = 0; layout < 8;
                     ++layout) { // row-major, column-major, gaps, negative steps
                    auto strides = [&](int64_t rows, int64_t columns, bool columnMajor) {
                        const int64_t gap = layout & 4 ? 2 : 1;
                        return columnMajor ? std::pair{gap, gap * rows}
                                           : std::pair{gap * columns, gap};
                    };
                    auto [aRow, aColumn] = strides(m, k, layout & 1);
                    auto [bRow, bColumn] = strides(k, n, layout & 2);
                    auto [cRow, cColumn] = strides(m, n, layout == 3);
                    std::vector<T> a(4 * m * k + 1), b(4 * k * n + 1), c(4 * m * n + 1, T(77));
                    for (size_t i = 0; i < a.size(); ++i)
                        a[i] = T(static_cast<int>(i * 7 % 5) - 2);
                    for (size_t i = 0; i < b.size(); ++i)
                        b[i] = T(static_cast<int>(i * 3 % 7) - 3);
                    const T *x = a.data();
                    if (layout == 5 && m > 0) // rows from the last to the first
                        x += (m - 1) * aRow, aRow = -aRow;
                    assert(gemm(&ctx, m, n, k, x, aRow, aColumn, b.data(), bRow, bColumn, c.data(),
                                cRow, cColumn) == 0);
                    for (int64_t i = 0; i < m; ++i)
                        for (int64_t j = 0; j < n; ++j) {
                            T sum{};
                            for (int64_t l = 0; l < k; ++l)
                                sum += x[i * aRow + l * aColumn] * b[l * bRow + j * bColumn];
                            assert(c[i * cRow + j * cColumn] ==
                                   sum); // small integers: exact in every order
                        }
                }
}

static void testBuffers() {
    Context ctx;
    const int64_t before = liveAllocations();
    std::vector<void *> all;
    for (int64_t bytes : {0, 1, 64, 65, 1000, 65472, 65473, 100000, 4 << 20, 40 << 20}) {
        void *data = sc_alloc(&ctx, bytes);
        assert(data && reinterpret_cast<uintptr_t>(data) % 64 == 0);
        std::memset(data, 1, static_cast<size_t>(bytes));
        assert(bufferBytes(data) == static_cast<size_t>(bytes));
        all.push_back(data);
    }
    assert(liveAllocations() == before + 10);
    sc_retain(reinterpret_cast<uintptr_t>(all[3]));
    sc_release(&ctx, reinterpret_cast<uintptr_t>(all[3]) | ownerView);
    assert(liveAllocations() == before + 10);
    sc_release(&ctx, reinterpret_cast<uintptr_t>(all[3]));
    assert(liveAllocations() == before + 9);
    sc_release(&ctx, uintptr_t{2} << 2 | ownerArgument); // no effect
    detach(&ctx, all[9]);
    releaseAll(&ctx);
    assert(liveAllocations() == before + 1);
    freeDetached(all[9]);
    assert(liveAllocations() == before);
    assert(!sc_alloc(&ctx, -1) && ctx.error.site == -2);
}

// One call of sc_reshape: the header, the lists that follow it, room for the new strides.
struct Reshaped {
    Reshape call;
    int64_t lists[8];
};

static void testReshape() {
    Context ctx;
    const int64_t before = liveAllocations();
    auto *data = static_cast<int64_t *>(sc_alloc(&ctx, 6 * 8));
    for (int64_t i = 0; i < 6; ++i)
        data[i] = i;
    const auto owner = reinterpret_cast<uintptr_t>(data);

    Reshaped view{{data, owner, 8, 2, 1, 0}, {3, 2, 2, 1, 6}};
    assert(sc_reshape(&ctx, &view.call) == 0 && view.lists[5] == 1);
    assert(view.call.data == data && view.call.owner == (owner | ownerView));
    sc_release(&ctx, reinterpret_cast<uintptr_t>(data)); // the view keeps the buffer
    assert(liveAllocations() == before + 1);

    Reshaped copy{{data, owner, 8, 2, 1, 0}, {2, 3, 1, 2, 6}}; // transposed
    assert(sc_reshape(&ctx, &copy.call) == 0 && copy.call.data != data);
    const int64_t wanted[] = {0, 2, 4, 1, 3, 5};
    assert(std::memcmp(copy.call.data, wanted, sizeof wanted) == 0);
    assert(copy.call.owner == (reinterpret_cast<uintptr_t>(copy.call.data) | ownerView));
    assert(liveAllocations() == before + 2);

    Reshaped steps{{data, owner, 8, 2, 1, 0}, {1, 3, 77, 2, 3}};
    assert(sc_reshape(&ctx, &steps.call) == 0 && steps.call.data == data && steps.lists[5] == 2);
    Reshaped flat{{data, owner, 8, 2, 1, 1}, {1, 3, 77, 2, 3}}; // np.ravel: a copy of its own
    assert(sc_reshape(&ctx, &flat.call) == 0 && flat.call.data != data && flat.lists[5] == 1);
    assert(flat.call.owner == reinterpret_cast<uintptr_t>(flat.call.data));

    const int64_t huge = int64_t{1} << 46;
    Reshaped broadcast{{data, owner, 8, 2, 1, 0}, {huge, 2, 0, 1, 2 * huge}};
    assert(sc_reshape(&ctx, &broadcast.call) == 1 && ctx.error.site == -2);
    releaseAll(&ctx);
    assert(liveAllocations() == before);
}

// Bytes before and after stay unchanged; also with several threads.
static void testCopiesAndFills() {
    auto fill =
        reinterpret_cast<void (*)(Context *, void *, int64_t, int64_t)>(functionNamed("sc_fill"));
    auto copy = reinterpret_cast<void (*)(Context *, void *, const void *, int64_t)>(
        functionNamed("sc_copy"));
    setThreadCount(2);
    for (int64_t minWork : {INT64_MAX, int64_t{1}})
        for (int64_t bytes = 0; bytes < 400'000; bytes = bytes < 300 ? bytes + 1 : 7 * bytes / 3)
            for (int64_t itemSize : {1, 2, 4, 8})
                for (int64_t offset : {0, 1, 13}) {
                    Context ctx;
                    ctx.minParallelWork = minWork;
                    const int64_t length = bytes / itemSize * itemSize;
                    std::vector<char> out(size_t(length + 64), 'x'), from(out.size());
                    const int64_t word = itemSize == 8   ? 0x0102030405060708
                                         : itemSize == 4 ? 0x0102030401020304
                                         : itemSize == 2 ? 0x0102010201020102
                                                         : 0x7777777777777777;
                    std::vector<char> wanted = out;
                    for (int64_t i = 0; i < length; ++i)
                        wanted[size_t(offset + i)] =
                            reinterpret_cast<const char *>(&word)[i % itemSize];
                    fill(&ctx, out.data() + offset, word, length);
                    assert(out == wanted);
                    for (size_t i = 0; i < from.size(); ++i)
                        from[i] = char(i * 7);
                    std::memcpy(wanted.data() + offset, from.data() + 1, size_t(length));
                    copy(&ctx, out.data() + offset, from.data() + 1, length);
                    assert(out == wanted && ctx.minParallelWork == minWork);
                }
    setThreadCount(1);
}

int main() {
    testBuffers();
    testCopiesAndFills();
    testReshape();
    if (const char *path = std::getenv("SHAPECAST_OPENBLAS"))
        setBlasLibrary(path);
    testProduct<double>("sc_gemm_d");
    testProduct<float>("sc_gemm_f");
    testProduct<std::complex<double>>("sc_gemm_D");
    testProduct<std::complex<float>>("sc_gemm_F");
    testProduct<int64_t>("sc_gemm_l");
    testProduct<int8_t>("sc_gemm_b");
    testProduct<_Float16>("sc_gemm_e");
    return 0;
}
