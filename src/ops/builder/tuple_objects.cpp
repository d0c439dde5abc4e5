#include "ops/builder/tuple_objects.h"

#include "ops/builder/dynamic_list.h"
#include "ops/builder/heap.h"
#include "ops/builder/operators.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

constexpr unsigned firstPlace = 1u << 26; // not those of calls, arguments or constants

bool shapecast::isPlainTuple(const Val &v) {
    return (v.isTuple() && !v.list && !v.attr) || (v.isDynamicList() && !v.list);
}

static bool isPlainTuple(const Slot &slot) {
    return slot.kind == Slot::Kind::Tuple && !slot.list && !slot.attr &&
           (slot.valKind == Val::Kind::Tuple || slot.valKind == Val::Kind::DynamicList);
}

static bool isForm(const TypedBuilder &e, Attribute form) {
    auto text = dyn_cast_or_null<StringAttr>(form);
    return text && e.heapSites && !e.heapSites->tupleForm.empty() &&
           text.getValue() == e.heapSites->tupleForm;
}

bool shapecast::isTupleObject(const TypedBuilder &e, const Val &v) {
    return v.kind == Val::Kind::Heap && isForm(e, v.attr);
}

bool shapecast::isTupleRecord(const TypedBuilder &e, const Val &v) {
    return v.isRecord() && e.heapSites && !e.heapSites->tupleForm.empty() &&
           formOf(v) == e.heapSites->tupleForm;
}

bool shapecast::isTupleObject(const TypedBuilder &e, const Slot &slot) {
    return slot.valKind == Val::Kind::Heap && isForm(e, slot.attr);
}

static HeapSites::Site &siteAt(TypedBuilder &e, unsigned place, StringRef form) {
    const Location at = HeapSites::placed(UnknownLoc::get(e.ctx), firstPlace + place);
    HeapSites::Site &site = e.heapSites->sites[e.heapSites->make(at, form)];
    site.isUsed = true;
    return site;
}

static HeapSites::Site &siteOfTuples(TypedBuilder &e) {
    const std::string form = e.heapSites->tupleForm;
    return siteAt(e, 0, form);
}

Val shapecast::tupleObject(TypedBuilder &e, const Val &tuple) {
    const Val items = newHeap(e, siteAt(e, 1, "list"));
    if (tuple.isDynamicList())
        forEachIndex(e, listLength(tuple), [&](DimAttr at) {
            heapMethod(e, items, "append", dynamicListItem(e, tuple, at));
        });
    else
        for (const Val &item : tuple.items)
            heapMethod(e, items, "append", item);
    return heapObject(e, siteOfTuples(e), {{"_items", items}});
}

static Slot slotOfTuples(TypedBuilder &e) {
    const auto number = unsigned(&siteOfTuples(e) - e.heapSites->sites.data());
    // Code that reads the items may come before any tuple is made.
    if (!llvm::is_contained(e.heapSites->sites[number].attributes, "_items"))
        widenAttribute(e, number, "_items", newHeap(e, siteAt(e, 1, "list")));
    return heapSlot(e, e.heapSites->root(number));
}

// Of one that some other place in the source makes: what plain tuples become is of its site, too.
static Slot slotOfTuples(TypedBuilder &e, unsigned serial) {
    uniteHeaps(e, serial, slotOfTuples(e).serial);
    return slotOfTuples(e);
}

std::optional<Slot> shapecast::joinTupleObject(TypedBuilder &e, const Slot &slot, const Val &v) {
    if (isTupleObject(e, slot) && isPlainTuple(v))
        return slotOfTuples(e, slot.serial);
    if (isTupleObject(e, v) && ::isPlainTuple(slot))
        return slotOfTuples(e, v.serial);
    return std::nullopt;
}

Val shapecast::tupleObjectAs(TypedBuilder &e, const Slot &slot, const Val &tuple) {
    slotOfTuples(e, slot.serial);
    return tupleObject(e, tuple);
}

bool shapecast::useTupleObjects(TypedBuilder &e, Slot &slot) {
    if (::isPlainTuple(slot)) {
        e.heapSites->wantsTuples = true;
        if (e.heapSites->tupleForm.empty())
            return false;
        slot = slotOfTuples(e);
        return true;
    }
    if (isTupleObject(e, slot))
        slot = slotOfTuples(e, slot.serial);
    bool isChanged = false;
    if (slot.kind != Slot::Kind::Union && slot.kind != Slot::Kind::Optional)
        return false;
    for (Slot &item : slot.items)
        isChanged |= useTupleObjects(e, item);
    if (slot.kind != Slot::Kind::Union || !isChanged)
        return isChanged;
    std::vector<Slot> members; // the object once
    for (const Slot &item : slot.items)
        if (!isTupleObject(e, item) ||
            llvm::none_of(members, [&](const Slot &one) { return isTupleObject(e, one); }))
            members.push_back(item);
    slot = members.size() == 1 ? Slot(members[0]) : (slot.items = members, slot);
    return true;
}

Val shapecast::mergeTuples(TypedBuilder &e, const Val &several) {
    SmallVector<size_t> tuples, others;
    for (auto [i, member] : llvm::enumerate(several.items))
        (isPlainTuple(member) || isTupleObject(e, member) ? tuples : others).push_back(i);
    auto is = [&](size_t i) {
        return compare(e, "eq", e.sizeVal(several.dim), e.intVal(int64_t(i)));
    };
    auto objectOf = [&](size_t i) {
        const Val &member = several.items[i];
        return isPlainTuple(member) ? tupleObject(e, member) : member;
    };
    // Of members that it is not nothing is read.
    auto pick = [&](auto &self, size_t k) -> Val {
        if (k == tuples.size())
            return e.neverVal();
        if (k + 1 == tuples.size() && others.empty())
            return objectOf(tuples[k]);
        return e.branch(is(tuples[k]), [&](bool holds) {
            return holds ? objectOf(tuples[k]) : self(self, k + 1);
        });
    };
    const Val object = pick(pick, 0);
    if (others.empty())
        return object;
    Val merged = several, which = e.intVal(0);
    merged.items = {object};
    for (size_t i : others) {
        merged.items.push_back(several.items[i]);
        const auto number = int64_t(merged.items.size()) - 1;
        which = e.branch(is(i), [&](bool holds) { return holds ? e.intVal(number) : which; });
    }
    merged.dim = which.dim;
    return merged;
}

// How deep tuples stand in tuples, counting those that are one of several kinds.
static unsigned nesting(const Slot &slot) {
    const bool isOpen = slot.kind == Slot::Kind::Union || slot.kind == Slot::Kind::Optional;
    if (!isOpen && !::isPlainTuple(slot))
        return 0;
    unsigned deepest = 0;
    for (const Slot &item : slot.items) {
        const bool counts =
            isOpen || item.kind == Slot::Kind::Union || item.kind == Slot::Kind::Optional;
        deepest = std::max(deepest, counts ? nesting(item) : 0);
    }
    return deepest + !isOpen;
}

void shapecast::limitTuples(TypedBuilder &e, Slot &members, bool isTooLarge) {
    constexpr unsigned deepest = 2;
    const bool holdsObject =
        llvm::any_of(members.items, [&](const Slot &one) { return isTupleObject(e, one); });
    if (e.heapSites && (isTooLarge || holdsObject || nesting(members) > deepest))
        useTupleObjects(e, members);
}
