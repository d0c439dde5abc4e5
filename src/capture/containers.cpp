#include "capture/containers.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

Value emitSequence(FunctionEmitter &f, py::handle node, bool list) {
    SmallVector<Value> elements;
    SmallVector<int64_t> starred;
    for (py::handle element : field(node, "elts")) {
        bool star = kindOf(element) == Kind::Starred;
        if (star)
            starred.push_back(elements.size());
        elements.push_back(emitExpression(f, star ? field(element, "value")
                                                  : py::reinterpret_borrow<py::object>(element)));
    }
    auto op = np::TupleOp::create(f.builder, f.loc, f.any, elements,
                                  list ? f.builder.getUnitAttr() : UnitAttr());
    if (!starred.empty())
        op.setStarredAttr(f.builder.getDenseI64ArrayAttr(starred));
    return op;
}

Value makeDict(FunctionEmitter &f, ValueRange elements, ArrayRef<int64_t> starred) {
    auto op = np::TupleOp::create(f.builder, f.loc, f.any, elements, UnitAttr());
    op.setDictAttr(f.builder.getUnitAttr());
    if (!starred.empty())
        op.setStarredAttr(f.builder.getDenseI64ArrayAttr(starred));
    return op;
}

Value emitDict(FunctionEmitter &f, py::handle node) {
    SmallVector<Value> elements;
    SmallVector<int64_t> starred;
    for (auto [key, value] : llvm::zip(field(node, "keys"), field(node, "values"))) {
        if (key.is_none())
            starred.push_back(int64_t(elements.size()));
        else
            elements.push_back(emitExpression(f, key));
        elements.push_back(emitExpression(f, value));
    }
    return makeDict(f, elements, starred);
}

Value emitDictCall(FunctionEmitter &f, py::handle call) {
    SmallVector<Value> elements;
    SmallVector<int64_t> starred;
    auto several = [&](py::handle node) {
        starred.push_back(int64_t(elements.size()));
        elements.push_back(emitExpression(f, node));
    };
    for (py::handle argument : field(call, "args"))
        several(argument);
    for (py::handle keyword : field(call, "keywords")) {
        py::object name = field(keyword, "arg"), value = field(keyword, "value");
        if (name.is_none()) {
            several(value);
            continue;
        }
        elements.push_back(f.staticValue("str", text(name)));
        elements.push_back(emitExpression(f, value));
    }
    return makeDict(f, elements, starred);
}

} // namespace shapecast::capture
