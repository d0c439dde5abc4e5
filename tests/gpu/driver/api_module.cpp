// The driver's interface: modules, their linking and launches.
#include "driver.h"

#include <cstdlib>

using namespace driver;

namespace {

// What cuLinkComplete gives: an image of this driver's own, which only it loads.
constexpr std::string_view kImage = "\x7f"
                                    "ELF-SHAPECAST\n";

uint64_t placeVariable(Driver &driver, CUmod_st &module, const Variable &variable) {
    uint64_t address = driver.memory.allocate(std::max<uint64_t>(variable.bytes, 1),
                                              module.context->device, Allocation::Variable);
    if (!address)
        throw ParseError("there is no memory for the variable " + variable.name);
    auto *bytes = reinterpret_cast<uint8_t *>(address);
    std::memset(bytes, 0, variable.bytes);
    std::copy(variable.initial.begin(), variable.initial.end(), bytes);
    driver.memory.find(address)->isReadOnly = variable.space == Space::Const;
    module.variables.push_back(address);
    return address;
}

CUresult load(Driver &driver, CUmodule *into, std::string_view text) {
    if (text.starts_with("\x7f"
                         "ELF")) {
        if (!text.starts_with(kImage) || std::getenv("SHAPECAST_DRIVER_REFUSES_IMAGES"))
            return CUDA_ERROR_NO_BINARY_FOR_GPU;
        text.remove_prefix(kImage.size());
    }
    auto made = std::make_unique<CUmod_st>();
    made->context = driver.current();
    try {
        made->program =
            parse(text, [&](const Variable &one) { return placeVariable(driver, *made, one); });
    } catch (const ParseError &error) {
        driver.report = error.what();
        return CUDA_ERROR_INVALID_PTX;
    }
    for (const auto &[name, function] : made->program->functions)
        if (function.isEntry)
            made->functions[name] = {made.get(), &function};
    *into = made.release();
    driver.modules.insert(*into);
    return CUDA_SUCCESS;
}

// The text of an error goes to the buffer that the options name.
void writeLog(unsigned count, CUjit_option *options, void **values, const std::string &text) {
    char *buffer = nullptr;
    size_t size = 0;
    for (unsigned k = 0; k < count; ++k) {
        if (options[k] == CU_JIT_ERROR_LOG_BUFFER)
            buffer = static_cast<char *>(values[k]);
        if (options[k] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            size = reinterpret_cast<size_t>(values[k]);
    }
    if (buffer && size)
        std::snprintf(buffer, size, "%s", text.c_str());
}

} // namespace

struct CUlinkState_st {
    std::string image{kImage};
};

DRIVER_API cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count,
                              CUjit_option *options, void **values) {
    return guarded(true, [&](Driver &driver) {
        CUresult result = load(driver, module, static_cast<const char *>(image));
        if (result != CUDA_SUCCESS)
            writeLog(count, options, values, driver.report);
        return result;
    });
}
DRIVER_API cuModuleLoadData(CUmodule *module, const void *image) {
    return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
}
DRIVER_API cuModuleUnload(CUmodule module) {
    return guarded(true, [&](Driver &driver) {
        if (!driver.modules.erase(module))
            return CUDA_ERROR_INVALID_HANDLE;
        driver.runAll(module->context); // what is queued names its instructions
        for (uint64_t address : module->variables)
            driver.memory.release(address);
        delete module;
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    return guarded(true, [&](Driver &driver) {
        if (!driver.modules.contains(module))
            return CUDA_ERROR_INVALID_HANDLE;
        auto found = module->functions.find(name);
        if (found == module->functions.end())
            return CUDA_ERROR_NOT_FOUND;
        return *function = &found->second, CUDA_SUCCESS;
    });
}
DRIVER_API cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                                const char *name) {
    return guarded(true, [&](Driver &driver) {
        if (!driver.modules.contains(module))
            return CUDA_ERROR_INVALID_HANDLE;
        auto found = module->program->globals.find(name);
        if (found == module->program->globals.end())
            return CUDA_ERROR_NOT_FOUND;
        if (address)
            *address = found->second.offset;
        if (bytes)
            *bytes = found->second.bytes;
        return CUDA_SUCCESS;
    });
}

//===-- Linking

DRIVER_API cuLinkCreate_v2(unsigned, CUjit_option *, void **, CUlinkState *state) {
    return guarded(true, [&](Driver &) { return *state = new CUlinkState_st, CUDA_SUCCESS; });
}
DRIVER_API cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size,
                            const char *, unsigned count, CUjit_option *options, void **values) {
    return guarded(true, [&](Driver &driver) {
        if (type != CU_JIT_INPUT_PTX)
            return CUDA_ERROR_NOT_SUPPORTED;
        std::string text(static_cast<const char *>(data), size);
        text.resize(std::min(text.find('\0'), text.size()));
        CUmodule tried = nullptr;
        CUresult result = load(driver, &tried, text);
        if (result != CUDA_SUCCESS)
            return writeLog(count, options, values, driver.report), result;
        cuModuleUnload(tried);
        state->image += text + "\n";
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuLinkComplete(CUlinkState state, void **image, size_t *size) {
    return guarded(true, [&](Driver &) {
        *image = state->image.data();
        *size = state->image.size() + 1;
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuLinkDestroy(CUlinkState state) {
    return guarded(true, [&](Driver &) { return delete state, CUDA_SUCCESS; });
}

//===-- Functions

DRIVER_API cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    return guarded(true, [&](Driver &) {
        const Function &of = *function->function;
        const int *bound = of.required[0] ? of.required : of.most;
        switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
            *value = bound[0] ? bound[0] * bound[1] * bound[2] : 1024;
            break;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
            *value = of.sharedBytes;
            break;
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
            *value = function->module->program->localBytes;
            break;
        case CU_FUNC_ATTRIBUTE_NUM_REGS:
            *value = std::min(of.registers, 255);
            break;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION:
            *value = 80;
            break;
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
            *value = 80;
            break;
        default:
            *value = 0;
        }
        return CUDA_SUCCESS;
    });
}
DRIVER_API cuFuncSetAttribute(CUfunction, CUfunction_attribute, int) { return CUDA_SUCCESS; }
DRIVER_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction, int threads,
                                                       size_t) {
    return *blocks = threads > 0 ? std::max(1, std::min(32, 2048 / threads)) : 0, CUDA_SUCCESS;
}

namespace {

/// The bytes of the parameters, as the kernel lays them out.
std::vector<uint8_t> packed(const Function &kernel, void **values, void **extra) {
    std::vector<uint8_t> bytes(kernel.parameterBytes);
    if (values) {
        for (size_t k = 0; k < kernel.parameters.size(); ++k)
            std::memcpy(&bytes[kernel.parameters[k].offset], values[k], kernel.parameters[k].bytes);
        return bytes;
    }
    const void *buffer = nullptr;
    size_t size = 0;
    for (void **at = extra; at && *at; at += 2) {
        if (reinterpret_cast<uintptr_t>(at[0]) == 1)
            buffer = at[1];
        if (reinterpret_cast<uintptr_t>(at[0]) == 2)
            size = *static_cast<size_t *>(at[1]);
    }
    if (buffer)
        std::memcpy(bytes.data(), buffer, std::min(size, bytes.size()));
    return bytes;
}

} // namespace

DRIVER_API cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                          unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                          CUstream stream, void **values, void **extra) {
    return guarded(true, [&](Driver &driver) {
        CUstream_st *on = driver.stream(stream);
        if (!on)
            return CUDA_ERROR_INVALID_HANDLE;
        const Function &kernel = *function->function;
        const unsigned grid[3] = {gridX, gridY, gridZ}, block[3] = {blockX, blockY, blockZ};
        uint64_t threads = uint64_t(blockX) * blockY * blockZ;
        if (!gridX || !gridY || !gridZ || !threads || gridX > INT32_MAX || gridY > 65535 ||
            gridZ > 65535)
            return CUDA_ERROR_INVALID_VALUE;
        if (threads > 1024 || blockZ > 64 || kernel.sharedBytes + sharedBytes > 49152)
            return CUDA_ERROR_INVALID_VALUE;
        for (int k = 0; k < 3; ++k)
            if (kernel.required[0] && block[k] != unsigned(kernel.required[k]))
                return CUDA_ERROR_INVALID_VALUE;
        if (kernel.most[0] && threads > uint64_t(kernel.most[0]) * kernel.most[1] * kernel.most[2])
            return CUDA_ERROR_INVALID_VALUE;
        if (function->module->context != driver.current() || on->context != driver.current())
            return CUDA_ERROR_INVALID_HANDLE;
        if (!values && !extra && kernel.parameterBytes)
            return CUDA_ERROR_INVALID_VALUE;
        auto launch = std::make_shared<Launch>();
        launch->module = function->module->program;
        launch->kernel = &kernel;
        std::copy(grid, grid + 3, launch->grid);
        std::copy(block, block + 3, launch->block);
        launch->parameters = packed(kernel, values, extra);
        launch->dynamicShared = sharedBytes;
        launch->device = driver.current()->device;
        launch->memory = &driver.memory;
        launch->counters = &driver.counters;
        driver.enqueue(*on, [&driver, launch] {
            launch->number = driver.nextLaunch();
            launch->random = driver.random();
            launch->instructionsLeft = driver.mostInstructions;
            launch->run();
        });
        return CUDA_SUCCESS;
    });
}
