// Merges the tables of run-time functions, with the compiler support functions that generated code
// may need.
#include "runtime/symbols.h"
#include "runtime/poll.h"
#include "runtime/threads.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <vector>

// libgcc's helpers: code generation calls them for float16 (no hardware float64 -> float16) and
// 128-bit integers.
extern "C" {
void __truncdfhf2();
void __truncsfhf2();
void __extendhfsf2();
void __divti3();
void __modti3();
void __udivti3();
void __umodti3();
}

namespace shapecast::runtime {

static Printer printer = nullptr;

static Raiser raiser = nullptr;

static Caller caller = nullptr;

static Catcher catcher = nullptr;

static Poller poller = nullptr;

void setPrinter(Printer newPrinter) { printer = newPrinter; }
void setRaiser(Raiser newRaiser) { raiser = newRaiser; }
void setCaller(Caller newCaller) { caller = newCaller; }
void setCatcher(Catcher newCatcher) { catcher = newCatcher; }
void setPoller(Poller newPoller) { poller = newPoller; }

extern "C" void sc_poll(Context *ctx) {
    ctx->fuel = pollGrain;
    if (ctx->team) { // only the team's leader calls the poller
        if (isStopped(*ctx->team))
            _longjmp(ctx->stop, 1);
        return;
    }
    if (!poller)
        return;
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    const int64_t now = time.tv_sec * 1'000'000'000 + time.tv_nsec;
    if (now >= ctx->nextPoll && poller(ctx, now))
        _longjmp(ctx->stop, 1); // over frames of compiled code, which have no destructors
}

// Leaves room below for functions that the deepest call calls, print() for example.
extern "C" uintptr_t sc_stack_end(Context *ctx) {
    static thread_local uintptr_t end = 0;
    pthread_attr_t attributes;
    if (!end && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *lowest = nullptr;
        size_t size = 0;
        pthread_attr_getstack(&attributes, &lowest, &size);
        pthread_attr_destroy(&attributes);
        end = reinterpret_cast<uintptr_t>(lowest) + std::min(size / 4, size_t{1} << 18);
    }
    return ctx->stackEnd = end;
}

// For programs without Python: numbers only, in C's format.
static void printPlainly(const PrintItem &item) {
    double value;
    std::memcpy(&value, &item.b, 8);
    switch (item.kind) {
    case PrintItem::Text:
        std::printf("%.*s", int(item.b), reinterpret_cast<const char *>(item.a));
        break;
    case PrintItem::PyBool:
        std::printf("%s", item.b ? "True" : "False");
        break;
    case PrintItem::PyInt:
        std::printf("%lld", static_cast<long long>(item.b));
        break;
    case PrintItem::PyFloat:
    case PrintItem::Scalar:
        std::printf("%.17g", value);
        break;
    default:
        std::printf("...");
        break;
    }
}

extern "C" int32_t sc_print(Context *ctx, const PrintItem *items, int64_t count) {
    if (printer)
        return printer(ctx, items, count);
    for (int64_t i = 2; i < count; ++i) {
        if (i > 2)
            printPlainly(items[0]);
        printPlainly(items[i]);
    }
    printPlainly(items[1]);
    return 0;
}

extern "C" void sc_raise(Context *ctx, const PrintItem *items, int64_t count) {
    if (raiser)
        raiser(ctx, items, count);
}

extern "C" int32_t sc_call_out(Context *ctx, const PrintItem *call, int64_t site,
                               const char *expected, int64_t length, int64_t *results) {
    return caller ? caller(ctx, call, site, expected, length, results) : 1;
}

extern "C" int64_t sc_catch(Context *ctx, const char *classes, int64_t length) {
    return catcher ? catcher(ctx, classes, length) : 0;
}

static const RuntimeSymbol support[] = {
    {"sc_call_out", reinterpret_cast<void *>(&sc_call_out)},
    {"sc_catch", reinterpret_cast<void *>(&sc_catch)},
    {"sc_stack_end", reinterpret_cast<void *>(&sc_stack_end)},
    {"sc_raise", reinterpret_cast<void *>(&sc_raise)},
    {"memcpy", reinterpret_cast<void *>(&std::memcpy)},
    {"memset", reinterpret_cast<void *>(&std::memset)},
    {"sc_print", reinterpret_cast<void *>(&sc_print)},
    {"__truncdfhf2", reinterpret_cast<void *>(&__truncdfhf2)},
    {"__truncsfhf2", reinterpret_cast<void *>(&__truncsfhf2)},
    {"__extendhfsf2", reinterpret_cast<void *>(&__extendhfsf2)},
    {"__divti3", reinterpret_cast<void *>(&__divti3)},
    {"__modti3", reinterpret_cast<void *>(&__modti3)},
    {"__udivti3", reinterpret_cast<void *>(&__udivti3)},
    {"__umodti3", reinterpret_cast<void *>(&__umodti3)},
};

const RuntimeSymbol *runtimeSymbols(size_t *count) {
    static const std::vector<RuntimeSymbol> all = [] {
        std::vector<RuntimeSymbol> merged(std::begin(support), std::end(support));
        merged.push_back({"sc_poll", reinterpret_cast<void *>(pollKeepingRegisters())});
        for (auto *table :
             {&memorySymbols,    &reshapeSymbols,     &viewSymbols,       &blasSymbols,
              &lapackSymbols,    &lapackValueSymbols, &mathSymbols,       &recheckSymbols,
              &prangeSymbols,    &pickSymbols,        &moveSymbols,       &transposeSymbols,
              &maskedSumSymbols, &histogramSymbols,   &searchSymbols,     &scanSymbols,
              &selectSymbols,    &correlateSymbols,   &centreRowsSymbols, &sortSymbols,
              &randomSymbols,    &ufuncLoopSymbols,   &threadSymbols}) {
            size_t size = 0;
            const RuntimeSymbol *first = table(&size);
            merged.insert(merged.end(), first, first + size);
        }
        return merged;
    }();
    *count = all.size();
    return all.data();
}

} // namespace shapecast::runtime
