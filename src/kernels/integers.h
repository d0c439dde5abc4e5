// Reading integers of any dtype.
#pragma once

#include "kernels/device.h"

namespace shapecast::kernels {

// `kind` is NumPy's character.
SC_INLINE int64_t integerAt(const char *data, char kind, int64_t at) {
    switch (kind) {
    case 'b':
        return reinterpret_cast<const int8_t *>(data)[at];
    case '?':
    case 'B':
        return reinterpret_cast<const uint8_t *>(data)[at];
    case 'h':
        return reinterpret_cast<const int16_t *>(data)[at];
    case 'H':
        return reinterpret_cast<const uint16_t *>(data)[at];
    case 'i':
        return reinterpret_cast<const int32_t *>(data)[at];
    case 'I':
        return reinterpret_cast<const uint32_t *>(data)[at];
    default:
        return reinterpret_cast<const int64_t *>(data)[at];
    }
}

} // namespace shapecast::kernels
