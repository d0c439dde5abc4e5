from collections import deque
from statistics import mean


class MovingAverage:
    def __init__(self, window):
        if window < 1:
            raise ValueError("window must be positive")
        self.values = deque(maxlen=window)
        self.total = 0.0

    def add(self, x):
        if len(self.values) == self.values.maxlen:
            self.total -= self.values[0]
        self.values.append(x)
        self.total += x
        return self.total / len(self.values)


def ema(prices, span):
    alpha = 2 / (span + 1)
    out = []
    for p in prices:
        out.append(p if not out else alpha * p + (1 - alpha) * out[-1])
    return out


def crossovers(fast, slow):
    signals = []
    for i in range(1, len(fast)):
        if fast[i - 1] <= slow[i - 1] and fast[i] > slow[i]:
            signals.append((i, "buy"))
        elif fast[i - 1] >= slow[i - 1] and fast[i] < slow[i]:
            signals.append((i, "sell"))
    return signals


def main(prices, short, long):
    a, b = MovingAverage(short), MovingAverage(long)
    fast = [a.add(p) for p in prices]
    slow = [b.add(p) for p in prices]
    for i, action in crossovers(fast, slow):
        print(f"day {i}: {action} at {prices[i]:.2f}")
    smooth = ema(prices, short)
    return (
        fast[-1],
        slow[-1],
        [round(x, 4) for x in smooth[-3:]],
        crossovers(fast, slow),
        mean(prices),
    )


ARGS = [
    ([10.0, 10.5, 11.2, 10.8, 10.1, 9.7, 9.9, 10.4, 11.5, 12.0, 11.1, 10.0, 9.0], 2, 5),
    ([1.0, 2.0], 0, 3),
]
