"""Bisection, secant, Newton and regula falsi with decent error reporting."""

import math


class RootError(Exception):
    """Base class; keeps the best estimate found so far."""

    def __init__(self, message, best=None, iterations=0):
        super().__init__(message)
        self.best = best
        self.iterations = iterations


class NoBracket(RootError):
    pass


class NoConvergence(RootError):
    pass


class ZeroDerivative(RootError):
    pass


class CountCalls:
    """Wraps a function and counts how often it is called."""

    def __init__(self, fn):
        self.fn = fn
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return self.fn(x)


def bisection(f, a, b, tol=1e-12, limit=200):
    fa, fb = f(a), f(b)
    if fa * fb > 0:
        raise NoBracket(f"f({a:g}) and f({b:g}) have the same sign")
    for n in range(1, limit + 1):
        mid = (a + b) / 2
        fm = f(mid)
        if fm == 0 or (b - a) / 2 < tol:
            return mid, n
        if fa * fm < 0:
            b = mid
        else:
            a, fa = mid, fm
    raise NoConvergence("bisection ran out of steps", (a + b) / 2, limit)


def secant(f, a, b, tol=1e-12, limit=50):
    fa, fb = f(a), f(b)
    for n in range(1, limit + 1):
        if fb == fa:
            raise ZeroDerivative("flat secant", b, n)
        a, b, fa = b, b - fb * (b - a) / (fb - fa), fb
        fb = f(b)
        if abs(b - a) < tol or fb == 0:
            return b, n
    raise NoConvergence("secant did not converge", b, limit)


def newton(f, a, b, tol=1e-12, limit=50):
    x = (a + b) / 2
    h = 1e-6
    for n in range(1, limit + 1):
        slope = (f(x + h) - f(x - h)) / (2 * h)
        if abs(slope) < 1e-14:
            raise ZeroDerivative(f"derivative vanished at {x:.6g}", x, n)
        step = f(x) / slope
        x -= step
        if abs(step) < tol:
            return x, n
    raise NoConvergence("newton did not converge", x, limit)


def regula_falsi(f, a, b, tol=1e-12, limit=200):
    fa, fb = f(a), f(b)
    if fa * fb > 0:
        raise NoBracket("no sign change")
    side = 0
    for n in range(1, limit + 1):
        x = (fa * b - fb * a) / (fa - fb)
        fx = f(x)
        if abs(fx) < tol:
            return x, n
        if fx * fb > 0:
            b, fb = x, fx
            if side == -1:
                fa /= 2
            side = -1
        else:
            a, fa = x, fx
            if side == 1:
                fb /= 2
            side = 1
    raise NoConvergence("regula falsi", x, limit)


METHODS = [bisection, secant, newton, regula_falsi]

FUNCTIONS = {
    "x^2 - 2": lambda x: x * x - 2,
    "cos x - x": lambda x: math.cos(x) - x,
    "x^3 - 2x + 2": lambda x: x**3 - 2 * x + 2,
    "x^2 + 1": lambda x: x * x + 1,
    "x e^x - 1": lambda x: x * math.exp(x) - 1,
    "cube root": lambda x: math.copysign(abs(x) ** (1 / 3), x),
}


def main(name, a, b):
    report = {}
    for method in METHODS:
        f = CountCalls(FUNCTIONS[name])
        try:
            root, steps = method(f, a, b)
        except RootError as e:
            text = f"{type(e).__name__}: {e}"
            best = None if e.best is None else round(e.best, 4)
            report[method.__name__] = (text, best, e.iterations)
        else:
            text = f"{root:.10f} in {steps} steps"
            report[method.__name__] = (
                round(root, 9),
                steps < 60,
                abs(FUNCTIONS[name](root)) < 1e-9,
            )
        print(f"{name:<14}{method.__name__:<14}{text} ({f.calls} calls)")
    good = [k for k, v in report.items() if isinstance(v[0], float)]
    return report, good


ARGS = [
    ("x^2 - 2", 0, 2),
    ("cos x - x", 0.0, 1.5),
    ("x^3 - 2x + 2", -3.0, 3.0),
    ("x^2 + 1", -1.0, 1.0),
]
