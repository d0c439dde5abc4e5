#include "capture/flag_members.h"

#include "capture/constants.h"
#include "capture/made_classes.h"
#include "capture/object_kind.h"

namespace shapecast::capture {

namespace py = pybind11;

mlir::Value emitFlag(FunctionEmitter &f, py::handle member) {
    if (!isFlagMember(member))
        return {};
    const py::object type = py::type::of(member), ours = replacedClass(type);
    const py::object own = member.attr("__dict__");
    mlir::Type typeOfValue;
    const mlir::Attribute number = numberAttr(f.session, own.attr("get")("_value_"), typeOfValue);
    if (ours.is(type) || !number)
        return {};
    f.session.addGuard(own, "_value_", own.attr("get")("_value_"));
    f.session.addMadeClass(ours);
    const mlir::Value made = emitNewInstance(f, ours), name = f.staticValue("str", "_value"),
                      value = np::ConstOp::create(f.builder, f.loc, typeOfValue, number);
    np::MethodOp::create(f.builder, f.loc, f.any, made, "object.__setattr__",
                         mlir::ValueRange{name, value}, mlir::ArrayAttr());
    return made;
}

} // namespace shapecast::capture
