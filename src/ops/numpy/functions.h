// The tables of functions, one per file; findFunction searches them all.
#pragma once

#include "ops/builder/typed.h"

namespace shapecast {

llvm::ArrayRef<Function>
creationFunctions(); // functions_creation.cpp: zeros, full_like, array, copy ...
llvm::ArrayRef<Function> rangeFunctions();  // functions_ranges.cpp: arange, linspace
llvm::ArrayRef<Function> reduceFunctions(); // functions_reduce.cpp: sum, mean, max, any ...
llvm::ArrayRef<Function>
shapeFunctions(); // functions_shape.cpp: reshape, transpose, where, matmul ...
llvm::ArrayRef<Function> pythonFunctions(); // functions_python.cpp: len, abs, min, int ...
llvm::ArrayRef<Function> textFunctions();   // functions_text.cpp: str, repr, format ...
llvm::ArrayRef<Function> classFunctions();  // functions_classes.cpp: isinstance, type, hasattr ...
llvm::ArrayRef<Function> numberFunctions(); // functions_numbers.cpp: round, divmod, sorted ...
llvm::ArrayRef<Function> mathFunctions();   // functions_math.cpp: gcd, hypot, isclose ...
llvm::ArrayRef<Function> cmathFunctions();  // functions_cmath.cpp

llvm::ArrayRef<Function> productFunctions(); // functions_products.cpp: dot, matmul, outer, norm ...
llvm::ArrayRef<Function> attributeFunctions(); // functions_attributes.cpp: shape, real, item ...
llvm::ArrayRef<Function> statFunctions();      // functions_stat.cpp: var, argmax, allclose ...
llvm::ArrayRef<Function> joinFunctions();      // functions_join.cpp: concatenate, stack, copyto ...
llvm::ArrayRef<Function>
arrangeFunctions(); // functions_arrange.cpp: eye, tri, tile, roll, diff ...
llvm::ArrayRef<Function> indexingFunctions(); // functions_indexing.cpp: nonzero, flatnonzero ...
llvm::ArrayRef<Function> viewFunctions();     // functions_views.cpp: swapaxes, squeeze, flip ...

llvm::ArrayRef<Function> kindFunctions(); // functions_kinds.cpp: broadcast_shapes, can_cast ...

//===-- Shared by the tables

using ClassNames = llvm::SmallVector<std::string, 8>;
ClassNames scalarClasses(DType dtype); // base classes of a NumPy scalar, the most derived first
// "float", "numpy.float64", "numpy.ndarray"; "" if it is no class.
std::string classNameOf(const Val &v);

// A call of a ufunc, numpy.name(operands, keyword=...), and of a scalar type: np.int8(given),
// np.int8() (call_ufunc.cpp).
Val callUfunc(TypedBuilder &e, llvm::StringRef name, llvm::SmallVector<Val> operands,
              llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
Val makeNumber(TypedBuilder &e, DType dtype, const Val *given);
// TypeError unless `v` is a real number, as Python's math requires.
void checkReal(TypedBuilder &e, const Val &v);
// np.asarray: scalars and list or tuple displays become fresh arrays.
Val asArray(TypedBuilder &e, const Val &v);
np::DimAttr rangeSize(TypedBuilder &e, const Val &range);
// The arguments common to all reductions; axes are normalised and sorted.
struct ReductionRequest {
    Val a;
    Dims dims; // of a
    llvm::SmallVector<int64_t> axes;
    bool keepdims;
    std::optional<DType> dtype; // dtype=, or that of out= where only out= is given
    Val where, initial;         // Unbound if absent
};
ReductionRequest reductionRequest(TypedBuilder &e, const Arguments &in);
// The number of elements reduced into one; AxisError for axis= of a scalar.
np::DimAttr reducedCount(TypedBuilder &e, const Arguments &in, const ReductionRequest &r);
// The same as a value: of the elements where where= is true, for each element of the result.
Val reductionCount(TypedBuilder &e, const Arguments &in, const ReductionRequest &r, bool keepdims);
// a where where= is true, else `otherwise` (np.where).
Val applyWhere(TypedBuilder &e, const ReductionRequest &r, const Val &a, const Val &otherwise);
// The accumulator's dtype of sums and products whose result is `out`.
DType accumulatedIn(const ReductionRequest &r, DType out);
DType dtypeOr(TypedBuilder &e, const Arguments &in, DType absent); // dtype=
// order='C', 'F', 'A' or 'K'; the last two keep the order of `a`.
np::Layout orderArgument(TypedBuilder &e, const Arguments &in, const Val &a,
                         llvm::StringRef absent);
// A call with out= (store_out.cpp): the function's result, stored by that NumPy function's rules.
Val callWithOut(TypedBuilder &e, const Function &function, Arguments arguments);
// The attributes strides and flags of an array (functions_memory.cpp); none for other names.
std::optional<Val> memoryAttribute(TypedBuilder &e, const Val &base, llvm::StringRef name);
Val flagOf(TypedBuilder &e, const Val &a, llvm::StringRef name);       // a.flags.name
Val flagItem(TypedBuilder &e, const Val &a, llvm::ArrayRef<Val> keys); // a.flags['C']
llvm::ArrayRef<Function> memoryFunctions(); // functions_memory.cpp: view, as_strided, require ...
// One axis, or an int or tuple of axes in the given order: constants, normalised and checked.
// `name` is the prefix of NumPy's message.
int64_t axisArgument(TypedBuilder &e, const Val &v, int64_t rank, llvm::StringRef name = "");
llvm::SmallVector<int64_t> axesArgument(TypedBuilder &e, const Val &v, int64_t rank,
                                        llvm::StringRef name = "");
// An integer that must be a constant.
int64_t intArgument(TypedBuilder &e, const Arguments &in, llvm::StringRef name, int64_t absent);
bool flagArgument(TypedBuilder &e, const Arguments &in, llvm::StringRef name, bool absent);
// An iterator: "zip", "enumerate", "flat" ... over these items.
Val iterator(TypedBuilder &e, llvm::StringRef kind, std::vector<Val> items);
Val atLeast(TypedBuilder &e, const Val &v, int64_t rank); // np.atleast_1d, 2d, 3d
// Requires that the shapes broadcast: aligned sizes are equal or one of them is 1.
void requireOneShape(TypedBuilder &e, llvm::ArrayRef<Dims> shapes);
// np.broadcast_to without its checks: the caller has required that every size fits.
Val broadcastView(TypedBuilder &e, const Val &a, llvm::ArrayRef<np::DimAttr> dims, bool readonly);
// casting="same_kind" and its check, a TypeError.
Casting castingArgument(TypedBuilder &e, const Arguments &in);
void checkCast(TypedBuilder &e, DType from, DType to, Casting casting,
               llvm::StringRef what = "array data");
// a[..., offset : offset + size, ...] along one axis, within bounds.
Val sliceView(TypedBuilder &e, const Val &a, int64_t axis, np::DimAttr offset, np::DimAttr size);

} // namespace shapecast
