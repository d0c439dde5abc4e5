#include "ops/builder/stores.h"

#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/function.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/memory.h"
#include "ops/ufunc/ufunc.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

void shapecast::checkComplexStore(TypedBuilder &e, const Val &value, DType dtype) {
    if (e.operandOf(value).weak != PyKind::Complex || isComplex(dtype) || isBool(dtype))
        return;
    if (isInteger(dtype))
        e.fail(
            "TypeError",
            "int() argument must be a string, a bytes-like object or a real number, not 'complex'");
    e.fail("TypeError", "float() argument must be a string or a real number, not 'complex'");
}

Val shapecast::storedNumber(TypedBuilder &e, const Val &number, DType dtype) {
    const OperandType from = e.operandOf(number);
    const bool strong = from.weak == PyKind::Strong; // cast to unsigned dtypes unchecked
    if (!isInteger(dtype) || (strong && !isSigned(dtype)))
        return number;
    if (isFloat(from.dtype))
        return pyop(e, "long", {toPy(e, number, PyKind::Float)}, PyIntType::get(e.ctx));
    if (!strong || !isInteger(from.dtype) || canCast(from.dtype, dtype, Casting::Safe))
        return number;
    Val integer = e.sizeVal(toDim(e, number));
    if (from.dtype == DType::U64 &&
        e.facts.greaterEqual(integer.dim, e.dimConst(0)) != Answer::Yes) // 2 ** 63 or more
        e.require("ge", {integer.dim, e.dimConst(0)}, "OverflowError",
                  "Python int too large to convert to C long");
    checkWeakBounds(e, *findUfunc("positive"), Loop{{dtype}, dtype}, integer);
    return number;
}

// A read-only argument of the entry is never writeable; other arrays of a read-only type, arguments
// of other functions too, may be copies that np.reshape_any made, which is checked at run time.
std::optional<Val> shapecast::writeableOf(TypedBuilder &e, const Val &target, StringRef message) {
    ArrayType array = target.array();
    if (!array.getReadonly())
        return target;
    auto isReadonly = [](Value v) { return cast<ArrayType>(v.getType()).getReadonly(); };
    Value root = target.value;
    while (
        isReadonly(root) &&
        isa_and_nonnull<ViewOp, ReshapeOp, DiagonalOp, PartOp, ReinterpretOp, AsStridedOp, CastOp>(
            root.getDefiningOp()))
        root = root.getDefiningOp()->getOperand(0);
    auto argument = dyn_cast<BlockArgument>(root);
    const bool isEntryArgument =
        e.isEntry && argument && isa_and_nonnull<FuncOp>(argument.getOwner()->getParentOp());
    if (isEntryArgument || !isReadonly(root)) { // or a view is read-only: np.broadcast_to
        e.require("false", {}, "ValueError", message);
        return std::nullopt;
    }
    auto type = ArrayType::get(e.ctx, array.getDims(), array.getDtype(), array.getLayout(),
                               /*readonly=*/false, array.getDevice());
    return e.typed(CheckWriteableOp::create(e.b, e.loc, type, target.value, message));
}

// Whether storing either side of a maybe-weak scalar stores the same value.
bool shapecast::storeIsSame(TypedBuilder &e, const Val &v, DType dtype) {
    const DType own = operandType(v.type())->dtype;
    if (isFloat(dtype) || isComplex(dtype) || isBool(dtype))
        return isExactAsPython(e, v) || own == dtype;
    return isExactAsPython(e, v) && (dtype == DType::I64 || own == dtype) &&
           !(isNaturalPair(v.type(), PyKind::Float) || v.weakKind == PyKind::Float);
}

void shapecast::assign(TypedBuilder &e, const Val &target, const Val &given) {
    if (given.weakFlag && storeIsSame(e, given, e.operandOf(target).dtype))
        return assign(e, target, strongSide(given));
    if (given.weakFlag) {
        unionSplit(e, given, [&](const Val &side) {
            assign(e, target, side);
            return e.noneVal();
        });
        return;
    }
    Val value =
        given.isTuple() ? callFunction(e, *findFunction("numpy.array"), {given}, {}) : given;
    ArrayType array = target.array();
    DType dtype = operandType(array)->dtype;
    std::optional<Val> writeable = writeableOf(e, target, "assignment destination is read-only");
    if (!writeable)
        return;
    checkComplexStore(e, value, dtype);
    Loop store{{dtype}, dtype};
    checkWeakBounds(e, *findUfunc("positive"), store, value);
    if (value.isArray() && target.array().getDevice()) {
        Val both[] = {target, value};
        bringTogether(e, both);
        value = both[1];
    }
    commonDevice(e, {target, value}); // or fails
    Dims to = dimsOf(target), shape = dimsOf(value);
    SmallVector<DimAttr> payload;
    std::string message = "could not broadcast input array from shape " +
                          shapeText(shape, payload) + " into shape " + shapeText(to, payload);
    Value read = castValue(e, shapecast::read(e, value), dtype);
    size_t extra = shape.size() > to.size() ? shape.size() - to.size() : 0;
    for (auto [i, dim] : llvm::enumerate(shape)) {
        if (i < extra) {
            if (!e.assumeEqual(dim, e.dimConst(1)))
                e.require("eq", {dim, e.dimConst(1)}, "shapecast.ShapeError", message, payload);
            continue;
        }
        DimAttr goal = to[i + to.size() - shape.size()];
        if (!e.assumeEqual(dim, goal) && !e.assumeEqual(dim, e.dimConst(1)))
            e.require("broadcast_to", {dim, goal}, "shapecast.ShapeError", message, payload);
    }
    if (extra) { // drop leading axes of size 1
        Dims kept(shape.begin() + extra, shape.end());
        SmallVector<int64_t> axes;
        for (size_t i = extra; i < shape.size(); ++i)
            axes.push_back(i);
        Val cut = view(e, value, Dims(shape.size(), e.dimConst(0)),
                       Dims(shape.size(), e.dimConst(1)), axes, kept);
        read = castValue(e, shapecast::read(e, cut), dtype);
    }
    if (to.empty()) {
        StoreOp::create(e.b, e.loc, read, writeable->value, dimArray(e.ctx, {}));
        return;
    }
    if (!isa<RankedTensorType>(read.getType())) {
        read = SplatOp::create(e.b, e.loc, castValue(e, read, dtype), to, array.getDevice());
    } else {
        read = broadcastValue(e, read, to);
    }
    AssignOp::create(e.b, e.loc, read, writeable->value);
}

// The value to store to one element: a number, or what bool(), int(), float() or complex() make of
// something else; none where they raise.
std::optional<Val> shapecast::elementOf(TypedBuilder &e, const Val &value, DType dtype) {
    Dims dims = dimsOf(value);
    if (!value.isTuple() && dims.empty())
        return value;
    if (value.isTuple() && isBool(dtype))
        return truth(e, value);
    if (value.isTuple() && isInteger(dtype))
        e.fail("TypeError",
               "int() argument must be a string, a bytes-like object or a real number, "
               "not '" +
                   value.className() + "'");
    if (value.isTuple() && isComplex(dtype))
        e.fail("TypeError", "must be real number, not " + value.className());
    if (isComplex(dtype)) {
        e.require("false", {}, "TypeError",
                  "only 0-dimensional arrays can be converted to Python scalars");
        return std::nullopt;
    }
    const std::string message = "setting an array element with a sequence.";
    if (value.isTuple() || !isBool(dtype)) {
        e.require("false", {}, "ValueError", message);
        return std::nullopt;
    }
    for (DimAttr dim : dims)
        if (!e.assumeEqual(dim, e.dimConst(1)))
            e.require("eq", {dim, e.dimConst(1)}, "ValueError", message);
    return view(e, value, Dims(dims.size(), e.dimConst(0)), Dims(dims.size(), e.dimConst(1)), {},
                {});
}

//===-- out=

Val shapecast::storeOut(TypedBuilder &e, StringRef name, const Val &out, const Val &result,
                        Casting casting) {
    if (out.isTuple() && out.items.size() == 1)
        return storeOut(e, name, out.items[0], result, casting);
    if (!out.isArray())
        e.fail("TypeError", "return arrays must be of ArrayType");
    std::optional<Val> writeable = writeableOf(e, out, "output array is read-only");
    if (writeable)
        storeResult(e, name, *writeable, result, casting);
    return out;
}

void shapecast::checkOutput(TypedBuilder &e, StringRef name, DType from, const Val &out,
                            Casting casting) {
    const DType to = e.operandOf(out).dtype;
    if (!canCast(from, to, casting))
        failOutput(e, name, dtypeName(from), to, casting);
}

void shapecast::failOutput(TypedBuilder &e, StringRef name, StringRef from, DType to,
                           Casting casting) {
    e.fail("numpy._core._exceptions._UFuncOutputCastingError",
           "Cannot cast ufunc '" + name + "' output from dtype('" + from + "') to dtype('" +
               dtypeName(to) + "') with casting rule '" + castingName(casting) + "'");
}

// target[...] = result, as a ufunc stores it.
void shapecast::storeResult(TypedBuilder &e, StringRef name, const Val &target, const Val &result,
                            Casting casting) {
    checkOutput(e, name, e.operandOf(result).dtype, target, casting);
    checkOutputShape(e, dimsOf(target), dimsOf(result), {});
    assign(e, target, result);
}
