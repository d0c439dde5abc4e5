// Rows of a stencil several at a time: what neighbouring rows read in common is loaded once, and
// what they compute of it is computed once.
#include "lower/nest_emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

constexpr int64_t together = 4;  // rows
constexpr int64_t mostCost = 32; // of the body, which is there so many times

// What one read finds in one row, by the offset that rows read in common have in common.
struct RowRead {
    unsigned read;
    int64_t row;
};

bool isSame(const NestPlan &plan, RowRead a, RowRead b) {
    const NestAccess &first = plan.reads[a.read], &second = plan.reads[b.read];
    if (first.pointer != second.pointer || first.steps != second.steps)
        return false;
    DimAttr rowStep = first.steps[plan.loops.size() - 2];
    DimAttr moved = np::dimMul(np::dimConst(rowStep.getContext(), b.row - a.row), rowStep);
    return np::dimSub(np::dimSub(first.base, second.base), moved).isConst(0);
}

// Per row and read, which of the loads it is; the loads.
struct SharedReads {
    SmallVector<RowRead> loads;
    SmallVector<unsigned> which;
};

SharedReads sharedReads(const NestPlan &plan) {
    SharedReads shared;
    for (int64_t row = 0; row < together; ++row)
        for (unsigned k = 0; k < plan.reads.size(); ++k) {
            auto found = llvm::find_if(shared.loads,
                                       [&](RowRead load) { return isSame(plan, load, {k, row}); });
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

bool NestEmitter::sharesRows() {
    if (plan.loops.size() < 2 || plan.form != NestForm::Plain || nonLinear || plan.small ||
        !place.context || plan.parallel != plan.loops.size() || plan.writes.empty() ||
        plan.reads.empty() || !isInAnyOrder())
        return false;
    int64_t cost = 0;
    for (Operation &inner : op.getBody().front()) {
        if (isa<np::IndexOp>(inner))
            return false;
        cost += costOf(inner);
    }
    auto isRun = [](const NestAccess &a) {
        return a.anywhere.empty() && a.steps.back().isConst(1);
    };
    return cost <= mostCost && llvm::all_of(plan.reads, isRun) &&
           llvm::all_of(plan.writes, isRun) &&
           5 * sharedReads(plan).loads.size() <= 3 * together * plan.reads.size();
}

// One vector of each of the rows at this point.
void NestEmitter::vectorOfRows(OpBuilder &builder, const NestPoint &point) {
    const unsigned lanes = unsigned(lanesOf(plan)), rows = plan.loops.size() - 2;
    const SharedReads shared = sharedReads(plan);
    SmallVector<NestPoint> points;
    for (int64_t row = 0; row < together; ++row)
        points.push_back(step(builder, point, rows, constant(builder, row)));
    Values loaded;
    for (RowRead load : shared.loads) {
        const NestAccess &read = plan.reads[load.read];
        Value address = elementAddress(builder, loc, place.pointers[read.pointer],
                                       points[load.row].offsets[load.read], read.dtype);
        loaded.push_back(loadVector(builder, loc, address, read.dtype, lanes));
    }
    ArrayRef<unsigned> which = shared.which;
    for (const NestPoint &at : points) {
        Values reads = llvm::map_to_vector(which.take_front(plan.reads.size()),
                                           [&](unsigned load) { return loaded[load]; });
        which = which.drop_front(plan.reads.size());
        body.storeNeighbours(builder, at, body.valuesOfLanes(builder, lanes, reads));
    }
}

// As many of the rows [from, to) as fill turns; returns where the others begin. The last vectors
// of a row overlap those before.
Value NestEmitter::rowsTogether(OpBuilder &builder, const NestPoint &point, Value from, Value to) {
    const unsigned last = plan.loops.size() - 1, level = last - 1;
    Value lanes = constant(builder, lanesOf(plan)), few = constant(builder, together);
    Value left = first(builder, last), right = end(builder, last);
    Value columns = arith::SubIOp::create(builder, loc, right, left);
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, columns, lanes);
    if (isLong) { // such rows go past the caches
        Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
        is = arith::AndIOp::create(builder, loc, is,
                                   arith::XOrIOp::create(builder, loc, isLong, yes));
    }
    Value turns =
        arith::DivUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, to, from), few);
    turns = arith::SelectOp::create(builder, loc, is, turns, constant(builder, 0));
    Value lastVector = arith::SubIOp::create(builder, loc, right, lanes);
    auto forOp =
        scf::ForOp::create(builder, loc, constant(builder, 0), turns, constant(builder, 1));
    {
        DimValues::Scope scope(place.dims);
        OpBuilder inside = OpBuilder::atBlockBegin(forOp.getBody());
        Value turn = forOp.getInductionVar();
        Value row =
            arith::AddIOp::create(inside, loc, from, arith::MulIOp::create(inside, loc, turn, few));
        const NestPoint atRow = step(inside, point, level, row);
        auto vectors = scf::ForOp::create(inside, loc, left, right, lanes);
        DimValues::Scope inner(place.dims);
        OpBuilder deep = OpBuilder::atBlockBegin(vectors.getBody());
        Value column = arith::MinSIOp::create(deep, loc, vectors.getInductionVar(), lastVector);
        vectorOfRows(deep, step(deep, atRow, last, column));
        Value low = arith::AndIOp::create(inside, loc, turn, pollMasks[level]);
        pollWhen(inside, arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq, low,
                                               pollMasks[level]));
    }
    return arith::AddIOp::create(builder, loc, from,
                                 arith::MulIOp::create(builder, loc, turns, few));
}

} // namespace shapecast
