#include "passes/infer/escapes.h"

#include "ops/builder/cells.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/slot.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static const Val *lateBoundIn(const Val &v);
static const Slot *lateBoundIn(const HeapSites &heap, const Slot &slot, unsigned depth = 0);

static const Slot *lateBoundInItems(TypedBuilder &e, const Val &value) {
    return value.element ? lateBoundIn(*e.heapSites, *value.element) : nullptr;
}

void shapecast::refuseEscaping(Inference &in, const Val &value) {
    TypedBuilder &e = in.e;
    Attribute symbol;
    StringRef variable;
    if (const Val *found = lateBoundIn(value)) {
        symbol = found->attr;
        variable = found->items[2].staticText();
    } else if (const Slot *slot = lateBoundInItems(e, value)) {
        symbol = slot->attr;
        variable = cast<PyAttr>(slot->items[2].attr).getText();
    } else {
        return;
    }
    auto made = functionNamed(in, cast<SymbolRefAttr>(symbol));
    e.loc = made.getLoc();
    e.unsupported(("this function is kept, and its variable '" + variable +
                   "' is assigned again later, so that Python's function sees another value (late "
                   "binding); bind the present value as a default, " +
                   variable + "=" + variable + ", or make it in a function that takes '" +
                   variable + "'")
                      .str());
}

Changes shapecast::changesNow(const Inference &in) {
    const TypedBuilder &e = in.e;
    return in.hasLateBound ? llvm::map_to_vector(e.cells, [](const Cell &c) { return c.changes; })
                           : Changes();
}

void shapecast::refuseEscaping(Inference &in, ArrayRef<Val> values, const Changes &before) {
    TypedBuilder &e = in.e;
    if (!in.hasLateBound)
        return;
    for (const Val &v : values)
        refuseEscaping(in, v);
    for (size_t cell = 1; cell < std::min(before.size(), e.cells.size()); ++cell)
        if (e.cells[cell].changes != before[cell]) {
            Val now = loadCell(e, cell);
            for (size_t i = 0; i < now.items.size(); ++i)
                reloadCells(e, now.items[i]);
            refuseEscaping(in, now);
        }
}

bool shapecast::isLateBound(const Val &v) {
    return v.kind == Val::Kind::Function && v.items.size() == 3;
}

// The first late-bound function in it.
static const Val *lateBoundIn(const Val &v) {
    if (isLateBound(v))
        return &v;
    for (const Val &item : v.items)
        if (const Val *found = lateBoundIn(item))
            return found;
    return nullptr;
}

static const Slot *lateBoundIn(const HeapSites &heap, const Slot &slot, unsigned depth) {
    constexpr unsigned deepest = 8; // containers may hold ones of their own kind
    if (depth > deepest)
        return nullptr;
    if (slot.valKind == Val::Kind::Function && slot.items.size() == 3)
        return &slot;
    const bool isContainer = slot.valKind == Val::Kind::Heap && !isObjectForm(slot.attr);
    for (const std::vector<Slot> *inner :
         {isContainer ? &heap.sites[slot.serial].entry->items : &slot.items, &slot.element})
        for (const Slot &item : *inner)
            if (const Slot *found = lateBoundIn(heap, item, depth + isContainer))
                return found;
    return nullptr;
}
