#include "ops/builder/heap.h"

#include "ops/builder/containers.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/heap_entries.h"
#include "ops/builder/memory.h"
#include "runtime/containers.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::newHeap(TypedBuilder &e, const HeapSites::Site &site) {
    llvm::SaveAndRestore device(e.device, StringAttr());
    Val v;
    v.kind = Val::Kind::Heap;
    v.attr = e.b.getStringAttr(site.form);
    v.serial = unsigned(&site - e.heapSites->sites.data());
    v.element = site.entry.get();
    v.items = {alloc(e, {e.dimConst(runtime::containerWords)}, DType::I64)};
    const EntryLayout layout = layoutOf(e, v);
    const int64_t form = site.form == "dict" ? 1 : site.form == "set" ? 2 : 0;
    native(e, "container_start", {v.items[0]},
           {e.intVal(form), e.intVal(layout.words), e.intVal(layout.keyWords),
            e.intVal(layout.floatWords), e.intVal(layout.ownedWords), e.intVal(layout.textWords)});
    return v;
}

Val shapecast::heapLike(TypedBuilder &e, const Val &container) {
    return newHeap(e, e.heapSites->sites[e.heapSites->root(container.serial)]);
}

std::optional<Val> shapecast::heapAtSite(TypedBuilder &e, const Val &v) {
    if (!e.heapSites || e.heapSites->sites.empty())
        return std::nullopt;
    const HeapSites::Site *site = e.heapSites->find(e.heapSites->placed(e.loc), formOf(v));
    if (!site)
        return std::nullopt;
    if (v.isRecord())
        return heapObject(e, *site, v);
    Val made = newHeap(e, *site);
    if (v.isDict()) {
        for (const auto &[key, value] : pairsOf(e, v))
            setHeapItem(e, made, key, value);
        return made;
    }
    if (v.isDynamicList())
        forEachIndex(e, listLength(v),
                     [&](DimAttr at) { heapMethod(e, made, "append", dynamicListItem(e, v, at)); });
    else
        for (const Val &item : v.items)
            heapMethod(e, made, "append", item);
    return made;
}

static Val emptyHeap(TypedBuilder &e, Location at, StringRef form) {
    HeapSites::Site &site = e.heapSites->sites[e.heapSites->make(at, form)];
    site.isUsed = true;
    return newHeap(e, site);
}

Val shapecast::emptyHeapSet(TypedBuilder &e) {
    return emptyHeap(e, e.heapSites->placed(e.loc), "set");
}
Val shapecast::emptyHeapList(TypedBuilder &e, Location at) { return emptyHeap(e, at, "list"); }
