#include "lower/gpu/kernel_builder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace shapecast {

using np::DimAttr;

KernelWork::KernelWork(const NestPlan &plan, KernelNames names)
    : plan(plan), op(plan.op), sizes(planSymbols(plan)), scalars(outsideScalars(op)),
      names(std::move(names)), hasResults(op.getNumResults() > 0) {
    for (unsigned k = 0; k < plan.loops.size(); ++k)
        (plan.loops[k].reduced ? reduced : kept).push_back(k);
    for (StringRef combine : op.getCombine().getAsValueRange<StringAttr>())
        isArgReduction |= combine.starts_with("arg");
    assert((!hasResults || kept.empty()) && "a scalar is a reduction of everything");
}

DimAttr KernelWork::number(int64_t value) const { return np::dimConst(op->getContext(), value); }

DimAttr KernelWork::product(ArrayRef<unsigned> loops) const {
    DimAttr size = number(1);
    for (unsigned loop : loops)
        size = np::dimMul(size, plan.loops[loop].size);
    return size;
}

DimAttr KernelWork::exceeds(DimAttr size, int64_t limit) const {
    DimAttr over = np::dimSub(size, number(limit));
    return np::dimMin(np::dimMax(over, number(0)), number(1));
}

DimAttr KernelWork::threadsFor(DimAttr elements, DimAttr isLong) const {
    DimAttr threads = number(1);
    for (int64_t limit = 1; limit < warp; limit *= 2)
        threads = np::dimAdd(threads, np::dimMul(number(limit), exceeds(elements, limit)));
    return np::dimMax(threads, np::dimMul(number(gpu::blockThreads), isLong));
}

//===-- The function

KernelFunction::KernelFunction(ModuleOp module, ArrayRef<const KernelWork *> nests, StringRef name,
                               const LaunchShape &shape)
    : name(name.str()) {
    SmallVector<Location> lines;
    for (const KernelWork *nest : nests)
        lines.push_back(nest->plan.op->getLoc());
    Location loc = FusedLoc::get(module.getContext(), lines); // of one it is that one
    bool hasPartials = false, hasResults = false;
    llvm::SmallDenseSet<Value> written, aliased;
    for (const KernelWork *nest : nests) {
        hasPartials |= nest->hasPartials;
        hasResults |= nest->hasResults;
        for (auto [k, pointer] : llvm::enumerate(nest->plan.pointers)) {
            pointers.insert({pointer, Value()});
            if (nest->plan.written[k])
                written.insert(pointer);
            if (!nest->plan.noalias[k] || nests.size() > 1)
                aliased.insert(pointer);
        }
        for (DimAttr size : nest->sizes)
            if (!llvm::is_contained(sizes, size))
                sizes.push_back(size);
        for (Value scalar : nest->scalars)
            if (!llvm::is_contained(scalars, scalar))
                scalars.push_back(scalar);
    }
    OpBuilder outside = OpBuilder::atBlockEnd(module.getBody());
    MLIRContext *ctx = outside.getContext();
    Type pointerType = LLVM::LLVMPointerType::get(ctx);
    const KernelNames &nameOf = nests.front()->names;
    SmallVector<Type> types(pointers.size(), pointerType);
    SmallVector<Attribute> names;
    for (auto &[array, own] : pointers)
        names.push_back(outside.getStringAttr(nameOf(array)));
    types.append(sizes.size(), outside.getI64Type());
    names.append(sizes.begin(), sizes.end());
    for (Value scalar : scalars) { // a complex one is two parameters
        llvm::append_range(types, registerTypes(scalar.getType()));
        names.resize(types.size(), outside.getStringAttr(nameOf(scalar)));
    }
    types.append(hasPartials + hasResults, pointerType);
    if (hasPartials)
        names.push_back(outside.getStringAttr("partials"));
    if (hasResults)
        names.push_back(outside.getStringAttr("results"));
    function = func::FuncOp::create(outside, loc, name, outside.getFunctionType(types, {}));
    np::NpDialect::ParametersAttrHelper(ctx).setAttr(function, outside.getArrayAttr(names));
    np::NpDialect::LaunchAttrHelper(ctx).setAttr(
        function,
        np::LaunchAttr::get(ctx, np::dimArray(ctx, shape.threads), np::dimArray(ctx, shape.blocks),
                            outside.getStringAttr(shape.form)));
    for (auto [k, pointer] : llvm::enumerate(llvm::make_first_range(pointers))) {
        if (!aliased.contains(pointer))
            function.setArgAttr(k, "llvm.noalias", outside.getUnitAttr());
        if (!written.contains(pointer))
            function.setArgAttr(k, "llvm.readonly", outside.getUnitAttr());
    }
    bindParameters(function.addEntryBlock()->getArguments(), hasPartials, hasResults);
}

void KernelFunction::bindParameters(ValueRange rest, bool hasPartials, bool hasResults) {
    auto take = [&] {
        Value first = rest.front();
        rest = rest.drop_front();
        return first;
    };
    for (auto &[array, own] : pointers)
        own = take();
    for (size_t k = 0; k < sizes.size(); ++k)
        sizeValues.push_back(take());
    for (Value scalar : scalars)
        scalarValues[scalar] = takeParts(scalar.getType(), rest);
    if (hasPartials)
        partialSlots = take();
    if (hasResults)
        resultSlots = take();
}

func::FuncOp KernelFunction::finish() {
    OpBuilder end = OpBuilder::atBlockEnd(&function.getBody().back());
    func::ReturnOp::create(end, function.getLoc(), ValueRange());
    return function;
}

static Values pointersIn(const KernelFunction &kernel, const NestPlan &plan) {
    Values own;
    for (Value array : plan.pointers)
        own.push_back(kernel.pointers.lookup(array));
    return own;
}

KernelBuilder::KernelBuilder(KernelFunction &kernel, const KernelWork &work)
    : work(work), plan(work.plan), op(work.op), loc(op.getLoc()), kernel(kernel),
      pointers(pointersIn(kernel, plan)),
      b(OpBuilder::atBlockEnd(&kernel.function.getBody().front())), scalars(kernel.scalarValues),
      body(plan, NestContext{dims, pointers, scalars}) {
    for (auto [size, value] : llvm::zip_equal(kernel.sizes, kernel.sizeValues))
        dims.bind(size, value);
    emitOutsideConstants(b, op, NestContext{dims, pointers, scalars});
    // Iterators of loops that were dropped are zero.
    for (unsigned k = 0; k < op.getSpace().size(); ++k)
        dims.bind(iteratorSymbol(b.getContext(), k), constant(b, 0));
}

//===-- Control flow

Value KernelBuilder::constant(OpBuilder &builder, int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value KernelBuilder::size(OpBuilder &builder, DimAttr size) {
    return dims.emit(builder, loc, size);
}

KernelBuilder::Values
KernelBuilder::loop(OpBuilder &builder, Value from, Value to, Value step, ValueRange carried,
                    llvm::function_ref<Values(OpBuilder &, Value, ValueRange)> inner) {
    auto loop = scf::ForOp::create(builder, loc, from, to, step, carried);
    DimValues::Scope scope(dims);
    OpBuilder inside = OpBuilder::atBlockBegin(loop.getBody());
    Values values = inner(inside, loop.getInductionVar(), loop.getRegionIterArgs());
    if (!carried.empty())
        scf::YieldOp::create(inside, loc, values);
    return Values(loop.getResults());
}

void KernelBuilder::when(OpBuilder &builder, Value condition, Inside then, Inside otherwise) {
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/bool(otherwise));
    {
        DimValues::Scope scope(dims);
        OpBuilder inside = branch.getThenBodyBuilder();
        then(inside);
    }
    if (otherwise) {
        DimValues::Scope scope(dims);
        OpBuilder inside = branch.getElseBodyBuilder();
        otherwise(inside);
    }
}

void KernelBuilder::bindLoops(OpBuilder &builder, ArrayRef<unsigned> loops, Value position) {
    for (size_t k = loops.size(); k-- > 0;) {
        const NestLoop &loop = plan.loops[loops[k]];
        Value index = position;
        if (k > 0) {
            Value count = size(builder, loop.size);
            index = arith::RemUIOp::create(builder, loc, position, count);
            position = arith::DivUIOp::create(builder, loc, position, count);
        }
        dims.bind(loop.iterators[0], index);
    }
}

//===-- Points

// pointer + this many elements, at the bound iterators.
Value KernelBuilder::offset(OpBuilder &builder, const NestAccess &access) {
    DimAttr sum = access.base;
    for (auto [step, loop] : llvm::zip_equal(access.steps, plan.loops))
        sum = np::dimAdd(sum, np::dimMul(step, loop.iterators[0]));
    return size(builder, sum);
}

KernelBuilder::Values KernelBuilder::at(OpBuilder &builder, ValueRange accumulators,
                                        const Reads &given) {
    NestPoint point;
    point.given = given;
    for (auto [k, read] : llvm::enumerate(plan.reads))
        point.offsets.push_back(given.contains(k) ? Value() : offset(builder, read));
    for (auto [k, write] : llvm::enumerate(plan.writes)) {
        bool stored = cast<StringAttr>(op.getCombine()[k]).getValue().empty();
        point.offsets.push_back(stored ? offset(builder, write) : Value());
    }
    if (!work.isArgReduction)
        return body.at(builder, point, accumulators);
    Values value = body.at(builder, point, {});
    value.push_back(size(builder, plan.loops[work.reduced[0]].iterators[0]));
    return combine(builder, accumulators, value);
}

void KernelBuilder::storeReductions(OpBuilder &builder, ValueRange values) {
    int64_t slot = 0;
    for (const NestBody::Reduction &r : body.reductions()) {
        Scalar value =
            work.isArgReduction ? Scalar{values.back(), Value()} : takeParts(r.type, values);
        if (r.yield < plan.writes.size()) {
            const NestAccess &write = plan.writes[r.yield];
            storeElement(builder, loc, value, pointers[write.pointer], offset(builder, write),
                         write.dtype);
            continue;
        }
        Values parts;
        appendParts(parts, value);
        for (Value part : parts)
            gpu::storeSlot(builder, loc, kernel.resultSlots, constant(builder, slot++), part);
    }
}

//===-- What is reduced

KernelBuilder::Values KernelBuilder::identities(OpBuilder &builder) {
    Values values = body.identities(builder);
    if (work.isArgReduction) // larger than every index
        values.push_back(constant(builder, std::numeric_limits<int64_t>::max()));
    return values;
}

// Equal to the extreme, or a NaN (then the extreme is one).
Value KernelBuilder::isExtreme(OpBuilder &builder, ValueRange value, ValueRange extreme) {
    const NestBody::Reduction &r = body.reductions()[0];
    Loop loop{{r.dtype, r.dtype}, DType::Bool};
    Scalar x = takeParts(r.type, value), y = takeParts(r.type, extreme);
    Value same = emitUfunc(builder, loc, *findUfunc("equal"), loop, {x, y}).re;
    Value isNan = emitUfunc(builder, loc, *findUfunc("not_equal"), loop, {x, x}).re;
    return arith::OrIOp::create(builder, loc, same, isNan);
}

KernelBuilder::Values KernelBuilder::combine(OpBuilder &builder, ValueRange left,
                                             ValueRange right) {
    Values values = body.combine(builder, left, right);
    if (!work.isArgReduction)
        return values;
    // The smaller index of those at which the extreme is.
    Value none = constant(builder, std::numeric_limits<int64_t>::max());
    auto indexOf = [&](ValueRange side) -> Value {
        Value hit = isExtreme(builder, side, values);
        return arith::SelectOp::create(builder, loc, hit, side.back(), none);
    };
    Value first = indexOf(left), second = indexOf(right);
    values.push_back(arith::MinSIOp::create(builder, loc, first, second));
    return values;
}

} // namespace shapecast
