// The driver: the pass pipeline from captured functions to machine code, one line a stage.
#include "compile.h"

#include "facts/host_info.h"
#include "ir/dim_facts.h"
#include "ir/error_names.h"
#include "ir/fingerprint.h"
#include "ir/symbols.h"
#include "kernel_notes.h"
#include "lower/gpu/ptx.h"
#include "lower/llvm/jit.h"
#include "lower/nest/nest_code.h"
#include "passes/analysis/clobbers.h"
#include "passes/analysis/scope_facts.h"
#include "pipeline.h"
#include "runtime/symbols.h"
#include "stored.h"
#include "support/build_id.h"
#include "support/progress.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>

using namespace mlir;
using namespace shapecast;
using Clock = std::chrono::steady_clock;

//===-- Errors

// Diagnostics read "ExceptionName: message"; anything else is a compiler bug, in `stage`.
static UserError userError(Diagnostic &diagnostic, StringRef stage) {
    std::string text = diagnostic.str();
    StringRef name = StringRef(text).split(": ").first;
    bool isName = !name.empty() && llvm::all_of(name, [](char c) {
        return llvm::isAlnum(c) || c == '.' || c == '_';
    }) && (name.ends_with("Error") || name.ends_with("Exception"));
    if (!isName)
        return {"shapecast.InternalError",
                ("stage " + stage + ": " + text).str(),
                framesOf(diagnostic.getLocation()),
                {}};
    UserError error{
        name.str(), text.substr(name.size() + 2), framesOf(diagnostic.getLocation()), {}};
    for (Diagnostic &note : diagnostic.getNotes())
        error.notes.push_back(note.str());
    return error;
}

//===-- Stages

namespace {

// The stage that has begun last.
struct CurrentStage : PassInstrumentation {
    explicit CurrentStage(std::string &stage) : stage(stage) {}
    void runBeforePass(Pass *pass, Operation *) override {
        if (const Stage *begun = stageOf(*pass))
            stage = begun->name.str();
    }
    std::string &stage;
};

// Records the IR text and the time of each stage, in memory and as numbered files.
struct StageRecorder : PassInstrumentation {
    StageRecorder(std::vector<StageText> &stages, std::string prefix, bool keepLines)
        : stages(stages), prefix(std::move(prefix)), keepLines(keepLines) {}

    void runBeforePass(Pass *, Operation *) override { started = Clock::now(); }
    void runAfterPass(Pass *pass, Operation *op) override {
        if (const Stage *stage = stageOf(*pass))
            record(stage->name, op);
    }
    void runAfterPassFailed(Pass *pass, Operation *op) override { runAfterPass(pass, op); }

    void record(StringRef name, Operation *op) {
        double ms = std::chrono::duration<double, std::milli>(Clock::now() - started).count();
        std::string text;
        llvm::raw_string_ostream out(text);
        AsmState::LocationMap places; // of each operation, the line that it is printed on
        AsmState state(op, OpPrintingFlags().enableDebugInfo(false), keepLines ? &places : nullptr);
        op->print(out, state);
        if (!prefix.empty()) {
            std::error_code failure;
            std::string number = std::to_string(stages.size());
            llvm::raw_fd_ostream file(prefix + "/" + (number.size() < 2 ? "0" : "") + number + "-" +
                                          name.str() + ".mlir",
                                      failure);
            if (!failure)
                file << "// " << name << ": " << llvm::format("%.3f", ms) << " ms\n"
                     << text << "\n";
        }
        stages.push_back({name.str(), std::move(text), ms, sourceLinesOf(places)});
    }

    static std::vector<std::pair<unsigned, int>>
    sourceLinesOf(const AsmState::LocationMap &places) {
        std::vector<std::pair<unsigned, int>> lines;
        for (const auto &[op, place] : places)
            if (std::vector<Frame> frames = framesOf(op->getLoc());
                !frames.empty() && !isa<ModuleOp, FunctionOpInterface>(op))
                lines.push_back({place.first, frames.front().line});
        llvm::sort(lines);
        return lines;
    }

    std::vector<StageText> &stages;
    std::string prefix;
    bool keepLines;
    Clock::time_point started = Clock::now();
};

} // namespace

static void enterSignature(np::FuncOp entry, const Signature &signature,
                           const CompileOptions &options) {
    Builder b(entry.getContext());
    SmallVector<Attribute> types, hints(signature.hints.begin(), signature.hints.end());
    for (auto [k, given, value] : llvm::enumerate(signature.types, signature.values)) {
        Type type = given;
        auto array = dyn_cast<np::ArrayType>(type);
        if (array && k < options.sizes.size() && options.sizes[k]) {
            type = np::ArrayType::get(b.getContext(), *options.sizes[k], array.getDtype(),
                                      array.getLayout(), array.getReadonly(), array.getDevice());
            hints[k] = {}; // there is no call to take its sizes from
        }
        types.push_back(value ? value : Attribute(TypeAttr::get(type)));
    }
    for (Attribute &hint : hints)
        hint = hint ? hint : b.getUnitAttr();
    entry.setSignatureAttr(b.getArrayAttr(types));
    entry.setHintsAttr(b.getArrayAttr(hints));
    if (llvm::any_of(signature.strides, [](Attribute a) { return !isa<UnitAttr>(a); }))
        entry.setStridesAttr(b.getArrayAttr(signature.strides));
    entry.setAliasAttr(signature.alias ? signature.alias : b.getStringAttr("noalias"));
    if (options.ofSpecs)
        entry.setSymbolicSizesAttr(b.getUnitAttr());
    if (options.memoryIsNext)
        entry.setMemoryIsNextAttr(b.getUnitAttr());
    if (!options.forbidden.empty())
        entry.setForbiddenGuardsAttr(b.getArrayAttr(
            SmallVector<Attribute>(options.forbidden.begin(), options.forbidden.end())));
    if (!options.failedAssumptions.empty())
        entry.setFailedAssumptionsAttr(b.getStrArrayAttr(SmallVector<StringRef>(
            options.failedAssumptions.begin(), options.failedAssumptions.end())));
}

template <class Error> static Error errorOf(np::ErrorSiteAttr site) {
    Error error{site.getError().str(), site.getMessage().str(), framesOf(site.getAt()), {}};
    if (ArrayAttr notes = site.getNotes())
        for (auto note : notes.getAsRange<StringAttr>())
            error.notes.push_back(note.str());
    return error;
}

static ErrorSite siteOf(np::ErrorSiteAttr attr) {
    ErrorSite site = errorOf<ErrorSite>(attr);
    site.callers = attr.getCaller() ? framesOf(attr.getCaller()).size() : 0;
    return site;
}

static std::vector<ErrorSite> errorSites(ModuleOp module) {
    std::vector<ErrorSite> sites;
    if (ArrayAttr list = np::NpDialect::SitesAttrHelper(module.getContext()).getAttr(module))
        for (auto site : list.getAsRange<np::ErrorSiteAttr>())
            sites.push_back(siteOf(site));
    return sites;
}

static std::vector<ProfileSite> profileSites(ModuleOp module) {
    std::vector<ProfileSite> sites;
    if (ArrayAttr rows = np::NpDialect::ProfileAttrHelper(module.getContext()).getAttr(module))
        for (auto row : rows.getAsRange<np::ProfileRowAttr>())
            sites.push_back({row.getKind().str(), row.getText().str(), framesOf(row.getAt())});
    return sites;
}

static std::string relationText(np::RequireOp op) {
    SmallVector<std::string> args;
    for (np::DimAttr arg : np::dimVector(op.getArgs()))
        args.push_back(np::dimText(arg));
    const StringRef kind = op.getKind();
    if (kind == "index")
        return "-" + args[1] + " <= " + args[0] + " < " + args[1];
    if (kind == "broadcast")
        return args[0] + " == " + args[1] + ", or one of them is 1";
    if (kind == "broadcast_to")
        return args[0] + " == " + args[1] + " or 1";
    return args[0] + (kind == "eq" ? " == " : kind == "ge" ? " >= " : " != ") + args[1];
}

static std::string withLine(std::string text, Location loc) {
    const std::vector<Frame> frames = framesOf(loc);
    return frames.empty() ? text : text + " (line " + std::to_string(frames[0].line) + ")";
}

static Type withSizes(Type type, const np::DimFacts &facts) {
    auto array = dyn_cast<np::ArrayType>(type);
    if (!array)
        return type;
    auto dims =
        llvm::map_to_vector(array.getDims(), [&](np::DimAttr dim) { return facts.canonical(dim); });
    return np::ArrayType::get(type.getContext(), dims, array.getDtype(), array.getLayout(),
                              array.getReadonly(), array.getDevice());
}

// The typed entry's assumptions and unconditional checks of sizes, and its parameters and results
// simplified by these.
static void describeRelations(np::FuncOp entry, std::vector<Type> &resultTypes,
                              CompileResult &result) {
    np::DimFacts facts(entry.getContext());
    for (Type type : entry.getArgumentTypes())
        if (auto array = dyn_cast<np::ArrayType>(type))
            llvm::for_each(array.getDims(), [&](np::DimAttr dim) { facts.registerSymbols(dim); });
    addEntryFacts(entry, facts);
    if (auto guards = entry.getGuardsAttr())
        for (auto guard : guards.getAsRange<np::GuardAttr>())
            result.guards.push_back(guardText(guard));
    for (auto op : entry.getBody().front().getOps<np::RequireOp>()) {
        if (op.getKind() == "false")
            continue;
        result.requirements.push_back(withLine(relationText(op), op.getLoc()));
        addRequireFacts(op, facts);
    }
    for (Type type : entry.getArgumentTypes())
        result.argumentTypes.push_back(withSizes(type, facts));
    for (Type &type : resultTypes)
        type = withSizes(type, facts);
}

// The array parameters that the function may write to.
static std::vector<int64_t> writtenParameters(np::FuncOp entry) {
    const PointsTo pointsTo(entry);
    std::vector<int64_t> written;
    for (BlockArgument argument : entry.getArguments())
        if (auto array = dyn_cast<np::ArrayType>(argument.getType());
            array && !array.getReadonly() && mayWrite(entry, argument, pointsTo))
            written.push_back(argument.getArgNumber());
    return written;
}

// The interface of the typed entry, read before handles become pointers.
static void describeEntry(np::FuncOp entry, Variant &variant) {
    variant.resultTypes.assign(entry.getResultTypes().begin(), entry.getResultTypes().end());
    variant.resultTree = entry.getResultAttr();
    variant.writes = entry.getWritesAttr();
    entry.walk([&](np::KeepChangesOp op) {
        variant.kept.resize(std::max(variant.kept.size(), size_t(op.getNumber() + 1)));
        const auto types = op.getValues().getTypes();
        variant.kept[size_t(op.getNumber())] = {{types.begin(), types.end()}, op.getWrites()};
    });
    variant.raises = bool(entry.getRaisesAttr());
    if (auto carried = entry.getCarriedAttr())
        variant.carriedResults = carried.asArrayRef().vec();
    if (auto scalars = entry.getScalarsAttr())
        variant.scalarResults = scalars.asArrayRef().vec();
    if (auto guards = entry.getGuardsAttr())
        for (Attribute guard : guards)
            variant.guards.push_back(cast<np::GuardAttr>(guard));
    if (llvm::any_of(entry.getArgumentTypes(), [](Type type) { return bool(np::deviceOf(type)); }))
        variant.written = writtenParameters(entry);
    entry->getParentOp()->walk([&](np::CallOp call) {
        if (!call.getExpectedAttr())
            return;
        std::string text = withLine(shownCallee(call.getCallee()).str(), call.getLoc());
        if (!llvm::is_contained(variant.callOuts, text))
            variant.callOuts.push_back(std::move(text));
    });
}

namespace {

// Keeps the entry's types, which it loses when it becomes a func.func.
struct EntryReader : PassInstrumentation {
    EntryReader(Variant &variant, CompileResult *result) : variant(variant), result(result) {}
    void runAfterPass(Pass *pass, Operation *op) override {
        const Stage *stage = stageOf(*pass);
        if (!stage || stage->name != lastTypedStage)
            return;
        np::FuncOp entry = *cast<ModuleOp>(op).getOps<np::FuncOp>().begin();
        describeEntry(entry, variant);
        if (result)
            describeRelations(entry, variant.resultTypes, *result);
    }
    Variant &variant;
    CompileResult *result; // null: not requested
};

} // namespace

namespace {

// Nests that are about to become kernels.
struct KernelNestReader : PassInstrumentation {
    KernelNestReader(std::vector<NestReport> &nests) : nests(nests) {}
    void runBeforePass(Pass *pass, Operation *op) override {
        const Stage *stage = stageOf(*pass);
        if (stage && stage->name == nestCodeStage)
            nests = reportNests(cast<ModuleOp>(op));
    }
    std::vector<NestReport> &nests;
};

// Nests are described while they are operations.
struct NestReader : PassInstrumentation {
    NestReader(std::vector<NestReport> &nests) : nests(nests) {}
    void runAfterPass(Pass *pass, Operation *op) override {
        const Stage *stage = stageOf(*pass);
        if (stage && stage->name == nestReportStage)
            nests = reportNests(cast<ModuleOp>(op));
        else if (stage && stage->name == nestCodeStage)
            reportNestCode(cast<ModuleOp>(op), nests);
    }
    std::vector<NestReport> &nests;
};

} // namespace

// One folder per compilation.
static std::string dumpPrefix(const CompileOptions &options, StringRef entry) {
    if (options.dumpDirectory.empty())
        return "";
    static std::atomic<int> count{0};
    std::string folder =
        options.dumpDirectory + "/" + shownSymbol(entry).str() + "-" + std::to_string(count++);
    const std::error_code failure = llvm::sys::fs::create_directories(folder);
    return failure ? "" : folder; // no dump: compiling goes on
}

// LLVM's output follows the last stage's text as comments, so that the text still parses.
static void appendAsComments(StringRef title, StringRef ir, std::string &text) {
    text += ("\n// " + title + ":\n").str();
    SmallVector<StringRef> lines;
    ir.split(lines, '\n');
    for (StringRef line : lines)
        text += ("// " + line + "\n").str();
}

// The last file of a dump: the optimised LLVM IR, and how long that took.
static void dumpCode(const CompiledCode &code, StringRef folder, size_t number) {
    std::error_code failure;
    llvm::raw_fd_ostream file((folder + "/" + Twine(number) + "-optimised.ll").str(), failure);
    if (!failure)
        file << "; optimised: " << llvm::format("%.3f", code.optimizeMilliseconds)
             << " ms, machine code: " << llvm::format("%.3f", code.codegenMilliseconds) << " ms ("
             << code.objectBytes
             << " bytes), linked: " << llvm::format("%.3f", code.linkMilliseconds) << " ms\n"
             << code.text;
}

static void addRemark(const LoopRemark &remark, NestCode &code) {
    StringRef reason = remark.text;
    if (remark.vectorWidth && !code.vectorWidth)
        code.vectorWidth = remark.vectorWidth;
    code.isPartlyVectorised |= remark.isPartlyVectorised;
    if (code.notVectorisedReason.empty() && reason.consume_front("loop not vectorized: "))
        code.notVectorisedReason = reason.str();
}

// As "f.nest0 (line 3): vectorized loop ...", and to the nest that the function was outlined from.
static void addRemark(ModuleOp module, const LoopRemark &remark, CompileResult &result) {
    Operation *symbol = SymbolTable::lookupSymbolIn(module, remark.function);
    std::vector<Frame> frames = symbol ? framesOf(symbol->getLoc()) : std::vector<Frame>();
    std::string text = shownSymbol(remark.function).str();
    if (!frames.empty())
        text += " (line " + std::to_string(frames.back().line) + ")";
    result.remarks.push_back(text + ": " + remark.text);
    for (NestReport &nest : result.nests)
        if (nest.code && symbol && nest.location == symbol->getLoc())
            addRemark(remark, *nest.code);
}

namespace {

// One compilation.
class Compilation {
public:
    Compilation(ModuleOp captured, StringRef entry, const Signature &signature,
                const CompileOptions &options);
    CompileResult run();

private:
    bool runStages(StringRef after, StringRef upTo);
    void describeOnly();
    bool generateKernels();
    bool findOnDisk();
    void generateCode();
    void keepOnDisk(const CompiledCode &code);
    void finish(std::shared_ptr<void> code, runtime::Entry entry);
    void fail(const std::string &exception, const std::string &message) {
        result.error = {exception, message, {}, {}};
    }

    const Clock::time_point started = Clock::now();
    MLIRContext &ctx;
    const std::string entryName;
    const CompileOptions &options;
    const std::optional<int> device; // on which arguments live
    OwningOpRef<ModuleOp> module;
    std::unique_ptr<Variant> variant = std::make_unique<Variant>();
    CompileResult result;
    std::string stage = "capture", dumps;
    bool hasFailed = false;
    ScopedDiagnosticHandler collect;
    CodeOnDisk onDisk;
    std::vector<NestReport> kernelNests;
    std::vector<ErrorSite> kernelNotes;
};

} // namespace

// The ordinal of "cuda:0".
static std::optional<int> deviceOfArguments(const Signature &signature) {
    for (Type type : signature.types)
        if (StringAttr device = np::deviceOf(type)) {
            int ordinal = 0;
            device.getValue().split(':').second.getAsInteger(10, ordinal);
            return ordinal;
        }
    return std::nullopt;
}

Compilation::Compilation(ModuleOp captured, StringRef entry, const Signature &signature,
                         const CompileOptions &options)
    : ctx(*captured.getContext()), entryName(entry.str()), options(options),
      device(deviceOfArguments(signature)), module(captured.clone()),
      dumps(dumpPrefix(options, entry)), collect(&ctx, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              !std::exchange(hasFailed, true))
              result.error = userError(diagnostic, stage);
          return success();
      }) {
    ctx.loadAllAvailableDialects();
    enterSignature(module->lookupSymbol<np::FuncOp>(entry), signature, options);
    if (options.recheck && !device)
        np::NpDialect::RecheckAttrHelper(&ctx).setAttr(*module, UnitAttr::get(&ctx));
    if (options.debug)
        np::NpDialect::DebugAttrHelper(&ctx).setAttr(*module, UnitAttr::get(&ctx));
    if (options.profile)
        np::NpDialect::ProfileAttrHelper(&ctx).setAttr(*module, ArrayAttr::get(&ctx, {}));
    if (!options.defersRefusals)
        np::NpDialect::RefusesAttrHelper(&ctx).setAttr(*module, UnitAttr::get(&ctx));
}

bool Compilation::runStages(StringRef after, StringRef upTo) {
    PassManager pm(&ctx);
#ifdef NDEBUG
    pm.enableVerifier(false);
#endif
    if (options.keepStages || !dumps.empty()) {
        auto recorder = std::make_unique<StageRecorder>(result.stages, dumps, options.keepRemarks);
        if (after.empty())
            recorder->record("capture", *module);
        pm.addInstrumentation(std::move(recorder));
    }
    pm.addInstrumentation(std::make_unique<CurrentStage>(stage));
    pm.addInstrumentation(
        std::make_unique<EntryReader>(*variant, options.onlyTypes ? &result : nullptr));
    if (options.keepRemarks)
        pm.addInstrumentation(std::make_unique<NestReader>(result.nests));
    if (device)
        pm.addInstrumentation(std::make_unique<KernelNestReader>(kernelNests));
    addStages(pm, after, upTo, device ? Side::Device : Side::Host);
    if (succeeded(pm.run(*module)))
        return true;
    if (auto requested = np::NpDialect::StaticArgumentsAttrHelper(&ctx).getAttr(*module)) {
        const ArrayRef<int32_t> numbers = requested.asArrayRef();
        result.staticArguments.assign(numbers.begin(), numbers.end());
    }
    if (!hasFailed)
        fail("shapecast.InternalError", "a compiler pass failed without a diagnostic");
    return false;
}

// Only types are requested: a function that raises in each call has none.
void Compilation::describeOnly() {
    np::FuncOp entry = *module->getOps<np::FuncOp>().begin();
    if (auto raises = entry.getRaisesAttr())
        result.error = errorOf<UserError>(raises);
}

// Takes the kernels out of the module: what is left is the host's.
bool Compilation::generateKernels() {
    variant->device = device;
    auto kernels = module->lookupSymbol<ModuleOp>("kernels");
    if (!kernels)
        return true;
    std::string error;
    std::optional<std::string> ptx = emitPtx(kernels, options.ptxTarget, error);
    if (!ptx)
        return fail("ValueError", error), false;
    if (options.keepStages)
        appendAsComments("ptx", *ptx, result.stages.back().text);
    variant->ptx = std::move(*ptx);
    variant->kernels = kernelSources(kernels);
    kernelNotes = describeKernels(kernels, kernelNests);
    kernels.erase();
    return true;
}

// The cache key: the typed module, the target and this build determine the code.
bool Compilation::findOnDisk() {
    np::Fingerprint typed = np::fingerprintOf(*module);
    onDisk.files = std::move(typed.files);
    onDisk.isPortable = np::isPortable(typed.bytes);
    onDisk.key =
        cacheKey("code " + buildId() + " " + targetId() + " " + hostInfo().fingerprint() + " " +
                 (device ? options.ptxTarget : "") + " " + entryName + " " + typed.bytes);
    std::optional<StoredVariant> stored = loadCode(*options.disk, onDisk);
    if (!stored)
        return false;
    std::string error; // a library that defined a symbol may be missing now
    std::shared_ptr<CompiledCode> code = jitLink(stored->objects, stored->entry, error);
    if (!code)
        return false;
    variant->sites = std::move(stored->sites);
    variant->ptx = std::move(stored->ptx);
    variant->kernels = std::move(stored->kernels);
    variant->device = device;
    variant->fromDisk = true;
    finish(code, code->entry);
    result.onDisk = std::move(onDisk);
    return true;
}

void Compilation::keepOnDisk(const CompiledCode &code) {
    StoredVariant stored = storedOf(*variant, entryName, code.objects);
    for (auto global : module->getOps<LLVM::GlobalOp>()) // see lower/function/ufunc_loop_calls.cpp
        if (global.getSymName().starts_with("ufunc "))
            stored.loops.push_back(global.getSymName().str());
    for (const runtime::RuntimeSymbol &symbol : runtime::randomSymbols())
        if (module->lookupSymbol(symbol.name)) {
            stored.drawsNumbers = true;
            stored.drawsLegacyNumbers |= StringRef(symbol.name).contains("_legacy_");
        }
    options.disk->store(onDisk.key, shownSymbol(entryName), toBytes(stored, onDisk.files));
    result.onDisk = std::move(onDisk);
}

void Compilation::generateCode() {
    variant->sites = errorSites(*module); // which code names by their numbers: others come after
    llvm::append_range(variant->sites, kernelNotes);
    variant->profile = profileSites(*module);
    JitOptions jitOptions;
    jitOptions.keepText = options.keepStages || !dumps.empty();
    jitOptions.keepRemarks = options.keepRemarks;
    jitOptions.keepAssembly = options.keepStages;
    jitOptions.keepObjects = options.disk != nullptr;
    std::string error;
    std::shared_ptr<CompiledCode> code = jitCompile(*module, entryName, jitOptions, error);
    if (!code)
        return fail("shapecast.InternalError", error);
    if (options.keepStages) {
        appendAsComments("assembly", code->assembly, result.stages.back().text);
        appendAsComments("optimised", code->text, result.stages.back().text);
    }
    if (!dumps.empty())
        dumpCode(*code, dumps, result.stages.size());
    for (const LoopRemark &remark : code->remarks)
        addRemark(*module, remark, result);
    for (NestReport &nest : result.nests) // those that were outlined
        for (auto function : module->getOps<LLVM::LLVMFuncOp>())
            if (!function.isExternal() && function.getLoc() == nest.location)
                nest.functions.push_back(function.getSymName().str());
    finish(code, code->entry);
    if (options.disk)
        keepOnDisk(*code);
    code->objects = {};
}

void Compilation::finish(std::shared_ptr<void> code, runtime::Entry entry) {
    variant->entry = entry;
    variant->code = std::move(code);
    variant->milliseconds =
        std::chrono::duration<double, std::milli>(Clock::now() - started).count();
}

CompileResult Compilation::run() {
    const StringRef middle =
        options.disk || options.onlyTypes ? StringRef(lastTypedStage) : StringRef();
    bool ok = runStages("", middle);
    result.resultTypes = variant->resultTypes;
    result.resultTree = variant->resultTree;
    if (!ok)
        return std::move(result);
    if (options.onlyTypes) {
        describeOnly();
        return std::move(result);
    }
    const bool isFound = options.disk && findOnDisk();
    if (!isFound && !middle.empty() && !runStages(middle, ""))
        return std::move(result);
    if (!isFound && (!device || generateKernels()))
        generateCode();
    if (variant->entry)
        result.variant = std::move(variant);
    return std::move(result);
}

CompileResult shapecast::compile(ModuleOp captured, StringRef entryName, const Signature &signature,
                                 const CompileOptions &options) {
    CompileResult result = Compilation(captured, entryName, signature, options).run();
    if (result.error.exception == np::needsLargeStack)
        Progress::onLargeStack(
            [&] { result = Compilation(captured, entryName, signature, options).run(); });
    return result;
}
