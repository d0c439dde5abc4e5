// Which loops have lanes: see the header.
#include "passes/lanes.h"

#include "passes/parallel.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr size_t longestTail = 16; // it is there once for each lane

bool areNumbers(TypeRange types) { return llvm::all_of(types, isScalar); }

bool countsUp(ForOp loop) { return loop.getStep().isConst(1); }

// The names of symbols whose value differs within a turn, or from turn to turn.
llvm::StringSet<> symbolsOf(ForOp loop) {
    llvm::StringSet<> names;
    loop.walk([&](Operation *op) {
        if (auto nested = dyn_cast<ForOp>(op))
            names.insert(nested.getVar());
        else if (auto symbol = dyn_cast<SymbolOp>(op))
            names.insert(symbol.getName());
    });
    return names;
}

bool uses(DimAttr e, const llvm::StringSet<> &names) {
    bool found = false;
    dimSymbols(e, [&](StringRef name) { found |= names.contains(name); });
    return found;
}

// Whether the operation, somewhere in a turn, is one of those that the header names.
bool isFit(Operation *op, ForOp loop, const llvm::StringSet<> &varying) {
    if (auto nested = dyn_cast<ForOp>(op))
        return countsUp(nested) && areNumbers(nested.getInits().getTypes()) &&
               !uses(nested.getLower(), varying) && !uses(nested.getUpper(), varying);
    if (auto load = dyn_cast<LoadOp>(op)) {
        llvm::StringSet<> inner = varying;
        inner.erase(loop.getVar());
        return llvm::none_of(dimVector(load.getIndices()),
                             [&](DimAttr index) { return uses(index, inner); });
    }
    if (auto store = dyn_cast<StoreOp>(op)) {
        llvm::StringSet<> inner = varying;
        inner.erase(loop.getVar());
        return op->getParentOp() == loop &&
               llvm::none_of(dimVector(store.getIndices()),
                             [&](DimAttr index) { return uses(index, inner); });
    }
    return isa<ConstOp, SizeOp, PyOp, UfuncOp, CastOp, TruthOp, UnboundOp, SymbolOp, IfOp, WhileOp,
               TestOp, NextOp, YieldOp>(op) &&
           areNumbers(op->getResultTypes());
}

bool isSimple(Operation *op) {
    if (auto branch = dyn_cast<IfOp>(op))
        return llvm::all_of(branch->getRegions(), [](Region &region) {
            return llvm::all_of(region.front(), [](Operation &inner) { return isSimple(&inner); });
        });
    return isa<ConstOp, SizeOp, PyOp, UfuncOp, CastOp, TruthOp, UnboundOp, SymbolOp, YieldOp>(op) &&
           areNumbers(op->getResultTypes());
}

} // namespace

std::optional<llvm::SetVector<Operation *>> tailOf(ForOp loop) {
    Block &body = loop.getBody().front();
    llvm::DenseSet<Value> later;
    later.insert_range(body.getArguments().drop_front());
    llvm::StringSet<> names; // of such values
    llvm::SetVector<Operation *> tail;
    auto isLater = [&](Operation *op) {
        auto size = dyn_cast<SizeOp>(op);
        return (size && uses(size.getExpr(), names)) ||
               llvm::any_of(op->getOperands(), [&](Value v) { return later.contains(v); });
    };
    for (Operation &op : body.without_terminator()) {
        bool waits = false;
        op.walk([&](Operation *inner) { waits |= isLater(inner); });
        if (!waits)
            continue;
        if (!isSimple(&op) || tail.size() == longestTail)
            return std::nullopt;
        tail.insert(&op);
        later.insert_range(op.getResults());
        op.walk([&](SymbolOp symbol) { names.insert(symbol.getName()); });
    }
    return tail;
}

bool mayHaveLanes(ForOp loop) {
    if (!countsUp(loop) || !areNumbers(loop.getInits().getTypes()) || !tailOf(loop) ||
        loop->hasAttr("strips"))
        return false;
    const llvm::StringSet<> varying = symbolsOf(loop);
    bool differs = false, stored = false, gives = !loop.getInits().empty();
    const WalkResult walk = loop.getBody().walk([&](Operation *op) {
        if (isa<WhileOp>(op))
            differs = true;
        if (auto next = dyn_cast<NextOp>(op))
            differs |= next.getGo() && isa<ForOp>(op->getParentOp());
        stored |= isa<StoreOp>(op);
        const bool isLate = stored && isa<LoadOp>(op); // all that is loaded is loaded first
        return isLate || !isFit(op, loop, varying) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
    });
    auto next = cast<NextOp>(loop.getBody().front().getTerminator());
    return !walk.wasInterrupted() && differs && (stored || gives) && !next.getGo();
}

bool areLanesSafe(ForOp loop, const PointsTo &pointsTo) {
    if (!areTurnsIndependent(loop, pointsTo, /*mayRaise=*/true))
        return false;
    const DimAttr zero = dimConst(loop.getContext(), 0);
    const DimFacts &facts = pointsTo.factsAt(&loop.getBody().front().front());
    return !loop.getBody()
                .walk([&](LoadOp load) {
                    if (load->getParentOp() == loop) // in each turn
                        return WalkResult::advance();
                    ArrayRef<DimAttr> sizes = cast<ArrayType>(load.getBase().getType()).getDims();
                    for (auto [index, size] : llvm::zip_equal(dimVector(load.getIndices()), sizes))
                        if (!facts.provesGreaterEqual(index, zero) ||
                            !facts.provesGreaterEqual(dimSub(size, index),
                                                      dimConst(loop.getContext(), 1)))
                            return WalkResult::interrupt();
                    return WalkResult::advance();
                })
                .wasInterrupted();
}

} // namespace shapecast
