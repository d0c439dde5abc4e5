#include "passes/frontend/shared_functions.h"

#include "passes/frontend/methods.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

namespace {

constexpr int64_t most = int64_t(1) << 40; // call trees grow exponentially

// Who calls whom. A method is called by its name, of whatever class.
class CallTree {
public:
    CallTree(ModuleOp module, SymbolTable &symbols) : symbols(symbols) {
        for (const auto &[key, member] : methodsOf(module))
            if (auto method = symbols.lookup<FuncOp>(member.getSymbol().getAttr())) {
                const StringRef name = key.rsplit('.').second;
                methods[name].push_back(method);
                // Operators and the like are called where no name is written.
                if (name.starts_with("__"))
                    copiesOf[method] += 2;
            }
        for (FuncOp func : module.getOps<FuncOp>())
            func->walk([&](Operation *op) {
                for (FuncOp callee : calleesOf(op))
                    callers[callee].push_back(func);
            });
    }

    // The number of its operations with all calls inlined.
    int64_t size(FuncOp func) {
        auto [known, isNew] = sizes.try_emplace(func, 0); // 0: recursion
        if (!isNew)
            return known->second;
        int64_t all = 0;
        func->walk([&](Operation *op) {
            int64_t largest = 0;
            for (FuncOp callee : calleesOf(op))
                largest = std::max(largest, size(callee));
            all = std::min(all + 1 + largest, most);
        });
        return sizes[func] = all;
    }

    // How often it would be inlined.
    int64_t copies(FuncOp func) {
        auto [known, isNew] = counted.try_emplace(func, 0); // 0: recursion
        if (!isNew)
            return known->second;
        int64_t all = (func.isPublic() ? 1 : 0) + copiesOf.lookup(func);
        for (FuncOp caller : callers.lookup(func))
            all = std::min(all + copies(caller), most);
        return counted[func] = all;
    }

private:
    SmallVector<FuncOp> calleesOf(Operation *op) {
        if (auto callee = calleeOf(op)) {
            FuncOp func = symbols.lookup<FuncOp>(callee.getAttr());
            return func ? SmallVector<FuncOp>{func} : SmallVector<FuncOp>();
        }
        if (auto method = dyn_cast<MethodOp>(op))
            return methods.lookup(method.getName());
        if (auto attribute = dyn_cast<AttrOp>(op))
            return methods.lookup(attribute.getName());
        return {};
    }

    SymbolTable &symbols;
    llvm::StringMap<SmallVector<FuncOp>> methods;
    llvm::DenseMap<Operation *, int64_t> sizes, counted, copiesOf;
    llvm::DenseMap<Operation *, SmallVector<FuncOp>> callers;
};

} // namespace

void shapecast::markSharedFunctions(ModuleOp module, SymbolTable &symbols) {
    constexpr int64_t longProgram = 100, shortFunction = 30, veryShort = 8; // operations
    constexpr int64_t hugeProgram = 10'000, longFunction = 200;
    CallTree tree(module, symbols);
    int64_t all = 0;
    for (FuncOp func : module.getOps<FuncOp>())
        if (func.isPublic())
            all = std::min(all + tree.size(func), most);
    if (all <= longProgram)
        return;
    for (FuncOp func : module.getOps<FuncOp>())
        if (const int64_t size = tree.size(func); !func.isPublic() && size > veryShort)
            func.setNoinline(all > hugeProgram && size > longFunction ? "arrays"
                             : tree.copies(func) == 1                 ? "unrolled"
                             : size > shortFunction                   ? "calls"
                                                                      : "long");
}
