// The first level of the cache on disk: a call's variant is found without capturing the function or
// inferring its types.
//
// Three kinds of entries lead to it. A function's own code leads to the lists of names that
// captures of it have looked up outside (capture/dependencies.h), each with the hash of the text
// that it gave then. A list by which the same text is found now is that of the capture that would
// be made now; nothing else of it is used. That text, which holds the list itself, and the types of
// the call's arguments lead to the variants that were compiled for them. Each of these is an entry
// that compile() made, found by the typed module, with guards that the call has to meet.
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

// What capture() would give, without the module; none where no such capture is on disk. `direct` is
// filled.
std::optional<capture::Captured> findCapture(DiskCache &disk, PyObject *function,
                                             const DirectFunction &about, DirectCapture &direct);
// After capture(): empty where something has changed meanwhile.
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
