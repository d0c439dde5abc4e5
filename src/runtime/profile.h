// Where the time of a profiled call goes: compiled code marks where each row's begins
// (passes/loops/profile.h), sc_mark reads the clock there.
#pragma once

#include "runtime/abi.h"

#include <vector>

namespace shapecast::runtime {

struct ProfileRow {
    int64_t nanoseconds = 0;
    int64_t count = 0; // of times that it began
    int64_t bytes = 0; // moved, at least
};

// Of one call. Helper threads have none: their time is that of the thread that shares its work.
struct Profile {
    explicit Profile(size_t rowCount);
    void mark(size_t row, int64_t bytes);
    void end(); // of the row: what follows counts for the first

    std::vector<ProfileRow> rows; // the first: until the first mark
    size_t current = 0;
    int64_t since; // on the monotonic clock, in nanoseconds
};

extern "C" {
// From here on time counts for the row. Waits for what the device has been told to do.
void sc_mark(Context *ctx, int64_t row, int64_t bytes);
}

} // namespace shapecast::runtime
