#include "passes/infer/objects.h"

#include "ops/builder/cells.h"
#include "ops/builder/checks.h"
#include "ops/builder/containers.h"
#include "ops/builder/conversions.h"
#include "ops/builder/dict_views.h"
#include "ops/builder/elementwise.h"
#include "ops/builder/enum_values.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/object_keys.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/tuple_objects.h"
#include "passes/frontend/library.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/class_members.h"
#include "passes/infer/dataclasses.h"
#include "passes/infer/functions.h"
#include "passes/infer/generators.h"
#include "passes/infer/instance_keys.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool isClassInstance(const Val &v) { return isHeapObject(v) || isPlainInstance(v); }

// The result of a special method, if the class has it.
static std::optional<Val> callSpecial(Inference &in, const Val &v, StringRef name,
                                      ArrayRef<Val> given = {}) {
    if (!isInstance(v))
        return std::nullopt;
    const bool isComparison =
        llvm::is_contained({"__eq__", "__lt__", "__le__", "__gt__", "__ge__"}, name);
    if (isComparison && v.isRecord() && !isPlainInstance(v) && !overloads(v, name))
        return std::nullopt; // as `dataclasses` makes it: of its fields
    const MethodAttr method = methodOf(in, v, name);
    if (!method)
        return std::nullopt;
    Val result = callMethod(in, method, v, given);
    if (in.unreachable) // it raises, or recurses and is assumed not to return
        throw Unreachable{};
    return result;
}

//===-- Attributes

static std::optional<Val> fieldOf(TypedBuilder &e, const Val &v, StringRef name) {
    if (isHeapObject(v))
        return hasHeapAttribute(e, v, name) ? std::optional(heapAttribute(e, v, name))
                                            : std::nullopt;
    const Val *field = recordField(v, name);
    return field ? std::optional(*field) : std::nullopt;
}

static void setField(TypedBuilder &e, const Val &v, StringRef name, const Val &value) {
    isHeapObject(v) ? setHeapAttribute(e, v, name, value) : changeField(e, v, name, value);
}

// The method as a value, with its instance.
static Val boundMethod(Inference &in, MethodAttr method, const Val &self) {
    TypedBuilder &e = in.e;
    Val v;
    v.kind = Val::Kind::Function;
    v.attr = method.getSymbol();
    std::vector<Val> captured;
    if (method.getForm() != "static")
        captured.push_back(method.getForm() == "class" ? e.noneVal() : self);
    v.items.assign({e.tupleVal(std::move(captured)), e.tupleVal({})});
    return v;
}

static Val memberVal(Inference &in, const Val &self, StringRef name, MethodAttr method) {
    TypedBuilder &e = in.e;
    const StringRef form = method.getForm();
    if (form == "method" || form == "static" || form == "class")
        return boundMethod(in, method, self);
    Val value = callMethod(in, method, self, {});
    if (form == "cached")
        setField(e, self, name, value);
    return value;
}

// What a class of enum members has, a member of its own attributes first.
static MethodAttr methodOfMember(Inference &in, const Val &member, StringRef name) {
    const MethodAttr ofClass = memberOfTable(in, classNumber(member), name);
    if (ofClass && ofClass.getForm() == "property")
        return ofClass;
    const MethodAttr own = memberOfTable(in, memberNumber(member), name);
    return own ? own : ofClass;
}

std::optional<Val> shapecast::readOfMember(Inference &in, const Val &member, StringRef name) {
    const MethodAttr found = methodOfMember(in, member, name);
    if (found && found.getForm() == "cached")
        in.e.unsupported("a cached_property of a member of an enum is not supported; make it a "
                         "property");
    return found ? std::optional(memberVal(in, member, name, found)) : std::nullopt;
}

std::optional<Val> shapecast::callOfMember(Inference &in, const Val &member, MethodOp op) {
    const MethodAttr found = methodOfMember(in, member, op.getName());
    if (!found)
        return std::nullopt;
    SmallVector<Val> operands = in.vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(in.e.loc, op.getKw(), operands);
    const StringRef form = found.getForm();
    if (form == "property" || form == "cached" || form == "value")
        return apply(in, *readOfMember(in, member, op.getName()), operands, named, op.getLoc());
    return callMethod(in, found, member, operands, named);
}

[[noreturn]] static void refuseAttribute(TypedBuilder &e, const Val &v, StringRef name) {
    if (isReplaced(v))
        e.unsupported("'" + name + "' of a " + v.className() +
                      " is not supported, or not with these arguments; write the loop");
    failWithoutAttribute(e, v, name);
}

static std::optional<Val> readAttribute(Inference &in, const Val &base, StringRef name) {
    if (!isInstance(base))
        return std::nullopt;
    const MethodAttr ofClass = methodOf(in, base, name);
    const bool isProperty = ofClass && ofClass.getForm() == "property"; // comes first
    if (ofClass && !isProperty && isHeapObject(base) && hasHeapAttribute(in.e, base, name))
        return in.e.branch(truth(in.e, isAttributeSet(in.e, base, name)), [&](bool is) {
            return is ? heapAttribute(in.e, base, name, true) : memberVal(in, base, name, ofClass);
        });
    if (std::optional<Val> field = fieldOf(in.e, base, name))
        return field;
    if (ofClass)
        return memberVal(in, base, name, ofClass);
    if (isClassInstance(base) && !name.starts_with("__"))
        refuseAttribute(in.e, base, name);
    return std::nullopt;
}

static void checkNotFrozen(TypedBuilder &e, const Val &v, StringRef attribute) {
    const bool isRecord = v.isRecord() && cast<PyAttr>(v.attr).getKind() == "frozen";
    if (isRecord || overloads(v, "frozen"))
        e.fail("dataclasses.FrozenInstanceError", "cannot assign to field '" + attribute + "'");
}

// The instance of a frozen dataclass as the record `text`, where its fields are what it has.
static Val frozen(TypedBuilder &e, const Val &made, StringRef text) {
    if (!made.isRecord())
        return made;
    Val v = e.tupleVal({});
    v.kind = Val::Kind::Record;
    v.attr = PyAttr::get(e.ctx, "frozen", text);
    for (StringRef name : fieldNames(v))
        if (const Val *value = recordField(made, name))
            v.items.push_back(*value);
    const size_t count = v.items.size();
    return count == fieldNames(v).size() && count == fieldNames(made).size() ? v : made;
}

static std::optional<Val> callMember(Inference &in, MethodOp op) {
    TypedBuilder &e = in.e;
    Val base = in.val(op.getBase());
    const StringRef name = op.getName();
    if (!isInstance(base))
        return std::nullopt;
    SmallVector<Val> operands = in.vals(op.getArgs());
    SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, op.getKw(), operands);
    if (name == "__freeze__")
        return frozen(e, base, operands[0].staticText());
    if (name == "object.__setattr__" && operands[0].isStatic("str")) {
        setField(e, base, operands[0].staticText(), operands[1]);
        return base;
    }
    if (name == "__setattr__") {
        const StringRef attribute = operands[0].staticText();
        checkNotFrozen(e, base, attribute);
        MethodAttr setter = methodOf(in, base, (attribute + "=").str());
        MethodAttr known = setter ? setter : methodOf(in, base, attribute);
        if (!setter && known && known.getForm() == "property")
            e.fail("AttributeError", "property '" + attribute + "' of '" + base.className() +
                                         "' object has no setter");
        if (setter)
            callMethod(in, setter, base, {operands[1]});
        else
            setField(e, base, attribute, operands[1]);
        return base;
    }
    if (std::optional<Val> field = fieldOf(e, base, name)) {
        auto call = [&](const Val &one) { return apply(in, one, operands, named, op.getLoc()); };
        return field->isUnion() ? unionSplit(e, *field, call) : call(*field);
    }
    if (MethodAttr method = methodOf(in, base, name)) {
        const StringRef form = method.getForm();
        if (form != "property" && form != "cached" && form != "value")
            return callMethod(in, method, base, operands, named);
        return apply(in, memberVal(in, base, name, method), operands, named, op.getLoc());
    }
    if (isClassInstance(base) && !name.starts_with("__"))
        refuseAttribute(e, base, name);
    return std::nullopt;
}

//===-- Operators

static bool isNotImplemented(const std::optional<Val> &v) {
    return v && v->isStatic("notimplemented");
}

static StringRef reflectedComparison(StringRef op) {
    return llvm::StringSwitch<StringRef>(op)
        .Case("lt", "gt")
        .Case("le", "ge")
        .Case("gt", "lt")
        .Case("ge", "le")
        .Cases({"eq", "ne"}, op)
        .Default("");
}

// Whether both classes have the method of one def: the derived one inherits it.
static bool isInherited(Inference &in, const Val &derived, const Val &base, StringRef name) {
    auto definition = [&](const Val &v) {
        MethodAttr method = isInstance(v) ? methodOf(in, v, name) : MethodAttr();
        return method ? functionNamed(in, method.getSymbol())->getLoc()
                      : UnknownLoc::get(in.source->getContext());
    };
    return definition(derived) == definition(base);
}

// a.__add__(b), else b.__radd__(a); none where neither class defines one that takes the other.
static std::optional<Val> callBinary(Inference &in, StringRef op, const Val &a, const Val &b) {
    const StringRef comparison = reflectedComparison(op);
    const std::string mine = ("__" + op + "__").str(),
                      theirs = comparison.empty() ? ("__r" + op + "__").str()
                                                  : ("__" + comparison + "__").str();
    if (a.isTuple() && a.attr && !comparison.empty() && !methodOf(in, a, mine))
        return std::nullopt; // tuple's own comes first
    auto isAnswer = [](const std::optional<Val> &v) { return v && !isNotImplemented(v); };
    // As CPython's slot_nb_add and do_richcompare: a subclass may know better, if it says more than
    // its base class; arithmetic within a class asks it once.
    const bool isSame = recordName(a) == recordName(b);
    const bool theirsFirst = !isSame && llvm::is_contained(recordClasses(b), recordName(a)) &&
                             (!comparison.empty() || !isInherited(in, b, a, theirs));
    std::optional<Val> result;
    if (theirsFirst)
        result = callSpecial(in, b, theirs, {a});
    if (!isAnswer(result))
        result = callSpecial(in, a, mine, {b});
    if (!isAnswer(result) && !theirsFirst && !(isSame && comparison.empty()))
        result = callSpecial(in, b, theirs, {a});
    return isAnswer(result) ? result : std::nullopt;
}

static bool mayBeInstance(const Val &v) {
    const bool isOpen = v.kind == Val::Kind::Optional || v.isUnion();
    return isInstance(v) || (isOpen && llvm::any_of(v.items.read(), mayBeInstance));
}

// `is`, and `==` of objects without __eq__.
static Val sameObject(Inference &in, const Val &a, const Val &b) {
    TypedBuilder &e = in.e;
    if (a.kind == Val::Kind::Optional || a.isUnion()) { // each of what it may be
        const bool isUnion = a.isUnion();
        Val same = sameObject(in, isUnion ? Val(a.items[0]) : e.noneVal(), b);
        for (size_t i = isUnion ? 1 : 0; i < a.items.size(); ++i) {
            const Val is = compare(e, "eq", e.sizeVal(a.dim), e.intVal(isUnion ? int64_t(i) : 1));
            same = e.branch(truth(e, is), [&](bool holds) {
                return holds ? sameObject(in, a.items[i], b) : same;
            });
        }
        return same;
    }
    if (b.kind == Val::Kind::Optional || b.isUnion())
        return sameObject(in, b, a);
    if (overloads(a, "flag") && overloads(b, "flag") && isInstance(a) && isInstance(b)) {
        const std::optional<Val> mine = fieldOf(e, a, "_value"), theirs = fieldOf(e, b, "_value");
        return recordName(a) != recordName(b) ? e.boolVal(false)
                                              : truth(e, compare(e, "eq", *mine, *theirs));
    }
    if (isHeapObject(a) && isHeapObject(b))
        return truth(e, isSameHeap(e, a, b));
    if (a.isNone() && b.isNone())
        return e.boolVal(true);
    if (!a.isRecord() || !b.isRecord())
        return e.boolVal(false);
    auto isKnown = [](const Val &v) { return v.cell && v.cell != unknownCell; };
    if (!isKnown(a) || !isKnown(b)) {
        wishHeap(e, a);
        wishHeap(e, b);
        for (unsigned site = 0; e.heapSites && site < e.heapSites->sites.size(); ++site)
            e.heapWishes.push_back(site); // in one of these it is
        e.unsupported("comparing " + a.describe() +
                      " that may be one of several objects is not supported; compare an attribute "
                      "that tells them apart");
    }
    return e.boolVal(a.cell == b.cell);
}

// Python's TypeError, where neither class takes the other; arrays may take anything.
static void failUnsupported(TypedBuilder &e, StringRef op, const Val &a, const Val &b,
                            bool inPlace = false) {
    auto isOther = [](const Val &v) {
        return isClassInstance(v) || v.isScalar() || v.isNone() || v.isStatic("str");
    };
    const bool isTotal = llvm::is_contained({"is", "is_not", "in", "not_in", "eq", "ne"}, op);
    if (isTotal || !isOther(a) || !isOther(b) || isReplaced(a) || isReplaced(b))
        return;
    e.fail("TypeError", reflectedComparison(op).empty()
                            ? operandError(op, a.className(), b.className(), inPlace)
                            : orderError(op, a, b));
}

static std::optional<Val> compareObjects(Inference &in, StringRef op, const Val &a, const Val &b) {
    TypedBuilder &e = in.e;
    if (op == "is" || op == "is_not") {
        if (!mayBeInstance(a) && !mayBeInstance(b))
            return std::nullopt;
        Val same = sameObject(in, a, b);
        return op == "is" ? same : unary(e, "not", same);
    }
    if (std::optional<Val> result = callBinary(in, op, a, b))
        return result;
    if (op == "ne")
        if (std::optional<Val> equal = callBinary(in, "eq", a, b))
            return unary(e, "not", *equal);
    if (op != "eq" && op != "ne")
        failUnsupported(e, op, a, b);
    if ((op != "eq" && op != "ne") || (!isClassInstance(a) && !isClassInstance(b)))
        return std::nullopt;
    Val same = sameObject(in, a, b);
    return op == "eq" ? same : unary(e, "not", same);
}

std::optional<Val> shapecast::instanceOperator(Inference &in, StringRef op, const Val &a,
                                               const Val &b) {
    if (!mayBeInstance(a) && !mayBeInstance(b))
        return std::nullopt;
    if (isTupleObject(in.e, a) && isPlainTuple(b)) // for which code is there already
        return instanceOperator(in, op, a, tupleObject(in.e, b));
    if (isPlainTuple(a) && isTupleObject(in.e, b))
        return instanceOperator(in, op, tupleObject(in.e, a), b);
    const bool compares = op == "is" || op == "is_not" || !reflectedComparison(op).empty();
    std::optional<Val> result = compares ? compareObjects(in, op, a, b) : callBinary(in, op, a, b);
    if (!result)
        failUnsupported(in.e, op, a, b);
    if (!result && (isPlainInstance(a) || isPlainInstance(b)))
        in.e.unsupported("the operator '" + op + "' of " + a.describe() + " and " + b.describe() +
                         " is not supported");
    return result;
}

static std::optional<Val> truthOf(Inference &in, const Val &v) {
    if (std::optional<Val> result = callSpecial(in, v, "__bool__"))
        return result;
    std::optional<Val> length = callSpecial(in, v, "__len__");
    return length ? std::optional(truth(in.e, *length)) : std::nullopt;
}

// key in container: by __contains__, or by what __iter__ gives.
static std::optional<Val> containsIn(Inference &in, StringRef op, const Val &key,
                                     const Val &container) {
    std::optional<Val> found = callSpecial(in, container, "__contains__", {key});
    if (!found && isInstance(container) && methodOf(in, container, "__iter__")) {
        Val items = iterableOf(in, container);
        const StringRef name = "builtins.in of a generator";
        if (isGenerator(items))
            found = callCaptured(in, libraryFunction(in.source, name),
                                 callArguments({items, key}, {}), in.e.loc);
    }
    if (!found)
        return std::nullopt;
    Val is = truth(in.e, *found);
    return op == "in" ? is : unary(in.e, "not", is);
}

static std::optional<Val> operate(Inference &in, PyOp op, ArrayRef<Val> operands) {
    const StringRef name = op.getOp();
    if (name == "append")
        return std::nullopt;
    if (operands.size() == 1) {
        if (name != "not")
            return callSpecial(in, operands[0], ("__" + name + "__").str());
        std::optional<Val> is = truthOf(in, operands[0]);
        return is ? std::optional(unary(in.e, "not", *is)) : std::nullopt;
    }
    if (name == "in" || name == "not_in")
        return containsIn(in, name, operands[0], operands[1]);
    if (name == "is" || name == "is_not" || !reflectedComparison(name).empty())
        return compareObjects(in, name, operands[0], operands[1]);
    std::optional<Val> result = callBinary(in, name, operands[0], operands[1]);
    if (!result)
        failUnsupported(in.e, name, operands[0], operands[1]);
    return result;
}

// next(v): __next__ gives whether there was an item, and the item (_steps.py).
static std::optional<Val> callNext(Inference &in, ArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    std::optional<Val> step = callSpecial(in, operands[0], "__next__");
    if (!step || !step->isTuple() || step->items.size() != 2)
        return step;
    const Val there = truth(e, step->items[0]);
    const Val item = step->items[1];
    auto given = [&] { return item.kind == Val::Kind::Optional ? Val(item.items[0]) : item; };
    if (operands.size() == 2)
        return e.branch(there, [&](bool holds) { return holds ? given() : operands[1]; });
    raiseIf(e, unary(e, "not", there), "StopIteration", "");
    return given();
}

// max(a, b): the first one that no other is greater than.
static std::optional<Val> extreme(Inference &in, StringRef name, ArrayRef<Val> operands) {
    if (operands.size() < 2 || (name != "max" && name != "min"))
        return std::nullopt;
    Val best = operands[0];
    for (const Val &v : operands.drop_front()) {
        std::optional<Val> is = callBinary(in, name == "max" ? "gt" : "lt", v, best);
        if (!is)
            return std::nullopt;
        best = in.e.branch(truth(in.e, *is), [&](bool holds) { return holds ? v : best; });
    }
    return best;
}

// sorted(v), sum(v): of what __iter__ gives.
static std::optional<Val> callOnItems(Inference &in, CallOp op, ArrayRef<Val> operands) {
    StringRef name = op.getCallee();
    if (!name.consume_front("builtins.") && !name.starts_with("math."))
        return std::nullopt;
    static constexpr StringLiteral iterate[] = {
        "list", "tuple",     "set", "sorted", "sum",    "min",       "max",      "any",
        "all",  "enumerate", "zip", "map",    "filter", "math.prod", "math.fsum"};
    SmallVector<Val> given(operands);
    SmallVector<std::pair<StringRef, Val>> named = keywords(in.e.loc, op.getKw(), given);
    if ((name == "min" || name == "max") && given.size() > 1)
        return std::nullopt; // of these
    bool isOther = false;
    for (Val &v : given)
        if (isInstance(v) && llvm::is_contained(iterate, name) && methodOf(in, v, "__iter__")) {
            v = iterableOf(in, v);
            isOther = true;
        }
    // One generator is inlined in the loop that takes its items; others give them all at once.
    const bool staysGenerator =
        functionOnGenerators(in, op.getCallee(), given) && llvm::count_if(given, isGenerator) == 1;
    for (Val &v : given)
        if (isOther && isGenerator(v) && !staysGenerator)
            v = listOfGenerator(in, v);
    return isOther ? std::optional(in.callNamed(op.getCallee(), given, named)) : std::nullopt;
}

// What the instance has under some name: its attributes, and what captured code may use of its
// class (see usedNames in capture/made_classes.cpp).
static SmallVector<StringRef> memberNames(Inference &in, const Val &v) {
    SmallVector<StringRef> names = fieldNames(v);
    auto module = in.source->getParentOfType<ModuleOp>();
    const DictionaryAttr methods =
        NpDialect::MethodsAttrHelper(module.getContext()).getAttr(module);
    const StringRef number = v.recordWords()[0].take_while(llvm::isDigit);
    for (NamedAttribute one : methods ? methods.getValue() : ArrayRef<NamedAttribute>()) {
        const auto [ofClass, name] = one.getName().getValue().split('.');
        if (ofClass == number && !name.starts_with("__") && !name.ends_with("=") &&
            !llvm::is_contained(names, name))
            names.push_back(name);
    }
    return names;
}

// getattr(v, text), for a text that is known at run time only: the member of that name, of `names`.
static Val memberNamed(Inference &in, const Val &v, const Val &text, ArrayRef<StringRef> names,
                       const Val *otherwise) {
    TypedBuilder &e = in.e;
    if (names.empty() && otherwise)
        return *otherwise;
    if (names.empty()) {
        FuncOp raises = libraryFunction(in.source, "shapecast.no such attribute");
        const SmallVector<Val> given{e.staticVal("str", v.className()), text};
        return callCaptured(in, raises, callArguments(given, {}), e.loc);
    }
    const Val is = textRelation(e, "eq", text, e.staticVal("str", names[0]));
    return e.branch(truth(e, is), [&](bool holds) {
        return holds ? *readAttribute(in, v, names[0])
                     : memberNamed(in, v, text, names.drop_front(), otherwise);
    });
}

static std::optional<Val> callOnNamedAttribute(Inference &in, StringRef name,
                                               ArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    const SmallVector<StringRef> names = memberNames(in, operands[0]);
    const Val text = heapText(e, operands[1]);
    if (name == "getattr")
        return memberNamed(in, operands[0], text, names,
                           operands.size() > 2 ? &operands[2] : nullptr);
    if (name == "setattr")
        e.unsupported("setattr() with a name that is known at run time only is not supported; "
                      "keep such values in a dict");
    Val found = e.boolVal(false);
    for (StringRef one : names)
        found = e.branch(truth(e, found), [&](bool holds) {
            return holds ? e.boolVal(true) : textRelation(e, "eq", text, e.staticVal("str", one));
        });
    return found;
}

// getattr(v, "x"), getattr(v, "x", other), hasattr and setattr.
static std::optional<Val> callOnAttribute(Inference &in, StringRef name, ArrayRef<Val> operands) {
    TypedBuilder &e = in.e;
    const bool isKnown = llvm::is_contained({"getattr", "hasattr", "setattr"}, name);
    if (!isKnown || operands.size() < 2 || !isClassInstance(operands[0]) || !operands[1].isText())
        return std::nullopt;
    if (!operands[1].isStatic("str"))
        return callOnNamedAttribute(in, name, operands);
    const Val &v = operands[0];
    const StringRef attribute = operands[1].staticText();
    if (name == "setattr") {
        checkNotFrozen(e, v, attribute);
        if (operands.size() != 3 || methodOf(in, v, attribute))
            return std::nullopt;
        setField(e, v, attribute, operands[2]);
        return e.noneVal();
    }
    const bool isHeapField = isHeapObject(v) && hasHeapAttribute(e, v, attribute);
    const bool isHere = methodOf(in, v, attribute) || (!isHeapField && fieldOf(e, v, attribute));
    if (name == "hasattr")
        return isHere || !isHeapField ? e.boolVal(isHere) : isAttributeSet(e, v, attribute);
    if (isHere || (isHeapField && operands.size() == 2))
        return readAttribute(in, v, attribute);
    if (isHeapField)
        return e.branch(truth(e, isAttributeSet(e, v, attribute)), [&](bool is) {
            return is ? heapAttribute(e, v, attribute, true) : operands[2];
        });
    if (operands.size() == 2)
        refuseAttribute(e, v, attribute);
    return operands[2];
}

std::optional<Val> shapecast::textOfInstance(Inference &in, const Val &v, bool isStr) {
    if (isStr)
        if (std::optional<Val> text = callSpecial(in, v, "__str__"))
            return text;
    return callSpecial(in, v, "__repr__");
}

// itertools.islice(v, 3): of what __iter__ gives, one after another.
static std::optional<Val> callOnSteps(Inference &in, CallOp op, ArrayRef<Val> operands) {
    SmallVector<Val> given(operands);
    const SmallVector<std::pair<StringRef, Val>> named = keywords(in.e.loc, op.getKw(), given);
    for (Val &v : given)
        if (isInstance(v))
            v = iterableOf(in, v);
    if (!functionOnGenerators(in, op.getCallee(), given))
        return std::nullopt;
    return in.callNamed(op.getCallee(), given, named);
}

// len(v), abs(v): what the builtin calls.
static std::optional<Val> callBuiltin(Inference &in, CallOp op, ArrayRef<Val> operands) {
    StringRef name = op.getCallee();
    if (name.starts_with("itertools."))
        return callOnSteps(in, op, operands);
    if (!name.consume_front("builtins."))
        return std::nullopt;
    static constexpr StringLiteral asked[] = {"len",   "abs",     "round",  "int",
                                              "float", "complex", "divmod", "reversed"};
    if (std::optional<Val> result = callOnItems(in, op, operands))
        return result;
    if (std::optional<Val> result = callOnAttribute(in, name, operands))
        return result;
    if (name == "next")
        return callNext(in, operands);
    if (name == "hash")
        return hashOf(in, operands[0]);
    if (name == "str" && operands.size() > 1) // str(b, "utf-8")
        return callSpecial(in, operands[0], "decode", operands.drop_front());
    if (name == "str" || name == "repr")
        return textOfInstance(in, operands[0], name == "str");
    if (name == "format" && isInstance(operands[0]) && methodOf(in, operands[0], "__format__"))
        return callSpecial(in, operands[0], "__format__",
                           {operands.size() == 2 ? operands[1] : in.e.staticVal("str", "")});
    if (name == "format" && operands.size() == 2 && operands[1].isStatic("str") &&
        operands[1].staticText().empty())
        return textOfInstance(in, operands[0], true);
    if (std::optional<Val> most = op.getKw() ? std::nullopt : extreme(in, name, operands))
        return most;
    if (name == "bool")
        return truthOf(in, operands[0]);
    if (name == "iter" && operands.size() == 1 && isInstance(operands[0]))
        if (const MethodAttr method = methodOf(in, operands[0], "__iter__"))
            return callMethod(in, method, operands[0], {});
    if (!llvm::is_contained(asked, name))
        return std::nullopt;
    return callSpecial(in, operands[0], ("__" + name + "__").str(), operands.drop_front());
}

static Val subscriptOf(Inference &in, OperandRange captured) {
    SmallVector<Val> keys = in.vals(captured);
    return keys.size() == 1 ? keys[0] : in.e.tupleVal({keys.begin(), keys.end()});
}

std::optional<Val> shapecast::visitObject(Inference &in, Operation *op) {
    if (op->getNumOperands() == 0 || isa<TupleOp, ClosureOp, CastOp, IfOp, ForEachOp, WhileOp>(op))
        return std::nullopt;
    const SmallVector<Val> operands = in.vals(op->getOperands());
    const bool isTable = isHeap(operands[0], "dict") || isHeap(operands[0], "set");
    const bool looksUp = isTable && isa<GetItemOp, MethodOp>(op) && operands.size() > 1;
    auto call = dyn_cast<CallOp>(op);
    const bool hashes = call && call.getCallee() == "builtins.hash" && operands[0].isTuple();
    if (!looksUp && !hashes && llvm::none_of(operands, mayBeInstance))
        return std::nullopt;
    TypedBuilder &e = in.e;
    if (auto read = dyn_cast<AttrOp>(op))
        return readAttribute(in, operands[0], read.getName());
    if (auto method = dyn_cast<MethodOp>(op)) {
        std::optional<Val> removed = removeEntry(in, method, operands);
        return removed ? removed : callMember(in, method);
    }
    if (auto python = dyn_cast<PyOp>(op))
        return operate(in, python, operands);
    if (auto inplace = dyn_cast<InplaceOp>(op)) {
        std::optional<Val> result =
            callSpecial(in, operands[0], ("__i" + inplace.getOp() + "__").str(), {operands[1]});
        if (!result || isNotImplemented(result))
            result = callBinary(in, inplace.getOp(), operands[0], operands[1]);
        if (!result)
            failUnsupported(e, inplace.getOp(), operands[0], operands[1], true);
        return result;
    }
    if (isa<TruthOp>(op)) {
        std::optional<Val> is = truthOf(in, operands[0]);
        return is ? std::optional(truth(e, *is)) : std::nullopt;
    }
    if (auto get = dyn_cast<GetItemOp>(op); get && looksUp)
        if (const auto key = keyOfEntry(in, operands[0], subscriptOf(in, get.getKeys())))
            return getItem(e, operands[0], *key);
    if (auto get = dyn_cast<GetItemOp>(op))
        return callSpecial(in, operands[0], "__getitem__", {subscriptOf(in, get.getKeys())});
    if (auto set = dyn_cast<SetItemOp>(op))
        return callSpecial(in, in.val(set.getBase()), "__setitem__",
                           {subscriptOf(in, set.getKeys()), in.val(set.getValue())});
    if (call) {
        SmallVector<Val> given(operands);
        const SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, call.getKw(), given);
        if (call.getCallee() == "numpy.frombuffer" && isReplaced(given[0]))
            if (const std::optional<Val> text = fieldOf(e, given[0], "_text")) {
                given[0] = in.callNamed("shapecast.library.primitives.text_codes", {*text}, {});
                FuncOp made = libraryFunction(in.source, "shapecast.frombuffer of bytes");
                return callCaptured(in, made, callArguments(given, named), e.loc);
            }
        std::optional<Val> made = callOnDataclass(in, call.getCallee(), given, named);
        return made ? made : callBuiltin(in, call, operands);
    }
    if (auto call = dyn_cast<ApplyOp>(op); call && isInstance(operands[0])) {
        SmallVector<Val> given(operands.begin() + 1, operands.end());
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, call.getKw(), given);
        MethodAttr method = methodOf(in, operands[0], "__call__");
        return method && !call.getStarredAttr()
                   ? std::optional(callMethod(in, method, operands[0], given, named))
                   : std::nullopt;
    }
    return std::nullopt;
}

Val shapecast::pairsOfInstance(Inference &in, const Val &v) {
    if (!isInstance(v))
        return v;
    if (const MethodAttr items = methodOf(in, v, "items"))
        return withoutView(in.e, callMethod(in, items, v, {}));
    Val pairs = iterableOf(in, v);
    return isGenerator(pairs) ? listOfGenerator(in, pairs) : pairs;
}

bool shapecast::isIteratorObject(Inference &in, const Val &v) {
    return isInstance(v) && methodOf(in, v, "__next__");
}

Val shapecast::iterableOf(Inference &in, const Val &v) {
    if (!isInstance(v))
        return v;
    MethodAttr method = methodOf(in, v, "__iter__");
    if (!method)
        return v;
    Val iterator = callMethod(in, method, v, {});
    allocateCells(in.e, iterator); // code that is shared returns new objects
    if (!isIteratorObject(in, iterator))
        return withoutView(in.e, iterator);
    FuncOp steps = libraryFunction(in.source, "shapecast.steps of an iterator");
    return callCaptured(in, steps, callArguments(iterator, {}), in.e.loc);
}
