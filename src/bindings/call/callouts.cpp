// Compiled code that calls Python: its operands become Python objects, and the result is unboxed
// into slots.
#include "bindings/call/callouts.h"

#include "bindings/call/arguments.h"
#include "bindings/call/generators.h"
#include "bindings/call/interpreter_lock.h"
#include "bindings/call/numpy_types.h"
#include "bindings/call/opaque_kinds.h"
#include "bindings/call/recorded_values.h"
#include "bindings/call/restart.h"
#include "bindings/call/texts.h"
#include "capture/object_class.h"
#include "ir/call_result.h"
#include "runtime/callbacks.h"
#include "runtime/memory.h"

#include <cstring>

namespace shapecast::bindings {
namespace {

using capture::classify;
using capture::ObjectClass;
using np::CallResult;

// The arguments of the call. The callee may write into arrays, and may keep references to them, as
// the traceback of an exception does. So a view of an argument of the entry has the caller's array
// as its base, and a buffer of compiled code is copied in, and copied out where it was written to.
class CallArguments : public RecordedValues {
public:
    CallArguments(const runtime::PrintItem *items, runtime::Context *ctx)
        : RecordedValues(items, 0), ctx(ctx) {}

    // Copy-out, after the call; false with an exception set. All copies are compared before the
    // first is written back: the same elements may have been passed twice, and written to once.
    bool copyBack() {
        llvm::erase_if(copies, [](const Copied &copied) { return !isChanged(copied); });
        return llvm::all_of(copies, [](const Copied &copied) {
            return PyArray_CopyInto(copied.original(), copied.passed()) == 0;
        });
    }

private:
    struct Copied {
        Ref window, copy;
        PyArrayObject *original() const { return reinterpret_cast<PyArrayObject *>(window.get()); }
        PyArrayObject *passed() const { return reinterpret_cast<PyArrayObject *>(copy.get()); }
    };

    static bool isChanged(const Copied &copied) {
        Ref now = PyArray_IS_C_CONTIGUOUS(copied.original())
                      ? copied.window
                      : Ref::steal(PyArray_NewCopy(copied.original(), NPY_CORDER));
        if (!now)
            PyErr_Clear();
        return !now || std::memcmp(PyArray_DATA(reinterpret_cast<PyArrayObject *>(now.get())),
                                   PyArray_DATA(copied.passed()), PyArray_NBYTES(copied.passed()));
    }

    static bool isSame(PyArrayObject *a, PyArrayObject *b) {
        return PyArray_DATA(a) == PyArray_DATA(b) && PyArray_NDIM(a) == PyArray_NDIM(b) &&
               PyArray_DESCR(a) == PyArray_DESCR(b) &&
               PyArray_CompareLists(PyArray_DIMS(a), PyArray_DIMS(b), PyArray_NDIM(a)) &&
               PyArray_CompareLists(PyArray_STRIDES(a), PyArray_STRIDES(b), PyArray_NDIM(a));
    }

    PyObject *array(const Window &window) override {
        Ref view = Ref::steal(window.asArray());
        if (!view)
            return nullptr;
        auto *original = reinterpret_cast<PyArrayObject *>(view.get());
        if (window.owner & runtime::ownerArgument) {
            if (PyArray_SetBaseObject(original, Py_NewRef(argument(window.owner >> 2))) < 0)
                return nullptr;
            return view.release();
        }
        for (const Copied &known : copies) // one array passed twice is one object
            if (!window.readonly && isSame(known.original(), original))
                return Ref(known.copy).release();
        Ref copy = Ref::steal(PyArray_NewCopy(original, NPY_CORDER));
        if (copy && window.readonly)
            PyArray_CLEARFLAGS(reinterpret_cast<PyArrayObject *>(copy.get()), NPY_ARRAY_WRITEABLE);
        else if (copy)
            copies.push_back({view, copy});
        return copy.release();
    }

    PyObject *argument(uintptr_t number) const {
        const Call &call = *static_cast<const Call *>(ctx->call);
        for (const CopiedArgument &copy : call.copies)
            if (copy.parameter == number)
                return copy.copy.get();
        return call.arguments[number];
    }

    runtime::Context *ctx;
    std::vector<Copied> copies;
};

// Unboxes the result into slots, if it has the expected type.
class Results {
public:
    Results(runtime::Context *ctx, llvm::StringRef expected, int64_t *slots)
        : ctx(ctx), expected(expected), slot(slots) {}

    // False where it has another type, or with an exception set.
    bool unbox(PyObject *value) {
        const CallResult::Node node = expected.next();
        const ObjectClass ofClass = classify(value);
        switch (node.kind) {
        case CallResult::Kind::Tuple:
            return capture::isTuple(ofClass) && sequence(value, node.number);
        case CallResult::Kind::List:
            return capture::isList(ofClass) && sequence(value, node.number);
        case CallResult::Kind::Array:
            return ofClass == ObjectClass::Array &&
                   array(reinterpret_cast<PyArrayObject *>(value), node.dtype, node.number);
        case CallResult::Kind::Scalar:
            return ofClass == ObjectClass::NumpyScalar && scalar(value, node.dtype);
        case CallResult::Kind::Bool:
            *slot++ = value == Py_True;
            return ofClass == ObjectClass::Bool;
        case CallResult::Kind::Int:
            return ofClass == ObjectClass::Int &&
                   !((*slot++ = PyLong_AsLongLong(value)) == -1 && PyErr_Occurred());
        case CallResult::Kind::Float:
            return ofClass == ObjectClass::Float && put(PyFloat_AS_DOUBLE(value));
        case CallResult::Kind::Complex:
            return ofClass == ObjectClass::Complex && put(PyComplex_RealAsDouble(value)) &&
                   put(PyComplex_ImagAsDouble(value));
        case CallResult::Kind::Object:
            return object(value, node.number);
        case CallResult::Kind::Text:
            return PyUnicode_Check(value) && text(value);
        case CallResult::Kind::None:
            return ofClass == ObjectClass::None;
        case CallResult::Kind::Never:
            return false;
        }
        return false;
    }

private:
    bool put(double number) {
        std::memcpy(slot++, &number, 8);
        return true;
    }

    bool text(PyObject *value) {
        auto *made = static_cast<runtime::Text *>(runtime::sc_alloc(ctx, sizeof(runtime::Text)));
        if (!made || !readText(ctx, *made, value))
            return false;
        *slot++ = int64_t(made);
        *slot++ = int64_t(made); // its owner
        return true;
    }

    bool object(PyObject *value, int64_t kind) {
        if (opaqueKindOf(value) != kind)
            return false;
        if (!ctx->objects)
            ctx->objects = PyList_New(0);
        *slot++ = reinterpret_cast<int64_t>(value);
        return ctx->objects && PyList_Append(static_cast<PyObject *>(ctx->objects), value) == 0;
    }

    bool sequence(PyObject *value, int64_t count) { // a tuple or a list
        if (Py_SIZE(value) != count)
            return false;
        for (Py_ssize_t i = 0; i < count; ++i)
            if (Ref item = sequenceItem(value, i); !item || !unbox(item.get()))
                return false;
        return true;
    }

    bool scalar(PyObject *value, DType dtype) {
        Ref descr = Ref::steal(reinterpret_cast<PyObject *>(PyArray_DescrFromScalar(value)));
        if (!descr || dtypeOf(reinterpret_cast<PyArray_Descr *>(descr.get())) != dtype)
            return false;
        *slot = 0;
        PyArray_ScalarAsCtype(value, slot);
        if (itemSize(dtype) == 8 && isComplex(dtype)) { // a slot for each part
            const int64_t both = *slot;
            slot[0] = both & 0xffffffff;
            slot[1] = int64_t(uint64_t(both) >> 32);
        }
        slot += isComplex(dtype) ? 2 : 1;
        return true;
    }

    bool array(PyArrayObject *given, DType dtype, int64_t rank) {
        if (PyArray_NDIM(given) != rank || dtypeOf(PyArray_DESCR(given)) != dtype)
            return false;
        void *data = runtime::sc_alloc(ctx, PyArray_NBYTES(given));
        if (!data)
            return false;
        Py_INCREF(descriptorOf(dtype));
        Ref copy = Ref::steal(PyArray_NewFromDescr(&PyArray_Type, descriptorOf(dtype), int(rank),
                                                   PyArray_DIMS(given), nullptr, data,
                                                   NPY_ARRAY_CARRAY, nullptr));
        if (!copy || PyArray_CopyInto(reinterpret_cast<PyArrayObject *>(copy.get()), given) < 0)
            return false;
        *slot++ = int64_t(data);
        *slot++ = int64_t(data); // its owner
        for (int d = 0; d < rank; ++d)
            *slot++ = PyArray_DIM(given, d);
        return true;
    }

    runtime::Context *ctx;
    CallResult::Reader expected;
    int64_t *slot;
};

void raiseUnexpected(const runtime::PrintItem *call, llvm::StringRef expected, PyObject *result) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._callouts"));
    if (module)
        Ref::steal(PyObject_CallMethod(module.get(), "raise_unexpected", "s#OO",
                                       reinterpret_cast<const char *>(call->a), Py_ssize_t(call->b),
                                       CallResult::isNever(expected) ? Py_True : Py_False, result));
}

bool call(runtime::Context *ctx, const runtime::PrintItem *items, llvm::StringRef expected,
          int64_t *slots) {
    CallArguments arguments(items, ctx);
    Ref result = arguments.take(); // makes the call: the outermost record is one
    Ref raised = takeException();  // what was stored before an exception stays
    if (!arguments.copyBack())
        return false;
    setException(std::move(raised));
    if (!result || Results(ctx, expected, slots).unbox(result.get()))
        return bool(result);
    if (!PyErr_Occurred() && ctx->error.site != -2)
        raiseUnexpected(items, expected, result.get());
    return false;
}

} // namespace

int32_t callOut(runtime::Context *ctx, const runtime::PrintItem *items, int64_t site,
                const char *expected, int64_t length, int64_t *results) {
    WithInterpreterLock locked;
    if (ctx->generators)
        closeGenerators(ctx); // Python code may wait for threads that want to draw
    const llvm::StringRef callee(reinterpret_cast<const char *>(items->a), size_t(items->b));
    const bool hasNone = llvm::any_of(
        llvm::ArrayRef<llvm::StringRef>{"builtins.", "operator.", "shapecast.library."},
        [&](llvm::StringRef module) { return callee.starts_with(module); });
    const bool done =
        (hasNone || noteEffect()) && call(ctx, items, {expected, size_t(length)}, results);
    if (!done && PyErr_Occurred())
        ctx->error.site = site;
    return done ? 0 : 1;
}

} // namespace shapecast::bindings
