// One access of one lane: where it is in host memory, once everything about it is checked.
#pragma once

#include "block.h"

namespace driver {

struct Place {
    uint8_t *bytes;
    Space space; // never Generic
};

/// Checks bounds, alignment, races and, for shared memory, that what is read was written. Throws
/// Fault.
Place checkedPlace(Warp &warp, const Instruction &at, int lane, uint64_t address, uint64_t size,
                   AccessKind kind, const void *written = nullptr);

/// The address that an operand [register + offset] has in a lane.
inline uint64_t addressOf(const Warp &warp, const Operand &operand, int lane) {
    uint64_t base = operand.base == Operand::InRegister
                        ? warp.registers[size_t(operand.index) * kLanes + lane]
                        : 0;
    return base + static_cast<uint64_t>(operand.offset);
}

/// Counts sectors of global memory, or conflicts of shared memory's banks, of the lanes' addresses.
void countTraffic(Warp &warp, Space space, const uint64_t (&addresses)[kLanes], Lanes lanes,
                  uint64_t size, bool isWrite);

} // namespace driver
