// Calls of Python from compiled code.
#pragma once

#include "capture/python.h"
#include "runtime/abi.h"
#include "runtime/callbacks.h"

namespace shapecast::bindings {

int32_t callOut(runtime::Context *ctx, const runtime::PrintItem *items, int64_t site,
                const char *expected, int64_t length, int64_t *results);
} // namespace shapecast::bindings
