// Dynamic lists: see the header.
#include "ops/builder/dynamic_list.h"

#include "facts/host_info.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/memory.h"
#include "ops/builder/record_class.h"
#include "ops/builder/stores.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Length and columns

DimAttr shapecast::listLength(const Val &list) { return list.items[0].dim; }
ArrayRef<Val> shapecast::columnsOf(const Val &list) {
    return ArrayRef<Val>(list.items).drop_front();
}

// Items that are all the same constant have a column too, of zeros, for the capacity.
static SmallVector<Type> componentTypes(TypedBuilder &e, const Slot &element) {
    SmallVector<Type> types;
    packedTypes(e, element, types);
    if (types.empty())
        types.push_back(PyBoolType::get(e.ctx));
    return types;
}

DType shapecast::columnDtype(Type component) { return operandType(component)->dtype; }

static Dims columnDims(Type component, DimAttr capacity) {
    Dims dims{capacity};
    if (auto array = dyn_cast<ArrayType>(component))
        llvm::append_range(dims, array.getDims());
    return dims;
}

Val shapecast::emptyList(TypedBuilder &e, const Slot &element, bool list, DimAttr capacity) {
    Val v;
    v.kind = Val::Kind::DynamicList;
    v.list = list;
    v.element = internSlot(e, element);
    v.items = {e.intVal(0)};
    for (Type type : componentTypes(e, element)) {
        llvm::SaveAndRestore device(e.device, deviceOf(type)); // numbers are in the host
        v.items.push_back(alloc(e, columnDims(type, capacity), columnDtype(type)));
    }
    return v;
}

// Rows first, first + 1, ... of a column.
Val shapecast::rows(TypedBuilder &e, const Val &column, DimAttr first, DimAttr count) {
    Dims dims = dimsOf(column), offsets(dims.size(), e.dimConst(0)),
         steps(dims.size(), e.dimConst(1));
    dims[0] = count;
    offsets[0] = first;
    return view(e, column, offsets, steps, llvm::to_vector(llvm::seq<int64_t>(0, dims.size())),
                dims);
}

// The rows of a column that are in use.
Val shapecast::usedRows(TypedBuilder &e, const Val &list, size_t column) {
    return rows(e, columnsOf(list)[column], e.dimConst(0), listLength(list));
}

static Val row(TypedBuilder &e, const Val &column, DimAttr at) {
    const Dims dims = dimsOf(column);
    Dims offsets(dims.size(), e.dimConst(0));
    offsets[0] = at;
    return view(e, column, offsets, Dims(dims.size(), e.dimConst(1)),
                llvm::to_vector(llvm::seq<int64_t>(1, dims.size())), ArrayRef(dims).drop_front());
}

void shapecast::addCapacityFacts(TypedBuilder &e, const Val &list) {
    const DimAttr length = listLength(list);
    if (length.isSymbol())
        e.facts.addLower(length.getName(), e.dimConst(0));
    for (const Val &column : columnsOf(list))
        e.facts.addGreaterEqual(dimsOf(column)[0], length);
}

//===-- The Slot of an item

void shapecast::eraseCapacity(Slot &column) {
    auto array = dyn_cast<ArrayType>(column.type);
    if (!array)
        return;
    column.dynamicDims.assign(array.getRank(), false);
    column.dynamicDims[0] = true;
    Dims dims = llvm::to_vector<4>(array.getDims());
    dims[0] = dimConst(array.getContext(), 0);
    column.type = ArrayType::get(array.getContext(), dims, array.getDtype(), Layout::C, false,
                                 array.getDevice());
}

// The Slot of an item, from that of a variable.
static Slot itemSlot(TypedBuilder &e, Slot slot) {
    auto refuse = [&](const Twine &what) { e.unsupported(what + " in a dynamic list"); };
    if (slot.valKind == Val::Kind::DynamicList && !slot.list)
        requestTuplesInMemory(e);
    if (slot.valKind == Val::Kind::DynamicList || slot.valKind == Val::Kind::Heap)
        refuse("a dynamic list, dict or set is not supported");
    if (isTextSlot(slot) && slot.kind != Slot::Kind::Static)
        refuse("a string made at run time is not supported");
    if (slot.valKind == Val::Kind::Iterator) {
        wishIterators(e, containerOf(slot));
        refuse("an iterator is not supported");
    }
    if (slot.kind == Slot::Kind::Union)
        refuse("a value of several kinds is not supported");
    if (slot.cell)
        slot.cell = unknownCell;
    for (Slot &item : slot.items)
        item = itemSlot(e, item);
    if (slot.kind != Slot::Kind::Typed)
        return slot;
    if (isa<ObjectType>(slot.type))
        refuse("a Python object is not supported");
    if (isa<PyWideIntType>(slot.type)) // no array has its bits
        refuse("an integer beyond 64 bits is not supported");
    auto array = dyn_cast<ArrayType>(slot.type);
    if (array && llvm::is_contained(slot.dynamicDims, true))
        refuse("arrays of different sizes are not supported");
    if (array)
        slot.type = ArrayType::get(e.ctx, array.getDims(), array.getDtype(), Layout::C, false,
                                   array.getDevice());
    else if (slot.maybeWeak == PyKind::Strong)
        slot.attr = {};
    return slot;
}

// Some value of that Slot.
static Val sampleOf(TypedBuilder &e, const Slot &slot) {
    SmallVector<Value> operands;
    pack(e, slot, e.neverVal(), operands);
    ValueRange rest(operands);
    return unpack(e, slot, rest);
}

// Of an item of the lists; those in memory may have items of several kinds.
static Slot joinItem(TypedBuilder &e, const Slot &element, const Val &item, ArrayRef<Val> lists) {
    llvm::SaveAndRestore unions(e.mayMakeUnions, false);
    try {
        return itemSlot(e, join(e, element, item, ""));
    } catch (const InferError &error) {
        if (!error.joinConflict)
            throw;
        InferError named = error;
        named.message =
            "the items of a dynamic list (of a length known only at run time) must be of "
            "one kind: " +
            error.message;
        llvm::SaveAndRestore wishes(e.heapWishes);
        if (!isContainer(item)) // else each of its kinds would be one of the items
            for (const Val &list : lists)
                wishHeap(e, list);
        named.heapSites = e.heapWishes;
        throw named;
    }
}

bool shapecast::joinsAsDynamicList(const TypedBuilder &e, const Slot &slot, const Val &v) {
    const bool mine = slot.valKind == Val::Kind::DynamicList, theirs = v.isDynamicList();
    const bool lists = (mine || slot.valKind == Val::Kind::Tuple) && (theirs || v.isTuple()) &&
                       slot.list == v.list && !slot.attr && !v.attr;
    return lists && (mine || theirs ||
                     (e.mayMakeDynamicLists && v.list && slot.items.size() != v.items.size()));
}

Slot shapecast::joinDynamicList(TypedBuilder &e, const Slot &slot, const Val &v) {
    wishForJoin(e, slot, v);
    std::optional<Slot> element;
    auto add = [&](const Val &item) {
        element = element ? joinItem(e, *element, item, {containerOf(slot), v})
                          : itemSlot(e, slotOf(item));
    };
    if (slot.valKind == Val::Kind::DynamicList)
        element = slot.element[0];
    else
        for (const Slot &item : slot.items)
            add(sampleOf(e, item));
    if (v.isDynamicList())
        add(sampleOf(e, *v.element));
    else
        llvm::for_each(v.items, add);
    Slot result;
    result.kind = Slot::Kind::Tuple;
    result.valKind = Val::Kind::DynamicList;
    result.list = slot.list;
    result.cell = slot.cell == v.cell ? slot.cell : unknownCell;
    if (slot.cell != v.cell) {
        markCellsCopied(e, {slot.cell, v.cell});
        noteOneOfSeveral(e, slot, v);
    }
    result.made = uniteSites(e, slot, v);
    result.items = slotOf(emptyList(e, *element, slot.list, e.dimConst(0))).items;
    result.element = {*element};
    return result;
}

//===-- Loads and stores of items

static const char itemChanges[] = "changing an array that is an item of a dynamic list is not "
                                  "supported; append a copy, or change "
                                  "a copy of the item";

void shapecast::markCellsCopied(TypedBuilder &e, ArrayRef<unsigned> cells) {
    for (unsigned cell : cells)
        if (cell && cell < e.cells.size())
            e.copiedCells.insert(e.cells[cell].serial);
}

// A list, dict or record in an item is copied, and must not be mutated any more.
static void freeze(TypedBuilder &e, const Val &item) {
    if (item.cell && (item.cell == unknownCell || item.cell < e.iterationCells))
        e.unsupported(
            (item.isRecord() ? item.describe() : "a " + item.describe()) +
            " that the loop did not make is not supported in a dynamic list; append a new "
            "one");
    markCellsCopied(e, item.cell);
    for (const Val &part : item.items)
        freeze(e, part);
}

static void flatten(TypedBuilder &e, const Slot &slot, const Val &v,
                    SmallVectorImpl<Val> &components) {
    if (slot.kind == Slot::Kind::Tuple) {
        for (auto [mine, theirs] : llvm::zip_equal(slot.items, v.items))
            flatten(e, mine, theirs, components);
    } else if (v.isArray() && slot.kind == Slot::Kind::Typed) {
        components.push_back(v);
    } else {
        SmallVector<Value> operands;
        pack(e, slot, v, operands);
        for (Value value : operands)
            components.push_back(e.typed(value));
    }
}

static void noteCopy(TypedBuilder &e, const Val &list, const Val &array) {
    const std::optional<unsigned> site = siteNumber(e, list);
    SnapshotOp::create(e.b, e.loc, array.value, e.b.getStringAttr(itemChanges),
                       site ? e.b.getI64IntegerAttr(*site) : IntegerAttr());
}

// The components of an item, one per column, which are copied there.
static SmallVector<Val> componentsOf(TypedBuilder &e, const Val &list, const Val &item) {
    SmallVector<Val> parts;
    flatten(e, *list.element, item, parts);
    if (parts.empty())
        parts.push_back(e.boolVal(false));
    for (const Val &part : parts)
        if (part.isArray())
            noteCopy(e, list, part);
    return parts;
}

void shapecast::storeListItem(TypedBuilder &e, const Val &list, DimAttr at, const Val &item) {
    for (auto [column, part] : llvm::zip_equal(columnsOf(list), componentsOf(e, list, item)))
        assign(e, row(e, column, at), part);
}

Val shapecast::dynamicListItem(TypedBuilder &e, const Val &list, DimAttr at) {
    SmallVector<Value> values;
    for (auto [part, column] : llvm::zip_equal(componentTypes(e, *list.element), columnsOf(list))) {
        const Val one = row(e, column, at);
        if (isa<ArrayType>(part)) {
            llvm::SaveAndRestore device(e.device, deviceOf(part));
            const Val copy = alloc(e, dimsOf(one), columnDtype(part));
            assign(e, copy, one);
            noteCopy(e, list, copy);
            values.push_back(copy.value);
            continue;
        }
        const Val number = e.typed(read(e, one));
        const PyKind weak = operandType(part)->weak;
        values.push_back(weak == PyKind::Strong ? number.value : toPy(e, number, weak).value);
    }
    ValueRange rest(values);
    return unpack(e, *list.element, rest);
}

void shapecast::forEachIndex(TypedBuilder &e, DimAttr count,
                             llvm::function_ref<void(DimAttr)> emit) {
    const DimFacts::Mark mark = e.facts.mark();
    const size_t sizeFacts = e.sizeFacts.size();
    Region body;
    const DimAttr counter = e.freshSymbol("i"), zero = e.dimConst(0), one = e.dimConst(1);
    {
        OpBuilder::InsertionGuard guard(e.b);
        Block *block = e.b.createBlock(&body, {}, {PyIntType::get(e.ctx)}, {e.loc});
        e.facts.addLower(counter.getName(), zero);
        e.facts.addUpper(counter.getName(), dimSub(count, one));
        emit(counter);
        e.b.setInsertionPointToEnd(block);
        NextOp::create(e.b, e.loc, ValueRange(), Value());
    }
    e.facts.rewind(mark);
    e.sizeFacts.resize(sizeFacts);
    auto loop = ForOp::create(e.b, e.loc, TypeRange(), e.b.getStringAttr(counter.getName()), zero,
                              count, one, ValueRange());
    loop.getBody().takeBody(body);
}

Val shapecast::withLength(TypedBuilder &e, Val list, DimAttr length) {
    list.items[0] = e.sizeVal(e.facts.canonical(length));
    return list;
}

// A copy with the given capacity.
static Val copied(TypedBuilder &e, const Val &list, DimAttr capacity) {
    Val copy = emptyList(e, *list.element, list.list, capacity);
    for (size_t i = 0; i < columnsOf(list).size(); ++i)
        assign(e, rows(e, columnsOf(copy)[i], e.dimConst(0), listLength(list)),
               usedRows(e, list, i));
    return withLength(e, copy, listLength(list));
}

Val shapecast::dynamicListCopy(TypedBuilder &e, const Val &list, bool asList) {
    Val copy = copied(e, list, listLength(list));
    copy.list = asList;
    return copy;
}

Val shapecast::dynamicListAs(TypedBuilder &e, const Slot &element, const Val &list) {
    if (list.isDynamicList() && *list.element == element)
        return list;
    const DimAttr length =
        list.isDynamicList() ? listLength(list) : e.dimConst(int64_t(list.items.size()));
    Val result = emptyList(e, element, list.list, dimAdd(length, e.dimConst(4)));
    result.cell = list.cell;
    result.made = list.made;
    if (list.isDynamicList())
        forEachIndex(e, length, [&](DimAttr at) {
            storeListItem(e, result, at, dynamicListItem(e, list, at));
        });
    else
        for (auto [i, item] : llvm::enumerate(list.items)) {
            freeze(e, item);
            storeListItem(e, result, e.dimConst(int64_t(i)), item);
        }
    return withLength(e, result, length);
}

Val shapecast::dynamicListFrom(TypedBuilder &e, const Val &list) {
    Slot element = itemSlot(e, slotOf(list.items[0]));
    for (size_t i = 1; i < list.items.size(); ++i)
        element = joinItem(e, element, list.items[i], list);
    return dynamicListAs(e, element, list);
}

Val shapecast::dynamicListOf(TypedBuilder &e, const Val &column, bool floats) {
    Slot element = slotOf(floats ? e.floatVal(0.0) : e.intVal(0));
    element.attr = {};
    element.type = floats ? Type(PyFloatType::get(e.ctx)) : Type(PyIntType::get(e.ctx));
    Val v;
    v.kind = Val::Kind::DynamicList;
    v.list = true;
    v.element = internSlot(e, itemSlot(e, element));
    v.items = {e.sizeVal(dimsOf(column)[0]), column};
    return v;
}

// With capacity for `more` items; reallocated to twice the capacity where there is none.
Val shapecast::reserveItems(TypedBuilder &e, Val list, DimAttr more) {
    const DimAttr length = listLength(list), needed = dimAdd(length, more);
    if (e.facts.provesGreaterEqual(dimsOf(columnsOf(list)[0])[0], needed))
        return list;
    auto columns = [&](const Val &of) { return e.tupleVal(columnsOf(of).vec()); };
    const DimAttr capacity = dimsOf(columnsOf(list)[0])[0];
    const Val fits = compareInts(e, "le", e.sizeVal(needed), e.sizeVal(capacity));
    const DimAttr doubled = dimAdd(dimAdd(capacity, capacity), dimAdd(more, e.dimConst(4)));
    auto arm = [&](bool holds) { return columns(holds ? list : copied(e, list, doubled)); };
    const std::optional<bool> known = fits.constBool();
    const Val now = known ? arm(*known) : e.branch(fits, arm);
    std::copy(now.items.begin(), now.items.end(), list.items.begin() + 1);
    for (const Val &column : columnsOf(list))
        e.facts.addGreaterEqual(dimsOf(column)[0], needed);
    return list;
}

// The list with a Slot that holds its items and this one.
Val shapecast::widenedFor(TypedBuilder &e, const Val &list, const Val &item) {
    freeze(e, item);
    return dynamicListAs(e, joinItem(e, *list.element, item, list), list);
}

Val shapecast::appendItem(TypedBuilder &e, Val list, const Val &item) {
    if (!list.isDynamicList()) {
        list.items.push_back(item);
        return list;
    }
    const DimAttr length = listLength(list), one = e.dimConst(1);
    list = reserveItems(e, widenedFor(e, list, item), one);
    storeListItem(e, list, length, item);
    return withLength(e, list, dimAdd(length, one));
}

// The first list, which nothing else aliases, with the items of the second appended.
Val shapecast::extended(TypedBuilder &e, Val list, const Val &more) {
    if (!more.isDynamicList()) {
        for (const Val &item : more.items)
            list = appendItem(e, list, item);
        return list;
    }
    Val sample = sampleOf(e, *more.element);
    const Slot element = joinItem(e, *list.element, sample, {list, more});
    list = dynamicListAs(e, element, list);
    const Val other = dynamicListAs(e, element, more);
    const DimAttr length = listLength(list), count = listLength(other);
    list = reserveItems(e, list, count);
    for (auto [i, column] : llvm::enumerate(columnsOf(list)))
        assign(e, rows(e, column, length, count), usedRows(e, other, i));
    return withLength(e, list, dimAdd(length, count));
}

Val shapecast::repeatItem(TypedBuilder &e, const Val &item, DimAttr count) {
    e.heapWishes.append(e.sitesOfCopies.begin(), e.sitesOfCopies.end());
    freeze(e, item);
    count = e.facts.canonical(dimMax(count, e.dimConst(0)));
    Val list = emptyList(e, itemSlot(e, slotOf(item)), true, count);
    for (auto [column, part] : llvm::zip_equal(columnsOf(list), componentsOf(e, list, item)))
        assign(e, column, part);
    return withLength(e, list, count);
}

Val shapecast::concatLists(TypedBuilder &e, const Val &a, const Val &b) {
    Val first;
    if (a.isDynamicList()) { // a copy either way
        first = copied(e, a, dimAdd(listLength(a), e.dimConst(4)));
    } else {
        Slot element = *b.element;
        for (const Val &item : a.items)
            element = joinItem(e, element, item, {a, b});
        first = dynamicListAs(e, element, a);
    }
    first.cell = 0;
    return extended(e, first, b);
}

//===-- Conversion to an array

// The dtype that np.array gives numbers of this kind.
static std::optional<DType> arrayDtype(const Slot &slot) {
    if (slot.kind != Slot::Kind::Typed)
        return std::nullopt;
    const DType dtype = operandType(slot.type)->dtype;
    if (slot.maybeWeak == PyKind::Strong || isNaturalPair(slot.type, slot.maybeWeak))
        return dtype;
    return std::nullopt;
}

Val shapecast::arrayOfDynamicList(TypedBuilder &e, const Val &list) {
    const Slot &element = *list.element;
    const bool areTuples = element.kind == Slot::Kind::Tuple && !element.attr;
    const std::vector<Slot> alone{element};
    const std::vector<Slot> &parts = areTuples ? element.items : alone;
    SmallVector<OperandType> types;
    SmallVector<size_t> columns;
    size_t column = 0;
    for (const Slot &part : parts) {
        std::optional<DType> dtype = arrayDtype(part);
        if (!dtype || (areTuples && isa<ArrayType>(part.type)))
            e.unsupported(
                "an array of a dynamic list (of a length known only at run time) is supported "
                "for numbers, tuples of numbers and arrays, each of one kind");
        types.push_back({*dtype});
        columns.push_back(column);
        column += componentTypes(e, part).size();
    }
    const DType dtype = types.empty() ? DType::F64 : resultType(types);
    const DimAttr length = listLength(list), one = e.dimConst(1);
    const Val first = columns.empty() ? Val() : usedRows(e, list, 0);
    Dims dims = first.isArray() ? dimsOf(first) : Dims{length};
    if (areTuples)
        dims.push_back(e.dimConst(int64_t(parts.size())));
    if ((dims.size() > 1 || dtype != DType::F64) && !e.facts.provesGreaterEqual(length, one))
        e.require("ge", {length, one}, "shapecast.UnsupportedError",
                  "an array of this list has another dtype or shape when it is empty; check its "
                  "length first");
    Val result = alloc(e, dims, dtype);
    for (auto [i, at] : llvm::enumerate(columns)) {
        Dims offsets(dims.size(), e.dimConst(0)), steps(dims.size(), one);
        if (areTuples)
            offsets.back() = e.dimConst(int64_t(i));
        const Val target = areTuples ? view(e, result, offsets, steps, {0}, {length}) : result;
        assign(e, target, copyTo(e, castTo(e, usedRows(e, list, at), dtype), e.device));
    }
    return result;
}

//===-- Conversion to a Python list

static std::optional<std::string> literalText(Attribute number) {
    if (auto flag = dyn_cast<BoolAttr>(number))
        return flag.getValue() ? "True" : "False";
    if (auto integer = dyn_cast<IntegerAttr>(number))
        return std::to_string(integer.getInt());
    if (auto real = dyn_cast<FloatAttr>(number))
        return llvm::formatv("{0:e17}", real.getValueAsDouble()).str();
    return std::nullopt;
}

// The format of items: "p": Python numbers; "s": NumPy scalars; "a": arrays; "t2": tuples of two;
// "l2": lists. "?s": maybe weak: a NumPy scalar, or, where the next column is 1, the same number as
// Python's, or ("?s*") one of a third column, or ("?s0") that number; "?p": the same of two kinds
// of Python numbers. "n": None; "ktext": a string; "rrecord:17 x y": instances of the class 17 in
// _objects.py's `records`, a named tuple or frozen dataclass, with these fields.
static const std::string wordEnd = "\x1f";
static void describeItem(TypedBuilder &e, const Slot &slot, std::string &words) {
    if (slot.kind == Slot::Kind::Tuple && slot.valKind == Val::Kind::Tuple && !slot.attr) {
        words += (slot.list ? "l" : "t") + std::to_string(slot.items.size()) + wordEnd;
        for (const Slot &item : slot.items)
            describeItem(e, item, words);
        return;
    }
    if (slot.kind == Slot::Kind::Tuple && slot.attr &&
        (slot.valKind == Val::Kind::Tuple || isValueRecord(slot))) {
        Val v;
        v.kind = slot.valKind;
        v.attr = slot.attr;
        words += "rrecord:" + instanceForm(v) + wordEnd; // "17 x y"; as np::isPortable finds it
        for (const Slot &item : slot.items)
            describeItem(e, item, words);
        return;
    }
    auto fixed = dyn_cast_or_null<PyAttr>(slot.attr);
    if (slot.kind == Slot::Kind::Static &&
        (fixed.getKind() == "none" || fixed.getKind() == "str")) {
        words += (fixed.getKind() == "none" ? "n" : "k" + fixed.getText().str()) + wordEnd;
        return;
    }
    if (slot.kind != Slot::Kind::Typed)
        e.unsupported("passing a dynamic list (of a length known only at run time) to Python is "
                      "supported for numbers, arrays and tuples of them only");
    if (slot.maybeWeak != PyKind::Strong) {
        const bool python = operandType(slot.type)->weak != PyKind::Strong;
        words += python ? "?p" : "?s";
        if (slot.attr)
            words += literalText(slot.attr).value_or("");
        else if (!isNaturalPair(slot.type, slot.maybeWeak))
            words += "*";
        words += wordEnd;
        return;
    }
    const bool python = operandType(slot.type)->weak != PyKind::Strong;
    words += (isa<ArrayType>(slot.type) ? "a" : python ? "p" : "s") + wordEnd;
}

DynamicListParts shapecast::dynamicListParts(TypedBuilder &e, const Val &list) {
    std::string words = (list.list ? "l" : "t") + wordEnd;
    wishHeap(e, list);
    describeItem(e, *list.element, words);
    std::vector<Val> columns{list.items[0]};
    for (size_t i = 0; i < columnsOf(list).size(); ++i)
        columns.push_back(usedRows(e, list, i));
    const StringRef elements = words == "l" + wordEnd + "p" + wordEnd     ? "numbers"
                               : StringRef(words).contains(wordEnd + "a") ? "arrays"
                                                                          : "";
    return {std::move(words), std::move(columns), elements};
}
