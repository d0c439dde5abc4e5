// Facts about symbols (path conditions) at a program point of a typed function.
//
// Assumes: the IR after np-infer (symbols are bound once; array sizes are never negative).
// Promises: `collectFacts` adds only facts that hold whenever `at` is reached: the entry's guards
// and argument sizes, bindings and requires that dominate `at`, in its own or an enclosing block,
// bounds of enclosing loops.
#pragma once

#include "ir/dim_facts.h"
#include "ir/np.h"

namespace shapecast {

// What one operation, type or guard implies of sizes.
struct ScopeFact {
    enum Kind { Size, Equal, GreaterEqual, NotEqual } kind;
    np::DimAttr a, b; // Size: a alone
    void addTo(np::DimFacts &facts) const;
    bool operator==(const ScopeFact &) const = default;
};

void collectFacts(mlir::Operation *at, np::DimFacts &facts);

// The same for a sequence of points: facts that hold at both one and the next are added once. It
// keeps no operations, so that these may change in between.
class PointFacts {
public:
    const np::DimFacts &at(mlir::Operation *point);

private:
    std::unique_ptr<np::DimFacts> facts;
    llvm::SmallVector<ScopeFact> added;
    llvm::SmallVector<np::DimFacts::Mark> marks; // before each of them
};

// Its parts, for passes that walk in program order themselves: the facts that hold from the entry
// on, after a require, and in a loop's body (none if the step's sign is not known).
void addEntryFacts(np::FuncOp func, np::DimFacts &facts);
void addRequireFacts(np::RequireOp op, np::DimFacts &facts);
void addLoopFacts(np::ForOp loop, np::DimFacts &facts);
void addRangeFacts(np::SymbolOp op, np::DimFacts &facts); // of a value cast from a narrow integer

// The pairs of arguments that the entry's `alias` attribute names with this kind ("same" or
// "overlap").
llvm::SmallVector<std::pair<unsigned, unsigned>> aliasPairs(np::FuncOp func, llvm::StringRef kind);

} // namespace shapecast
