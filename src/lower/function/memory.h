// Arrays in memory: allocation, views that need code, single elements, owners.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

Handle emitAlloc(FunctionState &state, mlir::Location loc, np::ArrayType type);
Handle emitReshape(FunctionState &state, np::ReshapeOp op);
Handle emitReshapeAny(FunctionState &state, np::ReshapeAnyOp op);
Handle emitReinterpret(FunctionState &state, np::ReinterpretOp op);
Handle emitCheckWriteable(FunctionState &state, np::CheckWriteableOp op);

void emitLoad(FunctionState &state, np::LoadOp op);
void emitStore(FunctionState &state, np::StoreOp op);
// Of this value instead of the operation's own, without checks.
void emitStoreOf(FunctionState &state, np::StoreOp op, Scalar value);

void emitRetain(FunctionState &state, np::RetainOp op);
void emitRelease(FunctionState &state, np::ReleaseOp op);

} // namespace shapecast
