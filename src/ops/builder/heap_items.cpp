// Operations on containers in memory.
#include "ir/in_memory.h"
#include "ops/builder/cells.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_entries.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/sequences.h"
#include "ops/builder/tuple_objects.h"
#include "runtime/containers.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::heapCompact(TypedBuilder &e, const Val &container) {
    if (isHeap(container, "list"))
        return heapLength(e, container);
    Val length = native(e, "container_compact", container.items[0], {});
    e.facts.addLower(length.dim.getName(), e.dimConst(0));
    return length;
}

Val shapecast::heapKeyAt(TypedBuilder &e, const Val &container, const Val &index) {
    return isHeap(container, "list") ? loadValue(e, container, index)
                                     : loadKey(e, container, index);
}

Val shapecast::isRemovedAt(TypedBuilder &e, const Val &container, const Val &index) {
    const Val hash = e.typed(EntryOp::create(
        e.b, e.loc, PyIntType::get(e.ctx), container.items[0].value, index.value,
        e.b.getI64IntegerAttr(0), e.b.getI64IntegerAttr(layoutOf(e, container).words)));
    const Val removed = e.constant(e.b.getI64IntegerAttr(runtime::removedHash), hash.type());
    return pyop(e, "eq", {hash, removed}, PyBoolType::get(e.ctx));
}

Val shapecast::heapValueAt(TypedBuilder &e, const Val &container, const Val &index) {
    return loadValue(e, container, index);
}

//===-- Lookups

// The first part of a key, itself or an item of a tuple, that is None or of one of several kinds.
static Val *openPart(Val &key) {
    if (isOpen(key))
        return &key;
    if (key.isTuple() && !key.list)
        for (Val &item : key.items)
            if (Val *part = openPart(item))
                return part;
    return nullptr;
}

static Val entryOf(TypedBuilder &e, const Val &container, const Val &given);

// The same of a number or string, among keys that are members of enums equal to such; none where
// no key is.
static std::optional<Val> entryOfEqualMember(TypedBuilder &e, const Val &container,
                                             const Val &given) {
    const Slot &slot = heapKeySlot(container);
    const Slot &several = slot.kind == Slot::Kind::Optional ? slot.items[0] : slot;
    Val found = e.intVal(-1);
    bool isAny = false;
    for (const Slot &one : several.kind == Slot::Kind::Union ? ArrayRef<Slot>(several.items)
                                                             : ArrayRef<Slot>(several)) {
        const Val member = one.kind == Slot::Kind::Static ? e.literal(one.attr) : Val();
        if (given.isStatic("enum") || !combinesAsValue(member, given))
            continue;
        isAny = true;
        const Val equal = compare(e, "eq", member, given);
        found = e.branch(truth(e, equal),
                         [&](bool holds) { return holds ? entryOf(e, container, member) : found; });
    }
    return isAny ? std::optional(found) : std::nullopt;
}

// The lengths of those keys that are tuples; false where one is an instance, which may be equal to
// a tuple.
static bool lengthsOfTuples(const Slot &slot, SmallVectorImpl<size_t> &lengths) {
    if (slot.kind == Slot::Kind::Union || slot.kind == Slot::Kind::Optional)
        return llvm::all_of(slot.items,
                            [&](const Slot &one) { return lengthsOfTuples(one, lengths); });
    const bool isTuple =
        slot.kind == Slot::Kind::Tuple && slot.valKind == Val::Kind::Tuple && !slot.list;
    if (isTuple && !llvm::is_contained(lengths, slot.items.size()))
        lengths.push_back(slot.items.size());
    return !isObjectForm(slot.attr) && slot.valKind != Val::Kind::Record;
}

// The items of a tuple whose length is known only at run time, in columns or in memory
// (library/long_tuples.py); none of other values.
static std::optional<Val> itemsOfLongTuple(TypedBuilder &e, const Val &v) {
    if (v.isDynamicList() && !v.list)
        return v;
    if (isTupleRecord(e, v))
        return *recordField(v, "_items");
    return isTupleObject(e, v) && hasHeapAttribute(e, v, "_items")
               ? std::optional(heapAttribute(e, v, "_items", true))
               : std::nullopt;
}

// The same of such a tuple, among keys that are tuples of known lengths; none for others.
static std::optional<Val> entryOfLongTuple(TypedBuilder &e, const Val &container,
                                           const Val &given) {
    SmallVector<size_t> lengths;
    if (!lengthsOfTuples(heapKeySlot(container), lengths))
        return std::nullopt;
    const std::optional<Val> items = itemsOfLongTuple(e, given);
    if (!items)
        return std::nullopt;
    if (items->isTuple())
        return entryOf(e, container, e.tupleVal(items->items));
    const Val length =
        items->isDynamicList() ? e.sizeVal(listLength(*items)) : heapLength(e, *items);
    auto itemAt = [&](size_t k) {
        return items->isDynamicList() ? dynamicListItem(e, *items, e.dimConst(int64_t(k)))
                                      : loadValue(e, *items, e.intVal(int64_t(k)));
    };
    Val found = e.intVal(-1);
    for (size_t count : lengths) {
        const Val hasIt = compare(e, "eq", length, e.intVal(int64_t(count)));
        found = e.branch(truth(e, hasIt), [&](bool holds) {
            if (!holds)
                return found;
            std::vector<Val> key;
            for (size_t k = 0; k < count; ++k)
                key.push_back(itemAt(k));
            return entryOf(e, container, e.tupleVal(std::move(key)));
        });
    }
    return found;
}

// The number of the entry of that key, or -1.
static Val entryOf(TypedBuilder &e, const Val &container, const Val &given) {
    if (std::optional<Val> found = entryOfLongTuple(e, container, given))
        return *found;
    if (std::optional<Val> found = entryOfEqualMember(e, container, given))
        return *found;
    Val split = given;
    if (Val *part = openPart(split))
        return ofEachKind(e, *part, [&] { return entryOf(e, container, split); });
    if (!isEmptyForEver(container))
        if (std::optional<Val> found = e.equalEntry(container, given))
            return *found;
    std::optional<WantedKey> wanted = wordsOfWanted(e, container, given);
    if (!wanted || isEmptyForEver(container))
        return e.intVal(-1);
    auto find = [&] {
        SmallVector<Val> read{container.items[0]};
        llvm::append_range(read, wanted->words);
        return toPy(e, native(e, "container_find", {}, read, "", "", scalarType(e.ctx, DType::I64)),
                    PyKind::Int);
    };
    if (!wanted->isExact)
        return find();
    return e.branch(truth(e, *wanted->isExact),
                    [&](bool holds) { return holds ? find() : e.intVal(-1); });
}

static Val isFound(TypedBuilder &e, const Val &entry) {
    return compare(e, "ge", entry, e.intVal(0));
}

// Thunks are in memory, once.
static Val withTexts(TypedBuilder &e, const Val &key) {
    if (key.isObject("str"))
        return heapText(e, key);
    Val made = key;
    if (key.isTuple() && !key.list)
        for (Val &item : made.items)
            item = withTexts(e, item);
    return made;
}

static Val oneKey(TypedBuilder &e, ArrayRef<Val> keys) {
    return withTexts(e, keys.size() == 1 ? keys[0] : e.tupleVal(keys.vec()));
}

// Nothing releases the strings in it before. The address of the last one.
static std::optional<DimAttr> keepTexts(TypedBuilder &e, const Val &key) {
    if (isHeapText(key))
        return textFunction(e, "address", {key}).dim;
    std::optional<DimAttr> last;
    if (key.isTuple())
        for (const Val &item : key.items)
            if (std::optional<DimAttr> one = keepTexts(e, item))
                last = one;
    return last;
}

// Python's expression for a key of ints and strings, with {0} {1} ... for what is known only at run
// time; none for other keys.
static std::optional<std::string> keyExpression(TypedBuilder &e, const Val &key,
                                                SmallVectorImpl<DimAttr> &shown) {
    if (key.isTuple() && !key.list) {
        std::string items;
        for (const Val &item : key.items) {
            const std::optional<std::string> one = keyExpression(e, item, shown);
            if (!one)
                return std::nullopt;
            items += *one + ",";
        }
        return "(" + items + ")";
    }
    constexpr size_t mostShown = 10;                                        // ErrorRecord::payload
    if (key.isText() && !key.isStatic("str") && shown.size() < mostShown) { // errors.h
        shown.push_back(textFunction(e, "address", {key}).dim);
        return "{" + std::to_string(shown.size() - 1) + ":s}";
    }
    if (key.isNone())
        return "None";
    if (key.isStatic("str") && llvm::all_of(key.staticText(), [](char c) {
            return llvm::isPrint(c) && c != '\'' && c != '\\' && c != '{' && c != '}';
        }))
        return ("'" + key.staticText() + "'").str();
    if (!key.isScalar() || key.weakFlag || shown.size() == mostShown)
        return std::nullopt;
    const OperandType operand = *operandType(key.type());
    if (!isInteger(operand.dtype) || operand.dtype == DType::U64)
        return std::nullopt;
    const std::string number = "{" + std::to_string(shown.size()) + "}";
    shown.push_back(toDim(e, key));
    return operand.weak == PyKind::Int
               ? number
               : "np." + dtypeName(operand.dtype).str() + "(" + number + ")";
}

// KeyError where it is -1. The expression of a key has a prefix that _errors.py reads.
static void requireEntry(TypedBuilder &e, const Val &entry, const Val &key) {
    e.onKeyError(key);
    SmallVector<DimAttr> shown;
    const std::optional<std::string> expression = keyExpression(e, key, shown);
    const std::string message = key.isStatic("str") ? key.staticText().str()
                                : expression        ? "\x1f" + *expression
                                                    : std::string("(...)");
    if (entry.constInt() == -1 && shown.empty())
        e.fail("KeyError", message);
    // Of a container that is always empty the check is of an address as well: what keeps the
    // strings is behind it, and behind a check that is known to fail there is nothing.
    const std::optional<DimAttr> address = keepTexts(e, key);
    const bool isEmpty = entry.constInt() == -1;
    e.require("ge", {isEmpty && address ? dimNeg(*address) : toDim(e, entry), e.dimConst(0)},
              "KeyError", message, shown);
    keepTexts(e, key);
    if (isEmpty && address)
        e.require("false", {}, "KeyError", "(...)"); // nothing comes here
}

Val shapecast::heapContains(TypedBuilder &e, const Val &container, const Val &item) {
    assert(!isHeap(container, "list"));
    return isFound(e, entryOf(e, container, item));
}

//===-- Lists

static Val listIndex(TypedBuilder &e, const Val &list, ArrayRef<Val> keys, StringRef message) {
    checkSequenceIndex(e, list, keys);
    const Val length = heapLength(e, list);
    const DimAttr at = toDim(e, keys[0]);
    e.require("index", {at, length.dim}, "IndexError", message);
    return e.sizeVal(dimWrap(at, length.dim));
}

static void resize(TypedBuilder &e, const Val &list, const Val &length) {
    noteChange(e, list);
    native(e, "container_resize", list.items[0], length);
}

static void appendTo(TypedBuilder &e, const Val &list, const Val &item) {
    widenHeap(e, list, nullptr, &item);
    noteChange(e, list);
    const Val index =
        e.typed(AppendOp::create(e.b, e.loc, PyIntType::get(e.ctx), list.items[0].value));
    storeValue(e, list, index, item);
}

static Val popFrom(TypedBuilder &e, const Val &list, ArrayRef<Val> given) {
    noteChange(e, list);
    const Val length = heapLength(e, list);
    e.require("ge", {length.dim, e.dimConst(1)}, "IndexError", "pop from empty list");
    const Val index = given.empty() ? e.sizeVal(dimSub(length.dim, e.dimConst(1)))
                                    : listIndex(e, list, given, "pop index out of range");
    Val popped = loadValue(e, list, index);
    native(e, "container_move", list.items[0],
           {index, e.sizeVal(dimAdd(index.dim, e.dimConst(1)))});
    return popped;
}

static void insertInto(TypedBuilder &e, const Val &list, const Val &at, const Val &item) {
    widenHeap(e, list, nullptr, &item);
    const DimAttr length = heapLength(e, list).dim, zero = e.dimConst(0), given = toDim(e, at);
    const DimAttr isNegative = dimMin(dimMax(dimSub(zero, given), zero), e.dimConst(1));
    const Val index =
        e.sizeVal(dimMin(dimMax(dimAdd(given, dimMul(length, isNegative)), zero), length));
    resize(e, list, e.sizeVal(dimAdd(length, e.dimConst(1))));
    native(e, "container_move", list.items[0],
           {e.sizeVal(dimAdd(index.dim, e.dimConst(1))), index});
    storeValue(e, list, index, item);
}

//===-- Items

Val shapecast::heapItem(TypedBuilder &e, const Val &container, ArrayRef<Val> keys) {
    if (isHeap(container, "set") || isHeapObject(container))
        e.fail("TypeError", "'" + container.className() + "' object is not subscriptable");
    if (isHeap(container, "list")) {
        const Val index = listIndex(e, container, keys, "list index out of range");
        if (isEmptyForEver(container))
            e.fail("IndexError", "list index out of range");
        return loadValue(e, container, index);
    }
    const Val key = oneKey(e, keys), entry = entryOf(e, container, key);
    requireEntry(e, entry, key);
    return loadValue(e, container, entry);
}

static Val insertKey(TypedBuilder &e, const Val &container, const Val &given);

// The entry of that key, made where there is none. Each kind that it may be of by itself.
static Val insertAnyKey(TypedBuilder &e, const Val &container, const Val &given) {
    Val key = given;
    Val *part = openPart(key);
    if (!part)
        return insertKey(e, container, given);
    widenHeap(e, container, &given, nullptr);
    return ofEachKind(e, *part, [&] { return insertAnyKey(e, container, key); });
}

static Val insertNewKey(TypedBuilder &e, const Val &container, const Val &key);

static Val insertKey(TypedBuilder &e, const Val &container, const Val &given) {
    objectAsKey(e, given);
    if (isUnhashable(given))
        e.fail("TypeError", "unhashable type: '" + given.className() + "'");
    widenHeap(e, container, &given, nullptr);
    noteChange(e, container);
    if (std::optional<Val> found = e.equalEntry(container, given)) {
        const Val isNew = compare(e, "lt", *found, e.intVal(0));
        return e.branch(truth(e, isNew), [&](bool holds) {
            return holds ? insertNewKey(e, container, given) : *found;
        });
    }
    return insertNewKey(e, container, given);
}

// None of its keys is known to be equal.
static Val insertNewKey(TypedBuilder &e, const Val &container, const Val &key) {
    const KeyWords words = wordsOfKey(e, container, key);
    const Val before = words.others.empty() ? Val() : heapLength(e, container);
    const Val entry = native(e, "container_insert", container.items[0], words.compared);
    if (!words.others.empty()) { // of an equal key that is there already they stay
        const Val isNew = compare(e, "ne", before, heapLength(e, container));
        e.branch(truth(e, isNew), [&](bool holds) {
            if (holds)
                storeOtherKeyWords(e, container, entry, words.others);
            return e.noneVal();
        });
    }
    return entry;
}

void shapecast::setHeapItem(TypedBuilder &e, const Val &container, ArrayRef<Val> keys,
                            const Val &value) {
    if (isHeap(container, "set"))
        e.fail("TypeError", "'set' object does not support item assignment");
    widenHeap(e, container, nullptr, &value);
    noteChange(e, container);
    if (isHeap(container, "list"))
        return storeValue(e, container,
                          listIndex(e, container, keys, "list assignment index out of range"),
                          value);
    storeValue(e, container, insertAnyKey(e, container, oneKey(e, keys)), value);
}

static void removeEntry(TypedBuilder &e, const Val &container, const Val &entry) {
    noteChange(e, container);
    native(e, "container_remove", container.items[0], entry);
}

void shapecast::deleteHeapItem(TypedBuilder &e, const Val &container, ArrayRef<Val> keys) {
    if (isHeap(container, "set"))
        e.fail("TypeError", "'set' object doesn't support item deletion");
    noteChange(e, container);
    if (isHeap(container, "list")) {
        const Val index = listIndex(e, container, keys, "list assignment index out of range");
        native(e, "container_move", container.items[0],
               {index, e.sizeVal(dimAdd(index.dim, e.dimConst(1)))});
        return;
    }
    const Val key = oneKey(e, keys), entry = entryOf(e, container, key);
    requireEntry(e, entry, key);
    removeEntry(e, container, entry);
}

//===-- Methods

// The value of that key where there is one, else `otherwise`.
static Val valueOr(TypedBuilder &e, const Val &dict, const Val &entry, const Val &otherwise) {
    if (isEmptyForEver(dict) || entry.constInt() == -1)
        return otherwise;
    return e.branch(truth(e, isFound(e, entry)),
                    [&](bool holds) { return holds ? loadValue(e, dict, entry) : otherwise; });
}

static Val popKey(TypedBuilder &e, const Val &dict, ArrayRef<Val> given) {
    const Val entry = entryOf(e, dict, given[0]);
    if (given.size() == 1)
        requireEntry(e, entry, given[0]);
    auto take = [&] {
        Val value = loadValue(e, dict, entry);
        removeEntry(e, dict, entry);
        return value;
    };
    if (given.size() == 1)
        return take();
    if (entry.constInt() == -1)
        return given[1];
    return e.branch(truth(e, isFound(e, entry)),
                    [&](bool holds) { return holds ? take() : given[1]; });
}

static Val lastEntry(TypedBuilder &e, const Val &container, StringRef message) {
    const Val length = heapLength(e, container);
    if (isEmptyForEver(container))
        e.fail("KeyError", message);
    e.require("ge", {length.dim, e.dimConst(1)}, "KeyError", message);
    return toPy(
        e,
        native(e, "container_last", container.items[0], {}, "", "", scalarType(e.ctx, DType::I64)),
        PyKind::Int);
}

static std::optional<Val> dictMethodOf(TypedBuilder &e, const Val &dict, StringRef name,
                                       ArrayRef<Val> given) {
    const size_t count = given.size();
    if (name == "get" && (count == 1 || count == 2))
        return valueOr(e, dict, entryOf(e, dict, given[0]), count == 2 ? given[1] : e.noneVal());
    if (name == "pop" && (count == 1 || count == 2))
        return popKey(e, dict, given);
    if (name == "setdefault" && (count == 1 || count == 2)) {
        const Val value = count == 2 ? given[1] : e.noneVal();
        widenHeap(e, dict, &given[0], &value);
        const Val before = heapLength(e, dict), entry = insertAnyKey(e, dict, given[0]);
        const Val isNew = compare(e, "ne", before, heapLength(e, dict));
        e.branch(truth(e, isNew), [&](bool holds) {
            if (holds)
                storeValue(e, dict, entry, value);
            return e.noneVal();
        });
        return loadValue(e, dict, entry);
    }
    if (name == "popitem" && count == 0) {
        const Val entry = lastEntry(e, dict, "popitem(): dictionary is empty");
        Val pair = e.tupleVal({loadKey(e, dict, entry), loadValue(e, dict, entry)});
        removeEntry(e, dict, entry);
        return pair;
    }
    if ((name == "keys" || name == "values" || name == "items") && count == 0)
        return dictView(e, name, dict);
    return std::nullopt;
}

static std::optional<Val> setMethodOf(TypedBuilder &e, const Val &set, StringRef name,
                                      ArrayRef<Val> given) {
    if (name == "add" && given.size() == 1) {
        insertAnyKey(e, set, given[0]);
        return e.noneVal();
    }
    if ((name == "discard" || name == "remove") && given.size() == 1) {
        const Val entry = entryOf(e, set, given[0]);
        if (name == "remove")
            requireEntry(e, entry, given[0]);
        if (entry.constInt() == -1)
            return e.noneVal();
        if (name == "remove")
            removeEntry(e, set, entry);
        else
            e.branch(truth(e, isFound(e, entry)), [&](bool holds) {
                if (holds)
                    removeEntry(e, set, entry);
                return e.noneVal();
            });
        return e.noneVal();
    }
    if (name == "update" && given.size() == 1 && isHeap(given[0], "set") &&
        !holdsInstances(heapKeySlot(given[0]))) {
        uniteHeaps(e, set.serial, given[0].serial); // for the order that CPython's copies have
        noteChange(e, set);
        native(e, "container_merge", set.items[0], given[0].items[0]);
        return e.noneVal();
    }
    if (name == "copy" && given.empty()) {
        Val copy = heapLike(e, set);
        native(e, "container_merge", copy.items[0], set.items[0]);
        return copy;
    }
    if (name == "pop" && given.empty()) {
        checkHasOrder(e, set);
        const Val entry = lastEntry(e, set, "pop from an empty set");
        Val key = loadKey(e, set, entry);
        removeEntry(e, set, entry);
        return key;
    }
    return std::nullopt;
}

static std::optional<Val> listMethodOf(TypedBuilder &e, const Val &list, StringRef name,
                                       ArrayRef<Val> given) {
    if (name == "append" && given.size() == 1)
        appendTo(e, list, given[0]);
    else if (name == "pop" && given.size() <= 1)
        return isEmptyForEver(list) ? (e.fail("IndexError", "pop from empty list"), std::nullopt)
                                    : std::optional(popFrom(e, list, given));
    else if (name == "insert" && given.size() == 2)
        insertInto(e, list, given[0], given[1]);
    else
        return std::nullopt;
    return e.noneVal();
}

std::optional<Val> shapecast::heapMethod(TypedBuilder &e, const Val &container, StringRef name,
                                         ArrayRef<Val> given) {
    if (name == "clear" && given.empty()) {
        noteChange(e, container);
        native(e, "container_clear", container.items[0], {});
        return e.noneVal();
    }
    return isHeap(container, "list")   ? listMethodOf(e, container, name, given)
           : isHeap(container, "dict") ? dictMethodOf(e, container, name, given)
                                       : setMethodOf(e, container, name, given);
}

//===-- For Python

// The sites of the containers that it is in, and where their forms begin.
using Around = SmallVector<std::pair<unsigned, size_t>>;
static void describeSlot(TypedBuilder &e, const Slot &slot, std::string &text, Around &around);

static void describeNumber(Type type, std::string &text) {
    const OperandType operand = *operandType(type);
    switch (operand.weak) {
    case PyKind::Bool:
        text += 'b';
        break;
    case PyKind::Int:
        text += 'i';
        break;
    case PyKind::WideInt:
        text += 'j';
        break;
    case PyKind::Float:
        text += 'f';
        break;
    case PyKind::Complex:
        text += 'z';
        break;
    default:
        text += {'s', isBool(operand.dtype) ? '?' : dtypeChar(operand.dtype)};
    }
}

// A, the number of axes, NumPy's character, r or w (may be written to), the layout's number, and
// for each axis its size, or ? where entries have it.
static void describeArray(const Slot &slot, std::string &text) {
    const auto array = cast<ArrayType>(slot.type);
    const DType dtype = operandType(array)->dtype;
    text += "A" + std::to_string(array.getRank());
    text += {isBool(dtype) ? '?' : dtypeChar(dtype), array.getReadonly() ? 'r' : 'w'};
    text += std::to_string(int(array.getLayout())) + ":";
    for (auto [dim, isDynamic] : llvm::zip_equal(array.getDims(), slot.dynamicDims))
        text += (isDynamic ? "?" : std::to_string(dim.getValue())) + ",";
    text += ';';
}

// "Rrecord:17:", the names of the fields, each with a comma, and a semicolon; their forms follow.
static void describeRecord(const Slot &slot, std::string &text) {
    Val v;
    v.kind = slot.valKind;
    v.attr = slot.attr;
    text += "R" + recordName(v) + ":"; // as np::isPortable finds it
    for (StringRef field : fieldNames(v))
        text += field.str() + ",";
    text += ';';
}

// Of a class as a function, the number of the class: constructedClass(v).
static std::optional<StringRef> constructedClass(const Slot &slot) {
    if (slot.valKind != Val::Kind::Function || slot.items.empty() ||
        slot.items[0].items.size() != 1)
        return std::nullopt;
    auto of = dyn_cast_or_null<PyAttr>(slot.items[0].items[0].attr);
    StringRef name = of && of.getKind() == "class" ? of.getText() : "";
    return name.consume_front("record:") ? std::optional(name) : std::nullopt;
}

// A constant Python number: its kind and its word.
static std::string wordText(Attribute number) {
    if (auto real = dyn_cast<FloatAttr>(number))
        return "f" + std::to_string(std::bit_cast<int64_t>(real.getValueAsDouble())) + ":";
    if (auto flag = dyn_cast<BoolAttr>(number))
        return flag.getValue() ? "b1:" : "b0:";
    return "i" + std::to_string(cast<IntegerAttr>(number).getInt()) + ":";
}

static void describeSlot(TypedBuilder &e, const Slot &slot, std::string &text, Around &around) {
    if (isObjectForm(slot.attr)) {
        text += "I" + std::to_string(e.heapSites->root(slot.serial)) + ":";
        return;
    }
    if (slot.valKind == Val::Kind::Text) {
        text += 'T';
        return;
    }
    if (slot.valKind == Val::Kind::Heap) {
        const unsigned number = e.heapSites->root(slot.serial);
        const HeapSites::Site &site = e.heapSites->sites[number];
        for (const auto &[site, start] : around)
            if (site == number) { // one of its own kind, to any depth
                text += "Y" + std::to_string(text.size() - start) + ":";
                return;
            }
        around.push_back({number, text.size()});
        llvm::scope_exit leave([&] { around.pop_back(); });
        const StringRef form = cast<StringAttr>(slot.attr).getValue();
        text += form == "list" ? 'L' : form == "dict" ? 'D' : 'S';
        if (form != "list")
            describeSlot(e, site.key, text, around);
        if (form != "set")
            describeSlot(e, site.value, text, around);
        return;
    }
    switch (slot.kind) {
    case Slot::Kind::Tuple:
        if (const std::optional<StringRef> number = constructedClass(slot)) {
            text += ("P" + *number + ":").str();
            return;
        }
        if (slot.valKind != Val::Kind::Tuple && !isValueRecord(slot))
            e.unsupported("returning a container or instance that holds a function (the factory "
                          "of a defaultdict, say) is not supported; return dict(d)");
        if (slot.attr)
            describeRecord(slot, text);
        else
            text += "t" + std::to_string(slot.items.size()) + ":";
        for (const Slot &item : slot.items)
            describeSlot(e, item, text, around);
        break;
    case Slot::Kind::Union:
        text += "u" + std::to_string(slot.items.size()) + ":";
        for (const Slot &item : slot.items)
            describeSlot(e, item, text, around);
        break;
    case Slot::Kind::Optional:
        text += 'o';
        describeSlot(e, slot.items[0], text, around);
        break;
    case Slot::Kind::Static: {
        const auto constant = cast<PyAttr>(slot.attr);
        if (constant.getKind() == "none")
            text += 'n';
        else if (constant.getKind() == "enum") // its number
            text += "P" + constant.getText().split(';').first.split(':').second.str() + ":";
        else if (constant.getKind() == "func")
            text +=
                "N" + std::to_string(constant.getText().size()) + ":" + constant.getText().str();
        else if (constant.getKind() == "str")
            text +=
                "c" + std::to_string(constant.getText().size()) + ":" + constant.getText().str();
        else
            e.unsupported("returning such a container is not supported");
        break;
    }
    case Slot::Kind::Typed:
        if (isa<ArrayType>(slot.type))
            return describeArray(slot, text);
        if (slot.maybeWeak != PyKind::Strong) { // the number, and whether it is Python's
            const char form = isNaturalPair(slot.type, slot.maybeWeak) ? 'w'
                              : slot.attr                              ? 'V'
                                                                       : 'W';
            text += form;
            describeNumber(slot.type, text);
            if (form == 'V') // the number is always the same one
                text += wordText(slot.attr);
            else if (form == 'W') // it has a word of its own
                describeNumber(pyType(e.ctx, slot.maybeWeak), text);
            break;
        }
        describeNumber(slot.type, text);
        break;
    default:
        text += 'x'; // nothing was ever stored
    }
}

// The sites of instances in a form, each once, and those in their attributes.
static void addSites(TypedBuilder &e, StringRef form, SmallVectorImpl<unsigned> &sites) {
    for (size_t at = form.find('I'); at != StringRef::npos; at = form.find('I', at + 1)) {
        unsigned site = 0;
        StringRef number = form.substr(at + 1).take_while(llvm::isDigit);
        const bool isSite = !number.getAsInteger(10, site) && site < e.heapSites->sites.size() &&
                            StringRef(e.heapSites->sites[site].form).starts_with("object ");
        if (isSite && !llvm::is_contained(sites, site)) // else it is part of a string
            sites.push_back(site);
    }
}

// Per site of instances, after \x1e and "record:" (np::isPortable): its number, the class's in
// _objects.py, the number of attributes, their places and names, and their forms.
static std::string heapClasses(TypedBuilder &e, StringRef form) {
    SmallVector<unsigned> sites;
    addSites(e, form, sites);
    std::string text;
    for (size_t k = 0; k < sites.size(); ++k) {
        const HeapSites::Site &site = e.heapSites->sites[sites[k]];
        StringRef words = site.form;
        words.consume_front("object ");
        std::string names, forms;
        Around around;
        size_t count = 0;
        for (auto [k, name, slot] : llvm::enumerate(site.attributes, site.value.items)) {
            if (k == 0 || slot.kind == Slot::Kind::Never)
                continue;
            ++count;
            const bool isInAll = StringRef(site.form).contains(";!" + name + ";") ||
                                 StringRef(site.form).contains(";!" + name + " ");
            names += std::to_string(isInAll ? bitOfAll : k) + ":" + name + ":";
            describeSlot(e, slot, forms, around);
        }
        text += "\x1erecord:" + std::to_string(sites[k]) + ":";
        text += words.take_while(llvm::isDigit).str() + ":" + std::to_string(count) + ":";
        text += names + forms;
        addSites(e, forms, sites);
    }
    return text;
}

std::string shapecast::heapFormat(TypedBuilder &e, const Val &container) {
    std::string text;
    Around around;
    describeSlot(e, slotOf(container), text, around);
    return text + heapClasses(e, text);
}
