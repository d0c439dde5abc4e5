// Several turns at once: see the header.
#include "lower/lanes.h"

#include "lower/lane_code.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

// Two vectors of AVX-512: one's operations wait for each other.
constexpr unsigned lanes = 16;

VectorType vectorOf(Type element) { return VectorType::get(lanes, element); }

void ignoreTrap(OpBuilder &, Location, const Trap &) {} // none of them can happen: passes/lanes.h

// Vectors give the bits of scalars: no math functions, which are others for vectors. Lanes that are
// done compute on: no divisions of integers.
bool isExact(Block &code) {
    return isLaneCode(code) && llvm::none_of(code, [](Operation &op) {
               return isa<func::CallOp, arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
                          arith::CeilDivSIOp, arith::RemSIOp, arith::RemUIOp>(op) ||
                      (isa<math::MathDialect>(op.getDialect()) &&
                       !isa<math::SqrtOp, math::AbsFOp, math::FloorOp, math::CeilOp, math::TruncOp,
                            math::RoundEvenOp, math::CopySignOp>(op));
           });
}

} // namespace

FunctionState::Lanes::Lanes(FunctionState &state, np::ForOp loop)
    : state(state), b(state.b), loop(loop),
      holder(scf::ExecuteRegionOp::create(state.b, loop.getLoc(), TypeRange())) {}

FunctionState::Lanes::~Lanes() { holder->erase(); }

//===-- Values

// The operation's code with block arguments for what varies: where it is not real, for all but
// constants. `map` gives the vectors of the arguments.
Block *FunctionState::Lanes::scalarCode(Operation *op, bool isReal, IRMapping &map,
                                        Scalar &result) {
    OpBuilder inside(op->getContext());
    Block *code = inside.createBlock(&holder->getRegion(0));
    DenseMap<Value, Scalar> scalars;
    Values operands(op->getOperands());
    auto size = dyn_cast<np::SizeOp>(op);
    const Named names = size ? namesIn(size) : Named();
    llvm::append_range(operands, llvm::make_second_range(names));
    for (Value operand : operands) {
        if (scalars.contains(operand))
            continue;
        auto found = varying.find(operand);
        if (auto constant = operand.getDefiningOp<np::ConstOp>()) {
            emitScalarOp(inside, constant, {state.dims, scalars, ignoreTrap});
        } else if (isReal && found == varying.end()) {
            scalars[operand] = state.scalars.lookup(operand);
        } else {
            Values arguments, vectors;
            for (Type type : registerTypes(operand.getType()))
                arguments.push_back(code->addArgument(type, op->getLoc()));
            if (isReal)
                appendParts(vectors, found->second);
            for (auto [argument, vector] : llvm::zip(arguments, vectors))
                map.map(argument, vector);
            ValueRange parts = arguments;
            scalars[operand] = takeParts(operand.getType(), parts);
        }
    }
    DimValues::Scope scope(state.dims);
    for (auto [symbol, value] : names)
        state.dims.bind(symbol, scalars.lookup(value).re);
    emitScalarOp(inside, op, {state.dims, scalars, ignoreTrap});
    result = scalars.lookup(op->getResult(0));
    return code;
}

// What the operation gives a name, for sizes to come.
void FunctionState::Lanes::name(Operation *op) {
    if (auto symbol = dyn_cast<np::SymbolOp>(op))
        named[symbol.getName()] = symbol.getValue();
    else if (auto inner = dyn_cast<np::ForOp>(op))
        named[inner.getVar()] = inner.getBody().getArgument(0);
}

bool FunctionState::Lanes::arePossible() {
    name(loop);
    return !loop.getBody()
                .walk<WalkOrder::PreOrder>([&](Operation *op) {
                    name(op);
                    if (!isa<np::SizeOp, np::PyOp, np::UfuncOp, np::CastOp, np::TruthOp>(op))
                        return WalkResult::advance();
                    IRMapping map;
                    Scalar result;
                    Block *code = scalarCode(op, false, map, result);
                    const bool fits = isExact(*code);
                    code->erase();
                    return fits ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
}

// The symbols of the turn in a size's expression, and the values that they stand for.
FunctionState::Lanes::Named FunctionState::Lanes::namesIn(np::SizeOp size) {
    Named found;
    np::dimSymbols(size.getExpr(), [&](StringRef name) {
        if (Value value = named.lookup(name))
            found.push_back({np::dimSymbol(b.getContext(), name), value});
    });
    return found;
}

bool FunctionState::Lanes::isVarying(Operation *op) {
    if (auto size = dyn_cast<np::SizeOp>(op))
        return !namesIn(size).empty();
    return llvm::any_of(op->getOperands(), [&](Value v) { return varying.contains(v); });
}

Scalar FunctionState::Lanes::lanesOf(Value value) {
    if (auto found = varying.find(value); found != varying.end())
        return found->second;
    const Scalar scalar = state.scalars.lookup(value);
    auto vector = [&](Value part) {
        return part ? splat(b, loop.getLoc(), part, vectorOf(part.getType())) : Value();
    };
    return {vector(scalar.re), vector(scalar.im)};
}

void FunctionState::Lanes::appendLanes(ValueRange values, Values &parts) {
    for (Value value : values)
        appendParts(parts, lanesOf(value));
}

void FunctionState::Lanes::bind(ValueRange targets, ValueRange parts) {
    for (Value target : targets)
        varying[target] = takeParts(target.getType(), parts);
}

SmallVector<Type> FunctionState::Lanes::laneTypes(TypeRange types) {
    SmallVector<Type> vectors;
    for (Type type : types)
        for (Type part : registerTypes(type))
            vectors.push_back(vectorOf(part));
    return vectors;
}

Value FunctionState::Lanes::both(Value a, Value c) {
    return !a ? c : !c ? a : arith::AndIOp::create(b, loop.getLoc(), a, c).getResult();
}

Value FunctionState::Lanes::any(Value mask) {
    return LLVM::vector_reduce_or::create(b, loop.getLoc(), b.getI1Type(), mask);
}

FunctionState::Values FunctionState::Lanes::chosen(Value mask, ValueRange yes, ValueRange no) {
    Values values;
    for (auto [a, c] : llvm::zip_equal(yes, no))
        values.push_back(arith::SelectOp::create(b, loop.getLoc(), mask, a, c));
    return values;
}

//===-- Control flow

void FunctionState::Lanes::block(Block &block) {
    for (Operation &op : block.without_terminator())
        operation(&op);
}

void FunctionState::Lanes::operation(Operation *op) {
    if (auto branch = dyn_cast<np::IfOp>(op))
        return ifOp(branch);
    if (auto inner = dyn_cast<np::WhileOp>(op))
        return whileOp(inner);
    if (auto inner = dyn_cast<np::ForOp>(op))
        return forOp(inner);
    if (auto to = dyn_cast<np::StoreOp>(op))
        return store(to);
    if (isa<np::LoadOp>(op)) // done before
        return;
    name(op);
    if (isa<np::SymbolOp>(op))
        return;
    if (!isVarying(op)) {
        emitScalarOp(b, op, {state.dims, state.scalars, ignoreTrap});
        return;
    }
    IRMapping map;
    Scalar result;
    Block *code = scalarCode(op, true, map, result);
    auto vector = emitLanes(b, op->getLoc(), *code, lanes, map);
    varying[op->getResult(0)] = {vector(result.re), result.im ? vector(result.im) : Value()};
    code->erase();
}

FunctionState::Values FunctionState::Lanes::branch(Region &region, Value among) {
    Value around = std::exchange(mask, among);
    block(region.front());
    mask = around;
    Values values;
    appendLanes(region.front().getTerminator()->getOperands(), values);
    return values;
}

// Both branches, and what each lane takes of them.
void FunctionState::Lanes::ifOp(np::IfOp op) {
    Location loc = op.getLoc();
    Value condition = lanesOf(op.getCondition()).re;
    Value one = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(vectorOf(b.getI1Type()), b.getBoolAttr(true)));
    Value otherwise = arith::XOrIOp::create(b, loc, condition, one);
    Values yes = branch(op.getThenRegion(), both(mask, condition));
    Values no = branch(op.getElseRegion(), both(mask, otherwise));
    bind(op.getResults_(), chosen(condition, yes, no));
}

// header(count, carried, active): before; any lane is active and goes on ? body : exit
void FunctionState::Lanes::whileOp(np::WhileOp op) {
    Location loc = op.getLoc();
    SmallVector<Type> types = laneTypes(op.getInits().getTypes()), headerTypes{b.getI64Type()};
    llvm::append_range(headerTypes, types);
    headerTypes.push_back(vectorOf(b.getI1Type()));
    Values inits{arith::ConstantIntOp::create(b, loc, countedIterations, 64)};
    appendLanes(op.getInits(), inits);
    Value around = mask;
    inits.push_back(
        mask ? mask
             : arith::ConstantOp::create(
                   b, loc, DenseElementsAttr::get(vectorOf(b.getI1Type()), b.getBoolAttr(true)))
                   .getResult());
    Block *header = state.newBlock(headerTypes, loc), *body = state.newBlock({}, loc),
          *exit = state.newBlock(types, loc);
    cf::BranchOp::create(b, loc, header, inits);
    b.setInsertionPointToEnd(header);
    DimValues::Scope scope(state.dims);
    ValueRange carried = header->getArguments().drop_front().drop_back();
    mask = header->getArguments().back();
    bind(op.getBefore().getArguments(), carried);
    block(op.getBefore().front());
    Operation *test = op.getBefore().front().getTerminator();
    mask = both(mask, lanesOf(test->getOperand(0)).re);
    cf::CondBranchOp::create(b, loc, any(mask), body, ValueRange(), exit, carried);

    b.setInsertionPointToEnd(body);
    Values again{state.chargeNowAndThen(loc, header->getArgument(0))};
    bind(op.getBody().getArguments(), carried);
    block(op.getBody().front());
    auto next = cast<np::NextOp>(op.getBody().front().getTerminator());
    Values values;
    appendLanes(next.getValues(), values);
    llvm::append_range(again, chosen(mask, values, carried));
    again.push_back(next.getGo() ? both(mask, lanesOf(next.getGo()).re) : mask);
    cf::BranchOp::create(b, loc, header, again);
    b.setInsertionPointToEnd(exit);
    mask = around;
    bind(op.getResults_(), exit->getArguments());
}

// header(count, counter, carried, active): counter < upper, and any lane is active ? body : exit
void FunctionState::Lanes::forOp(np::ForOp op) {
    Location loc = op.getLoc();
    SmallVector<Type> types = laneTypes(op.getInits().getTypes()),
                      headerTypes{b.getI64Type(), b.getI64Type()};
    llvm::append_range(headerTypes, types);
    headerTypes.push_back(vectorOf(b.getI1Type()));
    Value upper = state.dims.emit(b, loc, op.getUpper());
    Values inits{arith::ConstantIntOp::create(b, loc, countedIterations, 64),
                 state.dims.emit(b, loc, op.getLower())};
    appendLanes(op.getInits(), inits);
    Value around = mask;
    inits.push_back(
        mask ? mask
             : arith::ConstantOp::create(
                   b, loc, DenseElementsAttr::get(vectorOf(b.getI1Type()), b.getBoolAttr(true)))
                   .getResult());
    Block *header = state.newBlock(headerTypes, loc), *body = state.newBlock({}, loc),
          *exit = state.newBlock(types, loc);
    cf::BranchOp::create(b, loc, header, inits);
    b.setInsertionPointToEnd(header);
    DimValues::Scope scope(state.dims);
    ValueRange carried = header->getArguments().drop_front(2).drop_back();
    Value counter = header->getArgument(1);
    mask = header->getArguments().back();
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, counter, upper);
    more = arith::AndIOp::create(b, loc, more, any(mask));
    cf::CondBranchOp::create(b, loc, more, body, ValueRange(), exit, carried);

    b.setInsertionPointToEnd(body);
    Values again{state.chargeNowAndThen(loc, header->getArgument(0))};
    Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
    again.push_back(arith::AddIOp::create(b, loc, counter, one));
    state.scalars[op.getBody().getArgument(0)] = {counter, Value()};
    bind(op.getBody().getArguments().drop_front(), carried);
    block(op.getBody().front());
    auto next = cast<np::NextOp>(op.getBody().front().getTerminator());
    Values values;
    appendLanes(next.getValues(), values);
    llvm::append_range(again, chosen(mask, values, carried));
    again.push_back(next.getGo() ? both(mask, lanesOf(next.getGo()).re) : mask);
    cf::BranchOp::create(b, loc, header, again);
    b.setInsertionPointToEnd(exit);
    mask = around;
    bind(op.getResults_(), exit->getArguments());
}

//===-- Memory

void FunctionState::Lanes::atEachLane(llvm::function_ref<void(unsigned, Value)> visit) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        DimValues::Scope scope(state.dims);
        state.dims.bind(np::dimSymbol(b.getContext(), loop.getVar()), turns[lane]);
        visit(lane, arith::ConstantIntOp::create(b, loop.getLoc(), lane, 64));
    }
}

// Where its index is the same in all turns, one element.
void FunctionState::Lanes::load(np::LoadOp op) {
    Location loc = op.getLoc();
    const SmallVector<DimAttr> indices = np::dimVector(op.getIndices());
    if (llvm::none_of(indices, [&](DimAttr index) { return np::dimUses(index, loop.getVar()); }))
        return state.load(op);
    const Handle &handle = state.handles.at(op.getBase());
    const DType dtype = dtypeOf(op.getBase().getType());
    Values vectors;
    atEachLane([&](unsigned lane, Value number) {
        Value index = state.dims.emit(b, loc, linearIndex(handle, indices));
        Values parts;
        appendParts(parts, loadElement(b, loc, handle.pointer, index, dtype));
        if (lane == 0)
            for (Value part : parts)
                vectors.push_back(LLVM::PoisonOp::create(b, loc, vectorOf(part.getType())));
        for (auto [vector, part] : llvm::zip_equal(vectors, parts))
            vector = LLVM::InsertElementOp::create(b, loc, vector, part, number);
    });
    bind(op.getResult(), vectors);
}

void FunctionState::Lanes::store(np::StoreOp op) {
    Location loc = op.getLoc();
    Values vectors;
    appendLanes(op.getValue(), vectors);
    atEachLane([&](unsigned, Value number) {
        Values parts;
        for (Value vector : vectors)
            parts.push_back(LLVM::ExtractElementOp::create(b, loc, vector, number));
        ValueRange rest = parts;
        state.storeScalar(op, takeParts(op.getValue().getType(), rest));
    });
}

//===-- The loop

void FunctionState::Lanes::emit(Value from, Value to) {
    Location loc = loop.getLoc();
    Type i64 = b.getI64Type();
    auto number = [&](int64_t value) -> Value {
        return arith::ConstantIntOp::create(b, loc, value, 64);
    };
    Value last = arith::SubIOp::create(b, loc, to, number(1));
    Block *header = state.newBlock(i64, loc), *body = state.newBlock({}, loc),
          *exit = state.newBlock({}, loc);
    cf::BranchOp::create(b, loc, header, from);
    b.setInsertionPointToEnd(header);
    Value first = header->getArgument(0);
    cf::CondBranchOp::create(b, loc,
                             arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, first, to),
                             body, ValueRange(), exit, ValueRange());
    b.setInsertionPointToEnd(body);
    {
        DimValues::Scope scope(state.dims);
        state.charge(loc, 64 * lanes);
        Value vector = LLVM::PoisonOp::create(b, loc, vectorOf(i64));
        for (unsigned lane = 0; lane < lanes; ++lane) {
            Value turn = arith::AddIOp::create(b, loc, first, number(lane));
            turns.push_back(arith::MinSIOp::create(b, loc, turn, last));
            vector = LLVM::InsertElementOp::create(b, loc, vector, turns[lane], number(lane));
        }
        varying[loop.getBody().getArgument(0)] = {vector, Value()};
        loop.getBody().walk([&](np::LoadOp op) { load(op); });
        block(loop.getBody().front());
        cf::BranchOp::create(b, loc, header,
                             arith::AddIOp::create(b, loc, first, number(lanes)).getResult());
    }
    b.setInsertionPointToEnd(exit);
}

} // namespace shapecast
