// What a handler reads of the exception that it caught: attributes, `args`, its class.
//
// Such an exception is a Python object that exists at run time only. The type of an attribute is
// that of samples, made with arguments of the types that calls of its class have in the captured
// code (python/shapecast/_callouts.py); each read checks it.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// "builtins.KeyError builtins.IndexError" for `except (KeyError, IndexError)`.
std::string exceptionClasses(TypedBuilder &e, const Val &v);
// The exception of that number, which a handler of these classes caught.
Val caughtException(TypedBuilder &e, const Val &number, const Val &classes);
// A call of the class; remembers its arguments' types.
Val makeException(Inference &in, llvm::StringRef exception, llvm::ArrayRef<Val> positional,
                  llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// primitives.item_of_exception(number, classes, name, index, type): an item of an attribute, a
// list.
Val itemOfException(Inference &in, llvm::ArrayRef<Val> operands);
void rememberKeyError(Inference &in, const Val &key);
// Operations on a caught exception; none for others.
std::optional<Val> visitException(Inference &in, mlir::Operation *op);

} // namespace shapecast
