// The first level of the cache on disk: a call's variant is found without capturing the function or
// inferring its types.
//
// Three kinds of entries are looked up, one after the other. The key of the first is the function's
// own code: it has the names that captures of it have looked up outside (capture/dependencies.h),
// each list with the hash of a text of what was found. If the look-ups give a text of the same hash
// now, a capture now would be the same; nothing else of the list is used. The key of the second is
// that text (which contains the list) and the types of the call's arguments: it has the variants
// that were compiled for them. Each of these is an entry of the third kind, which compile() stored
// under the typed module, with guards that the call has to satisfy.
//
// Objects, and Python functions that compiled code calls, cannot be identified in another process:
// calls with them miss at this level.
#pragma once

#include "bindings/call/arguments.h"
#include "bindings/call/probe.h"
#include "capture/dependencies.h"
#include "ir/call_structure.h"
#include "support/disk_cache.h"
#include "variant.h"

namespace shapecast {
struct CompileOptions;
} // namespace shapecast

namespace shapecast::bindings {

// What the keys have of a function besides its code.
struct DirectFunction {
    np::CallStructure structure; // see flatten.h
    ParameterSet declaredStatic; // by static_argnames
};

// A captured function: its text for the keys of calls, empty where it has none.
struct DirectCapture {
    std::string text;
    std::vector<capture::Dependency> dependencies;
    ParameterSet requestedStatic;
    bool hasContainers = false; // Captured::containers, which are not stored
};

// What capture() would return, without the module; none where no such capture is on disk. Fills
// `direct`.
std::optional<capture::Captured> findCapture(DiskCache &disk, PyObject *function,
                                             const DirectFunction &about, DirectCapture &direct);
// After capture(): empty where a dependency has changed meanwhile.
DirectCapture directCapture(PyObject *function, const capture::Captured &captured);
void storeCapture(DiskCache &disk, PyObject *function, const DirectFunction &about,
                  const DirectCapture &direct);

// The key of a call's variants; none where they are not stored.
std::optional<CacheKey> keyOfCall(const DirectFunction &about, const DirectCapture &direct,
                                  const Call &call, size_t parameters,
                                  const CompileOptions &options);
// The first variant that `fits` accepts (by its guards); null where there is none.
std::unique_ptr<Variant> findVariant(DiskCache &disk, const CacheKey &key,
                                     llvm::function_ref<bool(const Variant &)> fits);
void storeVariant(DiskCache &disk, const CacheKey &key, llvm::StringRef label,
                  const Variant &variant, const CodeOnDisk &code, const ProbeLog::Probes &probes);

} // namespace shapecast::bindings
