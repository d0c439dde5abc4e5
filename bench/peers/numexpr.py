"""numexpr: kernels that are one expression, or few."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bench.kernel import Kernel
from bench.peers.contestant import Contestant, version_of

NAME = "numexpr"
version = partial(version_of, "numexpr")

NUMBER = r"\b\d+\.\d+"

# Each names the kernel's parameters.
EXPRESSIONS = {
    "triad": "a + 3.0 * b",
    "arithmetic chain": "2.0 * a * b + (a - c) / (b + 1.5) - 0.5 * c * c",
    "transcendental chain": "exp(-a * a) * log1p(b) + tanh(a - b)",
    "polynomial": "((((((0.1 * x - 0.7) * x + 1.3) * x - 0.2) * x + 2.0) * x - 1.1) * x + 0.4)"
    " * x + 1.0",
    "gelu": "0.5 * x * (1.0 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))",
    "powers": "x**2 + sqrt(x) - 2.0 * x**3 + x**1.7",
    "where and clip": "where(a > 0, where(a * high > high, high, where(a * high < low, low,"
    " a * high)), where(a * low > high, high, where(a * low < low, low, a * low))) + abs(a)",
    "complex chain": "(a * b + c) * (a - b) + 2.0 * c",
    "impedances": "1.0 / (1.0 / a + 1.0 / b) + c / (a + b)",
    "great circle": "2.0 * arctan2("
    "sqrt(sin((latitude_2 - latitude_1) / 2.0)**2 + cos(latitude_1) * cos(latitude_2)"
    " * sin((longitude_2 - longitude_1) / 2.0)**2),"
    "sqrt(1.0 - (sin((latitude_2 - latitude_1) / 2.0)**2 + cos(latitude_1) * cos(latitude_2)"
    " * sin((longitude_2 - longitude_1) / 2.0)**2)))",
    "sum of squares": "sum((a - b) * (a - b))",
    "phasors": "sqrt((amplitude * cos(phase) + 0.5)**2 + (amplitude * sin(phase))**2)",
}


def build(expression: str, names: list[str], dtype: str, threads: int) -> Callable[..., Any]:
    import numexpr

    numexpr.set_num_threads(threads)
    numbers: dict[str, Any] = {}
    if dtype == "float32":  # literals are float64 and would widen everything
        numbers = {f"k{k}": np.float32(n) for k, n in enumerate(re.findall(NUMBER, expression))}
        count = itertools.count()
        expression = re.sub(NUMBER, lambda _: f"k{next(count)}", expression)

    def run(*arguments: Any) -> Any:
        return numexpr.evaluate(expression, {**numbers, **dict(zip(names, arguments))}, {})

    return run


def contestants(kernel: Kernel, dtype: str, threads: int) -> list[Contestant]:
    expression = EXPRESSIONS.get(kernel.name)
    if expression is None:
        return []
    code = kernel.plain.__code__
    names = list(code.co_varnames[: code.co_argcount])
    return [Contestant("numexpr", partial(build, expression, names, dtype, threads), relaxed=True)]
