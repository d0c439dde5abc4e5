// Who touched which bytes, and whether a barrier lies between.
//
// Each granule of memory has three stamps: of the last plain read, plain write and atomic access. A
// stamp names launch, block, thread and how many barriers the thread's block and warp had passed.
// Two accesses of which one is a plain write, or one is atomic and the other is not, are a race
// when they are of one launch and either of two blocks, or of two threads with no barrier between.
#pragma once

#include <cstdint>
#include <vector>

namespace driver {

struct Stamp {
    uint64_t launch : 18 = 0; // 0: never
    uint64_t block : 20 = 0;
    uint64_t thread : 10 = 0;
    uint64_t barriers : 8 = 0;
    uint64_t warpBarriers : 6 = 0;
    uint64_t severalThreads : 1 = 0; // others too, since the last barrier
    uint64_t severalBlocks : 1 = 0;  // others too, in this launch
};
static_assert(sizeof(Stamp) == 8);

enum class AccessKind : uint8_t { Read, Write, Atomic };

struct Race {
    bool found = false;
    Stamp other;
    AccessKind kind = AccessKind::Read; // the other's
};

class Shadow {
public:
    /// `ofOneBlock`: shared memory, where stamps of other blocks are of another life of it.
    Shadow(uint64_t bytes, bool ofOneBlock) : bytes(bytes), ofOneBlock(ofOneBlock) {}

    Race access(uint64_t offset, uint64_t size, AccessKind kind, Stamp by);
    /// Whether this block has written all of these bytes.
    bool isWritten(uint64_t offset, uint64_t size, Stamp by);

private:
    struct Granule {
        Stamp read, written, atomic;
    };
    void refine(uint64_t offset, uint64_t size);
    bool isOld(Stamp stamp, Stamp by) const;
    bool conflicts(Stamp other, Stamp by) const;
    void merge(Stamp &into, Stamp by) const;

    uint64_t bytes, granule = 0; // bytes of a granule; 0 before the first access
    bool ofOneBlock;
    std::vector<Granule> granules;
};

} // namespace driver
