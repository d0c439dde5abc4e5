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
    State before = f.state;
    Region arms[2];
    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(f.builder);
        f.builder.createBlock(&arms[i]);
        ++f.conditionalDepth;
        Value value;
        if (Value refused = orRefusal(f, [&] { value = (i == 0 ? then : orelse)(); }))
            value = refused;
        --f.conditionalDepth;
        np::YieldOp::create(f.builder, where, value);
        f.state = before;
    }
    f.loc = where;
    auto op = np::IfOp::create(f.builder, f.loc, TypeRange(f.any), condition);
    op.getThenRegion().takeBody(arms[0]);
    op.getElseRegion().takeBody(arms[1]);
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
