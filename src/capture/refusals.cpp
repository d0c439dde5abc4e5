#include "capture/refusals.h"

#include "capture/session.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

struct Snapshot {
    FunctionEmitter &e;
    State state = e.state;
    std::set<std::string> capturing = e.capturing,
                          expiredObjectVariables = e.expiredObjectVariables;
    Objects objectVariables = e.objectVariables;
    size_t blocks = e.blockObjectVariables.size();
    size_t own = blocks ? e.blockObjectVariables.back().size() : 0;
    size_t loops = e.loops.size(), comprehensionVariables = e.comprehensionVariables.size();
    unsigned depth = e.depth;
    FunctionEmitter::Wanted wanted = e.wanted;
    bool readsReachable = e.readsReachable, raises = e.raises;
    size_t calls = e.session.callStack.size(), open = e.session.openContainers.size();
    mlir::Block *insertionBlock = e.builder.getInsertionBlock();
    Operation *last = insertionBlock->empty() ? nullptr : &insertionBlock->back();

    void restore() {
        e.builder.setInsertionPointToEnd(insertionBlock);
        while (!insertionBlock->empty() && &insertionBlock->back() != last)
            insertionBlock->back().erase();
        e.state = state;
        e.capturing = capturing, e.expiredObjectVariables = expiredObjectVariables;
        e.objectVariables = objectVariables;
        e.blockObjectVariables.resize(blocks);
        if (blocks)
            e.blockObjectVariables.back().resize(own);
        e.loops.erase(e.loops.begin() + ptrdiff_t(loops), e.loops.end());
        e.comprehensionVariables.resize(comprehensionVariables);
        e.depth = depth, e.raises = raises;
        e.wanted = wanted, e.readsReachable = readsReachable;
        e.session.callStack.resize(calls);
        e.session.openContainers.resize(open);
    }
};

Value orRefusal(FunctionEmitter &f, llvm::function_ref<void()> emit) {
    if (!f.session.options.defersRefusals || f.isLibrary()) {
        emit();
        return {};
    }
    Snapshot before{f};
    UserError refusal;
    try {
        emit();
        return {};
    } catch (const SyntaxProblem &problem) {
        std::vector<Frame> frames = f.session.callStack;
        frames.push_back(f.frameOf(rangeOf(problem.node)));
        refusal = unsupportedError(problem.message, std::move(frames));
    } catch (const CaptureError &failure) {
        if (failure.error.exception != "shapecast.UnsupportedError")
            throw;
        refusal = failure.error;
    }
    before.restore();
    return emitRefusal(f, refusal);
}

// The location has the frames from this function inwards; those of its callers are added when it is
// inlined.
Value emitRefusal(FunctionEmitter &f, const UserError &error) {
    std::optional<Location> location;
    const size_t callers = std::min(f.session.callStack.size(), error.frames.size());
    for (const Frame &frame : ArrayRef(error.frames).drop_front(callers)) {
        auto range = FileLineColRange::get(f.builder.getStringAttr(frame.file), frame.line,
                                           frame.column, frame.endLine, frame.endColumn);
        Location here = NameLoc::get(f.builder.getStringAttr(frame.function), range);
        location = location ? CallSiteLoc::get(here, *location) : here;
    }
    f.loc = location.value_or(f.loc);
    return f.callNamed("shapecast.refuse", f.staticValue("str", error.message));
}

} // namespace shapecast::capture
