"""One-dimensional signals: filters, correlation, transforms, smoothing."""

import math

import numpy as np
from program import COMPLEX, FLOATS, INTEGERS, Program

COEFFICIENTS = np.array([0.1, 0.2, 0.4, 0.2, 0.1])


def fir(signal, taps):
    out = np.zeros_like(signal)
    for i in range(len(signal)):
        for k in range(len(taps)):
            if i - k >= 0:
                out[i] += taps[k] * signal[i - k]
    return out


def fir_by_slices(signal, taps):
    n, m = len(signal), len(taps)
    out = np.zeros(n - m + 1, dtype=signal.dtype)
    for k, tap in enumerate(taps):
        out += tap * signal[m - 1 - k : n - k]
    return out


def fir_global_taps(signal):
    """The taps are a global array."""
    out = np.zeros(len(signal) - 4)
    for k in range(5):
        out += COEFFICIENTS[k] * signal[k : len(signal) - 4 + k]
    return out


def iir_biquad(x, b, a):
    b0, b1, b2 = b
    a1, a2 = a
    y = np.empty_like(x)
    x1 = x2 = y1 = y2 = 0.0
    for n in range(x.size):
        y[n] = b0 * x[n] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        x2, x1 = x1, x[n]
        y2, y1 = y1, y[n]
    return y


def cross_correlation(a, b):
    n, m = len(a), len(b)
    result = np.zeros(n + m - 1, a.dtype)
    for lag in range(-(m - 1), n):
        total = a.dtype.type(0)
        for j in range(m):
            if 0 <= lag + j < n:
                total += a[lag + j] * b[j]
        result[lag + m - 1] = total
    return result, result.argmax() - (m - 1)


def autocorrelation(x, lags):
    x = x - x.mean()
    variance = (x * x).mean()
    return np.array([(x[: len(x) - k] * x[k:]).sum() / len(x) / variance for k in range(lags)])


def moving_average(x, width):
    out = np.empty(len(x) - width + 1, x.dtype)
    window = x[:width].sum()
    out[0] = window / width
    for i in range(1, len(out)):
        window += x[i + width - 1] - x[i - 1]
        out[i] = window / width
    return out


def moving_average_cumsum(x, width):
    total = np.cumsum(np.concatenate(([0.0], x)))
    return (total[width:] - total[:-width]) / width


def exponential_smoothing(x, alpha):
    s = x[0]
    out = [s]
    for value in x[1:]:
        s = alpha * value + (1 - alpha) * s
        out.append(s)
    return np.array(out)


def dft(x):
    n = len(x)
    k = np.arange(n)
    spectrum = np.zeros(n, dtype=complex)
    for f in range(n):
        spectrum[f] = np.sum(x * np.exp(-2j * np.pi * f * k / n))
    return spectrum


def fft_in_place(x):
    """Radix 2, bit reversal first; the length is a power of 2."""
    n = len(x)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            x[i], x[j] = x[j], x[i]
    size = 2
    while size <= n:
        step = complex(math.cos(2 * math.pi / size), -math.sin(2 * math.pi / size))
        for start in range(0, n, size):
            w = 1 + 0j
            for k in range(size // 2):
                u = x[start + k]
                v = x[start + k + size // 2] * w
                x[start + k] = u + v
                x[start + k + size // 2] = u - v
                w *= step
        size *= 2


def haar(signal):
    out = signal.copy()
    n = len(out)
    while n > 1:
        half = n // 2
        even, odd = out[0:n:2].copy(), out[1:n:2].copy()
        out[:half] = (even + odd) / 2
        out[half:n] = (even - odd) / 2
        n = half
    return out


def goertzel(samples, bin_):
    coefficient = 2.0 * np.cos(2.0 * np.pi * bin_ / len(samples))
    s1 = s2 = 0.0
    for sample in samples:
        s1, s2 = sample + coefficient * s1 - s2, s1
    return s1**2 + s2**2 - coefficient * s1 * s2


def median_of_three(x):
    y = x.copy()
    for i in range(1, len(x) - 1):
        a, b, c = x[i - 1 : i + 2]
        y[i] = max(min(a, b), min(max(a, b), c))
    return y


def median_filter(x, radius):
    padded = np.pad(x, radius, mode="edge")
    return np.array([np.median(padded[i : i + 2 * radius + 1]) for i in range(len(x))])


def zero_crossings(x):
    signs = x >= 0
    return int(np.sum(signs[1:] != signs[:-1]))


def peaks(x, threshold):
    found = []
    for i in range(1, len(x) - 1):
        if x[i] > threshold and x[i - 1] < x[i] >= x[i + 1]:
            found.append(i)
    return found


def upsample_linear(x, factor):
    out = np.empty((len(x) - 1) * factor + 1, dtype=x.dtype)
    for k in range(factor):
        w = k / factor
        out[k:-1:factor] = (1 - w) * x[:-1] + w * x[1:]
    out[-1] = x[-1]
    return out


def dynamic_time_warping(a, b):
    cost = np.full((len(a) + 1, len(b) + 1), np.inf)
    cost[0, 0] = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            step = min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
            cost[i, j] = abs(a[i - 1] - b[j - 1]) + step
    return cost[-1, -1]


def run_lengths(x):
    starts = np.empty(len(x), dtype=np.int64)
    counts = np.zeros(len(x), dtype=np.int64)
    runs = 0
    for i, value in enumerate(x):
        if i == 0 or value != x[i - 1]:
            starts[runs] = i
            runs += 1
        counts[runs - 1] += 1
    return starts[:runs], counts[:runs]


def noise(n, t, rng):
    return rng.standard_normal(n).astype(t)


PROGRAMS = [
    Program(
        fir, lambda n, t, rng: (noise(n, t, rng), noise(5, t, rng)), (8, 70), FLOATS + INTEGERS
    ),
    Program(fir_by_slices, lambda n, t, rng: (noise(n, t, rng), noise(5, t, rng)), (8, 70)),
    Program(fir_global_taps, lambda n, t, rng: (noise(n, t, rng),), (8, 70)),
    Program(
        iir_biquad,
        lambda n, t, rng: (noise(n, t, rng), (0.2, 0.4, 0.2), np.array([-0.6, 0.3], t)),
        (8, 70),
    ),
    Program(cross_correlation, lambda n, t, rng: (noise(n, t, rng), noise(4, t, rng)), (8, 30)),
    Program(autocorrelation, lambda n, t, rng: (noise(n, t, rng), 5), (8, 100), eps=32),
    Program(moving_average, lambda n, t, rng: (noise(n, t, rng), 4), (8, 100)),
    Program(moving_average_cumsum, lambda n, t, rng: (noise(n, t, rng), 4), (8, 100), eps=64),
    Program(exponential_smoothing, lambda n, t, rng: (noise(n, t, rng), 0.3), (8, 100)),
    Program(dft, lambda n, t, rng: (noise(n, t, rng),), (8, 40), eps=256),
    Program(
        fft_in_place,
        lambda n, t, rng: ((noise(n, float, rng) + 1j * noise(n, float, rng)).astype(t),),
        (8, 64),
        COMPLEX,
        eps=64,
    ),
    Program(haar, lambda n, t, rng: (noise(n, t, rng),), (8, 64)),
    Program(goertzel, lambda n, t, rng: (noise(n, t, rng), 3), (8, 64), eps=512),
    Program(median_of_three, lambda n, t, rng: (noise(n, t, rng),), (5, 50)),
    Program(median_filter, lambda n, t, rng: (noise(n, t, rng), 2), (5, 50)),
    Program(zero_crossings, lambda n, t, rng: (noise(n, t, rng),), (5, 200)),
    Program(peaks, lambda n, t, rng: (noise(n, t, rng), 0.5), (8, 60)),
    Program(upsample_linear, lambda n, t, rng: (noise(n, t, rng), 3), (4, 40)),
    Program(
        dynamic_time_warping, lambda n, t, rng: (noise(n, t, rng), noise(n + 3, t, rng)), (5, 20)
    ),
    Program(run_lengths, lambda n, t, rng: (rng.integers(0, 2, n).astype(t),), (5, 60), INTEGERS),
]
