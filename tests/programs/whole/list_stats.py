import math
from collections import Counter


def mean(xs):
    return sum(xs) / len(xs)


def median(xs):
    s = sorted(xs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def modes(xs):
    counts = Counter(xs)
    top = max(counts.values())
    return sorted(x for x, c in counts.items() if c == top)


def stdev(xs):
    m = mean(xs)
    return math.sqrt(sum((x - m) ** 2 for x in xs) / (len(xs) - 1))


def percentile(xs, p):
    s = sorted(xs)
    k = (len(s) - 1) * p / 100
    f = math.floor(k)
    c = math.ceil(k)
    if f == c:
        return s[int(k)]
    return s[f] * (c - k) + s[c] * (k - f)


def correlation(xs, ys):
    mx, my = mean(xs), mean(ys)
    num = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    return num / math.sqrt(sum((x - mx) ** 2 for x in xs) * sum((y - my) ** 2 for y in ys))


def histogram(xs, bins):
    lo, hi = min(xs), max(xs)
    width = (hi - lo) / bins
    counts = [0] * bins
    for x in xs:
        counts[min(int((x - lo) / width), bins - 1)] += 1
    for i, c in enumerate(counts):
        print(f"{lo + i * width:7.2f} {'#' * c}")
    return counts


def main(xs, ys):
    summary = {
        "mean": mean(xs),
        "median": median(xs),
        "stdev": stdev(xs),
        "p90": percentile(xs, 90),
    }
    print(", ".join(f"{k}={v:.3f}" for k, v in summary.items()))
    return summary, modes(xs), correlation(xs, ys), histogram(xs, 4)


ARGS = [
    ([2, 4, 4, 4, 5, 5, 7, 9, 12, 1], [1.0, 3.5, 3.0, 4.0, 6.0, 5.5, 8.0, 9.0, 11.0, 2.0]),
    ([1], [1.0]),
]
