#include "lower/function/library_kernels.h"

#include "kernels/indexing.h"
#include "lower/function/launches.h"
#include "lower/kit/errors.h"
#include "lower/kit/native_call.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/device_calls.h"
#include "runtime/device_kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

// A function without a body, whose only parameter is the struct of its subject.
static func::FuncOp declareKernel(FunctionState &state, StringRef name) {
    ModuleOp kernels = kernelsOf(state.module);
    if (auto known = kernels.lookupSymbol<func::FuncOp>(name))
        return known;
    MLIRContext *ctx = state.b.getContext();
    OpBuilder end = OpBuilder::atBlockEnd(kernels.getBody());
    auto kernel = func::FuncOp::create(end, kernels.getLoc(), name,
                                       end.getFunctionType(state.context.getType(), {}));
    kernel.setPrivate();
    np::NpDialect::ParametersAttrHelper(ctx).setAttr(
        kernel, end.getArrayAttr(end.getStringAttr("parameters")));
    const np::DimAttr one = np::dimConst(ctx, 1); // the run time computes how many there are
    np::NpDialect::LaunchAttrHelper(ctx).setAttr(
        kernel, np::LaunchAttr::get(
                    ctx, np::dimArray(ctx, {np::dimConst(ctx, kernels::blockThreads), one}),
                    np::dimArray(ctx, {one, one}),
                    end.getStringAttr("blocks of " + Twine(kernels::blockThreads) + " threads")));
    return kernel;
}

Value libraryKernels(FunctionState &state, Location loc, ArrayRef<std::string> names) {
    Values numbers;
    for (const std::string &name : names)
        numbers.push_back(state.dims.constant(
            state.b, loc, name.empty() ? -1 : kernelNumber(state, declareKernel(state, name))));
    return storedSlots(state, loc, numbers);
}

// Of products: integers by their size, since signed and unsigned ones wrap alike.
static std::string productSuffix(DType dtype) {
    if (isBool(dtype))
        return "bool";
    return isInteger(dtype) ? std::to_string(itemSize(dtype)) : std::string(1, dtypeChar(dtype));
}

bool emitDeviceProduct(FunctionState &state, np::GemmOp op) {
    if (state.accessesDirectly || !isOnDevice(op))
        return false;
    Location loc = op.getLoc();
    auto left = cast<np::ArrayType>(op.getLhs().getType()),
         right = cast<np::ArrayType>(op.getRhs().getType());
    const DType dtype = dtypeOf(left);
    const std::string suffix = productSuffix(dtype);
    const bool isVector = left.getRank() == 1 || right.getRank() == 1 ||
                          left.getDims().drop_back().back().isConst(1) ||
                          right.getDims().back().isConst(1);
    // In the order of runtime::ProductKernel.
    std::string names[5];
    if (isVector) {
        names[runtime::RowProducts] = "sc_row_products_" + suffix;
        names[runtime::ColumnProducts] = "sc_column_products_" + suffix;
    } else {
        names[runtime::TileProducts] = "sc_product_" + suffix;
        if (dtype == DType::F32)
            names[runtime::LargeTileProducts] = "sc_product_large_f";
    }
    names[runtime::SumOfParts] = "sc_product_sum_" + suffix;
    Values values{state.dims.constant(state.b, loc, left.getRank() > 1),
                  state.dims.constant(state.b, loc, right.getRank() > 1)};
    nativeArray(state, loc, op.getLhs(), values);
    nativeArray(state, loc, op.getRhs(), values);
    Value cell;
    if (op.getOut()) {
        cell = LLVM::ZeroOp::create(state.b, loc, state.context.getType());
        nativeArray(state, loc, op.getOut(), values);
    } else {
        cell = stackSlots(state, loc, 2); // a complex number has two parts
        noteOnDevice(state, loc, "the host waits for a number");
    }
    Value slots = storedSlots(state, loc, values);
    Value status =
        RuntimeFunction<&runtime::sc_device_product>(state.module)
            .call(state.b, loc, state.context, slots, libraryKernels(state, loc, names), cell);
    raiseOnDevice(state, status, loc);
    if (!op.getOut())
        state.scalars[op.getResult()] =
            loadElement(state.b, loc, cell, state.dims.constant(state.b, loc, 0), dtype);
    return true;
}

//===-- np.native

namespace {

// Kernels of an operation, in the order that its function of the run time (sc_device_<name>) takes;
// none: the operation is the host's. `wait` is what f.explain() says.
struct Native {
    llvm::SmallVector<std::string> kernels;
    StringRef wait = "";
};

DType dtypeOfOperand(np::NativeOp op, unsigned k) {
    return dtypeOf(cast<np::ArrayType>(op.getOperands_()[k].getType()));
}

int64_t rankOfOperand(np::NativeOp op, unsigned k) {
    return cast<np::ArrayType>(op.getOperands_()[k].getType()).getRank();
}

// (to, from, mask), of which `base` is what the mask selects from.
Native maskNative(np::NativeOp op, StringRef direction, unsigned base) {
    const std::string size = std::to_string(itemSize(dtypeOfOperand(op, base)));
    const bool movesRows = rankOfOperand(op, 2) < rankOfOperand(op, base);
    if (movesRows)
        return {{"sc_mask_count", "sc_mask_sums", "", "sc_mask_offsets",
                 ("sc_index_" + direction + "_" + size).str()}};
    return {{"sc_mask_count", "sc_mask_sums", ("sc_mask_" + direction + "_" + size).str()}};
}

// (to, from, how many index arrays, of each the number of its axis and itself)
Native indexNative(np::NativeOp op, StringRef direction) {
    if (op.getOperands_().size() > 3 + 2 * kernels::mostIndices)
        return {};
    const std::string size = std::to_string(itemSize(dtypeOfOperand(op, 0)));
    Native native{{("sc_index_" + direction + "_" + size).str(), "sc_index_check"},
                  "the host waits for the verdict of an index array"};
    if (direction == "scatter")
        native.kernels.append({"sc_index_clear", "sc_index_winners"});
    return native;
}

// Of what compares: the order of bools is that of bytes.
std::string orderSuffix(DType dtype) {
    return std::string(1, isBool(dtype) ? 'B' : dtypeChar(dtype));
}

// Of arithmetic: integers by their size, but where it compares.
std::string operationSuffix(StringRef operation, DType dtype) {
    if (operation == "maximum" || operation == "minimum")
        return orderSuffix(dtype);
    return isBool(dtype) || isInteger(dtype) ? std::to_string(itemSize(dtype))
                                             : std::string(1, dtypeChar(dtype));
}

// (to, from)
Native scanNative(np::NativeOp op, StringRef operation) {
    const std::string suffix = operationSuffix(operation, dtypeOfOperand(op, 0));
    return {{("sc_scan_tiles_" + operation + "_" + suffix).str(),
             ("sc_scan_lines_" + operation + "_" + suffix).str()}};
}

// (a, places, order, b)
Native atNative(np::NativeOp op, StringRef operation) {
    const DType dtype = dtypeOfOperand(op, 0), other = dtypeOfOperand(op, 3);
    std::string suffix = operationSuffix(operation, dtype);
    if (other != dtype)
        suffix += dtypeChar(other);
    return {{("sc_at_" + operation + "_" + suffix).str()}};
}

Native nativeOf(np::NativeOp op) {
    StringRef name = op.getName();
    if (name.consume_front("device_scan_"))
        return scanNative(op, name);
    if (name.consume_front("device_at_"))
        return atNative(op, name);
    if (name == "device_sum_at")
        return {{"sc_at_sum_" + std::to_string(itemSize(dtypeOfOperand(op, 0)))}};
    if (name == "device_count_bins")
        return {{"sc_bins_count"}};
    if (name == "device_count_numbers")
        return {{"sc_bins_uniform_" + orderSuffix(dtypeOfOperand(op, 1))}};
    if (name == "uniform_bins")
        return {{"sc_bins_find_" + orderSuffix(dtypeOfOperand(op, 1))}};
    if (name == "count")
        return {{"sc_mask_count", "sc_mask_sums"}, "the host waits for a number"};
    if (name == "nonzero")
        return {{"sc_mask_count", "sc_mask_sums", "sc_mask_indices"}};
    if (name == "gather_mask")
        return maskNative(op, "gather", 1);
    if (name == "scatter_mask")
        return maskNative(op, "scatter", 0);
    if (name == "gather" || name == "scatter")
        return indexNative(op, name);
    if (name == "searchsorted")
        return {{"sc_search_" + orderSuffix(dtypeOfOperand(op, 1))}};
    if (name == "sort" || name == "argsort") { // (a) or (indices, a)
        const std::string suffix = orderSuffix(dtypeOfOperand(op, name == "sort" ? 0 : 1));
        return {
            {("sc_" + name + "_tiles_").str() + suffix, ("sc_" + name + "_merge_").str() + suffix}};
    }
    return {};
}

} // namespace

bool emitDeviceNative(FunctionState &state, np::NativeOp op) {
    if (state.accessesDirectly || !isOnDevice(op))
        return false;
    for (Value operand : op.getOperands_())
        if (isa<np::ArrayType>(operand.getType()) && !np::deviceOf(operand.getType()))
            return false;
    const Native native = nativeOf(op);
    if (native.kernels.empty())
        return false;
    if (!native.wait.empty())
        noteOnDevice(state, op.getLoc(), native.wait);
    const bool isOfDevicesOnly = op.getName().starts_with("device_");
    callNative(state, op, ((isOfDevicesOnly ? "sc_" : "sc_device_") + op.getName()).str(),
               libraryKernels(state, op.getLoc(), native.kernels));
    return true;
}

} // namespace shapecast
