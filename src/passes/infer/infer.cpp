// np-infer: arguments, hints, and the walk over the captured code, which dispatches on the
// operation.
#include "passes/infer/infer.h"

#include "facts/host_info.h"
#include "ir/error_names.h"
#include "ir/in_memory.h"
#include "ops/builder/cells.h"
#include "ops/builder/containers.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_arguments.h"
#include "ops/builder/heap_constants.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/numpy/functions_attributes.h"
#include "passes/frontend/inline.h"
#include "passes/infer/annotations.h"
#include "passes/infer/branches.h"
#include "passes/infer/callouts.h"
#include "passes/infer/calls.h"
#include "passes/infer/dict_views.h"
#include "passes/infer/enum_members.h"
#include "passes/infer/escapes.h"
#include "passes/infer/exceptions.h"
#include "passes/infer/for_loops.h"
#include "passes/infer/functions.h"
#include "passes/infer/generators.h"
#include "passes/infer/heaps.h"
#include "passes/infer/instance_keys.h"
#include "passes/infer/intermediates.h"
#include "passes/infer/items_as_lists.h"
#include "passes/infer/items_in_turn.h"
#include "passes/infer/kept_changes.h"
#include "passes/infer/loops.h"
#include "passes/infer/object_states.h"
#include "passes/infer/objects.h"
#include "passes/infer/operations.h"
#include "passes/infer/python_objects.h"
#include "passes/infer/recursion.h"
#include "passes/infer/returns.h"
#include "passes/infer/snapshots.h"
#include "passes/infer/texts.h"
#include "passes/infer/try.h"
#include "passes/infer/unions.h"
#include "support/progress.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static std::vector<std::string> operandNotes(Inference &in);

Inference::Inference(FuncOp source, OpBuilder builder, Recursions &recursions, FuncOp callee,
                     Recursions::Function *recursion)
    : e(builder, source.getContext()), source(source), recursions(recursions),
      recursion(recursion) {
    e.mayMakeUnions = recursions.mayMakeUnions;
    e.isEntry = !recursion;
    e.heapSites = &recursions.heapSites;
    e.operandNotes = [this] { return operandNotes(*this); };
    e.branch = [this](const Val &condition, llvm::function_ref<Val(bool)> arm) {
        auto results = branch(*this, e.loc, condition,
                              [&](bool holds) { return SmallVector<Val>{arm(holds)}; });
        if (unreachable)
            throw Unreachable{};
        return results[0];
    };
    e.operatorOnHeap = [this](StringRef op, const Val &a, const Val &b) {
        if (a.kind == Val::Kind::Function && b.kind == Val::Kind::Function)
            return compareFunctions(*this, op, a, b);
        if (std::optional<Val> result = instanceOperator(*this, op, a, b))
            return *result;
        return *heapOperator(*this, op, {a, b});
    };
    e.equalEntry = [this](const Val &container, const Val &key) {
        return equalEntry(*this, container, key);
    };
    e.onKeyError = [this](const Val &key) { rememberKeyError(*this, key); };
    e.textByPython = [this](const Val &thunk) { return textByPython(*this, thunk); };
    e.callPython = [this](StringRef name, ArrayRef<Val> operands) {
        return callOut(*this, name, operands, {});
    };
    if (callee)
        callStack.push_back(callee);
}

Val &Inference::val(Value captured) {
    Val &v = env[captured];
    if (e.anyCellMutated)
        reloadCells(e, v);
    return v;
}

SmallVector<Val> Inference::vals(ValueRange captured) {
    return llvm::map_to_vector(captured, [&](Value v) { return val(v); });
}

static void readHints(Inference &in) {
    TypedBuilder &e = in.e;
    auto hintAttrs = in.source.getHintsAttr();
    for (auto [k, type] : llvm::enumerate(in.source.getArgumentTypes())) {
        Attribute hint = hintAttrs && k < hintAttrs.size() ? hintAttrs[k] : Attribute();
        auto sizes = dyn_cast_or_null<DenseI64ArrayAttr>(hint);
        if (auto array = dyn_cast<ArrayType>(type)) {
            for (auto [i, dim] : llvm::enumerate(array.getDims())) {
                dimSymbols(dim, [&](StringRef name) { e.facts.addSize(name); });
                e.facts.addGreaterEqual(dim, e.dimConst(0)); // may be an expression
                if (sizes && dim.isSymbol())
                    e.hints[dim.getName()] = sizes[i];
            }
        } else if (auto value = dyn_cast_or_null<IntegerAttr>(hint);
                   value && isa<PyIntType>(type)) {
            e.hints[("n" + Twine(k)).str()] = value.getInt();
        }
    }
    e.syntheticHints = in.source.getSymbolicSizes();
    if (auto forbidden = in.source.getForbiddenGuardsAttr())
        for (Attribute guard : forbidden)
            e.forbidden.push_back(cast<GuardAttr>(guard));
    if (auto failedAssumptions = in.source.getFailedAssumptionsAttr())
        for (auto site : failedAssumptions.getAsRange<StringAttr>())
            e.failedAssumptions.push_back(site.str());
}

// New arrays are allocated on the device of the arguments that are on one: arrays of the host
// beside them are small (bringTogether).
static StringAttr argumentsDevice(FuncOp func) {
    for (Type type : func.getArgumentTypes())
        if (StringAttr device = deviceOf(type))
            return device;
    return {};
}

// Of the entry: an array argument binds the symbols of its dims itself; the value of an int as k-th
// argument is the symbol n<k>.
static void bindArguments(Inference &in, FuncOp target) {
    TypedBuilder &e = in.e;
    e.device = argumentsDevice(target);
    for (auto [k, from, to] : llvm::enumerate(in.source.getArguments(), target.getArguments())) {
        if (isa<StaticType>(to.getType())) {
            in.env[from] = e.literal(in.source.getSignatureAttr()[k]);
            continue;
        }
        Val v;
        v.kind = Val::Kind::Typed;
        v.value = to;
        auto object = dyn_cast<ObjectType>(to.getType());
        if (StringRef form = object ? object.getName() : ""; form.consume_front(inMemoryPrefix)) {
            in.env[from] = argumentInMemory(e, unsigned(k), v, form);
            continue;
        }
        if (isa<PyIntType>(to.getType())) {
            v.dim = dimSymbol(e.ctx, ("n" + Twine(k)).str());
            SymbolOp::create(e.b, e.loc, e.b.getStringAttr(v.dim.getName()), to);
        }
        in.env[from] = v;
    }
    bindStates(in);
}

// Erases symbols that neither operations nor guards name, and pure ops without uses: only the
// inference needed them.
static void removeUnused(FuncOp func, ArrayRef<GuardAttr> guards) {
    llvm::StringSet<llvm::MallocAllocator> used;
    AttrTypeWalker symbols;
    symbols.addWalk(
        [&](DimAttr dim) { dimSymbols(dim, [&](StringRef name) { used.insert(name); }); });
    for (GuardAttr guard : guards)
        symbols.walk(guard);
    func->walk([&](Operation *op) {
        for (Type type : op->getResultTypes())
            symbols.walk(type);
        symbols.walk(op->getAttrDictionary());
        for (Region &region : op->getRegions())
            for (Block &block : region)
                for (Type type : block.getArgumentTypes())
                    symbols.walk(type);
    });
    func->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
        auto symbol = dyn_cast<SymbolOp>(op);
        bool dead = symbol ? !used.contains(symbol.getName()) : op != func && isOpTriviallyDead(op);
        if (dead && !isa<CastOp>(op))
            op->erase();
    });
}

// Without guards that the others imply (s0 >= 1 beside s0 >= 2).
static SmallVector<GuardAttr> withoutImplied(MLIRContext *ctx, SmallVector<GuardAttr> guards,
                                             FuncOp func) {
    for (size_t i = 0; i < guards.size();) {
        DimFacts facts(ctx);
        for (Type type : func.getArgumentTypes())
            if (auto array = dyn_cast<ArrayType>(type))
                for (DimAttr dim : array.getDims())
                    if (dim.isSymbol())
                        facts.addSize(dim.getName());
        for (auto [k, guard] : llvm::enumerate(guards))
            if (k != i && guard.getPred() == ">=")
                facts.addGreaterEqual(guard.getLhs(), guard.getRhs());
            else if (k != i && guard.getPred() == "==")
                facts.addEqual(guard.getLhs(), guard.getRhs());
        bool implied =
            guards[i].getPred() == ">="
                ? facts.greaterEqual(guards[i].getLhs(), guards[i].getRhs()) == Answer::Yes
            : guards[i].getPred() == "=="
                ? facts.equal(guards[i].getLhs(), guards[i].getRhs()) == Answer::Yes
                : false;
        implied ? (void)guards.erase(guards.begin() + i) : (void)++i;
    }
    return guards;
}

// Symbols that the guards make equal become one symbol everywhere but in the guards themselves.
static void unifySymbols(FuncOp func, ArrayRef<GuardAttr> guards) {
    DimFacts facts(func.getContext());
    for (Type argument : func.getArgumentTypes()) // their symbols are bound by the types alone
        if (auto array = dyn_cast<ArrayType>(argument))
            llvm::for_each(array.getDims(), [&](DimAttr dim) { facts.registerSymbols(dim); });
    for (GuardAttr guard : guards)
        if (guard.getPred() == "==")
            facts.addEqual(guard.getLhs(), guard.getRhs());
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](DimAttr dim) { return std::pair(facts.canonical(dim), WalkResult::skip()); });
    replacer.addReplacement(
        [&](RankedTensorType tensor) -> std::optional<std::pair<Type, WalkResult>> {
            if (!isa_and_nonnull<DimsAttr>(tensor.getEncoding()))
                return std::nullopt;
            Dims dims = llvm::map_to_vector<4>(valueDims(tensor),
                                               [&](DimAttr dim) { return facts.canonical(dim); });
            return std::pair<Type, WalkResult>(
                valueType(dims, tensor.getElementType(), deviceOf(tensor)), WalkResult::skip());
        });
    ArrayAttr signature = func.getSignatureAttr();
    replacer.recursivelyReplaceElementsIn(func, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
    if (signature)
        func.setSignatureAttr(signature);
    func.setGuardsAttr(
        ArrayAttr::get(func.getContext(), SmallVector<Attribute>(guards.begin(), guards.end())));
}

FuncOp Inference::run() {
    e.loc = source.getLoc();
    e.b.setInsertionPoint(source);
    FuncOp target = FuncOp::create(e.b, e.loc, source.getSymName(), source.getFunctionType());
    target.getProperties() = source.getProperties();
    target->setDiscardableAttrs(source->getDiscardableAttrDictionary());
    Block *entry = target.addEntryBlock();
    e.b.setInsertionPointToStart(entry);
    try {
        readHints(*this);
        bindArguments(*this, target);
        bindHeapConstants(*this);
        bindStatesInMemory(*this);
        checkAnnotations(*this);
        Block &body = source.getBody().front();
        walk(body);
        emitReturn(*this, cast<ReturnOp>(body.back()));
        if (e.isEntry && recursions.heapSites.isWider)
            throw HeapRequest{};
    } catch (...) {
        target->dropAllReferences();
        target.erase();
        throw;
    }
    keepNeededChanges(target);
    const SmallVector<GuardAttr> guards = withoutImplied(e.ctx, e.guards, source);
    removeUnused(target, guards);
    unifySymbols(target, guards);
    return target;
}

// A search in the module takes as long as it has functions, and there is one for each call.
FuncOp shapecast::functionNamed(const Inference &in, SymbolRefAttr symbol) {
    if (FuncOp known = in.recursions.captured.lookup(symbol.getLeafReference()))
        return known;
    return SymbolTable::lookupNearestSymbolFrom<FuncOp>(in.source, symbol);
}

FuncOp shapecast::capturedCallee(const Inference &in, CallOp call) {
    return functionNamed(in, call.getCalleeAttr());
}

bool shapecast::checksTypesFirst(Operation *op) {
    return isa<UfuncOp, PyOp, InplaceOp, GetItemOp, SetItemOp>(op);
}

constexpr int64_t maxVisitedOps = 300'000;
// Of code for the items of the caller's lists and dicts one by one, which may be in memory.
constexpr int64_t maxVisitedOfItems = 3000;
// Below that all is inlined: the code is faster, and the first call does not last long.
constexpr int64_t longInference = 2000;
constexpr unsigned maxNesting = 150, maxNestingOnLargeStack = 3000; // nesting of blocks

// Bounds the time and the stack depth of an inference.
static void countVisit(Inference &in, Operation *op) {
    auto end = [&](StringRef exception, const Twine &message) {
        Operation *site = in.unrolledLoop ? in.unrolledLoop : op;
        throw InferAborted{InferError{site->getLoc(), exception.str(), message.str(), {}}};
    };
    if (Progress::isCancelled())
        throw InferAborted{};
    const int64_t maxUnrolled =
        in.e.isEntry && in.source.getMemoryIsNext() ? maxVisitedOfItems : maxVisitedOps;
    if (++in.recursions.visitedOps > maxUnrolled && in.unrolledLoop)
        end("shapecast.UnsupportedError",
            "this loop is fully unrolled, since its items are of several types or their number is "
            "known when compiling, and comes to more than " +
                Twine(maxUnrolled) +
                " operations; iterate over an array, or over range(n), and store the results to an "
                "array");
    if (in.recursions.visitedOps > longInference &&
        in.recursions.sharing == Recursions::Sharing::NotYet) {
        in.recursions.sharing = Recursions::Sharing::Wanted;
        in.recursions.heapSites.isWider = true; // there is another attempt
    }
    if (in.recursions.visitedOps > maxVisitedOps)
        end("shapecast.UnsupportedError",
            "what the function calls comes to more than " + Twine(maxVisitedOps) +
                " operations with all calls inlined; use loops in place of calls");
    constexpr int64_t maxOfAllAttempts = 700'000; // twenty seconds
    if (++in.recursions.opsOfAllAttempts > maxOfAllAttempts)
        end("shapecast.UnsupportedError",
            "the types of this function are not found within " + Twine(maxOfAllAttempts) +
                " operations; jit the functions that it calls one by one");
    if (in.recursions.nestingDepth <=
        (Progress::isOnLargeStack() ? maxNestingOnLargeStack : maxNesting))
        return;
    if (!Progress::isOnLargeStack())
        end(needsLargeStack, "");
    end("shapecast.UnsupportedError", "blocks and calls that are nested more than " +
                                          Twine(maxNestingOnLargeStack) +
                                          " deep are not supported; use a loop");
}

bool shapecast::useWished(HeapSites &heap, const InferError &error) {
    bool isNew = false;
    for (unsigned number : error.heapSites)
        isNew |= !std::exchange(heap.sites[heap.root(number)].isUsed, true);
    return isNew;
}

// Where containers that a statement names have to be in memory, which they will be in the next
// attempt, this one goes on behind it, to find what else is needed.
static void visitOrLeaveOut(Inference &in, Operation &op) {
    auto visit = [&] {
        orRaise(in, [&] { in.visit(&op); }, checksTypesFirst(&op), /*whole=*/true);
    };
    HeapSites &heap = in.recursions.heapSites;
    if (!isa<SetItemOp, MethodOp, CallOp, ApplyOp>(op) || !op.use_empty())
        return visit();
    Attempt attempt(in);
    try {
        return visit();
    } catch (const HeapRequest &) {
        heap.isWider = true;
    } catch (const InferError &error) {
        const bool mayGoOn = !in.hasAlternatives && !in.skipEmptyLoops && !error.joinConflict &&
                             error.exception == "shapecast.UnsupportedError";
        if (!mayGoOn || !useWished(heap, error))
            throw;
        heap.isWider = true;
    }
    attempt.undo();
}

void Inference::walk(Block &block) {
    llvm::SaveAndRestore deeper(recursions.nestingDepth, recursions.nestingDepth + 1);
    for (Operation &op : block) {
        if (op.hasTrait<OpTrait::IsTerminator>() || unreachable)
            continue;
        countVisit(*this, &op);
        const ChangesKept kept(*this);
        visitOrLeaveOut(*this, op);
        kept.update();
    }
}

// Of arrays and numbers that are not constants; the source line shows the rest.
static std::vector<std::string> operandNotes(Inference &in) {
    TypedBuilder &e = in.e;
    std::vector<std::string> notes;
    bool known =
        in.currentOp && in.currentOp->getLoc() == e.loc; // else a loop continues after its body
    for (auto [i, operand] : llvm::enumerate(known ? in.currentOp->getOperands() : ValueRange())) {
        auto found = in.env.find(operand);
        if (found != in.env.end() && found->second.isTyped() && !found->second.attr)
            notes.push_back("{" + std::to_string(i) + "}: " + found->second.describe());
    }
    return notes;
}

// Whether all that is done with the list of a comprehension is that one around it goes on with it.
static bool goesToComprehension(Value list) {
    return llvm::all_of(list.getUses(), [](OpOperand &use) {
        Operation *user = use.getOwner();
        if (isa<NextOp>(user)) {
            auto around = dyn_cast<ForEachOp>(user->getParentOp());
            return around && around.getUnroll();
        }
        auto branch = isa<YieldOp>(user) ? dyn_cast<IfOp>(user->getParentOp()) : IfOp();
        return branch && goesToComprehension(branch.getResult(use.getOperandNumber()));
    });
}

// A list that a comprehension is building: no variable refers to it yet.
static bool isComprehensionList(Value list) {
    Operation *op = list.getDefiningOp();
    if (auto append = dyn_cast_or_null<PyOp>(op))
        return append.getOp() == "append";
    if (auto branch = dyn_cast_or_null<IfOp>(op)) {
        auto yield = cast<YieldOp>(branch.getThenRegion().front().back());
        return isComprehensionList(yield.getValues()[cast<OpResult>(list).getResultNumber()]);
    }
    auto loop = dyn_cast_or_null<ForEachOp>(op);
    return loop && loop.getUnroll() && goesToComprehension(list);
}

static void visitKind(Inference &in, Operation *op) {
    llvm::SaveAndRestore kept(in.e.isIntermediate, isIntermediate(op));
    llvm::SaveAndRestore low(in.e.isBelowWideMask, isBelowWideMask(in, op));
    auto define = [&](Val v) { in.env[op->getResult(0)] = std::move(v); };
    TypeSwitch<Operation *>(op)
        .Case([&](ConstOp o) { visitConst(in, o); })
        .Case([&](CastOp o) { visitCast(in, o); })
        .Case([&](CallOp o) { visitCall(in, o); })
        .Case([&](UfuncOp o) { visitUfunc(in, o); })
        .Case([&](PyOp o) { visitPyOp(in, o); })
        .Case([&](InplaceOp o) {
            const Val target = in.val(o.getTarget());
            const Val given = in.val(o.getValue());
            const bool isOfSets = target.className() == "set" && isKeysOrItems(given);
            const Val value =
                isOfSets ? in.callNamed("builtins.set", {given}, {}) : withoutView(in.e, given);
            if (isHeap(target))
                return define(heapInplace(in, o.getOp(), target, value));
            define(inplace(in.e, o.getOp(), target, value));
        })
        .Case([&](TruthOp o) { define(truth(in.e, in.val(o.getValue()))); })
        .Case([&](SliceOp o) {
            Val slice;
            slice.kind = Val::Kind::Slice;
            slice.items = {in.val(o.getLo()), in.val(o.getHi()), in.val(o.getStep())};
            define(std::move(slice));
        })
        .Case([&](GetItemOp o) { visitGetItem(in, o); })
        .Case([&](SetItemOp o) { visitSetItem(in, o); })
        .Case([&](AttrOp o) {
            std::optional<Val> found = attributeOfFunction(in, in.val(o.getBase()), o.getName());
            if (!found)
                found = boundBuiltInMethod(in, in.val(o.getBase()), o.getName());
            define(found ? *found : attribute(in.e, in.val(o.getBase()), o.getName()));
        })
        .Case([&](MethodOp o) { visitMethod(in, o); })
        .Case([&](ClosureOp o) { visitClosure(in, o); })
        .Case([&](ApplyOp o) { visitApply(in, o); })
        .Case([&](GlobalOp o) { visitGlobal(in, o); })
        .Case([&](TupleOp o) { visitTuple(in, o); })
        .Case([&](UnpackOp o) { visitUnpack(in, o); })
        // A loop's return value, before any `return` was visited, is never read: it joins with all.
        .Case([&](UnboundOp o) { define(o.getName() == "return value" ? in.e.neverVal() : Val()); })
        .Case([&](CheckBoundOp o) { visitCheckBound(in, o); })
        .Case([&](PrintOp o) { visitPrint(in, o); })
        .Case([&](RaiseOp o) { visitRaise(in, o); })
        .Case([&](IfOp o) { visitIf(in, o); })
        .Case([&](TryOp o) { visitAttempt(in, o); })
        .Case([&](ForEachOp o) { visitForEach(in, o); })
        .Case([&](WhileOp o) { visitWhile(in, o); })
        .Default([&](Operation *o) {
            in.e.unsupported("the operation " + o->getName().getStringRef());
        });
}

void Inference::visit(Operation *op) {
    e.loc = op->getLoc();
    currentOp = op;
    auto define = [&](Val v) { env[op->getResult(0)] = std::move(v); };
    e.heapWishes.clear();
    e.globalWishes.clear();
    e.wishesHeapArgument = false;
    const unsigned place = recursions.heapSites.place = places.lookup(op);
    if (std::optional<Val> result = visitPythonObject(*this, op)) {
        if (op->getNumResults())
            define(std::move(*result));
        return;
    }
    if (std::optional<Val> result = visitException(*this, op))
        return define(std::move(*result));
    const TextsInMemory texts(*this, op);
    if (std::optional<Val> result = visitMember(*this, op))
        return define(std::move(*result));
    const MembersAsValues values(*this, op);
    if (visitUnionOperand(*this, op))
        return;
    if (auto call = dyn_cast<CallOp>(op); call && call.getCallee() == "builtins.zip")
        if (std::optional<Val> made = zipInTurn(*this, call))
            return define(std::move(*made));
    if (std::optional<Val> result = visitDictView(*this, op))
        return define(std::move(*result));
    const ViewsAsItems shown(*this, op);
    const ItemsAsLists lists(*this, op);
    const bool passesFunction = llvm::any_of(op->getOperands(), [](Value v) {
        ClosureOp function = definingClosure(v);
        return function && function.getAssignedBelow();
    });
    const Changes before = passesFunction ? changesNow(*this) : Changes();
    if (std::optional<Val> made = visitObject(*this, op)) {
        if (op->getNumResults())
            define(std::move(*made));
    } else {
        visitKind(*this, op);
    }
    e.loc = op->getLoc();
    recursions.heapSites.place = place;
    if (isa<CallOp>(op) && !unreachable && env.contains(op->getResult(0)))
        define(iteratorAt(*this, Val(env[op->getResult(0)])));
    for (Value result : op->getResults())
        if (auto made = env.find(result); made != env.end() && !isComprehensionList(result)) {
            // The results of a branch or loop are values from inside, erased where that raised.
            if (!unreachable && op->getNumRegions() == 0)
                made->second = withSimpleSizes(e, made->second);
            e.loc = op->getLoc();
            recursions.heapSites.place = place;
            if (isContainer(made->second) && !made->second.cell)
                if (std::optional<Val> heap = heapAtSite(e, made->second))
                    made->second = std::move(*heap);
            allocateCells(e, made->second);
        }
    if (passesFunction && !unreachable && isa<CallOp, ApplyOp, MethodOp>(op))
        refuseEscaping(*this, vals(op->getResults()), before);
}

namespace {

// Whether it may be supported with containers in memory, which the next attempt then has.
bool useHeaps(Recursions &recursions, const InferError &error) {
    if (!useWished(recursions.heapSites, error))
        return false;
    recursions.clear();
    recursions.visitedOps = 0;
    return true;
}

// A conflict of types before and after a loop is resolved by a guard that the loop has no
// iterations, if so; only then, since the guard costs another variant. The last resort are unions,
// for which every operation is emitted once per alternative.
void inferEntry(FuncOp entry, Recursions &recursions) {
    auto attempt = [&](bool skipEmptyLoops) {
        Inference infer(entry, OpBuilder(entry.getContext()), recursions);
        infer.skipEmptyLoops = skipEmptyLoops;
        FuncOp typed;
        try {
            typed = infer.run();
        } catch (const InferError &error) { // perhaps only of what was not known yet
            if (!recursions.heapSites.isWider)
                throw;
            if (!error.joinConflict)
                useHeaps(recursions, error);
            throw HeapRequest{};
        } catch (const StaticArgumentRequest &) {
            if (recursions.heapSites.isWider)
                throw HeapRequest{};
            throw;
        }
        std::optional<InferError> error = snapshotError(typed);
        if (error && !error->heapSites.empty()) {
            typed.erase();
            throw *error;
        }
    };
    try {
        return attempt(false);
    } catch (const InferError &error) {
        if (!error.joinConflict)
            throw;
        recursions.clear();
        std::optional<InferError> withHeaps, last;
        for (bool differ : {false, true}) {
            recursions.mayMakeUnions = differ;
            try {
                return attempt(!differ);
            } catch (const InferError &other) {
                if (other.exception != "shapecast.UnsupportedError")
                    throw;
                recursions.clear();
                last = other;
                if (!other.heapSites.empty())
                    withHeaps = other;
            }
        }
        recursions.mayMakeUnions = false;
        if (withHeaps && error.heapSites.empty())
            throw InferError(*withHeaps);
        if (last && !last->joinConflict && error.heapSites.empty())
            throw InferError(*last); // what is not supported where variables may be of any kinds
        throw;
    }
}

void setStaticArguments(ModuleOp module, ArrayRef<int32_t> parameters) {
    MLIRContext *ctx = module.getContext();
    NpDialect::StaticArgumentsAttrHelper(ctx).setAttr(module,
                                                      DenseI32ArrayAttr::get(ctx, parameters));
}

// Whether it may be supported with all calls inlined, which the next attempt then has.
bool inlineAll(Recursions &recursions, const InferError &error) {
    if (!recursions.sharesCode || recursions.sharing == Recursions::Sharing::Refused ||
        error.exception != "shapecast.UnsupportedError")
        return false;
    recursions.sharing = Recursions::Sharing::Refused;
    HeapSites none;
    none.tupleForm = recursions.heapSites.tupleForm;
    none.listsRecursive = recursions.heapSites.listsRecursive;
    recursions.heapSites = std::move(none);
    recursions.clear();
    recursions.visitedOps = recursions.heapAttempts = 0;
    return true;
}

// Whether it may be supported with lists of what recursive generators give.
bool listGenerators(Recursions &recursions, const InferError &error) {
    if (error.exception != "shapecast.UnsupportedError" ||
        !refuseRecursiveIterators(recursions.heapSites))
        return false;
    recursions.clear();
    recursions.visitedOps = recursions.heapAttempts = 0;
    return true;
}

// Whether it may be supported with tuples as objects in memory, for which the program is captured
// once more.
bool asksForTuples(FuncOp func, Recursions &recursions, const InferError &error) {
    const bool asks = recursions.heapSites.wantsTuples && recursions.heapSites.tupleForm.empty() &&
                      error.exception == "shapecast.UnsupportedError";
    if (asks)
        setStaticArguments(func->getParentOfType<ModuleOp>(), {requestsTuplesInMemory});
    return asks;
}

using Slots = std::vector<std::pair<Slot, bool>>;

// What is known of the containers in memory.
Slots slotsOf(const HeapSites &heap) {
    Slots slots;
    for (const HeapSites::Site &site : heap.sites)
        slots.emplace_back(heapPairSlot(site.key, site.value), site.isUsed);
    return slots;
}

// Repeated where something in a branch is unsupported: it becomes an error raised there.
LogicalResult inferOrRefuse(FuncOp func, Recursions &recursions) {
    constexpr unsigned maxUnsupported = 16;
    Slots known;
    unsigned withoutNews = 0; // attempts after which nothing was known that had not been
    for (;;) {
        try {
            inferEntry(func, recursions);
            return success();
        } catch (const InferError &error) {
            if (useHeaps(recursions, error))
                continue;
            if (!error.globals.empty()) {
                setStaticArguments(func->getParentOfType<ModuleOp>(), error.globals);
                if (!recursions.defersRefusals)
                    return error.report();
            }
            if (error.needsTuplesInMemory) { // the error stays where they are already
                setStaticArguments(func->getParentOfType<ModuleOp>(), {requestsTuplesInMemory});
                return error.report();
            }
            if (inlineAll(recursions, error))
                continue;
            if (asksForTuples(func, recursions, error))
                return error.report();
            if (listGenerators(recursions, error))
                continue;
            if (!error.inArm || recursions.unsupportedLocations.size() >= maxUnsupported ||
                !recursions.unsupportedLocations.insert(error.loc).second)
                return error.report();
            recursions.clear();
            recursions.visitedOps = 0;
        } catch (const StaticArgumentRequest &request) {
            setStaticArguments(func->getParentOfType<ModuleOp>(), request.parameters);
            return failure();
        } catch (const HeapRequest &) {
            constexpr unsigned mostAttempts = 200, mostWithoutNews = 4;
            Slots now = slotsOf(recursions.heapSites);
            withoutNews = now == known ? withoutNews + 1 : 0;
            known = std::move(now);
            if (++recursions.heapAttempts > mostAttempts || withoutNews > mostWithoutNews)
                return InferError{func.getLoc(),
                                  "shapecast.UnsupportedError",
                                  "the containers of this function hold items of ever new kinds; "
                                  "use items of one kind",
                                  {}}
                    .report();
            recursions.clear();
            recursions.visitedOps = 0;
        } catch (const InferAborted &end) {
            if (end.error)
                asksForTuples(func, recursions, *end.error);
            return end.error ? end.error->report() : failure();
        }
    }
}

} // namespace

LogicalResult shapecast::inferTypes(ModuleOp module) {
    Recursions recursions;
    if (llvm::any_of(module.getOps<FuncOp>(), [](FuncOp func) { return !!func.getNoinline(); }))
        recursions.sharing = Recursions::Sharing::NotYet;
    recursions.defersRefusals =
        !NpDialect::RefusesAttrHelper(module.getContext()).isAttrPresent(module);
    if (const DictionaryAttr members =
            NpDialect::MethodsAttrHelper(module.getContext()).getAttr(module))
        if (auto form = members.getAs<StringAttr>(tuplesInMemory))
            recursions.heapSites.tupleForm = form.str();
    for (FuncOp func : llvm::make_early_inc_range(module.getOps<FuncOp>())) {
        if (!func.isPublic()) // a function that is a value, or recursive
            continue;
        for (FuncOp captured : module.getOps<FuncOp>())
            recursions.captured[captured.getSymNameAttr()] = captured;
        if (failed(inferOrRefuse(func, recursions)))
            return failure();
        recursions.captured.clear();
        recursions.readsGlobals.clear();
        func.erase();
    }
    llvm::DenseSet<Operation *> called;
    for (FuncOp func : module.getOps<FuncOp>())
        if (func.isPublic())
            for (FuncOp reached : reachableFrom(func))
                called.insert(reached);
    for (FuncOp func : llvm::make_early_inc_range(module.getOps<FuncOp>()))
        if (!func.isPublic() && !(func.getRecursive() && called.contains(func)))
            func.erase();
    return success();
}
