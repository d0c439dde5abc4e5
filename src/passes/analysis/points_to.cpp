// Alias analysis of handles: see the header.
#include "passes/analysis/points_to.h"

#include "ir/in_memory.h"
#include "passes/analysis/scope_facts.h"

#include "llvm/ADT/MapVector.h"
#include <numeric>

using namespace mlir;
using namespace shapecast::np;

namespace shapecast {

Value borrowedFrom(Operation *op) {
    bool handle = isa_and_nonnull<ViewOp, ReshapeOp, CheckWriteableOp, DiagonalOp, WindowsOp,
                                  PartOp, ReinterpretOp, AsStridedOp, CastOp>(op) &&
                  isa<ArrayType>(op->getResult(0).getType());
    return handle ? op->getOperand(0) : Value();
}

bool reachesContainers(CallOp call) {
    return llvm::any_of(call.getArgs(), [](Value operand) {
        auto array = dyn_cast<ArrayType>(operand.getType());
        return array && isHeldByAddress(array) && array.getDims()[0].isConst(wordsOfContainer);
    });
}

SmallVector<Value> arraysWrittenBy(Operation *op) {
    SmallVector<Value> written;
    if (auto store = dyn_cast<StoreOp>(op))
        written.push_back(store.getBase());
    else if (auto assign = dyn_cast<AssignOp>(op))
        written.push_back(assign.getBase());
    else if (auto native = dyn_cast<NativeOp>(op))
        llvm::append_range(written, native.getOperands().take_front(native.getWritten()));
    else if (isa<CallOp>(op))
        llvm::append_range(written, op->getOperands());
    llvm::erase_if(written, [](Value v) { return !isa<ArrayType>(v.getType()); });
    return written;
}

Value mayShareWith(Operation *op) {
    auto reshape = dyn_cast_or_null<ReshapeAnyOp>(op);
    return reshape ? reshape.getBase() : borrowedFrom(op);
}

// Is there an array whose elements may overlap each other, in any function?
static bool makesSelfOverlaps(ModuleOp module) {
    auto given = [](FuncOp func) {
        return llvm::any_of(aliasPairs(func, "overlap"),
                            [](auto pair) { return pair.first == pair.second; });
    };
    return llvm::any_of(module.getOps<FuncOp>(), given) ||
           module.walk([](AsStridedOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

PointsTo::~PointsTo() = default;

PointsTo::PointsTo(FuncOp func)
    : entry(&func.getBody().front()), points(std::make_unique<PointFacts>()) {
    unsigned next = 0;
    func->walk<WalkOrder::PreOrder>([&](Operation *op) { numbers[op] = next++; });
    Attribute alias = func.getAliasAttr();
    mayAlias = !alias;
    overlaps = aliasPairs(func, "overlap");
    unsigned count = func.getArgumentTypes().size();
    for (unsigned i = 0; i < count; ++i)
        sameAs.push_back(i);
    // `alias` omits pairs of which neither can be written: (a, b) where a is c and b is c, say.
    for (auto [i, j] : aliasPairs(func, "same"))
        if (i < count && j < count) {
            const auto [first, other] = std::minmax({sameAs[i], sameAs[j]});
            std::replace(sameAs.begin(), sameAs.end(), other, first);
        }
    for (auto [i, j] : overlaps)
        if (i == j && i < count)
            selfOverlaps.insert(func.getBody().getArgument(sameAs[i]));
    func->walk([&](AsStridedOp op) { selfOverlaps.insert(op); });
    // The callers of a recursive function, or of a try's, may pass any array that they have.
    auto module = alias ? ModuleOp() : func->getParentOfType<ModuleOp>();
    if (module && makesSelfOverlaps(module))
        for (BlockArgument argument : entry->getArguments())
            if (isa<ArrayType>(argument.getType()))
                selfOverlaps.insert(argument);
}

//===-- Roots and windows

Value PointsTo::canonical(Value root) const {
    auto argument = dyn_cast<BlockArgument>(root);
    if (!argument)
        return root;
    if (argument.getOwner() == entry)
        return argument.getOwner()->getArgument(sameAs[argument.getArgNumber()]);
    // Both regions of np.while see the same carried values.
    if (auto loop = dyn_cast<WhileOp>(argument.getOwner()->getParentOp()))
        return loop.getBefore().getArgument(argument.getArgNumber());
    return root;
}

Value viewedArray(Value handle) {
    while (isa_and_nonnull<CastOp, CheckWriteableOp, ViewOp>(handle.getDefiningOp()))
        handle = handle.getDefiningOp()->getOperand(0);
    return handle;
}

Value PointsTo::memoryRoot(Value handle) const {
    while (Value base = mayShareWith(handle.getDefiningOp()))
        handle = base;
    return canonical(handle);
}

Window PointsTo::window(Value handle) const {
    MLIRContext *ctx = handle.getContext();
    while (isa_and_nonnull<CastOp, CheckWriteableOp>(handle.getDefiningOp()))
        handle = handle.getDefiningOp()->getOperand(0);
    auto view = handle.getDefiningOp<ViewOp>();
    if (!view) {
        Window whole;
        whole.root = canonical(handle);
        int64_t rank = cast<ArrayType>(handle.getType()).getRank();
        whole.offset.assign(rank, dimConst(ctx, 0));
        whole.step.assign(rank, dimConst(ctx, 1));
        for (int64_t d = 0; d < rank; ++d)
            whole.axis.push_back(d);
        return whole;
    }
    Window w = window(view.getBase());
    SmallVector<DimAttr> offsets = dimVector(view.getOffsets()), steps = dimVector(view.getSteps());
    for (size_t d = 0; d < w.axis.size(); ++d) {
        int64_t base = w.axis[d];
        if (base < 0)
            continue;
        w.offset[d] = dimAdd(w.offset[d], dimMul(w.step[d], offsets[base]));
        w.step[d] = dimMul(w.step[d], steps[base]);
        w.axis[d] = -1;
        for (auto [r, axis] : llvm::enumerate(view.getAxes()))
            if (axis == base)
                w.axis[d] = r;
    }
    return w;
}

bool PointsTo::selfOverlapping(Value handle) const {
    if (selfOverlaps.empty())
        return false;
    for (Value at = handle; at; at = mayShareWith(at.getDefiningOp()))
        if (selfOverlaps.contains(at))
            return true;
    Value root = memoryRoot(handle);
    if (isa_and_nonnull<AllocOp, MaterializeOp>(root.getDefiningOp()))
        return false;
    // A loop-carried handle may be such an argument, or such a view: only fresh arrays and other
    // arguments are proved not to be.
    auto argument = dyn_cast<BlockArgument>(root);
    const bool carried = !argument || argument.getOwner() != entry;
    return llvm::any_of(selfOverlaps, [&](Value other) {
        const bool isView = other.getDefiningOp();
        return root == other || ((carried || !isView) && !disjoint(root, other, &entry->front()));
    });
}

const DimFacts &PointsTo::factsAt(Operation *at) const {
    if (at != factsPoint) {
        factsThere = &points->at(at);
        factsPoint = at;
    }
    return *factsThere;
}

namespace {

// The indices lo, lo + gap, ..., at most hi; gap 0: one index.
struct Indices {
    DimAttr lo, hi;
    int64_t gap;
};

std::optional<Indices> indicesAlong(const Window &w, ArrayType type, size_t d) {
    if (w.axis[d] < 0)
        return Indices{w.offset[d], w.offset[d], 0};
    if (!w.step[d].isConst() || w.step[d].getValue() == 0)
        return std::nullopt;
    DimAttr one = dimConst(type.getContext(), 1);
    DimAttr reach = dimMul(w.step[d], dimSub(type.getDims()[w.axis[d]], one));
    int64_t step = w.step[d].getValue();
    DimAttr last = dimAdd(w.offset[d], reach);
    return step > 0 ? Indices{w.offset[d], last, step} : Indices{last, w.offset[d], -step};
}

bool indicesDisjoint(const Indices &a, const Indices &b, const DimFacts &facts) {
    if (facts.provesLess(a.hi, b.lo) || facts.provesLess(b.hi, a.lo))
        return true;
    if (a.gap == 0 && b.gap == 0)
        return facts.equal(a.lo, b.lo) == Answer::No;
    int64_t gap = std::gcd(a.gap, b.gap);
    DimAttr apart = dimSub(a.lo, b.lo);
    return apart.isConst() && apart.getValue() % gap != 0;
}

} // namespace

bool PointsTo::windowsDisjoint(Value u, Value v, Operation *at) const {
    if (u == v)
        return false;
    Window a = window(u), b = window(v);
    if (a.root != b.root || selfOverlapping(u))
        return false;
    auto aType = cast<ArrayType>(u.getType()), bType = cast<ArrayType>(v.getType());
    for (size_t d = 0; d < std::min(a.axis.size(), b.axis.size()); ++d) {
        std::optional<Indices> x = indicesAlong(a, aType, d), y = indicesAlong(b, bType, d);
        if (x && y && indicesDisjoint(*x, *y, factsAt(at)))
            return true;
    }
    return false;
}

//===-- The no-alias relation

unsigned PointsTo::number(Value root) const {
    Operation *op = root.getDefiningOp();
    if (!op)
        op = cast<BlockArgument>(root).getOwner()->getParentOp();
    auto found = numbers.find(op);
    return found == numbers.end() ? ~0u : found->second; // added later: a fresh array
}

bool PointsTo::argumentsDisjoint(unsigned i, unsigned j) const {
    return !mayAlias && llvm::none_of(overlaps, [&](std::pair<unsigned, unsigned> pair) {
        unsigned a = sameAs[pair.first], b = sameAs[pair.second];
        return (a == i && b == j) || (a == j && b == i);
    });
}

PointsTo::Pair PointsTo::ordered(Value a, Value b) {
    return a.getAsOpaquePointer() < b.getAsOpaquePointer() ? Pair(a, b) : Pair(b, a);
}

namespace {

// The incoming values of a phi-like root, with the point where each is bound; none for other roots.
struct Sources {
    SmallVector<std::pair<Value, Operation *>, 2> values;
};

std::optional<Sources> sourcesOf(Value root) {
    auto argument = dyn_cast<BlockArgument>(root);
    Operation *op = argument ? argument.getOwner()->getParentOp() : root.getDefiningOp();
    auto loop = [&](ValueRange inits, Region &body, unsigned index) {
        auto next = cast<NextOp>(body.front().getTerminator());
        return Sources{{{inits[index], op}, {next.getValues()[index], next}}};
    };
    unsigned index = argument ? argument.getArgNumber() : cast<OpResult>(root).getResultNumber();
    if (auto counted = dyn_cast<ForOp>(op))
        return loop(counted.getInits(), counted.getBody(), argument ? index - 1 : index);
    if (auto whileLoop = dyn_cast<WhileOp>(op))
        return loop(whileLoop.getInits(), whileLoop.getBody(), index);
    if (auto branch = dyn_cast<IfOp>(op)) {
        Operation *then = branch.getThenRegion().front().getTerminator();
        Operation *otherwise = branch.getElseRegion().front().getTerminator();
        return Sources{
            {{then->getOperand(index), then}, {otherwise->getOperand(index), otherwise}}};
    }
    return std::nullopt;
}

} // namespace

// Whether two different roots are disjoint: known at once, or if all links hold.
std::optional<bool> PointsTo::rootsDisjoint(Value a, Value b, SmallVectorImpl<Link> &links) const {
    auto argument = [&](Value v) {
        auto arg = dyn_cast<BlockArgument>(v);
        return arg && arg.getOwner() == entry ? arg : BlockArgument();
    };
    if (argument(a) && argument(b))
        return argumentsDisjoint(argument(a).getArgNumber(), argument(b).getArgNumber());
    if (number(a) > number(b))
        std::swap(a, b); // b is bound later
    if (isa_and_nonnull<AllocOp, MaterializeOp, TextOp, TextAtOp, UnboundOp>(b.getDefiningOp()))
        return true;                             // an unbound one is never read
    if (auto call = b.getDefiningOp<CallOp>()) { // an operand, a view of one, or fresh
        if (reachesContainers(call))             // an array in one of them
            return false;
        for (Value operand : call.getArgs())
            if (isa<ArrayType>(operand.getType()))
                links.push_back({operand, a, call});
        return number(a) == number(b) ? std::optional(false) : std::nullopt; // one call's results
    }
    std::optional<Sources> later = sourcesOf(b);
    if (!later)
        return false;
    std::optional<Sources> earlier = number(a) == number(b) ? sourcesOf(a) : std::nullopt;
    for (size_t k = 0; k < later->values.size(); ++k) {
        auto [value, at] = later->values[k];
        links.push_back({value, earlier ? earlier->values[k].first : a, at});
    }
    return std::nullopt;
}

// A link that depends on no other pair is settled here; else `roots` is the pair it depends on.
std::optional<bool> PointsTo::settled(const Link &link, Pair &roots) const {
    Value a = memoryRoot(link.u), b = memoryRoot(link.v);
    if (a == b)
        return windowsDisjoint(link.u, link.v, link.at);
    roots = ordered(a, b);
    auto found = known.find(roots);
    return found == known.end() ? std::nullopt : std::optional<bool>(found->second);
}

// Greatest fixed point over all pairs that this one depends on: assume that all are disjoint, and
// refute what is contradicted.
bool PointsTo::solve(Pair pair) const {
    llvm::MapVector<Pair, SmallVector<Pair, 2>> open; // pair -> pairs that must hold too
    llvm::DenseSet<Pair> refuted;
    SmallVector<Pair> work{pair};
    open[pair];
    while (!work.empty()) {
        Pair current = work.pop_back_val();
        SmallVector<Link> links;
        std::optional<bool> answer = rootsDisjoint(current.first, current.second, links);
        bool holds = answer.value_or(true);
        for (const Link &link : links) {
            Pair roots;
            std::optional<bool> sure = settled(link, roots);
            if (sure) {
                holds &= *sure;
                continue;
            }
            open[current].push_back(roots);
            if (open.insert({roots, {}}).second)
                work.push_back(roots);
        }
        if (!holds)
            refuted.insert(current);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (auto &[candidate, needs] : open)
            if (!refuted.contains(candidate) &&
                llvm::any_of(needs, [&](Pair need) { return refuted.contains(need); }))
                changed |= refuted.insert(candidate).second;
    }
    for (auto &[candidate, needs] : open)
        known[candidate] = !refuted.contains(candidate);
    return known[pair];
}

bool PointsTo::disjoint(Value u, Value v, Operation *at) const {
    Pair roots;
    std::optional<bool> sure = settled({u, v, at}, roots);
    return sure ? *sure : solve(roots);
}

} // namespace shapecast
