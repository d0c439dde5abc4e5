#include "kernel_notes.h"

#include "ir/dim.h"
#include "ir/error_names.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace shapecast;

namespace {

// floordiv(n + 255, 256) as ceildiv(n, 256): blocks are counted so.
std::string blocksText(np::DimAttr count) {
    if (count.getKind() != np::DimKind::FloorDiv)
        return np::dimText(count);
    const auto operands = count.getOperands();
    if (operands[1].getKind() != np::DimKind::Const)
        return np::dimText(count);
    const np::DimAttr covered = np::dimPlus(operands[0], 1 - operands[1].getValue());
    return "ceildiv(" + np::dimText(covered) + ", " + np::dimText(operands[1]) + ")";
}

// "ceildiv(s1, 32) x ceildiv(s0, 8) blocks of 32 x 8 threads"
std::string launchText(np::LaunchAttr launch) {
    const ArrayRef<int32_t> threads = launch.getThreads().asArrayRef();
    const auto blocks = np::dimVector(launch.getBlocks());
    const bool isOne = blocks[0] == blocks[1] && np::dimText(blocks[0]) == "1";
    std::string text = blocksText(blocks[0]);
    if (np::dimText(blocks[1]) != "1")
        text += " x " + blocksText(blocks[1]);
    text += (isOne ? " block of " : " blocks of ") + std::to_string(threads[0]);
    return text + (threads[1] > 1 ? " x " + std::to_string(threads[1]) : "") + " threads";
}

// Only kernels of nests have sizes among their parameters.
bool isOfLoop(LLVM::LLVMFuncOp kernel) {
    const ArrayAttr names =
        np::NpDialect::ParametersAttrHelper(kernel.getContext()).getAttr(kernel);
    return llvm::none_of(names, [](Attribute name) { return isa<np::DimAttr>(name); });
}

std::string workText(const NestReport &nest) {
    std::string text = nest.space.empty() ? "one element" : nest.space + " elements";
    if (!nest.reductions.empty())
        text = nest.reductions + " of " + text;
    if (!nest.operations)
        text += nest.reads.empty() ? " filled" : " copied";
    else
        text += ", " + std::to_string(nest.operations) +
                (nest.operations == 1 ? " operation" : " operations") + " each";
    return text;
}

std::vector<Frame> linesOf(Location kernel, const NestReport *nest) {
    std::vector<Frame> lines;
    std::set<unsigned> seen;
    const auto add = [&](Location location) {
        const std::vector<Frame> frames = framesOf(location);
        if (!frames.empty() && seen.insert(frames.front().line).second)
            lines.push_back(frames.front());
    };
    add(kernel);
    if (nest)
        llvm::for_each(nest->parts, add);
    return lines;
}

// How many blocks kernels of loops have is computed by the host.
std::string loopText(np::LaunchAttr launch) {
    const ArrayRef<int32_t> threads = launch.getThreads().asArrayRef();
    return "an iteration of the loop is a thread; blocks of " + std::to_string(threads[0]) +
           (threads[1] > 1 ? " x " + std::to_string(threads[1]) : "") + " threads";
}

std::string textOf(LLVM::LLVMFuncOp kernel, np::LaunchAttr launch, const NestReport *nest) {
    const std::string head = "kernel " + kernel.getSymName().str() + ": ";
    if (!nest)
        return head + (isOfLoop(kernel) ? loopText(launch) : launchText(launch));
    if (kernel.getSymName().ends_with("_total"))
        return head + "what the blocks have left is combined; " + launchText(launch);
    std::string text = head + workText(*nest) + "; " + launchText(launch);
    if (nest->bytes)
        text += "; reads and writes at least " + np::dimText(nest->bytes) + " bytes";
    return text;
}

} // namespace

std::vector<ErrorSite> shapecast::describeKernels(ModuleOp kernels,
                                                  const std::vector<NestReport> &nests) {
    np::NpDialect::LaunchAttrHelper launches(kernels.getContext());
    std::vector<ErrorSite> notes;
    for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>()) {
        const np::LaunchAttr launch = launches.getAttr(kernel);
        if (!launch)
            continue;
        const auto nest = llvm::find_if(
            nests, [&](const NestReport &n) { return n.location == kernel.getLoc(); });
        const NestReport *found = nest == nests.end() ? nullptr : &*nest;
        notes.push_back({np::kernelNote.str(),
                         textOf(kernel, launch, found),
                         linesOf(kernel.getLoc(), found),
                         {}});
    }
    return notes;
}
