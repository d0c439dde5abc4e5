#include "lower/function/arguments.h"

#include "ir/layout.h"
#include "lower/function/recheck_code.h"
#include "lower/kit/slots.h"
#include "runtime/abi.h"

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

void returnValues(FunctionState &state, np::ReturnOp op) {
    Location loc = op.getLoc();
    int64_t next = 0;
    const bool recursive = state.source.getRecursive();
    for (Value value : op.getValues()) {
        if (recursive) {
            Values parts;
            state.flatten(value, value.getType(), parts);
            for (Value part : parts)
                storeSlot(state, loc, state.results, next++, part);
            continue;
        }
        auto array = dyn_cast<np::ArrayType>(value.getType());
        if (!array) {
            Values parts;
            if (isRegister(value.getType()))
                appendParts(parts, state.scalars.lookup(value));
            bool narrow = isa<IntegerType>(value.getType()) && !parts[0].getType().isInteger(1) &&
                          !parts[0].getType().isInteger(64);
            if (narrow) // the slot holds the number extended to 64 bits
                parts[0] =
                    cast<IntegerType>(value.getType()).isUnsigned()
                        ? arith::ExtUIOp::create(state.b, loc, state.b.getI64Type(), parts[0])
                              .getResult()
                        : arith::ExtSIOp::create(state.b, loc, state.b.getI64Type(), parts[0])
                              .getResult();
            for (Value part : parts)
                storeSlot(state, loc, state.results, next++, part);
            continue;
        }
        const Handle &handle = state.handles.at(value);
        storeSlot(state, loc, state.results, next++, state.address(loc, handle, array));
        storeSlot(state, loc, state.results, next++, handle.owner);
        for (DimAttr dim : array.getDims())
            storeSlot(state, loc, state.results, next++, state.dims.emit(state.b, loc, dim));
        for (DimAttr stride : handle.strides)
            storeSlot(state, loc, state.results, next++, state.dims.emit(state.b, loc, stride));
    }
    func::ReturnOp::create(
        state.b, loc, ValueRange{arith::ConstantIntOp::create(state.b, loc, 0, 32).getResult()});
}

} // namespace shapecast
