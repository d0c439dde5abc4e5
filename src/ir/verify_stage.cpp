// The invariants of the IR after each stage of the pipeline.
//
// Always:
// * every region of an np operation has one block, and np.return has the function's result types;
// * an operation stands only between its first and its last stage (table `lifespans`), those of
//   other dialects only from nests on (arith, math, ub).
// After capture:
// * every tensor-typed value is tensor<*x!np.any>, no value is an array;
// * every operation has a place in a source file.
// After infer, and until loops:
// * no any-typed value is left;
// * a tensor has rank >= 1 and #np.dims that agree with its shape;
// * every symbol in an attribute or type is bound and in scope: by an argument's dims, by np.symbol
//   (rest of its block), by np.for (its body); d<k> only in np.nest's maps;
// * no symbol is bound a second time where it is in scope;
// * types of results and block arguments may use symbols that an np.symbol binds from one of them;
// * np.if, np.for, np.while and np.return carry no tensors (one may be used inside);
// * single operations: see verify_ops.cpp.
// After nests: no tensor-typed value is left.
// After schedule: each np.nest has `order` and `groups` of the right sizes.
// After loops: only func, scf, cf, arith, math, ub and llvm operations; after llvm only the last.
// After kernels, which stands for loops on devices: these and nvvm, which stays after llvm.
#include "ir/verify_stage.h"
#include "ir/anywhere.h"
#include "ir/np.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast::np {
namespace {

enum class Stage {
    Capture,
    Specialise,
    Inline,
    Infer,
    Simplify,
    Promote,
    Blocks,
    Nests,
    Schedule,
    Strips,
    Scans,
    Gathers,
    Checks,
    Lifetime,
    Wavefront,
    Parallel,
    Loops,
    Kernels, // instead of Loops, on devices
    LLVM,
};

constexpr StringLiteral stageNames[] = {
    "capture",   "specialise", "inline", "infer",   "simplify", "promote", "blocks",
    "nests",     "schedule",   "strips", "scans",   "gathers",  "checks",  "lifetime",
    "wavefront", "parallel",   "loops",  "kernels", "llvm"};

struct Lifespan {
    StringLiteral names; // without "np."
    Stage first, last;   // the first and the last stage after which they may stand in the IR
};

constexpr Lifespan lifespans[] = {
    {" func return const pyop truth print raise cast ufunc if yield while test next unbound call ",
     Stage::Capture, Stage::Parallel},
    {" getitem setitem attr method tuple unpack slice inplace foreach check_bound "
     "closure apply global attempt ",
     Stage::Capture, Stage::Inline},
    {" for symbol size require alloc view reshape reshape_any check_writeable diagonal windows "
     "reinterpret as_strided part load store native take ",
     Stage::Infer, Stage::Parallel},
    {" read materialize assign broadcast splat iota reduce matmul ", Stage::Infer, Stage::Blocks},
    {" nest nest_yield index gemm ", Stage::Nests, Stage::Parallel},
    {" all_hold ", Stage::Checks, Stage::Parallel},
    {" retain release ", Stage::Lifetime, Stage::Parallel},
};

std::optional<Lifespan> lifespanOf(Operation *op) {
    std::string word = (" " + op->getName().stripDialect() + " ").str();
    for (const Lifespan &lifespan : lifespans)
        if (lifespan.names.contains(word))
            return lifespan;
    return std::nullopt;
}

bool isForeignDialectAllowed(StringRef dialect, Stage stage) {
    if (dialect == "nvvm")
        return stage >= Stage::Kernels;
    if (stage == Stage::LLVM)
        return dialect == "llvm";
    if (stage >= Stage::Loops)
        return llvm::is_contained({"builtin", "func", "scf", "cf", "arith", "math", "ub", "llvm"},
                                  dialect);
    return stage >= Stage::Nests && llvm::is_contained({"arith", "math", "ub"}, dialect);
}

// The types of an op's results and of its regions' arguments.
template <typename Callback> LogicalResult forEachType(Operation *op, Callback callback) {
    for (Type type : op->getResultTypes())
        if (failed(callback(type)))
            return failure();
    for (Region &region : op->getRegions())
        for (Block &block : region)
            for (Type type : block.getArgumentTypes())
                if (failed(callback(type)))
                    return failure();
    return success();
}

//===-- Symbols

// Follows the scopes of symbols down one function.
class SymbolScopes {
public:
    LogicalResult verify(FuncOp func) {
        Block &body = func.getBody().front();
        // A second argument may have the first one's symbols: a dim that is one symbol binds it if
        // none did.
        for (Type type : body.getArgumentTypes())
            if (auto array = dyn_cast<ArrayType>(type))
                for (DimAttr dim : array.getDims())
                    if (dim.isSymbol() || func->hasAttr("of_specs")) // f.infer(("2 * k",))
                        dimSymbols(dim, [&](StringRef name) { bound.insert(name); });
        return verifyBlock(body, func);
    }

private:
    LogicalResult verifyBlock(Block &block, Operation *parent) {
        SmallVector<StringRef> here;
        LogicalResult ok = verifyTypes(block.getArguments(), block, parent);
        for (Operation &op : block) {
            if (failed(ok))
                break;
            ok = verifyOp(&op, here);
        }
        for (StringRef name : here)
            bound.erase(name);
        return ok;
    }

    LogicalResult verifyOp(Operation *op, SmallVectorImpl<StringRef> &here) {
        // A versioned loop only hands its results on: their sizes are bound where the np.if ends.
        bool handedOn = !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
            return isa<YieldOp>(user);
        });
        if (failed(verifyAttributes(op)) ||
            (!handedOn && failed(verifyTypes(op->getResults(), *op->getBlock(), op))))
            return failure();
        if (auto symbol = dyn_cast<SymbolOp>(op))
            return bind(op, symbol.getName(), here);
        SmallVector<StringRef> inside;
        if (auto loop = dyn_cast<ForOp>(op))
            if (failed(bind(op, loop.getVar(), inside)))
                return failure();
        LogicalResult ok = success();
        for (Region &region : op->getRegions())
            for (Block &block : region)
                if (succeeded(ok))
                    ok = verifyBlock(block, op);
        for (StringRef name : inside)
            bound.erase(name);
        return ok;
    }

    LogicalResult bind(Operation *op, StringRef name, SmallVectorImpl<StringRef> &here) {
        if (!bound.insert(name).second)
            return op->emitOpError("binds symbol ") << name << ", which is bound already";
        here.push_back(name);
        return success();
    }

    LogicalResult checkDim(Operation *op, DimAttr dim, function_ref<bool(StringRef)> isExtra) {
        LogicalResult ok = success();
        dimSymbols(dim, [&](StringRef name) {
            if (failed(ok) || bound.contains(name) || isExtra(name))
                return;
            ok = op->emitOpError("uses symbol ") << name << ", which is not bound here";
        });
        return ok;
    }

    template <typename Tree>
    LogicalResult checkTree(Operation *op, Tree tree, function_ref<bool(StringRef)> isExtra) {
        WalkResult result = tree.template walk<WalkOrder::PreOrder>([&](Attribute attr) {
            auto dim = dyn_cast<DimAttr>(attr);
            if (!dim)
                return WalkResult::advance();
            return failed(checkDim(op, dim, isExtra)) ? WalkResult::interrupt()
                                                      : WalkResult::skip();
        });
        return failure(result.wasInterrupted());
    }

    LogicalResult verifyAttributes(Operation *op) {
        auto nest = dyn_cast<NestOp>(op);
        auto isIterator = [&](StringRef name) {
            unsigned index;
            return name == anywhereName ||
                   (name.consume_front("d") && !name.getAsInteger(10, index) &&
                    index < nest.getSpace().size());
        };
        for (NamedAttribute attr : op->getAttrDictionary().getValue()) {
            bool isMap = nest && (attr.getValue() == nest.getReadMaps() ||
                                  attr.getValue() == nest.getWriteMaps());
            LogicalResult ok =
                isMap ? checkTree(op, attr.getValue(), isIterator)
                      : checkTree(op, attr.getValue(), [](StringRef) { return false; });
            if (failed(ok))
                return failure();
        }
        return success();
    }

    // Sizes that a loop or branch carries along are bound from its results, or from its body's
    // arguments.
    template <typename Values>
    LogicalResult verifyTypes(Values values, Block &block, Operation *op) {
        auto isBoundFromThese = [&](StringRef name) {
            return llvm::any_of(block.getOps<SymbolOp>(), [&](SymbolOp symbol) {
                return symbol.getName() == name && llvm::is_contained(values, symbol.getValue());
            });
        };
        for (Value value : values)
            if (failed(checkTree(op, value.getType(), isBoundFromThese)))
                return failure();
        return success();
    }

    llvm::StringSet<> bound;
};

//===-- Single operations by stage

LogicalResult verifyPresence(Operation *op, Stage stage) {
    if (isa<ModuleOp>(op))
        return success();
    StringRef dialect = op->getName().getDialectNamespace();
    std::optional<Lifespan> lifespan;
    if (dialect == "np")
        lifespan = lifespanOf(op);
    bool allowed = lifespan ? lifespan->first <= stage && stage <= lifespan->last
                            : isForeignDialectAllowed(dialect, stage);
    if (!allowed)
        return op->emitOpError("does not belong into the IR after np-")
               << stageNames[static_cast<int>(stage)];
    if (dialect == "np")
        for (Region &region : op->getRegions())
            if (!region.hasOneBlock())
                return op->emitOpError("has a region of ")
                       << region.getBlocks().size() << " blocks, not one";
    return success();
}

LogicalResult verifyTypesCaptured(Operation *op) {
    if (!op->getLoc()->findInstanceOf<FileLineColRange>() && !isa<ModuleOp>(op))
        return op->emitOpError("has no place in a source file");
    return forEachType(op, [&](Type type) -> LogicalResult {
        if ((isa<TensorType>(type) && !isAny(type)) || isa<ArrayType>(type))
            return op->emitOpError("has a value of type ") << type << " before types are inferred";
        return success();
    });
}

LogicalResult verifyTensorType(Operation *op, TensorType type) {
    if (isAny(type))
        return op->emitOpError("has a value whose type was not inferred");
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (!ranked || ranked.getRank() == 0)
        return op->emitOpError("has a value of type ")
               << type << ": only rank 1 and above are values";
    if (type != valueType(valueDims(type), ranked.getElementType(), deviceOf(type)))
        return op->emitOpError("has a value of type ")
               << type << ", whose sizes and #np.dims disagree";
    return success();
}

LogicalResult verifyTypesInferred(Operation *op, Stage stage) {
    return forEachType(op, [&](Type type) -> LogicalResult {
        auto tensor = dyn_cast<TensorType>(type);
        if (!tensor)
            return success();
        if (stage >= Stage::Nests)
            return op->emitOpError("has a value of type ") << type << " after nests were formed";
        return verifyTensorType(op, tensor);
    });
}

LogicalResult verifyTensorUse(Operation *op) {
    bool passesOn = isa<ReturnOp, YieldOp, NextOp, TestOp, IfOp, ForOp, WhileOp>(op);
    bool takes = op->getNumRegions() > 0 && !isa<NestOp>(op);
    for (Type type : op->getOperandTypes())
        if (passesOn && isa<TensorType>(type))
            return op->emitOpError("hands on an array value: materialise it");
    LogicalResult ok = success();
    if (takes)
        ok = forEachType(op, [&](Type type) -> LogicalResult {
            if (isa<TensorType>(type))
                return op->emitOpError("carries an array value: materialise it");
            return success();
        });
    return ok;
}

LogicalResult verifySchedule(NestOp nest) {
    size_t parallel = nest.getSpace().size() - nest.getReduced();
    if (!nest.getOrder() || nest.getOrder()->size() != parallel)
        return nest.emitOpError("needs an order of ") << parallel << " parallel iterators";
    for (auto order : nest.getOrder()->getAsRange<StringAttr>())
        if (!llvm::is_contained({"any", "up", "down"}, order.getValue()))
            return nest.emitOpError("has no order named ") << order;
    size_t accesses = nest.getReads().size() + nest.getWrites().size();
    if (!nest.getGroups() || nest.getGroups()->size() != accesses)
        return nest.emitOpError("needs groups of ") << accesses << " accesses";
    return success();
}

LogicalResult verifyReturn(ReturnOp op) {
    auto func = op->getParentOfType<FuncOp>();
    if (func && func.getResultTypes() != op.getOperandTypes())
        return op.emitOpError("returns other types than its function says");
    return success();
}

LogicalResult verifyOp(Operation *op, Stage stage) {
    if (failed(verifyPresence(op, stage)))
        return failure();
    if (auto ret = dyn_cast<ReturnOp>(op))
        if (failed(verifyReturn(ret)))
            return failure();
    if (stage == Stage::Capture)
        return verifyTypesCaptured(op);
    if (stage < Stage::Infer || stage >= Stage::Loops)
        return success();
    if (failed(verifyTypesInferred(op, stage)) || failed(verifyTensorUse(op)) ||
        failed(verifyOpFacts(op)))
        return failure();
    auto nest = dyn_cast<NestOp>(op);
    return nest && stage >= Stage::Schedule ? verifySchedule(nest) : success();
}

struct VerifyStagePass : PassWrapper<VerifyStagePass, OperationPass<ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyStagePass)
    VerifyStagePass() = default;
    VerifyStagePass(const VerifyStagePass &other) : PassWrapper(other) { stage = other.stage; }
    explicit VerifyStagePass(std::string name) { stage = std::move(name); }

    StringRef getArgument() const final { return "np-verify"; }
    StringRef getDescription() const final {
        return "checks what a stage of the pipeline promises";
    }
    void runOnOperation() final {
        if (failed(verifyStage(getOperation(), stage)))
            signalPassFailure();
        markAllAnalysesPreserved();
    }

    Option<std::string> stage{*this, "stage", llvm::cl::desc("the stage that has just run"),
                              llvm::cl::init("infer")};
};

} // namespace

LogicalResult verifyStage(Operation *module, StringRef name) {
    auto *found = llvm::find(stageNames, name);
    if (found == std::end(stageNames))
        return module->emitError("no stage is named ") << name;
    auto stage = static_cast<Stage>(found - std::begin(stageNames));
    bool ok = true;
    module->walk([&](Operation *op) { ok &= succeeded(verifyOp(op, stage)); });
    if (ok && stage >= Stage::Infer && stage < Stage::Loops)
        module->walk([&](FuncOp func) { ok &= succeeded(SymbolScopes().verify(func)); });
    return success(ok);
}

std::unique_ptr<Pass> createVerifyStage(std::string stage) {
    return std::make_unique<VerifyStagePass>(std::move(stage));
}

void registerVerifyStage() { PassRegistration<VerifyStagePass>(); }

} // namespace shapecast::np
