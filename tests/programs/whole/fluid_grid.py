"""Heat diffusion and advection on a grid with NumPy, with a class and statistics."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Params:
    alpha: float = 0.1
    dt: float = 0.5
    wind: tuple = (1.0, 0.0)

    @property
    def stable(self):
        return self.alpha * self.dt < 0.25


class Field:
    def __init__(self, n, params):
        self.n = n
        self.p = params
        self.t = np.zeros((n, n))
        self.steps = 0

    def source(self, i, j, heat, radius=2):
        y, x = np.ogrid[: self.n, : self.n]
        mask = (y - i) ** 2 + (x - j) ** 2 <= radius * radius
        self.t[mask] += heat
        return int(mask.sum())

    def laplacian(self):
        t = self.t
        out = -4 * t
        out[1:] += t[:-1]
        out[:-1] += t[1:]
        out[:, 1:] += t[:, :-1]
        out[:, :-1] += t[:, 1:]
        return out

    def gradient(self):
        gy = np.zeros_like(self.t)
        gx = np.zeros_like(self.t)
        gy[1:-1] = (self.t[2:] - self.t[:-2]) / 2
        gx[:, 1:-1] = (self.t[:, 2:] - self.t[:, :-2]) / 2
        return gy, gx

    def step(self):
        if not self.p.stable:
            raise ValueError(f"unstable: alpha*dt = {self.p.alpha * self.p.dt:.3f}")
        gy, gx = self.gradient()
        wx, wy = self.p.wind
        self.t += self.p.dt * (self.p.alpha * self.laplacian() - 0.1 * (wx * gx + wy * gy))
        np.clip(self.t, 0.0, None, out=self.t)
        self.steps += 1

    def __str__(self):
        chars = " .:-=+*#%@"
        top = self.t.max() or 1.0
        rows = []
        for row in self.t[::3, ::3]:
            rows.append("".join(chars[min(int(v / top * 9), 9)] for v in row))
        return "\n".join(rows)


def radial_profile(a, bins):
    n = a.shape[0]
    yy, xx = np.indices(a.shape)
    r = np.hypot(yy - n / 2, xx - n / 2)
    which = np.minimum((r / r.max() * bins).astype(int), bins - 1)
    total = np.bincount(which.ravel(), weights=a.ravel(), minlength=bins)
    count = np.bincount(which.ravel(), minlength=bins)
    return total / np.maximum(count, 1)


def main(n, steps, sources):
    f = Field(n, Params())
    cells = [f.source(*s) for s in sources]
    history = []
    for k in range(steps):
        f.step()
        if k % 5 == 0:
            history.append(
                (k, round(float(f.t.mean()), 9), np.unravel_index(int(f.t.argmax()), f.t.shape)[1])
            )
    print(f)
    bad = Field(4, Params(alpha=0.9))
    try:
        bad.step()
        msg = ""
    except ValueError as e:
        msg = str(e)
    prof = radial_profile(f.t, 6)
    hot = np.argwhere(f.t > f.t.mean() + 2 * f.t.std())
    return cells, [(k, m, int(c)) for k, m, c in history], prof, hot[:5].tolist(), msg, f.steps


ARGS = [(24, 20, [(5, 5, 100.0), (15, 10, 50.0, 3), (0, 23, 20.0)])]
