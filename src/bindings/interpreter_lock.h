// Giving the interpreter's lock up and taking it again, in threads that may outlive the
// interpreter.
//
// Where a thread asks for the lock while the interpreter ends, Python (until 3.14) ends the thread
// by unwinding its stack, and destructors then run without the lock. So while it ends, others do
// not begin to compile or to call Python, those that do are waited for, and what asks for the lock
// all the same sleeps until the process ends.
#pragma once

#include "bindings/python.h"

namespace shapecast::bindings {

void takeInterpreterLock(PyThreadState *state); // as PyEval_RestoreThread

struct WithoutInterpreterLock {
    PyThreadState *state = PyEval_SaveThread();
    ~WithoutInterpreterLock() { takeInterpreterLock(state); }
};

// Where C++ runs Python code: made with or without the lock, which it gives up to wait.
class CallsPython {
public:
    CallsPython();
    ~CallsPython();
    CallsPython(const CallsPython &) = delete;
    CallsPython &operator=(const CallsPython &) = delete;
};

// The interpreter's lock in any thread, whether it has it or not, to run Python code.
class WithInterpreterLock {
    CallsPython callsPython;
    PyGILState_STATE state;

public:
    WithInterpreterLock();
    ~WithInterpreterLock() { PyGILState_Release(state); }
};

// Once, when the module is loaded: notices that the interpreter ends, and waits for others then, a
// second at most.
void watchTheEnd();

} // namespace shapecast::bindings
