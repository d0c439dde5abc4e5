// The OpenBLAS whose functions take 64-bit integers: the one that NumPy has loaded, else the one
// that setBlasLibrary() names.
#pragma once

namespace shapecast::runtime {

// "cblas_dgemm" or "dgesv_" (LAPACK's have an underscore); null where there is none. Each call
// searches for the library until one is found.
void *openblas(const char *name);

// Path of an OpenBLAS with 64-bit integers, used when NumPy has not loaded one (Python:
// scipy_openblas64).
void setBlasLibrary(const char *path);
bool needsBlas(); // none is loaded and no path is set

} // namespace shapecast::runtime
