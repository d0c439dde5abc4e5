#include "bindings/disk.h"
#include "capture/interrupts.h"

#include <cstdlib>

namespace py = pybind11;

namespace shapecast::bindings {

static DiskCache &opened() {
    static auto *cache = new DiskCache(cacheDirectory(), cacheLimit());
    return *cache;
}

Made &variantsMade() {
    static Made made;
    return made;
}

DiskCache *diskCache() {
    // Both want to see what the compiler does.
    if (std::getenv("SHAPECAST_DUMP") || std::getenv("SHAPECAST_LLVM_PASSES"))
        return nullptr;
    return opened().isOn() ? &opened() : nullptr;
}

void warnOfDiskCache() {
    const std::string problem = opened().takeProblem();
    if (problem.empty() || PyErr_WarnEx(PyExc_RuntimeWarning, problem.c_str(), 1) == 0)
        return;
    capture::forgetError();
    PySys_WriteStderr("%.900s\n", problem.c_str());
}

void bindDiskCache(py::module_ &module) {
    module.def("cache_directory", &cacheDirectory,
               "Where compiled code is kept; empty where it is not.");
    module.def("cache_limit", &cacheLimit, "How many bytes it may have.");
    module.def(
        "cache_statistics",
        [] {
            const DiskCache::Statistics &counted = opened().statistics();
            py::dict all;
            all["direct"] = variantsMade().direct;
            all["typed"] = variantsMade().typed;
            all["compiled"] = variantsMade().compiled;
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
