#include "passes/frontend/methods.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

SmallVector<std::pair<StringRef, MethodAttr>> shapecast::methodsOf(ModuleOp module) {
    SmallVector<std::pair<StringRef, MethodAttr>> methods;
    const DictionaryAttr table = NpDialect::MethodsAttrHelper(module.getContext()).getAttr(module);
    for (NamedAttribute one : table ? table.getValue() : ArrayRef<NamedAttribute>())
        if (auto method = dyn_cast<MethodAttr>(one.getValue()))
            methods.emplace_back(one.getName().getValue(), method);
    return methods;
}
