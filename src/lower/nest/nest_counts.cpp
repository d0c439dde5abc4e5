#include "lower/nest/nest_counts.h"

#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

using runtime::pollGrain;

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
unsigned countingBits(NestEmitter &nest) {
    static_assert(pollGrain < 1 << 16);
    const ArrayRef<NestBody::Reduction> reductions = nest.body.reductions();
    const DimAttr size = nest.plan.loops.back().size;
    const bool isShort = !nest.env.context || (size.isConst() && size.getValue() < 64);
    if (isShort || nest.plan.form != NestForm::Plain ||
        nest.op.getCombine().size() != reductions.size() || reductions.empty() ||
        nest.plan.reads.empty() || nest.nonLinear || nest.body.checksGatherIndices())
        return 0;
    size_t narrowest = 8;
    for (const NestAccess &read : nest.plan.reads) {
        if (!isVectorStep(read.steps.back()))
            return 0;
        narrowest = std::min(narrowest, itemSize(read.dtype));
    }
    bool sums = false, hasAnyOrAll = false;
    for (const NestBody::Reduction &r : reductions) {
        Value given = nest.op.getBody().front().getTerminator()->getOperand(r.yield);
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
Values countBools(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                  Value to, ValueRange accumulators, unsigned bits) {
    const ArrayRef<NestBody::Reduction> reductions = nest.body.reductions();
    Value none = arith::ConstantIntOp::create(builder, nest.loc, 0, bits);
    auto next = [&](OpBuilder &b, const NestPoint &at, ValueRange counted) {
        Values found = nest.atPoint(b, at, nest.body.identities(b)), sums;
        Value yes = arith::ConstantIntOp::create(b, nest.loc, 1, 1);
        for (auto [r, truth, before] : llvm::zip_equal(reductions, found, counted)) {
            if (r.combine == "logical_and")
                truth = arith::XOrIOp::create(b, nest.loc, truth, yes);
            Value one = truth.getType().isInteger(1)
                            ? Value(arith::ExtUIOp::create(b, nest.loc, none.getType(), truth))
                            : resized(b, nest.loc, truth, bits);
            sums.push_back(arith::AddIOp::create(b, nest.loc, before, one));
        }
        return sums;
    };
    Values counted = nest.loop(builder, nest.plan.loops.size() - 1, point, from, to,
                               Values(reductions.size(), none), next);
    for (auto [r, value] : llvm::zip_equal(reductions, counted)) {
        if (r.combine == "add") {
            value = resized(builder, nest.loc, value, unsigned(itemSize(r.dtype) * 8));
            continue;
        }
        auto is = r.combine == "logical_or" ? arith::CmpIPredicate::ne : arith::CmpIPredicate::eq;
        value = arith::CmpIOp::create(builder, nest.loc, is, value, none);
    }
    return nest.body.combine(builder, accumulators, counted);
}

// The same for a loop of any length.
Values countBoolsOfRow(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                       Value to, ValueRange accumulators, unsigned bits) {
    return nest.inBlocks(builder, from, to, pollGrain, accumulators,
                         [&](OpBuilder &inside, Value begin, Value end, ValueRange carried) {
                             return countBools(nest, inside, point, begin, end, carried, bits);
                         });
}

} // namespace shapecast
