// The boundary elements of np.correlate and np.convolve, where the operands overlap only in part:
// sc_correlate_part.
//
// The elements of full overlap are a loop of compiled code (library/signals.py), which keeps sums
// in registers; these are few, and their code is the same for each call.
#include "runtime/native.h"
#include "runtime/symbols.h"

#include <cstdint>
#include <iterator>

namespace shapecast::runtime {
namespace {

template <class T> struct Complex {
    T real, imag;
};

template <class T> T multiplyAdd(T total, T a, T b) { // rounded twice, as NumPy's
    const T product = T(a * b);
    return T(total + product);
}
template <class T> Complex<T> multiplyAdd(Complex<T> total, Complex<T> a, Complex<T> b) {
    const T real = a.real * b.real - a.imag * b.imag, imag = a.real * b.imag + a.imag * b.real;
    return {total.real + real, total.imag + imag};
}

// out[i] for first <= i < last: the sum of a[i - before + j] * v[j], where both are in bounds.
template <class T> int64_t correlate(NativeOperands in) {
    const NativeArray out = in.array(), a = in.array(), v = in.array();
    const int64_t before = in.number(), first = in.number(), last = in.number();
    auto at = [](const NativeArray &array, int64_t i) -> T & {
        return reinterpret_cast<T *>(array.data)[i * array.strides[0]];
    };
    for (int64_t i = first; i < last; ++i) {
        T total{};
        const int64_t end = std::min(v.sizes[0], a.sizes[0] + before - i);
        for (int64_t j = std::max<int64_t>(before - i, 0); j < end; ++j)
            total = multiplyAdd(total, at(a, i - before + j), at(v, j));
        at(out, i) = total;
    }
    return 0;
}

} // namespace

// (out, a, v, before, first, last): all of one dtype, of integers (added as unsigned ones, which
// wrap), float32, float64 or complex numbers.
extern "C" int64_t sc_correlate_part(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const char dtype = NativeOperands(slots).array().dtype;
    switch (dtype) {
    case 'f':
        return correlate<float>(in);
    case 'd':
        return correlate<double>(in);
    case 'F':
        return correlate<Complex<float>>(in);
    case 'D':
        return correlate<Complex<double>>(in);
    default:
        break;
    }
    switch (NativeOperands(slots).array().itemSize()) {
    case 1:
        return correlate<uint8_t>(in);
    case 2:
        return correlate<uint16_t>(in);
    case 4:
        return correlate<uint32_t>(in);
    default:
        return correlate<uint64_t>(in);
    }
}

SymbolTable correlateSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_correlate_part>(),
    };
    return table;
}

} // namespace shapecast::runtime
