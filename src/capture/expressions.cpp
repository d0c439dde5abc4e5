// Expressions: each becomes one any-typed value, operands in Python's order of evaluation.
#include "capture/assignments.h"
#include "capture/calls.h"
#include "capture/comprehensions.h"
#include "capture/conditions.h"
#include "capture/containers.h"
#include "capture/emitter.h"
#include "capture/enum_members.h"
#include "capture/flag_members.h"
#include "capture/functions.h"
#include "capture/inherited_members.h"
#include "capture/name_lookup.h"
#include "capture/object_queries.h"
#include "capture/operators.h"
#include "capture/record_arrays.h"
#include "capture/subscripts.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static Value emitExpressionAt(FunctionEmitter &f, py::handle node);
static Value emitJoinedString(FunctionEmitter &f, py::handle node);
static Value emitFormatted(FunctionEmitter &f, py::handle node);
static Value emitAttribute(FunctionEmitter &f, py::handle node);

// Operands are emitted first and set `loc` to their own locations; each op then gets that of its
// node.
Value emitExpression(FunctionEmitter &f, py::handle node) {
    Location before = f.loc;
    Value value;
    try {
        value = emitExpressionAt(f, node);
    } catch (const MissingAttribute &missing) {
        f.setLocation(missing.node);
        const std::string name = identifier(missing.node, "attr");
        auto raises = np::CheckBoundOp::create(f.builder, f.loc, f.any, f.unbound(name), name);
        raises.setAttributeAttr(f.builder.getStringAttr(missing.error.message));
        value = raises;
    }
    f.loc = before;
    return value;
}

static Value emitExpressionAt(FunctionEmitter &f, py::handle node) {
    f.setLocation(node);
    switch (kindOf(node)) {
    case Kind::Constant:
        return emitConstant(f, field(node, "value"), node);
    case Kind::Name:
        return emitName(f, node);
    case Kind::Lambda:
        return emitClosure(f, node, "", Use::Escaping, node);
    case Kind::Comprehension:
        return className(node) == "GeneratorExp" ? f.callNamed("builtins.iter", emitListOf(f, node))
                                                 : emitListOf(f, node);
    case Kind::DictComp: {
        Value empty =
            np::TupleOp::create(f.builder, f.loc, f.any, ValueRange(), f.builder.getUnitAttr());
        Value pairs = emitComprehension(f, node, 0, empty);
        return makeDict(f, pairs, 0);
    }
    case Kind::Dict:
        return emitDict(f, node);
    case Kind::Set: {
        const bool isLong = llvm::any_of(field(node, "elts"), [](py::handle element) {
            return kindOf(element) == Kind::Starred; // of any length
        });
        Value items = emitSequence(f, node, isLong);
        f.setLocation(node);
        Value set = f.callNamed("builtins.set", items);
        // Python builds three constants and more as a set once, and copies that.
        py::object elements = field(node, "elts");
        const bool isCopied = py::len(elements) > 2 && llvm::all_of(elements, [](py::handle item) {
                                  return kindOf(item) == Kind::Constant;
                              });
        return isCopied ? f.callNamed("builtins.set", set) : set;
    }
    case Kind::SetComp:
        return f.callNamed("builtins.set", emitListOf(f, node));
    case Kind::NamedExpr: {
        if (f.raises)
            unsupported(node, "':=' in a 'raise' or the message of an 'assert' is not supported; "
                              "assign in a statement of its own");
        Value value = emitExpression(f, field(node, "value"));
        assign(f, field(node, "target"), value);
        return value;
    }
    case Kind::BoolOp:
        return emitBoolOp(f, node, className(field(node, "op")) == "And", 0);
    case Kind::BinOp:
        return emitBinary(f, node);
    case Kind::UnaryOp:
        return emitUnary(f, node);
    case Kind::IfExp:
        return emitSelect(
            f, emitTruth(f, field(node, "test")),
            [&] { return emitExpression(f, field(node, "body")); },
            [&] { return emitExpression(f, field(node, "orelse")); });
    case Kind::Compare:
        if (Value known = emitObjectTest(f, node))
            return known;
        return emitComparison(f, node, emitExpression(f, field(node, "left")), 0);
    case Kind::Call:
        return emitCall(f, node);
    case Kind::Attribute:
        return emitAttribute(f, node);
    case Kind::Subscript: {
        if (Value trick = emitIndexTrick(f, node))
            return trick;
        if (Value read = emitField(f, node))
            return read;
        if (std::optional<ExternalRef> member = resolveIf(f, node, isPlainMember))
            return emitMember(f, member->object); // Colour["RED"]
        if (std::optional<ExternalRef> member = resolveIf(f, node, isFlagMember))
            if (Value flag = emitFlag(f, member->object))
                return flag;
        if (std::optional<ExternalRef> octets =
                resolveIf(f, node, [](py::handle o) { return isReadAsText(o); }))
            return emitReplaced(f, *octets);
        if (const std::optional<ExternalRef> of =
                resolveIf(f, field(node, "value"), isEnumClass)) { // Colour[name]
            const py::object byName =
                py::module_::import("shapecast._classes").attr("by_name")(of->object);
            return emitCallOf(f, byName, emitExpression(f, field(node, "slice")), node);
        }
        Value base = emitExpression(f, field(node, "value"));
        SmallVector<Value> index = emitKeys(f, field(node, "slice"));
        return np::GetItemOp::create(f.builder, f.loc, f.any, base, ValueRange(index));
    }
    case Kind::Tuple:
        return emitSequence(f, node, false);
    case Kind::List:
        return emitSequence(f, node, true);
    case Kind::Caught:
        return f.callNamed("shapecast.caught", {emitExpression(f, field(node, "number")),
                                                emitExpression(f, field(node, "classes"))});
    case Kind::RecordIndex:
        return f.callNamed("shapecast.record", emitExpression(f, field(node, "value")));
    case Kind::Slice:
        return emitSlice(f, node);
    case Kind::JoinedStr:
        return emitJoinedString(f, node);
    case Kind::Starred:
        unsupported(node, "'*' in an expression is not supported; write the items out one by one");
    default:
        unsupported(node, unsupportedConstruct(node));
    }
}

// f"...": its parts, each formatted, joined.
static Value emitJoinedString(FunctionEmitter &f, py::handle node) {
    SmallVector<Value> parts;
    for (py::handle part : field(node, "values"))
        parts.push_back(className(part) == "FormattedValue" ? emitFormatted(f, part)
                                                            : emitExpression(f, part));
    f.setLocation(node);
    return f.callNamed("builtins.str.join", parts);
}

// {value!conversion:specification}
static Value emitFormatted(FunctionEmitter &f, py::handle node) {
    Value value = emitExpression(f, field(node, "value"));
    const int conversion = py::cast<int>(field(node, "conversion"));
    f.setLocation(node);
    if (conversion != -1)
        value = f.callNamed(conversion == 's'   ? "builtins.str"
                            : conversion == 'r' ? "builtins.repr"
                                                : "builtins.ascii",
                            value);
    py::object specification = field(node, "format_spec");
    return f.callNamed("builtins.format",
                       {value, specification.is_none() ? f.staticValue("str", "")
                                                       : emitExpression(f, specification)});
}

static Value emitAttribute(FunctionEmitter &f, py::handle node) {
    if (Value read = emitFieldAttribute(f, node))
        return read;
    if (std::optional<ExternalRef> found = lookUp(f, node))
        return emitExternal(f, *found, node);
    if (Value inherited = emitInheritedAttribute(f, node))
        return inherited;
    Value base = emitExpression(f, field(node, "value"));
    return np::AttrOp::create(f.builder, f.loc, f.any, base, f.mangled(identifier(node, "attr")));
}

} // namespace shapecast::capture
