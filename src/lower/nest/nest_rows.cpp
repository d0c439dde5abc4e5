#include "lower/nest/nest_rows.h"

#include "lower/nest/non_temporal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

constexpr int64_t prefetchBlock = 256; // columns of a long row that are prefetched at once

constexpr int64_t maxRegisterRow = 8; // elements of a row whose accumulators are in registers

// A row of few elements: all of its accumulators stay in registers through the reduction loops.
static void shortRow(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, int64_t items) {
    const unsigned row = nest.plan.loops.size() - 1;
    auto item = [&](OpBuilder &b, const NestPoint &at, int64_t k) {
        return nest.step(b, at, row, nest.constant(b, k));
    };
    const Values one = nest.body.identities(builder);
    Values all;
    for (int64_t k = 0; k < items; ++k)
        llvm::append_range(all, one);
    auto slice = [&](ValueRange values, int64_t k) {
        return values.slice(k * one.size(), one.size());
    };
    auto reduce = [&](auto &self, OpBuilder &b, unsigned level, const NestPoint &at,
                      ValueRange carried) -> Values {
        if (level < row)
            return nest.loop(b, level, at, nest.constant(b, 0), nest.size(b, level), carried,
                             [&](OpBuilder &inside, const NestPoint &next, ValueRange values) {
                                 return self(self, inside, level + 1, next, values);
                             });
        Values next;
        for (int64_t k = 0; k < items; ++k) {
            DimValues::Scope scope(nest.env.dims);
            llvm::append_range(next, nest.atPoint(b, item(b, at, k), slice(carried, k)));
        }
        return next;
    };
    Values done = reduce(reduce, builder, nest.plan.parallel, point, all);
    for (int64_t k = 0; k < items; ++k) {
        DimValues::Scope scope(nest.env.dims);
        nest.storeReductions(builder, item(builder, point, k), slice(done, k));
    }
}

// Unroll-and-jam of the reduction loop around a row: the accumulators are loaded and stored once
// for several reduced points. For bodies that compute little.
static bool mayUnrollAndJam(NestEmitter &nest) {
    np::NestOp op = nest.plan.op;
    int64_t cost = 0;
    for (Operation &inner : op.getBody().front()) {
        if (isa<np::TakeOp>(inner))
            return false;
        cost += costOf(inner);
    }
    return !nest.nonLinear && cost <= 8;
}

// The rows of consecutive iterations of this loop are contiguous in memory.
static bool areRowsContiguous(NestEmitter &nest, unsigned level) {
    return llvm::all_of(nest.plan.reads, [&](const NestAccess &read) {
        return read.steps[level] == nest.plan.loops.back().size && read.steps.back().isConst(1);
    });
}

// row = combine(row, body), of `points` reduced points of the loop around the row.
static void accumulateRow(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                          Value to, int64_t points, bool isAhead) {
    const unsigned row = nest.plan.loops.size() - 1;
    auto laterPoint = [&](OpBuilder &inside, const NestPoint &next, int64_t k, Values values) {
        DimValues::Scope scope(nest.env.dims);
        if (k == 0)
            return nest.atPoint(inside, next, values);
        const DimAttr iterator = nest.plan.loops[row - 1].iterators[0];
        Value first = nest.env.dims.emit(inside, nest.loc, iterator),
              more = nest.constant(inside, k);
        const NestPoint later = nest.step(inside, next, row - 1, more);
        nest.env.dims.bind(iterator, arith::AddIOp::create(inside, nest.loc, first, more));
        return nest.atPoint(inside, later, values);
    };
    auto combine = [&](OpBuilder &inside, const NestPoint &next, ValueRange) {
        Values accumulators;
        for (const NestBody::Reduction &r : nest.body.reductions()) {
            const NestAccess &write = nest.plan.writes[r.yield];
            appendParts(accumulators,
                        loadElement(inside, nest.loc, nest.env.pointers[write.pointer],
                                    next.offsets[nest.plan.reads.size() + r.yield], write.dtype));
        }
        for (int64_t k = 0; k < points; ++k)
            accumulators = laterPoint(inside, next, k, accumulators);
        nest.storeReductions(inside, next, accumulators);
        return Values();
    };
    if (!isAhead) {
        nest.loop(builder, row, point, from, to, {}, combine);
        return;
    }
    nest.inBlocks(builder, from, to, prefetchBlock, {},
                  [&](OpBuilder &inside, Value begin, Value end, ValueRange) {
                      DimValues::Scope scope(nest.env.dims);
                      emitPrefetch(nest, inside, nest.isPrefetched,
                                   nest.step(inside, point, row, begin),
                                   arith::SubIOp::create(inside, nest.loc, end, begin));
                      return nest.loop(inside, row, point, begin, end, {}, combine);
                  });
}

// Unroll-and-jam of this loop by jamFactor; returns where the remainder begins.
static Value jamPoints(NestEmitter &nest, OpBuilder &builder, unsigned level,
                       const NestPoint &point, Value from, Value to) {
    constexpr int64_t jamFactor = 4;
    Value factor = nest.constant(builder, jamFactor);
    Value groups = arith::DivUIOp::create(builder, nest.loc, nest.size(builder, level), factor);
    Value columns = arith::SubIOp::create(builder, nest.loc, to, from),
          isPrefetchedRow = nest.isPrefetched;
    if (nest.isPrefetched) {
        Value isShortRow = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::slt,
                                                 columns, nest.constant(builder, prefetchBlock));
        isPrefetchedRow = arith::AndIOp::create(builder, nest.loc, nest.isPrefetched, isShortRow);
    }
    nest.loop(builder, level, point, nest.constant(builder, 0), groups, {},
              [&](OpBuilder &inside, const NestPoint &next, ValueRange) {
                  // `next` is at point `group`: the group's first point is at `jamFactor` times
                  // that.
                  const DimAttr iterator = nest.plan.loops[level].iterators[0];
                  Value group = nest.env.dims.emit(inside, nest.loc, iterator);
                  Value more = arith::MulIOp::create(inside, nest.loc, group,
                                                     nest.constant(inside, jamFactor - 1));
                  const NestPoint first = nest.step(inside, next, level, more);
                  nest.env.dims.bind(iterator,
                                     arith::AddIOp::create(inside, nest.loc, group, more));
                  if (nest.isPrefetched && areRowsContiguous(nest, level)) {
                      Value all = arith::MulIOp::create(inside, nest.loc, columns, factor);
                      emitPrefetch(nest, inside, isPrefetchedRow, first, all);
                  }
                  accumulateRow(nest, inside, first, from, to, jamFactor, false);
                  return Values();
              });
    return arith::MulIOp::create(builder, nest.loc, groups, factor);
}

static void rowLoops(NestEmitter &nest, OpBuilder &builder, unsigned level, const NestPoint &point,
                     Value from, Value to) {
    const unsigned row = nest.plan.loops.size() - 1;
    if (level == row)
        return accumulateRow(nest, builder, point, from, to, 1, false);
    Value all = nest.size(builder, level), zero = nest.constant(builder, 0);
    auto withoutJam = [&](OpBuilder &b, Value begin, bool isAhead) {
        nest.loop(b, level, point, begin, all, {},
                  [&](OpBuilder &inside, const NestPoint &next, ValueRange) {
                      if (level + 1 < row)
                          rowLoops(nest, inside, level + 1, next, from, to);
                      else
                          accumulateRow(nest, inside, next, from, to, 1, isAhead);
                      return Values();
                  });
    };
    if (level + 1 < row || !mayUnrollAndJam(nest))
        return withoutJam(builder, zero, false);
    auto withJam = [&](OpBuilder &b) {
        withoutJam(b, jamPoints(nest, b, level, point, from, to), false);
    };
    if (!nest.isPrefetched || !areRowsContiguous(nest, level))
        return withJam(builder);
    // From memory one whole row after the other is faster: it is a single stream.
    Value columns = arith::SubIOp::create(builder, nest.loc, to, from);
    auto is = [&](arith::CmpIPredicate how, Value other) {
        return arith::CmpIOp::create(builder, nest.loc, how, columns, other);
    };
    Value prefetchesRows =
        arith::AndIOp::create(builder, nest.loc, nest.isPrefetched,
                              is(arith::CmpIPredicate::sge, nest.constant(builder, prefetchBlock)));
    prefetchesRows = arith::AndIOp::create(builder, nest.loc, prefetchesRows,
                                           is(arith::CmpIPredicate::eq, nest.size(builder, row)));
    auto branch = scf::IfOp::create(builder, nest.loc, prefetchesRows, /*withElseRegion=*/true);
    OpBuilder then = branch.getThenBodyBuilder(), rest = branch.getElseBodyBuilder();
    {
        DimValues::Scope scope(nest.env.dims);
        withoutJam(then, zero, true);
    }
    DimValues::Scope scope(nest.env.dims);
    withJam(rest);
}

// for each block of the row: row = identity; for each reduced point: row = combine(row, body)
void emitRows(NestEmitter &nest, OpBuilder &builder, const NestPoint &point) {
    unsigned row = nest.plan.loops.size() - 1;
    if (DimAttr items = nest.plan.loops[row].size;
        items.isConst() && items.getValue() <= maxRegisterRow)
        return shortRow(nest, builder, point, items.getValue());
    auto blocks = scf::ForOp::create(builder, nest.loc, nest.first(builder, row),
                                     nest.end(builder, row), nest.constant(builder, rowBlock));
    DimValues::Scope scope(nest.env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(blocks.getBody());
    Value from = blocks.getInductionVar();
    Value next = arith::AddIOp::create(inside, nest.loc, from, nest.constant(inside, rowBlock));
    Value to = arith::MinSIOp::create(inside, nest.loc, next, nest.end(inside, row));
    nest.loop(inside, row, point, from, to, {},
              [&](OpBuilder &b, const NestPoint &next, ValueRange) {
                  nest.storeReductions(b, next, nest.body.identities(b));
                  return Values();
              });
    rowLoops(nest, inside, nest.plan.parallel, point, from, to);
}

} // namespace shapecast
