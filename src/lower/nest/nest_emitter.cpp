#include "lower/nest/nest_emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

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
    pollInLoop(inside, loop, forOp.getInductionVar());
    if (!carried.empty())
        scf::YieldOp::create(inside, loc, values);
    return Values(forOp.getResults().take_front(accumulators.size()));
}

void NestEmitter::pollInLoop(OpBuilder &builder, unsigned loop, Value iteration) {
    const Value mask = loop < pollMasks.size() ? pollMasks[loop] : Value();
    if (!mask)
        return;
    Value low = arith::AndIOp::create(builder, loc, iteration, mask);
    pollWhen(builder, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, low, mask));
}

void NestEmitter::pollWhen(OpBuilder &builder, Value condition) {
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder inside = OpBuilder::atBlockBegin(branch.thenBlock());
    func::CallOp::create(inside, loc, env.poll, ValueRange{env.context});
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

} // namespace shapecast
