// Building blocks of np-loops: the calling convention, checks and memory. Nests and library calls:
// nest_calls.cpp.
#include "lower/function/function_state.h"

#include "lower/function/draws.h"

#include "lower/kit/runtime_function.h"
#include "runtime/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

static bool byAddress(Value a, Value b) { return a.getAsOpaquePointer() < b.getAsOpaquePointer(); }

FunctionState::FunctionState(ModuleOp module, np::FuncOp source, SmallVectorImpl<Attribute> &sites)
    : module(module), source(source), b(source),
      recheck(np::NpDialect::RecheckAttrHelper(module.getContext()).isAttrPresent(module)),
      handles(byAddress), sites(sites) {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto type = b.getFunctionType({pointer, pointer, pointer}, {b.getI32Type()});
    function = module.lookupSymbol<func::FuncOp>(source.getSymName()); // declared by a call
    if (!function)
        function = func::FuncOp::create(b, source.getLoc(), source.getSymName(), type);
    if (source.getRecursive()) {
        function.setPrivate();
        function->setAttr("passthrough",
                          b.getStrArrayAttr({"python_scalars"})); // see expandVectorMath
    }
    Block *entry = function.addEntryBlock();
    context = entry->getArgument(0);
    arguments = entry->getArgument(1);
    results = entry->getArgument(2);
    failure = new Block;
    b.setInsertionPointToEnd(entry);
}

Block *FunctionState::newBlock(TypeRange types, Location loc) {
    auto *block = new Block;
    function.getBody().push_back(block);
    for (Type type : types)
        block->addArgument(type, loc);
    return block;
}

//===-- Flat values

SmallVector<Type> FunctionState::flatTypes(TypeRange types) {
    SmallVector<Type> flat;
    for (Type type : types) {
        if (auto array = dyn_cast<np::ArrayType>(type)) {
            flat.push_back(LLVM::LLVMPointerType::get(b.getContext()));
            flat.append(1 + dynamicStrides(array), b.getI64Type());
        } else {
            llvm::append_range(flat, registerTypes(type));
        }
    }
    return flat;
}

void FunctionState::flatten(Value value, Type as, SmallVectorImpl<Value> &values) {
    Location loc = value.getLoc();
    if (auto array = dyn_cast<np::ArrayType>(as)) {
        const Handle &handle = handles.at(value);
        values.push_back(address(loc, handle, array));
        values.push_back(handle.owner);
        for (unsigned d = 0; d < dynamicStrides(array); ++d)
            values.push_back(dims.emit(b, loc, handle.strides[d]));
    } else if (isRegister(as)) {
        appendParts(values, scalars.lookup(value));
    }
}

void FunctionState::take(Value target, ValueRange &values) {
    auto array = dyn_cast<np::ArrayType>(target.getType());
    if (!array) {
        if (isRegister(target.getType()))
            scalars[target] = takeParts(target.getType(), values);
        return;
    }
    Handle handle{values[0], values[1], np::dimConst(b.getContext(), 0), {}};
    SmallVector<DimAttr> dynamic;
    for (Value stride : values.slice(2, dynamicStrides(array)))
        dynamic.push_back(dims.fresh(stride, "stride"));
    handle.strides = np::stridesOf(array, dynamic);
    handles[target] = handle;
    values = values.drop_front(2 + dynamic.size());
}

void FunctionState::bindResults(ValueRange results, ValueRange values) {
    for (Value result : results)
        take(result, values);
}

Value FunctionState::truth(Value condition) {
    Scalar value = scalars.lookup(condition);
    DType dtype = dtypeOf(condition.getType());
    return isBool(dtype) ? value.re : emitCast(b, condition.getLoc(), value, dtype, DType::Bool).re;
}

//===-- Arguments and results

Value FunctionState::slot(Location loc, Value base, int64_t index) {
    if (index == 0)
        return base;
    return LLVM::GEPOp::create(b, loc, base.getType(), b.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(index)},
                               LLVM::GEPNoWrapFlags::inbounds);
}

Value FunctionState::loadSlot(Location loc, Value base, int64_t index, Type type) {
    if (type.isInteger(1)) {
        Value byte = LLVM::LoadOp::create(b, loc, b.getI8Type(), slot(loc, base, index));
        return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, byte,
                                     arith::ConstantIntOp::create(b, loc, 0, 8));
    }
    return LLVM::LoadOp::create(b, loc, type, slot(loc, base, index)); // low bits come first
}

void FunctionState::storeSlot(Location loc, Value base, int64_t index, Value value) {
    if (value.getType().isInteger(1))
        value = arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
    LLVM::StoreOp::create(b, loc, value, slot(loc, base, index));
}

SmallVector<Value> FunctionState::loadSlots(Location loc, Value base, int64_t first,
                                            TypeRange types) {
    Values values;
    for (Type type : types)
        values.push_back(loadSlot(loc, base, first++, type));
    return values;
}

Handle FunctionState::argumentHandle(BlockArgument argument, int64_t &next) {
    Location loc = argument.getLoc();
    auto array = cast<np::ArrayType>(argument.getType());
    int64_t rank = array.getRank();
    Handle handle;
    handle.pointer = loadSlot(loc, arguments, next, LLVM::LLVMPointerType::get(b.getContext()));
    handle.owner = dims.constant(
        b, loc, int64_t(argument.getArgNumber()) << 2 | int64_t(runtime::ownerArgument));
    handle.offset = np::dimConst(b.getContext(), 0);
    SmallVector<DimAttr> dynamic;
    for (unsigned d = 0; d < dynamicStrides(array); ++d) {
        DimAttr known = np::knownStride(argument, d);
        auto read = [&] { return loadSlot(loc, arguments, next + 1 + rank + d, b.getI64Type()); };
        dynamic.push_back(known ? known : dims.fresh(read(), "stride"));
    }
    handle.strides = np::stridesOf(array, dynamic);
    next += 1 + 2 * rank;
    return handle;
}

// A recursive function takes its arguments flattened as loop-carried values are (an array with its
// owner), each array followed by its sizes; its results are flattened in the same way.
void FunctionState::bindRecursive() {
    int64_t next = 0;
    for (BlockArgument argument : source.getBody().getArguments()) {
        Location loc = argument.getLoc();
        SmallVector<Type> types = flatTypes(argument.getType());
        Values values = loadSlots(loc, arguments, next, types);
        next += int64_t(types.size());
        if (auto array = dyn_cast<np::ArrayType>(argument.getType()))
            for (DimAttr dim : array.getDims())
                dims.bind(dim, loadSlot(loc, arguments, next++, b.getI64Type()));
        bindResults(argument, values);
    }
    if (recheck)
        extents = loadSlot(source.getLoc(), arguments, next, context.getType());
}

void FunctionState::bindArguments() {
    if (source.getRecursive())
        return bindRecursive();
    if (recheck)
        tabulateExtents();
    int64_t next = 0;
    llvm::DenseSet<DimAttr> bound;
    for (BlockArgument argument : source.getBody().getArguments()) {
        Location loc = argument.getLoc();
        if (auto array = dyn_cast<np::ArrayType>(argument.getType())) {
            for (auto [d, dim] : llvm::enumerate(array.getDims()))
                if (dim.isSymbol() && bound.insert(dim).second)
                    dims.bind(dim, loadSlot(loc, arguments, next + 1 + d, b.getI64Type()));
            handles[argument] = argumentHandle(argument, next);
            continue;
        }
        Values parts;
        for (Type type : registerTypes(argument.getType()))
            parts.push_back(loadSlot(loc, arguments, next++, type));
        ValueRange range = parts;
        if (!parts.empty())
            scalars[argument] = takeParts(argument.getType(), range);
    }
}

void FunctionState::returnValues(np::ReturnOp op) {
    Location loc = op.getLoc();
    int64_t next = 0;
    const bool recursive = source.getRecursive();
    for (Value value : op.getValues()) {
        if (recursive) {
            Values parts;
            flatten(value, value.getType(), parts);
            for (Value part : parts)
                storeSlot(loc, results, next++, part);
            continue;
        }
        auto array = dyn_cast<np::ArrayType>(value.getType());
        if (!array) {
            Values parts;
            if (isRegister(value.getType()))
                appendParts(parts, scalars.lookup(value));
            bool narrow = isa<IntegerType>(value.getType()) && !parts[0].getType().isInteger(1) &&
                          !parts[0].getType().isInteger(64);
            if (narrow) // the slot holds the number extended to 64 bits
                parts[0] =
                    cast<IntegerType>(value.getType()).isUnsigned()
                        ? arith::ExtUIOp::create(b, loc, b.getI64Type(), parts[0]).getResult()
                        : arith::ExtSIOp::create(b, loc, b.getI64Type(), parts[0]).getResult();
            for (Value part : parts)
                storeSlot(loc, results, next++, part);
            continue;
        }
        const Handle &handle = handles.at(value);
        storeSlot(loc, results, next++, address(loc, handle, array));
        storeSlot(loc, results, next++, handle.owner);
        for (DimAttr dim : array.getDims())
            storeSlot(loc, results, next++, dims.emit(b, loc, dim));
        for (DimAttr stride : handle.strides)
            storeSlot(loc, results, next++, dims.emit(b, loc, stride));
    }
    func::ReturnOp::create(b, loc,
                           ValueRange{arith::ConstantIntOp::create(b, loc, 0, 32).getResult()});
}

void FunctionState::finish() {
    for (Block *block : cold)
        block->moveBefore(&function.getBody(), function.getBody().end());
    if (failure->hasNoPredecessors()) {
        delete failure;
        return;
    }
    function.getBody().push_back(failure);
    b.setInsertionPointToEnd(failure);
    Location loc = source.getLoc();
    func::ReturnOp::create(b, loc,
                           ValueRange{arith::ConstantIntOp::create(b, loc, 1, 32).getResult()});
}

//===-- Checks

static_assert(std::size(runtime::ErrorRecord{}.payload) == np::messageSizes);

void FunctionState::raiseWhen(Value condition, Location loc, StringRef error, StringRef message,
                              ArrayRef<DimAttr> payload, ArrayAttr notes, Value messageArgument) {
    Block *next = newBlock({}, loc), *raise = newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, condition, raise, next, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    cold.push_back(raise);
    {
        DimValues::Scope scope(dims); // what is computed here dominates nothing else
        b.setInsertionPointToEnd(raise);
        storeSlot(loc, context, 0, arith::ConstantIntOp::create(b, loc, sites.size(), 64));
        for (auto [k, value] : llvm::enumerate(payload))
            storeSlot(loc, context, 1 + k, dims.emit(b, loc, value));
        if (messageArgument)
            storeSlot(loc, context, 1,
                      arith::BitcastOp::create(b, loc, b.getI64Type(), messageArgument));
        cf::BranchOp::create(b, loc, failure);
    }
    sites.push_back(np::ErrorSiteAttr::get(b.getContext(), b.getStringAttr(error),
                                           b.getStringAttr(message), loc, notes));
    b.setInsertionPointToEnd(next);
}

void FunctionState::failWhen(Value condition, Location loc) {
    Block *next = newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, condition, failure, next, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    b.setInsertionPointToEnd(next);
}

Value FunctionState::relation(Location loc, StringRef kind, ArrayRef<DimAttr> args) {
    using Predicate = arith::CmpIPredicate;
    auto number = [&](int64_t value) { return np::dimConst(b.getContext(), value); };
    // An expression that overflows 64 bits is the size of no array: no relation holds for it.
    auto compare = [&](Predicate predicate, DimAttr left, DimAttr right) -> Value {
        Value overflows, a = dims.emitChecked(b, loc, left, overflows),
                         c = dims.emitChecked(b, loc, right, overflows);
        Value holds = arith::CmpIOp::create(b, loc, predicate, a, c);
        if (!overflows)
            return holds;
        Value fits =
            arith::XOrIOp::create(b, loc, overflows, arith::ConstantIntOp::create(b, loc, 1, 1));
        return arith::AndIOp::create(b, loc, holds, fits);
    };
    auto either = [&](Value x, Value y) -> Value { return arith::OrIOp::create(b, loc, x, y); };
    if (kind == "eq" || kind == "==")
        return compare(Predicate::eq, args[0], args[1]);
    if (kind == "ge" || kind == ">=")
        return compare(Predicate::sge, args[0], args[1]);
    if (kind == "ne" || kind == "!=")
        return compare(Predicate::ne, args[0], args[1]);
    if (kind == "index") { // -n <= i < n: the wrapped index lies in [0, n)
        return compare(Predicate::ult, np::dimWrap(args[0], args[1]), args[1]);
    }
    if (kind == "broadcast" || kind == "broadcast_to") {
        Value fits = either(compare(Predicate::eq, args[0], args[1]),
                            compare(Predicate::eq, args[0], number(1)));
        return kind == "broadcast" ? either(fits, compare(Predicate::eq, args[1], number(1)))
                                   : fits;
    }
    assert(kind == "false" && "a kind of np.require");
    return arith::ConstantIntOp::create(b, loc, 0, 1);
}

// An index that may count from the end, but seldom does: only one comparison for those that do not.
// Binds the wrapped index.
void FunctionState::requireIndex(np::RequireOp op, DimAttr wrapped) {
    Location loc = op.getLoc();
    Value index = dims.emit(b, loc, wrapped.getOperands()[0]),
          size = dims.emit(b, loc, wrapped.getOperands()[1]);
    auto compareToSize = [&](arith::CmpIPredicate predicate, Value i) -> Value {
        return arith::CmpIOp::create(b, loc, predicate, i, size);
    };
    Block *next = newBlock(b.getI64Type(), loc), *fromEnd = newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, compareToSize(arith::CmpIPredicate::ult, index), next, index,
                             fromEnd, ValueRange(), ArrayRef<int32_t>{2000, 1});
    b.setInsertionPointToEnd(fromEnd);
    Value shifted = arith::AddIOp::create(b, loc, index, size);
    raiseWhen(compareToSize(arith::CmpIPredicate::uge, shifted), loc, op.getError(),
              op.getMessage(), np::dimVector(op.getPayload()), op.getNotesAttr());
    cf::BranchOp::create(b, loc, next, shifted);
    b.setInsertionPointToEnd(next);
    dims.bind(wrapped, next->getArgument(0));
}

// A message without numbers is shown verbatim: text of the user's in it, a key say, may have braces
// (bindings/call/errors.cpp formats messages).
static std::string messageOf(np::RequireOp op) {
    if (!op.getPayload().empty())
        return op.getMessage().str();
    std::string text;
    for (char c : op.getMessage())
        text.append(c == '{' ? 2 : 1, c);
    return text;
}

void FunctionState::require(np::RequireOp op) {
    Location loc = op.getLoc();
    if (op.getKind() == "index" && !op.getProved()) {
        SmallVector<DimAttr> args = np::dimVector(op.getArgs());
        if (DimAttr wrapped = np::dimWrap(args[0], args[1]); wrapped.getKind() == np::DimKind::Wrap)
            return requireIndex(op, wrapped);
    }
    Value holds = relation(loc, op.getKind(), np::dimVector(op.getArgs()));
    Value fails = arith::XOrIOp::create(b, loc, holds, arith::ConstantIntOp::create(b, loc, 1, 1));
    if (op.getProved()) // np-checks left it for the re-check only
        return raiseWhen(fails, loc, "shapecast.InternalError",
                         ("re-check: np-checks proved it, but it fails: " + op.getMessage()).str(),
                         np::dimVector(op.getPayload()));
    raiseWhen(fails, loc, op.getError(), messageOf(op), np::dimVector(op.getPayload()),
              op.getNotesAttr());
}

Value FunctionState::allHold(np::AllHoldOp op) {
    Location loc = op.getLoc();
    Value all = arith::ConstantIntOp::create(b, loc, 1, 1);
    for (auto guard : op.getRelations().getAsRange<np::GuardAttr>()) {
        Value holds = relation(loc, guard.getPred(), {guard.getLhs(), guard.getRhs()});
        all = arith::AndIOp::create(b, loc, all, holds);
    }
    return all;
}

// max(0, ceil((upper - lower) / step)) for a step of either sign.
Value FunctionState::tripCount(Location loc, Value lower, Value upper, DimAttr step) {
    Value zero = dims.constant(b, loc, 0), one = dims.constant(b, loc, 1);
    Value by = dims.emit(b, loc, step);
    Value up = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, by, zero);
    Value ahead = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lower, upper);
    Value behind = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, lower, upper);
    Value runs = arith::SelectOp::create(b, loc, up, ahead, behind);
    // As unsigned numbers distance and step cannot overflow: (distance - 1) / |step| + 1.
    auto pick = [&](Value x, Value y) -> Value {
        return arith::SelectOp::create(b, loc, up, x, y);
    };
    Value distance = pick(arith::SubIOp::create(b, loc, upper, lower),
                          arith::SubIOp::create(b, loc, lower, upper));
    Value size = pick(by, arith::SubIOp::create(b, loc, zero, by));
    Value less = arith::SubIOp::create(b, loc, distance, one);
    Value whole = arith::DivUIOp::create(b, loc, less, size);
    Value count = arith::AddIOp::create(b, loc, whole, one);
    return arith::SelectOp::create(b, loc, runs, count, zero);
}

//===-- Polls

void FunctionState::charge(Location loc, Value amount) {
    Value fuel = fuelSlot(loc);
    Value full = LLVM::LoadOp::create(b, loc, b.getI64Type(), fuel);
    Value left = arith::SubIOp::create(b, loc, full, amount);
    LLVM::StoreOp::create(b, loc, left, fuel);
    Value zero = arith::ConstantIntOp::create(b, loc, 0, 64);
    Value empty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, left, zero);
    Block *next = newBlock({}, loc), *pollBlock = newBlock({}, loc);
    cf::CondBranchOp::create(b, loc, empty, pollBlock, next, ValueRange(),
                             ArrayRef<int32_t>{1, 2000});
    cold.push_back(pollBlock);
    b.setInsertionPointToEnd(pollBlock);
    poll(loc);
    LLVM::StoreOp::create(b, loc, arith::ConstantIntOp::create(b, loc, runtime::pollGrain, 64),
                          fuel);
    cf::BranchOp::create(b, loc, next);
    b.setInsertionPointToEnd(next);
}

// Of this call of the function, in a register; recursive calls share the context's.
Value FunctionState::fuelSlot(Location loc) {
    if (source.getRecursive())
        return slot(loc, context, runtime::contextFuelSlot);
    if (!fuel) {
        fuel = stackSlots(loc, 1);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointAfter(fuel.getDefiningOp());
        Value full = arith::ConstantIntOp::create(b, loc, runtime::pollGrain, 64);
        LLVM::StoreOp::create(b, loc, full, fuel);
    }
    return fuel;
}

// Charges in every 1024th iteration; returns the next count, which goes down.
Value FunctionState::chargeCounted(Location loc, Value count) {
    auto number = [&](int64_t value) -> Value {
        return arith::ConstantIntOp::create(b, loc, value, 64);
    };
    Value left = arith::SubIOp::create(b, loc, count, number(1));
    Value none = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, left, number(0));
    Block *now = newBlock({}, loc), *next = newBlock(b.getI64Type(), loc);
    cf::CondBranchOp::create(b, loc, none, now, ValueRange(), next, left,
                             ArrayRef<int32_t>{1, 1000});
    b.setInsertionPointToEnd(now);
    charge(loc, 4 * iterationsPerCharge);
    cf::BranchOp::create(b, loc, next, number(iterationsPerCharge));
    b.setInsertionPointToEnd(next);
    return next->getArgument(0);
}

void FunctionState::poll(Location loc) {
    function.setArgAttr(0, "llvm.noalias", b.getUnitAttr()); // else LICM hoists no load
    if (draws)
        draws->writeBack();
    RuntimeFunction<&runtime::sc_poll>(module).call(b, loc, context);
    if (draws)
        draws->reload();
}

void FunctionState::charge(Location loc, int64_t amount) {
    charge(loc, arith::ConstantIntOp::create(b, loc, amount, 64));
}

bool FunctionState::inLoop(Operation *op) {
    return source.getRecursive() || op->getParentOfType<np::ForOp>() ||
           op->getParentOfType<np::WhileOp>();
}

//===-- Memory

// An array that exists has less than 2^63 bytes, and so has one of the same dims.
bool FunctionState::hasSizeOfArgument(np::ArrayType type) {
    return llvm::any_of(source.getArgumentTypes(), [&](Type given) {
        auto array = dyn_cast<np::ArrayType>(given);
        return array && array.getDims() == type.getDims() &&
               itemSize(dtypeOf(array)) >= itemSize(dtypeOf(type));
    });
}

Handle FunctionState::allocate(Location loc, np::ArrayType type) {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    DType dtype = dtypeOf(type);
    SmallVector<DimAttr> factors{np::dimConst(b.getContext(), itemSize(dtype))};
    llvm::append_range(factors, type.getDims());
    RuntimeFunction<&runtime::sc_alloc> alloc(module);
    alloc.callee.setResultAttr(0, "llvm.noalias", b.getUnitAttr());
    Value overflows;
    Value size = dims.emitCheckedProduct(b, loc, factors, overflows);
    if (overflows && !hasSizeOfArgument(type))
        raiseWhen(overflows, loc, "ValueError",
                  "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                  "possible size.",
                  {}, {});
    Handle handle;
    handle.pointer = alloc.call(b, loc, context, size);
    Value null = LLVM::ZeroOp::create(b, loc, pointer);
    failWhen(LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, handle.pointer, null), loc);
    handle.owner = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), handle.pointer);
    handle.offset = np::dimConst(b.getContext(), 0);
    handle.strides = np::stridesOf(type, {});
    assert(dynamicStrides(type) == 0 && "allocated arrays are C or F");
    return handle;
}

Handle FunctionState::reshape(np::ReshapeOp op) {
    Handle handle = reshapeOf(handles.at(op.getBase()), op);
    Value bit = arith::ConstantIntOp::create(b, op.getLoc(), runtime::ownerView, 64);
    handle.owner = arith::OrIOp::create(b, op.getLoc(), handle.owner, bit);
    return handle;
}

// sc_reshape decides whether it is a view or a copy: see runtime::Reshape for the slots.
Handle FunctionState::reshapeAny(np::ReshapeAnyOp op) {
    Location loc = op.getLoc();
    auto from = cast<np::ArrayType>(op.getBase().getType()), to = op.getType();
    const Handle &base = handles.at(op.getBase());
    const int64_t rank = from.getRank(), newRank = to.getRank();
    const bool flat = to.getLayout() == np::Layout::C;
    Values values{address(loc, base, from), base.owner};
    for (int64_t number : {int64_t(itemSize(dtypeOf(from))), rank, newRank, int64_t(flat)})
        values.push_back(dims.constant(b, loc, number));
    for (ArrayRef<DimAttr> list : {from.getDims(), ArrayRef<DimAttr>(base.strides), to.getDims()})
        for (DimAttr dim : list)
            values.push_back(dims.emit(b, loc, dim));
    const int64_t given = values.size();
    Value slots = stackSlots(loc, given + newRank);
    for (auto [k, value] : llvm::enumerate(values))
        storeSlot(loc, slots, k, value);
    Value status = RuntimeFunction<&runtime::sc_reshape>(module).call(b, loc, context, slots);
    Value ok = arith::ConstantIntOp::create(b, loc, 0, 32);
    failWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, status, ok), loc);
    Handle handle{loadSlot(loc, slots, 0, context.getType()),
                  loadSlot(loc, slots, 1, b.getI64Type()),
                  np::dimConst(b.getContext(), 0),
                  {}};
    SmallVector<DimAttr> dynamic;
    for (unsigned d = 0; d < dynamicStrides(to); ++d)
        dynamic.push_back(dims.fresh(loadSlot(loc, slots, given + d, b.getI64Type()), "stride"));
    handle.strides = stridesOf(to, dynamic);
    return handle;
}

Handle FunctionState::reinterpret(np::ReinterpretOp op) {
    const Handle &base = handles.at(op.getBase());
    // A new pointer value even where the address is the same: elements are identified by pointer
    // and index, which counts items of one size.
    Value data = LLVM::GEPOp::create(b, op.getLoc(), context.getType(), b.getI8Type(),
                                     address(op.getLoc(), base, op.getBase().getType()),
                                     ArrayRef<LLVM::GEPArg>{0});
    return reinterpretOf(b, base, data, op);
}

// Only arguments and views of them are read-only; another buffer of such a type is the copy that
// np.reshape_any made.
Handle FunctionState::checkWriteable(np::CheckWriteableOp op) {
    Location loc = op.getLoc();
    Handle handle = handles.at(op.getBase());
    Value bits =
        arith::ConstantIntOp::create(b, loc, runtime::ownerArgument | runtime::ownerLocked, 64);
    Value masked = arith::AndIOp::create(b, loc, handle.owner, bits);
    Value none = arith::ConstantIntOp::create(b, loc, 0, 64);
    raiseWhen(arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, masked, none), loc,
              "ValueError", op.getMessage(), {});
    return handle;
}

Value FunctionState::address(Location loc, const Handle &handle, Type arrayType) {
    if (handle.offset.isConst(0))
        return handle.pointer;
    return elementAddress(b, loc, handle.pointer, dims.emit(b, loc, handle.offset),
                          dtypeOf(arrayType), /*inbounds=*/false);
}

void FunctionState::load(np::LoadOp op) {
    if (recheck)
        recheckElement(op.getLoc(), op.getBase(), np::dimVector(op.getIndices()));
    if (!checkedLoops.empty())
        noteElement(op.getLoc(), op.getBase(), np::dimVector(op.getIndices()), false);
    DimAttr index = linearIndex(handles.at(op.getBase()), np::dimVector(op.getIndices()));
    DType dtype = dtypeOf(op.getBase().getType());
    scalars[op] = loadElement(b, op.getLoc(), handles.at(op.getBase()).pointer,
                              dims.emit(b, op.getLoc(), index), dtype);
}

void FunctionState::store(np::StoreOp op) {
    if (recheck)
        recheckElement(op.getLoc(), op.getBase(), np::dimVector(op.getIndices()));
    if (!checkedLoops.empty())
        noteElement(op.getLoc(), op.getBase(), np::dimVector(op.getIndices()), true);
    storeScalar(op, scalars.lookup(op.getValue()));
}

void FunctionState::storeScalar(np::StoreOp op, Scalar value) {
    DimAttr index = linearIndex(handles.at(op.getBase()), np::dimVector(op.getIndices()));
    DType have = dtypeOf(op.getValue().getType()), dtype = dtypeOf(op.getBase().getType());
    if (have != dtype)
        value = emitCast(b, op.getLoc(), value, have, dtype);
    storeElement(b, op.getLoc(), value, handles.at(op.getBase()).pointer,
                 dims.emit(b, op.getLoc(), index), dtype);
}

void FunctionState::retain(np::RetainOp op) {
    RuntimeFunction<&runtime::sc_retain>(module).call(b, op.getLoc(),
                                                      handles.at(op.getBase()).owner);
}

void FunctionState::release(np::ReleaseOp op) {
    RuntimeFunction<&runtime::sc_release>(module).call(b, op.getLoc(), context,
                                                       handles.at(op.getBase()).owner);
}

} // namespace shapecast
