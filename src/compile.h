// The compiler's front door: a captured module and one call's signature in, machine code out.
#pragma once

#include "ir/np.h"
#include "passes/analysis/nest_report.h"
#include "user_error.h"
#include "variant.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shapecast {

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
    // With keepRemarks: lines of the text from 1 on, and the line of the entry's source that each
    // comes from.
    std::vector<std::pair<unsigned, int>> sourceLines;
};

struct CompileOptions {
    bool keepStages = false;  // fill `stages`
    bool keepRemarks = false; // fill `remarks` and `nests`
    bool recheck = false;     // SHAPECAST_RECHECK: see lower/function/recheck_code.cpp
    bool profile = false;     // calls measure where their time goes: passes/loops/profile.h
    bool debug = false;       // prange's assertion is checked: see lower/function/prange_check.cpp
    bool defersRefusals = true; // what a branch has unsupported is an error when it runs
    std::string dumpDirectory;  // SHAPECAST_DUMP
    bool ofSpecs = false;       // arguments are specs: their sizes are placeholders
    bool memoryIsNext = false;  // where it is refused, its lists and dicts will be in memory
    // Per parameter: the sizes of an array that is a spec, as expressions; absent for others.
    std::vector<std::optional<llvm::SmallVector<np::DimAttr>>> sizes;
    bool onlyTypes = false;               // for f.infer(): no code
    std::string ptxTarget = "sm_80";      // the architecture, where an argument lives on a device
    std::vector<np::GuardAttr> forbidden; // guards not to speculate on (they kept failing)
    std::vector<std::string> failedAssumptions; // locations of failed speculation
    DiskCache *disk = nullptr;                  // the code cache, if any
};

struct CompileResult {
    std::unique_ptr<Variant> variant; // null on error, and when stopped early
    std::optional<CodeOnDisk> onDisk; // its entry in options.disk
    UserError error;
    // Parameters whose values must be known when compiling: then `error` is no error of the user.
    std::vector<int32_t> staticArguments;
    std::vector<StageText> stages;
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

} // namespace shapecast
