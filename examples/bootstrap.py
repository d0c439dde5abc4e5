"""How sure is a fit? Least squares on resampled points: random numbers, index arrays, masks, LAPACK
and percentiles in one function, which draws from the caller's generator as NumPy does.
"""

import numpy as np
from _common import compare, size


def bootstrap(x, y, rng, rounds, degree):
    usable = np.isfinite(y)
    x, y = x[usable], y[usable]
    basis = x[:, None] ** np.arange(degree + 1)
    grams = np.empty((rounds, degree + 1, degree + 1))
    moments = np.empty((rounds, degree + 1, 1))
    draws = rng.integers(0, len(x), (rounds, len(x)))
    for k in range(rounds):
        rows, values = basis[draws[k]], y[draws[k]]
        for i in range(degree + 1):
            moments[k, i, 0] = (rows[:, i] * values).sum()
            for j in range(degree + 1):
                grams[k, i, j] = (rows[:, i] * rows[:, j]).sum()
    fits = np.linalg.solve(grams, moments)[:, :, 0]
    return fits.mean(axis=0), np.percentile(fits, [2.5, 97.5], axis=0)


def main():
    points = size(300)
    noise = np.random.default_rng(4)
    x = np.linspace(-1, 1, points)
    y = 0.5 - 2 * x + 3 * x**2 + 0.2 * noise.normal(size=points)
    y[::17] = np.nan  # the instrument was off
    mean, bounds = compare(
        bootstrap, lambda: (x, y, np.random.default_rng(8), 10 * points, 2), tolerance=1e-9
    )
    for k, (value, low, high) in enumerate(zip(mean, *bounds, strict=True)):
        print(f"coefficient of x^{k}: {value:.3f} (95 % between {low:.3f} and {high:.3f})")


if __name__ == "__main__":
    main()
