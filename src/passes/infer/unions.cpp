// np-infer: operations on values that may be None (Optional: `best`, `k or None`) or that have
// different types on different paths (Union). An enclosing test of the type narrows them; elsewhere
// the operation is emitted in both arms of a branch on the type, of which that for None mostly
// raises.
#include "passes/infer/unions.h"

#include "ops/builder/elementwise.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap.h"
#include "ops/builder/operands.h"
#include "ops/builder/operators.h"
#include "passes/infer/branches.h"
#include "passes/infer/heaps.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Combinations of the types of one operation's values, each of which is emitted.
constexpr double maxCombinations = 256;

// Whether it may raise a KeyError that names an argument.
static bool mayShowArgument(Operation *op) {
    auto method = dyn_cast<MethodOp>(op);
    return method && llvm::is_contained({"pop", "remove", "__delitem__"}, method.getName());
}

// Whether it is an f(*operand).
static bool isStarred(Operation *op, unsigned operand) {
    auto apply = dyn_cast<ApplyOp>(op);
    const DenseI64ArrayAttr starred = apply ? apply.getStarredAttr() : DenseI64ArrayAttr();
    return starred && llvm::is_contained(starred.asArrayRef(), int64_t(operand) - 1);
}

// Whether the operation uses a Union itself; others pass it on.
static bool usesUnion(Inference &in, Operation *op, unsigned operand) {
    const Val &first = in.val(op->getOperand(0));
    if (auto python = dyn_cast<PyOp>(op))
        return python.getOp() != "append";
    if (auto call = dyn_cast<CallOp>(op)) {
        StringRef name = call.getCallee();
        const bool passesOn = name.consume_front("builtins.") &&
                              llvm::is_contained({"slice", "str", "repr", "format", "print"}, name);
        return !passesOn && !capturedCallee(in, call);
    }
    if (isa<MethodOp>(op))
        return operand == 0 || first.isTyped() || first.isUnion() || mayShowArgument(op);
    return isa<InplaceOp, TruthOp, GetItemOp, SetItemOp, AttrOp, UnpackOp, UfuncOp, RaiseOp>(op) ||
           (isa<ForEachOp, ApplyOp>(op) && operand == 0) || isStarred(op, operand);
}

// Whether the operation uses an Optional itself; others pass it on, or test it for None.
static bool usesOptional(Inference &in, Operation *op, unsigned operand) {
    if (auto python = dyn_cast<PyOp>(op))
        return python.getOp() != "is" && python.getOp() != "is_not" && python.getOp() != "append";
    if (auto call = dyn_cast<CallOp>(op)) {
        StringRef name = call.getCallee();
        const bool builtin = name.consume_front("builtins.");
        const bool passesOn =
            builtin && llvm::is_contained(
                           {"isinstance", "type", "slice", "str", "repr", "format", "print"}, name);
        return !passesOn && !capturedCallee(in, call);
    }
    return isa<InplaceOp, TruthOp, GetItemOp, SetItemOp, AttrOp, UnpackOp, UfuncOp, RaiseOp>(op) ||
           (isa<ForEachOp, ApplyOp, MethodOp>(op) && operand == 0) || mayShowArgument(op);
}

// Whether the operation uses the items of a tuple operand.
static bool usesItems(Inference &in, Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    if (!call || capturedCallee(in, call))
        return false;
    StringRef name = call.getCallee();
    return !name.consume_front("builtins.") ||
           llvm::is_contained({"all", "any", "max", "min", "sorted", "sum"}, name);
}

namespace {
struct OpenParts {
    // The path, by indices of items, to the first Optional or Union in the value.
    std::optional<SmallVector<size_t, 2>> open;
    SmallVector<size_t, 2> path;
    bool isNarrowed = false; // facts decide one of them
    // That part of a value; its items are unshared from copies.
    Val &openIn(Val &v) const {
        Val *part = &v;
        for (size_t i : *open)
            part = &part->items[i];
        return *part;
    }
};
} // namespace

static void findOpenParts(TypedBuilder &e, Val &v, bool inside, OpenParts &parts) {
    const Val::Kind kind = v.kind;
    if (kind == Val::Kind::Optional || kind == Val::Kind::Union)
        v = narrowed(e, v);
    if (v.kind == Val::Kind::Optional && !v.attr) // unbound: capture checks that
        v = Val(v.items[0]);
    parts.isNarrowed |= v.kind != kind;
    if (isOpen(v) && !parts.open)
        parts.open = parts.path;
    if (v.kind != Val::Kind::Slice && !(inside && v.isTuple()))
        return;
    for (size_t i = 0; i < v.items.size(); ++i) {
        parts.path.push_back(i);
        findOpenParts(e, v.items[i], inside, parts);
        parts.path.pop_back();
    }
}

static bool isFunction(const Val &v) { return v.kind == Val::Kind::Function || v.isStatic("func"); }

// Whether it is a map() that is collected at once: print(*x).
static bool isCollectedMap(Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    if (!call || call.getCallee() != "builtins.map" || !op->hasOneUse())
        return false;
    auto list = dyn_cast<TupleOp>(*op->user_begin());
    return list && list.getStarredAttr() && list->getPrevNode() == op;
}

static Val collected(Inference &in, const Val &iterator) {
    const Val list = emptyHeapList(in.e, in.e.heapSites->placed(in.e.loc));
    callHeap(in, list, "extend", {iterator}, {});
    return list;
}

static Val negated(Val condition) {
    condition.relation = negatedRelation(condition.relation);
    return condition;
}

// A test of the type, by its results for the last member and for the others.
static void relate(Val &test, const Val &isLast, bool ofLast, const Val &ofOthers) {
    test.relation = ofLast ? "not all" : "all";
    test.items = {negated(isLast), ofLast ? negated(ofOthers) : ofOthers};
}

bool shapecast::visitUnionOperand(Inference &in, Operation *op) {
    TypedBuilder &e = in.e;
    for (OpOperand &operand : op->getOpOperands()) {
        const Value captured = operand.get();
        auto found = in.env.find(captured);
        if (found == in.env.end())
            continue;
        const Val given = found->second;
        const unsigned number = operand.getOperandNumber();
        const bool holdsUnion = given.kind == Val::Kind::Optional && given.items[0].isUnion();
        const bool isUsed = (!given.isUnion() && usesOptional(in, op, number)) ||
                            ((given.isUnion() || holdsUnion) && usesUnion(in, op, number));
        if (!isUsed && !(isOpen(given) && isa<PyOp, MethodOp, CallOp, ApplyOp, TupleOp>(op)))
            continue;
        Val known = given;
        OpenParts parts;
        findOpenParts(e, known, isUsed && usesItems(in, op), parts);
        if (!isUsed && parts.open)
            continue; // it is passed on, as what it is known to be here
        if (!parts.open && !parts.isNarrowed)
            continue;
        llvm::scope_exit restore([&] { in.env[captured] = given; });
        auto visitAs = [&](const Val &v) {
            in.env[captured] = v;
            in.visit(op);
            return in.vals(op->getResults());
        };
        if (!parts.open) {
            if (!in.narrowedOperands.insert(&operand).second)
                continue; // its items are read again from its cell
            llvm::scope_exit done([&] { in.narrowedOperands.erase(&operand); });
            visitAs(known);
            return true;
        }
        const Val part = parts.openIn(known);
        const Val isLastMember =
            part.isUnion() ? compare(e, "ge", e.sizeVal(part.dim), e.intVal(part.items.size() - 1))
                           : compare(e, "is_not", part, e.noneVal());
        // Members of an enum and functions in a table, of which there may be many, count once.
        const bool isOneOfMany = part.isUnion() && part.items.size() > 2 &&
                                 (isMember(part) || llvm::all_of(part.items, isFunction));
        const double members = isOneOfMany ? 1 : part.isUnion() ? part.items.size() : 2;
        if (in.combinations * members > maxCombinations)
            e.failJoin("an operation on values that are of more than " +
                       llvm::Twine(int(maxCombinations)) +
                       " combinations of types is not supported; give variables the same type of "
                       "value on all paths");
        std::optional<bool> constants[2]; // the results of a test of the type
        Val ofOthers;                     // that where it is none, of several members
        const unsigned firstInnerSymbol = e.nextSymbol;
        SmallVector<Val> results = branch(in, op->getLoc(), isLastMember, [&](bool isLast) {
            parts.openIn(known) = isLast           ? part.items.back()
                                  : part.isUnion() ? withoutLastMember(part)
                                                   : e.noneVal();
            SmallVector<Val> made;
            // The others are told apart in there.
            const double others = isLast || members <= 2 ? 1 : members - 1;
            llvm::SaveAndRestore deeper(in.combinations, in.combinations * members / others);
            llvm::SaveAndRestore inArm(in.recursions.conditionalDepth,
                                       in.recursions.conditionalDepth + 1);
            orRaise(in, [&] { made = visitAs(known); }, checksTypesFirst(op), /*whole=*/true);
            if (in.unreachable) // its results are erased
                made.clear();
            if (made.size() == 1 && isCollectedMap(op)) // iterators have no join
                made[0] = collected(in, made[0]);
            if (made.size() == 1 && made[0].isTyped() && isa<PyBoolType>(made[0].type()))
                constants[isLast] = made[0].constBool();
            if (!isLast && made.size() == 1)
                ofOthers = made[0];
            return made;
        });
        if (!in.unreachable && part.isUnion() && constants[0] && constants[1])
            results[0] = *constants[0] == *constants[1] ? e.boolVal(*constants[0])
                         : *constants[1]                ? isLastMember
                                                        : unary(e, "not", isLastMember);
        else if (!in.unreachable && part.isUnion() && constants[1] && !ofOthers.relation.empty() &&
                 isKnownOutside(e, ofOthers, firstInnerSymbol))
            relate(results[0], isLastMember, *constants[1], ofOthers);
        if (in.unreachable) // it raises either way
            results.assign(op->getNumResults(), e.neverVal());
        e.loc = op->getLoc();
        for (auto [result, v] : llvm::zip_equal(op->getResults(), results))
            in.env[result] = v;
        return true;
    }
    return false;
}
