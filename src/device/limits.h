// What every device allows of a launch.
#pragma once

#include <cstdint>

namespace shapecast::device {

constexpr uint64_t maxBlocksX = (uint64_t{1} << 31) - 1, maxBlocksY = 65535;
constexpr unsigned mostParameters = 512; // of a kernel: 4 KiB

} // namespace shapecast::device
