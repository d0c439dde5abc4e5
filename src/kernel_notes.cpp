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

// A kernel that completes another one's results has that one's name, and more.
bool completes(LLVM::LLVMFuncOp kernel, LLVM::LLVMFuncOp other) {
    return other && kernel.getSymName().starts_with((other.getSymName() + "_").str());
}

std::string textOf(LLVM::LLVMFuncOp kernel, np::LaunchAttr launch, const NestReport *nest) {
    const std::string head = "kernel " + kernel.getSymName().str() + ": ";
    if (!nest)
        return head + (isOfLoop(kernel) ? loopText(launch) : launchText(launch));
    std::string text = head + workText(*nest) + "; " + launchText(launch);
    if (nest->bytes)
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
    SmallVector<LLVM::LLVMFuncOp> all, first; // without those that complete others
    for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
        if (launches.isAttrPresent(kernel)) {
            all.push_back(kernel);
            if (first.empty() || !completes(kernel, first.back()))
                first.push_back(kernel);
        }
    NestsByLocation found(nests, first);
    std::vector<ErrorSite> notes;
    const NestReport *nest = nullptr;
    for (LLVM::LLVMFuncOp kernel : all) {
        const np::LaunchAttr launch = launches.getAttr(kernel);
        std::string text;
        if (llvm::is_contained(first, kernel)) {
            nest = found.next(kernel.getLoc());
            text = textOf(kernel, launch, nest);
        } else {
            text = "kernel " + kernel.getSymName().str() +
                   ": what the blocks have left is combined; " + launchText(launch);
        }
        notes.push_back({np::kernelNote.str(), text, linesOf(kernel.getLoc(), nest), {}});
    }
    return notes;
}
