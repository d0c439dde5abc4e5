// What is known about symbols at one place of a typed function.
//
// Assumes: the IR after np-infer (symbols are bound once; array sizes are never negative).
// Promises: `collectFacts` adds only facts that hold whenever `at` is reached: the entry's guards
// and argument sizes, bindings and requires that come before `at` in its own or an enclosing block,
// bounds of enclosing loops.
#pragma once

#include "ir/dim_facts.h"

namespace shapecast {

// What one operation, type or guard says of sizes.
struct ScopeFact {
    enum Kind { Size, Equal, GreaterEqual, NotEqual } kind;
    np::DimAttr a, b; // Size: a alone
    void addTo(np::DimFacts &facts) const;
    bool operator==(const ScopeFact &) const = default;
};

void collectFacts(mlir::Operation *at, np::DimFacts &facts);

// The same for one place after another: what holds at both is learned once. Nothing of the
// operations is kept, so that they may change in between.
class PlaceFacts {
public:
    const np::DimFacts &at(mlir::Operation *place);

private:
    std::unique_ptr<np::DimFacts> facts;
    llvm::SmallVector<ScopeFact> learned;
    llvm::SmallVector<np::DimFacts::Mark> marks; // before each of them
};

// Its parts, for passes that walk in program order themselves: what holds from the entry on, after
// a require, and in a loop's body (nothing when the step's sign is not known).
void learnEntry(np::FuncOp func, np::DimFacts &facts);
void learnRequire(np::RequireOp op, np::DimFacts &facts);
void learnLoop(np::ForOp loop, np::DimFacts &facts);
void learnRange(np::SymbolOp op, np::DimFacts &facts); // of what was an integer of few bits

// The pairs of arguments that the entry's `alias` attribute names with this kind ("same" or
// "overlap").
llvm::SmallVector<std::pair<unsigned, unsigned>> aliasPairs(np::FuncOp func, llvm::StringRef kind);

} // namespace shapecast
