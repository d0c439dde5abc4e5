// NumPy's pairwise summation of contiguous floats, bit for bit
// (numpy/_core/src/umath/loops_utils.h.src): a tree that depends on the number of elements alone,
// whose leaves have eight accumulators.
#pragma once

#include <algorithm>
#include <cstdint>

namespace shapecast::runtime::pairwise {

inline constexpr int64_t leaf = 128, lanes = 8; // max. elements of a leaf; its accumulators

// Number of elements of the left child of a node.
inline int64_t leftHalf(int64_t count) { return count / 2 - count / 2 % lanes; }

// Of at most `leaf` elements.
template <class T, class Numbers> T leafSum(const Numbers *x, int64_t count) {
    T total = 0;
    int64_t i = 0;
    if (count >= lanes) {
        T part[lanes];
        std::copy(x, x + lanes, part);
        for (i = lanes; i + lanes <= count; i += lanes)
            for (int64_t k = 0; k < lanes; ++k)
                part[k] += x[i + k];
        total = ((part[0] + part[1]) + (part[2] + part[3])) +
                ((part[4] + part[5]) + (part[6] + part[7]));
    }
    for (; i < count; ++i)
        total += x[i];
    return total;
}

template <class T> T sum(const T *x, int64_t count) {
    if (count <= leaf)
        return leafSum<T>(x, count);
    const int64_t left = leftHalf(count);
    const T low = sum(x, left);
    return low + sum(x + left, count - left);
}

} // namespace shapecast::runtime::pairwise
