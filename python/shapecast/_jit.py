"""The decorator `jit`, and what its C type leaves to Python: never on the path of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _core

if TYPE_CHECKING:
    from types import FunctionType

_WRAPPED = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")


@overload
def jit(function: Callable[..., Any], /) -> _core.Jit: ...
@overload
def jit(
    *, static_argnames: str | Iterable[str] = ..., fallback: bool = ...
) -> Callable[[Callable[..., Any]], _core.Jit]: ...
def jit(
    function: Callable[..., Any] | None = None,
    /,
    *,
    static_argnames: str | Iterable[str] = (),
    fallback: bool = False,
) -> Any:
    """Compiles a NumPy function at its first call with arguments of new types.

    static_argnames: parameters whose values, not only types, are compiled in.
    fallback: a function that cannot be compiled runs as plain Python, with one warning.
    """
    if function is None:
        return lambda function: jit(function, static_argnames=static_argnames, fallback=fallback)  # type: ignore[call-overload]
    if isinstance(function, _core.Jit):
        function = function.__wrapped__
    jitted = _core.Jit(function, static_argnames, fallback)
    # functools.update_wrapper without its import.
    attributes = jitted.__dict__
    for name in _WRAPPED:
        attributes[name] = getattr(function, name, None)
    attributes.update(getattr(function, "__dict__", {}))
    return jitted


class Spec:
    """What `infer` needs to know of an array: its dtype and number of dimensions."""

    __slots__ = ("dtype", "ndim")

    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype = np.dtype(dtype)
        self.ndim = ndim

    def __repr__(self) -> str:
        return f"spec({self.dtype}, {self.ndim})"


def spec(dtype: Any, ndim: int = 0) -> Spec:
    """An array argument for `infer`: any C-contiguous array of this dtype and rank."""
    return Spec(dtype, ndim)


class Inferred:
    """A result that `infer` foresees; `dtype` is a class for Python numbers, `shape` symbolic."""

    __slots__ = ("dtype", "ndim", "shape")

    def __init__(self, dtype: Any, shape: tuple[int | str, ...] = ()) -> None:
        self.dtype = dtype
        self.shape = shape
        self.ndim = len(shape)

    def __repr__(self) -> str:
        name = self.dtype.__name__ if isinstance(self.dtype, type) else str(self.dtype)
        return f"{name}[{', '.join(map(str, self.shape))}]" if self.shape else name


def concrete(value: Any) -> Any:
    """A value of the type that an argument of `infer` stands for."""
    if isinstance(value, Spec):
        # Sizes differ from each other, from 0 and from 1, as an arbitrary array's do.
        return np.empty(tuple(range(5, 5 + value.ndim)), value.dtype)
    if isinstance(value, np.dtype):
        return value.type(1)
    if type(value) in (tuple, list):
        return type(value)(map(concrete, value))
    return value


def inferred(tree: Any) -> Any:
    """Results as objects, from the C type's description (see inspect.cpp)."""
    if isinstance(tree, list):
        return tuple(map(inferred, tree))
    if isinstance(tree, type):
        return Inferred(tree)
    if len(tree) == 1:
        return tree[0]
    dtype, shape, _layout = tree
    return Inferred(np.dtype(dtype), shape or ())


def raise_bind_error(function: FunctionType, /, *args: Any, **kwargs: Any) -> None:
    """Raises Python's own TypeError: a function with the same parameters is called."""
    code = function.__code__
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    if code.co_kwonlyargcount:
        names.insert(code.co_argcount, "*")
    if code.co_posonlyargcount:
        names.insert(code.co_posonlyargcount, "/")
    space: dict[str, Any] = {}
    exec(f"def stub({', '.join(names)}): pass", space)
    stub = space["stub"]
    stub.__qualname__ = function.__qualname__
    stub.__defaults__ = function.__defaults__
    stub.__kwdefaults__ = function.__kwdefaults__
    stub(*args, **kwargs)


if _core._needs_blas():  # this NumPy was built with another BLAS
    try:
        import scipy_openblas64  # type: ignore[import-untyped]
    except ImportError:
        pass  # products run in plain loops
    else:
        _core._set_blas_library(
            f"{scipy_openblas64.get_lib_dir()}/{scipy_openblas64.get_library(fullname=True)}"
        )
