// np-infer: branches and loops. Bodies are emitted into a scratch region and thrown away when the
// types assumed at their entry turn out too narrow.
#include "passes/infer.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// What an abandoned attempt must give back.
struct Attempt {
    TypedBuilder &e;
    unsigned nextSymbol;
    size_t guards;
    DimFacts::Mark mark;
    OpBuilder::InsertPoint point;
    explicit Attempt(TypedBuilder &e)
        : e(e), nextSymbol(e.nextSymbol), guards(e.guards.size()), mark(e.facts.mark()),
          point(e.b.saveInsertionPoint()) {}
    void abandon() {
        e.nextSymbol = nextSymbol;
        e.guards.truncate(guards);
        keep();
    }
    void keep() { // the body's facts hold in the body only
        e.facts.rewind(mark);
        e.b.restoreInsertionPoint(point);
    }
};

} // namespace

//===-- Branches
//---------------------------------------------------------------------------------===//

void Infer::addRelation(const Val &condition, bool holds) {
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
    if (op == "ge")
        e.facts.addGreaterEqual(a, b);
    else if (op == "gt")
        e.facts.addGreaterEqual(a, dimAdd(b, one));
    else if (op == "le")
        e.facts.addGreaterEqual(b, a);
    else if (op == "lt")
        e.facts.addGreaterEqual(b, dimAdd(a, one));
    else if (op == "eq")
        e.facts.addEqual(a, b);
    else
        e.facts.addNotEqual(a, b);
}

void Infer::visitIf(IfOp op) {
    Location loc = op.getLoc();
    Val condition = e.truth(val(op.getCondition()));
    if (std::optional<bool> known = condition.constBool()) {
        Block &live = (*known ? op.getThenRegion() : op.getElseRegion()).front();
        walk(live);
        for (auto [result, value] :
             llvm::zip(op.getResults(), cast<YieldOp>(live.back()).getValues()))
            env[result] = Val(val(value));
        return;
    }
    Region arms[2];
    SmallVector<Val> yields[2];
    for (int arm : {0, 1}) {
        Attempt attempt(e);
        Block *block = new Block;
        arms[arm].push_back(block);
        e.b.setInsertionPointToStart(block);
        addRelation(condition, arm == 0);
        Block &captured = (arm == 0 ? op.getThenRegion() : op.getElseRegion()).front();
        walk(captured);
        yields[arm] = vals(cast<YieldOp>(captured.back()).getValues());
        attempt.keep();
    }
    e.loc = loc;
    SmallVector<Slot> slots;
    for (auto [a, b] : llvm::zip(yields[0], yields[1]))
        slots.push_back(join(e, slotOf(a), b, ""));
    SmallVector<Type> types;
    packedTypes(e, slots, types);
    for (int arm : {0, 1}) {
        OpBuilder::InsertionGuard guard(e.b);
        e.b.setInsertionPointToEnd(&arms[arm].front());
        SmallVector<Value> operands;
        for (auto [slot, v] : llvm::zip(slots, yields[arm]))
            pack(e, slot, v, operands);
        YieldOp::create(e.b, loc, operands);
    }
    IfOp made = IfOp::create(e.b, loc, types, condition.value);
    made.getThenRegion().takeBody(arms[0]);
    made.getElseRegion().takeBody(arms[1]);
    finishLoop(op, slots, made.getResults());
}

// After a branch or loop: the captured results stand for what the typed op carries out.
void Infer::finishLoop(Operation *op, ArrayRef<Slot> slots, ValueRange results) {
    e.loc = op->getLoc();
    for (auto [slot, result] : llvm::zip(slots, op->getResults())) {
        Val v = unpack(e, slot, results);
        env[result] = std::move(v);
    }
}

//===-- for
//--------------------------------------------------------------------------------------===//

void Infer::visitForEach(ForEachOp op) {
    Val iterable = val(op.getIterable());
    if (iterable.isTuple())
        return unroll(op, iterable.items);
    if (iterable.kind == Val::Kind::Range)
        return countedLoop(op, iterable.items[0].dim, iterable.items[1].dim, iterable.items[2].dim,
                           [](const Val &counter) { return counter; });
    if (!iterable.isArray() || iterable.array().getRank() == 0)
        e.fail("TypeError", "'" + e.describe(iterable) + "' object is not iterable");
    countedLoop(op, e.dimConst(0), e.dimsOf(iterable)[0], e.dimConst(1),
                [&](const Val &counter) { return e.getItem(iterable, {counter}); });
}

void Infer::unroll(ForEachOp op, ArrayRef<Val> items) {
    Block &body = op.getBody().front();
    SmallVector<Val> carried = vals(op.getInits());
    for (const Val &item : items) {
        env[body.getArgument(0)] = item;
        for (auto [argument, v] : llvm::zip(body.getArguments().drop_front(), carried))
            env[argument] = v;
        walk(body);
        auto next = cast<NextOp>(body.back());
        carried = vals(next.getValues());
        if (!next.getGo())
            continue;
        std::optional<bool> go = e.truth(val(next.getGo())).constBool();
        if (!go)
            e.unsupported("break or return inside a loop over a tuple, decided at run time; loop "
                          "over an array or a range");
        if (!*go)
            break;
    }
    for (auto [result, v] : llvm::zip(op.getResults(), carried))
        env[result] = v;
}

static SmallVector<Slot> joinAll(TypedBuilder &e, ArrayRef<Slot> slots, ArrayRef<Val> next) {
    SmallVector<Slot> joined;
    for (auto [slot, v] : llvm::zip_equal(slots, next))
        joined.push_back(join(e, slot, v, ""));
    return joined;
}

// A weak number that becomes strong in the body is strong from the start: the same value, and the
// same type after the loop if the body runs at all.
static bool strengthened(ArrayRef<Slot> before, ArrayRef<Slot> after) {
    return llvm::any_of(llvm::zip_equal(before, after), [](auto pair) {
        auto &[a, b] = pair;
        return a.kind == Slot::Kind::Typed && b.kind == Slot::Kind::Typed && isScalar(a.type) &&
               a.type != b.type;
    });
}

void Infer::countedLoop(ForEachOp op, DimAttr lower, DimAttr upper, DimAttr step,
                        llvm::function_ref<Val(const Val &)> element) {
    Location loc = op.getLoc();
    Block &captured = op.getBody().front();
    auto captureNext = cast<NextOp>(captured.back());
    SmallVector<Val> inits = vals(op.getInits());
    SmallVector<Slot> slots = llvm::map_to_vector(inits, slotOf);
    bool up = e.facts.greaterEqual(step, e.dimConst(1)) == Answer::Yes;
    bool down = !up && e.facts.less(step, e.dimConst(0)) == Answer::Yes;
    DimAttr one = e.dimConst(1);
    Region body;
    DimAttr counter;
    int peels = 0;
    for (int attempts = 0;; ++attempts) {
        if (attempts > 8)
            e.unsupported("the types of this loop's variables do not settle");
        Attempt attempt(e);
        Block *block = new Block;
        body.push_back(block);
        e.b.setInsertionPointToStart(block);
        SmallVector<Type> types = {PyIntType::get(e.ctx)};
        packedTypes(e, slots, types);
        block->addArguments(types, SmallVector<Location>(types.size(), loc));
        counter = e.freshSymbol("i");
        if (up || down) {
            e.facts.addLower(counter.getName(), up ? lower : dimAdd(upper, one));
            e.facts.addUpper(counter.getName(), up ? dimSub(upper, one) : lower);
            up ? e.facts.addGreaterEqual(dimSub(upper, one), lower)
               : e.facts.addGreaterEqual(lower, dimAdd(upper, one));
        }
        e.loc = loc;
        Val count;
        count.kind = Val::Kind::Typed;
        count.value = block->getArgument(0);
        count.dim = counter;
        ValueRange rest = block->getArguments().drop_front();
        for (auto [slot, argument] : llvm::zip(slots, captured.getArguments().drop_front())) {
            Val v = unpack(e, slot, rest);
            env[argument] = std::move(v);
        }
        Val item = element(count);
        env[captured.getArgument(0)] = std::move(item);
        walk(captured);
        e.loc = loc;
        SmallVector<Val> next = vals(captureNext.getValues());
        SmallVector<Slot> joined;
        std::optional<InferError> conflict;
        try {
            joined = joinAll(e, slots, next);
        } catch (const InferError &error) {
            conflict = error;
        }
        if (conflict || joined != slots) {
            bool stronger = !conflict && strengthened(slots, joined);
            attempt.abandon();
            block->dropAllReferences();
            block->erase();
            if (conflict) { // another dtype or rank after the first round: that round is written
                            // out before the loop
                bool canPeel = peels++ < 2 && !captureNext.getGo() && (up || down);
                if (!canPeel ||
                    !e.assumeGreaterEqual(up ? upper : lower, dimAdd(up ? lower : upper, one)))
                    throw *conflict;
                e.loc = loc;
                for (auto [argument, v] : llvm::zip(captured.getArguments().drop_front(), inits))
                    env[argument] = v;
                Val item = element(e.sizeVal(lower));
                env[captured.getArgument(0)] = std::move(item);
                walk(captured);
                inits = vals(captureNext.getValues());
                slots = llvm::map_to_vector(inits, slotOf);
                lower = e.facts.canonical(dimAdd(lower, step));
                continue;
            }
            slots = std::move(joined);
            if (stronger && (up || down))
                e.assumeGreaterEqual(up ? upper : lower, dimAdd(up ? lower : upper, one));
            continue;
        }
        SmallVector<Value> operands;
        for (auto [slot, v] : llvm::zip(slots, next))
            pack(e, slot, v, operands);
        Value go;
        if (captureNext.getGo()) {
            Val flag = e.truth(val(captureNext.getGo()));
            if (flag.constBool() != true)
                go = flag.value;
        }
        NextOp::create(e.b, loc, operands, go);
        attempt.keep();
        break;
    }
    SmallVector<Value> operands;
    for (auto [slot, v] : llvm::zip(slots, inits))
        pack(e, slot, v, operands);
    SmallVector<Type> types;
    packedTypes(e, slots, types);
    ForOp made = ForOp::create(e.b, loc, types, e.b.getStringAttr(counter.getName()), lower, upper,
                               step, operands);
    made.getBody().takeBody(body);
    finishLoop(op, slots, made.getResults());
    bool runs =
        (up || down) &&
        e.facts.greaterEqual(up ? upper : lower, dimAdd(up ? lower : upper, one)) == Answer::Yes;
    for (auto [result, given] : llvm::zip(op.getResults(), captureNext.getValues()))
        if (const Val &last = val(given); runs && val(result).pyFlag && last.isScalar() &&
                                          !last.pyFlag && !isPyScalar(last.type()))
            val(result).pyFlag = {}; // the body ran, and what it leaves is always strong
}

//===-- while
//------------------------------------------------------------------------------------===//

void Infer::visitWhile(WhileOp op) {
    Location loc = op.getLoc();
    Block &capturedBefore = op.getBefore().front(), &capturedBody = op.getBody().front();
    auto captureNext = cast<NextOp>(capturedBody.back());
    SmallVector<Val> inits = vals(op.getInits());
    SmallVector<Slot> slots = llvm::map_to_vector(inits, slotOf);
    Region before, body;
    auto enter = [&](Region &region,
                     Block &captured) { // a block with the carried variables as arguments
        Block *block = new Block;
        region.push_back(block);
        e.b.setInsertionPointToStart(block);
        SmallVector<Type> types;
        packedTypes(e, slots, types);
        block->addArguments(types, SmallVector<Location>(types.size(), loc));
        e.loc = loc;
        ValueRange rest = block->getArguments();
        SmallVector<Val> carried;
        for (auto [slot, argument] : llvm::zip(slots, captured.getArguments())) {
            Val v = unpack(e, slot, rest);
            carried.push_back(v);
            env[argument] = std::move(v);
        }
        return carried;
    };
    for (int attempts = 0;; ++attempts) {
        if (attempts > 8)
            e.unsupported("the types of this loop's variables do not settle");
        Attempt attempt(e);
        SmallVector<Val> tested = enter(before, capturedBefore);
        walk(capturedBefore);
        Val condition = e.truth(val(cast<TestOp>(capturedBefore.back()).getCondition()));
        TestOp::create(e.b, loc, condition.value);
        SmallVector<Val> carried = enter(body, capturedBody);
        if (condition.lhs) { // the test spoke of its own names for the carried integers
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
        walk(capturedBody);
        e.loc = loc;
        SmallVector<Val> next = vals(captureNext.getValues());
        SmallVector<Slot> joined = joinAll(e, slots, next);
        if (joined != slots) {
            attempt.abandon();
            for (Region *region : {&before, &body}) {
                region->front().dropAllReferences();
                region->front().erase();
            }
            slots = std::move(joined);
            continue;
        }
        SmallVector<Value> operands;
        for (auto [slot, v] : llvm::zip(slots, next))
            pack(e, slot, v, operands);
        Value go;
        if (captureNext.getGo()) {
            Val flag = e.truth(val(captureNext.getGo()));
            if (flag.constBool() != true)
                go = flag.value;
        }
        NextOp::create(e.b, loc, operands, go);
        attempt.keep();
        break;
    }
    SmallVector<Value> operands;
    for (auto [slot, v] : llvm::zip(slots, inits))
        pack(e, slot, v, operands);
    SmallVector<Type> types;
    packedTypes(e, slots, types);
    WhileOp made = WhileOp::create(e.b, loc, types, operands);
    made.getBefore().takeBody(before);
    made.getBody().takeBody(body);
    finishLoop(op, slots, made.getResults());
}
