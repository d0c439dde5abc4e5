"""JAX on the processor: the plain source with jax.numpy for np where nothing is changed in place,
else a port to functions. Results are waited for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from bench.kernel import Kernel
from bench.peers.contestant import Contestant, version_of
from bench.peers.single import own_globals

NAME = "jax"
version = partial(version_of, "jax")

# These run unchanged.
UNCHANGED = """
copy|triad|arithmetic chain|transcendental chain|where and clip|black-scholes|polynomial|gelu|powers
great circle|bit hash|raw to physical|rotation|complex chain|impedances|phasors
sum of squares|axis sums|middle axis|extremes|count in range|softmax|log-sum-exp|layer norm
standardise|cosine similarity|cross entropy|distance matrix|outer sum|radial kernel
laplacian 4th order|horizontal diffusion|sobel|grey|separable blur|dilate|bilateral|moving average
convolution 3x3|gather|largest by argsort|sort|sort of rows|searchsorted|matrix product
small matrices|matrix vector|atax|attention|two-layer network|covariance|least squares|eigenvalues
median of rows|interp|np.histogram
"""
PORTS: dict[str, Callable[..., Any]] = {}


def port(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        PORTS[name] = f
        return f

    return register


def repeated(body: Callable[..., Any], steps: int, *state: Any) -> Any:
    from jax.lax import fori_loop

    return fori_loop(0, steps, lambda _, now: body(*now), state)


@port("in-place updates")
def in_place(a, b, n):
    def step(a, b):
        a = (a + 0.5 * b) * 0.6
        return a, b - 0.1 * (a - 1.0)

    return repeated(step, n, a, b)


@port("mandelbrot by arrays")
def mandelbrot_arrays(cr, ci, limit):
    import jax.numpy as jnp

    def step(zr, zi, count):
        r2, i2 = zr * zr, zi * zi
        inside = r2 + i2 < 4.0
        following = jnp.where(inside, r2 - i2 + cr, zr), jnp.where(inside, 2.0 * zr * zi + ci, zi)
        return *following, count + inside

    count = jnp.zeros(cr.shape, np.int64)
    return repeated(step, limit, jnp.zeros_like(cr), jnp.zeros_like(cr), count)[2]


@port("n-body")
def n_body(position, velocity, mass, dt, steps):
    import jax.numpy as jnp

    def step(position, velocity):
        delta = position[None, :, :] - position[:, None, :]
        distance2 = (delta * delta).sum(axis=2) + 0.01
        strength = mass / (distance2 * jnp.sqrt(distance2))
        velocity = velocity + dt * (strength[:, :, None] * delta).sum(axis=1)
        return position + dt * velocity, velocity

    return repeated(step, steps, position, velocity)


@port("floyd-warshall")
def floyd_warshall(distance):
    import jax.numpy as jnp
    from jax.lax import fori_loop

    def step(k, d):
        return jnp.minimum(d, d[:, k, None] + d[None, k, :])

    return fori_loop(0, len(distance), step, distance)


@port("jacobi 1-D")
def jacobi_1d(a, b, steps):
    def step(a, b):
        return b.at[1:-1].set(0.33333 * (a[:-2] + a[1:-1] + a[2:])), a

    a, b = repeated(step, steps, a, b)
    return a, a, b  # the result, and both arguments after an even number of steps


@port("jacobi 2-D")
def jacobi_2d(a, b, steps):
    def step(a, b):
        inner = a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        return b.at[1:-1, 1:-1].set(0.2 * inner), a

    a, b = repeated(step, steps, a, b)
    return a, a, b


@port("heat 3-D")
def heat_3d(a, b, steps):
    def step(a, b):
        c = a[1:-1, 1:-1, 1:-1]
        inner = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * c + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * c + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * c + a[1:-1, 1:-1, :-2])
            + c
        )
        return b.at[1:-1, 1:-1, 1:-1].set(inner), a

    a, b = repeated(step, steps, a, b)
    return a, a, b


@port("fdtd 2-D")
def fdtd_2d(ex, ey, hz, steps):
    from jax.lax import fori_loop

    def step(t, now):
        ex, ey, hz = now
        ey = ey.at[0].set((0.01 * t).astype(ey.dtype)).at[1:].add(-0.5 * (hz[1:] - hz[:-1]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        curl = ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]
        return ex, ey, hz.at[:-1, :-1].add(-0.7 * curl)

    return fori_loop(0, steps, step, (ex, ey, hz))


@port("gray-scott")
def gray_scott(u, v, steps):
    def around(a):
        return a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] - 4.0 * a[1:-1, 1:-1]

    def step(u, v):
        c, d = u[1:-1, 1:-1], v[1:-1, 1:-1]
        reaction = c * d * d
        more_u = 0.16 * around(u) - reaction + 0.035 * (1.0 - c)
        more_v = 0.08 * around(v) + reaction - 0.095 * d
        return u.at[1:-1, 1:-1].add(more_u), v.at[1:-1, 1:-1].add(more_v)

    return repeated(step, steps, u, v)


@port("game of life")
def life(board, generations):
    def step(board):
        c = board[1:-1, 1:-1]
        count = (
            board[:-2, :-2] + board[:-2, 1:-1] + board[:-2, 2:] + board[1:-1, :-2]
            + board[1:-1, 2:] + board[2:, :-2] + board[2:, 1:-1] + board[2:, 2:]
        )  # fmt: skip
        alive = (count == 3) | ((count == 2) & (c == 1))
        return (board.at[1:-1, 1:-1].set(alive.astype(board.dtype)),)

    return repeated(step, generations, board)


@port("shallow water")
def shallow_water(h, u, v, dt, steps):
    def step(h, u, v):
        u = u.at[1:-1, 1:-1].add(-dt * 9.81 * (h[1:-1, 2:] - h[1:-1, :-2]))
        v = v.at[1:-1, 1:-1].add(-dt * 9.81 * (h[2:, 1:-1] - h[:-2, 1:-1]))
        spread = u[1:-1, 2:] - u[1:-1, :-2] + v[2:, 1:-1] - v[:-2, 1:-1]
        return h.at[1:-1, 1:-1].add(-dt * spread), u, v

    return repeated(step, steps, h, u, v)


@port("advection by roll")
def advection_by_roll(q, courant, steps):
    import jax.numpy as jnp

    def step(q):
        along, across = jnp.roll(q, 1, axis=0), jnp.roll(q, 1, axis=1)
        return (q - courant * (q - along) - courant * (q - across),)

    return repeated(step, steps, q)


@port("vertical solve")
def vertical_solve(lower, diagonal, upper, right):
    import jax.numpy as jnp
    from jax.lax import scan

    def down(above, level):
        c, x = above
        low, middle, up, r = level
        m = middle - low * c
        now = up / m, (r - low * x) / m
        return now, now

    zero = jnp.zeros_like(right[0])
    _, (c, x) = scan(down, (zero, zero), (lower, diagonal, upper, right))

    def back(below, level):
        c, x = level
        now = x - c * below
        return now, now

    return scan(back, zero, (c, x), reverse=True)[1]


@port("recurrence")
def recurrence(a, b):
    from jax.lax import scan

    def step(last, pair):
        now = pair[0] * last + pair[1]
        return now, now

    return scan(step, b[0] * 0, (a, b))[1]


@port("asian option")
def asian_option(noise, start, strike, drift, spread):
    import jax.numpy as jnp

    prices = start * jnp.exp(jnp.cumsum(drift + spread * noise, axis=1))
    return jnp.maximum(prices.mean(axis=1) - strike, 0.0).mean()


@port("scatter add")
def scatter_add(places, weights, bins):
    import jax.numpy as jnp

    return jnp.zeros(bins, weights.dtype).at[places].add(weights)


@port("sparse product")
def sparse_product(starts, columns, values, x):
    # Rows of equal length, as the arguments have them.
    return (values * x[columns]).reshape(len(starts) - 1, -1).sum(axis=1)


@port("4x4 systems")
def small_systems(matrices, rights):
    import jax.numpy as jnp

    return jnp.linalg.solve(matrices, rights[..., None])[..., 0]


@port("rotated points")
def rotate_points(rotations, points):
    return (rotations @ points[..., None])[..., 0]


@port("running statistics")
def running_statistics(x):
    import jax.numpy as jnp
    from jax.lax import cummax

    total = jnp.cumsum(x)
    return total[-1], jnp.diff(total), cummax(x)


@port("quartiles")
def quartiles(x):
    import jax.numpy as jnp

    return jnp.percentile(x, jnp.array([25.0, 50.0, 75.0]))


@port("erf and gammaln")
def error_functions(x):
    from jax.scipy import special

    return special.erf(x) * 0.5 + special.gammaln(x + 1.0)


@port("spectral heat")
def spectral_heat(u, steps, dt):
    import jax.numpy as jnp

    k = jnp.fft.fftfreq(len(u), 1 / len(u))
    decay = jnp.exp(-dt * k * k)

    def step(u):
        return (jnp.fft.ifft(jnp.fft.fft(u) * decay).real,)

    return repeated(step, steps, u)


def build(f: Callable[..., Any], integers: tuple[int, ...], threads: int) -> Callable[..., Any]:
    if threads == 1:
        os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    import jax

    jax.config.update("jax_enable_x64", True)
    jitted = jax.jit(f, static_argnums=integers)
    return lambda *arguments: jax.block_until_ready(jitted(*arguments))


def enter(arguments: tuple) -> tuple:
    import jax.numpy as jnp

    return tuple(jnp.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments)


def with_jax_numpy(plain: Callable[..., Any]) -> Callable[..., Any]:
    def f(*arguments: Any) -> Any:
        import jax.numpy as jnp

        return own_globals(plain, np=jnp)(*arguments)

    return f


def contestants(kernel: Kernel, dtype: str, threads: int) -> list[Contestant]:
    unchanged = kernel.name in UNCHANGED.replace("\n", "|").split("|")
    f = with_jax_numpy(kernel.plain) if unchanged else PORTS.get(kernel.name)
    if f is None:
        return []
    # Python's integers are sizes and numbers of steps.
    integers = tuple(k for k, a in enumerate(kernel.make(kernel.tiny, dtype)) if type(a) is int)
    make = partial(build, f, integers, threads)
    return [Contestant("jax", make, enter=enter, functional=True, relaxed=True)]
