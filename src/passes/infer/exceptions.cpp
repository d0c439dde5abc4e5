// np-infer: what handlers read of exceptions.
#include "passes/infer/exceptions.h"

#include "ops/builder/text.h"
#include "passes/frontend/callout.h"
#include "passes/infer/callouts.h"

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

Val shapecast::makeException(Inference &in, StringRef exception, ArrayRef<Val> positional,
                             ArrayRef<std::pair<StringRef, Val>> named) {
    SmallVector<Val> given(positional);
    std::string callee = exception.str();
    for (const auto &[keyword, value] : named) {
        callee += " " + keyword.str();
        given.push_back(value);
    }
    in.recursions.exceptionsMade[exception.str()].insert(describeArguments(in, positional, named));
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

std::optional<Val> shapecast::visitException(Inference &in, Operation *op) {
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
    if (read)
        return attribute(typeOfMember(in, first, read.getName(), std::nullopt));
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
