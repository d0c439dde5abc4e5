"""The decorator `jit`, and the parts of its C type in Python, none of which run in a call."""

from __future__ import annotations

import inspect
import linecache
import operator
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import _core

if TYPE_CHECKING:
    from typing import ParamSpec, Protocol, TypeVar

    _P = ParamSpec("_P")
    _R = TypeVar("_R")

    class _Decorator(Protocol):
        def __call__(self, function: Callable[_P, _R], /) -> _core.Jit[_P, _R]: ...


_WRAPPED = ("__module__", "__name__", "__qualname__", "__doc__")


@overload
def jit(function: Callable[_P, _R], /) -> _core.Jit[_P, _R]: ...
@overload
def jit(
    *,
    static_argnames: str | Iterable[str] = ...,
    fallback: bool = ...,
    debug: bool | None = ...,
    bigint: bool = ...,
) -> _Decorator: ...
def jit(
    function: Callable[..., Any] | None = None,
    /,
    *,
    static_argnames: str | Iterable[str] = (),
    fallback: bool = False,
    debug: bool | None = None,
    bigint: bool = False,
    **others: object,
) -> Any:
    """Compiles a NumPy function at its first call with arguments of new types.

    Args:
        function: A Python function; or a method, static method, class method, property, partial
            function, cached function or object with a `__call__` in Python: the same with its
            function jitted. Its source must be available.
        static_argnames: Parameters whose values, not only types, are compiled in.
        fallback: A function that cannot be compiled runs as plain Python, with one warning.
        debug: Loops run on one thread, and a loop over `prange` whose iterations are not
            independent raises RuntimeError where one accesses what another wrote. Slow. The default
            is the environment variable SHAPECAST_DEBUG when the function is decorated.
        bigint: A call in which a Python integer leaves 64 bits starts again as plain Python, whose
            integers have any size, instead of raising OverflowError; not after it has drawn a
            random number or called a function that stays Python's. What it prints appears when it
            ends. Costs a copy of the arrays among the arguments in each call.

    Returns:
        A jitted function (see `Jit`), or what was given with one in it; without `function` a
            decorator.

    Raises:
        TypeError: `function` is something else, or an option is unknown: the text says what to use.
        UnsupportedError: At a call, the function uses something that is not supported.

    Examples:
        >>> @jit
        ... def scale(x, factor):
        ...     return x * factor
        >>> scale(np.arange(3.0), 2)
        array([0., 2., 4.])
        >>> scale.signatures()
        ['x: float64[s0], factor: int']
    """
    if others:
        from ._decorated import unknown_option

        raise TypeError(unknown_option(next(iter(others))))
    if debug is None:
        debug = os.environ.get("SHAPECAST_DEBUG", "0") not in ("", "0")
    if function is None:
        return lambda function: jit(  # type: ignore[call-overload]
            function,
            static_argnames=static_argnames,
            fallback=fallback,
            debug=debug,
            bigint=bigint,
        )
    if isinstance(function, _core.Jit):
        function = function.__wrapped__
    elif type(function) is not FunctionType:
        from ._decorated import decorated, refusal

        decorate = jit(
            static_argnames=static_argnames, fallback=fallback, debug=debug, bigint=bigint
        )
        if (made := decorated(function, decorate)) is None:
            raise TypeError(refusal(function))
        return made
    jitted = _core.Jit(function, static_argnames, fallback, debug, bigint)
    # functools.update_wrapper without its import.
    attributes = jitted.__dict__
    for name in _WRAPPED:
        attributes[name] = getattr(function, name, None)
    attributes.update(getattr(function, "__dict__", {}))
    if (file := function.__code__.co_filename) not in linecache.cache and not os.path.exists(file):
        from ._source import remember

        remember(function)
    # Here, since a reloaded module is decorated before autoreload updates the old objects.
    if autoreload := sys.modules.get("IPython.extensions.autoreload"):
        from ._reloading import teach

        teach(autoreload)
    return jitted


class Spec:
    """The type of an array argument for `infer` and `ptx`: see `spec`.

    Attributes:
        dtype: A NumPy dtype.
        ndim: Number of dimensions.
        shape: Sizes, as ints and texts; None where only `ndim` is known.
        device: "cpu" or "cuda:0".
    """

    __slots__ = ("device", "dtype", "ndim", "shape")

    def __init__(self, dtype: Any, shape: int | Sequence[int | str], device: str = "cpu") -> None:
        kind, _, ordinal = device.partition(":")
        if device != "cpu" and not (kind == "cuda" and (ordinal or "0").isdecimal()):
            raise ValueError(f"no device {device!r}: 'cpu', 'cuda' and 'cuda:1' are devices")
        self.dtype = np.dtype(dtype)
        if isinstance(shape, str):
            raise TypeError(f"a shape is a tuple of sizes, not {shape!r}")
        sizes = tuple(shape) if isinstance(shape, Sequence) else None
        self.shape = sizes
        self.ndim = len(sizes) if sizes is not None else operator.index(shape)  # type: ignore[arg-type]
        if any(isinstance(size, int) and size < 0 for size in sizes or (self.ndim,)):
            raise ValueError(f"an array has no negative size, as in {shape}")
        self.device = device if device == "cpu" else f"cuda:{int(ordinal or 0)}"

    def __repr__(self) -> str:
        device = "" if self.device == "cpu" else f", device={self.device!r}"
        return f"spec({self.dtype}, {self.ndim if self.shape is None else self.shape}{device})"


def spec(dtype: Any, shape: int | Sequence[int | str] = 0, *, device: str = "cpu") -> Spec:
    """Describes an array argument, for `f.compile`, `f.infer`, `f.signature_of` and `f.ptx`.

    Args:
        dtype: Anything that `np.dtype` takes.
        shape: Its number of dimensions; or its sizes: ints, and texts of expressions over symbols
            such as "n" or "2 * k + 1". A symbol is the same size wherever it occurs.
        device: Where it is, "cpu" or "cuda:0".

    Returns:
        The description of a C-contiguous array.

    Raises:
        ValueError: A size is negative, or the device is unknown.
        TypeError: The shape is a text, or the dtype is none.

    Examples:
        >>> @jit
        ... def gram(x):
        ...     return x.T @ x
        >>> gram.infer(shapecast.spec("float32", ("n", 3)))
        float32[3, 3]
    """
    return Spec(dtype, shape, device)


class OnDevice:
    """An array on a device, described as by CuPy and PyTorch; its memory is never read."""

    def __init__(self, host: np.ndarray[Any, Any], ordinal: int) -> None:
        self.host = host  # keeps its address unique
        self.ordinal = ordinal
        self.__cuda_array_interface__ = {**host.__array_interface__, "version": 3}

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, self.ordinal


class Inferred:
    """A result that `infer` infers.

    Attributes:
        dtype: A NumPy dtype; for numbers of Python their class.
        shape: Sizes: ints, and texts of expressions over the symbols of the arguments.
        ndim: Number of dimensions.
        device: "cpu" or "cuda:0".
    """

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
    """The sizes of an argument of `infer`, as ints and `shape_rules.Dim`s; None: it has none."""
    shape = value.shape if isinstance(value, Spec) else value if _is_shape(value) else None
    if shape is None:
        return None
    from .shape_rules import Scope

    scope = Scope()
    return tuple(scope.size(_to_core(size) if isinstance(size, str) else size) for size in shape)


# The compiler's own symbols are letters and a number (s0, n1): such names of users get a prefix.
_own = re.compile(r"\b([a-z]+[0-9]+)\b")
_users = re.compile(r"\b_u_([a-z]+[0-9]+)\b")


def _to_core(text: str) -> str:
    return _own.sub(r"_u_\1", text)


def _to_user(size: int | str) -> int | str:
    return _users.sub(r"\1", size) if isinstance(size, str) else size


def concrete(value: Any) -> Any:
    """A value of the type that an argument of `infer` or `ptx` describes."""
    if _is_shape(value):  # ("n", 10): float64
        value = Spec(np.float64, value)
    if isinstance(value, Spec):
        # Distinct sizes, none of them one of the small ones that become constants (0 to 8).
        host = np.empty(tuple(range(9, 9 + value.ndim)), value.dtype)
        kind, _, ordinal = value.device.partition(":")
        return host if kind == "cpu" else OnDevice(host, int(ordinal))
    if isinstance(value, np.dtype):
        return value.type(1)
    if type(value) in (tuple, list):
        for item in value:
            if _is_shape(item) or (isinstance(item, Spec) and item.shape is not None):
                raise ValueError(
                    f"{item!r} in a tuple: only arguments themselves have sizes; pass "
                    "spec(dtype, ndim)"
                )
        return type(value)(map(concrete, value))
    return value


def inferred(tree: Any) -> Any:
    """Results as `Inferred` objects, from the C type's description (see inspect.cpp)."""
    if isinstance(tree, list):
        return tuple(map(inferred, tree))
    if isinstance(tree, type):
        return Inferred(tree)
    if len(tree) == 1:
        return tree[0]
    dtype, shape, _layout, device = tree
    return Inferred(np.dtype(dtype), tuple(map(_to_user, shape or ())), device)


class CallSignature:
    """The result of `signature_of`.

    Attributes:
        parameters: A description of each, by name; sizes are simplified by the constraints on them.
        result: What `infer` returns.
        guards: What this call's sizes satisfy and the compiled variant assumes.
        requirements: What the call would check, on every path through the function.
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
    """Python's own TypeError, without frames of shapecast: from a stub with the same parameters."""
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
        pass  # matrix products are plain loops
    else:
        _core._set_blas_library(
            f"{scipy_openblas64.get_lib_dir()}/{scipy_openblas64.get_library(fullname=True)}"
        )
