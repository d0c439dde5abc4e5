// Calls of jitted functions: binding, cache lookup, running compiled code.
#include "bindings/dispatcher.h"
#include "bindings/caught.h"
#include "bindings/errors.h"
#include "bindings/interpreter_lock.h"
#include "bindings/nested.h"
#include "bindings/random.h"
#include "bindings/written.h"
#include "capture/interrupts.h"
#include "ir/restart.h"
#include "runtime/threads.h"

#include <csetjmp>
#include <structmember.h>

namespace shapecast::bindings {
namespace {

// Above this many array elements a call takes long enough (some 5 us) to let other threads run
// meanwhile.
constexpr int64_t elementsToUnlock = 1 << 14;
// Other calls that have run for so long (nanoseconds) do it then; the main thread takes the lock
// again from time to time, since only there and with the lock can signal handlers run.
constexpr int64_t timeToUnlock = 20'000, timeBetweenSignals = 40'000'000;

JitObject *jitOf(PyObject *object) { return reinterpret_cast<JitObject *>(object); }

// sc_poll leaves compiled code through ctx.stop when an exception is set.
[[gnu::hot]] int32_t runCode(const Plan &plan, const Call &call, runtime::Context &ctx,
                             int64_t *results) {
    if (_setjmp(ctx.stop) != 0)
        return 1;
    return plan.entry(&ctx, call.slots.data(), results);
}

int32_t enter(Plan &plan, const Call &call, runtime::Context &ctx, int64_t *results) {
    const bool atOnce = call.elements >= elementsToUnlock || plan.slow;
    if (atOnce)
        ctx.released = PyEval_SaveThread();
    const int32_t status = runCode(plan, call, ctx, results);
    if (ctx.released) {
        takeInterpreterLock(static_cast<PyThreadState *>(ctx.released));
        plan.slow |= !atOnce; // the poller did it
    }
    return status;
}

// Sets the exception, or `doubted` where values are not as the code assumes; without an exception
// the call can begin again then.
void raiseOrDoubt(const Plan &plan, const runtime::ErrorRecord &record, bool drawn,
                  const ErrorSite *&doubted) {
    const std::vector<ErrorSite> &sites = plan.variant->sites;
    const bool known = record.site >= 0 && size_t(record.site) < sites.size();
    const ErrorSite *site = known ? &sites[size_t(record.site)] : nullptr;
    const bool late = site && site->exception == np::lateRestartError;
    if (!late && !(site && site->exception == np::restartError))
        return raiseSite(sites, record);
    doubted = site;
    if (late || drawn)
        raiseUserError({"shapecast.UnsupportedError",
                        "the dtype of this result depends on values, and is another one than in "
                        "the calls before; this call has stored, printed or drawn something, so "
                        "that it cannot begin again (the next one will know): call it before "
                        "that, or give it complex numbers",
                        site->frames,
                        {}});
}

PyObject *run(Plan &plan, const Call &call, const ErrorSite *&doubted) {
    runtime::Context ctx;
    ctx.call = &call;
    ctx.share = runtime::workToShare();
    ctx.stream = runtime::bytesToStream();
    ctx.sites = &plan.variant->sites;
    llvm::SmallVector<int64_t, 24> results;
    results.resize_for_overwrite(plan.results.slots);
    const int32_t status = enter(plan, call, ctx, results.data());
    const bool drawn = ctx.drawn;
    if (drawn)
        closeGenerators(&ctx);
    PyObject *value = nullptr;
    if (!call.copies.empty() && !writeBack(call)) // also after an error: earlier stores stay
        ;
    else if ((status != 0 || drawn) && PyErr_Occurred()) // by something that compiled code called
        addPlace(plan.variant->sites, ctx.error);
    else if (status == 0) [[likely]]
        value = wrapResults(plan.results, call, ctx, results.data());
    else
        raiseOrDoubt(plan, ctx.error, drawn, doubted);
    if (!value && !doubted && !plan.results.changes.empty()) [[unlikely]]
        noteLost(plan.results.changes);
    Py_XDECREF(static_cast<PyObject *>(ctx.objects));
    if (ctx.caught) [[unlikely]]
        forgetCaught(&ctx);
    if (ctx.live) [[unlikely]]
        runtime::releaseAll(&ctx);
    return value;
}

// Whether the call is to begin again with code that assumes the opposite at that place; else with
// the exception set.
bool turn(JittedFunction &function, const Plan &plan, const ErrorSite &doubted,
          llvm::SmallVectorImpl<std::string> &turned) {
    function.doubt(plan, doubted.message);
    if (PyErr_Occurred())
        return false;
    if (!llvm::is_contained(turned, doubted.message)) {
        turned.push_back(doubted.message);
        return true;
    }
    raiseUserError({"shapecast.UnsupportedError",
                    "the dtype of this result depends on values, and is one at one time and "
                    "another at another time in this call; give it complex numbers",
                    doubted.frames,
                    {}});
    return false;
}

PyObject *callWithItems(JittedFunction &function, PyObject *const *arguments);
PyObject *callBound(JittedFunction &function, PyObject *const *arguments);

// `f.__code__ = another`: the arguments are those of the parameters that it had before.
PyObject *callWithNewCode(JittedFunction &function, PyObject *const *arguments) {
    const auto count = Py_ssize_t(function.parameters.visible);
    BoundArguments bound;
    return bindArguments(function, arguments, count, nullptr, bound)
               ? callBound(function, bound.objects.data())
               : nullptr;
}

[[gnu::hot]] PyObject *callBound(JittedFunction &function, PyObject *const *arguments) {
    // A call that needs a compilation reads its arguments again: the compilation may ask for
    // constants. Bounded, since another thread could change a global again and again.
    llvm::SmallVector<std::string, 0> turned; // places where values were not as assumed
    for (int attempt = 0; attempt < 100; ++attempt) {
        Call call;
        PlanRef plan = function.repeat(arguments, call);
        if (!plan && function.structure.empty() && !function.hasItsCode()) [[unlikely]]
            return callWithNewCode(function, arguments);
        if (!plan) {
            if (!prepareCall(function, arguments, call)) [[unlikely]]
                return call.nested ? callWithItems(function, arguments) : nullptr;
            plan = function.find(call);
            if (plan)
                function.remember(call, *plan);
        }
        if (plan) [[likely]] {
            if (!plan->results.changes.empty() && !function.keepsApart(call)) [[unlikely]]
                return nullptr;
            const ErrorSite *doubted = nullptr;
            PyObject *result = run(*plan, call, doubted);
            if (!doubted) [[likely]]
                return result;
            if (!turn(function, *plan, *doubted, turned))
                return nullptr;
        } else if (!function.compileFor(call))
            return nullptr;
    }
    PyErr_SetString(PyExc_RuntimeError,
                    "shapecast: globals of the function change faster than it compiles");
    return nullptr;
}

PyObject *callWithItems(JittedFunction &function, PyObject *const *arguments) {
    Items items;
    if (!takeItems(function, arguments, items))
        return nullptr;
    PyObject *result = callBound(*items.function, items.objects.data());
    if (!result && takeWholeRecords(function, *items.function))
        return callBound(function, arguments);
    function.failed |= items.function->failed;
    return result;
}

PyObject *callAsPython(JittedFunction &function, PyObject *const *arguments, size_t count,
                       PyObject *keywords) {
    return PyObject_Vectorcall(function.function.get(), arguments, count, keywords);
}

[[gnu::hot]] PyObject *vectorcall(PyObject *self, PyObject *const *arguments, size_t flags,
                                  PyObject *keywords) {
    JittedFunction &function = *jitOf(self)->state;
    const Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (function.runsAsPython) [[unlikely]]
        return callAsPython(function, arguments, size_t(count), keywords);
    PyObject *result;
    if (!keywords && size_t(count) == function.positional) [[likely]] {
        result = callBound(function, arguments);
    } else {
        BoundArguments bound;
        result = bindArguments(function, arguments, count, keywords, bound)
                     ? callBound(function, bound.objects.data())
                     : nullptr;
    }
    if (!result && wasRefusedWhileCompiling()) [[unlikely]] {
        PyErr_Clear();
        return callAsPython(function, arguments, size_t(count), keywords);
    }
    if (!result && function.fallback && takeFallback(function))
        return callAsPython(function, arguments, size_t(count), keywords);
    return result;
}

bool isPlain(PyObject *object) {
    if (PyFunction_Check(object))
        return true;
    PyErr_Format(PyExc_TypeError, "jit takes a plain Python function, not %s",
                 Py_TYPE(object)->tp_name);
    return false;
}

bool readParameters(JittedFunction &state, PyObject *function) {
    Ref code = Ref::share(PyFunction_GetCode(function));
    Ref names = Ref::steal(PyObject_GetAttrString(code.get(), "co_varnames"));
    auto *c = reinterpret_cast<PyCodeObject *>(code.get());
    state.takesRest = c->co_flags & CO_VARARGS;
    state.takesOthers = c->co_flags & CO_VARKEYWORDS;
    const int count = c->co_argcount + c->co_kwonlyargcount + state.takesRest + state.takesOthers;
    state.code = std::move(code);
    if (!names)
        return false;
    if (count > maxParameters) {
        PyErr_Format(PyExc_TypeError, "jit: %d parameters; at most %d", count, maxParameters);
        return false;
    }
    state.function = Ref::share(function);
    state.parameters.function =
        PyUnicode_AsUTF8(reinterpret_cast<PyFunctionObject *>(function)->func_name);
    for (int i = 0; i < count; ++i)
        state.parameters.names.push_back(Ref::share(PyTuple_GET_ITEM(names.get(), i)));
    state.parameters.visible = size_t(count);
    state.positional = c->co_kwonlyargcount || (c->co_flags & (CO_VARARGS | CO_VARKEYWORDS))
                           ? size_t(-1)
                           : size_t(c->co_argcount);
    return true;
}

bool readStaticNames(JittedFunction &state, PyObject *given) {
    state.staticNames = Ref::share(given);
    Ref names = PyUnicode_Check(given) ? Ref::steal(PyTuple_Pack(1, given))
                                       : Ref::steal(PySequence_Tuple(given));
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names.get()); ++i) {
        PyObject *name = PyTuple_GET_ITEM(names.get(), i);
        bool isKnown = false;
        for (size_t p = 0; p < state.parameters.names.size(); ++p)
            if (PyUnicode_Check(name) &&
                PyUnicode_Compare(name, state.parameters.names[p].get()) == 0) {
                isKnown = true;
                state.parameters.demandedStatic.insert(p);
            }
        if (!isKnown) {
            PyErr_Format(PyExc_ValueError, "static_argnames: %s() has no parameter %R",
                         state.parameters.function.c_str(), name);
            return false;
        }
    }
    state.givenStatic = state.parameters.demandedStatic;
    return bool(names);
}

PyObject *create(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    static const char *names[] = {"function", "static_argnames", "fallback", "debug", nullptr};
    PyObject *function = nullptr, *staticNames = nullptr;
    int fallback = 0, debug = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|Opp", const_cast<char **>(names),
                                     &function, &staticNames, &fallback, &debug) ||
        !isPlain(function))
        return nullptr;
    auto state = std::make_unique<JittedFunction>();
    state->fallback = fallback;
    state->debug = debug;
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
    return jitOf(self)->state ? jitOf(self)->state->traverse(visit, arg) : 0;
}

int clear(PyObject *self) {
    Py_CLEAR(jitOf(self)->dict);
    // The function stays: a call during collection needs it, and its own clearing ends cycles
    // through closures.
    if (jitOf(self)->state)
        jitOf(self)->state->drop();
    return 0;
}

void destroy(PyObject *self) {
    PyObject_GC_UnTrack(self);
    if (jitOf(self)->weakReferences)
        PyObject_ClearWeakRefs(self);
    Py_CLEAR(jitOf(self)->dict);
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

PyObject *callSignature(PyObject *self,
                        void *) { // for inspect.signature, without importing it here
    Ref inspect = Ref::steal(PyImport_ImportModule("inspect"));
    return inspect ? PyObject_CallMethod(inspect.get(), "signature", "O",
                                         jitOf(self)->state->function.get())
                   : nullptr;
}

PyObject *options(const JittedFunction &function) { // static_argnames, fallback, debug
    const Ref names = function.staticNames ? function.staticNames : Ref::steal(PyTuple_New(0));
    return Py_BuildValue("(ONN)", names.get(), PyBool_FromLong(function.fallback),
                         PyBool_FromLong(function.debug));
}

PyGetSetDef attributes[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {"__wrapped__", plainFunction, nullptr, "the plain Python function", nullptr},
    {"__signature__", callSignature, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// Such a call goes to the function of its structure; this one is not even captured.
bool takesObjects(const JittedFunction &function, PyObject *const *arguments) {
    return std::any_of(arguments, arguments + function.parameters.visible, [&](PyObject *object) {
        return isObjectArgument(object) || (!function.wholeRecords && isRecords(object));
    });
}

// What an object holds cannot be taken apart as the arguments can. False, with an exception set if
// that is it.
bool refuseNested(const JittedFunction &function, Call &call) {
    for (size_t k = function.parameters.visible; call.nested && k < call.all.size(); ++k) {
        PyObject *object = call.all[k];
        const bool list = PyList_Check(object), dict = PyDict_Check(object);
        const bool range = PyRange_Check(object);
        if (!(list || dict || range || PyTuple_Check(object)) || isStatic(object))
            continue;
        call.nested = false;
        const char *name = PyUnicode_AsUTF8(function.parameters.names[k].get());
        raiseUserError({"shapecast.UnsupportedError",
                        std::string(name ? name : "an attribute") +
                            (dict    ? " is a dict; pass it, or its values, as an argument"
                             : range ? " is a range; pass it as an argument"
                             : list  ? " is a list; make it a tuple of numbers, or an array, or "
                                       "pass it as an argument"
                                     : " is a tuple with items other than numbers; pass it as an "
                                       "argument"),
                        {},
                        {}});
    }
    return false;
}

} // namespace

PyObject *reduceJit(PyObject *self, PyObject *) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._pickling"));
    Ref given = Ref::steal(options(*jitOf(self)->state));
    return module && given ? PyObject_CallMethod(module.get(), "reduced", "OO", self, given.get())
                           : nullptr;
}

PyObject *takeOptions(PyObject *self, PyObject *other) {
    if (!PyObject_TypeCheck(other, &JitType))
        return PyErr_Format(PyExc_TypeError, "_take_options takes a jitted function");
    JittedFunction &function = *jitOf(self)->state;
    const JittedFunction &given = *jitOf(other)->state;
    function.staticNames = given.staticNames; // read when the function's new code is
    function.fallback = given.fallback;
    function.debug = given.debug;
    function.runsAsPython = function.hasWarned = false;
    Py_RETURN_NONE;
}

bool takeNewCode(JittedFunction &function) {
    const Ref plain = function.function, names = function.staticNames;
    function.forget("compiled again: function " + function.parameters.function + " changed");
    function.parameters.names.clear();
    function.parameters.demandedStatic = {};
    return readParameters(function, plain.get()) &&
           (!names || readStaticNames(function, names.get()));
}

bool takeFallback(JittedFunction &function) {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback); // nothing may be called with an exception set
    Ref errors = Ref::steal(PyImport_ImportModule("shapecast._errors"));
    Ref unsupported =
        errors ? Ref::steal(PyObject_GetAttrString(errors.get(), "UnsupportedError")) : Ref();
    capture::forgetError();
    if (!unsupported || !PyErr_GivenExceptionMatches(type, unsupported.get())) {
        PyErr_Restore(type, value, traceback);
        return false;
    }
    const Ref owned[] = {Ref::steal(type), Ref::steal(value), Ref::steal(traceback)};
    function.runsAsPython = function.failed; // else it was this call's arguments
    if (std::exchange(function.hasWarned, true))
        return true;
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "shapecast runs %s() as plain Python: %S",
                            function.parameters.function.c_str(),
                            value) == 0; // else the warning is an error
}

bool pollSignals(runtime::Context *ctx, int64_t now) {
    if (!ctx->nextLook && !ctx->released) {
        ctx->nextLook = now + timeToUnlock;
        return false;
    }
    const bool main = isMainThread();
    ctx->nextLook = main ? now + timeBetweenSignals : INT64_MAX;
    if (ctx->released && !main)
        return false;
    if (ctx->released)
        takeInterpreterLock(static_cast<PyThreadState *>(std::exchange(ctx->released, nullptr)));
    if (PyErr_CheckSignals() != 0)
        return true;
    ctx->released = PyEval_SaveThread();
    return false;
}

bool prepareCall(JittedFunction &function, PyObject *const *arguments, Call &call) {
    if (function.takesRest || function.takesOthers ||
        (!function.isCaptured() && takesObjects(function, arguments))) [[unlikely]] {
        call.nested = true;
        return false;
    }
    call.containers = function.containersOf(arguments);
    for (int attempt = 0; attempt < 100; ++attempt) {
        if (!function.valid()) [[unlikely]] {
            if (function.isCaptured())
                function.forget("compiled again: " + function.changed() + " changed");
            if (!function.capture(arguments))
                return false;
        }
        function.enter(call);
        if (!function.hasHidden()) [[likely]]
            return readArguments(function.parameters, arguments, call);
        if (function.addHidden(arguments, call))
            return readArguments(function.parameters, call.all.data(), call) ||
                   refuseNested(function, call);
        if (PyErr_Occurred())
            return false;
        function.forget("compiled again: an array outside, or an object, is of another kind");
    }
    PyErr_SetString(PyExc_RuntimeError, "shapecast: what the function reads outside itself, or of "
                                        "objects, changes faster than it compiles");
    return false;
}

PyTypeObject JitType = {}; // filled by addJitType

bool addJitType(PyObject *module) {
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
    JitType.tp_descr_get = bindMethod;
    JitType.tp_methods = jitMethods;
    JitType.tp_getset = attributes;
    if (PyType_Ready(&JitType) < 0)
        return false;
    return PyModule_AddObjectRef(module, "Jit", reinterpret_cast<PyObject *>(&JitType)) == 0;
}

} // namespace shapecast::bindings
