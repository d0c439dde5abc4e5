#include "capture/for_loops.h"

#include "capture/assignments.h"
#include "capture/branches.h"
#include "capture/conditions.h"
#include "capture/object_lists.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

namespace {

struct Carried { // one loop-carried value: a variable or a flag
    enum What { Variable, ExitedByBreak, Returned, Result } what;
    unsigned index = 0;        // of the variable
    bool maybeUnbound = false; // on some path to the loop
};

} // namespace

static void checkLoopTarget(FunctionEmitter &f, py::handle target);
static std::vector<Carried> carriedOf(const FunctionEmitter &f, const Statement &s,
                                      const Names &header);
static Operation *emitForEach(FunctionEmitter &f, const Statement &s, ArrayRef<Carried> carried);
static Operation *emitWhile(FunctionEmitter &f, const Statement &s, ArrayRef<Carried> carried);
static Statement *synthesiseIf(FunctionEmitter &f, const Statement &loop, Value condition,
                               Block body, Block orelse);
static Statement *synthesiseReturn(FunctionEmitter &f, const Statement &loop, Value value);

bool emitLoop(FunctionEmitter &f, const Statement &s, ArrayRef<Statement *> rest,
              const Names &after, const Names &out) {
    if (s.kind == Kind::For)
        checkLoopTarget(f, field(s.node, "target"));
    if (s.kind == Kind::For && !f.objectIteration.contains(&s))
        if (auto iterations = objectIterations(f, field(s.node, "target"), field(s.node, "iter")))
            return emitLoop(f, *objectLoop(f, s, *iterations), rest, after, out);
    LoopLiveness live = loopLiveness(s, after, f.enclosingLoop());
    std::vector<Carried> carried = carriedOf(f, s, live.header);
    State before = f.state;
    bool outerReadsReachable = std::exchange(f.readsReachable, false);
    f.loops.push_back(
        {live, s.bodyBreaks && !s.orelse.empty(), s.bodyReturns && !s.infinite, s.iterationDefs});
    Location where = f.loc;
    Operation *op = s.kind == Kind::For ? emitForEach(f, s, carried) : emitWhile(f, s, carried);
    f.loc = where;
    f.loops.pop_back();
    f.readsReachable = outerReadsReachable;

    f.state = before;
    for (unsigned i : s.iterationDefs.set_bits())
        f.state.locals[i] = {};
    Value exitedByBreak, returned, result;
    for (auto [c, value] : llvm::zip(carried, op->getResults())) {
        switch (c.what) {
        case Carried::Variable:
            f.state.locals[c.index] = {value, c.maybeUnbound, {}};
            break;
        case Carried::ExitedByBreak:
            exitedByBreak = value;
            break;
        case Carried::Returned:
            returned = value;
            break;
        case Carried::Result:
            result = value;
            break;
        }
    }
    if (s.infinite && s.bodyReturns) {
        f.returnValue(result);
        return true;
    }
    if (!returned && s.orelse.empty())
        return false;
    Block tail;
    if (returned)
        tail.push_back(synthesiseIf(f, s, returned, {synthesiseReturn(f, s, result)}, {}));
    if (exitedByBreak)
        tail.push_back(synthesiseIf(f, s, exitedByBreak, {}, s.orelse));
    else
        tail.insert(tail.end(), s.orelse.begin(), s.orelse.end());
    tail.insert(tail.end(), rest.begin(), rest.end());
    emitBlock(f, tail, out);
    return true;
}

static void checkLoopTarget(FunctionEmitter &f, py::handle target) {
    if (kindOf(target) == Kind::Tuple || kindOf(target) == Kind::List)
        for (py::handle element : field(target, "elts"))
            checkLoopTarget(f, element);
    else if (kindOf(target) == Kind::Starred)
        checkLoopTarget(f, field(target, "value"));
    else if (kindOf(target) != Kind::Name)
        unsupported(
            target,
            "a loop variable must be a name or a tuple of names; assign to the item in the body");
}

static bool tries(ArrayRef<Statement *> block) {
    return llvm::any_of(block, [](const Statement *s) {
        return s->kind == Kind::Attempt || tries(s->body) || tries(s->orelse);
    });
}

static std::vector<Carried> carriedOf(const FunctionEmitter &f, const Statement &s,
                                      const Names &header) {
    std::vector<Carried> carried;
    Names assigned = s.iterationDefs;
    assigned &= header;
    // A jump out of a try leaves a variable unbound where only other paths read it.
    const bool tried = tries(s.body);
    for (unsigned i : assigned.set_bits()) {
        const Binding &binding = f.state.locals[i];
        carried.push_back({Carried::Variable, i, !binding.value || binding.maybeUnbound || tried});
    }
    if (s.bodyBreaks && !s.orelse.empty())
        carried.push_back({Carried::ExitedByBreak});
    if (s.bodyReturns && !s.infinite)
        carried.push_back({Carried::Returned});
    if (s.bodyReturns)
        carried.push_back({Carried::Result});
    return carried;
}

// The loop-carried values at this point: initial ones, or those for the next iteration.
static SmallVector<Value> currentValues(FunctionEmitter &f, ArrayRef<Carried> carried) {
    SmallVector<Value> values;
    for (const Carried &c : carried) {
        switch (c.what) {
        case Carried::Variable: {
            Value value = f.state.locals[c.index].value;
            values.push_back(value ? value : f.unbound(f.syntax.locals[c.index]));
            break;
        }
        case Carried::ExitedByBreak:
            values.push_back(f.materialise(f.state.exitedByBreak));
            break;
        case Carried::Returned:
            values.push_back(f.materialise(f.state.returned));
            break;
        case Carried::Result:
            values.push_back(f.resultOr(f.state.result));
            break;
        }
    }
    return values;
}

// Variables at the start of an iteration: the carried ones come from `values`, other assigned ones
// are dead.
static void enterIteration(FunctionEmitter &f, const Statement &s, ArrayRef<Carried> carried,
                           ValueRange values) {
    f.state.reachable = f.state.continues = Flag::of(true);
    f.state.exitedByBreak = f.state.returned = Flag::of(false);
    f.state.result = {};
    for (unsigned i : s.iterationDefs.set_bits())
        f.state.locals[i] = {};
    for (auto [c, value] : llvm::zip(carried, values)) {
        if (c.what == Carried::Variable)
            f.state.locals[c.index] = {value, c.maybeUnbound, {}};
        else if (c.what == Carried::Result)
            f.state.result = value; // passed on where the iteration does not return
    }
}

// The loop's body and its np.next. The insertion point is the start of the body.
static void emitLoopBody(FunctionEmitter &f, const Statement &s, ArrayRef<Carried> carried) {
    Location where = f.loc;
    const Names out = f.loops.back().live.header; // a copy: inner loops reallocate `loops`
    if (s.testAssigns) {                          // `:=` in the test: it is emitted in the body
        Value condition = emitTruth(f, field(s.node, "test"));
        emitBranch(
            f, condition, out, [&] { emitBlock(f, s.body, out); },
            [&] { f.state.reachable = f.state.continues = Flag::of(false); });
    } else {
        emitBlock(f, s.body, out);
    }
    f.loc = where;
    SmallVector<Value> values = currentValues(f, carried);
    Value continues = f.state.continues.is(true) ? Value() : f.materialise(f.state.continues);
    np::NextOp::create(f.builder, f.loc, values, continues);
}

static Operation *emitForEach(FunctionEmitter &f, const Statement &s, ArrayRef<Carried> carried) {
    auto objects = f.objectIteration.find(&s);
    Value iterable =
        objects == f.objectIteration.end()
            ? emitExpression(f, field(s.node, "iter"))
            : np::TupleOp::create(f.builder, f.loc, f.any, f.none(), UnitAttr()).getResult();
    // The flags' initial values: neither break nor return.
    State before = f.state;
    f.state.exitedByBreak = f.state.returned = Flag::of(false);
    f.state.result = {};
    SmallVector<Value> inits = currentValues(f, carried);
    SmallVector<Type> types(carried.size(), f.any);
    auto op = np::ForEachOp::create(f.builder, f.loc, types, iterable, inits);
    f.state = before;
    OpBuilder::InsertionGuard guard(f.builder);
    types.push_back(f.any);
    SmallVector<Location> locations(types.size(), f.loc);
    mlir::Block *body = f.builder.createBlock(&op.getBody(), {}, types, locations);
    enterIteration(f, s, carried, body->getArguments().drop_front());
    if (objects == f.objectIteration.end())
        assign(f, field(s.node, "target"), body->getArgument(0));
    else
        bindIteration(f, objects->second,
                      [&](py::handle target, Value value) { assign(f, target, value); });
    emitLoopBody(f, s, carried);
    if (objects != f.objectIteration.end())
        forgetIteration(f, objects->second);
    return op;
}

static Operation *emitWhile(FunctionEmitter &f, const Statement &s, ArrayRef<Carried> carried) {
    State before = f.state;
    f.state.exitedByBreak = f.state.returned = Flag::of(false);
    f.state.result = {};
    SmallVector<Value> inits = currentValues(f, carried);
    SmallVector<Type> types(carried.size(), f.any);
    SmallVector<Location> locations(carried.size(), f.loc);
    auto op = np::WhileOp::create(f.builder, f.loc, types, inits);
    OpBuilder::InsertionGuard guard(f.builder);
    f.state = before;
    mlir::Block *test = f.builder.createBlock(&op.getBefore(), {}, types, locations);
    enterIteration(f, s, carried, test->getArguments());
    Value condition = s.testAssigns ? f.boolean(true) : emitTruth(f, field(s.node, "test"));
    np::TestOp::create(f.builder, f.loc, condition);
    f.state = before;
    mlir::Block *body = f.builder.createBlock(&op.getBody(), {}, types, locations);
    enterIteration(f, s, carried, body->getArguments());
    emitLoopBody(f, s, carried);
    return op;
}

static Statement *synthesiseIf(FunctionEmitter &f, const Statement &loop, Value condition,
                               Block body, Block orelse) {
    Statement &s = *f.syntax.all.emplace_back(std::make_unique<Statement>());
    s.kind = Kind::If;
    s.value = condition;
    s.range = loop.range;
    s.uses = s.defs = s.assigned = Names(f.syntax.locals.size());
    s.falls = fallsThrough(body) || fallsThrough(orelse);
    for (const Block *block : {&body, &orelse})
        for (const Statement *inner : *block) {
            s.mayBreak |= inner->mayBreak;
            s.mayContinue |= inner->mayContinue;
            s.mayReturn |= inner->mayReturn;
            s.assigned |= inner->assigned;
        }
    s.body = std::move(body);
    s.orelse = std::move(orelse);
    return &s;
}

static Statement *synthesiseReturn(FunctionEmitter &f, const Statement &loop, Value value) {
    Statement &s = *f.syntax.all.emplace_back(std::make_unique<Statement>());
    s.kind = Kind::Return;
    s.value = value;
    s.range = loop.range;
    s.uses = s.defs = s.assigned = Names(f.syntax.locals.size());
    s.mayReturn = true;
    s.falls = false;
    return &s;
}

Statement *synthesiseContinuation(FunctionEmitter &f, const Statement &branch) {
    Statement &s = *f.syntax.all.emplace_back(std::make_unique<Statement>());
    s.kind = Kind::Continuation;
    s.range = branch.range;
    s.uses = s.defs = s.assigned = Names(f.syntax.locals.size());
    return &s;
}

} // namespace shapecast::capture
