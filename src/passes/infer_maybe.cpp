// np-infer: operations on what is None on some paths only (`best`, `k or None`). Where the branches
// around have asked for it, it is known; elsewhere the operation is done in both arms of a branch,
// of which that with None mostly raises.
#include "passes/infer.h"

#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// What looks at the value itself. The others hand it on, or ask whether it is None.
static bool looksAt(Operation *op, unsigned operand) {
    if (auto python = dyn_cast<PyOp>(op))
        return python.getOp() != "is" && python.getOp() != "is_not" && python.getOp() != "append";
    if (auto call = dyn_cast<CallOp>(op)) {
        StringRef name = call.getCallee();
        const bool builtin = name.consume_front("builtins.");
        const bool handsOn =
            builtin && llvm::is_contained(
                           {"isinstance", "type", "slice", "str", "repr", "format", "print"}, name);
        return !handsOn && !SymbolTable::lookupNearestSymbolFrom(op, call.getCalleeAttr());
    }
    return isa<InplaceOp, TruthOp, GetItemOp, SetItemOp, AttrOp, UnpackOp, UfuncOp, RaiseOp>(op) ||
           (isa<ForEachOp, ApplyOp, MethodOp>(op) && operand == 0);
}

// What computes with the items of a tuple that it is given.
static bool looksInside(Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    if (!call || SymbolTable::lookupNearestSymbolFrom(op, call.getCalleeAttr()))
        return false;
    StringRef name = call.getCallee();
    return !name.consume_front("builtins.") ||
           llvm::is_contained({"all", "any", "max", "min", "sorted", "sum"}, name);
}

namespace {
struct Parts {
    Val *open = nullptr;  // the value, or the first part of a slice, that may be None
    bool settled = false; // one is known to be None, or not to be
};
} // namespace

static void look(TypedBuilder &e, Val &v, bool inside, Parts &parts) {
    const bool maybe = v.kind == Val::Kind::Maybe;
    if (maybe)
        v = e.settled(v);
    parts.settled |= maybe && v.kind != Val::Kind::Maybe;
    if (v.kind == Val::Kind::Maybe && v.attr && !parts.open)
        parts.open = &v;
    if (v.kind == Val::Kind::Slice || (inside && v.isTuple()))
        for (Val &item : v.items)
            look(e, item, inside, parts);
}

bool Infer::visitCases(Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
        const Value captured = operand.get();
        auto found = env.find(captured);
        if (found == env.end() || !looksAt(op, operand.getOperandNumber()))
            continue;
        const Val given = found->second;
        Val known = given;
        Parts parts;
        look(e, known, looksInside(op), parts);
        if (!parts.open && !parts.settled)
            continue;
        llvm::scope_exit restore([&] { env[captured] = given; });
        auto visitAs = [&](const Val &v) {
            env[captured] = v;
            visit(op);
            return vals(op->getResults());
        };
        if (!parts.open) {
            visitAs(known);
            return true;
        }
        const Val maybe = *parts.open;
        const Val present = e.compare("is_not", maybe, e.noneVal());
        SmallVector<Val> results = branch(op->getLoc(), present, [&](bool isThere) {
            *parts.open = isThere ? maybe.items[0] : e.noneVal();
            return visitAs(known);
        });
        if (ended) // it raises either way
            results.assign(op->getNumResults(), e.neverVal());
        for (auto [result, v] : llvm::zip_equal(op->getResults(), results))
            env[result] = v;
        return true;
    }
    return false;
}
