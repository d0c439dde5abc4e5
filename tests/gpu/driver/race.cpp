#include "race.h"

namespace driver {

bool Shadow::isOld(Stamp stamp, Stamp by) const {
    return stamp.launch != by.launch || stamp.launch == 0 ||
           (ofOneBlock && stamp.block != by.block);
}

bool Shadow::conflicts(Stamp other, Stamp by) const {
    if (isOld(other, by))
        return false;
    if (other.block != by.block || other.severalBlocks)
        return true;
    if (other.barriers != by.barriers)
        return false;
    if (other.severalThreads)
        return true;
    bool oneWarp = other.thread / 32 == by.thread / 32;
    return other.thread != by.thread && !(oneWarp && other.warpBarriers != by.warpBarriers);
}

void Shadow::merge(Stamp &into, Stamp by) const {
    if (!isOld(into, by)) {
        by.severalBlocks = into.severalBlocks || into.block != by.block;
        by.severalThreads = into.block == by.block && into.barriers == by.barriers &&
                            (into.severalThreads || into.thread != by.thread);
    }
    into = by;
}

// Granules as small as the smallest access so far.
void Shadow::refine(uint64_t offset, uint64_t size) {
    uint64_t wanted = size;
    while (offset % wanted)
        wanted /= 2;
    if (granule == 0) {
        granule = wanted;
        granules.resize((bytes + granule - 1) / granule);
    }
    if (wanted >= granule)
        return;
    uint64_t each = granule / wanted;
    std::vector<Granule> finer((bytes + wanted - 1) / wanted);
    for (uint64_t k = 0; k < finer.size(); ++k)
        finer[k] = granules[k / each];
    granules = std::move(finer);
    granule = wanted;
}

Race Shadow::access(uint64_t offset, uint64_t size, AccessKind kind, Stamp by) {
    refine(offset, size);
    Race race;
    auto check = [&](Stamp other, AccessKind theirs) {
        if (!race.found && conflicts(other, by))
            race = {true, other, theirs};
    };
    for (uint64_t at = offset / granule; at * granule < offset + size; ++at) {
        Granule &one = granules[at];
        check(one.written, AccessKind::Write);
        if (kind != AccessKind::Read)
            check(one.read, AccessKind::Read);
        if (kind != AccessKind::Atomic)
            check(one.atomic, AccessKind::Atomic);
        if (kind == AccessKind::Write)
            one.written = by;
        else
            merge(kind == AccessKind::Read ? one.read : one.atomic, by);
    }
    return race;
}

bool Shadow::isWritten(uint64_t offset, uint64_t size, Stamp by) {
    refine(offset, size);
    for (uint64_t at = offset / granule; at * granule < offset + size; ++at)
        if (isOld(granules[at].written, by) && isOld(granules[at].atomic, by))
            return false;
    return true;
}

} // namespace driver
