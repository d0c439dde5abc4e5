// Exceptions that compiled code catches: objects of Python under numbers, until the call ends.
#pragma once

#include "bindings/python.h"
#include "runtime/abi.h"

#include <cstdint>

namespace shapecast::bindings {

// For runtime::Catcher: what is raised in this context is caught by it from here on. Gives its
// number times 256, plus which of the classes it is of (0: of none): "builtins.KeyError
// builtins.IndexError;builtins.ValueError" are two of them.
int64_t catchError(runtime::Context *ctx, const char *classes, int64_t length);

// The object of one that has none yet: a new reference, or null with an exception set.
PyObject *caughtError(int64_t number);

// At the end of the call: their tracebacks hold the variables of its callers. The interpreter lock
// is held; an exception that is set stays so. `ctx` has caught some.
void forgetCaught(runtime::Context *ctx);

} // namespace shapecast::bindings
