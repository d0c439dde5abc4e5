// Device memory: host memory between red zones, whose accesses are checked.
#pragma once

#include "device/cuda.h"
#include "race.h"

#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace driver {

/// What ends a launch: the code that the driver's next calls return, and a report for people.
struct Fault : std::runtime_error {
    CUresult code;
    Fault(CUresult code, const std::string &what) : runtime_error(what), code(code) {}
};

constexpr uint64_t kSectorBytes = 32;

struct Allocation {
    enum Kind : uint8_t { Device, Pinned, Variable };
    uint64_t base, bytes;
    int device;
    Kind kind;
    bool isFreed = false, isReadOnly = false;
    std::unique_ptr<uint8_t[]> storage; // with the red zones; none where the host owns the memory
    Shadow shadow;
    std::vector<uint32_t> readIn, writtenIn; // by sector: the last launch that did
    Allocation(uint64_t base, uint64_t bytes, int device, Kind kind)
        : base(base), bytes(bytes), device(device), kind(kind), shadow(bytes, false),
          readIn((bytes + kSectorBytes - 1) / kSectorBytes), writtenIn(readIn.size()) {}
};

class Memory {
public:
    /// New memory, full of bytes that are no useful value of any type. 0: there is not that much.
    uint64_t allocate(uint64_t bytes, int device, Allocation::Kind kind);
    /// Memory of the host that kernels may use (cuMemHostRegister). False: it is already.
    bool adopt(uint64_t base, uint64_t bytes, int device);
    /// False: no memory begins there.
    bool release(uint64_t base);

    /// The allocation that holds an address, also one that is freed; null for others.
    Allocation *find(uint64_t address);
    /// The allocation of an access by a kernel; throws Fault for one that is not allowed.
    Allocation &checked(uint64_t address, uint64_t bytes, bool isWrite, int device);
    /// Whether a copy may use these bytes.
    bool holds(uint64_t address, uint64_t bytes);

    uint64_t liveBytes(int device) const;

private:
    std::string nearest(uint64_t address, uint64_t bytes);

    std::map<uint64_t, std::unique_ptr<Allocation>> allocations; // by base
    std::deque<uint64_t> freed; // kept for a while, so that uses are known for what they are
    uint64_t freedBytes = 0;
    Allocation *last = nullptr;
};

} // namespace driver
