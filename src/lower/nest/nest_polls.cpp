#include "lower/nest/nest_polls.h"

#include "lower/nest/nest_copies.h"
#include "lower/nest/nest_rows.h"
#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using runtime::pollGrain;

// Whether this loop and those inside have constant sizes, and few iterations in all.
static bool isShortLoop(const NestEmitter &nest, unsigned loop) {
    constexpr int64_t many = pollGrain + 1;
    int64_t all = 1;
    for (const auto &inner : llvm::drop_begin(nest.plan.loops, loop)) {
        if (!inner.size.isConst())
            return false;
        all = std::min(all * std::min(inner.size.getValue(), many), many);
    }
    return all < many;
}

// An outer loop polls every 2^k iterations, 2^k times the iterations inside being about pollGrain;
// a short one leaves that to the loops around it.
void planPolls(NestEmitter &nest, OpBuilder &builder) {
    Value work = nest.constant(builder, 1), one = work;
    Value grain = nest.constant(builder, 2 * pollGrain);
    static_assert((pollGrain & (pollGrain - 1)) == 0);
    Value bits = nest.constant(builder, 64),
          limit = nest.constant(builder, 63 - __builtin_clzll(pollGrain));
    nest.pollMasks.resize(std::max<size_t>(nest.plan.loops.size(), 1) - 1);
    for (unsigned k = nest.plan.loops.size(); k-- > 1;) {
        Value here = nest.size(builder, k);
        if (nest.plan.form == NestForm::Rows && k + 1 == nest.plan.loops.size())
            here =
                arith::MinSIOp::create(builder, nest.loc, here, nest.constant(builder, rowBlock));
        work = arith::MulIOp::create(builder, nest.loc, work, here);
        if (isShortLoop(nest, k - 1))
            continue;
        Value zeros = math::CountLeadingZerosOp::create(builder, nest.loc, work);
        Value used = arith::SubIOp::create(builder, nest.loc, bits, zeros);
        used = arith::MinSIOp::create(
            builder, nest.loc, used,
            arith::AddIOp::create(builder, nest.loc, limit, one).getResult());
        Value period = arith::ShRUIOp::create(builder, nest.loc, grain, used);
        nest.pollMasks[k - 1] = arith::SubIOp::create(builder, nest.loc, period, one);
    }
}

// Elements from .. to - 1 were done: at most one poll per pollGrain of them.
void pollBetween(NestEmitter &nest, OpBuilder &builder, Value from, Value to) {
    Value changed = arith::XOrIOp::create(builder, nest.loc, from, to);
    Value high =
        arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::uge, changed,
                              arith::ConstantIntOp::create(builder, nest.loc, pollGrain, 64));
    nest.pollWhen(builder, high);
}

bool isStripMined(const NestEmitter &nest) {
    return nest.env.context && nest.plan.loops.size() == 1 &&
           !(nest.plan.loops[0].size.isConst() && nest.plan.loops[0].size.getValue() <= pollGrain);
}

// Iterations of a strip: copies of narrow items do more of them in the same time.
static int64_t stripSize(NestEmitter &nest) {
    size_t widest = 8;
    if (isRunCopy(nest) || isZeroRun(nest)) {
        widest = 1;
        for (const NestAccess &write : nest.plan.writes)
            widest = std::max(widest, itemSize(write.dtype));
    }
    return pollGrain * 8 / int64_t(std::min<size_t>(widest, 8));
}

// Strip-mines the only loop: strips [from, to) of stripSize() iterations, with a poll between two.
Values inStrips(NestEmitter &nest, OpBuilder &builder, ValueRange accumulators,
                llvm::function_ref<Values(OpBuilder &, Value, Value, ValueRange)> inner) {
    Value all = nest.end(builder, 0), grain = nest.constant(builder, stripSize(nest));
    auto forOp =
        scf::ForOp::create(builder, nest.loc, nest.first(builder, 0), all, grain, accumulators);
    DimValues::Scope scope(nest.env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
    Value from = forOp.getInductionVar();
    Value left = arith::SubIOp::create(inside, nest.loc, all, from);
    Value more = arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::sgt, left, grain);
    Value count = arith::SelectOp::create(inside, nest.loc, more, grain, left);
    Value to = arith::AddIOp::create(inside, nest.loc, from, count);
    Values values = inner(inside, from, to, forOp.getRegionIterArgs());
    nest.pollWhen(inside, more);
    if (!accumulators.empty())
        scf::YieldOp::create(inside, nest.loc, values);
    return Values(forOp.getResults());
}

} // namespace shapecast
