// Typed primitives: reads of arrays as tensors and back, casts, broadcasting, Python arithmetic.
#pragma once

#include "ops/builder/typed_builder.h"
#include "ops/ufunc/ufunc.h"

namespace shapecast {

// The contents of an array as an SSA tensor (of rank 0: a scalar); scalars as they are.
mlir::Value read(TypedBuilder &e, const Val &v);
// The tensor as an array; scalars as they are.
Val materialize(TypedBuilder &e, mlir::Value value, np::Layout layout = np::Layout::C);
// A tensor or scalar, cast.
mlir::Value castValue(TypedBuilder &e, mlir::Value value, DType dtype);
mlir::Value broadcastValue(TypedBuilder &e, mlir::Value value, llvm::ArrayRef<np::DimAttr> dims);
// NumPy's memory layout (order='K') for the result of these operands: ir/layout.h.
np::Layout resultLayout(llvm::ArrayRef<Val> operands);
// The device of all arrays among the operands; TypeError when they live on several.
mlir::StringAttr commonDevice(const TypedBuilder &e, llvm::ArrayRef<Val> operands);
// Where some of them are on a device, arrays of the host that are only read are copied to it: small
// ones, which programs have as constants. TypeError, at run time, for those of more than 64 KiB.
void bringTogether(TypedBuilder &e, llvm::MutableArrayRef<Val> operands);
// Arrays on a device, also in tuples, as copies in the host: for Python.
Val copyToHost(TypedBuilder &e, Val v);
// A copy of an array on a device or (null) in the host, of any size.
Val copyTo(TypedBuilder &e, const Val &v, mlir::StringAttr device);

// The broadcast shape of the operands; what is not proved is guarded or required.
Dims broadcastDims(TypedBuilder &e, llvm::ArrayRef<Dims> shapes);
// The same of a ufunc, with its out= (TypedBuilder::ufuncTarget).
Dims broadcastOperands(TypedBuilder &e, llvm::ArrayRef<Dims> shapes);
// Requires that a result of shape `result` can be stored to shape `out`; `all`: the shapes for
// the message.
void checkOutputShape(TypedBuilder &e, llvm::ArrayRef<np::DimAttr> out,
                      llvm::ArrayRef<np::DimAttr> result, llvm::ArrayRef<Dims> all);

// OverflowError where a Python int does not fit in the dtype that the loop takes it as.
void checkWeakBounds(TypedBuilder &e, const Ufunc &ufunc, const Loop &loop,
                     llvm::ArrayRef<Val> operands);
// Pairs (a, b) that are not proved: the Python int fits the dtype where every a >= b.
llvm::SmallVector<std::pair<np::DimAttr, np::DimAttr>>
unprovenBounds(TypedBuilder &e, const Val &number, DType dtype);

// An operation on Python numbers, np.pyop.
Val pyop(TypedBuilder &e, llvm::StringRef op, llvm::ArrayRef<Val> operands, mlir::Type result,
         bool nowrap = false);
// int op int of two size expressions: an expression where that is exact and cannot overflow.
std::optional<Val> intArithmetic(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &c);
// A comparison of two Python ints, folded where the facts decide it.
Val compareInts(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &c);
// "real" or "imag" of a complex NumPy scalar.
Val partOf(TypedBuilder &e, const Val &number, llvm::StringRef name);

} // namespace shapecast
