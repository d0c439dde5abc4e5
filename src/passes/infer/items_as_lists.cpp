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
    auto python = dyn_cast<PyOp>(op);
    if (python && (python.getOp() == "in" || python.getOp() == "not_in"))
        return true;         // containsInGenerator
    if (isa<MethodOp>(op)) { // of the program, or of the generator itself
        const Val &base = in.val(op->getOperand(0));
        return isInstance(base) || isGenerator(base);
    }
    auto call = dyn_cast<CallOp>(op);
    if (!call)
        return isa<ApplyOp>(op);
    StringRef name = call.getCallee();
    if (capturedCallee(in, call))
        return true;
    if (functionOnGenerators(in, name, in.vals(call.getArgs())))
        return true;
    return name == "shapecast.library.primitives.is_stepped" ||
           (name.consume_front("builtins.") &&
            llvm::is_contained({"iter", "next", "isinstance", "type", "callable", "hasattr"},
                               name));
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

// Whether it iterates over this operand, whatever that is.
static bool iterates(Inference &in, Operation *op, unsigned operand) {
    auto isStarred = [&](DenseI64ArrayAttr starred, unsigned place) {
        return starred && llvm::is_contained(starred.asArrayRef(), int64_t(place));
    };
    if (isa<UnpackOp>(op))
        return true;
    if (auto tuple = dyn_cast<TupleOp>(op))
        return !tuple.getDict() && isStarred(tuple.getStarredAttr(), operand);
    if (auto call = dyn_cast<ApplyOp>(op))
        return operand > 0 && isStarred(call.getStarredAttr(), operand - 1);
    const bool toList = op->getNumOperands() > 1 && formOf(in.val(op->getOperand(0))) == "list";
    if (isa<InplaceOp>(op))
        return operand == 1 && toList && in.val(op->getOperand(0)).list;
    auto method = dyn_cast<MethodOp>(op);
    return method && operand == 1 && toList && method.getName() == "extend";
}

bool shapecast::stores(Operation *op, unsigned operand) {
    if (auto python = dyn_cast<PyOp>(op))
        return python.getOp() == "append" && operand == 1;
    auto method = dyn_cast<MethodOp>(op);
    static constexpr StringLiteral names[] = {
        "append", "appendleft", "insert", "add", "setdefault", "__setattr__", "object.__setattr__"};
    return (isa<SetItemOp>(op) && operand + 1 == op->getNumOperands()) ||
           (method && operand > 0 && llvm::is_contained(names, method.getName()));
}

// As a list: a generator, and an instance that it iterates over. None: others.
static std::optional<Val> listFor(Inference &in, Operation *op, unsigned operand,
                                  const Val &given) {
    Val iterable = iterates(in, op, operand) ? iterableOf(in, given) : given;
    if (isGenerator(iterable) && takesGenerators(in, op) && !iterates(in, op, operand))
        return std::nullopt;
    if (isGenerator(iterable) && stores(op, operand))
        requestIterator(in, iterable);
    if (isGenerator(iterable))
        return listOfGenerator(in, iterable);
    const bool isOther = isInstance(given) && !isInstance(iterable);
    return isOther ? std::optional(in.callNamed("builtins.list", {iterable}, {})) : std::nullopt;
}

// zip() of several takes an item of each in turn.
static void checkZip(Inference &in, Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    if (!call || call.getCallee() != "builtins.zip")
        return;
    if (llvm::count_if(in.vals(call.getArgs()), isGenerator) > 1)
        in.e.unsupported("zip() of several generators is not supported; make lists of all but one: "
                         "zip(a, list(b))");
}

ItemsAsLists::ItemsAsLists(Inference &in, Operation *op) : in(in) {
    checkGenerators(in, op);
    checkZip(in, op);
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
        auto found = in.env.find(operand);
        const bool isAgain = llvm::is_contained(llvm::make_first_range(replaced), operand);
        if (isAgain && isGenerator(llvm::find_if(replaced, [&](auto &pair) {
                                       return pair.first == operand;
                                   })->second))
            in.e.unsupported(
                "iterating over a generator object more than once is not supported; call "
                "it again");
        if (found == in.env.end() || !(isInstance(found->second) || isGenerator(found->second)))
            continue;
        const Val given = in.val(operand);
        std::optional<Val> made = listFor(in, op, unsigned(i), given);
        if (!made)
            continue;
        Val list = std::move(*made);
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
