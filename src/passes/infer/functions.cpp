// np-infer: functions as values, and checks that those with late-bound variables do not escape.
//
// A closure has its variables' values from when it was made; Python's looks them up when it is
// called (late binding). Capture marks a closure of which a variable is assigned again later
// (`assignedLater`). Until then both agree: it must not escape to the next iteration of a loop, nor
// out of a call.
#include "passes/infer/functions.h"

#include "facts/host_info.h"
#include "ops/builder/arrays.h"
#include "ops/builder/operators.h"
#include "ops/builder/record_class.h"
#include "ops/builder/text.h"
#include "passes/frontend/inline.h"
#include "passes/frontend/library.h"
#include "passes/infer/callouts.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/consumers.h"
#include "passes/infer/escapes.h"
#include "passes/infer/exceptions.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

void shapecast::visitClosure(Inference &in, ClosureOp op) {
    TypedBuilder &e = in.e;
    Val v;
    v.kind = Val::Kind::Function;
    v.attr = op.getCalleeAttr();
    SmallVector<Val> captured = in.vals(op.getCaptured()), defaults = in.vals(op.getDefaults());
    v.items.assign({e.tupleVal({captured.begin(), captured.end()}),
                    e.tupleVal({defaults.begin(), defaults.end()})});
    if (std::optional<StringRef> later = op.getAssignedLater()) {
        v.items.push_back(e.staticVal("str", *later));
        in.hasLateBound = true;
    }
    in.env[op.getResult()] = std::move(v);
}

std::optional<Val> shapecast::attributeOfFunction(Inference &in, const Val &v,
                                                  StringRef attribute) {
    if (v.kind != Val::Kind::Function)
        return std::nullopt;
    if (attribute != "__name__" && attribute != "__qualname__") {
        auto module = in.source->getParentOfType<ModuleOp>();
        const DictionaryAttr table = NpDialect::MethodsAttrHelper(in.e.ctx).getAttr(module);
        const StringRef symbol = cast<SymbolRefAttr>(v.attr).getLeafReference();
        const Attribute known = table ? table.get((symbol + "." + attribute).str()) : Attribute();
        return known ? std::optional(in.e.literal(known)) : std::nullopt;
    }
    auto func = functionNamed(in, cast<SymbolRefAttr>(v.attr));
    if (!func)
        return std::nullopt;
    const StringRef name = func.getQualname().value_or(func.getSymName());
    return in.e.staticVal(
        "str", attribute == "__name__" && name.contains('.') ? name.rsplit('.').second : name);
}

std::optional<Val> shapecast::boundBuiltInMethod(Inference &in, const Val &self, StringRef name) {
    const bool isBuiltIn = self.isText() || self.isDict() || self.list || isHeap(self, "list") ||
                           isHeap(self, "dict") || isHeap(self, "set");
    if (!isBuiltIn || hostInfo().hasAttribute(self.className(), name) != true)
        return std::nullopt;
    FuncOp written = libraryFunction(in.source, ("shapecast.bound " + name).str());
    if (!written)
        return std::nullopt;
    Val v;
    v.kind = Val::Kind::Function;
    v.attr = FlatSymbolRefAttr::get(written.getSymNameAttr());
    v.items.assign({in.e.tupleVal({self}), in.e.tupleVal({})});
    return v;
}

Val shapecast::compareFunctions(Inference &in, StringRef op, const Val &a, const Val &b) {
    const bool isEqual = op == "eq" || op == "is";
    if (a.attr != b.attr)
        return in.e.boolVal(!isEqual);
    auto func = functionNamed(in, cast<SymbolRefAttr>(a.attr));
    const StringRef name = func ? func.getQualname().value_or("") : "<locals>";
    const ValList &mine = a.items[0].items, &theirs = b.items[0].items;
    if (!name.contains('.') && mine.empty())
        return in.e.boolVal(isEqual);
    // Bound methods are made by each look-up, and equal where they are bound to one object.
    const bool areMethods = !name.contains("<locals>") && mine.size() == 1 && theirs.size() == 1;
    if (areMethods && (op == "eq" || op == "ne"))
        return compare(in.e, isEqual ? "is" : "is_not", mine[0], theirs[0]);
    in.e.unsupported("whether functions made at one place in the source are the same object "
                     "is not known; compare their names, or numbers of your own");
}

// Functions made by a late-bound one may use its variables too.
static void markLateBound(Val &v, const Val &variable) {
    if (v.kind == Val::Kind::Function && !isLateBound(v))
        v.items.push_back(variable);
    for (size_t i = 0; i < v.items.size(); ++i)
        markLateBound(v.items[i], variable);
}

FuncOp shapecast::calleeOf(Inference &in, const Val &function) {
    if (function.kind != Val::Kind::Function)
        return {};
    return functionNamed(in, cast<SymbolRefAttr>(function.attr));
}

// With what the closure captured, and its defaults.
static CallArguments<Val> callOf(const Val &function, ArrayRef<Val> positional,
                                 ArrayRef<std::pair<StringRef, Val>> named) {
    CallArguments<Val> call = callArguments(positional, named);
    llvm::append_range(call.captured, function.items[0].items);
    llvm::append_range(call.defaults, function.items[1].items);
    return call;
}

std::optional<std::string> shapecast::refusalOf(Inference &in, const Val &function, size_t count) {
    if (function.isStatic("func")) {
        const StringRef name = function.staticText();
        if (llvm::is_contained({"builtins", "math", "operator"}, name.split('.').first))
            return hostInfo().argumentError(name.str(), count, {});
    }
    if (function.kind != Val::Kind::Function)
        return std::nullopt;
    const SmallVector<Val> positional(count, in.e.noneVal());
    return refusalOf(in, calleeOf(in, function), callOf(function, positional, {}));
}

Val shapecast::apply(Inference &in, const Val &function, ArrayRef<Val> positional,
                     ArrayRef<std::pair<StringRef, Val>> named, Location location) {
    TypedBuilder &e = in.e;
    if (function.kind == Val::Kind::Function) {
        Val result =
            callCaptured(in, calleeOf(in, function), callOf(function, positional, named), location);
        if (isLateBound(function))
            markLateBound(result, function.items[2]);
        return result;
    }
    const SmallVector<Val> given(positional);
    if (function.isStatic("consumer") || isHeap(function, "list"))
        return consume(in, function, given[0]);
    if (function.isStatic("func"))
        return in.callNamed(function.staticText(), given, named);
    if (function.isStatic("exception"))
        return makeException(in, function.staticText(), given, named);
    if (function.isStatic("type") ||
        (function.isStatic("class") && !function.staticText().contains('.')))
        return in.callNamed(("builtins." + function.staticText()).str(), given, named);
    if (function.isStatic("class"))
        return in.callNamed(function.staticText(), given, named);
    if (function.isStatic("dtype"))
        return in.callNamed(("numpy." + dtypeName(dtypeOf(e, function))).str(), given, named);
    if (function.isPython()) {
        SmallVector<Val> all{function};
        llvm::append_range(all, positional);
        return callOut(in, "operator.call", all, named);
    }
    rejectOverloads(e, function, {"__call__"});
    e.fail("TypeError", "'" + function.className() + "' object is not callable");
}
