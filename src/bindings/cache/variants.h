// A jitted function's state: what was captured, the compiled variants by key, and why each was
// compiled.
#pragma once

#include "bindings/cache/disk_lookup.h"
#include "bindings/cache/watch.h"
#include "bindings/call/arguments.h"
#include "bindings/call/guards.h"
#include "bindings/call/inline_cache.h"
#include "bindings/call/result_plan.h"
#include "ir/call_structure.h"
#include "runtime/profile.h"
#include "variant.h"

#include <map>
#include <memory>
#include <optional>
#include <set>

namespace shapecast {
struct CompileOptions;
struct CompileResult;
} // namespace shapecast

namespace shapecast::bindings {

inline constexpr size_t maxKeys = 64, maxVariants = 8;
inline constexpr int failuresBeforeForbidden = 3;

// Of calls within shapecast.profile(). It outlives the variant, which is dropped where a global
// changes or too many kinds of arguments are seen.
struct VariantTimes {
    std::vector<ProfileSite> sites;
    double milliseconds = 0;                 // of the compilation
    std::vector<runtime::ProfileRow> rows{}; // of `calls` calls, per site
    int64_t calls = 0;
    bool isNew = true; // compiled since the profile began
};
using FunctionTimes = std::vector<std::shared_ptr<VariantTimes>>;

// A compiled variant, ready to be called. Counted under the function's lock: a call holds one
// reference, so that eviction never frees code that runs.
struct CompiledVariant {
    int references = 0;
    std::unique_ptr<Variant> code;
    runtime::Entry entry = nullptr;
    GuardProgram guards;
    ResultPlan results;
    std::shared_ptr<const device::Module> kernels; // null until the first call
    Call compiledFor; // for inspection: key and slots of the call that it was compiled for
    std::vector<np::GuardAttr> forbidden; // guards that it does not assume
    // Where it assumes the opposite of the default (ir/error_names.h).
    std::vector<std::string> failedAssumptions;
    std::string why;
    std::shared_ptr<VariantTimes> times; // where its calls are profiled
    bool slow = false;                   // calls take long enough to release the interpreter lock
};

class VariantRef {
    CompiledVariant *variant = nullptr;

public:
    VariantRef() = default;
    explicit VariantRef(CompiledVariant *variant) : variant(variant) { ++variant->references; }
    VariantRef(VariantRef &&other) noexcept : variant(std::exchange(other.variant, nullptr)) {}
    VariantRef &operator=(VariantRef &&other) noexcept {
        std::swap(variant, other.variant);
        return *this;
    }
    ~VariantRef() {
        if (variant && --variant->references == 0)
            delete variant;
    }
    CompiledVariant *operator->() const { return variant; }
    CompiledVariant &operator*() const { return *variant; }
    explicit operator bool() const { return variant; }
};

class JittedFunction;

struct OwnedVariant { // a variant, and the function or structure of arguments that it belongs to
    JittedFunction *function;
    VariantRef variant;
    std::shared_ptr<JittedFunction> keeper = nullptr; // of a structure's function
};

struct GuardFailures {
    np::GuardAttr guard;
    int count = 0;
};

struct KeyEntry { // one key and its variants, tried in order
    std::vector<uint64_t> key;
    uint64_t lastUse = 0;
    std::vector<VariantRef> variants;
    std::vector<GuardFailures> failures;
    std::vector<np::GuardAttr> forbidden;
    std::vector<std::string> failedAssumptions; // in the last call (ir/error_names.h)
    std::string text;                           // "x: float64[s0, s1], n: int"
};

// holder[name], or what the cell `holder` holds; empty where there is none.
Ref present(const pybind11::object &holder, const std::string &name);

class JittedFunction {
public:
    Parameters parameters;
    Ref function;          // the plain Python function
    Ref code, staticNames; // from which `parameters` and `declaredStatic` were read
    // A call with so many positional arguments is complete; -1: every call needs binding.
    size_t positional = 0;
    bool hasVarArgs = false, hasVarKeywords = false; // the last parameters are *args, **kwargs
    // Of a function for one structure of arguments (see flatten.h): the structure, and its
    // parameters that are objects. The objects follow the flat arguments of a call, and lists and
    // dicts follow these. `nested`: the functions for the structures of this one, `kinds`: the
    // kinds of objects that structures name.
    np::CallStructure structure;
    std::vector<std::string> objectParameters;
    size_t containers = 0; // lists and dicts that the structure numbers
    std::map<np::CallStructure, std::shared_ptr<JittedFunction>> nested;
    std::vector<capture::ObjectKind> kinds;
    ParameterSet declaredStatic; // by static_argnames
    // Structured arrays are opaque objects: more is done with one than reading its fields.
    bool wholeRecords = false;
    bool tuplesInMemory = false; // see CaptureOptions
    // Frozen dataclasses are read as instances in memory (capture/record_classes.h): whether they
    // are, that has been tried, and there are some.
    bool frozenInMemory = false, triedFrozen = false, seesFrozen = false;
    bool fallback = false, runsAsPython = false;
    bool debug = false, profile = false, bigint = false;
    // Of calls within shapecast.profile(); null until the first (dispatch/timed.h).
    std::shared_ptr<JittedFunction> timed;
    std::shared_ptr<FunctionTimes> times; // of `timed`, whose states for structures share it
    bool isListed = false;                // among those called within shapecast.profile()
    bool hasWarned = false, hasWarnedOfKeys = false;
    std::set<std::string> refusals; // unsupported statements in branches that were warned of
    bool failed = false;            // capturing or compiling raised an error
    // The last error of a compilation was that something is not supported: with arguments in memory
    // it may be. `knowsMemory`: which of them are (parameters.inMemory) is settled.
    bool wasRefused = false, knowsMemory = false, readsGlobals = false;
    // Globals that are hidden arguments: numbers that were rebound, lists and dicts of those below.
    std::vector<capture::GlobalUse> changingGlobals;
    std::vector<capture::GlobalUse> wishedGlobals; // where it was refused
    size_t globalsBefore = 0;                      // of changingGlobals
    double compilingMilliseconds = 0;              // of all variants so far
    MemoryUse worksWith = MemoryUse::None; // what it goes back to where more of it is refused
    std::vector<std::string> log;

    // Notes for which capture the arguments of a call are read.
    void stamp(Call &call) const { call.generation = generation; }
    // The variant for a call, or none when it must be compiled first, or its arguments read again.
    VariantRef find(const Call &call);
    // The inline cache: the variant of a call that hits it, without readArguments(); none is a
    // miss.
    VariantRef tryInlineCache(PyObject *const *arguments, Call &call);
    // After a miss: caches a call of that variant.
    void updateInlineCache(const Call &call, CompiledVariant &variant);
    // An assumption of the variant failed in a call: from now on find() and compileFor() want the
    // opposite there.
    void noteFailedAssumption(const CompiledVariant &variant, const std::string &assumption);
    // Compiles one. False with an exception set; else the caller reads the arguments again
    // (values of parameters may have been requested as static) and calls find().
    bool compileFor(const Call &call);
    size_t keyCount() const { return entries.size(); }
    bool isCaptured() const { return captured != nullptr; }
    // Else f.__code__ was assigned, which may have other parameters.
    bool hasItsCode() const { return PyFunction_GET_CODE(function.get()) == code.get(); }
    bool valid() {
        Kept<Watch> now = watch;
        return captured && now->holds() && captured;
    }
    std::string changed() const {
        Kept<Watch> now = watch;
        return now->changed();
    }
    bool capture(PyObject *const *arguments); // false with an exception set
    bool hasHidden() const {
        return parameters.names.size() > parameters.visible || !captured->objects.empty();
    }
    // Sets call.all, the arguments with the hidden ones; false: the capture is not valid for them.
    bool addHidden(PyObject *const *arguments, Call &call) const;
    // The lists and dicts that the structure numbers follow the arguments and objects.
    PyObject *const *containersOf(PyObject *const *arguments) const {
        return arguments + parameters.visible + objectParameters.size();
    }
    // For a call that changes lists, dicts or objects: no list or dict argument may be reachable in
    // another way too (a global, an attribute), since compiled code would have two copies of it.
    // False with UnsupportedError set.
    bool containersDoNotAlias(const Call &call) const;
    void invalidate(const std::string &reason);
    void clear(); // invalidate() without a line in the log
    int traverse(visitproc visit, void *arg) const;

    // For inspection: compiles without keeping the variant. None with an exception set, or without
    // one where the arguments are to be read again.
    std::optional<CompileResult> compileOnly(const Call &call, CompileOptions options);
    // Of a CompileResult. True: from now on these parameters' values are part of the key.
    bool requestStaticArguments(const std::vector<int32_t> &numbers);
    void wishGlobals(llvm::ArrayRef<int32_t> requests);
    // After all else: the globals that compilation of the structure wished for are hidden arguments
    // from now on. False: there are none. forgetGlobals(): no longer.
    bool readGlobals(const JittedFunction &ofStructure);
    void forgetGlobals();
    bool isAlone(PyObject *global, const capture::HiddenUse &use, const Call &call) const;
    // From now on these arguments are in memory.
    void useMemory(MemoryUse use);
    // From now on frozen dataclasses are in memory, if there are any; false: that was tried.
    bool putFrozenInMemory(const JittedFunction &ofStructure);
    std::vector<std::string> signatures() const;
    std::string textOf(const CompiledVariant &variant) const; // one of them
    std::vector<std::string> explanations() const;
    // The variants in the order of signatures(), with references.
    std::vector<OwnedVariant> variants();

private:
    // Shared: a compilation runs without the interpreter lock. A capture from disk has no module
    // until it is compiled.
    std::shared_ptr<capture::Captured> captured;
    DirectCapture direct;                                     // how calls are found on disk
    std::shared_ptr<Watch> watch = std::make_shared<Watch>(); // never null
    // Counts captures, which may have other hidden arguments, and requests for static ones.
    uint64_t generation = 0;
    std::vector<std::unique_ptr<KeyEntry>> entries;
    KeyEntry *recent = nullptr;
    InlineCache inlineCache; // of calls with the variant `cachedVariant`
    VariantRef cachedVariant;
    const CompiledVariant *lastVariant = nullptr; // of the last miss
    uint64_t tick = 0;
    int invalidations = 0;
    static constexpr int maxInvalidations = 3; // then lists of numbers have dynamic lengths

    std::shared_ptr<capture::Captured> captureNow(PyObject *const *objects);
    template <class Body> bool reportingErrors(Body body);
    bool install(std::shared_ptr<capture::Captured> found);
    bool isDirect() const;
    bool captureFromDisk();
    bool installOrRefuse(std::shared_ptr<capture::Captured> made, DirectCapture own);
    bool captureModule();
    std::unique_ptr<Variant> findOnDisk(const Call &call, const CacheKey &key) const;
    void storeOnDisk(const CacheKey &key, const std::string &label, const CompileResult &result,
                     const ProbeLog::Probes &probes);
    CompileOptions optionsFor(const KeyEntry *entry);
    bool defersRefusals(const Call &call) const;
    std::unique_ptr<Variant> compileAnew(const Call &call, const CompileOptions &options,
                                         const std::optional<CacheKey> &key);
    void noteChangingGlobals();
    static bool readObjects(const capture::Captured &captured, PyObject *const *objects,
                            Call &call);
    // Notes it in the log and sets the exception.
    void refuse(const std::string &what, const UserError &error);
    KeyEntry *entryOf(llvm::ArrayRef<uint64_t> key);
    void invalidateInlineCache() { cachedVariant = VariantRef(); }
    void note(const std::string &line); // in the log, and on stderr with SHAPECAST_LOG=compile
    KeyEntry &newEntry(const Call &call);
    std::string noteFailures(KeyEntry &entry, const Call &call);
    void addVariant(KeyEntry &entry, const Call &call, std::unique_ptr<Variant> variant,
                    const std::string &why);
    bool warnOfRefusals(const Variant &variant); // false: a warning became an error
    bool warnOfManyKeys();
};

// Whether this thread's last call was not compiled because this thread is compiling: it is to run
// as plain Python.
bool wasRefusedWhileCompiling();

} // namespace shapecast::bindings
