// Invariants of single operations from inference on (see verify_level.h).
#include "ir/np.h"
#include "ir/verify_level.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace shapecast::np {
namespace {

size_t rankOf(Value array) { return cast<ArrayType>(array.getType()).getRank(); }
Type dtypeOf(Value array) { return cast<ArrayType>(array.getType()).getDtype(); }

Type dtypeOfValue(Type tensor) { return cast<TensorType>(tensor).getElementType(); }

LogicalResult verifyFacts(ViewOp op) {
    size_t baseRank = rankOf(op.getBase()), rank = rankOf(op.getResult());
    if (op.getOffsets().size() != baseRank || op.getSteps().size() != baseRank)
        return op.emitOpError("needs ")
               << baseRank << " offsets and steps, one per dimension of the base";
    if (op.getAxes().size() != rank)
        return op.emitOpError("needs ") << rank << " axes, one per dimension of the result";
    llvm::SmallBitVector used(baseRank);
    for (int64_t axis : op.getAxes()) {
        if (axis == -1)
            continue;
        if (axis < 0 || static_cast<size_t>(axis) >= baseRank || used.test(axis))
            return op.emitOpError("has axis ")
                   << axis << ", which is not an axis of the base or is used twice";
        used.set(axis);
    }
    if (dtypeOf(op.getBase()) != dtypeOf(op.getResult()))
        return op.emitOpError("changes the dtype");
    return success();
}

LogicalResult verifyElement(Operation *op, Value base, ArrayAttr indices, Type element) {
    if (indices.size() != rankOf(base))
        return op->emitOpError("has ")
               << indices.size() << " indices of an array of rank " << rankOf(base);
    if (element != dtypeOf(base))
        return op->emitOpError("has an element of type ")
               << element << " of an array of " << dtypeOf(base);
    return success();
}

LogicalResult verifyFacts(LoadOp op) {
    return verifyElement(op, op.getBase(), op.getIndices(), op.getResult().getType());
}

LogicalResult verifyFacts(StoreOp op) {
    return verifyElement(op, op.getBase(), op.getIndices(), op.getValue().getType());
}

LogicalResult verifyFacts(ReshapeOp op) {
    if (dtypeOf(op.getBase()) != dtypeOf(op.getResult()))
        return op.emitOpError("changes the dtype");
    Layout layout = cast<ArrayType>(op.getBase().getType()).getLayout();
    if (cast<ArrayType>(op.getBase().getType()).getRank() == 1)
        return success(); // one axis can be split whatever its stride
    if ((layout != Layout::C && layout != Layout::F) ||
        layout != cast<ArrayType>(op.getResult().getType()).getLayout())
        return op.emitOpError("needs two C or two F contiguous arrays");
    return success();
}

LogicalResult verifyFacts(ReshapeAnyOp op) {
    auto base = cast<ArrayType>(op.getBase().getType()), result = op.getType();
    if (base.getDtype() != result.getDtype() || base.getReadonly() != result.getReadonly())
        return op.emitOpError("changes the dtype or whether it is read-only");
    bool flat = result.getLayout() == Layout::C && result.getRank() == 1;
    if (result.getLayout() != Layout::Strided && !flat)
        return op.emitOpError("needs a result of layout strided, or a 1-D one of layout C");
    return success();
}

LogicalResult verifyFacts(CheckWriteableOp op) {
    auto base = cast<ArrayType>(op.getBase().getType());
    if (op.getType() != ArrayType::get(op.getContext(), base.getDims(), base.getDtype(),
                                       base.getLayout(), /*readonly=*/false, base.getDevice()))
        return op.emitOpError("changes more than whether it is read-only");
    return success();
}

LogicalResult verifyFacts(DiagonalOp op) {
    int64_t rank = rankOf(op.getBase());
    for (int64_t axis : {op.getAxis1(), op.getAxis2()})
        if (axis < 0 || axis >= rank)
            return op.emitOpError("has axis ") << axis << " of an array of rank " << rank;
    if (op.getAxis1() == op.getAxis2())
        return op.emitOpError("needs two axes");
    if (dtypeOf(op.getBase()) != dtypeOf(op.getResult()))
        return op.emitOpError("changes the dtype");
    return success();
}

LogicalResult verifyFacts(WindowsOp op) {
    int64_t rank = rankOf(op.getBase()), axis = op.getAxis();
    if (axis < 0 || axis >= rank)
        return op.emitOpError("has axis ") << axis << " of an array of rank " << rank;
    if (rankOf(op.getResult()) != size_t(rank + 1) || !op.getType().getReadonly())
        return op.emitOpError("needs a read-only result with one axis more");
    return success();
}

LogicalResult verifyFacts(PartOp op) {
    auto complex = dyn_cast<ComplexType>(dtypeOf(op.getBase()));
    if (!complex || complex.getElementType() != dtypeOf(op.getResult()))
        return op.emitOpError("needs a complex array and a result of its parts' dtype");
    if (rankOf(op.getBase()) != rankOf(op.getResult()))
        return op.emitOpError("changes the rank");
    return success();
}

LogicalResult verifyFacts(ReinterpretOp op) {
    auto base = cast<ArrayType>(op.getBase().getType()), result = op.getType();
    if (base.getRank() != result.getRank() || base.getReadonly() != result.getReadonly())
        return op.emitOpError("changes the rank or whether it is read-only");
    if (base.getRank() > 0 && base.getDims().drop_back() != result.getDims().drop_back())
        return op.emitOpError("changes the size of another axis than the last");
    return success();
}

LogicalResult verifyFacts(AsStridedOp op) {
    if (op.getStrides().size() != rankOf(op.getResult()))
        return op.emitOpError("needs one stride per axis");
    if (dtypeOf(op.getBase()) != dtypeOf(op.getResult()))
        return op.emitOpError("changes the dtype");
    return success();
}

// A value and the array it is read from or written to.
LogicalResult verifySameContents(Operation *op, Value value, Value array) {
    auto arrayType = cast<ArrayType>(array.getType());
    if (valueType(arrayType.getDims(), arrayType.getDtype(), arrayType.getDevice()) !=
        value.getType())
        return op->emitOpError("has a value of type ")
               << value.getType() << " and an array of type " << arrayType;
    return success();
}

LogicalResult verifyFacts(ReadOp op) {
    return verifySameContents(op, op.getResult(), op.getBase());
}
LogicalResult verifyFacts(MaterializeOp op) {
    return verifySameContents(op, op.getValue(), op.getResult());
}
LogicalResult verifyFacts(AssignOp op) {
    if (cast<ArrayType>(op.getBase().getType()).getReadonly())
        return op.emitOpError("writes to a read-only array");
    return verifySameContents(op, op.getValue(), op.getBase());
}

LogicalResult verifyFacts(UfuncOp op) {
    auto result = dyn_cast<RankedTensorType>(op.getResult().getType());
    for (Type type : op.getOperandTypes()) {
        if (!isa<TensorType>(type))
            continue;
        if (!result)
            return op.emitOpError("has a scalar result of an array value");
        if (valueDims(type) != valueDims(result))
            return op.emitOpError("has an operand of type ")
                   << type << " for a result of type " << result;
    }
    return success();
}

// An np.require before the operation compares these two sizes: where they differ it raises.
bool isRequiredBefore(Operation *op, DimAttr a, DimAttr b) {
    for (Operation *at = op->getPrevNode(); at; at = at->getPrevNode())
        if (auto require = dyn_cast<RequireOp>(at))
            if (llvm::is_contained(require.getArgs(), a) &&
                llvm::is_contained(require.getArgs(), b))
                return true;
    return false;
}

// In a loop of no iterations: a guard assumed after it was built may have made its range empty.
bool isInEmptyLoop(Operation *op) {
    for (auto loop = op->getParentOfType<ForOp>(); loop; loop = loop->getParentOfType<ForOp>()) {
        const DimAttr lower = loop.getLower(), upper = loop.getUpper(), step = loop.getStep();
        if (lower.isConst() && upper.isConst() && step.isConst() &&
            (step.getValue() > 0 ? lower.getValue() >= upper.getValue()
                                 : lower.getValue() <= upper.getValue()))
            return true;
    }
    return false;
}

LogicalResult verifyFacts(BroadcastOp op) {
    Type from = op.getValue().getType(), to = op.getResult().getType();
    if (dtypeOfValue(from) != dtypeOfValue(to))
        return op.emitOpError("changes the dtype");
    if (valueDims(from).size() > valueDims(to).size())
        return op.emitOpError("has a result of a smaller rank");
    for (auto [given, wanted] :
         llvm::zip(llvm::reverse(valueDims(from)), llvm::reverse(valueDims(to))))
        if (given != wanted && given.isConst() && !given.isConst(1) && wanted.isConst() &&
            !isRequiredBefore(op, given, wanted) && !isInEmptyLoop(op))
            return op.emitOpError("stretches a size of ")
                   << given.getValue() << " to " << wanted.getValue();
    return success();
}

LogicalResult verifyFacts(ReduceOp op) {
    auto value = dyn_cast<RankedTensorType>(op.getValue().getType());
    if (!value)
        return op.emitOpError("reduces no array value");
    for (int64_t axis : op.getAxes())
        if (axis < 0 || axis >= value.getRank())
            return op.emitOpError("reduces along axis ")
                   << axis << " of a value of rank " << value.getRank();
    auto result = dyn_cast<RankedTensorType>(op.getResult().getType());
    int64_t rank =
        op.getKeepdims() ? value.getRank() : value.getRank() - int64_t(op.getAxes().size());
    if ((result ? result.getRank() : 0) != rank)
        return op.emitOpError("has no result of rank ") << rank;
    return success();
}

//===-- Nests

bool usesReducedIterator(DimAttr index, NestOp nest) {
    int64_t space = nest.getSpace().size(), reduced = nest.getReduced();
    bool uses = false;
    dimSymbols(index, [&](StringRef name) {
        int64_t iterator;
        if (name.consume_front("d") && !name.getAsInteger(10, iterator))
            uses |= iterator >= space - reduced && iterator < space;
    });
    return uses;
}

LogicalResult verifyMaps(NestOp nest, OperandRange arrays, ArrayAttr maps, StringRef what) {
    if (maps.size() != arrays.size())
        return nest.emitOpError("has ")
               << maps.size() << " maps for " << arrays.size() << " " << what;
    for (auto [array, map] : llvm::zip(arrays, maps)) {
        auto indices = dyn_cast<ArrayAttr>(map);
        if (!indices || !llvm::all_of(indices, llvm::IsaPred<DimAttr>))
            return nest.emitOpError("has a map that is no list of dims");
        if (indices.size() != rankOf(array))
            return nest.emitOpError("has a map of ")
                   << indices.size() << " indices into an array of rank " << rankOf(array);
    }
    return success();
}

LogicalResult verifyCombines(NestOp nest, NestYieldOp yield) {
    size_t writes = nest.getWrites().size(), all = writes + nest.getNumResults();
    if (nest.getCombine().size() != all || yield.getValues().size() != all)
        return nest.emitOpError("needs ")
               << all << " combines and yielded values, one per write and result";
    const bool hasArgReduction =
        llvm::any_of(nest.getCombine().getAsValueRange<StringAttr>(),
                     [](StringRef combine) { return combine.starts_with("arg"); });
    for (size_t i = 0; i < all; ++i) {
        StringRef combine = cast<StringAttr>(nest.getCombine()[i]).getValue();
        if (!llvm::is_contained({"", "add", "multiply", "minimum", "maximum", "logical_and",
                                 "logical_or", "argmin", "argmax"},
                                combine))
            return nest.emitOpError("has no reduction named ") << combine;
        const bool isArgReduction = combine.starts_with("arg");
        if (isArgReduction && nest.getReduced() != 1)
            return nest.emitOpError("computes an argmin or argmax along several axes");
        const bool isExtreme = isArgReduction || combine == "minimum" || combine == "maximum";
        if (hasArgReduction && !(isExtreme && yield.getValues()[i] == yield.getValues()[0]))
            return nest.emitOpError("has, beside an argmin or argmax, a reduction that is no "
                                    "minimum or maximum of the same value");
        Type wanted = isArgReduction ? yield.getValues()[i].getType()
                      : i < writes   ? dtypeOf(nest.getWrites()[i])
                                     : nest.getResult(i - writes).getType();
        if (yield.getValues()[i].getType() != wanted)
            return yield.emitOpError("yields ")
                   << yield.getValues()[i].getType() << " where " << wanted << " is stored";
        if (combine.empty() || i >= writes)
            continue;
        for (DimAttr index : cast<ArrayAttr>(nest.getWriteMaps()[i]).getAsRange<DimAttr>())
            if (usesReducedIterator(index, nest))
                return nest.emitOpError(
                    "reduces into an element whose index depends on the reduction iterators");
    }
    return success();
}

LogicalResult verifyFacts(NestOp nest) {
    int64_t reduced = nest.getReduced();
    if (reduced < 0 || static_cast<size_t>(reduced) > nest.getSpace().size())
        return nest.emitOpError("reduces ")
               << reduced << " of " << nest.getSpace().size() << " iterators";
    if (failed(verifyMaps(nest, nest.getReads(), nest.getReadMaps(), "reads")) ||
        failed(verifyMaps(nest, nest.getWrites(), nest.getWriteMaps(), "writes")))
        return failure();
    Block &body = nest.getBody().front();
    if (body.getNumArguments() != nest.getReads().size())
        return nest.emitOpError("needs a region argument per read");
    for (auto [array, argument] : llvm::zip(nest.getReads(), body.getArguments()))
        if (dtypeOf(array) != argument.getType())
            return nest.emitOpError("reads ") << dtypeOf(array) << " as " << argument.getType();
    for (Operation &op : body)
        if (op.getNumRegions() || isa<RequireOp, SymbolOp, LoadOp, StoreOp, AllocOp, ViewOp>(op))
            return op.emitOpError("is not allowed inside a nest, whose body is scalar");
    auto yield = body.empty() ? NestYieldOp() : dyn_cast<NestYieldOp>(body.back());
    if (!yield)
        return nest.emitOpError("does not end in np.nest_yield");
    return verifyCombines(nest, yield);
}

//===-- Control flow

// Loop-carried values keep type, dtype, rank and layout; sizes may change and get fresh symbols.
bool isCarriedAs(Type from, Type to) {
    auto a = dyn_cast<ArrayType>(from), b = dyn_cast<ArrayType>(to);
    if (!a || !b)
        return from == to;
    return a.getDtype() == b.getDtype() && a.getRank() == b.getRank() &&
           a.getLayout() == b.getLayout() && a.getDevice() == b.getDevice();
}

LogicalResult verifyCarried(Operation *op, TypeRange from, TypeRange to, StringRef what) {
    if (from.size() != to.size())
        return op->emitOpError("has ") << from.size() << " " << what << " for " << to.size();
    for (auto [given, wanted] : llvm::zip(from, to))
        if (!isCarriedAs(given, wanted))
            return op->emitOpError("passes ") << given << " as " << wanted << " (" << what << ")";
    return success();
}

template <typename Terminator>
LogicalResult verifyEnd(Operation *op, Region &region, Terminator &end) {
    end = region.empty() || region.front().empty() ? Terminator()
                                                   : dyn_cast<Terminator>(region.front().back());
    return end ? success() : op->emitOpError("has a region with a wrong terminator");
}

LogicalResult verifyFacts(IfOp op) {
    for (Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
        YieldOp yield;
        if (failed(verifyEnd(op, *region, yield)) ||
            failed(
                verifyCarried(op, yield.getOperandTypes(), op.getResultTypes(), "yielded values")))
            return failure();
    }
    return success();
}

LogicalResult verifyFacts(ForOp op) {
    NextOp next;
    TypeRange arguments = op.getBody().front().getArgumentTypes();
    if (arguments.empty() || !isa<PyIntType>(arguments.front()))
        return op.emitOpError("needs its induction variable as the first region argument");
    if (failed(verifyEnd(op, op.getBody(), next)) ||
        failed(verifyCarried(op, op.getInits().getTypes(), arguments.drop_front(),
                             "initial values")) ||
        failed(
            verifyCarried(op, next.getValues().getTypes(), arguments.drop_front(), "next values")))
        return failure();
    return verifyCarried(op, arguments.drop_front(), op.getResultTypes(), "results");
}

LogicalResult verifyFacts(WhileOp op) {
    TestOp test;
    NextOp next;
    TypeRange arguments = op.getBody().front().getArgumentTypes();
    if (failed(verifyEnd(op, op.getBefore(), test)) || failed(verifyEnd(op, op.getBody(), next)) ||
        failed(verifyCarried(op, op.getInits().getTypes(), arguments, "initial values")) ||
        failed(verifyCarried(op, op.getBefore().front().getArgumentTypes(), arguments,
                             "tested values")) ||
        failed(verifyCarried(op, next.getValues().getTypes(), arguments, "next values")))
        return failure();
    return verifyCarried(op, arguments, op.getResultTypes(), "results");
}

LogicalResult verifyFacts(CallOp op) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<FuncOp>(op, op.getCalleeAttr());
    if (!callee)
        return success();
    if (failed(verifyCarried(op, op.getArgs().getTypes(), callee.getArgumentTypes(), "arguments")))
        return failure();
    TypeRange results = op.getResultTypes();
    return verifyCarried(op, callee.getResultTypes(),
                         op.getCatchesAttr() ? results.drop_back(3) : results, "results");
}

LogicalResult verifyFacts(RequireOp op) {
    size_t wanted = llvm::StringSwitch<size_t>(op.getKind())
                        .Cases({"eq", "ge", "ne", "index", "broadcast", "broadcast_to"}, 2)
                        .Case("false", 0)
                        .Default(~size_t(0));
    if (wanted == ~size_t(0))
        return op.emitOpError("has no kind named ") << op.getKind();
    if (wanted != 0 && op.getArgs().size() != wanted)
        return op.emitOpError("of kind ") << op.getKind() << " needs " << wanted << " arguments";
    if (op.getPayload().size() > messageSizes)
        return op.emitOpError("has more than ") << messageSizes << " payload values";
    return success();
}

LogicalResult verifyFacts(NativeOp op) {
    const bool ofUfunc = op.getLoop().has_value(); // scalars in the dtypes of its loop
    for (auto [i, type] : llvm::enumerate(op.getOperands_().getTypes()))
        if (!isa<ArrayType>(type) &&
            (i < op.getWritten() ||
             !(isa<PyIntType, PyFloatType, ObjectType>(type) || (ofUfunc && isScalar(type)))))
            return op.emitOpError("has operand ") << i << " of type " << type;
    Type result = op.getResult().getType();
    if (!isa<PyIntType, PyFloatType, Float64Type, Float32Type>(result) &&
        !result.isSignedInteger(64) && !(ofUfunc && isScalar(result)))
        return op.emitOpError("has a result of type ") << result;
    if (op.getWritten() > op.getOperands_().size())
        return op.emitOpError("writes more operands than it has");
    return success();
}

} // namespace

// Operations on values, views, nests, products: one device. (Control flow may pass on several;
// the run time's functions get copies in the host, lower/function/host_copies.h.)
static LogicalResult verifyOneDevice(Operation *op) {
    std::optional<StringAttr> device;
    for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
        for (Type type : types) {
            if (!isa<ArrayType, RankedTensorType>(type))
                continue;
            if (device && *device != deviceOf(type))
                return op->emitOpError("has operands on ")
                       << deviceText(*device) << " and " << deviceText(deviceOf(type));
            device = deviceOf(type);
        }
    return success();
}

LogicalResult verifyOpFacts(Operation *op) {
    if (!isa<FuncOp, ReturnOp, CallOp, NativeOp, PrintOp, RaiseOp, KeepChangesOp, IfOp, YieldOp,
             ForOp, NextOp, WhileOp, TestOp>(op) &&
        failed(verifyOneDevice(op)))
        return failure();
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<ViewOp, LoadOp, StoreOp, ReshapeOp, ReshapeAnyOp, CheckWriteableOp, DiagonalOp,
              WindowsOp, PartOp, ReinterpretOp, AsStridedOp, ReadOp, MaterializeOp, AssignOp,
              UfuncOp, BroadcastOp, ReduceOp, NestOp, IfOp, ForOp, WhileOp, CallOp, RequireOp,
              NativeOp>([](auto concrete) { return verifyFacts(concrete); })
        .Default([](Operation *) { return success(); });
}

} // namespace shapecast::np
