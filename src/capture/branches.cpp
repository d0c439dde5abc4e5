#include "capture/branches.h"

#include "capture/assignments.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static void joinArms(FunctionEmitter &f, const Names &live, const State &before,
                     llvm::MutableArrayRef<State> ends, llvm::MutableArrayRef<Region> arms,
                     llvm::function_ref<Operation *(TypeRange)> make);

void emitBranch(FunctionEmitter &f, Value condition, const Names &live, Arm then, Arm orelse) {
    Location where = f.loc;
    State before = f.state;
    Region arms[2];
    State ends[2];
    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(f.builder);
        f.builder.createBlock(&arms[i]);
        (i == 0 ? then : orelse)();
        ends[i] = std::exchange(f.state, before);
    }
    f.loc = where;
    joinArms(f, live, before, ends, arms, [&](TypeRange types) -> Operation * {
        return np::IfOp::create(f.builder, where, types, condition);
    });
}

// One arm raised: it takes the values of the other one (`live`), so that nothing is yielded for
// those that `live` left as they were before. For those that `live` computed it has none, as they
// do not dominate the join: undefined values are yielded.
static void mergeRaisedArm(const State &before, const State &live, State &raised) {
    raised = live;
    for (auto [mine, theirs, old] : llvm::zip(raised.locals, live.locals, before.locals))
        if (theirs.value != old.value)
            mine.value = {};
    for (Flag State::*flag :
         {&State::reachable, &State::continues, &State::exitedByBreak, &State::returned})
        if (!(live.*flag).known && !(live.*flag == before.*flag))
            raised.*flag = Flag::of(false);
    if (live.result != before.result)
        raised.result = {};
}

// Makes the np.if (or np.try) of two arms: it yields what differs between their ends and is
// live.
static void joinArms(FunctionEmitter &f, const Names &live, const State &before,
                     MutableArrayRef<State> ends, MutableArrayRef<Region> arms,
                     llvm::function_ref<Operation *(TypeRange)> make) {
    f.state.raised = ends[0].raised && ends[1].raised;
    const bool oneRaised = ends[0].raised != ends[1].raised;
    if (oneRaised)
        mergeRaisedArm(before, ends[ends[0].raised], ends[ends[1].raised]);
    SmallVector<unsigned> variables;
    for (unsigned i = 0; i < f.state.locals.size(); ++i)
        if (live[i] && ends[0].locals[i].value != ends[1].locals[i].value)
            variables.push_back(i);
    SmallVector<Flag State::*> flags;
    auto addFlag = [&](Flag State::*flag, bool needed) {
        if (needed && !(ends[0].*flag == ends[1].*flag))
            flags.push_back(flag);
        else
            f.state.*flag = ends[0].*flag;
    };
    addFlag(&State::reachable, f.readsReachable);
    addFlag(&State::continues, !f.loops.empty());
    addFlag(&State::exitedByBreak, !f.loops.empty() && f.loops.back().needsExitedByBreak);
    addFlag(&State::returned, !f.loops.empty() && f.loops.back().needsReturned);
    bool result = ends[0].result != ends[1].result;

    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(f.builder);
        f.builder.setInsertionPointToEnd(&arms[i].front());
        SmallVector<Value> values;
        for (unsigned variable : variables) {
            Value value = ends[i].locals[variable].value;
            values.push_back(value ? value : f.unbound(f.syntax.locals[variable]));
        }
        for (Flag State::*flag : flags)
            values.push_back(f.materialise(ends[i].*flag));
        if (result)
            values.push_back(f.resultOr(ends[i].result));
        np::YieldOp::create(f.builder, f.loc, values);
    }
    SmallVector<Type> types(variables.size() + flags.size() + result, f.any);
    Operation *op = make(types);
    op->getRegion(0).takeBody(arms[0]);
    op->getRegion(1).takeBody(arms[1]);

    for (unsigned i = 0; i < f.state.locals.size(); ++i) {
        const Binding &a = ends[0].locals[i], &b = ends[1].locals[i];
        bool maybeUnbound =
            oneRaised ? a.maybeUnbound : !a.value || a.maybeUnbound || !b.value || b.maybeUnbound;
        if (a.value != b.value)
            f.state.locals[i] = {}; // dead, or set below
        else
            f.state.locals[i] = {a.value, maybeUnbound,
                                 a.value == before.locals[i].value ? before.locals[i].checked
                                                                   : Value()};
        if (llvm::is_contained(variables, i))
            f.state.locals[i].maybeUnbound = maybeUnbound;
    }
    unsigned next = 0;
    for (unsigned variable : variables)
        f.state.locals[variable].value = op->getResult(next++);
    for (Flag State::*flag : flags)
        f.state.*flag = Flag::of(op->getResult(next++));
    f.state.result = result ? op->getResult(next) : ends[0].result;
}

void emitTry(FunctionEmitter &f, const Statement &s, const Names &after) {
    SmallVector<Value> classes;
    for (py::handle type : field(s.node, "classes"))
        classes.push_back(emitExpression(f, type));
    Location where = f.loc;
    State before = f.state;
    Region arms[2];
    State ends[2];
    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(f.builder);
        f.builder.createBlock(&arms[i]);
        if (i == 0)
            emitBlock(f, s.body, after);
        ends[i] = std::exchange(f.state, before);
    }
    f.loc = where;
    Operation *tryOp = nullptr;
    joinArms(f, after, before, ends, arms, [&](TypeRange yielded) {
        SmallVector<Type> types(yielded);
        types.append(3, f.any);
        return tryOp = np::TryOp::create(f.builder, where, types, classes);
    });
    f.state.reachable = Flag::of(true);
    for (auto [target, value] :
         llvm::zip(field(s.node, "targets"), tryOp->getResults().take_back(3)))
        assign(f, target, value);
}

} // namespace shapecast::capture
