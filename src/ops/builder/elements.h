// Typed primitives: reads of arrays as tensors and back, casts, broadcasting, Python arithmetic,
// allocations, views, calls of the run time.
#pragma once

#include "ops/builder/typed_builder.h"
#include "ops/ufunc/ufunc.h"

namespace shapecast {

// array -> SSA tensor (rank 0: scalar); scalars as they are
mlir::Value read(TypedBuilder &e, const Val &v);
// tensor -> array handle
Val materialize(TypedBuilder &e, mlir::Value value, np::Layout layout = np::Layout::C);
// of a value or scalar
mlir::Value castValue(TypedBuilder &e, mlir::Value value, DType dtype);
mlir::Value broadcastValue(TypedBuilder &e, mlir::Value value, llvm::ArrayRef<np::DimAttr> dims);
// of a non-empty array
Val firstElement(TypedBuilder &e, const Val &v);
// NumPy's memory layout (order='K') for the result of these operands: ir/layout.h.
np::Layout resultLayout(llvm::ArrayRef<Val> operands);
// The device of all arrays among the operands; TypeError when they live on several.
mlir::StringAttr commonDevice(const TypedBuilder &e, llvm::ArrayRef<Val> operands);

Val alloc(TypedBuilder &e, llvm::ArrayRef<np::DimAttr> dims, DType dtype,
          np::Layout layout = np::Layout::C);
Val view(TypedBuilder &e, const Val &base, llvm::ArrayRef<np::DimAttr> offsets,
         llvm::ArrayRef<np::DimAttr> steps, llvm::ArrayRef<int64_t> axes,
         llvm::ArrayRef<np::DimAttr> dims, bool readonly = false);
// a[i] of an array of one or more dimensions that has such a row.
Val arrayRow(TypedBuilder &e, const Val &a, int64_t i);
Val withSimpleSizes(TypedBuilder &e, Val v); // an array with such sizes, see simpleSize

// The broadcast shape of the operands; what is not proved is guarded or required.
Dims broadcastDims(TypedBuilder &e, llvm::ArrayRef<Dims> shapes);
// of a ufunc
Dims broadcastOperands(TypedBuilder &e, llvm::ArrayRef<Dims> shapes);
// Requires that a result of shape `result` can be stored to shape `out`; `all`: the shapes for
// the message.
void checkOutputShape(TypedBuilder &e, llvm::ArrayRef<np::DimAttr> out,
                      llvm::ArrayRef<np::DimAttr> result, llvm::ArrayRef<Dims> all);

void checkWeakBounds(TypedBuilder &e, const Ufunc &ufunc, const Loop &loop,
                     llvm::ArrayRef<Val> operands);
// Pairs (a, b) that are not proved: the Python int fits the dtype where every a >= b.
llvm::SmallVector<std::pair<np::DimAttr, np::DimAttr>>
unprovenBounds(TypedBuilder &e, const Val &number, DType dtype);

Val pyop(TypedBuilder &e, llvm::StringRef op, llvm::ArrayRef<Val> operands, mlir::Type result,
         bool nowrap = false);
// int op int of two size expressions: an expression where that is exact and cannot overflow.
std::optional<Val> intArithmetic(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &c);
// A comparison of two Python ints, folded where the facts decide it.
Val compareInts(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &c);
// Calls the runtime function sc_<name> (np.native), which writes to the arrays `written`. Its
// result is a Python int, where no type is given.
Val native(TypedBuilder &e, llvm::StringRef name, llvm::ArrayRef<Val> written,
           llvm::ArrayRef<Val> read, llvm::StringRef error = "", const llvm::Twine &message = "",
           mlir::Type result = {});

} // namespace shapecast
