"""Random programs: functions of 5 to 25 statements, and the calls on which plain and compiled
execution are compared.

A statement is run once over the sample values as soon as it is written, whatever branch or loop it
is in; so what follows knows the types, ranks and likely sizes of all variables. About one
program in ten raises in its first call, on purpose; calls with other sizes raise more often.
"""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from fuzz import (
    axes,
    calls,
    closures,
    containers,
    control,
    indexing,
    naming,
    nested,
    records,
    strings,
)
from fuzz.arguments import Arguments
from fuzz.choices import Chooser, Drawn, Seeded
from fuzz.expressions import (
    MIXED_NUMBERS,
    Expressions,
    Family,
    Typed,
    atom,
    is_array,
    is_number,
    kind_of,
)
from fuzz.modes import MODES
from fuzz.people import program as people
from hypothesis import strategies as st

from support import arrays

# Each program has some of them: a refusal or an exception of one does not hide the others.
MIXED = [indexing.FAMILY, control.FAMILY, containers.FAMILY, calls.FAMILY]
# Each has programs of its own, with little else in them.
FAMILIES = {
    "naming": naming.FAMILY, "nested": nested.FAMILY, "records": records.FAMILY,
    "strings": strings.FAMILY,
    "closures": closures.FAMILY, "axes": axes.FAMILY,
}  # fmt: skip


def family_of(seed: int) -> str:
    """Seeds are distributed over the families; half of them are mixed."""
    index = seed // len(MODES) % (2 * len(FAMILIES))
    return list(FAMILIES)[index // 2] if index % 2 else "mixed"


@dataclass(frozen=True)
class Program:
    """Source text whose last function is the program, and texts that give `args` of each call."""

    source: str
    calls: tuple[str, ...]
    pictured: bool = False  # results and arguments are compared as pictures (support/pictures.py)


def arguments_of(call: str, names: dict[str, Any] | None = None) -> tuple:
    """`names`: the program's, whose classes arguments may be objects of."""
    space: dict[str, Any] = {"np": np, "filled": arrays.filled, "lay_out": arrays.lay_out}
    space |= names or {}
    exec(call, space)
    return space["args"]


class Body(Expressions):
    """Writes the statements of one function."""

    def __init__(
        self, choose: Chooser, env: dict[str, Any], parameters: list[str], budget: int
    ) -> None:
        super().__init__(choose, env)
        self.live = list(parameters)
        self.budget = budget
        self.depth = 0
        self.loops = 0
        self.counter = 0
        # Names that keep their kind throughout, so that every return can give them.
        self.steady = list(parameters)
        self.result: str | None = None
        self.reserved: set[str] = set()

    # -- running over the samples

    def perform(self, lines: list[str]) -> bool:
        """Runs lines over the samples; False if they raise."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                exec("\n".join(lines), self.env)
        except Exception:
            return False
        return True

    def fresh(self) -> str:
        self.counter += 1
        return f"v{self.counter}"

    def target(self, value: Any, accept: Callable[[Any], bool]) -> str:
        """A name for a value: one whose kind it has, or (often) a new one."""
        old = [name for name in self.names(accept) if name not in self.reserved]
        if self.depth or self.result is not None or self.choose.percent(60):
            old = [name for name in old if kind_of(self.env[name]) == kind_of(value)]
        elif old:
            old = [name for name in old if name not in self.steady]
        if self.loops and is_array(value):
            # In a loop an array that grows would grow each time.
            old = [name for name in old if self.env[name].size >= value.size]
        if self.depth and is_array(value) and not self.choose.percent(10):
            old = [name for name in old if self.env[name].shape == value.shape]
        return self.choose.pick(old) if old and self.choose.percent(65) else self.fresh()

    def is_laid(self, made: Typed) -> bool:
        if made.text.endswith(".copy()") or made.text.startswith(("np.zeros(", "np.arange(")):
            return True
        if not is_array(made.value) or made.value.base is None:
            return made.text in self.laid
        bases = [self.env[name] for name in self.laid]
        return any(np.shares_memory(made.value, base) for base in bases)

    def bind(self, name: str, made: Typed) -> list[str]:
        """`name = value`, and what is known of the name afterwards."""
        text = made.text
        if is_array(made.value):
            laid = self.is_laid(made)
            if name in self.laid and not laid and self.depth:
                text = f"{atom(text)}.copy()"  # what precedes it in a loop may rely on it
            elif not laid:
                self.laid.discard(name)
            elif name not in self.live:
                self.laid.add(name)
        return self.assign(name, text)

    def assign(self, name: str, text: str) -> list[str]:
        """`name = text`; nothing where that raises."""
        if not self.perform([f"{name} = {text}"]):
            return []
        self.bounds.pop(name, None)
        if name not in self.live:
            self.live.append(name)
        return [f"{name} = {text}"]

    # -- simple statements

    def assign_array(self) -> list[str]:
        made = self.typed_array(2)
        return self.bind(self.target(made.value, is_array), made)

    def assign_view(self) -> list[str]:
        made = self.attempt(self.view, is_array)
        return self.bind(self.target(made.value, is_array), made) if made else []

    def assign_number(self) -> list[str]:
        made = self.attempt(lambda: self.number(2), is_number)
        return self.bind(self.target(made.value, is_number), made) if made else []

    def store(self) -> list[str]:
        name, window = self.stored_window()
        if name is None:
            return []
        choose = self.choose
        sample = self.env[name]
        target = self.evaluate(f"{name}[{window}]")
        if target is None:
            return []
        value = self.attempt(lambda: self.stored_value(name, target.value))
        if value is None:
            return []
        text = value.text
        if self.undefined_overlap(target.value, value.value):
            text = f"({text}).copy()"
        if sample.dtype.kind in "iub" and np.asarray(value.value).dtype.kind in "fc":
            text = self.safe_for_integers(Typed(text, np.asarray(value.value)))
        sign = choose.weighted([(6, "="), (1, "+="), (1, "-="), (1, "*=")])
        if sample.dtype.kind == "c" and sign == "*=":
            sign = "+="
        return self.run([f"{name}[{window}] {sign} {text}"])

    def undefined_overlap(self, target: Any, value: Any) -> bool:
        """Overlap that NumPy misses: one axis, another step the same way (README, limits)."""
        if not (is_array(target) and is_array(value) and target.ndim <= 1):
            return False
        return np.may_share_memory(target, value) and target.strides != value.strides[-1:]

    def stored_window(self) -> tuple[str | None, str]:
        names = self.names(lambda v: is_array(v) and v.flags.writeable)
        if not names:
            return None, ""
        name = self.choose.pick(names)
        return name, self.subscript(name, self.env[name], stored=True)

    def stored_value(self, name: str, window: Any) -> str | None:
        """Another window of the same array, as often as not: overlap is what this is about."""
        choose, sample = self.choose, self.env[name]
        if not is_array(window):
            return self.number(1)
        if choose.percent(40):
            base = choose.pick([name, name, f"{name}[::-1]", f"{name}.T"])
            text = f"{base}[{self.subscript(name, sample, stored=True)}]"
            return choose.pick([text, f"{text} + 1", f"{text} * 2", f"{text} + {self.number(0)}"])
        return self.partner(window, 2)

    def run(self, lines: list[str]) -> list[str]:
        return lines if self.perform(lines) else []

    def augment(self) -> list[str]:
        names = self.names(lambda v: is_array(v) or is_number(v))
        names = [n for n in names if n not in self.reserved]
        if not names:
            return []
        name = self.choose.pick(names)
        before = self.env[name]
        made = self.attempt(lambda: self.partner(before, 1) if is_array(before) else self.number(1))
        if made is None:
            return []
        complex_ = is_array(before) and before.dtype.kind == "c"
        sign = self.choose.pick(["+=", "-="] if complex_ else ["+=", "-=", "*="])
        line = f"{name} {sign} {made.text}"
        self.bounds.pop(name, None)
        if type(before) is int:
            line = f"{name} = ({name} + {atom(made.text)}) % 101"
        if not self.perform([line]):
            return []
        if kind_of(self.env[name]) != kind_of(before):
            self.env[name] = before
            return []
        return [line]

    def swap_items(self) -> list[str]:
        names = self.names(lambda v: is_array(v) and v.ndim and v.flags.writeable)
        if not names:
            return []
        name = self.choose.pick(names)
        value = self.env[name]
        index = self.items if self.choose.percent(70) else self.subscript
        one, two = (f"{name}[{index(name, value)}]" for _ in range(2))
        first, second = self.evaluate(one), self.evaluate(two)
        if not first or not second or self.undefined_overlap(first.value, second.value):
            return []
        return self.run([f"{one}, {two} = {two}, {one}"])

    def swap_names(self) -> list[str]:
        choose = self.choose
        one = choose.pick(self.live)
        kind = kind_of(self.env[one])
        others = [n for n in self.live if n != one and kind_of(self.env[n]) == kind]
        others = [n for n in others if (n in self.laid) == (one in self.laid)]
        if not others or one in self.reserved or kind[0] == "function":
            return []
        two = choose.pick(others)
        if two in self.reserved:
            return []
        self.bounds.pop(one, None)
        self.bounds.pop(two, None)
        return self.run([f"{one}, {two} = {two}, {one}"])

    def tuples(self) -> list[str]:
        """Packing or unpacking."""
        choose = self.choose
        packed = self.names(lambda v: isinstance(v, tuple) and len(v) > 1)
        if packed and choose.percent(70):
            name = choose.pick(packed)
            value = self.env[name]
            if choose.percent(40):
                k = choose.integer(-len(value), len(value) - 1)
                return self.bind(self.fresh(), Typed(f"{name}[{k}]", value[k]))
            fresh = [self.fresh() for _ in value]
            stars = [*fresh]
            if len(value) > 2 and choose.percent(30):
                stars, fresh = [fresh[0], f"*_{fresh[1]}"], fresh[:1]
            line = f"{', '.join(stars)} = {name}"
            if self.perform([line]):
                self.live += fresh
                return [line]
            return []
        items = [choose.pick(self.live) for _ in range(choose.integer(2, 3))]
        if any(callable(self.env[name]) for name in items):
            return []
        name = self.fresh()
        return self.bind(name, Typed(f"({', '.join(items)})", tuple(self.env[n] for n in items)))

    def call_helper(self) -> list[str]:
        if not self.helpers:
            return []
        made = self.attempt(lambda: self.helper_call(lambda v: True))
        if made is None:
            return []
        if self.choose.percent(30) or made.value is None:
            return [made.text]
        accept = is_array if is_array(made.value) else is_number
        if not is_array(made.value) and not is_number(made.value):
            return [made.text]
        return self.bind(self.target(made.value, accept), made)

    def function(self) -> list[str]:
        """A lambda or an inner function that reads a variable around it."""
        choose = self.choose
        if self.depth or self.loops:
            return []
        outer = choose.pick([*self.names(is_number), self.constant()])
        name = f"g{len(self.helpers)}"
        body = choose.pick(
            ["e + {}", "e * 2 - {}", "e if {} > 1 else e + 1", "(e, {})[0]", "e * {} + 1"]
        )
        lines = [f"{name} = lambda e: {body.format(outer)}"]
        if choose.percent(40):
            lines = [f"def {name}(e):", f"    w = {body.format(outer)}", "    return w"]
        if not self.perform(lines):
            return []
        self.env[name].takes = [choose.pick(["array", "number"])]
        self.helpers.append(name)
        return lines

    def chained(self) -> list[str]:
        made = self.typed_array(1)
        one, two = self.fresh(), self.fresh()
        if not self.perform([f"{one} = {two} = {made.text}"]):
            return []
        self.live += [one, two]
        if self.is_laid(made):
            self.laid |= {one, two}
        return [f"{one} = {two} = {made.text}"]

    def risky(self) -> list[str]:
        """What may raise, or surely does when it runs."""
        choose = self.choose
        names = self.names(lambda v: is_array(v) and v.ndim)
        array = choose.pick(names or ["np.zeros(2)"])
        number = self.number(1)
        forms = [
            f"assert {self.condition()}, 'asserted'",
            f"if {self.condition()}:\n    raise ValueError('raised')",
            f"if {self.condition()}:\n    raise ValueError(f'number {{{atom(number)}}}')",
            f"{array}[{choose.integer(2, 7)}] = {number}",
            f"{array}[{choose.integer(1, 3)}:] = {array}[:{choose.integer(1, 4)}]",
            f"{self.fresh()} = 7 // int({number})"
            if choose.percent(50)
            else f"{self.fresh()} = 7 % {self.bound() or 0}",
            f"{self.fresh()} = {array}[{self.bound() or 9}]",
            f"{self.fresh()} = {array} + {self.array(1)}",
            f"{self.fresh()} = {array}[{self.slice()}].max()",
            f"{self.fresh()} = {array}.reshape({choose.integer(1, 4)}, -1)",
            f"{array} += {self.array(1)}",
            f"v90, v91 = {array}",
        ]
        if self.depth:
            name = self.fresh()
            forms.append(
                f"if {self.condition()}:\n    {name} = {number}\n{self.fresh()} = {name} + 1"
            )
        text = choose.pick(forms)
        try:
            compile(text, "risky", "exec")
        except SyntaxError:
            return []
        self.perform([text])
        return text.split("\n")

    # -- blocks

    @contextmanager
    def nested(self, loop: bool = False) -> Iterator[None]:
        """Names first bound inside are not known afterwards."""
        live, laid, bounds, helpers = (
            list(self.live),
            set(self.laid),
            dict(self.bounds),
            list(self.helpers),
        )
        self.depth += 1
        self.loops += loop
        yield
        self.depth -= 1
        self.loops -= loop
        self.live = live
        self.laid &= laid
        self.bounds = {name: bound for name, bound in bounds.items() if name in self.bounds}
        self.helpers = helpers

    def block(self, low: int = 1, high: int = 4, loop: bool = False) -> list[str]:
        lines: list[str] = []
        for _ in range(self.choose.integer(low, high)):
            lines += self.statement()
        if loop and self.choose.percent(35):
            lines += self.jump()
        return ["    " + line for line in lines or ["pass"]]

    def jump(self) -> list[str]:
        kind = self.choose.weighted([(5, "break"), (5, "continue"), (1, "return")])
        condition = self.condition()
        if kind == "return":
            kind = self.returned()
        lines = [f"if {condition}:"]
        with self.nested():
            if self.choose.percent(30):
                lines += ["    " + line for line in self.simple()]
        return [*lines, f"    {kind}", *(self.simple() if self.choose.percent(50) else [])]

    def returned(self) -> str:
        if self.result is None:
            names = self.choose.some([n for n in self.steady if n in self.live], 1, 4)
            self.result = ", ".join(names) or "None"
        return f"return {self.result}"

    def branch(self) -> list[str]:
        choose = self.choose
        condition = self.condition()
        if choose.percent(15):
            name = self.fresh()
            number = self.attempt(lambda: self.number(1), is_number)
            if number is not None and self.bind(name, number):
                condition = f"({name} := {number.text}) > {self.constant()}"
        lines = [f"if {condition}:"]
        with self.nested():
            lines += self.block(1, 3)
        if choose.percent(20):
            lines.append(f"elif {self.condition()}:")
            with self.nested():
                lines += self.block(1, 2)
        if choose.percent(50):
            lines.append("else:")
            with self.nested():
                lines += self.block(1, 3)
        return lines

    def joined(self) -> list[str]:
        """One new name, bound in both arms."""
        condition, name = self.condition(), self.fresh()
        make = self.choose.pick(
            [lambda: self.number(2), lambda: self.array(2), lambda: self.array(1)]
        )
        first = self.attempt(make)
        if first is None:
            return []
        mixed = is_number(first.value) and self.choose.percent(MIXED_NUMBERS)
        second = self.attempt(make, lambda v: mixed or kind_of(v) == kind_of(first.value))
        if second is None or not self.bind(name, first):
            return []
        self.laid.discard(name)
        return [
            f"if {condition}:",
            f"    {name} = {first.text}",
            "else:",
            f"    {name} = {second.text}",
        ]

    def loop(self) -> list[str]:
        made = self.choose.weighted([
            (6, self._range), (2, self._rows), (2, self._zip), (1, self._enumerate),
            (1, self._tuple),
        ])()  # fmt: skip
        if made is None:
            return []
        header, samples, bound = made
        if any(self.perform([f"{name} = {text}"]) is False for name, text in samples.items()):
            return []
        before = [name for name in samples if name in self.live]
        with self.nested(loop=True):
            for name in samples:
                if name not in self.live:
                    self.live.append(name)
                self.bounds.pop(name, None)
                if name == "i" and bound is not None:
                    self.bounds[name] = bound
            self.reserved |= set(samples)
            lines = [f"for {header}:", *self.block(1, 4, loop=True)]
            self.reserved -= set(samples)
        if self.choose.percent(12):
            lines.append("else:")
            with self.nested():
                lines += self.block(1, 2)
        for name in before:
            self.bounds.pop(name, None)
        return lines

    def _variable(self) -> str:
        free = [name for name in ("i", "j", "h") if name not in self.reserved]
        return free[0] if free else self.fresh()

    def _range(self) -> tuple[str, dict[str, str], int | None] | None:
        choose, name = self.choose, self._variable()
        arrays = self.names(lambda v: is_array(v) and v.ndim)
        if arrays and choose.percent(60):
            array = choose.pick(arrays)
            extent = self.env[array].shape[0]
            form = choose.weighted([
                (4, f"range({array}.shape[0])"), (2, f"range(len({array}))"),
                (1, f"range(1, {array}.shape[0])"),
                (1, f"range({array}.shape[0] - 1, -1, -1)"), (1, f"range(0, {array}.shape[0], 2)"),
                (1, f"range({array}.shape[-1])"),
            ])  # fmt: skip
            return f"{name} in {form}", {name: "0"}, extent - 1
        low, high = choose.integer(-1, 2), choose.integer(0, 6)
        integers = self.names(lambda v: type(v) is int)
        forms = [
            f"range({high})",
            f"range({low}, {high})",
            f"range({high}, {low}, -1)",
            f"range({high}, {low}, -2)",
        ]
        if integers:
            forms += [f"range({choose.pick(integers)} % 5)", f"range({choose.pick(integers)}, 5)"]
            forms += [f"range({choose.pick(integers)} % 4, -1, -1)"]
        return f"{name} in {choose.pick(forms)}", {name: "1"}, high

    def _rows(self) -> tuple[str, dict[str, str], int | None] | None:
        arrays = self.names(lambda v: is_array(v) and v.ndim and v.shape[0])
        if not arrays:
            return None
        array, name = self.choose.pick(arrays), self.fresh()
        form = self.choose.pick(["{}", "{}", "reversed({})", "{}[::-1]", "{}.T"])
        return f"{name} in {form.format(array)}", {name: f"next(iter({form.format(array)}))"}, None

    def _zip(self) -> tuple[str, dict[str, str], int | None] | None:
        arrays = self.names(lambda v: is_array(v) and v.ndim and v.shape[0])
        if not arrays:
            return None
        one, two = self.choose.pick(arrays), self.choose.pick([*arrays, "range(5)"])
        first, second = self.fresh(), self.fresh()
        samples = {first: f"next(iter({one}))", second: f"next(iter({two}))"}
        return f"{first}, {second} in zip({one}, {two})", samples, None

    def _enumerate(self) -> tuple[str, dict[str, str], int | None] | None:
        arrays = self.names(lambda v: is_array(v) and v.ndim and v.shape[0])
        if not arrays:
            return None
        name, item = self._variable(), self.fresh()
        array = self.choose.pick(arrays)
        extent = self.env[array].shape[0]
        return f"{name}, {item} in enumerate({array})", {name: "0", item: f"{array}[0]"}, extent - 1

    def _tuple(self) -> tuple[str, dict[str, str], int | None] | None:
        name = self.fresh()
        numbers = [self.constant() for _ in range(self.choose.integer(1, 3))]
        arrays = self.names(is_array)
        if arrays and self.choose.percent(40):
            numbers = [self.choose.pick(arrays) for _ in numbers]
        if len({kind_of(self.evaluate(n).value) for n in numbers}) > 1:  # type: ignore[union-attr]
            return None
        return f"{name} in ({', '.join(numbers)},)", {name: numbers[0]}, None

    def while_(self) -> list[str]:
        choose, name = self.choose, self.fresh()
        count = choose.integer(0, 5)
        self.perform([f"{name} = 1"])
        extra = f" and ({self.condition()})" if choose.percent(40) else ""
        lines = [f"{name} = 0", f"while {name} < {count}{extra}:", f"    {name} += 1"]
        with self.nested(loop=True):
            self.live.append(name)
            self.bounds[name] = max(count, 0)
            self.reserved.add(name)
            lines += self.block(1, 3, loop=True)
            self.reserved.discard(name)
        self.live.append(name)
        if choose.percent(12):
            lines.append("else:")
            with self.nested():
                lines += self.block(1, 2)
        return lines

    # -- functions

    def simple(self) -> list[str]:
        kinds: list[tuple[int, Callable[[], list[str]]]] = [
            (9, self.assign_array), (4, self.assign_view), (6, self.assign_number), (9, self.store),
            (5, self.augment),
            (2, self.swap_items), (1, self.swap_names), (1, self.tuples), (4, self.call_helper),
            (1, self.chained),
            (1, self.function),
        ]  # fmt: skip
        for family in self.families:
            kinds += [(weight, partial(make, self)) for weight, make in family.simple]
        for _ in range(4):
            if lines := self.choose.weighted(kinds)():
                return lines
        return []

    def statement(self) -> list[str]:
        self.budget -= 1
        if self.choose.percent(1.3):
            return self.risky()
        if self.budget > 1 and self.depth < 3 and self.choose.percent(32):
            loops = [(5, self.loop), (2, self.while_)] if self.loops < 2 else []
            kinds = [(4, self.branch), (2, self.joined), *loops]
            for family in self.families:
                kinds += [(weight, partial(make, self)) for weight, make in family.blocks]
            return self.choose.weighted(kinds)() or self.simple()
        if self.depth and not self.loops and self.choose.percent(2):
            return [self.returned()]
        return self.simple()

    def write(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.choose.integer(0, 3)):
            made = self.attempt(lambda: self.number(0), is_number)
            name = self.fresh()
            if made is not None:
                lines += self.bind(name, made)
                self.steady.append(name)
        while self.budget > 0:
            lines += self.statement()
        return ["    " + line for line in [*lines, self.final()]]

    def final(self) -> str:
        if self.result is not None and self.choose.percent(97):
            return f"return {self.result}"
        results = [n for n in self.live if not callable(self.env[n])]
        names = self.choose.some(results[::-1], 2, 8) or ["None"]
        if self.choose.percent(30):
            names.append(self.typed_array(1).text)
        return f"return {', '.join(names)}"


RECURSIVE = [
    "def {0}(n):\n    return n if n < 2 else {0}(n - 1) + {0}(n - 2)",
    "def {0}(n):\n    if n <= 0:\n        return 0\n    return n % 3 + {0}(n - 2)",
    "def {0}(n):\n    if n > 5:\n        return n - 5\n    return {0}(n + 2) * 2",
]  # fmt: skip
TAKES = [
    ["array"],
    ["array", "int"],
    ["array", "array"],
    ["array", "number"],
    ["array", "array", "int"],
    ["number", "number"],
]


class Writer:
    """Writes a program: helper functions first, then f."""

    def __init__(self, choose: Chooser, family: str = "mixed") -> None:
        self.choose = choose
        own = FAMILIES.get(family)
        others = choose.some(MIXED, 0, 2 if own is None or choose.percent(30) else 0)
        self.families: list[Family] = others if own is None else [own, *others]
        self.budget = (5, 25) if own is None else (3, 12)
        parameters = own.parameters(choose) if own and own.parameters else []
        with_containers = own is None and containers.FAMILY in self.families
        self.arguments = Arguments(choose, with_containers, parameters)
        first = self.arguments.text(
            self.arguments.arrays, self.arguments.numbers, self.arguments.sizes
        )
        self.samples = dict(zip(self.arguments.names, arguments_of(first), strict=True))
        self.env: dict[str, Any] = {"np": np, "print": lambda *items: None}
        self.helpers: list[str] = []
        exec(containers.HEADER, self.env)
        self.headers = [make(choose) for family in self.families if (make := family.header)]
        exec("\n\n".join(self.headers), self.env)

    def helper(self) -> str:
        choose, name = self.choose, f"h{len(self.helpers)}"
        if choose.percent(15):
            source, takes = choose.pick(RECURSIVE).format(name), ["int"]
        else:
            takes = choose.pick(TAKES)
            parameters = [f"p{k}" for k in range(len(takes))]
            array = choose.pick(self.arguments.arrays).name
            kinds = {"array": self.samples[array].copy(), "int": 2, "number": 1.5}
            env = {**self.env, **{p: kinds[t] for p, t in zip(parameters, takes, strict=True)}}
            body = Body(choose, env, parameters, choose.integer(1, 4))
            body.helpers = list(self.helpers)
            body.families = self.families
            lines = [f"def {name}({', '.join(parameters)}):", *body.write()]
            source = "\n".join(lines)
        exec(source, self.env)
        self.env[name].takes = takes
        self.helpers.append(name)
        return source

    def write(self) -> Program:
        helpers = [self.helper() for _ in range(self.choose.integer(0, 2))]
        env = {**self.env, **self.samples}
        body = Body(self.choose, env, self.arguments.names, self.choose.integer(*self.budget))
        body.laid = {a.name for a in self.arguments.arrays}
        body.helpers = list(self.helpers)
        body.families = self.families
        lines = [f"def f({', '.join(self.arguments.names)}):", *body.write()]
        source = "\n\n".join([*self.headers, *helpers, "\n".join(lines)])
        source = textwrap.dedent(source) + "\n"
        for family in self.families:
            if family.rewrite:
                source = family.rewrite(self.choose, source)
        return Program(source, tuple(self.arguments.calls()))


def seeded(seed: int, family: str | None = None) -> Program:
    if family == "people":
        return Program(*people.written(Chooser(Seeded(seed))), pictured=True)
    return Writer(Chooser(Seeded(seed)), family or family_of(seed)).write()


@st.composite
def programs(draw: st.DrawFn) -> Program:
    family = draw(st.sampled_from(["mixed", *FAMILIES]))
    return Writer(Chooser(Drawn(draw)), family).write()
