// Class queries, answered at compile time: isinstance, type, hasattr, callable.
#include "ops/numpy/functions.h"

#include "facts/host_info.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

using Names = ClassNames;

Names shapecast::scalarClasses(DType dtype) {
    Names names{("numpy." + dtypeName(dtype)).str()};
    if (isBool(dtype))
        return {names[0], "numpy.generic"};
    if (isInteger(dtype))
        names.append({isSigned(dtype) ? "numpy.signedinteger" : "numpy.unsignedinteger",
                      std::string("numpy.integer")});
    else
        names.append({isComplex(dtype) ? "numpy.complexfloating" : "numpy.floating",
                      std::string("numpy.inexact")});
    names.append({std::string("numpy.number"), std::string("numpy.generic")});
    if (dtype == DType::F64)
        names.push_back("float");
    if (dtype == DType::C128)
        names.push_back("complex");
    return names;
}

static Names pythonClasses(PyKind kind) {
    switch (kind) {
    case PyKind::Bool:
        return {"bool", "int"};
    case PyKind::Int:
        return {"int"};
    case PyKind::Float:
        return {"float"};
    default:
        return {"complex"};
    }
}

// The MRO of the value's class without `object`.
static Names classesOf(TypedBuilder &e, const Val &v) {
    if (v.isArray())
        return {"numpy.ndarray"};
    if (v.isTyped()) {
        OperandType operand = *operandType(v.type());
        return operand.weak == PyKind::Strong ? scalarClasses(operand.dtype)
                                              : pythonClasses(operand.weak);
    }
    if (Names records(recordClasses(v)); !records.empty()) {
        if (v.isTuple())
            records.push_back("tuple");
        return records;
    }
    switch (v.kind) {
    case Val::Kind::Tuple:
    case Val::Kind::DynamicList:
        return {v.list ? "list" : "tuple"};
    case Val::Kind::Dict:
        return {"dict"};
    case Val::Kind::Range:
        return {"range"};
    case Val::Kind::Slice:
        return {"slice"};
    case Val::Kind::Function:
        return {"function"};
    case Val::Kind::Iterator:
        return {e.describe(v)};
    default:
        break;
    }
    if (v.isText())
        return {"str"};
    if (v.isNone())
        return {"NoneType"};
    e.unsupported("the class of " + e.describe(v) + " is not supported");
}

std::string shapecast::classNameOf(const Val &v) {
    if (v.isStatic("type") || v.isStatic("class"))
        return v.staticText().str();
    if (v.isStatic("dtype"))
        return ("numpy." + dtypeName(*dtypeFromName(v.staticText()))).str();
    StringRef name = v.isStatic("func") ? v.staticText() : "";
    static constexpr StringLiteral abstract[] = {
        "numpy.ndarray",         "numpy.generic",       "numpy.number",
        "numpy.integer",         "numpy.signedinteger", "numpy.inexact",
        "numpy.floating",        "builtins.range",      "numpy.unsignedinteger",
        "numpy.complexfloating", "builtins.slice",      "builtins.object",
        "numpy.flexible",        "numpy.character",     "builtins.dict",
        "builtins.set",          "builtins.bytes",      "numpy.str_",
        "numpy.bytes_",          "numpy.datetime64"};
    if (!llvm::is_contained(abstract, name))
        return "";
    name.consume_front("builtins.");
    return name.str();
}

static bool isInstanceOfAny(TypedBuilder &e, const Names &classes, const Val &wanted) {
    if (wanted.isTuple() && !wanted.list)
        return llvm::any_of(wanted.items,
                            [&](const Val &item) { return isInstanceOfAny(e, classes, item); });
    if (wanted.isStatic("exception"))
        return false;
    const std::string name = classNameOf(wanted);
    if (name.empty())
        e.fail("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
    return name == "object" || llvm::is_contained(classes, name);
}

static Val isInstance(TypedBuilder &e, const Arguments &in) {
    const Val &v = in["obj"], &wanted = in["class_or_tuple"];
    auto select = [&](DimAttr flag, bool ifSet, bool otherwise) {
        if (ifSet == otherwise)
            return e.boolVal(ifSet);
        return e.compare("eq", e.sizeVal(flag), e.intVal(ifSet));
    };
    if (v.kind == Val::Kind::Optional && v.attr)
        return select(v.dim, isInstanceOfAny(e, classesOf(e, v.items[0]), wanted),
                      isInstanceOfAny(e, {"NoneType"}, wanted));
    const bool strong = isInstanceOfAny(e, classesOf(e, v), wanted);
    if (v.isTyped() && v.weakFlag)
        return select(v.weakFlag, isInstanceOfAny(e, pythonClasses(v.weakKind), wanted), strong);
    return e.boolVal(strong);
}

static Val type(TypedBuilder &e, const Arguments &in) {
    const Val &v = in["object"];
    if (in.find("bases"))
        e.unsupported("classes made by compiled code are not supported; make the class outside");
    if (v.kind == Val::Kind::Optional || v.weakFlag)
        e.unsupported("type() of a value whose class differs between paths is not supported; use "
                      "isinstance");
    return e.staticVal("class", classesOf(e, v)[0]);
}

static Val isCallable(TypedBuilder &e, const Arguments &in) {
    const Val &v = in["obj"];
    return e.boolVal(v.kind == Val::Kind::Function || v.isStatic("func") || v.isStatic("type") ||
                     v.isStatic("class") || v.isStatic("exception"));
}

static Val hasAttributeOf(TypedBuilder &e, const Val &v, StringRef name) {
    if (v.weakFlag)
        return e.unionSplit(v, [&](const Val &side) { return hasAttributeOf(e, side, name); });
    if (recordField(v, name))
        return e.boolVal(true);
    const std::optional<bool> has = hostInfo().hasAttribute(classesOf(e, v)[0], name);
    if (!has)
        e.unsupported("hasattr() of " + e.describe(v) + " is not supported; use isinstance");
    return e.boolVal(*has);
}

static Val hasAttribute(TypedBuilder &e, const Arguments &in) {
    if (!in["name"].isStatic("str"))
        e.unsupported("hasattr() with a name made at run time is not supported");
    return hasAttributeOf(e, in["obj"], in["name"].staticText());
}

ArrayRef<Function> shapecast::classFunctions() {
    static const Function list[] = {
        {"builtins.isinstance", "obj, class_or_tuple", isInstance},
        {"builtins.type", "object, bases=, dict=", type},
        {"builtins.callable", "obj", isCallable},
        {"builtins.hasattr", "obj, name", hasAttribute},
    };
    return list;
}

// `is` and `==` of two classes, whatever names refer to them; none for other values.
std::optional<bool> shapecast::sameClass(const Val &a, const Val &b) {
    if (!a.isStatic("class") && !b.isStatic("class"))
        return std::nullopt;
    const std::string name = classNameOf(a);
    return !name.empty() && name == classNameOf(b);
}

bool shapecast::makesUnion(const Val &a, const Val &c) {
    auto isClass = [](const Val &v) { return !classNameOf(v).empty(); };
    return (isClass(a) && (isClass(c) || c.isNone())) || (a.isNone() && isClass(c));
}

std::optional<Val> shapecast::classAttribute(TypedBuilder &e, const Val &base, StringRef name) {
    if (name == "__class__" && (base.isTyped() || base.isNone() || base.isTuple() || base.isText()))
        return e.staticVal("class", classesOf(e, base)[0]);
    if (name == "__name__" && base.isStatic("func"))
        return e.staticVal("str", base.staticText().rsplit('.').second);
    if (base.isArray() && name == "base")
        e.unsupported("the attribute 'base' of an array is not supported: ownership of its memory "
                      "is decided at compile time");
    if (name == "__name__" && (base.isStatic("class") || base.isStatic("type")))
        return e.staticVal("str", base.staticText().rsplit('.').second.empty()
                                      ? base.staticText()
                                      : base.staticText().rsplit('.').second);
    return std::nullopt;
}
