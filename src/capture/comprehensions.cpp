#include "capture/comprehensions.h"
#include "capture/assignments.h"

#include "capture/conditions.h"
#include "capture/constants.h"
#include "capture/object_lists.h"

#include "llvm/Support/SaveAndRestore.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static Value emitFiltered(FunctionEmitter &f, py::handle node, size_t generator, size_t condition,
                          Value list);
static void bindComprehensionVariable(FunctionEmitter &f, py::handle target, Value value);

using Wanted = FunctionEmitter::Wanted;

static bool isTest(Wanted wanted) { return wanted == Wanted::Any || wanted == Wanted::All; }

static Value asBool(FunctionEmitter &f, Value truth) { return f.pyop("not", f.pyop("not", truth)); }

// One of several iterations that are written one after the other: of any() and all() only where
// those before have not decided.
static Value emitUnlessDecided(FunctionEmitter &f, Value before,
                               llvm::function_ref<Value(Value)> emit) {
    if (!isTest(f.wanted))
        return emit(before);
    Value holds = np::TruthOp::create(f.builder, f.loc, f.any, before);
    auto emitNext = [&] { return emit(before); };
    auto keep = [&] { return before; };
    return f.wanted == Wanted::All ? emitSelect(f, holds, emitNext, keep)
                                   : emitSelect(f, holds, keep, emitNext);
}

// The loop over the items of a generator, from whose iterations the variables of `:=` stay.
static Value emitLoop(FunctionEmitter &f, py::handle node, size_t generator, Value iterable,
                      Value list) {
    const std::vector<unsigned> assigned = assignedIn(f.syntax, node);
    const State before = f.state; // checks in the body do not dominate what follows
    SmallVector<Value> inits{list};
    for (unsigned variable : assigned) {
        Value value = f.state.locals[variable].value;
        inits.push_back(value ? value : f.unbound(f.syntax.locals[variable]));
    }
    const SmallVector<Type> types(inits.size(), f.any);
    auto op = np::ForEachOp::create(f.builder, f.loc, types, iterable, inits);
    op.setUnrollAttr(f.builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(f.builder);
    mlir::Block *body = f.builder.createBlock(&op.getBody());
    for (size_t i = 0; i <= inits.size(); ++i)
        body->addArgument(f.any, f.loc);
    auto bind = [&](ValueRange values) {
        for (auto [variable, value] : llvm::zip(assigned, values)) {
            const Binding &old = before.locals[variable];
            f.state.locals[variable] = {value, !old.value || old.maybeUnbound, Value()};
        }
    };
    bind(body->getArguments().drop_front(2));
    py::object here = field(node, "generators")[py::int_(generator)];
    bindComprehensionVariable(f, field(here, "target"), body->getArgument(0));
    const Wanted wanted = f.wanted;
    SmallVector<Value> next{emitFiltered(f, node, generator, 0, body->getArgument(1))};
    Value continues;
    if (wanted != Wanted::List)
        continues =
            f.pyop("not", np::TruthOp::create(f.builder, f.loc, f.any, next[0]).getResult());
    if (wanted == Wanted::All)
        continues = f.pyop("not", continues);
    for (unsigned variable : assigned)
        next.push_back(f.state.locals[variable].value);
    np::NextOp::create(f.builder, f.loc, next, continues);
    f.state = before;
    bind(op.getResults().drop_front());
    return op.getResult(0);
}

Value emitComprehension(FunctionEmitter &f, py::handle node, size_t generator, Value list) {
    py::object generators = field(node, "generators");
    if (generator == py::len(generators)) {
        const bool tests = isTest(f.wanted);
        llvm::SaveAndRestore others(f.wanted, Wanted::List);
        if (tests)
            return asBool(f, emitTruth(f, field(node, "elt")));
        Value item;
        if (kindOf(node) == Kind::DictComp) {
            Value key = emitExpression(f, field(node, "key")),
                  value = emitExpression(f, field(node, "value"));
            item = np::TupleOp::create(f.builder, f.loc, f.any, ValueRange{key, value}, UnitAttr());
        } else {
            item = emitExpression(f, field(node, "elt"));
        }
        return f.pyop("append", {list, item});
    }
    py::object here = generators[py::int_(generator)];
    const size_t outer = f.comprehensionVariables.size();
    if (auto iterations = objectIterations(f, field(here, "target"), field(here, "iter"))) {
        for (const Iteration &iteration : *iterations) {
            bindIteration(f, iteration, [&](py::handle target, Value value) {
                bindComprehensionVariable(f, target, value);
            });
            list = emitUnlessDecided(
                f, list, [&](Value before) { return emitFiltered(f, node, generator, 0, before); });
            forgetIteration(f, iteration);
            f.comprehensionVariables.resize(outer);
        }
        return list;
    }
    const Wanted wanted = std::exchange(f.wanted, Wanted::List);
    Value iterable = emitExpression(f, field(here, "iter"));
    f.wanted = wanted;
    list = emitLoop(f, node, generator, iterable, list);
    f.comprehensionVariables.resize(outer);
    return list;
}

Value emitNext(FunctionEmitter &f, py::handle items, py::handle call) {
    llvm::SaveAndRestore first(f.wanted, Wanted::First);
    SmallVector<Value> values{f.callNamed("builtins.iter", emitExpression(f, items))};
    f.wanted = Wanted::List;
    for (py::handle argument : field(call, "args")[py::slice(py::int_(1), py::none(), py::none())])
        values.push_back(emitExpression(f, argument));
    return f.callNamed("builtins.next", values);
}

Value emitAnyOrAll(FunctionEmitter &f, py::handle items, bool isAll) {
    llvm::SaveAndRestore test(f.wanted, isAll ? Wanted::All : Wanted::Any);
    return emitComprehension(f, items, 0, emitConstant(f, py::bool_(isAll), items));
}

static Value emitFiltered(FunctionEmitter &f, py::handle node, size_t generator, size_t condition,
                          Value list) {
    py::object conditions = field(field(node, "generators")[py::int_(generator)], "ifs");
    if (condition == py::len(conditions))
        return emitComprehension(f, node, generator + 1, list);
    const Wanted wanted = std::exchange(f.wanted, Wanted::List);
    Value test = emitTruth(f, conditions[py::int_(condition)]);
    f.wanted = wanted;
    return emitSelect(
        f, test, [&] { return emitFiltered(f, node, generator, condition + 1, list); },
        [&] { return list; });
}

static void bindComprehensionVariable(FunctionEmitter &f, py::handle target, Value value) {
    if (kindOf(target) == Kind::Name) {
        f.comprehensionVariables.emplace_back(identifier(target, "id"), value);
        return;
    }
    if (kindOf(target) != Kind::Tuple && kindOf(target) != Kind::List)
        unsupported(target, "the variable of a comprehension must be a name or a tuple of names");
    for (const auto &[part, item] : unpack(f, target, value))
        bindComprehensionVariable(f, part, item);
}

Value emitListOf(FunctionEmitter &f, py::handle node) {
    Value empty =
        np::TupleOp::create(f.builder, f.loc, f.any, ValueRange(), f.builder.getUnitAttr());
    return emitComprehension(f, node, 0, empty);
}

} // namespace shapecast::capture
