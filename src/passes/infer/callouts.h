// Calls of Python at run time.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// a call of Python at run time
Val callOut(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands,
            llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// The same, of the type that the text in JSON says as an answer of the probe does.
Val callOutGiving(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands,
                  llvm::StringRef result);
// Arguments of a call in JSON, as the probe takes them.
std::string describeArguments(Inference &in, llvm::ArrayRef<Val> operands,
                              llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
std::optional<Val> foldTextMethod(Inference &in, const Val &text, llvm::StringRef name,
                                  llvm::ArrayRef<Val> operands,
                                  llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// The string in memory that Python makes of a thunk.
Val textByPython(Inference &in, const Val &thunk);
bool canCallOut();

} // namespace shapecast
