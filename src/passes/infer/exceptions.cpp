// np-infer: what handlers read of exceptions.
#include "passes/infer/exceptions.h"

#include "ops/builder/operators.h"
#include "ops/builder/text.h"
#include "passes/frontend/callout.h"
#include "passes/frontend/library.h"
#include "passes/infer/callouts.h"
#include "passes/infer/captured_calls.h"

#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace json = llvm::json;

static constexpr StringLiteral caughtCallee = "shapecast._objects.caught";

std::string shapecast::exceptionClasses(TypedBuilder &e, const Val &v) {
    if (v.isStatic("exception"))
        return v.staticText().str();
    if (!v.isTuple())
        e.unsupported("an 'except' whose class of exceptions is not known when compiling is not "
                      "supported; name the class");
    std::string names;
    for (const Val &item : v.items)
        names += (names.empty() ? "" : " ") + exceptionClasses(e, item);
    return names;
}

Val shapecast::caughtException(TypedBuilder &e, const Val &number, const Val &classes) {
    const Val names =
        classes.isStatic("str") ? classes : e.staticVal("str", exceptionClasses(e, classes));
    return objectVal(e, "exception", caughtCallee, {number, names});
}

// Of arguments that may be None or of several kinds, each in turn.
static void rememberMade(Inference &in, StringRef exception, SmallVectorImpl<Val> &positional,
                         size_t from, ArrayRef<std::pair<StringRef, Val>> named) {
    for (size_t k = from; k < positional.size(); ++k) {
        const Val given = positional[k];
        const bool isOptional = given.kind == Val::Kind::Optional;
        if (!given.isUnion() && !isOptional)
            continue;
        std::vector<Val> kinds(given.items.begin(), given.items.end());
        if (isOptional && given.attr)
            kinds.push_back(in.e.noneVal());
        for (const Val &one : kinds) {
            positional[k] = one;
            rememberMade(in, exception, positional, k, named);
        }
        positional[k] = given;
        return;
    }
    in.recursions.exceptionsMade[exception.str()].insert(describeArguments(in, positional, named));
}

Val shapecast::makeException(Inference &in, StringRef exception, ArrayRef<Val> positional,
                             ArrayRef<std::pair<StringRef, Val>> named) {
    SmallVector<Val> given(positional);
    std::string callee = exception.str();
    for (const auto &[keyword, value] : named) {
        callee += " " + keyword.str();
        given.push_back(value);
    }
    SmallVector<Val> each(positional);
    rememberMade(in, exception, each, 0, named);
    return objectVal(in.e, "exception", callee, given);
}

void shapecast::rememberKeyError(Inference &in, const Val &key) {
    in.recursions.exceptionsMade["builtins.KeyError"].insert(describeArguments(in, {key}, {}));
}

// The answer of the probe for an attribute; or, with arguments, for a call of a method.
static std::string typeOfMember(Inference &in, const Val &exception, StringRef name,
                                std::optional<ArrayRef<Val>> given) {
    json::Array made;
    for (const auto &[path, calls] : in.recursions.exceptionsMade)
        for (const std::string &call : calls)
            made.push_back(json::Array{path, *json::parse(call)});
    json::Object request{{"attribute", name},
                         {"classes", exception.items[1].staticText()},
                         {"made", std::move(made)}};
    if (given)
        request["called"] = *json::parse(describeArguments(in, *given, {}));
    std::string text;
    llvm::raw_string_ostream(text) << json::Value(std::move(request));
    return probePython(text);
}

static Val readAttribute(Inference &in, const Val &exception, StringRef name,
                         const json::Object &type);

// An attribute that is of one of several types: in a branch on which it is.
static Val readOneOf(Inference &in, const Val &exception, StringRef name, const json::Array &types,
                     const Val &which, size_t from) {
    TypedBuilder &e = in.e;
    const json::Object &type = *types[from].getAsObject();
    if (from + 1 == types.size())
        return readAttribute(in, exception, name, type);
    const Val is = compare(e, "eq", which, e.intVal(int64_t(from)));
    return e.branch(is, [&](bool holds) {
        return holds ? readAttribute(in, exception, name, type)
                     : readOneOf(in, exception, name, types, which, from + 1);
    });
}

static std::string textOf(json::Value value) {
    std::string text;
    llvm::raw_string_ostream(text) << value;
    return text;
}

// A list of a length known at run time is read item by item, by a function of the library.
static Val readAttribute(Inference &in, const Val &exception, StringRef name,
                         const json::Object &type) {
    TypedBuilder &e = in.e;
    const Val called = e.staticVal("str", name);
    if (const json::Array *types = type.getArray("union")) {
        const Val forms = e.staticVal("str", textOf(json::Array(*types)));
        const Val which = callOutGiving(in, "shapecast._objects.attribute_form",
                                        {exception, called, forms}, R"({"python": "int"})");
        return readOneOf(in, exception, name, *types, which, 0);
    }
    if (const json::Object *item = type.getObject("many")) {
        FuncOp reads = libraryFunction(in.source, "shapecast.list of an exception");
        const Val length = callOutGiving(in, "shapecast._objects.attribute_length",
                                         {exception, called}, R"({"python": "int"})");
        const SmallVector<Val> given{exception.items[0], exception.items[1], called, length,
                                     e.staticVal("str", textOf(json::Object(*item)))};
        return callCaptured(in, reads, callArguments(given, {}), e.loc);
    }
    return callOutGiving(in, "builtins.getattr", {exception, called}, textOf(json::Object(type)));
}

Val shapecast::itemOfException(Inference &in, ArrayRef<Val> operands) {
    const Val exception = objectVal(in.e, "exception", caughtCallee, {operands[0], operands[1]});
    return callOutGiving(in, "shapecast._objects.attribute_item",
                         {exception, operands[2], operands[3]}, operands[4].staticText());
}

// Each read of an attribute makes a list anew, so that a change would go unseen.
static void refuseChange(Inference &in, Operation *op) {
    const bool mayChange = isa<MethodOp, SetItemOp>(op);
    auto read = mayChange ? op->getOperand(0).getDefiningOp<AttrOp>() : AttrOp();
    auto method = dyn_cast<MethodOp>(op);
    const bool isOfLists =
        !method || llvm::is_contained({"append", "extend", "insert", "pop", "remove", "sort",
                                       "reverse", "clear", "__delitem__", "__setitem__"},
                                      method.getName());
    if (!read || !isOfLists)
        return;
    const auto found = in.env.find(read.getBase());
    if (found != in.env.end() && found->second.isObject("exception") &&
        found->second.staticText() == caughtCallee)
        in.e.unsupported("changing a list that is the attribute '" + read.getName() +
                         "' of an exception that is caught is not supported; change it before "
                         "the 'raise', or a copy of it");
}

std::optional<Val> shapecast::visitException(Inference &in, Operation *op) {
    refuseChange(in, op);
    if (!isa<AttrOp, MethodOp, CallOp>(op) || op->getNumOperands() == 0 || !canCallOut())
        return std::nullopt;
    const Val first = in.val(op->getOperand(0));
    auto read = dyn_cast<AttrOp>(op);
    auto attribute = [&](StringRef type) {
        return callOutGiving(in, "builtins.getattr", {first, in.e.staticVal("str", read.getName())},
                             type);
    };
    if (read && first.isObject("class of an exception")) {
        if (read.getName() != "__name__" && read.getName() != "__qualname__")
            in.e.unsupported("the attribute '" + read.getName() +
                             "' of the class of an exception is not supported; use isinstance");
        return attribute(R"({"python": "str"})");
    }
    if (!first.isObject("exception") || first.staticText() != caughtCallee)
        return std::nullopt;
    if (read && read.getName() == "__class__")
        return in.callNamed("builtins.type", {first}, {});
    if (read) {
        llvm::Expected<json::Value> type =
            json::parse(typeOfMember(in, first, read.getName(), std::nullopt));
        if (!type)
            in.e.unsupported("the probe of an attribute: " + llvm::toString(type.takeError()));
        return readAttribute(in, first, read.getName(), *type->getAsObject());
    }
    if (auto method = dyn_cast<MethodOp>(op); method && !method.getKw()) {
        const SmallVector<Val> given = in.vals(method.getArgs());
        SmallVector<Val> operands{first};
        llvm::append_range(operands, given);
        return callOutGiving(in, ("method:" + method.getName()).str(), operands,
                             typeOfMember(in, first, method.getName(), ArrayRef<Val>(given)));
    }
    auto call = dyn_cast<CallOp>(op);
    if (call && call.getCallee() == "builtins.isinstance" && call->getNumOperands() == 2)
        return callOutGiving(in, "builtins.isinstance", {first, in.val(call->getOperand(1))},
                             R"({"python": "bool"})");
    return std::nullopt;
}
