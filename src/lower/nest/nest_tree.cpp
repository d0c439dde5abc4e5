#include "lower/nest/nest_tree.h"

#include "lower/nest/nest_polls.h"
#include "lower/nest/non_temporal.h"
#include "lower/nest/pairwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace shapecast {

// Enough independent accumulators to hide the latency of comparisons; bools have none.
unsigned extremeLanes(NestEmitter &nest, bool isVector) {
    if (isVector && isBool(nest.body.reductions()[0].dtype) && !nest.plan.reads.empty()) {
        size_t widest = 1;
        for (const NestAccess &read : nest.plan.reads)
            widest = std::max(widest, itemSize(read.dtype));
        return 256 / widest;
    }
    bool isStrided = llvm::any_of(nest.plan.reads, [&](const NestAccess &read) {
        return !read.steps.back().isConst(0) && !isVectorStep(read.steps.back());
    });
    return !isVector ? 4 : isStrided ? 8 : 256 / itemSize(nest.body.reductions()[0].dtype);
}

// In a loop of the program.
static bool isInLoop(Operation *op) {
    return op->getParentOfType<np::ForOp>() || op->getParentOfType<np::WhileOp>();
}

// The reduction of `count` elements of the last loop, starting at `from`.
Values emitTree(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                Value count) {
    unsigned last = nest.plan.loops.size() - 1;
    PairwiseShape shape;
    shape.lanes = summationLanes(nest.plan);
    shape.leaf = nest.plan.length == NestPlan::Length::Leaf ? 0 : longestLeaf(nest.plan);
    shape.mayBeShort = nest.plan.loops.size() == 1 && isInLoop(nest.op) &&
                       nest.plan.length == NestPlan::Length::Unknown;
    shape.vector = !nest.nonLinear && nest.body.canVectorise(builder);
    auto index = [&](OpBuilder &b, Value k) -> Value {
        return matchPattern(from, m_Zero())
                   ? k
                   : arith::AddIOp::create(b, nest.loc, from, k).getResult();
    };
    if (nest.plan.form == NestForm::MultipleAccumulators ||
        nest.plan.form == NestForm::ArgReduction) {
        shape.lanes = extremeLanes(nest, shape.vector);
        shape.leaf = 0;
        shape.overlap = nest.body.isIdempotent();
    }
    PairwiseCode code;
    code.types = nest.body.accumulatorTypes();
    code.identities = [&](OpBuilder &b) { return nest.body.identities(b); };
    code.combine = [&](OpBuilder &b, ValueRange left, ValueRange right) {
        return nest.body.combine(b, left, right);
    };
    code.at = [&](OpBuilder &b, Value k, ValueRange accumulators) {
        DimValues::Scope scope(nest.env.dims);
        return nest.atPoint(b, nest.step(b, point, last, index(b, k)), accumulators);
    };
    code.atLanes = [&](OpBuilder &b, Value k, ValueRange accumulators) {
        DimValues::Scope scope(nest.env.dims);
        return nest.body.atLanes(b, nest.step(b, point, last, index(b, k)), last, shape.lanes,
                                 accumulators);
    };
    if (shape.leaf != 0 && nest.env.context)
        code.poll = [&](OpBuilder &b, Value begin, Value end) { pollBetween(nest, b, begin, end); };
    if (nest.isPrefetched && shape.vector)
        code.prefetch = [&](OpBuilder &b, Value begin, Value end) {
            DimValues::Scope scope(nest.env.dims);
            emitPrefetch(nest, b, nest.isPrefetched, nest.step(b, point, last, index(b, begin)),
                         arith::SubIOp::create(b, nest.loc, end, begin));
        };
    if (nest.plan.form != NestForm::Pairwise && shape.vector)
        code.combineLanes = [&](OpBuilder &b, unsigned lanes, ValueRange left, ValueRange right) {
            return nest.body.combineLanes(b, lanes, left, right);
        };
    return emitPairwise(builder, nest.loc, shape, code, count, nest.env.dims);
}

} // namespace shapecast
