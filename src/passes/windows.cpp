// Windows of cheap values are computed, not stored and read: a part of np-promote.
//
//     d = a[1:] - a[:-1]                     array d is never made:
//     return d[1:] + d[:-1]       ->         return (a[2:] - a[1:-1]) + (a[1:-1] - a[:-2])
//
// A view of an expression is the same expression over views of its operands. The elements in which
// windows overlap are computed again; that costs a few flops, where an array costs a trip to
// memory.
#include "passes/promote.h"

#include "ir/layout.h"
#include "passes/motion.h"
#include "passes/points_to.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr int mostFlopsAgain = 16; // per element, over all windows of one array

// Flops of one element of the expression, counted as a tree; none if it is not made of operations
// that a window can be pushed through.
std::optional<int> treeCost(Value value) {
    Operation *op = value.getDefiningOp();
    if (isa<ReadOp, SplatOp>(op))
        return 0;
    if (!isa<UfuncOp, CastOp, BroadcastOp>(op))
        return std::nullopt;
    int cost = elementCost(op);
    for (Value operand : op->getOperands()) {
        if (!isa<RankedTensorType>(operand.getType()))
            continue;
        std::optional<int> inner = treeCost(operand);
        if (!inner || (cost += *inner) > cheapCost)
            return std::nullopt;
    }
    return cost;
}

// What a view does to its base, over the base's dims.
struct Part {
    SmallVector<DimAttr> offsets, steps; // per dimension of the base
    SmallVector<int64_t> axes;           // per dimension of the result, -1: a new one
    SmallVector<DimAttr> dims;           // of the result
};

Part partOf(const Window &window, ArrayType type) {
    Part part{window.offset, window.step, SmallVector<int64_t>(type.getRank(), -1),
              llvm::to_vector(type.getDims())};
    for (auto [d, axis] : llvm::enumerate(window.axis))
        if (axis >= 0)
            part.axes[axis] = d;
    return part;
}

// Builds the part of an expression in front of the read that asks for it.
class Pusher {
public:
    Pusher(ReadOp at, const PointsTo &pointsTo) : at(at), pointsTo(pointsTo), builder(at) {}

    // Null where it cannot be done; what was built until then has no use.
    Value push(Value value, const Part &part) {
        Operation *op = value.getDefiningOp();
        if (auto read = dyn_cast<ReadOp>(op))
            return readPart(read, part);
        if (auto splat = dyn_cast<SplatOp>(op))
            return SplatOp::create(builder, op->getLoc(), splat.getScalar(), part.dims,
                                   deviceOf(value.getType()));
        if (auto broadcast = dyn_cast<BroadcastOp>(op))
            return pushBroadcast(broadcast, part);
        Type type = valueType(part.dims, cast<RankedTensorType>(value.getType()).getElementType(),
                              deviceOf(value.getType()));
        SmallVector<Value> operands;
        for (Value operand : op->getOperands()) {
            bool whole = isa<RankedTensorType>(operand.getType());
            if (whole && valueDims(operand.getType()) != valueDims(value.getType()))
                return {};
            operands.push_back(whole ? push(operand, part) : operand);
            if (!operands.back())
                return {};
        }
        Operation *made =
            Operation::create(op->getLoc(), op->getName(), TypeRange(type), operands,
                              op->getAttrDictionary(), op->getPropertiesStorage(), BlockRange(), 0);
        return builder.insert(made)->getResult(0);
    }

private:
    Value readPart(ReadOp read, const Part &part) {
        if (crossesLoop(read, at) || writtenBetween(read.getBase(), read, at, pointsTo))
            return {};
        Value view = ViewOp::create(builder, read.getLoc(), read.getBase(), part.offsets,
                                    part.steps, part.axes, part.dims, pointsTo.factsAt(at));
        return ReadOp::create(builder, read.getLoc(), view);
    }

    // A dimension that the broadcast adds or repeats is 1 in the part of its operand.
    Value pushBroadcast(BroadcastOp op, const Part &part) {
        ArrayRef<DimAttr> from = valueDims(op.getValue().getType()), to = valueDims(op.getType());
        const size_t added = to.size() - from.size();
        DimAttr zero = dimConst(op.getContext(), 0), one = dimConst(op.getContext(), 1);
        Part inner{{},
                   {},
                   SmallVector<int64_t>(part.axes.size(), -1),
                   SmallVector<DimAttr>(part.axes.size(), one)};
        for (size_t d = 0; d < from.size(); ++d) {
            const bool whole = from[d] == to[d + added];
            if (!whole && !from[d].isConst(1))
                return {}; // 1 or not: known at run time only
            inner.offsets.push_back(whole ? part.offsets[d + added] : zero);
            inner.steps.push_back(whole ? part.steps[d + added] : one);
            auto axis = llvm::find(part.axes, static_cast<int64_t>(d + added));
            if (!whole || axis == part.axes.end())
                continue;
            inner.axes[axis - part.axes.begin()] = d;
            inner.dims[axis - part.axes.begin()] = part.dims[axis - part.axes.begin()];
        }
        Value pushed = push(op.getValue(), inner);
        return pushed ? BroadcastOp::create(builder, op.getLoc(), pushed, part.dims).getResult()
                      : Value();
    }

    ReadOp at;
    const PointsTo &pointsTo;
    OpBuilder builder;
};

// Reads of views of the array, if nothing else is done with it.
bool onlyReadInParts(Value handle, SmallVectorImpl<ReadOp> &reads) {
    return llvm::all_of(handle.getUsers(), [&](Operation *user) {
        if (isa<ViewOp>(user))
            return onlyReadInParts(user->getResult(0), reads);
        auto read = dyn_cast<ReadOp>(user);
        if (read)
            reads.push_back(read);
        return static_cast<bool>(read);
    });
}

bool pushReads(MaterializeOp array, const PointsTo &pointsTo) {
    SmallVector<ReadOp> reads;
    if (!onlyReadInParts(array, reads) || reads.empty())
        return false;
    std::optional<int> cost = treeCost(array.getValue());
    if (!cost || *cost * static_cast<int>(reads.size()) > mostFlopsAgain)
        return false;
    SmallVector<Value> parts;
    for (ReadOp read : reads) {
        if (crossesLoop(array, read))
            return false;
        auto type = cast<ArrayType>(read.getBase().getType());
        Part part = partOf(pointsTo.window(read.getBase()), type);
        parts.push_back(Pusher(read, pointsTo).push(array.getValue(), part));
        if (!parts.back())
            return false;
    }
    for (auto [read, part] : llvm::zip(reads, parts)) {
        read.replaceAllUsesWith(part);
        read->erase();
    }
    pointsTo.forgetFacts();
    return true;
}

} // namespace

bool shapecast::pushWindows(FuncOp func) {
    PointsTo pointsTo(func);
    SmallVector<MaterializeOp> arrays;
    func->walk([&](MaterializeOp array) { arrays.push_back(array); });
    bool changed = false;
    for (MaterializeOp array : arrays) // in program order: what is pushed may be pushed again
        changed |= pushReads(array, pointsTo);
    return changed;
}
