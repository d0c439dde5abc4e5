#include "passes/infer/items_as_lists.h"

#include "ops/builder/cells.h"
#include "passes/infer/generators.h"
#include "passes/infer/objects.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Whether the operation takes a generator as it is.
static bool takesGenerators(Inference &in, Operation *op) {
    if (isa<ForEachOp, IfOp, WhileOp, ClosureOp, CastOp, YieldOp, NextOp, ReturnOp, TruthOp>(op))
        return true;
    if (auto tuple = dyn_cast<TupleOp>(op))
        return !tuple.getStarredAttr();
    auto call = dyn_cast<CallOp>(op);
    if (!call)
        return isa<ApplyOp>(op);
    StringRef name = call.getCallee();
    if (SymbolTable::lookupNearestSymbolFrom(op, call.getCalleeAttr()))
        return true;
    if (functionOnGenerators(in, name, in.vals(call.getArgs())))
        return true;
    return name.consume_front("builtins.") &&
           llvm::is_contained({"iter", "next", "isinstance", "type", "callable"}, name);
}

// Python's errors: a generator has no length and no items.
static void checkGenerators(Inference &in, Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    const bool isLength = call && call.getCallee() == "builtins.len";
    if (op->getNumOperands() == 0 || (!isLength && !isa<GetItemOp>(op)))
        return;
    auto found = in.env.find(op->getOperand(0));
    if (found == in.env.end() || !isGenerator(found->second))
        return;
    in.e.fail("TypeError", isLength ? "object of type 'generator' has no len()"
                                    : "'generator' object is not subscriptable");
}

ItemsAsLists::ItemsAsLists(Inference &in, Operation *op) : in(in) {
    checkGenerators(in, op);
    if (takesGenerators(in, op))
        return;
    for (Value operand : op->getOperands()) {
        auto found = in.env.find(operand);
        if (found == in.env.end())
            continue;
        const Val given = in.val(operand);
        Val list = isa<UnpackOp>(op) ? iterableOf(in, given) : given;
        if (isGenerator(list))
            list = listOfGenerator(in, list);
        else if (!given.isRecord() || list.isRecord())
            continue;
        allocateCells(in.e, list);
        replaced.emplace_back(operand, given);
        in.env[operand] = std::move(list);
    }
    if (!replaced.empty())
        in.e.loc = op->getLoc();
}

ItemsAsLists::~ItemsAsLists() {
    for (auto &[operand, given] : replaced)
        in.env[operand] = std::move(given);
}
