#include "ops/builder/record_class.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static StringRef numbersOf(ArrayRef<StringRef> words) { return words[0].split(';').first; }

// The operators that its class overloads, and "ordered" where it has a dataclass's order=True.
static SmallVector<StringRef> overloadedOperators(const Val &v) {
    SmallVector<StringRef> methods;
    if (const StringRef object = v.callableObject(); !object.empty())
        object.split(';').second.split(methods, ';', -1, /*KeepEmpty=*/false);
    if (const SmallVector<StringRef> words = v.recordWords(); !words.empty())
        words[0].split(';').second.split(methods, ';', -1, /*KeepEmpty=*/false);
    return methods;
}

std::string shapecast::recordClassName(const Val &v) {
    const SmallVector<StringRef> words = v.recordWords();
    return words.empty() ? "" : words[1].str();
}

bool shapecast::isDictSubclass(const Val &record) {
    return llvm::is_contained(overloadedOperators(record), "dict");
}

bool shapecast::overloads(const Val &v, StringRef method) {
    return llvm::is_contained(overloadedOperators(v), method);
}

bool shapecast::isReplaced(const Val &v) {
    return llvm::is_contained(overloadedOperators(v), "replaced");
}

bool shapecast::isPlainInstance(const Val &v) {
    return v.isRecord() && cast<PyAttr>(v.attr).getKind() == "class instance";
}

bool shapecast::isValueRecord(const Val &v) {
    return v.isRecord() && cast<PyAttr>(v.attr).getKind() == "frozen" && !overloads(v, "__eq__") &&
           !overloads(v, "__hash__");
}

const Val *shapecast::constructedClass(const Val &v) {
    if (v.kind != Val::Kind::Function || v.items.empty() || v.items[0].items.size() != 1)
        return nullptr;
    const Val &captured = std::as_const(v.items)[0];
    const Val &only = captured.items[0];
    return only.isStatic("class") && only.staticText().starts_with("record:") ? &only : nullptr;
}

bool shapecast::isOrdered(const Val &record) {
    return llvm::is_contained(overloadedOperators(record), "ordered");
}

void shapecast::rejectOverloads(const TypedBuilder &e, const Val &v, ArrayRef<StringRef> methods) {
    for (StringRef method : overloadedOperators(v))
        if (llvm::is_contained(methods, method))
            e.unsupported(
                "an operator that calls " + v.className() + "." + method + " is not supported; " +
                (v.kind == Val::Kind::Function ? "call a method instead"
                                               : "write a function of the fields instead"));
}

void shapecast::rejectOverloads(const TypedBuilder &e, StringRef op, const Val &a, const Val &c) {
    if (overloadedOperators(a).empty() && overloadedOperators(c).empty())
        return;
    const std::string left = ("__" + op + "__").str(), right = ("__r" + op + "__").str(),
                      inPlace = ("__i" + op + "__").str();
    const StringRef reflected = llvm::StringSwitch<StringRef>(op)
                                    .Case("lt", "__gt__")
                                    .Case("le", "__ge__")
                                    .Case("gt", "__lt__")
                                    .Case("ge", "__le__")
                                    .Case("ne", "__eq__")
                                    .Default(right);
    rejectOverloads(e, a, {left, inPlace, op == "ne" ? "__eq__" : left});
    rejectOverloads(e, c, {reflected, op == "eq" || op == "ne" ? left : reflected});
}

std::string shapecast::recordName(const Val &v) {
    const SmallVector<StringRef> words = v.recordWords();
    return words.empty() ? "" : ("record:" + numbersOf(words).split(',').first).str();
}

SmallVector<std::string> shapecast::recordClasses(const Val &v) {
    SmallVector<StringRef> numbers;
    SmallVector<std::string> names;
    if (const SmallVector<StringRef> words = v.recordWords(); !words.empty())
        numbersOf(words).split(numbers, ',');
    for (StringRef number : numbers)
        names.push_back(("record:" + number).str());
    return names;
}

std::optional<size_t> shapecast::fieldIndex(const Val &v, StringRef name) {
    const SmallVector<StringRef> words = v.recordWords();
    for (size_t i = 2; i < words.size(); ++i)
        if (words[i] == name)
            return i - 2;
    return std::nullopt;
}

const Val *shapecast::recordField(const Val &v, StringRef name) {
    std::optional<size_t> at = fieldIndex(v, name);
    return at ? &v.items[*at] : nullptr;
}

std::string shapecast::instanceForm(const Val &v) {
    SmallVector<StringRef> words{numbersOf(v.recordWords()).split(',').first};
    llvm::append_range(words, fieldNames(v));
    return llvm::join(words, " ");
}

SmallVector<StringRef> shapecast::fieldNames(const Val &v) {
    const SmallVector<StringRef> words = v.recordWords();
    return words.empty() ? words : SmallVector<StringRef>(ArrayRef(words).drop_front(2));
}
