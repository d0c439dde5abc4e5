"""Classes, functions and generators that a program has above its `f`."""

from __future__ import annotations

from fuzz.choices import Chooser
from fuzz.people.body import COMMON, Body, Callable, Stuck, World
from fuzz.people.tables import template
from fuzz.people.types import HASHED, split

NAMES = ["Item", "Account", "Node", "Agent", "Event", "Shape", "Task", "Box"]
FIELDS = ["size", "name", "items", "table", "weight", "tags", "score", "other"]
FIELD_KINDS = [
    "int", "int", "int", "str", "str", "float", "list[int]", "list[str]", "dict[str, int]", "bool",
    "dict[int, str]", "set[int]", "tuple[int, int]", "dict[str, list[int]]", "deque[int]",
    "list[tuple[str, int]]",
]  # fmt: skip
HASHED_KINDS = [
    "int", "int", "int", "str", "str", "float", "tuple[int, int]", "frozenset[int]", "bool",
    "tuple[str, int]",
]  # fmt: skip


def _indented(lines: list[str], depth: int = 1) -> list[str]:
    return ["    " * depth + line for line in lines]


class Class:
    """Writes one class; what it has is added to the world."""

    def __init__(self, choose: Chooser, world: World) -> None:
        self.choose, self.world = choose, world
        bases = [n for n in world.fields if n not in world.frozen]
        self.base = choose.pick(bases) if bases and choose.percent(40) else None
        self.data = self.base is None and choose.percent(35)
        self.frozen = self.data and choose.percent(45)
        self.hashed = self.frozen or (not self.data and not self.base and choose.percent(25))
        names = HASHED if self.hashed else NAMES
        self.name = choose.pick([n for n in names if n not in world.fields])
        self.fields: dict[str, str] = {}
        for name in choose.some(FIELDS, 1, 3):
            self.fields[name] = self._kind()

    def _kind(self) -> str:
        others = [n for n in self.world.fields if n != self.base]
        if self.hashed:
            others = [n for n in others if n in HASHED]
        if others and self.choose.percent(15):
            if self.hashed:
                return self.choose.pick(others)
            one = self.choose.pick(others)
            return self.choose.pick([one, f"list[{one}]", f"dict[str, {one}]"])
        return self.choose.pick(HASHED_KINDS if self.hashed else FIELD_KINDS)

    def write(self) -> str:
        world, choose, name = self.world, self.choose, self.name
        own = dict(self.fields)
        inherited = world.fields[self.base] if self.base else {}
        self.fields = {**inherited, **own}
        own = {k: v for k, v in own.items() if k not in inherited}
        self.fields = {**inherited, **own}
        taken = dict(own) if self.data else self._taken(own)
        before = list(world.made[self.base]) if self.base else []
        head = self._head(own, inherited, taken)
        world.fields[name] = dict(self.fields)
        world.made[name] = [*before, *taken.values()]
        if self.hashed:  # what is a key is not changed
            world.frozen.add(name)
        if self.base:
            world.bases[name] = self.base
        lines = list(head)
        makers = choose.some([*METHODS, Class.method, Class.method], 1, 5)
        if self.hashed and not self.data:
            makers = [Class.hash, *(one for one in makers if one is not Class.equal)]
        if self.data and choose.percent(40):
            makers = [Class.post, *makers]
        for make in makers:
            try:
                lines += ["", *_indented(make(self))]
            except Stuck:
                continue
        return "\n".join(lines)

    def _taken(self, own: dict[str, str]) -> dict[str, str]:
        """Of an ordinary class some attributes begin as constants."""
        kept = {k: v for k, v in own.items() if self.choose.percent(65)}
        return kept

    def _head(
        self, own: dict[str, str], inherited: dict[str, str], taken: dict[str, str]
    ) -> list[str]:
        choose, name = self.choose, self.name
        if self.data:
            options = ["frozen=True"] if self.frozen else []
            if all(split(k)[0] in ("int", "str", "float", "tuple") for k in own.values()):
                if choose.percent(50):
                    options.append("order=True")
                    self._ordered()
            mark = f"@dataclass({', '.join(options)})" if options else "@dataclass"
            return [mark, f"class {name}:", *(f"    {k}: {_hint(v)}" for k, v in own.items())]
        body = Body(choose, self.world, {})
        base = f"({self.base})" if self.base else ""
        before = [f"b{k}" for k in range(len(self.world.made[self.base]))] if self.base else []
        lines = [f"class {name}{base}:"]
        if choose.percent(20):
            lines.append(f"    {choose.pick(['limit', 'kind'])} = {body.literal('int')}")
        lines.append(f"    def __init__(self, {', '.join([*before, *taken])}):".replace(", )", ")"))
        if self.base:
            lines.append(f"        super().__init__({', '.join(before)})")
        for k, kind in own.items():
            lines.append(f"        self.{k} = {k if k in taken else body.literal(kind)}")
        return lines

    def _add(self, result: str, text: str) -> None:
        self.world.expressions.append(template("own", result, text.replace("$", self.name)))

    def _ordered(self) -> None:
        self._add("bool", "`$` < `$`")
        self._add("bool", "`$` >= `$`")
        self._add("list[$]".replace("$", self.name), "sorted(`list[$]`)")
        self._add("$".replace("$", self.name), "max(`$`, `$`)")
        self._add("$".replace("$", self.name), "min([`$`, `$`])")

    def body(self, takes: dict[str, str]) -> Body:
        made = Body(self.choose, self.world, {"self": self.name, **takes})
        made.depth, made.budget = 1, 3
        return made

    def returned(self, kind: str, takes: dict[str, str], lines: int = 0) -> list[str]:
        body = self.body(takes)
        text: list[str] = []
        if lines:
            body.gives = kind
            text = body.block(0, lines)
            body.depth = 0
        done = [*text, f"return {body.expression(kind, 2)}"]
        for one in body.local:
            self.world.callables.remove(one)
        return done

    # -- methods

    def method(self) -> list[str]:
        choose = self.choose
        name = self.world.fresh("do")
        kinds = [choose.pick(COMMON[:14]) for _ in range(choose.integer(0, 2))]
        if choose.percent(15):
            kinds.append(self.name)
        takes = {self.world.fresh("p"): kind for kind in kinds}
        gives = choose.pick([*COMMON[:12], self.name, *self.fields.values()])
        lines = self.returned(gives, takes, 3)
        marks = ", ".join(f"{{{k + 1}}}" for k in range(len(takes)))
        one = Callable(f"{{0}}.{name}({marks})", (self.name, *takes.values()), gives)
        self.world.callables.append(one)
        return [f"def {name}({', '.join(['self', *takes])}):", *_indented(lines)]

    def property(self) -> list[str]:
        kind = self.choose.pick(COMMON[:12])
        name = self.world.fresh("seen")
        lines = self.returned(kind, {}, 1)
        self._add(kind, f"`$`.{name}")
        return ["@property", f"def {name}(self):", *_indented(lines)]

    def less(self) -> list[str]:
        self._need(not self.data)
        names = [k for k, v in self.fields.items() if v in ("int", "str", "float")]
        self._need(bool(names))
        self._ordered()
        one = self.choose.pick(names)
        key = self.choose.pick(["{}.%s" % one, "({}.%s, 1)" % one, "-{}.%s" % one])
        if self.fields[one] == "str":
            key = key.replace("-", "")
        left, right = key.format("self"), key.format("o")
        lines = ["def __lt__(self, o):", f"    return {left} < {right}", "", "def __ge__(self, o):"]
        return [*lines, "    return not self < o"]

    def equal(self) -> list[str]:
        self._need(not self.data)
        one = self.choose.pick(list(self.fields))
        self._add("bool", "`$` == `$`")
        self._add("bool", "`$` != `$`")
        self._add("bool", "`$` in `list[$]`")
        self._add("int", "`list[$]`.count(`$`)")
        test = self.choose.pick(["", f"isinstance(o, {self.name}) and "])
        return ["def __eq__(self, o):", f"    return {test}self.{one} == o.{one}"]

    def hash(self) -> list[str]:
        """Equal objects and their hashes: of one or of all of the attributes."""
        names = self.choose.pick([list(self.fields), list(self.fields)[:1]])
        own, other = (", ".join(f"{one}.{name}" for name in names) for one in ("self", "o"))
        if len(names) > 1:
            own, other = f"({own})", f"({other})"
        test = self.choose.pick(["", f"isinstance(o, {self.name}) and "])
        value = self.choose.pick([own, own, f"({own}, 1)"])
        lines = ["def __eq__(self, o):", f"    return {test}{own} == {other}", ""]
        return [*lines, "def __hash__(self):", f"    return hash({value})"]

    def post(self) -> list[str]:
        """__post_init__: checks or changes what was passed."""
        choose = self.choose
        name, kind = choose.pick(list(self.fields.items()))
        self._need(kind in ("int", "str", "float") or split(kind)[0] == "list")
        head = split(kind)[0]
        value = {"int": "abs({})", "str": "{}.strip()", "float": "round({}, 1)", "list": "{}[:4]"}
        self._add(self.name, f"replace(`$`, {name}=`{kind}`)")
        text = value[head].format(f"self.{name}")
        if choose.percent(40):
            wrong = {"int": "{} > 8", "str": '"=" in {}', "float": "{} > 8", "list": "len({}) > 6"}
            test = wrong[head].format(f"self.{name}")
            lines = [f"if {test}:", f"    raise ValueError(f'bad {name}: {{self.{name}}}')"]
        elif self.frozen:
            lines = [f'object.__setattr__(self, "{name}", {text})']
        else:
            lines = [f"self.{name} = {text}"]
        return ["def __post_init__(self):", *_indented(lines)]

    def length(self) -> list[str]:
        kinds = ("list", "dict", "set", "str", "deque")
        names = [k for k, v in self.fields.items() if split(v)[0] in kinds]
        self._need(bool(names))
        self._add("int", "len(`$`)")
        self._add("bool", "bool(`$`)")
        return ["def __len__(self):", f"    return len(self.{self.choose.pick(names)})"]

    def item(self) -> list[str]:
        choose = self.choose
        names = [k for k, v in self.fields.items() if split(v)[0] in ("list", "dict", "deque")]
        self._need(bool(names))
        name = choose.pick(names)
        head, parts = split(self.fields[name])
        key, value = parts if head == "dict" else ("int", parts[0])
        self._add(value, f"`$`[`{key}`]" if head == "dict" else "`$`[`=int`]")
        lines = ["def __getitem__(self, k):", f"    return self.{name}[k]"]
        if choose.percent(40):
            lines += ["", "def __setitem__(self, k, v):", f"    self.{name}[k] = v"]
            text = f"`{self.name}`[`{key if head == 'dict' else '=int'}`] = `{value}`"
            self.world.statements.append(template("own", "", text))
        if choose.percent(40):
            lines += ["", "def __contains__(self, k):", f"    return k in self.{name}"]
            self._add("bool", f"`{key if head == 'dict' else value}` in `$`")
        return lines

    def iterate(self) -> list[str]:
        choose = self.choose
        names = [k for k, v in self.fields.items() if split(v)[0] in ("list", "dict", "deque")]
        self._need(bool(names))
        name = choose.pick(names)
        kind = split(self.fields[name])[1][0]
        self._add(f"list[{kind}]", "list(`$`)")
        self._add("int", f"sum(`int|@:{kind}` for @ in `$`)")
        text = f"for @ in `{self.name}`:\n    `block|@:{kind}`"
        self.world.statements.append(template("own", "", text))
        forms = [[f"return iter(self.{name})"], [f"for x in self.{name}:", "    yield x"]]
        return [
            "def __iter__(self):",
            *_indented(choose.pick([*forms, [f"yield from self.{name}"]])),
        ]

    def shown(self) -> list[str]:
        # The text of an object without a __repr__ has its address.
        plain = [k for k, v in self.fields.items() if not any(n in v for n in [*NAMES, *HASHED])]
        self._need(bool(plain))
        name = self.choose.pick(plain)
        self._add("str", "str(`$`)")
        self._add("str", "f'{`~$`}!'")
        self.world.statements.append(template("own", "", f"print(`{self.name}`)"))
        word = self.choose.pick(["__repr__", "__str__"])
        return [f"def {word}(self):", f"    return f'{self.name}({{self.{name}}})'"]

    def add(self) -> list[str]:
        self._need(len(self.world.made[self.name]) > 0)
        self._add(self.name, "`$` + `$`")
        body = self.body({"o": self.name})
        items = [body.expression(kind, 1) for kind in self.world.made[self.name]]
        return ["def __add__(self, o):", f"    return {self.name}({', '.join(items)})"]

    def called(self) -> list[str]:
        kind, gives = self.choose.pick(COMMON[:8]), self.choose.pick(COMMON[:8])
        lines = self.returned(gives, {"a": kind}, 1)
        self._add(gives, f"`$`(`{kind}`)")
        return ["def __call__(self, a):", *_indented(lines)]

    def static(self) -> list[str]:
        choose, name = self.choose, self.world.fresh("of")
        if choose.percent(50):
            items = [Body(choose, self.world, {"a": "int"}).expression(k, 1)
                     for k in self.world.made[self.name]]  # fmt: skip
            self._add(self.name, f"$.{name}(`int`)")
            return ["@classmethod", f"def {name}(cls, a):", f"    return cls({', '.join(items)})"]
        kind, gives = choose.pick(COMMON[:8]), choose.pick(COMMON[:8])
        text = Body(choose, self.world, {"a": kind}).expression(gives, 2)
        self._add(gives, f"$.{name}(`{kind}`)")
        return ["@staticmethod", f"def {name}(a):", f"    return {text}"]

    def overridden(self) -> list[str]:
        """A method of the base class, with another result of the same type."""
        made = [c for c in self.world.callables if c.takes[:1] == (self.base,)]
        made = [c for c in made if c.text.startswith("{0}.")]
        self._need(bool(made))
        one = self.choose.pick(made)
        name = one.text[4:].split("(")[0]
        takes = {self.world.fresh("p"): kind for kind in one.takes[1:]}
        lines = self.returned(one.gives, takes, 1)
        if self.choose.percent(40):
            lines = [f"return super().{name}({', '.join(takes)})"]
            if one.gives in ("int", "str", "float"):
                lines[0] += " * 2"
        return [f"def {name}({', '.join(['self', *takes])}):", *_indented(lines)]

    def _need(self, condition: bool) -> None:
        if not condition:
            raise Stuck


METHODS = [
    Class.property, Class.less, Class.equal, Class.length, Class.item, Class.iterate, Class.shown,
    Class.add, Class.called, Class.static, Class.overridden,
]  # fmt: skip


def _hint(kind: str) -> str:
    return kind.replace("counter", "Counter").replace("ordered", "OrderedDict")


def helper(choose: Chooser, world: World) -> list[str]:
    """A function with typed parameters."""
    name = world.fresh("help")
    kinds = [choose.pick([*COMMON, *world.fields]) for _ in range(choose.integer(1, 3))]
    takes = {world.fresh("p"): kind for kind in kinds}
    gives = choose.pick([*COMMON, *world.fields])
    body = Body(choose, world, takes)
    body.gives, body.budget = gives, choose.integer(2, 6)
    lines: list[str] = []
    while body.budget > 0:
        lines += body.statement()
    lines.append(f"return {body.expression(gives, 2)}")
    for one in body.local:
        world.callables.remove(one)
    world.callables.append(Callable(name, tuple(kinds), gives))
    return [f"def {name}({', '.join(takes)}):", *_indented(lines)]


def generator(choose: Chooser, world: World) -> list[str]:
    name = world.fresh("gen")
    kinds = [choose.pick([*COMMON[:12], *world.fields]) for _ in range(choose.integer(1, 2))]
    takes = {world.fresh("p"): kind for kind in kinds}
    gives = choose.pick([*COMMON[:14], *world.fields])
    body = Body(choose, world, takes)
    body.yields, body.budget = gives, choose.integer(1, 4)
    lines: list[str] = []
    while body.budget > 0:
        lines += body.statement()
    loop = choose.pick([f"for {{}} in range({body.literal('int')}):", "for {} in range(len({})):"])
    kinds_with_len = ("list", "str", "dict", "deque")
    sized = [n for n, k in body.variables.items() if split(k)[0] in kinds_with_len]
    if bool(sized) != ("len" in loop):
        loop = "for {} in range(4):"
    count = world.fresh("i")
    with body.inside({count: "int"}, {count, *takes}):
        body.loops = body.depth = 1
        inner = body.block(0, 2)
        inner.append(f"yield {body.expression(gives, 2)}")
    lines += [loop.format(count, *(sized[:1])), *_indented([x for x in inner if x != "pass"])]
    same = [c for c in world.callables if c.gives == f"gen[{gives}]"]
    if choose.percent(25) and (same or f"list[{gives}]" in body.variables.values()):
        kind = f"gen[{gives}]" if same else f"list[{gives}]"
        lines.append(f"yield from {body.expression(kind, 0)}")
    for one in body.local:
        world.callables.remove(one)
    world.callables.append(Callable(name, tuple(kinds), f"gen[{gives}]"))
    return [f"def {name}({', '.join(takes)}):", *_indented(lines)]


def recursive(choose: Chooser, world: World) -> list[str]:
    """A function that calls itself, perhaps with a table."""
    name = world.fresh("rec")
    memo = choose.pick(["", "@functools.cache\n", "@functools.lru_cache(maxsize=None)\n"])
    body = Body(choose, world, {"n": "int"})
    gives = choose.pick(["int", "int", "str", "list[int]"])
    ends = body.literal(gives)
    inner = f"({body.expression(gives, 1)})"
    join = {"int": "({0}(n - 1) * 2 + {0}(n - 2) + {1}) % 1009", "str": "({0}(n - 1) + {1})[-6:]",
            "list[int]": "({0}(n - 1) + {1})[:8]"}[gives]  # fmt: skip
    text = join.format(name, inner)
    world.callables.append(Callable(f"{name}({{0}} % 9)", ("int",), gives))
    if gives == "list[int]":
        memo = ""
    return [*(memo + f"def {name}(n):").split("\n"), "    if n < 2:", f"        return {ends}",
            f"    return {text}"]  # fmt: skip
