// All that a module says, as bytes to be hashed: equal bytes, equal modules.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace shapecast::np {

struct Fingerprint {
    std::string bytes;
    // Files that locations name, in order of appearance. In `bytes` a location has a number for its
    // file, since notebooks and temporary files have other names in each process.
    std::vector<std::string> files;
};

Fingerprint fingerprintOf(mlir::ModuleOp module);

// Whether a module that such bytes say all of means the same in another process: that it names
// nothing by a number of this one (objects, classes of records, functions that stay Python's).
bool isPortable(llvm::StringRef bytes);

} // namespace shapecast::np
