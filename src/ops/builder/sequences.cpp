#include "ops/builder/sequences.h"

#include "ops/builder/cells.h"

#include "facts/host_info.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/text.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// A value without __index__; others may be integers at run time.
static bool isNoIndex(TypedBuilder &e, const Val &key) {
    if (key.isScalar() && !key.weakFlag)
        return !isInteger(e.operandOf(key).dtype) && !isa<PyBoolType>(key.type());
    return key.isTuple() || key.isDynamicList() || key.isDict() || key.isNone() ||
           key.isStatic("str") || isTextMember(key);
}

void shapecast::checkSequenceIndex(TypedBuilder &e, const Val &sequence, ArrayRef<Val> keys) {
    if (keys.size() == 1 && keys[0].isArray() && keys[0].array().getRank() > 0)
        e.fail("TypeError", "only integer scalar arrays can be converted to a scalar index");
    if (keys.size() == 1 && !isNoIndex(e, keys[0]))
        return;
    const std::string type = keys.size() == 1 ? keys[0].className() : "tuple";
    if (sequence.isText())
        e.fail("TypeError",
               hostInfo().messageOf("string indices must be integers, not '{0}'", {type}));
    const StringRef kind = sequence.kind == Val::Kind::Range ? "range"
                           : sequence.list                   ? "list"
                                                             : "tuple";
    e.fail("TypeError", kind + " indices must be integers or slices, not " + type);
}

// tuple[key]
Val shapecast::tupleItem(TypedBuilder &e, const Val &base, ArrayRef<Val> keys) {
    checkSequenceIndex(e, base, keys);
    int64_t n = base.items.size();
    auto at = [&](const Val &v, int64_t absent) {
        if (v.isNone())
            return absent;
        if (std::optional<int64_t> i = v.constInt())
            return *i;
        toDim(e, v, "slice indices must be integers or None or have an __index__ method");
        wishHeap(e, base);
        wishGlobal(e, base);
        e.unsupported("a " + base.describe() + " is indexed with constants only");
    };
    auto bound = [&](const Val &v, int64_t absent, int64_t low, int64_t high) {
        int64_t i = at(v, absent);
        return v.isNone() ? i : std::clamp(i < 0 ? i + n : i, low, high);
    };
    if (keys[0].kind == Val::Kind::Slice) {
        int64_t step = keys[0].items[2].isNone() ? 1 : at(keys[0].items[2], 1);
        if (step == 0)
            e.fail("ValueError", "slice step cannot be zero");
        std::vector<Val> part;
        if (step > 0)
            for (int64_t i = bound(keys[0].items[0], 0, 0, n),
                         end = bound(keys[0].items[1], n, 0, n);
                 i < end; i += step)
                part.push_back(base.items[i]);
        else
            for (int64_t i = bound(keys[0].items[0], n - 1, -1, n - 1),
                         end = bound(keys[0].items[1], -1, -1, n - 1);
                 i > end; i += step)
                part.push_back(base.items[i]);
        return e.tupleVal(std::move(part), base.list);
    }
    std::optional<int64_t> i = keys[0].constInt();
    if (!i) {
        wishHeap(e, base);
        wishGlobal(e, base);
        e.unsupported("a " + base.describe() + " is indexed with constants only");
    }
    if (*i >= n || *i < -n)
        e.fail("IndexError", base.describe() + " index out of range");
    return base.items[*i < 0 ? *i + n : *i];
}

DimAttr shapecast::rangeSize(TypedBuilder &e, const Val &range) {
    const DimAttr start = range.items[0].dim, stop = range.items[1].dim, step = range.items[2].dim;
    const DimAttr size =
        e.facts.canonical(dimMax(dimCeilDiv(dimSub(stop, start), step), e.dimConst(0)));
    // The difference of two numbers of one sign fits in 64 bits.
    auto isNatural = [&](DimAttr bound) {
        return e.facts.greaterEqual(bound, e.dimConst(0)) == Answer::Yes;
    };
    if (!size.isConst() && !(isNatural(start) && isNatural(stop) && step.isConst()))
        e.require("ge", {e.dimConst(INT64_MAX), size}, "OverflowError",
                  "Python int too large to convert to C ssize_t");
    return size;
}

// range[key]
Val shapecast::rangeItem(TypedBuilder &e, const Val &range, ArrayRef<Val> keys) {
    checkSequenceIndex(e, range, keys);
    if (keys[0].kind == Val::Kind::Slice)
        e.unsupported("a slice of a range is not supported; make another range");
    const DimAttr low = range.items[0].dim, step = range.items[2].dim, at = toDim(e, keys[0]);
    const DimAttr size = rangeSize(e, range);
    e.require("index", {at, size}, "IndexError", "range object index out of range");
    return e.sizeVal(e.facts.canonical(dimAdd(low, dimMul(step, dimWrap(at, size)))));
}

void shapecast::requireInList(TypedBuilder &e, StringRef kind, ArrayRef<DimAttr> args,
                              const Val &item) {
    const StringRef message = hostInfo().message("{0} is not in list");
    if (item.isPyInt() && message.contains("{0}"))
        return e.require(kind, args, "ValueError", message, item.dim);
    const bool isPlain = item.isStatic("str") && llvm::all_of(item.staticText(), [](char c) {
                             return llvm::isPrint(c) && c != '\'' && c != '\\';
                         });
    const std::string shown = isPlain ? ("'" + item.staticText() + "'").str() : "x";
    e.require(kind, args, "ValueError", hostInfo().messageOf("{0} is not in list", {shown}));
}

// Iterators are values for `for`, unpacking and comprehensions only.
Val shapecast::iterator(TypedBuilder &e, StringRef kind, std::vector<Val> items) {
    for (const Val &item : ArrayRef(items).drop_front(kind == "map" ? 1 : 0)) // not the function
        if (!kind.starts_with("nd") && kind != "flat" && !isPythonArray(item))
            checkIterable(e, item,
                          kind == "reversed" ? "'{0}' object is not reversible"
                                             : "'{0}' object is not iterable");
    Val v;
    v.kind = Val::Kind::Iterator;
    v.attr = e.b.getStringAttr(kind);
    v.items = std::move(items);
    v.serial = ++e.lastSerial;
    v.dim = e.dimConst(e.iterationCells); // identifies the loop iteration it belongs to
    return v;
}

// text[key] of a string in memory.
static Val heapTextItem(TypedBuilder &e, const Val &text, const Val &key) {
    const Val string = heapText(e, text);
    if (key.kind != Val::Kind::Slice) {
        const DimAttr length = textLength(e, string).dim, at = toDim(e, key);
        e.require("index", {at, length}, "IndexError", "string index out of range");
        return textAt(e, string, e.sizeVal(dimWrap(at, length)));
    }
    SmallVector<Val> operands{string};
    for (auto [k, bound] : llvm::enumerate(key.items.read()))
        operands.push_back(
            bound.isNone() ? e.intVal(k == 2 ? 1 : INT64_MIN)
                           : e.sizeVal(toDim(e, bound,
                                             "slice indices must be integers or None or have an "
                                             "__index__ method")));
    const DimAttr step = operands[3].dim;
    if (step.isConst(0))
        e.fail("ValueError", "slice step cannot be zero");
    if (!step.isConst())
        e.require("ne", {step, e.dimConst(0)}, "ValueError", "slice step cannot be zero");
    return textFunction(e, "slice", operands);
}

std::optional<Val> shapecast::textItem(TypedBuilder &e, const Val &text, ArrayRef<Val> keys) {
    if (!text.isText())
        return std::nullopt;
    checkSequenceIndex(e, text, keys);
    auto isKnown = [](const Val &v) { return v.isNone() || v.constInt(); };
    std::optional<std::vector<Val>> items = charactersOf(e, text);
    const bool areKnown = keys[0].kind == Val::Kind::Slice
                              ? llvm::all_of(keys[0].items.read(), isKnown)
                              : isKnown(keys[0]);
    if (!items || !areKnown)
        return heapTextItem(e, text, keys[0]);
    if (keys[0].kind != Val::Kind::Slice) {
        std::optional<int64_t> i = keys[0].constInt();
        const int64_t n = int64_t(items->size());
        if (i && (*i >= n || *i < -n))
            e.fail("IndexError", "string index out of range");
        return (*items)[*i < 0 ? *i + n : *i];
    }
    std::string part;
    for (const Val &character : tupleItem(e, e.tupleVal(*items), keys).items)
        part += character.staticText();
    return e.staticVal("str", part);
}
