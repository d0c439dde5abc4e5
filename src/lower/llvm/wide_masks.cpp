#include "lower/llvm/wide_masks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace PatternMatch;

namespace shapecast {
namespace {

class Widener {
public:
    Widener(Function &function, FixedVectorType *mask, unsigned width)
        : function(function), mask(mask),
          wide(FixedVectorType::get(IntegerType::get(mask->getContext(), width),
                                    mask->getNumElements())) {}

    void run() {
        ReversePostOrderTraversal<Function *> blocks(&function);
        for (BasicBlock *block : blocks)
            for (Instruction &instruction : make_early_inc_range(*block))
                if (instruction.getType() == mask)
                    widenedMasks[&instruction] = widened(instruction);
        for (auto [old, fresh] : widenedMasks)
            if (auto *phi = dyn_cast<PHINode>(old))
                for (auto [value, from] : zip(phi->incoming_values(), phi->blocks()))
                    cast<PHINode>(fresh)->addIncoming(of(value), from);
        for (auto [old, fresh] : widenedMasks)
            for (User *user : make_early_inc_range(old->users()))
                if (auto *use = cast<Instruction>(user); use->getType() != mask)
                    rewriteUse(*use, *old);
        removeOld();
    }

private:
    Value *of(Value *value) {
        if (auto *constant = dyn_cast<Constant>(value))
            return ConstantFoldCastOperand(Instruction::SExt, constant, wide,
                                           function.getParent()->getDataLayout());
        return widenedMasks.lookup(cast<Instruction>(value));
    }

    Value *widened(Instruction &old) {
        if (auto *phi = dyn_cast<PHINode>(&old))
            return IRBuilder<>(phi).CreatePHI(wide, phi->getNumIncomingValues());
        IRBuilder<> builder(old.getNextNode());
        if (auto *both = dyn_cast<BinaryOperator>(&old); both && both->isBitwiseLogicOp())
            return builder.CreateBinOp(both->getOpcode(), of(both->getOperand(0)),
                                       of(both->getOperand(1)));
        Value *a, *b; // where `a` is absorbing, `b` does not matter and may be poison
        if (match(&old, m_LogicalAnd(m_Value(a), m_Value(b))))
            return builder.CreateAnd(of(a), builder.CreateFreeze(of(b)));
        if (match(&old, m_LogicalOr(m_Value(a), m_Value(b))))
            return builder.CreateOr(of(a), builder.CreateFreeze(of(b)));
        return builder.CreateSExt(&old, wide);
    }

    Value *zero() { return Constant::getNullValue(wide); }

    void rewriteUse(Instruction &use, Instruction &old) {
        IRBuilder<> builder(&use);
        Value *fresh = widenedMasks.lookup(&old);
        if (fresh == &use) // the extension that made it
            return;
        if (isa<ZExtInst>(use)) {
            Value *ones = builder.CreateSExtOrTrunc(fresh, use.getType());
            return use.replaceAllUsesWith(builder.CreateNeg(ones));
        }
        if (auto *bits = dyn_cast<BitCastInst>(&use); bits && isOnlyComparedToZero(*bits)) {
            auto *test = cast<ICmpInst>(*bits->user_begin());
            Value *any = builder.CreateOrReduce(fresh);
            return test->replaceAllUsesWith(builder.CreateICmp(
                test->getPredicate(), any, Constant::getNullValue(any->getType())));
        }
        if (!isa<CmpInst>(old)) // LLVM knows comparisons best where they are used
            use.replaceUsesOfWith(&old, builder.CreateICmpSLT(fresh, zero()));
    }

    static bool isOnlyComparedToZero(BitCastInst &bits) {
        return bits.hasOneUse() && isa<ICmpInst>(*bits.user_begin()) &&
               cast<ICmpInst>(*bits.user_begin())->isEquality() &&
               match(cast<ICmpInst>(*bits.user_begin())->getOperand(1), m_Zero());
    }

    void removeOld() {
        SmallVector<WeakTrackingVH> dead;
        for (Instruction &instruction : instructions(function))
            if (isInstructionTriviallyDead(&instruction))
                dead.push_back(&instruction);
        RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
        for (BasicBlock &block : function)
            DeleteDeadPHIs(&block);
    }

    Function &function;
    FixedVectorType *mask;
    FixedVectorType *wide;
    MapVector<Instruction *, Value *> widenedMasks; // by the mask that it replaces
};

// The width of the widest operands whose comparisons give such masks.
unsigned widthOf(Function &function, FixedVectorType *mask) {
    unsigned width = 0;
    for (Instruction &instruction : instructions(function))
        if (isa<CmpInst, TruncInst>(instruction) && instruction.getType() == mask)
            width = std::max(width, instruction.getOperand(0)->getType()->getScalarSizeInBits());
    return width;
}

// Of masks that go through phis.
SmallSetVector<FixedVectorType *, 2> maskTypes(Function &function) {
    SmallSetVector<FixedVectorType *, 2> found;
    for (BasicBlock &block : function)
        for (PHINode &phi : block.phis())
            if (auto *type = dyn_cast<FixedVectorType>(phi.getType()))
                if (type->getElementType()->isIntegerTy(1))
                    found.insert(type);
    return found;
}

} // namespace

void widenMasks(Module &module, const TargetMachine &target) {
    if (target.getTargetFeatureString().contains("+avx512vl"))
        return;
    constexpr unsigned narrowest = 128; // what LLVM keeps them in
    for (Function &function : module)
        for (FixedVectorType *mask : maskTypes(function))
            if (const unsigned width = widthOf(function, mask);
                width * mask->getNumElements() > narrowest)
                Widener(function, mask, width).run();
}

} // namespace shapecast
