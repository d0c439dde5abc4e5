// np-kernels: handles of device arrays, one emission per nest, unsupported operations (see the
// header).
#include "lower/gpu/kernels.h"

#include "ir/layout.h"
#include "ir/symbols.h"
#include "lower/gpu/gpu_kernel.h"
#include "lower/gpu/gpu_math.h"
#include "lower/kit/handles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

class FunctionKernels {
public:
    FunctionKernels(ModuleOp kernels, np::FuncOp source)
        : kernels(kernels), source(source), builder(source.getContext()) {
        builder.setInsertionPointToStart(&source.getBody().front());
        // Handles have an owner; kernels own nothing. This constant is erased with the function.
        owner = arith::ConstantIntOp::create(builder, source.getLoc(), 0, 64);
    }

    LogicalResult run() {
        WalkResult result = source->walk<WalkOrder::PreOrder>([&](Operation *op) {
            if (failed(visit(op)))
                return WalkResult::interrupt();
            return isa<np::NestOp>(op) ? WalkResult::skip() : WalkResult::advance();
        });
        return failure(result.wasInterrupted());
    }

private:
    LogicalResult visit(Operation *op);
    LogicalResult nest(np::NestOp op);
    const Handle &handleOf(Value array);
    Handle makeHandle(Value array);
    std::string nameOf(Value value);

    ModuleOp kernels;
    np::FuncOp source;
    OpBuilder builder;
    Value owner;
    std::map<void *, Handle> handles;
    llvm::DenseMap<Value, std::string> names; // of arrays and scalars that are no parameters
    int count = 0;
};

InFlightDiagnostic unsupported(Operation *op, const Twine &what) {
    return op->emitError() << "shapecast.UnsupportedError: " << what
                           << " is not supported on devices yet; ";
}

//===-- Handles

// Parameters have their Python names.
std::string FunctionKernels::nameOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto parameters = source.getArgNamesAttr();
    if (argument && argument.getOwner() == &source.getBody().front() && parameters &&
        argument.getArgNumber() < parameters.size())
        return cast<StringAttr>(parameters[argument.getArgNumber()]).str();
    auto [found, isNew] = names.try_emplace(value);
    if (isNew)
        found->second = (isa<np::ArrayType>(value.getType()) ? "array" : "scalar") +
                        std::to_string(names.size() - 1);
    return found->second;
}

// What an array is a view of, or the start of its own memory.
Handle FunctionKernels::makeHandle(Value array) {
    Operation *op = array.getDefiningOp();
    OpBuilder at(builder);
    if (op)
        at.setInsertionPointAfter(op);
    if (auto view = dyn_cast_or_null<np::ViewOp>(op))
        return viewOf(at, handleOf(view.getBase()), view);
    if (auto windows = dyn_cast_or_null<np::WindowsOp>(op))
        return windowsOf(at, handleOf(windows.getBase()), windows);
    if (auto diagonal = dyn_cast_or_null<np::DiagonalOp>(op))
        return diagonalOf(at, handleOf(diagonal.getBase()), diagonal);
    if (auto part = dyn_cast_or_null<np::PartOp>(op))
        return partOf(at, handleOf(part.getBase()), part);
    if (auto reshape = dyn_cast_or_null<np::ReshapeOp>(op))
        return reshapeOf(handleOf(reshape.getBase()), reshape);
    if (isa_and_nonnull<np::CastOp, np::CheckWriteableOp>(op))
        return handleOf(op->getOperand(0));
    auto type = cast<np::ArrayType>(array.getType());
    SmallVector<DimAttr> strides;
    for (unsigned d = 0; d < dynamicStrides(type); ++d)
        strides.push_back(
            np::dimSymbol(builder.getContext(), nameOf(array) + "_stride" + std::to_string(d)));
    return {array, owner, np::dimConst(builder.getContext(), 0), np::stridesOf(type, strides)};
}

const Handle &FunctionKernels::handleOf(Value array) {
    void *key = array.getAsOpaquePointer();
    auto found = handles.find(key);
    if (found == handles.end()) {
        Handle made = makeHandle(array);
        found = handles.emplace(key, made).first;
    }
    return found->second;
}

//===-- Operations

// Host code that accesses elements of device arrays is not supported.
LogicalResult FunctionKernels::visit(Operation *op) {
    auto onDevice = [](Type type) { return bool(np::deviceOf(type)); };
    if (!llvm::any_of(op->getOperandTypes(), onDevice))
        return success();
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](np::NestOp o) { return nest(o); })
        .Case<np::LoadOp, np::StoreOp>([&](Operation *o) {
            return unsupported(o, "access to a single element")
                   << "work on slices: x[i:i + 1] instead of x[i]";
        })
        .Case([&](np::GemmOp o) {
            return unsupported(o, "a matrix product")
                   << "write a sum of products: (a * b).sum(axis)";
        })
        .Case([&](np::ReshapeAnyOp o) {
            return unsupported(
                       o, "a reshape whose strides decide at run time between a view and a copy")
                   << "pass a contiguous array, or copy it first";
        })
        .Case<np::ReinterpretOp, np::AsStridedOp>([&](Operation *o) {
            return unsupported(o, "a view with another dtype or strides of its own")
                   << "make it on the host and pass it";
        })
        .Case([&](np::NativeOp o) {
            return unsupported(o, "indexing with arrays, sorting and the like")
                   << "do it with the results on the host, or use np.where for masks";
        })
        .Case<np::PrintOp, np::RaiseOp, np::CallOp>([&](Operation *o) {
            return unsupported(o, "printing, raising or calling with an array")
                   << "do it with the results on the host";
        })
        .Default([](Operation *) { return success(); });
}

// Functions without a body are calls into the host's libraries.
LogicalResult checkCalls(func::FuncOp kernel) {
    WalkResult result = kernel->walk([&](func::CallOp call) {
        StringRef name = call.getCallee();
        if (hasDeviceMath(name))
            return WalkResult::advance();
        if (call.getNumResults() == 2)
            name.consume_front("sc_c"); // a complex one
        else
            name.consume_front("sc_");
        if (name == "expcos" || name == "expsin")
            name = "exp"; // its parts
        if (name == "rootsum")
            name = "sqrt";
        unsupported(call, "the math function '" + name + "'")
            << "compute it on the host, or from arithmetic, comparisons, sqrt, exp, log and "
               "rounding";
        return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
}

// Sizes and conversions that the host would compute for the nest move into it, where LLVM takes
// them out of the loops: what is left to pass are parameters and what the host must know anyway.
void sinkScalars(np::NestOp op) {
    Block &body = op.getBody().front();
    SmallVector<Operation *> work;
    for (Operation &inner : body)
        work.push_back(&inner);
    for (size_t k = 0; k < work.size(); ++k)
        for (OpOperand &operand : work[k]->getOpOperands()) {
            Operation *outside = operand.get().getDefiningOp();
            if (!isa_and_nonnull<np::CastOp, np::SizeOp>(outside) || outside->getBlock() == &body)
                continue;
            OpBuilder at(work[k]);
            Operation *inside = at.clone(*outside);
            operand.set(inside->getResult(0));
            work.push_back(inside);
        }
}

LogicalResult FunctionKernels::nest(np::NestOp op) {
    for (StringRef order : op.getOrder().value_or(ArrayAttr()).getAsValueRange<StringAttr>())
        if (order != "any")
            return unsupported(op, "a store into an array that overlaps itself")
                   << "store into a copy";
    sinkScalars(op);
    NestPlan plan = planNest(op, [&](Value array) -> const Handle & { return handleOf(array); });
    std::string name = (shownSymbol(source.getSymName()) + "_kernel" + Twine(count++)).str();
    emitKernels(kernels, name, plan, [&](Value value) { return nameOf(value); });
    for (const char *suffix : {"", "_total"})
        if (auto kernel = kernels.lookupSymbol<func::FuncOp>(name + suffix))
            if (failed(checkCalls(kernel)))
                return failure();
    return success();
}

} // namespace

LogicalResult lowerToKernels(ModuleOp module) {
    for (auto function : llvm::make_early_inc_range(module.getOps<np::FuncOp>())) {
        // What has been inlined everywhere is not compiled.
        if (!function.isPrivate() && failed(FunctionKernels(module, function).run()))
            return failure();
        function.erase();
    }
    defineDeviceMath(module);
    return success();
}

} // namespace shapecast
