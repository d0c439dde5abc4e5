#include "device/module.h"

#include "device/limits.h"
#include "device/nvtx.h"

#include <algorithm>

namespace shapecast::device {
namespace {

constexpr size_t logBytes = 4096;

// Of text, or of machine code.
CUresult loadImage(const std::string &image, CUmodule &module, std::string &log) {
    log.assign(logBytes, '\0');
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log.data(), reinterpret_cast<void *>(logBytes)};
    const CUresult result = driver().cuModuleLoadDataEx(&module, image.c_str(), 2, options, values);
    log.resize(std::char_traits<char>::length(log.c_str()));
    return result;
}

// The machine code for the current device; none where the driver does not make it.
std::optional<std::string> linked(const std::string &ptx) {
    CUlinkState state = nullptr;
    if (driver().cuLinkCreate_v2(0, nullptr, nullptr, &state) != CUDA_SUCCESS)
        return std::nullopt;
    void *image = nullptr;
    size_t bytes = 0;
    CUresult result =
        driver().cuLinkAddData_v2(state, CU_JIT_INPUT_PTX, const_cast<char *>(ptx.c_str()),
                                  ptx.size() + 1, "kernels", 0, nullptr, nullptr);
    if (result == CUDA_SUCCESS)
        result = driver().cuLinkComplete(state, &image, &bytes);
    std::optional<std::string> code;
    if (result == CUDA_SUCCESS)
        code.emplace(static_cast<const char *>(image), bytes);
    driver().cuLinkDestroy(state); // which owns the image
    return code;
}

// The driver's version, the device and the text decide what the code is.
std::string keyOf(const Device &device, const std::string &ptx) {
    int version = 0;
    driver().cuDriverGetVersion(&version);
    return "kernels " + std::to_string(version) + " " + device.name + " " +
           std::to_string(device.major) + "." + std::to_string(device.minor) + " " + ptx;
}

CUresult loadStored(const Device &device, const std::string &ptx, ImageStore &store,
                    CUmodule &module, std::string &log) {
    const std::string key = keyOf(device, ptx);
    if (const std::optional<std::string> found = store.find(key)) {
        if (loadImage(*found, module, log) == CUDA_SUCCESS)
            return CUDA_SUCCESS;
        store.drop(key);
    }
    const std::optional<std::string> made = linked(ptx);
    if (!made || loadImage(*made, module, log) != CUDA_SUCCESS)
        return loadImage(ptx, module, log);
    store.keep(key, *made);
    return CUDA_SUCCESS;
}

} // namespace

std::shared_ptr<const Module> Module::load(const Device &device, const std::string &ptx,
                                           const std::vector<KernelSource> &kernels,
                                           ImageStore *store, Error &error) {
    const CurrentContext current(device);
    std::shared_ptr<Module> module(new Module(device));
    std::string log;
    const CUresult result = store ? loadStored(device, ptx, *store, module->handle, log)
                                  : loadImage(ptx, module->handle, log);
    if (result != CUDA_SUCCESS) {
        error = textOf(result) + (log.empty() ? "" : "\n" + log);
        return nullptr;
    }
    for (const KernelSource &source : kernels) {
        Kernel kernel{nullptr, source.parameters};
        if (isProfiled())
            kernel.range = source.shownAs;
        if (const CUresult result = driver().cuModuleGetFunction(&kernel.function, module->handle,
                                                                 source.name.c_str())) {
            error = source.name + ": " + textOf(result);
            return nullptr;
        }
        module->kernels.push_back(kernel);
    }
    return module;
}

Module::~Module() {
    Error error;
    if (!handle || !openDriver(error)) // a forked process has no devices
        return;
    const CurrentContext current(device);
    driver().cuModuleUnload(handle);
}

Error launch(const Kernel &kernel, CUstream stream, const Grid &grid, const int64_t *parameters) {
    if (grid.blocks[0] == 0 || grid.blocks[1] == 0)
        return "";
    if (kernel.parameters > mostParameters)
        return "a kernel has more than 512 parameters";
    void *addresses[mostParameters];
    for (unsigned k = 0; k < kernel.parameters; ++k)
        addresses[k] = const_cast<int64_t *>(parameters + k);
    const ProfilerRange range(kernel.range.empty() ? nullptr : kernel.range.c_str());
    const CUresult result =
        driver().cuLaunchKernel(kernel.function, unsigned(std::min(grid.blocks[0], maxBlocksX)),
                                unsigned(std::min(grid.blocks[1], maxBlocksY)), 1, grid.threads[0],
                                grid.threads[1], 1, 0, stream, addresses, nullptr);
    return result == CUDA_SUCCESS ? "" : textOf(result);
}

} // namespace shapecast::device
