#include "device/module.h"

#include "device/nvtx.h"

#include <algorithm>

namespace shapecast::device {
namespace {

constexpr size_t logBytes = 4096;
constexpr uint64_t maxBlocksX = (uint64_t{1} << 31) - 1, maxBlocksY = 65535; // of every device
constexpr unsigned mostParameters = 512; // 4 KiB, the driver's limit

CUresult loadText(const std::string &ptx, CUmodule &module, std::string &log) {
    log.assign(logBytes, '\0');
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log.data(), reinterpret_cast<void *>(logBytes)};
    const CUresult result = driver().cuModuleLoadDataEx(&module, ptx.c_str(), 2, options, values);
    log.resize(std::char_traits<char>::length(log.c_str()));
    return result;
}

} // namespace

std::shared_ptr<const Module> Module::load(const Device &device, const std::string &ptx,
                                           const std::vector<KernelSource> &kernels, Error &error) {
    const CurrentContext current(device);
    std::shared_ptr<Module> module(new Module(device));
    std::string log;
    if (const CUresult result = loadText(ptx, module->handle, log)) {
        error = textOf(result) + (log.empty() ? "" : "\n" + log);
        return nullptr;
    }
    for (const KernelSource &source : kernels) {
        Kernel kernel{nullptr, {source.threads[0], source.threads[1]}, source.parameters};
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

Error launch(const Kernel &kernel, CUstream stream, uint64_t blocksX, uint64_t blocksY,
             const int64_t *parameters) {
    if (blocksX == 0 || blocksY == 0)
        return "";
    if (kernel.parameters > mostParameters)
        return "a kernel has more than 512 parameters";
    void *addresses[mostParameters];
    for (unsigned k = 0; k < kernel.parameters; ++k)
        addresses[k] = const_cast<int64_t *>(parameters + k);
    const ProfilerRange range(kernel.range.empty() ? nullptr : kernel.range.c_str());
    const CUresult result =
        driver().cuLaunchKernel(kernel.function, unsigned(std::min(blocksX, maxBlocksX)),
                                unsigned(std::min(blocksY, maxBlocksY)), 1, kernel.threads[0],
                                kernel.threads[1], 1, 0, stream, addresses, nullptr);
    return result == CUDA_SUCCESS ? "" : textOf(result);
}

} // namespace shapecast::device
