"""Adaptive Dormand-Prince integrator with events, on NumPy vectors and user callables."""

from dataclasses import dataclass, field
from typing import Callable, List, Optional

import numpy as np

C = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1)
A = [
    [],
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
]
B5 = [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]
E = [71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40]


@dataclass
class Solution:
    t: List[float] = field(default_factory=list)
    y: List[np.ndarray] = field(default_factory=list)
    accepted: int = 0
    rejected: int = 0
    event: Optional[float] = None


class StepTooSmall(RuntimeError):
    pass


def solve(
    f: Callable, t0: float, t1: float, y0, rtol=1e-6, atol=1e-9, event: Optional[Callable] = None
) -> Solution:
    y = np.asarray(y0, dtype=float)
    t, h = t0, (t1 - t0) / 100
    sol = Solution([t], [y])
    while t < t1:
        if h < 1e-12:
            raise StepTooSmall(f"h={h:.1e} at t={t:.4f}")
        h = min(h, t1 - t)
        k = []
        for c, row in zip(C, A):
            dy = sum((a * ki for a, ki in zip(row, k)), np.zeros_like(y))
            k.append(f(t + c * h, y + h * dy))
        new = y + h * sum(b * ki for b, ki in zip(B5, k))
        k.append(f(t + h, new))
        scale = atol + rtol * np.maximum(np.abs(y), np.abs(new))
        err = h * sum(e * ki for e, ki in zip(E, k))
        norm = float(np.sqrt(np.mean((err / scale) ** 2)))
        if norm <= 1:
            if event is not None and event(t, y) * event(t + h, new) < 0:
                sol.event = t + h * abs(event(t, y)) / (abs(event(t, y)) + abs(event(t + h, new)))
            t, y = t + h, new
            sol.t.append(t)
            sol.y.append(y)
            sol.accepted += 1
        else:
            sol.rejected += 1
        h *= min(5.0, max(0.2, 0.9 * (norm + 1e-12) ** -0.2))
    return sol


def lotka(alpha, beta):
    def rhs(t, y):
        return np.array([alpha * y[0] - beta * y[0] * y[1], -y[1] + y[0] * y[1]])

    return rhs


def van_der_pol(mu: float):
    return lambda t, y: np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


def main(t1):
    problems = {
        "lotka": (lotka(1.5, 1.0), [1.0, 2.0]),
        "vdp": (van_der_pol(2.0), [2.0, 0.0]),
        "decay": (lambda t, y: -y, [1.0]),
    }
    out = {}
    for name, (f, y0) in problems.items():
        s = solve(f, 0.0, t1, y0, event=lambda t, y: y[0] - 0.5)
        out[name] = (
            s.accepted,
            s.rejected,
            [round(float(v), 6) for v in s.y[-1]],
            None if s.event is None else round(s.event, 6),
        )
    return out


ARGS = [(6.0,)]
