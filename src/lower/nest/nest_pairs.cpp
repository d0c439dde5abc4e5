#include "lower/nest/nest_pairs.h"

#include "lower/nest/nest_copies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

// LLVM vectorises reads with step 2 of four bytes or more lane by lane: it does not know that the
// elements between may be read.
bool readsPairs(NestEmitter &nest) {
    if (nest.plan.loops.empty() || nest.plan.form != NestForm::Plain || nest.nonLinear ||
        nest.plan.small || nest.plan.parallel != nest.plan.loops.size())
        return false;
    auto isPaired = [](const NestAccess &read) { return read.steps.back().isConst(2); };
    auto isVector = [&](const NestAccess &read) {
        return read.gatherAxes.empty() && (itemSize(read.dtype) >= 4 || !isPaired(read)) &&
               (read.steps.back().isConst(0) || isVectorStep(read.steps.back()));
    };
    auto isContiguous = [](const NestAccess &write) { return write.steps.back().isConst(1); };
    return llvm::any_of(nest.plan.reads, isPaired) && llvm::all_of(nest.plan.reads, isVector) &&
           llvm::all_of(nest.plan.writes, isContiguous) && isInAnyOrder(nest);
}

// Whole vectors of the last loop; returns where the remainder begins.
Value pairedVectors(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                    Value to) {
    const unsigned last = nest.plan.loops.size() - 1;
    size_t widest = 1;
    for (const NestAccess &read : nest.plan.reads)
        widest = std::max(widest, itemSize(read.dtype));
    for (const NestAccess &write : nest.plan.writes)
        widest = std::max(widest, itemSize(write.dtype));
    const int64_t lanes = 128 / int64_t(widest);
    Value count = arith::SubIOp::create(builder, nest.loc, to, from);
    Value whole = arith::AndIOp::create(builder, nest.loc, count, nest.constant(builder, -lanes));
    Value end = arith::AddIOp::create(builder, nest.loc, from, whole);
    auto vectors = scf::ForOp::create(builder, nest.loc, from, end, nest.constant(builder, lanes));
    DimValues::Scope scope(nest.env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(vectors.getBody());
    nest.body.atLanes(inside, nest.step(inside, point, last, vectors.getInductionVar()), last,
                      unsigned(lanes), {});
    return end;
}

} // namespace shapecast
