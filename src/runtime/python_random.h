// The generator of Python's random.random() and random.getrandbits(), inlined.
//
// Modules/_randommodule.c keeps the index of the next word and 624 words of the Mersenne Twister
// in the object itself. NumPy has the same fields in another order (mt19937.h).
#pragma once

#include "runtime/source.h"

#include <cstdint>

namespace shapecast::runtime {

// The operand that denotes that generator; others are addresses of objects.
inline constexpr uintptr_t pythonRandomGenerator = 1;

// In an object of _random.Random, after its PyObject header.
struct PythonTwister {
    static constexpr int words = 624;
    int index; // of the next word; `words`: none is left
    uint32_t key[words];

    uint32_t next();
    double nextDouble();
    bitgen_t bits(); // as one of NumPy's generators; it points here
};

double pythonRandom(const Source &source);
int64_t pythonBits(const Source &source, int64_t count);  // 1 <= count <= 63
int64_t pythonBelow(const Source &source, int64_t bound); // 0 <= number < bound, which is not 0
double pythonGauss(const Source &source);                 // caches the second of two, as Random

} // namespace shapecast::runtime
