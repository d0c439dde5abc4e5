#include "lower/nest/nest_arg_reduction.h"

#include "lower/nest/nest_polls.h"
#include "lower/nest/nest_tree.h"
#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using runtime::pollGrain;

// Elements of a block, whose extreme is found first and then its index: few, so that the search
// takes little of what loading rows takes, but several vectors.
static int64_t positionBlock(DType dtype) { return 1024 / std::min<int64_t>(itemSize(dtype), 4); }

// value == best, or the value is NaN (then so is best).
static Value equalBest(NestEmitter &nest, OpBuilder &builder, ValueRange value, ValueRange best) {
    const NestBody::Reduction &r = nest.body.reductions()[0];
    Loop loop{{r.dtype, r.dtype}, DType::Bool};
    ValueRange parts = value, others = best;
    Scalar x = takeParts(r.type, parts), y = takeParts(r.type, others);
    Value hit = emitUfunc(builder, nest.loc, *findUfunc("equal"), loop, {x, y}).re;
    if (!isFloat(r.dtype) && !isComplex(r.dtype))
        return hit;
    Value isNan = emitUfunc(builder, nest.loc, *findUfunc("not_equal"), loop, {x, x}).re;
    return arith::OrIOp::create(builder, nest.loc, hit, isNan);
}

// No later element can replace it: a NaN, or the absorbing value of bools.
static Value isAbsorbing(NestEmitter &nest, OpBuilder &builder, ValueRange best) {
    const NestBody::Reduction &r = nest.body.reductions()[0];
    Value no = arith::ConstantIntOp::create(builder, nest.loc, 0, 1);
    if (isBool(r.dtype))
        return arith::CmpIOp::create(
            builder, nest.loc, arith::CmpIPredicate::eq, best[0],
            arith::ConstantIntOp::create(builder, nest.loc, r.combine == "maximum", 1));
    if (!isFloat(r.dtype) && !isComplex(r.dtype))
        return no;
    ValueRange parts = best;
    Scalar x = takeParts(r.type, parts);
    return emitUfunc(builder, nest.loc, *findUfunc("not_equal"),
                     Loop{{r.dtype, r.dtype}, DType::Bool}, {x, x})
        .re;
}

// The index of the first extreme in [from, to), vector by vector. The last vector may begin before
// `from`, where nothing is equal.
static Value vectorIndex(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                         Value to, ValueRange best, unsigned lanes) {
    unsigned last = nest.plan.loops.size() - 1;
    Type i64 = builder.getI64Type();
    Value width = nest.constant(builder, lanes), zero = nest.constant(builder, 0);
    Value start = arith::SubIOp::create(builder, nest.loc, to, width); // of the last vector
    auto loopOp = scf::WhileOp::create(builder, nest.loc, TypeRange{i64, i64}, ValueRange{from});
    DimValues::Scope scope(nest.env.dims);
    OpBuilder inside(builder.getContext());
    Block *before = inside.createBlock(&loopOp.getBefore(), {}, {i64}, {nest.loc});
    Value at = arith::MinSIOp::create(inside, nest.loc, before->getArgument(0), start);
    Value hits = nest.body.hits(inside, nest.step(inside, point, last, at), last, lanes, best[0]);
    Value none = arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::eq, hits, zero);
    Value more = arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::slt, at, start);
    Value continues = arith::AndIOp::create(inside, nest.loc, none, more);
    scf::ConditionOp::create(inside, nest.loc, continues, ValueRange{at, hits});
    Block *after = inside.createBlock(&loopOp.getAfter(), {}, {i64, i64}, {nest.loc, nest.loc});
    Value next = arith::AddIOp::create(inside, nest.loc, after->getArgument(0), width);
    scf::YieldOp::create(inside, nest.loc, next);
    Value bit = math::CountTrailingZerosOp::create(builder, nest.loc, loopOp.getResult(1));
    return arith::AddIOp::create(builder, nest.loc, loopOp.getResult(0), bit);
}

// The same for fewer elements than a vector has, where there are no vectors, and for a NaN.
static Value scalarIndex(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                         Value to, ValueRange best) {
    unsigned last = nest.plan.loops.size() - 1;
    Type narrow = builder.getI32Type(); // as wide as most elements: the search is vectorised
    const int64_t block = positionBlock(nest.body.reductions()[0].dtype);
    Value none = arith::ConstantIntOp::create(builder, nest.loc, block, 32);
    auto forOp = scf::ForOp::create(builder, nest.loc, from, to, nest.constant(builder, 1), none);
    DimValues::Scope scope(nest.env.dims);
    OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
    Value iv = forOp.getInductionVar();
    Values value = nest.atPoint(inside, nest.step(inside, point, last, iv), {});
    Value hit = equalBest(nest, inside, value, best);
    Value distance = arith::SubIOp::create(inside, nest.loc, iv, from);
    Value here = arith::TruncIOp::create(inside, nest.loc, narrow, distance);
    Value found = arith::SelectOp::create(inside, nest.loc, hit, here, none);
    Value first = arith::MinSIOp::create(inside, nest.loc, forOp.getRegionIterArg(0), found);
    scf::YieldOp::create(inside, nest.loc, first);
    Value wide =
        arith::ExtSIOp::create(builder, nest.loc, builder.getI64Type(), forOp.getResult(0));
    return arith::AddIOp::create(builder, nest.loc, from, wide);
}

static Value indexIn(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                     Value to, ValueRange best) {
    if (nest.nonLinear || !nest.body.canVectorise(builder))
        return scalarIndex(nest, builder, point, from, to, best);
    unsigned lanes = extremeLanes(nest, true) == 8 ? 8 : 64;
    Value rare = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::slt, to,
                                       nest.constant(builder, lanes));
    if (isFloat(nest.body.reductions()[0].dtype))
        rare = arith::OrIOp::create(builder, nest.loc, rare, isAbsorbing(nest, builder, best));
    auto branch = scf::IfOp::create(builder, nest.loc, TypeRange{builder.getI64Type()}, rare, true);
    OpBuilder few = branch.getThenBodyBuilder(), many = branch.getElseBodyBuilder();
    {
        DimValues::Scope scope(nest.env.dims);
        scf::YieldOp::create(few, nest.loc, scalarIndex(nest, few, point, from, to, best));
    }
    DimValues::Scope scope(nest.env.dims);
    scf::YieldOp::create(many, nest.loc, vectorIndex(nest, many, point, from, to, best, lanes));
    return branch.getResult(0);
}

// Skips groups of several vectors without the value; returns where the first group that has it
// begins, or where fewer elements than a group are left.
static Value skipVectors(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                         Value to, Value best) {
    constexpr unsigned lanes = 256;
    Type i64 = builder.getI64Type();
    Value width = nest.constant(builder, lanes);
    auto loopOp = scf::WhileOp::create(builder, nest.loc, TypeRange{i64}, ValueRange{from});
    DimValues::Scope scope(nest.env.dims);
    OpBuilder inside(builder.getContext());
    Block *before = inside.createBlock(&loopOp.getBefore(), {}, {i64}, {nest.loc});
    Value at = before->getArgument(0);
    Value left = arith::SubIOp::create(inside, nest.loc, to, at);
    Value fits = arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::sge, left, width);
    auto branch = scf::IfOp::create(inside, nest.loc, TypeRange{inside.getI1Type()}, fits, true);
    OpBuilder many = branch.getThenBodyBuilder(), few = branch.getElseBodyBuilder();
    {
        DimValues::Scope own(nest.env.dims);
        Value hits = nest.body.hits(many, nest.step(many, point, nest.plan.loops.size() - 1, at),
                                    nest.plan.loops.size() - 1, lanes, best);
        Value none =
            arith::ConstantOp::create(many, nest.loc, many.getIntegerAttr(hits.getType(), 0));
        scf::YieldOp::create(
            many, nest.loc,
            arith::CmpIOp::create(many, nest.loc, arith::CmpIPredicate::eq, hits, none)
                .getResult());
    }
    scf::YieldOp::create(few, nest.loc,
                         arith::ConstantIntOp::create(few, nest.loc, 0, 1).getResult());
    scf::ConditionOp::create(inside, nest.loc, branch.getResult(0), ValueRange{at});
    Block *after = inside.createBlock(&loopOp.getAfter(), {}, {i64}, {nest.loc});
    scf::YieldOp::create(
        inside, nest.loc,
        arith::AddIOp::create(inside, nest.loc, after->getArgument(0), width).getResult());
    return loopOp.getResult(0);
}

// Of bools: the index of the first absorbing value, with early exit; 0 where there is none.
static Value firstAbsorbing(NestEmitter &nest, OpBuilder &builder, const NestPoint &point) {
    Value n = nest.size(builder, nest.plan.loops.size() - 1), none = nest.constant(builder, -1);
    Value block = nest.constant(builder, pollGrain), zero = nest.constant(builder, 0);
    Value first = nest.constant(builder, 256);
    const bool isMaximum = nest.body.reductions()[0].combine == "maximum";
    const bool skips = llvm::all_of(
        nest.plan.reads, [](const NestAccess &read) { return read.steps.back().isConst(1); });
    Value best = arith::ConstantIntOp::create(builder, nest.loc, isMaximum, 1);
    SmallVector<Type> types(2, builder.getI64Type()); // next block, index found in the last one
    SmallVector<Location> locs(2, nest.loc);
    auto loopOp = scf::WhileOp::create(builder, nest.loc, types, ValueRange{zero, none});
    OpBuilder inside(builder.getContext());
    Block *before = inside.createBlock(&loopOp.getBefore(), {}, types, locs);
    Value more = arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::slt,
                                       before->getArgument(0), n);
    Value open = arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::slt,
                                       before->getArgument(1), zero);
    scf::ConditionOp::create(inside, nest.loc, arith::AndIOp::create(inside, nest.loc, more, open),
                             before->getArguments());
    Block *after = inside.createBlock(&loopOp.getAfter(), {}, types, locs);
    {
        DimValues::Scope scope(nest.env.dims);
        Value from = after->getArgument(0);
        Value isLater =
            arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::sgt, from, zero);
        Value count = arith::SelectOp::create(inside, nest.loc, isLater, block, first);
        Value next = arith::AddIOp::create(inside, nest.loc, from, count);
        Value to = arith::MinSIOp::create(inside, nest.loc, next, n);
        Value begin = from;
        if (skips) { // not in the first block, where most searches end
            auto branch =
                scf::IfOp::create(inside, nest.loc, TypeRange{from.getType()}, isLater, true);
            OpBuilder later = branch.getThenBodyBuilder(), soon = branch.getElseBodyBuilder();
            {
                DimValues::Scope own(nest.env.dims);
                scf::YieldOp::create(later, nest.loc,
                                     skipVectors(nest, later, point, from, to, best));
            }
            scf::YieldOp::create(soon, nest.loc, from);
            begin = branch.getResult(0);
        }
        Value at = indexIn(nest, inside, point, begin, to, best);
        Value is = arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::slt, at, to);
        if (nest.env.context)
            pollBetween(nest, inside, from,
                        arith::SelectOp::create(inside, nest.loc, is, from, to));
        scf::YieldOp::create(
            inside, nest.loc,
            ValueRange{next, arith::SelectOp::create(inside, nest.loc, is, at, none).getResult()});
    }
    return arith::MaxSIOp::create(builder, nest.loc, loopOp.getResult(1), zero);
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
static Values firstExtremes(NestEmitter &nest, OpBuilder &builder, const NestPoint &point) {
    const unsigned last = nest.plan.loops.size() - 1;
    const ArrayRef<NestBody::Reduction> reductions = nest.body.reductions();
    const SmallVector<ArgResult, 2> argResults = argResultsOf(nest.op, reductions);
    const size_t parts = nest.body.accumulatorTypes().size() / reductions.size(); // of each extreme
    auto extreme = [&](ValueRange all, unsigned k) { return all.slice(k * parts, parts); };
    Type i64 = builder.getI64Type();
    Value n = nest.size(builder, last),
          block = nest.constant(builder, positionBlock(reductions[0].dtype));
    SmallVector<Type> types(1 + argResults.size(), i64); // next block, blocks of the extremes
    llvm::append_range(types, nest.body.accumulatorTypes());
    SmallVector<Location> locs(types.size(), nest.loc);
    Values inits(1 + argResults.size(), nest.constant(builder, 0));
    llvm::append_range(inits, nest.body.identities(builder));
    nest.body.canVectorise(builder); // emits its template outside the loop
    auto loopOp = scf::WhileOp::create(builder, nest.loc, types, inits);
    OpBuilder inside(builder.getContext());
    Block *before = inside.createBlock(&loopOp.getBefore(), {}, types, locs);
    Value more = arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::slt,
                                       before->getArgument(0), n);
    auto extremesOf = [&](ValueRange state) { return state.drop_front(1 + argResults.size()); };
    // A NaN is the value of all extremes.
    Value done = isAbsorbing(nest, inside, extreme(extremesOf(before->getArguments()), 0));
    Value continues =
        arith::CmpIOp::create(inside, nest.loc, arith::CmpIPredicate::ugt, more, done);
    scf::ConditionOp::create(inside, nest.loc, continues, before->getArguments());

    Block *after = inside.createBlock(&loopOp.getAfter(), {}, types, locs);
    {
        DimValues::Scope scope(nest.env.dims);
        Value from = after->getArgument(0);
        ValueRange best = extremesOf(after->getArguments());
        Value left = arith::SubIOp::create(inside, nest.loc, n, from);
        Value count = arith::MinSIOp::create(inside, nest.loc, left, block);
        Values found = nest.body.combine(inside, best, emitTree(nest, inside, point, from, count));
        Values next{arith::AddIOp::create(inside, nest.loc, from, block)}, kept = found;
        for (auto [k, argResult] : llvm::enumerate(argResults)) {
            ValueRange old = extreme(best, argResult.reduction),
                       fresh = extreme(found, argResult.reduction);
            Value same = equalBest(nest, inside, old, fresh);
            next.push_back(
                arith::SelectOp::create(inside, nest.loc, same, after->getArgument(1 + k), from));
            for (size_t part = 0; part < parts; ++part)
                kept[argResult.reduction * parts + part] =
                    arith::SelectOp::create(inside, nest.loc, same, old[part], fresh[part]);
        }
        llvm::append_range(next, kept);
        if (nest.env.context)
            pollBetween(nest, inside, from, next[0]);
        scf::YieldOp::create(inside, nest.loc, next);
    }
    ValueRange best = extremesOf(loopOp.getResults());
    Values given(nest.op.getCombine().size());
    for (auto [k, argResult] : llvm::enumerate(argResults)) {
        Value from = loopOp.getResult(1 + k);
        Value to = arith::MinSIOp::create(
            builder, nest.loc, arith::AddIOp::create(builder, nest.loc, from, block).getResult(),
            n);
        given[argResult.yield] =
            indexIn(nest, builder, point, from, to, extreme(best, argResult.reduction));
    }
    for (auto [k, combine] : llvm::enumerate(nest.op.getCombine().getAsValueRange<StringAttr>()))
        for (auto [number, r] : llvm::enumerate(reductions))
            if (combine == r.combine) // a real number, of one part
                given[k] = best[number];
    return given;
}

void emitArgReduction(NestEmitter &nest, OpBuilder &builder, const NestPoint &point) {
    const bool isBoolean = isBool(nest.body.reductions()[0].dtype) && !nest.nonLinear &&
                           nest.body.canVectorise(builder);
    const Values given = isBoolean ? Values{firstAbsorbing(nest, builder, point)}
                                   : firstExtremes(nest, builder, point);
    NestPoint exact = point;
    if (nest.nonLinear)
        nest.finish(builder, exact);
    for (auto [k, value] : llvm::enumerate(given)) {
        if (k >= nest.plan.writes.size()) {
            nest.results.push_back(value);
            continue;
        }
        storeElement(builder, nest.loc, {value, Value()},
                     nest.env.pointers[nest.plan.writes[k].pointer],
                     exact.offsets[nest.plan.reads.size() + k], nest.plan.writes[k].dtype);
    }
}

} // namespace shapecast
