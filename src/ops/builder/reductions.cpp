#include "ops/builder/reductions.h"

#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/memory.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

std::optional<int64_t> shapecast::shortAxisSize(TypedBuilder &e, DimAttr size) {
    DimAttr known = e.facts.canonical(size);
    for (int64_t length : {2, 3, 4})
        if (known.isConst() ? known.getValue() == length : e.assumeEqual(known, e.dimConst(length)))
            return length;
    return std::nullopt;
}

// A chain of element-wise ufuncs, which fuses with the producers of the operand and the consumers
// of the result.
static Val reduceShortAxis(TypedBuilder &e, StringRef combine, Value value, int64_t items,
                           bool keepdims) {
    Val all = materialize(e, value), result;
    Dims dims = dimsOf(all), steps(dims.size(), e.dimConst(1)), offsets(dims.size(), e.dimConst(0));
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, dims.size() - 1));
    dims.pop_back();
    if (keepdims) {
        axes.push_back(-1);
        dims.push_back(e.dimConst(1));
    }
    for (int64_t k = 0; k < items; ++k) {
        offsets.back() = e.dimConst(k);
        Val item = view(e, all, offsets, steps, axes, dims);
        if (k > 0 || combine == "add") // NumPy's sums start from 0.0: never -0.0
            item = ufunc(e, combine,
                         {k > 0 ? result : castTo(e, e.intVal(0), e.operandOf(all).dtype), item});
        result = item;
    }
    return result;
}

// Whether to reduce the outer axes first: rows are so short that their horizontal reduction costs
// more than reading them, one slice of the last and the kept axes fits in L1, and the order of the
// reduction does not change the result.
static bool hasShortRows(TypedBuilder &e, StringRef combine, RankedTensorType tensor,
                         ArrayRef<int64_t> axes, ArrayRef<int64_t> last) {
    constexpr int64_t maxRowItems = 64, maxSliceBytes = 16 << 10;
    const DType dtype = operandType(tensor)->dtype;
    if (isComplex(dtype) || (isFloat(dtype) && combine != "minimum" && combine != "maximum"))
        return false;
    DimAttr row = e.dimConst(1), all = e.dimConst(int64_t(itemSize(dtype)));
    for (auto [d, size] : llvm::enumerate(valueDims(tensor))) {
        const bool isLast = llvm::is_contained(last, int64_t(d));
        if (isLast)
            row = dimMul(row, size);
        if (isLast || !llvm::is_contained(axes, int64_t(d)))
            all = dimMul(all, size);
    }
    std::optional<int64_t> items = e.sizeHint(row), bytes = e.sizeHint(all);
    return items && bytes && *items <= maxRowItems && *bytes <= maxSliceBytes;
}

Val shapecast::reduce(TypedBuilder &e, StringRef combine, Value value, ArrayRef<int64_t> axes,
                      bool keepdims) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor || axes.empty())
        return materialize(e, value);
    if (tensor.getRank() > 1 && axes.size() == 1 && axes[0] == tensor.getRank() - 1 &&
        !combine.starts_with("arg") && !isComplex(operandType(tensor)->dtype))
        if (std::optional<int64_t> items = shortAxisSize(e, valueDims(tensor).back()))
            return reduceShortAxis(e, combine, value, *items, keepdims);
    // Axes on both sides of a kept axis: the last ones are reduced first, in memory order, where
    // one nest would stream through the whole array for each index of the kept axis.
    SmallVector<int64_t> last(axes), before;
    llvm::sort(last);
    while (!last.empty() && last.back() != tensor.getRank() - 1)
        last.pop_back();
    while (last.size() > 1 && last.front() + int64_t(last.size()) != tensor.getRank()) {
        before.push_back(last.front());
        last.erase(last.begin());
    }
    if (!before.empty() && !last.empty()) {
        if (!hasShortRows(e, combine, tensor, axes, last))
            return reduce(e, combine, read(e, reduce(e, combine, value, last, keepdims)), before,
                          keepdims);
        Value rows = read(e, reduce(e, combine, value, before, keepdims));
        for (int64_t &axis : last)
            axis -= keepdims ? 0 : int64_t(before.size());
        return reduce(e, combine, rows, last, keepdims);
    }
    return materialize(e, ReduceOp::create(e.b, e.loc, combine, value, axes, keepdims));
}

Val shapecast::isAny(TypedBuilder &e, const Val &flags) {
    const auto axes = llvm::to_vector(llvm::seq<int64_t>(0, flags.array().getRank()));
    const Val any = reduce(e, "logical_or", read(e, flags), axes, /*keepdims=*/false);
    return toPy(e, any, PyKind::Bool);
}
