"""Perceptron and a two-layer network learning logic gates, standard library only."""

import math
import random


class Perceptron:
    def __init__(self, n, rate=0.1):
        self.w = [0.0] * n
        self.b = 0.0
        self.rate = rate

    def predict(self, x):
        return int(sum(wi * xi for wi, xi in zip(self.w, x)) + self.b > 0)

    def train(self, data, epochs):
        """Returns the epoch at which there were no more mistakes, or None."""
        for epoch in range(1, epochs + 1):
            mistakes = 0
            for x, y in data:
                delta = y - self.predict(x)
                if delta:
                    mistakes += 1
                    self.w = [wi + self.rate * delta * xi for wi, xi in zip(self.w, x)]
                    self.b += self.rate * delta
            if mistakes == 0:
                return epoch
        return None


def sigmoid(z):
    return 1 / (1 + math.exp(-z))


class Network:
    """One hidden layer, trained with plain back propagation."""

    def __init__(self, inputs, hidden, seed):
        rng = random.Random(seed)
        self.hidden = [[rng.uniform(-1, 1) for _ in range(inputs + 1)] for _ in range(hidden)]
        self.out = [rng.uniform(-1, 1) for _ in range(hidden + 1)]

    def forward(self, x):
        xs = list(x) + [1.0]
        hs = [sigmoid(sum(w * v for w, v in zip(ws, xs))) for ws in self.hidden]
        hs.append(1.0)
        return xs, hs, sigmoid(sum(w * h for w, h in zip(self.out, hs)))

    def learn(self, x, y, rate):
        xs, hs, o = self.forward(x)
        err = y - o
        d_out = err * o * (1 - o)
        d_hid = [d_out * self.out[j] * hs[j] * (1 - hs[j]) for j in range(len(self.hidden))]
        for j, h in enumerate(hs):
            self.out[j] += rate * d_out * h
        for ws, d in zip(self.hidden, d_hid):
            for i, v in enumerate(xs):
                ws[i] += rate * d * v
        return err * err

    def train(self, data, epochs, rate=2.0):
        history = []
        for e in range(epochs):
            loss = sum(self.learn(x, y, rate) for x, y in data) / len(data)
            if e % (epochs // 5) == 0:
                history.append(round(loss, 6))
        return history

    def predict(self, x):
        return int(self.forward(x)[2] > 0.5)


def gate(fn, n=2):
    data = []
    for k in range(2**n):
        bits = tuple(k >> i & 1 for i in reversed(range(n)))
        data.append((bits, int(fn(*bits))))
    return data


GATES = {
    "and": gate(lambda a, b: a and b),
    "or": gate(lambda a, b: a or b),
    "nand": gate(lambda a, b: not (a and b)),
    "xor": gate(lambda a, b: a != b),
    "majority": gate(lambda a, b, c: a + b + c >= 2, 3),
    "parity": gate(lambda a, b, c: (a + b + c) % 2, 3),
}


def accuracy(model, data):
    return sum(model.predict(x) == y for x, y in data) / len(data)


def main(names, epochs, seed):
    report = {}
    for name in names:
        data = GATES[name]
        n = len(data[0][0])
        p = Perceptron(n)
        solved = p.train(data, 50)
        entry = {
            "perceptron": (
                solved,
                accuracy(p, data),
                [round(w, 3) + 0.0 for w in p.w],
                round(p.b, 3) + 0.0,
            )
        }
        if solved is None:
            net = Network(n, n + 1, seed)
            history = net.train(data, epochs)
            entry["network"] = (history[0] > history[-1], accuracy(net, data))
            outputs = [round(net.forward(x)[2], 3) for x, _ in data]
            entry["outputs"] = outputs
        report[name] = entry
        print(name, entry)
    linear = [n for n in names if report[n]["perceptron"][0]]
    return report, linear


ARGS = [(["and", "or", "nand"], 100, 1), (["xor", "majority"], 1500, 3), (["parity"], 1200, 10)]
