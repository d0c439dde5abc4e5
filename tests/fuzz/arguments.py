"""Random arguments of a program, as text: calls that differ in sizes, layouts and aliasing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from string import Template
from typing import Any

from fuzz.choices import Chooser
from support.arrays import BOOL, COMPLEX, IN_PLACE, INTEGERS

# Stores through strides of zero have no defined order: such arguments are read-only.
LAYOUTS = [name for name in IN_PLACE if not name.startswith("zero_")]
COMMON = ["int64", "float64", "int32", "float32"]
SHAPES = [
    ("n",), ("n",), ("n",), ("n", "m"), ("n", "m"), ("m",), ("n", "n"), ("m", "n"), (2, "n", "m"),
    (1, "m"), (5,), (3, 4),
]  # fmt: skip
NUMBERS = [
    "{}", "{}", "{}", "{}.5", "{}.5", "np.int64({})", "np.float64({}.5)", "np.int32({})",
    "np.float32({}.25)", "np.uint8({})", "bool({})",
]  # fmt: skip


@dataclass(frozen=True)
class Array:
    """An array argument: its shape in the sizes n and m, and where its memory is."""

    name: str
    shape: tuple[str | int, ...]
    dtype: str
    domain: str
    layout: str
    seed: int
    # A window of the preceding argument's memory, at this distance, instead of memory of its own.
    shifted: int | None = None

    def text(self, sizes: dict[str, int], before: str) -> str:
        shape = tuple(sizes.get(d, d) if isinstance(d, str) else d for d in self.shape)
        if self.shifted == 0:
            return f"{self.name} = {before}"
        if self.shifted is not None:
            count = shape[0]
            return (
                f"base = filled(({count + 4},), {self.dtype!r}, {self.seed}, {self.domain!r})\n"
                f"{before} = base[:{count}]\n"
                f"{self.name} = base[{self.shifted} : {self.shifted + count}]"
            )
        data = f"filled({shape}, {self.dtype!r}, {self.seed}, {self.domain!r})"
        if self.layout == "repeated":
            row = f"filled({shape[1:]}, {self.dtype!r}, {self.seed}, {self.domain!r})"
            return f"{self.name} = np.broadcast_to({row}, {shape})"
        laid = data if self.layout == "c" else f"lay_out({data}, {self.layout!r})"
        return f"{self.name} = {laid}"


@dataclass(frozen=True)
class Number:
    name: str
    form: str
    value: int

    def text(self, sizes: dict[str, int], before: str) -> str:
        return f"{self.name} = {self.form.format(self.value)}"


@dataclass(frozen=True)
class Container:
    """A list or dict argument, of numbers and arrays; or one that is in another argument."""

    name: str
    keys: tuple[str, ...]  # empty: a list
    items: tuple[Array | Number, ...]
    again: bool = False  # the list or dict before is the last item, too

    def text(self, sizes: dict[str, int], before: str) -> str:
        items = [item.text(sizes, "").split(" = ", 1)[1] for item in self.items]
        if self.again:
            items.append(before)
        if not self.keys:
            return f"{self.name} = [{', '.join(items)}]"
        keys = [*self.keys[: len(self.items)], "'z'"]
        pairs = [f"{key}: {item}" for key, item in zip(keys, items, strict=False)]
        return f"{self.name} = {{{', '.join(pairs)}}}"


@dataclass(frozen=True)
class OwnParameter:
    """A parameter of a family's own: one text for all calls, with $n and $m for the sizes, or a
    text for each call.
    """

    name: str
    forms: tuple[str, ...]

    def text(self, sizes: dict[str, int], before: str) -> str:
        return f"{self.name} = {Template(self.forms[0]).substitute(sizes)}"

    def next(self) -> OwnParameter:
        return replace(self, forms=(*self.forms[1:], self.forms[0]))


def _container(choose: Chooser, name: str, dtypes: list[str]) -> Container:
    kind = choose.pick(["arrays", "numbers", "both"])
    number = choose.pick(["{}", "{}.5", "np.float64({}.5)", "np.int64({})"])
    items: list[Array | Number] = []
    for k in range(choose.integer(1, 4)):
        arrays = kind == "arrays" or (kind == "both" and k % 2)
        items.append(
            Array("", ("n",), dtypes[0], "small", "c", k)
            if arrays
            else Number("", number, choose.integer(0, 6))
        )
    keys = ("'a'", "'b'", "'c'", "1") if choose.percent(50) else ()
    return Container(name, keys, tuple(items))


def _dtype(choose: Chooser) -> str:
    return choose.weighted([
        (12, choose.pick(COMMON)), (2, choose.pick(INTEGERS)), (1, BOOL[0]), (1, "float16"),
        (1, choose.pick(COMPLEX)),
    ])  # fmt: skip


def _array(choose: Chooser, name: str, dtypes: list[str], seed: int) -> Array:
    dtype, shape = choose.pick(dtypes), choose.pick(SHAPES) if choose.percent(96) else ()
    domain = choose.weighted([(7, "small"), (3, "finite"), (1, "any")])
    layout = choose.pick(LAYOUTS) if choose.percent(45) else "c"
    if shape and choose.percent(4):
        layout = "repeated"
    if dtype.startswith("complex"):
        domain = "small"
    return Array(name, shape, dtype, domain, layout, seed)


def _share(choose: Chooser, arrays: list[Array], chance: float) -> list[Array]:
    """Makes some neighbours of one type windows of one memory, or one object."""
    shared = arrays[:1]
    for a in arrays[1:]:
        before = shared[-1]
        alike = before.shifted is None and before.layout not in ("read_only", "repeated")
        if alike and choose.percent(chance):
            shift = choose.integer(0, 3) if len(before.shape) == 1 else 0
            a = replace(before, name=a.name, shifted=shift)
            shared[-1] = replace(before, layout="c")
        shared.append(a)
    return shared


class Arguments:
    """The parameters of one function; `call` makes the text of one set of arguments for them."""

    def __init__(
        self, choose: Chooser, with_containers: bool = False, own: list[Any] | None = None
    ) -> None:
        self._choose = choose
        self.own: list[OwnParameter] = own or []
        dtypes = [_dtype(choose) for _ in range(choose.integer(1, 2))]
        count = choose.integer(1, 4)
        arrays = [_array(choose, "abcd"[k], dtypes, choose.integer(0, 9)) for k in range(count)]
        self.arrays = _share(choose, arrays, 15)
        self.numbers = [
            Number("kq"[k], choose.pick(NUMBERS), choose.integer(0, 6))
            for k in range(choose.integer(0, 2))
        ]
        count = choose.integer(0, 2) if with_containers else 0
        self.containers = [_container(choose, "st"[k], dtypes) for k in range(count)]
        if count == 2 and choose.percent(30):
            self.containers[1] = replace(self.containers[1], again=True)
        self.sizes = {"n": choose.integer(2, 6), "m": choose.integer(1, 5)}

    @property
    def names(self) -> list[str]:
        return [p.name for p in (*self.arrays, *self.numbers, *self.containers, *self.own)]

    def text(self, arrays: list[Array], numbers: list[Number], sizes: dict[str, int]) -> str:
        lines, before = [], ""
        for parameter in (*arrays, *numbers, *self.containers, *self.own):
            lines.append(parameter.text(sizes, before))
            before = parameter.name
        return "\n".join([*lines, f"args = ({', '.join(self.names)},)"])

    def calls(self) -> list[str]:
        """As the program was made for, with other sizes, and with other memory."""
        choose = self._choose
        resized = {"n": choose.integer(0, 6), "m": choose.integer(0, 5)}
        # What is read-only cannot meet what is not.
        layouts = [name for name in LAYOUTS if name != "read_only"]
        relaid = [
            a
            if a.layout in ("read_only", "repeated")
            else replace(a, layout=choose.pick(layouts), shifted=None, seed=a.seed + 1)
            for a in self.arrays
        ]
        numbers = [replace(p, value=choose.integer(0, 6)) for p in self.numbers]
        calls = []
        for arguments in (
            (self.arrays, self.numbers, self.sizes),
            (self.arrays, numbers, resized),
            (_share(choose, relaid, 50), self.numbers, self.sizes),
        ):
            calls.append(self.text(*arguments))
            self.own = [parameter.next() for parameter in self.own]
        return calls
