// Joins of values at branches and loops, and their packing into operands.
#include "ops/join.h"
#include "ops/grown.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// A function, an object, a dict, a slice: tuples of what they are made of, with a name.
static bool isNamed(const Val &v) {
    return v.kind == Val::Kind::Slice || v.kind == Val::Kind::Range ||
           v.kind == Val::Kind::Function || v.kind == Val::Kind::Object || v.isDict() ||
           v.isRecord();
}

static void allChanging(Slot &slot) {
    slot.changing.assign(slot.changing.size(), true);
    for (Slot &item : slot.items)
        allChanging(item);
}

static void keepCases(Slot &oneOf) {
    allChanging(oneOf);
    for (Slot &item : oneOf.items)
        item.known = true;
}

// Of a dict's items() it is forgotten whose they are.
static unsigned cellOf(const Val &v) { return v.isTuple() && !v.list ? 0 : v.cell; }

Slot shapecast::slotOf(const Val &v) {
    Slot slot;
    switch (v.kind) {
    case Val::Kind::Typed:
        slot.kind = Slot::Kind::Typed;
        slot.type = v.type();
        if (ArrayType array = v.array())
            slot.changing.assign(array.getRank(), false);
        slot.blend = v.pyFlag ? v.pyKind : PyKind::Strong;
        if (v.isScalar())
            slot.attr = !v.pyFlag ? v.attr : v.items.empty() ? Attribute() : v.items[0].attr;
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
    case Val::Kind::Maybe:
        slot.kind = Slot::Kind::Maybe;
        slot.attr = v.attr;
        slot.items = {slotOf(v.items[0])};
        allChanging(slot.items[0]);
        break;
    case Val::Kind::OneOf:
        slot.kind = Slot::Kind::OneOf;
        for (const Val &item : v.items)
            slot.items.push_back(slotOf(item));
        keepCases(slot);
        break;
    default:
        slot.kind = Slot::Kind::Tuple;
        slot.list = v.list;
        slot.made = v.kind;
        slot.serial = v.serial;
        slot.cell = cellOf(v);
        slot.attr = v.attr;
        for (const Val &item : v.items)
            slot.items.push_back(slotOf(item));
        if (v.isGrown()) {
            slot.element = {*v.element};
            llvm::for_each(slot.items, anyRoom);
        }
    }
    return slot;
}

const Slot *shapecast::lasting(TypedBuilder &e, const Slot &slot) {
    for (const auto &known : e.elements)
        if (*known == slot)
            return known.get();
    return e.elements.emplace_back(std::make_shared<Slot>(slot)).get();
}

static Slot maybe(Slot inner, Attribute otherwise) {
    allChanging(inner);
    Slot slot;
    slot.kind = Slot::Kind::Maybe;
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
    return v.isArray() ? (e.describe(v) + readonlyText(v.array())).str() : e.describe(v);
}

static std::string describeSlot(TypedBuilder &e, const Slot &slot) {
    if (slot.kind == Slot::Kind::OneOf)
        return "of several kinds";
    if (slot.kind == Slot::Kind::Static || slot.kind == Slot::Kind::Unbound) {
        Val v;
        v.kind = slot.attr ? Val::Kind::Static : Val::Kind::Unbound;
        v.attr = slot.attr;
        return e.describe(v);
    }
    if (slot.kind != Slot::Kind::Typed)
        return slot.kind != Slot::Kind::Tuple     ? "a variable that may be unassigned"
               : slot.made == Val::Kind::Tuple    ? sequenceText(slot.list, slot.items.size())
               : slot.made == Val::Kind::Grown    ? "a list that grows"
               : slot.made == Val::Kind::Dict     ? "a dict with other keys"
               : slot.made == Val::Kind::Record   ? "a value of another class"
               : slot.made == Val::Kind::Object   ? "a string made at run time"
               : slot.made == Val::Kind::Function ? "a function"
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
        bool same = slot.changing[i] || e.facts.equal(a, b) == Answer::Yes;
        slot.changing[i] = slot.changing[i] || !same;
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
// The Python number that a scalar is on some paths.
struct PythonPart {
    PyKind kind = PyKind::Strong; // none
    Attribute number;             // where it is a constant
};
} // namespace

// What a side with this type and blend brings to a join that is carried as `result`.
static PythonPart pythonPart(Type type, PyKind blend, Attribute number, Type result) {
    if (blend != PyKind::Strong)
        return {blend, number};
    const PyKind weak = operandType(type)->weak;
    return weak == PyKind::Strong || type == result ? PythonPart() : PythonPart{weak, number};
}

// The type that carries both: the wider Python number's (bool < int < float < complex), or the
// NumPy scalar's where the Python number is of its kind.
static Type carrier(Type a, Type b) {
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
    result.type = carrier(slot.type, v.type());
    if (!result.type || (slot.blend != PyKind::Strong && result.type != slot.type) ||
        (v.pyFlag && result.type != v.type()))
        return std::nullopt; // one of three kinds
    PythonPart mine = pythonPart(slot.type, slot.blend, slot.attr, result.type);
    const Slot other = slotOf(v);
    PythonPart theirs = pythonPart(v.type(), other.blend, other.attr, result.type);
    if (mine.kind == PyKind::Strong)
        std::swap(mine, theirs);
    if (theirs.kind != PyKind::Strong && theirs.kind != mine.kind)
        return std::nullopt;
    result.blend = mine.kind;
    if (mine.kind == PyKind::Strong)
        result.attr = slot.attr == other.attr ? slot.attr : Attribute();
    else if (theirs.kind != PyKind::Strong && theirs.number != mine.number)
        result.attr = {};
    else
        result.attr = mine.number;
    if (result.blend != PyKind::Strong && isNaturalBlend(result.type, result.blend))
        result.attr = {};
    return result;
}

static bool isNone(Attribute attr, bool isStatic) {
    auto py = dyn_cast_or_null<PyAttr>(attr);
    return isStatic && py && py.getKind() == "none";
}

//===-- One of several kinds

static ArrayRef<Val> casesOf(const Val &v) {
    return v.isOneOf() ? ArrayRef<Val>(v.items) : ArrayRef(v);
}

// What does not change, and is no container: which of them it is can be told by a number.
static bool mayBeOneOf(const Slot &slot) {
    switch (slot.kind) {
    case Slot::Kind::Typed:
        return !isa<ObjectType>(slot.type) && !deviceOf(slot.type);
    case Slot::Kind::Static:
    case Slot::Kind::OneOf:
        return true;
    case Slot::Kind::Tuple:
        return llvm::is_contained(
                   {Val::Kind::Tuple, Val::Kind::Slice, Val::Kind::Range, Val::Kind::Function},
                   slot.made) &&
               !slot.list && !slot.cell && llvm::all_of(slot.items, [](const Slot &item) {
                   return mayBeOneOf(item.kind == Slot::Kind::Maybe ? item.items[0] : item);
               });
    default:
        return false;
    }
}

// The first of the slots that can hold `v` without being one of several, and what it is then.
static std::optional<std::pair<size_t, Slot>> placeOf(TypedBuilder &e, ArrayRef<Slot> cases,
                                                      const Val &v) {
    llvm::SaveAndRestore differ(e.mayDiffer, false), grow(e.mayGrow, false);
    for (auto [i, slot] : llvm::enumerate(cases)) {
        try {
            return std::pair(i, join(e, slot, v, ""));
        } catch (const InferError &error) {
            if (!error.conflict)
                throw;
        }
    }
    return std::nullopt;
}

static constexpr size_t mostCases = 6;

static std::optional<Slot> joinCases(TypedBuilder &e, const Slot &slot, const Val &v) {
    if (!mayBeOneOf(slot) || !mayBeOneOf(slotOf(v)))
        return std::nullopt;
    Slot result = slot;
    if (slot.kind != Slot::Kind::OneOf) {
        result = Slot();
        result.kind = Slot::Kind::OneOf;
        result.items = {slot};
    }
    for (const Val &one : casesOf(v))
        if (auto place = placeOf(e, result.items, one))
            result.items[place->first] = place->second;
        else
            result.items.push_back(slotOf(one));
    keepCases(result);
    return result.items.size() <= mostCases ? std::optional(result) : std::nullopt;
}

// Its number, and each of the cases that it is not as what stands for "unassigned".
static void packCases(TypedBuilder &e, const Slot &slot, const Val &v,
                      SmallVectorImpl<Value> &operands) {
    SmallVector<Val> parts(slot.items.size(), e.neverVal());
    SmallVector<size_t> places;
    for (const Val &one : v.kind == Val::Kind::Never ? ArrayRef<Val>() : casesOf(v)) {
        auto place = placeOf(e, slot.items, one);
        if (!place || parts[place->first].kind != Val::Kind::Never)
            e.conflict("a variable is of several kinds, of which two become one here");
        parts[place->first] = one;
        places.push_back(place->first);
    }
    Val number = e.intVal(places.empty() ? 0 : places[0]);
    if (v.isOneOf() && llvm::equal(places, llvm::seq<size_t>(0, places.size())))
        number = e.sizeVal(v.dim); // in the same order
    else
        for (size_t i = 1; i < places.size(); ++i)
            number = e.branch(e.compare("eq", e.sizeVal(v.dim), e.intVal(i)),
                              [&](bool is) { return is ? e.intVal(places[i]) : number; });
    for (auto [item, part] : llvm::zip_equal(slot.items, parts))
        pack(e, item, part, operands);
    operands.push_back(number.value);
}

static Slot joinAlike(TypedBuilder &e, const Slot &slot, const Val &v, StringRef variable);

Slot shapecast::join(TypedBuilder &e, const Slot &slot, const Val &v, StringRef variable) {
    try {
        return joinAlike(e, slot, v, variable);
    } catch (const InferError &error) {
        std::optional<Slot> several;
        if (error.conflict && e.mayDiffer)
            several = joinCases(e, slot, v);
        if (!several)
            throw;
        return *several;
    }
}

static Slot joinAlike(TypedBuilder &e, const Slot &slot, const Val &v, StringRef variable) {
    auto conflict = [&]() {
        if (slot.kind == Slot::Kind::Tuple && slot.list && v.isTuple() && v.list)
            e.conflict("a list of " + Twine(slot.items.size()) + " items on one path and of " +
                       Twine(v.items.size()) +
                       " on the other is not supported (it grows in a loop, say); store to the "
                       "items of an array");
        std::string name = variable.empty() ? "a variable" : ("'" + variable + "'").str();
        e.conflict(name + " is " + describeSlot(e, slot) + " on one path and " +
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
    bool mineMaybe = slot.kind == Slot::Kind::Maybe, theirsMaybe = v.kind == Val::Kind::Maybe;
    if (mineMaybe || theirsMaybe || mineAbsent != theirsAbsent) {
        Attribute mine = mineMaybe || mineAbsent ? slot.attr : v.attr;
        Attribute theirs = theirsMaybe || theirsAbsent ? v.attr : mine;
        if (mine && !theirs) // None on one path, and no value at all on another
            return maybe(theirsAbsent ? slot : join(e, slot, v.items[0], variable), {});
        if (!mine && theirs)
            return maybe(mineAbsent ? slotOf(v) : join(e, slot.items[0], v, variable), {});
        if (mineAbsent)
            return maybe(slotOf(theirsMaybe ? v.items[0] : v), mine);
        const Slot &inner = mineMaybe ? slot.items[0] : slot;
        return maybe(theirsAbsent ? inner : join(e, inner, theirsMaybe ? v.items[0] : v, variable),
                     mine);
    }
    if (slot.kind == Slot::Kind::Unbound)
        return slot;
    if (slot.kind == Slot::Kind::OneOf || v.isOneOf()) {
        std::optional<Slot> several = joinCases(e, slot, v);
        if (!several)
            conflict();
        return *several;
    }
    if (slot.kind == Slot::Kind::Static) {
        if (v.kind != Val::Kind::Static || v.attr != slot.attr)
            conflict();
        return slot;
    }
    if (slot.kind == Slot::Kind::Tuple) {
        if (joinsAsGrown(e, slot, v))
            return joinGrown(e, slot, v);
        if (!(v.isTuple() || isNamed(v)) || v.items.size() != slot.items.size() ||
            v.list != slot.list || slot.made != v.kind || slot.attr != v.attr)
            conflict();
        Slot result = slot;
        if (slot.cell != cellOf(v)) {
            result.cell = unknownCell;
            copyCells(e, {slot.cell, v.cell});
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

// The Python number of a blend is carried beside it, unless it is known or `value` tells it.
static bool carriesPython(const Slot &slot) {
    return slot.blend != PyKind::Strong && !slot.attr && !isNaturalBlend(slot.type, slot.blend);
}

// A value of the slot's type that stands for "unassigned": zero, or an empty array.
static Val placeholder(TypedBuilder &e, const Slot &slot) {
    if (slot.kind == Slot::Kind::Maybe || slot.kind == Slot::Kind::OneOf)
        return e.neverVal(); // none of its kinds
    if (slot.kind != Slot::Kind::Typed) {
        Val v;
        v.kind = slot.kind == Slot::Kind::Static ? Val::Kind::Static : slot.made;
        v.attr = slot.attr;
        v.list = slot.list;
        if (!slot.element.empty())
            v.element = lasting(e, slot.element[0]);
        v.items.assign(slot.items.size(), e.neverVal());
        return v;
    }
    if (auto array = dyn_cast<ArrayType>(slot.type)) {
        Dims dims;
        for (auto [dim, changing] : llvm::zip_equal(array.getDims(), slot.changing))
            dims.push_back(changing ? e.dimConst(0) : dim);
        Layout layout = array.getLayout() == Layout::F ? Layout::F : Layout::C;
        auto type = ArrayType::get(e.ctx, dims, array.getDtype(), layout, false, array.getDevice());
        return e.typed(UnboundOp::create(e.b, e.loc, type, "array")); // no memory is needed
    }
    if (isa<ObjectType>(slot.type)) // nobody looks at it
        return e.typed(UnboundOp::create(e.b, e.loc, slot.type, "object"));
    OperandType operand = *operandType(slot.type);
    if (operand.weak == PyKind::Strong)
        return e.typed(e.castValue(e.intVal(0).value, operand.dtype));
    return e.toPy(operand.weak == PyKind::Bool ? e.boolVal(false) : e.intVal(0), operand.weak);
}

void shapecast::pack(TypedBuilder &e, const Slot &slot, const Val &v,
                     SmallVectorImpl<Value> &operands) {
    if (slot.kind == Slot::Kind::Never)
        return;
    if (slot.kind == Slot::Kind::OneOf)
        return packCases(e, slot, v, operands);
    if (v.kind == Val::Kind::Never && slot.kind != Slot::Kind::Maybe)
        return pack(e, slot, placeholder(e, slot), operands);
    if (slot.kind == Slot::Kind::Maybe) {
        const bool unbound = v.kind == Val::Kind::Never ||
                             (slot.attr ? v.isNone() : v.kind == Val::Kind::Unbound),
                   known = v.kind != Val::Kind::Maybe || v.attr != slot.attr;
        pack(e, slot.items[0],
             unbound ? placeholder(e, slot.items[0])
             : known ? v
                     : v.items[0],
             operands);
        operands.push_back(known ? e.intVal(!unbound).value : e.sizeVal(v.dim).value);
        return;
    }
    if (slot.kind == Slot::Kind::Tuple) {
        const bool grows = slot.made == Val::Kind::Grown;
        for (auto [mine, theirs] :
             llvm::zip_equal(slot.items, grows ? grownAs(e, slot.element[0], v).items : v.items))
            pack(e, mine, theirs, operands);
        return;
    }
    if (slot.kind != Slot::Kind::Typed)
        return;
    if (ArrayType array = v.array()) {
        Value value = v.value;
        // The same object under a wider layout and other names of its sizes.
        auto wanted = cast<ArrayType>(slot.type);
        Dims dims = llvm::to_vector<4>(wanted.getDims());
        for (auto [i, changing] : llvm::enumerate(slot.changing))
            if (changing)
                dims[i] = array.getDims()[i];
        wanted = ArrayType::get(e.ctx, dims, wanted.getDtype(), wanted.getLayout(),
                                wanted.getReadonly(), wanted.getDevice());
        if (array != wanted)
            value = CastOp::create(e.b, e.loc, wanted, value);
        operands.push_back(value);
        for (auto [changing, dim] : llvm::zip(slot.changing, array.getDims()))
            if (changing)
                operands.push_back(e.sizeVal(dim).value);
        return;
    }
    if (isa<ObjectType>(slot.type))
        return operands.push_back(v.value);
    OperandType want = *operandType(slot.type);
    Value value = v.value;
    if (value.getType() != slot.type)
        value = want.weak == PyKind::Strong ? e.castValue(value, want.dtype)
                                            : e.toPy(v, want.weak).value;
    operands.push_back(value);
    if (slot.blend == PyKind::Strong)
        return;
    const bool python = operandType(v.type())->weak == slot.blend;
    operands.push_back(v.pyFlag ? e.sizeVal(v.pyFlag).value : e.intVal(python).value);
    if (carriesPython(slot))
        operands.push_back(v.pyFlag ? e.pythonSide(v).value
                           : python ? v.value
                                    : e.toPy(e.intVal(0), slot.blend).value);
}

void shapecast::packedTypes(TypedBuilder &e, ArrayRef<Slot> slots, SmallVectorImpl<Type> &types) {
    for (const Slot &slot : slots) {
        const bool numbered = slot.kind == Slot::Kind::Maybe || slot.kind == Slot::Kind::OneOf;
        if (slot.kind == Slot::Kind::Tuple || numbered)
            packedTypes(e, slot.items, types);
        if (slot.kind == Slot::Kind::Typed) {
            types.push_back(slot.type);
            types.append(llvm::count(slot.changing, true) + (slot.blend != PyKind::Strong),
                         PyIntType::get(e.ctx));
            if (carriesPython(slot))
                types.push_back(pyType(e.ctx, slot.blend));
        }
        if (numbered)
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
        v.kind = slot.made;
        v.serial = slot.serial;
        v.attr = slot.attr;
        v.list = slot.list;
        v.cell = slot.cell;
        for (const Slot &item : slot.items)
            v.items.push_back(unpack(e, item, operands));
        if (!slot.element.empty()) {
            v.element = lasting(e, slot.element[0]);
            learnRoom(e, v);
        }
        if (slot.fillsCell)
            e.setContents(slot.cell, v);
        break;
    case Slot::Kind::Maybe:
        v.kind = Val::Kind::Maybe;
        v.attr = slot.attr;
        v.items = {unpack(e, slot.items[0], operands)};
        v.dim = e.bindSymbol("u", take());
        e.facts.addLower(v.dim.getName(), e.dimConst(0));
        e.facts.addUpper(v.dim.getName(), e.dimConst(1));
        break;
    case Slot::Kind::OneOf:
        v.kind = Val::Kind::OneOf;
        for (const Slot &item : slot.items) {
            v.items.push_back(unpack(e, item, operands));
            if (item.attr && v.items.back().isScalar() && !v.items.back().pyFlag)
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
            for (auto [changing, dim] : llvm::zip(slot.changing, array.getDims())) {
                dims.push_back(changing ? e.bindSymbol("p", take()) : dim);
                if (changing)
                    e.facts.addSize(dims.back().getName());
            }
            value.setType(ArrayType::get(e.ctx, dims, array.getDtype(), array.getLayout(),
                                         array.getReadonly(), array.getDevice()));
        }
        v = e.typed(value);
        if (slot.blend != PyKind::Strong) {
            v.pyKind = slot.blend;
            v.pyFlag = e.bindSymbol("w", take());
            if (carriesPython(slot))
                v.items = {e.typed(take())};
            else if (slot.attr)
                v.items = {e.constant(slot.attr, pyType(e.ctx, slot.blend))};
        }
        return v;
    }
    return v;
}
