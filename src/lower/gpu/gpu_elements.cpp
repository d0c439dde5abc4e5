#include "lower/gpu/gpu_elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace shapecast {

using gpu::Axis;
using gpu::blockThreads;
using np::DimAttr;
using Values = KernelBuilder::Values;

namespace {

constexpr int64_t mostPerThread = 8;   // points of a thread, where there are many
constexpr int64_t manyBlocks = 1024;   // that keep every device busy
constexpr int64_t enoughBlocks = 288;  // the same, of stencils: larger tiles read less
constexpr int64_t tileColumns = 64;    // threads along the innermost loop
constexpr int64_t side = 32, rows = 8; // a tile in shared memory, and the threads along its rows
constexpr int64_t shortestSide = 16;   // of what goes through shared memory
constexpr unsigned mostTiles = 5;      // of eight bytes an element: shared memory has 48 KiB

//===-- A thread's points

class Elements {
public:
    Elements(ModuleOp module, StringRef name, KernelWork &work, DimAttr share)
        : work(work), inmost(ArrayRef(work.kept).take_back(1)),
          outer(ArrayRef(work.kept).drop_back(inmost.size())), shape(shapeOf(share)),
          kernel(module, &work, name, shape), builder(kernel, work) {}

    func::FuncOp emit() {
        if (outer.empty())
            alongLine();
        else
            overTile();
        return kernel.finish();
    }

private:
    LaunchShape shapeOf(DimAttr share);
    void alongLine();
    void overTile();
    void point(OpBuilder &inside);
    Values reduce(OpBuilder &inside, unsigned level, ValueRange accumulators);
    // Iterations of `count` that the block has along an axis: `each` at a time, with its threads
    // `step` apart.
    void share(OpBuilder &outside, Axis axis, DimAttr count, Value each, Value step,
               llvm::function_ref<void(OpBuilder &, Value)> inner);

    KernelWork &work;
    ArrayRef<unsigned> inmost, outer;
    DimAttr perBlock; // points (one loop) or rows
    LaunchShape shape;
    KernelFunction kernel;
    KernelBuilder builder;
};

// Whether it reads an array at several places.
bool isStencil(const NestPlan &plan) {
    llvm::SmallDenseSet<unsigned> arrays;
    return llvm::any_of(plan.reads, [&](const NestAccess &read) {
        return read.gatherAxes.empty() && !arrays.insert(read.pointer).second;
    });
}

// `share`, 0 or 1, says whether there are any blocks at all. Null: there are.
LaunchShape Elements::shapeOf(DimAttr share) {
    auto number = [&](int64_t value) { return work.number(value); };
    const int64_t busy = blockThreads * (isStencil(work.plan) ? enoughBlocks : manyBlocks);
    auto perThread = [&](DimAttr points) {
        return np::dimMin(np::dimMax(np::dimFloorDiv(points, number(busy)), number(1)),
                          number(mostPerThread));
    };
    DimAttr columns = work.product(inmost), lines = work.product(outer), one = number(1);
    LaunchShape made;
    if (outer.empty()) {
        perBlock = np::dimMul(number(blockThreads), perThread(columns));
        made = {{number(blockThreads), one},
                {np::dimCeilDiv(columns, perBlock), one},
                "blocks of 256 threads, 1 to 8 elements a thread"};
    } else {
        DimAttr x = np::dimMax(np::dimMin(columns, number(tileColumns)), one);
        DimAttr y = np::dimFloorDiv(number(blockThreads), x);
        perBlock = np::dimMul(y, perThread(np::dimMul(columns, lines)));
        made = {{x, y},
                {np::dimCeilDiv(columns, x), np::dimCeilDiv(lines, perBlock)},
                "blocks of 256 threads on tiles of up to 64 columns, 1 to 8 elements a thread"};
    }
    if (!perBlock.isConst() && !llvm::is_contained(work.sizes, perBlock))
        work.sizes.push_back(perBlock);
    if (share)
        made.blocks[0] = np::dimMul(made.blocks[0], share);
    return made;
}

void Elements::share(OpBuilder &outside, Axis axis, DimAttr count, Value each, Value step,
                     llvm::function_ref<void(OpBuilder &, Value)> inner) {
    Location loc = builder.loc;
    Value end = builder.size(outside, count);
    Value first = arith::MulIOp::create(outside, loc, gpu::blockId(outside, loc, axis), each);
    Value all = arith::MulIOp::create(outside, loc, gpu::blockCount(outside, loc, axis), each);
    Value thread = gpu::threadId(outside, loc, axis);
    builder.loop(outside, first, end, all, {}, [&](OpBuilder &b, Value start, ValueRange) {
        Value from = arith::AddIOp::create(b, loc, start, thread);
        Value to = arith::AddIOp::create(b, loc, start, each);
        to = arith::MinSIOp::create(b, loc, to, end);
        builder.loop(b, from, to, step, {}, [&](OpBuilder &inside, Value index, ValueRange) {
            inner(inside, index);
            return Values();
        });
        return Values();
    });
}

void Elements::alongLine() {
    share(builder.b, Axis::X, work.product(inmost), builder.size(builder.b, perBlock),
          builder.constant(builder.b, blockThreads), [&](OpBuilder &inside, Value index) {
              builder.bindLoops(inside, inmost, index);
              point(inside);
          });
}

void Elements::overTile() {
    OpBuilder &b = builder.b;
    Value wide = gpu::threadCount(b, builder.loc, Axis::X);
    Value high = gpu::threadCount(b, builder.loc, Axis::Y), each = builder.size(b, perBlock);
    share(b, Axis::X, work.product(inmost), wide, wide, [&](OpBuilder &column, Value x) {
        builder.bindLoops(column, inmost, x);
        share(column, Axis::Y, work.product(outer), each, high, [&](OpBuilder &inside, Value y) {
            builder.bindLoops(inside, outer, y);
            point(inside);
        });
    });
}

void Elements::point(OpBuilder &inside) {
    if (work.reduced.empty() && !hasReduction(work.plan))
        builder.at(inside, {});
    else
        builder.storeReductions(inside, reduce(inside, 0, builder.identities(inside)));
}

Values Elements::reduce(OpBuilder &inside, unsigned level, ValueRange accumulators) {
    if (level == work.reduced.size())
        return builder.at(inside, accumulators);
    const NestLoop &loop = work.plan.loops[work.reduced[level]];
    return builder.loop(inside, builder.constant(inside, 0), builder.size(inside, loop.size),
                        builder.constant(inside, 1), accumulators,
                        [&](OpBuilder &within, Value index, ValueRange carried) {
                            builder.dims.bind(loop.iterators[0], index);
                            return reduce(within, level + 1, carried);
                        });
}

//===-- Tiles in shared memory

// The reads that are adjacent along one other loop than the innermost one.
struct Staged {
    unsigned loop = 0;
    SmallVector<unsigned> reads;
};

Staged stagedReads(const KernelWork &work) {
    Staged staged;
    const unsigned inner = work.kept.empty() ? 0 : work.kept.back();
    auto isStep = [](DimAttr step) { return step.isConst(1) || step.isConst(-1); };
    auto isShort = [&](unsigned loop) {
        DimAttr size = work.plan.loops[loop].size;
        return size.isConst() && size.getValue() < shortestSide;
    };
    if (work.kept.size() < 2 || !work.reduced.empty() || isShort(inner))
        return staged;
    unsigned tiles = 0;
    for (auto [k, read] : llvm::enumerate(work.plan.reads)) {
        if (!read.gatherAxes.empty() || read.steps[inner].isConst(0) || isStep(read.steps[inner]))
            continue;
        for (unsigned loop : ArrayRef(work.kept).drop_back()) {
            const unsigned parts = isComplex(read.dtype) ? 2 : 1;
            if (!isStep(read.steps[loop]) || isShort(loop) || tiles + parts > mostTiles ||
                (!staged.reads.empty() && staged.loop != loop))
                continue;
            staged.loop = loop;
            staged.reads.push_back(unsigned(k));
            tiles += parts;
            break;
        }
    }
    return staged;
}

class Tiles {
public:
    Tiles(ModuleOp module, StringRef name, KernelWork &work, const Staged &staged, DimAttr share)
        : work(work), staged(staged), inner(work.kept.back()),
          others(llvm::to_vector(llvm::make_filter_range(
              work.kept, [&](unsigned k) { return k != inner && k != staged.loop; }))),
          kernel(module, &work, name, shapeOf(share)), builder(kernel, work) {}

    func::FuncOp emit();

private:
    DimAttr along(unsigned loop) const { // tiles
        return np::dimCeilDiv(work.plan.loops[loop].size, work.number(side));
    }
    DimAttr lines() const { return np::dimMul(along(staged.loop), work.product(others)); }
    LaunchShape shapeOf(DimAttr share) const {
        return {{work.number(side), work.number(rows)},
                {np::dimMul(along(inner), share), lines()},
                "blocks of 32 x 8 threads on tiles of 32 x 32 elements, through shared memory"};
    }
    void makeTiles();
    void overRows(OpBuilder &b, bool loads, llvm::function_ref<void(OpBuilder &, Value)> point);
    void load(OpBuilder &inside, Value slot);
    void compute(OpBuilder &inside, Value slot);
    Value address(OpBuilder &b, size_t tile, Value slot, Type type);

    KernelWork &work;
    const Staged &staged;
    unsigned inner;
    SmallVector<unsigned> others;
    KernelFunction kernel;
    KernelBuilder builder;
    SmallVector<LLVM::GlobalOp> tiles; // one for each part of each read
    SmallVector<SmallVector<Type, 2>> types;
    Value firstColumn, firstRow; // of the tile: along `inner` and along staged.loop
};

// At least four bytes, the width of a bank: narrower elements of a column would share banks.
Type storedType(Type part) {
    const unsigned bits = part.getIntOrFloatBitWidth();
    return bits < 32 ? IntegerType::get(part.getContext(), 32) : part;
}

Value toStored(OpBuilder &b, Location loc, Value part) {
    Type type = part.getType(), stored = storedType(type);
    if (type == stored)
        return part;
    Type integer = b.getIntegerType(type.getIntOrFloatBitWidth());
    if (type != integer)
        part = arith::BitcastOp::create(b, loc, integer, part);
    return arith::ExtUIOp::create(b, loc, stored, part);
}

Value fromStored(OpBuilder &b, Location loc, Value stored, Type type) {
    if (type == stored.getType())
        return stored;
    Type integer = b.getIntegerType(type.getIntOrFloatBitWidth());
    Value part = arith::TruncIOp::create(b, loc, integer, stored);
    return type == integer ? part : arith::BitcastOp::create(b, loc, type, part).getResult();
}

// A column more than is used keeps the accesses along columns in different banks.
void Tiles::makeTiles() {
    OpBuilder outside(kernel.function);
    for (unsigned read : staged.reads) {
        Type element = work.op.getBody().front().getArgument(read).getType();
        types.push_back(registerTypes(element));
        for (Type part : types.back())
            tiles.push_back(LLVM::GlobalOp::create(
                outside, builder.loc, LLVM::LLVMArrayType::get(storedType(part), side * (side + 1)),
                /*isConstant=*/false, LLVM::Linkage::Internal,
                kernel.name + "_tile" + std::to_string(tiles.size()), Attribute(), /*alignment=*/8,
                gpu::sharedSpace));
    }
}

Value Tiles::address(OpBuilder &b, size_t tile, Value slot, Type type) {
    Value base = LLVM::AddressOfOp::create(b, builder.loc, tiles[tile]);
    return LLVM::GEPOp::create(b, builder.loc, base.getType(), storedType(type), base,
                               ArrayRef<LLVM::GEPArg>{slot}, LLVM::GEPNoWrapFlags::inbounds);
}

// The thread's elements of the tile with their slots, in rows of `inner` when they are loaded, else
// in columns.
void Tiles::overRows(OpBuilder &b, bool loads, llvm::function_ref<void(OpBuilder &, Value)> point) {
    Location loc = builder.loc;
    Value x = gpu::threadId(b, loc, Axis::X);
    const NestLoop &columns = work.plan.loops[inner], &lines = work.plan.loops[staged.loop];
    for (int64_t row = 0; row < side; row += rows) {
        Value y = gpu::threadId(b, loc, Axis::Y);
        y = arith::AddIOp::create(b, loc, y, builder.constant(b, row));
        Value column = loads ? y : x, line = loads ? x : y;
        Value slot = arith::MulIOp::create(b, loc, column, builder.constant(b, side + 1));
        slot = arith::AddIOp::create(b, loc, slot, line);
        column = arith::AddIOp::create(b, loc, firstColumn, column);
        line = arith::AddIOp::create(b, loc, firstRow, line);
        auto isInside = [&](Value index, DimAttr size) -> Value {
            return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, index,
                                         builder.size(b, size));
        };
        Value exists = arith::AndIOp::create(b, loc, isInside(column, columns.size),
                                             isInside(line, lines.size));
        builder.when(b, exists, [&](OpBuilder &inside) {
            builder.dims.bind(columns.iterators[0], column);
            builder.dims.bind(lines.iterators[0], line);
            point(inside, slot);
        });
    }
}

void Tiles::load(OpBuilder &inside, Value slot) {
    Location loc = builder.loc;
    size_t tile = 0;
    for (unsigned number : staged.reads) {
        const NestAccess &read = work.plan.reads[number];
        Values parts;
        appendParts(parts, loadElement(inside, loc, builder.pointers[read.pointer],
                                       builder.offset(inside, read), read.dtype));
        for (Value part : parts)
            LLVM::StoreOp::create(inside, loc, toStored(inside, loc, part),
                                  address(inside, tile++, slot, part.getType()));
    }
}

void Tiles::compute(OpBuilder &inside, Value slot) {
    Location loc = builder.loc;
    KernelBuilder::Reads given;
    size_t tile = 0;
    for (auto [number, parts] : llvm::zip_equal(staged.reads, types)) {
        Values values;
        for (Type type : parts) {
            Value stored = LLVM::LoadOp::create(inside, loc, storedType(type),
                                                address(inside, tile++, slot, type));
            values.push_back(fromStored(inside, loc, stored, type));
        }
        ValueRange rest = values;
        given[number] = takeParts(work.op.getBody().front().getArgument(number).getType(), rest);
    }
    builder.at(inside, {}, given);
}

func::FuncOp Tiles::emit() {
    makeTiles();
    OpBuilder &b = builder.b;
    Location loc = builder.loc;
    Value count = builder.size(b, along(staged.loop));
    auto blocks = [&](OpBuilder &at, Axis axis, DimAttr size,
                      llvm::function_ref<void(OpBuilder &, Value)> inside) {
        builder.loop(at, gpu::blockId(at, loc, axis), builder.size(at, size),
                     gpu::blockCount(at, loc, axis), {},
                     [&](OpBuilder &within, Value index, ValueRange) {
                         inside(within, index);
                         return Values();
                     });
    };
    blocks(b, Axis::Y, lines(), [&](OpBuilder &line, Value y) {
        Value first = arith::RemUIOp::create(line, loc, y, count);
        builder.bindLoops(line, others, arith::DivUIOp::create(line, loc, y, count));
        blocks(line, Axis::X, along(inner), [&](OpBuilder &inside, Value x) {
            Value each = builder.constant(inside, side);
            firstColumn = arith::MulIOp::create(inside, loc, x, each);
            firstRow = arith::MulIOp::create(inside, loc, first, each);
            overRows(inside, /*loads=*/true, [&](OpBuilder &at, Value slot) { load(at, slot); });
            NVVM::Barrier0Op::create(inside, loc);
            overRows(inside, /*loads=*/false,
                     [&](OpBuilder &at, Value slot) { compute(at, slot); });
            NVVM::Barrier0Op::create(inside, loc); // before the tile is written again
        });
    });
    return kernel.finish();
}

} // namespace

void emitElementKernels(ModuleOp module, StringRef name, KernelWork work,
                        SmallVectorImpl<func::FuncOp> &kernels) {
    const Staged staged = stagedReads(work);
    if (staged.reads.empty()) {
        kernels.push_back(Elements(module, name, work, DimAttr()).emit());
        return;
    }
    // 1 where both sides of the tiles are long enough, else 0.
    DimAttr least =
        np::dimMin(work.plan.loops[work.kept.back()].size, work.plan.loops[staged.loop].size);
    DimAttr zero = work.number(0), one = work.number(1);
    DimAttr areLong =
        np::dimMin(np::dimMax(np::dimSub(least, work.number(shortestSide - 1)), zero), one);
    const bool isPlainToo = !areLong.isConst(1);
    if (isPlainToo)
        kernels.push_back(Elements(module, name, work, np::dimSub(one, areLong)).emit());
    const std::string tiles = isPlainToo ? (name + "_tiles").str() : name.str();
    kernels.push_back(Tiles(module, tiles, work, staged, areLong).emit());
}

} // namespace shapecast
