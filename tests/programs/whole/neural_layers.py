"""A neural network from a list of layer objects with a common interface, trained on spirals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Iterator, List, Tuple

import numpy as np


class Layer(ABC):
    @abstractmethod
    def forward(self, x: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def backward(self, grad: np.ndarray) -> np.ndarray: ...

    def parameters(self) -> Iterator[Tuple[np.ndarray, np.ndarray]]:
        return iter(())


class Dense(Layer):
    def __init__(self, n_in: int, n_out: int, seed: int):
        k = np.arange(n_in * n_out).reshape(n_in, n_out)
        self.w = np.sin(k * 12.9898 + seed) * np.sqrt(2.0 / n_in)
        self.b = np.zeros(n_out)
        self.dw = np.zeros_like(self.w)
        self.db = np.zeros_like(self.b)

    def forward(self, x):
        self.x = x
        return x @ self.w + self.b

    def backward(self, grad):
        self.dw[...] = self.x.T @ grad
        self.db[...] = grad.sum(axis=0)
        return grad @ self.w.T

    def parameters(self):
        yield self.w, self.dw
        yield self.b, self.db


class ReLU(Layer):
    def forward(self, x):
        self.mask = x > 0
        return np.where(self.mask, x, 0.0)

    def backward(self, grad):
        return grad * self.mask


class Tanh(Layer):
    def forward(self, x):
        self.y = np.tanh(x)
        return self.y

    def backward(self, grad):
        return grad * (1 - self.y**2)


class SoftmaxCrossEntropy:
    def __call__(self, scores: np.ndarray, labels: np.ndarray) -> Tuple[float, np.ndarray]:
        z = scores - scores.max(axis=1, keepdims=True)
        p = np.exp(z)
        p /= p.sum(axis=1, keepdims=True)
        n = len(labels)
        loss = -np.log(p[np.arange(n), labels]).mean()
        p[np.arange(n), labels] -= 1
        return float(loss), p / n


class Network:
    def __init__(self, *layers: Layer):
        self.layers: List[Layer] = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, grad):
        for layer in reversed(self.layers):
            grad = layer.backward(grad)

    def step(self, rate):
        for layer in self.layers:
            for p, g in layer.parameters():
                p -= rate * g

    def predict(self, x):
        return self.forward(x).argmax(axis=1)


def spirals(n, classes):
    t = np.linspace(0.1, 1, n)
    xs, ys = [], []
    for c in range(classes):
        a = t * 4 + c * 2 * np.pi / classes
        xs.append(np.column_stack([t * np.cos(a), t * np.sin(a)]))
        ys += [c] * n
    return np.concatenate(xs), np.array(ys)


def main(n, epochs):
    x, y = spirals(n, 3)
    net = Network(Dense(2, 16, 1), ReLU(), Dense(16, 8, 2), Tanh(), Dense(8, 3, 3))
    loss_of = SoftmaxCrossEntropy()
    losses = []
    for epoch in range(epochs):
        loss, grad = loss_of(net.forward(x), y)
        net.backward(grad)
        net.step(0.5)
        if epoch % 5 == 0:
            losses.append(round(loss, 8))
    accuracy = float((net.predict(x) == y).mean())
    return losses, accuracy, sum(p.size for layer in net.layers for p, _ in layer.parameters())


ARGS = [(20, 20)]
