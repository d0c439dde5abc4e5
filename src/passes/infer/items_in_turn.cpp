#include "passes/infer/items_in_turn.h"

#include "ops/builder/cells.h"
#include "ops/builder/heap_sites.h"
#include "passes/frontend/library.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/generators.h"
#include "passes/infer/objects.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val instanceOver(Inference &in, const Val &items) {
    Val list = isGenerator(items) ? listOfGenerator(in, items)
                                  : in.callNamed("builtins.list", {items}, {});
    Val made = callCaptured(in, constructorOfIterator(in),
                            callArguments({in.e.noneVal(), std::move(list)}, {}), in.e.loc);
    allocateCells(in.e, made); // it is no operation's result yet
    return made;
}

Val shapecast::iteratorAt(Inference &in, Val iterator) {
    static constexpr StringLiteral kinds[] = {"iter",     "zip",    "map",    "enumerate",
                                              "reversed", "filter", "product"};
    HeapSites *sites = in.e.heapSites;
    if (iterator.kind != Val::Kind::Iterator || iterator.made || !sites ||
        !llvm::is_contained(kinds, cast<StringAttr>(iterator.attr).getValue()) ||
        !constructorOfIterator(in))
        return iterator;
    const Location at = sites->placed(in.e.loc);
    if (sites->find(at, cast<StringAttr>(iterator.attr).getValue()))
        return instanceOver(in, iterator);
    iterator.made = at;
    return iterator;
}

std::optional<Val> shapecast::zipInTurn(Inference &in, CallOp zip) {
    const SmallVector<Val> operands = in.vals(zip.getArgs());
    auto isInTurn = [&](const Val &v) { return isIteratorObject(in, v); };
    const auto generators = llvm::count_if(operands, isGenerator);
    const bool isOfSeveral = generators > 1 || (generators == 1 && operands.size() > 2);
    if (zip.getKw() || !constructorOfIterator(in) ||
        !(isOfSeveral || llvm::any_of(operands, isInTurn)))
        return std::nullopt;
    SmallVector<Val> iterators;
    for (const Val &v : operands) {
        requestIterator(in, v);
        iterators.push_back(isInTurn(v) ? v : instanceOver(in, iterableOf(in, v)));
    }
    const std::string name = ("builtins.zip of " + Twine(iterators.size()) + " iterators").str();
    FuncOp inTurn = libraryFunction(in.source, name);
    if (!inTurn)
        in.e.unsupported("zip() of more than four iterators is not supported; take an item of each "
                         "with next()");
    return callCaptured(in, inTurn, callArguments(iterators, {}), in.e.loc);
}
