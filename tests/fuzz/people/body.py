"""Statements and expressions of one function, whose variables have types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from fuzz.choices import Chooser
from fuzz.people import tables
from fuzz.people.tables import HOLE, Hole, Template
from fuzz.people.types import FROZEN, HASHED, KEYS, fill, is_variable, letters, match, split

WORDS = [
    "", "a", "b", "ab", "x1", "7", "42", "-3", "apple", "Pear", "red fox", "a,b,c", "k=v", "b2b",
    " pad ", "a b a", "the end", "1 + 2", "Zed", "x y z", "3.5", "A-1", "aXbX", "line\nnext", "e",
]  # fmt: skip
SHORT = ["a", "b", "x", ",", " ", "ab", "e", "-", "1", "="]
COMMON = [
    "int", "int", "int", "str", "str", "float", "list[int]", "list[str]", "tuple[str, int]",
    "dict[str, int]", "dict[int, str]", "list[tuple[str, int]]", "dict[str, list[int]]",
    "list[list[int]]", "set[int]", "set[str]", "list[float]", "dict[int, list[str]]", "deque[int]",
    "dict[tuple[int, int], int]", "counter[str]", "defaultdict[str, int]", "bool",
    "defaultdict[str, list[int]]", "deque[tuple[str, int]]", "dict[str, dict[str, int]]",
    "list[dict[str, int]]", "list[set[int]]", "dict[str, set[int]]", "tuple[int, int]",
    "dict[str, tuple[int, str]]", "dict[str, float]", "deque[str]", "counter[int]",
]  # fmt: skip
NESTED = [
    "defaultdict[str, counter[str]]", "defaultdict[str, defaultdict[str, int]]", "list[deque[int]]",
    "defaultdict[int, defaultdict[str, list[int]]]", "dict[str, deque[int]]", "list[counter[str]]",
    "dict[str, counter[str]]", "defaultdict[str, set[int]]", "defaultdict[int, deque[str]]",
    "ordered[str, int]", "ordered[int, str]", "ordered[str, list[int]]", "list[ordered[str, int]]",
    "defaultdict[tuple[int, int], counter[int]]", "deque[list[int]]", "deque[dict[str, int]]",
]  # fmt: skip
FROZEN_SETS = [
    "frozenset[int]", "frozenset[str]", "list[frozenset[int]]", "dict[frozenset[int], int]",
    "set[frozenset[str]]", "dict[frozenset[str], list[int]]", "tuple[frozenset[int], int]",
]  # fmt: skip


class Stuck(Exception):
    """No expression of a type can be written here."""


@dataclass(frozen=True)
class Callable:
    """A function, method (`text` has a hole for its object), property or generator."""

    text: str
    takes: tuple[str, ...]
    gives: str


@dataclass
class World:
    """What all functions of a program share."""

    groups: set[str]
    fields: dict[str, dict[str, str]] = field(default_factory=dict)  # of each class
    made: dict[str, list[str]] = field(default_factory=dict)  # the parameters of each class
    callables: list[Callable] = field(default_factory=list)
    bases: dict[str, str] = field(default_factory=dict)
    frozen: set[str] = field(default_factory=set)
    statements: list[Template] = field(default_factory=list)
    expressions: list[Template] = field(default_factory=list)
    palette: list[str] = field(default_factory=list)
    risk: float = 3
    counter: int = 0

    def fresh(self, stem: str = "v") -> str:
        self.counter += 1
        return f"{stem}{self.counter}"


def atom(text: str) -> str:
    if re.fullmatch(r"[\w.]+|[\w.]+\([^()]*\)|\"[^\"]*\"|\([^()]*\)|\[[^\[\]]*\]", text):
        return text
    return f"({text})"


class Body:
    def __init__(self, choose: Chooser, world: World, variables: dict[str, str]) -> None:
        self.choose, self.world = choose, world
        self.variables = dict(variables)
        self.reserved: set[str] = set()
        self.loops = self.depth = 0
        self.budget = 8
        self.gives: str | None = None  # the type of `return` and of `yield`
        self.yields: str | None = None
        self.captured: set[str] = set()  # of an enclosing function: changed, but not assigned
        self.local: list[Callable] = []  # inner functions, which are called only here

    # -- names

    def paths(self) -> Iterator[tuple[str, str]]:
        """Variables, and attributes of those that are objects, with their types."""
        for name, kind in self.variables.items():
            yield name, kind
            for one, inner in self.world.fields.get(kind, {}).items():
                yield f"{name}.{one}", inner
                for two, deeper in self.world.fields.get(inner, {}).items():
                    yield f"{name}.{one}.{two}", deeper

    def places(self, pattern: str, known: dict[str, str], changed: bool) -> list[tuple[str, str]]:
        found = []
        for text, kind in self.paths():
            root = text.split(".")[0]
            if changed and (root in self.reserved or self._frozen(text)):
                continue
            if changed and root == "self" and text == "self":
                continue
            if match(pattern, kind, known) is not None:
                found.append((text, kind))
        return found

    def _frozen(self, text: str) -> bool:
        root, *rest = text.split(".")
        return bool(rest) and self.variables[root] in self.world.frozen

    # -- expressions

    def literal(self, kind: str, depth: int = 2) -> str:
        choose, (name, parts) = self.choose, split(kind)
        simple = {
            "int": lambda: str(choose.integer(0, 9)),
            "float": lambda: f"{choose.integer(0, 9)}.{choose.pick(['5', '25', '0', '75'])}",
            "bool": lambda: choose.pick(["True", "False"]),
            "str": lambda: _quoted(choose.pick(WORDS)),
            "array": lambda: f"np.arange({choose.integer(1, 4)}) / 2",
            "None": lambda: "None",
        }
        if kind in simple:
            return simple[kind]()
        if kind in self.world.made:
            if depth < -2:
                raise Stuck(kind)
            return f"{kind}({', '.join(self.literal(k, depth - 1) for k in self.world.made[kind])})"
        if name in ("gen", "opt") or name not in MAKERS:
            raise Stuck(kind)
        if name == "tuple":
            return f"({', '.join(self.literal(part, depth) for part in parts)})"
        if name == "defaultdict":
            return f"defaultdict({self._default(parts[1])})"
        if name == "frozenset" and choose.percent(20):
            return "frozenset()"
        count = choose.integer(0, 3) if depth > 0 else 1
        items = [tuple(self.literal(part, depth - 1) for part in parts) for _ in range(count)]
        if name == "dict":
            return "{" + ", ".join(f"{k}: {v}" for k, v in items) + "}"
        if name == "ordered":
            return f"OrderedDict([{', '.join(f'({k}, {v})' for k, v in items)}])"
        if name == "set" and not items:
            return "set()"
        inside = ", ".join(one for (one,) in items)
        return MAKERS[name].format(inside)

    def _default(self, kind: str) -> str:
        name = split(kind)[0]
        if name in ("int", "float", "str", "list", "dict", "set", "deque", "frozenset"):
            return name
        if name in ("counter", "ordered"):
            return {"counter": "Counter", "ordered": "OrderedDict"}[name]
        return f"lambda: {self.literal(kind)}"

    def small(self, kind: str) -> str:
        """A constant that suits a method of strings, or an index."""
        if kind == "str":
            return _quoted(self.choose.pick(SHORT))
        if kind == "int":
            return str(self.choose.integer(0, 5))
        return self.literal(kind)

    def expression(self, kind: str, depth: int) -> str:
        choose = self.choose
        places = self.places(kind, {}, False)
        if places and choose.percent(85 if depth <= 0 else 35):
            return choose.pick(places)[0]
        if depth > -2 and choose.percent(30):
            made = [c for c in self.world.callables if c.gives == kind]
            if made:
                return self.call(choose.pick(made), depth - 1)
        if kind == "bool" and depth > -3 and not places and choose.percent(80):
            return self.test()
        if depth > 0:
            for _ in range(8):
                own = [(one, {}) for one in self.world.expressions if one.result == kind]
                options = [(one, known) for one, known in tables.giving(kind) if self._on(one)]
                if own and choose.percent(40):
                    options = own
                if not options:
                    break
                one, known = choose.pick(options)
                if one.risky and not choose.percent(self.world.risk):
                    continue
                try:
                    return self.filled(one, known, depth - 1)[0]
                except Stuck:
                    continue
        if split(kind)[0] == "gen":
            made = [c for c in self.world.callables if c.gives == kind]
            if not made:
                raise Stuck(kind)
            return self.call(choose.pick(made), 0)
        return choose.pick(places)[0] if places and choose.percent(60) else self.literal(kind)

    def test(self) -> str:
        """A condition on a variable."""
        choose = self.choose
        places = [p for p in self.paths() if split(p[1])[0] in ("int", "str", "list", "float")]
        places = places or [p for p in self.paths() if split(p[1])[0] in ("dict", "set", "deque")]
        if not places:
            return self.literal("bool")
        text, kind = choose.pick(places)
        if kind in ("int", "float"):
            forms = ["{} > {}", "{} % 3 != {}", "{} <= {}", "{} == {}"]
            return choose.pick(forms).format(text, choose.integer(0, 5))
        if kind == "str":
            return choose.pick([text, f"len({text}) < 4", f'"a" in {text}', f'{text} != "ab"'])
        return choose.pick([text, f"not {text}", f"len({text}) < {choose.integer(1, 4)}"])

    def _on(self, one: Template) -> bool:
        return one.group in self.world.groups

    def call(self, one: Callable, depth: int) -> str:
        items = [self.expression(kind, depth) for kind in one.takes]
        if "{0}" not in one.text:
            return f"{one.text}({', '.join(items)})"
        first = items[0]
        return one.text.format(first if first.isidentifier() else atom(first), *items[1:])

    # -- templates

    def _letter(self, variable: str) -> str:
        choose = self.choose
        if variable == "K":
            return choose.pick(KEYS)
        if variable == "H":
            classes = [name for name in self.world.fields if name in HASHED]
            others = classes or (FROZEN if "hashed" in self.world.groups else [])
            return choose.pick(others if others and choose.percent(60) else KEYS)
        if variable == "C":
            return choose.pick(["int", "str", "float", "tuple[int, str]"])
        if variable == "N":
            return choose.pick(["int", "float"])
        classes = list(self.world.fields)
        if classes and choose.percent(25):
            return choose.pick(classes)
        return choose.pick(self.world.palette if choose.percent(85) else COMMON)

    def bind(self, hole: Hole, known: dict[str, str]) -> dict[str, str]:
        """What the letters of a hole stand for: mostly what a variable there has."""
        missing = [x for x in dict.fromkeys(letters(hole.pattern)) if x not in known]
        if not missing:
            return known
        pattern = hole.pattern
        if split(pattern)[0] == "gen":
            kinds = [c.gives for c in self.world.callables if match(pattern, c.gives, known)]
            if not kinds:
                raise Stuck(pattern)
            return match(pattern, self.choose.pick(kinds), known)  # type: ignore[return-value]
        places = self.places(pattern, known, hole.changed)
        if not places and not is_variable(pattern) and self.choose.percent(85):
            raise Stuck
        if places and (not is_variable(pattern) or self.choose.percent(50)):
            if hole.changed or hole.name or self.choose.percent(75):
                _, kind = self.choose.pick(places)
                return match(pattern, kind, known)  # type: ignore[return-value]
        return known | {letter: self._letter(letter) for letter in missing}

    def filled(
        self, one: Template, known: dict[str, str], depth: int
    ) -> tuple[str, dict[str, str], dict[str, str]]:
        """The text; what the letters stand for; the names of the variables @."""
        names = {at: self.world.fresh("e") for at in ("@3", "@2", "@") if at in one.text}
        texts: dict[str, str] = {}  # of holes with a name
        several: dict[str, list[str]] = {}  # of the others
        roots: set[str] = set()
        order = sorted(one.holes, key=lambda h: (bool(h.variables), not h.changed, not h.name))
        for hole in order:
            if hole.pattern == "block":
                continue
            known = self.bind(hole, known)
            kind = fill(hole.pattern, known)
            if hole.changed:
                places = self.places(kind, {}, True)
                used = [texts[h.name] for h in one.holes if h.changed and h.name in texts]
                places = [place for place in places if place[0] not in used]
                if not places:
                    raise Stuck(kind)
                text = self.choose.pick(places)[0]
                roots.add(text.split(".")[0])
            else:
                # Python empties a list while it sorts it.
                hidden = roots if hole.variables and ".sort(" in one.text else set()
                text = self._hole(hole, kind, known, names, depth, hidden)
            if hole.name:
                texts[hole.text] = texts[hole.name] = text
            several.setdefault(hole.text, []).append(text)
        every = [text for these in several.values() for text in these]
        self._roots = roots | {text.split(".")[0] for text in every if _is_path(text)}

        def put(found: re.Match[str]) -> str:
            hole = found.group(1)
            if hole.startswith("block"):
                return found.group()
            return texts[hole] if hole in texts else several[hole].pop(0)

        text = HOLE.sub(put, one.text)
        for at, name in names.items():
            text = text.replace(at, name)
        return text, known, names

    def _hole(
        self,
        hole: Hole,
        kind: str,
        known: dict[str, str],
        names: dict[str, str],
        depth: int,
        hidden: set[str],
    ) -> str:
        if hole.mark == "=":
            return self.small(kind)
        if hole.mark == "~":
            depth = -9
            places = self.places(kind, {}, False)
            return self.choose.pick(places)[0] if places else self.literal(kind).replace("\\n", " ")
        with self.inside({names[a]: fill(p, known) for a, p in hole.variables}):
            self.variables = {n: k for n, k in self.variables.items() if n not in hidden}
            if hole.name:
                places = self.places(kind, {}, False)
                if not places:
                    raise Stuck(kind)
                return self.choose.pick(places)[0]
            if hole.variables and depth < 1:
                depth = 1
            if split(kind)[1] and split(kind)[0] != "tuple" and self.choose.percent(80):
                depth = min(depth, 0) if self.places(kind, {}, False) else depth
            return atom(self.expression(kind, depth))

    @contextmanager
    def inside(self, variables: dict[str, str], reserved: set[str] = frozenset()) -> Iterator[None]:  # type: ignore[assignment]
        before, held = dict(self.variables), set(self.reserved)
        self.variables |= variables
        self.reserved |= set(variables) | reserved
        yield
        self.variables, self.reserved = before, held

    # -- statements

    def block(self, low: int = 1, high: int = 3) -> list[str]:
        lines: list[str] = []
        self.depth += 1
        for _ in range(self.choose.integer(low, high)):
            lines += self.statement()
        self.depth -= 1
        return lines or ["pass"]

    def statement(self) -> list[str]:
        self.budget -= 1
        choose = self.choose
        for _ in range(6):
            kind = choose.weighted([
                (18, self.template), (5, self.assign), (2, self.branch), (1, self.attempt),
                (1, self.closure), (2, self.jump), (2, self.attribute), (1, self.plain_call),
            ])  # fmt: skip
            try:
                if lines := kind():
                    return lines
            except Stuck:
                continue
        return []

    def template(self) -> list[str]:
        deep = self.budget < 1 or self.depth > 2 or self.loops > 1
        own = self.world.statements if self.choose.percent(25) else []
        options = own or [one for one in tables.STATEMENTS if self._on(one)]
        if deep:
            options = [one for one in options if not one.block]
        if not options:
            raise Stuck
        one = self.choose.pick(options)
        if one.risky and not self.choose.percent(2 * self.world.risk):
            raise Stuck
        text, known, names = self.filled(one, {}, self.choose.integer(0, 2))
        roots = set(self._roots)
        if any(re.search(rf"(^|\n|, ) *{n}(, \w+)* [-+|]?= ", text) for n in self.captured & roots):
            raise Stuck
        lines: list[str] = []
        loop = bool(re.match(r"for|while", text.split("\n", 1)[0])) or "\nwhile" in text
        self.loops += loop
        for line in text.split("\n"):
            found = HOLE.search(line)
            if not found:
                lines.append(line)
                continue
            indent = line[: found.start()]
            hole = tables._hole(found.group(1))
            inner = {a: fill(p, known) for a, p in hole.variables}
            with self.inside(inner, roots):
                self.reserved |= set(names.values())
                lines += [indent + one for one in self.block()]
        self.loops -= loop
        for at, kind in one.after:
            self.variables[names[at]] = fill(kind, known)
        return lines

    def assign(self) -> list[str]:
        choose = self.choose
        old = [n for n in self.variables if n not in self.reserved and n != "self"]
        # Parameters that are objects are not assigned (docs/user/limits.md).
        old = [n for n in old if not (n[0] in "ap" and self.variables[n] in self.world.fields)]
        old = [n for n in old if n not in self.captured and split(self.variables[n])[0] != "gen"]
        if old and choose.percent(50):
            name = choose.pick(old)
            kind = self.variables[name]
        else:
            name, kind = self.world.fresh(), self._letter("T")
        text = self.expression(kind, choose.integer(1, 3))
        if self.loops and split(kind)[0] in ("list", "str"):
            text = f"{atom(text)}[:9]"
        if self.loops and kind == "int":
            text = f"{atom(text)} % 101"
        self.variables[name] = kind
        return [f"{name} = {text}"]

    def attribute(self) -> list[str]:
        places = [
            (text, kind)
            for text, kind in self.paths()
            if "." in text and not self._frozen(text) and text.split(".")[0] not in self.reserved
        ]
        if not places:
            raise Stuck
        text, kind = self.choose.pick(places)
        value = self.expression(kind, 2)
        if kind == "int":
            return [self.choose.pick([f"{text} += {value}", f"{text} = {value}"])]
        if self.loops and split(kind)[0] in ("list", "str"):
            value = f"{atom(value)}[:9]"
        return [f"{text} = {value}"]

    def plain_call(self) -> list[str]:
        made = [c for c in self.world.callables if not c.gives.startswith("gen")]
        if not made:
            raise Stuck
        one = self.choose.pick(made)
        return [self.call(one, 1)]

    def branch(self) -> list[str]:
        lines = [f"if {self.expression('bool', 2)}:"]
        for word in ("elif", "else"):
            with self.inside({}):
                lines += ["    " + line for line in self.block(1, 2)]
            if self.choose.percent(50):
                return lines
            if word == "elif" and self.choose.percent(50):
                lines.append(f"elif {self.expression('bool', 1)}:")
            else:
                lines.append("else:")
                break
        with self.inside({}):
            lines += ["    " + line for line in self.block(1, 2)]
        return lines

    def attempt(self) -> list[str]:
        """try, with the text of the exception kept or printed."""
        choose, name = self.choose, self.world.fresh("err")
        with self.inside({}):
            body = self.block(1, 2)
        kinds = choose.pick([
            "KeyError", "IndexError", "ValueError", "ZeroDivisionError", "(KeyError, IndexError)",
            "Exception", "LookupError", "StopIteration", "ArithmeticError",
        ])  # fmt: skip
        if choose.percent(40):
            body.append(choose.pick([
                "raise ValueError('raised')", f"raise KeyError({self.small('str')})",
                f"{self.world.fresh('w')} = 1 // {self.expression('int', 0)}",
                f"{self.world.fresh('w')} = [1, 2][{self.expression('int', 0)}]",
                f"{self.world.fresh('w')} = int({self.expression('str', 0)})",
            ]))  # fmt: skip
        lines = ["try:", *("    " + line for line in body), f"except {kinds} as {name}:"]
        texts = self.places("str", {}, True)
        use = [f"print({name})", f"print(repr({name}))", f"print(str({name}).upper())"]
        if texts:
            use.append(f"{choose.pick(texts)[0]} = str({name})")
        lines.append("    " + choose.pick(use))
        with self.inside({}):
            if choose.percent(30):
                lines += ["    " + line for line in self.block(1, 1)]
        for word in ("else", "finally"):
            if choose.percent(15):
                with self.inside({}):
                    lines += [f"{word}:", *("    " + line for line in self.block(1, 1))]
        return lines

    def closure(self) -> list[str]:
        """An inner function that reads, and sometimes changes, what is around it."""
        if self.depth or self.loops:
            raise Stuck
        choose, name = self.choose, self.world.fresh("inner")
        takes, gives = choose.pick(COMMON[:10]), choose.pick(COMMON[:10])
        parameter = self.world.fresh("p")
        numbers = [n for n, kind in self.variables.items() if kind == "int"]
        lines = [f"def {name}({parameter}):"]
        if numbers and choose.percent(50):
            one = choose.pick(numbers)
            lines += [f"    nonlocal {one}", f"    {one} += 1"]
        kept, (self.gives, self.yields) = (self.gives, self.yields), (None, None)
        with self.inside({parameter: takes}):
            self.captured, captured = set(self.variables), self.captured
            if choose.percent(40):
                lines += ["    " + line for line in self.block(1, 2)]
            lines.append(f"    return {self.expression(gives, 2)}")
            self.captured = captured
        self.gives, self.yields = kept
        self.local.append(Callable(name, (takes,), gives))
        self.world.callables.append(self.local[-1])
        return lines

    def jump(self) -> list[str]:
        choose = self.choose
        if self.yields is not None and choose.percent(60):
            return [f"yield {self.expression(self.yields, 2)}"]
        if not self.depth:
            raise Stuck
        forms = ["break", "continue"] if self.loops else []
        if self.gives is not None and choose.percent(40):
            forms = [f"return {self.expression(self.gives, 1)}"]
        elif self.yields is not None:
            forms.append("return")
        if not forms:
            raise Stuck
        return [f"if {self.expression('bool', 1)}:", f"    {choose.pick(forms)}"]


MAKERS = {
    "list": "[{}]", "set": "{{{}}}", "deque": "deque([{}])", "counter": "Counter([{}])",
    "dict": "", "tuple": "", "defaultdict": "", "ordered": "", "frozenset": "frozenset([{}])",
}  # fmt: skip


def _quoted(word: str) -> str:
    return '"' + word.replace("\n", "\\n") + '"'


def _is_path(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z_][\w.]*", text) is not None
