// Class queries, answered at compile time: isinstance, type, hasattr, callable.
#include "facts/host_info.h"
#include "ops/builder/classes.h"
#include "ops/builder/function.h"
#include "ops/builder/heap_sites.h"
#include "ops/builder/maybe_weak.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/text.h"
#include "ops/tables.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

using Names = ClassNames;

static bool isInstanceOfAny(TypedBuilder &e, const Names &classes, const Val &wanted) {
    if (wanted.isTuple() && !wanted.list)
        return llvm::any_of(wanted.items,
                            [&](const Val &item) { return isInstanceOfAny(e, classes, item); });
    if (wanted.isStatic("exception"))
        return false;
    const std::string known = nameOfClass(wanted);
    StringRef name = known;
    if (name.consume_front("abstract ") &&
        llvm::none_of(classes, [](StringRef one) { return one.starts_with("record:"); }))
        e.unsupported("isinstance() of a value that is no object of yours, and an abstract class, "
                      "is not supported; compare with the classes that it is to admit");
    if (name.empty())
        e.fail("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
    return name == "object" || llvm::is_contained(classes, name);
}

static Val isInstance(TypedBuilder &e, const Arguments &in) {
    const Val &v = in["obj"], &wanted = in["class_or_tuple"];
    auto select = [&](DimAttr flag, bool ifSet, bool otherwise) {
        if (ifSet == otherwise)
            return e.boolVal(ifSet);
        return compare(e, "eq", e.sizeVal(flag), e.intVal(ifSet));
    };
    if (v.kind == Val::Kind::Optional && v.attr)
        return select(v.dim, isInstanceOfAny(e, classesOf(e, v.items[0]), wanted),
                      isInstanceOfAny(e, {"NoneType"}, wanted));
    const bool strong = isInstanceOfAny(e, classesOf(e, v), wanted);
    if (v.isTyped() && v.weakFlag)
        return select(v.weakFlag, isInstanceOfAny(e, pythonClasses(v.weakKind), wanted), strong);
    return e.boolVal(strong);
}

static Val type(TypedBuilder &e, const Arguments &in) {
    const Val &v = in["object"];
    if (in.find("bases"))
        e.unsupported("classes made by compiled code are not supported; make the class outside");
    if (v.kind == Val::Kind::Optional || v.weakFlag)
        e.unsupported("type() of a value whose class differs between paths is not supported; use "
                      "isinstance");
    if (v.isObject("exception")) // of one that was caught: known at run time
        return objectVal(e, "class of an exception", "builtins.type", {v});
    return classVal(e, v);
}

static Val isCallable(TypedBuilder &e, const Arguments &in) {
    const Val &v = in["obj"];
    return e.boolVal(v.kind == Val::Kind::Function || v.isStatic("func") || v.isStatic("type") ||
                     v.isStatic("class") || v.isStatic("exception"));
}

static Val hasAttributeOf(TypedBuilder &e, const Val &v, StringRef name) {
    if (v.weakFlag)
        return unionSplit(e, v, [&](const Val &side) { return hasAttributeOf(e, side, name); });
    if (recordField(v, name))
        return e.boolVal(true);
    if (v.kind == Val::Kind::Iterator && v.attr == e.b.getStringAttr("generator"))
        return e.boolVal(
            llvm::is_contained({"__iter__", "__next__", "send", "throw", "close"}, name));
    if (v.kind == Val::Kind::Iterator)
        return e.boolVal(llvm::is_contained({"__iter__", "__next__"}, name));
    const std::optional<bool> has = hostInfo().hasAttribute(classesOf(e, v)[0], name);
    if (!has)
        e.unsupported("hasattr() of " + v.describe() + " is not supported; use isinstance");
    return e.boolVal(*has);
}

// Of one of several kinds where any is.
static bool isStepped(const Val &v) {
    if (v.kind == Val::Kind::Optional || v.isUnion())
        return llvm::any_of(v.items.read(), isStepped);
    const bool isInstance = v.isRecord() || (isHeapObject(v) && v.className() != "tuple");
    return isInstance || isIterator(v, "generator");
}

static Val isStepped(TypedBuilder &e, const Arguments &in) {
    return e.boolVal(isStepped(in["iterable"]));
}

static Val hasAttribute(TypedBuilder &e, const Arguments &in) {
    if (!in["name"].isStatic("str"))
        e.unsupported("hasattr() with a name made at run time is not supported");
    return hasAttributeOf(e, in["obj"], in["name"].staticText());
}

ArrayRef<Function> shapecast::classFunctions() {
    static const Function list[] = {
        {"builtins.isinstance", "obj, class_or_tuple", isInstance},
        {"builtins.type", "object, bases=, dict=", type},
        {"builtins.callable", "obj", isCallable},
        {"builtins.hasattr", "obj, name", hasAttribute},
        {"shapecast.library.primitives.is_stepped", "iterable", isStepped},
    };
    return list;
}
