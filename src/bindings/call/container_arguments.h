// Lists, dicts, sets and strings of the caller's that compiled code has in memory: copied where the
// call starts, and copied back after it where it changed them.
#pragma once

#include "bindings/call/arguments.h"
#include "runtime/abi.h"

namespace shapecast::bindings {

void setContainerReader(); // of the run time (runtime/containers.h)
// After a call, and after an error, too. False with an exception set.
bool writeBackContainers(const Call &call);
void forgetContainers(runtime::Context *ctx, const Call &call);

} // namespace shapecast::bindings
