// Matrix products of arrays on a device: which kernel of kernels/product.h, and into how many parts
// the sums are split so that there are enough blocks.
#include "kernels/product.h"
#include "runtime/device_kernels.h"
#include "runtime/symbols.h"

#include <cstdlib>

namespace shapecast::runtime {
namespace {

using kernels::Product;

// Sizes and strides of the last two axes; of a vector the missing one is of size 1.
struct Matrix {
    int64_t rows, columns, row, column;

    Matrix(const NativeArray &a, bool hasRows, bool hasColumns) {
        int64_t axis = a.rank;
        columns = hasColumns ? a.sizes[--axis] : 1;
        column = hasColumns ? a.strides[axis] : 0;
        rows = hasRows ? a.sizes[--axis] : 1;
        row = hasRows ? a.strides[axis] : 0;
    }
};

int64_t workBytes(const NativeArray &a) { return std::max<int64_t>(a.itemSize(), 4); }

// Enough parts for so many blocks (or warps), of at least `least` terms each.
void split(Product &p, int64_t units, int64_t wanted, int64_t least) {
    const int64_t parts = std::clamp<int64_t>(wanted / std::max<int64_t>(units, 1), 1,
                                              std::max<int64_t>(p.depth / least, 1));
    p.partDepth = std::max<int64_t>(ceilDiv(ceilDiv(p.depth, parts), 16) * 16, 16);
    p.parts = std::max<int64_t>(ceilDiv(p.depth, p.partDepth), 1);
}

// So that c is one column.
void transpose(Product &p) {
    std::swap(p.a, p.b);
    std::swap(p.rows, p.columns);
    std::swap(p.aRow, p.bColumn);
    std::swap(p.aColumn, p.bRow);
    std::swap(p.cRow, p.cColumn);
    for (int64_t d = 0; d < kernels::mostAxes; ++d)
        std::swap(p.stack.strides[0][d], p.stack.strides[1][d]);
}

struct Launch {
    int64_t kernel, blocks;
};

Launch planVector(Product &p, const int64_t *kernels) {
    constexpr int64_t warps = kernels::blockThreads / 32;
    if (p.columns != 1)
        transpose(p);
    const bool alongRows = p.rows == 1 || std::abs(p.aColumn) <= std::abs(p.aRow);
    const int64_t units = (alongRows ? p.rows : ceilDiv(p.rows, 32)) * p.matrices;
    split(p, units, alongRows ? 2048 : 256, alongRows ? 1024 : 512);
    return {kernels[alongRows ? RowProducts : ColumnProducts],
            alongRows ? ceilDiv(units * p.parts, warps) : units * p.parts};
}

Launch planTiles(Product &p, const int64_t *kernels) {
    auto count = [&](int64_t tile) {
        return ceilDiv(p.rows, tile) * ceilDiv(p.columns, tile) * p.matrices;
    };
    const bool isLarge = kernels[LargeTileProducts] >= 0 && count(128) >= 64;
    const int64_t tiles = count(isLarge ? 128 : 64);
    split(p, tiles, 256, 256);
    return {kernels[isLarge ? LargeTileProducts : TileProducts], tiles * p.parts};
}

// With the places of the operands; `c` is an array or memory for one number.
int32_t run(Context *ctx, Product p, const NativeArray &a, const int64_t *kernels) {
    const Launch launch =
        kernels[TileProducts] < 0 ? planVector(p, kernels) : planTiles(p, kernels);
    if (p.parts == 1)
        return launchKernel(ctx, launch.kernel, p, launch.blocks);
    const int64_t elements = p.matrices * p.rows * p.columns;
    const DeviceScratch partials(ctx, p.parts * elements * workBytes(a));
    if (!partials)
        return 1;
    p.partials = partials.get();
    if (const int32_t failed = launchKernel(ctx, launch.kernel, p, launch.blocks))
        return failed;
    return launchKernel(ctx, kernels[SumOfParts], p, ceilDiv(elements, kernels::blockThreads));
}

} // namespace

extern "C" int32_t sc_device_product(Context *ctx, const int64_t *slots, const int64_t *kernels,
                                     void *result) {
    NativeOperands in(slots);
    const bool hasRows = in.number(), hasColumns = in.number();
    const NativeArray a = in.array(), b = in.array();
    const Matrix left(a, hasRows, true), right(b, true, hasColumns);
    Product p{};
    p.rows = left.rows;
    p.columns = right.columns;
    p.depth = left.columns;
    p.aRow = left.row;
    p.aColumn = left.column;
    p.bRow = right.row;
    p.bColumn = right.column;
    p.matrices = 1;
    if (result) {
        const DeviceScratch number(ctx, 16);
        if (!number)
            return 1;
        p.a = a.data;
        p.b = b.data;
        p.c = number.get();
        const int32_t failed = run(ctx, p, a, kernels);
        return failed ? failed : sc_device_read(ctx, result, number.get(), a.itemSize());
    }
    const NativeArray c = in.array();
    const Matrix product(c, hasRows, hasColumns);
    p.cRow = product.row;
    p.cColumn = product.column;
    if (c.count() == 0)
        return 0;
    Space<3> stack;
    for (int64_t d = 0; d < c.rank - hasRows - hasColumns; ++d)
        stack.add(c.sizes[d], {a.strides[d], b.strides[d], c.strides[d]});
    const int64_t item = a.itemSize();
    return forAxes(stack, [&](const kernels::Axes<3> &axes, const int64_t (&offsets)[3]) {
        p.stack = axes;
        p.matrices = 1;
        for (int d = 0; d < axes.rank; ++d)
            p.matrices *= axes.sizes[d];
        p.a = a.data + offsets[0] * item;
        p.b = b.data + offsets[1] * item;
        p.c = c.data + offsets[2] * item;
        return run(ctx, p, a, kernels);
    });
}

} // namespace shapecast::runtime
