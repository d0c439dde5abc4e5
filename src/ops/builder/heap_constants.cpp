#include "ops/builder/heap_constants.h"

#include "ops/builder/containers.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// The attribute that TypedBuilder::literal() takes; null: it is no constant.
static Attribute constantOf(TypedBuilder &e, const Val &v) {
    if (v.isStatic("str") || v.isNone())
        return v.attr;
    if (v.isTuple() && !v.list && !v.attr) {
        SmallVector<Attribute> items;
        for (const Val &item : v.items) {
            items.push_back(constantOf(e, item));
            if (!items.back())
                return {};
        }
        return e.b.getArrayAttr(items);
    }
    if (!v.isTyped() || !isPyScalar(v.type()) || v.weakFlag)
        return {};
    if (isa<PyBoolType>(v.type()))
        return v.constBool() ? e.b.getBoolAttr(*v.constBool()) : Attribute();
    if (v.isPyInt())
        return v.constInt() ? e.b.getI64IntegerAttr(*v.constInt()) : Attribute();
    return isa_and_nonnull<FloatAttr>(v.attr) ? v.attr : Attribute();
}

std::optional<Val> shapecast::heapOfConstants(TypedBuilder &e, const Val &dict, const Val &key) {
    if (!e.heapSites || isConstantKey(key) || !dict.cell || dict.cell == unknownCell ||
        !isa_and_nonnull<StringAttr, IntegerAttr>(e.cells[dict.cell].target))
        return std::nullopt;
    SmallVector<Attribute> values;
    for (const Val &item : dict.items) {
        values.push_back(constantOf(e, item));
        if (!values.back())
            return std::nullopt;
    }
    const std::pair wanted(cast<ArrayAttr>(dict.attr), e.b.getArrayAttr(values));
    auto &all = e.heapSites->constants;
    const auto *known = llvm::find(all, wanted);
    if (known == all.end()) {
        all.push_back(wanted);
        throw HeapRequest{};
    }
    const auto number = size_t(known - all.begin());
    return number < e.heapConstants.size() ? std::optional(e.heapConstants[number]) : std::nullopt;
}

void shapecast::makeHeapConstants(TypedBuilder &e) {
    constexpr unsigned firstPlace = 1u << 25; // not those of calls, or arguments
    for (const auto &[number, constant] : llvm::enumerate(e.heapSites->constants)) {
        const Location at = HeapSites::placed(e.loc, firstPlace + unsigned(number));
        HeapSites::Site &site = e.heapSites->sites[e.heapSites->make(at, "dict")];
        site.isUsed = true;
        const Val made = newHeap(e, site);
        for (auto [key, value] : llvm::zip_equal(constant.first, constant.second))
            setHeapItem(e, made, e.literal(key), e.literal(value));
        e.heapConstants.push_back(made);
    }
}
