// What each nest computes, from which arrays, and where in the user's source.
#include "passes/analysis/nest_report.h"
#include "ir/dim.h"
#include "passes/analysis/points_to.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// The initial value of a loop's carried argument or result `k`.
Value beforeLoop(Operation *loop, unsigned k) {
    if (auto counted = dyn_cast<ForOp>(loop))
        return counted.getInits()[k];
    return cast<WhileOp>(loop).getInits()[k];
}

// The array that a handle views. A loop-carried handle counts as its initial value: in the source
// it has the same name.
Value arrayOf(Value handle) {
    for (;;) {
        Operation *op = handle.getDefiningOp();
        if (Value base = mayShareWith(op)) {
            handle = base;
        } else if (isa_and_nonnull<ForOp, WhileOp>(op)) {
            handle = beforeLoop(op, cast<OpResult>(handle).getResultNumber());
        } else if (auto argument = dyn_cast<BlockArgument>(handle);
                   argument && isa<ForOp, WhileOp>(argument.getOwner()->getParentOp())) {
            Operation *loop = argument.getOwner()->getParentOp();
            const unsigned counters = isa<ForOp>(loop);
            handle = beforeLoop(loop, argument.getArgNumber() - counters);
        } else {
            return handle;
        }
    }
}

int parameterNumber(Value array) {
    auto argument = dyn_cast<BlockArgument>(array);
    return argument && isa<FuncOp>(argument.getOwner()->getParentOp())
               ? int(argument.getArgNumber())
               : -1;
}

std::vector<ArrayUse> usesOf(ValueRange handles) {
    llvm::MapVector<Value, SmallVector<Value>> views;
    for (Value handle : handles) {
        SmallVector<Value> &seen = views[arrayOf(handle)];
        if (!llvm::is_contained(seen, handle))
            seen.push_back(handle);
    }
    std::vector<ArrayUse> uses;
    for (auto &[array, seen] : views)
        uses.push_back({parameterNumber(array), array.getLoc(), unsigned(seen.size())});
    return uses;
}

NestReport begin(Operation *op) {
    NestReport report(op->getLoc());
    for (Operation *around = op->getParentOp(); !isa<FuncOp>(around);
         around = around->getParentOp())
        if (isa<ForOp, WhileOp>(around))
            report.loops.insert(report.loops.begin(), around->getLoc());
    return report;
}

NestReport ofNest(NestOp nest) {
    NestReport report = begin(nest);
    for (Attribute size : nest.getSpace())
        report.space.push_back(dimText(cast<DimAttr>(size)));
    report.reduced = unsigned(nest.getReduced());
    report.reads = usesOf(nest.getReads());
    report.writes = usesOf(nest.getWrites());
    for (auto reduction : nest.getCombine().getAsRange<StringAttr>())
        if (!reduction.empty())
            report.reductions.push_back(reduction.str());
    report.operations = unsigned(report.reductions.size());
    nest.getBody().walk([&](Operation *op) {
        if (!isa<NestYieldOp, ConstOp>(op))
            report.parts.push_back(op->getLoc());
        report.operations += isa<UfuncOp, PyOp>(op);
    });
    return report;
}

NestReport ofProduct(GemmOp product) {
    NestReport report = begin(product);
    report.isProduct = true;
    report.reads = usesOf(SmallVector<Value>{product.getLhs(), product.getRhs()});
    if (Value out = product.getOut())
        report.writes = usesOf(out);
    return report;
}

} // namespace

std::vector<NestReport> shapecast::reportNests(ModuleOp module) {
    std::vector<NestReport> reports;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto nest = dyn_cast<NestOp>(op))
            reports.push_back(ofNest(nest));
        else if (auto product = dyn_cast<GemmOp>(op))
            reports.push_back(ofProduct(product));
    });
    return reports;
}
