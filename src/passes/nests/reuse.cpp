// See reuse.h.
#include "passes/nests/reuse.h"

#include "passes/nests/nests.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// Y is dead after the nest, and does not escape: all uses, also through views, are accesses at or
// before the nest, in its block or deeper; no loop, branch or return passes it on.
bool lastUsedBy(Value array, NestOp nest) {
    return llvm::all_of(array.getUsers(), [&](Operation *user) {
        Operation *here = nest->getBlock()->findAncestorOpInBlock(*user);
        if (auto view = dyn_cast<ViewOp>(user))
            return !llvm::is_contained(view->getUsers(), nest) && lastUsedBy(view, nest);
        return isa<NestOp, GemmOp, LoadOp, StoreOp>(user) && here &&
               (here == nest || here->isBeforeInBlock(nest));
    });
}

bool firstUsedBy(AllocOp array, NestOp nest) {
    return array->getBlock() == nest->getBlock() &&
           llvm::all_of(array->getUsers(), [&](Operation *user) {
               Operation *here = nest->getBlock()->findAncestorOpInBlock(*user);
               return here && (here == nest ? user == nest : nest->isBeforeInBlock(here));
           });
}

bool isIdentity(ArrayAttr map) {
    return llvm::all_of(llvm::enumerate(map), [](auto entry) {
        return entry.value() == iterator(entry.value().getContext(), entry.index());
    });
}

// The array that the nest may store over instead of writing to `array`.
AllocOp oldArray(NestOp nest, AllocOp array) {
    for (Value candidate : nest.getReads()) {
        auto old = candidate.getDefiningOp<AllocOp>();
        if (!old || old.getType() != array.getType() || old->getBlock() != nest->getBlock() ||
            !lastUsedBy(old, nest) || llvm::is_contained(nest.getWrites(), candidate))
            continue;
        bool inPlace =
            llvm::all_of(llvm::zip(nest.getReads(), nest.getReadMaps()), [&](auto access) {
                return std::get<0>(access) != candidate ||
                       isIdentity(cast<ArrayAttr>(std::get<1>(access)));
            });
        if (inPlace)
            return old;
    }
    return {};
}

void reuseIn(NestOp nest) {
    if (nest.getReduced() != 0)
        return;
    for (unsigned w = 0; w < nest.getWrites().size(); ++w) {
        auto array = nest.getWrites()[w].getDefiningOp<AllocOp>();
        if (!array || !firstUsedBy(array, nest) ||
            llvm::is_contained(nest.getReads(), array.getResult()) ||
            llvm::count(nest.getWrites(), array.getResult()) != 1 ||
            !isIdentity(cast<ArrayAttr>(nest.getWriteMaps()[w])))
            continue;
        if (AllocOp old = oldArray(nest, array)) {
            array.replaceAllUsesWith(old.getResult());
            array->erase();
        }
    }
}

} // namespace

void shapecast::reuseArrays(FuncOp func) {
    func->walk([](NestOp nest) { reuseIn(nest); });
}
