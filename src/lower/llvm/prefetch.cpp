#include "lower/llvm/prefetch.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace shapecast {
namespace {

constexpr int64_t ahead = 16384;   // bytes: four pages, two thousand indices
constexpr int64_t minStep = 4;     // bytes an iteration: slower streams need no help
constexpr unsigned maxValues = 64; // that are followed from a load to an address

// The accesses at addresses that are computed from a load's result.
struct Uses {
    bool loads = false, stores = false;
};

Uses usesAsIndex(LoadInst &load) {
    Uses uses;
    if (!load.getType()->isIntOrIntVectorTy() || load.getType()->getScalarSizeInBits() < 32)
        return uses;
    SmallSetVector<Value *, 16> values;
    values.insert(&load);
    for (unsigned k = 0; k < values.size() && k < maxValues; ++k)
        for (User *user : values[k]->users()) {
            auto *call = dyn_cast<IntrinsicInst>(user);
            const bool computes =
                isa<BinaryOperator, CastInst, SelectInst, GetElementPtrInst, ExtractElementInst,
                    InsertElementInst, ShuffleVectorInst, FreezeInst, PHINode>(user);
            uses.loads |=
                isa<LoadInst>(user) || (call && call->getIntrinsicID() == Intrinsic::masked_gather);
            uses.stores |= isa<StoreInst>(user) && user->getOperand(1) == values[k];
            if (computes || (call && call->getType()->isIntOrIntVectorTy()))
                values.insert(user);
        }
    return uses;
}

// The load's stride in the innermost loop around it, in bytes; 0 where it is unknown.
int64_t stepOf(LoadInst &load, const Loop *loop, ScalarEvolution &evolution) {
    Value *address = load.getPointerOperand();
    auto *steady = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(address));
    if (!steady || steady->getLoop() != loop || !steady->isAffine())
        return 0;
    auto *step = dyn_cast<SCEVConstant>(steady->getStepRecurrence(evolution));
    return step && step->getAPInt().isSignedIntN(32) ? step->getAPInt().getSExtValue() : 0;
}

void prefetch(LoadInst &load, bool downwards) {
    IRBuilder<> builder(&load);
    Value *there = builder.CreatePtrAdd(load.getPointerOperand(),
                                        builder.getInt64(downwards ? -ahead : ahead));
    auto number = [&](int value) { return builder.getInt32(value); };
    builder.CreateIntrinsic(Intrinsic::prefetch, {there->getType()},
                            {there, number(0), number(2), number(1)}); // to read, L2, data
}

} // namespace

PreservedAnalyses PrefetchStreams::run(Function &function, FunctionAnalysisManager &analyses) {
    SmallVector<LoadInst *> loads, indexLoads;
    for (Instruction &instruction : instructions(function))
        if (auto *load = dyn_cast<LoadInst>(&instruction)) {
            loads.push_back(load);
            if (const Uses uses = usesAsIndex(*load); uses.loads && !uses.stores)
                indexLoads.push_back(load);
        }
    if (indexLoads.empty())
        return PreservedAnalyses::all();
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto stepIn = [&](LoadInst *load, const Loop *loop) {
        const int64_t step = loop && loop->isInnermost() ? stepOf(*load, loop, evolution) : 0;
        return std::abs(step) >= minStep ? step : 0;
    };
    auto around = [&](LoadInst *load) { return loops.getLoopFor(load->getParent()); };
    // What a remainder loop loads is in a line that the vector loop fetched.
    int64_t longest = 0;
    for (LoadInst *load : indexLoads)
        longest = std::max(longest, std::abs(stepIn(load, around(load))));
    SmallPtrSet<const Loop *, 4> gathering;
    for (LoadInst *load : indexLoads)
        if (const int64_t step = std::abs(stepIn(load, around(load))); step && 4 * step > longest)
            gathering.insert(around(load));
    for (LoadInst *load : loads)
        if (const int64_t step = gathering.contains(around(load)) ? stepIn(load, around(load)) : 0)
            prefetch(*load, step < 0);
    return PreservedAnalyses::none();
}

} // namespace shapecast
