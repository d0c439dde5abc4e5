// What is known about symbols, and bounded-time answers to questions about expressions.
#pragma once

#include "ir/dim_congruence.h"
#include "ir/dim_range.h"
#include "ir/np.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace shapecast::np {

enum class Answer { No, Yes, Unknown };

// Facts about symbols: lower and upper bounds (expressions), equalities (a symbol stands for an
// expression) and remainders (n == 3 (mod 4)). A scope (Mark) forgets the facts learned since, for
// arms and loop bodies. Every query does a bounded amount of work and never answers wrongly.
// Expressions are taken to be defined: a divisor that is written down is not zero.
class DimFacts {
public:
    explicit DimFacts(mlir::MLIRContext *ctx) : ctx(ctx) {}

    // 0 <= symbol < 2^47: a size of an array that exists.
    void noteAge(DimAttr e); // of equal symbols the one seen first stands for all
    void addSize(llvm::StringRef symbol);
    void addLower(llvm::StringRef symbol, DimAttr bound); // symbol >= bound
    void addUpper(llvm::StringRef symbol, DimAttr bound); // symbol <= bound
    // a == b, a >= b: kept when the fact can be put as a bound or an equality of one symbol, else
    // remembered as is.
    void addEqual(DimAttr a, DimAttr b);
    void addGreaterEqual(DimAttr a, DimAttr b);
    void addNotEqual(DimAttr a, DimAttr b);

    // The expression with known equalities put in (representatives), and what the facts decide
    // taken out: wrap(i, n) of an i with a known sign, min and max of ordered operands, exact
    // divisions, bcast.
    DimAttr canonical(DimAttr e) const;

    Answer equal(DimAttr a, DimAttr b) const;
    Answer greaterEqual(DimAttr a, DimAttr b) const; // a >= b
    Answer less(DimAttr a, DimAttr b) const;         // a < b
    // Whether the answer above is Yes, without the search for No: a search without success is dear.
    bool provesEqual(DimAttr a, DimAttr b) const;
    bool provesGreaterEqual(DimAttr a, DimAttr b) const;
    bool provesLess(DimAttr a, DimAttr b) const;
    // Interval of the expression, saturating at int64 limits (used to prove that arithmetic cannot
    // overflow).
    std::pair<int64_t, int64_t> range(DimAttr e) const;

    // Whether the facts are known not to hold together, for any sizes. Every answer is then right.
    bool contradictory() const { return contradiction; }

    struct Mark {
        size_t undo;
    };
    Mark mark() const;
    void rewind(Mark mark);

private:
    friend class DimProver;

    // One change, undone by putting `old` back. Null `old`: the entry was new.
    struct Undo {
        enum Kind { Fact, Nonzero, Equality, Range, Residue, Contradiction } kind;
        size_t index = 0;
        DimAttr key = {}, old = {};
        DimRange range = {};
        Congruence residue = {};
    };

    DimAttr substitute(DimAttr e) const;
    DimAttr simplify(DimAttr e) const;
    DimAttr simplifyByResidues(DimAttr e) const; // by nothing else: facts stay what they are
    DimAttr simplifyNode(DimAttr e) const;
    DimAttr simplifyMinMax(DimAttr e) const;
    DimAttr simplifyFloorDiv(DimAttr e) const;
    DimAttr simplifyBroadcast(DimAttr e) const;
    std::optional<int64_t> remainder(DimAttr mod, bool useRanges) const;
    DimAttr simplifyQuotients(DimAttr e, bool useRanges) const;
    DimAttr simplifyByCongruence(DimAttr e) const;
    DimAttr multiplyOut(const DimTerm &term, bool useRanges) const;
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
    void learnResidue(DimAttr atom, Congruence known);
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
        equalities;                           // symbol to expression over symbols that are not keys
    llvm::DenseMap<DimAttr, DimRange> ranges; // of atoms
    llvm::DenseMap<DimAttr, Congruence> congruences; // of atoms
    llvm::DenseMap<DimAttr, unsigned> ages;          // order in which symbols were first spoken of
    llvm::SmallVector<Undo> log;
    bool contradiction = false;
    // What proveNonNegative answered since the facts last changed: passes ask the same questions of
    // many pairs of windows, and a question without proof costs the whole search.
    mutable llvm::DenseMap<DimAttr, bool> answers;
};

} // namespace shapecast::np
