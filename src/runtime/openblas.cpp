// Finds OpenBLAS in the process.
#include "runtime/openblas.h"
#include "runtime/abi.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <mutex>
#include <string>

namespace shapecast::runtime {
namespace {

struct Library {
    void *handle = nullptr;
    const char *prefix = "";
    void *find(const char *name) const {
        return dlsym(handle, (std::string(prefix) + name + "64_").c_str());
    }
};

std::string &fallbackLibrary() {
    static std::string path;
    return path;
}

// Two names of 64-bit builds: scipy_cblas_dgemm64_ (the wheels of NumPy and SciPy), cblas_dgemm64_
// (distributions).
bool open(Library &library, const char *path, int flags) {
    library.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
    if (!library.handle)
        return false;
    for (const char *prefix : {"scipy_", ""}) {
        library.prefix = prefix;
        if (library.find("cblas_dgemm") && library.find("dgesv_"))
            return true;
    }
    library.handle = nullptr;
    return false;
}

Library findLibrary() {
    Library library;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *data) {
            const bool candidate =
                info->dlpi_name && (std::strstr(info->dlpi_name, "openblas64") ||
                                    std::strstr(info->dlpi_name, "openblas-ilp64"));
            return candidate && open(*static_cast<Library *>(data), info->dlpi_name, RTLD_NOLOAD)
                       ? 1
                       : 0;
        },
        &library);
    if (!library.handle && !fallbackLibrary().empty())
        open(library, fallbackLibrary().c_str(), 0);
    return library;
}

} // namespace

void *openblas(const char *name) {
    static Library found;
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    if (!found.handle)
        found = findLibrary();
    return found.handle ? found.find(name) : nullptr;
}

void setBlasLibrary(const char *path) { fallbackLibrary() = path; }

bool needsBlas() { return !openblas("cblas_dgemm"); }

} // namespace shapecast::runtime
