"""Reverse mode differentiation with a tape of namedtuples, no closures."""

import math
from dataclasses import dataclass
from typing import List


@dataclass
class Entry:
    parents: List[int]
    partials: List[float]


class Tape:
    def __init__(self):
        self.entries: List[Entry] = []

    def push(self, parents, partials):
        self.entries.append(Entry(list(parents), list(partials)))
        return len(self.entries) - 1

    def var(self, value):
        return Var(self, self.push([], []), value)


class Var:
    def __init__(self, tape: Tape, index: int, value: float):
        self.tape, self.index, self.value = tape, index, value

    def _binary(self, other, value, da, db):
        return Var(self.tape, self.tape.push([self.index, other.index], [da, db]), value)

    def _lift(self, x):
        return x if isinstance(x, Var) else self.tape.var(x)

    def __add__(self, other):
        other = self._lift(other)
        return self._binary(other, self.value + other.value, 1.0, 1.0)

    __radd__ = __add__

    def __sub__(self, other):
        other = self._lift(other)
        return self._binary(other, self.value - other.value, 1.0, -1.0)

    def __mul__(self, other):
        other = self._lift(other)
        return self._binary(other, self.value * other.value, other.value, self.value)

    __rmul__ = __mul__

    def __pow__(self, n: int):
        return Var(
            self.tape, self.tape.push([self.index], [n * self.value ** (n - 1)]), self.value**n
        )

    def sin(self):
        return Var(
            self.tape, self.tape.push([self.index], [math.cos(self.value)]), math.sin(self.value)
        )

    def exp(self):
        e = math.exp(self.value)
        return Var(self.tape, self.tape.push([self.index], [e]), e)

    def grads(self):
        adj = [0.0] * len(self.tape.entries)
        adj[self.index] = 1.0
        for i in range(len(adj) - 1, -1, -1):
            entry = self.tape.entries[i]
            for p, d in zip(entry.parents, entry.partials):
                adj[p] += d * adj[i]
        return adj


def rosenbrock(x, y):
    return (x * -1.0 + 1.0) ** 2 + 100.0 * (y - x**2) ** 2


def wave(x, y):
    return (x * y).sin() + (x * 0.1).exp() * y


def descend(f, x, y, rate, steps):
    history = []
    for k in range(steps):
        tape = Tape()
        a, b = tape.var(x), tape.var(y)
        z = f(a, b)
        g = z.grads()
        x -= rate * g[a.index]
        y -= rate * g[b.index]
        if k % 50 == 0:
            history.append((k, z.value))
    return (x, y), history


def main(steps):
    out = {}
    for f, rate in ((rosenbrock, 0.001), (wave, 0.01)):
        out[f.__name__] = descend(f, -0.5, 0.8, rate, steps)
    return out


ARGS = [(150,)]
