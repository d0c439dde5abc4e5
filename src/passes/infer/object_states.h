// Attributes of objects, classes and modules from outside that the function assigns, and the lists
// and dicts in such objects (capture/object_state.h): dicts and lists that the entry makes of its
// hidden arguments. Attributes that a recursive function or the body of a `try` uses are in memory,
// each the item of a list of its own, which all such functions have as parameters.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// Of the entry, whose hidden arguments are bound.
void bindStates(Inference &in);
// Of a function that is called, from its parameters (Inference::attributesInMemory).
void bindStatesInMemory(Inference &in);
// A hidden argument, or an object's state.
void visitGlobal(Inference &in, np::GlobalOp op);
// Stores an attribute that is in memory; false: another store.
bool storeInMemory(Inference &in, np::SetItemOp op);

} // namespace shapecast
