// Blocks of threads in the NVVM dialect: see the header.
#include "lower/gpu/gpu_block.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast::gpu {

using Values = SmallVector<Value>;

constexpr int warp = 32;

//===-- Thread and block indices

template <class X, class Y> static Value specialRegister(OpBuilder &b, Location loc, Axis axis) {
    Type i32 = b.getI32Type();
    Value value =
        axis == Axis::X ? X::create(b, loc, i32).getResult() : Y::create(b, loc, i32).getResult();
    return arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
}

Value threadId(OpBuilder &b, Location loc, Axis axis) {
    return specialRegister<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp>(b, loc, axis);
}
Value blockId(OpBuilder &b, Location loc, Axis axis) {
    return specialRegister<NVVM::BlockIdXOp, NVVM::BlockIdYOp>(b, loc, axis);
}
Value threadCount(OpBuilder &b, Location loc, Axis axis) {
    return specialRegister<NVVM::BlockDimXOp, NVVM::BlockDimYOp>(b, loc, axis);
}
Value blockCount(OpBuilder &b, Location loc, Axis axis) {
    return specialRegister<NVVM::GridDimXOp, NVVM::GridDimYOp>(b, loc, axis);
}

//===-- Slots

static Value slotAddress(OpBuilder &b, Location loc, Value base, Value index) {
    return LLVM::GEPOp::create(b, loc, base.getType(), b.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{index}, LLVM::GEPNoWrapFlags::inbounds);
}

void storeSlot(OpBuilder &b, Location loc, Value base, Value index, Value part) {
    if (part.getType().isInteger(1))
        part = arith::ExtUIOp::create(b, loc, b.getI64Type(), part);
    LLVM::StoreOp::create(b, loc, part, slotAddress(b, loc, base, index));
}

Value loadSlot(OpBuilder &b, Location loc, Value base, Value index, Type type) {
    bool truth = type.isInteger(1);
    Value part = LLVM::LoadOp::create(b, loc, truth ? b.getI64Type() : type,
                                      slotAddress(b, loc, base, index));
    return truth ? arith::TruncIOp::create(b, loc, type, part).getResult() : part;
}

//===-- Reduction

static Value constant(OpBuilder &b, Location loc, int64_t value, unsigned bits) {
    return arith::ConstantIntOp::create(b, loc, value, bits);
}

static Value shuffleWord(OpBuilder &b, Location loc, Value word, int distance) {
    return NVVM::ShflOp::create(b, loc, b.getI32Type(), constant(b, loc, -1, 32), word,
                                constant(b, loc, distance, 32), constant(b, loc, warp - 1, 32),
                                NVVM::ShflKind::down, UnitAttr());
}

// The value of the thread `distance` lanes further on; the last ones keep theirs.
static Value shuffleDown(OpBuilder &b, Location loc, Value part, int distance) {
    Type type = part.getType(), i32 = b.getI32Type(), i64 = b.getI64Type();
    const unsigned bits = type.getIntOrFloatBitWidth();
    Type integer = b.getIntegerType(bits);
    Value word = part;
    if (type != integer)
        word = arith::BitcastOp::create(b, loc, integer, part);
    if (bits == 64) {
        Value half = constant(b, loc, 32, 64);
        Value low = arith::TruncIOp::create(b, loc, i32, word);
        Value shifted = arith::ShRUIOp::create(b, loc, word, half);
        Value high = arith::TruncIOp::create(b, loc, i32, shifted);
        low = arith::ExtUIOp::create(b, loc, i64, shuffleWord(b, loc, low, distance));
        high = arith::ExtUIOp::create(b, loc, i64, shuffleWord(b, loc, high, distance));
        Value upper = arith::ShLIOp::create(b, loc, high, half);
        word = arith::OrIOp::create(b, loc, upper, low);
    } else {
        if (bits < 32)
            word = arith::ExtUIOp::create(b, loc, i32, word);
        word = shuffleWord(b, loc, word, distance);
        if (bits < 32)
            word = arith::TruncIOp::create(b, loc, integer, word);
    }
    return type == integer ? word : arith::BitcastOp::create(b, loc, type, word).getResult();
}

Operation *sharedSlots(OpBuilder &b, Location loc, StringRef name, size_t slots) {
    auto type = LLVM::LLVMArrayType::get(b.getI64Type(), slots);
    return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                  Attribute(), /*alignment=*/8, sharedSpace);
}

static Value compare(OpBuilder &b, Location loc, arith::CmpIPredicate how, Value x, int64_t y) {
    return arith::CmpIOp::create(b, loc, how, x, constant(b, loc, y, 64));
}

// Values where the condition, the same in all threads that meet here, is true; else others.
static Values choose(OpBuilder &b, Location loc, Value condition, ValueRange others,
                     llvm::function_ref<Values(OpBuilder &)> values) {
    auto branch = scf::IfOp::create(b, loc, others.getTypes(), condition, /*withElseRegion=*/true);
    OpBuilder then = branch.getThenBodyBuilder(), otherwise = branch.getElseBodyBuilder();
    scf::YieldOp::create(then, loc, values(then));
    scf::YieldOp::create(otherwise, loc, others);
    return Values(branch.getResults());
}

// Of the first `lanes` lanes of each group of so many.
static Values reduceWarp(OpBuilder &b, Location loc, Values values, int lanes, Value threads,
                         const Combine &combine) {
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
        auto step = [&](OpBuilder &inside) {
            Values others;
            for (Value part : values)
                others.push_back(shuffleDown(inside, loc, part, distance));
            return combine(inside, values, others);
        };
        values = threads
                     ? choose(b, loc, compare(b, loc, arith::CmpIPredicate::ugt, threads, distance),
                              values, step)
                     : step(b);
    }
    return values;
}

// Slot `index` of a part, of `slots` per part.
static Value slotOf(OpBuilder &b, Location loc, size_t part, int64_t slots, Value index) {
    return arith::AddIOp::create(b, loc, constant(b, loc, int64_t(part) * slots, 64), index);
}

// What the warps of a block have; thread 0 has the result.
static Values reduceWarps(OpBuilder &b, Location loc, ValueRange sums, ValueRange identities,
                          Value thread, Operation *shared, const Combine &combine) {
    Value lane = arith::RemUIOp::create(b, loc, thread, constant(b, loc, warp, 64));
    Value group = arith::DivUIOp::create(b, loc, thread, constant(b, loc, warp, 64));
    Value slots = LLVM::AddressOfOp::create(b, loc, cast<LLVM::GlobalOp>(shared));
    auto store = scf::IfOp::create(b, loc, compare(b, loc, arith::CmpIPredicate::eq, lane, 0),
                                   /*withElseRegion=*/false);
    OpBuilder inside = store.getThenBodyBuilder();
    for (auto [part, sum] : llvm::enumerate(sums))
        storeSlot(inside, loc, slots, slotOf(inside, loc, part, blockWarps, group), sum);
    NVVM::Barrier0Op::create(b, loc);
    // Every warp does it, so that all threads meet at the shuffles; warp 0 has the result.
    Value used = compare(b, loc, arith::CmpIPredicate::ult, lane, blockWarps);
    Value index = arith::SelectOp::create(b, loc, used, lane, constant(b, loc, 0, 64));
    Values loaded;
    for (auto [part, sum] : llvm::enumerate(sums)) {
        Value value =
            loadSlot(b, loc, slots, slotOf(b, loc, part, blockWarps, index), sum.getType());
        loaded.push_back(arith::SelectOp::create(b, loc, used, value, identities[part]));
    }
    loaded = reduceWarp(b, loc, loaded, blockWarps, Value(), combine);
    NVVM::Barrier0Op::create(b, loc); // before the slots are written again
    return loaded;
}

Values reduceGroup(OpBuilder &b, Location loc, ValueRange values, ValueRange identities,
                   Value threads, Operation *shared, const Combine &combine) {
    Values sums = reduceWarp(b, loc, Values(values), warp, threads, combine);
    return choose(b, loc, compare(b, loc, arith::CmpIPredicate::ugt, threads, warp), sums,
                  [&](OpBuilder &inside) {
                      return reduceWarps(inside, loc, sums, identities,
                                         threadId(inside, loc, Axis::X), shared, combine);
                  });
}

// The upper half of the lines is added to the lower half until one is left.
Values reduceColumns(OpBuilder &b, Location loc, ValueRange values, Operation *shared,
                     const Combine &combine) {
    Value slots = LLVM::AddressOfOp::create(b, loc, cast<LLVM::GlobalOp>(shared));
    Value wide = threadCount(b, loc, Axis::X), line = threadId(b, loc, Axis::Y);
    Value thread = arith::MulIOp::create(b, loc, line, wide);
    thread = arith::AddIOp::create(b, loc, thread, threadId(b, loc, Axis::X));
    Values carried{threadCount(b, loc, Axis::Y)};
    llvm::append_range(carried, values);
    auto loop = scf::WhileOp::create(
        b, loc, ValueRange(carried).getTypes(), carried,
        [&](OpBuilder &inside, Location, ValueRange given) {
            scf::ConditionOp::create(
                inside, loc, compare(inside, loc, arith::CmpIPredicate::ugt, given[0], 1), given);
        },
        [&](OpBuilder &inside, Location, ValueRange given) {
            ValueRange mine = given.drop_front();
            for (auto [part, value] : llvm::enumerate(mine))
                storeSlot(inside, loc, slots, slotOf(inside, loc, part, blockThreads, thread),
                          value);
            NVVM::Barrier0Op::create(inside, loc);
            Value half = arith::AddIOp::create(inside, loc, given[0], constant(inside, loc, 1, 64));
            half = arith::ShRUIOp::create(inside, loc, half, constant(inside, loc, 1, 64));
            Value other = arith::AddIOp::create(inside, loc, line, half);
            Value has =
                arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::ult, other, given[0]);
            Value distance = arith::MulIOp::create(inside, loc, half, wide);
            Value at = arith::AddIOp::create(inside, loc, thread, distance);
            Values next{half};
            llvm::append_range(next, choose(inside, loc, has, mine, [&](OpBuilder &then) {
                                   Values others;
                                   for (auto [part, value] : llvm::enumerate(mine))
                                       others.push_back(
                                           loadSlot(then, loc, slots,
                                                    slotOf(then, loc, part, blockThreads, at),
                                                    value.getType()));
                                   return combine(then, mine, others);
                               }));
            NVVM::Barrier0Op::create(inside, loc); // before the slots are written again
            scf::YieldOp::create(inside, loc, next);
        });
    return Values(ValueRange(loop.getResults()).drop_front());
}

} // namespace shapecast::gpu
