// What the driver knows: devices, streams with their work, and the error that ended it.
//
// Work on a stream is done when somebody waits for it, and no sooner (with a seed: at random). So a
// program that reads a result without having waited gets bytes that are no result.
#pragma once

#include "block.h"

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <unistd.h>

namespace driver {

/// Up to the work with this number, of a stream.
struct Dependency {
    CUstream_st *stream;
    uint64_t until;
};
struct Task {
    std::function<void()> work; // throws Fault
    std::vector<Dependency> after;
    uint64_t number = 0;
};

} // namespace driver

struct CUgraph_st {
    std::vector<std::function<void()>> work; // in an order that dependences allow
    bool isValid = true;
};
struct CUgraphExec_st {
    std::vector<std::function<void()>> work;
};
struct CUctx_st {
    int device;
    int references = 0;
    CUstream_st *legacy = nullptr;
};
struct CUstream_st {
    CUctx_st *context;
    bool isBlocking; // waits for the legacy default stream, and it for this one
    std::deque<driver::Task> tasks;
    uint64_t lastNumber = 0, doneNumber = 0;
    std::vector<driver::Dependency> owed; // by the next task: cuStreamWaitEvent
    CUgraph_st *capture = nullptr;
    bool capturesItself = false; // not by an event of another stream
};
struct CUevent_st {
    CUstream_st *stream = nullptr;
    uint64_t number = 0;
    CUgraph_st *capture = nullptr;
    bool hasTime = true;
};
struct CUfunc_st {
    CUmod_st *module;
    const driver::Function *function;
};
struct CUmod_st {
    std::shared_ptr<driver::Module> program;
    std::map<std::string, CUfunc_st> functions;
    std::vector<uint64_t> variables; // their addresses
    CUctx_st *context;
};

namespace driver {

class Driver {
public:
    static Driver &get();

    std::recursive_mutex mutex;
    bool isInitialised = false;
    int pid = 0; // of the process that initialised it: a fork's child may not go on
    std::vector<CUctx_st> contexts; // the primary one of each device
    Memory memory;
    Counters counters{};
    CUresult error = CUDA_SUCCESS; // of the device: it stays
    std::string report;
    uint64_t memoryBytes, mostInstructions;
    std::set<CUstream_st *> streams;
    std::vector<std::unique_ptr<CUstream_st>> destroyed; // events may still name them
    std::set<CUevent_st *> events;
    std::set<CUmod_st *> modules;

    bool isContext(const CUctx_st *context) const {
        return context >= contexts.data() && context < contexts.data() + contexts.size();
    }
    CUctx_st *current();
    void setCurrent(CUctx_st *context); // in place of the current one
    void push(CUctx_st *context);
    /// The stream of a handle, which may name a default one; null for one that is none.
    CUstream_st *stream(CUstream handle);
    CUstream_st *newStream(CUctx_st *context, bool isBlocking);

    /// Puts work on a stream, or into the graph that it captures.
    void enqueue(CUstream_st &stream, std::function<void()> work);
    /// Does the work of a stream up to a number.
    void run(CUstream_st &stream, uint64_t until);
    void runAll(CUctx_st *context);
    void fail(const Fault &fault);

    uint32_t nextLaunch();
    std::minstd_rand *random() { return seed ? &*seed : nullptr; }
    void setSeed(uint64_t value);
    void reset();

private:
    Driver();
    void runSomething();
    std::optional<std::minstd_rand> seed;
    uint32_t launches = 0;
};

/// A function of the interface: initialised, in the process that did it, with no error so far. The
/// body returns the code, or throws Fault. `needsContext`: one is current.
template <class Body> CUresult guarded(bool needsContext, Body body) {
    Driver &driver = Driver::get();
    std::lock_guard lock(driver.mutex);
    if (!driver.isInitialised || driver.pid != getpid())
        return CUDA_ERROR_NOT_INITIALIZED;
    if (driver.error != CUDA_SUCCESS)
        return driver.error;
    if (needsContext && !driver.current())
        return CUDA_ERROR_INVALID_CONTEXT;
    try {
        CUresult result = body(driver);
        return driver.error != CUDA_SUCCESS ? driver.error : result;
    } catch (const Fault &fault) {
        driver.fail(fault);
        return fault.code;
    } catch (const std::bad_alloc &) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception &) { // a device that is none
        return CUDA_ERROR_INVALID_VALUE;
    }
}

} // namespace driver

#define DRIVER_API extern "C" [[gnu::visibility("default")]] CUresult
