"""Track a bouncing target with a linear Kalman filter in NumPy."""

import numpy as np


class KalmanFilter:
    def __init__(self, F, H, Q, R, x0, P0):
        self.F, self.H, self.Q, self.R = F, H, Q, R
        self.x = x0.copy()
        self.P = P0.copy()
        self.log_likelihood = 0.0

    @classmethod
    def constant_velocity(cls, dt, q, r):
        F = np.eye(4)
        F[0, 2] = F[1, 3] = dt
        H = np.zeros((2, 4))
        H[0, 0] = H[1, 1] = 1.0
        G = np.array([[dt**2 / 2, 0], [0, dt**2 / 2], [dt, 0], [0, dt]])
        return cls(F, H, q * G @ G.T, r * np.eye(2), np.zeros(4), 100.0 * np.eye(4))

    def predict(self):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, z):
        innovation = z - self.H @ self.x
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.x = self.x + K @ innovation
        self.P = (np.eye(len(self.x)) - K @ self.H) @ self.P
        d2 = float(innovation @ np.linalg.solve(S, innovation))
        self.log_likelihood -= 0.5 * (d2 + np.log(np.linalg.det(S)) + 2 * np.log(2 * np.pi))
        return d2


class LCG:
    """Small reproducible source of noise."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (1103515245 * self.state + 12345) % 2**31
        return self.state / 2**31

    def gauss(self):
        return sum(self.uniform() for _ in range(12)) - 6.0


def simulate(steps, dt, noise, rng):
    position = np.array([1.0, 2.0])
    velocity = np.array([0.9, -0.4])
    truth, measured = [], []
    for _ in range(steps):
        position = position + dt * velocity
        for axis in range(2):
            if not 0.0 <= position[axis] <= 10.0:
                velocity[axis] = -velocity[axis]
                position[axis] = np.clip(position[axis], 0.0, 10.0)
        truth.append(position.copy())
        measured.append(position + noise * np.array([rng.gauss(), rng.gauss()]))
    return np.array(truth), np.array(measured)


def rmse(a, b):
    return float(np.sqrt(np.mean(np.sum((a - b) ** 2, axis=1))))


def main(steps, noise, gate):
    rng = LCG(2024)
    truth, measured = simulate(steps, 0.5, noise, rng)
    kf = KalmanFilter.constant_velocity(0.5, 0.3, noise**2)
    estimates = np.empty_like(truth)
    surprises = []
    for k, z in enumerate(measured):
        kf.predict()
        d2 = kf.update(z)
        if d2 > gate:
            surprises.append(k)
            kf.P[2:, 2:] += 2.0 * np.eye(2)
        estimates[k] = kf.x[:2]
    before, after = rmse(measured, truth), rmse(estimates, truth)
    print(f"measured {before:.4f}, filtered {after:.4f}, {len(surprises)} surprise(s)")
    with_sd = np.sqrt(np.diag(kf.P))
    return (
        round(before, 6),
        round(after, 6),
        surprises,
        np.round(kf.x, 6),
        np.round(with_sd, 6),
        round(float(kf.log_likelihood), 4),
        bool(np.allclose(kf.P, kf.P.T)),
    )


ARGS = [(40, 0.3, 6.0), (80, 0.6, 9.0)]
