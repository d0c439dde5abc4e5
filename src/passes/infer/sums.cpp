#include "passes/infer/sums.h"

#include "facts/host_info.h"
#include "ops/builder/checks.h"
#include "ops/builder/heap.h"
#include "ops/builder/operators.h"
#include "passes/frontend/library.h"
#include "passes/infer/branches.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/iterables.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val foldLeft(Inference &in, StringRef op, const Val &iterable, Val start);

// Whether the items, or the start of the sum, may be Python floats or complex numbers.
static bool mayHoldFloats(TypedBuilder &e, const Val &iterable, const Val &start) {
    const auto mayBeFloat = [&](const Val &v) {
        return v.isTyped() && (v.weakFlag || llvm::is_contained({PyKind::Float, PyKind::Complex},
                                                                e.operandOf(v).weak));
    };
    if (iterable.isTuple())
        return mayBeFloat(start) || llvm::any_of(iterable.items.read(), mayBeFloat);
    if (iterable.kind == Val::Kind::Range)
        return mayBeFloat(start);
    return !iterable.isArray();
}

static bool isListOfObjects(const Val &v) {
    if (isHeap(v, "list"))
        return isObjectForm(heapValueSlot(v).attr);
    return v.isDynamicList() && v.element->valKind == Val::Kind::Record;
}

// Python's sum() of floats is compensated (python/shapecast/library/sums.py).
static Val compensatedSum(Inference &in, const Val &iterable, const Val &start) {
    auto callOf = [&](StringRef which) {
        FuncOp libraryFunc = libraryFunction(in.source, ("builtins.sum of " + which).str());
        return inlineLibraryCall(in, libraryFunc, callArguments({iterable, start}, {}));
    };
    return orElse(
        in, [&] { return callOf(iterable.isTuple() ? "few" : "many"); },
        [&] { return callOf("mixed"); });
}

// sum(iterable, start=0) and math.prod(iterable, *, start=1): one item after the other, as Python
// does.
Val shapecast::sumCall(Inference &in, bool sum, ArrayRef<Val> operands,
                       ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    const StringRef name = sum ? "sum" : "prod", op = sum ? "add" : "mul";
    if (operands.empty() || operands.size() > (sum ? 2 : 1)) {
        checkArity(e, sum ? "builtins.sum" : "math.prod", operands.size(), named);
        e.fail("TypeError", name + "() takes at most 2 arguments");
    }
    Val start = operands.size() == 2 ? operands[1] : e.intVal(!sum);
    for (const auto &[keyword, value] : named) {
        if (keyword != "start")
            e.fail("TypeError",
                   "'" + keyword + "' is an invalid keyword argument for " + name + "()");
        start = value;
    }
    if (sum && start.isText())
        e.fail("TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
    const Val &iterable = operands[0];
    checkIterable(e, iterable);
    if (!iterable.isTuple() && !lengthOf(in, iterable))
        e.fail("TypeError", "'" + iterable.className() + "' object is not iterable");
    const bool compensates =
        sum && hostInfo().sumIsCompensated && mayHoldFloats(e, iterable, start);
    // Where that is not supported, some items are NumPy scalars, which Python adds one by one.
    auto fold = [&] {
        return compensates ? orElse(
                                 in, [&] { return compensatedSum(in, iterable, start); },
                                 [&] { return foldLeft(in, op, iterable, start); })
                           : foldLeft(in, op, iterable, start);
    };
    if (!sum || !isListOfObjects(iterable))
        return fold();
    // Their sums are of their class; 0 is not.
    FuncOp ofObjects = libraryFunction(in.source, "builtins.sum of objects");
    Val result;
    tryAlternatives(in, {[&] { result = fold(); },
                         [&] {
                             e.require("ge", {*lengthOf(in, iterable), e.dimConst(1)},
                                       "shapecast.UnsupportedError",
                                       "the sum of no objects is 0, which is none of them; check "
                                       "the length first");
                             result = callCaptured(in, ofObjects,
                                                   callArguments({iterable, start}, {}), e.loc);
                         }});
    return result;
}

// A left fold: start op item op item ...
static Val foldLeft(Inference &in, StringRef op, const Val &iterable, Val start) {
    TypedBuilder &e = in.e;
    if (iterable.isTuple()) {
        for (const Val &item : iterable.items)
            start = binary(e, op, start, item);
        return start;
    }
    Region &body = *in.expansions.emplace_back(std::make_unique<Region>());
    OpBuilder b(e.ctx);
    Type any = anyTensor(e.ctx);
    Block *block = b.createBlock(&body, {}, {any, any}, {e.loc, e.loc});
    auto loop = ForEachOp::create(b, e.loc, TypeRange(any), block->getArgument(0),
                                  ValueRange(block->getArgument(1)));
    Block *loopBody = b.createBlock(&loop.getBody(), {}, {any, any}, {e.loc, e.loc});
    Value next = PyOp::create(
        b, e.loc, any, op, ValueRange{loopBody->getArgument(1), loopBody->getArgument(0)}, false);
    NextOp::create(b, e.loc, next, Value());
    in.env[block->getArgument(0)] = iterable;
    in.env[block->getArgument(1)] = start;
    in.visit(loop);
    return in.val(loop.getResult(0));
}
