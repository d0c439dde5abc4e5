"""The decorator `jit`, and what its C type leaves to Python: never on the path of a call."""

from __future__ import annotations

import inspect
import operator
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _core

if TYPE_CHECKING:
    from types import FunctionType
    from typing import ParamSpec, Protocol, TypeVar

    _P = ParamSpec("_P")
    _R = TypeVar("_R")

    class _Decorator(Protocol):
        def __call__(self, function: Callable[_P, _R], /) -> _core.Jit[_P, _R]: ...


_WRAPPED = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")


@overload
def jit(function: Callable[_P, _R], /) -> _core.Jit[_P, _R]: ...
@overload
def jit(
    *,
    static_argnames: str | Iterable[str] = ...,
    fallback: bool = ...,
    debug: bool | None = ...,
) -> _Decorator: ...
def jit(
    function: Callable[..., Any] | None = None,
    /,
    *,
    static_argnames: str | Iterable[str] = (),
    fallback: bool = False,
    debug: bool | None = None,
    **others: object,
) -> Any:
    """Compiles a NumPy function at its first call with arguments of new types.

    static_argnames: parameters whose values, not only types, are compiled in.
    fallback: a function that cannot be compiled runs as plain Python, with one warning.
    debug: loops run in one thread, and a loop over `prange` whose turns are not independent raises
        RuntimeError where one of them touches what another wrote. Slow. Without it, as the
        environment's SHAPECAST_DEBUG says when the function is decorated.
    """
    if others:
        raise TypeError(
            f"jit() got an unexpected keyword argument {next(iter(others))!r}; it takes "
            "static_argnames, fallback and debug (types come from a call's arguments; that code is "
            "compiled without Python, cached and run on threads needs no option)"
        )
    if debug is None:
        debug = os.environ.get("SHAPECAST_DEBUG", "0") not in ("", "0")
    if function is None:
        return lambda function: jit(  # type: ignore[call-overload]
            function, static_argnames=static_argnames, fallback=fallback, debug=debug
        )
    if isinstance(function, MethodType):
        decorate = jit(static_argnames=static_argnames, fallback=fallback, debug=debug)
        return MethodType(decorate(function.__func__), function.__self__)
    if isinstance(function, _core.Jit):
        function = function.__wrapped__
    if way_out := _WAYS_OUT.get(type(function).__name__):
        raise TypeError(f"jit takes a plain Python function, not {_named(function)}; {way_out}")
    jitted = _core.Jit(function, static_argnames, fallback, debug)
    # functools.update_wrapper without its import.
    attributes = jitted.__dict__
    for name in _WRAPPED:
        attributes[name] = getattr(function, name, None)
    attributes.update(getattr(function, "__dict__", {}))
    # Now: a module that is loaded anew comes by here before what is old is brought up to date.
    if autoreload := sys.modules.get("IPython.extensions.autoreload"):
        from ._reloading import teach

        teach(autoreload)
    return jitted


# Where something else is decorated, by its class.
_WAYS_OUT = {
    "str": "types come from a call's arguments, leave them out",
    "type": "decorate its methods",
    "partial": "decorate its function, and take the partial of that",
    "_lru_cache_wrapper": "write @jit below the cache's decorator",
    "ufunc": "call it in one",
    "builtin_function_or_method": "call it in one",
}


def _named(function: Any) -> str:
    if isinstance(function, str):
        return repr(function)
    name, kind = getattr(function, "__name__", ""), type(function).__name__.lstrip("_")
    return f"{name}, a {kind}" if name else f"a {kind}"


class Spec:
    """What `infer` and `ptx` need to know of an array: dtype, rank or sizes, device."""

    __slots__ = ("device", "dtype", "ndim", "shape")

    def __init__(self, dtype: Any, shape: int | Sequence[int | str], device: str = "cpu") -> None:
        kind, _, ordinal = device.partition(":")
        if device != "cpu" and not (kind == "cuda" and (ordinal or "0").isdecimal()):
            raise ValueError(f"device {device!r}: 'cpu', 'cuda' and 'cuda:1' are devices")
        self.dtype = np.dtype(dtype)
        if isinstance(shape, str):
            raise TypeError(f"a shape is a tuple of sizes, not {shape!r}")
        sizes = tuple(shape) if isinstance(shape, Sequence) else None
        self.shape = sizes
        self.ndim = len(sizes) if sizes is not None else operator.index(shape)  # type: ignore[arg-type]
        if any(isinstance(size, int) and size < 0 for size in sizes or (self.ndim,)):
            raise ValueError(f"an array has no negative size: {shape}")
        self.device = device if device == "cpu" else f"cuda:{int(ordinal or 0)}"

    def __repr__(self) -> str:
        device = "" if self.device == "cpu" else f", device={self.device!r}"
        return f"spec({self.dtype}, {self.ndim if self.shape is None else self.shape}{device})"


def spec(dtype: Any, shape: int | Sequence[int | str] = 0, *, device: str = "cpu") -> Spec:
    """An array argument for `infer`, `signature_of` and `ptx`: a C-contiguous array of this dtype.

    shape: its number of dimensions; or its sizes: ints, and texts of expressions over symbols
        such as "n" or "2 * k + 1". A symbol means the same size wherever it stands.
    device: where it lives, "cpu" or "cuda:0".
    """
    return Spec(dtype, shape, device)


class OnDevice:
    """An array on a device as CuPy and PyTorch describe theirs; nobody reads its memory."""

    def __init__(self, host: np.ndarray[Any, Any], ordinal: int) -> None:
        self.host = host  # for an address that no other array has
        self.ordinal = ordinal
        self.__cuda_array_interface__ = {**host.__array_interface__, "version": 3}

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.ordinal


class Inferred:
    """A result that `infer` foresees; `dtype` is a class for Python numbers, `shape` symbolic."""

    __slots__ = ("device", "dtype", "ndim", "shape")

    def __init__(self, dtype: Any, shape: tuple[int | str, ...] = (), device: str = "cpu") -> None:
        self.dtype = dtype
        self.shape = shape
        self.ndim = len(shape)
        self.device = device

    def __repr__(self) -> str:
        name = self.dtype.__name__ if isinstance(self.dtype, type) else str(self.dtype)
        text = f"{name}[{', '.join(map(str, self.shape))}]" if self.shape else name
        return text if self.device == "cpu" else f"{text} on {self.device}"


def _is_shape(value: Any) -> bool:
    return (
        isinstance(value, tuple)
        and any(isinstance(size, str) for size in value)
        and all(isinstance(size, (int, str)) for size in value)
    )


def sizes(value: Any) -> tuple[Any, ...] | None:
    """The sizes that an argument of `infer` names, as ints and `shape_rules.Dim`s."""
    shape = value.shape if isinstance(value, Spec) else value if _is_shape(value) else None
    if shape is None:
        return None
    from .shape_rules import Scope

    scope = Scope()
    return tuple(scope.size(_to_core(size) if isinstance(size, str) else size) for size in shape)


# The compiler's own symbols are letters and a number (s0, n1): users' such names are others there.
_own = re.compile(r"\b([a-z]+[0-9]+)\b")
_users = re.compile(r"\b_u_([a-z]+[0-9]+)\b")


def _to_core(text: str) -> str:
    return _own.sub(r"_u_\1", text)


def _to_user(size: int | str) -> int | str:
    return _users.sub(r"\1", size) if isinstance(size, str) else size


def concrete(value: Any) -> Any:
    """A value of the type that an argument of `infer` or `ptx` stands for."""
    if _is_shape(value):  # ("n", 10): float64
        value = Spec(np.float64, value)
    if isinstance(value, Spec):
        # Sizes differ from each other and from the small ones that become constants (0 to 8), as
        # an arbitrary array's do.
        host = np.empty(tuple(range(9, 9 + value.ndim)), value.dtype)
        kind, _, ordinal = value.device.partition(":")
        return host if kind == "cpu" else OnDevice(host, int(ordinal))
    if isinstance(value, np.dtype):
        return value.type(1)
    if type(value) in (tuple, list):
        for item in value:
            if _is_shape(item) or (isinstance(item, Spec) and item.shape is not None):
                raise ValueError(f"{item!r} within a tuple: only arguments themselves have sizes")
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
    dtype, shape, _layout, device = tree
    return Inferred(np.dtype(dtype), tuple(map(_to_user, shape or ())), device)


class CallSignature:
    """What `signature_of` tells of a call.

    parameters: a description of each, by name; sizes with all that is asked of them put in.
    result: what `infer` gives.
    guards: what this call's sizes satisfy and the compiled variant assumes.
    requirements: what the call would check, on every path through the function.
    """

    __slots__ = ("guards", "parameters", "requirements", "result")

    def __init__(
        self,
        parameters: dict[str, Any],
        result: Any,
        guards: Sequence[str],
        requirements: Sequence[str],
    ) -> None:
        self.parameters = parameters
        self.result = result
        self.guards = [str(_to_user(text)) for text in guards]
        self.requirements = [str(_to_user(text)) for text in requirements]

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}: {kind!r}" for name, kind in self.parameters.items())
        lines = [f"({parameters}) -> {self.result!r}"]
        lines += [f"  assumes {text}" for text in self.guards]
        lines += [f"  checks {text}" for text in self.requirements]
        return "\n".join(lines)


def signature(
    parameters: Sequence[tuple[str, Any]],
    result: Any,
    guards: Sequence[str],
    requirements: Sequence[str],
) -> CallSignature:
    """For the C type (see inspect.cpp)."""
    described = {
        name: Inferred(type(None)) if tree is None else inferred(tree) for name, tree in parameters
    }
    return CallSignature(described, result, guards, list(dict.fromkeys(requirements)))


def bind_error(function: FunctionType, /, *args: Any, **kwargs: Any) -> TypeError:
    """Python's own, without places here: a function with the same parameters is called."""
    code = function.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    names = list(code.co_varnames[:count])
    rest = code.co_varnames[count:]  # *args, **kwargs, other variables
    if code.co_flags & inspect.CO_VARKEYWORDS:
        names.append("**" + rest[bool(code.co_flags & inspect.CO_VARARGS)])
    if code.co_flags & inspect.CO_VARARGS:
        names.insert(code.co_argcount, "*" + rest[0])
    elif code.co_kwonlyargcount:
        names.insert(code.co_argcount, "*")
    if code.co_posonlyargcount:
        names.insert(code.co_posonlyargcount, "/")
    space: dict[str, Any] = {}
    exec(f"def stub({', '.join(names)}): pass", space)
    stub = space["stub"]
    stub.__qualname__ = function.__qualname__
    stub.__defaults__ = function.__defaults__
    stub.__kwdefaults__ = function.__kwdefaults__
    try:
        stub(*args, **kwargs)
    except TypeError as error:
        return error.with_traceback(None)
    return TypeError("the arguments do not fit the function's parameters")


if _core._needs_blas():  # this NumPy was built with another BLAS
    try:
        import scipy_openblas64  # type: ignore[import-untyped]
    except ImportError:
        pass  # products run in plain loops
    else:
        _core._set_blas_library(
            f"{scipy_openblas64.get_lib_dir()}/{scipy_openblas64.get_library(fullname=True)}"
        )
