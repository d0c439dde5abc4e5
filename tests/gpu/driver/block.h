// Runs a launch: blocks one after another, their warps until all wait or end.
//
// Of a warp, the lanes with the lowest program counter run, as long as no others are ready at the
// next one: lanes that diverged meet again where their paths do. An instruction of several lanes
// (bar.sync, shfl.sync) waits until all of them stand at it; where they never do, nothing is ready
// and the launch ends with a report of who waits where.
#pragma once

#include "memory.h"
#include "ptx.h"

#include <bit>
#include <cstring>
#include <memory>
#include <random>
#include <unordered_set>

namespace driver {

/// Of everything since the last reset; the tests read it as 64-bit integers in this order.
struct Counters {
    uint64_t launches, blocks, warpInstructions, laneInstructions;
    uint64_t sectors;      // of 32 bytes of global memory, asked for by each warp's instruction
    uint64_t leastSectors; // that would hold the bytes asked for, if they were adjacent
    uint64_t movedSectors; // those written, and those read that the first-level cache did not have
    uint64_t distinctRead; // sectors of global memory that a launch read, each counted once
    uint64_t distinctWritten;
    uint64_t bankConflicts; // rounds of shared memory's 32 banks beyond the least
    uint64_t divergentBranches;
    uint64_t bytesToDevice, bytesToHost, bytesOnDevice; // copied
    uint64_t allocations, allocatedBytes;
};

struct Launch {
    std::shared_ptr<const Module> module; // also of work that outlives its loading
    const Function *kernel;
    unsigned grid[3], block[3];
    std::vector<uint8_t> parameters;
    uint64_t dynamicShared;
    int device;
    uint32_t number;
    Memory *memory;
    Counters *counters;
    std::minstd_rand *random;  // null: blocks and warps run in order
    uint64_t instructionsLeft; // of warps, before the launch counts as endless

    unsigned threads() const { return block[0] * block[1] * block[2]; }
    /// Throws Fault, with the instruction and the thread in its text.
    void run();
};

constexpr uint64_t kSharedWindow = 1ull << 56, kLocalWindow = 2ull << 56; // generic addresses

struct Block;

struct Warp {
    Block &block;
    Launch &launch;
    const Module &module;
    unsigned number;
    Lanes exists = 0, live = 0;
    Lanes waiting = 0;   // live, and not ready
    Lanes atBarrier = 0; // of these, those that a barrier of the block holds
    Lanes group = 0;     // those that run now, also where a guard masks the instruction
    uint32_t current = 0;
    uint32_t pc[kLanes], waitsAt[kLanes];
    std::vector<uint32_t> returns[kLanes];
    // 32 lanes each. Of the whole module, where only the kernel and what it may call are touched.
    std::unique_ptr<uint64_t[]> registers;
    std::vector<uint64_t> specials; // the values of Module::specials, in order
    std::vector<uint8_t> local, parameters;
    uint64_t scratch[kLanes];
    uint32_t warpBarriers = 0;
    Lanes carry = 0; // of add.cc and sub.cc

    Warp(Block &block, unsigned number);
    void restart();
    void run();

    const uint64_t *in(const Operand &from) const {
        return (from.kind == Operand::Constant ? module.constants.data() : registers.get()) +
               size_t(from.index) * kLanes;
    }
    uint64_t *out(const Operand &to) {
        return to.kind == Operand::Register ? registers.get() + size_t(to.index) * kLanes : scratch;
    }
    /// Whether all `members` stand at the current instruction; if not, `lanes` wait there. All that
    /// stand there go on then: `lanes` becomes them.
    bool converge(Lanes &lanes, Lanes members);
    void exit(Lanes lanes) { live &= ~lanes; }
    Stamp stamp(int lane) const;

private:
    void runGroup(uint32_t at, uint32_t next);
};

/// The first-level cache as a block sees it, for reads: 24 KiB of sectors, which is what a
/// multiprocessor of an A100 (sm_80) has for each of eight blocks. The oldest makes room.
class SectorCache {
public:
    /// Whether it had the sector; it has now.
    bool has(uint64_t sector) {
        if (!held.insert(sector).second)
            return true;
        if (order.size() < kSectors) {
            order.push_back(sector);
            return false;
        }
        held.erase(order[next]);
        order[next] = sector;
        next = (next + 1) % kSectors;
        return false;
    }
    void drop(uint64_t sector) { held.erase(sector); }
    void clear() {
        held.clear();
        order.clear();
        next = 0;
    }

private:
    static constexpr size_t kSectors = 24576 / 32;
    std::unordered_set<uint64_t> held;
    std::vector<uint64_t> order; // by age from `next` on, with those that were dropped
    size_t next = 0;
};

struct Barrier {
    unsigned arrived = 0;
    struct Waiting {
        Warp *warp;
        Lanes lanes;
        const Instruction *at;
    };
    std::vector<Waiting> waiting;
    unsigned population = 0; // bar.red: threads whose predicate is true
};

struct Block {
    Launch &launch;
    unsigned index[3], linear = 0;
    uint32_t barriersPassed = 0;
    SectorCache cache;
    std::vector<uint8_t> shared;
    Shadow sharedShadow;
    std::vector<Warp> warps;
    Barrier barriers[16];

    explicit Block(Launch &launch);
    void run(unsigned linear);
    /// `lanes` arrive at a barrier of `expected` threads (0: all) and, unless they only arrive,
    /// wait.
    void arrive(unsigned barrier, unsigned expected, Warp &warp, Lanes lanes, const Instruction &at,
                bool waits);

private:
    [[noreturn]] void reportDeadlock();
};

//===-- What instructions use

template <class Body> inline void forEach(Lanes lanes, Body body) {
    if (lanes == ~Lanes(0)) {
        for (int lane = 0; lane < kLanes; ++lane)
            body(lane);
        return;
    }
    for (Lanes rest = lanes; rest; rest &= rest - 1)
        body(std::countr_zero(rest));
}

template <class T> inline T get(const uint64_t *lanes, int lane) {
    if constexpr (std::is_same_v<T, bool>)
        return lanes[lane] & 1;
    T value;
    std::memcpy(&value, &lanes[lane], sizeof value);
    return value;
}

/// Signed integers are extended, so that a wider register holds the same number.
template <class T> inline void put(uint64_t *lanes, int lane, T value) {
    if constexpr (std::is_integral_v<T>) {
        lanes[lane] = static_cast<uint64_t>(
            static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(value));
    } else {
        uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        lanes[lane] = bits;
    }
}

} // namespace driver
