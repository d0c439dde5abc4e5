// Finds bits and locks of NumPy's generators.
#include "bindings/random.h"
#include "bindings/interpreter_lock.h"
#include "capture/interrupts.h"
#include "runtime/python_random.h"
#include "runtime/random.h"

#include <numpy/random/distributions.h>

#include <atomic>
#include <cstring>
#include <type_traits>

namespace shapecast::bindings {
namespace {

struct Held : runtime::Drawn {
    Ref lock, capsule;        // the latter keeps the bits
    runtime::KeptNormal kept; // of Python's own: random.gauss's, which the object has otherwise
};

// Of attributes; made once, since a call that draws looks at all of them.
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
    static const Names made;
    return made;
}

Ref attribute(const Ref &object, PyObject *name) {
    return object ? Ref::steal(PyObject_GetAttr(object.get(), name)) : Ref();
}

Ref ofLegacyModule(PyObject *name) {
    return attribute(Ref::steal(PyImport_ImportModule("numpy.random.mtrand")), name);
}

// Behind np.random.rand and the like: one object for the life of the process.
Ref globalState() {
    static PyObject *state = nullptr;
    if (!state)
        state = ofLegacyModule(names().state).release();
    return Ref::share(state);
}

bitgen_t *bitsOf(const Ref &capsule) {
    return static_cast<bitgen_t *>(PyCapsule_GetPointer(capsule.get(), "BitGenerator"));
}

//===-- The normal number that a RandomState keeps

// Where it lies in such an object, and in those of classes derived from it. No header of NumPy's
// says that: it is looked for once.
struct Layout {
    std::atomic<PyTypeObject *> type{nullptr}; // RandomState, for the life of the process
    std::atomic<Py_ssize_t> kept{0};           // 0: not known
};
Layout layout;

runtime::KeptNormal *keptNormalOf(PyObject *object) {
    const Py_ssize_t place = layout.kept;
    if (place == 0 || !PyObject_TypeCheck(object, layout.type.load()))
        return nullptr;
    return reinterpret_cast<runtime::KeptNormal *>(reinterpret_cast<char *>(object) + place);
}

// Of a state that has just drawn one normal number: whether the next one is taken from there, of
// one that the state has made, and of one that is written.
bool isKept(const Ref &state, runtime::KeptNormal &kept) {
    for (const double given : {kept.value, 0.25}) {
        if (kept.isKept != 1)
            return false;
        kept.value = given;
        Ref drawn = Ref::steal(PyObject_CallMethodNoArgs(state.get(), names().normal));
        if (!drawn || PyFloat_AsDouble(drawn.get()) != given || kept.isKept != 0 || kept.value != 0)
            return false;
        kept.isKept = 1;
    }
    return true;
}

// A copy of the generator's functions is in the object, too, and the number stands behind a
// pointer to that.
Py_ssize_t findKeptNormal(const Ref &type) {
    Ref seed = Ref::steal(PyLong_FromLong(1));
    Ref state = Ref::steal(PyObject_CallOneArg(type.get(), seed.get()));
    Ref capsule = attribute(attribute(state, names().source), names().capsule);
    const bitgen_t *bits = capsule ? bitsOf(capsule) : nullptr;
    if (!bits || !Ref::steal(PyObject_CallMethodNoArgs(state.get(), names().normal)))
        return 0;
    const auto object = reinterpret_cast<uintptr_t>(state.get());
    const Py_ssize_t size = Py_TYPE(state.get())->tp_basicsize;
    for (Py_ssize_t place = sizeof(PyObject);
         place + Py_ssize_t(sizeof(runtime::KeptNormal)) <= size; place += alignof(void *)) {
        auto &kept = *reinterpret_cast<runtime::KeptNormal *>(object + place);
        const auto copy = reinterpret_cast<uintptr_t>(kept.bits);
        if (copy > object && copy + sizeof *bits <= object + size &&
            std::memcmp(kept.bits, bits, sizeof *bits) == 0)
            return isKept(state, kept) ? place : 0;
    }
    return 0;
}

//===-- Python's own

// Behind random.random() and the like: one object for the life of the process. What draws from it
// in Python holds the interpreter's lock; compiled code does not, and has one of its own.
struct Pythons {
    Ref object, lock;
    bitgen_t bits;
};

// Where the words are, if they are those that Python says.
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
            k < PythonTwister::words ? twister->key[k] : static_cast<unsigned>(twister->place);
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

// Null where its memory is not what we know.
Pythons *pythons() {
    static Pythons *found = nullptr;
    static bool isLookedFor = false; // no guard of C++'s: the interpreter's lock may be given up
    if (!isLookedFor) {
        Pythons *now = findPythons();
        found = isLookedFor ? found : now;
        isLookedFor = true;
    }
    return found;
}

bool readKept(Held &held) {
    Ref next = attribute(pythons()->object, names().gauss);
    held.kept = {held.source.bits, next && next.get() != Py_None, 0.0};
    if (held.kept.isKept)
        held.kept.value = PyFloat_AsDouble(next.get());
    return next && !PyErr_Occurred();
}

void writeKept(const Held &held) {
    Ref next =
        held.kept.isKept ? Ref::steal(PyFloat_FromDouble(held.kept.value)) : Ref::share(Py_None);
    if (!next || PyObject_SetAttr(pythons()->object.get(), names().gauss, next.get()) != 0)
        PyErr_WriteUnraisable(pythons()->object.get());
}

//===-- Opening

// Whether it was taken; false also with an exception set, a signal handler's for one.
bool take(const Ref &lock, bool wait) {
    Ref taken = Ref::steal(
        PyObject_CallMethodOneArg(lock.get(), names().acquire, wait ? Py_True : Py_False));
    return taken && PyObject_IsTrue(taken.get()) == 1;
}

// With its lock; closes the others where another thread has that, so that none waits for two.
bool takeFor(runtime::Context *ctx, const Ref &lock) {
    if (take(lock, false))
        return true;
    if (PyErr_Occurred())
        return false;
    closeGenerators(ctx);
    return take(lock, true);
}

void push(runtime::Context *ctx, Held *held) {
    held->next = ctx->drawn;
    ctx->drawn = held;
}

bool openPythons(runtime::Context *ctx) {
    Pythons *own = pythons();
    if (!own) {
        PyErr_SetString(PyExc_RuntimeError, "the state of Python's random is not what it was");
        return false;
    }
    if (!takeFor(ctx, own->lock))
        return false;
    auto *held = new Held;
    held->generator = reinterpret_cast<void *>(runtime::pythonsOwn);
    held->source.bits = &own->bits;
    held->source.kept = &held->kept;
    held->lock = Ref::share(own->lock.get());
    const bool isRead = readKept(*held);
    push(ctx, held);
    return isRead;
}

bool open(runtime::Context *ctx, void *generator) {
    if (reinterpret_cast<uintptr_t>(generator) == runtime::pythonsOwn)
        return openPythons(ctx);
    Ref object = generator ? Ref::share(static_cast<PyObject *>(generator)) : globalState();
    Ref source = attribute(object, names().source);
    Ref capsule = attribute(source, names().capsule), lock = attribute(source, names().lock);
    bitgen_t *bits = capsule && lock ? bitsOf(capsule) : nullptr;
    if (!bits)
        return false;
    if (!takeFor(ctx, lock))
        return false;
    auto *held = new Held;
    held->generator = generator;
    auto is = [&](const char *name) {
        return std::strcmp(Py_TYPE(source.get())->tp_name, name) == 0;
    };
    held->source.bits = bits;
    if (is("numpy.random._pcg64.PCG64"))
        held->source.pcg64 = runtime::Pcg64::of(bits);
    else if (is("numpy.random._mt19937.MT19937"))
        held->source.mt19937 = runtime::Mt19937::of(bits);
    held->source.kept = keptNormalOf(object.get());
    held->lock = std::move(lock);
    held->capsule = std::move(capsule);
    push(ctx, held);
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
        if (held->source.kept == &held->kept)
            writeKept(*held);
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

bool hasPythonsRandom() {
    const bool found = pythons() != nullptr;
    capture::forgetError();
    return found;
}

bool hasLegacyDistributions() {
    if (!layout.type) {
        Ref type = ofLegacyModule(names().type);
        if (type && PyType_Check(type.get())) {
            layout.kept = findKeptNormal(type);
            layout.type = reinterpret_cast<PyTypeObject *>(type.release());
        }
        capture::forgetError();
    }
    return layout.kept != 0 && hasDistributions();
}

} // namespace shapecast::bindings
