// Python objects from the records that compiled code passes when it prints or raises.
#include "bindings/call/recorded_values.h"
#include "bindings/call/caught_exceptions.h"
#include "bindings/call/errors.h"
#include "bindings/call/interpreter_lock.h"
#include "bindings/call/numpy_types.h"
#include "bindings/call/restart.h"
#include "bindings/call/texts.h"
#include "bindings/call/wide_ints.h"
#include "runtime/callbacks.h"

#include <cstring>

namespace shapecast::bindings {

static double asDouble(int64_t bits) {
    double value;
    std::memcpy(&value, &bits, 8);
    return value;
}

static std::string nameOf(const runtime::PrintItem &item) {
    return {reinterpret_cast<const char *>(item.a), size_t(item.b)};
}

Ref callNamed(const char *name, PyObject *arguments) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._objects"));
    return module ? Ref::steal(PyObject_CallMethod(module.get(), "called", "sO", name, arguments))
                  : Ref();
}

// The string in memory that a call of `contained` makes an object of; null for other calls.
static const runtime::Text *textOf(const runtime::PrintItem *call) {
    using Item = runtime::PrintItem;
    const Item &form = call[1], &words = call[2];
    const bool isText = call->c == 2 && form.kind == Item::Text && form.b == 1 &&
                        *reinterpret_cast<const char *>(form.a) == 'T' &&
                        words.kind == Item::Array &&
                        nameOf(*call) == "shapecast._objects.contained";
    return isText ? reinterpret_cast<const runtime::Text *>(words.b) : nullptr;
}

Ref RecordedValues::take(bool wanted) {
    const Item &item = *next++;
    switch (item.kind) {
    case Item::Tuple:
    case Item::List:
        return sequence(item, item.a, wanted);
    case Item::Call: {
        if (const runtime::Text *text = textOf(&item)) {
            next += 2;
            return wanted ? textObject(*text) : Ref::share(Py_None);
        }
        Ref arguments = sequence(item, item.c, wanted);
        return arguments && wanted ? callNamed(nameOf(item).c_str(), arguments.get())
                                   : std::move(arguments);
    }
    case Item::Optional: {
        Ref present = take(wanted && (item.a & 1)), otherwise = take(wanted && !(item.a & 1));
        return item.a & 1 ? std::move(present) : std::move(otherwise);
    }
    default:
        return wanted ? Ref::steal(single(item)) : Ref::share(Py_None);
    }
}

Ref RecordedValues::sequence(const Item &item, int64_t count, bool wanted) {
    Ref list = Ref::steal(PyList_New(0));
    for (int64_t k = 0; k < count && list; ++k) {
        Ref value = take(wanted);
        if (!value || PyList_Append(list.get(), value.get()) < 0)
            return Ref();
    }
    return item.kind != Item::List && list ? Ref::steal(PyList_AsTuple(list.get()))
                                           : std::move(list);
}

PyObject *RecordedValues::single(const Item &item) {
    switch (item.kind) {
    case Item::Text:
        return PyUnicode_FromStringAndSize(reinterpret_cast<const char *>(item.a), item.b);
    case Item::Named: {
        Ref module = Ref::steal(PyImport_ImportModule("shapecast._objects"));
        return module ? PyObject_CallMethod(module.get(), "named", "s", nameOf(item).c_str())
                      : nullptr;
    }
    case Item::PyBool:
        return Py_NewRef(item.b & 1 ? Py_True : Py_False);
    case Item::PyInt:
        return PyLong_FromLongLong(item.b);
    case Item::PyWideInt: {
        const int64_t words[] = {item.b, item.c};
        return wideIntObject(words);
    }
    case Item::PyFloat:
        return PyFloat_FromDouble(asDouble(item.b));
    case Item::PyComplex:
        return PyComplex_FromDoubles(asDouble(item.b), asDouble(item.c));
    case Item::Scalar:
        return scalarObject(DType(item.a), &item.b);
    case Item::Array: {
        const int rank = int(item.a >> 8) & 0xff;
        const auto *sizes = reinterpret_cast<const int64_t *>(item.c);
        return array({DType(item.a & 0xff), rank, bool(item.a >> 16), sizes, sizes + rank,
                      reinterpret_cast<void *>(item.b), uintptr_t(sizes[2 * rank])});
    }
    case Item::Object:
        return Py_NewRef(reinterpret_cast<PyObject *>(item.a));
    default:
        return Py_NewRef(Py_None);
    }
}

PyObject *RecordedValues::Window::asArray() const {
    npy_intp steps[NPY_MAXDIMS];
    for (int d = 0; d < rank; ++d)
        steps[d] = npy_intp(strides[d]) * npy_intp(itemSize(dtype));
    Py_INCREF(descriptorOf(dtype));
    return PyArray_NewFromDescr(&PyArray_Type, descriptorOf(dtype), rank,
                                reinterpret_cast<const npy_intp *>(sizes), steps, data,
                                NPY_ARRAY_ALIGNED | (readonly ? 0 : NPY_ARRAY_WRITEABLE), nullptr);
}

PyObject *RecordedValues::array(const Window &window) {
    Ref view = Ref::steal(window.asArray());
    return view ? PyArray_NewCopy(reinterpret_cast<PyArrayObject *>(view.get()), NPY_KEEPORDER)
                : nullptr;
}

namespace {

// sep, end, file and flush, from the first four records.
Ref printOptions(RecordedValues &records) {
    Ref sep = records.take(), end = records.take(), file = records.take(), flush = records.take();
    if (!sep || !end || !file || !flush)
        return Ref();
    Ref stream = Ref::share(Py_None); // sys.stdout
    if (const char *name = PyUnicode_AsUTF8(file.get()); name && *name)
        stream = sysAttribute(name);
    return Ref::steal(Py_BuildValue("{sOsOsOsO}", "sep", sep.get(), "end", end.get(), "file",
                                    stream ? stream.get() : Py_None, "flush",
                                    PyUnicode_GET_LENGTH(flush.get()) ? Py_True : Py_False));
}

bool callPrint(const runtime::PrintItem *items, int64_t count) {
    RecordedValues records(items, count);
    Ref options = printOptions(records);
    Ref values = options ? Ref::steal(PyList_New(0)) : Ref();
    while (values && !records.atEnd()) {
        Ref value = records.take();
        if (!value || PyList_Append(values.get(), value.get()) < 0)
            return false;
    }
    Ref arguments = values ? Ref::steal(PyList_AsTuple(values.get())) : Ref();
    return arguments && printHeld(std::move(arguments), std::move(options));
}

} // namespace

int32_t printItems(runtime::Context *ctx, const runtime::PrintItem *items, int64_t count) {
    WithInterpreterLock locked;
    const bool done = callPrint(items, count);
    if (!done)
        ctx->error.site = -3; // the caller finds the exception set
    return done ? 0 : 1;
}

static void raise(const runtime::PrintItem *items, int64_t count) {
    RecordedValues records(items, count);
    Ref values = Ref::steal(PyList_New(0));
    while (values && !records.atEnd()) {
        Ref value = records.take();
        if (!value || PyList_Append(values.get(), value.get()) < 0)
            return;
    }
    Ref arguments = values ? Ref::steal(PyList_AsTuple(values.get())) : Ref();
    Ref module = arguments ? Ref::steal(PyImport_ImportModule("shapecast._objects")) : Ref();
    Ref function = module ? Ref::steal(PyObject_GetAttrString(module.get(), "raised")) : Ref();
    Ref made = function ? Ref::steal(PyObject_CallObject(function.get(), arguments.get())) : Ref();
    if (made)
        PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(made.get())), made.get());
}

// Sets the exception; the frames are added when the call returns, but of one that was raised
// before.
void raiseItems(runtime::Context *ctx, const runtime::PrintItem *items, int64_t count) {
    WithInterpreterLock locked;
    raise(items, count);
    addLocationOfCaught();
    Ref raised = takeException();
    if (raised && Ref::steal(PyException_GetTraceback(raised.get())))
        ctx->error.site = -3;
    setException(std::move(raised));
}

} // namespace shapecast::bindings
