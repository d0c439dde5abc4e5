#include "lower/function/points.h"

#include "lower/nest/nest_plan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

void visitPoints(FunctionState &state, OpBuilder &builder, Location loc, ArrayRef<DimAttr> space,
                 function_ref<Value(OpBuilder &, Value size)> step,
                 function_ref<void(OpBuilder &, Value point)> visit) {
    Value zero = state.dims.constant(builder, loc, 0);
    std::function<void(OpBuilder &, size_t, Value)> level = [&](OpBuilder &at, size_t k,
                                                                Value point) {
        if (k == space.size())
            return visit(at, point);
        Value size = state.dims.emit(at, loc, space[k]);
        auto loop = scf::ForOp::create(at, loc, zero, size, step(at, size));
        DimValues::Scope inner(state.dims);
        OpBuilder body = OpBuilder::atBlockBegin(loop.getBody());
        state.dims.bind(iteratorSymbol(state.b.getContext(), unsigned(k)), loop.getInductionVar());
        Value row = arith::MulIOp::create(body, loc, point, size);
        level(body, k + 1, arith::AddIOp::create(body, loc, row, loop.getInductionVar()));
    };
    level(builder, 0, zero);
}

} // namespace shapecast
