// Advanced indexing by index arrays and masks: gathers, scatters, and np.nonzero.
//
// Indices become offsets into the base in blocks that stay in the L1 cache, and are checked
// meanwhile; then the elements are copied without checks. A scatter checks all indices before it
// stores any.
#include "runtime/gather_bytes.h"
#include "runtime/mask_rows.h"
#include "runtime/native.h"
#include "runtime/processor.h"
#include "runtime/symbols.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <optional>

namespace shapecast::runtime {
namespace {

constexpr int maxIndices = 32;

//===-- Offsets from index arrays

struct Index {
    NativeArray array;          // broadcast to the rank of the others
    int64_t size, stride, axis; // of the base's axis; its number, for messages
};

// Every value of its dtype is in bounds.
bool isAlwaysInBounds(const Index &index) {
    switch (index.array.dtype) {
    case 'b':
        return index.size >= 1 << 7;
    case 'B':
        return index.size >= 1 << 8;
    case 'h':
        return index.size >= 1 << 15;
    case 'H':
        return index.size >= 1 << 16;
    default:
        return false;
    }
}

// For contiguous indices, expected to be in bounds: vectorised, without an early exit.
[[SC_VERSIONS("avx512f", "avx2", "default")]] bool areInBounds(const int64_t *indices,
                                                               int64_t count, int64_t size) {
    bool bad = false;
    for (int64_t i = 0; i < count; ++i)
        bad |= (indices[i] >= size) | (indices[i] < -size);
    return !bad;
}

enum class Use { First, Next, Check };

// offsets[i] (+)= wrapped index * stride; false where one is out of bounds.
template <class T, bool contiguous, Use use>
bool addOffsets(const T *__restrict indices, int64_t step, int64_t count, int64_t size,
                int64_t stride, int64_t *__restrict offsets) {
    bool bad = false;
    for (int64_t i = 0; i < count; ++i) {
        const auto signedIndex = static_cast<int64_t>(indices[contiguous ? i : i * step]);
        const int64_t index = signedIndex < 0 ? signedIndex + size : signedIndex;
        bad |= static_cast<uint64_t>(index) >= static_cast<uint64_t>(size);
        if (use != Use::Check)
            offsets[i] = (use == Use::First ? 0 : offsets[i]) + index * stride;
    }
    return !bad;
}

template <class T>
bool addOffsets(const Index &index, const char *data, int64_t step, int64_t count, Use use,
                int64_t *offsets) {
    const T *indices = reinterpret_cast<const T *>(data);
    if constexpr (std::is_same_v<T, int64_t>)
        if (use == Use::Check && step == 1)
            return areInBounds(indices, count, index.size);
    auto add = [&]<Use how>() {
        return step == 1 ? addOffsets<T, true, how>(indices, step, count, index.size, index.stride,
                                                    offsets)
                         : addOffsets<T, false, how>(indices, step, count, index.size, index.stride,
                                                     offsets);
    };
    return use == Use::First  ? add.template operator()<Use::First>()
           : use == Use::Next ? add.template operator()<Use::Next>()
                              : add.template operator()<Use::Check>();
}

int64_t indexAt(char dtype, const char *data, int64_t offset) {
    switch (dtype) {
    case 'b':
        return reinterpret_cast<const int8_t *>(data)[offset];
    case 'B':
        return reinterpret_cast<const uint8_t *>(data)[offset];
    case 'h':
        return reinterpret_cast<const int16_t *>(data)[offset];
    case 'H':
        return reinterpret_cast<const uint16_t *>(data)[offset];
    case 'i':
        return reinterpret_cast<const int32_t *>(data)[offset];
    case 'I':
        return reinterpret_cast<const uint32_t *>(data)[offset];
    default:
        return reinterpret_cast<const int64_t *>(data)[offset];
    }
}

bool addOffsets(const Index &index, int64_t start, int64_t step, int64_t count, Use use,
                int64_t *offsets) {
    const char *data = index.array.data + start * index.array.itemSize();
    switch (index.array.dtype) {
    case 'b':
        return addOffsets<int8_t>(index, data, step, count, use, offsets);
    case 'B':
        return addOffsets<uint8_t>(index, data, step, count, use, offsets);
    case 'h':
        return addOffsets<int16_t>(index, data, step, count, use, offsets);
    case 'H':
        return addOffsets<uint16_t>(index, data, step, count, use, offsets);
    case 'i':
        return addOffsets<int32_t>(index, data, step, count, use, offsets);
    case 'I':
        return addOffsets<uint32_t>(index, data, step, count, use, offsets);
    default:
        return addOffsets<int64_t>(index, data, step, count, use, offsets);
    }
}

int64_t raiseOutOfBounds(Context *ctx, const Index &index, int64_t start, int64_t step,
                         int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        const int64_t value = indexAt(index.array.dtype, index.array.data, start + i * step);
        if (value >= index.size || value < -index.size) {
            ctx->error.payload[0] = value;
            ctx->error.payload[1] = index.axis;
            ctx->error.payload[2] = index.size;
            break;
        }
    }
    return nativeRaises;
}

//===-- Copying elements

struct Pair { // complex128
    uint64_t parts[2];
};

// The axes that are not indexed, of the base (0) and of the result or the stored value (1).
using Rest = Space<2>;

// Copies between base[offsets[i]] and other[i * step] for a block; each is an element, or a
// subarray over `rest`.
template <class T, bool store> struct Mover {
    const Rest &rest;
    bool rowsAreBytes; // the rest is contiguous on both sides: memcpy
    bool inner;        // the block is the inner loop: its stride is smaller than the rest's

    Mover(const Rest &rest, int64_t step) : rest(rest) {
        rowsAreBytes = rest.rank == 1 && rest.strides[0][0] == 1 && rest.strides[1][0] == 1;
        inner = rest.rank > 0 && !rowsAreBytes &&
                std::abs(rest.strides[1][rest.rank - 1]) > std::abs(step);
    }
    static void one(T *base, T *other) { store ? (void)(*base = *other) : (void)(*other = *base); }

    void operator()(T *base, const int64_t *offsets, int64_t count, T *other, int64_t step) const {
        if (rest.rank == 0) {
            if (step == 1)
                for (int64_t i = 0; i < count; ++i)
                    one(base + offsets[i], other + i);
            else
                for (int64_t i = 0; i < count; ++i)
                    one(base + offsets[i], other + i * step);
        } else if (rowsAreBytes) {
            rows(base, offsets, count, other, step);
        } else if (inner) {
            rest.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
                for (int64_t k = 0; k < length; ++k) {
                    T *from = base + starts[0] + k * steps[0],
                      *to = other + starts[1] + k * steps[1];
                    for (int64_t i = 0; i < count; ++i)
                        one(from + offsets[i], to + i * step);
                }
                return true;
            });
        } else {
            for (int64_t i = 0; i < count; ++i)
                rest.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
                    T *from = base + offsets[i] + starts[0], *to = other + i * step + starts[1];
                    for (int64_t k = 0; k < length; ++k)
                        one(from + k * steps[0], to + k * steps[1]);
                    return true;
                });
        }
    }
    void rows(T *base, const int64_t *offsets, int64_t count, T *other, int64_t step) const {
        const int64_t length = rest.sizes[0];
        const size_t bytes = size_t(length) * sizeof(T);
        for (int64_t i = 0; i < count; ++i) {
            T *from = base + offsets[i], *to = other + i * step;
            if (bytes > 128)
                std::memcpy(store ? from : to, store ? to : from, bytes);
            else
                for (int64_t k = 0; k < length; ++k)
                    one(from + k, to + k);
        }
    }
};

template <class Use> int64_t withType(int64_t itemSize, Use use) {
    switch (itemSize) {
    case 1:
        return use.template operator()<uint8_t>();
    case 2:
        return use.template operator()<uint16_t>();
    case 4:
        return use.template operator()<uint32_t>();
    case 8:
        return use.template operator()<uint64_t>();
    default:
        return use.template operator()<Pair>();
    }
}

// A copy of an operand that the store may write into: same sizes, in C order.
struct OverlapCopy {
    std::optional<Scratch> memory;
    std::vector<int64_t> strides;

    bool copy(Context *ctx, NativeArray &a) {
        const int64_t count = a.count(), item = a.itemSize();
        memory.emplace(ctx, count * item);
        if (!memory->get())
            return false;
        Space<1> space;
        for (int64_t d = 0; d < a.rank; ++d)
            space.add(a.sizes[d], {a.strides[d]});
        char *to = memory->get();
        space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            for (int64_t i = 0; i < length; ++i, to += item)
                std::memcpy(to, a.data + (starts[0] + i * steps[0]) * item, size_t(item));
            return true;
        });
        strides.assign(size_t(a.rank), 1);
        for (int64_t d = a.rank - 2; d >= 0; --d)
            strides[size_t(d)] = strides[size_t(d) + 1] * a.sizes[d + 1];
        a.data = memory->get();
        a.strides = strides.data();
        return true;
    }
};

//===-- Index arrays

// base (indexed axes first), other (axes of the index arrays first), then per indexed axis its
// number and its index array, broadcast to indexRank axes.
struct IndexedAccess {
    NativeArray base, other;
    int indices = 0, indexRank = 0;
    Index index[maxIndices];

    IndexedAccess(NativeOperands in, const NativeArray &first, bool store) {
        const NativeArray second = in.array();
        base = store ? first : second;
        other = store ? second : first;
        readIndices(in);
    }
    // Only to check the indices.
    explicit IndexedAccess(NativeOperands in) {
        base = in.array();
        readIndices(in);
        other = index[0].array;
    }
    void readIndices(NativeOperands &in) {
        indices = int(in.number());
        for (int k = 0; k < indices; ++k) {
            index[k].axis = in.number();
            index[k].array = in.array();
            index[k].size = base.sizes[k];
            index[k].stride = base.strides[k];
        }
        indexRank = int(index[0].array.rank);
    }
    // Copies the operands that overlap the base.
    bool copyOverlapping(Context *ctx, std::list<OverlapCopy> &copies) {
        for (int k = 0; k <= indices; ++k) {
            NativeArray &array = k < indices ? index[k].array : other;
            if (overlap(array, base) && !copies.emplace_back().copy(ctx, array))
                return false;
        }
        return true;
    }
    int64_t count() const {
        int64_t product = 1;
        for (int d = 0; d < indexRank; ++d)
            product *= index[0].array.sizes[d];
        return product;
    }
    Rest rest() const {
        Rest rest;
        for (int64_t d = indices; d < base.rank; ++d)
            rest.add(base.sizes[d], {base.strides[d], other.strides[indexRank + d - indices]});
        return rest;
    }

    // move(offsets, count, start in `other`, step) for each block; without offsets if it only
    // `checks`.
    template <int arrays, bool checks, class Move> int64_t blocksOf(Context *ctx, Move move) const {
        Space<arrays> space; // of the index arrays, and of `other`
        for (int d = 0; d < indexRank; ++d) {
            int64_t along[arrays];
            for (int k = 0; k < arrays; ++k)
                along[k] = k == arrays - 1 ? other.strides[d]
                           : k < indices   ? index[k].array.strides[d]
                                           : 0;
            space.add(index[0].array.sizes[d], along);
        }
        int64_t status = 0;
        int64_t offsets[blockSize];
        space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            for (int64_t from = 0; from < length; from += blockSize) {
                const int64_t count = std::min(length - from, blockSize);
                for (int k = 0; k < indices; ++k) {
                    const int64_t start = starts[k] + from * steps[k];
                    const Use use = checks ? Use::Check : k == 0 ? Use::First : Use::Next;
                    if (!addOffsets(index[k], start, steps[k], count, use, offsets)) {
                        status = raiseOutOfBounds(ctx, index[k], start, steps[k], count);
                        return false;
                    }
                }
                move(offsets, count, starts[arrays - 1] + from * steps[arrays - 1],
                     steps[arrays - 1]);
            }
            return true;
        });
        return status;
    }
    template <bool checks, class Move> int64_t blocks(Context *ctx, Move move) const {
        if (indices == 1)
            return blocksOf<2, checks>(ctx, move);
        return indices == 2 ? blocksOf<3, checks>(ctx, move)
                            : blocksOf<maxIndices + 1, checks>(ctx, move);
    }
    // A table lookup of bytes by uint8 indices that are always in bounds.
    bool isByteTable() const {
        return indices == 1 && base.rank == 1 && base.itemSize() == 1 && base.strides[0] == 1 &&
               index[0].array.dtype == 'B' && isAlwaysInBounds(index[0]);
    }
    int64_t lookUpBytes() const {
        Space<2> space;
        for (int d = 0; d < indexRank; ++d)
            space.add(index[0].array.sizes[d], {index[0].array.strides[d], other.strides[d]});
        const auto *table = reinterpret_cast<const uint8_t *>(base.data),
                   *at = reinterpret_cast<const uint8_t *>(index[0].array.data);
        auto *to = reinterpret_cast<uint8_t *>(other.data);
        space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            if (steps[0] == 1 && steps[1] == 1)
                gatherBytes(table, at + starts[0], to + starts[1], length);
            else
                for (int64_t i = 0; i < length; ++i)
                    to[starts[1] + i * steps[1]] = table[at[starts[0] + i * steps[0]]];
            return true;
        });
        return 0;
    }
    int64_t check(Context *ctx) const {
        if (std::all_of(index, index + indices, isAlwaysInBounds))
            return 0;
        return blocks<true>(ctx, [](const int64_t *, int64_t, int64_t, int64_t) {});
    }
    // A scatter without a buffer of offsets: its stores would take slots of the processor's store
    // buffer, which holds only so many stores that miss the cache.
    template <class T> int64_t storeDirectly() const {
        Space<2> space;
        for (int d = 0; d < indexRank; ++d)
            space.add(index[0].array.sizes[d], {index[0].array.strides[d], other.strides[d]});
        space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            const auto *at = reinterpret_cast<const int64_t *>(index[0].array.data) + starts[0];
            const T *from = reinterpret_cast<const T *>(other.data) + starts[1];
            T *to = reinterpret_cast<T *>(base.data);
            const int64_t size = index[0].size, stride = index[0].stride;
            for (int64_t i = 0; i < length; ++i) {
                const int64_t value = at[i * steps[0]];
                to[(value < 0 ? value + size : value) * stride] = from[i * steps[1]];
            }
            return true;
        });
        return 0;
    }
    template <bool store> int64_t move(Context *ctx) const {
        const Rest left = rest();
        if (left.count() == 0)
            return check(ctx);
        const bool direct = store && indices == 1 && index[0].array.dtype == 'l' && left.rank == 0;
        if (direct && count() > blockSize) // checked before
            return withType(base.itemSize(), [&]<class T>() { return storeDirectly<T>(); });
        return withType(base.itemSize(), [&]<class T>() {
            T *from = reinterpret_cast<T *>(base.data), *to = reinterpret_cast<T *>(other.data);
            return blocks<false>(
                ctx, [&](const int64_t *offsets, int64_t count, int64_t start, int64_t step) {
                    Mover<T, store>(left, step)(from, offsets, count, to + start, step);
                });
        });
    }
};

} // namespace

extern "C" int64_t sc_gather(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray out = in.array();
    const IndexedAccess access(in, out, false);
    return access.isByteTable() ? access.lookUpBytes() : access.move<false>(ctx);
}

extern "C" int64_t sc_overlap(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray a = in.array();
    return overlap(a, in.array());
}

extern "C" int64_t sc_check_indices(Context *ctx, const int64_t *slots) {
    return IndexedAccess(NativeOperands(slots)).check(ctx);
}

extern "C" int64_t sc_scatter(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray base = in.array();
    IndexedAccess access(in, base, true);
    // A single block is checked before any of it is stored.
    const bool single = access.indexRank == 1 && access.count() <= blockSize;
    if (const int64_t status = single ? 0 : access.check(ctx))
        return status;
    std::list<OverlapCopy> copies;
    return access.copyOverlapping(ctx, copies) ? access.move<true>(ctx) : nativeFails;
}

//===-- Masks

namespace {

// a where the byte is 1, b where it is 0: without a branch.
template <class T> T select(uint8_t first, const T &a, const T &b) {
    if constexpr (std::is_same_v<T, Pair>) {
        return {{select(first, a.parts[0], b.parts[0]), select(first, a.parts[1], b.parts[1])}};
    } else {
        const T mask = T(0) - T(first);
        return T((a & mask) | (b & T(~mask)));
    }
}

// Indexing of the base's first axes by a mask: blocks of offsets into the base.
struct Masked {
    NativeArray base, mask, other;
    template <class Use> void blocks(Use use) const {
        Space<2> space;
        for (int64_t d = 0; d < mask.rank; ++d)
            space.add(mask.sizes[d], {mask.strides[d], base.strides[d]});
        const auto *bits = reinterpret_cast<const uint8_t *>(mask.data);
        space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            forSetOffsets(
                bits + starts[0], steps[0], length, steps[1],
                [&](const int64_t *offsets, int64_t count) { use(starts[1], offsets, count); });
            return true;
        });
    }
    template <bool store> int64_t move() const {
        Rest left;
        for (int64_t d = mask.rank; d < base.rank; ++d)
            left.add(base.sizes[d], {base.strides[d], other.strides[1 + d - mask.rank]});
        if (left.count() == 0)
            return 0;
        const int64_t step = other.strides[0];
        return withType(base.itemSize(), [&]<class T>() {
            T *from = reinterpret_cast<T *>(base.data), *to = reinterpret_cast<T *>(other.data);
            if constexpr (!store)
                if (left.rank == 0 && step == 1 && rowsAreContiguous())
                    return compress(from, to);
            Mover<T, store> mover(left, step);
            blocks([&](int64_t start, const int64_t *offsets, int64_t count) {
                mover(from + start, offsets, count, to, step);
                to += count * step;
            });
            return int64_t{0};
        });
    }
    bool rowsAreContiguous() const {
        const int64_t last = mask.rank - 1;
        return mask.strides[last] == 1 && base.strides[last] == 1;
    }
    template <class T> int64_t compress(const T *from, T *to) const {
        Space<2> space;
        for (int64_t d = 0; d < mask.rank; ++d)
            space.add(mask.sizes[d], {mask.strides[d], base.strides[d]});
        T *const end = to + other.sizes[0];
        space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            const auto *bits = reinterpret_cast<const uint8_t *>(mask.data) + starts[0];
            if (steps[0] == 1 && steps[1] == 1) {
                to += compressRow(bits, length, from + starts[1], to, end - to);
                return true;
            }
            for (int64_t i = 0; i < length; ++i) // rows of one element
                if (bits[i * steps[0]])
                    *to++ = from[starts[1] + i * steps[1]];
            return true;
        });
        return 0;
    }
    // Where the value or the mask overlaps the base: as NumPy, which makes no copy, one run of set
    // mask elements after the other; mask and value are read run by run.
    template <class T> int64_t storeRuns() const {
        Space<2> space;
        for (int64_t d = 0; d < mask.rank; ++d)
            space.add(mask.sizes[d], {mask.strides[d], base.strides[d]});
        const int64_t step = other.strides[0];
        const T *from = reinterpret_cast<const T *>(other.data);
        space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            const auto *bits = reinterpret_cast<const uint8_t *>(mask.data) + starts[0];
            T *to = reinterpret_cast<T *>(base.data) + starts[1];
            for (int64_t i = 0, end = 0; i < length; i = std::max(i + 1, end)) {
                for (end = i; end < length && bits[end * steps[0]];)
                    ++end;
                if (step == 1 && steps[1] == 1)
                    std::memmove(to + i, from, size_t(end - i) * sizeof(T));
                else
                    for (int64_t k = i; k < end; ++k)
                        to[k * steps[1]] = from[(k - i) * step];
                from += (end - i) * step;
            }
            return true;
        });
        return 0;
    }
    // Stores one value where the mask is true.
    template <class T> int64_t fill() const {
        Space<2> space;
        for (int64_t d = 0; d < mask.rank; ++d)
            space.add(mask.sizes[d], {mask.strides[d], base.strides[d]});
        const T value = *reinterpret_cast<const T *>(other.data);
        space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
            const auto *bits = reinterpret_cast<const uint8_t *>(mask.data) + starts[0];
            T *to = reinterpret_cast<T *>(base.data) + starts[1];
            int64_t i = 0;
            const bool fast = steps[0] == 1 && steps[1] == 1 && hasOnlyZeroAndOne(bits, length);
            while (fast && i + 8 <= length) {
                if (wordAt(bits + i) == 0) {
                    i = nextSet(bits, i + 8, length);
                    continue;
                }
                for (int64_t k = 0; k < 8; ++k)
                    to[i + k] = select(bits[i + k], value, to[i + k]);
                i += 8;
            }
            for (; i < length; ++i)
                if (bits[i * steps[0]])
                    to[i * steps[1]] = value;
            return true;
        });
        return 0;
    }
};

} // namespace

extern "C" int64_t sc_count(Context *, const int64_t *slots) {
    const NativeArray mask = NativeOperands(slots).array();
    Space<1> space;
    for (int64_t d = 0; d < mask.rank; ++d)
        space.add(mask.sizes[d], {mask.strides[d]});
    int64_t total = 0;
    space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
        const auto *bits = reinterpret_cast<const uint8_t *>(mask.data) + starts[0];
        int64_t i = 0;
        for (; steps[0] == 1 && i + 8 * 255 <= length; i += 8 * 255) { // bytes count up to 255
            uint64_t lanes = 0, seen = 0;
            for (int64_t k = 0; k < 255; ++k) {
                const uint64_t word = wordAt(bits + i + 8 * k);
                lanes += word;
                seen |= word;
            }
            if (seen & ~allSet) { // bytes other than 0 and 1
                lanes = 0;
                for (int64_t k = 0; k < 255; ++k)
                    lanes += setBytes(wordAt(bits + i + 8 * k));
            }
            constexpr uint64_t even = 0x00ff00ff00ff00ff;
            const uint64_t pairs = (lanes & even) + ((lanes >> 8) & even);
            total += int64_t((pairs * 0x0001000100010001) >> 48);
        }
        for (; i < length; ++i)
            total += bits[i * steps[0]] != 0;
        return true;
    });
    return total;
}

extern "C" int64_t sc_gather_mask(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    Masked masked;
    masked.other = in.array();
    masked.base = in.array();
    masked.mask = in.array();
    return masked.move<false>();
}

extern "C" int64_t sc_scatter_mask(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Masked masked;
    OverlapCopy maskCopy, valueCopy;
    masked.base = in.array();
    masked.other = in.array();
    masked.mask = in.array();
    const bool elements = masked.mask.rank == masked.base.rank; // not rows
    if (overlap(masked.mask, masked.base)) {
        if (elements)
            return withType(masked.base.itemSize(),
                            [&]<class T>() { return masked.storeRuns<T>(); });
        if (!maskCopy.copy(ctx, masked.mask))
            return nativeFails;
    }
    if (elements && masked.other.strides[0] == 0)
        return withType(masked.base.itemSize(), [&]<class T>() { return masked.fill<T>(); });
    if (overlap(masked.other, masked.base)) {
        if (elements)
            return withType(masked.base.itemSize(),
                            [&]<class T>() { return masked.storeRuns<T>(); });
        if (!valueCopy.copy(ctx, masked.other))
            return nativeFails;
    }
    return masked.move<true>();
}

// indices[count, rank] of the mask's set elements.
extern "C" int64_t sc_nonzero(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const NativeArray indices = in.array(), mask = in.array();
    auto *to = reinterpret_cast<int64_t *>(indices.data);
    const int64_t outer = mask.rank - 1;
    std::vector<int64_t> at(size_t(std::max<int64_t>(outer, 0)), 0);
    if (mask.count() == 0)
        return 0;
    const auto *bits = reinterpret_cast<const uint8_t *>(mask.data);
    int64_t done = 0; // bytes of the row
    if (outer == 0 && mask.strides[0] == 1)
        to += storeSetIndices(bits, mask.sizes[0], to, indices.sizes[0], done);
    while (true) {
        const uint8_t *row = bits + done;
        for (int64_t d = 0; d < outer; ++d)
            row += at[size_t(d)] * mask.strides[d];
        forSetOffsets(row, mask.strides[outer], mask.sizes[outer] - done, 1,
                      [&](const int64_t *offsets, int64_t count) {
                          for (int64_t i = 0; i < count; ++i, to += mask.rank) {
                              for (int64_t d = 0; d < outer; ++d)
                                  to[d] = at[size_t(d)];
                              to[outer] = done + offsets[i];
                          }
                      });
        int64_t d = outer - 1;
        for (; d >= 0 && ++at[size_t(d)] == mask.sizes[d]; --d)
            at[size_t(d)] = 0;
        if (d < 0)
            return 0;
    }
}

SymbolTable advancedIndexingSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_gather>(),        symbolOf<&sc_scatter>(), symbolOf<&sc_overlap>(),
        symbolOf<&sc_check_indices>(), symbolOf<&sc_count>(),   symbolOf<&sc_gather_mask>(),
        symbolOf<&sc_scatter_mask>(),  symbolOf<&sc_nonzero>(),
    };
    return table;
}

} // namespace shapecast::runtime
