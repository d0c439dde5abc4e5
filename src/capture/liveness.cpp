// Which variables may still be read: backwards over the statement tree.
#include "capture/syntax.h"

namespace shapecast::capture {

namespace {

Names liveBeforeStatement(const Statement &s, Names out, const LoopLiveness *loop) {
    Names live = std::move(out);
    switch (s.kind) {
    case Kind::If: {
        Names other = liveBefore(s.orelse, live, loop);
        live = liveBefore(s.body, std::move(live), loop);
        live |= other;
        break;
    }
    case Kind::Attempt: { // an exception may leave the variables as they were
        Names other = live;
        live = liveBefore(s.body, std::move(live), loop);
        live |= other;
        live.reset(s.defs);
        break;
    }
    case Kind::For:
    case Kind::While:
        live = loopLiveness(s, live, loop).header;
        break;
    case Kind::Return:
    case Kind::Raise:
        live.reset();
        break;
    // A jump outside a loop is a syntax error, so `loop` is there.
    case Kind::Break:
        live = loop->after;
        break;
    case Kind::Continue:
        live = loop->header;
        break;
    default:
        live.reset(s.defs);
        break;
    }
    live |= s.uses;
    return live;
}

} // namespace

Names liveBefore(llvm::ArrayRef<Statement *> block, Names out, const LoopLiveness *loop) {
    for (const Statement *s : llvm::reverse(block))
        out = liveBeforeStatement(*s, std::move(out), loop);
    return out;
}

// live = gen | (out & ~kill) for every piece of code, so one iteration reaches the fixed point.
LoopLiveness loopLiveness(const Statement &loop, const Names &out, const LoopLiveness *around) {
    Names after = out; // a break skips the else
    after |= liveBefore(loop.orelse, out, around);
    LoopLiveness live{after, after};
    if (loop.kind == Kind::While)
        live.header |= loop.uses;
    Names body = liveBefore(loop.body, live.header, &live);
    if (loop.kind == Kind::For)
        body.reset(loop.defs);
    live.header |= body;
    return live;
}

} // namespace shapecast::capture
