#include "kernel_notes.h"

#include "ir/dim.h"
#include "ir/error_names.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

using namespace mlir;
using namespace shapecast;

namespace {

std::string workText(const NestReport &nest) {
    StringRef space = nest.space;
    if (!space.contains(" x ") && space.consume_front("("))
        space.consume_back(")");
    std::string text = space.empty() || space == "1" ? "1 element" : (space + " elements").str();
    if (!nest.reductions.empty())
        text = nest.reductions + " of " + text;
    if (!nest.operations)
        text += nest.reads.empty() ? " filled" : " copied";
    else
        text += ", " + std::to_string(nest.operations) +
                (nest.operations == 1 ? " operation" : " operations") + " each";
    return text;
}

// Of several nests: np-group-rows. The nests have kernels of their own after it.
bool isOfRows(LLVM::LLVMFuncOp kernel) { return kernel.getSymName().ends_with("_rows"); }

SmallVector<Location> nestsOf(LLVM::LLVMFuncOp kernel) {
    if (auto several = dyn_cast<FusedLoc>(kernel.getLoc()))
        return SmallVector<Location>(several.getLocations());
    return {kernel.getLoc()};
}

std::vector<Frame> linesOf(LLVM::LLVMFuncOp kernel, const NestReport *nest) {
    std::vector<Frame> lines;
    std::set<unsigned> seen;
    const auto add = [&](Location location) {
        const std::vector<Frame> frames = framesOf(location);
        if (!frames.empty() && seen.insert(frames.front().line).second)
            lines.push_back(frames.front());
    };
    llvm::for_each(nestsOf(kernel), add);
    if (nest)
        llvm::for_each(nest->parts, add);
    return lines;
}

// A kernel that completes another one's results, or does what that one does for other sizes, has
// that one's name, and more.
bool completes(LLVM::LLVMFuncOp kernel, LLVM::LLVMFuncOp other) {
    return other && kernel.getSymName().starts_with((other.getSymName() + "_").str());
}

std::string textOf(LLVM::LLVMFuncOp kernel, StringRef form, const NestReport *nest) {
    std::string text = "kernel " + kernel.getSymName().str() + ": ";
    if (isOfRows(kernel))
        text += "these expressions, row by row; ";
    else if (kernel.getSymName().ends_with("_total"))
        text += "what several blocks have left is combined; ";
    else if (kernel.getSymName().ends_with("_tiles"))
        text += "the same where both sides are 16 or longer; ";
    else if (nest)
        text += workText(*nest) + "; ";
    text += form;
    if (nest && nest->bytes)
        text += "; reads and writes at least " + np::dimText(nest->bytes) + " bytes";
    return text;
}

// The nests of each location, in program order. Kernels are made in that order, too: where there
// are as many of them, they are each other's. (A nest may have become none: the host does it.)
class NestsByLocation {
public:
    NestsByLocation(const std::vector<NestReport> &nests, ArrayRef<LLVM::LLVMFuncOp> kernels) {
        for (const NestReport &nest : nests)
            if (!nest.isProduct)
                known[nest.location].push_back(&nest);
        llvm::DenseMap<Location, size_t> counts;
        for (LLVM::LLVMFuncOp kernel : kernels)
            ++counts[kernel.getLoc()];
        for (auto &[location, all] : known)
            if (counts.lookup(location) != all.size())
                all.clear();
        for (auto &[location, all] : known)
            std::reverse(all.begin(), all.end());
    }

    const NestReport *next(Location location) {
        auto found = known.find(location);
        return found == known.end() || found->second.empty() ? nullptr
                                                             : found->second.pop_back_val();
    }

private:
    llvm::DenseMap<Location, SmallVector<const NestReport *>> known;
};

} // namespace

std::vector<ErrorSite> shapecast::describeKernels(ModuleOp kernels,
                                                  const std::vector<NestReport> &nests) {
    np::NpDialect::LaunchAttrHelper launches(kernels.getContext());
    SmallVector<LLVM::LLVMFuncOp> all, first; // `first`: one a nest
    for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
        if (launches.isAttrPresent(kernel)) {
            all.push_back(kernel);
            if (!isOfRows(kernel) && (first.empty() || !completes(kernel, first.back())))
                first.push_back(kernel);
        }
    NestsByLocation found(nests, first);
    std::vector<ErrorSite> notes;
    const NestReport *last = nullptr;
    SmallVector<Location> inRows;
    for (LLVM::LLVMFuncOp kernel : all) {
        const bool isFirst = llvm::is_contained(first, kernel);
        if (isFirst || isOfRows(kernel))
            last = isFirst ? found.next(kernel.getLoc()) : nullptr;
        if (isOfRows(kernel))
            inRows = nestsOf(kernel);
        std::string text =
            textOf(kernel, launches.getAttr(kernel).getForm(), isFirst ? last : nullptr);
        if (!isOfRows(kernel) && llvm::is_contained(inRows, kernel.getLoc()))
            text += "; only where rows are few and long";
        notes.push_back({np::kernelNote.str(), text, linesOf(kernel, last), {}});
    }
    return notes;
}
