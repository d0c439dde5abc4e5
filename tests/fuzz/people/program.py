"""Whole programs: classes, functions and generators, an `f` over them, and its calls."""

from __future__ import annotations

import contextlib
import copy
import io
import signal
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

from fuzz.choices import Chooser
from fuzz.people import skeletons
from fuzz.people.body import COMMON, FROZEN_SETS, NESTED, Body, Stuck, World
from fuzz.people.definitions import Class, generator, helper, recursive
from fuzz.people.tables import GROUPS
from fuzz.people.types import HASHED, split
from support.compare import make

HEADER = """\
import bisect
import functools
import heapq
import itertools
import math
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field, replace
"""
PARAMETERS = [
    "int", "int", "str", "str", "float", "list[int]", "list[int]", "list[str]", "dict[str, int]",
    "list[tuple[str, int]]", "dict[str, list[int]]", "list[list[int]]", "list[float]", "array",
    "dict[int, str]", "dict[str, dict[str, int]]", "tuple[int, str]", "bool",
]  # fmt: skip
# Dataclasses look their module up.
sys.modules.setdefault("made_by_a_test", types.ModuleType("made_by_a_test"))
SECONDS = 0.5  # of a program in plain Python; what takes longer is not used


class TooLong(BaseException):
    pass


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Raises TooLong after some seconds of the processor's time."""

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


class Writer:
    def __init__(self, choose: Chooser) -> None:
        self.choose = choose
        groups = {"numbers", *choose.some(GROUPS, 2, 5)}
        self.world = World(groups)
        self.parts: list[list[str]] = []

    def write(self) -> tuple[str, tuple[str, ...]]:
        choose, world = self.choose, self.world
        world.palette = [*choose.some(COMMON, 3, 6), "int", "str"]
        for group, kinds in (("nests", NESTED), ("hashed", FROZEN_SETS)):
            if group in world.groups:
                world.palette += choose.some(kinds, 1, 3)
        world.risk = choose.pick([0, 2, 5, 10])
        for _ in range(choose.weighted([(3, 0), (4, 1), (3, 2), (1, 3)])):
            self.parts.append([Class(choose, world).write()])
        makers = [helper] * choose.integer(0, 2) + [recursive] * choose.integer(0, 1)
        if "generators" in world.groups:
            makers += [generator] * choose.integer(1, 2)
        for make_one in makers:
            with contextlib.suppress(Stuck):
                self.parts.append(make_one(choose, world))
        if choose.percent(50):
            with contextlib.suppress(Stuck):
                self.parts.append(skeletons.function(choose, world))
        return self._entry()

    def _entry(self) -> tuple[str, tuple[str, ...]]:
        choose, world = self.choose, self.world
        kinds = [choose.pick(PARAMETERS) for _ in range(choose.integer(1, 4))]
        if world.fields and choose.percent(25):
            kinds.append(choose.pick(list(world.fields)))
            if choose.percent(50):
                kinds[-1] = f"list[{kinds[-1]}]"
        takes = {f"a{k}": kind for k, kind in enumerate(kinds)}
        body = Body(choose, world, takes)
        body.budget = choose.pick([3, 6, 9, 14, 20])
        lines: list[str] = []
        for kind in world.fields:
            if choose.percent(80):
                name = world.fresh("obj")
                if choose.percent(50):
                    kind = choose.pick([f"list[{kind}]", f"dict[str, {kind}]"])
                with contextlib.suppress(Stuck):
                    lines.append(f"{name} = {body.expression(kind, 1)}")
                    body.variables[name] = kind
        for name in filter(HASHED.__contains__, world.fields):
            forms = [f"list[{name}]", f"dict[{name}, int]", f"set[{name}]", f"frozenset[{name}]"]
            world.palette += choose.some([*forms, f"tuple[{name}, int]"], 1, 3)
        for kind in choose.some(world.palette, 2, 4):
            name = world.fresh()
            lines.append(f"{name} = {self._start(body, kind)}")
            body.variables[name] = kind
        while body.budget > 0:
            lines += body.statement()
        results = [n for n, k in body.variables.items() if not k.startswith("gen")]
        given = choose.some(results[::-1], 1, 6)
        with contextlib.suppress(Stuck):
            given.append(body.expression(choose.pick(COMMON), 2))
        lines.append(f"return {', '.join(given)}")
        text = [f"def f({', '.join(takes)}):", *("    " + line for line in lines)]
        source = "\n\n\n".join([HEADER, *("\n".join(part) for part in [*self.parts, text])])
        return source + "\n", tuple(self._call(body, takes) for _ in range(choose.integer(1, 3)))

    def _start(self, body: Body, kind: str) -> str:
        """Containers are often empty at first."""
        empty = {"list": "[]", "dict": "{}", "set": "set()", "deque": "deque()"}
        empty |= {"ordered": "OrderedDict()"}
        empty["counter"] = "Counter()"
        if (head := split(kind)[0]) in empty and self.choose.percent(60):
            return empty[head]
        return body.expression(kind, 1)

    def _call(self, body: Body, takes: dict[str, str]) -> str:
        items = []
        for kind in takes.values():
            items.append(body.literal(kind, 3))
        names = [f"a{k}" for k in range(len(items))]
        lines = [f"{n} = {text}" for n, text in zip(names, items, strict=True)]
        kinds = list(takes.values())
        for k in range(1, len(kinds)):  # one list under two names
            if kinds[k] == kinds[k - 1] and self.choose.percent(15):
                lines[k] = f"a{k} = a{k - 1}"
        return "\n".join([*lines, f"args = ({', '.join(names)},)"])


def raises(source: str, calls: tuple[str, ...]) -> int | None:
    """How many of the calls raise; None of a program that does not end soon, or is none."""
    count = 0
    try:
        f = make(source)
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), limited():
            warnings.simplefilter("error", SyntaxWarning)
            for call in calls:
                space = dict(f.__globals__)
                exec(call, space)
                try:
                    f(*copy.deepcopy(space["args"]))
                except (NameError, AttributeError, TypeError, RecursionError):
                    return None
                except Exception:
                    count += 1
    except (TooLong, SyntaxError, MemoryError):
        return None
    except Exception:
        return None
    return count


def written(choose: Chooser) -> tuple[str, tuple[str, ...]]:
    """Most programs do not raise in all of their calls."""
    kept: tuple[str, tuple[str, ...]] | None = None
    for _ in range(20):
        try:
            source, calls = Writer(choose).write()
        except Stuck:
            continue
        count = raises(source, calls)
        if count is None:
            continue
        kept = source, calls
        if not count or choose.percent(30):
            return kept
    return kept or (f"{HEADER}\n\ndef f(a0):\n    return a0\n", ("args = (1,)",))
