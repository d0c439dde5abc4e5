// np-parallel: see the header.
#include "passes/parallel.h"

#include "ir/anywhere.h"
#include "passes/accesses.h"
#include "passes/lanes.h"
#include "passes/motion.h"
#include "passes/nests.h"
#include "passes/registers.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr int64_t fewTurns = 4; // not worth sharing
constexpr int64_t usualTurns = 16;

// Symbols whose value differs within a turn.
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

// One access of a turn. Its index is empty where nothing is known of it.
struct Touched {
    Access access;
    SmallVector<DimAttr> space; // sizes of the iterators d0, d1, ... in the index
    bool isWritten;
};

class Turns {
public:
    Turns(ForOp loop, const PointsTo &pointsTo)
        : loop(loop), pointsTo(pointsTo), inner(symbolsBoundIn(loop)) {
        collect();
    }

    bool isQuiet() const { return !mayRaise; }
    void ignoreErrors() { mayRaise = false; }
    // Whatever happens in a turn can happen in several at once.
    bool mayBeShared() const { return known; }
    bool areIndependent() {
        return known && !unknown &&
               llvm::all_of(touched, [&](const Touched &t) { return !t.isWritten || isOwn(t); });
    }

private:
    bool isInside(Value value) { return loop.getBody().isAncestor(value.getParentRegion()); }
    void collect();
    bool dividesBySize(PyOp op);
    bool operation(Operation *op);
    void touch(Value handle, ArrayAttr map, ArrayRef<DimAttr> space, bool isWritten);
    void touchWhole(Value handle, bool isWritten);
    bool roots(Value handle, SmallVectorImpl<Value> &found, llvm::DenseSet<Value> &seen);
    bool isOwn(const Touched &write);
    std::optional<DimAttr> turnPlace(const Touched &touched, unsigned axis);
    bool varies(DimAttr e) {
        bool found = false;
        dimSymbols(e, [&](StringRef name) { found |= inner.contains(name); });
        return found;
    }

    ForOp loop;
    const PointsTo &pointsTo;
    const llvm::StringSet<> inner;
    SmallVector<Touched> touched;
    bool known = true;     // what is done in a turn
    bool unknown = false;  // some array may be any
    bool mayRaise = false; // and then turns behind the one that raises may have run
};

//===-- What a turn touches

void Turns::touch(Value handle, ArrayAttr map, ArrayRef<DimAttr> space, bool isWritten) {
    SmallVector<Value> found;
    llvm::DenseSet<Value> seen;
    unknown |= !roots(handle, found, seen);
    for (Value root : found) {
        Touched t{accessOf(handle, map, pointsTo), SmallVector<DimAttr>(space), isWritten};
        if (t.access.root != root || isAnywhere(map))
            t.access = {handle, root, {}};
        touched.push_back(t);
    }
}

void Turns::touchWhole(Value handle, bool isWritten) {
    ArrayRef<DimAttr> dims = cast<ArrayType>(handle.getType()).getDims();
    SmallVector<DimAttr> map;
    for (unsigned d = 0; d < dims.size(); ++d)
        map.push_back(iterator(loop.getContext(), d));
    touch(handle, dimArray(loop.getContext(), map), dims, isWritten);
}

// The arrays outside the loop whose memory the handle may name; false: it may be any.
bool Turns::roots(Value handle, SmallVectorImpl<Value> &found, llvm::DenseSet<Value> &seen) {
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

// `i / n` in a loop up to n: n is not 0 where that is done.
bool Turns::dividesBySize(PyOp op) {
    if (op.getOp() != "truediv")
        return false;
    auto size = op.getOperands_()[1].getDefiningOp<SizeOp>();
    return size &&
           pointsTo.factsAt(op).provesGreaterEqual(size.getExpr(), dimConst(loop.getContext(), 1));
}

bool Turns::operation(Operation *op) {
    auto writes = [](NestOp nest, unsigned k) { return cast<ArrayAttr>(nest.getWriteMaps()[k]); };
    if (auto nest = dyn_cast<NestOp>(op)) {
        SmallVector<DimAttr> space = dimVector(nest.getSpace());
        for (auto [handle, map] : llvm::zip_equal(nest.getReads(), nest.getReadMaps()))
            touch(handle, cast<ArrayAttr>(map), space, false);
        for (auto [k, handle] : llvm::enumerate(nest.getWrites()))
            touch(handle, writes(nest, k), space, true);
    } else if (auto load = dyn_cast<LoadOp>(op)) {
        touch(load.getBase(), load.getIndices(), {}, false);
    } else if (auto store = dyn_cast<StoreOp>(op)) {
        touch(store.getBase(), store.getIndices(), {}, true);
    } else if (auto gemm = dyn_cast<GemmOp>(op)) {
        touchWhole(gemm.getLhs(), false);
        touchWhole(gemm.getRhs(), false);
        if (gemm.getOut())
            touchWhole(gemm.getOut(), true);
    } else if (auto next = dyn_cast<NextOp>(op)) {
        return !next.getGo() || next->getParentOp() != loop;
    } else if (isa<ForOp, WhileOp, IfOp>(op) || op->hasTrait<OpTrait::IsTerminator>()) {
        return true;
    } else {
        auto pyop = dyn_cast<PyOp>(op);
        // Owners of arrays from outside are counted up and down, but these live on.
        const bool isSilent = isPureOp(op) || borrowedFrom(op) ||
                              isa<SymbolOp, UnboundOp, RetainOp, ReleaseOp>(op) ||
                              (pyop && dividesBySize(pyop));
        mayRaise |= !isSilent;
        return isSilent || isa<PyOp, RequireOp>(op);
    }
    return true;
}

void Turns::collect() {
    loop.getBody().walk([&](Operation *op) {
        if (op->getParentOfType<NestOp>()) // its body: scalars
            return WalkResult::advance();
        known = operation(op);
        return known ? WalkResult::advance() : WalkResult::interrupt();
    });
}

//===-- What no other turn touches

// The index along one axis without what is the same in all turns or stays within one: `place` of
// `place + iterator`, where neighbouring turns are at least as far apart as the iterator runs.
// None: turns may meet there.
std::optional<DimAttr> Turns::turnPlace(const Touched &t, unsigned axis) {
    MLIRContext *ctx = loop.getContext();
    const DimFacts &facts = pointsTo.factsAt(loop.getBody().front().getTerminator());
    DimAttr turn = dimSymbol(ctx, loop.getVar());
    std::optional<DimParts> parts = dimPartsIn(t.access.index[axis], turn);
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
        DimAttr apart = dimMul(parts->coefficient, loop.getStep());
        if (!own || own->coefficient != 1 || !facts.provesGreaterEqual(apart, size))
            return std::nullopt;
        rest = own->rest;
    }
    if (varies(rest))
        return std::nullopt;
    return dimAdd(rest, dimMul(parts->coefficient, turn));
}

bool Turns::isOwn(const Touched &write) {
    if (pointsTo.selfOverlapping(write.access.root))
        return false;
    if (mayRaise && !write.access.root.getDefiningOp<AllocOp>()) // who sees the others is gone
        return false;
    SmallVector<const Touched *> others;
    for (const Touched &t : touched)
        if (t.access.root == write.access.root)
            others.push_back(&t);
        else if (!pointsTo.disjoint(write.access.root, t.access.root, loop))
            return false;
    for (unsigned axis = 0; axis < write.access.index.size(); ++axis) {
        std::optional<DimAttr> place = turnPlace(write, axis);
        if (place && llvm::all_of(others, [&](const Touched *t) {
                return axis < t->access.index.size() && turnPlace(*t, axis) == place;
            }))
            return true;
    }
    return false;
}

//===-- How much a turn does

// Sizes and counts that differ from turn to turn are guessed.
DimAttr workOf(Operation &op, const llvm::StringSet<> &inner) {
    MLIRContext *ctx = op.getContext();
    auto known = [&](DimAttr size) {
        bool varies = false;
        dimSymbols(size, [&](StringRef name) { varies |= inner.contains(name); });
        if (varies && size.getKind() == DimKind::Min) // a block
            for (DimAttr most : size.getOperands())
                if (most.isConst())
                    return most;
        return varies ? dimConst(ctx, usualTurns) : size;
    };
    DimAttr each = dimConst(ctx, 0);
    for (Region &region : op.getRegions())
        for (Operation &inside : region.front().without_terminator())
            each = dimAdd(each, workOf(inside, inner));
    if (auto loop = dyn_cast<ForOp>(op))
        return dimMul(known(dimSub(loop.getUpper(), loop.getLower())), each);
    if (isa<WhileOp>(op))
        return dimMul(dimConst(ctx, usualTurns), each);
    if (auto nest = dyn_cast<NestOp>(op)) {
        for (DimAttr size : dimVector(nest.getSpace()))
            each = dimMul(each, known(size));
        return each;
    }
    return isa<IfOp>(op) ? each : dimConst(ctx, std::max(4, elementCost(&op)));
}

//===-- The pass

bool isLongEnough(ForOp loop) {
    DimAttr turns = dimSub(loop.getUpper(), loop.getLower());
    if (turns.isConst() && std::abs(turns.getValue()) < fewTurns)
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

bool mayHaveNests(ForOp loop) {
    return loop.getBody().walk([](NestOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

struct Parallel : PassWrapper<Parallel, OperationPass<ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Parallel)
    StringRef getArgument() const final { return "np-parallel"; }
    StringRef getDescription() const final { return "which loops threads may share"; }
    void runOnOperation() final {
        const bool debug = getOperation()->hasAttr("np.debug");
        for (auto func : getOperation().getOps<FuncOp>()) {
            if (func->hasAttr("recursive") || func.isDeclaration())
                continue;
            std::optional<PointsTo> pointsTo; // for functions with such loops only
            func.walk<WalkOrder::PreOrder>([&](ForOp loop) {
                const bool isPromised = loop->hasAttr("promised");
                const bool isLong = isPromised || isLongEnough(loop);
                if (!loop.getInits().empty() || !isLong || loop->hasAttr("strips") ||
                    (debug && !isPromised))
                    return WalkResult::advance();
                if (!pointsTo)
                    pointsTo.emplace(func);
                Turns turns(loop, *pointsTo);
                const bool isProved = turns.areIndependent();
                if (debug && !isProved)
                    loop->setAttr("checked", UnitAttr::get(&getContext()));
                if (debug || !(isProved || (isPromised && turns.mayBeShared())))
                    return WalkResult::advance();
                loop->setAttr("shared", UnitAttr::get(&getContext()));
                return WalkResult::skip();
            });
            SmallVector<ForOp> loops; // what stands beside them may move
            func.walk<WalkOrder::PreOrder>([&](ForOp loop) { loops.push_back(loop); });
            ForOp done;
            for (ForOp loop : debug ? ArrayRef<ForOp>() : ArrayRef(loops)) {
                if ((done && done->isAncestor(loop)) || !mayHaveNests(loop))
                    continue;
                if (!pointsTo)
                    pointsTo.emplace(func);
                if (keepInRegisters(loop, *pointsTo))
                    done = loop;
            }
            func.walk([&](ForOp loop) {
                if (debug || !mayHaveLanes(loop))
                    return;
                if (!pointsTo)
                    pointsTo.emplace(func);
                if (areLanesSafe(loop, *pointsTo))
                    loop->setAttr("lanes", UnitAttr::get(&getContext()));
            });
        }
    }
};

} // namespace

bool areTurnsIndependent(ForOp loop, const PointsTo &pointsTo, bool mayRaise) {
    Turns turns(loop, pointsTo);
    if (mayRaise)
        turns.ignoreErrors();
    return turns.isQuiet() && turns.areIndependent();
}

DimAttr turnWork(ForOp loop) {
    llvm::StringSet<> inner = symbolsBoundIn(loop);
    inner.insert(loop.getVar());
    DimAttr work = dimConst(loop.getContext(), 0);
    for (Operation &op : loop.getBody().front().without_terminator())
        work = dimAdd(work, workOf(op, inner));
    return work;
}

std::unique_ptr<Pass> createParallel() { return std::make_unique<Parallel>(); }

} // namespace shapecast
