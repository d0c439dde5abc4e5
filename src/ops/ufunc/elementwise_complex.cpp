// The parts of complex numbers.
#include "ops/ufunc/emit.h"

namespace shapecast {

using mlir::Value;
using Operands = llvm::ArrayRef<Scalar>;

namespace {

Scalar emitConjugate(Emit &e, const Loop &, Operands x) {
    return {x[0].re, x[0].im ? e.neg(x[0].im) : nullptr};
}

// For tensors and scalars; np.real and np.imag of arrays are views.
Scalar emitReal(Emit &, const Loop &, Operands x) { return {x[0].re, nullptr}; }

Scalar emitImag(Emit &e, const Loop &, Operands x) {
    return {x[0].im ? x[0].im : e.like(x[0].re, 0), nullptr};
}

Scalar emitAngle(Emit &e, const Loop &loop, Operands x) {
    if (isBool(loop.in[0]))
        return {e.real(e.type(DType::F64), 0), nullptr};
    const Value im = x[0].im ? x[0].im : e.like(x[0].re, 0);
    return {e.libm("atan2", {im, x[0].re}), nullptr};
}

constexpr llvm::StringLiteral parts = "#->#:?bBhHiIlLefd F->f D->d";

constexpr Ufunc rows[] = {
    {"conjugate", 1, 1, "#->#:bBhHiIlLefdFD", emitConjugate, "conj"},
    {"real", 1, 0, parts, emitReal},
    {"imag", 1, 0, parts, emitImag},
    {"angle", 1, 35, "?->d #->#:efd F->f D->d", emitAngle},
};

} // namespace

llvm::ArrayRef<Ufunc> complexUfuncs() { return rows; }

} // namespace shapecast
