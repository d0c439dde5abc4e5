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
    operation = ufunc if method == "__call__" else getattr(ufunc, method)

    def call(*args: Any, **kwargs: Any) -> Any:
        return operation(*args, **kwargs)

    return jit(call)


def _operand(value: Any) -> Any:
    """Lists as arrays, as NumPy takes them."""
    return np.asarray(value) if isinstance(value, list | tuple) else value


def _is_operand(value: Any) -> bool:
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biufc"
    is_number = isinstance(value, bool | int | float | complex)
    return is_number or hasattr(type(value), "__cuda_array_interface__")


def array_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: Any) -> Any:
    """`DeviceArray.__array_ufunc__`: NotImplemented for operands that are no numbers nor arrays."""
    if method == "at":
        array, index, *others = inputs
        operands = [array, *map(_operand, others)]
        inputs = (array, np.asarray(index) if isinstance(index, list) else index, *operands[1:])
    elif method in ("reduce", "accumulate"):
        operands = list(inputs[:1])
    else:
        inputs = tuple(map(_operand, inputs))
        operands = list(inputs)
    if method == "reduceat" or not all(map(_is_operand, operands)):
        is_comparison = ufunc is np.equal or ufunc is np.not_equal  # `y == None`
        return ufunc is np.not_equal if is_comparison else NotImplemented
    if _core._is_disabled():
        return _in_host(getattr(ufunc, method), inputs, options)
    if "out" in options and len(options["out"]) == 1:
        options["out"] = options["out"][0]
    return _compiled(ufunc, method)(*inputs, **options)


def _in_host(function: Callable[..., Any], inputs: tuple[Any, ...], options: Any) -> Any:
    """While compiled code is disabled: on copies, which arrays that it writes get back."""

    def copy(value: Any) -> Any:
        return value.copy_to_host() if isinstance(value, DeviceArray) else value

    outs = options.get("out", ())
    copied_outs, copies = tuple(map(copy, outs)), tuple(map(copy, inputs))
    named = {name: copy(value) for name, value in options.items() if name != "out"}
    result = function(*copies, **named, **({"out": copied_outs} if outs else {}))
    written = list(zip(outs, copied_outs, strict=True))
    if result is None:  # of `at`
        written.append((inputs[0], copies[0]))
    for array, made in written:
        if isinstance(array, DeviceArray):
            array.copy_from_host(made)
    device = next(v.device for v in (*inputs, *outs) if isinstance(v, DeviceArray))

    def put(one: Any) -> Any:
        for array, made in written:
            if made is one:
                return array
        return to_device(one, device) if isinstance(one, np.ndarray | np.generic) else one

    return tuple(map(put, result)) if isinstance(result, tuple) else put(result)


@jit
def _copied(array: Any) -> Any:
    return array.copy()


def copied(array: DeviceArray) -> Any:
    """`DeviceArray.copy()`."""
    if _core._is_disabled():
        return to_device(array.copy_to_host(), array.device)
    return _copied(array)
