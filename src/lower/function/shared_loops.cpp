#include "lower/function/shared_loops.h"

#include "lower/kit/errors.h"
#include "lower/kit/outlined_function.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "lower/nest/nest_body.h"
#include "runtime/abi.h"
#include "runtime/threads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// The address of the function named after `callee` with a suffix, whose body `fill` emits once.
static Value addressOf(FunctionState &state, func::FuncOp callee, StringRef suffix,
                       ArrayRef<Type> parameters, llvm::function_ref<void(ValueRange)> fill) {
    Location loc = callee.getLoc();
    const std::string name = (callee.getSymName() + suffix).str();
    auto made = state.module.lookupSymbol<func::FuncOp>(name);
    if (!made) {
        OpBuilder::InsertionGuard guard(state.b);
        state.b.setInsertionPointAfter(callee);
        made = makePrivate(state.b, loc, name, state.b.getFunctionType(parameters, {}));
        state.b.setInsertionPointToEnd(made.addEntryBlock());
        fill(made.getArguments());
        func::ReturnOp::create(state.b, loc);
    }
    return addressOf(state, made);
}

// work >= ctx.minParallelWork ? together() : alone(), joined in a block with their results.
static Values shareWhen(FunctionState &state, Location loc, Value work, TypeRange results,
                        llvm::function_ref<Values()> alone, llvm::function_ref<Values()> together) {
    Value share = LLVM::LoadOp::create(
        state.b, loc, state.b.getI64Type(),
        slotAddress(state, loc, state.context, runtime::contextParallelWorkSlot));
    Value isMuch = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::sge, work, share);
    Block *one = state.newBlock({}, loc), *several = state.newBlock({}, loc),
          *next = state.newBlock(results, loc);
    cf::CondBranchOp::create(state.b, loc, isMuch, several, one);
    state.cold.push_back(several);
    for (auto [block, emit] : {std::pair(one, alone), std::pair(several, together)}) {
        state.b.setInsertionPointToEnd(block);
        DimValues::Scope scope(state.dims);
        cf::BranchOp::create(state.b, loc, next, emit());
    }
    state.b.setInsertionPointToEnd(next);
    return Values(next->getArguments());
}

// A runtime::ReducePart: the nest with the operands in the slots.
static Value addressOfPart(FunctionState &state, func::FuncOp callee) {
    Type pointer = state.context.getType(), i64 = state.b.getI64Type();
    return addressOf(
        state, callee, "_part", {pointer, pointer, i64, i64, pointer}, [&](ValueRange own) {
            Location loc = callee.getLoc();
            Values operands = loadSlots(state, loc, own[1], 0,
                                        callee.getArgumentTypes().drop_back(ownParameters));
            operands.append({own[0], own[2], own[3]});
            auto call = func::CallOp::create(state.b, loc, callee, operands);
            for (auto [k, value] : llvm::enumerate(call.getResults()))
                storeSlot(state, loc, own[4], k, value);
        });
}

// A runtime::CombineParts: the nest's results of two neighbouring parts.
static Value addressOfCombine(FunctionState &state, const NestPlan &plan, func::FuncOp callee) {
    Type pointer = state.context.getType();
    return addressOf(state, callee, "_combine", {pointer, pointer}, [&](ValueRange own) {
        Location loc = callee.getLoc();
        NestBody body(plan, {state.dims, {}, state.scalars});
        Values left = loadSlots(state, loc, own[0], 0, callee.getResultTypes()),
               right = loadSlots(state, loc, own[1], 0, callee.getResultTypes());
        for (auto [k, value] : llvm::enumerate(body.combine(state.b, left, right)))
            storeSlot(state, loc, own[0], k, value);
    });
}

// sc_parallel_nest_<number of operands>, or sc_parallel_reduce with the operands in slots.
static Values callParts(FunctionState &state, const NestPlan &plan, func::FuncOp callee,
                        ValueRange operands, Value size) {
    Location loc = plan.op->getLoc();
    Type pointer = state.context.getType(), i64 = state.b.getI64Type();
    if (callee.getNumResults() == 0) {
        Values arguments{
            state.context, addressOf(state, callee), size,
            arith::ConstantIntOp::create(state.b, loc, minIterationsPerThread(plan), 64)};
        for (Value operand : operands) // one signature for each number of them
            arguments.push_back(
                operand.getType() == pointer
                    ? LLVM::PtrToIntOp::create(state.b, loc, i64, operand).getResult()
                    : operand);
        auto share = runtimeFunctionNamed(state.module,
                                          ("sc_parallel_nest_" + Twine(operands.size())).str());
        func::CallOp::create(state.b, loc, share, arguments);
        return {};
    }
    Value slots = storedSlots(state, loc, operands);
    auto number = [&](int64_t n) -> Value {
        return arith::ConstantIntOp::create(state.b, loc, n, 64);
    };
    const int64_t width = callee.getNumResults();
    Value results = stackSlots(state, loc, width);
    RuntimeFunction<&runtime::sc_parallel_reduce> reduce(state.module);
    Value part = addressOfPart(state, callee), combine = addressOfCombine(state, plan, callee);
    reduce.call(state.b, loc, state.context, part, slots, size, combine,
                number(summationLanes(plan)), results, number(width));
    return loadSlots(state, loc, results, 0, callee.getResultTypes());
}

// The function of a nest begins with: work >= ctx.minParallelWork ? return shared nest : continue.
// Added at the end, since equal nests are merged until then.
void shareAtEnd(FunctionState &state, const NestPlan &plan, func::FuncOp callee,
                ArrayRef<DimAttr> symbols) {
    if (callee.getNumArguments() > runtime::maxNestOperands + ownParameters) {
        np::NpDialect::NotMultithreadedAttrHelper(state.b.getContext())
            .setAttr(callee, state.b.getStringAttr("it reads and writes too many arrays"));
        return;
    }
    state.atEnd.push_back([&state, plan, callee,
                           symbols = SmallVector<DimAttr>(symbols)]() mutable {
        Location loc = callee.getLoc();
        Block *entry = &callee.getBody().front();
        Block *body = entry->splitBlock(entry->begin()), *together = new Block;
        for (auto stack : llvm::make_early_inc_range(body->getOps<LLVM::AllocaOp>())) {
            stack->moveBefore(entry, entry->end()); // in another block it would be a dynamic alloca
            stack.getArraySize().getDefiningOp()->moveBefore(entry, entry->begin());
        }
        callee.getBody().push_back(together);
        ValueRange parameters = callee.getArguments();
        state.function = callee;
        state.context = parameters[parameters.size() - ownParameters];
        state.b.setInsertionPointToEnd(entry);
        DimValues own;
        for (auto [k, symbol] : llvm::enumerate(symbols))
            own.bind(symbol, parameters[plan.pointers.size() + k]);
        Value size = own.emit(state.b, loc, plan.loops[*plan.shared].size);
        Value work = own.emit(state.b, loc, planWork(plan));
        Value share = LLVM::LoadOp::create(
            state.b, loc, state.b.getI64Type(),
            slotAddress(state, loc, state.context, runtime::contextParallelWorkSlot));
        Value isMuch = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::sge, work, share);
        cf::CondBranchOp::create(state.b, loc, isMuch, together, body, ValueRange(),
                                 ArrayRef<int32_t>{1, 2000});
        state.b.setInsertionPointToEnd(together);
        Values values = callParts(state, plan, callee, parameters.drop_back(ownParameters), size);
        func::ReturnOp::create(state.b, loc, values);
    });
}

void callIterations(FunctionState &state, Location loc, Value from, Value to,
                    llvm::function_ref<void(Value from, Value to)> emit) {
    // As where it polls itself.
    state.function.setArgAttr(0, "llvm.noalias", state.b.getUnitAttr());
    OutlinedFunction part(state, loc, emit);
    const func::FuncOp own = part.callee;
    part.callee = mergeEqual(state, own);
    if (part.callee != own)
        part.callee.setNoInline(true);
    Value slots = part.captured();
    failUnlessZero(state, part.call(slots, from, to), loc);
}

void shareLoop(FunctionState &state, Location loc, Value count, Value work,
               llvm::function_ref<void(Value from, Value to)> emit) {
    OutlinedFunction part(state, loc, emit);
    Value slots = part.captured();
    Value status = shareWhen(
        state, loc, work, state.b.getI32Type(),
        [&] {
            Value zero = state.dims.constant(state.b, loc, 0);
            return Values{part.call(slots, zero, count)};
        },
        [&] {
            RuntimeFunction<&runtime::sc_parallel_loop> parallel(state.module);
            Value address = addressOf(state, part.callee);
            return Values{parallel.call(state.b, loc, state.context, address, slots, count)};
        })[0];
    failUnlessZero(state, status, loc);
}

} // namespace shapecast
