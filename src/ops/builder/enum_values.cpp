#include "ops/builder/enum_values.h"

#include "ops/builder/maybe_weak.h"
#include "ops/ufunc/ufunc.h"

#include "llvm/ADT/StringExtras.h"

#include <bit>

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

bool shapecast::isMember(const Val &v) {
    return v.isStatic("enum") || (v.isUnion() && llvm::all_of(v.items.read(), isMember));
}

bool shapecast::isValueMember(const Val &v) {
    if (v.isUnion())
        return llvm::all_of(v.items.read(), isValueMember);
    return v.isStatic("enum") && StringRef(v.memberWords(3)).starts_with("=");
}

std::string shapecast::classNumber(const Val &member) {
    return StringRef(member.memberWords(0)).split(',').first.str();
}

std::string shapecast::memberNumber(const Val &member) {
    return member.staticText().split(';').first.split(':').second.str();
}

StringRef shapecast::valueWordOfMember(PyAttr member) {
    SmallVector<StringRef> words;
    member.getText().split(words, ';', 4);
    return words[4];
}

// Of one member; none where capture did not write it down.
static std::optional<Val> knownValue(TypedBuilder &e, const Val &member) {
    const std::string text = member.memberWords(3);
    StringRef value = text;
    int64_t number = 0;
    value.consume_front("=");
    if (value.consume_front("s"))
        return e.staticVal("str", value);
    if (value.consume_front("b"))
        return e.boolVal(value == "1");
    if (value.consume_front("i") && !value.getAsInteger(10, number))
        return e.intVal(number);
    if (value.consume_front("f") && !value.getAsInteger(10, number))
        return e.floatVal(std::bit_cast<double>(number));
    return std::nullopt;
}

// Ints that grow evenly, as of most enums, are computed from which one it is.
static std::optional<Val> evenValue(TypedBuilder &e, const Val &members) {
    SmallVector<int64_t> numbers;
    for (const Val &member : members.items) {
        const std::optional<Val> value = knownValue(e, member);
        if (!value || !value->isPyInt())
            return std::nullopt;
        numbers.push_back(*value->constInt());
        constexpr int64_t most = int64_t(1) << 31; // no overflow below
        if (numbers.back() > most || numbers.back() < -most)
            return std::nullopt;
    }
    const int64_t step = numbers[1] - numbers[0];
    for (size_t i = 1; i < numbers.size(); ++i)
        if (numbers[i] - numbers[i - 1] != step)
            return std::nullopt;
    return e.sizeVal(dimAdd(dimMul(e.dimConst(step), members.dim), e.dimConst(numbers[0])));
}

Val shapecast::valueOfMember(TypedBuilder &e, const Val &member) {
    if (!member.isUnion()) {
        if (std::optional<Val> known = knownValue(e, member))
            return *known;
        e.unsupported("the attribute 'value' of " + member.describe() +
                      " is not supported where the member is known only at run time; keep the "
                      "values in a dict");
    }
    if (std::optional<Val> even = evenValue(e, member))
        return *even;
    return unionSplit(e, member, [&](const Val &one) { return valueOfMember(e, one); });
}

Val shapecast::asValue(TypedBuilder &e, const Val &v) {
    return isValueMember(v) ? valueOfMember(e, v) : v;
}

Val shapecast::withMembers(TypedBuilder &e, const Val &v,
                           llvm::function_ref<Val(const Val &)> convert) {
    if (!v.isTuple() || llvm::none_of(v.items.read(), [](const Val &item) {
            return isValueMember(item) || item.isTuple();
        }))
        return convert(v);
    std::vector<Val> items;
    for (const Val &item : v.items)
        items.push_back(withMembers(e, item, convert));
    return e.tupleVal(std::move(items), v.list);
}

Val shapecast::asValues(TypedBuilder &e, const Val &v) {
    return withMembers(e, v, [&](const Val &one) { return asValue(e, one); });
}

bool shapecast::isTextMember(const Val &v) {
    if (v.isUnion())
        return llvm::all_of(v.items.read(), isTextMember);
    return v.isStatic("enum") && StringRef(v.memberWords(3)).starts_with("=s");
}

bool shapecast::combinesAsValue(const Val &member, const Val &other) {
    if (!isValueMember(member))
        return false;
    if (isMember(other))
        return isValueMember(other) && isTextMember(member) == isTextMember(other);
    return isTextMember(member) ? other.isText() : other.isTyped() || other.isUnion();
}

static std::optional<double> constantNumber(const Val &v) {
    if (auto number = dyn_cast_or_null<FloatAttr>(v.attr))
        return number.getValueAsDouble();
    const std::optional<int64_t> integer = v.constInt();
    return integer ? std::optional(double(*integer)) : std::nullopt;
}

std::optional<bool> shapecast::equalsMember(TypedBuilder &e, const Val &member, const Val &other) {
    if (other.isUnion())
        return std::nullopt;
    const Val mine = asValue(e, member), theirs = asValue(e, other);
    if (mine.isText())
        return theirs.isText() && !theirs.isStatic("str")
                   ? std::nullopt
                   : std::optional(theirs.isStatic("str") && mine.attr == theirs.attr);
    if (!theirs.isTyped())
        return false;
    if (mine.constInt() && theirs.constInt())
        return *mine.constInt() == *theirs.constInt();
    const std::optional<double> a = constantNumber(mine), b = constantNumber(theirs);
    return a && b ? std::optional(*a == *b) : std::nullopt;
}

std::optional<Val> shapecast::memberAttribute(TypedBuilder &e, const Val &member, StringRef name) {
    if (name == "value" || name == "_value_")
        return valueOfMember(e, member);
    if (name != "name" && name != "_name_")
        return std::nullopt;
    if (!member.isUnion())
        return e.staticVal("str", member.memberWords(2));
    return unionSplit(e, member, [&](const Val &one) { return *memberAttribute(e, one, name); });
}
