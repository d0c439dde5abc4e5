// Lists whose length only the run knows: see the header.
#include "ops/grown.h"
#include "facts/running.h"
#include "ops/functions.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Parts

static DimAttr lengthOf(const Val &list) { return list.items[0].dim; }
static ArrayRef<Val> columnsOf(const Val &list) { return ArrayRef<Val>(list.items).drop_front(); }

// Items that are all the same constant have a column too, of zeros: it counts them.
static SmallVector<Type> partsOf(TypedBuilder &e, const Slot &element) {
    SmallVector<Type> parts;
    packedTypes(e, element, parts);
    if (parts.empty())
        parts.push_back(PyBoolType::get(e.ctx));
    return parts;
}

static DType columnDtype(Type part) { return operandType(part)->dtype; }

static Dims columnDims(Type part, DimAttr room) {
    Dims dims{room};
    if (auto array = dyn_cast<ArrayType>(part))
        llvm::append_range(dims, array.getDims());
    return dims;
}

static Val emptyList(TypedBuilder &e, const Slot &element, bool list, DimAttr room) {
    if (e.device)
        e.unsupported("a list that grows is not supported in a function of arrays on a device");
    Val v;
    v.kind = Val::Kind::Grown;
    v.list = list;
    v.element = lasting(e, element);
    v.items = {e.intVal(0)};
    for (Type part : partsOf(e, element))
        v.items.push_back(e.alloc(columnDims(part, room), columnDtype(part)));
    return v;
}

// Rows first, first + 1, ... of a column.
static Val rows(TypedBuilder &e, const Val &column, DimAttr first, DimAttr count) {
    Dims dims = e.dimsOf(column), offsets(dims.size(), e.dimConst(0)),
         steps(dims.size(), e.dimConst(1));
    dims[0] = count;
    offsets[0] = first;
    return e.view(column, offsets, steps, llvm::to_vector(llvm::seq<int64_t>(0, dims.size())),
                  dims);
}

static Val held(TypedBuilder &e, const Val &list, size_t column) {
    return rows(e, columnsOf(list)[column], e.dimConst(0), lengthOf(list));
}

static Val row(TypedBuilder &e, const Val &column, DimAttr at) {
    const Dims dims = e.dimsOf(column);
    Dims offsets(dims.size(), e.dimConst(0));
    offsets[0] = at;
    return e.view(column, offsets, Dims(dims.size(), e.dimConst(1)),
                  llvm::to_vector(llvm::seq<int64_t>(1, dims.size())), ArrayRef(dims).drop_front());
}

void shapecast::learnRoom(TypedBuilder &e, const Val &list) {
    const DimAttr length = lengthOf(list);
    if (length.isSymbol())
        e.facts.addLower(length.getName(), e.dimConst(0));
    for (const Val &column : columnsOf(list))
        e.facts.addGreaterEqual(e.dimsOf(column)[0], length);
}

//===-- What an item is

void shapecast::anyRoom(Slot &column) {
    auto array = dyn_cast<ArrayType>(column.type);
    if (!array)
        return;
    column.changing.assign(array.getRank(), false);
    column.changing[0] = true;
    Dims dims = llvm::to_vector<4>(array.getDims());
    dims[0] = dimConst(array.getContext(), 0);
    column.type = ArrayType::get(array.getContext(), dims, array.getDtype(), Layout::C, false,
                                 array.getDevice());
}

// How an item is carried in columns, from how a variable is.
static Slot itemSlot(TypedBuilder &e, Slot slot) {
    auto refuse = [&](const Twine &what) { e.unsupported(what + " in a list that grows"); };
    if (slot.made == Val::Kind::Grown)
        refuse("a list that grows is not supported");
    if (slot.made == Val::Kind::Iterator)
        refuse("an iterator is not supported");
    if (slot.kind == Slot::Kind::OneOf)
        refuse("a value of one of several kinds is not supported");
    if (slot.cell)
        slot.cell = unknownCell;
    for (Slot &item : slot.items)
        item = itemSlot(e, item);
    if (slot.kind != Slot::Kind::Typed)
        return slot;
    if (isa<ObjectType>(slot.type))
        refuse("an object of Python's is not supported");
    auto array = dyn_cast<ArrayType>(slot.type);
    if (array && llvm::is_contained(slot.changing, true))
        refuse("arrays of different sizes are not supported");
    if (array && array.getDevice())
        refuse("an array on a device is not supported");
    if (array)
        slot.type = ArrayType::get(e.ctx, array.getDims(), array.getDtype(), Layout::C, false, {});
    else if (slot.blend == PyKind::Strong)
        slot.attr = {};
    return slot;
}

// Some value that is carried so.
static Val sampleOf(TypedBuilder &e, const Slot &slot) {
    SmallVector<Value> operands;
    pack(e, slot, e.neverVal(), operands);
    ValueRange rest(operands);
    return unpack(e, slot, rest);
}

static Slot joinItem(TypedBuilder &e, const Slot &element, const Val &item) {
    llvm::SaveAndRestore differ(e.mayDiffer, false);
    try {
        return itemSlot(e, join(e, element, item, ""));
    } catch (const InferError &error) {
        if (!error.conflict)
            throw;
        InferError named = error;
        named.message = "the items of a list that grows must be of one kind: " + error.message;
        throw named;
    }
}

bool shapecast::joinsAsGrown(const TypedBuilder &e, const Slot &slot, const Val &v) {
    const bool mine = slot.made == Val::Kind::Grown, theirs = v.isGrown();
    const bool lists = (mine || slot.made == Val::Kind::Tuple) && (theirs || v.isTuple()) &&
                       slot.list == v.list && !slot.attr && !v.attr;
    return lists &&
           (mine || theirs || (e.mayGrow && v.list && slot.items.size() != v.items.size()));
}

Slot shapecast::joinGrown(TypedBuilder &e, const Slot &slot, const Val &v) {
    std::optional<Slot> element;
    auto add = [&](const Val &item) {
        element = element ? joinItem(e, *element, item) : itemSlot(e, slotOf(item));
    };
    if (slot.made == Val::Kind::Grown)
        element = slot.element[0];
    else
        for (const Slot &item : slot.items)
            add(sampleOf(e, item));
    if (v.isGrown())
        add(sampleOf(e, *v.element));
    else
        llvm::for_each(v.items, add);
    Slot result;
    result.kind = Slot::Kind::Tuple;
    result.made = Val::Kind::Grown;
    result.list = slot.list;
    result.cell = slot.cell == v.cell ? slot.cell : unknownCell;
    if (slot.cell != v.cell)
        copyCells(e, {slot.cell, v.cell});
    result.items = slotOf(emptyList(e, *element, slot.list, e.dimConst(0))).items;
    result.element = {*element};
    return result;
}

//===-- Items in and out

static const char itemChanges[] =
    "changing an array that is an item of a list that grows is not supported; append a copy, or "
    "change a copy of the item";

void shapecast::copyCells(TypedBuilder &e, ArrayRef<unsigned> cells) {
    for (unsigned cell : cells)
        if (cell && cell < e.cells.size())
            e.copiedCells.insert(e.cells[cell].serial);
}

// A list, dict or record that is copied must not be changed any more.
static void keep(TypedBuilder &e, const Val &item) {
    if (item.cell && (item.cell == unknownCell || item.cell < e.turnCells))
        e.unsupported("a " + e.describe(item) +
                      " that the loop did not make, in a list that grows, is not supported; append "
                      "a new one");
    copyCells(e, item.cell);
    for (const Val &part : item.items)
        keep(e, part);
}

static void flatten(TypedBuilder &e, const Slot &slot, const Val &v, SmallVectorImpl<Val> &parts) {
    if (slot.kind == Slot::Kind::Tuple) {
        for (auto [mine, theirs] : llvm::zip_equal(slot.items, v.items))
            flatten(e, mine, theirs, parts);
    } else if (v.isArray() && slot.kind == Slot::Kind::Typed) {
        parts.push_back(v);
    } else {
        SmallVector<Value> operands;
        pack(e, slot, v, operands);
        for (Value value : operands)
            parts.push_back(e.typed(value));
    }
}

// What the columns take of an item, which is copied.
static SmallVector<Val> takenApart(TypedBuilder &e, const Slot &element, const Val &item) {
    SmallVector<Val> parts;
    flatten(e, element, item, parts);
    if (parts.empty())
        parts.push_back(e.boolVal(false));
    for (const Val &part : parts)
        if (part.isArray())
            SnapshotOp::create(e.b, e.loc, part.value, itemChanges);
    return parts;
}

static void storeItem(TypedBuilder &e, const Val &list, DimAttr at, const Val &item) {
    for (auto [column, part] : llvm::zip_equal(columnsOf(list), takenApart(e, *list.element, item)))
        e.assign(row(e, column, at), part);
}

Val shapecast::grownItem(TypedBuilder &e, const Val &list, DimAttr at) {
    SmallVector<Value> values;
    for (auto [part, column] : llvm::zip_equal(partsOf(e, *list.element), columnsOf(list))) {
        const Val one = row(e, column, at);
        if (isa<ArrayType>(part)) {
            const Val copy = e.alloc(e.dimsOf(one), columnDtype(part));
            e.assign(copy, one);
            SnapshotOp::create(e.b, e.loc, copy.value, itemChanges);
            values.push_back(copy.value);
            continue;
        }
        const Val number = e.typed(e.read(one));
        const PyKind weak = operandType(part)->weak;
        values.push_back(weak == PyKind::Strong ? number.value : e.toPy(number, weak).value);
    }
    ValueRange rest(values);
    return unpack(e, *list.element, rest);
}

// For each number below `count`.
static void forEach(TypedBuilder &e, DimAttr count, llvm::function_ref<void(DimAttr)> emit) {
    const DimFacts::Mark mark = e.facts.mark();
    const size_t learned = e.learned.size();
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
    e.learned.resize(learned);
    auto loop = ForOp::create(e.b, e.loc, TypeRange(), e.b.getStringAttr(counter.getName()), zero,
                              count, one, ValueRange());
    loop.getBody().takeBody(body);
}

static Val withLength(TypedBuilder &e, Val list, DimAttr length) {
    list.items[0] = e.sizeVal(e.facts.canonical(length));
    return list;
}

// A list of its own with the same items, and room for some more.
static Val copied(TypedBuilder &e, const Val &list, DimAttr room) {
    Val copy = emptyList(e, *list.element, list.list, room);
    for (size_t i = 0; i < columnsOf(list).size(); ++i)
        e.assign(rows(e, columnsOf(copy)[i], e.dimConst(0), lengthOf(list)), held(e, list, i));
    return withLength(e, copy, lengthOf(list));
}

Val shapecast::grownCopy(TypedBuilder &e, const Val &list, bool asList) {
    Val copy = copied(e, list, lengthOf(list));
    copy.list = asList;
    return copy;
}

Val shapecast::grownAs(TypedBuilder &e, const Slot &element, const Val &list) {
    if (list.isGrown() && *list.element == element)
        return list;
    const DimAttr length = list.isGrown() ? lengthOf(list) : e.dimConst(int64_t(list.items.size()));
    Val made = emptyList(e, element, list.list, dimAdd(length, e.dimConst(4)));
    made.cell = list.cell;
    if (list.isGrown())
        forEach(e, length, [&](DimAttr at) { storeItem(e, made, at, grownItem(e, list, at)); });
    else
        for (auto [i, item] : llvm::enumerate(list.items)) {
            keep(e, item);
            storeItem(e, made, e.dimConst(int64_t(i)), item);
        }
    return withLength(e, made, length);
}

Val shapecast::grownFrom(TypedBuilder &e, const Val &list) {
    std::optional<Slot> element;
    for (const Val &item : list.items)
        element = element ? joinItem(e, *element, item) : itemSlot(e, slotOf(item));
    return grownAs(e, *element, list);
}

Val shapecast::grownOf(TypedBuilder &e, const Val &column, bool floats) {
    Slot element = slotOf(floats ? e.floatVal(0.0) : e.intVal(0));
    element.attr = {};
    element.type = floats ? Type(PyFloatType::get(e.ctx)) : Type(PyIntType::get(e.ctx));
    Val v;
    v.kind = Val::Kind::Grown;
    v.list = true;
    v.element = lasting(e, itemSlot(e, element));
    v.items = {e.sizeVal(e.dimsOf(column)[0]), column};
    return v;
}

static Val withRoom(TypedBuilder &e, Val list, DimAttr more) {
    const DimAttr length = lengthOf(list), needed = dimAdd(length, more);
    if (e.facts.provesGreaterEqual(e.dimsOf(columnsOf(list)[0])[0], needed))
        return list;
    auto columns = [&](const Val &of) { return e.tupleVal(columnsOf(of).vec()); };
    const DimAttr room = e.dimsOf(columnsOf(list)[0])[0];
    const Val fits = e.compare("le", e.sizeVal(needed), e.sizeVal(room));
    const DimAttr wider = dimAdd(dimAdd(room, room), dimAdd(more, e.dimConst(4)));
    auto arm = [&](bool holds) { return columns(holds ? list : copied(e, list, wider)); };
    const std::optional<bool> known = fits.constBool();
    const Val now = known ? arm(*known) : e.branch(fits, arm);
    std::copy(now.items.begin(), now.items.end(), list.items.begin() + 1);
    for (const Val &column : columnsOf(list))
        e.facts.addGreaterEqual(e.dimsOf(column)[0], needed);
    return list;
}

// The list carries its items, and this one, alike.
static Val fitting(TypedBuilder &e, const Val &list, const Val &item) {
    keep(e, item);
    return grownAs(e, joinItem(e, *list.element, item), list);
}

Val shapecast::appended(TypedBuilder &e, Val list, const Val &item) {
    if (!list.isGrown()) {
        list.items.push_back(item);
        return list;
    }
    const DimAttr length = lengthOf(list), one = e.dimConst(1);
    list = withRoom(e, fitting(e, list, item), one);
    storeItem(e, list, length, item);
    return withLength(e, list, dimAdd(length, one));
}

// Items of the second list behind those of the first, which is nobody else's.
static Val extended(TypedBuilder &e, Val list, const Val &more) {
    if (!more.isGrown()) {
        for (const Val &item : more.items)
            list = appended(e, list, item);
        return list;
    }
    Val sample = sampleOf(e, *more.element);
    const Slot element = joinItem(e, *list.element, sample);
    list = grownAs(e, element, list);
    const Val other = grownAs(e, element, more);
    const DimAttr length = lengthOf(list), count = lengthOf(other);
    list = withRoom(e, list, count);
    for (auto [i, column] : llvm::enumerate(columnsOf(list)))
        e.assign(rows(e, column, length, count), held(e, other, i));
    return withLength(e, list, dimAdd(length, count));
}

Val shapecast::repeatedItem(TypedBuilder &e, const Val &item, DimAttr count) {
    keep(e, item);
    count = e.facts.canonical(dimMax(count, e.dimConst(0)));
    Val list = emptyList(e, itemSlot(e, slotOf(item)), true, count);
    for (auto [column, part] : llvm::zip_equal(columnsOf(list), takenApart(e, *list.element, item)))
        e.assign(column, part);
    return withLength(e, list, count);
}

Val shapecast::joinedLists(TypedBuilder &e, const Val &a, const Val &b) {
    Val first;
    if (a.isGrown()) { // of its own either way
        first = copied(e, a, dimAdd(lengthOf(a), e.dimConst(4)));
    } else {
        Slot element = *b.element;
        for (const Val &item : a.items)
            element = joinItem(e, element, item);
        first = grownAs(e, element, a);
    }
    first.cell = 0;
    return extended(e, first, b);
}

//===-- Indexing and changes

// Where list[key] is, which must exist.
static DimAttr placeOf(TypedBuilder &e, const Val &list, const Val &key, StringRef message) {
    const DimAttr at = e.toDim(key);
    e.require("index", {at, lengthOf(list)}, "IndexError", message);
    return e.facts.canonical(dimWrap(at, lengthOf(list)));
}

static Val slicedList(TypedBuilder &e, const Val &list, const Val &slice) {
    std::vector<Val> parts;
    DimAttr count = e.dimConst(0);
    for (size_t i = 0; i < columnsOf(list).size(); ++i) {
        parts.push_back(e.getItem(held(e, list, i), slice));
        count = e.dimsOf(parts.back())[0];
    }
    Val made = emptyList(e, *list.element, list.list, count);
    for (auto [column, part] : llvm::zip_equal(columnsOf(made), parts))
        e.assign(column, part);
    return withLength(e, made, count);
}

static const Val &onlyKey(TypedBuilder &e, const Val &list, ArrayRef<Val> keys) {
    e.checkPlace(list, keys);
    return keys[0];
}

Val shapecast::grownItem(TypedBuilder &e, const Val &list, ArrayRef<Val> keys) {
    const Val &key = onlyKey(e, list, keys);
    if (key.kind == Val::Kind::Slice)
        return slicedList(e, list, key);
    return grownItem(e, list, placeOf(e, list, key, e.describe(list) + " index out of range"));
}

static void become(TypedBuilder &e, const Val &list, const Val &now) {
    Cell &cell = e.change(list);
    cell.items = now.items;
    cell.element = now.element;
}

void shapecast::storeGrown(TypedBuilder &e, const Val &list, ArrayRef<Val> keys, const Val &value) {
    const Val &key = onlyKey(e, list, keys);
    if (key.kind == Val::Kind::Slice)
        e.unsupported("storing to a slice of a list is not supported; store its items, or use an "
                      "array");
    const DimAttr at = placeOf(e, list, key, "list assignment index out of range");
    Val now = fitting(e, list, value);
    storeItem(e, now, at, value);
    become(e, list, now);
}

// Items from `from` on move to `to`, up to the end.
static void shift(TypedBuilder &e, const Val &list, DimAttr from, DimAttr to, DimAttr count) {
    for (const Val &column : columnsOf(list))
        e.assign(rows(e, column, to, count), rows(e, column, from, count));
}

static Val without(TypedBuilder &e, const Val &list, DimAttr at) {
    const DimAttr one = e.dimConst(1), next = dimAdd(at, one), length = lengthOf(list);
    if (e.facts.equal(next, length) != Answer::Yes)
        shift(e, list, next, at, dimSub(length, next));
    return withLength(e, list, dimSub(length, one));
}

void shapecast::removeGrown(TypedBuilder &e, const Val &list, ArrayRef<Val> keys) {
    const Val &key = onlyKey(e, list, keys);
    if (key.kind == Val::Kind::Slice)
        e.unsupported("deleting a slice of a list that grows is not supported; make a new list");
    const DimAttr at = placeOf(e, list, key, "list assignment index out of range");
    become(e, list, without(e, list, at));
}

static Val popped(TypedBuilder &e, const Val &list, ArrayRef<Val> given) {
    const DimAttr length = lengthOf(list), one = e.dimConst(1);
    if (!e.facts.provesGreaterEqual(length, one))
        e.require("ge", {length, one}, "IndexError", "pop from empty list");
    const DimAttr at =
        given.empty() ? dimSub(length, one) : placeOf(e, list, given[0], "pop index out of range");
    const Val item = grownItem(e, list, at);
    become(e, list, without(e, list, at));
    return item;
}

static void inserted(TypedBuilder &e, const Val &list, const Val &index, const Val &item) {
    const DimAttr zero = e.dimConst(0), one = e.dimConst(1), length = lengthOf(list);
    const DimAttr given = e.toDim(index);
    const DimAttr at = e.facts.canonical(
        e.facts.greaterEqual(given, zero) == Answer::Yes
            ? dimMin(given, length)
            : dimMin(dimMax(dimAdd(given,
                                   dimMul(length, dimMin(dimMax(dimSub(zero, given), zero), one))),
                            zero),
                     length)); // a negative one counts from the end
    Val now = withRoom(e, fitting(e, list, item), one);
    shift(e, now, at, dimAdd(at, one), dimSub(length, at));
    storeItem(e, now, at, item);
    become(e, list, withLength(e, now, dimAdd(length, one)));
}

// Items that are one number each: their column.
static std::optional<Val> numbersOf(TypedBuilder &e, const Val &list) {
    const Slot &element = *list.element;
    if (element.kind != Slot::Kind::Typed || isa<ArrayType>(element.type) ||
        element.blend != PyKind::Strong)
        return std::nullopt;
    return held(e, list, 0);
}

bool shapecast::isOrdered(TypedBuilder &e, const Val &list) {
    return numbersOf(e, list) && !isComplex(columnDtype(list.element->type));
}

static Val call(TypedBuilder &e, StringRef name, ArrayRef<Val> given) {
    const Function *function = findFunction(name);
    assert(function && "only those that have an operation");
    return callFunction(e, *function, given, {});
}

// list.index(x), list.count(x), list.remove(x)
static Val sought(TypedBuilder &e, const Val &list, StringRef name, const Val &item) {
    std::optional<Val> numbers = numbersOf(e, list);
    if (!numbers || !item.isScalar())
        e.unsupported("the method '" + name + "' of a list that grows is for numbers only");
    const Val equal = e.compare("eq", *numbers, item);
    if (name == "count")
        return e.toPy(call(e, "numpy.count_nonzero", equal), PyKind::Int);
    const Val any = e.toPy(e.truth(call(e, "numpy.any", equal)), PyKind::Bool);
    const DimAttr isThere[] = {e.toDim(e.toPy(any, PyKind::Int)), e.dimConst(1)};
    if (name == "index")
        requireInList(e, "eq", isThere, item);
    else
        e.require("eq", isThere, "ValueError", "list.remove(x): x not in list");
    const DimAttr at = e.toDim(call(e, "numpy.argmax", equal));
    e.require("index", {at, lengthOf(list)}, "SystemError", "argmax is beyond the end");
    if (name == "index")
        return e.sizeVal(at);
    become(e, list, without(e, list, at));
    return e.noneVal();
}

std::optional<Val> shapecast::grownMethod(TypedBuilder &e, const Val &list, StringRef name,
                                          ArrayRef<Val> given) {
    auto takes = [&](size_t count) { return given.size() == count; };
    if (name == "append" && takes(1)) {
        become(e, list, appended(e, list, given[0]));
    } else if (name == "extend" && takes(1) && (given[0].isTuple() || given[0].isGrown())) {
        become(e, list, extended(e, list, given[0]));
    } else if (name == "insert" && takes(2)) {
        inserted(e, list, given[0], given[1]);
    } else if (name == "pop" && given.size() <= 1) {
        return popped(e, list, given);
    } else if (name == "clear" && takes(0)) {
        become(e, list, withLength(e, list, e.dimConst(0)));
    } else if (name == "copy" && takes(0)) {
        return grownCopy(e, list, true);
    } else if (name == "reverse" && takes(0)) {
        Val back;
        back.kind = Val::Kind::Slice;
        back.items = {e.noneVal(), e.noneVal(), e.intVal(-1)};
        become(e, list, slicedList(e, list, back));
    } else if (name == "sort" && takes(0) && isOrdered(e, list)) {
        e.native("sort", *numbersOf(e, list), {e.intVal(/*stable=*/1)});
        become(e, list, list);
    } else if ((name == "index" || name == "count" || name == "remove") && takes(1)) {
        return sought(e, list, name, given[0]);
    } else {
        return std::nullopt;
    }
    return e.noneVal();
}

Val shapecast::grownContains(TypedBuilder &e, const Val &list, const Val &item) {
    const Slot &element = *list.element;
    const bool one = numbersOf(e, list) && item.isScalar();
    const bool several = element.kind == Slot::Kind::Tuple && item.isTuple() &&
                         element.items.size() == item.items.size() &&
                         llvm::all_of(element.items,
                                      [](const Slot &part) {
                                          return part.kind == Slot::Kind::Typed &&
                                                 part.blend == PyKind::Strong &&
                                                 !isa<ArrayType>(part.type);
                                      }) &&
                         llvm::all_of(item.items, [](const Val &v) { return v.isScalar(); });
    if (!one && !several)
        e.unsupported("'in' a list that grows is for numbers and tuples of them");
    if (one)
        return e.contains(held(e, list, 0), item);
    Val all = e.boolVal(true);
    for (size_t i = 0; i < item.items.size(); ++i) {
        const Val equal = e.compare("eq", held(e, list, i), item.items[i]);
        all = i == 0 ? equal : e.ufunc("logical_and", {all, equal});
    }
    return e.toPy(e.truth(call(e, "numpy.any", all)), PyKind::Bool);
}

//===-- As an array

// The dtype that np.array gives numbers of this kind.
static std::optional<DType> arrayDtype(const Slot &slot) {
    if (slot.kind != Slot::Kind::Typed)
        return std::nullopt;
    const DType dtype = operandType(slot.type)->dtype;
    if (slot.blend == PyKind::Strong || isNaturalBlend(slot.type, slot.blend))
        return dtype;
    return std::nullopt;
}

Val shapecast::grownArray(TypedBuilder &e, const Val &list) {
    const Slot &element = *list.element;
    const bool several = element.kind == Slot::Kind::Tuple && !element.attr;
    const std::vector<Slot> alone{element};
    const std::vector<Slot> &parts = several ? element.items : alone;
    SmallVector<OperandType> types;
    SmallVector<size_t> columns;
    size_t column = 0;
    for (const Slot &part : parts) {
        std::optional<DType> dtype = arrayDtype(part);
        if (!dtype || (several && isa<ArrayType>(part.type)))
            e.unsupported("an array of a list that grows is made of numbers, tuples of numbers or "
                          "arrays, each of one kind");
        types.push_back({*dtype});
        columns.push_back(column);
        column += partsOf(e, part).size();
    }
    const DType dtype = types.empty() ? DType::F64 : resultType(types);
    const DimAttr length = lengthOf(list), one = e.dimConst(1);
    const Val first = columns.empty() ? Val() : held(e, list, 0);
    Dims dims = first.isArray() ? e.dimsOf(first) : Dims{length};
    if (several)
        dims.push_back(e.dimConst(int64_t(parts.size())));
    if ((dims.size() > 1 || dtype != DType::F64) && !e.facts.provesGreaterEqual(length, one))
        e.require("ge", {length, one}, "shapecast.UnsupportedError",
                  "an array of this list has another dtype or shape when it is empty; ask for its "
                  "length first");
    Val made = e.alloc(dims, dtype);
    for (auto [i, at] : llvm::enumerate(columns)) {
        Dims offsets(dims.size(), e.dimConst(0)), steps(dims.size(), one);
        if (several)
            offsets.back() = e.dimConst(int64_t(i));
        const Val target = several ? e.view(made, offsets, steps, {0}, {length}) : made;
        e.assign(target, e.castTo(held(e, list, at), dtype));
    }
    return made;
}

//===-- As Python's

static std::optional<std::string> literalText(Attribute number) {
    if (auto flag = dyn_cast<BoolAttr>(number))
        return flag.getValue() ? "True" : "False";
    if (auto integer = dyn_cast<IntegerAttr>(number))
        return std::to_string(integer.getInt());
    if (auto real = dyn_cast<FloatAttr>(number))
        return llvm::formatv("{0:e17}", real.getValueAsDouble()).str();
    return std::nullopt;
}

// "p": Python numbers; "s": NumPy's; "a": arrays; "t2": tuples of two; "l2": lists. "?s": NumPy's,
// but Python's where the next column says so: the same number, or ("?s*") one of a third column, or
// ("?s0") that number; "?p": so with two kinds of Python numbers. "n": None; "ktext": a string.
static const std::string wordEnd = "\x1f";
static void describeItem(TypedBuilder &e, const Slot &slot, std::string &words) {
    if (slot.kind == Slot::Kind::Tuple && slot.made == Val::Kind::Tuple && !slot.attr) {
        words += (slot.list ? "l" : "t") + std::to_string(slot.items.size()) + wordEnd;
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
        e.unsupported("handing a list that grows to Python, whose items are no numbers, arrays or "
                      "tuples of them, is not supported");
    if (slot.blend != PyKind::Strong) {
        const bool python = operandType(slot.type)->weak != PyKind::Strong;
        words += python ? "?p" : "?s";
        if (slot.attr)
            words += literalText(slot.attr).value_or("");
        else if (!isNaturalBlend(slot.type, slot.blend))
            words += "*";
        words += wordEnd;
        return;
    }
    const bool python = operandType(slot.type)->weak != PyKind::Strong;
    words += (isa<ArrayType>(slot.type) ? "a" : python ? "p" : "s") + wordEnd;
}

std::pair<std::string, std::vector<Val>> shapecast::grownParts(TypedBuilder &e, const Val &list) {
    std::string words = (list.list ? "l" : "t") + wordEnd;
    describeItem(e, *list.element, words);
    std::vector<Val> columns{list.items[0]};
    for (size_t i = 0; i < columnsOf(list).size(); ++i)
        columns.push_back(held(e, list, i));
    return {words, columns};
}
