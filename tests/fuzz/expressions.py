"""Random expressions over the variables of a scope.

NumPy itself is the type checker: every variable has a sample value, a text is evaluated over the
samples, and what raises is drawn again. So no rule of NumPy is written down here, only what would
make a comparison bit for bit meaningless: sums of inexact numbers, casts of huge floats to
integers, the sign of the zero that a maximum returns.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from fuzz.choices import Chooser

# A Python number on one path and a NumPy number on the other, in percent of the joins
# of numbers.
MIXED_NUMBERS = 15
INTEGER_CASTS = ["int64", "int32", "int8", "uint8", "uint16", "uint64"]
FLOAT_CASTS = ["float64", "float32", "float16"]
SLICES = [
    ":", ":", "1:", ":-1", "::-1", "::2", "1::2", "::-2", "1:-1", "-2:", ":2", "2:0:-1", "-1:0:-2",
    ":3",
    "3:", "0:0", "-9:9",
]  # fmt: skip


class Typed(NamedTuple):
    text: str
    value: Any


class Family(NamedTuple):
    """What a module of its own adds to programs, with weights: statements, those among them that
    hold others, and expressions that give arrays; text in front of the functions, parameters of
    its own, and what is done to the text of the whole program.
    """

    simple: list[tuple[int, Callable[[Any], list[str]]]] = []
    blocks: list[tuple[int, Callable[[Any], list[str]]]] = []
    arrays: list[tuple[int, Callable[[Any], str | None]]] = []
    header: Callable[[Chooser], str] | None = None
    parameters: Callable[[Chooser], list[Any]] | None = None
    rewrite: Callable[[Chooser, str], str] | None = None


def kind_of(value: Any) -> tuple:
    """What must not change where paths join: types, dtypes and ranks; sizes may."""
    if isinstance(value, np.ndarray):
        return ("array", repr(value.dtype), value.ndim, value.flags.writeable)
    if isinstance(value, (np.void, np.datetime64, np.timedelta64)):
        return (type(value).__name__, repr(value.dtype))
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, *(kind_of(item) for item in value))
    if isinstance(value, dict):
        return ("dict", *((key, kind_of(item)) for key, item in value.items()))
    return (type(value).__name__,)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number, np.bool_)) and not isinstance(
        value, (np.complexfloating, np.timedelta64)
    )


def is_array(value: Any) -> bool:
    """Of numbers: what holds records, strings or dates is for its own family."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "biufc"


def is_exact(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "biu"


def atom(text: str) -> str:
    """The text as an operand."""
    simple = text.replace("_", "").replace(".", "").isalnum()
    return text if simple or (text.endswith(")") and text[:3] == "np.") else f"({text})"


class Expressions:
    """Makes expressions over `live` names; `env` holds their samples, and everything else there."""

    def __init__(self, choose: Chooser, env: dict[str, Any]) -> None:
        self.choose = choose
        self.env = env
        self.live: list[str] = []
        # Arrays whose order in memory is NumPy's: reshapes of others may differ (README, limits).
        self.laid: set[str] = set()
        # Loop variables and the largest value that each can have.
        self.bounds: dict[str, int] = {}
        self.helpers: list[str] = []
        self.families: list[Family] = []

    # -- evaluating with NumPy

    def evaluate(self, text: str) -> Typed | None:
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                value = eval(text, self.env)
        except Exception:
            return None
        # What grows without bound is not worth a test.
        if is_array(value) and (value.size > 200 or value.dtype == object):
            return None
        if isinstance(value, int) and abs(value) > 2**40:
            return None
        return Typed(text, value)

    def attempt(
        self, make: Callable[[], str | None], accept: Callable[[Any], bool] = lambda value: True
    ) -> Typed | None:
        for _ in range(6):
            text = make()
            made = None if text is None else self.evaluate(text)
            if made is not None and accept(made.value):
                return made
        return None

    def names(self, accept: Callable[[Any], bool]) -> list[str]:
        return [name for name in self.live if accept(self.env[name])]

    # -- indices and views

    def index(self, extent: int, array: str, axis: int) -> str:
        """An index that is mostly within bounds."""
        choose = self.choose
        inside = [
            name for name, bound in self.bounds.items() if bound < extent and name in self.live
        ]
        forms = [str(choose.integer(-extent, extent - 1)) if extent else "0"]
        if inside:
            name = choose.pick(inside)
            forms += [name, name, name, f"{name} - 1", f"-{name} - 1", f"-{name}"]
        integers = self.names(lambda v: type(v) is int)
        if integers:
            size = f"{array}.shape[{axis}]" if array.isidentifier() else str(max(extent, 1))
            forms.append(f"{choose.pick(integers)} % {size}")
        return choose.pick(forms)

    def bound(self) -> str:
        """An end of a slice known at run time only."""
        integers = self.names(lambda v: type(v) is int)
        if not integers:
            return ""
        name = self.choose.pick(integers)
        return self.choose.pick([name, f"{name} + 1", f"-{name}", f"{name} - 1"])

    def slice(self) -> str:
        choose = self.choose
        if choose.percent(80):
            return choose.pick(SLICES)
        return f"{self.bound()}:{self.bound()}{choose.pick(['', '', '', ':2', ':-1'])}"

    def subscript(self, array: str, value: np.ndarray, *, stored: bool = False) -> str:
        """The subscript of a view."""
        choose, parts = self.choose, []
        for axis in range(choose.integer(min(1, value.ndim), value.ndim)):
            item = choose.percent(35)
            parts.append(self.index(value.shape[axis], array, axis) if item else self.slice())
        if not stored and choose.percent(10):
            parts.insert(choose.integer(0, len(parts)), "None")
        if len(parts) < value.ndim and choose.percent(20):
            parts.append("...")
        elif not parts:
            parts.append("...")
        return ", ".join(parts)

    def items(self, array: str, value: np.ndarray) -> str:
        """The subscript of one element."""
        parts = [self.index(n, array, axis) for axis, n in enumerate(value.shape)]
        return ", ".join(parts) or "()"

    def view(self) -> str | None:
        """A view of an array variable, or of a view of one."""
        choose = self.choose
        arrays = self.names(is_array)
        if not arrays:
            return None
        text = choose.pick(arrays)
        laid = text in self.laid
        for _ in range(choose.weighted([(6, 1), (2, 2), (1, 3)])):
            base = self.evaluate(text)
            if base is None or not is_array(base.value):
                return text
            text = self._view_of(base, laid)
        return text

    def _view_of(self, base: Typed, laid: bool) -> str:
        choose, (text, value) = self.choose, base
        forms = [f"{text}[{self.subscript(text, value)}]"] * 6 + [f"{text}.T", f"{text}[...]"]
        if value.ndim:
            axis = choose.integer(-value.ndim, value.ndim - 1)
            forms += [f"np.flip({text}, {axis})", f"np.expand_dims({text}, {axis})"]
            forms += [f"{text}.real", f"{text}[..., None]", f"{text}[None]"]
        if value.ndim > 1:
            forms += [
                f"{text}.swapaxes(0, -1)",
                f"{text}.transpose()",
                f"np.moveaxis({text}, 0, -1)",
            ]
            forms += [f"{text}.T", f"{text}.diagonal()"]
        source = text if laid else f"{text}.copy()"
        forms += [f"{source}.reshape(-1)", f"{source}.ravel()"]
        if value.ndim > 1:
            shape = list(value.shape[::-1])
            shape[choose.integer(0, len(shape) - 1)] = -1
            forms.append(f"{source}.reshape({', '.join(map(str, shape))})")
            forms.append(f"{source}.reshape({text}.shape[1], -1)")
        elif value.size and value.size % 2 == 0:
            forms += [f"{source}.reshape(2, -1)", f"{source}.reshape(-1, 2)"]
        return choose.pick(forms)

    # -- numbers

    def constant(self) -> str:
        choose = self.choose
        whole = choose.integer(0, 7)
        return choose.weighted([
            (6, str(whole)), (3, f"{whole}.5"), (1, f"-{whole}"), (1, f"np.int32({whole})"),
            (1, f"np.float32({whole}.25)"), (1, "True"), (1, f"np.int64({whole})"),
        ])  # fmt: skip

    def number(self, depth: int = 2) -> str:
        """A real number, Python's or NumPy's."""
        choose = self.choose
        names = self.names(is_number)
        arrays = self.names(is_array)
        if depth <= 0 or choose.percent(25):
            return choose.pick(names) if names and choose.percent(75) else self.constant()
        makers: list[tuple[int, Callable[[], str | None]]] = [
            (5, lambda: self._arithmetic(depth)),
            (2, lambda: self._number_function(depth)),
            (1, lambda: self._conditional(depth)),
        ]
        if arrays:
            makers += [(5, self.item), (3, lambda: self.reduction(None)), (1, self._extent)]
        if self.helpers:
            makers.append((1, lambda: self.helper_call(is_number)))
        made = self.attempt(choose.weighted(makers), is_number)
        return self.constant() if made is None else self._bounded(made)

    def _bounded(self, made: Typed) -> str:
        """Python's integers are 64 bits wide in compiled code: keep them from growing in loops."""
        if type(made.value) is int and any(sign in made.text for sign in "*+-<"):
            return f"({made.text}) % 101"
        return made.text

    def _arithmetic(self, depth: int) -> str:
        left, right = atom(self.number(depth - 1)), atom(self.number(depth - 1))
        signs = ["+", "+", "-", "-", "*", "*", "/", "//", "%", "<", "=="]
        return f"{left} {self.choose.pick(signs)} {right}"

    def _number_function(self, depth: int) -> str:
        inner = self.number(depth - 1)
        forms = [
            f"abs({inner})", f"-{atom(inner)}", f"float({inner})",
            f"min({inner}, {self.alike(inner)})",
            f"max({inner}, {self.alike(inner)})", f"int(min(max({inner}, -50), 50))",
            f"np.float32({inner})",
            f"np.sqrt(abs({inner}))", f"np.floor({inner})", f"{atom(inner)} ** 2",
            f"not {atom(inner)}",
            f"np.maximum({inner}, {self.constant()}) + 0", f"np.int32(min(max({inner}, 0), 9))",
            f"bool({inner})",
            f"sum(({inner}, {self.constant()}))",
        ]  # fmt: skip
        return self.choose.pick(forms)

    def alike(self, text: str) -> str:
        """Another number of the same type, as a rule: one that is weak on one path and strong on
        the other is mostly refused.
        """
        made = self.evaluate(text)
        if made is None or self.choose.percent(MIXED_NUMBERS):
            return self.constant()
        kind = kind_of(made.value)
        other = self.attempt(lambda: self.number(0), lambda v: kind_of(v) == kind)
        return other.text if other else text

    def _conditional(self, depth: int) -> str | None:
        first = self.evaluate(self.number(depth - 1))
        if first is None:
            return None
        second = self.attempt(
            lambda: self.number(depth - 1), lambda v: kind_of(v) == kind_of(first.value)
        )
        if second is None:
            return None
        return f"{atom(first.text)} if {self.condition(0, 0)} else {atom(second.text)}"

    def _extent(self) -> str:
        name = self.choose.pick(self.names(is_array))
        value = self.env[name]
        if value.ndim and self.choose.percent(60):
            axis = self.choose.integer(-value.ndim, value.ndim - 1)
            return self.choose.pick([f"{name}.shape[{axis}]", f"len({name})"])
        return self.choose.pick([f"{name}.size", f"{name}.ndim"])

    def item(self) -> str:
        name = self.choose.pick(self.names(is_array))
        return f"{name}[{self.items(name, self.env[name])}]"

    # -- conditions

    def condition(self, depth: int = 1, operands: int = 1) -> str:
        choose = self.choose
        flags = self.names(lambda v: isinstance(v, (bool, np.bool_)))
        left, right = atom(self.number(operands)), atom(self.number(operands))
        forms = [f"{left} {choose.pick(['<', '>', '<=', '==', '!='])} {right}"] * 4
        forms.append(f"{self.constant()} <= {left} < {right}")
        if flags:
            forms += [choose.pick(flags), f"not {choose.pick(flags)}"]
        if arrays := self.names(is_array):
            array = choose.pick(arrays)
            forms += [f"{array}.any()", f"({array} > 1).all()", f"len({array}.shape) > 1"]
        if depth:
            forms.append(f"{self.condition(0)} and {self.condition(0)}")
            forms.append(f"{self.condition(0)} or not {self.condition(0)}")
        made = self.attempt(lambda: choose.pick(forms), lambda v: isinstance(v, (bool, np.bool_)))
        return "True" if made is None else made.text

    # -- arrays

    def array(self, depth: int = 2) -> str | None:
        choose = self.choose
        arrays = self.names(is_array)
        if not arrays:
            return f"np.arange({self.choose.integer(0, 6)})"
        if depth <= 0 or choose.percent(15):
            return self.view() if choose.percent(50) else choose.pick(arrays)
        makers: list[tuple[int, Callable[[], str | None]]] = [
            (8, lambda: self.elementwise(depth)), (4, lambda: self._unary(depth)), (3, self.view),
            (2, lambda: self._where(depth)), (2, lambda: self._cast(depth)),
            (2, lambda: self.reduction(depth)),
            (1, lambda: self._joined(depth)), (1, lambda: self._product(depth)), (1, self._created),
            (1, self._comprehension),
        ]  # fmt: skip
        if self.helpers:
            makers.append((3, lambda: self.helper_call(is_array)))
        for family in self.families:
            makers += [(weight, partial(make, self)) for weight, make in family.arrays]
        made = self.attempt(choose.weighted(makers), is_array)
        return choose.pick(arrays) if made is None else made.text

    def typed_array(self, depth: int) -> Typed:
        made = self.attempt(lambda: self.array(depth), is_array)
        return made or Typed("np.zeros(3)", np.zeros(3))

    def partner(self, value: np.ndarray, depth: int) -> str:
        """Something that broadcasts with an array."""
        choose = self.choose
        if choose.percent(30):
            return self.number(1)

        def fits(other: Any) -> bool:
            if not is_array(other):
                return False
            try:
                return np.broadcast_shapes(other.shape, value.shape) == value.shape
            except ValueError:
                return False

        names = self.names(fits)
        if names and choose.percent(60):
            return choose.pick(names)
        made = self.attempt(lambda: self.array(depth - 1), fits)
        return self.constant() if made is None else made.text

    def elementwise(self, depth: int) -> str:
        choose = self.choose
        text, value = self.typed_array(depth - 1)
        left, right = atom(text), atom(self.partner(value, depth))
        if choose.percent(25):
            left, right = right, left
        signs = ["+", "+", "-", "*", "*", "<", ">=", "==", "/", "//", "%"]
        if is_exact(value):
            signs += ["&", "|", "^"]
        if value.dtype.kind == "c":
            signs = ["+", "-", "=="]  # products of complex numbers are not promised bit for bit
        if choose.percent(15) and value.dtype.kind != "c":
            # Either zero may come out of max(0.0, -0.0).
            return f"np.{choose.pick(['maximum', 'minimum'])}({left}, {right}) + 0"
        return f"{left} {choose.pick(signs)} {right}"

    def _unary(self, depth: int) -> str:
        text, value = self.typed_array(depth - 1)
        inner = atom(text)
        forms = [
            f"-{inner}",
            f"+{inner}",
            f"{inner}.copy()",
            f"abs({inner})",
            f"np.square({inner})",
        ]
        if value.dtype.kind == "c":
            forms = [
                f"-{inner}",
                f"{inner}.copy()",
                f"{inner}.real",
                f"{inner}.imag",
                f"{inner}.conj()",
            ]
        elif value.dtype.kind == "f":
            forms += [
                f"np.floor({inner})",
                f"np.sqrt(abs({inner}))",
                f"np.sign({inner})",
                f"{inner} ** 2",
            ]
            forms += [f"np.isnan({inner})", f"np.rint({inner})"]
        else:
            forms += [
                f"~{inner}",
                f"np.invert({inner})",
                f"{inner} << 1",
                f"np.logical_not({inner})",
            ]
        return self.choose.pick(forms)

    def _where(self, depth: int) -> str:
        text, value = self.typed_array(depth - 1)
        if self.choose.percent(35) and value.dtype.kind not in "c":
            low = self.choose.integer(0, 3)
            return f"np.clip({text}, {low}, {low + self.choose.integer(0, 3)}) + 0"
        other = self.partner(value, depth)
        return f"np.where({atom(text)} > {self.constant()}, {other}, {self.partner(value, 0)})"

    def safe_for_integers(self, made: Typed) -> str:
        """A float beyond an integer type has no defined cast."""
        if made.value.dtype.kind == "c":
            return self.safe_for_integers(Typed(f"{atom(made.text)}.real", made.value.real))
        if made.value.dtype.kind != "f":
            return made.text
        inner = atom(made.text)
        return f"np.where(({inner} >= 0) & ({inner} < 100), {made.text}, 3)"

    def _cast(self, depth: int) -> str:
        made = self.typed_array(depth - 1)
        if made.value.dtype.kind in "c":
            return f"{atom(made.text)}.astype('complex64')"
        if self.choose.percent(50):
            return f"{atom(made.text)}.astype('{self.choose.pick(FLOAT_CASTS)}')"
        cast = self.choose.pick(INTEGER_CASTS)
        return f"{atom(self.safe_for_integers(made))}.astype(np.{cast})"

    def _small(self, made: Typed) -> str:
        """Integers so small that sums and products of them are exact in any order."""
        if made.value.dtype.kind == "c":
            return self._small(Typed(f"{atom(made.text)}.real", made.value.real))
        if made.value.dtype.kind == "f":
            return f"(np.rint(np.clip({made.text}, -4, 4)) + 0)"
        return made.text

    def reduction(self, depth: int | None) -> str:
        """Over one or more axes, or (depth None) to a number."""
        choose = self.choose
        made = self.typed_array(1 if depth is None else depth - 1)
        exact = is_exact(made.value)
        names = ["sum", "sum", "min", "max", "any", "all", "argmax", "argmin"]
        name = choose.pick([*names, "prod", "count_nonzero"] if exact else names)
        inner = made.text if name in ("any", "all", "argmin", "argmax") else self._small(made)
        options = []
        if depth is not None:
            rank = max(made.value.ndim, 1)
            axis: Any = choose.integer(-rank, rank - 1)
            if rank > 1 and choose.percent(20) and not name.startswith("arg"):
                axis = (0, rank - 1)
            options.append(f"axis={axis}")
        if choose.percent(25):
            options.append("keepdims=True")
        if choose.percent(50) or name == "count_nonzero":
            text = f"np.{name}({', '.join([inner, *options])})"
        else:
            text = f"{atom(inner)}.{name}({', '.join(options)})"
        # As for maximum: either zero may come out.
        return text if exact or name not in ("min", "max") else f"{text} + 0"

    def _joined(self, depth: int) -> str:
        text, value = self.typed_array(depth - 1)
        others = self.names(lambda v: is_array(v) and v.shape == value.shape)
        other = self.choose.pick(others) if others else text
        forms = [f"np.stack(({text}, {other}))", f"np.stack([{other}, {text}], axis=-1)"]
        if value.ndim:
            forms += [
                f"np.concatenate(({text}, {other}))",
                f"np.concatenate(({text}, {other}), axis=-1)",
            ]
            forms += [
                f"np.vstack(({text}, {other}))",
                f"np.roll({text}, 1, axis=0)",
                f"np.repeat({text}, 2, axis=0)",
            ]
        return self.choose.pick(forms)

    def _product(self, depth: int) -> str | None:
        left = self.typed_array(depth - 1)
        if left.value.ndim == 0:
            return None

        def fits(v: Any) -> bool:
            inner = v.shape[0 if v.ndim == 1 else -2] if is_array(v) and v.ndim else None
            return inner == left.value.shape[-1]

        right = self.attempt(lambda: self.array(0), fits)
        if right is None:
            right = Typed(f"{atom(left.text)}.T", left.value.T)
        form = self.choose.pick(["{} @ {}", "{} @ {}", "np.dot({}, {})", "np.matmul({}, {})"])
        return form.format(atom(self._small(left)), atom(self._small(right)))

    def _created(self) -> str:
        choose = self.choose
        name = choose.pick(self.names(is_array))
        size = choose.integer(0, 6)
        forms = [
            f"np.zeros({name}.shape)", f"np.ones_like({name})", f"np.zeros_like({name})",
            f"np.arange({size})",
            f"np.full({name}.shape, {self.number(1)})", f"np.arange({name}.size)",
            f"np.eye({size})",
            f"np.array([{self.number(1)}, {self.number(1)}])",
            f"np.full_like({name}, {choose.integer(0, 9)})",
            f"np.zeros(({size}, 2), dtype=np.int32)", "np.arange(6.0).reshape(2, 3)",
            "np.linspace(0, 1, 5)",
            f"np.ones({size}, {name}.dtype)",
        ]  # fmt: skip
        return choose.pick(forms)

    def _comprehension(self) -> str | None:
        choose, count = self.choose, self.choose.integer(1, 4)
        name = choose.pick(self.names(is_array))
        value = self.env[name]
        if value.ndim == 0 or value.shape[0] < count:
            return f"np.array([e * {self.constant()} for e in range({count})])"
        form = choose.pick(
            ["np.stack([{}[e] + e for e in range({})])", "np.array([{}[e] * 2 for e in range({})])"]
        )
        return form.format(name, count)

    # -- calls

    def helper_call(self, accept: Callable[[Any], bool]) -> str | None:
        """A call of a function of the program, arguments by their kinds: an array, a number, an
        int.
        """
        name = self.choose.pick(self.helpers)
        function = self.env[name]
        values = [self._argument(kind) for kind in function.takes]
        return None if None in values else f"{name}({', '.join(map(str, values))})"

    def _argument(self, kind: str) -> str | None:
        if kind == "array":
            return self.view() if self.choose.percent(40) else self.array(0)
        if kind == "int":
            names = self.names(lambda v: type(v) is int)
            some = names and self.choose.percent(60)
            return f"{self.choose.pick(names)} % 7" if some else str(self.choose.integer(0, 6))
        return self.number(0)
