#include "ops/builder/dict_views.h"

#include "ops/builder/containers.h"
#include "ops/builder/heap.h"
#include "ops/builder/sequences.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// The keys of a list or set are what a loop over one iterates over; those that a loop has counted
// have their number beside them.
bool shapecast::isDictView(const Val &v) {
    if (v.kind != Val::Kind::Iterator || v.items.size() != 1)
        return false;
    return (v.items[0].isDict() || isHeap(v.items[0], "dict")) &&
           (isIterator(v, "keys") || isIterator(v, "values") || isIterator(v, "items"));
}

bool shapecast::isKeysOrItems(const Val &view) {
    return isDictView(view) && !isIterator(view, "values");
}

Val shapecast::dictView(TypedBuilder &e, StringRef kind, const Val &dict) {
    Val view = iterator(e, kind, {dict});
    view.serial = 0; // any number of loops may be over it
    view.dim = {};
    return view;
}

Val shapecast::viewLength(TypedBuilder &e, const Val &view) {
    const Val &dict = view.items[0];
    return isHeap(dict) ? heapLength(e, dict) : e.intVal(int64_t(dict.items.size()));
}

Val shapecast::withoutView(TypedBuilder &e, const Val &view) {
    if (!isDictView(view) || isHeap(view.items[0]))
        return view;
    const Val &dict = view.items[0];
    std::vector<Val> items = dict.items.read();
    if (!isIterator(view, "values"))
        for (auto [key, item] : llvm::zip_equal(keysOf(dict), items))
            item = isIterator(view, "keys") ? e.literal(key) : e.tupleVal({e.literal(key), item});
    Val tuple = e.tupleVal(std::move(items));
    tuple.cell = dict.cell;
    tuple.serial = isIterator(view, "values") ? viewsValues
                   : isIterator(view, "keys") ? viewsKeys
                                              : viewsItems;
    return tuple;
}
