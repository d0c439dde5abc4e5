// TypedBuilder: strings. Operations on compile-time constants are folded here; other strings are
// thunks that Python evaluates where they are printed, raised or returned, with snapshots of the
// arguments.
#include "ops/builder/typed.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

bool Val::isObject(StringRef objectKind) const {
    return kind == Kind::Object && cast<PyAttr>(attr).getKind() == objectKind;
}

// Arrays are copied; everything else is immutable.
Val TypedBuilder::snapshot(const Val &v) {
    if (ArrayType array = v.array()) {
        Layout layout = array.getLayout() == Layout::F ? Layout::F : Layout::C;
        Val copy = alloc(dimsOf(v), operandOf(v).dtype, layout);
        assign(copy, v);
        return copy;
    }
    Val result = v;
    for (Val &item : result.items)
        item = snapshot(item);
    return result;
}

Val TypedBuilder::objectVal(StringRef kind, StringRef callee, ArrayRef<Val> arguments) {
    Val v;
    v.kind = Val::Kind::Object;
    v.attr = PyAttr::get(ctx, kind, callee);
    for (const Val &argument : arguments) {
        if (argument.kind == Val::Kind::Slice || argument.kind == Val::Kind::Range ||
            argument.kind == Val::Kind::Function)
            unsupported("a string with " + describe(argument) + " in it is not supported");
        v.items.push_back(snapshot(argument));
    }
    return v;
}

//===-- Code points

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

std::optional<Val> TypedBuilder::textItem(const Val &text, ArrayRef<Val> keys) {
    std::optional<std::vector<Val>> items = charactersOf(*this, text);
    if (!items)
        return std::nullopt;
    checkSequenceIndex(text, keys);
    if (keys[0].kind != Val::Kind::Slice) {
        std::optional<int64_t> i = keys[0].constInt();
        const int64_t n = int64_t(items->size());
        if (i && (*i >= n || *i < -n))
            fail("IndexError", "string index out of range");
        if (!i)
            unsupported("a string is indexed with constants only");
        return (*items)[*i < 0 ? *i + n : *i];
    }
    std::string part;
    for (const Val &character : getItem(tupleVal(*items), keys).items)
        part += character.staticText();
    return staticVal("str", part);
}

//===-- Operators

std::optional<Val> TypedBuilder::textBinary(StringRef op, const Val &a, const Val &c) {
    const Val *count = a.isText() ? &c : &a;
    if (!a.isText() && !c.isText())
        return std::nullopt;
    if (op == "add" && a.isText() && c.isText()) {
        if (a.isStatic("str") && c.isStatic("str"))
            return staticVal("str", (a.staticText() + c.staticText()).str());
        return objectVal("str", "operator.add", {a, c});
    }
    if (op == "add" && a.isText() && !c.isArray())
        fail("TypeError", "can only concatenate str (not \"" + classNameOf(c) + "\") to str");
    const bool integral = count->isScalar() && operandOf(*count).weak != PyKind::Strong &&
                          operandOf(*count).weak <= PyKind::Int;
    if (op == "mul" && integral) {
        const Val &text = a.isText() ? a : c;
        std::optional<int64_t> times = count->constInt();
        if (!times || !text.isStatic("str"))
            return objectVal("str", "operator.mul", {text, *count});
        if (*times > 1 << 16)
            unsupported("a string repeated more than 65536 times is not supported");
        std::string repeated;
        for (int64_t i = 0; i < *times; ++i)
            repeated += text.staticText();
        return staticVal("str", repeated);
    }
    const bool isPython = count->isTuple() || count->isNone() || count->isText() ||
                          (count->isScalar() && operandOf(*count).weak != PyKind::Strong);
    if (op == "mul" && isPython)
        fail("TypeError",
             "can't multiply sequence by non-int of type '" + classNameOf(*count) + "'");
    if (op == "mod" && a.isText())
        return objectVal("str", "operator.mod", {a, c});
    if (a.isObject("str") || c.isObject("str"))
        unsupported("this operator on a string made at run time is not supported");
    return std::nullopt;
}

std::optional<Val> TypedBuilder::textCompare(StringRef op, const Val &a, const Val &c) {
    if (a.kind == Val::Kind::Object || c.kind == Val::Kind::Object) {
        if (a.isText() && c.isText())
            unsupported("comparing a string made at run time is not supported; compare the values "
                        "that it is made of");
        if (op == "eq" || op == "ne")
            return boolVal(op == "ne");
    }
    if (!a.isStatic("str") || !c.isStatic("str"))
        return std::nullopt;
    const int order = a.staticText().compare(c.staticText()); // UTF-8 sorts as its code points do
    return boolVal(op == "lt"   ? order < 0
                   : op == "le" ? order <= 0
                   : op == "gt" ? order > 0
                   : op == "ge" ? order >= 0
                                : (order == 0) == (op == "eq"));
}
