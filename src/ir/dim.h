// Symbolic dimensions: canonical integer expressions (`#np.dim`), their arithmetic and text.
//
// An expression is built only through the functions here, which keep a normal form: a Sum of a
// constant and products, each product a coefficient times sorted atoms. Two expressions that the
// normal form can show equal are the same attribute (MLIR uniques them), so `==` is the first
// equality test. Every rewrite holds for all integers in range.
#pragma once

#include "mlir/IR/Attributes.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <optional>
#include <string>

namespace shapecast::np {

class DimAttr;

enum class DimKind {
    Const,     // value
    Symbol,    // name
    Sum,       // value + operands; each operand a Product or an atom
    Product,   // value * operands (atoms, sorted); a single atom with value 1 is that atom itself
    FloorDiv,  // floor(operands[0] / operands[1])            printed floordiv(a, b)
    Mod,       // operands[0] - operands[1]*floordiv          printed mod(a, b)
    Min,       // of operands, sorted                         printed min(a, b, ...)
    Max,       //                                             printed max(a, b, ...)
    Bcast,     // operands[0] == 1 ? 0 : 1                    printed bcast(a)
    Broadcast, // the first of operands that is not 1, else 1 printed broadcast(a, b, ...)
    Wrap, // operands[0] < 0 ? operands[0] + operands[1] : operands[0]   (NumPy's index)  printed
          // wrap(i, n)
};

} // namespace shapecast::np

#define GET_ATTRDEF_CLASSES
#include "ir/NpDim.h.inc"

namespace shapecast::np {

DimAttr dimConst(mlir::MLIRContext *ctx, int64_t value);
DimAttr dimSymbol(mlir::MLIRContext *ctx, llvm::StringRef name);
DimAttr dimAdd(DimAttr a, DimAttr b);
DimAttr dimPlus(DimAttr a, int64_t b); // a + b
DimAttr dimSub(DimAttr a, DimAttr b);
DimAttr dimMul(DimAttr a, DimAttr b);
DimAttr dimNeg(DimAttr a);
DimAttr dimFloorDiv(DimAttr a, DimAttr b); // folds only what is exact for every integer (b != 0)
DimAttr dimCeilDiv(DimAttr a, DimAttr b);  // -floordiv(-a, b)
DimAttr dimMod(DimAttr a, DimAttr b);
DimAttr dimMin(DimAttr a, DimAttr b);
DimAttr dimMax(DimAttr a, DimAttr b);
DimAttr dimBcast(DimAttr a);
DimAttr dimBroadcast(DimAttr a, DimAttr b); // a == 1 ? b : a
DimAttr dimWrap(DimAttr index, DimAttr size);

// Replaces symbols (a null answer keeps the symbol) and renormalises.
DimAttr dimSubstitute(DimAttr e, llvm::function_ref<DimAttr(llvm::StringRef)> replacement);
// The same kind of expression over other operands (as many as e has), renormalised.
DimAttr dimWithOperands(DimAttr e, llvm::ArrayRef<DimAttr> operands);
// Calls back for every symbol in the expression.
void dimSymbols(DimAttr e, llvm::function_ref<void(llvm::StringRef)> callback);
bool dimUses(DimAttr e, llvm::StringRef symbol);
// The cost of reasoning about an expression: the nodes of its nonlinear terms (products, quotients
// and the like); linear terms are free. Counting stops at `limit`.
unsigned dimWeight(DimAttr e, unsigned limit);
// Too costly: such sizes are simplified or bound to a symbol first, and that symbol is not
// substituted again.
bool dimIsHeavy(DimAttr e);
// e = coefficient * symbol + rest with rest free of the symbol; none when it is not linear in it.
struct DimLinear {
    int64_t coefficient;
    DimAttr rest;
};
std::optional<DimLinear> dimLinearIn(DimAttr e, llvm::StringRef symbol);

// The same where the coefficient may be an expression, free of the symbol too.
struct DimParts {
    DimAttr coefficient, rest;
};
std::optional<DimParts> dimPartsIn(DimAttr e, DimAttr symbol);
// e = dimConstant(e) + sum of coefficient * monomial, monomial being an atom or a Product with
// value 1.
struct DimTerm {
    int64_t coefficient;
    DimAttr monomial;
};
llvm::SmallVector<DimTerm, 4> dimTerms(DimAttr e);
int64_t dimConstant(DimAttr e);
// Value for given symbol values; none for an unbound symbol or a division by zero.
std::optional<int64_t>
dimEvaluate(DimAttr e, llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> value);

enum class Answer { No, Yes, Unknown }; // to a question about expressions

std::string dimText(DimAttr e); // "s0 - 2", "2 * s0 * s1 + 1"
// The same text inside another attribute's.
mlir::FailureOr<DimAttr> parseDim(mlir::AsmParser &parser);
void printDim(mlir::AsmPrinter &printer, DimAttr dim);

} // namespace shapecast::np
