"""Compiling before the first call: what `f.compile` takes, and `compile_many` on all cores."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import MethodType
from typing import Any

import numpy as np

from . import _core
from ._jit import OnDevice, Spec, _is_shape
from .shape_rules import Dim, Scope
from .typing import ArrayAnnotation, _annotation, _annotations

# ----------------------------------------------------------------------- sample values for specs

_ANY = 9  # unlike 0 to 8, no variant is specialised for this size


def _numbers() -> Iterator[int]:
    """Sample sizes for symbols. The first is that of unnamed sizes, so that both broadcast."""
    yield _ANY
    found: list[int] = []
    for number in itertools.count(2):
        if all(number % prime for prime in found):
            found.append(number)
            if number > _ANY:
                yield number


class _Sizes:
    """Distinct sample sizes for the symbols of one call."""

    def __init__(self) -> None:
        self.scope = Scope()
        self.numbers: dict[str, int] = {}
        self.unused = _numbers()

    def number(self, size: int | str | Dim | None) -> int:
        if size is None:
            return _ANY
        dim = self.scope._dim(size)
        if isinstance(dim, int):
            return dim
        for name in sorted(dim.symbols):
            if name not in self.numbers:
                self.numbers[name] = next(self.unused)
        number = dim.evaluate(self.numbers)
        if number < 0:
            raise ValueError(
                f"the size {size} is negative ({number}) for the sample sizes {self.numbers}; "
                "pass an example array instead"
            )
        return number

    def array(self, dtype: np.dtype[Any], shape: Sequence[int | str | None], device: str) -> Any:
        host = np.empty([self.number(size) for size in shape], dtype)
        kind, _, ordinal = device.partition(":")
        return host if kind == "cpu" else OnDevice(host, int(ordinal))

    def annotated(self, annotation: ArrayAnnotation) -> Any:
        dims = [None if dim.startswith("_") else dim.rpartition("=")[2] for dim in annotation.dims]
        if len(annotation.dtypes) != 1 or any(dim and dim[0] in ".*" for dim in dims):
            raise TypeError(f"{annotation} is more than one type; pass spec(dtype, shape)")
        return self.array(np.dtype(annotation.dtypes[0]), dims, "cpu")

    def example(self, spec: Any) -> Any:
        """A value of the type that a spec describes; anything else is an example itself."""
        if _is_shape(spec):  # ("n", 10): float64
            spec = Spec(np.float64, spec)
        if isinstance(spec, Spec):
            return self.array(spec.dtype, spec.shape or (None,) * spec.ndim, spec.device)
        if isinstance(spec, np.dtype):
            return spec.type(1)
        if type(spec) in (tuple, list):
            return type(spec)(map(self.example, spec))
        annotation = None if isinstance(spec, np.ndarray) else _annotation(spec)
        return spec if annotation is None else self.annotated(annotation)


def examples(
    jitted: _core.Jit[..., Any], specs: Sequence[Any], keywords: dict[str, Any]
) -> tuple[list[Any], tuple[str, ...]]:
    """For the C type: sample values for `f.compile(*specs, **keywords)`, and the names of the last.

    Parameters without a spec and without a default get their types from annotations.
    """
    function: Any = jitted.__wrapped__
    code, given = function.__code__, dict(keywords)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    optional = {*names[code.co_argcount - len(function.__defaults__ or ()) : code.co_argcount]}
    optional |= {*(function.__kwdefaults__ or ()), *names[: len(specs)], *given}
    if function.__annotations__:
        for name, annotation, _ in _annotations(function):
            if name not in optional and names.index(name) >= code.co_posonlyargcount:
                given[name] = annotation
    sizes = _Sizes()
    return [sizes.example(value) for value in (*specs, *given.values())], tuple(given)


# ------------------------------------------------------------------------------------- many at once

_Call = tuple[Callable[..., Any], tuple[Any, ...]]


def _call(task: Any) -> _Call:
    """(f, *specs), or f alone where its annotations give all types."""
    f: Any
    f, *specs = task if isinstance(task, tuple) else (task,)
    if isinstance(f, MethodType):  # of a class with jitted methods, or jit(model.step)
        f, specs = f.__func__, [f.__self__, *specs]
    if not isinstance(f, _core.Jit):
        raise TypeError(f"compile_many takes tuples (jitted function, *specs), not {task!r}")
    return f.compile, tuple(specs)


class _Helpers:
    """Worker processes that compile, and store the code in the cache on disk.

    Forked, so that they have all functions: of `__main__`, of a notebook, closures. They report
    that a call is finished, not its result: where this process finds nothing on disk, it compiles
    and gets the error itself.
    """

    def __init__(self, calls: Sequence[_Call], count: int) -> None:
        self.waiting = iter(range(len(calls)))
        (take, self.give), (self.ended, tell) = os.pipe(), os.pipe()
        self.children = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks while threads run
            for _ in range(count):
                child = os.fork()
                if child == 0:
                    self._work(calls, take, tell)
                self.children.append(child)
        os.close(take)
        os.close(tell)
        for _ in range(2 * count):
            self._give_one()

    def _give_one(self) -> None:
        with suppress(BrokenPipeError, StopIteration):  # no worker is alive; no call is left
            os.write(self.give, next(self.waiting).to_bytes(4, "little"))
            return
        if self.give >= 0:
            os.close(self.give)
            self.give = -1
            self.waiting = iter(())

    def _work(self, calls: Sequence[_Call], take: int, tell: int) -> None:
        """Runs in the child, and exits."""
        try:
            gc.disable()  # the parent finalises its objects
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.close(self.give)
            os.close(self.ended)
            silent = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(silent, stream)
            warnings.simplefilter("ignore")
            while number := os.read(take, 4):
                compiles, specs = calls[int.from_bytes(number, "little")]
                with suppress(Exception):
                    compiles(*specs)
                os.write(tell, number)
        finally:
            os._exit(0)

    def finished(self) -> Iterator[int]:
        """Numbers of calls in the order in which they are finished; fewer where a child died."""
        while number := os.read(self.ended, 4):
            self._give_one()
            yield int.from_bytes(number, "little")

    def close(self) -> None:
        if self.give >= 0:
            os.close(self.give)
        os.close(self.ended)
        for child in self.children:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(child, signal.SIGTERM)
                os.waitpid(child, 0)


@contextmanager
def _progress(wanted: bool | None, total: int) -> Iterator[Callable[[], None]]:
    """rich's progress bar on stderr; None: only on a terminal, if rich is installed."""
    if wanted or (wanted is None and sys.stderr.isatty()):
        try:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn
        except ImportError:
            if wanted:
                raise
        else:
            columns = ("compiling", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            with Progress(*columns, console=Console(stderr=True)) as bar:
                task = bar.add_task("", total=total)
                yield lambda: bar.advance(task)
            return
    yield lambda: None


def compile_many(
    tasks: Iterable[Any], *, processes: int | None = None, progress: bool | None = None
) -> list[str | None]:
    """Compiles for many calls on all cores: each task is `(f, *specs)`, as in `f.compile(*specs)`.

    Args:
        tasks: `(f, *specs)`, or `f` alone where its annotations give all types.
        processes: How many compile at a time, by default one per core. They share the code through
            the cache on disk; without a cache this process compiles alone.
        progress: Whether to show a bar (needs rich); by default on a terminal only.

    Returns:
        What `f.compile` returns, in the order of the tasks.

    Raises:
        Exception: The error of the first task that failed, after all are compiled; its notes name
            the other tasks that failed.
        TypeError: A task has no jitted function.
        ValueError: `processes` is less than 1.

    Examples:
        >>> @jit
        ... def half(x):
        ...     return x / 2
        >>> shapecast.compile_many([(half, shapecast.spec(d, 1)) for d in ("float32", "float64")])
        ['x: float32[s0]', 'x: float64[s0]']
    """
    calls = [_call(task) for task in tasks]
    if processes is not None and processes < 1:
        raise ValueError(f"processes is at least 1, not {processes}")
    count = min(processes or len(os.sched_getaffinity(0)), len(calls))
    helpers = _Helpers(calls, count) if count > 1 and _core.cache_directory() else None
    results: dict[int, str | None] = {}
    errors: dict[int, Exception] = {}
    try:
        with _progress(progress, len(calls)) as advance:
            done = helpers.finished() if helpers else ()
            for k in itertools.chain(done, range(len(calls))):
                if k in results:
                    continue
                results[k] = None
                compiles, specs = calls[k]
                try:
                    results[k] = compiles(*specs)
                except Exception as error:
                    errors[k] = error
                advance()
    finally:
        if helpers:
            helpers.close()
    if errors:
        first, *others = sorted(errors)
        for k in others:
            text = str(errors[k]).partition("\n")[0]
            errors[first].add_note(f"task {k} failed too: {type(errors[k]).__name__}: {text}")
        raise errors[first]
    return [results[k] for k in range(len(calls))]
