#include "lower/llvm/wide_divisions.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/DivisionByConstantInfo.h"

using namespace llvm;

namespace shapecast {
namespace {

// The upper 64 bits of a product of unsigned integers, by halves (Hacker's Delight, 8-2).
Value *upperHalf(IRBuilder<> &b, Value *x, uint64_t factor) {
    const uint64_t lowBits = UINT32_MAX;
    Value *low = b.CreateAnd(x, lowBits), *high = b.CreateLShr(x, 32);
    auto times = [&](Value *half, uint64_t by) { return b.CreateMul(half, b.getInt64(by)); };
    Value *carried = b.CreateLShr(times(low, factor & lowBits), 32);
    Value *middle = b.CreateAdd(times(high, factor & lowBits), carried);
    Value *other = b.CreateAdd(times(low, factor >> 32), b.CreateAnd(middle, lowBits));
    Value *top = b.CreateAdd(times(high, factor >> 32), b.CreateLShr(middle, 32));
    return b.CreateAdd(top, b.CreateLShr(other, 32));
}

Value *signedQuotient(IRBuilder<> &b, Value *x, const APInt &divisor) {
    const APInt size = divisor.abs();
    const auto known = SignedDivisionByConstantInfo::get(size);
    const uint64_t magic = known.Magic.getZExtValue();
    // A signed product is the unsigned one less the other factor for each negative one, and x is
    // added again where the magic number's sign bit is one of its bits.
    Value *sign = b.CreateAShr(x, 63);
    Value *product = b.CreateSub(upperHalf(b, x, magic), b.CreateAnd(sign, magic));
    Value *quotient = b.CreateSub(b.CreateAShr(product, known.ShiftAmount), sign);
    return divisor.isNegative() ? b.CreateNeg(quotient) : quotient;
}

Value *unsignedQuotient(IRBuilder<> &b, Value *x, const APInt &divisor) {
    const auto known = UnsignedDivisionByConstantInfo::get(divisor);
    Value *shifted = b.CreateLShr(x, known.PreShift);
    Value *product = upperHalf(b, shifted, known.Magic.getZExtValue());
    if (known.IsAdd) // the magic number has 65 bits
        product = b.CreateAdd(b.CreateLShr(b.CreateSub(shifted, product), 1), product);
    return b.CreateLShr(product, known.PostShift);
}

} // namespace

PreservedAnalyses ExpandDivisions::run(Function &function, FunctionAnalysisManager &analyses) {
    if (!function.hasFnAttribute(Attribute::NoInline)) // no nest: scalar code has that product
        return PreservedAnalyses::all();
    SmallVector<BinaryOperator *> found;
    for (Instruction &instruction : instructions(function)) {
        const bool divides = instruction.getOpcode() == Instruction::SDiv ||
                             instruction.getOpcode() == Instruction::UDiv;
        if (!divides || !instruction.getType()->isIntegerTy(64))
            continue;
        auto *divisor = dyn_cast<ConstantInt>(instruction.getOperand(1));
        if (divisor && !divisor->isZero() && !divisor->getValue().abs().isPowerOf2())
            found.push_back(cast<BinaryOperator>(&instruction));
    }
    if (found.empty())
        return PreservedAnalyses::all();
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    for (BinaryOperator *division : found) {
        const Loop *loop = loops.getLoopFor(division->getParent());
        if (!loop || !loop->isInnermost())
            continue;
        IRBuilder<> builder(division);
        const APInt &divisor = cast<ConstantInt>(division->getOperand(1))->getValue();
        Value *x = division->getOperand(0);
        division->replaceAllUsesWith(division->getOpcode() == Instruction::SDiv
                                         ? signedQuotient(builder, x, divisor)
                                         : unsignedQuotient(builder, x, divisor));
        division->eraseFromParent();
    }
    return PreservedAnalyses::none();
}

} // namespace shapecast
