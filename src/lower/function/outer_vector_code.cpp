// Outer-loop vectorisation: see the header.
#include "lower/function/outer_vector_code.h"

#include "lower/function/memory.h"
#include "lower/kit/polls.h"
#include "lower/kit/vector_code.h"
#include "ops/ufunc/emit.h"
#include "passes/loops/outer_vectorisation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

// Two vectors of AVX-512: dependent operations on one alone are bound by latency.
constexpr unsigned lanes = 16;

VectorType vectorOf(Type element) { return VectorType::get(lanes, element); }

// Additions, subtractions and products of int64 with overflow flags have no vector form. Replaces
// them by the same result and a conservative test, which may report an overflow that there is not.
void simplifyOverflow(Block &code) {
    SmallVector<Operation *> checked;
    for (Operation &op : code)
        if (isa<LLVM::SAddWithOverflowOp, LLVM::SSubWithOverflowOp, LLVM::SMulWithOverflowOp>(op))
            checked.push_back(&op);
    for (Operation *op : checked) {
        OpBuilder builder(op);
        Emit e(builder, op->getLoc());
        Value a = op->getOperand(0), c = op->getOperand(1), result, overflow;
        const bool multiplies = isa<LLVM::SMulWithOverflowOp>(op);
        APInt factor;
        if (multiplies && matchPattern(a, m_ConstantInt(&factor)))
            std::swap(a, c);
        if (multiplies && matchPattern(c, m_ConstantInt(&factor)) && factor.sgt(0)) {
            result = e.mul(a, c);
            const int64_t bound = INT64_MAX / factor.getSExtValue();
            overflow = e.ori(e.gt(a, e.integer(a.getType(), bound)),
                             e.lt(a, e.integer(a.getType(), -bound)));
        } else if (multiplies) {
            result = e.mul(a, c);
            Type f64 = builder.getF64Type();
            Value size = e.abs(e.mul(e.toFloat(a, f64, true), e.toFloat(c, f64, true)));
            overflow = e.ge(size, e.like(size, 0x1p62));
        } else {
            const bool adds = isa<LLVM::SAddWithOverflowOp>(op);
            result = adds ? e.add(a, c) : e.sub(a, c);
            Value signs = adds ? e.andi(e.xori(a, result), e.xori(c, result))
                               : e.andi(e.xori(a, c), e.xori(a, result));
            overflow = e.isNegative(signs);
        }
        for (Operation *part : llvm::make_early_inc_range(op->getUsers())) {
            const bool isFlag = cast<LLVM::ExtractValueOp>(part).getPosition().front() == 1;
            part->getResult(0).replaceAllUsesWith(isFlag ? overflow : result);
            part->erase();
        }
        op->erase();
    }
}

// Vector code gives the bits of scalar code: no math functions, whose vector forms differ. Inactive
// lanes compute on: no integer divisions, which may trap.
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

OuterVectoriser::OuterVectoriser(FunctionState &state, np::ForOp loop)
    : state(state), b(state.b), loop(loop),
      holder(scf::ExecuteRegionOp::create(state.b, loop.getLoc(), TypeRange())),
      recurrence(*recurrenceSlice(loop)) {}

OuterVectoriser::~OuterVectoriser() { holder->erase(); }

//===-- Values

// The operation's scalar code with block arguments for varying values, whose vectors are in `map`.
// Not for emission, only to be inspected: with block arguments for all values but constants.
OuterVectoriser::Code OuterVectoriser::scalarCode(Operation *op, bool isForEmission,
                                                  IRMapping &map) {
    OpBuilder inside(op->getContext());
    Code code{inside.createBlock(&holder->getRegion(0)), {}, {}};
    auto trap = [&](OpBuilder &, Location, const Trap &t) { code.traps.push_back(t.condition); };
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
            emitScalarOp(inside, constant, {state.dims, scalars, trap});
        } else if (isForEmission && found == varying.end()) {
            scalars[operand] = state.scalars.lookup(operand);
        } else {
            Values arguments, vectors;
            for (Type type : registerTypes(operand.getType()))
                arguments.push_back(code.block->addArgument(type, op->getLoc()));
            if (isForEmission)
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
    emitScalarOp(inside, op, {state.dims, scalars, trap});
    code.result = scalars.lookup(op->getResult(0));
    // Simplification may replace results: as operands of a cast they follow.
    Values kept(code.traps);
    appendParts(kept, code.result);
    auto ends = UnrealizedConversionCastOp::create(inside, op->getLoc(), TypeRange(), kept);
    simplifyOverflow(*code.block);
    ValueRange rest = ends.getOperands();
    code.traps.assign(rest.begin(), rest.begin() + code.traps.size());
    rest = rest.drop_front(code.traps.size());
    code.result = {rest[0], rest.size() > 1 ? rest[1] : Value()};
    ends.erase();
    return code;
}

// Records the symbol that the operation binds, for sizes that use it.
void OuterVectoriser::name(Operation *op) {
    if (auto symbol = dyn_cast<np::SymbolOp>(op))
        named[symbol.getName()] = symbol.getValue();
    else if (auto inner = dyn_cast<np::ForOp>(op))
        named[inner.getVar()] = inner.getBody().getArgument(0);
}

bool OuterVectoriser::canVectorise() {
    name(loop);
    return !loop.getBody()
                .walk<WalkOrder::PreOrder>([&](Operation *op) {
                    name(op);
                    if (recurrence.contains(op))
                        return WalkResult::skip();
                    if (!isa<np::SizeOp, np::PyOp, np::UfuncOp, np::CastOp, np::TruthOp>(op))
                        return WalkResult::advance();
                    IRMapping map;
                    Block *code = scalarCode(op, false, map).block;
                    const bool fits = isExact(*code);
                    code->erase();
                    return fits ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
}

// The symbols of the iteration in a size's expression, and their values.
OuterVectoriser::Named OuterVectoriser::namesIn(np::SizeOp size) {
    Named found;
    np::dimSymbols(size.getExpr(), [&](StringRef name) {
        if (Value value = named.lookup(name))
            found.push_back({np::dimSymbol(b.getContext(), name), value});
    });
    return found;
}

bool OuterVectoriser::isVarying(Operation *op) {
    if (auto size = dyn_cast<np::SizeOp>(op))
        return !namesIn(size).empty();
    return llvm::any_of(op->getOperands(), [&](Value v) { return varying.contains(v); });
}

Scalar OuterVectoriser::lanesOf(Value value) {
    if (auto found = varying.find(value); found != varying.end())
        return found->second;
    const Scalar scalar = state.scalars.lookup(value);
    auto vector = [&](Value part) {
        return part ? splat(b, loop.getLoc(), part, vectorOf(part.getType())) : Value();
    };
    return {vector(scalar.re), vector(scalar.im)};
}

void OuterVectoriser::appendLanes(ValueRange values, Values &parts) {
    for (Value value : values)
        appendParts(parts, lanesOf(value));
}

void OuterVectoriser::bind(ValueRange targets, ValueRange parts) {
    for (Value target : targets)
        varying[target] = takeParts(target.getType(), parts);
}

SmallVector<Type> OuterVectoriser::laneTypes(TypeRange types) {
    SmallVector<Type> vectors;
    for (Type type : types)
        for (Type part : registerTypes(type))
            vectors.push_back(vectorOf(part));
    return vectors;
}

Value OuterVectoriser::both(Value a, Value c) {
    return !a ? c : !c ? a : arith::AndIOp::create(b, loop.getLoc(), a, c).getResult();
}

Value OuterVectoriser::any(Value mask) {
    return LLVM::vector_reduce_or::create(b, loop.getLoc(), b.getI1Type(), mask);
}

Values OuterVectoriser::chosen(Value mask, ValueRange yes, ValueRange no) {
    Values values;
    for (auto [a, c] : llvm::zip_equal(yes, no))
        values.push_back(arith::SelectOp::create(b, loop.getLoc(), mask, a, c));
    return values;
}

//===-- What may raise

void OuterVectoriser::mayTrap(Value condition) {
    Value lanesOfIt = isa<VectorType>(condition.getType())
                          ? condition
                          : splat(b, loop.getLoc(), condition, vectorOf(b.getI1Type()));
    Value now = both(mask, lanesOfIt);
    trapped = trapped ? arith::OrIOp::create(b, loop.getLoc(), trapped, now).getResult() : now;
}

void OuterVectoriser::branchIfTrapped() {
    if (!trapped)
        return;
    Location loc = loop.getLoc();
    if (!scalarFallback) {
        SmallVector<Type> types{b.getI64Type()};
        llvm::append_range(types, ValueRange(before).getTypes());
        scalarFallback = state.newBlock(types, loc);
    }
    Values there{first};
    llvm::append_range(there, before);
    Block *on = state.newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, any(trapped), scalarFallback, there, on, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    b.setInsertionPointToEnd(on);
    trapped = Value();
}

//===-- Control flow

void OuterVectoriser::block(Block &block) {
    for (Operation &op : block.without_terminator())
        operation(&op);
}

void OuterVectoriser::operation(Operation *op) {
    if (isa<np::LoadOp>(op) || recurrence.contains(op)) // emitted before, and after
        return;
    if (auto branch = dyn_cast<np::IfOp>(op))
        return ifOp(branch);
    if (auto inner = dyn_cast<np::WhileOp>(op))
        return whileOp(inner);
    if (auto inner = dyn_cast<np::ForOp>(op))
        return forOp(inner);
    if (auto to = dyn_cast<np::StoreOp>(op))
        return stores.push_back(to);
    name(op);
    if (isa<np::SymbolOp>(op))
        return;
    if (!isVarying(op)) {
        auto trap = [&](OpBuilder &, Location, const Trap &t) { mayTrap(t.condition); };
        emitScalarOp(b, op, {state.dims, state.scalars, trap});
        return;
    }
    IRMapping map;
    const Code code = scalarCode(op, true, map);
    auto vector = emitLanes(b, op->getLoc(), *code.block, lanes, map);
    const auto [re, im] = code.result;
    varying[op->getResult(0)] = {vector(re), im ? vector(im) : Value()};
    for (Value trap : code.traps)
        mayTrap(vector(trap));
    code.block->erase();
}

Values OuterVectoriser::branch(Region &region, Value among) {
    Value around = std::exchange(mask, among);
    block(region.front());
    mask = around;
    Values values;
    appendLanes(region.front().getTerminator()->getOperands(), values);
    return values;
}

// If-conversion: both branches, and a select per result.
void OuterVectoriser::ifOp(np::IfOp op) {
    Location loc = op.getLoc();
    Value condition = lanesOf(op.getCondition()).re;
    Value one = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(vectorOf(b.getI1Type()), b.getBoolAttr(true)));
    Value otherwise = arith::XOrIOp::create(b, loc, condition, one);
    Values yes = branch(op.getThenRegion(), both(mask, condition));
    Values no = branch(op.getElseRegion(), both(mask, otherwise));
    bind(op.getResults_(), chosen(condition, yes, no));
}

Value OuterVectoriser::allLanes() {
    return arith::ConstantOp::create(
        b, loop.getLoc(), DenseElementsAttr::get(vectorOf(b.getI1Type()), b.getBoolAttr(true)));
}

// Ends an iteration of an inner loop: inactive lanes keep what they carry.
void OuterVectoriser::endIteration(np::NextOp next, LoopBuilder &inner, ValueRange carried,
                                   Values again) {
    Values values;
    appendLanes(next.getValues(), values);
    llvm::append_range(again, chosen(mask, values, carried));
    again.push_back(next.getCondition() ? both(mask, lanesOf(next.getCondition()).re) : mask);
    inner.next(again);
}

// loop(carried, active): before; any active lane continues
void OuterVectoriser::whileOp(np::WhileOp op) {
    branchIfTrapped();
    Values inits;
    appendLanes(op.getInits(), inits);
    Value around = mask;
    inits.push_back(mask ? mask : allLanes());
    LoopBuilder inner(state, op.getLoc(), inits, laneTypes(op.getInits().getTypes()),
                      LoopBuilder::Polls::Counted);
    DimValues::Scope scope(state.dims);
    ValueRange carried = inner.carried().drop_back();
    mask = inner.carried().back();
    bind(op.getBefore().getArguments(), carried);
    block(op.getBefore().front());
    branchIfTrapped();
    Operation *test = op.getBefore().front().getTerminator();
    mask = both(mask, lanesOf(test->getOperand(0)).re);
    inner.continueIf(any(mask), carried);
    bind(op.getBody().getArguments(), carried);
    block(op.getBody().front());
    branchIfTrapped();
    endIteration(cast<np::NextOp>(op.getBody().front().getTerminator()), inner, carried, {});
    mask = around;
    bind(op.getResults_(), inner.end());
}

// loop(counter, carried, active): counter < upper, and any lane is active
void OuterVectoriser::forOp(np::ForOp op) {
    Location loc = op.getLoc();
    branchIfTrapped();
    Value upper = state.dims.emit(b, loc, op.getUpper());
    Values inits{state.dims.emit(b, loc, op.getLower())};
    appendLanes(op.getInits(), inits);
    Value around = mask;
    inits.push_back(mask ? mask : allLanes());
    LoopBuilder inner(state, loc, inits, laneTypes(op.getInits().getTypes()),
                      LoopBuilder::Polls::Counted);
    DimValues::Scope scope(state.dims);
    Value counter = inner.carried().front();
    ValueRange carried = inner.carried().drop_front().drop_back();
    mask = inner.carried().back();
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, counter, upper);
    inner.continueIf(arith::AndIOp::create(b, loc, more, any(mask)), carried);
    Value one = arith::ConstantIntOp::create(b, loc, 1, 64);
    Value next = arith::AddIOp::create(b, loc, counter, one);
    state.scalars[op.getBody().getArgument(0)] = {counter, Value()};
    bind(op.getBody().getArguments().drop_front(), carried);
    block(op.getBody().front());
    branchIfTrapped();
    endIteration(cast<np::NextOp>(op.getBody().front().getTerminator()), inner, carried, {next});
    mask = around;
    bind(op.getResults_(), inner.end());
}

//===-- Memory

void OuterVectoriser::atEachLane(llvm::function_ref<void(unsigned, Value)> visit) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        DimValues::Scope scope(state.dims);
        state.dims.bind(np::dimSymbol(b.getContext(), loop.getVar()), iterations[lane]);
        visit(lane, arith::ConstantIntOp::create(b, loop.getLoc(), lane, 64));
    }
}

// A scalar load where the index is the same in all iterations.
void OuterVectoriser::load(np::LoadOp op) {
    Location loc = op.getLoc();
    const SmallVector<DimAttr> indices = np::dimVector(op.getIndices());
    if (llvm::none_of(indices, [&](DimAttr index) { return np::dimUses(index, loop.getVar()); }))
        return emitLoad(state, op);
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

void OuterVectoriser::store(np::StoreOp op) {
    Location loc = op.getLoc();
    Values vectors;
    appendLanes(op.getValue(), vectors);
    atEachLane([&](unsigned, Value number) {
        Values parts;
        for (Value vector : vectors)
            parts.push_back(LLVM::ExtractElementOp::create(b, loc, vector, number));
        ValueRange rest = parts;
        emitStoreOf(state, op, takeParts(op.getValue().getType(), rest));
    });
}

//===-- The loop-carried recurrence

// If-conversion as for vectors: these are operations of numbers.
void OuterVectoriser::recurrenceOperation(Operation *op, Value when) {
    Location loc = op->getLoc();
    if (auto symbol = dyn_cast<np::SymbolOp>(op))
        return state.dims.bind(np::dimSymbol(b.getContext(), symbol.getName()),
                               state.scalars.lookup(symbol.getValue()).re);
    auto branch = dyn_cast<np::IfOp>(op);
    if (!branch) {
        auto trap = [&](OpBuilder &, Location, const Trap &t) {
            mayTrap(arith::AndIOp::create(b, loc, when, t.condition));
        };
        emitScalarOp(b, op, {state.dims, state.scalars, trap});
        return;
    }
    Value condition = state.scalars.lookup(branch.getCondition()).re;
    Value one = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value otherwise = arith::XOrIOp::create(b, loc, condition, one);
    auto arm = [&](Region &region, Value taken) {
        DimValues::Scope scope(state.dims);
        Value both = arith::AndIOp::create(b, loc, when, taken);
        for (Operation &inner : region.front().without_terminator())
            recurrenceOperation(&inner, both);
        Values values;
        for (auto [value, result] :
             llvm::zip_equal(region.front().getTerminator()->getOperands(), branch.getResults_()))
            state.flatten(value, result.getType(), values);
        return values;
    };
    Values yes = arm(branch.getThenRegion(), condition);
    Values no = arm(branch.getElseRegion(), otherwise);
    Values values = chosen(condition, yes, no);
    state.bindResults(branch.getResults_(), values);
}

// Makes the lane's element the scalar of a value that the recurrence uses.
void OuterVectoriser::extractLane(Value value, unsigned lane) {
    auto found = varying.find(value);
    if (found == varying.end())
        return;
    Value number = arith::ConstantIntOp::create(b, loop.getLoc(), lane, 64);
    auto element = [&](Value vector) -> Value {
        if (!vector)
            return {};
        return LLVM::ExtractElementOp::create(b, loop.getLoc(), vector, number);
    };
    state.scalars[value] = {element(found->second.re), element(found->second.im)};
}

// The recurrence of one lane's iteration; returns the next loop-carried values.
Values OuterVectoriser::recurrenceOfLane(ValueRange carried, unsigned lane) {
    DimValues::Scope scope(state.dims);
    state.bindResults(loop.getBody().getArguments().drop_front(), carried);
    auto extractOperands = [&](Operation *op) {
        for (Value operand : op->getOperands())
            extractLane(operand, lane);
        auto size = dyn_cast<np::SizeOp>(op);
        for (auto [symbol, value] : size ? namesIn(size) : Named()) {
            extractLane(value, lane);
            if (Value known = state.scalars.lookup(value).re) // its own are bound with it
                state.dims.bind(symbol, known);
        }
    };
    for (Operation *op : recurrence)
        op->walk(extractOperands);
    extractOperands(loop.getBody().front().getTerminator());
    Value always = arith::ConstantIntOp::create(b, loop.getLoc(), 1, 1);
    for (Operation *op : recurrence)
        recurrenceOperation(op, always);
    auto next = cast<np::NextOp>(loop.getBody().front().getTerminator());
    Values values;
    for (auto [value, argument] :
         llvm::zip_equal(next.getValues(), loop.getBody().getArguments().drop_front()))
        state.flatten(value, argument.getType(), values);
    return values;
}

// Lanes that only fill up the last vectors leave the carried values alone.
void OuterVectoriser::emitRecurrence(Value to, Values &carried) {
    if (carried.empty())
        return;
    Location loc = loop.getLoc();
    for (unsigned lane = 0; lane < lanes; ++lane) {
        Values values = recurrenceOfLane(carried, lane);
        Value number = arith::ConstantIntOp::create(b, loc, lane, 64);
        Value iteration = arith::AddIOp::create(b, loc, first, number);
        Value isActive = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, iteration, to);
        carried = chosen(isActive, values, carried);
    }
}

//===-- The loop

Block *OuterVectoriser::emit(Value from, Value to, Values &carried) {
    Location loc = loop.getLoc();
    auto number = [&](int64_t value) -> Value {
        return arith::ConstantIntOp::create(b, loc, value, 64);
    };
    Value last = arith::SubIOp::create(b, loc, to, number(1));
    auto iterationsOfLanes = [&](Value counter, ValueRange now) {
        first = counter;
        before.assign(now.begin(), now.end());
        charge(state, loc, 64 * lanes);
        Value vector = LLVM::PoisonOp::create(b, loc, vectorOf(b.getI64Type()));
        for (unsigned lane = 0; lane < lanes; ++lane) {
            Value iteration = arith::AddIOp::create(b, loc, first, number(lane));
            iterations.push_back(arith::MinSIOp::create(b, loc, iteration, last));
            vector = LLVM::InsertElementOp::create(b, loc, vector, iterations[lane], number(lane));
        }
        varying[loop.getBody().getArgument(0)] = {vector, Value()};
        loop.getBody().walk([&](np::LoadOp op) { load(op); });
        block(loop.getBody().front());
        Values after = before;
        emitRecurrence(to, after);
        branchIfTrapped();
        for (np::StoreOp op : stores)
            store(op);
        return after;
    };
    carried = emitCountedLoop(state, loc, from, to, lanes, Values(carried), iterationsOfLanes);
    return scalarFallback;
}

} // namespace shapecast
