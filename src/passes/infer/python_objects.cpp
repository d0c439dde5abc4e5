#include "passes/infer/python_objects.h"

#include "ops/builder/elementwise.h"
#include "passes/frontend/inline.h"
#include "passes/frontend/library.h"
#include "passes/infer/branches.h"
#include "passes/infer/callouts.h"
#include "passes/infer/captured_calls.h"
#include "passes/infer/ufuncs.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static bool holdsPythonObject(const Val &v) {
    return v.isPython() || llvm::any_of(v.items, holdsPythonObject);
}

// A Python object, or a dtype that only NumPy itself supports.
static bool needsPython(const Val &v) {
    return holdsPythonObject(v) || (v.isStatic("dtype") && !dtypeFromName(v.staticText()));
}

bool shapecast::needPython(ArrayRef<Val> operands, ArrayRef<std::pair<StringRef, Val>> named) {
    return llvm::any_of(operands, needsPython) ||
           llvm::any_of(named, [](const auto &given) { return needsPython(given.second); });
}

// An operation on a Python object is called out; none where it is no such operation.
std::optional<Val> shapecast::visitPythonObject(Inference &in, Operation *op) {
    TypedBuilder &e = in.e;
    if (isa<CallOp, ApplyOp, ConstOp, TupleOp, ClosureOp, CastOp, PrintOp, RaiseOp, GlobalOp>(op))
        return std::nullopt;
    SmallVector<Val> operands = in.vals(op->getOperands());
    if (!llvm::any_of(operands, needsPython))
        return std::nullopt;
    const bool isContainer =
        operands[0].isTuple() || operands[0].isDict() || operands[0].isRecord();
    auto key = [&](size_t first, size_t count) {
        std::vector<Val> keys(operands.begin() + first, operands.begin() + first + count);
        return count == 1 ? keys.front() : e.tupleVal(std::move(keys));
    };
    if (auto get = dyn_cast<GetItemOp>(op); get && !isContainer)
        return callOut(in, "operator.getitem", {operands[0], key(1, operands.size() - 1)}, {});
    if (auto set = dyn_cast<SetItemOp>(op); set && !isContainer) {
        SmallVector<Val> keys = in.vals(set.getKeys());
        Val index = keys.size() == 1 ? keys[0] : e.tupleVal({keys.begin(), keys.end()});
        return callOut(in, "operator.setitem",
                       {in.val(set.getBase()), index, in.val(set.getValue())}, {});
    }
    if (auto attr = dyn_cast<AttrOp>(op); attr && needsPython(operands[0]) && !isContainer)
        return callOut(in, "builtins.getattr", {operands[0], e.staticVal("str", attr.getName())},
                       {});
    if (auto method = dyn_cast<MethodOp>(op); method && !isContainer) {
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, method.getKw(), operands);
        return callLibraryOrPython(in, ("method:" + method.getName()).str(), operands, named);
    }
    if (auto ufunc = dyn_cast<UfuncOp>(op)) {
        SmallVector<std::pair<StringRef, Val>> named = keywords(e.loc, ufunc.getKw(), operands);
        return callOut(in, ("numpy." + ufunc.getName()).str(), operands, named);
    }
    if (auto inplace = dyn_cast<InplaceOp>(op))
        return callOut(in, ("operator.i" + inplace.getOp()).str(), operands, {});
    if (auto pyop = dyn_cast<PyOp>(op); pyop && pyop.getOp() != "append") {
        if (pyop.getOp() == "in" || pyop.getOp() == "not_in") {
            Val found = callOut(in, "operator.contains", {operands[1], operands[0]}, {});
            return pyop.getOp() == "in" ? found : unary(e, "not", found);
        }
        const bool reserved = llvm::is_contained({"and", "or", "not", "is"}, pyop.getOp());
        return callOut(in, ("operator." + pyop.getOp() + (reserved ? "_" : "")).str(), operands,
                       {});
    }
    return std::nullopt;
}

static StringRef classOf(const Val &receiver) {
    return receiver.isPython() ? cast<ObjectType>(receiver.type()).getName() : "numpy.ndarray";
}

// Functions of NumPy, SciPy and array methods: called out where the library's are not supported.
static bool isNumPyFunction(StringRef name) {
    return name.starts_with("numpy.") || name.starts_with("scipy.");
}

// Calls the library's function, or else Python; `name` is NumPy's, or "method:" and the name of a
// method of an array or object.
Val shapecast::callLibraryOrPython(Inference &in, StringRef name, ArrayRef<Val> operands,
                                   ArrayRef<std::pair<StringRef, Val>> named) {
    TypedBuilder &e = in.e;
    std::string called = name.str();
    if (StringRef plain = name; plain.consume_front("method:"))
        called = (classOf(operands[0]) + "." + plain).str();
    FuncOp libraryFunc = libraryFunction(in.source, called);
    if (libraryFunc && !isNumPyFunction(called))
        return inlineLibraryCall(in, libraryFunc, callArguments(operands, named));
    if (libraryFunc && !llvm::is_contained(in.callStack, libraryFunc)) {
        const CallArguments<Val> call = callArguments(operands, named);
        if (!canCallOut() ||
            !refusalOf(in, libraryFunc, call)) // else only NumPy has such a keyword
            return orElse(
                in, [&] { return callCaptured(in, libraryFunc, call, e.loc); },
                [&] { return callOut(in, name, operands, named); });
    }
    if (std::optional<Val> result = callUfuncLoop(in, name, operands, named))
        return *result;
    return callOut(in, name, operands, named);
}
