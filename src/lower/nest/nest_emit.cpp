// Loops of nests, in order; what is special is in files of its own.
#include "lower/nest/nest_emit.h"

#include "lower/nest/early_exit.h"
#include "lower/nest/nest_arg_reduction.h"
#include "lower/nest/nest_copies.h"
#include "lower/nest/nest_counts.h"
#include "lower/nest/nest_gathers.h"
#include "lower/nest/nest_jam.h"
#include "lower/nest/nest_pairs.h"
#include "lower/nest/nest_polls.h"
#include "lower/nest/nest_rows.h"
#include "lower/nest/nest_tree.h"
#include "lower/nest/non_temporal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace shapecast {

static void parallelLoops(NestEmitter &nest, OpBuilder &builder, unsigned level,
                          const NestPoint &point);

static void parallelLoop(NestEmitter &nest, OpBuilder &builder, unsigned level,
                         const NestPoint &point, Value from, Value to) {
    auto whole = [&](OpBuilder &b, Value begin, Value end) {
        if (nest.isPaired && level + 1 == nest.plan.loops.size())
            begin = pairedVectors(nest, b, point, begin, end);
        nest.loop(b, level, point, begin, end, {},
                  [&](OpBuilder &inside, const NestPoint &next, ValueRange) {
                      parallelLoops(nest, inside, level + 1, next);
                      return Values();
                  });
    };
    auto plain = [&](Value begin, Value end) {
        if (nest.jamsRows && level + 2 == nest.plan.loops.size())
            begin = jamRows(nest, builder, point, begin, end);
        if (level + 1 == nest.plan.loops.size() && (isRunCopy(nest) || isZeroRun(nest)))
            moveRun(nest, builder, point, begin, end, [&](OpBuilder &b) { whole(b, begin, end); });
        else
            whole(builder, begin, end);
    };
    if (!nest.isNonTemporal || level + 1 != nest.plan.loops.size())
        return plain(from, to);
    auto at = [&](OpBuilder &b, Value index) { return nest.step(b, point, level, index); };
    emitNonTemporalRow(builder, nest.plan, nest.env, nest.body,
                       {nest.isNonTemporal, from, to, plain, at});
}

static Values reductionLoops(NestEmitter &nest, OpBuilder &builder, unsigned level,
                             const NestPoint &point, ValueRange accumulators) {
    if (level == nest.plan.loops.size())
        return nest.atPoint(builder, point, accumulators);
    auto innerLoops = [&](OpBuilder &inside, const NestPoint &next, ValueRange carried) {
        return reductionLoops(nest, inside, level + 1, next, carried);
    };
    auto last = [&](OpBuilder &inside, Value from, Value to, ValueRange carried) {
        return nest.body.checksGatherIndices() && !nest.nonLinear
                   ? gatherInBlocks(nest, inside, point, from, to, carried)
                   : nest.loop(inside, level, point, from, to, carried, innerLoops);
    };
    if (nest.plan.form == NestForm::MultipleAccumulators)
        nest.body.canVectorise(builder); // emits its template outside the loop
    auto wholly = [&](OpBuilder &inside, Value from, Value to, ValueRange carried) {
        if (nest.plan.form != NestForm::Pairwise &&
            nest.plan.form != NestForm::MultipleAccumulators)
            return last(inside, from, to, carried);
        Value count =
            matchPattern(from, m_Zero()) ? to : arith::SubIOp::create(inside, nest.loc, to, from);
        return nest.body.combine(inside, carried, emitTree(nest, inside, point, from, count));
    };
    auto part = [&](OpBuilder &inside, Value from, Value to, ValueRange carried) {
        if (const unsigned bits = countingBits(nest))
            return isStripMined(nest)
                       ? shapecast::countBools(nest, inside, point, from, to, carried, bits)
                       : countBoolsOfRow(nest, inside, point, from, to, carried, bits);
        if (std::optional<EarlyExitShape> shape = earlyExitShape(nest))
            return emitEarlyExit(inside, nest.loc, nest.env.dims, *shape, from, to, carried[0],
                                 wholly);
        return wholly(inside, from, to, carried);
    };
    if (isStripMined(nest) && nest.plan.form != NestForm::Pairwise)
        return inStrips(nest, builder, accumulators, part);
    Value from = nest.first(builder, level), to = nest.end(builder, level);
    if (level + 1 < nest.plan.loops.size())
        return nest.loop(builder, level, point, from, to, accumulators, innerLoops);
    return part(builder, from, to, accumulators);
}

static void parallelLoops(NestEmitter &nest, OpBuilder &builder, unsigned level,
                          const NestPoint &point) {
    if (level + 2 == nest.plan.loops.size() && isTransposedCopy(nest))
        return transposedCopy(nest, builder, point);
    if (level < nest.plan.parallel && isStripMined(nest)) {
        inStrips(nest, builder, {}, [&](OpBuilder &inside, Value from, Value to, ValueRange) {
            parallelLoop(nest, inside, level, point, from, to);
            return Values();
        });
        return;
    }
    if (level < nest.plan.parallel)
        return parallelLoop(nest, builder, level, point, nest.first(builder, level),
                            nest.end(builder, level));
    if (nest.plan.form == NestForm::Rows)
        return emitRows(nest, builder, point);
    if (nest.plan.form == NestForm::ArgReduction)
        return emitArgReduction(nest, builder, point);
    if (nest.body.reductions().empty()) {
        nest.atPoint(builder, point, {});
        return;
    }
    Values values = reductionLoops(nest, builder, level, point, nest.body.identities(builder));
    nest.storeReductions(builder, point, values);
}

static SmallVector<Scalar> emitLoops(NestEmitter &nest, OpBuilder &builder) {
    // Iterators of loops that were dropped are zero, those of collapsed loops are unused.
    for (unsigned k = 0; k < nest.op.getSpace().size(); ++k)
        nest.env.dims.bind(iteratorSymbol(builder.getContext(), k), nest.constant(builder, 0));
    for (unsigned k = 0; k < nest.plan.loops.size(); ++k)
        nest.size(builder, k);
    if (nest.env.context)
        planPolls(nest, builder);
    if (nest.plan.length == NestPlan::Length::Leaf && nest.op.getChecks())
        nest.body.indexMode = NestBody::IndexMode::NonNegative;
    NestPoint point = nest.start(builder);
    nest.isPaired = readsPairs(nest) && nest.body.canVectorise(builder);
    nest.jamsRows = mayJamRows(nest) && nest.body.canVectorise(builder);
    if (nest.plan.mayExceedCaches && !nest.nonLinear && nest.body.canVectorise(builder))
        (nest.plan.form == NestForm::Plain ? nest.isNonTemporal : nest.isPrefetched) =
            exceedsCaches(builder, nest.plan, nest.env);
    parallelLoops(nest, builder, 0, point);
    if (nest.isNonTemporal) { // non-temporal stores are weakly ordered
        auto branch =
            scf::IfOp::create(builder, nest.loc, nest.isNonTemporal, /*withElseRegion=*/false);
        OpBuilder inside = OpBuilder::atBlockBegin(branch.thenBlock());
        LLVM::FenceOp::create(inside, nest.loc, LLVM::AtomicOrdering::seq_cst);
    }
    SmallVector<Scalar> scalars;
    ValueRange parts = nest.results;
    for (Value result : nest.op.getResults_())
        scalars.push_back(takeParts(result.getType(), parts));
    return scalars;
}

SmallVector<Scalar> emitNest(OpBuilder &builder, const NestPlan &plan, NestContext env) {
    NestEmitter nest(plan, env);
    return emitLoops(nest, builder);
}

} // namespace shapecast
