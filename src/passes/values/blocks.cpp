#include "passes/values/blocks.h"

#include "ir/dim_facts.h"
#include "ir/layout.h"
#include "passes/analysis/clobbers.h"
#include "passes/analysis/points_to.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr int64_t blockItems = 1024; // of each array: a dozen arrays of float64 are about 96 KiB

// The dims of arrays and values; none for scalars.
std::optional<ArrayRef<DimAttr>> dimsOf(Type type) {
    if (auto array = dyn_cast<ArrayType>(type))
        return array.getDims();
    if (isa<RankedTensorType>(type))
        return valueDims(type);
    return std::nullopt;
}

class Blocks {
public:
    Blocks(ForOp loop, const PointsTo &pointsTo, unsigned number)
        : loop(loop), body(loop.getBody().front()), next(cast<NextOp>(body.back())),
          pointsTo(pointsTo), number(number), ctx(loop.getContext()) {}

    bool applies();
    void rewrite();

private:
    bool carriesArrays();
    bool isElementwise(Operation &op);
    bool fits(Type type) const;    // blocked, or invariant along the first axis
    bool blocked(Type type) const; // has the first axis
    bool isFreeOfAliases();
    bool hasIterations();
    bool passesThrough(unsigned k) { return next.getValues()[k] == carried(k); }
    Value carried(unsigned k) { return body.getArgument(k + 1); }
    Type narrowed(Type type) const;
    Value block(OpBuilder &builder, Value handle);
    Value initBlock(OpBuilder &builder, Value init);
    void cloneBody(OpBuilder &builder, ForOp inner);
    struct Epilogue { // element-wise operations on a result, and where that is stored
        SmallVector<Operation *> operations;
        MaterializeOp end;
    };
    std::optional<Epilogue> epilogueOf(Value result);
    Value emitEpilogue(OpBuilder &builder, Value done, const Epilogue &epilogue);

    ForOp loop;
    Block &body;
    NextOp next;
    const PointsTo &pointsTo;
    unsigned number; // of the loop over blocks in its function
    MLIRContext *ctx;
    SmallVector<DimAttr> dims;        // of all that is blocked
    SmallVector<Value> written;       // handles from outside that the loop may write
    SmallVector<Value> read;          // handles from outside that it reads
    SmallVector<Value> outsideValues; // tensors from outside
    bool writes = false;
    DimAttr offset, size; // of a block
    IRMapping mapping;
    llvm::DenseMap<Value, Value> wholes; // arrays of the outside values
};

bool Blocks::blocked(Type type) const {
    std::optional<ArrayRef<DimAttr>> have = dimsOf(type);
    return have && have->size() == dims.size() && have->front() == dims.front();
}

bool Blocks::fits(Type type) const {
    std::optional<ArrayRef<DimAttr>> have = dimsOf(type);
    return !have || have->size() < dims.size() || blocked(type) ||
           (have->size() == dims.size() && have->front().isConst(1));
}

// What the variables are before and after an iteration: arrays of the same dims, passed on or new.
bool Blocks::carriesArrays() {
    for (auto [k, init] : llvm::enumerate(loop.getInits())) {
        auto type = dyn_cast<ArrayType>(init.getType());
        if (!type || type.getRank() == 0 || type.getLayout() == Layout::F || type.getDevice() ||
            pointsTo.selfOverlapping(init))
            return false;
        if (dims.empty())
            dims = llvm::to_vector(type.getDims());
        if (type.getDims() != ArrayRef(dims) || loop.getResult(k).getType() != type ||
            carried(k).getType() != type)
            return false;
        auto made = next.getValues()[k].getDefiningOp<MaterializeOp>();
        if (!passesThrough(k) && (!made || made->getBlock() != &body))
            return false;
        // Two variables that alias one array must go on to do so.
        if (made && llvm::is_contained(next.getValues().take_front(k), made.getResult()))
            return false;
        if (!passesThrough(k) && !hasIterations()) { // without any, it keeps its array
            Operation *fresh = init.getDefiningOp();
            if (!isa_and_nonnull<AllocOp, MaterializeOp>(fresh) || !init.hasOneUse())
                return false;
        }
        written.push_back(init);
    }
    return true;
}

bool Blocks::hasIterations() {
    const DimFacts &facts = pointsTo.factsAt(loop);
    return loop.getStep().isConst(1) &&
           facts.greaterEqual(loop.getUpper(), dimAdd(loop.getLower(), dimConst(ctx, 1))) ==
               Answer::Yes;
}

bool Blocks::isElementwise(Operation &op) {
    const bool inside = llvm::all_of(op.getOperands(), [&](Value operand) {
        if (isa<RankedTensorType>(operand.getType()) && operand.getParentBlock() != &body)
            outsideValues.push_back(operand);
        return fits(operand.getType()) || isa<ViewOp, LoadOp>(op);
    });
    if (!inside || !llvm::all_of(op.getResultTypes(),
                                 [&](Type type) { return fits(type) || isa<ViewOp>(op); }))
        return false;
    auto local = [&](Value handle) {
        return handle.getParentBlock() == &body && !handle.getDefiningOp<ViewOp>();
    };
    if (isa<ViewOp, LoadOp>(op)) {
        read.push_back(op.getOperand(0));
        return !local(op.getOperand(0));
    }
    if (auto readOp = dyn_cast<ReadOp>(op)) {
        if (!local(readOp.getBase()))
            read.push_back(readOp.getBase());
        return true;
    }
    if (auto assign = dyn_cast<AssignOp>(op)) {
        writes = true;
        Value base = assign.getBase();
        if (base.getDefiningOp<ViewOp>() && base.getParentBlock() == &body)
            return false;
        if (!local(base))
            written.push_back(base);
        return blocked(base.getType()) && !pointsTo.selfOverlapping(base);
    }
    if (auto made = dyn_cast<MaterializeOp>(op))
        return made.getType().getDims() == ArrayRef(dims) &&
               made.getType().getLayout() != Layout::F;
    if (isa<CastOp>(op) && isa<ArrayType>(op.getResult(0).getType()))
        return false;
    return isa<SymbolOp, SizeOp, ConstOp, CastOp, UfuncOp, BroadcastOp, SplatOp>(op) ||
           (isa<PyOp>(op) && isPureOp(&op));
}

// No array that is written is also read or written through another handle.
bool Blocks::isFreeOfAliases() {
    if (!writes)
        return true;
    for (auto [k, mine] : llvm::enumerate(written)) {
        for (Value other : ArrayRef(written).drop_front(k + 1))
            if (other != mine && !pointsTo.disjoint(mine, other, loop))
                return false;
        for (Value other : read)
            if (other != mine && !pointsTo.disjoint(mine, pointsTo.memoryRoot(other), loop))
                return false;
    }
    return true;
}

bool Blocks::applies() {
    if (next.getCondition() || loop.getInits().empty() || !carriesArrays())
        return false;
    if (loop.getLower().isConst() && loop.getUpper().isConst() &&
        std::abs(loop.getUpper().getValue() - loop.getLower().getValue()) < 2)
        return false;
    for (Operation &op : body.without_terminator())
        if (!isElementwise(op))
            return false;
    return isFreeOfAliases();
}

//===-- The new loops

Type Blocks::narrowed(Type type) const {
    if (!blocked(type))
        return type;
    SmallVector<DimAttr> smaller(*dimsOf(type));
    smaller.front() = size;
    if (auto array = dyn_cast<ArrayType>(type))
        return ArrayType::get(ctx, smaller, array.getDtype(), array.getLayout(),
                              array.getReadonly(), array.getDevice());
    return valueType(smaller, cast<RankedTensorType>(type).getElementType(), deviceOf(type));
}

// The view of an array's block.
Value Blocks::block(OpBuilder &builder, Value handle) {
    if (!blocked(handle.getType()))
        return handle;
    auto type = cast<ArrayType>(handle.getType());
    const size_t rank = dims.size();
    SmallVector<DimAttr> offsets(rank, dimConst(ctx, 0)), steps(rank, dimConst(ctx, 1));
    offsets.front() = offset;
    return ViewOp::create(builder, loop.getLoc(), narrowed(type), handle, dimArray(ctx, offsets),
                          dimArray(ctx, steps),
                          builder.getDenseI64ArrayAttr(
                              llvm::to_vector(llvm::seq<int64_t>(0, static_cast<int64_t>(rank)))));
}

// An array filled with one value is filled block by block.
Value Blocks::initBlock(OpBuilder &builder, Value init) {
    auto made = init.getDefiningOp<MaterializeOp>();
    auto splat = made ? made.getValue().getDefiningOp<SplatOp>() : SplatOp();
    if (!splat || !init.hasOneUse())
        return block(builder, init);
    Value filled = SplatOp::create(builder, splat.getLoc(), splat.getScalar(),
                                   valueDims(narrowed(splat.getType())), deviceOf(splat.getType()));
    return MaterializeOp::create(builder, made.getLoc(), filled, made.getType().getLayout());
}

void Blocks::cloneBody(OpBuilder &builder, ForOp inner) {
    Block *made = builder.createBlock(&inner.getBody());
    for (BlockArgument argument : body.getArguments())
        mapping.map(argument, made->addArgument(narrowed(argument.getType()), argument.getLoc()));
    builder.setInsertionPointToStart(made);
    for (Operation &op : body) {
        for (Value operand : op.getOperands())
            if (Value whole = wholes.lookup(operand)) {
                Value part = block(builder, whole);
                mapping.map(operand, ReadOp::create(builder, operand.getLoc(), part));
            }
        const bool touches = isa<ReadOp, AssignOp>(op);
        Value base = touches ? op.getOperand(isa<AssignOp>(op) ? 1 : 0) : Value();
        Value part;
        if (touches && blocked(base.getType()) &&
            mapping.lookupOrDefault(base).getType() == base.getType()) // a whole array
            part = block(builder, mapping.lookupOrDefault(base));
        Operation *copy = builder.clone(op, mapping);
        if (part)
            copy->setOperand(isa<AssignOp>(op) ? 1 : 0, part);
        if (!isa<ViewOp>(op))
            for (Value result : copy->getResults())
                result.setType(narrowed(result.getType()));
    }
}

// The only use of a fresh result, where it is a read, functions of that and of scalars that
// dominate the loop, and a store. It is fused: each block does that while it is in the cache.
std::optional<Blocks::Epilogue> Blocks::epilogueOf(Value result) {
    Epilogue epilogue;
    auto isKnown = [&](Value operand) {
        Operation *made = operand.getDefiningOp();
        return isScalar(operand.getType()) &&
               (!made || made->getBlock() != loop->getBlock() || made->isBeforeInBlock(loop));
    };
    while (result.hasOneUse()) {
        Operation *user = *result.user_begin();
        if (user->getBlock() != loop->getBlock())
            return std::nullopt;
        if (auto made = dyn_cast<MaterializeOp>(user)) {
            epilogue.end = made;
            const bool isSame = made.getType().getDims() == ArrayRef(dims) &&
                                made.getType().getLayout() != Layout::F;
            return isSame && epilogue.operations.size() > 1 ? std::optional(epilogue)
                                                            : std::nullopt;
        }
        const bool isRead = epilogue.operations.empty() && isa<ReadOp>(user);
        const bool changes = !epilogue.operations.empty() && isa<UfuncOp>(user) && isPureOp(user) &&
                             user->getNumResults() == 1 &&
                             llvm::all_of(user->getOperands(), [&](Value operand) {
                                 return operand == result || isKnown(operand);
                             });
        if (!isRead && !changes)
            return std::nullopt;
        epilogue.operations.push_back(user);
        result = user->getResult(0);
        if (!blocked(result.getType()))
            return std::nullopt;
    }
    return std::nullopt;
}

// The value of a block after the epilogue.
Value Blocks::emitEpilogue(OpBuilder &builder, Value done, const Epilogue &epilogue) {
    IRMapping map;
    map.map(epilogue.operations.front()->getOperand(0), done);
    for (Operation *op : epilogue.operations) {
        Operation *copy = builder.clone(*op, map);
        copy->getResult(0).setType(narrowed(copy->getResult(0).getType()));
    }
    return map.lookup(epilogue.operations.back()->getResult(0));
}

void Blocks::rewrite() {
    OpBuilder builder(loop);
    Location loc = loop.getLoc();
    for (Value value : outsideValues) // each block reads a slice of it
        if (blocked(value.getType()) && !wholes.contains(value))
            wholes[value] = MaterializeOp::create(builder, loc, value);
    SmallVector<Value> results;
    llvm::DenseMap<unsigned, Epilogue> epilogues;
    for (auto [k, init] : llvm::enumerate(loop.getInits())) {
        // An array that has aliases must stay the same one.
        const bool isUnaliased = init.getDefiningOp<MaterializeOp>() && init.hasOneUse();
        const bool isFresh = !passesThrough(k) || isUnaliased;
        std::optional<Epilogue> epilogue = isFresh ? epilogueOf(loop.getResult(k)) : std::nullopt;
        Type type = epilogue ? epilogue->end.getType() : loop.getResult(k).getType();
        results.push_back(isFresh ? AllocOp::create(builder, loc, type).getResult() : init);
        if (epilogue)
            epilogues[unsigned(k)] = *epilogue;
    }

    // Rows of the first axis in a block: about `blockItems` elements.
    auto name = [&](StringRef prefix) { return (prefix + Twine(number)).str(); };
    DimAttr items = dimConst(ctx, 1), rows = dimConst(ctx, blockItems), zero = dimConst(ctx, 0),
            one = dimConst(ctx, 1);
    for (DimAttr dim : ArrayRef(dims).drop_front())
        items = dimMul(items, dim);
    auto bind = [&](StringRef prefix, DimAttr value) {
        Value number = SizeOp::create(builder, loc, PyIntType::get(ctx), value);
        SymbolOp::create(builder, loc, builder.getStringAttr(name(prefix)), number);
        return dimSymbol(ctx, name(prefix));
    };
    if (dims.size() > 1)
        rows = bind("r", dimMax(one, dimFloorDiv(rows, dimMax(one, items))));
    ForOp outer = ForOp::create(builder, loc, TypeRange(), builder.getStringAttr(name("b")), zero,
                                dimCeilDiv(dims.front(), rows), one, ValueRange());
    Block *blockBody = builder.createBlock(&outer.getBody());
    blockBody->addArgument(PyIntType::get(ctx), loc);
    builder.setInsertionPointToStart(blockBody);
    offset = dimMul(rows, dimSymbol(ctx, name("b")));
    size = bind("m", dimMin(rows, dimSub(dims.front(), offset)));

    SmallVector<Value> inits;
    for (Value init : loop.getInits())
        inits.push_back(initBlock(builder, init));
    ForOp inner = ForOp::create(builder, loc, ValueRange(inits).getTypes(), loop.getVarAttr(),
                                loop.getLower(), loop.getUpper(), loop.getStep(), inits);
    {
        OpBuilder::InsertionGuard guard(builder);
        cloneBody(builder, inner);
    }
    for (auto [k, init] : llvm::enumerate(loop.getInits()))
        if (results[k] != init) {
            Value done = inner.getResult(k);
            auto epilogue = epilogues.find(unsigned(k));
            Value value = epilogue == epilogues.end()
                              ? ReadOp::create(builder, loc, done).getResult()
                              : emitEpilogue(builder, done, epilogue->second);
            AssignOp::create(builder, loc, value, block(builder, results[k]));
        }
    NextOp::create(builder, loc, ValueRange(), Value());
    for (auto &[k, epilogue] : epilogues) {
        epilogue.end.replaceAllUsesWith(results[k]);
        epilogue.end.erase();
        for (Operation *op : llvm::reverse(epilogue.operations))
            op->erase();
    }
    for (auto [result, instead] : llvm::zip_equal(loop.getResults_(), results))
        if (!result.use_empty()) // with an epilogue, not even the type is the same
            result.replaceAllUsesWith(instead);
    loop.erase();
}

// The inner loop of a perfect nest of two: passes/loops/register_tiling.h is for both.
bool isOnlyInner(ForOp loop) {
    auto outer = dyn_cast<ForOp>(loop->getParentOp());
    if (!outer || !outer.getStep().isConst(1))
        return false;
    Block &body = outer.getBody().front();
    return llvm::all_of(body.without_terminator(),
                        [&](Operation &op) {
                            return &op == loop || isa<ViewOp>(op) ||
                                   (op.getNumRegions() == 0 && isPureOp(&op) &&
                                    llvm::all_of(op.getResultTypes(), isScalar));
                        }) &&
           llvm::all_of(loop.getInits(),
                        [&](Value init) { return llvm::is_contained(body.getArguments(), init); });
}

} // namespace

LogicalResult shapecast::blockLoops(ModuleOp module) {
    unsigned number = 0;
    module->walk([&](FuncOp func) {
        SmallVector<ForOp> loops;
        func->walk([&](ForOp loop) { loops.push_back(loop); });
        std::optional<PointsTo> pointsTo;
        for (ForOp loop : loops) {
            if (!pointsTo)
                pointsTo.emplace(func);
            Blocks blocks(loop, *pointsTo, number);
            if (!blocks.applies() || isOnlyInner(loop))
                continue;
            blocks.rewrite();
            pointsTo.reset();
            ++number;
        }
    });
    return success();
}
