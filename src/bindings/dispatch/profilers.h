// Calls of jitted functions while a profiler is on: it sees a Python function of the same name and
// line, which calls the jitted one. Without a profiler this costs one load and a branch.
#pragma once

#include "bindings/python.h"

#include <atomic>

namespace shapecast::bindings {

// Whether this thread's calls are to be shown to a profiler. The only use of the interpreter's
// fields that its manual does not describe.
inline bool isProfiled() {
#if PY_VERSION_HEX >= 0x030d0000
    // For sys.setprofile too, which is a tool of sys.monitoring since 3.12. Not for debuggers and
    // coverage (tools 0, 1 and 7), which would stop in a line that nobody wrote.
    static PyMonitoringState state = {};
    static uint64_t version = 0;
    static const uint8_t event = PY_MONITORING_EVENT_PY_START;
    PyMonitoring_EnterScope(&state, &version, &event, 1); // compares numbers where nothing changed
    return (state.active & 0b0111'1100) != 0;
#else
    return PyThreadState_Get()->c_profilefunc != nullptr;
#endif
}

// Whether it is the function of `callProfiled` that calls `jitted`.
bool isCalledByProfiled(PyObject *jitted);

// Calls it by the Python function `profiled`, which is made at the first call (_profiling.py).
PyObject *callProfiled(PyObject *jitted, PyObject *&profiled, PyObject *const *arguments,
                       size_t flags, PyObject *keywords);

} // namespace shapecast::bindings
