// The generators of np.random and of Python's random that compiled code draws from
// (runtime/random.h).
#pragma once

#include "capture/python.h"
#include "runtime/abi.h"

namespace shapecast::bindings {

// Acquires the lock of a bit generator for the call, and puts it first in ctx->generators. A call
// never waits for one lock while it holds another: before it waits, it releases the others.
bool openGenerator(runtime::Context *ctx, void *generator);
// Releases the locks, at the end of the call and before Python is called. Needs the interpreter
// lock.
void closeGenerators(runtime::Context *ctx);
// Whether NumPy's distributions are found.
bool hasDistributions();
// And whether those of RandomState can be drawn: its memory layout is known.
bool hasLegacyDistributions();
// Whether the state of Python's random has the layout of runtime/python_random.h.
bool hasPythonsRandom();

} // namespace shapecast::bindings
