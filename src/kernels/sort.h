// The parameter of the kernels of np.sort and np.argsort.
#pragma once

#include "kernels/launch.h"

namespace shapecast::kernels {

// Items of a thread, and of a tile, which a block sorts: 48 KiB hold a tile.
constexpr int sortItems(int64_t itemSize) { return itemSize > 8 ? 4 : 8; }
constexpr int sortTile(int64_t itemSize) { return sortItems(itemSize) * blockThreads; }

// Memory between two launches: the rows, one after the other. Positions are of np.argsort only.
struct SortBuffer {
    char *keys;
    uint32_t *positions;
};

struct Sort {
    const char *rows;         // as they are given
    char *result;             // sorted rows, or int64 positions
    SortBuffer before, after; // what a merge reads; what a launch stores, null: the result
    int64_t count, length;    // of the rows
    int64_t tiles, rowTiles;  // of all rows; of a row, 1 where several rows share a tile
    int64_t run;              // the length of sorted runs, in a merge
    int32_t widthBits;        // log2 of the slots of a row in a tile
    bool isAcross;            // adjacent lanes take adjacent rows, not adjacent items
    int64_t rowStep, resultStep;
    Axes<2> axes; // of the rows: given, result
};

} // namespace shapecast::kernels
