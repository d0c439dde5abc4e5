// np-infer: members of an Enum. Where an operation takes a number or string, those that are one
// (IntEnum, StrEnum) become their value.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

// An operation on members that their class defines, or whose result one of several members has
// without a branch for each; none for others.
std::optional<Val> visitMember(Inference &in, mlir::Operation *op);

// The operands of an operation that takes values, for as long as this lives.
class MembersAsValues {
public:
    MembersAsValues(Inference &in, mlir::Operation *op);
    ~MembersAsValues();
    MembersAsValues(const MembersAsValues &) = delete;
    MembersAsValues &operator=(const MembersAsValues &) = delete;

private:
    Inference &in;
    llvm::SmallVector<std::pair<mlir::Value, Val>, 0> given;
};

// The operands of a function of NumPy, math or builtins that takes values.
void membersToValues(TypedBuilder &e, llvm::StringRef function,
                     llvm::MutableArrayRef<Val> operands);

} // namespace shapecast
