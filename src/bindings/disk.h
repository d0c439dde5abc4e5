// The process's cache of compiled code on disk.
#pragma once

#include "bindings/python.h"
#include "support/disk_cache.h"

#include <pybind11/pybind11.h>

namespace shapecast::bindings {

// Null where it is off, and where code is compiled to be looked at. The compile lock is held.
DiskCache *diskCache();
// Tells the user, once, what is wrong with the cache. False with an exception set: warnings are
// errors.
bool warnOfDiskCache();

void bindDiskCache(pybind11::module_ &module);

} // namespace shapecast::bindings
