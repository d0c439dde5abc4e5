// np-device-scalars: see the header.
#include "passes/nests/device_scalars.h"

#include "passes/analysis/clobbers.h"
#include "passes/nests/nests.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace shapecast {

using namespace np;

namespace {

constexpr int costOfDivision = 8; // elementCost()

bool isOnDevice(Value array) { return bool(deviceOf(array.getType())); }
bool takesDeviceArrays(Operation *op) { return llvm::any_of(op->getOperands(), isOnDevice); }
Type elementType(Value array) { return cast<ArrayType>(array.getType()).getDtype(); }
bool isNumber(Value value) { return isa<FloatType, IntegerType, ComplexType>(value.getType()); }

// In a loop that launches nothing: one of single elements.
bool isInElementLoop(Operation *op) {
    for (Operation *loop = op->getParentOp(); loop; loop = loop->getParentOp())
        if (isa<ForOp, WhileOp>(loop))
            return !loop->walk([](Operation *inner) {
                            return isa<NestOp, GemmOp, NativeOp>(inner) ? WalkResult::interrupt()
                                                                        : WalkResult::advance();
                        })
                        .wasInterrupted();
    return false;
}

bool isSource(Operation *op) {
    if (auto nest = dyn_cast<NestOp>(op))
        return takesDeviceArrays(op) && !nest.getChecks();
    return isa<GemmOp, LoadOp>(op) && takesDeviceArrays(op) && !isInElementLoop(op);
}

bool isArithmetic(Operation *op) {
    return isa<UfuncOp, CastOp, TruthOp>(op) && op->getNumResults() == 1 && isPureOp(op) &&
           isNumber(op->getResult(0));
}

// Which scalars of a function stay on the device: all that depend on such a source, without those
// that something else uses.
class KeptScalars {
public:
    explicit KeptScalars(FuncOp func) {
        func.walk<WalkOrder::PreOrder>([&](Operation *op) {
            if (isa<NestOp>(op)) {
                operations.push_back(op);
                return WalkResult::skip();
            }
            if (isSource(op) || isArithmetic(op) || isa<ForOp>(op))
                operations.push_back(op);
            return WalkResult::advance();
        });
        do
            addDependent();
        while (refuse());
    }
    bool contains(Value value) const { return kept.contains(value); }
    ArrayRef<Value> values() const { return kept.getArrayRef(); } // in the order of the function

private:
    bool add(Value value) {
        return isNumber(value) && !refused.contains(value) && kept.insert(value);
    }

    void addDependent() {
        kept.clear();
        for (bool grows = true; grows;) {
            grows = false;
            for (Operation *op : operations) {
                if (auto loop = dyn_cast<ForOp>(op))
                    grows |= addCarried(loop);
                else if (isSource(op) || llvm::any_of(op->getOperands(), [&](Value operand) {
                             return kept.contains(operand);
                         }))
                    for (Value result : op->getResults())
                        grows |= add(result);
            }
        }
    }

    bool addCarried(ForOp loop) {
        if (isInElementLoop(&loop.getBody().front().front()))
            return false;
        bool grows = false;
        auto next = cast<NextOp>(loop.getBody().front().getTerminator());
        for (auto [k, result] : llvm::enumerate(loop.getResults())) {
            Value argument = loop.getBody().getArgument(unsigned(k) + 1);
            if ((kept.contains(loop.getInits()[k]) || kept.contains(next.getValues()[k])) &&
                !refused.contains(argument) && !refused.contains(result)) {
                grows |= add(argument);
                grows |= add(result);
            }
        }
        return grows;
    }

    bool refuse() {
        const size_t before = refused.size();
        for (Value value : kept)
            if (!llvm::all_of(value.getUses(), [&](OpOperand &use) { return mayUse(use); }))
                refused.insert(value);
        return refused.size() > before;
    }

    bool mayUse(OpOperand &use) const {
        Operation *user = use.getOwner();
        const unsigned k = use.getOperandNumber();
        if (auto nest = dyn_cast<NestOp>(user->getParentOp()))
            return takesDeviceArrays(nest);
        if (auto store = dyn_cast<StoreOp>(user))
            return k == 0 && isOnDevice(store.getBase()) && !isInElementLoop(store);
        if (auto loop = dyn_cast<ForOp>(user))
            return kept.contains(loop.getResult(k));
        if (auto loop = dyn_cast<ForOp>(user->getParentOp()); loop && isa<NextOp>(user))
            return k < loop.getNumResults() && kept.contains(loop.getResult(k));
        return isArithmetic(user) && kept.contains(user->getResult(0));
    }

    SmallVector<Operation *> operations;
    llvm::SetVector<Value> kept;
    llvm::DenseSet<Value> refused;
};

// Makes the kept scalars arrays.
class Conversion {
public:
    Conversion(FuncOp func, const KeptScalars &kept) : func(func), kept(kept) {
        func.walk([&](Operation *op) {
            for (Value operand : op->getOperands())
                if (!device)
                    device = deviceOf(operand.getType());
        });
    }
    void run();

private:
    ArrayType placeType(Type dtype) {
        return ArrayType::get(func.getContext(), {}, dtype, Layout::C, false, device);
    }
    Value newPlace(Type dtype, Operation *before);
    Value placeOf(OpResult scalar);
    void convertNest(NestOp nest);
    void convertSource(OpResult scalar);
    void convertLoop(ForOp loop);
    void convertStore(StoreOp store);
    void readInNest(NestOp nest);
    void collectPlaces(ArrayRef<Value> scalars, llvm::SetVector<Value> &read) const;
    Value computed(OpBuilder &builder, Value scalar, IRMapping &known) const;
    void store(OpBuilder &builder, Location loc, Value scalar, Value array, ArrayAttr index);
    Value stored(Value scalar, Operation *before);

    FuncOp func;
    const KeptScalars &kept;
    StringAttr device;
    llvm::DenseMap<Value, Value>
        places; // the arrays of scalars; of others their operands' are read
    SmallVector<Operation *> dead;
};

ArrayAttr noIndex(MLIRContext *ctx) { return dimArray(ctx, {}); }

Value Conversion::newPlace(Type dtype, Operation *before) {
    OpBuilder builder(before);
    return AllocOp::create(builder, before->getLoc(), placeType(dtype));
}

// A new array, or the one that the scalar is stored to, if nothing else writes it: a result.
Value Conversion::placeOf(OpResult scalar) {
    Operation *maker = scalar.getOwner();
    for (Operation *user : scalar.getUsers()) {
        auto store = dyn_cast<StoreOp>(user);
        auto array = store ? store.getBase().getDefiningOp<AllocOp>() : AllocOp();
        if (!array || array.getType().getRank() || store->getBlock() != maker->getBlock() ||
            array->getBlock() != maker->getBlock() ||
            !llvm::all_of(array->getUsers(),
                          [&](Operation *other) { return other == store || isa<ReturnOp>(other); }))
            continue;
        array->moveBefore(maker);
        dead.push_back(store);
        return array;
    }
    return newPlace(scalar.getType(), maker);
}

// Results that stay become writes, between those that it has and the other results.
void Conversion::convertNest(NestOp nest) {
    OpBuilder builder(nest);
    auto yield = cast<NestYieldOp>(nest.getBody().front().back());
    SmallVector<Value> writes(nest.getWrites()), yielded, otherYielded, others;
    SmallVector<Attribute> maps(nest.getWriteMaps().getValue()), combine, otherCombine;
    SmallVector<Type> otherTypes;
    const size_t stores = writes.size();
    llvm::append_range(yielded, yield.getValues().take_front(stores));
    llvm::append_range(combine, nest.getCombine().getValue().take_front(stores));
    for (OpResult result : nest->getOpResults()) {
        const size_t k = stores + result.getResultNumber();
        if (!kept.contains(result)) {
            otherYielded.push_back(yield.getValues()[k]);
            otherCombine.push_back(nest.getCombine()[k]);
            otherTypes.push_back(result.getType());
            others.push_back(result);
            continue;
        }
        writes.push_back(places[result] = placeOf(result));
        maps.push_back(noIndex(func.getContext()));
        yielded.push_back(yield.getValues()[k]);
        combine.push_back(nest.getCombine()[k]);
    }
    llvm::append_range(yielded, otherYielded);
    llvm::append_range(combine, otherCombine);
    yield.getValuesMutable().assign(yielded);
    auto made =
        NestOp::create(builder, nest.getLoc(), otherTypes, nest.getSpace(), nest.getReducedAttr(),
                       nest.getReads(), writes, nest.getReadMaps(), builder.getArrayAttr(maps),
                       builder.getArrayAttr(combine), ArrayAttr(), DenseI64ArrayAttr());
    made.getBody().takeBody(nest.getBody());
    for (auto [old, result] : llvm::zip_equal(others, made.getResults()))
        old.replaceAllUsesWith(result);
    dead.push_back(nest);
}

void Conversion::convertSource(OpResult scalar) {
    Operation *maker = scalar.getOwner();
    OpBuilder builder(maker);
    Value place = places[scalar] = placeOf(scalar);
    if (auto product = dyn_cast<GemmOp>(maker)) {
        GemmOp::create(builder, maker->getLoc(), TypeRange(), product.getLhs(), product.getRhs(),
                       place);
    } else if (auto load = dyn_cast<LoadOp>(maker)) {
        NestParts parts;
        parts.reads = {load.getBase()};
        parts.writes = {place};
        parts.readMaps.emplace_back(
            llvm::map_range(load.getIndices(), [](Attribute dim) { return cast<DimAttr>(dim); }));
        parts.writeMaps.emplace_back();
        parts.combine = {""};
        Value element = parts.body->addArgument(scalar.getType(), maker->getLoc());
        OpBuilder inside = parts.inside(func.getContext());
        NestYieldOp::create(inside, maker->getLoc(), element);
        createNest(builder, maker->getLoc(), std::move(parts));
    } else { // arithmetic
        places.erase(scalar);
        store(builder, maker->getLoc(), scalar, place, noIndex(func.getContext()));
        places[scalar] = place;
    }
    dead.push_back(maker);
}

void Conversion::collectPlaces(ArrayRef<Value> scalars, llvm::SetVector<Value> &read) const {
    SmallVector<Value> waiting(llvm::reverse(scalars));
    llvm::DenseSet<Value> seen;
    while (!waiting.empty()) {
        Value scalar = waiting.pop_back_val();
        if (!kept.contains(scalar) || !seen.insert(scalar).second)
            continue;
        if (Value place = places.lookup(scalar)) {
            read.insert(place);
            continue;
        }
        // A vector of them: libstdc++ 16 takes no reversed OperandRange.
        const SmallVector<Value> operands(scalar.getDefiningOp()->getOperands());
        llvm::append_range(waiting, llvm::reverse(operands));
    }
}

// The scalar in a nest's body, which has what `known` maps.
Value Conversion::computed(OpBuilder &builder, Value scalar, IRMapping &known) const {
    if (Value place = places.lookup(scalar))
        return known.lookup(place);
    if (!kept.contains(scalar) || known.contains(scalar))
        return known.lookupOrDefault(scalar);
    Operation *op = scalar.getDefiningOp();
    IRMapping operands;
    for (Value operand : op->getOperands())
        operands.map(operand, computed(builder, operand, known));
    Value result = builder.clone(*op, operands)->getResult(0);
    known.map(scalar, result);
    return result;
}

void Conversion::store(OpBuilder &builder, Location loc, Value scalar, Value array,
                       ArrayAttr index) {
    llvm::SetVector<Value> read;
    collectPlaces(scalar, read);
    NestParts parts;
    IRMapping known;
    for (Value place : read) {
        parts.reads.push_back(place);
        parts.readMaps.emplace_back();
        known.map(place, parts.body->addArgument(elementType(place), loc));
    }
    parts.writes = {array};
    parts.writeMaps.emplace_back(
        llvm::map_range(index, [](Attribute dim) { return cast<DimAttr>(dim); }));
    parts.combine = {""};
    OpBuilder inside = parts.inside(func.getContext());
    NestYieldOp::create(inside, loc, computed(inside, scalar, known));
    createNest(builder, loc, std::move(parts));
}

// An array with the scalar's value, for a loop to carry.
Value Conversion::stored(Value scalar, Operation *before) {
    if (Value place = places.lookup(scalar))
        return place;
    Value place = newPlace(scalar.getType(), before);
    OpBuilder builder(before);
    store(builder, before->getLoc(), scalar, place, noIndex(func.getContext()));
    return place;
}

void Conversion::convertLoop(ForOp loop) {
    auto next = cast<NextOp>(loop.getBody().front().getTerminator());
    for (OpResult result : loop->getOpResults()) {
        const unsigned k = result.getResultNumber();
        if (!kept.contains(result))
            continue;
        loop.getInitsMutable().slice(k, 1).assign(stored(loop.getInits()[k], loop));
        next.getValuesMutable().slice(k, 1).assign(stored(next.getValues()[k], next));
    }
}

void Conversion::readInNest(NestOp nest) {
    Block &body = nest.getBody().front();
    llvm::SetVector<Value> scalars, read;
    for (Operation &op : body)
        for (Value operand : op.getOperands())
            if (kept.contains(operand))
                scalars.insert(operand);
    if (scalars.empty())
        return;
    collectPlaces(scalars.getArrayRef(), read);
    SmallVector<Attribute> maps(nest.getReadMaps().getValue());
    IRMapping known;
    for (Value place : read) {
        known.map(place, body.addArgument(elementType(place), nest.getLoc()));
        nest.getReadsMutable().append(place);
        maps.push_back(noIndex(func.getContext()));
    }
    nest.setReadMapsAttr(ArrayAttr::get(func.getContext(), maps));
    OpBuilder inside(&body, body.begin());
    for (Value scalar : scalars) {
        Value value = computed(inside, scalar, known);
        scalar.replaceUsesWithIf(
            value, [&](OpOperand &use) { return use.getOwner()->getBlock() == &body; });
    }
}

void Conversion::run() {
    // What loops carry: the values stay, with another type.
    for (Value value : kept.values()) {
        if (isa<BlockArgument>(value) || isa<ForOp>(value.getDefiningOp())) {
            places[value] = value;
            value.setType(placeType(value.getType()));
        }
    }
    SmallVector<ForOp> loops;
    SmallVector<StoreOp> stores;
    SmallVector<NestOp> nests;
    SmallVector<Operation *> sources;
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (auto loop = dyn_cast<ForOp>(op))
            loops.push_back(loop);
        if (auto store = dyn_cast<StoreOp>(op); store && kept.contains(store.getValue()))
            stores.push_back(store);
        if (llvm::any_of(op->getResults(), [&](Value v) { return kept.contains(v); }) &&
            !isa<ForOp>(op))
            sources.push_back(op);
    });
    for (Operation *op : sources) {
        if (auto nest = dyn_cast<NestOp>(op))
            convertNest(nest);
        else if (!isArithmetic(op) || elementCost(op) > costOfDivision)
            convertSource(op->getResult(0));
        else
            dead.push_back(op);
    }
    for (ForOp loop : loops)
        convertLoop(loop);
    for (StoreOp store : stores) {
        if (llvm::is_contained(dead, store.getOperation()))
            continue;
        OpBuilder builder(store);
        this->store(builder, store.getLoc(), store.getValue(), store.getBase(), store.getIndices());
        dead.push_back(store);
    }
    func.walk([&](NestOp nest) {
        if (!llvm::is_contained(dead, nest.getOperation()))
            nests.push_back(nest);
    });
    for (NestOp nest : nests)
        readInNest(nest);
    for (Operation *op : dead)
        op->dropAllUses();
    for (Operation *op : dead)
        op->erase();
}

} // namespace

void keepScalarsOnDevice(FuncOp func) {
    const KeptScalars kept(func);
    if (!kept.values().empty())
        Conversion(func, kept).run();
}

} // namespace shapecast
