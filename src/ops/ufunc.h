// The table of element-wise functions: NumPy name, loops, dtype rule and scalar lowering of each
// stand together in ops/elementwise_*.cpp; this header is how the rest of the compiler asks for
// them.
#pragma once

#include "facts/dtype.h"
#include "ir/np.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <variant>

namespace shapecast {

// A scalar in registers: signless integer or float; complex numbers as two floats (im is null
// otherwise).
struct Scalar {
    mlir::Value re, im;
};

// The dtypes a ufunc computes in: inputs and output; text as in NumPy's `ufunc.types`: "dd->d".
struct Loop {
    llvm::SmallVector<DType, 3> in;
    DType out;
    std::string text() const;
    static Loop parse(llvm::StringRef text);
};

class Emit; // ops/emit.h
using Emitter = Scalar (*)(Emit &emit, const Loop &loop, llvm::ArrayRef<Scalar> operands);

// How operands choose a loop.
enum class Resolution : uint8_t {
    Search,  // the first loop that all operands cast to safely (nearly all)
    NotBool, // the same, but bool operands alone are refused; `refusal` is the message, if it has
             // one of its own
    Integer, // as NotBool, and every failure is "did not contain a loop ..."
    Divide,  // integers divide in float64
    Compare, // as Search, but a Python int is compared exactly whatever its value
    Logical, // equal strong operands: their own loop; else each is made bool
    Where,   // (bool, T, T) with T of np.result_type
};

// One row of the table. `loops` is a list of patterns: "##->#:bhd" stands for "bb->b hh->h dd->d".
struct Ufunc {
    llvm::StringRef name; // NumPy's name: "add"; two outputs are two rows: "divmod.0", "divmod.1"
    int inputs;
    // Rough cost of one element in flops, for the choice between recomputing and storing (add: 1,
    // exp: 20).
    int cost;
    llvm::StringRef loops;
    Emitter emit;
    llvm::StringRef aliases = ""; // separated by spaces: "true_divide"
    Resolution resolution = Resolution::Search;
    llvm::StringRef refusal = "";
    bool ownHalf = false; // float16 has its own body; the others compute in float32 and round
    bool folds = false;   // f(f(x)) is f(x)
};

// A row of a function that changes its own results no more.
constexpr Ufunc idempotent(Ufunc row) {
    row.folds = true;
    return row;
}

struct OpError {
    std::string exception; // "TypeError", "shapecast.UnsupportedError",
                           // "numpy.exceptions.UFuncTypeError" ...
    std::string message;   // NumPy's wording
};

const Ufunc *findUfunc(llvm::StringRef name); // null: no such ufunc; aliases resolved
llvm::ArrayRef<const Ufunc *> allUfuncs();
llvm::ArrayRef<Loop> ufuncLoops(const Ufunc &ufunc); // in NumPy's order
// Comparisons of an integer with a Python int resolve to a 64-bit loop, in which every Python int
// (of ours) is exact; LLVM narrows them again when the int is a constant. `where` of a Python int
// wraps. All others must be in the dtype's bounds: TypedBuilder::checkWeakBounds.
std::variant<Loop, OpError> resolveUfunc(const Ufunc &ufunc, llvm::ArrayRef<OperandType> operands,
                                         std::optional<DType> requested = std::nullopt,
                                         Casting casting = Casting::SameKind);
// The loop of "bits", which keeps an element's bits and calls them another dtype; none where the
// two have no such loop (complex numbers, bools, other sizes).
std::optional<std::string> bitsLoop(DType from, DType to);
// The element-wise operation that `array ** scalar` stands for, as NumPy chooses it: square,
// reciprocal, sqrt or power.
llvm::StringRef ufuncOfScalarPower(DType base, PyKind exponentKind, double exponent);
// Python operator names (add sub mul truediv floordiv mod pow and or xor lshift rshift lt le gt ge
// eq ne neg pos invert abs) -> ufunc name.
llvm::StringRef ufuncOfOperator(llvm::StringRef op);

// Body of one element, operands already in the loop's input dtypes. Emits arith, math and
// LLVM-dialect scalar ops (no branches; division and shifts made safe as NumPy defines them; calls
// to `sc_*` runtime functions as func.call where there is no inline form, declared in the module
// when first used).
Scalar emitUfunc(mlir::OpBuilder &builder, mlir::Location loc, const Ufunc &ufunc, const Loop &loop,
                 llvm::ArrayRef<Scalar> operands);
// NumPy's astype of one element (float to int out of range gives what NumPy gives on x86-64; never
// poison).
Scalar emitCast(mlir::OpBuilder &builder, mlir::Location loc, Scalar value, DType from, DType to);
Scalar emitConstant(mlir::OpBuilder &builder, mlir::Location loc, DType dtype, double re,
                    double im = 0);
Scalar emitInteger(mlir::OpBuilder &builder, mlir::Location loc, DType dtype, int64_t value);
// combine: add multiply minimum maximum logical_and logical_or; identity (for minimum/maximum: the
// extreme value).
Scalar emitCombine(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef combine,
                   DType dtype, Scalar a, Scalar b);
Scalar emitIdentity(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef combine,
                    DType dtype);

// A condition under which an operation raises.
struct Trap {
    mlir::Value condition; // i1, true: raise
    llvm::StringRef exception, message;
    // i1, true wherever the condition is: one test before those of all traps that share it.
    mlir::Value seldom = {};
    mlir::Value shown = {}; // f64: the message's {0:f}
};
// Python's own arithmetic on int (i64, traps on overflow unless nowrap), float, bool, complex; the
// result in `result`'s register type. Ops: np.pyop's names. The value is defined (no poison, no
// fault) even when a trap fires.
Scalar emitPyOp(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef op,
                llvm::ArrayRef<Scalar> operands, llvm::ArrayRef<PyKind> kinds, PyKind result,
                bool nowrap, llvm::SmallVectorImpl<Trap> &traps);
// How many numbers Python's math.name takes (math.log one or two); 0: it is no operation.
size_t pyMathArguments(llvm::StringRef name);
// Result kind of Python's operator or builtin on these kinds; none: TypeError. `exponent`: the
// constant exponent of int ** int if known (negative: Float; unknown: Int, and emitPyOp traps a
// negative one as "shapecast.UnsupportedError").
std::optional<PyKind> pyResult(llvm::StringRef op, llvm::ArrayRef<PyKind> kinds,
                               std::optional<int64_t> exponent = std::nullopt);

} // namespace shapecast
