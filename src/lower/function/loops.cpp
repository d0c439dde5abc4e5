// np-loops: control flow, handles, checks and calls of one function; nests are emitted by
// nest_emit.
#include "lower/function/loops.h"

#include "lower/function/arguments.h"
#include "lower/function/calls.h"
#include "lower/function/containers.h"
#include "lower/function/host_copies.h"
#include "lower/function/launches.h"
#include "lower/function/library_kernels.h"
#include "lower/function/loop_kernel.h"
#include "lower/function/memory.h"
#include "lower/function/nest_calls.h"
#include "lower/function/outer_vector_code.h"
#include "lower/function/prange_check.h"
#include "lower/function/print.h"
#include "lower/function/products.h"
#include "lower/function/register_tiling_code.h"
#include "lower/function/requirements.h"
#include "lower/function/shared_loops.h"
#include "lower/function/text.h"
#include "lower/function/ufunc_loop_calls.h"
#include "lower/gpu/gpu_block.h"
#include "lower/kit/draws.h"
#include "lower/kit/errors.h"
#include "lower/kit/function_state.h"
#include "lower/kit/legacy_draws.h"
#include "lower/kit/loop_builder.h"
#include "lower/kit/native_call.h"
#include "lower/kit/polls.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "passes/analysis/points_to.h"
#include "passes/loops/parallel.h"
#include "runtime/abi.h"
#include "runtime/device_calls.h"
#include "runtime/profile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

//===-- Structured control flow

class FunctionLowering : public FunctionState {
public:
    using FunctionState::FunctionState;
    void run();

private:
    void block(Block &block);
    void operation(Operation *op);
    void unbound(np::UnboundOp op);
    void ifOp(np::IfOp op);
    void loop(Operation *op, llvm::function_ref<void()> emit);
    void placed(Operation *op, llvm::function_ref<void()> emit);
    bool isInnermost(Operation *loop);
    struct Counter; // of a loop
    void nestOp(np::NestOp op);
    void mark(np::MarkOp op);
    void nativeOp(np::NativeOp op);
    void forOp(np::ForOp op);
    void threadLoop(np::ForOp op, gpu::Axis axis);
    bool kernelLoop(np::ForOp op, llvm::function_ref<void()> emit);
    void launchLoop(LoopKernel &kernel, np::ForOp op, llvm::function_ref<void()> emit);
    void countedLoop(np::ForOp op, const Counter &counter);
    Value isBefore(Location loc, const Counter &all, Value at, Value limit);
    void strips(np::ForOp op, const Counter &all, ValueRange inits, Block *exit);
    void iterations(np::ForOp op, const Counter &all, ValueRange inits, Block *exit);
    void iteration(np::ForOp op, const Counter &all, LoopBuilder &loop);
    bool emitOuterVector(np::ForOp op, const Counter &all, SmallVectorImpl<Value> &inits,
                         Block *exit);
    void whileOp(np::WhileOp op);
    // Emits the region with its arguments bound to `arguments`, in a scope of its own; ends with
    // `end`.
    void region(Region &region, ValueRange arguments, llvm::function_ref<void(Operation *)> end);
    Values nextValues(np::NextOp next, ValueRange destination);
    void endLoopBody(np::NextOp next, LoopBuilder &loop, ValueRange carried, ValueRange values);
    using Strip = std::pair<Value, Value>;
    Strip stripOf(Location loc, Value counter, Value bound, bool down);

    Draws *draws = nullptr;                      // of the loop around, if it inlines random numbers
    llvm::DenseSet<Operation *> emittedWithLoop; // nests
};

// max(0, ceil((upper - lower) / step)) for a step of either sign.
Value tripCount(FunctionState &state, Location loc, Value lower, Value upper, DimAttr step) {
    Value zero = state.dims.constant(state.b, loc, 0), one = state.dims.constant(state.b, loc, 1);
    Value by = state.dims.emit(state.b, loc, step);
    Value up = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::sgt, by, zero);
    Value ahead = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::slt, lower, upper);
    Value behind = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::sgt, lower, upper);
    Value runs = arith::SelectOp::create(state.b, loc, up, ahead, behind);
    // As unsigned numbers distance and step cannot overflow: (distance - 1) / |step| + 1.
    auto pick = [&](Value x, Value y) -> Value {
        return arith::SelectOp::create(state.b, loc, up, x, y);
    };
    Value distance = pick(arith::SubIOp::create(state.b, loc, upper, lower),
                          arith::SubIOp::create(state.b, loc, lower, upper));
    Value size = pick(by, arith::SubIOp::create(state.b, loc, zero, by));
    Value less = arith::SubIOp::create(state.b, loc, distance, one);
    Value whole = arith::DivUIOp::create(state.b, loc, less, size);
    Value count = arith::AddIOp::create(state.b, loc, whole, one);
    return arith::SelectOp::create(state.b, loc, runs, count, zero);
}

void FunctionLowering::region(Region &region, ValueRange arguments,
                              llvm::function_ref<void(Operation *)> end) {
    DimValues::Scope scope(dims);
    for (Value argument : region.getArguments())
        take(argument, arguments);
    block(region.front());
    end(region.front().getTerminator());
}

void FunctionLowering::ifOp(np::IfOp op) {
    Location loc = op.getLoc();
    Block *merge = newBlock(flatTypes(op.getResultTypes()), loc);
    Block *yes = newBlock({}, loc), *no = newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, truth(op.getCondition()), yes, ValueRange(), no, ValueRange());
    for (auto [target, arm] :
         {std::pair(yes, &op.getThenRegion()), std::pair(no, &op.getElseRegion())}) {
        b.setInsertionPointToEnd(target);
        region(*arm, {}, [&](Operation *yield) {
            SmallVector<Value> values;
            for (auto [value, result] : llvm::zip_equal(yield->getOperands(), op.getResults_()))
                flatten(value, result.getType(), values);
            cf::BranchOp::create(b, loc, merge, values);
        });
    }
    b.setInsertionPointToEnd(merge);
    bindResults(op.getResults_(), merge->getArguments());
}

// The values of np.next, as the loop carries them.
Values FunctionLowering::nextValues(np::NextOp next, ValueRange destination) {
    Values values;
    for (auto [value, to] : llvm::zip_equal(next.getValues(), destination))
        flatten(value, to.getType(), values);
    return values;
}

// Ends a loop body: the loop goes on with `carried`, or is left with `values` when np.next says
// stop.
void FunctionLowering::endLoopBody(np::NextOp next, LoopBuilder &loop, ValueRange carried,
                                   ValueRange values) {
    if (next.getCondition())
        loop.nextIf(truth(next.getCondition()), carried, values);
    else
        loop.next(carried);
}

// The end of the strip of a loop that begins at `counter` (before `bound`), and whether iterations
// remain after it. A strip-mined loop charges no fuel in its iterations.
FunctionLowering::Strip FunctionLowering::stripOf(Location loc, Value counter, Value bound,
                                                  bool down) {
    Value grain = arith::ConstantIntOp::create(b, loc, runtime::pollGrain, 64);
    Value distance, ahead;
    if (down) {
        distance = arith::SubIOp::create(b, loc, counter, bound);
        ahead = arith::SubIOp::create(b, loc, counter, grain);
    } else {
        distance = arith::SubIOp::create(b, loc, bound, counter);
        ahead = arith::AddIOp::create(b, loc, counter, grain);
    }
    Value more = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt, distance, grain);
    return {arith::SelectOp::create(b, loc, more, ahead, bound), more};
}

// At most 64 iterations, known at compile time: it needs no polls of its own.
static bool isShort(np::ForOp op) {
    if (!op.getLower().isConst() || !op.getUpper().isConst() || !op.getStep().isConst())
        return false;
    double count = double(op.getUpper().getValue() - op.getLower().getValue()) /
                   double(op.getStep().getValue());
    return count <= 64;
}

// A loop with inlined random numbers keeps the generator's state in registers.
void FunctionLowering::loop(Operation *op, llvm::function_ref<void()> emit) {
    Value generator = draws ? Value() : Draws::generatorOf(op);
    if (!generator)
        return emit();
    Draws own(*this, op, generator);
    kept = draws = &own;
    emit();
    kept = draws = nullptr;
    own.end();
}

// No loops, nests or library calls inside.
bool FunctionLowering::isInnermost(Operation *loop) {
    return !loop->walk([&](Operation *inner) {
                    bool isLong =
                        isa<np::WhileOp, np::NestOp, np::GemmOp, np::NativeOp, np::CallOp>(inner) ||
                        (isa<np::ForOp>(inner) && !isShort(cast<np::ForOp>(inner)));
                    isLong &= !draws || !draws->isInlined(inner);
                    return isLong && inner != loop ? WalkResult::interrupt()
                                                   : WalkResult::advance();
                })
                .wasInterrupted();
}

// The emitted induction variable, from `first` until `end`: the program's own where the step is 1
// or -1, else the iteration number.
struct FunctionLowering::Counter {
    Value first, end, lower, step;
    bool isUnit, isDown;
};

// A nest next to a register-tiled loop may be emitted with the loop: see forOp().
void FunctionLowering::nestOp(np::NestOp op) {
    if (isOnDevice(op)) {
        if (!emitLaunches(*this, op))
            onHostCopies(*this, op, [&] { emitNestCall(*this, op); });
        return;
    }
    auto isBefore = [](Operation *other) {
        auto nest = dyn_cast<np::NestOp>(other);
        return nest && nest.getRegisterTiled() == "before";
    };
    Operation *last = op;
    while (isBefore(last))
        last = last->getNextNode();
    auto loop = dyn_cast<np::ForOp>(last);
    const bool isOfLoop = loop && loop.getRegisterTiled();
    if (!isOfLoop && !emittedWithLoop.contains(op))
        emitNestCall(*this, op);
}

void FunctionLowering::mark(np::MarkOp op) {
    Location loc = op.getLoc();
    DimAttr bytes = op.getBytes().value_or(np::dimConst(b.getContext(), 0));
    RuntimeFunction<&runtime::sc_mark>(module).call(
        b, loc, context, dims.constant(b, loc, int64_t(op.getRow())), dims.emit(b, loc, bytes));
}

// Where np-place-loops wants it.
void FunctionLowering::placed(Operation *op, llvm::function_ref<void()> emit) {
    const auto attribute = op->getAttrOfType<StringAttr>("placement");
    const StringRef placement = attribute ? attribute.getValue() : "";
    if (placement == "columns" && isKernel)
        return threadLoop(cast<np::ForOp>(op), gpu::Axis::X);
    if (placement.empty() || placement == "columns" || isKernel)
        return emit();
    if (placement == "kernel" && kernelLoop(cast<np::ForOp>(op), emit))
        return;
    onHostCopies(*this, op, emit);
}

// The iterations from this thread's number along the axis on, in steps of their number.
void FunctionLowering::threadLoop(np::ForOp op, gpu::Axis axis) {
    Location loc = op.getLoc();
    Value lower = dims.emit(b, loc, op.getLower()), step = dims.emit(b, loc, op.getStep());
    Value count = tripCount(*this, loc, lower, dims.emit(b, loc, op.getUpper()), op.getStep());
    Value threads = gpu::threadCount(b, loc, axis);
    Value before = arith::MulIOp::create(b, loc, gpu::blockId(b, loc, axis), threads);
    Value first = arith::AddIOp::create(b, loc, before, gpu::threadId(b, loc, axis));
    Value all = arith::MulIOp::create(b, loc, gpu::blockCount(b, loc, axis), threads);
    LoopBuilder loop(*this, loc, first, TypeRange());
    Value k = loop.carried()[0];
    loop.continueIf(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, k, count),
                    ValueRange());
    DimValues::Scope scope(dims);
    Value moved = arith::MulIOp::create(b, loc, k, step);
    Value number = arith::AddIOp::create(b, loc, lower, moved);
    dims.bind(np::dimSymbol(b.getContext(), op.getVar()), number);
    region(op.getBody(), number, [](Operation *) {});
    loop.next(arith::AddIOp::create(b, loc, k, all).getResult());
    loop.end();
}

// The loop in it whose iterations neighbouring threads share, if there is one.
static np::ForOp columnsOf(np::ForOp op) {
    for (auto inner : op.getBody().getOps<np::ForOp>())
        if (inner.getPlacement() == "columns")
            return inner;
    return {};
}

constexpr std::array<int32_t, 2> rowThreads{128, 1}, tileThreads{32, 8}; // of a block

// False: devices have no code for a function that it calls. `emit` emits the loop itself.
bool FunctionLowering::kernelLoop(np::ForOp op, llvm::function_ref<void()> emit) {
    const bool isTiled = bool(columnsOf(op)); // a warp along the columns
    LoopKernel kernel(*this, op.getLoc(), isTiled ? tileThreads : rowThreads,
                      [&] { threadLoop(op, isTiled ? gpu::Axis::Y : gpu::Axis::X); });
    if (!kernel.isComplete())
        return kernel.erase(), false;
    launchLoop(kernel, op, emit);
    return true;
}

// With a block for so many iterations of the loop, and of its columns. The trip count of these may
// depend on what the loop around computes: then some blocks stride over them.
static std::pair<Value, Value> blocksOf(FunctionState &state, np::ForOp op) {
    Location loc = op.getLoc();
    auto number = [&](int64_t n) { return state.dims.constant(state.b, loc, n); };
    auto blocks = [&](np::ForOp loop, int64_t size) -> Value {
        Value count = tripCount(state, loc, state.dims.emit(state.b, loc, loop.getLower()),
                                state.dims.emit(state.b, loc, loop.getUpper()), loop.getStep());
        Value less = arith::AddIOp::create(state.b, loc, count, number(size - 1));
        return arith::DivUIOp::create(state.b, loc, less, number(size));
    };
    np::ForOp columns = columnsOf(op);
    if (!columns)
        return {blocks(op, rowThreads[0]), number(1)};
    bool isKnown = true;
    for (DimAttr bound : {columns.getLower(), columns.getUpper(), columns.getStep()})
        np::dimSymbols(bound, [&](StringRef name) {
            isKnown &= state.dims.isBound(np::dimSymbol(state.b.getContext(), name));
        });
    constexpr int64_t someBlocks = 8;
    return {isKnown ? blocks(columns, tileThreads[0]) : number(someBlocks),
            blocks(op, tileThreads[1])};
}

// A kernel whose threads may find an error is tried: if one does, the host does the loop again,
// from the start, so that the error is the first one, and what is stored before it is as in Python.
void FunctionLowering::launchLoop(LoopKernel &kernel, np::ForOp op,
                                  llvm::function_ref<void()> emit) {
    Location loc = op.getLoc();
    const auto [blocksX, blocksY] = blocksOf(*this, op);
    if (!kernel.mayRaise())
        return kernel.launch(blocksX, blocksY, Value());
    const DeviceOperands given(*this, op);
    Value saved = RuntimeFunction<&runtime::sc_device_save>(module).call(
        b, loc, context, given.slots, dims.constant(b, loc, int64_t(given.arrays.size())));
    raiseOnDevice(*this, isNull(*this, loc, saved), loc);
    kernel.launch(blocksX, blocksY, loadSlot(*this, loc, saved, 0, context.getType()));
    Value verdict =
        RuntimeFunction<&runtime::sc_device_verdict>(module).call(b, loc, context, saved);
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
    auto is = [&](arith::CmpIPredicate predicate) -> Value {
        return arith::CmpIOp::create(b, loc, predicate, verdict, zero);
    };
    raiseOnDevice(
        *this, arith::ExtUIOp::create(b, loc, b.getI32Type(), is(arith::CmpIPredicate::slt)), loc);
    noteOnDevice(*this, loc, "the host waits for the verdict of a loop that may raise");
    Block *again = newBlock({}, loc), *next = newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, is(arith::CmpIPredicate::sgt), again, next, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    b.setInsertionPointToEnd(again);
    {
        DimValues::Scope scope(dims);
        onHostCopies(*this, op, emit, "repeated by the host after an error");
    }
    cf::BranchOp::create(b, loc, next);
    b.setInsertionPointToEnd(next);
}

void FunctionLowering::forOp(np::ForOp op) {
    Location loc = op.getLoc();
    if (op.getRegisterTiled()) {
        RegisterTiling tiling(*this, op);
        std::optional<TiledNests> tiled = recheck ? std::nullopt : tiling.plan();
        if (!tiled || tiled->before.empty())
            for (np::NestOp before : tiledNests(op).before)
                emitNestCall(*this, before);
        if (tiled) {
            emittedWithLoop.insert_range(tiled->after);
            return tiling.emit();
        }
    }
    DimAttr step = op.getStep();
    const bool isDown = step.isConst(-1), isUnit = step.isConst(1) || isDown;
    Value lower = dims.emit(b, loc, op.getLower()), upper = dims.emit(b, loc, op.getUpper());
    Counter all{lower, upper, lower, dims.emit(b, loc, step), isUnit, isDown};
    if (!isUnit) {
        all.first = dims.constant(b, loc, 0);
        all.end = tripCount(*this, loc, lower, upper, step);
    }
    if (op.getStripMined() && !recheck && checkedLoops.empty())
        return callIterations(*this, loc, all.first, all.end, [&](Value from, Value to) {
            Counter part = all;
            part.first = from;
            part.end = to;
            countedLoop(op, part);
        });
    if (!op.getMultithreaded() || recheck) // the re-check looks buffers up in one context
        return countedLoop(op, all);
    auto moved = [&](Value from, Value by, bool down) -> Value {
        return down ? arith::SubIOp::create(b, loc, from, by).getResult()
                    : arith::AddIOp::create(b, loc, from, by).getResult();
    };
    Value count = isDown ? moved(all.first, all.end, true) : moved(all.end, all.first, true);
    Value perIteration = dims.emit(b, loc, iterationCost(op));
    Value work = arith::MulIOp::create(b, loc, count, perIteration);
    shareLoop(*this, loc, count, work, [&](Value from, Value to) {
        Counter part = all;
        part.first = moved(all.first, from, isDown);
        part.end = moved(all.first, to, isDown);
        countedLoop(op, part);
    });
}

// Emits the loop with an iteration per lane, which then branches to `exit`. True: scalar code must
// follow for the iterations from `inits` on (the counter and the loop-carried values).
bool FunctionLowering::emitOuterVector(np::ForOp op, const Counter &all,
                                       SmallVectorImpl<Value> &inits, Block *exit) {
    OuterVectoriser vectoriser(*this, op);
    if (!vectoriser.canVectorise())
        return true;
    Values carried(llvm::drop_begin(inits));
    Block *rest = vectoriser.emit(all.first, all.end, carried);
    cf::BranchOp::create(b, op.getLoc(), exit, carried);
    if (!rest)
        return false;
    b.setInsertionPointToEnd(rest);
    inits.assign(rest->args_begin(), rest->args_end());
    return true;
}

// Where the step is not 1 or -1, the counter is the iteration number, since counter + step may
// overflow 64 bits.
void FunctionLowering::countedLoop(np::ForOp op, const Counter &all) {
    Location loc = op.getLoc();
    SmallVector<Value> inits{all.first};
    ValueRange carriedArguments = op.getBody().getArguments().drop_front();
    for (auto [init, argument] : llvm::zip_equal(op.getInits(), carriedArguments))
        flatten(init, argument.getType(), inits);
    Block *exit = newBlock(flatTypes(op.getInits().getTypes()), loc);
    if (op.getOuterVector() && !recheck && !emitOuterVector(op, all, inits, exit)) {
        b.setInsertionPointToEnd(exit);
        return bindResults(op.getResults_(), exit->getArguments());
    }

    const bool isChecked = op.getDependenceChecked();
    if (isChecked)
        beginPrangeCheck(*this, op);
    if (!isShort(op) && isInnermost(op) && !isKernel)
        strips(op, all, inits, exit);
    else
        iterations(op, all, inits, exit);
    bindResults(op.getResults_(), exit->getArguments());
    if (isChecked)
        endPrangeCheck(*this, op);
}

Value FunctionLowering::isBefore(Location loc, const Counter &all, Value at, Value limit) {
    const auto predicate = all.isDown ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt;
    return arith::CmpIOp::create(b, loc, predicate, at, limit);
}

// An innermost loop is strip-mined: a poll follows each strip but the last.
void FunctionLowering::strips(np::ForOp op, const Counter &all, ValueRange inits, Block *exit) {
    Location loc = op.getLoc();
    LoopBuilder strips(*this, loc, inits, exit);
    Value from = strips.carried()[0];
    strips.continueIf(isBefore(loc, all, from, all.end), strips.carried().drop_front());
    auto [end, more] = stripOf(loc, from, all.end, all.isDown);
    LoopBuilder strip(*this, loc, strips.carried(), exit);
    Block *rest = newBlock({}, loc), *pollBlock = newBlock({}, loc);
    ValueRange now = strip.carried();
    strip.continueIf(isBefore(loc, all, now[0], end), rest, {});
    b.setInsertionPointToEnd(rest);
    cf::CondBranchOp::create(b, loc, more, pollBlock, ValueRange(), exit, now.drop_front(),
                             ArrayRef<int32_t>{1, 2000});
    b.setInsertionPointToEnd(pollBlock);
    emitPoll(*this, loc);
    strips.next(now);
    b.setInsertionPointToEnd(strip.body);
    iteration(op, all, strip);
}

void FunctionLowering::iterations(np::ForOp op, const Counter &all, ValueRange inits, Block *exit) {
    Location loc = op.getLoc();
    LoopBuilder loop(*this, loc, inits, exit);
    loop.continueIf(isBefore(loc, all, loop.carried()[0], all.end), loop.carried().drop_front());
    if (!isShort(op))
        charge(*this, loc, 64);
    iteration(op, all, loop);
}

void FunctionLowering::iteration(np::ForOp op, const Counter &all, LoopBuilder &loop) {
    Location loc = op.getLoc();
    Value counter = loop.carried()[0], number = counter;
    if (!all.isUnit) {
        Value moved = arith::MulIOp::create(b, loc, counter, all.step);
        number = arith::AddIOp::create(b, loc, all.lower, moved);
    }
    SmallVector<Value> arguments{number};
    llvm::append_range(arguments, loop.carried().drop_front());
    DimValues::Scope scope(dims);
    dims.bind(np::dimSymbol(b.getContext(), op.getVar()), number);
    region(op.getBody(), arguments, [&](Operation *last) {
        auto next = cast<np::NextOp>(last);
        Values values = nextValues(next, op.getBody().getArguments().drop_front()), again;
        auto nsw =
            arith::IntegerOverflowFlagsAttr::get(b.getContext(), arith::IntegerOverflowFlags::nsw);
        Value by = all.isUnit ? all.step : dims.constant(b, loc, 1);
        again.push_back(arith::AddIOp::create(b, loc, counter, by, nsw));
        llvm::append_range(again, values);
        endLoopBody(next, loop, again, values);
    });
    loop.end();
}

// An innermost loop counts its iterations; others take off fuel in each.
void FunctionLowering::whileOp(np::WhileOp op) {
    Location loc = op.getLoc();
    const bool counts = isInnermost(op);
    SmallVector<Value> inits;
    for (auto [init, argument] : llvm::zip_equal(op.getInits(), op.getBody().getArguments()))
        flatten(init, argument.getType(), inits);
    LoopBuilder loop(*this, loc, inits, flatTypes(op.getInits().getTypes()),
                     counts ? LoopBuilder::Polls::Counted : LoopBuilder::Polls::No);
    region(op.getBefore(), loop.carried(),
           [&](Operation *test) { loop.continueIf(truth(test->getOperand(0)), loop.carried()); });
    if (!counts)
        charge(*this, loc, 64);
    region(op.getBody(), loop.carried(), [&](Operation *last) {
        auto next = cast<np::NextOp>(last);
        const Values values = nextValues(next, op.getBody().getArguments());
        endLoopBody(next, loop, values, values);
    });
    bindResults(op.getResults_(), loop.end());
}

//===-- Operations

void FunctionLowering::operation(Operation *op) {
    auto counter = recheck ? dyn_cast<np::PyOp>(op) : np::PyOp();
    const bool isRechecked = counter && counter.getNowrap();
    if (isRechecked)
        counter.setNowrap(false); // the overflow check that np-checks proved needless
    auto exceptionOf = [&](const Trap &trap) -> StringRef {
        return isRechecked ? StringRef("shapecast.InternalError") : StringRef(trap.exception);
    };
    Value guard;               // of the last trap
    Block *common = nullptr;   // where code continues if its tests are skipped
    Operation *rest = nullptr; // the branch that ends those tests
    auto raise = [&](OpBuilder &, Location loc, const Trap &trap) {
        if (!trap.guard)
            return raiseWhen(*this, trap.condition, loc, exceptionOf(trap), trap.message, {}, {},
                             trap.messageArgument);
        if (trap.guard != guard) {
            guard = trap.guard;
            Block *tests = newBlock({}, loc);
            common = newBlock({}, loc);
            cf::CondBranchOp::create(b, loc, guard, tests, common, ValueRange(),
                                     ArrayRef<int32_t>{1, 2000});
            b.setInsertionPointToEnd(tests);
        } else {
            b.setInsertionPointToEnd(rest->getBlock());
            rest->erase();
        }
        raiseWhen(*this, trap.condition, loc, exceptionOf(trap), trap.message, {}, {},
                  trap.messageArgument);
        rest = cf::BranchOp::create(b, loc, common);
        b.setInsertionPointToEnd(common);
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](np::IfOp o) { ifOp(o); })
        .Case([&](np::ForOp o) { placed(o, [&] { loop(o, [&] { forOp(o); }); }); })
        .Case([&](np::WhileOp o) { placed(o, [&] { loop(o, [&] { whileOp(o); }); }); })
        .Case([&](np::SymbolOp o) {
            dims.bind(np::dimSymbol(b.getContext(), o.getName()), scalars.lookup(o.getValue()).re);
        })
        .Case([&](np::AllocOp o) { handles[o] = emitAlloc(*this, o.getLoc(), o.getType()); })
        .Case([&](np::ViewOp o) { handles[o] = viewOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::ReshapeOp o) { handles[o] = emitReshape(*this, o); })
        .Case([&](np::ReshapeAnyOp o) { handles[o] = emitReshapeAny(*this, o); })
        .Case([&](np::CheckWriteableOp o) { handles[o] = emitCheckWriteable(*this, o); })
        .Case([&](np::WindowsOp o) { handles[o] = windowsOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::DiagonalOp o) { handles[o] = diagonalOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::PartOp o) { handles[o] = partOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::AsStridedOp o) { handles[o] = stridedOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::ReinterpretOp o) { handles[o] = emitReinterpret(*this, o); })
        .Case([&](np::LoadOp o) { emitLoad(*this, o); })
        .Case([&](np::StoreOp o) { emitStore(*this, o); })
        .Case([&](np::EntryOp o) { emitEntry(*this, o); })
        .Case([&](np::SetEntryOp o) { emitSetEntry(*this, o); })
        .Case([&](np::AppendOp o) { emitAppend(*this, o); })
        .Case([&](np::ContainerLengthOp o) { emitContainerLength(*this, o); })
        .Case([&](np::TextOp o) { handles[o] = emitText(*this, o); })
        .Case([&](np::TextAtOp o) { handles[o] = emitTextAt(*this, o); })
        .Case([&](np::RetainOp o) { emitRetain(*this, o); })
        .Case([&](np::ReleaseOp o) { emitRelease(*this, o); })
        .Case([&](np::RequireOp o) { emitRequire(*this, o); })
        .Case([&](np::AllHoldOp o) { scalars[o] = {emitAllHold(*this, o), Value()}; })
        .Case([&](np::NestOp o) { nestOp(o); })
        .Case([&](np::GemmOp o) {
            if (!emitDeviceProduct(*this, o))
                onHostCopies(*this, o, [&] { emitProduct(*this, o); });
        })
        .Case([&](np::NativeOp o) {
            if (!emitDeviceNative(*this, o))
                onHostCopies(*this, o, [&] { nativeOp(o); });
        })
        .Case([&](np::MarkOp o) { mark(o); })
        .Case([&](np::UnboundOp o) { unbound(o); })
        .Case([&](np::PrintOp o) { onHostCopies(*this, o, [&] { emitPrint(*this, o); }); })
        .Case([&](np::KeepChangesOp o) { emitKeepChanges(*this, o); })
        .Case([&](np::CallOp o) { emitCall(*this, o); })
        .Case([&](np::RaiseOp o) { onHostCopies(*this, o, [&] { emitRaise(*this, o); }); })
        .Default([&](Operation *o) {
            if (Value base = borrowedFrom(o)) { // a cast: the same object under a wider type
                handles[o->getResult(0)] = Handle(handles.at(base));
                return;
            }
            if (emitScalarOp(b, o, {dims, scalars, raise}))
                return;
            failed = true;
            o->emitError("internal error: np-loops does not know this operation");
        });
}

void FunctionLowering::nativeOp(np::NativeOp op) {
    if (auto loop = op.getLoopAttr())
        return emitUfuncLoop(*this, op, loop.getValue());
    if (emitKeyCall(*this, op) || emitTextCall(*this, op))
        return;
    if (draws && draws->isInlined(op))
        return draws->draw(op);
    if (LegacyDraw::isInlined(op))
        return LegacyDraw(*this, op).draw();
    callNative(*this, op);
}

// A variable without a value: nothing reads it, but loops may carry it.
void FunctionLowering::unbound(np::UnboundOp op) {
    auto array = dyn_cast<np::ArrayType>(op.getType());
    if (!array) {
        emitScalarOp(b, op, {dims, scalars, nullptr});
        return;
    }
    Location loc = op.getLoc();
    DimAttr zero = np::dimConst(b.getContext(), 0);
    Value pointer = LLVM::ZeroOp::create(b, loc, LLVM::LLVMPointerType::get(b.getContext()));
    Value owner = dims.constant(b, loc, runtime::ownerArgument);
    handles[op] = {pointer, owner, zero, SmallVector<DimAttr, 4>(array.getRank(), zero)};
}

void FunctionLowering::block(Block &block) {
    for (Operation &op : block.without_terminator())
        operation(&op);
}

void FunctionLowering::run() {
    bindArguments(*this);
    Block &body = source.getBody().front();
    block(body);
    returnValues(*this, cast<np::ReturnOp>(body.getTerminator()));
    giveChanges(*this);
    finishFunction(*this);
    for (const std::function<void()> &last : atEnd)
        last();
}

// Pure code that nothing uses: offsets of views, sizes that only views needed.
void eraseDead(func::FuncOp function) {
    function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
        if (isOpTriviallyDead(op))
            op->erase();
    });
}

} // namespace

LogicalResult lowerToLoops(ModuleOp module) {
    SmallVector<Attribute> sites;
    for (auto function : llvm::make_early_inc_range(module.getOps<np::FuncOp>())) {
        // What has been inlined everywhere is not compiled.
        if (!function.isPrivate() || function.getRecursive()) {
            if (failed(checkNatives(function)))
                return failure();
            FunctionLowering lowering(module, function, sites);
            lowering.run();
            if (lowering.failed || lowering.dims.failed())
                return failure();
        }
        function.erase();
    }
    module.walk([](func::FuncOp function) { eraseDead(function); });
    if (failed(checkRuntimeCalls(module)))
        return failure();
    np::NpDialect::SitesAttrHelper(module.getContext())
        .setAttr(module, ArrayAttr::get(module.getContext(), sites));
    return success();
}

} // namespace shapecast
