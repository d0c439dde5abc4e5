// np-infer: calls of captured functions and of NumPy's.
#include "passes/infer/calls.h"

#include "ops/builder/arrays.h"
#include "ops/builder/containers.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/list_items.h"
#include "ops/builder/operators.h"
#include "ops/builder/text.h"
#include "ops/builder/values.h"
#include "ops/numpy/call_ufunc.h"
#include "ops/python/functions_text.h"
#include "ops/ufunc/ufunc.h"
#include "passes/frontend/inline.h"
#include "passes/frontend/library.h"
#include "passes/infer/branches.h"
#include "passes/infer/callouts.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/functions.h"
#include "passes/infer/iterables.h"
#include "passes/infer/operations.h"
#include "passes/infer/python_objects.h"
#include "passes/infer/setattr.h"
#include "passes/infer/sums.h"
#include "passes/infer/ufuncs.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Checks for as many arguments as the function takes, none of them by name.
static void checkMathCall(TypedBuilder &e, StringRef name, bool integer, size_t count,
                          ArrayRef<std::pair<StringRef, Val>> named) {
    SmallVector<PyKind> kinds(count, integer ? PyKind::Int : PyKind::Float);
    if (name == "ldexp" && count == 2)
        kinds[1] = PyKind::Int;
    const std::string function = ("math." + name).str();
    if (named.empty() && count && pyResult(function, kinds, {}))
        return;
    checkArity(e, function, count, named);
    e.unsupported(function + " is not compiled yet, or not with these arguments");
}

static Val mathCall(Inference &in, StringRef name, ArrayRef<Val> operands,
                    ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    bool integer = llvm::is_contained({"gcd", "lcm", "isqrt", "factorial", "comb", "perm"}, name);
    PyKind result = integer || llvm::is_contained({"floor", "ceil", "trunc"}, name) ? PyKind::Int
                    : llvm::is_contained({"isnan", "isinf", "isfinite"}, name)      ? PyKind::Bool
                                                                                    : PyKind::Float;
    checkMathCall(e, name, integer, operands.size(), named);
    const bool showsInts = llvm::is_contained({"log", "log2", "log10"}, name); // in its messages
    SmallVector<Val> given;
    for (const Val &v : operands) {
        checkReal(e, v);
        const bool asInt = integer || (showsInts && isa<PyIntType, PyBoolType>(v.type()));
        given.push_back(toPy(e, v, asInt ? PyKind::Int : PyKind::Float));
    }
    if (name == "trunc" && operandOf(e, operands[0]).weak == PyKind::Strong &&
        operandOf(e, operands[0]).dtype != DType::F64)
        e.fail("TypeError", "type numpy." + dtypeName(operandOf(e, operands[0]).dtype) +
                                " doesn't define __trunc__ method");
    if (result == PyKind::Int && !integer && operands.size() == 1 && operands[0].isPyInt())
        return operands[0];
    return pyop(e, ("math." + name).str(), given, pyType(e.ctx, result));
}

void shapecast::visitCall(Inference &in, CallOp op) {
    TypedBuilder &e = in.e;
    SmallVector<Val> operands = in.vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    Val result;
    if (auto callee = SymbolTable::lookupNearestSymbolFrom<FuncOp>(in.source, op.getCalleeAttr()))
        result = callCaptured(in, callee, callArguments(operands, named), op.getLoc());
    else
        result = in.callNamed(op.getCallee(), std::move(operands), named);
    in.env[op.getResult()] = std::move(result);
}

// Forms of a function that are not built in may be in the library, in terms of those that are.
static Val callOperation(Inference &in, const Function &function, ArrayRef<Val> operands,
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

// A string that is iterated over is a tuple of its characters.
static void stringsToTuples(TypedBuilder &e, StringRef name, MutableArrayRef<Val> operands) {
    if (!name.consume_front("builtins."))
        return;
    static constexpr StringLiteral first[] = {"enumerate", "reversed", "iter", "list", "tuple",
                                              "sorted",    "any",      "all",  "sum"};
    const bool alone = operands.size() == 1 && (name == "min" || name == "max");
    if (name == "map" || name == "filter")
        operands = operands.drop_front(operands.empty() ? 0 : 1);
    else if (!operands.empty() && (alone || llvm::is_contained(first, name)))
        operands = operands.take_front(1);
    else if (name != "zip")
        return;
    for (Val &operand : operands)
        if (std::optional<std::vector<Val>> characters = charactersOf(e, operand))
            operand = e.tupleVal(std::move(*characters));
}

// zip(..., strict=True): equal lengths become a guard. Python raises only after the shortest one is
// exhausted, after the iterations so far.
static void checkStrictZip(Inference &in, ArrayRef<Val> items) {
    TypedBuilder &e = in.e;
    const std::optional<Dims> lengths = lengthsOf(in, items);
    for (size_t i = 1; i < items.size(); ++i) {
        const std::optional<bool> equal =
            lengths ? e.decideEqual((*lengths)[0], (*lengths)[i]) : std::nullopt;
        if (!equal)
            e.unsupported("zip(..., strict=True) of lengths known only at run time is not "
                          "supported; compare them before");
        if (!*equal)
            e.unsupported("zip(..., strict=True) of different lengths is not supported: Python "
                          "raises ValueError when argument " +
                          Twine(i + 1) + " is found to be longer or shorter than argument 1");
    }
}

// A function of NumPy, math or builtins.
Val Inference::callNamed(StringRef name, SmallVector<Val> operands,
                         ArrayRef<std::pair<StringRef, Val>> named) {
    stringsToTuples(e, name, operands);
    if (!named.empty())
        checkArity(e, name, operands.size(), named);
    if (name == "builtins.zip" && !named.empty() && named[0].second.constBool() == true)
        checkStrictZip(*this, operands);
    if (name == "shapecast.rest") { // the arm continues with the code after the branch
        recursions.conditionalDepth = recursions.continuationDepth;
        return e.noneVal();
    }
    if (name == "shapecast.refuse") { // unsupported statement in a branch: FunctionEmitter::refuse
        recursions.unsupportedLocations.insert(e.loc);
        e.unsupported(operands[0].staticText());
    }
    if (name == "shapecast.caught") // the exception of that number
        return objectVal(e, "exception", "shapecast._objects.caught", operands);
    const bool formatted = name == "builtins.str.join"; // an f-string: its parts are strings
    if (needPython(operands, named) && canCallOut() && !name.starts_with("shapecast.library.") &&
        !formatted)
        return callOut(*this, name, operands, named);
    if (name.starts_with("shapecast.library.primitives.loop_"))
        return callLoopPrimitive(*this, name, operands);
    if (name.starts_with("numpy."))
        listsToArrays(*this, operands);
    if (name == "builtins.sum" || name == "math.prod")
        return sumCall(*this, name == "builtins.sum", operands, named);
    const bool collects = llvm::is_contained(
        {"tuple", "list", "sorted", "any", "all", "min", "max"}, name.rsplit('.').second);
    if (collects && operands.size() == 1 && operands[0].kind == Val::Kind::Iterator)
        if (std::optional<std::vector<Val>> items =
                shouldUnroll(*this, operands[0]) ? knownItems(*this, operands[0]) : std::nullopt)
            operands[0] = e.tupleVal(std::move(*items));
    if (name == "builtins.next")
        return nextCall(*this, operands);
    if ((name == "builtins.min" || name == "builtins.max") && !named.empty())
        if (FuncOp libraryFunc = libraryFunction(source, (name + " by").str()))
            return inlineLibraryCall(*this, libraryFunc, callArguments(operands, named));
    if (name == "math.fsum" && operands.size() == 1 && named.empty()) {
        checkIterable(e, operands[0]);
        return inlineLibraryCall(*this, libraryFunction(source, name),
                                 callArguments(operands, named));
    }
    const Function *function = findFunction(name);
    if (name == "builtins.sorted" && operands.size() == 1 && lengthOf(*this, operands[0])) {
        FuncOp libraryFunc = libraryFunction(source, name);
        auto inLibrary = [&] {
            return callCaptured(*this, libraryFunc, callArguments(operands, named), e.loc);
        };
        if (llvm::any_of(named, [](const auto &pair) { return pair.first == "key"; }))
            return inLibrary();
        return orElse(
            *this, [&] { return callFunction(e, *function, operands, named); }, inLibrary);
    }
    if (collects && operands.size() == 1 && !operands[0].isTuple() &&
        lengthOf(*this, operands[0]) && named.empty())
        if (FuncOp libraryFunc = libraryFunction(source, name)) {
            Val result = orElse(
                *this, [&] { return callFunction(e, *function, operands, named); },
                [&] {
                    return callCaptured(*this, libraryFunc, callArguments(operands, named), e.loc);
                });
            if (result.isDynamicList() && name != "builtins.sorted") // as long as its operand
                if (std::optional<DimAttr> length = lengthOf(*this, operands[0]))
                    e.facts.addEqual(result.items[0].dim, *length);
            return result;
        }
    if (function)
        return callOperation(*this, *function, operands, named);
    if (name.starts_with("math."))
        return mathCall(*this, name.drop_front(5), operands, named);
    StringRef numpyName = name;
    if (numpyName.consume_front("numpy.")) {
        if (std::optional<DType> dtype = dtypeFromName(numpyName); dtype && operands.size() <= 1)
            return makeNumber(e, *dtype, operands.empty() ? nullptr : &operands[0]);
        if (findUfunc(numpyName))
            return orElse(
                *this, [&] { return callUfunc(e, numpyName, operands, named); },
                [&] { return callOut(*this, name, operands, named); });
        auto [ufunc, method] = numpyName.split('.'); // np.add.reduce: ufunc.reduce(np.add, ...)
        FuncOp libraryFunc;
        if (!method.empty() && findUfunc(ufunc))
            libraryFunc = libraryFunction(source, ("numpy.ufunc." + method).str());
        if (libraryFunc) {
            SmallVector<Val> all{e.staticVal("func", ("numpy." + ufunc).str())};
            llvm::append_range(all, operands);
            const CallArguments<Val> call = callArguments(all, named);
            return orElse(
                *this, [&] { return callCaptured(*this, libraryFunc, call, e.loc); },
                [&] { return callOut(*this, name, operands, named); });
        }
    }
    return callLibraryOrPython(*this, name, operands, named);
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

void shapecast::visitMethod(Inference &in, MethodOp op) {
    TypedBuilder &e = in.e;
    const Val &base = in.val(op.getBase());
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
        deleteItem(e, base, in.vals(op.getArgs()));
        in.env[op.getResult()] = e.noneVal();
        return;
    }
    if (base.isText() || base.isTuple() || base.isDict() || base.isDynamicList()) {
        checkHasAttribute(e, base, name);
        SmallVector<Val> operands = in.vals(op.getArgs());
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
        std::optional<Val> record = recordMethod(e, base, name, named);
        if (!record && base.isText())
            record = foldTextMethod(in, base, name, operands, named);
        Val made = record           ? *record
                   : base.list      ? callList(in, base, name, operands, named)
                   : base.isTuple() ? tupleMethod(e, base, name, operands)
                   : base.isDict()  ? dictMethod(e, base, name, operands, named)
                                    : textMethod(e, base, name, operands, named);
        in.env[op.getResult()] = std::move(made);
        return;
    }
    if (base.isNone())
        e.fail("AttributeError", "'NoneType' object has no attribute '" + name + "'");
    if (!function || base.isScalar())
        checkHasAttribute(e, base, name);
    if (!function && !base.isArray())
        e.unsupported("the method '" + name + "' of " + describe(e, base) + " is not compiled yet");
    SmallVector<Val> operands = in.vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    if (base.weakFlag)
        e.unsupported("a method of " + describe(e, base) + "; convert it to one of both first");
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

void shapecast::visitApply(Inference &in, ApplyOp op) {
    TypedBuilder &e = in.e;
    const Val function = in.val(op.getFunction());
    SmallVector<Val> positional = expandStarred(in, op.getStarredAttr(), op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), positional);
    Val result = apply(in, function, positional, named, op.getLoc());
    in.env[op.getResult()] = std::move(result);
}
