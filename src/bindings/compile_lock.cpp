// The locks of the compiler: see the header.
#include "bindings/compile_lock.h"

#include <new>
#include <pthread.h>
#include <pybind11/pybind11.h>
#include <unistd.h>
#include <utility>

extern "C" int __cxa_thread_atexit(void (*)(void *), void *, void *) noexcept; // thread_local's
extern "C" void *__dso_handle;

namespace shapecast::bindings {

bool isMainThread() { return getpid() == gettid(); }

//===-- The compiler's mutex

void lockCompiler() {
    if (compilerMutex().try_lock())
        return;
    if (!Py_IsInitialized() || !PyGILState_Check())
        return compilerMutex().lock();
    WithoutInterpreterLock unlocked;
    compilerMutex().lock();
}

std::mutex &compilerMutex() {
    static auto *mutex = new std::mutex;
    return *mutex;
}

//===-- Forks

static thread_local bool forks = false; // Python is about to fork in this thread, which has it

bool isAboutToFork() { return forks; }

// Python's forks wait before Python takes locks of its own, which others want while they have the
// interpreter's: the handlers of the C library, which come later, are for other forks.
void watchForks() {
    const auto registered = [](void (*function)()) { return pybind11::cpp_function(function); };
    const auto before = registered([] {
        lockCompiler();
        forks = true;
    });
    const auto after = registered([] {
        if (std::exchange(forks, false))
            compilerMutex().unlock();
    });
    using pybind11::literals::operator""_a;
    pybind11::module_::import("os").attr("register_at_fork")(
        "before"_a = before, "after_in_parent"_a = after, "after_in_child"_a = after);
    const auto unlock = [] {
        if (!forks)
            compilerMutex().unlock();
    };
    pthread_atfork(
        [] {
            if (!forks)
                lockCompiler();
        },
        unlock, unlock);
}

//===-- The end of a thread

// What a thread registers ends in reverse order: the last one locks, what MLIR has registered
// between ends, and the first one unlocks.
static thread_local bool endsLocked = false;

static void lockAtEnd(void *) {
    if (!std::exchange(endsLocked, true))
        compilerMutex().lock();
}

static void unlockAtEnd(void *) {
    if (std::exchange(endsLocked, false))
        compilerMutex().unlock();
}

static void atEndOfThread(void (*what)(void *)) {
    if (!isMainThread()) // which ends with the process
        __cxa_thread_atexit(what, nullptr, &__dso_handle);
}

void endThreadLocked() { atEndOfThread(lockAtEnd); }

//===-- CompileLock

alignas(std::recursive_mutex) static char mutexStorage[sizeof(std::recursive_mutex)];

// Recursive: capturing runs Python code, which may call a jitted function.
static std::recursive_mutex &compileMutex() {
    static auto *mutex = [] {
        // A forked child has one thread, and the mutex may be held by one that does not exist
        // there.
        pthread_atfork(nullptr, nullptr, [] { new (mutexStorage) std::recursive_mutex; });
        return new (mutexStorage) std::recursive_mutex;
    }();
    return *mutex;
}

CompileLock::CompileLock() {
    static thread_local bool isFirst = true;
    if (std::exchange(isFirst, false))
        atEndOfThread(unlockAtEnd);
    if (compileMutex().try_lock())
        return;
    WithoutInterpreterLock unlocked;
    compileMutex().lock();
}

CompileLock::~CompileLock() {
    // Whatever uses MLIR may make what it keeps for the thread, but not each of many times.
    static thread_local unsigned left = 64;
    if (left) {
        --left;
        endThreadLocked();
    }
    compileMutex().unlock();
}

} // namespace shapecast::bindings
