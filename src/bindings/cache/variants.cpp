// The cache of a jitted function.
#include "bindings/cache/variants.h"

#include "bindings/cache/compile_lock.h"
#include "bindings/cache/disk.h"
#include "bindings/call/annotations.h"
#include "bindings/call/device_call.h"
#include "bindings/call/errors.h"
#include "bindings/call/interpreter_lock.h"
#include "bindings/call/number_lists.h"
#include "bindings/call/results.h"
#include "bindings/call/signature.h"
#include "capture/interrupts.h"
#include "capture/object_class.h"
#include "capture/record_classes.h"
#include "compile.h"
#include "context.h"
#include "ir/error_names.h"
#include "ir/in_memory.h"
#include "support/progress.h"

#include "llvm/Support/SaveAndRestore.h"

#include <chrono>
#include <mutex>
#include <sys/mman.h>

namespace shapecast::bindings {

static thread_local bool isCompiling = false, wasRefused = false;

// LLVM aborts the process where memory runs out: so most compilations' need is tested beforehand.
static bool hasRoomToCompile() {
    constexpr size_t room = size_t(128) << 20;
    void *start = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start != MAP_FAILED && munmap(start, room) == 0;
}

// The compiler is not reentrant: it refuses calls from signal handlers and from Python functions
// that a probe runs while this thread compiles, and from handlers that run before a fork.
static bool refuseToCompile() {
    if (!hasRoomToCompile()) {
        PyErr_NoMemory();
        return true;
    }
    if (!isCompiling && !Progress::isOnLargeStack() && !isAboutToFork())
        return false;
    PyErr_SetString(PyExc_RuntimeError,
                    "shapecast: cannot compile while this thread is compiling another function");
    return wasRefused = true;
}

bool wasRefusedWhileCompiling() { return std::exchange(wasRefused, false); }

KeyEntry *JittedFunction::entryOf(llvm::ArrayRef<uint64_t> key) {
    auto matches = [&](const KeyEntry &entry) {
        if (entry.key.size() != key.size())
            return false;
        // memcmp is slow for few words, and very much so for none.
#pragma clang loop vectorize(disable) unroll(disable)
        for (size_t k = 0; k < key.size(); ++k)
            if (entry.key[k] != key[k])
                return false;
        return true;
    };
    if (recent && matches(*recent)) [[likely]]
        return recent;
    for (const auto &entry : entries)
        if (matches(*entry)) {
            entry->lastUse = ++tick;
            return recent = entry.get();
        }
    return nullptr;
}

VariantRef JittedFunction::find(const Call &call) {
    if (call.generation != generation) [[unlikely]]
        return VariantRef();
    if (KeyEntry *entry = entryOf(call.key))
        for (const VariantRef &variant : entry->variants)
            if (variant->failedAssumptions == entry->failedAssumptions &&
                variant->guards.firstFailing(call.slots.data()) < 0)
                return VariantRef(&*variant);
    return VariantRef();
}

[[gnu::hot]] VariantRef JittedFunction::tryInlineCache(PyObject *const *arguments, Call &call) {
    if (!cachedVariant || !valid() || !cachedVariant) // valid() may let the function's lock go
        return VariantRef();
    call.arguments = arguments;
    call.containers = containersOf(arguments);
    if (inlineCache.match(arguments, call) &&
        cachedVariant->guards.firstFailing(call.slots.data()) < 0)
        return VariantRef(&*cachedVariant);
    call.slots.clear();
    call.elements = 0;
    return VariantRef();
}

void JittedFunction::updateInlineCache(const Call &call, CompiledVariant &variant) {
    // Only after two misses in a row of one variant: not where calls alternate between variants.
    if (std::exchange(lastVariant, &variant) != &variant || hasHidden())
        return;
    lastVariant = nullptr;
    cachedVariant =
        inlineCache.update(call, parameters.names.size()) ? VariantRef(&variant) : VariantRef();
}

void JittedFunction::noteFailedAssumption(const CompiledVariant &variant,
                                          const std::string &assumption) {
    invalidateInlineCache();
    KeyEntry *entry = entryOf(variant.compiledFor.key);
    if (!entry)
        return;
    auto known =
        std::find(entry->failedAssumptions.begin(), entry->failedAssumptions.end(), assumption);
    if (known != entry->failedAssumptions.end())
        entry->failedAssumptions.erase(known);
    else
        entry->failedAssumptions.insert(
            std::upper_bound(entry->failedAssumptions.begin(), known, assumption), assumption);
}

void JittedFunction::note(const std::string &line) {
    log.push_back(line);
    const char *wanted = std::getenv("SHAPECAST_LOG");
    if (wanted && llvm::StringRef(wanted) == "compile")
        PySys_FormatStderr("shapecast: %s: %s\n", parameters.function.c_str(), line.c_str());
}

KeyEntry &JittedFunction::newEntry(const Call &call) {
    if (entries.size() >= maxKeys) {
        auto oldest =
            std::min_element(entries.begin(), entries.end(),
                             [](const auto &a, const auto &b) { return a->lastUse < b->lastUse; });
        note("evicted: " + (*oldest)->text);
        entries.erase(oldest);
    }
    auto entry = std::make_unique<KeyEntry>();
    entry->key.assign(call.key.begin(), call.key.end());
    entry->lastUse = ++tick;
    entry->text = signatureText(parameters, call);
    entries.push_back(std::move(entry));
    return *(recent = entries.back().get());
}

// Counts the guards that failed for this call, and forbids those that keep failing. Returns them as
// text, for explain().
std::string JittedFunction::noteFailures(KeyEntry &entry, const Call &call) {
    std::string why;
    for (const VariantRef &variant : entry.variants) {
        const int index = variant->guards.firstFailing(call.slots.data());
        if (index < 0)
            continue;
        const np::GuardAttr guard = variant->code->guards[size_t(index)];
        auto known = std::find_if(entry.failures.begin(), entry.failures.end(),
                                  [&](const GuardFailures &f) { return f.guard == guard; });
        if (known == entry.failures.end())
            known = entry.failures.insert(entry.failures.end(), {guard, 0});
        ++known->count;
        const bool isForbidden = std::find(entry.forbidden.begin(), entry.forbidden.end(), guard) !=
                                 entry.forbidden.end();
        const bool isForbiddenNow = !isForbidden && (known->count >= failuresBeforeForbidden ||
                                                     entry.variants.size() + 1 >= maxVariants);
        if (isForbiddenNow)
            entry.forbidden.push_back(guard);
        why += (why.empty() ? "guard failed: " : ", ") + guardText(guard) +
               (isForbiddenNow ? ", no longer assumed" : "");
    }
    return !why.empty()                      ? why
           : entry.failedAssumptions.empty() ? "new key"
                                             : "an assumption about values failed";
}

//===-- Capture

// The present value of a global or cell, if it has one.
Ref present(const pybind11::object &holder, const std::string &name) {
    return name.empty() ? cellContents(holder.ptr()) : dictItem(holder.ptr(), name.c_str());
}

static bool isNumber(PyObject *object) { return capture::isNumber(capture::classify(object)); }

std::shared_ptr<capture::Captured> JittedFunction::captureNow(PyObject *const *objects) {
    const capture::FrozenClasses reading(frozenInMemory, seesFrozen);
    capture::CaptureOptions options{changingGlobals,
                                    {},
                                    invalidations >= maxInvalidations,
                                    wholeRecords,
                                    tuplesInMemory,
                                    /*instancesInMemory=*/false,
                                    /*defersRefusals=*/!fallback};
    for (const std::string &name : objectParameters)
        options.objects.push_back({name, pybind11::reinterpret_borrow<pybind11::object>(
                                             objects[options.objects.size()])});
    auto made = std::make_shared<capture::Captured>(
        capture::captureFunction(function.get(), context(), options));
    capture::throwInterrupts();
    if (!structure.empty())
        made->module->lookupSymbol<np::FuncOp>(made->entry)
            .setStructureAttr(np::CallStructureAttr::get(&context(), structure.text()));
    addAnnotations(function.get(), *made);
    return made;
}

// The body's result; false with an exception set where it throws.
template <class Body> bool JittedFunction::reportingErrors(Body body) {
    try {
        return body();
    } catch (capture::WholeRecords &) {
        wholeRecords = true;
        PyErr_SetString(PyExc_RuntimeError, "shapecast: structured arrays are needed as a whole");
    } catch (capture::CaptureError &failure) {
        // Lists of members of Enums may be supported in memory where they are not one by one.
        wasRefused = failure.error.exception == "shapecast.UnsupportedError" &&
                     (!objectParameters.empty() || (seesFrozen && !triedFrozen));
        refuse("the function", failure.error);
    } catch (pybind11::error_already_set &failure) {
        failure.restore();
    } catch (const std::exception &failure) {
        PyErr_SetString(PyExc_SystemError, failure.what());
    }
    return false;
}

// Makes this the current capture. False where it has too many hidden arguments.
bool JittedFunction::install(std::shared_ptr<capture::Captured> found) {
    if (parameters.visible + found->hidden.size() > size_t(maxParameters))
        return false;
    watchAnnotations(function.get(), *found);
    captured = std::move(found);
    watch = std::make_shared<Watch>(*captured);
    ++generation;
    parameters.names.resize(parameters.visible);
    parameters.globals = {};
    parameters.classesInMemory = captured->classesInMemory;
    parameters.mergesInstances |= !captured->classesInMemory.empty();
    for (const capture::HiddenUse &use : captured->hidden) {
        if (use.owner < 0)
            parameters.globals.insert(parameters.names.size());
        parameters.names.push_back(Ref::steal(
            PyUnicode_InternFromString(use.name.empty() ? "closure variable" : use.name.c_str())));
    }
    return true;
}

bool JittedFunction::capture(PyObject *const *arguments) {
    if (refuseToCompile())
        return false;
    CompileLock lock;
    if (valid()) // another thread captured it
        return true;
    return reportingErrors([&] {
        if (captureFromDisk())
            return true;
        std::shared_ptr<capture::Captured> made = captureNow(arguments + parameters.visible);
        DirectCapture own = isDirect() ? directCapture(function.get(), *made) : DirectCapture();
        return installOrRefuse(std::move(made), std::move(own));
    });
}

bool JittedFunction::installOrRefuse(std::shared_ptr<capture::Captured> made, DirectCapture own) {
    if (install(std::move(made))) {
        direct = std::move(own);
        return true;
    }
    captured.reset();
    refuse("the function",
           {"shapecast.UnsupportedError",
            parameters.function + "() has more than " + std::to_string(maxParameters) +
                " arguments, together with the arrays, numbers and attributes that it reads "
                "from outside; put some of them into one array",
            {},
            {}});
    return false;
}

// Objects cannot be identified in another process.
bool JittedFunction::isDirect() const {
    return diskCache() && objectParameters.empty() && !wholeRecords && !tuplesInMemory &&
           !frozenInMemory;
}

bool JittedFunction::captureFromDisk() {
    direct = {};
    if (!isDirect() || invalidations > 0)
        return false;
    std::optional<capture::Captured> found =
        findCapture(*diskCache(), function.get(), {structure, declaredStatic}, direct);
    if (!found || !install(std::make_shared<capture::Captured>(std::move(*found)))) {
        direct = {};
        return false;
    }
    parameters.requestedStatic.insert(direct.requestedStatic);
    for (const capture::HiddenUse &use : captured->hidden)
        if (const Ref now = present(use.holder, use.name);
            now && (isNumber(now.get()) || capture::isMutableContainer(now.get())))
            changingGlobals.push_back({use.holder, use.name, {}});
    return true;
}

// Captures the function, where the capture came from disk without a module. If a global has changed
// meanwhile, the new capture replaces that, and the arguments of calls are read again.
bool JittedFunction::captureModule() {
    return reportingErrors([&] {
        std::shared_ptr<capture::Captured> made = captureNow(nullptr);
        DirectCapture own = directCapture(function.get(), *made);
        own.requestedStatic = parameters.requestedStatic;
        if (captured && !own.text.empty() && own.text == direct.text) {
            watchAnnotations(function.get(), *made);
            captured = std::move(made);
            watch = std::make_shared<Watch>(*captured);
            return true;
        }
        clear();
        return installOrRefuse(std::move(made), std::move(own));
    });
}

// Puts the objects of this call, in the order of captured->objects, at the start of call.hidden.
// False where one is of another kind than the captured one.
bool JittedFunction::readObjects(const capture::Captured &captured, PyObject *const *objects,
                                 Call &call) {
    for (const capture::ReachedObject &use : captured.objects) {
        if (use.owner < 0) {
            const pybind11::handle object =
                use.constant ? pybind11::handle(use.constant) : *objects++;
            if (use.constant && !use.kind.admits(object)) // object.__class__ was assigned
                return false;
            call.hidden.push_back(Ref::steal(capture::unwrapJitted(object).release().ptr()));
            continue;
        }
        PyObject *owner = call.hidden[size_t(use.owner)].get();
        pybind11::object found = capture::memberOf(owner, use.name);
        if (!found ||
            !(use.isNumberList ? capture::classify(found.ptr()) == capture::ObjectClass::List
                               : use.kind.admits(found)) ||
            (use.isBoundToOwner && PyMethod_GET_SELF(found.ptr()) != owner))
            return false;
        call.hidden.push_back(Ref::steal(capture::unwrapJitted(found).release().ptr()));
    }
    return true;
}

// Absent attributes are still absent, and objects that the function changes do not alias others.
static bool isAsCaptured(const capture::Captured &captured, const Call &call) {
    for (const capture::Captured::Absent &absent : captured.absent)
        if (capture::memberOf(call.hidden[size_t(absent.owner)].get(), absent.attribute))
            return false;
    for (int changed : captured.changed)
        for (size_t i = 0; i < captured.objects.size(); ++i)
            if (int(i) != changed && call.hidden[i].get() == call.hidden[size_t(changed)].get())
                return false;
    return true;
}

bool JittedFunction::addHidden(PyObject *const *arguments, Call &call) const {
    call.all.assign(arguments, arguments + parameters.visible);
    call.hidden.clear();
    const std::shared_ptr<capture::Captured> current =
        captured; // reading attributes runs Python code
    if (!readObjects(*current, arguments + parameters.visible, call) ||
        !isAsCaptured(*current, call))
        return false;
    for (const capture::HiddenUse &use : current->hidden) {
        if (use.owner >= 0 && !use.attribute) {
            PyObject *owner = call.hidden[size_t(use.owner)].get();
            Ref itself = capture::isReplacedValue(owner) ? Ref::share(owner) : numbersOf(owner);
            if (!itself)
                return false;
            call.hidden.push_back(std::move(itself));
        } else if (use.owner >= 0) {
            pybind11::object found =
                capture::memberOf(call.hidden[size_t(use.owner)].get(), use.attribute);
            if (!found || capture::isObject(found))
                return false;
            call.hidden.push_back(Ref::steal(found.release().ptr()));
        } else {
            Ref object = present(use.holder, use.name);
            if (!object || !(capture::classify(object.get()) == capture::ObjectClass::Array ||
                             isNumber(object.get()) || capture::isOpaque(object.get()) ||
                             capture::isMutableContainer(object.get()) || isInstance(object.get())))
                return false;
            if ((capture::isMutableContainer(object.get()) || isInstance(object.get())) &&
                !isAlone(object.get(), use, call))
                return false;
            call.hidden.push_back(std::move(object));
        }
        call.all.push_back(call.hidden.back().get());
    }
    return captured == current;
}

// Numbers that have changed become hidden arguments, so that the next change recompiles nothing.
void JittedFunction::noteChangingGlobals() {
    const std::shared_ptr<capture::Captured> current = captured;
    for (const capture::GlobalUse &use : current->globals) {
        if (!use.seen || !isNumber(use.seen.ptr()))
            continue;
        const Ref now = present(use.holder, use.name);
        if (now && now.get() != use.seen.ptr() && isNumber(now.get()))
            changingGlobals.push_back({use.holder, use.name, {}});
    }
}

void JittedFunction::clear() {
    captured.reset();
    direct = {};
    ++generation;
    watch = std::make_shared<Watch>();
    entries.clear();
    recent = nullptr;
    invalidateInlineCache();
    nested.clear(); // a call that runs keeps its own
    kinds.clear();
}

void JittedFunction::invalidate(const std::string &reason) {
    if (captured)
        noteChangingGlobals();
    clear();
    ++invalidations;
    note(reason);
}

// For the cycle collector: a local function may reach its own jit object through a closure.
int JittedFunction::traverse(visitproc visit, void *arg) const {
    Py_VISIT(function.get());
    for (const capture::ObjectKind &kind : kinds)
        if (int stop = kind.traverse(visit, arg))
            return stop;
    for (const auto &[text, inner] : nested)
        if (int stop = inner->traverse(visit, arg))
            return stop;
    if (int stop = watch->traverse(visit, arg))
        return stop;
    if (int stop = timed ? timed->traverse(visit, arg) : 0)
        return stop;
    auto visitAll = [&](const std::vector<capture::GlobalUse> &uses) {
        for (const capture::GlobalUse &use : uses) {
            Py_VISIT(use.holder.ptr());
            Py_VISIT(use.seen.ptr());
        }
        return 0;
    };
    for (const auto *uses : {&changingGlobals, &wishedGlobals})
        if (int stop = visitAll(*uses))
            return stop;
    if (!captured || captured.use_count() > 1) // a compilation has a reference too
        return 0;
    for (const auto *uses : {&captured->globals, &captured->containers, &captured->lookUps})
        if (int stop = visitAll(*uses))
            return stop;
    for (const capture::HiddenUse &use : captured->hidden)
        Py_VISIT(use.holder.ptr());
    for (const capture::ReachedObject &use : captured->objects) {
        Py_VISIT(use.constant.ptr());
        if (int stop = use.kind.traverse(visit, arg))
            return stop;
    }
    for (const capture::Captured::Absent &use : captured->absent)
        Py_VISIT(use.attribute.ptr());
    for (const capture::FunctionUse &use : captured->functions) {
        Py_VISIT(use.function.ptr());
        Py_VISIT(use.code.ptr());
        Py_VISIT(use.defaults.ptr());
        Py_VISIT(use.kwdefaults.ptr());
        Py_VISIT(use.doc.ptr());
    }
    for (const capture::ParameterInfo &parameter : captured->parameters)
        Py_VISIT(parameter.value.ptr());
    return 0;
}

void JittedFunction::refuse(const std::string &what, const UserError &error) {
    failed = true;
    const std::string line = what + ": not compiled, " + error.exception + ": " + error.message;
    if (log.empty() || log.back() != line) // once for a call in a loop
        note(line);
    raiseUserError(error);
}

bool JittedFunction::requestStaticArguments(const std::vector<int32_t> &numbers) {
    const ParameterSet before = parameters.requestedStatic;
    if (llvm::is_contained(numbers, np::requestsTuplesInMemory)) {
        if (std::exchange(tuplesInMemory, true))
            return false;
        clear();
        note("tuples of lengths known only at run time are in memory");
        return true;
    }
    if (llvm::any_of(numbers, [](int32_t number) { return number < 0; })) {
        wishGlobals(numbers);
        return false;
    }
    for (int32_t number : numbers)
        if (size_t(number) < parameters.names.size())
            parameters.requestedStatic.insert(size_t(number));
    if (parameters.requestedStatic == before)
        return false;
    ++generation;    // calls whose arguments other threads have read lack the value
    entries.clear(); // and so do their keys
    recent = nullptr;
    invalidateInlineCache();
    note("the value of a parameter is needed at compile time: it is part of the key from now on");
    return true;
}

void JittedFunction::addVariant(KeyEntry &entry, const Call &call, std::unique_ptr<Variant> variant,
                                const std::string &why) {
    char milliseconds[32];
    std::snprintf(milliseconds, sizeof milliseconds, "%.1f ms", variant->milliseconds);
    note(entry.text + ": " + why + ", " + milliseconds +
         (variant->fromDisk ? ", code found on disk" : ""));
    for (const std::string &called : variant->callOuts)
        note("calls Python: " + called);
    for (const DeviceNote &done : deviceNotes(*variant))
        note(done.text());
    auto *compiled = new CompiledVariant;
    VariantRef holder(compiled);
    compiled->entry = variant->entry;
    compiled->guards = GuardProgram(variant->guards, [&](llvm::StringRef symbol) {
        return slotOfSymbol(call, parameters.names.size(), symbol);
    });
    compiled->results = planResults(*variant);
    compiled->compiledFor.key = call.key;
    compiled->compiledFor.slots = call.slots;
    compiled->forbidden = entry.forbidden;
    compiled->failedAssumptions = entry.failedAssumptions;
    compiled->why = why;
    compiled->code = std::move(variant);
    if (profile) {
        compiled->times = std::make_shared<VariantTimes>(
            VariantTimes{compiled->code->profile, compiled->code->milliseconds});
        times->push_back(compiled->times);
    }
    if (entry.variants.size() >= maxVariants)
        entry.variants.erase(entry.variants.begin());
    entry.variants.push_back(std::move(holder));
}

namespace {

// A notice, on a terminal or in a notebook, that a compilation takes more than a second. Errors in
// it are ignored, except interrupts.
class SlowNotice {
    const JittedFunction &function;
    const Call &call;
    const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    bool isSaid = false;

    void say(const char *before, const char *after) {
        isSaid = true;
        std::string what =
            function.parameters.function + "(" + signatureText(function.parameters, call) + ")";
        constexpr size_t longest = 120;
        if (what.size() > longest)
            what = what.substr(0, longest) + "...";
        Ref module = Ref::steal(PyImport_ImportModule("shapecast._progress"));
        Ref done = module ? Ref::steal(PyObject_CallMethod(module.get(), "announce", "s",
                                                           (before + what + after).c_str()))
                          : Ref();
        if (!done)
            capture::forgetError();
    }
    bool isDue() const {
        return !isSaid && std::chrono::steady_clock::now() - started > std::chrono::seconds(1);
    }

public:
    SlowNotice(const JittedFunction &function, const Call &call) : function(function), call(call) {}
    void poll() {
        if (isDue())
            say("", " has been compiling for 1 s; Ctrl-C ends it, SHAPECAST_LOG=compile in the "
                    "environment shows every compilation with its time");
    }
    void end() {
        if (isDue() && isMainThread())
            say("compiling ", " took more than 1 s; SHAPECAST_LOG=compile in the environment "
                              "shows every compilation with its time");
    }
};

} // namespace

std::optional<CompileResult> JittedFunction::compileOnly(const Call &call, CompileOptions options) {
    options.debug = debug;
    options.profile = profile;
    options.defersRefusals = defersRefusals(call);
    if (refuseToCompile())
        return std::nullopt;
    CompileLock lock;
    const uint64_t before = generation;
    if (captured && !captured->module && !captureModule())
        return std::nullopt;
    if (generation != before)
        return std::nullopt;
    std::shared_ptr<capture::Captured> current = captured;
    try {
        if (!current) // another thread found that a global had changed
            throw std::runtime_error("shapecast: globals of the function change while it compiles");
        const Signature signature =
            signatureOf(*current->module->getContext(), call, parameters.names.size());
        SlowNotice notice(*this, call);
        std::optional<CompileResult> result;
        {
            WithoutInterpreterLock unlocked;
            std::lock_guard running(compilerMutex());
            auto mayContinue = [&] {
                if (!isMainThread()) // signal handlers run there only
                    return true;
                PyEval_RestoreThread(unlocked.state);
                const bool continues = PyErr_CheckSignals() == 0;
                if (continues)
                    notice.poll();
                unlocked.state = PyEval_SaveThread();
                return continues;
            };
            Progress progress(mayContinue);
            llvm::SaveAndRestore guard(isCompiling, true);
            result = compile(*current->module, current->entry, signature, options);
            lockAtThreadExit();
        }
        if (PyErr_Occurred())
            return std::nullopt;
        notice.end();
        if (result->variant)
            compilingMilliseconds += result->variant->milliseconds;
        return result;
    } catch (pybind11::error_already_set &failure) { // an interrupt in the library's Python code
        failure.restore();
        return std::nullopt;
    } catch (const std::bad_alloc &) {
        PyErr_NoMemory();
        return std::nullopt;
    } catch (const std::exception &failure) {
        PyErr_SetString(PyExc_SystemError, failure.what());
        return std::nullopt;
    }
}

std::unique_ptr<Variant> JittedFunction::findOnDisk(const Call &call, const CacheKey &key) const {
    const auto started = std::chrono::steady_clock::now();
    auto fits = [&](const Variant &variant) {
        const GuardProgram guards(variant.guards, [&](llvm::StringRef symbol) {
            return slotOfSymbol(call, parameters.names.size(), symbol);
        });
        return guards.firstFailing(call.slots.data()) < 0;
    };
    DiskCache *disk = profile ? nullptr : diskCache();
    std::unique_ptr<Variant> variant = disk ? findVariant(*disk, key, fits) : nullptr;
    if (variant)
        variant->milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started)
                .count();
    return variant;
}

void JittedFunction::storeOnDisk(const CacheKey &key, const std::string &label,
                                 const CompileResult &result, const ProbeLog::Probes &probes) {
    DiskCache *disk = diskCache();
    if (!result.onDisk || !disk)
        return;
    direct.requestedStatic = parameters.requestedStatic;
    storeCapture(*disk, function.get(), {structure, declaredStatic}, direct);
    storeVariant(*disk, key, parameters.function + "(" + label + ")", *result.variant,
                 *result.onDisk, probes);
}

CompileOptions JittedFunction::optionsFor(const KeyEntry *entry) {
    CompileOptions options;
    if (const char *directory = std::getenv("SHAPECAST_DUMP"))
        options.dumpDirectory = directory;
    options.recheck = std::getenv("SHAPECAST_RECHECK") != nullptr;
    options.debug = debug;
    options.profile = profile;
    options.memoryIsNext = containers && !knowsMemory && parameters.inMemory == MemoryUse::None;
    options.disk = profile ? nullptr : diskCache(); // the times of rows are of this process
    if (entry) {
        options.forbidden = entry->forbidden;
        options.failedAssumptions = entry->failedAssumptions;
    }
    return options;
}

// Null with an exception set, and without one where the arguments are to be read again.
std::unique_ptr<Variant> JittedFunction::compileAnew(const Call &call,
                                                     const CompileOptions &options,
                                                     const std::optional<CacheKey> &key) {
    if (captured && !captured->module && !captureModule())
        return nullptr;
    if (call.generation != generation)
        return nullptr;
    ProbeLog log;
    std::optional<CompileResult> result = compileOnly(call, options);
    if (!result || call.generation != generation)
        return nullptr;
    if (!result->variant) {
        wasRefused = result->error.exception == "shapecast.UnsupportedError";
        if (!requestStaticArguments(result->staticArguments))
            refuse(signatureText(parameters, call), result->error);
        return nullptr;
    }
    ++(result->variant->fromDisk ? variantCounts().typed : variantCounts().compiled);
    if (key && call.generation == generation)
        storeOnDisk(*key, signatureText(parameters, call), *result, log.probes);
    return std::move(result->variant);
}

bool JittedFunction::compileFor(const Call &call) {
    if (!areOnOneDevice(parameters, call) || refuseToCompile())
        return false;
    CompileLock lock;
    if (call.generation != generation) // captured again while this thread waited
        return true;
    if (find(call)) // compiled by another thread
        return true;
    KeyEntry *entry = entryOf(call.key);
    const std::string why = entry ? noteFailures(*entry, call) : "new key";
    CompileOptions options = optionsFor(entry);
    options.defersRefusals = defersRefusals(call);
    if (call.device >= 0)
        options.ptxTarget = architectureOf(call);
    const std::optional<CacheKey> key =
        options.disk
            ? keyOfCall({structure, declaredStatic}, direct, call, parameters.names.size(), options)
            : std::nullopt;
    std::unique_ptr<Variant> variant = key ? findOnDisk(call, *key) : nullptr;
    variantCounts().direct += variant != nullptr;
    if (!variant)
        variant = compileAnew(call, options, key);
    if (!variant && PyErr_Occurred())
        return false;
    warnOfDiskCache();
    if (variant && (!warnOfRefusals(*variant) || (!entry && !warnOfManyKeys())))
        return false;
    if (!variant || call.generation != generation) // a global changed meanwhile, or another
        return true;                               // parameter is to be a constant
    entry = entryOf(call.key);
    addVariant(entry ? *entry : newEntry(call), call, std::move(variant), why);
    // np-infer decides guards by the hints, which are this call's values, so they hold for it. If
    // they did not, it would be compiled again and again.
    if (!find(call)) {
        PyErr_SetString(
            PyExc_SystemError,
            "shapecast: the guards of the compiled variant fail for the call that it was "
            "compiled for; this is a compiler bug, please report it");
        return false;
    }
    return true;
}

std::vector<OwnedVariant> JittedFunction::variants() {
    std::vector<OwnedVariant> all;
    for (const auto &entry : entries)
        for (const VariantRef &variant : entry->variants)
            all.push_back({this, VariantRef(&*variant)});
    for (const auto &[text, inner] : nested)
        for (OwnedVariant &variant : inner->variants()) {
            variant.keeper = inner;
            all.push_back(std::move(variant));
        }
    return all;
}

static std::string variantText(const KeyEntry &entry, const CompiledVariant &variant) {
    std::string text = entry.text;
    for (np::GuardAttr guard : variant.code->guards)
        text += ", if " + guardText(guard);
    for (const std::string &assumption : variant.failedAssumptions) // "no x below 0 at loc(...)"
        text += ", if not: " + assumption.substr(0, assumption.find(" at "));
    return text;
}

std::string JittedFunction::textOf(const CompiledVariant &variant) const {
    for (const auto &entry : entries)
        for (const VariantRef &own : entry->variants)
            if (&*own == &variant)
                return variantText(*entry, variant);
    return "";
}

std::vector<std::string> JittedFunction::signatures() const {
    std::vector<std::string> all;
    for (const auto &entry : entries)
        for (const VariantRef &variant : entry->variants)
            all.push_back(variantText(*entry, *variant));
    for (const auto &[text, inner] : nested)
        llvm::append_range(all, inner->signatures());
    return all;
}

std::vector<std::string> JittedFunction::explanations() const {
    std::vector<std::string> all = log;
    for (const auto &[text, inner] : nested)
        llvm::append_range(all, inner->explanations());
    return all;
}

} // namespace shapecast::bindings
