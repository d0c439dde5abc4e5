#include "ops/builder/text_templates.h"

#include "ops/builder/thunks.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

using Parts = std::optional<std::vector<Val>>;

static Val formattedBy(TypedBuilder &e, const Val &v, const Twine &specification) {
    return objectVal(e, "str", "builtins.format", {v, e.staticVal("str", specification.str())});
}

static Val textOf(TypedBuilder &e, const Val &v) {
    return v.isText() ? v : objectVal(e, "str", "builtins.str", {v});
}

static StringRef takeDigits(StringRef &text) {
    const StringRef digits = text.take_while(llvm::isDigit);
    text = text.drop_front(digits.size());
    return digits;
}

//===-- "%d" % v

namespace {

// %[flags][width][.precision]type
struct Conversion {
    bool isLeft = false, isZero = false, isAlternate = false;
    std::string sign;
    StringRef width, precision;
    bool hasPrecision = false;
    char type = 0;
};

} // namespace

// Takes what follows a '%'; none: Python reads it.
static std::optional<Conversion> takeConversion(StringRef &text) {
    Conversion made;
    for (; !text.empty() && StringRef("-0+ #").contains(text[0]); text = text.drop_front()) {
        made.isLeft |= text[0] == '-';
        made.isZero |= text[0] == '0';
        made.isAlternate |= text[0] == '#';
        if (text[0] == '+' || (text[0] == ' ' && made.sign.empty()))
            made.sign = text[0];
    }
    made.width = takeDigits(text);
    made.hasPrecision = text.consume_front(".");
    if (made.hasPrecision)
        made.precision = takeDigits(text);
    if (text.empty() || !StringRef("diusrfFeEgGxXo").contains(text[0]))
        return std::nullopt;
    made.type = text[0] == 'i' || text[0] == 'u' ? 'd' : text[0];
    text = text.drop_front();
    return made;
}

static bool isOfKind(const Val &v, bool alsoFloat) {
    if (!v.isScalar() || v.weakFlag)
        return false;
    const OperandType operand = *operandType(v.type());
    return operand.weak == PyKind::Bool || operand.weak == PyKind::Int ||
           isInteger(operand.dtype) || (alsoFloat && isFloat(operand.dtype));
}

static std::optional<Val> converted(TypedBuilder &e, const Conversion &given, const Val &v) {
    const std::string places =
        !given.hasPrecision ? "" : "." + (given.precision.empty() ? "0" : given.precision.str());
    if (given.type == 's' || given.type == 'r') {
        const Val text = given.type == 's' ? textOf(e, v) : objectVal(e, "str", "builtins.repr", v);
        if (given.width.empty() && places.empty())
            return text;
        return formattedBy(e, text, (given.isLeft ? "<" : ">") + given.width + places);
    }
    const bool isOfInts = StringRef("dxXo").contains(given.type);
    if (!isOfKind(v, !isOfInts) || (isOfInts && given.hasPrecision) ||
        (given.isAlternate && !StringRef("xXo").contains(given.type)))
        return std::nullopt;
    return formattedBy(
        e, v,
        Twine(given.isLeft ? "<" : "") + given.sign + (given.isAlternate ? "#" : "") +
            (given.isZero && !given.isLeft ? "0" : "") + given.width + places + Twine(given.type));
}

static Parts partsOfPercent(TypedBuilder &e, StringRef text, const Val &operand) {
    const bool isSeveral = operand.isTuple() && !operand.list && !operand.attr;
    const std::vector<Val> values = isSeveral ? operand.items.read() : std::vector<Val>{operand};
    std::vector<Val> parts;
    size_t next = 0;
    std::string constant;
    while (!text.empty()) {
        const size_t percent = text.find('%');
        constant += text.take_front(percent);
        text = text.substr(std::min(percent, text.size()));
        if (!text.consume_front("%"))
            break;
        if (text.consume_front("%")) {
            constant += '%';
            continue;
        }
        const std::optional<Conversion> conversion = takeConversion(text);
        std::optional<Val> part;
        if (conversion && next < values.size())
            part = converted(e, *conversion, values[next++]);
        if (!part)
            return std::nullopt;
        parts.push_back(e.staticVal("str", std::exchange(constant, "")));
        parts.push_back(std::move(*part));
    }
    parts.push_back(e.staticVal("str", constant));
    return next == values.size() ? Parts(std::move(parts)) : std::nullopt;
}

//===-- "{:d}".format(v)

namespace {

class Fields {
public:
    // Of a thunk of str.format, whose keywords' values are its last items.
    explicit Fields(const Val &thunk) : items(thunk.items.read()) {
        thunk.staticText().split(' ').second.split(names, ' ', -1, /*KeepEmpty=*/false);
    }

    // The value of the field with that name; null: there is none, or Python finds it.
    const Val *find(StringRef name) {
        const size_t positional = items.size() - names.size();
        if (const auto *at = llvm::find(names, name); at != names.end() && !name.empty())
            return &items[positional + size_t(at - names.begin())];
        size_t number = 0;
        isNumbered |= !name.empty();
        isCounted |= name.empty();
        if (name.empty())
            number = count++;
        else if (name.getAsInteger(10, number))
            return nullptr;
        const bool isOne = !(isNumbered && isCounted) && number + 1 < positional;
        return isOne ? &items[number + 1] : nullptr;
    }

private:
    std::vector<Val> items;
    SmallVector<StringRef> names;
    size_t count = 0;
    bool isNumbered = false, isCounted = false;
};

} // namespace

static std::optional<Val> field(TypedBuilder &e, StringRef text, Fields &fields) {
    auto [name, specification] = text.split(':');
    auto [field, conversion] = name.split('!');
    if (name.contains('!') && conversion != "s" && conversion != "r")
        return std::nullopt;
    const Val *v = fields.find(field);
    if (!v)
        return std::nullopt;
    const Val shown = conversion == "s"   ? textOf(e, *v)
                      : conversion == "r" ? objectVal(e, "str", "builtins.repr", *v)
                                          : *v;
    return specification.empty() && shown.isText() ? shown : formattedBy(e, shown, specification);
}

static Parts partsOfFormat(TypedBuilder &e, StringRef text, Fields fields) {
    std::vector<Val> parts;
    std::string constant;
    while (!text.empty()) {
        const char c = text[0];
        text = text.drop_front();
        if (c != '{' && c != '}') {
            constant += c;
            continue;
        }
        if (!text.empty() && text[0] == c) {
            constant += c;
            text = text.drop_front();
            continue;
        }
        const size_t end = text.find_first_of("{}");
        if (c == '}' || end == StringRef::npos || text[end] == '{')
            return std::nullopt;
        std::optional<Val> part = field(e, text.take_front(end), fields);
        if (!part)
            return std::nullopt;
        text = text.drop_front(end + 1);
        parts.push_back(e.staticVal("str", std::exchange(constant, "")));
        parts.push_back(std::move(*part));
    }
    parts.push_back(e.staticVal("str", constant));
    return parts;
}

Parts shapecast::partsOfTemplate(TypedBuilder &e, const Val &thunk) {
    const StringRef callee = thunk.staticText();
    const bool isFormat = callee.split(' ').first == "builtins.str.format";
    if ((callee != "operator.mod" && !isFormat) || !thunk.items[0].isStatic("str"))
        return std::nullopt;
    const StringRef text = thunk.items[0].staticText();
    return isFormat ? partsOfFormat(e, text, Fields(thunk))
                    : partsOfPercent(e, text, thunk.items[1]);
}
