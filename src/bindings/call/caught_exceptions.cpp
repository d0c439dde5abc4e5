// Exceptions that compiled code catches: see the header.
//
// An exception of compiled code itself becomes a Python object lazily, only where the handler reads
// it: the name of its class decides which handler matches. Where it was raised is added when it is
// raised again. Python code runs signal handlers, which may raise. So all is done in C except
// isinstance() with the classes, once per call and class, and what is raised during that replaces
// the exception.
#include "bindings/call/caught_exceptions.h"

#include "bindings/call/errors.h"
#include "bindings/call/interpreter_lock.h"
#include "bindings/call/restart.h"
#include "capture/python.h"
#include "runtime/device_memory.h"
#include "user_error.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <map>

namespace shapecast::bindings {
namespace {

using Sites = std::vector<ErrorSite>;
constexpr size_t maxKept = 4096; // where a loop catches more, the last ones

struct Kept {
    int64_t number;
    runtime::ErrorRecord record; // from which the object is made lazily
    const Sites *sites;
    bool isPythons = false; // it is an object already, to which its place is added where it is read
    bool hasPlace = false;
};

// The exceptions of one call. All under the interpreter lock, and the core's.
struct Caught {
    explicit Caught(Ref errors) : errors(std::move(errors)) {}
    Ref errors; // _objects._caught, the objects of all calls by their numbers
    std::deque<Kept> kept;
    llvm::SmallDenseMap<PyObject *, int64_t> numbers; // of the objects in `errors`
    // Which handler matches exceptions of that class, by the class and the handlers' names.
    struct Handler {
        Ref kept; // the class, so that no other one is at its address
        int64_t which;
    };
    std::map<std::pair<PyTypeObject *, std::string>, Handler> handlers;
    static llvm::SmallPtrSet<Caught *, 4> ofAllCalls;
    static int64_t lastNumber;

    // Of this call; null with an exception set.
    static Caught *of(runtime::Context *ctx) {
        if (ctx->caught)
            return static_cast<Caught *>(ctx->caught);
        Ref objects = Ref::steal(PyImport_ImportModule("shapecast._objects"));
        Ref errors = objects ? Ref::steal(PyObject_GetAttrString(objects.get(), "_caught")) : Ref();
        if (!errors)
            return nullptr;
        auto *made = new Caught(std::move(errors));
        ofAllCalls.insert(made);
        ctx->caught = made;
        return made;
    }

    int64_t add(const runtime::ErrorRecord &record, const Sites *sites, bool isPythons = false) {
        if (kept.size() >= maxKept)
            drop();
        kept.push_back({++lastNumber, record, sites, isPythons});
        return lastNumber;
    }

    // False with an exception set.
    bool setObject(int64_t number, PyObject *error) {
        Ref key = Ref::steal(PyLong_FromLongLong(number));
        if (!key || PyDict_SetItem(errors.get(), key.get(), error) < 0)
            return false;
        numbers[error] = number;
        return true;
    }

    // Of what was caught; null: nothing, or not as a record.
    Kept *find(int64_t number) {
        auto at = llvm::partition_point(kept, [&](const Kept &k) { return k.number < number; });
        return at != kept.end() && at->number == number && at->sites ? &*at : nullptr;
    }

    int64_t lowestKept() const { return kept.empty() ? lastNumber + 1 : kept.front().number; }

    void drop() {
        Ref key = Ref::steal(PyLong_FromLongLong(kept.front().number));
        kept.pop_front();
        const Ref object = key ? dictItem(errors.get(), key.get()) : Ref();
        if (auto at = numbers.find(object.get()); at != numbers.end() && at->second < lowestKept())
            numbers.erase(at);
        if (!key || (object && PyDict_DelItem(errors.get(), key.get()) < 0))
            PyErr_Clear();
    }
};
llvm::SmallPtrSet<Caught *, 4> Caught::ofAllCalls;
int64_t Caught::lastNumber = 0;

// Which handler matches an exception with that class name; none where that needs the object, or
// with an exception set.
std::optional<int64_t> knownClass(const std::string &exception, llvm::StringRef classes) {
    static llvm::StringMap<int64_t> known; // classes of Python and NumPy do not change
    const std::string question = exception + " in " + classes.str();
    if (auto found = known.find(question); found != known.end())
        return found->second;
    Ref objects = Ref::steal(PyImport_ImportModule("shapecast._objects"));
    Ref which = objects ? Ref::steal(PyObject_CallMethod(objects.get(), "class_of_name", "ss#",
                                                         exception.c_str(), classes.data(),
                                                         Py_ssize_t(classes.size())))
                        : Ref();
    if (!which || which.get() == Py_None)
        return std::nullopt;
    return known[question] = PyLong_AsLongLong(which.get());
}

// Which handler matches, from 1; 0: none. No value with an exception set.
std::optional<int64_t> handlerOf(Caught &caught, PyObject *error, llvm::StringRef classes) {
    const std::pair question(Py_TYPE(error), classes.str());
    if (const auto known = caught.handlers.find(question); known != caught.handlers.end())
        return known->second.which;
    Ref objects = Ref::steal(PyImport_ImportModule("shapecast._objects"));
    Ref which = objects ? Ref::steal(PyObject_CallMethod(objects.get(), "class_of", "Os#", error,
                                                         classes.data(), classes.size()))
                        : Ref();
    if (!which)
        return std::nullopt;
    const int64_t number = PyLong_AsLongLong(which.get());
    caught.handlers[question] = {Ref::share(reinterpret_cast<PyObject *>(Py_TYPE(error))), number};
    return number;
}

// Catches the exception that is set, or what a signal handler raises while its class is looked up:
// no handler matches that, since it is not raised in the `try`.
int64_t catchSet(runtime::Context *ctx, const char *classes, int64_t length, bool &another,
                 const runtime::ErrorRecord &record = {}, const Sites *sites = nullptr) {
    constexpr int maxInARow = 100;
    for (int count = 0; count < maxInARow; ++count) {
        another |= count > 0;
        Ref error = takeException();
        Caught *caught = Caught::of(ctx);
        const int64_t number = !caught ? 0
                               : count ? caught->add({}, nullptr)
                                       : caught->add(record, sites, /*isPythons=*/sites);
        if (caught && caught->setObject(number, error.get()))
            if (const auto which =
                    handlerOf(*caught, error.get(), {classes, count ? size_t(0) : size_t(length)}))
                return number * 256 + *which;
    }
    Py_FatalError("shapecast: an exception that was caught cannot be kept");
}

} // namespace

int64_t catchError(runtime::Context *ctx, const char *classes, int64_t length) {
    if (ctx->device) // the function goes on
        runtime::storeBorrowed(ctx);
    WithInterpreterLock locked;
    CoreLock core;
    const auto &sites = *static_cast<const Sites *>(ctx->sites);
    const runtime::ErrorRecord record = std::exchange(ctx->error, {});
    const bool ofPython = PyErr_Occurred();
    bool another = false;
    if (ofPython)
        return catchSet(ctx, classes, length, another, record, &sites);
    std::optional<int64_t> which;
    const bool known = record.site >= 0 && size_t(record.site) < sites.size();
    if (known && startsAgain(sites[size_t(record.site)])) {
        raiseSite(sites, record);
        return catchSet(ctx, "", 0, another);
    }
    if (known)
        which = knownClass(sites[size_t(record.site)].exception, {classes, size_t(length)});
    if (PyErr_Occurred()) // raised by a signal handler
        return catchSet(ctx, "", 0, another);
    if (Caught *caught = which.value_or(0) ? Caught::of(ctx) : nullptr)
        return caught->add(record, &sites) * 256 + *which;
    const bool mayMatch = !which.has_value(); // then it needs no source lines, which are slow
    raiseSite(sites, record, /*withLocations=*/!mayMatch);
    int64_t number = catchSet(ctx, classes, length, another);
    if (mayMatch && !another && number % 256 == 0) {
        raiseSite(sites, record);
        number = catchSet(ctx, classes, length, another);
    }
    return number;
}

PyObject *caughtError(int64_t number) {
    CoreLock core;
    for (Caught *caught : Caught::ofAllCalls) {
        Kept *found = caught->find(number);
        Ref key = Ref::steal(PyLong_FromLongLong(number));
        Ref known = key ? dictItem(caught->errors.get(), key.get()) : Ref();
        if (found && found->isPythons && known && !std::exchange(found->hasPlace, true)) {
            setException(std::move(known));
            addLocation(*found->sites, found->record);
            known = takeException();
        }
        if (known)
            return known.release();
        if (!found)
            continue;
        raiseSite(*found->sites, found->record, /*withLocations=*/false);
        Ref error = takeException();
        return caught->setObject(number, error.get()) ? error.release() : nullptr;
    }
    PyErr_Format(PyExc_KeyError, "%lld", static_cast<long long>(number));
    return nullptr;
}

void addLocationOfCaught() {
    CoreLock core;
    Ref raised = takeException();
    const Kept *found = nullptr;
    for (Caught *caught : Caught::ofAllCalls)
        if (auto at = caught->numbers.find(raised.get()); at != caught->numbers.end())
            found = caught->find(at->second);
    setException(std::move(raised));
    if (found && !found->hasPlace)
        addLocation(*found->sites, found->record);
}

void forgetCaught(runtime::Context *ctx) {
    CoreLock core;
    auto *caught = static_cast<Caught *>(std::exchange(ctx->caught, nullptr));
    Ref raised = takeException();
    while (!caught->kept.empty())
        caught->drop();
    Caught::ofAllCalls.erase(caught);
    delete caught;
    setException(std::move(raised));
}

} // namespace shapecast::bindings
