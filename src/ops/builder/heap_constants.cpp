#include "ops/builder/heap_constants.h"

#include "ops/builder/containers.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Attribute shapecast::constantNumber(TypedBuilder &e, const Val &v) {
    if (!v.isTyped() || !isPyScalar(v.type()) || v.weakFlag)
        return {};
    if (isa<PyBoolType>(v.type()))
        return v.constBool() ? e.b.getBoolAttr(*v.constBool()) : Attribute();
    if (v.isPyInt())
        return v.constInt() ? e.b.getI64IntegerAttr(*v.constInt()) : Attribute();
    return isa_and_nonnull<FloatAttr>(v.attr) ? v.attr : Attribute();
}

static Attribute constantOf(TypedBuilder &e, const Val &v);

// Of a named tuple or a frozen dataclass: unit, what it is, whether a tuple, and its fields.
static Attribute recordConstant(TypedBuilder &e, const Val &v) {
    SmallVector<Attribute> fields;
    for (const Val &field : v.items) {
        fields.push_back(constantOf(e, field));
        if (!fields.back())
            return {};
    }
    const Attribute isTuple = e.b.getBoolAttr(v.isTuple());
    return e.b.getArrayAttr({e.b.getUnitAttr(), v.attr, isTuple, e.b.getArrayAttr(fields)});
}

// What literalOf() takes; null: it is no constant.
static Attribute constantOf(TypedBuilder &e, const Val &v) {
    if (v.kind == Val::Kind::Static)
        return v.attr;
    if (v.kind == Val::Kind::Function && v.items.size() == 2 && v.items[0].items.empty() &&
        v.items[1].items.empty())
        return v.attr;
    if ((v.isTuple() && !v.list && v.attr) || isValueRecord(slotOf(v)))
        return recordConstant(e, v);
    if (v.isTuple() && !v.list && !v.attr) {
        SmallVector<Attribute> items;
        for (const Val &item : v.items) {
            items.push_back(constantOf(e, item));
            if (!items.back())
                return {};
        }
        return e.b.getArrayAttr(items);
    }
    return constantNumber(e, v);
}

static Val literalOf(TypedBuilder &e, Attribute constant) {
    Val v;
    if (isa<FlatSymbolRefAttr>(constant)) {
        v.kind = Val::Kind::Function;
        v.attr = constant;
        v.items.assign({e.tupleVal({}), e.tupleVal({})});
        return v;
    }
    auto items = dyn_cast<ArrayAttr>(constant);
    if (items && !items.empty() && isa<UnitAttr>(items[0])) {
        v.kind = cast<BoolAttr>(items[2]).getValue() ? Val::Kind::Tuple : Val::Kind::Record;
        v.attr = items[1];
        v.items = literalOf(e, items[3]).items;
        return v;
    }
    if (items) {
        std::vector<Val> made;
        for (Attribute item : items)
            made.push_back(literalOf(e, item));
        return e.tupleVal(std::move(made));
    }
    return e.literal(constant);
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
            setHeapItem(e, made, e.literal(key), literalOf(e, value));
        e.heapConstants.push_back(made);
    }
}
