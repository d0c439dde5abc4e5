// Reads off what each nest computes, from which arrays, and where the user wrote it.
#include "passes/nest_report.h"
#include "ir/dim.h"
#include "passes/points_to.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// The handle that a loop carries on as its argument or result `k`, before the loop.
Value beforeLoop(Operation *loop, unsigned k) {
    if (auto counted = dyn_cast<ForOp>(loop))
        return counted.getInits()[k];
    return cast<WhileOp>(loop).getInits()[k];
}

// The array that a handle is a part of. What a loop carries counts as what it began with, which is
// how the source's names go on, too.
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
    for (auto fold : nest.getCombine().getAsRange<StringAttr>())
        if (!fold.empty())
            report.folds.push_back(fold.str());
    report.operations = unsigned(report.folds.size());
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
