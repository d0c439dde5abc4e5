// Threads that outlive the interpreter (see the header).
#include "bindings/call/interpreter_lock.h"

#include <atomic>
#include <chrono>
#include <cxxabi.h>
#include <pthread.h>
#include <pybind11/pybind11.h>
#include <thread>
#include <unistd.h>

namespace shapecast::bindings {
namespace {

using namespace std::chrono_literals;

std::atomic<int> inside{0}; // threads that run Python code from C++
std::atomic<bool> isFinalising{false};
thread_local int depth = 0;          // of CallsPython in this thread
thread_local bool finalises = false; // the thread that finalises the interpreter

// False after the timeout.
template <class Condition> bool waitUntil(std::chrono::milliseconds timeout, Condition condition) {
    const auto last = std::chrono::steady_clock::now() + timeout;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > last)
            return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

// The handler never returns: a forced unwinding that is not rethrown would end the process.
template <class Take> auto unlessFinalising(Take take) {
    try {
        return take();
    } catch (abi::__forced_unwind &) {
        for (;;)
            pause();
    }
}

// Finalisation may still take a while, and may wait for this very thread: an atexit handler of the
// user's may join it. So the wait is bounded.
void waitAtFinalisation() {
    auto never = [] { return false; };
    if (!PyGILState_Check()) {
        waitUntil(3s, never);
        return;
    }
    WithoutInterpreterLock unlocked;
    waitUntil(3s, never);
}

} // namespace

bool isMainThread() { return getpid() == gettid(); }

void takeInterpreterLock(PyThreadState *state) {
    unlessFinalising([&] { PyEval_RestoreThread(state); });
}

CallsPython::CallsPython() {
    if (depth++ > 0)
        return;
    if (isFinalising.load() && !finalises)
        waitAtFinalisation();
    inside.fetch_add(1);
}

CallsPython::~CallsPython() {
    if (--depth == 0)
        inside.fetch_sub(1);
}

WithInterpreterLock::WithInterpreterLock()
    : state(unlessFinalising([] { return PyGILState_Ensure(); })) {}

static void letOthersFinish() {
    finalises = true;
    isFinalising = true;
    const int own = depth > 0;
    WithoutInterpreterLock unlocked;
    waitUntil(1s, [&] { return inside.load() <= own; });
}

void watchFinalisation() {
    pthread_atfork(nullptr, nullptr, [] { inside = depth > 0; }); // no other thread is in the child
    pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&letOthersFinish));
}

} // namespace shapecast::bindings
