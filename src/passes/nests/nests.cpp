// Values to nests: decides which values are materialised, then builds one nest per root (see the
// header).
#include "passes/nests/nests.h"

#include "ir/dim_facts.h"
#include "ir/layout.h"

#include "ir/gather_index.h"
#include "ops/ufunc/ufunc.h"
#include "passes/analysis/clobbers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr int maxBodySize = 400; // operations of one nest: a larger expression is split

bool isValue(Value value) { return isa<RankedTensorType>(value.getType()); }

// Operations that a nest can compute in its body.
bool isInline(Operation *op) {
    return isa<ReadOp, TakeOp, UfuncOp, CastOp, BroadcastOp, SplatOp, IotaOp>(op);
}
bool isComputed(Operation *op) { return isa<TakeOp, UfuncOp, CastOp>(op); }

// A dim of a broadcast's operand against the result's: equal; 1, broadcast to another size; known
// only at run time.
enum class Along { Whole, Repeated, Unknown };

// A cache of the proofs about broadcasts, which are expensive: the planner and each nest that
// computes one need the same.
class Broadcasts {
public:
    explicit Broadcasts(const PointsTo &pointsTo) : pointsTo(pointsTo) {}

    Along along(DimAttr from, DimAttr to, BroadcastOp op) const {
        if (from == to)
            return Along::Whole;
        if (from.isConst(1))
            return Along::Repeated;
        auto [found, isNew] = known.try_emplace({op.getOperation(), from, to}, Along::Unknown);
        if (isNew)
            found->second = proved(from, to, op);
        return found->second;
    }

    // Repeats elements, so that its operand would be computed more than once.
    bool repeats(BroadcastOp op) const {
        ArrayRef<DimAttr> from = valueDims(op.getValue().getType()), to = valueDims(op.getType());
        const size_t added = to.size() - from.size();
        for (size_t d = 0; d < to.size(); ++d)
            if (!to[d].isConst(1) &&
                (d < added || along(from[d - added], to[d], op) != Along::Whole))
                return true;
        return false;
    }

private:
    Along proved(DimAttr from, DimAttr to, BroadcastOp op) const {
        DimAttr one = dimConst(from.getContext(), 1);
        const DimFacts &facts = pointsTo.factsAt(op);
        if (facts.provesEqual(from, to))
            return Along::Whole;
        Answer single = facts.equal(from, one);
        return single == Answer::No    ? Along::Whole
               : single == Answer::Yes ? Along::Repeated
                                       : Along::Unknown;
    }

    const PointsTo &pointsTo;
    mutable llvm::DenseMap<std::tuple<Operation *, DimAttr, DimAttr>, Along> known;
};

// Arrays that an expression reads.
void leaves(Operation *op, llvm::SmallSetVector<Value, 4> &handles) {
    llvm::SmallSetVector<Operation *, 16> work;
    work.insert(op);
    for (size_t k = 0; k < work.size(); ++k) {
        if (auto read = dyn_cast<ReadOp>(work[k]))
            handles.insert(read.getBase());
        if (auto take = dyn_cast<TakeOp>(work[k]))
            handles.insert(take.getBase());
        if (!isInline(work[k]))
            continue;
        for (Value operand : work[k]->getOperands())
            if (isValue(operand))
                work.insert(operand.getDefiningOp());
    }
}

Layout layoutOf(Operation *op) {
    llvm::SmallSetVector<Value, 4> handles;
    leaves(op, handles);
    const bool isMatrix = cast<RankedTensorType>(op->getResult(0).getType()).getRank() > 1;
    return isMatrix ? layoutOfResult(handles.getArrayRef()) : Layout::C;
}

//===-- Which values are stored

// The program points where nests will compute the elements of a value: roots, and definitions of
// stored values.
struct Sites {
    llvm::SmallSetVector<Operation *, 2> points;
    bool repeated = false;
};

class Planner {
public:
    Planner(FuncOp func, const PointsTo &pointsTo, const Broadcasts &broadcasts)
        : pointsTo(pointsTo), broadcasts(broadcasts) {
        func->walk<WalkOrder::PreOrder>([&](Operation *op) {
            if (op->getNumResults() == 1 && isValue(op->getResult(0)))
                values.push_back(op);
        });
        for (Operation *op : values)
            weigh(op);
        for (Operation *op : llvm::reverse(values))
            decide(op);
        for (Operation *op : values)
            if (stored.contains(op))
                findHome(op);
    }

    SmallVector<Operation *> values; // all that make tensors, operands before users
    llvm::DenseSet<Operation *> stored;
    llvm::DenseMap<Operation *, MaterializeOp> homes; // the array that will hold the stored value
    // A reduction's only use, if that is an np.assign: it accumulates in the array directly.
    llvm::DenseMap<Operation *, Operation *> targets;

private:
    // Cost and size of the expression, without subexpressions that will surely be stored.
    void weigh(Operation *op) {
        int cost = elementCost(op), size = 1;
        for (Value operand : isInline(op) ? op->getOperands() : ValueRange()) {
            if (!isValue(operand))
                continue;
            Operation *child = operand.getDefiningOp();
            auto [childCost, childSize] = weights[child];
            bool assumedStored = !isInline(child) || (!operand.hasOneUse() && isComputed(child) &&
                                                      childCost > maxRematerialisationCost);
            cost += assumedStored ? 0 : childCost;
            size += assumedStored ? 0 : childSize;
        }
        if (size > maxBodySize && isComputed(op)) {
            stored.insert(op);
            cost = size = 0;
        }
        weights[op] = {cost, size};
    }

    Sites sitesOf(Operation *op) {
        Sites result;
        for (Operation *user : op->getUsers()) {
            bool inlined = isInline(user) && !stored.contains(user);
            if (!inlined) {
                result.points.insert(user);
                continue;
            }
            const Sites &through = sites[user];
            result.points.insert(through.points.begin(), through.points.end());
            auto broadcast = dyn_cast<BroadcastOp>(user);
            result.repeated |= through.repeated || (broadcast && broadcasts.repeats(broadcast));
        }
        return result;
    }

    void decide(Operation *op) {
        sites[op] = sitesOf(op);
        const Sites &mine = sites[op];
        if (mine.points.empty())
            return;
        if (!isInline(op)) {
            stored.insert(op);
            return;
        }
        bool isImmovable =
            llvm::any_of(mine.points, [&](Operation *point) { return !isMovable(op, point); });
        bool isExpensive = isComputed(op) && (mine.points.size() > 1 || mine.repeated) &&
                           weights[op].first > maxRematerialisationCost;
        if ((isImmovable && (isComputed(op) || isa<ReadOp>(op))) || isExpensive)
            stored.insert(op);
    }

    // May the nest at `point` rematerialise the value? Not in a loop that the definition is outside
    // of, nor after a clobber of what it reads.
    bool isMovable(Operation *op, Operation *point) {
        if (isComputed(op) && crossesLoop(op, point))
            return false;
        SmallVector<Operation *> writers = writersBetween(op, point);
        if (writers.empty())
            return true;
        llvm::SmallSetVector<Value, 4> handles;
        leaves(op, handles);
        return llvm::none_of(handles, [&](Value handle) {
            return llvm::any_of(
                writers, [&](Operation *writer) { return mayWrite(writer, handle, pointsTo); });
        });
    }

    // An array that the program makes from the value anyway can hold it for all uses, unless it is
    // clobbered before one of them.
    void findHome(Operation *op) {
        findTarget(op);
        for (Operation *user : op->getUsers()) {
            auto array = dyn_cast<MaterializeOp>(user);
            if (!array || array->getBlock() != op->getBlock())
                continue;
            bool usable = llvm::none_of(sites[op].points, [&](Operation *point) {
                Operation *here = op->getBlock()->findAncestorOpInBlock(*point);
                return array->isBeforeInBlock(here) &&
                       isClobberedBetween(array, array, point, pointsTo);
            });
            if (usable) {
                homes[op] = array;
                return;
            }
        }
    }

    // The reduction can sink to the assignment of its result and accumulate in that array, if
    // nothing that it reads is clobbered before or by that. It adds row to row, so the array's last
    // axis must be contiguous.
    void findTarget(Operation *op) {
        auto assign = op->hasOneUse() ? dyn_cast<AssignOp>(*op->user_begin()) : AssignOp();
        if (!isa<ReduceOp>(op) || !assign || assign->getBlock() != op->getBlock())
            return;
        Value base = assign.getBase();
        auto type = cast<ArrayType>(base.getType());
        const bool isContiguous =
            type.getLayout() == Layout::C || type.getLayout() == Layout::Inner;
        llvm::SmallSetVector<Value, 4> handles;
        leaves(op->getOperand(0).getDefiningOp(), handles);
        if (!isContiguous || pointsTo.selfOverlapping(base) ||
            !isMovable(op->getOperand(0).getDefiningOp(), assign) ||
            !llvm::all_of(handles,
                          [&](Value handle) { return pointsTo.disjoint(handle, base, assign); }))
            return;
        targets[op] = assign;
    }

    const PointsTo &pointsTo;
    const Broadcasts &broadcasts;
    llvm::DenseMap<Operation *, std::pair<int, int>> weights; // flops and operations
    llvm::DenseMap<Operation *, Sites> sites;
};

//===-- Building nests

// Emits the elements of values into one nest's body.
class BodyBuilder {
public:
    BodyBuilder(const llvm::DenseMap<Value, Value> &arrays, const Broadcasts &broadcasts,
                MLIRContext *ctx)
        : builder(OpBuilder(ctx)), arrays(arrays), broadcasts(broadcasts) {
        builder.setInsertionPointToEnd(parts.body.get());
    }

    // The element of the value at the indices of the map, in iterators of the nest.
    Value element(Value value, ArrayRef<DimAttr> map) {
        if (!isValue(value))
            return value;
        Key key{value, dimArray(builder.getContext(), map)};
        auto found = elements.find(key);
        if (found == elements.end()) {
            Value made = build(value, map);
            found = elements.insert({key, made}).first;
        }
        return found->second;
    }

    NestParts parts;

private:
    using Key = std::pair<Value, Attribute>;

    Value build(Value value, ArrayRef<DimAttr> map) {
        if (Value array = arrays.lookup(value))
            return access(array, map);
        Operation *op = value.getDefiningOp();
        Type type = cast<RankedTensorType>(value.getType()).getElementType();
        if (auto read = dyn_cast<ReadOp>(op))
            return access(read.getBase(), map);
        if (auto splat = dyn_cast<SplatOp>(op))
            return converted(op->getLoc(), splat.getScalar(), type);
        if (auto iota = dyn_cast<IotaOp>(op))
            return converted(op->getLoc(), indexValue(op->getLoc(), map[iota.getAxis()]), type);
        if (auto broadcast = dyn_cast<BroadcastOp>(op))
            return element(broadcast.getValue(), underBroadcast(broadcast, map));
        SmallVector<Value> operands;
        if (auto take = dyn_cast<TakeOp>(op)) {
            const size_t rank = cast<ArrayType>(take.getBase().getType()).getRank();
            const SmallVector<DimAttr> gather(rank, dimGatherIndex(op->getContext()));
            operands.push_back(access(take.getBase(), gather));
        }
        for (Value operand : op->getOperands().drop_front(operands.size()))
            operands.push_back(element(operand, map));
        Operation *scalar =
            Operation::create(op->getLoc(), op->getName(), TypeRange(type), operands,
                              op->getAttrDictionary(), op->getPropertiesStorage(), BlockRange(), 0);
        return builder.insert(scalar)->getResult(0);
    }

    Value access(Value array, ArrayRef<DimAttr> map) {
        for (auto [k, read] : llvm::enumerate(parts.reads))
            if (read == array && ArrayRef(parts.readMaps[k]) == map)
                return parts.body->getArgument(k);
        parts.reads.push_back(array);
        parts.readMaps.emplace_back(map);
        return parts.body->addArgument(cast<ArrayType>(array.getType()).getDtype(), array.getLoc());
    }

    Value converted(Location loc, Value scalar, Type type) {
        return scalar.getType() == type ? scalar
                                        : CastOp::create(builder, loc, type, scalar).getResult();
    }

    // A map entry is an iterator, or one times bcast(size), or 0.
    Value indexValue(Location loc, DimAttr index) {
        auto pyint = PyIntType::get(builder.getContext());
        for (size_t k = 0; k < parts.space.size(); ++k) {
            DimAttr symbol = iterator(builder.getContext(), k);
            if (index == symbol)
                return IndexOp::create(builder, loc, pyint, k);
            if (!dimUses(index, symbol.getName()))
                continue;
            DimAttr factor = dimSubstitute(index, [&](StringRef name) {
                return name == symbol.getName() ? dimConst(builder.getContext(), 1) : DimAttr();
            });
            Value size = SizeOp::create(builder, loc, pyint, factor);
            Value at = IndexOp::create(builder, loc, pyint, k);
            return PyOp::create(builder, loc, pyint, "mul", ValueRange{size, at}, /*nowrap=*/true);
        }
        return SizeOp::create(builder, loc, pyint, index);
    }

    SmallVector<DimAttr> underBroadcast(BroadcastOp op, ArrayRef<DimAttr> map) {
        ArrayRef<DimAttr> from = valueDims(op.getValue().getType()), to = valueDims(op.getType());
        SmallVector<DimAttr> inner;
        for (size_t d = 0, added = to.size() - from.size(); d < from.size(); ++d) {
            DimAttr index = map[d + added];
            Along along = broadcasts.along(from[d], to[d + added], op);
            if (along == Along::Repeated)
                index = dimConst(builder.getContext(), 0);
            else if (along == Along::Unknown)
                index = dimMul(dimBcast(from[d]), index);
            inner.push_back(index);
        }
        return inner;
    }

    OpBuilder builder;
    const llvm::DenseMap<Value, Value> &arrays;
    const Broadcasts &broadcasts;
    llvm::DenseMap<Key, Value> elements;
};

class Former {
public:
    explicit Former(FuncOp func)
        : func(func), pointsTo(func), broadcasts(pointsTo), plan(func, pointsTo, broadcasts) {}

    LogicalResult run() {
        SmallVector<Operation *> work; // roots and stored values, in program order
        func->walk<WalkOrder::PreOrder>([&](Operation *op) {
            if (isa<AssignOp, MaterializeOp, ReduceOp, MatmulOp>(op) || plan.stored.contains(op))
                work.push_back(op);
        });
        for (Operation *op : work)
            form(op);
        for (Operation *op : work)
            if (op->getNumResults() == 0 || !isValue(op->getResult(0)))
                op->erase();
        for (Operation *op : llvm::reverse(plan.values)) {
            if (!op->use_empty())
                return op->emitError("np-nests: a value has a use outside of nests");
            op->erase();
        }
        return success();
    }

private:
    SmallVector<DimAttr> identity(size_t rank) {
        SmallVector<DimAttr> map;
        for (size_t k = 0; k < rank; ++k)
            map.push_back(iterator(func.getContext(), k));
        return map;
    }

    void form(Operation *op) {
        OpBuilder builder(op);
        if (auto assign = dyn_cast<AssignOp>(op)) {
            Operation *value = assign.getValue().getDefiningOp();
            if (plan.targets.lookup(value) != op)
                return store(builder, op->getLoc(), assign.getValue(), assign.getBase());
            reduction(builder, cast<ReduceOp>(value), assign.getBase());
            return;
        }
        if (auto array = dyn_cast<MaterializeOp>(op)) {
            if (homed.contains(array))
                return; // it was stored at the value's definition
            Value fresh = AllocOp::create(builder, op->getLoc(), array.getType());
            store(builder, op->getLoc(), array.getValue(), fresh);
            return array.replaceAllUsesWith(fresh);
        }
        bool scalar = !isValue(op->getResult(0));
        if (auto matmul = dyn_cast<MatmulOp>(op); matmul && scalar) {
            auto product = GemmOp::create(builder, op->getLoc(), op->getResultTypes(),
                                          matmul.getLhs(), matmul.getRhs(), Value());
            return op->getResult(0).replaceAllUsesWith(product.getResult());
        }
        if (scalar)
            return op->getResult(0).replaceAllUsesWith(
                reduction(builder, cast<ReduceOp>(op), Value()));
        if (!plan.stored.contains(op) || plan.targets.contains(op))
            return; // unused, or computed at its assignment
        fill(builder, op, home(builder, op));
    }

    // The array that holds a stored value.
    Value home(OpBuilder &builder, Operation *op) {
        MaterializeOp named = plan.homes.lookup(op);
        auto tensor = cast<RankedTensorType>(op->getResult(0).getType());
        Type type =
            named ? named.getType()
                  : ArrayType::get(op->getContext(), valueDims(tensor), tensor.getElementType(),
                                   layoutOf(op), false, deviceOf(tensor));
        return AllocOp::create(builder, (named ? named.getOperation() : op)->getLoc(), type);
    }

    void fill(OpBuilder &builder, Operation *op, Value array) {
        if (auto matmul = dyn_cast<MatmulOp>(op))
            GemmOp::create(builder, op->getLoc(), TypeRange(), matmul.getLhs(), matmul.getRhs(),
                           array);
        else if (auto reduce = dyn_cast<ReduceOp>(op))
            reduction(builder, reduce, array);
        else
            store(builder, op->getLoc(), op->getResult(0), array);
        if (MaterializeOp named = plan.homes.lookup(op)) {
            named.replaceAllUsesWith(array);
            homed.insert(named);
        }
        arrays[op->getResult(0)] = array;
    }

    void store(OpBuilder &builder, Location loc, Value value, Value array) {
        BodyBuilder body(arrays, broadcasts, func.getContext());
        llvm::append_range(body.parts.space, cast<ArrayType>(array.getType()).getDims());
        SmallVector<DimAttr> map = identity(body.parts.space.size());
        finish(builder, loc, std::move(body), value, map, array, map, "");
    }

    Value reduction(OpBuilder &builder, ReduceOp op, Value array) {
        BodyBuilder body(arrays, broadcasts, func.getContext());
        ArrayRef<DimAttr> dims = valueDims(op.getValue().getType());
        SmallVector<DimAttr> readMap(dims.size()), writeMap;
        auto visit = [&](bool reduced) {
            for (size_t d = 0; d < dims.size(); ++d) {
                if (llvm::is_contained(op.getAxes(), static_cast<int64_t>(d)) != reduced)
                    continue;
                readMap[d] = iterator(func.getContext(), body.parts.space.size());
                body.parts.space.push_back(dims[d]);
            }
        };
        visit(false);
        int64_t kept = body.parts.space.size();
        visit(true);
        body.parts.reduced = body.parts.space.size() - kept;
        for (size_t d = 0; d < dims.size(); ++d) {
            bool reduced = llvm::is_contained(op.getAxes(), static_cast<int64_t>(d));
            if (!reduced || op.getKeepdims())
                writeMap.push_back(reduced ? dimConst(func.getContext(), 0) : readMap[d]);
        }
        if (!array)
            body.parts.results.push_back(op.getResult().getType());
        NestOp nest = finish(builder, op.getLoc(), std::move(body), op.getValue(), readMap, array,
                             writeMap, op.getCombine());
        return array ? Value() : nest.getResult(0);
    }

    NestOp finish(OpBuilder &builder, Location loc, BodyBuilder &&body, Value value,
                  ArrayRef<DimAttr> readMap, Value array, ArrayRef<DimAttr> writeMap,
                  StringRef combine) {
        Value element = body.element(value, readMap);
        NestParts &parts = body.parts;
        OpBuilder inside = parts.inside(func.getContext());
        NestYieldOp::create(inside, loc, element);
        if (array) {
            parts.writes.push_back(array);
            parts.writeMaps.emplace_back(writeMap);
        }
        parts.combine.push_back(combine);
        return createNest(builder, loc, std::move(parts));
    }

    FuncOp func;
    PointsTo pointsTo;
    Broadcasts broadcasts;
    Planner plan;
    llvm::DenseMap<Value, Value> arrays; // stored value -> array
    llvm::DenseSet<Operation *> homed;
};

} // namespace

LogicalResult shapecast::formNests(FuncOp func) { return Former(func).run(); }

//===-- Shared helpers

DimAttr shapecast::iterator(MLIRContext *ctx, int64_t k) {
    return dimSymbol(ctx, ("d" + Twine(k)).str());
}

NestOp shapecast::createNest(OpBuilder &builder, Location loc, NestParts &&parts) {
    MLIRContext *ctx = builder.getContext();
    auto maps = [&](ArrayRef<SmallVector<DimAttr>> lists) {
        SmallVector<Attribute> attributes;
        for (ArrayRef<DimAttr> list : lists)
            attributes.push_back(dimArray(ctx, list));
        return builder.getArrayAttr(attributes);
    };
    auto nest =
        NestOp::create(builder, loc, parts.results, dimArray(ctx, parts.space),
                       builder.getI64IntegerAttr(parts.reduced), parts.reads, parts.writes,
                       maps(parts.readMaps), maps(parts.writeMaps),
                       builder.getStrArrayAttr(parts.combine), ArrayAttr(), DenseI64ArrayAttr());
    nest.getBody().push_back(parts.body.release());
    return nest;
}

NestOp shapecast::createCopyNest(OpBuilder &builder, Location loc, Value from, Value to) {
    auto type = cast<ArrayType>(to.getType());
    NestParts parts;
    llvm::append_range(parts.space, type.getDims());
    SmallVector<DimAttr> map;
    for (int64_t k = 0; k < type.getRank(); ++k)
        map.push_back(iterator(builder.getContext(), k));
    parts.reads = {from};
    parts.writes = {to};
    parts.readMaps.push_back(map);
    parts.writeMaps.push_back(map);
    parts.combine = {""};
    Value element = parts.body->addArgument(type.getDtype(), loc);
    OpBuilder inside = parts.inside(builder.getContext());
    NestYieldOp::create(inside, loc, element);
    return createNest(builder, loc, std::move(parts));
}
