// The locks of the compiler, and their use by fork() and by the exit of threads.
//
// Lock order: CompileLock, the compiler's mutex, the interpreter lock (the GIL). A thread that
// holds a later one does not wait for an earlier one: it releases the interpreter lock first.
#pragma once

#include "bindings/call/interpreter_lock.h"

#include <mutex>

namespace shapecast::bindings {

// Held while capturing and compiling: the process has one MLIR context.
class CompileLock {
    CallsPython callsPython;

public:
    CompileLock();
    ~CompileLock();
    CompileLock(const CompileLock &) = delete;
    CompileLock &operator=(const CompileLock &) = delete;
};

// Held while the compiler itself runs, without the interpreter lock. fork() waits for it, so that
// the child gets LLVM in a consistent state. So does the exit of a thread that has used MLIR: its
// thread-local data are destroyed under locks of MLIR's, which a fork at that moment would leave
// locked in the child for ever.
std::mutex &compilerMutex();
void lockCompiler(); // the thread may hold the interpreter lock

void watchForks();    // once, when the module is loaded
bool isAboutToFork(); // this thread holds the mutex and runs Python's at-fork handlers

// After a compilation: MLIR's thread-local data of this thread are to be destroyed under the
// compiler's mutex.
void lockAtThreadExit();

} // namespace shapecast::bindings
