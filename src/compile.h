// The compiler's front door: a captured module and one call's signature in, machine code out.
#pragma once

#include "ir/np.h"
#include "passes/analysis/nest_report.h"
#include "runtime/abi.h"
#include "support/disk_cache.h"

#include <memory>
#include <string>
#include <vector>

namespace shapecast {

struct Frame { // one entry of a user's traceback, outermost first
    std::string file, function;
    // 1-based lines, 0-based columns as in Python's ast.
    unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};

// A Python exception to be raised: "ValueError", "shapecast.UnsupportedError", ...
struct UserError {
    std::string exception, message;
    std::vector<Frame> frames;
    // "{1}: float64[s0]": operand 1 of the innermost frame's expression.
    std::vector<std::string> notes;
};

std::vector<Frame>
framesOf(mlir::Location loc); // NameLoc(function) around FileLineColRange, CallSiteLoc chains

struct ErrorSite {                  // what a compiled `np.require` or trap raises
    std::string exception, message; // message with {0}..{5}
    std::vector<Frame> frames;
    std::vector<std::string> notes; // of the operands, see UserError
};

struct Signature {
    // Per parameter: !np.array<s0 x ...>, scalar, !np.py*, or !np.static.
    std::vector<mlir::Type> types;
    // The value of a static parameter (#np.py, or a number that was requested static), else null.
    std::vector<mlir::Attribute> values;
    // Observed in the call, per parameter: array of sizes (dense i64), an i64 integer, or unit.
    std::vector<mlir::Attribute> hints;
    // Per parameter: an array's strides (dense i64, kDynamic: any), or unit.
    std::vector<mlir::Attribute> strides;
    mlir::Attribute alias; // "noalias" string, or array of ["same"|"overlap", i, j]
};

struct StageText {
    std::string name, text;
    double milliseconds;
};

struct Variant { // a specialisation: compiled code and its interface
    runtime::Entry entry = nullptr;
    std::vector<mlir::Type> resultTypes; // of np.return's operands
    mlir::Attribute resultTree;          // index, array (tuple), or #np.py static
    mlir::Attribute writes;              // null, or an array: changes to the caller's objects
    std::vector<int64_t> carriedResults; // operands that are results of a branch or loop
    std::vector<np::GuardAttr> guards;   // all must hold for the variant to be valid
    std::vector<ErrorSite> sites;
    std::vector<std::string> callOuts; // "numpy.fft.fft (line 5)": calls back into Python
    std::shared_ptr<void> code;        // keeps the machine code alive
    double milliseconds = 0;
    bool raises = false;   // unconditionally, if the guards hold
    bool fromDisk = false; // a hit in the cache on disk
};

std::string guardText(np::GuardAttr guard); // "s0 == s1 (line 4)"

struct CompileOptions {
    bool keepStages = false;  // fill `stages`
    bool keepRemarks = false; // fill `remarks` and `nests`
    bool recheck = false;     // SHAPECAST_RECHECK: see lower/function/recheck_code.cpp
    bool debug = false;       // prange's assertion is checked: see lower/function/prange_check.cpp
    bool defersRefusals = true; // what a branch has unsupported is an error when it runs
    std::string dumpDirectory;  // SHAPECAST_DUMP
    bool ofSpecs = false;       // arguments are specs: their sizes are placeholders
    // Per parameter: the sizes of an array that is a spec, as expressions; absent for others.
    std::vector<std::optional<llvm::SmallVector<np::DimAttr>>> sizes;
    bool onlyTypes = false;               // for f.infer(): no code
    std::string ptxTarget = "sm_80";      // the architecture, where an argument lives on a device
    std::vector<np::GuardAttr> forbidden; // guards not to speculate on (they kept failing)
    std::vector<std::string> failedAssumptions; // locations of failed speculation
    DiskCache *disk = nullptr;                  // the code cache, if any
};

struct CodeOnDisk { // the cache entry of a variant's code
    CacheKey key{};
    std::vector<std::string> files; // that frames name, by their numbers in the entry
    // Neither the code nor its metadata holds process-local ids: of kinds of objects, of classes of
    // records, of Python functions.
    bool isPortable = true;
};

struct CompileResult {
    std::unique_ptr<Variant> variant; // null on error, when stopped early, and on devices
    std::optional<CodeOnDisk> onDisk; // its entry in options.disk
    UserError error;
    // Parameters whose values must be known when compiling: then `error` is no error of the user.
    std::vector<int32_t> staticArguments;
    std::vector<StageText> stages;
    std::string ptx;                     // where an argument lives on a device: the kernels
    std::vector<std::string> remarks;    // LLVM's optimisation remarks on loops
    std::vector<NestReport> nests;       // what each nest computes, with the remarks on it
    std::vector<mlir::Type> resultTypes; // after infer, also when stopped there
    mlir::Attribute resultTree;
    std::vector<mlir::Type> argumentTypes; // sizes simplified by the relations below
    // "k == 512 (line 9)": the entry's assumptions on the call, and its checks on every path.
    std::vector<std::string> guards, requirements;
};

// `captured` is the entry function and its callees, as capture made them; it is cloned, not
// changed.
CompileResult compile(mlir::ModuleOp captured, llvm::StringRef entry, const Signature &signature,
                      const CompileOptions &options);

// The process's one context, threading off; compile() loads the dialects it needs.
mlir::MLIRContext &context();

} // namespace shapecast
