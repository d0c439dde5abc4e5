// The generators of np.random that compiled code draws from (runtime/random.h).
#pragma once

#include "bindings/python.h"
#include "runtime/abi.h"

namespace shapecast::bindings {

// Takes the lock of a generator's bits for the call, and puts it first in ctx->drawn. A call never
// waits for one lock while it holds another: where it must wait, it gives back the others first.
bool openGenerator(runtime::Context *ctx, void *generator);
// Gives the locks back, at the end of the call and before Python is called. Needs Python's lock.
void closeGenerators(runtime::Context *ctx);
// Whether NumPy's distributions are found.
bool hasDistributions();
// And whether those of RandomState can be drawn: its memory is as we know it.
bool hasLegacyDistributions();
// Whether the numbers of Python's random lie where runtime/python_random.h has them.
bool hasPythonsRandom();

} // namespace shapecast::bindings
