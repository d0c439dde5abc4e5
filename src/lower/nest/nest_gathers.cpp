#include "lower/nest/nest_gathers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

constexpr int64_t indexBlock = 1024; // indices that are checked before their elements are loaded

static Values gatherBlock(NestEmitter &nest, OpBuilder &inside, const NestPoint &point, Value begin,
                          Value end, ValueRange carried) {
    const unsigned level = nest.plan.loops.size() - 1;
    Value no = arith::ConstantIntOp::create(inside, nest.loc, 0, 1);
    Values isOutside = nest.loop(inside, level, point, begin, end, no,
                                 [&](OpBuilder &b, const NestPoint &at, ValueRange found) {
                                     return Values{arith::OrIOp::create(
                                         b, nest.loc, found[0], nest.body.isOutOfBounds(b, at))};
                                 });
    auto branch = scf::IfOp::create(inside, nest.loc, carried.getTypes(), isOutside[0], true);
    for (bool isInside : {false, true}) {
        OpBuilder b = isInside ? branch.getElseBodyBuilder() : branch.getThenBodyBuilder();
        DimValues::Scope own(nest.env.dims);
        nest.body.indexMode = isInside ? NestBody::IndexMode::InBounds : NestBody::IndexMode::Wrap;
        scf::YieldOp::create(
            b, nest.loc,
            nest.loop(b, level, point, begin, end, carried,
                      [&](OpBuilder &deep, const NestPoint &at, ValueRange values) {
                          return nest.atPoint(deep, at, values);
                      }));
    }
    nest.body.indexMode = NestBody::IndexMode::Wrap;
    return Values(branch.getResults());
}

// The last loop in blocks: a block's gather indices are checked first, and where all are in
// [0, size), its loop has no checks, and so more loads in flight.
Values gatherInBlocks(NestEmitter &nest, OpBuilder &builder, const NestPoint &point, Value from,
                      Value to, ValueRange accumulators) {
    return nest.inBlocks(builder, from, to, indexBlock, accumulators,
                         [&](OpBuilder &inside, Value begin, Value end, ValueRange carried) {
                             return gatherBlock(nest, inside, point, begin, end, carried);
                         });
}

} // namespace shapecast
