#include "ops/builder/classes.h"

#include "ops/builder/enum_values.h"
#include "ops/builder/record_class.h"
#include "ops/builder/text.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

ClassNames shapecast::scalarClasses(DType dtype) {
    ClassNames names{("numpy." + dtypeName(dtype)).str()};
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

std::string shapecast::nameOfClass(const Val &v) {
    if (v.isStatic("type") || v.isStatic("class"))
        return v.staticText().str();
    if (v.isStatic("dtype"))
        return ("numpy." + dtypeName(*dtypeFromName(v.staticText()))).str();
    if (v.kind == Val::Kind::Function) { // a class in Python, by its constructor
        const ValList &captured = v.items[0].items;
        return !captured.empty() && captured[0].isStatic("class") ? captured[0].staticText().str()
                                                                  : "";
    }
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

// `is` and `==` of two classes, whatever names refer to them; none for other values.
std::optional<bool> shapecast::sameClass(const Val &a, const Val &b) {
    if (!a.isStatic("class") && !b.isStatic("class"))
        return std::nullopt;
    auto isEnum = [](const Val &v) { // as a value, a class of members is those
        return v.isTuple() && !v.list && !v.items.empty() &&
               llvm::all_of(v.items.read(), [](const Val &one) {
                   return one.isStatic("enum") || overloads(one, "flag");
               });
    };
    if (isEnum(a) || isEnum(b)) {
        const Val &of = isEnum(a) ? a : b, &other = isEnum(a) ? b : a;
        if (!of.items[0].isStatic("enum"))
            return other.staticText() == recordName(of.items[0]);
        const std::string all = of.items[0].memberWords(0);
        return other.staticText() == ("record:" + StringRef(all).split(',').first).str();
    }
    const std::string name = nameOfClass(a);
    return !name.empty() && name == nameOfClass(b);
}

bool shapecast::makesUnion(const Val &a, const Val &c) {
    auto isClass = [](const Val &v) { return !nameOfClass(v).empty(); };
    return (isClass(a) && (isClass(c) || c.isNone())) || (a.isNone() && isClass(c));
}

Val shapecast::classVal(TypedBuilder &e, const Val &v) {
    const std::string name = classesOf(e, v)[0];
    if (StringRef(name).starts_with("record:"))
        e.recordNames[name] = v.className();
    return e.staticVal("class", name);
}

std::optional<Val> shapecast::classAttribute(TypedBuilder &e, const Val &base, StringRef name) {
    if (name == "__class__" &&
        (base.isStatic("enum") || base.isTyped() || base.isNone() || base.isTuple() ||
         base.isText() || base.isRecord() || !base.recordWords().empty()))
        return classVal(e, base);
    if (name == "__name__" && (base.isStatic("func") || base.isStatic("exception")))
        return e.staticVal("str", base.staticText().rsplit('.').second);
    if (base.isArray() && name == "base")
        e.unsupported("the attribute 'base' of an array is not supported: ownership of its memory "
                      "is decided at compile time");
    if (name == "__name__" && base.isStatic("class") && base.staticText().starts_with("record:"))
        return e.staticVal("str", e.recordNames.lookup(base.staticText()));
    if (name == "__name__" && (base.isStatic("class") || base.isStatic("type")))
        return e.staticVal("str", base.staticText().rsplit('.').second.empty()
                                      ? base.staticText()
                                      : base.staticText().rsplit('.').second);
    return std::nullopt;
}

ClassNames shapecast::pythonClasses(PyKind kind) {
    switch (kind) {
    case PyKind::Bool:
        return {"bool", "int"};
    case PyKind::Int:
    case PyKind::WideInt:
        return {"int"};
    case PyKind::Float:
        return {"float"};
    default:
        return {"complex"};
    }
}

// The MRO of the value's class without `object`.
ClassNames shapecast::classesOf(TypedBuilder &e, const Val &v) {
    if (v.isArray())
        return {"numpy.ndarray"};
    if (v.isTyped()) {
        OperandType operand = *operandType(v.type());
        return operand.weak == PyKind::Strong ? scalarClasses(operand.dtype)
                                              : pythonClasses(operand.weak);
    }
    if (v.isStatic("enum")) { // its value's class comes last
        SmallVector<StringRef> numbers;
        const std::string all = v.memberWords(0);
        StringRef(all).split(numbers, ',', -1, /*KeepEmpty=*/false); // none of a sentinel
        ClassNames names;
        for (StringRef number : numbers)
            names.push_back(("record:" + number).str());
        if (names.empty())
            names.push_back("object");
        if (isValueMember(v))
            llvm::append_range(names, classesOf(e, asValue(e, v)));
        return names;
    }
    if (ClassNames records(recordClasses(v)); !records.empty()) {
        if (v.isTuple() || (isReplaced(v) && v.className() == "tuple")) // library/long_tuples.py
            records.push_back("tuple");
        if (isDictSubclass(v))
            records.push_back("dict");
        if (overloads(v, "flag") && overloads(v, "__index__")) // an IntFlag
            records.push_back("int");
        return records;
    }
    switch (v.kind) {
    case Val::Kind::Tuple:
    case Val::Kind::DynamicList:
        return {v.list ? "list" : "tuple"};
    case Val::Kind::Dict:
        return {"dict"};
    case Val::Kind::Heap:
        return {v.describe()};
    case Val::Kind::Range:
        return {"range"};
    case Val::Kind::Slice:
        return {"slice"};
    case Val::Kind::Function:
        return {"function"};
    case Val::Kind::Iterator:
        return {v.describe()};
    default:
        break;
    }
    if (v.isText())
        return {"str"};
    if (v.isNone())
        return {"NoneType"};
    e.unsupported("the class of " + v.describe() + " is not supported");
}
