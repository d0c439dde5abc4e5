#include "bindings/dispatch/timed.h"

#include "bindings/dispatch/parameters.h"

namespace shapecast::bindings {

struct Called {
    Ref function;
    JittedFunction *state; // its own
};
static std::vector<Called> called; // each once, under the core lock

static std::shared_ptr<JittedFunction> newState(const JittedFunction &plain) {
    auto state = std::make_shared<JittedFunction>();
    state->fallback = plain.fallback;
    state->debug = plain.debug;
    state->bigint = plain.bigint;
    state->profile = true;
    state->times = plain.times;
    PyObject *names = plain.staticNames.get();
    if (!readParameters(*state, plain.function.get()) || (names && !readStaticNames(*state, names)))
        return nullptr;
    return state;
}

static void forgetTimes(FunctionTimes &times) {
    llvm::erase_if(times, [](const auto &one) { return one.use_count() == 1; }); // variants dropped
    for (const auto &one : times) {
        one->rows.clear();
        one->calls = 0;
        one->isNew = false;
    }
}

std::shared_ptr<JittedFunction> timedStateOf(PyObject *jitted, JittedFunction &plain) {
    CoreLock core;
    const bool isFirst = !std::exchange(plain.isListed, true);
    if (isFirst)
        called.push_back({Ref::share(jitted), &plain});
    if (!plain.times)
        plain.times = std::make_shared<FunctionTimes>();
    if (isFirst)
        forgetTimes(*plain.times);
    if (!plain.timed)
        plain.timed = newState(plain);
    return plain.timed;
}

void setProfiling(bool on) {
    profileNumber.fetch_add(on, std::memory_order_relaxed);
    profiling.store(on, std::memory_order_relaxed);
    std::vector<Called> forgotten; // freed after the lock
    CoreLock core;
    if (on)
        return;
    for (const Called &function : called)
        function.state->isListed = false;
    forgotten.swap(called);
}

std::vector<Ref> profiledFunctions() {
    CoreLock core;
    std::vector<Ref> functions;
    for (const Called &one : called)
        functions.push_back(Ref::share(one.function.get()));
    return functions;
}

} // namespace shapecast::bindings
