// Basic indexing: by integers, slices, None and `...`.
#include "ops/builder/conversions.h"
#include "ops/builder/indexing.h"
#include "ops/builder/operands.h"
#include "ops/builder/reductions.h"
#include "shapes/rules.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

DimAttr shapecast::sliceDim(TypedBuilder &e, const Val &v) {
    return e.facts.canonical(
        toDim(e, v, "slice indices must be integers or None or have an __index__ method"));
}

// Offset and size of lo:hi:step over n elements.
static std::pair<DimAttr, DimAttr> slice(TypedBuilder &e, const Val &slice, DimAttr n, DimAttr step,
                                         bool up) {
    auto bound = [&](const Val &v) { return v.isNone() ? DimAttr() : sliceDim(e, v); };
    const shapes::Slice cut =
        shapes::slice(e, n, bound(slice.items[0]), bound(slice.items[1]), step, up);
    return {cut.start, cut.size};
}

BasicIndex shapecast::basicIndex(TypedBuilder &e, const Val &base, ArrayRef<Val> keys) {
    Dims from = dimsOf(base);
    int64_t rank = from.size(), used = 0;
    for (const Val &key : keys) {
        used += !key.isNone() && !key.isStatic("ellipsis");
        if (key.weakFlag &&
            (key.weakKind == PyKind::Bool || isBool(e.operandOf(strongSide(key)).dtype)))
            e.unsupported("indexing with " + key.describe() + " is not supported");
    }
    for (const Val &key : keys)
        if (!key.isNone() && !key.isStatic("ellipsis") && key.kind != Val::Kind::Slice &&
            (!key.isScalar() || !isInteger(e.operandOf(strongSide(key)).dtype)))
            e.fail("IndexError", "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis "
                                 "(`None`) and integer or boolean arrays are valid indices");
    if (used > rank)
        e.fail("IndexError", "too many indices for array: array is " + Twine(rank) +
                                 "-dimensional, but " + Twine(used) + " were indexed");
    BasicIndex result;
    int64_t axis = 0;
    auto keep = [&](DimAttr offset, DimAttr size, DimAttr step) {
        result.offsets.push_back(offset);
        result.steps.push_back(step);
        result.axes.push_back(axis++);
        result.dims.push_back(size);
    };
    bool ellipsis = false;
    auto rest = [&] {
        for (int64_t i = used; i < rank; ++i)
            keep(e.dimConst(0), from[axis], e.dimConst(1));
    };
    for (const Val &key : keys) {
        if (key.isStatic("ellipsis")) {
            if (ellipsis)
                e.fail("IndexError", "an index can only have a single ellipsis ('...')");
            ellipsis = true;
            result.element = false;
            rest();
        } else if (key.isNone()) {
            result.element = false;
            result.axes.push_back(-1);
            result.dims.push_back(e.dimConst(1));
        } else if (key.kind == Val::Kind::Slice) {
            result.element = false;
            DimAttr step = key.items[2].isNone() ? e.dimConst(1) : sliceDim(e, key.items[2]);
            if (!e.assumeNotEqual(step, e.dimConst(0)))
                e.require("ne", {step, e.dimConst(0)}, "ValueError", "slice step cannot be zero");
            bool up = e.assumeGreaterEqual(step, e.dimConst(1));
            if (!up && !e.assumeGreaterEqual(e.dimConst(-1), step) && !step.isConst(0))
                needConstant(e, key.items[2],
                             "a slice's step must be a constant where its sign is not known");
            auto [offset, size] =
                slice(e, key, from[axis], step.isConst(0) ? e.dimConst(1) : step, up);
            keep(offset, size, step);
        } else {
            // One component of a short last axis, such as a colour channel: a constant size of the
            // axis makes the stride of loops a constant, and they load whole vectors.
            const bool isPart =
                !result.element && axis > 0 && axis + 1 == rank && &key == &keys.back();
            if (DimAttr part = e.facts.canonical(toDim(e, key)); isPart && part.isConst())
                shortAxisSize(e, from[axis]);
            DimAttr i = e.checkedIndex(e.facts.canonical(toDim(e, key)), from[axis], axis);
            result.offsets.push_back(i);
            result.steps.push_back(e.dimConst(1));
            ++axis;
        }
    }
    if (!ellipsis && used < rank) {
        result.element = false;
        rest();
    }
    return result;
}
