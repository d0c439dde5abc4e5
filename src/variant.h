// A variant: what a call of compiled code needs, as the compiler returns it and the cache on disk
// stores it.
#pragma once

#include "device/module.h"
#include "ir/np.h"
#include "runtime/abi.h"
#include "support/disk_cache.h"
#include "user_error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shapecast {

struct ProfileSite { // what time is measured for, where calls are profiled: passes/loops/profile.h
    std::string kind, text;
    std::vector<Frame> frames;
};

struct KeptChanges { // of an np.keep_changes: its operands, and its `writes`
    std::vector<mlir::Type> types;
    mlir::Attribute writes; // null: it was erased
};

struct Variant { // a specialisation: compiled code and its interface
    runtime::Entry entry = nullptr;
    std::vector<mlir::Type> resultTypes; // of np.return's operands
    mlir::Attribute resultTree;          // index, array (tuple), or #np.py static
    mlir::Attribute writes;              // null, or an array: changes to the caller's objects
    std::vector<KeptChanges> kept;       // by number
    std::vector<int64_t> carriedResults; // operands that are results of a branch or loop
    std::vector<int64_t> scalarResults;  // arrays on a device that are scalars in the host
    std::vector<np::GuardAttr> guards;   // all must hold for the variant to be valid
    std::vector<ErrorSite> sites;
    std::vector<ProfileSite> profile;  // the rows of a profiled call; empty: it is not
    std::vector<std::string> callOuts; // "numpy.fft.fft (line 5)": calls back into Python
    std::shared_ptr<void> code;        // keeps the machine code alive
    std::optional<int> device;         // its ordinal, if arguments live on one
    std::vector<int64_t> written;      // then: the array parameters that it may write to
    std::string ptx;                   // the kernels' text; empty: there are none
    std::vector<device::KernelSource> kernels;
    double milliseconds = 0;
    bool raises = false;   // unconditionally, if the guards hold
    bool fromDisk = false; // a hit in the cache on disk
};

struct CodeOnDisk { // the cache entry of a variant's code
    CacheKey key{};
    std::vector<std::string> files; // that frames name, by their numbers in the entry
    // Neither the code nor its metadata holds process-local ids: of kinds of objects, of classes of
    // records, of Python functions.
    bool isPortable = true;
};

std::string guardText(np::GuardAttr guard); // "s0 == s1 (line 4)"

} // namespace shapecast
