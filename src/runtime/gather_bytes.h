// Table lookup of bytes: np.take(table, indices) with uint8 indices, of an image, say.
#pragma once

#include <cstdint>

namespace shapecast::runtime {

// to[i] = table[indices[i]]; the table has 256 bytes at least.
void gatherBytes(const uint8_t *table, const uint8_t *indices, uint8_t *to, int64_t count);

} // namespace shapecast::runtime
