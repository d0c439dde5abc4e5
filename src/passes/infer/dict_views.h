// What only d.keys(), d.values() and d.items() do (ops/builder/dict_views.h).
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// Of an operation on a view that is not the same on a tuple or a list: none for others.
std::optional<Val> visitDictView(Inference &in, mlir::Operation *op);

// The operands of an operator, of which views are sets.
llvm::SmallVector<Val> operandsOfSets(Inference &in, llvm::StringRef op, mlir::ValueRange captured);

// While it lives, views of dicts that are not in memory are tuples of what they show, and those
// that are printed are texts, for an operation that does not keep them as they are.
class ViewsAsItems {
public:
    ViewsAsItems(Inference &in, mlir::Operation *op);
    ~ViewsAsItems();

private:
    Inference &in;
    llvm::SmallVector<std::pair<mlir::Value, Val>, 2> replaced;
};

} // namespace shapecast
