#include "capture/conditions.h"

#include "capture/refusals.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

Value emitTruth(FunctionEmitter &f, py::handle node) {
    if (kindOf(node) == Kind::BoolOp)
        return emitBoolOp(f, node, className(field(node, "op")) == "And", 0, /*truths=*/true);
    if (kindOf(node) == Kind::UnaryOp && className(field(node, "op")) == "Not")
        return f.pyop("not", emitTruth(f, field(node, "operand")));
    Value value = emitExpression(f, node);
    Location before = f.loc;
    f.setLocation(node);
    value = np::TruthOp::create(f.builder, f.loc, f.any, value);
    f.loc = before;
    return value;
}

Value emitSelect(FunctionEmitter &f, Value condition, llvm::function_ref<Value()> then,
                 llvm::function_ref<Value()> orelse) {
    Location where = f.loc;
    State before = f.state, ends[2];
    Region arms[2];
    Value values[2];
    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(f.builder);
        f.builder.createBlock(&arms[i]);
        if (Value refused = orRefusal(f, [&] { values[i] = (i == 0 ? then : orelse)(); }))
            values[i] = refused;
        ends[i] = std::exchange(f.state, before);
    }
    f.loc = where;
    SmallVector<unsigned> assigned;
    for (unsigned k = 0; k < before.locals.size(); ++k)
        if (ends[0].locals[k].value != ends[1].locals[k].value)
            assigned.push_back(k);
    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(f.builder);
        f.builder.setInsertionPointToEnd(&arms[i].front());
        SmallVector<Value> yielded{values[i]};
        for (unsigned k : assigned) {
            Value value = ends[i].locals[k].value;
            yielded.push_back(value ? value : f.unbound(f.syntax.locals[k]));
        }
        np::YieldOp::create(f.builder, where, yielded);
    }
    SmallVector<Type> types(1 + assigned.size(), f.any);
    auto op = np::IfOp::create(f.builder, f.loc, types, condition);
    op.getThenRegion().takeBody(arms[0]);
    op.getElseRegion().takeBody(arms[1]);
    for (auto [k, value] : llvm::zip(assigned, op.getResults().drop_front())) {
        const auto maybeUnbound = [k = k](const State &end) {
            return !end.locals[k].value || end.locals[k].maybeUnbound;
        };
        f.state.locals[k] = {value, maybeUnbound(ends[0]) || maybeUnbound(ends[1]), Value()};
    }
    return op.getResult(0);
}

Value emitBoolOp(FunctionEmitter &f, py::handle node, bool isAnd, size_t first, bool truths) {
    py::object values = field(node, "values");
    py::object operand = values[py::int_(first)];
    Value value = truths ? emitTruth(f, operand) : emitExpression(f, operand);
    if (first + 1 == py::len(values))
        return value;
    Location where = f.loc;
    f.setLocation(operand);
    Value condition =
        truths ? value : np::TruthOp::create(f.builder, f.loc, f.any, value).getResult();
    f.loc = where;
    auto rest = [&] { return emitBoolOp(f, node, isAnd, first + 1, truths); };
    auto stop = [&] { return value; };
    return isAnd ? emitSelect(f, condition, rest, stop) : emitSelect(f, condition, stop, rest);
}

} // namespace shapecast::capture
