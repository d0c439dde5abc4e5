// The numbers behind Python's random.random() and random.getrandbits(), in line.
//
// Modules/_randommodule.c keeps the place of the next word and 624 words of the Mersenne Twister
// in the object itself. NumPy has the same words in another order (mt19937.h).
#pragma once

#include "runtime/source.h"

#include <cstdint>

namespace shapecast::runtime {

// How compiled code names that generator, where others are addresses of objects.
inline constexpr uintptr_t pythonsOwn = 1;

// In an object of _random.Random, behind its head.
struct PythonTwister {
    static constexpr int words = 624;
    int place; // of the next word; `words`: none is left
    uint32_t key[words];

    uint32_t next();
    double nextDouble();
    bitgen_t bits(); // for what is written for NumPy's generators; it points here
};

double pythonRandom(const Source &source);
int64_t pythonBits(const Source &source, int64_t count);  // 1 <= count <= 63
int64_t pythonBelow(const Source &source, int64_t bound); // 0 <= number < bound, which is not 0
double pythonGauss(const Source &source);                 // every second one is kept, as in Random

} // namespace shapecast::runtime
