"""What `jit` makes of callables that are no plain functions, and of other compilers' options."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

Decorate = Callable[[Any], Any]


def decorated(callable_: Any, decorate: Decorate) -> Any:
    """The same kind of callable with its function jitted; None for kinds that have none."""
    if isinstance(callable_, (staticmethod, classmethod, MethodType)):
        function = decorate(callable_.__func__)
        if isinstance(callable_, MethodType):
            return MethodType(function, callable_.__self__)
        return type(callable_)(function)
    if isinstance(callable_, property):
        parts = (callable_.fget, callable_.fset, callable_.fdel)
        get, set_, delete = (part and decorate(part) for part in parts)
        return property(get, set_, delete, callable_.__doc__)
    if isinstance(callable_, functools.cached_property):
        return functools.cached_property(decorate(callable_.func))
    if isinstance(callable_, functools.partial):
        made = decorate(callable_.func)
        return type(callable_)(made, *callable_.args, **callable_.keywords)
    if hasattr(callable_, "cache_parameters"):  # functools.lru_cache's
        return functools.lru_cache(**callable_.cache_parameters())(decorate(callable_.__wrapped__))
    if isinstance(plain := getattr(callable_, "py_func", None), FunctionType):  # Numba's
        return decorate(plain)
    if isinstance(callable_, type) or _is_compiled(callable_):
        return None
    call = type(callable_).__call__ if callable(callable_) else None
    return MethodType(decorate(call), callable_) if isinstance(call, FunctionType) else None


def _is_compiled(callable_: Any) -> bool:  # vectorize's objects, f.on's
    return type(callable_).__module__.partition(".")[0] == "shapecast"


def refusal(callable_: Any) -> str:
    """Why jit does not take it, and what to do."""
    kind = type(callable_).__name__.lstrip("_")
    name = getattr(callable_, "__name__", "")
    kind = f"an {kind}" if kind[0] in "aeio" else f"a {kind}"
    shown = f"{name}, {kind}" if name else kind
    if isinstance(callable_, str):
        shown, advice = repr(callable_), "types come from a call's arguments, omit them"
    elif isinstance(callable_, type):
        advice = "decorate its methods"
    elif _is_compiled(callable_):
        advice = "it is compiled already"
    elif isinstance(callable_, (functools.partialmethod, functools.singledispatchmethod)):
        advice = "decorate its function"
    elif callable(callable_):
        advice = "call it inside a jitted function"
    else:
        advice = "it cannot be called"
    return f"jit takes a Python function, not {shown}; {advice}"


# Options of Numba's, JAX's and PyTorch's decorators.
_STATIC = "static_argnames=('name',) names parameters whose values are compiled in"
_NEVER = "code never runs in the interpreter, unless fallback=True allows it"
_TYPES = "types come from a call's arguments; f.compile(spec(...)) compiles ahead of a call"
_EQUIVALENTS = {
    "profile": "`with shapecast.profile() as p:` measures all jitted functions that it calls",
    "cache": "compiled code is always kept on disk (SHAPECAST_CACHE_DIR=off turns it off)",
    "parallel": "loops run on threads by themselves (shapecast.set_num_threads sets how many)",
    "nopython": _NEVER,
    "forceobj": _NEVER,
    "fullgraph": _NEVER,
    "looplift": _NEVER,
    "nogil": "long calls release the interpreter lock by themselves",
    "fastmath": "results keep NumPy's bits; there is no such option",
    "error_model": "errors are NumPy's and Python's; there is no other model",
    "boundscheck": "indices are always checked",
    "inline": "callees are always inlined",
    "signature": _TYPES,
    "signature_or_function": _TYPES,
    "locals": "types of variables are inferred; cast values with np.float32(x)",
    "debug_info": "debug=True checks prange loops",
    "static_argnums": _STATIC,
    "donate_argnums": "arrays are changed in place where the function stores to them",
    "donate_argnames": "arrays are changed in place where the function stores to them",
    "keep_unused": "unused arguments cost nothing",
    "device": "f.on('cuda:0') runs it on a device",
    "target": "f.on('cuda:0') runs it on a device",
    "target_backend": "f.on('cuda:0') runs it on a device",
    "backend": "f.on('cuda:0') runs it on a device; there is one backend for the host",
    "abstracted_axes": "sizes are symbolic: other sizes need no compilation",
    "dynamic": "sizes are symbolic: other sizes need no compilation",
    "mode": "there is one mode, which optimises fully",
    "options": "there are no options of the back end",
}


def unknown_option(name: str) -> str:
    text = f"jit() got an unexpected keyword argument {name!r}"
    if name in _EQUIVALENTS:
        return f"{text}: {_EQUIVALENTS[name]}"
    return (
        f"{text}; it takes static_argnames, fallback, debug and bigint (types come from a call's "
        "arguments; code is compiled without Python, cached and run on threads without an option)"
    )
