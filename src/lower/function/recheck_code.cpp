// The re-check mode of np-loops: what earlier passes proved of memory accesses is checked at run
// time.
//
// On when the module has the attribute np.recheck (SHAPECAST_RECHECK=1). Before each nest its
// points are visited in the order of its iterators and every address is passed to the run time
// (runtime/recheck.cpp), which checks whether indices stay in their arrays and addresses in their
// buffers, whether operands of different groups and no-alias pointers share nothing, and whether
// the order lets every read come before the store to the same element. Single elements are checked
// where they are accessed, relations that np-checks proved where np.require was.
#include "lower/function/function_state.h"
#include "lower/kit/runtime_function.h"
#include "lower/nest/nest_plan.h"
#include "passes/analysis/points_to.h"
#include "runtime/abi.h"

#include "ir/gather_index.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

constexpr StringLiteral internalError = "shapecast.InternalError";

//===-- Extents of arguments

// A table in this frame: the extent of each array argument, which an owner token names by number.
void FunctionState::tabulateExtents() {
    Location loc = source.getLoc();
    auto arguments = source.getBody().getArguments();
    extents = stackSlots(loc, std::max<int64_t>(2 * int64_t(arguments.size()), 1));
    RuntimeFunction<&runtime::sc_recheck_argument> note(module);
    int64_t next = 0;
    for (BlockArgument argument : arguments) {
        auto array = dyn_cast<np::ArrayType>(argument.getType());
        if (!array) {
            next += int64_t(registerTypes(argument.getType()).size());
            continue;
        }
        Value entry = slot(loc, extents, 2 * argument.getArgNumber()),
              given = slot(loc, this->arguments, next),
              rank = dims.constant(b, loc, array.getRank()),
              bytes = dims.constant(b, loc, itemSize(dtypeOf(array)));
        note.call(b, loc, entry, given, rank, bytes);
        next += 1 + 2 * array.getRank();
    }
}

//===-- Indices

// i1: the indices are in the array's bounds and, through views, in those of its base arrays.
Value FunctionState::indicesHold(OpBuilder &builder, Location loc, Value array,
                                 SmallVector<DimAttr> indices) {
    Value all = arith::ConstantIntOp::create(builder, loc, 1, 1);
    while (true) {
        for (auto [index, dim] :
             llvm::zip_equal(indices, cast<np::ArrayType>(array.getType()).getDims())) {
            Value below =
                arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                      dims.emit(builder, loc, index), dims.emit(builder, loc, dim));
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

void FunctionState::recheckElement(Location loc, Value array, ArrayRef<DimAttr> indices) {
    const Handle &handle = handles.at(array);
    DType dtype = dtypeOf(array.getType());
    Value index = dims.emit(b, loc, linearIndex(handle, indices));
    Value address = elementAddress(b, loc, handle.pointer, index, dtype, /*inbounds=*/false);
    Value inside = RuntimeFunction<&runtime::sc_recheck_element>(module).call(
        b, loc, context, extents, handle.owner, address, dims.constant(b, loc, itemSize(dtype)));
    Value outside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, inside, dims.constant(b, loc, 0));
    Value holds = indicesHold(b, loc, array, SmallVector<DimAttr>(indices));
    Value fails = arith::XOrIOp::create(b, loc, holds, arith::ConstantIntOp::create(b, loc, 1, 1));
    raiseWhen(arith::OrIOp::create(b, loc, fails, outside), loc, internalError,
              "re-check: an element that is accessed lies outside of its array", {});
}

//===-- Nests

// The slots of sc_recheck_begin.
Value FunctionState::recheckSlots(np::NestOp op, const NestPlan &plan) {
    Location loc = op.getLoc();
    SmallVector<DimAttr> space = np::dimVector(op.getSpace());
    SmallVector<Value> operands(op.getReads());
    llvm::append_range(operands, op.getWrites());
    auto number = [&](int64_t value) { return dims.constant(b, loc, value); };
    Values values{number(int64_t(space.size())), number(op.getReduced()),
                  number(int64_t(operands.size()))};
    for (DimAttr size : space)
        values.push_back(dims.emit(b, loc, size));
    for (size_t k = 0; k < space.size(); ++k) {
        bool ordered = op.getOrder() && k < op.getOrder()->size();
        StringRef name = ordered ? cast<StringAttr>((*op.getOrder())[k]).getValue() : "any";
        values.push_back(number(name == "any" ? 0 : name == "up" ? 1 : -1));
    }
    for (auto [k, operand] : llvm::enumerate(operands)) {
        bool written = k >= op.getReads().size();
        const NestAccess &access = written ? plan.writes[k - plan.reads.size()] : plan.reads[k];
        values.append({handles.at(operand).owner, number(itemSize(dtypeOf(operand.getType()))),
                       number(written), number(op.getGroups() ? (*op.getGroups())[k] : 0),
                       number(access.pointer), number(plan.noalias[access.pointer])});
    }
    Value slots = stackSlots(loc, int64_t(values.size()));
    for (auto [k, value] : llvm::enumerate(values))
        storeSlot(loc, slots, int64_t(k), value);
    return slots;
}

// Passes the addresses of one point to the run time.
void FunctionState::recheckPoint(OpBuilder &builder, np::NestOp op, Value point) {
    Location loc = op.getLoc();
    RuntimeFunction<&runtime::sc_recheck_access> note(module);
    auto access = [&](unsigned k, Value operand, Attribute map) {
        const Handle &handle = handles.at(operand);
        SmallVector<DimAttr> indices = np::dimVector(cast<ArrayAttr>(map));
        Value offset = dims.emit(builder, loc, linearIndex(handle, indices));
        Value address = elementAddress(builder, loc, handle.pointer, offset,
                                       dtypeOf(operand.getType()), /*inbounds=*/false);
        Value holds = indicesHold(builder, loc, operand, indices);
        Value number = dims.constant(builder, loc, k),
              isHeld = arith::ExtUIOp::create(builder, loc, b.getI64Type(), holds);
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

void FunctionState::visitPoints(OpBuilder &builder, Location loc, ArrayRef<DimAttr> space,
                                function_ref<Value(OpBuilder &, Value size)> step,
                                function_ref<void(OpBuilder &, Value point)> visit) {
    Value zero = dims.constant(builder, loc, 0);
    std::function<void(OpBuilder &, size_t, Value)> level = [&](OpBuilder &at, size_t k,
                                                                Value point) {
        if (k == space.size())
            return visit(at, point);
        Value size = dims.emit(at, loc, space[k]);
        auto loop = scf::ForOp::create(at, loc, zero, size, step(at, size));
        DimValues::Scope inner(dims);
        OpBuilder body = OpBuilder::atBlockBegin(loop.getBody());
        dims.bind(iteratorSymbol(b.getContext(), unsigned(k)), loop.getInductionVar());
        Value row = arith::MulIOp::create(body, loc, point, size);
        level(body, k + 1, arith::AddIOp::create(body, loc, row, loop.getInductionVar()));
    };
    level(builder, 0, zero);
}

void FunctionState::recheckNest(np::NestOp op, const NestPlan &plan) {
    Location loc = op.getLoc();
    DimValues::Scope scope(dims);
    RuntimeFunction<&runtime::sc_recheck_begin> begin(module);
    Value complete = begin.call(b, loc, context, recheckSlots(op, plan), extents);
    Value zero = dims.constant(b, loc, 0), one = dims.constant(b, loc, 1);
    Value all = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, complete, zero);
    SmallVector<DimAttr> space = np::dimVector(op.getSpace());
    auto step = [&](OpBuilder &at, Value size) -> Value {
        Value last = arith::SubIOp::create(at, loc, size, one);
        Value stride = arith::MaxSIOp::create(at, loc, last, one); // from one corner to the other
        return arith::SelectOp::create(at, loc, all, one, stride);
    };
    visitPoints(b, loc, space, step,
                [&](OpBuilder &at, Value point) { recheckPoint(at, op, point); });
    Value verdict = RuntimeFunction<&runtime::sc_recheck_end>(module).call(b, loc);
    Value claim = arith::AndIOp::create(b, loc, verdict, dims.constant(b, loc, 7));
    Value operand = arith::ShRUIOp::create(b, loc, verdict, dims.constant(b, loc, 3));
    DimAttr named = dims.fresh(operand, "operand");
    using runtime::Recheck;
    for (auto [broken, text] : {
             std::pair(Recheck::Bounds, "is indexed out of its array's bounds"),
             std::pair(Recheck::Buffer, "lies outside of its buffer"),
             std::pair(Recheck::Groups, "shares memory with one of another group"),
             std::pair(Recheck::NoAlias, "shares memory with another, against no-alias"),
             std::pair(Recheck::Order, "is accessed in an order that loses values"),
         }) {
        Value fails = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, claim,
                                            dims.constant(b, loc, broken));
        raiseWhen(fails, loc, internalError,
                  ("re-check: operand {0} of a nest " + Twine(text)).str(), {named});
    }
}

} // namespace shapecast
