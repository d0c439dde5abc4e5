#include "ops/builder/text.h"

#include "ops/builder/heap_text.h"
#include "ops/builder/thunks.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static std::vector<StringRef> characters(StringRef text) {
    std::vector<StringRef> result;
    for (size_t i = 0; i < text.size();) {
        size_t end = i + 1;
        while (end < text.size() && (text[end] & 0xC0) == 0x80)
            ++end;
        result.push_back(text.slice(i, end));
        i = end;
    }
    return result;
}

std::optional<std::vector<Val>> shapecast::charactersOf(TypedBuilder &e, const Val &text) {
    if (!text.isStatic("str"))
        return std::nullopt;
    std::vector<Val> items;
    for (StringRef character : characters(text.staticText()))
        items.push_back(e.staticVal("str", character));
    return items;
}

std::optional<Val> shapecast::textBinary(TypedBuilder &e, StringRef op, const Val &a,
                                         const Val &c) {
    const Val *count = a.isText() ? &c : &a;
    if (!a.isText() && !c.isText())
        return std::nullopt;
    if (op == "add" && a.isText() && c.isText()) {
        if (a.isStatic("str") && c.isStatic("str"))
            return e.staticVal("str", (a.staticText() + c.staticText()).str());
        return isHeapText(a) || isHeapText(c) ? textConcat(e, a, c)
                                              : objectVal(e, "str", "operator.add", {a, c});
    }
    if (op == "add" && a.isText() && !c.isArray())
        e.fail("TypeError", "can only concatenate str (not \"" + c.className() + "\") to str");
    const bool integral = count->isScalar() && e.operandOf(*count).weak != PyKind::Strong &&
                          e.operandOf(*count).weak <= PyKind::Int;
    if (op == "mul" && integral) {
        const Val &text = a.isText() ? a : c;
        std::optional<int64_t> times = count->constInt();
        if (isHeapText(text))
            return textRepeat(e, text, *count);
        if (!times || !text.isStatic("str"))
            return objectVal(e, "str", "operator.mul", {text, *count});
        if (*times > 1 << 16)
            e.unsupported("a string repeated more than 65536 times is not supported");
        std::string repeated;
        for (int64_t i = 0; i < *times; ++i)
            repeated += text.staticText();
        return e.staticVal("str", repeated);
    }
    const bool isPython = count->isTuple() || count->isNone() || count->isText() ||
                          (count->isScalar() && e.operandOf(*count).weak != PyKind::Strong);
    if (op == "mul" && isPython)
        e.fail("TypeError",
               "can't multiply sequence by non-int of type '" + count->className() + "'");
    if (op == "mod" && a.isText())
        return objectVal(e, "str", "operator.mod", {a, c});
    return std::nullopt;
}

std::optional<Val> shapecast::textCompare(TypedBuilder &e, StringRef op, const Val &a,
                                          const Val &c) {
    const bool isKnown = a.isStatic("str") && c.isStatic("str");
    if (a.isText() && c.isText() && !isKnown)
        return textRelation(e, op, a, c);
    auto isAtRunTime = [](const Val &v) { return v.kind == Val::Kind::Object || isHeapText(v); };
    if ((isAtRunTime(a) || isAtRunTime(c)) && (op == "eq" || op == "ne"))
        return e.boolVal(op == "ne");
    if (!isKnown)
        return std::nullopt;
    const int order = a.staticText().compare(c.staticText()); // UTF-8 sorts as its code points do
    return e.boolVal(op == "lt"   ? order < 0
                     : op == "le" ? order <= 0
                     : op == "gt" ? order > 0
                     : op == "ge" ? order >= 0
                                  : (order == 0) == (op == "eq"));
}
