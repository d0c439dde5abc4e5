#include "passes/infer/heaps.h"

#include "ops/builder/checks.h"
#include "ops/builder/containers.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/heap.h"
#include "ops/builder/operators.h"
#include "passes/frontend/library.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/iterables.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// A call of "builtins.<form>.<name>" of the library; none where there is none.
static std::optional<Val> inLibrary(Inference &in, const Val &container, StringRef name,
                                    SmallVector<Val> given,
                                    ArrayRef<std::pair<StringRef, Val>> named) {
    const std::string full =
        ("builtins." + cast<StringAttr>(container.attr).getValue() + "." + name).str();
    FuncOp function = libraryFunction(in.source, full);
    if (!function)
        return std::nullopt;
    given.insert(given.begin(), container);
    // Of lists in lists: no recursion, since each call is of containers that are nested less
    // deeply.
    llvm::SmallVector<FuncOp> none;
    const llvm::SaveAndRestore outer(in.callStack, none);
    return callCaptured(in, function, callArguments(given, named), in.e.loc);
}

Val shapecast::callHeap(Inference &in, const Val &container, StringRef name, SmallVector<Val> given,
                        ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    checkHasAttribute(e, container, name);
    if (named.empty())
        if (std::optional<Val> done = heapMethod(e, container, name, given))
            return *done;
    for (StringRef suffix : {" in memory", ""})
        if (std::optional<Val> done = inLibrary(in, container, (name + suffix).str(), given, named))
            return *done;
    e.unsupported("the method '" + name + "' of a " + container.describe() +
                  " whose length is known only at run time is not compiled yet, or not with these "
                  "arguments");
}

// item in container, or in a view of one; none for other containers.
static std::optional<Val> containsInHeap(Inference &in, StringRef op, const Val &container,
                                         const Val &item) {
    TypedBuilder &e = in.e;
    if (!isHeap(container) && !isHeapView(container))
        return std::nullopt;
    const Val &heap = isHeap(container) ? container : container.items[0];
    const StringRef kind = isHeap(container) ? "keys" : kindOf(container);
    Val found = isHeap(heap, "list") ? *inLibrary(in, heap, "__contains__", {item}, {})
                : kind == "keys"     ? heapContains(e, heap, item)
                : kind == "values"   ? *inLibrary(in, heap, "has_value", {item}, {})
                                     : *inLibrary(in, heap, "has_item", {item}, {});
    return op == "in" ? found : unary(e, "not", found);
}

Val shapecast::textOfContainer(Inference &in, const Val &container) {
    if (!isHeapObject(container))
        return *inLibrary(in, container, "__repr__", {}, {});
    in.e.unsupported("the text of a " + container.className() +
                     " without __repr__ is its address; give the class a __repr__");
}

static StringRef methodOfOperator(StringRef op) {
    return llvm::StringSwitch<StringRef>(op)
        .Case("or", "__or__")
        .Case("and", "__and__")
        .Case("sub", "__sub__")
        .Case("xor", "__xor__")
        .Case("add", "__add__")
        .Case("mul", "__mul__")
        .Case("le", "__le__")
        .Case("lt", "__lt__")
        .Case("ge", "__ge__")
        .Case("gt", "__gt__")
        .Case("eq", "__eq__")
        .Case("ne", "__ne__")
        .Default("");
}

// TypeError for operands that Python's containers have no such operator for.
static void checkOperands(TypedBuilder &e, StringRef op, const Val &a, const Val &b) {
    auto isKnown = [](const Val &v) {
        return (isHeap(v) && !isHeapObject(v)) || v.isNone() || v.isText() ||
               (v.isTuple() && !v.attr) || v.isDynamicList() || v.isDict() ||
               (v.isScalar() && !v.weakFlag && isPyScalar(v.type()));
    };
    auto isList = [](const Val &v) { return isHeap(v) ? isHeap(v, "list") : v.list; };
    const bool isSequence = isList(a) || isList(b),
               isOfSets = llvm::is_contained({"and", "or", "xor", "sub"}, op);
    if (!isKnown(a) || !isKnown(b) || (isSequence && op == "mul") || (isOfSets && !isSequence))
        return;
    if (llvm::is_contained({"lt", "le", "gt", "ge"}, op))
        e.fail("TypeError", orderError(op, a, b));
    if (op == "add" && isList(a)) {
        if (!isList(b))
            e.fail("TypeError",
                   "can only concatenate list (not \"" + b.className() + "\") to list");
        return;
    }
    if (isOfSets ||
        llvm::is_contained({"add", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift"},
                           op))
        e.fail("TypeError", operandError(op, a.className(), b.className(), e.inPlace));
}

std::optional<Val> shapecast::heapOperator(Inference &in, StringRef op, ArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    if (operands.size() == 2 && (op == "in" || op == "not_in"))
        return containsInHeap(in, op, operands[1], operands[0]);
    const bool isOfSets = llvm::is_contained({"or", "and", "sub", "xor"}, op);
    if (isOfSets && operands.size() == 2 && llvm::any_of(operands, isHeapView)) {
        SmallVector<Val> sets; // d.keys() & e.keys()
        for (const Val &operand : operands)
            sets.push_back(isHeap(operand, "set") ? operand
                                                  : in.callNamed("builtins.set", {operand}, {}));
        return heapOperator(in, op, sets);
    }
    if (operands.size() != 2 || (!isHeap(operands[0]) && !isHeap(operands[1])))
        return std::nullopt;
    if (op == "is" || op == "is_not") {
        if (!isHeap(operands[0]) || !isHeap(operands[1]))
            return e.boolVal(op == "is_not");
        e.unsupported("'is' of containers whose length is known only at run time is not supported");
    }
    if (op == "mod" && operands[0].isText()) { // "%s" % list, but not "%(name)s" % dict
        const bool isNamed = isHeap(operands[1], "dict") && operands[0].isStatic("str") &&
                             operands[0].staticText().contains("%(");
        if (!isNamed)
            return binary(e, op, operands[0], e.tupleVal({operands[1]}));
    }
    const bool isListBefore = operands[0].list && !isHeap(operands[0]);
    if (op == "add" && isListBefore && isHeap(operands[1], "list")) { // [x] + items
        const Val first = heapLike(e, operands[1]);
        callHeap(in, first, "extend", {operands[0]}, {});
        return heapOperator(in, op, {first, operands[1]});
    }
    if (const StringRef reflected = llvm::StringSwitch<StringRef>(op)
                                        .Case("lt", "gt")
                                        .Case("le", "ge")
                                        .Case("gt", "lt")
                                        .Case("ge", "le")
                                        .Default("");
        isListBefore && !reflected.empty())
        return heapOperator(in, reflected, {operands[1], operands[0]});
    const StringRef method = methodOfOperator(op);
    const bool swapped = !isHeap(operands[0]);
    std::optional<Val> done;
    if (!method.empty())
        done = inLibrary(in, operands[swapped], method, {operands[!swapped]}, {});
    if (done)
        return done;
    checkOperands(e, op, operands[0], operands[1]);
    e.unsupported("the operator '" + op + "' of " + operands[0].describe() + " and " +
                  operands[1].describe() +
                  ", of a length known only at run time, is not supported");
}

Val shapecast::heapInplace(Inference &in, StringRef op, const Val &target, const Val &value) {
    const StringRef method = llvm::StringSwitch<StringRef>(op)
                                 .Case("add", isHeap(target, "list") ? "extend" : "")
                                 .Case("mul", isHeap(target, "list") ? "__imul__" : "")
                                 .Case("or", isHeap(target, "list") ? "" : "update")
                                 .Case("and", "intersection_update")
                                 .Case("sub", "difference_update")
                                 .Case("xor", "symmetric_difference_update")
                                 .Default("");
    const bool isNoSet =
        value.isTuple() || value.isDynamicList() || isHeap(value, "list") || isHeap(value, "dict");
    if (isHeap(target, "set") && isNoSet && llvm::is_contained({"or", "and", "sub", "xor"}, op))
        in.e.fail("TypeError", operandError(op, target.className(), value.className(), true));
    if (!method.empty() && heapMethod(in.e, target, method, value))
        return target;
    if (!method.empty() && inLibrary(in, target, method, {value}, {}))
        return target;
    in.e.unsupported("the operator '" + op + "=' of a " + target.describe() + " and " +
                     value.describe() + " is not supported");
}

Val shapecast::heapSlice(Inference &in, const Val &list, const Val &slice) {
    return *inLibrary(in, list, "slice", {slice.items[0], slice.items[1], slice.items[2]}, {});
}

bool shapecast::isHeapOfArrays(const Val &v) {
    return isHeap(v, "list") && heapValueSlot(v).kind == Slot::Kind::Typed &&
           isa<ArrayType>(heapValueSlot(v).type);
}

static void requireItems(TypedBuilder &e, const Val &list) {
    e.require("ge", {heapLength(e, list).dim, e.dimConst(1)}, "shapecast.UnsupportedError",
              "an array of this list has another dtype or shape when it is empty; check its "
              "length first");
}

Val shapecast::stackedHeap(Inference &in, const Val &list, bool mayBeEmpty) {
    TypedBuilder &e = in.e;
    if (mayBeEmpty)
        requireItems(e, list);
    return *inLibrary(in, list, "stacked", {}, {});
}

bool shapecast::isHeapOfLists(const Val &v) {
    if (!isHeap(v, "list") || heapValueSlot(v).valKind != Val::Kind::Heap)
        return false;
    return cast<StringAttr>(heapValueSlot(v).attr).getValue() == "list";
}

Val shapecast::arrayOfRows(Inference &in, const Val &list) {
    requireItems(in.e, list);
    return *inLibrary(in, list, "as_array", {}, {});
}

Val shapecast::joinedHeap(Inference &in, const Val &list, const Val &axis) {
    return *inLibrary(in, list, "joined", {axis}, {});
}

static bool holdsHandles(const Slot &slot) {
    return slot.valKind == Val::Kind::Heap || llvm::any_of(slot.items, holdsHandles);
}

std::optional<Val> shapecast::callOnObjects(Inference &in, StringRef name, ArrayRef<Val> operands) {
    if ((name != "builtins.max" && name != "builtins.min") || operands.size() != 1 ||
        !isHeap(operands[0], "list") || !holdsHandles(heapValueSlot(operands[0])))
        return std::nullopt;
    FuncOp function = libraryFunction(in.source, (name + " in memory").str());
    return callCaptured(in, function, callArguments(operands, {}), in.e.loc);
}

std::optional<Val> shapecast::makeHeap(Inference &in, StringRef name, ArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    if (name != "builtins.set" || operands.size() > 1)
        return std::nullopt;
    Val made = emptyHeapSet(e);
    if (operands.size() == 1) {
        checkIterable(e, operands[0]);
        if (std::optional<std::vector<Val>> items = unrolledItems(in, operands[0])) {
            exhaust(in, operands[0]);
            for (const Val &item : *items)
                heapMethod(e, made, "add", item);
        } else {
            callHeap(in, made, "update", {operands[0]}, {});
        }
    }
    return made;
}

std::optional<Val> shapecast::heapDict(Inference &in, ArrayRef<Val> elements,
                                       DenseI64ArrayAttr starred) {
    TypedBuilder &e = in.e;
    auto isStarred = [&](size_t i) {
        return starred && llvm::is_contained(starred.asArrayRef(), int64_t(i));
    };
    auto isLong = [&](const Val &v) {
        return isHeap(v) || v.isDynamicList() || isHeapView(v) ||
               (v.kind == Val::Kind::Iterator && !shouldUnroll(in, v));
    };
    auto hasOtherKeys = [](const Val &pairs) { // of a comprehension
        return pairs.isTuple() && llvm::any_of(pairs.items.read(), [](const Val &pair) {
                   return pair.isTuple() && pair.items.size() == 2 && !isConstantKey(pair.items[0]);
               });
    };
    bool wishes = starred && llvm::any_of(elements, isLong);
    for (size_t i = 0; i < elements.size(); i += isStarred(i) ? 1 : 2)
        wishes |= isStarred(i) ? hasOtherKeys(elements[i]) : !isConstantKey(elements[i]);
    if (wishes)
        e.heapWishes.push_back(e.heapSites->make(e.heapSites->placed(e.loc), "dict"));
    if (!e.heapSites->find(e.heapSites->placed(e.loc), "dict"))
        return std::nullopt;
    Val made = *heapAtSite(e, dictVal(e, {}, {}));
    for (size_t i = 0; i < elements.size(); ++i) {
        if (isStarred(i)) {
            callHeap(in, made, "update", {elements[i]}, {});
        } else {
            setHeapItem(e, made, elements[i], elements[i + 1]);
            ++i;
        }
    }
    return made;
}
