// The invariants of the IR at each level.
//
// Always:
// * every region of an np operation has one block, and np.return has the function's result types;
// * an operation occurs only between its first and its last level (table `lifespans`), those of
//   other dialects only from nests on (arith, math, ub).
// Captured:
// * every tensor-typed value is tensor<*x!np.any>, no value is an array;
// * every operation has a source location.
// From inferred to owned:
// * no any-typed value is left;
// * a tensor has rank >= 1 and #np.dims that agree with its shape;
// * every symbol in an attribute or type is bound and in scope: by an argument's dims, by np.symbol
//   (rest of its block), by np.for (its body); d<k> only in np.nest's maps;
// * no symbol is bound a second time where it is in scope;
// * types of results and block arguments may use symbols that an np.symbol binds from one of them;
// * np.if, np.for, np.while, np.keep_changes and np.return carry no tensors (their bodies may use
// some);
// * single operations: see verify_ops.cpp.
// From nests on: no tensor-typed value is left.
// From scheduled on: each np.nest has `order` and `groups` of the right sizes.
// Loops: only func, scf, cf, arith, math, ub and llvm operations, and nvvm in the module of
// kernels; LLVM: only the last two.
#include "ir/verify_level.h"
#include "ir/gather_index.h"
#include "ir/np.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast::np {
namespace {

struct Lifespan {
    StringLiteral names; // without "np."
    Level first, last;   // the levels at which they may occur
};

constexpr Lifespan lifespans[] = {
    {" func return const pyop truth print raise cast ufunc if yield while test next unbound call ",
     Level::Captured, Level::Owned},
    {" getitem setitem attr method tuple unpack slice inplace foreach check_bound "
     "closure apply global try ",
     Level::Captured, Level::Specialised},
    {" snapshot ", Level::Inferred, Level::Inferred},
    {" for symbol size require alloc view reshape reshape_any check_writeable diagonal windows "
     "reinterpret as_strided part load store native take entry set_entry append container_length "
     "text text_at keep_changes ",
     Level::Inferred, Level::Owned},
    {" read materialize assign broadcast splat iota reduce matmul ", Level::Inferred, Level::Typed},
    {" nest nest_yield index gemm ", Level::Nests, Level::Owned},
    {" all_hold ", Level::Checked, Level::Owned},
    {" retain release mark ", Level::Owned, Level::Owned},
};

std::optional<Lifespan> lifespanOf(Operation *op) {
    std::string word = (" " + op->getName().stripDialect() + " ").str();
    for (const Lifespan &lifespan : lifespans)
        if (lifespan.names.contains(word))
            return lifespan;
    return std::nullopt;
}

bool isForeignDialectAllowed(StringRef dialect, Level level) {
    if (dialect == "nvvm")
        return level >= Level::Loops;
    if (level == Level::LLVM)
        return dialect == "llvm";
    if (level >= Level::Loops)
        return llvm::is_contained({"builtin", "func", "scf", "cf", "arith", "math", "ub", "llvm"},
                                  dialect);
    return level >= Level::Nests && llvm::is_contained({"arith", "math", "ub"}, dialect);
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

// Tracks the scopes of symbols within one function.
class SymbolScopes {
public:
    LogicalResult verify(FuncOp func) {
        Block &body = func.getBody().front();
        // Arguments may share symbols: a dim that is a single symbol binds it, unless it is bound.
        for (Type type : body.getArgumentTypes())
            if (auto array = dyn_cast<ArrayType>(type))
                for (DimAttr dim : array.getDims())
                    if (dim.isSymbol() || func.getSymbolicSizes()) // f.infer(("2 * k",))
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
        // A versioned loop only yields its results: their sizes are bound after the np.if.
        bool onlyYielded = !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
            return isa<YieldOp>(user);
        });
        if (failed(verifyAttributes(op)) ||
            (!onlyYielded && failed(verifyTypes(op->getResults(), *op->getBlock(), op))))
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
            return name == gatherIndexName ||
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

    // Sizes that change in a loop or branch are bound from its results, or from its body's
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

//===-- Single operations by level

LogicalResult verifyPresence(Operation *op, Level level) {
    if (isa<ModuleOp>(op))
        return success();
    StringRef dialect = op->getName().getDialectNamespace();
    std::optional<Lifespan> lifespan;
    if (dialect == "np")
        lifespan = lifespanOf(op);
    bool allowed = lifespan ? lifespan->first <= level && level <= lifespan->last
                            : isForeignDialectAllowed(dialect, level);
    if (!allowed)
        return op->emitOpError("is not allowed at the level ") << levelName(level) << " of the IR";
    if (dialect == "np")
        for (Region &region : op->getRegions())
            if (!region.hasOneBlock())
                return op->emitOpError("has a region of ")
                       << region.getBlocks().size() << " blocks, not one";
    return success();
}

LogicalResult verifyTypesCaptured(Operation *op) {
    if (!op->getLoc()->findInstanceOf<FileLineColRange>() && !isa<ModuleOp>(op))
        return op->emitOpError("has no source location");
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

LogicalResult verifyTypesInferred(Operation *op, Level level) {
    return forEachType(op, [&](Type type) -> LogicalResult {
        auto tensor = dyn_cast<TensorType>(type);
        if (!tensor)
            return success();
        if (level >= Level::Nests)
            return op->emitOpError("has a value of type ") << type << " after nests were formed";
        return verifyTensorType(op, tensor);
    });
}

LogicalResult verifyTensorUse(Operation *op) {
    bool forwards = isa<ReturnOp, KeepChangesOp, YieldOp, NextOp, TestOp, IfOp, ForOp, WhileOp>(op);
    bool carries = op->getNumRegions() > 0 && !isa<NestOp>(op);
    for (Type type : op->getOperandTypes())
        if (forwards && isa<TensorType>(type))
            return op->emitOpError("passes on an array value: materialise it");
    LogicalResult ok = success();
    if (carries)
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
        return op.emitOpError("returns other types than its function declares");
    return success();
}

LogicalResult verifyOp(Operation *op, Level level) {
    if (failed(verifyPresence(op, level)))
        return failure();
    if (auto ret = dyn_cast<ReturnOp>(op))
        if (failed(verifyReturn(ret)))
            return failure();
    if (level == Level::Captured)
        return verifyTypesCaptured(op);
    if (level < Level::Inferred || level >= Level::Loops)
        return success();
    if (failed(verifyTypesInferred(op, level)) || failed(verifyTensorUse(op)) ||
        failed(verifyOpFacts(op)))
        return failure();
    auto nest = dyn_cast<NestOp>(op);
    return nest && level >= Level::Scheduled ? verifySchedule(nest) : success();
}

struct VerifyLevelPass : PassWrapper<VerifyLevelPass, OperationPass<ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyLevelPass)
    VerifyLevelPass() = default;
    VerifyLevelPass(const VerifyLevelPass &other) : PassWrapper(other) { level = other.level; }
    explicit VerifyLevelPass(Level known) { level = levelName(known).str(); }

    StringRef getArgument() const final { return "np-verify"; }
    StringRef getDescription() const final {
        return "verifies the invariants of a level of the IR";
    }
    void runOnOperation() final {
        auto *found = llvm::find(levelNames, StringRef(level));
        if (found == std::end(levelNames)) {
            getOperation()->emitError("no level of the IR is named ") << level;
            return signalPassFailure();
        }
        if (failed(verifyLevel(getOperation(), Level(found - std::begin(levelNames)))))
            signalPassFailure();
        markAllAnalysesPreserved();
    }

    Option<std::string> level{*this, "level", llvm::cl::desc("the level of the IR"),
                              llvm::cl::init("typed")};
};

} // namespace

LogicalResult verifyLevel(Operation *module, Level level) {
    bool ok = true;
    module->walk([&](Operation *op) { ok &= succeeded(verifyOp(op, level)); });
    if (ok && level >= Level::Inferred && level < Level::Loops)
        module->walk([&](FuncOp func) { ok &= succeeded(SymbolScopes().verify(func)); });
    return success(ok);
}

std::unique_ptr<Pass> createVerifyLevel(Level level) {
    return std::make_unique<VerifyLevelPass>(level);
}

void registerVerifyLevel() { PassRegistration<VerifyLevelPass>(); }

} // namespace shapecast::np
