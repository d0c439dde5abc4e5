import numpy as np


def derivatives(state, beta, gamma):
    s, i, r = state
    n = s + i + r
    infection = beta * s * i / n
    recovery = gamma * i
    return np.array([-infection, infection - recovery, recovery])


def rk4_step(state, dt, beta, gamma):
    k1 = derivatives(state, beta, gamma)
    k2 = derivatives(state + dt / 2 * k1, beta, gamma)
    k3 = derivatives(state + dt / 2 * k2, beta, gamma)
    k4 = derivatives(state + dt * k3, beta, gamma)
    return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def simulate(s0, i0, beta, gamma, days, dt=0.25):
    steps = int(days / dt)
    history = np.empty((steps + 1, 3))
    history[0] = s0, i0, 0.0
    for k in range(steps):
        history[k + 1] = rk4_step(history[k], dt, beta, gamma)
    return history


def main(beta, gamma, days):
    h = simulate(990.0, 10.0, beta, gamma, days)
    peak = int(np.argmax(h[:, 1]))
    print(f"R0 = {beta / gamma:.2f}, peak day {peak * 0.25}, infected {h[peak, 1]:.1f}")
    assert np.allclose(h.sum(axis=1), 1000.0)
    return h[::40], peak, float(h[-1, 2])


ARGS = [(0.4, 0.1, 120), (0.2, 0.25, 40)]
