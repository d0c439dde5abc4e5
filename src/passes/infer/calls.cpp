// np-infer: calls of captured functions and of NumPy's.
#include "passes/infer/calls.h"

#include "ops/builder/arrays.h"
#include "ops/builder/checks.h"
#include "ops/builder/containers.h"
#include "ops/builder/function.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_constants.h"
#include "ops/builder/list_items.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/operators.h"
#include "ops/numpy/call_ufunc.h"
#include "ops/python/functions_text.h"
#include "ops/ufunc/ufunc.h"
#include "passes/frontend/inline.h"
#include "passes/frontend/library.h"
#include "passes/infer/branches.h"
#include "passes/infer/callouts.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/functions.h"
#include "passes/infer/heaps.h"
#include "passes/infer/iterables.h"
#include "passes/infer/iterator_sites.h"
#include "passes/infer/operations.h"
#include "passes/infer/python_objects.h"
#include "passes/infer/setattr.h"
#include "passes/infer/texts.h"
#include "passes/infer/ufuncs.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

void shapecast::visitCall(Inference &in, CallOp op) {
    TypedBuilder &e = in.e;
    SmallVector<Val> operands = in.vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    Val result;
    if (auto callee = functionNamed(in, op.getCalleeAttr()))
        result = callCaptured(in, callee, callArguments(operands, named), op.getLoc());
    else
        result = in.callNamed(op.getCallee(), std::move(operands), named);
    in.env[op.getResult()] = std::move(result);
}

// Forms of a function that are not built in may be in the library, in terms of those that are.
Val shapecast::callOperation(Inference &in, const Function &function, ArrayRef<Val> operands,
                             ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    const StringRef name = function.name;
    if (!name.starts_with("numpy."))
        return callFunction(e, function, operands, named);
    return orElse(
        in, [&] { return callFunction(e, function, operands, named); },
        [&] { return callLibraryOrPython(in, name, operands, named); });
}

// A method of a list: the library's, where the built-in one does not support the list.
static Val callList(Inference &in, const Val &list, StringRef name, ArrayRef<Val> given,
                    ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    if (llvm::is_contained({"sort", "remove", "index", "count"}, name))
        requestHeapForItems(e, list);
    auto known = [&]() -> Val {
        if (!list.isDynamicList())
            return tupleMethod(e, list, name, given);
        if (std::optional<Val> done = dynamicListMethod(e, list, name, given))
            return *done;
        e.unsupported("the method '" + name +
                      "' of a list that grows is not compiled yet, or not with these arguments");
    };
    FuncOp libraryFunc = libraryFunction(in.source, ("builtins.list." + name).str());
    if (!libraryFunc && !named.empty())
        e.fail("TypeError", "list." + name + "() takes no keyword arguments");
    SmallVector<Val> all{list};
    llvm::append_range(all, given);
    auto inLibrary = [&] {
        return callCaptured(in, libraryFunc, callArguments(all, named), e.loc);
    };
    return !libraryFunc ? known() : named.empty() ? orElse(in, known, inLibrary) : inLibrary();
}

// index() and count() of a tuple whose length is known only at run time.
static Val callLongTuple(Inference &in, const Val &tuple, StringRef name, ArrayRef<Val> given,
                         ArrayRef<std::pair<StringRef, Val>> named) {
    SmallVector<Val> all{tuple};
    llvm::append_range(all, given);
    if (FuncOp libraryFunc = libraryFunction(in.source, ("builtins.tuple." + name).str()))
        return callCaptured(in, libraryFunc, callArguments(all, named), in.e.loc);
    in.e.unsupported("the method '" + name + "' of a tuple is not supported");
}

void shapecast::visitUfunc(Inference &in, UfuncOp op) {
    TypedBuilder &e = in.e;
    SmallVector<Val> operands = in.vals(op.getOperands_());
    listsToArrays(in, operands);
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    const std::string name = ("numpy." + op.getName()).str();
    Val result = orElse(
        in, [&] { return callUfunc(e, op.getName(), operands, named); },
        [&] { return callOut(in, name, operands, named); });
    in.env[op.getResult()] = std::move(result);
}

// Of a number that is of either kind.
static void visitMethodOfEither(Inference &in, MethodOp op) {
    TypedBuilder &e = in.e;
    const Val given = in.val(op.getBase());
    const Val isWeak = compare(e, "ne", e.sizeVal(given.weakFlag), e.intVal(0));
    llvm::scope_exit restore([&] { in.env[op.getBase()] = given; });
    auto visitAs = [&](bool weak) {
        in.env[op.getBase()] = weak ? weakSide(e, given) : strongSide(given);
        SmallVector<Val> made;
        orRaise(in, [&] { visitMethod(in, op); }, /*typesFirst=*/false, /*whole=*/true);
        if (!in.unreachable)
            made.push_back(in.val(op.getResult()));
        return made;
    };
    const std::optional<bool> known = isWeak.constBool();
    SmallVector<Val> made =
        known ? visitAs(*known) : branch(in, op->getLoc(), isWeak, [&](bool weak) {
            llvm::SaveAndRestore inArm(in.recursions.conditionalDepth,
                                       in.recursions.conditionalDepth + 1);
            return visitAs(weak);
        });
    in.env[op.getResult()] = in.unreachable ? e.neverVal() : made[0];
}

void shapecast::visitMethod(Inference &in, MethodOp op) {
    TypedBuilder &e = in.e;
    const Val &base = in.val(op.getBase());
    requestIterator(in, base); // send, close
    if (base.weakFlag)
        return visitMethodOfEither(in, op);
    StringRef name = op.getName();
    const Function *function =
        base.isTyped() && !isPyScalar(base.type()) ? findMethod(name) : nullptr;
    if (!function && base.isScalar())
        function = findFunction(("number." + name).str());
    if (base.isStatic("dtype") && name == "type") { // x.dtype.type(0.5)
        Val made =
            in.callNamed(("numpy." + dtypeName(dtypeOf(e, base))).str(), in.vals(op.getArgs()), {});
        in.env[op.getResult()] = std::move(made);
        return;
    }
    if (base.isStatic("func")) { // f.reduce(x), f being np.add
        SmallVector<Val> operands = in.vals(op.getArgs());
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
        Val made = in.callNamed((base.staticText() + "." + name).str(), operands, named);
        in.env[op.getResult()] = std::move(made);
        return;
    }
    if (name == "__setattr__") {
        Val made = setAttribute(in, op);
        in.env[op.getResult()] = std::move(made);
        return;
    }
    if (name == "__delitem__") {
        const SmallVector<Val> keys = in.vals(op.getArgs());
        if (isHeap(base, "list") && keys.size() == 1 && keys[0].kind == Val::Kind::Slice) {
            const SmallVector<Val> bounds(keys[0].items.begin(), keys[0].items.end());
            Val done = callHeap(in, Val(base), "__delitem__", bounds, {});
            in.env[op.getResult()] = std::move(done);
            return;
        }
        isHeap(base) ? deleteHeapItem(e, base, keys) : deleteItem(e, base, keys);
        in.env[op.getResult()] = e.noneVal();
        return;
    }
    if (isHeap(base)) {
        SmallVector<Val> operands = in.vals(op.getArgs());
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
        Val made = callHeap(in, Val(base), name, operands, named);
        in.env[op.getResult()] = std::move(made);
        return;
    }
    if (base.isText() || base.isTuple() || base.isDict() || base.isDynamicList()) {
        checkHasAttribute(e, base, name);
        SmallVector<Val> operands = in.vals(op.getArgs());
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
        std::optional<Val> record = recordMethod(e, base, name, named);
        if (!record && base.isText())
            record = foldTextMethod(in, base, name, operands, named);
        if (!record && base.isText())
            record = libraryTextMethod(in, base, name, operands, named);
        if (base.isDict() && name == "get" && !operands.empty())
            if (std::optional<Val> heap = heapOfConstants(e, base, operands[0]))
                record = heapMethod(e, *heap, name, operands);
        Val made = record                 ? *record
                   : base.list            ? callList(in, base, name, operands, named)
                   : base.isTuple()       ? tupleMethod(e, base, name, operands)
                   : base.isDict()        ? dictMethod(e, base, name, operands, named)
                   : base.isDynamicList() ? callLongTuple(in, base, name, operands, named)
                                          : textMethod(e, base, name, operands, named);
        in.env[op.getResult()] = std::move(made);
        return;
    }
    if (base.isNone())
        failWithoutAttribute(e, base, name);
    if (!function || base.isScalar())
        checkHasAttribute(e, base, name);
    if (!function && !base.isArray())
        e.unsupported("the method '" + name + "' of " + base.describe() + " is not compiled yet");
    SmallVector<Val> operands = in.vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    operands.insert(operands.begin(), base);
    const std::string called = ("method:" + name).str();
    Val made = !function ? callLibraryOrPython(in, called, operands, named)
               : base.isArray()
                   ? orElse(
                         in, [&] { return callOperation(in, *function, operands, named); },
                         [&] { return callLibraryOrPython(in, called, operands, named); })
                   : callFunction(e, *function, operands, named);
    in.env[op.getResult()] = std::move(made);
}

namespace {
// f(a, *list, b), the list of a length known only at run time.
struct StarredCall {
    const Val &function;
    SmallVector<Val> given;
    size_t at; // of the list
    const Val &list() const { return given[at]; }
    size_t others() const { return given.size() - 1; }
};
} // namespace

static std::optional<StarredCall> starredCall(Inference &in, const Val &function, ApplyOp op) {
    const DenseI64ArrayAttr starred = op.getStarredAttr();
    if (!starred || starred.size() != 1 || op.getKw())
        return std::nullopt;
    StarredCall call{function, in.vals(op.getArgs()), size_t(starred[0])};
    if (!call.list().isDynamicList() && !isHeap(call.list(), "list"))
        return std::nullopt;
    return call;
}

// f's parameters that are left are its first items, and *args the others.
static std::optional<SmallVector<Val>> fillParameters(Inference &in, const StarredCall &call) {
    TypedBuilder &e = in.e;
    FuncOp callee = calleeOf(in, call.function);
    const ArrayAttr defaults = callee ? callee.getDefaultsAttr() : ArrayAttr();
    if (!callee || !callee.getVarargs() || callee.getVarkw() || callee.getKwonly().value_or(0) ||
        !call.function.items[1].items.empty() || (defaults && !defaults.empty()) ||
        call.at != call.others())
        return std::nullopt;
    const size_t count = callee.getArgNamesAttr().size() - call.function.items[0].items.size() - 1;
    const DimAttr length = *lengthOf(in, call.list());
    const size_t left = count - std::min(call.others(), count);
    for (size_t i = 0; i < left; ++i)
        e.require("ne", {length, e.dimConst(i)}, "TypeError",
                  refusalOf(in, call.function, call.others() + i).value_or(""));
    if (left > 0)
        e.require("ge", {length, e.dimConst(left)}, "SystemError", "a length is negative");
    SmallVector<Val> filled(call.given.begin(), call.given.begin() + call.at);
    for (size_t i = 0; i < left; ++i)
        filled.push_back(itemAt(in, call.list(), e.intVal(i)));
    filled.push_back(restOfCall(e, call.list(), left));
    return filled;
}

// The numbers of arguments that it takes, but for those of the others; empty: that is not known.
static SmallVector<size_t> arities(Inference &in, const StarredCall &call) {
    constexpr size_t most = 8;
    SmallVector<size_t> counts;
    for (size_t count = call.others(); count <= call.others() + most; ++count)
        if (!refusalOf(in, call.function, count))
            counts.push_back(count - call.others());
    if (!counts.empty() && counts.back() == most)
        counts.clear(); // of any number
    return counts;
}

// Raises Python's TypeError for a list that is longer or shorter.
static void checkLength(Inference &in, const StarredCall &call, ArrayRef<size_t> counts,
                        DimAttr length) {
    TypedBuilder &e = in.e;
    auto refusal = [&](size_t count) {
        return refusalOf(in, call.function, call.others() + count).value_or("");
    };
    const size_t most = counts.back(), example = most + 2;
    for (size_t count = 0; count <= most + 1; ++count)
        if (!llvm::is_contained(counts, count))
            e.require("ne", {length, e.dimConst(count)}, "TypeError", refusal(count));
    std::string tooMany = refusal(example);
    const std::string number = std::to_string(call.others() + example);
    if (const size_t found = tooMany.rfind(number); found != std::string::npos)
        tooMany.replace(found, number.size(), "{0}");
    e.require("ge", {e.dimConst(most), length}, "TypeError", tooMany,
              {dimAdd(length, e.dimConst(call.others()))});
}

// The call with the list's items as arguments, for each number of them that is left.
static Val applyToItems(Inference &in, const StarredCall &call, ArrayRef<size_t> counts,
                        DimAttr length, Location location) {
    TypedBuilder &e = in.e;
    auto applyTo = [&](size_t count) {
        SmallVector<Val> given(call.given.begin(), call.given.begin() + call.at);
        for (size_t i = 0; i < count; ++i)
            given.push_back(itemAt(in, call.list(), e.intVal(i)));
        given.append(call.given.begin() + call.at + 1, call.given.end());
        Val result = apply(in, call.function, given, {}, location);
        if (in.unreachable)
            throw Unreachable{};
        return result;
    };
    if (counts.size() == 1)
        return applyTo(counts[0]);
    const Val is = compare(e, "eq", e.sizeVal(length), e.intVal(counts[0]));
    if (const std::optional<bool> known = is.constBool())
        return *known ? applyTo(counts[0])
                      : applyToItems(in, call, counts.drop_front(), length, location);
    return e.branch(is, [&](bool holds) {
        return holds ? applyTo(counts[0])
                     : applyToItems(in, call, counts.drop_front(), length, location);
    });
}

// max(a, *list) and min(a, *list): of all of them.
static std::optional<Val> extremeOfRest(Inference &in, const Val &function, ApplyOp op) {
    TypedBuilder &e = in.e;
    const DenseI64ArrayAttr starred = op.getStarredAttr();
    const bool isExtreme =
        function.isStatic("func") &&
        llvm::is_contained({"builtins.max", "builtins.min"}, function.staticText());
    if (!isExtreme || !starred || starred.size() != 1)
        return std::nullopt;
    SmallVector<Val> given = in.vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), given);
    const Val list = given.back();
    auto isScalar = [](const Slot &item) {
        return item.kind == Slot::Kind::Typed && np::isScalar(item.type);
    };
    const bool isOfNumbers = list.isDynamicList()
                                 ? isScalar(*list.element)
                                 : isHeap(list, "list") && isScalar(heapValueSlot(list));
    if (!isOfNumbers || size_t(starred[0]) + 1 != given.size() ||
        (!list.isDynamicList() && !isHeap(list, "list")))
        return std::nullopt;
    const DimAttr count = dimAdd(*lengthOf(in, list), e.dimConst(int64_t(given.size()) - 1));
    const StringRef name = function.staticText().split('.').second;
    e.require("ge", {count, e.dimConst(1)}, "TypeError",
              name + " expected at least 1 argument, got 0");
    const Val only = given.size() > 1 ? given[0] : itemAt(in, list, e.intVal(0));
    e.require("ge", {count, e.dimConst(2)}, "TypeError",
              "'" + only.className() + "' object is not iterable");
    given.pop_back();
    return in.callNamed(function.staticText(), {tupleOfRest(in, given, list, 0)}, named);
}

// Of f(*map(g, x)) the iterator, range, dict or set is a list in the call, where its length is
// known only at run time. Returns what it was.
static SmallVector<std::pair<Value, Val>, 1> collectStarred(Inference &in, ApplyOp op) {
    const DenseI64ArrayAttr starred = op.getStarredAttr();
    SmallVector<std::pair<Value, Val>, 1> before;
    for (int64_t at : starred ? starred.asArrayRef() : ArrayRef<int64_t>()) {
        const Value operand = op.getArgs()[size_t(at)];
        const Val given = in.val(operand);
        const bool isRange = given.kind == Val::Kind::Range,
                   isContainer = isHeap(given, "dict") || isHeap(given, "set");
        if ((given.kind != Val::Kind::Iterator && !isRange && !isContainer) ||
            (isRange ? lengthOf(in, given)->isConst() : shouldUnroll(in, given)))
            continue;
        before.emplace_back(operand, given);
        Val list = in.callNamed("builtins.list", {given}, {});
        in.env[operand] = std::move(list);
    }
    return before;
}

void shapecast::visitApply(Inference &in, ApplyOp op) {
    TypedBuilder &e = in.e;
    const Val function = in.val(op.getFunction());
    llvm::scope_exit restore([&, before = collectStarred(in, op)] {
        for (const auto &[operand, v] : before)
            in.env[operand] = v;
    });
    if (std::optional<Val> most = extremeOfRest(in, function, op)) {
        in.env[op.getResult()] = std::move(*most);
        return;
    }
    const std::optional<StarredCall> starred = starredCall(in, function, op);
    if (starred && starred->others() == 0 && function.isStatic("func") &&
        function.staticText() == "itertools.chain") {
        Val made = in.callNamed("itertools.chain.from_iterable", {starred->list()}, {});
        in.env[op.getResult()] = std::move(made);
        return;
    }
    std::optional<SmallVector<Val>> filled = starred ? fillParameters(in, *starred) : std::nullopt;
    const SmallVector<size_t> counts =
        starred && !filled ? arities(in, *starred) : SmallVector<size_t>();
    if (!counts.empty()) {
        const DimAttr length = *lengthOf(in, starred->list());
        checkLength(in, *starred, counts, length);
        Val result = applyToItems(in, *starred, counts, length, op.getLoc());
        in.env[op.getResult()] = std::move(result);
        return;
    }
    SmallVector<Val> positional =
        filled ? *filled : expandStarred(in, op.getStarredAttr(), op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), positional);
    Val result = apply(in, function, positional, named, op.getLoc());
    in.env[op.getResult()] = std::move(result);
}
