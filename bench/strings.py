"""Strings, bytes, keys of one's own, and the caller's containers: jitted, by Numba (where it is
installed and takes the same source) and as plain Python.

`python -m bench.strings` prints medians in milliseconds, and how many times as long as jitted the
others take; with names (`python -m bench.strings tokens`) these rows.
"""

from __future__ import annotations

import bisect
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.containers import compare


def word_count(text: str) -> Any:
    counts: Any = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


def kmers(s: str, k: int) -> int:
    counts: Any = {}
    for i in range(len(s) - k + 1):
        part = s[i : i + k]
        if part in counts:
            counts[part] += 1
        else:
            counts[part] = 1
    return len(counts)


def edit_distance(a: str, b: str) -> int:
    before = list(range(len(b) + 1))
    for i in range(len(a)):
        now = [i + 1]
        for j in range(len(b)):
            now.append(min(before[j + 1] + 1, now[-1] + 1, before[j] + (a[i] != b[j])))
        before = now
    return before[-1]


def tokens(s: str) -> int:
    numbers = 0
    names = 0
    i = 0
    while i < len(s):
        c = s[i]
        if c.isdigit():
            while i < len(s) and s[i].isdigit():
                i += 1
            numbers += 1
        elif c.isalpha():
            while i < len(s) and s[i].isalnum():
                i += 1
            names += 1
        else:
            i += 1
    return numbers * 1000000 + names


def total(s: str) -> float:
    result = 0.0
    for number in s.split(","):
        result += float(number)
    return result


def vowels(s: str) -> int:
    count = 0
    for c in s:
        if c in "aeiou":
            count += 1
    return count


def build(n: int) -> str:
    out = ""
    for i in range(n):
        out += str(i) + ","
    return out


def caesar(s: str, shift: int) -> str:
    out = []
    for c in s:
        if c.islower():
            out.append(chr((ord(c) - 97 + shift) % 26 + 97))
        else:
            out.append(c)
    return "".join(out)


def breadth_first(graph: Any, start: str) -> int:
    distance = {start: 0}
    queue = [start]
    for u in queue:
        for v in graph[u]:
            if v not in distance:
                distance[v] = distance[u] + 1
                queue.append(v)
    return sum(distance.values())


def crc32(data: bytes, table: Any) -> int:
    c = 0xFFFFFFFF
    for value in data:
        c = table[(c ^ value) & 0xFF] ^ (c >> 8)
    return c ^ 0xFFFFFFFF


def histogram(data: bytes) -> Any:
    counts = [0] * 256
    for value in data:
        counts[value] += 1
    return counts


class Cell:
    """A key with __eq__ and __hash__ of its own."""

    def __init__(self, x: int, y: int) -> None:
        self.x = x
        self.y = y

    def __eq__(self, other: Any) -> Any:
        return self.x == other.x and self.y == other.y

    def __hash__(self) -> int:
        return hash((self.x, self.y))


def walk(n: int) -> int:
    seen = set()
    x = y = 0
    for i in range(n):
        x = (x * 5 + i) % 300
        y = (y + x) % 300
        seen.add(Cell(x, y))
    return len(seen)


def table(rows: Any) -> Any:
    groups: Any = {}
    for name, value in rows:
        if name not in groups:
            groups[name] = []
        groups[name].append(value)
    return {name: sum(values) for name, values in groups.items()}


def report(n: int) -> int:
    """Lines of a table: f-strings with formats, `%`, str.format."""
    size = 0
    for i in range(n):
        size += len(f"{i:05d} {i / 7:8.3f} {i:>6,}" + "")
        size += len(("%d: %.2f" % (i, i / 3)).strip())  # noqa: UP031
        size += len("{:>5}|{:<4}".format(i, i % 10).strip())  # noqa: UP032
    return size


def names_in_order(n: int) -> Any:
    """A list that is sorted at any time."""
    names: list[str] = []
    for i in range(n):
        bisect.insort(names, f"k{i * 7919 % n:05d}")
    return names[0], names[-1]


def programs() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    chance = random.Random(0)
    vocabulary = ["the", "cat", "sat", "on", "a", *(f"word{k}" for k in range(500))]
    text = " ".join(chance.choice(vocabulary) for _ in range(100000))
    dna = "".join(chance.choice("ACGT") for _ in range(100000))
    source = " ".join(f"name{k} = {k * 7} + (3 * x1)" for k in range(5000))
    numbers = ",".join(str(chance.random()) for _ in range(50000))
    graph = {str(k): [str((k * 7 + j * 13) % 20000) for j in range(5)] for k in range(20000)}
    rows = [(chance.choice(vocabulary), chance.random()) for _ in range(50000)]
    polynomial = []
    for c in range(256):
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
        polynomial.append(c)
    data = chance.randbytes(1000000)
    return {
        "word count": (word_count, (text,)),
        "k-mers": (kmers, (dna, 8)),
        "edit distance": (edit_distance, (dna[:500], dna[600:1100])),
        "tokens": (tokens, (source,)),
        "parse numbers": (total, (numbers,)),
        "vowels": (vowels, (text,)),
        "build": (build, (100000,)),
        "caesar": (caesar, (text, 3)),
        "breadth first": (breadth_first, (graph, "0")),
        "group": (table, (rows,)),
        "crc32": (crc32, (data, np.array(polynomial))),
        "histogram": (histogram, (data,)),
        "own keys": (walk, (100000,)),
        "report": (report, (20000,)),
        "names in order": (names_in_order, (3000,)),
    }


if __name__ == "__main__":
    compare(programs())
