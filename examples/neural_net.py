"""A small net learns to tell two spirals apart: layers are objects in a list, which keep what they
need for the backward pass; `train` is compiled with all their methods.
"""

from itertools import pairwise

import numpy as np
from _common import compare, size


class Layer:
    def __init__(self, inputs, outputs, seed):
        rng = np.random.default_rng(seed)
        self.w = rng.normal(size=(inputs, outputs)) / np.sqrt(inputs)
        self.b = np.zeros(outputs)
        self.x = None
        self.y = None

    def forward(self, x):
        self.x = x
        self.y = np.tanh(x @ self.w + self.b)
        return self.y

    def backward(self, gradient, rate):
        inner = gradient * (1 - self.y * self.y)
        before = inner @ self.w.T
        self.w -= rate * (self.x.T @ inner)
        self.b -= rate * inner.sum(axis=0)
        return before


class Net:
    def __init__(self, *sizes):
        self.layers = [Layer(a, b, seed) for seed, (a, b) in enumerate(pairwise(sizes))]
        self.history = [0.0]

    def step(self, x, wanted, rate):
        for layer in self.layers:
            x = layer.forward(x)
        error = x - wanted
        gradient = error / len(x)
        for layer in reversed(self.layers):
            gradient = layer.backward(gradient, rate)
        self.history.append(float(np.mean(error * error)))


def train(net, x, wanted, rate, steps):
    for _ in range(steps):
        net.step(x, wanted, rate)
    return np.array(net.history[1:])


def spirals(n):
    t = np.sqrt(np.random.default_rng(1).random(n)) * 7
    sign = np.where(np.arange(n) % 2, 1.0, -1.0)
    points = np.stack([sign * t * np.cos(t), sign * t * np.sin(t)], axis=1) / 7
    return points, sign[:, None]


def main():
    n = size(64)
    loss = compare(train, lambda: (Net(2, 16, 16, 1), *spirals(n), 0.1, 20 * n), tolerance=1e-6)
    print(f"mean squared error: {loss[0]:.3f} before, {loss[-1]:.3f} after {len(loss)} steps")


if __name__ == "__main__":
    main()
