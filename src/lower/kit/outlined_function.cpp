#include "lower/kit/outlined_function.h"

#include "lower/kit/errors.h"
#include "lower/kit/slots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

// The values that the function uses from outside become its operands: loaded from slots, in this
// order. Constants are rematerialised.
static Values takeOperands(FunctionState &state, func::FuncOp inner) {
    llvm::MapVector<Value, SmallVector<OpOperand *>> uses;
    inner.walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
            if (!inner.getBody().isAncestor(operand.get().getParentRegion()))
                uses[operand.get()].push_back(&operand);
    });
    OpBuilder::InsertionGuard guard(state.b);
    state.b.setInsertionPointToStart(&inner.getBody().front());
    Values taken;
    for (auto &[value, operands] : uses) {
        Operation *made = value.getDefiningOp();
        Value own;
        if (made && isa<arith::ConstantOp, LLVM::ZeroOp, LLVM::AddressOfOp>(made)) {
            own = state.b.clone(*made)->getResult(0);
        } else {
            own = loadSlot(state, value.getLoc(), inner.getArgument(1), taken.size(),
                           value.getType());
            taken.push_back(value);
        }
        for (OpOperand *operand : operands)
            operand->set(own);
    }
    return taken;
}

OutlinedFunction::OutlinedFunction(FunctionState &state, Location loc,
                                   llvm::function_ref<void(Value, Value)> fill)
    : state(state), loc(loc) {
    OpBuilder &b = state.b;
    OpBuilder::InsertionGuard guard(b);
    Type pointer = state.context.getType(), i64 = b.getI64Type();
    auto around =
        std::tuple(state.function, state.context, state.fuel, state.failure, std::move(state.cold));
    b.setInsertionPoint(state.source);
    callee = makePrivate(b, state.source.getLoc(),
                         (state.source.getSymName() + ".loop" + Twine(state.loops++)).str(),
                         b.getFunctionType({pointer, pointer, i64, i64}, b.getI32Type()));
    callee->setAttr("passthrough", b.getStrArrayAttr({"python_scalars"})); // expandVectorMath
    Block *entry = callee.addEntryBlock();
    state.function = callee;
    state.context = entry->getArgument(0);
    state.fuel = Value();
    state.failure = new Block;
    state.cold.clear();
    b.setInsertionPointToEnd(entry);
    {
        DimValues::Scope scope(state.dims);
        fill(entry->getArgument(2), entry->getArgument(3));
    }
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    func::ReturnOp::create(b, loc, ok);
    finishFunction(state);
    std::tie(state.function, state.context, state.fuel, state.failure, state.cold) =
        std::move(around);
    operands = takeOperands(state, callee);
}

Value OutlinedFunction::captured() { return storedSlots(state, loc, operands); }

Value OutlinedFunction::call(Value slots, Value from, Value to) {
    return func::CallOp::create(state.b, loc, callee, ValueRange{state.context, slots, from, to})
        .getResult(0);
}

func::FuncOp makePrivate(OpBuilder &builder, Location loc, StringRef name, FunctionType type) {
    auto made = func::FuncOp::create(builder, loc, name, type);
    made.setPrivate();
    return made;
}

func::FuncOp mergeEqual(FunctionState &state, func::FuncOp callee) {
    size_t operations = 0;
    callee->walk([&](Operation *) { ++operations; });
    for (auto &[count, earlier] : state.outlined) {
        if (count != operations || earlier.getFunctionType() != callee.getFunctionType() ||
            earlier.getArgAttrsAttr() != callee.getArgAttrsAttr())
            continue;
        if (!OperationEquivalence::isRegionEquivalentTo(&earlier.getBody(), &callee.getBody(),
                                                        OperationEquivalence::IgnoreLocations))
            continue;
        callee.erase();
        return earlier;
    }
    state.outlined.push_back({operations, callee});
    return callee;
}

Value addressOf(FunctionState &state, func::FuncOp callee) {
    Location loc = callee.getLoc();
    Value function =
        func::ConstantOp::create(state.b, loc, callee.getFunctionType(), callee.getSymName());
    return UnrealizedConversionCastOp::create(state.b, loc, state.context.getType(), function)
        .getResult(0);
}

} // namespace shapecast
