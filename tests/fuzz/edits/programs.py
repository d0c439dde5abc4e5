"""Programs of up to four modules, made from a seed, and random edits of them.

What an item of a program is called stays; its kind and its text change: `K0` is an int, then an
array, then a number in another module. Its users' text is the same for all kinds of one family, so
that an edit of one item changes the text of nothing else.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

MODULES = ("main_", "one_", "two_", "three_")
HEAD = """\
import functools
import math
import operator
from enum import Enum
import numpy as np
from the_jit import jit
"""
# Families: what is used as a value (`K`), called (`g(x)`), subscripted (`T[0]`, `D["a"]`), or of
# which an attribute (`C.a`) or a method (`O.go(x)`) is read.
VALUES = ("int", "float", "complex", "numpy", "bool", "array", "ints", "short", "computed")
CALLABLES = ("def", "def", "def", "def", "lambda", "partial", "ufunc", "closure", "decorated")
CALLABLES += ("jitted", "jitted", "refused")
ITEMS = ("tuple", "list", "row", "nested")
DICTS = ("numbers", "arrays", "functions")
OWNERS = ("class", "instance", "member", "method", "frozen")
OBJECTS = ("object", "derived", "static", "held", "local")
FAMILIES = {
    "K": VALUES, "g": CALLABLES, "T": ITEMS, "D": DICTS, "C": OWNERS, "O": OBJECTS,
}  # fmt: skip


@dataclass
class Item:
    name: str
    kind: str
    module: int
    number: int  # what its text has in it: another one is another value
    terms: list[str] = field(default_factory=list)  # of functions: "x + {K0}", "{g1}(x)"
    other: str = ""  # a callable that it wraps
    comment: int = 0

    @property
    def family(self) -> str:
        return self.name[0]


@dataclass
class Program:
    items: list[Item]  # each uses only later ones
    imports: dict[tuple[int, int], str]  # of a module in another: how
    order: int = 0  # seeds the order of functions in a module

    def item(self, name: str) -> Item:
        return next(item for item in self.items if item.name == name)

    def later(self, index: int) -> list[Item]:
        """What an item can use: moved ones may be in a module that imports its own."""
        return [i for i in self.items[index + 1 :] if i.module >= self.items[index].module]

    def files(self) -> dict[str, str]:
        return {MODULES[k]: self.text(k) for k in range(len(MODULES))}

    def text(self, module: int) -> str:
        own = [item for item in self.items if item.module == module]
        made = {item.other for item in self.items if item.other}
        lazy = [i for i in own if i.kind in ("def", "jitted") and i.name not in made]
        shuffled = random.Random(self.order * 7 + module).sample(lazy, len(lazy))
        first = [item for item in reversed(own) if item not in lazy]
        parts = [self.head(module), *(self.shown(item) for item in first + shuffled)]
        return "\n".join(parts)

    def used(self, item: Item) -> list[str]:
        body = " ".join(item.terms)
        names = [i.name for i in self.items if f"{{{i.name}}}" in body]
        return [*names, *([item.other] if item.other else [])]

    def head(self, module: int) -> str:
        lines = [HEAD]
        for other in range(module + 1, len(MODULES)):
            style = self.imports[module, other]
            name = MODULES[other]
            if style == "as":
                lines.append(f"import {name} as m{other}")
            elif style == "from":
                used = {n for i in self.items if i.module == module for n in self.used(i)}
                wanted = sorted(n for n in used if self.item(n).module == other)
                lines += [f"from {name} import {n}" for n in wanted]
            elif style == "module":
                lines.append(f"import {name}")
        return "\n".join(lines) + "\n"

    def reference(self, item: Item, name: str) -> str:
        other = self.item(name).module
        style = self.imports.get((item.module, other), "")
        if style == "as":
            return f"m{other}.{name}"
        return f"{MODULES[other]}.{name}" if style == "module" else name

    def inside(self, item: Item) -> list[str]:
        """Imports inside the function."""
        return [
            f"from {MODULES[self.item(n).module]} import {n}"
            for n in dict.fromkeys(self.used(item))
            if self.imports.get((item.module, self.item(n).module)) == "inside"
        ]

    def shown(self, item: Item) -> str:
        comment = f"# {item.comment}\n" * (item.comment % 3)
        return comment + getattr(self, f"{item.family}_text")(item, item.number) + "\n"

    def K_text(self, item: Item, n: int) -> str:
        value = {
            "int": f"{n}",
            "float": f"{n}.5",
            "complex": f"complex({n}, 0.5)",
            "numpy": f"np.float32({n}.25)",
            "bool": f"{n % 2 == 0}",
            "array": f"np.array([{n}.0, 2.0, 3.0])",
            "ints": f"np.array([{n}, 1, 2])",
            "short": f"np.array([{n}, 1, 2], dtype=np.int16)",
            "computed": f"{n} * 3 - 1",
        }[item.kind]
        return f"{item.name} = {value}"

    def T_text(self, item: Item, n: int) -> str:
        value = {
            "tuple": f"({n}, 2.5)",
            "list": f"[{n}, 2.5]",
            "row": f"np.array([{n}.0, 4.0])",
            "nested": f"({n}.5, 7, 8)",
        }[item.kind]
        return f"{item.name} = {value}"

    def D_text(self, item: Item, n: int) -> str:
        value = {
            "numbers": f'{{"a": {n}, "b": 2}}',
            "arrays": f'{{"b": 2, "a": np.array([{n}.0, 1.0, 2.0])}}',
            "functions": f'{{"a": {n}.5, "f": np.sin}}',
        }[item.kind]
        return f"{item.name} = {value}"

    def O_text(self, item: Item, n: int) -> str:
        name = item.name
        body = (
            f"class _{name}:\n    def __init__(self, k):\n        self.k = k\n"
            f"    def go(self, x):\n        return x * self.k + {n % 4}\n"
        )
        return {
            "object": f"{body}{name} = _{name}({n})",
            "derived": f"{body}class _Of{name}(_{name}):\n    def go(self, x):\n"
            f"        return super().go(x) + {n}\n{name} = _Of{name}(2)",
            "static": f"class {name}:\n    k = {n}\n    @staticmethod\n    def go(x):\n"
            f"        return x + {n}\n",
            "held": f"{body}{name} = _{name}(np.array([{n}, 1, 2]))",
            "local": f"class _{name}:\n    pass\n{name} = _{name}()\n{name}.go = lambda x: x - {n}",
        }[item.kind]

    def C_text(self, item: Item, n: int) -> str:
        name = item.name
        body = f"class {name}:\n    a = {n}\n"
        return {
            "class": body,
            "instance": f"class _{name}:\n    def __init__(self, a):\n        self.a = a\n"
            f"{name} = _{name}({n})",
            "member": f"class _{name}(Enum):\n    one = {n}\n    @property\n    def a(self):\n"
            f"        return self.value + 1\n{name} = _{name}.one",
            "method": f"class _{name}:\n    @property\n    def a(self):\n        return {n} + 2\n"
            f"{name} = _{name}()",
            "frozen": f"class _{name}:\n    __slots__ = ('a',)\n{name} = _{name}()\n"
            f"{name}.a = {n}.25",
        }[item.kind]

    def g_text(self, item: Item, n: int) -> str:
        name, other = item.name, item.other and self.reference(item, item.other)
        if item.kind == "lambda":
            return f"{name} = lambda x, p=3: x * {n} + p"
        if item.kind == "partial":
            return f"{name} = functools.partial({other}, p={n})"
        if item.kind == "ufunc":
            return f"{name} = np.{('negative', 'square', 'sqrt', 'absolute', 'sin')[n % 5]}"
        if item.kind == "refused":  # a set; in a branch, the rest is compiled
            return f"def {name}(x, p=3):\n    return x * len({{str(p), '{n}'}})"
        if item.kind == "closure":
            return (
                f"def _make_{name}(k):\n    def made(x, p=2):\n        return x + k * p\n"
                f"    return made\n{name} = _make_{name}({n})"
            )
        if item.kind == "decorated":
            return (
                f"def _twice_{name}(f):\n    @functools.wraps(f)\n    def outer(x, p=1):\n"
                f"        return f(f(x)) + p * {n}\n    return outer\n"
                + self.function(item, f"@_twice_{name}\n")
            )
        return self.function(item, "@jit\n" if item.kind == "jitted" else "")

    def function(self, item: Item, decorator: str) -> str:
        given = {name: self.reference(item, name) for name in self.used(item)}
        lines = [f"    {line}" for line in self.inside(item)]
        lines += [f"    y = x * {item.number % 7 + 1} + p"]
        lines += [f"    y = {term.format(**given)}" for term in item.terms]
        spare = "    # " + "-" * item.comment + "\n" if item.comment > 3 else ""
        return (
            f"{decorator}def {item.name}(x, p={item.number % 5}, *, q={item.number % 3}):\n"
            f"{spare}" + "\n".join(lines) + "\n    return y - q\n"
        )


def term(rng: random.Random, later: list[Item]) -> str:
    name = rng.choice(later).name if later else ""
    if not name or rng.random() < 0.15:
        return rng.choice(["np.sin(y)", "y + math.pi", "np.absolute(y)", "y * np.float64(1.5)",
                           "np.where(x > 1, y, y + 1)", "abs(y)", "y + np.sum(x)"])  # fmt: skip
    ref = f"{{{name}}}"
    return {
        "K": rng.choice([f"y + {ref}", f"{ref} * y", f"y - {ref} if p > 1 else y + {ref}"]),
        "g": rng.choice(
            [
                f"y + {ref}(x)",
                f"{ref}(y)",
                f"{ref}(x, p=p + 1) + y",
                f"y + {ref}(x) if p > 2 else y",
            ]
        ),
        "T": f"y + {ref}[0]",
        "D": f'y + {ref}["a"]',
        "C": f"y + {ref}.a",
        "O": f"{ref}.go(y)",
    }[name[0]]


def terms(rng: random.Random, later: list[Item]) -> list[str]:
    return [term(rng, later) for _ in range(rng.randint(1, 3))]


def make(seed: int) -> Program:
    rng = random.Random(seed)
    count = rng.randint(4, 9)
    names = ["g0", "g1"] + [f"{rng.choice('KgTCgKDO')}{k}" for k in range(2, count)]
    modules = sorted(rng.randrange(rng.randint(1, len(MODULES))) for _ in names)
    items: list[Item] = []
    for name, module in reversed(list(zip(names, modules, strict=True))):
        item = Item(name, rng.choice(FAMILIES[name[0]]), module, rng.randint(1, 30))
        if name in ("g0", "g1"):
            item.kind, item.module = "jitted", 0
        fill(rng, item, items)
        items.insert(0, item)
    pairs = [(a, b) for a in range(len(MODULES)) for b in range(a + 1, len(MODULES))]
    program = Program(items, {pair: rng.choice(["module", "as", "from"]) for pair in pairs})
    return program


def fill(rng: random.Random, item: Item, later: list[Item]) -> None:
    """Gives a function a body, or the callable that it wraps."""
    item.other, item.terms = "", []
    functions = [i.name for i in later if i.kind in ("def", "jitted", "closure", "lambda")]
    if item.kind == "partial":
        item.other = rng.choice(functions) if functions else ""
        item.kind = item.kind if functions else "def"
    if item.kind in ("def", "jitted", "decorated"):
        item.terms = terms(rng, later)


def edit(program: Program, rng: random.Random) -> str:
    """Changes the program in place; says what it did."""
    what = rng.choice(
        ["number"] * 4 + ["kind"] * 4 + ["body"] * 3 + ["comment", "order", "move", "import"]
    )
    index = rng.randrange(len(program.items))
    item, later = program.items[index], program.later(index)
    if what == "number":
        item.number = rng.randint(1, 30)
    elif what == "kind" and item.name not in ("g0", "g1"):
        item.kind = rng.choice(FAMILIES[item.family])
        if item.family == "g":
            fill(rng, item, later)
        mend(program, rng)
    elif what == "body" and item.terms:
        item.terms = terms(rng, later)
    elif what == "comment":
        item.comment = rng.randint(0, 9)
    elif what == "order":
        program.order += 1
    elif what == "move" and item.name not in ("g0", "g1"):
        users = [i.module for i in program.items[:index] if item.name in program.used(i)]
        used = [program.item(name).module for name in program.used(item)]
        item.module = rng.randint(max(users, default=0), min(used, default=len(MODULES) - 1))
    elif what == "import":
        pair = rng.choice(list(program.imports))
        program.imports[pair] = rng.choice(["module", "as", "from", "inside"])
        mend(program, rng)
    return f"{what} of {item.name}"


def mend(program: Program, rng: random.Random) -> None:
    """An item that wraps another one at import cannot import it inside a function."""
    for index, item in enumerate(program.items):
        if not item.other:
            continue
        other = program.item(item.other)
        if other.kind not in ("def", "jitted", "closure", "lambda"):
            item.kind = "def"
            fill(rng, item, program.later(index))
        elif program.imports.get((item.module, other.module)) == "inside":
            program.imports[item.module, other.module] = "as"
