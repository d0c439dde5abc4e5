#include "capture/subscripts.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static SmallVector<Value> emitElements(FunctionEmitter &f, py::handle tuple);

Value emitSlice(FunctionEmitter &f, py::handle node) {
    Value parts[3];
    const char *names[] = {"lower", "upper", "step"};
    for (int i : {0, 1, 2}) {
        py::object given = field(node, names[i]);
        parts[i] = given.is_none() ? f.none() : emitExpression(f, given);
    }
    return np::SliceOp::create(f.builder, f.loc, f.any, parts[0], parts[1], parts[2]);
}

SmallVector<Value> emitKeys(FunctionEmitter &f, py::handle slice) {
    const bool isTuple = kindOf(slice) == Kind::Tuple;
    if (!isTuple || py::len(field(slice, "elts")) == 1) // the key of d[k,] is a tuple
        return {emitExpression(f, slice)};
    return emitElements(f, slice);
}

static SmallVector<Value> emitElements(FunctionEmitter &f, py::handle tuple) {
    SmallVector<Value> values;
    for (py::handle element : field(tuple, "elts"))
        values.push_back(emitExpression(f, element));
    return values;
}

Value emitIndexTrick(FunctionEmitter &f, py::handle node) {
    py::handle base = field(node, "value");
    if (kindOf(base) != Kind::Attribute && kindOf(base) != Kind::Name)
        return {};
    std::optional<ExternalRef> found = lookUp(f, base);
    for (const char *name : {"mgrid", "ogrid", "r_", "c_", "s_", "index_exp"}) {
        if (!found || !found->object.is(f.session.numpy.attr(name)))
            continue;
        f.session.addGuard(*found);
        const py::object slice = field(node, "slice");
        const bool isTuple = kindOf(slice) == Kind::Tuple;
        SmallVector<Value> given = isTuple ? emitElements(f, slice) : emitKeys(f, slice);
        given.insert(given.begin(), f.boolean(isTuple));
        return f.callNamed(("numpy." + llvm::StringRef(name)).str(), given);
    }
    return {};
}

} // namespace shapecast::capture
