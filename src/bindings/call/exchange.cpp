#include "bindings/call/exchange.h"

#include "bindings/call/device_array.h"
#include "bindings/call/devices.h"
#include "bindings/call/dlpack.h"
#include "bindings/call/numpy_types.h"
#include "capture/interrupts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace py = pybind11;

#include <mutex>

namespace shapecast::bindings {

using dlpack::Tensor;
using dlpack::VersionedManaged;

// In the layout of dlpack.h; functions return 0, or -1 with an exception set.
struct ExchangeApi {
    dlpack::Version version;
    const ExchangeApi *previous; // of an older major version
    // Needs no interpreter lock; reports an error by its last argument.
    int (*allocate)(Tensor *prototype, VersionedManaged **made, void *to,
                    void (*report)(void *to, const char *kind, const char *message));
    int (*fromObject)(void *object, VersionedManaged **managed);
    int (*toObject)(VersionedManaged *managed, void **object); // takes it
    int (*describe)(void *object, Tensor *tensor);             // null: not supported
    int (*currentStream)(int32_t kind, int32_t number, void **stream);
};

namespace {

constexpr const char *attributeName = "__dlpack_c_exchange_api__";
constexpr const char *capsuleName = "dlpack_exchange_api";
constexpr uint32_t knownMajor = 1;

const ExchangeApi *apiOf(PyTypeObject *type) {
    const py::object capsule =
        capture::attributeIfAny(reinterpret_cast<PyObject *>(type), attributeName);
    if (!capsule || !PyCapsule_IsValid(capsule.ptr(), capsuleName))
        return nullptr;
    auto *api = static_cast<const ExchangeApi *>(PyCapsule_GetPointer(capsule.ptr(), capsuleName));
    while (api && api->version.major != knownMajor)
        api = api->previous;
    return api;
}

std::optional<DType> dtypeOf(dlpack::DataType type) {
    if (type.lanes != 1)
        return std::nullopt;
    auto oneOf = [&](std::initializer_list<DType> types) -> std::optional<DType> {
        for (DType dtype : types)
            if (8 * itemSize(dtype) == type.bits)
                return dtype;
        return std::nullopt;
    };
    switch (type.code) {
    case dlpack::signedCode:
        return oneOf({DType::I8, DType::I16, DType::I32, DType::I64});
    case dlpack::unsignedCode:
        return oneOf({DType::U8, DType::U16, DType::U32, DType::U64});
    case dlpack::floatCode:
        return oneOf({DType::F16, DType::F32, DType::F64});
    case dlpack::complexCode:
        return oneOf({DType::C64, DType::C128});
    case dlpack::boolCode:
        return oneOf({DType::Bool});
    default:
        return std::nullopt;
    }
}

PyObject *describedTensor(const Tensor &tensor, DType dtype, bool readonly) {
    npy_intp strides[NPY_MAXDIMS];
    for (int d = 0; tensor.strides && d < tensor.rank; ++d)
        strides[d] = npy_intp(tensor.strides[d]) * npy_intp(itemSize(dtype));
    PyArray_Descr *descr = descriptorOf(dtype);
    Py_INCREF(descr);
    return PyArray_NewFromDescr(
        &PyArray_Type, descr, tensor.rank, reinterpret_cast<const npy_intp *>(tensor.shape),
        tensor.strides ? strides : nullptr, static_cast<char *>(tensor.data) + tensor.byteOffset,
        readonly ? 0 : NPY_ARRAY_WRITEABLE, nullptr);
}

// Null stands for the legacy default stream.
bool readStream(const ExchangeApi &api, const dlpack::Device &device, CUstream &stream) {
    void *current = nullptr;
    if (api.currentStream(device.kind, device.number, &current) != 0)
        return false;
    stream = current ? static_cast<CUstream>(current) : device::legacyStream;
    return true;
}

// What is in the tensor lives as long as the object. False with an exception set.
bool describe(const ExchangeApi &api, PyObject *object, Tensor &tensor,
              VersionedManaged *&managed) {
    if (api.describe)
        return api.describe(object, &tensor) == 0;
    if (api.fromObject(object, &managed) != 0)
        return false;
    tensor = managed->tensor;
    return true;
}

void *allocate(const void *of, int ordinal, size_t bytes, CUdeviceptr &address,
               device::Error &error) {
    auto count = int64_t(bytes);
    Tensor prototype{
        nullptr, {dlpack::cuda, ordinal}, 1, {dlpack::unsignedCode, 8, 1}, &count, nullptr, 0};
    VersionedManaged *made = nullptr;
    const auto report = [](void *to, const char *kind, const char *message) {
        *static_cast<device::Error *>(to) = std::string(kind) + ": " + message;
    };
    const auto *api = static_cast<const ExchangeApi *>(of);
    if (api->allocate(&prototype, &made, &error, report) != 0 || !made) {
        if (error.empty())
            error = "the array library's allocator failed";
        return nullptr;
    }
    address = CUdeviceptr(made->tensor.data) + made->tensor.byteOffset;
    return made;
}

void release(void *handle) {
    auto *managed = static_cast<VersionedManaged *>(handle);
    if (managed->free)
        managed->free(managed);
}

} // namespace

const ExchangeApi *exchangeApiOf(PyObject *object) {
    static auto *known = new llvm::DenseMap<PyTypeObject *, const ExchangeApi *>; // own the types
    static std::mutex mutex;
    PyTypeObject *type = Py_TYPE(object);
    {
        const std::lock_guard lock(mutex);
        if (const auto found = known->find(type); found != known->end())
            return found->second;
    }
    const ExchangeApi *api = apiOf(type);
    const std::lock_guard lock(mutex);
    if (api && known->insert({type, api}).second)
        Py_INCREF(type);
    return api;
}

std::optional<ExchangedArray> exchangedArray(const ExchangeApi &api, PyObject *object,
                                             std::string &dtype) {
    Tensor tensor{};
    VersionedManaged *managed = nullptr;
    ExchangedArray array;
    if (!describe(api, object, tensor, managed))
        return array;
    const bool readonly = managed && (managed->flags & dlpack::isReadOnly);
    const dlpack::Device device = tensor.device;
    const bool isOnDevice = device.kind == dlpack::cuda || device.kind == dlpack::cudaManaged;
    const std::optional<DType> known = dtypeOf(tensor.dtype);
    if (isOnDevice && !known) {
        dtype = "code " + std::to_string(tensor.dtype.code) + " of " +
                std::to_string(tensor.dtype.bits) + " bits in DLPack";
    } else if (isOnDevice) {
        array.ordinal = device.number;
        if (readStream(api, device, array.stream))
            array.described = Ref::steal(describedTensor(tensor, *known, readonly));
    }
    if (managed)
        release(managed);
    return isOnDevice ? std::optional(std::move(array)) : std::nullopt;
}

PyObject *handedOver(PyObject *result, const ExchangeApi &api) {
    Ref owned = Ref::share(result);
    const DeviceArray *array = deviceArrayOf(result);
    if (llvm::any_of(array->strides, [](int64_t stride) { return stride < 0; })) {
        const Ref module = Ref::steal(PyImport_ImportModule("shapecast._array_libraries"));
        owned = Ref::steal(module ? PyObject_CallMethod(module.get(), "contiguous", "O", result)
                                  : nullptr);
        array = owned ? deviceArrayOf(owned.get()) : nullptr;
        if (!array)
            return nullptr;
    }
    CUstream stream = nullptr;
    if (!readStream(api, {dlpack::cuda, array->device->ordinal}, stream))
        return nullptr;
    if (stream != array->stream)
        if (const device::Error error = device::waitForStream(stream, array->stream);
            !error.empty())
            return setDeviceError(array->device, error), nullptr;
    void *made = nullptr;
    return api.toObject(newManaged(owned.get()), &made) == 0 ? static_cast<PyObject *>(made)
                                                             : nullptr;
}

runtime::DeviceAllocator allocatorOf(const ExchangeApi &api) { return {&allocate, &release, &api}; }

} // namespace shapecast::bindings
