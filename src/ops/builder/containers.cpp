#include "ops/builder/containers.h"

#include "facts/host_info.h"
#include "ops/builder/cells.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/function.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/items.h"
#include "ops/builder/list_items.h"
#include "ops/builder/operands.h"
#include "ops/builder/record_class.h"
#include "ops/builder/sequences.h"
#include "ops/builder/text.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static ArrayRef<Attribute> keysOf(const Val &dict) { return cast<ArrayAttr>(dict.attr).getValue(); }

//===-- Dicts

Val shapecast::dictVal(TypedBuilder &e, ArrayRef<Attribute> keys, std::vector<Val> items) {
    Val v;
    v.kind = Val::Kind::Dict;
    v.attr = e.b.getArrayAttr(keys);
    v.items = std::move(items);
    return v;
}

Attribute shapecast::keyOf(TypedBuilder &e, const Val &part, const Val &key) {
    if (part.isStatic("str") || part.isStatic("enum") || part.isNone())
        return part.attr;
    if (part.isTyped() && isPyScalar(part.type()) && part.constInt())
        return part.attr && isa<BoolAttr>(part.attr) ? part.attr
                                                     : e.b.getI64IntegerAttr(*part.constInt());
    if (part.isTuple() && !part.list) {
        SmallVector<Attribute> items;
        for (const Val &item : part.items)
            items.push_back(keyOf(e, item, key));
        return e.b.getArrayAttr(items);
    }
    objectAsKey(e, part);
    if (isUnhashable(part))
        e.fail("TypeError",
               hostInfo().messageOf("unhashable type: '{0}'", {part.className(), key.className()}));
    if (part.isPyInt() && e.heapWishes.empty()) // else the dict is in memory
        e.requestStaticArgument(sourceParameters(part));
    e.unsupported("a key of a dict that is no constant string or integer is not supported: " +
                  part.describe() + "; use a tuple or an array");
}

// Keys that are equal in Python have one canonical form: True is 1, and so is a member of an
// IntEnum.
static Attribute canonicalKey(Attribute key) {
    Builder b(key.getContext());
    if (auto constant = dyn_cast<PyAttr>(key); constant && constant.getKind() == "enum") {
        StringRef value = valueWordOfMember(constant);
        int64_t number = 0;
        if (value.consume_front("=i") && !value.getAsInteger(10, number))
            return b.getI64IntegerAttr(number);
        return value.consume_front("=s") ? PyAttr::get(b.getContext(), "str", value) : key;
    }
    if (auto flag = dyn_cast<BoolAttr>(key))
        return b.getI64IntegerAttr(flag.getValue());
    if (auto items = dyn_cast<ArrayAttr>(key))
        return b.getArrayAttr(llvm::map_to_vector(items, canonicalKey));
    return key;
}

static std::optional<size_t> indexOfKey(ArrayRef<Attribute> keys, Attribute key) {
    auto found =
        llvm::find_if(keys, [&](Attribute k) { return canonicalKey(k) == canonicalKey(key); });
    return found == keys.end() ? std::nullopt : std::optional(size_t(found - keys.begin()));
}

bool shapecast::isConstantKey(const Val &key) {
    if (key.isTuple() && !key.list)
        return llvm::all_of(key.items.read(), isConstantKey);
    if (key.isUnion() || key.kind == Val::Kind::Optional || key.isRecord() || isHeapObject(key) ||
        (key.isDynamicList() && !key.list))
        return false;
    return key.isText() ? key.isStatic("str") : !key.isScalar() || (isPy(key) && key.constInt());
}

void shapecast::wishForKey(TypedBuilder &e, const Val &dict, const Val &key) {
    if (isConstantKey(key))
        return;
    const bool isKnown = dict.cell && dict.cell != unknownCell;
    const bool mayBeStatic =
        e.isEntry && key.isPyInt() && !sourceParameters(key).empty(); // see keyOf
    if (isKnown && e.cells[dict.cell].target && (key.isScalar() || key.isText() || key.isTuple()) &&
        !mayBeStatic) {
        const Attribute target = e.cells[dict.cell].target;
        auto why = dyn_cast<StringAttr>(target);
        e.wishesHeapArgument = bool(why);
        wishGlobal(e, dict);
        e.unsupported("a key known only at run time, of a dict " +
                      (why                        ? why.getValue()
                       : isa<IntegerAttr>(target) ? StringRef(ofGlobals)
                                                  : StringRef("of the caller's,")) +
                      " is not supported; make a dict in the function (d = dict(d) copies one)");
    }
    const bool hasMembers = llvm::any_of(keysOf(dict), [](Attribute known) {
        auto constant = dyn_cast<PyAttr>(known);
        return constant && constant.getKind() == "enum";
    });
    if (!mayBeStatic || !hasMembers) // in memory these may not be equal
        wishHeap(e, dict);
}

std::optional<size_t> shapecast::findKey(TypedBuilder &e, const Val &dict, const Val &key) {
    return indexOfKey(keysOf(dict), keyOf(e, key));
}

Val shapecast::dictOf(TypedBuilder &e, ArrayRef<std::pair<Val, Val>> pairs) {
    SmallVector<Attribute> keys;
    std::vector<Val> items;
    for (const auto &[key, value] : pairs) {
        const Attribute known = keyOf(e, key);
        if (std::optional<size_t> at = indexOfKey(keys, known)) {
            items[*at] = value;
            continue;
        }
        keys.push_back(known);
        items.push_back(value);
    }
    return dictVal(e, keys, std::move(items));
}

// Python's literal of a constant key; none where it is not constant, or needs an escape.
static std::optional<std::string> keyLiteral(const Val &key) {
    const auto isPlain = [](char c) { return llvm::isPrint(c) && c != '\'' && c != '\\'; };
    if (key.isStatic("str") && llvm::all_of(key.staticText(), isPlain))
        return ("'" + key.staticText() + "'").str();
    if (key.isNone())
        return "None";
    if (key.isTyped() && isa<PyBoolType>(key.type()) && key.constBool())
        return *key.constBool() ? "True" : "False";
    if (std::optional<int64_t> number = key.constInt())
        return std::to_string(*number);
    if (!key.isTuple() || key.list)
        return std::nullopt;
    std::string items;
    for (const Val &item : key.items) {
        const std::optional<std::string> literal = keyLiteral(item);
        if (!literal)
            return std::nullopt;
        items += *literal + (key.items.size() == 1 ? "," : &item == &key.items.back() ? "" : ", ");
    }
    return "(" + items + ")";
}

// The message of a KeyError, whose argument is the key. The literal of a key that is no string has
// this prefix, which python/shapecast/_errors.py reads.
static std::string keyText(TypedBuilder &e, const Val &key) {
    e.onKeyError(key);
    if (key.isStatic("str"))
        return key.staticText().str();
    const std::optional<std::string> literal = keyLiteral(key);
    return literal ? "\x1f" + *literal : "(...)";
}

static Val oneKey(TypedBuilder &e, ArrayRef<Val> keys) {
    return keys.size() == 1 ? keys[0] : e.tupleVal(keys.vec());
}

Val shapecast::dictItem(TypedBuilder &e, const Val &dict, ArrayRef<Val> keys) {
    const Val key = oneKey(e, keys);
    wishForKey(e, dict, key);
    std::optional<size_t> at = findKey(e, dict, key);
    if (!at)
        e.fail("KeyError", keyText(e, key));
    return dict.items[*at];
}

//===-- Mutation

// The list as a dynamic list, where the index is known only at run time; none where it is constant.
static std::optional<Val> dynamicListAt(TypedBuilder &e, const Val &list, const Val &key) {
    if (!list.list || list.items.empty() || !e.mayMakeDynamicLists || !key.isScalar() ||
        e.facts.canonical(toDim(e, key)).isConst())
        return std::nullopt;
    e.requestStaticArgument(sourceParameters(key));
    mutableCell(e, list);
    Val converted = dynamicListFrom(e, list);
    storeCell(e, list.cell, converted);
    converted.cell = list.cell;
    return converted;
}

// An index of a list, which must be constant.
static size_t indexOf(TypedBuilder &e, const Val &list, const Val &key, StringRef message) {
    if (key.kind == Val::Kind::Slice)
        refuseSlice(e, list);
    checkSequenceIndex(e, list, key);
    const int64_t n = int64_t(list.items.size());
    DimAttr at = e.facts.canonical(toDim(e, key));
    if (!at.isConst())
        needConstant(e, key,
                     "changing a list at an index known only at run time is not supported; use "
                     "an array");
    if (at.getValue() < -n || at.getValue() >= n)
        e.fail("IndexError", message);
    return size_t(at.getValue() < 0 ? at.getValue() + n : at.getValue());
}

void shapecast::changeItem(TypedBuilder &e, const Val &container, ArrayRef<Val> keys,
                           const Val &value) {
    if (containsCell(value, container.cell)) {
        wishHeap(e, container);
        wishHeap(e, value);
        e.unsupported("a list or dict that holds itself is not supported");
    }
    if (container.isDict()) {
        wishForKey(e, container, oneKey(e, keys));
        const Attribute key = keyOf(e, oneKey(e, keys));
        Cell &cell = mutableCell(e, container);
        SmallVector<Attribute> known(keysOf(container));
        std::optional<size_t> at = indexOfKey(known, key);
        if (at) {
            cell.items[*at] = value;
            return;
        }
        known.push_back(key);
        cell.keys = e.b.getArrayAttr(known);
        cell.items.push_back(value);
        return;
    }
    wishForItem(e, &container, e.loc, value);
    if (container.isDynamicList())
        return storeDynamicListItem(e, container, keys, value);
    checkSequenceIndex(e, container, keys);
    const Val key = oneKey(e, keys);
    if (std::optional<Val> list = dynamicListAt(e, container, key))
        return storeDynamicListItem(e, *list, keys, value);
    const size_t at = indexOf(e, container, key, "list assignment index out of range");
    mutableCell(e, container).items[at] = value;
}

static void removeKey(TypedBuilder &e, const Val &dict, size_t at) {
    Cell &cell = mutableCell(e, dict);
    SmallVector<Attribute> keys(keysOf(dict));
    keys.erase(keys.begin() + at);
    cell.keys = e.b.getArrayAttr(keys);
    cell.items.erase(cell.items.begin() + at);
}

void shapecast::deleteItem(TypedBuilder &e, const Val &container, ArrayRef<Val> keys) {
    const Val key = oneKey(e, keys);
    if (!isContainer(container) || container.isRecord())
        e.fail("TypeError", "'" + container.className() + "' object doesn't support item deletion");
    if (container.isDynamicList())
        return deleteDynamicListItem(e, container, keys);
    if (!container.isDict()) {
        const size_t at = indexOf(e, container, key, "list assignment index out of range");
        Cell &cell = mutableCell(e, container);
        cell.items.erase(cell.items.begin() + at);
        return;
    }
    wishForKey(e, container, key);
    std::optional<size_t> at = findKey(e, container, key);
    if (!at)
        e.fail("KeyError", keyText(e, key));
    removeKey(e, container, *at);
}

static std::vector<Val> knownItems(TypedBuilder &e, const Val &iterable) {
    checkIterable(e, iterable);
    if (std::optional<std::vector<Val>> characters = charactersOf(e, iterable))
        return *characters;
    if (iterable.isArray()) // specialises on the length
        if (std::optional<int64_t> hint = e.sizeHint(dimsOf(iterable)[0]);
            hint && *hint <= maxUnrollTripCount)
            e.decideEqual(dimsOf(iterable)[0], e.dimConst(*hint));
    std::optional<std::vector<Val>> items = itemsOf(e, iterable);
    if (!items)
        e.unsupported("adding " + iterable.describe() +
                      ", whose length is known only at run time, to a list is not supported");
    return *items;
}

std::optional<Val> shapecast::listMethod(TypedBuilder &e, const Val &list, StringRef name,
                                         ArrayRef<Val> given) {
    auto takes = [&](size_t min, size_t max) {
        const std::string count = " (" + std::to_string(given.size()) + " given)";
        if (given.size() < min || given.size() > max)
            e.fail("TypeError",
                   min < max  ? name + " expected at most 1 argument, got " + Twine(given.size())
                   : min == 1 ? "list." + name + "() takes exactly one argument" + count
                   : min == 0 ? "list." + name + "() takes no arguments" + count
                              : name + " expected 2 arguments, got " + Twine(given.size()));
        for (const Val &v : given)
            if (containsCell(v, list.cell) && name != "extend") {
                wishHeap(e, list);
                wishHeap(e, v);
                e.unsupported("a list that holds itself is not supported");
            }
    };
    wishForItems(e, list);
    if (!given.empty() && (name == "insert" || name == "extend"))
        wishForItem(e, &list, e.loc, name == "insert" ? given.back() : given[0]);
    const bool hasIndex =
        (name == "insert" && given.size() == 2) || (name == "pop" && given.size() == 1);
    if (!list.isDynamicList() && hasIndex)
        if (std::optional<Val> converted = dynamicListAt(e, list, given[0]))
            return dynamicListMethod(e, *converted, name, given);
    if (list.isDynamicList())
        return dynamicListMethod(e, list, name, given);
    if (name == "extend" && given.size() == 1 && given[0].isDynamicList()) {
        const Val longer = concatLists(e, list, given[0]);
        storeCell(e, unsigned(&mutableCell(e, list) - e.cells.data()), longer);
        return e.noneVal();
    }
    if (name == "append") {
        takes(1, 1);
        wishForItem(e, &list, e.loc, given[0]);
        mutableCell(e, list).items.push_back(given[0]);
    } else if (name == "extend") {
        takes(1, 1);
        std::vector<Val> items = knownItems(e, given[0]);
        Cell &cell = mutableCell(e, list);
        llvm::append_range(cell.items.mutate(), items);
    } else if (name == "insert") {
        takes(2, 2);
        const int64_t n = int64_t(list.items.size());
        DimAttr at = n == 0 ? e.dimConst(0) : e.facts.canonical(toDim(e, given[0]));
        if (!at.isConst())
            needConstant(e, given[0],
                         "inserting at an index known only at run time is not "
                         "supported; use an array");
        const int64_t from = at.getValue() < 0 ? at.getValue() + n : at.getValue();
        Cell &cell = mutableCell(e, list);
        cell.items.insert(cell.items.begin() + std::clamp(from, int64_t(0), n), given[1]);
    } else if (name == "pop") {
        takes(0, 1);
        if (list.items.empty())
            e.fail("IndexError", "pop from empty list");
        const size_t at =
            indexOf(e, list, given.empty() ? e.intVal(-1) : given[0], "pop index out of range");
        Cell &cell = mutableCell(e, list);
        Val popped = cell.items[at];
        cell.items.erase(cell.items.begin() + at);
        return popped;
    } else if (name == "reverse") {
        takes(0, 0);
        Cell &cell = mutableCell(e, list);
        std::reverse(cell.items.begin(), cell.items.end());
    } else if (name == "clear") {
        takes(0, 0);
        mutableCell(e, list).items.clear();
    } else if (name == "sort") {
        takes(0, 0);
        Val sorted = callFunction(e, *findFunction("builtins.sorted"), {list}, {});
        mutableCell(e, list).items = sorted.items;
    } else if (name == "copy") {
        takes(0, 0);
        return e.tupleVal(list.items, true);
    } else {
        return std::nullopt;
    }
    return e.noneVal();
}

SmallVector<std::pair<Val, Val>> shapecast::pairsOf(TypedBuilder &e, const Val &source) {
    SmallVector<std::pair<Val, Val>> pairs;
    if (source.isDict()) {
        for (auto [key, value] : llvm::zip_equal(keysOf(source), source.items))
            pairs.emplace_back(e.literal(key), value);
        return pairs;
    }
    for (const Val &pair : knownItems(e, source)) {
        if (isNotIterable(pair))
            e.fail("TypeError",
                   hostInfo().messageOf(
                       "cannot convert dictionary update sequence element #{0} to a sequence",
                       {std::to_string(pairs.size()), pair.className()}));
        std::vector<Val> two = knownItems(e, pair);
        if (two.size() != 2)
            e.fail("ValueError", "dictionary update sequence element #" + Twine(pairs.size()) +
                                     " has length " + Twine(two.size()) + "; 2 is required");
        pairs.emplace_back(two[0], two[1]);
    }
    return pairs;
}

Val shapecast::dictMethod(TypedBuilder &e, const Val &dict, StringRef name, ArrayRef<Val> given,
                          ArrayRef<std::pair<StringRef, Val>> keywords) {
    std::vector<Val> pairs;
    for (auto [key, value] : llvm::zip_equal(keysOf(dict), dict.items))
        pairs.push_back(e.tupleVal({e.literal(key), value}));
    if (given.empty() && keywords.empty()) {
        if (name == "keys" || name == "values" || name == "items")
            return dictView(e, name, dict);
        if (name == "copy")
            return dictVal(e, keysOf(dict), dict.items);
        if (name == "popitem") {
            if (dict.items.empty())
                e.fail("KeyError", "popitem(): dictionary is empty");
            removeKey(e, dict, dict.items.size() - 1);
            return pairs.back();
        }
        if (name == "clear") {
            storeCell(e, unsigned(&mutableCell(e, dict) - e.cells.data()), dictVal(e, {}, {}));
            return e.noneVal();
        }
    }
    if (!given.empty() && (name == "get" || name == "pop" || name == "setdefault"))
        wishForKey(e, dict, given[0]);
    const bool isLookup = name == "get" || name == "pop" || name == "setdefault";
    if (isLookup && keywords.empty() && (given.size() == 1 || given.size() == 2)) {
        if (std::optional<size_t> at = findKey(e, dict, given[0])) {
            Val found = dict.items[*at];
            if (name == "pop")
                removeKey(e, dict, *at);
            return found;
        }
        if (name == "pop" && given.size() == 1)
            e.fail("KeyError", keyText(e, given[0]));
        Val absent = given.size() == 2 ? given[1] : e.noneVal();
        if (name == "setdefault")
            changeItem(e, dict, given[0], absent);
        return absent;
    }
    if (name == "update" && given.size() <= 1) {
        SmallVector<std::pair<Val, Val>> all = pairsOf(e, dict);
        if (!given.empty())
            llvm::append_range(all, pairsOf(e, given[0]));
        for (const auto &[keyword, value] : keywords)
            all.emplace_back(e.staticVal("str", keyword), value);
        Val merged = dictOf(e, all);
        Cell &cell = mutableCell(e, dict);
        cell.items = merged.items;
        cell.keys = merged.attr;
        return e.noneVal();
    }
    e.unsupported("the method '" + name +
                  "' of dict is not compiled yet, or not with these "
                  "arguments");
}

//===-- Named tuples and dataclasses

void shapecast::changeField(TypedBuilder &e, const Val &record, StringRef name, const Val &value) {
    if (record.isNone())
        e.fail("AttributeError", "'NoneType' object has no attribute '" + name + "'");
    if (!record.isRecord())
        e.unsupported("assigning to an attribute is not supported; make a new array, e.g. with "
                      "reshape or astype");
    std::optional<size_t> at = fieldIndex(record, name);
    const auto described = cast<PyAttr>(record.attr);
    if (containsCell(value, record.cell)) {
        wishHeap(e, record);
        wishHeap(e, value);
        e.unsupported("an object that holds itself is not supported");
    }
    if (!at && described.getKind() == "class instance") {
        Cell &cell = mutableCell(e, record);
        cell.keys =
            PyAttr::get(e.ctx, described.getKind(), (described.getText() + " " + name).str());
        cell.items.push_back(value);
        return;
    }
    if (!at || cast<PyAttr>(record.attr).getKind() == "frozen")
        e.unsupported("assigning to the attribute '" + name + "' of " + record.describe() +
                      " is not supported; make a new value");
    mutableCell(e, record).items[*at] = value;
}

// point._replace(x=1), point._asdict()
std::optional<Val> shapecast::recordMethod(TypedBuilder &e, const Val &record, StringRef name,
                                           ArrayRef<std::pair<StringRef, Val>> keywords) {
    if (!record.isTuple() || !record.attr)
        return std::nullopt;
    if (name == "_replace") {
        Val changed = record;
        for (const auto &[field, value] : keywords) {
            std::optional<size_t> at = fieldIndex(record, field);
            if (!at)
                e.fail(hostInfo().unexpectedField, "Got unexpected field names: ['" + field + "']");
            changed.items[*at] = value;
        }
        return changed;
    }
    if (name != "_asdict" || !keywords.empty())
        return std::nullopt;
    SmallVector<Attribute> keys;
    for (StringRef field : fieldNames(record))
        keys.push_back(PyAttr::get(e.ctx, "str", field));
    return dictVal(e, keys, record.items);
}
