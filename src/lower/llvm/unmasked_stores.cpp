#include "lower/llvm/unmasked_stores.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace shapecast {
namespace {

// Code generation makes selects of all of these where the processor has no instruction for them.
bool isSelect(const Instruction &value) {
    if (isa<SelectInst>(value))
        return true;
    const auto *call = dyn_cast<IntrinsicInst>(&value);
    if (!call)
        return false;
    const Intrinsic::ID name = call->getIntrinsicID();
    return isa<MinMaxIntrinsic>(call) || name == Intrinsic::maximum || name == Intrinsic::minimum;
}

bool isLoadOf(const Value *value, const Value *address) {
    const auto *load = dyn_cast<LoadInst>(value);
    return load && load->getPointerOperand() == address;
}

Value *fenced(IRBuilder<> &builder, Value *vector) {
    constexpr unsigned bitsOfFloat = 32; // the fence is for floats that the processor has
    Type *type = vector->getType(), *item = type->getScalarType();
    const unsigned bits = type->getPrimitiveSizeInBits();
    if (!item->isFloatTy() && !item->isDoubleTy()) {
        if (bits == 0 || bits % bitsOfFloat) // of pointers, or of few bits
            return vector;
        type = FixedVectorType::get(builder.getFloatTy(), bits / bitsOfFloat);
    }
    Value *same = builder.CreateBitCast(vector, type);
    Value *fence = builder.CreateIntrinsic(type, Intrinsic::arithmetic_fence, {same});
    return builder.CreateBitCast(fence, vector->getType());
}

} // namespace

void avoidMaskedStores(Module &module) {
    for (Function &function : module)
        for (Instruction &instruction : instructions(function)) {
            auto *store = dyn_cast<StoreInst>(&instruction);
            auto *value = store ? dyn_cast<Instruction>(store->getValueOperand()) : nullptr;
            if (!value || !isa<FixedVectorType>(value->getType()) || !isSelect(*value))
                continue;
            auto loaded = [&](const Use &use) { return isLoadOf(use, store->getPointerOperand()); };
            if (none_of(value->operands(), loaded))
                continue;
            IRBuilder<> builder(store);
            store->setOperand(0, fenced(builder, value));
        }
}

} // namespace shapecast
