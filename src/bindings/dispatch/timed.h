// Calls within shapecast.profile() (python/shapecast/_profile.py): each jitted function has a
// second state for them, whose variants measure where their time goes (passes/loops/profile.h).
// Outside of it a call costs one load and a branch more.
#pragma once

#include "bindings/cache/variants.h"

#include <atomic>

namespace shapecast::bindings {

inline std::atomic<bool> profiling{false};
inline std::atomic<int64_t> profileNumber{0}; // times that it was turned on

// The second state of the function `jitted`, whose first is `plain`; it is made at the first call.
// Null with an exception set.
std::shared_ptr<JittedFunction> timedStateOf(PyObject *jitted, JittedFunction &plain);

// Turns it on or off. Off: forgets which functions were called.
void setProfiling(bool on);

// New references to the functions that were called since it was turned on.
std::vector<Ref> profiledFunctions();

} // namespace shapecast::bindings
