// Serialisation of variants, for the cache on disk.
#pragma once

#include "variant.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shapecast {

// What is stored of a variant. Attributes and types are MLIR assembly.
struct StoredVariant {
    std::string entry; // the symbol in `objects`
    std::vector<std::string> resultTypes, guards, callOuts;
    std::vector<std::string> loops;  // symbols of the ufunc loops that the objects call
    bool drawsNumbers = false;       // by NumPy's distributions, which must be loaded
    bool drawsLegacyNumbers = false; // as RandomState does
    bool raises = false;
    std::string resultTree, writes;
    std::vector<std::string> kept; // of each its writes, and the number of its types, and these
    std::vector<int64_t> carriedResults, scalarResults, written;
    std::vector<ErrorSite> sites;
    std::vector<std::string> objects; // object files
    std::string ptx;                  // of kernels
    std::vector<device::KernelSource> kernels;
    double milliseconds = 0;
};

StoredVariant storedOf(const Variant &variant, llvm::StringRef entry,
                       std::vector<std::string> objects);

// `files`: the file names of frames, stored as indices, so that the reader may have the files under
// other names.
std::string toBytes(const StoredVariant &stored, llvm::ArrayRef<std::string> files);
std::optional<StoredVariant> fromBytes(llvm::StringRef bytes, llvm::ArrayRef<std::string> files);

std::optional<StoredVariant> loadCode(DiskCache &disk, const CodeOnDisk &entry);
// All but the code; null if the text does not parse in this build.
std::unique_ptr<Variant> variantOf(const StoredVariant &stored, mlir::MLIRContext &context);

} // namespace shapecast
