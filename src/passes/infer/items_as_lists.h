// np-infer: iterables without a length, where all of their items are needed.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// Whether the operation puts this operand into a container, or an attribute.
bool stores(mlir::Operation *op, unsigned operand);

// Generators, and instances with __iter__ that are unpacked, among the operands of an operation
// become lists while it is emitted.
class ItemsAsLists {
public:
    ItemsAsLists(Inference &in, mlir::Operation *op);
    ~ItemsAsLists();

private:
    Inference &in;
    llvm::SmallVector<std::pair<mlir::Value, Val>> replaced;
};

} // namespace shapecast
