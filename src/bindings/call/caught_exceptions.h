// Exceptions that compiled code catches. It knows them by numbers; the Python objects live until
// the call ends.
#pragma once

#include "capture/python.h"
#include "runtime/abi.h"

#include <cstdint>

namespace shapecast::bindings {

// For runtime::Catcher: catches the exception that is raised in this context. Returns its number
// times 256, plus which handler matches it, from 1 (0: none). `classes` are those of the handlers:
// "builtins.KeyError builtins.IndexError;builtins.ValueError" are two handlers.
int64_t catchError(runtime::Context *ctx, const char *classes, int64_t length);

// The exception object of a number, made where there is none yet, with where it was raised: a new
// reference, or null with an exception set.
PyObject *caughtError(int64_t number);
// Where the exception that is set is the object of one of these: adds where that was raised.
void addLocationOfCaught();

// At the end of a call that has caught some: drops the objects, whose tracebacks keep the variables
// of its callers alive. The interpreter lock is held; an exception that is set stays set.
void forgetCaught(runtime::Context *ctx);

} // namespace shapecast::bindings
