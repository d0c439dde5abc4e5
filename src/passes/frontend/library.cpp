// Clones library functions into a module, once each, under prefixed names.
#include "passes/frontend/library.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static LibraryCapture capture = nullptr;

void shapecast::setLibraryCapture(LibraryCapture function) { capture = function; }

// Cached for the life of the process: the library does not change. Compilations are
// one at a time.
static ModuleOp captured(StringRef name) {
    static auto *known = new llvm::StringMap<OwningOpRef<ModuleOp>>(); // outlives the context
    auto [entry, isNew] = known->try_emplace(name);
    if (isNew)
        if (auto module = capture(name))
            entry->second = std::move(*module);
    return entry->second.get();
}

FuncOp shapecast::libraryFunction(FuncOp near, StringRef name) {
    auto target = near->getParentOfType<ModuleOp>();
    const std::string symbol = ("library." + name).str();
    if (auto known = target.lookupSymbol<FuncOp>(symbol))
        return known;
    ModuleOp module = capture ? captured(name) : ModuleOp();
    if (!module)
        return {};
    auto symbolOf = [&](FuncOp func) {
        return func.isPublic() ? symbol : symbol + "." + func.getSymName().str();
    };
    OpBuilder builder = OpBuilder::atBlockEnd(target.getBody());
    for (FuncOp func : module.getOps<FuncOp>()) {
        auto copy = cast<FuncOp>(builder.clone(*func));
        copy.setSymName(symbolOf(func));
        copy.setVisibility(SymbolTable::Visibility::Private);
        copy.setLibraryAttr(builder.getUnitAttr());
        copy->walk([&](Operation *op) {
            auto callee = calleeOf(op);
            if (auto named = callee ? module.lookupSymbol<FuncOp>(callee.getAttr()) : FuncOp())
                setCallee(op, FlatSymbolRefAttr::get(op->getContext(), symbolOf(named)));
        });
    }
    return target.lookupSymbol<FuncOp>(symbol);
}
