// np-infer: branches and loops. Bodies are emitted into a scratch region and thrown away when the
// types assumed at their entry turn out too narrow.
#include "passes/infer.h"

#include "passes/passes.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// A captured loop on its way to a typed one.
struct Infer::Loop {
    Operation *op;
    Block &captured;         // the body
    SmallVector<Val> inits;  // of the variables that it carries
    SmallVector<Slot> slots; // what they are carried as: wider from attempt to attempt
    int failures = 0;
    bool stronger = false;  // the last attempt failed because a weak number became strong
    bool mayDiffer = false; // variables are carried as one of several kinds: the last resort
    std::optional<InferError> conflict; // why the last attempt's variables cannot be joined
    SmallVector<unsigned> cells; // lists and dicts that the body changes: carried behind variables
    SmallVector<Val> carried;    // what the variables are in the body
    SmallVector<int> trends;     // Python ints that never fall (1) or rise (-1) from turn to turn
    Loop(Operation *op, Block &captured, ArrayRef<Val> inits) : op(op), captured(captured) {
        carry(inits);
    }
    void carry(ArrayRef<Val> values) {
        inits.assign(values.begin(), values.end());
        slots = llvm::map_to_vector(inits, slotOf);
    }
    NextOp next() const { return cast<NextOp>(captured.back()); }
    void letDiffer(const TypedBuilder &e) {
        if (mayDiffer || !e.mayDiffer)
            throw InferError(*conflict);
        mayDiffer = true;
    }
};

// The numbers that a counted loop runs over. Where the step's sign is known, the loop runs at all
// if ahead() >= behind() + 1.
struct Infer::Counting {
    DimAttr lower, upper, step;
    bool up = false, down = false;
    bool directed() const { return up || down; }
    DimAttr ahead() const { return up ? upper : lower; }
    DimAttr behind() const { return up ? lower : upper; }
};

//===-- Branches

// `lasting`: for the rest of the block, so that later passes must learn it too.
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
        e.require(kind, {a, b}, "SystemError", "a relation that was checked does not hold");
}

// What a list or dict holds, and what those in it hold now.
static Val contentsOf(TypedBuilder &e, unsigned cell) {
    Val v = e.contents(cell);
    for (Val &item : v.items)
        e.refresh(item);
    return v;
}

static bool isInner(const TypedBuilder &e, DimAttr dim, unsigned firstInner) {
    bool inner = false;
    dimSymbols(dim, [&](StringRef name) {
        unsigned number = 0;
        inner |= !name.drop_front().getAsInteger(10, number) && number >= firstInner &&
                 !e.hints.contains(name);
    });
    return inner;
}

// Sizes of the items of lists that grow are those of every turn.
static void checkItems(TypedBuilder &e, const Slot &slot, unsigned firstInner) {
    auto array = slot.kind == Slot::Kind::Typed ? dyn_cast<ArrayType>(slot.type) : ArrayType();
    for (DimAttr dim : array ? array.getDims() : ArrayRef<DimAttr>())
        if (isInner(e, dim, firstInner))
            e.unsupported("arrays in a list that grows, whose sizes the run computes, are not "
                          "supported; store them to an array, or keep their sizes");
    for (const Slot &item : slot.items)
        checkItems(e, item, firstInner);
}

// Sizes that are named inside one arm only, where the other one raised or has no such value: they
// are carried out.
void Infer::carryInner(Slot &slot, unsigned firstInner) {
    for (Slot &item : slot.items)
        carryInner(item, firstInner);
    for (const Slot &element : slot.element)
        checkItems(e, element, firstInner);
    auto array = slot.kind == Slot::Kind::Typed ? dyn_cast<ArrayType>(slot.type) : ArrayType();
    for (auto [i, dim] : llvm::enumerate(array ? array.getDims() : ArrayRef<DimAttr>()))
        if (isInner(e, dim, firstInner))
            slot.changing[i] = true;
}

// `a and b` of which only the truth counts: where it holds, a does.
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
    Val condition = e.truth(val(op.getCondition()));
    if (std::optional<bool> known = condition.constBool()) {
        llvm::SaveAndRestore around(recursions.armsAround, recursions.arms), same(recursions.arms);
        Block &live = (*known ? op.getThenRegion() : op.getElseRegion()).front();
        walk(live);
        for (auto [result, value] :
             llvm::zip(op.getResults(), cast<YieldOp>(live.back()).getValues()))
            env[result] = Val(val(value));
        return;
    }
    const bool both = isTestedAnd(op);
    SmallVector<Val> results = branch(loc, condition, [&](bool holds) {
        llvm::SaveAndRestore around(recursions.armsAround, recursions.arms),
            inArm(recursions.arms, recursions.arms + 1);
        Block &captured = (holds ? op.getThenRegion() : op.getElseRegion()).front();
        walk(captured);
        SmallVector<Val> given = vals(cast<YieldOp>(captured.back()).getValues());
        if (both && !ended)
            given[0] = e.toPy(e.truth(given[0]), PyKind::Bool);
        return given;
    });
    if (both && !ended && !results[0].pyFlag && !condition.relation.empty()) {
        results[0].relation = "all";
        results[0].items = {condition};
    }
    for (auto [result, v] : llvm::zip(op.getResults(), results))
        env[result] = v;
}

// The first of these operations, the last ones of their block, that is a requirement, and of that
// kind if one is given; those behind it go.
static RequireOp cutBehind(llvm::iterator_range<Block::iterator> emitted, StringRef kind = "") {
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

// What it raises in the compiling call.
static InferError errorOf(RequireOp require, const TypedBuilder &e) {
    std::string message = require.getMessage().str();
    for (auto [i, dim] : llvm::enumerate(dimVector(require.getPayload()))) {
        const std::string place = "{" + std::to_string(i) + "}";
        std::optional<int64_t> value = dimEvaluate(dim, [&](StringRef name) {
            auto hint = e.hints.find(name);
            return hint == e.hints.end() ? std::nullopt : std::optional(hint->second);
        });
        const std::string text = value ? std::to_string(*value) : dimText(dim);
        for (size_t at; (at = message.find(place)) != std::string::npos;)
            message.replace(at, place.size(), text);
    }
    InferError error{require.getLoc(), require.getError().str(), std::move(message), {}};
    if (auto notes = require->getAttrOfType<ArrayAttr>("notes"))
        for (auto note : notes.getAsRange<StringAttr>())
            error.notes.push_back(note.str());
    return error;
}

// Every call of a function comes to its own block; a loop's stands in no operation yet.
static void noteRaise(Block *block, const InferError &error) {
    auto func = dyn_cast_or_null<FuncOp>(block->getParentOp());
    if (func && !func->hasAttr("raises"))
        func->setAttr("raises", error.site(Builder(func.getContext())));
}

// Emits, or else what raises in this place the exception that emitting met: Python would have done
// all that stands before. Within one operation what is wrong with its types comes first: NumPy
// looks at sizes later. Nothing stays of what was emitted behind a requirement that never holds:
// its sizes contradict each other. What we do not compile is thrown on, for other ways may do; in
// a branch that no way has been found for, control may never come to it.
void Infer::orRaise(llvm::function_ref<void()> emit, bool oneOperation, bool whole) {
    Block *block = e.b.getInsertionBlock();
    Operation *last = block->empty() ? nullptr : &block->back();
    auto first = [&] { return last ? std::next(last->getIterator()) : block->begin(); };
    try {
        emit();
        if (e.b.getInsertionBlock() != block)
            return;
        if (RequireOp raise = cutBehind(llvm::make_range(first(), block->end()), "false")) {
            ended = true;
            noteRaise(block, errorOf(raise, e));
        }
    } catch (Ended) {
    } catch (InferError &error) {
        StringRef exception = error.exception;
        const bool refused = exception == "shapecast.UnsupportedError";
        error.inArm |= refused && recursions.defersRefusals && recursions.arms;
        const bool goesOn =
            !refused || (whole && error.inArm && recursions.refused.contains(error.loc));
        if (!goesOn || exception.contains("StaticArgument") || e.b.getInsertionBlock() != block)
            throw;
        if (oneOperation)
            if (RequireOp require = cutBehind(llvm::make_range(first(), block->end())))
                require.erase();
        e.loc = error.loc;
        e.require("eq", {e.dimConst(0), e.dimConst(1)},
                  refused ? StringRef(refusedInBranch) : exception, error.message);
        ended = true;
        noteRaise(block, error);
    }
}

// A list or dict that one arm made and hands on is another one from here: what it holds is carried.
void Infer::adopt(Slot &slot, size_t outer, DenseMap<unsigned, unsigned> &adopted) {
    for (Slot &item : slot.items)
        adopt(item, outer, adopted);
    if (slot.cell == unknownCell || slot.cell < outer)
        return;
    auto [known, isNew] = adopted.try_emplace(slot.cell, e.cells.size());
    if (isNew) {
        const unsigned serial = e.cells[slot.cell].serial;
        e.cells.emplace_back().serial = serial;
    }
    slot.cell = known->second;
    slot.fillsCell = true;
}

// The lists and dicts from before that were changed since.
static SmallVector<unsigned> changedCells(ArrayRef<Cell> before, ArrayRef<Cell> after) {
    SmallVector<unsigned> changed;
    for (unsigned cell = 1; cell < before.size(); ++cell)
        if (after[cell].changes != before[cell].changes)
            changed.push_back(cell);
    return changed;
}

// A typed branch on a condition that is known at run time only; `arm` emits one and gives what it
// yields.
SmallVector<Val> Infer::branch(Location loc, const Val &condition,
                               llvm::function_ref<SmallVector<Val>(bool)> arm) {
    Region arms[2];
    SmallVector<Val> yields[2];
    bool raised[2];
    const unsigned firstInner = e.nextSymbol;
    const std::vector<Cell> before = e.cells;
    std::vector<Cell> after[2];
    for (int number : {0, 1}) {
        Attempt attempt(e);
        Block *block = new Block;
        arms[number].push_back(block);
        e.b.setInsertionPointToStart(block);
        addRelation(condition, number == 0);
        orRaise([&] { yields[number] = arm(number == 0); });
        raised[number] = std::exchange(ended, false);
        attempt.keep();
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
        if (raised[number]) // in the middle of a change, perhaps
            continue;
        std::swap(e.cells, after[number]);
        for (unsigned cell : changed)
            yields[number].push_back(contentsOf(e, cell));
        std::swap(e.cells, after[number]);
    }
    SmallVector<Slot> slots;
    for (int number : {0, 1})
        if (raised[number]) // what stands against nothing
            yields[number].assign(yields[!number].size(), e.neverVal());
    auto joinAll = [&](bool general) {
        llvm::SaveAndRestore grow(e.mayGrow, e.mayGrow && general),
            differ(e.mayDiffer, e.mayDiffer && general);
        slots.clear();
        for (auto [a, b] : llvm::zip_equal(yields[0], yields[1]))
            slots.push_back(join(e, slotOf(a), b, ""));
    };
    try {
        joinAll(false);
    } catch (const InferError &) { // the arms differ in kind: each value of the flag a variant
        e.demandConstant(condition);
        if (!e.mayGrow && !e.mayDiffer)
            throw;
        joinAll(true);
    }
    DenseMap<unsigned, unsigned> adopted;
    for (Slot &slot : slots) {
        carryInner(slot, firstInner);
        adopt(slot, before.size(), adopted);
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
        if (slot.blend != PyKind::Strong && isa<PyBoolType>(condition.type()))
            e.deciders[results.back().pyFlag.getName()] = e.parametersBehind(condition);
    }
    ended = raised[0] && raised[1];
    if (raised[0] != raised[1])
        addRelation(condition, raised[1], true);
    for (unsigned cell : llvm::reverse(changed))
        if (Val v = results.pop_back_val(); !ended)
            e.setContents(cell, v);
    return results;
}

//===-- What loops share

// A weak number that becomes strong in the body is strong from the start: the same value, and the
// same type after the loop if the body runs at all.
static bool strengthened(ArrayRef<Slot> before, ArrayRef<Slot> after) {
    return llvm::any_of(llvm::zip_equal(before, after), [](auto pair) {
        auto &[a, b] = pair;
        return a.kind == Slot::Kind::Typed && b.kind == Slot::Kind::Typed && isScalar(a.type) &&
               a.type != b.type;
    });
}

// An integer that never falls is at least what it was before the loop.
void Infer::addTrend(const Loop &loop, size_t variable, const Val &v) {
    if (loop.trends.empty() || loop.trends[variable] == 0 || !v.dim || !v.dim.isSymbol())
        return;
    const DimAttr first = loop.inits[variable].dim;
    loop.trends[variable] > 0 ? e.facts.addLower(v.dim.getName(), first)
                              : e.facts.addUpper(v.dim.getName(), first);
}

// Integers of a while loop with a trend, where indices may want to know: found once, and the body
// is then done again with what they say.
bool Infer::findTrends(Loop &loop, ArrayRef<Val> next, ArrayRef<Region *> regions) {
    if (!isa<WhileOp>(loop.op) || !loop.trends.empty())
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
        loop.trends.push_back(!numbers                                        ? 0
                              : e.facts.provesGreaterEqual(then.dim, now.dim) ? 1
                              : e.facts.provesGreaterEqual(now.dim, then.dim) ? -1
                                                                              : 0);
    }
    return llvm::any_of(loop.trends, [](int trend) { return trend != 0; });
}

// Opens a block of the typed loop: its arguments are `count` (the variable of a counted loop) and
// what is carried, which `captured` stands for from here on.
SmallVector<Val> Infer::enterLoop(const Loop &loop, Region &region, Type count,
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
        addTrend(loop, carried.size() - 1, carried.back());
        env[argument] = carried.back();
    }
    for (auto [slot, cell] :
         llvm::zip(ArrayRef(loop.slots).take_back(loop.cells.size()), loop.cells))
        e.setContents(cell, unpack(e, slot, rest));
    e.cells.emplace_back(); // nobody's: so that no two turns have one number
    e.turnCells = unsigned(e.cells.size());
    return carried;
}

// The body changed lists or dicts that are not carried yet: they will be.
bool Infer::carryChanged(Loop &loop, const Attempt &attempt) {
    bool more = false;
    const ArrayRef<Cell> now = ArrayRef(e.cells).take_front(attempt.cells.size());
    const std::vector<Cell> after = now.vec();
    std::copy(attempt.cells.begin(), attempt.cells.end(), e.cells.begin());
    for (unsigned cell : changedCells(attempt.cells, after)) {
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

// A list or dict that a turn made is not the one that the next turn makes.
static void forgetInner(Slot &slot, size_t outer) {
    for (Slot &item : slot.items)
        forgetInner(item, outer);
    if (slot.cell >= outer)
        slot.cell = unknownCell;
}

// The end of one attempt at a loop's body. True: the body hands on what was assumed at its entry,
// and np.next says so. False: the attempt is thrown away, and either the slots are wider now or
// there is a conflict.
bool Infer::endBody(Loop &loop, Attempt &attempt, ArrayRef<Region *> regions) {
    e.loc = loop.op->getLoc();
    const bool raised = std::exchange(ended, false); // always, where the body runs
    SmallVector<Val> next = vals(loop.next().getValues());
    for (unsigned cell : loop.cells)
        next.push_back(contentsOf(e, cell));
    if (raised) { // nothing behind the loop sees what the body stored to lists
        std::fill(next.begin(), next.end(), e.neverVal());
        std::copy(attempt.cells.begin(), attempt.cells.end(), e.cells.begin());
    }
    if (!raised)
        refuseEscaping(next,
                       llvm::map_to_vector(attempt.cells, [](const Cell &c) { return c.changes; }));
    const bool more = !raised && carryChanged(loop, attempt);
    SmallVector<Slot> joined;
    loop.conflict.reset();
    llvm::SaveAndRestore differ(e.mayDiffer, loop.mayDiffer);
    try {
        for (auto [slot, v] : llvm::zip(loop.slots, next)) {
            joined.push_back(join(e, slot, v, ""));
            forgetInner(joined.back(), attempt.cells.size());
            if (slot.kind == Slot::Kind::Never) // what a return in the body hands on
                carryInner(joined.back(), attempt.nextSymbol);
            for (const Slot &element : joined.back().element)
                checkItems(e, element, attempt.nextSymbol);
        }
    } catch (const InferError &error) {
        loop.conflict = error;
    }
    joined.append(loop.slots.begin() + joined.size(), loop.slots.end());
    const bool settled = !loop.conflict && !more && joined == loop.slots;
    if (!settled || (!raised && findTrends(loop, next, regions))) {
        attempt.abandon();
        visited = loop.op; // what the last operation of the body was given is gone
        for (Region *region : regions) {
            region->front().dropAllReferences();
            region->front().erase();
        }
        loop.stronger = !loop.conflict && strengthened(loop.slots, joined);
        if (!loop.conflict)
            loop.slots = std::move(joined);
        if (++loop.failures > 8)
            e.unsupported("the types of this loop's variables do not settle");
        return false;
    }
    SmallVector<Value> operands = packAll(loop.slots, next);
    Value go;
    if (loop.next().getGo() && !raised) {
        Val flag = e.truth(val(loop.next().getGo()));
        if (flag.constBool() != true)
            go = flag.value;
    }
    NextOp::create(e.b, loop.op->getLoc(), operands, go);
    attempt.keep();
    return true;
}

SmallVector<Value> Infer::packAll(ArrayRef<Slot> slots, ArrayRef<Val> values) {
    SmallVector<Value> operands;
    for (auto [slot, v] : llvm::zip(slots, values))
        pack(e, slot, v, operands);
    return operands;
}

// After a branch or loop: the captured results stand for what the typed op carries out.
void Infer::finishLoop(const Loop &loop, ValueRange results) {
    e.loc = loop.op->getLoc();
    for (auto [i, result] : llvm::enumerate(loop.op->getResults())) { // cells come behind them
        Val v = unpack(e, loop.slots[i], results);
        addTrend(loop, i, v);
        env[result] = std::move(v);
    }
    for (auto [slot, cell] :
         llvm::zip(ArrayRef(loop.slots).take_back(loop.cells.size()), loop.cells))
        e.setContents(cell, unpack(e, slot, results));
}

//===-- for

bool Infer::runsNever(const Counting &range) {
    return skipEmptyLoops && range.directed() &&
           e.assumeGreaterEqual(range.behind(), range.ahead());
}

bool Infer::runsOnce(const Counting &range) {
    return range.directed() &&
           e.assumeGreaterEqual(range.ahead(), dimAdd(range.behind(), e.dimConst(1)));
}

// One round of the body with the counter's bounds as facts; returns the counter.
DimAttr Infer::countedRound(Loop &loop, const Counting &range, Region &body,
                            llvm::function_ref<Val(const Val &)> element) {
    DimAttr counter = e.freshSymbol("i"), one = e.dimConst(1);
    if (range.directed()) {
        DimAttr least = range.up ? range.lower : dimAdd(range.upper, one);
        DimAttr greatest = range.up ? dimSub(range.upper, one) : range.lower;
        e.facts.addLower(counter.getName(), least);
        e.facts.addUpper(counter.getName(), greatest);
        e.facts.addGreaterEqual(greatest, least);
    }
    enterLoop(loop, body, PyIntType::get(e.ctx), loop.captured.getArguments().drop_front());
    visited = loop.op; // what an operation of the last attempt was given is gone
    Val count;
    count.kind = Val::Kind::Typed;
    count.value = body.front().getArgument(0);
    count.dim = counter;
    Val item = element(count);
    env[loop.captured.getArgument(0)] = std::move(item);
    walk(loop.captured);
    return counter;
}

// Writes the first round out before the loop, after which the variables have other types; false
// where that cannot be done.
bool Infer::peel(Loop &loop, Counting &range, llvm::function_ref<Val(const Val &)> element) {
    if (loop.next().getGo() || !runsOnce(range))
        return false;
    e.loc = loop.op->getLoc();
    for (auto [argument, v] : llvm::zip(loop.captured.getArguments().drop_front(), loop.inits))
        env[argument] = v;
    const Changes before = changesNow();
    Val item = element(e.sizeVal(range.lower));
    env[loop.captured.getArgument(0)] = std::move(item);
    walk(loop.captured);
    if (ended)
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
    Counting range{lower, upper, step};
    range.up = e.facts.greaterEqual(step, e.dimConst(1)) == Answer::Yes;
    range.down = !range.up && e.facts.less(step, e.dimConst(0)) == Answer::Yes;
    auto skip = [&] {
        for (auto [result, init] : llvm::zip(op.getResults(), op.getInits()))
            env[result] = Val(val(init));
    };
    if (range.directed() && e.facts.provesGreaterEqual(range.behind(), range.ahead()))
        return skip(); // a counter between such bounds would be a contradiction
    Region body;
    DimAttr counter;
    const llvm::DenseSet<unsigned> copied = e.copiedCells;
    for (int peels = 0;;) {
        Attempt attempt(e);
        try {
            counter = countedRound(loop, range, body, element);
        } catch (const InferError &error) { // in the first round it may be one of both for sure
            if (!error.conflict || peels++ == 2)
                throw;
            attempt.abandon();
            body.front().dropAllReferences();
            body.front().erase();
            e.copiedCells = copied;
            if (!peel(loop, range, element))
                throw;
            continue;
        }
        if (endBody(loop, attempt, &body))
            break;
        // Another dtype or rank after the first round.
        if (loop.conflict) {
            e.copiedCells = copied;
            if (!loop.mayDiffer && (peels++ == 2 || !peel(loop, range, element)))
                loop.letDiffer(e);
        }
        if (loop.stronger && !runsOnce(range) && runsNever(range))
            return skip();
    }
    SmallVector<Type> types;
    packedTypes(e, loop.slots, types);
    ForOp made = ForOp::create(e.b, op.getLoc(), types, e.b.getStringAttr(counter.getName()),
                               range.lower, range.upper, step, packAll(loop.slots, loop.inits));
    made.getBody().takeBody(body);
    if (op->hasAttr("promised"))
        made->setAttr("promised", e.b.getUnitAttr());
    finishLoop(loop, made.getResults());
    bool runs =
        range.directed() &&
        e.facts.greaterEqual(range.ahead(), dimAdd(range.behind(), e.dimConst(1))) == Answer::Yes;
    for (auto [result, given] : llvm::zip(op.getResults(), loop.next().getValues()))
        if (const Val &last = val(given); runs && val(result).pyFlag && last.isScalar() &&
                                          !last.pyFlag && !isPyScalar(last.type()))
            val(result).pyFlag = {}; // the body ran, and what it leaves is always strong
}

//===-- while

// The test of a while loop spoke of its own names for the carried integers; this is what it says
// about the body's.
void Infer::addTest(Val condition, ArrayRef<Val> tested, ArrayRef<Val> carried) {
    if (condition.relation == "all")
        for (const Val &part : condition.items)
            addTest(part, tested, carried);
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
        Attempt attempt(e);
        SmallVector<Val> tested = enterLoop(loop, before, {}, test.getArguments());
        walk(test);
        Val condition;
        if (!ended)
            orRaise([&] { condition = e.truth(val(cast<TestOp>(test.back()).getCondition())); });
        if (std::exchange(ended, false))
            condition = e.boolVal(false);
        TestOp::create(e.b, op.getLoc(), condition.value);
        for (unsigned cell : changedCells(attempt.cells, e.cells))
            if (!llvm::is_contained(loop.cells, cell))
                e.unsupported("a list or dict that the condition of 'while' changes is not "
                              "supported; change it in the body");
        loop.carried = enterLoop(loop, body, {}, loop.captured.getArguments());
        addTest(condition, tested, loop.carried);
        walk(loop.captured);
        if (endBody(loop, attempt, {&before, &body}))
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
