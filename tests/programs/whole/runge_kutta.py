"""ODE solvers: Euler, midpoint, RK4, and adaptive RK45 on several systems."""

import math
from itertools import takewhile


def axpy(a, xs, ys):
    return [a * x + y for x, y in zip(xs, ys)]


def euler(f, t, y, h):
    return axpy(h, f(t, y), y)


def midpoint(f, t, y, h):
    half = axpy(h / 2, f(t, y), y)
    return axpy(h, f(t + h / 2, half), y)


def rk4(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, axpy(h / 2, k1, y))
    k3 = f(t + h / 2, axpy(h / 2, k2, y))
    k4 = f(t + h, axpy(h, k3, y))
    return [yi + h / 6 * (a + 2 * b + 2 * c + d) for yi, a, b, c, d in zip(y, k1, k2, k3, k4)]


def solve(method, f, y0, t_end, steps):
    h = t_end / steps
    t, y = 0.0, list(y0)
    yield t, y
    for n in range(1, steps + 1):
        y = method(f, t, y, h)
        t = n * h
        yield t, y


# Fehlberg tableau
A = [
    [],
    [1 / 4],
    [3 / 32, 9 / 32],
    [1932 / 2197, -7200 / 2197, 7296 / 2197],
    [439 / 216, -8, 3680 / 513, -845 / 4104],
    [-8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40],
]
C = [0, 1 / 4, 3 / 8, 12 / 13, 1, 1 / 2]
B4 = [25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0]
B5 = [16 / 135, 0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55]


def rkf45(f, y0, t_end, tol=1e-6):
    t, y, h = 0.0, list(y0), t_end / 50
    accepted = rejected = 0
    while t < t_end:
        h = min(h, t_end - t)
        ks = []
        for row, c in zip(A, C):
            yi = list(y)
            for a, k in zip(row, ks):
                yi = axpy(h * a, k, yi)
            ks.append(f(t + c * h, yi))
        err = max(
            abs(h * sum((b5 - b4) * k[i] for b4, b5, k in zip(B4, B5, ks))) for i in range(len(y))
        )
        if err <= tol:
            t += h
            y = [yi + h * sum(b * k[i] for b, k in zip(B5, ks)) for i, yi in enumerate(y)]
            accepted += 1
        else:
            rejected += 1
        h *= min(4.0, max(0.1, 0.9 * (tol / err) ** 0.2)) if err > 0 else 2.0
    return y, accepted, rejected


SYSTEMS = {
    "decay": (lambda t, y: [-y[0]], [1.0], lambda t: [math.exp(-t)]),
    "oscillator": (lambda t, y: [y[1], -y[0]], [1.0, 0.0], lambda t: [math.cos(t), -math.sin(t)]),
    "logistic": (lambda t, y: [y[0] * (1 - y[0])], [0.1], lambda t: [1 / (1 + 9 * math.exp(-t))]),
    "fall": (lambda t, y: [y[1], -9.81 - 0.1 * y[1]], [100.0, 0.0], None),
}


def order_of(method, f, y0, exact, t_end):
    errors = []
    for steps in (40, 80):
        *_, (t, y) = solve(method, f, y0, t_end, steps)
        errors.append(max(abs(a - b) for a, b in zip(y, exact(t))))
    return math.log2(errors[0] / errors[1])


def main(name, t_end, steps):
    f, y0, exact = SYSTEMS[name]
    results = {}
    for method in (euler, midpoint, rk4):
        track = list(solve(method, f, y0, t_end, steps))
        final = [round(v, 8) for v in track[-1][1]]
        results[method.__name__] = final
        if exact:
            results[method.__name__ + "_order"] = round(order_of(method, f, y0, exact, t_end), 1)
    above = list(takewhile(lambda p: p[1][0] > 0, solve(rk4, f, y0, t_end, steps)))
    y, ok, bad = rkf45(f, y0, t_end)
    results["adaptive"] = ([round(v, 5) for v in y], ok, bad)
    results["positive_until"] = round(above[-1][0], 6)
    for k, v in results.items():
        print(f"{name:<12}{k:<16}{v}")
    return results


ARGS = [("decay", 2.0, 20), ("oscillator", 6.0, 60), ("logistic", 5.0, 25), ("fall", 6.0, 50)]
