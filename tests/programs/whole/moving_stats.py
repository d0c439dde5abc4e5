"""Moving statistics on a synthetic price series with NumPy."""

import numpy as np


def random_walk(n, seed, start=100.0):
    """Prices from a little LCG, so the numbers never change between versions."""
    x = seed
    steps = np.empty(n)
    for i in range(n):
        x = (x * 1103515245 + 12345) % 2**31
        steps[i] = x / 2**31 - 0.49
    return np.round(start + np.cumsum(steps * 2), 2)


def moving_average(a, w):
    c = np.cumsum(np.insert(a, 0, 0.0))
    return (c[w:] - c[:-w]) / w


def windows(a, w):
    return np.lib.stride_tricks.sliding_window_view(a, w)


def exponential(a, alpha):
    out = np.zeros_like(a)
    out[0] = a[0]
    for i in range(1, len(a)):
        out[i] = alpha * a[i] + (1 - alpha) * out[i - 1]
    return out


def bollinger(a, w, k=2.0):
    mid = moving_average(a, w)
    dev = windows(a, w).std(axis=1)
    return mid - k * dev, mid, mid + k * dev


def crossings(fast, slow):
    """Indices where fast crosses slow, with direction."""
    sign = np.sign(fast - slow)
    idx = np.where(np.diff(sign) != 0)[0] + 1
    return [(int(i), "up" if sign[i] > 0 else "down") for i in idx]


def max_drawdown(a):
    peaks = np.maximum.accumulate(a)
    drops = (peaks - a) / peaks
    end = int(drops.argmax())
    begin = int(a[: end + 1].argmax())
    return round(float(drops[end]), 6), begin, end


def fit_line(a):
    x = np.arange(len(a), dtype=float)
    design = np.column_stack([x, np.ones_like(x)])
    (slope, intercept), *_ = np.linalg.lstsq(design, a, rcond=None)
    residual = a - design @ np.array([slope, intercept])
    r2 = 1 - residual.var() / a.var()
    return round(float(slope), 6), round(float(intercept), 4), round(float(r2), 6)


def outliers(a, limit=2.0):
    changes = np.diff(a)
    z = (changes - changes.mean()) / changes.std()
    return [(int(i) + 1, round(float(changes[i]), 2)) for i in np.flatnonzero(np.abs(z) > limit)]


def sparkline(a, width=40):
    blocks = "▁▂▃▄▅▆▇█"
    if len(a) > width:
        a = np.array([chunk.mean() for chunk in np.array_split(a, width)])
    lo, hi = a.min(), a.max()
    scaled = ((a - lo) / (hi - lo) * 7.999).astype(int)
    return "".join(blocks[i] for i in scaled)


def main(n, seed, short, long):
    if not 0 < short < long <= n:
        raise ValueError("windows must satisfy 0 < short < long <= n")
    prices = random_walk(n, seed)
    fast = moving_average(prices, short)[long - short :]
    slow = moving_average(prices, long)
    low, mid, high = bollinger(prices, short)
    tail = prices[short - 1 :]
    outside = int(((tail < low) | (tail > high)).sum())
    ema = exponential(prices, 2 / (short + 1))
    w = windows(prices, short)
    medians = np.median(w, axis=1)
    corr = float(np.corrcoef(prices[:-1], prices[1:])[0, 1])
    line = sparkline(prices)
    print(line)
    print(f"last {prices[-1]:.2f} ema {ema[-1]:.2f} sma {fast[-1]:.2f}")
    return {
        "first": prices[:4].tolist(),
        "spark": line,
        "crossings": crossings(fast, slow)[:6],
        "outside": outside,
        "ema": [round(float(v), 4) for v in ema[-3:]],
        "median_gap": round(float(np.abs(medians - mid).max()), 6),
        "range": (float(w.max(axis=1).min()), float(w.min(axis=1).max())),
        "drawdown": max_drawdown(prices),
        "trend": fit_line(prices),
        "outliers": outliers(prices, 1.6)[:5],
        "autocorrelation": round(corr, 6),
        "shape": list(w.shape),
    }


ARGS = [(30, 1, 3, 8), (250, 77, 10, 30), (100, 2024, 5, 50)]
