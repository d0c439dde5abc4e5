#include "passes/infer/dict_views.h"

#include "ops/builder/checks.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/heap.h"
#include "passes/frontend/library.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/functions.h"
#include "passes/infer/heaps.h"
#include "passes/infer/items_as_lists.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val textOfView(Inference &in, const Val &view) {
    FuncOp inLibrary = libraryFunction(in.source, "shapecast.text of a view");
    const Val name = in.e.literal(PyAttr::get(in.e.ctx, "str", view.className()));
    return callCaptured(in, inLibrary, callArguments({name, view}, {}), in.e.loc);
}

static Val setOf(Inference &in, const Val &view) {
    return in.callNamed("builtins.set", {view}, {});
}

static bool makesSet(StringRef op) { return llvm::is_contained({"and", "or", "xor", "sub"}, op); }

SmallVector<Val> shapecast::operandsOfSets(Inference &in, StringRef op, ValueRange captured) {
    SmallVector<Val> operands = in.vals(captured);
    const bool compares = llvm::is_contained({"lt", "le", "gt", "ge", "eq", "ne"}, op);
    if ((makesSet(op) || compares) && llvm::any_of(operands, isKeysOrItems))
        for (Val &v : operands)
            if (makesSet(op) || isKeysOrItems(v)) // an operator takes any iterable beside one
                v = setOf(in, v);
    return operands;
}

// Views of values are equal where they are one object.
static std::optional<Val> compareValues(Inference &in, PyOp op) {
    const bool isEqual = op.getOp() == "eq";
    if ((!isEqual && op.getOp() != "ne") || op.getNumOperands() != 2)
        return std::nullopt;
    const Val a = in.val(op.getOperand(0)), b = in.val(op.getOperand(1));
    auto isOfValues = [](const Val &v) { return isDictView(v) && isIterator(v, "values"); };
    if (!isOfValues(a) && !isOfValues(b))
        return std::nullopt;
    return in.e.boolVal((op.getOperand(0) == op.getOperand(1)) == isEqual);
}

static std::optional<Val> methodOfView(Inference &in, MethodOp op, const Val &view) {
    SmallVector<Val> operands = in.vals(op.getArgs());
    if (op.getName() == "isdisjoint" && isKeysOrItems(view) && operands.size() == 1 && !op.getKw())
        return callHeap(in, setOf(in, view), "isdisjoint", operands, {});
    failWithoutAttribute(in.e, view, op.getName());
}

// str(), repr(), and format() of f-strings.
static std::optional<Val> formatted(Inference &in, CallOp call, const Val &view) {
    const bool isFormat = call.getCallee() == "builtins.format";
    if (!isFormat && !llvm::is_contained({"builtins.str", "builtins.repr"}, call.getCallee()))
        return std::nullopt;
    const SmallVector<Val> operands = in.vals(call.getArgs());
    const bool isPlain =
        operands.size() == 1 || (operands[1].isStatic("str") && operands[1].staticText().empty());
    if (isFormat && !isPlain)
        in.e.fail("TypeError",
                  "unsupported format string passed to " + view.className() + ".__format__");
    return textOfView(in, view);
}

std::optional<Val> shapecast::visitDictView(Inference &in, Operation *op) {
    TypedBuilder &e = in.e;
    auto found = op->getNumOperands() > 0 ? in.env.find(op->getOperand(0)) : in.env.end();
    if (auto python = dyn_cast<PyOp>(op))
        return compareValues(in, python);
    if (found == in.env.end() || !isDictView(found->second))
        return std::nullopt;
    const Val view = in.val(op->getOperand(0));
    if (auto method = dyn_cast<MethodOp>(op))
        return methodOfView(in, method, view);
    if (isa<GetItemOp>(op))
        e.fail("TypeError", "'" + view.className() + "' object is not subscriptable");
    auto inplace = dyn_cast<InplaceOp>(op);
    if (inplace && makesSet(inplace.getOp()) && isKeysOrItems(view)) {
        const SmallVector<Val> sets = operandsOfSets(in, inplace.getOp(), op->getOperands());
        return heapOperator(in, inplace.getOp(), sets);
    }
    if (auto call = dyn_cast<CallOp>(op))
        return formatted(in, call, view);
    return std::nullopt;
}

// What takes a view for what it is, or passes it on.
static bool keepsViews(Inference &in, Operation *op) {
    if (auto call = dyn_cast<CallOp>(op))
        return call.getCallee() == "builtins.next" || capturedCallee(in, call);
    if (auto python = dyn_cast<PyOp>(op))
        return !llvm::is_contained({"in", "not_in"}, python.getOp());
    if (auto tuple = dyn_cast<TupleOp>(op))
        return !tuple.getStarredAttr();
    if (auto call = dyn_cast<ApplyOp>(op))
        return !call.getStarredAttr();
    return isa<ClosureOp, InplaceOp>(op);
}

ViewsAsItems::ViewsAsItems(Inference &in, Operation *op) : in(in) {
    if (keepsViews(in, op))
        return;
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
        auto found = in.env.find(operand);
        if (found == in.env.end() || !isDictView(found->second) || stores(op, unsigned(number)))
            continue;
        const Val view = in.val(operand);
        if (isHeap(view.items[0]) && !isa<PrintOp>(op))
            continue;
        replaced.emplace_back(operand, view);
        in.env[operand] = isa<PrintOp>(op) ? textOfView(in, view) : withoutView(in.e, view);
    }
}

ViewsAsItems::~ViewsAsItems() {
    for (auto &[operand, view] : replaced)
        in.env[operand] = std::move(view);
}
