// Which loops are register-tiled: see the header.
#include "passes/loops/register_tiling.h"

#include "passes/analysis/clobbers.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr StringLiteral before = "before", after = "after"; // of nests adjacent to the loop
constexpr size_t maxOperations = 24, maxWrites = 4;         // of an iteration: register pressure

class RegisterTiling {
public:
    RegisterTiling(ForOp loop, const PointsTo &pointsTo) : loop(loop), pointsTo(pointsTo) {}
    bool apply();

private:
    bool isFit(ArrayRef<NestOp> all);
    void fuseAdjacent();
    bool isTileable(ForOp op);
    bool isScalarCode(Operation &op);
    bool isElementwise(NestOp nest);
    bool isIdentity(Attribute map);
    bool isInvariant(Value written, ArrayRef<NestOp> all);
    Value root(Value handle) { return pointsTo.memoryRoot(valueBeforeLoop(handle, loop)); }

    ForOp loop;
    const PointsTo &pointsTo;
    SmallVector<NestOp> nests; // inside
    llvm::StringSet<> varying; // symbols bound inside
    SmallVector<Value> loaded; // arrays
};

bool RegisterTiling::isScalarCode(Operation &op) {
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

// A loop of scalar code, followed by one more such loop or by nests.
bool RegisterTiling::isTileable(ForOp op) {
    Block &body = op.getBody().front();
    auto next = cast<NextOp>(body.getTerminator());
    if (!op.getStep().isConst(1) || next.getCondition() || op.getStripMined() ||
        op.getDependenceChecked() || op.getMultithreaded())
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
            return &inside == body.getTerminator()->getPrevNode() && nests.empty() &&
                   isTileable(inner);
        else if (!isScalarCode(inside))
            return false;
    }
    return true;
}

// d0, d1, ...
bool RegisterTiling::isIdentity(Attribute map) {
    SmallVector<DimAttr> indices = dimVector(cast<ArrayAttr>(map));
    for (auto [k, index] : llvm::enumerate(indices))
        if (index != dimSymbol(map.getContext(), ("d" + Twine(k)).str()))
            return false;
    return indices.size() == nests[0].getSpace().size();
}

// Loop-invariant, and each access to it is to the element of the access's own point.
bool RegisterTiling::isInvariant(Value written, ArrayRef<NestOp> all) {
    Value own = root(written);
    Operation *made = valueBeforeLoop(written, loop).getDefiningOp();
    if ((made && loop->isAncestor(made)) || pointsTo.selfOverlapping(written))
        return false;
    auto isOwnElement = [&](auto access) {
        auto [handle, map] = access;
        return (valueBeforeLoop(handle, loop) == valueBeforeLoop(written, loop) &&
                isIdentity(map)) ||
               pointsTo.disjoint(own, root(handle), loop);
    };
    return llvm::all_of(
               all,
               [&](NestOp nest) {
                   return llvm::all_of(llvm::zip_equal(nest.getReads(), nest.getReadMaps()),
                                       isOwnElement) &&
                          llvm::all_of(llvm::zip_equal(nest.getWrites(), nest.getWriteMaps()),
                                       isOwnElement);
               }) &&
           llvm::all_of(loaded,
                        [&](Value base) { return pointsTo.disjoint(own, root(base), loop); });
}

bool RegisterTiling::isElementwise(NestOp nest) {
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
           llvm::all_of(nest.getWriteMaps(), [&](Attribute map) { return isIdentity(map); }) &&
           llvm::all_of(nest.getBody().front(), [](Operation &op) {
               return isa<UfuncOp, CastOp, ConstOp, PyOp, TruthOp, NestYieldOp>(op);
           });
}

bool RegisterTiling::isFit(ArrayRef<NestOp> all) {
    size_t operations = 0;
    llvm::DenseSet<Value> written;
    for (NestOp nest : all) {
        if (!isElementwise(nest))
            return false;
        operations += nest.getBody().front().getOperations().size();
        for (Value handle : nest.getWrites())
            written.insert(valueBeforeLoop(handle, loop));
    }
    return operations <= maxOperations && written.size() <= maxWrites &&
           llvm::all_of(written, [&](Value handle) { return isInvariant(handle, all); });
}

// Adjacent nests that initialise the arrays, or use their final elements.
void RegisterTiling::fuseAdjacent() {
    SmallVector<NestOp> all = nests;
    llvm::DenseSet<Value> kept;
    for (NestOp nest : nests)
        for (Value handle : nest.getWrites())
            kept.insert(valueBeforeLoop(handle, loop));
    auto isOfLoop = [&](Value handle) { return kept.contains(valueBeforeLoop(handle, loop)); };
    auto add = [&](NestOp nest, StringRef side) { // if it may be fused
        all.push_back(nest);
        if (isFit(all)) {
            nest.setRegisterTiledAttr(StringAttr::get(nest.getContext(), side));
            return true;
        }
        all.pop_back();
        return false;
    };
    Operation *first = loop, *last = loop;
    for (Operation *op = loop->getPrevNode(), *previous; op; op = previous) {
        previous = op->getPrevNode();
        auto nest = dyn_cast<NestOp>(op);
        if (nest && llvm::all_of(nest.getWrites(), isOfLoop) && add(nest, before)) {
            nest->moveBefore(first);
            first = nest;
        } else if (!isHoistable(*op)) {
            break;
        }
    }
    SmallVector<Operation *> between;
    for (Operation *op = loop->getNextNode(), *next; op; op = next) {
        next = op->getNextNode();
        auto nest = dyn_cast<NestOp>(op);
        const bool usesResults = llvm::is_contained(
            llvm::map_range(op->getOperands(), [](Value v) { return v.getDefiningOp(); }),
            loop.getOperation());
        if (nest && llvm::any_of(nest.getReads(), isOfLoop) && add(nest, after)) {
            for (Operation *earlier : between)
                earlier->moveBefore(first);
            between.clear();
            nest->moveAfter(last);
            last = nest;
        } else if (isHoistable(*op) && !usesResults) {
            between.push_back(op);
        } else {
            break;
        }
    }
}

bool RegisterTiling::apply() {
    if (!isTileable(loop) || nests.empty() || !isFit(nests))
        return false;
    loop.setRegisterTiledAttr(UnitAttr::get(loop.getContext()));
    fuseAdjacent();
    return true;
}

} // namespace

TiledNests tiledNests(ForOp loop) {
    TiledNests nests;
    auto isFused = [](Operation *op, StringRef side) {
        auto nest = dyn_cast_or_null<NestOp>(op);
        return nest && nest.getRegisterTiledAttr() == StringAttr::get(nest.getContext(), side);
    };
    for (Operation *op = loop->getPrevNode(); isFused(op, before); op = op->getPrevNode())
        nests.before.insert(nests.before.begin(), cast<NestOp>(op));
    loop.getBody().walk([&](NestOp nest) { nests.inside.push_back(nest); });
    for (Operation *op = loop->getNextNode(); isFused(op, after); op = op->getNextNode())
        nests.after.push_back(cast<NestOp>(op));
    return nests;
}

Value valueBeforeLoop(Value handle, ForOp loop) {
    for (;;) {
        auto argument = dyn_cast<BlockArgument>(handle);
        Operation *of = argument ? argument.getOwner()->getParentOp() : handle.getDefiningOp();
        auto inner = dyn_cast_or_null<ForOp>(of);
        if (!inner || !loop->isAncestor(inner) || (argument && argument.getArgNumber() == 0))
            return handle;
        const unsigned k =
            argument ? argument.getArgNumber() - 1 : cast<OpResult>(handle).getResultNumber();
        handle = inner.getInits()[k];
    }
}

// Only by these nests, by the loop and loops inside, which carry it, and by releases. Of a loop
// around nothing is known: it may pass it on.
static bool isUsedOnlyBy(Value handle, ForOp loop, const TiledNests &nests) {
    return llvm::all_of(handle.getUses(), [&](OpOperand &use) {
        Operation *user = use.getOwner();
        if (auto nest = dyn_cast<NestOp>(user))
            return llvm::is_contained(nests.before, nest) ||
                   llvm::is_contained(nests.inside, nest) || llvm::is_contained(nests.after, nest);
        if (auto next = dyn_cast<NextOp>(user))
            return loop->isAncestor(next->getParentOp());
        auto inner = dyn_cast<ForOp>(user);
        if (!inner || !loop->isAncestor(inner))
            return isa<ReleaseOp>(user);
        for (auto [k, init] : llvm::enumerate(inner.getInits()))
            if (init == handle && (!isUsedOnlyBy(inner.getBody().getArgument(k + 1), loop, nests) ||
                                   !isUsedOnlyBy(inner.getResult(k), loop, nests)))
                return false;
        return true;
    });
}

bool isOnlyInRegisters(Value array, ForOp loop, const TiledNests &nests) {
    return array.getDefiningOp<AllocOp>() && isUsedOnlyBy(array, loop, nests);
}

static bool containsNests(ForOp loop) {
    return loop.getBody().walk([](NestOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

void tileForRegisters(FuncOp func) {
    if (func.getRecursive() ||
        NpDialect::DebugAttrHelper(func.getContext()).isAttrPresent(func->getParentOp()))
        return;
    SmallVector<ForOp> loops; // first: operations beside them may move
    func.walk<WalkOrder::PreOrder>([&](ForOp loop) { loops.push_back(loop); });
    std::optional<PointsTo> pointsTo; // for functions with such loops only
    ForOp tiled;
    for (ForOp loop : loops) {
        if ((tiled && tiled->isAncestor(loop)) || !containsNests(loop))
            continue;
        if (!pointsTo)
            pointsTo.emplace(func);
        if (RegisterTiling(loop, *pointsTo).apply())
            tiled = loop;
    }
}

} // namespace shapecast
