// Loops that take in nests: see the header.
#include "passes/scans.h"

#include "passes/accesses.h"
#include "passes/motion.h"
#include "passes/simplify.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr int mostFlops = 8; // of all nests, for each element

// An access to element e of an array of one axis in turn e + turn; null: in any turn, to any.
struct Touch {
    Value handle, root;
    DimAttr turn;
};

struct Member { // a nest or a loop, in the program's order
    Operation *op;
    DimAttr delay; // turn i does its point i - delay
    SmallVector<Touch> reads, writes;
};

// Its turns wait for each other: they hand on numbers, a float among them.
bool isScan(ForOp loop) {
    if (!loop || !loop.getLower().isConst(0) || !loop.getStep().isConst(1) ||
        loop.getInits().empty() || !loop->getDiscardableAttrs().empty())
        return false;
    auto next = cast<NextOp>(loop.getBody().front().getTerminator());
    auto isFloat = [](Type type) { return isa<FloatType, PyFloatType>(type); };
    return !next.getGo() && llvm::any_of(loop.getInits().getTypes(), isFloat) &&
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
    Touch touch(Value handle, ArrayAttr map, StringRef iterator, DimAttr delay);
    Member scan(ForOp op);
    std::optional<Member> nest(NestOp op, bool isBefore);
    std::optional<DimAttr> delayOf(NestOp op, ArrayRef<Touch> written);
    bool fits(const Member &member, ArrayRef<Member> others, bool isBefore);
    bool keepsOrder(const Touch &earlier, const Touch &later);
    void takeBefore();
    void takeBehind();
    void forwardLast();
    ForOp turns(OpBuilder &builder, DimAttr from, DimAttr to, bool isLate, ValueRange inits);
    bool isWrittenOnce(Value root);
    void emitScan(OpBuilder &builder, ForOp op, Value counter, ValueRange carried,
                  SmallVectorImpl<Value> &next);
    void emitNest(OpBuilder &builder, const Member &member);
    Value loaded(OpBuilder &builder, const Touch &touch, Value handle, ArrayAttr index, Type type);
    void stored(OpBuilder &builder, const Touch &touch, Value value, Value handle, ArrayAttr index);

    ForOp loop;
    MLIRContext *ctx;
    DimAttr size, zero, late; // the delay of members that are late
    const PointsTo &pointsTo;
    const DimFacts &facts;
    SmallVector<Member> members;
    SmallVector<Operation *> between; // to stand before the loop
    SmallVector<LoadOp> passed;       // loads that stay behind the loop
    int flops = 0;
    // What the turn has stored, and what the one before it had, if that is carried.
    SmallVector<std::pair<Touch, Value>> known, earlier;
};

//===-- Which turn touches an element

Touch Scans::touch(Value handle, ArrayAttr map, StringRef iterator, DimAttr delay) {
    Access access = accessOf(handle, map, pointsTo);
    Touch touch{handle, access.root, {}};
    if (access.index.size() != 1)
        return touch;
    std::optional<DimLinear> linear = dimLinearIn(access.index[0], iterator);
    if (linear && linear->coefficient == 1 && !dimUses(linear->rest, iterator))
        touch.turn = facts.canonical(dimSub(delay, linear->rest));
    return touch;
}

Member Scans::scan(ForOp op) {
    Member member{op, zero, {}, {}};
    for (Operation &inner : op.getBody().front())
        if (auto load = dyn_cast<LoadOp>(inner))
            member.reads.push_back(touch(load.getBase(), load.getIndices(), op.getVar(), zero));
        else if (auto store = dyn_cast<StoreOp>(inner))
            member.writes.push_back(touch(store.getBase(), store.getIndices(), op.getVar(), zero));
    return member;
}

// The first turn in which all that point 0 of the nest reads is stored.
std::optional<DimAttr> Scans::delayOf(NestOp op, ArrayRef<Touch> written) {
    DimAttr most = zero;
    for (auto [handle, map] : llvm::zip_equal(op.getReads(), op.getReadMaps())) {
        const Touch read = touch(handle, cast<ArrayAttr>(map), "d0", zero);
        for (const Touch &write : written) {
            if (write.root != read.root || pointsTo.disjoint(write.handle, handle, loop))
                continue;
            if (!write.turn || !read.turn)
                return std::nullopt;
            DimAttr needed = facts.canonical(dimSub(write.turn, read.turn));
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
    SmallVector<Touch> written;
    for (const Member &member : members)
        llvm::append_range(written, member.writes);
    std::optional<DimAttr> delay = isBefore ? zero : delayOf(op, written);
    auto many = cast<DimAttr>(op.getSpace()[0]);
    if (!delay || flops + more > mostFlops || !facts.provesEqual(dimAdd(many, *delay), size) ||
        (!delay->isConst(0) && !late.isConst(0) && *delay != late))
        return std::nullopt;
    Member member{op, *delay, {}, {}};
    for (auto [handle, map] : llvm::zip_equal(op.getReads(), op.getReadMaps()))
        member.reads.push_back(touch(handle, cast<ArrayAttr>(map), "d0", *delay));
    for (auto [handle, map] : llvm::zip_equal(op.getWrites(), op.getWriteMaps()))
        member.writes.push_back(touch(handle, cast<ArrayAttr>(map), "d0", *delay));
    if (!fits(member, members, isBefore))
        return std::nullopt;
    flops += more;
    return member;
}

//===-- The program's order

// Each element is touched by the earlier one first.
bool Scans::keepsOrder(const Touch &earlier, const Touch &later) {
    if (pointsTo.disjoint(earlier.handle, later.handle, loop))
        return true;
    return earlier.root == later.root && earlier.turn && later.turn &&
           facts.provesGreaterEqual(later.turn, earlier.turn);
}

bool Scans::fits(const Member &member, ArrayRef<Member> others, bool isBefore) {
    auto inOrder = [&](ArrayRef<Touch> mine, ArrayRef<Touch> theirs) {
        return llvm::all_of(mine, [&](const Touch &m) {
            return llvm::all_of(theirs, [&](const Touch &t) {
                return isBefore ? keepsOrder(m, t) : keepsOrder(t, m);
            });
        });
    };
    // What one point stores the next ones do not read, as before.
    auto isItsOwn = [&](const Touch &write) {
        return !pointsTo.selfOverlapping(write.handle) && write.turn &&
               llvm::all_of(member.reads, [&](const Touch &read) {
                   return pointsTo.disjoint(write.handle, read.handle, loop) ||
                          (read.root == write.root && read.turn == write.turn);
               });
    };
    auto isPassed = [&](const Touch &write) {
        return llvm::any_of(
            passed, [&](Value array) { return !pointsTo.disjoint(write.handle, array, loop); });
    };
    if (llvm::any_of(member.writes, isPassed) ||
        (isa<NestOp>(member.op) && !llvm::all_of(member.writes, isItsOwn)))
        return false;
    return llvm::all_of(others, [&](const Member &other) {
        return inOrder(member.reads, other.writes) && inOrder(member.writes, other.reads) &&
               inOrder(member.writes, other.writes);
    });
}

void Scans::takeBefore() {
    for (Operation *op = loop->getPrevNode(); op; op = op->getPrevNode()) {
        auto candidate = dyn_cast<NestOp>(op);
        if (!candidate) {
            if (!mayStandBefore(*op))
                return;
            continue;
        }
        std::optional<Member> member = nest(candidate, /*isBefore=*/true);
        if (!member)
            return;
        members.insert(members.begin(), std::move(*member));
    }
}

void Scans::takeBehind() {
    SmallVector<Operation *> waiting; // for a member behind them
    llvm::DenseSet<Operation *> behind;
    auto needs = [&](Value operand) {
        Operation *made = operand.getDefiningOp();
        return made && (behind.contains(made) ||
                        llvm::any_of(members, [&](const Member &m) { return m.op == made; }));
    };
    auto staysBehind = [&](Operation &op) {
        return op
            .walk([&](Operation *inner) {
                return llvm::any_of(inner->getOperands(), needs) ? WalkResult::interrupt()
                                                                 : WalkResult::advance();
            })
            .wasInterrupted();
    };
    for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
        std::optional<Member> member;
        if (staysBehind(*op) || isa<LoadOp>(op)) {
            if (isa<LoadOp>(op))
                passed.push_back(cast<LoadOp>(op));
            else if (!mayStandBefore(*op))
                return;
            behind.insert(op);
            continue;
        }
        if (mayStandBefore(*op)) {
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

//===-- The loop that does all of it

// What the turn stored there, or the one before, or what is there.
Value Scans::loaded(OpBuilder &builder, const Touch &touch, Value handle, ArrayAttr index,
                    Type type) {
    for (auto &[at, value] : llvm::reverse(known)) {
        if (touch.turn && at.root == touch.root && at.turn == touch.turn && value.getType() == type)
            return value;
        if (at.root == touch.root)
            break;
    }
    for (auto &[at, value] : earlier)
        if (touch.turn && at.root == touch.root && at.turn == touch.turn && value.getType() == type)
            return value;
    return LoadOp::create(builder, loop.getLoc(), type, handle, index);
}

void Scans::stored(OpBuilder &builder, const Touch &touch, Value value, Value handle,
                   ArrayAttr index) {
    StoreOp::create(builder, loop.getLoc(), value, handle, index);
    known.push_back({touch, value});
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
            const Touch at = touch(load.getBase(), load.getIndices(), op.getVar(), zero);
            if (at.turn) {
                map.map(load.getResult(), loaded(builder, at, load.getBase(), load.getIndices(),
                                                 load.getResult().getType()));
                continue;
            }
        }
        builder.clone(inner, map);
        if (auto store = dyn_cast<StoreOp>(inner))
            known.push_back({touch(store.getBase(), store.getIndices(), op.getVar(), zero),
                             map.lookupOrDefault(store.getValue())});
    }
    for (auto [value, before] :
         llvm::zip_equal(cast<NextOp>(body.getTerminator()).getValues(), carried)) {
        Value now = map.lookupOrDefault(value);
        next.push_back(now);
        for (auto &[at, stored] : known)
            if (stored == now && at.turn && isWrittenOnce(at.root))
                earlier.push_back(
                    {{at.handle, at.root, facts.canonical(dimPlus(at.turn, 1))}, before});
    }
}

bool Scans::isWrittenOnce(Value root) {
    size_t count = 0;
    for (const Member &member : members)
        count += llvm::count_if(member.writes, [&](const Touch &w) { return w.root == root; });
    return count == 1;
}

void Scans::emitNest(OpBuilder &builder, const Member &member) {
    auto nest = cast<NestOp>(member.op);
    const DimAttr point = dimSub(dimSymbol(ctx, loop.getVar()), member.delay);
    auto indexOf = [&](Attribute map) { // one element of all points, or the point's own
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

ForOp Scans::turns(OpBuilder &builder, DimAttr from, DimAttr to, bool isLate, ValueRange inits) {
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

// Loads of what the last turn has stored, `total[-1]`: it is carried.
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
                const Touch at = touch(store.getBase(), store.getIndices(), scan.getVar(), zero);
                auto next = cast<NextOp>(body.getTerminator()).getValues();
                const auto carried = llvm::find(next, store.getValue());
                if (at.root == access.root && at.turn && isWrittenOnce(at.root) &&
                    carried != next.end() &&
                    facts.provesEqual(dimAdd(access.index[0], at.turn), last))
                    load.getResult().replaceAllUsesWith(scan.getResult(carried - next.begin()));
            }
        }
    }
}

bool Scans::rewrite() {
    members.push_back(scan(loop));
    takeBefore();
    takeBehind();
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
    ForOp made = turns(builder, zero, isLate ? dimMin(late, size) : size, false, inits);
    if (isLate)
        made = turns(builder, late, size, true, made.getResults_());
    for (auto [result, instead] : llvm::zip_equal(results, made.getResults_()))
        result.replaceAllUsesWith(instead);
    for (const Member &member : llvm::reverse(members))
        member.op->erase();
    return true;
}

struct TakeIntoScans : PassWrapper<TakeIntoScans, OperationPass<ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TakeIntoScans)
    StringRef getArgument() const final { return "np-scans"; }
    StringRef getDescription() const final { return "running sums take in the nests around them"; }
    void runOnOperation() final {
        for (auto func : getOperation().getOps<FuncOp>())
            run(func);
    }
    // One after the other: each may take in others.
    static bool takeIn(FuncOp func) {
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
    static void run(FuncOp func) {
        bool changed = false;
        while (takeIn(func))
            changed = true;
        if (changed)
            eraseDead(func); // arrays that are only stored to now
    }
};

} // namespace

std::unique_ptr<Pass> shapecast::createTakeIntoScans() { return std::make_unique<TakeIntoScans>(); }
