// np-inline: inlines every call of a captured function.
//
// Before: one public entry, private callees; bodies are single blocks that end in np.return.
// After: no call of an np.func is left, except of recursive ones and with arguments that do not
// bind; these, and functions that are values (np.closure), stay for np-infer, the others are
// erased. Each argument passes through an np.cast to the parameter's type (Python binds keywords
// and defaults here); locations are call-site chains. Calls of NumPy's ufuncs have become np.ufunc;
// other NumPy functions stay np.call for np-infer. Calls of functions that share their code
// (shared_functions.h) stay too: np-infer compiles them once for all calls with the same types.
#include "passes/frontend/inline.h"
#include "ir/np.h"
#include "ops/ufunc/ufunc.h"
#include "passes/frontend/methods.h"
#include "passes/frontend/shared_functions.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// A call of a captured function: direct, or of a closure whose np.closure is visible.
struct KnownCall {
    Operation *op;
    FuncOp callee;
    CallArguments<Value> arguments;
};

struct Inliner {
    ModuleOp module;

    LogicalResult run() {
        SymbolTable symbols(module);
        markSharedFunctions(module, symbols);
        for (FuncOp func : llvm::make_early_inc_range(module.getOps<FuncOp>())) {
            if (func.isPublic() && failed(inlineInto(&func.getBody().front(), symbols)))
                return failure();
        }
        dropUnused(symbols);
        return success();
    }

    LogicalResult inlineInto(Block *block, SymbolTable &symbols);
    LogicalResult inlineCall(const KnownCall &call, SymbolTable &symbols);
    void dropUnused(SymbolTable &symbols);
};

} // namespace

llvm::SetVector<FuncOp> shapecast::reachableFrom(FuncOp func) {
    llvm::SetVector<FuncOp> reached;
    auto add = [&](FuncOp from) {
        from->walk([&](Operation *op) {
            if (auto callee = calleeOf(op))
                if (auto named = SymbolTable::lookupNearestSymbolFrom<FuncOp>(func, callee))
                    reached.insert(named);
        });
    };
    add(func);
    for (size_t k = 0; k < reached.size(); ++k)
        add(reached[k]);
    return reached;
}

Value shapecast::constantValue(OpBuilder &builder, Location loc, Attribute attr) {
    MLIRContext *ctx = builder.getContext();
    Type type = isa<BoolAttr>(attr)      ? Type(PyBoolType::get(ctx))
                : isa<IntegerAttr>(attr) ? Type(PyIntType::get(ctx))
                : isa<FloatAttr>(attr)   ? Type(PyFloatType::get(ctx))
                : isWideInt(attr)        ? Type(PyWideIntType::get(ctx))
                                         : Type(StaticType::get(ctx));
    return ConstOp::create(builder, loc, type, attr);
}

static void addArguments(CallArguments<Value> &arguments, OperandRange operands,
                         std::optional<ArrayAttr> kw) {
    size_t named = kw ? kw->size() : 0;
    llvm::append_range(arguments.positional, operands.drop_back(named));
    llvm::append_range(arguments.named, operands.take_back(named));
    for (Attribute name : kw ? kw->getValue() : ArrayRef<Attribute>())
        arguments.names.push_back(cast<StringAttr>(name).getValue());
}

static bool makesFunctions(FuncOp func) {
    return func->walk([](ClosureOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

// Whether a function with late-bound variables may escape through the call: one that is an
// argument, or that such a one makes. np-infer checks these calls.
static bool mayLetEscape(Operation *op, FuncOp callee) {
    for (OpOperand &operand : op->getOpOperands()) {
        ClosureOp closure = definingClosure(operand.get());
        const bool called = isa<ApplyOp>(op) && operand.getOperandNumber() == 0;
        if (closure && (called ? closure.getAssignedLater() && makesFunctions(callee)
                               : closure.getAssignedBelow()))
            return true;
    }
    return false;
}

static std::optional<KnownCall> knownCall(Operation *op, SymbolTable &symbols) {
    KnownCall known{op, {}, {}};
    auto called = dyn_cast<CallOp>(op);
    auto applied = dyn_cast<ApplyOp>(op);
    ArrayAttr kw = called ? called.getKwAttr() : applied ? applied.getKwAttr() : ArrayAttr();
    if (kw && llvm::is_contained(kw, StringAttr::get(op->getContext(), "**")))
        return std::nullopt; // only np-infer knows the names
    if (called) {
        known.callee = symbols.lookup<FuncOp>(called.getCallee());
        addArguments(known.arguments, called.getArgs(), called.getKw());
    } else if (applied && !applied.getStarredAttr()) {
        ClosureOp closure = definingClosure(applied.getFunction());
        if (!closure)
            return std::nullopt;
        known.callee = symbols.lookup<FuncOp>(closure.getCallee());
        llvm::append_range(known.arguments.captured, closure.getCaptured());
        llvm::append_range(known.arguments.defaults, closure.getDefaults());
        addArguments(known.arguments, applied.getArgs(), applied.getKw());
    }
    if (!known.callee || mayLetEscape(op, known.callee))
        return std::nullopt;
    return known;
}

LogicalResult Inliner::inlineCall(const KnownCall &call, SymbolTable &symbols) {
    FuncOp callee = call.callee;
    Operation *op = call.op;
    if (callee.getNoinline() || callee.getGenerator() || isRecursive(callee))
        return success();
    OpBuilder builder(op);
    auto constant = [&](Attribute attr) { return constantValue(builder, op->getLoc(), attr); };
    auto tuple = [&](ArrayRef<Value> items) -> Value {
        return TupleOp::create(builder, op->getLoc(), anyTensor(op->getContext()), items,
                               UnitAttr());
    };
    auto dict = [&](ArrayRef<StringRef> names, ArrayRef<Value> values) -> Value {
        SmallVector<Value> elements;
        for (auto [name, value] : llvm::zip_equal(names, values)) {
            auto key = PyAttr::get(op->getContext(), "str", name);
            elements.append({constantValue(builder, op->getLoc(), key), value});
        }
        auto made = TupleOp::create(builder, op->getLoc(), anyTensor(op->getContext()), elements,
                                    UnitAttr());
        made.setDictAttr(builder.getUnitAttr());
        return made;
    };
    SmallVector<Value> arguments;
    if (bindCall<Value>(callee, call.arguments, {constant, tuple, dict}, arguments))
        return success(); // np-infer raises the TypeError, where control reaches it
    IRMapping map;
    for (auto [parameter, value] : llvm::zip_equal(callee.getArguments(), arguments))
        map.map(parameter, CastOp::create(builder, op->getLoc(), parameter.getType(), value));
    Block scratch;
    OpBuilder into(op->getContext());
    into.setInsertionPointToEnd(&scratch);
    for (Operation &inner : callee.getBody().front())
        into.clone(inner, map);
    scratch.walk(
        [&](Operation *inner) { inner->setLoc(CallSiteLoc::get(inner->getLoc(), op->getLoc())); });
    LogicalResult nested = inlineInto(&scratch, symbols);
    Operation *end = &scratch.back();
    Value result = cast<ReturnOp>(end).getValues()[0];
    op->getResult(0).replaceAllUsesWith(result);
    end->erase();
    op->getBlock()->getOperations().splice(op->getIterator(), scratch.getOperations());
    op->erase();
    return nested;
}

LogicalResult Inliner::inlineInto(Block *block, SymbolTable &symbols) {
    SmallVector<Operation *> calls;
    block->walk([&](Operation *op) {
        if (isa<CallOp, ApplyOp>(op))
            calls.push_back(op);
    });
    for (Operation *op : calls) {
        if (std::optional<KnownCall> known = knownCall(op, symbols)) {
            if (failed(inlineCall(*known, symbols)))
                return failure();
            continue;
        }
        auto call = dyn_cast<CallOp>(op);
        StringRef name = call ? call.getCallee() : "";
        if (!name.consume_front("numpy.") || !findUfunc(name) ||
            llvm::is_contained({"where", "clip", "real", "imag"}, name))
            continue;
        OpBuilder builder(call);
        auto ufunc =
            UfuncOp::create(builder, call.getLoc(), call.getType(), builder.getStringAttr(name),
                            call.getArgs(), StringAttr(), call.getKwAttr());
        call.getResult().replaceAllUsesWith(ufunc.getResult());
        call.erase();
    }
    return success();
}

// Erases unused closures and functions.
void Inliner::dropUnused(SymbolTable &symbols) {
    module->walk<WalkOrder::PostOrder, ReverseIterator>([](ClosureOp closure) {
        while (closure->use_empty() == false && llvm::all_of(closure->getUsers(), [](Operation *u) {
                   return isa<CastOp>(u) && u->use_empty();
               }))
            (*closure->user_begin())->erase();
        if (closure->use_empty())
            closure->erase();
    });
    llvm::DenseSet<Operation *> needed;
    SmallVector<FuncOp> work;
    for (FuncOp func : module.getOps<FuncOp>())
        if (func.isPublic())
            work.push_back(func);
    for (const auto &[name, method] : methodsOf(module))
        work.push_back(symbols.lookup<FuncOp>(method.getSymbol().getAttr()));
    while (!work.empty())
        if (FuncOp func = work.pop_back_val(); needed.insert(func).second) {
            if (auto iterator = func.getIteratorAttr())
                work.push_back(symbols.lookup<FuncOp>(iterator.getAttr()));
            func->walk([&](Operation *op) {
                if (auto callee = calleeOf(op))
                    if (FuncOp function = symbols.lookup<FuncOp>(callee.getAttr()))
                        work.push_back(function);
            });
        }
    for (FuncOp func : llvm::make_early_inc_range(module.getOps<FuncOp>()))
        if (!needed.contains(func))
            func.erase();
}

LogicalResult shapecast::inlineCalls(ModuleOp module) {
    Inliner inliner;
    inliner.module = module;
    return inliner.run();
}
