// Nests as functions of their own, and calls of the product library.
#include "lower/function/draws.h"
#include "lower/function/legacy_draws.h"
#include "lower/kit/runtime_function.h"
#include "lower/nest/nest_emit.h"
#include "lower/nest/non_temporal.h"
#include "runtime/abi.h"
#include "runtime/native.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <functional>

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

void FunctionState::moveElements(np::NestOp op, const NestPlan &plan) {
    Location loc = op.getLoc();
    const NestAccess &read = plan.reads[0], &write = plan.writes[0];
    auto address = [&](DimAttr base) {
        return elementAddress(b, loc, plan.pointers[read.pointer], dims.emit(b, loc, base),
                              read.dtype,
                              /*inbounds=*/false);
    };
    DimAttr count = plan.loops[0].size;
    if (inLoop(op))
        charge(loc, dims.emit(b, loc, np::dimPlus(count, 16)));
    DimAttr bytes = np::dimMul(count, np::dimConst(b.getContext(), int64_t(itemSize(read.dtype))));
    Value to = address(write.base), from = address(read.base);
    RuntimeFunction<&runtime::sc_move>(module).call(b, loc, to, from, dims.emit(b, loc, bytes));
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

void FunctionState::copyOrFill(np::NestOp op, const NestPlan &plan) {
    Location loc = op.getLoc();
    const DType dtype = plan.writes[0].dtype;
    auto address = [&](const NestAccess &access) {
        return elementAddress(b, loc, plan.pointers[access.pointer], dims.emit(b, loc, access.base),
                              dtype, /*inbounds=*/false);
    };
    Value to = address(plan.writes[0]);
    auto bytes = [&] {
        DimAttr item = np::dimConst(b.getContext(), int64_t(itemSize(dtype)));
        return dims.emit(b, loc, np::dimMul(plan.loops[0].size, item));
    };
    if (!plan.reads.empty()) {
        Value from = address(plan.reads[0]);
        RuntimeFunction<&runtime::sc_copy>(module).call(b, loc, context, to, from, bytes());
        return;
    }
    Value stored = op.getBody().front().getTerminator()->getOperand(0);
    Value bits = toBits(b, loc, scalars.lookup(stored).re);
    Value word = wordOf(b, loc, bits, itemSize(dtype));
    RuntimeFunction<&runtime::sc_fill>(module).call(b, loc, context, to, word, bytes());
}

std::optional<int64_t> FunctionState::sizeHint(StringRef symbol) {
    auto hints = source.getHintsAttr();
    for (auto [k, type] : llvm::enumerate(source.getArgumentTypes())) {
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

void FunctionState::nest(np::NestOp op) {
    NestPlan plan =
        planNest(op, [&](Value handle) -> const Handle & { return handles.at(handle); });
    if (recheck)
        recheckNest(op, plan);
    if (!checkedLoops.empty())
        noteNest(op);
    if (movesElements(op, plan))
        return moveElements(op, plan);
    if (plan.small)
        return inlineNest(op, plan);
    if (inLoop(op)) { // it polls itself only when it is long
        DimAttr points = np::dimConst(b.getContext(), 1);
        for (const NestLoop &loop : plan.loops)
            points = np::dimMul(points, loop.size);
        charge(op.getLoc(),
               dims.emit(b, op.getLoc(), np::dimAdd(points, np::dimConst(b.getContext(), 16))));
        if (isMaybeShortSum(op, plan))
            return inlineShortSum(op, std::move(plan));
    }
    plan.mayExceedCaches =
        mayStoreNonTemporally(plan, [&](StringRef name) { return sizeHint(name); });
    if (isCopyOrFill(op, plan))
        return copyOrFill(op, plan);
    outlineNest(op, std::move(plan));
}

void FunctionState::inlineNest(np::NestOp op, const NestPlan &plan) {
    DimValues::Scope scope(dims);
    SmallVector<Scalar> values = emitNest(b, plan, {dims, plan.pointers, scalars, {}, {}});
    for (auto [result, value] : llvm::zip_equal(op.getResults_(), values))
        scalars[result] = value;
}

// A sum no longer than a leaf of the summation tree is inlined in the loop. Longer ones call the
// nest's function, and so do those with a gather index that is negative or out of bounds.
void FunctionState::inlineShortSum(np::NestOp op, NestPlan plan) {
    Location loc = op.getLoc();
    Block *few = newBlock({}, loc), *many = newBlock({}, loc),
          *merge = newBlock(flatTypes(op.getResultTypes()), loc);
    Value isLeaf = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                         dims.emit(b, loc, plan.loops[0].size),
                                         dims.constant(b, loc, longestLeaf(plan)));
    cf::CondBranchOp::create(b, loc, isLeaf, few, ValueRange(), many, ValueRange());
    for (Block *block : {few, many}) {
        b.setInsertionPointToEnd(block);
        DimValues::Scope scope(dims);
        const bool isShort = block == few;
        plan.length = isShort ? NestPlan::Length::Leaf : NestPlan::Length::UsuallyLonger;
        if (isShort)
            inlineNest(op, plan);
        else
            outlineNest(op, plan);
        Values values;
        for (Value result : op.getResults_())
            flatten(result, result.getType(), values);
        if (isShort && op.getChecks())
            cf::CondBranchOp::create(b, loc, values.back(), many, ValueRange(), merge, values);
        else
            cf::BranchOp::create(b, loc, merge, values);
    }
    b.setInsertionPointToEnd(merge);
    bindResults(op.getResults_(), merge->getArguments());
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
FunctionState::Values FunctionState::rebasedPointers(Location loc, NestPlan &plan) {
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
                                         : elementAddress(b, loc, pointer, dims.emit(b, loc, start),
                                                          dtype, /*inbounds=*/false));
    }
    return moved;
}

// Parameters: pointers, then symbols, then scalars. The function stays a function (noinline): its
// no-alias claims hold for one execution of the nest, not for the loop around it.
void FunctionState::outlineNest(np::NestOp op, NestPlan plan) {
    Location loc = op.getLoc();
    Values operands = rebasedPointers(loc, plan);
    SmallVector<DimAttr> symbols = planSymbols(plan);
    SmallVector<Value> outside = outsideScalars(op);
    for (DimAttr symbol : symbols)
        operands.push_back(dims.emit(b, loc, symbol));
    const unsigned addresses = operands.size();
    for (Value value : outside)
        appendParts(operands, scalars.lookup(value));
    const bool asBits = takesBits(op, plan);
    for (Value &scalar : MutableArrayRef(operands).drop_front(asBits ? addresses : operands.size()))
        scalar = toBits(b, loc, scalar);
    operands.push_back(context);
    const unsigned bounds = operands.size(); // of a shared loop follow: its iterations [from, to)
    if (plan.shared)
        operands.append(2, dims.constant(b, loc, 0));
    SmallVector<Type> resultTypes;
    for (Value result : op.getResults_())
        llvm::append_range(resultTypes, registerTypes(result.getType()));

    std::string name = (source.getSymName() + ".nest" + Twine(nests)).str();
    OpBuilder inside(source); // nests follow their function
    auto type = inside.getFunctionType(ValueRange(operands).getTypes(), resultTypes);
    auto callee = func::FuncOp::create(inside, loc, name, type);
    callee.setPrivate();
    callee.setNoInline(true);
    MLIRContext *ctx = b.getContext();
    if (!plan.shared)
        np::NpDialect::NotMultithreadedAttrHelper(ctx).setAttr(
            callee, b.getStringAttr(plan.notSharedReason));
    if (auto loop = dyn_cast<np::ForOp>(op->getParentOp()); loop && loop.getStripMined())
        np::NpDialect::StripMinedAttrHelper(ctx).setAttr(callee, b.getUnitAttr());
    inside.setInsertionPointToEnd(callee.addEntryBlock());
    ValueRange parameters = callee.getArguments();
    for (unsigned k = 0; k < plan.pointers.size(); ++k) {
        if (plan.noalias[k])
            callee.setArgAttr(k, "llvm.noalias", b.getUnitAttr());
        if (!plan.written[k])
            callee.setArgAttr(k, "llvm.readonly", b.getUnitAttr());
    }

    DimValues own;
    llvm::DenseMap<Value, Scalar> ownScalars;
    ValueRange rest = parameters.drop_front(plan.pointers.size());
    for (DimAttr symbol : symbols) {
        own.bind(symbol, rest[0]);
        rest = rest.drop_front();
    }
    for (Value value : outside) {
        Values parts;
        for (Type type : registerTypes(value.getType()))
            parts.push_back(asBits ? fromBits(inside, loc, rest[parts.size()], type)
                                   : Value(rest[parts.size()]));
        rest = rest.drop_front(parts.size());
        ValueRange own = parts;
        ownScalars[value] = takeParts(value.getType(), own);
    }
    Values pointers(parameters.take_front(plan.pointers.size()));
    callee.setArgAttr(bounds - 1, "llvm.noalias", b.getUnitAttr());
    NestContext env{own, pointers, ownScalars, parameters[bounds - 1],
                    RuntimeFunction<&runtime::sc_poll>(module).callee};
    if (plan.shared)
        std::tie(env.from, env.to) = std::pair(parameters[bounds], parameters[bounds + 1]);
    emitOutsideConstants(inside, op, env);
    Values returned;
    for (const Scalar &value : emitNest(inside, plan, env))
        appendParts(returned, value);
    func::ReturnOp::create(inside, loc, returned);
    callee->walk([&](LLVM::StoreOp store) {
        if (store.getNontemporal())
            np::NpDialect::NonTemporalAttrHelper(ctx).setAttr(callee, b.getUnitAttr());
    });
    callee->walk([&](LLVM::Prefetch) {
        np::NpDialect::PrefetchedAttrHelper(ctx).setAttr(callee, b.getUnitAttr());
    });
    failed |= own.failed();
    const func::FuncOp first = shared(callee);
    const bool isNew = first == callee;
    callee = first;
    nests += isNew;
    if (isNew && plan.shared)
        shareAtEnd(plan, callee, symbols);
    if (plan.shared)
        operands.back() = dims.emit(b, loc, plan.loops[*plan.shared].size);
    ValueRange values = func::CallOp::create(b, loc, callee, operands).getResults();
    for (Value result : op.getResults_())
        scalars[result] = takeParts(result.getType(), values);
}

// The versions of a loop often contain the same nests, and layers of a model the same strip-mined
// loops: they are compiled once. Returns an earlier function that is equal, or this one.
func::FuncOp FunctionState::shared(func::FuncOp callee) {
    size_t operations = 0;
    callee->walk([&](Operation *) { ++operations; });
    for (auto &[count, earlier] : outlined) {
        if (count != operations || earlier.getFunctionType() != callee.getFunctionType() ||
            earlier.getArgAttrsAttr() != callee.getArgAttrsAttr())
            continue;
        if (!OperationEquivalence::isRegionEquivalentTo(&earlier.getBody(), &callee.getBody(),
                                                        OperationEquivalence::IgnoreLocations))
            continue;
        callee.erase();
        return earlier;
    }
    outlined.push_back({operations, callee});
    return callee;
}

// A matrix as the product functions take it: where it starts, its strides, and the strides of the
// stack that it belongs to.
struct FunctionState::GemmOperand {
    Value pointer;
    DimAttr row, column;
    SmallVector<DimAttr> stack;
};

// Vectors are matrices of one row or column, whose stride along it is 0.
FunctionState::GemmOperand FunctionState::gemmOperand(Value array, bool hasRows, bool hasColumns) {
    const Handle &handle = handles.at(array);
    DimAttr zero = np::dimConst(b.getContext(), 0);
    GemmOperand operand{address(array.getLoc(), handle, array.getType()), zero, zero, {}};
    ArrayRef<DimAttr> strides = handle.strides;
    if (hasColumns) {
        operand.column = strides.back();
        strides = strides.drop_back();
    }
    if (hasRows) {
        operand.row = strides.back();
        strides = strides.drop_back();
    }
    llvm::append_range(operand.stack, strides);
    return operand;
}

// Calls the function for each matrix of the stack; returns whether one failed (i32).
Value FunctionState::gemmStack(Location loc, func::FuncOp callee, ArrayRef<DimAttr> stack,
                               ArrayRef<GemmOperand> operands, ValueRange sizes, DType dtype) {
    SmallVector<Value> pointers, steps, strides;
    for (const GemmOperand &operand : operands) {
        pointers.push_back(operand.pointer);
        for (DimAttr stride : operand.stack)
            steps.push_back(dims.emit(b, loc, stride));
        strides.push_back(dims.emit(b, loc, operand.row));
        strides.push_back(dims.emit(b, loc, operand.column));
    }
    Values counts;
    for (DimAttr dim : stack)
        counts.push_back(dims.emit(b, loc, dim));
    Value zero = dims.constant(b, loc, 0), one = dims.constant(b, loc, 1);
    std::function<Value(OpBuilder &, size_t, ValueRange, Value)> level =
        [&](OpBuilder &inside, size_t axis, ValueRange at, Value status) -> Value {
        if (axis == stack.size()) {
            Values arguments{context};
            llvm::append_range(arguments, sizes);
            for (size_t k = 0; k < operands.size(); ++k)
                arguments.append({at[k], strides[2 * k], strides[2 * k + 1]});
            Value failed = func::CallOp::create(inside, loc, callee, arguments).getResult(0);
            return arith::OrIOp::create(inside, loc, status, failed);
        }
        auto loop = scf::ForOp::create(inside, loc, zero, counts[axis], one, status);
        OpBuilder body = OpBuilder::atBlockBegin(loop.getBody());
        Values next;
        for (size_t k = 0; k < operands.size(); ++k) {
            Value offset = arith::MulIOp::create(body, loc, loop.getInductionVar(),
                                                 steps[k * stack.size() + axis]);
            next.push_back(elementAddress(body, loc, at[k], offset, dtype, /*inbounds=*/false));
        }
        scf::YieldOp::create(body, loc, level(body, axis + 1, next, loop.getRegionIterArg(0)));
        return loop.getResult(0);
    };
    return level(b, 0, pointers, arith::ConstantIntOp::create(b, loc, 0, 32));
}

// sc_gemm_<type>(ctx, m, n, k, a, a_row, a_col, b, b_row, b_col, c, c_row, c_col)
void FunctionState::gemm(np::GemmOp op) {
    Location loc = op.getLoc();
    if (!checkedLoops.empty())
        noteProduct(op);
    MLIRContext *ctx = b.getContext();
    auto left = cast<np::ArrayType>(op.getLhs().getType()),
         right = cast<np::ArrayType>(op.getRhs().getType());
    DType dtype = dtypeOf(left);
    DimAttr one = np::dimConst(ctx, 1), zero = np::dimConst(ctx, 0);
    bool rows = left.getRank() >= 2, columns = right.getRank() >= 2;
    DimAttr m = rows ? left.getDims().drop_back().back() : one;
    DimAttr n = columns ? right.getDims().back() : one, k = left.getDims().back();
    Values sizes{dims.emit(b, loc, m), dims.emit(b, loc, n), dims.emit(b, loc, k)};
    SmallVector<GemmOperand> operands{gemmOperand(op.getLhs(), rows, true),
                                      gemmOperand(op.getRhs(), true, columns)};
    Value cell;
    if (op.getOut()) {
        operands.push_back(gemmOperand(op.getOut(), rows, columns));
    } else {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(&function.getBody().front());
        Value two = arith::ConstantIntOp::create(b, loc, 2, 64); // a complex number has two parts
        cell = LLVM::AllocaOp::create(b, loc, context.getType(), storageType(ctx, dtype), two);
        operands.push_back({cell, zero, zero, {}});
    }
    auto callee = runtimeFunctionNamed(
        module, isBool(dtype) ? "sc_gemm_bool" : std::string("sc_gemm_") + dtypeChar(dtype));
    ArrayRef<DimAttr> stack = left.getDims().drop_back(left.getRank() >= 2 ? 2 : 1);
    Value status = gemmStack(loc, callee, stack, operands, sizes, dtype);
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    failWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, status, ok), loc);
    if (inLoop(op))
        charge(loc, dims.emit(b, loc,
                              np::dimAdd(np::dimMul(np::dimMul(m, n), k), np::dimConst(ctx, 64))));
    if (cell)
        scalars[op.getResult()] = loadElement(b, loc, cell, dims.constant(b, loc, 0), dtype);
}

// Appends an array in the form of runtime/native.h; returns its number of elements.
DimAttr FunctionState::nativeArray(Location loc, Value operand, Values &values) {
    auto array = cast<np::ArrayType>(operand.getType());
    const Handle &handle = handles.at(operand);
    const DType dtype = dtypeOf(array);
    const int64_t kind = isBool(dtype) ? int64_t('?') : int64_t(dtypeChar(dtype));
    values.push_back(dims.constant(b, loc, kind + 256 * array.getRank()));
    values.push_back(address(loc, handle, array));
    DimAttr count = np::dimConst(b.getContext(), 1);
    for (DimAttr dim : array.getDims()) {
        values.push_back(dims.emit(b, loc, dim));
        count = np::dimMul(count, dim);
    }
    for (DimAttr stride : handle.strides)
        values.push_back(dims.emit(b, loc, stride));
    return count;
}

void FunctionState::native(np::NativeOp op) {
    if (auto loop = op.getLoopAttr())
        return ufuncLoop(op, loop.getValue());
    if (draws && draws->isInlined(op))
        return draws->draw(op);
    if (LegacyDraw::isInlined(op))
        return LegacyDraw(*this, op).draw();
    callNative(op);
}

// sc_<name>(ctx, slots): see runtime/native.h for the slots.
void FunctionState::callNative(np::NativeOp op) {
    Location loc = op.getLoc();
    Values values;
    DimAttr work = np::dimConst(b.getContext(), 64);
    for (Value operand : op.getOperands_()) {
        if (isa<np::ArrayType>(operand.getType()))
            work = np::dimAdd(work, nativeArray(loc, operand, values));
        else
            values.push_back(scalars.lookup(operand).re);
    }
    Value slots = stackSlots(loc, std::max<size_t>(values.size(), 1));
    for (auto [k, value] : llvm::enumerate(values))
        storeSlot(loc, slots, k, value);
    const bool mayFail = isa<np::PyIntType>(op.getResult().getType());
    auto callee = runtimeFunctionNamed(module, ("sc_" + op.getName()).str());
    Value status = func::CallOp::create(b, loc, callee, ValueRange{context, slots}).getResult(0);
    auto is = [&](arith::CmpIPredicate predicate, int64_t number) -> Value {
        return arith::CmpIOp::create(b, loc, predicate, status, dims.constant(b, loc, number));
    };
    if (op.getError())
        raiseWhen(is(arith::CmpIPredicate::eq, runtime::nativeRaises), loc, *op.getError(),
                  op.getMessage().value_or(""), {}, op.getNotesAttr());
    if (mayFail)
        failWhen(is(arith::CmpIPredicate::slt, 0), loc);
    if (inLoop(op))
        charge(loc, dims.emit(b, loc, work));
    scalars[op.getResult()] = {status, Value()};
}

// Raises where the frame at `here` is below the stack's limit. The context caches the limit, which
// the run time computes once.
void FunctionState::checkStack(Location loc, Value here) {
    Type i64 = b.getI64Type();
    Value address = LLVM::PtrToIntOp::create(b, loc, i64, here);
    Value known = loadSlot(loc, context, runtime::contextStackSlot, i64);
    auto isBelow = [&](Value end) {
        return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, address, end);
    };
    Block *ask = newBlock({}, loc), *next = newBlock(i64, loc);
    cf::CondBranchOp::create(b, loc, isBelow(known), ask, ValueRange(), next, known);
    b.setInsertionPointToEnd(ask);
    Value end = RuntimeFunction<&runtime::sc_stack_end>(module).call(b, loc, context);
    cf::BranchOp::create(b, loc, next, end);
    b.setInsertionPointToEnd(next);
    raiseWhen(isBelow(next->getArgument(0)), loc, "RecursionError",
              "maximum recursion depth exceeded", {});
}

// Appends three results to those of a call that may raise: whether it did, which of `classes` the
// exception is of, its number.
void FunctionState::catchWhen(Value raised, Location loc, StringRef classes, Value results,
                              int64_t first) {
    Block *next = newBlock({}, loc), *taken = newBlock({}, loc), *none = newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, raised, taken, none, ValueRange(), ArrayRef<int32_t>{1, 2000});
    b.setInsertionPointToEnd(none);
    for (int64_t k = 0; k < 3; ++k)
        storeSlot(loc, results, first + k, arith::ConstantIntOp::create(b, loc, 0, 64));
    cf::BranchOp::create(b, loc, next);
    b.setInsertionPointToEnd(taken);
    Value text = textAddress(loc, classes),
          size = arith::ConstantIntOp::create(b, loc, int64_t(classes.size()), 64);
    Value both = RuntimeFunction<&runtime::sc_catch>(module).call(b, loc, context, text, size);
    Value eight = arith::ConstantIntOp::create(b, loc, 8, 64),
          mask = arith::ConstantIntOp::create(b, loc, 255, 64);
    storeSlot(loc, results, first, arith::ConstantIntOp::create(b, loc, 1, 64));
    storeSlot(loc, results, first + 1, arith::AndIOp::create(b, loc, both, mask));
    storeSlot(loc, results, first + 2, arith::ShRUIOp::create(b, loc, both, eight));
    cf::BranchOp::create(b, loc, next);
    b.setInsertionPointToEnd(next);
}

// A recursive call: arguments and results in slots of this frame (see bindRecursive).
void FunctionState::call(np::CallOp op) {
    if (op.getExpectedAttr())
        return callOut(op);
    Location loc = op.getLoc();
    SmallVector<Value> values;
    for (Value operand : op.getArgs()) {
        flatten(operand, operand.getType(), values);
        if (auto array = dyn_cast<np::ArrayType>(operand.getType()))
            for (DimAttr dim : array.getDims())
                values.push_back(dims.emit(b, loc, dim));
    }
    if (recheck)
        values.push_back(extents);
    SmallVector<Type> resultTypes = flatTypes(op.getResultTypes());
    charge(loc, 16);
    // One frame more: Python's recursion limit is lower, and the stack deeper.
    Value depth = slot(loc, context, runtime::contextDepthSlot);
    Value before = LLVM::LoadOp::create(b, loc, b.getI64Type(), depth);
    Value limit = dims.constant(b, loc, runtime::maxRecursionDepth);
    raiseWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, before, limit), loc,
              "RecursionError", "maximum recursion depth exceeded", {});
    Value deeper = arith::AddIOp::create(b, loc, before, dims.constant(b, loc, 1));
    LLVM::StoreOp::create(b, loc, deeper, depth);
    Value given = stackSlots(loc, std::max<size_t>(values.size(), 1)),
          result = stackSlots(loc, std::max<size_t>(resultTypes.size(), 1));
    checkStack(loc, given);
    for (auto [k, value] : llvm::enumerate(values))
        storeSlot(loc, given, k, value);
    auto catches = op.getCatchesAttr();
    if (catches) // results without memory, for the case that it raises
        for (size_t k = 0; k < resultTypes.size(); ++k)
            storeSlot(loc, result, k, dims.constant(b, loc, int64_t(runtime::ownerArgument)));
    auto callee = declareFunction(module, op.getCallee(), function.getFunctionType());
    Value status =
        func::CallOp::create(b, loc, callee, ValueRange{context, given, result}).getResult(0);
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    Value raised = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, status, ok);
    if (!catches)
        failWhen(raised, loc);
    LLVM::StoreOp::create(b, loc, before, depth);
    if (catches)
        catchWhen(raised, loc, catches.getValue(), result, int64_t(resultTypes.size()) - 3);
    bindResults(op.getOutputs(), loadSlots(loc, result, 0, resultTypes));
}

} // namespace shapecast
