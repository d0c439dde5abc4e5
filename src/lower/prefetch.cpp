#include "lower/prefetch.h"

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

constexpr int64_t ahead = 16384;    // bytes: four pages, two thousand places
constexpr int64_t leastStep = 4;    // bytes a turn: slower streams are fetched in time
constexpr unsigned mostValues = 64; // that are followed from a load to an address

// What is done at addresses that are computed from what the load gives.
struct Uses {
    bool loads = false, stores = false;
};

Uses usesAsPlace(LoadInst &load) {
    Uses uses;
    if (!load.getType()->isIntOrIntVectorTy() || load.getType()->getScalarSizeInBits() < 32)
        return uses;
    SmallSetVector<Value *, 16> values;
    values.insert(&load);
    for (unsigned k = 0; k < values.size() && k < mostValues; ++k)
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

// Bytes from turn to turn of the innermost loop around, 0 where that is not known.
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
    SmallVector<LoadInst *> loads, places;
    for (Instruction &instruction : instructions(function))
        if (auto *load = dyn_cast<LoadInst>(&instruction)) {
            loads.push_back(load);
            if (const Uses uses = usesAsPlace(*load); uses.loads && !uses.stores)
                places.push_back(load);
        }
    if (places.empty())
        return PreservedAnalyses::all();
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto stepIn = [&](LoadInst *load, const Loop *loop) {
        const int64_t step = loop && loop->isInnermost() ? stepOf(*load, loop, evolution) : 0;
        return std::abs(step) >= leastStep ? step : 0;
    };
    auto around = [&](LoadInst *load) { return loops.getLoopFor(load->getParent()); };
    // What a loop of vectors leaves to one of elements is in a line that it fetched.
    int64_t longest = 0;
    for (LoadInst *load : places)
        longest = std::max(longest, std::abs(stepIn(load, around(load))));
    SmallPtrSet<const Loop *, 4> jumping;
    for (LoadInst *load : places)
        if (const int64_t step = std::abs(stepIn(load, around(load))); step && 4 * step > longest)
            jumping.insert(around(load));
    for (LoadInst *load : loads)
        if (const int64_t step = jumping.contains(around(load)) ? stepIn(load, around(load)) : 0)
            prefetch(*load, step < 0);
    return PreservedAnalyses::none();
}

} // namespace shapecast
