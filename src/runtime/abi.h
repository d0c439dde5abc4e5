// The ABI between compiled code and its callers. Free of MLIR and Python.
//
// A compiled function is `int32_t entry(Context *ctx, const int64_t *args, int64_t *results)`; 0
// means success, 1 an error recorded in ctx.
//
// Argument slots (8 bytes each): an array: data pointer, sizes[rank], strides[rank] (in elements);
// a bool, integer or float scalar: its value in one slot (bool 0/1, integers sign/zero-extended,
// float16/32 in the low bits, i.e. the register's bits); complex: two slots (float32 parts in the
// low bits). Static arguments take no slot.
//
// Result slots, per operand of np.return: an array: data pointer, owner, sizes[rank],
// strides[rank]; scalars as above.
//
// Recursive functions have the same signature and slots of their own
// (lower/function/arguments.cpp): their arrays come with owners.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>

namespace shapecast::runtime {

struct ErrorRecord {
    int64_t site = -1;        // index into the module's `np.sites`; -2: out of memory
    int64_t payload[10] = {}; // values for {0} .. {9} of the site's message
};

// Header of a buffer, 64 bytes before its 64-byte aligned data.
struct Buffer {
    Buffer *next, *previous; // list of the call's live buffers
    size_t bytes, block;     // requested size; size of the block that has header and data
    int64_t owners;          // reference count
    size_t offset;           // of the header in its block
};

inline constexpr int64_t pollGrain = int64_t{1} << 15; // elements, between two polls

struct LockedGenerator;
struct Team;

struct Context {
    // First member: compiled code stores into it by offset (site at 0, payload from 8).
    ErrorRecord error;
    Buffer *live = nullptr;
    int64_t depth = 0; // of recursive calls
    // Loops subtract their work, about one per nanosecond; below zero they call sc_poll.
    int64_t fuel = pollGrain;
    // The lowest stack address for recursive calls; unknown until the first calls sc_stack_end.
    uintptr_t stackEnd = UINTPTR_MAX;
    // Loop nests of at least so much work are shared among threads (threads.h): by default none.
    int64_t minParallelWork = INT64_MAX;
    // Loop nests that touch at least so many bytes use non-temporal stores.
    int64_t nonTemporalBytes = INT64_MAX;
    Team *team = nullptr;             // of a helper thread: the team it works for
    int64_t nextPoll = 0;             // when the poller is next called, in nanoseconds
    void *savedThreadState = nullptr; // the poller's: Python's, while the GIL is released
    // The caller's: its arguments, and what lives as long as the call: a list of objects, and the
    // exceptions that the function caught.
    const void *call = nullptr;
    void *objects = nullptr;
    void *caught = nullptr;
    const void *sites = nullptr; // the catcher's: the table that ErrorRecord::site indexes
    LockedGenerator *generators = nullptr; // random.h: those whose locks are held, last used first
    jmp_buf stop; // where sc_poll jumps to end the call; set by whoever has set a poller
};
inline constexpr int contextDepthSlot = 12, contextFuelSlot = 13, contextStackSlot = 14,
                     contextParallelWorkSlot = 15, contextNonTemporalSlot = 16,
                     contextGeneratorsSlot = 24; // of 8 bytes each
static_assert(offsetof(Context, depth) == 8 * contextDepthSlot);
static_assert(offsetof(Context, fuel) == 8 * contextFuelSlot);
static_assert(offsetof(Context, stackEnd) == 8 * contextStackSlot);
static_assert(offsetof(Context, minParallelWork) == 8 * contextParallelWorkSlot);
static_assert(offsetof(Context, nonTemporalBytes) == 8 * contextNonTemporalSlot);
static_assert(offsetof(Context, generators) == 8 * contextGeneratorsSlot);
inline constexpr int lockedGeneratorSlot = 0, lockedMt19937Slot = 3; // of LockedGenerator
inline constexpr int mt19937Words = 624; // of its state; the index of the next one follows them
inline constexpr int64_t maxRecursionDepth = 10000;

using Entry = int32_t (*)(Context *ctx, const int64_t *args, int64_t *results);

inline constexpr size_t bufferHeader = 64; // bytes before the data
static_assert(sizeof(Buffer) <= bufferHeader);

// Result of sc_recheck_end for a loop nest: the claim that does not hold, and for which operand.
struct Recheck {
    enum Claim { None, Bounds, Buffer, Groups, NoAlias, Order } claim = None;
    int64_t operand = 0;
};

// Result of sc_prange_dependence: the loop-carried dependence found in a prange loop
// (lower/function/prange_check.cpp).
enum : int64_t { independent, readAfterWrite, writeAfterWrite, writeAfterRead };

// Owner token of an array: a buffer's data pointer, or (k << 2) | 1 for argument k. Bit 1 (value 2)
// set: the array is a view, not the object itself (`return a[:]` is a new object, `return a` is
// not). Only arguments are read-only: a buffer under a read-only type is a copy that sc_reshape
// made of one, and may be written.
inline constexpr uintptr_t ownerArgument = 1, ownerView = 2;
// Of a buffer, not an argument: a view that is read-only all the same (np.broadcast_to).
inline constexpr uintptr_t ownerLocked = 4;
inline void *bufferOf(uintptr_t token) {
    return reinterpret_cast<void *>(token & ~(ownerView | ownerLocked));
}

extern "C" {
// Called by compiled code. On failure sc_alloc records site -2 and returns null; the caller then
// returns 1.
void *sc_alloc(Context *ctx, int64_t bytes); // a buffer with one owner; bytes may be 0
void sc_retain(uintptr_t owner);             // both ignore argument tokens and the view bit
void sc_release(Context *ctx, uintptr_t owner);
// In long loops: lets other threads and signal handlers run. Does not return when a handler raised:
// compiled code has nothing to unwind, its buffers are listed in the context.
void sc_poll(Context *ctx);
uintptr_t sc_stack_end(Context *ctx); // sets it, for this thread
// Contiguous bytes. sc_copy: of arrays that do not overlap, or are the same; sc_fill: with the bits
// of an item, repeated to fill the word; sc_move: any.
void sc_copy(Context *ctx, void *to, const void *from, int64_t bytes);
void sc_fill(Context *ctx, void *to, int64_t word, int64_t bytes);
void sc_move(void *to, const void *from, int64_t bytes);
void sc_transpose(void *target, const void *source, int64_t itemSize, int64_t rows, int64_t columns,
                  int64_t sourceStride, int64_t targetStride); // see transpose.h
// Debug code of lower/function/prange_check.cpp: see prange_check.cpp.
void sc_prange_begin(const Context *ctx, int64_t level);
void sc_prange_end(int64_t level);
void sc_prange_access(int64_t level, int64_t iteration, int64_t owner, const char *address,
                      int64_t bytes, int64_t isWritten);
int64_t sc_prange_dependence(int64_t *iterations);
// Of lower/function/recheck_code.cpp: see recheck.cpp.
void sc_recheck_argument(int64_t *entry, const int64_t *slots, int64_t rank, int64_t bytes);
int64_t sc_recheck_element(const Context *ctx, const int64_t *table, int64_t owner,
                           const char *address, int64_t bytes);
int64_t sc_recheck_begin(Context *ctx, const int64_t *slots, const int64_t *table);
void sc_recheck_access(int64_t number, const char *address, int64_t point, int64_t inBounds);
int64_t sc_recheck_end();
// For random numbers that are drawn inline (lower/kit/draws.h): PCG64's state, or null for
// another generator; the ziggurats' tables; a number of the ziggurat's slow path.
void *sc_pcg64(Context *ctx, uintptr_t generator);
const void *sc_ziggurat_normal(Context *ctx);
const void *sc_ziggurat_exponential(Context *ctx);
double sc_ziggurat_slow_normal(Context *ctx, uintptr_t generator, uint64_t bits);
double sc_ziggurat_slow_exponential(Context *ctx, uintptr_t generator, uint64_t bits);
double sc_legacy_power(double x, double y); // legacy_draws.h
}

// np.reshape_any. After this header come sizes[rank] and strides[rank] of the base, sizes[newRank],
// and room for strides[newRank] of the result (in elements).
struct Reshape {
    void *data;      // of the base, then of the result
    uintptr_t owner; // likewise; the result adds a reference, to the base's buffer or a new one
    int64_t itemSize, rank, newRank;
    int64_t flat; // a view only of a C-contiguous base (np.ravel): the result is contiguous
};
// 0, or 1 when there is no memory for the copy (recorded as site -2).
extern "C" int32_t sc_reshape(Context *ctx, Reshape *call);

// Operands of print(): the texts sep, end, file and flush, then the values. A value is one record,
// or a record and the values that follow it.
struct PrintItem {
    enum Kind : int64_t {
        None,
        Text,
        PyBool,
        PyInt,
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
// Takes a buffer out of the call's list: it now belongs to the caller, who frees it with
// freeDetached.
void detach(Context *ctx, void *data);
void freeDetached(void *data);
void *allocDetached(int64_t bytes); // null: out of memory
size_t bufferBytes(void *data);     // the requested size
void releaseAll(Context *ctx);      // after a call: whatever is left (after errors)
int64_t liveAllocations();          // buffers not yet freed, whole process

// Memory of the run time from the C library: bytes of buffers and of cached free blocks, now and at
// most since dropKeptBlocks(), and how many blocks it ever allocated.
struct MemoryUse {
    int64_t bytes, peak, blocks;
};
MemoryUse memoryUse();
void dropKeptBlocks(); // frees cached blocks: this thread's, and the large ones

// Path of an OpenBLAS with 64-bit integers, used when NumPy has not loaded one (Python:
// scipy_openblas64).
void setBlasLibrary(const char *path);
bool needsBlas(); // none is loaded and no path is set

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

// Called now and then by long calls; true: an exception is set, the call ends at ctx->stop. Sets
// ctx->nextPoll.
using Poller = bool (*)(Context *ctx, int64_t now);
void setPoller(Poller poller);

} // namespace shapecast::runtime
