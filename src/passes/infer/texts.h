// Strings that are known only at run time: in memory, and thunks (ops/builder/text.h).
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// While it lives, operands that are thunks of strings are in memory, where the operation does not
// only print, format, raise or return them.
class TextsInMemory {
public:
    TextsInMemory(Inference &in, mlir::Operation *op);
    ~TextsInMemory();
    TextsInMemory(const TextsInMemory &) = delete;
    TextsInMemory &operator=(const TextsInMemory &) = delete;

private:
    Inference &in;
    llvm::SmallVector<std::pair<mlir::Value, Val>, 1> thunks; // of another block than the operation
};
// A method that the library has; none where the result is better a thunk, or where it has none.
std::optional<Val> libraryTextMethod(Inference &in, const Val &text, llvm::StringRef name,
                                     llvm::ArrayRef<Val> operands,
                                     llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// int(text), int(text, base), float(text); none for other functions and operands.
std::optional<Val> numberOfText(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands,
                                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

} // namespace shapecast
