// Compiled code that calls Python: what it hands over becomes objects, and what comes back goes to
// the slots of its results.
//
// `expected` is what the probe found (passes/infer_callouts.cpp), in words: "T 2" a tuple (or "L" a
// list) of the two that follow, "A 11 2" an array of that dtype and rank, "S 11" a NumPy scalar,
// "b i f c" Python's numbers, "N" None.
#include "bindings/callouts.h"
#include "bindings/records.h"

#include <cstring>
#include <sstream>

namespace shapecast::bindings {
namespace {

// Arrays are the caller's own memory, since functions may write into them. Who keeps one keeps the
// memory alive with it.
class Arguments : public RecordedValues {
public:
    Arguments(const runtime::PrintItem *items, runtime::Context *ctx)
        : RecordedValues(items, 0), ctx(ctx) {}

    // After the call: memory of arrays that somebody keeps stays.
    void letGo() {
        for (auto &[array, owner] : lent)
            if (Py_REFCNT(array.get()) > 1) {
                runtime::sc_retain(reinterpret_cast<void *>(owner));
                runtime::detach(ctx, runtime::bufferOf(owner));
            }
        lent.clear();
    }

private:
    PyObject *array(const Window &window) override {
        Ref seen = Ref::steal(window.asArray());
        if (!seen)
            return nullptr;
        if (window.owner & runtime::ownerArgument) {
            const Call &call = *static_cast<const Call *>(ctx->call);
            PyObject *base = call.arguments[window.owner >> 2];
            for (const CopiedArgument &copy : call.copies)
                if (copy.parameter == window.owner >> 2)
                    base = copy.copy.get();
            if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject *>(seen.get()),
                                      Py_NewRef(base)) < 0)
                return nullptr;
        } else {
            lent.emplace_back(seen, window.owner);
        }
        return seen.release();
    }

    runtime::Context *ctx;
    std::vector<std::pair<Ref, uintptr_t>> lent;
};

class Results {
public:
    Results(runtime::Context *ctx, const char *expected, int64_t length, int64_t *slots)
        : ctx(ctx), words(std::string(expected, size_t(length))), slot(slots) {}

    // False where it is something else, or with an exception set.
    bool take(PyObject *value) {
        char kind = 0;
        words >> kind;
        switch (kind) {
        case 'T':
        case 'L':
            return sequence(value, kind == 'L');
        case 'A':
            return array(value);
        case 'S':
            return scalar(value);
        case 'b':
            *slot++ = value == Py_True;
            return PyBool_Check(value);
        case 'i':
            return PyLong_CheckExact(value) &&
                   !((*slot++ = PyLong_AsLongLong(value)) == -1 && PyErr_Occurred());
        case 'f':
            return PyFloat_CheckExact(value) && put(PyFloat_AS_DOUBLE(value));
        case 'c':
            return PyComplex_CheckExact(value) && put(PyComplex_RealAsDouble(value)) &&
                   put(PyComplex_ImagAsDouble(value));
        default:
            return value == Py_None;
        }
    }

private:
    bool put(double number) {
        std::memcpy(slot++, &number, 8);
        return true;
    }

    bool sequence(PyObject *value, bool list) {
        Py_ssize_t count = 0;
        words >> count;
        if (!(list ? PyList_Check(value) : PyTuple_Check(value)) || Py_SIZE(value) != count)
            return false;
        for (Py_ssize_t i = 0; i < count; ++i)
            if (!take(list ? PyList_GET_ITEM(value, i) : PyTuple_GET_ITEM(value, i)))
                return false;
        return true;
    }

    bool scalar(PyObject *value) {
        int dtype = 0;
        words >> dtype;
        if (!PyArray_IsScalar(value, Generic))
            return false;
        Ref descr = Ref::steal(reinterpret_cast<PyObject *>(PyArray_DescrFromScalar(value)));
        if (!descr || dtypeOf(reinterpret_cast<PyArray_Descr *>(descr.get())) != DType(dtype))
            return false;
        *slot = 0;
        PyArray_ScalarAsCtype(value, slot);
        if (itemSize(DType(dtype)) == 8 && isComplex(DType(dtype))) { // a slot for each part
            const int64_t both = *slot;
            slot[0] = both & 0xffffffff;
            slot[1] = int64_t(uint64_t(both) >> 32);
        }
        slot += isComplex(DType(dtype)) ? 2 : 1;
        return true;
    }

    bool array(PyObject *value) {
        int dtype = 0, rank = 0;
        words >> dtype >> rank;
        auto *given = reinterpret_cast<PyArrayObject *>(value);
        if (!PyArray_CheckExact(value) || PyArray_NDIM(given) != rank ||
            dtypeOf(PyArray_DESCR(given)) != DType(dtype))
            return false;
        void *data = runtime::sc_alloc(ctx, PyArray_NBYTES(given));
        if (!data)
            return false;
        Py_INCREF(descriptorOf(DType(dtype)));
        Ref copy = Ref::steal(PyArray_NewFromDescr(&PyArray_Type, descriptorOf(DType(dtype)), rank,
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
    std::istringstream words;
    int64_t *slot;
};

void raiseUnexpected(const runtime::PrintItem *call, PyObject *result) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._callouts"));
    if (module)
        Ref::steal(PyObject_CallMethod(module.get(), "raise_unexpected", "s#O",
                                       reinterpret_cast<const char *>(call->a), Py_ssize_t(call->b),
                                       result));
}

bool call(runtime::Context *ctx, const runtime::PrintItem *items, Results results) {
    Arguments arguments(items, ctx);
    Ref result = arguments.take(); // calls: the outermost record does
    bool done = false;
    if (result) {
        done = results.take(result.get());
        if (!done && !PyErr_Occurred() && ctx->error.site != -2)
            raiseUnexpected(items, result.get());
    }
    result = Ref();
    arguments.letGo();
    return done;
}

} // namespace

int32_t callOut(runtime::Context *ctx, const runtime::PrintItem *items, int64_t site,
                const char *expected, int64_t length, int64_t *results) {
    const PyGILState_STATE state = PyGILState_Ensure();
    const bool done = call(ctx, items, Results(ctx, expected, length, results));
    if (!done && PyErr_Occurred())
        ctx->error.site = site;
    PyGILState_Release(state);
    return done ? 0 : 1;
}

std::string probeCallOut(llvm::StringRef call) {
    const PyGILState_STATE state = PyGILState_Ensure();
    std::string text;
    {
        Ref module = Ref::steal(PyImport_ImportModule("shapecast._callouts"));
        Ref result = module ? Ref::steal(PyObject_CallMethod(module.get(), "probe", "s#",
                                                             call.data(), Py_ssize_t(call.size())))
                            : Ref();
        if (const char *utf8 = result ? PyUnicode_AsUTF8(result.get()) : nullptr)
            text = utf8;
        else
            PyErr_WriteUnraisable(nullptr);
    }
    PyGILState_Release(state);
    return text;
}

} // namespace shapecast::bindings
