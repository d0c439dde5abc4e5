// Scalar operations (np.const, np.ufunc, np.cast, np.pyop ...) as arith and math code.
#pragma once

#include "lower/kit/dim_values.h"
#include "ops/ufunc/types.h"
#include "ops/ufunc/ufunc.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace shapecast {

using Values = llvm::SmallVector<mlir::Value>;

// Register types of a scalar type: one, two for complex, none for static values.
llvm::SmallVector<mlir::Type, 2> registerTypes(mlir::Type type);
// A Scalar's values as a list and back.
void appendParts(llvm::SmallVectorImpl<mlir::Value> &values, const Scalar &scalar);
Scalar takeParts(mlir::Type type, mlir::ValueRange &values);
// A number, or an object's address.
inline bool isRegister(mlir::Type type) {
    return operandType(type) || mlir::isa<np::ObjectType>(type);
}
DType dtypeOf(mlir::Type type); // of a scalar, value or array type

// What a scalar operation needs from the code around it.
struct ScalarContext {
    DimValues &dims;
    llvm::DenseMap<mlir::Value, Scalar> &scalars; // results are added
    // Called for each condition under which the operation raises; null where nothing may raise.
    llvm::function_ref<void(mlir::OpBuilder &, mlir::Location, const Trap &)> trap;
};

// True when `op` is a scalar operation; its code is emitted and its results are in `env.scalars`.
bool emitScalarOp(mlir::OpBuilder &builder, mlir::Operation *op, ScalarContext env);

// The address of an element at `pointer` + index (in elements; complex elements are two parts). Not
// inbounds for a view that may be empty and start outside of its array.
mlir::Value elementAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                           mlir::Value index, DType dtype, bool inbounds = true);
Scalar loadElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                   mlir::Value index, DType dtype);
void storeElement(mlir::OpBuilder &builder, mlir::Location loc, const Scalar &value,
                  mlir::Value pointer, mlir::Value index, DType dtype);

} // namespace shapecast
