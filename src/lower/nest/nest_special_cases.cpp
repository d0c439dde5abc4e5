// Special cases of a nest's innermost loop: copies, zero fills, vectors of reads with step 2,
// counts of bools in narrow integers.
#include "lower/nest/nest_emitter.h"

#include "lower/kit/runtime_function.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;
using runtime::pollGrain;
using Values = NestEmitter::Values;

//===-- Copies and zeros

// The loops may run in any order, nothing is reduced, and no array that is written is read or
// overlaps another: so stores at different points may be reordered, too.
bool NestEmitter::isInAnyOrder() {
    if (hasReduction(plan))
        return false;
    for (const NestAccess &write : plan.writes)
        if (!plan.noalias[write.pointer] || llvm::any_of(plan.reads, [&](const NestAccess &read) {
                return read.pointer == write.pointer;
            }))
            return false;
    return llvm::all_of(plan.loops, [](const NestLoop &loop) { return loop.any; });
}

// The nest copies elements, unchanged, to contiguous targets.
bool NestEmitter::isCopy(llvm::function_ref<bool(const NestAccess &)> isRead) {
    Block &code = op.getBody().front();
    if (plan.reads.empty() || plan.reads.size() != plan.writes.size() || nonLinear ||
        !env.context || plan.form != NestForm::Plain || plan.loops.empty() ||
        plan.parallel != plan.loops.size())
        return false;
    for (auto [k, read, write] : llvm::enumerate(plan.reads, plan.writes))
        if (code.getTerminator()->getOperand(k) != code.getArgument(k) ||
            read.dtype != write.dtype || !read.gatherAxes.empty() ||
            !write.steps.back().isConst(1) || !isRead(read))
            return false;
    return isInAnyOrder();
}

bool NestEmitter::isRunCopy() {
    return isCopy([](const NestAccess &read) { return read.steps.back().isConst(1); });
}

bool NestEmitter::isTransposedCopy() {
    return isCopy([&](const NestAccess &read) {
        return plan.loops.size() > 1 && !read.steps.back().isConst() &&
               read.steps[plan.loops.size() - 2].isConst(1);
    });
}

// Blocks that are transposed in registers (runtime/transpose.h), some rows of the target at a time.
void NestEmitter::transposedCopy(OpBuilder &builder, const NestPoint &point) {
    constexpr int64_t together = 512;
    const unsigned last = plan.loops.size() - 1;
    RuntimeFunction<&runtime::sc_transpose> transpose(env.poll->getParentOfType<ModuleOp>());
    Value to = end(builder, last - 1), from = first(builder, last);
    Value some = constant(builder, together);
    Value columns = arith::SubIOp::create(builder, loc, end(builder, last), from);
    auto forOp = scf::ForOp::create(builder, loc, first(builder, last - 1), to, some);
    DimValues::Scope scope(env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
    Value row = forOp.getInductionVar();
    const NestPoint at = step(inside, step(inside, point, last - 1, row), last, from);
    Value left = arith::SubIOp::create(inside, loc, to, row);
    Value rows = arith::MinSIOp::create(inside, loc, left, some);
    auto address = [&](const NestAccess &access, Value offset) {
        return elementAddress(inside, loc, env.pointers[access.pointer], offset, access.dtype);
    };
    auto stride = [&](DimAttr step) { return env.dims.emit(inside, loc, step); };
    for (auto [k, read, write] : llvm::enumerate(plan.reads, plan.writes)) {
        Value target = address(write, at.offsets[plan.reads.size() + k]),
              source = address(read, at.offsets[k]),
              item = constant(inside, int64_t(itemSize(read.dtype))),
              sourceStride = stride(read.steps[last]), targetStride = stride(write.steps[last - 1]);
        transpose.call(inside, loc, target, source, item, rows, columns, sourceStride,
                       targetStride);
    }
    pollWhen(inside, arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::sgt, left, some));
}

static bool isZero(Value value) {
    np::ConstOp constant = underlyingConstant(value);
    if (!constant)
        return false;
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        return number.getValue().isPosZero();
    auto number = dyn_cast<IntegerAttr>(constant.getValue());
    return number && number.getValue().isZero();
}

bool NestEmitter::isZeroRun() {
    Block &code = op.getBody().front();
    return plan.reads.empty() && plan.form == NestForm::Plain && !nonLinear && env.context &&
           !plan.loops.empty() && plan.parallel == plan.loops.size() &&
           llvm::all_of(plan.writes,
                        [](const NestAccess &write) { return write.steps.back().isConst(1); }) &&
           llvm::all_of(code.getTerminator()->getOperands(), isZero);
}

// Long runs call memcpy or memset, which write whole lines without reading them first.
void NestEmitter::moveRun(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                          llvm::function_ref<void(OpBuilder &)> otherwise) {
    constexpr int64_t minBytes = 2048;
    size_t narrowest = SIZE_MAX;
    for (const NestAccess &write : plan.writes)
        narrowest = std::min(narrowest, itemSize(write.dtype));
    Value count = arith::SubIOp::create(builder, loc, to, from);
    Value isLongRun = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, count,
                                            constant(builder, minBytes / int64_t(narrowest)));
    if (plan.reads.empty()) { // vectors of zeros are as fast in the nearer caches
        constexpr int64_t minTotalBytes = 1 << 20;
        DimAttr items = np::dimConst(builder.getContext(), 1);
        for (const NestLoop &loop : plan.loops)
            items = np::dimMul(items, loop.size);
        Value isMuch = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                             env.dims.emit(builder, loc, items),
                                             constant(builder, minTotalBytes / int64_t(narrowest)));
        isLongRun = arith::AndIOp::create(builder, loc, isLongRun, isMuch);
    }
    auto branch = scf::IfOp::create(builder, loc, isLongRun, /*withElseRegion=*/true);
    OpBuilder then = branch.getThenBodyBuilder(), rest = branch.getElseBodyBuilder();
    {
        DimValues::Scope scope(env.dims);
        const NestPoint first = step(then, point, plan.loops.size() - 1, from);
        for (auto [k, write] : llvm::enumerate(plan.writes)) {
            Value target = elementAddress(then, loc, env.pointers[write.pointer],
                                          first.offsets[plan.reads.size() + k], write.dtype);
            Value bytes = arith::MulIOp::create(then, loc, count,
                                                constant(then, int64_t(itemSize(write.dtype))));
            if (plan.reads.empty()) {
                Value zero = arith::ConstantIntOp::create(then, loc, 0, 8);
                LLVM::MemsetOp::create(then, loc, target, zero, bytes, /*isVolatile=*/false);
                continue;
            }
            const NestAccess &read = plan.reads[k];
            Value source =
                elementAddress(then, loc, env.pointers[read.pointer], first.offsets[k], read.dtype);
            LLVM::MemcpyOp::create(then, loc, target, source, bytes, /*isVolatile=*/false);
        }
    }
    DimValues::Scope scope(env.dims);
    otherwise(rest);
}

//===-- Pairs

// LLVM vectorises reads with step 2 of four bytes or more lane by lane: it does not know that the
// elements between may be read.
bool NestEmitter::readsPairs() {
    if (plan.loops.empty() || plan.form != NestForm::Plain || nonLinear || plan.small ||
        plan.parallel != plan.loops.size())
        return false;
    auto isPaired = [](const NestAccess &read) { return read.steps.back().isConst(2); };
    auto isVector = [&](const NestAccess &read) {
        return read.gatherAxes.empty() && (itemSize(read.dtype) >= 4 || !isPaired(read)) &&
               (read.steps.back().isConst(0) || isVectorStep(read.steps.back()));
    };
    auto isContiguous = [](const NestAccess &write) { return write.steps.back().isConst(1); };
    return llvm::any_of(plan.reads, isPaired) && llvm::all_of(plan.reads, isVector) &&
           llvm::all_of(plan.writes, isContiguous) && isInAnyOrder();
}

// Whole vectors of the last loop; returns where the remainder begins.
Value NestEmitter::pairedVectors(OpBuilder &builder, const NestPoint &point, Value from, Value to) {
    const unsigned last = plan.loops.size() - 1;
    size_t widest = 1;
    for (const NestAccess &read : plan.reads)
        widest = std::max(widest, itemSize(read.dtype));
    for (const NestAccess &write : plan.writes)
        widest = std::max(widest, itemSize(write.dtype));
    const int64_t lanes = 128 / int64_t(widest);
    Value count = arith::SubIOp::create(builder, loc, to, from);
    Value whole = arith::AndIOp::create(builder, loc, count, constant(builder, -lanes));
    Value end = arith::AddIOp::create(builder, loc, from, whole);
    auto vectors = scf::ForOp::create(builder, loc, from, end, constant(builder, lanes));
    DimValues::Scope scope(env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(vectors.getBody());
    body.atLanes(inside, step(inside, point, last, vectors.getInductionVar()), last,
                 unsigned(lanes), {});
    return end;
}

//===-- Counts

// An unsigned integer in `bits` bits.
static Value resized(OpBuilder &b, Location loc, Value number, unsigned bits) {
    const unsigned has = number.getType().getIntOrFloatBitWidth();
    Type type = b.getIntegerType(bits);
    return has == bits  ? number
           : has < bits ? Value(arith::ExtUIOp::create(b, loc, type, number))
                        : Value(arith::TruncIOp::create(b, loc, type, number));
}

// The bits of the accumulators that count bools, strip by strip of the last loop; 0 where those of
// the result do as well. As wide as the narrowest element, they take as many vectors as the
// elements: for bytes a quarter of what accumulators of 64 bits take. any and all beside a sum are
// counts as well, since a mask is added to a vector in one operation, and masks are combined in
// more.
unsigned NestEmitter::countingBits() {
    static_assert(pollGrain < 1 << 16);
    const ArrayRef<NestBody::Reduction> reductions = body.reductions();
    const DimAttr size = plan.loops.back().size;
    const bool isShort = !env.context || (size.isConst() && size.getValue() < 64);
    if (isShort || plan.form != NestForm::Plain || op.getCombine().size() != reductions.size() ||
        reductions.empty() || plan.reads.empty() || nonLinear || body.checksGatherIndices())
        return 0;
    size_t narrowest = 8;
    for (const NestAccess &read : plan.reads) {
        if (!isVectorStep(read.steps.back()))
            return 0;
        narrowest = std::min(narrowest, itemSize(read.dtype));
    }
    bool sums = false, hasAnyOrAll = false;
    for (const NestBody::Reduction &r : reductions) {
        Value given = op.getBody().front().getTerminator()->getOperand(r.yield);
        auto cast = given.getDefiningOp<np::CastOp>();
        const bool isSum = r.combine == "add" && isInteger(r.dtype) && itemSize(r.dtype) >= 4 &&
                           cast && cast.getOperand().getType().isInteger(1);
        const bool isTruth = r.combine == "logical_or" || r.combine == "logical_and";
        if (!isSum && !isTruth)
            return 0;
        sums |= isSum;
        hasAnyOrAll |= isTruth;
        narrowest = std::min(narrowest, isSum ? itemSize(r.dtype) : narrowest);
    }
    return sums && (hasAnyOrAll || narrowest < 8) ? std::max<unsigned>(16, narrowest * 8) : 0;
}

// For `all`, what is false is counted.
Values NestEmitter::count(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                          ValueRange accumulators, unsigned bits) {
    const ArrayRef<NestBody::Reduction> reductions = body.reductions();
    Value none = arith::ConstantIntOp::create(builder, loc, 0, bits);
    auto next = [&](OpBuilder &b, const NestPoint &at, ValueRange counted) {
        Values found = atPoint(b, at, body.identities(b)), sums;
        Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
        for (auto [r, truth, before] : llvm::zip_equal(reductions, found, counted)) {
            if (r.combine == "logical_and")
                truth = arith::XOrIOp::create(b, loc, truth, yes);
            Value one = truth.getType().isInteger(1)
                            ? Value(arith::ExtUIOp::create(b, loc, none.getType(), truth))
                            : resized(b, loc, truth, bits);
            sums.push_back(arith::AddIOp::create(b, loc, before, one));
        }
        return sums;
    };
    Values counted = loop(builder, plan.loops.size() - 1, point, from, to,
                          Values(reductions.size(), none), next);
    for (auto [r, value] : llvm::zip_equal(reductions, counted)) {
        if (r.combine == "add") {
            value = resized(builder, loc, value, unsigned(itemSize(r.dtype) * 8));
            continue;
        }
        auto is = r.combine == "logical_or" ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq;
        value = arith::CmpIOp::create(builder, loc, is, value, none);
    }
    return body.combine(builder, accumulators, counted);
}

// The same for a loop of any length.
Values NestEmitter::countRow(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                             ValueRange accumulators, unsigned bits) {
    return inBlocks(builder, from, to, pollGrain, accumulators,
                    [&](OpBuilder &inside, Value begin, Value end, ValueRange carried) {
                        return count(inside, point, begin, end, carried, bits);
                    });
}

} // namespace shapecast
