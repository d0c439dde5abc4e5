#include "bindings/call/dlpack.h"

#include "bindings/call/device_array.h"
#include "bindings/call/devices.h"

namespace py = pybind11;

namespace shapecast::bindings {
namespace {

using namespace dlpack;

// What the capsule refers to.
struct Exported {
    py::object array;
    llvm::SmallVector<int64_t> shape, strides;
    Managed managed;
    VersionedManaged versioned;
};

uint8_t codeOf(DType dtype) {
    if (isBool(dtype))
        return 6;
    return isSigned(dtype) ? 0 : isUnsigned(dtype) ? 1 : isFloat(dtype) ? 2 : 5;
}

Tensor tensorOf(Exported &exported, const DeviceArray &array) {
    const auto item = int64_t(itemSize(array.dtype));
    exported.shape.assign(array.sizes.begin(), array.sizes.end());
    for (int64_t stride : array.strides)
        exported.strides.push_back(stride / item);
    return {array.address,
            {cuda, array.device->ordinal},
            int32_t(array.sizes.size()),
            {codeOf(array.dtype), uint8_t(8 * item), 1},
            exported.shape.data(),
            exported.strides.data(),
            0};
}

template <class Structure> void freeExported(Structure *structure) {
    const py::gil_scoped_acquire locked; // the consumer may free it in any thread
    delete static_cast<Exported *>(structure->owner);
}

} // namespace

VersionedManaged *newManaged(PyObject *object) {
    const DeviceArray &array = *deviceArrayOf(object);
    auto exported = std::make_unique<Exported>();
    exported->array = py::reinterpret_borrow<py::object>(object);
    const Tensor tensor = tensorOf(*exported, array);
    exported->versioned = {{1, 0},
                           exported.get(),
                           &freeExported<VersionedManaged>,
                           array.readonly ? isReadOnly : 0,
                           tensor};
    return &exported.release()->versioned;
}

namespace {

// A capsule that nobody has taken, which renames it.
template <class Structure> void freeCapsule(PyObject *capsule, const char *name) {
    if (PyCapsule_IsValid(capsule, name))
        freeExported(static_cast<Structure *>(PyCapsule_GetPointer(capsule, name)));
}

constexpr const char *plainName = "dltensor", *versionedName = "dltensor_versioned";

// Work of the consumer's stream waits for what computes the array.
void orderAfter(const DeviceArray &array, const py::object &consumer) {
    const auto number = consumer.is_none() ? intptr_t(CU_STREAM_LEGACY) : consumer.cast<intptr_t>();
    const auto stream = reinterpret_cast<CUstream>(number);
    if (number == -1 || stream == array.stream)
        return;
    checkProcess(*array.device);
    const device::CurrentContext current(*array.device);
    checkDevice(*array.device, device::waitForStream(stream, array.stream));
}

// `consumer`: the stream on which it is read, as the standard numbers them (None, 1: the legacy
// default one, 2: the thread's, -1: none is waited for). `maxVersion`: (major, minor), or None
// before 1.0.
py::object dlpackOf(const py::object &self, const py::object &consumer,
                    const py::object &maxVersion) {
    const auto &array = self.cast<const DeviceArray &>();
    const bool isVersioned =
        !maxVersion.is_none() && maxVersion.cast<py::tuple>()[0].cast<int>() >= 1;
    if (array.readonly && !isVersioned)
        throw py::buffer_error("a read-only array cannot be passed on by DLPack before version 1");
    orderAfter(array, consumer);
    PyObject *capsule;
    if (isVersioned) {
        capsule = PyCapsule_New(newManaged(self.ptr()), versionedName, [](PyObject *made) {
            freeCapsule<VersionedManaged>(made, versionedName);
        });
    } else {
        auto exported = std::make_unique<Exported>();
        exported->array = self;
        exported->managed = {tensorOf(*exported, array), exported.get(), &freeExported<Managed>};
        capsule = PyCapsule_New(&exported.release()->managed, plainName,
                                [](PyObject *made) { freeCapsule<Managed>(made, plainName); });
    }
    if (!capsule)
        throw py::error_already_set();
    return py::reinterpret_steal<py::object>(capsule);
}

} // namespace

void bindDlpack(py::module_ &module) {
    auto type = py::reinterpret_borrow<py::class_<DeviceArray>>(module.attr("DeviceArray"));
    type.def("__dlpack_device__",
             [](const DeviceArray &a) { return py::make_tuple(cuda, a.device->ordinal); })
        .def(
            "__dlpack__",
            [](const py::object &self, const py::object &stream, const py::object &version,
               const py::object &, const py::object &copy) {
                if (!copy.is_none() && copy.cast<bool>())
                    throw py::buffer_error("copy it first, with x.copy_to_host() or in a jitted "
                                           "function: DLPack's copy=True is not supported");
                return dlpackOf(self, stream, version);
            },
            py::kw_only(), py::arg("stream") = py::none(), py::arg("max_version") = py::none(),
            py::arg("dl_device") = py::none(), py::arg("copy") = py::none());
}

} // namespace shapecast::bindings
