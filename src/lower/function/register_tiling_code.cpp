// Register tiling: see the header.
#include "lower/function/register_tiling_code.h"

#include "lower/function/memory.h"
#include "lower/function/shared_loops.h"
#include "lower/kit/loop_builder.h"
#include "lower/kit/polls.h"
#include "lower/kit/vector_code.h"
#include "lower/nest/nest_body.h"
#include "lower/nest/nest_context.h"
#include "passes/loops/parallel.h"
#include "passes/loops/register_tiling.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <numeric>

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

constexpr size_t tileBytes = 256; // four vectors of AVX-512: one alone is bound by latency

} // namespace

RegisterTiling::RegisterTiling(FunctionState &state, np::ForOp loop)
    : state(state), b(state.b), loop(loop), loc(loop.getLoc()) {
    bindHandles(loop);
}

void RegisterTiling::add(ArrayRef<np::NestOp> nests, bool collapses) {
    auto handleOf = [&](Value handle) -> const Handle & { return state.handles.at(handle); };
    for (np::NestOp nest : nests) {
        plans.push_back(planNest(nest, handleOf, collapses));
        for (auto [k, write] : llvm::enumerate(nest.getWrites()))
            if (!replacementOf(write))
                replaced.push_back(
                    {valueBeforeLoop(write, loop), unsigned(plans.size() - 1), unsigned(k)});
    }
}

bool RegisterTiling::tryPlan(TiledNests nests, bool collapses) {
    planned = std::move(nests);
    plans.clear();
    replaced.clear();
    add(planned.before, collapses);
    add(planned.inside, collapses);
    carried = replaced.size();
    add(planned.after, collapses);
    return canVectorise();
}

// All nests in the same loops, collapsed or one per axis; or else those inside the loop alone.
std::optional<TiledNests> RegisterTiling::plan() {
    TiledNests nests = tiledNests(loop), inside{{}, nests.inside, {}};
    if (tryPlan(nests, true) || tryPlan(nests, false) || tryPlan(inside, true))
        return planned;
    return std::nullopt;
}

// Handles of views inside, as expressions over symbols that the loops bind; loop-carried arrays
// have their handles of before the loop.
void RegisterTiling::bindHandles(np::ForOp op) {
    for (auto [argument, init, result] :
         llvm::zip_equal(op.getBody().getArguments().drop_front(), op.getInits(), op.getResults_()))
        state.handles[argument] = state.handles[result] = Handle(state.handles.at(init));
    for (Operation &inside : op.getBody().front())
        if (auto view = dyn_cast<np::ViewOp>(inside))
            state.handles[view] = viewOf(b, state.handles.at(view.getBase()), view);
        else if (auto inner = dyn_cast<np::ForOp>(inside))
            bindHandles(inner);
}

std::optional<unsigned> RegisterTiling::replacementOf(Value handle) {
    const auto *found = llvm::find_if(
        replaced, [&](const Replacement &k) { return k.array == valueBeforeLoop(handle, loop); });
    return found == replaced.end() ? std::nullopt
                                   : std::optional<unsigned>(found - replaced.begin());
}

// The same loops as the first one's, and neighbours along the last loop are contiguous.
bool RegisterTiling::isFit(const NestPlan &plan) {
    if (plan.small || plan.loops.empty() || plan.loops.size() != plans[0].loops.size())
        return false;
    for (auto [own, first] : llvm::zip_equal(plan.loops, plans[0].loops))
        if (own.size != first.size || own.iterators != first.iterators)
            return false;
    const unsigned last = plan.loops.size() - 1;
    auto isSimple = [&](const NestAccess &a) {
        bool isLinear = true;
        np::dimSymbols(a.base, [&](StringRef name) {
            isLinear &= !plan.indexValue.contains(np::dimSymbol(b.getContext(), name));
        });
        return isLinear && a.gatherAxes.empty() && !isComplex(a.dtype);
    };
    return llvm::all_of(plan.reads,
                        [&](const NestAccess &read) {
                            return isSimple(read) &&
                                   (read.steps[last].isConst(0) || read.steps[last].isConst(1));
                        }) &&
           llvm::all_of(plan.writes, [&](const NestAccess &write) {
               return isSimple(write) && write.steps[last].isConst(1) && !isBool(write.dtype);
           });
}

bool RegisterTiling::canVectorise() {
    if (!llvm::all_of(plans, [&](const NestPlan &plan) { return isFit(plan); }))
        return false;
    size_t widest = 1;
    for (const NestPlan &plan : plans) {
        for (const auto *list : {&plan.reads, &plan.writes})
            for (const NestAccess &access : *list)
                widest = std::max(widest, itemSize(access.dtype));
        // Placeholders for the scalars of an iteration: only the form counts here.
        DenseMap<Value, Scalar> scalars = state.scalars;
        for (Value outside : outsideScalars(plan.op)) {
            if (scalars.contains(outside))
                continue;
            Values parts;
            for (Type type : registerTypes(outside.getType()))
                parts.push_back(LLVM::PoisonOp::create(b, loc, type));
            ValueRange rest = parts;
            scalars[outside] = takeParts(outside.getType(), rest);
        }
        const NestContext env{state.dims, plan.pointers, scalars};
        emitOutsideConstants(b, plan.op, env);
        if (!NestBody(plan, env).canVectorise(b))
            return false;
    }
    lanes = tileBytes / widest / (carried > 1 ? 2 : 1);
    return true;
}

bool RegisterTiling::mayShare() {
    for (auto around = loop->getParentOfType<np::ForOp>(); around;
         around = around->getParentOfType<np::ForOp>())
        if (around.getMultithreaded())
            return false;
    return true;
}

//===-- Loops

void RegisterTiling::emit() {
    Value count = state.dims.emit(b, loc, plans[0].loops[0].size);
    if (!mayShare())
        return points(0, {}, state.dims.constant(b, loc, 0), count);
    Value tripCount = arith::SubIOp::create(b, loc, state.dims.emit(b, loc, loop.getUpper()),
                                            state.dims.emit(b, loc, loop.getLower()));
    Value work =
        arith::MulIOp::create(b, loc, tripCount, state.dims.emit(b, loc, iterationCost(loop)));
    shareLoop(state, loc, count, work, [&](Value from, Value to) { points(0, {}, from, to); });
}

void RegisterTiling::points(unsigned level, Values indices, Value from, Value to) {
    if (level + 1 == plans[0].loops.size())
        return row(indices, from, to);
    emitCountedLoop(state, loc, from, to, 1, {}, [&](Value index, ValueRange) {
        Values inner = indices;
        inner.push_back(index);
        points(level + 1, inner, state.dims.constant(b, loc, 0),
               state.dims.emit(b, loc, plans[0].loops[level + 1].size));
        return Values();
    });
}

// Whole tiles, then the masked remainder.
void RegisterTiling::row(const Values &indices, Value from, Value to) {
    auto number = [&](int64_t value) -> Value {
        return arith::ConstantIntOp::create(b, loc, value, 64);
    };
    Value length = arith::SubIOp::create(b, loc, to, from);
    Value rest = arith::AndIOp::create(b, loc, length, number(lanes - 1));
    Value whole = arith::SubIOp::create(b, loc, to, rest);
    auto at = [&](Value index, Value mask) {
        Values inner = indices;
        inner.push_back(index);
        tile(inner, mask);
        return Values();
    };
    emitCountedLoop(state, loc, from, whole, lanes, {},
                    [&](Value index, ValueRange) { return at(index, {}); });
    emitCountedLoop(state, loc, whole, to, lanes, {}, [&](Value index, ValueRange) {
        auto type = VectorType::get(lanes, b.getI64Type());
        SmallVector<int64_t> counting(lanes);
        std::iota(counting.begin(), counting.end(), 0);
        Value numbers =
            arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, ArrayRef(counting)));
        Value limit = splat(b, loc, rest, type);
        return at(index, arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, numbers, limit));
    });
}

//===-- A tile

Value RegisterTiling::address(const NestPlan &plan, const NestAccess &access,
                              const Values &indices) {
    Value sum = state.dims.emit(b, loc, access.base);
    for (auto [index, step] : llvm::zip_equal(indices, access.steps)) {
        if (step.isConst(0))
            continue;
        Value by = arith::MulIOp::create(b, loc, index, state.dims.emit(b, loc, step));
        sum = arith::AddIOp::create(b, loc, sum, by);
    }
    return elementAddress(b, loc, plan.pointers[access.pointer], sum, access.dtype);
}

void RegisterTiling::tile(const Values &indices, Value mask) {
    charge(state, loc, 64 * lanes);
    Values vectors(replaced.size());
    ArrayRef<NestPlan> nests = plans;
    for (const NestPlan &plan : nests.take_front(planned.before.size()))
        element(plan, indices, mask, vectors);
    for (unsigned k = 0; k < carried; ++k)
        if (!vectors[k])
            vectors[k] = load(plans[replaced[k].plan],
                              plans[replaced[k].plan].writes[replaced[k].write], indices, mask);
    llvm::copy(programLoop(loop, indices, mask, ArrayRef(vectors).take_front(carried)),
               vectors.begin());
    for (const NestPlan &plan : nests.take_back(planned.after.size()))
        element(plan, indices, mask, vectors);
    for (auto [k, vector] : llvm::zip_equal(replaced, vectors)) {
        if (isOnlyInRegisters(k.array, loop, planned))
            continue;
        const NestAccess &write = plans[k.plan].writes[k.write];
        storeVector(b, loc, vector, address(plans[k.plan], write, indices), write.dtype, mask);
    }
}

Values RegisterTiling::programLoop(np::ForOp op, const Values &indices, Value mask,
                                   ValueRange carried) {
    Value lower = state.dims.emit(b, loc, op.getLower()),
          upper = state.dims.emit(b, loc, op.getUpper());
    Values inits{arith::ConstantIntOp::create(b, loc, iterationsPerCharge, 64)};
    llvm::append_range(inits, carried);
    auto iteration = [&](Value counter, ValueRange now) {
        Values next{chargeCounted(state, loc, now[0])}, vectors(now.drop_front());
        state.dims.bind(np::dimSymbol(b.getContext(), op.getVar()), counter);
        state.scalars[op.getBody().getArgument(0)] = {counter, Value()};
        for (Operation &inside : op.getBody().front().without_terminator()) {
            auto plan = llvm::find_if(plans, [&](NestPlan &of) { return of.op == &inside; });
            if (plan != plans.end())
                element(*plan, indices, mask, vectors);
            else if (auto inner = dyn_cast<np::ForOp>(inside))
                vectors = programLoop(inner, indices, mask, vectors);
            else if (auto element = dyn_cast<np::LoadOp>(inside))
                emitLoad(state, element);
            else if (auto symbol = dyn_cast<np::SymbolOp>(inside))
                state.dims.bind(np::dimSymbol(b.getContext(), symbol.getName()),
                                state.scalars.lookup(symbol.getValue()).re);
            else if (!isa<np::ViewOp>(inside))
                emitScalarOp(b, &inside, {state.dims, state.scalars, nullptr});
        }
        llvm::append_range(next, vectors);
        return next;
    };
    Values results = emitCountedLoop(state, loc, lower, upper, 1, inits, iteration);
    results.erase(results.begin());
    return results;
}

Value RegisterTiling::load(const NestPlan &plan, const NestAccess &read, const Values &indices,
                           Value mask) {
    Value from = address(plan, read, indices);
    if (read.steps.back().isConst(1))
        return loadVector(b, loc, from, read.dtype, lanes, mask);
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 64);
    Value scalar = loadElement(b, loc, from, zero, read.dtype).re;
    return splat(b, loc, scalar, VectorType::get(lanes, scalar.getType()));
}

// One nest: updates the vectors of what it writes.
void RegisterTiling::element(const NestPlan &plan, const Values &indices, Value mask,
                             Values &vectors) {
    DenseMap<Value, Scalar> scalars = state.scalars; // constants emitted here do not dominate
    const NestContext env{state.dims, plan.pointers, scalars}; // other code
    emitOutsideConstants(b, plan.op, env);
    NestBody body(plan, env);
    body.canVectorise(b);
    Values reads;
    np::NestOp nest = plan.op;
    for (auto [read, handle] : llvm::zip_equal(plan.reads, nest.getReads())) {
        std::optional<unsigned> own = replacementOf(handle);
        const bool isThere = own && *own < vectors.size() && vectors[*own]; // the loops carry some
        reads.push_back(isThere ? vectors[*own] : load(plan, read, indices, mask));
    }
    for (auto [handle, vector] :
         llvm::zip_equal(nest.getWrites(), body.valuesOfLanes(b, lanes, reads)))
        vectors[*replacementOf(handle)] = vector;
}

} // namespace shapecast
