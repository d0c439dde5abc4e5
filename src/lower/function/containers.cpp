#include "lower/function/containers.h"

#include "ir/layout.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "runtime/containers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

static Value addressOf(FunctionState &state, Location loc, Value container) {
    return state.address(loc, state.handles.at(container),
                         cast<np::ArrayType>(container.getType()));
}

// The address of a word of an entry.
static Value wordAddress(FunctionState &state, Location loc, Value container, Value index,
                         int64_t word) {
    const Type pointer = state.context.getType(), i64 = state.b.getI64Type();
    Value base = addressOf(state, loc, container);
    Value entries = loadSlot(state, loc, base, runtime::containerEntriesWord, pointer);
    Value words = loadSlot(state, loc, base, runtime::containerStrideWord, i64);
    Value at = arith::MulIOp::create(state.b, loc, state.scalars.lookup(index).re, words);
    at = arith::AddIOp::create(state.b, loc, at, state.dims.constant(state.b, loc, word));
    return LLVM::GEPOp::create(state.b, loc, pointer, i64, entries, ArrayRef<LLVM::GEPArg>{at});
}

void emitEntry(FunctionState &state, np::EntryOp op) {
    Location loc = op.getLoc();
    Value address = wordAddress(state, loc, op.getContainer(), op.getIndex(), op.getWord());
    auto container = dyn_cast<np::ArrayType>(op.getType());
    const Type type = container ? Type(state.b.getI64Type()) : registerTypes(op.getType())[0];
    Value word = LLVM::LoadOp::create(state.b, loc, type, address);
    if (!container) {
        state.scalars[op] = {word, Value()};
        return;
    }
    RuntimeFunction<&runtime::sc_share>(state.module).call(state.b, loc, word);
    Value pointer = LLVM::IntToPtrOp::create(state.b, loc, state.context.getType(), word);
    state.handles[op] = {pointer, word, np::dimConst(state.b.getContext(), 0),
                         np::stridesOf(container, {})};
}

void emitSetEntry(FunctionState &state, np::SetEntryOp op) {
    Location loc = op.getLoc();
    Value address = wordAddress(state, loc, op.getContainer(), op.getIndex(), op.getWord());
    if (!isa<np::ArrayType>(op.getValue().getType())) {
        LLVM::StoreOp::create(state.b, loc, state.scalars.lookup(op.getValue()).re, address);
        return;
    }
    Value owner = state.handles.at(op.getValue()).owner;
    RuntimeFunction<&runtime::sc_replace>(state.module)
        .call(state.b, loc, state.context, address, owner);
}

void emitContainerLength(FunctionState &state, np::ContainerLengthOp op) {
    Value base = addressOf(state, op.getLoc(), op.getContainer());
    state.scalars[op] = {
        loadSlot(state, op.getLoc(), base, runtime::containerLengthWord, state.b.getI64Type()),
        Value()};
}

} // namespace shapecast
