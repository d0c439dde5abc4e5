#include "lower/function/products.h"

#include "lower/function/prange_check.h"
#include "lower/kit/errors.h"
#include "lower/kit/polls.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/scalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// A matrix as the product functions take it: where it starts, its strides, and the strides of the
// stack that it belongs to.
struct GemmOperand {
    Value pointer;
    DimAttr row, column;
    SmallVector<DimAttr> stack;
};

// Vectors are matrices of one row or column, whose stride along it is 0.
static GemmOperand gemmOperand(FunctionState &state, Value array, bool hasRows, bool hasColumns) {
    const Handle &handle = state.handles.at(array);
    DimAttr zero = np::dimConst(state.b.getContext(), 0);
    GemmOperand operand{state.address(array.getLoc(), handle, array.getType()), zero, zero, {}};
    ArrayRef<DimAttr> strides = handle.strides;
    if (hasColumns) {
        operand.column = strides.back();
        strides = strides.drop_back();
    }
    if (hasRows) {
        operand.row = strides.back();
        strides = strides.drop_back();
    }
    llvm::append_range(operand.stack, strides);
    return operand;
}

// Calls the function for each matrix of the stack; returns whether one failed (i32).
static Value gemmStack(FunctionState &state, Location loc, func::FuncOp callee,
                       ArrayRef<DimAttr> stack, ArrayRef<GemmOperand> operands, ValueRange sizes,
                       DType dtype) {
    SmallVector<Value> pointers, steps, strides;
    for (const GemmOperand &operand : operands) {
        pointers.push_back(operand.pointer);
        for (DimAttr stride : operand.stack)
            steps.push_back(state.dims.emit(state.b, loc, stride));
        strides.push_back(state.dims.emit(state.b, loc, operand.row));
        strides.push_back(state.dims.emit(state.b, loc, operand.column));
    }
    Values counts;
    for (DimAttr dim : stack)
        counts.push_back(state.dims.emit(state.b, loc, dim));
    Value zero = state.dims.constant(state.b, loc, 0), one = state.dims.constant(state.b, loc, 1);
    std::function<Value(OpBuilder &, size_t, ValueRange, Value)> level =
        [&](OpBuilder &inside, size_t axis, ValueRange at, Value status) -> Value {
        if (axis == stack.size()) {
            Values arguments{state.context};
            llvm::append_range(arguments, sizes);
            for (size_t k = 0; k < operands.size(); ++k)
                arguments.append({at[k], strides[2 * k], strides[2 * k + 1]});
            Value failed = func::CallOp::create(inside, loc, callee, arguments).getResult(0);
            return arith::OrIOp::create(inside, loc, status, failed);
        }
        auto loop = scf::ForOp::create(inside, loc, zero, counts[axis], one, status);
        OpBuilder body = OpBuilder::atBlockBegin(loop.getBody());
        Values next;
        for (size_t k = 0; k < operands.size(); ++k) {
            Value offset = arith::MulIOp::create(body, loc, loop.getInductionVar(),
                                                 steps[k * stack.size() + axis]);
            next.push_back(elementAddress(body, loc, at[k], offset, dtype, /*inbounds=*/false));
        }
        scf::YieldOp::create(body, loc, level(body, axis + 1, next, loop.getRegionIterArg(0)));
        return loop.getResult(0);
    };
    return level(state.b, 0, pointers, arith::ConstantIntOp::create(state.b, loc, 0, 32));
}

// sc_gemm_<type>(ctx, m, n, k, a, a_row, a_col, b, b_row, b_col, c, c_row, c_col)
void emitProduct(FunctionState &state, np::GemmOp op) {
    Location loc = op.getLoc();
    if (!state.checkedLoops.empty())
        noteProduct(state, op);
    MLIRContext *ctx = state.b.getContext();
    auto left = cast<np::ArrayType>(op.getLhs().getType()),
         right = cast<np::ArrayType>(op.getRhs().getType());
    DType dtype = dtypeOf(left);
    DimAttr one = np::dimConst(ctx, 1), zero = np::dimConst(ctx, 0);
    bool rows = left.getRank() >= 2, columns = right.getRank() >= 2;
    DimAttr m = rows ? left.getDims().drop_back().back() : one;
    DimAttr n = columns ? right.getDims().back() : one, k = left.getDims().back();
    Values sizes{state.dims.emit(state.b, loc, m), state.dims.emit(state.b, loc, n),
                 state.dims.emit(state.b, loc, k)};
    SmallVector<GemmOperand> operands{gemmOperand(state, op.getLhs(), rows, true),
                                      gemmOperand(state, op.getRhs(), true, columns)};
    Value cell;
    if (op.getOut()) {
        operands.push_back(gemmOperand(state, op.getOut(), rows, columns));
    } else {
        OpBuilder::InsertionGuard guard(state.b);
        state.b.setInsertionPointToStart(&state.function.getBody().front());
        Value two =
            arith::ConstantIntOp::create(state.b, loc, 2, 64); // a complex number has two parts
        cell = LLVM::AllocaOp::create(state.b, loc, state.context.getType(),
                                      storageType(ctx, dtype), two);
        operands.push_back({cell, zero, zero, {}});
    }
    auto callee = runtimeFunctionNamed(
        state.module, isBool(dtype) ? "sc_gemm_bool" : std::string("sc_gemm_") + dtypeChar(dtype));
    ArrayRef<DimAttr> stack = left.getDims().drop_back(left.getRank() >= 2 ? 2 : 1);
    Value status = gemmStack(state, loc, callee, stack, operands, sizes, dtype);
    failUnlessZero(state, status, loc);
    if (mayRunOften(state, op))
        charge(state, loc,
               state.dims.emit(state.b, loc,
                               np::dimAdd(np::dimMul(np::dimMul(m, n), k), np::dimConst(ctx, 64))));
    if (cell)
        state.scalars[op.getResult()] =
            loadElement(state.b, loc, cell, state.dims.constant(state.b, loc, 0), dtype);
}

} // namespace shapecast
