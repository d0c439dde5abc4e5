// Conversions between MLIR types and dtypes.
#include "ops/ufunc/types.h"

#include "llvm/ADT/TypeSwitch.h"

namespace shapecast {

mlir::Type registerType(mlir::MLIRContext *ctx, DType dtype) {
    switch (realPart(dtype)) {
    case DType::F16:
        return mlir::Float16Type::get(ctx);
    case DType::F32:
        return mlir::Float32Type::get(ctx);
    case DType::F64:
        return mlir::Float64Type::get(ctx);
    case DType::Bool:
        return mlir::IntegerType::get(ctx, 1);
    default:
        return mlir::IntegerType::get(ctx, 8 * itemSize(dtype));
    }
}

mlir::Type storageType(mlir::MLIRContext *ctx, DType dtype) {
    return isBool(dtype) ? mlir::IntegerType::get(ctx, 8) : registerType(ctx, dtype);
}

mlir::Type scalarType(mlir::MLIRContext *ctx, DType dtype) {
    const unsigned bits = 8 * itemSize(dtype);
    if (isSigned(dtype))
        return mlir::IntegerType::get(ctx, bits, mlir::IntegerType::Signed);
    if (isUnsigned(dtype))
        return mlir::IntegerType::get(ctx, bits, mlir::IntegerType::Unsigned);
    if (isComplex(dtype))
        return mlir::ComplexType::get(registerType(ctx, dtype));
    return registerType(ctx, dtype);
}

mlir::Type pyType(mlir::MLIRContext *ctx, PyKind kind) {
    switch (kind) {
    case PyKind::Bool:
        return np::PyBoolType::get(ctx);
    case PyKind::Int:
        return np::PyIntType::get(ctx);
    case PyKind::WideInt:
        return np::PyWideIntType::get(ctx);
    case PyKind::Float:
        return np::PyFloatType::get(ctx);
    case PyKind::Complex:
        return np::PyComplexType::get(ctx);
    case PyKind::Strong:
        break;
    }
    return {};
}

namespace {

std::optional<DType> integerDType(mlir::IntegerType type) {
    if (type.getWidth() == 1)
        return DType::Bool;
    if (type.isSignless())
        return std::nullopt;
    const bool isSigned = type.isSigned();
    switch (type.getWidth()) {
    case 8:
        return isSigned ? DType::I8 : DType::U8;
    case 16:
        return isSigned ? DType::I16 : DType::U16;
    case 32:
        return isSigned ? DType::I32 : DType::U32;
    case 64:
        return isSigned ? DType::I64 : DType::U64;
    default:
        return std::nullopt;
    }
}

std::optional<DType> strongDType(mlir::Type type) {
    if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
        return integerDType(integer);
    if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type)) {
        if (complex.getElementType().isF32())
            return DType::C64;
        if (complex.getElementType().isF64())
            return DType::C128;
        return std::nullopt;
    }
    if (type.isF16())
        return DType::F16;
    if (type.isF32())
        return DType::F32;
    if (type.isF64())
        return DType::F64;
    return std::nullopt;
}

} // namespace

std::optional<OperandType> operandType(mlir::Type type) {
    if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
        type = tensor.getElementType();
    else if (auto array = mlir::dyn_cast<np::ArrayType>(type))
        type = array.getDtype();
    if (mlir::isa<np::PyBoolType>(type))
        return OperandType{DType::Bool, PyKind::Bool};
    if (mlir::isa<np::PyIntType>(type))
        return OperandType{DType::I64, PyKind::Int};
    if (mlir::isa<np::PyWideIntType>(type))
        return OperandType{DType::U64, PyKind::WideInt};
    if (mlir::isa<np::PyFloatType>(type))
        return OperandType{DType::F64, PyKind::Float};
    if (mlir::isa<np::PyComplexType>(type))
        return OperandType{DType::C128, PyKind::Complex};
    if (const auto dtype = strongDType(type))
        return OperandType{*dtype};
    return std::nullopt;
}

} // namespace shapecast
