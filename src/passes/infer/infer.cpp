// np-infer: the walk over straight-line captured code. Control flow is in control.cpp.
#include "facts/host_info.h"
#include "ir/error_names.h"
#include "ops/builder/cells.h"
#include "ops/builder/containers.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/indexing.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/items.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/sequences.h"
#include "ops/builder/text.h"
#include "ops/builder/values.h"
#include "ops/numpy/functions_attributes.h"
#include "passes/frontend/inline.h"
#include "passes/infer/deoptimisation.h"
#include "passes/infer/infer.h"
#include "passes/infer/snapshots.h"
#include "support/progress.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Iterators.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

SmallVector<Val> Infer::vals(ValueRange captured) {
    return llvm::map_to_vector(captured, [&](Value v) { return val(v); });
}

//===-- The function

void Infer::readHints() {
    auto hintAttrs = source.getHintsAttr();
    for (auto [k, type] : llvm::enumerate(source.getArgumentTypes())) {
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
    e.syntheticHints = source.getSymbolicSizes();
    if (auto forbidden = source.getForbiddenGuardsAttr())
        for (Attribute guard : forbidden)
            e.forbidden.push_back(cast<GuardAttr>(guard));
    if (auto failedAssumptions = source.getFailedAssumptionsAttr())
        for (auto site : failedAssumptions.getAsRange<StringAttr>())
            e.failedAssumptions.push_back(site.str());
}

// New arrays are allocated on the arguments' device, if these are all on one.
static StringAttr argumentsDevice(FuncOp func) {
    std::optional<StringAttr> device;
    for (Type type : func.getArgumentTypes())
        if (isa<ArrayType>(type))
            device = !device || *device == deviceOf(type) ? deviceOf(type) : StringAttr();
    return device.value_or(StringAttr());
}

// Of the entry: an array argument binds the symbols of its dims itself; the value of an int as k-th
// argument is the symbol n<k>.
void Infer::bindArguments(FuncOp target) {
    e.device = argumentsDevice(target);
    for (auto [k, from, to] : llvm::enumerate(source.getArguments(), target.getArguments())) {
        if (isa<StaticType>(to.getType())) {
            env[from] = e.literal(source.getSignatureAttr()[k]);
            continue;
        }
        Val v;
        v.kind = Val::Kind::Typed;
        v.value = to;
        if (isa<PyIntType>(to.getType())) {
            v.dim = dimSymbol(e.ctx, ("n" + Twine(k)).str());
            SymbolOp::create(e.b, e.loc, e.b.getStringAttr(v.dim.getName()), to);
        }
        env[from] = v;
    }
    bindStates();
}

// The mutable state of each object in the entry's `states` becomes a dict or list.
void Infer::bindStates() {
    auto stateAttrs = source.getStatesAttr();
    if (!stateAttrs)
        return;
    const SmallVector<Val> hidden = source.getHiddenAttr() ? globals() : SmallVector<Val>();
    for (ObjectStateAttr state : stateAttrs.getAsRange<ObjectStateAttr>())
        objectStates[state.getObject()] = stateOf(state, hidden);
}

Val Infer::stateOf(ObjectStateAttr state, ArrayRef<Val> hidden) {
    std::vector<Val> items;
    for (Attribute item : state.getItems()) {
        if (auto number = dyn_cast<IntegerAttr>(item))
            items.push_back(hidden[size_t(number.getInt())]);
        else if (auto other = dyn_cast<ArrayAttr>(item))
            items.push_back(objectStates[cast<IntegerAttr>(other[0]).getInt()]);
        else
            items.emplace_back();
    }
    const StringRef form = state.getForm();
    Val v = form == "ints" || form == "floats" ? dynamicListOf(e, items[0], form == "floats")
            : form == "names" || form == "keys"
                ? dictVal(e, state.getKeys().getValue(), std::move(items))
                : e.tupleVal(std::move(items), form == "list");
    allocateCells(e, v);
    if (v.cell)
        e.cells[v.cell].target = state;
    return v;
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

FuncOp Infer::run() {
    e.loc = source.getLoc();
    e.b.setInsertionPoint(source);
    FuncOp target = FuncOp::create(e.b, e.loc, source.getSymName(), source.getFunctionType());
    target.getProperties() = source.getProperties();
    target->setDiscardableAttrs(source->getDiscardableAttrDictionary());
    Block *entry = target.addEntryBlock();
    e.b.setInsertionPointToStart(entry);
    try {
        readHints();
        bindArguments(target);
        checkAnnotations();
        Block &body = source.getBody().front();
        walk(body);
        emitReturn(cast<ReturnOp>(body.back()));
    } catch (...) {
        target->dropAllReferences();
        target.erase();
        throw;
    }
    const SmallVector<GuardAttr> guards = withoutImplied(e.ctx, e.guards, source);
    removeUnused(target, guards);
    unifySymbols(target, guards);
    return target;
}

//===-- The walk

bool Infer::checksTypesFirst(Operation *op) {
    return isa<UfuncOp, PyOp, InplaceOp, GetItemOp, SetItemOp>(op);
}

constexpr int64_t maxVisitedOps = 300'000;
constexpr unsigned maxNesting = 150, maxNestingOnLargeStack = 3000; // nesting of blocks

// Bounds the time and the stack depth of an inference.
void Infer::countVisit(Operation *op) {
    auto end = [&](StringRef exception, const Twine &message) {
        Operation *site = unrolledLoop ? unrolledLoop : op;
        throw InferAborted{InferError{site->getLoc(), exception.str(), message.str(), {}}};
    };
    if (Progress::isCancelled())
        throw InferAborted{};
    if (++recursions.visitedOps > maxVisitedOps && unrolledLoop)
        end("shapecast.UnsupportedError",
            "this loop is fully unrolled, since its items are of several types or their number is "
            "known when compiling, and comes to more than " +
                Twine(maxVisitedOps) +
                " operations; iterate over an array, or over range(n), and store the results to an "
                "array");
    if (recursions.visitedOps > maxVisitedOps)
        end("shapecast.UnsupportedError",
            "what the function calls comes to more than " + Twine(maxVisitedOps) +
                " operations with all calls inlined; use loops in place of calls");
    if (recursions.nestingDepth <=
        (Progress::isOnLargeStack() ? maxNestingOnLargeStack : maxNesting))
        return;
    if (!Progress::isOnLargeStack())
        end(needsLargeStack, "");
    end("shapecast.UnsupportedError", "blocks and calls that are nested more than " +
                                          Twine(maxNestingOnLargeStack) +
                                          " deep are not supported; use a loop");
}

void Infer::walk(Block &block) {
    llvm::SaveAndRestore deeper(recursions.nestingDepth, recursions.nestingDepth + 1);
    for (Operation &op : block) {
        if (op.hasTrait<OpTrait::IsTerminator>() || unreachable)
            continue;
        countVisit(&op);
        orRaise([&] { visit(&op); }, checksTypesFirst(&op), /*whole=*/true);
    }
}

// Of arrays and numbers that are not constants; the source line shows the rest.
std::vector<std::string> Infer::operandNotes() {
    std::vector<std::string> notes;
    bool known = currentOp && currentOp->getLoc() == e.loc; // else a loop continues after its body
    for (auto [i, operand] : llvm::enumerate(known ? currentOp->getOperands() : ValueRange())) {
        auto found = env.find(operand);
        if (found != env.end() && found->second.isTyped() && !found->second.attr)
            notes.push_back("{" + std::to_string(i) + "}: " + describe(e, found->second));
    }
    return notes;
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
    return loop && loop.getUnroll() && llvm::all_of(list.getUsers(), [](Operation *user) {
               return isa<NextOp, YieldOp>(user);
           });
}

void Infer::visit(Operation *op) {
    e.loc = op->getLoc();
    currentOp = op;
    auto define = [&](Val v) { env[op->getResult(0)] = std::move(v); };
    if (std::optional<Val> result = visitPythonObject(op)) {
        if (op->getNumResults())
            define(std::move(*result));
        return;
    }
    refuseRunTimeText(op);
    if (visitUnionOperand(op))
        return;
    const bool passesFunction = llvm::any_of(op->getOperands(), [](Value v) {
        ClosureOp function = definingClosure(v);
        return function && function.getAssignedBelow();
    });
    const Changes before = passesFunction ? changesNow() : Changes();
    TypeSwitch<Operation *>(op)
        .Case([&](ConstOp o) { visitConst(o); })
        .Case([&](CastOp o) { visitCast(o); })
        .Case([&](CallOp o) { visitCall(o); })
        .Case([&](UfuncOp o) { visitUfunc(o); })
        .Case([&](PyOp o) { visitPyOp(o); })
        .Case([&](InplaceOp o) {
            define(inplace(e, o.getOp(), val(o.getTarget()), val(o.getValue())));
        })
        .Case([&](TruthOp o) { define(truth(e, val(o.getValue()))); })
        .Case([&](SliceOp o) {
            Val slice;
            slice.kind = Val::Kind::Slice;
            slice.items = {val(o.getLo()), val(o.getHi()), val(o.getStep())};
            define(std::move(slice));
        })
        .Case([&](GetItemOp o) { visitGetItem(o); })
        .Case([&](SetItemOp o) { visitSetItem(o); })
        .Case([&](AttrOp o) { define(attribute(e, val(o.getBase()), o.getName())); })
        .Case([&](MethodOp o) { visitMethod(o); })
        .Case([&](ClosureOp o) { visitClosure(o); })
        .Case([&](ApplyOp o) { visitApply(o); })
        .Case([&](GlobalOp o) { visitGlobal(o); })
        .Case([&](TupleOp o) { visitTuple(o); })
        .Case([&](UnpackOp o) { visitUnpack(o); })
        // A loop's return value, before any `return` was visited, is never read: it joins with all.
        .Case([&](UnboundOp o) { define(o.getName() == "return value" ? e.neverVal() : Val()); })
        .Case([&](CheckBoundOp o) { visitCheckBound(o); })
        .Case([&](PrintOp o) { visitPrint(o); })
        .Case([&](RaiseOp o) { visitRaise(o); })
        .Case([&](IfOp o) { visitIf(o); })
        .Case([&](TryOp o) { visitAttempt(o); })
        .Case([&](ForEachOp o) { visitForEach(o); })
        .Case([&](WhileOp o) { visitWhile(o); })
        .Default(
            [&](Operation *o) { e.unsupported("the operation " + o->getName().getStringRef()); });
    for (Value result : op->getResults())
        if (auto made = env.find(result); made != env.end() && !isComprehensionList(result)) {
            // The results of a branch or loop are values from inside, erased where that raised.
            if (!unreachable && op->getNumRegions() == 0)
                made->second = withSimpleSizes(e, made->second);
            allocateCells(e, made->second);
        }
    if (passesFunction && !unreachable && isa<CallOp, ApplyOp, MethodOp>(op))
        refuseEscaping(vals(op->getResults()), before);
}

void Infer::visitConst(ConstOp op) {
    Attribute attr = op.getValue();
    Type type = op.getType();
    env[op.getResult()] = isa<PyComplexType>(type) ? e.constant(attr, type) : e.literal(attr);
}

// Casts to a stated type have become identities; np-simplify folds them.
void Infer::visitCast(CastOp op) {
    Val v = val(op.getValue());
    if (v.isTyped())
        v.value = CastOp::create(e.b, e.loc, v.type(), v.value);
    env[op.getResult()] = std::move(v);
}

void Infer::visitGetItem(GetItemOp op) {
    const Val base = val(op.getBase());
    SmallVector<Val> keys = vals(op.getKeys());
    bool atRunTime =
        base.isTuple() && keys.size() == 1 && keys[0].isScalar() && !keys[0].constInt();
    if (atRunTime)
        checkSequenceIndex(e, base, keys);
    Val item = atRunTime ? tupleItem(base, keys[0]) : getItem(e, base, keys);
    env[op.getResult()] = std::move(item);
}

// The operands, with the items of those that are starred (`*t`).
SmallVector<Val> Infer::expandStarred(DenseI64ArrayAttr starred, ValueRange captured) {
    SmallVector<Val> result;
    for (auto [i, v] : llvm::enumerate(vals(captured))) {
        if (!starred || !llvm::is_contained(starred.asArrayRef(), int64_t(i)))
            result.push_back(v);
        else if (checkIterable(e, v, "Value after * must be an iterable, not {0}");
                 std::optional<std::vector<Val>> items = knownItems(v))
            llvm::append_range(result, *items);
        else if (isSequence(v))
            llvm::append_range(result, itemsIn(e, v, "an operand of '*'"));
        else
            e.unsupported("'*' with " + describe(e, v) +
                          ", whose length is known only at run time, is not supported");
    }
    return result;
}

void Infer::visitTuple(TupleOp op) {
    if (op.getDict())
        return visitDict(op);
    SmallVector<Val> items = expandStarred(op.getStarredAttr(), op.getElements());
    auto numbers = op.getNumbersAttr();
    Val v = numbers ? dynamicListOf(e, items[0], numbers.getValue() == "f")
                    : e.tupleVal({items.begin(), items.end()}, op.getList());
    v.attr = op.getRecordAttr();
    if (v.attr && cast<PyAttr>(v.attr).getKind() != "namedtuple")
        v.kind = Val::Kind::Record;
    if (Attribute target = op.getArgumentAttr()) {
        allocateCells(e, v);
        e.cells[v.cell].target = target;
    }
    env[op.getResult()] = std::move(v);
}

// Keys and values, alternating; a starred operand is a dict that gives several of them.
void Infer::visitDict(TupleOp op) {
    SmallVector<std::pair<Val, Val>> pairs;
    SmallVector<Val> elements = vals(op.getElements());
    auto starred = op.getStarredAttr();
    for (size_t i = 0; i < elements.size(); ++i) {
        if (starred && llvm::is_contained(starred.asArrayRef(), int64_t(i))) {
            if (elements[i].kind == Val::Kind::Iterator)
                if (std::optional<std::vector<Val>> items = knownItems(elements[i]))
                    elements[i] = e.tupleVal(std::move(*items));
            llvm::append_range(pairs, pairsOf(e, elements[i]));
        } else {
            pairs.emplace_back(elements[i], elements[i + 1]);
            ++i;
        }
    }
    Val v = dictOf(e, pairs);
    if (Attribute target = op.getArgumentAttr()) {
        allocateCells(e, v);
        e.cells[v.cell].target = target;
    }
    env[op.getResult()] = std::move(v);
}

void Infer::visitPyOp(PyOp op) {
    SmallVector<Val> operands = vals(op.getOperands_());
    StringRef name = op.getOp();
    if ((name == "in" || name == "not_in") && operands[1].kind == Val::Kind::Iterator)
        operands[1] = callNamed("builtins.list", {operands[1]}, {});
    if (name == "append") { // a comprehension's next item
        refuseEscaping(operands[1], {});
        Val list = std::move(operands[0]);
        if (op.getOperand(0).hasOneUse() && unionDepth == 0) { // appended to in place
            env[op.getOperand(0)] = Val();
            env[op.getResult()] = Val(); // of the iteration before
        }
        list = appendItem(e, std::move(list), operands[1]);
        list.cell = 0;
        env[op.getResult()] = std::move(list);
    } else if (operands.size() == 1)
        env[op.getResult()] = unary(e, name, operands[0]);
    else if (llvm::is_contained(
                 {"lt", "le", "gt", "ge", "eq", "ne", "is", "is_not", "in", "not_in"}, name))
        env[op.getResult()] = compare(e, name, operands[0], operands[1]);
    else
        env[op.getResult()] = binary(e, name, operands[0], operands[1]);
}

void Infer::visitSetItem(SetItemOp op) {
    const Val &value = val(op.getValue());
    auto inplace = op.getAugmented() ? op.getValue().getDefiningOp<InplaceOp>() : nullptr;
    const SmallVector<Val> keys = vals(op.getKeys());
    const Val base = val(op.getBase());
    if (inplace && val(inplace.getTarget()).isArray() && !usesAdvancedIndexing(e, base, keys))
        return; // the in-place op has written through the same view already
    setItem(e, base, keys, value);
}

// Python 3.14 adds the number of items, for tuples, lists and dicts but not for classes derived
// from them.
static std::string tooMany(const Val &value, size_t count, const Twine &found) {
    const bool plain = (value.isTuple() && recordName(value).empty()) || value.isDict();
    const bool counted = hostInfo().unpackErrorHasCount && (plain || value.isDynamicList());
    return ("too many values to unpack (expected " + Twine(count) +
            (counted ? ", got " + found.str() : "") + ")")
        .str();
}

void Infer::visitUnpack(UnpackOp op) {
    const Val value = val(op.getValue());
    const size_t count = op.getNumResults();
    auto star = op.getStarAttr(); // `a, *b = value`: the number of b
    checkIterable(e, value, "cannot unpack non-iterable {0} object");
    std::optional<std::vector<Val>> items;
    if (value.isArray() && value.array().getRank() > 0 && star) // one variant for each length
        if (std::optional<int64_t> seen = e.sizeHint(dimsOf(e, value)[0]);
            seen && *seen <= maxUnrollTripCount)
            e.decideEqual(dimsOf(e, value)[0], e.dimConst(*seen));
    if (((value.isArray() && value.array().getRank() > 0) || value.isDynamicList()) && !star) {
        DimAttr size = *lengthOf(value);
        if (!e.assumeEqual(size, e.dimConst(count))) {
            const std::string expected = "(expected " + std::to_string(count);
            e.require("ge", {size, e.dimConst(count)}, "ValueError",
                      "not enough values to unpack " + expected + ", got {0})", {size});
            e.require("eq", {size, e.dimConst(count)}, "ValueError", tooMany(value, count, "{0}"),
                      {size});
        }
        items.emplace();
        for (size_t i = 0; i < count; ++i)
            items->push_back(itemAt(value, e.intVal(i)));
    } else if (!(items = knownItems(value))) {
        if (lengthOf(value))
            e.unsupported("unpacking " + describe(e, value) +
                          ", whose length is known only at run time, is not supported; unpack a "
                          "tuple, or index it");
        e.fail("TypeError", "cannot unpack non-iterable " + classNameOf(e, value) + " object");
    }
    const std::string atLeast = star ? "at least " : "";
    if (items->size() > count && !star)
        e.fail("ValueError", tooMany(value, count, Twine(items->size())));
    if (items->size() < count - (star ? 1 : 0))
        e.fail("ValueError", "not enough values to unpack (expected " + atLeast +
                                 Twine(count - (star ? 1 : 0)) + ", got " + Twine(items->size()) +
                                 ")");
    const size_t at = star ? star.getInt() : count, extra = items->size() + 1 - count;
    for (size_t i = 0; i < count; ++i)
        env[op.getResult(i)] =
            i == at ? e.tupleVal({items->begin() + at, items->begin() + at + extra}, true)
                    : (*items)[i > at ? i + extra - 1 : i];
}

// A hidden argument, or an object's mutable state.
void Infer::visitGlobal(GlobalOp op) {
    if (!op.getState()) {
        env[op.getResult()] = globals()[op.getNumber()];
        return;
    }
    auto known = objectStates.find(int64_t(op.getNumber()));
    if (known == objectStates.end())
        e.unsupported(
            "an attribute that the function assigns is not supported inside 'try', nor in "
            "a function that calls itself; use a variable there");
    Val state = known->second;
    reloadCells(e, state);
    if (auto name = op.getNameAttr()) {
        state = dictItem(e, state, e.literal(name));
        if (state.kind == Val::Kind::Unbound)
            e.fail("AttributeError", op.getMissingAttr().getValue());
    }
    env[op.getResult()] = std::move(state);
}

void Infer::visitCheckBound(CheckBoundOp op) {
    Val value = val(op.getValue());
    const bool free = op.getFree();
    const StringRef exception = free ? "NameError" : "UnboundLocalError";
    std::string message =
        ("cannot access " + Twine(free ? "free" : "local") + " variable '" + op.getName() +
         "' where it is not associated with a value" + (free ? " in enclosing scope" : ""))
            .str();
    if (auto missing = op.getAttributeAttr())
        e.fail("AttributeError", missing.getValue());
    if (op.getGlobal())
        e.fail("NameError", "name '" + op.getName() + "' is not defined");
    if (value.kind == Val::Kind::Unbound)
        e.fail(exception, message);
    if (value.kind == Val::Kind::Optional && !value.attr) {
        if (e.facts.equal(value.dim, e.dimConst(1)) != Answer::Yes)
            e.require("eq", {value.dim, e.dimConst(1)}, exception, message);
        value = Val(value.items[0]);
    }
    env[op.getResult()] = std::move(value);
}

static bool isPrintable(const Val &v) {
    auto fixed = dyn_cast_or_null<PyAttr>(v.attr);
    if (v.isUnion())
        return llvm::all_of(v.items, isPrintable);
    if (v.kind == Val::Kind::Static || v.kind == Val::Kind::Optional)
        return fixed ? llvm::is_contained({"none", "str", "exception", "type", "class", "dtype"},
                                          fixed.getKind())
                     : !v.attr;
    const bool parts = v.isTuple() || v.isDict() || v.isRecord() || v.kind == Val::Kind::Object;
    return v.isTyped() || v.isDynamicList() || (parts && llvm::all_of(v.items, isPrintable));
}

// Refuses uses of a string made at run time other than output and exceptions.
void Infer::refuseRunTimeText(Operation *op) {
    if (!isa<InplaceOp, TruthOp, SliceOp, GetItemOp, SetItemOp, AttrOp, UnpackOp, ForEachOp,
             UfuncOp, PyOp>(op) ||
        (isa<PyOp>(op) && op->getNumOperands() > 1))
        return;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
        auto found = env.find(operand);
        const bool first = i == 0 || !isa<ForEachOp>(op);
        if (found == env.end() || found->second.kind != Val::Kind::Object || !first)
            continue;
        if (isa<InplaceOp>(op) && (i == 1 || found->second.isText()))
            continue; // += and %= are checked as operators
        e.unsupported(describe(e, found->second) +
                      " can be printed, formatted, raised and returned, but not used here");
    }
}

// `raise` of something else is a TypeError, when control reaches it.
static Val raised(TypedBuilder &e, const Val &v, StringRef otherwise) {
    if (v.isObject("exception") || v.isStatic("exception"))
        return v;
    return objectVal(e, "exception", "builtins.TypeError", {e.staticVal("str", otherwise)});
}

void Infer::visitRaise(RaiseOp op) {
    SmallVector<Val> given = vals(op.getValues());
    given[0] = raised(e, given[0], "exceptions must derive from BaseException");
    auto exception = [](const Val &v) {
        return v.isObject("exception") || v.isStatic("exception");
    };
    if (given.size() > 1 && !given[1].isNone() && !exception(given[1]))
        given = {raised(e, given[1], "exception causes must derive from BaseException")};
    SmallVector<Value> leaves;
    SmallVector<Attribute> trees;
    for (const Val &v : given) {
        if (!isPrintable(v))
            e.unsupported("an exception with " + describe(e, v.items.empty() ? v : v.items[0]) +
                          " in it is not supported");
        trees.push_back(resultTree(v, leaves));
    }
    auto typed = RaiseOp::create(e.b, e.loc, leaves);
    typed.setTreeAttr(e.b.getArrayAttr(trees));
    unreachable = true;
}

void Infer::visitPrint(PrintOp op) {
    SmallVector<Value> leaves;
    SmallVector<Attribute> trees;
    for (const Val &v : vals(op.getValues())) {
        if (!isPrintable(v))
            e.unsupported("print of " + describe(e, v) + " is not supported");
        trees.push_back(resultTree(v, leaves));
    }
    auto typed = PrintOp::create(e.b, e.loc, leaves);
    typed.getProperties() = op.getProperties();
    if (leaves.size() != trees.size() ||
        !llvm::all_of(trees, [](Attribute tree) { return isa<IntegerAttr>(tree); }))
        typed.setTreeAttr(e.b.getArrayAttr(trees));
}

//===-- The pass

namespace {

// A conflict of types before and after a loop is resolved by a guard that the loop has no
// iterations, if so; only then, since the guard costs another variant. The last resort are unions,
// for which every operation is emitted once per alternative.
void inferEntry(FuncOp entry, Recursions &recursions) {
    auto attempt = [&](bool skipEmptyLoops) {
        Infer infer(entry, OpBuilder(entry.getContext()), recursions);
        infer.skipEmptyLoops = skipEmptyLoops;
        infer.run();
    };
    try {
        return attempt(false);
    } catch (const InferError &error) {
        if (!error.joinConflict)
            throw;
        recursions.clear();
        for (bool differ : {false, true}) {
            recursions.mayMakeUnions = differ;
            try {
                return attempt(!differ);
            } catch (const InferError &other) {
                if (other.exception != "shapecast.UnsupportedError")
                    throw;
                recursions.clear();
            }
        }
        throw;
    }
}

void setStaticArguments(ModuleOp module, ArrayRef<int32_t> parameters) {
    MLIRContext *ctx = module.getContext();
    NpDialect::StaticArgumentsAttrHelper(ctx).setAttr(module,
                                                      DenseI32ArrayAttr::get(ctx, parameters));
}

// Repeated where something in a branch is unsupported: it becomes an error raised there.
LogicalResult inferOrRefuse(FuncOp func, Recursions &recursions) {
    constexpr unsigned maxUnsupported = 16;
    for (;;) {
        try {
            inferEntry(func, recursions);
            return success();
        } catch (const InferError &error) {
            if (!error.inArm || recursions.unsupportedLocations.size() >= maxUnsupported ||
                !recursions.unsupportedLocations.insert(error.loc).second)
                return error.report();
            recursions.clear();
            recursions.visitedOps = 0;
        } catch (const StaticArgumentRequest &request) {
            setStaticArguments(func->getParentOfType<ModuleOp>(), request.parameters);
            return failure();
        } catch (const InferAborted &end) {
            return end.error ? end.error->report() : failure();
        }
    }
}

} // namespace

LogicalResult shapecast::inferTypes(ModuleOp module) {
    Recursions recursions;
    recursions.defersRefusals =
        !NpDialect::RefusesAttrHelper(module.getContext()).isAttrPresent(module);
    for (FuncOp func : llvm::make_early_inc_range(module.getOps<FuncOp>())) {
        if (!func.isPublic()) // a function that is a value, or recursive
            continue;
        if (failed(inferOrRefuse(func, recursions)))
            return failure();
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
