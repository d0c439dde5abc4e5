"""Annotations of arrays, in jaxtyping's syntax, which a jitted function checks and assumes.

| name | dtypes |
|---|---|
| `Array`, `Shaped` | any |
| `Num` | integers, floats and complex numbers |
| `Real` | integers and floats |
| `Inexact` | floats and complex numbers |
| `Integer`, `Int`, `UInt` | all integers; signed; unsigned |
| `Float`, `Complex` | float16 to float64; complex64 and complex128 |
| `Bool` | bool |
| `Int8` `Int16` `Int32` `Int64` | of this name |
| `UInt8` `UInt16` `UInt32` `UInt64` | of this name |
| `Float16` `Float32` `Float64` | of this name |
| `Complex64` `Complex128` | of this name |

>>> from shapecast import jit
>>> from shapecast.typing import Array, Float64
>>> @jit
... def scaled(x: Float64["n m"], w: Float64["m"], out: Array["...", "2*m"]):
...     out[:] = 0
...     return x * w
>>> scaled.infer(("n", "m"), ("m",), ("k", "2*m"))
float64[n, m]

`Float64[numpy.ndarray, "n m"]` is the same, and is valid for static type checkers. A dimension
is a number, a name, an expression over names (`2*k+1`), `_` for any size, `...` for any number of
dimensions, or `*batch` for several under one name. A name is one size in all arguments.
Arguments that do not match raise TypeError (dtype, or no array) or `shapecast.ShapeError`. Only the
function that Python calls checks them, not functions that it calls, and not `*args`.
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
    """The dtypes (none: any) and dimensions of an annotated array."""

    __slots__ = ("dims", "dtypes", "optional", "text")

    def __init__(
        self, text: str, dtypes: tuple[str, ...], dims: tuple[str, ...], optional: bool = False
    ) -> None:
        self.text = text
        self.dtypes = dtypes
        self.dims = dims
        self.optional = optional

    def __or__(self, other: Any) -> Any:
        """`| None` allows None; a union with any other type is not checked."""
        if other is None or other is type(None):
            return ArrayAnnotation(f"{self.text} | None", self.dtypes, self.dims, optional=True)
        return Any

    __ror__ = __or__

    def __repr__(self) -> str:
        return self.text

    def __call__(self, *_: Any) -> None:
        """Only so that typing.get_type_hints accepts it as a type."""
        raise TypeError(f"{self.text} is an annotation, not a class")


class _ArrayType:
    """`Float64`: subscripting it with a text makes an annotation."""

    def __init__(self, name: str) -> None:
        self.name = name
        dtypes = ", ".join(_DTYPES[name]) or "any dtype"
        # inspect.cleandoc takes the indentation away, as of any docstring.
        self.__doc__ = f"""Annotates an array of {dtypes}: `{name}["n m"]`.

        Args:
            dims: The dimensions, as a text: numbers, names, expressions over names (`2*k+1`), `_`,
                `...` and `*batch`. Before them may be the class of the array.

        Returns:
            An annotation. A call whose argument does not fit raises TypeError (dtype, or no array)
                or `shapecast.ShapeError`.

        Raises:
            TypeError: The dimensions are not a text.

        Examples:
            >>> shapecast.typing.{name}["n m"], shapecast.typing.{name}[np.ndarray, "n m"]
            ({name}['n m'], {name}['n m'])
        """

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
    globals().update({name: _ArrayType(name) for name in _DTYPES})

__all__ = sorted(_DTYPES)


def _annotation(given: Any) -> ArrayAnnotation | None:
    """The annotation, if it is of this module or of jaxtyping."""
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
    """The closure variables of the function that have a value."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells if _has_value(cell)}


def _has_value(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _dimension(text: str, where: str) -> Any:
    """A dimension as `read` returns it."""
    from .shape_rules import Scope

    if any(character in text for character in "#?{}"):
        raise ValueError(
            f"{where}: {text!r} is not supported (jaxtyping's '#', '?' and f-strings); "
            "write sizes, names, _ or ..."
        )
    if text == "..." or text.startswith("*"):
        return text
    if text.startswith("_") and text.isidentifier():
        return None  # any size, named or not
    try:
        return Scope()._dim(text.rpartition("=")[2])  # jaxtyping's "rows=2"
    except ValueError as error:
        raise ValueError(f"{where}: {error} (write it without blanks)") from None


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


def annotations_text(function: FunctionType) -> str:
    """All that the result of `read` depends on."""
    return repr([(n, a.text, a.dtypes, a.dims, o) for n, a, o in _annotations(function)])


def read(function: FunctionType) -> dict[str, tuple[str, tuple[str, ...], list[Any], bool]]:
    """Parameters with an annotation of an array: its text, dtypes, dimensions, whether optional.

    A dimension is an int, a `shape_rules.Dim`, None for any size, or text: "..." or "*name".
    """
    found = {}
    for name, annotation, optional in _annotations(function):
        where = f"parameter {name!r} of {function.__name__}(): {annotation.text}"
        dims = [_dimension(dim, where) for dim in annotation.dims]
        if sum(isinstance(dim, str) for dim in dims) > 1:
            raise ValueError(f"{where} has more than one '...' or '*name'")
        found[name] = (annotation.text, annotation.dtypes, dims, optional)
    return found
