"""Things that move: n bodies, Runge-Kutta, epidemics, filters of states."""

import math

import numpy as np
from program import Program

G = 1.0


def accelerations(position, mass, softening):
    """Pairwise gravity, by broadcasting."""
    delta = position[None, :, :] - position[:, None, :]
    distance2 = (delta**2).sum(axis=2) + softening**2
    strength = G * mass / (distance2 * np.sqrt(distance2))
    return (strength[:, :, None] * delta).sum(axis=1)


def nbody_leapfrog(position, velocity, mass, dt, steps):
    acceleration = accelerations(position, mass, 0.1)
    for _ in range(steps):
        velocity += 0.5 * dt * acceleration
        position += dt * velocity
        acceleration = accelerations(position, mass, 0.1)
        velocity += 0.5 * dt * acceleration
    kinetic = 0.5 * (mass * (velocity**2).sum(axis=1)).sum()
    return kinetic


def nbody_by_loops(pos, vel, mass, dt, steps):
    n = len(mass)
    for _ in range(steps):
        for i in range(n):
            for j in range(i + 1, n):
                dx = pos[i, 0] - pos[j, 0]
                dy = pos[i, 1] - pos[j, 1]
                dz = pos[i, 2] - pos[j, 2]
                d2 = dx * dx + dy * dy + dz * dz + 0.01
                mag = dt / (d2 * math.sqrt(d2))
                vel[i] -= np.array([dx, dy, dz]) * mass[j] * mag
                vel[j] += np.array([dx, dy, dz]) * mass[i] * mag
        for p, v in zip(pos, vel):
            p += dt * v


def rk4_step(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def integrate(f, y0, t_end, n):
    h = t_end / n
    path = np.empty((n + 1, len(y0)))
    path[0] = y0
    t, y = 0.0, y0
    for i in range(n):
        y = rk4_step(f, t, y, h)
        t += h
        path[i + 1] = y
    return path


def oscillator(t, y):
    return np.array([y[1], -y[0]])


def rk4_oscillator(y0, t_end, n):
    return integrate(oscillator, y0, t_end, n)


def rk4_damped(y0, damping, t_end, n):
    """The right-hand side closes over the damping."""

    def rhs(t, y):
        return np.array([y[1], -damping * y[1] - y[0]])

    return integrate(rhs, y0, t_end, n)[-1]


def rk4_decay(y0, t_end, n):
    return integrate(lambda t, y: -0.7 * y, y0, t_end, n)


def lorenz(start, dt, steps, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    xyz = np.empty((steps + 1, 3), dtype=start.dtype)
    xyz[0] = start
    for i in range(steps):
        x, y, z = xyz[i]
        xyz[i + 1] = xyz[i] + dt * np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])
    return xyz


def sir(s, i, r, beta, gamma, days):
    """Susceptible, infected, removed: the course day by day and the day of the peak."""
    n = s + i + r
    course = np.zeros((days, 3))
    peak, peak_day = 0.0, 0
    for day in range(days):
        course[day] = s, i, r
        infected = beta * s * i / n
        recovered = gamma * i
        s, i, r = s - infected, i + infected - recovered, r + recovered
        if i > peak:
            peak, peak_day = i, day
    return course, peak_day


def kalman_1d(measurements, q, r):
    estimate = measurements[0]
    p = 1.0
    out = np.empty_like(measurements)
    for k, z in enumerate(measurements):
        p = p + q
        gain = p / (p + r)
        estimate = estimate + gain * (z - estimate)
        p = (1 - gain) * p
        out[k] = estimate
    return out


def kalman_2d(zs, dt, noise):
    """Constant velocity: position measured, position and velocity estimated."""
    F = np.array([[1.0, dt], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    Q = noise * np.eye(2)
    R = np.array([[0.5]])
    x = np.zeros(2)
    P = np.eye(2)
    states = np.zeros((len(zs), 2))
    for k in range(len(zs)):
        x = F @ x
        P = F @ P @ F.T + Q
        innovation = zs[k] - H @ x
        S = H @ P @ H.T + R
        K = P @ H.T / S[0, 0]
        x = x + K @ innovation
        P = (np.eye(2) - K @ H) @ P
        states[k] = x
    return states


def rotate_points(points, angle, centre):
    c, s = np.cos(angle), np.sin(angle)
    rotation = np.array([[c, -s], [s, c]])
    return (points - centre) @ rotation.T + centre


def spin(points, turns):
    for k in range(turns):
        points[:] = rotate_points(points, 2 * np.pi / turns, points.mean(axis=0))
    return points


def predator_prey(prey, predator, dt, steps):
    prey_path, predator_path = [], []
    for _ in range(steps):
        prey, predator = (
            prey + dt * (1.1 * prey - 0.4 * prey * predator),
            predator + dt * (0.1 * prey * predator - 0.4 * predator),
        )
        prey_path.append(prey)
        predator_path.append(predator)
    return np.array(prey_path), np.array(predator_path)


def verlet_chain(x, stiffness, dt, steps):
    """Masses on springs, ends held."""
    v = np.zeros_like(x)
    force = np.zeros_like(x)

    def update():
        stretch = np.diff(x)
        force[1:-1] = stiffness * (stretch[1:] - stretch[:-1])

    update()
    for _ in range(steps):
        v += 0.5 * dt * force
        x += dt * v
        update()
        v += 0.5 * dt * force
    return x, v


def bouncing_balls(p, v, low, high, dt, steps):
    bounces = 0
    for _ in range(steps):
        p += v * dt
        outside = (p < low) | (p > high)
        v *= np.where(outside, -1, 1)
        np.clip(p, low, high, out=p)
        bounces += np.count_nonzero(outside)
    return bounces


def random_walk_stats(steps):
    position = np.cumsum(steps, axis=0)
    distance = np.hypot(position[:, 0], position[:, 1])
    farthest = np.argmax(distance)
    return farthest, distance[farthest], position[-1]


def projectile(speed, angle, drag, dt):
    x = y = 0.0
    vx, vy = speed * math.cos(angle), speed * math.sin(angle)
    t = 0.0
    while True:
        v = math.hypot(vx, vy)
        vx -= dt * drag * v * vx
        vy -= dt * (9.81 + drag * v * vy)
        x += dt * vx
        y += dt * vy
        t += dt
        if y < 0:
            return x, t


def bodies(n, t, rng):
    return (
        rng.standard_normal((n, 3)).astype(t),
        0.1 * rng.standard_normal((n, 3)).astype(t),
        rng.random(n).astype(t),
        t(0.01),
        5,
    )


PROGRAMS = [
    Program(nbody_leapfrog, bodies, (3, 15), eps=256),
    Program(nbody_by_loops, bodies, (3, 8)),
    Program(rk4_oscillator, lambda n, t, rng: (np.array([1, 0], t), 3.0, n), (4, 50)),
    Program(rk4_damped, lambda n, t, rng: (np.array([1, 0], t), t(0.3), 3.0, n), (4, 50)),
    Program(rk4_decay, lambda n, t, rng: (rng.random(n).astype(t), 2.0, 10), (1, 30)),
    Program(lorenz, lambda n, t, rng: (np.array([1, 1, 1], t), t(0.01), n), (3, 60)),
    Program(sir, lambda n, t, rng: (t(990), t(10), t(0), t(0.4), t(0.1), n), (5, 60)),
    Program(kalman_1d, lambda n, t, rng: (rng.random(n).astype(t), 1e-4, 0.01), (4, 60)),
    Program(kalman_2d, lambda n, t, rng: (rng.random(n).astype(t), 0.1, 0.01), (4, 40), eps=256),
    Program(
        rotate_points,
        lambda n, t, rng: (rng.random((n, 2)).astype(t), t(0.7), np.array([0.5, 0.5], t)),
        (3, 50),
        eps=16,
    ),
    Program(spin, lambda n, t, rng: (rng.random((n, 2)).astype(t), 7), (3, 50), eps=64),
    Program(predator_prey, lambda n, t, rng: (t(10), t(5), t(0.01), n), (3, 50)),
    Program(verlet_chain, lambda n, t, rng: (rng.random(n).astype(t), t(2), t(0.1), 6), (4, 50)),
    Program(
        bouncing_balls,
        lambda n, t, rng: (
            rng.random((n, 2)).astype(t),
            rng.standard_normal((n, 2)).astype(t),
            0.0,
            1.0,
            t(0.1),
            12,
        ),
        (3, 40),
    ),
    Program(
        random_walk_stats,
        lambda n, t, rng: (rng.standard_normal((n, 2)).astype(t),),
        (3, 80),
        eps=64,
    ),
    Program(projectile, lambda n, t, rng: (t(n), t(0.8), t(0.01), 0.02), (5, 20), eps=256),
]
