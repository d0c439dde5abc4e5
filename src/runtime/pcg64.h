// NumPy's usual generator, several numbers at once.
//
// numpy.random.PCG64 (M. O'Neill's PCG XSL RR 128/64) gives a number by one multiplication of 128
// bits that waits for the one before, behind a call. To fill an array four such chains run side by
// side here, each four numbers further at a step. (Numbers kept ahead of single draws gained
// nothing: they take more instructions.)
#pragma once

#include <cstdint>
#include <numpy/random/bitgen.h>

namespace shapecast::runtime {

// Numbers in [0, 1), the generator's next ones: next_double. Only for objects of that class, since
// it looks into their state; false, and nothing was drawn, where that is not what we know.
bool fillUniform(bitgen_t *pcg64, double *to, int64_t count);

} // namespace shapecast::runtime
