// Variants as bytes, for the cache on disk.
#pragma once

#include "compile.h"

namespace shapecast {

// What is stored of a variant. Attributes and types are MLIR's text.
struct StoredVariant {
    std::string entry; // the symbol in `objects`
    std::vector<std::string> resultTypes, guards, callOuts;
    std::vector<std::string> loops;  // of ufuncs that the objects call: symbols of them
    bool drawsNumbers = false;       // with NumPy's distributions, which must be loaded
    bool drawsLegacyNumbers = false; // as RandomState does
    bool raises = false;
    std::string resultTree, writes;
    std::vector<int64_t> carriedResults;
    std::vector<ErrorSite> sites;
    std::vector<std::string> objects; // object files
    double milliseconds = 0;
};

StoredVariant storedOf(const Variant &variant, llvm::StringRef entry,
                       std::vector<std::string> objects);

// `files`: names that frames have, stored as their number, so that the reader may know them by
// other names.
std::string toBytes(const StoredVariant &stored, llvm::ArrayRef<std::string> files);
std::optional<StoredVariant> fromBytes(llvm::StringRef bytes, llvm::ArrayRef<std::string> files);

std::optional<StoredVariant> loadCode(DiskCache &disk, const CodeOnDisk &place);
// All but the code; null where the text is none of this build's.
std::unique_ptr<Variant> variantOf(const StoredVariant &stored, mlir::MLIRContext &context);

} // namespace shapecast
