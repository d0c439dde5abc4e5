#include "ops/builder/describe.h"

#include "facts/host_info.h"
#include "ir/symbols.h"
#include "ops/builder/record_class.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static std::string typeText(Type type) {
    std::optional<OperandType> operand = operandType(type);
    if (!operand)
        return "object";
    switch (operand->weak) {
    case PyKind::Bool:
        return "bool";
    case PyKind::Int:
        return "int";
    case PyKind::Float:
        return "float";
    case PyKind::Complex:
        return "complex";
    case PyKind::Strong:
        return dtypeName(operand->dtype).str();
    }
    return "object";
}

std::string shapecast::describe(const Val &v) {
    switch (v.kind) {
    case Val::Kind::Static:
        return v.isNone() ? "None" : (cast<PyAttr>(v.attr).getKind() + " " + v.staticText()).str();
    case Val::Kind::Tuple:
        return v.list ? "list" : "tuple";
    case Val::Kind::DynamicList:
        return v.list ? "list" : "tuple";
    case Val::Kind::Dict:
        return "dict";
    case Val::Kind::Record:
        return ("a " + cast<PyAttr>(v.attr).getText().split(' ').second.split(' ').first).str();
    case Val::Kind::Function:
        return ("function " + shownSymbol(cast<SymbolRefAttr>(v.attr).getRootReference())).str();
    case Val::Kind::Iterator:
        return cast<StringAttr>(v.attr).getValue().str();
    case Val::Kind::Slice:
        return "slice";
    case Val::Kind::Range:
        return "range";
    case Val::Kind::Object:
        return v.isObject("str") ? "a string made at run time" : "an exception";
    case Val::Kind::Never:
        return "no value (an exception was raised)";
    case Val::Kind::Unbound:
        return "an unassigned variable";
    case Val::Kind::Optional:
        return "a variable that may be unassigned";
    case Val::Kind::Union: {
        std::string kinds;
        for (const Val &item : v.items)
            kinds += (kinds.empty() ? "" : " or ") + describe(item);
        return kinds;
    }
    case Val::Kind::Typed:
        break;
    }
    if (v.isPython())
        return "an object of class " + cast<ObjectType>(v.type()).getName().str();
    std::string text = typeText(v.type());
    if (v.weakFlag)
        return typeText(pyType(v.type().getContext(), v.weakKind)) + " on some paths and " + text +
               " on others";
    if (ArrayType array = v.array()) {
        text += "[";
        for (auto [i, dim] : llvm::enumerate(array.getDims()))
            text += (i ? ", " : "") + dimText(dim);
        text += "]";
        if (array.getDevice())
            text += " on " + array.getDevice().str();
    }
    return text;
}

std::string shapecast::classNameOf(const Val &v) {
    if (v.isArray())
        return "numpy.ndarray";
    if (v.isPython())
        return cast<ObjectType>(v.type()).getName().str();
    if (v.isTyped() && operandType(v.type())->weak == PyKind::Strong)
        return "numpy." + typeText(v.type());
    if (v.isText())
        return "str";
    if (v.isNone())
        return "NoneType";
    if (v.kind == Val::Kind::Function)
        return "function";
    if (v.kind == Val::Kind::Static)
        return v.isStatic("func") ? "builtin_function_or_method" : v.staticText().str();
    const std::string record = recordClassName(v);
    return record.empty() ? describe(v) : record;
}

void shapecast::checkHasAttribute(TypedBuilder &e, const Val &v, StringRef name) {
    const std::string className = classNameOf(v);
    const bool isUserClass = v.isPython() || !recordClasses(v).empty();
    if (!isUserClass && hostInfo().hasAttribute(className, name) == false)
        e.fail("AttributeError", "'" + className + "' object has no attribute '" + name + "'");
}

void shapecast::checkArity(TypedBuilder &e, StringRef function, size_t count,
                           ArrayRef<std::pair<StringRef, Val>> named) {
    const StringRef module = function.split('.').first;
    if (!llvm::is_contained({"builtins", "math", "operator"}, module))
        return;
    std::vector<std::string> names;
    for (const auto &[name, value] : named)
        names.push_back(name.str());
    if (std::optional<std::string> refusal = hostInfo().argumentError(function.str(), count, names))
        e.fail("TypeError", *refusal);
}

// The type of an operand in the errors of NumPy's object loops, which compute with Python objects.
std::string shapecast::objectTypeName(const Val &v) {
    if (v.isNone())
        return "NoneType";
    if (v.isDict())
        return "dict";
    if (const std::string record = recordClassName(v); !record.empty())
        return record;
    if (!v.isTyped())
        return v.kind == Val::Kind::Static  ? v.isStatic("str") ? "str" : "type"
               : v.kind == Val::Kind::Slice ? "slice"
               : v.kind == Val::Kind::Range ? "range"
               : v.kind != Val::Kind::Tuple ? "function"
               : v.list                     ? "list"
                                            : "tuple";
    DType dtype = operandType(v.type())->dtype;
    return isBool(dtype) ? "bool" : isInteger(dtype) ? "int" : isFloat(dtype) ? "float" : "complex";
}

void shapecast::checkIterable(const TypedBuilder &e, const Val &v, StringRef form) {
    rejectOverloads(e, v, {"__iter__", "__getitem__"});
    if (v.isArray() && v.array().getRank() == 0)
        e.fail("TypeError", "iteration over a 0-d array");
    if (v.isPython() || v.isObject("str")) // a string known only at run time
        e.unsupported("iterating over " + describe(v) + " is not supported");
    if (!v.isScalar() && !v.isNone() && v.kind != Val::Kind::Function && !isIterator(v, "flags"))
        return;
    auto [before, after] = form.split("{0}");
    e.fail("TypeError", before + classNameOf(v) + after);
}
