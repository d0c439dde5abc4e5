// The table of element-wise functions: ops/elementwise_*.cpp define NumPy name, loops, dtype
// resolution and scalar lowering of each; this is the interface to it.
#pragma once

#include "facts/dtype.h"
#include "ir/np.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <variant>

namespace shapecast {

// A scalar SSA value: signless integer or float; complex numbers as two floats (im is null
// otherwise).
struct Scalar {
    mlir::Value re, im;
};

// A loop of a ufunc: the dtypes of inputs and output; text as in NumPy's `ufunc.types`: "dd->d".
struct Loop {
    llvm::SmallVector<DType, 3> in;
    DType out;
    std::string text() const;
    static Loop parse(llvm::StringRef text);
};

class Emit; // ops/ufunc/emit.h
using Emitter = Scalar (*)(Emit &emit, const Loop &loop, llvm::ArrayRef<Scalar> operands);

// How the operands' dtypes select a loop.
enum class Resolution : uint8_t {
    Search,  // the first loop that all operands cast to safely (nearly all)
    NotBool, // the same, but TypeError for bool operands only; `boolError` is its message, if not
             // the usual one
    Integer, // as NotBool, and every failure is "did not contain a loop ..."
    Divide,  // integers divide in float64
    Compare, // as Search, but Python ints are compared exactly, whatever their value
    Logical, // equal strong dtypes: their own loop; else all are cast to bool
    Where,   // (bool, T, T) with T = np.result_type
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
    llvm::StringRef boolError = "";
    bool ownHalf = false;      // float16 has its own body; the others compute in float32 and round
    bool isIdempotent = false; // f(f(x)) == f(x)
};

// Marks a row as idempotent.
constexpr Ufunc idempotent(Ufunc row) {
    row.isIdempotent = true;
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
// Comparisons of an integer with a Python int resolve to a 64-bit loop, in which Python ints (here
// 64 bits) are exact; LLVM narrows them again when the int is a constant. `where` of a Python int
// wraps. In all others it must fit the dtype: checkWeakBounds in ops/builder/elements.h.
std::variant<Loop, OpError> resolveUfunc(const Ufunc &ufunc, llvm::ArrayRef<OperandType> operands,
                                         std::optional<DType> requested = std::nullopt,
                                         Casting casting = Casting::SameKind);
// The loop of "bits", a bitcast of elements to another dtype; none for complex numbers, bools and
// different sizes.
std::optional<std::string> bitsLoop(DType from, DType to);
// The ufunc of `array ** scalar`, as NumPy selects it: square, reciprocal, sqrt or power.
llvm::StringRef ufuncOfScalarPower(DType base, PyKind exponentKind, double exponent);
// Python operator names (add sub mul truediv floordiv mod pow and or xor lshift rshift lt le gt ge
// eq ne neg pos invert abs) -> ufunc name.
llvm::StringRef ufuncOfOperator(llvm::StringRef op);

// The body for one element, operands already in the loop's input dtypes. Emits arith, math and
// LLVM-dialect scalar ops (no branches; division and shifts defined for all operands as in NumPy;
// func.call of `sc_*` runtime functions where there is no inline form, declared in the module at
// their first use).
Scalar emitUfunc(mlir::OpBuilder &builder, mlir::Location loc, const Ufunc &ufunc, const Loop &loop,
                 llvm::ArrayRef<Scalar> operands);
// NumPy's astype of one element (float to int out of range: HostInfo::castsSaturate; never poison).
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

// The tables of ufuncs, one per file; ufunc.cpp concatenates them.
llvm::ArrayRef<Ufunc> arithmeticUfuncs();
llvm::ArrayRef<Ufunc> compareUfuncs();
llvm::ArrayRef<Ufunc> bitUfuncs();
llvm::ArrayRef<Ufunc> roundUfuncs();
llvm::ArrayRef<Ufunc> mathUfuncs();
llvm::ArrayRef<Ufunc> complexUfuncs();

// A condition under which an operation raises.
struct Trap {
    mlir::Value condition; // i1, true: raise
    llvm::StringRef exception, message;
    // i1, implied by the condition and rarely true: tested once for all traps that share it.
    mlir::Value guard = {};
    mlir::Value messageArgument = {}; // f64: the message's {0:f}
};
// Python's arithmetic on int (i64, traps on overflow unless nowrap), float, bool, complex; the
// result has `result`'s SSA type. Ops: np.pyop's names. The value is defined (no poison, no
// fault) even when a trap fires.
Scalar emitPyOp(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef op,
                llvm::ArrayRef<Scalar> operands, llvm::ArrayRef<PyKind> kinds, PyKind result,
                bool nowrap, llvm::SmallVectorImpl<Trap> &traps);
// Result kind of Python's operator or builtin on these kinds; none: TypeError. `exponent`: the
// constant exponent of int ** int if known (negative: Float; unknown: Int, and emitPyOp traps a
// negative one as "shapecast.UnsupportedError").
std::optional<PyKind> pyResult(llvm::StringRef op, llvm::ArrayRef<PyKind> kinds,
                               std::optional<int64_t> exponent = std::nullopt);

} // namespace shapecast
