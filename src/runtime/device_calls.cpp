#include "runtime/device_calls.h"

#include "runtime/callbacks.h"
#include "runtime/device_memory.h"
#include "runtime/memory.h"
#include "runtime/native.h"
#include "runtime/symbols.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace shapecast::runtime {
namespace {

int32_t status(Context *ctx, device::Error error) {
    if (error.empty())
        return 0;
    ctx->device->error = std::move(error);
    return 1;
}

CUdeviceptr addressOf(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

// Also of buffers that outlive their call, in any thread.
void freeMemory(void *data) {
    const auto *memory = static_cast<const DeviceMemory *>(data);
    device::Error error;
    if (!memory->address || !device::openDriver(error)) // a forked process has no devices
        return;
    const device::CurrentContext current(*memory->device);
    if (memory->handle)
        memory->release(memory->handle);
    else
        device::release(*memory->device, memory->address, memory->stream);
}

void own(void *buffer, DeviceMemory memory) {
    *static_cast<DeviceMemory *>(buffer) = memory;
    callBeforeFree(buffer, freeMemory);
}

// Waits for the stream; other threads and signal handlers run meanwhile.
device::Error waitFor(Context *ctx) {
    return device::waitFor(
        ctx->device->stream, [](void *of) { sc_poll(static_cast<Context *>(of)); }, ctx);
}

// The bytes between an array's first element and the first and last ones in memory.
struct Span {
    int64_t low = 0, high = 0;

    Span(int64_t item, int64_t rank, const int64_t *sizes, const int64_t *strides) : high(item) {
        for (int64_t d = 0; d < rank; ++d) {
            const int64_t reach = (sizes[d] - 1) * strides[d] * item;
            (reach < 0 ? low : high) += reach;
        }
        if (std::find(sizes, sizes + rank, 0) != sizes + rank)
            low = high = 0;
    }
};

// Elements in any strides to elements in C order, both in the host.
void packElements(char *to, const char *data, int64_t item, int64_t rank, const int64_t *sizes,
                  const int64_t *strides) {
    Space<1> space;
    for (int64_t d = 0; d < rank; ++d)
        space.add(sizes[d], {strides[d] * item});
    space.rows([&](int64_t count, const int64_t (&starts)[1], const int64_t (&steps)[1]) {
        for (int64_t k = 0; k < count; ++k, to += item)
            std::memcpy(to, data + starts[0] + k * steps[0], size_t(item));
        return true;
    });
}

// Elements of the device in any strides, in C order in the host. False after a failure.
bool fetchPacked(Context *ctx, char *to, const char *from, int64_t item, int64_t rank,
                 const int64_t *sizes, const int64_t *strides) {
    const Span span(item, rank, sizes, strides);
    const Scratch fetched(ctx, span.high - span.low);
    if (!fetched.get() || sc_device_read(ctx, fetched.get(), from + span.low, span.high - span.low))
        return false;
    packElements(to, fetched.get() - span.low, item, rank, sizes, strides);
    return true;
}

// An array for sc_device_borrow(), in its slots.
struct Borrowed {
    int64_t *slots;
    int64_t low = 0, high = 0; // addresses of the bytes that it spans on the device

    explicit Borrowed(int64_t *slots) : slots(slots) {
        const int64_t rank = slots[3];
        const Span span(slots[2], rank, slots + 4, slots + 4 + rank);
        low = slots[0] + span.low;
        high = slots[0] + span.high;
    }
    bool isWritten() const { return slots[1]; }
    int64_t *end() const { return slots + 4 + 2 * slots[3]; }
};

// Memory of the device and its copy. In the buffer of sc_device_borrow(), after their number.
struct Block {
    int64_t low, high;
    bool isWritten;
    char *copy;
};

// Arrays whose spans overlap share a block.
std::vector<Block> blocksOf(std::vector<Borrowed> arrays) {
    std::sort(arrays.begin(), arrays.end(),
              [](const Borrowed &a, const Borrowed &b) { return a.low < b.low; });
    std::vector<Block> blocks;
    for (const Borrowed &array : arrays) {
        if (blocks.empty() || array.low >= blocks.back().high)
            blocks.push_back({array.low, array.high, false, nullptr});
        blocks.back().high = std::max(blocks.back().high, array.high);
        blocks.back().isWritten |= array.isWritten();
    }
    return blocks;
}

// False after a failure.
bool copyBlocks(Context *ctx, std::span<Block> blocks) {
    for (Block &block : blocks) {
        const int64_t bytes = block.high - block.low;
        block.copy = static_cast<char *>(sc_alloc(ctx, bytes));
        if (!block.copy ||
            sc_device_read(ctx, block.copy, reinterpret_cast<const void *>(block.low), bytes))
            return false;
    }
    return true;
}

} // namespace

DeviceMemory *newDeviceMemory(const device::Device &device, CUstream stream, size_t bytes,
                              device::Error &error) {
    void *buffer = allocDetached(sizeof(DeviceMemory));
    DeviceMemory memory{0, bytes, &device, stream};
    error = buffer ? device::allocate(device, bytes, stream, memory.address) : "out of memory";
    if (buffer && error.empty()) {
        own(buffer, memory);
        return static_cast<DeviceMemory *>(buffer);
    }
    if (buffer)
        freeDetached(buffer);
    return nullptr;
}

extern "C" void *sc_device_alloc(Context *ctx, int64_t bytes) {
    DeviceCall &call = *ctx->device;
    void *buffer = sc_alloc(ctx, sizeof(DeviceMemory));
    if (!buffer)
        return nullptr;
    DeviceMemory memory{0, size_t(bytes), &call.device, call.stream};
    if (call.allocator && bytes) {
        memory.release = call.allocator->release;
        memory.handle = call.allocator->allocate(call.allocator->of, call.device.ordinal,
                                                 memory.bytes, memory.address, call.error);
    } else {
        call.error = device::allocate(call.device, memory.bytes, memory.stream, memory.address);
    }
    if (!call.error.empty()) {
        call.outOfMemory = true;
        sc_release(ctx, reinterpret_cast<uintptr_t>(buffer));
        ctx->error.site = -2;
        return nullptr;
    }
    own(buffer, memory);
    return buffer;
}

extern "C" int32_t sc_device_launch(Context *ctx, int64_t kernel, const int64_t *parameters,
                                    int64_t blocksX, int64_t blocksY, int64_t threadsX,
                                    int64_t threadsY) {
    const DeviceCall &call = *ctx->device;
    const device::Grid grid{{uint64_t(blocksX), uint64_t(blocksY)},
                            {unsigned(threadsX), unsigned(threadsY)}};
    return status(
        ctx, device::launch(call.kernels->kernels[size_t(kernel)], call.stream, grid, parameters));
}

// The copy is made when the stream is done, so that nothing writes to `to` if polling ends the
// call.
extern "C" int32_t sc_device_read(Context *ctx, void *to, const void *from, int64_t bytes) {
    if (const int32_t failed = status(ctx, waitFor(ctx)))
        return failed;
    const CUstream stream = ctx->device->stream;
    device::Error error = device::copyToHost(to, addressOf(from), size_t(bytes), stream);
    if (error.empty())
        error = device::synchronize(stream);
    return status(ctx, std::move(error));
}

// Of pageable memory the driver has a copy of its own when it returns.
extern "C" int32_t sc_device_write(Context *ctx, void *to, const void *from, int64_t bytes) {
    return status(ctx,
                  device::copyToDevice(addressOf(to), from, size_t(bytes), ctx->device->stream));
}

extern "C" void *sc_device_borrow(Context *ctx, int64_t *arrays, int64_t count) {
    if (status(ctx, waitFor(ctx))) // polls: before anything is here that would be left behind
        return nullptr;
    std::vector<Borrowed> borrowed;
    borrowed.reserve(size_t(count));
    for (int64_t k = 0; k < count; ++k)
        borrowed.emplace_back(borrowed.empty() ? arrays : borrowed.back().end());
    const std::vector<Block> found = blocksOf(borrowed);
    void *buffer = sc_alloc(ctx, int64_t(sizeof(int64_t) + found.size() * sizeof(Block)));
    if (!buffer)
        return nullptr;
    *static_cast<int64_t *>(buffer) = int64_t(found.size());
    const std::span blocks(reinterpret_cast<Block *>(static_cast<int64_t *>(buffer) + 1),
                           found.size());
    std::copy(found.begin(), found.end(), blocks.begin());
    if (!copyBlocks(ctx, blocks)) // the call ends, and frees its buffers
        return nullptr;
    ctx->device->borrowed = buffer;
    for (const Borrowed &array : borrowed)
        for (const Block &block : blocks)
            if (array.low >= block.low && array.high <= block.high) {
                array.slots[0] += reinterpret_cast<int64_t>(block.copy) - block.low;
                break;
            }
    return buffer;
}

void storeBorrowed(Context *ctx) {
    if (void *borrowed = ctx->device->borrowed)
        sc_device_unborrow(ctx, borrowed);
}

extern "C" int32_t sc_device_unborrow(Context *ctx, void *borrowed) {
    ctx->device->borrowed = nullptr;
    const std::span blocks(reinterpret_cast<Block *>(static_cast<int64_t *>(borrowed) + 1),
                           *static_cast<size_t *>(borrowed));
    for (const Block &block : blocks) {
        if (block.isWritten && sc_device_write(ctx, reinterpret_cast<void *>(block.low), block.copy,
                                               block.high - block.low))
            return 1;
        sc_release(ctx, reinterpret_cast<uintptr_t>(block.copy));
    }
    sc_release(ctx, reinterpret_cast<uintptr_t>(borrowed));
    return 0;
}

// The data of sc_device_save()'s buffer; the flag comes before the copies.
struct Saved {
    CUdeviceptr flag; // first: compiled code reads it
    void *memory;     // a DeviceMemory
    int64_t count;
    Block blocks[1]; // `copy` is on the device
};

extern "C" void *sc_device_save(Context *ctx, const int64_t *arrays, int64_t count) {
    std::vector<Borrowed> written;
    auto *at = const_cast<int64_t *>(arrays);
    for (int64_t k = 0; k < count; ++k) {
        const Borrowed array(at);
        if (array.isWritten())
            written.push_back(array);
        at = array.end();
    }
    const std::vector<Block> blocks = blocksOf(written);
    constexpr int64_t flagBytes = 256; // so that the copies are aligned as allocations are
    int64_t bytes = flagBytes;
    for (const Block &block : blocks)
        bytes += (block.high - block.low + 15) & ~int64_t{15};
    auto *memory = static_cast<DeviceMemory *>(sc_device_alloc(ctx, bytes));
    auto *saved = static_cast<Saved *>(
        memory ? sc_alloc(ctx, int64_t(sizeof(Saved) + blocks.size() * sizeof(Block))) : nullptr);
    if (!saved)
        return nullptr;
    *saved = {memory->address, memory, int64_t(blocks.size()), {}};
    std::copy(blocks.begin(), blocks.end(), saved->blocks);
    const int64_t zero = 0;
    int32_t failed = sc_device_write(ctx, reinterpret_cast<void *>(saved->flag), &zero, 8);
    int64_t next = int64_t(memory->address) + flagBytes;
    for (Block &block : std::span(saved->blocks, blocks.size())) {
        const int64_t size = block.high - block.low;
        block.copy = reinterpret_cast<char *>(next);
        next += (size + 15) & ~int64_t{15};
        failed = failed ||
                 status(ctx, device::copyOnDevice(CUdeviceptr(block.copy), CUdeviceptr(block.low),
                                                  size_t(size), ctx->device->stream));
    }
    return failed ? nullptr : saved;
}

extern "C" int32_t sc_device_verdict(Context *ctx, void *data) {
    auto *saved = static_cast<Saved *>(data);
    int64_t flag = 0;
    if (sc_device_read(ctx, &flag, reinterpret_cast<void *>(saved->flag), 8))
        return -1;
    for (const Block &block : std::span(saved->blocks, size_t(flag ? saved->count : 0)))
        if (status(ctx, device::copyOnDevice(CUdeviceptr(block.low), CUdeviceptr(block.copy),
                                             size_t(block.high - block.low), ctx->device->stream)))
            return -1;
    sc_release(ctx, reinterpret_cast<uintptr_t>(saved->memory));
    sc_release(ctx, reinterpret_cast<uintptr_t>(saved));
    return flag != 0;
}

extern "C" int64_t sc_copy_to_device(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray to = in.array(), from = in.array();
    const int64_t bytes = to.count() * to.itemSize();
    if (bytes > in.number()) {
        ctx->error.payload[0] = bytes;
        return nativeRaises;
    }
    const Scratch packed(ctx, bytes);
    if (!packed.get())
        return nativeFails;
    packElements(packed.get(), from.data, from.itemSize(), from.rank, from.sizes, from.strides);
    return sc_device_write(ctx, to.data, packed.get(), bytes) ? nativeFails : 0;
}

extern "C" int64_t sc_copy_to_host(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray to = in.array(), from = in.array();
    return fetchPacked(ctx, to.data, from.data, from.itemSize(), from.rank, from.sizes,
                       from.strides)
               ? 0
               : nativeFails;
}

extern "C" int32_t sc_device_reshape(Context *ctx, Reshape *call) {
    if (becomeView(call))
        return 0;
    const auto *sizes = reinterpret_cast<const int64_t *>(call + 1);
    int64_t bytes = call->itemSize;
    for (int64_t d = 0; d < call->rank; ++d)
        bytes *= sizes[d];
    const Scratch packed(ctx, bytes);
    if (!packed.get() || !fetchPacked(ctx, packed.get(), static_cast<const char *>(call->data),
                                      call->itemSize, call->rank, sizes, sizes + call->rank))
        return 1;
    auto *copy = static_cast<DeviceMemory *>(sc_device_alloc(ctx, bytes));
    if (!copy)
        return 1;
    becomeCopy(call, reinterpret_cast<void *>(copy->address), copy);
    return sc_device_write(ctx, call->data, packed.get(), bytes);
}

SymbolTable deviceCallsSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_device_alloc>(),   symbolOf<&sc_device_launch>(),
        symbolOf<&sc_device_read>(),    symbolOf<&sc_device_write>(),
        symbolOf<&sc_device_borrow>(),  symbolOf<&sc_device_unborrow>(),
        symbolOf<&sc_copy_to_device>(), symbolOf<&sc_copy_to_host>(),
        symbolOf<&sc_device_reshape>(), symbolOf<&sc_device_save>(),
        symbolOf<&sc_device_verdict>(),
    };
    return table;
}

} // namespace shapecast::runtime
