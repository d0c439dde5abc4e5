// np-infer: branches and loops. Bodies are emitted into a scratch region, and again until the types
// assumed at their entry reach a fixed point.
#include "passes/infer/loops.h"

#include "ir/error_names.h"
#include "ops/builder/cells.h"
#include "ops/builder/conversions.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/slot.h"
#include "ops/builder/tuple_objects.h"
#include "passes/infer/branches.h"
#include "passes/infer/carried.h"
#include "passes/infer/escapes.h"
#include "passes/infer/transaction.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// A captured loop that is being typed.
struct LoopState {
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
    LoopState(Operation *op, Block &captured, ArrayRef<Val> inits) : op(op), captured(captured) {
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
struct CountedRange {
    DimAttr lower, upper, step;
    bool up = false, down = false;
    bool hasKnownSign() const { return up || down; }
    DimAttr upperEnd() const { return up ? upper : lower; }
    DimAttr lowerEnd() const { return up ? lower : upper; }
};

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
static void addMonotoneBound(Inference &in, const LoopState &loop, size_t variable, const Val &v) {
    TypedBuilder &e = in.e;
    if (loop.directions.empty() || loop.directions[variable] == 0 || !v.dim || !v.dim.isSymbol())
        return;
    const DimAttr first = loop.inits[variable].dim;
    loop.directions[variable] > 0 ? e.facts.addLower(v.dim.getName(), first)
                                  : e.facts.addUpper(v.dim.getName(), first);
}

// Finds the monotone integers of a while loop with checks of indices, once; the body is then
// emitted again with their bounds.
static bool findMonotone(Inference &in, LoopState &loop, ArrayRef<Val> next,
                         ArrayRef<Region *> regions) {
    TypedBuilder &e = in.e;
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
static SmallVector<Val> openLoopBlock(Inference &in, const LoopState &loop, Region &region,
                                      Type count, ValueRange captured) {
    TypedBuilder &e = in.e;
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
        addMonotoneBound(in, loop, carried.size() - 1, carried.back());
        in.env[argument] = carried.back();
    }
    for (auto [slot, cell] :
         llvm::zip(ArrayRef(loop.slots).take_back(loop.cells.size()), loop.cells))
        storeCell(e, cell, unpack(e, slot, rest));
    e.cells.emplace_back(); // unused: it makes the number of cells unique to this body
    e.iterationCells = unsigned(e.cells.size());
    return carried;
}

// Adds the lists and dicts that the body changed to the carried ones; whether there are new ones.
static bool carryChangedCells(Inference &in, LoopState &loop, const Transaction &transaction) {
    TypedBuilder &e = in.e;
    bool more = false;
    const ArrayRef<Cell> now = ArrayRef(e.cells).take_front(transaction.cells.size());
    const std::vector<Cell> after = now.vec();
    std::copy(transaction.cells.begin(), transaction.cells.end(), e.cells.begin());
    for (unsigned cell : changedCells(transaction.cells, after)) {
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

// Tuples that grow from iteration to iteration are objects in memory, where they can be.
static Slot joinOfIterations(TypedBuilder &e, const Slot &slot, const Val &v) {
    try {
        return join(e, slot, v, "");
    } catch (const InferError &error) {
        Slot object = slot;
        if (!error.joinConflict || !isPlainTuple(v) || !useTupleObjects(e, object))
            throw;
        return object;
    }
}

[[noreturn]] static void refuseChangingTypes(TypedBuilder &e, const LoopState &loop,
                                             ArrayRef<Slot> after, ArrayRef<Val> values) {
    std::string how;
    if (loop.conflict)
        how = (": " + StringRef(loop.conflict->message).split(';').first).str();
    for (auto [slot, other, v] : llvm::zip(loop.slots, after, values))
        if (how.empty() && !(slot == other))
            how = ": one is now " + v.describe();
    constexpr size_t mostCharacters = 160; // not a list of many kinds
    if (how.size() > mostCharacters)
        how.clear();
    e.unsupported("the types of this loop's variables change with every iteration" + how +
                  "; give each variable one type");
}

// Ends one attempt at a loop's body. True: a fixed point, the body yields the types assumed at its
// entry; np.next is emitted. False: the attempt is erased, and either the slots are wider now or
// there is a conflict.
static bool closeLoopBody(Inference &in, LoopState &loop, Transaction &transaction,
                          ArrayRef<Region *> regions) {
    TypedBuilder &e = in.e;
    e.loc = loop.op->getLoc();
    const bool raised = std::exchange(in.unreachable, false); // in every iteration
    SmallVector<Val> next = in.vals(loop.next().getValues());
    for (unsigned cell : loop.cells)
        next.push_back(contentsOf(e, cell));
    if (raised) { // code after the loop does not see what the body stored to lists
        std::fill(next.begin(), next.end(), e.neverVal());
        std::copy(transaction.cells.begin(), transaction.cells.end(), e.cells.begin());
    }
    if (!raised)
        refuseEscaping(in, next, llvm::map_to_vector(transaction.cells, [](const Cell &c) {
                           return c.changes;
                       }));
    const bool more = !raised && carryChangedCells(in, loop, transaction);
    SmallVector<Slot> joined;
    loop.conflict.reset();
    llvm::SaveAndRestore differ(e.mayMakeUnions, loop.mayMakeUnions);
    try {
        for (auto [slot, v] : llvm::zip(loop.slots, next)) {
            joined.push_back(joinOfIterations(e, slot, v));
            forgetInnerCells(joined.back(), transaction.cells.size());
            if (slot.kind == Slot::Kind::Never) // the value of a `return` in the body
                carryInnerSizes(in, joined.back(), transaction.nextSymbol);
            for (const Slot &element : joined.back().element)
                checkItemSizes(e, element, transaction.nextSymbol);
        }
    } catch (const InferError &error) {
        loop.conflict = error;
    }
    joined.append(loop.slots.begin() + joined.size(), loop.slots.end());
    const bool isFixedPoint = !loop.conflict && !more && joined == loop.slots;
    if (!isFixedPoint || (!raised && findMonotone(in, loop, next, regions))) {
        transaction.rollBack();
        in.currentOp = loop.op; // the operands of the body's last operation are gone
        for (Region *region : regions) {
            region->front().dropAllReferences();
            region->front().erase();
        }
        loop.becameStrong = !loop.conflict && weakBecameStrong(loop.slots, joined);
        constexpr int fewFailures = 4, mostFailures = 8;
        if (loop.failures >= fewFailures) // tuples in tuples, one more with each iteration
            for (auto [slot, before] : llvm::zip_equal(joined, loop.slots))
                if (!(slot == before))
                    useTupleObjects(e, slot);
        if (++loop.failures > mostFailures)
            refuseChangingTypes(e, loop, joined, next);
        if (!loop.conflict)
            loop.slots = std::move(joined);
        return false;
    }
    SmallVector<Value> operands = packAll(in, loop.slots, next);
    Value go;
    if (loop.next().getCondition() && !raised) {
        Val flag = truth(e, in.val(loop.next().getCondition()));
        if (flag.constBool() != true)
            go = flag.value;
    }
    NextOp::create(e.b, loop.op->getLoc(), operands, go);
    transaction.commit();
    return true;
}

// After a loop: maps the captured results to the typed loop's.
static void finishLoop(Inference &in, const LoopState &loop, ValueRange results) {
    TypedBuilder &e = in.e;
    e.loc = loop.op->getLoc();
    for (auto [i, result] : llvm::enumerate(loop.op->getResults())) { // those of cells follow
        Val v = unpack(e, loop.slots[i], results);
        addMonotoneBound(in, loop, i, v);
        in.env[result] = std::move(v);
    }
    for (auto [slot, cell] :
         llvm::zip(ArrayRef(loop.slots).take_back(loop.cells.size()), loop.cells))
        storeCell(e, cell, unpack(e, slot, results));
}

//===-- for

static bool hasNoIteration(Inference &in, const CountedRange &range) {
    TypedBuilder &e = in.e;
    return in.skipEmptyLoops && range.hasKnownSign() &&
           e.assumeGreaterEqual(range.lowerEnd(), range.upperEnd());
}

static bool hasIteration(Inference &in, const CountedRange &range) {
    TypedBuilder &e = in.e;
    return range.hasKnownSign() &&
           e.assumeGreaterEqual(range.upperEnd(), dimAdd(range.lowerEnd(), e.dimConst(1)));
}

// Emits the body once, with the induction variable's bounds as facts; returns that variable.
static DimAttr emitCountedBody(Inference &in, LoopState &loop, const CountedRange &range,
                               Region &body, llvm::function_ref<Val(const Val &)> element) {
    TypedBuilder &e = in.e;
    DimAttr counter = e.freshSymbol("i"), one = e.dimConst(1);
    if (range.hasKnownSign()) {
        DimAttr least = range.up ? range.lower : dimAdd(range.upper, one);
        DimAttr greatest = range.up ? dimSub(range.upper, one) : range.lower;
        e.facts.addLower(counter.getName(), least);
        e.facts.addUpper(counter.getName(), greatest);
        e.facts.addGreaterEqual(greatest, least);
    }
    openLoopBlock(in, loop, body, PyIntType::get(e.ctx), loop.captured.getArguments().drop_front());
    in.currentOp = loop.op; // the operands of the last attempt's operations are erased
    Val count;
    count.kind = Val::Kind::Typed;
    count.value = body.front().getArgument(0);
    count.dim = counter;
    Val item = element(count);
    in.env[loop.captured.getArgument(0)] = std::move(item);
    in.walk(loop.captured);
    return counter;
}

// Peels the first iteration, after which the variables have other types; false where that cannot be
// done.
static bool peel(Inference &in, LoopState &loop, CountedRange &range,
                 llvm::function_ref<Val(const Val &)> element) {
    TypedBuilder &e = in.e;
    if (loop.next().getCondition() || !hasIteration(in, range))
        return false;
    e.loc = loop.op->getLoc();
    for (auto [argument, v] : llvm::zip(loop.captured.getArguments().drop_front(), loop.inits))
        in.env[argument] = v;
    const Changes before = changesNow(in);
    Val item = element(e.sizeVal(range.lower));
    in.env[loop.captured.getArgument(0)] = std::move(item);
    in.walk(loop.captured);
    if (in.unreachable)
        return false;
    SmallVector<Val> next = in.vals(loop.next().getValues());
    refuseEscaping(in, next, before);
    for (unsigned cell : loop.cells)
        next.push_back(contentsOf(e, cell));
    loop.carry(next);
    range.lower = e.facts.canonical(dimAdd(range.lower, range.step));
    return true;
}

void shapecast::countedLoop(Inference &in, ForEachOp op, DimAttr lower, DimAttr upper, DimAttr step,
                            llvm::function_ref<Val(const Val &)> element) {
    TypedBuilder &e = in.e;
    LoopState loop(op, op.getBody().front(), in.vals(op.getInits()));
    CountedRange range{lower, upper, step};
    range.up = e.facts.greaterEqual(step, e.dimConst(1)) == Answer::Yes;
    range.down = !range.up && e.facts.less(step, e.dimConst(0)) == Answer::Yes;
    auto skip = [&] {
        for (auto [result, init] : llvm::zip(op.getResults(), op.getInits()))
            in.env[result] = Val(in.val(init));
    };
    if (range.hasKnownSign() && e.facts.provesGreaterEqual(range.lowerEnd(), range.upperEnd()))
        return skip(); // an induction variable between such bounds would be a contradiction
    Region body;
    DimAttr counter;
    const llvm::DenseSet<unsigned> copied = e.copiedCells;
    for (int peels = 0;;) {
        Transaction transaction(e);
        try {
            counter = emitCountedBody(in, loop, range, body, element);
        } catch (const InferError &error) { // with the first iteration peeled there may be no union
            if (!error.joinConflict || peels++ == 2)
                throw;
            transaction.rollBack();
            body.front().dropAllReferences();
            body.front().erase();
            e.copiedCells = copied;
            if (!peel(in, loop, range, element))
                throw;
            continue;
        }
        if (closeLoopBody(in, loop, transaction, &body))
            break;
        // Another dtype or rank after the first iteration.
        if (loop.conflict) {
            e.copiedCells = copied;
            if (!loop.mayMakeUnions && (peels++ == 2 || !peel(in, loop, range, element)))
                loop.letDiffer(e);
        }
        if (loop.becameStrong && !hasIteration(in, range) && hasNoIteration(in, range))
            return skip();
    }
    SmallVector<Type> types;
    packedTypes(e, loop.slots, types);
    ForOp made = ForOp::create(e.b, op.getLoc(), types, e.b.getStringAttr(counter.getName()),
                               range.lower, range.upper, step, packAll(in, loop.slots, loop.inits));
    made.getBody().takeBody(body);
    if (op.getPrange())
        made.setPrangeAttr(e.b.getUnitAttr());
    finishLoop(in, loop, made.getResults());
    bool runs = range.hasKnownSign() &&
                e.facts.greaterEqual(range.upperEnd(), dimAdd(range.lowerEnd(), e.dimConst(1))) ==
                    Answer::Yes;
    for (auto [result, given] : llvm::zip(op.getResults(), loop.next().getValues()))
        if (const Val &last = in.val(given); runs && in.val(result).weakFlag && last.isScalar() &&
                                             !last.weakFlag && !isPyScalar(last.type()))
            in.val(result).weakFlag = {}; // the body was executed, and its result is always strong
}

//===-- while

// Adds the facts of a while loop's condition to the body: they are over the symbols of the
// condition's block, and are renamed to the body's.
static void addTestFacts(Inference &in, Val condition, ArrayRef<Val> tested,
                         ArrayRef<Val> carried) {
    if (condition.relation == "all")
        for (const Val &part : condition.items)
            addTestFacts(in, part, tested, carried);
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
    addRelation(in, condition, true);
}

// while test: body  ->  go = True; while go: go = test; if go: body
// What the test changes is carried then, as what the body changes is.
static WhileOp withTestInBody(Inference &in, WhileOp op) {
    const Location loc = op.getLoc();
    const Type any = anyTensor(in.e.ctx);
    OpBuilder b(in.e.ctx);
    b.setInsertionPointToEnd(
        &in.expansions.emplace_back(std::make_unique<Region>())->emplaceBlock());
    auto boolean = [&](bool value) {
        Value placeholder = UnboundOp::create(b, loc, any, "a loop's");
        in.env[placeholder] = in.e.boolVal(value);
        return placeholder;
    };
    const Value yes = boolean(true), no = boolean(false);
    SmallVector<Value> inits = llvm::to_vector(op.getInits());
    inits.push_back(yes);
    const SmallVector<Type> types(inits.size(), any);
    const SmallVector<Location> locations(inits.size(), loc);
    auto made = WhileOp::create(b, loc, types, inits, StringAttr());
    Block *before = b.createBlock(&made.getBefore(), {}, types, locations);
    TestOp::create(b, loc, before->getArguments().back());
    Block *body = b.createBlock(&made.getBody(), {}, types, locations);
    const ValueRange carried = body->getArguments().drop_back();
    IRMapping mapping;
    auto copy = [&](Block &from) {
        mapping.map(from.getArguments(), carried);
        for (Operation &inner : from.without_terminator())
            b.clone(inner, mapping);
    };
    Block &test = op.getBefore().front(), &old = op.getBody().front();
    copy(test);
    const Value condition = cast<TestOp>(test.back()).getCondition();
    auto branch =
        IfOp::create(b, loc, types,
                     TruthOp::create(b, loc, any, mapping.lookupOrDefault(condition)).getResult());
    NextOp::create(b, loc, branch.getResults(), Value());
    b.createBlock(&branch.getThenRegion());
    copy(old);
    auto next = cast<NextOp>(old.back());
    SmallVector<Value> values;
    for (Value value : next.getValues())
        values.push_back(mapping.lookupOrDefault(value));
    values.push_back(next.getCondition() ? mapping.lookupOrDefault(next.getCondition()) : yes);
    YieldOp::create(b, loc, values);
    b.createBlock(&branch.getElseRegion());
    values = llvm::to_vector(carried);
    values.push_back(no);
    YieldOp::create(b, loc, values);
    return made;
}

void shapecast::visitWhile(Inference &in, WhileOp op) {
    TypedBuilder &e = in.e;
    Block &test = op.getBefore().front();
    LoopState loop(op, op.getBody().front(), in.vals(op.getInits()));
    Region before, body;
    for (;;) {
        Transaction transaction(e);
        SmallVector<Val> tested = openLoopBlock(in, loop, before, {}, test.getArguments());
        in.walk(test);
        Val condition;
        if (!in.unreachable)
            orRaise(in, [&] {
                condition = truth(e, in.val(cast<TestOp>(test.back()).getCondition()));
            });
        if (std::exchange(in.unreachable, false))
            condition = e.boolVal(false);
        TestOp::create(e.b, op.getLoc(), condition.value);
        auto isCarried = [&](unsigned cell) { return llvm::is_contained(loop.cells, cell); };
        if (!llvm::all_of(changedCells(transaction.cells, e.cells), isCarried)) {
            transaction.rollBack();
            WhileOp other = withTestInBody(in, op);
            visitWhile(in, other);
            for (auto [mine, theirs] : llvm::zip(op.getResults(), other.getResults()))
                in.env[mine] = in.env[theirs];
            return;
        }
        loop.carried = openLoopBlock(in, loop, body, {}, loop.captured.getArguments());
        addTestFacts(in, condition, tested, loop.carried);
        in.walk(loop.captured);
        if (closeLoopBody(in, loop, transaction, {&before, &body}))
            break;
        if (loop.conflict)
            loop.letDiffer(e);
    }
    SmallVector<Type> types;
    packedTypes(e, loop.slots, types);
    WhileOp made =
        WhileOp::create(e.b, op.getLoc(), types, packAll(in, loop.slots, loop.inits), StringAttr());
    made.getBefore().takeBody(before);
    made.getBody().takeBody(body);
    finishLoop(in, loop, made.getResults());
}
