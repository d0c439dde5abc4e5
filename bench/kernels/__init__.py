"""All kernels, in the order of the tables."""

from __future__ import annotations

from bench.kernel import Kernel
from bench.kernels import (
    broadcasting,
    complexes,
    dynamic,
    elementwise,
    images,
    indexing,
    library,
    loops,
    montecarlo,
    products,
    reductions,
    stencils,
    weather,
)

_MODULES = (
    elementwise, complexes, reductions, broadcasting, stencils, weather, images, loops, dynamic,
    indexing, products, montecarlo, library,
)  # fmt: skip

KERNELS: dict[str, Kernel] = {
    kernel.name: kernel for module in _MODULES for kernel in module.KERNELS
}
assert len(KERNELS) == sum(len(module.KERNELS) for module in _MODULES), "two kernels of one name"
