// Strides and layout classes: see the header.
#include "ir/layout.h"

#include "ir/dim_facts.h"

using namespace mlir;

namespace shapecast::np {

SmallVector<DimAttr, 4> stridesOf(ArrayType type, ArrayRef<DimAttr> dynamic) {
    const int64_t rank = type.getRank();
    DimAttr one = dimConst(type.getContext(), 1);
    SmallVector<DimAttr, 4> strides(dynamic);
    strides.resize(rank);
    switch (type.getLayout()) {
    case Layout::C:
        for (int64_t d = rank - 1; d >= 0; --d)
            strides[d] = d == rank - 1 ? one : dimMul(strides[d + 1], type.getDims()[d + 1]);
        break;
    case Layout::F:
        for (int64_t d = 0; d < rank; ++d)
            strides[d] = d == 0 ? one : dimMul(strides[d - 1], type.getDims()[d - 1]);
        break;
    case Layout::Inner:
        if (rank)
            strides[rank - 1] = one;
        break;
    case Layout::Strided:
        break;
    }
    return strides;
}

unsigned dynamicStrides(Layout layout, int64_t rank) {
    if (layout == Layout::Strided)
        return unsigned(rank);
    return layout == Layout::Inner && rank > 0 ? unsigned(rank - 1) : 0;
}

Layout layoutOf(ArrayRef<DimAttr> strides, ArrayRef<DimAttr> dims, const DimFacts &facts) {
    auto contiguous = [&](bool fortran) {
        DimAttr expected;
        for (size_t i = 0; i < dims.size(); ++i) {
            size_t r = fortran ? i : dims.size() - 1 - i;
            if (dims[r].isConst(1))
                continue;
            expected = expected ? expected : dimConst(dims[r].getContext(), 1);
            if (!strides[r] || facts.equal(strides[r], expected) != Answer::Yes)
                return false;
            expected = dimMul(expected, dims[r]);
        }
        return true;
    };
    if (contiguous(false))
        return Layout::C;
    if (contiguous(true))
        return Layout::F;
    return strides.back() && strides.back().isConst(1) ? Layout::Inner : Layout::Strided;
}

Layout viewLayout(ArrayType base, ArrayRef<DimAttr> steps, ArrayRef<int64_t> axes,
                  ArrayRef<DimAttr> dims, const DimFacts &facts) {
    SmallVector<DimAttr, 4> baseStrides = stridesOf(base), strides;
    for (int64_t axis : axes) {
        bool known = axis < 0 || (baseStrides[axis] && steps[axis]);
        strides.push_back(axis < 0 ? dimConst(base.getContext(), 0)
                          : known  ? dimMul(baseStrides[axis], steps[axis])
                                   : DimAttr());
    }
    return layoutOf(strides, dims, facts);
}

DimAttr knownStride(BlockArgument argument, int64_t axis) {
    auto func = dyn_cast_or_null<FuncOp>(argument.getOwner()->getParentOp());
    auto all = func ? func.getStridesAttr() : nullptr;
    if (!all || argument.getArgNumber() >= all.size())
        return {};
    auto strides = dyn_cast<DenseI64ArrayAttr>(all[argument.getArgNumber()]);
    if (!strides || ShapedType::isDynamic(strides[axis]))
        return {};
    return dimConst(argument.getContext(), strides[axis]);
}

bool walksFortran(Value array) {
    if (cast<ArrayType>(array.getType()).getLayout() == Layout::F)
        return true;
    // Cache keys have the first stride only if strides grow along the axes
    // (bindings/call/arguments.h).
    if (auto argument = dyn_cast<BlockArgument>(array))
        return cast<ArrayType>(array.getType()).getRank() > 1 && knownStride(argument, 0);
    if (auto assumed = array.getDefiningOp<CastOp>())
        return isa<ArrayType>(assumed.getOperand().getType()) && walksFortran(assumed.getOperand());
    auto view = array.getDefiningOp<ViewOp>();
    ArrayRef<int64_t> axes = view ? view.getAxes() : ArrayRef<int64_t>();
    const bool isInOrder =
        std::adjacent_find(axes.begin(), axes.end(), std::greater_equal<int64_t>()) == axes.end();
    return axes.size() > 1 && axes.front() >= 0 && isInOrder && walksFortran(view.getBase());
}

Layout layoutOfResult(ValueRange operands) {
    bool found = false;
    // With one axis at most that is not of size 1 it is in both orders.
    auto hasOrder = [](ArrayType array) {
        return llvm::count_if(array.getDims(), [](DimAttr dim) { return !dim.isConst(1); }) > 1;
    };
    for (Value operand : operands)
        if (auto array = dyn_cast<ArrayType>(operand.getType()); array && hasOrder(array)) {
            if (!walksFortran(operand))
                return Layout::C;
            found = true;
        }
    return found ? Layout::F : Layout::C;
}

} // namespace shapecast::np
