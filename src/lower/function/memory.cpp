#include "lower/function/memory.h"

#include "ir/layout.h"
#include "lower/function/launches.h"
#include "lower/function/prange_check.h"
#include "lower/function/recheck_code.h"
#include "lower/kit/errors.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/abi.h"
#include "runtime/device_calls.h"
#include "runtime/memory.h"
#include "runtime/reshape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// An array that exists has less than 2^63 bytes, and so has one of the same dims.
static bool hasSizeOfArgument(FunctionState &state, np::ArrayType type) {
    return llvm::any_of(state.source.getArgumentTypes(), [&](Type given) {
        auto array = dyn_cast<np::ArrayType>(given);
        return array && array.getDims() == type.getDims() &&
               itemSize(dtypeOf(array)) >= itemSize(dtypeOf(type));
    });
}

// A new buffer: the memory itself, or, on a device, what holds it (runtime/device_calls.h).
static Value allocated(FunctionState &state, Location loc, Value bytes, bool onDevice) {
    Value buffer;
    if (onDevice) {
        buffer = RuntimeFunction<&runtime::sc_device_alloc>(state.module)
                     .call(state.b, loc, state.context, bytes);
    } else {
        RuntimeFunction<&runtime::sc_alloc> alloc(state.module);
        alloc.callee.setResultAttr(0, "llvm.noalias", state.b.getUnitAttr());
        buffer = alloc.call(state.b, loc, state.context, bytes);
    }
    Value null = LLVM::ZeroOp::create(state.b, loc, buffer.getType());
    failWhen(state, LLVM::ICmpOp::create(state.b, loc, LLVM::ICmpPredicate::eq, buffer, null), loc);
    return buffer;
}

Handle emitAlloc(FunctionState &state, Location loc, np::ArrayType type) {
    DType dtype = dtypeOf(type);
    SmallVector<DimAttr> factors{np::dimConst(state.b.getContext(), itemSize(dtype))};
    llvm::append_range(factors, type.getDims());
    Value overflows;
    Value size = state.dims.emitCheckedProduct(state.b, loc, factors, overflows);
    if (overflows && !hasSizeOfArgument(state, type))
        raiseWhen(state, overflows, loc, "ValueError",
                  "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                  "possible size.",
                  {}, {});
    Handle handle;
    Value buffer = allocated(state, loc, size, bool(type.getDevice()));
    handle.owner = LLVM::PtrToIntOp::create(state.b, loc, state.b.getI64Type(), buffer);
    handle.pointer = type.getDevice() ? loadSlot(state, loc, buffer, 0, buffer.getType()) : buffer;
    handle.offset = np::dimConst(state.b.getContext(), 0);
    handle.strides = np::stridesOf(type, {});
    assert(dynamicStrides(type) == 0 && "allocated arrays are C or F");
    return handle;
}

Handle emitReshape(FunctionState &state, np::ReshapeOp op) {
    Handle handle = reshapeOf(state.handles.at(op.getBase()), op);
    Value bit = arith::ConstantIntOp::create(state.b, op.getLoc(), runtime::ownerView, 64);
    handle.owner = arith::OrIOp::create(state.b, op.getLoc(), handle.owner, bit);
    return handle;
}

// sc_reshape decides whether it is a view or a copy: see runtime::Reshape for the slots.
Handle emitReshapeAny(FunctionState &state, np::ReshapeAnyOp op) {
    Location loc = op.getLoc();
    auto from = cast<np::ArrayType>(op.getBase().getType()), to = op.getType();
    const Handle &base = state.handles.at(op.getBase());
    const int64_t rank = from.getRank(), newRank = to.getRank();
    const bool flat = to.getLayout() == np::Layout::C;
    Values values{state.address(loc, base, from), base.owner};
    for (int64_t number : {int64_t(itemSize(dtypeOf(from))), rank, newRank, int64_t(flat)})
        values.push_back(state.dims.constant(state.b, loc, number));
    for (ArrayRef<DimAttr> list : {from.getDims(), ArrayRef<DimAttr>(base.strides), to.getDims()})
        for (DimAttr dim : list)
            values.push_back(state.dims.emit(state.b, loc, dim));
    const int64_t given = values.size();
    Value slots = stackSlots(state, loc, given + newRank);
    for (auto [k, value] : llvm::enumerate(values))
        storeSlot(state, loc, slots, k, value);
    const bool onDevice = np::deviceOf(from) && !state.accessesDirectly;
    Value status = onDevice ? RuntimeFunction<&runtime::sc_device_reshape>(state.module)
                                  .call(state.b, loc, state.context, slots)
                            : RuntimeFunction<&runtime::sc_reshape>(state.module)
                                  .call(state.b, loc, state.context, slots);
    failUnlessZero(state, status, loc);
    Handle handle{loadSlot(state, loc, slots, 0, state.context.getType()),
                  loadSlot(state, loc, slots, 1, state.b.getI64Type()),
                  np::dimConst(state.b.getContext(), 0),
                  {}};
    SmallVector<DimAttr> dynamic;
    for (unsigned d = 0; d < dynamicStrides(to); ++d)
        dynamic.push_back(state.dims.fresh(
            loadSlot(state, loc, slots, given + d, state.b.getI64Type()), "stride"));
    handle.strides = stridesOf(to, dynamic);
    return handle;
}

Handle emitReinterpret(FunctionState &state, np::ReinterpretOp op) {
    const Handle &base = state.handles.at(op.getBase());
    // A new pointer value even where the address is the same: elements are identified by pointer
    // and index, which counts items of one size.
    Value data = LLVM::GEPOp::create(
        state.b, op.getLoc(), state.context.getType(), state.b.getI8Type(),
        state.address(op.getLoc(), base, op.getBase().getType()), ArrayRef<LLVM::GEPArg>{0});
    return reinterpretOf(state.b, base, data, op);
}

// Only arguments and views of them are read-only; another buffer of such a type is the copy that
// np.reshape_any made.
Handle emitCheckWriteable(FunctionState &state, np::CheckWriteableOp op) {
    Location loc = op.getLoc();
    Handle handle = state.handles.at(op.getBase());
    Value bits = arith::ConstantIntOp::create(state.b, loc,
                                              runtime::ownerArgument | runtime::ownerLocked, 64);
    Value masked = arith::AndIOp::create(state.b, loc, handle.owner, bits);
    Value none = arith::ConstantIntOp::create(state.b, loc, 0, 64);
    raiseWhen(state, arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::ne, masked, none),
              loc, "ValueError", op.getMessage(), {});
    return handle;
}

// The device's address of an element, and a cell of the host's for it.
struct DeviceElement {
    Value address, cell, bytes;
};
static DeviceElement deviceElement(FunctionState &state, Location loc, Value base, DimAttr index) {
    const DType dtype = dtypeOf(base.getType());
    return {elementAddress(state.b, loc, state.handles.at(base).pointer,
                           state.dims.emit(state.b, loc, index), dtype, /*inbounds=*/false),
            stackSlots(state, loc, 2), // a complex number has two parts
            state.dims.constant(state.b, loc, int64_t(itemSize(dtype)))};
}

static Scalar loadFromDevice(FunctionState &state, np::LoadOp op, DimAttr index) {
    Location loc = op.getLoc();
    const DeviceElement element = deviceElement(state, loc, op.getBase(), index);
    noteOnDevice(state, loc, "the host waits for an element");
    Value status =
        RuntimeFunction<&runtime::sc_device_read>(state.module)
            .call(state.b, loc, state.context, element.cell, element.address, element.bytes);
    raiseOnDevice(state, status, loc);
    return loadElement(state.b, loc, element.cell, state.dims.constant(state.b, loc, 0),
                       dtypeOf(op.getBase().getType()));
}

static void storeToDevice(FunctionState &state, np::StoreOp op, DimAttr index, Scalar value) {
    Location loc = op.getLoc();
    const DeviceElement element = deviceElement(state, loc, op.getBase(), index);
    storeElement(state.b, loc, value, element.cell, state.dims.constant(state.b, loc, 0),
                 dtypeOf(op.getBase().getType()));
    Value status =
        RuntimeFunction<&runtime::sc_device_write>(state.module)
            .call(state.b, loc, state.context, element.address, element.cell, element.bytes);
    raiseOnDevice(state, status, loc);
}

void emitLoad(FunctionState &state, np::LoadOp op) {
    if (state.recheck)
        recheckElement(state, op.getLoc(), op.getBase(), np::dimVector(op.getIndices()));
    if (!state.checkedLoops.empty())
        noteElement(state, op.getLoc(), op.getBase(), np::dimVector(op.getIndices()), false);
    DimAttr index = linearIndex(state.handles.at(op.getBase()), np::dimVector(op.getIndices()));
    DType dtype = dtypeOf(op.getBase().getType());
    if (np::deviceOf(op.getBase().getType()) && !state.accessesDirectly) {
        state.scalars[op] = loadFromDevice(state, op, index);
        return;
    }
    state.scalars[op] = loadElement(state.b, op.getLoc(), state.handles.at(op.getBase()).pointer,
                                    state.dims.emit(state.b, op.getLoc(), index), dtype);
}

void emitStore(FunctionState &state, np::StoreOp op) {
    if (state.recheck)
        recheckElement(state, op.getLoc(), op.getBase(), np::dimVector(op.getIndices()));
    if (!state.checkedLoops.empty())
        noteElement(state, op.getLoc(), op.getBase(), np::dimVector(op.getIndices()), true);
    emitStoreOf(state, op, state.scalars.lookup(op.getValue()));
}

void emitStoreOf(FunctionState &state, np::StoreOp op, Scalar value) {
    DimAttr index = linearIndex(state.handles.at(op.getBase()), np::dimVector(op.getIndices()));
    DType have = dtypeOf(op.getValue().getType()), dtype = dtypeOf(op.getBase().getType());
    if (have != dtype)
        value = emitCast(state.b, op.getLoc(), value, have, dtype);
    if (np::deviceOf(op.getBase().getType()) && !state.accessesDirectly)
        return storeToDevice(state, op, index, value);
    storeElement(state.b, op.getLoc(), value, state.handles.at(op.getBase()).pointer,
                 state.dims.emit(state.b, op.getLoc(), index), dtype);
}

void emitRetain(FunctionState &state, np::RetainOp op) {
    RuntimeFunction<&runtime::sc_retain>(state.module)
        .call(state.b, op.getLoc(), state.handles.at(op.getBase()).owner);
}

void emitRelease(FunctionState &state, np::ReleaseOp op) {
    RuntimeFunction<&runtime::sc_release>(state.module)
        .call(state.b, op.getLoc(), state.context, state.handles.at(op.getBase()).owner);
}

} // namespace shapecast
