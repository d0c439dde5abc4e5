// Facts about symbols, and queries about expressions that are answered in bounded time.
#pragma once

#include "ir/dim.h"
#include <memory>
#include <utility>

namespace shapecast::np {

// Facts about symbols: lower and upper bounds (expressions), equalities (a symbol equals an
// expression) and congruences (n == 3 (mod 4)). rewind(Mark) drops the facts added since the mark,
// at the end of branches and loop bodies. Queries are sound and do a bounded amount of work.
// Expressions are assumed to be defined: divisors are not zero.
class DimFacts {
public:
    explicit DimFacts(mlir::MLIRContext *ctx);
    ~DimFacts();

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
    bool contradictory() const;

    struct Mark {
        size_t undo;
    };
    Mark mark() const;
    void rewind(Mark mark);

private:
    class State; // what is known (dim_knowledge.h), and how to undo it
    std::unique_ptr<State> state;
};

} // namespace shapecast::np
