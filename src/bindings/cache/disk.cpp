#include "bindings/cache/disk.h"
#include "capture/interrupts.h"

#include <atomic>
#include <cstdlib>

namespace py = pybind11;

namespace shapecast::bindings {

static DiskCache &processCache() {
    static auto *cache = new DiskCache(cacheDirectory(), cacheLimit());
    return *cache;
}

VariantCounts &variantCounts() {
    static VariantCounts counts;
    return counts;
}

static std::atomic<bool> isTurnedOff{false};

DiskCache *diskCache() {
    if (isTurnedOff.load(std::memory_order_relaxed))
        return nullptr;
    // Both show stages of the compiler, which code from disk does not go through.
    if (std::getenv("SHAPECAST_DUMP") || std::getenv("SHAPECAST_LLVM_PASSES"))
        return nullptr;
    return processCache().isOn() ? &processCache() : nullptr;
}

void warnOfDiskCache() {
    const std::string problem = processCache().takeProblem();
    if (problem.empty() || PyErr_WarnEx(PyExc_RuntimeWarning, problem.c_str(), 1) == 0)
        return;
    capture::forgetError();
    PySys_WriteStderr("%.900s\n", problem.c_str());
}

void bindDiskCache(py::module_ &module) {
    module.def("cache_directory", &cacheDirectory,
               "The directory of the cache of compiled code; empty where the cache is off.");
    module.def("_turn_disk_cache_off", [] { isTurnedOff = true; }); // for the rest of the process
    module.def("cache_limit", &cacheLimit, "The cache's limit in bytes.");
    module.def(
        "cache_statistics",
        [] {
            const DiskCache::Statistics &counted = processCache().statistics();
            py::dict all;
            all["direct"] = variantCounts().direct;
            all["typed"] = variantCounts().typed;
            all["compiled"] = variantCounts().compiled;
            all["hits"] = counted.hits;
            all["misses"] = counted.misses;
            all["stores"] = counted.stores;
            all["damaged"] = counted.damaged;
            return all;
        },
        "Variants of this process: found on disk without capture and inference, code found by the "
        "typed module, compiled; and entries found, not found, stored, damaged.");
}

} // namespace shapecast::bindings
