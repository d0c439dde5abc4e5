#include "access.h"

#include <algorithm>

namespace driver {
namespace {

std::string raceText(const Warp &warp, uint64_t size, AccessKind kind, const char *space,
                     const Race &race) {
    static const char *verbs[] = {"reads ", "writes ", "changes (atomically) "},
                      *theirs[] = {"read", "written", "changed atomically"};
    std::string other = race.other.severalBlocks    ? "several blocks"
                        : race.other.severalThreads ? "several threads"
                        : race.other.block != warp.block.linear
                            ? "block " + std::to_string(race.other.block)
                            : "thread " + std::to_string(race.other.thread) + " of its block";
    return std::string("races: ") + verbs[int(kind)] + std::to_string(size) + " bytes of " + space +
           " memory that " + other +
           (race.other.severalBlocks || race.other.severalThreads ? " have " : " has ") +
           theirs[int(race.kind)] + ", with no barrier between";
}

Place inBlock(Warp &warp, int lane, uint64_t offset, uint64_t size, AccessKind kind,
              const void *written) {
    std::vector<uint8_t> &memory = warp.block.shared;
    const char *verb = kind == AccessKind::Read ? "reads " : "writes ";
    if (offset % size)
        throw Fault(CUDA_ERROR_MISALIGNED_ADDRESS,
                    verb + std::to_string(size) + " bytes at offset " + std::to_string(offset) +
                        " of shared memory, which is no multiple of " + std::to_string(size));
    if (offset + size > memory.size() || offset + size < offset)
        throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS,
                    verb + std::to_string(size) + " bytes at offset " + std::to_string(offset) +
                        " of shared memory, which has " + std::to_string(memory.size()) + " bytes");
    Shadow &shadow = warp.block.sharedShadow;
    if (kind != AccessKind::Write && !shadow.isWritten(offset, size, warp.stamp(lane)))
        throw Fault(CUDA_ERROR_LAUNCH_FAILED,
                    "reads " + std::to_string(size) + " bytes at offset " + std::to_string(offset) +
                        " of shared memory that this block has not written");
    Race race = shadow.access(offset, size, kind, warp.stamp(lane));
    bool isSame = written && race.kind == AccessKind::Write &&
                  std::memcmp(&memory[offset], written, size) == 0;
    if (race.found && !isSame)
        throw Fault(CUDA_ERROR_LAUNCH_FAILED, raceText(warp, size, kind, "shared", race));
    return {&memory[offset], Space::Shared};
}

Place inGlobal(Warp &warp, int lane, uint64_t address, uint64_t size, AccessKind kind,
               const void *written) {
    bool isWrite = kind != AccessKind::Read;
    Allocation &allocation =
        warp.launch.memory->checked(address, size, isWrite, warp.launch.device);
    auto *bytes = reinterpret_cast<uint8_t *>(address);
    uint64_t offset = address - allocation.base;
    Race race = allocation.shadow.access(offset, size, kind, warp.stamp(lane));
    // Threads that write the value that is there already do no harm to each other.
    bool isSame =
        written && race.kind == AccessKind::Write && std::memcmp(bytes, written, size) == 0;
    if (race.found && !isSame)
        throw Fault(CUDA_ERROR_LAUNCH_FAILED, raceText(warp, size, kind, "global", race));
    auto count = [&](std::vector<uint32_t> &launches, uint64_t &counter) {
        for (uint64_t sector = offset / kSectorBytes; sector * kSectorBytes < offset + size;
             ++sector) {
            counter += launches[sector] != warp.launch.number;
            launches[sector] = warp.launch.number;
        }
    };
    if (kind != AccessKind::Write)
        count(allocation.readIn, warp.launch.counters->distinctRead);
    if (isWrite)
        count(allocation.writtenIn, warp.launch.counters->distinctWritten);
    return {bytes, Space::Global};
}

} // namespace

Place checkedPlace(Warp &warp, const Instruction &at, int lane, uint64_t address, uint64_t size,
                   AccessKind kind, const void *written) {
    Space space = at.space;
    if (space == Space::Generic) {
        space = address >> 56 == 1   ? Space::Shared
                : address >> 56 == 2 ? Space::Local
                                     : Space::Global;
        if (space != Space::Global)
            address &= kSharedWindow - 1;
    }
    if (space == Space::Shared)
        return inBlock(warp, lane, address, size, kind, written);
    if (space != Space::Local)
        return inGlobal(warp, lane, address, size, kind, written);
    uint64_t bytes = warp.module.localBytes;
    if (address % size)
        throw Fault(CUDA_ERROR_MISALIGNED_ADDRESS,
                    "uses " + std::to_string(size) + " bytes at offset " + std::to_string(address) +
                        " of local memory");
    if (address + size > bytes || address + size < address)
        throw Fault(CUDA_ERROR_ILLEGAL_ADDRESS, "uses offset " + std::to_string(address) +
                                                    " of local memory, which has " +
                                                    std::to_string(bytes) + " bytes");
    return {&warp.local[lane * bytes + address], Space::Local};
}

void countTraffic(Warp &warp, Space space, const uint64_t (&addresses)[kLanes], Lanes lanes,
                  uint64_t size, bool isWrite) {
    Counters &counters = *warp.launch.counters;
    if (space == Space::Global) {
        uint64_t sectors[4 * kLanes];
        int count = 0;
        uint64_t distinctBytes = 0, previous = ~0ull;
        bool sorted = true;
        forEach(lanes, [&](int lane) {
            uint64_t first = addresses[lane] / kSectorBytes,
                     last = (addresses[lane] + size - 1) / kSectorBytes;
            for (uint64_t sector = first; sector <= last; ++sector)
                if (!count || sectors[count - 1] != sector) {
                    sorted &= !count || sectors[count - 1] < sector;
                    sectors[count++] = sector;
                }
            distinctBytes += addresses[lane] != previous ? size : 0;
            previous = addresses[lane];
        });
        if (!sorted) {
            std::sort(sectors, sectors + count);
            count = std::unique(sectors, sectors + count) - sectors;
            uint64_t sortedAddresses[kLanes];
            int n = 0;
            forEach(lanes, [&](int lane) { sortedAddresses[n++] = addresses[lane]; });
            std::sort(sortedAddresses, sortedAddresses + n);
            distinctBytes =
                size * (std::unique(sortedAddresses, sortedAddresses + n) - sortedAddresses);
        }
        counters.sectors += count;
        SectorCache &cache = warp.block.cache;
        for (int k = 0; k < count; ++k) {
            if (isWrite)
                cache.drop(sectors[k]);
            counters.movedSectors += isWrite || !cache.has(sectors[k]);
        }
        counters.leastSectors += (distinctBytes + kSectorBytes - 1) / kSectorBytes;
    } else if (space == Space::Shared) {
        // Rounds of 32 banks of 4 bytes: a half warp at once for 8 bytes, a quarter for 16.
        int perRound = size <= 4 ? kLanes : size == 8 ? kLanes / 2 : kLanes / 4;
        for (int start = 0; start < kLanes; start += perRound) {
            std::vector<uint64_t> words[32];
            size_t most = 0;
            for (int lane = start; lane < start + perRound; ++lane) {
                if (!(lanes >> lane & 1))
                    continue;
                for (uint64_t word = addresses[lane] / 4; word * 4 < addresses[lane] + size;
                     ++word) {
                    auto &bank = words[word % 32];
                    if (std::find(bank.begin(), bank.end(), word) == bank.end())
                        bank.push_back(word);
                    most = std::max(most, bank.size());
                }
            }
            counters.bankConflicts += most > 1 ? most - 1 : 0;
        }
    }
}

} // namespace driver
