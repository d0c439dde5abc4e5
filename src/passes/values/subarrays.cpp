// Subarrays of expressions: see the header.
#include "passes/values/subarrays.h"

#include "ir/layout.h"
#include "passes/analysis/clobbers.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool isSame(const Subarray &a, const Subarray &b) {
    return a.offsets == b.offsets && a.steps == b.steps && a.axes == b.axes && a.dims == b.dims;
}

Subarray shapecast::subarrayOf(const Window &window, ArrayType type) {
    Subarray part{window.offset, window.step, SmallVector<int64_t>(type.getRank(), -1),
                  llvm::to_vector(type.getDims())};
    for (auto [d, axis] : llvm::enumerate(window.axis))
        if (axis >= 0)
            part.axes[axis] = d;
    return part;
}

Value SubarrayBuilder::subarray(Value value, const Subarray &part) {
    auto same = [&](auto &entry) { return isSame(entry.first, part); };
    auto found = llvm::find_if(memo, same);
    if (found != memo.end())
        if (Value before = found->second.lookup(value))
            return before;
    std::optional<Value> other = replacementFor(value, part);
    Value result = other ? *other : make(value, part);
    found = llvm::find_if(memo, same); // `make` may have added entries
    if (found == memo.end())
        found = &memo.emplace_back(part, llvm::DenseMap<Value, Value>());
    return found->second[value] = result;
}

Value SubarrayBuilder::readOf(Value array, const Subarray &part, Location loc) {
    Value view = ViewOp::create(builder, loc, array, part.offsets, part.steps, part.axes, part.dims,
                                pointsTo.factsAt(insertionPoint));
    return ReadOp::create(builder, loc, view);
}

bool SubarrayBuilder::reaches(ReadOp read) const {
    return !crossesLoop(read, insertionPoint) &&
           !isClobberedBetween(read.getBase(), read, insertionPoint, pointsTo);
}

Value SubarrayBuilder::make(Value value, const Subarray &part) {
    Operation *op = value.getDefiningOp();
    if (auto read = dyn_cast<ReadOp>(op))
        return reaches(read) ? readOf(read.getBase(), part, read.getLoc()) : Value();
    if (auto splat = dyn_cast<SplatOp>(op))
        return SplatOp::create(builder, op->getLoc(), splat.getScalar(), part.dims,
                               deviceOf(value.getType()));
    if (auto broadcast = dyn_cast<BroadcastOp>(op))
        return ofBroadcast(broadcast, part);
    if (!isa<UfuncOp, CastOp>(op))
        return {};
    Type type = valueType(part.dims, cast<RankedTensorType>(value.getType()).getElementType(),
                          deviceOf(value.getType()));
    SmallVector<Value> operands;
    for (Value operand : op->getOperands()) {
        bool whole = isa<RankedTensorType>(operand.getType());
        if (whole && valueDims(operand.getType()) != valueDims(value.getType()))
            return {};
        operands.push_back(whole ? this->subarray(operand, part) : operand);
        if (!operands.back())
            return {};
    }
    Operation *copy =
        Operation::create(op->getLoc(), op->getName(), TypeRange(type), operands,
                          op->getAttrDictionary(), op->getPropertiesStorage(), BlockRange(), 0);
    return builder.insert(copy)->getResult(0);
}

// A dimension that the broadcast adds or repeats has size 1 in the operand's subarray.
Value SubarrayBuilder::ofBroadcast(BroadcastOp op, const Subarray &part) {
    ArrayRef<DimAttr> from = valueDims(op.getValue().getType()), to = valueDims(op.getType());
    const size_t added = to.size() - from.size();
    DimAttr zero = dimConst(op.getContext(), 0), one = dimConst(op.getContext(), 1);
    Subarray inner{{},
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
    Value pushed = this->subarray(op.getValue(), inner);
    return pushed ? BroadcastOp::create(builder, op.getLoc(), pushed, part.dims).getResult()
                  : Value();
}
