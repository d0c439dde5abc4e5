// Format specifications, as format() and f-strings take them: [[fill]align][sign][#][0][width]
// [grouping][.precision][type]. Source: CPython's formatter_unicode.c.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace shapecast::runtime {

enum class Formatted : int64_t { Int, Float, Text };

struct TextFormat {
    uint32_t fill = ' ';
    char align = 0;    // 0: not given
    char sign = '-';   // or '+' or ' '
    char grouping = 0; // ',' or '_'
    char type = 0;
    bool isAlternate = false; // '#'
    int64_t width = 0, precision = -1;
};

// What is formatted here for values of that kind; none where Python is needed: for its errors, for
// what depends on the locale, and for what is seldom used. `characters`: of one byte or four.
std::optional<TextFormat> readFormat(const char *characters, int64_t length, int64_t width,
                                     Formatted kind);

} // namespace shapecast::runtime
