"""NumPy's ufuncs, and so operators, of arrays on a device outside of jitted functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _core
from ._core import DeviceArray
from ._devices import to_device
from ._jit import jit


@functools.cache
def _compiled(ufunc: np.ufunc, method: str) -> Callable[..., Any]:
    """`ufunc`, `ufunc.reduce`, ... of any arguments, as a jitted function."""
    if method == "__call__":

        def call(*args: Any, **kwargs: Any) -> Any:
            return ufunc(*args, **kwargs)

        return jit(call)
    if method == "reduce":

        def reduce(*args: Any, **kwargs: Any) -> Any:
            return ufunc.reduce(*args, **kwargs)

        return jit(reduce)
    if method == "accumulate":

        def accumulate(*args: Any, **kwargs: Any) -> Any:
            return ufunc.accumulate(*args, **kwargs)

        return jit(accumulate)
    if method == "outer":

        def outer(*args: Any, **kwargs: Any) -> Any:
            return ufunc.outer(*args, **kwargs)

        return jit(outer)

    def at(*args: Any, **kwargs: Any) -> Any:
        return ufunc.at(*args, **kwargs)

    return jit(at)


def _is_operand(value: Any) -> bool:
    numbers = (bool, int, float, complex, np.generic, np.ndarray)
    return isinstance(value, numbers) or hasattr(type(value), "__cuda_array_interface__")


def array_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: Any) -> Any:
    """`DeviceArray.__array_ufunc__`: NotImplemented for operands that are no numbers nor arrays."""
    operands = inputs[:1] if method in ("reduce", "accumulate") else inputs
    if method == "reduceat" or not all(map(_is_operand, operands)):
        is_comparison = ufunc is np.equal or ufunc is np.not_equal  # `y == None`
        return ufunc is np.not_equal if is_comparison else NotImplemented
    if "out" in options and len(options["out"]) == 1:
        options["out"] = options["out"][0]
    if _core._is_disabled():
        return _in_host(getattr(ufunc, method), inputs, options)
    return _compiled(ufunc, method)(*inputs, **options)


def _in_host(function: Callable[..., Any], inputs: tuple[Any, ...], options: Any) -> Any:
    """While compiled code is disabled: on copies, which an array of `out` gets back."""

    def copy(value: Any) -> Any:
        return value.copy_to_host() if isinstance(value, DeviceArray) else value

    result = function(*map(copy, inputs), **{k: copy(v) for k, v in options.items() if k != "out"})
    if isinstance(out := options.get("out"), DeviceArray):
        out.copy_from_host(result)
        return out
    return to_device(result) if isinstance(result, np.ndarray | np.generic) else result


@jit
def _copied(array: Any) -> Any:
    return array.copy()


def copied(array: DeviceArray) -> Any:
    """`DeviceArray.copy()`."""
    if _core._is_disabled():
        return to_device(array.copy_to_host(), array.device)
    return _copied(array)
