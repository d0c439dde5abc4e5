#include "lower/nest/nest_jam.h"

#include "lower/nest/nest_copies.h"

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

bool mayJamRows(NestEmitter &nest) {
    if (nest.plan.loops.size() < 2 || nest.plan.form != NestForm::Plain || nest.nonLinear ||
        nest.plan.small || !nest.env.context || nest.plan.parallel != nest.plan.loops.size() ||
        nest.plan.writes.empty() || nest.plan.reads.empty() || !isInAnyOrder(nest))
        return false;
    int64_t cost = 0;
    for (Operation &inner : nest.op.getBody().front()) {
        if (isa<np::IndexOp>(inner))
            return false;
        cost += costOf(inner);
    }
    auto isContiguous = [](const NestAccess &a) {
        return a.gatherAxes.empty() && a.steps.back().isConst(1);
    };
    return cost <= maxCost && llvm::all_of(nest.plan.reads, isContiguous) &&
           llvm::all_of(nest.plan.writes, isContiguous) &&
           5 * sharedReads(nest.plan).loads.size() <= 3 * jamFactor * nest.plan.reads.size();
}

// One vector of each of the rows at this point.
static void vectorOfJammedRows(NestEmitter &nest, OpBuilder &builder, const NestPoint &point) {
    const unsigned lanes = unsigned(lanesOf(nest.plan)), rows = nest.plan.loops.size() - 2;
    const SharedReads shared = sharedReads(nest.plan);
    SmallVector<NestPoint> points;
    for (int64_t row = 0; row < jamFactor; ++row)
        points.push_back(nest.step(builder, point, rows, nest.constant(builder, row)));
    Values loaded;
    for (RowRead load : shared.loads) {
        const NestAccess &read = nest.plan.reads[load.read];
        Value address = elementAddress(builder, nest.loc, nest.env.pointers[read.pointer],
                                       points[load.row].offsets[load.read], read.dtype);
        loaded.push_back(loadVector(builder, nest.loc, address, read.dtype, lanes));
    }
    ArrayRef<unsigned> which = shared.which;
    for (const NestPoint &at : points) {
        Values reads = llvm::map_to_vector(which.take_front(nest.plan.reads.size()),
                                           [&](unsigned load) { return loaded[load]; });
        which = which.drop_front(nest.plan.reads.size());
        nest.body.storeVectors(builder, at, nest.body.valuesOfLanes(builder, lanes, reads));
    }
}

// Unroll-and-jam of the rows [from, to) by jamFactor; returns where the remainder begins. The last
// vector of a row overlaps the one before.
Value jamRows(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from, Value to) {
    const unsigned last = nest.plan.loops.size() - 1, level = last - 1;
    Value lanes = nest.constant(builder, lanesOf(nest.plan)),
          factor = nest.constant(builder, jamFactor);
    Value left = nest.first(builder, last), right = nest.end(builder, last);
    Value columns = arith::SubIOp::create(builder, nest.loc, right, left);
    Value is = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::sge, columns, lanes);
    if (nest.isNonTemporal) { // non-temporal rows are not jammed
        Value yes = arith::ConstantIntOp::create(builder, nest.loc, 1, 1);
        is = arith::AndIOp::create(
            builder, nest.loc, is,
            arith::XOrIOp::create(builder, nest.loc, nest.isNonTemporal, yes));
    }
    Value groups = arith::DivUIOp::create(
        builder, nest.loc, arith::SubIOp::create(builder, nest.loc, to, from), factor);
    groups = arith::SelectOp::create(builder, nest.loc, is, groups, nest.constant(builder, 0));
    Value lastVector = arith::SubIOp::create(builder, nest.loc, right, lanes);
    auto forOp = scf::ForOp::create(builder, nest.loc, nest.constant(builder, 0), groups,
                                    nest.constant(builder, 1));
    {
        DimValues::Scope scope(nest.env.dims);
        OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
        Value group = forOp.getInductionVar();
        Value row = arith::AddIOp::create(inside, nest.loc, from,
                                          arith::MulIOp::create(inside, nest.loc, group, factor));
        const NestPoint atRow = nest.step(inside, point, level, row);
        auto vectors = scf::ForOp::create(inside, nest.loc, left, right, lanes);
        DimValues::Scope inner(nest.env.dims);
        OpBuilder deep = OpBuilder::atBlockBegin(vectors.getBody());
        Value column =
            arith::MinSIOp::create(deep, nest.loc, vectors.getInductionVar(), lastVector);
        vectorOfJammedRows(nest, deep, nest.step(deep, atRow, last, column));
        nest.pollInLoop(inside, level, group);
    }
    return arith::AddIOp::create(builder, nest.loc, from,
                                 arith::MulIOp::create(builder, nest.loc, groups, factor));
}

} // namespace shapecast
