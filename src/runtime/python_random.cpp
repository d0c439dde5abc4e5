// Python's random numbers: see the header.
#include "runtime/python_random.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

namespace shapecast::runtime {
namespace {

PythonTwister &twisterOf(const Source &source) {
    return *static_cast<PythonTwister *>(source.bits->state);
}

// Generates the next 624 words (M. Matsumoto and T. Nishimura, 1998).
void generate(uint32_t *key) {
    constexpr int words = PythonTwister::words, shift = 397;
    for (int k = 0; k < words; ++k) {
        const uint32_t joined = (key[k] & 0x80000000) | (key[(k + 1) % words] & 0x7fffffff);
        key[k] = key[(k + shift) % words] ^ joined >> 1 ^ (joined & 1 ? 0x9908b0df : 0);
    }
}

} // namespace

uint32_t PythonTwister::next() {
    int at = index; // read once: another thread may draw in Python
    if (unsigned(at) >= words) {
        generate(key);
        at = 0;
    }
    uint32_t word = key[at];
    index = at + 1;
    word ^= word >> 11;
    word ^= word << 7 & 0x9d2c5680;
    word ^= word << 15 & 0xefc60000;
    return word ^ word >> 18;
}

double PythonTwister::nextDouble() {
    const int64_t high = next() >> 5, low = next() >> 6;
    return double(high << 26 | low) * 0x1p-53;
}

bitgen_t PythonTwister::bits() {
    bitgen_t result = {};
    result.state = this;
    result.next_uint32 = [](void *state) { return static_cast<PythonTwister *>(state)->next(); };
    result.next_double = [](void *state) {
        return static_cast<PythonTwister *>(state)->nextDouble();
    };
    return result;
}

double pythonRandom(const Source &source) { return twisterOf(source).nextDouble(); }

int64_t pythonBits(const Source &source, int64_t count) {
    PythonTwister &twister = twisterOf(source);
    if (count <= 32)
        return twister.next() >> (32 - count);
    const uint64_t low = twister.next(), high = twister.next() >> (64 - count);
    return int64_t(high << 32 | low);
}

int64_t pythonBelow(const Source &source, int64_t bound) {
    const int count = std::bit_width(uint64_t(bound));
    int64_t number;
    do
        number = pythonBits(source, count);
    while (number >= bound);
    return number;
}

double pythonGauss(const Source &source) {
    CachedGauss &cached = *source.cachedGauss;
    if (std::exchange(cached.hasGauss, 0))
        return std::exchange(cached.gauss, 0.0);
    const double angle = pythonRandom(source) * (2 * std::numbers::pi);
    const double radius = std::sqrt(-2.0 * std::log(1.0 - pythonRandom(source)));
    cached = {cached.bits, 1, std::sin(angle) * radius};
    return std::cos(angle) * radius;
}

} // namespace shapecast::runtime
