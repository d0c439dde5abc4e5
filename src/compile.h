// The compiler's front door: a captured module and one call's signature in, machine code out.
#pragma once

#include "ir/np.h"
#include "passes/nest_report.h"
#include "runtime/abi.h"
#include "support/disk_cache.h"

#include <memory>
#include <string>
#include <vector>

namespace shapecast {

struct Frame { // one entry of a user's traceback, outermost first
    std::string file, function;
    unsigned line = 0, column = 0, endLine = 0,
             endColumn = 0; // 1-based lines, 0-based columns as in Python's ast
};

struct UserError { // a Python exception to be raised: "ValueError", "shapecast.UnsupportedError",
                   // ...
    std::string exception, message;
    std::vector<Frame> frames;
    std::vector<std::string>
        notes; // "{1}: float64[s0]": operand 1 of the innermost frame's expression
};

std::vector<Frame>
framesOf(mlir::Location loc); // NameLoc(function) around FileLineColRange, CallSiteLoc chains

struct ErrorSite {                  // what a compiled `np.require` or trap raises
    std::string exception, message; // message with {0}..{5}
    std::vector<Frame> frames;
    std::vector<std::string> notes; // of the operands, see UserError
};

struct Signature {
    std::vector<mlir::Type>
        types; // per parameter: !np.array<s0 x ...>, scalar, !np.py*, or !np.static
    std::vector<mlir::Attribute>
        values; // static parameters' value (#np.py, or numbers demanded static), else null
    std::vector<mlir::Attribute>
        hints; // per parameter: array of sizes (dense i64), an i64 integer, or unit
    std::vector<mlir::Attribute>
        strides;           // per parameter: an array's strides (dense i64, kDynamic: any), or unit
    mlir::Attribute alias; // "noalias" string, or array of ["same"|"overlap", i, j]
};

struct StageText {
    std::string name, text;
    double milliseconds;
};

struct Variant { // compiled code and all that a caller needs
    runtime::Entry entry = nullptr;
    std::vector<mlir::Type> resultTypes; // of np.return's operands
    mlir::Attribute resultTree;          // index, array (tuple), or #np.py static
    mlir::Attribute writes;              // null, or an array: what becomes of the caller's objects
    std::vector<int64_t> carriedResults; // operands that come out of a branch or loop
    std::vector<np::GuardAttr> guards;   // all must hold, else this variant does not apply
    std::vector<ErrorSite> sites;
    std::vector<std::string> callOuts; // "numpy.fft.fft (line 5)": functions that stay Python's
    std::shared_ptr<void> code;        // keeps the machine code alive
    double milliseconds = 0;
    bool raises = false;   // always, where the guards hold
    bool fromDisk = false; // the code was found there
};

std::string guardText(np::GuardAttr guard); // "s0 == s1 (line 4)"

struct CompileOptions {
    bool keepStages = false;    // fill `stages`
    bool keepRemarks = false;   // fill `remarks` and `nests`
    bool recheck = false;       // SHAPECAST_RECHECK: see lower/recheck.cpp
    bool debug = false;         // promises of the program are checked: see lower/promise.cpp
    bool defersRefusals = true; // what is refused in a branch is an error when it runs
    std::string dumpDirectory;  // SHAPECAST_DUMP
    bool ofSpecs = false;       // the sizes of the arguments are made up
    // Per parameter: the sizes of an array that is a spec, as expressions; absent for others.
    std::vector<std::optional<llvm::SmallVector<np::DimAttr>>> sizes;
    std::string stopAfter;                // stage name: `infer` for f.infer()
    std::string ptxTarget = "sm_80";      // the architecture, where an argument lives on a device
    std::vector<np::GuardAttr> forbidden; // guards not to be assumed (they kept failing)
    std::vector<std::string> doubted;     // places where values were not as the code assumed
    DiskCache *disk = nullptr;            // where code may be found, and is kept
};

struct CodeOnDisk { // the entry of a variant's code
    CacheKey key{};
    std::vector<std::string> files; // that frames name, by their numbers in the entry
    // Neither the code nor what comes with it holds numbers of this process: of kinds of objects,
    // of classes of records, of Python functions.
    bool isPortable = true;
};

struct CompileResult {
    std::unique_ptr<Variant> variant; // null on error, when stopped early, and on devices
    std::optional<CodeOnDisk> onDisk; // where options.disk has it
    UserError error;
    std::vector<StageText> stages;
    std::string ptx;                     // where an argument lives on a device: the kernels
    std::vector<std::string> remarks;    // what LLVM's optimiser says of the loops
    std::vector<NestReport> nests;       // what each nest does, and the remarks on it
    std::vector<mlir::Type> resultTypes; // after infer, also when stopped there
    mlir::Attribute resultTree;
    std::vector<mlir::Type> argumentTypes; // with what the relations below say of their sizes
    // "k == 512 (line 9)": what the entry assumes of the call, and what it checks on every path.
    std::vector<std::string> guards, requirements;
};

// `captured` holds the entry function and all that it calls, as capture made them; it is cloned,
// not changed.
CompileResult compile(mlir::ModuleOp captured, llvm::StringRef entry, const Signature &signature,
                      const CompileOptions &options);

// The process's one context, threading off; compile() loads the dialects it needs.
mlir::MLIRContext &context();

} // namespace shapecast
