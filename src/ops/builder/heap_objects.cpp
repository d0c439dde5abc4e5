// Instances of classes in Python in memory: containers with one entry, their attributes.
//
// Which attributes there are, and of what kinds, is a fact of the allocation site, as the entries
// of lists are. A Slot of such an instance names its site only: so a class may refer to itself.
#include "ir/in_memory.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_entries.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static HeapSites::Site &siteOf(TypedBuilder &e, const Val &object) {
    return e.heapSites->sites[e.heapSites->root(object.serial)];
}

static std::optional<size_t> placeOf(const HeapSites::Site &site, StringRef name) {
    auto found = llvm::find(site.attributes, name);
    return found == site.attributes.end() ? std::nullopt
                                          : std::optional(size_t(found - site.attributes.begin()));
}

// Whether each instance has it from its __init__ on.
static bool isAlwaysSet(const Val &object, StringRef name) {
    return overloads(object, ("!" + name).str());
}

// The bits of attributes that are set, and that of one of them.
static Val setBits(TypedBuilder &e, const Val &object) { return loadPart(e, object, 0); }

static Val bitOf(TypedBuilder &e, size_t at) {
    constexpr size_t most = bitOfAll - 1;
    if (at > most)
        e.unsupported("objects of more than " + Twine(most) +
                      " attributes are not supported in "
                      "containers whose length is known only at run time");
    return e.intVal(int64_t(1) << at);
}

static void storeAttribute(TypedBuilder &e, const Val &object, StringRef name, const Val &value);

Val shapecast::heapObject(TypedBuilder &e, const HeapSites::Site &site,
                          ArrayRef<std::pair<StringRef, Val>> attributes) {
    Val object = newHeap(e, site);
    AppendOp::create(e.b, e.loc, PyIntType::get(e.ctx), object.items[0].value);
    storePart(e, object, 0, e.intVal(int64_t(1) << bitOfAll));
    for (const auto &[name, value] : attributes)
        storeAttribute(e, object, name, value);
    return object;
}

Val shapecast::heapObject(TypedBuilder &e, const HeapSites::Site &site, const Val &v) {
    SmallVector<std::pair<StringRef, Val>> attributes;
    for (auto [name, value] : llvm::zip(fieldNames(v), v.items.read()))
        attributes.emplace_back(name, value);
    return heapObject(e, site, attributes);
}

bool shapecast::hasHeapAttribute(TypedBuilder &e, const Val &object, StringRef name) {
    const HeapSites::Site &site = siteOf(e, object);
    checkReadable(e, site, name);
    const std::optional<size_t> at = placeOf(site, name);
    return at && site.value.items[*at].kind != Slot::Kind::Never;
}

static Val bitIfSet(TypedBuilder &e, const Val &object, size_t at) {
    return binary(e, "and", setBits(e, object), bitOf(e, at));
}

Val shapecast::isAttributeSet(TypedBuilder &e, const Val &object, StringRef name) {
    if (isAlwaysSet(object, name))
        return e.boolVal(true);
    return compare(e, "ne", bitIfSet(e, object, *placeOf(siteOf(e, object), name)), e.intVal(0));
}

Val shapecast::heapAttribute(TypedBuilder &e, const Val &object, StringRef name, bool isSet) {
    const size_t at = *placeOf(siteOf(e, object), name);
    if (!isSet && !isAlwaysSet(object, name))
        e.require("ne", {bitIfSet(e, object, at).dim, e.dimConst(0)}, "AttributeError",
                  ("'" + object.className() + "' object has no attribute '" + name + "'").str());
    return loadPart(e, object, at);
}

void shapecast::setHeapAttribute(TypedBuilder &e, const Val &object, StringRef name,
                                 const Val &value) {
    noteChange(e, object);
    storeAttribute(e, object, name, value);
}

static void storeAttribute(TypedBuilder &e, const Val &object, StringRef name, const Val &value) {
    checkReadable(e, siteOf(e, object), name);
    widenAttribute(e, object.serial, name, value);
    const size_t at = *placeOf(siteOf(e, object), name);
    storePart(e, object, at, value);
    if (isAlwaysSet(object, name))
        return;
    storePart(e, object, 0, binary(e, "or", setBits(e, object), bitOf(e, at)));
}

Val shapecast::isSameHeap(TypedBuilder &e, const Val &a, const Val &b) {
    return compare(e, "ne", native(e, "container_same", {}, {a.items[0], b.items[0]}), e.intVal(0));
}
