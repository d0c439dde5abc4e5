// Buffers: the memory of arrays that compiled code makes. (Bytes are copied and filled in
// copy_fill.cpp.)
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

// Header of a buffer, 64 bytes before its 64-byte aligned data.
struct Buffer {
    Buffer *next, *previous; // list of the call's live buffers
    size_t bytes, block;     // requested size; size of the block that has header and data
    int64_t owners;          // reference count
    size_t offset;           // of the header in its block
    void (*end)(void *data); // called before the buffer is freed; null: nothing to do
};

inline constexpr size_t bufferHeader = 64;                // bytes before the data
inline constexpr int64_t foreverOwned = int64_t{1} << 59; // so many owners: it is never freed
static_assert(sizeof(Buffer) <= bufferHeader);

extern "C" {
// Called by compiled code. On failure sc_alloc records site -2 and returns null; the caller then
// returns 1.
void *sc_alloc(Context *ctx, int64_t bytes); // a buffer with one owner; bytes may be 0
void sc_retain(uintptr_t owner);             // both ignore argument tokens and the view bit
void sc_release(Context *ctx, uintptr_t owner);
// Contiguous bytes. sc_copy: of arrays that do not overlap, or are the same; sc_fill: with the bits
// of an item, repeated to fill the word; sc_move: any.
void sc_copy(Context *ctx, void *to, const void *from, int64_t bytes);
void sc_fill(Context *ctx, void *to, int64_t word, int64_t bytes);
void sc_move(void *to, const void *from, int64_t bytes);
}

// A parallel loop begins (1) or has ended (-1), in whose iterations buffers may be shared.
void countParallelLoops(int change);
// Takes a buffer out of the call's list: it now belongs to the caller, who frees it with
// freeDetached, however many references to it there are.
void detach(Context *ctx, void *data);
void freeDetached(void *data);
void *allocDetached(int64_t bytes); // null: out of memory
size_t bufferBytes(void *data);     // the requested size
// `end` is called with `data` before the buffer is freed: its data own something else.
void callBeforeFree(void *data, void (*end)(void *data));
void releaseAll(Context *ctx); // after a call: whatever is left (after errors)
bool isReleasingAll(const Context *ctx);
int64_t liveAllocations(); // buffers not yet freed, whole process

// Memory of the run time from the C library: bytes of buffers and of cached free blocks, now and at
// most since dropKeptBlocks(), and how many blocks it ever allocated.
struct MemoryUse {
    int64_t bytes, peak, blocks;
};
MemoryUse memoryUse();
void dropKeptBlocks(); // frees cached blocks: this thread's, and the large ones

} // namespace shapecast::runtime
