// Conversions between MLIR types and dtypes.
#pragma once

#include "facts/dtype.h"
#include "ir/np.h"

namespace shapecast {

// Strong scalar type of a dtype: i1, si8..si64, ui8..ui64, f16, f32, f64, complex<f32>,
// complex<f64>.
mlir::Type scalarType(mlir::MLIRContext *ctx, DType dtype);
// !np.pybool, !np.pyint, !np.pyfloat, !np.pycomplex.
mlir::Type pyType(mlir::MLIRContext *ctx, PyKind kind);
// Element type of scalars (strong and Python), tensors and arrays; none for other types.
std::optional<OperandType> operandType(mlir::Type type);

// Signless SSA type: i1 for bool, i8.., f16.., and for complex the type of one part.
mlir::Type registerType(mlir::MLIRContext *ctx, DType dtype);
// Whether a scalar has two registers: the parts of a complex number, the words of a WideInt.
inline bool hasTwoParts(const OperandType &type) {
    return isComplex(type.dtype) || type.weak == PyKind::WideInt;
}
// Type of one element in memory: bool is i8 (a load is `byte != 0`); complex: that of one part, of
// two adjacent ones.
mlir::Type storageType(mlir::MLIRContext *ctx, DType dtype);

} // namespace shapecast
