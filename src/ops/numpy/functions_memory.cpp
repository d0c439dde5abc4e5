// The memory layout of arrays: strides and flags, views with another dtype or explicit strides, and
// reshapes in place.
#include "ops/numpy/functions_memory.h"

#include "ir/layout.h"
#include "ops/builder/arguments.h"
#include "ops/builder/arrays.h"
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/flags.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/memory.h"
#include "ops/builder/operators.h"
#include "ops/builder/stores.h"
#include "ops/builder/text.h"
#include "ops/tables.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static SmallVector<int64_t> allAxes(size_t rank) {
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

// Raises the error if the run-time check of a view returned that code (Fit in runtime/views.cpp).
static void rejectFit(TypedBuilder &e, const Val &fit, int64_t code, StringRef error,
                      const Twine &message) {
    e.require("ne", {fit.dim, e.dimConst(code)}, error, message);
}

//===-- Strides and flags

// In bytes.
static DimAttr strideOf(TypedBuilder &e, const Val &a, int64_t axis) {
    if (DimAttr known = stridesOf(a.array())[axis])
        return dimMul(known, e.dimConst(int64_t(itemSize(e.operandOf(a).dtype))));
    const Type whole = scalarType(e.ctx, DType::I64);
    return e.facts.canonical(toDim(e, native(e, "stride", {}, {a, e.intVal(axis)}, "", "", whole)));
}

static std::vector<Val> stridesVal(TypedBuilder &e, const Val &a) {
    std::vector<Val> strides;
    for (int64_t axis : allAxes(dimsOf(a).size()))
        strides.push_back(e.sizeVal(strideOf(e, a, axis)));
    return strides;
}

static Val isFortran(TypedBuilder &e, const Arguments &in) {
    return flagOf(e, asArray(e, in["a"]), "fnc");
}

//===-- np.require

namespace {

struct Requirements {
    bool c = false, fortran = false, writeable = false, owned = false;
    bool always = false; // holds for every array here: aligned, no subclass
};

} // namespace

static Requirements requirementsOf(TypedBuilder &e, const Val &given) {
    Requirements wanted;
    std::vector<Val> names;
    if (given.isText())
        names = charactersOf(e, given).value_or(std::vector<Val>());
    else if (given.isTuple())
        names = given.items;
    else if (!given.isNone())
        e.unsupported("the requirements of numpy.require must be constant strings");
    for (const Val &v : names) {
        if (!v.isStatic("str"))
            e.unsupported("the requirements of numpy.require must be constant strings");
        const std::string name = v.staticText().upper();
        using Flag = bool Requirements::*;
        const Flag flag = llvm::StringSwitch<Flag>(name)
                              .Cases({"C", "C_CONTIGUOUS", "CONTIGUOUS"}, &Requirements::c)
                              .Cases({"F", "F_CONTIGUOUS", "FORTRAN"}, &Requirements::fortran)
                              .Cases({"W", "WRITEABLE"}, &Requirements::writeable)
                              .Cases({"O", "OWNDATA"}, &Requirements::owned)
                              .Cases({"A", "ALIGNED", "E", "ENSUREARRAY"}, &Requirements::always)
                              .Default(nullptr);
        if (!flag)
            e.fail("KeyError", "'" + name + "'");
        wanted.*flag = true;
    }
    if (wanted.c && wanted.fortran)
        e.fail("ValueError", "Cannot specify both \"C\" and \"F\" order");
    return wanted;
}

// Whether it owns its memory: unknown for arguments.
static bool ownsMemory(TypedBuilder &e, const Val &a) {
    if (isa<BlockArgument>(a.value) || isa_and_nonnull<CastOp>(a.value.getDefiningOp()))
        e.unsupported("numpy.require with 'O' of an argument is not supported; copy it");
    return isa<AllocOp, MaterializeOp>(a.value.getDefiningOp());
}

static Val require(TypedBuilder &e, const Arguments &in) {
    const Val *given = in.find("requirements"), *dtype = in.find("dtype");
    const Requirements wanted = requirementsOf(e, given ? *given : e.noneVal());
    const Val order = e.staticVal("str", wanted.fortran ? "F" : wanted.c ? "C" : "A");
    SmallVector<std::pair<StringRef, Val>> named{{"dtype", dtype ? *dtype : e.noneVal()}};
    if (wanted.fortran || wanted.c)
        named.push_back({"order", order});
    const Val a = callFunction(e, *findFunction("numpy.asarray"), {in["a"]}, named);
    const bool copies = (wanted.writeable && !*isWriteable(e, a).constBool()) ||
                        (wanted.owned && !ownsMemory(e, a));
    return copies ? callFunction(e, *findMethod("copy"), {a}, {{"order", order}}) : a;
}

//===-- Views with another dtype

// NumPy's alignment of a dtype: that of a complex number is its parts'.
static int64_t alignmentOf(DType dtype) {
    return int64_t(itemSize(dtype)) / (isComplex(dtype) ? 2 : 1);
}

static Val viewAs(TypedBuilder &e, const Val &a, DType to) {
    const ArrayType array = a.array();
    const DType from = e.operandOf(a).dtype;
    const int64_t oldSize = int64_t(itemSize(from)), newSize = int64_t(itemSize(to));
    Dims dims = dimsOf(a);
    if (oldSize != newSize && dims.empty())
        e.fail("ValueError",
               "Changing the dtype of a 0d array is only supported if the itemsize is unchanged");
    const bool isC = array.getLayout() == Layout::C;
    const bool inner = isC || array.getLayout() == Layout::Inner;
    const bool mayMisalign = alignmentOf(to) > alignmentOf(from) || (newSize > oldSize && !isC);
    std::optional<Val> fit;
    if ((oldSize != newSize && !inner) || mayMisalign)
        fit = native(e, "view_fits", {}, {a, e.intVal(newSize), e.intVal(alignmentOf(to))});
    if (oldSize != newSize && !inner)
        rejectFit(e, *fit, 1, "ValueError",
                  "To change to a dtype of a different size, the last axis must be contiguous");
    if (oldSize > newSize)
        dims.back() = dimMul(dims.back(), e.dimConst(oldSize / newSize));
    if (newSize > oldSize) {
        const DimAttr ratio = e.dimConst(newSize / oldSize), zero = e.dimConst(0);
        const DimAttr rest = e.facts.canonical(dimMod(dims.back(), ratio));
        if (!e.assumeEqual(rest, zero))
            e.require("eq", {rest, zero}, "ValueError",
                      "When changing to a larger dtype, its size must be a divisor of the total "
                      "size in bytes of the last axis of the array.");
        dims.back() = e.facts.canonical(dimFloorDiv(dims.back(), ratio));
    }
    if (mayMisalign)
        rejectFit(e, *fit, 2, "shapecast.UnsupportedError",
                  "a view with the dtype " + dtypeName(to) +
                      " of memory that is not aligned for it is not supported; copy the array "
                      "first");
    const Layout layout = oldSize == newSize        ? array.getLayout()
                          : isC || dims.size() == 1 ? Layout::C
                                                    : Layout::Inner;
    auto type = ArrayType::get(e.ctx, dims, scalarType(e.ctx, to), layout, array.getReadonly(),
                               array.getDevice());
    return e.typed(ReinterpretOp::create(e.b, e.loc, type, a.value));
}

// view(dtype) of a NumPy scalar.
static Val numberAs(TypedBuilder &e, const Val &number, DType to) {
    const DType from = e.operandOf(number).dtype;
    if (from == to)
        return number;
    if (std::optional<std::string> loop = bitsLoop(from, to))
        return e.typed(UfuncOp::create(e.b, e.loc, "bits", ValueRange(number.value), *loop,
                                       scalarType(e.ctx, to)));
    const Val array = alloc(e, {}, from);
    assign(e, array, number);
    return e.typed(read(e, viewAs(e, array, to)));
}

static Val ndarrayView(TypedBuilder &e, const Arguments &in) {
    const Val &a = in["a"];
    const Val *given = in.find("dtype");
    const Dims dims = dimsOf(a);
    if (given && !given->isNone() && (!a.isArray() || dtypeOf(e, *given) != e.operandOf(a).dtype))
        return a.isArray() ? viewAs(e, a, dtypeOf(e, *given)) : numberAs(e, a, dtypeOf(e, *given));
    if (!a.isArray())
        return a;
    return view(e, a, Dims(dims.size(), e.dimConst(0)), Dims(dims.size(), e.dimConst(1)),
                allAxes(dims.size()), dims);
}

//===-- as_strided

static std::vector<Val> sequenceOf(TypedBuilder &e, const Val &v) {
    checkIterable(e, v);
    std::optional<std::vector<Val>> items = itemsOf(e, v);
    if (!items)
        e.unsupported("the shape and strides of as_strided must be tuples of known length");
    return *items;
}

static Val asStrided(TypedBuilder &e, const Arguments &in) {
    const Val a = asArray(e, in["x"]);
    auto given = [&](StringRef name) {
        const Val *v = in.find(name);
        return v && !v->isNone() ? v : nullptr;
    };
    const Val *shape = given("shape"), *steps = given("strides");
    const int64_t item = int64_t(itemSize(e.operandOf(a).dtype));
    if (shape && !steps && a.array().getLayout() != Layout::C)
        e.unsupported("as_strided without strides of an array that is not known to be C contiguous "
                      "is not supported; pass x.strides");
    const Dims dims = shape ? shapeOf(e, e.tupleVal(sequenceOf(e, *shape))) : dimsOf(a);
    Dims strides;
    SmallVector<Val> operands = {a, e.intVal(int64_t(dims.size()))};
    for (DimAttr dim : dims)
        operands.push_back(e.sizeVal(dim));
    auto contiguous = [&] { // NumPy's default: the strides of a contiguous array
        std::vector<Val> all;
        DimAttr next = e.dimConst(item);
        for (DimAttr dim : llvm::reverse(dims)) {
            all.insert(all.begin(), e.sizeVal(next));
            next = dimMul(next, dim);
        }
        return all;
    };
    for (const Val &v : steps ? sequenceOf(e, *steps) : shape ? contiguous() : stridesVal(e, a)) {
        const DimAttr bytes = e.facts.canonical(toDim(e, v));
        strides.push_back(e.facts.canonical(dimFloorDiv(bytes, e.dimConst(item))));
        operands.push_back(e.sizeVal(bytes));
    }
    if (strides.size() != dims.size())
        e.fail("ValueError", "mismatch in length of strides and shape");
    const Val fit = native(e, "strided_fits", {}, operands);
    rejectFit(e, fit, 1, "ValueError",
              "as_strided: a view of this shape with these strides would exceed the memory of the "
              "array");
    rejectFit(e, fit, 2, "shapecast.UnsupportedError",
              "as_strided with a stride that is no multiple of the item size (" + Twine(item) +
                  " bytes) is not supported");
    const Layout layout = dims.empty() ? Layout::C : layoutOf(strides, dims, e.facts);
    const bool readonly = a.array().getReadonly() || !flagArgument(e, in, "writeable", true);
    auto type =
        ArrayType::get(e.ctx, dims, a.array().getDtype(), layout, readonly, a.array().getDevice());
    return e.typed(AsStridedOp::create(e.b, e.loc, type, a.value, dimArray(e.ctx, strides)));
}

//===-- a.shape = ...

Val shapecast::reshapedInPlace(TypedBuilder &e, const Val &a, const Val &shape) {
    const Val result = reshape(e, a, {shape});
    if (!result.value.getDefiningOp<ReshapeAnyOp>())
        return result;
    const Dims dims = dimsOf(result);
    SmallVector<Val> operands = {a, e.intVal(int64_t(dims.size()))};
    for (DimAttr dim : dims)
        operands.push_back(e.sizeVal(dim));
    native(e, "reshape_fits", {}, operands, "AttributeError",
           "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with "
           "the desired shape.");
    return result;
}

// The base of a chain of views: a new array, an argument or another op's result.
static Value baseOf(Value array) {
    for (;;) {
        Operation *view = array.getDefiningOp();
        if (!isa_and_nonnull<ViewOp, CastOp>(view))
            return array;
        array = view->getOperand(0);
    }
}

static bool isNew(Value base) {
    return isa_and_nonnull<AllocOp, MaterializeOp>(base.getDefiningOp());
}

static bool isArgument(Value base) {
    auto argument = dyn_cast<BlockArgument>(base);
    // A loop's body has no parent operation yet.
    return argument && isa_and_nonnull<FuncOp>(argument.getOwner()->getParentOp());
}

// Whether the extents from the first to the last byte of both overlap.
static Val mayShareMemory(TypedBuilder &e, const Arguments &in) {
    if (in.find("max_work"))
        e.unsupported("max_work= of np.may_share_memory is not compiled yet");
    for (const char *name : {"a", "b"})
        if (!in[name].isArray())
            return e.boolVal(false);
    const Value a = baseOf(in["a"].value), b = baseOf(in["b"].value);
    if (a != b && ((isNew(a) && (isNew(b) || isArgument(b))) || (isArgument(a) && isNew(b))))
        return e.boolVal(false);
    return compare(e, "ne", native(e, "overlap", {}, {in["a"], in["b"]}), e.intVal(0));
}

ArrayRef<Function> shapecast::memoryFunctions() {
    static const Function list[] = {
        {"numpy.may_share_memory", "a, b, max_work=", mayShareMemory},
        {"ndarray.view", "a, dtype=", ndarrayView, true},
        {"numpy.isfortran", "a", isFortran},
        {"numpy.require", "a, dtype=, requirements=", require},
        {"numpy.lib.stride_tricks.as_strided",
         "x, shape=, strides=, subok=, writeable=", asStrided},
    };
    return list;
}

std::optional<Val> shapecast::memoryAttribute(TypedBuilder &e, const Val &base, StringRef name) {
    if (!base.isArray())
        return std::nullopt;
    if (name == "strides")
        return e.tupleVal(stridesVal(e, base));
    if (name != "flags")
        return std::nullopt;
    Val flags;
    flags.kind = Val::Kind::Iterator;
    flags.attr = e.b.getStringAttr("flags");
    flags.items = {base};
    return flags;
}
