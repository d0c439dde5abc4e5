// Loops of nests: plain loops, rows of accumulators, NumPy's summation tree.
#include "lower/nest/nest_emitter.h"

#include "lower/nest/non_temporal.h"
#include "lower/nest/pairwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

constexpr int64_t rowBlock =
    2048; // elements of an output row that stay in the first-level cache while rows are added

constexpr int64_t indexBlock = 1024; // indices that are checked before their elements are loaded

constexpr int64_t prefetchBlock = 256; // columns of a long row that are prefetched at once

using runtime::pollGrain;

constexpr int64_t maxRegisterRow = 8; // elements of a row whose accumulators are in registers

} // namespace

using Values = NestEmitter::Values;

SmallVector<Scalar> NestEmitter::run(OpBuilder &builder) {
    // Iterators of loops that were dropped are zero, those of collapsed loops are unused.
    for (unsigned k = 0; k < op.getSpace().size(); ++k)
        env.dims.bind(iteratorSymbol(builder.getContext(), k), constant(builder, 0));
    for (unsigned k = 0; k < plan.loops.size(); ++k)
        size(builder, k);
    if (env.context)
        planPolls(builder);
    if (plan.length == NestPlan::Length::Leaf && op.getChecks())
        body.indexMode = NestBody::IndexMode::NonNegative;
    NestPoint point = start(builder);
    isPaired = readsPairs() && body.canVectorise(builder);
    jamsRows = mayJamRows() && body.canVectorise(builder);
    if (plan.mayExceedCaches && !nonLinear && body.canVectorise(builder))
        (plan.form == NestForm::Plain ? isNonTemporal : isPrefetched) =
            exceedsCaches(builder, plan, env);
    parallelLoops(builder, 0, point);
    if (isNonTemporal) { // non-temporal stores are weakly ordered
        auto branch = scf::IfOp::create(builder, loc, isNonTemporal, /*withElseRegion=*/false);
        OpBuilder inside = OpBuilder::atBlockBegin(branch.thenBlock());
        LLVM::FenceOp::create(inside, loc, LLVM::AtomicOrdering::seq_cst);
    }
    SmallVector<Scalar> scalars;
    ValueRange parts = results;
    for (Value result : op.getResults_())
        scalars.push_back(takeParts(result.getType(), parts));
    return scalars;
}

// Offsets outside all loops. A base that depends on iterators is left out here and added at the
// innermost point.
NestPoint NestEmitter::start(OpBuilder &builder) {
    NestPoint point;
    for (unsigned k = 0; k < plan.reads.size() + plan.writes.size(); ++k) {
        const NestAccess &a = access(k);
        bool late = false;
        np::dimSymbols(a.base, [&](StringRef name) {
            late |= plan.indexValue.contains(np::dimSymbol(builder.getContext(), name));
        });
        nonLinear |= late;
        point.offsets.push_back(late ? Value() : env.dims.emit(builder, loc, a.base));
        for (DimAttr stepExpr : a.steps)
            env.dims.emit(builder, loc, stepExpr);
    }
    return point;
}

// The point moved along one loop.
NestPoint NestEmitter::step(OpBuilder &builder, const NestPoint &point, unsigned loop, Value iv) {
    NestPoint next = point;
    env.dims.bind(plan.loops[loop].iterators[0], iv);
    auto flags = arith::IntegerOverflowFlagsAttr::get(builder.getContext(),
                                                      arith::IntegerOverflowFlags::nsw);
    for (unsigned k = 0; k < next.offsets.size(); ++k) {
        DimAttr stepExpr = access(k).steps[loop];
        if (stepExpr.isConst(0))
            continue;
        Value move = iv;
        if (!stepExpr.isConst(1))
            move = arith::MulIOp::create(builder, loc, iv, env.dims.emit(builder, loc, stepExpr),
                                         flags);
        Value &offset = next.offsets[k];
        bool first = !offset || matchPattern(offset, m_Zero());
        offset =
            first ? move : arith::AddIOp::create(builder, loc, offset, move, flags).getResult();
    }
    return next;
}

void NestEmitter::finish(OpBuilder &builder, NestPoint &point) {
    for (unsigned k = 0; k < point.offsets.size(); ++k) {
        bool late = false;
        np::dimSymbols(access(k).base, [&](StringRef name) {
            late |= plan.indexValue.contains(np::dimSymbol(builder.getContext(), name));
        });
        if (!late)
            continue;
        Value base = env.dims.emit(builder, loc, access(k).base);
        Value &offset = point.offsets[k];
        offset = offset ? arith::AddIOp::create(builder, loc, offset, base).getResult() : base;
    }
}

Values NestEmitter::atPoint(OpBuilder &builder, const NestPoint &point, ValueRange accumulators) {
    if (!nonLinear)
        return body.at(builder, point, accumulators);
    NestPoint exact = point;
    finish(builder, exact);
    return body.at(builder, exact, accumulators);
}

Values
NestEmitter::loop(OpBuilder &builder, unsigned loop, const NestPoint &point, Value from, Value to,
                  ValueRange accumulators,
                  llvm::function_ref<Values(OpBuilder &, const NestPoint &, ValueRange)> inner) {
    // Unknown strides are added from iteration to iteration: LLVM would vectorise a product with
    // the index, and extract its lanes again for their loads.
    SmallVector<unsigned> strided;
    Values carried(accumulators);
    if (loop + 1 == plan.loops.size())
        for (unsigned k = 0; k < point.offsets.size(); ++k)
            if (!access(k).steps[loop].isConst())
                strided.push_back(k);
    if (!strided.empty()) {
        DimValues::Scope scope(env.dims);
        const NestPoint begin = step(builder, point, loop, from);
        for (unsigned k : strided)
            carried.push_back(begin.offsets[k]);
    }
    auto forOp = scf::ForOp::create(builder, loc, from, to, constant(builder, 1), carried);
    DimValues::Scope scope(env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
    NestPoint next = step(inside, point, loop, forOp.getInductionVar());
    ValueRange offsets = forOp.getRegionIterArgs().drop_front(accumulators.size());
    for (auto [k, offset] : llvm::zip_equal(strided, offsets))
        next.offsets[k] = offset;
    Values values = inner(inside, next, forOp.getRegionIterArgs().take_front(accumulators.size()));
    for (auto [k, offset] : llvm::zip_equal(strided, offsets))
        values.push_back(arith::AddIOp::create(inside, loc, offset,
                                               env.dims.emit(inside, loc, access(k).steps[loop])));
    if (loop < pollMasks.size() && pollMasks[loop]) {
        Value low = arith::AndIOp::create(inside, loc, forOp.getInductionVar(), pollMasks[loop]);
        pollWhen(inside, arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq, low,
                                               pollMasks[loop]));
    }
    if (!carried.empty())
        scf::YieldOp::create(inside, loc, values);
    return Values(forOp.getResults().take_front(accumulators.size()));
}

//===-- Polls

// Whether this loop and those inside have constant sizes, and few iterations in all.
bool NestEmitter::isShort(unsigned loop) const {
    constexpr int64_t many = pollGrain + 1;
    int64_t all = 1;
    for (const auto &inner : llvm::drop_begin(plan.loops, loop)) {
        if (!inner.size.isConst())
            return false;
        all = std::min(all * std::min(inner.size.getValue(), many), many);
    }
    return all < many;
}

// An outer loop polls every 2^k iterations, 2^k times the iterations inside being about pollGrain;
// a short one leaves that to the loops around it.
void NestEmitter::planPolls(OpBuilder &builder) {
    Value work = constant(builder, 1), one = work;
    Value grain = constant(builder, 2 * pollGrain);
    static_assert((pollGrain & (pollGrain - 1)) == 0);
    Value bits = constant(builder, 64), limit = constant(builder, 63 - __builtin_clzll(pollGrain));
    pollMasks.resize(std::max<size_t>(plan.loops.size(), 1) - 1);
    for (unsigned k = plan.loops.size(); k-- > 1;) {
        Value here = size(builder, k);
        if (plan.form == NestForm::Rows && k + 1 == plan.loops.size())
            here = arith::MinSIOp::create(builder, loc, here, constant(builder, rowBlock));
        work = arith::MulIOp::create(builder, loc, work, here);
        if (isShort(k - 1))
            continue;
        Value zeros = math::CountLeadingZerosOp::create(builder, loc, work);
        Value used = arith::SubIOp::create(builder, loc, bits, zeros);
        used = arith::MinSIOp::create(builder, loc, used,
                                      arith::AddIOp::create(builder, loc, limit, one).getResult());
        Value period = arith::ShRUIOp::create(builder, loc, grain, used);
        pollMasks[k - 1] = arith::SubIOp::create(builder, loc, period, one);
    }
}

void NestEmitter::pollWhen(OpBuilder &builder, Value condition) {
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder inside = OpBuilder::atBlockBegin(branch.thenBlock());
    func::CallOp::create(inside, loc, env.poll, ValueRange{env.context});
}

// Elements from .. to - 1 were done: at most one poll per pollGrain of them.
void NestEmitter::pollBetween(OpBuilder &builder, Value from, Value to) {
    Value changed = arith::XOrIOp::create(builder, loc, from, to);
    Value high = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, changed,
                                       arith::ConstantIntOp::create(builder, loc, pollGrain, 64));
    pollWhen(builder, high);
}

bool NestEmitter::isStripMined() const {
    return env.context && plan.loops.size() == 1 &&
           !(plan.loops[0].size.isConst() && plan.loops[0].size.getValue() <= pollGrain);
}

// Iterations of a strip: copies of narrow items do more of them in the same time.
int64_t NestEmitter::stripSize() {
    size_t widest = 8;
    if (isRunCopy() || isZeroRun()) {
        widest = 1;
        for (const NestAccess &write : plan.writes)
            widest = std::max(widest, itemSize(write.dtype));
    }
    return pollGrain * 8 / int64_t(std::min<size_t>(widest, 8));
}

// Strip-mines the only loop: strips [from, to) of stripSize() iterations, with a poll between two.
Values
NestEmitter::inStrips(OpBuilder &builder, ValueRange accumulators,
                      llvm::function_ref<Values(OpBuilder &, Value, Value, ValueRange)> inner) {
    Value all = end(builder, 0), grain = constant(builder, stripSize());
    auto forOp = scf::ForOp::create(builder, loc, first(builder, 0), all, grain, accumulators);
    DimValues::Scope scope(env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
    Value from = forOp.getInductionVar();
    Value left = arith::SubIOp::create(inside, loc, all, from);
    Value more = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::sgt, left, grain);
    Value count = arith::SelectOp::create(inside, loc, more, grain, left);
    Value to = arith::AddIOp::create(inside, loc, from, count);
    Values values = inner(inside, from, to, forOp.getRegionIterArgs());
    pollWhen(inside, more);
    if (!accumulators.empty())
        scf::YieldOp::create(inside, loc, values);
    return Values(forOp.getResults());
}

void NestEmitter::parallelLoop(OpBuilder &builder, unsigned level, const NestPoint &point,
                               Value from, Value to) {
    auto whole = [&](OpBuilder &b, Value begin, Value end) {
        if (isPaired && level + 1 == plan.loops.size())
            begin = pairedVectors(b, point, begin, end);
        loop(b, level, point, begin, end, {},
             [&](OpBuilder &inside, const NestPoint &next, ValueRange) {
                 parallelLoops(inside, level + 1, next);
                 return Values();
             });
    };
    auto plain = [&](Value begin, Value end) {
        if (jamsRows && level + 2 == plan.loops.size())
            begin = jamRows(builder, point, begin, end);
        if (level + 1 == plan.loops.size() && (isRunCopy() || isZeroRun()))
            moveRun(builder, point, begin, end, [&](OpBuilder &b) { whole(b, begin, end); });
        else
            whole(builder, begin, end);
    };
    if (!isNonTemporal || level + 1 != plan.loops.size())
        return plain(from, to);
    auto at = [&](OpBuilder &b, Value index) { return step(b, point, level, index); };
    emitNonTemporalRow(builder, plan, env, body, {isNonTemporal, from, to, plain, at});
}

void NestEmitter::parallelLoops(OpBuilder &builder, unsigned level, const NestPoint &point) {
    if (level + 2 == plan.loops.size() && isTransposedCopy())
        return transposedCopy(builder, point);
    if (level < plan.parallel && isStripMined()) {
        inStrips(builder, {}, [&](OpBuilder &inside, Value from, Value to, ValueRange) {
            parallelLoop(inside, level, point, from, to);
            return Values();
        });
        return;
    }
    if (level < plan.parallel)
        return parallelLoop(builder, level, point, first(builder, level), end(builder, level));
    if (plan.form == NestForm::Rows)
        return rows(builder, point);
    if (plan.form == NestForm::ArgReduction)
        return argReduction(builder, point);
    if (body.reductions().empty()) {
        atPoint(builder, point, {});
        return;
    }
    Values values = reductionLoops(builder, level, point, body.identities(builder));
    storeReductions(builder, point, values);
}

Values NestEmitter::reductionLoops(OpBuilder &builder, unsigned level, const NestPoint &point,
                                   ValueRange accumulators) {
    if (level == plan.loops.size())
        return atPoint(builder, point, accumulators);
    auto innerLoops = [&](OpBuilder &inside, const NestPoint &next, ValueRange carried) {
        return reductionLoops(inside, level + 1, next, carried);
    };
    auto last = [&](OpBuilder &inside, Value from, Value to, ValueRange carried) {
        return body.checksGatherIndices() && !nonLinear
                   ? gatherInBlocks(inside, point, from, to, carried)
                   : loop(inside, level, point, from, to, carried, innerLoops);
    };
    if (plan.form == NestForm::MultipleAccumulators)
        body.canVectorise(builder); // emits its template outside the loop
    auto wholly = [&](OpBuilder &inside, Value from, Value to, ValueRange carried) {
        if (plan.form != NestForm::Pairwise && plan.form != NestForm::MultipleAccumulators)
            return last(inside, from, to, carried);
        Value count =
            matchPattern(from, m_Zero()) ? to : arith::SubIOp::create(inside, loc, to, from);
        return body.combine(inside, carried, tree(inside, point, from, count));
    };
    auto part = [&](OpBuilder &inside, Value from, Value to, ValueRange carried) {
        if (const unsigned bits = countingBits())
            return isStripMined() ? count(inside, point, from, to, carried, bits)
                                  : countRow(inside, point, from, to, carried, bits);
        if (std::optional<EarlyExitShape> shape = earlyExitShape())
            return emitEarlyExit(inside, loc, env.dims, *shape, from, to, carried[0], wholly);
        return wholly(inside, from, to, carried);
    };
    if (isStripMined() && plan.form != NestForm::Pairwise)
        return inStrips(builder, accumulators, part);
    Value from = first(builder, level), to = end(builder, level);
    if (level + 1 < plan.loops.size())
        return loop(builder, level, point, from, to, accumulators, innerLoops);
    return part(builder, from, to, accumulators);
}

// [from, to) in blocks of this size; the last one may be shorter.
Values
NestEmitter::inBlocks(OpBuilder &builder, Value from, Value to, int64_t size,
                      ValueRange accumulators,
                      llvm::function_ref<Values(OpBuilder &, Value, Value, ValueRange)> inner) {
    Value step = constant(builder, size);
    auto blocks = scf::ForOp::create(builder, loc, from, to, step, accumulators);
    DimValues::Scope scope(env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(blocks.getBody());
    Value begin = blocks.getInductionVar();
    Value next = arith::AddIOp::create(inside, loc, begin, step);
    Value end = arith::MinSIOp::create(inside, loc, next, to);
    Values values = inner(inside, begin, end, blocks.getRegionIterArgs());
    if (!accumulators.empty())
        scf::YieldOp::create(inside, loc, values);
    return Values(blocks.getResults());
}

// The last loop in blocks: a block's gather indices are checked first, and where all are in
// [0, size), its loop has no checks, and so more loads in flight.
Values NestEmitter::gatherInBlocks(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                                   ValueRange accumulators) {
    return inBlocks(builder, from, to, indexBlock, accumulators,
                    [&](OpBuilder &inside, Value begin, Value end, ValueRange carried) {
                        return gatherBlock(inside, point, begin, end, carried);
                    });
}

Values NestEmitter::gatherBlock(OpBuilder &inside, const NestPoint &point, Value begin, Value end,
                                ValueRange carried) {
    const unsigned level = plan.loops.size() - 1;
    Value no = arith::ConstantIntOp::create(inside, loc, 0, 1);
    Values isOutside =
        loop(inside, level, point, begin, end, no,
             [&](OpBuilder &b, const NestPoint &at, ValueRange found) {
                 return Values{arith::OrIOp::create(b, loc, found[0], body.isOutOfBounds(b, at))};
             });
    auto branch = scf::IfOp::create(inside, loc, carried.getTypes(), isOutside[0], true);
    for (bool isInside : {false, true}) {
        OpBuilder b = isInside ? branch.getElseBodyBuilder() : branch.getThenBodyBuilder();
        DimValues::Scope own(env.dims);
        body.indexMode = isInside ? NestBody::IndexMode::InBounds : NestBody::IndexMode::Wrap;
        scf::YieldOp::create(b, loc,
                             loop(b, level, point, begin, end, carried,
                                  [&](OpBuilder &deep, const NestPoint &at, ValueRange values) {
                                      return atPoint(deep, at, values);
                                  }));
    }
    body.indexMode = NestBody::IndexMode::Wrap;
    return Values(branch.getResults());
}

// The reductions' values at one point of the parallel loops: stored, or kept as the nest's results.
void NestEmitter::storeReductions(OpBuilder &builder, const NestPoint &point, ValueRange values) {
    NestPoint exact = point;
    if (nonLinear)
        finish(builder, exact);
    for (const NestBody::Reduction &r : body.reductions()) {
        Scalar value = takeParts(r.type, values);
        if (r.yield >= plan.writes.size()) {
            appendParts(results, value);
            continue;
        }
        const NestAccess &write = plan.writes[r.yield];
        storeElement(builder, loc, value, env.pointers[write.pointer],
                     exact.offsets[plan.reads.size() + r.yield], write.dtype);
    }
}

//===-- Rows of accumulators

// A row of few elements: all of its accumulators stay in registers through the reduction loops.
void NestEmitter::shortRow(OpBuilder &builder, const NestPoint &point, int64_t items) {
    const unsigned row = plan.loops.size() - 1;
    auto item = [&](OpBuilder &b, const NestPoint &at, int64_t k) {
        return step(b, at, row, constant(b, k));
    };
    const Values one = body.identities(builder);
    Values all;
    for (int64_t k = 0; k < items; ++k)
        llvm::append_range(all, one);
    auto slice = [&](ValueRange values, int64_t k) {
        return values.slice(k * one.size(), one.size());
    };
    auto reduce = [&](auto &self, OpBuilder &b, unsigned level, const NestPoint &at,
                      ValueRange carried) -> Values {
        if (level < row)
            return loop(b, level, at, constant(b, 0), size(b, level), carried,
                        [&](OpBuilder &inside, const NestPoint &next, ValueRange values) {
                            return self(self, inside, level + 1, next, values);
                        });
        Values next;
        for (int64_t k = 0; k < items; ++k) {
            DimValues::Scope scope(env.dims);
            llvm::append_range(next, atPoint(b, item(b, at, k), slice(carried, k)));
        }
        return next;
    };
    Values done = reduce(reduce, builder, plan.parallel, point, all);
    for (int64_t k = 0; k < items; ++k) {
        DimValues::Scope scope(env.dims);
        storeReductions(builder, item(builder, point, k), slice(done, k));
    }
}

// for each block of the row: row = identity; for each reduced point: row = combine(row, body)
void NestEmitter::rows(OpBuilder &builder, const NestPoint &point) {
    unsigned row = plan.loops.size() - 1;
    if (DimAttr items = plan.loops[row].size; items.isConst() && items.getValue() <= maxRegisterRow)
        return shortRow(builder, point, items.getValue());
    auto blocks = scf::ForOp::create(builder, loc, first(builder, row), end(builder, row),
                                     constant(builder, rowBlock));
    DimValues::Scope scope(env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(blocks.getBody());
    Value from = blocks.getInductionVar();
    Value next = arith::AddIOp::create(inside, loc, from, constant(inside, rowBlock));
    Value to = arith::MinSIOp::create(inside, loc, next, end(inside, row));
    loop(inside, row, point, from, to, {}, [&](OpBuilder &b, const NestPoint &next, ValueRange) {
        storeReductions(b, next, body.identities(b));
        return Values();
    });
    rowLoops(inside, plan.parallel, point, from, to);
}

// Unroll-and-jam of the reduction loop around a row: the accumulators are loaded and stored once
// for several reduced points. For bodies that compute little.
bool NestEmitter::mayUnrollAndJam() {
    np::NestOp op = plan.op;
    int64_t cost = 0;
    for (Operation &inner : op.getBody().front()) {
        if (isa<np::TakeOp>(inner))
            return false;
        cost += costOf(inner);
    }
    return !nonLinear && cost <= 8;
}

void NestEmitter::rowLoops(OpBuilder &builder, unsigned level, const NestPoint &point, Value from,
                           Value to) {
    const unsigned row = plan.loops.size() - 1;
    if (level == row)
        return accumulateRow(builder, point, from, to, 1, false);
    Value all = size(builder, level), zero = constant(builder, 0);
    auto withoutJam = [&](OpBuilder &b, Value begin, bool isAhead) {
        loop(b, level, point, begin, all, {},
             [&](OpBuilder &inside, const NestPoint &next, ValueRange) {
                 if (level + 1 < row)
                     rowLoops(inside, level + 1, next, from, to);
                 else
                     accumulateRow(inside, next, from, to, 1, isAhead);
                 return Values();
             });
    };
    if (level + 1 < row || !mayUnrollAndJam())
        return withoutJam(builder, zero, false);
    auto withJam = [&](OpBuilder &b) {
        withoutJam(b, jamPoints(b, level, point, from, to), false);
    };
    if (!isPrefetched || !areRowsContiguous(level))
        return withJam(builder);
    // From memory one whole row after the other is faster: it is a single stream.
    Value columns = arith::SubIOp::create(builder, loc, to, from);
    auto is = [&](arith::CmpIPredicate how, Value other) {
        return arith::CmpIOp::create(builder, loc, how, columns, other);
    };
    Value prefetchesRows =
        arith::AndIOp::create(builder, loc, isPrefetched,
                              is(arith::CmpIPredicate::sge, constant(builder, prefetchBlock)));
    prefetchesRows = arith::AndIOp::create(builder, loc, prefetchesRows,
                                           is(arith::CmpIPredicate::eq, size(builder, row)));
    auto branch = scf::IfOp::create(builder, loc, prefetchesRows, /*withElseRegion=*/true);
    OpBuilder then = branch.getThenBodyBuilder(), rest = branch.getElseBodyBuilder();
    {
        DimValues::Scope scope(env.dims);
        withoutJam(then, zero, true);
    }
    DimValues::Scope scope(env.dims);
    withJam(rest);
}

// The rows of consecutive iterations of this loop are contiguous in memory.
bool NestEmitter::areRowsContiguous(unsigned level) {
    return llvm::all_of(plan.reads, [&](const NestAccess &read) {
        return read.steps[level] == plan.loops.back().size && read.steps.back().isConst(1);
    });
}

// Unroll-and-jam of this loop by jamFactor; returns where the remainder begins.
Value NestEmitter::jamPoints(OpBuilder &builder, unsigned level, const NestPoint &point, Value from,
                             Value to) {
    constexpr int64_t jamFactor = 4;
    Value factor = constant(builder, jamFactor);
    Value groups = arith::DivUIOp::create(builder, loc, size(builder, level), factor);
    Value columns = arith::SubIOp::create(builder, loc, to, from), isPrefetchedRow = isPrefetched;
    if (isPrefetched) {
        Value isShortRow = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, columns,
                                                 constant(builder, prefetchBlock));
        isPrefetchedRow = arith::AndIOp::create(builder, loc, isPrefetched, isShortRow);
    }
    loop(builder, level, point, constant(builder, 0), groups, {},
         [&](OpBuilder &inside, const NestPoint &next, ValueRange) {
             // `next` is at point `group`: the group's first point is at `jamFactor` times that.
             const DimAttr iterator = plan.loops[level].iterators[0];
             Value group = env.dims.emit(inside, loc, iterator);
             Value more =
                 arith::MulIOp::create(inside, loc, group, constant(inside, jamFactor - 1));
             const NestPoint first = step(inside, next, level, more);
             env.dims.bind(iterator, arith::AddIOp::create(inside, loc, group, more));
             if (isPrefetched && areRowsContiguous(level)) {
                 Value all = arith::MulIOp::create(inside, loc, columns, factor);
                 prefetch(inside, isPrefetchedRow, first, all);
             }
             accumulateRow(inside, first, from, to, jamFactor, false);
             return Values();
         });
    return arith::MulIOp::create(builder, loc, groups, factor);
}

// row = combine(row, body), of `points` reduced points of the loop around the row.
void NestEmitter::accumulateRow(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                                int64_t points, bool isAhead) {
    const unsigned row = plan.loops.size() - 1;
    auto laterPoint = [&](OpBuilder &inside, const NestPoint &next, int64_t k, Values values) {
        DimValues::Scope scope(env.dims);
        if (k == 0)
            return atPoint(inside, next, values);
        const DimAttr iterator = plan.loops[row - 1].iterators[0];
        Value first = env.dims.emit(inside, loc, iterator), more = constant(inside, k);
        const NestPoint later = step(inside, next, row - 1, more);
        env.dims.bind(iterator, arith::AddIOp::create(inside, loc, first, more));
        return atPoint(inside, later, values);
    };
    auto combine = [&](OpBuilder &inside, const NestPoint &next, ValueRange) {
        Values accumulators;
        for (const NestBody::Reduction &r : body.reductions()) {
            const NestAccess &write = plan.writes[r.yield];
            appendParts(accumulators,
                        loadElement(inside, loc, env.pointers[write.pointer],
                                    next.offsets[plan.reads.size() + r.yield], write.dtype));
        }
        for (int64_t k = 0; k < points; ++k)
            accumulators = laterPoint(inside, next, k, accumulators);
        storeReductions(inside, next, accumulators);
        return Values();
    };
    if (!isAhead) {
        loop(builder, row, point, from, to, {}, combine);
        return;
    }
    inBlocks(builder, from, to, prefetchBlock, {},
             [&](OpBuilder &inside, Value begin, Value end, ValueRange) {
                 DimValues::Scope scope(env.dims);
                 prefetch(inside, isPrefetched, step(inside, point, row, begin),
                          arith::SubIOp::create(inside, loc, end, begin));
                 return loop(inside, row, point, begin, end, {}, combine);
             });
}

//===-- NumPy's summation tree

// Enough independent accumulators to hide the latency of comparisons; bools have none.
unsigned NestEmitter::extremeLanes(bool isVector) {
    if (isVector && isBool(body.reductions()[0].dtype) && !plan.reads.empty()) {
        size_t widest = 1;
        for (const NestAccess &read : plan.reads)
            widest = std::max(widest, itemSize(read.dtype));
        return 256 / widest;
    }
    bool isStrided = llvm::any_of(plan.reads, [&](const NestAccess &read) {
        return !read.steps.back().isConst(0) && !isVectorStep(read.steps.back());
    });
    return !isVector ? 4 : isStrided ? 8 : 256 / itemSize(body.reductions()[0].dtype);
}

// For a single reduction of bools with a pure body.
std::optional<EarlyExitShape> NestEmitter::earlyExitShape() {
    constexpr int64_t stridedBlock = 32, block = 256, vectorBlock = 2048;
    if (body.reductions().size() != 1 || op.getCombine().size() != 1 ||
        body.checksGatherIndices() || !isBool(body.reductions()[0].dtype) || !body.isIdempotent())
        return std::nullopt;
    const bool isPure = llvm::all_of(op.getBody().front(), [](Operation &inner) {
        return isMemoryEffectFree(&inner) || isa<np::UfuncOp, np::NestYieldOp>(inner);
    });
    const bool hasNeighbours = llvm::any_of(
        plan.reads, [](const NestAccess &read) { return isVectorStep(read.steps.back()); });
    if (!isPure || (plan.loops.back().size.isConst() && plan.loops.back().size.getValue() <= block))
        return std::nullopt;
    StringRef combine = body.reductions()[0].combine;
    return EarlyExitShape{combine == "logical_or" || combine == "maximum",
                          plan.form == NestForm::MultipleAccumulators ? vectorBlock
                          : hasNeighbours                             ? block
                                                                      : stridedBlock};
}

// In a loop of the program.
static bool isInLoop(Operation *op) {
    return op->getParentOfType<np::ForOp>() || op->getParentOfType<np::WhileOp>();
}

// The reduction of `count` elements of the last loop, starting at `from`.
Values NestEmitter::tree(OpBuilder &builder, const NestPoint &point, Value from, Value count) {
    unsigned last = plan.loops.size() - 1;
    PairwiseShape shape;
    shape.lanes = summationLanes(plan);
    shape.leaf = plan.length == NestPlan::Length::Leaf ? 0 : longestLeaf(plan);
    shape.mayBeShort =
        plan.loops.size() == 1 && isInLoop(op) && plan.length == NestPlan::Length::Unknown;
    shape.vector = !nonLinear && body.canVectorise(builder);
    auto index = [&](OpBuilder &b, Value k) -> Value {
        return matchPattern(from, m_Zero()) ? k
                                            : arith::AddIOp::create(b, loc, from, k).getResult();
    };
    if (plan.form == NestForm::MultipleAccumulators || plan.form == NestForm::ArgReduction) {
        shape.lanes = extremeLanes(shape.vector);
        shape.leaf = 0;
        shape.overlap = body.isIdempotent();
    }
    PairwiseCode code;
    code.types = body.accumulatorTypes();
    code.identities = [&](OpBuilder &b) { return body.identities(b); };
    code.combine = [&](OpBuilder &b, ValueRange left, ValueRange right) {
        return body.combine(b, left, right);
    };
    code.at = [&](OpBuilder &b, Value k, ValueRange accumulators) {
        DimValues::Scope scope(env.dims);
        return atPoint(b, step(b, point, last, index(b, k)), accumulators);
    };
    code.atLanes = [&](OpBuilder &b, Value k, ValueRange accumulators) {
        DimValues::Scope scope(env.dims);
        return body.atLanes(b, step(b, point, last, index(b, k)), last, shape.lanes, accumulators);
    };
    if (shape.leaf != 0 && env.context)
        code.poll = [&](OpBuilder &b, Value begin, Value end) { pollBetween(b, begin, end); };
    if (isPrefetched && shape.vector)
        code.prefetch = [&](OpBuilder &b, Value begin, Value end) {
            DimValues::Scope scope(env.dims);
            prefetch(b, isPrefetched, step(b, point, last, index(b, begin)),
                     arith::SubIOp::create(b, loc, end, begin));
        };
    if (plan.form != NestForm::Pairwise && shape.vector)
        code.combineLanes = [&](OpBuilder &b, unsigned lanes, ValueRange left, ValueRange right) {
            return body.combineLanes(b, lanes, left, right);
        };
    return emitPairwise(builder, loc, shape, code, count, env.dims);
}

// Hardware prefetchers run only so far ahead of a stream: a reduction of what no cache holds waits
// for memory without software prefetches (min of 288 MB: 9.4 -> 7.2 ms).
void NestEmitter::prefetch(OpBuilder &builder, Value isPrefetched, const NestPoint &first,
                           Value count) {
    constexpr int64_t line = 64, ahead = 6144; // bytes: measured
    auto branch = scf::IfOp::create(builder, loc, isPrefetched, /*withElseRegion=*/false);
    DimValues::Scope scope(env.dims);
    OpBuilder far = OpBuilder::atBlockBegin(branch.thenBlock());
    for (auto [k, read] : llvm::enumerate(plan.reads)) {
        if (!read.gatherAxes.empty() || !read.steps.back().isConst(1))
            continue;
        const int64_t item = int64_t(itemSize(read.dtype));
        Value there =
            arith::AddIOp::create(far, loc, first.offsets[k], constant(far, ahead / item));
        auto lines =
            scf::ForOp::create(far, loc, constant(far, 0), count, constant(far, line / item));
        OpBuilder inside = OpBuilder::atBlockBegin(lines.getBody());
        Value at = arith::AddIOp::create(inside, loc, there, lines.getInductionVar());
        Value address = elementAddress(inside, loc, env.pointers[read.pointer], at, read.dtype);
        LLVM::Prefetch::create(inside, loc, address, /*rw=*/0, /*hint=*/3, /*cache=*/1);
    }
}

SmallVector<Scalar> emitNest(OpBuilder &builder, const NestPlan &plan, NestContext env) {
    return NestEmitter(plan, env).run(builder);
}

np::ConstOp underlyingConstant(Value value) {
    if (auto cast = value.getDefiningOp<np::CastOp>())
        value = cast.getOperand();
    return value.getDefiningOp<np::ConstOp>();
}

SmallVector<Value> outsideScalars(np::NestOp op) {
    SmallVector<Value> values;
    llvm::DenseSet<Value> seen;
    op.getBody().walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
            if (operand.getParentRegion() != &op.getBody() && !underlyingConstant(operand) &&
                np::isScalar(operand.getType()) && seen.insert(operand).second)
                values.push_back(operand);
    });
    return values;
}

void emitOutsideConstants(OpBuilder &builder, np::NestOp op, NestContext env) {
    auto emit = [&](Operation *made) {
        if (made && made->getParentRegion() != &op.getBody())
            emitScalarOp(builder, made, {env.dims, env.scalars, nullptr});
    };
    op.getBody().walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
            if (np::ConstOp constant = underlyingConstant(operand)) {
                emit(constant);
                if (operand.getDefiningOp() != constant)
                    emit(operand.getDefiningOp());
            }
    });
}

} // namespace shapecast
