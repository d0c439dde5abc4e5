"""Reverse mode automatic differentiation with operator overloading, after micrograd."""

import math
import random


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = set(_children)
        self._op = _op

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t**2) * out.grad

        out._backward = _backward
        return out

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-other)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def backward(self):
        topo, visited = [], set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


class Neuron:
    def __init__(self, n, rng):
        self.w = [Value(rng.uniform(-1, 1)) for _ in range(n)]
        self.b = Value(0.0)

    def __call__(self, x):
        return sum((wi * xi for wi, xi in zip(self.w, x)), self.b).tanh()

    def parameters(self):
        return self.w + [self.b]


def main(seed, steps):
    rng = random.Random(seed)
    hidden = [Neuron(2, rng) for _ in range(3)]
    final = Neuron(3, rng)
    params = [p for n in hidden + [final] for p in n.parameters()]
    data = [((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), -1)]
    losses = []
    for _ in range(steps):
        loss = Value(0.0)
        for x, y in data:
            d = final([n(x) for n in hidden]) - y
            loss = loss + d * d
        for p in params:
            p.grad = 0.0
        loss.backward()
        for p in params:
            p.data -= 0.1 * p.grad
        losses.append(loss.data)
    return [round(v, 9) for v in losses]


ARGS = [(1, 10)]
