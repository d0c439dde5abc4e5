// See scatter_checks.h.
#include "passes/nests/scatter_checks.h"

#include "ir/gather_index.h"
#include "passes/analysis/clobbers.h"
#include "passes/nests/gather_checks.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

class Scatter {
public:
    explicit Scatter(NativeOp check) : check(check) {}

    bool rewrite(unsigned number) {
        if (!isOfNewArray() || !findLoop() || !findIndex() || !hasNoOtherEffects())
            return false;
        checkInLoop(number);
        for (IfOp raise : raises) // an IndexError goes before these errors, as it did
            OpBuilder::atBlockBegin(&raise.getThenRegion().front()).clone(*check);
        check->erase();
        return true;
    }

private:
    Value base() { return check.getOperand(0); }
    Value indices() { return check.getOperand(3); }
    DimAttr axisSize() { return cast<ArrayType>(base().getType()).getDims()[0]; }

    // One axis, one index array.
    bool isOfNewArray() {
        if (check.getName() != "check_indices" || !check.getResult().use_empty() ||
            check.getNumOperands() != 4)
            return false;
        auto axis = check.getOperand(2).getDefiningOp<ConstOp>();
        auto first = axis ? dyn_cast<IntegerAttr>(axis.getValue()) : IntegerAttr();
        return first && first.getInt() == 0 && isFresh(base(), check) &&
               cast<ArrayType>(indices().getType()).getRank() == 1;
    }

    static bool onlyRaises(IfOp branch) {
        Operation &first = branch.getThenRegion().front().front();
        return branch.getNumResults() == 0 && isa<RaiseOp>(first) &&
               isa<YieldOp>(branch.getElseRegion().front().front());
    }

    static bool isPureBranch(Operation *op) {
        return isa<IfOp>(op) && llvm::all_of(op->getRegions(), [](Region &arm) {
                   return llvm::all_of(arm.front(), [](Operation &inner) {
                       return isa<YieldOp>(inner) || isPureOp(&inner) || isPureBranch(&inner);
                   });
               });
    }

    // The loop over all indices; before it, only branches that raise other errors.
    bool findLoop() {
        for (Operation *op = check->getNextNode(); op; op = op->getNextNode()) {
            if ((loop = dyn_cast<ForOp>(op)))
                break;
            auto branch = dyn_cast<IfOp>(op);
            if (branch && onlyRaises(branch))
                raises.push_back(branch);
            else if (!isa<ViewOp, SymbolOp>(op) && !isPureOp(op) && !isPureBranch(op))
                return false;
        }
        return loop && loop.getLower().isConst(0) && loop.getStep().isConst(1) &&
               loop.getUpper() == cast<ArrayType>(indices().getType()).getDims()[0] &&
               loop.getInits().empty();
    }

    bool isWhole(Value handle) {
        while (handle != indices()) {
            auto view = handle.getDefiningOp<ViewOp>();
            if (!view || cast<ArrayType>(view.getType()).getDims() !=
                             cast<ArrayType>(view.getBase().getType()).getDims())
                return false;
            auto are = [](ArrayAttr dims, int64_t value) {
                return llvm::all_of(dims.getAsRange<DimAttr>(),
                                    [&](DimAttr dim) { return dim.isConst(value); });
            };
            if (!are(view.getOffsets(), 0) || !are(view.getSteps(), 1))
                return false;
            handle = view.getBase();
        }
        return true;
    }

    // given = int(indices[i]); k = given + size if given < 0 else given
    bool findIndex() {
        for (LoadOp load : loop.getBody().front().getOps<LoadOp>()) {
            const bool isOwn = isWhole(load.getBase()) &&
                               load.getIndices()[0] == dimSymbol(load.getContext(), loop.getVar());
            if (!isOwn || !load->hasOneUse())
                continue;
            given = dyn_cast<CastOp>(*load->user_begin());
            break;
        }
        if (!given || !isa<PyIntType>(given.getType()))
            return false;
        for (Operation *user : given->getUsers())
            if (auto branch = dyn_cast<IfOp>(user->getParentOp()); branch && branch != loop)
                wrapped = branch;
        return wrapped && wrapped->getBlock() == given->getBlock() && countsFromEnd();
    }

    bool countsFromEnd() {
        auto isNegative = wrapped.getCondition().getDefiningOp<PyOp>();
        Operation *then = wrapped.getThenRegion().front().getTerminator(),
                  *other = wrapped.getElseRegion().front().getTerminator();
        auto sum = then->getNumOperands() == 1 ? then->getOperand(0).getDefiningOp<PyOp>() : PyOp();
        if (!isNegative || isNegative.getOp() != "lt" || isNegative.getOperand(0) != given ||
            !sum || sum.getOp() != "add" || sum.getOperand(0) != given ||
            other->getOperand(0) != given)
            return false;
        auto least = isNegative.getOperand(1).getDefiningOp<ConstOp>();
        auto size = sum.getOperand(1).getDefiningOp<SizeOp>();
        auto zero = least ? dyn_cast<IntegerAttr>(least.getValue()) : IntegerAttr();
        return zero && zero.getInt() == 0 && size && size.getExpr() == axisSize();
    }

    // No other side effects, and nothing raises: an error in the middle is not observable.
    bool hasNoOtherEffects() {
        return llvm::all_of(loop.getBody().front(), [&](Operation &op) {
            auto store = dyn_cast<StoreOp>(op);
            return (store && store.getBase() == base()) || isa<LoadOp, SymbolOp, NextOp>(op) ||
                   &op == wrapped.getOperation() || isPureOp(&op) || isPureBranch(&op);
        });
    }

    void checkInLoop(unsigned number) {
        MLIRContext *ctx = check.getContext();
        Location loc = check.getLoc();
        OpBuilder builder(wrapped);
        const std::string name = ("index" + Twine(number)).str();
        SymbolOp::create(builder, loc, builder.getStringAttr(name), given);
        DimAttr index = dimSymbol(ctx, name), size = cast<ArrayType>(base().getType()).getDims()[0];
        const ArrayAttr both = dimArray(ctx, {index, size});
        auto require = RequireOp::create(
            builder, loc, builder.getStringAttr("index"), both, check.getErrorAttr(),
            builder.getStringAttr("index {0} is out of bounds for axis 0 with size {1}"), both);
        if (ArrayAttr notes = check.getNotesAttr())
            require.setNotesAttr(notes);
        Value wrappedIndex = SizeOp::create(builder, loc, given.getType(), dimWrap(index, size));
        wrapped.getResult(0).replaceAllUsesWith(wrappedIndex);
        wrapped->erase();
    }

    NativeOp check;
    ForOp loop;
    SmallVector<IfOp> raises; // between the check and the loop
    CastOp given;
    IfOp wrapped;
};

} // namespace

LogicalResult sinkScatterChecks(ModuleOp module) {
    SmallVector<NativeOp> checks;
    module->walk([&](NativeOp check) { checks.push_back(check); });
    unsigned number = 0;
    for (NativeOp check : checks)
        number += Scatter(check).rewrite(number);
    return success();
}

} // namespace shapecast
