#include "lower/function/recheck_code.h"

#include "ir/gather_index.h"
#include "lower/function/points.h"
#include "lower/kit/errors.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "passes/analysis/points_to.h"
#include "runtime/abi.h"
#include "runtime/recheck.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

constexpr StringLiteral internalError = "shapecast.InternalError";

// A table in this frame: the extent of each array argument, which an owner token names by number.
void tabulateExtents(FunctionState &state) {
    Location loc = state.source.getLoc();
    auto arguments = state.source.getBody().getArguments();
    state.extents = stackSlots(state, loc, std::max<int64_t>(2 * int64_t(arguments.size()), 1));
    RuntimeFunction<&runtime::sc_recheck_argument> note(state.module);
    int64_t next = 0;
    for (BlockArgument argument : arguments) {
        auto array = dyn_cast<np::ArrayType>(argument.getType());
        if (!array) {
            next += int64_t(registerTypes(argument.getType()).size());
            continue;
        }
        Value entry = slotAddress(state, loc, state.extents, 2 * argument.getArgNumber()),
              given = slotAddress(state, loc, state.arguments, next),
              rank = state.dims.constant(state.b, loc, array.getRank()),
              bytes = state.dims.constant(state.b, loc, itemSize(dtypeOf(array)));
        note.call(state.b, loc, entry, given, rank, bytes);
        next += 1 + 2 * array.getRank();
    }
}

// i1: the indices are in the array's bounds and, through views, in those of its base arrays.
static Value indicesHold(FunctionState &state, OpBuilder &builder, Location loc, Value array,
                         SmallVector<DimAttr> indices) {
    Value all = arith::ConstantIntOp::create(builder, loc, 1, 1);
    while (true) {
        for (auto [index, dim] :
             llvm::zip_equal(indices, cast<np::ArrayType>(array.getType()).getDims())) {
            Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                                state.dims.emit(builder, loc, index),
                                                state.dims.emit(builder, loc, dim));
            all = arith::AndIOp::create(builder, loc, all, below);
        }
        Operation *definition = array.getDefiningOp();
        if (auto view = dyn_cast_or_null<np::ViewOp>(definition)) {
            SmallVector<DimAttr> steps = np::dimVector(view.getSteps());
            SmallVector<DimAttr> base = np::dimVector(view.getOffsets());
            for (auto [axis, index] : llvm::zip_equal(view.getAxes(), indices))
                if (axis >= 0)
                    base[axis] = np::dimAdd(base[axis], np::dimMul(steps[axis], index));
            indices = base;
        } else if (!isa_and_nonnull<np::CastOp, np::CheckWriteableOp>(definition)) {
            return all;
        }
        array = definition->getOperand(0);
    }
}

void recheckElement(FunctionState &state, Location loc, Value array, ArrayRef<DimAttr> indices) {
    const Handle &handle = state.handles.at(array);
    DType dtype = dtypeOf(array.getType());
    Value index = state.dims.emit(state.b, loc, linearIndex(handle, indices));
    Value address = elementAddress(state.b, loc, handle.pointer, index, dtype, /*inbounds=*/false);
    Value inside = RuntimeFunction<&runtime::sc_recheck_element>(state.module)
                       .call(state.b, loc, state.context, state.extents, handle.owner, address,
                             state.dims.constant(state.b, loc, itemSize(dtype)));
    Value outside = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::eq, inside,
                                          state.dims.constant(state.b, loc, 0));
    Value holds = indicesHold(state, state.b, loc, array, SmallVector<DimAttr>(indices));
    Value fails = arith::XOrIOp::create(state.b, loc, holds,
                                        arith::ConstantIntOp::create(state.b, loc, 1, 1));
    raiseWhen(state, arith::OrIOp::create(state.b, loc, fails, outside), loc, internalError,
              "re-check: an element that is accessed lies outside of its array", {});
}

// The slots of sc_recheck_begin.
static Value recheckSlots(FunctionState &state, np::NestOp op, const NestPlan &plan) {
    Location loc = op.getLoc();
    SmallVector<DimAttr> space = np::dimVector(op.getSpace());
    SmallVector<Value> operands(op.getReads());
    llvm::append_range(operands, op.getWrites());
    auto number = [&](int64_t value) { return state.dims.constant(state.b, loc, value); };
    Values values{number(int64_t(space.size())), number(op.getReduced()),
                  number(int64_t(operands.size()))};
    for (DimAttr size : space)
        values.push_back(state.dims.emit(state.b, loc, size));
    for (size_t k = 0; k < space.size(); ++k) {
        bool ordered = op.getOrder() && k < op.getOrder()->size();
        StringRef name = ordered ? cast<StringAttr>((*op.getOrder())[k]).getValue() : "any";
        values.push_back(number(name == "any" ? 0 : name == "up" ? 1 : -1));
    }
    for (auto [k, operand] : llvm::enumerate(operands)) {
        bool written = k >= op.getReads().size();
        const NestAccess &access = written ? plan.writes[k - plan.reads.size()] : plan.reads[k];
        values.append({state.handles.at(operand).owner,
                       number(itemSize(dtypeOf(operand.getType()))), number(written),
                       number(op.getGroups() ? (*op.getGroups())[k] : 0), number(access.pointer),
                       number(plan.noalias[access.pointer])});
    }
    Value slots = storedSlots(state, loc, values);
    return slots;
}

// Passes the addresses of one point to the run time.
static void recheckPoint(FunctionState &state, OpBuilder &builder, np::NestOp op, Value point) {
    Location loc = op.getLoc();
    RuntimeFunction<&runtime::sc_recheck_access> note(state.module);
    auto access = [&](unsigned k, Value operand, Attribute map) {
        const Handle &handle = state.handles.at(operand);
        SmallVector<DimAttr> indices = np::dimVector(cast<ArrayAttr>(map));
        Value offset = state.dims.emit(builder, loc, linearIndex(handle, indices));
        Value address = elementAddress(builder, loc, handle.pointer, offset,
                                       dtypeOf(operand.getType()), /*inbounds=*/false);
        Value holds = indicesHold(state, builder, loc, operand, indices);
        Value number = state.dims.constant(builder, loc, k),
              isHeld = arith::ExtUIOp::create(builder, loc, state.b.getI64Type(), holds);
        note.call(builder, loc, number, address, point, isHeld);
    };
    unsigned next = 0;
    for (auto [operand, map] : llvm::zip_equal(op.getReads(), op.getReadMaps())) {
        if (!np::isGatherMap(cast<ArrayAttr>(map))) // np.take's indices were checked before
            access(next, operand, map);
        ++next;
    }
    for (auto [operand, map] : llvm::zip_equal(op.getWrites(), op.getWriteMaps()))
        access(next++, operand, map);
}

void recheckNest(FunctionState &state, np::NestOp op, const NestPlan &plan) {
    Location loc = op.getLoc();
    DimValues::Scope scope(state.dims);
    RuntimeFunction<&runtime::sc_recheck_begin> begin(state.module);
    Value complete =
        begin.call(state.b, loc, state.context, recheckSlots(state, op, plan), state.extents);
    Value zero = state.dims.constant(state.b, loc, 0), one = state.dims.constant(state.b, loc, 1);
    Value all = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::ne, complete, zero);
    SmallVector<DimAttr> space = np::dimVector(op.getSpace());
    auto step = [&](OpBuilder &at, Value size) -> Value {
        Value last = arith::SubIOp::create(at, loc, size, one);
        Value stride = arith::MaxSIOp::create(at, loc, last, one); // from one corner to the other
        return arith::SelectOp::create(at, loc, all, one, stride);
    };
    visitPoints(state, state.b, loc, space, step,
                [&](OpBuilder &at, Value point) { recheckPoint(state, at, op, point); });
    Value verdict = RuntimeFunction<&runtime::sc_recheck_end>(state.module).call(state.b, loc);
    Value claim =
        arith::AndIOp::create(state.b, loc, verdict, state.dims.constant(state.b, loc, 7));
    Value operand =
        arith::ShRUIOp::create(state.b, loc, verdict, state.dims.constant(state.b, loc, 3));
    DimAttr named = state.dims.fresh(operand, "operand");
    using runtime::Recheck;
    for (auto [broken, text] : {
             std::pair(Recheck::Bounds, "is indexed out of its array's bounds"),
             std::pair(Recheck::Buffer, "lies outside of its buffer"),
             std::pair(Recheck::Groups, "shares memory with one of another group"),
             std::pair(Recheck::NoAlias, "shares memory with another, against no-alias"),
             std::pair(Recheck::Order, "is accessed in an order that loses values"),
         }) {
        Value fails = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::eq, claim,
                                            state.dims.constant(state.b, loc, broken));
        raiseWhen(state, fails, loc, internalError,
                  ("re-check: operand {0} of a nest " + Twine(text)).str(), {named});
    }
}

} // namespace shapecast
