"""Python functions that compiled code calls: infers their result types by calls with samples.

A probe calls the function twice, with samples of different sizes and values; where the two results
differ in type (dtype, rank, kind of object), the call is not supported. A size of the result that
equals the size of an argument both times is assumed to be that. Each call checks the inferred type.
"""

from __future__ import annotations

import array
import collections
import copy
import functools
import itertools
import json
import math
import operator
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import _array_libraries, _errors, _ufuncs
from ._objects import OF_VALUES, dtype_of, named, pyfuncs, records
from .typing import ArrayAnnotation

_DTYPES = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
_DTYPES |= {"float16", "float32", "float64", "complex64", "complex128"}

# They return None, and must not be called with samples.
_RETURN_NONE = {f"numpy.{name}" for name in ("save", "savez", "savez_compressed", "savetxt")}
_RETURN_NONE |= {"operator.setitem", "random.seed", "time.sleep", "shapecast._objects.warned"}
_RETURN_NONE |= {"shapecast._objects.logged"}
_KNOWN = {"shapecast._objects.logs": {"python": "bool"}}
_UNSUPPORTED = {
    "seterr": "it changes NumPy's settings",
    "seterrcall": "it changes NumPy's settings",
    "setbufsize": "it changes NumPy's settings",
    "set_printoptions": "it changes NumPy's settings",
    "load": "the type of its result depends on the file",
    "loadtxt": "the type of its result depends on the file",
    "genfromtxt": "the type of its result depends on the file",
    "fromfile": "the type of its result depends on the file",
    "memmap": "the type of its result depends on the file",
    "method:resize": "it changes the shape of the array itself",
    "method:tofile": "it writes a file",
    "method:dump": "it writes a file",
}
_UNSUPPORTED_MODULES = (
    "numpy.lib.format.",
    "numpy.lib.npyio.",
    "numpy.f2py.",
    "scipy.io.",
    "scipy.datasets.",
)
_RANDOM = {"numpy.random.ranf": "random_sample", "numpy.random.sample": "random_sample"}
_MAX_ELEMENTS = 1 << 20  # of a sample
# Of the samples of both calls: no size is near a multiple, half or sum of another one in both.
_SIZES = ((5, 16, 27, 43, 58, 73), (6, 24, 41, 53, 80, 107))


class NoSamples(Exception):
    """The function cannot be called with samples; the text says why."""


@functools.lru_cache(maxsize=4096)
def probe(text: str) -> str:
    """The result type of a call, or the loop of a ufunc (see loop_of in _ufuncs.py), as JSON.

    A call: name, arguments, keywords. An argument: {"array": dtype, "dims": [[text, size or null]],
    "layout"}, {"scalar": dtype}, {"python": "int", "value" or "seen"}, {"static", "text"}, or
    {"tuple" | "list" | "slice" | "range": items}, {"made"} (a string or exception that only
    exists at run time). A result: {"array": dtype, "dims": [text or
    null]}, {"scalar": dtype}, {"python": "int"}, {"tuple" | "list": items}, {} (None), {"raises"}
    (a TypeError, whatever the values), {"never"} (it raises), or {"error"}.
    """
    call = json.loads(text)
    if "method" in call:
        return json.dumps(_of_text(call))
    if "attribute" in call:
        return json.dumps(_of_exception(call))
    if "ufunc" in call:
        return json.dumps(_ufuncs.loop_of(call["ufunc"], call["operands"], call["core"]))
    try:
        return json.dumps(_probed(call))
    except NoSamples as problem:
        name = call["name"].split(":")[-1]
        return json.dumps({"error": f"{name} cannot be called from compiled code: {problem}"})


def _of_text(call: dict[str, Any]) -> dict[str, Any]:
    """A method of a constant string, evaluated: {"value"}, {"raises", "message"}, {"error"}.

    A tuple is {"tuple": [...]}, a list [...].
    """
    samples = Samples({"arguments": [], "keywords": {}}, 0, "distinct")
    given = [samples.of(argument) for argument in call["arguments"]]
    named = {name: samples.of(argument) for name, argument in call["keywords"].items()}
    try:
        return {"value": _plain(getattr(call["text"], call["method"])(*given, **named))}
    except NoSamples as problem:
        return {"error": f"the method '{call['method']}' of a string is not supported: {problem}"}
    except Exception as error:
        return {"raises": type(error).__name__, "message": str(error)}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return {"tuple": [_plain(item) for item in value]}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, (str, int)):
        return value
    raise NoSamples(f"it returns an object of class {type(value).__name__}")


def raise_unexpected(call: str, never: bool, result: Any) -> None:
    """For a result of another type than those of the samples; `never`: the call raised for them."""
    name = call.split(" ")[0].split(":")[-1]
    if never:
        raise _errors.UnsupportedError(
            f"{name} raises for samples of its arguments, so that the type of its result is "
            "unknown; call it outside the jitted function, or through "
            "shapecast.pyfunc(f, result=...)"
        )
    shown = f"{type(result).__name__}"
    if isinstance(result, np.ndarray):
        shown += f" of {result.dtype} with {result.ndim} dimensions"
    if name == "builtins.getattr":
        raise _errors.UnsupportedError(
            f"an attribute is a {shown} here, but of another type in samples of the object; read "
            "it outside the jitted function"
        )
    raise _errors.UnsupportedError(
        f"{name} returned {shown} here, but another type for samples of its arguments; call it "
        "outside the jitted function"
    )


# Sample objects for probes, one of each kind.
_samples: list[Any] = []
_numbers: dict[Any, int] = {}


def kind_of(thing: Any) -> tuple[int, bool]:
    """The number of the object's kind, and whether all objects of its class are of this kind."""
    if thing is print:
        raise _errors.UnsupportedError(
            "print cannot be passed to a jitted function, since calls are probed, which would "
            "print; pass a function: lambda *values: print(*values)"
        )
    kind, alike = _kind(thing), not isinstance(thing, _VARIED)
    is_array = isinstance(thing, np.ndarray)
    number = _numbers.get(kind)
    small = thing[(slice(0, 5),) * thing.ndim] if is_array else _shortened(thing)
    if number is not None and is_array and small.size > _samples[number].size:
        _samples[number] = copy.deepcopy(small)  # samples without elements raise too often
        probe.cache_clear()
    if number is None:
        try:
            sample = _copied(small)
        except Exception:
            raise _errors.UnsupportedError(
                f"an object of class {type(thing).__name__} cannot be passed to a jitted "
                "function, since it cannot be copied (calls are probed with a copy); use it outside"
            ) from None
        number = _numbers[kind] = len(_samples)
        _samples.append(sample)
        if advice := _array_libraries.advice(kind_name(number)):
            warnings.warn(
                f"in a jitted function the operations of {kind_name(number)} are Python's, one "
                f"by one; {advice}",
                stacklevel=2,
            )
    return number, alike


def _shortened(thing: Any) -> Any:
    """Some rows of a table or labelled array, which may be large."""
    module, name = type(thing).__module__.partition(".")[0], type(thing).__name__
    if module == "pandas" and name in ("Series", "DataFrame"):
        return thing.head(5)
    if module == "xarray" and name in ("DataArray", "Dataset"):
        return thing.isel({dim: slice(0, 5) for dim in thing.dims})
    return thing


_OWN = (type, np.dtype, types.BuiltinFunctionType)  # each object has a kind of its own
_COMPOSED = (functools.partial, operator.itemgetter, operator.attrgetter, operator.methodcaller)
_CONTAINERS = (collections.deque, array.array, set, frozenset)
_VARIED = (np.ndarray, np.void, np.datetime64, np.timedelta64, *_OWN, *_COMPOSED, *_CONTAINERS)


def _kind(thing: Any, depth: int = 4) -> Any:
    """What the type of a call's result depends on: the class and, of some classes, the contents."""
    kind = type(thing)
    if isinstance(thing, np.dtype) and thing.kind in "SU":
        return kind  # as of their arrays, below
    if isinstance(thing, _OWN):
        return kind, thing
    if depth == 0:
        return kind
    if isinstance(thing, (np.ndarray, np.void, np.datetime64, np.timedelta64)):
        text = str(thing.dtype)  # strings of different lengths are of one kind
        text = text.rstrip("0123456789") if thing.dtype.kind in "SU" else text
        return kind, text, thing.ndim, _kinds(thing.flat, depth) if text == "object" else ()
    if isinstance(thing, _COMPOSED):
        made_of = thing.__reduce__()
        return kind, _kind_within(made_of[1:] if kind is functools.partial else made_of, depth)
    if isinstance(thing, (set, frozenset)):
        return kind, frozenset(_kinds(thing, depth))
    return (kind, _kinds(thing, depth)) if isinstance(thing, _CONTAINERS) else kind


def _kinds(items: Any, depth: int) -> tuple[Any, ...]:
    """Of the first items, each kind once."""
    first = itertools.islice(items, 16)
    return tuple(dict.fromkeys(_kind_within(item, depth) for item in first))


def _kind_within(thing: Any, depth: int) -> Any:
    if isinstance(thing, types.FunctionType):
        return thing.__code__  # a lambda is a new object each time
    if isinstance(thing, (str, np.ufunc)):
        return thing
    if isinstance(thing, (tuple, list)) and depth:
        return type(thing), tuple(_kind_within(item, depth - 1) for item in thing)
    if isinstance(thing, dict) and depth:
        pairs = thing.items()
        return dict, tuple((name, _kind_within(value, depth - 1)) for name, value in pairs)
    if isinstance(thing, np.ndarray):  # its sizes have to fit those of the arguments
        return _kind(thing, depth), thing.shape
    return _kind(thing, max(depth - 1, 0))


def _copied(thing: Any) -> Any:
    """A deep copy; a bound method is copied with its object, which probes may change."""
    bound_to = getattr(thing, "__self__", None)
    if isinstance(thing, types.BuiltinFunctionType) and not (
        bound_to is None or isinstance(bound_to, types.ModuleType)
    ):
        return getattr(copy.deepcopy(bound_to), thing.__name__)
    return copy.deepcopy(thing)


def kind_name(kind: int) -> str:
    """Its name in messages: "numpy.random._generator.Generator"."""
    sample = _samples[kind]
    if isinstance(sample, np.ndarray):
        return f"{type(sample).__name__} of {sample.dtype} with {sample.ndim} dimensions"
    return f"{type(sample).__module__}.{type(sample).__qualname__}".removeprefix("builtins.")


def _probed(call: dict[str, Any]) -> dict[str, Any]:
    name = call["name"]
    if name in _RETURN_NONE:
        return {}
    if name in _KNOWN:
        return _KNOWN[name]
    own = name.startswith("builtins.") and name != "builtins.getattr"
    if own and '"object"' not in json.dumps(call):
        raise NoSamples("it is not supported; compute it outside and pass the result in")
    if name.startswith(_UNSUPPORTED_MODULES):
        raise NoSamples("it reads or writes files; do it outside")
    if why := _UNSUPPORTED.get(name.removeprefix("numpy.")):
        raise NoSamples(f"{why}; do it outside")
    try:
        function = named(name)
    except (ImportError, AttributeError):
        raise NoSamples("there is no such function") from None
    if isinstance(function, PyFunc) and function.result is not ...:
        return _constant(function, call) or _declared(function.result)
    problem = None
    for sizes in Samples.SIZES:
        try:
            first, second = (_sampled(function, call, number, sizes) for number in (0, 1))
        except NoSamples as known:
            raise known
        except Exception as error:
            problem = problem or error
            continue
        return common_type(first, second)
    if type(problem) is TypeError and re.search(r"\b(positional|keyword) argument", str(problem)):
        return {"raises": str(problem)}
    return {"never": True}  # as it will for the real arguments, most likely


def _sampled(function: Any, call: dict[str, Any], number: int, sizes: str) -> dict[str, Any]:
    """The result type of sample call 0 or 1."""
    samples = Samples(call, number, sizes)
    positional = [samples.of(argument) for argument in call["arguments"]]
    keywords = {name: samples.of(argument) for name, argument in call["keywords"].items()}
    # Draws from a RandomState of its own, not from the global one of numpy.random.
    old = _RANDOM.get(call["name"], call["name"].removeprefix("numpy.random."))
    if call["name"].startswith("numpy.random.") and hasattr(np.random.RandomState, old):
        function = getattr(np.random.RandomState(number), old)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        holder = [function(*positional, **keywords)]
    if samples.things and _is_kept(holder, 0):
        if type(holder[0]) is not np.ndarray:
            raise NoSamples("it returns arrays that the object keeps")
        return _object(holder[0])  # a store to it changes the object
    return samples.describe(holder[0])


def _is_kept(holder: Any, k: int) -> bool:
    """Whether others than this list or tuple have a reference to its item, an array or arrays."""
    if type(holder[k]) is np.ndarray:
        fresh, view = [np.empty(0)], [np.empty(1)[:]]
        own, references = _references(holder, k)
        expected = _references(fresh if own else view, 0)[1]
        owners = [_owner(item) for item in holder]  # one may own several items
        within = sum(owner is owners[k] for owner in owners) - 1
        del owners
        return any(mine > its + within for mine, its in zip(references, expected, strict=True))
    if type(holder[k]) not in (tuple, list) or np.ndarray not in map(type, holder[k]):
        return False
    other: list[Any] = [[None]]
    if sys.getrefcount(holder[k]) > sys.getrefcount(other[0]):
        return True
    return any(_is_kept(holder[k], i) for i in range(len(holder[k])))


def _references(holder: Any, k: int) -> tuple[bool, tuple[int, int]]:
    """Whether an array owns its memory; its reference count, and its owner's."""
    array = holder[k]
    owner = _owner(array)
    return owner is array, (sys.getrefcount(array), sys.getrefcount(owner))


def _object(result: Any) -> dict[str, Any]:
    number, _ = kind_of(result)
    return {"object": kind_name(number), "sample": number}


def _record(named: Any) -> str:
    """A class of named tuples, encoded as in capture/record_classes.h."""
    fields = getattr(named, "_fields", None)
    if fields is None:
        raise NoSamples(f"it returns an object of class {named.__name__}")
    if named not in records:
        records.append(named)
    return " ".join([str(records.index(named)), named.__name__, *fields])


class PyFunc:
    """A Python function that compiled code calls without compiling it: see `pyfunc`."""

    def __init__(self, function: Callable[..., Any], result: Any, path: str = "") -> None:
        """`path`: where it is found in any process; the result depends on the arguments alone."""
        self.function = function
        self.result = result
        self.is_pure = bool(path)
        self.__doc__ = function.__doc__
        if path:
            self._called = path
            return
        name = getattr(function, "__qualname__", type(function).__name__).replace(" ", "")
        self._called = f"pyfunc:{len(pyfuncs)}:{name}"
        pyfuncs.append(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<shapecast.pyfunc of {self.function!r}>"


def pyfunc(function: Callable[..., Any] | None = None, /, *, result: Any = ...) -> Any:
    """Makes a function that jitted functions call in Python instead of compiling it.

    Args:
        function: Any callable. It is called under the interpreter lock.
        result: What it returns: `float`, `int`, `bool`, `complex`, `str`, None, a NumPy scalar type
            (`np.float64`), an annotation of an array (`shapecast.typing.Float64["n m"]`; its dtype
            and number of dimensions count), or a tuple of these. Without it the function is called
            twice with samples of the arguments' types when its caller is compiled. What it returns
            is checked at each call.

    Returns:
        A callable that behaves like the function; without `function` a decorator.

    Raises:
        UnsupportedError: When its caller runs, the result is of another type than `result`.

    Examples:
        >>> prices = {"tea": 3.0, "milk": 1.25}
        >>> @shapecast.pyfunc(result=float)
        ... def price(name):
        ...     return prices[name]
        >>> @jit
        ... def cost(name, amounts):
        ...     return price(name) * amounts.sum()
        >>> cost("milk", np.array([2, 4]))
        np.float64(7.5)
    """
    if function is None:
        return lambda function: PyFunc(function, result)
    return PyFunc(function, result)


def _declared(result: Any) -> dict[str, Any]:
    """The result type that the user has declared."""
    if result is None or result is type(None):
        return {}
    if result in (bool, int, float, complex, str):
        return {"python": result.__name__}
    if isinstance(result, tuple):
        return {"tuple": [_declared(item) for item in result]}
    if isinstance(result, ArrayAnnotation):
        if len(result.dtypes) != 1 or any(dim.startswith(("...", "*")) for dim in result.dims):
            raise NoSamples(f"result={result} leaves the dtype or the number of dimensions open")
        return {"array": result.dtypes[0], "dims": [None] * len(result.dims)}
    if isinstance(result, type) and issubclass(result, np.generic):
        return {"scalar": str(np.dtype(result))}
    raise NoSamples(f"result={result!r} is neither a number's type nor an array's annotation")


def _constant(function: PyFunc, call: dict[str, Any]) -> dict[str, Any] | None:
    """Its result where that is known when its caller is compiled."""
    given = call["arguments"]
    if not function.is_pure or not all("value" in a or a.get("static") == "str" for a in given):
        return None
    samples = Samples(call, 0, "distinct")
    try:
        return {"value": _plain(function(*map(samples.of, given)))}
    except Exception:  # as the call will
        return None


class Samples:
    """Sample arguments for one call, and the names of their sizes."""

    # All different; the real ones, where small ones do not fit together; those of the arrays that
    # are opaque to compiled code.
    SIZES = ("distinct", "seen", "alike")

    def __init__(self, call: dict[str, Any], number: int, sizes: str) -> None:
        self.number = number  # of the call, 0 or 1
        self.mode = sizes
        self.distinct = sizes == "distinct"
        self.arrays: list[Any] = []
        self.things: list[Any] = []  # opaque objects
        self.opaque: list[Any] = []  # those of them that are arrays or records
        dims = dict(_dims([call["arguments"], call["keywords"]]))
        fixed = {text: self._fixed(text, seen) for text, seen in dims.items()}
        groups = sorted({self._group(*dim) for dim in dims.items() if fixed[dim[0]] is None})
        small: tuple[int, ...] = _SIZES[number]
        if sizes == "alike":
            small = (_opaque_size([call["arguments"], call["keywords"]]),) * len(groups)
        if len(groups) > len(small):
            raise NoSamples(f"its arguments have more than {len(small)} different sizes")
        chosen = dict(zip(groups, small, strict=False))
        self.sizes: dict[str, int] = {}
        for text, seen in dims.items():
            known = fixed[text]
            self.sizes[text] = chosen[self._group(text, seen)] if known is None else known
        self.names = {size: text for text, size in reversed(self.sizes.items())}

    def _fixed(self, text: str, seen: int | None) -> int | None:
        if text.isdigit():
            return int(text)
        if seen == 1 or (seen is not None and self.mode == "seen"):
            return seen
        return None

    @staticmethod
    def _group(text: str, seen: int | None) -> tuple[int, str]:
        return (seen, "") if seen is not None else (1 << 62, text)

    def of(self, argument: dict[str, Any]) -> Any:
        if "object" in argument:
            thing = copy.deepcopy(_samples[argument["object"]])
            if self.distinct and type(thing) is np.ndarray and thing.size and thing.ndim < 3:
                # enough items for the indices in other samples
                thing = np.resize(thing, [16] * thing.ndim)
            self.things.append(thing)
            if isinstance(thing, (np.ndarray, np.void)):
                self.opaque.append(thing)
            return thing
        if "array" in argument:
            return self._array(argument)
        if "scalar" in argument:
            return np.dtype(argument["scalar"]).type(2 + self.number)
        if "python" in argument:
            return self._number(argument)
        if "made" in argument:
            raise NoSamples("an argument is a string or an exception made at run time")
        if "static" in argument:
            return _static(argument["static"], argument["text"])
        ((kind, items),) = argument.items()
        values = [self.of(item) for item in items]
        return values if kind == "list" else tuple(values) if kind == "tuple" else (
            slice(*values) if kind == "slice" else range(*values)
        )  # fmt: skip

    def _number(self, argument: dict[str, Any]) -> Any:
        kind = argument["python"]
        known = argument.get("value", argument.get("seen"))
        if kind == "str":
            raise NoSamples("an argument is a string that is known only at run time")
        if known is not None:
            return {"bool": bool, "int": int, "float": float}[kind](known)
        usual = {"bool": True, "int": 2 + self.number, "float": 0.5, "complex": 0.5 + 0.25j}
        return usual[kind]

    def _array(self, argument: dict[str, Any]) -> Any:
        shape = tuple(self.sizes[text] for text, _ in argument["dims"])
        count = math.prod(shape)
        if count > _MAX_ELEMENTS:
            raise NoSamples("its arguments are too large for samples")
        dtype = np.dtype(argument["array"])
        steps = np.arange(count).reshape(shape)
        if dtype.kind == "b":
            values = (steps + self.number) % 2 == 0
        elif dtype.kind in "iu":
            values = steps % 4 + 1 + self.number  # indices into any of the samples
            if self.number and self.distinct and count > 2:
                values.flat[-1] = values.flat[-2]  # some are equal
        elif len(shape) > 1 and shape[-1] == shape[-2]:  # symmetric, positive definite
            n = shape[-1]
            near = np.arange(n)
            square = 1 / (1.5 + self.number + near[:, None] + near) + (n + 1) * np.eye(n)
            values = np.broadcast_to(square, shape)
        else:
            values = 0.3 + (steps + 0.5 + self.number) / (count + 1)
            if self.number and self.distinct and count > 2:
                values.flat[-1] = values.flat[-2]
        array = np.array(values, dtype=dtype, order="F" if argument["layout"] == "F" else "C")
        if argument["layout"] in ("inner", "strided") and array.ndim:
            wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), dtype)[..., ::2]
            wide[...] = array
            array = wide
        self.arrays.append(array)
        return array

    def describe(self, result: Any) -> dict[str, Any]:
        if type(result) is np.ndarray and any(_is_view(result, o) for o in self.opaque):
            # A field of a structured array, say: a store to it changes the object.
            return _object(result)
        if type(result) is np.ndarray and str(result.dtype) in _DTYPES and result.dtype.isnative:
            if any(_is_view(result, given) for given in self.arrays):
                raise NoSamples("it returns a view of its argument")
            dims = [self.names.get(n) if self.distinct and n > 1 else None for n in result.shape]
            return {"array": str(result.dtype), "dims": dims}
        if isinstance(result, np.generic) and str(result.dtype) in _DTYPES:
            return {"scalar": str(result.dtype)}
        if type(result) in (bool, int, float, complex, str):
            return {"python": type(result).__name__}
        if result is None:
            return {}
        if isinstance(result, tuple) or type(result) is list:
            kind = "list" if type(result) is list else "tuple"
            described: dict[str, Any] = {kind: [self.describe(item) for item in result]}
            if type(result) not in (tuple, list):
                described["record"] = _record(type(result))
            return described
        if type(result) is np.ndarray and any(_is_view(result, given) for given in self.arrays):
            # of a dtype that compiled code does not know
            raise NoSamples("it returns a view of its argument")
        if result is NotImplemented or isinstance(result, Iterator):
            raise NoSamples(f"it returns an object of class {type(result).__name__}")
        return _object(result)


def _owner(array: Any) -> Any:
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


def _is_view(result: Any, given: Any) -> bool:
    # An empty view shares no memory, but is one.
    return np.may_share_memory(result, given) or _owner(result) is _owner(given)


def common_type(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """The type of both results."""
    if first.keys() != second.keys():
        raise NoSamples("the type of its result depends on values")
    common: dict[str, Any] = {}
    for key, value in first.items():
        other = second[key]
        if key == "dims" and len(value) == len(other):
            common[key] = [a if a == b else None for a, b in zip(value, other, strict=True)]
        elif key in ("tuple", "list"):
            if len(value) != len(other):
                raise NoSamples("the number of its results depends on sizes")
            common[key] = [common_type(a, b) for a, b in zip(value, other, strict=True)]
        elif key == "sample":
            common[key] = value
        elif value != other:
            raise NoSamples("the type of its result depends on values")
        else:
            common[key] = value
    return common


def _dims(described: Any) -> Iterator[Any]:
    if isinstance(described, dict):
        yield from described.get("dims", ())
        described = [value for key, value in described.items() if key != "dims"]
    if isinstance(described, list):
        for item in described:
            yield from _dims(item)


def _opaque_size(described: Any) -> int:
    """The size of the last axis of the first sample that is an array."""
    if isinstance(described, dict):
        sample = _samples[described["object"]] if "object" in described else None
        if isinstance(sample, np.ndarray) and sample.ndim:
            return int(sample.shape[-1])
        described = list(described.values())
    if isinstance(described, list):
        return next((size for item in described if (size := _opaque_size(item))), 0)
    return 0


def _static(kind: str, text: str) -> Any:
    if kind == "none" or kind == "newaxis":
        return None
    if kind == "str":
        return text
    if kind == "ellipsis":
        return ...
    if kind == "module":
        return named(f"module {text}")
    if text == OF_VALUES:
        raise NoSamples("an argument is an object that compiled code only passes on")
    return dtype_of(text) if kind == "dtype" and "." not in text else named(text)


# Attributes of exceptions that compiled code catches: `e.item`, `e.args`. Samples are made of what
# the captured code makes, of the classes that the handler catches.
_NOT_READ = ("__traceback__", "__cause__", "__context__", "__dict__", "__notes__")
_WAY_OUT = "compute it before the 'raise', or catch the exception outside of the jitted function"


class _Unknown:
    """A value of which nothing but its place is known."""


class _Many(list[Any]):
    """A list whose length is known at run time only."""


class _ArgumentSamples(Samples):
    def __init__(self, call: dict[str, Any], number: int, sizes: str) -> None:
        super().__init__(call, number, sizes)
        self.instances: list[Any] = []

    def of(self, argument: dict[str, Any]) -> Any:
        if "many" in argument:  # of two lengths
            return _Many(self.of(argument["many"]) for _ in range(2 + self.number))
        if argument.get("python") == "str":
            return ("some", "other")[self.number]
        if "instance" in argument:
            return self.instance(argument)
        return _Unknown() if "made" in argument else super().of(argument)

    def instance(self, argument: dict[str, Any]) -> Any:
        """One of that class, whose __init__ does not run."""
        kind = records[int(argument["instance"])]
        values = {name: self.of(one) for name, one in argument["attributes"]}
        if issubclass(kind, tuple):
            made: Any = tuple.__new__(kind, values.values())
        else:
            made = object.__new__(kind)
            for name, value in values.items():
                object.__setattr__(made, name, value)
        self.instances.append(made)
        return made

    def describe(self, result: Any) -> dict[str, Any]:
        is_given = any(result is one for one in self.instances)
        if is_given or isinstance(result, _Unknown | BaseException):
            raise NoSamples("it is an object that compiled code does not know")
        if isinstance(result, _Many):
            return {"many": self.describe(result[0])}
        return super().describe(result)


def _of_exception(call: dict[str, Any]) -> dict[str, Any]:
    """The type of the attribute `call["attribute"]` as an answer of the probe.

    `call["classes"]`: what the handler catches; `call["made"]`: pairs of a class and a description
    of the arguments that it is called with; `call["called"]`: the same of a method.
    """
    name, called_as_method = call["attribute"], bool(call.get("called"))
    shown = f"the attribute '{name}' of an exception that is caught"
    if name in _NOT_READ:
        return {"error": f"{shown} is not supported; {_WAY_OUT}"}
    caught = tuple(map(named, call["classes"].split()))
    made = [(named(path), given) for path, given in call["made"]]
    made = [(kind, given) for kind, given in made if issubclass(kind, caught)]
    if not made:  # those of Python itself
        text = {"arguments": [{"python": "str"}], "keywords": {}}
        made = [(kind, text) for kind in caught]
    found: list[dict[str, Any]] = []
    for kind, given in made:
        for number in (0, 1):
            try:
                found += _of_sample(kind, given, number, name, call.get("called"))
            except NoSamples as problem:
                return {"error": f"{shown} is not supported: {problem}; {_WAY_OUT}"}
    if not found:
        given_to = [one for _, given in made for one in given["arguments"]]
        unknown = [one[key] for one in given_to for key in ("made", "named") if key in one]
        if unknown:
            why = f"it was made of {unknown[0]}"
            return {"error": f"{shown} is not supported here, since {why}; {_WAY_OUT}"}
        return {"never": True}
    joined = _joined(found)
    if any('"many"' in json.dumps([*one.values()]) for one in joined):
        return {"error": f"{shown} has a list of unknown length in it; {_WAY_OUT}"}
    if len(joined) > 1 and (called_as_method or not _are_told_apart(joined)):
        return {"error": f"{shown} has several types; {_WAY_OUT}"}
    if called_as_method and "many" in joined[0]:
        return {"error": f"{shown} is a list of unknown length; {_WAY_OUT}"}
    return joined[0] if len(joined) == 1 else {"union": joined}


def _joined(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The types, each once; lists of different lengths are one of any length."""
    joined: list[dict[str, Any]] = []
    for one in found:
        for k, known in enumerate(joined):
            try:
                joined[k] = common_type(known, one)
                break
            except NoSamples:
                items = [
                    *known.get("list", [known.get("many")]),
                    *one.get("list", [one.get("many")]),
                ]
                if None not in items and all(item == items[0] for item in items):
                    joined[k] = {"many": items[0]}
                    break
        else:
            joined.append(one)
    return joined


def _are_told_apart(forms: list[dict[str, Any]]) -> bool:
    """Whether `_objects.attribute_form` knows values of these types by their classes."""
    kinds = [next(iter(form), "") for form in forms]
    classes = {
        form["python"] if "python" in form else kinds[k].replace("many", "list")
        for k, form in enumerate(forms)
    }
    known = {"", "python", "many", "list", "tuple"}
    return known.issuperset(kinds) and len(classes) == len(forms) <= 4


def _of_sample(
    kind: Any, given: dict[str, Any], number: int, name: str, called: dict[str, Any] | None
) -> list[dict[str, Any]]:
    """Its type, or nothing where a sample has no such attribute or cannot be made."""
    samples = _ArgumentSamples(given, number, "distinct")
    arguments = [samples.of(one) for one in given["arguments"]]
    keywords = {key: samples.of(one) for key, one in given["keywords"].items()}
    others = _ArgumentSamples(called, number, "distinct") if called else None
    more = [others.of(one) for one in called["arguments"]] if called and others else []
    try:
        value = getattr(kind(*arguments, **keywords), name)
        value = value(*more) if called else value
    except Exception:
        return []
    return [samples.describe(value)]
