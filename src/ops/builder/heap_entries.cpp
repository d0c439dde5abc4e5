#include "ops/builder/heap_entries.h"

#include "facts/host_info.h"
#include "ir/in_memory.h"
#include "ir/layout.h"
#include "ops/builder/cells.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/record_class.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Words

static bool isFloatWord(Type component) {
    const std::optional<OperandType> operand = operandType(component);
    return operand && !isa<ArrayType>(component) && isFloat(operand->dtype);
}

// A number as an int or float64.
static Val wordOf(TypedBuilder &e, const Val &number) {
    const OperandType operand = *operandType(number.type());
    if (isFloat(operand.dtype))
        return toPy(e, number, PyKind::Float);
    if (operand.dtype == DType::U64) // its bits
        return toPy(e, e.typed(castValue(e, number.value, DType::I64)), PyKind::Int);
    return toPy(e, number, PyKind::Int);
}

static bool isComplexWord(Type component) {
    const std::optional<OperandType> operand = operandType(component);
    return operand && !isa<ArrayType>(component) && isComplex(operand->dtype);
}

static bool isWideInt(Type component) { return isa<PyWideIntType>(component); }

// An array has several: its owner, its address, and the strides that its layout does not give. A
// complex number and a WideInt have two.
static int64_t wordsOf(Type component) {
    auto array = dyn_cast<ArrayType>(component);
    if (array && !isHeldByAddress(array))
        return 2 + dynamicStrides(array);
    return isComplexWord(component) || isWideInt(component) ? 2 : 1;
}

static Val loadWord(TypedBuilder &e, const Val &container, const Val &index, int64_t word,
                    Type component) {
    const Val &handle = container.items[0];
    auto load = [&](Type type, int64_t further = 0) {
        return e.typed(EntryOp::create(e.b, e.loc, type, handle.value, index.value,
                                       e.b.getI64IntegerAttr(word + further),
                                       e.b.getI64IntegerAttr(layoutOf(e, container).words)));
    };
    if (isa<ArrayType>(component))
        return load(component);
    const OperandType operand = *operandType(component);
    if (isWideInt(component)) {
        const Type word = PyIntType::get(e.ctx);
        return pyop(e, "of_words", {load(word, 0), load(word, 1)}, component);
    }
    if (isComplexWord(component)) {
        const Type part = PyFloatType::get(e.ctx);
        const Val re = load(part, 0), im = load(part, 1);
        const Val made = pyop(e, "complex", {re, im}, PyComplexType::get(e.ctx));
        return operand.weak == PyKind::Complex ? made
                                               : e.typed(castValue(e, made.value, operand.dtype));
    }
    if (operand.weak == PyKind::Int || operand.weak == PyKind::Float)
        return load(component);
    if (operand.weak == PyKind::Bool)
        return toPy(e, load(PyIntType::get(e.ctx)), PyKind::Bool);
    const DType wide = isFloat(operand.dtype) ? DType::F64 : DType::I64;
    return e.typed(castValue(e, load(scalarType(e.ctx, wide)).value, operand.dtype));
}

static void storeWord(TypedBuilder &e, const Val &container, const Val &index, int64_t word,
                      const Val &value) {
    SetEntryOp::create(e.b, e.loc, container.items[0].value, index.value,
                       e.b.getI64IntegerAttr(word),
                       e.b.getI64IntegerAttr(layoutOf(e, container).words), value.value);
}

static SmallVector<Type> componentsOf(TypedBuilder &e, const Slot &slot) {
    SmallVector<Type> types;
    packedTypes(e, slot, types);
    return types;
}

static SmallVector<Val> packed(TypedBuilder &e, const Slot &slot, const Val &v) {
    SmallVector<Value> operands;
    pack(e, slot, v, operands);
    return llvm::map_to_vector(operands, [&](Value value) { return e.typed(value); });
}

//===-- Keys

// Of keys of several kinds the kind tells them apart: that a member of an IntEnum is equal to a
// number, or to a member of another one, would go unseen.
static void checkMembersDiffer(TypedBuilder &e, const Slot &slot) {
    for (const Slot &one : slot.items) {
        const Val member = one.kind == Slot::Kind::Static ? e.literal(one.attr) : Val();
        if (!isValueMember(member))
            continue;
        const bool isText = isTextMember(member);
        for (const Slot &other : slot.items) {
            const Val constant = other.kind == Slot::Kind::Static ? e.literal(other.attr) : Val();
            const bool isEqual =
                other.kind != Slot::Kind::Static
                    ? (isText ? isTextSlot(other) : other.kind == Slot::Kind::Typed)
                    : constant.attr != member.attr && equalsMember(e, member, constant) != false;
            if (isEqual)
                e.unsupported("members of " + member.className() +
                              " among keys that may be equal to them are not supported; use the "
                              "members alone, or their values");
        }
    }
}

// Per component of a key: whether keys are compared by it. The flag of a maybe-weak number is none;
// that of what may be None, or is of several kinds, is one.
static void comparedComponents(TypedBuilder &e, bool isSet, const Slot &slot,
                               SmallVectorImpl<bool> &compared) {
    auto refuse = [&] {
        e.unsupported((isSet ? "such items of a set" : "such keys") +
                      Twine(", known only at run time, are not supported; use ") +
                      (isSet ? "items" : "keys") + " of one kind");
    };
    switch (slot.kind) {
    case Slot::Kind::Tuple:
        if (slot.valKind == Val::Kind::Text || isObjectForm(slot.attr))
            return compared.push_back(true);
        if ((slot.valKind != Val::Kind::Tuple && !isValueRecord(slot)) || slot.list)
            refuse();
        for (const Slot &item : slot.items)
            comparedComponents(e, isSet, item, compared);
        break;
    case Slot::Kind::Typed:
        if (isSet && isWideInt(slot.type))
            e.unsupported("integers beyond 64 bits in a set are not supported; use the keys of a "
                          "dict");
        compared.push_back(true);
        if (slot.maybeWeak == PyKind::Strong)
            break;
        if (!isNaturalPair(slot.type, slot.maybeWeak))
            refuse();
        compared.push_back(false);
        break;
    case Slot::Kind::Optional:
    case Slot::Kind::Union:
        checkMembersDiffer(e, slot);
        for (const Slot &item : slot.items)
            comparedComponents(e, isSet, item, compared);
        compared.push_back(true);
        break;
    default:
        break;
    }
}

static bool isOfSeveralKinds(const Slot &slot) {
    return slot.kind == Slot::Kind::Optional || slot.kind == Slot::Kind::Union ||
           llvm::any_of(slot.items, isOfSeveralKinds);
}

void shapecast::checkHasOrder(TypedBuilder &e, const Val &container) {
    if (isHeap(container, "set") && isOfSeveralKinds(heapKeySlot(container)))
        e.unsupported("the order of a set with items of several kinds, known only at run time, is "
                      "not supported; use the keys of a dict, which are in the order in which they "
                      "were put there");
}

EntryLayout shapecast::layoutOf(TypedBuilder &e, const Val &container) {
    EntryLayout layout;
    const Slot &key = heapKeySlot(container);
    SmallVector<bool> compared;
    comparedComponents(e, isHeap(container, "set"), key, compared);
    const SmallVector<Type> keys = componentsOf(e, key);
    int64_t others = 0;
    for (auto [type, isCompared] : llvm::zip_equal(keys, compared)) {
        if (isCompared && isFloatWord(type))
            layout.floatWords |= int64_t(1) << layout.keyWords;
        if (auto handle = dyn_cast<ArrayType>(type)) {
            if (handle == textSlot(e).items[0].type)
                layout.textWords |= int64_t(1) << layout.keyWords;
            layout.ownedWords |= int64_t(2) << layout.keyWords; // after the hash
        }
        (isCompared ? layout.keyWords : others) += wordsOf(type);
    }
    const bool hasHash = isHeap(container, "dict") || isHeap(container, "set");
    layout.otherKeyWord = (hasHash ? 1 : 0) + layout.keyWords;
    layout.valueWord = layout.otherKeyWord + others;
    layout.words = layout.valueWord;
    for (Type type : componentsOf(e, heapValueSlot(container))) {
        if (isa<ArrayType>(type) && layout.words < 60)
            layout.ownedWords |= int64_t(1) << layout.words;
        layout.words += wordsOf(type);
    }
    if (layout.words > 60 || layout.keyWords > 32)
        e.unsupported("items of more than 60 numbers, in a container whose length is known only at "
                      "run time, are not supported");
    return layout;
}

static SmallVector<Val, 2> wordsOfWideInt(TypedBuilder &e, const Val &v) {
    const Type word = PyIntType::get(e.ctx);
    return {pyop(e, "low_word", {v}, word), pyop(e, "high_word", {v}, word)};
}

static SmallVector<Val, 2> keyWordsOf(TypedBuilder &e, const Val &component) {
    if (component.isArray())
        return {component};
    return component.isWideInt() ? wordsOfWideInt(e, component)
                                 : SmallVector<Val, 2>{wordOf(e, component)};
}

KeyWords shapecast::wordsOfKey(TypedBuilder &e, const Val &container, const Val &key) {
    const Slot &slot = heapKeySlot(container);
    SmallVector<bool> compared;
    comparedComponents(e, isHeap(container, "set"), slot, compared);
    KeyWords words;
    for (auto [component, isCompared] : llvm::zip_equal(packed(e, slot, key), compared))
        llvm::append_range(isCompared ? words.compared : words.others, keyWordsOf(e, component));
    return words;
}

static Val isTrueOf(TypedBuilder &e, StringRef op, const Val &a, const Val &b) {
    return pyop(e, op, {a, b}, PyBoolType::get(e.ctx));
}

// The int that a float64 is, where it is one.
struct Whole {
    Val number, exists;
};
static Whole wholeOf(TypedBuilder &e, const Val &real) {
    const Val inRange = isTrueOf(e, "and", isTrueOf(e, "lt", real, e.floatVal(0x1p63)),
                                 isTrueOf(e, "ge", real, e.floatVal(-0x1p63)));
    const Val number = e.branch(truth(e, inRange), [&](bool holds) {
        return holds ? toPy(e, real, PyKind::Int) : e.intVal(0);
    });
    const Val again = toPy(e, number, PyKind::Float);
    return {number, isTrueOf(e, "and", inRange, isTrueOf(e, "eq", again, real))};
}

static void needs(TypedBuilder &e, WantedKey &wanted, const Val &condition) {
    wanted.isExact = wanted.isExact ? isTrueOf(e, "and", *wanted.isExact, condition) : condition;
}

static bool addWanted(TypedBuilder &e, const Slot &slot, const Val &v, WantedKey &wanted);

// The same for a key that may be None or of several kinds, of which it is one: the words of the
// others are those of no value, and a flag is the last one.
static bool addWantedMember(TypedBuilder &e, const Slot &slot, const Val &v, WantedKey &wanted) {
    std::optional<int64_t> which;
    if (slot.kind == Slot::Kind::Optional && v.isNone())
        which = 0;
    for (auto [k, member] : llvm::enumerate(slot.items)) {
        WantedKey made = wanted;
        if (!which && addWanted(e, member, v, made)) {
            wanted = std::move(made);
            which = slot.kind == Slot::Kind::Optional ? 1 : int64_t(k);
            continue;
        }
        for (const Val &component : packed(e, member, e.neverVal()))
            llvm::append_range(wanted.words, keyWordsOf(e, component));
    }
    if (which)
        wanted.words.push_back(e.intVal(*which));
    return which.has_value();
}

// The same of ints of which one has 128 bits.
static bool addWantedWideInt(TypedBuilder &e, const Slot &slot, const Val &v, WantedKey &wanted) {
    const OperandType given = *operandType(v.type());
    if (!isInteger(operandType(slot.type)->dtype) || isFloat(given.dtype))
        e.unsupported(
            "comparing an integer beyond 64 bits with keys of another kind that are known "
            "only at run time is not supported; convert one to the other");
    const SmallVector<Val, 2> words = wordsOfWideInt(e, toPy(e, v, PyKind::WideInt));
    wanted.words.push_back(words[0]);
    if (isWideInt(slot.type)) {
        wanted.words.push_back(words[1]);
        return true;
    }
    const bool isUnsigned = operandType(slot.type)->dtype == DType::U64;
    const Val sign = isUnsigned
                         ? e.intVal(0)
                         : pyop(e, "rshift", {words[0], e.intVal(63)}, PyIntType::get(e.ctx));
    needs(e, wanted, compareInts(e, "eq", words[1], sign));
    return true;
}

// Of a slot of one member of an Enum that is its value.
static bool isEqualMember(TypedBuilder &e, const Slot &slot, const Val &v) {
    if (std::optional<bool> known = equalsMember(e, e.literal(slot.attr), v))
        return *known;
    e.unsupported("looking up a number or string that is known only at run time, among keys with "
                  "members of " +
                  e.literal(slot.attr).className() +
                  " in them, is not supported; make it a member before, by calling the class");
}

// Whether a key may be equal to it; appends its words.
static bool addWanted(TypedBuilder &e, const Slot &slot, const Val &v, WantedKey &wanted) {
    objectAsKey(e, v);
    if (isUnhashable(v))
        e.fail("TypeError", "unhashable type: '" + v.className() + "'");
    const bool isNumberOrText = slot.kind == Slot::Kind::Typed || isTextSlot(slot);
    if (v.kind == Val::Kind::Static && isValueMember(v) && isNumberOrText)
        return addWanted(e, slot, asValue(e, v), wanted);
    if (slot.kind == Slot::Kind::Static && isValueMember(e.literal(slot.attr)))
        return isEqualMember(e, slot, v);
    if (slot.kind == Slot::Kind::Optional || slot.kind == Slot::Kind::Union)
        return addWantedMember(e, slot, v, wanted);
    if (slot.valKind == Val::Kind::Heap) {
        if (isHeapObject(v))
            wanted.words.push_back(v.items[0]);
        return isHeapObject(v);
    }
    if (slot.valKind == Val::Kind::Text) {
        if (v.isText())
            wanted.words.push_back(heapText(e, v).items[0]);
        return v.isText();
    }
    if (slot.kind == Slot::Kind::Tuple) {
        const bool mayBe = isValueRecord(slot) ? v.isRecord() && v.attr == slot.attr : v.isTuple();
        if (!mayBe || v.list || v.items.size() != slot.items.size())
            return false;
        for (auto [part, item] : llvm::zip_equal(slot.items, v.items))
            if (!addWanted(e, part, item, wanted))
                return false;
        return true;
    }
    if (slot.kind == Slot::Kind::Static && isTextSlot(slot) && v.isText() && !v.isStatic("str"))
        needs(e, wanted, textRelation(e, "eq", e.literal(slot.attr), v));
    else if (slot.kind == Slot::Kind::Static)
        return v.kind == Val::Kind::Static && v.attr == slot.attr;
    if (slot.kind == Slot::Kind::Static)
        return true;
    if (slot.kind != Slot::Kind::Typed || !v.isScalar())
        return false;
    const DType given = operandType(v.type())->dtype;
    if (isComplex(given))
        e.unsupported("a complex number as a key that is known only at run time is not supported");
    if (isWideInt(slot.type) || v.isWideInt())
        return addWantedWideInt(e, slot, v, wanted);
    Val word = wordOf(e, v);
    const bool wantsFloat = isFloatWord(slot.type), isFloatGiven = isFloat(given);
    const bool isUnsignedSlot = operandType(slot.type)->dtype == DType::U64;
    if (isUnsignedSlot != (given == DType::U64)) { // words of 2^63 and more are negative ints
        if (wantsFloat || isFloatGiven)
            e.unsupported("comparing uint64 with float64 keys that are known only at run time is "
                          "not supported; convert one to the other");
        needs(e, wanted, compareInts(e, "ge", word, e.intVal(0)));
    }
    if (wantsFloat != isFloatGiven) { // equal where the conversion is exact
        const Val real = wantsFloat ? toPy(e, word, PyKind::Float) : word;
        const Whole whole = wholeOf(e, real);
        needs(e, wanted, whole.exists);
        if (wantsFloat)
            needs(e, wanted, compareInts(e, "eq", whole.number, word));
        word = wantsFloat ? real : whole.number;
    }
    wanted.words.push_back(word);
    return true;
}

std::optional<WantedKey> shapecast::wordsOfWanted(TypedBuilder &e, const Val &container,
                                                  const Val &key) {
    WantedKey wanted;
    const bool maybe = addWanted(e, heapKeySlot(container), key, wanted);
    return maybe ? std::optional(wanted) : std::nullopt;
}

//===-- Loads and stores

Val shapecast::loadKey(TypedBuilder &e, const Val &container, const Val &index) {
    const EntryLayout layout = layoutOf(e, container);
    const Slot &slot = heapKeySlot(container);
    SmallVector<bool> compared;
    comparedComponents(e, isHeap(container, "set"), slot, compared);
    int64_t word = 1, other = layout.otherKeyWord;
    SmallVector<Value> values;
    for (auto [type, isCompared] : llvm::zip_equal(componentsOf(e, slot), compared)) {
        int64_t &next = isCompared ? word : other;
        values.push_back(loadWord(e, container, index, next, type).value);
        next += wordsOf(type);
    }
    ValueRange rest(values);
    return unpack(e, slot, rest);
}

// Of a value or attribute whose words begin at `word`.
static Val loadPacked(TypedBuilder &e, const Val &container, const Val &index, int64_t word,
                      const Slot &slot) {
    SmallVector<Value> values;
    for (Type type : componentsOf(e, slot)) {
        values.push_back(loadWord(e, container, index, word, type).value);
        word += wordsOf(type);
    }
    ValueRange rest(values);
    Val loaded = unpack(e, slot, rest);
    for (Value value : values) // the sizes of an array are bound before it
        if (isa<ArrayType>(value.getType()))
            value.getDefiningOp()->moveBefore(e.b.getInsertionBlock(), e.b.getInsertionPoint());
    return loaded;
}

static void storePacked(TypedBuilder &e, const Val &container, const Val &index, int64_t word,
                        const Slot &slot, const Val &value) {
    for (const Val &component : packed(e, slot, value)) {
        if (isComplexWord(component.type())) {
            const Val wide = e.typed(castValue(e, component.value, DType::C128));
            for (int64_t k : {0, 1})
                storeWord(e, container, index, word + k,
                          toPy(e, partOf(e, wide, k ? "imag" : "real"), PyKind::Float));
        } else if (isWideInt(component.type())) {
            for (auto [k, part] : llvm::enumerate(wordsOfWideInt(e, component)))
                storeWord(e, container, index, word + int64_t(k), part);
        } else {
            storeWord(e, container, index, word,
                      component.isArray() ? component : wordOf(e, component));
        }
        word += wordsOf(component.type());
    }
}

Val shapecast::loadValue(TypedBuilder &e, const Val &container, const Val &index) {
    return loadPacked(e, container, index, layoutOf(e, container).valueWord,
                      heapValueSlot(container));
}

void shapecast::storeOtherKeyWords(TypedBuilder &e, const Val &container, const Val &index,
                                   ArrayRef<Val> others) {
    int64_t word = layoutOf(e, container).otherKeyWord;
    for (const Val &other : others)
        storeWord(e, container, index, word++, other);
}

void shapecast::storeValue(TypedBuilder &e, const Val &container, const Val &index,
                           const Val &value) {
    storePacked(e, container, index, layoutOf(e, container).valueWord, heapValueSlot(container),
                value);
}

//===-- Attributes

static int64_t firstWordOf(TypedBuilder &e, const Val &object, size_t at) {
    int64_t word = layoutOf(e, object).valueWord;
    for (const Slot &before : ArrayRef(heapValueSlot(object).items).take_front(at))
        for (Type type : componentsOf(e, before))
            word += wordsOf(type);
    return word;
}

Val shapecast::loadPart(TypedBuilder &e, const Val &object, size_t at) {
    return loadPacked(e, object, e.intVal(0), firstWordOf(e, object, at),
                      heapValueSlot(object).items[at]);
}

void shapecast::storePart(TypedBuilder &e, const Val &object, size_t at, const Val &value) {
    storePacked(e, object, e.intVal(0), firstWordOf(e, object, at), heapValueSlot(object).items[at],
                value);
}
