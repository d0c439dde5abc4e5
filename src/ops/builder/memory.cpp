#include "ops/builder/memory.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

Val shapecast::withSimpleSizes(TypedBuilder &e, Val v) {
    ArrayType type = v.array();
    if (!type)
        return v;
    Dims dims = llvm::map_to_vector<4>(
        type.getDims(), [&](DimAttr dim) { return dimIsHeavy(dim) ? e.simpleSize(dim) : dim; });
    if (ArrayRef(dims) != type.getDims())
        v.value = CastOp::create(e.b, e.loc,
                                 ArrayType::get(e.ctx, dims, type.getDtype(), type.getLayout(),
                                                type.getReadonly(), type.getDevice()),
                                 v.value);
    return v;
}

Val shapecast::firstElement(TypedBuilder &e, const Val &v) {
    SmallVector<DimAttr> zeros(v.array().getRank(), e.dimConst(0));
    return e.typed(
        LoadOp::create(e.b, e.loc, v.array().getDtype(), v.value, dimArray(e.ctx, zeros)));
}

Val shapecast::alloc(TypedBuilder &e, ArrayRef<DimAttr> dims, DType dtype, Layout layout) {
    auto type = ArrayType::get(e.ctx, dims, scalarType(e.ctx, dtype), layout, false, e.device);
    return e.typed(AllocOp::create(e.b, e.loc, type));
}

Val shapecast::view(TypedBuilder &e, const Val &base, ArrayRef<DimAttr> offsets,
                    ArrayRef<DimAttr> steps, ArrayRef<int64_t> axes, ArrayRef<DimAttr> dims,
                    bool readonly) {
    auto view =
        ViewOp::create(e.b, e.loc, base.value, offsets, steps, axes, dims, e.facts, readonly);
    if (readonly)
        view.setReadonlyAttr(e.b.getUnitAttr());
    return e.typed(view);
}

Val shapecast::native(TypedBuilder &e, StringRef name, ArrayRef<Val> written, ArrayRef<Val> read,
                      StringRef error, const Twine &message, Type result) {
    SmallVector<Value> operands;
    for (ArrayRef<Val> list : {written, read})
        for (const Val &v : list)
            operands.push_back(v.value);
    auto op =
        NativeOp::create(e.b, e.loc, result ? result : PyIntType::get(e.ctx),
                         e.b.getStringAttr(name), e.b.getI64IntegerAttr(int64_t(written.size())),
                         operands, error.empty() ? StringAttr() : e.b.getStringAttr(error),
                         error.empty() ? StringAttr() : e.b.getStringAttr(message));
    std::vector<std::string> notes = e.operandNotes ? e.operandNotes() : std::vector<std::string>();
    if (!notes.empty())
        op.setNotesAttr(e.b.getStrArrayAttr(SmallVector<StringRef>(notes.begin(), notes.end())));
    return e.typed(op);
}

Val shapecast::arrayRow(TypedBuilder &e, const Val &a, int64_t i) {
    Dims offsets(a.array().getRank(), e.dimConst(0));
    offsets[0] = e.dimConst(i);
    if (offsets.size() == 1)
        return e.typed(
            LoadOp::create(e.b, e.loc, a.array().getDtype(), a.value, dimArray(e.ctx, offsets)));
    const auto axes = llvm::to_vector(llvm::seq<int64_t>(1, offsets.size()));
    const Dims steps(offsets.size(), e.dimConst(1));
    return view(e, a, offsets, steps, axes, ArrayRef(dimsOf(a)).drop_front());
}
