// np-infer: calls of captured functions and of NumPy's.
#include "ops/builder/arrays.h"
#include "ops/builder/cells.h"
#include "ops/builder/containers.h"
#include "ops/builder/dynamic_list.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/infer_error.h"
#include "ops/builder/items.h"
#include "ops/builder/list_items.h"
#include "ops/builder/operators.h"
#include "ops/builder/text.h"
#include "ops/builder/values.h"
#include "ops/numpy/call_ufunc.h"
#include "ops/python/functions_text.h"
#include "ops/ufunc/ufunc.h"
#include "passes/frontend/library.h"
#include "passes/infer/infer.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

SmallVector<std::pair<StringRef, Val>>
shapecast::keywords(Location loc, std::optional<ArrayAttr> names, SmallVectorImpl<Val> &operands) {
    SmallVector<std::pair<StringRef, Val>> result;
    if (!names)
        return result;
    size_t first = operands.size() - names->size();
    for (auto [i, name] : llvm::enumerate(*names)) {
        StringRef text = cast<StringAttr>(name).getValue();
        const Val &v = operands[first + i];
        if (text != "**") {
            result.emplace_back(text, v);
            continue;
        }
        if (!v.isDict())
            throw InferError{loc, "TypeError", "argument after ** must be a mapping", {}};
        for (auto [key, value] : llvm::zip_equal(cast<ArrayAttr>(v.attr), v.items)) {
            auto keyword = dyn_cast<PyAttr>(key);
            if (!keyword || keyword.getKind() != "str")
                throw InferError{loc, "TypeError", "keywords must be strings", {}};
            result.emplace_back(keyword.getText(), value);
        }
    }
    operands.truncate(first);
    return result;
}

CallArguments<Val> shapecast::callArguments(ArrayRef<Val> positional,
                                            ArrayRef<std::pair<StringRef, Val>> named) {
    CallArguments<Val> call;
    call.positional.assign(positional.begin(), positional.end());
    for (const auto &[name, value] : named) {
        call.names.push_back(name);
        call.named.push_back(value);
    }
    return call;
}

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

Val Infer::mathCall(StringRef name, ArrayRef<Val> operands,
                    ArrayRef<std::pair<StringRef, Val>> named) {
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

void Infer::visitCall(CallOp op) {
    SmallVector<Val> operands = vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    Val result;
    if (auto callee = SymbolTable::lookupNearestSymbolFrom<FuncOp>(source, op.getCalleeAttr()))
        result = callCaptured(callee, callArguments(operands, named), op.getLoc());
    else
        result = callNamed(op.getCallee(), std::move(operands), named);
    env[op.getResult()] = std::move(result);
}

// Where the first alternative is not supported, what it emitted is erased and the second is tried.
// If that is not supported either, the first error is thrown, which says more.
Val Infer::orElse(llvm::function_ref<Val()> first, llvm::function_ref<Val()> second) {
    Checkpoint checkpoint(e);
    Block *block = e.b.getInsertionBlock();
    Operation *last = block->empty() ? nullptr : &block->back();
    const size_t depth = callStack.size();
    const Location location = e.loc;
    const llvm::DenseSet<unsigned> copied = e.copiedCells;
    Operation *const here = currentOp; // the values of an inner op's operands are erased
    std::optional<InferError> refusal;
    try {
        return first();
    } catch (const InferError &error) {
        if (error.exception != "shapecast.UnsupportedError" || error.joinConflict)
            throw;
        refusal = error;
    }
    checkpoint.rollBack(); // the builder may be in an erased block
    unreachable = false;
    callStack.truncate(depth);
    e.loc = location;
    currentOp = here;
    e.copiedCells = copied;
    while (!block->empty() && &block->back() != last)
        block->back().erase();
    llvm::SaveAndRestore fallback(isFallback, true);
    try {
        return second();
    } catch (const InferError &error) {
        if (error.exception != "shapecast.UnsupportedError")
            throw;
        throw *refusal;
    }
}

static StringRef classOf(const Val &receiver) {
    return receiver.isPython() ? cast<ObjectType>(receiver.type()).getName() : "numpy.ndarray";
}

// Functions of NumPy, SciPy and array methods: called out where the library's are not supported.
static bool isNumPyFunction(StringRef name) {
    return name.starts_with("numpy.") || name.starts_with("scipy.");
}

// Inlines a library function of Python's own: reduce() may call itself by way of its argument.
Val Infer::inlineLibraryCall(FuncOp libraryFunc, const CallArguments<Val> &call) {
    constexpr long maxNested = 8;
    if (llvm::count(callStack, libraryFunc) > maxNested)
        e.unsupported("functions of Python's library that call one another this deep are not "
                      "supported; write the loop");
    SmallVector<Val> bound;
    if (auto error = bind(libraryFunc, call, bound))
        e.fail("TypeError", *error);
    return inlineCall(libraryFunc, bound, e.loc);
}

// Calls the library's function, or else Python; `name` is NumPy's, or "method:" and the name of a
// method of an array or object.
Val Infer::callLibraryOrPython(StringRef name, ArrayRef<Val> operands,
                               ArrayRef<std::pair<StringRef, Val>> named) {
    std::string called = name.str();
    if (StringRef plain = name; plain.consume_front("method:"))
        called = (classOf(operands[0]) + "." + plain).str();
    FuncOp libraryFunc = libraryFunction(source, called);
    if (libraryFunc && !isNumPyFunction(called))
        return inlineLibraryCall(libraryFunc, callArguments(operands, named));
    if (libraryFunc && !llvm::is_contained(callStack, libraryFunc)) {
        const CallArguments<Val> call = callArguments(operands, named);
        if (!canCallOut() || binds(libraryFunc, call)) // else only NumPy has such a keyword
            return orElse([&] { return callCaptured(libraryFunc, call, e.loc); },
                          [&] { return callOut(name, operands, named); });
    }
    if (std::optional<Val> result = callUfuncLoop(name, operands, named))
        return *result;
    return callOut(name, operands, named);
}

// Forms of a function that are not built in may be in the library, in terms of those that are.
Val Infer::callOperation(const Function &function, ArrayRef<Val> operands,
                         ArrayRef<std::pair<StringRef, Val>> named) {
    const StringRef name = function.name;
    if (!name.starts_with("numpy."))
        return callFunction(e, function, operands, named);
    return orElse([&] { return callFunction(e, function, operands, named); },
                  [&] { return callLibraryOrPython(name, operands, named); });
}

// A method of a list: the library's, where the built-in one does not support the list.
Val Infer::callList(const Val &list, StringRef name, ArrayRef<Val> given,
                    ArrayRef<std::pair<StringRef, Val>> named) {
    auto known = [&]() -> Val {
        if (!list.isDynamicList())
            return tupleMethod(e, list, name, given);
        if (std::optional<Val> done = dynamicListMethod(e, list, name, given))
            return *done;
        e.unsupported("the method '" + name +
                      "' of a list that grows is not compiled yet, or not with these arguments");
    };
    FuncOp libraryFunc = libraryFunction(source, ("builtins.list." + name).str());
    if (!libraryFunc && !named.empty())
        e.fail("TypeError", "list." + name + "() takes no keyword arguments");
    SmallVector<Val> all{list};
    llvm::append_range(all, given);
    auto inLibrary = [&] { return callCaptured(libraryFunc, callArguments(all, named), e.loc); };
    return !libraryFunc ? known() : named.empty() ? orElse(known, inLibrary) : inLibrary();
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
void Infer::checkStrictZip(ArrayRef<Val> items) {
    const std::optional<Dims> lengths = lengthsOf(items);
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
Val Infer::callNamed(StringRef name, SmallVector<Val> operands,
                     ArrayRef<std::pair<StringRef, Val>> named) {
    stringsToTuples(e, name, operands);
    if (!named.empty())
        checkArity(e, name, operands.size(), named);
    if (name == "builtins.zip" && !named.empty() && named[0].second.constBool() == true)
        checkStrictZip(operands);
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
        return callOut(name, operands, named);
    if (name.starts_with("shapecast.library.primitives.loop_"))
        return callLoopPrimitive(name, operands);
    if (name.starts_with("numpy."))
        listsToArrays(operands);
    if (name == "builtins.sum" || name == "math.prod")
        return sumCall(name == "builtins.sum", operands, named);
    const bool collects = llvm::is_contained(
        {"tuple", "list", "sorted", "any", "all", "min", "max"}, name.rsplit('.').second);
    if (collects && operands.size() == 1 && operands[0].kind == Val::Kind::Iterator)
        if (std::optional<std::vector<Val>> items =
                shouldUnroll(operands[0]) ? knownItems(operands[0]) : std::nullopt)
            operands[0] = e.tupleVal(std::move(*items));
    if (name == "builtins.next")
        return nextCall(operands);
    if ((name == "builtins.min" || name == "builtins.max") && !named.empty())
        if (FuncOp libraryFunc = libraryFunction(source, (name + " by").str()))
            return inlineLibraryCall(libraryFunc, callArguments(operands, named));
    if (name == "math.fsum" && operands.size() == 1 && named.empty()) {
        checkIterable(e, operands[0]);
        return inlineLibraryCall(libraryFunction(source, name), callArguments(operands, named));
    }
    const Function *function = findFunction(name);
    if (name == "builtins.sorted" && operands.size() == 1 && lengthOf(operands[0])) {
        FuncOp libraryFunc = libraryFunction(source, name);
        auto inLibrary = [&] {
            return callCaptured(libraryFunc, callArguments(operands, named), e.loc);
        };
        if (llvm::any_of(named, [](const auto &pair) { return pair.first == "key"; }))
            return inLibrary();
        return orElse([&] { return callFunction(e, *function, operands, named); }, inLibrary);
    }
    if (collects && operands.size() == 1 && !operands[0].isTuple() && lengthOf(operands[0]) &&
        named.empty())
        if (FuncOp libraryFunc = libraryFunction(source, name)) {
            Val result = orElse(
                [&] { return callFunction(e, *function, operands, named); },
                [&] { return callCaptured(libraryFunc, callArguments(operands, named), e.loc); });
            if (result.isDynamicList() && name != "builtins.sorted") // as long as its operand
                if (std::optional<DimAttr> length = lengthOf(operands[0]))
                    e.facts.addEqual(result.items[0].dim, *length);
            return result;
        }
    if (function)
        return callOperation(*function, operands, named);
    if (name.starts_with("math."))
        return mathCall(name.drop_front(5), operands, named);
    StringRef numpyName = name;
    if (numpyName.consume_front("numpy.")) {
        if (std::optional<DType> dtype = dtypeFromName(numpyName); dtype && operands.size() <= 1)
            return makeNumber(e, *dtype, operands.empty() ? nullptr : &operands[0]);
        if (findUfunc(numpyName))
            return orElse([&] { return callUfunc(e, numpyName, operands, named); },
                          [&] { return callOut(name, operands, named); });
        auto [ufunc, method] = numpyName.split('.'); // np.add.reduce: ufunc.reduce(np.add, ...)
        FuncOp libraryFunc;
        if (!method.empty() && findUfunc(ufunc))
            libraryFunc = libraryFunction(source, ("numpy.ufunc." + method).str());
        if (libraryFunc) {
            SmallVector<Val> all{e.staticVal("func", ("numpy." + ufunc).str())};
            llvm::append_range(all, operands);
            const CallArguments<Val> call = callArguments(all, named);
            return orElse([&] { return callCaptured(libraryFunc, call, e.loc); },
                          [&] { return callOut(name, operands, named); });
        }
    }
    return callLibraryOrPython(name, operands, named);
}

static bool holdsDynamicList(const Val &v) {
    return v.isDynamicList() || (v.isTuple() && llvm::any_of(v.items.read(), holdsDynamicList));
}

// NumPy converts lists to arrays. A short one after the first operand may be axes or a shape.
void Infer::listsToArrays(MutableArrayRef<Val> operands) {
    constexpr int64_t maxAxes = 16;
    auto isShort = [&](const Val &v) {
        const std::optional<int64_t> seen = e.sizeHint(v.items[0].dim);
        return seen && *seen <= maxAxes;
    };
    for (Val &operand : operands) {
        if (operand.isDynamicList() && &operand != operands.begin() && isShort(operand))
            operand = e.tupleVal(itemsIn(e, operand, "a tuple"));
        else if (operand.isDynamicList())
            operand = arrayOfDynamicList(e, operand);
        else if (operand.isTuple() && llvm::any_of(operand.items.read(), holdsDynamicList))
            listsToArrays(operand.items.mutate());
    }
}

void Infer::visitUfunc(UfuncOp op) {
    SmallVector<Val> operands = vals(op.getOperands_());
    listsToArrays(operands);
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    const std::string name = ("numpy." + op.getName()).str();
    Val result = orElse([&] { return callUfunc(e, op.getName(), operands, named); },
                        [&] { return callOut(name, operands, named); });
    env[op.getResult()] = std::move(result);
}

//===-- Functions as values

// One value per parameter, or the message of Python's TypeError.
std::optional<std::string> Infer::bind(FuncOp callee, const CallArguments<Val> &call,
                                       SmallVectorImpl<Val> &bound) {
    auto constant = [&](Attribute attr) { return e.literal(attr); };
    auto tuple = [&](ArrayRef<Val> items) { return e.tupleVal(items.vec()); };
    auto dict = [&](ArrayRef<StringRef> names, ArrayRef<Val> items) {
        SmallVector<Attribute> keys;
        for (StringRef name : names)
            keys.push_back(PyAttr::get(e.ctx, "str", name));
        Val v = dictVal(e, keys, items.vec());
        allocateCells(e, v);
        return v;
    };
    return bindCall<Val>(callee, call, {constant, tuple, dict}, bound);
}

bool Infer::binds(FuncOp callee, const CallArguments<Val> &call) {
    SmallVector<Val> bound;
    return !bind(callee, call, bound);
}

Val Infer::callCaptured(FuncOp callee, const CallArguments<Val> &call, Location location) {
    SmallVector<Val> bound;
    if (auto error = bind(callee, call, bound))
        e.fail("TypeError", *error);
    if (isRecursive(callee) || llvm::is_contained(callStack, callee)) // the latter: as a value
        return recursiveCall(callee, bound, location);
    return callee.getNoinline() ? outlineCall(callee, bound, location)
                                : inlineCall(callee, bound, location);
}

// A long function is outlined: emitted once for all calls with these types, where it can be a
// function of its own; else inlined.
Val Infer::outlineCall(FuncOp callee, ArrayRef<Val> arguments, Location location) {
    if (recursions.alwaysInlined.contains(callee))
        return inlineCall(callee, arguments, location);
    return orElse([&] { return recursiveCall(callee, arguments, location); },
                  [&] {
                      recursions.alwaysInlined.insert(callee);
                      return inlineCall(callee, arguments, location);
                  });
}

// The callee's body, inlined here for these arguments.
Val Infer::inlineCall(FuncOp callee, ArrayRef<Val> arguments, Location location) {
    Region &body = *expansions.emplace_back(std::make_unique<Region>());
    IRMapping mapping;
    callee.getBody().cloneInto(&body, mapping);
    const bool hidden = callee.getLibrary(); // tracebacks do not show its lines
    body.walk([&](Operation *op) {
        op->setLoc(hidden ? location : CallSiteLoc::get(op->getLoc(), location));
    });
    for (auto [parameter, v] : llvm::zip_equal(body.getArguments(), arguments))
        env[parameter] = v;
    callStack.push_back(callee);
    llvm::scope_exit leave([&] { callStack.pop_back(); }); // also on errors
    walk(body.front());
    e.loc = location;
    return returned(cast<ReturnOp>(body.front().back()));
}

void Infer::visitMethod(MethodOp op) {
    const Val &base = val(op.getBase());
    StringRef name = op.getName();
    const Function *function =
        base.isTyped() && !isPyScalar(base.type()) ? findMethod(name) : nullptr;
    if (!function && base.isScalar())
        function = findFunction(("number." + name).str());
    if (base.isStatic("dtype") && name == "type") { // x.dtype.type(0.5)
        Val made =
            callNamed(("numpy." + dtypeName(dtypeOf(e, base))).str(), vals(op.getArgs()), {});
        env[op.getResult()] = std::move(made);
        return;
    }
    if (base.isStatic("func")) { // f.reduce(x), f being np.add
        SmallVector<Val> operands = vals(op.getArgs());
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
        Val made = callNamed((base.staticText() + "." + name).str(), operands, named);
        env[op.getResult()] = std::move(made);
        return;
    }
    if (name == "__setattr__") {
        Val made = setAttribute(op);
        env[op.getResult()] = std::move(made);
        return;
    }
    if (name == "__delitem__") {
        deleteItem(e, base, vals(op.getArgs()));
        env[op.getResult()] = e.noneVal();
        return;
    }
    if (base.isText() || base.isTuple() || base.isDict() || base.isDynamicList()) {
        checkHasAttribute(e, base, name);
        SmallVector<Val> operands = vals(op.getArgs());
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
        std::optional<Val> record = recordMethod(e, base, name, named);
        if (!record && base.isText())
            record = foldTextMethod(base, name, operands, named);
        Val made = record           ? *record
                   : base.list      ? callList(base, name, operands, named)
                   : base.isTuple() ? tupleMethod(e, base, name, operands)
                   : base.isDict()  ? dictMethod(e, base, name, operands, named)
                                    : textMethod(e, base, name, operands, named);
        env[op.getResult()] = std::move(made);
        return;
    }
    if (base.isNone())
        e.fail("AttributeError", "'NoneType' object has no attribute '" + name + "'");
    if (!function || base.isScalar())
        checkHasAttribute(e, base, name);
    if (!function && !base.isArray())
        e.unsupported("the method '" + name + "' of " + describe(e, base) + " is not compiled yet");
    SmallVector<Val> operands = vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    if (base.weakFlag)
        e.unsupported("a method of " + describe(e, base) + "; convert it to one of both first");
    operands.insert(operands.begin(), base);
    const std::string called = ("method:" + name).str();
    Val made = !function ? callLibraryOrPython(called, operands, named)
               : base.isArray()
                   ? orElse([&] { return callOperation(*function, operands, named); },
                            [&] { return callLibraryOrPython(called, operands, named); })
                   : callFunction(e, *function, operands, named);
    env[op.getResult()] = std::move(made);
}
