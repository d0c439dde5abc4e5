// Planning of nests: loop order, collapsing, the form of reductions.
#include "lower/nest/nest_plan.h"

#include "ir/gather_index.h"
#include "ops/ufunc/ufunc.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

constexpr int64_t smallNest =
    16; // iterations up to which a nest stays in its function, without no-alias claims
constexpr int64_t minSharedTripCount = 32; // of a loop that threads share

class Planner {
public:
    Planner(np::NestOp op, llvm::function_ref<const Handle &(Value)> handles)
        : op(op), ctx(op.getContext()), handles(handles) {
        plan.op = op;
    }

    NestPlan run(bool collapses) {
        addLoops();
        addAccesses();
        addAliasing();
        order();
        if (collapses)
            collapse();
        chooseForm();
        dropUnitLoops();
        plan.small = isSmall();
        if (!plan.small)
            share();
        return std::move(plan);
    }

private:
    void addLoops();
    void addAccesses();
    void addAliasing();
    void order();
    void collapse();
    // The operand axes, counted from the last one, that a loop's iterators index.
    struct AxesOf {
        int64_t first = INT64_MAX, last = -1;
        void add(AxesOf more) {
            first = std::min(first, more.first);
            last = std::max(last, more.last);
        }
    };
    AxesOf axesOf(unsigned loop, ArrayAttr map) const;
    static AxesOf axesOfBase(Value operand, AxesOf axes);
    bool isInner(unsigned loop, unsigned other, bool isExact);
    void chooseForm();
    void dropUnitLoops();
    bool isSmall() const;
    bool isAssociative() const;
    void share();

    NestAccess access(Value operand, ArrayAttr map);
    unsigned pointerIndex(Value pointer);
    template <typename F> void forAccesses(F f) {
        for (NestAccess &a : plan.reads)
            f(a);
        for (NestAccess &a : plan.writes)
            f(a);
    }
    void moveLoop(unsigned from, unsigned to);
    bool canCollapse(unsigned k) const;
    bool isReduction() {
        return llvm::any_of(op.getCombine().getAsValueRange<StringAttr>(),
                            [](StringRef c) { return !c.empty(); });
    }
    int unitSteps(unsigned loop) const {
        return llvm::count_if(plan.reads,
                              [&](const NestAccess &a) { return a.steps[loop].isConst(1); });
    }

    np::NestOp op;
    MLIRContext *ctx;
    llvm::function_ref<const Handle &(Value)> handles;
    NestPlan plan;
    llvm::DenseSet<Attribute> pinned; // iterators whose own value is needed
};

void Planner::addLoops() {
    SmallVector<DimAttr> space = np::dimVector(op.getSpace());
    unsigned parallel = space.size() - op.getReduced();
    plan.parallel = parallel;
    for (auto [k, size] : llvm::enumerate(space)) {
        DimAttr symbol = iteratorSymbol(ctx, k);
        StringRef direction = "any";
        if (op.getOrder() && k < op.getOrder()->size())
            direction = cast<StringAttr>((*op.getOrder())[k]).getValue();
        plan.loops.push_back({size, k >= parallel, direction == "any", {symbol}});
        DimAttr last = np::dimSub(size, np::dimConst(ctx, 1));
        plan.indexValue[symbol] = direction == "down" ? np::dimSub(last, symbol) : symbol;
    }
    op.getBody().walk(
        [&](np::IndexOp index) { pinned.insert(iteratorSymbol(ctx, index.getDim())); });
}

unsigned Planner::pointerIndex(Value pointer) {
    auto *at = llvm::find(plan.pointers, pointer);
    if (at == plan.pointers.end()) {
        plan.pointers.push_back(pointer);
        return plan.pointers.size() - 1;
    }
    return at - plan.pointers.begin();
}

NestAccess Planner::access(Value operand, ArrayAttr map) {
    const Handle &handle = handles(operand);
    NestAccess result;
    result.pointer = pointerIndex(handle.pointer);
    result.dtype = dtypeOf(operand.getType());
    SmallVector<DimAttr> indices = np::dimVector(map);
    if (np::isGatherMap(map)) {
        indices.assign(indices.size(), np::dimConst(ctx, 0));
        ArrayRef<DimAttr> sizes = cast<np::ArrayType>(operand.getType()).getDims();
        for (auto [size, stride] : llvm::zip_equal(sizes, handle.strides))
            result.gatherAxes.emplace_back(size, stride);
    }
    result.base = np::dimSubstitute(linearIndex(handle, indices), [&](StringRef name) {
        return plan.indexValue.lookup(
            np::dimSymbol(ctx, name)); // descending iterators are reversed
    });
    for (NestLoop &loop : plan.loops) {
        DimAttr symbol = loop.iterators[0];
        std::optional<np::DimParts> parts = np::dimPartsIn(result.base, symbol);
        bool plain = parts && llvm::none_of(plan.loops, [&](NestLoop &other) {
                         return np::dimUses(parts->coefficient, other.iterators[0].getName());
                     });
        if (!plain)
            pinned.insert(symbol); // its uses stay in `base`
        result.steps.push_back(plain ? parts->coefficient : np::dimConst(ctx, 0));
        if (plain)
            result.base = parts->rest;
    }
    return result;
}

void Planner::addAccesses() {
    for (auto [operand, map] : llvm::zip_equal(op.getReads(), op.getReadMaps()))
        plan.reads.push_back(access(operand, cast<ArrayAttr>(map)));
    for (auto [operand, map] : llvm::zip_equal(op.getWrites(), op.getWriteMaps()))
        plan.writes.push_back(access(operand, cast<ArrayAttr>(map)));
}

// A pointer is noalias when its group has no other pointer, and no operand of another group shares
// it.
void Planner::addAliasing() {
    plan.noalias.assign(plan.pointers.size(), op.getGroups().has_value());
    plan.written.assign(plan.pointers.size(), false);
    for (NestAccess &write : plan.writes)
        plan.written[write.pointer] = true;
    if (!op.getGroups())
        return;
    SmallVector<unsigned> pointers;
    forAccesses([&](NestAccess &a) { pointers.push_back(a.pointer); });
    ArrayRef<int64_t> groups = *op.getGroups();
    for (unsigned i = 0; i < pointers.size(); ++i)
        for (unsigned j = 0; j < i; ++j)
            if (pointers[i] != pointers[j] && groups[i] == groups[j])
                plan.noalias[pointers[i]] = plan.noalias[pointers[j]] = false;
}

void Planner::moveLoop(unsigned from, unsigned to) {
    auto move = [&](auto &list) {
        auto item = list[from];
        list.erase(list.begin() + from);
        list.insert(list.begin() + to, item);
    };
    move(plan.loops);
    forAccesses([&](NestAccess &a) { move(a.steps); });
}

// Within the parallel loops, and within the reduction loops: the loop with unit stride goes inside,
// and a nest over Fortran-ordered arrays runs in their order.
void Planner::order() {
    auto sortRange = [&](unsigned begin, unsigned end, ArrayRef<NestAccess> accesses) {
        if (end - begin < 2 || accesses.empty())
            return;
        for (unsigned k = begin; k < end; ++k)
            if (!plan.loops[k].any)
                return;
        auto units = [&](unsigned k) {
            return llvm::count_if(accesses,
                                  [&](const NestAccess &a) { return a.steps[k].isConst(1); });
        };
        unsigned best = end - 1;
        for (unsigned k = begin; k + 1 < end; ++k)
            if (units(k) > units(best))
                best = k;
        if (best == begin && end - begin > 1) { // Fortran order: reverse all
            for (unsigned k = begin; k + 1 < end; ++k)
                moveLoop(end - 1, k);
        } else if (best != end - 1) {
            moveLoop(best, end - 1);
        }
    };
    unsigned parallel = plan.parallel;
    sortRange(0, parallel, plan.writes.empty() ? plan.reads : plan.writes);
    sortRange(parallel, plan.loops.size(), plan.reads);
}

bool Planner::canCollapse(unsigned k) const {
    const NestLoop &outer = plan.loops[k], &inner = plan.loops[k + 1];
    if (!outer.any || !inner.any || outer.reduced != inner.reduced)
        return false;
    for (const NestLoop *loop : {&outer, &inner})
        for (DimAttr iterator : loop->iterators)
            if (pinned.contains(iterator))
                return false;
    auto fits = [&](const NestAccess &a) {
        return a.steps[k] == np::dimMul(a.steps[k + 1], inner.size);
    };
    return llvm::all_of(plan.reads, fits) && llvm::all_of(plan.writes, fits);
}

void Planner::collapse() {
    for (unsigned k = plan.loops.size() < 2 ? 0 : plan.loops.size() - 1; k-- > 0;) {
        if (!canCollapse(k))
            continue;
        NestLoop &outer = plan.loops[k], &inner = plan.loops[k + 1];
        outer.size = np::dimMul(outer.size, inner.size);
        outer.iterators.append(inner.iterators);
        plan.loops.erase(plan.loops.begin() + k + 1);
        forAccesses([&](NestAccess &a) { a.steps.erase(a.steps.begin() + k); });
        if (!outer.reduced)
            --plan.parallel;
    }
}

Planner::AxesOf Planner::axesOf(unsigned loop, ArrayAttr map) const {
    AxesOf axes;
    for (auto [k, index] : llvm::enumerate(map.getAsRange<DimAttr>()))
        for (DimAttr iterator : plan.loops[loop].iterators)
            if (const int64_t axis = map.size() - 1 - k; np::dimUses(index, iterator.getName()))
                axes.add({axis, axis});
    return axes;
}

// The same in the array that an operand is a view of: there the last axis is usually contiguous.
Planner::AxesOf Planner::axesOfBase(Value operand, AxesOf axes) {
    const int64_t rank = cast<np::ArrayType>(operand.getType()).getRank();
    auto view = operand.getDefiningOp<np::ViewOp>();
    if (!view || axes.last < 0)
        return axes;
    AxesOf inBase;
    for (int64_t axis = axes.first; axis <= axes.last; ++axis)
        if (const int64_t of = view.getAxes()[rank - 1 - axis]; of >= 0) {
            const int64_t fromEnd =
                cast<np::ArrayType>(view.getBase().getType()).getRank() - 1 - of;
            inBase.add({fromEnd, fromEnd});
        }
    return axesOfBase(view.getBase(), inBase);
}

// Whether `loop`, not `other`, is the inner axis of the array of the values that NumPy reduces.
// NumPy then sums row by row; else pairwise, and row by row would be less exact. Exact reductions
// are right in any order: where operands disagree, they follow the loop along which most are
// contiguous.
bool Planner::isInner(unsigned loop, unsigned other, bool isExact) {
    bool isInner = false, isOuter = false;
    AxesOf axes, otherAxes;
    for (auto [access, operand, map] :
         llvm::zip_equal(plan.reads, op.getReads(), op.getReadMaps())) {
        const DimAttr step = access.steps[loop], otherStep = access.steps[other];
        const AxesOf here = axesOf(loop, cast<ArrayAttr>(map)),
                     otherHere = axesOf(other, cast<ArrayAttr>(map));
        axes.add(here);
        otherAxes.add(otherHere);
        if (step.isConst(0) || otherStep.isConst(0)) // the same value along one of them
            continue;
        // Else strides decide, or where it is unknown which one is larger, the order of the axes.
        const int64_t size = step.isConst() ? std::abs(step.getValue()) : INT64_MAX,
                      otherSize = otherStep.isConst() ? std::abs(otherStep.getValue()) : INT64_MAX;
        const int64_t axis = axesOfBase(operand, here).last,
                      otherAxis = axesOfBase(operand, otherHere).first;
        const bool isTied = size == otherSize && axis == otherAxis; // sliding windows
        isInner |= isTied || (size != otherSize ? size < otherSize : axis < otherAxis);
        isOuter |= isTied || (size != otherSize ? size > otherSize : axis > otherAxis);
    }
    if (isInner != isOuter)
        return isInner;
    if (isExact)
        return unitSteps(loop) > 0 && unitSteps(loop) >= unitSteps(other);
    // Operands of which none has both axes, as in x[:, None] * y, make an array in C order.
    return !isOuter && axes.last < otherAxes.first;
}

void Planner::chooseForm() {
    bool reduction = isReduction();
    if (!reduction)
        plan.parallel = plan.loops.size();
    if (plan.parallel == plan.loops.size())
        return;
    for (StringRef combine : op.getCombine().getAsValueRange<StringAttr>())
        if (combine.starts_with("arg")) {
            plan.form = NestForm::ArgReduction;
            return;
        }
    unsigned last = plan.loops.size() - 1;
    bool floatSum = false, complexSum = false, floatExtreme = false,
         allWrites = op.getNumResults() == 0;
    auto isVector = [&](const NestAccess &a) { return isVectorStep(a.steps[last]); };
    // Elements may be combined twice: vectors overlap instead of leaving a scalar remainder.
    bool idempotent =
        llvm::any_of(plan.reads, isVector) && llvm::all_of(plan.reads, [&](const NestAccess &a) {
            return a.steps[last].isConst(0) || isVector(a);
        });
    for (auto [k, combine] : llvm::enumerate(op.getCombine().getAsValueRange<StringAttr>())) {
        Type type = op.getBody().front().getTerminator()->getOperand(k).getType();
        DType dtype = dtypeOf(type);
        floatSum |= combine == "add" && (isFloat(dtype) || isComplex(dtype));
        complexSum |= combine == "add" && isComplex(dtype);
        const bool isExtreme = combine == "minimum" || combine == "maximum";
        floatExtreme |= isExtreme && isFloat(dtype);
        allWrites &= !combine.empty();
        idempotent &=
            (isExtreme && !isComplex(dtype)) || combine == "logical_or" || combine == "logical_and";
    }
    if (plan.parallel > 0 && allWrites) {
        unsigned row = plan.parallel - 1;
        bool contiguous = llvm::all_of(plan.writes, [&](const NestAccess &a) {
            return a.steps[row].isConst(1) && plan.noalias[a.pointer] &&
                   llvm::none_of(plan.reads,
                                 [&](const NestAccess &r) { return r.pointer == a.pointer; });
        });
        for (unsigned i = 0; i < plan.writes.size(); ++i)
            for (unsigned j = 0; j < i; ++j)
                contiguous &= plan.writes[i].pointer != plan.writes[j].pointer;
        if (contiguous && plan.loops[row].any && isInner(row, last, !floatSum)) {
            plan.form = NestForm::Rows;
            --plan.parallel;
            moveLoop(row, last);
            return;
        }
    }
    // NumPy adds so few terms one after the other; a complex one counts as two.
    bool tiny =
        plan.loops[last].size.isConst() && plan.loops[last].size.getValue() < (complexSum ? 4 : 8);
    if (!tiny && (floatSum || floatExtreme || idempotent))
        plan.form = floatSum ? NestForm::Pairwise : NestForm::MultipleAccumulators;
}

// Loops of one iteration disappear, unless the reduction needs its last loop.
void Planner::dropUnitLoops() {
    for (unsigned k = plan.loops.size(); k-- > 0;) {
        NestLoop &loop = plan.loops[k];
        bool needed = plan.form != NestForm::Plain && k + 1 == plan.loops.size();
        if (!loop.size.isConst(1) || needed || pinned.contains(loop.iterators[0]))
            continue;
        if (!loop.reduced)
            --plan.parallel;
        plan.loops.erase(plan.loops.begin() + k);
        forAccesses([&](NestAccess &a) { a.steps.erase(a.steps.begin() + k); });
    }
}

bool Planner::isSmall() const {
    if (plan.form != NestForm::Plain)
        return false;
    int64_t iterations = 1;
    for (const NestLoop &loop : plan.loops) {
        if (!loop.size.isConst() || loop.size.getValue() > smallNest)
            return false;
        iterations *= loop.size.getValue();
    }
    return iterations <= smallNest;
}

// Whether the reductions of any two parts, combined, are the reduction of the whole.
bool Planner::isAssociative() const {
    np::NestOp nest = plan.op;
    Operation *yield = nest.getBody().front().getTerminator();
    for (auto [value, combine] :
         llvm::zip_equal(yield->getOperands(), nest.getCombine().getAsValueRange<StringAttr>())) {
        DType dtype = dtypeOf(value.getType());
        const bool isExact = combine.empty() || (!isFloat(dtype) && !isComplex(dtype));
        if (!isExact && combine != "minimum" && combine != "maximum")
            return false;
    }
    return true;
}

// Chooses the loop that threads share: the outermost that may run in any order and is long enough.
// A full reduction is shared where its parts are nodes of NumPy's tree, or where the result does
// not depend on how it is partitioned.
void Planner::share() {
    bool isPure = llvm::all_of(op.getBody().front(), [](Operation &inner) {
        return isMemoryEffectFree(&inner) ||
               isa<np::UfuncOp, np::PyOp, np::TakeOp, np::NestYieldOp>(inner);
    });
    auto isLong = [&](const NestLoop &loop) {
        return loop.any && !(loop.size.isConst() && loop.size.getValue() < minSharedTripCount);
    };
    const bool isOrdered = llvm::any_of(plan.loops, [](const NestLoop &l) { return !l.any; });
    const bool isOrderFree = plan.form != NestForm::ArgReduction && isAssociative();
    const bool isPartitionable = plan.form == NestForm::Pairwise || isOrderFree;
    const bool isValue = op.getNumResults() != 0;
    // Threads return partial results as scalars; an array of one element would be written by all.
    auto combined = op.getCombine().getAsValueRange<StringAttr>();
    const bool isInArray = llvm::any_of(llvm::zip_first(plan.writes, combined),
                                        [](auto pair) { return !std::get<1>(pair).empty(); });
    plan.notSharedReason = isOrdered ? "its loops carry a dependence" : "its loops are short";
    if (!isPure)
        plan.notSharedReason = "it calls a function that keeps state";
    else if (isValue && (!isPartitionable || isInArray || plan.loops.size() != 1 ||
                         (!plan.writes.empty() && !isOrderFree)))
        plan.notSharedReason = "its value depends on the order of the elements";
    else if (isValue && isLong(plan.loops[0]))
        plan.shared = 0;
    if (!isPure || isValue)
        return;
    for (unsigned k = 0; k < plan.parallel && !plan.shared; ++k)
        if (isLong(plan.loops[k]))
            plan.shared = k;
    if (!plan.shared && plan.form == NestForm::Rows && isLong(plan.loops.back()))
        plan.shared = plan.loops.size() - 1;
}

} // namespace

unsigned summationLanes(const NestPlan &plan) {
    np::NestOp op = plan.op;
    Operation *yield = op.getBody().front().getTerminator();
    for (auto [value, combine] :
         llvm::zip_equal(yield->getOperands(), op.getCombine().getAsValueRange<StringAttr>()))
        if (!combine.empty() && isComplex(dtypeOf(value.getType())))
            return 4;
    return 8;
}

int64_t longestLeaf(const NestPlan &plan) { return 16 * summationLanes(plan); }

// Where the columns of Rows are shared, each thread runs all other loops, and pieces of rows of
// less than a page are loaded from memory at half the speed of whole rows.
int64_t minIterationsPerThread(const NestPlan &plan) {
    return plan.form == NestForm::Rows && *plan.shared + 1 == plan.loops.size() ? 512 : 1;
}

int64_t costOf(Operation &inBody) {
    auto call = dyn_cast<np::UfuncOp>(inBody);
    const Ufunc *ufunc = call ? findUfunc(call.getName()) : nullptr;
    return isa<np::NestYieldOp>(inBody) ? 0
           : ufunc                      ? ufunc->cost
           : isa<np::TakeOp>(inBody)    ? 16
                                        : 1;
}

DimAttr planWork(const NestPlan &plan) {
    np::NestOp op = plan.op;
    int64_t cost = plan.reads.size() + plan.writes.size(); // loads and stores that hit the cache
    for (Operation &inner : op.getBody().front())
        cost += costOf(inner);
    DimAttr work = np::dimConst(op.getContext(), cost);
    for (const NestLoop &loop : plan.loops)
        work = np::dimMul(work, loop.size);
    return work;
}

NestPlan planNest(np::NestOp op, llvm::function_ref<const Handle &(Value)> handles,
                  bool collapses) {
    return Planner(op, handles).run(collapses);
}

SmallVector<DimAttr> planSymbols(const NestPlan &plan) {
    llvm::SetVector<DimAttr> symbols;
    MLIRContext *ctx = plan.op->getContext();
    auto add = [&](DimAttr e) {
        np::dimSymbols(e, [&](StringRef name) {
            DimAttr symbol = np::dimSymbol(ctx, name);
            if (!plan.indexValue.contains(symbol))
                symbols.insert(symbol);
        });
    };
    for (const NestLoop &loop : plan.loops)
        add(loop.size);
    for (const auto *list : {&plan.reads, &plan.writes})
        for (const NestAccess &a : *list) {
            add(a.base);
            for (DimAttr step : a.steps)
                add(step);
            for (auto [size, stride] : a.gatherAxes) {
                add(size);
                add(stride);
            }
        }
    // A descending iterator's value, and sizes that the body uses.
    np::NestOp op = plan.op;
    for (unsigned k = 0; k < op.getSpace().size(); ++k)
        add(plan.indexValue.lookup(iteratorSymbol(ctx, k)));
    op.getBody().walk([&](np::SizeOp size) { add(size.getExpr()); });
    return symbols.takeVector();
}

} // namespace shapecast
