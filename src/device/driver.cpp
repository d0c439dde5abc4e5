#include "device/driver.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <unistd.h>

namespace shapecast::device {
namespace {

struct Opened {
    Driver functions;
    bool isOpen = false;
    pid_t process = 0;
    std::string error;
};

constexpr const char *defaultLibrary = "libcuda.so.1";

std::string libraryName() {
    const char *named = std::getenv("SHAPECAST_CUDA_DRIVER");
    return named && *named ? named : defaultLibrary;
}

void open(Opened &opened) {
    const std::string name = libraryName();
    void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        opened.error = "CUDA's driver could not be opened (" + std::string(reason ? reason : name) +
                       "): arrays on a device need an NVIDIA GPU and its driver";
        return;
    }
    const char *missing = nullptr;
#define SC_DRIVER_FIND(name, ...)                                                                  \
    opened.functions.name = reinterpret_cast<CUresult (*)(__VA_ARGS__)>(dlsym(library, #name));    \
    if (!opened.functions.name)                                                                    \
        missing = #name;
    SC_DRIVER_FUNCTIONS(SC_DRIVER_FIND)
#undef SC_DRIVER_FIND
    if (missing) {
        opened.error = "CUDA's driver " + name + " has no function " + missing +
                       ": it is older than CUDA 11.2; update the driver";
        return;
    }
    const CUresult started = opened.functions.cuInit(0);
    opened.isOpen = started == CUDA_SUCCESS;
    if (!opened.isOpen)
        opened.error = "CUDA's driver does not start (" + textOf(started) + ")";
}

Opened &opened() {
    static Opened *made = [] {
        auto *fresh = new Opened; // never destroyed: arrays may outlive static destructors
        fresh->process = getpid();
        return fresh;
    }();
    return *made;
}

} // namespace

const Driver *openDriver(std::string &error) {
    Opened &one = opened();
    static std::once_flag once;
    std::call_once(once, [&] { open(one); });
    if (one.isOpen && one.process != getpid()) {
        error =
            "CUDA's driver was used before this process was forked, and does not work in a "
            "forked process: start processes with multiprocessing's 'spawn', or use devices only "
            "in the children";
        return nullptr;
    }
    error = one.error;
    return one.isOpen ? &one.functions : nullptr;
}

const Driver &driver() { return opened().functions; }

std::string textOf(CUresult result) {
    const Driver &functions = driver();
    const char *name = nullptr, *text = nullptr;
    if (functions.cuGetErrorName)
        functions.cuGetErrorName(result, &name);
    if (functions.cuGetErrorString)
        functions.cuGetErrorString(result, &text);
    return std::string(name ? name : "CUDA error " + std::to_string(int(result))) +
           (text ? ": " + std::string(text) : "");
}

} // namespace shapecast::device
