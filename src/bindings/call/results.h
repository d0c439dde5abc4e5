// Python objects from what compiled code returned: NumPy-owned arrays without a copy, scalars,
// nested tuples.
#pragma once

#include "bindings/call/arguments.h"
#include "bindings/call/result_plan.h"
#include "runtime/abi.h"
#include "variant.h"

namespace shapecast::bindings {

ResultPlan planResults(const Variant &variant); // the interpreter lock is held
// New reference, or null with an exception set. Buffers that the result owns leave ctx's list.
PyObject *wrapResults(const ResultPlan &plan, const Call &call, runtime::Context &ctx,
                      const int64_t *slots);
// The changes that compiled code kept before an exception ended it, which is not set now. False:
// another one is.
bool storeKept(const ResultPlan &plan, const Call &call, runtime::Context &ctx);
bool initResults(); // once, at import; false with an exception set

} // namespace shapecast::bindings
