// Shape inference rules, one per family of operations: what each requires of its operands' shapes,
// and the shape of its result with the intermediate sizes that a lowering needs (padded shapes,
// offsets, windows).
//
// Axes may be negative, as in NumPy. Sizes are not: every symbol of an operand's shape is >= 0. A
// rule raises NumPy's exception where there is one, else shapecast.ShapeError.
#pragma once

#include "shapes/scope.h"

#include <optional>
#include <string>

namespace shapecast::shapes {

using np::DimAttr;
using Shape = llvm::ArrayRef<DimAttr>;
using Shapes = llvm::ArrayRef<Dims>;
using Axes = llvm::ArrayRef<int64_t>;
using AxisList = llvm::SmallVector<int64_t, 4>;

//===-- Axes (axes.cpp)
int64_t axisIn(ShapeScope &s, int64_t axis, int64_t rank);
AxisList axesIn(ShapeScope &s, Axes axes, int64_t rank); // sorted, unique
Dims full(ShapeScope &s, Shape sizes); // a new array of these sizes, which must not be negative
Dims reduce(ShapeScope &s, Shape shape, Axes axes, bool keepdims);
Dims scan(ShapeScope &s, Shape shape, int64_t axis);
Dims transpose(ShapeScope &s, Shape shape, Axes order);
Dims squeeze(ShapeScope &s, Shape shape, Axes axes); // each of them is, or is required to be, 1
Dims unsqueeze(ShapeScope &s, Shape shape, Axes axes);
Dims flatten(ShapeScope &s, Shape shape, int64_t axis); // two axes: before `axis`, the rest

//===-- Broadcasting (broadcast.cpp)
DimAttr broadcastDim(ShapeScope &s, DimAttr a, DimAttr b, Shapes all);
DimAttr broadcastDim(ShapeScope &s, DimAttr a, DimAttr b, Shapes all, llvm::StringRef error,
                     const llvm::Twine &message); // `message` and the shapes
// `shown`: the shapes in the message, if not these.
Dims broadcast(
    ShapeScope &s, Shapes shapes, Shapes shown = {}, llvm::StringRef error = "shapecast.ShapeError",
    const llvm::Twine &message = "operands could not be broadcast together with shapes ");
Dims broadcastTo(ShapeScope &s, Shape from, Shape to); // `to`, simplified by the facts

//===-- Products (products.cpp)
struct Matmul {
    Dims left,
        right; // with the axis that a vector lacks: (..., rows, inner), (..., inner, columns)
    Dims batch, result;
};
Matmul matmul(ShapeScope &s, Shape a, Shape b);
// a and b are matrices, optionally transposed; c, if given, broadcasts to the result.
Dims gemm(ShapeScope &s, Shape a, Shape b, bool transposeA, bool transposeB,
          std::optional<Dims> c = std::nullopt);
Dims einsum(ShapeScope &s, llvm::StringRef equation, Shapes shapes);

//===-- Reshape (reshape.cpp)
// At most one size of `to` is a negative number. It is inferred: sizes common to both shapes cancel
// and the rest is divided: (a, b, 2048) as (a, b, -1, 64) is (a, b, 32, 64).
Dims reshape(ShapeScope &s, Shape from, Shape to);

//===-- Joining and splitting (join.cpp)
struct Concat {
    Dims result;
    llvm::SmallVector<DimAttr> offsets; // of each operand in the result, along the axis
};
Concat concat(ShapeScope &s, Shapes shapes, int64_t axis);
Dims stack(ShapeScope &s, Shapes shapes, int64_t axis);
// Into `parts` of equal size; uneven (np.array_split): the first ones are one longer if need be.
llvm::SmallVector<Dims> split(ShapeScope &s, Shape shape, int64_t axis, int64_t parts,
                              bool uneven = false);
llvm::SmallVector<Dims> splitSizes(ShapeScope &s, Shape shape, int64_t axis, Shape sizes);
Dims tile(ShapeScope &s, Shape shape, Shape counts);
Dims pad(ShapeScope &s, Shape shape, Shape before, Shape after);

//===-- Indexing (index.cpp)
struct Slice {
    DimAttr start, size; // the index of the first element, clamped to the axis, and their number
};
// start:stop:step of n elements, as Python slices; null: absent. `up`: the step is positive.
Slice slice(ShapeScope &s, DimAttr n, DimAttr start, DimAttr stop, DimAttr step, bool up);
Dims gather(ShapeScope &s, Shape shape, Shape indices, int64_t axis);
Dims gatherNd(ShapeScope &s, Shape shape, Shape indices, int64_t batchAxes = 0);
Dims scatter(ShapeScope &s, Shape shape, Shape indices, Shape updates, int64_t axis);
Dims scatterNd(ShapeScope &s, Shape shape, Shape indices, Shape updates);
Dims oneHot(ShapeScope &s, Shape indices, DimAttr depth, int64_t axis);
Dims topK(ShapeScope &s, Shape shape, DimAttr count, int64_t axis);
// `count` elements are selected along the axis; without an axis, of all. No more than there are.
Dims compress(ShapeScope &s, Shape shape, DimAttr count, std::optional<int64_t> axis);
DimAttr range(ShapeScope &s, DimAttr start, DimAttr stop, DimAttr step);

//===-- Windows: convolution, pooling, resizing (rematerialise_windows.cpp)
enum class Padding { Explicit, Valid, SameUpper, SameLower };
struct WindowOptions {
    int64_t stride = 1, dilation = 1;
    int64_t before = 0, after = 0; // with Padding::Explicit
    int64_t outputPadding = 0;     // of a transposed convolution
};
struct Window { // along one axis
    DimAttr size, before, after;
};
struct Windows {
    Dims result;
    llvm::SmallVector<Window, 3> windows;
};
// How many windows of `kernel` elements fit; ceil: also one that begins inside and ends outside.
Window window(ShapeScope &s, DimAttr n, DimAttr kernel, const WindowOptions &options,
              Padding padding, bool ceil = false);
// x is (batch, channels, *spatial), w (features, channels / groups, *kernel).
Windows conv(ShapeScope &s, Shape x, Shape w, llvm::ArrayRef<WindowOptions> options,
             Padding padding, int64_t groups);
Windows pool(ShapeScope &s, Shape x, Shape kernel, llvm::ArrayRef<WindowOptions> options,
             Padding padding, bool ceil);
// x is (batch, channels, *spatial), w (channels, features / groups, *kernel). With `outputs` the
// spatial sizes are these, and the padding follows from them.
Windows convTranspose(ShapeScope &s, Shape x, Shape w, llvm::ArrayRef<WindowOptions> options,
                      Padding padding, int64_t groups, std::optional<Dims> outputs = std::nullopt);
// floor(n * numerator / denominator) along each axis.
Dims resize(ShapeScope &s, Shape shape, Axes numerators, Axes denominators);

//===-- Recurrent cells (recurrent.cpp)
struct Recurrent {
    Dims all, last; // the states after each step, and after the last one (an LSTM's cells too)
};
// x is (steps, batch, features), w (directions, gates * hidden, features), r (directions,
// gates * hidden, hidden); batchFirst: x is (batch, steps, features), and the results begin with
// the batch. Gates: RNN 1, GRU 3, LSTM 4.
Recurrent recurrent(ShapeScope &s, Shape x, Shape w, Shape r, int64_t gates, int64_t directions,
                    bool batchFirst);

} // namespace shapecast::shapes
