#include "lower/gpu/gpu_rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace shapecast {

using gpu::Axis;
using gpu::blockThreads;
using np::DimAttr;
using Values = KernelBuilder::Values;

namespace {

constexpr int64_t longestOfWarp = 128; // elements; the cache has longer rows for fewer groups only
constexpr int64_t manyRows = 255;      // more keep every device busy
constexpr int64_t longRow = 4096; // elements of which more need several blocks, if rows are few

// The first iterators of all nests of the group: all that are parallel where something is reduced.
unsigned rowIterators(ArrayRef<KernelWork> nests) {
    for (const KernelWork &nest : nests)
        if (np::NestOp op = nest.op; op.getReduced() > 0)
            return unsigned(op.getSpace().size()) - unsigned(op.getReduced());
    llvm_unreachable("a group has a reduction");
}

bool isRow(const NestLoop &loop, unsigned rows) {
    for (unsigned k = 0; k < rows; ++k)
        if (loop.iterators[0] == iteratorSymbol(loop.iterators[0].getContext(), k))
            return true;
    return false;
}

// The loops of a nest that are within a row: kept ones, or reduced ones.
SmallVector<unsigned> withinRow(const KernelWork &nest, unsigned rows) {
    if (hasReduction(nest.plan))
        return nest.reduced;
    return llvm::to_vector(llvm::make_filter_range(
        nest.kept, [&](unsigned k) { return !isRow(nest.plan.loops[k], rows); }));
}

DimAttr rowCount(const KernelWork &nest, unsigned rows) {
    np::NestOp op = nest.op;
    DimAttr count = nest.number(1);
    for (Attribute size : op.getSpace().getValue().take_front(rows))
        count = np::dimMul(count, cast<DimAttr>(size));
    return count;
}

DimAttr longest(ArrayRef<KernelWork> nests, unsigned rows) {
    DimAttr most = nests.front().number(1);
    for (const KernelWork &nest : nests)
        most = np::dimMax(most, nest.product(withinRow(nest, rows)));
    return most;
}

class RowKernel {
public:
    RowKernel(ArrayRef<KernelWork> nests, KernelFunction &kernel)
        : nests(nests), rows(rowIterators(nests)), kernel(kernel) {
        for (const KernelWork &nest : nests)
            builders.push_back(std::make_unique<KernelBuilder>(kernel, nest));
    }

    void emit();

private:
    void nest(OpBuilder &inside, KernelBuilder &builder, Value row, Value exists);
    void bindRow(OpBuilder &inside, KernelBuilder &builder, Value row);

    ArrayRef<KernelWork> nests;
    unsigned rows;
    KernelFunction &kernel;
    SmallVector<std::unique_ptr<KernelBuilder>> builders;
    unsigned reductions = 0;
};

void RowKernel::bindRow(OpBuilder &inside, KernelBuilder &builder, Value row) {
    Location loc = builder.loc;
    for (unsigned k = rows; k-- > 0;) {
        Value index = row;
        if (k > 0) {
            Value size = builder.size(inside, cast<DimAttr>(builder.op.getSpace()[k]));
            index = arith::RemUIOp::create(inside, loc, row, size);
            row = arith::DivUIOp::create(inside, loc, row, size);
        }
        builder.dims.bind(iteratorSymbol(inside.getContext(), k), index);
    }
}

// The elements of a row, shared by the threads along x; those of groups without a row do nothing,
// but meet the others where values are exchanged.
void RowKernel::nest(OpBuilder &inside, KernelBuilder &builder, Value row, Value exists) {
    Location loc = builder.loc;
    DimValues::Scope scope(builder.dims);
    bindRow(inside, builder, row);
    const SmallVector<unsigned> loops = withinRow(builder.work, rows);
    Value zero = builder.constant(inside, 0), threads = gpu::threadCount(inside, loc, Axis::X);
    Value thread = gpu::threadId(inside, loc, Axis::X);
    Value end = arith::SelectOp::create(inside, loc, exists,
                                        builder.size(inside, builder.work.product(loops)), zero);
    const bool reduces = hasReduction(builder.plan);
    Values values = reduces ? builder.identities(inside) : Values();
    values = builder.loop(inside, thread, end, threads, values,
                          [&](OpBuilder &within, Value index, ValueRange carried) {
                              builder.bindLoops(within, loops, index);
                              return builder.at(within, carried);
                          });
    if (!reduces)
        return;
    OpBuilder outside(kernel.function);
    const Values identities = builder.identities(inside);
    Operation *shared =
        gpu::sharedSlots(outside, loc, kernel.name + "_shared" + std::to_string(reductions++),
                         identities.size() * size_t(gpu::blockWarps));
    values = gpu::reduceGroup(inside, loc, values, identities, threads, shared,
                              [&](OpBuilder &at, ValueRange left, ValueRange right) {
                                  return builder.combine(at, left, right);
                              });
    Value leads = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq, thread, zero);
    builder.when(inside, arith::AndIOp::create(inside, loc, leads, exists),
                 [&](OpBuilder &at) { builder.storeReductions(at, values); });
}

void RowKernel::emit() {
    KernelBuilder &first = *builders.front();
    OpBuilder &b = first.b;
    Location loc = first.loc;
    b.setInsertionPointToEnd(&kernel.function.getBody().front());
    Value groups = gpu::threadCount(b, loc, Axis::Y);
    Value start = arith::MulIOp::create(b, loc, gpu::blockId(b, loc, Axis::X), groups);
    Value all = arith::MulIOp::create(b, loc, gpu::blockCount(b, loc, Axis::X), groups);
    Value count = first.size(b, rowCount(nests.front(), rows));
    first.loop(b, start, count, all, {}, [&](OpBuilder &inside, Value base, ValueRange) {
        Value row = arith::AddIOp::create(inside, loc, base, gpu::threadId(inside, loc, Axis::Y));
        Value exists = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, row, count);
        for (auto &builder : builders) {
            nest(inside, *builder, row, exists);
            if (builder != builders.back())
                NVVM::Barrier0Op::create(inside, loc);
        }
        return Values();
    });
}

} // namespace

DimAttr asksForRowKernel(ArrayRef<KernelWork> nests) {
    const KernelWork &first = nests.front();
    const unsigned rows = rowIterators(nests);
    DimAttr areMany = first.exceeds(rowCount(first, rows), manyRows);
    DimAttr areLong = first.exceeds(longest(nests, rows), longRow);
    return np::dimMax(areMany, np::dimSub(first.number(1), areLong));
}

NestKernels emitRowKernel(ModuleOp module, StringRef name, ArrayRef<KernelWork> nests) {
    const KernelWork &first = nests.front();
    const unsigned rows = rowIterators(nests);
    DimAttr x =
        first.threadsFor(longest(nests, rows), first.exceeds(longest(nests, rows), longestOfWarp));
    DimAttr y = np::dimFloorDiv(first.number(blockThreads), x);
    const LaunchShape shape{
        {x, y},
        {np::dimMul(np::dimCeilDiv(rowCount(first, rows), y), asksForRowKernel(nests)),
         first.number(1)},
        "1 to 32 threads a row, or a block of 256"};
    SmallVector<const KernelWork *> all;
    for (const KernelWork &nest : nests)
        all.push_back(&nest);
    KernelFunction kernel(module, all, name, shape);
    RowKernel(nests, kernel).emit();
    NestKernels made;
    made.kernels.push_back(kernel.finish());
    llvm::append_range(made.pointers, llvm::make_first_range(kernel.pointers));
    made.scalars = kernel.scalars;
    return made;
}

} // namespace shapecast
