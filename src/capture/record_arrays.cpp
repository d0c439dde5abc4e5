#include "capture/record_arrays.h"

#include "capture/objects.h"
#include "capture/subscripts.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static py::object constantText(py::handle index) {
    if (kindOf(index) != Kind::Constant)
        return {};
    py::object value = field(index, "value");
    return PyUnicode_CheckExact(value.ptr()) ? value : py::object();
}

std::optional<ExternalRef> fieldOf(FunctionEmitter &f, const ExternalRef &records,
                                   py::handle index) {
    py::object name = constantText(index);
    if (!name || !records.object.attr("dtype").attr("names").contains(name))
        return std::nullopt;
    return itemOf(f, records, name);
}

// The keys for p['x'] to give p[keys]['x']: where the field has axes of its own, they are not
// indexed.
static SmallVector<Value> emitRecordKeys(FunctionEmitter &f, py::handle keys, py::handle dtype) {
    SmallVector<Value> indices = emitKeys(f, keys);
    const size_t ownAxes = py::len(dtype.attr("shape"));
    auto isEllipsis = [](Value key) {
        auto constant = key.getDefiningOp<np::ConstOp>();
        auto value = constant ? dyn_cast<np::PyAttr>(constant.getValue()) : np::PyAttr();
        return value && value.getKind() == "ellipsis";
    };
    if (ownAxes && llvm::none_of(indices, isEllipsis))
        indices.push_back(f.staticValue("ellipsis", ""));
    for (size_t axis = 0; axis < ownAxes; ++axis)
        indices.push_back(
            np::SliceOp::create(f.builder, f.loc, f.any, f.none(), f.none(), f.none()));
    return indices;
}

Value emitField(FunctionEmitter &f, py::handle subscript) {
    py::object owner = field(subscript, "value"), index = field(subscript, "slice");
    if (!constantText(index))
        return {};
    if (std::optional<ExternalRef> records = recordsAt(f, owner)) {
        std::optional<ExternalRef> found = fieldOf(f, *records, index);
        return found ? emitExternal(f, *found, subscript) : Value();
    }
    if (kindOf(owner) != Kind::Subscript)
        return {};
    std::optional<ExternalRef> records = recordsAt(f, field(owner, "value"));
    std::optional<ExternalRef> found = records ? fieldOf(f, *records, index) : std::nullopt;
    if (!found || constantText(field(owner, "slice")))
        return {};
    py::object dtype = records->object.attr("dtype")[field(index, "value")];
    SmallVector<Value> indices = emitRecordKeys(f, field(owner, "slice"), dtype);
    return np::GetItemOp::create(f.builder, f.loc, f.any, emitExternal(f, *found, subscript),
                                 indices);
}

// What may be the index of one element. p[mask]['x'] is a copy, to which a store does nothing:
// where inference finds the index to be a mask or array, shapecast.record rejects it.
static bool mayBeElementIndex(py::handle index) {
    return llvm::is_contained({Kind::Name, Kind::Constant, Kind::BinOp, Kind::UnaryOp},
                              kindOf(index));
}

bool storeField(FunctionEmitter &f, py::handle target, Value value) {
    py::object owner = field(target, "value"), index = field(target, "slice");
    if (!constantText(index))
        return false;
    const std::optional<ExternalRef> whole = recordsAt(f, owner);
    const std::optional<ExternalRef> records =
        !whole && kindOf(owner) == Kind::Subscript ? recordsAt(f, field(owner, "value")) : whole;
    if (!records)
        return false;
    std::optional<ExternalRef> found = fieldOf(f, *records, index);
    if (!found || (!whole && !mayBeElementIndex(field(owner, "slice"))))
        throw WholeRecords();
    auto ellipsis = np::PyAttr::get(&f.session.context, "ellipsis", "");
    Value key = whole ? np::ConstOp::create(f.builder, f.loc,
                                            np::StaticType::get(&f.session.context), ellipsis)
                            .getResult()
                      : f.callNamed("shapecast.record", emitExpression(f, field(owner, "slice")));
    np::SetItemOp::create(f.builder, f.loc, emitExternal(f, *found, target), key, value,
                          UnitAttr());
    return true;
}

bool changeField(FunctionEmitter &f, py::handle target, const std::string &op, py::handle value) {
    py::object owner = field(target, "value");
    if (!constantText(field(target, "slice")))
        return false;
    const bool whole = recordsAt(f, owner).has_value();
    if (!whole && (kindOf(owner) != Kind::Subscript || !recordsAt(f, field(owner, "value"))))
        return false;
    Value current = emitField(f, target);
    if (!current)
        throw WholeRecords();
    Value operand = emitExpression(f, value);
    Value updated = np::InplaceOp::create(f.builder, f.loc, f.any, op, current, operand);
    return whole || storeField(f, target, updated);
}

Value emitAnyField(FunctionEmitter &f, const ExternalRef &records, py::handle node) {
    py::object dtype = records.object.attr("dtype");
    for (py::handle name : dtype.attr("names"))
        if (py::object of = dtype[name];
            py::len(of.attr("shape")) == 0 && of.attr("names").is_none())
            return emitExternal(f, itemOf(f, records, py::reinterpret_borrow<py::object>(name)),
                                node);
    throw WholeRecords();
}

Value emitFieldAttribute(FunctionEmitter &f, py::handle node) {
    const std::string name = identifier(node, "attr");
    if (name != "size" && name != "shape" && name != "ndim")
        return {};
    std::optional<ExternalRef> records = recordsAt(f, field(node, "value"));
    if (!records)
        return {};
    return np::AttrOp::create(f.builder, f.loc, f.any, emitAnyField(f, *records, node), name);
}

} // namespace shapecast::capture
