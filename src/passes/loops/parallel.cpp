// np-parallel: see the header.
#include "passes/loops/parallel.h"

#include "ir/dim_facts.h"
#include "ir/gather_index.h"
#include "passes/analysis/accesses.h"
#include "passes/analysis/clobbers.h"
#include "passes/loops/register_tiling.h"
#include "passes/nests/nests.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr int64_t minSharedTripCount = 4; // fewer iterations are not worth a thread
constexpr int64_t assumedTripCount = 16;  // of loops whose trip count is not loop-invariant

// Symbols that are bound in the loop, to values that differ within an iteration.
llvm::StringSet<> symbolsBoundIn(ForOp loop) {
    llvm::StringSet<> names;
    loop.getBody().walk([&](Operation *op) {
        if (auto symbol = dyn_cast<SymbolOp>(op))
            names.insert(symbol.getName());
        else if (auto nested = dyn_cast<ForOp>(op))
            names.insert(nested.getVar());
    });
    return names;
}

// One access of an iteration. Its index is empty where the subscripts are unknown.
struct LoopAccess {
    Access access;
    SmallVector<DimAttr> space; // sizes of the iterators d0, d1, ... in the index
    bool isWritten;
};

class DependenceTest {
public:
    DependenceTest(ForOp loop, const PointsTo &pointsTo)
        : loop(loop), pointsTo(pointsTo), inner(symbolsBoundIn(loop)) {
        collect();
    }

    bool raisesNothing() const { return !mayRaise; }
    void ignoreErrors() { mayRaise = false; }
    // All operations of the body may run on several threads.
    bool isThreadSafe() const { return known; }
    bool isIndependent() {
        return known && !unknown && llvm::all_of(accesses, [&](const LoopAccess &access) {
                   return !access.isWritten || isConflictFree(access);
               });
    }

private:
    bool isInside(Value value) { return loop.getBody().isAncestor(value.getParentRegion()); }
    void collect();
    bool dividesBySize(PyOp op);
    bool addOperation(Operation *op);
    void addAccess(Value handle, ArrayAttr map, ArrayRef<DimAttr> space, bool isWritten);
    void addWhole(Value handle, bool isWritten);
    bool roots(Value handle, SmallVectorImpl<Value> &found, llvm::DenseSet<Value> &seen);
    bool isConflictFree(const LoopAccess &write);
    std::optional<DimAttr> iterationIndex(const LoopAccess &access, unsigned axis);
    bool varies(DimAttr e) {
        bool found = false;
        dimSymbols(e, [&](StringRef name) { found |= inner.contains(name); });
        return found;
    }

    ForOp loop;
    const PointsTo &pointsTo;
    const llvm::StringSet<> inner;
    SmallVector<LoopAccess> accesses;
    bool known = true;     // all operations are analysed
    bool unknown = false;  // an accessed array may be any
    bool mayRaise = false; // later iterations than the one that raises may have run then
};

//===-- The accesses of an iteration

void DependenceTest::addAccess(Value handle, ArrayAttr map, ArrayRef<DimAttr> space,
                               bool isWritten) {
    SmallVector<Value> found;
    llvm::DenseSet<Value> seen;
    unknown |= !roots(handle, found, seen);
    for (Value root : found) {
        LoopAccess t{accessOf(handle, map, pointsTo), SmallVector<DimAttr>(space), isWritten};
        if (t.access.root != root || isGatherMap(map))
            t.access = {handle, root, {}};
        accesses.push_back(t);
    }
}

void DependenceTest::addWhole(Value handle, bool isWritten) {
    ArrayRef<DimAttr> dims = cast<ArrayType>(handle.getType()).getDims();
    SmallVector<DimAttr> map;
    for (unsigned d = 0; d < dims.size(); ++d)
        map.push_back(iterator(loop.getContext(), d));
    addAccess(handle, dimArray(loop.getContext(), map), dims, isWritten);
}

// The arrays outside the loop that the handle may point to; false: it may be any.
bool DependenceTest::roots(Value handle, SmallVectorImpl<Value> &found,
                           llvm::DenseSet<Value> &seen) {
    Value root = pointsTo.memoryRoot(handle);
    if (!seen.insert(root).second)
        return true;
    if (!isInside(root)) {
        found.push_back(pointsTo.window(handle).root);
        return !isInside(found.back());
    }
    if (root.getDefiningOp<AllocOp>())
        return true;
    auto all = [&](std::initializer_list<Value> values) {
        return llvm::all_of(values, [&](Value v) { return roots(v, found, seen); });
    };
    if (auto argument = dyn_cast<BlockArgument>(root)) {
        auto nested = dyn_cast<ForOp>(argument.getOwner()->getParentOp());
        if (!nested || argument.getArgNumber() == 0)
            return false;
        const unsigned k = argument.getArgNumber() - 1;
        auto next = cast<NextOp>(nested.getBody().front().getTerminator());
        return all({nested.getInits()[k], next.getValues()[k]});
    }
    auto nested = root.getDefiningOp<ForOp>();
    if (!nested)
        return false;
    const unsigned k = cast<OpResult>(root).getResultNumber();
    auto next = cast<NextOp>(nested.getBody().front().getTerminator());
    return all({nested.getInits()[k], next.getValues()[k]});
}

// `i / n` in a loop up to n: n is not 0 in the body.
bool DependenceTest::dividesBySize(PyOp op) {
    if (op.getOp() != "truediv")
        return false;
    auto size = op.getOperands_()[1].getDefiningOp<SizeOp>();
    return size &&
           pointsTo.factsAt(op).provesGreaterEqual(size.getExpr(), dimConst(loop.getContext(), 1));
}

bool DependenceTest::addOperation(Operation *op) {
    auto writes = [](NestOp nest, unsigned k) { return cast<ArrayAttr>(nest.getWriteMaps()[k]); };
    if (auto nest = dyn_cast<NestOp>(op)) {
        SmallVector<DimAttr> space = dimVector(nest.getSpace());
        for (auto [handle, map] : llvm::zip_equal(nest.getReads(), nest.getReadMaps()))
            addAccess(handle, cast<ArrayAttr>(map), space, false);
        for (auto [k, handle] : llvm::enumerate(nest.getWrites()))
            addAccess(handle, writes(nest, k), space, true);
    } else if (auto load = dyn_cast<LoadOp>(op)) {
        addAccess(load.getBase(), load.getIndices(), {}, false);
    } else if (auto store = dyn_cast<StoreOp>(op)) {
        addAccess(store.getBase(), store.getIndices(), {}, true);
    } else if (auto gemm = dyn_cast<GemmOp>(op)) {
        addWhole(gemm.getLhs(), false);
        addWhole(gemm.getRhs(), false);
        if (gemm.getOut())
            addWhole(gemm.getOut(), true);
    } else if (auto next = dyn_cast<NextOp>(op)) {
        return !next.getCondition() || next->getParentOp() != loop;
    } else if (isa<ForOp, WhileOp, IfOp>(op) || op->hasTrait<OpTrait::IsTerminator>()) {
        return true;
    } else {
        auto pyop = dyn_cast<PyOp>(op);
        // Reference counts of arrays from outside go up and down, but never to 0 here.
        const bool cannotRaise = isPureOp(op) || borrowedFrom(op) ||
                                 isa<SymbolOp, UnboundOp, RetainOp, ReleaseOp>(op) ||
                                 (pyop && dividesBySize(pyop));
        mayRaise |= !cannotRaise;
        return cannotRaise || isa<PyOp, RequireOp>(op);
    }
    return true;
}

void DependenceTest::collect() {
    loop.getBody().walk([&](Operation *op) {
        if (op->getParentOfType<NestOp>()) // its body has only scalars
            return WalkResult::advance();
        known = addOperation(op);
        return known ? WalkResult::advance() : WalkResult::interrupt();
    });
}

//===-- Accesses that no other iteration conflicts with

// The subscript along one axis, reduced to what identifies the iteration: without the iterators of
// a nest inside, if the loop's stride along the axis is at least their size. None: two iterations
// may access the same index there.
std::optional<DimAttr> DependenceTest::iterationIndex(const LoopAccess &t, unsigned axis) {
    MLIRContext *ctx = loop.getContext();
    const DimFacts &facts = pointsTo.factsAt(loop.getBody().front().getTerminator());
    DimAttr variable = dimSymbol(ctx, loop.getVar());
    std::optional<DimParts> parts = dimPartsIn(t.access.index[axis], variable);
    if (!parts || varies(parts->coefficient))
        return std::nullopt;
    const bool isFalling = parts->coefficient.isConst() && parts->coefficient.getValue() < 0;
    if (!isFalling && !facts.provesGreaterEqual(parts->coefficient, dimConst(ctx, 1)))
        return std::nullopt;
    DimAttr rest = parts->rest;
    for (auto [k, size] : llvm::enumerate(t.space)) {
        DimAttr symbol = iterator(ctx, k);
        if (!dimUses(rest, symbol.getName()))
            continue;
        std::optional<DimLinear> own = dimLinearIn(rest, symbol.getName());
        DimAttr stride = dimMul(parts->coefficient, loop.getStep());
        if (!own || own->coefficient != 1 || !facts.provesGreaterEqual(stride, size))
            return std::nullopt;
        rest = own->rest;
    }
    if (varies(rest))
        return std::nullopt;
    return dimAdd(rest, dimMul(parts->coefficient, variable));
}

bool DependenceTest::isConflictFree(const LoopAccess &write) {
    if (pointsTo.selfOverlapping(write.access.root))
        return false;
    if (mayRaise && !write.access.root.getDefiningOp<AllocOp>()) // a fresh array is dead then
        return false;
    SmallVector<const LoopAccess *> others;
    for (const LoopAccess &t : accesses)
        if (t.access.root == write.access.root)
            others.push_back(&t);
        else if (!pointsTo.disjoint(write.access.root, t.access.root, loop))
            return false;
    for (unsigned axis = 0; axis < write.access.index.size(); ++axis) {
        std::optional<DimAttr> index = iterationIndex(write, axis);
        if (index && llvm::all_of(others, [&](const LoopAccess *t) {
                return axis < t->access.index.size() && iterationIndex(*t, axis) == index;
            }))
            return true;
    }
    return false;
}

//===-- The cost of an iteration

// Sizes and trip counts that are not loop-invariant are assumed.
DimAttr costOf(Operation &op, const llvm::StringSet<> &inner) {
    MLIRContext *ctx = op.getContext();
    auto known = [&](DimAttr size) {
        bool varies = false;
        dimSymbols(size, [&](StringRef name) { varies |= inner.contains(name); });
        if (varies && size.getKind() == DimKind::Min) // a block
            for (DimAttr most : size.getOperands())
                if (most.isConst())
                    return most;
        return varies ? dimConst(ctx, assumedTripCount) : size;
    };
    DimAttr each = dimConst(ctx, 0);
    for (Region &region : op.getRegions())
        for (Operation &inside : region.front().without_terminator())
            each = dimAdd(each, costOf(inside, inner));
    if (auto loop = dyn_cast<ForOp>(op))
        return dimMul(known(dimSub(loop.getUpper(), loop.getLower())), each);
    if (isa<WhileOp>(op))
        return dimMul(dimConst(ctx, assumedTripCount), each);
    if (auto nest = dyn_cast<NestOp>(op)) {
        for (DimAttr size : dimVector(nest.getSpace()))
            each = dimMul(each, known(size));
        return each;
    }
    return isa<IfOp>(op) ? each : dimConst(ctx, std::max(4, elementCost(&op)));
}

//===-- The pass

bool isLongEnough(ForOp loop) {
    DimAttr trips = dimSub(loop.getUpper(), loop.getLower());
    if (trips.isConst() && std::abs(trips.getValue()) < minSharedTripCount)
        return false;
    const bool isRepeated = loop->getParentOfType<ForOp>() || loop->getParentOfType<WhileOp>();
    return !isRepeated || loop.getBody()
                              .walk([](Operation *op) {
                                  return isa<ForOp, WhileOp, NestOp, GemmOp>(op)
                                             ? WalkResult::interrupt()
                                             : WalkResult::advance();
                              })
                              .wasInterrupted();
}

} // namespace

void markParallelLoops(FuncOp func) {
    if (func.getRecursive())
        return;
    const bool debug =
        NpDialect::DebugAttrHelper(func.getContext()).isAttrPresent(func->getParentOp());
    auto unit = UnitAttr::get(func.getContext());
    std::optional<PointsTo> pointsTo; // for functions with such loops only
    func.walk<WalkOrder::PreOrder>([&](ForOp loop) {
        const bool isPromised = loop.getPrange();
        const bool isLong = isPromised || isLongEnough(loop);
        if (!loop.getInits().empty() || !isLong || loop.getStripMined() || (debug && !isPromised))
            return WalkResult::advance();
        if (!pointsTo)
            pointsTo.emplace(func);
        DependenceTest test(loop, *pointsTo);
        const bool isProved = test.isIndependent();
        if (debug && !isProved)
            loop.setDependenceCheckedAttr(unit);
        if (debug || !(isProved || (isPromised && test.isThreadSafe())))
            return WalkResult::advance();
        loop.setMultithreadedAttr(unit);
        return WalkResult::skip();
    });
}

bool hasNoLoopCarriedDependence(ForOp loop, const PointsTo &pointsTo, bool mayRaise) {
    DependenceTest test(loop, pointsTo);
    if (mayRaise)
        test.ignoreErrors();
    return test.raisesNothing() && test.isIndependent();
}

DimAttr iterationCost(ForOp loop) {
    llvm::StringSet<> inner = symbolsBoundIn(loop);
    inner.insert(loop.getVar());
    DimAttr cost = dimConst(loop.getContext(), 0);
    for (Operation &op : loop.getBody().front().without_terminator())
        cost = dimAdd(cost, costOf(op, inner));
    return cost;
}

} // namespace shapecast
