// Branches, and code that may be unsupported or raise where control reaches it.
#pragma once

#include "passes/infer/inference.h"
#include "passes/infer/transaction.h"

namespace shapecast {

void visitIf(Inference &in, np::IfOp op);
llvm::SmallVector<Val> branch(Inference &in, mlir::Location loc, const Val &condition,
                              llvm::function_ref<llvm::SmallVector<Val>(bool)> arm);
// Adds the facts that follow where a condition holds or does not; `lasting`: to the module's facts.
void addRelation(Inference &in, const Val &condition, bool holds, bool lasting = false);
// Whether a condition's relation is about what was known before a branch began.
bool isKnownOutside(TypedBuilder &e, const Val &condition, unsigned firstInnerSymbol);
// `whole`: it emits a whole captured operation, which can be unsupported by itself.
void orRaise(Inference &in, llvm::function_ref<void()> emit, bool typesFirst = false,
             bool whole = false);
// The second, where the first is not supported.
Val orElse(Inference &in, llvm::function_ref<Val()> first, llvm::function_ref<Val()> second);
// The first of these that is supported.
void tryAlternatives(Inference &in, llvm::ArrayRef<std::function<void()>> alternatives);

// What is emitted after it was made can be erased, and what became known forgotten.
class Attempt {
public:
    explicit Attempt(Inference &in);
    void undo();

private:
    Inference &in;
    Transaction transaction;
    mlir::Block *block;
    mlir::Operation *last; // of the block, before
    size_t depth;          // of calls
    mlir::Location loc;
    mlir::Operation *op;
    llvm::DenseSet<unsigned> copiedCells;
};

} // namespace shapecast
