// LLVM ORC: one linking session per process, one JITDylib per compiled function.
#include "lower/llvm/jit.h"
#include "lower/llvm/code_emitter.h"
#include "lower/llvm/line_tables.h"
#include "lower/llvm/llvm_pipeline.h"
#include "lower/llvm/long_functions.h"
#include "lower/llvm/tool_plugins.h"
#include "lower/llvm/vector_math.h"
#include "runtime/symbols.h"
#include "runtime/ufunc_loops.h"
#include "support/progress.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>
#include <gnu/libc-version.h>
#include <mutex>

using namespace llvm;

namespace shapecast {
namespace {

double millisecondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

std::unique_ptr<TargetMachine> hostMachine(std::string &error) {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    const Triple triple(sys::getProcessTriple());
    const Target *target = TargetRegistry::lookupTarget(triple, error);
    if (!target)
        return nullptr;
    SubtargetFeatures features;
    for (const auto &feature : sys::getHostCPUFeatures())
        features.AddFeature(feature.first(), feature.second);
    if (sys::getHostCPUName().starts_with("znver")) // slower than scalar loads (measured)
        features.AddFeature("prefer-no-gather");
    if (triple.isAArch64()) // vectors of fixed size alone, as mathlib's and our passes have them
        features.AddFeature("sve", false);
    TargetOptions options;
    options.AllowFPOpFusion =
        FPOpFusion::Strict; // a fused multiply-add rounds once: other bits than NumPy's
#if defined(SHAPECAST_ASAN) || defined(SHAPECAST_TSAN) // there is much code, to be run once
    constexpr auto effort = CodeGenOptLevel::None;
#else
    constexpr auto effort = CodeGenOptLevel::Default;
#endif
    return std::unique_ptr<TargetMachine>(
        target->createTargetMachine(triple, sys::getHostCPUName(), features.getString(), options,
                                    Reloc::PIC_, CodeModel::Small, effort));
}

// Process-wide state, created once. Never destroyed: compiled functions may be freed after static
// destructors ran.
struct Session {
    std::mutex mutex; // of the target machine and of compilations
    std::unique_ptr<TargetMachine> machine;
    std::unique_ptr<CodeEmitter> emitter;
    std::unique_ptr<orc::ExecutionSession> orc;
    std::unique_ptr<orc::ObjectLinkingLayer> linker;
    orc::JITDylib *runtime = nullptr; // the functions that compiled code may call
    uint64_t count = 0;
    std::string error;    // why the session is unusable
    std::string reported; // the linker's last messages; a lookup's error names only the symbols
                          // that were missing then
};

// Inner loops of ufuncs, which type inference has found (runtime/ufunc_loops.h): symbols that are
// resolved by name when code is linked.
struct UfuncLoops final : orc::DefinitionGenerator {
    Error tryToGenerate(orc::LookupState &, orc::LookupKind, orc::JITDylib &library,
                        orc::JITDylibLookupFlags, const orc::SymbolLookupSet &wanted) override {
        orc::SymbolMap symbols;
        for (const auto &[name, flags] : wanted)
            if (const auto *loop = runtime::findUfuncLoop((*name).str()))
                symbols[name] = {orc::ExecutorAddr::fromPtr(loop), JITSymbolFlags::Exported};
        return symbols.empty() ? Error::success()
                               : library.define(orc::absoluteSymbols(std::move(symbols)));
    }
};

Error defineRuntime(Session &session) {
    orc::SymbolMap symbols;
    for (const runtime::RuntimeSymbol &symbol : runtime::runtimeSymbols())
        symbols[session.orc->intern(symbol.name)] = {orc::ExecutorAddr::fromPtr(symbol.address),
                                                     JITSymbolFlags::Exported |
                                                         JITSymbolFlags::Callable};
    for (const VectorFunction &function : vectorMath(*session.machine))
        symbols[session.orc->intern(function.name)] = {orc::ExecutorAddr::fromPtr(function.address),
                                                       JITSymbolFlags::Exported |
                                                           JITSymbolFlags::Callable};
    if (Error error = session.runtime->define(orc::absoluteSymbols(std::move(symbols))))
        return error;
    session.runtime->addGenerator(std::make_unique<UfuncLoops>());
    // The C library of the process, then libm.
    auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess('\0');
    if (!process)
        return process.takeError();
    session.runtime->addGenerator(std::move(*process));
    auto libm = orc::DynamicLibrarySearchGenerator::Load("libm.so.6", '\0');
    if (!libm)
        return libm.takeError();
    session.runtime->addGenerator(std::move(*libm));
    return Error::success();
}

Session *startSession() {
    auto *session = new Session;
    session->machine = hostMachine(session->error);
    if (!session->machine)
        return session;
    session->emitter = std::make_unique<CodeEmitter>(*session->machine);
    auto process = orc::SelfExecutorProcessControl::Create(
        nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
    if (!process) {
        session->error = toString(process.takeError());
        return session;
    }
    session->orc = std::make_unique<orc::ExecutionSession>(std::move(*process));
    session->orc->setErrorReporter(
        [session](Error error) { session->reported += toString(std::move(error)) + "; "; });
    session->linker = std::make_unique<orc::ObjectLinkingLayer>(*session->orc);
    session->runtime = &session->orc->createBareJITDylib("runtime");
    if (toolsListen())
        if (Error error = addToolPlugins(*session->orc, *session->linker))
            session->error = toString(std::move(error));
    if (Error error = defineRuntime(*session))
        session->error = toString(std::move(error));
    return session;
}

Session &session() {
    static Session *started = startSession();
    return *started;
}

struct LinkedCode final : CompiledCode {
    orc::JITDylib *library = nullptr;
    ~LinkedCode() override {
        if (library)
            consumeError(session().orc->removeJITDylib(*library));
    }
};

std::unique_ptr<Module> translate(mlir::ModuleOp module, LLVMContext &context, std::string &error) {
    mlir::MLIRContext &mlirContext = *module.getContext();
    auto *dialect = mlirContext.getOrLoadDialect<mlir::LLVM::LLVMDialect>();
    if (!dialect->getRegisteredInterface<mlir::LLVMTranslationDialectInterface>()) {
        mlir::registerBuiltinDialectTranslation(mlirContext);
        mlir::registerLLVMDialectTranslation(mlirContext);
    }
#ifdef NDEBUG
    constexpr bool skipVerifier = true;
#else
    constexpr bool skipVerifier = false;
#endif
    if (toolsListen())
        addLineTables(module);
    std::unique_ptr<Module> translated =
        mlir::translateModuleToLLVMIR(module, context, "shapecast", skipVerifier);
    if (!translated)
        error = "the module could not be translated to LLVM IR";
    return translated;
}

std::string assemblyOf(const Module &module, TargetMachine &machine) {
    std::unique_ptr<Module> copy = CloneModule(module);
    SmallString<0> text;
    emitCode(*copy, machine, CodeGenFileType::AssemblyFile, text);
    return text.str().str();
}

void prepare(Module &module, TargetMachine &machine) {
    module.setDataLayout(machine.createDataLayout());
    module.setTargetTriple(machine.getTargetTriple());
    for (Function &function : module)
        if (!function.isDeclaration()) {
            function.addFnAttr("target-cpu", machine.getTargetCPU());
            function.addFnAttr("target-features", machine.getTargetFeatureString());
#if defined(SHAPECAST_ASAN)
            function.addFnAttr(Attribute::SanitizeAddress);
#elif defined(SHAPECAST_TSAN)
            function.addFnAttr(Attribute::SanitizeThread);
#endif
            if (toolsListen()) {
                function.addFnAttr("frame-pointer", "all");
                function.setUWTableKind(UWTableKind::Async);
            }
            function.setDoesNotThrow(); // and no unwind tables: nothing may unwind through compiled
                                        // code
        }
    if (Function *poll = module.getFunction("sc_poll")) {
        poll->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly()); // else LICM hoists no
                                                                           // load past a poll
        poll->setCallingConv(CallingConv::PreserveAll);                    // runtime/poll.cpp
        for (User *user : poll->users())
            if (auto *call = dyn_cast<CallInst>(user))
                call->setCallingConv(CallingConv::PreserveAll);
    }
    bindVectorMath(module, machine);
}

using Objects = SmallVector<std::unique_ptr<MemoryBuffer>, 2>;

bool link(Session &s, LinkedCode &code, Objects objects, StringRef entry, std::string &error) {
    auto start = std::chrono::steady_clock::now();
    s.reported.clear();
    code.library = &s.orc->createBareJITDylib("f" + std::to_string(s.count++));
    code.library->addToLinkOrder(*s.runtime);
    for (std::unique_ptr<MemoryBuffer> &object : objects) {
        code.objectBytes += object->getBufferSize();
        if (Error failure = s.linker->add(*code.library, std::move(object))) {
            error = toString(std::move(failure));
            return false;
        }
    }
    auto symbol = s.orc->lookup({code.library}, s.orc->intern(entry));
    if (!symbol) {
        error = s.reported + toString(symbol.takeError());
        return false;
    }
    code.entry = symbol->getAddress().toPtr<runtime::Entry>();
    code.linkMilliseconds = millisecondsSince(start);
    return true;
}

} // namespace

std::shared_ptr<CompiledCode> jitCompile(mlir::ModuleOp module, StringRef entry,
                                         const JitOptions &options, std::string &error) {
    Session &s = session();
    if (!s.error.empty()) {
        error = s.error;
        return nullptr;
    }
    std::lock_guard lock(s.mutex);
    std::unique_ptr<Module> ir = translate(module, s.emitter->nextContext(), error);
    if (!ir)
        return nullptr;
    auto code = std::make_shared<LinkedCode>();
    auto start = std::chrono::steady_clock::now();
    prepare(*ir, *s.machine);
    if (!optimize(*ir, *s.machine, options.keepRemarks ? &code->remarks : nullptr, error))
        return nullptr;
    code->optimizeMilliseconds = millisecondsSince(start);
    if (Progress::isCancelled()) {
        error = "stopped";
        return nullptr;
    }
    const std::unique_ptr<Module> others = extractLongFunctions(*ir);
    const std::unique_ptr<TargetMachine> quick = others ? quickMachine(*s.machine) : nullptr;
    if (options.keepText) {
        raw_string_ostream stream(code->text);
        ir->print(stream, nullptr);
        if (others)
            others->print(stream, nullptr);
    }
    if (options.keepAssembly)
        code->assembly = (others ? assemblyOf(*others, *quick) : "") + assemblyOf(*ir, *s.machine);
    start = std::chrono::steady_clock::now();
    SmallVector<char, 0> bytes, bytesOfOthers;
    if (!s.emitter->emit(*ir, bytes) ||
        (others && !emitCode(*others, *quick, CodeGenFileType::ObjectFile, bytesOfOthers))) {
        error = "the target cannot emit objects";
        return nullptr;
    }
    code->codegenMilliseconds = millisecondsSince(start);
    Objects objects;
    for (SmallVector<char, 0> *made : {&bytes, &bytesOfOthers}) {
        if (made->empty())
            continue;
        if (options.keepObjects)
            code->objects.emplace_back(made->begin(), made->end());
        objects.push_back(
            std::make_unique<SmallVectorMemoryBuffer>(std::move(*made), "shapecast", false));
    }
    return link(s, *code, std::move(objects), entry, error) ? code : nullptr;
}

std::shared_ptr<CompiledCode> jitLink(ArrayRef<std::string> objects, StringRef entry,
                                      std::string &error) {
    Session &s = session();
    if (!s.error.empty()) {
        error = s.error;
        return nullptr;
    }
    std::lock_guard lock(s.mutex);
    auto code = std::make_shared<LinkedCode>();
    Objects copies;
    for (const std::string &object : objects)
        copies.push_back(MemoryBuffer::getMemBufferCopy(object, "shapecast"));
    return link(s, *code, std::move(copies), entry, error) ? code : nullptr;
}

const std::string &targetId() {
    static const std::string *id = [] {
        const TargetMachine *machine = session().machine.get();
        auto *made = new std::string("LLVM " LLVM_VERSION_STRING " glibc ");
        *made += gnu_get_libc_version();
        *made += toolsListen() ? " lines" : "";
        *made += " ";
        if (machine)
            *made += (machine->getTargetTriple().str() + " " + machine->getTargetCPU() + " " +
                      machine->getTargetFeatureString())
                         .str();
        return made;
    }();
    return *id;
}

} // namespace shapecast
