// The process's cache of compiled code on disk.
#pragma once

#include "capture/python.h"
#include "support/disk_cache.h"

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

// Null where it is off, and where the compiler's stages are dumped. The compile lock is held.
DiskCache *diskCache();
// Reports a problem of the cache once: by a warning, or on stderr where warnings are errors, since
// the call itself succeeds.
void warnOfDiskCache();

// How many variants of this process came from where.
struct VariantCounts {
    uint64_t direct = 0;   // found on disk without capture and inference
    uint64_t typed = 0;    // code found on disk by the typed module
    uint64_t compiled = 0; // not found
};
VariantCounts &variantCounts();

void bindDiskCache(pybind11::module_ &module);

} // namespace shapecast::bindings
