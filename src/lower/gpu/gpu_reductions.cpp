#include "lower/gpu/gpu_reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using gpu::Axis;
using gpu::blockThreads;
using np::DimAttr;
using Values = KernelBuilder::Values;

namespace {

constexpr int64_t manyBlocks = 1024;    // that keep every device busy
constexpr int64_t longestOfWarp = 1024; // elements that at most a warp reduces
constexpr int64_t leastOfBlock = 128;   // elements that at least a block reduces
constexpr int64_t manyResults = 2047;   // more keep every device busy with a warp each
constexpr int64_t leastOfSplit = 1024;  // elements of a row for each of several blocks
constexpr int64_t leastLines = 64;      // the same of a column

// The sizes that decide how a nest's reduction is split.
struct Split {
    DimAttr results, length;     // length: elements of a result
    DimAttr blocks, chunk;       // of a result: how many blocks, and elements of each
    bool isAlongColumns = false; // NestForm::Rows
    bool isSplit() const { return !blocks.isConst(1); }
};

DimAttr one(const KernelWork &work) { return work.number(1); }

// Results side by side in a block that reduces columns.
DimAttr columnsOf(const KernelWork &work, DimAttr results) {
    return np::dimMax(np::dimMin(results, work.number(warp)), one(work));
}

// Whether a block's shared memory holds what each of its threads has reduced.
bool fitsShared(const KernelWork &work) {
    constexpr size_t sharedBytes = 48 * 1024;
    size_t parts = work.isArgReduction;
    np::NestOp op = work.op;
    for (auto [value, combine] :
         llvm::zip_equal(op.getBody().front().getTerminator()->getOperands(), op.getCombine()))
        if (!cast<StringAttr>(combine).getValue().empty())
            parts += registerTypes(value.getType()).size();
    return parts * blockThreads * 8 <= sharedBytes;
}

Split splitOf(const KernelWork &work) {
    Split split{work.product(work.kept),
                work.product(work.reduced),
                {},
                {},
                work.plan.form == NestForm::Rows && fitsShared(work)};
    const int64_t least = split.isAlongColumns ? leastLines : leastOfSplit;
    DimAttr groups = split.isAlongColumns
                         ? np::dimCeilDiv(split.results, columnsOf(work, split.results))
                         : split.results;
    DimAttr perResult = np::dimFloorDiv(work.number(manyBlocks), np::dimMax(groups, one(work)));
    split.blocks = np::dimMax(
        np::dimMin(np::dimCeilDiv(split.length, work.number(least)), perResult), one(work));
    split.chunk = np::dimCeilDiv(split.length, split.blocks);
    return split;
}

class Reduction {
public:
    Reduction(ModuleOp module, StringRef name, const KernelWork &work, const Split &split,
              const LaunchShape &shape)
        : split(split), work(work), kernel(module, &work, name, shape), builder(kernel, work),
          b(builder.b), loc(builder.loc) {}

    void elements();
    void total();
    int64_t parts() { return int64_t(ValueRange(builder.identities(b)).size()); }
    func::FuncOp finish() { return kernel.finish(); }

private:
    // Of a result: combines its element at an index with what is carried.
    using Each = llvm::function_ref<Values(OpBuilder &, Value, Value, ValueRange)>;
    // Threads along `along` have a result each, one after the other; those along the other axis
    // share its elements `from` to `to`, and the first of them does `then`.
    void overResults(Axis along, Value from, Value to, Each each,
                     llvm::function_ref<void(OpBuilder &, Value, ValueRange)> then);
    void finishResult(OpBuilder &inside, Value result, ValueRange values);
    Value slot(OpBuilder &builder, Value result, Value block);
    Value slotsPerPart(OpBuilder &at) {
        return builder.size(at, np::dimMul(split.results, split.blocks));
    }
    // The elements of a result that this block reduces.
    std::pair<Value, Value> chunk();
    gpu::Combine combine() {
        return [this](OpBuilder &inside, ValueRange left, ValueRange right) {
            return builder.combine(inside, left, right);
        };
    }
    Operation *sharedSlots(int64_t slots) {
        OpBuilder outside(kernel.function);
        return gpu::sharedSlots(outside, loc, kernel.name + "_shared",
                                builder.identities(b).size() * size_t(slots));
    }

    const Split &split;
    const KernelWork &work;
    KernelFunction kernel;
    KernelBuilder builder;
    OpBuilder &b;
    Location loc;
};

// Neighbouring blocks' slots of one result are adjacent; of columns, neighbouring results'.
Value Reduction::slot(OpBuilder &at, Value result, Value block) {
    auto multiply = [&](Value x, DimAttr y) -> Value {
        return arith::MulIOp::create(at, loc, x, builder.size(at, y));
    };
    if (split.isAlongColumns)
        return arith::AddIOp::create(at, loc, multiply(block, split.results), result);
    return arith::AddIOp::create(at, loc, multiply(result, split.blocks), block);
}

std::pair<Value, Value> Reduction::chunk() {
    Value length = builder.size(b, split.length);
    if (!split.isSplit())
        return {builder.constant(b, 0), length};
    Value each = builder.size(b, split.chunk);
    Value from = arith::MulIOp::create(b, loc, gpu::blockId(b, loc, Axis::Y), each);
    Value to = arith::AddIOp::create(b, loc, from, each);
    return {from, arith::MinSIOp::create(b, loc, to, length)};
}

// The result itself, or the block's part of it.
void Reduction::finishResult(OpBuilder &inside, Value result, ValueRange values) {
    auto store = [&](OpBuilder &at) {
        builder.bindLoops(at, work.kept, result);
        builder.storeReductions(at, values);
    };
    if (!split.isSplit())
        return store(inside);
    Value blocks = gpu::blockCount(inside, loc, Axis::Y);
    Value isWhole = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq, blocks,
                                          builder.constant(inside, 1));
    builder.when(inside, isWhole, store, [&](OpBuilder &at) {
        Value index = slot(at, result, gpu::blockId(at, loc, Axis::Y)), next = slotsPerPart(at);
        for (Value part : values) {
            gpu::storeSlot(at, loc, kernel.partialSlots, index, part);
            index = arith::AddIOp::create(at, loc, index, next);
        }
    });
}

void Reduction::overResults(Axis along, Value from, Value to, Each each,
                            llvm::function_ref<void(OpBuilder &, Value, ValueRange)> then) {
    const bool areColumns = along == Axis::X;
    const Axis sharing = areColumns ? Axis::Y : Axis::X;
    Operation *shared = sharedSlots(areColumns ? blockThreads : gpu::blockWarps);
    Value threads = gpu::threadCount(b, loc, sharing), wide = gpu::threadCount(b, loc, along);
    Value thread = gpu::threadId(b, loc, sharing), own = gpu::threadId(b, loc, along);
    Value results = builder.size(b, split.results), zero = builder.constant(b, 0);
    Value first = arith::MulIOp::create(b, loc, gpu::blockId(b, loc, Axis::X), wide);
    Value all = arith::MulIOp::create(b, loc, gpu::blockCount(b, loc, Axis::X), wide);
    from = arith::AddIOp::create(b, loc, from, thread);
    Value leads = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, zero);
    // All threads do all iterations, so that they meet where they exchange values; those without a
    // result reduce nothing.
    builder.loop(b, first, results, all, {}, [&](OpBuilder &inside, Value start, ValueRange) {
        Value result = arith::AddIOp::create(inside, loc, start, own);
        Value exists =
            arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, result, results);
        Value end = arith::SelectOp::create(inside, loc, exists, to, zero);
        builder.bindLoops(inside, work.kept, result);
        Values values = builder.loop(inside, from, end, threads, builder.identities(inside),
                                     [&](OpBuilder &within, Value index, ValueRange carried) {
                                         return each(within, result, index, carried);
                                     });
        values = areColumns ? gpu::reduceColumns(inside, loc, values, shared, combine())
                            : gpu::reduceGroup(inside, loc, values, builder.identities(inside),
                                               threads, shared, combine());
        Value stores = arith::AndIOp::create(inside, loc, leads, exists);
        builder.when(inside, stores, [&](OpBuilder &at) { then(at, result, values); });
        return Values();
    });
}

void Reduction::elements() {
    auto [from, to] = chunk();
    overResults(
        split.isAlongColumns ? Axis::X : Axis::Y, from, to,
        [&](OpBuilder &inside, Value, Value index, ValueRange carried) {
            builder.bindLoops(inside, work.reduced, index);
            return builder.at(inside, carried);
        },
        [&](OpBuilder &inside, Value result, ValueRange values) {
            finishResult(inside, result, values);
        });
}

void Reduction::total() {
    const Values start = builder.identities(b);
    overResults(
        Axis::Y, builder.constant(b, 0), builder.size(b, split.blocks),
        [&](OpBuilder &inside, Value result, Value block, ValueRange carried) {
            Values parts;
            Value index = slot(inside, result, block), next = slotsPerPart(inside);
            for (Value part : start) {
                parts.push_back(
                    gpu::loadSlot(inside, loc, kernel.partialSlots, index, part.getType()));
                index = arith::AddIOp::create(inside, loc, index, next);
            }
            return builder.combine(inside, carried, parts);
        },
        [&](OpBuilder &inside, Value, ValueRange values) {
            builder.storeReductions(inside, values);
        });
}

// Whether a block reduces a row, and not a warp: where warps would take long, or be few.
DimAttr isLong(const KernelWork &work, const Split &split) {
    DimAttr areFew = np::dimSub(one(work), work.exceeds(split.results, manyResults));
    return np::dimMax(work.exceeds(split.length, longestOfWarp),
                      np::dimMin(work.exceeds(split.length, leastOfBlock), areFew));
}

LaunchShape shapeOf(const KernelWork &work, const Split &split) {
    if (split.isAlongColumns) {
        DimAttr x = columnsOf(work, split.results);
        DimAttr y = np::dimFloorDiv(work.number(blockThreads), x);
        return {{x, y},
                {np::dimCeilDiv(split.results, x), split.blocks},
                "blocks of 256 threads on up to 32 results, more blocks where these are few"};
    }
    DimAttr x = work.threadsFor(split.length, isLong(work, split));
    DimAttr y = np::dimFloorDiv(work.number(blockThreads), x);
    return {{x, y},
            {np::dimCeilDiv(split.results, y), split.blocks},
            work.kept.empty() ? "up to 1024 blocks of 256 threads"
                              : "1 to 32 threads a result, or one or more blocks of 256"};
}

LaunchShape shapeOfTotal(const KernelWork &work, const Split &split) {
    DimAttr x = work.threadsFor(split.blocks, work.exceeds(split.blocks, warp));
    DimAttr y = np::dimFloorDiv(work.number(blockThreads), x);
    DimAttr blocks = np::dimCeilDiv(split.results, y);
    return {{x, y},
            {np::dimMul(blocks, work.exceeds(split.blocks, 1)), one(work)},
            work.kept.empty() ? "a block of 256 threads" : "1 to 32 threads a result, or 256"};
}

} // namespace

DimAttr emitReductionKernels(ModuleOp module, StringRef name, KernelWork work, int64_t &parts,
                             SmallVectorImpl<func::FuncOp> &kernels) {
    const Split split = splitOf(work);
    work.hasPartials = split.isSplit();
    for (DimAttr size : {split.blocks, split.chunk})
        if (split.isSplit() && !llvm::is_contained(work.sizes, size))
            work.sizes.push_back(size);
    Reduction first(module, name, work, split, shapeOf(work, split));
    parts = first.parts();
    first.elements();
    kernels.push_back(first.finish());
    if (!split.isSplit())
        return {};
    Reduction second(module, (name + "_total").str(), work, split, shapeOfTotal(work, split));
    second.total();
    kernels.push_back(second.finish());
    return np::dimMul(np::dimMul(split.results, split.blocks), work.exceeds(split.blocks, 1));
}

} // namespace shapecast
