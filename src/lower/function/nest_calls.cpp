#include "lower/function/nest_calls.h"

#include "lower/function/prange_check.h"
#include "lower/function/recheck_code.h"
#include "lower/function/shared_loops.h"
#include "lower/kit/outlined_function.h"
#include "lower/kit/polls.h"
#include "lower/kit/runtime_function.h"
#include "lower/nest/nest_context.h"
#include "lower/nest/nest_emit.h"
#include "lower/nest/non_temporal.h"
#include "runtime/abi.h"
#include "runtime/callbacks.h"
#include "runtime/memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

// x[:-1] = x[1:] of contiguous elements, a memmove: each is read before it is written, whatever the
// order.
static bool movesElements(np::NestOp op, const NestPlan &plan) {
    if (plan.loops.size() != 1 || plan.reads.size() != 1 || plan.writes.size() != 1 ||
        plan.form != NestForm::Plain || plan.loops[0].reduced ||
        !cast<StringAttr>(op.getCombine()[0]).empty())
        return false;
    const NestAccess &read = plan.reads[0], &write = plan.writes[0];
    Block &body = op.getBody().front();
    return read.pointer == write.pointer && read.dtype == write.dtype && read.gatherAxes.empty() &&
           read.steps[0].isConst(1) && write.steps[0].isConst(1) &&
           body.getOperations().size() == 1 &&
           body.getTerminator()->getOperand(0) == body.getArgument(0);
}

static void moveElements(FunctionState &state, np::NestOp op, const NestPlan &plan) {
    Location loc = op.getLoc();
    const NestAccess &read = plan.reads[0], &write = plan.writes[0];
    auto address = [&](DimAttr base) {
        return elementAddress(state.b, loc, plan.pointers[read.pointer],
                              state.dims.emit(state.b, loc, base), read.dtype,
                              /*inbounds=*/false);
    };
    DimAttr count = plan.loops[0].size;
    if (mayRunOften(state, op))
        charge(state, loc, state.dims.emit(state.b, loc, np::dimPlus(count, 16)));
    DimAttr bytes =
        np::dimMul(count, np::dimConst(state.b.getContext(), int64_t(itemSize(read.dtype))));
    Value to = address(write.base), from = address(read.base);
    RuntimeFunction<&runtime::sc_move>(state.module)
        .call(state.b, loc, to, from, state.dims.emit(state.b, loc, bytes));
}

static Value toBits(OpBuilder &b, Location loc, Value value) {
    if (isa<FloatType>(value.getType()))
        value = arith::BitcastOp::create(
            b, loc, b.getIntegerType(value.getType().getIntOrFloatBitWidth()), value);
    if (value.getType() == b.getI64Type())
        return value;
    return arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
}

// Contiguous elements that are copied, or filled with one number: the run time has code for that,
// which need not be compiled. Arrays that may exceed the caches take non-temporal stores instead.
static bool isCopyOrFill(np::NestOp op, const NestPlan &plan) {
    auto isPlain = [&](const NestAccess &access) {
        bool isFixed = access.gatherAxes.empty() && access.steps[0].isConst(1);
        np::dimSymbols(access.base, [&](StringRef name) {
            isFixed &= !plan.indexValue.contains(np::dimSymbol(op.getContext(), name));
        });
        return isFixed;
    };
    if (plan.loops.size() != 1 || plan.loops[0].reduced || !plan.loops[0].any ||
        plan.form != NestForm::Plain || plan.mayExceedCaches || plan.writes.size() != 1 ||
        plan.reads.size() > 1 || op.getNumResults() != 0 ||
        !cast<StringAttr>(op.getCombine()[0]).empty() ||
        op.getBody().front().getOperations().size() != 1 || !isPlain(plan.writes[0]))
        return false;
    Value stored = op.getBody().front().getTerminator()->getOperand(0);
    const DType dtype = plan.writes[0].dtype;
    if (plan.reads.empty())
        return stored.getParentBlock() != &op.getBody().front() && !isComplex(dtype) &&
               dtypeOf(stored.getType()) == dtype;
    return stored == op.getBody().front().getArgument(0) && isPlain(plan.reads[0]) &&
           plan.reads[0].dtype == dtype && plan.noalias[plan.writes[0].pointer];
}

// An item's bits, repeated to fill 8 bytes.
static Value wordOf(OpBuilder &b, Location loc, Value bits, size_t itemSize) {
    const uint64_t ones = itemSize == 1   ? 0x0101010101010101
                          : itemSize == 2 ? 0x0001000100010001
                          : itemSize == 4 ? 0x0000000100000001
                                          : 1;
    Value copies = arith::ConstantIntOp::create(b, loc, int64_t(ones), 64);
    return ones == 1 ? bits : arith::MulIOp::create(b, loc, bits, copies).getResult();
}

static void copyOrFill(FunctionState &state, np::NestOp op, const NestPlan &plan) {
    Location loc = op.getLoc();
    const DType dtype = plan.writes[0].dtype;
    auto address = [&](const NestAccess &access) {
        return elementAddress(state.b, loc, plan.pointers[access.pointer],
                              state.dims.emit(state.b, loc, access.base), dtype,
                              /*inbounds=*/false);
    };
    Value to = address(plan.writes[0]);
    auto bytes = [&] {
        DimAttr item = np::dimConst(state.b.getContext(), int64_t(itemSize(dtype)));
        return state.dims.emit(state.b, loc, np::dimMul(plan.loops[0].size, item));
    };
    if (!plan.reads.empty()) {
        Value from = address(plan.reads[0]);
        RuntimeFunction<&runtime::sc_copy>(state.module)
            .call(state.b, loc, state.context, to, from, bytes());
        return;
    }
    Value stored = op.getBody().front().getTerminator()->getOperand(0);
    Value bits = toBits(state.b, loc, state.scalars.lookup(stored).re);
    Value word = wordOf(state.b, loc, bits, itemSize(dtype));
    RuntimeFunction<&runtime::sc_fill>(state.module)
        .call(state.b, loc, state.context, to, word, bytes());
}

static std::optional<int64_t> sizeHint(FunctionState &state, StringRef symbol) {
    auto hints = state.source.getHintsAttr();
    for (auto [k, type] : llvm::enumerate(state.source.getArgumentTypes())) {
        if (!hints || k >= hints.size())
            break;
        if (auto value = dyn_cast<IntegerAttr>(hints[k]); value && isa<np::PyIntType>(type))
            if (symbol == ("n" + Twine(k)).str())
                return value.getInt();
        auto sizes = dyn_cast<DenseI64ArrayAttr>(hints[k]);
        auto array = dyn_cast<np::ArrayType>(type);
        for (size_t d = 0; sizes && array && d < array.getDims().size(); ++d)
            if (array.getDims()[d].isSymbol() && array.getDims()[d].getName() == symbol)
                return sizes[d];
    }
    return std::nullopt;
}

// A sum of a dozen elements, say, in each iteration of the program's loop: a call takes longer.
static bool isMaybeShortSum(np::NestOp op, const NestPlan &plan) {
    constexpr size_t maxOperations = 16;
    return plan.form == NestForm::Pairwise && plan.loops.size() == 1 && op.getNumResults() != 0 &&
           plan.writes.empty() && op.getBody().front().getOperations().size() <= maxOperations;
}

static void inlineNest(FunctionState &state, np::NestOp op, const NestPlan &plan) {
    DimValues::Scope scope(state.dims);
    SmallVector<Scalar> values =
        emitNest(state.b, plan, {state.dims, plan.pointers, state.scalars, {}, {}});
    for (auto [result, value] : llvm::zip_equal(op.getResults_(), values))
        state.scalars[result] = value;
}

// The run time calls it on threads, and passes all operands in integer registers.
static bool takesBits(np::NestOp op, const NestPlan &plan) {
    return plan.shared && op.getNumResults() == 0;
}

static Value fromBits(OpBuilder &b, Location loc, Value bits, Type type) {
    Type narrow = b.getIntegerType(type.getIntOrFloatBitWidth());
    if (narrow != bits.getType())
        bits = arith::TruncIOp::create(b, loc, narrow, bits);
    return isa<FloatType>(type) ? arith::BitcastOp::create(b, loc, type, bits).getResult() : bits;
}

// An offset that the pointer's accesses share, but for constants: the loop-invariant terms of the
// first one's base.
static DimAttr commonStart(const NestPlan &plan, unsigned pointer) {
    MLIRContext *ctx = plan.op->getContext();
    const NestAccess *first = nullptr;
    for (const auto *list : {&plan.reads, &plan.writes})
        for (const NestAccess &access : *list) {
            if (access.pointer != pointer)
                continue;
            if (first && first->dtype != access.dtype)
                return np::dimConst(ctx, 0);
            first = first ? first : &access;
        }
    DimAttr start = np::dimConst(ctx, 0);
    for (const np::DimTerm &term : np::dimTerms(first->base)) {
        bool isFixed = true;
        np::dimSymbols(term.monomial, [&](StringRef name) {
            isFixed &= !plan.indexValue.contains(np::dimSymbol(ctx, name));
        });
        if (isFixed)
            start =
                np::dimAdd(start, np::dimMul(np::dimConst(ctx, term.coefficient), term.monomial));
    }
    return start;
}

// The pointers that the nest's function takes: rebased to where its accesses begin, so that it
// needs fewer symbols, and nests that differ only in that are one function.
static Values rebasedPointers(FunctionState &state, Location loc, NestPlan &plan) {
    Values moved;
    for (auto [k, pointer] : llvm::enumerate(plan.pointers)) {
        DimAttr start = commonStart(plan, k);
        DType dtype = DType::Bool;
        for (auto *list : {&plan.reads, &plan.writes})
            for (NestAccess &access : *list)
                if (access.pointer == k) {
                    access.base = np::dimSub(access.base, start);
                    dtype = access.dtype;
                }
        moved.push_back(start.isConst(0) ? pointer
                                         : elementAddress(state.b, loc, pointer,
                                                          state.dims.emit(state.b, loc, start),
                                                          dtype, /*inbounds=*/false));
    }
    return moved;
}

// What a nest's function is called with: pointers, then symbols, then scalars, the context, and the
// bounds of a shared loop.
struct NestParameters {
    Values operands;
    SmallVector<DimAttr> symbols;
    SmallVector<Value> outside; // scalars
    bool asBits;                // so the scalars are passed
    unsigned context;           // its number
};

static NestParameters parametersOf(FunctionState &state, np::NestOp op, NestPlan &plan) {
    Location loc = op.getLoc();
    NestParameters nest{rebasedPointers(state, loc, plan), planSymbols(plan), outsideScalars(op),
                        takesBits(op, plan), 0};
    for (DimAttr symbol : nest.symbols)
        nest.operands.push_back(state.dims.emit(state.b, loc, symbol));
    const unsigned addresses = nest.operands.size();
    for (Value value : nest.outside)
        appendParts(nest.operands, state.scalars.lookup(value));
    if (nest.asBits)
        for (Value &scalar : MutableArrayRef(nest.operands).drop_front(addresses))
            scalar = toBits(state.b, loc, scalar);
    nest.context = nest.operands.size();
    nest.operands.push_back(state.context);
    if (plan.shared)
        nest.operands.append(2, state.dims.constant(state.b, loc, 0));
    return nest;
}

// It stays a function (noinline): its no-alias claims hold for one execution of the nest, not for
// the loop around it.
static func::FuncOp makeNestFunction(FunctionState &state, np::NestOp op, const NestPlan &plan,
                                     const NestParameters &nest) {
    SmallVector<Type> results;
    for (Value result : op.getResults_())
        llvm::append_range(results, registerTypes(result.getType()));
    std::string name = (state.source.getSymName() + ".nest" + Twine(state.nests)).str();
    OpBuilder before(state.source); // nests follow their function
    auto callee =
        makePrivate(before, op.getLoc(), name,
                    before.getFunctionType(ValueRange(nest.operands).getTypes(), results));
    callee.setNoInline(true);
    MLIRContext *ctx = op.getContext();
    if (!plan.shared)
        np::NpDialect::NotMultithreadedAttrHelper(ctx).setAttr(
            callee, before.getStringAttr(plan.notSharedReason));
    if (auto loop = dyn_cast<np::ForOp>(op->getParentOp()); loop && loop.getStripMined())
        np::NpDialect::StripMinedAttrHelper(ctx).setAttr(callee, before.getUnitAttr());
    callee.addEntryBlock();
    for (unsigned k = 0; k < plan.pointers.size(); ++k) {
        if (plan.noalias[k])
            callee.setArgAttr(k, "llvm.noalias", before.getUnitAttr());
        if (!plan.written[k])
            callee.setArgAttr(k, "llvm.readonly", before.getUnitAttr());
    }
    callee.setArgAttr(nest.context, "llvm.noalias", before.getUnitAttr());
    return callee;
}

// Emits the nest into its function.
static void fillNestFunction(FunctionState &state, np::NestOp op, const NestPlan &plan,
                             const NestParameters &nest, func::FuncOp callee) {
    Location loc = op.getLoc();
    OpBuilder inside = OpBuilder::atBlockEnd(&callee.getBody().front());
    ValueRange parameters = callee.getArguments();
    DimValues dims;
    llvm::DenseMap<Value, Scalar> scalars;
    ValueRange rest = parameters.drop_front(plan.pointers.size());
    for (DimAttr symbol : nest.symbols) {
        dims.bind(symbol, rest[0]);
        rest = rest.drop_front();
    }
    for (Value value : nest.outside) {
        Values parts;
        for (Type type : registerTypes(value.getType()))
            parts.push_back(nest.asBits ? fromBits(inside, loc, rest[parts.size()], type)
                                        : Value(rest[parts.size()]));
        rest = rest.drop_front(parts.size());
        ValueRange own = parts;
        scalars[value] = takeParts(value.getType(), own);
    }
    Values pointers(parameters.take_front(plan.pointers.size()));
    NestContext env{dims, pointers, scalars, parameters[nest.context],
                    RuntimeFunction<&runtime::sc_poll>(state.module).callee};
    if (plan.shared)
        std::tie(env.from, env.to) =
            std::pair(parameters[nest.context + 1], parameters[nest.context + 2]);
    emitOutsideConstants(inside, op, env);
    Values returned;
    for (const Scalar &value : emitNest(inside, plan, env))
        appendParts(returned, value);
    func::ReturnOp::create(inside, loc, returned);
    MLIRContext *ctx = op.getContext();
    callee->walk([&](LLVM::StoreOp store) {
        if (store.getNontemporal())
            np::NpDialect::NonTemporalAttrHelper(ctx).setAttr(callee, inside.getUnitAttr());
    });
    callee->walk([&](LLVM::Prefetch) {
        np::NpDialect::PrefetchedAttrHelper(ctx).setAttr(callee, inside.getUnitAttr());
    });
    state.failed |= dims.failed();
}

static void outlineNest(FunctionState &state, np::NestOp op, NestPlan plan) {
    Location loc = op.getLoc();
    NestParameters nest = parametersOf(state, op, plan);
    const func::FuncOp made = makeNestFunction(state, op, plan, nest);
    fillNestFunction(state, op, plan, nest, made);
    func::FuncOp callee = mergeEqual(state, made);
    const bool isNew = callee == made;
    state.nests += isNew;
    if (isNew && plan.shared)
        shareAtEnd(state, plan, callee, nest.symbols);
    if (plan.shared)
        nest.operands.back() = state.dims.emit(state.b, loc, plan.loops[*plan.shared].size);
    ValueRange values = func::CallOp::create(state.b, loc, callee, nest.operands).getResults();
    for (Value result : op.getResults_())
        state.scalars[result] = takeParts(result.getType(), values);
}

// A sum no longer than a leaf of the summation tree is inlined in the loop. Longer ones call the
// nest's function, and so do those with a gather index that is negative or out of bounds.
static void inlineShortSum(FunctionState &state, np::NestOp op, NestPlan plan) {
    Location loc = op.getLoc();
    Block *few = state.newBlock({}, loc), *many = state.newBlock({}, loc),
          *merge = state.newBlock(state.flatTypes(op.getResultTypes()), loc);
    Value isLeaf = arith::CmpIOp::create(state.b, loc, arith::CmpIPredicate::sle,
                                         state.dims.emit(state.b, loc, plan.loops[0].size),
                                         state.dims.constant(state.b, loc, longestLeaf(plan)));
    cf::CondBranchOp::create(state.b, loc, isLeaf, few, ValueRange(), many, ValueRange());
    for (Block *block : {few, many}) {
        state.b.setInsertionPointToEnd(block);
        DimValues::Scope scope(state.dims);
        const bool isShort = block == few;
        plan.length = isShort ? NestPlan::Length::Leaf : NestPlan::Length::UsuallyLonger;
        if (isShort)
            inlineNest(state, op, plan);
        else
            outlineNest(state, op, plan);
        Values values;
        for (Value result : op.getResults_())
            state.flatten(result, result.getType(), values);
        if (isShort && op.getChecks())
            cf::CondBranchOp::create(state.b, loc, values.back(), many, ValueRange(), merge,
                                     values);
        else
            cf::BranchOp::create(state.b, loc, merge, values);
    }
    state.b.setInsertionPointToEnd(merge);
    state.bindResults(op.getResults_(), merge->getArguments());
}

void emitNestCall(FunctionState &state, np::NestOp op) {
    NestPlan plan =
        planNest(op, [&](Value handle) -> const Handle & { return state.handles.at(handle); });
    if (state.recheck)
        recheckNest(state, op, plan);
    if (!state.checkedLoops.empty())
        noteNest(state, op);
    if (movesElements(op, plan))
        return moveElements(state, op, plan);
    if (plan.small)
        return inlineNest(state, op, plan);
    if (mayRunOften(state, op)) { // it polls itself only when it is long
        DimAttr points = np::dimConst(state.b.getContext(), 1);
        for (const NestLoop &loop : plan.loops)
            points = np::dimMul(points, loop.size);
        charge(state, op.getLoc(),
               state.dims.emit(state.b, op.getLoc(),
                               np::dimAdd(points, np::dimConst(state.b.getContext(), 16))));
        if (isMaybeShortSum(op, plan))
            return inlineShortSum(state, op, std::move(plan));
    }
    plan.mayExceedCaches =
        mayStoreNonTemporally(plan, [&](StringRef name) { return sizeHint(state, name); });
    if (isCopyOrFill(op, plan))
        return copyOrFill(state, op, plan);
    outlineNest(state, op, std::move(plan));
}

} // namespace shapecast
