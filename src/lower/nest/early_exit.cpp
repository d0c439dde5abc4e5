#include "lower/nest/early_exit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

// For a single reduction of bools with a pure body.
std::optional<EarlyExitShape> earlyExitShape(NestEmitter &nest) {
    constexpr int64_t stridedBlock = 32, block = 256, vectorBlock = 2048;
    if (nest.body.reductions().size() != 1 || nest.op.getCombine().size() != 1 ||
        nest.body.checksGatherIndices() || !isBool(nest.body.reductions()[0].dtype) ||
        !nest.body.isIdempotent())
        return std::nullopt;
    const bool isPure = llvm::all_of(nest.op.getBody().front(), [](Operation &inner) {
        return isMemoryEffectFree(&inner) || isa<np::UfuncOp, np::NestYieldOp>(inner);
    });
    const bool hasNeighbours = llvm::any_of(
        nest.plan.reads, [](const NestAccess &read) { return isVectorStep(read.steps.back()); });
    if (!isPure ||
        (nest.plan.loops.back().size.isConst() && nest.plan.loops.back().size.getValue() <= block))
        return std::nullopt;
    StringRef combine = nest.body.reductions()[0].combine;
    return EarlyExitShape{combine == "logical_or" || combine == "maximum",
                          nest.plan.form == NestForm::MultipleAccumulators ? vectorBlock
                          : hasNeighbours                                  ? block
                                                                           : stridedBlock};
}

SmallVector<Value>
emitEarlyExit(OpBuilder &builder, Location loc, DimValues &dims, EarlyExitShape shape, Value from,
              Value to, Value accumulator,
              llvm::function_ref<SmallVector<Value>(OpBuilder &, Value, Value, ValueRange)> inner) {
    const SmallVector<Type> types{from.getType(), accumulator.getType()};
    const SmallVector<Location> locs(2, loc);
    Value block = dims.constant(builder, loc, shape.block);
    Value twice = dims.constant(builder, loc, 2 * shape.block);
    auto loop = scf::WhileOp::create(builder, loc, types, ValueRange{from, accumulator});

    OpBuilder::InsertionGuard guard(builder);
    Block *before = builder.createBlock(&loop.getBefore(), {}, types, locs);
    Value hasMore =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, before->getArgument(0), to);
    Value absorbing = arith::ConstantIntOp::create(builder, loc, shape.absorbing, 1);
    Value isUndecided = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                              before->getArgument(1), absorbing);
    scf::ConditionOp::create(builder, loc,
                             arith::AndIOp::create(builder, loc, hasMore, isUndecided),
                             before->getArguments());

    Block *after = builder.createBlock(&loop.getAfter(), {}, types, locs);
    DimValues::Scope scope(dims);
    Value begin = after->getArgument(0);
    Value left = arith::SubIOp::create(builder, loc, to, begin);
    Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, left, twice);
    Value end = arith::SelectOp::create(builder, loc, isLast, to,
                                        arith::AddIOp::create(builder, loc, begin, block));
    SmallVector<Value> next{end};
    llvm::append_range(next, inner(builder, begin, end, after->getArgument(1)));
    scf::YieldOp::create(builder, loc, next);
    return {loop.getResult(1)};
}

} // namespace shapecast
