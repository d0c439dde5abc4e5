// Shape rules of sliding windows: convolution, pooling, their transposes; resizing.
#include "shapes/rules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace shapecast::shapes {

// The extent of a dilated window: from its first to its last element.
static DimAttr extentOf(ShapeScope &s, DimAttr kernel, int64_t dilation) {
    return dimAdd(dimMul(s.dimConst(dilation), dimSub(kernel, s.dimConst(1))), s.dimConst(1));
}

// Total padding split between both sides: an odd one goes after, or with SameLower before.
static std::pair<DimAttr, DimAttr> splitPadding(ShapeScope &s, DimAttr total, bool lower) {
    const DimAttr small = dimFloorDiv(total, s.dimConst(2)), large = dimSub(total, small);
    return lower ? std::pair(large, small) : std::pair(small, large);
}

static void checkOptions(ShapeScope &s, const WindowOptions &options) {
    if (options.stride < 1 || options.dilation < 1)
        s.fail("ValueError", "strides and dilations must be > 0, not " + Twine(options.stride) +
                                 " and " + Twine(options.dilation));
    for (int64_t padding : {options.before, options.after, options.outputPadding})
        if (padding < 0)
            s.fail("ValueError", "paddings must be nonnegative, not " + Twine(padding));
}

Window window(ShapeScope &s, DimAttr n, DimAttr kernel, const WindowOptions &options,
              Padding padding, bool ceil) {
    checkOptions(s, options);
    const DimAttr zero = s.dimConst(0), one = s.dimConst(1), stride = s.dimConst(options.stride);
    s.requireGreaterEqual(kernel, one, "ValueError", "a window must have at least one element");
    const DimAttr extent = extentOf(s, kernel, options.dilation);
    if (padding == Padding::SameUpper || padding == Padding::SameLower) {
        const DimAttr size = s.facts.canonical(dimCeilDiv(n, stride));
        const DimAttr reach = dimAdd(dimMul(dimSub(size, one), stride), extent);
        const DimAttr total = s.facts.canonical(dimMax(dimSub(reach, n), zero));
        auto [before, after] = splitPadding(s, total, padding == Padding::SameLower);
        return {size, before, after};
    }
    const bool valid = padding == Padding::Valid;
    const DimAttr before = valid ? zero : s.dimConst(options.before),
                  after = valid ? zero : s.dimConst(options.after);
    const DimAttr padded = dimAdd(n, dimAdd(before, after)), span = dimSub(padded, extent);
    s.requireGreaterEqual(span, zero, "shapecast.ShapeError",
                          "a window of {0} elements does not fit an axis of {1}", {extent, padded});
    DimAttr size = dimAdd(ceil ? dimCeilDiv(span, stride) : dimFloorDiv(span, stride), one);
    if (ceil) // but no window begins in the padding after
        size = dimMin(size, dimCeilDiv(dimAdd(n, before), stride));
    return {s.facts.canonical(size), before, after};
}

// Checks the ranks; the number of spatial axes.
static size_t spatialAxes(ShapeScope &s, StringRef name, Shape x, size_t others, size_t options) {
    if (x.size() < 3 || others != x.size() - 2)
        s.fail("ValueError", name + " of an array of " + Twine(x.size()) + " dimensions with a " +
                                 Twine(others) +
                                 "-dimensional window: it takes (batch, channels, "
                                 "*spatial), and a window of the spatial axes");
    if (options != x.size() - 2)
        s.fail("ValueError", name + " takes a stride, dilation and padding for each of " +
                                 Twine(x.size() - 2) + " spatial axes, not " + Twine(options));
    return options;
}

static void checkGroups(ShapeScope &s, DimAttr count, int64_t groups, StringRef what) {
    if (groups < 1)
        s.fail("ValueError", "the number of groups must be > 0, not " + Twine(groups));
    s.requireEqual(
        dimMod(count, s.dimConst(groups)), s.dimConst(0), "shapecast.ShapeError",
        what + " ({0}) is not a multiple of the number of groups (" + Twine(groups) + ")", {count});
}

Windows conv(ShapeScope &s, Shape x, Shape w, ArrayRef<WindowOptions> options, Padding padding,
             int64_t groups) {
    const size_t axes = spatialAxes(s, "conv", x, w.size() < 2 ? 0 : w.size() - 2, options.size());
    checkGroups(s, w[0], groups, "the number of features");
    const DimAttr channels = dimMul(w[1], s.dimConst(groups));
    s.requireEqual(x[1], channels, "shapecast.ShapeError",
                   "conv: the array has {0} channels, and the window {1} in " + Twine(groups) +
                       " group(s)",
                   {x[1], w[1]});
    Windows result{{x[0], w[0]}, {}};
    for (size_t i = 0; i < axes; ++i) {
        result.windows.push_back(window(s, x[i + 2], w[i + 2], options[i], padding));
        result.result.push_back(result.windows.back().size);
    }
    return result;
}

Windows pool(ShapeScope &s, Shape x, Shape kernel, ArrayRef<WindowOptions> options, Padding padding,
             bool ceil) {
    const size_t axes = spatialAxes(s, "pool", x, kernel.size(), options.size());
    Windows result{{x[0], x[1]}, {}};
    for (size_t i = 0; i < axes; ++i) {
        result.windows.push_back(window(s, x[i + 2], kernel[i], options[i], padding, ceil));
        result.result.push_back(result.windows.back().size);
    }
    return result;
}

// One axis of a transposed convolution; `wanted` may be null.
static Window transposedWindow(ShapeScope &s, DimAttr n, DimAttr kernel,
                               const WindowOptions &options, Padding padding, DimAttr wanted) {
    checkOptions(s, options);
    const DimAttr zero = s.dimConst(0), one = s.dimConst(1), stride = s.dimConst(options.stride);
    for (DimAttr size : {kernel, n})
        s.requireGreaterEqual(size, one, "ValueError",
                              "a window and its axis must have at least one element");
    if (wanted)
        s.requireGreaterEqual(wanted, zero, "ValueError", "negative dimensions are not allowed");
    const DimAttr full =
        dimAdd(dimAdd(dimMul(stride, dimSub(n, one)), s.dimConst(options.outputPadding)),
               extentOf(s, kernel, options.dilation));
    const bool same = padding == Padding::SameUpper || padding == Padding::SameLower;
    DimAttr before = zero, after = zero;
    if (same || wanted) {
        const DimAttr size = wanted ? wanted : dimMul(n, stride);
        const DimAttr total = s.facts.canonical(dimMax(dimSub(full, size), zero));
        std::tie(before, after) = splitPadding(s, total, padding != Padding::SameUpper);
        return {size, before, after};
    }
    if (padding == Padding::Explicit) {
        before = s.dimConst(options.before);
        after = s.dimConst(options.after);
    }
    const DimAttr size = s.facts.canonical(dimSub(full, dimAdd(before, after)));
    s.requireGreaterEqual(size, zero, "shapecast.ShapeError",
                          "the padding of a transposed convolution is larger than its result, {0}",
                          {full});
    return {size, before, after};
}

Windows convTranspose(ShapeScope &s, Shape x, Shape w, ArrayRef<WindowOptions> options,
                      Padding padding, int64_t groups, std::optional<Dims> outputs) {
    const size_t axes =
        spatialAxes(s, "conv_transpose", x, w.size() < 2 ? 0 : w.size() - 2, options.size());
    if (outputs && outputs->size() != axes)
        s.fail("ValueError", "conv_transpose: an output shape of " + Twine(outputs->size()) +
                                 " sizes, for " + Twine(axes) + " spatial axes");
    checkGroups(s, x[1], groups, "the number of channels");
    s.requireEqual(x[1], w[0], "shapecast.ShapeError",
                   "conv_transpose: the array has {0} channels, and the window {1}", {x[1], w[0]});
    Windows result{{x[0], dimMul(w[1], s.dimConst(groups))}, {}};
    for (size_t i = 0; i < axes; ++i) {
        result.windows.push_back(transposedWindow(s, x[i + 2], w[i + 2], options[i], padding,
                                                  outputs ? (*outputs)[i] : DimAttr()));
        result.result.push_back(result.windows.back().size);
    }
    return result;
}

Dims resize(ShapeScope &s, Shape shape, Axes numerators, Axes denominators) {
    if (numerators.size() != shape.size() || denominators.size() != shape.size())
        s.fail("ValueError", "resize takes a scale for each of " + Twine(shape.size()) + " axes");
    Dims result;
    for (auto [n, top, bottom] : zip_equal(shape, numerators, denominators)) {
        if (top < 0 || bottom < 1)
            s.fail("ValueError", "a scale must not be negative");
        result.push_back(
            s.facts.canonical(dimFloorDiv(dimMul(n, s.dimConst(top)), s.dimConst(bottom))));
    }
    return result;
}

} // namespace shapecast::shapes
