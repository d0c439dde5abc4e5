// Instances of classes in Python in memory: containers with one entry, their attributes.
//
// Which attributes there are, and of what kinds, is a fact of the allocation site, as the entries
// of lists are. A Slot of such an instance names its site only: so a class may refer to itself.
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

Val shapecast::heapObject(TypedBuilder &e, const HeapSites::Site &site, const Val &v) {
    Val object = newHeap(e, site);
    AppendOp::create(e.b, e.loc, PyIntType::get(e.ctx), object.items[0].value);
    for (auto [name, value] : llvm::zip(fieldNames(v), v.items.read()))
        setHeapAttribute(e, object, name, value);
    return object;
}

bool shapecast::hasHeapAttribute(TypedBuilder &e, const Val &object, StringRef name) {
    const HeapSites::Site &site = siteOf(e, object);
    const std::optional<size_t> at = placeOf(site, name);
    return at && site.value.items[*at].kind != Slot::Kind::Never;
}

Val shapecast::heapAttribute(TypedBuilder &e, const Val &object, StringRef name) {
    const HeapSites::Site &site = siteOf(e, object);
    const size_t at = *placeOf(site, name);
    return loadPart(e, object, at, name);
}

void shapecast::setHeapAttribute(TypedBuilder &e, const Val &object, StringRef name,
                                 const Val &value) {
    const std::optional<size_t> at = placeOf(siteOf(e, object), name);
    widenAttribute(e, object.serial, name, value);
    storePart(e, object, *at, value);
}

Val shapecast::isSameHeap(TypedBuilder &e, const Val &a, const Val &b) {
    return compare(e, "ne", native(e, "container_same", {}, {a.items[0], b.items[0]}), e.intVal(0));
}
