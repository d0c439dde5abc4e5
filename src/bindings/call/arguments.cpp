// From the arguments of a call to its key and slots.
#include "bindings/call/arguments.h"
#include "bindings/call/device_array.h"
#include "bindings/call/errors.h"
#include "bindings/call/exchange.h"
#include "bindings/call/forms.h"
#include "bindings/call/numpy_types.h"
#include "bindings/call/opaque_kinds.h"
#include "bindings/call/static_values.h"
#include "bindings/call/texts.h"
#include "bindings/call/wide_ints.h"
#include "capture/interrupts.h"
#include "capture/object_class.h"
#include "capture/object_kind.h"
#include "capture/record_classes.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <cstring>

namespace shapecast::bindings {
namespace {

using capture::classify;
using capture::ObjectClass;
using np::Layout;

constexpr long dlpackHost = 1, dlpackCuda = 2; // kDLCPU, kDLCUDA

std::string parameterText(const Parameters &parameters, int index) {
    if (size_t(index) >= parameters.visible)
        return "'" + textOf(parameters.names[size_t(index)].get()) + "', which " +
               parameters.function + "() uses,";
    return "argument '" + textOf(parameters.names[size_t(index)].get()) + "' of " +
           parameters.function + "()";
}

class Reader {
    const Parameters &parameters;
    Call &call;

public:
    Reader(const Parameters &parameters, Call &call) : parameters(parameters), call(call) {}

    bool read(int index, PyObject *object) {
        switch (const ObjectClass ofClass = classify(object)) {
        case ObjectClass::Array:
            return call.target < 0 ? array(index, reinterpret_cast<PyArrayObject *>(object))
                                   : moved(index, reinterpret_cast<PyArrayObject *>(object));
        case ObjectClass::Float:
        case ObjectClass::Int:
        case ObjectClass::Bool:
        case ObjectClass::Complex:
            return number(index, object, ofClass);
        case ObjectClass::NumpyScalar:
            return numpyScalar(object);
        default:
            return otherObject(index, object, ofClass);
        }
    }

private:
    bool array(int index, PyArrayObject *a) {
        PyArray_Descr *descr = PyArray_DESCR(a);
        const auto [dtype, shift] = supportedType(descr->type_num);
        if (dtype == notSupported)
            return opaque(reinterpret_cast<PyObject *>(a));
        KeyWord word{KeyWord::Array};
        word.dtype = DType(dtype);
        const int flags = PyArray_FLAGS(a), rank = PyArray_NDIM(a);
        word.rank = uint8_t(rank);
        word.readonly = !(flags & NPY_ARRAY_WRITEABLE);
        if (!(flags & NPY_ARRAY_ALIGNED) || descr->byteorder == '>')
            return copied(index, a, word);
        const npy_intp *dims = PyArray_DIMS(a), *strides = PyArray_STRIDES(a);
        const int64_t item = int64_t{1} << shift;
        char *data = PyArray_BYTES(a);
        const size_t start = call.slots.size();
        call.slots.resize_for_overwrite(start + 1 + 2 * size_t(rank));
        int64_t *slot = call.slots.data() + start;
        *slot++ = reinterpret_cast<int64_t>(data);
        int64_t count = 1;
#pragma clang loop vectorize(disable) unroll(disable) // two or three iterations
        for (int d = 0; d < rank; ++d) {
            slot[d] = dims[d];
            slot[rank + d] = strides[d] >> shift;
            count *= dims[d];
        }
        slot += rank;
        ArrayArgument argument{data, data + count * item, uint32_t(index), uint32_t(start)};
        if (flags & NPY_ARRAY_C_CONTIGUOUS) {
            word.layout = Layout::C;
        } else if (flags & NPY_ARRAY_F_CONTIGUOUS) {
            word.layout = Layout::F;
        } else {
            // A stride that is no multiple of the item size: of a field of a structured array, say.
            for (int d = 0; d < rank; ++d)
                if (dims[d] > 1 && (strides[d] & (item - 1))) {
                    call.slots.truncate(start);
                    return copied(index, a, word);
                }
            const bool unit = strides[rank - 1] == item || dims[rank - 1] == 1;
            word.layout = unit ? Layout::Inner : Layout::Strided;
            word.stride = unit ? 0 : knownStride(rank, dims, slot);
            if (unit) // an axis of one element may have any stride in NumPy: it counts as 1
                slot[rank - 1] = 1;
            extents(a, item, argument);
            word.overlapsItself = !word.readonly && overlapsItself(a, item);
        }
        call.elements += count;
        call.arrays.push_back(argument);
        call.key.push_back(word.pack());
        return true;
    }

    // Strides in elements.
    static uint8_t knownStride(int rank, const npy_intp *dims, const int64_t *strides) {
        bool grows = rank > 1 && dims[0] > 1;
        for (int d = 1; d < rank; ++d)
            grows &= std::abs(strides[d]) > std::abs(strides[d - 1]);
        for (size_t k = 0; k < std::size(knownStrides); ++k)
            if (knownStrides[k].stride == strides[knownStrides[k].isFirst ? 0 : rank - 1] &&
                (grows || !knownStrides[k].isFirst))
                return uint8_t(k + 1);
        return 0;
    }

    static void extents(PyArrayObject *a, int64_t item, ArrayArgument &argument) {
        const char *low = PyArray_BYTES(a), *high = low + item;
        for (int d = 0; d < PyArray_NDIM(a); ++d) {
            const int64_t reach = (PyArray_DIM(a, d) - 1) * PyArray_STRIDE(a, d);
            (reach < 0 ? low : high) += reach;
        }
        argument.low = low;
        argument.high = high;
        if (PyArray_SIZE(a) == 0)
            argument.high = argument.low;
    }

    // Whether two different indices may name the same element: not so where the stride of each axis
    // exceeds the extent of all axes of smaller stride.
    static bool overlapsItself(PyArrayObject *a, int64_t item) {
        std::pair<int64_t, int64_t> axes[NPY_MAXDIMS]; // stride, size
        int count = 0;
        for (int d = 0; d < PyArray_NDIM(a); ++d) {
            if (PyArray_DIM(a, d) == 0)
                return false;
            if (PyArray_DIM(a, d) > 1)
                axes[count++] = {std::abs(PyArray_STRIDE(a, d)), PyArray_DIM(a, d)};
        }
        std::sort(axes, axes + count);
        int64_t reach = item;
        for (int d = 0; d < count; ++d) {
            if (axes[d].first < reach)
                return true;
            reach += axes[d].first * (axes[d].second - 1);
        }
        return false;
    }

    bool copied(int index, PyArrayObject *a, KeyWord word) {
        PyObject *copy = nullptr;
        for (const CopiedArgument &earlier : call.copies)
            if (call.arguments[earlier.parameter] == reinterpret_cast<PyObject *>(a))
                copy = Py_NewRef(earlier.copy.get());
        if (!copy)
            copy = PyArray_FromArray(a, PyArray_DescrFromType(numpyType(word.dtype)),
                                     NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY);
        if (!copy)
            return false;
        call.copies.push_back({uint32_t(index), Ref::steal(copy)});
        auto *array = reinterpret_cast<PyArrayObject *>(copy);
        if (word.readonly)
            PyArray_CLEARFLAGS(array, NPY_ARRAY_WRITEABLE);
        return this->array(index, array);
    }

    // Also of a subclass.
    bool number(int index, PyObject *object, ObjectClass ofClass) {
        const bool isStatic = parameters.requestedStatic.contains(size_t(index));
        if (ofClass == ObjectClass::Bool) {
            KeyWord word{isStatic ? KeyWord::StaticBool : KeyWord::PyBool};
            if (isStatic)
                word.value = object == Py_True;
            else
                call.slots.push_back(object == Py_True);
            call.key.push_back(word.pack());
            return true;
        }
        if (ofClass == ObjectClass::Int || ofClass == ObjectClass::IntSubclass) {
            int overflow = 0;
            const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
            int64_t words[2];
            if (overflow && !isStatic && wideIntWords(object, words)) {
                call.slots.append(std::begin(words), std::end(words));
                call.key.push_back(KeyWord{KeyWord::PyWideInt}.pack());
                return true;
            }
            if (overflow) {
                PyErr_Format(
                    PyExc_OverflowError,
                    "Python integer %S of argument '%U' does not fit into 128 bits; pass a "
                    "float or an array",
                    object, parameters.names[size_t(index)].get());
                return false;
            }
            KeyWord word{KeyWord::PyInt};
            if (isStatic) {
                if (value != int32_t(value))
                    return staticValue(object);
                word.kind = KeyWord::StaticInt;
                word.value = int32_t(value);
            } else {
                call.slots.push_back(value);
            }
            call.key.push_back(word.pack());
            return true;
        }
        if (isStatic)
            return staticValue(object);
        if (ofClass == ObjectClass::Float || ofClass == ObjectClass::FloatSubclass) {
            call.slots.push_back(bits(PyFloat_AS_DOUBLE(object)));
            call.key.push_back(KeyWord{KeyWord::PyFloat}.pack());
            return true;
        }
        const Py_complex value = PyComplex_AsCComplex(object);
        call.slots.push_back(bits(value.real));
        call.slots.push_back(bits(value.imag));
        call.key.push_back(KeyWord{KeyWord::PyComplex}.pack());
        return true;
    }

    static int64_t bits(double value) {
        int64_t result;
        std::memcpy(&result, &value, 8);
        return result;
    }

    bool numpyScalar(PyObject *object) {
        DType dtype;
        const char *value = scalarValue(object, dtype);
        char copy[16] = {};
        if (!value) {
            Ref descr = Ref::steal(reinterpret_cast<PyObject *>(PyArray_DescrFromScalar(object)));
            if (!descr)
                return false;
            const auto [known, shift] =
                supportedType(reinterpret_cast<PyArray_Descr *>(descr.get())->type_num);
            if (known == notSupported)
                return opaque(object);
            PyArray_ScalarAsCtype(object, copy);
            dtype = DType(known);
            value = copy;
        }
        return strongScalar(dtype, value);
    }

    // Where a NumPy scalar of the most frequent classes has its value; null for other classes.
    static const char *scalarValue(PyObject *object, DType &dtype) {
        PyTypeObject *type = Py_TYPE(object);
        auto at = [&](DType found, const void *value) {
            dtype = found;
            return static_cast<const char *>(value);
        };
        if (type == &PyDoubleArrType_Type)
            return at(DType::F64, &PyArrayScalar_VAL(object, Double));
        if (type == &PyLongArrType_Type)
            return at(DType::I64, &PyArrayScalar_VAL(object, Long));
        if (type == &PyFloatArrType_Type)
            return at(DType::F32, &PyArrayScalar_VAL(object, Float));
        if (type == &PyCDoubleArrType_Type)
            return at(DType::C128, &PyArrayScalar_VAL(object, CDouble));
        if (type == &PyIntArrType_Type)
            return at(DType::I32, &PyArrayScalar_VAL(object, Int));
        if (type == &PyBoolArrType_Type)
            return at(DType::Bool, &PyArrayScalar_VAL(object, Bool));
        return nullptr;
    }

    bool strongScalar(DType dtype, const char *value) {
        KeyWord word{KeyWord::Scalar};
        word.dtype = dtype;
        int64_t slot = 0;
        std::memcpy(&slot, value, itemSize(dtype) < 8 ? itemSize(dtype) : 8);
        if (dtype == DType::C64) {
            call.slots.push_back(int64_t(uint32_t(slot)));
            call.slots.push_back(int64_t(uint64_t(slot) >> 32));
        } else if (dtype == DType::C128) {
            call.slots.push_back(slot);
            std::memcpy(&slot, value + 8, 8);
            call.slots.push_back(slot);
        } else {
            if (isSigned(dtype)) { // sign-extended; the others have zeros above
                const size_t above = 64 - 8 * itemSize(dtype);
                slot = int64_t(uint64_t(slot) << above) >> above;
            }
            call.slots.push_back(slot);
        }
        call.key.push_back(word.pack());
        return true;
    }

    // An object that compiled code only passes on to Python.
    bool opaque(PyObject *object) {
        KeyWord word{KeyWord::Object};
        word.value = opaqueKindOf(object);
        if (word.value < 0)
            return false;
        call.slots.push_back(reinterpret_cast<int64_t>(object));
        call.key.push_back(word.pack());
        return true;
    }

    // Not inlined: its texts would make the frame of read() large.
    [[gnu::noinline]] bool otherObject(int index, PyObject *object, ObjectClass ofClass);
    bool inMemory(int index, PyObject *object, ObjectClass ofClass);
    [[gnu::noinline]] bool moved(int index, PyArrayObject *array);
    bool deviceArray(int index, PyObject *object, PyObject *interface);
    std::optional<bool> exchanged(int index, PyObject *object, const ExchangeApi &api);
    bool onDevice(int index, PyArrayObject *described, int ordinal, CUstream stream);
    bool ownDeviceArray(int index, const DeviceArray &array);
    bool staticValue(PyObject *object);

    bool unsupported(int index, const std::string &what) {
        raiseUnsupported(parameterText(parameters, index) + " " + what);
        return false;
    }
};

bool Reader::staticValue(PyObject *object) {
    KeyWord word{KeyWord::Static};
    word.value = staticNumber(object);
    if (word.value < 0)
        return false;
    call.key.push_back(word.pack());
    return true;
}

// An attribute, or null where there is none.
Ref attributeOf(PyObject *object, const char *name) {
    Ref value = Ref::steal(PyObject_GetAttrString(object, name));
    if (!value)
        capture::forgetError();
    return value;
}

// The device as DLPack numbers it: type and id. CUDA's device 0 where the object has no
// __dlpack_device__.
std::pair<long, long> dlpackDevice(PyObject *object) {
    std::pair<long, long> device{dlpackCuda, 0};
    Ref method = attributeOf(object, "__dlpack_device__");
    Ref pair = method ? Ref::steal(PyObject_CallNoArgs(method.get())) : Ref();
    if (pair && !PyArg_ParseTuple(pair.get(), "ll", &device.first, &device.second))
        device = {dlpackCuda, 0};
    capture::forgetError();
    return device;
}

// Of an array whose interface does not say.
uintptr_t currentStream(PyObject *array) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._array_libraries"));
    Ref stream = module
                     ? Ref::steal(PyObject_CallMethod(module.get(), "current_stream", "O", array))
                     : Ref();
    return stream ? PyLong_AsSize_t(stream.get()) : 0;
}

// An array in CUDA's memory, by
// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
bool Reader::deviceArray(int index, PyObject *object, PyObject *interface) {
    auto item = [&](const char *name) { return dictItem(interface, name); };
    PyArray_Descr *descr = nullptr;
    Py_ssize_t address = 0;
    int readonly = 0;
    if (!PyDict_Check(interface))
        return unsupported(index, "has no valid __cuda_array_interface__");
    const Ref type = item("typestr"), sizes = item("shape"), data = item("data"),
              steps = item("strides"), mask = item("mask"), given = item("stream");
    if (!type || !sizes || !data || !PyArray_DescrConverter(type.get(), &descr))
        return capture::forgetError(), unsupported(index, "has no valid __cuda_array_interface__");
    const Ref owner = Ref::steal(reinterpret_cast<PyObject *>(descr));
    const int dtype = supportedType(descr->type_num).dtype;
    if (dtype == notSupported || descr->byteorder == '>')
        return unsupported(index,
                           "has dtype " + textOf(owner.get()) +
                               ", which is not supported on devices; convert it with astype()");
    if (mask && mask.get() != Py_None)
        return unsupported(index, "has a mask, which arrays on devices here do not have");
    // A NumPy array over that address, for its sizes, strides and layout; nothing reads through it.
    PyArray_Dims shape{}, strides{};
    const bool strided = steps && steps.get() != Py_None;
    if (!PyArg_ParseTuple(data.get(), "np", &address, &readonly) ||
        !PyArray_IntpConverter(sizes.get(), &shape) ||
        (strided && !PyArray_IntpConverter(steps.get(), &strides))) {
        PyDimMem_FREE(shape.ptr);
        return capture::forgetError(), unsupported(index, "has no valid __cuda_array_interface__");
    }
    Ref array = Ref::steal(PyArray_NewFromDescr(
        &PyArray_Type, reinterpret_cast<PyArray_Descr *>(Py_NewRef(owner.get())), shape.len,
        shape.ptr, strides.ptr, reinterpret_cast<void *>(address),
        readonly ? 0 : NPY_ARRAY_WRITEABLE, nullptr));
    PyDimMem_FREE(shape.ptr);
    PyDimMem_FREE(strides.ptr);
    if (!array)
        return false;
    if (!call.ofLibrary)
        call.ofLibrary = object;
    uintptr_t stream = 0;
    if (given)
        stream = given.get() == Py_None ? 0 : PyLong_AsSize_t(given.get());
    else
        stream = currentStream(object);
    capture::forgetError();
    return onDevice(index, reinterpret_cast<PyArrayObject *>(array.get()),
                    int(dlpackDevice(object).second), reinterpret_cast<CUstream>(stream));
}

// None: the array is on no CUDA device.
std::optional<bool> Reader::exchanged(int index, PyObject *object, const ExchangeApi &api) {
    std::string dtype;
    const std::optional<ExchangedArray> array = exchangedArray(api, object, dtype);
    if (!array)
        return std::nullopt;
    if (!dtype.empty())
        return unsupported(index, "has a dtype that is not supported (" + dtype + ")");
    if (!array->described)
        return false;
    const bool isFirst = !call.stream;
    if (!call.ofLibrary)
        call.ofLibrary = object;
    if (!onDevice(index, reinterpret_cast<PyArrayObject *>(array->described.get()), array->ordinal,
                  array->stream))
        return false;
    if (isFirst)
        call.exchange = &api;
    return true;
}

// `described`: a NumPy array over the device's addresses. `stream`: on which its elements are
// computed; null: they are there.
bool Reader::onDevice(int index, PyArrayObject *described, int ordinal, CUstream stream) {
    bool isAligned = PyArray_ISALIGNED(described); // else array() would copy it
    for (int d = 0; d < PyArray_NDIM(described); ++d)
        isAligned &= PyArray_STRIDE(described, d) % PyArray_ITEMSIZE(described) == 0;
    if (!isAligned)
        return unsupported(
            index, "is an unaligned array on a device, which is not supported; pass a copy");
    const int64_t elements = call.elements;
    if (!array(index, described))
        return false;
    call.elements = elements; // the host does nothing for them
    KeyWord word = KeyWord::unpack(call.key.back());
    word.value = int32_t(1 + ordinal);
    call.key.back() = word.pack();
    call.device = ordinal;
    if (stream && !call.stream)
        call.stream = stream;
    else if (stream && stream != call.stream && !llvm::is_contained(call.otherStreams, stream))
        call.otherStreams.push_back(stream);
    return true;
}

// An array of the host that is read as its copy on the device will be (moved_arrays.h).
bool Reader::moved(int index, PyArrayObject *given) {
    const auto number = uint32_t(call.arrays.size());
    if (!array(index, given))
        return false;
    if (number == call.arrays.size() || parameters.numberLists.contains(size_t(index)))
        return true; // opaque, or a list
    KeyWord word = KeyWord::unpack(call.key.back());
    word.value = int32_t(1 + call.target);
    call.key.back() = word.pack();
    call.device = call.target;
    call.moved.push_back(number);
    return true;
}

bool Reader::ownDeviceArray(int index, const DeviceArray &array) {
    const Ref described = Ref::steal(describedArray(array));
    return described && onDevice(index, reinterpret_cast<PyArrayObject *>(described.get()),
                                 array.device->ordinal, array.stream);
}

// Classes whose objects are all opaque (isOfClassAlone()): to find that out again takes ten times
// as long as the rest of a call.
llvm::SmallPtrSet<PyTypeObject *, 8> &opaqueClasses() {
    static auto *classes = new llvm::SmallPtrSet<PyTypeObject *, 8>; // each owns its class
    return *classes;
}

// Whether the class alone decides how an object is read.
bool isOfClassAlone(PyObject *object, ObjectClass ofClass) {
    PyTypeObject *type = Py_TYPE(object);
    return ofClass != ObjectClass::ArraySubclass && !PyCallable_Check(object) &&
           type->tp_dictoffset == 0 && type->tp_getattro == PyObject_GenericGetAttr;
}

bool isNumberSubclass(ObjectClass ofClass) {
    return ofClass == ObjectClass::IntSubclass || ofClass == ObjectClass::FloatSubclass ||
           ofClass == ObjectClass::ComplexSubclass;
}

// A subclass of int, float or complex that overrides operators, comparisons, iteration or calls.
bool hasOwnOperators(PyObject *object, ObjectClass ofClass) {
    const PyTypeObject *type = Py_TYPE(object);
    const PyTypeObject *base = ofClass == ObjectClass::IntSubclass     ? &PyLong_Type
                               : ofClass == ObjectClass::FloatSubclass ? &PyFloat_Type
                                                                       : &PyComplex_Type;
    auto isDefined = [](auto *slots, auto member) { return slots && slots->*member; };
    return std::memcmp(type->tp_as_number, base->tp_as_number, sizeof(PyNumberMethods)) != 0 ||
           type->tp_richcompare != base->tp_richcompare || type->tp_iter || type->tp_call ||
           isDefined(type->tp_as_sequence, &PySequenceMethods::sq_length) ||
           isDefined(type->tp_as_sequence, &PySequenceMethods::sq_contains) ||
           isDefined(type->tp_as_mapping, &PyMappingMethods::mp_subscript);
}

// Whether the argument is to be flattened (flatten.h).
bool isNested(PyObject *object, ObjectClass ofClass) {
    return capture::isContainer(ofClass) || ofClass == ObjectClass::Range ||
           capture::isReplacedValue(object) ||
           (!capture::isBuiltinValue(ofClass) ? capture::isObject(object)
                                              : capture::isValueMember(object));
}

// Whether code knows the classes of what is in it: of globals those that its capture noted, and
// itself; of arguments that are not flattened none.
static bool knowsClasses(const Parameters &parameters, PyObject *object, int32_t form,
                         bool isHidden) {
    const std::vector<PyObject *> classes = classesOfForm(form);
    if (!isHidden)
        return classes.empty();
    const auto isUnknown = [&](PyObject *type) {
        return llvm::none_of(parameters.classesInMemory,
                             [&](const auto &one) { return one.ptr() == type; });
    };
    return llvm::count_if(classes, isUnknown) <= (capture::isOfCollections(object) ? 1 : 0);
}

// A list, dict, set or string that compiled code has in memory.
bool Reader::inMemory(int index, PyObject *object, ObjectClass ofClass) {
    const bool isWanted = capture::isReplacedValue(object) || size_t(index) >= parameters.visible
                              ? true
                          : ofClass == ObjectClass::Str
                              ? parameters.inMemory >= MemoryUse::Strings ||
                                    PyUnicode_GET_LENGTH(object) > parameters.longestConstant
                              : mayBeInMemory(object, parameters.inMemory);
    call.formPlaces.mergesInstances = parameters.mergesInstances;
    const int32_t form = isWanted ? formNumberOf(object, index, call.formPlaces) : -1;
    if (form < 0)
        return false;
    // Of globals code knows the class itself, of other arguments all, if they are flattened.
    const bool isHidden = size_t(index) >= parameters.visible;
    if ((isHidden || !parameters.areFlattened) && !knowsClasses(parameters, object, form, isHidden))
        return false;
    KeyWord word{KeyWord::InMemory};
    word.value = form;
    call.key.push_back(word.pack());
    call.slots.push_back(reinterpret_cast<int64_t>(object));
    return true;
}

bool Reader::otherObject(int index, PyObject *object, ObjectClass ofClass) {
    const bool mayBe = !parameters.requestedStatic.contains(size_t(index)) &&
                       (parameters.inMemory != MemoryUse::None || ofClass == ObjectClass::Str ||
                        capture::isOfCollections(object));
    if (mayBe && size_t(index) < parameters.visible && inMemory(index, object, ofClass))
        [[unlikely]]
        return true;
    const bool isLater = capture::isOfCollections(object) ||
                         (PySet_CheckExact(object) && parameters.inMemory != MemoryUse::None);
    if (isLater && !parameters.areFlattened && size_t(index) < parameters.visible) {
        call.nested = true; // code has to know the class that stands for it
        return false;
    }
    if (capture::isPattern(object) && parameters.inMemory < MemoryUse::Strings) {
        const Ref key = keyOfPattern(object);
        return key && staticValue(key.get());
    }
    if (size_t(index) >= parameters.visible && capture::isReplacedValue(object))
        return inMemory(index, object, ofClass) ||
               unsupported(index, "is a frozenset whose items are of several kinds, which is not "
                                  "supported; pass one of items of one kind");
    if (parameters.globals.contains(size_t(index)) &&
        (capture::isMutableContainer(object) || isInstance(object))) {
        if (inMemory(index, object, ofClass))
            return true;
        if (ofClass == ObjectClass::List || ofClass == ObjectClass::Dict || isInstance(object))
            return unsupported(index, "is an argument, too, or has items of several kinds, which "
                                      "is not supported; pass what is needed of it");
    }
    if (ofClass == ObjectClass::None || ofClass == ObjectClass::Str)
        return staticValue(object);
    if (opaqueClasses().contains(Py_TYPE(object)))
        return opaque(object);
    if (isStatic(object))
        return staticValue(object);
    if (const DeviceArray *own = deviceArrayOf(object))
        return ownDeviceArray(index, *own);
    if (isNested(object, ofClass)) {
        call.nested = true; // no exception is set
        return false;
    }
    if (ofClass != ObjectClass::ArraySubclass) {
        if (const ExchangeApi *api = exchangeApiOf(object))
            if (const std::optional<bool> isRead = exchanged(index, object, *api))
                return *isRead;
        if (const Ref interface = attributeOf(object, "__cuda_array_interface__"))
            return deviceArray(index, object, interface.get());
        const auto [kind, number] = dlpackDevice(object);
        if (kind != dlpackCuda && kind != dlpackHost)
            return unsupported(index, "is on the DLPack device (" + std::to_string(kind) + ", " +
                                          std::to_string(number) +
                                          "), which is not supported; pass an array in host memory "
                                          "or on a CUDA device");
    }
    const std::string type = Py_TYPE(object)->tp_name;
    if (isNumberSubclass(ofClass)) {
        if (hasOwnOperators(object, ofClass))
            return unsupported(index, "is a " + type +
                                          ", a number class that overrides operators, which is "
                                          "not supported; "
                                          "pass int(x), float(x) or complex(x)");
        return number(index, object, ofClass); // its value
    }
    if (ofClass == ObjectClass::TupleSubclass && attributeOf(object, "_fields") &&
        capture::recordClass(reinterpret_cast<PyObject *>(Py_TYPE(object)))) {
        call.nested = true; // else a subclass of a namedtuple, which may have more attributes
        return false;
    }
    if (ofClass == ObjectClass::ListSubclass || ofClass == ObjectClass::TupleSubclass)
        return unsupported(index, "is a " + type +
                                      ", a subclass that is not supported; pass tuple(x), or "
                                      "its items one by one");
    if (ofClass == ObjectClass::DictSubclass)
        return unsupported(index, "is a " + type +
                                      ", a subclass of dict, which is not supported; pass "
                                      "dict(x), or its values one by one");
    if (!opaque(object))
        return false;
    if (isOfClassAlone(object, ofClass) && opaqueClasses().insert(Py_TYPE(object)).second)
        Py_INCREF(Py_TYPE(object));
    return true;
}

// The same view: data pointer, sizes and strides.
bool isSameView(const Call &call, const ArrayArgument &a, const ArrayArgument &b) {
    if (KeyWord x = KeyWord::unpack(call.key[a.parameter]),
        y = KeyWord::unpack(call.key[b.parameter]);
        x.dtype != y.dtype || x.rank != y.rank || x.layout != y.layout)
        return false;
    const size_t words = 1 + 2 * size_t(KeyWord::unpack(call.key[a.parameter]).rank);
    return std::memcmp(&call.slots[a.slot], &call.slots[b.slot], words * sizeof(int64_t)) == 0;
}

// Whether the extents of any two of them overlap.
bool anyOverlap(llvm::ArrayRef<ArrayArgument> arrays) {
    llvm::SmallVector<std::pair<const char *, const char *>, 0> extents;
    for (const ArrayArgument &a : arrays)
        if (a.low != a.high)
            extents.emplace_back(a.low, a.high);
    llvm::sort(extents);
    for (size_t k = 1; k < extents.size(); ++k)
        if (extents[k].first < extents[k - 1].second)
            return true;
    return false;
}

// One key word for each pair of arrays whose extents overlap, unless both are read-only.
void readAliasing(Call &call) {
    const size_t count = call.arrays.size();
    constexpr size_t maxPairwise = 32;
    if (count > maxPairwise && !anyOverlap(call.arrays))
        return;
    for (size_t j = 1; j < count; ++j)
        for (size_t i = 0; i < j; ++i) {
            const ArrayArgument &a = call.arrays[i], &b = call.arrays[j];
            if (a.low >= b.high || b.low >= a.high || a.low == a.high || b.low == b.high) [[likely]]
                continue;
            if (KeyWord::unpack(call.key[a.parameter]).readonly &&
                KeyWord::unpack(call.key[b.parameter]).readonly)
                continue;
            const bool same = call.arguments[a.parameter] == call.arguments[b.parameter] ||
                              isSameView(call, a, b);
            const auto kind = same ? AliasWord::Same : AliasWord::Overlap;
            call.key.push_back(
                AliasWord{kind, uint16_t(a.parameter), uint16_t(b.parameter)}.pack());
        }
}

// A copy aliases nothing, so its original must not alias another argument either: stores through
// one of them would not be seen through the other.
bool copiesAreDisjoint(const Parameters &parameters, const Call &call) {
    for (const CopiedArgument &copy : call.copies)
        for (const ArrayArgument &other : call.arrays) {
            if (!PyArray_Check(call.arguments[other.parameter])) // is on a device
                continue;
            auto *original = reinterpret_cast<PyArrayObject *>(call.arguments[copy.parameter]);
            auto *second = reinterpret_cast<PyArrayObject *>(call.arguments[other.parameter]);
            if (original == second ||
                (!PyArray_ISWRITEABLE(original) && !PyArray_ISWRITEABLE(second)))
                continue;
            // Exact up to a limit of work, so that interleaved views count as disjoint.
            Ref numpy = Ref::steal(PyImport_ImportModule("numpy"));
            Ref shared = Ref::steal(
                PyObject_CallMethod(numpy.get(), "shares_memory", "OOi", original, second, 10000));
            if (!shared)
                capture::forgetError();
            if (shared.get() != Py_False) {
                raiseUnsupported(parameterText(parameters, copy.parameter) +
                                 " is unaligned or has non-native byte order, and shares memory "
                                 "with another argument, which is not supported; pass a copy");
                return false;
            }
        }
    return true;
}

} // namespace

bool readArguments(const Parameters &parameters, PyObject *const *arguments, Call &call) {
    call.arguments = arguments;
    Reader reader(parameters, call);
    const int count = int(parameters.names.size());
    for (int i = 0; i < count; ++i)
        if (!reader.read(i, arguments[i]))
            return false;
    if (call.arrays.size() > 1)
        readAliasing(call);
    if (!call.copies.empty() && !copiesAreDisjoint(parameters, call))
        return false;
    return true;
}

bool writeBack(const Call &call) {
    for (const CopiedArgument &copy : call.copies) {
        auto *original = reinterpret_cast<PyArrayObject *>(call.arguments[copy.parameter]);
        if (PyArray_ISWRITEABLE(original) &&
            PyArray_CopyInto(original, reinterpret_cast<PyArrayObject *>(copy.copy.get())) < 0)
            return false;
    }
    return true;
}

bool isObjectArgument(PyObject *object) {
    if (capture::isReplacedValue(object))
        return true;
    const bool isValue = capture::isBuiltinValue(classify(object));
    return !isStatic(object) &&
           (isValue ? capture::isValueMember(object) : capture::isObject(object));
}

} // namespace shapecast::bindings
