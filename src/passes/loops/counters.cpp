// From each `x + constant`, a walk up the def-use chains over all values that x may be.
#include "passes/loops/counters.h"

#include "ir/np.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace shapecast {
namespace {

constexpr int64_t maxStart = int64_t(1) << 60;
constexpr int64_t maxStep = 16; // 2^59 steps; at 2^36 a second (16 lanes, 4 GHz) three months

std::optional<int64_t> smallConstant(Value value, int64_t limit) {
    auto constant = value.getDefiningOp<np::ConstOp>();
    auto number = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    if (!number || number.getValue().getSignificantBits() > 62 || std::abs(number.getInt()) > limit)
        return std::nullopt;
    return number.getInt();
}

// The operand that a small constant is added to.
Value counterOf(np::PyOp op) {
    const OperandRange operands = op.getOperands_();
    if (operands.size() != 2 || !isa<np::PyIntType>(op.getType()))
        return {};
    if ((op.getOp() == "add" || op.getOp() == "sub") && smallConstant(operands[1], maxStep))
        return operands[0];
    if (op.getOp() == "add" && smallConstant(operands[0], maxStep))
        return operands[1];
    return {};
}

using Values = SmallVector<Value, 8>;

// The incoming values of a loop-carried variable, as of a phi: its first one and that of `next`.
bool addCarried(Operation *loop, unsigned index, Values &values) {
    Block &body = loop->getRegions().back().front();
    auto next = dyn_cast<np::NextOp>(body.getTerminator());
    if (!next || index >= next.getValues().size())
        return false;
    values.append({loop->getOperand(index), next.getValues()[index]});
    return true;
}

// Adds the values that `value` may be; false where they are unknown.
bool addSources(Value value, Values &values) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
        Operation *parent = argument.getOwner()->getParentOp();
        const unsigned index = argument.getArgNumber();
        if (isa<np::ForOp>(parent)) // argument 0 is the induction variable
            return index > 0 && addCarried(parent, index - 1, values);
        return isa<np::WhileOp>(parent) && addCarried(parent, index, values);
    }
    Operation *op = value.getDefiningOp();
    const unsigned index = cast<OpResult>(value).getResultNumber();
    if (isa<np::ForOp, np::WhileOp>(op))
        return addCarried(op, index, values);
    if (isa<np::IfOp>(op)) {
        for (Region &region : op->getRegions()) {
            auto yield = dyn_cast<np::YieldOp>(region.front().getTerminator());
            if (!yield || index >= yield->getNumOperands())
                return false;
            values.push_back(yield->getOperand(index));
        }
        return true;
    }
    if (auto pyop = dyn_cast<np::PyOp>(op))
        if (Value inner = counterOf(pyop)) {
            values.push_back(inner);
            return true;
        }
    return smallConstant(value, maxStart).has_value();
}

bool onlyCounts(Value value) {
    Values pending{value};
    llvm::SmallPtrSet<Value, 8> seen;
    while (!pending.empty()) {
        Value next = pending.pop_back_val();
        if (seen.insert(next).second &&
            (!isa<np::PyIntType>(next.getType()) || seen.size() > 64 || !addSources(next, pending)))
            return false;
    }
    return true;
}

} // namespace

void markCounters(np::FuncOp func) {
    func.walk([](np::PyOp op) {
        Value base = counterOf(op);
        if (base && onlyCounts(base))
            op.setNowrap(true);
    });
}

} // namespace shapecast
