// Calls of captured functions: inlined, or of typed functions of their own.
#pragma once

#include "passes/frontend/inline.h"
#include "passes/infer/inference.h"

namespace shapecast {

// The last operands of a call are its keyword arguments.
llvm::SmallVector<std::pair<llvm::StringRef, Val>> keywords(mlir::Location loc,
                                                            std::optional<mlir::ArrayAttr> names,
                                                            llvm::SmallVectorImpl<Val> &operands);
CallArguments<Val> callArguments(llvm::ArrayRef<Val> positional,
                                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// What *args is of f(a, *list): the items of a list, of a length known only at run time, from
// `start` on. The last of a call's positional arguments.
Val restOfCall(TypedBuilder &e, const Val &list, size_t start);
Val tupleOfRest(Inference &in, llvm::ArrayRef<Val> first, const Val &list, int64_t start);
Val callCaptured(Inference &in, np::FuncOp callee, const CallArguments<Val> &call,
                 mlir::Location location);
// The parameter of a generator function for what takes its items, behind its captured variables. Of
// one that does not end by itself it has another name.
inline constexpr llvm::StringLiteral consumerParameter = "free consume ",
                                     endlessConsumer = "free endless ";
size_t placeOfConsumer(np::FuncOp generator);
// Whether its calls are calls now, of code that they share: see passes/frontend/shared_functions.h.
bool sharesCode(const Inference &in, np::FuncOp callee);
Val inlineLibraryCall(Inference &in, np::FuncOp written, const CallArguments<Val> &call);
// Python's TypeError for these arguments; none: it takes them.
std::optional<std::string> refusalOf(Inference &in, np::FuncOp callee,
                                     const CallArguments<Val> &call);

// The callee's body, inlined here for these arguments.
Val inlineBody(Inference &in, np::FuncOp callee, llvm::ArrayRef<Val> arguments,
               mlir::Location location);

} // namespace shapecast
