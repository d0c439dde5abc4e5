// Strings from numbers and arrays: str, repr, format, the parts of f-strings, and str's methods.
#include "ops/python/functions_text.h"

#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/function.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/memory.h"
#include "ops/builder/text.h"
#include "ops/tables.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// str() of compile-time values whose text is the same in every Python version.
static std::optional<std::string> knownText(const Val &v) {
    if (v.isStatic("str"))
        return v.staticText().str();
    if (v.isNone())
        return "None";
    if (v.isTyped() && isa<PyBoolType>(v.type()) && v.constBool())
        return *v.constBool() ? "True" : "False";
    if (v.isPyInt() && v.constInt())
        return std::to_string(*v.constInt());
    return std::nullopt;
}

static Val text(TypedBuilder &e, const Arguments &in) {
    const Val *object = in.find("object");
    if (!object)
        return e.staticVal("str", "");
    if (std::optional<std::string> known = knownText(*object))
        return e.staticVal("str", *known);
    return object->isText() ? *object : objectVal(e, "str", "builtins.str", {*object});
}

static Val representation(TypedBuilder &e, const Arguments &in) {
    const Val &object = in["obj"];
    std::optional<std::string> known = knownText(object);
    if (known && !object.isStatic("str"))
        return e.staticVal("str", *known);
    return objectVal(e, "str", "builtins.repr", {object});
}

static Val ascii(TypedBuilder &e, const Arguments &in) {
    return objectVal(e, "str", "builtins.ascii", {in["obj"]});
}

static Val format(TypedBuilder &e, const Arguments &in) {
    const Val &value = in["value"], *given = in.find("format_spec");
    const Val specification = given ? *given : e.staticVal("str", "");
    if (!specification.isText())
        e.fail("TypeError", "format() argument 2 must be str, not " + specification.className());
    std::optional<std::string> known = knownText(value);
    if (known && specification.isStatic("str") && specification.staticText().empty())
        return e.staticVal("str", *known);
    return objectVal(e, "str", "builtins.format", {value, specification});
}

// The parts of an f-string: adjacent constants are concatenated.
static Val joined(TypedBuilder &e, const Arguments &in) {
    std::vector<Val> parts;
    for (const Val &part : in["parts"].items)
        if (!parts.empty() && parts.back().isStatic("str") && part.isStatic("str"))
            parts.back() = *textBinary(e, "add", parts.back(), part);
        else
            parts.push_back(part);
    if (parts.empty())
        return e.staticVal("str", "");
    if (parts.size() == 1)
        return parts[0];
    return objectVal(e, "str", "join", parts);
}

static Val code(TypedBuilder &e, const Arguments &in) {
    const Val &c = in["c"];
    if (!c.isText())
        e.fail("TypeError", "ord() expected string of length 1, but " + c.className() + " found");
    const StringRef message = "ord() expected a character, but string of length {0} found";
    if (std::optional<std::vector<Val>> characters = charactersOf(e, c)) {
        if (characters->size() != 1)
            e.fail("TypeError", "ord() expected a character, but string of length " +
                                    Twine(characters->size()) + " found");
        const StringRef bytes = c.staticText();
        if (bytes.size() == 1)
            return e.intVal(bytes[0]);
    }
    const Val text = heapText(e, c);
    const DimAttr length = textLength(e, text).dim;
    e.require("eq", {length, e.dimConst(1)}, "TypeError", message, {length});
    return textFunction(e, "code", {text, e.intVal(0)});
}

static Val character(TypedBuilder &e, const Arguments &in) {
    constexpr int64_t most = 0x10FFFF;
    const DimAttr number = toDim(e, in["i"]);
    if (number.isConst() && number.getValue() >= 0 && number.getValue() < 128)
        return e.staticVal("str", std::string(1, char(number.getValue())));
    const StringRef message = "chr() arg not in range(0x110000)";
    e.require("ge", {number, e.dimConst(0)}, "ValueError", message);
    e.require("ge", {e.dimConst(most), number}, "ValueError", message);
    // The strings of narrow characters are the run time's: those of a constant with all of them.
    std::string narrow;
    for (int c = 0; c < 256; ++c)
        narrow += c < 128 ? std::string(1, char(c))
                          : std::string{char(0xC0 | c >> 6), char(0x80 | (c & 0x3F))};
    const Val code = e.sizeVal(number);
    return e.branch(compareInts(e, "lt", code, e.intVal(256)), [&](bool isNarrow) {
        return isNarrow ? textAt(e, e.staticVal("str", narrow), code)
                        : textFunction(e, "of_code", {code});
    });
}

// A function of the run time: primitives.text(function, *operands).
static Val ofRunTime(TypedBuilder &e, const Arguments &in) {
    for (const Val &operand : in["operands"].items)
        if (operand.isNone())
            e.fail("TypeError", "can only join an iterable");
    return textFunction(e, in["function"].staticText(), in["operands"].items.read());
}

// primitives.text_codes(text): of a string of characters below 256, an array of uint8.
static Val codes(TypedBuilder &e, const Arguments &in) {
    const Val text = heapText(e, in["text"]), made = alloc(e, {textLength(e, text).dim}, DType::U8);
    native(e, "text_codes", made, text.items[0]);
    return made;
}

// primitives.are_texts(items): whether it is a list in memory of strings alone, a constant.
static Val areTexts(TypedBuilder &e, const Arguments &in) {
    const Val &items = in["items"];
    return e.boolVal(isHeap(items, "list") && heapValueSlot(items).valKind == Val::Kind::Text);
}

// primitives.list_of_texts(): an empty list in memory.
static Val listOfTexts(TypedBuilder &e, const Arguments &) {
    return emptyHeapList(e, e.heapSites->placed(e.loc));
}

// primitives.split_into(list, text, separator, maximum): whether it is done, a constant.
static Val splitInto(TypedBuilder &e, const Arguments &in) {
    const Val &list = in["items"], text = heapText(e, in["text"]);
    const bool isSeparated = !in["separator"].isNone();
    widenHeap(e, list, nullptr, &text);
    if (heapValueSlot(list).valKind != Val::Kind::Text)
        return e.boolVal(false);
    const Val separator = heapText(e, isSeparated ? in["separator"] : e.staticVal("str", ""));
    native(e, "text_split", {list.items[0]},
           {text.items[0], separator.items[0], e.intVal(isSeparated), in["maximum"]});
    return e.boolVal(true);
}

ArrayRef<Function> shapecast::textFunctions() {
    static const Function list[] = {
        {"builtins.str", "object=", text},
        {"builtins.repr", "obj", representation},
        {"builtins.ascii", "obj", ascii},
        {"builtins.format", "value, format_spec=", format},
        {"builtins.str.join", "*parts", joined}, // of an f-string
        {"builtins.ord", "c", code},
        {"builtins.chr", "i", character},
        {"shapecast.library.primitives.text", "function, *operands", ofRunTime},
        {"shapecast.library.primitives.text_codes", "text", codes},
        {"shapecast.library.primitives.are_texts", "items", areTexts},
        {"shapecast.library.primitives.list_of_texts", "", listOfTexts},
        {"shapecast.library.primitives.split_into", "items, text, separator, maximum", splitInto},
    };
    return list;
}

bool shapecast::isThunkMethod(StringRef name) {
    static constexpr StringLiteral known[] = {
        "format", "upper",      "lower",        "strip",        "lstrip",  "rstrip",
        "title",  "center",     "ljust",        "rjust",        "zfill",   "replace",
        "join",   "capitalize", "removeprefix", "removesuffix", "swapcase"};
    return llvm::is_contained(known, name);
}

// text.name(...)
Val shapecast::textMethod(TypedBuilder &e, const Val &text, StringRef name, ArrayRef<Val> arguments,
                          ArrayRef<std::pair<StringRef, Val>> keywords) {
    if (!isThunkMethod(name))
        e.unsupported("the method '" + name + "' of a string is not supported");
    std::vector<Val> items{text};
    llvm::append_range(items, arguments);
    std::string callee = ("builtins.str." + name).str();
    for (const auto &[keyword, value] : keywords) { // the names follow the values
        items.push_back(value);
        callee += " " + keyword.str();
    }
    return objectVal(e, "str", callee, items);
}
