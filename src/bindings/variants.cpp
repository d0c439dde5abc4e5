// The cache of a jitted function.
#include "bindings/variants.h"
#include "capture/interrupts.h"

#include "bindings/annotations.h"
#include "bindings/disk.h"
#include "bindings/errors.h"
#include "bindings/interpreter_lock.h"
#include "bindings/nested.h"
#include "bindings/signature.h"
#include "passes/passes.h"
#include "support/progress.h"

#include "llvm/Support/SaveAndRestore.h"

#include <chrono>
#include <mutex>
#include <sys/mman.h>

namespace shapecast::bindings {

static thread_local bool compiles = false, wasRefused = false;

// LLVM ends the process where memory runs out: it gets more room than most compilations take.
static bool hasRoomToCompile() {
    constexpr size_t room = size_t(128) << 20;
    void *start = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start != MAP_FAILED && munmap(start, room) == 0;
}

// The compiler does one thing at a time: not what a signal handler asks, or a Python function that
// is tried out, while this thread compiles; nor what runs just before a fork.
static bool refuseToCompile() {
    if (!hasRoomToCompile()) {
        PyErr_NoMemory();
        return true;
    }
    if (!compiles && !Progress::isOnLargeStack() && !isAboutToFork())
        return false;
    PyErr_SetString(PyExc_RuntimeError, "shapecast: called while this thread compiles");
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

PlanRef JittedFunction::find(const Call &call) {
    if (call.generation != generation) [[unlikely]]
        return PlanRef();
    if (KeyEntry *entry = entryOf(call.key))
        for (const PlanRef &plan : entry->plans)
            if (plan->doubted == entry->doubted && plan->guards.firstFailing(call.slots.data()) < 0)
                return PlanRef(&*plan);
    return PlanRef();
}

[[gnu::hot]] PlanRef JittedFunction::repeat(PyObject *const *arguments, Call &call) {
    if (!repeated || !valid())
        return PlanRef();
    call.arguments = arguments;
    call.containers = containersOf(arguments);
    if (pattern.read(arguments, call) && repeated->guards.firstFailing(call.slots.data()) < 0)
        return PlanRef(&*repeated);
    call.slots.clear();
    call.elements = 0;
    return PlanRef();
}

void JittedFunction::remember(const Call &call, Plan &plan) {
    // Not where calls of several kinds take turns.
    if (std::exchange(found, &plan) != &plan || hasHidden())
        return;
    found = nullptr;
    repeated = pattern.take(call, parameters.names.size()) ? PlanRef(&plan) : PlanRef();
}

void JittedFunction::doubt(const Plan &plan, const std::string &place) {
    forgetPattern();
    KeyEntry *entry = entryOf(plan.seen.key);
    if (!entry)
        return;
    auto known = std::find(entry->doubted.begin(), entry->doubted.end(), place);
    if (known != entry->doubted.end())
        entry->doubted.erase(known);
    else
        entry->doubted.insert(std::upper_bound(entry->doubted.begin(), known, place), place);
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
        note("dropped: " + (*oldest)->text);
        entries.erase(oldest);
    }
    auto entry = std::make_unique<KeyEntry>();
    entry->key.assign(call.key.begin(), call.key.end());
    entry->lastUse = ++tick;
    entry->text = signatureText(parameters, call);
    entries.push_back(std::move(entry));
    return *(recent = entries.back().get());
}

// Counts the guards that turned this call away, forbids those that keep doing so, and says which
// they were.
std::string JittedFunction::noteFailures(KeyEntry &entry, const Call &call) {
    std::string why;
    for (const PlanRef &plan : entry.plans) {
        const int index = plan->guards.firstFailing(call.slots.data());
        if (index < 0)
            continue;
        const np::GuardAttr guard = plan->variant->guards[size_t(index)];
        auto known = std::find_if(entry.failures.begin(), entry.failures.end(),
                                  [&](const GuardFailures &f) { return f.guard == guard; });
        if (known == entry.failures.end())
            known = entry.failures.insert(entry.failures.end(), {guard, 0});
        ++known->count;
        const bool isForbidden = std::find(entry.forbidden.begin(), entry.forbidden.end(), guard) !=
                                 entry.forbidden.end();
        const bool givenUp = !isForbidden && (known->count >= failuresBeforeForbidden ||
                                              entry.plans.size() + 1 >= maxVariants);
        if (givenUp)
            entry.forbidden.push_back(guard);
        why += (why.empty() ? "guard failed: " : ", ") + guardText(guard) +
               (givenUp ? ", given up" : "");
    }
    return !why.empty() ? why : entry.doubted.empty() ? "new key" : "values are not as assumed";
}

//===-- Capture

// Borrowed; null: gone.
static PyObject *present(const pybind11::object &holder, const std::string &name) {
    return name.empty() ? PyCell_GET(holder.ptr())
                        : PyDict_GetItemString(holder.ptr(), name.c_str());
}

static bool isNumber(PyObject *object) {
    return PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyComplex_CheckExact(object);
}

std::shared_ptr<capture::Captured> JittedFunction::captureNow(PyObject *const *objects) {
    capture::CaptureOptions options{
        changing, {}, forgotten >= mostForgotten, wholeRecords, /*defersRefusals=*/!fallback};
    for (const std::string &name : objectParameters)
        options.objects.push_back({name, pybind11::reinterpret_borrow<pybind11::object>(
                                             objects[options.objects.size()])});
    auto made = std::make_shared<capture::Captured>(
        capture::captureFunction(function.get(), context(), options));
    capture::throwInterrupts();
    if (!structure.empty())
        made->module->lookupSymbol(made->entry)
            ->setAttr("structure", mlir::StringAttr::get(&context(), structure));
    addAnnotations(function.get(), *made);
    return made;
}

// What the body says; false with an exception set where it throws.
template <class Body> bool JittedFunction::reportingErrors(Body body) {
    try {
        return body();
    } catch (capture::WholeRecords &) {
        wholeRecords = true;
        PyErr_SetString(PyExc_RuntimeError, "shapecast: arrays of records are needed as a whole");
    } catch (capture::CaptureError &failure) {
        refuse("the function", failure.error);
    } catch (pybind11::error_already_set &failure) {
        failure.restore();
    } catch (const std::exception &failure) {
        PyErr_SetString(PyExc_SystemError, failure.what());
    }
    return false;
}

// False where it has too many hidden arguments.
bool JittedFunction::take(std::shared_ptr<capture::Captured> found) {
    if (parameters.visible + found->hidden.size() > size_t(maxParameters))
        return false;
    watchAnnotations(function.get(), *found);
    captured = std::move(found);
    watch = Watch(*captured);
    ++generation;
    parameters.names.resize(parameters.visible);
    for (const capture::HiddenUse &use : captured->hidden)
        parameters.names.push_back(Ref::steal(
            PyUnicode_InternFromString(use.name.empty() ? "closure variable" : use.name.c_str())));
    return true;
}

bool JittedFunction::capture(PyObject *const *arguments) {
    if (refuseToCompile())
        return false;
    CompileLock lock;
    if (captured && watch.holds()) // another thread did it
        return true;
    return reportingErrors([&] {
        if (captureFromDisk())
            return true;
        std::shared_ptr<capture::Captured> made = captureNow(arguments + parameters.visible);
        DirectCapture own = isDirect() ? directCapture(function.get(), *made) : DirectCapture();
        return takeOrRefuse(std::move(made), std::move(own));
    });
}

bool JittedFunction::takeOrRefuse(std::shared_ptr<capture::Captured> made, DirectCapture own) {
    if (take(std::move(made))) {
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

// Objects cannot be told apart in another process.
bool JittedFunction::isDirect() const {
    return diskCache() && objectParameters.empty() && !wholeRecords;
}

bool JittedFunction::captureFromDisk() {
    direct = {};
    if (!isDirect() || forgotten > 0)
        return false;
    std::optional<capture::Captured> found =
        findCapture(*diskCache(), function.get(), {structure, givenStatic}, direct);
    if (!found || !take(std::make_shared<capture::Captured>(std::move(*found)))) {
        direct = {};
        return false;
    }
    parameters.demandedStatic.insert(direct.demandedStatic);
    for (const capture::HiddenUse &use : captured->hidden)
        if (isNumber(present(use.holder, use.name)))
            changing.push_back({use.holder, use.name, {}});
    return true;
}

// Captures what came from disk. Where that is another one by now, it takes the place of the first,
// and the arguments of calls are to be read again.
bool JittedFunction::captureModule() {
    return reportingErrors([&] {
        std::shared_ptr<capture::Captured> made = captureNow(nullptr);
        DirectCapture own = directCapture(function.get(), *made);
        own.demandedStatic = parameters.demandedStatic;
        if (captured && !own.text.empty() && own.text == direct.text) {
            watchAnnotations(function.get(), *made);
            captured = std::move(made);
            watch = Watch(*captured);
            return true;
        }
        drop();
        return takeOrRefuse(std::move(made), std::move(own));
    });
}

// The objects of this call, in the order of captured->objects, as the first of call.hidden; false:
// one is of another kind than the captured one.
bool JittedFunction::readObjects(const capture::Captured &captured, PyObject *const *objects,
                                 Call &call) {
    for (const capture::ReachedObject &use : captured.objects) {
        if (use.owner < 0) {
            const pybind11::handle object =
                use.constant ? pybind11::handle(use.constant) : *objects++;
            if (use.constant && !use.kind.admits(object)) // object.__class__ = another
                return false;
            call.hidden.push_back(Ref::steal(capture::unwrapJitted(object).release().ptr()));
            continue;
        }
        PyObject *owner = call.hidden[size_t(use.owner)].get();
        pybind11::object found = capture::heldBy(owner, use.name);
        if (!found || !(use.isNumbers ? PyList_CheckExact(found.ptr()) : use.kind.admits(found)) ||
            (use.isOwners && PyMethod_GET_SELF(found.ptr()) != owner))
            return false;
        call.hidden.push_back(Ref::steal(capture::unwrapJitted(found).release().ptr()));
    }
    return true;
}

// Attributes that were not there are not there now, and what the function changes has one name.
static bool isAsCaptured(const capture::Captured &captured, const Call &call) {
    for (const capture::Captured::Absent &absent : captured.absent)
        if (capture::heldBy(call.hidden[size_t(absent.owner)].get(), absent.attribute))
            return false;
    for (int changed : captured.changed)
        for (size_t i = 0; i < captured.objects.size(); ++i)
            if (int(i) != changed && call.hidden[i].get() == call.hidden[size_t(changed)].get())
                return false;
    return true;
}

bool JittedFunction::keepsApart(const Call &call) const {
    for (size_t k = 0; captured && k < containers; ++k) {
        PyObject *container = call.containers[k];
        std::string other;
        for (auto [i, reached] : llvm::enumerate(captured->objects))
            if (i < call.hidden.size() && call.hidden[i].get() == container)
                other = reached.label;
        for (const capture::GlobalUse &use : captured->globals)
            if (use.name.empty() && use.holder.ptr() == container)
                other = "a list or dict from outside the function";
        if (other.empty())
            continue;
        raiseUnsupported("an argument of " + parameters.function + "() is, or holds, " + other +
                         ", which is not supported where the function changes such objects; use "
                         "one of the two");
        return false;
    }
    return true;
}

bool JittedFunction::addHidden(PyObject *const *arguments, Call &call) const {
    call.all.assign(arguments, arguments + parameters.visible);
    call.hidden.clear();
    const std::shared_ptr<capture::Captured> held = captured; // reading attributes runs Python code
    if (!readObjects(*held, arguments + parameters.visible, call) || !isAsCaptured(*held, call))
        return false;
    for (const capture::HiddenUse &use : held->hidden) {
        if (use.owner >= 0 && !use.attribute) {
            Ref array = numbersOf(call.hidden[size_t(use.owner)].get());
            if (!array)
                return false;
            call.hidden.push_back(std::move(array));
        } else if (use.owner >= 0) {
            pybind11::object found =
                capture::heldBy(call.hidden[size_t(use.owner)].get(), use.attribute);
            if (!found || capture::isObject(found))
                return false;
            call.hidden.push_back(Ref::steal(found.release().ptr()));
        } else {
            PyObject *object = present(use.holder, use.name);
            if (!object ||
                !(PyArray_CheckExact(object) || isNumber(object) || capture::isOpaque(object)))
                return false;
            call.hidden.push_back(Ref::share(object));
        }
        call.all.push_back(call.hidden.back().get());
    }
    return captured == held;
}

// Numbers that are another one now become arguments, so that the next change costs nothing.
void JittedFunction::noteChanging() {
    for (const capture::GlobalUse &use : captured->globals) {
        PyObject *now =
            use.seen && isNumber(use.seen.ptr()) ? present(use.holder, use.name) : nullptr;
        if (now && now != use.seen.ptr() && isNumber(now))
            changing.push_back({use.holder, use.name, {}});
    }
}

void JittedFunction::drop() {
    captured.reset();
    direct = {};
    ++generation;
    watch = Watch();
    entries.clear();
    recent = nullptr;
    forgetPattern();
    nested.clear(); // a call that runs keeps its own
    kinds.clear();
}

void JittedFunction::forget(const std::string &reason) {
    if (captured)
        noteChanging();
    drop();
    ++forgotten;
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
    if (int stop = watch.traverse(visit, arg))
        return stop;
    if (!captured || captured.use_count() > 1) // a compilation holds it too
        return 0;
    for (const capture::GlobalUse &use : captured->globals) {
        Py_VISIT(use.holder.ptr());
        Py_VISIT(use.seen.ptr());
    }
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
    }
    for (const capture::ParameterInfo &parameter : captured->parameters)
        Py_VISIT(parameter.value.ptr());
    return 0;
}

void JittedFunction::refuse(const std::string &what, const UserError &error) {
    failed = true;
    const std::string line = what + ": refused, " + error.exception + ": " + error.message;
    if (log.empty() || log.back() != line) // a call in a loop says it once
        note(line);
    raiseUserError(error);
}

// "shapecast.StaticArgumentError: 2, 3": the compiler needs the values of these parameters.
bool JittedFunction::takeDemand(const UserError &error) {
    if (!llvm::StringRef(error.exception).contains("StaticArgument"))
        return false;
    const ParameterSet before = parameters.demandedStatic;
    llvm::SmallVector<llvm::StringRef> numbers;
    llvm::StringRef(error.message).split(numbers, ',');
    for (llvm::StringRef text : numbers) {
        unsigned number = 0;
        if (!text.trim().getAsInteger(10, number) && number < parameters.names.size())
            parameters.demandedStatic.insert(number);
    }
    if (parameters.demandedStatic == before)
        return false;
    entries.clear(); // their keys lack the value
    recent = nullptr;
    forgetPattern();
    note("the value of a parameter is needed when compiling");
    return true;
}

// Once for each place, which may be a callee's.
bool JittedFunction::warnOfRefusals(const Variant &variant) {
    for (const ErrorSite &site : variant.sites) {
        if (site.exception != refusedInBranch || site.frames.empty())
            continue;
        const Frame &place = site.frames.back();
        const std::string where = place.file + ":" + std::to_string(place.line);
        if (!refusals.insert(where + ": " + site.message).second)
            continue;
        note(where + " is refused, raises where it is reached: " + site.message);
        Ref module = Ref::steal(PyImport_ImportModule("shapecast._progress"));
        Ref done = module ? Ref::steal(PyObject_CallMethod(module.get(), "warn_of_refusal", "OsIs",
                                                           function.get(), place.file.c_str(),
                                                           place.line, site.message.c_str()))
                          : Ref();
        if (!done) {
            refusals.clear(); // the next call says so again
            return false;
        }
    }
    return true;
}

void JittedFunction::keep(KeyEntry &entry, const Call &call, std::unique_ptr<Variant> variant,
                          const std::string &why) {
    char milliseconds[32];
    std::snprintf(milliseconds, sizeof milliseconds, "%.1f ms", variant->milliseconds);
    note(entry.text + ": " + why + ", " + milliseconds +
         (variant->fromDisk ? ", code found on disk" : ""));
    for (const std::string &called : variant->callOuts)
        note("calls Python: " + called);
    auto *plan = new Plan;
    PlanRef holder(plan);
    plan->entry = variant->entry;
    plan->guards = GuardProgram(variant->guards, [&](llvm::StringRef symbol) {
        return slotOfSymbol(call, parameters.names.size(), symbol);
    });
    plan->results = planResults(*variant);
    plan->seen.key = call.key;
    plan->seen.slots = call.slots;
    plan->forbidden = entry.forbidden;
    plan->doubted = entry.doubted;
    plan->why = why;
    plan->variant = std::move(variant);
    if (entry.plans.size() >= maxVariants)
        entry.plans.erase(entry.plans.begin());
    entry.plans.push_back(std::move(holder));
}

namespace {

// A compilation that takes more than a second says so, once, on a terminal or in a notebook. What
// goes wrong meanwhile is nobody's business but an interrupt.
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
    void look() {
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
    options.defersRefusals = !fallback;
    if (refuseToCompile())
        return std::nullopt;
    CompileLock lock;
    const uint64_t before = generation;
    if (captured && !captured->module && !captureModule())
        return std::nullopt;
    if (generation != before)
        return std::nullopt;
    std::shared_ptr<capture::Captured> held = captured;
    try {
        if (!held) // another thread found that a global had changed
            throw std::runtime_error("shapecast: globals of the function change while it compiles");
        const Signature signature =
            signatureOf(*held->module->getContext(), call, parameters.names.size());
        SlowNotice notice(*this, call);
        std::optional<CompileResult> result;
        {
            WithoutInterpreterLock unlocked;
            std::lock_guard running(compilerMutex());
            auto goesOn = [&] {
                if (!isMainThread()) // signal handlers run there only
                    return true;
                PyEval_RestoreThread(unlocked.state);
                const bool isWanted = PyErr_CheckSignals() == 0;
                if (isWanted)
                    notice.look();
                unlocked.state = PyEval_SaveThread();
                return isWanted;
            };
            Progress progress(goesOn);
            llvm::SaveAndRestore here(compiles, true);
            result = compile(*held->module, held->entry, signature, options);
            endThreadLocked();
        }
        if (PyErr_Occurred())
            return std::nullopt;
        notice.end();
        return result;
    } catch (pybind11::error_already_set &failure) { // of the library's Python code: an interrupt
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
    DiskCache *disk = diskCache();
    std::unique_ptr<Variant> variant = disk ? findVariant(*disk, key, fits) : nullptr;
    if (variant)
        variant->milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started)
                .count();
    return variant;
}

void JittedFunction::keepOnDisk(const CacheKey &key, const std::string &label,
                                const CompileResult &result, const ProbeLog::Probes &probes) {
    DiskCache *disk = diskCache();
    if (!result.onDisk || !disk)
        return;
    direct.demandedStatic = parameters.demandedStatic;
    storeCapture(*disk, function.get(), {structure, givenStatic}, direct);
    storeVariant(*disk, key, parameters.function + "(" + label + ")", *result.variant,
                 *result.onDisk, probes);
}

CompileOptions JittedFunction::optionsFor(const KeyEntry *entry) {
    CompileOptions options;
    if (const char *directory = std::getenv("SHAPECAST_DUMP"))
        options.dumpDirectory = directory;
    options.recheck = std::getenv("SHAPECAST_RECHECK") != nullptr;
    options.debug = debug;
    options.defersRefusals = !fallback;
    options.disk = diskCache();
    if (entry) {
        options.forbidden = entry->forbidden;
        options.doubted = entry->doubted;
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
        if (!takeDemand(result->error))
            refuse(signatureText(parameters, call), result->error);
        return nullptr;
    }
    ++(result->variant->fromDisk ? variantsMade().typed : variantsMade().compiled);
    if (key && call.generation == generation)
        keepOnDisk(*key, signatureText(parameters, call), *result, log.probes);
    return std::move(result->variant);
}

bool JittedFunction::compileFor(const Call &call) {
    if (!runsOnHost(parameters, call) || refuseToCompile())
        return false;
    CompileLock lock;
    if (call.generation != generation) // captured anew while this one waited
        return true;
    if (find(call)) // compiled by another thread
        return true;
    KeyEntry *entry = entryOf(call.key);
    const std::string why = entry ? noteFailures(*entry, call) : "new key";
    const CompileOptions options = optionsFor(entry);
    const std::optional<CacheKey> key =
        options.disk
            ? keyOfCall({structure, givenStatic}, direct, call, parameters.names.size(), options)
            : std::nullopt;
    std::unique_ptr<Variant> variant = key ? findOnDisk(call, *key) : nullptr;
    variantsMade().direct += variant != nullptr;
    if (!variant)
        variant = compileAnew(call, options, key);
    if (!variant && PyErr_Occurred())
        return false;
    warnOfDiskCache();
    if (variant && !warnOfRefusals(*variant))
        return false;
    if (!variant || call.generation != generation) // a global changed meanwhile, or another
        return true;                               // parameter is to be a constant
    entry = entryOf(call.key);
    keep(entry ? *entry : newEntry(call), call, std::move(variant), why);
    // Infer answers guards by the hints, so the call that compiled must fit; else it would compile
    // for ever.
    if (!find(call)) {
        PyErr_SetString(PyExc_SystemError,
                        "shapecast: the compiled variant does not fit the call it was made for");
        return false;
    }
    return true;
}

std::vector<OwnedPlan> JittedFunction::plans() {
    std::vector<OwnedPlan> all;
    for (const auto &entry : entries)
        for (const PlanRef &plan : entry->plans)
            all.push_back({this, PlanRef(&*plan)});
    for (const auto &[text, inner] : nested)
        for (OwnedPlan &plan : inner->plans()) {
            plan.keeper = inner;
            all.push_back(std::move(plan));
        }
    return all;
}

static std::string textOfPlan(const KeyEntry &entry, const Plan &plan) {
    std::string text = entry.text;
    for (np::GuardAttr guard : plan.variant->guards)
        text += ", if " + guardText(guard);
    for (const std::string &place : plan.doubted) // "eigenvalues are real at loc(...)"
        text += ", if not: " + place.substr(0, place.find(" at "));
    return text;
}

std::string JittedFunction::textOf(const Plan &plan) const {
    for (const auto &entry : entries)
        for (const PlanRef &own : entry->plans)
            if (&*own == &plan)
                return textOfPlan(*entry, plan);
    return "";
}

std::vector<std::string> JittedFunction::signatures() const {
    std::vector<std::string> all;
    for (const auto &entry : entries)
        for (const PlanRef &plan : entry->plans)
            all.push_back(textOfPlan(*entry, *plan));
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
