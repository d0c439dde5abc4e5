"""What `vectorize` does with arrays that are not NumPy's own: NumPy's protocols for ufuncs.

A class with `__array_ufunc__` computes the result itself (Dask, xarray, pandas), one with
`__array_wrap__` gets NumPy's array and makes its own of it (masked arrays, subclasses). What Dask
and xarray do not do for a ufunc that is not NumPy's own is here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

Vectorized = Any  # of _vectorize.py, which imports this module

_NUMPYS: Any = np.ndarray.__array_ufunc__
_PLAIN = {bool, int, float, complex, list, tuple, type(None), np.ndarray} | {
    np.dtype(code).type for code in "?bBhHiIlLqQefdFD"
}


def are_plain(arguments: Sequence[Any]) -> bool:
    return all(type(argument) in _PLAIN for argument in arguments)


def overridden(ufunc: Vectorized, method: str, inputs: Sequence[Any], named: dict[str, Any]) -> Any:
    """The result of the classes that override ufuncs; NotImplemented where none does.

    `named` has the keywords of the call; `out` among them as a tuple, as the protocol has it.
    """
    operands = [*inputs, *named.get("out", ())]
    overriding = _overriding(ufunc, operands)
    if not overriding:
        return NotImplemented
    if method == "__call__":
        ufunc._learn_results(inputs)
    found = _in_xarray(ufunc, method, inputs, named)
    if found is NotImplemented:
        found = _in_dask(ufunc, method, inputs, named)
    if found is not NotImplemented:
        return found
    for operand in overriding:
        found = type(operand).__array_ufunc__(operand, ufunc, method, *inputs, **named)
        if found is not NotImplemented:
            return found
    kinds = ", ".join(repr(type(operand).__name__) for operand in operands)
    raise TypeError(
        f"operand type(s) all returned NotImplemented from __array_ufunc__({ufunc!r}, {method!r}): "
        f"{kinds}"
    )


def _overriding(ufunc: Vectorized, operands: Sequence[Any]) -> list[Any]:
    """One operand of each class that overrides: subclasses before their bases, then from the left,
    as in NEP 13.
    """
    found: list[Any] = []
    for operand in operands:
        kind = type(operand)
        override = getattr(kind, "__array_ufunc__", _NUMPYS)
        if override is None:
            raise TypeError(
                f"operand {kind.__name__!r} does not support ufuncs (__array_ufunc__=None)"
            )
        if override is _NUMPYS or kind in map(type, found):
            continue
        bases = [k for k, other in enumerate(found) if issubclass(kind, type(other))]
        found.insert(bases[0] if bases else len(found), operand)
    return found


def stand_in(a: Any) -> Any:
    """An empty array in the host of the dtype of an array on a device; anything else as it is."""
    interface = getattr(a, "__cuda_array_interface__", None)
    return a if interface is None else np.empty(0, np.dtype(interface["typestr"]))


def wrapped(ufunc: Vectorized, inputs: Sequence[Any], results: list[Any]) -> list[Any]:
    """The results as arrays of the class of the input with the highest `__array_priority__`."""
    wrapping = [
        a for a in inputs if type(a) is not np.ndarray and hasattr(type(a), "__array_wrap__")
    ]
    wrapping = [a for a in wrapping if not isinstance(a, np.generic)]
    if not wrapping:
        return results
    first = max(wrapping, key=lambda a: getattr(a, "__array_priority__", 0.0))
    if ufunc.signature and isinstance(first, np.ma.MaskedArray):
        return _masked(ufunc, inputs, results)
    made = []
    for k, result in enumerate(results):
        try:
            made.append(first.__array_wrap__(result, (ufunc, tuple(inputs), k), result.ndim == 0))
        except TypeError:  # written before NumPy 2
            made.append(first.__array_wrap__(result))
    return made


def _masked(ufunc: Vectorized, inputs: Sequence[Any], results: list[Any]) -> list[Any]:
    """A result is masked where an element that it was computed from is."""
    assert ufunc._core is not None
    masks = [
        np.ma.getmaskarray(a).any(axis=tuple(range(-len(core), 0)))
        for a, core in zip(inputs, ufunc._core.inputs, strict=True)
        if isinstance(a, np.ma.MaskedArray)
    ]
    made = []
    for result, core in zip(results, ufunc._core.outputs, strict=True):
        mask = np.zeros(result.shape[: result.ndim - len(core)], bool)
        for one in masks:
            mask = mask | one
        mask = mask.reshape(mask.shape + (1,) * len(core))
        made.append(np.ma.array(result, mask=np.broadcast_to(mask, result.shape)))
    return made


# ------------------------------------------------------------------------------------------- xarray


def _in_xarray(ufunc: Vectorized, method: str, inputs: Sequence[Any], named: dict[str, Any]) -> Any:
    """The signature form by names of dimensions, and several results, which xarray leaves out."""
    xarray: Any = sys.modules.get("xarray")
    kinds = (xarray.DataArray, xarray.Dataset, xarray.Variable) if xarray else ()
    if not any(isinstance(a, kinds) for a in inputs):
        return NotImplemented
    if method != "__call__":
        raise NotImplementedError(
            f"{ufunc.__name__}.{method} takes arrays, not xarray's objects: pass their .data, or "
            "xarray.apply_ufunc(f, a, input_core_dims=...)"
        )
    if not ufunc.signature and ufunc.nout == 1:
        return NotImplemented
    cores = ufunc._cores()
    dims = [[list(core) for core in side] for side in cores]
    for a, core in zip(inputs, cores.inputs, strict=True):
        missing = set(core) - set(getattr(a, "dims", core))
        if missing:
            raise ValueError(
                f"{ufunc.__name__}: the signature {ufunc.signature} names dimensions that the "
                f"argument does not have ({', '.join(sorted(missing))} not in {tuple(a.dims)}); "
                "say which ones they are: xarray.apply_ufunc(f, a, input_core_dims=[[...]], "
                "output_core_dims=[[...]])"
            )
    return xarray.apply_ufunc(
        ufunc,
        *inputs,
        input_core_dims=dims[0],
        output_core_dims=dims[1],
        kwargs=named,
        dask="allowed",
        keep_attrs=xarray.get_options()["keep_attrs"] in (True, "default"),
    )


# --------------------------------------------------------------------------------------------- Dask


def _in_dask(ufunc: Vectorized, method: str, inputs: Sequence[Any], named: dict[str, Any]) -> Any:
    """Several results, core dimensions of several chunks, and `reduce` over chunks."""
    dask: Any = sys.modules.get("dask.array")
    if not dask or not all(
        isinstance(a, dask.Array) or type(a) in _PLAIN or isinstance(a, np.ndarray) for a in inputs
    ):
        return NotImplemented
    if method == "reduce":
        return _reduced_in_dask(ufunc, inputs[0], **named)
    if method == "accumulate":
        raise NotImplementedError(
            f"{ufunc.__name__}.accumulate of a Dask array: make one chunk of the axis, and call "
            "x.map_blocks(f.accumulate, axis=...)"
        )
    if method != "__call__" or named.get("out"):
        return NotImplemented
    if ufunc.signature and ufunc.combine is not None:
        return _combined_in_dask(ufunc, inputs, named)
    if ufunc.nout == 1:
        return NotImplemented  # Dask does it
    cores = ufunc._cores()
    sides = [",".join(f"({','.join(core)})" for core in side) for side in cores]
    return dask.apply_gufunc(
        ufunc, "->".join(sides), *inputs, output_dtypes=ufunc._learn_results(inputs), **named
    )


def _reduced_in_dask(
    ufunc: Vectorized, x: Any, axis: int | None = 0, keepdims: bool = False, initial: Any = None
) -> Any:
    """The function is the combiner: of the elements of a chunk, then of the chunks' results."""
    dask: Any = sys.modules["dask.array"]
    if axis is None and x.ndim > 1:  # in the order of the elements
        x, shape = x.ravel(), (1,) * x.ndim
        total = _reduced_in_dask(ufunc, x, 0, False, initial)
        return total.reshape(shape) if keepdims else total
    if initial is None and x.shape[axis or 0] == 0:
        raise ValueError(
            f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
        )
    total = dask.reduction(
        x,
        chunk=_Part(ufunc),
        aggregate=_Part(ufunc),
        axis=0 if axis is None else axis,
        keepdims=keepdims,
        dtype=x.dtype,
        concatenate=True,
    )
    return total if initial is None else ufunc(initial, total)


class _Part:
    """`reduce` as Dask calls it, with a tuple of one axis."""

    def __init__(self, ufunc: Vectorized) -> None:
        self.ufunc = ufunc

    def __call__(self, x: Any, axis: Any, keepdims: bool) -> Any:
        (one,) = axis if isinstance(axis, tuple) else (axis,)
        if x.shape[one] == 0:  # an empty chunk, and the arrays with which Dask asks for the type
            return x
        return self.ufunc.reduce(x, axis=one, keepdims=keepdims)


def _combined_in_dask(ufunc: Vectorized, inputs: Sequence[Any], named: dict[str, Any]) -> Any:
    """A generalised ufunc to numbers with a combiner: of each chunk, then over the chunks."""
    dask: Any = sys.modules["dask.array"]
    cores = ufunc._cores()
    loops = max(_rank(a) - len(core) for a, core in zip(inputs, cores.inputs, strict=True))
    letters = list(range(1, loops + 1))  # 0 is the core dimension
    pairs: list[Any] = []
    for a, core in zip(inputs, cores.inputs, strict=True):
        rank = _rank(a) - len(core)
        index = (*letters[loops - rank :], *([0] if core else ()))
        pairs += [a, index if _rank(a) else None]
    (dtype,) = ufunc._learn_results(inputs)
    partial = dask.blockwise(
        _ChunkOf(ufunc), (*letters, 0), *pairs, dtype=dtype, adjust_chunks={0: 1}, **named
    )
    return _reduced_in_dask(ufunc.combine, partial, axis=loops)


def _rank(a: Any) -> int:
    return int(getattr(a, "ndim", 0))


class _ChunkOf:
    """The results of one chunk, with a last axis of one element."""

    def __init__(self, ufunc: Vectorized) -> None:
        self.ufunc = ufunc

    def __call__(self, *blocks: Any, **named: Any) -> Any:
        return np.asarray(self.ufunc(*blocks, **named))[..., None]
