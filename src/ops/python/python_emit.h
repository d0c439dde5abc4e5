// Shared by the files that emit Python's own scalar operations.
#pragma once

#include "ops/ufunc/emit.h"

namespace shapecast {

// A Python scalar operation being emitted: its operands and traps.
struct PyOperation {
    Emit &e;
    llvm::StringRef op;
    llvm::ArrayRef<Scalar> operands;
    llvm::ArrayRef<PyKind> kinds;
    bool nowrap;
    llvm::SmallVectorImpl<Trap> &traps;

    size_t size() const { return operands.size(); }
    mlir::Value asInt(size_t i, unsigned bits = 64) const; // bool or int; a WideInt has 128 bits
    mlir::Value asFloat(size_t i) const;                   // bool, int or float as f64
    Scalar asComplex(size_t i) const;
    void trap(mlir::Value condition, llvm::StringRef exception, llvm::StringRef message) const;
    void trapOverflow(mlir::Value condition, unsigned bits = 64) const; // an int result beyond
};

// float -> int by truncation: traps on NaN, infinity and overflow.
mlir::Value emitPyTruncate(const PyOperation &p, mlir::Value floating);

// An operation in 128 bits, `op` without "wide.".
mlir::Value emitWide(const PyOperation &p, llvm::StringRef op);

// Of ints: a result of 64 bits, one of 128 as its low and its high word, a float quotient, and
// round(int, digits).
mlir::Value emitInt(const PyOperation &p);
Scalar emitWideInt(const PyOperation &p);
Scalar partsOfWideInt(Emit &e, mlir::Value wide);
mlir::Value emitIntQuotient(const PyOperation &p);
mlir::Value emitRoundedInt(const PyOperation &p);

// Arithmetic with a complex result.
Scalar emitPyComplex(const PyOperation &p);

// The functions of Python's math module; `name` without "math.".
bool isPyMath(llvm::StringRef name);
std::optional<PyKind> pyMathResult(llvm::StringRef name, llvm::ArrayRef<PyKind> kinds);
Scalar emitPyMath(const PyOperation &p, llvm::StringRef name);

} // namespace shapecast
