// Joins of values at branches and loops, and their packing into block operands.
#include "ops/builder/cells.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/tuple_objects.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Kinds whose Slot is a tuple of components: functions, objects, dicts, slices.
static bool isStructured(const Val &v) {
    return v.kind == Val::Kind::Slice || v.kind == Val::Kind::Range ||
           v.kind == Val::Kind::Function || v.kind == Val::Kind::Object || v.isDict() ||
           v.isRecord() || isHeapText(v);
}

static void makeAllDimsDynamic(Slot &slot) {
    if (slot.valKind == Val::Kind::Heap || slot.valKind == Val::Kind::Text)
        // A handle's size is a constant.
        return;
    slot.dynamicDims.assign(slot.dynamicDims.size(), true);
    for (Slot &item : slot.items)
        makeAllDimsDynamic(item);
}

static void generaliseMembers(Slot &unionSlot) {
    makeAllDimsDynamic(unionSlot);
    for (Slot &member : unionSlot.items)
        member.keepsConstant = true;
}

// The items() of a dict lose its identity.
static unsigned cellOf(const Val &v) { return v.isTuple() && !v.list ? 0 : v.cell; }

Slot shapecast::slotOf(const Val &v) {
    Slot slot;
    switch (v.kind) {
    case Val::Kind::Typed:
        slot.kind = Slot::Kind::Typed;
        slot.type = v.type();
        if (ArrayType array = v.array())
            slot.dynamicDims.assign(array.getRank(), false);
        slot.maybeWeak = v.weakFlag ? v.weakKind : PyKind::Strong;
        if (v.isScalar())
            slot.attr = !v.weakFlag ? v.attr : v.items.empty() ? Attribute() : v.items[0].attr;
        break;
    case Val::Kind::Static:
        slot.kind = Slot::Kind::Static;
        slot.attr = v.attr;
        break;
    case Val::Kind::Unbound:
        break;
    case Val::Kind::Never:
        slot.kind = Slot::Kind::Never;
        break;
    case Val::Kind::Optional:
        slot.kind = Slot::Kind::Optional;
        slot.attr = v.attr;
        slot.items = {slotOf(v.items[0])};
        makeAllDimsDynamic(slot.items[0]);
        break;
    case Val::Kind::Union:
        slot.kind = Slot::Kind::Union;
        for (const Val &item : v.items)
            slot.items.push_back(slotOf(item));
        generaliseMembers(slot);
        break;
    default:
        slot.kind = Slot::Kind::Tuple;
        slot.list = v.list;
        slot.valKind = v.kind;
        slot.serial = v.serial;
        slot.cell = cellOf(v);
        slot.made = v.made;
        slot.attr = v.attr;
        for (const Val &item : v.items)
            slot.items.push_back(slotOf(item));
        if (v.isDynamicList()) {
            slot.element = {*v.element};
            llvm::for_each(slot.items, eraseCapacity);
        }
    }
    return slot;
}

const Slot *shapecast::internSlot(TypedBuilder &e, const Slot &slot) {
    for (const auto &known : e.elementSlots)
        if (*known == slot)
            return known.get();
    return e.elementSlots.emplace_back(std::make_shared<Slot>(slot)).get();
}

static Slot optionalOf(Slot inner, Attribute otherwise) {
    makeAllDimsDynamic(inner);
    Slot slot;
    slot.kind = Slot::Kind::Optional;
    slot.attr = otherwise;
    slot.items = {std::move(inner)};
    return slot;
}

static std::string sequenceText(bool list, size_t length) {
    return (list ? "a list of " : "a tuple of ") + std::to_string(length) +
           (length == 1 ? " item" : " items");
}

static StringRef readonlyText(ArrayType array) { return array.getReadonly() ? " (read-only)" : ""; }

static std::string describeOther(TypedBuilder &e, const Val &v) {
    if (v.isTuple())
        return sequenceText(v.list, v.items.size());
    return v.isArray() ? (v.describe() + readonlyText(v.array())).str() : v.describe();
}

static std::string describeSlot(TypedBuilder &e, const Slot &slot) {
    if (slot.kind == Slot::Kind::Union)
        return "of several kinds";
    if (slot.kind == Slot::Kind::Static || slot.kind == Slot::Kind::Unbound) {
        Val v;
        v.kind = slot.attr ? Val::Kind::Static : Val::Kind::Unbound;
        v.attr = slot.attr;
        return v.describe();
    }
    if (slot.kind != Slot::Kind::Typed)
        return slot.kind != Slot::Kind::Tuple     ? "a variable that may be unassigned"
               : slot.valKind == Val::Kind::Tuple ? sequenceText(slot.list, slot.items.size())
               : slot.valKind == Val::Kind::DynamicList
                   ? "a dynamic list (of a length known only at run time)"
               : slot.valKind == Val::Kind::Dict ? "a dict with other keys"
               : slot.valKind == Val::Kind::Record || slot.valKind == Val::Kind::Heap
                   ? "a value of another class"
               : slot.valKind == Val::Kind::Object || slot.valKind == Val::Kind::Text ? "a string"
               : slot.valKind == Val::Kind::Function ? "a function"
                                                     : "a range, slice or iterator";
    if (auto object = dyn_cast<ObjectType>(slot.type))
        return "an object of class " + object.getName().str();
    std::optional<OperandType> operand = operandType(slot.type);
    std::string text =
        operand->weak == PyKind::Strong ? dtypeName(operand->dtype).str() : "Python number";
    if (auto array = dyn_cast<ArrayType>(slot.type))
        text += " array with " + std::to_string(array.getRank()) + " dimensions" +
                (array.getDevice() ? " on " + array.getDevice().str() : "") +
                readonlyText(array).str();
    return text;
}

static Layout commonLayout(Layout a, Layout b) {
    if (a == b)
        return a;
    bool inner = (a == Layout::C || a == Layout::Inner) && (b == Layout::C || b == Layout::Inner);
    return inner ? Layout::Inner : Layout::Strided;
}

static Slot joinArrays(TypedBuilder &e, Slot slot, ArrayType have, ArrayType next) {
    Dims dims;
    for (auto [i, a, b] : llvm::enumerate(have.getDims(), next.getDims())) {
        bool same = slot.dynamicDims[i] || e.facts.equal(a, b) == Answer::Yes;
        slot.dynamicDims[i] = slot.dynamicDims[i] || !same;
        dims.push_back(a);
    }
    Layout layout = commonLayout(have.getLayout(), next.getLayout());
    if (have.getRank() == 1 && layout == Layout::Inner)
        layout = Layout::C;
    slot.type =
        ArrayType::get(e.ctx, dims, have.getDtype(), layout, have.getReadonly(), have.getDevice());
    return slot;
}

namespace {
// The Python number that a maybe-weak scalar is on some paths.
struct WeakPart {
    PyKind kind = PyKind::Strong; // Strong: none
    Attribute number;             // where it is a constant
};
} // namespace

// The weak part that a side of this type adds to a join of type `result`.
static WeakPart weakPart(Type type, PyKind maybeWeak, Attribute number, Type result) {
    if (maybeWeak != PyKind::Strong)
        return {maybeWeak, number};
    const PyKind weak = operandType(type)->weak;
    const bool isSameInt = isa<PyIntType>(type) && isa<PyWideIntType>(result);
    return weak == PyKind::Strong || type == result || isSameInt ? WeakPart()
                                                                 : WeakPart{weak, number};
}

// The type that holds both: the wider Python number's (bool < int < float < complex), or the NumPy
// scalar's where the Python number is of its kind.
static Type commonScalarType(Type a, Type b) {
    if (a == b)
        return a;
    OperandType x = *operandType(a), y = *operandType(b);
    bool xWeak = x.weak != PyKind::Strong, yWeak = y.weak != PyKind::Strong;
    if (xWeak && yWeak)
        return x.weak > y.weak ? a : b;
    if (!xWeak && !yWeak)
        return {};
    const OperandType &weak = xWeak ? x : y, &strong = xWeak ? y : x;
    bool fits = weak.weak == PyKind::Bool    ? isBool(strong.dtype)
                : weak.weak == PyKind::Int   ? !isBool(strong.dtype)
                : weak.weak == PyKind::Float ? isFloat(strong.dtype) || isComplex(strong.dtype)
                                             : isComplex(strong.dtype);
    return !fits ? Type() : xWeak ? b : a;
}

static std::optional<Slot> commonScalar(const Slot &slot, const Val &v) {
    Slot result = slot;
    result.type = commonScalarType(slot.type, v.type());
    if (!result.type || (slot.maybeWeak != PyKind::Strong && result.type != slot.type) ||
        (v.weakFlag && result.type != v.type()))
        return std::nullopt; // there would be three kinds
    WeakPart mine = weakPart(slot.type, slot.maybeWeak, slot.attr, result.type);
    const Slot other = slotOf(v);
    WeakPart theirs = weakPart(v.type(), other.maybeWeak, other.attr, result.type);
    if (mine.kind == PyKind::Strong)
        std::swap(mine, theirs);
    if (theirs.kind != PyKind::Strong && theirs.kind != mine.kind)
        return std::nullopt;
    result.maybeWeak = mine.kind;
    if (mine.kind == PyKind::Strong)
        result.attr = slot.attr == other.attr ? slot.attr : Attribute();
    else if (theirs.kind != PyKind::Strong && theirs.number != mine.number)
        result.attr = {};
    else
        result.attr = mine.number;
    if (result.maybeWeak != PyKind::Strong && isNaturalPair(result.type, result.maybeWeak))
        result.attr = {};
    return result;
}

static bool isNone(Attribute attr, bool isStatic) {
    auto py = dyn_cast_or_null<PyAttr>(attr);
    return isStatic && py && py.getKind() == "none";
}

//===-- Unions

static ArrayRef<Val> membersOf(const Val &v) {
    return v.isUnion() ? ArrayRef<Val>(v.items) : ArrayRef(v);
}

// Whether it can be a member of a Union: immutable values, arrays, and containers in memory.
static bool mayBeUnion(const Slot &slot) {
    switch (slot.kind) {
    case Slot::Kind::Typed:
        return !isa<ObjectType>(slot.type);
    case Slot::Kind::Static:
    case Slot::Kind::Union:
        return true;
    case Slot::Kind::Tuple:
        if (slot.valKind == Val::Kind::Heap || slot.valKind == Val::Kind::Text)
            return true;
        return (isValueRecord(slot) ||
                llvm::is_contained({Val::Kind::Tuple, Val::Kind::Slice, Val::Kind::Range,
                                    Val::Kind::Function},
                                   slot.valKind)) &&
               !slot.list && !slot.cell && llvm::all_of(slot.items, [](const Slot &item) {
                   return mayBeUnion(item.kind == Slot::Kind::Optional ? item.items[0] : item);
               });
    default:
        return false;
    }
}

// The first member that has a join with `v` which is no Union, and that join.
static std::optional<std::pair<size_t, Slot>> memberFor(TypedBuilder &e, ArrayRef<Slot> members,
                                                        const Val &v) {
    llvm::SaveAndRestore unions(e.mayMakeUnions, false), lists(e.mayMakeDynamicLists, false);
    for (auto [i, slot] : llvm::enumerate(members)) {
        if (slot.kind == Slot::Kind::Static && v.kind == Val::Kind::Static) { // constants
            if (slot.attr == v.attr)
                return std::pair(i, slot);
            continue;
        }
        try {
            return std::pair(i, join(e, slot, v, ""));
        } catch (const InferError &error) {
            if (!error.joinConflict)
                throw;
        }
    }
    return std::nullopt;
}

static bool isMember(const Slot &slot);

// Each operation on it is emitted once a member; functions in a table are just called, and the
// members of an Enum have values that are alike.
static bool hasTooManyMembers(const Slot &members) {
    constexpr size_t most = 6, mostFunctions = 32, mostOfEnum = 64;
    const auto ofEnum =
        size_t(llvm::count_if(members.items, [](const Slot &one) { return isMember(one); }));
    if (ofEnum > 1)
        return ofEnum > mostOfEnum || members.items.size() - ofEnum >= most;
    const bool areFunctions = llvm::all_of(members.items, [](const Slot &one) {
        auto known = dyn_cast_or_null<PyAttr>(one.attr);
        return one.valKind == Val::Kind::Function ||
               (one.kind == Slot::Kind::Static && known && known.getKind() == "func");
    });
    return members.items.size() > (areFunctions ? mostFunctions : most);
}

// As a member: a string that is a thunk is in memory.
static Slot memberSlot(TypedBuilder &e, const Slot &slot) {
    if (slot.valKind == Val::Kind::Object && isTextSlot(slot))
        return textSlot(e);
    Slot member = slot;
    const bool isRecord = isValueRecord(slot);
    if (isRecord)
        member.cell = 0; // it is never changed
    if (isRecord || (slot.kind == Slot::Kind::Tuple && slot.valKind == Val::Kind::Tuple))
        for (Slot &item : member.items)
            item = memberSlot(e, item);
    return member;
}

// The strings among the members of a Union are in memory, where one of them is, or they are many.
static void mergeTexts(TypedBuilder &e, Slot &members) {
    const bool isInMemory =
        llvm::any_of(members.items, [](const Slot &one) { return one.valKind == Val::Kind::Text; });
    if (llvm::count_if(members.items, isTextSlot) < 2 ||
        (!isInMemory && !hasTooManyMembers(members)))
        return;
    const auto first = llvm::find_if(members.items, isTextSlot) - members.items.begin();
    llvm::erase_if(members.items, isTextSlot);
    members.items.insert(members.items.begin() + first, textSlot(e));
}

static std::optional<Slot> joinUnion(TypedBuilder &e, const Slot &slot, const Val &v) {
    if (!mayBeUnion(memberSlot(e, slot)) || !mayBeUnion(memberSlot(e, slotOf(v))))
        return std::nullopt;
    Slot result = slot;
    if (slot.kind != Slot::Kind::Union) {
        result = Slot();
        result.kind = Slot::Kind::Union;
        result.items = {memberSlot(e, slot)};
    }
    for (const Val &member : membersOf(v))
        if (auto joined = memberFor(e, result.items, member))
            result.items[joined->first] = joined->second;
        else
            result.items.push_back(memberSlot(e, slotOf(member)));
    mergeTexts(e, result);
    generaliseMembers(result);
    limitTuples(e, result, hasTooManyMembers(result));
    if (result.kind != Slot::Kind::Union)
        return result;
    if (result.items.size() == 1)
        return Slot(result.items[0]);
    return hasTooManyMembers(result) ? std::nullopt : std::optional(result);
}

// All members, with placeholders for those that the value is not, and the discriminant.
static void packUnion(TypedBuilder &e, const Slot &slot, const Val &v,
                      SmallVectorImpl<Value> &operands) {
    SmallVector<Val> parts(slot.items.size(), e.neverVal());
    SmallVector<size_t> indices;
    for (const Val &member : v.kind == Val::Kind::Never ? ArrayRef<Val>() : membersOf(v)) {
        auto joined = memberFor(e, slot.items, member);
        if (!joined)
            e.failJoin("a variable is of several kinds, of which two become one here");
        Val &part = parts[joined->first];
        const auto number = int64_t(indices.size());
        indices.push_back(joined->first);
        if (part.kind == Val::Kind::Never) {
            part = member;
            continue;
        }
        const Val before = part; // two kinds become one: strings, say
        part = e.branch(compareInts(e, "eq", e.sizeVal(v.dim), e.intVal(number)),
                        [&](bool is) { return is ? member : before; });
    }
    Val tag = e.intVal(indices.empty() ? 0 : indices[0]);
    if (v.isUnion() && llvm::equal(indices, llvm::seq<size_t>(0, indices.size())))
        tag = e.sizeVal(v.dim); // in the same order
    else
        for (size_t i = 1; i < indices.size(); ++i)
            tag = e.branch(compareInts(e, "eq", e.sizeVal(v.dim), e.intVal(i)),
                           [&](bool is) { return is ? e.intVal(indices[i]) : tag; });
    for (auto [item, part] : llvm::zip_equal(slot.items, parts))
        pack(e, item, part, operands);
    operands.push_back(tag.value);
}

static Slot joinSameKind(TypedBuilder &e, const Slot &slot, const Val &v, StringRef variable);

// Whether both are strings, of any kinds.
static bool areTexts(const Slot &slot, const Val &v) {
    return isTextSlot(slot) &&
           llvm::all_of(membersOf(v), [](const Val &one) { return one.isText(); });
}

static bool isMemberOfEnum(const Val &v) { return v.isStatic("enum"); }

static bool isMember(const Slot &slot) {
    if (slot.kind == Slot::Kind::Union)
        return llvm::all_of(slot.items, isMember);
    auto known = dyn_cast_or_null<PyAttr>(slot.attr);
    return slot.kind == Slot::Kind::Static && known && known.getKind() == "enum";
}

static bool isInMemory(const Slot &slot) {
    return slot.valKind == Val::Kind::Text || llvm::any_of(slot.items, isInMemory);
}

// Strings that are not alike are in memory, unless they are a Union of a few constants.
Slot shapecast::join(TypedBuilder &e, const Slot &slot, const Val &v, StringRef variable) {
    const bool isText = areTexts(slot, v);
    if (isText && (isInMemory(slot) || llvm::any_of(membersOf(v), isHeapText)))
        return textSlot(e);
    try {
        return joinSameKind(e, slot, v, variable);
    } catch (const InferError &error) {
        if (!error.joinConflict)
            throw;
        std::optional<Slot> members;
        if (e.mayMakeUnions || (isMember(slot) && llvm::all_of(membersOf(v), isMemberOfEnum)))
            members = joinUnion(e, slot, v);
        const bool isOfThunks = members && isText && !llvm::all_of(members->items, [](auto &one) {
                                    return one.kind == Slot::Kind::Static;
                                });
        if (isText && (!members || isOfThunks))
            return textSlot(e);
        if (members)
            return *members;
        if (!e.mayMakeUnions)
            throw;
        wishForMembers(e, slot);
        wishForMembers(e, slotOf(v));
        InferError inMemory = error; // where they are, it may be a Union
        inMemory.heapSites = e.heapWishes;
        throw inMemory;
    }
}

// The join that is no Union, unless one side is one already.
static Slot joinSameKind(TypedBuilder &e, const Slot &slot, const Val &v, StringRef variable) {
    auto conflict = [&]() {
        llvm::SaveAndRestore wishes(e.heapWishes);    // this error's alone
        for (const Val &one : {containerOf(slot), v}) // in memory it may be a member of a Union
            if (isContainer(one))
                wishHeap(e, one);
            else
                wishIterators(e, one);
        if (slot.kind == Slot::Kind::Tuple && slot.list && v.isTuple() && v.list)
            e.failJoin("a list of " + Twine(slot.items.size()) + " items on one path and of " +
                       Twine(v.items.size()) +
                       " on the other is not supported (for example, it grows in a loop); store "
                       "to the items of an array");
        std::string name = variable.empty() ? "a variable" : ("'" + variable + "'").str();
        if (slot.kind == Slot::Kind::Tuple && v.isTuple() && slot.items.size() != v.items.size())
            e.failJoin(name + " is " + describeSlot(e, slot) + " on one path and " +
                       describeOther(e, v) +
                       " on the other (for example, it grows in a loop); append the items to a "
                       "list, or store them in an array");
        e.failJoin(name + " is " + describeSlot(e, slot) + " on one path and " +
                   describeOther(e, v) +
                   " on the other; give it the same kind of value on both (for example start "
                   "from 0.0 instead of 0, or use another name)");
    };
    if (v.kind == Val::Kind::Never)
        return slot;
    if (slot.kind == Slot::Kind::Never)
        return slotOf(v);
    // Absent: unbound (null) or None; present: anything else.
    bool mineAbsent =
        slot.kind == Slot::Kind::Unbound || isNone(slot.attr, slot.kind == Slot::Kind::Static);
    bool theirsAbsent = v.kind == Val::Kind::Unbound || v.isNone();
    bool mineOptional = slot.kind == Slot::Kind::Optional,
         theirsOptional = v.kind == Val::Kind::Optional;
    const bool oneHasNone = mineAbsent && theirsAbsent && // the other one is unbound
                            (slot.kind == Slot::Kind::Unbound) != (v.kind == Val::Kind::Unbound);
    if (mineOptional || theirsOptional || mineAbsent != theirsAbsent || oneHasNone) {
        Attribute mine = mineOptional || mineAbsent ? slot.attr : v.attr;
        Attribute theirs = theirsOptional || theirsAbsent ? v.attr : mine;
        if (mine && !theirs) // None on one path, and no value at all on another
            return optionalOf(theirsAbsent ? slot : join(e, slot, v.items[0], variable), {});
        if (!mine && theirs)
            return optionalOf(mineAbsent ? slotOf(v) : join(e, slot.items[0], v, variable), {});
        if (mineAbsent)
            return optionalOf(slotOf(theirsOptional ? v.items[0] : v), mine);
        const Slot &inner = mineOptional ? slot.items[0] : slot;
        return optionalOf(
            theirsAbsent ? inner : join(e, inner, theirsOptional ? v.items[0] : v, variable), mine);
    }
    if (slot.kind == Slot::Kind::Unbound)
        return slot;
    if (slot.kind == Slot::Kind::Union || v.isUnion()) {
        std::optional<Slot> members = joinUnion(e, slot, v);
        if (!members)
            conflict();
        return *members;
    }
    if (slot.kind == Slot::Kind::Static) {
        if (v.kind != Val::Kind::Static || v.attr != slot.attr)
            conflict();
        return slot;
    }
    if (slot.kind == Slot::Kind::Tuple) {
        if (std::optional<Slot> object = joinTupleObject(e, slot, v))
            return *object;
        if (slot.valKind == Val::Kind::Heap || isHeap(v))
            if (std::optional<Slot> heap = joinHeap(e, slot, v))
                return *heap;
        if (joinsAsDynamicList(e, slot, v))
            return joinDynamicList(e, slot, v);
        if (!(v.isTuple() || isStructured(v)) || v.items.size() != slot.items.size() ||
            v.list != slot.list || slot.valKind != v.kind || slot.attr != v.attr) {
            if (slot.valKind == v.kind || v.isDynamicList() ||
                slot.valKind == Val::Kind::DynamicList)
                noteOneOfSeveral(e, slot, v);
            conflict();
        }
        requestHeapForRecursive(e, slot, v);
        Slot result = slot;
        if (slot.cell != cellOf(v)) {
            result.cell = unknownCell;
            markCellsCopied(e, {slot.cell, v.cell});
            noteOneOfSeveral(e, slot, v);
        }
        for (auto [mine, theirs] : llvm::zip(result.items, v.items))
            mine = join(e, mine, theirs, variable);
        return result;
    }
    if (!v.isTyped())
        conflict();
    if (v.isPython() || isa<ObjectType>(slot.type)) {
        if (v.type() != slot.type)
            conflict();
        return slot;
    }
    auto have = dyn_cast<ArrayType>(slot.type);
    ArrayType next = v.array();
    if (bool(have) != bool(next))
        conflict();
    if (have) {
        if (have.getRank() != next.getRank() || have.getDtype() != next.getDtype() ||
            have.getReadonly() != next.getReadonly() || have.getDevice() != next.getDevice())
            conflict();
        return joinArrays(e, slot, have, next);
    }
    std::optional<Slot> scalar = commonScalar(slot, v);
    if (!scalar)
        conflict();
    return *scalar;
}

//===-- Packing

// Whether the Python number of a maybe-weak scalar needs an operand of its own: it is not constant,
// and `value` does not determine it.
static bool carriesWeakNumber(const Slot &slot) {
    return slot.maybeWeak != PyKind::Strong && !slot.attr &&
           !isNaturalPair(slot.type, slot.maybeWeak);
}

// A value of the slot's type that is never read: zero, or an empty array.
static Val placeholder(TypedBuilder &e, const Slot &slot) {
    if (slot.kind == Slot::Kind::Optional || slot.kind == Slot::Kind::Union)
        return e.neverVal(); // no value, no member
    if (slot.kind != Slot::Kind::Typed) {
        Val v;
        v.kind = slot.kind == Slot::Kind::Static ? Val::Kind::Static : slot.valKind;
        v.attr = slot.attr;
        v.list = slot.list;
        if (!slot.element.empty())
            v.element = internSlot(e, slot.element[0]);
        v.items.assign(slot.items.size(), e.neverVal());
        return v;
    }
    if (auto array = dyn_cast<ArrayType>(slot.type)) {
        Dims dims;
        for (auto [dim, isDynamic] : llvm::zip_equal(array.getDims(), slot.dynamicDims))
            dims.push_back(isDynamic ? e.dimConst(0) : dim);
        Layout layout = array.getLayout() == Layout::F ? Layout::F : Layout::C;
        auto type = ArrayType::get(e.ctx, dims, array.getDtype(), layout, false, array.getDevice());
        return e.typed(UnboundOp::create(e.b, e.loc, type, "array")); // allocates nothing
    }
    if (isa<ObjectType>(slot.type))
        return e.typed(UnboundOp::create(e.b, e.loc, slot.type, "object"));
    OperandType operand = *operandType(slot.type);
    if (operand.weak == PyKind::Strong)
        return e.typed(castValue(e, e.intVal(0).value, operand.dtype));
    return toPy(e, operand.weak == PyKind::Bool ? e.boolVal(false) : e.intVal(0), operand.weak);
}

// Itself, or a member of a Union.
static bool holdsTupleObject(const TypedBuilder &e, const Slot &slot) {
    return isTupleObject(e, slot) ||
           (slot.kind == Slot::Kind::Union &&
            llvm::any_of(slot.items, [&](const Slot &one) { return isTupleObject(e, one); }));
}

void shapecast::pack(TypedBuilder &e, const Slot &slot, const Val &v,
                     SmallVectorImpl<Value> &operands) {
    if (slot.kind == Slot::Kind::Never)
        return;
    if (v.isUnion() && llvm::any_of(v.items.read(), isPlainTuple) && holdsTupleObject(e, slot))
        return pack(e, slot, mergeTuples(e, v), operands);
    if (slot.kind == Slot::Kind::Union)
        return packUnion(e, slot, v, operands);
    if (v.kind == Val::Kind::Never && slot.kind != Slot::Kind::Optional)
        return pack(e, slot, placeholder(e, slot), operands);
    if (slot.kind == Slot::Kind::Optional) {
        const bool unbound = v.kind == Val::Kind::Never ||
                             (slot.attr ? v.isNone() : v.kind == Val::Kind::Unbound),
                   known = v.kind != Val::Kind::Optional || v.attr != slot.attr;
        pack(e, slot.items[0],
             unbound ? placeholder(e, slot.items[0])
             : known ? v
                     : v.items[0],
             operands);
        operands.push_back(known ? e.intVal(!unbound).value : e.sizeVal(v.dim).value);
        return;
    }
    if (isTupleObject(e, slot) && isPlainTuple(v))
        return pack(e, slot, tupleObjectAs(e, slot, v), operands);
    if (slot.kind == Slot::Kind::Tuple && slot.valKind == Val::Kind::Text)
        return pack(e, slot.items[0], heapText(e, v).items[0], operands);
    if (slot.kind == Slot::Kind::Tuple) {
        const bool isDynamic = slot.valKind == Val::Kind::DynamicList;
        for (auto [mine, theirs] : llvm::zip_equal(
                 slot.items, isDynamic ? dynamicListAs(e, slot.element[0], v).items : v.items))
            pack(e, mine, theirs, operands);
        return;
    }
    if (slot.kind != Slot::Kind::Typed)
        return;
    if (ArrayType array = v.array()) {
        Value value = v.value;
        // A cast of the handle to a more general layout and the slot's expressions of the sizes.
        auto wanted = cast<ArrayType>(slot.type);
        Dims dims = llvm::to_vector<4>(wanted.getDims());
        for (auto [i, isDynamic] : llvm::enumerate(slot.dynamicDims))
            if (isDynamic)
                dims[i] = array.getDims()[i];
        wanted = ArrayType::get(e.ctx, dims, wanted.getDtype(), wanted.getLayout(),
                                wanted.getReadonly(), wanted.getDevice());
        if (array != wanted)
            value = CastOp::create(e.b, e.loc, wanted, value);
        operands.push_back(value);
        for (auto [isDynamic, dim] : llvm::zip(slot.dynamicDims, array.getDims()))
            if (isDynamic)
                operands.push_back(e.sizeVal(dim).value);
        return;
    }
    if (isa<ObjectType>(slot.type))
        return operands.push_back(v.value);
    OperandType want = *operandType(slot.type);
    Value value = v.value;
    if (value.getType() != slot.type)
        value = want.weak == PyKind::Strong ? castValue(e, value, want.dtype)
                                            : toPy(e, v, want.weak).value;
    operands.push_back(value);
    if (slot.maybeWeak == PyKind::Strong)
        return;
    const bool weak = operandType(v.type())->weak == slot.maybeWeak;
    operands.push_back(v.weakFlag ? e.sizeVal(v.weakFlag).value : e.intVal(weak).value);
    if (carriesWeakNumber(slot))
        operands.push_back(v.weakFlag ? weakSide(e, v).value
                           : weak     ? v.value
                                      : toPy(e, e.intVal(0), slot.maybeWeak).value);
}

void shapecast::packedTypes(TypedBuilder &e, ArrayRef<Slot> slots, SmallVectorImpl<Type> &types) {
    for (const Slot &slot : slots) {
        const bool tagged = slot.kind == Slot::Kind::Optional || slot.kind == Slot::Kind::Union;
        if (slot.kind == Slot::Kind::Tuple || tagged)
            packedTypes(e, slot.items, types);
        if (slot.kind == Slot::Kind::Typed) {
            types.push_back(slot.type);
            types.append(llvm::count(slot.dynamicDims, true) + (slot.maybeWeak != PyKind::Strong),
                         PyIntType::get(e.ctx));
            if (carriesWeakNumber(slot))
                types.push_back(pyType(e.ctx, slot.maybeWeak));
        }
        if (tagged)
            types.push_back(PyIntType::get(e.ctx));
    }
}

Val shapecast::unpack(TypedBuilder &e, const Slot &slot, ValueRange &operands) {
    auto take = [&] {
        Value front = operands.front();
        operands = operands.drop_front();
        return front;
    };
    Val v;
    switch (slot.kind) {
    case Slot::Kind::Unbound:
        break;
    case Slot::Kind::Never:
        return e.neverVal();
    case Slot::Kind::Static:
        v.kind = Val::Kind::Static;
        v.attr = slot.attr;
        break;
    case Slot::Kind::Tuple:
        v.kind = slot.valKind;
        v.serial = slot.serial;
        v.attr = slot.attr;
        v.list = slot.list;
        v.cell = slot.cell;
        v.made = slot.made;
        for (const Slot &item : slot.items)
            v.items.push_back(unpack(e, item, operands));
        if (!slot.element.empty()) {
            v.element = internSlot(e, slot.element[0]);
            if (v.isDynamicList())
                addCapacityFacts(e, v);
        }
        if (isHeap(v))
            v.element = e.heapSites->sites[v.serial].entry.get();
        if (slot.storesCell)
            storeCell(e, slot.cell, v);
        break;
    case Slot::Kind::Optional:
        v.kind = Val::Kind::Optional;
        v.attr = slot.attr;
        v.items = {unpack(e, slot.items[0], operands)};
        v.dim = e.bindSymbol("u", take());
        e.facts.addLower(v.dim.getName(), e.dimConst(0));
        e.facts.addUpper(v.dim.getName(), e.dimConst(1));
        break;
    case Slot::Kind::Union:
        v.kind = Val::Kind::Union;
        for (const Slot &item : slot.items) {
            v.items.push_back(unpack(e, item, operands));
            if (item.attr && v.items.back().isScalar() && !v.items.back().weakFlag)
                v.items.back() = e.constant(item.attr, item.type);
        }
        v.dim = e.bindSymbol("u", take());
        e.facts.addLower(v.dim.getName(), e.dimConst(0));
        e.facts.addUpper(v.dim.getName(), e.dimConst(slot.items.size() - 1));
        break;
    case Slot::Kind::Typed:
        Value value = take();
        if (auto array = dyn_cast<ArrayType>(slot.type)) {
            Dims dims;
            for (auto [isDynamic, dim] : llvm::zip(slot.dynamicDims, array.getDims())) {
                dims.push_back(isDynamic ? e.bindSymbol("p", take()) : dim);
                if (isDynamic)
                    e.facts.addSize(dims.back().getName());
            }
            value.setType(ArrayType::get(e.ctx, dims, array.getDtype(), array.getLayout(),
                                         array.getReadonly(), array.getDevice()));
        }
        v = e.typed(value);
        if (slot.maybeWeak != PyKind::Strong) {
            v.weakKind = slot.maybeWeak;
            v.weakFlag = e.bindSymbol("w", take());
            if (carriesWeakNumber(slot))
                v.items = {e.typed(take())};
            else if (slot.attr)
                v.items = {e.constant(slot.attr, pyType(e.ctx, slot.maybeWeak))};
        }
        return v;
    }
    return v;
}
