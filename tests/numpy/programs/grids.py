"""Simulations on grids: heat, waves, automata, relaxation, spins."""

import numpy as np
from program import INTEGERS, Program


def heat_step(u, new, alpha):
    new[1:-1, 1:-1] = u[1:-1, 1:-1] + alpha * (
        u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
    )


def heat_2d(u, alpha, steps):
    new = u.copy()
    for _ in range(steps):
        heat_step(u, new, alpha)
        u, new = new, u
    return u


def wave_1d(u, courant, steps):
    """Leapfrog in time, ends fixed; returns the history."""
    previous = u.copy()
    history = [u.copy()]
    c2 = courant**2
    for _ in range(steps):
        following = np.zeros_like(u)
        following[1:-1] = 2 * u[1:-1] - previous[1:-1] + c2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        previous, u = u, following
        history.append(u.copy())
    return np.array(history)


def wave_1d_table(u0, courant, steps):
    n = u0.shape[0]
    u = np.zeros((steps + 1, n), dtype=u0.dtype)
    u[0] = u0
    u[1, 1:-1] = u0[1:-1] + 0.5 * courant**2 * (u0[2:] - 2 * u0[1:-1] + u0[:-2])
    for t in range(1, steps):
        u[t + 1, 1:-1] = (
            2 * u[t, 1:-1] - u[t - 1, 1:-1] + courant**2 * (u[t, 2:] - 2 * u[t, 1:-1] + u[t, :-2])
        )
    return u


def gauss_seidel_laplace(u, tolerance, max_sweeps):
    """Relaxes in place until the largest change is small; returns the number of sweeps."""
    rows, cols = u.shape
    for sweep in range(1, max_sweeps + 1):
        change = 0.0
        for i in range(1, rows - 1):
            for j in range(1, cols - 1):
                old = u[i, j]
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
                change = max(change, abs(u[i, j] - old))
        if change < tolerance:
            return sweep
    return -1


def red_black(u, omega, sweeps):
    for _ in range(sweeps):
        for colour in (0, 1):
            for i in range(1, u.shape[0] - 1):
                start = 1 + (i + colour) % 2
                row = u[i, start:-1:2]
                average = 0.25 * (
                    u[i - 1, start:-1:2]
                    + u[i + 1, start:-1:2]
                    + u[i, start - 1 : -2 : 2]
                    + u[i, start + 1 :: 2]
                )
                row += omega * (average - row)
    return u


def life_by_roll(board, generations):
    for _ in range(generations):
        neighbours = sum(
            np.roll(np.roll(board, dy, axis=0), dx, axis=1)
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
            if (dy, dx) != (0, 0)
        )
        board = ((neighbours == 3) | ((board == 1) & (neighbours == 2))).astype(board.dtype)
    return board


def life_by_slices(board, generations):
    for _ in range(generations):
        count = np.zeros_like(board)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if dy != 0 or dx != 0:
                    rows, cols = board.shape
                    count[1:-1, 1:-1] += board[1 + dy : rows - 1 + dy, 1 + dx : cols - 1 + dx]
        born = (board == 0) & (count == 3)
        stays = (board == 1) & ((count == 2) | (count == 3))
        board = np.where(born | stays, 1, 0)
        board[0, :] = board[-1, :] = 0
        board[:, 0] = board[:, -1] = 0
    return board


def life_by_loops(board, generations):
    rows, cols = board.shape
    current = board.copy()
    for _ in range(generations):
        following = np.zeros_like(current)
        for y in range(rows):
            for x in range(cols):
                alive = 0
                for dy in range(-1, 2):
                    for dx in range(-1, 2):
                        if dy == 0 and dx == 0:
                            continue
                        alive += current[(y + dy) % rows, (x + dx) % cols]
                if alive == 3 or (alive == 2 and current[y, x]):
                    following[y, x] = 1
        current = following
    return current, int(current.sum())


def ising(spins, order, chance, temperature):
    """Metropolis sweeps with given random sites and numbers; returns the magnetisation's course."""
    n, m = spins.shape
    magnetisation = np.empty(len(order))
    total = spins.sum()
    for k, (i, j) in enumerate(order):
        neighbours = (
            spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % m] + spins[i, j - 1]
        )
        cost = 2 * spins[i, j] * neighbours
        if cost <= 0 or chance[k] < np.exp(-cost / temperature):
            spins[i, j] *= -1
            total += 2 * spins[i, j]
        magnetisation[k] = total / (n * m)
    return magnetisation


def laplacian(z):
    return z[:-2, 1:-1] + z[1:-1, :-2] + z[2:, 1:-1] + z[1:-1, 2:] - 4 * z[1:-1, 1:-1]


def gray_scott(u, v, feed, kill, steps):
    for _ in range(steps):
        uc, vc = u[1:-1, 1:-1], v[1:-1, 1:-1]
        lu, lv = laplacian(u), laplacian(v)
        reaction = uc * vc * vc
        uc += 0.16 * lu - reaction + feed * (1 - uc)
        vc += 0.08 * lv + reaction - (feed + kill) * vc
        for z in (u, v):
            z[0, :], z[-1, :] = z[-2, :], z[1, :]
            z[:, 0], z[:, -1] = z[:, -2], z[:, 1]


def burgers(u, dx, dt, viscosity, steps):
    n = len(u)
    for _ in range(steps):
        un = u.copy()
        for i in range(1, n - 1):
            u[i] = (
                un[i]
                - un[i] * dt / dx * (un[i] - un[i - 1])
                + viscosity * dt / dx**2 * (un[i + 1] - 2 * un[i] + un[i - 1])
            )
        u[0] = (
            un[0]
            - un[0] * dt / dx * (un[0] - un[-2])
            + viscosity * dt / dx**2 * (un[1] - 2 * un[0] + un[-2])
        )
        u[-1] = u[0]
    return u


def advect_upwind(q, velocity, dt, dx, steps):
    flux = np.empty(q.size + 1, dtype=q.dtype)
    for _ in range(steps):
        flux[1:-1] = np.where(velocity[1:-1] > 0, velocity[1:-1] * q[:-1], velocity[1:-1] * q[1:])
        flux[0] = velocity[0] * q[-1] if velocity[0] > 0 else velocity[0] * q[0]
        flux[-1] = flux[0]
        q -= dt / dx * (flux[1:] - flux[:-1])
    return q.min(), q.max()


def wolfram_rule(first, rule, rows):
    cells = np.zeros((rows, len(first)), first.dtype)
    cells[0] = first
    table = [(rule >> k) & 1 for k in range(8)]
    for r in range(1, rows):
        for i in range(len(first)):
            left = cells[r - 1, i - 1]
            right = cells[r - 1, (i + 1) % len(first)]
            cells[r, i] = table[4 * left + 2 * cells[r - 1, i] + right]
    return cells


def sandpile(grid):
    """Topples until stable; grains fall off the edge."""
    topplings = 0
    unstable = True
    while unstable:
        unstable = False
        for i in range(grid.shape[0]):
            for j in range(grid.shape[1]):
                if grid[i, j] < 4:
                    continue
                unstable = True
                topplings += 1
                grid[i, j] -= 4
                if i > 0:
                    grid[i - 1, j] += 1
                if i + 1 < grid.shape[0]:
                    grid[i + 1, j] += 1
                if j > 0:
                    grid[i, j - 1] += 1
                if j + 1 < grid.shape[1]:
                    grid[i, j + 1] += 1
    return topplings


def flood_fill(image, row, col, colour):
    old = image[row, col]
    if old == colour:
        return 0
    stack = [(row, col)]
    filled = 0
    while stack:
        r, c = stack.pop()
        if not (0 <= r < image.shape[0] and 0 <= c < image.shape[1]):
            continue
        if image[r, c] != old:
            continue
        image[r, c] = colour
        filled += 1
        stack.extend([(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)])
    return filled


def board(n, t, rng):
    return (rng.random((n, n + 2)) < 0.4).astype(t)


def gray_scott_arguments(n, t, rng):
    u = np.ones((n, n), t)
    v = np.zeros((n, n), t)
    v[n // 2 - 2 : n // 2 + 2, n // 2 - 2 : n // 2 + 2] = 0.25
    return u + t(0.01) * rng.random((n, n)).astype(t), v, t(0.06), t(0.062), 8


PROGRAMS = [
    Program(heat_2d, lambda n, t, rng: (rng.random((n, n)).astype(t), 0.1, 9), (5, 30)),
    Program(wave_1d, lambda n, t, rng: (np.hanning(n).astype(t), 0.5, 12), (6, 80)),
    Program(wave_1d_table, lambda n, t, rng: (np.hanning(n).astype(t), 0.5, 12), (6, 80)),
    Program(
        gauss_seidel_laplace, lambda n, t, rng: (rng.random((n, n)).astype(t), 1e-3, 200), (5, 12)
    ),
    Program(red_black, lambda n, t, rng: (rng.random((n, n)).astype(t), t(1.5), 6), (6, 21)),
    Program(life_by_roll, lambda n, t, rng: (board(n, t, rng), 5), (6, 20), INTEGERS),
    Program(life_by_slices, lambda n, t, rng: (board(n, t, rng), 5), (6, 20), INTEGERS),
    Program(life_by_loops, lambda n, t, rng: (board(n, t, rng), 4), (6, 20), INTEGERS),
    Program(
        ising,
        lambda n, t, rng: (
            rng.choice(np.array([-1, 1], t), (n, n)),
            rng.integers(0, n, (10 * n, 2)),
            rng.random(10 * n),
            2.2,
        ),
        (4, 16),
        INTEGERS,
    ),
    Program(gray_scott, gray_scott_arguments, (8, 24)),
    Program(
        burgers,
        lambda n, t, rng: (1 + rng.random(n).astype(t), 0.1, t(0.001), t(0.07), 10),
        (5, 60),
    ),
    Program(
        advect_upwind,
        lambda n, t, rng: (
            rng.random(n).astype(t),
            rng.standard_normal(n + 1).astype(t),
            t(0.01),
            t(0.1),
            7,
        ),
        (5, 60),
    ),
    Program(
        wolfram_rule, lambda n, t, rng: (rng.integers(0, 2, n).astype(t), 110, n), (5, 40), INTEGERS
    ),
    Program(sandpile, lambda n, t, rng: (rng.integers(0, 9, (n, n)).astype(t),), (4, 12), INTEGERS),
    Program(flood_fill, lambda n, t, rng: (board(n, t, rng), n // 2, n // 2, 7), (5, 15), INTEGERS),
]
