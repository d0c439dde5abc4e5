"""NumPy's functions that take functions: of indices, of slices, of each element."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements, primitives
from ._shared import axis_of


@implements("numpy.fromfunction")
def fromfunction(
    function: Any, shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    if like is not None:
        primitives.unsupported("np.fromfunction(like=...) is not supported")
    return function(*np.indices(shape, dtype=dtype), **kwargs)


@implements("numpy.piecewise")
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    x = np.asarray(x)
    several = isinstance(condlist, (list, tuple, np.ndarray)) and np.ndim(condlist) > 0
    if not several or (np.ndim(condlist[0]) == 0 and x.ndim != 0):
        condlist = [condlist]
    conditions = [np.asarray(condition, dtype=bool) for condition in condlist]
    n = len(conditions)
    if n == len(funclist) - 1:
        conditions = [*conditions, ~np.any(np.stack(conditions), axis=0)]
    elif n != len(funclist):
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    y = np.zeros_like(x)
    for k in range(len(funclist)):
        function = funclist[k]
        if callable(function):
            taken = x[conditions[k]]
            if taken.size > 0:
                y[conditions[k]] = function(taken, *args, **kw)
        else:
            y[conditions[k]] = function
    return y


@implements("numpy.apply_along_axis")
def apply_along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    arr = np.asarray(arr)
    axis = axis_of(axis, arr.ndim)
    rows = np.moveaxis(arr, axis, -1)
    sizes = rows.shape[:-1]
    for size in sizes:
        if size == 0:
            raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    first = np.asarray(func1d(rows[(0,) * len(sizes)], *args, **kwargs))
    out = np.zeros(sizes + first.shape, first.dtype)
    out[(0,) * len(sizes)] = first
    for k, index in enumerate(np.ndindex(*sizes)):
        if k > 0:
            out[index] = func1d(rows[index], *args, **kwargs)
    made = tuple(range(len(sizes), len(sizes) + first.ndim))
    return np.moveaxis(out, made, tuple(range(axis, axis + first.ndim)))


def each_element(function: Any, otypes: Any, cache: bool, given: Any) -> Any:
    """The function is called with Python numbers. Without otypes the first results decide the
    dtypes; the extra call that NumPy makes for that is made here, too.
    """
    given = [np.asarray(a) for a in given]
    if otypes is None:
        for a in given:
            if a.size == 0:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        first = function(*[a.flat[0] for a in given])
        several = isinstance(first, tuple)
        known = first if several else (first,)
        kinds = [np.asarray(item).dtype for item in known]
    else:
        kinds = [np.dtype(kind) for kind in otypes]
        several = len(kinds) > 1
        known = ()
    arrays = np.broadcast_arrays(*given)
    columns = [a.reshape(-1) for a in arrays]
    results = [np.empty(columns[0].shape, kind) for kind in kinds]
    begin = 0
    if cache and otypes is None:
        begin = 1
        for i in range(len(results)):
            results[i][0] = known[i]
    for k in range(begin, len(columns[0])):
        made = function(*[column[k].item() for column in columns])
        values = made if several else (made,)
        for i in range(len(results)):
            results[i][k] = values[i]
    shaped = [result.reshape(arrays[0].shape) for result in results]
    return tuple(shaped) if several else shaped[0]


@implements("numpy.vectorize")
def vectorize(
    pyfunc: Any,
    otypes: Any = None,
    doc: Any = None,
    excluded: Any = None,
    cache: bool = False,
    signature: Any = None,
) -> Any:
    if excluded is not None or signature is not None:
        primitives.unsupported("np.vectorize with excluded= or signature= is not supported")

    def called(*given: Any, **named: Any) -> Any:
        names = tuple(named)
        first = len(given)

        def function(*items: Any) -> Any:
            return pyfunc(*items[:first], **{names[i]: items[first + i] for i in range(len(names))})

        return each_element(function, otypes, cache, given + tuple(named.values()))

    return called
