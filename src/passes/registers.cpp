// Which loops keep elements in registers: see the header.
#include "passes/registers.h"

#include "passes/motion.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr StringLiteral before = "before", behind = "behind"; // the loop, of nests beside it
constexpr size_t mostOperations = 24, mostWrites = 4;         // of a turn: registers are few

class Registers {
public:
    Registers(ForOp loop, const PointsTo &pointsTo) : loop(loop), pointsTo(pointsTo) {}
    bool apply();

private:
    bool isFit(ArrayRef<NestOp> all);
    void addNeighbours();
    bool turns(ForOp op);
    bool isScalarCode(Operation &op);
    bool isElementwise(NestOp nest);
    bool isPlain(Attribute map);
    bool isKept(Value written, ArrayRef<NestOp> all);
    Value root(Value handle) { return pointsTo.memoryRoot(beforeTurns(handle, loop)); }

    ForOp loop;
    const PointsTo &pointsTo;
    SmallVector<NestOp> nests; // inside
    llvm::StringSet<> varying; // symbols bound inside
    SmallVector<Value> loaded; // arrays
};

bool Registers::isScalarCode(Operation &op) {
    if (auto symbol = dyn_cast<SymbolOp>(op)) {
        varying.insert(symbol.getName());
        return true;
    }
    if (auto load = dyn_cast<LoadOp>(op)) {
        loaded.push_back(load.getBase());
        return true;
    }
    return isa<ViewOp>(op) || (isa<ConstOp, SizeOp, PyOp, CastOp, UfuncOp, TruthOp>(op) &&
                               isPureOp(&op) && llvm::all_of(op.getResultTypes(), isScalar));
}

// A loop of scalar code, and one more loop behind it or nests.
bool Registers::turns(ForOp op) {
    Block &body = op.getBody().front();
    auto next = cast<NextOp>(body.getTerminator());
    if (!op.getStep().isConst(1) || next.getGo() || op->hasAttr("strips") ||
        op->hasAttr("checked") || op->hasAttr("shared"))
        return false;
    for (auto [init, value, argument] :
         llvm::zip_equal(op.getInits(), next.getValues(), body.getArguments().drop_front())) {
        auto inner = value.getDefiningOp<ForOp>();
        const bool passesOn =
            value == argument ||
            (inner && inner->getBlock() == &body &&
             inner.getInits()[cast<OpResult>(value).getResultNumber()] == argument);
        if (!isa<ArrayType>(init.getType()) || init.getType() != argument.getType() || !passesOn)
            return false;
    }
    varying.insert(op.getVar());
    for (Operation &inside : body.without_terminator()) {
        if (auto nest = dyn_cast<NestOp>(inside))
            nests.push_back(nest);
        else if (auto inner = dyn_cast<ForOp>(inside))
            return &inside == body.getTerminator()->getPrevNode() && nests.empty() && turns(inner);
        else if (!isScalarCode(inside))
            return false;
    }
    return true;
}

// d0, d1, ...
bool Registers::isPlain(Attribute map) {
    SmallVector<DimAttr> indices = dimVector(cast<ArrayAttr>(map));
    for (auto [k, index] : llvm::enumerate(indices))
        if (index != dimSymbol(map.getContext(), ("d" + Twine(k)).str()))
            return false;
    return indices.size() == nests[0].getSpace().size();
}

// The same array in all turns, and all that touches it touches the element of its own point.
bool Registers::isKept(Value written, ArrayRef<NestOp> all) {
    Value own = root(written);
    Operation *made = beforeTurns(written, loop).getDefiningOp();
    if ((made && loop->isAncestor(made)) || pointsTo.selfOverlapping(written))
        return false;
    auto isOwnElement = [&](auto access) {
        auto [handle, map] = access;
        return (beforeTurns(handle, loop) == beforeTurns(written, loop) && isPlain(map)) ||
               pointsTo.disjoint(own, root(handle), loop);
    };
    return llvm::all_of(
               all,
               [&](NestOp nest) {
                   return llvm::all_of(llvm::zip_equal(nest.getReads(), nest.getReadMaps()),
                                       isOwnElement) &&
                          llvm::all_of(llvm::zip_equal(nest.getWrites(), nest.getWriteMaps()),
                                       isOwnElement);
               }) &&
           llvm::all_of(loaded,
                        [&](Value base) { return pointsTo.disjoint(own, root(base), loop); });
}

bool Registers::isElementwise(NestOp nest) {
    auto isVarying = [&](Attribute size) {
        bool found = false;
        dimSymbols(cast<DimAttr>(size), [&](StringRef name) { found |= varying.contains(name); });
        return found;
    };
    const bool isOrdered =
        nest.getOrder() && llvm::any_of(nest.getOrder()->getAsValueRange<StringAttr>(),
                                        [](StringRef order) { return order != "any"; });
    return !nest.getReduced() && nest.getNumResults() == 0 && !isOrdered &&
           !nest.getSpace().empty() && llvm::none_of(nest.getSpace(), isVarying) &&
           nest.getSpace() == nests[0].getSpace() &&
           llvm::all_of(nest.getWriteMaps(), [&](Attribute map) { return isPlain(map); }) &&
           llvm::all_of(nest.getBody().front(), [](Operation &op) {
               return isa<UfuncOp, CastOp, ConstOp, PyOp, TruthOp, NestYieldOp>(op);
           });
}

bool Registers::isFit(ArrayRef<NestOp> all) {
    size_t operations = 0;
    llvm::DenseSet<Value> written;
    for (NestOp nest : all) {
        if (!isElementwise(nest))
            return false;
        operations += nest.getBody().front().getOperations().size();
        for (Value handle : nest.getWrites())
            written.insert(beforeTurns(handle, loop));
    }
    return operations <= mostOperations && written.size() <= mostWrites &&
           llvm::all_of(written, [&](Value handle) { return isKept(handle, all); });
}

// Nests that give the arrays their first elements, or make something of their last ones.
void Registers::addNeighbours() {
    SmallVector<NestOp> all = nests;
    llvm::DenseSet<Value> kept;
    for (NestOp nest : nests)
        for (Value handle : nest.getWrites())
            kept.insert(beforeTurns(handle, loop));
    auto isOfLoop = [&](Value handle) { return kept.contains(beforeTurns(handle, loop)); };
    auto add = [&](NestOp nest, StringRef where) { // if it may take part
        all.push_back(nest);
        if (isFit(all)) {
            nest->setAttr("registers", StringAttr::get(nest.getContext(), where));
            return true;
        }
        all.pop_back();
        return false;
    };
    Operation *first = loop, *last = loop;
    for (Operation *op = loop->getPrevNode(), *previous; op; op = previous) {
        previous = op->getPrevNode();
        auto nest = dyn_cast<NestOp>(op);
        if (nest && llvm::all_of(nest.getWrites(), isOfLoop) && add(nest, before)) {
            nest->moveBefore(first);
            first = nest;
        } else if (!mayStandBefore(*op)) {
            break;
        }
    }
    SmallVector<Operation *> between;
    for (Operation *op = loop->getNextNode(), *next; op; op = next) {
        next = op->getNextNode();
        auto nest = dyn_cast<NestOp>(op);
        const bool asksForResults = llvm::is_contained(
            llvm::map_range(op->getOperands(), [](Value v) { return v.getDefiningOp(); }),
            loop.getOperation());
        if (nest && llvm::any_of(nest.getReads(), isOfLoop) && add(nest, behind)) {
            for (Operation *earlier : between)
                earlier->moveBefore(first);
            between.clear();
            nest->moveAfter(last);
            last = nest;
        } else if (mayStandBefore(*op) && !asksForResults) {
            between.push_back(op);
        } else {
            break;
        }
    }
}

bool Registers::apply() {
    if (!turns(loop) || nests.empty() || !isFit(nests))
        return false;
    loop->setAttr("registers", UnitAttr::get(loop.getContext()));
    addNeighbours();
    return true;
}

} // namespace

RegisterNests registerNests(ForOp loop) {
    RegisterNests nests;
    auto stands = [](Operation *op, StringRef where) {
        auto nest = dyn_cast_or_null<NestOp>(op);
        return nest && nest->getAttr("registers") == StringAttr::get(nest.getContext(), where);
    };
    for (Operation *op = loop->getPrevNode(); stands(op, before); op = op->getPrevNode())
        nests.before.insert(nests.before.begin(), cast<NestOp>(op));
    loop.getBody().walk([&](NestOp nest) { nests.inside.push_back(nest); });
    for (Operation *op = loop->getNextNode(); stands(op, behind); op = op->getNextNode())
        nests.behind.push_back(cast<NestOp>(op));
    return nests;
}

Value beforeTurns(Value handle, ForOp loop) {
    for (;;) {
        auto argument = dyn_cast<BlockArgument>(handle);
        Operation *of = argument ? argument.getOwner()->getParentOp() : handle.getDefiningOp();
        auto turns = dyn_cast_or_null<ForOp>(of);
        if (!turns || !loop->isAncestor(turns) || (argument && argument.getArgNumber() == 0))
            return handle;
        const unsigned k =
            argument ? argument.getArgNumber() - 1 : cast<OpResult>(handle).getResultNumber();
        handle = turns.getInits()[k];
    }
}

// Only by these nests, by the loop and loops inside, which hand it on, and to be released. A loop
// around may hand it on to anybody.
static bool isUsedOnlyBy(Value handle, ForOp loop, const RegisterNests &nests) {
    return llvm::all_of(handle.getUses(), [&](OpOperand &use) {
        Operation *user = use.getOwner();
        if (auto nest = dyn_cast<NestOp>(user))
            return llvm::is_contained(nests.before, nest) ||
                   llvm::is_contained(nests.inside, nest) || llvm::is_contained(nests.behind, nest);
        if (auto next = dyn_cast<NextOp>(user))
            return loop->isAncestor(next->getParentOp());
        auto turns = dyn_cast<ForOp>(user);
        if (!turns || !loop->isAncestor(turns))
            return isa<ReleaseOp>(user);
        for (auto [k, given] : llvm::enumerate(turns.getInits()))
            if (given == handle &&
                (!isUsedOnlyBy(turns.getBody().getArgument(k + 1), loop, nests) ||
                 !isUsedOnlyBy(turns.getResult(k), loop, nests)))
                return false;
        return true;
    });
}

bool isOnlyInRegisters(Value array, ForOp loop, const RegisterNests &nests) {
    return array.getDefiningOp<AllocOp>() && isUsedOnlyBy(array, loop, nests);
}

bool keepInRegisters(ForOp loop, const PointsTo &pointsTo) {
    return Registers(loop, pointsTo).apply();
}

} // namespace shapecast
