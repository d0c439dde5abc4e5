#include "capture/inherited_members.h"

#include "capture/arguments.h"
#include "capture/callees.h"
#include "capture/made_classes.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// The class after which super() of this method goes on; null for other nodes.
static py::object classOfSuper(FunctionEmitter &f, py::handle node) {
    if (!f.method.ofClass || kindOf(node) != Kind::Call ||
        kindOf(field(node, "func")) != Kind::Name ||
        identifier(field(node, "func"), "id") != "super")
        return {};
    std::optional<ExternalRef> callee = resolve(f, field(node, "func"));
    if (!callee || callee->object.ptr() != reinterpret_cast<PyObject *>(&PySuper_Type))
        return {};
    const py::object given = field(node, "args");
    if (py::len(given) == 0)
        return memberOf(f.function, py::str("__class__"));
    if (py::len(given) != 2 || !isSelf(f, given[py::int_(1)]))
        return {};
    std::optional<ExternalRef> named = resolve(f, given[py::int_(0)]);
    return named ? named->object : py::object();
}

// `call`: null for a property.
static Value callInherited(FunctionEmitter &f, py::handle node, py::handle after, py::handle call) {
    const std::string name = f.mangled(identifier(node, "attr"));
    const ClassMember member = memberOfClass(f.session, f.method.ofClass, name, after);
    SmallVector<Value> values;
    const auto closure = [&](const std::string &symbol) {
        return np::ClosureOp::create(f.builder, f.loc, f.any, symbol, ValueRange(), ValueRange());
    };
    if (!member.object && name == "__init__") { // object's
        const py::object function =
            py::module_::import("shapecast.library.bound_methods").attr("object_init");
        const std::string symbol = captureCallee(f, {function, {}, ""}, py::none(), node);
        return emitApplied(f, closure(symbol), {}, call);
    }
    if (!member.object)
        f.missingAttribute(node, "'super' object has no attribute '" + name + "'");
    const bool isProperty = isExactly(member.object, PyProperty_Type);
    const bool isStatic = isStaticMethod(member.object);
    const py::object function = isProperty ? member.object.attr("fget")
                                : isStatic ? member.object.attr("__func__")
                                           : member.object;
    if (!isPlainFunction(unwrapJitted(function)))
        unsupported(node, "super()." + name + " is not supported here; write what it gives");
    const py::object written = writtenMethod(f.method.ofClass, function);
    f.session.callStack.push_back(f.frameOf(rangeOf(node)));
    const std::string symbol =
        captureMethod(f.session, written, isStatic ? py::object() : f.method.ofClass, false);
    f.session.callStack.pop_back();
    if (!isStatic)
        values.push_back(f.readLocal(0));
    if (call && hasStarred(call))
        return emitApplied(f, closure(symbol), values, call);
    const ArrayAttr names =
        call ? emitArguments(f, call, values, /*mayBeObjects=*/true) : ArrayAttr();
    return np::CallOp::create(f.builder, f.loc, f.any, symbol, values, names, ArrayAttr(),
                              ArrayAttr())
        .getResult();
}

Value emitInheritedCall(FunctionEmitter &f, py::handle call) {
    const py::object callee = field(call, "func");
    if (kindOf(callee) != Kind::Attribute)
        return {};
    const py::object after = classOfSuper(f, field(callee, "value"));
    if (!after)
        return {};
    return callInherited(f, callee, after, call);
}

Value emitInheritedAttribute(FunctionEmitter &f, py::handle node) {
    const py::object after = classOfSuper(f, field(node, "value"));
    if (!after)
        return {};
    return callInherited(f, node, after, {});
}

} // namespace shapecast::capture
