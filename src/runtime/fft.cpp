// The loops of np.fft's ufuncs, (n),()->(m): points with any stride, truncated or padded to the
// transform's length, and the normalisation factor.
#include "runtime/fft.h"
#include "runtime/abi.h"
#include "runtime/fft_plan.h"
#include "runtime/fft_transform.h"
#include "runtime/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace shapecast::runtime {
namespace {

enum class Kind { Forward, Backward, FromReal, ToReal };

struct Complex {
    double re, im;
};

// Where points are not contiguous, so many rows are packed or unpacked together: those of adjacent
// rows share cache lines.
constexpr int64_t maxRows = 8, maxPackedPoints = int64_t{1} << 16;

// Copies rows of one array to those of another; strides are in bytes.
template <class T>
void copyRows(const char *from, int64_t fromRow, int64_t fromStep, char *to, int64_t toRow,
              int64_t toStep, int64_t rows, int64_t count) {
    for (int64_t k = 0; k < count; ++k)
        for (int64_t row = 0; row < rows; ++row)
            *reinterpret_cast<T *>(to + row * toRow + k * toStep) =
                *reinterpret_cast<const T *>(from + row * fromRow + k * fromStep);
}

struct Operand { // input or output: the array's layout, and the row length that the transform takes
    char *data;
    int64_t rowStep, step; // in bytes
    int64_t count, length; // elements: of a row of the array, and of the transform
    int64_t itemSize;

    bool isUsableInPlace() const { return step == itemSize && count >= length; }
    int64_t bufferStep() const { return length * itemSize + 64; } // not a power of two

    void pack(char *buffer, int64_t first, int64_t rows) const {
        const int64_t present = std::min(count, length);
        const auto copy = itemSize == 8 ? copyRows<double> : copyRows<Complex>;
        copy(data + first * rowStep, rowStep, step, buffer, bufferStep(), itemSize, rows, present);
        for (int64_t row = 0; row < rows; ++row)
            std::memset(buffer + row * bufferStep() + present * itemSize, 0,
                        (length - present) * itemSize);
    }
    void unpack(const char *buffer, int64_t first, int64_t rows) const {
        const auto copy = itemSize == 8 ? copyRows<double> : copyRows<Complex>;
        copy(buffer, bufferStep(), itemSize, data + first * rowStep, rowStep, step, rows, length);
    }
};

void transformRow(Kind kind, int log2Points, char *from, char *to, double factor, double *scratch) {
    auto *in = reinterpret_cast<double *>(from), *out = reinterpret_cast<double *>(to);
    if (kind == Kind::FromReal)
        transformReal(log2Points, in, out, factor, scratch);
    else if (kind == Kind::ToReal)
        transformToReal(log2Points, in, out, factor, scratch);
    else
        transformComplex(log2Points, in, out, factor, kind == Kind::Backward, scratch);
}

// For strided points whose rows are contiguous across: transforms eight rows at a time, in lanes.
// Returns the number of rows done.
int64_t transformEights(Kind kind, int log2Points, const Operand &in, const Operand &out,
                        int64_t count, double factor) {
    const bool isComplex = kind == Kind::Forward || kind == Kind::Backward;
    const auto areAdjacent = [](const Operand &operand) {
        return operand.rowStep == 16 && operand.step % 8 == 0 && operand.count >= operand.length;
    };
    if (!isComplex || count < 8 || log2Points < minLogOfEight || log2Points > maxLogOfEight ||
        !areAdjacent(in) || !areAdjacent(out))
        return 0;
    auto *scratch = static_cast<double *>(allocDetached(int64_t{128} << log2Points));
    if (!scratch)
        return 0;
    for (int64_t row = 0; row + 8 <= count; row += 8)
        transformEight(log2Points, reinterpret_cast<const double *>(in.data + 16 * row),
                       in.step / 8, reinterpret_cast<double *>(out.data + 16 * row), out.step / 8,
                       factor, kind == Kind::Backward, scratch);
    freeDetached(scratch);
    return count / 8 * 8;
}

// False: no memory.
bool transformRows(Kind kind, int log2Points, const Operand &in, const Operand &out, int64_t count,
                   const char *factors, int64_t factorStep) {
    if (count == 0)
        return true;
    const bool packs = !in.isUsableInPlace(), unpacks = !out.isUsableInPlace();
    const bool isStrided = in.step != in.itemSize || unpacks;
    const int64_t atOnce =
        isStrided ? std::clamp<int64_t>(maxPackedPoints >> log2Points, 1, std::min(maxRows, count))
                  : 1;
    const bool isReal = kind == Kind::FromReal || kind == Kind::ToReal;
    const int64_t scratchBytes = 8 * (isReal ? realFftScratch : fftScratch)(log2Points);
    const int64_t inBytes = packs ? atOnce * in.bufferStep() : 0;
    const int64_t outBytes = unpacks ? atOnce * out.bufferStep() : 0;
    auto *scratch = static_cast<char *>(allocDetached(scratchBytes + inBytes + outBytes));
    if (!scratch)
        return false;
    char *const inBuffer = scratch + scratchBytes, *const outBuffer = inBuffer + inBytes;
    const auto factorOf = [&](int64_t row) {
        return *reinterpret_cast<const double *>(factors + row * factorStep);
    };
    int64_t first =
        factorStep == 0 ? transformEights(kind, log2Points, in, out, count, factorOf(0)) : 0;
    for (; first < count; first += atOnce) {
        const int64_t rows = std::min(atOnce, count - first);
        if (packs)
            in.pack(inBuffer, first, rows);
        for (int64_t row = 0; row < rows; ++row) {
            const int64_t number = first + row;
            transformRow(kind, log2Points,
                         packs ? inBuffer + row * in.bufferStep() : in.data + number * in.rowStep,
                         unpacks ? outBuffer + row * out.bufferStep()
                                 : out.data + number * out.rowStep,
                         factorOf(number), reinterpret_cast<double *>(scratch));
        }
        if (unpacks)
            out.unpack(outBuffer, first, rows);
    }
    freeDetached(scratch);
    return true;
}

template <Kind kind>
void transformLoop(char **arguments, const intptr_t *sizes, const intptr_t *steps, void *data) {
    const int64_t points = kind == Kind::FromReal ? 2 * (sizes[2] - 1) : sizes[2];
    const int log2Points = std::bit_width(uint64_t(points)) - 1;
    const auto *numpy = static_cast<const UfuncLoop *>(data);
    const bool isSupported =
        std::has_single_bit(uint64_t(points)) && log2Points >= minFftLog && log2Points <= maxFftLog;
    const Operand in{arguments[0],
                     steps[0],
                     steps[3],
                     sizes[1],
                     kind == Kind::ToReal ? points / 2 + 1 : points,
                     kind == Kind::FromReal ? 8 : 16};
    const Operand out{arguments[2], steps[2], steps[4],
                      sizes[2],     sizes[2], kind == Kind::ToReal ? 8 : 16};
    if (!isSupported || !transformRows(kind, log2Points, in, out, sizes[0], arguments[1], steps[1]))
        numpy->function(arguments, sizes, steps, numpy->data);
}

} // namespace

UfuncLoop replaceFftLoop(const std::string &name, const UfuncLoop &loop) {
    struct Replacement {
        const char *name;
        UfuncLoop::Function function;
    };
    static const Replacement replacements[] = {
        {"ufunc numpy.fft._pocketfft_umath.fft Dd->D", transformLoop<Kind::Forward>},
        {"ufunc numpy.fft._pocketfft_umath.ifft Dd->D", transformLoop<Kind::Backward>},
        {"ufunc numpy.fft._pocketfft_umath.rfft_n_even dd->D", transformLoop<Kind::FromReal>},
        {"ufunc numpy.fft._pocketfft_umath.irfft Dd->d", transformLoop<Kind::ToReal>},
    };
    for (const Replacement &replacement : replacements)
        if (name == replacement.name && hasFft()) {
            UfuncLoop changed = loop;
            changed.function = replacement.function;
            changed.data =
                new UfuncLoop(loop); // for as long as the process lives, as the loop does
            return changed;
        }
    return loop;
}

} // namespace shapecast::runtime
