// np-kernels: the nests of functions over device arrays become kernels.
#pragma once

#include "mlir/Pass/Pass.h"
#include <memory>

// Before: functions after np-lifetime.
// After: only kernels (lower/gpu_kernel.h), named <function>_kernel<k> in the order of the nests,
// their shared memory, and the math functions that they call (lower/gpu_math.h). What the host
// would run is gone: nothing launches kernels yet.
// Refused with UnsupportedError: what reads or writes elements of device arrays outside of nests
// (single elements, matrix products, print, run-time reshapes), and in nests functions that devices
// have no code for, and stores whose order matters.
