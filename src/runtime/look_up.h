// Tables of bytes: a lookup of each byte of an image, say.
#pragma once

#include <cstdint>

namespace shapecast::runtime {

// to[i] = table[places[i]]; the table has 256 bytes at least.
void lookUp(const uint8_t *table, const uint8_t *places, uint8_t *to, int64_t count);

} // namespace shapecast::runtime
