// What is known about symbols, and bounded-time answers to questions about expressions.
#pragma once

#include "ir/np.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace shapecast::np {

enum class Answer { No, Yes, Unknown };

// Facts about symbols: lower and upper bounds (expressions), and equalities (a symbol stands for an
// expression). A scope (Mark) forgets the facts learned since, for arms and loop bodies.
// Every query does a bounded amount of work and never answers wrongly.
class DimFacts {
public:
    explicit DimFacts(mlir::MLIRContext *ctx) : ctx(ctx) {}

    // 0 <= symbol < 2^47: a size of an array that exists.
    void addSize(llvm::StringRef symbol);
    void addLower(llvm::StringRef symbol, DimAttr bound); // symbol >= bound
    void addUpper(llvm::StringRef symbol, DimAttr bound); // symbol <= bound
    // a == b, a >= b: kept when the fact can be put as a bound or an equality of one symbol, else remembered as is.
    void addEqual(DimAttr a, DimAttr b);
    void addGreaterEqual(DimAttr a, DimAttr b);
    void addNotEqual(DimAttr a, DimAttr b);

    // The expression with known equalities put in (representatives).
    DimAttr canonical(DimAttr e) const;

    Answer equal(DimAttr a, DimAttr b) const;
    Answer greaterEqual(DimAttr a, DimAttr b) const; // a >= b
    Answer less(DimAttr a, DimAttr b) const;         // a < b
    // Interval of the expression, saturating at int64 limits (used to prove that arithmetic cannot overflow).
    std::pair<int64_t, int64_t> range(DimAttr e) const;

    struct Mark {
        size_t undo;
    };
    Mark mark() const;
    void rewind(Mark mark);

private:
    struct Bounds {
        llvm::SmallVector<DimAttr, 2> lower, upper;
    };
    struct Undo;
    mlir::MLIRContext *ctx;
    // (the implementer may choose other members)
};

} // namespace shapecast::np
