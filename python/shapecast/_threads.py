"""How many threads compiled code runs on."""

from __future__ import annotations

import operator
import os
import warnings
from types import TracebackType
from typing import SupportsIndex

from . import _core

_MAX_THREADS = 1024
# The second is that of OpenBLAS, OpenMP and the workers of process pools.
_VARIABLES = ("SHAPECAST_NUM_THREADS", "OMP_NUM_THREADS")


def _checked(count: SupportsIndex) -> int:
    number = operator.index(count)
    if not 1 <= number <= _MAX_THREADS:
        raise ValueError(f"the number of threads must be in 1 .. {_MAX_THREADS}, not {number}")
    return number


def get_num_threads() -> int:
    """The number of threads that run a parallel loop, the caller's included.

    At first `SHAPECAST_NUM_THREADS`, else `OMP_NUM_THREADS`, else the number of processors that
    this process may use (affinity mask and control group counted in); a worker of a pool of
    processes has its share of them.

    Returns:
        A number in 1 .. 1024.

    Examples:
        >>> shapecast.get_num_threads() >= 1
        True
    """
    return _core._get_num_threads()


def set_num_threads(count: SupportsIndex) -> None:
    """Runs long loops on `count` threads from now on, in all threads of the process.

    Results do not depend on it, bit for bit.

    Args:
        count: Threads of a loop, the caller's included; 1 means sequentially.

    Raises:
        ValueError: `count` is not in 1 .. 1024.
        TypeError: `count` is not an integer.

    Examples:
        >>> before = shapecast.get_num_threads()
        >>> shapecast.set_num_threads(2)
        >>> shapecast.get_num_threads()
        2
        >>> shapecast.set_num_threads(before)
    """
    _core._set_num_threads(_checked(count))


class num_threads:
    """`with num_threads(2): ...` sets the number of threads and puts the old one back at the end.

    Like `set_num_threads`, it holds for all threads of the process. `with` gives the object itself.

    Args:
        count: As of `set_num_threads`.

    Raises:
        ValueError: `count` is not in 1 .. 1024.
        TypeError: `count` is not an integer.

    Examples:
        >>> with shapecast.num_threads(2):
        ...     shapecast.get_num_threads()
        2
    """

    def __init__(self, count: SupportsIndex) -> None:
        self._count = _checked(count)
        self._before: list[int] = []  # the same object may be used in nested `with`s

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
    """`range(*bounds)`, with the promise that the iterations of a loop over it are independent.

    None reads or writes what another one writes. In a jitted function the loop then runs on
    several threads even where shapecast cannot prove that (it needs no promise for
    `out[i] = ...`). A loop with a loop-carried variable (`total += ...`), or that prints, draws
    random numbers or calls Python, runs on one thread nevertheless. If iterations raise, the
    exception is that of the first one in order; later ones may have run. `@jit(debug=True)` checks
    the promise.

    Args:
        *bounds: `stop`, `start, stop` or `start, stop, step`, as of `range`.

    Returns:
        A range; in plain Python nothing else happens.

    Raises:
        RuntimeError: With `@jit(debug=True)`, an iteration breaks the promise.

    Examples:
        >>> @jit
        ... def scatter(out, where, values):
        ...     for k in shapecast.prange(len(where)):
        ...         out[where[k]] = values[k]
        >>> out = np.zeros(3)
        >>> scatter(out, np.array([2, 0]), np.array([1.0, 5.0]))
        >>> out
        array([5., 0., 1.])
    """
    return range(*bounds)


def _read_environment() -> None:
    for variable in _VARIABLES:
        text = os.environ.get(variable, "").split(",")[0].strip()  # OMP: one for each nesting level
        if not text:
            continue
        if text.isdecimal() and 1 <= int(text) <= _MAX_THREADS:
            _core._set_num_threads(int(text))
            return
        if variable.startswith("SHAPECAST"):
            warnings.warn(
                f"{variable}={text!r} is not a number in 1 .. {_MAX_THREADS} and is ignored",
                RuntimeWarning,
                stacklevel=3,
            )
