"""`axes=`, `axis=` and `keepdims=` of a generalised ufunc: where its core dimensions are."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np


class CoreAxes:
    """Moves core dimensions last before a call, and back after it."""

    def __init__(self, name: str, core: Any, named: dict[str, Any]) -> None:
        unknown = set(named) - {"axes", "axis", "keepdims"}
        if unknown:
            raise TypeError(f"{name}() got an unexpected keyword argument {sorted(unknown)[0]!r}")
        if core is None:
            raise TypeError(f"{name}() takes {sorted(named)[0]!r} only with a signature")
        self._core = core
        self._keepdims = bool(named.get("keepdims", False))
        ranks = {len(dims) for dims in core.inputs}
        if self._keepdims and (len(ranks) > 1 or any(core.outputs)):
            raise TypeError(
                f"{name} does not support keepdims: its signature must have inputs of the same "
                "number of core dimensions, and outputs without any"
            )
        if "axes" in named and "axis" in named:
            raise TypeError("cannot specify both 'axis' and 'axes'")
        axes = named.get("axes")
        if "axis" in named:
            names = {name for side in core for dims in side for name in dims}
            if len(names) != 1:
                raise TypeError(
                    f"{name}: axis can only be used with a single shared core dimension"
                )
            axes = [(named["axis"],) if dims else () for side in core for dims in side]
            if self._keepdims:
                axes = [(named["axis"],)] * len(axes)
        self._inputs, self._outputs = self._of(name, axes)

    def _of(self, name: str, axes: Any) -> tuple[list[Any], list[Any]]:
        core = self._core
        if axes is None:
            ends = [_ends(len(dims)) for dims in core.inputs]
            kept = ends[0] if self._keepdims else ()
            return ends, [_ends(len(dims)) or kept for dims in core.outputs]
        if not isinstance(axes, list):
            raise TypeError("axes should be a list")
        each = [a if isinstance(a, tuple) else (operator.index(a),) for a in axes]
        if len(each) == len(core.inputs) and not any(core.outputs):
            each += [each[0] if self._keepdims else ()] * len(core.outputs)
        if len(each) != len(core.inputs) + len(core.outputs):
            raise ValueError("axes should be a list with an entry for all inputs and outputs")
        lengths = [len(dims) for side in core for dims in side]
        if self._keepdims:
            lengths = [len(core.inputs[0])] * len(lengths)
        if list(map(len, each)) != lengths:
            raise ValueError(f"{name}: axes do not fit the number of core dimensions")
        return each[: len(core.inputs)], each[len(core.inputs) :]

    def inputs(self, arguments: Sequence[Any]) -> list[Any]:
        return [
            np.moveaxis(np.asarray(a), axes, _ends(len(axes))) if axes else a
            for a, axes in zip(arguments, self._inputs, strict=True)
        ]

    def targets(self, outs: Sequence[Any]) -> tuple[Any, ...]:
        """Views of the arrays given as `out`."""
        moved = []
        for out, axes in zip(outs, self._outputs, strict=bool(outs)):
            view = None if out is None else np.moveaxis(out, axes, _ends(len(axes)))
            kept = (..., *(0 for _ in axes)) if self._keepdims else ...
            moved.append(None if view is None else view[kept])
        return tuple(moved)

    def results(self, results: Sequence[Any]) -> list[Any]:
        moved = []
        for result, axes in zip(results, self._outputs, strict=True):
            if self._keepdims:
                result = result.reshape(result.shape + (1,) * len(axes))
            moved.append(np.moveaxis(result, _ends(len(axes)), axes))
        return moved


def _ends(count: int) -> tuple[int, ...]:
    return tuple(range(-count, 0))
