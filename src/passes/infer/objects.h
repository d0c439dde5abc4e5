// np-infer: instances of classes in Python that compiled code makes: what the class gives them
// (methods, properties, operators) is called as captured functions, which the module's attribute
// `np.methods` names.
#pragma once

#include "passes/infer/class_members.h"

namespace shapecast {

// An operation on such an instance that its class defines; none for others.
std::optional<Val> visitObject(Inference &in, mlir::Operation *op);
// An operator, or a comparison, of two values of which one is an instance; none: of others.
std::optional<Val> instanceOperator(Inference &in, llvm::StringRef op, const Val &a, const Val &b);
// A method, property or attribute of a member of an Enum, as its class or it has it; none: neither.
std::optional<Val> readOfMember(Inference &in, const Val &member, llvm::StringRef name);
std::optional<Val> callOfMember(Inference &in, const Val &member, np::MethodOp op);
// Whether it is an instance whose class has a __next__.
bool isIteratorObject(Inference &in, const Val &v);
// What `for x in v` iterates over: what __iter__ returns, where v is such an instance; a generator
// where that has a __next__.
Val iterableOf(Inference &in, const Val &v);
// str(v) or repr(v) of such an instance; none where its class defines neither.
std::optional<Val> textOfInstance(Inference &in, const Val &v, bool isStr);
// What dict(v) copies: what items() returns, or the pairs that it iterates over, where v is such an
// instance.
Val pairsOfInstance(Inference &in, const Val &v);

} // namespace shapecast
