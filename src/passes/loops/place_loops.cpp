// np-place-loops: see the header.
#include "passes/loops/place_loops.h"

#include "passes/analysis/clobbers.h"
#include "passes/analysis/points_to.h"
#include "passes/loops/parallel.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

bool isOnDevice(Value value) { return bool(deviceOf(value.getType())); }

// What single element an operation accesses; null: it accesses none.
Value accessedArray(Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
        return load.getBase();
    auto store = dyn_cast<StoreOp>(op);
    return store ? store.getBase() : Value();
}

bool anyInside(Operation *loop, llvm::function_ref<bool(Operation *)> holds) {
    return loop
        ->walk([&](Operation *op) {
            return op != loop && holds(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
}

bool accessesElements(Operation *loop) {
    return anyInside(loop, [](Operation *op) {
        Value array = accessedArray(op);
        return array && isOnDevice(array);
    });
}

// Arithmetic, control flow, and elements of arrays on the device: what a thread can do.
bool isThreadCode(Operation *op) {
    if (Value array = accessedArray(op))
        return isOnDevice(array);
    return isPureOp(op) || borrowedFrom(op) ||
           isa<PyOp, RequireOp, SymbolOp, ForOp, WhileOp, IfOp>(op) ||
           op->hasTrait<OpTrait::IsTerminator>();
}

// Operations on whole arrays on a device.
bool isOfWholeArrays(Operation *op) {
    if (accessedArray(op) || borrowedFrom(op) || isa<ForOp, WhileOp, IfOp>(op) ||
        op->hasTrait<OpTrait::IsTerminator>())
        return false;
    return llvm::any_of(op->getOperands(), isOnDevice) ||
           llvm::any_of(op->getResults(), isOnDevice);
}

class LoopPlacement {
public:
    explicit LoopPlacement(FuncOp func) : func(func) {}

    void run() {
        func.walk<WalkOrder::PreOrder>([&](Operation *op) {
            return isa<ForOp, WhileOp>(op) && accessesElements(op) ? place(op)
                                                                   : WalkResult::advance();
        });
    }

private:
    bool isIndependent(ForOp loop) {
        if (!loop.getInits().empty())
            return false;
        if (!pointsTo)
            pointsTo.emplace(func);
        return loop.getPrange() || hasNoLoopCarriedDependence(loop, *pointsTo, /*mayRaise=*/true);
    }

    bool isKernel(Operation *op) {
        auto loop = dyn_cast<ForOp>(op);
        return loop && !anyInside(loop, [](Operation *o) { return !isThreadCode(o); }) &&
               isIndependent(loop);
    }

    // The only thing in the loop that is more than scalars.
    ForOp onlyLoopIn(ForOp outer) {
        ForOp inner;
        for (Operation &op : outer.getBody().front().without_terminator()) {
            auto loop = dyn_cast<ForOp>(op);
            if (loop && !inner)
                inner = loop;
            else if (op.getNumRegions() > 0 || accessedArray(&op))
                return {};
        }
        return inner;
    }

    WalkResult place(Operation *op) {
        Builder b(func.getContext());
        if (isKernel(op)) {
            auto loop = cast<ForOp>(op);
            loop.setPlacement("kernel");
            if (ForOp inner = onlyLoopIn(loop); inner && isIndependent(inner))
                inner.setPlacement("columns");
            return WalkResult::skip();
        }
        const bool launches = anyInside(op, [&](Operation *inner) {
            return isOfWholeArrays(inner) || (accessesElementsInLoop(inner) && isKernel(inner));
        });
        if (launches || llvm::any_of(op->getOperands(), isOnDevice) ||
            llvm::any_of(op->getResults(), isOnDevice))
            return WalkResult::advance();
        op->setAttr("placement", b.getStringAttr("host"));
        return WalkResult::skip();
    }

    static bool accessesElementsInLoop(Operation *op) {
        return isa<ForOp>(op) && accessesElements(op);
    }

    FuncOp func;
    std::optional<PointsTo> pointsTo; // of functions with such loops only
};

} // namespace

void placeLoops(FuncOp func) { LoopPlacement(func).run(); }

} // namespace shapecast
