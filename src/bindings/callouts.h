// Calls of Python out of compiled code, and the probe that finds their types.
#pragma once

#include "bindings/python.h"
#include "runtime/abi.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace shapecast::bindings {

int32_t callOut(runtime::Context *ctx, const runtime::PrintItem *items, int64_t site,
                const char *expected, int64_t length, int64_t *results);
// A number for what compiled code needs to know of an object, and of what class it is; see kind_of
// in _callouts.py. Negative with an exception set.
int32_t kindOf(PyObject *object);
std::string kindName(int32_t kind);
std::string probeCallOut(llvm::StringRef call);

// Notes what is asked of probeCallOut, and the answers, while it lives.
class ProbeLog {
public:
    using Probes = std::vector<std::pair<std::string, std::string>>;
    ProbeLog();
    ~ProbeLog();
    ProbeLog(const ProbeLog &) = delete;
    ProbeLog &operator=(const ProbeLog &) = delete;
    Probes probes;

private:
    ProbeLog *outer;
};

} // namespace shapecast::bindings
