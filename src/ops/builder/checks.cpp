#include "ops/builder/checks.h"

#include "facts/host_info.h"
#include "ir/symbols.h"
#include "ops/builder/record_class.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

void shapecast::failWithoutAttribute(TypedBuilder &e, const Val &v, StringRef name) {
    const std::string className = v.className();
    if (name == "__enter__") // of `with` (_with.py)
        e.fail("TypeError",
               "'" + className + "' object does not support the context manager protocol");
    e.fail("AttributeError", "'" + className + "' object has no attribute '" + name + "'");
}

void shapecast::checkHasAttribute(TypedBuilder &e, const Val &v, StringRef name) {
    const bool isUserClass = v.isPython() || !recordClasses(v).empty();
    if (!isUserClass && hostInfo().hasAttribute(v.className(), name) == false)
        failWithoutAttribute(e, v, name);
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
    if (v.kind == Val::Kind::Heap)
        return v.describe();
    if (const std::string record = recordClassName(v); !record.empty())
        return record;
    if (v.kind == Val::Kind::Function || v.isStatic("enum"))
        return v.className();
    if (v.isUnion() &&
        llvm::all_of(v.items.read(), [](const Val &one) { return one.isStatic("enum"); }))
        return v.items[0].className();
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

bool shapecast::isNotIterable(const Val &v) {
    return v.isScalar() || v.isNone() || v.kind == Val::Kind::Function || isIterator(v, "flags") ||
           (v.isArray() && v.array().getRank() == 0);
}

bool shapecast::isPythonArray(const Val &v) {
    if (!v.isPython())
        return false;
    const StringRef name = cast<ObjectType>(v.type()).getName();
    return name.starts_with("ndarray of ") && !name.ends_with(" with 0 dimensions");
}

void shapecast::checkIterable(const TypedBuilder &e, const Val &v, StringRef form) {
    rejectOverloads(e, v, {"__iter__", "__getitem__"});
    if (v.isPython())
        e.unsupported("iterating over " + v.describe() + " is not supported");
    if (!isNotIterable(v))
        return;
    if (v.isArray())
        e.fail("TypeError", "iteration over a 0-d array");
    auto [before, after] = form.split("{0}");
    e.fail("TypeError", before + v.className() + after);
}
