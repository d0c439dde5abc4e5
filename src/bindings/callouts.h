// Calls of Python out of compiled code, and the probe that finds their types.
#pragma once

#include "runtime/abi.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace shapecast::bindings {

int32_t callOut(runtime::Context *ctx, const runtime::PrintItem *items, int64_t site,
                const char *expected, int64_t length, int64_t *results);
std::string probeCallOut(llvm::StringRef call);

} // namespace shapecast::bindings
