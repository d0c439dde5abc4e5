// Which loops are vectorised over their iterations: see the header.
#include "passes/loops/outer_vectorisation.h"

#include "ir/dim_facts.h"
#include "passes/loops/parallel.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr size_t maxSliceSize = 16; // it is cloned for each lane

bool areNumbers(TypeRange types) { return llvm::all_of(types, isScalar); }

// Ints of 128 bits have no lanes.
bool hasWideInts(Operation *op) {
    auto isWide = [](Type type) { return isa<PyWideIntType>(type); };
    return llvm::any_of(op->getOperandTypes(), isWide) ||
           llvm::any_of(op->getResultTypes(), isWide);
}

bool countsUp(ForOp loop) { return loop.getStep().isConst(1); }

// The names of symbols that are not loop-invariant.
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

// Whether the operation, anywhere in the body, is one of those that the header lists.
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
           areNumbers(op->getResultTypes()) && !hasWideInts(op);
}

bool isSimple(Operation *op) {
    if (auto branch = dyn_cast<IfOp>(op))
        return llvm::all_of(branch->getRegions(), [](Region &region) {
            return llvm::all_of(region.front(), [](Operation &inner) { return isSimple(&inner); });
        });
    return isa<ConstOp, SizeOp, PyOp, UfuncOp, CastOp, TruthOp, UnboundOp, SymbolOp, YieldOp>(op) &&
           areNumbers(op->getResultTypes()) && !hasWideInts(op);
}

} // namespace

std::optional<llvm::SetVector<Operation *>> recurrenceSlice(ForOp loop) {
    Block &body = loop.getBody().front();
    llvm::DenseSet<Value> dependent;
    dependent.insert_range(body.getArguments().drop_front());
    llvm::StringSet<> names; // of such values
    llvm::SetVector<Operation *> slice;
    auto isDependent = [&](Operation *op) {
        auto size = dyn_cast<SizeOp>(op);
        return (size && uses(size.getExpr(), names)) ||
               llvm::any_of(op->getOperands(), [&](Value v) { return dependent.contains(v); });
    };
    for (Operation &op : body.without_terminator()) {
        bool depends = false;
        op.walk([&](Operation *inner) { depends |= isDependent(inner); });
        if (!depends)
            continue;
        if (!isSimple(&op) || slice.size() == maxSliceSize)
            return std::nullopt;
        slice.insert(&op);
        dependent.insert_range(op.getResults());
        op.walk([&](SymbolOp symbol) { names.insert(symbol.getName()); });
    }
    return slice;
}

bool mayVectoriseOuter(ForOp loop) {
    if (!countsUp(loop) || !areNumbers(loop.getInits().getTypes()) || !recurrenceSlice(loop) ||
        loop.getStripMined())
        return false;
    const llvm::StringSet<> varying = symbolsOf(loop);
    bool diverges = false, stored = false, carries = !loop.getInits().empty();
    const WalkResult walk = loop.getBody().walk([&](Operation *op) {
        if (isa<WhileOp>(op))
            diverges = true;
        if (auto next = dyn_cast<NextOp>(op))
            diverges |= next.getCondition() && isa<ForOp>(op->getParentOp());
        stored |= isa<StoreOp>(op);
        const bool isLate = stored && isa<LoadOp>(op); // all loads precede all stores
        return isLate || !isFit(op, loop, varying) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
    });
    auto next = cast<NextOp>(loop.getBody().front().getTerminator());
    return !walk.wasInterrupted() && diverges && (stored || carries) && !next.getCondition();
}

bool isOuterVectorisationSafe(ForOp loop, const PointsTo &pointsTo) {
    if (!hasNoLoopCarriedDependence(loop, pointsTo, /*mayRaise=*/true))
        return false;
    const DimAttr zero = dimConst(loop.getContext(), 0);
    const DimFacts &facts = pointsTo.factsAt(&loop.getBody().front().front());
    return !loop.getBody()
                .walk([&](LoadOp load) {
                    if (load->getParentOp() == loop) // executed in each iteration
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

void markOuterVectorisation(FuncOp func) {
    if (func.getRecursive() ||
        NpDialect::DebugAttrHelper(func.getContext()).isAttrPresent(func->getParentOp()))
        return;
    std::optional<PointsTo> pointsTo; // for functions with such loops only
    func.walk([&](ForOp loop) {
        if (!mayVectoriseOuter(loop))
            return;
        if (!pointsTo)
            pointsTo.emplace(func);
        if (isOuterVectorisationSafe(loop, *pointsTo))
            loop.setOuterVectorAttr(UnitAttr::get(func.getContext()));
    });
}

} // namespace shapecast
