// What random numbers that compiled code draws by itself (lower/kit/draws.h) need of the run time.
#pragma once

#include "runtime/abi.h"

namespace shapecast::runtime {

extern "C" {
// For random numbers that are drawn inline (lower/kit/draws.h): PCG64's state, or null for
// another generator; the ziggurats' tables; a number of the ziggurat's slow path.
void *sc_pcg64(Context *ctx, uintptr_t generator);
const void *sc_ziggurat_normal(Context *ctx);
const void *sc_ziggurat_exponential(Context *ctx);
double sc_ziggurat_slow_normal(Context *ctx, uintptr_t generator, uint64_t bits);
double sc_ziggurat_slow_exponential(Context *ctx, uintptr_t generator, uint64_t bits);
double sc_legacy_power(double x, double y); // legacy_draws.h
}

} // namespace shapecast::runtime
