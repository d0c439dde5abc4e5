// Finds bits and locks of NumPy's generators.
#include "bindings/random.h"
#include "bindings/interpreter_lock.h"
#include "capture/interrupts.h"
#include "runtime/random.h"

#include <numpy/random/distributions.h>

#include <cstring>
#include <type_traits>

namespace shapecast::bindings {
namespace {

struct Held : runtime::Drawn {
    Ref lock, capsule; // the latter keeps the bits
};

// Of attributes; made once, since a call that draws looks at all of them.
struct Names {
    PyObject *source = PyUnicode_InternFromString("_bit_generator"),
             *capsule = PyUnicode_InternFromString("capsule"),
             *lock = PyUnicode_InternFromString("lock"),
             *acquire = PyUnicode_InternFromString("acquire"),
             *release = PyUnicode_InternFromString("release"),
             *file = PyUnicode_InternFromString("__file__"),
             *state = PyUnicode_InternFromString("_rand");
};

const Names &names() {
    static const Names made;
    return made;
}

Ref attribute(const Ref &object, PyObject *name) {
    return object ? Ref::steal(PyObject_GetAttr(object.get(), name)) : Ref();
}

// Behind np.random.rand and the like: one object for the life of the process.
Ref globalState() {
    static PyObject *state = nullptr;
    if (!state)
        state = attribute(Ref::steal(PyImport_ImportModule("numpy.random.mtrand")), names().state)
                    .release();
    return Ref::share(state);
}

// Whether it was taken; false also with an exception set, a signal handler's for one.
bool take(const Ref &lock, bool wait) {
    Ref taken = Ref::steal(
        PyObject_CallMethodOneArg(lock.get(), names().acquire, wait ? Py_True : Py_False));
    return taken && PyObject_IsTrue(taken.get()) == 1;
}

bool open(runtime::Context *ctx, void *generator) {
    Ref object = generator ? Ref::share(static_cast<PyObject *>(generator)) : globalState();
    Ref source = attribute(object, names().source);
    Ref capsule = attribute(source, names().capsule), lock = attribute(source, names().lock);
    void *bits = capsule && lock ? PyCapsule_GetPointer(capsule.get(), "BitGenerator") : nullptr;
    if (!bits)
        return false;
    if (!take(lock, false)) {
        if (PyErr_Occurred())
            return false;
        closeGenerators(ctx);
        if (!take(lock, true))
            return false;
    }
    auto *held = new Held;
    held->generator = generator;
    auto *generated = static_cast<bitgen_t *>(bits);
    const bool isPcg64 =
        std::strcmp(Py_TYPE(source.get())->tp_name, "numpy.random._pcg64.PCG64") == 0;
    held->source = {generated, isPcg64 ? runtime::Pcg64::of(generated) : nullptr};
    held->next = ctx->drawn;
    held->lock = std::move(lock);
    held->capsule = std::move(capsule);
    ctx->drawn = held;
    return true;
}

// The run time calls them as these types: one of each kind.
using D = runtime::Distributions;
static_assert(std::is_same_v<decltype(D::standard_normal), decltype(&random_standard_normal)>);
static_assert(
    std::is_same_v<decltype(D::standard_uniform_fill), decltype(&random_standard_uniform_fill)>);
static_assert(
    std::is_same_v<decltype(D::standard_normal_fill_f), decltype(&random_standard_normal_fill_f)>);
static_assert(std::is_same_v<decltype(D::exponential), decltype(&random_exponential)>);
static_assert(std::is_same_v<decltype(D::normal), decltype(&random_normal)>);
static_assert(std::is_same_v<decltype(D::triangular), decltype(&random_triangular)>);
static_assert(std::is_same_v<decltype(D::poisson), decltype(&random_poisson)>);
static_assert(std::is_same_v<decltype(D::geometric), decltype(&random_geometric)>);
static_assert(std::is_same_v<decltype(D::binomial), decltype(&random_binomial)>);
static_assert(
    std::is_same_v<decltype(D::bounded_uint64_fill), decltype(&random_bounded_uint64_fill)>);
static_assert(std::is_same_v<decltype(D::bounded_bool_fill), decltype(&random_bounded_bool_fill)>);
static_assert(std::is_same_v<decltype(D::bounded_uint64), decltype(&random_bounded_uint64)>);
static_assert(std::is_same_v<decltype(D::interval), decltype(&random_interval)>);
static_assert(sizeof(binomial_t) <= runtime::binomialBytes);

} // namespace

bool openGenerator(runtime::Context *ctx, void *generator) {
    WithInterpreterLock locked;
    return open(ctx, generator);
}

void closeGenerators(runtime::Context *ctx) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    while (auto *held = static_cast<Held *>(ctx->drawn)) {
        ctx->drawn = held->next;
        if (!Ref::steal(PyObject_CallMethodNoArgs(held->lock.get(), names().release)))
            PyErr_WriteUnraisable(held->lock.get());
        delete held;
    }
    PyErr_Restore(type, value, trace);
}

bool hasDistributions() {
    Ref module = Ref::steal(PyImport_ImportModule("numpy.random._generator"));
    Ref file = attribute(module, names().file);
    const char *path = file ? PyUnicode_AsUTF8(file.get()) : nullptr;
    capture::forgetError();
    return path && runtime::loadDistributions(path);
}

} // namespace shapecast::bindings
