// Emission of a nest's body, scalar by scalar or as vectors.
#include "lower/nest/nest_body.h"

#include "lower/kit/vector_code.h"
#include "ops/ufunc/emit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <numeric>

using namespace mlir;

namespace shapecast {

using np::DimAttr;

//===-- Reductions

ArrayRef<NestBody::Reduction> NestBody::reductions() {
    if (!reductionList) {
        reductionList.emplace();
        Operation *yield = op.getBody().front().getTerminator();
        auto combines = op.getCombine().getAsValueRange<StringAttr>();
        const bool finds = llvm::any_of(combines, [](StringRef c) { return c.starts_with("arg"); });
        for (auto [k, combine] : llvm::enumerate(combines)) {
            Type type = yield->getOperand(k).getType();
            StringRef name = combine == "argmax"   ? "maximum"
                             : combine == "argmin" ? "minimum"
                                                   : combine;
            // argmin and argmax reduce by their extreme, which may be a result of its own as well.
            const bool isThere = finds && llvm::any_of(*reductionList, [&](const Reduction &r) {
                                     return r.combine == name;
                                 });
            if (!combine.empty() && !isThere)
                reductionList->push_back({unsigned(k), name, dtypeOf(type), type});
        }
    }
    return *reductionList;
}

SmallVector<Type> NestBody::accumulatorTypes() {
    SmallVector<Type> types;
    for (const Reduction &r : reductions())
        llvm::append_range(types, registerTypes(r.type));
    return types;
}

SmallVector<Value> NestBody::identities(OpBuilder &builder) {
    SmallVector<Value> values;
    for (const Reduction &r : reductions())
        appendParts(values, emitIdentity(builder, op.getLoc(), r.combine, r.dtype));
    return values;
}

SmallVector<Value> NestBody::combine(OpBuilder &builder, ValueRange a, ValueRange b) {
    SmallVector<Value> values;
    for (const Reduction &r : reductions()) {
        Scalar left = takeParts(r.type, a), right = takeParts(r.type, b);
        appendParts(values, emitCombine(builder, op.getLoc(), r.combine, r.dtype, left, right));
    }
    return values;
}

//===-- One point

// np-gathers wraps an index of a nest that checks it: where(index is out of bounds, 0, index).
static Value unclamped(Value index) { return index.getDefiningOp<np::UfuncOp>().getOperands_()[2]; }

// np.take: the element of a read at the computed indices.
Scalar NestBody::gather(OpBuilder &builder, np::TakeOp taken, ArrayRef<Value> offsets) {
    Location loc = taken.getLoc();
    const unsigned number = cast<BlockArgument>(taken.getBase()).getArgNumber();
    const NestAccess &read = plan.reads[number];
    Value at = offsets.empty() ? env.dims.constant(builder, loc, 0) : offsets[number];
    for (auto [index, axis] : llvm::zip_equal(taken.getIndices(), read.gatherAxes)) {
        const bool wraps = indexMode == IndexMode::Wrap;
        Value wrapped = env.scalars.lookup(wraps ? index : unclamped(index)).re;
        Value zero = env.dims.constant(builder, loc, 0);
        Value size = env.dims.emit(builder, loc, axis.first);
        if (wraps) {
            Value isNegative =
                arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, wrapped, zero);
            Value fromEnd = arith::AddIOp::create(builder, loc, wrapped, size);
            wrapped = arith::SelectOp::create(builder, loc, isNegative, fromEnd, wrapped);
        } else if (indexMode == IndexMode::NonNegative) {
            Value out =
                arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, wrapped, size);
            isIndexOutside =
                isIndexOutside ? arith::OrIOp::create(builder, loc, isIndexOutside, out).getResult()
                               : out;
            wrapped = arith::SelectOp::create(builder, loc, out, zero, wrapped);
        }
        Value stride = env.dims.emit(builder, loc, axis.second);
        at = arith::AddIOp::create(builder, loc, at,
                                   arith::MulIOp::create(builder, loc, wrapped, stride));
    }
    return loadElement(builder, loc, env.pointers[read.pointer], at, read.dtype);
}

SmallVector<Scalar> NestBody::compute(OpBuilder &builder, ArrayRef<Scalar> reads,
                                      llvm::function_ref<Value(DimAttr)> iterator,
                                      ArrayRef<Value> offsets) {
    Block &body = op.getBody().front();
    auto &scalars = env.scalars;
    isIndexOutside = {};
    for (auto [argument, value] : llvm::zip_equal(body.getArguments(), reads))
        scalars[argument] = value;
    for (Operation &inner : body.without_terminator()) {
        if (auto index = dyn_cast<np::IndexOp>(inner)) {
            scalars[index] = {iterator(iteratorSymbol(builder.getContext(), index.getDim())),
                              Value()};
            continue;
        }
        if (auto taken = dyn_cast<np::TakeOp>(inner)) {
            scalars[taken.getResult()] = gather(builder, taken, offsets);
            continue;
        }
        if (!emitScalarOp(builder, &inner, {env.dims, scalars, nullptr}))
            inner.emitError("internal error: not a scalar operation, in a nest");
    }
    SmallVector<Scalar> results;
    for (Value value : body.getTerminator()->getOperands())
        results.push_back(scalars.lookup(value));
    if (indexMode == IndexMode::InBounds)
        isIndexOutside = arith::ConstantIntOp::create(builder, op.getLoc(), 0, 1);
    if (indexMode != IndexMode::Wrap)
        results.back() = {isIndexOutside, Value()};
    return results;
}

SmallVector<Scalar> NestBody::readsAt(OpBuilder &builder, const NestPoint &point) {
    SmallVector<Scalar> reads;
    for (auto [k, read] : llvm::enumerate(plan.reads))
        reads.push_back(point.given.contains(k) ? point.given.lookup(k)
                        : read.gatherAxes.empty()
                            ? loadElement(builder, op.getLoc(), env.pointers[read.pointer],
                                          point.offsets[k], read.dtype)
                            : Scalar());
    return reads;
}

Value NestBody::indexValue(OpBuilder &builder, DimAttr symbol) {
    return env.dims.emit(builder, op.getLoc(), plan.indexValue.lookup(symbol));
}

SmallVector<Value> NestBody::at(OpBuilder &builder, const NestPoint &point,
                                ValueRange accumulators) {
    Location loc = op.getLoc();
    DimValues::Scope scope(env.dims);
    auto iterator = [&](DimAttr symbol) { return indexValue(builder, symbol); };
    SmallVector<Scalar> results =
        compute(builder, readsAt(builder, point), iterator, point.offsets);
    for (auto [k, write] : llvm::enumerate(plan.writes))
        if (cast<StringAttr>(op.getCombine()[k]).getValue().empty())
            storeElement(builder, loc, results[k], env.pointers[write.pointer],
                         point.offsets[plan.reads.size() + k], write.dtype);
    SmallVector<Value> values;
    for (const Reduction &r : reductions())
        appendParts(values, results[r.yield]);
    return accumulators.empty() ? values : combine(builder, accumulators, values);
}

//===-- Gather indices

// False also where an index depends on another gather: it cannot be checked beforehand.
bool NestBody::checksGatherIndices() {
    Block &code = op.getBody().front();
    llvm::DenseSet<Value> taken;
    for (Operation &inner : code) {
        const bool follows = llvm::any_of(inner.getOperands(),
                                          [&](Value operand) { return taken.contains(operand); });
        if (isa<np::TakeOp>(inner) && follows)
            return false;
        if (isa<np::TakeOp>(inner) || follows)
            taken.insert_range(inner.getResults());
    }
    return op.getChecks();
}

Value NestBody::isOutOfBounds(OpBuilder &builder, const NestPoint &point) {
    Location loc = op.getLoc();
    DimValues::Scope scope(env.dims);
    SmallVector<Scalar> reads = readsAt(builder, point);
    for (auto [argument, value] : llvm::zip_equal(op.getBody().getArguments(), reads))
        env.scalars[argument] = value;
    llvm::SetVector<Operation *> needed;
    for (np::TakeOp taken : op.getBody().front().getOps<np::TakeOp>())
        for (Value index : taken.getIndices())
            if (Operation *made = unclamped(index).getDefiningOp())
                needed.insert(made);
    for (size_t k = 0; k < needed.size(); ++k)
        for (Value operand : needed[k]->getOperands())
            if (Operation *made = operand.getDefiningOp())
                needed.insert(made);
    for (Operation &inner : op.getBody().front().without_terminator()) {
        if (!needed.contains(&inner))
            continue;
        if (auto index = dyn_cast<np::IndexOp>(inner))
            env.scalars[index] = {
                indexValue(builder, iteratorSymbol(op.getContext(), index.getDim())), Value()};
        else
            emitScalarOp(builder, &inner, {env.dims, env.scalars, nullptr});
    }
    Value any = arith::ConstantIntOp::create(builder, loc, 0, 1);
    for (np::TakeOp taken : op.getBody().front().getOps<np::TakeOp>()) {
        const NestAccess &read = plan.reads[cast<BlockArgument>(taken.getBase()).getArgNumber()];
        for (auto [index, axis] : llvm::zip_equal(taken.getIndices(), read.gatherAxes)) {
            Value given = env.scalars.lookup(unclamped(index)).re;
            Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, given,
                                             env.dims.emit(builder, loc, axis.first));
            any = arith::OrIOp::create(builder, loc, any, is);
        }
    }
    return any;
}

//===-- Vectors

NestBody::~NestBody() {
    if (holder)
        holder->erase();
}

void NestBody::fillTemplate(OpBuilder &outer) {
    Location loc = op.getLoc();
    holder = scf::ExecuteRegionOp::create(outer, loc, TypeRange());
    OpBuilder builder(op.getContext());
    scalarCode = builder.createBlock(&holder->getRegion(0));
    DimValues::Scope scope(env.dims);
    SmallVector<Scalar> reads;
    for (const NestAccess &read : plan.reads) {
        Type type = registerType(op.getContext(), read.dtype);
        Scalar scalar{scalarCode->addArgument(type, loc), Value()};
        if (isComplex(read.dtype))
            scalar.im = scalarCode->addArgument(type, loc);
        reads.push_back(scalar);
    }
    llvm::DenseMap<Attribute, Value> indices;
    op.getBody().walk([&](np::IndexOp index) {
        DimAttr symbol = iteratorSymbol(op.getContext(), index.getDim());
        if (!indices.contains(symbol)) {
            indices[symbol] = scalarCode->addArgument(builder.getI64Type(), loc);
            scalarIndices.push_back(symbol);
        }
    });
    SmallVector<Value> accumulators;
    for (Type type : accumulatorTypes())
        accumulators.push_back(scalarCode->addArgument(type, loc));
    SmallVector<Scalar> results =
        compute(builder, reads, [&](DimAttr symbol) { return indices.lookup(symbol); });
    SmallVector<Value> values;
    for (const Reduction &r : reductions())
        appendParts(values, results[r.yield]);
    for (auto [k, write] : llvm::enumerate(plan.writes))
        if (cast<StringAttr>(op.getCombine()[k]).getValue().empty())
            appendParts(yielded, results[k]);
    llvm::append_range(yielded, combine(builder, accumulators, values));
}

bool NestBody::canVectorise(OpBuilder &builder) {
    auto simple = [](const NestAccess &a) { return !isComplex(a.dtype); };
    if (!llvm::all_of(plan.reads, simple) || !llvm::all_of(plan.writes, simple))
        return false;
    for (const Reduction &r : reductions())
        if (isComplex(r.dtype))
            return false;
    for (Operation &inner : op.getBody().front()) // sizes would be computed in the template
        if (isa<np::SizeOp>(inner))
            return false;
    for (const NestAccess &read : plan.reads) // so those of np.take's axes are computed here
        for (auto [size, stride] : read.gatherAxes) {
            if (!read.base.isConst(0))
                return false;
            env.dims.emit(builder, op.getLoc(), size);
            env.dims.emit(builder, op.getLoc(), stride);
        }
    if (!scalarCode)
        fillTemplate(builder);
    return isLaneCode(*scalarCode);
}

static Value lane(OpBuilder &builder, Location loc, Value vector, unsigned k) {
    Value index = arith::ConstantIntOp::create(builder, loc, k, 64);
    return LLVM::ExtractElementOp::create(builder, loc, vector, index);
}

Value loadVector(OpBuilder &builder, Location loc, Value address, DType dtype, unsigned lanes,
                 Value mask) {
    auto type = VectorType::get(lanes, storageType(builder.getContext(), dtype));
    const unsigned alignment = itemSize(dtype);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    Value vector =
        mask ? LLVM::MaskedLoadOp::create(builder, loc, type, address, mask, zero,
                                          builder.getI32IntegerAttr(int(alignment)), UnitAttr())
                   .getResult()
             : LLVM::LoadOp::create(builder, loc, type, address, alignment).getResult();
    if (!isBool(dtype))
        return vector;
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, vector, zero);
}

void storeVector(OpBuilder &builder, Location loc, Value vector, Value address, DType dtype,
                 Value mask) {
    const unsigned alignment = itemSize(dtype);
    if (mask)
        LLVM::MaskedStoreOp::create(builder, loc, vector, address, mask, alignment);
    else
        LLVM::StoreOp::create(builder, loc, vector, address, alignment);
}

void storeNonTemporal(OpBuilder &builder, Location loc, Value vector, Value address) {
    LLVM::StoreOp::create(builder, loc, vector, address, /*alignment=*/64, /*isVolatile=*/false,
                          /*isNonTemporal=*/true);
}

// The elements of `access` at `lanes` iterations of a loop with this step (whose value is `move`):
// a vector load, shuffled vectors, a splat, or a load per lane.
static Value loadLanes(OpBuilder &builder, Location loc, Value pointer, Value offset,
                       const NestAccess &access, DimAttr step, Value move, unsigned lanes) {
    auto vectorAt = [&](int64_t more) {
        Value at = arith::AddIOp::create(builder, loc, offset,
                                         arith::ConstantIntOp::create(builder, loc, more, 64));
        Value address = elementAddress(builder, loc, pointer, at, access.dtype);
        return loadVector(builder, loc, address, access.dtype, lanes);
    };
    auto shuffled = [&](Value a, Value b, llvm::function_ref<int32_t(int32_t)> from) -> Value {
        SmallVector<int32_t> mask;
        for (unsigned k = 0; k < lanes; ++k)
            mask.push_back(from(int32_t(k)));
        return LLVM::ShuffleVectorOp::create(builder, loc, a, b, mask);
    };
    const int32_t count = int32_t(lanes);
    if (step.isConst(0))
        return splat(builder, loc, loadElement(builder, loc, pointer, offset, access.dtype).re,
                     VectorType::get(lanes, registerType(builder.getContext(), access.dtype)));
    if (step.isConst(1))
        return loadVector(builder, loc, elementAddress(builder, loc, pointer, offset, access.dtype),
                          access.dtype, lanes);
    if (step.isConst(-1)) {
        Value vector = vectorAt(1 - count);
        return shuffled(vector, vector, [&](int32_t k) { return count - 1 - k; });
    }
    // The second vector ends at the last lane's element: memory behind it may not be the array's.
    if (step.isConst(2) && lanes > 1)
        return shuffled(vectorAt(0), vectorAt(count - 1),
                        [&](int32_t k) { return 2 * k < count ? 2 * k : 2 * k + 1; });
    Type element = storageType(builder.getContext(), access.dtype);
    auto type = VectorType::get(lanes, element);
    Value vector = LLVM::PoisonOp::create(builder, loc, type);
    for (unsigned k = 0; k < lanes; ++k) {
        Value address = elementAddress(builder, loc, pointer, offset, access.dtype);
        Value value = LLVM::LoadOp::create(builder, loc, element, address);
        Value index = arith::ConstantIntOp::create(builder, loc, k, 64);
        vector = LLVM::InsertElementOp::create(builder, loc, vector, value, index);
        offset = arith::AddIOp::create(builder, loc, offset, move);
    }
    if (!isBool(access.dtype))
        return vector;
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, vector, zero);
}

static void storeContiguous(OpBuilder &builder, Location loc, Value vector, Value address,
                            DType dtype) {
    if (isBool(dtype)) {
        auto type = cast<VectorType>(vector.getType()).clone(builder.getI8Type());
        vector = arith::ExtUIOp::create(builder, loc, type, vector);
    }
    storeVector(builder, loc, vector, address, dtype);
}

void NestBody::storeVectors(OpBuilder &builder, const NestPoint &point, ValueRange vectors) {
    for (auto [k, write] : llvm::enumerate(plan.writes)) {
        Value address = elementAddress(builder, op.getLoc(), env.pointers[write.pointer],
                                       point.offsets[plan.reads.size() + k], write.dtype);
        storeContiguous(builder, op.getLoc(), vectors[k], address, write.dtype);
    }
}

// Stores the "" yields; returns their number.
unsigned NestBody::storeLanes(OpBuilder &builder, const NestPoint &point, unsigned loop,
                              unsigned lanes, llvm::function_ref<Value(Value)> mapped) {
    Location loc = op.getLoc();
    unsigned next = 0;
    for (auto [k, write] : llvm::enumerate(plan.writes)) {
        if (!cast<StringAttr>(op.getCombine()[k]).getValue().empty())
            continue;
        Value vector = mapped(yielded[next++]);
        Value offset = point.offsets[plan.reads.size() + k];
        Value pointer = env.pointers[write.pointer];
        if (write.steps[loop].isConst(1)) {
            Value address = elementAddress(builder, loc, pointer, offset, write.dtype);
            if (isNonTemporal)
                storeNonTemporal(builder, loc, vector, address);
            else
                storeContiguous(builder, loc, vector, address, write.dtype);
            continue;
        }
        for (unsigned j = 0; j < lanes; ++j) {
            storeElement(builder, loc, {lane(builder, loc, vector, j), Value()}, pointer, offset,
                         write.dtype);
            offset = arith::AddIOp::create(builder, loc, offset,
                                           env.dims.emit(builder, loc, write.steps[loop]));
        }
    }
    return next;
}

// Emits `combine` on vectors of accumulators, from a template of its scalar code.
SmallVector<Value> NestBody::combineLanes(OpBuilder &builder, unsigned lanes, ValueRange a,
                                          ValueRange b) {
    if (!combineCode) {
        OpBuilder inside(op.getContext());
        combineCode = inside.createBlock(&holder->getRegion(0));
        SmallVector<Type> types = accumulatorTypes();
        for (int side = 0; side < 2; ++side)
            for (Type type : types)
                combineCode->addArgument(type, op.getLoc());
        ValueRange arguments = combineCode->getArguments();
        combined =
            combine(inside, arguments.take_front(types.size()), arguments.drop_front(types.size()));
    }
    IRMapping map;
    for (auto [k, value] : llvm::enumerate(a))
        map.map(combineCode->getArgument(k), value);
    for (auto [k, value] : llvm::enumerate(b))
        map.map(combineCode->getArgument(a.size() + k), value);
    auto mapped = emitLanes(builder, op.getLoc(), *combineCode, lanes, map);
    return llvm::map_to_vector(combined, mapped);
}

SmallVector<Value> NestBody::atLanes(OpBuilder &builder, const NestPoint &point, unsigned loop,
                                     unsigned lanes, ValueRange accumulators) {
    Location loc = op.getLoc();
    DimValues::Scope scope(env.dims);
    auto stepOf = [&](const NestAccess &a) { return env.dims.emit(builder, loc, a.steps[loop]); };
    auto vectorOf = [&](Type element) { return VectorType::get(lanes, element); };

    IRMapping map;
    unsigned argument = 0;
    for (auto [k, read] : llvm::enumerate(plan.reads)) {
        if (!read.gatherAxes.empty()) { // the template loads its elements itself
            ++argument;
            continue;
        }
        DimAttr step = read.steps[loop];
        Value vector = loadLanes(builder, loc, env.pointers[read.pointer], point.offsets[k], read,
                                 step, stepOf(read), lanes);
        map.map(scalarCode->getArgument(argument++), vector);
    }
    for (DimAttr symbol : scalarIndices) {
        Value first = env.dims.emit(builder, loc, plan.indexValue.lookup(symbol));
        Value vector = splat(builder, loc, first, vectorOf(builder.getI64Type()));
        if (symbol == plan.loops[loop].iterators[0]) {
            SmallVector<int64_t> counting(lanes);
            std::iota(counting.begin(), counting.end(), 0);
            Value numbers = arith::ConstantOp::create(
                builder, loc,
                DenseElementsAttr::get(vectorOf(builder.getI64Type()), ArrayRef(counting)));
            vector = arith::AddIOp::create(builder, loc, vector, numbers);
        }
        map.map(scalarCode->getArgument(argument++), vector);
    }
    for (Value accumulator : accumulators)
        map.map(scalarCode->getArgument(argument++), accumulator);

    auto mapped = emitLanes(builder, loc, *scalarCode, lanes, map);
    unsigned next = storeLanes(builder, point, loop, lanes, mapped);
    SmallVector<Value> results;
    for (Value value : ArrayRef(yielded).drop_front(next))
        results.push_back(mapped(value));
    return results;
}

SmallVector<Value> NestBody::valuesOfLanes(OpBuilder &builder, unsigned lanes, ValueRange reads) {
    IRMapping map;
    for (auto [argument, vector] : llvm::zip_equal(scalarCode->getArguments(), reads))
        map.map(argument, vector);
    auto mapped = emitLanes(builder, op.getLoc(), *scalarCode, lanes, map);
    return llvm::map_to_vector(yielded, mapped);
}

bool NestBody::isIdempotent() {
    return llvm::none_of(op.getCombine().getAsValueRange<StringAttr>(),
                         [](StringRef combine) { return combine.empty(); }) &&
           llvm::all_of(reductions(), [](const Reduction &r) {
               return r.combine == "maximum" || r.combine == "minimum" ||
                      r.combine == "logical_or" || r.combine == "logical_and";
           });
}

Value NestBody::hits(OpBuilder &builder, const NestPoint &point, unsigned loop, unsigned lanes,
                     Value best) {
    Location loc = op.getLoc();
    auto type = VectorType::get(lanes, best.getType());
    SmallVector<Value> starts;
    for (Value identity : identities(builder))
        starts.push_back(splat(builder, loc, identity, type));
    Value values = atLanes(builder, point, loop, lanes, starts)[0];
    Value bests = splat(builder, loc, best, type), found;
    if (isa<FloatType>(best.getType()))
        found = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, values, bests);
    else
        found = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, values, bests);
    Value bits = LLVM::BitcastOp::create(builder, loc, builder.getIntegerType(lanes), found);
    return lanes >= 64 ? bits : arith::ExtUIOp::create(builder, loc, builder.getI64Type(), bits);
}

} // namespace shapecast
