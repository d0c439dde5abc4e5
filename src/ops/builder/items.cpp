#include "ops/builder/items.h"

#include "ops/builder/dynamic_list.h"
#include "ops/builder/memory.h"
#include "ops/builder/text.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

std::optional<std::vector<Val>> shapecast::itemsOf(TypedBuilder &e, const Val &iterable) {
    if (iterable.isTuple())
        return iterable.items;
    if (iterable.isStatic("str"))
        return charactersOf(e, iterable);
    std::vector<Val> items;
    if (iterable.isDict()) {
        for (Attribute key : cast<ArrayAttr>(iterable.attr))
            items.push_back(e.literal(key));
        return items;
    }
    if (iterable.kind == Val::Kind::Range) {
        std::optional<int64_t> low = iterable.items[0].constInt(),
                               high = iterable.items[1].constInt(),
                               step = iterable.items[2].constInt();
        if (!low || !high || !step || (*high - *low) / *step > maxUnrollTripCount)
            return std::nullopt;
        for (int64_t i = *low; *step > 0 ? i < *high : i > *high; i += *step)
            items.push_back(e.intVal(i));
        return items;
    }
    if (!iterable.isArray() || iterable.array().getRank() == 0)
        return std::nullopt;
    DimAttr size = e.facts.canonical(dimsOf(iterable)[0]);
    if (!size.isConst() || size.getValue() > maxUnrollTripCount)
        return std::nullopt;
    for (int64_t i = 0; i < size.getValue(); ++i)
        items.push_back(arrayRow(e, iterable, i));
    return items;
}

bool shapecast::isSequence(const Val &v) {
    return v.isTuple() || v.isDynamicList() || v.kind == Val::Kind::Range ||
           (v.isArray() && v.array().getRank() == 1);
}

std::vector<Val> shapecast::itemsIn(TypedBuilder &e, const Val &sequence, StringRef what) {
    if (!isSequence(sequence))
        return {sequence};
    if (std::optional<std::vector<Val>> items = itemsOf(e, sequence))
        return *items;
    const DimAttr count = sequence.isArray()         ? e.facts.canonical(dimsOf(sequence)[0])
                          : sequence.isDynamicList() ? e.facts.canonical(sequence.items[0].dim)
                                                     : DimAttr();
    const std::optional<int64_t> hint = count ? e.sizeHint(count) : std::nullopt;
    if (!hint || *hint > maxUnrollTripCount || !e.assumeEqual(count, e.dimConst(*hint)))
        e.unsupported(what + " whose length is known only at run time is not supported; make it a "
                             "tuple");
    std::vector<Val> items;
    items.reserve(size_t(*hint));
    for (int64_t i = 0; i < *hint; ++i)
        items.push_back(sequence.isArray() ? arrayRow(e, sequence, i)
                                           : dynamicListItem(e, sequence, e.dimConst(i)));
    return items;
}
