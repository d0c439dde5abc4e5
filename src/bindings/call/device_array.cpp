#include "bindings/call/device_array.h"

#include "bindings/call/devices.h"
#include "bindings/call/errors.h"
#include "bindings/call/numpy_types.h"
#include "capture/interrupts.h"
#include "runtime/memory.h"

#include <pybind11/numpy.h>

namespace py = pybind11;

namespace shapecast::bindings {
namespace {

using Owned = std::unique_ptr<DeviceArray>;

py::object described(const DeviceArray &array) {
    auto made = py::reinterpret_steal<py::object>(describedArray(array));
    return made ? made : throw py::error_already_set();
}

void takeShape(DeviceArray &array, PyArrayObject *like) {
    array.address = PyArray_BYTES(like);
    array.sizes.assign(PyArray_DIMS(like), PyArray_DIMS(like) + PyArray_NDIM(like));
    array.strides.assign(PyArray_STRIDES(like), PyArray_STRIDES(like) + PyArray_NDIM(like));
    array.readonly = !PyArray_ISWRITEABLE(like);
}

// The bytes from the first element in memory to the last one.
struct Span {
    char *low;
    size_t bytes;
};
Span spanOf(const DeviceArray &array) {
    int64_t low = 0, high = int64_t(itemSize(array.dtype));
    for (auto [size, stride] : llvm::zip_equal(array.sizes, array.strides)) {
        if (size == 0)
            return {array.address, 0};
        const int64_t reach = (size - 1) * stride;
        (reach < 0 ? low : high) += reach;
    }
    return {array.address + low, size_t(high - low)};
}

CUdeviceptr addressOf(const char *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

// Waits, without the interpreter lock, for what computes the array; Ctrl-C ends it.
void finish(const DeviceArray &array) {
    device::Error error;
    if (!waitWithSignals(array.stream, error))
        throw py::error_already_set();
    checkDevice(*array.device, error);
}

// Waits for a copy, after finish(): the memory of the host may not go before.
void finishCopy(const DeviceArray &array) {
    device::Error error;
    {
        const py::gil_scoped_release unlocked;
        error = device::synchronize(array.stream);
    }
    checkDevice(*array.device, error);
}

// A NumPy array of the bytes that the array spans, and a view of it with its shape.
std::pair<py::object, py::object> fetchedSpan(const DeviceArray &array) {
    const Span span = spanOf(array);
    py::array_t<uint8_t> bytes{py::ssize_t(span.bytes)};
    finish(array);
    checkDevice(*array.device, device::copyToHost(bytes.mutable_data(), addressOf(span.low),
                                                  span.bytes, array.stream));
    finishCopy(array);
    PyArray_Descr *descr = descriptorOf(array.dtype);
    Py_INCREF(descr);
    auto view = py::reinterpret_steal<py::object>(PyArray_NewFromDescr(
        &PyArray_Type, descr, int(array.sizes.size()), array.sizes.data(), array.strides.data(),
        reinterpret_cast<char *>(bytes.mutable_data()) + (array.address - span.low),
        NPY_ARRAY_WRITEABLE, nullptr));
    if (!view || PyArray_SetBaseObject(reinterpret_cast<PyArrayObject *>(view.ptr()),
                                       py::object(bytes).release().ptr()) < 0)
        throw py::error_already_set();
    return {bytes, view};
}

py::object copyToHost(const DeviceArray &array) {
    checkProcess(*array.device);
    const device::CurrentContext current(*array.device);
    py::object view = fetchedSpan(array).second;
    // In C or Fortran order, as np.copy makes them of such views.
    return view.attr("copy")("K");
}

void copyFromHost(const DeviceArray &array, const py::object &values) {
    if (array.readonly)
        throw py::value_error("assignment destination is read-only");
    checkProcess(*array.device);
    const device::CurrentContext current(*array.device);
    auto [bytes, view] = fetchedSpan(array);
    view[py::ellipsis()] = values;
    const Span span = spanOf(array);
    checkDevice(*array.device, device::copyToDevice(addressOf(span.low), py::array(bytes).data(),
                                                    span.bytes, array.stream));
    finishCopy(array); // the bytes end with this function
}

// A slice, None, Ellipsis, or an integer as Python's: by an array NumPy would read the elements.
py::object plainIndex(py::handle item) {
    if (PySlice_Check(item.ptr()) || item.is_none() || item.ptr() == Py_Ellipsis)
        return py::reinterpret_borrow<py::object>(item);
    if (!PyBool_Check(item.ptr()) && PyIndex_Check(item.ptr()))
        if (PyObject *integer = PyNumber_Index(item.ptr()))
            return py::reinterpret_steal<py::object>(integer);
    PyErr_Clear();
    throw py::type_error("an array on a device is indexed by integers and slices outside of "
                         "jitted functions; index it in one, or copy_to_host() first");
}

// A view; `index` is an int, slice, None or Ellipsis, or a tuple of such.
py::object viewAt(const py::object &self, const py::object &index) {
    const auto &array = self.cast<const DeviceArray &>();
    py::list items;
    bool hasEllipsis = false;
    for (py::handle item :
         py::isinstance<py::tuple>(index) ? py::tuple(index) : py::make_tuple(index)) {
        hasEllipsis |= item.ptr() == Py_Ellipsis;
        items.append(plainIndex(item));
    }
    // With an Ellipsis, a single element is an array as well, and not read.
    const py::object all = hasEllipsis
                               ? py::tuple(items)
                               : py::tuple(items + py::list(py::make_tuple(py::ellipsis())));
    const py::object found = described(array)[all];
    auto view = std::make_unique<DeviceArray>();
    view->base = array.base ? array.base : self;
    view->device = array.device;
    view->stream = array.stream;
    view->dtype = array.dtype;
    takeShape(*view, reinterpret_cast<PyArrayObject *>(found.ptr()));
    view->readonly = array.readonly;
    return py::cast(std::move(view));
}

py::object toHost(const DeviceArray &array, const py::object &dtype, const py::object &copy) {
    if (!copy.is_none() && !copy.cast<bool>())
        throw py::value_error("an array on a device has no memory in the host: np.array(x, "
                              "copy=False) cannot view it");
    py::object host = copyToHost(array);
    return dtype.is_none() ? host : host.attr("astype")(dtype, py::arg("copy") = false);
}

py::tuple tupleOf(llvm::ArrayRef<int64_t> numbers) {
    py::tuple tuple(numbers.size());
    for (auto [k, number] : llvm::enumerate(numbers))
        tuple[k] = number;
    return tuple;
}

py::object dtypeObject(const DeviceArray &array) {
    return py::reinterpret_borrow<py::object>(
        reinterpret_cast<PyObject *>(descriptorOf(array.dtype)));
}

// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
py::dict cudaInterface(const DeviceArray &array) {
    py::dict interface;
    interface["shape"] = tupleOf(array.sizes);
    interface["typestr"] = dtypeObject(array).attr("str");
    interface["data"] = py::make_tuple(reinterpret_cast<uintptr_t>(array.address), array.readonly);
    interface["version"] = 3;
    interface["strides"] = tupleOf(array.strides);
    interface["stream"] = reinterpret_cast<uintptr_t>(array.stream);
    return interface;
}

// Of a copy in the host, with the place of the array.
std::string represented(const DeviceArray &array) {
    std::string text = py::repr(copyToHost(array)).cast<std::string>();
    if (text.starts_with("array("))
        text = "DeviceArray(" + text.substr(6);
    text.pop_back();
    for (size_t at = 0; (at = text.find("\n      ", at)) != std::string::npos; at += 13)
        text.insert(at + 1, "      "); // the name is longer than NumPy's
    return text + ", device='" + array.device->text() + "')";
}

// A new one in C order, or in Fortran order.
Owned emptyLike(const device::Device &device, PyArrayObject *like, DType dtype) {
    auto array = std::make_unique<DeviceArray>();
    takeShape(*array, like);
    array->readonly = false;
    array->device = &device;
    array->dtype = dtype;
    const device::CurrentContext current(device);
    device::Error error;
    array->memory =
        runtime::newDeviceMemory(device, array->stream, size_t(PyArray_NBYTES(like)), error);
    if (!array->memory)
        raiseOutOfMemory(device, error);
    array->address = reinterpret_cast<char *>(array->memory->address);
    return array;
}

py::object toDevice(const py::object &values, const py::object &on) {
    const device::Device &device = deviceNamed(on);
    if (const DeviceArray *given = deviceArrayOf(values.ptr()); given && given->device == &device)
        return values;
    // PyArray_FromAny takes no notice of NOTSWAPPED.
    auto host = py::reinterpret_steal<py::object>(PyArray_CheckFromAny(
        values.ptr(), nullptr, 0, 0, NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED, nullptr));
    if (!host)
        throw py::error_already_set();
    auto *array = reinterpret_cast<PyArrayObject *>(host.ptr());
    const std::optional<DType> dtype = dtypeOf(PyArray_DESCR(array));
    if (!dtype)
        throw py::type_error("arrays of dtype " + py::str(host.attr("dtype")).cast<std::string>() +
                             " cannot be on a device; convert it with astype()");
    if (!PyArray_IS_C_CONTIGUOUS(array) && !PyArray_IS_F_CONTIGUOUS(array))
        host = host.attr("copy")("C");
    array = reinterpret_cast<PyArrayObject *>(host.ptr());
    Owned made = emptyLike(device, array, *dtype);
    const device::CurrentContext current(device);
    finish(*made);
    checkDevice(device, device::copyToDevice(addressOf(made->address), PyArray_DATA(array),
                                             size_t(PyArray_NBYTES(array)), made->stream));
    finishCopy(*made); // the values may change now
    return py::cast(std::move(made));
}

} // namespace

DeviceArray::~DeviceArray() {
    if (memory)
        runtime::freeDetached(memory);
}

PyObject *describedArray(const DeviceArray &array) {
    PyArray_Descr *descr = descriptorOf(array.dtype);
    Py_INCREF(descr);
    return PyArray_NewFromDescr(&PyArray_Type, descr, int(array.sizes.size()), array.sizes.data(),
                                array.strides.data(), array.address,
                                array.readonly ? 0 : NPY_ARRAY_WRITEABLE, nullptr);
}

int64_t DeviceArray::count() const {
    int64_t product = 1;
    for (int64_t size : sizes)
        product *= size;
    return product;
}

PyObject *makeDeviceArray(Owned array) {
    try {
        return py::cast(std::move(array)).release().ptr();
    } catch (py::error_already_set &error) {
        return error.restore(), nullptr;
    }
}

const DeviceArray *deviceArrayOf(PyObject *object) {
    static const py::handle type = py::type::of<DeviceArray>();
    return Py_TYPE(object) == reinterpret_cast<PyTypeObject *>(type.ptr())
               ? py::handle(object).cast<const DeviceArray *>()
               : nullptr;
}

// The elements in the host: of an array without dimensions a NumPy scalar.
static py::object scalarOrArray(const DeviceArray &array) { return copyToHost(array)[py::tuple()]; }

static py::object copied(const py::object &array) {
    return py::module_::import("shapecast._device_ufuncs").attr("copied")(array);
}

void bindDeviceArray(py::module_ &module) {
    py::class_<DeviceArray> type(
        module, "DeviceArray",
        R"(An array on a device: what `to_device` makes, and jitted functions that are called with one.

Other libraries read it through `__cuda_array_interface__` and DLPack; `np.asarray(x)` copies it to
the host, and waits for it. Integers and slices give views, to which values are assigned. Operators
and NumPy's ufuncs run on the device, as in a jitted function.

Attributes:
    shape: Sizes, a tuple.
    strides: Bytes between neighbours along each axis.
    dtype: A NumPy dtype.
    ndim: Number of dimensions.
    size: Number of elements.
    itemsize: Bytes of an element.
    nbytes: Bytes of all elements.
    device: "cuda:0".
    base: Of a view, the array that it is a view of, else None.

Examples:
    >>> if shapecast.devices():
    ...     x = shapecast.to_device(np.arange(6.0).reshape(2, 3))
    ...     x[0] = 7
    ...     assert x[:, 1:].copy_to_host().tolist() == [[7, 7], [4, 5]]
)");
    type.attr("__module__") = "shapecast";
    type.def_property_readonly("shape", [](const DeviceArray &a) { return tupleOf(a.sizes); })
        .def_property_readonly("strides", [](const DeviceArray &a) { return tupleOf(a.strides); })
        .def_property_readonly("dtype", &dtypeObject)
        .def_property_readonly("ndim", [](const DeviceArray &a) { return a.sizes.size(); })
        .def_property_readonly("size", &DeviceArray::count)
        .def_property_readonly("itemsize", [](const DeviceArray &a) { return itemSize(a.dtype); })
        .def_property_readonly(
            "nbytes", [](const DeviceArray &a) { return a.count() * int64_t(itemSize(a.dtype)); })
        .def_property_readonly("base",
                               [](const DeviceArray &a) { return a.base ? a.base : py::none(); })
        .def_property_readonly("device", [](const DeviceArray &a) { return a.device->text(); })
        .def_property_readonly("__cuda_array_interface__", &cudaInterface)
        .def("__array__", &toHost, py::arg("dtype") = py::none(), py::arg("copy") = py::none())
        .def("copy_to_host", &copyToHost, "A NumPy array with its elements; waits for them.")
        .def("copy_from_host", &copyFromHost, py::arg("values"),
             "Assigns values, which are broadcast and cast as by `x[...] = values`.")
        .def("__getitem__", &viewAt)
        .def("__setitem__",
             [](const py::object &self, const py::object &index, const py::object &values) {
                 copyFromHost(viewAt(self, index).cast<const DeviceArray &>(), values);
             })
        .def("__len__",
             [](const DeviceArray &a) {
                 return a.sizes.empty() ? throw py::type_error("len() of unsized object")
                                        : a.sizes[0];
             })
        .def("__float__", [](const DeviceArray &a) { return py::float_(copyToHost(a)); })
        .def("__int__", [](const DeviceArray &a) { return py::int_(copyToHost(a)); })
        .def("__bool__", [](const DeviceArray &a) { return py::bool_(copyToHost(a)); })
        .def("__complex__",
             [](const DeviceArray &a) { return copyToHost(a).attr("__complex__")(); })
        .def("__index__", [](const DeviceArray &a) { return copyToHost(a).attr("__index__")(); })
        .def("__round__",
             [](const DeviceArray &a, const py::args &digits) {
                 return scalarOrArray(a).attr("__round__")(*digits);
             })
        .def("__str__", [](const DeviceArray &a) { return py::str(scalarOrArray(a)); })
        .def("__format__",
             [](const DeviceArray &a, const py::str &form) {
                 return scalarOrArray(a).attr("__format__")(form);
             })
        .def("item", [](const DeviceArray &a) { return copyToHost(a).attr("item")(); })
        .def("tolist", [](const DeviceArray &a) { return copyToHost(a).attr("tolist")(); })
        .def("__array_ufunc__",
             [](const py::object &, const py::object &ufunc, const py::object &method,
                const py::args &inputs, const py::kwargs &options) {
                 return py::module_::import("shapecast._device_ufuncs")
                     .attr("array_ufunc")(ufunc, method, inputs, options);
             })
        .def("copy", &copied,
             "An array with the same elements, in memory of its own on the device.")
        .def("__copy__", &copied)
        .def("__deepcopy__",
             [](const py::object &array, const py::object &) { return copied(array); })
        .def("__reduce__",
             [](const DeviceArray &) -> py::object {
                 throw py::type_error("an array on a device is not pickled; take copy_to_host()");
             })
        .def("__repr__", &represented);
    // Operators are ufuncs, as NumPy's mixin for such classes has them.
    const py::object mixin = py::module_::import("numpy.lib.mixins").attr("NDArrayOperatorsMixin");
    for (const auto &[name, method] : py::dict(mixin.attr("__dict__")))
        if (PyFunction_Check(method.ptr()))
            type.attr(name) = method;
    type.attr("__hash__") = py::none(); // as other arrays, whose == is element by element
    module.def("to_device", &toDevice, py::arg("array"), py::arg("device") = "cuda:0");
}

} // namespace shapecast::bindings
