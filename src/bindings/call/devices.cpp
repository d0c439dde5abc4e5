#include "bindings/call/devices.h"

#include "bindings/call/errors.h"
#include "bindings/call/interpreter_lock.h"
#include "user_error.h"

#include <climits>
#include <optional>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace shapecast::bindings {
namespace {

struct DeviceInfo { // shapecast.Device
    const device::Device *device;
};

py::list devices() {
    py::list list;
    device::Error error;
    if (const std::vector<device::Device> *all = device::devices(error))
        for (const device::Device &one : *all)
            list.append(DeviceInfo{&one});
    return list;
}

std::optional<int> findOrdinal(const py::object &name) {
    if (py::isinstance<DeviceInfo>(name))
        return name.cast<DeviceInfo>().device->ordinal;
    if (py::isinstance<py::int_>(name) && !py::isinstance<py::bool_>(name)) {
        int overflow = 0;
        const long number = PyLong_AsLongAndOverflow(name.ptr(), &overflow);
        return overflow || number < 0 || number > INT_MAX ? std::nullopt
                                                          : std::optional(int(number));
    }
    if (!py::isinstance<py::str>(name))
        return std::nullopt;
    const std::string text = name.cast<std::string>();
    llvm::StringRef rest = text;
    int ordinal = 0;
    if (!rest.consume_front("cuda") ||
        (!rest.empty() && (!rest.consume_front(":") || rest.getAsInteger(10, ordinal))) ||
        ordinal < 0)
        return std::nullopt;
    return ordinal;
}

std::string described(const DeviceInfo &info) {
    const device::Device &device = *info.device;
    return "Device('" + device.text() + "', '" + device.name + "')";
}

} // namespace

void setDeviceError(const device::Device *device, const device::Error &error) {
    raiseUserError(
        {"shapecast.DeviceError", (device ? device->text() + ": " : "") + error, {}, {}});
}

void checkDevice(const device::Device &device, const device::Error &error) {
    if (error.empty())
        return;
    setDeviceError(&device, error);
    throw py::error_already_set();
}

void checkProcess(const device::Device &device) {
    device::Error error;
    device::openDriver(error);
    checkDevice(device, error);
}

void raiseOutOfMemory(const device::Device &device, const device::Error &error) {
    PyErr_SetString(PyExc_MemoryError, (device.text() + ": " + error).c_str());
    throw py::error_already_set();
}

int ordinalOf(const py::object &name) {
    if (const std::optional<int> ordinal = findOrdinal(name))
        return *ordinal;
    throw py::value_error("no device " + py::repr(name).cast<std::string>() +
                          ": 'cuda' and 'cuda:1' are devices");
}

bool waitWithSignals(CUstream stream, device::Error &error) {
    const auto handleSignals = [](void *) { // only the main thread runs handlers
        if (!isMainThread())
            return;
        const WithInterpreterLock locked;
        if (PyErr_CheckSignals() != 0)
            throw py::error_already_set();
    };
    try {
        const WithoutInterpreterLock unlocked;
        error = device::waitFor(stream, handleSignals, nullptr);
        return true;
    } catch (py::error_already_set &raised) {
        raised.restore();
        return false;
    }
}

const device::Device &deviceNamed(const py::object &name) {
    const int ordinal = ordinalOf(name);
    device::Error error;
    const device::Device *found = device::deviceAt(ordinal, error);
    if (found)
        return *found;
    setDeviceError(nullptr, error);
    throw py::error_already_set();
}

void bindDevices(py::module_ &module) {
    py::class_<DeviceInfo> type(module, "Device",
                                R"(A device of this machine, of those that `devices` lists.

Attributes:
    name: Its name, as the driver has it.
    ordinal: Its number: `str(device)` is "cuda:0".
    memory_bytes: Of its memory, in all.
    multiprocessors: How many it has.
    compute_capability: (major, minor).

Examples:
    >>> [str(device) for device in shapecast.devices() if device.ordinal < 0]
    []
)");
    type.attr("__module__") = "shapecast";
    type.def_property_readonly("name", [](const DeviceInfo &d) { return d.device->name; })
        .def_property_readonly("ordinal", [](const DeviceInfo &d) { return d.device->ordinal; })
        .def_property_readonly("memory_bytes",
                               [](const DeviceInfo &d) { return d.device->memoryBytes; })
        .def_property_readonly("multiprocessors",
                               [](const DeviceInfo &d) { return d.device->multiprocessors; })
        .def_property_readonly(
            "compute_capability",
            [](const DeviceInfo &d) { return py::make_tuple(d.device->major, d.device->minor); })
        .def("__str__", [](const DeviceInfo &d) { return d.device->text(); })
        .def("__repr__", &described);
    module.def("devices", &devices);
    module.def("_device_ordinal", &ordinalOf);
}

} // namespace shapecast::bindings
