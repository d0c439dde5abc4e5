// Releases and acquires the interpreter lock (the GIL), in threads that may outlive the
// interpreter.
//
// Where a thread acquires the lock during interpreter finalisation, Python (until 3.14) ends the
// thread by unwinding its stack, and destructors then run without the lock. So during finalisation
// other threads do not start to compile or to call Python, those that already do are waited for,
// and a thread that acquires the lock nevertheless sleeps until the process ends.
#pragma once

#include "capture/python.h"

namespace shapecast::bindings {

void takeInterpreterLock(PyThreadState *state); // as PyEval_RestoreThread
bool isMainThread();                            // the only one in which Python runs signal handlers

struct WithoutInterpreterLock {
    PyThreadState *state = PyEval_SaveThread();
    ~WithoutInterpreterLock() { takeInterpreterLock(state); }
};

// The scope in which C++ runs Python code. The lock may be held or not when it is entered; it is
// released while waiting.
class CallsPython {
public:
    CallsPython();
    ~CallsPython();
    CallsPython(const CallsPython &) = delete;
    CallsPython &operator=(const CallsPython &) = delete;
};

// Acquires the lock to run Python code, in any thread, whether it holds the lock or not.
class WithInterpreterLock {
    CallsPython callsPython;
    PyGILState_STATE state;

public:
    WithInterpreterLock();
    ~WithInterpreterLock() { PyGILState_Release(state); }
};

// Once, when the module is loaded: registers an atexit handler, which waits for other threads, one
// second at most.
void watchFinalisation();

} // namespace shapecast::bindings
