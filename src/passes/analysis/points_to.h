// Alias analysis: which handles may point to overlapping memory, and which window of an array a
// view is. One function at a time.
//
// Assumes: the IR after np-infer. Every handle is an argument, a fresh array (np.alloc,
// np.materialize), a view or reshape of another handle (np.reshape_any: or a copy), carried by a
// loop, or a result of a loop, a branch or a call; a call's result may alias any array among its
// operands and its other results. Promises: `disjoint(u, v, at)` holds only if no byte of u is a
// byte of v whenever `at` runs, both as bound then. No-alias is a relation on pairs, not derived
// from points-to sets: two handles that a loop swaps stay disjoint (greatest fixed point over the
// loops' phis). The entry's `alias` attribute says which arguments may overlap; without the
// attribute all of them may.
//
// The analysis is valid for the IR that it was built on. Queries about fresh arrays that were added
// later are allowed, if no loop or branch carries them.
#pragma once

#include "ir/np.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>
#include <optional>

namespace shapecast {

class PointFacts; // passes/analysis/scope_facts.h

// Element (j0, j1, ...) of the handle is element index[d] = offset[d] + step[d] * j[axis[d]] of the
// root.
struct Window {
    // Reached through views only. Arguments that are the same array count as one, as do a while
    // loop's in both regions: so the sizes in its type may be symbols of another scope.
    mlir::Value root;
    llvm::SmallVector<np::DimAttr> offset, step; // per dimension of the root
    llvm::SmallVector<int64_t> axis; // per dimension of the root: the handle's axis, -1: fixed
};

// The operand that the operation's result aliases as a borrowed reference: of a view, a reshape, a
// cast (of which only the layout or the symbols of dims differ). None for other operations.
mlir::Value borrowedFrom(mlir::Operation *op);
// As borrowedFrom, and the base of np.reshape_any: a view of it or a copy. To take the copy for the
// base's memory is conservative: it is disjoint from all that the base is disjoint from.
mlir::Value mayShareWith(mlir::Operation *op);

// The array that the handle is a window of, as the value that is visible here: the symbols in its
// sizes are bound here, which those of its root need not be.
mlir::Value viewedArray(mlir::Value handle);

// Whether it has a container in memory among its operands: then arrays in that are its operands,
// too.
bool reachesContainers(np::CallOp call);

// The arrays that the operation itself may write to, after np-infer; besides them those in
// containers, where it is a call that reaches these.
llvm::SmallVector<mlir::Value> arraysWrittenBy(mlir::Operation *op);

class PointsTo {
public:
    explicit PointsTo(np::FuncOp func);
    ~PointsTo();

    bool disjoint(mlir::Value u, mlir::Value v, mlir::Operation *at) const;
    Window window(mlir::Value handle) const;
    // The handle that owns the memory: reached through views and reshapes. One that np.reshape_any
    // copied counts as its base.
    mlir::Value memoryRoot(mlir::Value handle) const;
    // The handle's elements may overlap each other (made by as_strided, in the function or by its
    // caller).
    bool selfOverlapping(mlir::Value handle) const;
    // Facts at an operation, cached for the next query at the same program point.
    const np::DimFacts &factsAt(mlir::Operation *at) const;
    // Invalidates that cache when operations were erased: another one may have the same address.
    void forgetFacts() const { factsPoint = nullptr; }

private:
    using Pair = std::pair<mlir::Value, mlir::Value>;
    struct Link { // a pair of roots is disjoint if such handles are disjoint at a program point
        mlir::Value u, v;
        mlir::Operation *at;
    };
    unsigned number(mlir::Value root) const;
    mlir::Value canonical(mlir::Value root) const;
    bool argumentsDisjoint(unsigned i, unsigned j) const;
    std::optional<bool> rootsDisjoint(mlir::Value a, mlir::Value b,
                                      llvm::SmallVectorImpl<Link> &links) const;
    std::optional<bool> settled(const Link &link, Pair &roots) const;
    bool solve(Pair pair) const;
    bool windowsDisjoint(mlir::Value u, mlir::Value v, mlir::Operation *at) const;
    static Pair ordered(mlir::Value a, mlir::Value b);

    mlir::Block *entry;
    bool mayAlias; // nothing is known of the arguments: any two may overlap
    llvm::SmallVector<std::pair<unsigned, unsigned>> overlaps;
    llvm::SmallVector<unsigned> sameAs; // per argument: the first argument that is the same array
    llvm::DenseSet<mlir::Value> selfOverlaps;
    llvm::DenseMap<mlir::Operation *, unsigned> numbers; // pre-order
    mutable llvm::DenseMap<Pair, bool> known;
    mutable mlir::Operation *factsPoint = nullptr;
    mutable const np::DimFacts *factsThere = nullptr;
    std::unique_ptr<PointFacts> points;
};

} // namespace shapecast
