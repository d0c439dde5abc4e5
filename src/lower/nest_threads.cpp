// Nests whose iterations several threads share: runtime/threads.h.
#include "lower/function_state.h"
#include "lower/nest_body.h"
#include "lower/pairwise.h"
#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// A nest's function takes the context and the bounds of the shared loop last.
constexpr unsigned ownParameters = 3;

// work >= ctx.share ? shared : nest(operands, 0, size)
FunctionState::Values FunctionState::callShared(const NestPlan &plan, func::FuncOp callee,
                                                Values operands) {
    Location loc = plan.op->getLoc();
    if (!plan.shared)
        return Values(func::CallOp::create(b, loc, callee, operands).getResults());
    Value size = dims.emit(b, loc, plan.loops[*plan.shared].size);
    operands.back() = size;
    Value share =
        LLVM::LoadOp::create(b, loc, b.getI64Type(), slot(loc, context, runtime::contextShareSlot));
    Value work = dims.emit(b, loc, planWork(plan));
    Value isMuch = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, work, share);
    Block *alone = newBlock({}, loc), *together = newBlock({}, loc),
          *next = newBlock(callee.getResultTypes(), loc);
    cf::CondBranchOp::create(b, loc, isMuch, together, alone);

    b.setInsertionPointToEnd(alone);
    ValueRange whole = func::CallOp::create(b, loc, callee, operands).getResults();
    cf::BranchOp::create(b, loc, next, whole);

    cold.push_back(together);
    b.setInsertionPointToEnd(together);
    {
        DimValues::Scope scope(dims);
        Values values =
            callParts(plan, callee, ValueRange(operands).drop_back(ownParameters), size);
        cf::BranchOp::create(b, loc, next, values);
    }
    b.setInsertionPointToEnd(next);
    return Values(next->getArguments());
}

// sc_parallel, or sc_parallel_reduce, with the operands in slots.
FunctionState::Values FunctionState::callParts(const NestPlan &plan, func::FuncOp callee,
                                               ValueRange operands, Value size) {
    Location loc = plan.op->getLoc();
    Type pointer = context.getType(), i64 = b.getI64Type();
    Value slots = stackSlots(loc, std::max<int64_t>(operands.size(), 1));
    for (auto [k, value] : llvm::enumerate(operands))
        storeSlot(loc, slots, k, value);
    Values arguments{context, addressOfPart(callee), slots, size};
    if (callee.getNumResults() == 0) {
        auto parallel = runtimeFunction("sc_parallel", {pointer, pointer, pointer, i64}, {});
        func::CallOp::create(b, loc, parallel, arguments);
        return {};
    }
    const int64_t width = callee.getNumResults();
    Value results = stackSlots(loc, width);
    arguments.append({addressOfCombine(plan, callee), dims.constant(b, loc, summationLanes(plan)),
                      results, dims.constant(b, loc, width)});
    auto reduce = runtimeFunction("sc_parallel_reduce",
                                  {pointer, pointer, pointer, i64, pointer, i64, pointer, i64}, {});
    func::CallOp::create(b, loc, reduce, arguments);
    return loadSlots(loc, results, 0, callee.getResultTypes());
}

// A function `name` of the run time's, which `fill` writes; made once.
Value FunctionState::addressOf(func::FuncOp callee, StringRef suffix, ArrayRef<Type> parameters,
                               llvm::function_ref<void(ValueRange)> fill) {
    Location loc = callee.getLoc();
    const std::string name = (callee.getSymName() + suffix).str();
    if (!module.lookupSymbol(name)) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointAfter(callee);
        auto type =
            LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()), parameters);
        auto made = LLVM::LLVMFuncOp::create(b, loc, name, type, LLVM::Linkage::Internal);
        Block *body = made.addEntryBlock(b);
        b.setInsertionPointToEnd(body);
        fill(body->getArguments());
        LLVM::ReturnOp::create(b, loc, ValueRange());
    }
    return LLVM::AddressOfOp::create(b, loc, context.getType(), name);
}

// A runtime::Part, or runtime::ReducePart: the nest with the operands in the slots.
Value FunctionState::addressOfPart(func::FuncOp callee) {
    Type pointer = context.getType(), i64 = b.getI64Type();
    SmallVector<Type> parameters{pointer, pointer, i64, i64};
    if (callee.getNumResults() != 0)
        parameters.push_back(pointer);
    return addressOf(callee, "_part", parameters, [&](ValueRange own) {
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

} // namespace shapecast
