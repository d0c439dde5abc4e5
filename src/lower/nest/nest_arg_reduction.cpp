// argmax and argmin, by blocks.
#include "lower/nest/nest_emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using runtime::pollGrain;
using Values = NestEmitter::Values;

// Elements of a block, whose extreme is found first and then its index: few, so that the search
// takes little of what loading rows takes, but several vectors.
static int64_t positionBlock(DType dtype) { return 1024 / std::min<int64_t>(itemSize(dtype), 4); }

// value == best, or the value is NaN (then so is best).
Value NestEmitter::equalBest(OpBuilder &builder, ValueRange value, ValueRange best) {
    const NestBody::Reduction &r = body.reductions()[0];
    Loop loop{{r.dtype, r.dtype}, DType::Bool};
    ValueRange parts = value, others = best;
    Scalar x = takeParts(r.type, parts), y = takeParts(r.type, others);
    Value hit = emitUfunc(builder, loc, *findUfunc("equal"), loop, {x, y}).re;
    if (!isFloat(r.dtype) && !isComplex(r.dtype))
        return hit;
    Value isNan = emitUfunc(builder, loc, *findUfunc("not_equal"), loop, {x, x}).re;
    return arith::OrIOp::create(builder, loc, hit, isNan);
}

// No later element can replace it: a NaN, or the absorbing value of bools.
Value NestEmitter::isAbsorbing(OpBuilder &builder, ValueRange best) {
    const NestBody::Reduction &r = body.reductions()[0];
    Value no = arith::ConstantIntOp::create(builder, loc, 0, 1);
    if (isBool(r.dtype))
        return arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::eq, best[0],
            arith::ConstantIntOp::create(builder, loc, r.combine == "maximum", 1));
    if (!isFloat(r.dtype) && !isComplex(r.dtype))
        return no;
    ValueRange parts = best;
    Scalar x = takeParts(r.type, parts);
    return emitUfunc(builder, loc, *findUfunc("not_equal"), Loop{{r.dtype, r.dtype}, DType::Bool},
                     {x, x})
        .re;
}

// The index of the first extreme in [from, to), vector by vector. The last vector may begin before
// `from`, where nothing is equal.
Value NestEmitter::vectorIndex(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                               ValueRange best, unsigned lanes) {
    unsigned last = plan.loops.size() - 1;
    Type i64 = builder.getI64Type();
    Value width = constant(builder, lanes), zero = constant(builder, 0);
    Value start = arith::SubIOp::create(builder, loc, to, width); // of the last vector
    auto loopOp = scf::WhileOp::create(builder, loc, TypeRange{i64, i64}, ValueRange{from});
    DimValues::Scope scope(env.dims);
    OpBuilder inside(builder.getContext());
    Block *before = inside.createBlock(&loopOp.getBefore(), {}, {i64}, {loc});
    Value at = arith::MinSIOp::create(inside, loc, before->getArgument(0), start);
    Value hits = body.hits(inside, step(inside, point, last, at), last, lanes, best[0]);
    Value none = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq, hits, zero);
    Value more = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, at, start);
    Value continues = arith::AndIOp::create(inside, loc, none, more);
    scf::ConditionOp::create(inside, loc, continues, ValueRange{at, hits});
    Block *after = inside.createBlock(&loopOp.getAfter(), {}, {i64, i64}, {loc, loc});
    Value next = arith::AddIOp::create(inside, loc, after->getArgument(0), width);
    scf::YieldOp::create(inside, loc, next);
    Value bit = math::CountTrailingZerosOp::create(builder, loc, loopOp.getResult(1));
    return arith::AddIOp::create(builder, loc, loopOp.getResult(0), bit);
}

// The same for fewer elements than a vector has, where there are no vectors, and for a NaN.
Value NestEmitter::scalarIndex(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                               ValueRange best) {
    unsigned last = plan.loops.size() - 1;
    Type narrow = builder.getI32Type(); // as wide as most elements: the search is vectorised
    const int64_t block = positionBlock(body.reductions()[0].dtype);
    Value none = arith::ConstantIntOp::create(builder, loc, block, 32);
    auto forOp = scf::ForOp::create(builder, loc, from, to, constant(builder, 1), none);
    DimValues::Scope scope(env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
    Value iv = forOp.getInductionVar();
    Values value = atPoint(inside, step(inside, point, last, iv), {});
    Value hit = equalBest(inside, value, best);
    Value distance = arith::SubIOp::create(inside, loc, iv, from);
    Value here = arith::TruncIOp::create(inside, loc, narrow, distance);
    Value found = arith::SelectOp::create(inside, loc, hit, here, none);
    Value first = arith::MinSIOp::create(inside, loc, forOp.getRegionIterArg(0), found);
    scf::YieldOp::create(inside, loc, first);
    Value wide = arith::ExtSIOp::create(builder, loc, builder.getI64Type(), forOp.getResult(0));
    return arith::AddIOp::create(builder, loc, from, wide);
}

Value NestEmitter::indexIn(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                           ValueRange best) {
    if (nonLinear || !body.canVectorise(builder))
        return scalarIndex(builder, point, from, to, best);
    unsigned lanes = extremeLanes(true) == 8 ? 8 : 64;
    Value rare = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, to,
                                       constant(builder, lanes));
    if (isFloat(body.reductions()[0].dtype))
        rare = arith::OrIOp::create(builder, loc, rare, isAbsorbing(builder, best));
    auto branch = scf::IfOp::create(builder, loc, TypeRange{builder.getI64Type()}, rare, true);
    OpBuilder few = branch.getThenBodyBuilder(), many = branch.getElseBodyBuilder();
    {
        DimValues::Scope scope(env.dims);
        scf::YieldOp::create(few, loc, scalarIndex(few, point, from, to, best));
    }
    DimValues::Scope scope(env.dims);
    scf::YieldOp::create(many, loc, vectorIndex(many, point, from, to, best, lanes));
    return branch.getResult(0);
}

// Skips groups of several vectors without the value; returns where the first group that has it
// begins, or where fewer elements than a group are left.
Value NestEmitter::skipVectors(OpBuilder &builder, const NestPoint &point, Value from, Value to,
                               Value best) {
    constexpr unsigned lanes = 256;
    Type i64 = builder.getI64Type();
    Value width = constant(builder, lanes);
    auto loopOp = scf::WhileOp::create(builder, loc, TypeRange{i64}, ValueRange{from});
    DimValues::Scope scope(env.dims);
    OpBuilder inside(builder.getContext());
    Block *before = inside.createBlock(&loopOp.getBefore(), {}, {i64}, {loc});
    Value at = before->getArgument(0);
    Value left = arith::SubIOp::create(inside, loc, to, at);
    Value fits = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::sge, left, width);
    auto branch = scf::IfOp::create(inside, loc, TypeRange{inside.getI1Type()}, fits, true);
    OpBuilder many = branch.getThenBodyBuilder(), few = branch.getElseBodyBuilder();
    {
        DimValues::Scope own(env.dims);
        Value hits = body.hits(many, step(many, point, plan.loops.size() - 1, at),
                               plan.loops.size() - 1, lanes, best);
        Value none = arith::ConstantOp::create(many, loc, many.getIntegerAttr(hits.getType(), 0));
        scf::YieldOp::create(
            many, loc,
            arith::CmpIOp::create(many, loc, arith::CmpIPredicate::eq, hits, none).getResult());
    }
    scf::YieldOp::create(few, loc, arith::ConstantIntOp::create(few, loc, 0, 1).getResult());
    scf::ConditionOp::create(inside, loc, branch.getResult(0), ValueRange{at});
    Block *after = inside.createBlock(&loopOp.getAfter(), {}, {i64}, {loc});
    scf::YieldOp::create(
        inside, loc, arith::AddIOp::create(inside, loc, after->getArgument(0), width).getResult());
    return loopOp.getResult(0);
}

// Of bools: the index of the first absorbing value, with early exit; 0 where there is none.
Value NestEmitter::firstAbsorbing(OpBuilder &builder, const NestPoint &point) {
    Value n = size(builder, plan.loops.size() - 1), none = constant(builder, -1);
    Value block = constant(builder, pollGrain), zero = constant(builder, 0);
    Value first = constant(builder, 256);
    const bool isMaximum = body.reductions()[0].combine == "maximum";
    const bool skips = llvm::all_of(
        plan.reads, [](const NestAccess &read) { return read.steps.back().isConst(1); });
    Value best = arith::ConstantIntOp::create(builder, loc, isMaximum, 1);
    SmallVector<Type> types(2, builder.getI64Type()); // next block, index found in the last one
    SmallVector<Location> locs(2, loc);
    auto loopOp = scf::WhileOp::create(builder, loc, types, ValueRange{zero, none});
    OpBuilder inside(builder.getContext());
    Block *before = inside.createBlock(&loopOp.getBefore(), {}, types, locs);
    Value more =
        arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, before->getArgument(0), n);
    Value open =
        arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, before->getArgument(1), zero);
    scf::ConditionOp::create(inside, loc, arith::AndIOp::create(inside, loc, more, open),
                             before->getArguments());
    Block *after = inside.createBlock(&loopOp.getAfter(), {}, types, locs);
    {
        DimValues::Scope scope(env.dims);
        Value from = after->getArgument(0);
        Value isLater = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::sgt, from, zero);
        Value count = arith::SelectOp::create(inside, loc, isLater, block, first);
        Value next = arith::AddIOp::create(inside, loc, from, count);
        Value to = arith::MinSIOp::create(inside, loc, next, n);
        Value begin = from;
        if (skips) { // not in the first block, where most searches end
            auto branch = scf::IfOp::create(inside, loc, TypeRange{from.getType()}, isLater, true);
            OpBuilder later = branch.getThenBodyBuilder(), soon = branch.getElseBodyBuilder();
            {
                DimValues::Scope own(env.dims);
                scf::YieldOp::create(later, loc, skipVectors(later, point, from, to, best));
            }
            scf::YieldOp::create(soon, loc, from);
            begin = branch.getResult(0);
        }
        Value at = indexIn(inside, point, begin, to, best);
        Value is = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, at, to);
        if (env.context)
            pollBetween(inside, from, arith::SelectOp::create(inside, loc, is, from, to));
        scf::YieldOp::create(
            inside, loc,
            ValueRange{next, arith::SelectOp::create(inside, loc, is, at, none).getResult()});
    }
    return arith::MaxSIOp::create(builder, loc, loopOp.getResult(1), zero);
}

namespace {

// The result of an argmin or argmax.
struct ArgResult {
    unsigned yield, reduction; // its number among the nest's, and its extreme's among reductions()
};

SmallVector<ArgResult, 2> argResultsOf(np::NestOp op, ArrayRef<NestBody::Reduction> reductions) {
    SmallVector<ArgResult, 2> results;
    for (auto [k, combine] : llvm::enumerate(op.getCombine().getAsValueRange<StringAttr>())) {
        StringRef extreme = combine; // argmax: max, a prefix of maximum
        if (!extreme.consume_front("arg"))
            continue;
        for (auto [n, r] : llvm::enumerate(reductions))
            if (r.combine.starts_with(extreme))
                results.push_back({unsigned(k), unsigned(n)});
    }
    return results;
}

} // namespace

// The extremes by blocks, and for each argmin or argmax the first block with its extreme; then the
// first index in that block. One pass over the memory without indices in it, and one over a block
// that is in the cache. Returns the nest's results in order.
Values NestEmitter::firstExtremes(OpBuilder &builder, const NestPoint &point) {
    const unsigned last = plan.loops.size() - 1;
    const ArrayRef<NestBody::Reduction> reductions = body.reductions();
    const SmallVector<ArgResult, 2> argResults = argResultsOf(op, reductions);
    const size_t parts = body.accumulatorTypes().size() / reductions.size(); // of each extreme
    auto extreme = [&](ValueRange all, unsigned k) { return all.slice(k * parts, parts); };
    Type i64 = builder.getI64Type();
    Value n = size(builder, last), block = constant(builder, positionBlock(reductions[0].dtype));
    SmallVector<Type> types(1 + argResults.size(), i64); // next block, blocks of the extremes
    llvm::append_range(types, body.accumulatorTypes());
    SmallVector<Location> locs(types.size(), loc);
    Values inits(1 + argResults.size(), constant(builder, 0));
    llvm::append_range(inits, body.identities(builder));
    body.canVectorise(builder); // emits its template outside the loop
    auto loopOp = scf::WhileOp::create(builder, loc, types, inits);
    OpBuilder inside(builder.getContext());
    Block *before = inside.createBlock(&loopOp.getBefore(), {}, types, locs);
    Value more =
        arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::slt, before->getArgument(0), n);
    auto extremesOf = [&](ValueRange state) { return state.drop_front(1 + argResults.size()); };
    // A NaN is the value of all extremes.
    Value done = isAbsorbing(inside, extreme(extremesOf(before->getArguments()), 0));
    Value continues = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::ugt, more, done);
    scf::ConditionOp::create(inside, loc, continues, before->getArguments());

    Block *after = inside.createBlock(&loopOp.getAfter(), {}, types, locs);
    {
        DimValues::Scope scope(env.dims);
        Value from = after->getArgument(0);
        ValueRange best = extremesOf(after->getArguments());
        Value left = arith::SubIOp::create(inside, loc, n, from);
        Value count = arith::MinSIOp::create(inside, loc, left, block);
        Values found = body.combine(inside, best, tree(inside, point, from, count));
        Values next{arith::AddIOp::create(inside, loc, from, block)}, kept = found;
        for (auto [k, argResult] : llvm::enumerate(argResults)) {
            ValueRange old = extreme(best, argResult.reduction),
                       fresh = extreme(found, argResult.reduction);
            Value same = equalBest(inside, old, fresh);
            next.push_back(
                arith::SelectOp::create(inside, loc, same, after->getArgument(1 + k), from));
            for (size_t part = 0; part < parts; ++part)
                kept[argResult.reduction * parts + part] =
                    arith::SelectOp::create(inside, loc, same, old[part], fresh[part]);
        }
        llvm::append_range(next, kept);
        if (env.context)
            pollBetween(inside, from, next[0]);
        scf::YieldOp::create(inside, loc, next);
    }
    ValueRange best = extremesOf(loopOp.getResults());
    Values given(op.getCombine().size());
    for (auto [k, argResult] : llvm::enumerate(argResults)) {
        Value from = loopOp.getResult(1 + k);
        Value to = arith::MinSIOp::create(
            builder, loc, arith::AddIOp::create(builder, loc, from, block).getResult(), n);
        given[argResult.yield] =
            indexIn(builder, point, from, to, extreme(best, argResult.reduction));
    }
    for (auto [k, combine] : llvm::enumerate(op.getCombine().getAsValueRange<StringAttr>()))
        for (auto [number, r] : llvm::enumerate(reductions))
            if (combine == r.combine) // a real number, of one part
                given[k] = best[number];
    return given;
}

void NestEmitter::argReduction(OpBuilder &builder, const NestPoint &point) {
    const bool isBoolean =
        isBool(body.reductions()[0].dtype) && !nonLinear && body.canVectorise(builder);
    const Values given =
        isBoolean ? Values{firstAbsorbing(builder, point)} : firstExtremes(builder, point);
    NestPoint exact = point;
    if (nonLinear)
        finish(builder, exact);
    for (auto [k, value] : llvm::enumerate(given)) {
        if (k >= plan.writes.size()) {
            results.push_back(value);
            continue;
        }
        storeElement(builder, loc, {value, Value()}, env.pointers[plan.writes[k].pointer],
                     exact.offsets[plan.reads.size() + k], plan.writes[k].dtype);
    }
}

} // namespace shapecast
