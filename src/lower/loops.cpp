// np-loops: control flow, handles, checks and calls of one function; nests are emitted by
// nest_emit.
#include "lower/loops.h"

#include "lower/function_state.h"
#include "passes/passes.h"
#include "passes/points_to.h"
#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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
    void forOp(np::ForOp op);
    void whileOp(np::WhileOp op);
    // Emits the region with its arguments bound to `arguments`, in a scope of its own; ends with
    // `end`.
    void region(Region &region, ValueRange arguments, llvm::function_ref<void(Operation *)> end);
    void endLoopBody(np::NextOp next, ValueRange destination, Block *again, Block *exit,
                     llvm::function_ref<void(SmallVectorImpl<Value> &)> extra);
    void bindResults(ValueRange results, ValueRange values);
    Value loopCondition(Location loc, Value counter, Value upper, DimAttr step);
};

void FunctionLowering::bindResults(ValueRange results, ValueRange values) {
    for (Value result : results)
        take(result, values);
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
    if (next.getGo())
        cf::CondBranchOp::create(b, loc, truth(next.getGo()), again, carried, exit, values);
    else
        cf::BranchOp::create(b, loc, again, carried);
}

Value FunctionLowering::loopCondition(Location loc, Value counter, Value upper, DimAttr step) {
    auto compare = [&](arith::CmpIPredicate predicate) -> Value {
        return arith::CmpIOp::create(b, loc, predicate, counter, upper);
    };
    if (step.isConst())
        return compare(step.getValue() > 0 ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt);
    Value positive = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                           dims.emit(b, loc, step), dims.constant(b, loc, 0));
    return arith::SelectOp::create(b, loc, positive, compare(arith::CmpIPredicate::slt),
                                   compare(arith::CmpIPredicate::sgt));
}

// header(counter, carried): counter < upper ? body : exit(carried). Steps other than 1 and -1 run
// over the iterations' numbers, since counter + step may pass the end of 64 bits.
void FunctionLowering::forOp(np::ForOp op) {
    Location loc = op.getLoc();
    DimAttr step = op.getStep();
    bool unit = step.isConst(1) || step.isConst(-1);
    Value lower = dims.emit(b, loc, op.getLower()), upper = dims.emit(b, loc, op.getUpper());
    Value stepValue = dims.emit(b, loc, step);
    Value count = unit ? Value() : tripCount(loc, lower, upper, step);

    SmallVector<Type> types{b.getI64Type()};
    llvm::append_range(types, flatTypes(op.getInits().getTypes()));
    SmallVector<Value> inits{unit ? lower : dims.constant(b, loc, 0)};
    ValueRange carriedArguments = op.getBody().getArguments().drop_front();
    for (auto [init, argument] : llvm::zip_equal(op.getInits(), carriedArguments))
        flatten(init, argument.getType(), inits);

    Block *header = newBlock(types, loc), *body = newBlock({}, loc);
    Block *exit = newBlock(ArrayRef(types).drop_front(), loc);
    cf::BranchOp::create(b, loc, header, inits);
    b.setInsertionPointToEnd(header);
    ValueRange arguments = header->getArguments();
    Value counter = arguments[0];
    Value more =
        unit ? loopCondition(loc, counter, upper, step)
             : arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, counter, count).getResult();
    cf::CondBranchOp::create(b, loc, more, body, ValueRange(), exit, arguments.drop_front());

    b.setInsertionPointToEnd(body);
    Value number = counter;
    if (!unit) {
        Value moved = arith::MulIOp::create(b, loc, counter, stepValue);
        number = arith::AddIOp::create(b, loc, lower, moved);
    }
    SmallVector<Value> bodyArguments{number};
    llvm::append_range(bodyArguments, arguments.drop_front());
    auto addOne = [&](SmallVectorImpl<Value> &carried) {
        auto nsw =
            arith::IntegerOverflowFlagsAttr::get(b.getContext(), arith::IntegerOverflowFlags::nsw);
        Value by = unit ? stepValue : dims.constant(b, loc, 1);
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
}

void FunctionLowering::whileOp(np::WhileOp op) {
    Location loc = op.getLoc();
    SmallVector<Type> types = flatTypes(op.getInits().getTypes());
    SmallVector<Value> inits;
    for (auto [init, argument] : llvm::zip_equal(op.getInits(), op.getBody().getArguments()))
        flatten(init, argument.getType(), inits);
    Block *header = newBlock(types, loc), *body = newBlock({}, loc), *exit = newBlock(types, loc);
    cf::BranchOp::create(b, loc, header, inits);
    b.setInsertionPointToEnd(header);
    region(op.getBefore(), header->getArguments(), [&](Operation *test) {
        cf::CondBranchOp::create(b, loc, truth(test->getOperand(0)), body, ValueRange(), exit,
                                 header->getArguments());
    });
    b.setInsertionPointToEnd(body);
    region(op.getBody(), header->getArguments(), [&](Operation *next) {
        endLoopBody(cast<np::NextOp>(next), op.getBody().getArguments(), header, exit,
                    [](SmallVectorImpl<Value> &) {});
    });
    b.setInsertionPointToEnd(exit);
    bindResults(op.getResults_(), exit->getArguments());
}

//===-- Operations

void FunctionLowering::operation(Operation *op) {
    auto counter = recheck ? dyn_cast<np::PyOp>(op) : np::PyOp();
    const bool unwrapped = counter && counter.getNowrap();
    if (unwrapped)
        counter.setNowrap(false); // the check that np-checks took for needless
    auto raise = [&](OpBuilder &, Location loc, const Trap &trap) {
        raiseWhen(trap.condition, loc, unwrapped ? "shapecast.InternalError" : trap.exception,
                  trap.message, {});
    };
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](np::IfOp o) { ifOp(o); })
        .Case([&](np::ForOp o) { forOp(o); })
        .Case([&](np::WhileOp o) { whileOp(o); })
        .Case([&](np::SymbolOp o) {
            dims.bind(np::dimSymbol(b.getContext(), o.getName()), scalars.lookup(o.getValue()).re);
        })
        .Case([&](np::AllocOp o) { handles[o] = allocate(o.getLoc(), o.getType()); })
        .Case([&](np::ViewOp o) { handles[o] = viewOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::ReshapeOp o) { handles[o] = reshape(o); })
        .Case([&](np::ReshapeAnyOp o) { handles[o] = reshapeAny(o); })
        .Case([&](np::CheckWriteableOp o) { handles[o] = checkWriteable(o); })
        .Case([&](np::DiagonalOp o) { handles[o] = diagonalOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::PartOp o) { handles[o] = partOf(b, handles.at(o.getBase()), o); })
        .Case([&](np::LoadOp o) { load(o); })
        .Case([&](np::StoreOp o) { store(o); })
        .Case([&](np::RetainOp o) { retain(o); })
        .Case([&](np::ReleaseOp o) { release(o); })
        .Case([&](np::RequireOp o) { require(o); })
        .Case([&](np::AllHoldOp o) { scalars[o] = {allHold(o), Value()}; })
        .Case([&](np::NestOp o) { nest(o); })
        .Case([&](np::GemmOp o) { gemm(o); })
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
}

// Pure code that nothing uses: offsets of views, sizes that only views needed.
void eraseDead(func::FuncOp function) {
    function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
        if (isOpTriviallyDead(op))
            op->erase();
    });
}

struct LowerToLoops : PassWrapper<LowerToLoops, OperationPass<ModuleOp>> {
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToLoops)
    StringRef getArgument() const final { return "np-loops"; }
    StringRef getDescription() const final { return "nests and control flow to loops"; }
    void getDependentDialects(DialectRegistry &registry) const final {
        registry.insert<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect,
                        LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect>();
    }
    void runOnOperation() final {
        ModuleOp module = getOperation();
        SmallVector<Attribute> sites;
        for (auto function : llvm::make_early_inc_range(module.getOps<np::FuncOp>())) {
            // What has been inlined everywhere is not compiled.
            if (!function.isPrivate() || function->hasAttr("recursive")) {
                FunctionLowering lowering(module, function, sites);
                lowering.run();
                if (lowering.failed || lowering.dims.failed())
                    return signalPassFailure();
            }
            function.erase();
        }
        for (auto function : module.getOps<func::FuncOp>())
            eraseDead(function);
        module->setAttr("np.sites", ArrayAttr::get(&getContext(), sites));
    }
};

} // namespace

std::unique_ptr<Pass> createLowerToLoops() { return std::make_unique<LowerToLoops>(); }

} // namespace shapecast
