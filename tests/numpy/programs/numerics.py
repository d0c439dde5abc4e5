"""Numerical recipes: quadrature, roots, series, interpolation, pricing, sampling."""

import math
from math import erf, exp, log, sqrt

import numpy as np
from program import FLOATS, Program

GAUSS_NODES = np.array([-0.7745966692414834, 0.0, 0.7745966692414834])
GAUSS_WEIGHTS = np.array([0.5555555555555556, 0.8888888888888888, 0.5555555555555556])


def trapezoid(f, a, b, n):
    h = (b - a) / n
    total = 0.5 * (f(a) + f(b))
    for i in range(1, n):
        total += f(a + i * h)
    return total * h


def simpson(f, a, b, n):
    if n % 2 == 1:
        n += 1
    h = (b - a) / n
    s = f(a) + f(b)
    for i in range(1, n, 2):
        s += 4 * f(a + i * h)
    for i in range(2, n - 1, 2):
        s += 2 * f(a + i * h)
    return s * h / 3


def bell(x):
    return np.exp(-x * x)


def cubic(x):
    return x**3 - 2 * x - 5


def integrate_bell(a, b, n):
    return trapezoid(bell, a, b, n), simpson(bell, a, b, n)


def integrate_lambda(a, b, n, p):
    return simpson(lambda x: x**2 + p * x + 1, a, b, n)


def integrate_sampled(x, y):
    return ((y[1:] + y[:-1]) * np.diff(x)).sum() / 2


def gauss_legendre(f, a, b):
    x = 0.5 * (b - a) * GAUSS_NODES + 0.5 * (a + b)
    return 0.5 * (b - a) * (GAUSS_WEIGHTS * f(x)).sum()


def integrate_gauss(a, b, pieces):
    edges = np.linspace(a, b, pieces + 1)
    total = 0.0
    for left, right in zip(edges[:-1], edges[1:]):  # noqa: RUF007
        total += gauss_legendre(bell, left, right)
    return total


def romberg(a, b, levels):
    r = np.zeros((levels, levels))
    h = b - a
    r[0, 0] = 0.5 * h * (bell(a) + bell(b))
    for i in range(1, levels):
        h /= 2
        total = 0.0
        for k in range(1, 2**i, 2):
            total += bell(a + k * h)
        r[i, 0] = 0.5 * r[i - 1, 0] + h * total
        for j in range(1, i + 1):
            r[i, j] = r[i, j - 1] + (r[i, j - 1] - r[i - 1, j - 1]) / (4**j - 1)
    return r


def bisect(f, low, high, tolerance):
    flow = f(low)
    while high - low > tolerance:
        middle = (low + high) / 2
        fm = f(middle)
        if fm == 0:
            return middle
        if (fm > 0) == (flow > 0):
            low, flow = middle, fm
        else:
            high = middle
    return (low + high) / 2


def newton(f, df, x, tolerance=1e-6, limit=50):
    for k in range(limit):
        step = f(x) / df(x)
        x = x - step
        if abs(step) < tolerance:
            return x, k + 1
    return x, -1


def roots_of_cubic(low, high):
    return bisect(cubic, low, high, 1e-6), newton(cubic, lambda x: 3 * x**2 - 2, high)


def golden_section(a, b, tolerance):
    ratio = (math.sqrt(5) - 1) / 2

    def f(x):
        return (x - 1) ** 2 + 0.5 * x

    c, d = b - ratio * (b - a), a + ratio * (b - a)
    while abs(b - a) > tolerance:
        if f(c) < f(d):
            b = d
        else:
            a = c
        c, d = b - ratio * (b - a), a + ratio * (b - a)
    return (a + b) / 2


def horner(coefficients, x):
    result = np.zeros_like(x)
    for c in coefficients:
        result = result * x + c
    return result


def horner_with_derivative(coefficients, x):
    p, dp = coefficients[0], 0 * coefficients[0]
    for c in coefficients[1:]:
        dp = dp * x + p
        p = p * x + c
    return p, dp


def lagrange(xs, ys, x):
    total = 0.0
    for i in range(len(xs)):
        term = ys[i]
        for j in range(len(xs)):
            if i != j:
                term *= (x - xs[j]) / (xs[i] - xs[j])
        total += term
    return total


def newton_differences(x, y):
    n = len(x)
    c = y.copy()
    for j in range(1, n):
        c[j:] = (c[j:] - c[j - 1 : -1]) / (x[j:] - x[: n - j])
    return c


def interpolate(x, xs, ys):
    out = np.empty_like(x)
    for k in range(len(x)):
        if x[k] <= xs[0]:
            out[k] = ys[0]
        elif x[k] >= xs[-1]:
            out[k] = ys[-1]
        else:
            i = np.searchsorted(xs, x[k]) - 1
            w = (x[k] - xs[i]) / (xs[i + 1] - xs[i])
            out[k] = ys[i] + w * (ys[i + 1] - ys[i])
    return out


def bezier(points, steps):
    """De Casteljau."""
    curve = np.empty((steps, points.shape[1]), dtype=points.dtype)
    for s in range(steps):
        t = s / (steps - 1)
        work = points.copy()
        for r in range(1, len(points)):
            work[:-r] = (1 - t) * work[:-r] + t * work[1 : len(points) - r + 1]
        curve[s] = work[0]
    return curve


def normal_cdf(x):
    """Abramowitz and Stegun 26.2.17."""
    k = 1.0 / (1.0 + 0.2316419 * np.abs(x))
    poly = k * (
        0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))
    )
    w = 1.0 - 1.0 / np.sqrt(2 * np.pi) * np.exp(-x * x / 2) * poly
    return np.where(x < 0, 1.0 - w, w)


def black_scholes(spot, strike, time, rate, volatility):
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility**2) * time) / (
        volatility * np.sqrt(time)
    )
    d2 = d1 - volatility * np.sqrt(time)
    discounted = strike * np.exp(-rate * time)
    call = spot * normal_cdf(d1) - discounted * normal_cdf(d2)
    put = call - spot + discounted
    return call, put


def black_scholes_one(s, k, t, r, sigma):
    d1 = (log(s / k) + (r + sigma * sigma / 2) * t) / (sigma * sqrt(t))
    d2 = d1 - sigma * sqrt(t)

    def n(x):
        return 0.5 * (1 + erf(x / sqrt(2)))

    return s * n(d1) - k * exp(-r * t) * n(d2)


def black_scholes_list(spots, k, t, r, sigma):
    prices = np.zeros(len(spots))
    for i, s in enumerate(spots):
        prices[i] = black_scholes_one(s, k, t, r, sigma)
    return prices


def binomial_option(spot, strike, rate, volatility, years, steps, american=False):
    dt = years / steps
    up = np.exp(volatility * np.sqrt(dt))
    down = 1 / up
    p = (np.exp(rate * dt) - down) / (up - down)
    discount = np.exp(-rate * dt)
    prices = spot * down ** np.arange(steps, -1, -1) * up ** np.arange(0, steps + 1)
    values = np.maximum(strike - prices, 0)
    for i in range(steps - 1, -1, -1):
        values = discount * (p * values[1:] + (1 - p) * values[:-1])
        if american:
            prices = prices[1:] * down
            values = np.maximum(values, strike - prices)
    return values[0]


def monte_carlo_pi(x, y):
    inside = 0
    for i in range(len(x)):
        if x[i] * x[i] + y[i] * y[i] <= 1:
            inside += 1
    return 4 * inside / len(x)


def monte_carlo_pi_sum(samples):
    return 4 * np.mean((samples**2).sum(axis=1) <= 1)


def asian_option(noise, spot, strike, rate, volatility, dt):
    paths, steps = noise.shape
    total = 0.0
    for p in range(paths):
        s = spot
        average = 0.0
        for k in range(steps):
            s *= np.exp((rate - 0.5 * volatility**2) * dt + volatility * np.sqrt(dt) * noise[p, k])
            average += s
        total += max(average / steps - strike, 0.0)
    return np.exp(-rate * dt * steps) * total / paths


def metropolis(start, proposals, uniforms):
    x = start
    chain = np.empty(len(proposals), dtype=proposals.dtype)
    accepted = 0
    for i, (step, u) in enumerate(zip(proposals, uniforms)):
        candidate = x + step
        if np.log(u) < 0.5 * (x * x - candidate * candidate):
            x = candidate
            accepted += 1
        chain[i] = x
    return chain, accepted / len(proposals)


def e_series(terms):
    total = term = 1.0
    for k in range(1, terms):
        term /= k
        total += term
    return total


def pi_digits(terms):
    return sum((-1) ** k / (2 * k + 1) for k in range(terms)) * 4


def bessel_j0(x):
    term = np.ones_like(x)
    total = np.ones_like(x)
    k = 1
    while np.max(np.abs(term)) > 1e-8:
        term *= -(x * x) / (4.0 * k * k)
        total += term
        k += 1
    return total


def agm(a, b):
    while abs(a - b) > 1e-6 * a:
        a, b = (a + b) / 2, np.sqrt(a * b)
    return a


def welford(x):
    mean, m2 = 0.0, 0.0
    for n, v in enumerate(x, 1):
        delta = v - mean
        mean += delta / n
        m2 += delta * (v - mean)
    if len(x) < 2:
        return mean, float("nan")
    return mean, m2 / (len(x) - 1)


def kahan_sum(x):
    total = x.dtype.type(0)
    c = x.dtype.type(0)
    for v in x:
        y = v - c
        t = total + y
        c = (t - total) - y
        total = t
    return total


def least_squares_line(x, y):
    n = len(x)
    sx, sy = x.sum(), y.sum()
    slope = (n * (x * y).sum() - sx * sy) / (n * (x * x).sum() - sx**2)
    return slope, (sy - slope * sx) / n


def polygon_area(x, y):
    area = 0.0
    j = len(x) - 1
    for i in range(len(x)):
        area += (x[j] + x[i]) * (y[j] - y[i])
        j = i
    return abs(area) / 2


def points_in_polygon(px, py, vx, vy):
    inside = np.zeros(px.shape, dtype=bool)
    n = len(vx)
    for i in range(len(px)):
        hit = False
        j = n - 1
        for k in range(n):
            if (vy[k] > py[i]) != (vy[j] > py[i]) and px[i] < (vx[j] - vx[k]) * (py[i] - vy[k]) / (
                vy[j] - vy[k]
            ) + vx[k]:
                hit = not hit
            j = k
        inside[i] = hit
    return inside


def convex_hull_area(points):
    order = np.lexsort((points[:, 1], points[:, 0]))
    p = points[order]
    hull = []
    for q in p:
        while len(hull) >= 2:
            a, b = hull[-2], hull[-1]
            if (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]) > 0:
                break
            hull.pop()
        hull.append(q)
    return len(hull)


def great_circle(lat1, lon1, lat2, lon2):
    lat1, lon1, lat2, lon2 = map(np.radians, (lat1, lon1, lat2, lon2))
    a = (
        np.sin((lat2 - lat1) / 2) ** 2
        + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    )
    return 6371.0 * 2 * np.arcsin(np.sqrt(a))


def tabulate(a, b, n):
    x = np.linspace(a, b, n)
    return x, cubic(x)


def sample_every(start, stop, step):
    return cubic(np.arange(start, stop, step))


def checked_mean(x):
    if x.ndim != 1:
        raise ValueError("one dimension, please")
    if len(x) == 0:
        return 0.0
    return x.sum() / len(x)


def noise(n, t, rng):
    return rng.standard_normal(n).astype(t)


PROGRAMS = [
    Program(integrate_bell, lambda n, t, rng: (t(-1), t(2), n), (4, 51), eps=64),
    Program(integrate_lambda, lambda n, t, rng: (t(-1), t(2), n, t(0.5)), (4, 51), eps=64),
    Program(
        integrate_sampled,
        lambda n, t, rng: (np.sort(noise(n, t, rng)), noise(n, t, rng)),
        (4, 51),
        eps=16,
    ),
    Program(integrate_gauss, lambda n, t, rng: (t(-1), t(2), n), (1, 20), eps=64),
    Program(romberg, lambda n, t, rng: (t(-1), t(2), n), (2, 5), eps=64),
    Program(roots_of_cubic, lambda n, t, rng: (t(0), t(n)), (3, 9), eps=16),
    Program(golden_section, lambda n, t, rng: (t(-n), t(n), 1e-2), (2, 9), eps=16),
    Program(horner, lambda n, t, rng: (noise(5, t, rng), noise(n, t, rng)), (3, 50)),
    Program(horner_with_derivative, lambda n, t, rng: (noise(n, t, rng), t(0.7)), (3, 50)),
    Program(lagrange, lambda n, t, rng: (np.arange(n).astype(t), noise(n, t, rng), t(1.3)), (3, 8)),
    Program(
        newton_differences, lambda n, t, rng: (np.arange(n).astype(t), noise(n, t, rng)), (3, 8)
    ),
    Program(
        interpolate,
        lambda n, t, rng: (noise(n, t, rng), np.linspace(-1, 1, 7).astype(t), noise(7, t, rng)),
        (3, 40),
    ),
    Program(bezier, lambda n, t, rng: (rng.random((n, 2)).astype(t), 9), (3, 6)),
    Program(
        black_scholes,
        lambda n, t, rng: (
            80 + 40 * rng.random(n).astype(t),
            t(100),
            rng.random(n).astype(t) + t(0.1),
            t(0.05),
            t(0.2),
        ),
        (3, 60),
        eps=64,
    ),
    Program(
        black_scholes_list,
        lambda n, t, rng: (80 + 40 * rng.random(n).astype(t), t(100), t(0.5), t(0.05), t(0.2)),
        (3, 60),
        eps=64,
    ),
    Program(
        binomial_option,
        lambda n, t, rng: (t(100), t(105), t(0.05), t(0.2), 1, n, n > 10),
        (4, 40),
        eps=256,
    ),
    Program(monte_carlo_pi, lambda n, t, rng: tuple(rng.random((2, n)).astype(t)), (10, 300)),
    Program(monte_carlo_pi_sum, lambda n, t, rng: (rng.random((n, 2)).astype(t),), (10, 300)),
    Program(
        asian_option,
        lambda n, t, rng: (
            rng.standard_normal((n, 12)).astype(t),
            t(100),
            t(100),
            t(0.05),
            t(0.2),
            t(0.01),
        ),
        (3, 30),
        eps=256,
    ),
    Program(
        metropolis, lambda n, t, rng: (t(0.5), noise(n, t, rng), rng.random(n).astype(t)), (5, 80)
    ),
    Program(e_series, lambda n, t, rng: (n,), (3, 20), (np.float64,)),
    Program(pi_digits, lambda n, t, rng: (n,), (3, 100), (np.float64,), eps=16),
    Program(bessel_j0, lambda n, t, rng: (noise(n, t, rng),), (3, 40)),
    Program(agm, lambda n, t, rng: (t(n), t(2)), (3, 40)),
    Program(welford, lambda n, t, rng: (noise(n, t, rng),), (1, 60)),
    Program(kahan_sum, lambda n, t, rng: (noise(n, t, rng),), (3, 200)),
    Program(
        least_squares_line,
        lambda n, t, rng: (noise(n, t, rng), noise(n, t, rng)),
        (3, 200),
        eps=256,
    ),
    Program(polygon_area, lambda n, t, rng: (noise(n, t, rng), noise(n, t, rng)), (3, 30)),
    Program(
        points_in_polygon,
        lambda n, t, rng: (noise(n, t, rng), noise(n, t, rng), noise(6, t, rng), noise(6, t, rng)),
        (3, 60),
    ),
    Program(convex_hull_area, lambda n, t, rng: (rng.random((n, 2)).astype(t),), (4, 30)),
    Program(
        great_circle,
        lambda n, t, rng: tuple(60 * rng.random((4, n)).astype(t)),
        (3, 40),
        FLOATS,
        eps=64,
    ),
    Program(tabulate, lambda n, t, rng: (t(-1), t(2), n), (3, 21), eps=16),
    Program(sample_every, lambda n, t, rng: (t(0), t(n), t(0.5)), (3, 21), eps=16),
    Program(checked_mean, lambda n, t, rng: (noise(n, t, rng),), (0, 20)),
]
