#include "passes/infer/texts.h"

#include "ops/builder/function.h"
#include "ops/builder/heap_text.h"
#include "ops/python/functions_text.h"
#include "passes/frontend/library.h"
#include "passes/infer/branches.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/functions.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

TextsInMemory::TextsInMemory(Inference &in, Operation *op) : in(in) {
    TypedBuilder &e = in.e;
    if (!isa<InplaceOp, TruthOp, SliceOp, GetItemOp, SetItemOp, AttrOp, UnpackOp, ForEachOp,
             UfuncOp, PyOp>(op) ||
        (isa<PyOp>(op) && op->getNumOperands() > 1))
        return;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
        auto found = in.env.find(operand);
        const bool first = i == 0 || !isa<ForEachOp>(op);
        if (found == in.env.end() || found->second.kind != Val::Kind::Object || !first)
            continue;
        if (isa<InplaceOp>(op) && (i == 1 || found->second.isText()))
            continue; // += and %= are checked as operators
        if (found->second.isText()) {
            const Val thunk = found->second;
            Val made = heapText(e, thunk);
            in.env[operand] = std::move(made);
            if (operand.getParentBlock() != op->getBlock()) // later ones may not see it
                thunks.push_back({operand, thunk});
            continue;
        }
        e.unsupported(found->second.describe() +
                      " can be printed, formatted, raised and returned, but not used here");
    }
}

TextsInMemory::~TextsInMemory() {
    for (auto &[operand, thunk] : thunks)
        in.env[operand] = std::move(thunk);
}

// Of what a thunk can be made.
static bool isPlain(const Val &v) {
    return v.kind == Val::Kind::Static || v.isObject("str") || v.isScalar() ||
           (v.isTuple() && !v.list && llvm::all_of(v.items.read(), isPlain));
}

std::optional<Val> shapecast::libraryTextMethod(Inference &in, const Val &text, StringRef name,
                                                ArrayRef<Val> operands,
                                                ArrayRef<std::pair<StringRef, Val>> named) {
    auto isPlainPair = [](const auto &pair) { return isPlain(pair.second); };
    if (name == "format" && isPlain(text) && llvm::all_of(operands, isPlain) &&
        llvm::all_of(named, isPlainPair))
        return std::nullopt;
    FuncOp function = libraryFunction(in.source, ("builtins.str." + name).str());
    if (!function)
        return std::nullopt;
    SmallVector<Val> given{heapText(in.e, text)};
    llvm::append_range(given, operands);
    return callCaptured(in, function, callArguments(given, named), in.e.loc);
}

std::optional<Val> shapecast::numberOfText(Inference &in, StringRef name, ArrayRef<Val> operands,
                                           ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    const bool isInt = name == "builtins.int", isFloat = name == "builtins.float";
    if ((!isInt && !isFloat) || operands.empty() || !operands[0].isText())
        return std::nullopt;
    SmallVector<Val> given(operands);
    for (const auto &[keyword, value] : named)
        if (isInt && keyword == "base")
            given.push_back(value);
    if (isInt && given.size() == 1)
        given.push_back(e.intVal(10));
    FuncOp function = libraryFunction(in.source, (name + " of text").str());
    auto atRunTime = [&] { return callCaptured(in, function, callArguments(given, {}), e.loc); };
    if (!operands[0].isStatic("str"))
        return atRunTime();
    return orElse(
        in, [&] { return callFunction(e, *findFunction(name), operands, named); }, atRunTime);
}
