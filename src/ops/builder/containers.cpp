// Lists, dicts and records during inference: the cells that hold their state, their items, and the
// methods that mutate them.
#include "facts/host_info.h"
#include "ops/builder/dynamic_list.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool isContainer(const Val &v) {
    return v.isDict() || v.isRecord() || ((v.isTuple() || v.isDynamicList()) && v.list);
}

//===-- Identity and state

// Whether it is or contains a new object, which has no cell yet.
static bool hasNewObject(const Val &v) {
    return (isContainer(v) && !v.cell) ||
           (v.isTuple() && llvm::any_of(v.items.read(), hasNewObject));
}

void TypedBuilder::allocateCells(Val &v) {
    if (!v.isTuple() && !isContainer(v))
        return;
    if (llvm::any_of(v.items.read(), hasNewObject)) // else the vector stays shared
        for (Val &item : v.items)
            allocateCells(item);
    if (!isContainer(v) || v.cell)
        return;
    v.cell = unsigned(cells.size());
    cells.push_back({v.items, v.attr, v.element, {}, 0, ++lastSerial});
}

// Whether its state, or that of something in it, is in cells.
static bool isInCells(const Val &v, size_t cells) {
    return (isContainer(v) && v.cell && v.cell < cells) ||
           llvm::any_of(v.items.read(), [&](const Val &item) { return isInCells(item, cells); });
}

void TypedBuilder::reloadCells(Val &v) {
    if (v.items.empty() && !isContainer(v))
        return;
    if (isContainer(v) && v.cell && v.cell < cells.size()) {
        v.items = cells[v.cell].items;
        v.attr = cells[v.cell].keys;
        v.element = cells[v.cell].element;
        if (v.list)
            v.kind = v.element ? Val::Kind::DynamicList : Val::Kind::Tuple;
    }
    for (size_t i = 0; i < v.items.size(); ++i)
        if (isInCells(v.items.read()[i], cells.size())) // else the vector stays shared
            reloadCells(v.items[i]);
}

Val TypedBuilder::loadCell(unsigned cell) const {
    Val v;
    v.list = !cells[cell].keys;
    v.element = cells[cell].element;
    v.kind = v.element                          ? Val::Kind::DynamicList
             : v.list                           ? Val::Kind::Tuple
             : isa<ArrayAttr>(cells[cell].keys) ? Val::Kind::Dict
                                                : Val::Kind::Record;
    v.attr = cells[cell].keys;
    v.items = cells[cell].items;
    v.cell = unknownCell;
    return v;
}

void TypedBuilder::storeCell(unsigned cell, const Val &v) {
    cells[cell].items = v.items;
    cells[cell].keys = v.attr;
    cells[cell].element = v.element;
    ++cells[cell].changes;
    anyCellMutated = true;
}

static bool containsCell(const Val &v, unsigned cell) {
    return (isContainer(v) && v.cell == cell) ||
           llvm::any_of(v.items, [&](const Val &item) { return containsCell(item, cell); });
}

Cell &TypedBuilder::mutableCell(const Val &container) {
    const std::string what = "a " + describe(container);
    if (container.cell == unknownCell)
        unsupported(
            "changing " + what +
            " that is another one on another path or in another iteration is not supported; "
            "make a new " +
            describe(container));
    Cell &cell = cells[container.cell];
    if (auto why = dyn_cast_or_null<StringAttr>(cell.target))
        unsupported("changing " + what + " " + why.getValue() +
                    " is not supported; make a copy, and return it");
    if (copiedCells.contains(cell.serial))
        unsupported(
            "changing " + what +
            " that is in a dynamic list, or that another name may refer to, is not supported; "
            "change it before it is there, or make a new one");
    ++cell.changes;
    anyCellMutated = true;
    return cell;
}

//===-- Dicts

Val TypedBuilder::dictVal(ArrayRef<Attribute> keys, std::vector<Val> items) {
    Val v;
    v.kind = Val::Kind::Dict;
    v.attr = b.getArrayAttr(keys);
    v.items = std::move(items);
    return v;
}

Attribute TypedBuilder::keyOf(const Val &part, const Val &key) {
    if (part.isStatic("str") || part.isNone())
        return part.attr;
    if (part.isTyped() && isPyScalar(part.type()) && part.constInt())
        return part.attr && isa<BoolAttr>(part.attr) ? part.attr
                                                     : b.getI64IntegerAttr(*part.constInt());
    if (part.isTuple() && !part.list) {
        SmallVector<Attribute> items;
        for (const Val &item : part.items)
            items.push_back(keyOf(item, key));
        return b.getArrayAttr(items);
    }
    if (isContainer(part) || part.isArray())
        fail("TypeError",
             hostInfo().messageOf("unhashable type: '{0}'", {classNameOf(part), classNameOf(key)}));
    if (part.isPyInt())
        requestStaticArgument(part);
    unsupported("a key of a dict that is no constant string or integer is not supported: " +
                describe(part) + "; use a tuple or an array");
}

// Keys that are equal in Python have one canonical form: True is 1.
static Attribute canonicalKey(Attribute key) {
    Builder b(key.getContext());
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

static ArrayRef<Attribute> keysOf(const Val &dict) { return cast<ArrayAttr>(dict.attr).getValue(); }

std::optional<size_t> TypedBuilder::findKey(const Val &dict, const Val &key) {
    return indexOfKey(keysOf(dict), keyOf(key));
}

Val TypedBuilder::dictOf(ArrayRef<std::pair<Val, Val>> pairs) {
    SmallVector<Attribute> keys;
    std::vector<Val> items;
    for (const auto &[key, value] : pairs) {
        const Attribute known = keyOf(key);
        if (std::optional<size_t> at = indexOfKey(keys, known)) {
            items[*at] = value;
            continue;
        }
        keys.push_back(known);
        items.push_back(value);
    }
    return dictVal(keys, std::move(items));
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
static std::string keyText(const Val &key) {
    if (key.isStatic("str"))
        return key.staticText().str();
    const std::optional<std::string> literal = keyLiteral(key);
    return literal ? "\x1f" + *literal : "(...)";
}

static Val oneKey(TypedBuilder &e, ArrayRef<Val> keys) {
    return keys.size() == 1 ? keys[0] : e.tupleVal(keys.vec());
}

Val TypedBuilder::dictItem(const Val &dict, ArrayRef<Val> keys) {
    const Val key = oneKey(*this, keys);
    std::optional<size_t> at = findKey(dict, key);
    if (!at)
        fail("KeyError", keyText(key));
    return dict.items[*at];
}

//===-- Mutation

// The list as a dynamic list, where the index is known only at run time; none where it is constant.
static std::optional<Val> dynamicListAt(TypedBuilder &e, const Val &list, const Val &key) {
    if (!list.list || list.items.empty() || !e.mayMakeDynamicLists || !key.isScalar() ||
        e.facts.canonical(e.toDim(key)).isConst())
        return std::nullopt;
    e.requestStaticArgument(key);
    e.mutableCell(list);
    Val converted = dynamicListFrom(e, list);
    e.storeCell(list.cell, converted);
    converted.cell = list.cell;
    return converted;
}

// An index of a list, which must be constant.
static size_t indexOf(TypedBuilder &e, const Val &list, const Val &key, StringRef message) {
    if (key.kind == Val::Kind::Slice)
        e.unsupported("storing to a slice of a list is not supported; store its items, or use an "
                      "array");
    e.checkSequenceIndex(list, key);
    const int64_t n = int64_t(list.items.size());
    DimAttr at = e.facts.canonical(e.toDim(key));
    if (!at.isConst())
        e.needConstant(key,
                       "changing a list at an index known only at run time is not supported; use "
                       "an array");
    if (at.getValue() < -n || at.getValue() >= n)
        e.fail("IndexError", message);
    return size_t(at.getValue() < 0 ? at.getValue() + n : at.getValue());
}

void TypedBuilder::changeItem(const Val &container, ArrayRef<Val> keys, const Val &value) {
    if (containsCell(value, container.cell))
        unsupported("a list or dict that holds itself is not supported");
    if (container.isDict()) {
        const Attribute key = keyOf(oneKey(*this, keys));
        Cell &cell = mutableCell(container);
        SmallVector<Attribute> known(keysOf(container));
        std::optional<size_t> at = indexOfKey(known, key);
        if (at) {
            cell.items[*at] = value;
            return;
        }
        known.push_back(key);
        cell.keys = b.getArrayAttr(known);
        cell.items.push_back(value);
        return;
    }
    if (container.isDynamicList())
        return storeDynamicListItem(*this, container, keys, value);
    checkSequenceIndex(container, keys);
    const Val key = oneKey(*this, keys);
    if (std::optional<Val> list = dynamicListAt(*this, container, key))
        return storeDynamicListItem(*this, *list, keys, value);
    const size_t at = indexOf(*this, container, key, "list assignment index out of range");
    mutableCell(container).items[at] = value;
}

static void removeKey(TypedBuilder &e, const Val &dict, size_t at) {
    Cell &cell = e.mutableCell(dict);
    SmallVector<Attribute> keys(keysOf(dict));
    keys.erase(keys.begin() + at);
    cell.keys = e.b.getArrayAttr(keys);
    cell.items.erase(cell.items.begin() + at);
}

void TypedBuilder::deleteItem(const Val &container, ArrayRef<Val> keys) {
    const Val key = oneKey(*this, keys);
    if (!isContainer(container) || container.isRecord())
        fail("TypeError", "'" + classNameOf(container) + "' object doesn't support item deletion");
    if (container.isDynamicList())
        return deleteDynamicListItem(*this, container, keys);
    if (!container.isDict()) {
        const size_t at = indexOf(*this, container, key, "list assignment index out of range");
        Cell &cell = mutableCell(container);
        cell.items.erase(cell.items.begin() + at);
        return;
    }
    std::optional<size_t> at = findKey(container, key);
    if (!at)
        fail("KeyError", keyText(key));
    removeKey(*this, container, *at);
}

static std::vector<Val> knownItems(TypedBuilder &e, const Val &iterable) {
    e.checkIterable(iterable);
    if (std::optional<std::vector<Val>> characters = charactersOf(e, iterable))
        return *characters;
    if (iterable.isArray()) // specialises on the length
        if (std::optional<int64_t> hint = e.sizeHint(e.dimsOf(iterable)[0]);
            hint && *hint <= maxUnrollTripCount)
            e.decideEqual(e.dimsOf(iterable)[0], e.dimConst(*hint));
    std::optional<std::vector<Val>> items = e.itemsOf(iterable);
    if (!items)
        e.unsupported("adding " + e.describe(iterable) +
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
            if (containsCell(v, list.cell) && name != "extend")
                e.unsupported("a list that holds itself is not supported");
    };
    const bool hasIndex =
        (name == "insert" && given.size() == 2) || (name == "pop" && given.size() == 1);
    if (!list.isDynamicList() && hasIndex)
        if (std::optional<Val> converted = dynamicListAt(e, list, given[0]))
            return dynamicListMethod(e, *converted, name, given);
    if (list.isDynamicList())
        return dynamicListMethod(e, list, name, given);
    if (name == "extend" && given.size() == 1 && given[0].isDynamicList()) {
        const Val longer = concatLists(e, list, given[0]);
        e.storeCell(unsigned(&e.mutableCell(list) - e.cells.data()), longer);
        return e.noneVal();
    }
    if (name == "append") {
        takes(1, 1);
        e.mutableCell(list).items.push_back(given[0]);
    } else if (name == "extend") {
        takes(1, 1);
        std::vector<Val> items = knownItems(e, given[0]);
        Cell &cell = e.mutableCell(list);
        llvm::append_range(cell.items.mutate(), items);
    } else if (name == "insert") {
        takes(2, 2);
        const int64_t n = int64_t(list.items.size());
        DimAttr at = n == 0 ? e.dimConst(0) : e.facts.canonical(e.toDim(given[0]));
        if (!at.isConst())
            e.needConstant(given[0], "inserting at an index known only at run time is not "
                                     "supported; use an array");
        const int64_t from = at.getValue() < 0 ? at.getValue() + n : at.getValue();
        Cell &cell = e.mutableCell(list);
        cell.items.insert(cell.items.begin() + std::clamp(from, int64_t(0), n), given[1]);
    } else if (name == "pop") {
        takes(0, 1);
        if (list.items.empty())
            e.fail("IndexError", "pop from empty list");
        const size_t at =
            indexOf(e, list, given.empty() ? e.intVal(-1) : given[0], "pop index out of range");
        Cell &cell = e.mutableCell(list);
        Val popped = cell.items[at];
        cell.items.erase(cell.items.begin() + at);
        return popped;
    } else if (name == "reverse") {
        takes(0, 0);
        Cell &cell = e.mutableCell(list);
        std::reverse(cell.items.begin(), cell.items.end());
    } else if (name == "clear") {
        takes(0, 0);
        e.mutableCell(list).items.clear();
    } else if (name == "sort") {
        takes(0, 0);
        Val sorted = callFunction(e, *findFunction("builtins.sorted"), {list}, {});
        e.mutableCell(list).items = sorted.items;
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
    std::vector<Val> keys, pairs;
    for (auto [key, value] : llvm::zip_equal(keysOf(dict), dict.items)) {
        keys.push_back(e.literal(key));
        pairs.push_back(e.tupleVal({keys.back(), value}));
    }
    if (given.empty() && keywords.empty()) {
        if (name == "keys")
            return e.tupleVal(std::move(keys));
        if (name == "values" || name == "items") {
            Val view = e.tupleVal(name == "values" ? dict.items : std::move(pairs));
            view.cell = dict.cell; // a loop over it sees mutations of the dict
            view.serial = name == "items";
            return view;
        }
        if (name == "copy")
            return e.dictVal(keysOf(dict), dict.items);
        if (name == "clear") {
            e.storeCell(unsigned(&e.mutableCell(dict) - e.cells.data()), e.dictVal({}, {}));
            return e.noneVal();
        }
    }
    const bool isLookup = name == "get" || name == "pop" || name == "setdefault";
    if (isLookup && keywords.empty() && (given.size() == 1 || given.size() == 2)) {
        if (std::optional<size_t> at = e.findKey(dict, given[0])) {
            Val found = dict.items[*at];
            if (name == "pop")
                removeKey(e, dict, *at);
            return found;
        }
        if (name == "pop" && given.size() == 1)
            e.fail("KeyError", keyText(given[0]));
        Val absent = given.size() == 2 ? given[1] : e.noneVal();
        if (name == "setdefault")
            e.changeItem(dict, given[0], absent);
        return absent;
    }
    if (name == "update" && given.size() <= 1) {
        SmallVector<std::pair<Val, Val>> all = pairsOf(e, dict);
        if (!given.empty())
            llvm::append_range(all, pairsOf(e, given[0]));
        for (const auto &[keyword, value] : keywords)
            all.emplace_back(e.staticVal("str", keyword), value);
        Val merged = e.dictOf(all);
        Cell &cell = e.mutableCell(dict);
        cell.items = merged.items;
        cell.keys = merged.attr;
        return e.noneVal();
    }
    e.unsupported("the method '" + name +
                  "' of dict is not compiled yet, or not with these "
                  "arguments");
}

//===-- Named tuples and dataclasses

// Of #np.py's text: "17;__add__", "Point", "x", "y"; none for other values.
static SmallVector<StringRef> recordWords(const Val &v) {
    SmallVector<StringRef> words;
    if (v.isRecord() || (v.isTuple() && v.attr))
        cast<PyAttr>(v.attr).getText().split(words, ' ');
    return words;
}

static StringRef numbersOf(ArrayRef<StringRef> words) { return words[0].split(';').first; }

// The operators that its class overloads, and "ordered" where it has a dataclass's order=True.
static SmallVector<StringRef> overloadedOperators(const Val &v) {
    SmallVector<StringRef> methods;
    if (const SmallVector<StringRef> words = recordWords(v); !words.empty())
        words[0].split(';').second.split(methods, ';', -1, /*KeepEmpty=*/false);
    return methods;
}

std::string shapecast::recordClassName(const Val &v) {
    const SmallVector<StringRef> words = recordWords(v);
    return words.empty() ? "" : words[1].str();
}

bool shapecast::isOrdered(const Val &record) {
    return llvm::is_contained(overloadedOperators(record), "ordered");
}

void TypedBuilder::rejectOverloads(const Val &v, ArrayRef<StringRef> methods) const {
    for (StringRef method : overloadedOperators(v))
        if (llvm::is_contained(methods, method))
            unsupported(("an operator that calls " + recordWords(v)[1] + "." + method +
                         " is not supported; write a function of the fields instead")
                            .str());
}

void TypedBuilder::rejectOverloads(StringRef op, const Val &a, const Val &c) const {
    if (recordClassName(a).empty() && recordClassName(c).empty())
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
    rejectOverloads(a, {left, inPlace, op == "ne" ? "__eq__" : left});
    rejectOverloads(c, {reflected, op == "eq" || op == "ne" ? left : reflected});
}

std::string shapecast::recordName(const Val &v) {
    const SmallVector<StringRef> words = recordWords(v);
    return words.empty() ? "" : ("record:" + numbersOf(words).split(',').first).str();
}

SmallVector<std::string> shapecast::recordClasses(const Val &v) {
    SmallVector<StringRef> numbers;
    SmallVector<std::string> names;
    if (const SmallVector<StringRef> words = recordWords(v); !words.empty())
        numbersOf(words).split(numbers, ',');
    for (StringRef number : numbers)
        names.push_back(("record:" + number).str());
    return names;
}

static std::optional<size_t> fieldAt(const Val &v, StringRef name) {
    const SmallVector<StringRef> words = recordWords(v);
    for (size_t i = 2; i < words.size(); ++i)
        if (words[i] == name)
            return i - 2;
    return std::nullopt;
}

const Val *shapecast::recordField(const Val &v, StringRef name) {
    std::optional<size_t> at = fieldAt(v, name);
    return at ? &v.items[*at] : nullptr;
}

void TypedBuilder::changeField(const Val &record, StringRef name, const Val &value) {
    if (!record.isRecord())
        unsupported("assigning to an attribute is not supported; make a new array, e.g. with "
                    "reshape or astype");
    std::optional<size_t> at = fieldAt(record, name);
    if (!at || cast<PyAttr>(record.attr).getKind() == "frozen")
        unsupported("assigning to the attribute '" + name + "' of " + describe(record) +
                    " is not supported; make a new value");
    if (containsCell(value, record.cell))
        unsupported("an object that holds itself is not supported");
    mutableCell(record).items[*at] = value;
}

// point._replace(x=1), point._asdict()
std::optional<Val> shapecast::recordMethod(TypedBuilder &e, const Val &record, StringRef name,
                                           ArrayRef<std::pair<StringRef, Val>> keywords) {
    if (!record.isTuple() || !record.attr)
        return std::nullopt;
    if (name == "_replace") {
        Val changed = record;
        for (const auto &[field, value] : keywords) {
            std::optional<size_t> at = fieldAt(record, field);
            if (!at)
                e.fail(hostInfo().unexpectedField, "Got unexpected field names: ['" + field + "']");
            changed.items[*at] = value;
        }
        return changed;
    }
    if (name != "_asdict" || !keywords.empty())
        return std::nullopt;
    SmallVector<Attribute> keys;
    const SmallVector<StringRef> words = recordWords(record);
    for (StringRef field : ArrayRef(words).drop_front(2))
        keys.push_back(PyAttr::get(e.ctx, "str", field));
    return e.dictVal(keys, record.items);
}
