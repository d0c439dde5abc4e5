#include "lower/function/prange_check.h"

#include "ir/gather_index.h"
#include "lower/function/points.h"
#include "lower/kit/errors.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "lower/nest/nest_plan.h"
#include "runtime/abi.h"
#include "runtime/prange_check.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

void beginPrangeCheck(FunctionState &state, np::ForOp loop) {
    Location loc = loop.getLoc();
    RuntimeFunction<&runtime::sc_prange_begin>(state.module)
        .call(state.b, loc, state.context,
              state.dims.constant(state.b, loc, int64_t(state.checkedLoops.size())));
    state.checkedLoops.push_back(np::dimSymbol(state.b.getContext(), loop.getVar()));
}

void endPrangeCheck(FunctionState &state, np::ForOp loop) {
    state.checkedLoops.pop_back();
    RuntimeFunction<&runtime::sc_prange_end>(state.module)
        .call(state.b, loop.getLoc(),
              state.dims.constant(state.b, loop.getLoc(), int64_t(state.checkedLoops.size())));
}

// Of one element.
static void noteAccess(FunctionState &state, OpBuilder &builder, Location loc, Value array,
                       ArrayRef<DimAttr> indices, bool isWritten) {
    const Handle &handle = state.handles.at(array);
    const DType dtype = dtypeOf(array.getType());
    RuntimeFunction<&runtime::sc_prange_access> access(state.module);
    Value index = state.dims.emit(builder, loc, linearIndex(handle, indices));
    Value address = elementAddress(builder, loc, handle.pointer, index, dtype, /*inbounds=*/false);
    auto number = [&](int64_t value) { return state.dims.constant(builder, loc, value); };
    for (auto [level, iteration] : llvm::enumerate(state.checkedLoops))
        access.call(builder, loc, number(int64_t(level)), state.dims.emit(builder, loc, iteration),
                    handle.owner, address, number(itemSize(dtype)), number(isWritten));
}

// Of an operand of a nest or a product, at all points of its space.
static void noteAccesses(FunctionState &state, Location loc, Value array, ArrayRef<DimAttr> map,
                         ArrayRef<DimAttr> space, bool isWritten) {
    DimValues::Scope scope(state.dims);
    auto isOne = [&](OpBuilder &at, Value) { return state.dims.constant(at, loc, 1); };
    visitPoints(state, state.b, loc, space, isOne,
                [&](OpBuilder &at, Value) { noteAccess(state, at, loc, array, map, isWritten); });
}

static void raiseIfDependent(FunctionState &state, Location loc) {
    Value iterations = stackSlots(state, loc, 2);
    Value how = RuntimeFunction<&runtime::sc_prange_dependence>(state.module)
                    .call(state.b, loc, iterations);
    DimAttr own =
        state.dims.fresh(loadSlot(state, loc, iterations, 0, state.b.getI64Type()), "iteration");
    DimAttr other =
        state.dims.fresh(loadSlot(state, loc, iterations, 1, state.b.getI64Type()), "iteration");
    for (auto [broken, text] : {
             std::pair(runtime::readAfterWrite, "reads an element that iteration {1} has written"),
             std::pair(runtime::writeAfterWrite,
                       "writes an element that iteration {1} has written"),
             std::pair(runtime::writeAfterRead, "writes an element that iteration {1} has read"),
         })
        raiseWhen(state,
                  arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::eq, how,
                                        state.dims.constant(state.b, loc, broken)),
                  loc, "RuntimeError",
                  ("prange: iteration {0} of the loop " + Twine(text) +
                   "; use range(), which runs the iterations in order")
                      .str(),
                  {own, other});
}

void noteElement(FunctionState &state, Location loc, Value array, ArrayRef<DimAttr> indices,
                 bool isWritten) {
    noteAccess(state, state.b, loc, array, indices, isWritten);
    raiseIfDependent(state, loc);
}

void noteNest(FunctionState &state, np::NestOp op) {
    SmallVector<DimAttr> space = np::dimVector(op.getSpace());
    auto note = [&](ValueRange operands, ArrayAttr maps, bool isWritten) {
        for (auto [operand, map] : llvm::zip_equal(operands, maps))
            if (!np::isGatherMap(cast<ArrayAttr>(map))) // np.take's: known in its body
                noteAccesses(state, op.getLoc(), operand, np::dimVector(cast<ArrayAttr>(map)),
                             space, isWritten);
    };
    note(op.getReads(), op.getReadMaps(), false);
    note(op.getWrites(), op.getWriteMaps(), true);
    raiseIfDependent(state, op.getLoc());
}

void noteProduct(FunctionState &state, np::GemmOp op) {
    auto note = [&](Value array, bool isWritten) {
        ArrayRef<DimAttr> sizes = cast<np::ArrayType>(array.getType()).getDims();
        SmallVector<DimAttr> map;
        for (unsigned d = 0; d < sizes.size(); ++d)
            map.push_back(iteratorSymbol(state.b.getContext(), d));
        noteAccesses(state, op.getLoc(), array, map, sizes, isWritten);
    };
    note(op.getLhs(), false);
    note(op.getRhs(), false);
    if (op.getOut())
        note(op.getOut(), true);
    raiseIfDependent(state, op.getLoc());
}

} // namespace shapecast
