// Nests and loops whose iterations several threads share: runtime/threads.h.
#include "lower/function/function_state.h"
#include "lower/kit/runtime_function.h"
#include "lower/nest/nest_body.h"
#include "lower/nest/pairwise.h"
#include "runtime/abi.h"
#include "runtime/threads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// A nest's function takes the context and the bounds of the shared loop last.
constexpr unsigned ownParameters = 3;

// work >= ctx.minParallelWork ? together() : alone(), joined in a block with their results.
FunctionState::Values FunctionState::shareWhen(Location loc, Value work, TypeRange results,
                                               llvm::function_ref<Values()> alone,
                                               llvm::function_ref<Values()> together) {
    Value share = LLVM::LoadOp::create(b, loc, b.getI64Type(),
                                       slot(loc, context, runtime::contextParallelWorkSlot));
    Value isMuch = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, work, share);
    Block *one = newBlock({}, loc), *several = newBlock({}, loc), *next = newBlock(results, loc);
    cf::CondBranchOp::create(b, loc, isMuch, several, one);
    cold.push_back(several);
    for (auto [block, emit] : {std::pair(one, alone), std::pair(several, together)}) {
        b.setInsertionPointToEnd(block);
        DimValues::Scope scope(dims);
        cf::BranchOp::create(b, loc, next, emit());
    }
    b.setInsertionPointToEnd(next);
    return Values(next->getArguments());
}

// The function of a nest begins with: work >= ctx.minParallelWork ? return shared nest : continue.
// Added at the end, since equal nests are merged until then.
void FunctionState::shareAtEnd(const NestPlan &plan, func::FuncOp callee,
                               ArrayRef<DimAttr> symbols) {
    if (callee.getNumArguments() > runtime::maxNestOperands + ownParameters) {
        np::NpDialect::NotMultithreadedAttrHelper(b.getContext())
            .setAttr(callee, b.getStringAttr("it reads and writes too many arrays"));
        return;
    }
    atEnd.push_back([this, plan, callee, symbols = SmallVector<DimAttr>(symbols)]() mutable {
        Location loc = callee.getLoc();
        Block *entry = &callee.getBody().front();
        Block *body = entry->splitBlock(entry->begin()), *together = new Block;
        for (auto stack : llvm::make_early_inc_range(body->getOps<LLVM::AllocaOp>())) {
            stack->moveBefore(entry, entry->end()); // in another block it would be a dynamic alloca
            stack.getArraySize().getDefiningOp()->moveBefore(entry, entry->begin());
        }
        callee.getBody().push_back(together);
        ValueRange parameters = callee.getArguments();
        function = callee;
        context = parameters[parameters.size() - ownParameters];
        b.setInsertionPointToEnd(entry);
        DimValues own;
        for (auto [k, symbol] : llvm::enumerate(symbols))
            own.bind(symbol, parameters[plan.pointers.size() + k]);
        Value size = own.emit(b, loc, plan.loops[*plan.shared].size);
        Value work = own.emit(b, loc, planWork(plan));
        Value share = LLVM::LoadOp::create(b, loc, b.getI64Type(),
                                           slot(loc, context, runtime::contextParallelWorkSlot));
        Value isMuch = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, work, share);
        cf::CondBranchOp::create(b, loc, isMuch, together, body, ValueRange(),
                                 ArrayRef<int32_t>{1, 2000});
        b.setInsertionPointToEnd(together);
        Values values = callParts(plan, callee, parameters.drop_back(ownParameters), size);
        func::ReturnOp::create(b, loc, values);
    });
}

// sc_parallel_nest_<number of operands>, or sc_parallel_reduce with the operands in slots.
FunctionState::Values FunctionState::callParts(const NestPlan &plan, func::FuncOp callee,
                                               ValueRange operands, Value size) {
    Location loc = plan.op->getLoc();
    Type pointer = context.getType(), i64 = b.getI64Type();
    if (callee.getNumResults() == 0) {
        Values arguments{context, addressOf(callee), size,
                         arith::ConstantIntOp::create(b, loc, minIterationsPerThread(plan), 64)};
        for (Value operand : operands) // one signature for each number of them
            arguments.push_back(operand.getType() == pointer
                                    ? LLVM::PtrToIntOp::create(b, loc, i64, operand).getResult()
                                    : operand);
        auto share =
            runtimeFunctionNamed(module, ("sc_parallel_nest_" + Twine(operands.size())).str());
        func::CallOp::create(b, loc, share, arguments);
        return {};
    }
    Value slots = stackSlots(loc, std::max<int64_t>(operands.size(), 1));
    for (auto [k, value] : llvm::enumerate(operands))
        storeSlot(loc, slots, k, value);
    auto number = [&](int64_t n) -> Value { return arith::ConstantIntOp::create(b, loc, n, 64); };
    const int64_t width = callee.getNumResults();
    Value results = stackSlots(loc, width);
    RuntimeFunction<&runtime::sc_parallel_reduce> reduce(module);
    Value part = addressOfPart(callee), combine = addressOfCombine(plan, callee);
    reduce.call(b, loc, context, part, slots, size, combine, number(summationLanes(plan)), results,
                number(width));
    return loadSlots(loc, results, 0, callee.getResultTypes());
}

Value FunctionState::addressOf(func::FuncOp callee) {
    Location loc = callee.getLoc();
    Value function =
        func::ConstantOp::create(b, loc, callee.getFunctionType(), callee.getSymName());
    return UnrealizedConversionCastOp::create(b, loc, context.getType(), function).getResult(0);
}

// The address of the function named after `callee` with a suffix, whose body `fill` emits once.
Value FunctionState::addressOf(func::FuncOp callee, StringRef suffix, ArrayRef<Type> parameters,
                               llvm::function_ref<void(ValueRange)> fill) {
    Location loc = callee.getLoc();
    const std::string name = (callee.getSymName() + suffix).str();
    auto made = module.lookupSymbol<func::FuncOp>(name);
    if (!made) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointAfter(callee);
        made = func::FuncOp::create(b, loc, name, b.getFunctionType(parameters, {}));
        made.setPrivate();
        b.setInsertionPointToEnd(made.addEntryBlock());
        fill(made.getArguments());
        func::ReturnOp::create(b, loc);
    }
    return addressOf(made);
}

// A runtime::ReducePart: the nest with the operands in the slots.
Value FunctionState::addressOfPart(func::FuncOp callee) {
    Type pointer = context.getType(), i64 = b.getI64Type();
    return addressOf(callee, "_part", {pointer, pointer, i64, i64, pointer}, [&](ValueRange own) {
        Location loc = callee.getLoc();
        Values operands =
            loadSlots(loc, own[1], 0, callee.getArgumentTypes().drop_back(ownParameters));
        operands.append({own[0], own[2], own[3]});
        auto call = func::CallOp::create(b, loc, callee, operands);
        for (auto [k, value] : llvm::enumerate(call.getResults()))
            storeSlot(loc, own[4], k, value);
    });
}

// A runtime::CombineParts: the nest's results of two neighbouring parts.
Value FunctionState::addressOfCombine(const NestPlan &plan, func::FuncOp callee) {
    Type pointer = context.getType();
    return addressOf(callee, "_combine", {pointer, pointer}, [&](ValueRange own) {
        Location loc = callee.getLoc();
        NestBody body(plan, {dims, {}, scalars});
        Values left = loadSlots(loc, own[0], 0, callee.getResultTypes()),
               right = loadSlots(loc, own[1], 0, callee.getResultTypes());
        for (auto [k, value] : llvm::enumerate(body.combine(b, left, right)))
            storeSlot(loc, own[0], k, value);
    });
}

//===-- Loops of the program

// The values that the function uses from outside become its operands: loaded from slots, in this
// order. Constants are rematerialised.
FunctionState::Values FunctionState::takeOperands(func::FuncOp inner) {
    llvm::MapVector<Value, SmallVector<OpOperand *>> uses;
    inner.walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
            if (!inner.getBody().isAncestor(operand.get().getParentRegion()))
                uses[operand.get()].push_back(&operand);
    });
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&inner.getBody().front());
    Values taken;
    for (auto &[value, operands] : uses) {
        Operation *made = value.getDefiningOp();
        Value own;
        if (made && isa<arith::ConstantOp, LLVM::ZeroOp, LLVM::AddressOfOp>(made)) {
            own = b.clone(*made)->getResult(0);
        } else {
            own = loadSlot(value.getLoc(), inner.getArgument(1), taken.size(), value.getType());
            taken.push_back(value);
        }
        for (OpOperand *operand : operands)
            operand->set(own);
    }
    return taken;
}

// Outlines what `fill` emits to a function of its own, a runtime::LoopPart.
std::pair<func::FuncOp, FunctionState::Values>
FunctionState::outlineIterations(Location loc, llvm::function_ref<void(Value, Value)> fill) {
    OpBuilder::InsertionGuard guard(b);
    Type pointer = context.getType(), i64 = b.getI64Type();
    auto around = std::tuple(function, context, fuel, failure, std::move(cold));
    b.setInsertionPoint(source);
    function = func::FuncOp::create(
        b, source.getLoc(), (source.getSymName() + ".loop" + Twine(loops++)).str(),
        b.getFunctionType({pointer, pointer, i64, i64}, b.getI32Type()));
    function.setPrivate();
    function->setAttr("passthrough", b.getStrArrayAttr({"python_scalars"})); // expandVectorMath
    Block *entry = function.addEntryBlock();
    context = entry->getArgument(0);
    fuel = Value();
    failure = new Block;
    cold.clear();
    b.setInsertionPointToEnd(entry);
    {
        DimValues::Scope scope(dims);
        fill(entry->getArgument(2), entry->getArgument(3));
    }
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    func::ReturnOp::create(b, loc, ok);
    finish();
    func::FuncOp made = function;
    std::tie(function, context, fuel, failure, cold) = std::move(around);
    return {made, takeOperands(made)};
}

// Outlines iterations from .. to - 1 to a function of their own, which equal loops share. If there
// is only one, LLVM inlines it again.
void FunctionState::callIterations(Location loc, Value from, Value to,
                                   llvm::function_ref<void(Value from, Value to)> emit) {
    function.setArgAttr(0, "llvm.noalias", b.getUnitAttr()); // as where it polls itself
    auto [made, operands] = outlineIterations(loc, emit);
    func::FuncOp callee = shared(made);
    if (callee != made)
        callee.setNoInline(true);
    Value slots = stackSlots(loc, std::max<int64_t>(operands.size(), 1));
    for (auto [k, value] : llvm::enumerate(operands))
        storeSlot(loc, slots, k, value);
    Value status =
        func::CallOp::create(b, loc, callee, ValueRange{context, slots, from, to}).getResult(0);
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    failWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, status, ok), loc);
}

// `emit` emits iterations from .. to - 1 of `count`; `work` is the cost of all of them.
void FunctionState::shareLoop(Location loc, Value count, Value work,
                              llvm::function_ref<void(Value from, Value to)> emit) {
    auto [callee, operands] = outlineIterations(loc, emit);
    Value slots = stackSlots(loc, std::max<int64_t>(operands.size(), 1));
    for (auto [k, value] : llvm::enumerate(operands))
        storeSlot(loc, slots, k, value);
    Value status = shareWhen(
        loc, work, b.getI32Type(),
        [&] {
            Values all{context, slots, dims.constant(b, loc, 0), count};
            return Values(func::CallOp::create(b, loc, callee, all).getResults());
        },
        [&] {
            RuntimeFunction<&runtime::sc_parallel_loop> parallel(module);
            return Values{parallel.call(b, loc, context, addressOf(callee), slots, count)};
        })[0];
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    failWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, status, ok), loc);
}

} // namespace shapecast
