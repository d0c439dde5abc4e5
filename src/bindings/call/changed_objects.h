// Writes changes back to the caller's lists, dicts and objects.
//
// Compiled code works on copies that np-specialise and np-infer make of them. When the call
// returns, the changes are written back: all items of a list or dict, and those attributes of an
// object whose value has changed. After an error those are that np.keep_changes kept; where the
// code keeps none, a note at the error says so.
#pragma once

#include "bindings/call/result_plan.h"
#include "variant.h"

namespace shapecast::bindings {

std::vector<ChangedObject> planChanges(mlir::Attribute writes);
// `contents`: the new values, one for each change. False with an exception set.
bool storeChanges(const std::vector<ChangedObject> &changes, const Call &call,
                  llvm::ArrayRef<Ref> contents);
void noteLost(const std::vector<ChangedObject> &changes); // a note at the exception that is set

} // namespace shapecast::bindings
