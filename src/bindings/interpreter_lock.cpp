// Threads that outlive the interpreter (see the header).
#include "bindings/interpreter_lock.h"

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
std::atomic<bool> isEnding{false};
thread_local int depth = 0;     // of CallsPython in this thread
thread_local bool ends = false; // the thread that ends the interpreter

// False: it took too long.
template <class Condition> bool waitUntil(std::chrono::milliseconds most, Condition condition) {
    const auto last = std::chrono::steady_clock::now() + most;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > last)
            return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

// Caught and never left: an unwinding that is not gone on with would end the process.
template <class Take> auto takenUnlessEnding(Take take) {
    try {
        return take();
    } catch (abi::__forced_unwind &) {
        for (;;)
            pause();
    }
}

// The interpreter may be about to end for a while yet, and wait for this very thread: a function
// that the user has registered with atexit may join it. So this goes on in the end.
void waitAtTheEnd() {
    auto never = [] { return false; };
    if (!PyGILState_Check()) {
        waitUntil(3s, never);
        return;
    }
    WithoutInterpreterLock unlocked;
    waitUntil(3s, never);
}

} // namespace

void takeInterpreterLock(PyThreadState *state) {
    takenUnlessEnding([&] { PyEval_RestoreThread(state); });
}

CallsPython::CallsPython() {
    if (depth++ > 0)
        return;
    if (isEnding.load() && !ends)
        waitAtTheEnd();
    inside.fetch_add(1);
}

CallsPython::~CallsPython() {
    if (--depth == 0)
        inside.fetch_sub(1);
}

WithInterpreterLock::WithInterpreterLock()
    : state(takenUnlessEnding([] { return PyGILState_Ensure(); })) {}

static void letOthersFinish() {
    ends = true;
    isEnding = true;
    const int own = depth > 0;
    WithoutInterpreterLock unlocked;
    waitUntil(1s, [&] { return inside.load() <= own; });
}

void watchTheEnd() {
    pthread_atfork(nullptr, nullptr, [] { inside = depth > 0; }); // no other thread is in the child
    pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&letOthersFinish));
}

} // namespace shapecast::bindings
