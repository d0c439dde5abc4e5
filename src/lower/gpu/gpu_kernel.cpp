#include "lower/gpu/gpu_kernel.h"

#include "lower/gpu/gpu_elements.h"
#include "lower/gpu/gpu_reductions.h"
#include "lower/gpu/gpu_rows.h"

using namespace mlir;

namespace shapecast {

using np::DimAttr;

namespace {

constexpr int64_t shortReduction = 4; // elements that one thread reduces alone

// Whether a thread a point does, which may reduce a few elements.
bool isElements(const KernelWork &work) {
    if (!hasReduction(work.plan))
        return true;
    DimAttr length = work.product(work.reduced);
    return !work.kept.empty() && length.isConst() && length.getValue() <= shortReduction;
}

} // namespace

NestKernels emitKernels(ModuleOp module, StringRef name, const NestPlan &plan, KernelNames names) {
    const KernelWork work(plan, std::move(names));
    NestKernels made;
    made.pointers.assign(plan.pointers.begin(), plan.pointers.end());
    made.scalars = work.scalars;
    made.hasResults = work.hasResults;
    if (isElements(work))
        emitElementKernels(module, name, work, made.kernels);
    else
        made.partials = emitReductionKernels(module, name, work, made.parts, made.kernels);
    return made;
}

NestKernels emitRowGroup(ModuleOp module, StringRef name, ArrayRef<NestPlan> plans,
                         KernelNames names, DimAttr &asks) {
    SmallVector<KernelWork, 0> nests;
    for (const NestPlan &plan : plans)
        nests.emplace_back(plan, names);
    asks = asksForRowKernel(nests);
    return emitRowKernel(module, name, nests);
}

} // namespace shapecast
