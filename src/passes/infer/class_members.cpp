#include "passes/infer/class_members.h"

#include "ops/builder/heap_sites.h"
#include "passes/infer/captured_calls.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

bool shapecast::isInstance(const Val &v) {
    return v.isRecord() || (v.isTuple() && v.attr) || isHeapObject(v);
}

MethodAttr shapecast::memberOfTable(Inference &in, StringRef number, StringRef name) {
    auto module = in.source->getParentOfType<ModuleOp>();
    const DictionaryAttr methods =
        NpDialect::MethodsAttrHelper(module.getContext()).getAttr(module);
    return methods ? methods.getAs<MethodAttr>((number + "." + name).str()) : MethodAttr();
}

MethodAttr shapecast::methodOf(Inference &in, const Val &v, StringRef name) {
    const SmallVector<StringRef> words = v.recordWords();
    return words.empty() ? MethodAttr()
                         : memberOfTable(in, words[0].take_while(llvm::isDigit), name);
}

Val shapecast::callMethod(Inference &in, MethodAttr method, const Val &self,
                          ArrayRef<Val> positional, ArrayRef<std::pair<StringRef, Val>> named) {
    SmallVector<Val> given;
    const StringRef form = method.getForm();
    if (form == "class")
        given.push_back(in.e.noneVal());
    else if (form != "static" && form != "value" && form != "refused")
        given.push_back(self);
    llvm::append_range(given, positional);
    auto callee = functionNamed(in, method.getSymbol());
    return callCaptured(in, callee, callArguments(given, named), in.e.loc);
}
