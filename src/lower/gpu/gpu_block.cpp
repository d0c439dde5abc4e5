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
constexpr int warps = blockThreads / warp;
constexpr unsigned sharedSpace = 3;

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

static Values reduceWarp(OpBuilder &b, Location loc, Values values, int lanes,
                         const Combine &combine) {
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
        Values others;
        for (Value part : values)
            others.push_back(shuffleDown(b, loc, part, distance));
        values = combine(b, values, others);
    }
    return values;
}

Operation *sharedSlots(OpBuilder &b, Location loc, StringRef name, size_t parts) {
    auto type = LLVM::LLVMArrayType::get(b.getI64Type(), parts * warps);
    return LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/false, LLVM::Linkage::Internal, name,
                                  Attribute(), /*alignment=*/8, sharedSpace);
}

Values reduceBlock(OpBuilder &b, Location loc, ValueRange values, ValueRange identities,
                   Operation *shared, const Combine &combine) {
    auto number = [&](int64_t value) { return constant(b, loc, value, 64); };
    Value thread = threadId(b, loc, Axis::X);
    Value lane = arith::RemUIOp::create(b, loc, thread, number(warp));
    Value group = arith::DivUIOp::create(b, loc, thread, number(warp));
    Value slots = LLVM::AddressOfOp::create(b, loc, cast<LLVM::GlobalOp>(shared));
    auto slotOf = [&](OpBuilder &inside, size_t part, Value index) -> Value {
        Value first = constant(inside, loc, int64_t(part) * warps, 64);
        return arith::AddIOp::create(inside, loc, first, index);
    };
    Values sums = reduceWarp(b, loc, Values(values), warp, combine);
    Value leads = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, number(0));
    auto store = scf::IfOp::create(b, loc, leads, /*withElseRegion=*/false);
    OpBuilder inside = store.getThenBodyBuilder();
    for (auto [part, sum] : llvm::enumerate(sums))
        storeSlot(inside, loc, slots, slotOf(inside, part, group), sum);
    NVVM::Barrier0Op::create(b, loc);
    // Every warp does it, so that all threads meet at the shuffles; warp 0 has the result.
    Value used = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, lane, number(warps));
    Value index = arith::SelectOp::create(b, loc, used, lane, number(0));
    for (auto [part, sum] : llvm::enumerate(sums)) {
        Value loaded = loadSlot(b, loc, slots, slotOf(b, part, index), sum.getType());
        sum = arith::SelectOp::create(b, loc, used, loaded, identities[part]);
    }
    sums = reduceWarp(b, loc, sums, warps, combine);
    NVVM::Barrier0Op::create(b, loc); // before the slots are written again
    return sums;
}

} // namespace shapecast::gpu
