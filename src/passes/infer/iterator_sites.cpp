#include "passes/infer/iterator_sites.h"

#include "ir/in_memory.h"
#include "ops/builder/heap_sites.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static constexpr StringLiteral form = "generator", formOfRecursive = "recursive generator";

bool shapecast::isGenerator(const Val &v) {
    return v.kind == Val::Kind::Iterator && cast<StringAttr>(v.attr).getValue() == form;
}

bool shapecast::makesIterators(Inference &in, FuncOp generator) {
    HeapSites *sites = in.e.heapSites;
    return generator.getIterator() && sites && sites->find(generator.getLoc(), form);
}

Location shapecast::placeOfIterators(Inference &in, FuncOp generator, Location call) {
    return in.e.heapSites->find(generator.getLoc(), formOfRecursive) ? generator.getLoc() : call;
}

bool shapecast::refuseRecursiveIterators(HeapSites &sites) {
    if (llvm::none_of(sites.sites, [](const HeapSites::Site &site) {
            return site.isUsed && site.form == formOfRecursive;
        }))
        return false;
    HeapSites none;
    none.tupleForm = sites.tupleForm;
    none.listsRecursive = true;
    sites = std::move(none);
    return true;
}

FuncOp shapecast::constructorOfIterator(Inference &in) {
    auto module = in.source->getParentOfType<ModuleOp>();
    const DictionaryAttr table = NpDialect::MethodsAttrHelper(module.getContext()).getAttr(module);
    auto found = table ? table.getAs<MethodAttr>(iteratorOfItems) : MethodAttr();
    return found ? functionNamed(in, found.getSymbol()) : FuncOp();
}

void shapecast::requestIterator(Inference &in, const Val &iterator, bool callsItself) {
    const std::optional<unsigned> site =
        iterator.kind == Val::Kind::Iterator ? siteNumber(in.e, iterator) : std::nullopt;
    if (!site || (!isGenerator(iterator) && !constructorOfIterator(in)))
        return;
    SmallVector<unsigned, 2> wishes{*site};
    if (callsItself && in.e.heapSites->listsRecursive)
        return;
    if (callsItself)
        wishes.push_back(in.e.heapSites->make(Location(iterator.made), formOfRecursive));
    requestWishes(in.e, wishes);
}
