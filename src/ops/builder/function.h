// Functions by name, with their Python signatures: the tables are in ops/tables.h.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// Arguments bound to the parameters of a function's Python signature; absent ones are Unbound.
struct Arguments {
    llvm::StringMap<Val> byName;
    const Val *find(llvm::StringRef name) const; // null when absent
    const Val &operator[](llvm::StringRef name) const { return *find(name); }
};

struct Function {
    llvm::StringRef name; // "numpy.sum", "builtins.len", "math.*" are the full names
    // "a, axis=, dtype=, keepdims=": those with `=` may be absent; "*args" collects.
    llvm::StringRef parameters;
    Val (*emit)(TypedBuilder &e, const Arguments &arguments);
    bool method = false; // also x.name(...) on arrays, with the first parameter the array
};

const Function *findFunction(llvm::StringRef name);
// "sum" -> numpy.sum's entry, or a method-only one ("ndarray.astype").
const Function *findMethod(llvm::StringRef name);
Val callFunction(TypedBuilder &e, const Function &function, llvm::ArrayRef<Val> positional,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);

} // namespace shapecast
