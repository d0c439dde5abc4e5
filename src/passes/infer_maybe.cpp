// np-infer: operations on what is None on some paths only (`best`, `k or None`), or of two kinds on
// two paths. Where the branches around have asked for it, it is known; elsewhere the operation is
// done in both arms of a branch, of which that with None mostly raises.
#include "passes/infer.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// What looks at the value itself, of one of several kinds. The others hand it on.
static bool looksAtKind(Operation *op, unsigned operand, const Val &first) {
    if (auto python = dyn_cast<PyOp>(op))
        return python.getOp() != "append";
    if (auto call = dyn_cast<CallOp>(op)) {
        StringRef name = call.getCallee();
        const bool handsOn = name.consume_front("builtins.") &&
                             llvm::is_contained({"slice", "str", "repr", "format", "print"}, name);
        return !handsOn && !SymbolTable::lookupNearestSymbolFrom(op, call.getCalleeAttr());
    }
    if (isa<MethodOp>(op))
        return operand == 0 || first.isTyped() || first.isOneOf();
    return isa<InplaceOp, TruthOp, GetItemOp, SetItemOp, AttrOp, UnpackOp, UfuncOp, RaiseOp>(op) ||
           (isa<ForEachOp, ApplyOp>(op) && operand == 0);
}

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
    // Where the value, or its first part, is that may be None or of several kinds: items of items.
    std::optional<SmallVector<size_t, 2>> open;
    SmallVector<size_t, 2> here;
    bool settled = false; // one is known to be None, or not to be
    // A part of a copy of its own: other copies share its items.
    Val &openOf(Val &v) const {
        Val *part = &v;
        for (size_t i : *open)
            part = &part->items[i];
        return *part;
    }
};
} // namespace

static void look(TypedBuilder &e, Val &v, bool inside, Parts &parts) {
    const Val::Kind kind = v.kind;
    if (kind == Val::Kind::Maybe || kind == Val::Kind::OneOf)
        v = e.settled(v);
    if (v.kind == Val::Kind::Maybe && !v.attr) // capture asks where it may not be assigned
        v = Val(v.items[0]);
    parts.settled |= v.kind != kind;
    if (((v.kind == Val::Kind::Maybe && v.attr) || v.isOneOf()) && !parts.open)
        parts.open = parts.here;
    if (v.kind != Val::Kind::Slice && !(inside && v.isTuple()))
        return;
    for (size_t i = 0; i < v.items.size(); ++i) {
        parts.here.push_back(i);
        look(e, v.items[i], inside, parts);
        parts.here.pop_back();
    }
}

bool Infer::visitCases(Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
        const Value captured = operand.get();
        auto found = env.find(captured);
        if (found == env.end())
            continue;
        const Val given = found->second;
        const unsigned number = operand.getOperandNumber();
        if (!(given.isOneOf() ? looksAtKind(op, number, val(op->getOperand(0)))
                              : looksAt(op, number)))
            continue;
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
        const Val maybe = parts.openOf(known);
        const Val last = maybe.isOneOf() ? e.compare("ge", e.sizeVal(maybe.dim),
                                                     e.intVal(maybe.items.size() - 1))
                                         : e.compare("is_not", maybe, e.noneVal());
        if (cases == mostCases)
            e.conflict("an operation on " + llvm::Twine(mostCases) +
                       " values that are each of several kinds is not supported; give variables "
                       "the same kind of value on all paths");
        llvm::SaveAndRestore deeper(cases, cases + 1);
        std::optional<bool> tells[2]; // what a question after the kind is answered with
        SmallVector<Val> results = branch(op->getLoc(), last, [&](bool isLast) {
            parts.openOf(known) = isLast            ? maybe.items.back()
                                  : maybe.isOneOf() ? withoutLast(maybe)
                                                    : e.noneVal();
            SmallVector<Val> made;
            orRaise([&] { made = visitAs(known); }, isOneOperation(op));
            if (ended) // what it made before it raised is gone
                made.clear();
            if (made.size() == 1 && made[0].isTyped() && isa<PyBoolType>(made[0].type()))
                tells[isLast] = made[0].constBool();
            return made;
        });
        if (!ended && maybe.isOneOf() && tells[0] && tells[1])
            results[0] = *tells[0] == *tells[1] ? e.boolVal(*tells[0])
                         : *tells[1]            ? last
                                                : e.unary("not", last);
        if (ended) // it raises either way
            results.assign(op->getNumResults(), e.neverVal());
        e.loc = op->getLoc();
        for (auto [result, v] : llvm::zip_equal(op->getResults(), results))
            env[result] = v;
        return true;
    }
    return false;
}
