"""Annotations of arrays, in jaxtyping's spelling, which a jitted function checks and makes use of.

>>> from shapecast.typing import Array, Float64
>>> @jit
... def scaled(x: Float64["n m"], w: Float64["m"], out: Array["...", "2*m"]): ...

`Float64[numpy.ndarray, "n m"]` is the same, and what static type checkers understand. A dimension
is a number, a name, an expression over names (`2*k+1`), `_` for any size, `...` for any number of
dimensions, or `*batch` for some that are named together. A name is one size in all arguments.
Arguments that do not fit raise TypeError (dtype, or no array) or `shapecast.ShapeError`. The
function that is called checks; functions that it calls, and `*args`, are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

if TYPE_CHECKING:
    from types import CellType, FunctionType

_SIGNED = ("int8", "int16", "int32", "int64")
_UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
_FLOAT = ("float16", "float32", "float64")
_COMPLEX = ("complex64", "complex128")
_INTEGER = _SIGNED + _UNSIGNED

_DTYPES: dict[str, tuple[str, ...]] = {
    "Array": (),  # any
    "Shaped": (),
    "Num": _INTEGER + _FLOAT + _COMPLEX,
    "Real": _INTEGER + _FLOAT,
    "Inexact": _FLOAT + _COMPLEX,
    "Float": _FLOAT,
    "Complex": _COMPLEX,
    "Integer": _INTEGER,
    "Int": _SIGNED,
    "UInt": _UNSIGNED,
    "Bool": ("bool",),
    "Int8": ("int8",),
    "Int16": ("int16",),
    "Int32": ("int32",),
    "Int64": ("int64",),
    "UInt8": ("uint8",),
    "UInt16": ("uint16",),
    "UInt32": ("uint32",),
    "UInt64": ("uint64",),
    "Float16": ("float16",),
    "Float32": ("float32",),
    "Float64": ("float64",),
    "Complex64": ("complex64",),
    "Complex128": ("complex128",),
}


class ArrayAnnotation:
    """What an annotation says of an array: dtypes (none: any) and dimensions."""

    __slots__ = ("dims", "dtypes", "optional", "text")

    def __init__(
        self, text: str, dtypes: tuple[str, ...], dims: tuple[str, ...], optional: bool = False
    ) -> None:
        self.text = text
        self.dtypes = dtypes
        self.dims = dims
        self.optional = optional

    def __or__(self, other: Any) -> Any:
        """`| None` allows None; together with any other type nothing is checked."""
        if other is None or other is type(None):
            return ArrayAnnotation(f"{self.text} | None", self.dtypes, self.dims, optional=True)
        return Any

    __ror__ = __or__

    def __repr__(self) -> str:
        return self.text

    def __call__(self, *_: Any) -> None:
        """Only so that typing.get_type_hints takes it for a type."""
        raise TypeError(f"{self.text} is an annotation, not a class")


class _Spelling:
    """`Float64`, which makes an annotation of the text in brackets."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"shapecast.typing.{self.name}"

    def __getitem__(self, given: Any) -> ArrayAnnotation:
        parts = list(given) if isinstance(given, tuple) else [given]
        if len(parts) > 1 and not isinstance(parts[0], (str, int)):
            del parts[0]  # the class of the array
        if not all(isinstance(part, (str, int)) for part in parts):
            raise TypeError(f"{self.name}[...] takes the dimensions as text, not {given!r}")
        dims = tuple(str(parts[0]).split()) if len(parts) == 1 else tuple(map(str, parts))
        text = f"{self.name}[{', '.join(repr(part) for part in parts)}]"
        return ArrayAnnotation(text, _DTYPES[self.name], dims)


if TYPE_CHECKING:
    Array = Shaped = Num = Real = Inexact = Float = Complex = Integer = Int = UInt = Annotated
    Bool = Int8 = Int16 = Int32 = Int64 = UInt8 = UInt16 = UInt32 = UInt64 = Annotated
    Float16 = Float32 = Float64 = Complex64 = Complex128 = Annotated
else:
    globals().update({name: _Spelling(name) for name in _DTYPES})

__all__ = sorted(_DTYPES)


def _annotation(given: Any) -> ArrayAnnotation | None:
    """The annotation, if it is one of ours or of jaxtyping's."""
    if isinstance(given, ArrayAnnotation):
        return given
    alternatives = get_args(given) if get_origin(given) is Union else ()
    others = [of for of in alternatives if of is not type(None)]
    if len(others) == 1 and len(others) < len(alternatives):  # Optional[Float64["n"]]
        own = _annotation(others[0])
        return None if own is None else own | None
    dims, dtypes = getattr(given, "dim_str", None), getattr(given, "dtypes", None)
    if not isinstance(dims, str):
        return None
    known = tuple(dtypes) if isinstance(dtypes, (list, tuple)) else ()
    return ArrayAnnotation(f"{getattr(given, '__name__', given)}", known, tuple(dims.split()))


def _closure(function: FunctionType) -> dict[str, Any]:
    """What the function's text may name besides globals, as far as it has a value."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells if _has_value(cell)}


def _has_value(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _dimension(text: str, place: str) -> Any:
    """A dimension as `read` gives it."""
    from .shape_rules import Scope

    if any(character in text for character in "#?{}"):
        raise ValueError(
            f"{place}: {text!r} is not supported: sizes that broadcast, trees, f-strings"
        )
    if text == "..." or text.startswith("*"):
        return text
    if text.startswith("_") and text.isidentifier():
        return None  # any size, named or not
    try:
        return Scope()._dim(text.rpartition("=")[2])  # jaxtyping's "rows=2"
    except ValueError as error:
        raise ValueError(f"{place}: {error} (it is written without blanks)") from None


def _annotations(function: FunctionType) -> Iterator[tuple[str, ArrayAnnotation, bool]]:
    """Parameters with an annotation of an array, and whether it may be None."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = zip(reversed(names), reversed(function.__defaults__ or ()), strict=False)
    absent = {name for name, default in defaults if default is None}
    absent |= {name for name, value in (function.__kwdefaults__ or {}).items() if value is None}
    for name, given in function.__annotations__.items():
        if isinstance(given, str):
            try:
                given = eval(given, function.__globals__, _closure(function))
            except Exception:  # a name that exists for type checkers only, as Python allows
                continue
        annotation = _annotation(given)
        if annotation is not None and name != "return":
            yield name, annotation, annotation.optional or name in absent


def described(function: FunctionType) -> str:
    """All that `read` goes by."""
    return repr([(n, a.text, a.dtypes, a.dims, o) for n, a, o in _annotations(function)])


def read(function: FunctionType) -> dict[str, tuple[str, tuple[str, ...], list[Any], bool]]:
    """Parameters with an annotation of an array: its text, dtypes, dimensions, may it be None.

    A dimension is an int, a `shape_rules.Dim`, None for any size, or text: "..." or "*name".
    """
    found = {}
    for name, annotation, optional in _annotations(function):
        place = f"parameter {name!r} of {function.__name__}(): {annotation.text}"
        dims = [_dimension(dim, place) for dim in annotation.dims]
        if sum(isinstance(dim, str) for dim in dims) > 1:
            raise ValueError(f"{place} has more than one '...' or '*name'")
        found[name] = (annotation.text, annotation.dtypes, dims, optional)
    return found
