#include "passes/infer/branches.h"

#include "ir/error_names.h"
#include "ops/builder/cells.h"
#include "ops/builder/conversions.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/operands.h"
#include "ops/builder/slot.h"
#include "passes/infer/carried.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Adds the facts of a condition. `lasting`: for the rest of the block, so that later passes need
// them too (as an np.require).
void shapecast::addRelation(Inference &in, const Val &condition, bool holds, bool lasting) {
    TypedBuilder &e = in.e;
    if (condition.relation == (holds ? "all" : "not all"))
        for (const Val &part : condition.items)
            addRelation(in, part, true, lasting);
    if (!condition.lhs)
        return;
    StringRef op = condition.relation;
    if (!holds)
        op = op == "lt"   ? "ge"
             : op == "ge" ? "lt"
             : op == "le" ? "gt"
             : op == "gt" ? "le"
             : op == "eq" ? "ne"
                          : "eq";
    DimAttr a = condition.lhs, b = condition.rhs, one = e.dimConst(1);
    StringRef kind = op == "eq" || op == "ne" ? op : "ge";
    if (op == "le" || op == "lt")
        std::swap(a, b);
    if (op == "gt" || op == "lt")
        b = dimAdd(b, one);
    if (kind == "ge")
        e.facts.addGreaterEqual(a, b);
    else if (kind == "eq")
        e.facts.addEqual(a, b);
    else
        e.facts.addNotEqual(a, b);
    if (lasting)
        e.require(kind, {a, b}, "SystemError",
                  "a condition of an earlier branch does not hold "
                  "(a compiler bug)");
}

// `a and b` that is only tested for its truth: where it holds, `a` holds.
static bool isTestedAnd(IfOp op) {
    if (op.getNumResults() != 1 || !llvm::all_of(op->getUsers(), [](Operation *user) {
            return isa<TruthOp, TestOp, IfOp>(user);
        }))
        return false;
    Value first = cast<YieldOp>(op.getElseRegion().front().back()).getValues()[0];
    auto truth = op.getCondition().getDefiningOp<TruthOp>();
    return first == op.getCondition() || (truth && first == truth.getValue());
}

bool shapecast::isKnownOutside(TypedBuilder &e, const Val &condition, unsigned firstInnerSymbol) {
    auto isOuter = [&](DimAttr dim) { return !dim || !holdsInnerSymbol(e, dim, firstInnerSymbol); };
    return isOuter(condition.lhs) && isOuter(condition.rhs) &&
           llvm::all_of(condition.items.read(),
                        [&](const Val &part) { return isKnownOutside(e, part, firstInnerSymbol); });
}

void shapecast::visitIf(Inference &in, IfOp op) {
    TypedBuilder &e = in.e;
    Location loc = op.getLoc();
    Val condition = truth(e, in.val(op.getCondition()));
    if (std::optional<bool> known = condition.constBool()) {
        llvm::SaveAndRestore around(in.recursions.continuationDepth,
                                    in.recursions.conditionalDepth),
            same(in.recursions.conditionalDepth);
        Block &live = (*known ? op.getThenRegion() : op.getElseRegion()).front();
        in.walk(live);
        for (auto [result, value] :
             llvm::zip(op.getResults(), cast<YieldOp>(live.back()).getValues()))
            in.env[result] = Val(in.val(value));
        return;
    }
    const bool both = isTestedAnd(op);
    const unsigned firstInnerSymbol = e.nextSymbol;
    Val second; // of `a and b`
    SmallVector<Val> results = branch(in, loc, condition, [&](bool holds) {
        llvm::SaveAndRestore around(in.recursions.continuationDepth,
                                    in.recursions.conditionalDepth),
            inArm(in.recursions.conditionalDepth, in.recursions.conditionalDepth + 1);
        Block &captured = (holds ? op.getThenRegion() : op.getElseRegion()).front();
        in.walk(captured);
        SmallVector<Val> given = in.vals(cast<YieldOp>(captured.back()).getValues());
        if (both && holds && !in.unreachable)
            second = given[0];
        if (both && !in.unreachable)
            given[0] = toPy(e, truth(e, given[0]), PyKind::Bool);
        return given;
    });
    if (both && !in.unreachable && !results[0].weakFlag) {
        std::vector<Val> relations;
        for (const Val &part : {condition, second})
            if (!part.relation.empty() && isKnownOutside(e, part, firstInnerSymbol))
                relations.push_back(part);
        results[0].relation = relations.empty() ? "" : "all";
        results[0].items = std::move(relations);
    }
    for (auto [result, v] : llvm::zip(op.getResults(), results))
        in.env[result] = v;
}

// The first np.require (of that kind, if one is given) among these operations, which end their
// block; erases the operations after it.
static RequireOp eraseAfterRequire(llvm::iterator_range<Block::iterator> emitted,
                                   StringRef kind = "") {
    for (Operation &op : emitted) {
        auto require = dyn_cast<RequireOp>(op);
        if (!require || (!kind.empty() && require.getKind() != kind))
            continue;
        while (&op.getBlock()->back() != &op)
            op.getBlock()->back().erase();
        return require;
    }
    return {};
}

//===-- Unsupported code

// The exception that it raises in the compiling call.
static InferError errorOf(RequireOp require, const TypedBuilder &e) {
    std::string message = require.getMessage().str();
    for (auto [i, dim] : llvm::enumerate(dimVector(require.getPayload()))) {
        const std::string field = "{" + std::to_string(i) + "}";
        std::optional<int64_t> value = dimEvaluate(dim, [&](StringRef name) {
            auto hint = e.hints.find(name);
            return hint == e.hints.end() ? std::nullopt : std::optional(hint->second);
        });
        const std::string text = value ? std::to_string(*value) : dimText(dim);
        for (size_t at; (at = message.find(field)) != std::string::npos;)
            message.replace(at, field.size(), text);
    }
    InferError error{require.getLoc(), require.getError().str(), std::move(message), {}};
    if (auto notes = require.getNotesAttr())
        for (auto note : notes.getAsRange<StringAttr>())
            error.notes.push_back(note.str());
    return error;
}

// Every call of a function executes its entry block; a loop's block is in no operation yet.
static void noteRaise(Block *block, const InferError &error) {
    auto func = dyn_cast_or_null<FuncOp>(block->getParentOp());
    if (func && !func.getRaisesAttr())
        func.setRaisesAttr(error.site(Builder(func.getContext())));
}

// Emits; an exception found while emitting becomes an np.require that raises it here, since Python
// would have executed all that precedes. Within one operation an error of types comes first: NumPy
// checks sizes later. What was emitted after a requirement that never holds is erased: its sizes
// contradict each other. UnsupportedError is rethrown, for an alternative may work; in a branch for
// which none did, it is raised at run time, since control may never reach it.
void shapecast::orRaise(Inference &in, llvm::function_ref<void()> emit, bool typesFirst,
                        bool whole) {
    TypedBuilder &e = in.e;
    Block *block = e.b.getInsertionBlock();
    Operation *last = block->empty() ? nullptr : &block->back();
    auto first = [&] { return last ? std::next(last->getIterator()) : block->begin(); };
    try {
        emit();
        if (e.b.getInsertionBlock() != block)
            return;
        if (RequireOp raise = eraseAfterRequire(llvm::make_range(first(), block->end()), "false")) {
            in.unreachable = true;
            noteRaise(block, errorOf(raise, e));
        }
    } catch (Unreachable) {
    } catch (InferError &error) {
        StringRef exception = error.exception;
        const bool refused = exception == "shapecast.UnsupportedError";
        error.inArm |= refused && in.recursions.defersRefusals && in.recursions.conditionalDepth;
        const bool raisesHere =
            !refused ||
            (whole && error.inArm && in.recursions.unsupportedLocations.contains(error.loc));
        if (!raisesHere || e.b.getInsertionBlock() != block)
            throw;
        if (typesFirst)
            if (RequireOp require = eraseAfterRequire(llvm::make_range(first(), block->end())))
                require.erase();
        e.loc = error.loc;
        e.require("eq", {e.dimConst(0), e.dimConst(1)},
                  refused ? StringRef(refusedInBranch) : exception, error.message);
        in.unreachable = true;
        noteRaise(block, error);
    }
}

// A typed branch on a condition known only at run time; `arm` emits one arm and returns what it
// yields.
SmallVector<Val> shapecast::branch(Inference &in, Location loc, const Val &condition,
                                   llvm::function_ref<SmallVector<Val>(bool)> arm) {
    TypedBuilder &e = in.e;
    Region arms[2];
    SmallVector<Val> yields[2];
    bool raised[2];
    const unsigned firstInnerSymbol = e.nextSymbol;
    const std::vector<Cell> before = e.cells;
    std::vector<Cell> after[2];
    for (int number : {0, 1}) {
        Transaction transaction(e);
        Block *block = new Block;
        arms[number].push_back(block);
        e.b.setInsertionPointToStart(block);
        addRelation(in, condition, number == 0);
        orRaise(in, [&] { yields[number] = arm(number == 0); });
        raised[number] = std::exchange(in.unreachable, false);
        transaction.commit();
        after[number] = e.cells;
        std::copy(before.begin(), before.end(), e.cells.begin());
    }
    e.loc = loc;
    SmallVector<unsigned> changed;
    for (int number : {0, 1})
        for (unsigned cell : changedCells(before, after[number]))
            if (!raised[number] && !llvm::is_contained(changed, cell))
                changed.push_back(cell);
    for (int number : {0, 1}) {
        if (raised[number]) // its lists may be half changed
            continue;
        std::swap(e.cells, after[number]);
        for (unsigned cell : changed)
            yields[number].push_back(contentsOf(e, cell));
        std::swap(e.cells, after[number]);
    }
    SmallVector<Slot> slots;
    for (int number : {0, 1})
        if (raised[number]) // bottom, for the join
            yields[number].assign(yields[!number].size(), e.neverVal());
    auto joinAll = [&](bool general) {
        llvm::SaveAndRestore grow(e.mayMakeDynamicLists, e.mayMakeDynamicLists && general),
            differ(e.mayMakeUnions, e.mayMakeUnions && general);
        slots.clear();
        for (auto [a, b] : llvm::zip_equal(yields[0], yields[1]))
            slots.push_back(join(e, slotOf(a), b, ""));
    };
    try {
        joinAll(false);
    } catch (const InferError &) { // the arms' types differ: a variant per value of the flag
        e.requestStaticArgument(sourceParameters(condition));
        if (!e.mayMakeDynamicLists && !e.mayMakeUnions)
            throw;
        joinAll(true);
    }
    DenseMap<unsigned, unsigned> adopted;
    for (Slot &slot : slots) {
        carryInnerSizes(in, slot, firstInnerSymbol);
        adoptCells(in, slot, before.size(), adopted);
    }
    SmallVector<Type> types;
    packedTypes(e, slots, types);
    for (int number : {0, 1}) {
        OpBuilder::InsertionGuard guard(e.b);
        e.b.setInsertionPointToEnd(&arms[number].front());
        YieldOp::create(e.b, loc, packAll(in, slots, yields[number]));
    }
    IfOp made = IfOp::create(e.b, loc, types, condition.value);
    made.getThenRegion().takeBody(arms[0]);
    made.getElseRegion().takeBody(arms[1]);
    ValueRange rest = made.getResults();
    SmallVector<Val> results;
    for (const Slot &slot : slots) {
        results.push_back(unpack(e, slot, rest));
        if (slot.maybeWeak != PyKind::Strong && isa<PyBoolType>(condition.type()))
            e.flagParameters[results.back().weakFlag.getName()] = sourceParameters(condition);
    }
    in.unreachable = raised[0] && raised[1];
    if (raised[0] != raised[1])
        addRelation(in, condition, raised[1], true);
    for (unsigned cell : llvm::reverse(changed))
        if (Val v = results.pop_back_val(); !in.unreachable)
            storeCell(e, cell, v);
    return results;
}

//===-- Alternatives

Attempt::Attempt(Inference &in)
    : in(in), transaction(in.e), block(in.e.b.getInsertionBlock()),
      last(block->empty() ? nullptr : &block->back()), depth(in.callStack.size()), loc(in.e.loc),
      op(in.currentOp), copiedCells(in.e.copiedCells) {}

void Attempt::undo() {
    TypedBuilder &e = in.e;
    transaction.rollBack(); // the builder may be in an erased block
    in.unreachable = false;
    in.callStack.truncate(depth);
    e.loc = loc;
    in.currentOp = op; // the values of an inner op's operands are erased
    e.copiedCells = copiedCells;
    while (!block->empty() && &block->back() != last)
        block->back().erase();
}

// Where the first alternative is not supported, what it emitted is erased and the second is tried.
// If that is not supported either, the first error is thrown, which says more.
Val shapecast::orElse(Inference &in, llvm::function_ref<Val()> first,
                      llvm::function_ref<Val()> second) {
    Attempt attempt(in);
    std::optional<InferError> refusal;
    try {
        llvm::SaveAndRestore hasSecond(in.hasAlternatives, true);
        return first();
    } catch (const InferError &error) {
        if (error.exception != "shapecast.UnsupportedError" || error.joinConflict)
            throw;
        refusal = error;
    }
    attempt.undo();
    llvm::SaveAndRestore fallback(in.isFallback, true);
    try {
        return second();
    } catch (const InferError &error) {
        if (error.exception != "shapecast.UnsupportedError")
            throw;
        llvm::append_range(refusal->heapSites, error.heapSites);
        refusal->needsTuplesInMemory |= error.needsTuplesInMemory;
        throw *refusal;
    }
}

// Erases what an unsupported alternative emitted; the last one's error is thrown.
void shapecast::tryAlternatives(Inference &in, ArrayRef<std::function<void()>> alternatives) {
    bool needsTuplesInMemory = false; // one of them does
    for (const std::function<void()> &alternative : alternatives) {
        const bool isLast = &alternative == &alternatives.back();
        Attempt attempt(in);
        try {
            llvm::SaveAndRestore hasMore(in.hasAlternatives, in.hasAlternatives || !isLast);
            return alternative();
        } catch (InferError &error) {
            needsTuplesInMemory |= error.needsTuplesInMemory;
            const bool isUnsupported = error.exception == "shapecast.UnsupportedError";
            error.needsTuplesInMemory = isUnsupported && needsTuplesInMemory;
            if (!isUnsupported || isLast)
                throw;
        }
        attempt.undo();
    }
}
