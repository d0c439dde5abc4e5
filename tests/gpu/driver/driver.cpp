#include "driver.h"

#include <cstdio>
#include <cstdlib>

namespace driver {
namespace {

uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
    const char *text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

thread_local std::vector<CUctx_st *> currentContexts;

} // namespace

Driver &Driver::get() {
    static Driver &only =
        *new Driver(); // never destroyed: streams may be used while the process ends
    return only;
}

Driver::Driver() {
    int devices = static_cast<int>(fromEnvironment("SHAPECAST_DRIVER_DEVICES", 1));
    memoryBytes = fromEnvironment("SHAPECAST_DRIVER_MEMORY", 8ull << 30);
    mostInstructions = fromEnvironment("SHAPECAST_DRIVER_INSTRUCTIONS", 200'000'000);
    setSeed(fromEnvironment("SHAPECAST_DRIVER_SEED", 0));
    contexts.resize(devices);
    for (int k = 0; k < devices; ++k)
        contexts[k].device = k;
    for (CUctx_st &one : contexts)
        one.legacy = newStream(&one, true);
}

void Driver::setSeed(uint64_t value) {
    if (value)
        seed.emplace(static_cast<uint32_t>(value));
    else
        seed.reset();
}

CUctx_st *Driver::current() { return currentContexts.empty() ? nullptr : currentContexts.back(); }

void Driver::setCurrent(CUctx_st *context) {
    if (!currentContexts.empty())
        currentContexts.pop_back();
    if (context)
        currentContexts.push_back(context);
}

void Driver::push(CUctx_st *context) { currentContexts.push_back(context); }

CUstream_st *Driver::newStream(CUctx_st *context, bool isBlocking) {
    auto *made = new CUstream_st;
    made->context = context;
    made->isBlocking = isBlocking;
    streams.insert(made);
    return made;
}

CUstream_st *Driver::stream(CUstream handle) {
    auto number = reinterpret_cast<uintptr_t>(handle);
    if (number == CU_STREAM_PER_THREAD) {
        thread_local std::map<CUctx_st *, CUstream_st *> own;
        CUstream_st *&mine = own[current()];
        if (!mine)
            mine = newStream(current(), true);
        return mine;
    }
    if (number == 0 || number == CU_STREAM_LEGACY)
        return current()->legacy;
    return streams.contains(handle) ? handle : nullptr;
}

void Driver::enqueue(CUstream_st &stream, std::function<void()> work) {
    if (stream.capture) {
        stream.capture->work.push_back(std::move(work));
        return;
    }
    Task task{std::move(work), std::move(stream.owed), ++stream.lastNumber};
    stream.owed.clear();
    bool isLegacy = &stream == stream.context->legacy;
    if (isLegacy) {
        for (CUstream_st *other : streams)
            if (other != &stream && other->isBlocking && other->context == stream.context)
                task.after.push_back({other, other->lastNumber});
    } else if (stream.isBlocking) {
        task.after.push_back({stream.context->legacy, stream.context->legacy->lastNumber});
    }
    stream.tasks.push_back(std::move(task));
    if (seed)
        runSomething();
}

void Driver::run(CUstream_st &stream, uint64_t until) {
    while (!stream.tasks.empty() && stream.tasks.front().number <= until) {
        Task task = std::move(stream.tasks.front());
        stream.tasks.pop_front();
        for (const Dependency &one : task.after)
            if (streams.contains(one.stream))
                run(*one.stream, one.until);
        if (error == CUDA_SUCCESS)
            task.work();
        stream.doneNumber = task.number;
    }
}

void Driver::runAll(CUctx_st *context) {
    for (CUstream_st *one : std::set(streams))
        if (one->context == context)
            run(*one, one->lastNumber);
}

// A device may be ahead of those who wait for it.
void Driver::runSomething() {
    if ((*seed)() % 4)
        return;
    for (CUstream_st *one : std::set(streams))
        if (!one->tasks.empty() && (*seed)() % 2)
            run(*one, one->tasks.front().number + (*seed)() % 3);
}

void Driver::fail(const Fault &fault) {
    if (error != CUDA_SUCCESS)
        return;
    error = fault.code;
    report = fault.what();
    std::fprintf(stderr, "The driver of the tests: %s\n", fault.what());
}

uint32_t Driver::nextLaunch() {
    launches = launches % ((1u << 18) - 1) + 1; // as wide as in a stamp, and never 0
    return launches;
}

void Driver::reset() {
    error = CUDA_SUCCESS;
    report.clear();
    counters = {};
    for (CUstream_st *one : streams) {
        one->tasks.clear();
        one->owed.clear();
        one->doneNumber = one->lastNumber;
        one->capture = nullptr;
    }
}

} // namespace driver

//===-- What only tests use

using driver::Driver;

DRIVER_API shapecastDriverCounters(uint64_t *values, size_t count) {
    std::lock_guard lock(Driver::get().mutex);
    std::memcpy(values, &Driver::get().counters,
                std::min(count * sizeof(uint64_t), sizeof(driver::Counters)));
    return CUDA_SUCCESS;
}
/// Forgets the error, counters and work that is not done; memory and modules stay.
DRIVER_API shapecastDriverReset() {
    std::lock_guard lock(Driver::get().mutex);
    Driver::get().reset();
    return CUDA_SUCCESS;
}
DRIVER_API shapecastDriverReport(const char **text) {
    std::lock_guard lock(Driver::get().mutex);
    *text = Driver::get().report.c_str();
    return CUDA_SUCCESS;
}
DRIVER_API shapecastDriverSeed(uint64_t value) {
    std::lock_guard lock(Driver::get().mutex);
    Driver::get().setSeed(value);
    return CUDA_SUCCESS;
}
