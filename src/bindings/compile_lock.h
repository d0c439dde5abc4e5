// The locks of the compiler, and what fork() and the end of threads have to do with them.
//
// In this order: CompileLock, the compiler's mutex, the interpreter's lock. Nobody who has a later
// one waits for an earlier one: it gives the interpreter's lock up meanwhile.
#pragma once

#include "bindings/interpreter_lock.h"

#include <mutex>

namespace shapecast::bindings {

bool isMainThread(); // the only one in which Python runs signal handlers

// Held while capturing and compiling: MLIR's context is one for the process.
class CompileLock {
    CallsPython callsPython;

public:
    CompileLock();
    ~CompileLock();
    CompileLock(const CompileLock &) = delete;
    CompileLock &operator=(const CompileLock &) = delete;
};

// Held while the compiler itself runs, without the interpreter's lock. fork() waits for it, so that
// a child does not find LLVM in the middle of something, and so does the end of a thread that has
// used MLIR: what MLIR keeps for the thread ends under locks of MLIR's, which a fork in that moment
// would leave locked in the child for ever.
std::mutex &compilerMutex();
void lockCompiler(); // where the thread may have the interpreter's lock

void watchForks();    // once, when the module is loaded
bool isAboutToFork(); // this thread has the mutex, and runs what Python runs before a fork

// After a compilation: what it has made for this thread is to end under the compiler's mutex.
void endThreadLocked();

} // namespace shapecast::bindings
