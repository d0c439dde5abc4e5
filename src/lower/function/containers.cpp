#include "lower/function/containers.h"

#include "ir/in_memory.h"
#include "ir/layout.h"
#include "lower/kit/errors.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/containers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

static Value addressOf(FunctionState &state, Location loc, Value container) {
    return state.address(loc, state.handles.at(container),
                         cast<np::ArrayType>(container.getType()));
}

// The address of a word of an entry.
static Value wordAddress(FunctionState &state, Location loc, Value container, Value index,
                         int64_t word, int64_t words) {
    const Type pointer = state.context.getType(), i64 = state.b.getI64Type();
    Value entries = loadSlot(state, loc, addressOf(state, loc, container),
                             runtime::containerEntriesWord, pointer);
    Value at = state.scalars.lookup(index).re;
    if (words != 1)
        at = arith::MulIOp::create(state.b, loc, at, state.dims.constant(state.b, loc, words));
    if (word != 0)
        at = arith::AddIOp::create(state.b, loc, at, state.dims.constant(state.b, loc, word));
    return LLVM::GEPOp::create(state.b, loc, pointer, i64, entries, ArrayRef<LLVM::GEPArg>{at});
}

// The words of an array in an entry: its owner, its address, and the strides that its layout does
// not give.
static void loadArray(FunctionState &state, np::EntryOp op, Value address) {
    Location loc = op.getLoc();
    const auto type = cast<np::ArrayType>(op.getType());
    Handle handle{loadSlot(state, loc, address, 1, state.context.getType()),
                  loadSlot(state, loc, address, 0, state.b.getI64Type()),
                  np::dimConst(state.b.getContext(), 0),
                  {}};
    SmallVector<np::DimAttr> dynamic;
    for (unsigned d = 0; d < np::dynamicStrides(type); ++d)
        dynamic.push_back(
            state.dims.fresh(loadSlot(state, loc, address, 2 + d, state.b.getI64Type()), "stride"));
    handle.strides = np::stridesOf(type, dynamic);
    state.handles[op] = handle;
    if (!op->use_empty()) // else np-lifetime releases none
        RuntimeFunction<&runtime::sc_share>(state.module).call(state.b, loc, handle.owner);
}

static void storeArray(FunctionState &state, np::SetEntryOp op, Value address) {
    Location loc = op.getLoc();
    const auto type = cast<np::ArrayType>(op.getValue().getType());
    const Handle &handle = state.handles.at(op.getValue());
    RuntimeFunction<&runtime::sc_replace>(state.module)
        .call(state.b, loc, state.context, address, handle.owner);
    storeSlot(state, loc, address, 1, state.address(loc, handle, type));
    for (unsigned d = 0; d < np::dynamicStrides(type); ++d)
        storeSlot(state, loc, address, 2 + d, state.dims.emit(state.b, loc, handle.strides[d]));
}

// A container that is only used as one whose entry holds it is: nothing releases or moves it.
static bool isBorrowed(np::EntryOp op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
        auto store = dyn_cast<np::SetEntryOp>(user);
        return isa<np::EntryOp, np::ContainerLengthOp>(user) ||
               (store && store.getValue() != op.getResult());
    });
}

void emitEntry(FunctionState &state, np::EntryOp op) {
    Location loc = op.getLoc();
    Value address =
        wordAddress(state, loc, op.getContainer(), op.getIndex(), op.getWord(), op.getWords());
    auto container = dyn_cast<np::ArrayType>(op.getType());
    if (container && !np::isHeldByAddress(container))
        return loadArray(state, op, address);
    const Type type = container ? Type(state.b.getI64Type()) : registerTypes(op.getType())[0];
    Value word = LLVM::LoadOp::create(state.b, loc, type, address);
    if (!container) {
        state.scalars[op] = {word, Value()};
        return;
    }
    if (!isBorrowed(op)) // np-lifetime has a release or move of it
        RuntimeFunction<&runtime::sc_share>(state.module).call(state.b, loc, word);
    Value pointer = LLVM::IntToPtrOp::create(state.b, loc, state.context.getType(), word);
    state.handles[op] = {pointer, word, np::dimConst(state.b.getContext(), 0),
                         np::stridesOf(container, {})};
}

void emitSetEntry(FunctionState &state, np::SetEntryOp op) {
    Location loc = op.getLoc();
    Value address =
        wordAddress(state, loc, op.getContainer(), op.getIndex(), op.getWord(), op.getWords());
    auto array = dyn_cast<np::ArrayType>(op.getValue().getType());
    if (array && !np::isHeldByAddress(array))
        return storeArray(state, op, address);
    if (!array) {
        LLVM::StoreOp::create(state.b, loc, state.scalars.lookup(op.getValue()).re, address);
        return;
    }
    Value owner = state.handles.at(op.getValue()).owner;
    RuntimeFunction<&runtime::sc_replace>(state.module)
        .call(state.b, loc, state.context, address, owner);
}

void emitAppend(FunctionState &state, np::AppendOp op) {
    Location loc = op.getLoc();
    OpBuilder &b = state.b;
    const Type i64 = b.getI64Type();
    Value list = addressOf(state, loc, op.getContainer());
    Value length = loadSlot(state, loc, list, runtime::containerLengthWord, i64),
          capacity = loadSlot(state, loc, list, runtime::containerCapacityWord, i64);
    Block *full = state.newBlock({}, loc), *rest = state.newBlock({}, loc);
    Value isFull = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, length, capacity);
    cf::CondBranchOp::create(b, loc, isFull, full, rest, ValueRange(), ArrayRef<int32_t>{1, 2000});
    b.setInsertionPointToEnd(full);
    Value status =
        RuntimeFunction<&runtime::sc_lengthen>(state.module).call(b, loc, state.context, list);
    failUnlessZero(state, status, loc);
    cf::BranchOp::create(b, loc, rest);
    b.setInsertionPointToEnd(rest);
    Value longer = arith::AddIOp::create(b, loc, length, state.dims.constant(b, loc, 1));
    storeSlot(state, loc, list, runtime::containerLengthWord, longer);
    storeSlot(state, loc, list, runtime::containerUsedWord, longer);
    state.scalars[op] = {length, Value()};
}

bool emitKeyCall(FunctionState &state, np::NativeOp op) {
    const bool finds = op.getName() == "container_find",
               inserts = op.getName() == "container_insert";
    if ((!finds && !inserts) || op.getOperands_().size() != 2)
        return false;
    Location loc = op.getLoc();
    OpBuilder &b = state.b;
    Value container = addressOf(state, loc, op.getOperands_()[0]);
    Value given = op.getOperands_()[1];
    const bool isOwned = isa<np::ArrayType>(given.getType()); // a string, or an instance
    Value key = isOwned ? state.handles.at(given).owner : state.scalars.lookup(given).re;
    if (key.getType().isF64())
        key = arith::BitcastOp::create(b, loc, b.getI64Type(), key);
    Value entry =
        finds ? RuntimeFunction<&runtime::sc_find_word>(state.module).call(b, loc, container, key)
              : RuntimeFunction<&runtime::sc_insert_word>(state.module)
                    .call(b, loc, state.context, container, key);
    if (inserts) {
        Value zero = state.dims.constant(b, loc, 0);
        failWhen(state, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, entry, zero), loc);
    }
    state.scalars[op] = {entry, Value()};
    return true;
}

void emitContainerLength(FunctionState &state, np::ContainerLengthOp op) {
    Value base = addressOf(state, op.getLoc(), op.getContainer());
    state.scalars[op] = {
        loadSlot(state, op.getLoc(), base, runtime::containerLengthWord, state.b.getI64Type()),
        Value()};
}

} // namespace shapecast
