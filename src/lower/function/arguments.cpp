#include "lower/function/arguments.h"

#include "ir/layout.h"
#include "lower/function/recheck_code.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/containers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

static Handle argumentHandle(FunctionState &state, BlockArgument argument, int64_t &next) {
    Location loc = argument.getLoc();
    auto array = cast<np::ArrayType>(argument.getType());
    int64_t rank = array.getRank();
    Handle handle;
    handle.pointer = loadSlot(state, loc, state.arguments, next,
                              LLVM::LLVMPointerType::get(state.b.getContext()));
    handle.owner = state.dims.constant(
        state.b, loc, int64_t(argument.getArgNumber()) << 2 | int64_t(runtime::ownerArgument));
    handle.offset = np::dimConst(state.b.getContext(), 0);
    SmallVector<DimAttr> dynamic;
    for (unsigned d = 0; d < dynamicStrides(array); ++d) {
        DimAttr known = np::knownStride(argument, d);
        auto read = [&] {
            return loadSlot(state, loc, state.arguments, next + 1 + rank + d, state.b.getI64Type());
        };
        dynamic.push_back(known ? known : state.dims.fresh(read(), "stride"));
    }
    handle.strides = np::stridesOf(array, dynamic);
    next += 1 + 2 * rank;
    return handle;
}

// A recursive function takes its arguments flattened as loop-carried values are (an array with its
// owner), each array followed by its sizes; its results are flattened in the same way.
static void bindRecursive(FunctionState &state) {
    int64_t next = 0;
    for (BlockArgument argument : state.source.getBody().getArguments()) {
        Location loc = argument.getLoc();
        SmallVector<Type> types = state.flatTypes(argument.getType());
        Values values = loadSlots(state, loc, state.arguments, next, types);
        next += int64_t(types.size());
        if (auto array = dyn_cast<np::ArrayType>(argument.getType()))
            for (DimAttr dim : array.getDims())
                state.dims.bind(
                    dim, loadSlot(state, loc, state.arguments, next++, state.b.getI64Type()));
        state.bindResults(argument, values);
    }
    if (state.recheck)
        state.extents =
            loadSlot(state, state.source.getLoc(), state.arguments, next, state.context.getType());
}

void bindArguments(FunctionState &state) {
    if (state.source.getRecursive())
        return bindRecursive(state);
    if (state.recheck)
        tabulateExtents(state);
    int64_t next = 0;
    llvm::DenseSet<DimAttr> bound;
    for (BlockArgument argument : state.source.getBody().getArguments()) {
        Location loc = argument.getLoc();
        if (auto array = dyn_cast<np::ArrayType>(argument.getType())) {
            for (auto [d, dim] : llvm::enumerate(array.getDims()))
                if (dim.isSymbol() && bound.insert(dim).second)
                    state.dims.bind(dim, loadSlot(state, loc, state.arguments, next + 1 + d,
                                                  state.b.getI64Type()));
            state.handles[argument] = argumentHandle(state, argument, next);
            continue;
        }
        Values parts;
        for (Type type : registerTypes(argument.getType()))
            parts.push_back(loadSlot(state, loc, state.arguments, next++, type));
        ValueRange range = parts;
        if (!parts.empty())
            state.scalars[argument] = takeParts(argument.getType(), range);
    }
}

static int64_t resultSlots(Value value) {
    if (auto array = dyn_cast<np::ArrayType>(value.getType()))
        return 2 + 2 * array.getRank();
    return isRegister(value.getType()) ? int64_t(registerTypes(value.getType()).size()) : 0;
}

// Stores to the slots of a result (runtime/abi.h) from `next` on.
static void storeResult(FunctionState &state, Location loc, Value value, Value base,
                        int64_t &next) {
    auto array = dyn_cast<np::ArrayType>(value.getType());
    if (!array) {
        Values parts;
        if (isRegister(value.getType()))
            appendParts(parts, state.scalars.lookup(value));
        bool narrow = isa<IntegerType>(value.getType()) && !parts[0].getType().isInteger(1) &&
                      !parts[0].getType().isInteger(64);
        if (narrow) // the slot holds the number extended to 64 bits
            parts[0] = cast<IntegerType>(value.getType()).isUnsigned()
                           ? arith::ExtUIOp::create(state.b, loc, state.b.getI64Type(), parts[0])
                                 .getResult()
                           : arith::ExtSIOp::create(state.b, loc, state.b.getI64Type(), parts[0])
                                 .getResult();
        for (Value part : parts)
            storeSlot(state, loc, base, next++, part);
        return;
    }
    const Handle &handle = state.handles.at(value);
    storeSlot(state, loc, base, next++, state.address(loc, handle, array));
    storeSlot(state, loc, base, next++, handle.owner);
    for (DimAttr dim : array.getDims())
        storeSlot(state, loc, base, next++, state.dims.emit(state.b, loc, dim));
    for (DimAttr stride : handle.strides)
        storeSlot(state, loc, base, next++, state.dims.emit(state.b, loc, stride));
}

void returnValues(FunctionState &state, np::ReturnOp op) {
    Location loc = op.getLoc();
    int64_t next = 0;
    const bool recursive = state.source.getRecursive();
    for (Value value : op.getValues()) {
        if (!recursive) {
            storeResult(state, loc, value, state.results, next);
            continue;
        }
        Values parts;
        state.flatten(value, value.getType(), parts);
        for (Value part : parts)
            storeSlot(state, loc, state.results, next++, part);
    }
    func::ReturnOp::create(
        state.b, loc, ValueRange{arith::ConstantIntOp::create(state.b, loc, 0, 32).getResult()});
}

// In the function's frame: until it fails, LLVM has them in registers.
static KeptSlots keptSlots(FunctionState &state, Location loc) {
    int64_t owners = 0, values = 0;
    state.source.walk([&](np::KeepChangesOp op) {
        int64_t arrays = 0, slots = 0;
        for (Value value : op.getValues()) {
            arrays += isa<np::ArrayType>(value.getType());
            slots += resultSlots(value);
        }
        owners = std::max(owners, arrays);
        values = std::max(values, slots);
    });
    KeptSlots kept{stackSlots(state, loc, 1 + values), {}, 1 + values, owners};
    if (owners)
        kept.owners = stackSlots(state, loc, owners);
    OpBuilder::InsertionGuard guard(state.b);
    state.b.setInsertionPointAfter(kept.values.getDefiningOp());
    Value none = arith::ConstantIntOp::create(state.b, loc, 0, 64);
    storeSlot(state, loc, kept.values, 0, none);
    for (int64_t k = 0; k < owners; ++k)
        storeSlot(state, loc, kept.owners, k, none);
    return kept;
}

void emitKeepChanges(FunctionState &state, np::KeepChangesOp op) {
    Location loc = op.getLoc();
    if (!state.changes)
        state.changes = keptSlots(state, state.source.getLoc());
    const KeptSlots &kept = *state.changes;
    storeSlot(state, loc, kept.values, 0, state.dims.constant(state.b, loc, op.getNumber() + 1));
    // They share in owning the arrays until the next ones replace them.
    int64_t owner = 0, next = 1;
    auto own = [&](Value token) {
        RuntimeFunction<&runtime::sc_replace>(state.module)
            .call(state.b, loc, state.context, slotAddress(state, loc, kept.owners, owner++),
                  token);
    };
    for (Value value : op.getValues())
        if (isa<np::ArrayType>(value.getType()))
            own(state.handles.at(value).owner);
    while (owner < kept.ownerCount)
        own(arith::ConstantIntOp::create(state.b, loc, 0, 64));
    for (Value value : op.getValues())
        storeResult(state, loc, value, kept.values, next);
}

void giveChanges(FunctionState &state) {
    if (!state.changes || state.failure->hasNoPredecessors())
        return;
    OpBuilder::InsertionGuard guard(state.b);
    state.b.setInsertionPointToStart(state.failure);
    Location loc = state.source.getLoc();
    Type pointer = state.context.getType(), word = state.b.getI64Type();
    Value slots = loadSlot(state, loc, state.context, runtime::contextChangesSlot, pointer);
    for (int64_t k = 0; k < state.changes->valueCount; ++k)
        storeSlot(state, loc, slots, k, loadSlot(state, loc, state.changes->values, k, word));
}

} // namespace shapecast
