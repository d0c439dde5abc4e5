// np-checks: one walk in program order that collects facts and versions the loops with affine
// requires.
#include "passes/loops/checks.h"

#include "ir/dim_facts.h"
#include "passes/analysis/loop_extremes.h"
#include "passes/analysis/scope_facts.h"
#include "passes/loops/counters.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace shapecast {

using np::Answer;
using np::DimAttr;
using np::DimKind;

namespace {

// No size is larger; sums of a few such numbers do not overflow.
constexpr int64_t maxSize = int64_t(1) << 47;
constexpr int64_t maxFactor = 1 << 12;

using Wraps = llvm::SmallDenseSet<DimAttr, 4>; // wrap(i, n) that are proved to be i

//===-- Replacing wrap(i, n)

DimAttr withoutWraps(DimAttr e, const Wraps &wraps) {
    if (e.isConst() || e.isSymbol())
        return e;
    SmallVector<DimAttr, 4> operands;
    for (DimAttr operand : e.getOperands())
        operands.push_back(withoutWraps(operand, wraps));
    MLIRContext *ctx = e.getContext();
    auto fold = [&](DimAttr first, auto combine) {
        for (DimAttr operand : operands)
            first = first ? combine(first, operand) : operand;
        return first;
    };
    switch (e.getKind()) {
    case DimKind::Sum:
        return fold(np::dimConst(ctx, e.getValue()), np::dimAdd);
    case DimKind::Product:
        return fold(np::dimConst(ctx, e.getValue()), np::dimMul);
    case DimKind::FloorDiv:
        return np::dimFloorDiv(operands[0], operands[1]);
    case DimKind::Mod:
        return np::dimMod(operands[0], operands[1]);
    case DimKind::Min:
        return fold(DimAttr(), np::dimMin);
    case DimKind::Max:
        return fold(DimAttr(), np::dimMax);
    case DimKind::Bcast:
        return np::dimBcast(operands[0]);
    case DimKind::Broadcast:
        return fold(DimAttr(), np::dimBroadcast);
    case DimKind::Wrap:
        return wraps.contains(e) ? operands[0] : np::dimWrap(operands[0], operands[1]);
    default:
        return e;
    }
}

void removeWraps(Operation *op, const Wraps &wraps) {
    if (wraps.empty())
        return;
    AttrTypeReplacer replacer;
    // Whole expressions, never subexpressions: the dim functions keep the canonical form.
    replacer.addReplacement([&](DimAttr e) -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::pair<Attribute, WalkResult>(withoutWraps(e, wraps), WalkResult::skip());
    });
    replacer.recursivelyReplaceElementsIn(op, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                          /*replaceTypes=*/true);
}

//===-- The pass

class CheckHoister {
public:
    explicit CheckHoister(np::FuncOp function)
        : ctx(function.getContext()), function(function),
          recheck(np::NpDialect::RecheckAttrHelper(function.getContext())
                      .isAttrPresent(function->getParentOfType<ModuleOp>())),
          facts(ctx) {}
    void run();

private:
    struct Hoisted { // relations that, if they hold before the loop, imply these requires in it
        llvm::SetVector<np::GuardAttr> relations;
        llvm::DenseSet<Operation *> requires_;
        Wraps wraps;
    };

    void block(Block &block);
    void loop(np::ForOp op);
    void requireOp(np::RequireOp op);
    void drop(Operation *require);
    DimAttr withoutDivisions(DimAttr e) const;
    void removeDivisions(Operation *op);
    bool proved(StringRef kind, ArrayRef<DimAttr> args) const;
    Hoisted analyse(np::ForOp op);
    bool hoist(np::RequireOp op, ArrayRef<LoopRange> loops, const llvm::StringSet<> &inside,
               Hoisted &result);
    bool addRelation(StringRef pred, DimAttr lhs, DimAttr rhs,
                     SmallVectorImpl<np::GuardAttr> &relations);
    bool addLimits(DimAttr e, SmallVectorImpl<np::GuardAttr> &relations);
    void version(np::ForOp op, const Hoisted &hoisted);

    DimAttr number(int64_t value) { return np::dimConst(ctx, value); }

    MLIRContext *ctx;
    np::FuncOp function;
    const bool recheck; // proved requires are marked and kept, and checked at run time too
    np::DimFacts facts;
};

bool CheckHoister::proved(StringRef kind, ArrayRef<DimAttr> args) const {
    auto one = [&] { return np::dimConst(ctx, 1); };
    if (kind == "eq" || kind == "==")
        return facts.provesEqual(args[0], args[1]);
    if (kind == "ge" || kind == ">=")
        return facts.provesGreaterEqual(args[0], args[1]);
    if (kind == "ne" || kind == "!=")
        return facts.equal(args[0], args[1]) == Answer::No;
    if (kind == "index")
        return facts.provesLess(args[0], args[1]) &&
               facts.provesGreaterEqual(args[0], np::dimNeg(args[1]));
    if (kind == "broadcast")
        return facts.provesEqual(args[0], args[1]) || facts.provesEqual(args[0], one()) ||
               facts.provesEqual(args[1], one());
    if (kind == "broadcast_to")
        return facts.provesEqual(args[0], args[1]) || facts.provesEqual(args[0], one());
    return false;
}

void CheckHoister::drop(Operation *require) {
    if (recheck)
        cast<np::RequireOp>(require).setProved(true);
    else
        require->erase();
}

void CheckHoister::requireOp(np::RequireOp op) {
    if (op.getProved())
        return;
    if (proved(op.getKind(), np::dimVector(op.getArgs())))
        drop(op);
    else
        addRequireFacts(op, facts);
}

void CheckHoister::block(Block &block) {
    np::DimFacts::Mark mark = facts.mark();
    for (Operation &op : llvm::make_early_inc_range(block)) {
        if (auto require = dyn_cast<np::RequireOp>(op)) {
            requireOp(require);
        } else if (auto symbol = dyn_cast<np::SymbolOp>(op)) {
            addRangeFacts(symbol, facts);
        } else if (auto forOp = dyn_cast<np::ForOp>(op)) {
            loop(forOp);
        } else if (isa<np::LoadOp, np::StoreOp, np::SizeOp>(op)) {
            removeDivisions(&op);
        } else if (!isa<np::NestOp>(op)) {
            for (Region &region : op.getRegions())
                for (Block &inner : region)
                    this->block(inner);
        }
    }
    facts.rewind(mark);
}

//===-- Replacing mod(i, n)

// A periodic neighbour, (i + 1) % n, is at most one n off: no division.
DimAttr CheckHoister::withoutDivisions(DimAttr e) const {
    if (e.isConst() || e.isSymbol())
        return e;
    auto operands = llvm::map_to_vector<4>(
        e.getOperands(), [&](DimAttr operand) { return withoutDivisions(operand); });
    if (e.getKind() == DimKind::Mod) {
        DimAttr n = operands[1];
        for (DimAttr index : {operands[0], np::dimSub(operands[0], n)})
            if (facts.greaterEqual(index, np::dimNeg(n)) == Answer::Yes &&
                facts.greaterEqual(np::dimPlus(n, -1), index) == Answer::Yes)
                return np::dimWrap(index, n);
    }
    return ArrayRef(operands) == e.getOperands() ? e : np::dimWithOperands(e, operands);
}

void CheckHoister::removeDivisions(Operation *op) {
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](DimAttr e) -> std::optional<std::pair<Attribute, WalkResult>> {
        return std::pair<Attribute, WalkResult>(withoutDivisions(e), WalkResult::skip());
    });
    replacer.replaceElementsIn(op);
}

void CheckHoister::loop(np::ForOp op) {
    np::DimFacts::Mark mark = facts.mark();
    Hoisted hoisted = analyse(op);
    if (!hoisted.requires_.empty() && hoisted.relations.empty()) {
        removeWraps(op, hoisted.wraps); // all proved
        for (Operation *require : hoisted.requires_)
            drop(require);
    } else if (!hoisted.requires_.empty()) {
        version(op, hoisted);
        for (np::GuardAttr guard : hoisted.relations) // `op` is now the fast version: they hold
            if (guard.getPred() == ">=")
                facts.addGreaterEqual(guard.getLhs(), guard.getRhs());
    }
    addLoopFacts(op, facts);
    block(op.getBody().front());
    facts.rewind(mark);
}

//===-- Conditions before a loop

// The conditions are computed in 64 bits: symbols that may be large are checked not to be, so that
// nothing overflows.
bool CheckHoister::addLimits(DimAttr e, SmallVectorImpl<np::GuardAttr> &relations) {
    auto [least, greatest] = facts.range(e);
    if (least > INT64_MIN && greatest < INT64_MAX)
        return true;
    bool isSimple = true;
    auto visit = [&](auto &self, DimAttr part) -> void {
        if (part.isSymbol()) {
            auto [low, high] = facts.range(part);
            if (high > maxSize)
                relations.push_back(np::GuardAttr::get(ctx, ">=", number(maxSize), part, 0));
            if (low < -maxSize)
                relations.push_back(np::GuardAttr::get(ctx, ">=", part, number(-maxSize), 0));
            return;
        }
        bool isProduct = part.getKind() == DimKind::Product;
        isSimple &= !isProduct ||
                    (part.getOperands().size() == 1 && std::abs(part.getValue()) <= maxFactor);
        isSimple &= part.getOperands().size() <= 16;
        for (DimAttr operand : part.getOperands())
            self(self, operand);
    };
    visit(visit, e);
    return isSimple;
}

bool CheckHoister::addRelation(StringRef pred, DimAttr lhs, DimAttr rhs,
                               SmallVectorImpl<np::GuardAttr> &relations) {
    if (proved(pred, {lhs, rhs}))
        return true;
    bool isRefuted = pred == ">="   ? facts.less(lhs, rhs) == Answer::Yes
                     : pred == "==" ? facts.equal(lhs, rhs) == Answer::No
                                    : false;
    if (isRefuted || !addLimits(lhs, relations) || !addLimits(rhs, relations))
        return false;
    relations.push_back(np::GuardAttr::get(ctx, pred, lhs, rhs, 0));
    return true;
}

// Adds relations that imply `op` in every iteration; false if there are none that can be computed
// before the loop.
bool CheckHoister::hoist(np::RequireOp op, ArrayRef<LoopRange> loops,
                         const llvm::StringSet<> &inside, Hoisted &result) {
    SmallVector<DimAttr> args = np::dimVector(op.getArgs());
    StringRef kind = op.getKind();
    if (kind == "false")
        return false;
    SmallVector<np::GuardAttr> relations;
    auto extreme = [&](DimAttr e, bool greatest) {
        DimAttr value = extremeOf(e, greatest, loops, facts);
        bool known = bool(value);
        if (value)
            np::dimSymbols(value, [&](StringRef name) { known &= !inside.contains(name); });
        return known ? value : DimAttr();
    };
    auto invariant = [&](DimAttr e) { return extreme(e, true) == e; };
    bool ok = false;
    Wraps wraps;
    if (kind == "index") {
        DimAttr least = extreme(args[0], false);
        DimAttr slack = extreme(np::dimSub(np::dimSub(args[1], number(1)), args[0]), false);
        if (!least || !slack)
            return false;
        ok = addRelation(">=", slack, number(0), relations);
        if (facts.less(least, number(0)) == Answer::Yes) { // a negative index: the wrap stays
            DimAttr room = extreme(np::dimAdd(args[0], args[1]), false);
            ok &= room && addRelation(">=", room, number(0), relations);
        } else {
            ok &= addRelation(">=", least, number(0), relations);
            wraps.insert(np::dimWrap(args[0], args[1]));
        }
    } else if (kind == "ge") {
        DimAttr slack = extreme(np::dimSub(args[0], args[1]), false);
        ok = slack && addRelation(">=", slack, number(0), relations);
    } else if (invariant(args[0]) && invariant(args[1])) {
        StringRef pred = kind == "eq" ? "==" : kind == "ne" ? "!=" : kind;
        ok = addRelation(pred, args[0], args[1], relations);
    }
    if (!ok)
        return false;
    result.relations.insert(relations.begin(), relations.end());
    result.wraps.insert(wraps.begin(), wraps.end());
    result.requires_.insert(op);
    return true;
}

CheckHoister::Hoisted CheckHoister::analyse(np::ForOp op) {
    Hoisted result;
    llvm::StringSet<> inside; // symbols that are not bound before the loop
    op->walk([&](Operation *inner) {
        if (auto symbol = dyn_cast<np::SymbolOp>(inner))
            inside.insert(symbol.getName());
        if (auto loop = dyn_cast<np::ForOp>(inner))
            inside.insert(loop.getVar());
    });
    op->walk([&](np::RequireOp require) {
        if (require.getProved())
            return;
        SmallVector<LoopRange> loops;
        for (Operation *at = require; at != op;) {
            at = at->getParentOp();
            if (auto loop = dyn_cast<np::ForOp>(at))
                if (std::optional<LoopRange> range = loopRange(loop))
                    loops.push_back(*range);
        }
        std::reverse(loops.begin(), loops.end());
        hoist(require, loops, inside, result);
    });
    return result;
}

//===-- Versioning

// Loop versioning: np.if all_hold { the loop without these requires } else { a clone with them }.
// `op` itself becomes the fast version.
void CheckHoister::version(np::ForOp op, const Hoisted &hoisted) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    SmallVector<Attribute> relations(hoisted.relations.begin(), hoisted.relations.end());
    Value condition =
        np::AllHoldOp::create(builder, loc, builder.getI1Type(), builder.getArrayAttr(relations));
    auto branch = np::IfOp::create(builder, loc, op.getResultTypes(), condition);
    op.replaceAllUsesWith(branch.getResults());

    builder.createBlock(&branch.getElseRegion());
    Operation *original = builder.clone(*op);
    np::YieldOp::create(builder, loc, original->getResults());

    Block *fastBlock = builder.createBlock(&branch.getThenRegion());
    op->moveBefore(fastBlock, fastBlock->end());
    builder.setInsertionPointToEnd(fastBlock);
    np::YieldOp::create(builder, loc, op.getResults());
    for (Operation *require : hoisted.requires_)
        drop(require);
    removeWraps(op, hoisted.wraps);
}

void CheckHoister::run() {
    addEntryFacts(function, facts);
    block(function.getBody().front());
}

} // namespace

void eliminateChecks(np::FuncOp func) { CheckHoister(func).run(); }

} // namespace shapecast
