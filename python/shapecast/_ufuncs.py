"""C loops of ufuncs that are not in the op table: which one NumPy selects, and its address."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from . import _core
from ._objects import named, ufuncs

_WEAK: dict[str, type] = {"int": int, "float": float, "complex": complex}
_PLAIN = set("?bBhHiIlLqQefdFD->")
_DTYPES = {np.dtype(c) for c in "?bBhHiIlLefdFD"}


def name_of(ufunc: Any) -> str:
    """ "ufunc:3:f", its name in compiled code; empty for a ufunc of Python functions."""
    if type(ufunc) is not np.ufunc or not any(_PLAIN.issuperset(t) for t in ufunc.types):
        return ""
    number = next((k for k, known in enumerate(ufuncs) if known is ufunc), len(ufuncs))
    if number == len(ufuncs):
        ufuncs.append(ufunc)
    return f"ufunc:{number}:{ufunc.__name__.replace(' ', '')}"


def loop_of(name: str, operands: list[Any], core: bool = False) -> dict[str, Any]:
    """The loop for operands of these dtypes; ["int"] is a Python int, and so on.

    {"loop": its name, "in": dtypes, "out": dtypes}; empty where NumPy has none, or one of another
    kind. Registers the name with the linker. One operand more is `out`.
    """
    try:
        ufunc = named(name)
    except (ImportError, AttributeError):
        return {}
    if type(ufunc) is not np.ufunc or (ufunc.signature is not None) != core:
        return {}
    if len(operands) - ufunc.nin not in (0, 1):
        return {}
    given = [_WEAK[o[0]] if isinstance(o, list) else np.dtype(o) for o in operands[: ufunc.nin]]
    try:
        dtypes = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))
    except TypeError:  # the call raises it itself
        return {}
    if not _DTYPES.issuperset(dtypes):
        return {}
    number = _number_of(ufunc, dtypes)
    if number is None:
        return {}
    loop = f"ufunc {name} {ufunc.types[number]}"
    if not _core._add_ufunc_loop(loop, ufunc, number):
        return {}
    names = [dtype.name for dtype in dtypes]
    return {"loop": loop, "in": names[: ufunc.nin], "out": names[ufunc.nin :]}


def bind(loop: str) -> bool:
    """Registers a loop that `loop_of` has named in another process with this one's linker."""
    _, name, types = loop.split(" ")
    try:
        ufunc = named(name)
    except (ImportError, AttributeError):
        return False
    if type(ufunc) is not np.ufunc or types not in ufunc.types:
        return False
    return _core._add_ufunc_loop(loop, ufunc, ufunc.types.index(types))


@functools.cache
def has_transforms() -> bool:
    """Whether NumPy's Fourier transforms are ufuncs with the loops that library/fft.py calls."""
    module = "numpy.fft._pocketfft_umath"
    for name in ("fft", "ifft", "irfft", "rfft_n_even", "rfft_n_odd"):
        loop = loop_of(f"{module}.{name}", ["float64", ["int"]], core=True)
        if not loop or named(f"{module}.{name}").signature not in ("(n),()->(m)", "(m),()->(n)"):
            return False
    return True


def _number_of(ufunc: np.ufunc, dtypes: tuple[Any, ...]) -> int | None:
    """Its index in `ufunc.types`."""
    for number, types in enumerate(ufunc.types):
        if tuple(map(np.dtype, types.replace("->", ""))) == dtypes:
            return number
    return None
