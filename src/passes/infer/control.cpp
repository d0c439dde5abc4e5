// np-infer: branches and loops. Bodies are emitted into a scratch region, and again until the types
// assumed at their entry reach a fixed point.
#include "ir/error_names.h"
#include "ops/builder/cells.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/slot.h"
#include "ops/builder/values.h"
#include "passes/infer/infer.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// A captured loop that is being typed.
struct Infer::Loop {
    Operation *op;
    Block &captured;         // the body
    SmallVector<Val> inits;  // initial values of the loop-carried variables
    SmallVector<Slot> slots; // their carried types: wider from attempt to attempt
    int failures = 0;
    bool becameStrong = false;  // the last attempt failed because a weak number became strong
    bool mayMakeUnions = false; // variables may be carried as unions: the last resort
    std::optional<InferError> conflict; // why the last attempt's variables cannot be joined
    SmallVector<unsigned> cells;        // lists and dicts that the body changes: carried last
    SmallVector<Val> carried;           // the variables in the body
    SmallVector<int> directions;        // of Python ints: 1 never decreases, -1 never increases
    Loop(Operation *op, Block &captured, ArrayRef<Val> inits) : op(op), captured(captured) {
        carry(inits);
    }
    void carry(ArrayRef<Val> values) {
        inits.assign(values.begin(), values.end());
        slots = llvm::map_to_vector(inits, slotOf);
    }
    NextOp next() const { return cast<NextOp>(captured.back()); }
    void letDiffer(const TypedBuilder &e) {
        if (mayMakeUnions || !e.mayMakeUnions)
            throw InferError(*conflict);
        mayMakeUnions = true;
    }
};

// The range of a counted loop. Where the step's sign is known, the loop has an iteration if
// upperEnd() >= lowerEnd() + 1.
struct Infer::CountedRange {
    DimAttr lower, upper, step;
    bool up = false, down = false;
    bool hasKnownSign() const { return up || down; }
    DimAttr upperEnd() const { return up ? upper : lower; }
    DimAttr lowerEnd() const { return up ? lower : upper; }
};

//===-- Branches

// Adds the facts of a condition. `lasting`: for the rest of the block, so that later passes need
// them too (as an np.require).
void Infer::addRelation(const Val &condition, bool holds, bool lasting) {
    if (condition.relation == (holds ? "all" : "not all"))
        for (const Val &part : condition.items)
            addRelation(part, true, lasting);
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

// The contents of a list or dict, with the current contents of those in it.
static Val contentsOf(TypedBuilder &e, unsigned cell) {
    Val v = loadCell(e, cell);
    for (Val &item : v.items)
        reloadCells(e, item);
    return v;
}

static bool isInnerSymbol(const TypedBuilder &e, DimAttr dim, unsigned firstInnerSymbol) {
    bool inner = false;
    dimSymbols(dim, [&](StringRef name) {
        unsigned number = 0;
        inner |= !name.drop_front().getAsInteger(10, number) && number >= firstInnerSymbol &&
                 !e.hints.contains(name);
    });
    return inner;
}

// Sizes of the items of dynamic lists must not be symbols from inside a loop or branch.
static void checkItemSizes(TypedBuilder &e, const Slot &slot, unsigned firstInnerSymbol) {
    auto array = slot.kind == Slot::Kind::Typed ? dyn_cast<ArrayType>(slot.type) : ArrayType();
    for (DimAttr dim : array ? array.getDims() : ArrayRef<DimAttr>())
        if (isInnerSymbol(e, dim, firstInnerSymbol))
            e.unsupported("arrays in a list that grows, whose sizes are computed at run time, are "
                          "not supported; store them to an array, or keep their sizes");
    for (const Slot &item : slot.items)
        checkItemSizes(e, item, firstInnerSymbol);
}

// Symbols of sizes that are defined inside one arm only, where the other one raised or has no such
// value, become results of the branch.
void Infer::carryInnerSizes(Slot &slot, unsigned firstInnerSymbol) {
    for (Slot &item : slot.items)
        carryInnerSizes(item, firstInnerSymbol);
    for (const Slot &element : slot.element)
        checkItemSizes(e, element, firstInnerSymbol);
    auto array = slot.kind == Slot::Kind::Typed ? dyn_cast<ArrayType>(slot.type) : ArrayType();
    for (auto [i, dim] : llvm::enumerate(array ? array.getDims() : ArrayRef<DimAttr>()))
        if (isInnerSymbol(e, dim, firstInnerSymbol))
            slot.dynamicDims[i] = true;
}

// `a and b` that is only tested for its truth: where it holds, `a` holds.
static bool isTestedAnd(IfOp op) {
    if (op.getNumResults() != 1 ||
        !llvm::all_of(op->getUsers(), [](Operation *user) { return isa<TruthOp, TestOp>(user); }))
        return false;
    Value first = cast<YieldOp>(op.getElseRegion().front().back()).getValues()[0];
    auto truth = op.getCondition().getDefiningOp<TruthOp>();
    return first == op.getCondition() || (truth && first == truth.getValue());
}

void Infer::visitIf(IfOp op) {
    Location loc = op.getLoc();
    Val condition = truth(e, val(op.getCondition()));
    if (std::optional<bool> known = condition.constBool()) {
        llvm::SaveAndRestore around(recursions.continuationDepth, recursions.conditionalDepth),
            same(recursions.conditionalDepth);
        Block &live = (*known ? op.getThenRegion() : op.getElseRegion()).front();
        walk(live);
        for (auto [result, value] :
             llvm::zip(op.getResults(), cast<YieldOp>(live.back()).getValues()))
            env[result] = Val(val(value));
        return;
    }
    const bool both = isTestedAnd(op);
    SmallVector<Val> results = branch(loc, condition, [&](bool holds) {
        llvm::SaveAndRestore around(recursions.continuationDepth, recursions.conditionalDepth),
            inArm(recursions.conditionalDepth, recursions.conditionalDepth + 1);
        Block &captured = (holds ? op.getThenRegion() : op.getElseRegion()).front();
        walk(captured);
        SmallVector<Val> given = vals(cast<YieldOp>(captured.back()).getValues());
        if (both && !unreachable)
            given[0] = toPy(e, truth(e, given[0]), PyKind::Bool);
        return given;
    });
    if (both && !unreachable && !results[0].weakFlag && !condition.relation.empty()) {
        results[0].relation = "all";
        results[0].items = {condition};
    }
    for (auto [result, v] : llvm::zip(op.getResults(), results))
        env[result] = v;
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
void Infer::orRaise(llvm::function_ref<void()> emit, bool typesFirst, bool whole) {
    Block *block = e.b.getInsertionBlock();
    Operation *last = block->empty() ? nullptr : &block->back();
    auto first = [&] { return last ? std::next(last->getIterator()) : block->begin(); };
    try {
        emit();
        if (e.b.getInsertionBlock() != block)
            return;
        if (RequireOp raise = eraseAfterRequire(llvm::make_range(first(), block->end()), "false")) {
            unreachable = true;
            noteRaise(block, errorOf(raise, e));
        }
    } catch (Unreachable) {
    } catch (InferError &error) {
        StringRef exception = error.exception;
        const bool refused = exception == "shapecast.UnsupportedError";
        error.inArm |= refused && recursions.defersRefusals && recursions.conditionalDepth;
        const bool raisesHere = !refused || (whole && error.inArm &&
                                             recursions.unsupportedLocations.contains(error.loc));
        if (!raisesHere || e.b.getInsertionBlock() != block)
            throw;
        if (typesFirst)
            if (RequireOp require = eraseAfterRequire(llvm::make_range(first(), block->end())))
                require.erase();
        e.loc = error.loc;
        e.require("eq", {e.dimConst(0), e.dimConst(1)},
                  refused ? StringRef(refusedInBranch) : exception, error.message);
        unreachable = true;
        noteRaise(block, error);
    }
}

// A list or dict that one arm made and yields gets a new cell: its contents are carried.
void Infer::adoptCells(Slot &slot, size_t outer, DenseMap<unsigned, unsigned> &adopted) {
    for (Slot &item : slot.items)
        adoptCells(item, outer, adopted);
    if (slot.cell == unknownCell || slot.cell < outer)
        return;
    auto [known, isNew] = adopted.try_emplace(slot.cell, e.cells.size());
    if (isNew) {
        const unsigned serial = e.cells[slot.cell].serial;
        e.cells.emplace_back().serial = serial;
    }
    slot.cell = known->second;
    slot.storesCell = true;
}

// The lists and dicts from before that were changed since.
static SmallVector<unsigned> changedCells(ArrayRef<Cell> before, ArrayRef<Cell> after) {
    SmallVector<unsigned> changed;
    for (unsigned cell = 1; cell < before.size(); ++cell)
        if (after[cell].changes != before[cell].changes)
            changed.push_back(cell);
    return changed;
}

// A typed branch on a condition known only at run time; `arm` emits one arm and returns what it
// yields.
SmallVector<Val> Infer::branch(Location loc, const Val &condition,
                               llvm::function_ref<SmallVector<Val>(bool)> arm) {
    Region arms[2];
    SmallVector<Val> yields[2];
    bool raised[2];
    const unsigned firstInnerSymbol = e.nextSymbol;
    const std::vector<Cell> before = e.cells;
    std::vector<Cell> after[2];
    for (int number : {0, 1}) {
        Checkpoint checkpoint(e);
        Block *block = new Block;
        arms[number].push_back(block);
        e.b.setInsertionPointToStart(block);
        addRelation(condition, number == 0);
        orRaise([&] { yields[number] = arm(number == 0); });
        raised[number] = std::exchange(unreachable, false);
        checkpoint.commit();
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
        carryInnerSizes(slot, firstInnerSymbol);
        adoptCells(slot, before.size(), adopted);
    }
    SmallVector<Type> types;
    packedTypes(e, slots, types);
    for (int number : {0, 1}) {
        OpBuilder::InsertionGuard guard(e.b);
        e.b.setInsertionPointToEnd(&arms[number].front());
        YieldOp::create(e.b, loc, packAll(slots, yields[number]));
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
    unreachable = raised[0] && raised[1];
    if (raised[0] != raised[1])
        addRelation(condition, raised[1], true);
    for (unsigned cell : llvm::reverse(changed))
        if (Val v = results.pop_back_val(); !unreachable)
            storeCell(e, cell, v);
    return results;
}

//===-- Common to all loops

// A weak number that becomes strong in the body is strong from the start: it has the same value,
// and the same type after the loop if that has an iteration.
static bool weakBecameStrong(ArrayRef<Slot> before, ArrayRef<Slot> after) {
    return llvm::any_of(llvm::zip_equal(before, after), [](auto pair) {
        auto &[a, b] = pair;
        return a.kind == Slot::Kind::Typed && b.kind == Slot::Kind::Typed && isScalar(a.type) &&
               a.type != b.type;
    });
}

// A monotone integer is bounded by its initial value.
void Infer::addMonotoneBound(const Loop &loop, size_t variable, const Val &v) {
    if (loop.directions.empty() || loop.directions[variable] == 0 || !v.dim || !v.dim.isSymbol())
        return;
    const DimAttr first = loop.inits[variable].dim;
    loop.directions[variable] > 0 ? e.facts.addLower(v.dim.getName(), first)
                                  : e.facts.addUpper(v.dim.getName(), first);
}

// Finds the monotone integers of a while loop with checks of indices, once; the body is then
// emitted again with their bounds.
bool Infer::findMonotone(Loop &loop, ArrayRef<Val> next, ArrayRef<Region *> regions) {
    if (!isa<WhileOp>(loop.op) || !loop.directions.empty())
        return false;
    bool indexes = false;
    for (Region *region : regions)
        region->walk([&](RequireOp op) { indexes |= op.getKind() == "index"; });
    if (!indexes)
        return false;
    for (size_t i = 0; i < loop.carried.size(); ++i) {
        const Val &first = loop.inits[i], &now = loop.carried[i], &then = next[i];
        const bool numbers = first.isPyInt() && now.isPyInt() && then.isPyInt() && first.dim &&
                             now.dim && then.dim && now.dim.isSymbol();
        loop.directions.push_back(!numbers                                        ? 0
                                  : e.facts.provesGreaterEqual(then.dim, now.dim) ? 1
                                  : e.facts.provesGreaterEqual(now.dim, then.dim) ? -1
                                                                                  : 0);
    }
    return llvm::any_of(loop.directions, [](int direction) { return direction != 0; });
}

// Opens a block of the typed loop: its arguments are `count` (the induction variable of a counted
// loop) and the loop-carried values, to which `captured` maps from here on.
SmallVector<Val> Infer::openLoopBlock(const Loop &loop, Region &region, Type count,
                                      ValueRange captured) {
    Block *block = new Block;
    region.push_back(block);
    e.b.setInsertionPointToStart(block);
    SmallVector<Type> types;
    if (count)
        types.push_back(count);
    packedTypes(e, loop.slots, types);
    block->addArguments(types, SmallVector<Location>(types.size(), loop.op->getLoc()));
    e.loc = loop.op->getLoc();
    ValueRange rest = block->getArguments().drop_front(count ? 1 : 0);
    SmallVector<Val> carried;
    for (auto [slot, argument] : llvm::zip(loop.slots, captured)) {
        carried.push_back(unpack(e, slot, rest));
        addMonotoneBound(loop, carried.size() - 1, carried.back());
        env[argument] = carried.back();
    }
    for (auto [slot, cell] :
         llvm::zip(ArrayRef(loop.slots).take_back(loop.cells.size()), loop.cells))
        storeCell(e, cell, unpack(e, slot, rest));
    e.cells.emplace_back(); // unused: it makes the number of cells unique to this body
    e.iterationCells = unsigned(e.cells.size());
    return carried;
}

// Adds the lists and dicts that the body changed to the carried ones; whether there are new ones.
bool Infer::carryChangedCells(Loop &loop, const Checkpoint &checkpoint) {
    bool more = false;
    const ArrayRef<Cell> now = ArrayRef(e.cells).take_front(checkpoint.cells.size());
    const std::vector<Cell> after = now.vec();
    std::copy(checkpoint.cells.begin(), checkpoint.cells.end(), e.cells.begin());
    for (unsigned cell : changedCells(checkpoint.cells, after)) {
        if (llvm::is_contained(loop.cells, cell))
            continue;
        more = true;
        loop.cells.push_back(cell);
        loop.inits.push_back(contentsOf(e, cell));
        loop.slots.push_back(slotOf(loop.inits.back()));
    }
    std::copy(after.begin(), after.end(), e.cells.begin());
    return more;
}

// A list or dict made in one iteration is not the one made in the next.
static void forgetInnerCells(Slot &slot, size_t outer) {
    for (Slot &item : slot.items)
        forgetInnerCells(item, outer);
    if (slot.cell >= outer)
        slot.cell = unknownCell;
}

// Ends one attempt at a loop's body. True: a fixed point, the body yields the types assumed at its
// entry; np.next is emitted. False: the attempt is erased, and either the slots are wider now or
// there is a conflict.
bool Infer::closeLoopBody(Loop &loop, Checkpoint &checkpoint, ArrayRef<Region *> regions) {
    e.loc = loop.op->getLoc();
    const bool raised = std::exchange(unreachable, false); // in every iteration
    SmallVector<Val> next = vals(loop.next().getValues());
    for (unsigned cell : loop.cells)
        next.push_back(contentsOf(e, cell));
    if (raised) { // code after the loop does not see what the body stored to lists
        std::fill(next.begin(), next.end(), e.neverVal());
        std::copy(checkpoint.cells.begin(), checkpoint.cells.end(), e.cells.begin());
    }
    if (!raised)
        refuseEscaping(
            next, llvm::map_to_vector(checkpoint.cells, [](const Cell &c) { return c.changes; }));
    const bool more = !raised && carryChangedCells(loop, checkpoint);
    SmallVector<Slot> joined;
    loop.conflict.reset();
    llvm::SaveAndRestore differ(e.mayMakeUnions, loop.mayMakeUnions);
    try {
        for (auto [slot, v] : llvm::zip(loop.slots, next)) {
            joined.push_back(join(e, slot, v, ""));
            forgetInnerCells(joined.back(), checkpoint.cells.size());
            if (slot.kind == Slot::Kind::Never) // the value of a `return` in the body
                carryInnerSizes(joined.back(), checkpoint.nextSymbol);
            for (const Slot &element : joined.back().element)
                checkItemSizes(e, element, checkpoint.nextSymbol);
        }
    } catch (const InferError &error) {
        loop.conflict = error;
    }
    joined.append(loop.slots.begin() + joined.size(), loop.slots.end());
    const bool isFixedPoint = !loop.conflict && !more && joined == loop.slots;
    if (!isFixedPoint || (!raised && findMonotone(loop, next, regions))) {
        checkpoint.rollBack();
        currentOp = loop.op; // the operands of the body's last operation are gone
        for (Region *region : regions) {
            region->front().dropAllReferences();
            region->front().erase();
        }
        loop.becameStrong = !loop.conflict && weakBecameStrong(loop.slots, joined);
        if (!loop.conflict)
            loop.slots = std::move(joined);
        if (++loop.failures > 8)
            e.unsupported("the types of this loop's variables change with every iteration; give "
                          "each variable one type");
        return false;
    }
    SmallVector<Value> operands = packAll(loop.slots, next);
    Value go;
    if (loop.next().getCondition() && !raised) {
        Val flag = truth(e, val(loop.next().getCondition()));
        if (flag.constBool() != true)
            go = flag.value;
    }
    NextOp::create(e.b, loop.op->getLoc(), operands, go);
    checkpoint.commit();
    return true;
}

SmallVector<Value> Infer::packAll(ArrayRef<Slot> slots, ArrayRef<Val> values) {
    SmallVector<Value> operands;
    for (auto [slot, v] : llvm::zip(slots, values))
        pack(e, slot, v, operands);
    return operands;
}

// After a loop: maps the captured results to the typed loop's.
void Infer::finishLoop(const Loop &loop, ValueRange results) {
    e.loc = loop.op->getLoc();
    for (auto [i, result] : llvm::enumerate(loop.op->getResults())) { // those of cells follow
        Val v = unpack(e, loop.slots[i], results);
        addMonotoneBound(loop, i, v);
        env[result] = std::move(v);
    }
    for (auto [slot, cell] :
         llvm::zip(ArrayRef(loop.slots).take_back(loop.cells.size()), loop.cells))
        storeCell(e, cell, unpack(e, slot, results));
}

//===-- for

bool Infer::hasNoIteration(const CountedRange &range) {
    return skipEmptyLoops && range.hasKnownSign() &&
           e.assumeGreaterEqual(range.lowerEnd(), range.upperEnd());
}

bool Infer::hasIteration(const CountedRange &range) {
    return range.hasKnownSign() &&
           e.assumeGreaterEqual(range.upperEnd(), dimAdd(range.lowerEnd(), e.dimConst(1)));
}

// Emits the body once, with the induction variable's bounds as facts; returns that variable.
DimAttr Infer::emitCountedBody(Loop &loop, const CountedRange &range, Region &body,
                               llvm::function_ref<Val(const Val &)> element) {
    DimAttr counter = e.freshSymbol("i"), one = e.dimConst(1);
    if (range.hasKnownSign()) {
        DimAttr least = range.up ? range.lower : dimAdd(range.upper, one);
        DimAttr greatest = range.up ? dimSub(range.upper, one) : range.lower;
        e.facts.addLower(counter.getName(), least);
        e.facts.addUpper(counter.getName(), greatest);
        e.facts.addGreaterEqual(greatest, least);
    }
    openLoopBlock(loop, body, PyIntType::get(e.ctx), loop.captured.getArguments().drop_front());
    currentOp = loop.op; // the operands of the last attempt's operations are erased
    Val count;
    count.kind = Val::Kind::Typed;
    count.value = body.front().getArgument(0);
    count.dim = counter;
    Val item = element(count);
    env[loop.captured.getArgument(0)] = std::move(item);
    walk(loop.captured);
    return counter;
}

// Peels the first iteration, after which the variables have other types; false where that cannot be
// done.
bool Infer::peel(Loop &loop, CountedRange &range, llvm::function_ref<Val(const Val &)> element) {
    if (loop.next().getCondition() || !hasIteration(range))
        return false;
    e.loc = loop.op->getLoc();
    for (auto [argument, v] : llvm::zip(loop.captured.getArguments().drop_front(), loop.inits))
        env[argument] = v;
    const Changes before = changesNow();
    Val item = element(e.sizeVal(range.lower));
    env[loop.captured.getArgument(0)] = std::move(item);
    walk(loop.captured);
    if (unreachable)
        return false;
    SmallVector<Val> next = vals(loop.next().getValues());
    refuseEscaping(next, before);
    for (unsigned cell : loop.cells)
        next.push_back(contentsOf(e, cell));
    loop.carry(next);
    range.lower = e.facts.canonical(dimAdd(range.lower, range.step));
    return true;
}

void Infer::countedLoop(ForEachOp op, DimAttr lower, DimAttr upper, DimAttr step,
                        llvm::function_ref<Val(const Val &)> element) {
    Loop loop(op, op.getBody().front(), vals(op.getInits()));
    CountedRange range{lower, upper, step};
    range.up = e.facts.greaterEqual(step, e.dimConst(1)) == Answer::Yes;
    range.down = !range.up && e.facts.less(step, e.dimConst(0)) == Answer::Yes;
    auto skip = [&] {
        for (auto [result, init] : llvm::zip(op.getResults(), op.getInits()))
            env[result] = Val(val(init));
    };
    if (range.hasKnownSign() && e.facts.provesGreaterEqual(range.lowerEnd(), range.upperEnd()))
        return skip(); // an induction variable between such bounds would be a contradiction
    Region body;
    DimAttr counter;
    const llvm::DenseSet<unsigned> copied = e.copiedCells;
    for (int peels = 0;;) {
        Checkpoint checkpoint(e);
        try {
            counter = emitCountedBody(loop, range, body, element);
        } catch (const InferError &error) { // with the first iteration peeled there may be no union
            if (!error.joinConflict || peels++ == 2)
                throw;
            checkpoint.rollBack();
            body.front().dropAllReferences();
            body.front().erase();
            e.copiedCells = copied;
            if (!peel(loop, range, element))
                throw;
            continue;
        }
        if (closeLoopBody(loop, checkpoint, &body))
            break;
        // Another dtype or rank after the first iteration.
        if (loop.conflict) {
            e.copiedCells = copied;
            if (!loop.mayMakeUnions && (peels++ == 2 || !peel(loop, range, element)))
                loop.letDiffer(e);
        }
        if (loop.becameStrong && !hasIteration(range) && hasNoIteration(range))
            return skip();
    }
    SmallVector<Type> types;
    packedTypes(e, loop.slots, types);
    ForOp made = ForOp::create(e.b, op.getLoc(), types, e.b.getStringAttr(counter.getName()),
                               range.lower, range.upper, step, packAll(loop.slots, loop.inits));
    made.getBody().takeBody(body);
    if (op.getPrange())
        made.setPrangeAttr(e.b.getUnitAttr());
    finishLoop(loop, made.getResults());
    bool runs = range.hasKnownSign() &&
                e.facts.greaterEqual(range.upperEnd(), dimAdd(range.lowerEnd(), e.dimConst(1))) ==
                    Answer::Yes;
    for (auto [result, given] : llvm::zip(op.getResults(), loop.next().getValues()))
        if (const Val &last = val(given); runs && val(result).weakFlag && last.isScalar() &&
                                          !last.weakFlag && !isPyScalar(last.type()))
            val(result).weakFlag = {}; // the body was executed, and its result is always strong
}

//===-- while

// Adds the facts of a while loop's condition to the body: they are over the symbols of the
// condition's block, and are renamed to the body's.
void Infer::addTestFacts(Val condition, ArrayRef<Val> tested, ArrayRef<Val> carried) {
    if (condition.relation == "all")
        for (const Val &part : condition.items)
            addTestFacts(part, tested, carried);
    if (!condition.lhs)
        return;
    auto rename = [&](StringRef name) -> DimAttr {
        for (auto [from, to] : llvm::zip(tested, carried))
            if (from.dim && from.dim.isSymbol() && from.dim.getName() == name)
                return to.dim;
        return {};
    };
    condition.lhs = dimSubstitute(condition.lhs, rename);
    condition.rhs = dimSubstitute(condition.rhs, rename);
    addRelation(condition, true);
}

void Infer::visitWhile(WhileOp op) {
    Block &test = op.getBefore().front();
    Loop loop(op, op.getBody().front(), vals(op.getInits()));
    Region before, body;
    for (;;) {
        Checkpoint checkpoint(e);
        SmallVector<Val> tested = openLoopBlock(loop, before, {}, test.getArguments());
        walk(test);
        Val condition;
        if (!unreachable)
            orRaise([&] { condition = truth(e, val(cast<TestOp>(test.back()).getCondition())); });
        if (std::exchange(unreachable, false))
            condition = e.boolVal(false);
        TestOp::create(e.b, op.getLoc(), condition.value);
        for (unsigned cell : changedCells(checkpoint.cells, e.cells))
            if (!llvm::is_contained(loop.cells, cell))
                e.unsupported("a list or dict that the condition of 'while' changes is not "
                              "supported; change it in the body");
        loop.carried = openLoopBlock(loop, body, {}, loop.captured.getArguments());
        addTestFacts(condition, tested, loop.carried);
        walk(loop.captured);
        if (closeLoopBody(loop, checkpoint, {&before, &body}))
            break;
        if (loop.conflict)
            loop.letDiffer(e);
    }
    SmallVector<Type> types;
    packedTypes(e, loop.slots, types);
    WhileOp made = WhileOp::create(e.b, op.getLoc(), types, packAll(loop.slots, loop.inits));
    made.getBefore().takeBody(before);
    made.getBody().takeBody(body);
    finishLoop(loop, made.getResults());
}
