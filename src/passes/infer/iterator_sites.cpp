#include "passes/infer/iterator_sites.h"

#include "ops/builder/heap_sites.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static constexpr StringLiteral form = "generator";

bool shapecast::isGenerator(const Val &v) {
    return v.kind == Val::Kind::Iterator && cast<StringAttr>(v.attr).getValue() == form;
}

bool shapecast::makesIterators(Inference &in, FuncOp generator) {
    HeapSites *sites = in.e.heapSites;
    return generator.getIterator() && sites && sites->find(generator.getLoc(), form);
}

void shapecast::requestIterator(Inference &in, const Val &generator) {
    if (std::optional<unsigned> site = siteNumber(in.e, generator))
        requestWishes(in.e, {*site});
}
