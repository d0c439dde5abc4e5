#include "lower/function/host_copies.h"

#include "lower/function/launches.h"
#include "lower/kit/errors.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "passes/analysis/points_to.h"
#include "runtime/device_calls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace shapecast {

static bool isWritten(Operation *op, Value array) {
    if (isa<np::ForOp, np::WhileOp>(op)) // a loop of single elements
        return op
            ->walk([&](np::StoreOp store) {
                Value base = store.getBase();
                while (base != array && base.getDefiningOp() && borrowedFrom(base.getDefiningOp()))
                    base = borrowedFrom(base.getDefiningOp());
                return base == array ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (auto native = dyn_cast<np::NativeOp>(op))
        return llvm::is_contained(native.getOperands_().take_front(native.getWritten()), array);
    if (auto nest = dyn_cast<np::NestOp>(op))
        return llvm::is_contained(nest.getWrites(), array);
    auto product = dyn_cast<np::GemmOp>(op);
    return product && product.getOut() == array;
}

// The arrays as sc_device_borrow() takes them, and at which slot each begins.
static Values borrowed(FunctionState &state, Operation *op, ArrayRef<Value> arrays,
                       SmallVectorImpl<int64_t> &starts) {
    Location loc = op->getLoc();
    Values values;
    for (Value array : arrays) {
        auto type = cast<np::ArrayType>(array.getType());
        const Handle &handle = state.handles.at(array);
        starts.push_back(int64_t(values.size()));
        values.push_back(state.address(loc, handle, type));
        for (int64_t number :
             {int64_t(isWritten(op, array)), int64_t(itemSize(dtypeOf(type))), type.getRank()})
            values.push_back(state.dims.constant(state.b, loc, number));
        for (ArrayRef<np::DimAttr> list : {type.getDims(), ArrayRef<np::DimAttr>(handle.strides)})
            for (np::DimAttr dim : list)
                values.push_back(state.dims.emit(state.b, loc, dim));
    }
    return values;
}

// Runtime functions that know of devices, or look only at sizes, strides and addresses.
static bool takesDeviceArrays(Operation *op) {
    auto native = dyn_cast<np::NativeOp>(op);
    return native &&
           llvm::is_contained({"overlap", "copy_to_device", "copy_to_host", "stride", "contiguous",
                               "strided_fits", "view_fits", "reshape_fits", "share_memory"},
                              native.getName());
}

// Those that the operation, or operations in it, have from outside.
static SmallVector<Value> deviceArraysOf(Operation *op) {
    SmallVector<Value> arrays;
    op->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
            Operation *around = operand.getParentBlock()->getParentOp();
            if (np::deviceOf(operand.getType()) && !op->isAncestor(around) &&
                !llvm::is_contained(arrays, operand))
                arrays.push_back(operand);
        }
    });
    return arrays;
}

static std::string shownName(Operation *op) {
    if (auto native = dyn_cast<np::NativeOp>(op))
        return native.getName().str();
    if (isa<np::GemmOp>(op))
        return "a matrix product";
    if (isa<np::PrintOp, np::RaiseOp>(op))
        return isa<np::PrintOp>(op) ? "print" : "raise";
    return isa<np::NestOp>(op) ? "an expression" : "a loop over elements";
}

DeviceOperands::DeviceOperands(FunctionState &state, Operation *op) : arrays(deviceArraysOf(op)) {
    if (!arrays.empty())
        slots = storedSlots(state, op->getLoc(), borrowed(state, op, arrays, starts));
}

void onHostCopies(FunctionState &state, Operation *op, llvm::function_ref<void()> emit,
                  StringRef when) {
    if (state.accessesDirectly || takesDeviceArrays(op))
        return emit();
    const DeviceOperands given(state, op);
    if (!given.slots)
        return emit();
    Location loc = op->getLoc();
    noteOnDevice(state, loc, shownName(op) + ": " + when.str());
    Type pointer = state.context.getType();
    Value copies = RuntimeFunction<&runtime::sc_device_borrow>(state.module)
                       .call(state.b, loc, state.context, given.slots,
                             state.dims.constant(state.b, loc, int64_t(given.arrays.size())));
    raiseOnDevice(state, isNull(state, loc, copies), loc);
    SmallVector<Handle> own;
    for (auto [array, start] : llvm::zip_equal(given.arrays, given.starts)) {
        Handle &handle = state.handles.at(array);
        own.push_back(handle);
        handle.pointer = loadSlot(state, loc, given.slots, start, pointer);
        handle.offset = np::dimConst(state.b.getContext(), 0);
    }
    {
        llvm::SaveAndRestore direct(state.accessesDirectly, true);
        emit();
    }
    for (auto [array, handle] : llvm::zip_equal(given.arrays, own))
        state.handles.at(array) = handle;
    raiseOnDevice(state,
                  RuntimeFunction<&runtime::sc_device_unborrow>(state.module)
                      .call(state.b, loc, state.context, copies),
                  loc);
}

} // namespace shapecast
