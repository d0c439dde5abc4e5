// What becomes of the caller's lists, dicts and objects that compiled code changed.
//
// Compiled code changes what np-specialise and np-infer made of them; when the call returns, what
// that holds goes back: all items of a list or dict, of an object the attributes that are another
// value now. After an error nothing goes back, and the error says so.
#pragma once

#include "bindings/results.h"

namespace shapecast::bindings {

std::vector<ChangedObject> planChanges(const Variant &variant);
// Takes the new contents, as the results' trees gave them. False with an exception set.
bool storeChanges(const std::vector<ChangedObject> &changes, const Call &call,
                  llvm::ArrayRef<Ref> contents);
void noteLost(const std::vector<ChangedObject> &changes); // a note at the exception that is set

} // namespace shapecast::bindings
