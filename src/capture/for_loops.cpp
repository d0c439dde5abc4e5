// Loops: loop-carried variables are those that the body assigns and that are live; break and return
// become flags.
#include "capture/emitter.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// Returns whether the rest of the block has been emitted.
bool FunctionEmitter::loop(const Statement &s, ArrayRef<Statement *> rest, const Names &after,
                           const Names &out) {
    if (s.kind == Kind::For)
        checkLoopTarget(field(s.node, "target"));
    if (s.kind == Kind::For && !objectIteration.contains(&s))
        if (auto iterations = objectIterations(field(s.node, "target"), field(s.node, "iter")))
            return loop(*objectLoop(s, *iterations), rest, after, out);
    LoopLiveness live = loopLiveness(s, after, enclosingLoop());
    std::vector<Carried> carried = carriedOf(s, live.header);
    State before = state;
    bool outerReadsReachable = std::exchange(readsReachable, false);
    loops.push_back(
        {live, s.bodyBreaks && !s.orelse.empty(), s.bodyReturns && !s.infinite, s.iterationDefs});
    Location where = loc;
    Operation *op = s.kind == Kind::For ? foreach (s, carried) : whileLoop(s, carried);
    loc = where;
    loops.pop_back();
    readsReachable = outerReadsReachable;

    state = before;
    for (unsigned i : s.iterationDefs.set_bits())
        state.locals[i] = {};
    Value exitedByBreak, returned, result;
    for (auto [c, value] : llvm::zip(carried, op->getResults())) {
        switch (c.what) {
        case Carried::Variable:
            state.locals[c.index] = {value, c.maybeUnbound, {}};
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
        returnValue(result);
        return true;
    }
    if (!returned && s.orelse.empty())
        return false;
    Block tail;
    if (returned)
        tail.push_back(synthesiseIf(s, returned, {synthesiseReturn(s, result)}, {}));
    if (exitedByBreak)
        tail.push_back(synthesiseIf(s, exitedByBreak, {}, s.orelse));
    else
        tail.insert(tail.end(), s.orelse.begin(), s.orelse.end());
    tail.insert(tail.end(), rest.begin(), rest.end());
    block(tail, out);
    return true;
}

void FunctionEmitter::checkLoopTarget(py::handle target) {
    if (kindOf(target) == Kind::Tuple || kindOf(target) == Kind::List)
        for (py::handle element : field(target, "elts"))
            checkLoopTarget(element);
    else if (kindOf(target) == Kind::Starred)
        checkLoopTarget(field(target, "value"));
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

std::vector<FunctionEmitter::Carried> FunctionEmitter::carriedOf(const Statement &s,
                                                                 const Names &header) const {
    std::vector<Carried> carried;
    Names assigned = s.iterationDefs;
    assigned &= header;
    // A jump out of a try leaves a variable unbound where only other paths read it.
    const bool tried = tries(s.body);
    for (unsigned i : assigned.set_bits()) {
        const Binding &binding = state.locals[i];
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
SmallVector<Value> FunctionEmitter::currentValues(ArrayRef<Carried> carried) {
    SmallVector<Value> values;
    for (const Carried &c : carried) {
        switch (c.what) {
        case Carried::Variable: {
            Value value = state.locals[c.index].value;
            values.push_back(value ? value : unbound(syntax.locals[c.index]));
            break;
        }
        case Carried::ExitedByBreak:
            values.push_back(materialise(state.exitedByBreak));
            break;
        case Carried::Returned:
            values.push_back(materialise(state.returned));
            break;
        case Carried::Result:
            values.push_back(resultOr(state.result));
            break;
        }
    }
    return values;
}

// Variables at the start of an iteration: the carried ones come from `values`, other assigned ones
// are dead.
void FunctionEmitter::enterIteration(const Statement &s, ArrayRef<Carried> carried,
                                     ValueRange values) {
    state.reachable = state.continues = Flag::of(true);
    state.exitedByBreak = state.returned = Flag::of(false);
    state.result = {};
    for (unsigned i : s.iterationDefs.set_bits())
        state.locals[i] = {};
    for (auto [c, value] : llvm::zip(carried, values)) {
        if (c.what == Carried::Variable)
            state.locals[c.index] = {value, c.maybeUnbound, {}};
        else if (c.what == Carried::Result)
            state.result = value; // passed on where the iteration does not return
    }
}

// The loop's body and its np.next. The insertion point is the start of the body.
void FunctionEmitter::loopBody(const Statement &s, ArrayRef<Carried> carried) {
    Location where = loc;
    const Names out = loops.back().live.header; // a copy: inner loops reallocate `loops`
    if (s.testAssigns) {                        // `:=` in the test: it is emitted in the body
        Value condition = truth(field(s.node, "test"));
        branch(
            condition, out, [&] { block(s.body, out); },
            [&] { state.reachable = state.continues = Flag::of(false); });
    } else {
        block(s.body, out);
    }
    loc = where;
    SmallVector<Value> values = currentValues(carried);
    Value continues = state.continues.is(true) ? Value() : materialise(state.continues);
    np::NextOp::create(builder, loc, values, continues);
}

Operation *FunctionEmitter::foreach (const Statement &s, ArrayRef<Carried> carried) {
    auto objects = objectIteration.find(&s);
    Value iterable = objects == objectIteration.end()
                         ? expression(field(s.node, "iter"))
                         : np::TupleOp::create(builder, loc, any, none(), UnitAttr()).getResult();
    // The flags' initial values: neither break nor return.
    State before = state;
    state.exitedByBreak = state.returned = Flag::of(false);
    state.result = {};
    SmallVector<Value> inits = currentValues(carried);
    SmallVector<Type> types(carried.size(), any);
    auto op = np::ForEachOp::create(builder, loc, types, iterable, inits);
    state = before;
    OpBuilder::InsertionGuard guard(builder);
    types.push_back(any);
    SmallVector<Location> locations(types.size(), loc);
    mlir::Block *body = builder.createBlock(&op.getBody(), {}, types, locations);
    enterIteration(s, carried, body->getArguments().drop_front());
    if (objects == objectIteration.end())
        assign(field(s.node, "target"), body->getArgument(0));
    else
        bindIteration(objects->second,
                      [&](py::handle target, Value value) { assign(target, value); });
    loopBody(s, carried);
    if (objects != objectIteration.end())
        forgetIteration(objects->second);
    return op;
}

Operation *FunctionEmitter::whileLoop(const Statement &s, ArrayRef<Carried> carried) {
    State before = state;
    state.exitedByBreak = state.returned = Flag::of(false);
    state.result = {};
    SmallVector<Value> inits = currentValues(carried);
    SmallVector<Type> types(carried.size(), any);
    SmallVector<Location> locations(carried.size(), loc);
    auto op = np::WhileOp::create(builder, loc, types, inits);
    OpBuilder::InsertionGuard guard(builder);
    state = before;
    mlir::Block *test = builder.createBlock(&op.getBefore(), {}, types, locations);
    enterIteration(s, carried, test->getArguments());
    Value condition = s.testAssigns ? boolean(true) : truth(field(s.node, "test"));
    np::TestOp::create(builder, loc, condition);
    state = before;
    mlir::Block *body = builder.createBlock(&op.getBody(), {}, types, locations);
    enterIteration(s, carried, body->getArguments());
    loopBody(s, carried);
    return op;
}

//===-- What follows a loop

Statement *FunctionEmitter::synthesiseIf(const Statement &loop, Value condition, Block body,
                                         Block orelse) {
    Statement &s = *syntax.all.emplace_back(std::make_unique<Statement>());
    s.kind = Kind::If;
    s.value = condition;
    s.range = loop.range;
    s.uses = s.defs = s.assigned = Names(syntax.locals.size());
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

Statement *FunctionEmitter::synthesiseReturn(const Statement &loop, Value value) {
    Statement &s = *syntax.all.emplace_back(std::make_unique<Statement>());
    s.kind = Kind::Return;
    s.value = value;
    s.range = loop.range;
    s.uses = s.defs = s.assigned = Names(syntax.locals.size());
    s.mayReturn = true;
    s.falls = false;
    return &s;
}

Statement *FunctionEmitter::synthesiseContinuation(const Statement &branch) {
    Statement &s = *syntax.all.emplace_back(std::make_unique<Statement>());
    s.kind = Kind::Continuation;
    s.range = branch.range;
    s.uses = s.defs = s.assigned = Names(syntax.locals.size());
    return &s;
}

} // namespace shapecast::capture
