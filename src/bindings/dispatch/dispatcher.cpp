// Calls of jitted functions: binding, cache lookup, running compiled code.
#include "bindings/dispatch/dispatcher.h"

#include "bindings/cache/compile_lock.h"
#include "bindings/cache/disk.h"
#include "bindings/call/caught_exceptions.h"
#include "bindings/call/changed_objects.h"
#include "bindings/call/container_arguments.h"
#include "bindings/call/containers.h"
#include "bindings/call/device_call.h"
#include "bindings/call/errors.h"
#include "bindings/call/generators.h"
#include "bindings/call/interpreter_lock.h"
#include "bindings/call/moved_arrays.h"
#include "bindings/call/restart.h"
#include "bindings/call/results.h"
#include "bindings/dispatch/binding.h"
#include "bindings/dispatch/flatten.h"
#include "bindings/dispatch/parameters.h"
#include "bindings/dispatch/prepare.h"
#include "bindings/dispatch/profilers.h"
#include "bindings/dispatch/timed.h"
#include "capture/interrupts.h"
#include "capture/record_classes.h"
#include "ir/error_names.h"
#include "runtime/memory.h"
#include "runtime/threads.h"
#include "user_error.h"

#include <atomic>
#include <csetjmp>
#include <cstddef>

namespace shapecast::bindings {
namespace {

// From this many array elements on, a call takes long enough (some 5 us) to release the interpreter
// lock.
constexpr int64_t elementsToUnlock = 1 << 14;
// Other calls release it after so many nanoseconds. The main thread takes it again from time to
// time, since signal handlers run only there, with the lock.
constexpr int64_t timeToUnlock = 20'000, timeBetweenSignals = 40'000'000;

std::atomic<bool> disabled{false};

JitObject *jitOf(PyObject *object) { return reinterpret_cast<JitObject *>(object); }

// sc_poll leaves compiled code through ctx.stop when an exception is set.
[[gnu::hot]] int32_t runCode(const CompiledVariant &variant, const Call &call,
                             runtime::Context &ctx, int64_t *results) {
    if (_setjmp(ctx.stop) != 0)
        return 1;
    return variant.entry(&ctx, call.slots.data(), results);
}

int32_t enter(CompiledVariant &variant, const Call &call, runtime::Context &ctx, int64_t *results,
              ObjectLock &own) {
    const bool unlocksAtStart = call.elements >= elementsToUnlock || variant.slow;
    own.unlock();
    if (unlocksAtStart)
        ctx.savedThreadState = PyEval_SaveThread();
    const int32_t status = runCode(variant, call, ctx, results);
    if (ctx.savedThreadState) {
        takeInterpreterLock(static_cast<PyThreadState *>(ctx.savedThreadState));
        own.lock();
        variant.slow |= !unlocksAtStart; // the poller released it
    } else {
        own.lock();
    }
    return status;
}

// Sets the exception, or `failedAssumption` where a value is not as the code assumes; if no
// exception is set as well, the call can start again.
void raiseOrRespecialise(const CompiledVariant &variant, const runtime::ErrorRecord &record,
                         const runtime::DeviceCall *device, bool drawn, bool bigint,
                         const ErrorSite *&failedAssumption) {
    const std::vector<ErrorSite> &sites = variant.code->sites;
    const bool known = record.site >= 0 && size_t(record.site) < sites.size();
    const ErrorSite *site = known ? &sites[size_t(record.site)] : nullptr;
    if (device && !device->error.empty() && (!site || site->exception == np::deviceError))
        return raiseOfDevice(*device, site ? site->frames : std::vector<Frame>());
    const bool late = site && site->exception == np::lateFailedAssumptionError;
    if (!late && !(site && site->exception == np::failedAssumptionError)) {
        raiseSite(sites, record);
        return site ? noteOverflow(*site, bigint) : void();
    }
    failedAssumption = site;
    if (late || drawn)
        raiseUserError({"shapecast.UnsupportedError",
                        "the dtype of this result depends on values, and differs from that of "
                        "earlier calls; this call cannot start again with code for it, since it "
                        "has already stored, printed or drawn random numbers (the next call is "
                        "compiled for it): do this operation before that, or pass complex numbers",
                        site->frames,
                        {}});
}

// Whether the call is to start again, with other code.
bool isFailedAssumption(const CompiledVariant &variant, const runtime::ErrorRecord &record) {
    const std::vector<ErrorSite> &sites = variant.code->sites;
    return record.site >= 0 && size_t(record.site) < sites.size() &&
           sites[size_t(record.site)].exception == np::failedAssumptionError;
}

// The caller's lists, dicts and sets, also where an exception is set. False: another one is.
bool storeContainers(const Call &call) {
    Ref raised = takeException();
    if (!writeBackContainers(call))
        return false;
    if (raised)
        setException(std::move(raised));
    return true;
}

// After an exception, which is set: the changes before it are the caller's. Where the code keeps
// none, a note says so.
void keepChanges(const ResultPlan &plan, const Call &call, runtime::Context &ctx) {
    if (!ctx.changes || *ctx.changes < 0) // not stored: Ctrl-C ended it
        return noteLost(plan.changes);
    Ref raised = takeException();
    if (storeKept(plan, call, ctx))
        setException(std::move(raised));
}

// Null with an exception set.
std::unique_ptr<DeviceUse> startDevice(CompiledVariant &variant, const Call &call) {
    std::optional<CompileLock> lock; // for the cache on disk, where the first call looks up kernels
    if (!variant.kernels && !variant.code->kernels.empty())
        lock.emplace();
    return useDevice(call, *variant.code, variant.kernels, diskCache());
}

// `number`: of the profile that was on when the call began; another one does not count it.
void addTimes(VariantTimes &times, runtime::Profile &profile, int64_t number) {
    if (number != profileNumber.load(std::memory_order_relaxed))
        return;
    profile.end();
    times.rows.resize(profile.rows.size());
    for (auto [sum, row] : llvm::zip_equal(times.rows, profile.rows)) {
        sum.nanoseconds += row.nanoseconds;
        sum.count += row.count;
        sum.bytes += row.bytes;
    }
    ++times.calls;
}

// Raises what compiled code found; containers in it are those of the caller.
void raiseWithContainers(const CompiledVariant &variant, const Call &call, runtime::Context &ctx,
                         bool drawn, const ErrorSite *&failedAssumption) {
    if (PyErr_Occurred()) // raised by a callee of compiled code
        return addLocation(variant.code->sites, ctx.error);
    const SharedContainers shared(call);
    raiseOrRespecialise(variant, ctx.error, ctx.device, drawn, call.bigint, failedAssumption);
}

PyObject *run(CompiledVariant &variant, Call &call, const ErrorSite *&failedAssumption,
              ObjectLock &own) {
    runtime::Context ctx;
    std::unique_ptr<DeviceUse> device;
    std::unique_ptr<MovedArrays> moved;
    if (call.device >= 0) [[unlikely]] {
        device = startDevice(variant, call);
        if (!device)
            return nullptr;
        ctx.device = &device->call;
        if (call.target >= 0)
            moved = std::make_unique<MovedArrays>(call, device->call);
        if (moved && !moved->copyToDevice())
            return nullptr;
    }
    ctx.call = &call;
    ctx.minParallelWork = runtime::minParallelWork();
    ctx.nonTemporalBytes = runtime::nonTemporalBytes();
    ctx.sites = &variant.code->sites;
    std::optional<runtime::Profile> profile;
    const int64_t number = profileNumber.load(std::memory_order_relaxed);
    if (!variant.code->profile.empty()) [[unlikely]]
        ctx.profile = &profile.emplace(variant.code->profile.size());
    std::optional<Restart> restart;
    if (call.bigint) [[unlikely]]
        restart.emplace(call);
    llvm::SmallVector<int64_t, 24> results;
    results.resize_for_overwrite(variant.results.slots);
    llvm::SmallVector<int64_t, 16> changes;
    if (!variant.results.kept.empty()) [[unlikely]] {
        changes.assign(1 + variant.results.keptSlots, 0);
        changes[0] = -1;
        ctx.changes = changes.data();
    }
    const int32_t status = enter(variant, call, ctx, results.data(), own);
    if (profile) {
        if (device) // its last launches
            device::synchronize(ctx.device->stream);
        profile->end();
    }
    const bool drawn = ctx.generators;
    if (drawn)
        closeGenerators(&ctx);
    if (status != 0 && device)
        runtime::storeBorrowed(&ctx);
    PyObject *value = nullptr;
    const bool undone =
        status != 0 && restart && restart->undo(variant.code->sites, ctx.error, drawn);
    const bool isPrinted = !restart || undone || restart->print();
    // Also after an error, as stores before it stay.
    if (undone) [[unlikely]]
        PyErr_SetString(PyExc_OverflowError, "it starts again in Python");
    else if ((moved && !moved->copyBack(*variant.code)) ||
             (!call.copies.empty() && !writeBack(call)))
        ;
    else if (!call.inMemory.empty() && !(status != 0 && isFailedAssumption(variant, ctx.error)) &&
             !storeContainers(call))
        ;
    else if (!isPrinted)
        ;
    else if (!call.inMemory.empty() && status != 0)
        raiseWithContainers(variant, call, ctx, drawn, failedAssumption);
    else if ((status != 0 || drawn) && PyErr_Occurred()) // raised by a callee of compiled code
        addLocation(variant.code->sites, ctx.error);
    else if (status == 0 && moved && !moved->bringResults(variant.results, ctx, results.data()))
        ;
    else if (status == 0) [[likely]]
        value = wrapResults(variant.results, call, ctx, results.data());
    else
        raiseOrRespecialise(variant, ctx.error, ctx.device, drawn, call.bigint, failedAssumption);
    if (!value && !failedAssumption && !undone && variant.results.changesCallers()) [[unlikely]]
        keepChanges(variant.results, call, ctx);
    Py_XDECREF(static_cast<PyObject *>(ctx.objects));
    if (!call.inMemory.empty()) [[unlikely]]
        forgetContainers(&ctx, call);
    if (ctx.caught) [[unlikely]]
        forgetCaught(&ctx);
    if (ctx.live) [[unlikely]]
        runtime::releaseAll(&ctx);
    if (profile)
        addTimes(*variant.times, *profile, number);
    return value;
}

// Whether the call is to start again with code that assumes the opposite there; else an exception
// is set.
bool respecialise(JittedFunction &function, const CompiledVariant &variant,
                  const ErrorSite &failedAssumption,
                  llvm::SmallVectorImpl<std::string> &respecialised) {
    function.noteFailedAssumption(variant, failedAssumption.message);
    if (PyErr_Occurred())
        return false;
    if (!llvm::is_contained(respecialised, failedAssumption.message)) {
        respecialised.push_back(failedAssumption.message);
        return true;
    }
    raiseUserError({"shapecast.UnsupportedError",
                    "the dtype of this result depends on values, and changes within this "
                    "call; pass complex numbers",
                    failedAssumption.frames,
                    {}});
    return false;
}

// `target`: the device to which NumPy arrays are copied, for f.on(); -1: they stay in the host.
// `own`: the lock of the function's object, which compiled code runs without.
PyObject *callFlattened(JittedFunction &function, PyObject *const *arguments, int target,
                        ObjectLock &own);
PyObject *callBound(JittedFunction &function, PyObject *const *arguments, int target,
                    ObjectLock &own);

// After `f.__code__ = other`: the arguments are bound to the old parameters.
PyObject *callWithNewCode(JittedFunction &function, PyObject *const *arguments, int target,
                          ObjectLock &own) {
    const auto count = Py_ssize_t(function.parameters.visible);
    BoundArguments bound;
    return bindArguments(function, arguments, count, nullptr, bound)
               ? callBound(function, bound.objects.data(), target, own)
               : nullptr;
}

// Reads the arguments and finds the variant for them. None: it is to be compiled; or with
// `fails`, where an exception is set or the call is nested.
VariantRef findVariant(JittedFunction &function, PyObject *const *arguments, Call &call,
                       bool &fails) {
    CoreLock core;
    const capture::FrozenClasses reading(function.frozenInMemory, function.seesFrozen);
    fails = !prepareCall(function, arguments, call);
    if (fails) [[unlikely]]
        return {};
    VariantRef variant = function.find(call);
    if (variant && call.target < 0)
        function.updateInlineCache(call, *variant);
    return variant;
}

bool usesMemory(JittedFunction &function, const JittedFunction &ofStructure,
                PyObject *const *arguments) {
    CoreLock core;
    const capture::FrozenClasses reading(function.frozenInMemory, function.seesFrozen);
    return switchToMemory(function, ofStructure, arguments);
}

bool stopsSpecialising(JittedFunction &function, PyObject *const *arguments) {
    CoreLock core;
    const capture::FrozenClasses reading(function.frozenInMemory, function.seesFrozen);
    return stopSpecialising(function, arguments);
}

bool compileFor(JittedFunction &function, const Call &call) {
    CoreLock core;
    return function.compileFor(call);
}

[[gnu::hot]] PyObject *callBound(JittedFunction &function, PyObject *const *arguments, int target,
                                 ObjectLock &own) {
    // After a compilation the arguments are read again: it may have requested static ones. Bounded,
    // since another thread could change a global again and again.
    llvm::SmallVector<std::string, 0> respecialised; // assumptions that failed
    for (int attempt = 0; attempt < 100; ++attempt) {
        Call call;
        call.target = target;
        call.bigint = function.bigint;
        VariantRef variant;
        if (target < 0 && !function.bigint) [[likely]] // Restart needs the call's arrays
            variant = function.tryInlineCache(arguments, call);
        if (!variant && function.structure.empty() && !function.hasItsCode()) [[unlikely]]
            return callWithNewCode(function, arguments, target, own);
        if (!variant) {
            bool fails = false;
            variant = findVariant(function, arguments, call, fails);
            if (call.nested && fails) [[unlikely]]
                return callFlattened(function, arguments, target, own);
            if (fails) [[unlikely]] { // in another way capture may not refuse it
                if (!function.structure.empty() || !usesMemory(function, function, arguments))
                    return nullptr;
                continue;
            }
        }
        if (variant) [[likely]] {
            if (variant->results.changesCallers() && !function.containersDoNotAlias(call))
                [[unlikely]]
                return nullptr;
            const ErrorSite *failedAssumption = nullptr;
            PyObject *result = run(*variant, call, failedAssumption, own);
            if (!failedAssumption) [[likely]]
                return result;
            if (!respecialise(function, *variant, *failedAssumption, respecialised))
                return nullptr;
        } else if (function.structure.empty() && stopsSpecialising(function, arguments)) {
            continue;
        } else if (!compileFor(function, call)) {
            if (!function.structure.empty() || !usesMemory(function, function, arguments))
                return nullptr;
        }
    }
    PyErr_SetString(PyExc_RuntimeError,
                    "shapecast: globals of the function change faster than it compiles");
    return nullptr;
}

bool flatten(JittedFunction &function, PyObject *const *arguments, FlatArguments &items) {
    CoreLock core;
    const capture::FrozenClasses reading(function.frozenInMemory, function.seesFrozen);
    return flattenArguments(function, arguments, items);
}

PyObject *callFlattened(JittedFunction &function, PyObject *const *arguments, int target,
                        ObjectLock &own) {
    if (stopsSpecialising(function, arguments))
        return callBound(function, arguments, target, own);
    FlatArguments items;
    if (!flatten(function, arguments, items))
        return usesMemory(function, function, arguments)
                   ? callBound(function, arguments, target, own)
                   : nullptr;
    PyObject *result = callBound(*items.function, items.objects.data(), target, own);
    if (!result && (switchToWholeRecords(function, *items.function) ||
                    usesMemory(function, *items.function, arguments)))
        return callBound(function, arguments, target, own);
    function.failed |= items.function->failed;
    return result;
}

bool runsPlain(const JittedFunction &function) {
    return function.runsAsPython || disabled.load(std::memory_order_relaxed);
}

// False where the plain function is to be called instead.
[[gnu::hot]] bool callCompiled(JittedFunction &function, ObjectLock &own,
                               PyObject *const *arguments, Py_ssize_t count, PyObject *keywords,
                               int target, PyObject *&result) {
    if (runsPlain(function)) [[unlikely]]
        return false;
    if (!keywords && size_t(count) == function.positional) [[likely]] {
        result = callBound(function, arguments, target, own);
    } else {
        BoundArguments bound;
        result = bindArguments(function, arguments, count, keywords, bound)
                     ? callBound(function, bound.objects.data(), target, own)
                     : nullptr;
    }
    if (result) [[likely]]
        return true;
    if (wasRefusedWhileCompiling() || (function.bigint && isBeyond64Bits())) [[unlikely]] {
        PyErr_Clear();
        return false;
    }
    return !(function.fallback && useFallback(function));
}

[[gnu::hot]] PyObject *callOn(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                              PyObject *keywords, int target) {
    std::shared_ptr<JittedFunction> timed;
    if (profiling.load(std::memory_order_relaxed)) [[unlikely]] {
        timed = timedStateOf(self, *jitOf(self)->state);
        if (!timed)
            return nullptr;
    }
    JittedFunction &function = timed ? *timed : *jitOf(self)->state;
    PyObject *result = nullptr;
    {
        ObjectLock own(self);
        if (callCompiled(function, own, arguments, count, keywords, target, result)) [[likely]]
            return result;
    }
    return PyObject_Vectorcall(function.function.get(), arguments, size_t(count), keywords);
}

[[gnu::hot]] PyObject *vectorcall(PyObject *self, PyObject *const *arguments, size_t flags,
                                  PyObject *keywords) {
    if (isProfiled() && !runsPlain(*jitOf(self)->state) && !isCalledByProfiled(self)) [[unlikely]]
        return callProfiled(self, jitOf(self)->profiled, arguments, flags, keywords);
    return callOn(self, arguments, PyVectorcall_NARGS(flags), keywords, -1);
}

bool isPlain(PyObject *object) {
    if (PyFunction_Check(object))
        return true;
    PyErr_Format(PyExc_TypeError, "jit takes a plain Python function, not %s",
                 Py_TYPE(object)->tp_name);
    return false;
}

PyObject *create(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static const char *names[] = {"function", "static_argnames", "fallback",
                                  "debug",    "bigint",          nullptr};
    PyObject *function = nullptr, *staticNames = nullptr;
    int fallback = 0, debug = 0, bigint = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|Oppp", const_cast<char **>(names),
                                     &function, &staticNames, &fallback, &debug, &bigint) ||
        !isPlain(function))
        return nullptr;
    auto state = std::make_unique<JittedFunction>();
    state->fallback = fallback;
    state->debug = debug;
    state->bigint = bigint;
    if (!readParameters(*state, function) || (staticNames && !readStaticNames(*state, staticNames)))
        return nullptr;
    PyObject *self = type->tp_alloc(type, 0);
    if (!self)
        return nullptr;
    jitOf(self)->vectorcall = vectorcall;
    jitOf(self)->state = state.release();
    return self;
}

int traverse(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(jitOf(self)->dict);
    Py_VISIT(jitOf(self)->profiled);
    return jitOf(self)->state ? jitOf(self)->state->traverse(visit, arg) : 0;
}

int clear(PyObject *self) {
    Py_CLEAR(jitOf(self)->dict);
    Py_CLEAR(jitOf(self)->profiled);
    // The function stays: a call during the collection needs it, and its own tp_clear breaks cycles
    // through closures.
    if (JittedFunction *state = jitOf(self)->state) {
        state->clear();
        if (state->timed)
            state->timed->clear();
    }
    return 0;
}

void destroy(PyObject *self) {
    PyObject_GC_UnTrack(self);
    if (jitOf(self)->weakReferences)
        PyObject_ClearWeakRefs(self);
    Py_CLEAR(jitOf(self)->dict);
    Py_CLEAR(jitOf(self)->profiled);
    delete std::exchange(jitOf(self)->state, nullptr);
    Py_TYPE(self)->tp_free(self);
}

PyObject *bindMethod(PyObject *self, PyObject *object, PyObject *) {
    return !object || object == Py_None ? Py_NewRef(self) : PyMethod_New(self, object);
}

PyObject *represent(PyObject *self) {
    auto *function = reinterpret_cast<PyFunctionObject *>(jitOf(self)->state->function.get());
    return PyUnicode_FromFormat("<jit %U>", function->func_qualname);
}

PyObject *plainFunction(PyObject *self, void *) {
    return Py_NewRef(jitOf(self)->state->function.get());
}

// What debuggers, profilers and other compilers look at: an attribute of the plain function. None
// for its code and closure: IPython's autoreload writes into the memory of objects that have them.
PyObject *ofFunction(PyObject *self, void *name) {
    return PyObject_GetAttrString(jitOf(self)->state->function.get(),
                                  static_cast<const char *>(name));
}

int setOfFunction(PyObject *self, PyObject *value, void *name) {
    return PyObject_SetAttrString(jitOf(self)->state->function.get(),
                                  static_cast<const char *>(name), value);
}

// The function itself as its `__call__`: unittest.mock takes the signature from there. Not for
// methods, whose `self` mock would not leave out, as it does for plain functions.
PyObject *getAttribute(PyObject *self, PyObject *name) {
    if (PyUnicode_CompareWithASCIIString(name, "__call__") == 0) {
        Ref qualified = Ref::steal(ofFunction(self, const_cast<char *>("__qualname__")));
        const char *text = qualified ? PyUnicode_AsUTF8(qualified.get()) : nullptr;
        if (!text)
            return nullptr;
        const auto [outer, inner] = llvm::StringRef(text).rsplit("<locals>.");
        if (!(inner.empty() ? outer : inner).contains('.'))
            return Py_NewRef(self);
    }
    return PyObject_GenericGetAttr(self, name);
}

PyObject *callSignature(PyObject *self,
                        void *) { // for inspect.signature, without importing it here
    Ref inspect = Ref::steal(PyImport_ImportModule("inspect"));
    return inspect ? PyObject_CallMethod(inspect.get(), "signature", "O",
                                         jitOf(self)->state->function.get())
                   : nullptr;
}

PyObject *options(const JittedFunction &function) { // in the order of create()
    const Ref names = function.staticNames ? function.staticNames : Ref::steal(PyTuple_New(0));
    return Py_BuildValue("(ONNN)", names.get(), PyBool_FromLong(function.fallback),
                         PyBool_FromLong(function.debug), PyBool_FromLong(function.bigint));
}

PyGetSetDef attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {"__wrapped__", plainFunction, nullptr, "the plain Python function", nullptr},
    {"py_func", plainFunction, nullptr, "the plain Python function, by Numba's name", nullptr},
    {"__signature__", callSignature, nullptr, nullptr, nullptr},
    {"__defaults__", ofFunction, nullptr, nullptr, const_cast<char *>("__defaults__")},
    {"__kwdefaults__", ofFunction, nullptr, nullptr, const_cast<char *>("__kwdefaults__")},
    {"__globals__", ofFunction, nullptr, nullptr, const_cast<char *>("__globals__")},
    // Not copied: from Python 3.14 on they are evaluated when somebody asks for them.
    {"__annotations__", ofFunction, setOfFunction, nullptr, const_cast<char *>("__annotations__")},
    {"__annotate__", ofFunction, setOfFunction, nullptr, const_cast<char *>("__annotate__")},
    {"__type_params__", ofFunction, nullptr, nullptr, const_cast<char *>("__type_params__")},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

} // namespace

void setDisabled(bool value) { disabled.store(value, std::memory_order_relaxed); }
bool isDisabled() { return disabled.load(std::memory_order_relaxed); }

PyObject *reduceJit(PyObject *self, PyObject *) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._pickling"));
    Ref given = Ref::steal(options(*jitOf(self)->state));
    return module && given ? PyObject_CallMethod(module.get(), "reduced", "OO", self, given.get())
                           : nullptr;
}

PyObject *copyOptions(PyObject *self, PyObject *other) {
    if (!PyObject_TypeCheck(other, &JitType))
        return PyErr_Format(PyExc_TypeError, "_copy_options takes a jitted function");
    JittedFunction &function = *jitOf(self)->state;
    const JittedFunction &given = *jitOf(other)->state;
    function.staticNames = given.staticNames; // read by readNewCode()
    function.fallback = given.fallback;
    function.debug = given.debug;
    function.bigint = given.bigint;
    function.runsAsPython = function.hasWarned = false;
    function.timed.reset();
    Py_CLEAR(jitOf(self)->profiled); // has the old line
    Py_RETURN_NONE;
}

PyObject *callOnDevice(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *keywords) {
    const int target = int(PyLong_AsLong(arguments[0]));
    return callOn(self, arguments + 1, count - 1, keywords, target);
}

bool useFallback(JittedFunction &function) {
    Ref raised = takeException(); // no call with an exception set
    Ref errors = Ref::steal(PyImport_ImportModule("shapecast._errors"));
    Ref unsupported =
        errors ? Ref::steal(PyObject_GetAttrString(errors.get(), "UnsupportedError")) : Ref();
    capture::forgetError();
    if (!unsupported || !PyErr_GivenExceptionMatches(raised.get(), unsupported.get())) {
        setException(std::move(raised));
        return false;
    }
    function.runsAsPython = function.failed; // else only this call's arguments are not supported
    if (std::exchange(function.hasWarned, true))
        return true;
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "shapecast runs %s() as plain Python: %S",
                            function.parameters.function.c_str(),
                            raised.get()) == 0; // else the warning is an error
}

bool pollSignals(runtime::Context *ctx, int64_t now) {
    if (!ctx->nextPoll && !ctx->savedThreadState) {
        ctx->nextPoll = now + timeToUnlock;
        return false;
    }
    const bool main = isMainThread();
    ctx->nextPoll = main ? now + timeBetweenSignals : INT64_MAX;
    if (ctx->savedThreadState && !main)
        return false;
    if (ctx->savedThreadState)
        takeInterpreterLock(
            static_cast<PyThreadState *>(std::exchange(ctx->savedThreadState, nullptr)));
    if (PyErr_CheckSignals() != 0)
        return true;
    ctx->savedThreadState = PyEval_SaveThread();
    return false;
}

PyTypeObject JitType = {}; // filled by addJitType

bool addJitType(PyObject *module, PyMethodDef *methods) {
    Py_SET_REFCNT(reinterpret_cast<PyObject *>(&JitType), 1);
    JitType.tp_name = "shapecast._core.Jit";
    JitType.tp_doc = "A function that runs as machine code, compiled for the types of its "
                     "arguments at the first call.";
    JitType.tp_basicsize = sizeof(JitObject);
    JitType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                       Py_TPFLAGS_METHOD_DESCRIPTOR;
    JitType.tp_vectorcall_offset = offsetof(JitObject, vectorcall);
    JitType.tp_dictoffset = offsetof(JitObject, dict);
    JitType.tp_weaklistoffset = offsetof(JitObject, weakReferences);
    JitType.tp_call = PyVectorcall_Call;
    JitType.tp_new = create;
    JitType.tp_dealloc = destroy;
    JitType.tp_traverse = traverse;
    JitType.tp_clear = clear;
    JitType.tp_repr = represent;
    JitType.tp_getattro = getAttribute;
    JitType.tp_descr_get = bindMethod;
    JitType.tp_methods = methods;
    JitType.tp_getset = attributes;
    if (PyType_Ready(&JitType) < 0)
        return false;
    return PyModule_AddObjectRef(module, "Jit", reinterpret_cast<PyObject *>(&JitType)) == 0;
}

} // namespace shapecast::bindings
