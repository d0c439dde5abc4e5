// What a name that is called means: the table of resolutions.
#include "ops/builder/checks.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/elements.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/function.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/text.h"
#include "ops/numpy/call_ufunc.h"
#include "ops/ufunc/ufunc.h"
#include "passes/frontend/inline.h"
#include "passes/frontend/library.h"
#include "passes/infer/branches.h"
#include "passes/infer/callouts.h"
#include "passes/infer/calls.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/enum_members.h"
#include "passes/infer/exceptions.h"
#include "passes/infer/generators.h"
#include "passes/infer/heaps.h"
#include "passes/infer/iterables.h"
#include "passes/infer/python_objects.h"
#include "passes/infer/recursion.h"
#include "passes/infer/sums.h"
#include "passes/infer/texts.h"
#include "passes/infer/ufuncs.h"

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
    if (name == "trunc" && e.operandOf(operands[0]).weak == PyKind::Strong &&
        e.operandOf(operands[0]).dtype != DType::F64)
        e.fail("TypeError", "type numpy." + dtypeName(e.operandOf(operands[0]).dtype) +
                                " doesn't define __trunc__ method");
    if (result == PyKind::Int && !integer && operands.size() == 1 && operands[0].isPyInt())
        return operands[0];
    return pyop(e, ("math." + name).str(), given, pyType(e.ctx, result));
}

// A string that is iterated over is a tuple of its characters, where they are constants and few,
// else in memory.
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
    const bool isCopy = name == "list" || name == "tuple" || name == "iter";
    const auto most = isCopy ? size_t(maxUnrollTripCount) : fewCharacters;
    for (Val &operand : operands)
        if (std::optional<std::vector<Val>> characters = charactersOf(e, operand);
            characters && characters->size() <= most)
            operand = e.tupleVal(std::move(*characters));
        else if (operand.isText())
            operand = heapText(e, operand);
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
// A call by name, whose operands a resolution may replace by what they are converted to.
namespace {
struct NamedCall {
    StringRef name;
    SmallVector<Val> operands;
    ArrayRef<std::pair<StringRef, Val>> named;

    bool is(std::initializer_list<StringRef> names) const {
        return llvm::is_contained(names, name);
    }
    CallArguments<Val> arguments() const { return callArguments(operands, named); }
    // tuple(x), max(x): all that it does is iterate over its only argument.
    bool collects() const {
        return operands.size() == 1 &&
               llvm::is_contained({"tuple", "list", "sorted", "any", "all", "min", "max"},
                                  name.rsplit('.').second);
    }
};
} // namespace

// What capture puts in the place of statements.
static std::optional<Val> ofCapture(Inference &in, NamedCall &call) {
    TypedBuilder &e = in.e;
    StringRef number = call.name;
    if (number == "shapecast.text")
        return textOfHandle(call.operands[0]);
    if (number.consume_front("shapecast.container:"))
        return containerParameter(in, size_t(std::stoul(number.str())), call.operands[0]);
    if (call.is({"shapecast.rest"})) { // the arm continues with the code after the branch
        in.recursions.conditionalDepth = in.recursions.continuationDepth;
        return e.noneVal();
    }
    if (call.is({"shapecast.refuse"})) { // unsupported statement in a branch
        in.recursions.unsupportedLocations.insert(e.loc);
        e.unsupported(call.operands[0].staticText());
    }
    if (call.is({"shapecast.library.primitives.item_of_exception"}))
        return itemOfException(in, call.operands);
    if (call.is({"shapecast.caught"})) // the exception of that number
        return caughtException(e, call.operands[0], call.operands[1]);
    return std::nullopt;
}

// With objects of Python's among the operands.
static std::optional<Val> onPythonObjects(Inference &in, NamedCall &call) {
    const bool isFormatted = call.is({"builtins.str.join"}); // an f-string: its parts are strings
    if (!needPython(call.operands, call.named) || !canCallOut() || isFormatted ||
        call.name.starts_with("shapecast.library."))
        return std::nullopt;
    return callOut(in, call.name, call.operands, call.named);
}

static std::optional<Val> ofLoopPrimitive(Inference &in, NamedCall &call) {
    if (!call.name.starts_with("shapecast.library.primitives.loop_"))
        return std::nullopt;
    return callLoopPrimitive(in, call.name, call.operands);
}

// Of a list of arrays in memory, which may be of different sizes.
static std::optional<Val> joiningHeap(Inference &in, NamedCall &call) {
    if (call.operands.empty() || !isHeapOfArrays(call.operands[0]) || call.operands.size() > 2)
        return std::nullopt;
    const int64_t rank = cast<ArrayType>(heapValueSlot(call.operands[0]).type).getRank();
    int64_t axis = 0;
    if (call.is({"numpy.hstack"}) && call.named.empty())
        axis = rank > 1;
    else if (!call.is({"numpy.concatenate", "numpy.concat"}) &&
             !(call.is({"numpy.vstack"}) && rank > 1))
        return std::nullopt;
    Val given = call.operands.size() > 1 ? call.operands[1] : in.e.intVal(axis);
    for (const auto &[name, value] : call.named) {
        if (name != "axis")
            return std::nullopt;
        given = value;
    }
    return given.isNone() ? std::nullopt : std::optional(joinedHeap(in, call.operands[0], given));
}

// Conversions of operands that all later resolutions see.
static std::optional<Val> withConvertedOperands(Inference &in, NamedCall &call) {
    if (std::optional<Val> joined = joiningHeap(in, call))
        return joined;
    const bool isFormat = call.is({"builtins.format"});
    if ((isFormat || call.is({"builtins.str", "builtins.repr"})) && !call.operands.empty() &&
        isHeap(call.operands[0])) {
        if (isFormat && call.operands.size() > 1 &&
            !(call.operands[1].isStatic("str") && call.operands[1].staticText().empty()))
            in.e.fail("TypeError", "unsupported format string passed to " +
                                       call.operands[0].className() + ".__format__");
        return textOfContainer(in, call.operands[0]);
    }
    // np.expand_dims tells axes in a list from axes in an array.
    if (call.name.starts_with("numpy.") || call.is({"math.fsum", "math.prod", "builtins.sum"}))
        for (Val &operand : call.operands) { // as a list whose items are in columns
            if (isHeapOfArrays(operand))
                operand = stackedHeap(in, operand, /*mayBeEmpty=*/!call.name.ends_with("stack"));
            else if (isHeapOfLists(operand) && call.name.starts_with("numpy."))
                operand = arrayOfRows(in, operand);
            else if ((isHeap(operand) && !isHeapObject(operand)) || isHeapView(operand))
                operand = in.callNamed("builtins.list", {operand}, {});
        }
    if (call.is({"numpy.expand_dims"}))
        listsToArrays(in, MutableArrayRef<Val>(call.operands).take_front(1));
    else if (call.name.starts_with("numpy."))
        listsToArrays(in, call.operands);
    if (call.collects() && call.operands[0].kind == Val::Kind::Iterator &&
        !call.is({"builtins.sum", "math.prod"}))
        if (std::optional<std::vector<Val>> items = shouldUnroll(in, call.operands[0])
                                                        ? knownItems(in, call.operands[0])
                                                        : std::nullopt)
            call.operands[0] = in.e.tupleVal(std::move(*items));
    return std::nullopt;
}

static std::optional<Val> onGenerators(Inference &in, NamedCall &call) {
    return callOnGenerators(in, call.name, call.operands, call.named);
}

// Of Python's functions over iterables.
static std::optional<Val> overIterable(Inference &in, NamedCall &call) {
    if (call.named.empty())
        if (std::optional<Val> made = makeHeap(in, call.name, call.operands))
            return made;
    if (call.named.empty())
        if (std::optional<Val> result = callOnObjects(in, call.name, call.operands))
            return result;
    if (call.is({"builtins.sum", "math.prod"}))
        return sumCall(in, call.name == "builtins.sum", call.operands, call.named);
    if (call.is({"builtins.next"}))
        return !call.operands.empty() && isGenerator(call.operands[0])
                   ? firstOfGenerator(in, call.operands)
                   : nextCall(in, call.operands);
    if (call.is({"builtins.min", "builtins.max"}) && !call.named.empty())
        if (FuncOp inLibrary = libraryFunction(in.source, (call.name + " by").str()))
            return inlineLibraryCall(in, inLibrary, call.arguments());
    if (call.is({"math.fsum"}) && call.operands.size() == 1 && call.named.empty()) {
        checkIterable(in.e, call.operands[0]);
        return inlineLibraryCall(in, libraryFunction(in.source, call.name), call.arguments());
    }
    return std::nullopt;
}

// Of an iterable of many items: by the library's function, where the table's is not supported.
static std::optional<Val> collecting(Inference &in, NamedCall &call) {
    TypedBuilder &e = in.e;
    const bool isSorted = call.is({"builtins.sorted"});
    if (!call.collects() || (!isSorted && (call.operands[0].isTuple() || !call.named.empty())))
        return std::nullopt;
    const std::optional<DimAttr> length = lengthOf(in, call.operands[0]);
    FuncOp inLibrary = length ? libraryFunction(in.source, call.name) : FuncOp();
    if (!inLibrary)
        return std::nullopt;
    auto callLibrary = [&] { return callCaptured(in, inLibrary, call.arguments(), e.loc); };
    const bool hasKey =
        llvm::any_of(call.named, [](const auto &pair) { return pair.first == "key"; });
    if (isSorted && !hasKey && isHeapView(call.operands[0]) &&
        isIterator(call.operands[0], "items"))
        inLibrary = libraryFunction(in.source, "shapecast.sorted items of a dict");
    if (hasKey || (isSorted && isHeapView(call.operands[0])))
        return callLibrary();
    const Function *function = findFunction(call.name);
    Val result = orElse(
        in, [&] { return callFunction(e, *function, call.operands, call.named); }, callLibrary);
    if (result.isDynamicList() && !isSorted) // as long as its operand
        if (std::optional<DimAttr> now = lengthOf(in, call.operands[0]))
            e.facts.addEqual(result.items[0].dim, *now);
    return result;
}

static std::optional<Val> isLengthKnown(Inference &in, NamedCall &call) {
    if (!call.is({"shapecast.library.primitives.is_length_known"}))
        return std::nullopt;
    const Val &items = call.operands[0];
    return in.e.boolVal(items.isTuple() || items.isDict() || items.isStatic("str") ||
                        shouldUnroll(in, items));
}

static std::optional<Val> itemLength(Inference &in, NamedCall &call) {
    if (!call.is({"shapecast.library.primitives.item_length"}))
        return std::nullopt;
    const Val &list = call.operands[0];
    const Slot *item = isHeap(list, "list")   ? &heapValueSlot(list)
                       : list.isDynamicList() ? &*list.element
                                              : nullptr;
    const bool isTuple = item && item->kind == Slot::Kind::Tuple && !item->list && !item->attr &&
                         item->valKind == Val::Kind::Tuple;
    return in.e.intVal(isTuple ? int64_t(item->items.size()) : -1);
}

static std::optional<Val> ofText(Inference &in, NamedCall &call) {
    return numberOfText(in, call.name, call.operands, call.named);
}

static std::optional<Val> ofTable(Inference &in, NamedCall &call) {
    const Function *function = findFunction(call.name);
    if (!function)
        return std::nullopt;
    return callOperation(in, *function, call.operands, call.named);
}

static std::optional<Val> ofMath(Inference &in, NamedCall &call) {
    if (!call.name.starts_with("math."))
        return std::nullopt;
    return mathCall(in, call.name.drop_front(5), call.operands, call.named);
}

// numpy.float32(x)
static std::optional<Val> ofScalarType(Inference &in, NamedCall &call) {
    StringRef name = call.name;
    if (!name.consume_front("numpy.") || call.operands.size() > 1)
        return std::nullopt;
    const std::optional<DType> dtype = dtypeFromName(name);
    if (!dtype)
        return std::nullopt;
    return makeNumber(in.e, *dtype, call.operands.empty() ? nullptr : &call.operands[0]);
}

// numpy.add(x, y), and numpy.add.reduce(x): ufunc.reduce(numpy.add, x) of the library.
static std::optional<Val> ofUfunc(Inference &in, NamedCall &call) {
    TypedBuilder &e = in.e;
    StringRef name = call.name;
    if (!name.consume_front("numpy."))
        return std::nullopt;
    auto callPython = [&] { return callOut(in, call.name, call.operands, call.named); };
    if (findUfunc(name))
        return orElse(
            in, [&] { return callUfunc(e, name, call.operands, call.named); }, callPython);
    const auto [ufunc, method] = name.split('.');
    FuncOp inLibrary;
    if (!method.empty() && findUfunc(ufunc))
        inLibrary = libraryFunction(in.source, ("numpy.ufunc." + method).str());
    if (!inLibrary)
        return std::nullopt;
    SmallVector<Val> all{e.staticVal("func", ("numpy." + ufunc).str())};
    llvm::append_range(all, call.operands);
    const CallArguments<Val> arguments = callArguments(all, call.named);
    return orElse(in, [&] { return callCaptured(in, inLibrary, arguments, e.loc); }, callPython);
}

static std::optional<Val> ofLibraryOrPython(Inference &in, NamedCall &call) {
    return callLibraryOrPython(in, call.name, call.operands, call.named);
}

// The first of these that gives a value is what the name means.
static constexpr std::optional<Val> (*resolutions[])(Inference &, NamedCall &) = {
    ofCapture,    onGenerators, onPythonObjects, ofLoopPrimitive, withConvertedOperands,
    overIterable, collecting,   isLengthKnown,   itemLength,      ofText,
    ofTable,      ofMath,       ofScalarType,    ofUfunc,         ofLibraryOrPython,
};

Val Inference::callNamed(StringRef name, SmallVector<Val> operands,
                         ArrayRef<std::pair<StringRef, Val>> named) {
    membersToValues(e, name, operands);
    stringsToTuples(e, name, operands);
    if (name != "builtins.next") // a view is no iterator
        for (Val &operand : operands)
            operand = withoutView(e, operand);
    if (!named.empty())
        checkArity(e, name, operands.size(), named);
    if (name == "builtins.zip" && !named.empty() && named[0].second.constBool() == true)
        checkStrictZip(*this, operands);
    for (const auto &[keyword, value] : named)
        if (keyword == "axis" && isHeap(value))
            e.unsupported("axes in a list whose length is known only at run time are not "
                          "supported; pass a tuple of constants");
    NamedCall call{name, std::move(operands), named};
    for (auto resolve : resolutions)
        if (std::optional<Val> result = resolve(*this, call))
            return *result;
    llvm_unreachable("the last resolution takes any name");
}
