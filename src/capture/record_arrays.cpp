// Arrays of records: p['x'] is an array like any other, which each call takes from its own p. Where
// more is done with such an array than that, it is handed on to Python as a whole (WholeRecords).
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

// An argument, or what an object holds, that is an array of records.
std::optional<Outside> FunctionEmitter::recordsAt(py::handle node) {
    if (session.options.wholeRecords)
        return std::nullopt;
    std::optional<Outside> found = lookUp(node);
    const bool known = found && !found->property && (found->owner >= 0 || found->number >= 0);
    return known && isRecordArray(found->object) ? found : std::nullopt;
}

std::optional<Outside> FunctionEmitter::fieldOf(const Outside &records, py::handle index) {
    py::object name = constantText(index);
    if (!name || !records.object.attr("dtype").attr("names").contains(name))
        return std::nullopt;
    return itemOf(records, name);
}

// What indexes p['x'] for p[keys]['x']: where the field has axes of its own, the keys are none of
// theirs.
SmallVector<Value> FunctionEmitter::recordKeys(py::handle keys, py::handle dtype) {
    SmallVector<Value> places = this->keys(keys);
    const size_t ownAxes = py::len(dtype.attr("shape"));
    auto isEllipsis = [](Value key) {
        auto constant = key.getDefiningOp<np::ConstOp>();
        auto value = constant ? dyn_cast<np::PyAttr>(constant.getValue()) : np::PyAttr();
        return value && value.getKind() == "ellipsis";
    };
    if (ownAxes && llvm::none_of(places, isEllipsis))
        places.push_back(staticValue("ellipsis", ""));
    for (size_t axis = 0; axis < ownAxes; ++axis)
        places.push_back(np::SliceOp::create(builder, loc, any, none(), none(), none()));
    return places;
}

// p['x'], and p[i]['x'], which is p['x'][i]; null for other expressions.
Value FunctionEmitter::readField(py::handle subscript) {
    py::object owner = field(subscript, "value"), index = field(subscript, "slice");
    if (!constantText(index))
        return {};
    if (std::optional<Outside> records = recordsAt(owner)) {
        std::optional<Outside> found = fieldOf(*records, index);
        return found ? outside(*found, subscript) : Value();
    }
    if (kindOf(owner) != Kind::Subscript)
        return {};
    std::optional<Outside> records = recordsAt(field(owner, "value"));
    std::optional<Outside> found = records ? fieldOf(*records, index) : std::nullopt;
    if (!found || constantText(field(owner, "slice")))
        return {};
    py::object dtype = records->object.attr("dtype")[field(index, "value")];
    SmallVector<Value> places = recordKeys(field(owner, "slice"), dtype);
    return np::GetItemOp::create(builder, loc, any, outside(*found, subscript), places);
}

// What may be the index of one record. p[mask]['x'] is a copy, to which a store does nothing: where
// it turns out to be that, it is refused.
static bool isPlace(py::handle index) {
    return llvm::is_contained({Kind::Name, Kind::Constant, Kind::BinOp, Kind::UnaryOp},
                              kindOf(index));
}

// p['x'] = value and p[i]['x'] = value; false for other targets.
bool FunctionEmitter::storeField(py::handle target, Value value) {
    py::object owner = field(target, "value"), index = field(target, "slice");
    if (!constantText(index))
        return false;
    const std::optional<Outside> whole = recordsAt(owner);
    const std::optional<Outside> records =
        !whole && kindOf(owner) == Kind::Subscript ? recordsAt(field(owner, "value")) : whole;
    if (!records)
        return false;
    std::optional<Outside> found = fieldOf(*records, index);
    if (!found || (!whole && !isPlace(field(owner, "slice"))))
        throw WholeRecords();
    auto ellipsis = np::PyAttr::get(&session.context, "ellipsis", "");
    Value place =
        whole ? np::ConstOp::create(builder, loc, np::StaticType::get(&session.context), ellipsis)
                    .getResult()
              : callNamed("shapecast.record", expression(field(owner, "slice")));
    np::SetItemOp::create(builder, loc, outside(*found, target), place, value, UnitAttr());
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

// Some field that has the shape of the whole.
Value FunctionEmitter::anyField(const Outside &records, py::handle node) {
    py::object dtype = records.object.attr("dtype");
    for (py::handle name : dtype.attr("names"))
        if (py::object of = dtype[name];
            py::len(of.attr("shape")) == 0 && of.attr("names").is_none())
            return outside(itemOf(records, py::reinterpret_borrow<py::object>(name)), node);
    throw WholeRecords();
}

// p.size, p.shape, p.ndim; null for other expressions.
Value FunctionEmitter::readAttribute(py::handle node) {
    const std::string name = identifier(node, "attr");
    if (name != "size" && name != "shape" && name != "ndim")
        return {};
    std::optional<Outside> records = recordsAt(field(node, "value"));
    if (!records)
        return {};
    return np::AttrOp::create(builder, loc, any, anyField(*records, node), name);
}

} // namespace shapecast::capture
