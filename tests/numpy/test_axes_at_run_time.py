"""Every function with an axis, called with one that is known only at run time: NumPy's result or
error, or a refusal that says that an axis is a constant."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import numpy as np
import pytest
import shapecast
from support.compare import compare, make

# Of required parameters other than arrays.
ARGUMENTS = {
    "indices": "np.array([0, 1])", "indices_or_sections": "1", "obj": "1", "values": "{x}[:1]",
    "q": "0.5", "shift": "1", "repeats": "2", "condition": "[True, False]", "destination": "0",
    "kth": "1", "func1d": "np.sum", "func": "np.sum", "start": "0", "axis2": "1",
    "arrays": "({x}, {x})", "num": "5",
}  # fmt: skip
AXES = ("axis", "axes", "axis1", "source")


def calls() -> Iterator[str]:
    for module in (np, np.linalg, np.fft):
        for name, function in sorted(vars(module).items()):
            try:
                parameters = inspect.signature(function).parameters if name[0] != "_" else {}
            except (TypeError, ValueError):  # no function
                continue
            required = [
                ARGUMENTS.get(p.name, "{x}")
                for p in parameters.values()
                if p.default is p.empty and p.kind <= p.POSITIONAL_OR_KEYWORD and p.name not in AXES
            ]
            for axis in AXES:
                if axis in parameters and required:
                    call = f"{module.__name__}.{name}({', '.join(required)}, {axis}=k)"
                    yield call.replace("numpy.", "np.")


@pytest.mark.parametrize("operand", ["x", "[x[0], x[1]]"])
@pytest.mark.parametrize("call", list(calls()))
def test_axis_known_only_at_run_time(call: str, operand: str) -> None:
    f = make(f"def f(x, k):\n    return {call.replace('{x}', operand)}")
    given = np.arange(24.0).reshape(2, 3, 4) + 1, np.int64(1)
    try:
        shapecast.jit(f)(*given)
    except shapecast.UnsupportedError as error:
        message = str(error).split("\n")[0]
        # A call in Python has the type of what it gives for samples.
        assert "constant" in message or "samples" in message or "compiled yet" in message, message
    except Exception:
        compare(f, *given)
    else:
        compare(f, *given)
