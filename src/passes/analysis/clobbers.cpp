// Which operations clobber which arrays: see the header.
#include "passes/analysis/clobbers.h"

#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// The handles that the operation itself writes; false: it may clobber any array.
bool writtenHandles(Operation *op, SmallVectorImpl<Value> &handles) {
    if (auto assign = dyn_cast<AssignOp>(op))
        handles.push_back(assign.getBase());
    else if (auto store = dyn_cast<StoreOp>(op))
        handles.push_back(store.getBase());
    else if (auto nest = dyn_cast<NestOp>(op))
        llvm::append_range(handles, nest.getWrites());
    else if (auto native = dyn_cast<NativeOp>(op))
        llvm::append_range(handles, native.getOperands_().take_front(native.getWritten()));
    else if (auto gemm = dyn_cast<GemmOp>(op)) {
        if (gemm.getOut())
            handles.push_back(gemm.getOut());
    } else if (auto call = dyn_cast<CallOp>(op)) { // of a recursive function: reaches no others
        if (reachesContainers(call))
            return false;
        for (Value operand : call.getArgs())
            if (isa<ArrayType>(operand.getType()))
                handles.push_back(operand);
    } else
        return !isa<InplaceOp, SetItemOp, MethodOp>(op);
    return true;
}

bool writesItself(Operation *op) {
    SmallVector<Value> handles;
    return !writtenHandles(op, handles) || !handles.empty();
}

bool writesAnything(Operation *op) {
    if (op->getNumRegions() == 0 || isa<NestOp>(op))
        return writesItself(op);
    return op
        ->walk([&](Operation *inner) {
            return writesItself(inner) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
}

} // namespace

bool shapecast::mayWrite(Operation *op, Value handle, const PointsTo &pointsTo) {
    return op
        ->walk([&](Operation *inner) {
            SmallVector<Value> handles;
            if (!writtenHandles(inner, handles))
                return WalkResult::interrupt();
            for (Value written : handles)
                if (!pointsTo.disjoint(written, handle, inner))
                    return WalkResult::interrupt();
            return WalkResult::advance();
        })
        .wasInterrupted();
}

SmallVector<Operation *> shapecast::writersBetween(Operation *from, Operation *to) {
    SmallVector<Operation *> writers;
    auto scan = [&](Block::iterator begin, Block::iterator end) {
        for (Operation &op : llvm::make_range(begin, end))
            if (writesAnything(&op))
                writers.push_back(&op);
    };
    Operation *cursor = to;
    while (cursor->getBlock() != from->getBlock()) {
        Operation *parent = cursor->getParentOp();
        if (isa<ForOp, WhileOp, ForEachOp>(parent)) { // earlier iterations ran its whole body
            if (writesAnything(parent))
                writers.push_back(parent);
        } else {
            scan(cursor->getBlock()->begin(), cursor->getIterator());
        }
        cursor = parent;
    }
    scan(std::next(from->getIterator()), cursor->getIterator());
    return writers;
}

bool shapecast::isClobberedBetween(Value handle, Operation *from, Operation *to,
                                   const PointsTo &pointsTo) {
    return llvm::any_of(writersBetween(from, to),
                        [&](Operation *op) { return mayWrite(op, handle, pointsTo); });
}

bool shapecast::crossesLoop(Operation *outer, Operation *inner) {
    for (Operation *op = inner; op->getBlock() != outer->getBlock(); op = op->getParentOp())
        if (isa<ForOp, WhileOp, ForEachOp>(op->getParentOp()))
            return true;
    return false;
}

static bool isNonzero(Value number) {
    auto constant = number.getDefiningOp<ConstOp>();
    if (!constant)
        return false;
    if (auto real = dyn_cast<FloatAttr>(constant.getValue()))
        return !real.getValue().isZero();
    auto whole = dyn_cast<IntegerAttr>(constant.getValue());
    return whole && !whole.getValue().isZero();
}

// Python's operation on numbers: whether it cannot raise.
static bool isPure(PyOp op) {
    const StringRef name = op.getOp();
    auto isWide = [](Type type) { return isa<PyWideIntType>(type); };
    if (llvm::any_of(op->getOperandTypes(), isWide) || isWide(op.getType())) // two registers each
        return false;
    if (name.starts_with("wide.")) // they stay beside the operation that they are for
        return false;
    if (op.getNowrap() || llvm::is_contained({"lt", "le", "gt", "ge", "eq", "ne", "not", "is",
                                              "is_not", "bool", "pos", "min", "max"},
                                             name))
        return true;
    if (isa<PyIntType>(op.getResult().getType()))
        return false;
    if (name == "truediv")
        return isNonzero(op.getOperands_()[1]);
    if (name == "abs") // of a complex number it may overflow
        return !isa<PyComplexType>(op.getOperands_()[0].getType());
    return llvm::is_contained({"add", "sub", "mul", "neg", "complex", "float"}, name);
}

bool shapecast::isPureOp(Operation *op) {
    auto pyop = dyn_cast<PyOp>(op);
    return pyop ? isPure(pyop) : isMemoryEffectFree(op) || isa<UfuncOp, TruthOp, AllocOp>(op);
}

bool shapecast::isHoistable(Operation &op) {
    return isa<ViewOp, AllocOp>(op) ||
           (isPureOp(&op) && llvm::all_of(op.getResultTypes(), isScalar));
}

int shapecast::elementCost(Operation *op) {
    auto ufunc = dyn_cast<UfuncOp>(op);
    if (isa<TakeOp>(op))
        return 20; // a cache miss, often
    if (!ufunc)
        return isa<CastOp>(op) ? 1 : 0;
    const Ufunc *entry = findUfunc(ufunc.getName());
    return entry ? entry->cost : 20;
}
