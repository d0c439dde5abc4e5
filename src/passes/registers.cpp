// Which loops keep elements in registers: see the header.
#include "passes/registers.h"

#include "passes/motion.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr size_t mostOperations = 24, mostWrites = 4; // of a turn: registers are few

class Registers {
public:
    Registers(ForOp loop, const PointsTo &pointsTo) : loop(loop), pointsTo(pointsTo) {}
    bool apply();

private:
    bool turns(ForOp op);
    bool isScalarCode(Operation &op);
    bool isElementwise(NestOp nest);
    bool isPlain(Attribute map);
    bool isKept(Value written);
    Value root(Value handle) { return pointsTo.memoryRoot(beforeTurns(handle, loop)); }

    ForOp loop;
    const PointsTo &pointsTo;
    SmallVector<NestOp> nests;
    llvm::StringSet<> varying; // symbols bound inside
    SmallVector<Value> loaded; // arrays
};

bool Registers::isScalarCode(Operation &op) {
    if (auto symbol = dyn_cast<SymbolOp>(op)) {
        varying.insert(symbol.getName());
        return true;
    }
    if (auto load = dyn_cast<LoadOp>(op)) {
        loaded.push_back(load.getBase());
        return true;
    }
    return isa<ViewOp>(op) || (isa<ConstOp, SizeOp, PyOp, CastOp, UfuncOp, TruthOp>(op) &&
                               isPureOp(&op) && llvm::all_of(op.getResultTypes(), isScalar));
}

// A loop of scalar code, and one more loop behind it or nests.
bool Registers::turns(ForOp op) {
    Block &body = op.getBody().front();
    auto next = cast<NextOp>(body.getTerminator());
    if (!op.getStep().isConst(1) || next.getGo() || op->hasAttr("strips") ||
        op->hasAttr("checked") || op->hasAttr("shared"))
        return false;
    for (auto [init, value, argument] :
         llvm::zip_equal(op.getInits(), next.getValues(), body.getArguments().drop_front())) {
        auto inner = value.getDefiningOp<ForOp>();
        const bool passesOn =
            value == argument ||
            (inner && inner->getBlock() == &body &&
             inner.getInits()[cast<OpResult>(value).getResultNumber()] == argument);
        if (!isa<ArrayType>(init.getType()) || init.getType() != argument.getType() || !passesOn)
            return false;
    }
    varying.insert(op.getVar());
    for (Operation &inside : body.without_terminator()) {
        if (auto nest = dyn_cast<NestOp>(inside))
            nests.push_back(nest);
        else if (auto inner = dyn_cast<ForOp>(inside))
            return &inside == body.getTerminator()->getPrevNode() && nests.empty() && turns(inner);
        else if (!isScalarCode(inside))
            return false;
    }
    return true;
}

// d0, d1, ...
bool Registers::isPlain(Attribute map) {
    SmallVector<DimAttr> indices = dimVector(cast<ArrayAttr>(map));
    for (auto [k, index] : llvm::enumerate(indices))
        if (index != dimSymbol(map.getContext(), ("d" + Twine(k)).str()))
            return false;
    return indices.size() == nests[0].getSpace().size();
}

// The same array in all turns, and all that touches it touches the element of its own point.
bool Registers::isKept(Value written) {
    Value own = root(written);
    Operation *made = beforeTurns(written, loop).getDefiningOp();
    if ((made && loop->isAncestor(made)) || pointsTo.selfOverlapping(written))
        return false;
    auto isOwnElement = [&](auto access) {
        auto [handle, map] = access;
        return (beforeTurns(handle, loop) == beforeTurns(written, loop) && isPlain(map)) ||
               pointsTo.disjoint(own, root(handle), loop);
    };
    return llvm::all_of(
               nests,
               [&](NestOp nest) {
                   return llvm::all_of(llvm::zip_equal(nest.getReads(), nest.getReadMaps()),
                                       isOwnElement) &&
                          llvm::all_of(llvm::zip_equal(nest.getWrites(), nest.getWriteMaps()),
                                       isOwnElement);
               }) &&
           llvm::all_of(loaded,
                        [&](Value base) { return pointsTo.disjoint(own, root(base), loop); });
}

bool Registers::isElementwise(NestOp nest) {
    auto isVarying = [&](Attribute size) {
        bool found = false;
        dimSymbols(cast<DimAttr>(size), [&](StringRef name) { found |= varying.contains(name); });
        return found;
    };
    const bool isOrdered =
        nest.getOrder() && llvm::any_of(nest.getOrder()->getAsValueRange<StringAttr>(),
                                        [](StringRef order) { return order != "any"; });
    return !nest.getReduced() && nest.getNumResults() == 0 && !isOrdered &&
           !nest.getSpace().empty() && llvm::none_of(nest.getSpace(), isVarying) &&
           nest.getSpace() == nests[0].getSpace() &&
           llvm::all_of(nest.getWriteMaps(), [&](Attribute map) { return isPlain(map); }) &&
           llvm::all_of(nest.getBody().front(), [](Operation &op) {
               return isa<UfuncOp, CastOp, ConstOp, PyOp, TruthOp, NestYieldOp>(op);
           });
}

bool Registers::apply() {
    if (!turns(loop) || nests.empty())
        return false;
    size_t operations = 0;
    llvm::DenseSet<Value> written;
    for (NestOp nest : nests) {
        if (!isElementwise(nest))
            return false;
        operations += nest.getBody().front().getOperations().size();
        for (Value handle : nest.getWrites())
            written.insert(beforeTurns(handle, loop));
    }
    return operations <= mostOperations && written.size() <= mostWrites &&
           llvm::all_of(nests, [&](NestOp nest) {
               return llvm::all_of(nest.getWrites(), [&](Value handle) { return isKept(handle); });
           });
}

} // namespace

SmallVector<NestOp> innerNests(ForOp loop) {
    SmallVector<NestOp> nests;
    loop.getBody().walk([&](NestOp nest) { nests.push_back(nest); });
    return nests;
}

Value beforeTurns(Value handle, ForOp loop) {
    for (;;) {
        auto argument = dyn_cast<BlockArgument>(handle);
        auto of = argument ? dyn_cast<ForOp>(argument.getOwner()->getParentOp()) : ForOp();
        if (!of || !loop->isAncestor(of) || argument.getArgNumber() == 0)
            return handle;
        handle = of.getInits()[argument.getArgNumber() - 1];
    }
}

bool mayStayInRegisters(ForOp loop, const PointsTo &pointsTo) {
    return Registers(loop, pointsTo).apply();
}

} // namespace shapecast
