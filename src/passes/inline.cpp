// np-inline: every call of a captured function becomes its body.
//
// Before: one public entry, private callees; bodies are single blocks that end in np.return.
// After: no call of an np.func is left and the callees are gone. Each argument passes through an
// np.cast to the parameter's type (Python binds keywords and defaults here); locations are
// call-site chains. Calls of NumPy's ufuncs have become np.ufunc; other NumPy functions stay
// np.call for np-infer. Recursion is an error.
#include "ir/np.h"
#include "ops/ufunc.h"
#include "passes/passes.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

struct InlineCalls : PassWrapper<InlineCalls, OperationPass<ModuleOp>> {
    StringRef getArgument() const final { return "np-inline"; }
    StringRef getDescription() const final {
        return "inline captured callees, cast at every argument";
    }

    void runOnOperation() final {
        SymbolTable symbols(getOperation());
        for (FuncOp func : llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
            if (!func.isPublic())
                continue;
            SmallVector<FuncOp> stack = {func};
            if (failed(inlineInto(&func.getBody().front(), symbols, stack)))
                return signalPassFailure();
        }
        for (FuncOp func : llvm::make_early_inc_range(getOperation().getOps<FuncOp>()))
            if (!func.isPublic())
                func.erase();
    }

    LogicalResult inlineInto(Block *block, SymbolTable &symbols, SmallVectorImpl<FuncOp> &stack);
    LogicalResult inlineCall(CallOp call, FuncOp callee, SymbolTable &symbols,
                             SmallVectorImpl<FuncOp> &stack);
    static FailureOr<SmallVector<Value>> bind(CallOp call, FuncOp callee, OpBuilder &builder);
};

} // namespace

static LogicalResult typeError(CallOp call, const Twine &message) {
    return call.emitError("TypeError: ") << call.getCallee() << "() " << message;
}

static Value defaultValue(OpBuilder &builder, Location loc, Attribute attr) {
    MLIRContext *ctx = builder.getContext();
    Type type = isa<BoolAttr>(attr)      ? Type(PyBoolType::get(ctx))
                : isa<IntegerAttr>(attr) ? Type(PyIntType::get(ctx))
                : isa<FloatAttr>(attr)   ? Type(PyFloatType::get(ctx))
                                         : Type(StaticType::get(ctx));
    return ConstOp::create(builder, loc, type, attr);
}

// The call's operands in the order of the callee's parameters, as Python binds them.
FailureOr<SmallVector<Value>> InlineCalls::bind(CallOp call, FuncOp callee, OpBuilder &builder) {
    auto names = callee->getAttrOfType<ArrayAttr>("arg_names");
    auto defaults = callee->getAttrOfType<ArrayAttr>("defaults");
    size_t count = callee.getNumArguments(), named = call.getKw() ? call.getKw()->size() : 0;
    size_t positional = call.getArgs().size() - named;
    if (positional > count)
        return typeError(call, "takes " + Twine(count) + " positional arguments but " +
                                   Twine(positional) + " were given");
    SmallVector<Value> values(count);
    for (size_t i = 0; i < positional; ++i)
        values[i] = call.getArgs()[i];
    for (size_t k = 0; k < named; ++k) {
        auto name = cast<StringAttr>((*call.getKw())[k]);
        size_t at = names ? llvm::find(names, name) - names.begin() : count;
        if (at >= count)
            return typeError(call, "got an unexpected keyword argument '" + name.getValue() + "'");
        if (values[at])
            return typeError(call, "got multiple values for argument '" + name.getValue() + "'");
        values[at] = call.getArgs()[positional + k];
    }
    size_t first = count - (defaults ? defaults.size() : 0);
    for (size_t i = 0; i < count; ++i) {
        if (!values[i] && i >= first)
            values[i] = defaultValue(builder, call.getLoc(), defaults[i - first]);
        if (!values[i])
            return typeError(
                call, "missing 1 required positional argument: '" +
                          (names ? cast<StringAttr>(names[i]).getValue() : StringRef("?")) + "'");
    }
    return values;
}

LogicalResult InlineCalls::inlineCall(CallOp call, FuncOp callee, SymbolTable &symbols,
                                      SmallVectorImpl<FuncOp> &stack) {
    if (llvm::is_contained(stack, callee))
        return call.emitError("shapecast.UnsupportedError: recursive calls are not compiled yet (")
               << callee.getSymName() << " calls itself); write a loop";
    OpBuilder builder(call);
    FailureOr<SmallVector<Value>> arguments = bind(call, callee, builder);
    if (failed(arguments))
        return failure();
    IRMapping map;
    for (auto [parameter, value] : llvm::zip_equal(callee.getArguments(), *arguments)) {
        Value cast = CastOp::create(builder, call.getLoc(), parameter.getType(), value);
        map.map(parameter, cast);
    }
    Block scratch; // the clone is inlined itself before it moves, so that the stack of callees is
                   // known
    OpBuilder into(call.getContext());
    into.setInsertionPointToEnd(&scratch);
    for (Operation &op : callee.getBody().front())
        into.clone(op, map);
    scratch.walk([&](Operation *op) { op->setLoc(CallSiteLoc::get(op->getLoc(), call.getLoc())); });
    stack.push_back(callee);
    LogicalResult nested = inlineInto(&scratch, symbols, stack);
    stack.pop_back();
    Operation *end = &scratch.back();
    Value result = cast<ReturnOp>(end).getValues()[0];
    call.getResult().replaceAllUsesWith(result);
    end->erase();
    call->getBlock()->getOperations().splice(call->getIterator(), scratch.getOperations());
    call.erase();
    return nested;
}

LogicalResult InlineCalls::inlineInto(Block *block, SymbolTable &symbols,
                                      SmallVectorImpl<FuncOp> &stack) {
    SmallVector<CallOp> calls;
    block->walk([&](CallOp call) { calls.push_back(call); });
    for (CallOp call : calls) {
        if (FuncOp callee = symbols.lookup<FuncOp>(call.getCallee())) {
            if (failed(inlineCall(call, callee, symbols, stack)))
                return failure();
            continue;
        }
        StringRef name = call.getCallee();
        if (!name.consume_front("numpy.") || !findUfunc(name) ||
            llvm::is_contained({"where", "clip", "real", "imag"}, name))
            continue;
        OpBuilder builder(call);
        auto ufunc =
            UfuncOp::create(builder, call.getLoc(), call.getType(), builder.getStringAttr(name),
                            call.getArgs(), StringAttr(), call.getKwAttr());
        call.replaceAllUsesWith(ufunc.getResult());
        call.erase();
    }
    return success();
}

std::unique_ptr<Pass> shapecast::createInlineCalls() { return std::make_unique<InlineCalls>(); }
