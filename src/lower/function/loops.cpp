// np-loops: control flow, handles, checks and calls of one function; nests are emitted by
// nest_emit.
#include "lower/function/loops.h"

#include "lower/function/draws.h"
#include "lower/function/function_state.h"
#include "lower/function/outer_vector_code.h"
#include "lower/function/register_tiling_code.h"
#include "lower/kit/runtime_function.h"
#include "passes/analysis/points_to.h"
#include "passes/loops/parallel.h"
#include "runtime/abi.h"

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
    bool isInnermost(Operation *loop);
    struct Counter; // of a loop
    void nestOp(np::NestOp op);
    void forOp(np::ForOp op);
    void countedLoop(np::ForOp op, const Counter &counter);
    bool emitOuterVector(np::ForOp op, const Counter &all, SmallVectorImpl<Value> &inits,
                         Block *exit);
    void whileOp(np::WhileOp op);
    // Emits the region with its arguments bound to `arguments`, in a scope of its own; ends with
    // `end`.
    void region(Region &region, ValueRange arguments, llvm::function_ref<void(Operation *)> end);
    void endLoopBody(np::NextOp next, ValueRange destination, Block *again, Block *exit,
                     llvm::function_ref<void(SmallVectorImpl<Value> &)> extra);
    using Strip = std::pair<Value, Value>;
    Strip stripOf(Location loc, Value counter, Value bound, bool down);

    llvm::DenseSet<Operation *> emittedWithLoop; // nests
};

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

// Ends a loop body: back to `again` with the next values, or to `exit` with them when np.next says
// stop.
void FunctionLowering::endLoopBody(np::NextOp next, ValueRange destination, Block *again,
                                   Block *exit,
                                   llvm::function_ref<void(SmallVectorImpl<Value> &)> extra) {
    Location loc = next.getLoc();
    SmallVector<Value> carried, values;
    for (auto [value, to] : llvm::zip_equal(next.getValues(), destination))
        flatten(value, to.getType(), values);
    extra(carried);
    llvm::append_range(carried, values);
    if (next.getCondition())
        cf::CondBranchOp::create(b, loc, truth(next.getCondition()), again, carried, exit, values);
    else
        cf::BranchOp::create(b, loc, again, carried);
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
    draws = &own;
    emit();
    draws = nullptr;
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
        nest(op);
}

void FunctionLowering::forOp(np::ForOp op) {
    Location loc = op.getLoc();
    if (op.getRegisterTiled()) {
        RegisterTiling tiling(*this, op);
        std::optional<TiledNests> tiled = recheck ? std::nullopt : tiling.plan();
        if (!tiled || tiled->before.empty())
            for (np::NestOp before : tiledNests(op).before)
                nest(before);
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
        all.end = tripCount(loc, lower, upper, step);
    }
    if (op.getStripMined() && !recheck && checkedLoops.empty())
        return callIterations(loc, all.first, all.end, [&](Value from, Value to) {
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
    shareLoop(loc, count, work, [&](Value from, Value to) {
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

// header(counter, carried): counter < upper ? body : exit(carried). Where the step is not 1 or -1,
// the counter is the iteration number, since counter + step may overflow 64 bits. An innermost loop
// is strip-mined: start(counter, carried) computes the end of a strip, and a poll follows each
// strip but the last.
void FunctionLowering::countedLoop(np::ForOp op, const Counter &all) {
    Location loc = op.getLoc();
    SmallVector<Type> types{b.getI64Type()};
    llvm::append_range(types, flatTypes(op.getInits().getTypes()));
    SmallVector<Value> inits{all.first};
    ValueRange carriedArguments = op.getBody().getArguments().drop_front();
    for (auto [init, argument] : llvm::zip_equal(op.getInits(), carriedArguments))
        flatten(init, argument.getType(), inits);
    Block *exit = newBlock(ArrayRef(types).drop_front(), loc), *start = nullptr;
    if (op.getOuterVector() && !recheck && !emitOuterVector(op, all, inits, exit)) {
        b.setInsertionPointToEnd(exit);
        return bindResults(op.getResults_(), exit->getArguments());
    }

    const bool polls = !isShort(op), hasStrips = polls && isInnermost(op);
    const bool isChecked = op.getDependenceChecked();
    if (isChecked)
        beginPrangeCheck(op);
    const bool down = all.isDown;
    Value bound = all.end, end = bound;
    auto before = [&](Value at, Value limit) -> Value {
        return arith::CmpIOp::create(
            b, loc, down ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, at, limit);
    };
    Value more;
    if (hasStrips) {
        start = newBlock(types, loc);
        Block *strip = newBlock({}, loc);
        cf::BranchOp::create(b, loc, start, inits);
        b.setInsertionPointToEnd(start);
        inits.assign(start->args_begin(), start->args_end());
        cf::CondBranchOp::create(b, loc, before(inits[0], bound), strip, ValueRange(), exit,
                                 ArrayRef(inits).drop_front());
        b.setInsertionPointToEnd(strip);
        std::tie(end, more) = stripOf(loc, inits[0], bound, down);
    }
    Block *header = newBlock(types, loc), *body = newBlock({}, loc);
    cf::BranchOp::create(b, loc, header, inits);
    b.setInsertionPointToEnd(header);
    ValueRange arguments = header->getArguments();
    Value counter = arguments[0];
    Block *rest = hasStrips ? newBlock({}, loc) : exit;
    cf::CondBranchOp::create(b, loc, before(counter, end), body, ValueRange(), rest,
                             hasStrips ? ValueRange() : arguments.drop_front());
    if (hasStrips) {
        Block *pollBlock = newBlock({}, loc);
        b.setInsertionPointToEnd(rest);
        cf::CondBranchOp::create(b, loc, more, pollBlock, ValueRange(), exit,
                                 arguments.drop_front(), ArrayRef<int32_t>{1, 2000});
        b.setInsertionPointToEnd(pollBlock);
        poll(loc);
        cf::BranchOp::create(b, loc, start, arguments);
    }

    b.setInsertionPointToEnd(body);
    if (polls && !hasStrips)
        charge(loc, 64);
    Value number = counter;
    if (!all.isUnit) {
        Value moved = arith::MulIOp::create(b, loc, counter, all.step);
        number = arith::AddIOp::create(b, loc, all.lower, moved);
    }
    SmallVector<Value> bodyArguments{number};
    llvm::append_range(bodyArguments, arguments.drop_front());
    auto addOne = [&](SmallVectorImpl<Value> &carried) {
        auto nsw =
            arith::IntegerOverflowFlagsAttr::get(b.getContext(), arith::IntegerOverflowFlags::nsw);
        Value by = all.isUnit ? all.step : dims.constant(b, loc, 1);
        carried.push_back(arith::AddIOp::create(b, loc, counter, by, nsw));
    };
    {
        DimValues::Scope scope(dims);
        dims.bind(np::dimSymbol(b.getContext(), op.getVar()), number);
        region(op.getBody(), bodyArguments, [&](Operation *next) {
            endLoopBody(cast<np::NextOp>(next), carriedArguments, header, exit, addOne);
        });
    }
    b.setInsertionPointToEnd(exit);
    bindResults(op.getResults_(), exit->getArguments());
    if (isChecked)
        endPrangeCheck(op);
}

// An innermost loop counts its iterations; others take off fuel in each.
void FunctionLowering::whileOp(np::WhileOp op) {
    Location loc = op.getLoc();
    const bool counts = isInnermost(op);
    SmallVector<Type> types = flatTypes(op.getInits().getTypes()), headerTypes = types;
    SmallVector<Value> inits;
    if (counts) {
        headerTypes.insert(headerTypes.begin(), b.getI64Type());
        inits.push_back(arith::ConstantIntOp::create(b, loc, iterationsPerCharge, 64));
    }
    for (auto [init, argument] : llvm::zip_equal(op.getInits(), op.getBody().getArguments()))
        flatten(init, argument.getType(), inits);
    Block *header = newBlock(headerTypes, loc), *body = newBlock({}, loc),
          *exit = newBlock(types, loc);
    cf::BranchOp::create(b, loc, header, inits);
    b.setInsertionPointToEnd(header);
    ValueRange carried = header->getArguments().drop_front(counts);
    region(op.getBefore(), carried, [&](Operation *test) {
        cf::CondBranchOp::create(b, loc, truth(test->getOperand(0)), body, ValueRange(), exit,
                                 carried);
    });
    b.setInsertionPointToEnd(body);
    Value count;
    if (counts)
        count = chargeCounted(loc, header->getArgument(0));
    else
        charge(loc, 64);
    region(op.getBody(), carried, [&](Operation *next) {
        endLoopBody(cast<np::NextOp>(next), op.getBody().getArguments(), header, exit,
                    [&](SmallVectorImpl<Value> &values) {
                        if (counts)
                            values.push_back(count);
                    });
    });
    b.setInsertionPointToEnd(exit);
    bindResults(op.getResults_(), exit->getArguments());
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
            return raiseWhen(trap.condition, loc, exceptionOf(trap), trap.message, {}, {},
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
        raiseWhen(trap.condition, loc, exceptionOf(trap), trap.message, {}, {},
                  trap.messageArgument);
        rest = cf::BranchOp::create(b, loc, common);
        b.setInsertionPointToEnd(common);
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](np::IfOp o) { ifOp(o); })
        .Case([&](np::ForOp o) { loop(o, [&] { forOp(o); }); })
        .Case([&](np::WhileOp o) { loop(o, [&] { whileOp(o); }); })
        .Case([&](np::SymbolOp o) {
            dims.bind(np::dimSymbol(b.getContext(), o.getName()), scalars.lookup(o.getValue()).re);
        })
        .Case([&](np::AllocOp o) { handles[o] = allocate(o.getLoc(), o.getType()); })
        .Case([&](np::ViewOp o) { handles[o] = viewOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::ReshapeOp o) { handles[o] = reshape(o); })
        .Case([&](np::ReshapeAnyOp o) { handles[o] = reshapeAny(o); })
        .Case([&](np::CheckWriteableOp o) { handles[o] = checkWriteable(o); })
        .Case([&](np::WindowsOp o) { handles[o] = windowsOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::DiagonalOp o) { handles[o] = diagonalOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::PartOp o) { handles[o] = partOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::AsStridedOp o) { handles[o] = stridedOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::ReinterpretOp o) { handles[o] = reinterpret(o); })
        .Case([&](np::LoadOp o) { load(o); })
        .Case([&](np::StoreOp o) { store(o); })
        .Case([&](np::RetainOp o) { retain(o); })
        .Case([&](np::ReleaseOp o) { release(o); })
        .Case([&](np::RequireOp o) { require(o); })
        .Case([&](np::AllHoldOp o) { scalars[o] = {allHold(o), Value()}; })
        .Case([&](np::NestOp o) { nestOp(o); })
        .Case([&](np::GemmOp o) { gemm(o); })
        .Case([&](np::NativeOp o) { native(o); })
        .Case([&](np::UnboundOp o) { unbound(o); })
        .Case([&](np::PrintOp o) { print(o); })
        .Case([&](np::CallOp o) { call(o); })
        .Case([&](np::RaiseOp o) { FunctionState::raise(o); })
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
    bindArguments();
    Block &body = source.getBody().front();
    block(body);
    returnValues(cast<np::ReturnOp>(body.getTerminator()));
    finish();
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
    for (auto function : module.getOps<func::FuncOp>())
        eraseDead(function);
    if (failed(checkRuntimeCalls(module)))
        return failure();
    np::NpDialect::SitesAttrHelper(module.getContext())
        .setAttr(module, ArrayAttr::get(module.getContext(), sites));
    return success();
}

} // namespace shapecast
