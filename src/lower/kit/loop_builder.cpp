#include "lower/kit/loop_builder.h"

#include "lower/kit/polls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace shapecast {

LoopBuilder::LoopBuilder(FunctionState &state, Location loc, ValueRange inits, Block *exit)
    : exit(exit), state(state), loc(loc), polls(Polls::No) {
    header = state.newBlock(inits.getTypes(), loc);
    body = state.newBlock({}, loc);
    cf::BranchOp::create(state.b, loc, header, inits);
    state.b.setInsertionPointToEnd(header);
}

LoopBuilder::LoopBuilder(FunctionState &state, Location loc, ValueRange inits, TypeRange results,
                         Polls polls)
    : state(state), loc(loc), polls(polls) {
    Values all(inits);
    if (polls == Polls::Counted)
        all.insert(all.begin(),
                   arith::ConstantIntOp::create(state.b, loc, iterationsPerCharge, 64));
    header = state.newBlock(ValueRange(all).getTypes(), loc);
    body = state.newBlock({}, loc);
    exit = state.newBlock(results, loc);
    cf::BranchOp::create(state.b, loc, header, all);
    state.b.setInsertionPointToEnd(header);
}

ValueRange LoopBuilder::carried() const {
    ValueRange all = header->getArguments();
    return polls == Polls::Counted ? all.drop_front() : all;
}

void LoopBuilder::continueIf(Value condition, ValueRange results) {
    continueIf(condition, exit, results);
}

void LoopBuilder::continueIf(Value condition, Block *elsewhere, ValueRange values) {
    cf::CondBranchOp::create(state.b, loc, condition, body, ValueRange(), elsewhere, values);
    state.b.setInsertionPointToEnd(body);
    if (polls == Polls::Counted)
        count = chargeCounted(state, loc, header->getArgument(0));
}

Values LoopBuilder::withCount(ValueRange values) const {
    Values all(values);
    if (count)
        all.insert(all.begin(), count);
    return all;
}

void LoopBuilder::next(ValueRange values) {
    cf::BranchOp::create(state.b, loc, header, withCount(values));
}

void LoopBuilder::nextIf(Value condition, ValueRange values, ValueRange results) {
    cf::CondBranchOp::create(state.b, loc, condition, header, withCount(values), exit, results);
}

ValueRange LoopBuilder::end() {
    state.b.setInsertionPointToEnd(exit);
    return exit->getArguments();
}

Values emitCountedLoop(FunctionState &state, Location loc, Value from, Value to, int64_t step,
                       ValueRange inits, llvm::function_ref<Values(Value, ValueRange)> body) {
    Values all{from};
    llvm::append_range(all, inits);
    LoopBuilder loop(state, loc, all, inits.getTypes());
    Value counter = loop.carried()[0];
    ValueRange now = loop.carried().drop_front();
    loop.continueIf(arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::slt, counter, to),
                    now);
    {
        DimValues::Scope scope(state.dims);
        Values next = body(counter, now);
        Value by = arith::ConstantIntOp::create(state.b, loc, step, 64);
        next.insert(next.begin(), arith::AddIOp::create(state.b, loc, counter, by));
        loop.next(next);
    }
    return Values(loop.end());
}

} // namespace shapecast
