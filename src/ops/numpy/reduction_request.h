// The arguments common to all reductions.
#pragma once

#include "ops/builder/function.h"

namespace shapecast {

struct ReductionRequest {
    Val a;
    Dims dims;                       // of a
    llvm::SmallVector<int64_t> axes; // normalised and sorted
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

} // namespace shapecast
