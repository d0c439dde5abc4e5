#include "lower/nest/non_temporal.h"

#include "runtime/threads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

constexpr int64_t lineBytes = 64;
constexpr int64_t maxVectorBytes = 256; // of the widest operand: four registers of AVX-512

// The bytes of all arrays that a point accesses.
int64_t bytesTouched(const NestPlan &plan) {
    llvm::SmallDenseSet<unsigned> seen;
    int64_t bytes = 0;
    for (const auto *list : {&plan.reads, &plan.writes})
        for (const NestAccess &access : *list)
            if (!access.steps.back().isConst(0) && seen.insert(access.pointer).second)
                bytes += int64_t(itemSize(access.dtype));
    return bytes;
}

bool isContiguous(const NestAccess &read) {
    return read.gatherAxes.empty() && read.steps.back().isConst(1);
}

DimAttr points(const NestPlan &plan) {
    DimAttr product = np::dimConst(plan.op->getContext(), 1);
    for (const NestLoop &loop : plan.loops)
        product = np::dimMul(product, loop.size);
    return product;
}

// The points of a cache line of what is written.
int64_t lanesOf(const NestPlan &plan) {
    return lineBytes / int64_t(itemSize(plan.writes[0].dtype));
}

bool mayStorePastCaches(const NestPlan &plan) {
    if (plan.form != NestForm::Plain || plan.small || plan.writes.empty() || hasReduction(plan) ||
        plan.parallel != plan.loops.size() || plan.loops.empty())
        return false;
    const unsigned last = plan.loops.size() - 1;
    const size_t item = itemSize(plan.writes[0].dtype);
    for (const NestAccess &write : plan.writes) {
        const bool isRead = llvm::any_of(
            plan.reads, [&](const NestAccess &read) { return read.pointer == write.pointer; });
        if (isRead || !plan.noalias[write.pointer] || !write.steps[last].isConst(1) ||
            isBool(write.dtype) || isComplex(write.dtype) || itemSize(write.dtype) != item)
            return false;
    }
    return llvm::all_of(plan.reads, [&](const NestAccess &read) {
        return read.gatherAxes.empty() &&
               (read.steps[last].isConst(0) || read.steps[last].isConst(1)) &&
               lanesOf(plan) * int64_t(itemSize(read.dtype)) <= maxVectorBytes;
    });
}

// Contiguous elements are reduced. Not by plain loops: those wait for memory no longer than others
// do (measured).
bool isReduction(const NestPlan &plan) {
    return plan.form != NestForm::Plain && !plan.small && plan.length != NestPlan::Length::Leaf &&
           llvm::any_of(plan.reads, isContiguous);
}

} // namespace

bool mayStoreNonTemporally(const NestPlan &plan,
                           llvm::function_ref<std::optional<int64_t>(StringRef)> sizes) {
    if (!mayStorePastCaches(plan) && !isReduction(plan))
        return false;
    const std::optional<int64_t> count = np::dimEvaluate(points(plan), sizes);
    return count && *count >= runtime::nonTemporalBytes() / bytesTouched(plan);
}

Value exceedsCaches(OpBuilder &builder, const NestPlan &plan, const NestContext &env) {
    Location loc = plan.op->getLoc();
    Value count = env.dims.emit(builder, loc, points(plan));
    Value bytes = arith::MulIOp::create(builder, loc, count,
                                        env.dims.constant(builder, loc, bytesTouched(plan)));
    Value slot = LLVM::GEPOp::create(
        builder, loc, env.context.getType(), builder.getI64Type(), env.context,
        ArrayRef<LLVM::GEPArg>{runtime::contextNonTemporalSlot}, LLVM::GEPNoWrapFlags::inbounds);
    Value least = LLVM::LoadOp::create(builder, loc, builder.getI64Type(), slot);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, bytes, least);
}

void emitNonTemporalRow(OpBuilder &builder, const NestPlan &plan, const NestContext &env,
                        NestBody &body, const NonTemporalRow &row) {
    Location loc = plan.op->getLoc();
    auto number = [&](int64_t value) { return env.dims.constant(builder, loc, value); };
    const int64_t lanes = lanesOf(plan), item = lineBytes / lanes;
    const unsigned last = plan.loops.size() - 1;

    // The written arrays' cache lines must begin at the same points.
    Value isFit = row.isNonTemporal, first;
    {
        DimValues::Scope scope(env.dims);
        const NestPoint start = row.at(builder, row.from);
        for (auto [k, write] : llvm::enumerate(plan.writes)) {
            Value address = LLVM::PtrToIntOp::create(
                builder, loc, builder.getI64Type(),
                elementAddress(builder, loc, env.pointers[write.pointer],
                               start.offsets[plan.reads.size() + k], write.dtype));
            Value other =
                k ? arith::XOrIOp::create(builder, loc, address, first).getResult() : address;
            first = k ? first : address;
            Value off =
                arith::AndIOp::create(builder, loc, other, number(k ? lineBytes - 1 : item - 1));
            isFit = arith::AndIOp::create(
                builder, loc, isFit,
                arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, off, number(0)));
        }
    }
    Value before = arith::AndIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, number(0), first), number(lineBytes - 1));
    Value head = arith::DivUIOp::create(builder, loc, before, number(item));
    Value begin = arith::MinSIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, row.from, head), row.to);
    begin = arith::SelectOp::create(builder, loc, isFit, begin, row.to);
    Value whole = arith::AndIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, row.to, begin), number(~(lanes - 1)));
    Value end = arith::AddIOp::create(builder, loc, begin, whole);

    row.plain(row.from, begin);
    auto lines = scf::ForOp::create(builder, loc, begin, end, number(lanes));
    {
        DimValues::Scope scope(env.dims);
        OpBuilder inside = OpBuilder::atBlockBegin(lines.getBody());
        body.isNonTemporal = true;
        body.atLanes(inside, row.at(inside, lines.getInductionVar()), last, unsigned(lanes), {});
        body.isNonTemporal = false;
    }
    row.plain(end, row.to);
}

// Hardware prefetchers run only so far ahead of a stream: a reduction of what no cache holds waits
// for memory without software prefetches (min of 288 MB: 9.4 -> 7.2 ms).
void emitPrefetch(NestEmitter &nest, OpBuilder &builder, Value isPrefetched, const NestPoint &first,
                  Value count) {
    constexpr int64_t line = 64, ahead = 6144; // bytes: measured
    auto branch = scf::IfOp::create(builder, nest.loc, isPrefetched, /*withElseRegion=*/false);
    DimValues::Scope scope(nest.env.dims);
    OpBuilder far = OpBuilder::atBlockBegin(branch.thenBlock());
    for (auto [k, read] : llvm::enumerate(nest.plan.reads)) {
        if (!read.gatherAxes.empty() || !read.steps.back().isConst(1))
            continue;
        const int64_t item = int64_t(itemSize(read.dtype));
        Value there = arith::AddIOp::create(far, nest.loc, first.offsets[k],
                                            nest.constant(far, ahead / item));
        auto lines = scf::ForOp::create(far, nest.loc, nest.constant(far, 0), count,
                                        nest.constant(far, line / item));
        OpBuilder inside = OpBuilder::atBlockBegin(lines.getBody());
        Value at = arith::AddIOp::create(inside, nest.loc, there, lines.getInductionVar());
        Value address =
            elementAddress(inside, nest.loc, nest.env.pointers[read.pointer], at, read.dtype);
        LLVM::Prefetch::create(inside, nest.loc, address, /*rw=*/0, /*hint=*/3, /*cache=*/1);
    }
}

} // namespace shapecast
