// What the extension module does for compiled code: print, raise, call Python, catch, poll.
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

extern "C" {
// In long loops: lets other threads and signal handlers run. Does not return when a handler raised:
// compiled code has nothing to unwind, its buffers are listed in the context.
void sc_poll(Context *ctx);
uintptr_t sc_stack_end(Context *ctx); // sets it, for this thread
}

// Operands of print(): the texts sep, end, file and flush, then the values. A value is one record,
// or a record and the values that follow it.
struct PrintItem {
    enum Kind : int64_t {
        None,
        Text,
        PyBool,
        PyInt,
        PyWideInt, // b: the low word, c: the high one
        PyFloat,
        PyComplex,
        Scalar,
        Array,
        Tuple,
        List,
        Optional,
        Call,
        Named,
        Object
    };
    int64_t kind;
    // Text: pointer, bytes. Scalars: dtype (number in the enum DType), then their slots. Array:
    // dtype + 256 * rank + 65536 if it is read-only, data, pointer to sizes[rank], strides[rank]
    // (in elements) and the owner token. Tuple, List: number of values that follow. Optional: flag;
    // the first of two values that follow if it is set, else the second. Call: name of the callee
    // (pointer, bytes), number of values that follow, its arguments. Named: a class, by its name
    // (pointer, bytes). Object: a Python object, by its address.
    int64_t a, b, c;
};
// The first four items are texts (see PrintItem). As of entries, a result other than 0 is an error.
extern "C" int32_t sc_print(Context *ctx, const PrintItem *items, int64_t count);
// Raises the first value; the second one, if there is any, is its cause. The call then ends with
// the error site that ctx names.
extern "C" void sc_raise(Context *ctx, const PrintItem *items, int64_t count);
// A call of Python. `expected` describes the result's type (ir/call_result.h); the result
// goes to the slots `results`. On failure a Python exception is set, of the given site.
extern "C" int32_t sc_call_out(Context *ctx, const PrintItem *call, int64_t site,
                               const char *expected, int64_t length, int64_t *results);
// Implements print(): Python's print in the extension module (site -3: a Python exception is set);
// without it the C library.
using Printer = int32_t (*)(Context *ctx, const PrintItem *items, int64_t count);
void setPrinter(Printer printer);
using Raiser = void (*)(Context *ctx, const PrintItem *items, int64_t count);
void setRaiser(Raiser raiser);
using Caller = int32_t (*)(Context *ctx, const PrintItem *call, int64_t site, const char *expected,
                           int64_t length, int64_t *results);
void setCaller(Caller caller);

// Handles an exception that a function recorded or set. `classes` has the clauses in order: two are
// "builtins.KeyError builtins.IndexError;builtins.ValueError". Returns which of them matches (from
// 1, 0 for none) + 256 * the exception's number.
using Catcher = int64_t (*)(Context *ctx, const char *classes, int64_t length);
void setCatcher(Catcher catcher);
extern "C" int64_t sc_catch(Context *ctx, const char *classes, int64_t length);
// The call at that site has failed.
extern "C" void sc_failed_call(Context *ctx, int64_t site);

// Called now and then by long calls; true: an exception is set, the call ends at ctx->stop. Sets
// ctx->nextPoll.
using Poller = bool (*)(Context *ctx, int64_t now);
void setPoller(Poller poller);

} // namespace shapecast::runtime
