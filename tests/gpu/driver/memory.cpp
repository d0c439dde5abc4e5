#include "memory.h"

#include <cstring>

namespace driver {
namespace {

constexpr uint64_t kRedZone = 4096, kAlign = 256, kKept = 256 << 20;
constexpr int kFill = 0xC7, kFreedFill = 0xDD;

std::string hex(uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

} // namespace

uint64_t Memory::allocate(uint64_t bytes, int device, Allocation::Kind kind) {
    auto storage =
        std::unique_ptr<uint8_t[]>(new (std::nothrow) uint8_t[bytes + 2 * kRedZone + kAlign]);
    if (!storage)
        return 0;
    uint64_t base =
        (reinterpret_cast<uint64_t>(storage.get()) + kRedZone + kAlign - 1) / kAlign * kAlign;
    std::memset(storage.get(), kFill, bytes + 2 * kRedZone + kAlign);
    auto made = std::make_unique<Allocation>(base, bytes, device, kind);
    made->storage = std::move(storage);
    allocations[base] = std::move(made);
    return base;
}

bool Memory::adopt(uint64_t base, uint64_t bytes, int device) {
    if (Allocation *other = find(base); other && !other->isFreed)
        return false;
    allocations[base] = std::make_unique<Allocation>(base, bytes, device, Allocation::Pinned);
    last = nullptr;
    return true;
}

bool Memory::release(uint64_t base) {
    auto found = allocations.find(base);
    if (found == allocations.end() || found->second->isFreed)
        return false;
    last = nullptr;
    Allocation &gone = *found->second;
    if (!gone.storage) { // the host's own
        allocations.erase(found);
        return true;
    }
    gone.isFreed = true;
    gone.shadow = Shadow(0, false);
    std::memset(reinterpret_cast<void *>(gone.base), kFreedFill, gone.bytes);
    freed.push_back(base);
    freedBytes += gone.bytes;
    while (freedBytes > kKept) {
        auto oldest = allocations.find(freed.front());
        freedBytes -= oldest->second->bytes;
        allocations.erase(oldest);
        freed.pop_front();
    }
    return true;
}

Allocation *Memory::find(uint64_t address) {
    if (last && address - last->base < last->bytes)
        return last;
    auto after = allocations.upper_bound(address);
    if (after == allocations.begin())
        return nullptr;
    Allocation &before = *std::prev(after)->second;
    if (address - before.base >= before.bytes)
        return nullptr;
    return last = &before;
}

std::string Memory::nearest(uint64_t address, uint64_t bytes) {
    auto after = allocations.upper_bound(address);
    std::string text = "the " + std::to_string(bytes) + " bytes at " + hex(address) + ", ";
    uint64_t behind = UINT64_MAX, ahead = UINT64_MAX;
    std::string before, next;
    if (after != allocations.begin()) {
        const Allocation &one = *std::prev(after)->second;
        uint64_t end = one.base + one.bytes;
        behind = address >= end ? address - end : 0;
        before = (address >= end ? std::to_string(behind) + " bytes after the end"
                                 : "partly beyond the end") +
                 " of an allocation of " + std::to_string(one.bytes) + " bytes";
    }
    if (after != allocations.end()) {
        ahead = after->first - address;
        next = std::to_string(ahead) + " bytes before the start of an allocation of " +
               std::to_string(after->second->bytes) + " bytes";
    }
    if (std::min(behind, ahead) >= 1 << 20)
        return text + "near no allocation (memory of the host?)";
    return text + (behind <= ahead ? before : next);
}

Allocation &Memory::checked(uint64_t address, uint64_t bytes, bool isWrite, int device) {
    const char *verb = isWrite ? "writes " : "reads ";
    if (address % bytes)
        throw Fault(CUDA_ERROR_MISALIGNED_ADDRESS, verb + std::to_string(bytes) + " bytes at " +
                                                       hex(address) + ", which is no multiple of " +
                                                       std::to_string(bytes));
    Allocation *found = find(address);
    if (!found || address + bytes > found->base + found->bytes)
        throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, verb + nearest(address, bytes));
    if (found->isFreed)
        throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, std::string(verb) + "memory that is freed: byte " +
                                                    std::to_string(address - found->base) +
                                                    " of an allocation of " +
                                                    std::to_string(found->bytes) + " bytes");
    if (found->device != device && found->kind != Allocation::Pinned)
        throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS,
                    std::string(verb) + "memory of device " + std::to_string(found->device) +
                        " in a kernel on device " + std::to_string(device));
    if (isWrite && found->isReadOnly)
        throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, "writes a constant variable");
    return *found;
}

bool Memory::holds(uint64_t address, uint64_t bytes) {
    Allocation *found = find(address);
    return found && !found->isFreed && address + bytes <= found->base + found->bytes;
}

uint64_t Memory::liveBytes(int device) const {
    uint64_t total = 0;
    for (const auto &[base, one] : allocations)
        if (one->device == device && one->kind == Allocation::Device && !one->isFreed)
            total += one->bytes;
    return total;
}

} // namespace driver
