"""np.mgrid, np.r_ and the like, as functions of their keys; `several`: the key is a tuple."""

# mypy: disable-error-code="call-overload"
from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import implements, primitives


def _start(key: Any) -> Any:
    return 0 if key.start is None else key.start


def _step(key: Any) -> Any:
    """A complex step is a number of points, both ends included."""
    step = 1 if key.step is None else key.step
    if isinstance(step, (complex, np.complexfloating)):
        count = int(abs(step))
        return (key.stop - _start(key)) / float(count - 1) if count != 1 else count
    return step


def _count(key: Any) -> Any:
    step = 1 if key.step is None else key.step
    if isinstance(step, (complex, np.complexfloating)):
        return int(abs(step))
    return math.ceil((key.stop - _start(key)) / step)


def _kind(key: Any) -> Any:
    step = 1 if key.step is None else key.step
    if isinstance(step, (complex, np.complexfloating)):
        step = abs(step)
    return 0 + _start(key) + key.stop + step


def _line(key: Any) -> Any:
    step = 1 if key.step is None else key.step
    if isinstance(step, (complex, np.complexfloating)):
        return np.arange(0, _count(key), 1, np.asarray(_kind(key)).dtype) * _step(key) + _start(key)
    return np.arange(_start(key), key.stop, step)


def _axes(keys: Any) -> Any:
    """The points along each axis, in arrays that broadcast."""
    kind = 0
    for key in keys:
        kind = kind + _kind(key)
    dtype = np.asarray(kind).dtype
    axes = []
    for k in range(len(keys)):
        shape = [1] * len(keys)
        shape[k] = _count(keys[k])
        line = np.arange(_count(keys[k]), dtype=dtype) * _step(keys[k]) + _start(keys[k])
        axes.append(line.reshape(tuple(shape)))
    return axes, dtype


@implements("numpy.mgrid")
def mgrid(several: bool, *keys: Any) -> Any:
    if not several:
        return _line(keys[0])
    axes, dtype = _axes(keys)
    out = np.empty((len(keys), *[_count(key) for key in keys]), dtype)
    for k in range(len(keys)):
        out[k] = axes[k]
    return out


@implements("numpy.ogrid")
def ogrid(several: bool, *keys: Any) -> Any:
    return tuple(_axes(keys)[0]) if several else _line(keys[0])


@implements("numpy.s_")
def s_(several: bool, *keys: Any) -> Any:
    return keys if several else keys[0]


@implements("numpy.index_exp")
def index_exp(several: bool, *keys: Any) -> Any:
    return keys


def _pieces(keys: Any) -> Any:
    """Arrays of one dtype; Python numbers are weak (NEP 50)."""
    pieces: list[Any] = []
    kinds: list[Any] = []
    for key in keys:
        if isinstance(key, slice):
            step = 1 if key.step is None else key.step
            if isinstance(step, (complex, np.complexfloating)):
                pieces.append(np.linspace(_start(key), key.stop, num=int(abs(step))))
            else:
                pieces.append(np.arange(_start(key), key.stop, step))
            kinds.append(pieces[-1].dtype)
        elif isinstance(key, str):
            primitives.unsupported(
                "a directive in np.r_ or np.c_ is not supported; use np.concatenate"
            )
        elif isinstance(key, (bool, int, float, complex, np.generic)):
            pieces.append(key)
            kinds.append(key)
        else:
            pieces.append(np.asarray(key))
            kinds.append(pieces[-1].dtype)
    dtype = np.result_type(*kinds)
    return [np.asarray(piece, dtype) for piece in pieces]


@implements("numpy.r_")
def r_(several: bool, *keys: Any) -> Any:
    return np.concatenate([np.atleast_1d(piece) for piece in _pieces(keys)])


@implements("numpy.c_")
def c_(several: bool, *keys: Any) -> Any:
    columns = [
        piece.reshape(-1, 1) if np.ndim(piece) < 2 else piece  # a vector becomes a column
        for piece in _pieces(keys)
    ]
    return np.concatenate(columns, axis=-1)
