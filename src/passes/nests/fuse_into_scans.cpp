// Fusion of nests into scans: see the header.
#include "passes/nests/fuse_into_scans.h"

#include "ir/dim_facts.h"
#include "passes/analysis/accesses.h"
#include "passes/analysis/clobbers.h"
#include "passes/values/simplify.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr int maxFlops = 8; // of all nests, per element

// An access that iteration e + shift makes to element e of an array of one axis; a null shift: any
// element in any iteration.
struct ShiftedAccess {
    Value handle, root;
    DimAttr shift;
};

struct Member { // a nest or a loop, in the program's order
    Operation *op;
    DimAttr delay; // iteration i computes its point i - delay
    SmallVector<ShiftedAccess> reads, writes;
};

// A recurrence: it carries numbers, a float among them.
bool isScan(ForOp loop) {
    if (!loop || !loop.getLower().isConst(0) || !loop.getStep().isConst(1) ||
        loop.getInits().empty() || loop.isMarked())
        return false;
    auto next = cast<NextOp>(loop.getBody().front().getTerminator());
    auto isFloat = [](Type type) { return isa<FloatType, PyFloatType>(type); };
    return !next.getCondition() && llvm::any_of(loop.getInits().getTypes(), isFloat) &&
           llvm::all_of(loop.getInits().getTypes(), isScalar) &&
           llvm::all_of(loop.getBody().front().without_terminator(), [](Operation &op) {
               return isa<LoadOp, StoreOp>(op) ||
                      (isPureOp(&op) && llvm::all_of(op.getResultTypes(), isScalar));
           });
}

class Scans {
public:
    Scans(ForOp loop, const PointsTo &pointsTo)
        : loop(loop), ctx(loop.getContext()), size(loop.getUpper()), zero(dimConst(ctx, 0)),
          late(zero), pointsTo(pointsTo), facts(pointsTo.factsAt(loop)) {}

    bool rewrite();

private:
    ShiftedAccess shiftedAccess(Value handle, ArrayAttr map, StringRef iterator, DimAttr delay);
    Member scan(ForOp op);
    std::optional<Member> nest(NestOp op, bool isBefore);
    std::optional<DimAttr> delayOf(NestOp op, ArrayRef<ShiftedAccess> written);
    bool fits(const Member &member, ArrayRef<Member> others, bool isBefore);
    bool keepsOrder(const ShiftedAccess &earlier, const ShiftedAccess &later);
    void fusePreceding();
    void fuseFollowing();
    void forwardLast();
    ForOp createLoop(OpBuilder &builder, DimAttr from, DimAttr to, bool isLate, ValueRange inits);
    bool isWrittenOnce(Value root);
    void emitScan(OpBuilder &builder, ForOp op, Value counter, ValueRange carried,
                  SmallVectorImpl<Value> &next);
    void emitNest(OpBuilder &builder, const Member &member);
    Value loaded(OpBuilder &builder, const ShiftedAccess &access, Value handle, ArrayAttr index,
                 Type type);
    void stored(OpBuilder &builder, const ShiftedAccess &access, Value value, Value handle,
                ArrayAttr index);

    ForOp loop;
    MLIRContext *ctx;
    DimAttr size, zero, late; // the delay of all members that have one
    const PointsTo &pointsTo;
    const DimFacts &facts;
    SmallVector<Member> members;
    SmallVector<Operation *> between; // to be hoisted before the loop
    SmallVector<LoadOp> passed;       // loads that stay after the loop
    int flops = 0;
    // For store-to-load forwarding: what the iteration has stored, and what the one before it had,
    // if that is carried.
    SmallVector<std::pair<ShiftedAccess, Value>> known, earlier;
};

//===-- Which iteration accesses an element

ShiftedAccess Scans::shiftedAccess(Value handle, ArrayAttr map, StringRef iterator, DimAttr delay) {
    Access access = accessOf(handle, map, pointsTo);
    ShiftedAccess shifted{handle, access.root, {}};
    if (access.index.size() != 1)
        return shifted;
    std::optional<DimLinear> linear = dimLinearIn(access.index[0], iterator);
    if (linear && linear->coefficient == 1 && !dimUses(linear->rest, iterator))
        shifted.shift = facts.canonical(dimSub(delay, linear->rest));
    return shifted;
}

Member Scans::scan(ForOp op) {
    Member member{op, zero, {}, {}};
    for (Operation &inner : op.getBody().front())
        if (auto load = dyn_cast<LoadOp>(inner))
            member.reads.push_back(
                shiftedAccess(load.getBase(), load.getIndices(), op.getVar(), zero));
        else if (auto store = dyn_cast<StoreOp>(inner))
            member.writes.push_back(
                shiftedAccess(store.getBase(), store.getIndices(), op.getVar(), zero));
    return member;
}

// The first iteration in which all that point 0 of the nest reads is stored.
std::optional<DimAttr> Scans::delayOf(NestOp op, ArrayRef<ShiftedAccess> written) {
    DimAttr most = zero;
    for (auto [handle, map] : llvm::zip_equal(op.getReads(), op.getReadMaps())) {
        const ShiftedAccess read = shiftedAccess(handle, cast<ArrayAttr>(map), "d0", zero);
        for (const ShiftedAccess &write : written) {
            if (write.root != read.root || pointsTo.disjoint(write.handle, handle, loop))
                continue;
            if (!write.shift || !read.shift)
                return std::nullopt;
            DimAttr needed = facts.canonical(dimSub(write.shift, read.shift));
            if (facts.provesGreaterEqual(needed, most))
                most = needed;
            else if (!facts.provesGreaterEqual(most, needed))
                return std::nullopt;
        }
    }
    return most;
}

std::optional<Member> Scans::nest(NestOp op, bool isBefore) {
    auto isSimple = [](Operation &inner) {
        return isa<UfuncOp, CastOp, ConstOp, NestYieldOp>(inner) ||
               (isa<PyOp>(inner) && isPureOp(&inner));
    };
    if (op.getSpace().size() != 1 || op.getReduced() || op.getNumResults() ||
        !llvm::all_of(op.getBody().front(), isSimple))
        return std::nullopt;
    int more = 0;
    for (Operation &inner : op.getBody().front())
        more += elementCost(&inner);
    SmallVector<ShiftedAccess> written;
    for (const Member &member : members)
        llvm::append_range(written, member.writes);
    std::optional<DimAttr> delay = isBefore ? zero : delayOf(op, written);
    auto many = cast<DimAttr>(op.getSpace()[0]);
    if (!delay || flops + more > maxFlops || !facts.provesEqual(dimAdd(many, *delay), size) ||
        (!delay->isConst(0) && !late.isConst(0) && *delay != late))
        return std::nullopt;
    Member member{op, *delay, {}, {}};
    for (auto [handle, map] : llvm::zip_equal(op.getReads(), op.getReadMaps()))
        member.reads.push_back(shiftedAccess(handle, cast<ArrayAttr>(map), "d0", *delay));
    for (auto [handle, map] : llvm::zip_equal(op.getWrites(), op.getWriteMaps()))
        member.writes.push_back(shiftedAccess(handle, cast<ArrayAttr>(map), "d0", *delay));
    if (!fits(member, members, isBefore))
        return std::nullopt;
    flops += more;
    return member;
}

//===-- Dependences

// Each element is accessed by the earlier one first.
bool Scans::keepsOrder(const ShiftedAccess &earlier, const ShiftedAccess &later) {
    if (pointsTo.disjoint(earlier.handle, later.handle, loop))
        return true;
    return earlier.root == later.root && earlier.shift && later.shift &&
           facts.provesGreaterEqual(later.shift, earlier.shift);
}

bool Scans::fits(const Member &member, ArrayRef<Member> others, bool isBefore) {
    auto inOrder = [&](ArrayRef<ShiftedAccess> mine, ArrayRef<ShiftedAccess> theirs) {
        return llvm::all_of(mine, [&](const ShiftedAccess &m) {
            return llvm::all_of(theirs, [&](const ShiftedAccess &t) {
                return isBefore ? keepsOrder(m, t) : keepsOrder(t, m);
            });
        });
    };
    // Of a nest: no dependence between its points, as np-schedule has left it.
    auto isLoopIndependent = [&](const ShiftedAccess &write) {
        return !pointsTo.selfOverlapping(write.handle) && write.shift &&
               llvm::all_of(member.reads, [&](const ShiftedAccess &read) {
                   return pointsTo.disjoint(write.handle, read.handle, loop) ||
                          (read.root == write.root && read.shift == write.shift);
               });
    };
    auto isPassed = [&](const ShiftedAccess &write) {
        return llvm::any_of(
            passed, [&](Value array) { return !pointsTo.disjoint(write.handle, array, loop); });
    };
    if (llvm::any_of(member.writes, isPassed) ||
        (isa<NestOp>(member.op) && !llvm::all_of(member.writes, isLoopIndependent)))
        return false;
    return llvm::all_of(others, [&](const Member &other) {
        return inOrder(member.reads, other.writes) && inOrder(member.writes, other.reads) &&
               inOrder(member.writes, other.writes);
    });
}

void Scans::fusePreceding() {
    for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode()) {
        auto candidate = dyn_cast<NestOp>(op);
        if (!candidate) {
            if (!isHoistable(*op))
                return;
            continue;
        }
        std::optional<Member> member = nest(candidate, /*isBefore=*/true);
        if (!member)
            return;
        members.insert(members.begin(), std::move(*member));
    }
}

void Scans::fuseFollowing() {
    SmallVector<Operation *> waiting; // hoisted if a member follows them
    llvm::DenseSet<Operation *> dependent;
    auto needs = [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        return def && (dependent.contains(def) ||
                       llvm::any_of(members, [&](const Member &m) { return m.op == def; }));
    };
    auto isDependent = [&](Operation &op) {
        return op
            .walk([&](Operation *inner) {
                return llvm::any_of(inner->getOperands(), needs) ? WalkResult::interrupt()
                                                                 : WalkResult::advance();
            })
            .wasInterrupted();
    };
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
        std::optional<Member> member;
        if (isDependent(*op) || isa<LoadOp>(op)) {
            if (isa<LoadOp>(op))
                passed.push_back(cast<LoadOp>(op));
            else if (!isHoistable(*op))
                return;
            dependent.insert(op);
            continue;
        }
        if (isHoistable(*op)) {
            waiting.push_back(op);
            continue;
        }
        if (auto other = dyn_cast<ForOp>(op); other && isScan(other) && other.getUpper() == size)
            member = fits(scan(other), members, false) ? std::optional(scan(other)) : std::nullopt;
        else if (auto candidate = dyn_cast<NestOp>(op))
            member = nest(candidate, /*isBefore=*/false);
        if (!member)
            return;
        if (!member->delay.isConst(0))
            late = member->delay;
        members.push_back(std::move(*member));
        between.append(waiting);
        waiting.clear();
    }
}

//===-- The fused loop

// What the iteration has stored there, or the one before, else a load.
Value Scans::loaded(OpBuilder &builder, const ShiftedAccess &access, Value handle, ArrayAttr index,
                    Type type) {
    for (auto &[at, value] : llvm::reverse(known)) {
        if (access.shift && at.root == access.root && at.shift == access.shift &&
            value.getType() == type)
            return value;
        if (at.root == access.root)
            break;
    }
    for (auto &[at, value] : earlier)
        if (access.shift && at.root == access.root && at.shift == access.shift &&
            value.getType() == type)
            return value;
    return LoadOp::create(builder, loop.getLoc(), type, handle, index);
}

void Scans::stored(OpBuilder &builder, const ShiftedAccess &access, Value value, Value handle,
                   ArrayAttr index) {
    StoreOp::create(builder, loop.getLoc(), value, handle, index);
    known.push_back({access, value});
}

void Scans::emitScan(OpBuilder &builder, ForOp op, Value counter, ValueRange carried,
                     SmallVectorImpl<Value> &next) {
    Block &body = op.getBody().front();
    if (op != loop)
        SymbolOp::create(builder, op.getLoc(), op.getVarAttr(), counter);
    IRMapping map;
    map.map(body.getArgument(0), counter);
    for (auto [argument, value] : llvm::zip_equal(body.getArguments().drop_front(), carried))
        map.map(argument, value);
    for (Operation &inner : body.without_terminator()) {
        if (auto load = dyn_cast<LoadOp>(inner); load && load.getIndices().size() == 1) {
            const ShiftedAccess at =
                shiftedAccess(load.getBase(), load.getIndices(), op.getVar(), zero);
            if (at.shift) {
                map.map(load.getResult(), loaded(builder, at, load.getBase(), load.getIndices(),
                                                 load.getResult().getType()));
                continue;
            }
        }
        builder.clone(inner, map);
        if (auto store = dyn_cast<StoreOp>(inner))
            known.push_back({shiftedAccess(store.getBase(), store.getIndices(), op.getVar(), zero),
                             map.lookupOrDefault(store.getValue())});
    }
    for (auto [value, before] :
         llvm::zip_equal(cast<NextOp>(body.getTerminator()).getValues(), carried)) {
        Value now = map.lookupOrDefault(value);
        next.push_back(now);
        for (auto &[at, stored] : known)
            if (stored == now && at.shift && isWrittenOnce(at.root))
                earlier.push_back(
                    {{at.handle, at.root, facts.canonical(dimPlus(at.shift, 1))}, before});
    }
}

bool Scans::isWrittenOnce(Value root) {
    size_t count = 0;
    for (const Member &member : members)
        count +=
            llvm::count_if(member.writes, [&](const ShiftedAccess &w) { return w.root == root; });
    return count == 1;
}

void Scans::emitNest(OpBuilder &builder, const Member &member) {
    auto nest = cast<NestOp>(member.op);
    const DimAttr point = dimSub(dimSymbol(ctx, loop.getVar()), member.delay);
    auto indexOf = [&](Attribute map) { // a loop-invariant element, or the point's own
        return dimArray(ctx, llvm::map_to_vector(dimVector(cast<ArrayAttr>(map)), [&](DimAttr e) {
                            return dimSubstitute(e, [&](StringRef name) {
                                return name == "d0" ? point : DimAttr();
                            });
                        }));
    };
    IRMapping map;
    Block &body = nest.getBody().front();
    for (size_t k = 0; k < member.reads.size(); ++k)
        map.map(body.getArgument(k),
                loaded(builder, member.reads[k], nest.getReads()[k], indexOf(nest.getReadMaps()[k]),
                       body.getArgument(k).getType()));
    for (Operation &inner : body.without_terminator())
        builder.clone(inner, map);
    for (size_t k = 0; k < member.writes.size(); ++k)
        stored(builder, member.writes[k], map.lookupOrDefault(body.getTerminator()->getOperand(k)),
               nest.getWrites()[k], indexOf(nest.getWriteMaps()[k]));
}

ForOp Scans::createLoop(OpBuilder &builder, DimAttr from, DimAttr to, bool isLate,
                        ValueRange inits) {
    ForOp made = ForOp::create(builder, loop.getLoc(), inits.getTypes(), loop.getVarAttr(), from,
                               to, dimConst(ctx, 1), inits);
    OpBuilder inside(ctx);
    Block *body = inside.createBlock(&made.getBody());
    Value counter = body->addArgument(PyIntType::get(ctx), loop.getLoc());
    for (Value init : inits)
        body->addArgument(init.getType(), loop.getLoc());
    ValueRange carried = body->getArguments().drop_front();
    SmallVector<Value> next;
    known.clear();
    earlier.clear();
    for (const Member &member : members) {
        if (auto scan = dyn_cast<ForOp>(member.op)) {
            const size_t count = scan.getInits().size();
            emitScan(inside, scan, counter, carried.take_front(count), next);
            carried = carried.drop_front(count);
        } else if (isLate || member.delay.isConst(0)) {
            emitNest(inside, member);
        }
    }
    NextOp::create(inside, loop.getLoc(), next, Value());
    return made;
}

// Loads after the loop of what the last iteration has stored, `total[-1]`: that is carried.
void Scans::forwardLast() {
    DimAttr last = dimPlus(size, -1);
    for (LoadOp load : passed) {
        const Access access = accessOf(load.getBase(), load.getIndices(), pointsTo);
        for (const Member &member : members) {
            auto scan = dyn_cast<ForOp>(member.op);
            if (!scan || access.index.size() != 1)
                continue;
            Block &body = scan.getBody().front();
            for (StoreOp store : body.getOps<StoreOp>()) {
                const ShiftedAccess at =
                    shiftedAccess(store.getBase(), store.getIndices(), scan.getVar(), zero);
                auto next = cast<NextOp>(body.getTerminator()).getValues();
                const auto carried = llvm::find(next, store.getValue());
                if (at.root == access.root && at.shift && isWrittenOnce(at.root) &&
                    carried != next.end() &&
                    facts.provesEqual(dimAdd(access.index[0], at.shift), last))
                    load.getResult().replaceAllUsesWith(scan.getResult(carried - next.begin()));
            }
        }
    }
}

bool Scans::rewrite() {
    members.push_back(scan(loop));
    fusePreceding();
    fuseFollowing();
    if (members.size() == 1)
        return false;
    OpBuilder builder(loop);
    for (Operation *op : between)
        op->moveBefore(loop);
    SmallVector<Value> inits, results;
    for (const Member &member : members)
        if (auto scan = dyn_cast<ForOp>(member.op)) {
            llvm::append_range(inits, scan.getInits());
            llvm::append_range(results, scan.getResults_());
        }
    forwardLast();
    const bool isLate = !late.isConst(0);
    ForOp made = createLoop(builder, zero, isLate ? dimMin(late, size) : size, false, inits);
    if (isLate)
        made = createLoop(builder, late, size, true, made.getResults_());
    for (auto [result, instead] : llvm::zip_equal(results, made.getResults_()))
        result.replaceAllUsesWith(instead);
    for (const Member &member : llvm::reverse(members))
        member.op->erase();
    return true;
}

// One after the other: a fused loop may be fused with others.
bool fuseOne(FuncOp func) {
    SmallVector<ForOp> scans;
    func->walk([&](ForOp loop) {
        if (isScan(loop))
            scans.push_back(loop);
    });
    if (scans.empty())
        return false;
    PointsTo pointsTo(func);
    return llvm::any_of(scans, [&](ForOp loop) { return Scans(loop, pointsTo).rewrite(); });
}

} // namespace

void shapecast::fuseIntoScans(FuncOp func) {
    bool changed = false;
    while (fuseOne(func))
        changed = true;
    if (changed)
        eraseDead(func); // arrays that are dead now
}
