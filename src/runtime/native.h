// The calling convention of sc_<name>(ctx, slots) of np.native, and helpers of these functions.
//
// Slots, per operand: of an int its value, of a float its bits, of an object its address; of an
// array its dtype's character + 256 * rank, its address, sizes[rank], strides[rank] (in elements).
// Results that are a float or an int64 may have any value; an int is not negative, or one of:
#pragma once

#include "runtime/abi.h"
#include "runtime/memory.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

namespace shapecast::runtime {

inline constexpr int64_t nativeRaises = -1, // the operation's exception, with ctx->error.payload
    nativeFails = -2;                       // the exception is already recorded: out of memory

struct NativeArray {
    char dtype; // NumPy's character
    int64_t rank;
    char *data;
    const int64_t *sizes, *strides;

    int64_t itemSize() const {
        switch (dtype) {
        case '?':
        case 'b':
        case 'B':
            return 1;
        case 'h':
        case 'H':
        case 'e':
            return 2;
        case 'i':
        case 'I':
        case 'f':
            return 4;
        case 'D':
            return 16;
        default:
            return 8;
        }
    }
    int64_t count() const {
        int64_t product = 1;
        for (int64_t d = 0; d < rank; ++d)
            product *= sizes[d];
        return product;
    }
};

class NativeOperands {
public:
    explicit NativeOperands(const int64_t *slots) : at(slots) {}
    int64_t number() { return *at++; }
    double real() { return std::bit_cast<double>(*at++); }
    NativeArray array() {
        NativeArray a;
        a.dtype = static_cast<char>(at[0] & 255);
        a.rank = at[0] >> 8;
        a.data = reinterpret_cast<char *>(at[1]);
        a.sizes = at + 2;
        a.strides = a.sizes + a.rank;
        at = a.strides + a.rank;
        return a;
    }

    // A text: the number of its bytes, and these in words.
    std::string constant() {
        const auto bytes = static_cast<size_t>(number());
        std::string text(reinterpret_cast<const char *>(at), bytes);
        at += (bytes + 7) / 8;
        return text;
    }

private:
    const int64_t *at;
};

// An iteration space and the strides in it of `arrays` arrays; axes that can be for all of them are
// coalesced, and axes of size 1 dropped.
template <int arrays> struct Space {
    static constexpr int maxRank = 34;
    int rank = 0;
    int64_t sizes[maxRank], strides[arrays][maxRank];

    void add(int64_t size, const int64_t (&along)[arrays]) {
        if (size == 1)
            return;
        bool merges = rank > 0;
        for (int k = 0; k < arrays && merges; ++k)
            merges = strides[k][rank - 1] == size * along[k];
        rank += !merges;
        sizes[rank - 1] = merges ? sizes[rank - 1] * size : size;
        for (int k = 0; k < arrays; ++k)
            strides[k][rank - 1] = along[k];
    }
    int64_t count() const {
        int64_t product = 1;
        for (int d = 0; d < rank; ++d)
            product *= sizes[d];
        return product;
    }
    // run(length, starts, steps) for each row (the last axis), at the offsets `starts`. Ends when
    // run() returns false.
    template <class Run> bool rows(Run run) const {
        if (count() == 0)
            return true;
        int64_t at[maxRank], starts[arrays] = {}, steps[arrays] = {};
        const int outer = std::max(rank - 1, 0);
        std::fill(at, at + outer, 0);
        for (int k = 0; k < arrays && rank; ++k)
            steps[k] = strides[k][rank - 1];
        while (true) {
            if (!run(rank ? sizes[rank - 1] : 1, starts, steps))
                return false;
            int d = outer - 1;
            for (; d >= 0; --d) {
                for (int k = 0; k < arrays; ++k)
                    starts[k] += strides[k][d];
                if (++at[d] < sizes[d])
                    break;
                for (int k = 0; k < arrays; ++k)
                    starts[k] -= sizes[d] * strides[k][d];
                at[d] = 0;
            }
            if (d < 0)
                return true;
        }
    }
};

// Whether they share bytes, from the first to the last of each.
inline bool overlap(const NativeArray &a, const NativeArray &b) {
    auto bytesOf = [](const NativeArray &array) -> std::pair<const char *, const char *> {
        const char *low = array.data, *high = array.data + array.itemSize();
        for (int64_t d = 0; d < array.rank; ++d) {
            if (array.sizes[d] == 0)
                return {array.data, array.data};
            const int64_t reach = (array.sizes[d] - 1) * array.strides[d] * array.itemSize();
            (reach < 0 ? low : high) += reach;
        }
        return {low, high};
    };
    const auto [aLow, aHigh] = bytesOf(a);
    const auto [bLow, bHigh] = bytesOf(b);
    return aLow < bHigh && bLow < aHigh;
}

// A temporary buffer, freed by the destructor.
class Scratch {
public:
    Scratch(Context *ctx, int64_t bytes) : ctx(ctx), memory(sc_alloc(ctx, bytes)) {}
    Scratch(const Scratch &) = delete;
    ~Scratch() {
        if (memory)
            sc_release(ctx, reinterpret_cast<uintptr_t>(memory));
    }
    char *get() const { return static_cast<char *>(memory); }

private:
    Context *ctx;
    void *memory;
};

} // namespace shapecast::runtime
