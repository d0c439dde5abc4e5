// Plans of transforms of a power of two of points: radices and twiddle factors. Computed once for
// each number of points, shared by all threads, never freed: there are only so many powers of two.
//
// The four-step (Bailey) algorithm: n points are a matrix of n1 rows and n2 columns. Its columns
// are transformed, `block` of them at once (each in a lane of vectors), all elements are multiplied
// by twiddle factors, and the rows are transformed as the columns were. Inputs are points
// j1 * n2 + j2, outputs points k1 + n1 * k2.
#pragma once

#include <cstdint>
#include <vector>

namespace shapecast::runtime {

inline constexpr int minFftLog = 3, maxFftLog = 22; // 8 to 4 million points

struct alignas(64) CacheLine {
    double numbers[8];
};
using Table = std::vector<CacheLine>;

inline const double *numbersOf(const Table &table) {
    return table.empty() ? nullptr : table.data()->numbers;
}

// In-place transforms of `points`, decimation in frequency: result k is in row rowOf[k].
struct ColumnPlan {
    int points = 0;
    int passes = 0;
    int radices[12] = {};   // of the passes
    int rootsFrom[12] = {}; // start of a pass's roots: radix - 1 for each point of a sub-column
    Table roots;            // pairs of numbers
    std::vector<int> rowOf;
};

// Pairs of numbers are deinterleaved without putting the lanes in order: the lane of a column, and
// the column of a lane.
constexpr int laneOf(int column, int lanes) {
    const int within = column % lanes, half = lanes / 2;
    return column - within + (within < half ? 2 * within : 2 * (within - half) + 1);
}
constexpr int columnOf(int lane, int lanes) {
    const int within = lane % lanes;
    return lane - within + within / 2 + within % 2 * (lanes / 2);
}

struct FftPlan {
    int64_t points;
    int lanes; // vector width that the lane order is for
    int block; // columns at once; rows have so many real parts and as many imaginary ones
    ColumnPlan columns, rows; // of n1 and n2 points
    // Twiddle factors of row k1 of a block of columns: `fine` has a row for each k1 of each block,
    // or of the first block only. Then those of other blocks are these times `coarse`, a number for
    // each k1 and block: of many points a whole table would be as large as the data.
    Table fine, coarse;
    bool isWhole() const { return coarse.empty(); }

    // The twiddle factor of row k1 of column j2, where the table is whole.
    const double *twiddleOf(int64_t k1, int64_t j2) const {
        const int64_t row = j2 / block * columns.points + k1;
        return fine.data()->numbers + row * 2 * block + laneOf(int(j2 % block), lanes);
    }
};

// For real transforms of 2 * points: -i * exp(-2 pi i k / (2 * points)) for k from 1, as `fine` and
// `coarse` above, in rows of eight.
struct RealPlan {
    Table fine, coarse;
};

// `lanes`: of the processor's vectors, always the same in a process.
const FftPlan *fftPlan(int log2Points, int lanes);
const RealPlan *realPlan(int log2Points);

} // namespace shapecast::runtime
