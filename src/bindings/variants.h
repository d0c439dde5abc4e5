// A jitted function's state: what was captured, the compiled variants by key, and why each was
// compiled.
#pragma once

#include "bindings/arguments.h"
#include "bindings/compile_lock.h"
#include "bindings/direct.h"
#include "bindings/guards.h"
#include "bindings/interpreter_lock.h"
#include "bindings/pattern.h"
#include "bindings/results.h"
#include "bindings/watch.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace shapecast::bindings {

inline constexpr size_t maxKeys = 64, maxVariants = 8;
inline constexpr int failuresBeforeForbidden = 3;

// A compiled variant, ready to be called. Counted under the interpreter lock: a call holds one
// reference, so that eviction never ends code that runs.
struct Plan {
    int references = 0;
    std::unique_ptr<Variant> variant;
    runtime::Entry entry = nullptr;
    GuardProgram guards;
    ResultPlan results;
    Call seen;                            // for looking: key and slots of the call it was made for
    std::vector<np::GuardAttr> forbidden; // and what could not be assumed then
    std::vector<std::string> doubted;     // places where it assumes the opposite of the usual
    std::string why;
    bool slow = false; // worth giving up the interpreter lock for
};

class PlanRef {
    Plan *plan = nullptr;

public:
    PlanRef() = default;
    explicit PlanRef(Plan *plan) : plan(plan) { ++plan->references; }
    PlanRef(PlanRef &&other) noexcept : plan(std::exchange(other.plan, nullptr)) {}
    PlanRef &operator=(PlanRef &&other) noexcept {
        std::swap(plan, other.plan);
        return *this;
    }
    ~PlanRef() {
        if (plan && --plan->references == 0)
            delete plan;
    }
    Plan *operator->() const { return plan; }
    Plan &operator*() const { return *plan; }
    explicit operator bool() const { return plan; }
};

class JittedFunction;

struct OwnedPlan { // a variant, and the function or structure of arguments that it serves
    JittedFunction *function;
    PlanRef plan;
    std::shared_ptr<JittedFunction> keeper = nullptr; // of a structure's function
};

struct GuardFailures {
    np::GuardAttr guard;
    int count = 0;
};

struct KeyEntry { // one key and its variants, tried in order
    std::vector<uint64_t> key;
    uint64_t lastUse = 0;
    std::vector<PlanRef> plans;
    std::vector<GuardFailures> failures;
    std::vector<np::GuardAttr> forbidden;
    std::vector<std::string> doubted; // where the last call found values so (ir/restart.h)
    std::string text;                 // "x: float64[s0, s1], n: int"
};

class JittedFunction {
public:
    Parameters parameters;
    Ref function;          // the plain Python function
    Ref code, staticNames; // that `parameters` and `givenStatic` are of
    size_t positional =
        0; // so many positional arguments are a full call; -1: every call needs binding
    bool takesRest = false, takesOthers = false; // the last parameters are *args, **kwargs
    // Of a function that serves one structure of arguments (see nested.h): what that is, and the
    // parameters that are objects; their objects come behind the arguments of a call, and its lists
    // and dicts behind these. And those functions, with the kinds of objects that their structures
    // name.
    std::string structure;
    std::vector<std::string> objectParameters;
    size_t containers = 0; // lists and dicts that the structure numbers
    std::map<std::string, std::shared_ptr<JittedFunction>> nested;
    std::vector<capture::ObjectKind> kinds;
    ParameterSet givenStatic; // parameters that the user wants compiled in
    // Arrays of records are handed on to Python: more is done with one than its fields.
    bool wholeRecords = false;
    bool fallback = false, runsAsPython = false;
    bool debug = false;
    bool hasWarned = false;
    std::set<std::string> refusals; // what branches raise that cannot be compiled: was warned of
    bool failed = false;            // capturing or compiling raised an error
    std::vector<std::string> log;

    // Once captured, before the arguments of a call are read.
    void enter(Call &call) const { call.generation = generation; }
    // The variant for a call, or none when it must be compiled first, or its arguments read again.
    PlanRef find(const Call &call);
    // The same for calls that look like one before, without their being read; none is no answer.
    PlanRef repeat(PyObject *const *arguments, Call &call);
    // Of a call with that variant, so that the next ones are repeated.
    void remember(const Call &call, Plan &plan);
    // A call found that values at that place are not as the variant assumes: find() and
    // compileFor() look for one that assumes the opposite.
    void doubt(const Plan &plan, const std::string &place);
    // Compiles one. False with an exception set; else the caller reads the arguments again
    // (parameters may have been found to be needed as constants) and asks find().
    bool compileFor(const Call &call);
    bool isCaptured() const { return captured != nullptr; }
    // Else it has been given another code, which may have other parameters.
    bool hasItsCode() const { return PyFunction_GET_CODE(function.get()) == code.get(); }
    bool valid() { return captured && watch.holds(); }
    std::string changed() const { return watch.changed(); }
    bool capture(PyObject *const *arguments); // false with an exception set
    bool hasHidden() const {
        return parameters.names.size() > parameters.visible || !captured->objects.empty();
    }
    // The arguments with those that come from outside the function; false: what was captured does
    // not fit them.
    bool addHidden(PyObject *const *arguments, Call &call) const;
    // The lists and dicts that the structure numbers, behind the arguments and objects.
    PyObject *const *containersOf(PyObject *const *arguments) const {
        return arguments + parameters.visible + objectParameters.size();
    }
    // Where the call changes lists, dicts or objects, none of its lists and dicts may be reached in
    // another way too: that would be two in compiled code. False with UnsupportedError set.
    bool keepsApart(const Call &call) const;
    void forget(const std::string &reason);
    void drop(); // the same without a word
    int traverse(visitproc visit, void *arg) const;

    // For inspection: compiles without keeping the variant. None with an exception set, or without
    // one where the arguments are to be read again.
    std::optional<CompileResult> compileOnly(const Call &call, CompileOptions options);
    // True: the error says that the values of parameters are needed, and from now on they are part
    // of the key.
    bool takeDemand(const UserError &error);
    std::vector<std::string> signatures() const;
    std::string textOf(const Plan &plan) const; // one of them
    std::vector<std::string> explanations() const;
    // The variants in the order of signatures(), held.
    std::vector<OwnedPlan> plans();

private:
    // Shared: a compilation goes on without the interpreter lock. What came from disk has no module
    // until somebody wants to compile it.
    std::shared_ptr<capture::Captured> captured;
    DirectCapture direct; // how calls are found on disk
    Watch watch;
    uint64_t generation = 0; // counts captures: another one may want other arguments
    std::vector<capture::GlobalUse> changing; // numbers outside that were seen to change
    std::vector<std::unique_ptr<KeyEntry>> entries;
    KeyEntry *recent = nullptr;
    Pattern pattern; // of calls with the variant `repeated`
    PlanRef repeated;
    const Plan *found = nullptr; // by the last call that was no repetition
    uint64_t tick = 0;
    int forgotten = 0;                      // captures
    static constexpr int mostForgotten = 3; // then lists of numbers are of any length

    std::shared_ptr<capture::Captured> captureNow(PyObject *const *objects);
    template <class Body> bool reportingErrors(Body body);
    bool take(std::shared_ptr<capture::Captured> found);
    bool isDirect() const;
    bool captureFromDisk();
    bool takeOrRefuse(std::shared_ptr<capture::Captured> made, DirectCapture own);
    bool captureModule();
    std::unique_ptr<Variant> findOnDisk(const Call &call, const CacheKey &key) const;
    void keepOnDisk(const CacheKey &key, const std::string &label, const CompileResult &result,
                    const ProbeLog::Probes &probes);
    CompileOptions optionsFor(const KeyEntry *entry);
    std::unique_ptr<Variant> compileAnew(const Call &call, const CompileOptions &options,
                                         const std::optional<CacheKey> &key);
    void noteChanging();
    static bool readObjects(const capture::Captured &captured, PyObject *const *objects,
                            Call &call);
    // Notes it in the log and sets the exception.
    void refuse(const std::string &what, const UserError &error);
    KeyEntry *entryOf(llvm::ArrayRef<uint64_t> key);
    void forgetPattern() { repeated = PlanRef(); }
    void note(const std::string &line); // in the log, and on stderr where that is wanted
    KeyEntry &newEntry(const Call &call);
    std::string noteFailures(KeyEntry &entry, const Call &call);
    void keep(KeyEntry &entry, const Call &call, std::unique_ptr<Variant> variant,
              const std::string &why);
    bool warnOfRefusals(const Variant &variant); // false: a warning became an error
};

// Whether this thread's last call could not be compiled since this thread compiles: it is to run as
// plain Python.
bool wasRefusedWhileCompiling();

} // namespace shapecast::bindings
