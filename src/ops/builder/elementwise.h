// Ufuncs, and logic on Python bools.
#pragma once

#include "ops/builder/typed_builder.h"
#include "ops/ufunc/ufunc.h"

namespace shapecast {

Val ufunc(TypedBuilder &e, llvm::StringRef name, llvm::ArrayRef<Val> operands,
          std::optional<DType> dtype = std::nullopt, Casting casting = Casting::SameKind);
// astype: arrays give a fresh array
Val castTo(TypedBuilder &e, const Val &v, DType dtype);
Val unary(TypedBuilder &e, llvm::StringRef op, const Val &a);
llvm::StringRef negatedRelation(llvm::StringRef relation); // of Val::relation
// a and b, of Python bools
Val logicalAnd(TypedBuilder &e, const Val &a, const Val &b);
// a or b
Val logicalOr(TypedBuilder &e, const Val &a, const Val &b);
// Raises the exception at run time where the condition holds.
void raiseIf(TypedBuilder &e, const Val &condition, llvm::StringRef exception,
             const llvm::Twine &message);
// TypeError unless `v` is a real number, as Python's math requires.
void checkReal(TypedBuilder &e, const Val &v);

} // namespace shapecast
