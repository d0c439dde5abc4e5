// What classes in Python have, by the module's attribute `np.methods`.
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

bool isInstance(const Val &v); // of a class in Python, in memory or not
// Of the class of that number; null: it has nothing under that name.
np::MethodAttr memberOfTable(Inference &in, llvm::StringRef number, llvm::StringRef name);
// What its class has under that name; null: nothing.
np::MethodAttr methodOf(Inference &in, const Val &v, llvm::StringRef name);
Val callMethod(Inference &in, np::MethodAttr method, const Val &self,
               llvm::ArrayRef<Val> positional,
               llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named = {});

} // namespace shapecast
