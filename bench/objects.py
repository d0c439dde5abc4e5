"""Objects, generators and `collections`: jitted, by Numba (where it is installed and takes the same
source, which it does of the generators) and as plain Python.

`python -m bench.objects` prints what `python -m bench.containers` does.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bench.containers import compare


class Node:
    def __init__(self, key: int) -> None:
        self.key = key
        self.left: Any = None
        self.right: Any = None


class Tree:
    def __init__(self) -> None:
        self.root: Any = None
        self.size = 0

    def add(self, key: int) -> None:
        if self.root is None:
            self.root = Node(key)
            self.size = 1
            return
        node = self.root
        while node.key != key:
            if key < node.key:
                if node.left is None:
                    node.left = Node(key)
                    self.size += 1
                node = node.left
            else:
                if node.right is None:
                    node.right = Node(key)
                    self.size += 1
                node = node.right


def tree(a: Any) -> int:
    t = Tree()
    for key in a:
        t.add(int(key))
    return t.size


class Particle:
    def __init__(self, x: float, v: float) -> None:
        self.x = x
        self.v = v

    def move(self, dt: float) -> None:
        self.x += self.v * dt
        if self.x < 0.0 or self.x > 1.0:
            self.v = -self.v


def particles(n: int) -> float:
    all_of_them = []
    for i in range(n):
        all_of_them.append(Particle(i / n, 0.3 + i % 7))
    for _ in range(100):
        for p in all_of_them:
            p.move(0.001)
    return sum(p.x for p in all_of_them)


class Event:
    def __init__(self, time: float, kind: int) -> None:
        self.time = time
        self.kind = kind

    def __lt__(self, other: Any) -> bool:
        return bool(self.time < other.time)


def events(n: int) -> float:
    queue: list[Any] = []
    state = 1
    for _ in range(n):
        state = state * 1103515245 % 2147483648 + 12345
        heapq.heappush(queue, Event(state / 2147483648, state % 3))
    served = 0.0
    while queue:
        event = heapq.heappop(queue)
        if event.kind == 0:
            served += event.time
    return served


class Vector:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y

    def __add__(self, other: Any) -> Any:
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, by: float) -> Any:
        return Vector(self.x * by, self.y * by)


def vectors(n: int) -> float:
    at = Vector(0.0, 0.0)
    speed = Vector(1.0, 0.5)
    for i in range(n):
        speed = speed + Vector(-at.y, at.x) * 1e-3
        at = at + speed * 1e-3
    return float(at.x + at.y)


def collatz(n: int) -> Iterator[int]:
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1


def generator(n: int) -> int:
    most = 0
    for i in range(1, n):
        highest = 0
        for v in collatz(i):
            highest = max(highest, v)
        most = max(most, highest)
    return most


def windows(a: Any, k: int) -> float:
    candidates: Any = deque()
    total = 0.0
    for i in range(len(a)):
        while candidates and a[candidates[-1]] <= a[i]:
            candidates.pop()
        candidates.append(i)
        if candidates[0] <= i - k:
            candidates.popleft()
        if i >= k - 1:
            total += a[candidates[0]]
    return float(total)


def counter(a: Any) -> int:
    counts: Any = Counter()
    for v in a:
        counts[v] += 1
    return sum(count for _, count in counts.most_common(10))


def groups(a: Any) -> int:
    places: Any = defaultdict(list)
    for i, v in enumerate(a):
        places[v].append(i)
    return max(len(of) for of in places.values())


def grown(keys: Any) -> Tree:
    t = Tree()
    for key in keys:
        t.add(int(key))
    return t


def sum_of_tree(t: Tree) -> int:
    """Of the caller's: read by each call."""
    total = 0
    left = [t.root]
    while left:
        node = left.pop()
        total += node.key
        if node.left is not None:
            left.append(node.left)
        if node.right is not None:
            left.append(node.right)
    return total


def moved(ps: list[Particle], steps: int) -> float:
    """The caller's: read by each call, and written back."""
    for _ in range(steps):
        for p in ps:
            p.x += p.v * 0.001
            if p.x < 0.0 or p.x > 1.0:
                p.v = -p.v
    return len(ps)


class Account:
    def __init__(self) -> None:
        self.total = 0


def added(account: Account, n: int) -> int:
    """Each addition may overflow: what the attribute is then, the caller sees."""
    for i in range(n):
        account.total += i
    return n


class TooLarge(Exception):
    pass


def checked(k: int) -> int:
    if k % 2:
        raise TooLarge(k)
    return k


def caught(n: int) -> int:
    """Every other call raises an exception of a class of the program."""
    total = 0
    for k in range(n):
        try:
            total += checked(k)
        except TooLarge:
            total -= 1
    return total


def programs() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    rng = np.random.default_rng(0)
    return {
        "vectors": (vectors, (1_000_000,)),
        "tree": (tree, (rng.integers(0, 1 << 40, 100_000),)),
        "particles": (particles, (5_000,)),
        "callers_tree": (sum_of_tree, (grown(rng.integers(0, 1 << 40, 100_000)),)),
        "callers_list": (moved, ([Particle(i / 5_000, 0.3 + i % 7) for i in range(5_000)], 100)),
        "attribute": (added, (Account(), 10_000_000)),
        "events": (events, (100_000,)),
        "caught": (caught, (20_000,)),
        "generator": (generator, (30_000,)),
        "windows": (windows, (rng.random(300_000), 50)),
        "counter": (counter, (rng.integers(0, 5_000, 500_000),)),
        "groups": (groups, (rng.integers(0, 5_000, 300_000),)),
    }


if __name__ == "__main__":
    compare(programs())
