// Calls of Python from compiled code, and the probe that infers their result types.
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
// The number of an object's kind: its class and what else compiled calls with it depend on; see
// kind_of in _callouts.py. Negative with an exception set.
int32_t kindOf(PyObject *object);
std::string kindName(int32_t kind);
// The result type of a call, both as JSON: see probe in _callouts.py.
std::string probeCallOut(llvm::StringRef call);

// Records the calls of probeCallOut and their answers during its lifetime.
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
