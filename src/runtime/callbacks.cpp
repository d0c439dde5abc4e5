// What the caller implements for compiled code: printing, raising, calling and catching, each set
// by the bindings; and the limit of the stack.
#include "runtime/callbacks.h"
#include "runtime/symbols.h"

#include <cstdio>
#include <cstring>
#include <pthread.h>

namespace shapecast::runtime {

static Printer printer = nullptr;

static Raiser raiser = nullptr;

static Caller caller = nullptr;

static Catcher catcher = nullptr;

void setPrinter(Printer newPrinter) { printer = newPrinter; }
void setRaiser(Raiser newRaiser) { raiser = newRaiser; }
void setCaller(Caller newCaller) { caller = newCaller; }
void setCatcher(Catcher newCatcher) { catcher = newCatcher; }

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

extern "C" void sc_failed_call(Context *ctx, int64_t site) {
    constexpr auto last = int64_t(std::size(ErrorRecord{}.calls)) - 1;
    ctx->error.calls[std::min(ctx->error.callCount++, last)] = site;
}

SymbolTable callbacksSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_call_out>(), symbolOf<&sc_catch>(), symbolOf<&sc_failed_call>(),
        symbolOf<&sc_print>(),    symbolOf<&sc_raise>(), symbolOf<&sc_stack_end>(),
    };
    return table;
}

} // namespace shapecast::runtime
