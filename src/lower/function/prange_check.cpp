// Debug mode of np-loops: whether a `prange` loop really has no loop-carried dependence.
//
// np-parallel has marked the loops in question `checked`; they run in one thread, in order. Inside
// them each access to an array is first passed to the run time (runtime/prange_check.cpp) with the
// iterations of the checked loops around it; it knows which iterations have read and written that
// element. Nests and products pass all their accesses first.
#include "lower/function/function_state.h"
#include "lower/kit/runtime_function.h"
#include "lower/nest/nest_plan.h"

#include "ir/gather_index.h"
#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

void FunctionState::beginPrangeCheck(np::ForOp loop) {
    Location loc = loop.getLoc();
    RuntimeFunction<&runtime::sc_prange_begin>(module).call(
        b, loc, context, dims.constant(b, loc, int64_t(checkedLoops.size())));
    checkedLoops.push_back(np::dimSymbol(b.getContext(), loop.getVar()));
}

void FunctionState::endPrangeCheck(np::ForOp loop) {
    checkedLoops.pop_back();
    RuntimeFunction<&runtime::sc_prange_end>(module).call(
        b, loop.getLoc(), dims.constant(b, loop.getLoc(), int64_t(checkedLoops.size())));
}

// Of one element.
void FunctionState::noteAccess(OpBuilder &builder, Location loc, Value array,
                               ArrayRef<DimAttr> indices, bool isWritten) {
    const Handle &handle = handles.at(array);
    const DType dtype = dtypeOf(array.getType());
    RuntimeFunction<&runtime::sc_prange_access> access(module);
    Value index = dims.emit(builder, loc, linearIndex(handle, indices));
    Value address = elementAddress(builder, loc, handle.pointer, index, dtype, /*inbounds=*/false);
    auto number = [&](int64_t value) { return dims.constant(builder, loc, value); };
    for (auto [level, iteration] : llvm::enumerate(checkedLoops))
        access.call(builder, loc, number(int64_t(level)), dims.emit(builder, loc, iteration),
                    handle.owner, address, number(itemSize(dtype)), number(isWritten));
}

// Of an operand of a nest or a product, at all points of its space.
void FunctionState::noteAccesses(Location loc, Value array, ArrayRef<DimAttr> map,
                                 ArrayRef<DimAttr> space, bool isWritten) {
    DimValues::Scope scope(dims);
    auto isOne = [&](OpBuilder &at, Value) { return dims.constant(at, loc, 1); };
    visitPoints(b, loc, space, isOne,
                [&](OpBuilder &at, Value) { noteAccess(at, loc, array, map, isWritten); });
}

void FunctionState::raiseIfDependent(Location loc) {
    Value iterations = stackSlots(loc, 2);
    Value how = RuntimeFunction<&runtime::sc_prange_dependence>(module).call(b, loc, iterations);
    DimAttr own = dims.fresh(loadSlot(loc, iterations, 0, b.getI64Type()), "iteration");
    DimAttr other = dims.fresh(loadSlot(loc, iterations, 1, b.getI64Type()), "iteration");
    for (auto [broken, text] : {
             std::pair(runtime::readAfterWrite, "reads an element that iteration {1} has written"),
             std::pair(runtime::writeAfterWrite,
                       "writes an element that iteration {1} has written"),
             std::pair(runtime::writeAfterRead, "writes an element that iteration {1} has read"),
         })
        raiseWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, how,
                                        dims.constant(b, loc, broken)),
                  loc, "RuntimeError",
                  ("prange: iteration {0} of the loop " + Twine(text) +
                   "; use range(), which runs the iterations in order")
                      .str(),
                  {own, other});
}

void FunctionState::noteElement(Location loc, Value array, ArrayRef<DimAttr> indices,
                                bool isWritten) {
    noteAccess(b, loc, array, indices, isWritten);
    raiseIfDependent(loc);
}

void FunctionState::noteNest(np::NestOp op) {
    SmallVector<DimAttr> space = np::dimVector(op.getSpace());
    auto note = [&](ValueRange operands, ArrayAttr maps, bool isWritten) {
        for (auto [operand, map] : llvm::zip_equal(operands, maps))
            if (!np::isGatherMap(cast<ArrayAttr>(map))) // np.take's: known in its body
                noteAccesses(op.getLoc(), operand, np::dimVector(cast<ArrayAttr>(map)), space,
                             isWritten);
    };
    note(op.getReads(), op.getReadMaps(), false);
    note(op.getWrites(), op.getWriteMaps(), true);
    raiseIfDependent(op.getLoc());
}

void FunctionState::noteProduct(np::GemmOp op) {
    auto note = [&](Value array, bool isWritten) {
        ArrayRef<DimAttr> sizes = cast<np::ArrayType>(array.getType()).getDims();
        SmallVector<DimAttr> map;
        for (unsigned d = 0; d < sizes.size(); ++d)
            map.push_back(iteratorSymbol(b.getContext(), d));
        noteAccesses(op.getLoc(), array, map, sizes, isWritten);
    };
    note(op.getLhs(), false);
    note(op.getRhs(), false);
    if (op.getOut())
        note(op.getOut(), true);
    raiseIfDependent(op.getLoc());
}

} // namespace shapecast
