// The parameter of the kernels of scans: np.cumsum and ufunc.accumulate.
#pragma once

#include "kernels/launch.h"

namespace shapecast::kernels {

// Items of a thread, and of a tile, which a block scans.
constexpr int scanItems(int64_t itemSize) { return itemSize > 8 ? 4 : 8; }
constexpr int scanTile(int64_t itemSize) { return scanItems(itemSize) * blockThreads; }

struct Scan {
    const char *from;
    char *to;            // may be `from`
    char *totals;        // of each part of each line; null: a line has one part
    int64_t count;       // lines
    int64_t length;      // of a line
    int64_t parts, part; // parts of a line, and elements of one
    int64_t tiles;       // of all lines together
    int64_t fromStep, toStep;
    int32_t widthBits; // log2 of the slots of a line in a tile
    // Not 0: each part's total is stored. 0: the line is, and totals are those up to each part.
    int32_t onlyTotals;
    Axes<2> axes; // of the lines: from, to
};

} // namespace shapecast::kernels
