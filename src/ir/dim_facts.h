// Facts about symbols, and queries about expressions that are answered in bounded time.
#pragma once

#include "ir/dim_congruence.h"
#include "ir/dim_range.h"
#include "ir/np.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace shapecast::np {

enum class Answer { No, Yes, Unknown };

// Facts about symbols: lower and upper bounds (expressions), equalities (a symbol equals an
// expression) and congruences (n == 3 (mod 4)). rewind(Mark) drops the facts added since the mark,
// at the end of branches and loop bodies. Queries are sound and do a bounded amount of work.
// Expressions are assumed to be defined: divisors are not zero.
class DimFacts {
public:
    explicit DimFacts(mlir::MLIRContext *ctx) : ctx(ctx) {}

    // Of equal symbols the one registered first is the representative.
    void registerSymbols(DimAttr e);
    void addSize(llvm::StringRef symbol); // 0 <= symbol < 2^47: a size of an existing array
    void addLower(llvm::StringRef symbol, DimAttr bound); // symbol >= bound
    void addUpper(llvm::StringRef symbol, DimAttr bound); // symbol <= bound
    // Stored as a bound or an equality of one symbol if it can be solved for one, else as it is.
    void addEqual(DimAttr a, DimAttr b);
    void addGreaterEqual(DimAttr a, DimAttr b);
    void addNotEqual(DimAttr a, DimAttr b);

    // The expression with representatives for equal symbols, and simplified where the facts allow:
    // wrap(i, n) of an i with a known sign, min and max of ordered operands, exact division, bcast.
    DimAttr canonical(DimAttr e) const;

    Answer equal(DimAttr a, DimAttr b) const;
    Answer greaterEqual(DimAttr a, DimAttr b) const; // a >= b
    Answer less(DimAttr a, DimAttr b) const;         // a < b
    // Whether the answer above is Yes, without the search for No: failing searches are expensive.
    bool provesEqual(DimAttr a, DimAttr b) const;
    bool provesGreaterEqual(DimAttr a, DimAttr b) const;
    bool provesLess(DimAttr a, DimAttr b) const;
    // Interval of the expression, saturating at int64 limits (used to prove that arithmetic cannot
    // overflow).
    std::pair<int64_t, int64_t> range(DimAttr e) const;

    // Whether the facts are known to be unsatisfiable. Every answer is then correct.
    bool contradictory() const { return contradiction; }

    struct Mark {
        size_t undo;
    };
    Mark mark() const;
    void rewind(Mark mark);

private:
    friend class DimProver;

    // One change, undone by restoring `old`. Null `old`: the entry was new.
    struct Undo {
        enum Kind { Fact, Nonzero, Equality, Range, Residue, Contradiction } kind;
        size_t index = 0;
        DimAttr key = {}, old = {};
        DimRange range = {};
        Congruence residue = {};
    };

    DimAttr substitute(DimAttr e) const;
    DimAttr simplify(DimAttr e) const;
    DimAttr simplifyByResidues(DimAttr e) const; // facts are rewritten with it
    DimAttr simplifyNode(DimAttr e) const;
    DimAttr simplifyMinMax(DimAttr e) const;
    DimAttr simplifyFloorDiv(DimAttr e) const;
    DimAttr simplifyBroadcast(DimAttr e) const;
    std::optional<int64_t> remainder(DimAttr mod, bool useRanges) const;
    DimAttr simplifyQuotients(DimAttr e, bool useRanges) const;
    DimAttr simplifyByCongruence(DimAttr e) const;
    DimAttr cancelDivision(const DimTerm &term, bool useRanges) const;
    DimAttr withoutCommonFactors(DimAttr dividend, DimAttr divisor) const;
    bool isNonzero(DimAttr e) const;
    bool proveNonNegative(DimAttr e) const;
    DimRange interval(DimAttr e) const;
    Congruence congruence(DimAttr e) const;

    void assume(DimAttr e); // e >= 0
    void addFact(DimAttr e);
    void addConsequences(DimAttr e);
    void assumeZero(DimAttr e);
    bool assumeRoot(DimAttr e);
    DimAttr withoutFactors(DimAttr e) const;
    void assumeCongruent(DimAttr e, Congruence known);
    void addCongruence(DimAttr atom, Congruence known);
    void rewriteFacts(DimAttr atom, llvm::function_ref<DimAttr(DimAttr)> rewritten);
    void contradict();
    void eliminate(DimAttr symbol, DimAttr value);
    DimAttr symbolToEliminate(DimAttr e, DimAttr &value) const;
    void narrow(DimAttr e);
    bool narrowAtom(DimAttr atom, DimRange range);
    void record(Undo undo);
    void setEntry(Undo::Kind kind, llvm::SmallVectorImpl<DimAttr> &list, size_t index, DimAttr e);

    mlir::MLIRContext *ctx;
    llvm::SmallVector<DimAttr> facts;   // each >= 0
    llvm::SmallVector<DimAttr> nonzero; // each != 0, its first term positive
    llvm::DenseMap<DimAttr, DimAttr>
        equalities;                           // symbol -> expression over symbols that are not keys
    llvm::DenseMap<DimAttr, DimRange> ranges; // of atoms
    llvm::DenseMap<DimAttr, Congruence> congruences; // of atoms
    llvm::DenseMap<DimAttr, unsigned> ages;          // order in which symbols were registered
    llvm::SmallVector<Undo> log;
    bool contradiction = false;
    // Memo of proveNonNegative since the facts last changed: passes repeat queries for many pairs
    // of array slices, and a failing query costs the whole search.
    mutable llvm::DenseMap<DimAttr, bool> answers;
};

} // namespace shapecast::np
