// The locks of the compiler: see the header.
#include "bindings/cache/compile_lock.h"

#include <new>
#include <pthread.h>
#include <pybind11/pybind11.h>
#include <unistd.h>
#include <utility>

extern "C" int __cxa_thread_atexit(void (*)(void *), void *, void *) noexcept; // thread_local's
extern "C" void *__dso_handle;

namespace shapecast::bindings {

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

static thread_local bool forks = false; // Python is about to fork in this thread

bool isAboutToFork() { return forks; }

// os.fork() waits before Python takes locks of its own, which other threads acquire while they hold
// the interpreter lock. The handlers of the C library run later, and are for other forks.
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

//===-- The exit of a thread

// A thread's destructors run in reverse order of registration: the last one locks, then those that
// MLIR has registered in between run, and the first one unlocks.
static thread_local bool exitsLocked = false;

static void lockAtExit(void *) {
    if (!std::exchange(exitsLocked, true))
        compilerMutex().lock();
}

static void unlockAtExit(void *) {
    if (std::exchange(exitsLocked, false))
        compilerMutex().unlock();
}

static void atThreadExit(void (*destructor)(void *)) {
    if (!isMainThread()) // which exits with the process
        __cxa_thread_atexit(destructor, nullptr, &__dso_handle);
}

void lockAtThreadExit() { atThreadExit(lockAtExit); }

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
        atThreadExit(unlockAtExit);
    if (compileMutex().try_lock())
        return;
    WithoutInterpreterLock unlocked;
    compileMutex().lock();
}

CompileLock::~CompileLock() {
    // Any use of MLIR may create thread-local data, but no longer after many of them.
    static thread_local unsigned left = 64;
    if (left) {
        --left;
        lockAtThreadExit();
    }
    compileMutex().unlock();
}

} // namespace shapecast::bindings
