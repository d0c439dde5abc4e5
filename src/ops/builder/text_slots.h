// The Slot of strings in memory (heap_text.h).
#pragma once

#include "ops/builder/slot.h"

namespace shapecast {

inline bool isHeapText(const Val &v) { return v.kind == Val::Kind::Text; }
Val textOfHandle(Val handle);
Slot textSlot(TypedBuilder &e);
bool isTextSlot(const Slot &slot); // of a constant, of a thunk, in memory, or one of these

} // namespace shapecast
