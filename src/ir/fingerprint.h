// A module serialised to bytes, to be hashed: equal bytes, equal modules.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace shapecast::np {

struct Fingerprint {
    std::string bytes;
    // Files in locations, in order of appearance. In `bytes` a location has a number for its file,
    // since notebooks and temporary files have other names in each process.
    std::vector<std::string> files;
};

Fingerprint fingerprintOf(mlir::ModuleOp module);

// Whether the module serialised to these bytes means the same in another process: it refers to
// nothing by a number of this process (objects, record classes, functions called in Python).
bool isPortable(llvm::StringRef bytes);

} // namespace shapecast::np
