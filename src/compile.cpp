// The table of contents: from captured functions to machine code, one line a stage.
#include "compile.h"

#include "facts/running.h"
#include "ir/dim_facts.h"
#include "ir/fingerprint.h"
#include "ir/symbols.h"
#include "ir/verify_stage.h"
#include "lower/jit.h"
#include "lower/ptx.h"
#include "passes/passes.h"
#include "passes/scope_facts.h"
#include "runtime/symbols.h"
#include "stored.h"
#include "support/build_id.h"
#include "support/progress.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>

using namespace mlir;
using namespace shapecast;
using Clock = std::chrono::steady_clock;

enum class Side { Both, Host, Device }; // who needs a stage

// The pipeline. Each pass's header says what holds before and after it.
static const struct {
    StringRef stage;
    std::unique_ptr<Pass> (*create)();
    Side side = Side::Both;
} pipeline[] = {
    {"specialise", createSpecialise}, // the call's types are cast onto the unranked entry
    {"inline", createInlineCalls}, // types are known only at the outermost call: all below must be
                                   // in one body
    {"infer", createInferTypes},   // after this no value is unranked or untyped
    {"simplify",
     createSimplify}, // identity casts go, temporaries that nobody else sees become values
    {"promote", createPromoteValues}, // arrays that are never mutated nor escape become values
    {"blocks", createBlockLoops},     // element-wise loops run over what fits in the cache
    {"nests", createFormNests}, // expressions become loop nests with explicit element accesses
    {"schedule",
     createScheduleStores}, // overlap: order of each nest, copies where order alone is not enough
    {"strips", createRunInStrips,
     Side::Host}, // neighbouring nests take turns, strip by strip of their rows
    {"scans", createTakeIntoScans, Side::Host},    // running sums take in the nests around them
    {"gathers", createCheckInGathers, Side::Host}, // nests check the places that they ask for
    {"checks", createChecks},                      // bounds checks leave the loops
    {"lifetime", createLifetime}, // every buffer is released once, after its last use
    {"wavefront", createRunInWavefronts, Side::Host}, // rows that wait for each other, in step
    {"parallel", createParallel, Side::Host}, // loops whose turns need nothing of each other
    {"loops", createLowerToLoops,
     Side::Host}, // handles become pointers, nests become outlined loops
    {"kernels", createKernels, Side::Device}, // nests become kernels
    {"llvm", createLowerToLLVM},              // the LLVM dialect only
};

MLIRContext &shapecast::context() {
    static MLIRContext *ctx =
        [] { // never destroyed: variants hold its types until the process ends
            DialectRegistry registry;
            registry
                .insert<np::NpDialect, func::FuncDialect, scf::SCFDialect, cf::ControlFlowDialect,
                        arith::ArithDialect, math::MathDialect, LLVM::LLVMDialect>();
            registerBuiltinDialectTranslation(registry);
            registerLLVMDialectTranslation(registry);
            auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
            made->loadDialect<np::NpDialect>(); // the others when something is compiled
            return made;
        }();
    return *ctx;
}

//===-- Errors

static void addFrames(Location loc, StringRef function, std::vector<Frame> &frames) {
    if (auto call = dyn_cast<CallSiteLoc>(loc)) {
        addFrames(call.getCaller(), function, frames);
        addFrames(call.getCallee(), function, frames);
    } else if (auto name = dyn_cast<NameLoc>(loc)) {
        addFrames(name.getChildLoc(), name.getName().getValue(), frames);
    } else if (auto range = dyn_cast<FileLineColRange>(loc)) {
        frames.push_back({range.getFilename().str(), function.str(), range.getStartLine(),
                          range.getStartColumn(), range.getEndLine(), range.getEndColumn()});
    }
}

std::vector<Frame> shapecast::framesOf(Location loc) {
    std::vector<Frame> frames;
    addFrames(loc, "", frames);
    return frames;
}

// Diagnostics read "ExceptionName: message"; anything else is our own mistake, made in `stage`.
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

constexpr StringLiteral verifier = "np-verify"; // no stage: it follows each of them in debug builds
constexpr StringLiteral question = "np-goes-on"; // nor this, which follows each

bool isStage(Pass *pass) {
    return pass->getArgument() != verifier && pass->getArgument() != question;
}

// Ends the compilation between two stages.
struct GoesOn : PassWrapper<GoesOn, OperationPass<>> {
    StringRef getArgument() const final { return question; }
    StringRef getDescription() const final { return "fail where the compilation is to end"; }
    void runOnOperation() final {
        if (Progress::stops())
            signalPassFailure();
        markAllAnalysesPreserved();
    }
};

// Says which stage has begun last.
struct CurrentStage : PassInstrumentation {
    explicit CurrentStage(std::string &stage) : stage(stage) {}
    void runBeforePass(Pass *pass, Operation *) override {
        if (isStage(pass))
            stage = pass->getArgument().drop_front(3).str();
    }
    std::string &stage;
};

// Records the IR text and the time of each stage, in memory and as numbered files.
struct StageRecorder : PassInstrumentation {
    StageRecorder(std::vector<StageText> &stages, std::string prefix)
        : stages(stages), prefix(std::move(prefix)) {}

    void runBeforePass(Pass *, Operation *) override { started = Clock::now(); }
    void runAfterPass(Pass *pass, Operation *op) override {
        if (isStage(pass))
            record(pass->getArgument().drop_front(3), op);
    }
    void runAfterPassFailed(Pass *pass, Operation *op) override { runAfterPass(pass, op); }

    void record(StringRef name, Operation *op) {
        double ms = std::chrono::duration<double, std::milli>(Clock::now() - started).count();
        std::string text;
        llvm::raw_string_ostream out(text);
        op->print(out, OpPrintingFlags().enableDebugInfo(false));
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
        stages.push_back({name.str(), std::move(text), ms});
    }

    std::vector<StageText> &stages;
    std::string prefix;
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
            hints[k] = {}; // no call has told its sizes
        }
        types.push_back(value ? value : Attribute(TypeAttr::get(type)));
    }
    for (Attribute &hint : hints)
        hint = hint ? hint : b.getUnitAttr();
    entry->setAttr("signature", b.getArrayAttr(types));
    entry->setAttr("hints", b.getArrayAttr(hints));
    if (llvm::any_of(signature.strides, [](Attribute a) { return !isa<UnitAttr>(a); }))
        entry->setAttr("strides", b.getArrayAttr(signature.strides));
    entry->setAttr("alias", signature.alias ? signature.alias : b.getStringAttr("noalias"));
    if (options.ofSpecs)
        entry->setAttr("of_specs", b.getUnitAttr());
    if (!options.forbidden.empty())
        entry->setAttr("forbidden", b.getArrayAttr(SmallVector<Attribute>(
                                        options.forbidden.begin(), options.forbidden.end())));
    if (!options.doubted.empty())
        entry->setAttr("doubted", b.getStrArrayAttr(SmallVector<StringRef>(options.doubted.begin(),
                                                                           options.doubted.end())));
}

// The passes behind `first` (from the start when empty) up to and including `last` (all when
// empty).
static void addStages(PassManager &pm, StringRef first, StringRef last, bool onDevice) {
    bool isOn = first.empty();
    for (const auto &[stage, create, side] : pipeline) {
        const bool isFirst = stage == first;
        if (isOn && side != (onDevice ? Side::Host : Side::Device)) {
            pm.addPass(create());
            pm.addPass(std::make_unique<GoesOn>());
#ifndef NDEBUG
            // A stage that breaks its promise ends here, named.
            pm.addPass(np::createVerifyStage(stage.str()));
#endif
        }
        isOn |= isFirst;
        if (stage == last)
            return;
    }
}

template <class Error> static Error errorOf(DictionaryAttr site) {
    Error error{site.getAs<StringAttr>("error").str(),
                site.getAs<StringAttr>("message").str(),
                framesOf(cast<LocationAttr>(site.get("at"))),
                {}};
    if (auto notes = site.getAs<ArrayAttr>("notes"))
        for (auto note : notes.getAsRange<StringAttr>())
            error.notes.push_back(note.str());
    return error;
}

static std::vector<ErrorSite> errorSites(ModuleOp module) {
    std::vector<ErrorSite> sites;
    if (auto list = module->getAttrOfType<ArrayAttr>("np.sites"))
        for (auto site : list.getAsRange<DictionaryAttr>())
            sites.push_back(errorOf<ErrorSite>(site));
    return sites;
}

std::string shapecast::guardText(np::GuardAttr guard) {
    std::string text = np::dimText(guard.getLhs()) + " " + guard.getPred().str() + " " +
                       np::dimText(guard.getRhs());
    return guard.getLine() > 0 ? text + " (line " + std::to_string(guard.getLine()) + ")" : text;
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

// What the typed entry assumes and checks of sizes whatever it does; its parameters and results
// with that.
static void describeRelations(np::FuncOp entry, std::vector<Type> &resultTypes,
                              CompileResult &result) {
    np::DimFacts facts(entry.getContext());
    for (Type type : entry.getArgumentTypes())
        if (auto array = dyn_cast<np::ArrayType>(type))
            llvm::for_each(array.getDims(), [&](np::DimAttr dim) { facts.noteAge(dim); });
    learnEntry(entry, facts);
    if (auto guards = entry->getAttrOfType<ArrayAttr>("guards"))
        for (auto guard : guards.getAsRange<np::GuardAttr>())
            result.guards.push_back(guardText(guard));
    for (auto op : entry.getBody().front().getOps<np::RequireOp>()) {
        if (op.getKind() == "false")
            continue;
        result.requirements.push_back(withLine(relationText(op), op.getLoc()));
        learnRequire(op, facts);
    }
    for (Type type : entry.getArgumentTypes())
        result.argumentTypes.push_back(withSizes(type, facts));
    for (Type &type : resultTypes)
        type = withSizes(type, facts);
}

// What callers need to know of the typed entry; read before handles turn into pointers.
static void describeEntry(np::FuncOp entry, Variant &variant) {
    variant.resultTypes.assign(entry.getResultTypes().begin(), entry.getResultTypes().end());
    variant.resultTree = entry->getAttr("result");
    variant.writes = entry->getAttr("writes");
    variant.raises = entry->hasAttr("raises");
    if (auto carried = entry->getAttrOfType<DenseI64ArrayAttr>("carried"))
        variant.carriedResults.assign(carried.asArrayRef().begin(), carried.asArrayRef().end());
    if (auto guards = entry->getAttrOfType<ArrayAttr>("guards"))
        for (Attribute guard : guards)
            variant.guards.push_back(cast<np::GuardAttr>(guard));
    entry->getParentOp()->walk([&](np::CallOp call) {
        if (!call->hasAttr("expected"))
            return;
        std::string text = withLine(call.getCallee().str(), call.getLoc());
        if (!llvm::is_contained(variant.callOuts, text))
            variant.callOuts.push_back(std::move(text));
    });
}

namespace {

// The entry loses its types when it becomes a func.func; this keeps them.
struct EntryReader : PassInstrumentation {
    EntryReader(Variant &variant, CompileResult *result) : variant(variant), result(result) {}
    void runAfterPass(Pass *pass, Operation *op) override {
        if (pass->getArgument() != "np-infer")
            return;
        np::FuncOp entry = *cast<ModuleOp>(op).getOps<np::FuncOp>().begin();
        describeEntry(entry, variant);
        if (result)
            describeRelations(entry, variant.resultTypes, *result);
    }
    Variant &variant;
    CompileResult *result; // null where nobody asks
};

} // namespace

namespace {

// Nests are described while they are operations.
struct NestReader : PassInstrumentation {
    NestReader(std::vector<NestReport> &nests) : nests(nests) {}
    void runAfterPass(Pass *pass, Operation *op) override {
        if (pass->getArgument() == "np-nests")
            nests = reportNests(cast<ModuleOp>(op));
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
    llvm::sys::fs::create_directories(folder);
    return folder;
}

// What LLVM makes of it follows the last stage's text as comments, so that the text still parses.
static void appendAsComments(StringRef title, StringRef ir, std::string &text) {
    text += ("\n// " + title + ":\n").str();
    SmallVector<StringRef> lines;
    ir.split(lines, '\n');
    for (StringRef line : lines)
        text += ("// " + line + "\n").str();
}

// The last file of a dump: what LLVM makes of it, and how long that took.
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

// "f.nest0: vectorized loop" with the source's line behind the function's name; the nest that the
// function was outlined from has the text too.
static void addRemark(ModuleOp module, StringRef remark, CompileResult &result) {
    auto [function, text] = remark.split(':');
    Operation *symbol = SymbolTable::lookupSymbolIn(module, function);
    std::vector<Frame> frames = symbol ? framesOf(symbol->getLoc()) : std::vector<Frame>();
    remark = shownSymbol(remark);
    if (frames.empty())
        return result.remarks.push_back(remark.str());
    result.remarks.push_back(
        (shownSymbol(function) + " (line " + Twine(frames.back().line) + "):" + text).str());
    for (NestReport &nest : result.nests)
        if (nest.place == symbol->getLoc())
            nest.remarks.push_back(remark.str());
}

namespace {

// One compilation.
class Compilation {
public:
    Compilation(ModuleOp captured, StringRef entry, const Signature &signature,
                const CompileOptions &options);
    CompileResult run();

private:
    bool runStages(StringRef behind, StringRef upTo);
    void describeOnly();
    void compileForDevice();
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
    const bool onDevice;
    OwningOpRef<ModuleOp> module;
    std::unique_ptr<Variant> variant = std::make_unique<Variant>();
    CompileResult result;
    std::string stage = "capture", dumps;
    bool hasFailed = false;
    ScopedDiagnosticHandler collect;
    CodeOnDisk onDisk;
};

} // namespace

Compilation::Compilation(ModuleOp captured, StringRef entry, const Signature &signature,
                         const CompileOptions &options)
    : ctx(*captured.getContext()), entryName(entry.str()), options(options),
      onDevice(llvm::any_of(signature.types, [](Type type) { return bool(np::deviceOf(type)); })),
      module(captured.clone()), dumps(dumpPrefix(options, entry)),
      collect(&ctx, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              !std::exchange(hasFailed, true))
              result.error = userError(diagnostic, stage);
          return success();
      }) {
    ctx.loadAllAvailableDialects();
    enterSignature(module->lookupSymbol<np::FuncOp>(entry), signature, options);
    if (options.recheck)
        (*module)->setAttr("np.recheck", UnitAttr::get(&ctx));
    if (options.debug)
        (*module)->setAttr("np.debug", UnitAttr::get(&ctx));
    if (!options.defersRefusals)
        (*module)->setAttr("np.refuses", UnitAttr::get(&ctx));
}

bool Compilation::runStages(StringRef behind, StringRef upTo) {
    PassManager pm(&ctx);
#ifdef NDEBUG
    pm.enableVerifier(false);
#endif
    if (options.keepStages || !dumps.empty()) {
        auto recorder = std::make_unique<StageRecorder>(result.stages, dumps);
        if (behind.empty())
            recorder->record("capture", *module);
        pm.addInstrumentation(std::move(recorder));
    }
    pm.addInstrumentation(std::make_unique<CurrentStage>(stage));
    pm.addInstrumentation(
        std::make_unique<EntryReader>(*variant, options.stopAfter == "infer" ? &result : nullptr));
    if (options.keepRemarks)
        pm.addInstrumentation(std::make_unique<NestReader>(result.nests));
    addStages(pm, behind, upTo, onDevice);
    if (succeeded(pm.run(*module)))
        return true;
    if (!hasFailed)
        fail("shapecast.InternalError", "a compiler pass failed without saying why");
    return false;
}

// Asked for the types only: a function that raises in each call has none.
void Compilation::describeOnly() {
    np::FuncOp entry = *module->getOps<np::FuncOp>().begin();
    if (auto raises = entry->getAttrOfType<DictionaryAttr>("raises"))
        result.error = errorOf<UserError>(raises);
}

void Compilation::compileForDevice() {
    std::string error;
    std::optional<std::string> ptx = emitPtx(*module, options.ptxTarget, error);
    if (!ptx)
        fail("ValueError", error);
    else if (options.keepStages)
        appendAsComments("ptx", *ptx, result.stages.back().text);
    result.ptx = ptx.value_or("");
}

// The typed module determines the code, the target and this build given.
bool Compilation::findOnDisk() {
    np::Fingerprint typed = np::fingerprintOf(*module);
    onDisk.files = std::move(typed.files);
    onDisk.isPortable = np::isPortable(typed.bytes);
    onDisk.key = cacheKey("code " + buildId() + " " + targetId() + " " + running().text() + " " +
                          entryName + " " + typed.bytes);
    std::optional<StoredVariant> stored = loadCode(*options.disk, onDisk);
    if (!stored)
        return false;
    std::string error; // a library that had a symbol is not there now, say
    std::shared_ptr<CompiledCode> code = jitLink(stored->objects, stored->entry, error);
    if (!code)
        return false;
    variant->sites = std::move(stored->sites);
    variant->fromDisk = true;
    finish(code, code->entry);
    result.onDisk = std::move(onDisk);
    return true;
}

void Compilation::keepOnDisk(const CompiledCode &code) {
    StoredVariant stored = storedOf(*variant, entryName, code.objects);
    for (auto global : module->getOps<LLVM::GlobalOp>()) // see lower/ufunc_loops.cpp
        if (global.getSymName().starts_with("ufunc "))
            stored.loops.push_back(global.getSymName().str());
    size_t count = 0;
    const runtime::RuntimeSymbol *random = runtime::randomSymbols(&count);
    for (const auto &symbol : ArrayRef(random, count))
        if (module->lookupSymbol(symbol.name)) {
            stored.drawsNumbers = true;
            stored.drawsLegacyNumbers |= StringRef(symbol.name).contains("_legacy_");
        }
    options.disk->store(onDisk.key, shownSymbol(entryName), toBytes(stored, onDisk.files));
    result.onDisk = std::move(onDisk);
}

void Compilation::generateCode() {
    variant->sites = errorSites(*module);
    JitOptions jitOptions;
    jitOptions.keepText = options.keepStages || !dumps.empty();
    jitOptions.keepRemarks = options.keepRemarks;
    jitOptions.keepObjects = options.disk != nullptr;
    std::string error;
    std::shared_ptr<CompiledCode> code = jitCompile(*module, entryName, jitOptions, error);
    if (!code)
        return fail("shapecast.InternalError", error);
    if (options.keepStages)
        appendAsComments("optimised", code->text, result.stages.back().text);
    if (!dumps.empty())
        dumpCode(*code, dumps, result.stages.size());
    for (const std::string &remark : code->remarks)
        addRemark(*module, remark, result);
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
    const StringRef middle = options.disk ? StringRef("infer") : StringRef(options.stopAfter);
    bool ok = runStages("", middle);
    result.resultTypes = variant->resultTypes;
    result.resultTree = variant->resultTree;
    if (!ok)
        return std::move(result);
    if (!options.stopAfter.empty()) {
        describeOnly();
        return std::move(result);
    }
    const bool isFound = options.disk && !onDevice && findOnDisk();
    if (!isFound && !middle.empty() && !runStages(middle, ""))
        return std::move(result);
    if (onDevice)
        compileForDevice();
    else if (!isFound)
        generateCode();
    if (variant->entry)
        result.variant = std::move(variant);
    return std::move(result);
}

CompileResult shapecast::compile(ModuleOp captured, StringRef entryName, const Signature &signature,
                                 const CompileOptions &options) {
    CompileResult result = Compilation(captured, entryName, signature, options).run();
    if (result.error.exception == needsLargeStack)
        Progress::onLargeStack(
            [&] { result = Compilation(captured, entryName, signature, options).run(); });
    return result;
}
