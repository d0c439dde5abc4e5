// Exceptions that compiled code catches: see the header.
//
// Python's code runs signal handlers, which may raise. So all is done in C but the look at the
// classes, and what is raised there takes the place of the exception.
#include "bindings/caught.h"

#include "bindings/errors.h"
#include "bindings/interpreter_lock.h"
#include "bindings/python.h"

#include <deque>

namespace shapecast::bindings {
namespace {

constexpr size_t mostKept = 4096; // in a loop: the last ones

struct Caught {
    Ref errors; // _objects._caught, the exceptions of all calls by their numbers
    std::deque<int64_t> numbers;

    void drop() {
        Ref number = Ref::steal(PyLong_FromLongLong(numbers.front()));
        numbers.pop_front();
        if (!number || PyDict_DelItem(errors.get(), number.get()) < 0)
            PyErr_Clear();
    }
};

// What is set and normalised, and nothing is set afterwards.
Ref takeError() {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    Py_XDECREF(type);
    if (traceback)
        PyException_SetTraceback(value, traceback);
    Py_XDECREF(traceback);
    return Ref::steal(value);
}

// Its number; 0 with an exception set: it could not be kept.
int64_t keep(runtime::Context *ctx, PyObject *objects, PyObject *error) {
    static int64_t next = 0; // under the interpreter lock
    if (!ctx->caught) {
        Ref errors = Ref::steal(PyObject_GetAttrString(objects, "_caught"));
        if (!errors)
            return 0;
        ctx->caught = new Caught{std::move(errors), {}};
    }
    auto &kept = *static_cast<Caught *>(ctx->caught);
    const int64_t number = ++next;
    Ref key = Ref::steal(PyLong_FromLongLong(number));
    if (!key || PyDict_SetItem(kept.errors.get(), key.get(), error) < 0)
        return 0;
    kept.numbers.push_back(number);
    if (kept.numbers.size() > mostKept)
        kept.drop();
    return number;
}

// The exception that is set, or what a signal handler raises while its class is looked up: that is
// of none of the classes, since it is not raised in the `try`.
int64_t catchSet(runtime::Context *ctx, const char *classes, int64_t length, bool &another) {
    constexpr int most = 100; // in a row
    for (int count = 0; count < most; ++count) {
        another |= count > 0;
        Ref error = takeError();
        Ref objects = Ref::steal(PyImport_ImportModule("shapecast._objects"));
        const int64_t number = objects ? keep(ctx, objects.get(), error.get()) : 0;
        Ref which =
            number ? Ref::steal(PyObject_CallMethod(objects.get(), "class_of", "Os#", error.get(),
                                                    classes, Py_ssize_t(count ? 0 : length)))
                   : Ref();
        if (which)
            return number * 256 + PyLong_AsLongLong(which.get());
    }
    Py_FatalError("shapecast: an exception that was caught cannot be kept");
}

} // namespace

int64_t catchError(runtime::Context *ctx, const char *classes, int64_t length) {
    WithInterpreterLock locked;
    const auto &sites = *static_cast<const std::vector<ErrorSite> *>(ctx->sites);
    const bool ofPython = PyErr_Occurred();
    if (ofPython)
        addPlace(sites, ctx->error);
    else // one that is handled does not show where it was raised
        raiseSite(sites, ctx->error, /*places=*/false);
    bool another = false;
    int64_t caught = catchSet(ctx, classes, length, another);
    if (!ofPython && !another && caught % 256 == 0) {
        raiseSite(sites, ctx->error);
        caught = catchSet(ctx, classes, length, another);
    }
    ctx->error.site = -1;
    return caught;
}

void forgetCaught(runtime::Context *ctx) {
    auto *kept = static_cast<Caught *>(ctx->caught);
    if (!kept)
        return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    while (!kept->numbers.empty())
        kept->drop();
    delete kept;
    ctx->caught = nullptr;
    PyErr_Restore(type, value, traceback);
}

} // namespace shapecast::bindings
