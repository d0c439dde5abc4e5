"""statistics: of lists of ints and of floats, of other iterables, errors."""

import math
import random
import statistics
from statistics import mean as average
from statistics import stdev


def mean(x):
    return statistics.mean(x)


def fmean(x):
    return statistics.fmean(x)


def medians(x):
    return statistics.median(x), statistics.median_low(x), statistics.median_high(x)


def mode(x):
    return statistics.mode(x)


def multimode(x):
    return statistics.multimode(x)


def pstdev(x):
    return statistics.pstdev(x)


def sample_deviation(x):
    return stdev(x)


def pvariance(x):
    return statistics.pvariance(x)


def variance(x):
    return statistics.variance(x)


def harmonic_mean(x):
    return statistics.harmonic_mean(x)


def other_iterables(x, d):
    return (
        average(k * k for k in x),
        average(tuple(x)),
        average(range(len(x))),
        average(d.values()),
        average({1, 2, 4}),
        average([v for v in x if v > 1]),
        stdev(d.values()),
        statistics.median(k + 1 for k in x),
        statistics.mode("abracadabra"),
        statistics.multimode("aabbc"),
        average([1, 2.5]),
        statistics.variance([1, 2.5, 7]),
        statistics.pvariance([True, False]),
    )


def rows(x):
    return list(map(average, x)), [statistics.pstdev(r) for r in x], max(average(r) for r in x)


def standardised(x):
    m = average(x)
    s = stdev(x)
    return [(v - m) / s for v in x]


def summary(d):
    out = {}
    for k in d:
        out[k] = (average(d[k]), statistics.median(d[k]), max(d[k]))
    return out


def moving(x, n):
    return [statistics.fmean(x[i : i + n]) for i in range(len(x) - n + 1)]


def caught(x):
    try:
        return statistics.variance(x)
    except statistics.StatisticsError:
        return -1.0


class Samples:
    def __init__(self):
        self.values = []

    def add(self, v):
        self.values.append(v)

    @property
    def mean(self):
        return average(self.values)

    def spread(self):
        return statistics.pstdev(self.values) if self.values else 0.0


def around(x, m):
    return (
        statistics.pvariance(x, m),
        statistics.variance(x, xbar=m),
        statistics.pstdev(x, mu=m),
        stdev(x, m),
    )


def around_its_own(x):
    return stdev(x, average(x)), statistics.pvariance(x, average(x))


def collected(n):
    s = Samples()
    before = s.spread()
    for k in range(n):
        s.add(k * 0.1)
    return before, s.mean, s.spread()


_EACH = (mean, fmean, medians, mode, multimode, pstdev, sample_deviation, pvariance, variance)
_DATA = (
    [1.0, 2.0, 4.0],
    [0.1, 0.2, 0.3],
    [0.1] * 10,
    [k * 0.1 for k in range(60)],
    [1, 2, 3],
    [1, 2],
    [3, 1, 2, 5, 4, 7, 7],
    list(range(70)),
    [10**18, 10**18 + 1, 10**18 + 3],
    [-(10**9), 10**9],
    [],
    [5],
    [2.5],
    [0.0, -0.0],
    [1e308, 1e308],
    [1e-320, 2e-320, 5e-324],
    [1e16, 1.0, -1e16],
    [True, False, True],
    [math.inf, 1.0],
    [math.nan, 1.0],
)


def exact_sum(x):
    return math.fsum(x), statistics.fmean(x), statistics.mean(x)


def of_all_sizes(seed):
    rng = random.Random(seed)
    return [rng.uniform(-5, 5) * 10.0 ** rng.randrange(-300, 300) for _ in range(1000)]


CASES = [
    *((exact_sum, (of_all_sizes(seed),)) for seed in range(5)),
    *((one, (x,)) for one in _EACH for x in _DATA if one is not medians or x[:1] != [math.nan]),
    *((harmonic_mean, (x,)) for x in ([1.0, 2.0, 4.0], [40, 60], [3], [2.5], [0.0, 1.0], [0])),
    *((harmonic_mean, (x,)) for x in ([], [-1.0, 2.0], [1, -2], [1e-320, 2e-320], [math.inf] * 2)),
    (other_iterables, ([1.0, 2.0, 4.0], {"a": 1, "b": 4})),
    (rows, ([[1.0, 2.0], [5.0, 2.0], [0.0, 3.0]],)),
    (standardised, ([1.0, 2.0, 4.0],)),
    (summary, ({"a": [1.0, 2.5], "b": [3.0]},)),
    (moving, ([1.0, 2.0, 4.0, 8.0], 2)),
    (caught, ([1.0],)),
    (caught, ([1.0, 4.0],)),
    (collected, (5,)),
    *((around, (x, m)) for x in ([1.0, 2.0, 4.5], [0.1] * 10) for m in (2.0, 0.1, 3)),
    *((around, (x, m)) for x in ([1, 2, 4], list(range(60)), [5, 5]) for m in (2, 5, 0.1)),
    (around, ([1e200, 1.0], 0.5)),
    (around, ([1.0], 1.0)),
    (around_its_own, ([1.0, 2.0, 4.5],)),
    (around_its_own, ([1, 2, 4],)),
    (around_its_own, ([1, 3],)),
]
