#include "ops/builder/heap_sites.h"

#include "ir/in_memory.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/record_class.h"
#include "ops/builder/text_slots.h"
#include "runtime/containers.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

//===-- Sites

unsigned HeapSites::root(unsigned site) const {
    while (sites[site].sameAs != site)
        site = sites[site].sameAs;
    return site;
}

Location HeapSites::placed(Location at, unsigned place) {
    if (place == 0)
        return at;
    Builder builder(at.getContext());
    return FusedLoc::get(at.getContext(), {at}, builder.getI64IntegerAttr(place));
}

void HeapSites::refreshEntries() {
    for (Site &site : sites) {
        const Site &kept = sites[root(site.sameAs)];
        Slot now = heapPairSlot(kept.key, kept.value);
        if (*site.entry == now)
            continue;
        std::swap(*site.entry, now);
        outdated.push_back(std::move(now));
    }
}

// Without the calls around it.
static Location withoutCalls(Location at) {
    if (auto fused = dyn_cast<FusedLocWith<IntegerAttr>>(at))
        return HeapSites::placed(withoutCalls(fused.getLocations()[0]),
                                 unsigned(fused.getMetadata().getInt()));
    auto call = dyn_cast<CallSiteLoc>(at);
    return call ? withoutCalls(call.getCallee()) : at;
}

static Attribute placeOf(Location at, StringRef form) {
    Builder builder(at.getContext());
    return builder.getArrayAttr({LocationAttr(withoutCalls(at)), builder.getStringAttr(form)});
}

void HeapSites::notePlaces() {
    for (const Site &site : sites)
        if (sites[root(unsigned(&site - sites.data()))].isUsed)
            places.insert(placeOf(site.at, site.form));
}

const HeapSites::Site *HeapSites::find(Location at, StringRef form) {
    auto found =
        llvm::find_if(sites, [&](const Site &site) { return site.at == at && site.form == form; });
    Site *known = found == sites.end() ? nullptr : &sites[root(unsigned(found - sites.begin()))];
    if (known && known->isUsed)
        return known;
    if (!generalises || !places.contains(placeOf(at, form)))
        return nullptr;
    known = &sites[make(at, form)];
    known->isUsed = true;
    return known;
}

static Slot neverSlot() {
    Slot slot;
    slot.kind = Slot::Kind::Never;
    return slot;
}

unsigned HeapSites::make(Location at, StringRef form) {
    for (const Site &site : sites)
        if (site.at == at && site.form == form)
            return root(unsigned(&site - sites.data()));
    const bool isObject = form.starts_with("object ");
    Slot key = form == "list" || isObject ? Slot() : neverSlot(),
         value = form == "set" ? Slot() : neverSlot();
    if (isObject)
        value.kind = Slot::Kind::Tuple;
    if (isObject) {
        Slot whichAreSet;
        whichAreSet.kind = Slot::Kind::Typed;
        whichAreSet.type = PyIntType::get(at.getContext());
        value.items = {whichAreSet};
    }
    sites.push_back({at, form.str(), key, value, unsigned(sites.size())});
    if (isObject)
        sites.back().attributes = {""};
    refreshEntries();
    return unsigned(sites.size() - 1);
}

std::string shapecast::formOf(const Val &container) {
    if (container.kind == Val::Kind::Heap || container.kind == Val::Kind::Iterator)
        return cast<StringAttr>(container.attr).str();
    if (container.isRecord()) {
        const SmallVector<StringRef> words = container.recordWords();
        return ("object " + words[0] + " " + words[1]).str();
    }
    return container.isDict() ? "dict" : "list";
}

bool shapecast::isHeap(const Val &v, StringRef form) {
    return v.kind == Val::Kind::Heap &&
           (form.empty() || cast<StringAttr>(v.attr).getValue() == form);
}

bool shapecast::isObjectForm(Attribute form) {
    auto text = dyn_cast_or_null<StringAttr>(form);
    return text && text.getValue().starts_with("object ");
}

bool shapecast::holdsInstances(const Slot &key) {
    return isObjectForm(key.attr) || llvm::any_of(key.items, holdsInstances);
}

bool shapecast::isHeapObject(const Val &v) { return isHeap(v) && isObjectForm(v.attr); }

static bool isMutableRecord(const Val &v) {
    return v.isRecord() &&
           llvm::is_contained({"class instance", "dataclass"}, cast<PyAttr>(v.attr).getKind());
}

// The attributes that the record has are those of its site's instances, too.
static void noteAttributes(HeapSites::Site &site, const Val &record) {
    const SmallVector<StringRef> words = record.recordWords();
    for (auto [name, item] : llvm::zip(ArrayRef(words).drop_front(2), record.items.read())) {
        if (llvm::is_contained(site.attributes, name))
            continue;
        const bool isPlain = item.isNone() || (item.isScalar() && !item.weakFlag);
        site.attributes.push_back(name.str());
        site.value.items.push_back(isPlain ? slotOf(item) : neverSlot());
        site.value.items.back().attr = item.isNone() ? item.attr : Attribute();
    }
}

// The site of a list or dict of the function's; none where that is not known, and of the caller's.
std::optional<unsigned> shapecast::siteNumber(TypedBuilder &e, const Val &container) {
    if (!e.heapSites || !container.made || (container.isRecord() && !isMutableRecord(container)))
        return std::nullopt;
    const unsigned site = e.heapSites->make(Location(container.made), formOf(container));
    if (container.isRecord()) {
        noteAttributes(e.heapSites->sites[site], container);
        e.heapSites->refreshEntries();
    }
    return site;
}

void shapecast::wishHeap(TypedBuilder &e, const Val &container) {
    if (std::optional<unsigned> site = siteNumber(e, container))
        e.heapWishes.push_back(*site);
}

void shapecast::wishIterators(TypedBuilder &e, const Val &v) {
    if (v.kind == Val::Kind::Iterator)
        wishHeap(e, v);
    for (const Val &item : v.items.read())
        wishIterators(e, item);
}

static bool holdsContainer(const Val &v) {
    return isHeap(v) || isHeapText(v) ||
           (isContainer(v) && (!v.isRecord() || isMutableRecord(v))) ||
           (v.isTuple() && llvm::any_of(v.items.read(), holdsContainer));
}

// Whether a list of such items may have to be in memory: arrays of different sizes, or that are
// changed, strings and other constants, where they are not one, and values of several kinds.
static bool mayNeedHeap(const Val &v) {
    return v.isArray() || v.isText() || v.isWideInt() || v.isStatic("enum") || v.isUnion() ||
           holdsContainer(v) ||
           ((v.isTuple() || v.kind == Val::Kind::Optional) &&
            llvm::any_of(v.items.read(), mayNeedHeap));
}

static bool mayNeedHeap(const Slot &slot) {
    if (slot.kind == Slot::Kind::Optional)
        return mayNeedHeap(slot.items[0]);
    return isTextSlot(slot) || slot.kind == Slot::Kind::Union ||
           (slot.kind == Slot::Kind::Typed && isa<ArrayType, PyWideIntType>(slot.type)) ||
           (slot.kind == Slot::Kind::Tuple &&
            (slot.list || slot.valKind == Val::Kind::Heap || slot.valKind == Val::Kind::Dict ||
             slot.valKind == Val::Kind::Record ||
             llvm::any_of(slot.items, [](const Slot &item) { return mayNeedHeap(item); })));
}

void shapecast::wishForItem(TypedBuilder &e, const Val *list, Location made, const Val &item) {
    if (!e.heapSites || !mayNeedHeap(item))
        return;
    std::optional<unsigned> site = list ? siteNumber(e, *list) : e.heapSites->make(made, "list");
    if (!site)
        return;
    e.heapSites->sites[*site].hasObjects |= isMutableRecord(item);
    e.heapWishes.push_back(*site);
    if (holdsContainer(item))
        e.sitesOfCopies.push_back(*site);
}

void shapecast::wishForItems(TypedBuilder &e, const Val &list) {
    const bool mayNeed =
        list.isDynamicList()
            ? mayNeedHeap(*list.element)
            : llvm::any_of(list.items.read(), [](const Val &item) { return mayNeedHeap(item); });
    if (mayNeed)
        wishHeap(e, list);
}

// And so are the containers that it holds.
static void useHeap(TypedBuilder &e, const Val &v) {
    if (isContainer(v))
        if (std::optional<unsigned> site = siteNumber(e, v))
            e.heapSites->sites[*site].isUsed = true;
    if (!v.isRecord() || isMutableRecord(v))
        for (const Val &item : v.items.read())
            useHeap(e, item);
}

// Throws HeapRequest where it can be in memory.
static void requestHeap(TypedBuilder &e, const Val &container) {
    if (siteNumber(e, container)) {
        useHeap(e, container);
        throw HeapRequest{};
    }
}

Val shapecast::containerOf(const Slot &slot) {
    Val v;
    v.kind = slot.valKind;
    v.list = slot.list;
    v.made = slot.made;
    if (v.isRecord() || v.kind == Val::Kind::Iterator)
        v.attr = slot.attr;
    return v;
}

void shapecast::wishForJoin(TypedBuilder &e, const Slot &slot, const Val &v) {
    auto mayNeed = [](const auto &item) { return mayNeedHeap(item); };
    if (!llvm::any_of(slot.items, mayNeed) && !llvm::any_of(v.items.read(), mayNeed))
        return;
    for (const Val &list : {containerOf(slot), v})
        wishHeap(e, list);
}

void shapecast::noteOneOfSeveral(TypedBuilder &e, const Slot &slot, const Val &v) {
    for (const Val &container : {containerOf(slot), v})
        if (isContainer(container))
            if (std::optional<unsigned> site = siteNumber(e, container)) {
                e.sitesOfCopies.push_back(*site);
                e.heapWishes.push_back(*site);
            }
}

LocationAttr shapecast::uniteSites(TypedBuilder &e, const Slot &slot, const Val &v) {
    if (slot.made == v.made)
        return slot.made;
    const std::optional<unsigned> mine = siteNumber(e, containerOf(slot)),
                                  theirs = siteNumber(e, v);
    if (!mine || !theirs)
        return {};
    HeapSites &heap = *e.heapSites;
    const unsigned first = std::min(heap.root(*mine), heap.root(*theirs)),
                   second = std::max(heap.root(*mine), heap.root(*theirs));
    if (heap.sites[first].isUsed || heap.sites[second].isUsed)
        return {};
    heap.sites[second].sameAs = first;
    return slot.made;
}

void shapecast::wishForMembers(TypedBuilder &e, const Slot &slot) {
    if (const Val container = containerOf(slot);
        slot.kind == Slot::Kind::Tuple &&
        (isContainer(container) || container.kind == Val::Kind::Iterator))
        wishHeap(e, container);
    if (slot.kind == Slot::Kind::Union || slot.valKind == Val::Kind::Tuple)
        for (const Slot &item : slot.items)
            wishForMembers(e, item);
}

void shapecast::requestListsOfObjects(TypedBuilder &e, ArrayRef<unsigned> wishes) {
    for (unsigned number : wishes) {
        HeapSites::Site &site = e.heapSites->sites[e.heapSites->root(number)];
        if (site.hasObjects && !std::exchange(site.isUsed, true))
            throw HeapRequest{};
    }
}

void shapecast::requestWishes(TypedBuilder &e, ArrayRef<unsigned> wishes) {
    bool isNew = false;
    for (unsigned number : wishes)
        isNew |= !std::exchange(e.heapSites->sites[e.heapSites->root(number)].isUsed, true);
    if (isNew)
        throw HeapRequest{};
}

static bool holdsContainer(const Slot &slot) {
    return slot.kind == Slot::Kind::Tuple &&
           (slot.list || slot.valKind == Val::Kind::Dict || slot.valKind == Val::Kind::Record ||
            slot.valKind == Val::Kind::Text ||
            llvm::any_of(slot.items, [](const Slot &item) { return holdsContainer(item); }));
}

void shapecast::requestHeapForItems(TypedBuilder &e, const Val &list) {
    if (list.isDynamicList() && holdsContainer(*list.element))
        requestHeap(e, list);
}

void shapecast::requestHeapForItem(TypedBuilder &e, const Val &list, const Val &item) {
    if (holdsContainer(item))
        requestHeap(e, list);
}

//===-- The Slots of keys and values

bool shapecast::isValueRecord(const Slot &slot) {
    Val v;
    v.kind = slot.valKind;
    v.attr = slot.attr;
    return slot.kind == Slot::Kind::Tuple && isValueRecord(v);
}

// Its sizes are constants, or in each entry: a symbol may not be bound where that is read.
static Slot storedArray(TypedBuilder &e, Slot slot) {
    const auto array = cast<ArrayType>(slot.type);
    Dims dims = llvm::to_vector<4>(array.getDims());
    for (auto [dim, isDynamic] : llvm::zip_equal(dims, slot.dynamicDims))
        if (isDynamic || !dim.isConst()) {
            isDynamic = true;
            dim = dimSymbol(e.ctx, "size");
        }
    const Layout layout = isHeldByAddress(array) ? Layout::Inner : array.getLayout();
    slot.type = ArrayType::get(e.ctx, dims, array.getDtype(), layout, array.getReadonly(), {});
    return slot;
}

// Numbers and tuples of them, and, in values, arrays and containers in memory.
// Of the kinds of a key no two have members that are equal: 1 and 1.0, or two strings.
static bool areTellingKinds(const Slot &slot) {
    auto isNumber = [](const Slot &member) { return member.kind == Slot::Kind::Typed; };
    return llvm::count_if(slot.items, isNumber) <= 1 && llvm::count_if(slot.items, isTextSlot) <= 1;
}

static Slot storedSlot(TypedBuilder &e, Slot slot, StringRef what) {
    auto refuse = [&](const Twine &kind) {
        e.unsupported(kind + " as " + (what == "key" ? "a " : "an ") + what +
                      " of a container whose length is known only at run time is not supported");
    };
    if (slot.valKind == Val::Kind::Heap || slot.valKind == Val::Kind::Text)
        return slot;
    if (isTextSlot(slot) && slot.kind != Slot::Kind::Static)
        return textSlot(e);
    if (slot.valKind == Val::Kind::Iterator)
        wishIterators(e, containerOf(slot));
    for (Slot &item : slot.items)
        item = storedSlot(e, item, what);
    switch (slot.kind) {
    case Slot::Kind::Union:
        if (what == "key" && !areTellingKinds(slot))
            refuse("a value of several kinds");
        break;
    case Slot::Kind::Tuple:
        if (what != "key" && slot.valKind == Val::Kind::Function)
            break; // its symbol is a constant
        if (slot.valKind == Val::Kind::DynamicList && !slot.list)
            requestTuplesInMemory(e);
        if (what != "key" && slot.valKind == Val::Kind::Range)
            break;
        if ((slot.valKind != Val::Kind::Tuple && !isValueRecord(slot)) || slot.list)
            refuse("an object or iterator");
        slot.cell = 0; // of a frozen dataclass: what is loaded is not the instance that was stored
        break;
    case Slot::Kind::Typed:
        if (isa<ArrayType>(slot.type) && what != "key" && !cast<ArrayType>(slot.type).getDevice())
            return storedArray(e, slot);
        if (!isScalar(slot.type))
            refuse("an array or object");
        if (isComplex(operandType(slot.type)->dtype) &&
            (what == "key" || slot.maybeWeak != PyKind::Strong))
            refuse("a complex number");
        if (slot.maybeWeak == PyKind::Strong)
            slot.attr = {};
        break;
    default:
        break;
    }
    return slot;
}

// What it holds becomes containers in memory, too.
static void requestItems(TypedBuilder &e, const Val &v) {
    if (isContainer(v) && (!v.isRecord() || isMutableRecord(v))) {
        requestHeap(e, v);
        e.wishesHeapArgument = true; // of the body of a `try`
        e.unsupported("a " + v.describe() +
                      " from outside, or one of several, in a container of a length known only at "
                      "run time is not supported; make a new one");
    }
    if (v.isTuple() || v.kind == Val::Kind::Optional || v.isUnion() ||
        v.kind == Val::Kind::Function)
        for (const Val &item : v.items)
            requestItems(e, item);
}

bool shapecast::isUnhashable(const Val &v) {
    return v.isArray() || (isContainer(v) && !isValueRecord(v)) ||
           (isHeap(v) && !isHeapObject(v)) || v.isDynamicList();
}

void shapecast::requestTuplesInMemory(TypedBuilder &e) {
    requestTuplesInMemory(e, "a tuple of a length known only at run time is supported as a key or "
                             "an item of a container where tuple(...) makes it; make a list");
}

void shapecast::requestTuplesInMemory(TypedBuilder &e, const Twine &otherwise) {
    try {
        e.unsupported(otherwise);
    } catch (InferError &error) {
        error.needsTuplesInMemory = true;
        throw;
    }
}

void shapecast::objectAsKey(TypedBuilder &e, const Val &key) {
    if (key.isDynamicList() && !key.list)
        requestTuplesInMemory(e);
    if ((!key.isRecord() && !isHeapObject(key)) || isValueRecord(key))
        return;
    if (key.isRecord())
        requestHeap(e, key);
    if (!isHeapObject(key))
        e.unsupported(key.describe() + " as a key or an item of a set is not supported; use an "
                                       "attribute that tells them apart, or an index");
}

static Slot joinStored(TypedBuilder &e, const Slot &slot, const Val &v, StringRef what) {
    if (what == "key")
        objectAsKey(e, v);
    requestItems(e, v);
    llvm::SaveAndRestore unions(e.mayMakeUnions, true), grow(e.mayMakeDynamicLists, false);
    try {
        return storedSlot(e, slot.kind == Slot::Kind::Never ? slotOf(v) : join(e, slot, v, ""),
                          what);
    } catch (const InferError &error) {
        if (!error.joinConflict)
            throw;
        InferError named = error;
        named.joinConflict = false;
        named.message =
            ("each " + what + " of a container whose length is known only at run time " +
             "must be of one kind: " + error.message)
                .str();
        throw named;
    }
}

Slot shapecast::heapPairSlot(const Slot &key, const Slot &value) {
    Slot pair;
    pair.kind = Slot::Kind::Tuple;
    pair.items = {key, value};
    return pair;
}

const Slot &shapecast::heapKeySlot(const Val &container) { return container.element->items[0]; }
const Slot &shapecast::heapValueSlot(const Val &container) { return container.element->items[1]; }

static void widened(TypedBuilder &e) {
    e.heapSites->isWider = true;
    e.heapSites->refreshEntries();
}

// The key, the value or an attribute of a site.
using Part = llvm::function_ref<Slot &(HeapSites::Site &)>;

static Slot &keyOf(HeapSites::Site &site) { return site.key; }
static Slot &valueOf(HeapSites::Site &site) { return site.value; }

static Slot &attributeOf(HeapSites::Site &site, StringRef name) {
    const auto at = size_t(llvm::find(site.attributes, name) - site.attributes.begin());
    if (at == site.attributes.size()) {
        site.attributes.push_back(name.str());
        site.value.items.push_back(neverSlot());
    }
    return site.value.items[at];
}

// Joins it with what the site's containers hold. The join itself may unite the site with others:
// nothing refers into one meanwhile.
static void widenPart(TypedBuilder &e, unsigned number, Part part, const Val &v, StringRef what) {
    HeapSites &heap = *e.heapSites;
    auto now = [&]() -> Slot & { return part(heap.sites[heap.root(number)]); };
    for (bool isDone = false; !isDone;) {
        const Slot before = now(), joined = joinStored(e, before, v, what);
        isDone = now() == before;
        if (!isDone || joined == before)
            continue;
        now() = joined;
        widened(e);
    }
}

static void widenSite(TypedBuilder &e, unsigned number, const Val *key, const Val *value) {
    if (key)
        widenPart(e, number, keyOf, *key, "key");
    if (value)
        widenPart(e, number, valueOf, *value, "item");
}

void shapecast::widenHeap(TypedBuilder &e, const Val &container, const Val *key, const Val *value) {
    widenSite(e, container.serial, key, value);
}

void shapecast::widenAttribute(TypedBuilder &e, unsigned number, StringRef name, const Val &value) {
    HeapSites &heap = *e.heapSites;
    const size_t before = heap.sites[heap.root(number)].attributes.size();
    widenPart(
        e, number, [&](HeapSites::Site &site) -> Slot & { return attributeOf(site, name); }, value,
        "attribute");
    if (heap.sites[heap.root(number)].attributes.size() != before)
        widened(e);
}

// Whether it is a record of that class, or holds one.
static bool holdsRecord(const Val &v, Attribute ofClass) {
    return (v.isRecord() && v.attr == ofClass) ||
           llvm::any_of(v.items.read(),
                        [&](const Val &item) { return holdsRecord(item, ofClass); });
}

void shapecast::requestHeapForRecursive(TypedBuilder &e, const Slot &slot, const Val &v) {
    if (!isMutableRecord(v) ||
        llvm::none_of(v.items.read(), [&](const Val &item) { return holdsRecord(item, v.attr); }))
        return;
    requestHeap(e, v);
    requestHeap(e, containerOf(slot));
}

static Val sampleOf(TypedBuilder &e, const Slot &slot) {
    SmallVector<Value> operands;
    pack(e, slot, e.neverVal(), operands);
    ValueRange rest(operands);
    return unpack(e, slot, rest);
}

// Whether it can be an attribute of an instance in memory.
static bool mayBeStored(const Val &v) {
    if (v.isTyped())
        return v.isScalar() && !isComplex(operandType(v.type())->dtype);
    if (v.isDynamicList())
        return v.element->kind == Slot::Kind::Typed && isScalar(v.element->type);
    const bool isPart = (v.isTuple() && !v.attr) || isMutableRecord(v) || v.isDict();
    return v.isNone() || isHeap(v) || (isPart && llvm::all_of(v.items.read(), mayBeStored));
}

void shapecast::requestHeapForResult(TypedBuilder &e, const Val &record) {
    if (isMutableRecord(record) && record.cell == unknownCell && mayBeStored(record))
        requestHeap(e, record);
}

void shapecast::noteChange(TypedBuilder &e, const Val &container) {
    HeapSites::Site &site = e.heapSites->sites[e.heapSites->root(container.serial)];
    if (!std::exchange(site.isChanged, true) && site.isOfCaller)
        e.heapSites->isWider = true;
}

void shapecast::widenArgument(TypedBuilder &e, unsigned number, const Slot &key,
                              const Slot &value) {
    HeapSites &heap = *e.heapSites;
    heap.sites[number].isUsed = heap.sites[number].isOfCaller = true;
    const Slot keyBefore = heap.sites[number].key, valueBefore = heap.sites[number].value;
    const bool isNew = valueBefore.kind == Slot::Kind::Never && keyBefore.kind != Slot::Kind::Typed,
               wasWider = heap.isWider;
    auto widen = [&](Part part, const Slot &theirs, StringRef what) {
        if (theirs.kind == Slot::Kind::Unbound || theirs.kind == Slot::Kind::Never)
            return;
        if (Slot &mine = part(heap.sites[number]); mine.kind == Slot::Kind::Never)
            mine = theirs;
        else
            widenPart(e, number, part, sampleOf(e, theirs), what);
    };
    widen(keyOf, key, "key");
    widen(valueOf, value, "item");
    heap.refreshEntries();
    if (isNew)
        heap.isWider = wasWider;
    else if (!(heap.sites[number].key == keyBefore) || !(heap.sites[number].value == valueBefore))
        throw HeapRequest{};
}

void shapecast::widenArgument(TypedBuilder &e, unsigned number,
                              ArrayRef<std::pair<StringRef, Slot>> attributes) {
    HeapSites &heap = *e.heapSites;
    heap.sites[number].isUsed = heap.sites[number].isOfCaller = true;
    const Slot before = heap.sites[number].value;
    const bool isNew = before.items.size() == 1, wasWider = heap.isWider; // no attributes so far
    for (const auto &[name, theirs] : attributes) {
        auto part = [&](HeapSites::Site &site) -> Slot & { return attributeOf(site, name); };
        if (Slot &mine = part(heap.sites[heap.root(number)]); mine.kind == Slot::Kind::Never)
            mine = theirs;
        else if (theirs.kind != Slot::Kind::Never)
            widenPart(e, number, part, sampleOf(e, theirs), "attribute");
    }
    heap.refreshEntries();
    if (isNew)
        heap.isWider = wasWider;
    else if (!(heap.sites[heap.root(number)].value == before))
        throw HeapRequest{};
}

void shapecast::checkReadable(TypedBuilder &e, const HeapSites::Site &site, StringRef name) {
    if (!site.unreadable.contains(name))
        return;
    const StringRef ofClass = StringRef(site.form).rsplit(' ').second;
    e.unsupported(
        "the attribute '" + name + "' of a " + ofClass +
        " is of a kind, or of several kinds, that instances of the caller's do not have in "
        "memory; pass it as an argument of its own");
}

Slot shapecast::joinSlots(TypedBuilder &e, const Slot &slot, const Slot &other) {
    return joinStored(e, slot, sampleOf(e, other), "attribute");
}

Slot shapecast::heapSlot(TypedBuilder &e, unsigned number) {
    const HeapSites::Site &site = e.heapSites->sites[number];
    Slot handle, slot;
    handle.kind = Slot::Kind::Typed;
    static_assert(wordsOfContainer == runtime::containerWords);
    handle.type = ArrayType::get(e.ctx, {e.dimConst(wordsOfContainer)},
                                 scalarType(e.ctx, DType::I64), Layout::C, false, StringAttr());
    handle.dynamicDims.assign(1, false);
    slot.kind = Slot::Kind::Tuple;
    slot.valKind = Val::Kind::Heap;
    slot.attr = StringAttr::get(e.ctx, site.form);
    slot.serial = number;
    slot.items = {handle};
    return slot;
}

// The attributes of both, by name.
static void uniteAttributes(TypedBuilder &e, unsigned kept, const HeapSites::Site &other) {
    const std::vector<std::string> names = other.attributes; // the joins may change it
    const std::vector<Slot> slots = other.value.items;
    for (auto [name, slot] : llvm::zip_equal(names, slots)) {
        auto part = [&](HeapSites::Site &site) -> Slot & { return attributeOf(site, name); };
        if (slot.kind == Slot::Kind::Never)
            part(e.heapSites->sites[e.heapSites->root(kept)]);
        else
            widenPart(e, kept, part, sampleOf(e, slot), "attribute");
    }
    widened(e);
}

void shapecast::uniteHeaps(TypedBuilder &e, unsigned mine, unsigned theirs) {
    HeapSites &heap = *e.heapSites;
    mine = heap.root(mine);
    theirs = heap.root(theirs);
    if (mine == theirs)
        return;
    HeapSites::Site &kept = heap.sites[std::min(mine, theirs)],
                    &other = heap.sites[std::max(mine, theirs)];
    other.sameAs = std::min(mine, theirs);
    kept.isUsed = other.isUsed = true;
    const bool isNews = (kept.isOfCaller || other.isOfCaller) &&
                        (kept.isChanged || other.isChanged) && !(kept.isOfCaller && kept.isChanged);
    kept.isOfCaller |= other.isOfCaller;
    kept.isChanged |= other.isChanged;
    for (const auto &name : other.unreadable)
        kept.unreadable.insert(name.getKey());
    if (StringRef(kept.form).starts_with("object "))
        return uniteAttributes(e, std::min(mine, theirs), other);
    const bool areEqual = kept.key == other.key && kept.value == other.value;
    heap.isWider |= !areEqual || isNews;
    const Slot key = other.key, value = other.value; // the joins may change them
    if (!areEqual && key.kind != Slot::Kind::Never)
        widenPart(e, std::min(mine, theirs), keyOf, sampleOf(e, key), "key");
    if (!areEqual && value.kind != Slot::Kind::Never)
        widenPart(e, std::min(mine, theirs), valueOf, sampleOf(e, value), "item");
    heap.refreshEntries();
}

bool shapecast::isEmptyForEver(const Val &container) {
    const bool isList = isHeap(container, "list");
    return (isList ? heapValueSlot(container) : heapKeySlot(container)).kind == Slot::Kind::Never;
}

Val shapecast::heapLength(TypedBuilder &e, const Val &container) {
    Val length = e.typed(
        ContainerLengthOp::create(e.b, e.loc, PyIntType::get(e.ctx), container.items[0].value));
    e.facts.addLower(length.dim.getName(), e.dimConst(0));
    return length;
}

//===-- Joins

std::optional<Slot> shapecast::joinHeap(TypedBuilder &e, const Slot &slot, const Val &v) {
    if (slot.valKind == Val::Kind::Heap && isHeap(v)) {
        if (slot.attr != v.attr)
            return std::nullopt;
        uniteHeaps(e, slot.serial, v.serial);
        Slot result = slot;
        result.serial = e.heapSites->root(slot.serial);
        return result;
    }
    if (isContainer(v)) // of known length
        requestHeap(e, v);
    if (slot.valKind != Val::Kind::Heap)
        requestHeap(e, containerOf(slot));
    return std::nullopt;
}
