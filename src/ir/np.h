// The np dialect's C++ classes: types, attributes, operations, and small helpers on them.
#pragma once

#include "ir/dim.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace shapecast::np {
enum class Layout { C, F, Inner, Strided };
llvm::StringRef layoutText(Layout layout); // "C" "F" "inner" "strided"
std::optional<Layout> layoutFromText(llvm::StringRef text);
} // namespace shapecast::np

#define GET_ATTRDEF_CLASSES
#include "ir/NpAttrs.h.inc"
#include "ir/NpDialect.h.inc" // its attributes' helpers need the classes above
#define GET_TYPEDEF_CLASSES
#include "ir/NpTypes.h.inc"

namespace shapecast::np {
class DimFacts; // ir/dim_facts.h
}

#define GET_OP_CLASSES
#include "ir/NpOps.h.inc"

namespace shapecast::np {

// The function that an np.call or np.closure names; null for other operations.
mlir::FlatSymbolRefAttr calleeOf(mlir::Operation *op);
void setCallee(mlir::Operation *op, mlir::FlatSymbolRefAttr callee);

mlir::Type anyTensor(mlir::MLIRContext *ctx); // tensor<*x!np.any>
bool isAny(mlir::Type type);                  // tensor<*x!np.any>
bool isPyScalar(mlir::Type type);             // !np.pybool, pyint, pywideint, pyfloat, pycomplex
bool isNpScalar(mlir::Type type);             // i1, si8.., f16.., complex<..>
bool isScalar(mlir::Type type);               // either

// A constant of type !np.pywideint: #np.py<"wideint", "18446744073709551615">, and its 128 bits.
mlir::Attribute wideIntAttr(mlir::MLIRContext *ctx, const llvm::APInt &value);
bool isWideInt(mlir::Attribute attr);
llvm::APInt wideInt(mlir::Attribute attr);

// tensor<?x3xf64, #np.dims<s0, 3>>
mlir::RankedTensorType valueType(llvm::ArrayRef<DimAttr> dims, mlir::Type dtype,
                                 mlir::StringAttr device);
llvm::ArrayRef<DimAttr> valueDims(mlir::Type tensor);
// The device of an array or value: "cuda:0"; null on the host, and for all other types.
mlir::StringAttr deviceOf(mlir::Type type);
llvm::StringRef deviceText(mlir::StringAttr device); // "cpu" for the host

inline constexpr size_t messageSizes = 10; // payload limit of np.require: {0} .. {9} in its message

// The sizes of a reduction's result; the axes are not negative.
llvm::SmallVector<DimAttr, 4> reducedDims(llvm::ArrayRef<DimAttr> dims,
                                          llvm::ArrayRef<int64_t> axes, bool keepdims);

// ArrayAttr of #np.dim <-> vector
mlir::ArrayAttr dimArray(mlir::MLIRContext *ctx, llvm::ArrayRef<DimAttr> dims);
llvm::SmallVector<DimAttr> dimVector(mlir::ArrayAttr dims);

} // namespace shapecast::np
