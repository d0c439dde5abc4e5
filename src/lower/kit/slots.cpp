#include "lower/kit/slots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

Value slotAddress(FunctionState &state, Location loc, Value base, int64_t index) {
    if (index == 0)
        return base;
    return LLVM::GEPOp::create(state.b, loc, base.getType(), state.b.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(index)},
                               LLVM::GEPNoWrapFlags::inbounds);
}

Value loadSlot(FunctionState &state, Location loc, Value base, int64_t index, Type type) {
    if (type.isInteger(1)) {
        Value byte = LLVM::LoadOp::create(state.b, loc, state.b.getI8Type(),
                                          slotAddress(state, loc, base, index));
        return arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::ne, byte,
                                     arith::ConstantIntOp::create(state.b, loc, 0, 8));
    }
    return LLVM::LoadOp::create(state.b, loc, type,
                                slotAddress(state, loc, base, index)); // low bits come first
}

void storeSlot(FunctionState &state, Location loc, Value base, int64_t index, Value value) {
    if (value.getType().isInteger(1))
        value = arith::ExtUIOp::create(state.b, loc, state.b.getI64Type(), value);
    LLVM::StoreOp::create(state.b, loc, value, slotAddress(state, loc, base, index));
}

SmallVector<Value> loadSlots(FunctionState &state, Location loc, Value base, int64_t first,
                             TypeRange types) {
    Values values;
    for (Type type : types)
        values.push_back(loadSlot(state, loc, base, first++, type));
    return values;
}

Value stackSlots(FunctionState &state, Location loc, int64_t count) {
    OpBuilder::InsertionGuard guard(state.b);
    state.b.setInsertionPointToStart(
        &state.function.getBody().front()); // once per call, not per iteration
    Value size = arith::ConstantIntOp::create(state.b, loc, count, 64);
    return LLVM::AllocaOp::create(state.b, loc, state.context.getType(), state.b.getI64Type(),
                                  size);
}

Value storedSlots(FunctionState &state, Location loc, ValueRange values) {
    Value slots = stackSlots(state, loc, std::max<int64_t>(values.size(), 1));
    for (auto [k, value] : llvm::enumerate(values))
        storeSlot(state, loc, slots, int64_t(k), value);
    return slots;
}

Value textAddress(FunctionState &state, Location loc, StringRef text) {
    std::string name = (state.source.getSymName() + ".text" + Twine(state.texts++)).str();
    OpBuilder outer = OpBuilder::atBlockBegin(state.module.getBody());
    auto type = LLVM::LLVMArrayType::get(state.b.getI8Type(), text.size());
    LLVM::GlobalOp::create(outer, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           state.b.getStringAttr(text));
    return LLVM::AddressOfOp::create(state.b, loc, state.context.getType(), name);
}

} // namespace shapecast
