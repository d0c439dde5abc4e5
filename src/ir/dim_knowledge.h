// What is known about symbols and atoms: the state of DimFacts, which simplification and proofs
// read.
#pragma once

#include "ir/dim_congruence.h"
#include "ir/dim_range.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace shapecast::np {

struct DimKnowledge {
    explicit DimKnowledge(mlir::MLIRContext *ctx) : ctx(ctx) {}

    mlir::MLIRContext *ctx;
    llvm::SmallVector<DimAttr> facts;   // each >= 0
    llvm::SmallVector<DimAttr> nonzero; // each != 0, in nonzeroForm
    llvm::DenseMap<DimAttr, DimAttr>
        equalities;                           // symbol -> expression over symbols that are not keys
    llvm::DenseMap<DimAttr, DimRange> ranges; // of atoms
    llvm::DenseMap<DimAttr, Congruence> congruences; // of atoms
    // Memo of proveNonNegative since the facts last changed: passes repeat queries for many pairs
    // of array slices, and a failing query costs the whole search.
    mutable llvm::DenseMap<DimAttr, bool> answers;

    DimRange interval(DimAttr e) const;
    Congruence congruence(DimAttr e) const;
    DimAttr substitute(DimAttr e) const; // by the equalities
};

// e divided by the common factor of its coefficients, the constant rounded down: e >= 0 exactly
// when the result is.
DimAttr tighten(DimAttr e);
// A canonical form for e != 0 and its multiples: no common factor, the first term positive.
DimAttr nonzeroForm(DimAttr e);
// Whether c + g * (...) == 0 has no solution because g does not divide c.
bool isIndivisible(DimAttr e);

} // namespace shapecast::np
