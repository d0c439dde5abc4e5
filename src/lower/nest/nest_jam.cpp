// Unroll-and-jam of a stencil's row loop: what neighbouring rows read in common is loaded once, and
// what they compute of it is computed once.
#include "lower/nest/nest_emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

constexpr int64_t jamFactor = 4; // rows
constexpr int64_t maxCost = 32;  // of the body, which is emitted jamFactor times

// A read of the body in one of the jammed rows.
struct RowRead {
    unsigned read;
    int64_t row;
};

bool isSameLoad(const NestPlan &plan, RowRead a, RowRead b) {
    const NestAccess &first = plan.reads[a.read], &second = plan.reads[b.read];
    if (first.pointer != second.pointer || first.steps != second.steps)
        return false;
    DimAttr rowStep = first.steps[plan.loops.size() - 2];
    DimAttr moved = np::dimMul(np::dimConst(rowStep.getContext(), b.row - a.row), rowStep);
    return np::dimSub(np::dimSub(first.base, second.base), moved).isConst(0);
}

// The distinct loads; per row and read, the number of its load.
struct SharedReads {
    SmallVector<RowRead> loads;
    SmallVector<unsigned> which;
};

SharedReads sharedReads(const NestPlan &plan) {
    SharedReads shared;
    for (int64_t row = 0; row < jamFactor; ++row)
        for (unsigned k = 0; k < plan.reads.size(); ++k) {
            auto found = llvm::find_if(
                shared.loads, [&](RowRead load) { return isSameLoad(plan, load, {k, row}); });
            shared.which.push_back(unsigned(found - shared.loads.begin()));
            if (found == shared.loads.end())
                shared.loads.push_back({k, row});
        }
    return shared;
}

// A vector of the widest operand is a register of AVX-512, or two.
int64_t lanesOf(const NestPlan &plan) {
    size_t widest = 1;
    for (const auto *list : {&plan.reads, &plan.writes})
        for (const NestAccess &access : *list)
            widest = std::max(widest, itemSize(access.dtype));
    return 64 / int64_t(widest);
}

} // namespace

bool NestEmitter::mayJamRows() {
    if (plan.loops.size() < 2 || plan.form != NestForm::Plain || nonLinear || plan.small ||
        !env.context || plan.parallel != plan.loops.size() || plan.writes.empty() ||
        plan.reads.empty() || !isInAnyOrder())
        return false;
    int64_t cost = 0;
    for (Operation &inner : op.getBody().front()) {
        if (isa<np::IndexOp>(inner))
            return false;
        cost += costOf(inner);
    }
    auto isContiguous = [](const NestAccess &a) {
        return a.gatherAxes.empty() && a.steps.back().isConst(1);
    };
    return cost <= maxCost && llvm::all_of(plan.reads, isContiguous) &&
           llvm::all_of(plan.writes, isContiguous) &&
           5 * sharedReads(plan).loads.size() <= 3 * jamFactor * plan.reads.size();
}

// One vector of each of the rows at this point.
void NestEmitter::vectorOfJammedRows(OpBuilder &builder, const NestPoint &point) {
    const unsigned lanes = unsigned(lanesOf(plan)), rows = plan.loops.size() - 2;
    const SharedReads shared = sharedReads(plan);
    SmallVector<NestPoint> points;
    for (int64_t row = 0; row < jamFactor; ++row)
        points.push_back(step(builder, point, rows, constant(builder, row)));
    Values loaded;
    for (RowRead load : shared.loads) {
        const NestAccess &read = plan.reads[load.read];
        Value address = elementAddress(builder, loc, env.pointers[read.pointer],
                                       points[load.row].offsets[load.read], read.dtype);
        loaded.push_back(loadVector(builder, loc, address, read.dtype, lanes));
    }
    ArrayRef<unsigned> which = shared.which;
    for (const NestPoint &at : points) {
        Values reads = llvm::map_to_vector(which.take_front(plan.reads.size()),
                                           [&](unsigned load) { return loaded[load]; });
        which = which.drop_front(plan.reads.size());
        body.storeVectors(builder, at, body.valuesOfLanes(builder, lanes, reads));
    }
}

// Unroll-and-jam of the rows [from, to) by jamFactor; returns where the remainder begins. The last
// vector of a row overlaps the one before.
Value NestEmitter::jamRows(OpBuilder &builder, const NestPoint &point, Value from, Value to) {
    const unsigned last = plan.loops.size() - 1, level = last - 1;
    Value lanes = constant(builder, lanesOf(plan)), factor = constant(builder, jamFactor);
    Value left = first(builder, last), right = end(builder, last);
    Value columns = arith::SubIOp::create(builder, loc, right, left);
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, columns, lanes);
    if (isNonTemporal) { // non-temporal rows are not jammed
        Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
        is = arith::AndIOp::create(builder, loc, is,
                                   arith::XOrIOp::create(builder, loc, isNonTemporal, yes));
    }
    Value groups =
        arith::DivUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, to, from), factor);
    groups = arith::SelectOp::create(builder, loc, is, groups, constant(builder, 0));
    Value lastVector = arith::SubIOp::create(builder, loc, right, lanes);
    auto forOp =
        scf::ForOp::create(builder, loc, constant(builder, 0), groups, constant(builder, 1));
    {
        DimValues::Scope scope(env.dims);
        OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
        Value group = forOp.getInductionVar();
        Value row = arith::AddIOp::create(inside, loc, from,
                                          arith::MulIOp::create(inside, loc, group, factor));
        const NestPoint atRow = step(inside, point, level, row);
        auto vectors = scf::ForOp::create(inside, loc, left, right, lanes);
        DimValues::Scope inner(env.dims);
        OpBuilder deep = OpBuilder::atBlockBegin(vectors.getBody());
        Value column = arith::MinSIOp::create(deep, loc, vectors.getInductionVar(), lastVector);
        vectorOfJammedRows(deep, step(deep, atRow, last, column));
        Value low = arith::AndIOp::create(inside, loc, group, pollMasks[level]);
        pollWhen(inside, arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq, low,
                                               pollMasks[level]));
    }
    return arith::AddIOp::create(builder, loc, from,
                                 arith::MulIOp::create(builder, loc, groups, factor));
}

} // namespace shapecast
