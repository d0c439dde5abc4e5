// What compiled code calls for arrays on a device: memory, launches, and values that the host
// needs.
//
// Everything is put on the call's stream and done in order; the host waits only where it reads. A
// function that fails returns null or a status other than 0, with the reason in DeviceCall::error.
#pragma once

#include "runtime/abi.h"
#include "runtime/reshape.h"

namespace shapecast::runtime {

extern "C" {
// A buffer with one owner, whose data is a DeviceMemory of so many bytes.
void *sc_device_alloc(Context *ctx, int64_t bytes);
// The kernel of that number, with so many blocks, and threads of a block, along x and y.
int32_t sc_device_launch(Context *ctx, int64_t kernel, const int64_t *parameters, int64_t blocksX,
                         int64_t blocksY, int64_t threadsX, int64_t threadsY);
// Values between the host and the device. Reading waits for the stream.
int32_t sc_device_read(Context *ctx, void *to, const void *from, int64_t bytes);
int32_t sc_device_write(Context *ctx, void *to, const void *from, int64_t bytes);
// Copies arrays to host memory, for functions of the host's run time and libraries. `arrays` has
// for each of the `count` arrays its address, whether it is written, the item's size in bytes, its
// rank, sizes and strides (in elements); each address becomes that of the copy. Arrays that overlap
// on the device overlap in the same way in the host. Returns a buffer, for sc_device_unborrow();
// null after a failure.
void *sc_device_borrow(Context *ctx, int64_t *arrays, int64_t count);
// Copies what may have been written back to the device, and frees the copies.
int32_t sc_device_unborrow(Context *ctx, void *borrowed);
// Before a kernel whose threads may find an error: copies, on the device, what it may write of the
// arrays (as of sc_device_borrow), and a flag at 0, which such a thread sets. A buffer with the
// flag's address; null after a failure.
void *sc_device_save(Context *ctx, const int64_t *arrays, int64_t count);
// After it; waits. 0: no thread has set the flag. 1: one has, and the arrays are again as they were
// before. -1: a failure.
int32_t sc_device_verdict(Context *ctx, void *saved);
// np.reshape_any of an array on the device: a view, or a copy that goes through the host.
int32_t sc_device_reshape(Context *ctx, Reshape *call);
// np.native: copies between the host and the device, in the form of runtime/native.h. The first
// array is in C order. (to, from, limit): raises, with its bytes, for an array of more than
// `limit`.
int64_t sc_copy_to_device(Context *ctx, const int64_t *slots);
int64_t sc_copy_to_host(Context *ctx, const int64_t *slots); // (to, from)
}

} // namespace shapecast::runtime
