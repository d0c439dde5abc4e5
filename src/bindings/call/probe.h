// The probe: infers the result types of calls of Python.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <utility>
#include <vector>

namespace shapecast::bindings {

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
