#include "bindings/call/moved_arrays.h"

#include "bindings/call/devices.h"
#include "bindings/call/interpreter_lock.h"
#include "runtime/memory.h"
#include "runtime/native.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstring>

namespace shapecast::bindings {
namespace {

// The elements of an array in any strides, from a copy of the memory that it spans.
void copyElements(char *to, const char *from, int64_t item, llvm::ArrayRef<int64_t> sizes,
                  llvm::ArrayRef<int64_t> strides) {
    runtime::Space<1> space;
    for (auto [size, stride] : llvm::zip_equal(sizes, strides))
        space.add(size, {stride * item});
    space.rows([&](int64_t count, const int64_t (&starts)[1], const int64_t (&steps)[1]) {
        for (int64_t k = 0, at = starts[0]; k < count; ++k, at += steps[0])
            std::memcpy(to + at, from + at, size_t(item));
        return true;
    });
}

} // namespace

MovedArrays::~MovedArrays() {
    for (const Block &block : blocks)
        device::release(device.device, block.address, device.stream);
}

MovedArrays::Block &MovedArrays::blockOf(const ArrayArgument &array) {
    // The last one that begins at or before the array; empty arrays have one, too.
    auto next = llvm::upper_bound(
        blocks, array.low, [](const char *low, const Block &block) { return low < block.low; });
    return *std::prev(next);
}

const ArrayArgument *MovedArrays::movedParameter(uint64_t parameter) const {
    for (uint32_t number : call.moved)
        if (call.arrays[number].parameter == parameter)
            return &call.arrays[number];
    return nullptr;
}

bool MovedArrays::copyToDevice() {
    llvm::SmallVector<std::pair<const char *, const char *>, 8> spans;
    for (uint32_t number : call.moved)
        spans.emplace_back(call.arrays[number].low, call.arrays[number].high);
    llvm::sort(spans);
    for (auto [low, high] : spans) {
        if (blocks.empty() || low >= blocks.back().high)
            blocks.push_back({low, high, 0, nullptr});
        blocks.back().high = std::max(blocks.back().high, high);
    }
    device::Error error;
    for (Block &block : blocks) {
        const WithoutInterpreterLock unlocked;
        const auto bytes = size_t(block.bytes());
        error = device::allocate(device.device, bytes, device.stream, block.address);
        device.outOfMemory = !error.empty();
        if (error.empty())
            error = device::copyToDevice(block.address, block.low, bytes, device.stream);
        if (!error.empty())
            break;
    }
    for (uint32_t number : call.moved) {
        const ArrayArgument &array = call.arrays[number];
        int64_t &slot = call.slots[array.slot];
        hostAddresses.push_back(slot);
        const Block &block = blockOf(array);
        if (block.bytes())
            slot += int64_t(block.address) - reinterpret_cast<int64_t>(block.low);
    }
    if (error.empty())
        return true;
    if (device.outOfMemory)
        PyErr_SetString(PyExc_MemoryError, (device.device.text() + ": " + error).c_str());
    else
        setDeviceError(&device.device, error);
    return false;
}

bool MovedArrays::wait() {
    device::Error error;
    if (!waitWithSignals(device.stream, error))
        return false;
    if (error.empty())
        return true;
    setDeviceError(&device.device, error);
    return false;
}

device::Error MovedArrays::store(const ArrayArgument &array, bool overlapsItself) {
    const auto at = size_t(
        llvm::find_if(call.moved, [&](uint32_t number) { return &call.arrays[number] == &array; }) -
        call.moved.begin());
    const KeyWord word = KeyWord::unpack(call.key[array.parameter]);
    const llvm::ArrayRef<int64_t> slots(call.slots);
    const llvm::ArrayRef<int64_t> sizes = slots.slice(array.slot + 1, word.rank),
                                  strides = slots.slice(array.slot + 1 + word.rank, word.rank);
    auto bytes = int64_t(itemSize(word.dtype));
    for (int64_t size : sizes)
        bytes *= size;
    Block &block = blockOf(array);
    char *const low = const_cast<char *>(array.low);
    if (bytes == array.high - array.low && !overlapsItself)
        return device::copyToHost(low, block.address + CUdeviceptr(array.low - block.low),
                                  size_t(bytes), device.stream);
    if (!block.fetched) {
        block.fetched.reset(new char[size_t(block.bytes())]);
        device::Error error = device::copyToHost(block.fetched.get(), block.address,
                                                 size_t(block.bytes()), device.stream);
        if (error.empty())
            error = device::synchronize(device.stream);
        if (!error.empty())
            return error;
    }
    auto *const first = reinterpret_cast<char *>(hostAddresses[at]);
    copyElements(first, block.fetched.get() + (first - block.low), int64_t(itemSize(word.dtype)),
                 sizes, strides);
    return "";
}

bool MovedArrays::copyBack(const Variant &variant) {
    Ref raised = takeException();
    device::Error error;
    // There is nothing to copy where the device has failed; it has not where memory was short.
    const bool copies =
        (device.error.empty() || device.outOfMemory) &&
        llvm::any_of(variant.written, [&](int64_t k) { return movedParameter(uint64_t(k)); });
    bool done = !copies || wait();
    if (copies && done) {
        const WithoutInterpreterLock unlocked;
        for (int64_t parameter : variant.written)
            if (const ArrayArgument *array = movedParameter(uint64_t(parameter));
                array && error.empty())
                error = store(*array, KeyWord::unpack(call.key[size_t(parameter)]).overlapsItself);
        if (error.empty())
            error = device::synchronize(device.stream);
    }
    if (!error.empty()) {
        setDeviceError(&device.device, error);
        done = false;
    }
    if (!raised)
        return done;
    setException(std::move(raised));
    return false;
}

device::Error MovedArrays::fetchNew(const ResultPlan &plan, runtime::Context &ctx, int64_t *slots) {
    const WithoutInterpreterLock unlocked;
    llvm::SmallVector<std::pair<void *, char *>, 4> fetched;
    for (const ResultOperand &operand : plan.operands) {
        const auto token = uintptr_t(slots[operand.slot + 1]);
        if (operand.kind != ResultOperand::Array || !operand.onDevice || !token ||
            (token & runtime::ownerArgument))
            continue;
        void *const buffer = runtime::bufferOf(token);
        const auto *memory = static_cast<const runtime::DeviceMemory *>(buffer);
        auto known = llvm::find_if(fetched, [&](auto &pair) { return pair.first == buffer; });
        if (known == fetched.end()) {
            auto *host = static_cast<char *>(runtime::sc_alloc(&ctx, int64_t(memory->bytes)));
            if (!host)
                return "out of memory";
            device::Error error =
                device::copyToHost(host, memory->address, memory->bytes, device.stream);
            if (!error.empty())
                return error;
            known = fetched.insert(fetched.end(), {buffer, host});
        }
        if (memory->bytes)
            slots[operand.slot] +=
                reinterpret_cast<int64_t>(known->second) - int64_t(memory->address);
        else
            slots[operand.slot] = reinterpret_cast<int64_t>(known->second);
        slots[operand.slot + 1] = int64_t(reinterpret_cast<uintptr_t>(known->second) |
                                          (token & (runtime::ownerView | runtime::ownerLocked)));
    }
    return device::synchronize(device.stream);
}

bool MovedArrays::bringResults(const ResultPlan &plan, runtime::Context &ctx, int64_t *slots) {
    bool hasNew = false;
    for (const ResultOperand &operand : plan.operands) {
        if (operand.kind != ResultOperand::Array || !operand.onDevice)
            continue;
        const auto token = uintptr_t(slots[operand.slot + 1]);
        hasNew |= token && !(token & runtime::ownerArgument);
        const ArrayArgument *array =
            token & runtime::ownerArgument ? movedParameter(token >> 2) : nullptr;
        if (!array)
            continue;
        const Block &block = blockOf(*array);
        slots[operand.slot] = block.bytes() ? slots[operand.slot] - int64_t(block.address) +
                                                  reinterpret_cast<int64_t>(block.low)
                                            : reinterpret_cast<int64_t>(block.low);
    }
    if (!hasNew)
        return true;
    if (!wait())
        return false;
    const device::Error error = fetchNew(plan, ctx, slots);
    if (error.empty())
        return true;
    if (ctx.error.site == -2)
        PyErr_NoMemory();
    else
        setDeviceError(&device.device, error);
    return false;
}

} // namespace shapecast::bindings
