#include "lower/function/launches.h"

#include "device/limits.h"
#include "ir/error_names.h"
#include "ir/symbols.h"
#include "lower/gpu/gpu_kernel.h"
#include "lower/gpu/gpu_math.h"
#include "lower/kit/errors.h"
#include "lower/kit/runtime_function.h"
#include "lower/kit/slots.h"
#include "lower/nest/nest_context.h"
#include "runtime/device_calls.h"
#include "runtime/memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

ModuleOp kernelsOf(ModuleOp module) {
    if (auto found = module.lookupSymbol<ModuleOp>("kernels"))
        return found;
    OpBuilder end = OpBuilder::atBlockEnd(module.getBody());
    return ModuleOp::create(end, module.getLoc(), StringRef("kernels"));
}

std::string nextKernelName(FunctionState &state) {
    ModuleOp kernels = kernelsOf(state.module);
    std::string base = shownSymbol(state.source.getSymName()).str();
    for (char &c : base)
        if (!llvm::isAlnum(c))
            c = '_';
    std::string name;
    do
        name = base + "_kernel" + std::to_string(state.kernels++);
    while (kernels.lookupSymbol(name));
    return name;
}

bool isOnDevice(Operation *op) {
    return llvm::any_of(op->getOperandTypes(), [](Type type) { return bool(np::deviceOf(type)); });
}

bool canLaunch(func::FuncOp kernel) {
    return kernel.getNumArguments() <= device::mostParameters &&
           !kernel
                ->walk([&](func::CallOp call) {
                    return hasDeviceMath(call.getCallee()) ? WalkResult::advance()
                                                           : WalkResult::interrupt();
                })
                .wasInterrupted();
}

namespace {

SmallVector<func::FuncOp> kernelFunctions(ModuleOp kernels) {
    np::NpDialect::LaunchAttrHelper launches(kernels.getContext());
    SmallVector<func::FuncOp> found;
    for (auto function : kernels.getOps<func::FuncOp>())
        if (launches.isAttrPresent(function))
            found.push_back(function);
    return found;
}

// The sizes among its parameters.
SmallVector<DimAttr> sizesOf(func::FuncOp kernel) {
    auto parameters = np::NpDialect::ParametersAttrHelper(kernel.getContext()).getAttr(kernel);
    SmallVector<DimAttr> sizes;
    for (Attribute parameter : parameters)
        if (auto size = dyn_cast<DimAttr>(parameter))
            sizes.push_back(size);
    return sizes;
}

// Sizes and conversions that the host would compute for the nest move into it, where LLVM takes
// them out of the loops: what is left to pass are parameters and what the host must know anyway.
void sinkScalars(np::NestOp op) {
    Block &body = op.getBody().front();
    SmallVector<Operation *> work;
    for (Operation &inner : body)
        work.push_back(&inner);
    for (size_t k = 0; k < work.size(); ++k)
        for (OpOperand &operand : work[k]->getOpOperands()) {
            Operation *outside = operand.get().getDefiningOp();
            if (!isa_and_nonnull<np::CastOp, np::SizeOp>(outside) || outside->getBlock() == &body)
                continue;
            OpBuilder at(work[k]);
            Operation *inside = at.clone(*outside);
            operand.set(inside->getResult(0));
            work.push_back(inside);
        }
}

// The launches of one nest, or of a group that shares a kernel.
class Launches {
public:
    Launches(FunctionState &state, np::NestOp op)
        : state(state), op(op), loc(op.getLoc()), module(kernelsOf(state.module)) {}
    // `share` of the blocks: 0 or 1. Null: all.
    bool run(DimAttr share = {});
    bool runGroup(ArrayRef<np::NestOp> nests, DimAttr &asks);

private:
    std::string nameOf(Value value);
    NestPlan plan(np::NestOp nest, bool collapses);
    bool isComplete();
    void launch(DimAttr share);
    void allocateScratch();
    void readResults();
    Value number(int64_t value) { return state.dims.constant(state.b, loc, value); }

    FunctionState &state;
    np::NestOp op;
    Location loc;
    ModuleOp module;
    NestKernels nest;
    int64_t parts = 0;                // of the nest's scalar results
    Value scratch, partials, results; // its owner, and addresses on the device
    llvm::DenseMap<Value, std::string> names;
};

// Parameters have their Python names in the comments of f.ptx().
std::string Launches::nameOf(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto parameters = state.source.getArgNamesAttr();
    if (argument && argument.getOwner() == &state.source.getBody().front() && parameters &&
        argument.getArgNumber() < parameters.size())
        return cast<StringAttr>(parameters[argument.getArgNumber()]).str();
    for (auto [k, given] : llvm::enumerate(state.source.getBody().getArguments()))
        if (isa<np::ArrayType>(given.getType()) && state.handles.at(given).pointer == value &&
            parameters && k < parameters.size())
            return cast<StringAttr>(parameters[k]).str();
    auto [found, isNew] = names.try_emplace(value);
    if (isNew)
        found->second = (isa<LLVM::LLVMPointerType>(value.getType()) ? "array" : "scalar") +
                        std::to_string(names.size() - 1);
    return found->second;
}

NestPlan Launches::plan(np::NestOp nest, bool collapses) {
    sinkScalars(nest);
    return planNest(
        nest, [&](Value array) -> const Handle & { return state.handles.at(array); }, collapses);
}

// Whether all of the kernels can be launched; else they are erased.
bool Launches::isComplete() {
    if (llvm::all_of(nest.kernels, canLaunch))
        return true;
    for (func::FuncOp kernel : nest.kernels)
        kernel.erase();
    return false;
}

// One allocation for the slots of blocks and of results.
void Launches::allocateScratch() {
    MLIRContext *ctx = state.b.getContext();
    SmallVector<Type> types;
    for (Value result : op.getResults_())
        llvm::append_range(types, registerTypes(result.getType()));
    parts = int64_t(types.size());
    if (!nest.partials && !nest.hasResults)
        return;
    DimAttr slots = np::dimConst(ctx, parts);
    if (nest.partials) // an arg-reduction has an index besides
        slots = np::dimAdd(slots, np::dimMul(nest.partials, np::dimConst(ctx, nest.parts)));
    Value bytes = state.dims.emit(state.b, loc, np::dimMul(slots, np::dimConst(ctx, 8)));
    scratch = RuntimeFunction<&runtime::sc_device_alloc>(state.module)
                  .call(state.b, loc, state.context, bytes);
    Type pointer = state.context.getType();
    Value null = LLVM::ZeroOp::create(state.b, loc, pointer);
    failWhen(state, LLVM::ICmpOp::create(state.b, loc, LLVM::ICmpPredicate::eq, scratch, null),
             loc);
    results = loadSlot(state, loc, scratch, 0, pointer);
    partials = slotAddress(state, loc, results, parts);
}

void Launches::readResults() {
    if (!nest.hasResults)
        return;
    noteOnDevice(state, loc, "the host waits for a number");
    Value slots = stackSlots(state, loc, parts);
    Value status = RuntimeFunction<&runtime::sc_device_read>(state.module)
                       .call(state.b, loc, state.context, slots, results, number(8 * parts));
    raiseOnDevice(state, status, loc);
    int64_t next = 0;
    for (Value result : op.getResults_()) {
        const SmallVector<Type> types(registerTypes(result.getType()));
        Values values = loadSlots(state, loc, slots, next, types);
        next += int64_t(types.size());
        ValueRange range = values;
        state.scalars[result] = takeParts(result.getType(), range);
    }
}

void Launches::launch(DimAttr share) {
    Values parameters;
    for (Value pointer : nest.pointers)
        parameters.push_back(pointer);
    for (DimAttr size : sizesOf(nest.kernels.front()))
        parameters.push_back(state.dims.emit(state.b, loc, size));
    for (Value scalar : nest.scalars)
        appendParts(parameters, state.scalars.lookup(scalar));
    if (nest.partials)
        parameters.push_back(partials);
    if (nest.hasResults)
        parameters.push_back(results);
    Value slots = storedSlots(state, loc, parameters);
    np::NpDialect::LaunchAttrHelper launches(op.getContext());
    for (func::FuncOp kernel : nest.kernels) {
        const auto blocks = np::dimVector(launches.getAttr(kernel).getBlocks());
        DimAttr across = share ? np::dimMul(blocks[0], share) : blocks[0];
        emitLaunch(state, loc, kernel, slots, state.dims.emit(state.b, loc, across),
                   state.dims.emit(state.b, loc, blocks[1]));
    }
}

bool Launches::run(DimAttr share) {
    for (StringRef order : op.getOrder().value_or(ArrayAttr()).getAsValueRange<StringAttr>())
        if (order != "any")
            return false;
    nest = emitKernels(module, nextKernelName(state), plan(op, /*collapses=*/true),
                       [&](Value value) { return nameOf(value); });
    if (!isComplete())
        return false;
    allocateScratch();
    launch(share);
    readResults();
    if (scratch)
        RuntimeFunction<&runtime::sc_release>(state.module)
            .call(state.b, loc, state.context,
                  LLVM::PtrToIntOp::create(state.b, loc, state.b.getI64Type(), scratch));
    return true;
}

bool Launches::runGroup(ArrayRef<np::NestOp> nests, DimAttr &asks) {
    SmallVector<NestPlan, 0> plans;
    for (np::NestOp one : nests)
        plans.push_back(plan(one, /*collapses=*/false));
    nest = emitRowGroup(
        module, nextKernelName(state) + "_rows", plans, [&](Value value) { return nameOf(value); },
        asks);
    if (!isComplete())
        return false;
    launch({});
    return true;
}

// The nests that follow with the same group, and this one.
SmallVector<np::NestOp> rowGroupFrom(np::NestOp op) {
    SmallVector<np::NestOp> nests{op};
    while (auto next = dyn_cast_or_null<np::NestOp>(nests.back()->getNextNode())) {
        if (next.getRowGroup() != op.getRowGroup())
            break;
        nests.push_back(next);
    }
    return nests;
}

// The group's first nest launches for all of them; so do they where it has no kernel.
bool emitRowGroupLaunches(FunctionState &state, np::NestOp op) {
    auto before = dyn_cast_or_null<np::NestOp>(op->getPrevNode());
    if (before && before.getRowGroup() == op.getRowGroup())
        return true;
    const SmallVector<np::NestOp> nests = rowGroupFrom(op);
    DimAttr asks;
    if (!Launches(state, op).runGroup(nests, asks)) {
        for (np::NestOp nest : nests)
            nest.removeRowGroupAttr();
        return Launches(state, op).run();
    }
    if (asks.isConst(1))
        return true;
    DimAttr rest = np::dimSub(np::dimConst(op.getContext(), 1), asks);
    for (np::NestOp nest : nests)
        Launches(state, nest).run(rest);
    return true;
}

} // namespace

void noteOnDevice(FunctionState &state, Location loc, StringRef what) {
    addSite(state, loc, np::deviceNote, what);
}

Value isNull(FunctionState &state, Location loc, Value pointer) {
    Value null = LLVM::ZeroOp::create(state.b, loc, pointer.getType());
    Value same = LLVM::ICmpOp::create(state.b, loc, LLVM::ICmpPredicate::eq, pointer, null);
    return arith::ExtUIOp::create(state.b, loc, state.b.getI32Type(), same);
}

void raiseOnDevice(FunctionState &state, Value status, Location loc) {
    Value zero = arith::ConstantIntOp::create(state.b, loc, 0, 32);
    raiseWhen(state, arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::ne, status, zero),
              loc, np::deviceError, "", {});
}

// Kernels are numbered in the order of the module.
int64_t kernelNumber(FunctionState &state, func::FuncOp kernel) {
    auto ofModule = kernelFunctions(kernelsOf(state.module));
    return llvm::find(ofModule, kernel) - ofModule.begin();
}

void emitLaunch(FunctionState &state, Location loc, func::FuncOp kernel, Value parameters,
                Value blocksX, Value blocksY) {
    const int64_t index = kernelNumber(state, kernel);
    const np::LaunchAttr launch =
        np::NpDialect::LaunchAttrHelper(kernel.getContext()).getAttr(kernel);
    Values threads;
    for (DimAttr size : np::dimVector(launch.getThreads()))
        threads.push_back(state.dims.emit(state.b, loc, size));
    raiseOnDevice(state,
                  RuntimeFunction<&runtime::sc_device_launch>(state.module)
                      .call(state.b, loc, state.context, state.dims.constant(state.b, loc, index),
                            parameters, blocksX, blocksY, threads[0], threads[1]),
                  loc);
}

bool emitLaunches(FunctionState &state, np::NestOp op) {
    return op.getRowGroup() ? emitRowGroupLaunches(state, op) : Launches(state, op).run();
}

} // namespace shapecast
