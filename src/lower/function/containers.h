// Lists, dicts and sets in memory (runtime/containers.h): what needs no call of the run time.
#pragma once

#include "lower/kit/function_state.h"

namespace shapecast {

void emitEntry(FunctionState &state, np::EntryOp op);
void emitSetEntry(FunctionState &state, np::SetEntryOp op);
void emitAppend(FunctionState &state, np::AppendOp op);
// A lookup or insertion of a key of one word, without slots; false: the operation is none.
bool emitKeyCall(FunctionState &state, np::NativeOp op);
void emitContainerLength(FunctionState &state, np::ContainerLengthOp op);

} // namespace shapecast
