"""What profilers see of a call of a jitted function: a Python function of its name and line."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ._core import Jit


def seen(jitted: Jit[..., Any]) -> FunctionType:
    """Calls the jitted function. Its row in a profile is that of the plain function.

    Profilers that Python calls see frames, and functions of C as Python itself has them; of other
    callables, such as jitted functions, they see nothing.
    """
    function: Any = jitted.__wrapped__
    plain = function.__code__
    call = _calling(jitted)
    code = call.__code__.replace(
        co_name=plain.co_name,
        co_qualname=plain.co_qualname,
        co_filename=plain.co_filename,
        co_firstlineno=plain.co_firstlineno,
    )
    made = FunctionType(code, function.__globals__, function.__name__, None, call.__closure__)
    made.__qualname__ = function.__qualname__
    return made


def _calling(jitted: Jit[..., Any]) -> FunctionType:  # code of one line
    return lambda *args, **kwargs: jitted(*args, **kwargs)  # type: ignore[return-value]
