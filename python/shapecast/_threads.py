"""How many threads compiled code runs on."""

from __future__ import annotations

import operator
import os
import warnings
from types import TracebackType
from typing import SupportsIndex

from . import _core

_MOST = 1024
# The second is what OpenBLAS, OpenMP and the workers of process pools go by.
_VARIABLES = ("SHAPECAST_NUM_THREADS", "OMP_NUM_THREADS")


def _checked(count: SupportsIndex) -> int:
    number = operator.index(count)
    if not 1 <= number <= _MOST:
        raise ValueError(f"the number of threads must be in 1 .. {_MOST}, not {number}")
    return number


def get_num_threads() -> int:
    """Threads that a long loop is shared among, the caller's included.

    At first `SHAPECAST_NUM_THREADS`, else `OMP_NUM_THREADS`, else the number of processors that
    this process may use (affinity mask and control group counted in).
    """
    return _core._get_num_threads()


def set_num_threads(count: SupportsIndex) -> None:
    """Shares long loops among `count` threads from now on, in all threads of the process; 1 means
    none. What is computed does not depend on it, to the bit.

    Raises ValueError if it is not in 1 .. 1024, TypeError if it is no integer.
    """
    _core._set_num_threads(_checked(count))


class num_threads:
    """`with num_threads(2): ...` sets the number of threads and puts the old one back at the end.

    Like `set_num_threads`, it holds for all threads of the process.
    """

    def __init__(self, count: SupportsIndex) -> None:
        self._count = _checked(count)
        self._before: list[int] = []  # the same object may stand in several `with`s

    def __enter__(self) -> num_threads:
        self._before.append(get_num_threads())
        _core._set_num_threads(self._count)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _core._set_num_threads(self._before.pop())


def prange(*bounds: SupportsIndex) -> range:
    """`range(*bounds)`, with the promise that the turns of a loop over it need nothing of each
    other: none reads or writes what another one writes.

    In a jitted function several threads then share the loop even where shapecast cannot prove that
    (it needs no promise for `out[i] = ...`). A loop that carries a variable from turn to turn
    (`total += ...`), prints, draws random numbers or calls Python runs in one thread all the same.
    If a turn raises, the exception is that of the first one in order; later turns may have run.
    `@jit(debug=True)` checks the promise.
    """
    return range(*bounds)


def _read_environment() -> None:
    for variable in _VARIABLES:
        text = os.environ.get(variable, "").split(",")[0].strip()  # OMP: one for each nesting level
        if not text:
            continue
        if text.isdecimal() and 1 <= int(text) <= _MOST:
            _core._set_num_threads(int(text))
            return
        if variable.startswith("SHAPECAST"):
            warnings.warn(
                f"{variable}={text!r} is no number in 1 .. {_MOST}: not heeded",
                RuntimeWarning,
                stacklevel=3,
            )
