#include "passes/infer/reads_only.h"

#include "passes/frontend/methods.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

struct Reader {
    Inference &in;
    Also also;
    llvm::DenseSet<Operation *> seen;

    bool readsOnly(Operation *op) {
        if (!seen.insert(op).second)
            return true;
        const auto found = op->walk([&](Operation *inner) {
            return mayDoMore(inner) ? WalkResult::interrupt() : WalkResult::advance();
        });
        return !found.wasInterrupted();
    }

    bool mayDoMore(Operation *op) {
        if (isa<SetItemOp, RaiseOp, TryOp, WhileOp>(op))
            return true;
        if (isa<PrintOp>(op))
            return also != Also::Collects;
        if (isa<InplaceOp>(op))
            return also == Also::Nothing;
        if (auto method = dyn_cast<MethodOp>(op))
            return !methodReadsOnly(method.getName());
        if (auto apply = dyn_cast<ApplyOp>(op)) { // of its consumer, a parameter
            Value function = apply.getFunction();
            if (auto read = function.getDefiningOp<CheckBoundOp>())
                function = read->getOperand(0);
            return !isa<BlockArgument>(function);
        }
        auto call = dyn_cast<CallOp>(op);
        if (!call)
            return false;
        if (auto callee = capturedCallee(in, call))
            return !readsOnly(callee);
        const StringRef name = call.getCallee();
        const bool isKnown = name.starts_with("builtins.") || name.starts_with("math.") ||
                             name == "shapecast.rest"; // the code after a branch
        return !isKnown || llvm::is_contained({"builtins.next", "builtins.setattr",
                                               "builtins.delattr", "builtins.input"},
                                              name);
    }

    // Of the program's classes all that have it, else of Python's.
    bool methodReadsOnly(StringRef name) {
        static constexpr StringLiteral names[] = {
            "items",      "keys",     "values",     "get",       "split", "strip",
            "startswith", "endswith", "join",       "lower",     "upper", "index",
            "count",      "copy",     "isdigit",    "isalpha",   "find",  "union",
            "replace",    "title",    "splitlines", "difference"};
        bool isOfProgram = false;
        for (const auto &[key, method] : methodsOf(in.source->getParentOfType<ModuleOp>())) {
            if (key.rsplit('.').second != name)
                continue;
            isOfProgram = true;
            auto function = functionNamed(in, method.getSymbol());
            if (!function || !readsOnly(function))
                return false;
        }
        const bool collects =
            also == Also::Collects && llvm::is_contained({"append", "add", "extend"}, name);
        return isOfProgram || collects || llvm::is_contained(names, name);
    }
};

} // namespace

bool shapecast::readsOnly(Inference &in, Operation *op, Also also) {
    return Reader{in, also, {}}.readsOnly(op);
}
