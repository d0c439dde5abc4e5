#include "capture/arguments.h"

#include "capture/comprehensions.h"
#include "capture/functions.h"
#include "capture/objects.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// Objects are not SSA values; the callee is specialised for them. Functions of Python and NumPy
// iterate over a generator expression once, so it is emitted as a list.
static Value emitArgument(FunctionEmitter &f, py::handle node, bool mayBeObject) {
    if (!mayBeObject && className(node) == "GeneratorExp")
        return emitListOf(f, node);
    if (mayBeObject && objectArgument(f, node))
        return f.none();
    return emitUse(f, node, Use::Passed);
}

Value emitUse(FunctionEmitter &f, py::handle node, Use use) {
    const Location before = f.loc;
    f.setLocation(node);
    Value value = kindOf(node) == Kind::Name     ? emitName(f, node, use)
                  : kindOf(node) == Kind::Lambda ? emitClosure(f, node, "", use, node)
                                                 : Value();
    f.loc = before;
    return value ? value : emitExpression(f, node);
}

void emitPositional(FunctionEmitter &f, py::handle call, SmallVector<Value> &values,
                    bool mayBeObjects) {
    for (py::handle argument : field(call, "args")) {
        if (kindOf(argument) == Kind::Starred)
            unsupported(call, "'*' in a call of a method is not supported; write the arguments out "
                              "one by one");
        values.push_back(emitArgument(f, argument, mayBeObjects));
    }
}

ArrayAttr emitArguments(FunctionEmitter &f, py::handle call, SmallVector<Value> &values,
                        bool mayBeObjects) {
    emitPositional(f, call, values, mayBeObjects);
    return emitKeywordArguments(f, call, values, mayBeObjects);
}

bool hasStarred(py::handle call) {
    return llvm::any_of(field(call, "args"),
                        [](py::handle one) { return kindOf(one) == Kind::Starred; });
}

Value emitApplied(FunctionEmitter &f, Value function, SmallVector<Value> values, py::handle call) {
    SmallVector<int64_t> starred;
    for (py::handle argument : field(call, "args")) {
        const bool star = kindOf(argument) == Kind::Starred;
        if (star)
            starred.push_back(int64_t(values.size()));
        values.push_back(star ? emitExpression(f, field(argument, "value"))
                              : emitUse(f, argument, Use::Passed));
    }
    const ArrayAttr names = emitKeywordArguments(f, call, values);
    auto op = np::ApplyOp::create(f.builder, f.loc, f.any, function, values, names);
    if (!starred.empty())
        op.setStarredAttr(f.builder.getDenseI64ArrayAttr(starred));
    return op;
}

ArrayAttr emitKeywordArguments(FunctionEmitter &f, py::handle call, SmallVector<Value> &values,
                               bool mayBeObjects) {
    SmallVector<std::string> names;
    for (py::handle keyword : field(call, "keywords")) {
        py::object value = field(keyword, "value");
        if (field(keyword, "arg").is_none())
            names.push_back("**");
        else
            names.push_back(identifier(keyword, "arg"));
        values.push_back(emitArgument(f, value, mayBeObjects));
    }
    return names.empty() ? ArrayAttr()
                         : f.builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names));
}

} // namespace shapecast::capture
