#include "ops/builder/arrays.h"

#include "ops/builder/conversions.h"
#include "ops/builder/function.h"
#include "ops/builder/items.h"
#include "ops/builder/memory.h"
#include "ops/builder/operands.h"
#include "ops/builder/stores.h"
#include "shapes/rules.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val reshaped(TypedBuilder &e, const Val &a, ArrayRef<DimAttr> dims);

Val shapecast::transpose(TypedBuilder &e, const Val &a, ArrayRef<int64_t> axes) {
    const Dims from = dimsOf(a);
    return view(e, a, Dims(from.size(), e.dimConst(0)), Dims(from.size(), e.dimConst(1)), axes,
                shapes::transpose(e, from, axes));
}

Dims shapecast::shapeOf(TypedBuilder &e, const Val &shape) {
    Dims dims;
    for (const Val &v : itemsIn(e, shape, "a shape")) {
        dims.push_back(e.facts.canonical(toDim(e, v)));
        dims.back() = shapes::full(e, dims.back()).front();
    }
    return dims;
}

Val shapecast::reshape(TypedBuilder &e, const Val &a, ArrayRef<Val> shape) {
    if (shape.size() == 1 && isSequence(shape[0]))
        return reshape(e, a, itemsIn(e, shape[0], "a shape"));
    Dims wanted;
    for (const Val &v : shape) {
        DimAttr dim = e.facts.canonical(toDim(e, v));
        if (!dim.isConst() && e.facts.less(dim, e.dimConst(0)) != Answer::No &&
            !e.assumeGreaterEqual(dim, e.dimConst(0)) && e.assumeGreaterEqual(e.dimConst(-1), dim))
            dim = e.dimConst(-1); // negative in this call, and guarded to be
        wanted.push_back(dim.isConst() && dim.getValue() < 0 ? e.dimConst(-1) : dim);
    }
    return reshaped(e, a, shapes::reshape(e, dimsOf(a), wanted));
}

// A reshape that only removes and inserts axes of size 1: a view, whatever the strides. nullopt for
// any other.
static std::optional<Val> reshapeUnitAxes(TypedBuilder &e, const Val &a, ArrayRef<DimAttr> dims) {
    Dims from = dimsOf(a);
    SmallVector<int64_t> axes;
    size_t next = 0;
    auto skipOnes = [&] { // also symbols: n == 1 may be a fact
        while (next < from.size() && e.facts.equal(from[next], e.dimConst(1)) == Answer::Yes)
            ++next;
    };
    for (DimAttr dim : dims) {
        if (next < from.size() && e.facts.equal(from[next], dim) == Answer::Yes) {
            axes.push_back(next++);
            continue;
        }
        if (!dim.isConst(1))
            skipOnes();
        bool kept =
            !dim.isConst(1) && next < from.size() && e.facts.equal(from[next], dim) == Answer::Yes;
        if (!kept && !dim.isConst(1))
            return std::nullopt;
        axes.push_back(kept ? int64_t(next++) : -1);
    }
    skipOnes();
    if (next != from.size())
        return std::nullopt;
    return view(e, a, Dims(from.size(), e.dimConst(0)), Dims(from.size(), e.dimConst(1)), axes,
                dims);
}

// The sizes were required to have the same product as those of `a`.
static Val reshaped(TypedBuilder &e, const Val &a, ArrayRef<DimAttr> dims) {
    if (!a.isArray()) { // one element
        Val fresh = alloc(e, dims, e.operandOf(a).dtype);
        assign(e, fresh, a);
        return fresh;
    }
    Dims from = dimsOf(a);
    ArrayType array = a.array();
    if (from.size() == 1 && dims.size() == 1) // two expressions of one size
        return view(e, a, e.dimConst(0), e.dimConst(1), 0, from);
    if (!from.empty())
        if (std::optional<Val> same = reshapeUnitAxes(e, a, dims))
            return *same;
    if (array.getLayout() == Layout::C)
        return e.typed(ReshapeOp::create(e.b, e.loc, a.value, dims, Layout::C));
    Dims longer;
    SmallVector<int64_t> axes;
    for (auto [axis, dim] : llvm::enumerate(from))
        if (!dim.isConst(1)) {
            longer.push_back(dim);
            axes.push_back(axis);
        }
    if (longer.size() > 1)
        return e.typed(ReshapeAnyOp::create(e.b, e.loc, a.value, dims, Layout::Strided));
    if (from.size() != 1)
        return reshaped(e,
                        view(e, a, Dims(from.size(), e.dimConst(0)),
                             Dims(from.size(), e.dimConst(1)), axes, longer),
                        dims);
    return e.typed(
        ReshapeOp::create(e.b, e.loc, a.value, dims, Layout::Strided)); // splits one axis
}

Val shapecast::ravel(TypedBuilder &e, const Val &a) {
    if (!a.isArray() || a.array().getLayout() == Layout::C)
        return reshape(e, a, {e.intVal(-1)});
    const DimAttr size = e.facts.canonical(dimProduct(e.ctx, dimsOf(a)));
    return e.typed(ReshapeAnyOp::create(e.b, e.loc, a.value, size, Layout::C));
}

SmallVector<int64_t> shapecast::axesOf(TypedBuilder &e, const Val &axis, int64_t rank) {
    SmallVector<int64_t> axes;
    if (axis.isNone()) {
        for (int64_t i = 0; i < rank; ++i)
            axes.push_back(i);
        return axes;
    }
    if (axis.isTuple() && axis.list)
        e.fail("TypeError", "'list' object cannot be interpreted as an integer");
    std::vector<Val> single = {axis};
    for (const Val &v : axis.isArray() ? single : itemsIn(e, axis, "a tuple of axes")) {
        std::optional<int64_t> i = v.constInt();
        if (!i)
            toDim(e, v); // a TypeError where it is no integer
        if (!i)
            needConstant(e, v, "an axis must be a constant (it decides the result's rank)");
        if (rank == 0 && !axis.isTuple() && (*i == 0 || *i == -1))
            return axes;
        axes.push_back(*i);
    }
    return SmallVector<int64_t>(shapes::axesIn(e, axes, rank));
}

// NumPy's dtypes that are not supported: byte-swapped, strings, datetimes, structured.
static bool isUnsupportedDType(StringRef text) {
    if (text.contains(',') ||
        llvm::is_contained({"str", "bytes", "object", "object_", "str_", "bytes_", "void",
                            "longdouble", "clongdouble", "datetime64", "timedelta64", "unicode"},
                           text))
        return true;
    text = text.ltrim("<>=|");
    if (text.empty() || !StringRef("?bBhHiIlLqQefdgFDGSUaVOmMc").contains(text[0]))
        return false;
    const StringRef rest = text.drop_front();
    const bool sized = rest.find_first_not_of("0123456789") == StringRef::npos;
    return sized || ((text[0] == 'm' || text[0] == 'M') && rest.contains('['));
}

DType shapecast::dtypeOf(TypedBuilder &e, const Val &v) {
    if (v.isStatic("dtype") || v.isStatic("type") || v.isStatic("str"))
        if (std::optional<DType> dtype = dtypeFromName(v.staticText()))
            return *dtype;
    if (v.isStatic("str") && isUnsupportedDType(v.staticText()))
        e.unsupported("the dtype '" + v.staticText() + "' is not supported");
    if (v.isStatic("str"))
        e.fail("TypeError", "data type '" + v.staticText() + "' not understood");
    e.unsupported("a dtype must be a constant such as np.float64, not " + v.describe());
}

Val shapecast::asArray(TypedBuilder &e, const Val &v) {
    return v.isArray() ? v : callFunction(e, *findFunction("numpy.array"), {v}, {});
}

Val shapecast::broadcastView(TypedBuilder &e, const Val &a, ArrayRef<DimAttr> dims, bool readonly) {
    Dims from = dimsOf(a), steps(from.size(), e.dimConst(1));
    SmallVector<int64_t> axes(dims.size() - from.size(), -1);
    for (auto [i, dim] : llvm::enumerate(from)) {
        DimAttr wanted = dims[axes.size()];
        if (!e.assumeEqual(dim, wanted)) {
            if (e.assumeEqual(dim, e.dimConst(1))) {
                axes.push_back(-1);
                continue;
            }
            steps[i] = dimBcast(dim); // the caller requires that it fits
        }
        axes.push_back(i);
    }
    return view(e, a, Dims(from.size(), e.dimConst(0)), steps, axes, dims, readonly);
}

void shapecast::requireOneShape(TypedBuilder &e, ArrayRef<Dims> shapes) {
    for (size_t j = 1; j < shapes.size(); ++j)
        for (size_t i = 0; i < j; ++i)
            for (auto [a, c] : llvm::zip(llvm::reverse(shapes[i]), llvm::reverse(shapes[j]))) {
                if (e.assumeEqual(a, c) || e.assumeEqual(a, e.dimConst(1)) ||
                    e.assumeEqual(c, e.dimConst(1)))
                    continue;
                SmallVector<DimAttr> payload;
                std::string message =
                    "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
                    "between arg " +
                    std::to_string(i) + " with shape " + shapeText(shapes[i], payload, ", ") +
                    " and arg " + std::to_string(j) + " with shape " +
                    shapeText(shapes[j], payload, ", ") + ".";
                e.require("broadcast", {a, c}, "shapecast.ShapeError", message, payload);
            }
}

Val shapecast::sliceView(TypedBuilder &e, const Val &a, int64_t axis, DimAttr offset,
                         DimAttr size) {
    Dims dims = dimsOf(a), offsets(dims.size(), e.dimConst(0));
    dims[axis] = size;
    offsets[axis] = offset;
    return view(e, a, offsets, Dims(dims.size(), e.dimConst(1)),
                llvm::to_vector(llvm::seq<int64_t>(0, dims.size())), dims);
}

// NumPy converts a tuple, list or range to an array where the other operand is an array or scalar
// of its own.
std::optional<std::pair<Val, Val>> shapecast::sequenceAsArray(TypedBuilder &e, const Val &a,
                                                              const Val &c) {
    auto sequence = [](const Val &v) { return v.isTuple() || v.kind == Val::Kind::Range; };
    auto numpy = [](const Val &v) { return v.isTyped() && !isPy(v) && !v.isPython(); };
    if (numpy(a) && sequence(c))
        return std::pair(a, asArray(e, c));
    if (sequence(a) && numpy(c))
        return std::pair(asArray(e, a), c);
    return std::nullopt;
}
