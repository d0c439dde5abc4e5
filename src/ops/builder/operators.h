// Python's operators on values of any kind: arithmetic (arithmetic.cpp), comparisons and `in`
// (comparisons.cpp), indexing and augmented assignments (operators.cpp).
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// Python operator on any two values
Val binary(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &b);
Val compare(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &b);
bool isOpen(const Val &v); // it may be None, or is of one of several kinds
// `visit` in both arms of a branch on which kind `part`, which is open, is of.
Val ofEachKind(TypedBuilder &e, Val &part, llvm::function_ref<Val()> visit);
// The messages of their TypeErrors: of arithmetic, with the names of the classes, and of orderings.
std::string operandError(llvm::StringRef op, llvm::StringRef a, llvm::StringRef b, bool inPlace);
std::string orderError(llvm::StringRef op, const Val &a, const Val &b);
// item in container
Val contains(TypedBuilder &e, const Val &container, const Val &item);
Val getItem(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys);
void setItem(TypedBuilder &e, const Val &base, llvm::ArrayRef<Val> keys, const Val &value);
Val inplace(TypedBuilder &e, llvm::StringRef op, const Val &target, const Val &value);
// Complex numbers have no floor division or remainder: TypeError, of the operator.
void checkDivisible(TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &b);
// tuple.index(x), tuple.count(x), and the methods of lists.
Val tupleMethod(TypedBuilder &e, const Val &tuple, llvm::StringRef name,
                llvm::ArrayRef<Val> arguments);

} // namespace shapecast
