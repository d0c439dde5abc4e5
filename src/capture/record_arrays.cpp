// Structured arrays: p['x'] is an array like any other, a hidden argument that each call reads from
// its own p. Other uses of p make it an opaque object that is passed on to Python (WholeRecords).
#include "capture/emitter.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static py::object constantText(py::handle index) {
    if (kindOf(index) != Kind::Constant)
        return {};
    py::object value = field(index, "value");
    return PyUnicode_CheckExact(value.ptr()) ? value : py::object();
}

// A structured array that is an argument or a member of an object.
std::optional<ExternalRef> FunctionEmitter::recordsAt(py::handle node) {
    if (session.options.wholeRecords)
        return std::nullopt;
    std::optional<ExternalRef> found = lookUp(node);
    const bool known = found && !found->property && (found->owner >= 0 || found->number >= 0);
    return known && isRecordArray(found->object) ? found : std::nullopt;
}

std::optional<ExternalRef> FunctionEmitter::fieldOf(const ExternalRef &records, py::handle index) {
    py::object name = constantText(index);
    if (!name || !records.object.attr("dtype").attr("names").contains(name))
        return std::nullopt;
    return itemOf(records, name);
}

// The keys for p['x'] to give p[keys]['x']: where the field has axes of its own, they are not
// indexed.
SmallVector<Value> FunctionEmitter::recordKeys(py::handle keys, py::handle dtype) {
    SmallVector<Value> indices = this->keys(keys);
    const size_t ownAxes = py::len(dtype.attr("shape"));
    auto isEllipsis = [](Value key) {
        auto constant = key.getDefiningOp<np::ConstOp>();
        auto value = constant ? dyn_cast<np::PyAttr>(constant.getValue()) : np::PyAttr();
        return value && value.getKind() == "ellipsis";
    };
    if (ownAxes && llvm::none_of(indices, isEllipsis))
        indices.push_back(staticValue("ellipsis", ""));
    for (size_t axis = 0; axis < ownAxes; ++axis)
        indices.push_back(np::SliceOp::create(builder, loc, any, none(), none(), none()));
    return indices;
}

// p['x'], and p[i]['x'], which is p['x'][i]; null for other expressions.
Value FunctionEmitter::readField(py::handle subscript) {
    py::object owner = field(subscript, "value"), index = field(subscript, "slice");
    if (!constantText(index))
        return {};
    if (std::optional<ExternalRef> records = recordsAt(owner)) {
        std::optional<ExternalRef> found = fieldOf(*records, index);
        return found ? externalValue(*found, subscript) : Value();
    }
    if (kindOf(owner) != Kind::Subscript)
        return {};
    std::optional<ExternalRef> records = recordsAt(field(owner, "value"));
    std::optional<ExternalRef> found = records ? fieldOf(*records, index) : std::nullopt;
    if (!found || constantText(field(owner, "slice")))
        return {};
    py::object dtype = records->object.attr("dtype")[field(index, "value")];
    SmallVector<Value> indices = recordKeys(field(owner, "slice"), dtype);
    return np::GetItemOp::create(builder, loc, any, externalValue(*found, subscript), indices);
}

// What may be the index of one element. p[mask]['x'] is a copy, to which a store does nothing:
// where inference finds the index to be a mask or array, shapecast.record rejects it.
static bool mayBeElementIndex(py::handle index) {
    return llvm::is_contained({Kind::Name, Kind::Constant, Kind::BinOp, Kind::UnaryOp},
                              kindOf(index));
}

// p['x'] = value and p[i]['x'] = value; false for other targets.
bool FunctionEmitter::storeField(py::handle target, Value value) {
    py::object owner = field(target, "value"), index = field(target, "slice");
    if (!constantText(index))
        return false;
    const std::optional<ExternalRef> whole = recordsAt(owner);
    const std::optional<ExternalRef> records =
        !whole && kindOf(owner) == Kind::Subscript ? recordsAt(field(owner, "value")) : whole;
    if (!records)
        return false;
    std::optional<ExternalRef> found = fieldOf(*records, index);
    if (!found || (!whole && !mayBeElementIndex(field(owner, "slice"))))
        throw WholeRecords();
    auto ellipsis = np::PyAttr::get(&session.context, "ellipsis", "");
    Value key =
        whole ? np::ConstOp::create(builder, loc, np::StaticType::get(&session.context), ellipsis)
                    .getResult()
              : callNamed("shapecast.record", expression(field(owner, "slice")));
    np::SetItemOp::create(builder, loc, externalValue(*found, target), key, value, UnitAttr());
    return true;
}

// p['x'] += value and p[i]['x'] += value; false for other targets.
bool FunctionEmitter::changeField(py::handle target, const std::string &op, py::handle value) {
    py::object owner = field(target, "value");
    if (!constantText(field(target, "slice")))
        return false;
    const bool whole = recordsAt(owner).has_value();
    if (!whole && (kindOf(owner) != Kind::Subscript || !recordsAt(field(owner, "value"))))
        return false;
    Value current = readField(target);
    if (!current)
        throw WholeRecords();
    Value operand = expression(value);
    Value updated = np::InplaceOp::create(builder, loc, any, op, current, operand);
    return whole || storeField(target, updated);
}

// Some field with the same shape as the whole array.
Value FunctionEmitter::anyField(const ExternalRef &records, py::handle node) {
    py::object dtype = records.object.attr("dtype");
    for (py::handle name : dtype.attr("names"))
        if (py::object of = dtype[name];
            py::len(of.attr("shape")) == 0 && of.attr("names").is_none())
            return externalValue(itemOf(records, py::reinterpret_borrow<py::object>(name)), node);
    throw WholeRecords();
}

// p.size, p.shape, p.ndim; null for other expressions.
Value FunctionEmitter::readAttribute(py::handle node) {
    const std::string name = identifier(node, "attr");
    if (name != "size" && name != "shape" && name != "ndim")
        return {};
    std::optional<ExternalRef> records = recordsAt(field(node, "value"));
    if (!records)
        return {};
    return np::AttrOp::create(builder, loc, any, anyField(*records, node), name);
}

} // namespace shapecast::capture
