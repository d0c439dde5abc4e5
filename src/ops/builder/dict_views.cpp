#include "ops/builder/dict_views.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::dictView(TypedBuilder &e, StringRef kind, const Val &dict) {
    Val view; // without a serial number: any number of loops may be over it
    view.kind = Val::Kind::Iterator;
    view.attr = e.b.getStringAttr(kind);
    view.items = {dict};
    return view;
}

Val shapecast::withoutView(TypedBuilder &e, const Val &view) {
    if (!isDictView(view) || !view.items[0].isDict())
        return view;
    const Val &dict = view.items[0];
    std::vector<Val> items = dict.items.read();
    if (!isIterator(view, "values"))
        for (auto [key, item] : llvm::zip_equal(cast<ArrayAttr>(dict.attr), items))
            item = isIterator(view, "keys") ? e.literal(key) : e.tupleVal({e.literal(key), item});
    Val tuple = e.tupleVal(std::move(items));
    tuple.cell = dict.cell;
    tuple.serial = isIterator(view, "values") ? viewsValues
                   : isIterator(view, "keys") ? viewsKeys
                                              : viewsItems;
    return tuple;
}
