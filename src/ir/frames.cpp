#include "ir/frames.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace shapecast;

static void addFrames(Location loc, StringRef function, std::vector<Frame> &frames) {
    if (auto call = dyn_cast<CallSiteLoc>(loc)) {
        addFrames(call.getCaller(), function, frames);
        addFrames(call.getCallee(), function, frames);
    } else if (auto name = dyn_cast<NameLoc>(loc)) {
        addFrames(name.getChildLoc(), name.getName().getValue(), frames);
    } else if (auto range = dyn_cast<FileLineColRange>(loc)) {
        frames.push_back({range.getFilename().str(), function.str(), range.getStartLine(),
                          range.getStartColumn(), range.getEndLine(), range.getEndColumn()});
    }
}

std::vector<Frame> shapecast::framesOf(Location loc) {
    std::vector<Frame> frames;
    addFrames(loc, "", frames);
    return frames;
}
