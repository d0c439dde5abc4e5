#include "capture/assignments.h"

#include "capture/object_state.h"
#include "capture/objects.h"
#include "capture/operators.h"
#include "capture/outside_instances.h"
#include "capture/record_arrays.h"
#include "capture/subscripts.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static void assignAttribute(FunctionEmitter &f, py::handle target, Value value);
static void storeAttribute(FunctionEmitter &f, py::handle target, Value base, Value value);

// `x.real`, `x.imag`: views; an assignment stores to their elements.
static bool isRealOrImag(py::handle target) {
    const std::string name = identifier(target, "attr");
    return name == "real" || name == "imag";
}

static Value ellipsis(OpBuilder &builder, Location loc) {
    MLIRContext *ctx = builder.getContext();
    return np::ConstOp::create(builder, loc, np::StaticType::get(ctx),
                               np::PyAttr::get(ctx, "ellipsis", ""));
}

std::vector<std::pair<py::object, Value>> unpack(FunctionEmitter &f, py::handle target,
                                                 Value value) {
    py::object elements = field(target, "elts");
    SmallVector<Type> types(py::len(elements), f.any);
    auto made = np::UnpackOp::create(f.builder, f.loc, types, value);
    std::vector<std::pair<py::object, Value>> parts;
    for (auto [element, part] : llvm::zip(elements, made.getResults())) {
        const bool isStarred = kindOf(element) == Kind::Starred;
        if (isStarred)
            made.setStarAttr(f.builder.getI64IntegerAttr(int64_t(parts.size())));
        parts.emplace_back(isStarred ? field(element, "value")
                                     : py::reinterpret_borrow<py::object>(element),
                           part);
    }
    return parts;
}

void assign(FunctionEmitter &f, py::handle target, Value value) {
    Location before = f.loc;
    f.setLocation(target);
    switch (kindOf(target)) {
    case Kind::Name:
        if (f.objectVariables.contains(identifier(target, "id"))) {
            requestInstancesInMemory(f.session);
            unsupported(target, "the variable '" + identifier(target, "id") +
                                    "' is an object and is assigned again; give the later value "
                                    "another name");
        }
        f.state.locals[f.syntax.localIndex.lookup(identifier(target, "id"))] = {value, false, {}};
        break;
    case Kind::Tuple:
    case Kind::List: {
        for (const auto &[part, item] : unpack(f, target, value))
            assign(f, part, item);
        break;
    }
    case Kind::Subscript: {
        if (storeField(f, target, value))
            break;
        Value base = emitExpression(f, field(target, "value"));
        SmallVector<Value> index = emitKeys(f, field(target, "slice"));
        np::SetItemOp::create(f.builder, f.loc, base, index, value, UnitAttr());
        break;
    }
    case Kind::Attribute: {
        assignAttribute(f, target, value);
        break;
    }
    default:
        unsupported(target, unsupportedConstruct(target));
    }
    f.loc = before;
}

// base.name = value.
static void assignAttribute(FunctionEmitter &f, py::handle target, Value value) {
    if (std::optional<ExternalRef> owner = objectArgument(f, field(target, "value")))
        return assignObjectAttribute(f, *owner, target, value);
    storeAttribute(f, target, emitExpression(f, field(target, "value")), value);
}

// base.name = value, where the target's object is a value of this function.
static void storeAttribute(FunctionEmitter &f, py::handle target, Value base, Value value) {
    Value name = f.staticValue("str", f.mangled(identifier(target, "attr")));
    Value changed = np::MethodOp::create(f.builder, f.loc, f.any, base, "__setattr__",
                                         ValueRange{name, value}, ArrayAttr());
    if (reshapesName(target) &&
        f.syntax.localIndex.contains(identifier(field(target, "value"), "id")))
        assign(f, field(target, "value"), changed);
}

void assignFrom(FunctionEmitter &f, py::handle target, py::handle value) {
    auto isDisplay = [](py::handle node) {
        if (kindOf(node) != Kind::Tuple && kindOf(node) != Kind::List)
            return false;
        return llvm::none_of(field(node, "elts"),
                             [](py::handle e) { return kindOf(e) == Kind::Starred; });
    };
    if (!isDisplay(target) || !isDisplay(value) ||
        py::len(field(target, "elts")) != py::len(field(value, "elts")))
        return assign(f, target, emitExpression(f, value));
    SmallVector<Value> values;
    for (py::handle element : field(value, "elts"))
        values.push_back(emitExpression(f, element));
    for (auto [element, assigned] : llvm::zip(field(target, "elts"), values))
        assign(f, element, assigned);
}

void augAssign(FunctionEmitter &f, const Statement &s) {
    py::object target = field(s.node, "target"), value = field(s.node, "value");
    std::string op = binaryName(field(s.node, "op"));
    switch (kindOf(target)) {
    case Kind::Name: {
        Value current = emitExpression(f, target);
        Value operand = emitExpression(f, value);
        assign(f, target, np::InplaceOp::create(f.builder, f.loc, f.any, op, current, operand));
        break;
    }
    case Kind::Subscript: {
        if (changeField(f, target, op, value))
            break;
        Value base = emitExpression(f, field(target, "value"));
        SmallVector<Value> index = emitKeys(f, field(target, "slice"));
        Value current = np::GetItemOp::create(f.builder, f.loc, f.any, base, index);
        Value operand = emitExpression(f, value);
        Value updated = np::InplaceOp::create(f.builder, f.loc, f.any, op, current, operand);
        np::SetItemOp::create(f.builder, f.loc, base, index, updated, f.builder.getUnitAttr());
        break;
    }
    default: {
        py::object owner = field(target, "value");
        if (!isRealOrImag(target) && !objectArgument(f, owner)) {
            const Value base = emitExpression(f, owner);
            const std::string name = f.mangled(identifier(target, "attr"));
            Value current = np::AttrOp::create(f.builder, f.loc, f.any, base, name);
            Value operand = emitExpression(f, value);
            Value updated = np::InplaceOp::create(f.builder, f.loc, f.any, op, current, operand);
            storeAttribute(f, target, base, updated);
            break;
        }
        if (!isRealOrImag(target) || objectArgument(f, owner)) {
            Value current = emitExpression(f, target), operand = emitExpression(f, value);
            assign(f, target, np::InplaceOp::create(f.builder, f.loc, f.any, op, current, operand));
            break;
        }
        Value part = np::AttrOp::create(f.builder, f.loc, f.any, emitExpression(f, owner),
                                        identifier(target, "attr"));
        Value operand = emitExpression(f, value);
        Value updated = np::InplaceOp::create(f.builder, f.loc, f.any, op, part, operand);
        np::SetItemOp::create(f.builder, f.loc, part, ellipsis(f.builder, f.loc), updated,
                              f.builder.getUnitAttr());
    }
    }
}

void deleteNames(FunctionEmitter &f, const Statement &s) {
    for (py::handle target : field(s.node, "targets")) {
        f.setLocation(target);
        if (kindOf(target) == Kind::Subscript) {
            Value base = emitExpression(f, field(target, "value"));
            SmallVector<Value> index = emitKeys(f, field(target, "slice"));
            np::MethodOp::create(f.builder, f.loc, f.any, base, "__delitem__", index, ArrayAttr());
            continue;
        }
        if (kindOf(target) != Kind::Name)
            unsupported(target, "'del' of an attribute is not supported");
        unsigned local = f.syntax.localIndex.lookup(identifier(target, "id"));
        f.readLocal(local); // UnboundLocalError
        f.state.locals[local] = {};
    }
}

} // namespace shapecast::capture
