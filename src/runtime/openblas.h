// The OpenBLAS whose functions take 64-bit integers: the one that NumPy has loaded, else the one
// that setBlasLibrary() names.
#pragma once

namespace shapecast::runtime {

// "cblas_dgemm" or "dgesv_" (LAPACK's have an underscore); null where there is none. Each call
// searches for the library until one is found.
void *openblas(const char *name);

} // namespace shapecast::runtime
