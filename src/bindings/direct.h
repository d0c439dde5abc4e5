// The first level of the cache on disk: a call's variant is found without capturing the function or
// inferring its types.
//
// Three kinds of entries lead to it. A function's own code leads to the names that capturing it has
// looked up outside (capture/dependencies.h). What these names stand for now, and the types of the
// call's arguments, lead to a list of the variants that were compiled for them. Each of these is an
// entry that compile() made, found by the typed module, with guards that the call has to meet.
//
// What cannot be told apart in another process (objects, Python functions that compiled code calls)
// is not found at this level.
#pragma once

#include "bindings/arguments.h"
#include "bindings/callouts.h"
#include "capture/dependencies.h"

namespace shapecast::bindings {

// What a function is found by.
struct DirectFunction {
    std::string structure;    // see nested.h
    ParameterSet givenStatic; // parameters of which the user wants the values compiled in
};

// What is known of a captured function: its text for the keys of calls, empty where it has none.
struct DirectCapture {
    std::string text;
    std::vector<capture::Dependency> dependencies;
    ParameterSet demandedStatic;
};

// What capture() would give, without the module; none where nothing is on disk, or something has
// changed. `direct` is filled.
std::optional<capture::Captured> findCapture(DiskCache &disk, PyObject *function,
                                             const DirectFunction &about, DirectCapture &direct);
// After capture().
DirectCapture directCapture(PyObject *function, const capture::Captured &captured);
void storeCapture(DiskCache &disk, PyObject *function, const DirectFunction &about,
                  const DirectCapture &direct);

// The key of a call's variants; none where they are not kept.
std::optional<CacheKey> keyOfCall(const DirectFunction &about, const DirectCapture &direct,
                                  const Call &call, size_t parameters,
                                  const CompileOptions &options);
// Where `fits` says so of a variant's guards.
std::unique_ptr<Variant> findVariant(DiskCache &disk, const CacheKey &key,
                                     llvm::function_ref<bool(const Variant &)> fits);
void storeVariant(DiskCache &disk, const CacheKey &key, llvm::StringRef label,
                  const Variant &variant, const CodeOnDisk &place, const ProbeLog::Probes &probes);

} // namespace shapecast::bindings
