"""Runs IR text of the typed and nest stages with NumPy arrays as memory: slow, strict and simple.

Nests run as adversarially as their `order` allows, and `groups` are checked against the memory
itself.
"""

import itertools
import random
import re
from typing import Any

import numpy as np

REDUCTIONS = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
DIM = re.compile(r"#np\.dim<([^<>]*)>")
FUNCTIONS = {
    "bcast": lambda size: 0 if size == 1 else 1,
    "wrap": lambda index, size: index + size if index < 0 else index,
    "floordiv": lambda a, b: a // b,
    "min": min,
    "max": max,
}


def split_top(text: str) -> list[str]:
    """Splits at the commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(text):
        depth += (c in "([{<") - (c in ")]}>" and text[k - 1] != "-")
        if c == "," and depth == 0:
            parts.append(text[start:k].strip())
            start = k + 1
    return [*parts, text[start:].strip()] if text.strip() else []


def bracket(text: str, at: int) -> tuple[str, int]:
    """The bracketed text that starts at the next '(' or '[', and the position after it."""
    while text[at] not in "([":
        at += 1
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] in "([") - (text[k] in ")]")
        if depth == 0:
            return text[at : k + 1], k + 1
    raise ValueError(text)


def array_dims(text: str) -> list[str]:
    """Dims of the last array type of the text."""
    inner = text[text.rindex("<") + 1 : text.rindex(">")]
    return inner.split(",")[0].split(" x ")[:-1]


def value_dims(text: str) -> list[str]:
    inner = text[text.rindex("#np.dims<") + 9 :]
    return [dim.strip() for dim in inner[: inner.index(">")].split(",")]


class Machine:
    def __init__(self, text: str, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = [line.strip() for line in text.splitlines()]
        self.values: dict[str, Any] = {}
        self.symbols: dict[str, int] = {}
        self.at = 0

    def dim(self, expression: str, **more: int) -> int:
        return int(eval(expression, {**FUNCTIONS, **self.symbols, **more}))

    def dims(self, text: str, **more: int) -> list[int]:
        return [self.dim(e, **more) for e in DIM.findall(text)]

    def get(self, names: str) -> list[Any]:
        return [self.values[name] for name in split_top(names)]

    def call(self, arguments: list[np.ndarray]) -> list[Any]:
        header = next(k for k, line in enumerate(self.lines) if line.startswith("np.func"))
        text, _ = bracket(self.lines[header], 0)
        for parameter, array in zip(split_top(text[1:-1]), arguments, strict=True):
            name, type_ = parameter.split(":", 1)
            self.values[name.strip()] = array
            for dim, size in zip(array_dims(type_), array.shape, strict=True):
                if dim.isidentifier():
                    self.symbols.setdefault(dim, size)
        self.at = header + 1
        kind, names = self.block()
        assert kind == "np.return"
        return self.get(names)

    def block(self) -> tuple[str, str]:
        """Runs up to the terminator; returns its name and operands. `at` is then after it."""
        while True:
            line = self.lines[self.at]
            self.at += 1
            found = re.match(r"(np\.return|np\.next|np\.yield)\s*\(?([^):]*)", line)
            if found:
                return found[1], found[2].strip()
            self.operation(line)

    def skip(self) -> None:
        """Goes to the closing brace of the region that `at` is in."""
        depth = 1
        while depth:
            line = self.lines[self.at]
            depth += line.endswith("{") - line.startswith("}")
            self.at += 1
            if line == "} else {" and depth == 1:
                self.at -= 1
                return

    def operation(self, line: str) -> None:
        if not line or line.startswith("^bb0"):
            return
        results, _, rest = line.partition(" = ") if line.startswith("%") else ("", "", line)
        name = re.match(r"np\.(\w+)", rest)
        assert name, line
        outcome = getattr(self, "op_" + name[1])(rest)
        if not results:
            return
        base, _, count = results.partition(":")
        if count:
            for k, value in enumerate(outcome):
                self.values[f"{base}#{k}"] = value
        else:
            self.values[base] = outcome[0] if isinstance(outcome, list) else outcome

    # -- handles

    def op_alloc(self, rest: str) -> Any:
        return np.full([self.dim(d) for d in array_dims(rest)], -77, np.int64)

    def op_view(self, rest: str) -> Any:
        base = self.values[rest.split()[1]]
        offsets, end = bracket(rest, rest.index("["))
        steps, end = bracket(rest, end)
        axes, _ = bracket(rest, end)
        offset, step = self.dims(offsets), self.dims(steps)
        along = [int(a) for a in axes[1:-1].split(",") if a.strip()]
        shape = [self.dim(d) for d in array_dims(rest)]
        strides = [base.strides[d] * step[d] if d >= 0 else 0 for d in along]
        fixed = tuple(slice(o, o + 1) for o in offset)
        start = (
            base[fixed]
            if all(0 <= o < n for o, n in zip(offset, base.shape, strict=True))
            else None
        )
        assert start is not None, rest
        return np.lib.stride_tricks.as_strided(start, shape, strides)

    def op_read(self, rest: str) -> Any:
        return self.values[rest.split()[1]].copy()

    def op_materialize(self, rest: str) -> Any:
        return self.values[rest.split()[1]].copy()

    def op_assign(self, rest: str) -> None:
        value, base = re.findall(r"%[\w#]+", rest)[:2]
        self.values[base][...] = self.values[value]

    def op_load(self, rest: str) -> Any:
        at = bracket(rest, rest.index("["))[0]
        return self.values[rest.split()[1]][tuple(self.dims(at))]

    def op_store(self, rest: str) -> None:
        value, base = re.findall(r"%[\w#]+", rest)[:2]
        self.values[base][tuple(self.dims(bracket(rest, rest.index("["))[0]))] = self.values[value]

    # -- values

    def op_const(self, rest: str) -> Any:
        return np.int64(rest.split()[1])

    def op_ufunc(self, rest: str) -> Any:
        name = rest.split('"')[1]
        return getattr(np, name)(*self.get(bracket(rest, 0)[0][1:-1]))

    def op_broadcast(self, rest: str) -> Any:
        shape = [self.dim(d) for d in value_dims(rest)]
        return np.broadcast_to(self.values[rest.split()[1]], shape)

    def op_splat(self, rest: str) -> Any:
        return np.full([self.dim(d) for d in value_dims(rest)], self.values[rest.split()[1]])

    def op_reduce(self, rest: str) -> Any:
        combine = REDUCTIONS[rest.split('"')[1]]
        operand, end = bracket(rest, 0)
        axes = tuple(int(a) for a in bracket(rest, end)[0][1:-1].split(","))
        return combine.reduce(self.values[operand[1:-1]], axis=axes, keepdims=" keepdims" in rest)

    # -- symbols

    def op_size(self, rest: str) -> int:
        return self.dim(rest[rest.index("<") + 1 : rest.rindex(">")])

    def op_symbol(self, rest: str) -> None:
        self.symbols[rest.split('"')[1]] = self.values[rest.rsplit(" ", 1)[1]]

    def op_native(self, rest: str) -> int:
        assert rest.startswith('np.native "strip_bytes"'), rest
        return self.random.choice([1, 50, 300, 100_000])

    # -- control

    def op_for(self, rest: str) -> list[Any]:
        symbol = rest.split('"')[1]
        low, high, step = (self.dim(e) for e in re.findall(r"<([^<>]*)>", rest)[:3])
        carried = self.get(bracket(rest, rest.index("iter"))[0][1:-1])
        begin = self.at
        for count in range(low, high, step):
            self.at = begin
            names = [p.split(":")[0] for p in split_top(bracket(self.lines[begin], 0)[0][1:-1])]
            self.symbols[symbol] = count
            for name, value in zip(names[1:], carried, strict=True):
                self.values[name] = value
            _, following = self.block()
            carried = self.get(following)
        self.at = begin
        self.skip()
        return carried

    def op_if(self, rest: str) -> list[Any]:
        if not self.values[rest.split()[1]]:
            self.skip()
            self.at += 1
        names = self.block()[1]
        if self.lines[self.at] == "} else {":
            self.at += 1
            self.skip()
        else:
            self.at += 1
        return self.get(names)

    def op_nest(self, rest: str) -> list[Any]:
        space_text, end = bracket(rest, 0)
        space = self.dims(space_text)
        reduced = int(re.match(r" reduced (\d+)", rest[end:])[1])
        fields = []
        for _ in range(5):
            text, end = bracket(rest, end)
            fields.append(text)
        reads, writes = self.get(fields[0][1:-1]), self.get(fields[2][1:-1])
        read_maps, write_maps = (
            [DIM.findall(m) for m in split_top(fields[k][1:-1])] for k in (1, 3)
        )
        combine = re.findall(r'"(\w*)"', fields[4])
        order = re.search(r" order (\[.*?\])", rest)
        groups = re.search(r" groups \[(.*?)\]", rest)
        directions = re.findall(r'"(\w+)"', order[1]) if order else ["any"] * (len(space) - reduced)
        if groups:
            self.check_groups(reads + writes, [int(g) for g in groups[1].split(",")])
        begin = self.at
        names = (
            [p.split(":")[0] for p in split_top(bracket(self.lines[begin], 0)[0][1:-1])]
            if reads
            else []
        )
        body = begin + bool(reads)
        finish = next(
            k for k in range(body, len(self.lines)) if self.lines[k].startswith("np.nest_yield")
        )
        yielded = self.lines[finish].split("np.nest_yield ")[1].split(" : ")[0]
        totals: dict[tuple, Any] = {}
        results: list[Any] = [None] * (len(combine) - len(writes))
        late = (
            self.random.random() < 0.5
        )  # reductions are stored at the end of the nest, or at once
        for point in self.points(space, reduced, directions):
            here = {f"d{k}": p for k, p in enumerate(point)}
            for name, array, index in zip(names, reads, read_maps, strict=True):
                self.values[name] = array[tuple(self.dim(e, **here) for e in index)]
            for line in self.lines[body:finish]:
                self.operation(line)
            for k, value in enumerate(self.get(yielded)):
                if k < len(writes):
                    index = tuple(self.dim(e, **here) for e in write_maps[k])
                    if not combine[k]:
                        writes[k][index] = value
                        continue
                    total = totals.get((k, index))
                    totals[k, index] = (
                        value if total is None else REDUCTIONS[combine[k]](total, value)
                    )
                    if not late:
                        writes[k][index] = totals[k, index]
                else:
                    r = k - len(writes)
                    results[r] = (
                        value if results[r] is None else REDUCTIONS[combine[k]](results[r], value)
                    )
        for (k, index), total in totals.items():
            writes[k][index] = total
        self.at = finish + 2
        return results

    def points(
        self, space: list[int], reduced: int, directions: list[str]
    ) -> list[tuple[int, ...]]:
        """All iterations, in an order that `order` allows: loops in any nesting."""
        ranges = []
        for k, size in enumerate(space):
            indices = list(range(size))
            direction = directions[k] if k < len(space) - reduced else "any"
            if direction == "down":
                indices.reverse()
            elif direction == "any":
                self.random.shuffle(indices)
            ranges.append(indices)
        nesting = list(range(len(space)))
        if len(set(directions)) == 1 and directions[0] == "up" and reduced == 0:
            pass  # may mean C order
        else:
            self.random.shuffle(nesting)
        points = []
        for combination in itertools.product(*(ranges[k] for k in nesting)):
            point = [0] * len(space)
            for k, value in zip(nesting, combination, strict=True):
                point[k] = value
            points.append(tuple(point))
        return points

    def check_groups(self, operands: list[np.ndarray], groups: list[int]) -> None:
        for i, a in enumerate(operands):
            for j in range(i):
                if groups[i] != groups[j]:
                    assert not np.shares_memory(a, operands[j]), (
                        "operands of different groups overlap"
                    )
