// np-wavefront: see the header.
#include "passes/loops/wavefront.h"

#include "passes/analysis/accesses.h"
#include "passes/analysis/clobbers.h"
#include "passes/loops/parallel.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr int64_t unrollFactor = 4; // rows at once
constexpr int64_t maxLag = 4;
constexpr int maxOperations = 60; // of an iteration: the body is cloned seven times

struct Element { // an access of an iteration
    Access access;
    bool isWritten;
};

// A dependence distance, from one access to another of the same element: rows, columns. No value:
// any distance.
struct Distance {
    std::optional<int64_t> rows, columns;
    bool isNever = false;
};

class Wavefront {
public:
    Wavefront(ForOp rows, const PointsTo &pointsTo) : rows(rows), pointsTo(pointsTo) {}
    bool applies(); // and computes `lag`
    void rewrite();

private:
    bool hasForm();
    bool collect();
    bool add(Value handle, ArrayAttr index, bool isWritten);
    Distance between(const Access &a, const Access &c);
    bool constrain(const Element &first, const Element &second);
    void cloneBody(OpBuilder &b, DimAttr row, DimAttr column);
    ForOp loop(OpBuilder &b, StringRef var, DimAttr lower, DimAttr upper, int64_t step,
               llvm::function_ref<void(OpBuilder &, DimAttr)> body);

    ForOp rows, columns;
    const PointsTo &pointsTo;
    SmallVector<Element> elements;
    bool hasRecurrence = false; // an iteration depends on an earlier one of its row
    int64_t lag = 0;
};

bool countsUp(ForOp loop) {
    return loop.getStep().isConst(1) && loop.getInits().empty() && !loop.getPrange() &&
           !loop.getStripMined() &&
           !cast<NextOp>(loop.getBody().front().getTerminator()).getCondition();
}

//===-- Which loops

// A perfect nest, apart from operations in the outer loop that may be repeated.
bool Wavefront::hasForm() {
    if (!countsUp(rows))
        return false;
    for (Operation &op : rows.getBody().front().without_terminator()) {
        auto inner = dyn_cast<ForOp>(op);
        if (inner ? bool(columns) : !isPureOp(&op) || isa<AllocOp>(op))
            return false;
        if (inner)
            columns = inner;
    }
    return columns && countsUp(columns) && !dimUses(columns.getLower(), rows.getVar()) &&
           !dimUses(columns.getUpper(), rows.getVar());
}

bool Wavefront::add(Value handle, ArrayAttr index, bool isWritten) {
    Access access = accessOf(handle, index, pointsTo);
    if (access.index.empty() || pointsTo.selfOverlapping(access.root))
        return false;
    elements.push_back({std::move(access), isWritten});
    return true;
}

bool Wavefront::collect() {
    int operations = 0;
    const WalkResult walk = columns.getBody().walk([&](Operation *op) {
        bool fits = ++operations <= maxOperations;
        if (auto load = dyn_cast<LoadOp>(op))
            fits &= add(load.getBase(), load.getIndices(), false);
        else if (auto store = dyn_cast<StoreOp>(op))
            fits &= !isa<IfOp>(op->getParentOp()) && add(store.getBase(), store.getIndices(), true);
        else
            fits &= isa<IfOp, YieldOp, NextOp>(op) || (isPureOp(op) && !isa<AllocOp>(op));
        return fits ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !walk.wasInterrupted();
}

// Of an element that both access, a in one iteration and c in another: the row and column of c's
// iteration minus those of a's.
Distance Wavefront::between(const Access &a, const Access &c) {
    Distance found;
    for (auto [left, right] : llvm::zip_equal(a.index, c.index)) {
        const std::optional<DimLinear> row = dimLinearIn(left, rows.getVar()),
                                       column = dimLinearIn(left, columns.getVar()),
                                       otherRow = dimLinearIn(right, rows.getVar()),
                                       otherColumn = dimLinearIn(right, columns.getVar());
        if (!row || !column || !otherRow || !otherColumn)
            continue;
        const bool isSame = row->coefficient == otherRow->coefficient &&
                            column->coefficient == otherColumn->coefficient;
        const DimAttr apart = dimSub(left, right);
        if (!isSame || !apart.isConst())
            continue;
        if (row->coefficient == 1 && column->coefficient == 0)
            found.rows = apart.getValue();
        else if (row->coefficient == 0 && column->coefficient == 1)
            found.columns = apart.getValue();
        else if (row->coefficient == 0 && column->coefficient == 0)
            found.isNever |= apart.getValue() != 0;
    }
    return found;
}

// The lag that respects the dependence between two accesses, one of which is a store. Between rows
// that run at once, a store is loaded in a later step than the one that made it: else the rows
// would depend on each other within a step.
bool Wavefront::constrain(const Element &first, const Element &second) {
    if (first.access.root != second.access.root)
        return pointsTo.disjoint(first.access.root, second.access.root, columns);
    const Distance distance = between(first.access, second.access);
    if (distance.isNever)
        return true;
    if (distance.rows.value_or(0) == 0)
        hasRecurrence |= !second.isWritten && distance.columns.value_or(1) > 0;
    if (distance.rows == 0)
        return true;
    if (!distance.columns)
        return false;
    auto keep = [&](int64_t rowsDown, int64_t columnsRight, bool isLoadOfStore) {
        const int64_t least = (isLoadOfStore ? 1 : 0) - columnsRight;
        lag = std::max(lag, least <= 0 ? 0 : (least + rowsDown - 1) / rowsDown);
    };
    const bool loads = first.isWritten && !second.isWritten;
    if (!distance.rows || *distance.rows > 0) // the second comes in a later row
        keep(distance.rows.value_or(1), *distance.columns, loads);
    if (!distance.rows || *distance.rows < 0)
        keep(-distance.rows.value_or(-1), -*distance.columns, false);
    return lag <= maxLag;
}

bool Wavefront::applies() {
    if (!hasForm() || !collect())
        return false;
    for (const Element &first : elements)
        for (const Element &second : elements)
            if (first.isWritten && !constrain(first, second))
                return false;
    return hasRecurrence && !hasNoLoopCarriedDependence(rows, pointsTo); // else threads share them
}

//===-- The skewed loops

ForOp Wavefront::loop(OpBuilder &b, StringRef var, DimAttr lower, DimAttr upper, int64_t step,
                      llvm::function_ref<void(OpBuilder &, DimAttr)> body) {
    MLIRContext *ctx = b.getContext();
    Location loc = rows.getLoc();
    auto made = ForOp::create(b, loc, TypeRange(), b.getStringAttr(var), lower, upper,
                              dimConst(ctx, step), ValueRange());
    Block *block = b.createBlock(&made.getBody());
    block->addArgument(PyIntType::get(ctx), loc);
    body(b, dimSymbol(ctx, var));
    NextOp::create(b, loc, ValueRange(), Value());
    b.setInsertionPointAfter(made);
    return made;
}

// Clones the body for that row and column.
void Wavefront::cloneBody(OpBuilder &b, DimAttr row, DimAttr column) {
    IRMapping map;
    auto number = [&](ForOp loop, DimAttr value) {
        Value counter = loop.getBody().getArgument(0);
        if (!counter.use_empty())
            map.map(counter, SizeOp::create(b, loop.getLoc(), counter.getType(), value));
    };
    number(rows, row);
    number(columns, column);
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](DimAttr e) -> std::optional<std::pair<Attribute, WalkResult>> {
        DimAttr there = dimSubstitute(e, [&](StringRef name) {
            return name == rows.getVar() ? row : name == columns.getVar() ? column : DimAttr();
        });
        return std::pair<Attribute, WalkResult>(there, WalkResult::skip());
    });
    for (Block *block : {&rows.getBody().front(), &columns.getBody().front()})
        for (Operation &op : block->without_terminator())
            if (&op != columns)
                replacer.recursivelyReplaceElementsIn(b.clone(op, map));
}

void Wavefront::rewrite() {
    OpBuilder b(rows);
    MLIRContext *ctx = b.getContext();
    auto number = [&](int64_t value) { return dimConst(ctx, value); };
    const std::string name = rows.getVar().str(), inBlock = name + "u";
    const StringRef column = columns.getVar();
    const DimAttr from = columns.getLower(), to = columns.getUpper();
    const DimAttr last = dimPlus(rows.getUpper(), 1 - unrollFactor);
    // The prologue's end: the columns that row u of the block does before all rows run at once.
    auto ahead = [&](DimAttr u) {
        DimAttr count = dimMul(dimSub(number(unrollFactor - 1), u), number(lag));
        return dimMin(to, dimAdd(from, count));
    };
    loop(b, name, rows.getLower(), last, unrollFactor, [&](OpBuilder &, DimAttr first) {
        loop(b, inBlock, number(0), number(unrollFactor - 1), 1, [&](OpBuilder &, DimAttr u) {
            loop(b, column, from, ahead(u), 1,
                 [&](OpBuilder &, DimAttr at) { cloneBody(b, dimAdd(first, u), at); });
        });
        loop(b, column, dimPlus(from, (unrollFactor - 1) * lag), to, 1,
             [&](OpBuilder &, DimAttr step) {
                 for (int64_t u = 0; u < unrollFactor; ++u)
                     cloneBody(b, dimPlus(first, u), dimPlus(step, -u * lag));
             });
        loop(b, inBlock, number(1), number(unrollFactor), 1, [&](OpBuilder &, DimAttr u) {
            DimAttr left = dimSub(to, dimMul(u, number(lag)));
            loop(b, column, dimMax(left, ahead(u)), to, 1,
                 [&](OpBuilder &, DimAttr at) { cloneBody(b, dimAdd(first, u), at); });
        });
    });
    DimAttr count = dimMax(number(0), dimSub(rows.getUpper(), rows.getLower()));
    DimAttr done = dimMul(dimFloorDiv(count, number(unrollFactor)), number(unrollFactor));
    loop(b, name, dimAdd(rows.getLower(), done), rows.getUpper(), 1, [&](OpBuilder &, DimAttr row) {
        loop(b, column, from, to, 1, [&](OpBuilder &, DimAttr at) { cloneBody(b, row, at); });
    });
    rows.erase();
}

} // namespace

void skewRecurrences(FuncOp func) {
    SmallVector<ForOp> candidates;
    func.walk([&](ForOp loop) {
        if (!loop.getBody().front().getOps<ForOp>().empty())
            candidates.push_back(loop);
    });
    std::optional<PointsTo> pointsTo; // for functions with such loops only
    for (ForOp loop : candidates) {
        if (!pointsTo)
            pointsTo.emplace(func);
        Wavefront wavefront(loop, *pointsTo);
        if (!wavefront.applies())
            continue;
        wavefront.rewrite();
        pointsTo.reset(); // it refers to the loop
    }
}

} // namespace shapecast
