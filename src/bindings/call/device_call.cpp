#include "bindings/call/device_call.h"

#include "bindings/call/device_array.h"
#include "bindings/call/devices.h"
#include "bindings/call/errors.h"
#include "bindings/call/exchange.h"
#include "ir/error_names.h"
#include "runtime/memory.h"
#include "user_error.h"

#include "llvm/ADT/StringSet.h"

namespace shapecast::bindings {
namespace {

const device::Device *deviceOf(const Call &call) {
    device::Error error;
    const device::Device *found = device::deviceAt(call.device, error);
    if (!found)
        setDeviceError(nullptr, error);
    return found;
}

// A call site's frames go inwards from the function's own; a kernel's are one a line.
std::vector<unsigned> linesOf(const ErrorSite &site, bool isKernel) {
    std::vector<unsigned> lines;
    for (const Frame &frame : site.frames)
        if (isKernel || lines.empty())
            lines.push_back(frame.line);
    llvm::sort(lines);
    return lines;
}

// The array with what the slots say of it.
std::unique_ptr<DeviceArray> arrayOf(const ResultOperand &operand, const int64_t *slot,
                                     const runtime::Context &ctx) {
    auto array = std::make_unique<DeviceArray>();
    array->address = reinterpret_cast<char *>(slot[0]);
    array->device = &ctx.device->device;
    array->stream = ctx.device->stream;
    array->dtype = operand.dtype;
    const int64_t *sizes = slot + 2, *strides = sizes + operand.rank;
    array->sizes.assign(sizes, strides);
    for (int d = 0; d < operand.rank; ++d)
        array->strides.push_back(strides[d] * int64_t(itemSize(operand.dtype)));
    return array;
}

class KernelsOnDisk : public device::ImageStore {
public:
    KernelsOnDisk(DiskCache *disk, std::string label) : disk(disk), label(std::move(label)) {}
    std::optional<std::string> find(const std::string &key) override {
        return disk->load(cacheKey(key));
    }
    void drop(const std::string &key) override { disk->reject(cacheKey(key)); }
    void keep(const std::string &key, const std::string &image) override {
        disk->store(cacheKey(key), label, image);
    }

private:
    DiskCache *disk;
    std::string label;
};

} // namespace

bool areOnOneDevice(const Parameters &parameters, const Call &call) {
    const ArrayArgument *first = nullptr;
    for (const ArrayArgument &a : call.arrays) {
        const int32_t device = KeyWord::unpack(call.key[a.parameter]).value;
        if (!device)
            continue;
        if (!first)
            first = &a;
        const int32_t other = KeyWord::unpack(call.key[first->parameter]).value;
        if (other == device)
            continue;
        const auto text = [&](const ArrayArgument &of, int32_t number) {
            return "'" + textOf(parameters.names[of.parameter].get()) +
                   "' on cuda:" + std::to_string(number - 1);
        };
        PyErr_SetString(PyExc_TypeError,
                        (parameters.function + "() is called with arrays on two devices, " +
                         text(*first, other) + " and " + text(a, device) +
                         "; copy one of them to the other's device first")
                            .c_str());
        return false;
    }
    return call.device < 0 || deviceOf(call);
}

// The kernels with what a profiler shows of them: "f_kernel0: s0 elements, 2 operations each (line
// 3)".
static std::vector<device::KernelSource> namedKernels(const Variant &variant) {
    std::vector<device::KernelSource> kernels = variant.kernels;
    auto next = kernels.begin();
    for (const ErrorSite &site : variant.sites) {
        if (site.exception != np::kernelNote || next == kernels.end())
            continue;
        llvm::StringRef what = llvm::StringRef(site.message).split(';').first;
        what.consume_front("kernel ");
        DeviceNote note{what.str(), linesOf(site, true), true};
        (next++)->shownAs = note.text();
    }
    return kernels;
}

std::string architectureOf(const Call &call) {
    const device::Device *device = deviceOf(call);
    return device ? device->architecture() : "";
}

std::unique_ptr<DeviceUse> useDevice(const Call &call, const Variant &variant,
                                     std::shared_ptr<const device::Module> &kernels,
                                     DiskCache *disk) {
    const device::Device *device = deviceOf(call);
    if (!device)
        return nullptr;
    device::Error error;
    if (!kernels && !variant.kernels.empty()) {
        KernelsOnDisk store(disk, variant.kernels.front().name + " on " + device->name);
        kernels = device::Module::load(*device, variant.ptx, namedKernels(variant),
                                       disk ? &store : nullptr, error);
    }
    const CUstream stream = call.stream ? call.stream : device::legacyStream;
    std::unique_ptr<DeviceUse> use;
    if (error.empty())
        use = std::make_unique<DeviceUse>(*device, stream, kernels.get());
    if (use && call.exchange) {
        use->allocator = allocatorOf(*call.exchange);
        use->call.allocator = &use->allocator;
    }
    for (CUstream other : call.otherStreams)
        if (error.empty())
            error = device::waitForStream(stream, other);
    if (error.empty())
        return use;
    setDeviceError(device, error);
    return nullptr;
}

void raiseOfDevice(const runtime::DeviceCall &call, const std::vector<Frame> &frames) {
    raiseUserError({call.outOfMemory ? "MemoryError" : "shapecast.DeviceError",
                    call.device.text() + ": " + call.error,
                    frames,
                    {}});
}

std::string DeviceNote::text() const {
    std::string numbers;
    for (unsigned line : lines)
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(line);
    return lines.empty() ? what
                         : what + (lines.size() > 1 ? " (lines " : " (line ") + numbers + ")";
}

std::vector<DeviceNote> deviceNotes(const Variant &variant) {
    std::vector<DeviceNote> notes;
    llvm::StringSet<> seen;
    for (const ErrorSite &site : variant.sites) {
        const bool isKernel = site.exception == np::kernelNote;
        if (!isKernel && site.exception != np::deviceNote)
            continue;
        DeviceNote note{site.message, linesOf(site, isKernel), isKernel};
        if (seen.insert(note.text()).second)
            notes.push_back(std::move(note));
    }
    const auto place = [](const DeviceNote &note) {
        return std::pair(note.lines.empty() ? 0 : note.lines.front(), !note.isKernel);
    };
    llvm::stable_sort(notes, [&](const DeviceNote &a, const DeviceNote &b) {
        return place(a) < place(b); // the host waits for a kernel after it
    });
    return notes;
}

PyObject *freshDeviceArray(const ResultOperand &operand, const int64_t *slot,
                           runtime::Context &ctx) {
    std::unique_ptr<DeviceArray> array = arrayOf(operand, slot, ctx);
    void *buffer = reinterpret_cast<void *>(slot[1]);
    runtime::detach(&ctx, buffer);
    array->memory = static_cast<runtime::DeviceMemory *>(buffer);
    return makeDeviceArray(std::move(array));
}

PyObject *deviceView(const ResultOperand &operand, const int64_t *slot, PyObject *base,
                     bool readonly, const runtime::Context &ctx) {
    std::unique_ptr<DeviceArray> array = arrayOf(operand, slot, ctx);
    const DeviceArray *own = deviceArrayOf(base);
    array->readonly = readonly || (own && own->readonly);
    array->base = pybind11::reinterpret_borrow<pybind11::object>(base);
    return makeDeviceArray(std::move(array));
}

PyObject *adopted(PyObject *result, const Call &call) {
    if (!result || !call.ofLibrary)
        return result;
    const Ref owned = Ref::steal(result);
    if (const ExchangeApi *api = exchangeApiOf(call.ofLibrary))
        return handedOver(result, *api);
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._array_libraries"));
    return module ? PyObject_CallMethod(module.get(), "adopt", "OO", result, call.ofLibrary)
                  : nullptr;
}

PyObject *wholeDeviceBuffer(void *buffer, runtime::Context &ctx) {
    auto *memory = static_cast<runtime::DeviceMemory *>(buffer);
    const int64_t bytes = int64_t(memory->bytes);
    const int64_t slot[] = {int64_t(memory->address), reinterpret_cast<int64_t>(buffer), bytes, 1};
    ResultOperand operand;
    operand.dtype = DType::U8;
    operand.rank = 1;
    return freshDeviceArray(operand, slot, ctx);
}

} // namespace shapecast::bindings
