// Scalar code: the bridge from np's scalar operations to the emitters of ops/ufunc/ufunc.h.
#include "lower/kit/scalars.h"
#include "ops/ufunc/emit.h"
#include "runtime/processor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

DType dtypeOf(Type type) {
    std::optional<OperandType> operand = operandType(type);
    assert(operand && "a scalar, value or array type");
    return operand->dtype;
}

SmallVector<Type, 2> registerTypes(Type type) {
    if (isa<np::ObjectType>(type))
        return {IntegerType::get(type.getContext(), 64)}; // its address
    std::optional<OperandType> operand = operandType(type);
    if (!operand)
        return {};
    Type part = registerType(type.getContext(), operand->dtype);
    return hasTwoParts(*operand) ? SmallVector<Type, 2>{part, part} : SmallVector<Type, 2>{part};
}

void appendParts(SmallVectorImpl<Value> &values, const Scalar &scalar) {
    values.push_back(scalar.re);
    if (scalar.im)
        values.push_back(scalar.im);
}

Scalar takeParts(Type type, ValueRange &values) {
    size_t count = registerTypes(type).size();
    Scalar scalar{values[0], count == 2 ? values[1] : Value()};
    values = values.drop_front(count);
    return scalar;
}

//===-- Memory

Value elementAddress(OpBuilder &builder, Location loc, Value pointer, Value index, DType dtype,
                     bool inbounds) {
    Type pointerType = LLVM::LLVMPointerType::get(builder.getContext());
    Type element = storageType(builder.getContext(), dtype);
    if (isComplex(dtype))
        element = LLVM::LLVMArrayType::get(element, 2);
    return LLVM::GEPOp::create(
        builder, loc, pointerType, element, pointer, ArrayRef<LLVM::GEPArg>{index},
        inbounds ? LLVM::GEPNoWrapFlags::inbounds : LLVM::GEPNoWrapFlags::none);
}

static Value imaginaryAddress(OpBuilder &builder, Location loc, Value address, Type part) {
    return LLVM::GEPOp::create(builder, loc, address.getType(), part, address,
                               ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(1)},
                               LLVM::GEPNoWrapFlags::inbounds);
}

Scalar loadElement(OpBuilder &builder, Location loc, Value pointer, Value index, DType dtype) {
    Value address = elementAddress(builder, loc, pointer, index, dtype);
    Type part = storageType(builder.getContext(), dtype);
    Value re = LLVM::LoadOp::create(builder, loc, part, address);
    if (isBool(dtype)) {
        Value zero = arith::ConstantIntOp::create(builder, loc, 0, 8);
        return {arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, re, zero), Value()};
    }
    if (!isComplex(dtype))
        return {re, Value()};
    return {re, LLVM::LoadOp::create(builder, loc, part,
                                     imaginaryAddress(builder, loc, address, part))};
}

void storeElement(OpBuilder &builder, Location loc, const Scalar &value, Value pointer, Value index,
                  DType dtype) {
    Value address = elementAddress(builder, loc, pointer, index, dtype);
    Value re = value.re;
    if (isBool(dtype))
        re = arith::ExtUIOp::create(builder, loc, builder.getI8Type(), re);
    LLVM::StoreOp::create(builder, loc, re, address);
    if (isComplex(dtype))
        LLVM::StoreOp::create(builder, loc, value.im,
                              imaginaryAddress(builder, loc, address, value.im.getType()));
}

//===-- Operations

// The low and the high 64 bits of a WideInt.
static Scalar emitWideConst(OpBuilder &builder, Location loc, const llvm::APInt &value) {
    auto word = [&](unsigned at) {
        return arith::ConstantIntOp::create(builder, loc,
                                            int64_t(value.extractBits(64, at).getZExtValue()), 64);
    };
    return {word(0), word(64)};
}

static Scalar emitConst(OpBuilder &builder, np::ConstOp op) {
    Location loc = op.getLoc();
    if (isa<np::PyWideIntType>(op.getType()))
        return emitWideConst(builder, loc, np::wideInt(op.getValue()));
    DType dtype = dtypeOf(op.getType());
    Attribute value = op.getValue();
    auto real = [](Attribute attr) {
        if (auto number = dyn_cast<FloatAttr>(attr))
            return number.getValueAsDouble();
        return double(cast<IntegerAttr>(attr).getInt());
    };
    if (auto flag = dyn_cast<BoolAttr>(value))
        return emitInteger(builder, loc, dtype, flag.getValue());
    if (auto pair = dyn_cast<ArrayAttr>(value))
        return emitConstant(builder, loc, dtype, real(pair[0]), real(pair[1]));
    if (auto number = dyn_cast<IntegerAttr>(value))
        if (!isFloat(dtype) && !isComplex(dtype))
            return emitInteger(builder, loc, dtype, number.getInt());
    return emitConstant(builder, loc, dtype, real(value));
}

// The operand in the loop's dtype: Python scalars and mixed operands are converted first.
static Scalar inDType(OpBuilder &builder, Location loc, Scalar value, Type type, DType wanted) {
    if (isa<np::PyWideIntType>(type)) // its low bits
        value.im = {};
    DType have = dtypeOf(type);
    return have == wanted ? value : emitCast(builder, loc, value, have, wanted);
}

// NumPy's loops over complex arrays use a fused multiply-add for one product of each two, where the
// processor has it. Its complex scalars do not.
static bool isFusedProduct(np::UfuncOp op, const Loop &loop) {
    static const bool canFuse = runtime::hasFusedMultiplyAdd();
    return canFuse && isComplex(loop.out) &&
           (op.getName() == "multiply" || op.getName() == "square") &&
           op->getParentOfType<np::NestOp>();
}

static Scalar emitFusedProduct(OpBuilder &builder, Location loc, const Scalar &a, const Scalar &b) {
    Emit e(builder, loc);
    return {e.mulAdd(a.re, b.re, e.neg(e.mul(a.im, b.im))),
            e.mulAdd(a.re, b.im, e.mul(a.im, b.re))};
}

static Scalar emitUfuncOp(OpBuilder &builder, np::UfuncOp op, DenseMap<Value, Scalar> &scalars) {
    Location loc = op.getLoc();
    const Ufunc *ufunc = findUfunc(op.getName());
    if (!ufunc) {
        op.emitError("internal error: unknown ufunc");
        return emitInteger(builder, loc, dtypeOf(op.getType()), 0);
    }
    Loop loop = Loop::parse(op.getLoop().value_or(""));
    SmallVector<Scalar> operands;
    for (auto [operand, dtype] : llvm::zip_equal(op.getOperands_(), loop.in))
        operands.push_back(
            inDType(builder, loc, scalars.lookup(operand), operand.getType(), dtype));
    Scalar result = isFusedProduct(op, loop)
                        ? emitFusedProduct(builder, loc, operands.front(), operands.back())
                        : emitUfunc(builder, loc, *ufunc, loop, operands);
    DType wanted = dtypeOf(op.getType());
    return wanted == loop.out ? result : emitCast(builder, loc, result, loop.out, wanted);
}

static Scalar emitPythonOp(OpBuilder &builder, np::PyOp op, ScalarContext env) {
    SmallVector<Scalar> operands;
    SmallVector<PyKind> kinds;
    auto kindOf = [](Type type) {
        OperandType operand = *operandType(type);
        if (operand.weak != PyKind::Strong)
            return operand.weak;
        return isBool(operand.dtype)      ? PyKind::Bool
               : isComplex(operand.dtype) ? PyKind::Complex
               : isFloat(operand.dtype)   ? PyKind::Float
                                          : PyKind::Int;
    };
    auto pyDType = [](PyKind kind) {
        return kind == PyKind::Bool      ? DType::Bool
               : kind == PyKind::Complex ? DType::C128
               : kind == PyKind::Float   ? DType::F64
                                         : DType::I64;
    };
    for (Value operand : op.getOperands_()) {
        kinds.push_back(kindOf(operand.getType()));
        if (kinds.back() == PyKind::WideInt) {
            operands.push_back(env.scalars.lookup(operand));
            continue;
        }
        operands.push_back(inDType(builder, op.getLoc(), env.scalars.lookup(operand),
                                   operand.getType(), pyDType(kinds.back())));
    }
    PyKind result = kindOf(op.getType());
    SmallVector<Trap> traps;
    Scalar value =
        emitPyOp(builder, op.getLoc(), op.getOp(), operands, kinds, result, op.getNowrap(), traps);
    for (const Trap &trap : traps) {
        if (env.trap)
            env.trap(builder, op.getLoc(), trap);
        else
            op.emitError("internal error: an operation that may raise is in a nest");
    }
    return value;
}

bool emitScalarOp(OpBuilder &builder, Operation *op, ScalarContext env) {
    Location loc = op->getLoc();
    auto &scalars = env.scalars;
    if (auto constant = dyn_cast<np::ConstOp>(op)) {
        if (operandType(constant.getType()))
            scalars[constant] = emitConst(builder, constant);
        return true;
    }
    if (auto size = dyn_cast<np::SizeOp>(op)) {
        scalars[size] = {env.dims.emit(builder, loc, size.getExpr()), Value()};
        return true;
    }
    if (auto unbound = dyn_cast<np::UnboundOp>(op)) {
        const bool isObject = isa<np::ObjectType>(unbound.getType()); // its address, then
        const DType dtype = isObject ? DType::I64 : dtypeOf(unbound.getType());
        scalars[unbound] = isa<np::PyWideIntType>(unbound.getType())
                               ? emitWideConst(builder, loc, llvm::APInt(128, 0))
                               : emitInteger(builder, loc, dtype, 0);
        return true;
    }
    if (op->getNumResults() != 1 || !np::isScalar(op->getResult(0).getType()))
        return false;
    if (auto ufunc = dyn_cast<np::UfuncOp>(op)) {
        scalars[ufunc] = emitUfuncOp(builder, ufunc, scalars);
        return true;
    }
    if (isa<np::CastOp, np::TruthOp>(op)) {
        Value input = op->getOperand(0);
        scalars[op->getResult(0)] = inDType(builder, loc, scalars.lookup(input), input.getType(),
                                            dtypeOf(op->getResult(0).getType()));
        return true;
    }
    if (auto pyop = dyn_cast<np::PyOp>(op)) {
        scalars[pyop] = emitPythonOp(builder, pyop, env);
        return true;
    }
    return false;
}

} // namespace shapecast
