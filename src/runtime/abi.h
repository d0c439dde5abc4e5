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
// An array on a device has its pointer there. Its owner is a buffer of the host that knows the
// device's memory (device_calls.h).
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
    // The calls of functions with code of their own that it has left, the innermost first, by their
    // sites; of more than there is room for the last one is the outermost.
    int64_t calls[8] = {}, callCount = 0;
};

inline constexpr int64_t pollGrain = int64_t{1} << 15; // elements, between two polls

struct DeviceCall; // device_calls.h
struct LockedGenerator;
struct Profile; // profile.h
struct Team;

struct Buffer; // memory.h

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
    // Of a function that changes the caller's objects and may raise after that: where it stores,
    // when it has raised, which of its np.keep_changes was the last, from 1 on, 0 for none, and the
    // values of that, as results are stored.
    int64_t *changes = nullptr;
    DeviceCall *device = nullptr; // of a function with arrays on a device
    Profile *profile = nullptr;   // profile.h: of a profiled call
    bool isReleasingAll = false;  // memory.h: buffers do not release what they own
    jmp_buf stop; // where sc_poll jumps to end the call; set by whoever has set a poller
};
inline constexpr int contextDepthSlot = 21, contextFuelSlot = 22, contextStackSlot = 23,
                     contextParallelWorkSlot = 24, contextNonTemporalSlot = 25,
                     contextGeneratorsSlot = 33, contextChangesSlot = 34; // of 8 bytes each
static_assert(offsetof(Context, depth) == 8 * contextDepthSlot);
static_assert(offsetof(Context, fuel) == 8 * contextFuelSlot);
static_assert(offsetof(Context, stackEnd) == 8 * contextStackSlot);
static_assert(offsetof(Context, minParallelWork) == 8 * contextParallelWorkSlot);
static_assert(offsetof(Context, nonTemporalBytes) == 8 * contextNonTemporalSlot);
static_assert(offsetof(Context, generators) == 8 * contextGeneratorsSlot);
static_assert(offsetof(Context, changes) == 8 * contextChangesSlot);
inline constexpr int lockedGeneratorSlot = 0, lockedMt19937Slot = 3; // of LockedGenerator
inline constexpr int mt19937Words = 624; // of its state; the index of the next one follows them
inline constexpr int64_t maxRecursionDepth = 10000;

using Entry = int32_t (*)(Context *ctx, const int64_t *args, int64_t *results);

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

} // namespace shapecast::runtime
