// The process's cache of compiled code on disk.
#pragma once

#include "bindings/python.h"
#include "support/disk_cache.h"

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

// Null where it is off, and where code is compiled to be looked at. The compile lock is held.
DiskCache *diskCache();
// Tells the user, once, what is wrong with the cache: by a warning, or on stderr where warnings are
// errors, since the call is none.
void warnOfDiskCache();

// How the variants of this process were made.
struct Made {
    uint64_t direct = 0;   // found without capture and inference
    uint64_t typed = 0;    // code found by the typed module
    uint64_t compiled = 0; // not found
};
Made &variantsMade();

void bindDiskCache(pybind11::module_ &module);

} // namespace shapecast::bindings
