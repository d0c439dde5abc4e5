// Debug mode of np-loops: do the turns of a `prange` loop keep its promise?
//
// np-parallel has marked the loops in question `checked`; they run in one thread, in order. Inside
// them each access to an array is handed to the run time (runtime/promise.cpp) with the turns of
// the checked loops around it, before it is made; it knows which turns have read and written that
// element. Nests and products hand over all their accesses first.
#include "lower/function_state.h"
#include "lower/nest_plan.h"

#include "ir/anywhere.h"
#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

void FunctionState::beginPromise(np::ForOp loop) {
    Location loc = loop.getLoc();
    auto begin = runtimeFunction("sc_promise_begin", {context.getType(), b.getI64Type()}, {});
    func::CallOp::create(b, loc, begin,
                         ValueRange{context, dims.constant(b, loc, int64_t(promised.size()))});
    promised.push_back(np::dimSymbol(b.getContext(), loop.getVar()));
}

void FunctionState::endPromise(np::ForOp loop) {
    promised.pop_back();
    auto end = runtimeFunction("sc_promise_end", {b.getI64Type()}, {});
    func::CallOp::create(b, loop.getLoc(), end,
                         dims.constant(b, loop.getLoc(), int64_t(promised.size())));
}

// Of one element.
void FunctionState::noteAccess(OpBuilder &builder, Location loc, Value array,
                               ArrayRef<DimAttr> indices, bool isWritten) {
    const Handle &handle = handles.at(array);
    const DType dtype = dtypeOf(array.getType());
    Type pointer = context.getType(), i64 = b.getI64Type();
    auto callee = runtimeFunction("sc_promise_access", {i64, i64, i64, pointer, i64, i64}, {});
    Value index = dims.emit(builder, loc, linearIndex(handle, indices));
    Value address = elementAddress(builder, loc, handle.pointer, index, dtype, /*inbounds=*/false);
    auto number = [&](int64_t value) { return dims.constant(builder, loc, value); };
    for (auto [level, turn] : llvm::enumerate(promised))
        func::CallOp::create(builder, loc, callee,
                             ValueRange{number(int64_t(level)), dims.emit(builder, loc, turn),
                                        handle.owner, address, number(itemSize(dtype)),
                                        number(isWritten)});
}

// Of an operand of a nest or a product, at all points of its space.
void FunctionState::noteAccesses(Location loc, Value array, ArrayRef<DimAttr> map,
                                 ArrayRef<DimAttr> space, bool isWritten) {
    DimValues::Scope scope(dims);
    auto isOne = [&](OpBuilder &at, Value) { return dims.constant(at, loc, 1); };
    visitPoints(b, loc, space, isOne,
                [&](OpBuilder &at, Value) { noteAccess(at, loc, array, map, isWritten); });
}

void FunctionState::raiseIfBroken(Location loc) {
    Value turns = stackSlots(loc, 2);
    auto callee = runtimeFunction("sc_promise_broken", {turns.getType()}, b.getI64Type());
    Value how = func::CallOp::create(b, loc, callee, turns).getResult(0);
    DimAttr own = dims.fresh(loadSlot(loc, turns, 0, b.getI64Type()), "turn");
    DimAttr other = dims.fresh(loadSlot(loc, turns, 1, b.getI64Type()), "turn");
    for (auto [broken, text] : {
             std::pair(runtime::brokenByRead, "reads an element that turn {1} has written"),
             std::pair(runtime::brokenByWrite, "writes an element that turn {1} has written"),
             std::pair(runtime::brokenByReader, "writes an element that turn {1} has read"),
         })
        raiseWhen(
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, how,
                                  dims.constant(b, loc, broken)),
            loc, "RuntimeError",
            ("prange: turn {0} of the loop " + Twine(text) + "; only range() runs them in order")
                .str(),
            {own, other});
}

void FunctionState::noteElement(Location loc, Value array, ArrayRef<DimAttr> indices,
                                bool isWritten) {
    noteAccess(b, loc, array, indices, isWritten);
    raiseIfBroken(loc);
}

void FunctionState::noteNest(np::NestOp op) {
    SmallVector<DimAttr> space = np::dimVector(op.getSpace());
    auto note = [&](ValueRange operands, ArrayAttr maps, bool isWritten) {
        for (auto [operand, map] : llvm::zip_equal(operands, maps))
            if (!np::isAnywhere(cast<ArrayAttr>(map))) // np.take's places: its body knows them
                noteAccesses(op.getLoc(), operand, np::dimVector(cast<ArrayAttr>(map)), space,
                             isWritten);
    };
    note(op.getReads(), op.getReadMaps(), false);
    note(op.getWrites(), op.getWriteMaps(), true);
    raiseIfBroken(op.getLoc());
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
    raiseIfBroken(op.getLoc());
}

} // namespace shapecast
