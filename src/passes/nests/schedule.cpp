// Dependences of a nest's reads on its stores: order, alias groups, copies (see the header).
#include "passes/nests/schedule.h"

#include "passes/analysis/accesses.h"
#include "passes/nests/fuse.h"
#include "passes/nests/nests.h"

#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

// Elements of an array, with every unknown size taken as 1000: for comparing copies only.
double elements(Type type) {
    double product = 1;
    for (DimAttr dim : cast<ArrayType>(type).getDims())
        product *= std::max<double>(1, dimEvaluate(dim, [](StringRef) {
                                           return std::optional<int64_t>(1000);
                                       }).value_or(1000));
    return product;
}

class Scheduler {
public:
    Scheduler(NestOp nest, const PointsTo &pointsTo)
        : nest(nest), pointsTo(pointsTo), space(dimVector(nest.getSpace())),
          order(space.size(), 0) {}

    void run() {
        for (unsigned w = 0; w < nest.getWrites().size(); ++w)
            write(w);
        finish(nest, order);
    }

private:
    void write(unsigned w) {
        Value array = nest.getWrites()[w];
        if (pointsTo.selfOverlapping(array))
            return storeAfterwards(w, /*inOrder=*/true);
        llvm::SmallSetVector<unsigned, 4> conflicts; // reads
        SmallVector<int> needed = directions(w, conflicts);
        if (conflicts.empty()) {
            order = needed;
            return;
        }
        double operands = 0;
        llvm::SmallDenseSet<Value> copied;
        for (unsigned r : conflicts)
            if (copied.insert(nest.getReads()[r]).second)
                operands += elements(nest.getReads()[r].getType());
        if (operands > elements(array.getType()))
            return storeAfterwards(w, /*inOrder=*/false);
        for (Value operand : copied)
            copyBefore(operand);
        order = needed;
    }

    // The direction that the write's anti-dependences need of each iterator, together with those of
    // the earlier writes. Reads that fit no order become conflicts; where some need ascending and
    // some descending iterators, those with fewer elements do.
    SmallVector<int> directions(unsigned w, llvm::SmallSetVector<unsigned, 4> &conflicts) {
        Access write =
            accessOf(nest.getWrites()[w], cast<ArrayAttr>(nest.getWriteMaps()[w]), pointsTo);
        SmallVector<SmallVector<int>> needs;
        for (auto [r, read] : llvm::enumerate(readsOf(nest, pointsTo))) {
            Dependence dependence = dependenceOf(write, read, space, pointsTo, nest);
            // On a device, threads run in no order.
            bool ordered =
                dependence.kind == Dependence::Ordered && !dependence.isLoopIndependent();
            if (dependence.kind == Dependence::Unknown ||
                (ordered && deviceOf(nest.getWrites()[w].getType())))
                conflicts.insert(r);
            needs.push_back(dependence.kind == Dependence::Ordered
                                ? dependence.direction
                                : SmallVector<int>(space.size(), 0));
        }
        SmallVector<int> needed = order;
        for (size_t k = 0; k < space.size(); ++k) {
            double up = 0, down = 0;
            for (auto [r, need] : llvm::enumerate(needs))
                if (!conflicts.contains(r))
                    (need[k] > 0 ? up : down) +=
                        need[k] ? elements(nest.getReads()[r].getType()) : 0;
            if (needed[k] == 0)
                needed[k] = up == 0 && down == 0 ? 0 : up >= down ? 1 : -1;
            for (auto [r, need] : llvm::enumerate(needs))
                if (need[k] == -needed[k] && need[k] != 0)
                    conflicts.insert(r);
        }
        return needed;
    }

    Value temporary(OpBuilder &builder, Value like) {
        auto type = cast<ArrayType>(like.getType());
        return AllocOp::create(builder, nest.getLoc(),
                               ArrayType::get(type.getContext(), type.getDims(), type.getDtype(),
                                              type.getLayout() == Layout::F ? Layout::F : Layout::C,
                                              false, type.getDevice()));
    }

    void copyBefore(Value operand) {
        OpBuilder builder(nest);
        Value copy = temporary(builder, operand);
        NestOp copying = createCopyNest(builder, nest.getLoc(), operand, copy);
        finish(copying, SmallVector<int>(copying.getSpace().size(), 0));
        for (unsigned r = 0; r < nest.getReads().size(); ++r)
            if (nest.getReads()[r] == operand)
                nest.getReadsMutable().slice(r, 1).assign(copy);
    }

    void storeAfterwards(unsigned w, bool inOrder) {
        OpBuilder builder(nest);
        Value array = nest.getWrites()[w], copy = temporary(builder, array);
        builder.setInsertionPointAfter(nest);
        NestOp storing = createCopyNest(builder, nest.getLoc(), copy, array);
        finish(storing, SmallVector<int>(storing.getSpace().size(), inOrder ? 1 : 0));
        nest.getWritesMutable().slice(w, 1).assign(copy);
    }

    void finish(NestOp done, ArrayRef<int> directions) {
        SmallVector<StringRef> names;
        for (int direction : directions.drop_back(done.getReduced()))
            names.push_back(direction == 0 ? "any" : direction > 0 ? "up" : "down");
        Builder builder(done.getContext());
        done.setOrderAttr(builder.getStrArrayAttr(names));
        SmallVector<Value> operands(done.getReads());
        llvm::append_range(operands, done.getWrites());
        // Reads of one array that the nest does not write share a group without a proof: that they
        // are disjoint would gain nothing.
        auto onlyRead = [&](Value root) {
            return llvm::all_of(done.getWrites(), [&](Value written) {
                return pointsTo.disjoint(root, written, done);
            });
        };
        SmallVector<Value> roots(operands.size());
        for (size_t i = 0; i < done.getReads().size(); ++i)
            if (Value root = pointsTo.memoryRoot(operands[i]);
                llvm::is_contained(roots, root) || onlyRead(root))
                roots[i] = root;
        SmallVector<int64_t> groups(operands.size());
        int64_t next = 0;
        for (size_t i = 0; i < operands.size(); ++i) {
            int64_t joined = -1; // groups that operand i may alias become one
            for (size_t j = 0; j < i; ++j) {
                const bool isSame = roots[i] && roots[i] == roots[j];
                if (!isSame && pointsTo.disjoint(operands[i], operands[j], done))
                    continue;
                int64_t old = groups[j];
                if (joined < 0)
                    joined = old;
                std::replace(groups.begin(), groups.begin() + i, old, joined);
            }
            groups[i] = joined < 0 ? next++ : joined;
        }
        done.setGroupsAttr(builder.getDenseI64ArrayAttr(groups));
    }

    NestOp nest;
    const PointsTo &pointsTo;
    SmallVector<DimAttr> space;
    SmallVector<int> order; // per iterator: +1 up, -1 down, 0 any
};

} // namespace

void shapecast::scheduleNests(FuncOp func) {
    PointsTo pointsTo(func);
    SmallVector<NestOp> nests;
    func->walk([&](NestOp nest) { nests.push_back(nest); });
    for (NestOp nest : nests)
        Scheduler(nest, pointsTo).run();
}

void shapecast::fuseScheduledNests(FuncOp func) {
    PointsTo pointsTo(func);
    fuseScheduled(func, pointsTo, [&](NestOp fused) { Scheduler(fused, pointsTo).run(); });
}
