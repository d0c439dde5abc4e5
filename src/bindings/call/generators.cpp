// Finds the bit generators and locks of NumPy's and Python's generators.
#include "bindings/call/generators.h"
#include "bindings/call/interpreter_lock.h"
#include "capture/interrupts.h"
#include "runtime/python_random.h"
#include "runtime/random.h"

#include <numpy/random/distributions.h>

#include <atomic>
#include <cstring>
#include <type_traits>

namespace shapecast::bindings {
namespace {

struct OpenGenerator : runtime::LockedGenerator {
    Ref lock, capsule;           // the latter owns the bit generator
    runtime::CachedGauss cached; // of Python's random: gauss_next, a Python object there
};

// Interned names of attributes; made once, since each call that draws reads them.
struct Names {
    PyObject *source = PyUnicode_InternFromString("_bit_generator"),
             *capsule = PyUnicode_InternFromString("capsule"),
             *lock = PyUnicode_InternFromString("lock"),
             *acquire = PyUnicode_InternFromString("acquire"),
             *release = PyUnicode_InternFromString("release"),
             *file = PyUnicode_InternFromString("__file__"),
             *state = PyUnicode_InternFromString("_rand"),
             *type = PyUnicode_InternFromString("RandomState"),
             *normal = PyUnicode_InternFromString("standard_normal"),
             *gauss = PyUnicode_InternFromString("gauss_next");
};

const Names &names() {
    static const Names all;
    return all;
}

Ref attribute(const Ref &object, PyObject *name) {
    return object ? Ref::steal(PyObject_GetAttr(object.get(), name)) : Ref();
}

Ref ofLegacyModule(PyObject *name) {
    return attribute(Ref::steal(PyImport_ImportModule("numpy.random.mtrand")), name);
}

// The RandomState of np.random.rand and the like: one object for the life of the process.
Ref globalState() {
    static PyObject *state = nullptr;
    if (!state)
        state = ofLegacyModule(names().state).release();
    return Ref::share(state);
}

bitgen_t *bitsOf(const Ref &capsule) {
    return static_cast<bitgen_t *>(PyCapsule_GetPointer(capsule.get(), "BitGenerator"));
}

//===-- The second normal number that a RandomState caches (has_gauss, gauss)

// Its offset in a RandomState, and in objects of subclasses. No header of NumPy's declares it: it
// is searched for once.
struct Layout {
    std::atomic<PyTypeObject *> type{nullptr}; // RandomState, for the life of the process
    std::atomic<Py_ssize_t> offset{0};         // 0: unknown
};
Layout layout;

runtime::CachedGauss *cachedGaussOf(PyObject *object) {
    const Py_ssize_t offset = layout.offset;
    if (offset == 0 || !PyObject_TypeCheck(object, layout.type.load()))
        return nullptr;
    return reinterpret_cast<runtime::CachedGauss *>(reinterpret_cast<char *>(object) + offset);
}

// For a state that has just drawn one normal number: whether the next draw returns the number at
// this address, both the one that is there and one that is written there.
bool isCachedGauss(const Ref &state, runtime::CachedGauss &cached) {
    for (const double expected : {cached.gauss, 0.25}) {
        if (cached.hasGauss != 1)
            return false;
        cached.gauss = expected;
        Ref drawn = Ref::steal(PyObject_CallMethodNoArgs(state.get(), names().normal));
        if (!drawn || PyFloat_AsDouble(drawn.get()) != expected || cached.hasGauss != 0 ||
            cached.gauss != 0)
            return false;
        cached.hasGauss = 1;
    }
    return true;
}

// The object also has a copy of the bitgen_t, and the number follows a pointer to that.
Py_ssize_t findCachedGauss(const Ref &type) {
    Ref seed = Ref::steal(PyLong_FromLong(1));
    Ref state = Ref::steal(PyObject_CallOneArg(type.get(), seed.get()));
    Ref capsule = attribute(attribute(state, names().source), names().capsule);
    const bitgen_t *bits = capsule ? bitsOf(capsule) : nullptr;
    if (!bits || !Ref::steal(PyObject_CallMethodNoArgs(state.get(), names().normal)))
        return 0;
    const auto object = reinterpret_cast<uintptr_t>(state.get());
    const Py_ssize_t size = Py_TYPE(state.get())->tp_basicsize;
    for (Py_ssize_t offset = sizeof(PyObject);
         offset + Py_ssize_t(sizeof(runtime::CachedGauss)) <= size; offset += alignof(void *)) {
        auto &cached = *reinterpret_cast<runtime::CachedGauss *>(object + offset);
        const auto copy = reinterpret_cast<uintptr_t>(cached.bits);
        if (copy > object && copy + sizeof *bits <= object + size &&
            std::memcmp(cached.bits, bits, sizeof *bits) == 0)
            return isCachedGauss(state, cached) ? offset : 0;
    }
    return 0;
}

//===-- Python's random

// The generator of random.random() and the like: one object for the life of the process. Python
// code that draws from it holds the interpreter lock; compiled code does not, and uses this lock.
struct Pythons {
    Ref object, lock;
    bitgen_t bits;
};

// The Mersenne Twister's state in the object; null where the words there are not those of
// getstate().
runtime::PythonTwister *twisterIn(const Ref &object) {
    Ref base = Ref::steal(PyImport_ImportModule("_random"));
    Ref type = base ? Ref::steal(PyObject_GetAttrString(base.get(), "Random")) : Ref();
    Ref words =
        type ? Ref::steal(PyObject_CallMethod(type.get(), "getstate", "O", object.get())) : Ref();
    using runtime::PythonTwister;
    if (!words || !PyTuple_Check(words.get()) ||
        PyTuple_GET_SIZE(words.get()) != PythonTwister::words + 1 ||
        reinterpret_cast<PyTypeObject *>(type.get())->tp_basicsize <
            Py_ssize_t(sizeof(PyObject) + sizeof(PythonTwister)))
        return nullptr;
    auto *twister = reinterpret_cast<PythonTwister *>(object.get() + 1);
    for (int k = 0; k <= PythonTwister::words; ++k) {
        const unsigned long word = PyLong_AsUnsignedLong(PyTuple_GET_ITEM(words.get(), k));
        const unsigned long own =
            k < PythonTwister::words ? twister->key[k] : static_cast<unsigned>(twister->index);
        if (word != own)
            return nullptr;
    }
    return twister;
}

Pythons *findPythons() {
    Ref module = Ref::steal(PyImport_ImportModule("random"));
    Ref object = module ? Ref::steal(PyObject_GetAttrString(module.get(), "_inst")) : Ref();
    auto *twister = object ? twisterIn(object) : nullptr;
    Ref threads = Ref::steal(PyImport_ImportModule("_thread"));
    Ref lock =
        threads ? Ref::steal(PyObject_CallMethod(threads.get(), "allocate_lock", nullptr)) : Ref();
    if (!twister || !lock)
        return nullptr;
    return new Pythons{std::move(object), std::move(lock), twister->bits()};
}

// Null where its memory layout is unknown.
Pythons *pythons() {
    static Pythons *found = nullptr;
    static bool isSearched = false; // no static initialiser: the lock may be released in between
    if (!isSearched) {
        Pythons *now = findPythons();
        found = isSearched ? found : now;
        isSearched = true;
    }
    return found;
}

bool readGauss(OpenGenerator &opened) {
    Ref next = attribute(pythons()->object, names().gauss);
    opened.cached = {opened.source.bits, next && next.get() != Py_None, 0.0};
    if (opened.cached.hasGauss)
        opened.cached.gauss = PyFloat_AsDouble(next.get());
    return next && !PyErr_Occurred();
}

void writeGauss(const OpenGenerator &opened) {
    Ref next = opened.cached.hasGauss ? Ref::steal(PyFloat_FromDouble(opened.cached.gauss))
                                      : Ref::share(Py_None);
    if (!next || PyObject_SetAttr(pythons()->object.get(), names().gauss, next.get()) != 0)
        PyErr_WriteUnraisable(pythons()->object.get());
}

//===-- Locking

// Whether the lock was acquired; false also with an exception set, of a signal handler, say.
bool acquire(const Ref &lock, bool wait) {
    Ref acquired = Ref::steal(
        PyObject_CallMethodOneArg(lock.get(), names().acquire, wait ? Py_True : Py_False));
    return acquired && PyObject_IsTrue(acquired.get()) == 1;
}

// Acquires a generator's lock. Where another thread holds it, closes the others first: a call that
// waits for one lock holds no other.
bool acquireFor(runtime::Context *ctx, const Ref &lock) {
    if (acquire(lock, false))
        return true;
    if (PyErr_Occurred())
        return false;
    closeGenerators(ctx);
    return acquire(lock, true);
}

void push(runtime::Context *ctx, OpenGenerator *opened) {
    opened->next = ctx->generators;
    ctx->generators = opened;
}

bool openPythons(runtime::Context *ctx) {
    Pythons *own = pythons();
    if (!own) {
        PyErr_SetString(PyExc_RuntimeError,
                        "shapecast: the generator of Python's random has an unknown memory layout; "
                        "draw from np.random instead");
        return false;
    }
    if (!acquireFor(ctx, own->lock))
        return false;
    auto *opened = new OpenGenerator;
    opened->generator = reinterpret_cast<void *>(runtime::pythonRandomGenerator);
    opened->source.bits = &own->bits;
    opened->source.cachedGauss = &opened->cached;
    opened->lock = Ref::share(own->lock.get());
    const bool isRead = readGauss(*opened);
    push(ctx, opened);
    return isRead;
}

bool open(runtime::Context *ctx, void *generator) {
    if (reinterpret_cast<uintptr_t>(generator) == runtime::pythonRandomGenerator)
        return openPythons(ctx);
    Ref object = generator ? Ref::share(static_cast<PyObject *>(generator)) : globalState();
    Ref source = attribute(object, names().source);
    Ref capsule = attribute(source, names().capsule), lock = attribute(source, names().lock);
    bitgen_t *bits = capsule && lock ? bitsOf(capsule) : nullptr;
    if (!bits)
        return false;
    if (!acquireFor(ctx, lock))
        return false;
    auto *opened = new OpenGenerator;
    opened->generator = generator;
    auto is = [&](const char *name) {
        return std::strcmp(Py_TYPE(source.get())->tp_name, name) == 0;
    };
    opened->source.bits = bits;
    if (is("numpy.random._pcg64.PCG64"))
        opened->source.pcg64 = runtime::Pcg64::of(bits);
    else if (is("numpy.random._mt19937.MT19937"))
        opened->source.mt19937 = runtime::Mt19937::of(bits);
    opened->source.cachedGauss = cachedGaussOf(object.get());
    opened->lock = std::move(lock);
    opened->capsule = std::move(capsule);
    push(ctx, opened);
    return true;
}

// The function types with which the run time calls them: one of each kind.
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
    CoreLock core;
    return open(ctx, generator);
}

void closeGenerators(runtime::Context *ctx) {
    Ref raised = takeException();
    while (auto *opened = static_cast<OpenGenerator *>(ctx->generators)) {
        ctx->generators = opened->next;
        if (opened->source.cachedGauss == &opened->cached)
            writeGauss(*opened);
        if (!Ref::steal(PyObject_CallMethodNoArgs(opened->lock.get(), names().release)))
            PyErr_WriteUnraisable(opened->lock.get());
        delete opened;
    }
    setException(std::move(raised));
}

bool hasDistributions() {
    Ref module = Ref::steal(PyImport_ImportModule("numpy.random._generator"));
    Ref file = attribute(module, names().file);
    const char *path = file ? PyUnicode_AsUTF8(file.get()) : nullptr;
    capture::forgetError();
    return path && runtime::loadDistributions(path);
}

bool hasPythonsRandom() {
    const bool found = pythons() != nullptr;
    capture::forgetError();
    return found;
}

bool hasLegacyDistributions() {
    if (!layout.type) {
        Ref type = ofLegacyModule(names().type);
        if (type && PyType_Check(type.get())) {
            layout.offset = findCachedGauss(type);
            layout.type = reinterpret_cast<PyTypeObject *>(type.release());
        }
        capture::forgetError();
    }
    return layout.offset != 0 && hasDistributions();
}

} // namespace shapecast::bindings
